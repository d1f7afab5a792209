"""Frames where they stand: an origin and axes in the world, as expressions of the coordinates.

In the plane the orientation is an angle, x-axis (cos θ, sin θ). In space it is a unit quaternion
q = (q0, q1, q2, q3), scalar first, with the rotation matrix of Haug (1989), eq. 9.3.

    R = 2 ⎡ q0²+q1²−½  q1q2−q0q3   q1q3+q0q2 ⎤
          ⎢ q1q2+q0q3  q0²+q2²−½   q2q3−q0q1 ⎥
          ⎣ q1q3−q0q2  q2q3+q0q1   q0²+q3²−½ ⎦
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from linkwork.algebra import Expression, Operand, cos, maximum, number, select, sin, sqrt
from linkwork.model.vector import Vector

QUATERNION: Final = ("q0", "q1", "q2", "q3")
PLANE_COORDINATES: Final = ("x", "y", "angle")
SPACE_COORDINATES: Final = ("x", "y", "z", *QUATERNION)

RATES: Final = {
    "x": "vx",
    "y": "vy",
    "z": "vz",
    "angle": "rate",
    "q0": "r0",
    "q1": "r1",
    "q2": "r2",
    "q3": "r3",
}
"""What the rate of a part's coordinate is called."""


TURNS: Final = ("turn_x", "turn_y", "turn_z")
"""What turns of parts in space about the axes of the world are called: they have rates, and no values."""


def coordinate_names(dimension: int) -> tuple[str, ...]:
    """The coordinates of a part: three in the plane, seven in space."""
    return PLANE_COORDINATES if dimension == 2 else SPACE_COORDINATES


@dataclass(frozen=True)
class Placed:
    """A frame in the world. ``angle`` is that of its x-axis, in the plane."""

    part: str
    origin: Vector
    axes: tuple[Vector, ...]
    angle: Expression | None = None
    scale: Vector | None = None
    """How much longer than the world's its units are, along each axis; none is 1."""

    @classmethod
    def at(cls, part: str, coordinates: Sequence[Expression]) -> Placed:
        """The frame of a part with these coordinates."""
        if len(coordinates) == len(PLANE_COORDINATES):
            x, y, angle = coordinates
            return cls(part, Vector((x, y)), _plane_axes(angle), angle)
        return cls(part, Vector(tuple(coordinates[:3])), quaternion_axes(coordinates[3:]))

    @classmethod
    def world(cls, dimension: int, part: str = "ground") -> Placed:
        """The frame of the ground."""
        axes = tuple(Vector.axis(dimension, place) for place in range(dimension))
        return cls(part, Vector.zero(dimension), axes, number(0) if dimension == 2 else None)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return len(self.axes)

    @property
    def x(self) -> Vector:
        """The x-axis as a unit vector in the world."""
        return self.axes[0]

    @property
    def y(self) -> Vector:
        """The y-axis."""
        return self.axes[1]

    @property
    def z(self) -> Vector:
        """The z-axis, in space: the axis of a spatial joint."""
        return self.axes[2]

    @property
    def turn(self) -> Expression:
        """The angle of the x-axis; only frames of the plane have one."""
        assert self.angle is not None
        return self.angle

    def direction(self, local: Vector) -> Vector:
        """A vector given in this frame, in the world."""
        total = Vector.zero(self.dimension)
        for axis, entry in zip(self.axes, local, strict=True):
            total = total + axis * entry
        return total

    def point(self, local: Vector) -> Vector:
        """A point given in this frame, in the world."""
        return self.origin + self.direction(self.scaled(local))

    def scaled(self, local: Vector) -> Vector:
        """A vector in the units of this frame, in those of the world."""
        return local if self.scale is None else _entrywise(local, self.scale, operator.mul)

    def unscaled(self, local: Vector) -> Vector:
        """A vector in the units of the world, in those of this frame."""
        return local if self.scale is None else _entrywise(local, self.scale, operator.truediv)

    def components(self, vector: Vector) -> Vector:
        """A vector of the world, in this frame."""
        return Vector(tuple(axis @ vector for axis in self.axes))

    def local(self, point: Vector) -> Vector:
        """A point of the world, in this frame."""
        return self.unscaled(self.components(point - self.origin))

    def holding(self, inner: Placed) -> Placed:
        """The frame that is ``inner`` when seen from this one, in the world."""
        angle = None if self.angle is None or inner.angle is None else self.angle + inner.angle
        axes = tuple(self.direction(axis) for axis in inner.axes)
        scale = inner.scale if self.scale is None else self.scaled(inner.scale) if inner.scale else self.scale
        return Placed(self.part, self.point(inner.origin), axes, angle, scale)

    def seen_from(self, outer: Placed) -> Placed:
        """This frame as seen from another: ``outer.holding(result)`` stands where this one does."""
        angle = None if self.angle is None or outer.angle is None else self.angle - outer.angle
        axes = tuple(outer.components(axis) for axis in self.axes)
        scale = self.scale
        if outer.scale is not None:
            scale = outer.unscaled(self.scale or Vector.of(*[1] * self.dimension))
        return Placed(outer.part, outer.local(self.origin), axes, angle, scale)


def _plane_axes(angle: Operand) -> tuple[Vector, Vector]:
    x = Vector.of(cos(angle), sin(angle))
    return x, x.turned_left()


def quaternion_axes(quaternion: Sequence[Expression]) -> tuple[Vector, Vector, Vector]:
    """The columns of the rotation matrix of a unit quaternion."""
    q0, q1, q2, q3 = quaternion
    return (
        Vector.of(1 - 2 * (q2 * q2 + q3 * q3), 2 * (q1 * q2 + q0 * q3), 2 * (q1 * q3 - q0 * q2)),
        Vector.of(2 * (q1 * q2 - q0 * q3), 1 - 2 * (q1 * q1 + q3 * q3), 2 * (q2 * q3 + q0 * q1)),
        Vector.of(2 * (q1 * q3 + q0 * q2), 2 * (q2 * q3 - q0 * q1), 1 - 2 * (q1 * q1 + q2 * q2)),
    )


def turned_axes(axis: Vector, angle: Operand) -> tuple[Vector, Vector, Vector]:
    """The axes of the world turned about a unit vector n: R = cos θ·1 + sin θ·[n] + (1 − cos θ)·n·nᵀ."""
    c, s = cos(angle), sin(angle)
    found = []
    for place in range(3):
        unit = Vector.axis(3, place)
        found.append(unit * c + axis.cross(unit) * s + axis * (axis[place] * (1 - c)))
    return found[0], found[1], found[2]


def _entrywise(first: Vector, second: Vector, of: Callable[[Expression, Expression], Expression]) -> Vector:
    return Vector(tuple(of(a, b) for a, b in zip(first, second, strict=True)))


def quaternion_of(axes: Sequence[Vector]) -> tuple[Expression, ...]:
    """The unit quaternion of axes, with the scalar entry not negative."""
    x, y, z = axes
    w = sqrt(maximum(1 + x.x + y.y + z.z, 0)) / 2
    return (
        w,
        sqrt(maximum(1 + x.x - y.y - z.z, 0)) / 2 * side_of(y.z - z.y),
        sqrt(maximum(1 - x.x + y.y - z.z, 0)) / 2 * side_of(z.x - x.z),
        sqrt(maximum(1 - x.x - y.y + z.z, 0)) / 2 * side_of(x.y - y.x),
    )


def side_of(value: Expression) -> Expression:
    """1 or −1, never 0."""
    return select(value < 0, -1, 1)


def angular_velocity(q: Sequence[Expression], r: Sequence[Expression]) -> Vector:
    """ω in the world from a unit quaternion and its rate: the vector part of 2·q̇·q⁻¹."""
    q0, q1, q2, q3 = q
    r0, r1, r2, r3 = r
    return Vector(
        (
            2 * (q0 * r1 - q1 * r0 + q2 * r3 - q3 * r2),
            2 * (q0 * r2 - q1 * r3 - q2 * r0 + q3 * r1),
            2 * (q0 * r3 + q1 * r2 - q2 * r1 - q3 * r0),
        )
    )


def about(axis: Vector, angle: Operand) -> tuple[Expression, ...]:
    """The unit quaternion of a turn about an axis.

    >>> about(Vector.of(0, 0, 2), 0)
    (1, 0, 0, 0)
    """
    half = number(angle) / 2
    return (cos(half), *(axis.unit() * sin(half)))


def product(p: Sequence[Expression], q: Sequence[Expression]) -> tuple[Expression, ...]:
    """The turn q followed by the turn p, as quaternions."""
    p0, p1, p2, p3 = p
    q0, q1, q2, q3 = q
    return (
        p0 * q0 - p1 * q1 - p2 * q2 - p3 * q3,
        p0 * q1 + p1 * q0 + p2 * q3 - p3 * q2,
        p0 * q2 - p1 * q3 + p2 * q0 + p3 * q1,
        p0 * q3 + p1 * q2 - p2 * q1 + p3 * q0,
    )
