"""By how much the constraints of a drawing fail, from the coordinates of its elements alone."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from drawings import Built
from linkwork import evaluate
from linkwork.model.constraint import (
    Angle,
    Coincident,
    Constraint,
    Distance,
    Equal,
    Fixed,
    Horizontal,
    Midpoint,
    On,
    Parallel,
    Perpendicular,
    Radius,
    Ratio,
    Symmetric,
    Tangent,
    Vertical,
)
from linkwork.model.drawing import Drawing


@dataclass(frozen=True)
class Gauge:
    """What can be measured in a drawing whose elements have been found."""

    drawing: Drawing
    found: Built
    values: Mapping[str, float]

    def value(self, size: Any) -> float:
        """A dimension in numbers."""
        return evaluate([size], dict(self.values))[0]

    def left(self, point: str, line: str) -> float:
        """How far a point is to the left of a line."""
        way = self.found.ways[line].conjugate()
        return ((self.found.points[point] - self.found.bases[line]) * way).imag

    def far(self, first: str, second: str) -> float:
        """The distance of two points."""
        return abs(self.found.points[second] - self.found.points[first])

    def points(self, each: Constraint) -> list[complex]:
        """The places of the points that a constraint is of."""
        return [self.found.points[name] for name in each.of if name in self.found.points]

    def ways(self, each: Constraint) -> list[complex]:
        """The directions of the lines that a constraint is of."""
        return [self.found.ways[name] for name in each.of if name in self.found.ways]

    def kinds(self, each: Constraint) -> tuple[str, ...]:
        """What the elements of a constraint are."""
        return each.kinds_in(self.drawing)


def residuals(drawing: Drawing, found: Built, values: Mapping[str, float]) -> dict[str, float]:
    """By how much each constraint fails; lines and circles, which hold their points, by their own names."""
    at = Gauge(drawing, found, values)
    result = {name: abs(off(each, at)) for name, each in drawing.constraints.items()}
    for name, on in drawing.lines.items():
        result[name] = max([abs(at.left(point, name)) for point in on], default=0.0)
    for name, circle in drawing.circles.items():
        gaps = [abs(at.far(circle.centre, each) - found.radii[name]) for each in circle.through]
        result[name] = max(gaps, default=0.0)
    return result


def turn(first: complex, second: complex) -> float:
    """The angle from one direction to another."""
    return cmath.phase(second / first)


def small(angle: float, whole: float = 2 * math.pi) -> float:
    """The size of an angle, up to whole turns."""
    return abs((angle + whole / 2) % whole - whole / 2)


@singledispatch
def off(each: Constraint, at: Gauge) -> float:
    """By how much a constraint fails; its sign has no meaning."""
    raise AssertionError(each)


@off.register
def _(each: Distance, at: Gauge) -> float:
    wanted = at.value(each.value)
    match at.kinds(each):
        case ("point", "point"):
            return at.far(*each.of) - wanted
        case ("point", "line"):
            return abs(at.left(*each.of)) - wanted
        case ("line", "point"):
            return abs(at.left(*reversed(each.of))) - wanted
        case _:
            first, second = each.of
            apart = abs(at.left(at.drawing.lines[second][0], first)) - wanted
            return max(abs(apart), small(turn(*at.ways(each)), math.pi))


@off.register
def _(each: Angle, at: Gauge) -> float:
    wanted = at.value(each.value)
    match at.kinds(each):
        case ("line",):
            return small(turn(1, *at.ways(each)) - wanted)
        case ("line", "line"):
            return small(turn(*at.ways(each)) - wanted)
        case _:
            first, vertex, second = at.points(each)
            return small(turn(first - vertex, second - vertex) - wanted)


@off.register
def _(each: Parallel, at: Gauge) -> float:
    return small(turn(*at.ways(each)), math.pi)


@off.register
def _(each: Perpendicular, at: Gauge) -> float:
    return small(turn(*at.ways(each)) - math.pi / 2, math.pi)


def along(each: Horizontal | Vertical, at: Gauge) -> complex:
    """The direction of a line, or the way from one point to another."""
    if at.kinds(each) == ("line",):
        return at.ways(each)[0]
    first, second = at.points(each)
    return second - first


@off.register
def _(each: Horizontal, at: Gauge) -> float:
    return along(each, at).imag


@off.register
def _(each: Vertical, at: Gauge) -> float:
    return along(each, at).real


@off.register
def _(each: On, at: Gauge) -> float:
    point, other = each.of
    if at.kinds(each) == ("point", "line"):
        return at.left(point, other)
    return at.far(at.drawing.circles[other].centre, point) - at.found.radii[other]


@off.register
def _(each: Coincident, at: Gauge) -> float:
    return at.far(*each.of)


@off.register
def _(each: Midpoint, at: Gauge) -> float:
    middle, first, second = at.points(each)
    return abs(2 * middle - first - second)


@off.register
def _(each: Symmetric, at: Gauge) -> float:
    first, second = at.points(each)
    middle = (first + second) / 2 - at.found.bases[each.of[2]]
    way = at.ways(each)[0].conjugate()
    return max(abs((middle * way).imag), abs(((second - first) * way).real))


@off.register
def _(each: Fixed, at: Gauge) -> float:
    x, y = each.at
    return abs(at.points(each)[0] - complex(at.value(x), at.value(y)))


@off.register
def _(each: Radius, at: Gauge) -> float:
    return at.found.radii[each.of[0]] - at.value(each.value)


@off.register
def _(each: Equal, at: Gauge) -> float:
    match at.kinds(each):
        case ("circle", "circle"):
            first, second = (at.found.radii[name] for name in each.of)
            return first - second
        case ("line", *_):
            a, b, c, d = at.ways(each)
            return small(turn(a, b) - turn(c, d), math.pi)
        case _:
            return at.far(*each.of[:2]) - at.far(*each.of[2:])


@off.register
def _(each: Ratio, at: Gauge) -> float:
    ratio = at.value(each.value)
    if len(each.of) == 3:
        a, p, b = at.points(each)
        return abs(p - a - ratio * (b - a))
    return at.far(*each.of[:2]) - ratio * at.far(*each.of[2:])


@off.register
def _(each: Tangent, at: Gauge) -> float:
    circles = [name for name in each.of if name in at.drawing.circles]
    centres = [at.drawing.circles[name].centre for name in circles]
    radii = [at.found.radii[name] for name in circles]
    lines = [name for name in each.of if name in at.drawing.lines]
    if lines:
        return abs(at.left(centres[0], lines[0])) - radii[0]
    return at.far(*centres) - radii[0] - (-radii[1] if each.inside else radii[1])
