"""Positions in space between the rows of a motion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.collision.screw import moved_by, quaternion_rates
from linkwork.collision.track import Track
from linkwork.solid.placement import Floats, Placement


def row_of(placed: Placement) -> Floats:
    """The origin and the quaternion of a position that is turned by less than half a turn."""
    matrix = placed.matrix
    w = math.sqrt(1 + np.trace(matrix)) / 2
    vector = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    return np.concatenate([placed.origin, [w], vector / (4 * w)])


def apart(one: Placement, other: Placement) -> float:
    return float(
        np.abs(np.column_stack([one.matrix - other.matrix, np.subtract(one.origin, other.origin)])).max()
    )


@pytest.mark.parametrize("seed", range(8))
def test_turns_slides_and_screws_about_any_axis_are_exact_between_rows(seed: int) -> None:
    """A twist that does not change leads from any row to any place, with and without rates."""
    random = np.random.default_rng(seed)
    twist = np.concatenate([random.normal(size=3) * (seed % 4), random.normal(size=3) * 50])
    twist[:3] *= 2.5 / max(2.5, float(np.linalg.norm(twist[:3])))
    rows = np.array([row_of(moved_by(share * twist)) for share in np.linspace(0, 1, 5)])
    turning, shifts = twist[:3] / 4, twist[3:] / 4
    velocities = np.array([moved_by(share * twist).matrix @ shifts for share in np.linspace(0, 1, 5)])
    rates = np.concatenate([velocities, quaternion_rates(rows[:, 3:], np.tile(turning, (5, 1)))], axis=1)
    for track in (Track.of(rows), Track.of(rows, rates)):
        for where in random.uniform(0, 4, 6):
            assert apart(track.placement(where), moved_by(where / 4 * twist)) < 1e-10


def errors_of(count: int, seed: int) -> float:
    """How far a part that turns about an axis which turns about another is from where it should be between rows."""
    random = np.random.default_rng(seed)
    first, second = (np.concatenate([random.normal(size=3), random.normal(size=3) * 3]) / 3 for _ in range(2))

    def true(time: float) -> Placement:
        return moved_by(time * first).holding(moved_by(time * time * second))

    times = np.linspace(0, 1, count + 1)
    rows, small = np.array([row_of(true(time)) for time in times]), 1e-5
    near = [np.array([row_of(true(time + sign * small)) for time in times]) for sign in (1, -1)]
    track = Track.of(rows, (near[0] - near[1]) / (2 * small * count))
    places = np.arange(count) + 0.37
    return max(apart(track.placement(place), true(place / count)) for place in places)


@pytest.mark.parametrize("seed", range(4))
def test_positions_between_rows_are_right_to_the_fourth_power_of_the_step(seed: int) -> None:
    coarse, fine = errors_of(6, seed), errors_of(12, seed)
    assert math.log2(coarse / fine) > 3.6


def test_whole_turns_between_rows_are_told_by_the_rates() -> None:
    """Rows that are one and a third turns apart look as if they were a third apart."""
    angles = math.tau * 4 / 3 * np.arange(4)
    zero = np.zeros_like(angles)
    rows = np.stack([zero, zero, zero, np.cos(angles / 2), zero, zero, np.sin(angles / 2)], axis=1)
    turning = np.tile([0, 0, math.tau * 4 / 3], (4, 1))
    rates = np.concatenate([np.zeros((4, 3)), quaternion_rates(rows[:, 3:], turning)], axis=1)
    assert Track.of(rows, rates).turn == pytest.approx(math.tau * 4 / 3)
    assert apart(Track.of(rows, rates).placement(1.5), Placement.turn(math.tau * 2)) < 1e-12


JACK = """linkwork = 1
dimension = 3
[part.ground]
solid = '''translate([{x}, {y}, 24]) difference() {{
  translate([-15, -20, 30]) cube([30, 40, 10]); thread(4) translate([0, 0, 5]) cylinder(d=16, h=40); }}'''
[part.spindle]
solid = '''translate([{x}, {y}, 24]) {{
  thread(4) translate([0, 0, 10]) cylinder(d=16, h=60); translate([0, 0, 70]) cylinder(d=24, h=5); }}'''
[frame.nut]
at = [{x}, {y}, 59]
[frame.thread]
at = [{x}, {y}, 59]
on = "spindle"
[joint.screw]
type = "screw"
between = ["nut", "thread"]
pitch = 4
[drive.t]
joint = "screw"
coordinate = "displacement"
range = [0, {last}]
"""


@pytest.mark.parametrize(("x", "y"), [(0, 0), (0, 20), (60, -35)])
def test_a_spindle_beside_the_origin_collides_where_its_head_comes_down(
    x: float, y: float, tmp_path: Path
) -> None:
    """The head is 30 above the nut: nothing is struck before, wherever the axis stands; beyond, it is 2 deep at -32."""
    file = tmp_path / "jack.toml"
    file.write_text(JACK.format(x=x, y=y, last=-28), "utf-8")
    found = lw.clash(lw.load(file), steps=60)
    assert found.ways[0][2:] == (-28, "complete")
    assert not found.clashes
    file.write_text(JACK.format(x=x, y=y, last=-32), "utf-8")
    (clash,) = lw.clash(lw.load(file), steps=60).clashes
    assert clash.at == pytest.approx(-30, abs=0.1)
    assert (clash.until, clash.depth) == pytest.approx((-32, 2), abs=1e-3)
