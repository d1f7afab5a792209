"""Closed loops of edges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.solid.region.columns import Columns, cross
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.measure import Moments, moments_of
from linkwork.solid.region.trace import Chain

MANY: Final = 100
"""Edges, from which on columns of numbers are faster than one edge after another."""


class Loop:
    """Edges each of which starts where the one before ends, and the first where the last ends.

    A loop is given by its edges or by columns of numbers; either is made of the other when it is asked for.

    >>> corners = (0, 0), (4, 0), (0, 3)
    >>> triangle = Loop(tuple(Line(corners[k - 1], corners[k]) for k in (1, 2, 0)))
    >>> triangle.area, triangle.reversed.area, triangle.length
    (6.0, -6.0, 12.0)
    """

    def __init__(self, edges: tuple[Edge, ...]) -> None:
        self.__dict__["edges"] = edges

    @staticmethod
    def of_columns(columns: Columns) -> Loop:
        """From edges as columns of numbers."""
        loop: Loop = object.__new__(Loop)
        loop.__dict__["columns"] = columns
        return loop

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
        if len(chain) > MANY:
            return Loop.of_columns(Columns(*(np.array(each) for each in zip(*chain, strict=True))))
        edges: list[Edge] = []
        for tail, head, centre, radius, turn in chain:
            start, end = (tail.real, tail.imag), (head.real, head.imag)
            edges.append(
                Arc(start, end, (centre.real, centre.imag), turn > 0, radius) if turn else Line(start, end)
            )
        return Loop(tuple(edges))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a loop is a value: its {name} cannot be set")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Loop):
            return NotImplemented
        if len(self) > MANY:
            return len(self) == len(other) and self.columns.same(other.columns)
        return self.edges == other.edges

    def __hash__(self) -> int:
        if len(self) > MANY:
            return hash((self.columns.start + 0.0).tobytes())  # no negative zeros, which equal others
        return hash(self.edges)

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.edges)

    def __len__(self) -> int:
        return len(self.__dict__.get("edges") or self.columns)

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges as values."""
        return self.columns.edges()

    @cached_property
    def columns(self) -> Columns:
        """The edges as columns of numbers."""
        return Columns.of(self.edges)

    @property
    def start(self) -> Point:
        """Where the first edge starts."""
        if len(self) > MANY:
            first = complex(self.columns.start[0])
            return first.real, first.imag
        return self.edges[0].start

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
        if len(self) > MANY:
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
        if len(self) > MANY:
            return Loop.of_columns(self.columns.reversed())
        return Loop(tuple(edge.reversed for edge in self.edges[::-1]))

    @property
    def from_leftmost(self) -> Loop:
        """The same loop from its leftmost corner on: so equal loops are equal values."""
        if len(self) > MANY:
            start = self.columns.start
            first = int(np.lexsort((start.imag, start.real))[0])
            return (
                Loop.of_columns(self.columns.take(np.roll(np.arange(len(self)), -first))) if first else self
            )
        first = min(range(len(self.edges)), key=lambda place: self.edges[place].start)
        return Loop(self.edges[first:] + self.edges[:first]) if first else self

    @property
    def circle(self) -> tuple[Point, float] | None:
        """The centre and the radius, if the loop is a whole circle."""
        if len(self) > MANY and np.ptp(self.columns.radius) > 0:
            return None
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
