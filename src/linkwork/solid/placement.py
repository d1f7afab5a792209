"""Where a solid stands: a turn, perhaps a mirror and one scale for all directions, and a shift."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Triple = tuple[float, float, float]

X_AXIS: Triple = (1.0, 0.0, 0.0)
Y_AXIS: Triple = (0.0, 1.0, 0.0)
Z_AXIS: Triple = (0.0, 0.0, 1.0)
ORIGIN: Triple = (0.0, 0.0, 0.0)


def triple(values: Sequence[float] | Floats) -> Triple:
    """Three numbers as a value that can be hashed; a negative zero becomes zero.

    >>> triple([1, -0.0, 2])
    (1.0, 0.0, 2.0)
    """
    x, y, z = values
    return float(x) + 0.0, float(y) + 0.0, float(z) + 0.0


@dataclass(frozen=True)
class Placement:
    """The images of the axes x, y, z (perpendicular and of one length) and of the origin.

    >>> quarter = Placement.turn(math.pi / 2, about=(1, 0, 0))
    >>> quarter.point((2, 0, 5)).round(12).tolist()
    [1.0, 1.0, 5.0]
    """

    axes: tuple[Triple, Triple, Triple] = (X_AXIS, Y_AXIS, Z_AXIS)
    origin: Triple = ORIGIN

    @classmethod
    def of(cls, matrix: Floats, origin: Sequence[float] | Floats = ORIGIN) -> Placement:
        """The placement whose axes are the columns of a matrix."""
        columns = np.asarray(matrix, dtype=float).T
        return cls((triple(columns[0]), triple(columns[1]), triple(columns[2])), triple(origin))

    @classmethod
    def shift(cls, by: Sequence[float]) -> Placement:
        """A shift alone."""
        return cls(origin=triple(by))

    @classmethod
    def turn(cls, angle: float, axis: Sequence[float] = Z_AXIS, about: Sequence[float] = ORIGIN) -> Placement:
        """A turn by an angle in radians about an axis through a point; right angles are exact."""
        x, y, z = unit(axis)
        c, s = cosine_and_sine(angle)
        crossed = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        along = np.outer((x, y, z), (x, y, z))
        matrix = c * np.eye(3) + s * crossed + (1 - c) * along
        centre = np.asarray(about, dtype=float)
        return cls.of(matrix, centre - matrix @ centre)

    @classmethod
    def mirror(cls, normal: Sequence[float]) -> Placement:
        """The mirror image in the plane through the origin across a normal."""
        n = np.array(unit(normal))
        return cls.of(np.eye(3) - 2 * np.outer(n, n))

    @classmethod
    def scaling(cls, factor: float) -> Placement:
        """The same scale in all directions."""
        return cls.of(factor * np.eye(3))

    @cached_property
    def matrix(self) -> Floats:
        """The axes as columns."""
        return np.array(self.axes, dtype=float).T

    @cached_property
    def scale(self) -> float:
        """The length of the axes."""
        return math.hypot(*self.axes[0])

    @cached_property
    def is_mirrored(self) -> bool:
        """Whether right hands become left hands."""
        (a, b, c), (d, e, f), (g, h, i) = self.axes
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0

    @cached_property
    def back(self) -> Floats:
        """What rows of an array, seen from the origin, are multiplied by to see where they come from."""
        return self.matrix / self.scale**2

    def image(self, point: Triple) -> Triple:
        """The image of one point."""
        (a, b, c), (d, e, f), (g, h, i) = self.axes
        x, y, z = point
        p, q, r = self.origin
        return a * x + d * y + g * z + p, b * x + e * y + h * z + q, c * x + f * y + i * z + r

    def way(self, direction: Triple) -> Triple:
        """The image of one direction, its length kept."""
        (a, b, c), (d, e, f), (g, h, i) = self.axes
        scale = self.scale
        x, y, z = direction[0] / scale, direction[1] / scale, direction[2] / scale
        return a * x + d * y + g * z + 0.0, b * x + e * y + h * z + 0.0, c * x + f * y + i * z + 0.0

    def point(self, point: Sequence[float] | Floats) -> Floats:
        """The image of a point, or of the rows of an array."""
        image: Floats = np.asarray(point, dtype=float) @ self.matrix.T + np.array(self.origin)
        return image

    def direction(self, direction: Sequence[float] | Floats) -> Floats:
        """The image of a direction, its length kept."""
        image: Floats = np.asarray(direction, dtype=float) @ self.matrix.T / self.scale
        return image

    def local(self, points: Floats) -> Floats:
        """Where the rows of an array come from."""
        found: Floats = (points - np.array(self.origin)) @ self.back
        return found

    def holding(self, inner: Placement) -> Placement:
        """The placement of something that is placed inside a body that is placed so."""
        (a, b, c), (d, e, f), (g, h, i) = self.axes
        first, second, third = (
            (a * x + d * y + g * z + 0.0, b * x + e * y + h * z + 0.0, c * x + f * y + i * z + 0.0)
            for x, y, z in inner.axes
        )
        return Placement((first, second, third), triple(self.image(inner.origin)))

    @cached_property
    def inverse(self) -> Placement:
        """The placement that undoes this one."""
        back = self.back.T
        return Placement.of(back, -back @ np.array(self.origin))


def unit(direction: Sequence[float] | Floats) -> Triple:
    """A direction of length one; axes stay exact."""
    length = math.hypot(*direction)
    return triple([value / length for value in direction])


def cosine_and_sine(angle: float) -> tuple[float, float]:
    """The cosine and the sine, exact at right angles.

    >>> cosine_and_sine(math.pi / 2), cosine_and_sine(-math.pi)
    ((0.0, 1.0), (-1.0, 0.0))
    """
    quarters = angle / (math.pi / 2)
    nearest = round(quarters)
    if abs(quarters - nearest) <= 1e-15 * max(1.0, abs(quarters)):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[nearest % 4]
    return math.cos(angle), math.sin(angle)


def cross(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> Floats:
    """The vector product of directions, or of the rows of arrays; much faster than that of NumPy for single ones.

    >>> cross((1, 0, 0), (0, 1, 0)).tolist()
    [0.0, 0.0, 1.0]
    """
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if first.ndim == second.ndim == 1:
        (x, y, z), (u, v, w) = first.tolist(), second.tolist()
        return np.array((y * w - z * v, z * u - x * w, x * v - y * u))
    forth = first.take(_NEXT, axis=-1) * second.take(_AFTER_NEXT, axis=-1)
    back = first.take(_AFTER_NEXT, axis=-1) * second.take(_NEXT, axis=-1)
    return np.asarray(forth - back)


_NEXT, _AFTER_NEXT = np.array([1, 2, 0]), np.array([2, 0, 1])


def cross_length(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> float:
    """The length of the vector product of two directions, without an array in between.

    >>> cross_length((1, 0, 0), np.array([0.0, 3.0, 4.0]))
    5.0
    """
    x, y, z = a.tolist() if isinstance(a, np.ndarray) else a
    u, v, w = b.tolist() if isinstance(b, np.ndarray) else b
    return math.hypot(y * w - z * v, z * u - x * w, x * v - y * u)
