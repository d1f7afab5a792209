"""How deep the outlines of two parts lie in one another at a height, in many positions at once.

No point is deeper than another by more than it is away from it: between two points of an edge that are s apart along
it, where it is d₁ and d₂ deep, it is nowhere deeper than (d₁ + d₂ + s)/2. Pieces of edges are halved until none can
hold a point that is plainly deeper than the deepest known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.collision.track import Complexes
from linkwork.solid.placement import Floats
from linkwork.solid.region import Region
from linkwork.solid.region.columns import Columns

AT_ONCE: Final = 50_000
"""Pieces in positions that are worked on together."""
MOST_HALVED: Final = 20_000
"""Pieces that are halved together, at most: where it is as deep all along, more would tell nothing."""

Places = NDArray[np.intp]


class Medium(NamedTuple):
    """What points dive into: the section of a part, and how deep points in it are at the heights looked at."""

    region: Region
    depths: Callable[[Floats], Floats]
    heights: tuple[float, ...]
    most: float
    """No point is deeper than this."""

    def at(self, points: Complexes, known: Floats) -> Floats:
        """How deep points are in the part; of those outside, how far away in the plane, negative.

        Of points that are no deeper in the plane than what is known, that is told: they are not deeper in space either.
        """
        rows = np.column_stack([points.real, points.imag])
        found = -self.region.distance(rows)
        inside = np.flatnonzero(found > known)
        if len(inside):
            heights = np.repeat(self.heights, len(inside))
            lifted = np.column_stack([np.tile(rows[inside], (len(self.heights), 1)), heights])
            deep = self.depths(lifted).reshape(len(self.heights), -1).max(axis=0)
            found[inside] = np.minimum(found[inside], deep)
        return found


@dataclass(eq=False)
class Deepest:
    """The deepest points that are known, one of each position."""

    depths: Floats
    points: Complexes
    """Where they are, seen by the part that points dive into."""

    @classmethod
    def none(cls, count: int) -> Deepest:
        """Nothing is in anything yet."""
        return cls(np.zeros(count), np.zeros(count, dtype=complex))

    def learn(self, positions: Places, depths: Floats, points: Complexes) -> None:
        """Keep those points that are deeper than what is known."""
        better = np.flatnonzero(depths > self.depths[positions])
        order = better[np.argsort(depths[better], kind="stable")]  # the deepest of a position is written last
        self.depths[positions[order]] = depths[order]
        self.points[positions[order]] = points[order]


def dive(
    edges: Columns,
    into: Medium,
    moved: tuple[Complexes, Complexes],
    least: float,
    within: float,
) -> Deepest:
    """The deepest points of edges in each position: not more than ``within`` of their depth, or ``least``, too shallow.

    In a position, a point z of the edges is at turn · z + shift.
    """
    turns, shifts = moved
    known = Deepest.none(len(turns))
    step = max(1, AT_ONCE // max(1, len(edges)))
    for first in range(0, len(turns), step):
        own = slice(first, first + step)
        some = _dive(edges, into, (turns[own], shifts[own]), least, within)
        known.depths[own], known.points[own] = some.depths, some.points
    return known


def _dive(
    edges: Columns, into: Medium, moved: tuple[Complexes, Complexes], least: float, within: float
) -> Deepest:
    turns, shifts = moved
    known = Deepest.none(len(turns))
    position, piece = _near(edges, into.region, turns, shifts)

    def look(position: Places, piece: Places, share: Floats) -> Floats:
        points = turns[position] * edges.at(piece, share) + shifts[position]
        found = into.at(points, known.depths[position])
        known.learn(position, found, points)
        return found

    low, length = np.zeros(len(piece)), edges.length[piece]
    part = 1.0  # of an edge
    twice = np.tile(position, 2), np.tile(piece, 2), np.concatenate([low, low + 1.0])
    first, last = np.split(look(*twice), 2)
    while len(position):
        best = known.depths[position]
        deepest = np.minimum((first + last + part * length) / 2, into.most)
        left = np.flatnonzero(deepest > best + np.maximum(within * best, least))
        if not 0 < len(left) <= MOST_HALVED:
            break
        position, piece, low = position[left], piece[left], low[left]
        length, first, last = length[left], first[left], last[left]
        part /= 2
        middle = look(position, piece, low + part)
        position, piece = np.tile(position, 2), np.tile(piece, 2)
        length = np.tile(length, 2)
        first, last = np.concatenate([first, middle]), np.concatenate([middle, last])
        low = np.concatenate([low, low + part])
    return known


def _near(edges: Columns, region: Region, turns: Complexes, shifts: Complexes) -> tuple[Places, Places]:
    """The positions and edges in which an edge may have points in the box around a region."""
    middles = edges.at(np.arange(len(edges)), np.full(len(edges), 0.5))
    placed, half = turns[:, None] * middles + shifts[:, None], edges.length / 2
    (left, bottom), (right, top) = region.box
    beside = np.maximum(left - placed.real, placed.real - right)
    above = np.maximum(bottom - placed.imag, placed.imag - top)
    position, piece = np.nonzero(np.maximum(beside, above) < half)
    return position, piece
