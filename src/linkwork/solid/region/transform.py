"""Motions, mirrors and scales of the plane, which keep lines and circles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linkwork.solid.placement import cosine_and_sine
from linkwork.solid.region.columns import Columns, Points
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.fault import RegionError
from linkwork.solid.region.loop import MANY, Loop


class Similarity(NamedTuple):
    """(x, y) → (a x ∓ b y, b x ± a y) + shift, the lower signs for a mirror image."""

    a: float = 1.0
    b: float = 0.0
    shift_by: Point = (0.0, 0.0)
    mirrored: bool = False

    @classmethod
    def shift(cls, by: Sequence[float]) -> Similarity:
        return cls(shift_by=(float(by[0]), float(by[1])))

    @classmethod
    def turn(cls, angle: float, about: Sequence[float]) -> Similarity:
        c, s = cosine_and_sine(angle)
        x, y = about
        return cls(c, s, (x - (c * x - s * y), y - (s * x + c * y)))

    @classmethod
    def mirror(cls, normal: Sequence[float]) -> Similarity:
        length = math.hypot(*normal)
        if not 0 < length < math.inf:
            raise RegionError("a mirror needs a direction", got=str(tuple(normal)), fix="mirrored((1, 0))")
        x, y = normal[0] / length, normal[1] / length
        return cls(y * y - x * x, -2 * x * y, mirrored=True)

    @classmethod
    def scaling(cls, factor: float) -> Similarity:
        return cls(a=factor)

    def point(self, point: Point) -> Point:
        x, y = point
        if self.mirrored:
            y = -y
        u, v = self.a * x - self.b * y + self.shift_by[0], self.b * x + self.a * y + self.shift_by[1]
        return u + 0.0, v + 0.0  # no negative zeros

    def edge(self, edge: Edge) -> Edge:
        start, end = self.point(edge.start), self.point(edge.end)
        if isinstance(edge, Line):
            return Line(start, end)
        radius = edge.radius * math.hypot(self.a, self.b)
        return Arc(start, end, self.point(edge.centre), edge.anticlockwise != self.mirrored, radius)

    def columns(self, edges: Columns) -> Columns:
        """The images of edges as columns; those of lines have no centre."""
        arcs = edges.turn != 0
        return Columns(
            self._points(edges.start),
            self._points(edges.end),
            np.where(arcs, self._points(edges.centre), 0.0),
            edges.radius * math.hypot(self.a, self.b),
            (-edges.turn if self.mirrored else edges.turn) + 0.0,
        )

    def _points(self, points: Points) -> Points:
        x, y = points.real, -points.imag if self.mirrored else points.imag
        found = np.empty(len(points), dtype=complex)
        found.real = self.a * x - self.b * y + self.shift_by[0] + 0.0
        found.imag = self.b * x + self.a * y + self.shift_by[1] + 0.0
        return found

    def loop(self, loop: Loop) -> Loop:
        """The image with the inside on the same side, from its leftmost corner on."""
        if loop.circle is not None:
            first = self.edge(loop.edges[0])
            assert isinstance(first, Arc)
            return Loop.round(first.centre, first.radius, first.anticlockwise != self.mirrored)
        if len(loop) > MANY:
            image = Loop.of_columns(self.columns(loop.columns))
        else:
            image = Loop(tuple(self.edge(edge) for edge in loop))
        return (image.reversed if self.mirrored else image).from_leftmost
