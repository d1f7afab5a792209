"""Rows of short sides on a circle are the arcs that they stand for; other outlines stay as they are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from linkwork.solid.region import Region, involute_gear
from linkwork.solid.region.chords import SIDES, with_arcs


def many_sided(
    sides: int, radius: float, centre: tuple[float, float] = (0.0, 0.0), turn: float = 0.0
) -> Region:
    """A regular polygon by the circle around it."""
    angles = [turn + math.tau * place / sides for place in range(sides)]
    return Region.polygon(
        [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in angles]
    )


@given(
    some.integers(SIDES, 400),
    some.floats(1e-3, 1e3),
    some.tuples(some.floats(-5, 5), some.floats(-5, 5)),
    some.floats(0, 7),
)
def test_polygons_of_many_sides_are_circles(
    sides: int, radius: float, centre: tuple[float, float], turn: float
) -> None:
    middle = (centre[0] * radius, centre[1] * radius)
    found, (chords,) = with_arcs(many_sided(sides, radius, middle, turn))
    assert found.area == pytest.approx(math.pi * radius**2, rel=1e-9)
    assert chords.sides == sides
    assert chords.centre == pytest.approx(middle, abs=1e-9 * radius)
    assert chords.deviation == pytest.approx(radius * (1 - math.cos(math.pi / sides)))


@given(some.integers(3, SIDES - 1), some.floats(0, 7))
def test_polygons_of_few_sides_stay(sides: int, turn: float) -> None:
    region = many_sided(sides, 2.0, turn=turn)
    assert with_arcs(region) == (region, ())


@given(some.integers(30, 90), some.floats(0, 7), some.floats(0.2, 2.5))
def test_what_is_left_of_such_a_polygon_is_an_arc(sides: int, turn: float, cut: float) -> None:
    """A flat on a shaft: of all that is round at most a side at each end stays straight."""
    flat = Region.rectangle(8, 8).moved((-4, cut))
    found, chords = with_arcs(many_sided(sides, 3.0, turn=turn) - flat)
    exact = Region.circle(3.0) - flat
    assert len(chords) == 1
    assert len(found.loops[0]) <= 5
    sliver = 3.0 * math.tau / sides * chords[0].deviation
    assert found.area == pytest.approx(exact.area, abs=2 * sliver)


def test_holes_stay_holes() -> None:
    plate = Region.rectangle(10, 10) - many_sided(36, 2.0, (4, 5), 0.1) - many_sided(6, 1.0, (8, 8))
    found, chords = with_arcs(plate)
    assert found.area == pytest.approx(100 - math.pi * 4 - many_sided(6, 1.0).area)
    assert [each.sides for each in chords] == [36]


def test_rounded_digits_do_not_matter() -> None:
    """Files of meshes have six digits."""
    points = [
        (round(20 + math.cos(k * math.tau / 60), 4), round(math.sin(k * math.tau / 60), 4)) for k in range(60)
    ]
    found, (chords,) = with_arcs(Region.polygon(points))
    assert found.loops[0].circle is not None
    assert chords.radius == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("fineness", [0.1, 0.01, 0.001])
@pytest.mark.parametrize("teeth", [8, 17, 60])
def test_teeth_stay_as_they_are(teeth: int, fineness: float) -> None:
    (outline,) = involute_gear(teeth, 2.0).outlines(fineness)
    region = Region.polygon(outline.tolist())
    assert with_arcs(region) == (region, ())


def test_curves_that_are_no_arcs_stay() -> None:
    """An ellipse of many sides bends differently everywhere."""
    points = [(5 * math.cos(k * math.tau / 90), 3 * math.sin(k * math.tau / 90)) for k in range(90)]
    region = Region.polygon(points)
    assert with_arcs(region) == (region, ())
