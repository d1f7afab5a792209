"""Threads that are drawn turn by turn, as people do for printing: screws by their surfaces, with nothing marked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from solid_machines import POSES, pairs_of, placed

import linkwork as lw
from linkwork.model import Machine
from linkwork.recognition import Recognition
from linkwork.recognition.facets import Creased
from linkwork.recognition.helices import helices
from linkwork.recognition.threads import ThreadError
from linkwork.solid import Polyhedron
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Placement
from linkwork.solid.scad import read_scad

TWISTED = """
module rod(d, lead, h, starts = 1) {
  linear_extrude(height = h, twist = -360*h/lead, slices = abs(24*h/lead))
    for (k = [1:starts]) rotate(360*k/starts) translate([0.5, 0]) circle(d = d - 1, $fn = 24);
}
"""
BLOCK_AND_ROD = """
linkwork = 1

[part.block]
fixed = true
solid = '''{twisted}
difference() {{ translate([-10, -10, 0]) cube([20, 20, 5]); {hole} }}'''

[part.spindle]
solid = '''{twisted}
{shaft}
translate([0, 0, 8]) cylinder(d = 16, h = 4, $fn = 6);'''
"""
COILED = """
module coil(inside, outside, pitch, turns, n = 24) {
  steps = n*turns;
  points = [for (i = [0:steps]) let (a = 360*i/n, z = pitch*i/n) for (at = [
    [inside, 0], [inside, 0.8], [outside, 0.5], [outside, 0.3]])
    [at[0]*cos(a), at[0]*sin(a), z + pitch*at[1]]];
  sides = [for (i = [0:steps - 1]) for (k = [0:3]) each [
    [4*i + k, 4*i + 4 + k, 4*i + 4 + (k + 1) % 4], [4*i + k, 4*i + 4 + (k + 1) % 4, 4*i + (k + 1) % 4]]];
  polyhedron(points, concat([[0, 1, 2, 3], [4*steps + 3, 4*steps + 2, 4*steps + 1, 4*steps]], sides));
}
"""


def machine(tmp_path: Path, hole: str, shaft: str, twisted: str = TWISTED) -> Machine:
    file = tmp_path / "screwed.toml"
    file.write_text(BLOCK_AND_ROD.format(twisted=twisted, hole=hole, shaft=shaft), "utf-8")
    return lw.load(file)


def only_screw(found: Recognition) -> float:
    """The pitch of the one pair, which is a screw."""
    assert pairs_of(found) == {("screw", "block", "spindle")}
    (pair,) = found.pairs
    assert pair.pitch is not None
    assert f"{'right' if pair.pitch > 0 else 'left'}-handed" in pair.why
    return pair.pitch


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("lead", "starts"), [(3, 1), (-3, 1), (6, 2)])
def test_threads_drawn_by_a_twist_are_a_screw_of_their_lead(
    lead: int, starts: int, pose: str, tmp_path: Path
) -> None:
    """In a mirror it is one of the other hand, in inches a shorter one; the play is that of crests and roots."""
    hole = f"translate([0, 0, -{abs(lead)}]) rod(8.4, {lead}, 6 + {abs(lead)}, {starts});"
    shaft = f"translate([0, 0, -{abs(lead)}]) rod(8, {lead}, 9 + {abs(lead)}, {starts});"
    place = POSES[pose]
    found = lw.recognise(placed(machine(tmp_path, hole, shaft), place))
    assert only_screw(found) == pytest.approx(lead * place.scale * (-1 if place.is_mirrored else 1))
    assert found.pairs[0].clearance == pytest.approx(0.4 * place.scale, rel=1e-6)


def test_ridges_on_a_neck_and_grooves_in_a_cap_are_a_screw(tmp_path: Path) -> None:
    hole = (
        "translate([0, 0, -1]) cylinder(d = 8.4, h = 10, $fn = 48); translate([0, 0, -3]) coil(4, 5.2, 3, 3);"
    )
    shaft = (
        "translate([0, 0, -2]) cylinder(d = 8, h = 11, $fn = 48); translate([0, 0, -3]) coil(3.8, 5, 3, 3);"
    )
    assert only_screw(lw.recognise(machine(tmp_path, hole, shaft, COILED))) == pytest.approx(3)


def test_a_drawn_thread_in_a_plain_hole_is_a_shaft_as_thick_as_its_crests(tmp_path: Path) -> None:
    hole = "translate([0, 0, -1]) cylinder(d = 8.3, h = 10);"
    collars = "for (z = [-3.5, 5.5]) translate([0, 0, z]) cylinder(d = 12, h = 3);"
    shaft = f"translate([0, 0, -3]) rod(8, 3, 12); {collars}"
    found = lw.recognise(machine(tmp_path, hole, shaft))
    assert pairs_of(found) == {("revolute", "block", "spindle")}
    assert "radius 4)" in found.pairs[0].why


@pytest.mark.parametrize("lead", [4, -3])
def test_threads_of_another_lead_or_hand_do_not_fit(lead: int, tmp_path: Path) -> None:
    given = machine(tmp_path, "translate([0, 0, -1]) rod(8.4, 3, 7);", f"rod(8, {lead}, 9);")
    with pytest.raises(ThreadError, match="do not fit"):
        lw.recognise(given)


def test_a_mesh_tells_axis_and_lead_of_its_thread() -> None:
    """They are as exact as its corners."""
    place = Placement.turn(0.8, (1, 2, -1)).holding(Placement.shift((3, -2, 5)))
    solid = read_scad(TWISTED + "rod(8, 3, 12);").placed(place)
    (mesh,) = (each.solid for each in pieces(solid))
    assert isinstance(mesh, Polyhedron)
    turned = Polyhedron(tuple(place.image(point) for point in mesh.points), mesh.polygons)
    (found,) = helices(turned, Creased.of(turned))
    assert found.lead == pytest.approx(3, rel=1e-9)
    assert abs(np.dot(found.axis, place.way((0.0, 0.0, 1.0)))) == pytest.approx(1, abs=1e-12)
    assert place.local(np.array([found.point]))[0, :2] == pytest.approx([0, 0], abs=1e-9)


def test_helical_gears_and_cylinders_have_no_threads() -> None:
    gears = lw.recognise(lw.load("involute-gears"))
    assert not [
        helix
        for solid in gears.solids.values()
        for each in pieces(solid)
        if isinstance(each.solid, Polyhedron)
        for helix in helices(each.solid, Creased.of(each.solid))
    ]
