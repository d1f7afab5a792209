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


# ------------------------------------------------------------------------------- yokes on round rods

ROUND_RODS = """
linkwork = 1
{head}
[part.base]
fixed = true
solid = '''
translate([-90, -40, -12]) cube([180, 80, 4]);
translate([0, 0, -9]) cylinder(d=10, h=9);
for (x = [-70, 60]) difference() {{
  translate([x, -8, -9]) cube([10, 16, 25]);
  translate([x - 1, 0, 10]) rotate([0, 90, 0]) cylinder(d=6, h=12);
}}
'''
[part.disc]
solid = '''
difference() {{ translate([0, 0, -6]) cylinder(d=60, h=8); translate([0, 0, -9]) cylinder(d=10, h=20); }}
translate([14, 17, 1]) cylinder(d=6, h=14);
'''
[part.yoke]
solid = '''
translate([14, 0, 0]) {{
  difference() {{
    translate([-7, -34, 7]) cube([14, 68, 6]);
    hull() for (y = [-{slot}, 28]) translate([0, y, 0]) cylinder(d=6.2, h=50);
  }}
  for (x = [-100, 6.5]) translate([x, 0, 10]) rotate([0, 90, 0]) cylinder(d=6, h=93.5);
  {more}
}}
'''
density = 1
"""
TURNS_ASIDE = "translate([-7, 20, 13]) cube([14, 14, 20]);"


@pytest.mark.parametrize("pose", POSES)
def test_a_yoke_on_round_rods_does_not_turn_on_them(pose: str) -> None:
    """The sides of its slot are across the rods: the pin pushes along these only, and stays in the slot."""
    found = found_in(ROUND_RODS.format(head="", slot=28, more=""), pose)
    assert pairs_of(found) == {("revolute", "base", "disc"), ("prismatic", "base", "yoke")}
    assert found.plane is not None


@pytest.mark.parametrize(
    ("gravity", "more", "kind"),
    [
        ("[0, 0, -9.81]", "", "prismatic"),
        ("[0, 0, -9.81]", TURNS_ASIDE, "cylindrical"),
        ("[9.81, 0, 0]", TURNS_ASIDE, "prismatic"),
    ],
)
def test_weight_beside_its_rods_turns_a_yoke(gravity: str, more: str, kind: str) -> None:
    found = found_in(ROUND_RODS.format(head=f"gravity = {gravity}", slot=28, more=more))
    assert (kind, "base", "yoke") in pairs_of(found)


def test_a_pin_that_leaves_a_short_slot_may_meet_the_rods_of_the_yoke() -> None:
    """Where it stays in its slot it meets nothing else, and the disc is pushed off its axle by nothing."""
    found = found_in(ROUND_RODS.format(head="", slot=10, more=""))
    assert ("cylindrical", "base", "disc") in pairs_of(found)


# ------------------------------------------------------------------------------------ what is thrown

DIFFERENTIAL = """
linkwork = 1
[part.housing]
fixed = true
solid = '''
for (s = [-1, 1]) difference() {{
  translate([70*s - 6, -30, -50]) cube([12, 60, 80]);
  translate([-100, 0, 0]) rotate([0, 90, 0]) cylinder(d=20, h=200);
}}
translate([-76, -40, -54]) cube([152, 80, 6]);
'''
[part.cage]
solid = '''
difference() {{
  union() {{
    rotate([0, 90, 0]) cylinder(d=80, h=84, center=true);
    for (x = [-80, 40]) translate([x, 0, 0]) rotate([0, 90, 0]) cylinder(d=20, h=40);
  }}
  difference() {{
    rotate([0, 90, 0]) cylinder(d=70, h=68, center=true);
    for (a = [0, 180]) rotate([a, 0, 0]) translate([0, {seat}, 0]) rotate([-90, 0, 0]) cylinder(d=26, h=20);
  }}
  translate([-100, 0, 0]) rotate([0, 90, 0]) cylinder(d=12, h=200);
}}
rotate([90, 0, 0]) cylinder(d=8, h=78, center=true);
'''
[part.pinion]
solid = '''
difference() {{
  rotate([-90, 0, 0]) {{
    translate([0, 0, 20]) cylinder(d=24, h=9);
    translate([0, 0, 10]) cylinder(r1=10, r2=20, h=10);
  }}
  rotate([90, 0, 0]) cylinder(d=8, h=80, center=true);
}}
'''
"""


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("seat", "kind"), [(29, "revolute"), (33, "cylindrical")])
def test_what_lies_on_a_seat_outside_is_not_thrown_outwards(seat: float, kind: str, pose: str) -> None:
    """The pinion of a differential goes round with its cage: it stays where a seat holds it."""
    found = found_in(DIFFERENTIAL.format(seat=seat), pose)
    assert pairs_of(found) == {("revolute", "cage", "housing"), (kind, "cage", "pinion")}


CARDAN = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
module bearing(x) difference() {{
  translate([x, -20, -60]) cube([20, 40, 80]);
  translate([x - 1, 0, 0]) rotate([0, 90, 0]) cylinder(d=10, h=30);
}}
bearing(-70);
translate([100*cos({lean}), 0, 100*sin({lean})]) bearing(50);
translate([-70, -40, -60]) cube([{length}, 21, 10]);
'''
[part.first]
solid = "{yokes} yoke(1); shaft(-75, 60, -49.9, -75);"
[part.front_cross]
solid = "{yokes} cross();"
[part.tube]
solid = '''{yokes} rotate([0, -{lean}, 0]) rotate([90, 0, 0]) {{
  yoke(-1);
  difference() {{ bar(15, 45, 22); bar(18, 70, 12); teeth(18, 50); }}
}}'''
[part.spline]
solid = '''{yokes} rotate([0, -{lean}, 0]) rotate([90, 0, 0]) {{
  translate([100, 0, 0]) yoke(1); bar(30, 56, 12); teeth(30, 30);
}}'''
[part.rear_cross]
solid = "{yokes} translate([100*cos({lean}), 0, 100*sin({lean})]) cross();"
[part.last]
solid = "{yokes} translate([100*cos({lean}), 0, 100*sin({lean})]) {{ yoke(-1); shaft(15, 60, 45, 70.1); }}"
"""
YOKES = """
module bar(x, h, d) translate([x, 0, 0]) rotate([0, 90, 0]) cylinder(d=d, h=h);
module shaft(x, h, a, b) { bar(x, h, 10); bar(a, 4.9, 16); bar(b, 4.9, 16); }
module teeth(x, h) for (k = [0:5]) rotate([60*k, 0, 0]) translate([x, -1.5, 0]) cube([h, 3, 9]);
module yoke(s) difference() {
  union() {
    for (y = [-17, 9]) translate([s > 0 ? -12 : -6, y, -6]) cube([18, 8, 12]);
    translate([s > 0 ? -16 : 12, -17, -6]) cube([4, 34, 12]);
  }
  rotate([90, 0, 0]) cylinder(d=6, h=99, center=true);
}
module cross() {
  rotate([90, 0, 0]) cylinder(d=6, h=34, center=true);
  rotate([0, -20, 0]) cylinder(d=6, h=34, center=true);
  sphere(d=11);
}
"""


def test_a_shaft_between_two_universal_joints_turns_about_its_own_middle() -> None:
    """So it is thrown nowhere, and does not slide along the crosses; its spline has nothing to do."""
    yokes = YOKES.replace("\n", " ").replace('"', "'")
    found = found_in(CARDAN.format(yokes=yokes, lean=20, length=250))
    assert pairs_of(found) == {
        ("revolute", "first", "frame"),
        ("revolute", "first", "front_cross"),
        ("revolute", "front_cross", "tube"),
        ("prismatic", "spline", "tube"),
        ("revolute", "rear_cross", "spline"),
        ("revolute", "last", "rear_cross"),
        ("revolute", "frame", "last"),
    }
    assert [each.mobility for each in found.subsystems] == [1]
