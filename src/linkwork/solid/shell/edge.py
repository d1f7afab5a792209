"""Edges of faces in space: straight ones, arcs of circles and ellipses, and chains of points for all others.

An edge has a direction. Each kind answers the same questions: where it starts and ends, the points and tangents along
it, where it crosses planes, how far it reaches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, Placement, Triple, cross, triple
from linkwork.solid.surface import TURN

Rows = NDArray[np.int64]

MOST_STEPS: Final = 4096
"""Straight pieces that stand for one arc, at most."""


class Crossings(NamedTuple):
    """Where an edge crosses planes: the number of the plane, the point, and 1 if it goes along the normal, else -1."""

    rows: Rows
    points: Floats
    signs: Floats


@dataclass(frozen=True)
class Segment:
    """A straight edge."""

    start: Triple
    end: Triple

    @property
    def is_closed(self) -> bool:
        """Whether it ends where it starts."""
        return False

    def reversed(self) -> Segment:
        """The same the other way."""
        return Segment(self.end, self.start)

    def at(self, share: Floats) -> Floats:
        """The points at shares of the way from 0 to 1."""
        start, end = np.array(self.start), np.array(self.end)
        points: Floats = start + share[:, None] * (end - start)
        return points

    def rates(self, share: Floats) -> Floats:
        """The derivatives of the points with respect to the share."""
        way = np.array(self.end) - np.array(self.start)
        return np.tile(way, (len(share), 1))

    def crossings(self, normals: Floats, offsets: Floats) -> Crossings:
        """Where it crosses the planes ``normals`` · x = ``offsets``."""
        return _chain_crossings(np.array([self.start, self.end]), normals, offsets)

    def pieces(self, angle: float) -> Floats:
        """Shares of the way that cut it into pieces which turn by at most an angle."""
        return np.array([0.0, 1.0])

    def reach(self, direction: Floats) -> tuple[float, float]:
        """The least and the largest extent along a direction."""
        x, y, z = direction.tolist()
        (a, b, c), (p, q, r) = self.start, self.end
        first, last = a * x + b * y + c * z, p * x + q * y + r * z
        return (first, last) if first < last else (last, first)

    def placed(self, place: Placement) -> Segment:
        """The edge of a solid that is placed."""
        return Segment(triple(place.point(self.start)), triple(place.point(self.end)))


@dataclass(frozen=True)
class Arc:
    """A piece of a circle or an ellipse: ``centre`` + cos t ``x`` + sin t ``y``, for t from ``first`` to ``last``.

    ``x`` and ``y`` are its half axes, square to each other.
    """

    centre: Triple
    x: Triple
    y: Triple
    first: float = 0.0
    last: float = TURN

    @property
    def start(self) -> Triple:
        """Where it starts."""
        return triple(self.at(np.array([0.0]))[0])

    @property
    def end(self) -> Triple:
        """Where it ends."""
        return triple(self.at(np.array([1.0]))[0])

    @property
    def is_closed(self) -> bool:
        """Whether it is the whole turn."""
        return abs(self.last - self.first) >= TURN * (1 - 1e-12)

    @cached_property
    def radii(self) -> tuple[float, float]:
        """The lengths of the half axes."""
        return math.hypot(*self.x), math.hypot(*self.y)

    @property
    def is_circular(self) -> bool:
        """Whether it is of a circle."""
        return math.isclose(*self.radii, rel_tol=1e-9)

    @cached_property
    def axis(self) -> Triple:
        """The unit vector about which t turns to the left."""
        normal = cross(self.x, self.y)
        return triple(normal / np.linalg.norm(normal))

    def reversed(self) -> Arc:
        """The same the other way."""
        return Arc(self.centre, self.x, self.y, self.last, self.first)

    def _angles(self, share: Floats) -> Floats:
        return self.first + (self.last - self.first) * np.asarray(share, dtype=float)

    def at(self, share: Floats) -> Floats:
        """The points at shares of the way from 0 to 1."""
        t = self._angles(share)
        points: Floats = np.array(self.centre) + np.outer(np.cos(t), self.x) + np.outer(np.sin(t), self.y)
        return points

    def rates(self, share: Floats) -> Floats:
        """The derivatives of the points with respect to the share."""
        t = self._angles(share)
        rates: Floats = (self.last - self.first) * (np.outer(np.cos(t), self.y) - np.outer(np.sin(t), self.x))
        return rates

    def crossings(self, normals: Floats, offsets: Floats) -> Crossings:
        """Where it crosses the planes: A cos(t - phi) = B has two roots, of which those on the arc count."""
        along_x, along_y = normals @ np.array(self.x), normals @ np.array(self.y)
        most = np.hypot(along_x, along_y)
        height = offsets - normals @ np.array(self.centre)
        rows = np.flatnonzero(np.abs(height) < most)
        phi = np.arctan2(along_y[rows], along_x[rows])
        half = np.arccos(height[rows] / most[rows])
        t = np.concatenate([phi + half, phi - half])
        signs = np.concatenate([-np.ones(len(rows)), np.ones(len(rows))])
        low, length = min(self.first, self.last), abs(self.last - self.first)
        on = self.is_closed | ((t - low) % TURN < length)
        t = t[on]
        points = np.array(self.centre) + np.outer(np.cos(t), self.x) + np.outer(np.sin(t), self.y)
        way = 1.0 if self.last > self.first else -1.0
        return Crossings(np.concatenate([rows, rows])[on], points, way * signs[on])

    def pieces(self, angle: float) -> Floats:
        """Shares of the way that cut it into pieces which turn by at most an angle.

        An even number of pieces for a closed one, so that its halves are alike.
        """
        count = math.ceil(abs(self.last - self.first) / angle - 1e-9)
        count = max(4 * math.ceil(count / 4), 8) if self.is_closed else max(count, 1)
        return np.linspace(0.0, 1.0, min(count, MOST_STEPS) + 1)

    def reach(self, direction: Floats) -> tuple[float, float]:
        """The least and the largest extent along a direction."""
        along_x, along_y = float(np.dot(direction, self.x)), float(np.dot(direction, self.y))
        turning = math.atan2(along_y, along_x)
        low, length = min(self.first, self.last), abs(self.last - self.first)
        angles = [self.first, self.last]
        angles += [t for t in (turning, turning + math.pi) if (t - low) % TURN <= length]
        middle = float(np.dot(direction, self.centre))
        extents = [middle + along_x * math.cos(t) + along_y * math.sin(t) for t in angles]
        return min(extents), max(extents)

    def placed(self, place: Placement) -> Arc:
        """The edge of a solid that is placed."""
        x, y = place.scale * place.direction(self.x), place.scale * place.direction(self.y)
        return Arc(triple(place.point(self.centre)), triple(x), triple(y), self.first, self.last)


@dataclass(frozen=True)
class Chain:
    """Points that follow another curve; between them it leaves the straight way by at most ``deviation``."""

    points: tuple[Triple, ...]
    deviation: float

    @property
    def start(self) -> Triple:
        """Where it starts."""
        return self.points[0]

    @property
    def end(self) -> Triple:
        """Where it ends."""
        return self.points[-1]

    @property
    def is_closed(self) -> bool:
        """Whether it ends where it starts."""
        return self.points[0] == self.points[-1]

    @cached_property
    def array(self) -> Floats:
        """The points as rows."""
        return np.array(self.points)

    def reversed(self) -> Chain:
        """The same the other way."""
        return Chain(self.points[::-1], self.deviation)

    def at(self, share: Floats) -> Floats:
        """The points at shares of the way from 0 to 1; each straight piece has the same share."""
        places = np.linspace(0.0, 1.0, len(self.points))
        return np.column_stack([np.interp(share, places, self.array[:, k]) for k in range(3)])

    def rates(self, share: Floats) -> Floats:
        """The derivatives of the points with respect to the share."""
        count = len(self.points) - 1
        piece = np.clip(np.floor(np.asarray(share) * count).astype(int), 0, count - 1)
        rates: Floats = count * np.diff(self.array, axis=0)[piece]
        return rates

    def crossings(self, normals: Floats, offsets: Floats) -> Crossings:
        """Where it crosses the planes."""
        return _chain_crossings(self.array, normals, offsets)

    def pieces(self, angle: float) -> Floats:
        """Shares of the way that cut it into its straight pieces."""
        return np.linspace(0.0, 1.0, len(self.points))

    def reach(self, direction: Floats) -> tuple[float, float]:
        """The least and the largest extent along a direction."""
        extents = self.array @ direction
        return float(extents.min()), float(extents.max())

    def placed(self, place: Placement) -> Chain:
        """The edge of a solid that is placed."""
        moved = tuple(triple(point) for point in place.point(self.array))
        return Chain(moved, self.deviation * place.scale)


Edge = Segment | Arc | Chain
Loop = tuple[Edge, ...]


def _chain_crossings(points: Floats, normals: Floats, offsets: Floats) -> Crossings:
    """Where straight pieces cross planes: a plane that runs through a point of the chain is crossed once there."""
    heights = normals @ points.T - offsets[:, None]
    above = heights >= 0
    rows, piece = np.nonzero(above[:, 1:] != above[:, :-1])
    before, after = heights[rows, piece], heights[rows, piece + 1]
    share = before / (before - after)
    found = points[piece] + share[:, None] * (points[piece + 1] - points[piece])
    return Crossings(rows, found, np.where(after > before, 1.0, -1.0))


def joined(first: Edge, second: Edge) -> Edge | None:
    """One edge instead of two that follow each other on one line or circle; none if they do not."""
    if isinstance(first, Segment) and isinstance(second, Segment):
        return Segment(first.start, second.end) if _go_on(first, second) else None
    if isinstance(first, Arc) and isinstance(second, Arc):
        return _joined_arcs(first, second)
    return None


def _go_on(first: Segment, second: Segment) -> bool:
    """Whether a straight edge goes on the way of another."""
    (a, b, c), (p, q, r) = (
        (end[0] - start[0], end[1] - start[1], end[2] - start[2])
        for start, end in ((first.start, first.end), (second.start, second.end))
    )
    if not a * p + b * q + c * r > 0:
        return False
    aside = math.hypot(b * r - c * q, c * p - a * r, a * q - b * p)
    return aside <= 1e-9 * math.hypot(a, b, c) * math.hypot(p, q, r)


def points_along(edges: Sequence[Edge], shares: Floats) -> Floats:
    """The points of edges at shares of their ways: a row for each edge, in it one for each share."""
    found = np.empty((len(edges), len(shares), 3))
    straight = [place for place, edge in enumerate(edges) if isinstance(edge, Segment)]
    starts = np.array([edges[place].start for place in straight]).reshape(-1, 3)
    ends = np.array([edges[place].end for place in straight]).reshape(-1, 3)
    found[straight] = starts[:, None] + shares[:, None] * (ends - starts)[:, None]
    for place, edge in enumerate(edges):
        if not isinstance(edge, Segment):
            found[place] = edge.at(shares)
    return found


def _joined_arcs(first: Arc, second: Arc) -> Arc | None:
    if not (first.is_circular and second.is_circular) or first.is_closed or second.is_closed:
        return None
    radius = first.radii[0]
    way = 1.0 if first.last > first.first else -1.0
    other_way = 1.0 if second.last > second.first else -1.0
    turned = np.dot(first.axis, second.axis) * way * other_way
    apart = math.dist(first.centre, second.centre)
    if apart > 1e-7 * radius or abs(second.radii[0] - radius) > 1e-7 * radius or turned < 1 - 1e-12:
        return None
    length = abs(first.last - first.first) + abs(second.last - second.first)
    if length > TURN * (1 + 1e-9):
        return None
    length = TURN if length > TURN * (1 - 1e-9) else length
    return Arc(first.centre, first.x, first.y, first.first, first.first + way * length)
