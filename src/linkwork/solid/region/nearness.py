"""How near points are to edges."""

from __future__ import annotations

from typing import Final

import numpy as np

from linkwork.solid.region.columns import Boxes, Columns, Numbers, Places, Points, dot
from linkwork.solid.region.pairs import meeting
from linkwork.solid.region.tolerance import tolerance_of

PAIRS_AT_ONCE: Final = 200_000
"""Points times edges that are worked on together, so that memory stays small."""


def boundary_distances(edges: Columns, points: Points) -> Numbers:
    """The distance of each point from the nearest edge; infinite if there are none."""
    found = np.full(len(points), np.inf)
    if len(edges):
        step = max(1, PAIRS_AT_ONCE // len(edges))
        for first in range(0, len(points), step):
            some = points[first : first + step]
            found[first : first + step] = edge_distances(edges, some[:, None]).min(axis=1)
    return found


def on_boundary(edges: Columns, points: Points) -> Places:
    """The places of the points that lie on edges, within the tolerance."""
    tolerance = tolerance_of(edges)
    i, k = meeting(Boxes(points.real, points.real, points.imag, points.imag), edges.boxes.grown(tolerance))
    return i[edge_distances(edges.take(k), points[i]) <= tolerance]


def edge_distances(edges: Columns, points: Points) -> Numbers:
    """The distances of points from edges, shaped as NumPy combines both."""
    chord, offset = edges.chord, points - edges.start
    square = np.maximum(dot(chord, chord), 1e-300)
    share = (dot(chord, offset) / square).clip(0, 1)
    straight = np.abs(offset - share * chord)
    if not edges.turn.any():
        return straight
    spoke = points - edges.centre
    away = np.abs(spoke)
    bisector = np.exp(1j * (edges.first_angle + edges.sweep / 2))
    beside = dot(bisector, spoke) >= away * np.cos(edges.sweep / 2)
    ends = np.minimum(np.abs(offset), np.abs(points - edges.end))
    return np.where(edges.turn == 0, straight, np.where(beside, np.abs(away - edges.radius), ends))
