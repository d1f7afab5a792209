"""Whether two polygons have inner points in common, decided exactly: touching is not overlapping.

The boundary of each is cut where it meets the other's. If a piece of one lies inside the other they overlap;
if none does, the two are apart, touch, or are the same region, and then a piece runs along an edge of the other
in the same direction, for both run counter-clockwise.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from typing import Final

import numpy as np

from linkwork.fasten.design import Polygon, Vector
from linkwork.fasten.edge_pairs import Edges, edge_pairs
from linkwork.fasten.exact_plane import Point, is_between, point, points, ray_crosses, side

MOST_MEASURED: Final = 200_000
"""Distances of points inside the other polygon from its edges, of which the deepest is told; it is for a message."""

Cuts = Mapping[int, set[Fraction]]
"""For edges that meet the other polygon where they do, from 0 at their beginning to 1 at their end."""


@dataclass(frozen=True)
class Overlap:
    """That two polygons overlap: a point of the boundary of one that lies inside the other."""

    at: Vector
    is_of_first: bool
    """Whether it is a point of the first polygon's boundary inside the second one, or the other way round."""
    vertex: int
    """The vertex that the point is, or at which the edge begins that it lies on."""
    is_vertex: bool
    depth: float
    """How far that point is from the boundary of the polygon it lies in; 0 where both are the same region."""


def overlap(first: Polygon, second: Polygon, allowed: float = 0.0) -> Overlap | None:
    """Where two counter-clockwise polygons overlap deeper than allowed; none where they only touch.

    It is the deepest vertex that lies inside, or a point of an edge where no vertex does.

    >>> def box(x, y, size):
    ...     return tuple((Fraction(x + i), Fraction(y + j)) for i, j in ((0, 0), (size, 0), (size, size), (0, size)))
    >>> overlap(box(0, 0, 2), box(2, 0, 1)) is None
    True
    >>> found = overlap(box(0, 0, 4), box(3, 3, 9))
    >>> found.vertex, found.is_of_first, found.depth
    (2, True, 1.0)
    """
    if not _boxes_meet(first, second):
        return None
    regions = Region(first), Region(second)
    cuts = _cuts(*regions)
    sides = ((first, regions[1], cuts[0], True), (second, regions[0], cuts[1], False))
    if not any(True for own, other, own_cuts, _ in sides for _ in _inside(own, other, own_cuts)):
        return None
    found = [
        Overlap(at, is_of_first, vertex, at == own[vertex], _distance(other.polygon, at))
        for own, other, own_cuts, is_of_first in sides
        for vertex, at in _to_measure(own, other, own_cuts)
    ]
    if allowed and max(each.depth for each in found) <= allowed:
        return None
    return max(found, key=lambda each: (each.is_vertex, each.depth))


class Region:
    """A polygon of which it is asked, often, where points are."""

    def __init__(self, polygon: Polygon) -> None:
        self.polygon = polygon
        self.corners = points(polygon)
        self.edges = Edges(polygon)
        # Heights by their rank, so that they are compared exactly and all at once.
        self.levels = sorted({y for _, y in polygon})
        rank = {level: place for place, level in enumerate(self.levels)}
        self.ranks = np.array([rank[y] for _, y in polygon])

    def edge(self, place: int) -> tuple[Point, Point]:
        """An edge by its ends."""
        return self.corners[place], self.corners[(place + 1) % len(self.corners)]

    def where(self, at: Vector) -> int:
        """1 for a point in the polygon, 0 on its boundary, -1 outside: by the crossings of a ray to the right.

        >>> square = Region(tuple((Fraction(x), Fraction(y)) for x, y in ((0, 0), (2, 0), (2, 2), (0, 2))))
        >>> [square.where((Fraction(x), Fraction(1))) for x in (1, 2, 3)]
        [1, 0, -1]
        """
        right, beside = self.edges.around(float(at[0]), float(at[1]))
        below = self.ranks < bisect_left(self.levels, at[1])
        crossings = int((right & (below != np.roll(below, -1))).sum())
        exact = point(at)
        for place in beside:
            crosses = ray_crosses(*self.edge(place), exact)
            if crosses is None:
                return 0
            crossings += crosses
        return 1 if crossings % 2 else -1

    def runs_along(self, start: Vector, middle: Vector) -> bool:
        """Whether the way from ``start`` to ``middle`` ends on an edge that runs along it, in the same direction."""
        here, begin = point(middle), point(start)
        for place in self.edges.around(float(middle[0]), float(middle[1]))[1]:
            a, b = self.edge(place)
            if side(a, b, here) == 0 and side(a, b, begin) == 0 and is_between(a, b, here):
                end = self.polygon[(place + 1) % len(self.polygon)]
                forward = [q - p for p, q in zip(self.polygon[place], end, strict=True)]
                own = [q - p for p, q in zip(start, middle, strict=True)]
                return forward[0] * own[0] + forward[1] * own[1] > 0
        return False


def _inside(own: Polygon, other: Region, cuts: Cuts) -> Iterator[tuple[int, Vector]]:
    """Points of a polygon's boundary inside another, each with its edge: one of every piece that lies there.

    Every piece begins at a cut, unless there is none; then the boundary is one piece.
    """
    if not cuts:
        if other.where(own[0]) > 0:
            yield 0, own[0]
        return
    for place, along in cuts.items():
        start, end = own[place], own[(place + 1) % len(own)]
        for low, high in pairwise([Fraction(0), *sorted(along - {0, 1}), Fraction(1)]):
            middle = _along(start, end, (low + high) / 2)
            where = other.where(middle)
            if where > 0 or (where == 0 and other.runs_along(start, middle)):
                yield place, middle


def _to_measure(own: Polygon, other: Region, cuts: Cuts) -> Iterator[tuple[int, Vector]]:
    """The points inside whose depth is compared: corners, and middles of pieces that are inside."""
    most = max(1, MOST_MEASURED // len(other.polygon))
    yield from islice(_inside(own, other, cuts), most)
    (left, right), (bottom, top) = _box(other.polygon)
    near = [(place, (x, y)) for place, (x, y) in enumerate(own) if left < x < right and bottom < y < top]
    yield from islice(((place, corner) for place, corner in near if other.where(corner) > 0), most)


def _cuts(mine: Region, others: Region) -> tuple[dict[int, set[Fraction]], dict[int, set[Fraction]]]:
    """Where the edges of each meet those of the other."""
    found: tuple[dict[int, set[Fraction]], dict[int, set[Fraction]]] = ({}, {})
    first, second = mine.polygon, others.polygon
    for i, j in edge_pairs(mine.edges, others.edges):
        i_next, j_next = (i + 1) % len(first), (j + 1) % len(second)
        (a, b), (c, d) = mine.edge(i), others.edge(j)
        turns = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
        if turns[0] * turns[1] < 0 and turns[2] * turns[3] < 0:
            found[0].setdefault(i, set()).add(_crossing(first[i], first[i_next], second[j], second[j_next]))
            found[1].setdefault(j, set()).add(_crossing(second[j], second[j_next], first[i], first[i_next]))
            continue
        ends = ((c, second[j], 0), (d, second[j_next], 0), (a, first[i], 1), (b, first[i_next], 1))
        for turn, (end, place, of) in zip(turns, ends, strict=True):
            low, high = ((a, b), (c, d))[of]
            if turn == 0 and is_between(low, high, end):
                found[0].setdefault(i, set()).add(_share(first[i], first[i_next], place))
                found[1].setdefault(j, set()).add(_share(second[j], second[j_next], place))
    return found


def _crossing(a: Vector, b: Vector, c: Vector, d: Vector) -> Fraction:
    """Where the segment from a to b meets the line through c and d."""
    along = d[0] - c[0], d[1] - c[1]
    before = along[0] * (a[1] - c[1]) - along[1] * (a[0] - c[0])
    behind = along[0] * (b[1] - c[1]) - along[1] * (b[0] - c[0])
    return before / (before - behind)


def _share(a: Vector, b: Vector, at: Vector) -> Fraction:
    """Where a point of the segment lies on it."""
    axis = 0 if a[0] != b[0] else 1
    return (at[axis] - a[axis]) / (b[axis] - a[axis])


def _along(a: Vector, b: Vector, share: Fraction) -> Vector:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _boxes_meet(first: Polygon, second: Polygon) -> bool:
    return all(
        low < other_high and other_low < high
        for (low, high), (other_low, other_high) in zip(_box(first), _box(second), strict=True)
    )


def _box(polygon: Polygon) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    x, y = zip(*polygon, strict=True)
    return (min(x), max(x)), (min(y), max(y))


def _distance(polygon: Polygon, at: Vector) -> float:
    """How far a point is from a polygon's boundary."""
    best = math.inf
    for place, end in enumerate(polygon):
        start = polygon[place - 1]
        ax, ay = float(start[0] - at[0]), float(start[1] - at[1])
        dx, dy = float(end[0] - start[0]), float(end[1] - start[1])
        share = min(1.0, max(0.0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
        best = min(best, math.hypot(ax + share * dx, ay + share * dy))
    return best
