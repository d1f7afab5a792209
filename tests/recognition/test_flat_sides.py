"""Shafts and holes of many flat sides are round ones, in outlines and in meshes; what was taken so is told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from solid_machines import Solids, box, rod

import linkwork as lw
from linkwork.recognition import RecognitionError, Wishes, recognise_solids
from linkwork.recognition.facets import faceted_cylinders
from linkwork.recognition.rounding import as_recognised
from linkwork.solid import Block, Cylinder, Polyhedron, Prism, Solid
from linkwork.solid.mesh import polyhedron_of, solid_mesh
from linkwork.solid.placement import Placement
from linkwork.solid.region import Region
from linkwork.solid.scad import read_scad

POSES = {
    "as drawn": Placement(),
    "turned": Placement.shift((3, -8, 2)).holding(Placement.turn(1.1, (1, 0.4, -0.6))),
    "small and mirrored": Placement.scaling(1e-3).holding(Placement.mirror((1, 2, 0))),
}


def many_sided(sides: int, radius: float, turn: float = 0.0) -> Region:
    """A regular polygon by the circle around it."""
    angles = [turn + math.tau * place / sides for place in range(sides)]
    return Region.polygon([(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles])


def wheel_of_sides(hole: int, shaft: int, gap: float) -> Solids:
    """A wheel on a shaft, both drawn as polygons."""
    plate = box((-6, -6, -3), (6, 6, -1)) | Prism(many_sided(shaft, 1.0, 0.1), 4).moved((0, 0, -1.5))
    return {"plate": plate, "wheel": Cylinder(4, 1) - Prism(many_sided(hole, 1 + gap), 3).moved((0, 0, -1))}


def coarse(solid: Solid) -> Solid:
    """As a mesh with six digits, as files have them."""
    mesh = polyhedron_of(solid_mesh(solid, 0.01))
    points = [tuple(float(f"{value:.6g}") for value in point) for point in mesh.points]
    return Polyhedron(points, mesh.polygons)  # type: ignore[arg-type]


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize(("hole", "shaft"), [(24, 24), (36, 48), (100, 30)])
def test_polygons_of_many_sides_fit_as_round_ones(hole: int, shaft: int, pose: str) -> None:
    solids = {name: solid.placed(POSES[pose]) for name, solid in wheel_of_sides(hole, shaft, 0.02).items()}
    (pair,) = recognise_solids(solids, "plate").pairs
    assert pair.kind == "revolute"
    assert pair.clearance == pytest.approx(0.04 * POSES[pose].scale, rel=1e-6)
    deviation = f"{(1 - math.cos(math.pi / shaft)) * POSES[pose].scale:.3g}"
    assert f"the shaft of plate has {shaft} flat sides, {deviation} from round at most" in pair.why
    assert f"the hole of wheel has {hole} flat sides" in pair.why


def test_few_sides_are_no_circle() -> None:
    with pytest.raises(RecognitionError, match="nothing holds"):
        recognise_solids(wheel_of_sides(23, 20, 0.05), "plate")


def machine_of_two_directions() -> Solids:
    """An upright shaft and a cross hole: no part but the handle is a prism along one axis."""
    frame = box((-20, -10, -6), (20, 10, -3)) | rod(2, (0, 0, -4), 12) | box((12, -4, -5), (15, 4, 10))
    frame -= rod(1, (10, 0, 5), 8, "x")
    wheel = (Cylinder(6, 3) - rod(2.05, (0, 0, -1), 5)) - rod(0.5, (-9, 0, 1.5), 18, "x")
    handle = rod(0.97, (9, 0, 5), 12, "x") | box((20, -3, 4.4), (21, 0.2, 5.6))
    return {"frame": frame, "wheel": wheel, "handle": handle}


@pytest.mark.parametrize("pose", POSES)
def test_meshes_have_the_pairs_of_their_solids(pose: str) -> None:
    exact = {name: solid.placed(POSES[pose]) for name, solid in machine_of_two_directions().items()}
    meshes = {name: coarse(solid).placed(POSES[pose]) for name, solid in machine_of_two_directions().items()}
    wanted, found = (recognise_solids(each, "frame") for each in (exact, meshes))
    assert [(pair.kind, pair.parts) for pair in found.pairs] == [
        (pair.kind, pair.parts) for pair in wanted.pairs
    ]
    for pair, other in zip(found.pairs, wanted.pairs, strict=True):
        assert pair.clearance == pytest.approx(other.clearance, rel=2e-3)
        assert "flat sides" in pair.why


def test_a_tube_stays_a_tube() -> None:
    """What is added to the outside of a mesh does not fill its inside, and the other way round."""
    tube = (Cylinder(5, 6) - rod(3, (0, 0, -1), 8)) | (
        rod(1, (0, 0, 0), 7) | box((-3.5, -0.5, 0), (3.5, 0.5, 1))
    )
    mesh = coarse(tube)
    found, roundings, _ = as_recognised(mesh)
    assert sorted({round(each.radius, 3) for each in roundings}) == [1, 3, 5]
    low, high = tube.box
    points = np.random.default_rng(3).uniform(low, high, (4000, 3))
    near = [np.abs(np.hypot(points[:, 0], points[:, 1]) - radius) < 0.02 for radius in (1, 3, 5)]
    clear = ~np.any(near, axis=0)
    assert (found.contains(points)[clear] == tube.contains(points)[clear]).all()


def test_clashes_of_many_sides_are_those_of_round_ones(tmp_path: str) -> None:
    """Corners of a shaft that turns in a hole of flat sides do not collide with these."""
    text = '''
    linkwork = 1
    [part.frame]
    solid = """
    translate([-6, -6, -3]) cube([12, 12, 2]);
    translate([0, 0, -1.5]) linear_extrude(4) polygon([for (k = [0:29]) [cos(12*k), sin(12*k)]]);
    """
    [part.wheel]
    solid = "linear_extrude(1) difference() { circle(4); polygon([for (k = [0:29]) [cos(12*k), sin(12*k)]]); }"
    '''
    path = f"{tmp_path}/m.toml"
    with open(path, "w") as file:
        file.write(text)
    assert lw.clash(lw.load(path)).clashes == ()


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.1, 2.222])
def test_faces_of_six_digits_leave_a_slide_free(angle: float) -> None:
    """The sides of a die and of its way lean against each other by the last digit, and lock nothing."""
    turned = Placement.shift((41.7, -63.2, 10.1)).holding(Placement.turn(angle, (0.2, 0.1, 1)))
    blocks = [((0, 0, 0), (120, 40, 20)), ((-5, 14, 6), (125, 26, 14)), ((50, 14, 6), (66, 26, 14))]
    frame, way, die = (coarse(box(low, high).placed(turned)) for low, high in blocks)
    (pair,) = recognise_solids({"frame": frame - way, "die": die}, "frame").pairs
    assert (pair.kind, *pair.parts) == ("prismatic", "frame", "die")
    assert pair.axis is not None
    assert abs(np.dot(pair.axis, turned.way((1, 0, 0)))) == pytest.approx(1)


@pytest.mark.parametrize("sides", [32, 64])
def test_the_same_sides_on_shaft_and_hole_do_not_lock_them(sides: int) -> None:
    """In meshes of six digits that lie askew, corners and sides of both lie on one another; they turn all the same."""
    pose = Placement.shift((12.3, -40.1, 33)).holding(Placement.turn(0.44, (0.3, 1, 0.1)))
    plate = box((-6, -6, -3), (6, 6, -1)) | Prism(many_sided(sides, 1.0), 4).moved((0, 0, -1.5))
    wheel = box((-4, -3, 0), (4, 3, 1)) - Prism(many_sided(sides, 1.0), 3).moved((0, 0, -1))
    solids = {name: coarse(solid.placed(pose)) for name, solid in (("plate", plate), ("wheel", wheel))}
    assert [pair.kind for pair in recognise_solids(solids, "plate").pairs] == ["revolute"]


def test_the_play_between_plane_faces_is_told_in_words() -> None:
    """What a pair has as its clearance stands in its reason, as that of shafts does."""
    solids = {
        play: {
            "chest": read_scad(
                "difference() { cube([100, 80, 40]); translate([5, -1, 5]) cube([90, 76, 30]); }"
            ),
            "drawer": read_scad(
                f"translate([{5 + play}, 0, {5 + play}]) cube([{90 - 2 * play}, 70, {30 - 2 * play}]);"
            ),
        }
        for play in (0.0, 0.1)
    }
    (tight,) = recognise_solids(solids[0.0], ground="chest").pairs
    (loose,) = recognise_solids(solids[0.1], ground="chest").pairs
    assert "clearance" not in tight.why
    assert loose.kind == "prismatic"
    assert f"with {loose.clearance:.3g} of clearance" in loose.why


def test_a_hull_of_cylinders_at_different_heights_has_no_axis() -> None:
    """Its flat facets lean with both rims: of the sides of each cylinder less than a turn is left."""
    text = "hull() { cylinder(d = 20, h = 5); translate([380, 20, -20]) cylinder(d = 15, h = 5); }"
    hull = read_scad(text)
    assert isinstance(hull, Polyhedron)
    assert not [*faceted_cylinders(hull)]
    apart = Block((1, 1, 1)).moved((5000, 0, 0))
    assert not recognise_solids({"lever": hull, "post": apart}, "lever", Wishes(free=["post"])).pairs
