"""The few elementary relations that all constraints of a drawing are made of.

A relation says what holds between points and lines, nothing about how it is drawn or constructed. Lines are
directed. A *side* that the relation leaves open (left or right of a line, the same or the opposite direction) is
chosen by the first picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from linkwork.algebra import Expression
from linkwork.algebra.expression import ZERO


@dataclass(frozen=True)
class Relation:
    """What holds between some elements; ``source`` is the constraint it comes from."""

    source: str = field(default="", kw_only=True)

    @property
    def elements(self) -> tuple[str, ...]:
        """The points and lines, by name."""
        return ()


@dataclass(frozen=True)
class Apart(Relation):
    """Two points at a distance; a circle's radius is the distance of its points from its centre."""

    first: str
    second: str
    distance: Expression

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.first, self.second)


@dataclass(frozen=True)
class Beside(Relation):
    """A point at a distance from a line, on it where that is 0."""

    point: str
    line: str
    distance: Expression

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.point, self.line)

    @property
    def on_it(self) -> bool:
        """Whether the point is on the line."""
        return self.distance is ZERO


@dataclass(frozen=True)
class Turned(Relation):
    """The direction of the second line is that of the first turned by an angle; ``undirected`` up to 180°."""

    first: str
    second: str
    angle: Expression
    undirected: bool = False

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.first, self.second)


@dataclass(frozen=True)
class Headed(Relation):
    """A line has a direction in the plane."""

    line: str
    angle: Expression
    undirected: bool = True

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.line,)


@dataclass(frozen=True)
class Placed(Relation):
    """A point is at a place of the plane."""

    point: str
    x: Expression
    y: Expression

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.point,)


@dataclass(frozen=True)
class Level(Relation):
    """Two points at the same height (``axis`` y) or one above the other (``axis`` x)."""

    first: str
    second: str
    axis: str

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.first, self.second)


@dataclass(frozen=True)
class Divides(Relation):
    """point = start + share·(end − start)."""

    point: str
    start: str
    end: str
    share: Expression

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.point, self.start, self.end)


@dataclass(frozen=True)
class Mirrored(Relation):
    """Two points are images of each other in a line."""

    first: str
    second: str
    line: str

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.first, self.second, self.line)


@dataclass(frozen=True)
class Proportional(Relation):
    """The distance of the first two points is a multiple of that of the other two."""

    first: str
    second: str
    third: str
    fourth: str
    ratio: Expression

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.first, self.second, self.third, self.fourth)


@dataclass(frozen=True)
class SameTurn(Relation):
    """The angle from the first line to the second is that from the third to the fourth."""

    first: str
    second: str
    third: str
    fourth: str

    @property
    def elements(self) -> tuple[str, ...]:
        return (self.first, self.second, self.third, self.fourth)


@dataclass(frozen=True)
class Radial(Relation):
    """A circle's radius, by its name, has a value."""

    radius: str
    value: Expression
