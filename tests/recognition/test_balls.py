"""Balls in sockets with a gap: in their middle, resting in them, or drawn out of them on the open side."""

from __future__ import annotations

import pytest
from solid_machines import POSES, pairs_of, placed

import linkwork as lw
from linkwork.model.read import machine_from_text
from linkwork.solid.placement import triple

JOINT = """
linkwork = 1
[part.base]
fixed = true
solid = "difference() {{ translate([-10, -10, -10]) cube([20, 20, {height}]); sphere(r={socket}); }}"
[part.stick]
solid = "translate({at}) {{ sphere(r=6); cylinder(d=4, h=30); }}"
"""
SPLIT = """
linkwork = 1
[part.lower]
fixed = true
solid = "difference() { translate([-10, -10, -10]) cube([20, 20, 10]); sphere(r=6.15); }"
[part.upper]
solid = "difference() { translate([-10, -10, 0]) cube([20, 20, 5]); sphere(r=6.15); }"
[part.rod]
solid = "translate([0.1, 0, -0.05]) { sphere(r=6); cylinder(d=4, h=30); }"
[joint]
"lower/upper" = "fixed"
"""
FLAP = """
linkwork = 1
[part.frame]
fixed = true
solid = '''
difference() {{ translate([-20, -10, -5]) cube([40, 20, 20]); translate([-12, -20, -1]) cube([24, 40, 50]); }}
for (s = [-1, 1]) translate([s * 12, 0, 8]) sphere(r=2.5);
'''
[part.flap]
solid = '''difference() {{
  translate([-11.7, -4, 3]) cube([23.4, 8, 40]);
  for (s = [-1, 1]) translate([s * {at}, 0, 8]) sphere(r={socket});
}}'''
"""
ON_A_PIP = """
linkwork = 1
[part.base]
fixed = true
solid = "translate([-20, -20, -5]) cube([40, 40, 5]); intersection() {{ sphere(r=3); cylinder(r=5, h=9); }}"
[part.lever]
solid = "difference() {{ translate([-30, -4, 1]) cube([60, 8, 6]); translate([0, 0, {at}]) sphere(r=3.2); }}"
"""


def in_pose(text: str, pose: str) -> lw.Recognition:
    """What is found in a machine that is given as text."""
    return lw.recognise(placed(machine_from_text(text, "m.toml", "m"), POSES[pose]))


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("at", [[0, 0, 0], [0, 0, -0.2], [0.1, 0.05, 0]])
@pytest.mark.parametrize("height", [10, 14])
def test_a_ball_with_clearance_turns_about_its_middle_wherever_it_lies(
    height: int, at: list[float], pose: str
) -> None:
    found = in_pose(JOINT.format(height=height, at=at, socket=6.2), pose)
    assert pairs_of(found) == {("spherical", "base", "stick")}
    (pair,) = found.pairs
    assert pair.clearance == pytest.approx(0.4 * POSES[pose].scale)
    assert pair.point == pytest.approx(POSES[pose].image(triple(at)))


def test_both_halves_of_a_socket_hold_the_ball_about_one_point() -> None:
    found = in_pose(SPLIT, "as drawn")
    assert pairs_of(found) == {("spherical", "lower", "rod")}
    assert found.pairs[0].point == pytest.approx((0.1, 0, -0.05))


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("at", "socket"), [(12, 2.75), (11.7, 2.5), (11.6, 2.8)])
def test_a_flap_turns_between_two_pips_in_dimples_that_need_not_be_concentric(
    at: float, socket: float, pose: str
) -> None:
    """Its dimples are drawn about its own faces, the pips about those of the frame: it slid between them."""
    found = in_pose(FLAP.format(at=at, socket=socket), pose)
    assert pairs_of(found) == {("revolute", "flap", "frame")}
    assert found.pairs[0].clearance > 0.2 * POSES[pose].scale


@pytest.mark.parametrize("at", [0, -0.2])
def test_a_lever_lies_on_a_pip_in_a_shallow_dimple_that_is_wider(at: float) -> None:
    found = in_pose(ON_A_PIP.format(at=at), "as drawn")
    assert pairs_of(found) == {("spherical", "base", "lever")}
    assert found.pairs[0].why.endswith("it lies there, and nothing lifts it off")


def test_a_ball_that_is_drawn_into_its_socket_does_not_fit_it() -> None:
    with pytest.raises(lw.LinkworkError, match="overlap"):
        in_pose(JOINT.format(height=14, at=[0, 0, -0.5], socket=6.2), "as drawn")
