"""Where a frame stands, as a user gives it: a point and an orientation."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.algebra import atan2 as angle_of
from linkwork.algebra import select, sqrt
from linkwork.model.field import Coordinates, Place, Record, Scalar, Size, given
from linkwork.model.placed import Placed, about, quaternion_axes
from linkwork.model.vector import Vector


@dataclass(frozen=True)
class Pose(Record):
    """A point and an orientation.

    In the plane ``turn`` is the angle of the frame's x-axis, or ``x`` is its direction. In space ``turn``
    goes about ``axis`` (by default z), or ``z`` (and, if it matters, ``x``) gives the frame's own axes,
    which are then turned about z.
    """

    at: Place | None = given(Coordinates(), None, "the origin")
    turn: Size = given(Scalar(example="30 deg"), 0, "the angle")
    axis: Place | None = given(Coordinates(example=(0, 0, 1)), None, "the axis of the turn, in space")
    x: Place | None = given(Coordinates(example=(1, 0)), None, "the direction of the x-axis")
    z: Place | None = given(Coordinates(example=(0, 0, 1)), None, "the direction of the z-axis, in space")

    def placed(self, dimension: int, part: str = "ground") -> Placed:
        """The frame in the world, or in the frame of a part."""
        origin = self.at or Vector.zero(dimension)
        if dimension == 2:
            return Placed.at(part, (*origin, self.turn)) if self.x is None else self._along_x(origin, part)
        if self.z is None and self.x is None:
            axes = quaternion_axes(about(self.axis or Vector.axis(3, 2), self.turn))
            return Placed(part, origin, axes if self._turns else Placed.world(3).axes)
        base = Placed(part, origin, axes_along(self.z, self.x))
        if not self._turns:
            return base
        return base.holding(
            Placed(part, Vector.zero(3), quaternion_axes(about(Vector.axis(3, 2), self.turn)))
        )

    @property
    def _turns(self) -> bool:
        return self.turn is not Pose().turn

    def _along_x(self, origin: Vector, part: str) -> Placed:
        """In the plane, with the x-axis along a direction: no angle has to be computed for the axes."""
        assert self.x is not None
        x = self.x.unit()
        base = Placed(part, origin, (x, x.turned_left()), angle_of(self.x.y, self.x.x))
        return base.holding(Placed.at(part, (*Vector.zero(2), self.turn))) if self._turns else base


def axes_along(z: Vector | None, x: Vector | None) -> tuple[Vector, Vector, Vector]:
    """Axes with z (or x, if only that is given) exactly along a direction."""
    if z is None:
        assert x is not None
        first, second, third = axes_along(x, None)
        return third, first, second
    up = z.unit()
    if x is None:
        return (*_beside(up), up)
    across = x - up * (up @ x)
    forward = across / sqrt(across.squared)
    return forward, up.cross(forward), up


def _beside(z: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors perpendicular to a unit vector and to each other (Duff et al. 2017)."""
    sign = select(z.z < 0, -1, 1)
    a = -1 / (sign + z.z)
    b = z.x * z.y * a
    return (
        Vector.of(1 + sign * z.x * z.x * a, sign * b, -sign * z.x),
        Vector.of(b, sign + z.y * z.y * a, -z.y),
    )
