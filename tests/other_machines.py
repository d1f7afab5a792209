"""Machines with a pattern that are no clocks of the examples: a motor, two clocks, odd gears, a pendulum clock."""

from __future__ import annotations

import math
import re

from clock_variants import example

RADIUS, TEETH, PIVOT = 50.0, 30, 50.0 * math.sqrt(2)


def ratchet_on_a_motor(direction: str, rate: float) -> str:
    """The ratchet of the examples, its wheel turned evenly."""
    text = re.sub(r"friction = 40\nspring = .*\n", "", example(f"ratchet-{direction}"))
    return f'{text}\n[drive.motor]\nof = "wheel.angle"\nrate = {rate}\n'


def chiming_clock(ratio: float) -> str:
    """The chiming clock with other gears at the same distance of their axes."""
    pitch = re.compile(r"(gear\(\) translate\(\[0, 0, 1\]\) cylinder\(d=)([\d.]+)")
    text = example("chiming-clock")
    both = sum(float(size) for _, size in pitch.findall(text))
    fresh = iter([both / (1 + ratio), both * ratio / (1 + ratio)])
    return pitch.sub(lambda found: f"{found[1]}{next(fresh):.12g}", text)


def two_clocks(stiffness: float) -> str:
    """Two escapements on one frame; the second has another hairspring."""
    head, frame, *own = re.split(r"(?=\[part\.)", example("escapement"))
    shafts = re.search(r"union\(\) \{(.*?)\n\}", frame, re.DOTALL)
    assert shafts is not None
    beside = f"translate([30, 0, 0]) union() {{{shafts[1]}\n  }}".replace('")', '2")')
    others = "".join(own).replace('")', '2")').replace('str("tooth"', 'str("tooth2"')
    others = re.sub(r"\[part\.(\w+)\]", r"[part.\g<1>2]", others)
    others = others.replace('solid = """\n', 'solid = """\ntranslate([30, 0, 0]) ')
    others = others.replace("stiffness = 15 ", f"stiffness = {stiffness} ")
    return head + frame.replace(shafts[1], f"{shafts[1]}\n  {beside}") + "".join(own) + others


def graham_clock(start: float = 3.0) -> str:
    """A Graham escapement of thirty teeth, an anchor with straight pallets and a pendulum of 250, held aside."""
    bob = 250 * math.sin(math.radians(start)), PIVOT - 250 * math.cos(math.radians(start))
    teeth = "\n".join(f"linear_extrude(2) polygon({_tooth(k)});" for k in range(TEETH))
    arms = "\n".join(
        f"hull() {{ translate([0, {PIVOT}, 0]) cylinder(d=6, h=2); "
        f"translate([{side * 56 / math.sqrt(2)}, {PIVOT - 44 / math.sqrt(2)}, 0]) cylinder(d=2, h=2); }}"
        for side in (-1, 1)
    )
    return f'''
linkwork = 1
gravity = [0, -9810]
[part.frame]
fixed = true
solid = """
translate([-60, -60, -6]) cube([120, 150, 2]);
translate([0, 0, -6]) cylinder(d=4, h=9);
translate([0, {PIVOT}, -6]) cylinder(d=4, h=9);
"""
[part.wheel]
solid = """difference() {{ union() {{ cylinder(d=80, h=2);
{teeth} }} cylinder(d=4, h=2); }}"""
inertia = 5
friction = 1
spring = {{ rest = "-40000 deg", stiffness = 0.86 }}
[part.anchor]
solid = """
translate([0, {PIVOT}, 0]) rotate([0, 0, {start}]) translate([0, {-PIVOT}, 0]) difference() {{
  union() {{ linear_extrude(2) polygon({_pallet(1)}); linear_extrude(2) polygon({_pallet(-1)});
{arms} }}
  translate([0, {PIVOT}, 0]) cylinder(d=4, h=2);
}}
"""
mass = 0.5
centre = [{bob[0]}, {bob[1]}]
inertia = 10
friction = 1000
'''


def _tooth(place: int) -> list[list[float]]:
    """A thin tooth that leans forward."""
    angle = 2 * math.pi * place / TEETH + math.radians(140)
    tip = RADIUS * math.cos(angle), RADIUS * math.sin(angle)
    behind = angle + math.radians(5)
    root = (RADIUS - 11) * math.cos(behind), (RADIUS - 11) * math.sin(behind)
    long = math.dist(tip, root)
    x, y = 0.2 * (root[1] - tip[1]) / long, 0.2 * (tip[0] - root[0]) / long
    return [
        [root[0] - x, root[1] - y],
        [tip[0] - x, tip[1] - y],
        [tip[0] + x, tip[1] + y],
        [root[0] + x, root[1] + y],
    ]


def _pallet(side: int) -> list[list[float]]:
    """A pallet that spans 4.5° of the wheel and lifts by 2°, on the left (1) or on the right (-1)."""
    half, lift = math.radians(4.5) * RADIUS / 2, math.radians(2.0) * RADIUS / 2
    lock, release = RADIUS + side * half, RADIUS - side * half
    root = math.sqrt(2)
    return [
        [(-side * r + side * s) / root, PIVOT + (-r - s) / root]
        for r, s in ((lock, -lift), (release, lift), (release, -6.0), (lock, -6.0))
    ]


def loose_ratchet(teeth: int, rate: float, stiffness: float, inertia: float) -> str:
    """A ratchet on a motor whose pawl is thrown by its teeth, so that it hardly ever does the same twice."""
    every = f'for (k = [0:{teeth - 1}]) label(str("tooth", k)) rotate([0, 0, {360 / teeth:.9g}*k])'
    text = ratchet_on_a_motor("ccw", rate)
    text = text.replace('for (k = [0:7]) label(str("tooth", k)) rotate([0, 0, 45*k])', every)
    text = text.replace("stiffness = 4", f"stiffness = {stiffness}")
    return text.replace("inertia = 2\n", f"inertia = {inertia}\n")


def verge_clock(inertia: float = 60.0, torque: float = 30.0, friction: float = 0.0) -> str:
    """A wheel with pointed teeth that a weight turns, and a bar without a spring whose pins they throw to and fro."""
    teeth, radius, apart = 15, 20.0, 20.0 / math.cos(math.radians(42))
    x, y = (18.7 * f(math.radians(42)) for f in (math.sin, math.cos))
    tooth = f"polygon([[{radius - 4}, -1.2], [{radius}, 0], [{radius - 4}, 1.2]])"
    return f'''
linkwork = 1
[part.frame]
fixed = true
solid = """
translate([-60, -60, -4]) cube([120, 120, 1]);
translate([0, 0, -4]) cylinder(d=4, h=8);
translate([0, {apart}, -4]) cylinder(d=2, h=8);
"""
[part.wheel]
solid = """
difference() {{
  union() {{
    cylinder(r={radius - 4}, h=2);
    for (k = [0:{teeth - 1}]) rotate({360 / teeth}*k) linear_extrude(2) {tooth};
  }}
  translate([0, 0, -1]) cylinder(d=4, h=5);
}}
"""
inertia = 200
friction = 5
[part.bar]
solid = """
translate([0, {apart}, 0]) rotate(6.6) difference() {{
  for (side = [-1, 1]) {{
    translate([side*{x}, {y - apart}, 0]) cylinder(r=0.6, h=3);
    hull() {{
      translate([side*{x}, {y - apart}, 2.5]) cylinder(r=0.6, h=1);
      translate([0, 0, 2.5]) cylinder(d=4, h=1);
    }}
  }}
  translate([0, 0, -1]) cylinder(d=2, h=8);
}}
"""
inertia = {inertia}
friction = 0.5
[force.weight]
type = "torque"
on = "wheel"
torque = -{torque}
[contact]
friction = {friction}
'''
