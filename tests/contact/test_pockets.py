"""What comes from outside into a hollow meets its wall, however fast and in however few steps."""

from __future__ import annotations

import math
import random

import pytest
from overlaps import deepest_overlap

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.model.read import machine_from_text

POCKET = '''
linkwork = 1
gravity = [0, {pull}]
[part.block]
fixed = true
solid = """
rotate([0, 0, {turn}]) difference() {{
  translate([0, -4, 0]) cube([8, 8, 1]);
  translate([3, 0, -1]) cylinder(r=2, h=3);
  translate([-1, -2, -1]) cube([4, 4, 3]);
}}
"""
[part.disc]
free = true
density = 1
solid = "translate([{x}, {y}, 0]) cylinder(r={radius}, h=1);"
'''

CUP = """
linkwork = 1
gravity = [0, 0, {pull}]
[part.cup]
fixed = true
solid = "difference() {{ translate([-5, -5, -5]) cube([10, 10, 5]); sphere(r=4); }}"
[part.ball]
free = true
density = 1
solid = "translate([{x}, 0, {z}]) sphere(r={radius});"
"""


def thrown(text: str, until: float, **rates: float) -> ContactSolution:
    machine = machine_from_text(text, "pocket.toml", "pocket")
    named = {name.replace("_", "."): rate for name, rate in rates.items()}
    found = lw.simulate(machine, until=until, step=until / 200, contact="rigid", rates=named)
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


@pytest.mark.parametrize("radius", [0.2, 1, 1.9])
@pytest.mark.parametrize("away", [3, 40, 1000])
@pytest.mark.parametrize("speed", [0.1, 1, 1e4])
def test_a_disc_thrown_into_a_slot_strikes_its_round_end(radius: float, away: float, speed: float) -> None:
    """With no force there are hardly any steps; the impact is where circle is in circle: |p - c| = R - r."""
    y = 0.4 * (2 - radius)
    until = 1.5 * (away + 5) / speed
    text = POCKET.format(pull=0, turn=0, x=-away, y=y, radius=radius)
    found = thrown(text, until, disc_x=speed)
    (first,) = [event for event in found.events if event["kind"] == "impact"][:1]
    when = (away + 3 + math.sqrt((2 - radius) ** 2 - y**2)) / speed
    assert first["t"] == pytest.approx(when, rel=1e-11)
    assert deepest_overlap(found, range(0, len(found), 10))[0] < 3e-6


@pytest.mark.parametrize("seed", range(12))
def test_discs_that_fly_into_a_pocket_never_go_through(seed: int) -> None:
    """A pocket that opens upwards; discs come from above and over its rim, from beside and below."""
    rng = random.Random(seed)
    radius, height, side = rng.uniform(0.1, 1.5), 10 ** rng.uniform(0, 3), rng.choice((-1, 1))
    aside = rng.choice((0.0, 1.9 - radius, 6.0))  # over the pocket or beside the block
    x, y = side * aside, height if aside < 5 else rng.uniform(-6, -2)
    flight = math.sqrt(2 * height / 10)
    rates = {"disc_x": -x / flight if aside > 5 else 0.0, "disc_y": 5 * flight if aside > 5 else 0.0}
    text = POCKET.format(pull=-10, turn=-90, x=x, y=y, radius=radius)
    found = thrown(text, 3 * flight, **rates)
    assert found.events
    assert deepest_overlap(found, range(0, len(found), 5))[0] < 3e-6


@pytest.mark.parametrize("height", [1, 30, 3000])
@pytest.mark.parametrize("radius", [0.3, 2])
@pytest.mark.parametrize("rise", [0, 40])
def test_a_ball_that_falls_into_a_cup_strikes_it(height: float, radius: float, rise: float) -> None:
    """In space: dropped or thrown upwards first, it meets the sphere at √(R - r)² - x²) below its middle."""
    x = 0.3 * (4 - radius)
    depth = math.sqrt((4 - radius) ** 2 - x**2)
    when = (rise + math.sqrt(rise**2 + 20 * (height + depth))) / 10
    found = thrown(CUP.format(pull=-10, x=x, z=height, radius=radius), 1.2 * when, ball_z=rise)
    assert found.events[0]["kind"] == "impact"
    assert found.events[0]["t"] == pytest.approx(when, rel=1e-10)
