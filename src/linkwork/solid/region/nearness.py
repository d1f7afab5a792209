"""How near points are to edges."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.solid.region.columns import Boxes, Columns, Numbers, Places, Points, dot
from linkwork.solid.region.pairs import meeting, ranges
from linkwork.solid.region.tolerance import tolerance_of

FEW: Final = 64
"""Edges up to which every one is looked at."""

PAIRS_AT_ONCE: Final = 200_000
"""Points times edges that are worked on together, so that memory stays small."""


def boundary_distances(edges: Columns, points: Points) -> Numbers:
    """The distance of each point from the nearest edge; infinite if there are none."""
    found = np.full(len(points), np.inf)
    if len(edges):
        near = edge_distances if len(edges) <= FEW else _by_blocks
        step = max(1, PAIRS_AT_ONCE // min(len(edges), FEW))
        for first in range(0, len(points), step):
            some = points[first : first + step]
            found[first : first + step] = near(edges, some[:, None]).min(axis=1)
    return found


def _by_blocks(edges: Columns, points: Points) -> Numbers:
    """The same for many edges: only those in blocks are looked at that can be nearer than the nearest known corner.

    Edges that follow each other form a block. (One column, for each row of points.)
    """
    size = math.isqrt(len(edges))
    starts = np.arange(0, len(edges), size)
    left, right, bottom, top = edges.boxes
    least, most = np.minimum.reduceat, np.maximum.reduceat
    x, y = points.real, points.imag
    aside = np.maximum(np.maximum(least(left, starts) - x, x - most(right, starts)), 0)
    above = np.maximum(np.maximum(least(bottom, starts) - y, y - most(top, starts)), 0)
    known: Numbers = np.abs(points - edges.start[starts]).min(axis=1)
    point, block = np.nonzero(np.hypot(aside, above) <= known[:, None])
    pair, edge = ranges(starts[block], np.minimum(starts[block] + size, len(edges)))
    away = edge_distances(edges, points[point[pair], 0], edge)
    np.minimum.at(known, point[pair], away)
    return known[:, None]


def on_boundary(edges: Columns, points: Points) -> Places:
    """The places of the points that lie on edges, within the tolerance."""
    tolerance = tolerance_of(edges)
    i, k = meeting(Boxes(points.real, points.real, points.imag, points.imag), edges.boxes.grown(tolerance))
    return i[edge_distances(edges, points[i], k) <= tolerance]


def edge_distances(edges: Columns, points: Points, places: Places | None = None) -> Numbers:
    """The distances of points from edges, shaped as NumPy combines both; with places, of each point from one edge."""
    at = slice(None) if places is None else places
    chord, offset = edges.chord[at], points - edges.start[at]
    square = np.maximum(dot(chord, chord), 1e-300)
    share = (dot(chord, offset) / square).clip(0, 1)
    straight = np.abs(offset - share * chord)
    if not edges.turn.any():
        return straight
    spoke = points - edges.centre[at]
    away = np.abs(spoke)
    beside = dot(edges.bisector[at], spoke) >= away * edges.half_cosine[at]
    ends = np.minimum(np.abs(offset), np.abs(points - edges.end[at]))
    bent = np.where(beside, np.abs(away - edges.radius[at]), ends)
    return np.where(edges.turn[at] == 0, straight, bent)
