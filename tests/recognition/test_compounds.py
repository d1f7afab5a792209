"""Gears that sit on one arbor pass the motion of a train on, unless that locked them or something tells otherwise."""

from __future__ import annotations

import pytest
from solid_machines import POSES, Pairs, pairs_of, placed

import linkwork as lw
from linkwork.model.read import machine_from_text

TRAIN = """
linkwork = 1
[part.plates]
fixed = true
solid = '''
for (z = [-6, 14]) difference() {{
  translate([-30, -30, z]) cube([120, 90, 4]);
  for (x = [0, 30, 55]) translate([x, 0, z - 1]) cylinder(d=5, h=9);
}}
translate([-30, 55, -6]) cube([120, 5, 24]);
'''
[part.first]
solid = "gear() cylinder(d=20, h=4); translate([0, 0, -7]) cylinder(d=5, h=26);"
[part.arbor]
solid = "translate([30, 0, -6]) cylinder(d=5, h=24);"
[part.large]
solid = '''
difference() {{
  translate([30, 0, 0]) gear() cylinder(d=40, h=4);
  translate([30, 0, -1]) cylinder(d={bore}, h=9);
}}
'''
{more}
[part.small]
solid = '''
difference() {{
  translate([30, 0, 6]) gear() cylinder(d=16, h=4);
  translate([30, 0, 5]) cylinder(d={bore}, h=9);
}}
'''
[part.last]
solid = '''
translate([55, 0, 0]) {{ translate([0, 0, 6]) gear() cylinder(d=34, h=4); translate([0, 0, -7]) cylinder(d=5, h=26); }}
'''
"""
TWO_PINS = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
for (z = [-4, 40]) difference() {
  translate([-20, -20, z]) cube([70, 40, 3]);
  for (x = [0, 24]) translate([x, 0, z - 1]) cylinder(d=3, h=9);
}
translate([-20, 18, -4]) cube([70, 2, 47]);
'''
[part.pin_a]
solid = "translate([0, 0, -4]) cylinder(d=3, h=47);"
[part.pin_b]
solid = "translate([24, 0, -4]) cylinder(d=3, h=47);"
"""
CLUSTER = """
[part.cluster_{number}]
solid = '''
translate([{x}, 0, {z}]) difference() {{
  union() {{ gear() cylinder(d=32, h=4); gear() translate([0, 0, 4.5]) cylinder(d=16, h=4.5); }}
  translate([0, 0, -1]) cylinder(d=3, h=20);
}}
'''
"""
AXES: Pairs = {("revolute", "first", "plates"), ("revolute", "last", "plates")}
MESHES: Pairs = {("gear", "first", "large"), ("gear", "last", "small")}


def train(bore: float = 5.0, more: str = "") -> lw.Machine:
    """Two wheels on a plain arbor, each in mesh with one of its own."""
    return machine_from_text(TRAIN.format(bore=bore, more=more), "m.toml", "m")


def mobility(found: lw.Recognition) -> int:
    return sum(each.mobility for each in found.subsystems)


@pytest.mark.parametrize("pose", POSES)
def test_two_gears_on_an_arbor_that_fits_its_bearings_as_well_are_a_compound(pose: str) -> None:
    """Nothing tells whether they turn on it: a train that passes on nothing is none."""
    found = lw.recognise(placed(train(), POSES[pose]))
    assert pairs_of(found) == AXES | MESHES | {("revolute", "arbor", "plates")}
    assert {*found.groups[2]} == {"arbor", "large", "small"}
    assert mobility(found) == 1
    assert any("passes its motion on" in weld.why for weld in found.welds)


@pytest.mark.parametrize(("bore", "more"), [(5.2, ""), (5.0, "friction = 1")])
def test_gears_that_are_looser_there_or_have_friction_of_their_own_turn_by_themselves(
    bore: float, more: str
) -> None:
    found = lw.recognise(train(bore, more))
    assert pairs_of(found) > AXES | MESHES
    assert ("revolute", "large", "plates") in pairs_of(found)
    assert mobility(found) == 2


@pytest.mark.parametrize("pose", POSES)
def test_gears_that_would_lock_one_another_stay_loose(pose: str) -> None:
    """Clusters that take turns on two pins mesh with one another: fixed to their pins none would turn."""
    clusters = [CLUSTER.format(number=k, x=24 * (k % 2), z=5 * k) for k in range(4)]
    found = lw.recognise(placed(machine_from_text(TWO_PINS + "".join(clusters), "m.toml", "m"), POSES[pose]))
    wanted: Pairs = {("revolute", f"cluster_{k}", "frame") for k in range(4)}
    wanted |= {("gear", f"cluster_{k}", f"cluster_{k + 1}") for k in range(3)}
    assert pairs_of(found) == wanted
    assert mobility(found) == 1
