"""Machines of free parts alone: none of them is the ground, and momentum stays what it was."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.model.read import machine_from_text

BALLS = """
linkwork = 1
dimension = 3
[part.one]
free = true
density = 1
solid = "translate([-2, 0, 0]) sphere(r=0.5);"
[part.two]
free = true
density = 2
solid = "translate([2, 0.3, 0.1]) sphere(r=0.5);"
[contact]
restitution = 1
"""
PLATES = """
linkwork = 1
[part.one]
free = true
density = 1
solid = "translate([-2, -0.5, 0]) cube([2, 1, 1]);"
[part.two]
free = true
density = 3
solid = "translate([2, 0.2, 0]) cube([1, 1, 1]);"
[part.three]
free = true
density = 2
solid = "translate([-0.5, 4, 0]) cube([1, 1, 1]);"
[contact]
restitution = 0.5
friction = 0.3
"""


def test_balls_in_space_hand_on_their_momentum() -> None:
    """Equal restitution 1: with m1, m2 and the normal n the impulse is 2 m1 m2/(m1 + m2) u.n; no part stands still."""
    solution = lw.simulate(
        machine_from_text(BALLS, "balls.toml", "balls"), until=3, contact="rigid", rates={"two.x": -2}
    )
    (impact,) = solution.events
    light, heavy = np.pi / 6, np.pi / 3
    assert impact["parts"] == ["one", "two"]
    across = abs(impact["normal"][0])
    assert impact["impulse"] == pytest.approx(2 * light * heavy / (light + heavy) * 2 * across, rel=1e-9)
    for axis, total in (("x", -2 * heavy), ("y", 0.0), ("z", 0.0)):
        sums = light * solution.columns[f"one.v{axis}"] + heavy * solution.columns[f"two.v{axis}"]
        np.testing.assert_allclose(sums, total, atol=1e-9)
    np.testing.assert_allclose(solution.columns["energy"], 0.5 * heavy * 4, rtol=1e-9)


@pytest.mark.parametrize("contact", ["rigid", "elastic"])
def test_plates_that_collide_keep_the_motion_of_their_centre(contact: str) -> None:
    """Nothing acts on the machine from outside: the centre of all masses goes on as it was."""
    machine = machine_from_text(PLATES.replace("restitution = 0.5", ""), "plates.toml", "plates")
    solution = lw.simulate(
        machine, until=4, step=0.02, contact=contact, rates={"two.x": -2, "three.y": -1.5, "one.x": 0.5}
    )
    masses, centres = (
        {"one": 2.0, "two": 3.0, "three": 2.0},
        {
            "one": (-1.0, 0.0),
            "two": (2.5, 0.7),
            "three": (0.0, 4.5),
        },
    )
    place = np.zeros((2, len(solution)))
    for part, mass in masses.items():
        u, v = centres[part]
        angle = solution.columns[f"{part}.angle"]
        place[0] += mass * (solution.columns[f"{part}.x"] + u * np.cos(angle) - v * np.sin(angle))
        place[1] += mass * (solution.columns[f"{part}.y"] + u * np.sin(angle) + v * np.cos(angle))
    time = solution.columns["time"]
    assert solution.status == "complete"
    assert solution.events
    np.testing.assert_allclose(place[0] - place[0, 0], (-2 * 3.0 + 0.5 * 2.0) * time, atol=1e-6)
    np.testing.assert_allclose(place[1] - place[1, 0], -1.5 * 2.0 * time, atol=1e-6)


def test_a_machine_of_free_parts_says_that_none_stands_still_and_loads_again() -> None:
    """The report tells it; what is written has an empty ground and is the same machine."""
    found = lw.recognise(machine_from_text(BALLS, "balls.toml", "balls"))
    assert "no part stands still" in str(found)
    assert [each.parts for each in found.interactions] == [("one", "two")]
    assert found.machine is not None
    assert set(found.machine.moving) == {"one", "two"}
    again = lw.recognise(found.machine)
    assert again.machine is not None
    assert set(again.machine.moving) == {"one", "two"}


@pytest.mark.parametrize(("held", "free"), [("plank", "ball"), ("plank", "base")])
def test_what_is_free_does_not_stand_still_however_heavy_or_called(held: str, free: str) -> None:
    """The one part that is not free is the frame."""
    text = f"""
linkwork = 1
[part.{free}]
free = true
density = 1
solid = "translate([0, 4, 0]) cylinder(r=3, h=1);"
[part.{held}]
solid = "translate([-2, -1, 0]) cube([4, 1, 1]);"
"""
    assert lw.recognise(machine_from_text(text, "held.toml", "held")).ground == held
