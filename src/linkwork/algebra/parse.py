"""Text to expressions: ordinary notation, no ``eval``, linear time, every fault with a caret under it.

Operator precedence with two explicit stacks (Dijkstra's shunting yard), so that nesting costs memory
but never recursion. From loose to tight: comparison, + −, * /, sign, ^ (from the right), ``deg``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

from linkwork.algebra import functions
from linkwork.algebra.arithmetic import add, divide, function, multiply, negate, power
from linkwork.algebra.expression import (
    ATAN2,
    COMPARISONS,
    LESS,
    LESS_EQUAL,
    MAX,
    MIN,
    PI,
    SELECT,
    UNARY,
    Expression,
    number,
    symbol,
)
from linkwork.algebra.reserved import FUNCTION_NAMES
from linkwork.errors import BadName, ExpressionError, ParseError, UnknownNameInText, UsageError

# A double has at most 309 digits before its point; longer numerals are mistakes or attacks.
LONGEST_NUMERAL: Final = 400
_SMALLEST: Final = Fraction(5e-324)
_LARGEST: Final = Fraction(sys.float_info.max)

_TOKEN: Final = re.compile(
    r"""\s*(?:
      (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)
    | (?P<operator>\*\*|<=|>=|==|!=|[-+*/^<>−·×])
    | (?P<bracket>[(),])
    | (?P<end>$)
    )""",
    re.VERBOSE,
)
_SUPERSCRIPTS: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
_OTHER_NAMES: Final = {
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "if": "select",
}
_SPELLINGS: Final = {"**": "^", "−": "-", "·": "*", "×": "*"}


Token = tuple[str, str, int]  # its kind, its text, where it stands


class Pending(NamedTuple):
    """An operator, function or bracket waiting for its operands."""

    name: str
    position: int
    binding: int
    operands_before: int = 0  # functions and brackets: how many operands stood when it opened


_OPEN, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER = range(6)
_BINARY: Final = {
    **dict.fromkeys((*COMPARISONS, ">", ">="), _COMPARISON),
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "^": _POWER,
}
_SEVERAL: Final = -1
_ARGUMENTS: Final = {
    **dict.fromkeys(UNARY, 1),
    ATAN2: 2,
    MIN: _SEVERAL,
    MAX: _SEVERAL,
    SELECT: 3,
}
_FUNCTIONS: Final = {name: name for name in _ARGUMENTS}  # operations are compared by identity
FAMILIES: Final = {"reaction": "reaction_", "inertia": "inertia_", "velocity": "V_", "acceleration": "A_"}
"""Names that are written like functions of another name: reaction(a) is the name reaction_a."""
_UNITS: Final = frozenset("m mm cm km um in ft kg g t s ms min h N kN Nm J W Hz Pa MPa rad rpm".split())
"""What is often written behind a number; files name units in a table of their own."""
_OF_A_NAME: Final = re.compile(r"\s*\(\s*([^\W\d]\w*)\s*\)")
_A_VALUE: Final = "a number, a name, a function or an opening bracket"


def parse(text: str, names: Collection[str] | None = None) -> Expression:
    """The expression written in ``text``. With ``names``, any other name in it is an error.

    >>> parse("2*(x + 1)^2 - sin(30 deg)")
    2*(x + 1)^2 - 1/2
    >>> parse("2*(x + 1")
    Traceback (most recent call last):
    linkwork.errors.ParseError: this bracket is never closed
      got:    2*(x + 1
                ^
      fix:    2*(x + 1)
    """
    if not isinstance(text, str):
        raise _not_text(text, "'a*cos(t)'")
    found: Expression = Reader(text, names).read()
    return found


def _not_text(given: object, example: str) -> UsageError:
    return UsageError(
        "expressions and equations are read from text",
        got=f"{given!r} ({type(given).__name__})"[:80],
        wanted=f"a string such as {example}",
        fix=f'"{given}"'[:80],
    )


def parse_equation(text: str, names: Collection[str] | None = None) -> tuple[Expression, Expression]:
    """Both sides of ``left = right``.

    >>> parse_equation("r^2 = x^2 + y^2")
    (r^2, x^2 + y^2)
    """
    if not isinstance(text, str):
        raise _not_text(text, "'r^2 = x^2 + y^2'")
    place = re.search(r"(?<![<>=!])=(?!=)", text)
    if place is None:
        raise ParseError(
            "this is not an equation",
            text=text,
            position=len(text),
            wanted="two sides with = between them",
            fix=f"{text[:60].strip()} = 0",
        )
    left = Reader(text, names, end=place.start()).read()
    return left, Reader(text, names, start=place.end()).read()


class Reader:
    """One reading of one text: values finished so far, and operators waiting for theirs.

    What names, operators and functions mean is told by ``value_of``, ``combined`` and ``called``; a reader of
    vectors tells it otherwise.
    """

    token: ClassVar[re.Pattern[str]] = _TOKEN
    functions: Collection[str] = FUNCTION_NAMES

    def __init__(
        self, text: str, names: Collection[str] | None, start: int = 0, end: int | None = None
    ) -> None:
        self.text = text
        self.names = names
        self.start = start
        self.end = len(text) if end is None else end
        self.values: list[Any] = []
        self.pending: list[Pending] = []

    def read(self) -> Any:
        """The value of the whole text."""
        wants_value = True
        tokens = self.tokens()
        for token in tokens:
            wants_value = self.operand(token, tokens) if wants_value else self.operator(token)
        if wants_value:
            self.fail(
                "the text ends where a value is expected",
                len(self.text[: self.end].rstrip()),
                wanted=_A_VALUE,
            )
        self.apply_waiting()
        if self.pending:
            self.fail("this bracket is never closed", self.pending[-1].position, fix=self.closed())
        return self.values[0]

    def tokens(self) -> Iterator[Token]:
        """The tokens one by one, so that a fault near the beginning of a long text is found at once."""
        position = self.start
        while match := self.token.match(self.text, position, self.end):
            kind = match.lastgroup or ""
            if kind == "end":
                return
            position = match.end()
            word = match[kind]
            yield kind, _SPELLINGS.get(word, word), match.start(kind)
        self.fail_on_character(position)

    # ------------------------------------------------------------ where a value is expected

    def operand(self, token: Token, tokens: Iterator[Token]) -> bool:
        """Take a token that begins a value; true while the value itself is still to come."""
        kind, word, position = token
        if kind == "number":
            self.values.append(self.numeral(word, position))
            return False
        if kind == "name":
            return self.name(word, position, tokens)
        if word == "(":
            self.pending.append(Pending("(", position, _OPEN, len(self.values)))
            return True
        if word in ("+", "-"):
            self.pending.append(Pending("sign" + word, position, _SIGN))
            return True
        self.fail(f"a value is expected before '{word}'", position, wanted=_A_VALUE)

    def numeral(self, word: str, position: int) -> Expression:
        if len(word) < 19 and word.isdecimal():
            return number(int(word))
        mantissa, _, exponent = word.lower().partition("e")
        shown = word if len(word) <= 30 else word[:27] + "…"
        if len(mantissa) > LONGEST_NUMERAL:
            self.fail(
                f"this number has {len(mantissa)} digits",
                position,
                wanted=f"at most {LONGEST_NUMERAL}",
                why="a double carries 17",
                fix=f"{mantissa[0]}.{mantissa[1:17]}e{len(mantissa) - 1}" if mantissa.isdigit() else shown,
            )
        if len(exponent.lstrip("+-0")) < 7 and abs(int(exponent or 0)) <= 2 * LONGEST_NUMERAL:
            value = Fraction(word)
            if value == 0 or _SMALLEST <= value <= _LARGEST:
                return number(value)
        self.fail(
            f"{shown} is outside the range of doubles",
            position,
            wanted="0, or a magnitude from about 5e-324 to 1.8e308",
            fix="choose units in which the number is nearer to 1",
        )

    def name(self, word: str, position: int, tokens: Iterator[Token]) -> bool:
        if word in ("pi", "π"):
            self.values.append(PI)
            return False
        if word in self.functions:
            if next(tokens, ("", "", 0))[1] != "(":
                self.fail(
                    f"{word} is a function and needs its arguments in brackets",
                    position,
                    fix=f"{word}(x)",
                )
            self.pending.append(Pending(word, position, _OPEN, len(self.values)))
            return True
        member = _OF_A_NAME.match(self.text, position + len(word), self.end) if word in FAMILIES else None
        if member is not None:
            word = FAMILIES[word] + member[1]
            for _ in range(3):  # the bracket, the name, the bracket
                next(tokens)
        raised = next((place for place, letter in enumerate(word) if letter in _SUPERSCRIPTS), None)
        if raised is not None:
            power = "".join(_SUPERSCRIPTS.get(letter, "") for letter in word[raised:])
            self.fail("powers are written with ^", position + raised, fix=f"{word[:raised]}^{power}")
        if self.names is not None and word not in self.names:
            self.fail_on_name(word, position)
        try:
            self.values.append(self.value_of(word))
        except BadName as error:
            self.fail(error.problem, position, why=error.why, wanted=error.wanted, fix=error.fix)
        return False

    def value_of(self, word: str) -> Any:
        """What a name stands for."""
        return symbol(word)

    # ------------------------------------------------------- where an operator is expected

    def operator(self, token: Token) -> bool:
        """Take a token that follows a value; true where another value must follow."""
        kind, word, position = token
        if kind == "operator":
            self.binary(word, position)
            return True
        if word == ",":
            self.apply_waiting()
            if not self.pending or self.pending[-1].name == "(":
                self.fail("a comma stands only between the arguments of a function", position)
            return True
        if word == ")":
            self.close(position)
            return False
        if word == "deg":
            self.pending.append(Pending("deg", position, _POWER))
            self.apply(self.pending.pop())
            return False
        self.fail_on_neighbour(word, position)

    def binary(self, word: str, position: int) -> None:
        binding = _BINARY[word]
        from_the_right = word == "^"
        self.apply_waiting(binding + 1 if from_the_right or binding == _COMPARISON else binding)
        if binding == _COMPARISON and self.pending and self.pending[-1].binding == _COMPARISON:
            self.fail("comparisons cannot be chained", position, fix="(a < b)*(b < c)")
        self.pending.append(Pending(word, position, binding))

    def apply_waiting(self, binding: int = _COMPARISON) -> None:
        """Work off the waiting operators that bind at least this tightly, up to an open bracket."""
        while self.pending and self.pending[-1].binding >= binding:
            self.apply(self.pending.pop())

    def apply(self, waiting: Pending) -> None:
        last = self.values.pop()
        try:
            if waiting.name == "sign-":
                self.values.append(-last)
            elif waiting.name == "sign+":
                self.values.append(last)
            elif waiting.name == "deg":
                self.values.append(divide(multiply(last, PI), number(180)))
            else:
                self.values.append(self.combined(waiting.name, self.values.pop(), last))
        except ExpressionError as error:
            self.fail(error.problem, waiting.position, wanted=error.wanted, why=error.why, fix=error.fix)

    def combined(self, operator: str, a: Any, b: Any) -> Any:
        """Two values with an operator between them."""
        if operator == ">":
            return function(LESS, b, a)
        if operator == ">=":
            return function(LESS_EQUAL, b, a)
        return _BUILD[operator](a, b)

    def close(self, position: int) -> None:
        self.apply_waiting()
        if not self.pending:
            self.fail(
                "there is no open bracket for this one",
                position,
                fix=(self.text[:position] + self.text[position + 1 :])[:60],
            )
        opened = self.pending.pop()
        if opened.name != "(":
            arguments = self.values[opened.operands_before :]
            del self.values[opened.operands_before :]
            self.values.append(self.called(opened, arguments))

    def called(self, opened: Pending, arguments: list[Any]) -> Any:
        """The value of a function."""
        wanted = _ARGUMENTS[opened.name]
        if len(arguments) != wanted and not (wanted == _SEVERAL and len(arguments) >= 2):
            self.fail(
                f"{opened.name} takes {'two or more' if wanted == _SEVERAL else wanted}"
                f" argument{'' if wanted == 1 else 's'}, not {len(arguments)}",
                opened.position,
                fix=f"{opened.name}({', '.join('abc'[: wanted if wanted != _SEVERAL else 2])})",
            )
        try:
            if wanted == _SEVERAL:
                return (functions.minimum if opened.name == "min" else functions.maximum)(*arguments)
            return function(_FUNCTIONS[opened.name], *arguments)
        except ExpressionError as error:
            self.fail(error.problem, opened.position, why=error.why, fix=error.fix)

    # ------------------------------------------------------------------------------ faults

    def fail(
        self, problem: str, position: int, *, wanted: str = "", why: str = "", fix: str = ""
    ) -> NoReturn:
        raise ParseError(problem, text=self.text, position=position, wanted=wanted, why=why, fix=fix)

    def fail_on_character(self, position: int) -> NoReturn:
        while position < len(self.text) and self.text[position].isspace():
            position += 1
        character = self.text[position]
        if character == "=":
            self.fail("= defines or equates, it has no value", position, wanted="== to compare", fix="a == b")
        if character == "°":
            self.fail(
                "degrees are written deg", position, wanted="30 deg", fix=f"{self.text[:position]} deg"[:60]
            )
        shown = repr(character) if character.isprintable() else f"U+{ord(character):04X}"
        self.fail(f"the character {shown} has no meaning here", position, fix="leave it out")

    def fail_on_name(self, word: str, position: int) -> NoReturn:
        names = sorted(self.names or ())
        last = word.rpartition(".")[2].lower()
        function_name = _OTHER_NAMES.get(last, last)
        near = get_close_matches(word[:60], names, n=1)
        if function_name in FUNCTION_NAMES:
            near = [f"{function_name}(…)"]
        listed = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        raise UnknownNameInText(
            f"nothing here is called '{word[:60]}'",
            text=self.text,
            position=position,
            wanted=listed or "numbers only: no names are defined here",
            fix=f"did you mean {near[0]}?" if near else f"define {word[:60]} first",
        )

    def fail_on_neighbour(self, word: str, position: int) -> NoReturn:
        before = self.text[:position].rstrip()
        neighbour = re.search(r"[\w.]+$", before[-60:])
        left = neighbour[0] if neighbour else "…)"
        last = left.rpartition(".")[2].lower()
        other = _OTHER_NAMES.get(last, last)
        if word == "(" and neighbour and not left[0].isdigit():
            self.fail(
                f"'{left}' is not a function",
                position,
                wanted=", ".join(sorted(FUNCTION_NAMES)) + ", or an operator before the bracket",
                fix=f"{other}(" if other in FUNCTION_NAMES else f"{left}*(",
            )
        is_unit = word in _UNITS and left[0].isdigit()
        self.fail(
            f"an operator is missing before '{word[:20]}'",
            position,
            wanted="+ - * / ^ or a comparison",
            why=f"numbers have no units here; '{word}' would be a quantity of that name" if is_unit else "",
            fix=left if is_unit else f"{left}*{word[:20]}",
        )

    def closed(self) -> str:
        open_brackets = sum(waiting.binding == _OPEN for waiting in self.pending)
        return self.text[:60] + ")" * open_brackets if len(self.text) <= 60 and open_brackets < 9 else ""


_BUILD: Final[dict[str, Callable[[Expression, Expression], Expression]]] = {
    "+": add,
    "-": lambda a, b: add(a, negate(b)),
    "*": multiply,
    "/": divide,
    "^": power,
    **{name: partial(function, name) for name in COMPARISONS},
}
