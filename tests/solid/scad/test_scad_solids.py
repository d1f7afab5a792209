"""The solids of shapes: what they are made of, and their volumes in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scad_points import halton

from linkwork.solid import (
    Block,
    Cone,
    Cylinder,
    Difference,
    Named,
    Placed,
    Polyhedron,
    Prism,
    Shell,
    Solid,
    Sphere,
    Union,
    mass_properties,
)
from linkwork.solid.scad import read_scad

PI = math.pi
CORNERS = "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]"
ROUNDED = 24 + 2 * 26 + PI * 9 + 4 / 3 * PI
"""A box of 4, 3 and 2 with a ball of radius 1 rolled around it (Steiner's formula)."""
BORED = 128 * PI - 8 * PI**2
"""A ring with a torus inside it."""

Point = NDArray[np.float64]


def exact(text: str) -> Solid:
    """A solid of which nothing is told to be inexact."""
    notes: list[str] = []
    solid = read_scad(text, tell=notes.append)
    assert notes == []
    return solid


def simple(solid: Solid) -> Solid:
    """The simple solid that stands somewhere."""
    return solid.solid if isinstance(solid, Placed) else solid


def same_points(one: Solid, other: Solid, count: int = 300) -> None:
    """Points of the box lie in both solids or in neither."""
    low, high = (np.array(each) for each in one.box)
    np.testing.assert_allclose(
        np.array(other.box), np.array([low, high]), atol=1e-9 * float(np.abs(high).max())
    )
    points = low - 0.02 * (high - low) + halton(count) * (high - low) * 1.04
    np.testing.assert_array_equal(one.contains(points), other.contains(points))


# ------------------------------------------------------------------------------------------ kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("cube([1, 2, 3]);", Block),
        ("cylinder(r = 1, h = 2);", Cylinder),
        ("cylinder(r1 = 1, r2 = 0, h = 2);", Cone),
        ("sphere(2);", Sphere),
        ("cylinder(r = 1, h = 2, $fn = 6);", Prism),
        ("cylinder(r1 = 1, r2 = 2, h = 2, $fn = 6);", Polyhedron),
        ("sphere(2, $fn = 8);", Polyhedron),
        ("linear_extrude(2) square(3);", Prism),
        ("linear_extrude(2) circle(3);", Cylinder),
        ("linear_extrude(2, scale = 0.5) circle(3);", Cone),
        ("linear_extrude(2, twist = 90) circle(3);", Cylinder),
        ("linear_extrude(2, scale = 0.5) square(3);", Polyhedron),
        ("rotate_extrude() square(3);", Cylinder),
        ("rotate_extrude() polygon([[0, 0], [3, 0], [0, 4]]);", Cone),
        ("rotate_extrude() intersection() { circle(2); translate([0, -5]) square(10); }", Sphere),
        ("rotate_extrude() translate([3, 0]) square(1);", Difference),
        ("rotate_extrude() translate([3, 0]) circle(1);", Shell),
        ("scale(3) sphere(1);", Sphere),
        ("scale([2, 2, 5]) cylinder(r = 1, h = 1);", Cylinder),
        ("scale([1, 2, 3]) cube(1);", Block),
        ("mirror([1, 0, 0]) cube(1);", Block),
        ("multmatrix([[1, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]) cube(1);", Polyhedron),
        ("hull() { cylinder(r = 1, h = 2); translate([5, 0, 0]) cylinder(r = 2, h = 2); }", Prism),
        ("hull() { cube(1); translate([3, 3, 3]) cube(1); }", Polyhedron),
        ("hull() { cylinder(r = 1, h = 1); translate([0, 0, 4]) cylinder(r = 3, h = 1); }", Union),
        ("hull() { sphere(1); translate([5, 5, 5]) sphere(1); }", Union),
        ("minkowski() { cube(3); cylinder(r = 1, h = 1); }", Prism),
        ("minkowski() { cube(3); cube(1); }", Prism),
        ("resize([4, 4, 4]) sphere(1);", Sphere),
        ("label(\"pin\") gear() color(\"red\") cylinder(r = 1, h = 1);", Named),
        ("union() { cube(1); union() { cube(2); cube(3); } }", Union),
    ],
)  # fmt: skip
def test_kinds(text: str, kind: type[Solid]) -> None:
    """Round things are round, straight ones straight, and nothing is approximate without a word."""
    assert isinstance(simple(exact(text)), kind)


def test_unions_are_not_nested() -> None:
    """Groups, loops and unions inside one another give one union."""
    solid = exact("for (i = [0:2]) group() { cube(i + 1); union() { cube(9); sphere(i + 1); } }")
    assert isinstance(solid, Union)
    assert len(solid.solids) == 9


def test_differences_of_differences_are_one() -> None:
    """What is taken away in several steps is taken away at once."""
    solid = exact("difference() { difference() { cube(9); cube(1); } cube(2); sphere(1); }")
    assert isinstance(solid, Difference)
    assert len(solid.others) == 3


def test_marks() -> None:
    """Marks that do not contradict each other are one; threads and screws are labels."""
    assert exact('label("pin") gear() color("red") cube(1);') == Block((1, 1, 1)).named(
        "pin", gear=True, colour="#ff0000"
    )
    assert exact('label("a") label("b") cube(1);') == Block((1, 1, 1)).named("b").named("a")
    assert exact("thread(1.25) cube(1);") == Block((1, 1, 1)).named(thread=1.25)
    assert exact("screw() cube(1);") == Block((1, 1, 1)).named("screw")
    assert exact("color([0, 0.5, 1]) cube(1);") == Block((1, 1, 1)).named(colour="#0080ff")
    assert exact('color("#f00") cube(1);') == exact('color("Red", 0.4) cube(1);')


# ---------------------------------------------------------------------------------------- volumes


@pytest.mark.parametrize(
    ("text", "volume"),
    [
        ("cube([2, 3, 4], center = true);", 24),
        ("cylinder(h = 3, d = 4, center = true);", 12 * PI),
        ("cylinder(h = 3, r1 = 2, r2 = 1);", 7 * PI),
        ("sphere(d = 2);", 4 / 3 * PI),
        ("cylinder(h = 2, r = 1, $fn = 4);", 4),
        ("cylinder(h = 3, r1 = 2, r2 = 0, $fn = 4);", 8),
        ("sphere(1, $fn = 4);", 2 * 2 * math.cos(PI / 4) * math.sin(PI / 4) ** 2),
        ("linear_extrude(3) polygon([[0, 0], [4, 0], [0, 4], [1, 1], [2, 1], [1, 2]], [[0, 1, 2], [3, 4, 5]]);", 22.5),
        ("linear_extrude(6, scale = 0.5) square(2);", 14),
        ("linear_extrude(6, scale = 0) square(2, center = true);", 8),
        ("linear_extrude(6, scale = 0) difference() { circle(3); circle(1); }", 16 * PI),
        ("linear_extrude(2, scale = [2, 1]) square(2, center = true);", 12),
        ("rotate_extrude() translate([3, 0]) circle(1);", 6 * PI**2),
        ("rotate_extrude(angle = 90) translate([3, 0]) circle(1);", 1.5 * PI**2),
        ("rotate_extrude(angle = -270) translate([3, 0]) square(2);", 0.75 * PI * 32),
        ("rotate_extrude() translate([-5, 0]) square(2);", 32 * PI),
        ("rotate_extrude() polygon([[1, 0], [4, 0], [4, 1], [2, 1], [2, 2], [4, 2], [4, 3], [1, 3]]);", 33 * PI),
        ("rotate_extrude() polygon([[0, 0], [5, 0], [5, 4], [3, 4], [3, 2], [2, 2], [2, 4], [0, 4]]);", 90 * PI),
        ("rotate_extrude() difference() { translate([2, 0]) square(4); translate([3, 1]) square(1); }", 121 * PI),
        ("rotate_extrude() difference() { translate([2, 0]) square(4); translate([4, 2]) circle(1); }", BORED),
        ("hull() { cylinder(r = 1, h = 2); translate([4, 0, 0]) cylinder(r = 1, h = 2); }", 2 * (PI + 8)),
        ("hull() { sphere(1); translate([0, 0, 5]) sphere(1); }", 4 / 3 * PI + 5 * PI),
        ("hull() for (x = [0, 4], y = [0, 3], z = [0, 2]) translate([x, y, z]) sphere(1);", ROUNDED),
        ("hull() for (x = [0, 4], y = [0, 3]) translate([x, y, 0]) sphere(1);", 24 + PI * 7 + 4 / 3 * PI),
        ("hull() { cube(1); translate([0, 0, 1]) cube([3, 1, 1]); }", 5),
        ("hull() { cylinder(r = 2, h = 1); translate([0, 0, 1]) cylinder(r1 = 2, r2 = 0, h = 3); }", 8 * PI),
        ("minkowski() { cube([4, 3, 2]); sphere(1); }", ROUNDED),
        ("minkowski() { cube([4, 3, 2]); cylinder(r = 1, h = 1); }", 3 * (12 + 14 + PI)),
        ("minkowski() { cube([4, 3, 2]); cube([1, 2, 3]); }", 5 * 5 * 5),
        ("minkowski() { cylinder(r = 3, h = 2); sphere(1); }", 18 * PI + 30 * PI + 2 * PI + 3 * PI**2 + 4 / 3 * PI),
        ("linear_extrude(1) minkowski() { square([4, 3]); circle(1); }", 26 + PI),
        ("linear_extrude(2) projection() { translate([0, 0, 5]) cube([4, 3, 2]); cube([1, 9, 1]); }", 36),
        ("linear_extrude(2) projection() rotate([0, 30, 0]) cube([4, 3, 2]);", 6 * (4 * math.cos(PI / 6) + 1)),
        ("linear_extrude(2) offset(1) projection() translate([9, 9, 9]) sphere(3);", 32 * PI),
        ("linear_extrude(2) projection(cut = true) translate([5, 5, 1]) sphere(3);", 16 * PI),
        ("linear_extrude(2) projection(cut = true) rotate([0, 90, 0]) cylinder(r = 3, h = 5);", 60),
        ("linear_extrude(1) difference() { square(9); projection() difference() { cube(4); cylinder(r = 1, h = 9); } }",
         65 + PI / 4),
        ("linear_extrude(1) minkowski() { difference() { square(6); translate([2, 2]) square(2); } square(1); }", 48),
        ("linear_extrude(1) offset(r = 1) square([4, 3]);", 26 + PI),
        ("linear_extrude(1) offset(r = -1) square([4, 3]);", 2),
        ("linear_extrude(1) offset(delta = 1) square([4, 3]);", 30),
        ("linear_extrude(1) offset(delta = 1, chamfer = true) square([4, 3]);", 30 - 4 * (2 - math.sqrt(2)) ** 2 / 2),
        ("linear_extrude(1) offset(delta = -1) difference() { square(10); translate([4, 4]) square(2); }", 64 - 16),
        ("linear_extrude(1) resize([8, 0], auto = true) square([4, 3]);", 48),
        ("resize([8, 0, 0], auto = [true, true, false]) cube([4, 3, 2]);", 8 * 6 * 2),
        ("scale([2, 3, 1]) cylinder(r = 1, h = 1, $fn = 4);", 12),
        ("mirror([1, 1, 0]) translate([1, 2, 3]) cylinder(r1 = 1, r2 = 2, h = 3);", 7 * PI),
        ("intersection_for(a = [0, 90]) rotate(a) translate([-5, -1, 0]) cube([10, 2, 1]);", 4),
        (f"polyhedron({CORNERS}, [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]);", 1 / 6),
        (f"polyhedron({CORNERS}, [[2, 1, 0], [1, 3, 0], [2, 3, 1], [0, 3, 2]]);", 1 / 6),
    ],
)  # fmt: skip
def test_volumes(text: str, volume: float) -> None:
    """Volumes in closed form, of solids of which nothing is told to be inexact."""
    found = mass_properties(exact(text))
    assert found.volume == pytest.approx(volume, rel=max(1e-9, 3 * found.error))


@pytest.mark.parametrize(
    ("text", "volume", "note"),
    [
        ("scale([1, 2, 3]) sphere(1);", 8 * PI, "flat facets"),
        ("scale([1, 2, 3]) cylinder(r = 1, h = 1);", 6 * PI, "arcs stand for ellipses"),
        ("scale([1, 2, 3]) cylinder(r1 = 1, r2 = 0, h = 1);", 2 * PI, "flat facets"),
        ("multmatrix([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0]]) cylinder(r = 1, h = 1);", PI, "flat facets"),
        ("linear_extrude(4, twist = 90) square([2, 1]);", 8, "a twist"),
        ("linear_extrude(4, scale = 2) translate([5, 0]) circle(1);", 28 / 3 * PI, "flat facets"),
        (
            "hull() { sphere(1); translate([9, 0, 0]) rotate([90, 0, 0]) cylinder(r = 1, h = 1); }",
            0,
            "flat facets",
        ),
        ("linear_extrude(3) scale([1, 2]) circle(1);", 6 * PI, "arcs stand for ellipses"),
        ("rotate_extrude($fn = 72) translate([3, 0]) circle(1);", 6 * PI**2, ""),
        ("rotate_extrude($fn = 20) translate([3, 0]) circle(1, $fn = 99);", 0, "flat facets"),
        (
            "rotate_extrude() intersection() { translate([1, 0]) circle(2); translate([0, -9]) square(18); }",
            0,
            "cones",
        ),
    ],
)
def test_what_is_not_exact_is_told(text: str, volume: float, note: str) -> None:
    """Curved surfaces without a form of their own are made of facets, and that is told with the place."""
    notes: list[str] = []
    solid = read_scad(text, name="a.scad", tell=notes.append)
    assert [each.startswith("NOTE: a.scad:1:") and note in each for each in notes] == ([True] if note else [])
    if volume:
        assert mass_properties(solid).volume == pytest.approx(volume, rel=4e-3)


SHAPES = [
    "cube([1, 2, 3]);",
    "cylinder(h = 3, r1 = 2, r2 = 1);",
    "sphere(2);",
    "sphere(2, $fn = 7);",
    "cylinder(h = 3, r = 2, $fn = 5);",
    "linear_extrude(3) difference() { circle(3); translate([1, 0]) square(1); }",
    "linear_extrude(3, twist = 40, slices = 4) translate([1, 0]) square(2);",
    "rotate_extrude(angle = 100) translate([2, 0]) square([1, 3]);",
    "rotate_extrude(angle = -100) translate([2, 0]) circle(1);",
    "rotate_extrude($fn = 5) translate([2, 0]) square([1, 3]);",
    "hull() { cylinder(r = 1, h = 1); translate([3, 1, 0]) cylinder(r = 2, h = 1); }",
    "minkowski() { cube([1, 2, 3]); sphere(1); }",
    "resize([4, 0, 0]) cube([1, 2, 3]);",
    "difference() { cube(4); translate([1, 1, 1]) sphere(2); rotate([20, 30, 40]) cylinder(h = 9, r = 1); }",
    "involute_gear(teeth = 12, modul = 1, h = 2);",
]


@given(
    st.sampled_from(SHAPES),
    st.tuples(*[st.integers(-180, 180)] * 3),
    st.tuples(*[st.integers(-5, 5)] * 3),
    st.sampled_from(["", "mirror([1, 2, 3])", "scale(2.5)", "scale(-1)"]),
)
def test_shapes_may_stand_anywhere(
    shape: str, angles: tuple[int, int, int], shift: tuple[int, int, int], more: str
) -> None:
    """A shape turned, shifted, mirrored and scaled has the points of the shape, turned, shifted and so on."""
    whole = read_scad(f"translate({[*shift]}) rotate({[*angles]}) {more} {shape}")
    plain = read_scad(shape)
    frame = np.array(
        [simple_place(f"translate({[*shift]}) rotate({[*angles]}) {more}", corner) for corner in np.eye(3)]
    )
    origin = simple_place(f"translate({[*shift]}) rotate({[*angles]}) {more}", np.zeros(3))
    low, high = plain.box
    points = low - 0.02 * (high - low) + halton(200) * (high - low) * 1.04
    np.testing.assert_array_equal(whole.contains(origin + points @ (frame - origin)), plain.contains(points))


def simple_place(
    changes: str, point: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Where changes carry a point: the middle of the box of a ball there."""
    low, high = read_scad(f"{changes} translate({point.tolist()}) sphere(1);").box
    return np.array((low + high) / 2)
