"""What becomes of a pattern that goes on: another place where parts meet, a hill that is no longer climbed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from clock_variants import example

TABLE = """
linkwork = 1
gravity = {gravity}
[part.table]
fixed = true
solid = '{table}'
[part.ball]
free = true
solid = '{ball}'
density = 1000
[contact]
restitution = {restitution}
friction = 0
"""
WALL = 40.0
FLAT = {
    "gravity": [0, -9.81, 0],
    "table": f"translate([-5, -1, 0]) cube([100, 1, 1]); translate([{WALL}, 0, 0]) cube([1, 20, 1]);",
    "ball": "translate([0, 1.5, 0]) cylinder(r=0.2, h=1);",
}
IN_SPACE = {
    "gravity": [0, 0, -9.81],
    "table": f"translate([-5, -5, -1]) cube([100, 10, 1]); translate([{WALL}, -5, 0]) cube([1, 10, 20]);",
    "ball": "translate([0, 0, 1.5]) sphere(r=0.2);",
}
HILLS = """
linkwork = 1
dimension = 3
[frame.a]
mass = 1
varies = ["tx"]
at = [0.3, 0, 0]
[energy.hills]
value = "cos(a.tx)"
[force.drag]
type = "force"
at = "a"
force = ["-{drag}*a.tx_rate", 0, 0]
[initial.push]
holds = "a.tx_rate == 3"
"""


def foreseen(folder: Path, text: str) -> lw.Forecast:
    path = folder / "machine.toml"
    path.write_text(text, "utf-8")
    return lw.predict(lw.load(str(path)))


@pytest.mark.parametrize("where", [FLAT, IN_SPACE], ids=["flat", "in space"])
def test_a_ball_hops_to_a_wall(where: dict[str, object], tmp_path: Path) -> None:
    """Table and wall are one part, which it touches in each hop: the wall stops it nevertheless, and turns it back."""
    text = TABLE.format(restitution=1, **where) + '[initial.push]\nholds = "ball.vx == 0.1"\n'
    there, back = foreseen(tmp_path, text).patterns
    meets, hop = (WALL - 0.2) / 0.1, 2 * math.sqrt(2 * 1.3 / 9.81)
    assert there.duration == pytest.approx(hop, rel=1e-6)
    assert meets - hop <= there.valid_until <= meets
    assert there.ends_because == "ball meets ground elsewhere"
    assert back.change["ball.x"] == pytest.approx(-0.1 * hop, rel=1e-6)
    assert back.valid_until == pytest.approx(meets + (WALL - 0.2 + 5) / 0.1, abs=3 * hop)


def test_a_ball_in_space_bounces_until_it_rests(tmp_path: Path) -> None:
    """It falls for t, then bounces for 2·e·t, 2·e²·t and so on; hops of less than a thousandth count as rest."""
    (ending,) = foreseen(tmp_path, TABLE.format(restitution=0.9, **IN_SPACE)).endings
    falls, hops = math.sqrt(2 * 1.3 / 9.81), math.ceil(math.log(1e-3) / math.log(0.9**2))
    least = falls * (1 + 2 * sum(0.9**k for k in range(1, hops)))
    assert ending.kind == "rest"
    assert least - 2 * falls * 0.9**hops <= ending.t <= falls * (1 + 2 * 0.9 / 0.1)


@pytest.mark.parametrize("drag", [0.001, pytest.param(0.002, marks=pytest.mark.slow)])
def test_the_valley_in_which_it_stays(drag: float, tmp_path: Path) -> None:
    """After hundreds of hills that it hardly climbs at last, a body rests in the valley of a full simulation."""
    forecast = foreseen(tmp_path, HILLS.format(drag=drag))
    course, late = forecast.foreseen[0].course, 4.0 / drag
    state = course.run(0.0, course.start, np.append(np.arange(0.0, late, 0.5), late)).states[-1]
    found = forecast.at(late)
    assert round(found["a.tx"] / (2 * math.pi) - 0.5) == round(state[0] / (2 * math.pi) - 0.5)
    near = np.linspace(late - found.time_error, late + found.time_error, 200)
    rows = course.run(0.0, course.start, np.concatenate([np.arange(0.0, near[0], 0.5), near])).states[
        -200:, 0
    ]
    assert rows.min() - 1e-3 <= found["a.tx"] <= rows.max() + 1e-3


def test_a_drive_that_comes_to_the_end_of_its_range(tmp_path: Path) -> None:
    """Nothing is said of what lies behind, where a simulation stops too: the lift is up, the driver has turned."""
    (lifted,) = lw.predict(lw.load("scissor")).endings
    assert lifted.kind == "unknown"
    assert lifted.t == pytest.approx(11)
    assert lifted.why == "the drive lift is at the end of its range"
    path = tmp_path / "geneva.toml"
    path.write_text(
        example("geneva-drive").replace('rate = "2*pi"', 'rate = "2*pi"\nrange = [0, "41*pi"]'), "utf-8"
    )
    found = lw.predict(lw.load(str(path)), 100)
    (pattern,) = found.patterns
    assert (pattern.valid_until, found.known_until) == pytest.approx((20.5, 20.5))
    assert pattern.ends_because == "the drive motor is at the end of its range"
    assert found.summary.endswith("unknown from t = 20.5 on")
