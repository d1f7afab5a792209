"""Distances, and what is said of them: equal, in a ratio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import number
from linkwork.algebra.expression import ZERO
from linkwork.model.constraint.base import Constraint, constraint_type, elements
from linkwork.model.constraint.relation import (
    Apart,
    Beside,
    Divides,
    Proportional,
    Relation,
    SameTurn,
    Turned,
)
from linkwork.model.field import ANY, Scalar, Size, given

if TYPE_CHECKING:
    from linkwork.model.drawing import Drawing


@constraint_type
@dataclass(frozen=True)
class Distance(Constraint):
    """The distance between two points, a point and a line, or two parallel lines."""

    word = "distance"
    of: tuple[str, ...] = elements(2, 2, ("A", "B"))
    value: Size = given(Scalar(ANY, example="a"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        kinds, (first, second) = self.kinds_in(drawing), self.of
        if kinds == ("point", "point"):
            return [Apart(first, second, self.value)]
        if kinds == ("line", "point"):
            first, second, kinds = second, first, ("point", "line")
        if kinds == ("point", "line"):
            return [Beside(first, second, self.value)]
        if kinds == ("line", "line"):
            return [
                Turned(first, second, ZERO, undirected=True),
                Beside(drawing.point_on(second), first, self.value),
            ]
        raise self.refused(drawing, "two points, a point and a line, or two lines", '["A", "B"]')


@constraint_type
@dataclass(frozen=True)
class Radius(Constraint):
    """The radius of a circle."""

    word = "radius"
    of: tuple[str, ...] = elements(1, 1, ("C",))
    value: Size = given(Scalar(ANY, example="r"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("circle",):
            raise self.refused(drawing, "a circle or an arc", '["C"]')
        return []  # the drawing takes the value for the circle's radius


@constraint_type
@dataclass(frozen=True)
class Ratio(Constraint):
    """The distance of the first two points is ``value`` times that of the other two.

    With three points A, P, B: P divides AB, the distance AP is ``value`` times AB.
    """

    word = "ratio"
    of: tuple[str, ...] = elements(3, 4, ("A", "B", "C", "D"))
    value: Size = given(Scalar(ANY, example="1/3"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if {*self.kinds_in(drawing)} != {"point"}:
            raise self.refused(drawing, "four points, or three", '["A", "B", "C", "D"]')
        if len(self.of) == 3:
            start, point, end = self.of
            return [Divides(point, start, end, self.value)]
        first, second, third, fourth = self.of
        return [Proportional(first, second, third, fourth, self.value)]


@constraint_type
@dataclass(frozen=True)
class Equal(Constraint):
    """Two distances (four points), two radii (two circles) or two angles (four lines) are equal."""

    word = "equal"
    of: tuple[str, ...] = elements(2, 4, ("A", "B", "C", "D"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        kinds = self.kinds_in(drawing)
        if kinds == ("point",) * 4:
            first, second, third, fourth = self.of
            return [Proportional(first, second, third, fourth, number(1))]
        if kinds == ("line",) * 4:
            first, second, third, fourth = self.of
            return [SameTurn(first, second, third, fourth)]
        if kinds == ("circle", "circle"):
            return []  # the drawing gives both one radius
        raise self.refused(
            drawing,
            "four points (two distances), four lines (two angles) or two circles",
            '["A", "B", "C", "D"]',
        )
