"""Looking for collisions on a way: narrow ones are found, and nothing is looked at where parts are far apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.collision.outline import Outline, gaps
from linkwork.collision.search import Stretch, overlapping, refined, tops
from linkwork.solid.placement import Floats
from linkwork.solid.region import Region


class Wall:
    """A point that goes along a line past a wall, and how often it was looked at."""

    def __init__(self, middle: float, half: float) -> None:
        self.middle, self.half, self.looks = middle, half, 0

    def __call__(self, where: Floats) -> Floats:
        self.looks += len(where)
        return np.maximum(np.abs(where - self.middle) - self.half, 0.0)


@pytest.mark.parametrize("middle", [0.0, 3.217, 61.803, 100.0])
@pytest.mark.parametrize("half", [1e-3, 0.5, 20])
def test_a_wall_is_found_from_where_to_where(middle: float, half: float) -> None:
    wall = Wall(middle, half)
    found = overlapping(wall, np.arange(101.0), 1e-3)
    assert found is not None
    assert found.begin == pytest.approx(max(middle - half, 0), abs=1e-3)
    assert found.end == pytest.approx(min(middle + half, 100), abs=1e-3)
    assert wall.looks < 250


def test_far_away_nothing_is_looked_at() -> None:
    wall = Wall(300, 1)
    assert overlapping(wall, np.arange(101.0), 1e-3) is None
    assert wall.looks < 20


def test_parts_that_do_not_move_are_looked_at_once() -> None:
    wall = Wall(0, 1)
    found = overlapping(wall, np.zeros(9), 1e-3)
    assert found is not None
    assert wall.looks == 1


@pytest.mark.parametrize("count", [1, 7, 60, 400])
@pytest.mark.parametrize("deepest", [0, 5, 6])
def test_the_deepest_of_many_short_collisions_is_found(count: int, deepest: int) -> None:
    """Teeth of one height but for one that is a twentieth higher, however many pass and however short each is."""
    middles = (np.arange(count) + 0.37) * 100 / count
    heights = np.where(np.arange(count) == deepest % count, 1.05, 1.0) / count
    looks = 0

    def depths(where: Floats) -> Floats:
        nonlocal looks
        looks += len(where)
        return np.asarray((heights - np.abs(where[:, None] - middles)).max(axis=1))

    found = overlapping(lambda where: np.maximum(-depths(where), 0.0), np.arange(101.0), 1e-3)
    assert found is not None
    looks = 0
    first, *_ = tops(depths, np.arange(101.0), found, 0.0, np.inf)
    place = refined(depths, [first], found)
    assert place == pytest.approx(middles[deepest % count], abs=1e-4)
    assert looks < 200 + 60 * count


@pytest.mark.parametrize("middle", [0.0, 12.3, 47.1, 100.0])
@pytest.mark.parametrize("power", [1, 2, 4])
def test_a_place_that_is_nearly_the_deepest_is_refined_in_a_few_looks(middle: float, power: int) -> None:
    """Tops of parabolas, flatter ones, and ridges; also at the ends of the way."""
    looks: list[float] = []

    def depths(where: Floats) -> Floats:
        looks.extend(where)
        return np.asarray(10 - np.abs((where - middle) / 10) ** power)

    near = min(max(middle + 1.7, 0.0), 100.0)
    around = Stretch(max(near - 4, 0.0), min(near + 4, 100.0), np.array([near]))
    place = refined(depths, [around], Stretch(0.0, 100.0, np.arange(101.0)))
    assert depths(np.array([place])) == pytest.approx(10, rel=1e-4)
    assert len(looks) <= 20


def test_where_it_is_as_deep_all_around_nothing_more_is_looked_at() -> None:
    looks: list[float] = []

    def depths(where: Floats) -> Floats:
        looks.extend(where)
        return np.full(len(where), 2.0)

    refined(depths, [Stretch(4.0, 6.0, np.array([5.0]))], Stretch(0.0, 10.0, np.arange(11.0)))
    assert len(looks) == 3


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(1, 9)), min_size=1, max_size=5))
def test_several_places_are_gone_on_from_together(hills: list[tuple[float, float]]) -> None:
    """The deepest of several hills is found, with no more calls than one of them takes alone."""
    middles = np.array([10.0 * place + shift for place, (shift, _) in enumerate(hills)])
    heights = np.array([height for _, height in hills])
    calls: list[int] = []

    def depths(where: Floats) -> Floats:
        calls.append(len(where))
        return np.asarray((heights - (where[:, None] - middles) ** 2).max(axis=1))

    around = [
        Stretch(10.0 * place - 2, 10.0 * place + 2, np.array([10.0 * place])) for place in range(len(hills))
    ]
    whole = Stretch(-5.0, 10.0 * len(hills) - 5, np.arange(2.0))
    place = refined(depths, around, whole)
    together = len(calls)
    assert heights.max() - depths(np.array([place]))[0] < 1e-6
    calls.clear()
    alone = []
    for each in around:
        refined(depths, [each], whole)
        alone.append(len(calls))
        calls.clear()
    assert together == max(alone)


def test_nothing_is_looked_for_where_it_cannot_be_deeper() -> None:
    """A depth that is known to be the largest there can be is not looked at again."""
    found = overlapping(Wall(50, 40), np.arange(101.0), 1e-3)
    assert found is not None
    looks: list[int] = []

    def depths(where: Floats) -> Floats:
        looks.append(len(where))
        return np.full(len(where), 2.0)

    tops(depths, np.arange(101.0), found, 0.0, 2.0)
    assert len(looks) == 1


def shapes() -> list[Region]:
    cross = Region.rectangle(6, 1).moved((-3, -0.5)) | Region.rectangle(1, 6).moved((-0.5, -3))
    ring = Region.circle(4) - Region.circle(3)
    comb = Region.rectangle(8, 1) | Region.rectangle(0.2, 3) | Region.rectangle(0.2, 3).moved((4, 0))
    return [cross, ring, comb, Region.circle(0.3)]


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("second", range(4))
def test_gaps_vanish_where_regions_overlap_and_else_are_distances(first: int, second: int) -> None:
    """In random positions, against the intersection of the regions and the distances of points of their outlines."""
    one, other = shapes()[first], shapes()[second]
    random = np.random.default_rng(10 * first + second)
    angles = random.uniform(0, math.tau, 60)
    shifts = random.uniform(-6, 6, 60) + 1j * random.uniform(-6, 6, 60)
    found = gaps(Outline.of(one), Outline.of(other), np.exp(1j * angles), shifts)
    for angle, shift, gap in zip(angles.tolist(), shifts.tolist(), found.tolist(), strict=True):
        placed = one.turned(angle).moved((shift.real, shift.imag))
        common = placed & other
        assert (gap == 0) == bool(common) or common.area < 1e-6
        if gap:
            nearest = min(
                np.abs(region.distance(np.concatenate(away.outlines(1e-3)))).min()
                for region, away in ((placed, other), (other, placed))
            )
            assert gap <= nearest + 1e-2
            assert gap >= 0.5 * nearest - 1e-2
