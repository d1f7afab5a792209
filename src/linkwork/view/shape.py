"""The shapes a body is drawn with, in the body's own coordinates: what they are, not how they look."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import ClassVar, Literal

from linkwork.errors import UsageError

Point = tuple[float, ...]
"""Two coordinates in the plane, three in space."""

PLANE, SPACE = 2, 3
_PLACES = ("at", "axis", "size", "orientation")
_MEASURES = ("radius", "length", "width", "pitch")


@dataclass(frozen=True)
class Shape:
    """What all shapes share: their points are tuples of finite floats, their measures positive."""

    dimensions: ClassVar[tuple[int, ...]] = (PLANE,)

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in _PLACES:
                object.__setattr__(self, field.name, _point(self, value))
            elif field.name == "points":
                points = tuple(_point(self, each) for each in value)
                object.__setattr__(self, "points", points)
                if not points:
                    raise UsageError(
                        f"a {type(self).__name__} has no points", got="points=()", wanted="at least one"
                    )
            elif field.name == "rings":
                object.__setattr__(self, "rings", _rings(self, value))
            elif field.name in _MEASURES and value is not None and not 0 < value < math.inf:
                raise UsageError(
                    f"a {type(self).__name__} with an impossible {field.name}",
                    got=f"{field.name}={value!r}",
                    wanted="a positive number",
                    fix="give the measure in the same unit as the points",
                )

    def spots(self) -> tuple[Point, ...]:
        """The points that say where the shape is."""
        if hasattr(self, "rings"):
            return tuple(point for ring in self.rings for point in ring)
        return getattr(self, "points", None) or (getattr(self, "at", ()),)

    def reach(self) -> float:
        """How far the shape extends beyond its spots, as far as its own measures say."""
        return float(getattr(self, "radius", 0.0) or 0.0)


def _point(shape: Shape, value: Iterable[float]) -> Point:
    point = tuple(float(each) for each in value)
    if not all(map(math.isfinite, point)):
        raise UsageError(
            f"a {type(shape).__name__} stands at no definite place",
            got=repr(point),
            wanted="finite coordinates",
            fix="leave the shape out when its place is unknown",
        )
    return point


def _rings(shape: Shape, value: Iterable[Iterable[Iterable[float]]]) -> tuple[tuple[Point, ...], ...]:
    rings = tuple(tuple(_point(shape, point) for point in ring) for ring in value)
    if not rings or min(len(ring) for ring in rings) < 3:
        raise UsageError(
            f"a {type(shape).__name__} has no outline",
            got=f"rings of {', '.join(str(len(ring)) for ring in rings) or 'no'} points",
            wanted="closed rings of at least three points",
        )
    return rings


@dataclass(frozen=True)
class Bar(Shape):
    """A link through its pins: two points give a rounded bar, more a rounded convex plate.

    >>> Bar(((0, 0), (3, 0))).points
    ((0.0, 0.0), (3.0, 0.0))
    """

    dimensions = (PLANE, SPACE)
    points: tuple[Point, ...]
    width: float | None = None


@dataclass(frozen=True)
class Pin(Shape):
    """The pin of a revolute joint; a grounded one stands on a hatched triangle."""

    at: Point
    grounded: bool = False


@dataclass(frozen=True)
class Block(Shape):
    """The block of a slider; what is not given follows from the size of the scene."""

    at: Point
    angle: float = 0.0
    length: float | None = None
    width: float | None = None


@dataclass(frozen=True)
class Rail(Shape):
    """The guide of a slider: two hatched lines on the ground, a slot in a moving body.

    ``at`` is its middle, ``width`` the gap between its sides.
    """

    at: Point
    angle: float
    length: float
    width: float | None = None

    def reach(self) -> float:
        return self.length / 2


@dataclass(frozen=True)
class Gear(Shape):
    """A gear by its pitch radius, with involute teeth.

    At the angle ``phase`` an external gear has the middle of a tooth and an internal one the middle of a
    gap, so a pinion and a ring with equal phases mesh on that side.
    """

    at: Point
    radius: float
    teeth: int
    internal: bool = False
    phase: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.teeth < 4:
            raise UsageError(
                "a gear with too few teeth to draw",
                got=f"teeth={self.teeth}",
                wanted="at least 4",
                fix=f"Disc(at={self.at}, radius={self.radius})",
            )


@dataclass(frozen=True)
class Rack(Shape):
    """A toothed bar: ``at`` is the middle of its pitch line and of a tooth, teeth point to the left."""

    at: Point
    angle: float
    length: float
    pitch: float

    def reach(self) -> float:
        return self.length / 2


@dataclass(frozen=True)
class Disc(Shape):
    """A round plate: a wheel, a roller, an eccentric."""

    at: Point
    radius: float


@dataclass(frozen=True)
class Axis(Shape):
    """The axis of a turn, seen from its end: a small cross, a larger one with a ring where it is marked."""

    at: Point
    is_marked: bool = False


@dataclass(frozen=True)
class Slide(Shape):
    """The way of a slide: an arrow with two heads, its middle at ``at``."""

    dimensions = (PLANE, SPACE)
    at: Point
    axis: Point
    length: float

    def reach(self) -> float:
        return self.length / 2


@dataclass(frozen=True)
class Callout(Shape):
    """A name beside the machine: its points are what it names, and both ends of the line on which it stands."""

    points: tuple[Point, ...]
    text: str
    is_marked: bool = False


@dataclass(frozen=True)
class PitchCircle(Shape):
    """The circle on which a gear rolls, dashed."""

    at: Point
    radius: float


@dataclass(frozen=True)
class Polygon(Shape):
    """A flat part with corners."""

    points: tuple[Point, ...]


LayerLook = Literal["edged", "plain", "hidden", "cut", "gone"]
"""A layer's look: with an edge around it, without, or not seen from above; where the body is cut away, by its edge
alone or not at all."""


@dataclass(frozen=True)
class Outline(Shape):
    """A layer of a solid from one height to another: rings filled by the even-odd rule, so inner ones are holes.

    ``tier`` is how high it lies, from 0 for the lowest of all to 1 for the highest. ``edges`` are the lines around it
    that are seen where not all of them are.
    """

    rings: tuple[tuple[Point, ...], ...]
    low: float
    high: float
    tier: float = 0.5
    look: LayerLook = "edged"
    edges: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True)
class Facets(Shape):
    """The surface of a solid in space: triangles by the numbers of their points, to the left seen from outside."""

    dimensions = (SPACE,)
    points: tuple[Point, ...]
    triangles: tuple[tuple[int, int, int], ...]
    is_clear: bool = False
    """Whether only its edges are drawn, so that one sees what is in it."""


@dataclass(frozen=True)
class Curve(Shape):
    """A line through points: closed ones are filled (cam outlines), open ones are slots and edges."""

    points: tuple[Point, ...]
    closed: bool = False


@dataclass(frozen=True)
class Label(Shape):
    """A short text beside a point, always upright; the name of a joint is marked."""

    dimensions = (PLANE, SPACE)
    at: Point
    text: str
    is_marked: bool = False


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball: the joint of that name, a mass."""

    dimensions = (SPACE,)
    at: Point
    radius: float


@dataclass(frozen=True)
class Hinge(Shape):
    """The pin of a revolute joint in space: a cylinder with its middle at ``at``."""

    dimensions = (SPACE,)
    at: Point
    axis: Point
    length: float | None = None
    radius: float | None = None


@dataclass(frozen=True)
class Box(Shape):
    """A cuboid: a slider in space; ``orientation`` is a unit quaternion, scalar first."""

    dimensions = (SPACE,)
    at: Point
    size: Point
    orientation: Point = (1.0, 0.0, 0.0, 0.0)

    def reach(self) -> float:
        return math.hypot(*self.size) / 2


@dataclass(frozen=True)
class Plate(Shape):
    """A thin flat part in space, by its corners."""

    dimensions = (SPACE,)
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Track(Shape):
    """The guide of a slider in space: a slim rod along ``axis`` with its middle at ``at``."""

    dimensions = (SPACE,)
    at: Point
    axis: Point
    length: float

    def reach(self) -> float:
        return self.length / 2
