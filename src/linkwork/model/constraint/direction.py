"""Angles between lines, and directions in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import PI, Expression
from linkwork.algebra.expression import ZERO
from linkwork.model.constraint.base import Constraint, constraint_type, elements
from linkwork.model.constraint.relation import Headed, Level, Relation, Turned
from linkwork.model.field import ANY, Scalar, Size, given

if TYPE_CHECKING:
    from linkwork.model.drawing import Drawing


@constraint_type
@dataclass(frozen=True)
class Angle(Constraint):
    """The angle from the first line to the second, counter-clockwise; of three points the angle at the second.

    A line is directed from the first of its points to the second. One line alone: its angle to the x-axis.
    """

    word = "angle"
    of: tuple[str, ...] = elements(1, 3, ("L", "M"))
    value: Size = given(Scalar(ANY, example="e"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        kinds = self.kinds_in(drawing)
        if kinds == ("line",):
            return [Headed(self.of[0], self.value, undirected=False)]
        if kinds == ("line", "line"):
            return [Turned(self.of[0], self.of[1], self.value)]
        if kinds == ("point", "point", "point"):
            first, vertex, second = self.of
            return [
                Turned(drawing.line_through(vertex, first), drawing.line_through(vertex, second), self.value)
            ]
        raise self.refused(drawing, "two lines, three points, or one line", '["L", "M"]')


@constraint_type
@dataclass(frozen=True)
class Parallel(Constraint):
    """Two lines are parallel."""

    word = "parallel"
    of: tuple[str, ...] = elements(2, 2, ("L", "M"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("line", "line"):
            raise self.refused(drawing, "two lines", '["L", "M"]')
        return [Turned(self.of[0], self.of[1], ZERO, undirected=True)]


@constraint_type
@dataclass(frozen=True)
class Perpendicular(Constraint):
    """Two lines are at right angles."""

    word = "perpendicular"
    of: tuple[str, ...] = elements(2, 2, ("L", "M"))

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        if self.kinds_in(drawing) != ("line", "line"):
            raise self.refused(drawing, "two lines", '["L", "M"]')
        return [Turned(self.of[0], self.of[1], PI / 2, undirected=True)]


@dataclass(frozen=True)
class Along(Constraint):
    """A line, or the line between two points, has the direction of an axis."""

    of: tuple[str, ...] = elements(1, 2, ("L",))

    def along(self, drawing: Drawing, angle: Expression, same: str) -> Sequence[Relation]:
        """The relation for a line at an angle, or for points with the same coordinate."""
        kinds = self.kinds_in(drawing)
        if kinds == ("line",):
            return [Headed(self.of[0], angle)]
        if kinds == ("point", "point"):
            return [Level(self.of[0], self.of[1], same)]
        raise self.refused(drawing, "a line, or two points", '["L"]')


@constraint_type
@dataclass(frozen=True)
class Horizontal(Along):
    """A line, or the line between two points, is horizontal."""

    word = "horizontal"

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        return self.along(drawing, ZERO, "y")


@constraint_type
@dataclass(frozen=True)
class Vertical(Along):
    """A line, or the line between two points, is vertical."""

    word = "vertical"

    def relations(self, drawing: Drawing) -> Sequence[Relation]:
        return self.along(drawing, PI / 2, "x")
