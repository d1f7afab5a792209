"""Pins with heads for tools, and parts that cannot move: what screws hold is told as fixed, whatever its name."""

from __future__ import annotations

import pytest
from solid_machines import POSES, pairs_of, placed

import linkwork as lw
from linkwork.model.read import machine_from_text
from linkwork.recognition import Recognition

HEADS = {
    "hexagon socket": "cylinder(d=8.5, h=5); {recess} translate([0, 0, 2]) cylinder(d=4.6, h=9, $fn=6);",
    "slot": "cylinder(d=8.5, h=3); {recess} translate([-9, -0.5, 2]) cube([18, 1, 9]);",
    "cross": "cylinder(d=8.5, h=3); {recess} for (a = [0, 90]) rotate(a) translate([-2, -0.5, 1]) cube([4, 1, 9]);",
    "hexagon": "cylinder(d=9.2, h=4, $fn=6);",
    "square": "translate([-3.5, -3.5, 0]) cube([7, 7, 4]);",
}
BRACKET = """
linkwork = 1
[part.block]
fixed = true
solid = '''difference() {{
  cube([60, 40, 20]);
  for (x = [20, 40]) translate([x, 20, 5]) cylinder(d=5, h=30);
}}'''
[part.angle]
solid = '''difference() {{
  union() {{ translate([10, 10, 20]) cube([40, 20, 4]); translate([10, 26, 20]) cube([40, 4, 30]); }}
  for (x = [20, 40]) translate([x, 20, 0]) cylinder(d={hole}, h=50);
}}'''
"""
AXLE = """
linkwork = 1
[part.fork]
fixed = true
solid = '''difference() {{
  union() {{ cube([60, 40, 5]); for (y = [0, 34]) translate([20, y, 0]) cube([20, 6, 40]); }}
  translate([30, -1, 30]) rotate([-90, 0, 0]) cylinder(d=6, h=50);
}}'''
[part.wheel]
solid = '''translate([30, {side}, 30]) rotate([-90, 0, 0]) difference() {{
  cylinder(d=20, h={width}); translate([0, 0, -1]) cylinder(d=6, h=30);
}}'''
[part.axle]
solid = "translate([30, -4, 30]) rotate([-90, 0, 0]) {{ {head} cylinder(d=6, h=48); }}"
"""


def _found(text: str, pose: str = "") -> Recognition:
    machine = machine_from_text(text, "m.toml", "m")
    return lw.recognise(placed(machine, POSES[pose]) if pose else machine)


def _bracket(head: str, hole: str) -> str:
    solid, _, recess = head.partition("{recess}")
    shank = f"translate([0, 0, -19]) cylinder(d=5, h=19); {solid}"
    whole = f"difference() {{ union() {{ {shank} }} {recess} }}"
    parts = [f"[part.p{x}]\nsolid = '''translate([{x}, 20, 24]) {whole}'''" for x in (20, 40)]
    return "\n".join([BRACKET.format(hole=hole), *parts])


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("hole", ["5", "5.3"])
@pytest.mark.parametrize("head", HEADS)
def test_a_bracket_on_two_screws_is_fixed_whatever_they_are_called(head: str, hole: str, pose: str) -> None:
    found = _found(_bracket(HEADS[head], hole), pose)
    assert pairs_of(found) == set()
    assert len(found.groups) == 1
    assert any("round but for what a tool grips" in weld.why for weld in found.welds)


@pytest.mark.parametrize(("side", "width"), [(7, 26), (6, 28)])
@pytest.mark.parametrize("head", ["cylinder(d=10, h=4, $fn=6);", "cylinder(d=10, h=4);"])
def test_a_wheel_turns_on_an_axle_with_a_hexagon_as_on_one_with_a_collar(
    head: str, side: int, width: int
) -> None:
    found = _found(AXLE.format(head=head, side=side, width=width))
    assert pairs_of(found) == {("revolute", "fork", "wheel")}


@pytest.mark.parametrize(("side", "width"), [(7, 26), (6, 28)])
def test_a_round_wheel_goes_with_the_crank_that_turns_it_and_not_with_the_cheeks_beside_it(
    side: int, width: int
) -> None:
    found = _found(AXLE.format(head="translate([-5, -5, 0]) cube([40, 10, 4]);", side=side, width=width))
    assert pairs_of(found) == {("revolute", "axle", "fork")}


@pytest.mark.parametrize(
    "head",
    [
        "for (a = [0:60:300]) rotate(a) translate([0, -0.7, 0]) cube([5, 1.4, 4]);",  # the leaves of a pinion
        "cylinder(d=40, h=4, $fn=6);",  # a table with six corners
    ],
)
def test_leaves_of_pinions_and_large_hexagons_are_no_heads(head: str) -> None:
    found = _found(AXLE.format(head=head, side=7, width=26))
    assert ("revolute", "axle", "fork") in pairs_of(found)


def test_a_plate_on_two_turning_pins_is_one_with_the_frame() -> None:
    """The pins are seen to turn, having holes across; the plate on both cannot move and is no part of a motion."""
    pin = "difference() {{ translate([{x}, 20, 5]) cylinder(d=5, h=29); translate([0, 20, 30]) {bore} }}"
    bore = "rotate([0, 90, 0]) cylinder(d=2, h=60);"
    pins = [f"[part.p{x}]\nsolid = '''{pin.format(x=x, bore=bore)}'''" for x in (20, 40)]
    found = _found("\n".join([BRACKET.format(hole="5"), *pins]))
    assert ("block", "angle", "angle cannot move, for p20, p40 together hold it") in {
        (*weld.parts, weld.why) for weld in found.welds
    }
    assert all("angle" not in pair.parts for pair in found.pairs)


def test_gears_that_lock_one_another_are_told() -> None:
    """Three wheels that all mesh with one another stand still."""
    post = "rotate(120 * {n}) translate([20 / sqrt(3), 0, 0])"
    wheel = "difference() {{ gear() cylinder(d=20, h=4); translate([0, 0, -1]) cylinder(d=4, h=6); }}"
    posts = "".join(f"{post.format(n=n)} translate([0, 0, -2]) cylinder(d=4, h=10);" for n in range(3))
    parts = [f"[part.g{n}]\nsolid = '''{post.format(n=n)} {wheel.format()}'''" for n in range(3)]
    plate = f"[part.plate]\nfixed = true\nsolid = '''translate([-40, -40, -5]) cube([80, 80, 4]); {posts}'''"
    found = _found("\n".join(["linkwork = 1", plate, *parts]))
    assert found.subsystems[0].locked == ("g0", "g1", "g2")
    assert "g0, g1, g2 cannot move: they hold one another up" in str(found)
