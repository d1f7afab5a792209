"""Discs whose rims slide along and off edges in space, against plane motions, laws and times known beforehand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from linkwork.contact import ContactSolution, Law, Laws, simulate
from linkwork.model import Machine
from linkwork.model.read import machine_from_text

GRAVITY = 10.0
TABLE = "translate([-6, -4, -1]) cube([8, 9, 1]);"
"""Its top is at height 0 and ends at x = 2."""
THICK = 0.3
DISC = f"cylinder(r=1, h={THICK});"


def machine(text: str, gravity: str, disc: str, table: str = TABLE, more: str = "density = 1") -> Machine:
    """A table and a free disc."""
    given = f"""
    linkwork = 1
    gravity = {gravity}
    {text}
    [part.table]
    fixed = true
    solid = '''{table}'''
    [part.disc]
    free = true
    {more}
    solid = '''{disc}'''
    """
    return machine_from_text(given, "rim.toml", "rim")


def slide(
    disc: str, until: float, rates: dict[str, float], friction: float = 0.0, **how: Any
) -> ContactSolution:
    """A motion that comes to its end; without friction and impacts it keeps its energy."""
    found = simulate(
        machine("", f"[0, 0, {-GRAVITY}]", disc, **how),
        until,
        contact="rigid",
        rates=rates,
        laws=Laws(Law(friction)),
    )
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    energy = found.columns["energy"]
    size = float(np.abs(found.columns["kinetic"]).max() + np.abs(found.columns["potential"]).max())
    assert np.diff(energy).max() <= 1e-9 * size
    if not friction and not found.lost["impacts"]:
        assert abs(energy[-1] - energy[0]) <= 1e-9 * size
    return found


@pytest.mark.parametrize(("speed", "until"), [(0.3, 8.0), (1.0, 3.0), (3.0, 1.5)])
def test_a_disc_slides_off_an_edge_as_a_plate_does_in_the_plane(speed: float, until: float) -> None:
    """Straight across the edge it moves in one plane: that of the plane engine, with the same mass and inertia."""
    mass = math.pi * THICK
    inertia = mass * (3 + THICK**2) / 12
    flat = machine_from_text(
        f"""
        linkwork = 1
        dimension = 2
        gravity = [0, {-GRAVITY}]
        [part.table]
        fixed = true
        solid = 'translate([-6, -1, 0]) cube([8, 1, 1]);'
        [part.disc]
        free = true
        mass = {mass}
        inertia = {inertia}
        solid = 'translate([-1, 0, 0]) cube([2, {THICK}, 1]);'
        """,
        "plate.toml",
        "plate",
    )
    found = slide(DISC, until, {"disc.x": speed})
    wanted = simulate(flat, until, contact="rigid", rates={"disc.x": speed})
    assert found.columns["disc.x"][-1] == pytest.approx(wanted.columns["disc.x"][-1], abs=1e-5)
    assert found.columns["disc.z"][-1] == pytest.approx(wanted.columns["disc.y"][-1], abs=1e-5)
    turned = 2 * math.atan2(found.columns["disc.q2"][-1], found.columns["disc.q0"][-1])
    assert turned == pytest.approx(-wanted.columns["disc.angle"][-1], abs=1e-5)


@pytest.mark.parametrize("spin", [0.7, -2.0])
def test_a_disc_that_spins_begins_to_tip_when_its_centre_is_over_the_edge(spin: float) -> None:
    """However it turns about itself; both places where its rim crosses the edge hold it until then."""
    found = slide(DISC, 4, {"disc.x": 1.0, "disc.q3": spin / 2})
    times, lean = found.columns["time"], np.hypot(found.columns["disc.q1"], found.columns["disc.q2"])
    assert lean[times < 2].max() < 1e-9
    assert lean[times > 2.05].min() > 1e-4
    row = int(np.searchsorted(times, 2.2))
    assert len({round(each["point"][1]) for each in found.contacts(row)}) == 2


@pytest.mark.parametrize("axis", [(0, 0, 25), (0, 0, 90)])
def test_a_lying_cylinder_slides_off_an_edge_without_loss(axis: tuple[int, int, int]) -> None:
    found = slide(
        f"rotate({list(axis)}) translate([-2, 0, 0.4]) rotate([0, 90, 0]) cylinder(r=0.4, h=3);",
        5,
        {"disc.x": 1.0},
    )
    assert found.columns["disc.z"][-1] < -1


def test_a_standing_coin_slides_askew_over_an_edge_without_loss() -> None:
    found = slide("translate([0, 0, 1]) rotate([90, 0, 20]) cylinder(r=1, h=0.2);", 4, {"disc.x": 1.0})
    assert found.columns["disc.z"][-1] < -1


def test_a_disc_tips_over_a_beam_that_is_narrower_than_itself() -> None:
    """Its rim crosses both edges of the beam; it tips when its centre is past the farther one, and slides off."""
    beam = "translate([-6, -4, -1]) cube([6.5, 9, 1]);"
    found = slide(DISC, 2, {"disc.x": 0.5, "disc.q3": 0.25}, table=beam)
    times, lean = found.columns["time"], np.hypot(found.columns["disc.q1"], found.columns["disc.q2"])
    assert lean[times < 1].max() < 1e-9
    assert lean[-1] > 0.3


def test_two_crossings_of_a_rim_and_an_edge_are_told_apart_until_they_meet() -> None:
    """Half the chord is r sin(acos(x/r)): the places of both are where the circle is, to all digits."""
    found = slide(DISC, 1.05, {"disc.x": 3.0})
    seen = 0
    for row in range(len(found)):
        points = [each["point"] for each in found.contacts(row) if abs(each["point"][0] - 2) < 1e-7]
        if found.columns["time"][row] > 0.7 and len(points) == 2:
            one, other = (each[1] for each in points)
            turn = 2 * math.atan2(found.columns["disc.q2"][row], found.columns["disc.q0"][row])
            back = (2 - found.columns["disc.x"][row]) / math.cos(turn)
            assert one == pytest.approx(-other, abs=1e-6)
            assert abs(one) == pytest.approx(math.sqrt(1 - back**2), abs=1e-5)
            seen += 1
    assert seen > 200


@pytest.mark.parametrize("lean", [70, 50, -30])
def test_all_that_a_disc_loses_as_it_falls_flat_is_told_as_impacts(lean: int) -> None:
    """Without friction nothing else takes energy, also where its rim comes to lie in the step that ends there."""
    found = slide(
        f"translate([-3, 0, 1.2]) rotate([{lean}, 0, 20]) cylinder(r=1, h=0.2);", 1.5, {"disc.x": 1.0}
    )
    energy = found.columns["energy"]
    assert found.lost["impacts"] == pytest.approx(energy[0] - energy[-1], rel=1e-7)
    assert found.lost["impacts"] > 1


TWO_TABLES = "union() { " + TABLE + " translate([2.6, -4, -1]) cube([8, 9, 1]); }"


@pytest.mark.parametrize(
    "solid", [DISC, "translate([-1, -0.5, 0]) cube([2, 1, 0.5]);"], ids=["disc", "block"]
)
def test_what_slides_flat_over_a_gap_between_tables_of_one_height_does_not_catch(solid: str) -> None:
    """Its lower edge meets that of the farther table: nothing approaches the plane between both."""
    found = slide(solid, 5, {"disc.x": 1.0}, table=TWO_TABLES)
    assert np.abs(found.columns["disc.z"]).max() < 1e-8
    assert found.columns["disc.x"][-1] == pytest.approx(5, abs=1e-6)


def test_what_slides_flat_into_a_step_or_a_wall_is_stopped_by_it() -> None:
    """A wall that stands on the table begins where the lower edge of the block is."""
    for high in (0.01, 3.0):
        wall = "union() { " + TABLE + f" translate([0.5, -4, -1]) cube([1, 9, {1 + high}]); }}"
        found = slide("translate([-3, -0.5, 0]) cube([2, 1, 0.5]);", 3, {"disc.x": 1.0}, table=wall)
        assert found.columns["disc.x"].max() < 1.5 + 1e-8
        assert found.columns["disc.vx"][-1] < 0.5


CAM = """
linkwork = 1
gravity = [0, -10]
[part.frame]
fixed = true
solid = '''translate([0, 0, -2]) cylinder(d=0.2, h=4);
  translate([-2, 1.5, 0]) cube([1, 4, 1]); translate([1, 1.5, 0]) cube([1, 4, 1]);
  translate([-9, -9, -3]) cube([18, 18, 1]);'''
[part.cam]
mass = 1
inertia = 1
solid = 'difference() {{ translate([0.1, 0, 0]) cylinder(r=1, h=1); translate([0, 0, -1]) cylinder(d=0.2, h=3); }}'
[part.follower]
mass = 1
inertia = 1
solid = 'translate([-1, 1, 0]) cube([2, 3, 1]);'
[drive.motor]
of = "cam.angle"
rate = {rate}
"""


@pytest.mark.parametrize("rate", [9.9, 10.1, 11.0, 12.0, 15.0])
def test_a_flat_follower_on_an_eccentric_disc_jumps_where_it_says(rate: float) -> None:
    """It is lifted by e sin ωt and leaves where e ω² sin ωt = g, if that can be; of one height, so in space.

    The rim is made of arcs: where one ends the disc rolls on, and does not stand on the end.
    """
    solution = simulate(
        machine_from_text(CAM.format(rate=rate), "cam.toml", "cam"), 3.0, step=0.005, contact="rigid"
    )
    assert isinstance(solution, ContactSolution)
    assert solution.status == "complete", solution.why
    above = solution.columns["follower.y"] - 0.1 * np.sin(rate * solution.times)
    assert above.min() > -1e-8
    left = [event["t"] for event in solution.events if event["kind"] == "end"]
    limit = 10 / (0.1 * rate**2)
    if limit > 1:
        assert not left
        assert above.max() < 1e-8
    else:
        assert left[0] == pytest.approx(math.asin(limit) / rate, abs=1e-9)
