"""Solids as values: simple ones, what is made of them, and where they stand."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.solid.placement import ORIGIN, X_AXIS, Y_AXIS, Z_AXIS, Floats, Placement, Triple, triple
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, labelled, threaded

if TYPE_CHECKING:
    from linkwork.solid.membership import Membership

Inside = NDArray[np.bool_]
Box = tuple[Floats, Floats]


class SolidError(LinkworkError):
    """A solid that cannot be: a size that is no positive number, a surface that is not closed."""


class Solid(ABC):
    """A set of points of space with a volume. Solids are values: what changes them returns another one."""

    # ------------------------------------------------------------------------------ geometry

    @abstractmethod
    def contains(self, points: Floats) -> Inside:
        """Whether each row of an array lies in the solid; on its surface the answer may be either."""

    @property
    @abstractmethod
    def box(self) -> Box:
        """The corners of a box, along the axes of the world, that holds the solid."""

    @abstractmethod
    def faces(self) -> Iterator[Face]:
        """The surfaces of all simple solids in it: its boundary consists of pieces of them."""

    @property
    def is_empty(self) -> bool:
        """Whether it is plain that there is nothing in it."""
        return _is_flat(self.box)

    # -------------------------------------------------------------------------------- moving

    def placed(self, place: Placement) -> Solid:
        """The same solid elsewhere."""
        return Placed(self, place)

    def moved(self, by: Sequence[float]) -> Solid:
        """Shifted."""
        return self.placed(Placement.shift(by))

    def turned(self, angle: float, axis: Sequence[float] = Z_AXIS, about: Sequence[float] = ORIGIN) -> Solid:
        """Turned by an angle in radians about an axis through a point."""
        return self.placed(Placement.turn(angle, axis, about))

    def mirrored(self, normal: Sequence[float]) -> Solid:
        """The mirror image in the plane through the origin across ``normal``."""
        return self.placed(Placement.mirror(normal))

    def scaled(self, factor: float) -> Solid:
        """Larger or smaller, the same in all directions."""
        return self.placed(Placement.scaling(_size("the scale", factor)))

    def repeated(self, count: int, axis: Sequence[float] = Z_AXIS, about: Sequence[float] = ORIGIN) -> Solid:
        """The union of ``count`` copies around an axis."""
        step = 2 * math.pi / count
        return Union(tuple(self.turned(step * place, axis, about) for place in range(count)))

    def named(self, label: str = "", *, gear: bool = False, colour: str = "", thread: float = 0.0) -> Solid:
        """The same solid with a label, a colour, a thread, or a mark that it is the pitch cylinder of a gear."""
        return Named(self, label, gear, colour, thread)

    # ----------------------------------------------------------------------------- combining

    def __or__(self, other: Solid) -> Solid:
        return Union((self, other))

    def __sub__(self, other: Solid) -> Solid:
        return Difference(self, (other,))

    def __and__(self, other: Solid) -> Solid:
        return Intersection((self, other))


# ------------------------------------------------------------------------------------ simple solids


@dataclass(frozen=True)
class Block(Solid):
    """A box with a corner at the origin.

    >>> Block((2, 3, 1)).contains(np.array([[1, 1, 0.5], [1, 4, 0.5]])).tolist()
    [True, False]
    """

    size: Triple

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", triple([_size("an edge of a block", each) for each in self.size]))

    def contains(self, points: Floats) -> Inside:
        inside: Inside = np.all((points > 0) & (points < np.array(self.size)), axis=1)
        return inside

    @property
    def box(self) -> Box:
        return np.zeros(3), np.array(self.size)

    def faces(self) -> Iterator[Face]:
        x, y, z = self.size
        for far in (0.0, x):
            yield PlaneFace((far, 0.0, 0.0), Y_AXIS, Z_AXIS, (0.0, y), (0.0, z))
        for far in (0.0, y):
            yield PlaneFace((0.0, far, 0.0), Z_AXIS, X_AXIS, (0.0, z), (0.0, x))
        for far in (0.0, z):
            yield PlaneFace((0.0, 0.0, far), X_AXIS, Y_AXIS, (0.0, x), (0.0, y))


@dataclass(frozen=True)
class Cylinder(Solid):
    """A cylinder along z, the centre of its base at the origin."""

    radius: float
    height: float

    def __post_init__(self) -> None:
        _set_sizes(self, "a cylinder", "radius", "height")

    def contains(self, points: Floats) -> Inside:
        x, y, z = points.T
        inside: Inside = (z > 0) & (z < self.height) & (x * x + y * y < self.radius**2)
        return inside

    @property
    def box(self) -> Box:
        r = self.radius
        return np.array([-r, -r, 0.0]), np.array([r, r, self.height])

    def faces(self) -> Iterator[Face]:
        yield RoundFace(ORIGIN, Z_AXIS, X_AXIS, self.radius, self.radius, (0.0, self.height))
        yield _disc(self.radius, 0.0)
        yield _disc(self.radius, self.height)


@dataclass(frozen=True)
class Cone(Solid):
    """A cone along z, or a piece of one: the radii at its base, at the origin, and at its top."""

    bottom: float
    top: float
    height: float

    def __post_init__(self) -> None:
        _set_sizes(self, "a cone", "height")
        for name in ("bottom", "top"):
            object.__setattr__(self, name, _size("a radius of a cone", getattr(self, name), least=0.0))
        _size("the larger radius of a cone", max(self.bottom, self.top))

    def contains(self, points: Floats) -> Inside:
        x, y, z = points.T
        radius = self.bottom + (self.top - self.bottom) * z / self.height
        inside: Inside = (z > 0) & (z < self.height) & (x * x + y * y < np.maximum(radius, 0.0) ** 2)
        return inside

    @property
    def box(self) -> Box:
        r = max(self.bottom, self.top)
        return np.array([-r, -r, 0.0]), np.array([r, r, self.height])

    def faces(self) -> Iterator[Face]:
        yield RoundFace(ORIGIN, Z_AXIS, X_AXIS, self.bottom, self.top, (0.0, self.height))
        for radius, height in ((self.bottom, 0.0), (self.top, self.height)):
            if radius > 0:
                yield _disc(radius, height)


@dataclass(frozen=True)
class Sphere(Solid):
    """A ball about the origin."""

    radius: float

    def __post_init__(self) -> None:
        _set_sizes(self, "a sphere", "radius")

    def contains(self, points: Floats) -> Inside:
        inside: Inside = np.einsum("ij,ij->i", points, points) < self.radius**2
        return inside

    @property
    def box(self) -> Box:
        return np.full(3, -self.radius), np.full(3, self.radius)

    def faces(self) -> Iterator[Face]:
        yield SphereFace(ORIGIN, self.radius)


# ------------------------------------------------------------------------------- what is made of them


class Compound(Solid):
    """A solid that is made of others."""

    @cached_property
    def _membership(self) -> Membership:
        from linkwork.solid.membership import Membership

        return Membership(self)

    def contains(self, points: Floats) -> Inside:
        return self._membership.contains(points)


@dataclass(frozen=True)
class Union(Compound):
    """All that is in any of some solids."""

    solids: tuple[Solid, ...]

    @cached_property
    def box(self) -> Box:
        boxes = np.array([box for solid in self.solids if not _is_flat(box := solid.box)])
        if not len(boxes):
            return np.zeros(3), np.zeros(3)
        return boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)

    def faces(self) -> Iterator[Face]:
        for solid in self.solids:
            yield from solid.faces()


@dataclass(frozen=True)
class Difference(Compound):
    """What is in a first solid and in none of others."""

    first: Solid
    others: tuple[Solid, ...]

    @property
    def box(self) -> Box:
        return self.first.box

    def faces(self) -> Iterator[Face]:
        for solid in (self.first, *self.others):
            yield from solid.faces()


@dataclass(frozen=True)
class Intersection(Compound):
    """What is in all of some solids."""

    solids: tuple[Solid, ...]

    @cached_property
    def box(self) -> Box:
        if not self.solids:
            return np.zeros(3), np.zeros(3)
        low = np.max([solid.box[0] for solid in self.solids], axis=0)
        high = np.min([solid.box[1] for solid in self.solids], axis=0)
        return low, np.maximum(low, high)

    def faces(self) -> Iterator[Face]:
        for solid in self.solids:
            yield from solid.faces()


EMPTY = Union(())
"""The solid with nothing in it."""


@dataclass(frozen=True)
class Placed(Solid):
    """A solid elsewhere. What is placed twice is one solid placed once."""

    solid: Solid
    place: Placement

    def __post_init__(self) -> None:
        if isinstance(self.solid, Placed):
            object.__setattr__(self, "place", self.place.holding(self.solid.place))
            object.__setattr__(self, "solid", self.solid.solid)

    def contains(self, points: Floats) -> Inside:
        return self.solid.contains(self.place.local(points))

    @cached_property
    def box(self) -> Box:
        low, high = self.solid.box
        if _is_flat((low, high)):
            return np.zeros(3), np.zeros(3)
        middle, half = self.place.point((low + high) / 2), (high - low) / 2
        spread = np.abs(self.place.matrix) @ half
        return middle - spread, middle + spread

    def faces(self) -> Iterator[Face]:
        for face in self.solid.faces():
            yield face.placed(self.place)


@dataclass(frozen=True)
class Named(Solid):
    """A solid with a label, a colour, or the mark of a gear: it is then a pitch cylinder, which may overlap another.

    ``thread`` is how far a turn goes along the thread on all its round faces, below 0 if they are left-handed.
    """

    solid: Solid
    label: str = ""
    gear: bool = False
    colour: str = ""
    thread: float = 0.0

    def contains(self, points: Floats) -> Inside:
        return self.solid.contains(points)

    @property
    def box(self) -> Box:
        return self.solid.box

    def faces(self) -> Iterator[Face]:
        for face in self.solid.faces():
            if self.thread and isinstance(face, RoundFace) and not face.pitch:
                face = threaded(face, self.thread)
            yield labelled(face, self.label) if self.label and not face.label else face


def contains_within_box(solid: Solid, points: Floats) -> Inside:
    """The same as ``solid.contains``, asked only about the points in its box."""
    points = np.asarray(points, dtype=float)
    near = are_within(points, *solid.box)
    if near.all():
        return solid.contains(points)
    inside = np.zeros(len(points), dtype=bool)
    if near.any():
        inside[near] = solid.contains(points[near])
    return inside


def are_within(points: Floats, low: Floats, high: Floats) -> Inside:
    """Which rows of an array lie in a box or on it; by columns, for rows of three are short."""
    (x, y, z), (a, b, c), (d, e, f) = points.T, low.tolist(), high.tolist()
    return np.asarray((x >= a) & (x <= d) & (y >= b) & (y <= e) & (z >= c) & (z <= f))


def _is_flat(box: Box) -> bool:
    low, high = box
    return bool((high <= low).any())


def _disc(radius: float, height: float) -> PlaneFace:
    reach = (-radius, radius)
    return PlaneFace((0.0, 0.0, height), X_AXIS, Y_AXIS, reach, reach)


def _set_sizes(solid: Solid, noun: str, *names: str) -> None:
    for name in names:
        object.__setattr__(solid, name, _size(f"the {name} of {noun}", getattr(solid, name)))


def _size(what: str, value: float, least: float | None = None) -> float:
    size = float(value)
    if math.isfinite(size) and (size > 0 if least is None else size >= least):
        return size
    wanted = "a positive number" if least is None else "a number that is not negative"
    raise SolidError(f"{what} is {value}", wanted=wanted)
