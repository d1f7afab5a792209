"""Pairs found from solids alone: the ones a person would name, in any place, pose, order and size."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solid_machines import (
    ENGINE_PAIRS,
    Solids,
    ball_in_socket,
    box,
    engine,
    four_bar,
    gear_train,
    rack,
    rod,
    slide_in_block,
    slide_in_four_blocks,
    wheel_on_shaft,
)

from linkwork.recognition import Recognition, RecognitionError, Wishes, recognise_solids
from linkwork.recognition.pulls import Pulls
from linkwork.solid import Cone, Cylinder, Placement, Solid, Sphere

Kinds = set[tuple[str, frozenset[str]]]


def kinds(found: Recognition) -> Kinds:
    return {(pair.kind, frozenset(pair.parts)) for pair in found.pairs}


def only(kind: str, *parts: str) -> Kinds:
    return {(kind, frozenset(parts))}


CASES: dict[str, tuple[Callable[[], Solids], str, Kinds]] = {
    "wheel": (wheel_on_shaft, "plate", only("revolute", "plate", "wheel")),
    "wheel with clearance": (lambda: wheel_on_shaft(0.05), "plate", only("revolute", "plate", "wheel")),
    "engine": (engine, "frame", ENGINE_PAIRS),
    "engine at its dead centre": (lambda: engine(0.0), "frame", ENGINE_PAIRS),
    "engine at its other dead centre": (lambda: engine(math.pi), "frame", ENGINE_PAIRS),
    "slide": (slide_in_block, "frame", only("prismatic", "frame", "bar")),
    "slide with play": (lambda: slide_in_block(0.1), "frame", only("prismatic", "frame", "bar")),
    "slide among four blocks": (slide_in_four_blocks, "frame", only("prismatic", "frame", "bar")),
    "ball": (ball_in_socket, "frame", only("spherical", "frame", "arm")),
    "four-bar": (
        four_bar,
        "frame",
        only("revolute", "frame", "crank")
        | only("revolute", "crank", "coupler")
        | only("revolute", "coupler", "rocker")
        | only("revolute", "rocker", "frame"),
    ),
    "gears": (
        gear_train,
        "frame",
        {("revolute", frozenset(("frame", name))) for name in ("first", "idler", "compound", "last")}
        | only("gear", "first", "idler")
        | only("gear", "idler", "compound")
        | only("gear", "compound", "last"),
    ),
    "rack": (
        rack,
        "frame",
        only("revolute", "frame", "pinion")
        | only("prismatic", "frame", "rack")
        | only("rack", "pinion", "rack"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_pairs(case: str) -> None:
    make, ground, wanted = CASES[case]
    found = recognise_solids(make(), ground)
    assert kinds(found) == wanted
    assert all(pair.why for pair in found.pairs)
    assert not found.welds


poses = st.tuples(
    st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(lambda axis: math.hypot(*axis) > 0.1),
    st.floats(-3, 3),
    st.lists(st.floats(-50, 50), min_size=3, max_size=3),
    st.sampled_from((0.001, 0.3, 1.0, 25.4, 1000.0)),
    st.booleans(),
    st.randoms(use_true_random=False),
)


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=4, deadline=None)
@given(pose=poses)
def test_pairs_do_not_depend_on_place_pose_size_hand_order_and_names(case: str, pose: tuple) -> None:  # type: ignore[type-arg]
    make, ground, wanted = CASES[case]
    axis, angle, shift, scale, is_mirrored, source = pose
    place = Placement.shift([scale * each for each in shift]).holding(Placement.turn(angle, axis))
    place = place.holding(Placement.scaling(scale))
    place = place.holding(Placement.mirror((1, 2, 3))) if is_mirrored else place
    solids = list(make().items())
    source.shuffle(solids)
    moved = {f"{name}!": solid.placed(place) for name, solid in solids}
    found = recognise_solids(moved, f"{ground}!")
    assert {
        (kind, frozenset(name.removesuffix("!") for name in parts)) for kind, parts in kinds(found)
    } == wanted
    plain = {frozenset(pair.parts): pair for pair in recognise_solids(make(), ground).pairs}
    for pair in found.pairs:
        like = plain[frozenset(name.removesuffix("!") for name in pair.parts)]
        assert (pair.axis is None) == (like.axis is None)
        if pair.axis is not None and like.axis is not None:
            assert abs(np.array(pair.axis) @ place.direction(like.axis)) == pytest.approx(1, abs=1e-9)


# ------------------------------------------------------------------------------------- what is no pair


def test_a_shaft_in_a_much_wider_hole_is_none() -> None:
    with pytest.raises(RecognitionError, match="nothing holds the part wheel"):
        recognise_solids(wheel_on_shaft(0.3), "plate")


def test_coaxial_parts_that_do_not_touch_are_not_joined() -> None:
    solids = wheel_on_shaft()
    solids["ring"] = (Cylinder(2, 1) - rod(0.5, (0, 0, -1), 3)).moved((0, 0, 6))
    found = recognise_solids(solids, "plate", Wishes(free=["ring"]))
    assert kinds(found) == only("revolute", "plate", "wheel")


def test_two_wheels_on_one_shaft_are_not_joined_to_each_other() -> None:
    solids = wheel_on_shaft()
    solids["second"] = (Cylinder(2, 1) - rod(0.5, (0, 0, -1), 3)).moved((0, 0, 1))
    found = recognise_solids(solids, "plate")
    assert kinds(found) == only("revolute", "plate", "wheel") | only("revolute", "plate", "second")


def test_a_block_that_lies_on_another_is_not_joined() -> None:
    solids = {"table": box((-5, -5, -1), (5, 5, 0)), "block": box((-1, -1, 0), (1, 1, 2))}
    found = recognise_solids(solids, "table", Wishes(free=["block"]))
    assert not found.pairs
    assert [each.parts for each in found.interactions] == [("table", "block")]


@pytest.mark.parametrize("turn", [0.0, 0.21, 1.0, 2.5])
def test_a_shoulder_at_the_corner_of_a_step_is_no_overlap(turn: float) -> None:
    """Points of the shoulder lie on the edge of the step: turned, the last digit says that they are inside it."""
    door = box((0, -10, 0), (40, 10, 10)) - box((-1, -8, 2), (20, 8, 8)) - box((19, -5, 2), (41, 5, 8))
    bolt = box((5, -8, 2), (20, 8, 8)) | box((19, -5, 2), (45, 5, 8))
    solids = {name: each.turned(turn) for name, each in (("door", door), ("bolt", bolt))}
    assert kinds(recognise_solids(solids, "door")) == only("prismatic", "door", "bolt")


@pytest.mark.parametrize("off", [0.0, 0.05, -0.1])
def test_the_play_between_two_faces_is_that_from_one_to_the_other(off: float) -> None:
    """Wherever in its slot a bar is drawn: as the clearance of a shaft is told in diameter."""
    slot = box((0, 0, 0), (40, 20, 20)) - box((-1, 5, 4), (41, 15, 16))
    bar = box((-10, 5.1 + off, 4), (50, 14.9 + off, 16))
    (pair,) = recognise_solids({"frame": slot, "bar": bar}, "frame").pairs
    assert pair.kind == "prismatic"
    assert pair.clearance == pytest.approx(0.2, rel=1e-9)
    assert "with 0.2 of clearance" in pair.why


# --------------------------------------------------------------------------------------- what is fixed


def test_what_is_too_thick_for_its_hole_is_pressed_in() -> None:
    solids = wheel_on_shaft(clearance=-0.02)
    found = recognise_solids(solids, "plate")
    assert not found.pairs
    assert "pressed" in found.welds[0].why


def test_two_pins_hold_a_part_fast() -> None:
    plate = box((-4, -4, -1), (4, 4, 0)) | rod(0.5, (-2, 0, 0), 2) | rod(0.5, (2, 0, 0), 2)
    lid = box((-4, -4, 0), (4, 4, 1)) - rod(0.5, (-2, 0, -1), 3) - rod(0.5, (2, 0, -1), 3)
    found = recognise_solids({"plate": plate, "lid": lid}, "plate")
    assert kinds(found) == only("prismatic", "plate", "lid")


def test_a_loose_pin_is_a_hinge() -> None:
    """A pin through the eyes of two links turns with one of them: the links turn against each other."""
    left = box((-4, -0.5, 0), (0, 0.5, 1)) | Cylinder(0.8, 1)
    right = (box((0, -0.5, 0), (4, 0.5, 1)) | Cylinder(0.8, 1)).moved((0, 0, 1))
    bore = rod(0.3, (0, 0, -1), 4)
    solids = {"left": left - bore, "right": right - bore, "pin": rod(0.3, (0, 0, 0), 2)}
    found = recognise_solids(solids, "left")
    assert [pair.kind for pair in found.pairs] == ["revolute"]
    assert {"pin"} <= {name for weld in found.welds for name in weld.parts}


def test_a_fastener_welds_what_it_goes_through() -> None:
    left = box((-4, -0.5, 0), (0, 0.5, 1)) | Cylinder(0.8, 1)
    right = (box((0, -0.5, 0), (4, 0.5, 1)) | Cylinder(0.8, 1)).moved((0, 0, 1))
    bore = rod(0.3, (0, 0, -1), 4)
    solids = {"left": left - bore, "right": right - bore, "screw": rod(0.3, (0, 0, 0), 2)}
    found = recognise_solids(solids, "left", Wishes(fasteners={"screw": "it is a screw"}))
    assert not found.pairs
    assert len(found.groups) == 1


def test_words_of_the_user_come_first() -> None:
    both = frozenset(("plate", "wheel"))
    assert recognise_solids(wheel_on_shaft(), "plate", Wishes(between={both: "fixed"})).groups == (
        ("plate", "wheel"),
    )
    loose = recognise_solids(wheel_on_shaft(), "plate", Wishes(between={both: "contact"}, free=["wheel"]))
    assert not loose.pairs
    assert loose.interactions


# ------------------------------------------------------------------------------------------- freedoms


def test_gravity_along_the_axis_keeps_the_slide_of_a_wheel_that_nothing_supports() -> None:
    found = recognise_solids(wheel_on_shaft(), "plate", Wishes(pulls=Pulls((0, 0, -9.81))))
    assert kinds(found) == only("cylindrical", "plate", "wheel")


def test_what_stands_still_has_the_largest_volume_not_the_largest_box() -> None:
    """A thin hoop on a shaft of a heavy block."""
    hoop = (rod(30, (0, 0, 0), 1) - rod(29.5, (0, 0, -1), 3)) | box((-29.8, -1, 0), (29.8, 1, 1))
    hoop -= rod(0.5, (0, 0, -1), 3)
    block = box((-9, -9, -15), (9, 9, -1)) | rod(0.5, (0, 0, -2), 4)
    assert recognise_solids({"hoop": hoop, "block": block}).ground == "block"
    assert recognise_solids({"block": block, "hoop": hoop}).ground == "block"


def truss() -> Solids:
    """Two bars on pins of a plate that meet at a third pin: a triangle."""
    plate = box((-3, -3, -2), (13, 9, -1)) | rod(0.5, (0, 0, -1.5), 4) | rod(0.5, (10, 0, -1.5), 4)
    tip = (4.0, 6.0)
    bars = {}
    for name, x, low in (("left", 0.0, 0.0), ("right", 10.0, 1.0)):
        way = (tip[0] - x, tip[1])
        bar = box((-1, -1, low), (math.hypot(*way) + 1, 1, low + 1)).turned(math.atan2(way[1], way[0]))
        bars[name] = bar.moved((x, 0, 0)) - rod(0.5, (x, 0, -1), 4)
    bars["left"] |= rod(0.5, (*tip, 0.5), 2)
    bars["right"] -= rod(0.5, (*tip, 0.0), 4)
    return {"plate": plate, **bars}


def test_bars_of_a_truss_are_fixed() -> None:
    """They cannot turn, and could slide along the pins only, which nothing makes them do."""
    found = recognise_solids(truss(), "plate")
    assert found.pairs == ()
    assert len(found.groups) == 1
    assert all("could slide along their axis" in weld.why for weld in found.welds)


def test_gravity_along_the_pins_of_a_truss_keeps_its_slides() -> None:
    found = recognise_solids(truss(), "plate", Wishes(pulls=Pulls((0, 0, 9.81))))
    assert {pair.kind for pair in found.pairs} == {"prismatic"}


def test_gravity_holds_a_wheel_on_its_seat() -> None:
    solids = wheel_on_shaft()
    solids["plate"] = solids["plate"] | Cylinder(1, 1.5).moved((0, 0, -1.5))
    found = recognise_solids(solids, "plate", Wishes(pulls=Pulls((0, 0, -9.81))))
    assert kinds(found) == only("revolute", "plate", "wheel")


def test_collars_on_both_sides_keep_a_wheel_from_sliding() -> None:
    solids = wheel_on_shaft()
    collars = Cylinder(1, 1).moved((0, 0, -1)) | Cylinder(1, 1).moved((0, 0, 1))
    solids["plate"] = solids["plate"] | collars
    found = recognise_solids(solids, "plate", Wishes(pulls=Pulls((0, 0, -9.81))))
    assert kinds(found) == only("revolute", "plate", "wheel")
    assert "both sides" in found.pairs[0].why


@pytest.mark.parametrize("end", [Sphere(1), Cone(1, 0.4, 1).turned(-math.pi / 2, (1, 0, 0))])
def test_the_turn_of_a_round_pin_is_dropped_whatever_its_ends_are(end: Solid) -> None:
    pin = rod(1, (0, -3, 0), 6, "y") | end.moved((0, 3, 0))
    solids = {"frame": box((-3, -2, -3), (3, 2, 3)) - rod(1, (0, -3, 0), 6, "y"), "pin": pin}
    assert kinds(recognise_solids(solids, "frame", Wishes(pulls=Pulls((0, -9.81, 0))))) == only(
        "prismatic", "frame", "pin"
    )


def test_subsystems_and_their_variables() -> None:
    found = recognise_solids(engine(), "frame")
    assert [(set(each.parts), each.mobility) for each in found.subsystems] == [
        ({"crankshaft", "rod", "piston"}, 1)
    ]
    assert [str(each) for each in found.subsystems[0].variables] == ["crankshaft.angle"]
    train = recognise_solids(gear_train(), "frame")
    assert [each.mobility for each in train.subsystems] == [1]


def test_ratios_of_gears() -> None:
    ratios = {
        frozenset(pair.parts): pair.ratio
        for pair in recognise_solids(gear_train(), "frame").pairs
        if pair.ratio
    }
    assert ratios == {
        frozenset(("first", "idler")): pytest.approx(-2 / 3),
        frozenset(("idler", "compound")): pytest.approx(-3 / 4),
        frozenset(("compound", "last")): pytest.approx(-1 / 5),
    }
