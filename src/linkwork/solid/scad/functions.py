"""The functions that every text can call. Arguments go by their place; what makes no sense gives undef."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from linkwork.solid.scad import degrees
from linkwork.solid.scad.fault import Complaint
from linkwork.solid.scad.limits import Work
from linkwork.solid.scad.operators import power
from linkwork.solid.scad.search import search
from linkwork.solid.scad.value import Function, Range, Value, text_of

Arguments = list[Value]
Builtin = Callable[[Arguments, Work], Value]

VERSION: Final = (2021.0, 1.0, 0.0)
"""The release of OpenSCAD whose language this is."""


def _of_number(formula: Callable[[float], float]) -> Builtin:
    """A function of one number."""

    def builtin(given: Arguments, work: Work) -> Value:
        if len(given) != 1 or not isinstance(given[0], float):
            return None
        try:
            return float(formula(given[0]))
        except OverflowError:
            return math.inf if given[0] > 0 else -math.inf
        except ValueError:
            return math.nan

    return builtin


def _of_two(formula: Callable[[float, float], float]) -> Builtin:
    """A function of two numbers."""

    def builtin(given: Arguments, work: Work) -> Value:
        if len(given) != 2 or not isinstance(given[0], float) or not isinstance(given[1], float):
            return None
        return float(formula(given[0], given[1]))

    return builtin


def _whole(rounding: Callable[[float], float]) -> Builtin:
    return _of_number(lambda x: float(rounding(x)) if math.isfinite(x) else x)


def _is(test: Callable[[Value], bool]) -> Builtin:
    return lambda given, work: test(given[0]) if len(given) == 1 else None


def _extreme(choose: Callable[[list[float]], float]) -> Builtin:
    """The least or the greatest of some numbers, or of the elements of one vector."""

    def builtin(given: Arguments, work: Work) -> Value:
        numbers = _numbers(given[0] if len(given) == 1 and isinstance(given[0], tuple) else tuple(given))
        if not numbers:
            return None
        work.spend(len(numbers))
        return choose(numbers)

    return builtin


def _norm(given: Arguments, work: Work) -> Value:
    numbers = _numbers(given[0]) if len(given) == 1 else None
    if numbers is None:
        return None
    work.spend(len(numbers))
    return math.hypot(*numbers)


def _numbers(value: Value) -> list[float] | None:
    """The elements of a vector of numbers; None for anything else."""
    if not isinstance(value, tuple):
        return None
    numbers = [each for each in value if isinstance(each, float)]
    return numbers if len(numbers) == len(value) else None


def _cross(given: Arguments, work: Work) -> Value:
    a, b = (_numbers(value) for value in given) if len(given) == 2 else (None, None)
    if a is None or b is None or len(a) != len(b):
        return None
    if len(a) == 2:
        return a[0] * b[1] - a[1] * b[0]
    if len(a) != 3:
        return None
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _length(given: Arguments, work: Work) -> Value:
    return float(len(given[0])) if len(given) == 1 and isinstance(given[0], tuple | str) else None


def _concat(given: Arguments, work: Work) -> Value:
    work.make(sum(len(value) if isinstance(value, tuple) else 1 for value in given))
    joined: Arguments = []
    for value in given:
        joined += value if isinstance(value, tuple) else (value,)
    return tuple(joined)


def _lookup(given: Arguments, work: Work) -> Value:
    """Between the two keys of a table around a number, in proportion; beyond its ends, as there."""
    if len(given) != 2 or not isinstance(given[0], float) or not isinstance(given[1], tuple):
        return None
    key = given[0]
    work.spend(len(given[1]))
    rows = [_numbers(row) for row in given[1]]
    table = [(row[0], row[1]) for row in rows if row is not None and len(row) == 2]
    if not table:
        return None
    below = max((row for row in table if row[0] <= key), default=min(table), key=lambda row: row[0])
    above = min((row for row in table if row[0] >= key), default=max(table), key=lambda row: row[0])
    if key <= below[0] or below[0] == above[0]:
        return below[1]
    if key >= above[0]:
        return above[1]
    return below[1] + (above[1] - below[1]) * (key - below[0]) / (above[0] - below[0])


def _str(given: Arguments, work: Work) -> Value:
    text = "".join(text_of(value, work) for value in given)
    work.make(len(text), "characters")
    return text


def _chr(given: Arguments, work: Work) -> Value:
    characters: list[str] = []
    for value in given:
        values: tuple[Value, ...] = (value,)
        if isinstance(value, Range):
            value.spend(work)
            values = tuple(value.numbers())
        elif isinstance(value, tuple):
            values = value
        work.spend(len(values))
        characters += [_character(each) for each in values if isinstance(each, float)]
    return "".join(characters)


def _character(code: float) -> str:
    if not 1 <= code < 0x110000 or 0xD800 <= code < 0xE000:
        return ""
    return chr(int(code))


def _ord(given: Arguments, work: Work) -> Value:
    return float(ord(given[0][0])) if len(given) == 1 and isinstance(given[0], str) and given[0] else None


def _search(given: Arguments, work: Work) -> Value:
    if not 2 <= len(given) <= 4:
        return None
    most, column = (
        each if isinstance(each, float) and each >= 0 else default
        for each, default in zip((*given[2:], None, None), (1.0, 0.0), strict=False)
    )
    return search(given[0], given[1], min(most, 1e9), min(column, 1e9), work)


def _rands(given: Arguments, work: Work) -> Value:
    """Numbers that look random, the same for the same seed, as OpenSCAD makes them."""
    numbers = _numbers(tuple(given))
    if numbers is None or len(numbers) < 3 or not all(map(math.isfinite, numbers)):
        return None
    if len(numbers) == 3:
        raise Complaint(
            "rands without a seed gives another machine each time",
            fix="a seed as its fourth argument: rands(min, max, count, 42)",
        )
    import numpy as np

    low, high, count, seed = numbers[:4]
    work.make(count)
    engine = np.random.MT19937()
    engine._legacy_seeding(int(abs(seed)) % 2**32)
    words = engine.random_raw(2 * max(int(count), 0)).astype(float)
    parts = (words[0::2] + words[1::2] * 2.0**32) / 2.0**64
    return tuple(float(part) for part in low + (high - low) * parts)


def _constant(value: Value) -> Builtin:
    return lambda given, work: value


FUNCTIONS: Final[dict[str, Builtin]] = {
    "abs": _of_number(abs),
    "sign": _of_number(lambda x: (x > 0) - (x < 0)),
    "sin": _of_number(degrees.sine),
    "cos": _of_number(degrees.cosine),
    "tan": _of_number(degrees.tangent),
    "asin": _of_number(degrees.arc_sine),
    "acos": _of_number(degrees.arc_cosine),
    "atan": _of_number(degrees.arc_tangent),
    "atan2": _of_two(lambda y, x: math.degrees(math.atan2(y, x))),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(lambda x: math.copysign(math.floor(abs(x) + 0.5), x)),
    "ln": _of_number(lambda x: math.log(x) if x else -math.inf),
    "log": _of_number(lambda x: math.log10(x) if x else -math.inf),
    "exp": _of_number(lambda x: math.exp(x) if x < 710 else math.inf),
    "sqrt": _of_number(math.sqrt),
    "pow": _of_two(power),
    "max": _extreme(max),
    "min": _extreme(min),
    "norm": _norm,
    "cross": _cross,
    "len": _length,
    "concat": _concat,
    "lookup": _lookup,
    "search": _search,
    "str": _str,
    "chr": _chr,
    "ord": _ord,
    "rands": _rands,
    "is_undef": _is(lambda value: value is None),
    "is_bool": _is(lambda value: isinstance(value, bool)),
    "is_num": _is(lambda value: isinstance(value, float) and value == value),
    "is_string": _is(lambda value: isinstance(value, str)),
    "is_list": _is(lambda value: isinstance(value, tuple)),
    "is_function": _is(lambda value: isinstance(value, Function)),
    "version": _constant(VERSION),
    "version_num": _constant(20210100.0),
}
"""By name. What they give is checked against OpenSCAD in the tests."""

OTHER_FUNCTIONS: Final = {
    "dxf_cross": "drawings in DXF are not read",
    "dxf_dim": "drawings in DXF are not read",
    "parent_module": "the names of calling modules are not kept",
    "import": "other files are not read as values",
    "textmetrics": "there are no letters: text() is not supported",
    "fontmetrics": "there are no letters: text() is not supported",
}
"""Functions of OpenSCAD that are missing here, and why."""
