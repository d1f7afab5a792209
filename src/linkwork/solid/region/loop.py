"""Closed loops of edges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.solid.region.columns import Columns, cross
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.measure import Moments, moments_of
from linkwork.solid.region.trace import Chain

MANY: Final = 100
"""Edges, from which on columns of numbers are faster than one edge after another."""


@dataclass(frozen=True)
class Loop:
    """Edges each of which starts where the one before ends, and the first where the last ends.

    >>> corners = (0, 0), (4, 0), (0, 3)
    >>> triangle = Loop(tuple(Line(corners[k - 1], corners[k]) for k in (1, 2, 0)))
    >>> triangle.area, triangle.reversed.area, triangle.length
    (6.0, -6.0, 12.0)
    """

    edges: tuple[Edge, ...]

    @staticmethod
    def round(centre: Point, radius: float, anticlockwise: bool = True) -> Loop:
        """A circle, in two arcs from its leftmost point on."""
        left, right = (centre[0] - radius, centre[1]), (centre[0] + radius, centre[1])
        return Loop(
            (
                Arc(left, right, centre, anticlockwise, radius),
                Arc(right, left, centre, anticlockwise, radius),
            )
        )

    @staticmethod
    def of(chain: Chain) -> Loop:
        """From the steps of a trace."""
        edges: list[Edge] = []
        for tail, head, centre, radius, turn in chain:
            start, end = (tail.real, tail.imag), (head.real, head.imag)
            edges.append(
                Arc(start, end, (centre.real, centre.imag), turn > 0, radius) if turn else Line(start, end)
            )
        return Loop(tuple(edges))

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.edges)

    def __len__(self) -> int:
        return len(self.edges)

    @cached_property
    def columns(self) -> Columns:
        """The edges as columns of numbers."""
        return Columns.of(self.edges)

    @cached_property
    def _moments(self) -> Moments:
        return moments_of(self.columns)

    @property
    def area(self) -> float:
        """What the loop encloses: positive anticlockwise."""
        return self._moments.area

    @cached_property
    def is_hole(self) -> bool:
        """Whether the loop runs clockwise."""
        if len(self.edges) > MANY:
            return twice_area(self.columns) < 0
        twice = 0.0
        x, y = self.edges[0].start
        for edge in self.edges:
            (a, b), (c, d) = edge.start, edge.end
            twice += (a - x) * (d - y) - (b - y) * (c - x)
            if isinstance(edge, Arc):
                sweep = edge.sweep
                twice += edge.radius**2 * (sweep - math.sin(sweep))
        return twice < 0

    @property
    def length(self) -> float:
        return float(self.columns.length.sum())

    @property
    def reversed(self) -> Loop:
        """The same loop run the other way."""
        return Loop(tuple(edge.reversed for edge in self.edges[::-1]))

    @property
    def from_leftmost(self) -> Loop:
        """The same loop from its leftmost corner on: so equal loops are equal values."""
        first = min(range(len(self.edges)), key=lambda place: self.edges[place].start)
        return Loop(self.edges[first:] + self.edges[:first])

    @property
    def circle(self) -> tuple[Point, float] | None:
        """The centre and the radius, if the loop is a whole circle."""
        first = self.edges[0]
        if not isinstance(first, Arc):
            return None
        for edge in self.edges[1:]:
            if not isinstance(edge, Arc) or (edge.centre, edge.radius) != (first.centre, first.radius):
                return None
        return first.centre, first.radius

    def __repr__(self) -> str:
        if self.circle is not None:
            (x, y), radius = self.circle
            return f"<Loop: circle of radius {radius:.9g} about ({x:.9g}, {y:.9g})>"
        return f"<Loop: {len(self.edges)} edges, area {self.area:.9g}>"


def twice_area(edges: Columns) -> float:
    """Twice what a loop encloses, to about as many digits as its corners have: its sign tells which way it runs."""
    middle = edges.start[0]
    segments = edges.radius**2 * (edges.sweep - np.sin(edges.sweep))
    return float((cross(edges.start - middle, edges.end - middle) + segments).sum())
