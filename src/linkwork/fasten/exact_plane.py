"""Points of the plane with whole-number coordinates over a common denominator, and what is decided of them exactly."""

from __future__ import annotations

import math
from typing import NamedTuple

from linkwork.fasten.design import Polygon, Vector


class Point(NamedTuple):
    """The point (x/w, y/w), w > 0. Signs of determinants of such points need no fractions."""

    x: int
    y: int
    w: int


def point(vector: Vector) -> Point:
    """A point of rational coordinates."""
    x, y = vector
    w = math.lcm(x.denominator, y.denominator)
    return Point(x.numerator * (w // x.denominator), y.numerator * (w // y.denominator), w)


def points(polygon: Polygon) -> list[Point]:
    """The corners of a polygon."""
    return [point(corner) for corner in polygon]


def side(a: Point, b: Point, c: Point) -> int:
    """Where ``c`` lies, seen along the line from ``a`` to ``b``: 1 on the left, -1 on the right, 0 on the line.

    >>> side(Point(0, 0, 1), Point(2, 0, 1), Point(1, 1, 3))
    1
    """
    found = a.x * (b.y * c.w - c.y * b.w) - a.y * (b.x * c.w - c.x * b.w) + a.w * (b.x * c.y - c.x * b.y)
    return _sign(found)


def is_between(a: Point, b: Point, c: Point) -> bool:
    """Whether ``c``, which lies on the line of ``a`` and ``b``, lies on the segment."""
    return _between(a.x, a.w, b.x, b.w, c.x, c.w) and _between(a.y, a.w, b.y, b.w, c.y, c.w)


def _between(a: int, aw: int, b: int, bw: int, c: int, cw: int) -> bool:
    low, high = a * cw <= c * aw, b * cw <= c * bw
    return (low and b * cw >= c * bw) or (high and a * cw >= c * aw)


def ray_crosses(a: Point, b: Point, at: Point) -> bool | None:
    """Whether a ray from a point to the right crosses an edge; none where the point lies on it.

    An edge has its lower end and not its upper one, so that a ray through a corner is counted once.
    """
    height_a, height_b = (_sign(end.y * at.w - at.y * end.w) for end in (a, b))
    if height_a * height_b > 0:
        return False
    turn = side(a, b, at)
    if turn == 0 and is_between(a, b, at):
        return None
    # It meets an edge that goes up if the point is on its left.
    return (height_a < 0) != (height_b < 0) and (turn > 0) == (height_a < 0)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
