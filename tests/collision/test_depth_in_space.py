"""How deep parts in space are in one another, and where on their way, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.collision.compare import LEAST_DEPTH, Clash
from linkwork.recognition.finding import TOLERANCE

LEAST = LEAST_DEPTH * TOLERANCE
"""Of the size of a machine: how deep parts are in one another that collide."""

SWINGING = """linkwork = 1
dimension = 3
[part.ground]
points = {{ O = [0, 0, 0] }}
solid = "{struck}"
[part.arm]
points = {{ O = [0, 0, 0] }}
solid = "{striking}"
[joint.j]
type = "revolute"
axis = {axis}
between = ["ground.O", "arm.O"]
[drive.d]
joint = "j"
range = [0, "360 deg"]
"""


def only_clash(folder: Path, **given: str) -> Clash:
    """What collides while an arm goes around once."""
    file = folder / "swinging.toml"
    file.write_text(SWINGING.format(**given), "utf-8")
    (clash,) = lw.clash(lw.load(file)).clashes
    return clash


@pytest.mark.parametrize(("height", "away", "turned"), [(5, 11, 123.4), (3, 14.5, 100.37), (6.5, 9, 77)])
def test_balls_are_deepest_where_their_middles_are_nearest(
    height: float, away: float, turned: float, tmp_path: Path
) -> None:
    """Balls of radii R and r with middles d apart are R + r - d deep; the least d is hypot(away - 10, height - 3)."""
    clash = only_clash(
        tmp_path,
        axis="[0, 0, 1]",
        struck=f"translate([{away}, 0, {height}]) sphere(r=3);",
        striking=f"rotate([0, 0, {turned}]) translate([10, 0, 3]) sphere(r=2);",
    )
    least = math.hypot(away - 10, height - 3)
    assert clash.depth == pytest.approx(5 - least, rel=1e-6)
    assert clash.deepest_at == pytest.approx(math.radians(360 - turned), abs=1e-4)
    nearer = (100 + away**2 + (height - 3) ** 2 - (5 - LEAST * 30) ** 2) / (20 * away)
    assert clash.until - clash.at == pytest.approx(2 * math.acos(nearer), abs=0.02)


@pytest.mark.parametrize(("top", "turned"), [(-10.5, 41.3), (-9.0, 200.0)])
def test_a_ball_is_deepest_in_a_plate_at_the_lowest_point_of_its_circle(
    top: float, turned: float, tmp_path: Path
) -> None:
    """A ball of radius 2 on a circle of radius 10 about the axis y comes 12 below it."""
    clash = only_clash(
        tmp_path,
        axis="[0, 1, 0]",
        struck=f"translate([-30, -30, {top - 20}]) cube([60, 60, 20]);",
        striking=f"rotate([0, {turned}, 0]) translate([10, 0, 0]) sphere(r=2);",
    )
    assert clash.depth == pytest.approx(12 + top, rel=1e-6)
    assert clash.deepest_at == pytest.approx(math.radians((90 - turned) % 360), abs=1e-4)
    assert clash.point == pytest.approx((0, 0, -12), abs=2e-2)
