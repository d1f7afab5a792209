"""Where constructed points and lines are: coordinates as expressions, within one frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from linkwork.algebra import PI, Expression, atan2, cos, number, sin
from linkwork.algebra.tidy import quarter_turns

ZERO, ONE = number(0), number(1)


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
        c, s = cos(angle), sin(angle)
        return Direction(self.cosine * c - self.sine * s, self.sine * c + self.cosine * s)

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


@dataclass
class Frame:
    """What is constructed in one frame: the ground, or a cluster's own."""

    prefix: str = ""
    points: dict[str, PointAt] = field(default_factory=dict)
    lines: dict[str, LineAt] = field(default_factory=dict)

    def __contains__(self, name: object) -> bool:
        return name in self.points or name in self.lines
