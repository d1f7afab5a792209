"""Which parts may touch, and in which plane they move: no more than a person sees, and no less."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from solid_machines import Solids, ball, box, four_bar, gear_train, rack, rod, wheel_on_shaft

from linkwork.recognition import Recognition, RecognitionError, Wishes, recognise_solids
from linkwork.recognition.faces import Faces
from linkwork.recognition.pulls import Pulls
from linkwork.recognition.reach import Surfaces
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.skin import samples_of
from linkwork.solid import Block, Cone, Cylinder, Prism, RoundFace, Solid, Sphere
from linkwork.solid.placement import Placement, triple
from linkwork.solid.region import Region
from linkwork.solid.scad import read_scad

FREE_FALL = (0.0, -9.81, 0.0)


def touching(found: Recognition) -> dict[frozenset[str], set[tuple[str, str]]]:
    return {frozenset(each.parts): {*each.primitives} for each in found.interactions}


def two_wheels(first: Solid, second: Solid, apart: float) -> Solids:
    """Two parts that turn about the axes of z through 0 and through a point of the x-axis."""
    plate = box((-20, -20, -2), (40, 20, -1)) | rod(0.5, (0, 0, -1.5), 3) | rod(0.5, (apart, 0, -1.5), 3)
    bored = [solid - rod(0.5, (0, 0, -1), 3) for solid in (first, second)]
    return {"plate": plate, "first": bored[0], "second": bored[1].moved((apart, 0, 0))}


# ------------------------------------------------------------------------------------- what may touch


def test_links_in_other_layers_do_not_touch() -> None:
    """Holes end exactly where the plates end in which they are."""
    found = touching(recognise_solids(four_bar(), "frame"))
    assert {*found} <= {frozenset(("crank", "rocker"))}


def test_wheels_that_do_not_reach_each_other() -> None:
    assert not touching(recognise_solids(two_wheels(Cylinder(3, 1), Cylinder(4, 1), 7.01), "plate"))


def test_arms_that_reach_each_other() -> None:
    arms = two_wheels(box((-1, -1, 0), (4, 1, 1)), box((-4, -1, 0), (1, 1, 1)), 8.1)
    assert {*touching(recognise_solids(arms, "plate"))} == {frozenset(("first", "second"))}


def test_a_hollow_reaches_no_farther_than_its_piece_of_a_circle() -> None:
    """The whole circle of the hollow would meet the other shaft."""
    hollow = Cylinder(4, 1) - rod(4.5, (7, 0, -1), 3)
    found = touching(recognise_solids(two_wheels(hollow, Cylinder(4, 1), 7), "plate"))
    assert frozenset(("plate", "first")) not in found


def test_a_hole_with_its_shaft_in_it_is_out_of_reach() -> None:
    """A finger of another part sweeps over a wheel's hole, and never meets more of it than the rim of the wheel."""
    wheel = (Cylinder(2, 1).named("rim") - rod(0.5, (0, 0, -1), 3)).named("hole")
    solids = two_wheels(wheel, box((-1, -0.2, 0), (6, 0.2, 1)).named("finger"), 6)
    found = touching(recognise_solids(solids, "plate"))
    assert found[frozenset(("first", "second"))] == {("rim", "finger")}


def test_what_passes_through_a_hole_does_not_strike_its_rim() -> None:
    plate = box((-3, -3, 0), (3, 3, 4)) - box((-1, -1, -1), (1, 1, 5))
    bar = box((-1, -1, -4), (1, 1, 8))
    assert not touching(recognise_solids({"plate": plate, "bar": bar}, "plate"))
    headed = bar | box((-2, -1, 8), (2, 1, 9)).named("head")
    found = touching(recognise_solids({"plate": plate, "bar": headed}, "plate"))
    assert found == {frozenset(("plate", "bar")): {("plate", "head")}}


def test_what_lies_behind_a_wall_is_not_struck() -> None:
    """A bar in a blind hole meets its end, not the far side of the wall behind it."""
    block = box((-3, -3, 0), (3, 3, 10)).named("block") - box((-1, -1, -1), (1, 1, 8)).named("hole")
    found = touching(recognise_solids({"block": block, "bar": box((-1, -1, -4), (1, 1, 5))}, "block"))
    assert found == {frozenset(("block", "bar")): {("hole", "bar")}}


def test_pins_in_a_plug_that_turns_stay_in_their_layers() -> None:
    """They slide across its axis: neither turn nor slide takes them along it."""
    housing = box((-9, -9, 0), (9, 9, 10)) - rod(5, (0, 0, -1), 12)
    plug = Cylinder(5, 10) | rod(6, (0, 0, 10), 1) | rod(6, (0, 0, -1), 1)
    solids = {"housing": housing, "plug": plug}
    for number, height in enumerate((3, 7)):
        solids["plug"] = solids["plug"] - rod(1, (0, -6, height), 12, "y")
        solids[f"pin{number}"] = rod(1, (0, -3, height), 6, "y")
    found = recognise_solids(solids, "housing")
    assert {(pair.kind, *pair.parts) for pair in found.pairs} == {
        ("revolute", "housing", "plug"),
        ("prismatic", "plug", "pin0"),
        ("prismatic", "plug", "pin1"),
    }
    assert frozenset(("pin0", "pin1")) not in touching(found)
    assert frozenset(("housing", "pin0")) in touching(found)


def test_gears_in_mesh_are_not_told_again() -> None:
    assert not touching(recognise_solids(gear_train(), "frame"))
    assert frozenset(("pinion", "rack")) not in touching(recognise_solids(rack(), "frame"))


def test_other_solids_of_gears_in_mesh_may_touch() -> None:
    def wheel(reach: float) -> Solid:
        finger = box((-0.2, 0.6, 0.5), (0.2, reach, 2))
        return Cylinder(3, 1).named("teeth", gear=True) | finger.named("finger")

    assert not touching(recognise_solids(two_wheels(wheel(2.9), wheel(2.9), 6), "plate"))
    found = touching(recognise_solids(two_wheels(wheel(3.2), wheel(3.2), 6), "plate"))
    assert ("finger", "finger") in found[frozenset(("first", "second"))]
    assert ("teeth", "teeth") not in found[frozenset(("first", "second"))]


@pytest.mark.parametrize("tilt", [0.0, 0.3, math.pi / 2])
def test_reach_of_round_faces_is_that_of_their_points(tilt: float) -> None:
    """Distances from an axis and heights along a direction, for pieces of cylinders and cones, in any pose."""
    source = np.random.default_rng(3)
    for _ in range(20):
        first, length = source.uniform(-3, 3), source.uniform(0.2, 2 * math.pi)
        near, far = source.uniform(0.1, 2, 2)
        face = RoundFace(
            triple(source.uniform(-2, 2, 3)),
            (0.0, math.sin(tilt), math.cos(tilt)),
            (1.0, 0.0, 0.0),
            near,
            far,
            (0.0, source.uniform(0.1, 3)),
            (first, length),
        )
        surfaces = Surfaces.of([("part", (np.full(3, -99.0), np.full(3, 99.0)), Faces.of([face]))])
        axis, point = np.array([0.0, 0.0, 1.0]), source.uniform(-2, 2, 3)
        angles = first + np.linspace(0, 1, 400) * length
        shares = np.linspace(0, 1, 60)
        points = Rounds.of([face]).at(angles[None], shares[None])[0].reshape(-1, 3)
        away = np.hypot(*(points - point)[:, :2].T)
        near = 0.03
        assert surfaces.distances(axis, point)[0] == pytest.approx([away.min(), away.max()], abs=near)
        assert surfaces.distances(axis, point)[0, 0] <= away.min() + 1e-9
        assert surfaces.distances(axis, point)[0, 1] >= away.max() - 1e-9
        way = np.array([0.6, 0.0, 0.8])
        assert surfaces.heights(way)[0] == pytest.approx(
            [(points @ way).min(), (points @ way).max()], abs=near
        )


# ------------------------------------------------------------------------------------------ the plane


def test_a_free_part_keeps_to_the_plane_in_which_all_is_its_own_mirror_image() -> None:
    table = box((-9, -1, -3), (9, 0, 3))
    block = box((-1, 0, -2), (1, 4, 2)).turned(0.2).moved((0, 1, 0))
    found = recognise_solids(
        {"table": table, "block": block}, "table", Wishes(free=["block"], pulls=Pulls(FREE_FALL))
    )
    assert found.plane == (0.0, 0.0, 1.0)
    assert [str(each) for each in found.subsystems[0].variables] == ["block.x", "block.y", "block.angle"]


def test_a_free_part_that_is_not_its_own_mirror_image_moves_in_space() -> None:
    table = box((-9, -1, -3), (9, 0, 3))
    wedge = (
        Prism(Region.polygon([(0, 0), (2, 0), (0, 3)]), 4).turned(0.3, (1, 0, 0)).turned(0.2).moved((0, 3, 0))
    )
    found = recognise_solids(
        {"table": table, "wedge": wedge}, "table", Wishes(free=["wedge"], pulls=Pulls(FREE_FALL))
    )
    assert found.plane is None
    assert found.subsystems[0].mobility == len(found.subsystems[0].variables) == 6


@pytest.mark.parametrize(
    ("low", "high", "is_plane"),
    [(-3, 1, True), (1, 2.5, True), (-5, 4, True), (4, 6, True), (2, 5, False)],
    ids=["beside the middle", "farther", "overhanging but held", "beyond the edge", "tipping over the edge"],
)
def test_a_free_block_stays_in_the_plane_wherever_its_middle_is(
    low: float, high: float, is_plane: bool
) -> None:
    """On a table from -3 to 3 a block stays upright if its middle is over the table, or it passes beside it."""
    table = box((-9, -1, -3), (9, 0, 3))
    block = box((-1, 0, low), (1, 4, high)).turned(0.2).moved((0, 1, 0))
    wishes = Wishes(free=["block"], pulls=Pulls(FREE_FALL))
    found = recognise_solids({"table": table, "block": block}, "table", wishes)
    assert (found.plane == (0.0, 0.0, 1.0)) == is_plane
    assert bool(found.in_space) == (not is_plane)


def test_a_file_may_say_that_it_is_plane() -> None:
    table = box((-9, -1, -3), (9, 0, 3))
    block = box((-1, 0, 2), (1, 4, 5)).turned(0.2).moved((0, 1, 0))
    said = Wishes(free=["block"], pulls=Pulls(FREE_FALL), is_flat=True)
    assert recognise_solids({"table": table, "block": block}, "table", said).plane == (0.0, 0.0, 1.0)
    pulled = replace(said, pulls=Pulls((0.0, -5.0, -5.0)))
    with pytest.raises(RecognitionError, match="does not move in a plane") as caught:
        recognise_solids({"table": table, "block": block}, "table", pulled)
    assert "gravity pulls block" in str(caught.value)
    with pytest.raises(RecognitionError, match="is spherical"):
        recognise_solids(ball_arm(20), "stand", Wishes(is_flat=True))


def test_it_is_told_why_a_machine_moves_in_space() -> None:
    assert recognise_solids(ball_arm(20), "stand").in_space == "the pair of stand and arm is spherical"
    plate = box((-9, -9, -2), (9, 9, 0)) | rod(0.5, (0, 0, 0), 3) | box((-8, 5, 0), (-7, 8, 4)).named("post")
    plate |= rod(0.5, (-8, 6.5, 3), 8, "x")
    wheels = {
        "one": Cylinder(2, 1) - rod(0.5, (0, 0, -1), 3),
        "other": (rod(1, (-4, 6.5, 3), 1, "x") - rod(0.5, (-8, 6.5, 3), 8, "x")),
    }
    found = recognise_solids({"plate": plate, **wheels}, "plate")
    assert found.in_space == "the axes of plate and one and of plate and other are not parallel"


def test_gravity_across_a_plane_leaves_no_plane() -> None:
    table = box((-9, -1, -3), (9, 0, 3))
    block = box((-1, 0, -2), (1, 4, 2)).turned(0.2).moved((0, 1, 0))
    wishes = Wishes(free=["block"], pulls=Pulls((0.0, -5.0, -5.0)))
    assert recognise_solids({"table": table, "block": block}, "table", wishes).plane is None


def test_parts_that_float_together_have_the_motions_of_one_and_of_their_joints() -> None:
    """A wheel on a shaft that nothing holds, beside a table."""
    solids = {name: each.moved((0, 8, 0)) for name, each in wheel_on_shaft().items()}
    solids["wheel"] = solids["wheel"] | solids["wheel"].mirrored((0, 0, 1)).moved((0, 0, -3))
    solids["table"] = box((-9, -1, -3), (9, 0, 3))
    found = recognise_solids(solids, "table", Wishes(free=["plate"]))
    assert found.subsystems[0].mobility == len(found.subsystems[0].variables)


# --------------------------------------------------------------------------------- turns about a point


def ball_arm(post: float) -> Solids:
    """An arm of length 10 in a ball joint over a plate, and a post on the plate so far from the ball."""
    stand = (box((-3, -3, -6), (3, 3, 1)) | box((-3, -3, -8), (30, 3, -6))) - ball(2, (0, 0, 0))
    stand |= box((post, -1, -7), (post + 2, 1, 4)).named("post")
    return {"stand": stand, "arm": ball(2, (0, 0, 0)) | rod(0.5, (0, 0, 1), 9).named("stick")}


def test_what_turns_about_a_point_reaches_as_far_as_it_is_long() -> None:
    """The end of the stick is hypot(10, 0.5) from the ball."""
    near, far = (
        touching(recognise_solids(ball_arm(post), "stand"))[frozenset(("stand", "arm"))]
        for post in (9.9, 10.1)
    )
    assert ("post", "stick") in near
    assert ("post", "stick") not in far
    assert ("stand", "stick") in near & far


def test_distances_from_a_point_hold_all_points_of_faces() -> None:
    rng = np.random.default_rng(11)
    torus = read_scad("rotate_extrude() translate([3, 0]) circle(1);")
    for solid in (Block((1, 2, 3)), Cylinder(1, 2), Cone(2, 1, 3), Sphere(1.5), torus):
        for _ in range(20):
            shift, axis = rng.normal(size=(2, 3)).tolist()
            place = Placement.shift(shift).holding(Placement.turn(rng.uniform(0, 6), axis))
            faces = tuple(solid.placed(place).faces())
            centre = 3 * rng.normal(size=3)
            everywhere = (np.full(3, -99.0), np.full(3, 99.0))
            surfaces = Surfaces.of([("a", everywhere, Faces.of([face])) for face in faces])
            for face, (least, most) in zip(faces, surfaces.lengths(centre), strict=True):
                away = np.linalg.norm(samples_of(face)[0] - centre, axis=1)
                assert least <= away.min() + 1e-9, face
                assert most >= away.max() - 1e-9


def test_a_block_on_a_table_keeps_the_axes_of_its_file() -> None:
    """It is mirrored in two upright planes, and may be thrown out of either: the columns are x, y and z of the file."""
    solids = {"table": box((-9, -9, -1), (9, 9, 0)), "block": box((-1, -1, 0), (1, 1, 3))}
    fallen = Wishes(free=["block"], pulls=Pulls((0.0, 0.0, -9.81)))
    assert recognise_solids(solids, "table", fallen).plane is None
    plane = recognise_solids(solids, "table", replace(fallen, is_flat=True)).plane
    assert plane is not None
    assert plane[2] == 0


def test_a_file_may_say_that_its_parts_move_in_space() -> None:
    table = box((-9, -1, -3), (9, 0, 3))
    block = box((-1, 0, -2), (1, 4, 2)).turned(0.2).moved((0, 1, 0))
    said = Wishes(free=["block"], pulls=Pulls(FREE_FALL), is_spatial=True)
    found = recognise_solids({"table": table, "block": block}, "table", said)
    assert found.plane is None
    assert found.in_space == "the file says so"


@pytest.mark.parametrize(("reach", "may"), [(21.0, True), (19.0, False)])
def test_many_faces_that_turn_about_crossing_axes_may_touch(reach: float, may: bool) -> None:
    """A shaft beside a wheel with teeth is told if a finger of the wheel reaches it: it is 19.5 from the wheel's axis.

    Where axes cross nothing is kept that could be compared.
    """
    plate = box((-30, -60, -5), (60, 30, -4)) | rod(3, (0, 0, -4.5), 12)
    bearings = [box((x, -30, -4.5), (x + 4, -20, 8)) for x in (-30, 26)]
    along = Cylinder(4, 80).turned(math.pi / 2, (0, 1, 0)).moved((-40, -25, 3))
    shaft = along | Cylinder(5.5, 40).turned(math.pi / 2, (0, 1, 0)).moved((-20, -25, 3))
    teeth = read_scad(
        "difference() { involute_gear(teeth = 20, modul = 1.5, h = 6); cylinder(d = 6, h = 30, center = true); }"
    )
    frame, wheel = (plate | bearings[0] | bearings[1]) - along, teeth | box((10, -1, 0), (reach, 1, 6))
    found = recognise_solids({"frame": frame, "worm": shaft, "wheel": wheel}, "frame")
    pushed = "prismatic" if may else "revolute"  # nobody asks how a round shaft turns that the finger shifts
    assert sorted(pair.kind for pair in found.pairs) == sorted(("revolute", pushed))
    assert (frozenset(("worm", "wheel")) in touching(found)) == may
