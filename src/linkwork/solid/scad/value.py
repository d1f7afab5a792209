"""The values of OpenSCAD: numbers, truth, strings, vectors, ranges, functions, and undef (here None)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from linkwork.solid.scad.fault import Complaint
from linkwork.solid.scad.limits import Work


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from the first by a step up to the last."""

    first: float
    step: float
    last: float

    @property
    def count(self) -> float:
        """How many numbers there are; infinite where the step leads nowhere."""
        if not all(map(math.isfinite, (self.first, self.step))) or math.isnan(self.last):
            return 0.0 if math.isnan(self.first + self.step + self.last) else math.inf
        if self.step == 0 or math.isinf(self.last):
            runs = self.first == self.last or (self.last > self.first) == (self.step > 0)
            return math.inf if self.step == 0 or runs else 0.0
        steps = (self.last - self.first) / self.step
        # Counted in floats as OpenSCAD does: a last number missed by rounding alone is reached all the same.
        return math.floor(steps * (1 + 4e-16) + 1e-12) + 1.0 if steps >= 0 else 0.0

    def numbers(self) -> Iterator[float]:
        """The numbers."""
        for place in range(int(self.count)):
            yield self.first + place * self.step

    def spend(self, work: Work, noun: str = "elements") -> None:
        """Count the numbers before they are gone through, and complain where they have no end."""
        if self.step == 0 and math.isinf(self.count):
            ends = (number_text(self.first), "-1" if self.last < self.first else "1", number_text(self.last))
            raise Complaint(
                "this goes on without an end, for its step is 0",
                wanted="[first : step : last], with a step that leads to the last number",
                fix=f"[{' : '.join(ends)}]",
            )
        work.make(self.count, noun)


@dataclass(frozen=True, eq=False, slots=True)
class Function:
    """A function as a value: its definition and the scope in which it was written."""

    definition: Any
    scope: Any


Value: TypeAlias = "bool | float | str | tuple[Value, ...] | Range | Function | None"


def is_number(value: Value) -> bool:
    """Whether it is a number, nan included; truth is none."""
    return type(value) is float


def kind(value: Value) -> str:
    """What a value is, in a word.

    >>> kind(None), kind(True), kind(2.0), kind("a"), kind((1.0,)), kind(Range(0, 1, 2))
    ('undef', 'a truth', 'a number', 'a string', 'a vector', 'a range')
    """
    if value is None:
        return "undef"
    kinds = {bool: "a truth", float: "a number", str: "a string", tuple: "a vector", Range: "a range"}
    return kinds.get(type(value), "a function")


def is_true(value: Value) -> bool:
    """What conditions make of a value: false, 0, "", [] and undef are false."""
    if type(value) in (Range, Function):
        return True
    return bool(value)


def equal(a: Value, b: Value, work: Work, depth: int = 0) -> bool:
    """Whether two values are the same, of the same kind.

    >>> equal(1.0, True, Work()), equal((1.0, ("a",)), (1.0, ("a",)), Work())
    (False, True)
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        work.enter(a, depth)
        return len(a) == len(b) and all(equal(x, y, work, depth + 1) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def order(a: Value, b: Value, work: Work, depth: int = 0) -> int | None:
    """-1, 0 or 1 as a is below, like or above b; None where that has no meaning (2 for nan)."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        work.enter(a, depth)
        for x, y in zip(a, b, strict=False):
            found = order(x, y, work, depth + 1)
            if found != 0:
                return found
        return (len(a) > len(b)) - (len(a) < len(b))
    if type(a) is not type(b) or not isinstance(a, bool | float | str):
        return None
    if a != a or b != b:
        return 2
    return (a > b) - (a < b)  # type: ignore[operator]


# ------------------------------------------------------------------------------------ printing


def number_text(number: float) -> str:
    """A number as ``echo`` and ``str`` print it: six digits.

    >>> [number_text(x) for x in (3.0, 1 / 3, 1234567.89, 1e6, 0.000012345, 1e-6, -0.0, math.inf, math.nan)]
    ['3', '0.333333', '1.23457e+6', '1e+6', '0.000012345', '1e-6', '0', 'inf', 'nan']
    """
    if not math.isfinite(number):
        return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"
    if number == 0:
        return "0"
    mantissa, _, power = f"{number:.5e}".partition("e")
    exponent = int(power)
    if -6 < exponent < 6:
        text = f"{number:.{5 - exponent}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent:+d}"


def text_of(value: Value, work: Work, *, quoted: bool = False) -> str:
    """A value as ``str`` gives it, strings inside vectors quoted.

    >>> text_of(("a", (1.0, True), None, Range(0.0, 1.0, 2.0)), Work())
    '["a", [1, true], undef, [0 : 1 : 2]]'
    """
    pieces: list[str] = []
    _print(value, quoted, pieces, work, 0)
    return "".join(pieces)


def _print(value: Value, quoted: bool, pieces: list[str], work: Work, depth: int) -> None:
    if isinstance(value, tuple):
        work.enter(value, depth)
        pieces.append("[")
        for place, each in enumerate(value):
            pieces.append(", " if place else "")
            _print(each, True, pieces, work, depth + 1)
        pieces.append("]")
    elif isinstance(value, Range):
        pieces.append(f"[{' : '.join(map(number_text, (value.first, value.step, value.last)))}]")
    elif isinstance(value, str):
        work.spend(len(value))
        pieces.append(f'"{value}"' if quoted else value)
    elif isinstance(value, bool):
        pieces.append("true" if value else "false")
    elif isinstance(value, float):
        pieces.append(number_text(value))
    else:
        pieces.append("undef" if value is None else "function")


def shown(value: Value, most: int = 60) -> str:
    """A value for a message.

    >>> shown((1.0, 2.0)), shown((0.0,) * 1000)
    ('[1, 2]', 'a vector of 1000 elements')
    """
    try:
        text = text_of(value, Work(most), quoted=True)
    except Complaint:
        text = ""
    if text and len(text) <= most:
        return text
    return f"{kind(value)} of {len(value)} elements" if isinstance(value, tuple | str) else kind(value)
