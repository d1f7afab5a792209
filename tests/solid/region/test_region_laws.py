"""Laws of sets, areas and motions, on random regions whose edges are often flush or touch."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Region, difference, intersection, union
from random_regions import grid_points, regions, simple_regions

TOO_NEAR = 1e-4
"""To a boundary, for a point to tell inside from outside: noise moves boundaries by up to 1e-5."""


def close(area: float, other: float, slack: float = 1e-7) -> bool:
    return math.isclose(area, other, abs_tol=slack, rel_tol=slack)


@given(regions(), regions())
def test_areas_add_up(a: Region, b: Region) -> None:
    """|A ∪ B| + |A ∩ B| = |A| + |B|, |A − B| + |A ∩ B| = |A|, |A △ B| = |A − B| + |B − A|."""
    common = (a & b).area
    assert close((a | b).area + common, a.area + b.area)
    assert close((a - b).area + common, a.area)
    assert close((a ^ b).area, (a - b).area + (b - a).area)


@given(regions(noisy=True), regions(noisy=True))
def test_areas_add_up_where_edges_are_nearly_flush(a: Region, b: Region) -> None:
    """The same with noise from far below to far above the tolerance."""
    common = (a & b).area
    assert close((a | b).area + common, a.area + b.area, 1e-5)
    assert close((a - b).area + common, a.area, 1e-5)


@given(regions(noisy=True), regions(noisy=True))
def test_points_are_where_logic_puts_them(a: Region, b: Region) -> None:
    """A point is in A ∪ B if it is in A or in B, and so on."""
    points = grid_points()
    away = np.minimum(np.abs(a.distance(points)), np.abs(b.distance(points)))
    points = points[away > TOO_NEAR]
    in_a, in_b = a.contains(points), b.contains(points)
    assert ((a | b).contains(points) == (in_a | in_b)).all()
    assert ((a & b).contains(points) == (in_a & in_b)).all()
    assert ((a - b).contains(points) == (in_a & ~in_b)).all()
    assert ((a ^ b).contains(points) == (in_a ^ in_b)).all()


@given(regions())
def test_a_region_with_itself(a: Region) -> None:
    """A ∪ A = A ∩ A = A and A − A = A △ A = ∅, to the bit."""
    assert a | a == a
    assert a & a == a
    assert not a - a
    assert not a ^ a


@given(regions(), regions())
def test_absorption(a: Region, b: Region) -> None:
    """A ∩ (A ∪ B) = A = A ∪ (A ∩ B), and (A − B) ∪ B = A ∪ B."""
    assert close((a & (a | b)).area, a.area)
    assert close((a | (a & b)).area, a.area)
    assert close(((a - b) | b).area, (a | b).area)


@given(st.lists(simple_regions(), min_size=1, max_size=6))
def test_many_at_once_are_as_two_by_two(several: list[Region]) -> None:
    """The union of many is that of pairs, and so for the intersection and what is taken off."""
    one_by_one, common = several[0], several[0]
    for other in several[1:]:
        one_by_one, common = one_by_one | other, common & other
    assert close(union(several).area, one_by_one.area)
    assert len(union(several).loops) == len(one_by_one.loops)
    assert close(intersection(several).area, common.area)
    assert close(difference(several[0], several[1:]).area, (several[0] - union(several[1:])).area)


@given(regions(), regions(), st.floats(-4, 4), st.tuples(st.floats(-50, 50), st.floats(-50, 50)))
def test_motions_commute_with_combining(a: Region, b: Region, angle: float, by: tuple[float, float]) -> None:
    """Moved and then combined is combined and then moved."""

    def moved(region: Region) -> Region:
        return region.turned(angle, (1, 2)).moved(by).mirrored((1, 3)).scaled(1.7)

    for whole, parts in ((moved(a | b), moved(a) | moved(b)), (moved(a - b), moved(a) - moved(b))):
        assert close(whole.area, parts.area, 1e-6)
        assert len(whole.loops) == len(parts.loops)
        assert not whole or np.allclose(whole.centroid, parts.centroid, atol=1e-5)


@given(regions(noisy=True), st.sampled_from((0.05, 0.3, 1.0, 2.5, -0.05, -0.3, -1.0)))
def test_grown_regions_are_all_that_is_within_a_distance(a: Region, distance: float) -> None:
    """A point is in the grown region if its distance, negative inside, is less."""
    points = grid_points()
    away = a.distance(points)
    clear = np.abs(away - distance) > TOO_NEAR
    assert (a.grown(distance).contains(points) == (away < distance))[clear].all()


@given(regions())
def test_outer_loops_run_anticlockwise_and_holes_clockwise(a: Region) -> None:
    """Loops are closed to the bit, outer ones come first, and the inside is left of every edge."""
    areas = [loop.area for loop in a.loops]
    assert areas == [area for area in areas if area > 0] + [area for area in areas if area < 0]
    for loop in a.loops:
        for place, edge in enumerate(loop.edges):
            assert edge.start == loop.edges[place - 1].end
    assert close(sum(areas), a.area)


@given(regions())
def test_components_make_up_the_region(a: Region) -> None:
    """The pieces have one outer loop each; together they are the region."""
    pieces = a.components
    assert close(sum(piece.area for piece in pieces), a.area)
    assert sorted(loop for piece in pieces for loop in map(repr, piece.loops)) == sorted(map(repr, a.loops))
    for piece in pieces:
        assert [loop.area > 0 for loop in piece.loops].count(True) == 1


@given(regions(), st.floats(0.2, 5), st.tuples(st.floats(-9, 9), st.floats(-9, 9)))
def test_moments_shift_and_scale(a: Region, factor: float, by: tuple[float, float]) -> None:
    """The parallel axis theorem; moments grow with the fourth power of the scale."""
    if not a:
        return
    (x, y), area = a.centroid, a.area
    ixx, iyy, ixy = a.moments
    u, v = by
    expected = (
        ixx + area * (2 * v * y + v * v),
        iyy + area * (2 * u * x + u * u),
        ixy + area * (u * y + v * x + u * v),
    )
    assert np.allclose(a.moved(by).moments, expected, rtol=1e-9, atol=1e-9)
    assert np.allclose(a.scaled(factor).moments, np.array(a.moments) * factor**4, rtol=1e-9, atol=1e-9)
    assert np.allclose(a.turned(math.pi / 2).moments, (iyy, ixx, -ixy), rtol=1e-9, atol=1e-9)


@given(regions(), regions())
def test_equal_regions_are_equal_values(a: Region, b: Region) -> None:
    """The order of a union does not change it but for the last digits, and values can be hashed."""
    forth, back = a | b, b | a
    assert [len(loop) for loop in forth.loops] == [len(loop) for loop in back.loops]
    assert hash(forth) == hash(a | b)
    assert {forth, a | b} == {forth}


@pytest.mark.parametrize("count", [1, 7, 60])
def test_a_row_of_blocks_is_a_bar(count: int) -> None:
    """Blocks side by side are one block with four edges."""
    row = union(Region.rectangle(1 / 3, 2).moved((k / 3, 0)) for k in range(count))
    assert [len(loop) for loop in row.loops] == [4]
    assert close(row.area, count * 2 / 3)
