"""Freedoms that the surfaces of parts leave and nothing ever uses: no part slides that nothing can push."""

from __future__ import annotations

import pytest
from solid_machines import POSES, pairs_of, placed

import linkwork as lw
from linkwork.model.read import machine_from_text

YOKE = """
linkwork = 1
{head}
[part.frame]
fixed = true
solid = '''
translate([-60, -40, -10]) cube([120, 80, 4]);
translate([0, 0, -7]) cylinder(d=8, h=7);
for (s = [-1, 1]) translate([-60, s*30 - 5, -6]) cube([120, 10, 16]);
'''
[part.crank]
solid = '''
difference() {{ translate([0, 0, -5]) cylinder(d=46, h=5); translate([0, 0, -6]) cylinder(d=8, h=7); }}
translate([16, 0, -1]) cylinder(d=6, h=9);
'''
{rest}
"""
PIN_IN_SLOT = """
[part.yoke]
solid = '''
difference() { translate([7, -24.8, 1]) cube([18, 49.6, 5]); translate([12.9, -21, 0]) cube([6.2, 42, 8]); }
translate([25, -3, 1]) cube([60, 6, 5]);
'''
"""
BLOCK_IN_SLOT = """
[part.die]
solid = "difference() { translate([11, -6, 1]) cube([10, 12, 5]); translate([16, 0, -1]) cylinder(d=6, h=9); }"
[part.yoke]
solid = '''
difference() { translate([5, -25, 1]) cube([22, 50, 5]); translate([11, -21, 0]) cube([10, 42, 8]); }
translate([25, -3, 1]) cube([60, 6, 5]);
'''
"""
CASTER = """
linkwork = 1
[part.plate]
fixed = true
solid = "difference() {{ translate([-30, -30, 50]) cube([60, 60, 5]); translate([0, 0, 49]) cylinder(d=10, h=9); }}"
[part.fork]
solid = '''
translate([0, 0, 40]) cylinder(d=10, h=20); translate([0, 0, 60]) cylinder(d=16, h=3);
translate([-8, -14, 44]) cube([30, 22, 6]); translate([12, -14, 10]) cube([10, 6, 38]);
translate([17, -14, 17]) rotate([-90, 0, 0]) cylinder(d=6, h=28);
'''
[part.wheel]
solid = '''
translate([17, {at}, 17]) rotate([-90, 0, 0])
  difference() {{ cylinder(r=16, h=14); translate([0, 0, -1]) cylinder(d=6.2, h=20); }}
'''
"""


def found_in(text: str, pose: str = "as drawn") -> lw.Recognition:
    """What is found in a machine that is given as text."""
    return lw.recognise(placed(machine_from_text(text, "m.toml", "m"), POSES[pose]))


@pytest.mark.parametrize("pose", POSES)
def test_a_yoke_between_rails_without_a_floor_slides_along_them(pose: str) -> None:
    found = found_in(YOKE.format(head="", rest=PIN_IN_SLOT), pose)
    assert pairs_of(found) == {("revolute", "crank", "frame"), ("prismatic", "frame", "yoke")}
    assert found.plane is not None
    assert found.pairs[1].why.endswith(
        "what moves it keeps it from leaning, and nothing ever pushes it out of its plane"
    )


@pytest.mark.parametrize("pose", POSES)
def test_so_does_one_whose_slot_has_a_block_in_it(pose: str) -> None:
    found = found_in(YOKE.format(head="", rest=BLOCK_IN_SLOT), pose)
    assert pairs_of(found) == {
        ("revolute", "crank", "frame"),
        ("revolute", "crank", "die"),
        ("prismatic", "frame", "yoke"),
        ("prismatic", "die", "yoke"),
    }
    assert [each.mobility for each in found.subsystems] == [1]


def test_gravity_along_the_pin_lets_a_yoke_fall_out_of_its_rails() -> None:
    found = found_in(YOKE.format(head="gravity = [0, 0, -9.81]", rest=PIN_IN_SLOT))
    assert ("planar", "frame", "yoke") in pairs_of(found)


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("at", "kind"), [(-7.5, "revolute"), (-6, "revolute"), (4, "cylindrical")])
def test_a_caster_throws_its_wheel_off_a_plain_axle_only_if_it_stands_aside(
    at: float, kind: str, pose: str
) -> None:
    """Where it is beside the axis of the fork it is thrown across its axle, and friction holds it there."""
    found = found_in(CASTER.format(at=at), pose)
    assert pairs_of(found) == {("revolute", "fork", "plate"), (kind, "fork", "wheel")}
