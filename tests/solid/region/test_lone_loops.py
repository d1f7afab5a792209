"""Loops that come near no other are not laid on the others: what comes out is the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid.region import Region, difference, involute_gear, union
from linkwork.solid.region.boolean import Rule, all_of, any_of, combined, first_only, odd
from linkwork.solid.region.columns import Columns
from linkwork.solid.region.loop import Loop
from linkwork.solid.region.tolerance import tolerance_of
from random_regions import regions


def all_laid(parts: Sequence[Region], channels: Sequence[int], rule: Rule) -> Region:
    """What a rule calls inside, with the edges of all regions laid on each other."""
    edges = Columns.joined([part.columns for part in parts])
    channel = np.repeat(channels, [len(part.columns) for part in parts])
    chains = combined(edges, channel, rule, tolerance_of(edges), None)
    return Region._sorted(Loop.of(chain) for chain in chains)


@given(regions(), regions(), st.sampled_from([0.05, 0.3, 1.0]), st.sampled_from([0.0, 0.7, 40.0]))
def test_what_is_combined_is_the_same(a: Region, b: Region, size: float, away: float) -> None:
    """∪, ∩, − and △ of regions, some small, in holes or aside, are those of all their edges, to the bit."""
    b = b.scaled(size).moved((away, 0.1 * away))
    if not (a and b):
        return
    assert a ^ b == all_laid([a, b], [0, 0], odd)
    assert union((a, b)) == all_laid([a, b], [0, 0], any_of)
    assert difference(a, (b,)) == all_laid([a, b], [0, 1], first_only)
    assert a & b == all_laid([a, b], [0, 0], all_of(2))


@pytest.mark.parametrize("turned", [0.0, 0.3])
def test_nested_rings(turned: float) -> None:
    """Rings in rings with a bar across some of them: lone loops count around what is laid."""
    rings = [Region.circle(radius) - Region.circle(radius - 0.5) for radius in range(1, 9)]
    bar = Region.rectangle(5, 0.2).moved((2.2, -0.1)).turned(turned)
    every = [*rings, bar]
    assert union(every) == all_laid(every, [0] * len(every), any_of)
    plate = Region.circle(20)
    assert difference(plate, every) == all_laid([plate, *every], [0] + [1] * len(every), first_only)


def test_a_bore_leaves_the_teeth_as_they_are() -> None:
    """The teeth of a wheel with a bore are to the bit those of the wheel, and a turn goes the same for both."""
    wheel = involute_gear(20, 1.0)
    bored = wheel - Region.circle(2)
    assert bored.loops[0] == wheel.loops[0]
    assert math.isclose(bored.area, wheel.area - math.pi * 4, rel_tol=1e-12)
    assert bored.turned(0.3).loops[0] == wheel.turned(0.3).loops[0]
    assert bored == all_laid([wheel, Region.circle(2)], [0, 1], first_only)


def test_many_edges_are_moved_as_few_are() -> None:
    """Moved, mirrored and turned loops of many edges are those of their edges one by one."""
    for moved in (involute_gear(20, 1.0), involute_gear(20, 1.0) - Region.circle(2)):
        for image in (moved.turned(0.4), moved.mirrored((1, 2)), moved.scaled(3).moved((1, 2))):
            again = Region(tuple(Loop(loop.edges) for loop in image.loops))
            assert again == image
            assert hash(again) == hash(image)
            assert math.isclose(again.area, image.area, rel_tol=1e-14)
            assert [loop.is_hole for loop in again.loops] == [loop.is_hole for loop in image.loops]
            assert all(loop.start == min(edge.start for edge in loop) for loop in image.loops)
