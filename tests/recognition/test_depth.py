"""How deep parts lie in one another, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from linkwork.recognition.body import Body
from linkwork.recognition.faces import faces_of
from linkwork.recognition.overlap import Overlap, Shell, overlap
from linkwork.recognition.skin import skin
from linkwork.recognition.stack import Stack
from linkwork.solid import Placement, Solid
from linkwork.solid.scad import read_scad


def shells(*solids: Solid) -> list[Shell]:
    low = np.min([solid.box[0] for solid in solids], axis=0)
    high = np.max([solid.box[1] for solid in solids], axis=0)
    bodies = [Body("part", solid, 1e-6 * math.dist(low, high)) for solid in solids]
    return [Shell.of(body, skin(body)) for body in bodies]


def deepest(first: str, second: str, moved: Placement | None = None) -> Overlap | None:
    solids = [read_scad(text) for text in (first, second)]
    a, b = shells(*(solid if moved is None else solid.placed(moved) for solid in solids))
    return overlap(a, b, 1e-4 * max(a.body.size, b.body.size))


PLATE_WITH_POST = "translate([-9, -9, -3]) cube([18, 18, 2]); cylinder(d = 2, h = 6, center = true);"

# Two solids, and how deep they lie in one another.
CASES = {
    # In the wheel, from -2 to 1, the wall of the post is deepest halfway.
    "a wheel about a post": (PLATE_WITH_POST, "translate([0, 0, -2]) cylinder(d = 8, h = 3);", 1.5),
    "corners of blocks": ("cube(10);", "translate([9, 8, 7]) cube(10);", 1.0),
    # The side x + y = 15 - sqrt(2) of the turned block is deepest where it is as far from x = 10 as from y = 10.
    "a turned block": (
        "cube(10);",
        "translate([10, 5, 5]) rotate(45) translate([-1, -1, -1]) cube([10, 10, 2]);",
        10 - (15 - math.sqrt(2)) / 2,
    ),
    "cylinders side by side": ("cylinder(r = 5, h = 10);", "translate([8, 0, -20]) cylinder(r = 5, h = 50);", 2.0),
    "cylinders across": (
        "cylinder(r = 5, h = 10);",
        "translate([-20, 0, 14]) rotate([0, 90, 0]) cylinder(r = 5, h = 50);",
        1.0,
    ),
    "a tip in a prism": (
        "linear_extrude(5) polygon([[0, 0], [10, 0], [5, 3]]);",
        "translate([5, 2, -3]) linear_extrude(20) polygon([[0, 0], [4, 9], [-4, 9]]);",
        5 / math.hypot(3, 5),
    ),
    # The face of the plate is deepest in the rod on its axis.
    "a rod through a plate": ("cube([100, 90, 1]);", "translate([50.3, 40, -4]) cylinder(r = 2, h = 20);", 2.0),
    "a shaft beside its hole": (
        "difference() { cube([20, 20, 4]); translate([10, 10, -1]) cylinder(r = 5, h = 9); }",
        "translate([10.7, 10, -3]) cylinder(r = 4.9, h = 20);",
        0.6,
    ),
    # At (c, c), c from both outer sides, a face of the block is sqrt(2) (4 - c) from the inner edge of the angle.
    "a block in an angle": (
        "cube([10, 4, 30]); cube([4, 10, 30]);",
        "translate([-9, -9, 10]) cube([12, 12, 2]);",
        4 * math.sqrt(2) / (1 + math.sqrt(2)),
    ),
    "a ball on a block": ("cube(10);", "translate([5, 5, 13]) sphere(r = 4);", 1.0),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_depths_are_those_of_closed_forms(case: str) -> None:
    first, second, depth = CASES[case]
    found = deepest(first, second)
    assert found is not None
    assert found.depth == pytest.approx(depth, rel=1e-3)


@pytest.mark.parametrize("case", CASES)
def test_the_order_of_parts_and_where_both_stand_make_no_difference(case: str) -> None:
    first, second, depth = CASES[case]
    found = deepest(second, first, Placement.turn(0.7, axis=(1, 2, 3), about=(4, -5, 6)))
    assert found is not None
    assert found.depth == pytest.approx(depth, rel=1e-3)


def test_the_deepest_place_is_told() -> None:
    found = deepest(*CASES["a tip in a prism"][:2])
    assert found is not None
    assert found.at[:2] == pytest.approx((5, 2), abs=1e-3)


def test_parts_that_touch_are_not_in_one_another() -> None:
    assert deepest("cube(10);", "translate([10, 3, 3]) cube(10);") is None


def test_distances_in_a_stack_are_those_from_outside() -> None:
    """Of very many points outside of a stepped part, the nearest is as far as the stack says, or a little farther."""
    solid = read_scad(
        "difference() { union() { cube([8, 6, 2]); translate([1, 1, 0]) cube([3, 3, 5]); }"
        " translate([6, 3, -1]) cylinder(r = 1, h = 9); }"
    )
    (shell,) = shells(solid)
    assert shell.stack is not None
    random = np.random.default_rng(3)
    low, high = solid.box
    points = random.uniform(low, high, (400, 3))
    points = points[solid.contains(points)]
    points = points[shell.stack.depths(points) > 0]
    assert len(points) > 100
    spread = random.uniform(low, high, (300_000, 3))
    outside = spread[~solid.contains(spread)]
    for point, depth in zip(points, shell.stack.depths(points), strict=True):
        beyond = np.concatenate([point - low, high - point]).min()
        nearest = min(np.linalg.norm(outside - point, axis=1).min(), beyond)
        assert depth - 1e-9 <= nearest <= depth + 0.3


def test_a_ball_is_no_stack() -> None:
    solid = read_scad("sphere(3);")
    assert Stack.of(solid, faces_of(solid)) is None


# Solids that are drawn twice, and about how deep their middles are.
TWICE = {
    "a cube": ("cube(5);", 2.5),
    "a ball": ("sphere(3);", 3.0),
    "a ring": ("difference() { cylinder(d=14, h=4); translate([0, 0, -1]) cylinder(d=4, h=9); }", 2.0),
    "one of two pieces": ("cube(4);", 2.0),
}


@pytest.mark.parametrize("name", TWICE)
@pytest.mark.parametrize("aslant", [None, Placement.turn(0.7, (1, 2, 3))])
def test_parts_in_the_same_place_are_in_one_another(name: str, aslant: Placement | None) -> None:
    """No skin is inside the other then; the middle of both is, to the width of a cell of a twentieth."""
    text, depth = TWICE[name]
    other = f"{text} translate([9, 0, 0]) cube(2);" if name == "one of two pieces" else text
    found = deepest(text, other, aslant)
    assert found is not None
    assert depth * 0.8 <= found.depth <= depth * (1 + 1e-6)


def test_flush_neighbours_are_not_in_one_another() -> None:
    assert deepest("cube(5);", "translate([5, 0, 0]) cube(5);") is None
    assert (
        deepest("difference() { cube(9, center=true); cube(5, center=true); }", "cube(5, center=true);")
        is None
    )
