"""Drawings of textbooks against closed forms, rigid clusters, and what only a simultaneous solution reaches."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from drawing_residuals import residuals
from drawings import Built, built, drawn, fitted
from linkwork import Machine
from linkwork.mechanics import derive
from linkwork.model.constraint import (
    Angle,
    Constraint,
    Distance,
    Equal,
    Fixed,
    Horizontal,
    Midpoint,
    On,
    Parallel,
    Perpendicular,
    Tangent,
)
from linkwork.model.drawing import Circle, Drawing
from linkwork.sketch.construct import Construction, construct

EXACT = 1e-9


def checked(drawing: Drawing, values: Mapping[str, float]) -> Built:
    """The drawing constructed; every constraint of it holds."""
    found = built(construct(drawing, dict(values)), values)
    off = residuals(drawing, found, values)
    assert {name: each for name, each in off.items() if not each < EXACT} == {}
    return found


def triangle(points: Mapping[str, object], more: Mapping[str, Constraint], **rest: object) -> Drawing:
    """A triangle ABC, its base AB along the x-axis, with more."""
    sides = {"c": ("A", "B"), "b": ("C", "A"), "a": ("B", "C")}
    given = {name: Distance(pair, name) for name, pair in sides.items()}
    places = {"A": (0, 0), "B": (4, 0), "C": (1, 3), **points}
    return drawn(points=places, constraints={**given, **more}, **rest)


SIDES = {"a": 4.2, "b": 3.3, "c": 4.0}


def corner(a: float, b: float, c: float) -> complex:
    """C above the base AB."""
    x = (b**2 + c**2 - a**2) / (2 * c)
    return complex(x, math.sqrt(b**2 - x**2))


# --------------------------------------------------------------------------------------------- triangles


def test_triangle_by_three_sides() -> None:
    """The law of cosines."""
    found = checked(triangle({}, {}), SIDES)
    assert found.points["C"] == pytest.approx(corner(**SIDES), abs=EXACT)


def test_triangle_by_two_sides_and_the_angle() -> None:
    """C at the end of the second side."""
    drawing = drawn(
        points={"A": (0, 0), "B": (4, 0), "C": (1, 3)},
        lines={"base": ("A", "B")},
        constraints={
            "c": Distance(("A", "B"), "c"),
            "b": Distance(("A", "C"), "b"),
            "alpha": Angle(("B", "A", "C"), "alpha"),
        },
    )
    found = checked(drawing, {"c": 4.0, "b": 3.0, "alpha": 1.1})
    assert found.points["C"] == pytest.approx(cmath.rect(3.0, 1.1), abs=EXACT)


def test_triangle_by_a_side_and_two_angles() -> None:
    """The law of sines."""
    drawing = drawn(
        points={"A": (0, 0), "B": (4, 0), "C": (1, 3)},
        lines={"base": ("A", "B")},
        constraints={
            "c": Distance(("A", "B"), "c"),
            "alpha": Angle(("B", "A", "C"), "alpha"),
            "beta": Angle(("C", "B", "A"), "beta"),
        },
    )
    found = checked(drawing, {"c": 4.0, "alpha": 1.1, "beta": 0.7})
    side = 4.0 * math.sin(0.7) / math.sin(math.pi - 1.8)
    assert found.points["C"] == pytest.approx(cmath.rect(side, 1.1), abs=EXACT)


def test_circumcircle() -> None:
    """A circle through three points has the radius abc/4K."""
    drawing = triangle({"M": (2, 1)}, {}, circles={"K": Circle("M", through=("A", "B", "C"))})
    found = checked(drawing, SIDES)
    a, b, c = SIDES.values()
    area = corner(a, b, c).imag * c / 2
    assert found.radii["K"] == pytest.approx(a * b * c / (4 * area), abs=EXACT)


def test_circumcircle_of_a_triangle_with_sides() -> None:
    """As above where the base is a line, and so the x-axis."""
    drawing = triangle(
        {"M": (2, 1)}, {}, lines={"base": ("A", "B")}, circles={"K": Circle("M", through=("A", "B", "C"))}
    )
    found = checked(drawing, SIDES)
    a, b, c = SIDES.values()
    area = corner(a, b, c).imag * c / 2
    assert found.radii["K"] == pytest.approx(a * b * c / (4 * area), abs=EXACT)


def test_incircle() -> None:
    """A circle that touches three sides has the radius 2K/(a + b + c)."""
    drawing = triangle(
        {"I": (1.7, 1.1)},
        {f"touch_{side}": Tangent((side, "K")) for side in ("AB", "BC", "CA")},
        lines={"AB": ("A", "B"), "BC": ("B", "C"), "CA": ("C", "A")},
        circles={"K": Circle("I")},
    )
    found = checked(drawing, SIDES)
    a, b, c = SIDES.values()
    assert found.radii["K"] == pytest.approx(corner(a, b, c).imag * c / (a + b + c), abs=EXACT)


def test_orthocentre() -> None:
    """Two altitudes meet where H = A + B + C − 2·circumcentre; the third says nothing new."""
    altitudes = {"hA": ("A", "a_"), "hB": ("B", "b_"), "hC": ("C", "c_")}
    lines = {"a_": ("B", "C"), "b_": ("C", "A"), "c_": ("A", "B")}
    for count in (2, 3):
        chosen = dict([*altitudes.items()][:count])
        drawing = triangle(
            {"H": (1, 1)},
            {
                **{f"right_{name}": Perpendicular((name, side)) for name, (_, side) in chosen.items()},
                **{f"on_{name}": On(("H", name)) for name in chosen},
            },
            lines={**lines, **{name: (corner_,) for name, (corner_, _) in chosen.items()}},
            axis="c_",
        )
        found = checked(drawing, SIDES)
        top = corner(**SIDES)
        centre = 2.0 + 1j * (abs(top) ** 2 - 4.0 * top.real) / (2 * top.imag)
        assert found.points["H"] == pytest.approx(4.0 + top - 2 * centre, abs=EXACT)


def test_medians_meet_in_one_point() -> None:
    """Three medians through the centroid: the third incidence is implied, and nothing is over-constrained."""
    drawing = triangle(
        {"D": (2.5, 1.5), "E": (0.5, 1.5), "F": (2, 0), "S": (1.7, 1)},
        {
            "D": Midpoint(("D", "B", "C")),
            "E": Midpoint(("E", "C", "A")),
            "F": Midpoint(("F", "A", "B")),
            **{f"on_{name}": On(("S", name)) for name in ("mA", "mB", "mC")},
        },
        lines={"mA": ("A", "D"), "mB": ("B", "E"), "mC": ("C", "F")},
    )
    found = checked(drawing, SIDES)
    assert abs(found.points["S"] - found.points["A"]) == pytest.approx(
        abs(4.0 + corner(**SIDES)) / 3, abs=EXACT
    )
    assert abs(found.points["S"] - found.points["B"]) == pytest.approx(
        abs(corner(**SIDES) - 8) / 3, abs=EXACT
    )


# ------------------------------------------------------------------------------------ circles and lines


def test_apollonius() -> None:
    """A circle of given radius outside a first and around a second circle."""
    drawing = drawn(
        points={"A": (0, 0), "B": (5, 0), "P": (3, 3)},
        lines={"AB": ("A", "B")},
        circles={"K": Circle("A", "r"), "L": Circle("B", "s"), "N": Circle("P", "t")},
        constraints={
            "AB": Distance(("A", "B"), "d"),
            "outside": Tangent(("K", "N")),
            "around": Tangent(("N", "L"), inside=True),
        },
    )
    values = {"d": 5.0, "r": 1.0, "s": 0.5, "t": 3.5}
    found = checked(drawing, values)
    assert found.points["P"] == pytest.approx(corner(3.0, 4.5, 5.0), abs=EXACT)


def test_common_tangent() -> None:
    """The outer tangent of two circles is turned by asin((r − s)/d) against the line of centres."""
    drawing = drawn(
        points={"A": (0, 0), "B": (5, 0), "T": (0, 2), "U": (5, 1)},
        lines={"AB": ("A", "B"), "t": ("T", "U"), "p": ("A", "T"), "q": ("B", "U")},
        circles={"K": Circle("A", "r", ("T",)), "L": Circle("B", "s", ("U",))},
        constraints={
            "d": Distance(("A", "B"), "d"),
            "touch": Tangent(("t", "K")),
            "touch_too": Tangent(("t", "L")),
        },
    )
    values = {"d": 5.0, "r": 2.0, "s": 1.0}
    found = checked(drawing, values)
    assert found.ways["t"] == pytest.approx(cmath.rect(1, -math.asin(1 / 5)), abs=EXACT)


def test_common_tangent_without_feet() -> None:
    """The same tangent where the points that it touches at are not drawn: the picture shows it by two others."""
    drawing = drawn(
        points={"A": (0, 0), "B": (5, 0), "T": (-1, 2.2), "U": (6, 0.8)},
        lines={"AB": ("A", "B"), "t": ("T", "U")},
        circles={"K": Circle("A", "r"), "L": Circle("B", "s")},
        constraints={
            "d": Distance(("A", "B"), "d"),
            "touch": Tangent(("t", "K")),
            "touch_too": Tangent(("t", "L")),
            "AT": Distance(("A", "T"), "e"),
            "BU": Distance(("B", "U"), "f"),
        },
    )
    found = checked(drawing, {"d": 5.0, "r": 2.0, "s": 1.0, "e": 2.4, "f": 1.3})
    assert found.ways["t"] == pytest.approx(cmath.rect(1, -math.asin(1 / 5)), abs=EXACT)


def test_regular_pentagon() -> None:
    """Five equal sides and two right kinds of angles: the diagonal is φ times the side."""
    names = "ABCDE"
    places = {name: cmath.rect(1, 2 * math.pi * place / 5) for place, name in enumerate(names)}
    drawing = drawn(
        points={name: (at.real, at.imag) for name, at in places.items()},
        constraints={
            "side": Distance(("A", "B"), "s"),
            "BC": Equal(("B", "C", "A", "B")),
            "CD": Equal(("C", "D", "A", "B")),
            "DE": Equal(("D", "E", "A", "B")),
            "EA": Equal(("E", "A", "A", "B")),
            "at_B": Angle(("C", "B", "A"), "108 deg"),
            "at_C": Angle(("D", "C", "B"), "108 deg"),
        },
    )
    found = checked(drawing, {"s": 1.3})
    golden = (1 + math.sqrt(5)) / 2
    for first, second in (("A", "C"), ("B", "D"), ("C", "E"), ("D", "A"), ("E", "B")):
        assert abs(found.points[first] - found.points[second]) == pytest.approx(1.3 * golden, abs=EXACT)


def test_pappus() -> None:
    """Pappus: X, Y, Z are on one line. To say so is no dimension too many."""
    first, second = {"A": 1.0, "B": 2.3, "C": 3.6}, {"D": 1.2, "E": 2.0, "F": 4.1}
    places: dict[str, complex] = {"O": 0j}
    places |= {name: complex(at) for name, at in first.items()}
    places |= {name: at * cmath.rect(1, 0.6) for name, at in second.items()}

    def meet(p: str, q: str, r: str, s: str) -> complex:
        a, b, c, d = (places[name] for name in (p, q, r, s))
        u, v = b - a, d - c
        return a + u * (((c - a).conjugate() * v).imag / (u.conjugate() * v).imag)

    crossings = {"X": "AEBD", "Y": "AFCD", "Z": "BFCE"}
    places |= {name: meet(*ends) for name, ends in crossings.items()}
    lines: dict[str, Sequence[str]] = {"g": ("O", "A", "B", "C"), "h": ("O", "D", "E", "F")}
    for name, ends in crossings.items():
        p, q, r, s = tuple(ends)
        lines |= {p + q: (p, q, name), r + s: (r, s, name)}
    lines["pappus"] = ("X", "Y", "Z")
    values = {f"d{name}": at for name, at in (first | second).items()} | {"e": 0.6}
    drawing = drawn(
        points={name: (at.real, at.imag) for name, at in places.items()},
        lines=lines,
        constraints={
            "e": Angle(("g", "h"), "e"),
            **{f"d{name}": Distance(("O", name), f"d{name}") for name in first | second},
        },
    )
    found = checked(drawing, values)
    assert fitted(found.points, places)[2] < EXACT


def test_trilateration() -> None:
    """A place by its distances from two known ones."""
    drawing = drawn(
        points={"A": (1, 2), "B": (6, 3), "P": (3, 5)},
        constraints={
            "A": Fixed(("A",), (1, 2)),
            "B": Fixed(("B",), (6, 3)),
            "p": Distance(("A", "P"), "p"),
            "q": Distance(("B", "P"), "q"),
        },
    )
    values = {"p": abs(3 + 5j - (1 + 2j)), "q": abs(3 + 5j - (6 + 3j))}
    assert checked(drawing, values).points["P"] == pytest.approx(3 + 5j, abs=EXACT)


# ---------------------------------------------------------------------------------------------- branches


def test_a_tangent_that_heads_away() -> None:
    """A line past a point, whose second point is on the far side, is where the picture has it."""
    drawing = drawn(
        points={"A": (0, 0), "B": (4, 0), "P": (-2, 1)},
        lines={"X": ("A", "B"), "L": ("A", "P")},
        constraints={
            "base": Distance(("A", "B"), "b"),
            "past": Distance(("B", "L"), "h"),
            "reach": Distance(("A", "P"), "p"),
        },
    )
    found = checked(drawing, {"b": 4.0, "h": 4 / math.sqrt(5), "p": math.sqrt(5)})
    assert found.points["P"] == pytest.approx(-2 + 1j, abs=EXACT)


def test_a_line_is_directed_by_its_first_two_points() -> None:
    """Also where another of its points is known before them."""
    drawing = drawn(
        points={"Q": (0, 0), "B": (3, 0), "A": (1, 0)},
        lines={"L": ("A", "B")},
        constraints={
            "QB": Distance(("Q", "B"), "p"),
            "on": On(("Q", "L")),
            "AB": Distance(("A", "B"), "q"),
        },
    )
    found = checked(drawing, {"p": 3.0, "q": 2.0})
    assert abs(found.points["A"] - found.points["Q"]) == pytest.approx(1.0, abs=EXACT)


def test_a_point_to_the_left() -> None:
    """A point level with another is on the side where the picture has it."""
    drawing = drawn(
        points={"A": (0, 0), "B": (-2, 0)},
        constraints={"level": Horizontal(("A", "B")), "far": Distance(("A", "B"), "d")},
    )
    assert checked(drawing, {"d": 2.0}).points["B"] == pytest.approx(-2.0, abs=EXACT)


# -------------------------------------------------------------------------------------------- frameworks

PRISM = {"A": 0j, "B": 2 + 0j, "C": 0.7 + 1.5j, "D": 5 + 1j, "E": 6.5 + 1.7j, "F": 5.2 + 2.9j}
PRISM_BARS = ("AB", "BC", "CA", "DE", "EF", "FD", "AD", "BE", "CF")


def framework(
    places: Mapping[str, complex], bars: Sequence[tuple[str, str]]
) -> tuple[Drawing, dict[str, float]]:
    """Points and bars, with the lengths measured."""
    values = {f"l{a}{b}": abs(places[a] - places[b]) for a, b in bars}
    drawing = drawn(
        points={name: (at.real, at.imag) for name, at in places.items()},
        constraints={f"bar_{a}{b}": Distance((a, b), f"l{a}{b}") for a, b in bars},
    )
    return drawing, values


def made(places: Mapping[str, complex], bars: Sequence[tuple[str, str]]) -> Construction:
    """A framework constructed, its points where they were measured."""
    drawing, values = framework(places, bars)
    construction = construct(drawing, values)
    found = built(construction, values)
    assert max(residuals(drawing, found, values).values()) < EXACT
    assert fitted(found.points, places)[2] < EXACT
    return construction


def test_prism() -> None:
    """Two triangles joined by three bars (Desargues' framework, the end of a 3-RR platform): a block, or clusters."""
    made(PRISM, [(bar[0], bar[1]) for bar in PRISM_BARS])


THREE = {
    "A": 0j,
    "B": 4 + 0j,
    "C": 1 + 3j,
    "D": 2 - 2j,
    "D2": 3 - 1.3j,
    "E": 4 + 2.5j,
    "E2": 3.2 + 3.3j,
    "F": -2 + 2j,
    "F2": -1 + 0.5j,
}


def body(first: str, second: str, *inner: str) -> list[tuple[str, str]]:
    """The bars of a rigid body between two pins whose distance is not given."""
    one, other = inner
    return [(first, one), (one, other), (first, other), (one, second), (other, second)]


def test_three_bodies_pinned_in_a_triangle() -> None:
    """Three rigid bodies, each pair with a pin in common, are rigid; the distances of the pins follow."""
    bars = [*body("A", "B", "D", "D2"), *body("B", "C", "E", "E2"), *body("C", "A", "F", "F2")]
    assert not made(THREE, bars).simultaneous


@pytest.mark.parametrize("seed", range(4))
def test_complete_bipartite_framework(seed: int) -> None:
    """K₃,₃ with nine lengths: no sequence reaches it (Bolker & Roth 1980), and the result says so."""
    random = np.random.default_rng(seed)
    sides = {"A1": 0j, "A2": 3 + 0.4j, "A3": 5.5 - 0.3j, "B1": 0.5 + 3j, "B2": 2.7 + 2.4j, "B3": 4.6 + 3.6j}
    places = {name: at + complex(*random.uniform(-0.3, 0.3, 2)) for name, at in sides.items()}
    bars = [(a, b) for a in ("A1", "A2", "A3") for b in ("B1", "B2", "B3")]
    construction = made(places, bars)
    assert [len(each) for each in construction.simultaneous] == [8]
    assert "at once" in construction.words


@pytest.mark.parametrize("dimension", ["lA1B1", "lA2B3", "lA3B3"])
def test_slopes_through_a_block(dimension: str) -> None:
    """Derivatives of a point of K₃,₃ by a length equal central differences of the solved block."""
    sides = {"A1": 0j, "A2": 3 + 0.4j, "A3": 5.5 - 0.3j, "B1": 0.5 + 3j, "B2": 2.7 + 2.4j, "B3": 4.6 + 3.6j}
    drawing, values = framework(sides, [(a, b) for a in ("A1", "A2", "A3") for b in ("B1", "B2", "B3")])
    machine = Machine.of("bipartite", dict(values), drawing=drawing)
    table = derive(machine, quantity="A2x,B3y", by=dimension).table
    h = 1e-5
    after, here, before = (table.evaluate({**values, dimension: values[dimension] + d}) for d in (h, 0, -h))
    for name in ("A2x", "B3y"):
        assert here[f"{name}_by_{dimension}"] == pytest.approx(
            (after[name] - before[name]) / (2 * h), abs=1e-6
        )


def test_three_hundred_points() -> None:
    """A strip of 300 points is constructed, each point from two others."""
    names = [f"P{place}" for place in range(300)]
    places = {name: complex(place / 2, place % 2) for place, name in enumerate(names)}
    bars = [(names[p], names[p + q]) for q in (1, 2) for p in range(300 - q)]
    construction = made(places, bars)
    assert len(construction.steps) == 300
    assert not construction.simultaneous


@pytest.mark.parametrize("height", [0.5, -0.5])
def test_a_parallel_is_on_the_side_that_the_picture_has_it(height: float) -> None:
    """The guide of an offset slider-crank has one named point: above or below the shaft, as its slider is drawn."""
    drawing = drawn(
        points={"O": (0, 0), "A": (0.7, 0.7), "B": (3.5, height)},
        lines={"x": ("O",), "crank": ("O", "A"), "guide": ("B",)},
        axis="x",
        constraints={
            "r": Distance(("O", "A"), "r"),
            "l": Distance(("A", "B"), "l"),
            "e": Distance(("O", "guide"), "e"),
            "parallel": Parallel(("x", "guide")),
            "a": Angle(("x", "crank"), "a"),
        },
    )
    found = checked(drawing, {"r": 1.0, "l": 3.0, "e": 0.5, "a": 0.8})
    assert found.points["B"].imag == pytest.approx(height, abs=EXACT)
