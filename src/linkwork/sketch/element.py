"""Where constructed points and lines are: coordinates as expressions, within one frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkwork.algebra import PI, Expression, atan2, cos, sin, sqrt
from linkwork.algebra.expression import ZERO
from linkwork.algebra.tidy import quarter_turns


@dataclass(frozen=True)
class PointAt:
    """A point."""

    x: Expression
    y: Expression


@dataclass(frozen=True)
class Direction:
    """A unit vector, with its angle to the x-axis where that is known as an expression of dimensions."""

    cosine: Expression
    sine: Expression
    angle: Expression | None = None

    @classmethod
    def at(cls, angle: Expression) -> Direction:
        """The direction at an angle; right angles in it are taken out, cos(a − π/2) is sin(a)."""
        turns = quarter_turns(angle)
        rest = angle - PI / 2 * turns if turns else angle
        c, s = cos(rest), sin(rest)
        for _ in range(turns % 4):
            c, s = -s, c
        return cls(c, s, angle)

    def turned(self, angle: Expression) -> Direction:
        """The direction further on by an angle."""
        if self.angle is not None:
            return Direction.at(self.angle + angle)
        return self.plus(Direction(cos(angle), sin(angle)))

    def plus(self, turn: Direction) -> Direction:
        """The direction further on by the angle of another one."""
        return Direction(
            self.cosine * turn.cosine - self.sine * turn.sine,
            self.sine * turn.cosine + self.cosine * turn.sine,
        )

    def minus(self, other: Direction) -> Direction:
        """The direction whose angle is that from another one to this."""
        return Direction(
            self.cosine * other.cosine + self.sine * other.sine,
            self.sine * other.cosine - self.cosine * other.sine,
        )

    def to_angle(self) -> Expression:
        """The angle to the x-axis, by the arc tangent where nothing shorter is known."""
        return self.angle if self.angle is not None else atan2(self.sine, self.cosine)


@dataclass(frozen=True)
class LineAt:
    """A directed line through a point."""

    through: PointAt
    direction: Direction

    def left(self, point: PointAt) -> Expression:
        """How far a point is to the left of the line."""
        dx, dy = point.x - self.through.x, point.y - self.through.y
        return dy * self.direction.cosine - dx * self.direction.sine

    def along(self, point: PointAt) -> Expression:
        """How far along the line the foot of a point is."""
        dx, dy = point.x - self.through.x, point.y - self.through.y
        return dx * self.direction.cosine + dy * self.direction.sine

    def at(self, along: Expression, left: Expression) -> PointAt:
        """The point so far along the line and to its left."""
        c, s = self.direction.cosine, self.direction.sine
        return PointAt(self.through.x + along * c - left * s, self.through.y + along * s + left * c)

    def reach(self, other: LineAt) -> Expression | None:
        """How far along this line another one meets it; None where they are parallel."""
        a, b = self.direction, other.direction
        turn = b.minus(a)
        if a.angle is not None and b.angle is not None:
            turn = Direction.at(b.angle - a.angle)
        if turn.sine is ZERO:
            return None
        dx, dy = other.through.x - self.through.x, other.through.y - self.through.y
        return (dx * b.sine - dy * b.cosine) / turn.sine


def squared_distance(first: PointAt, second: PointAt) -> Expression:
    """The square of the distance of two points."""
    return (second.x - first.x) ** 2 + (second.y - first.y) ** 2


def middle(first: PointAt, second: PointAt) -> PointAt:
    """The point halfway between two."""
    return PointAt((first.x + second.x) / 2, (first.y + second.y) / 2)


def bisector(first: PointAt, second: PointAt) -> LineAt:
    """The line of all points as far from one point as from another."""
    length = sqrt(squared_distance(first, second))
    direction = Direction((first.y - second.y) / length, (second.x - first.x) / length)
    return LineAt(middle(first, second), direction)


@dataclass
class Frame:
    """What is constructed in one frame: the ground, or a cluster's own."""

    prefix: str = ""
    points: dict[str, PointAt] = field(default_factory=dict)
    lines: dict[str, LineAt] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        return name in self.points or name in self.lines
