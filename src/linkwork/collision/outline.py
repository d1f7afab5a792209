"""Outlines of sections that move over one another in the plane: how far they are apart in many positions at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from linkwork.collision.track import Complexes
from linkwork.solid.placement import Floats
from linkwork.solid.region import Region
from linkwork.solid.region.columns import Columns
from linkwork.solid.region.gap import edge_gaps
from linkwork.solid.region.pairs import ranges
from linkwork.solid.region.winding import windings

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

PIECES: Final = 96
"""Into about how many pieces of one length an outline is cut at least, so that near ones are found fast."""
AT_ONCE: Final = 100_000
"""Pieces in positions that are worked on together."""
FAR: Final = 0.5
"""If bounds for the distance differ by less than this part of the larger, the lower one will do."""


@dataclass(frozen=True, eq=False)
class Outline:
    """The edges of a region in short pieces, in balls; and a point of each of its components."""

    region: Region
    pieces: Columns
    middles: Complexes
    reaches: Floats

    @classmethod
    def of(cls, region: Region) -> Outline:
        """All edges of a region."""
        edges = region.columns
        counts = np.maximum(1, np.ceil(edges.length * PIECES / edges.length.sum())).astype(int)
        counts = np.maximum(counts, np.ceil(np.abs(edges.sweep)).astype(int))
        owner, part = ranges(np.zeros(len(edges), dtype=np.intp), counts)
        own = edges.take(owner)
        start, end = (edges.at(owner, (part + more) / counts[owner]) for more in (0, 1))
        return cls._of(region, Columns(start, end, own.centre, own.radius, own.turn))

    @classmethod
    def _of(cls, region: Region, pieces: Columns) -> Outline:
        every = np.arange(len(pieces))
        middles = pieces.at(every, np.full(len(pieces), 0.5))
        reaches = np.maximum(np.abs(pieces.start - middles), np.abs(pieces.end - middles))
        return cls(region, pieces, middles, reaches)

    def only(self, which: NDArray[np.bool_]) -> Outline:
        """The same region with some of its pieces."""
        return Outline(self.region, self.pieces.take(which), self.middles[which], self.reaches[which])

    def __len__(self) -> int:
        return len(self.middles)

    @cached_property
    def tree(self) -> cKDTree:
        """The middles of the pieces, for the nearest one to be found."""
        from scipy.spatial import cKDTree

        return cKDTree(_rows(self.middles))

    @cached_property
    def reach(self) -> float:
        """The largest reach of a piece from its middle."""
        return float(self.reaches.max(initial=0.0))

    @cached_property
    def marks(self) -> Complexes:
        """A point of each component: of its outer edge."""
        return np.array([complex(*loop.edges[0].at(0.5)) for loop in self.region.loops if not loop.is_hole])


def _rows(points: Complexes) -> Floats:
    return np.column_stack([points.real.ravel(), points.imag.ravel()])


def gaps(a: Outline, b: Outline, turns: Complexes, shifts: Complexes) -> Floats:
    """How far the first outline is from the second in each position, or less; 0 where their regions overlap.

    In a position, a point z of the first is at turn · z + shift.
    """
    found = np.full(len(turns), np.inf)
    if len(a) and len(b):
        step = max(1, AT_ONCE // len(a))
        for begin in range(0, len(turns), step):
            own = slice(begin, begin + step)
            found[own] = _gaps(a, b, turns[own], shifts[own])
    found[_contained(a, b, turns, shifts)] = 0.0
    return found


def _contained(a: Outline, b: Outline, turns: Complexes, shifts: Complexes) -> NDArray[np.bool_]:
    """Where a whole component of one is inside the other."""
    ahead = turns[:, None] * a.marks + shifts[:, None]
    back = (b.marks - shifts[:, None]) * turns.conj()[:, None]
    inside = [
        (windings(region.runs, points.ravel()) > 0).reshape(points.shape).any(axis=1)
        for region, points in ((b.region, ahead), (a.region, back))
    ]
    return np.asarray(inside[0] | inside[1])


def _gaps(a: Outline, b: Outline, turns: Complexes, shifts: Complexes) -> Floats:
    middles = turns[:, None] * a.middles + shifts[:, None]
    near = b.tree.query(_rows(middles))[0].reshape(middles.shape)
    low = near - a.reaches - b.reach
    least, most = low.min(axis=1), near.min(axis=1)  # the middles themselves are points of the edges
    found = np.where(least > FAR * most, least, np.inf)
    position, piece = np.nonzero((low <= most[:, None]) & np.isinf(found)[:, None])
    if not len(position):
        return found
    points = middles[position, piece]
    others = b.tree.query_ball_point(_rows(points), most[position] + a.reaches[piece] + b.reach)
    counts = np.array([len(each) for each in others])
    pair = np.repeat(np.arange(len(position)), counts)
    other = np.concatenate([np.array(each, dtype=np.intp) for each in others])
    position, piece = position[pair], piece[pair]
    away = np.abs(points[pair] - b.middles[other]) - a.reaches[piece] - b.reaches[other]
    close = away <= most[position]
    position, piece, other = position[close], piece[close], other[close]
    placed = _placed(a.pieces.take(piece), turns[position], shifts[position])
    np.minimum.at(found, position, edge_gaps(placed, b.pieces.take(other)))
    return found


def _placed(edges: Columns, turns: Complexes, shifts: Complexes) -> Columns:
    """Each edge in a position of its own."""
    start, end, centre = (turns * each + shifts for each in (edges.start, edges.end, edges.centre))
    return Columns(start, end, centre, edges.radius, edges.turn)
