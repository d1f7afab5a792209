"""Reading formulas: numbers, vectors, frames, and functions of these, built in or the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from linkwork.algebra import Expression, number, symbol
from linkwork.algebra.parse import Pending, Reader, Token
from linkwork.algebra.reserved import FUNCTION_NAMES
from linkwork.errors import LinkworkError, ParseError, UsageError
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.formula import Vocabulary

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
AXES: Final = "xyz"
_COMPONENTS: Final = {".x": 0, ".y": 1, ".z": 2}
_ENTRIES: Final = {**_COMPONENTS, ".w": 3}
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


def as_alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Two values; a vector of one component, as angular velocities are in the plane, is a number beside a number."""
    if isinstance(a, Vector) and len(a) == 1 and isinstance(b, Expression):
        return a[0], b
    if isinstance(b, Vector) and len(b) == 1 and isinstance(a, Expression):
        return a, b[0]
    return a, b


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
