"""Vectors of expressions, so that a joint's equation reads as in a textbook: ``a.origin - b.origin``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from linkwork.algebra import Expression, Operand, number, sqrt
from linkwork.errors import UsageError


@dataclass(frozen=True)
class Vector:
    """Two or three expressions.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> Vector.of(x, y) - Vector.of(1, 0), Vector.of(x, y) @ Vector.of(2, y)
    ((x - 1, y), y^2 + 2*x)
    """

    entries: tuple[Expression, ...]

    @classmethod
    def of(cls, *entries: Operand) -> Vector:
        """The vector of these entries."""
        return cls(tuple(number(entry) for entry in entries))

    @classmethod
    def zero(cls, dimension: int) -> Vector:
        """The origin."""
        return cls.of(*[0] * dimension)

    @classmethod
    def axis(cls, dimension: int, place: int) -> Vector:
        """A unit vector along a coordinate axis."""
        return cls.of(*[int(each == place) for each in range(dimension)])

    @property
    def x(self) -> Expression:
        """The first entry."""
        return self.entries[0]

    @property
    def y(self) -> Expression:
        """The second entry."""
        return self.entries[1]

    @property
    def z(self) -> Expression:
        """The third entry, in space."""
        return self.entries[2]

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return len(self.entries)

    def __iter__(self) -> Iterator[Expression]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, place: int) -> Expression:
        return self.entries[place]

    def __add__(self, other: Vector) -> Vector:
        return Vector(tuple(a + b for a, b in self._with(other)))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(tuple(a - b for a, b in self._with(other)))

    def __neg__(self) -> Vector:
        return Vector(tuple(-a for a in self.entries))

    def __mul__(self, factor: Operand) -> Vector:
        return Vector(tuple(a * factor for a in self.entries))

    __rmul__ = __mul__

    def __truediv__(self, divisor: Operand) -> Vector:
        return Vector(tuple(a / divisor for a in self.entries))

    def __matmul__(self, other: Vector) -> Expression:
        """The scalar product."""
        return _sum(a * b for a, b in self._with(other))

    def cross(self, other: Vector) -> Vector:
        """The vector product, in space."""
        (a, b, c), (d, e, f) = self.entries, other.entries
        return Vector((b * f - c * e, c * d - a * f, a * e - b * d))

    def turned_left(self) -> Vector:
        """The vector turned by a right angle, in the plane.

        >>> Vector.of(1, 2).turned_left()
        (-2, 1)
        """
        return Vector((-self.y, self.x))

    @property
    def squared(self) -> Expression:
        """The square of the length."""
        return self @ self

    def unit(self) -> Vector:
        """The vector of length 1 in the same direction."""
        return self / sqrt(self.squared)

    def __repr__(self) -> str:
        return f"({', '.join(map(str, self.entries))})"

    def _with(self, other: Vector) -> Iterable[tuple[Expression, Expression]]:
        if len(self.entries) != len(other.entries):
            raise UsageError(
                "a vector of the plane meets one of space",
                got=f"{self} and {other}",
                fix="give both vectors as many entries as there are axes",
            )
        return zip(self.entries, other.entries, strict=True)


def _sum(terms: Iterable[Expression]) -> Expression:
    total = number(0)
    for term in terms:
        total = total + term
    return total
