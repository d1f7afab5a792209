"""Formulas of frames: the words in which a scene says where things are and how they move.

A formula is text in ordinary notation with vectors ``[x, y, z]``, their components ``v.x``, and functions of frames:

    position(f), position(f, g)               where f is: in the world; seen from g, in its axes
    rotation(f), rotation(f, g)               its orientation as a unit quaternion (w, x, y, z)
    scale(f), scale(f, g)                     its scale along each axis
    velocity(f), velocity(f, g)               of f's origin in the world; against g, in g's axes
    local_velocity(f)                         in the world, in the axes of f
    angular_velocity(f), (f, g), local_angular_velocity(f)
    euler_x(f), euler_y(f), euler_z(f)        angles of f against what carries it, R = Rz·Ry·Rx
    transform_point(p, f, g), transform_vector, transform_spin, transform_normal    from f's axes to g's
    contains(s, f)                            zero where f's origin lies in the surface s
    local_normal(s, p), normal(s, p)          unit normals, p and result in the axes of s; in the world
    distance(f, g)                            of two origins
    mass(f), centre(f)                        of a body, and where its centre of mass is in the world
    dot(u, v), cross(u, v), norm(v)           of vectors
    rate(e), derivative(e, x)                 by the time; by what x stands for

The frames may be parts, points of parts (``crank.B``) and ``ground``, the root.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from linkwork.algebra import (
    Expression,
    Number,
    Symbol,
    asin,
    atan2,
    derivative,
    free_symbols,
    number,
    sqrt,
    substitute,
    symbol,
)
from linkwork.algebra.expression import core_of
from linkwork.errors import ParseError, UsageError
from linkwork.model.formula_reader import AXES, FormulaReader, Macro, Meaning, Reference, Sense, as_alike
from linkwork.model.placed import Placed, quaternion_of
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World

_EQUALS: Final = re.compile(r"(?P<open>[(\[])|(?P<close>[)\]])|(?P<equals>(?<![<>=!])==?(?!=))")


class Vocabulary:
    """What the words of formulas mean in a machine."""

    def __init__(self, world: World, names: Collection[str]) -> None:
        """``names`` are the scalars that a formula may use: parameters, definitions, controls, coordinates."""
        self.world = world
        self.names = names
        self.macros: Mapping[str, Macro] = world.machine.macros
        self.senses: dict[str, Sense] = {
            "position": Sense(("f", "ff"), self.position),
            "rotation": Sense(("f", "ff"), self.rotation),
            "scale": Sense(("f", "ff"), self.scale),
            "velocity": Sense(("f", "ff"), self.velocity),
            "local_velocity": Sense(("f",), self.local_velocity),
            "angular_velocity": Sense(("f", "ff"), self.angular_velocity),
            "local_angular_velocity": Sense(("f",), self.local_angular_velocity),
            **{f"euler_{axis}": Sense(("f",), _euler_of(self, axis)) for axis in AXES},
            "transform_point": Sense(("pff",), self.transform_point),
            "transform_vector": Sense(("pff",), self.transform_vector),
            "transform_spin": Sense(("wff",), self.transform_spin),
            "transform_normal": Sense(("pff",), self.transform_normal),
            "contains": Sense(("sf",), self.contains),
            "local_normal": Sense(("sp",), self.local_normal),
            "normal": Sense(("sp",), self.normal),
            "distance": Sense(("ff",), self.distance),
            "mass": Sense(("f",), self.mass),
            "centre": Sense(("f",), self.centre),
            "dot": Sense(("vv",), lambda u, v: u @ v),
            "cross": Sense(("vv",), self.cross),
            "norm": Sense(("v",), lambda v: sqrt(v.squared)),
            "rate": Sense(("e", "v"), self.rate),
            "derivative": Sense(("ee",), self.derivative),
        }

    def value(self, text: str, given: Mapping[str, Meaning] | None = None) -> Expression | Vector:
        """The value of a formula, some names standing for what is ``given``."""
        return self._checked(FormulaReader(text, self, given or {}).read(), text)

    def scalar(self, text: str, given: Mapping[str, Meaning] | None = None) -> Expression:
        """The value of a formula that has to be a number."""
        value = self.value(text, given)
        if isinstance(value, Vector):
            raise ParseError(
                "a vector stands where a number is wanted", text=text, position=0, fix=f"norm({text[:60]})"
            )
        return value

    def vector(self, text: str, given: Mapping[str, Meaning] | None = None) -> Vector:
        """The value of a formula that has to be a vector."""
        value = self.value(text, given)
        if not isinstance(value, Vector):
            fix = "[0, 0, 1]" if self.world.dimension == 3 else "[0, 1]"
            raise ParseError("a number stands where a vector is wanted", text=text, position=0, fix=fix)
        if len(value) != self.world.dimension:
            problem = f"a vector of {len(value)} stands where one of {self.world.dimension} is wanted"
            fix = "[0, 0, 1]" if self.world.dimension == 3 else "[0, 1]"
            raise ParseError(problem, text=text, position=0, fix=fix)
        return value

    def zeros(self, text: str) -> list[Expression]:
        """What is zero where an equation holds: one expression, or one for each component of a vector."""
        place = _equality(text)
        if place is None:
            value = self.value(text)
            if not text.lstrip().startswith("contains"):
                raise ParseError(
                    "this is no equation", text=text, position=len(text), wanted="two sides with == between",
                    fix=f"{text[:60].strip()} == 0",
                )  # fmt: skip
            return [*value] if isinstance(value, Vector) else [value]
        left, right = as_alike(
            self._checked(FormulaReader(text, self, {}, end=place.start()).read(), text),
            self._checked(FormulaReader(text, self, {}, start=place.end()).read(), text),
        )
        if isinstance(left, Vector) and isinstance(right, Vector) and len(left) == len(right):
            return [*(left - right)]
        if isinstance(left, Vector) or isinstance(right, Vector):
            if right is number(0) and isinstance(left, Vector):
                return [*left]
            both = isinstance(left, Vector) and isinstance(right, Vector)
            raise ParseError(
                "the two sides have different numbers of entries" if both else "one side is a vector, the other is not",
                text=text, position=place.start(), fix="write an equation of each component, such as v.x == 0",
            )  # fmt: skip
        return [left - right]

    def _checked(self, value: Any, text: str) -> Any:
        if isinstance(value, Reference):
            raise ParseError(
                f"'{value.name}' is a frame, not a number", text=text, position=0,
                wanted="a formula of it", fix=f"position({value.name}).x",
            )  # fmt: skip
        return value

    # ------------------------------------------------------------------------------- frames

    def frame(self, reference: Reference) -> Placed:
        """Where a frame stands."""
        return self.world.frame(reference.name)

    def is_frame(self, word: str) -> bool:
        """Whether a word names a frame, a part or a point."""
        machine = self.world.machine
        owner, _, point = word.partition(".")
        if not point:
            return word in machine.frames or word in self.world.parts
        return owner in self.world.parts and point in machine.part(owner).points

    def position(self, f: Reference, g: Reference | None = None) -> Vector:
        return self.frame(f).origin if g is None else self._relative(f, g).origin

    def _relative(self, f: Reference, g: Reference) -> Placed:
        return self.world.relative(f.name, g.name)

    def rotation(self, f: Reference, g: Reference | None = None) -> Vector:
        if self.world.dimension == 2:
            raise UsageError("the plane has no quaternions", wanted="an angle", fix=f"euler_z({f.name})")
        return Vector(quaternion_of(self._axes(f, g)))

    def scale(self, f: Reference, g: Reference | None = None) -> Vector:
        own = self._scale(f)
        return own if g is None else Vector(tuple(a / b for a, b in zip(own, self._scale(g), strict=True)))

    def _scale(self, f: Reference) -> Vector:
        placed = self.frame(f)
        return placed.scale or Vector.of(*[1] * placed.dimension)

    def _axes(self, f: Reference, g: Reference | None) -> tuple[Vector, ...]:
        return self.frame(f).axes if g is None else self._relative(f, g).axes

    def velocity(self, f: Reference, g: Reference | None = None) -> Vector:
        """Of an origin; against another frame it is the rate of the place seen from there."""
        return self.world.velocity(f.name) if g is None else self.rate(self.position(f, g))

    def local_velocity(self, f: Reference) -> Vector:
        return self.frame(f).components(self.velocity(f))

    def angular_velocity(self, f: Reference, g: Reference | None = None) -> Vector:
        return self.world.spin(f.name) if g is None else self.world.relative_spin(f.name, g.name)

    def local_angular_velocity(self, f: Reference) -> Vector:
        spin = self.world.spin(f.name)
        return spin if len(spin) == 1 else self.frame(f).components(spin)

    def euler(self, f: Reference, axis: str) -> Expression:
        return self.world.euler(f.name, axis)

    # --------------------------------------------------------------------------- transforms

    def transform_point(self, p: Vector, f: Reference, g: Reference) -> Vector:
        inner, outer = self.world.both_within(f.name, g.name)
        return inner.point(p) if outer is None else outer.local(inner.point(p))

    def transform_vector(self, v: Vector, f: Reference, g: Reference) -> Vector:
        """A displacement or velocity: turned and scaled, not shifted."""
        inner, outer = self.world.both_within(f.name, g.name)
        found = inner.direction(inner.scaled(v))
        return found if outer is None else outer.unscaled(outer.components(found))

    def transform_spin(self, w: Vector, f: Reference, g: Reference) -> Vector:
        """An angular velocity: turned only."""
        return w if len(w) == 1 else self._relative(f, g).direction(w)

    def transform_normal(self, n: Vector, f: Reference, g: Reference) -> Vector:
        """The normal of a surface: scaled the other way round, turned, and made a unit vector."""
        inner, outer = self.world.both_within(f.name, g.name)
        found = inner.direction(inner.unscaled(n))
        return (found if outer is None else outer.scaled(outer.components(found))).unit()

    # ----------------------------------------------------------------------------- surfaces

    def contains(self, s: Reference, f: Reference) -> Expression:
        return self._level(s, self.world.relative(f.name, self.world.machine.surfaces[s.name].on).origin)

    def local_normal(self, s: Reference, p: Vector) -> Vector:
        surface = self.world.machine.surfaces[s.name]
        names = [symbol(axis) for axis in AXES[: self.world.dimension]]
        slopes = [derivative(surface.level, name) for name in names]
        return Vector(tuple(substitute(slopes, dict(zip(names, p, strict=True))))).unit()

    def normal(self, s: Reference, p: Vector) -> Vector:
        carrier = self._carrier(s)
        return carrier.direction(carrier.unscaled(self.local_normal(s, carrier.local(p)))).unit()

    def _carrier(self, s: Reference) -> Placed:
        return self.world.frame(self.world.machine.surfaces[s.name].on)

    def _level(self, s: Reference, place: Vector) -> Expression:
        names = [symbol(axis) for axis in AXES[: self.world.dimension]]
        level: Expression = self.world.machine.surfaces[s.name].level
        return substitute([level], dict(zip(names, place, strict=True)))[0]

    # -------------------------------------------------------------------------------- other

    def distance(self, f: Reference, g: Reference) -> Expression:
        return sqrt((self.position(f) - self.position(g)).squared)

    def mass(self, f: Reference) -> Expression:
        """The mass of a body."""
        return self.world.mass(f.name)

    def centre(self, f: Reference) -> Vector:
        """The centre of mass of a body, in the world."""
        self.world.mass(f.name)  # refuses what is no body
        found = self.world.machine.body_mass(f.name)
        assert found is not None
        frame = self.frame(f)
        return frame.origin + frame.direction(
            found.centre
        )  # a body is rigid, its frame's scale does not stretch it

    def cross(self, u: Vector, v: Vector) -> Vector:
        if len(u) == 1 and len(v) == 2:  # a spin of the plane and a vector
            return v.turned_left() * u[0]
        if len(u) != 3 or len(v) != 3:
            raise UsageError(
                "cross takes two vectors of space", got=f"{u} and {v}"[:80], fix="cross([1, 0, 0], [0, 1, 0])"
            )
        return u.cross(v)

    def rate(self, value: Any) -> Any:
        """The time derivative of something that depends on positions and time."""
        entries = self.meaning([*value] if isinstance(value, Vector) else [value])
        if self.world.mentions_rates(entries):
            raise UsageError(
                "this is a rate already, and accelerations are what the simulation finds",
                wanted="something that depends on positions and time",
                fix="rate(position(f).x)",
            )
        found = [self.world.rate(entry) for entry in entries]
        return Vector(tuple(found)) if isinstance(value, Vector) else found[0]

    def derivative(self, value: Expression, by: Expression) -> Expression:
        """∂value/∂by; a definition by which it is taken keeps its name."""
        return slope(*self.meaning([value, by], kept=by))

    def meaning(self, values: Sequence[Expression], kept: Expression | None = None) -> list[Expression]:
        """Values with definitions and names of points put in: what depends on them depends on coordinates."""
        lines: dict[Expression, Expression] = {
            line.symbol: line.value
            for line in self.world.machine.definitions
            if line.explicit is not None and line.symbol is not kept
        }
        found = list(values)
        while any(leaf in lines for leaf in free_symbols(*found)):
            found = substitute(found, lines)
        return self.world.resolved(found)


def _equality(text: str) -> re.Match[str] | None:
    """The sign of equality between the sides of an equation, outside all brackets."""
    depth, found = 0, None
    for match in _EQUALS.finditer(text):
        depth += (match["open"] is not None) - (match["close"] is not None)
        if match["equals"] and depth == 0:
            if found is not None:
                raise ParseError(
                    "equations cannot be chained", text=text, position=match.start(), fix="a == b"
                )
            found = match
    return found


def _euler_of(vocabulary: Vocabulary, axis: str) -> Callable[[Reference], Expression]:
    return lambda f: vocabulary.euler(f, axis)


def euler_angle(axes: Sequence[Vector], axis: str) -> Expression:
    """An angle of R = Rz·Ry·Rx, the columns of R being the axes."""
    x, y, z = axes
    if axis == "x":
        return atan2(y.z, z.z)
    return atan2(x.y, x.x) if axis == "z" else asin(-x.z)


def slope(value: Expression, by: Expression) -> Expression:
    """∂value/∂by, where by may be an expression that the value depends on."""
    core = core_of(by)
    if isinstance(core, Number):
        raise UsageError(
            "a derivative by a number", wanted="a name, or what depends on one", fix="derivative(x^2, x)"
        )
    inner = core if isinstance(core, Symbol) else symbol("derivative_by")
    replaced = value if inner is core else substitute([value], {core: inner})[0]
    found = derivative(replaced, inner) / by.coefficient
    return found if inner is core else substitute([found], {inner: core})[0]
