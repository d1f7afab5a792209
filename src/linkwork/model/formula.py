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
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

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
from linkwork.algebra.parse import Pending, Reader, Token
from linkwork.algebra.reserved import FUNCTION_NAMES
from linkwork.errors import LinkworkError, ParseError, UsageError
from linkwork.model.placed import Placed, quaternion_of
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World

_EQUALS: Final = re.compile(r"(?P<open>[(\[])|(?P<close>[)\]])|(?P<equals>(?<![<>=!])==?(?!=))")
_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    | (?P<component>\.[xyzw](?!\w))
    | (?P<operator>\*\*|<=|>=|==|!=|[-+*/^<>−·×])
    | (?P<bracket>[(),\[\]])
    | (?P<end>$)
    )""",
    re.VERBOSE,
)
_COMPONENTS: Final = {".x": 0, ".y": 1, ".z": 2}
_ENTRIES: Final = {**_COMPONENTS, ".w": 3}
AXES: Final = "xyz"
_OPENED: Final = re.compile(r"\s*\(")


class Reference(NamedTuple):
    """The name of a frame, part, point or surface inside a formula."""

    name: str


class Macro(NamedTuple):
    """A function of the user's: the names of its arguments and its text."""

    arguments: tuple[str, ...]
    text: str


Meaning = Expression | Vector | Reference


class Sense(NamedTuple):
    """What a function takes, one letter an argument, and what gives its value.

    ``f`` is a frame, ``s`` a surface, ``v`` a vector, ``p`` one with an entry for each axis, ``w`` an angular
    velocity, ``e`` an expression.
    """

    takes: tuple[str, ...]
    gives: Callable[..., Any]


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


def as_alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Two values; a vector of one component, as angular velocities are in the plane, is a number beside a number."""
    if isinstance(a, Vector) and len(a) == 1 and isinstance(b, Expression):
        return a[0], b
    if isinstance(b, Vector) and len(b) == 1 and isinstance(a, Expression):
        return a, b[0]
    return a, b


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


class FormulaReader(Reader):
    """Reads expressions that may be vectors, with functions of frames."""

    token: ClassVar[re.Pattern[str]] = _TOKEN

    def __init__(
        self,
        text: str,
        vocabulary: Vocabulary,
        given: Mapping[str, Meaning],
        start: int = 0,
        end: int | None = None,
    ) -> None:
        super().__init__(text, None, start, end)
        self.vocabulary = vocabulary
        self.given = given
        self.functions = {*FUNCTION_NAMES, *vocabulary.senses, *vocabulary.macros}

    def operand(self, token: Token, tokens: Iterator[Token]) -> bool:
        _, word, position = token
        if word == ")" and self._is_empty_call():
            self.values.append(self.called(self.pending.pop(), []))
            return False
        if word == "[":
            self.pending.append(Pending("[", position, 0, len(self.values)))
            return True
        if word == "]":
            self.fail("a value is expected before ']'", position, fix="[0, 1]")
        return super().operand(token, tokens)

    def operator(self, token: Token) -> bool:
        kind, word, position = token
        if kind == "component":
            self.values.append(self.component(self.values.pop(), word, position))
            return False
        if word == "]":
            self.apply_waiting()
            if not self.pending or self.pending[-1].name != "[":
                fix = (self.text[:position] + self.text[position + 1 :])[:60]
                self.fail("there is no open bracket for this one", position, fix=fix)
            opened = self.pending.pop()
            entries = self.values[opened.operands_before :]
            del self.values[opened.operands_before :]
            if not all(isinstance(entry, Expression) for entry in entries):
                self.fail("the entries of a vector are numbers", opened.position, fix="[0, 1]")
            self.values.append(Vector(tuple(entries)))
            return False
        if word == ")" and self._innermost() == "[":
            self.fail("this bracket closes another than was opened", position, fix="]")
        if word == "," and self._innermost() in ("", "("):
            problem = "a comma stands only between arguments and between the entries of a vector"
            self.fail(problem, position, fix="[1, 2]")
        return super().operator(token)

    def _is_empty_call(self) -> bool:
        """Whether a function has just been opened, so that it can be closed without arguments."""
        opened = self.pending[-1] if self.pending else None
        return (
            opened is not None
            and opened.name in self.functions
            and opened.operands_before == len(self.values)
        )

    def _innermost(self) -> str:
        return next((each.name for each in reversed(self.pending) if each.binding == 0), "")

    def closed(self) -> str:
        ends = ["]" if each.name == "[" else ")" for each in reversed(self.pending) if each.binding == 0]
        return self.text + "".join(ends) if len(self.text) <= 60 and len(ends) < 9 else ""

    def component(self, value: Any, word: str, position: int) -> Expression:
        """``v.x`` and the like; a quaternion's entries are w, x, y, z."""
        if not isinstance(value, Vector):
            self.fail("only a vector has components", position, fix=f"position(f){word}")
        if len(value) == 1 and word == ".z":  # the plane turns about z alone
            return value[0]
        place = _ENTRIES[word] if len(value) < 4 else ".w.x.y.z".index(word) // 2
        if place >= len(value):
            wanted = f"{len(value)} components"
            self.fail(f"this vector has no component {word}", position, wanted=wanted, fix=".x")
        return value[place]

    def value_of(self, word: str) -> Any:
        if word in self.given:
            return self.given[word]
        if word in self.vocabulary.names:
            return symbol(word)
        if word in self.vocabulary.world.machine.surfaces or self.vocabulary.is_frame(word):
            return Reference(word)
        return symbol(word)

    def name(self, word: str, position: int, tokens: Iterator[Token]) -> bool:
        called = _OPENED.match(self.text, position + len(word), self.end) is not None
        if not called and not self._is_known(word):
            owner, _, which = word.rpartition(".")
            if owner in self.given and which in AXES:  # an argument that is a vector
                self.values.append(self.component(self.given[owner], f".{which}", position))
                return False
            world = self.vocabulary.world
            frames = {*world.machine.frames, *world.parts, *world.machine.surfaces}
            self.names = {*self.vocabulary.names, *self.given, *self.functions, *frames, "pi", "π"}
            self.fail_on_name(word, position)
        if called and not self._is_known(word):
            near = get_close_matches(word[:60], sorted(self.functions), n=1)
            fix = f"did you mean {near[0]}?" if near else f'[function]\n"{word[:60]}(x)" = "…"'
            wanted = ", ".join(sorted(self.functions))
            self.fail(f"there is no function '{word[:60]}'", position, wanted=wanted, fix=fix)
        if word in self.functions and called:
            next(tokens)
            self.pending.append(Pending(word, position, 0, len(self.values)))
            return True
        if word in ("pi", "π") or word in self.functions:
            return super().name(word, position, tokens)
        self.values.append(self.value_of(word))
        return False

    def _is_known(self, word: str) -> bool:
        if any(word in each for each in (self.vocabulary.names, self.given, self.functions, ("pi", "π"))):
            return True
        return word in self.vocabulary.world.machine.surfaces or self.vocabulary.is_frame(word)

    def combined(self, operator: str, a: Any, b: Any) -> Any:
        for each in (a, b):
            if isinstance(each, Reference):
                raise UsageError(
                    f"'{each.name}' is a frame and cannot be calculated with", fix=f"position({each.name})"
                )
        if operator in "+-":
            a, b = as_alike(a, b)
        if isinstance(a, Vector) or isinstance(b, Vector):
            return self._of_vectors(operator, a, b)
        return super().combined(operator, a, b)

    def _of_vectors(self, operator: str, a: Any, b: Any) -> Any:
        both = isinstance(a, Vector) and isinstance(b, Vector)
        if both and operator in "+-":
            return a + b if operator == "+" else a - b
        if not both and operator == "*":
            return a * b if isinstance(a, Vector) else b * a
        if isinstance(a, Vector) and not both and operator == "/":
            return a / b
        if not isinstance(a, Vector) and operator in "+-" and a is number(0):
            return b if operator == "+" else -b
        raise UsageError(
            f"'{operator}' has no meaning between these",
            got="two vectors" if both else "a vector and a number",
            wanted="u + v, u - v, a*v, v/a, dot(u, v), cross(u, v)",
            fix="dot(u, v)",
        )

    def apply(self, waiting: Pending) -> None:
        last = self.values[-1]
        if isinstance(last, Reference):
            problem = f"'{last.name}' is a frame and cannot be calculated with"
            self.fail(problem, waiting.position, fix=f"position({last.name})")
        if waiting.name == "deg" and isinstance(last, Vector):
            self.fail("only a number can be in degrees", waiting.position, fix="30 deg")
        try:
            super().apply(waiting)
        except (UsageError, TypeError) as error:
            told = error if isinstance(error, LinkworkError) else UsageError("this cannot be calculated")
            self.fail(told.problem, waiting.position, wanted=told.wanted, why=told.got, fix=told.fix)

    def called(self, opened: Pending, arguments: list[Any]) -> Any:
        name = opened.name
        if name in self.vocabulary.macros:
            return self._expanded(opened, arguments)
        if name not in self.vocabulary.senses:
            if not all(isinstance(each, Expression) for each in arguments):
                self.fail(f"{name} takes numbers", opened.position, fix=f"{name}(norm(v))")
            return super().called(opened, arguments)
        sense = self.vocabulary.senses[name]
        for takes in sense.takes:
            if len(takes) == len(arguments) and all(map(self._fits, takes, arguments)):
                return self._given(sense.gives, arguments, opened)
        self.fail(
            f"{name} takes something else",
            opened.position,
            wanted=" or ".join(f"{name}({', '.join(_WORDS[letter] for letter in t)})" for t in sense.takes),
            why=f"it got {', '.join(map(_kind, arguments)) or 'nothing'}",
            fix=f"{name}({', '.join(_EXAMPLES[letter] for letter in sense.takes[0])})",
        )

    def _given(self, gives: Callable[..., Any], arguments: list[Any], opened: Pending) -> Any:
        try:
            return gives(*arguments)
        except ParseError:
            raise
        except LinkworkError as error:
            self.fail(error.problem, opened.position, wanted=error.wanted, why=error.why, fix=error.fix)

    def _fits(self, letter: str, value: Any) -> bool:
        if letter in "fs":
            is_surface = isinstance(value, Reference) and value.name in self.vocabulary.world.machine.surfaces
            return isinstance(value, Reference) and is_surface == (letter == "s")
        if letter == "p":
            return isinstance(value, Vector) and len(value) == self.vocabulary.world.dimension
        if letter == "w":
            return isinstance(value, Vector) and len(value) == (self.vocabulary.world.dimension - 1) * 2 - 1
        if letter == "v":
            return isinstance(value, Vector)
        return isinstance(value, Expression)

    def _expanded(self, opened: Pending, arguments: list[Any]) -> Any:
        """The value of a function of the user's."""
        macro = self.vocabulary.macros[opened.name]
        if len(arguments) != len(macro.arguments):
            self.fail(
                f"{opened.name} takes {len(macro.arguments)} arguments, not {len(arguments)}",
                opened.position,
                fix=f"{opened.name}({', '.join(macro.arguments)})",
            )
        given = dict(zip(macro.arguments, arguments, strict=True))
        try:
            return FormulaReader(macro.text, self.vocabulary, given).read()
        except RecursionError:
            fix = f"leave {opened.name}(…) out of its own text"
            self.fail(f"{opened.name} calls itself without end", opened.position, fix=fix)


_WORDS: Final = {
    "f": "frame",
    "s": "surface",
    "v": "vector",
    "p": "vector with an entry for each axis",
    "w": "angular velocity",
    "e": "number",
}
_EXAMPLES: Final = {
    "f": "ball",
    "s": "drum",
    "v": "velocity(ball)",
    "p": "position(ball)",
    "w": "angular_velocity(ball)",
    "e": "x",
}


def _kind(value: Any) -> str:
    if isinstance(value, Reference):
        return f"the frame {value.name}"
    return f"a vector of {len(value)}" if isinstance(value, Vector) else "a number"


def macro_of(heading: str, text: str) -> tuple[str, Macro]:
    """The name and the macro of ``"slope(a)" = "…"``."""
    match = re.fullmatch(r"\s*([^\W\d]\w*)\s*\(\s*([^()]*?)\s*\)\s*", heading)
    if match is None:
        raise UsageError(
            "a function is written with its arguments", got=heading[:60], wanted="a name and its arguments",
            fix='"height(angle)" = "2*cos(angle)"',
        )  # fmt: skip
    arguments = [each.strip() for each in match[2].split(",")] if match[2] else []
    for each in arguments:
        symbol(each)
    if len(set(arguments)) < len(arguments):
        raise UsageError(f"'{heading}' names an argument twice", fix=f'"{match[1]}(a, b)" = "…"')
    if match[1] in FUNCTION_NAMES:
        raise UsageError(f"'{heading}' cannot be defined", fix=f'"my_{match[1]}({match[2]})" = "…"')
    return match[1], Macro(tuple(arguments), text)


def names_in(texts: Iterable[str]) -> set[str]:
    """All words of formulas."""
    return {match["name"] for text in texts for match in _TOKEN.finditer(text) if match["name"]}
