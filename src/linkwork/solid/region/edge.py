"""Edges of plane regions: straight lines and circular arcs, as values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """A straight edge from ``start`` to ``end``.

    >>> Line((0, 0), (3, 4)).length
    5.0
    """

    start: Point
    end: Point

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    def at(self, share: float) -> Point:
        """The point after this share of the length."""
        (x, y), (u, v) = self.start, self.end
        return x + share * (u - x), y + share * (v - y)

    @property
    def reversed(self) -> Line:
        return Line(self.end, self.start)

    def __repr__(self) -> str:
        return f"Line({point_text(self.start)}, {point_text(self.end)})"


@dataclass(frozen=True)
class Arc:
    """A circular edge from ``start`` to ``end`` about ``centre``, less than a whole turn.

    ``radius`` is that of ``start`` unless it is given; a circle is two arcs.

    >>> arc = Arc((1, 0), (0, 1), centre=(0, 0))
    >>> arc.radius, round(arc.sweep / math.pi, 12), round(arc.reversed.sweep / math.pi, 12)
    (1.0, 0.5, -0.5)
    >>> round(Arc((1, 0), (0, 1), (0, 0), anticlockwise=False).length / math.pi, 12)
    1.5
    """

    start: Point
    end: Point
    centre: Point
    anticlockwise: bool = True
    radius: float = field(default=0.0)

    def __post_init__(self) -> None:
        if self.radius == 0:
            object.__setattr__(self, "radius", math.dist(self.start, self.centre))

    @property
    def sweep(self) -> float:
        """The angle from start to end, positive anticlockwise."""
        first = math.atan2(self.start[1] - self.centre[1], self.start[0] - self.centre[0])
        last = math.atan2(self.end[1] - self.centre[1], self.end[0] - self.centre[0])
        if self.anticlockwise:
            return (last - first) % math.tau
        return -((first - last) % math.tau)

    @property
    def length(self) -> float:
        return self.radius * abs(self.sweep)

    def at(self, share: float) -> Point:
        """The point after this share of the length."""
        first = math.atan2(self.start[1] - self.centre[1], self.start[0] - self.centre[0])
        angle = first + share * self.sweep
        return self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle)

    @property
    def reversed(self) -> Arc:
        return Arc(self.end, self.start, self.centre, not self.anticlockwise, self.radius)

    def __repr__(self) -> str:
        way = "" if self.anticlockwise else ", anticlockwise=False"
        return f"Arc({point_text(self.start)}, {point_text(self.end)}, centre={point_text(self.centre)}{way})"


Edge: TypeAlias = Line | Arc


def point_text(point: Point) -> str:
    """A point with the digits that matter to a reader."""
    return f"({point[0]:.9g}, {point[1]:.9g})"
