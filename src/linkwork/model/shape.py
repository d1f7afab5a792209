"""Shapes that give a part its mass: size, centre and moments of inertia in closed form.

Each shape's inertia is that about its own centre, per unit of mass, along the part's axes. Sources: the
usual tables, e.g. Meriam & Kraige, Dynamics, appendix D; polygons by Green's theorem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from linkwork.algebra import PI, Expression, number
from linkwork.errors import LinkworkError
from linkwork.model.field import (
    Choice,
    Coordinates,
    Entries,
    Place,
    Places,
    Record,
    Scalar,
    Size,
    Sizes,
    given,
)
from linkwork.model.vector import Vector

PLANE_SHAPES = ("disc", "ring", "rectangle", "bar", "polygon")
SPACE_SHAPES = ("box", "sphere", "cylinder", "cone", "bar")


class Mass(NamedTuple):
    """The mass of a part: how much, where, and its moments about the centre (1 in the plane, 6 in space)."""

    mass: Expression
    centre: Vector
    inertia: tuple[Expression, ...]


@dataclass(frozen=True)
class Shape(Record):
    """A shape of even density.

    Plane: ``disc`` (radius), ``ring`` (radius, inner), ``rectangle`` (size), ``bar`` (two points, radius:
    half the width), ``polygon`` (points, either way round). Space: ``box`` (size), ``sphere`` (radius),
    ``cylinder`` and ``cone`` (radius, length, along z, from ``at`` upwards for the cone), ``bar``
    (a cylinder between two points, radius).

    >>> square = Shape("polygon", points=((0, 0), (0, 2), (2, 2), (2, 0)))
    >>> square.with_density(number(3), 2)
    Mass(mass=12, centre=(1, 1), inertia=(8,))
    """

    form: str = given(Choice(tuple(dict.fromkeys((*PLANE_SHAPES, *SPACE_SHAPES)))), "disc")
    at: Place | None = given(Coordinates(), None, "its centre (a cone's: the middle of its base)")
    radius: Size = given(Scalar(), 0)
    inner: Size = given(Scalar(), 0)
    length: Size = given(Scalar(), 0)
    size: Sizes = given(Entries(Scalar(), 0, 3, "a list of the edges", (1, 2)), ())
    points: Places = given(Entries(Coordinates(), 0, about="a list of points", example=((0, 0), (1, 0))), ())

    def with_density(self, density: Expression, dimension: int) -> Mass:
        """The mass of the shape at this density."""
        allowed = PLANE_SHAPES if dimension == 2 else SPACE_SHAPES
        if self.form not in allowed:
            raise LinkworkError(
                f"a {self.form} is no shape {'of the plane' if dimension == 2 else 'in space'}",
                got=f'form = "{self.form}"',
                wanted=", ".join(allowed),
                fix=f'form = "{allowed[0]}"',
            )
        self._check_sizes(dimension)
        measure, centre, inertia = _FORMS[dimension, self.form](self, self.at or Vector.zero(dimension))
        mass = density * measure
        return Mass(mass, centre, tuple(mass * entry for entry in inertia))

    def _check_sizes(self, dimension: int) -> None:
        for key in _NEEDED[self.form]:
            if getattr(self, key) is number(0):
                raise LinkworkError(
                    f"a {self.form} needs a {key}", wanted=f"{key}, more than 0", fix=f"{key} = 1"
                )
        needs = {"rectangle": 2, "box": 3}
        if self.form in needs and len(self.size) != needs[self.form]:
            raise LinkworkError(
                f"a {self.form} has {needs[self.form]} edges",
                got=f"{len(self.size)}",
                fix=f"size = {[1] * needs[self.form]}",
            )
        least = {"bar": 2, "polygon": 3}.get(self.form, 0)
        if len(self.points) < least or (self.form == "bar" and len(self.points) != 2):
            corners = [[0, 0], [1, 0], [0, 1]][:least]
            fix = f"points = {corners if dimension == 2 else [[0, 0, 0], [1, 0, 0]]}"
            raise LinkworkError(f"a {self.form} needs {least} points", got=f"{len(self.points)}", fix=fix)


_NEEDED = {
    "disc": ("radius",),
    "ring": ("radius",),
    "rectangle": (),
    "bar": ("radius",),
    "polygon": (),
    "box": (),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "cone": ("radius", "length"),
}
"""Sizes without which a form would have none."""

_Found = tuple[Expression, Vector, tuple[Expression, ...]]


def _disc(s: Shape, at: Vector) -> _Found:
    return PI * s.radius**2, at, (s.radius**2 / 2,)


def _ring(s: Shape, at: Vector) -> _Found:
    return PI * (s.radius**2 - s.inner**2), at, ((s.radius**2 + s.inner**2) / 2,)


def _rectangle(s: Shape, at: Vector) -> _Found:
    a, b = s.size
    return a * b, at, ((a**2 + b**2) / 12,)


def _plane_bar(s: Shape, at: Vector) -> _Found:
    first, last = s.points
    square, width = _squared_length(first, last), 2 * s.radius
    return square ** number(0.5) * width, (first + last) / 2, ((square + width**2) / 12,)


def _squared_length(first: Vector, last: Vector) -> Expression:
    square = (last - first).squared
    if square is number(0):
        raise LinkworkError(
            "its two points are the same",
            got=f"{first}",
            wanted="two different points",
            fix=f"points = {[[0] * len(first), [1] + [0] * (len(first) - 1)]}",
        )
    return square


def _polygon(s: Shape, at: Vector) -> _Found:
    """Green's theorem: sums over the edges of the moments of the triangles with the first corner.

    Clockwise corners make every sum negative; only the area itself needs its sign mended.
    """
    corner = s.points[0]
    area, moment, second = number(0), Vector.zero(2), number(0)
    for a, b in zip(s.points[1:], s.points[2:], strict=False):
        u, v = a - corner, b - corner
        twice = u.x * v.y - u.y * v.x
        area = area + twice / 2
        moment = moment + (u + v) * (twice / 6)
        second = second + twice * (u.squared + u @ v + v.squared) / 12
    if area is number(0):
        raise LinkworkError("its corners lie on a line", fix="points = [[0, 0], [1, 0], [0, 1]]")
    centre = moment / area
    return abs(area), corner + centre, (second / area - centre.squared,)


def _box(s: Shape, at: Vector) -> _Found:
    a, b, c = s.size
    zero = number(0)
    return a * b * c, at, ((b**2 + c**2) / 12, (a**2 + c**2) / 12, (a**2 + b**2) / 12, zero, zero, zero)


def _sphere(s: Shape, at: Vector) -> _Found:
    each, zero = number(2) * s.radius**2 / 5, number(0)
    return number(4) / 3 * PI * s.radius**3, at, (each, each, each, zero, zero, zero)


def _cylinder(s: Shape, at: Vector) -> _Found:
    side, zero = (3 * s.radius**2 + s.length**2) / 12, number(0)
    return PI * s.radius**2 * s.length, at, (side, side, s.radius**2 / 2, zero, zero, zero)


def _cone(s: Shape, at: Vector) -> _Found:
    side, zero = 3 * s.radius**2 / 20 + 3 * s.length**2 / 80, number(0)
    centre = at + Vector.of(0, 0, s.length / 4)
    return PI * s.radius**2 * s.length / 3, centre, (side, side, 3 * s.radius**2 / 10, zero, zero, zero)


def _space_bar(s: Shape, at: Vector) -> _Found:
    """A cylinder along d = p₁ − p₀: I = side·(1 − d dᵀ/d²) + r²/2·d dᵀ/d²."""
    first, last = s.points
    along, square = last - first, _squared_length(first, last)
    side, spin = (3 * s.radius**2 + square) / 12, s.radius**2 / 2
    x, y, z = along

    def entry(a: Expression, b: Expression, same: int) -> Expression:
        return side * same + (spin - side) * a * b / square

    inertia = (entry(x, x, 1), entry(y, y, 1), entry(z, z, 1), entry(x, y, 0), entry(x, z, 0), entry(y, z, 0))
    return PI * s.radius**2 * square ** number(0.5), (first + last) / 2, inertia


_FORMS = {
    (2, "disc"): _disc,
    (2, "ring"): _ring,
    (2, "rectangle"): _rectangle,
    (2, "bar"): _plane_bar,
    (2, "polygon"): _polygon,
    (3, "box"): _box,
    (3, "sphere"): _sphere,
    (3, "cylinder"): _cylinder,
    (3, "cone"): _cone,
    (3, "bar"): _space_bar,
}
