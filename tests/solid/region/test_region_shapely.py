"""Against shapely, on polygons with fine chords."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Region, hull, union
from random_regions import as_shapely, grid_points, regions, simple_regions


def near(got: float, wanted: float) -> bool:
    return math.isclose(got, wanted, rel_tol=2e-4, abs_tol=2e-3)


@given(st.lists(simple_regions(), min_size=2, max_size=5))
def test_union(several: list[Region]) -> None:
    """The area of a union of chord polygons is as near as the chords are."""
    assert near(union(several).area, shapely.union_all([as_shapely(each) for each in several]).area)


@given(regions(), regions())
def test_pairs(a: Region, b: Region) -> None:
    """Intersection, difference and symmetric difference."""
    first, second = as_shapely(a), as_shapely(b)
    assert near((a & b).area, first.intersection(second).area)
    assert near((a - b).area, first.difference(second).area)
    assert near((a ^ b).area, first.symmetric_difference(second).area)


@given(regions())
def test_measures(a: Region) -> None:
    """Area, length, centroid and distances."""
    if not a:
        return
    other = as_shapely(a)
    assert near(a.area, other.area)
    assert near(a.length, other.length)
    assert a.centroid == pytest.approx((other.centroid.x, other.centroid.y), abs=1e-3)
    points = grid_points()[::17]
    away = np.array([other.boundary.distance(shapely.Point(point)) for point in points])
    assert np.abs(a.distance(points)) == pytest.approx(away, abs=3e-5)


@given(regions(), st.sampled_from((0.05, 0.3, 1.0, 2.5, -0.05, -0.3, -1.0)))
def test_grown(a: Region, distance: float) -> None:
    """All that is within a distance, or as deep inside, but for what shapely simplifies before: 1 % of the distance."""
    wanted = as_shapely(a).buffer(distance, quad_segs=300)
    grown = a.grown(distance)
    assert abs(grown.area - wanted.area) <= 0.01 * abs(distance) * (grown.length + 1)


@given(st.lists(regions(), min_size=1, max_size=3))
def test_hull(several: list[Region]) -> None:
    """The smallest convex region around several."""
    found = hull(several)
    assert near(found.area, shapely.union_all([as_shapely(each) for each in several]).convex_hull.area)
    assert len(found.loops) == any(several)
    for each in several:
        assert (each - found).area < 1e-7


@given(regions(), st.sampled_from((0.2, 1.5, -2.0)), st.sampled_from((0.7, 1.0, -1.5)))
def test_stretched(a: Region, x: float, y: float) -> None:
    """Uneven scaling multiplies areas by x y."""
    found = a.stretched(x, y, 1e-5)
    assert near(found.area, abs(x * y) * a.area)
    wanted = shapely.affinity.scale(as_shapely(a), x, y, origin=(0, 0))
    assert near(as_shapely(found).symmetric_difference(wanted).area, 0)
