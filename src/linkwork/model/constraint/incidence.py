"""Where points are: on lines and circles, upon each other, in the middle, mirrored, fixed."""

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
    Mirrored,
    Placed,
    Relation,
)
from linkwork.model.field import ANY, Coordinates, Flag, Place, Scalar, given

if TYPE_CHECKING:
    from linkwork.model.drawing import Drawing


@constraint_type
@dataclass(frozen=True)
class On(Constraint):
    """A point is on a line or a circle."""

    word = "on"
    of: tuple[str, ...] = elements(2, 2, ("P", "L"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        kinds, (point, other) = self.kinds_in(drawing), self.of
        if kinds == ("point", "line"):
            return [Beside(point, other, ZERO)]
        if kinds == ("point", "circle"):
            return [Apart(drawing.circles[other].centre, point, drawing.radius(other))]
        raise self.refused(drawing, "a point and a line, or a point and a circle", '["P", "L"]')


@constraint_type
@dataclass(frozen=True)
class Coincident(Constraint):
    """Two points are at one place."""

    word = "coincident"
    of: tuple[str, ...] = elements(2, 2, ("A", "B"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("point", "point"):
            raise self.refused(drawing, "two points", '["A", "B"]')
        first, second = self.of
        return [Divides(second, first, first, ZERO)]


@constraint_type
@dataclass(frozen=True)
class Midpoint(Constraint):
    """The first point is halfway between the two others."""

    word = "midpoint"
    of: tuple[str, ...] = elements(3, 3, ("M", "A", "B"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("point",) * 3:
            raise self.refused(drawing, "three points: the middle, then the ends", '["M", "A", "B"]')
        middle, start, end = self.of
        return [Divides(middle, start, end, number(1) / 2)]


@constraint_type
@dataclass(frozen=True)
class Symmetric(Constraint):
    """Two points are images of each other in a line."""

    word = "symmetric"
    of: tuple[str, ...] = elements(3, 3, ("A", "B", "L"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("point", "point", "line"):
            raise self.refused(drawing, "two points and a line", '["A", "B", "L"]')
        first, second, line = self.of
        return [Mirrored(first, second, line)]


@constraint_type
@dataclass(frozen=True)
class Fixed(Constraint):
    """A point is at a place of the plane."""

    word = "fixed"
    of: tuple[str, ...] = elements(1, 1, ("A",))
    at: Place = given(Coordinates(of=Scalar(ANY), most=2, example=(0, 0)), (0, 0))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("point",):
            raise self.refused(drawing, "a point", '["A"]')
        return [Placed(self.of[0], self.at[0], self.at[1])]


@constraint_type
@dataclass(frozen=True)
class Tangent(Constraint):
    """A line touches a circle, or two circles touch; ``inside`` where one is inside the other."""

    word = "tangent"
    of: tuple[str, ...] = elements(2, 2, ("L", "C"))
    inside: bool = given(Flag(), False, "whether the second circle is inside the first")

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        kinds, (first, second) = self.kinds_in(drawing), self.of
        if kinds == ("circle", "line"):
            first, second, kinds = second, first, ("line", "circle")
        if kinds == ("line", "circle"):
            return [Beside(drawing.circles[second].centre, first, drawing.radius(second))]
        if kinds == ("circle", "circle"):
            larger, smaller = drawing.radius(first), drawing.radius(second)
            gap = larger - smaller if self.inside else larger + smaller
            return [Apart(drawing.circles[first].centre, drawing.circles[second].centre, gap)]
        raise self.refused(drawing, "a line and a circle, or two circles", '["L", "C"]')
