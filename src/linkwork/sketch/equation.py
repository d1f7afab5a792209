"""The relations of a drawing as equations over coordinates of its points and lines.

A line that goes through two named points has no coordinates of its own; any other line has its angle to the
x-axis and its distance from the origin (to the left).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from linkwork.algebra import Expression, atan2, cos, free_symbols, sin, sqrt, symbol
from linkwork.algebra.expression import ONE
from linkwork.model.constraint.relation import (
    Apart,
    Beside,
    Divides,
    Headed,
    Level,
    Mirrored,
    Placed,
    Proportional,
    Radial,
    Relation,
    SameTurn,
    Turned,
)
from linkwork.model.drawing import Drawing
from linkwork.sketch.element import Direction, LineAt, PointAt, middle, squared_distance


class Coordinates:
    """The elements of a drawing at coordinates that are symbols, or where some are known already."""

    def __init__(self, drawing: Drawing, known: Mapping[str, PointAt | LineAt] | None = None) -> None:
        self.drawing = drawing
        self.known = known or {}

    def names_of(self, element: str) -> tuple[str, ...]:
        """The coordinates that an element has of its own."""
        if element in self.known:
            return ()
        if element in self.drawing.points:
            return (f"{element}x", f"{element}y")
        if len(self.drawing.all_lines[element]) >= 2:
            return ()
        return (f"{element}_angle", f"{element}_offset")

    def point(self, name: str) -> PointAt:
        """A point."""
        found = self.known.get(name)
        if isinstance(found, PointAt):
            return found
        return PointAt(symbol(f"{name}x"), symbol(f"{name}y"))

    def line(self, name: str) -> LineAt:
        """A line: as known, through its first two points, or by its angle and offset."""
        found = self.known.get(name)
        if isinstance(found, LineAt):
            return found
        ends = self.drawing.all_lines[name][:2]
        if len(ends) == 2:
            a, b = (self.point(each) for each in ends)
            x, y, length = b.x - a.x, b.y - a.y, self.far(*ends)
            return LineAt(a, Direction(x / length, y / length, atan2(y, x)))
        angle, offset = symbol(f"{name}_angle"), symbol(f"{name}_offset")
        through = PointAt(-offset * sin(angle), offset * cos(angle))
        return LineAt(through, Direction.at(angle))

    def far(self, first: str, second: str) -> Expression:
        """The distance of two points."""
        return sqrt(self.far_squared(first, second))

    def far_squared(self, first: str, second: str) -> Expression:
        """The square of the distance of two points."""
        return squared_distance(self.point(first), self.point(second))

    def way(self, line: str) -> Expression:
        """The angle of a line to the x-axis."""
        return self.line(line).direction.to_angle()


def has_value(relation: Relation) -> bool:
    """Whether a relation is a dimension: it has a value that a drawing could give differently."""
    if isinstance(relation, Apart | Proportional | Placed | Radial):
        return not (isinstance(relation, Proportional) and relation.ratio is ONE)
    if isinstance(relation, Beside):
        return not relation.on_it
    if isinstance(relation, Turned | Headed):
        return not relation.undirected
    return False


def measured(relation: Relation, at: Coordinates) -> list[Expression]:
    """What a relation measures; for those without a value, what must be zero."""
    return _MEASURED[type(relation)](relation, at)


def wanted(relation: Relation, at: Coordinates, side: int = 1) -> list[Expression]:
    """The equations of a relation: expressions that are zero where it holds, without roots where possible."""
    if isinstance(relation, Apart):
        return [at.far_squared(relation.first, relation.second) - relation.distance**2]
    if isinstance(relation, Beside) and not relation.on_it:
        return [at.line(relation.line).left(at.point(relation.point)) - side * relation.distance]
    if isinstance(relation, Placed):
        point = at.point(relation.point)
        return [point.x - relation.x, point.y - relation.y]
    if isinstance(relation, Turned):
        first, second = (at.line(each).direction for each in relation.elements)
        return [second.minus(first.turned(relation.angle)).sine]
    if isinstance(relation, Headed):
        way = at.line(relation.line).direction
        return [way.sine * cos(relation.angle) - way.cosine * sin(relation.angle)]
    if isinstance(relation, Proportional):
        own, other = relation.elements[:2], relation.elements[2:]
        return [at.far_squared(*own) - relation.ratio**2 * at.far_squared(*other)]
    return measured(relation, at)


def _apart(relation: Apart, at: Coordinates) -> list[Expression]:
    far = at.far(relation.first, relation.second)
    return [far - relation.distance if _has_radius(relation.distance, at) else far]


def _has_radius(distance: Expression, at: Coordinates) -> bool:
    unknown = at.drawing.unknown_radii()
    return any(leaf.name in unknown for leaf in free_symbols(distance))


def _beside(relation: Beside, at: Coordinates) -> list[Expression]:
    left = at.line(relation.line).left(at.point(relation.point))
    return [left - relation.distance if _has_radius(relation.distance, at) else left]


def _turned(relation: Turned, at: Coordinates) -> list[Expression]:
    if relation.undirected:
        return wanted(relation, at)
    return [at.way(relation.second) - at.way(relation.first)]


def _headed(relation: Headed, at: Coordinates) -> list[Expression]:
    return wanted(relation, at) if relation.undirected else [at.way(relation.line)]


def _placed(relation: Placed, at: Coordinates) -> list[Expression]:
    point = at.point(relation.point)
    return [point.x, point.y]


def _level(relation: Level, at: Coordinates) -> list[Expression]:
    first, second = at.point(relation.first), at.point(relation.second)
    return [second.y - first.y if relation.axis == "y" else second.x - first.x]


def _divides(relation: Divides, at: Coordinates) -> list[Expression]:
    point, start, end = (at.point(each) for each in relation.elements)
    return [
        start.x + relation.share * (end.x - start.x) - point.x,
        start.y + relation.share * (end.y - start.y) - point.y,
    ]


def _mirrored(relation: Mirrored, at: Coordinates) -> list[Expression]:
    first, second, line = at.point(relation.first), at.point(relation.second), at.line(relation.line)
    return [line.left(middle(first, second)), line.along(second) - line.along(first)]


def _proportional(relation: Proportional, at: Coordinates) -> list[Expression]:
    own, other = at.far(relation.first, relation.second), at.far(relation.third, relation.fourth)
    return [own - other if relation.ratio is ONE else own / other]


def _same_turn(relation: SameTurn, at: Coordinates) -> list[Expression]:
    a, b, c, d = (at.line(each).direction for each in relation.elements)
    return [b.minus(a.plus(d.minus(c))).sine]


_MEASURED: Final[Mapping[type[Relation], Callable[..., list[Expression]]]] = {
    Apart: _apart,
    Beside: _beside,
    Turned: _turned,
    Headed: _headed,
    Placed: _placed,
    Level: _level,
    Divides: _divides,
    Mirrored: _mirrored,
    Proportional: _proportional,
    SameTurn: _same_turn,
    Radial: lambda relation, at: [symbol(relation.radius)],
}


def all_coordinates(drawing: Drawing, at: Coordinates) -> list[str]:
    """The coordinates of all elements, and the radii that follow from the rest."""
    elements: Sequence[str] = (*drawing.points, *drawing.all_lines)
    return [name for each in elements for name in at.names_of(each)] + list(drawing.unknown_radii())
