"""Plates on pillars that sleeves keep at their distance: one with the frame, unless something drives or lifts them."""

from __future__ import annotations

import pytest
from solid_machines import POSES, pairs_of, placed

import linkwork as lw
from linkwork.model.read import machine_from_text

FRAME = """
linkwork = 1
{head}
[part.base]
fixed = true
solid = '''
difference() {{ cube([60, 40, 4]); translate([30, 20, -1]) cylinder(d=4, h=9); }}
for (x = [6, 54], y = [6, 34]) translate([x, y, 0]) cylinder(d=5, h=34);
'''
{sleeves}
[part.top]
solid = '''
translate([0, 0, 24]) difference() {{
  cube([60, 40, 4]); translate([30, 20, -1]) cylinder(d=4, h=9);
  for (x = [6, 54], y = [6, 34]) translate([x, y, -1]) cylinder(d=5.2, h=9);
}}
'''
[part.wheel]
solid = "translate([30, 20, 0]) {{ cylinder(d=3.8, h=30); translate([0, 0, 10]) cube([20, 6, 4], center=true); }}"
"""
SLEEVE = """
[part.sleeve_{number}]
solid = '''
translate([{x}, {y}, 4]) difference() {{ cylinder(d=9, h={height}); translate([0, 0, -1]) cylinder(d=5.2, h=22); }}
'''
"""
PLACES = ((6, 6), (54, 6), (6, 34), (54, 34))
PRESS = """
linkwork = 1
[part.base]
fixed = true
solid = '''
translate([-40, -20, -5]) cube([80, 40, 5]); for (s = [-1, 1]) translate([s*30, 0, -1]) cylinder(d=8, h=90);
difference() { translate([-45, -20, 85]) cube([90, 40, 5]); translate([-15, -10, 80]) cube([30, 22, 20]); }
translate([-10, 12, 80]) cube([20, 8, 30]); translate([0, 21, 100]) rotate([90, 0, 0]) cylinder(d=8, h=20);
'''
[part.left_stop]
solid = "translate([-30, 0, 0]) difference() { cylinder(d=13, h=20); translate([0, 0, -1]) cylinder(d=8.2, h=30); }"
[part.right_stop]
solid = "translate([30, 0, 0]) difference() { cylinder(d=13, h=20); translate([0, 0, -1]) cylinder(d=8.2, h=30); }"
[part.platen]
solid = '''
difference() {
  translate([-40, -15, 20]) cube([80, 30, 8]); for (s = [-1, 1]) translate([s*30, 0, 0]) cylinder(d=8.2, h=90);
}
translate([-5, -5, 28]) cube([10, 5, 12]); translate([0, 10, 36]) rotate([90, 0, 0]) cylinder(d=5, h=12);
'''
[part.crank]
solid = '''
difference() {
  union() {
    translate([0, 12, 100]) rotate([90, 0, 0]) cylinder(d=16, h=4); translate([-3, 8, 86]) cube([6, 4, 14]);
  }
  translate([0, 23, 100]) rotate([90, 0, 0]) cylinder(d=8, h=22);
}
translate([0, 10, 88]) rotate([90, 0, 0]) cylinder(d=5, h=9);
'''
[part.rod]
solid = '''
difference() {
  translate([-5, 2, 30]) cube([10, 4, 64]);
  for (z = [36, 88]) translate([0, 23, z]) rotate([90, 0, 0]) cylinder(d=5, h=32);
}
'''
"""


def frame(places: tuple[tuple[int, int], ...] = PLACES, height: float = 20, head: str = "") -> str:
    """A frame of two plates with sleeves on pillars at some places."""
    sleeves = [
        SLEEVE.format(number=number, x=x, y=y, height=height) for number, (x, y) in enumerate(places, 1)
    ]
    return FRAME.format(head=head, sleeves="".join(sleeves))


def found_in(text: str, pose: str = "as drawn") -> lw.Recognition:
    """What is found in a machine that is given as text."""
    return lw.recognise(placed(machine_from_text(text, "m.toml", "m"), POSES[pose]))


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("height", [20, 19.9])
def test_a_plate_on_sleeves_around_pillars_is_one_with_these(height: float, pose: str) -> None:
    """It slid along its pillars, pushed the sleeves, and a wheel between the plates along its axle."""
    found = found_in(frame(height=height), pose)
    assert pairs_of(found) == {("revolute", "base", "wheel")}
    assert {"base", "top", "sleeve_1", "sleeve_4"} <= {*found.groups[0]}
    assert "4 pillars go through top, which spacers such as sleeve_1 keep at its distance" in {
        each.why for each in found.welds
    }


def test_a_plate_with_a_sleeve_on_one_pillar_only_is_not_kept_by_it() -> None:
    assert ("prismatic", "base", "top") in pairs_of(found_in(frame(PLACES[:1])))


def test_gravity_may_lift_a_plate_off_its_sleeves() -> None:
    found = found_in(frame(head="gravity = [0, 0, 9.81]"))
    assert ("prismatic", "base", "top") in pairs_of(found)


def test_the_platen_of_a_press_on_its_stops_slides() -> None:
    """It is drawn where its crank is at a dead point."""
    found = found_in(PRESS)
    assert {
        ("prismatic", "base", "platen"),
        ("revolute", "base", "crank"),
        ("revolute", "crank", "rod"),
        ("revolute", "platen", "rod"),
    } <= pairs_of(found)
