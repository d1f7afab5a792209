"""Polygons and whether they overlap, against shapely on small grids where everything coincides."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from linkwork.errors import LinkworkError
from linkwork.fasten import edge_pairs
from linkwork.fasten.angle import moved, rest_of_radians, turned
from linkwork.fasten.design import Polygon
from linkwork.fasten.exact_plane import Point, ray_crosses
from linkwork.fasten.overlap import overlap
from linkwork.fasten.polygon import counter_clockwise, doubled_area, polygon_fault


def polygon(*corners: tuple[float, float]) -> Polygon:
    return tuple((Fraction(x), Fraction(y)) for x, y in corners)


CORNERS = st.tuples(st.integers(0, 4), st.integers(0, 4))
RINGS = st.lists(CORNERS, min_size=3, max_size=8, unique=True).map(lambda found: polygon(*found))


def around(ring: Polygon) -> Polygon:
    """The corners in the order in which they are seen from between them, so that few edges cross."""
    x, y = (float(sum(each)) / len(ring) + 0.01 for each in zip(*ring, strict=True))
    return tuple(sorted(ring, key=lambda corner: math.atan2(float(corner[1]) - y, float(corner[0]) - x)))


SIMPLE = RINGS.map(around).filter(lambda ring: polygon_fault(ring) is None)
DIRECTIONS = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(-2, 7), Fraction(1)])


@given(RINGS)
def test_a_ring_is_a_polygon_where_shapely_says_so(ring: Polygon) -> None:
    assert (polygon_fault(ring) is None) == shapely.Polygon(ring).is_valid


@given(RINGS, DIRECTIONS)
def test_turning_the_plane_changes_no_verdict(ring: Polygon, half_tan: Fraction) -> None:
    """Exactly so: the turned corners are rational, with the same coincidences."""
    found, other = polygon_fault(ring), polygon_fault(turned(ring, half_tan))
    assert (found is None) == (other is None)
    assert doubled_area(turned(ring, half_tan)) == doubled_area(ring)


@given(SIMPLE, SIMPLE, DIRECTIONS, st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(10**9)]))
def test_polygons_overlap_where_they_share_an_area(
    first: Polygon, second: Polygon, half_tan: Fraction, far: Fraction
) -> None:
    first, second = counter_clockwise(first), counter_clockwise(second)
    shared = shapely.Polygon(first).intersection(shapely.Polygon(second)).area
    place = (far, -far)
    found = overlap(moved(turned(first, half_tan), place), moved(turned(second, half_tan), place))
    assert (found is not None) == (shared > 1e-9)
    if found is not None and found.depth:
        own, other = (first, second) if found.is_of_first else (second, first)
        reference = shapely.Polygon(moved(turned(other, half_tan), place))
        at = shapely.Point(found.at)
        if far < 10:
            assert found.depth == pytest.approx(reference.exterior.distance(at), abs=1e-9)
            assert reference.contains(at)
        assert 0 <= found.vertex < len(own)


def test_touching_by_less_than_doubles_can_tell_is_decided() -> None:
    """A gap, a touch and an overlap of 10⁻⁴⁰."""
    tiny = Fraction(1, 10**40)
    box = polygon((0, 0), (1, 0), (1, 1), (0, 1))
    gap, touch, deep = (moved(box, (Fraction(1) + shift, Fraction(1, 3))) for shift in (tiny, 0, -tiny))
    assert overlap(box, gap) is None
    assert overlap(box, touch) is None
    found = overlap(box, deep)
    assert found is not None
    assert found.depth == pytest.approx(1e-40, rel=1e-6, abs=0)


@pytest.mark.parametrize(
    ("ring", "vertex", "words"),
    [
        (polygon((0, 0), (1, 0)), None, "it has 2 vertices"),
        (polygon((0, 0), (1, 0), (2, 0)), 2, "no area"),
        (polygon((0, 0), (1, 0), (1, 1), (0, 0)), 3, "vertices 0 and 3 are the same point"),
        (polygon((0, 0), (4, 0), (2, 0), (2, 1)), 1, "vertex 1 is a spike"),
        (polygon((0, 0), (2, 2), (2, 0), (0, 2)), 2, "edges 0 and 2 cross"),
        (polygon((0, 0), (4, 0), (4, 4), (2, 0), (0, 4)), 3, "touch"),
    ],
)
def test_what_is_wrong_is_named(ring: Polygon, vertex: int | None, words: str) -> None:
    found = polygon_fault(ring)
    assert found is not None
    assert found.vertex == vertex
    assert words in found.error.problem


def test_a_comb_of_many_teeth_is_checked_in_little_time() -> None:
    """20,000 corners, level and upright; only neighbours come near one another."""
    teeth = 5000
    corners = [(4 * k + x, y) for k in range(teeth) for x, y in ((0, 0), (1, 9), (2, 9), (3, 0))]
    comb = polygon((0, -1), (4 * teeth, -1), *reversed(corners))
    assert polygon_fault(comb) is None
    upright = turned(comb, Fraction(1))
    assert polygon_fault(upright) is None
    pairs = [*edge_pairs.edge_pairs(edge_pairs.Edges(comb), edge_pairs.Edges(comb))]
    assert len(pairs) < 8 * len(comb)


def test_too_many_edges_beside_one_another_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_pairs, "MOST_PAIRS", 10)
    with pytest.raises(LinkworkError, match="too many edges"):
        polygon_fault(polygon(*((math.cos(k), math.sin(k)) for k in np.linspace(0, 6, 20))))


@given(st.fractions(-40, 40, max_denominator=10**6))
def test_radians_become_a_tangent_within_its_width(angle: Fraction) -> None:
    rest = rest_of_radians(angle)
    assert 2 * math.atan(rest.half_tan) + math.tau * rest.turns == pytest.approx(float(angle), abs=1e-13)
    assert bool(rest.width) == bool(angle)
    assert rest.radians == (angle or None)


def test_the_tangent_of_an_angle_is_known_to_thirty_digits() -> None:
    """tan 0.15, from its power series with rational terms: x + x³/3 + 2x⁵/15 + …"""
    x = Fraction(15, 100)
    coefficients = [Fraction(1)]
    for n in range(1, 25):  # tan' = 1 + tan²
        total = sum(coefficients[i] * coefficients[n - 1 - i] for i in range(n))
        coefficients.append(Fraction(total, 2 * n + 1))
    series = sum(c * x ** (2 * n + 1) for n, c in enumerate(coefficients))
    rest = rest_of_radians(2 * x)
    assert abs(rest.half_tan - series) < rest.width


def test_turned_polygons_keep_their_first_corner() -> None:
    clockwise = polygon((0, 0), (0, 1), (1, 1), (1, 0))
    assert counter_clockwise(clockwise) == polygon((0, 0), (1, 0), (1, 1), (0, 1))
    assert all(a != b for a, b in pairwise(counter_clockwise(clockwise)))


def test_a_bar_that_lies_on_many_teeth_is_decided_by_few_exact_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand touches; doubles decide all but the edges beside each point."""
    teeth = 500
    corners = [(4 * k + x, y) for k in range(teeth) for x, y in ((0, 0), (1, 3), (2, 3), (3, 0))]
    comb = polygon((0, -1), (4 * teeth, -1), *reversed(corners))
    bar = polygon((-9, 3), (4 * teeth, 3), (4 * teeth, 9), (-9, 9), (-10, -5))
    asked = []

    def counted(*three: Point) -> bool | None:
        asked.append(three)
        return ray_crosses(*three)

    monkeypatch.setattr("linkwork.fasten.overlap.ray_crosses", counted)
    assert overlap(comb, bar) is None
    assert teeth < len(asked) < 20 * teeth
    assert overlap(comb, moved(bar, (Fraction(0), Fraction(-1, 10**30)))) is not None
