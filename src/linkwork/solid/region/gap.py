"""How far edges are apart: lines and arcs, row by row.

The nearest points of two edges are an end of one of them, or lie where the line between them is across both: over the
foot of a circle's centre on a line, or on the line through two centres. Edges that cross have no gap.
"""

from __future__ import annotations

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Points, cross, dot
from linkwork.solid.region.nearness import edge_distances

ON = 1e-9
"""How far from an edge, as a part of its length, a point may be that lies on it."""


def edge_gaps(one: Columns, other: Columns) -> Numbers:
    """The distance of each edge from the other in its row; 0 where they cross.

    >>> from linkwork.solid.region import Arc, Line
    >>> half = Columns.of([Arc((1, 0), (-1, 0), (0, 0))])
    >>> edge_gaps(half, Columns.of([Line((-2, 3), (2, 3))])).tolist()
    [2.0]
    """
    found: Numbers = np.minimum.reduce(
        [
            edge_distances(one, other.start),
            edge_distances(one, other.end),
            edge_distances(other, one.start),
            edge_distances(other, one.end),
        ]
    )
    lines, arcs = (one.turn == 0) & (other.turn == 0), (one.turn != 0) & (other.turn != 0)
    for which, between in ((lines, _of_lines), (~lines & ~arcs, _of_line_and_arc), (arcs, _of_arcs)):
        if which.any():
            found[which] = np.minimum(found[which], between(one.take(which), other.take(which)))
    return found


def _of_lines(one: Columns, other: Columns) -> Numbers:
    """0 where lines cross, else infinite: then an end is nearest."""
    first = cross(one.chord, other.start - one.start) * cross(one.chord, other.end - one.start)
    second = cross(other.chord, one.start - other.start) * cross(other.chord, one.end - other.start)
    return np.where((first < 0) & (second < 0), 0.0, np.inf)


def _of_line_and_arc(one: Columns, other: Columns) -> Numbers:
    """The foot of the centre on the line, and half the chord that the circle cuts off to both sides of it."""
    is_line = one.turn == 0
    line, arc = (
        _where(is_line, one, other),
        _where(~is_line, one, other),
    )
    along = line.chord / np.maximum(np.abs(line.chord), 1e-300)
    to_centre = arc.centre - line.start
    foot = line.start + dot(along, to_centre) * along
    off = np.abs(cross(along, to_centre))
    half = np.sqrt(((arc.radius - off) * (arc.radius + off)).clip(0)) * along
    out = foot - arc.centre
    top = arc.centre + arc.radius * out / np.maximum(np.abs(out), 1e-300)
    gap = np.where(_on(line, foot) & _on(arc, top), np.abs(top - foot), np.inf)
    cut = (_on(line, foot + half) & _on(arc, foot + half)) | (_on(line, foot - half) & _on(arc, foot - half))
    return np.where((off <= arc.radius) & cut, 0.0, gap)


def _of_arcs(one: Columns, other: Columns) -> Numbers:
    """The points of both circles on the line through their centres, and those where they cut."""
    between = other.centre - one.centre
    apart = np.maximum(np.abs(between), 1e-15 * one.radius)
    along, r, s = between / apart, one.radius, other.radius
    gap: Numbers = np.full(len(one), np.inf)
    for first in (r, -r):
        for second in (s, -s):
            p, q = one.centre + first * along, other.centre + second * along
            gap = np.where(_on(one, p) & _on(other, q), np.minimum(gap, np.abs(p - q)), gap)
    foot = (apart**2 + (r - s) * (r + s)) / (2 * apart)
    half = np.sqrt(((r - foot) * (r + foot)).clip(0))
    meets = (apart <= r + s) & (apart >= np.abs(r - s))
    for side in (half, -half):
        point = one.centre + (foot + 1j * side) * along
        gap = np.where(meets & _on(one, point) & _on(other, point), 0.0, gap)
    return gap


def _where(which: np.ndarray, one: Columns, other: Columns) -> Columns:
    """Rows of the one where it is true, else of the other."""
    return Columns(
        np.where(which, one.start, other.start),
        np.where(which, one.end, other.end),
        np.where(which, one.centre, other.centre),
        np.where(which, one.radius, other.radius),
        np.where(which, one.turn, other.turn),
    )


def _on(edges: Columns, points: Points) -> np.ndarray:
    """Whether points lie on edges."""
    return np.asarray(edge_distances(edges, points) <= ON * edges.length)
