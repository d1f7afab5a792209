"""Parts that leave the machine are named, with the time; those that stay or come back are not."""

from __future__ import annotations

import math

import pytest

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.model.read import machine_from_text

TABLE = """
linkwork = 1
gravity = [0, {pull}]
[part.table]
fixed = true
solid = "translate([-2, -1, 0]) cube([4, 1, 1]);"
[part.disc]
free = true
density = 1
solid = "translate([0, 0.5, 0]) cylinder(r=0.5, h=1);"
"""
SIZE = math.sqrt(4**2 + 2**2 + 1)


def run(pull: float, until: float, **rates: float) -> ContactSolution:
    machine = machine_from_text(TABLE.format(pull=pull), "table.toml", "table")
    named = {name.replace("_", "."): rate for name, rate in rates.items()}
    found = lw.simulate(machine, until=until, step=until / 1000, contact="rigid", rates=named)
    assert isinstance(found, ContactSolution)
    return found


def test_a_disc_that_flies_away_is_named() -> None:
    """Without weight, at the speed 2 straight up from 1 above the middle of the table."""
    found = run(0, 100, disc_y=2)
    (gone,) = found.departed
    assert gone.parts == ("disc",)
    assert gone.time == pytest.approx((10 * SIZE - 1) / 2, abs=0.1)
    assert found.about()["departed"] == [gone.to_json()]
    assert str(gone) == f"disc leaves the machine, far from it at t = {gone.time:.6g}"


def test_what_rolls_off_a_table_falls_for_ever() -> None:
    found = run(-10, 20, disc_x=1)
    assert found.status == "complete"
    assert [each.parts for each in found.departed] == [("disc",)]
    assert found.departed[0].time > 2


@pytest.mark.parametrize("rates", [{}, {"disc_y": 90}, {"disc_x": 0.01}])
def test_what_stays_or_comes_back_has_not_left(rates: dict[str, float]) -> None:
    """Thrown up as high as 405, some ninety sizes, it comes back, and is coming where the run ends."""
    found = run(-10, 17, **rates)
    assert not found.departed
    assert "departed" not in found.about()


def test_parts_on_axes_do_not_leave() -> None:
    assert not lw.simulate(lw.load("escapement"), until=3, contact="rigid").departed  # type: ignore[attr-defined]


def test_pictures_end_where_all_that_moves_is_gone() -> None:
    """A disc at the speed 2 is a size away from the middle of the table, 1 below it at first, and no farther."""
    found = run(0, 100, disc_y=2)
    seen = found.while_in_sight()
    assert seen.times[-1] == pytest.approx((SIZE - 1) / 2, abs=0.1)
    assert [len(seen.states), len(seen.touches)] == [len(seen), len(seen)]
    assert len(seen) < len(found) == 1001


def test_what_stays_is_seen_to_the_end() -> None:
    """Where one disc flies away and another stays, all is shown; so is a disc that comes back."""
    text = TABLE.format(pull=0) + TABLE.format(pull=0).partition("[part.disc]")[2].join(
        ["[part.other]", ""]
    ).replace("translate([0,", "translate([1.5,")
    both = lw.simulate(
        machine_from_text(text, "two.toml", "two"), until=100, step=0.1, contact="rigid", rates={"disc.y": 2}
    )
    assert isinstance(both, ContactSolution)
    assert [each.parts for each in both.departed] == [("disc",)]
    assert both.while_in_sight() is both
    thrown = run(-10, 17, disc_y=90)
    assert thrown.while_in_sight() is thrown
