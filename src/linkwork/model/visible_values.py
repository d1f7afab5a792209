"""What the fields of visible objects stand for: numbers and formulas as expressions, in three coordinates.

A machine in the plane is seen from z, so its objects have three coordinates, too: the third is 0 where none is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from linkwork.algebra import Expression, Number, number, sqrt, symbol
from linkwork.errors import LinkworkError, ParseError, UsageError
from linkwork.model.field import Formula
from linkwork.model.formula import Vocabulary
from linkwork.model.formula_reader import Meaning
from linkwork.model.placed import Placed, about, quaternion_axes
from linkwork.model.pose import axes_along
from linkwork.model.vector import Vector
from linkwork.model.visible import (
    Box,
    Coil,
    Cone,
    Cylinder,
    Ellipsoid,
    Extruded,
    Model,
    Plane,
    Reaching,
    Seen,
    Sphere,
    Standing,
    Terrain,
    Torus,
    Tube,
    Words,
)

INDEX: Final = symbol("object__i")
"""What ``i`` stands for in the formulas of an object that is repeated."""
ACROSS: Final = (symbol("object__x"), symbol("object__y"))
"""What ``x`` and ``y`` stand for in the height of a terrain."""
ALONG: Final = symbol("object__s")
"""What runs along the curve of a tube."""
DISC: Final = number(1) / 5
"""Of a plane machine: the thickness of discs and boxes whose third size is not given, as a share of another size."""

UNIT: Final = (number(1), number(1), number(1))


class Values:
    """Reads fields in the vocabulary of a machine's world."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.dimension = vocabulary.world.dimension
        self.index: Mapping[str, Meaning] = {"i": INDEX}

    def amount(self, written: Any, names: Mapping[str, Meaning] | None = None) -> Expression:
        """A number or a formula that is one."""
        if not isinstance(written, Formula):
            return written
        return self.vocabulary.scalar(written.text, self.index if names is None else names)

    def amounts(self, written: Any, names: Mapping[str, Meaning] | None = None) -> tuple[Expression, ...]:
        """A list of numbers and formulas, or one formula that is a vector."""
        if not isinstance(written, Formula):
            return tuple(self.amount(each, names) for each in written)
        found = self.vocabulary.value(written.text, self.index if names is None else names)
        if not isinstance(found, Vector):
            raise ParseError(
                "a number stands where a vector is wanted", text=written.text, position=0, fix="[0, 0, 1]"
            )
        return tuple(found)

    def point(self, written: Any, names: Mapping[str, Meaning] | None = None) -> Vector:
        """A place or direction in three coordinates; none is the origin."""
        if written is None:
            return Vector.zero(3)
        found = self.amounts(written, names)
        if len(found) == 2 and self.dimension == 2:
            return Vector((*found, number(0)))
        if len(found) != 3:
            shown = ", ".join([*map(str, found), "0"][:3])
            raise LinkworkError(
                f"a list of {len(found)} stands where one of {self.dimension} is wanted", fix=f"[{shown}]"
            )
        return Vector(found)

    def place(self, name_or_formula: str) -> Vector:
        """The place of a frame, or of a formula that is a vector."""
        if self.vocabulary.is_frame(name_or_formula):
            return in_space(self.vocabulary.world.frame(name_or_formula).origin)
        return self.point(Formula(name_or_formula))

    def target(self, written: Any) -> Vector | str:
        """What a light or camera is turned to: a place on what carries it, or the name of a frame."""
        if isinstance(written, tuple) and len(written) == 1:
            only = written[0]
            if isinstance(only, Formula) and self.vocabulary.is_frame(only.text):
                return only.text
            return self.point(only if isinstance(only, Formula) else written)
        return self.point(written)

    # -------------------------------------------------------------------------------- standing

    def frame(self, name: str) -> Placed:
        """A frame or part in three coordinates."""
        placed = self.vocabulary.world.frame(name)
        if self.dimension == 3:
            return placed
        axes = (*(in_space(axis) for axis in placed.axes), Vector.axis(3, 2))
        scale = (
            None if placed.scale is None else Vector((*placed.scale, sqrt(placed.scale.x * placed.scale.x)))
        )
        return Placed(placed.part, in_space(placed.origin), axes, scale=scale)

    def stand(self, thing: Standing) -> Placed:
        """Where an object stands on what carries it."""
        if thing.quaternion is not None:
            entries = self.amounts(thing.quaternion)
            if len(entries) != 4:
                raise LinkworkError("a quaternion has four entries", fix="quaternion = [1, 0, 0, 0]")
            length = sqrt(sum((each * each for each in entries), number(0)))
            return Placed(
                thing.on, self.point(thing.at), quaternion_axes([each / length for each in entries])
            )
        turn = self.amount(thing.turn)
        axis = Vector.axis(3, 2) if thing.axis is None else self.point(thing.axis)
        axes = Placed.world(3).axes if turn is number(0) else quaternion_axes(about(axis, turn))
        return Placed(thing.on, self.point(thing.at), axes)

    def reach(self, thing: Reaching) -> Placed:
        """A frame at the first end, its z as long as the way to the second, x and y as the radius."""
        first, second = (self.place(each) for each in thing.between)
        radius = self.amount(thing.radius)
        return stretched(first, second, radius)

    # ----------------------------------------------------------------------------------- sizes

    def scale(self, thing: Seen) -> tuple[Expression, ...]:
        """By how much the unit shape of an object is stretched along each axis."""
        match thing:
            case Box():
                return self._sizes(thing.size)
            case Sphere() | Torus():
                return (self.amount(thing.radius),) * 3
            case Cylinder():
                radius = self.amount(thing.radius)
                return radius, radius, self._thickness(thing.length, radius)
            case Cone():
                radius = self.amount(thing.radius)
                return radius, radius, self.amount(thing.length)
            case Ellipsoid():
                return self._sizes(thing.radii)
            case Plane():
                return (*self.amounts(thing.size), number(1))
            case Extruded():
                return number(1), number(1), self._thickness(thing.length, number(1))
            case Words():
                return (self.amount(thing.size),) * 3
            case Model():
                return (self.amount(thing.scale),) * 3
            case _:
                return UNIT

    def _sizes(self, written: Any) -> tuple[Expression, ...]:
        found = self.amounts(written)
        if len(found) == 2 and self.dimension == 2:
            return (*found, found[1] * DISC)
        return tuple(self.point(written))

    def _thickness(self, written: Any, otherwise: Expression) -> Expression:
        if written is not None:
            return self.amount(written)
        if self.dimension == 3:
            raise UsageError("it has no length", wanted="its length along z", fix="length = 1")
        return otherwise * DISC

    def fixed(self, thing: Seen) -> tuple[Expression, ...]:
        """What decides the unit shape of an object: numbers once the parameters are."""
        match thing:
            case Cone():
                return (self.amount(thing.top) / self.amount(thing.radius),)
            case Torus():
                return (self.amount(thing.tube) / self.amount(thing.radius),)
            case Tube():
                return (*self.amounts(thing.over[1:]), self.amount(thing.radius), self.amount(thing.steps))
            case Terrain():
                return (*self.amounts(thing.size), self.amount(thing.steps))
            case Extruded():
                return tuple(entry for corner in thing.outline for entry in self.amounts(corner))
            case Coil():
                return (self.amount(thing.turns),)
            case _:
                return ()

    def curve(self, thing: Tube) -> Vector:
        """The middle line of a tube, as an expression of :data:`ALONG`."""
        name = thing.over[0].text.strip() if isinstance(thing.over[0], Formula) else ""
        if not name.isidentifier():
            raise LinkworkError(
                "the first entry is the name that runs along the curve",
                got=name or "a number",
                fix='over = ["s", 0, 1]',
            )
        return self.point(thing.curve, {**self.index, name: ALONG})

    def height(self, thing: Terrain) -> Expression:
        """The height of a terrain, as an expression of :data:`ACROSS`."""
        return self.amount(thing.height, {**self.index, **dict(zip("xy", ACROSS, strict=True))})


def in_space(vector: Vector) -> Vector:
    """A vector with three entries."""
    return vector if len(vector) == 3 else Vector((*vector, number(0)))


def stretched(first: Vector, second: Vector, radius: Expression) -> Placed:
    """A frame at one place, its z as long as the way to another, its x and y as long as a radius."""
    way = second - first
    length = sqrt(way.squared)
    if isinstance(length, Number) and length is number(0):
        return Placed("ground", first, Placed.world(3).axes, scale=Vector((radius, radius, length)))
    return Placed("ground", first, axes_along(way, None), scale=Vector((radius, radius, length)))


Matrix = tuple[Expression, ...]
"""The twelve entries of x' = A·x + b, row by row."""


def matrix_of(placed: Placed, scale: Sequence[Expression] = UNIT) -> Matrix:
    """The matrix of a frame, and of a shape in it that is stretched by a scale."""
    columns = [
        axis * (own if placed.scale is None else own * outer)
        for axis, own, outer in zip(placed.axes, scale, placed.scale or UNIT, strict=True)
    ]
    return tuple(
        entry
        for row in range(3)
        for entry in (columns[0][row], columns[1][row], columns[2][row], placed.origin[row])
    )


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """What ``inner`` does and then ``outer``."""
    found: list[Expression] = []
    for row in range(3):
        a, b, c, shift = outer[4 * row : 4 * row + 4]
        for column in range(4):
            total = a * inner[column] + b * inner[4 + column] + c * inner[8 + column]
            found.append(total + shift if column == 3 else total)
    return tuple(found)
