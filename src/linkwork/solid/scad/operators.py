"""What operators make of values. Where an operation has no meaning the value is undef, as in OpenSCAD."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from linkwork.solid.scad.limits import Work
from linkwork.solid.scad.value import Range, Value, equal, is_number, is_true, order

MEMBERS: Final = {"x": 0, "y": 1, "z": 2}
Operation = Callable[[Value, Value, Work], Value]


def unary(operator: str, value: Value, work: Work) -> Value:
    """A sign or a negation."""
    if operator == "!":
        return not is_true(value)
    return value if operator == "+" else _each(value, lambda each: -each, work)


def binary(operator: str, a: Value, b: Value, work: Work) -> Value:
    """Two values with an operator between them.

    >>> binary("*", ((1.0, 2.0), (3.0, 4.0)), (5.0, 6.0), Work()), binary("+", 1.0, "a", Work())
    ((17.0, 39.0), None)
    """
    return _BINARY[operator](a, b, work)


def index(value: Value, place: Value) -> Value:
    """An element of a vector, a string or a range; undef outside."""
    if not isinstance(place, float) or not -1 < place < math.inf:
        return None
    if isinstance(value, Range):
        value = (value.first, value.step, value.last)
    if isinstance(value, tuple | str) and place < len(value):
        return value[int(place)]
    return None


def member(value: Value, name: str) -> Value:
    """The x, y or z of a vector."""
    if isinstance(value, tuple) and name in MEMBERS:
        return index(value, float(MEMBERS[name]))
    return None


def _each(value: Value, change: Callable[[float], float], work: Work, depth: int = 0) -> Value:
    """A number changed, or all numbers of a vector."""
    if isinstance(value, float):
        return change(value)
    if isinstance(value, tuple):
        work.enter(value, depth)
        return tuple(_each(each, change, work, depth + 1) for each in value)
    return None


def _sum(a: Value, b: Value, work: Work, depth: int = 0) -> Value:
    if isinstance(a, float) and isinstance(b, float):
        return a + b
    if isinstance(a, tuple) and isinstance(b, tuple):
        work.enter(a, depth)
        return tuple(_sum(x, y, work, depth + 1) for x, y in zip(a, b, strict=False))
    return None


def _difference(a: Value, b: Value, work: Work) -> Value:
    if isinstance(a, float) and isinstance(b, float):
        return a - b
    return _sum(a, _each(b, lambda each: -each, work), work)


def _product(a: Value, b: Value, work: Work) -> Value:
    if isinstance(a, float):
        return a * b if isinstance(b, float) else _each(b, lambda each: a * each, work)
    if isinstance(b, float):
        return _each(a, lambda each: each * b, work)
    if not isinstance(a, tuple) or not isinstance(b, tuple) or not a or not b:
        return None
    if is_number(a[0]):
        return _dot(a, b, work) if is_number(b[0]) else _vector_by_matrix(a, b, work)
    if is_number(b[0]):
        return _all([_dot(row, b, work) if isinstance(row, tuple) else None for row in a])
    return _all([_vector_by_matrix(row, b, work) if isinstance(row, tuple) else None for row in a])


def _dot(a: tuple[Value, ...], b: tuple[Value, ...], work: Work) -> Value:
    if len(a) != len(b):
        return None
    work.spend(len(a))
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if not isinstance(x, float) or not isinstance(y, float):
            return None
        total += x * y
    return total


def _vector_by_matrix(a: tuple[Value, ...], b: tuple[Value, ...], work: Work) -> Value:
    rows = [row for row in b if isinstance(row, tuple)]
    work.spend(len(b))
    if len(rows) != len(a) or len(rows) != len(b) or len({len(row) for row in rows}) != 1:
        return None
    return _all([_dot(a, column, work) for column in zip(*rows, strict=True)])


def _all(values: list[Value]) -> Value:
    """A vector, or undef where an element is."""
    return None if any(value is None for value in values) else tuple(values)


def divided(a: float, b: float) -> float:
    """A quotient, infinite or not a number where b is 0.

    >>> divided(1.0, 0.0), divided(-1.0, 0.0), divided(0.0, 0.0)
    (inf, -inf, nan)
    """
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _quotient(a: Value, b: Value, work: Work) -> Value:
    if isinstance(b, float):
        return _each(a, lambda each: divided(each, b), work)
    return _each(b, lambda each: divided(a, each), work) if isinstance(a, float) else None


def _remainder(a: Value, b: Value, work: Work) -> Value:
    if not isinstance(a, float) or not isinstance(b, float):
        return None
    if b == 0 or math.isinf(a) or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.fmod(a, b)


def _power(a: Value, b: Value, work: Work) -> Value:
    return power(a, b) if isinstance(a, float) and isinstance(b, float) else None


def power(a: float, b: float) -> float:
    """A number to the power of another.

    >>> power(2.0, 10.0), power(-8.0, 1 / 3), power(0.0, -1.0), power(10.0, 400.0)
    (1024.0, nan, inf, inf)
    """
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        return math.inf if a == 0 else math.nan


def _compared(holds: Callable[[int], bool]) -> Operation:
    def compare(a: Value, b: Value, work: Work) -> Value:
        found = order(a, b, work)
        return None if found is None else found != 2 and holds(found)

    return compare


_BINARY: Final[dict[str, Operation]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "%": _remainder,
    "^": _power,
    "==": equal,
    "!=": lambda a, b, work: not equal(a, b, work),
    "<": _compared(lambda found: found < 0),
    "<=": _compared(lambda found: found <= 0),
    ">": _compared(lambda found: found > 0),
    ">=": _compared(lambda found: found >= 0),
}
