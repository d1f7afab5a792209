"""Balls in grooves hold rings and carriages: bearings are hinges, guides are slides."""

from __future__ import annotations

import pytest
from solid_machines import Solids

from linkwork.recognition import RecognitionError, recognise_solids
from linkwork.solid.placement import Placement
from linkwork.solid.scad import read_scad

POSES = {
    "as drawn": Placement(),
    "turned": Placement.shift((3, -8, 2)).holding(Placement.turn(1.1, (1, 0.4, -0.6))),
    "in inches and mirrored": Placement.scaling(1 / 25.4).holding(Placement.mirror((1, 2, 0.3))),
}


def placed(solids: Solids, pose: str) -> Solids:
    return {name: solid.placed(POSES[pose]) for name, solid in solids.items()}


def bearing(groove: float = 3.0, balls: int = 8, *, cage: bool = False) -> Solids:
    """Two rings with a groove each, and balls of radius 3 between them."""
    tube = f"rotate_extrude() translate([15, 0]) circle({groove});"
    ring = "difference() {{ cylinder(r={0}, h=8, center=true); cylinder(r={1}, h=9, center=true); {2} }}"
    texts = {"outer": ring.format(22, 16, tube), "inner": ring.format(14, 8, tube)}
    for place in range(balls):
        texts[f"ball{place}"] = f"rotate([0, 0, {360 * place / balls}]) translate([15, 0, 0]) sphere(3);"
    if cage:
        bores = f"for (k = [0 : {balls - 1}]) rotate([0, 0, 360*k/{balls}]) rotate([0, 90, 0]) cylinder(r=3.1, h=20);"
        texts["cage"] = ring.format(15.5, 14.5, bores)
    return {name: read_scad(text) for name, text in texts.items()}


@pytest.mark.parametrize("groove", [3.0, 3.12])
@pytest.mark.parametrize("pose", POSES)
def test_a_ball_bearing_is_a_hinge_of_its_rings(pose: str, groove: float) -> None:
    found = recognise_solids(placed(bearing(groove), pose), "outer")
    (pair,) = found.pairs
    assert (pair.kind, pair.parts) == ("revolute", ("outer", "inner"))
    assert pair.point == pytest.approx(POSES[pose].image((0, 0, 0)), abs=1e-9)
    assert "8 balls" in pair.why
    assert "between outer and inner" in pair.why
    assert pair.clearance == pytest.approx(2 * (groove - 3) * POSES[pose].scale, abs=1e-9)
    assert [weld.parts for weld in found.welds] == [("outer", f"ball{place}") for place in range(8)]
    assert found.interactions == ()


def test_a_cage_goes_with_its_balls() -> None:
    found = recognise_solids(bearing(cage=True), "outer")
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("revolute", ("outer", "inner"))]
    assert "8 balls (radius 3) run in grooves between outer and inner" in found.pairs[0].why
    assert ("cage" in {part for weld in found.welds for part in weld.parts}) is True


def test_one_ball_holds_no_ring() -> None:
    """A ring on one ball may tilt and shift: that is no pair, and the ring is told to be loose."""
    with pytest.raises(RecognitionError, match="nothing holds"):
        recognise_solids(bearing(balls=1), "outer")


@pytest.mark.parametrize("pose", POSES)
def test_balls_in_straight_grooves_are_a_slide(pose: str) -> None:
    """A carriage on four balls in two grooves, held down by a rail between its legs."""
    grooves = "for (y = [-8, 8]) translate([-30, y, 0]) rotate([0, 90, 0]) cylinder(r=2, h=60);"
    texts = {
        "rail": f"difference() {{ translate([-30, -7.5, -6]) cube([60, 15, 12]); {grooves} }}",
        "carriage": f"""difference() {{
            translate([-10, -14, -5]) cube([20, 28, 14]);
            translate([-11, -8.5, -20]) cube([22, 17, 27]);
            {grooves}
        }}""",
    }
    for place, (x, y) in enumerate([(-6, -8), (6, -8), (-6, 8), (6, 8)]):
        texts[f"ball{place}"] = f"translate([{x}, {y}, 0]) sphere(2);"
    solids = {name: read_scad(text) for name, text in texts.items()}
    found = recognise_solids(placed(solids, pose), "rail")
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [("prismatic", ("rail", "carriage"))]
    assert "4 balls" in found.pairs[0].why
