"""The values of expressions in floating point, by the very instructions that printed programs follow."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from linkwork.algebra.expression import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    COS,
    DIV,
    EQUAL,
    EXP,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MUL,
    NOT_EQUAL,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    TAN,
    Expression,
    Number,
    Symbol,
    as_expressions,
)
from linkwork.algebra.instructions import NEGATE, SUBTRACT, instructions
from linkwork.errors import UnknownName, UsageError


def evaluate(roots: Sequence[Expression], values: Mapping[str, float]) -> list[float]:
    """The values of the expressions, by the rules of IEEE 754 (1/0 is inf).

    >>> from linkwork.algebra import symbol
    >>> x = symbol("x")
    >>> evaluate([x / 4, 1 / (x - 3)], {"x": 3})
    [0.75, inf]
    """
    roots = as_expressions(roots, "evaluate")
    if not any(root.arguments for root in roots):
        return [_leaf_value(root, values) for root in roots]
    code = instructions(roots)
    results: list[float] = []
    for place, (operation, operands) in enumerate(zip(code.operations, code.operands, strict=True)):
        if operands:
            results.append(NUMERIC[operation](*[results[operand] for operand in operands]))
        else:
            results.append(_leaf_value(code.leaves[place], values))
    return [results[place] for place in code.results]


def _leaf_value(leaf: Expression, values: Mapping[str, float]) -> float:
    if isinstance(leaf, Number):
        return float(leaf.value)
    if not isinstance(leaf, Symbol):
        return math.pi
    if leaf.name not in values:
        raise UnknownName(
            f"'{leaf.name}' has no value",
            got="values for " + (", ".join(sorted(values)) or "nothing"),
            wanted=f"a value for {leaf.name}",
            fix=f"add '{leaf.name}': 1.0 to the values",
        )
    return as_double(leaf.name, values[leaf.name])


def as_double(name: str, value: object) -> float:
    """A given value as a float; an error of ours where it is none."""
    try:
        if isinstance(value, str | bytes | complex):
            raise TypeError("a number is wanted")
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(
            f"the value of '{name}' is not a double",
            got=repr(value)[:60],
            wanted="a number such as 1.5",
            why=str(error),
        ) from None


def _quotient(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or a != a:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def _power(a: float, b: float) -> float:
    if a < 0 and math.isfinite(a) and not b.is_integer() and math.isfinite(b):
        return math.nan
    try:
        value = a**b
    except ZeroDivisionError:
        return math.copysign(math.inf, a) if b % 2 == 1 else math.inf
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    return math.nan if isinstance(value, complex) else value


def _total(routine: Callable[[float], float], beyond: float = math.nan) -> Callable[[float], float]:
    """The routine with IEEE results in place of Python's exceptions."""

    def evaluated(a: float) -> float:
        try:
            return routine(a)
        except ValueError:
            return math.nan
        except OverflowError:
            return beyond

    return evaluated


def _logarithm(a: float) -> float:
    return -math.inf if a == 0 else math.log(a)


def _sign(a: float) -> float:
    return 1.0 if a > 0 else -1.0 if a < 0 else a


NUMERIC: Final[dict[str, Callable[..., float]]] = {
    ADD: operator.add,
    SUBTRACT: operator.sub,
    NEGATE: operator.neg,
    MUL: operator.mul,
    DIV: _quotient,
    POW: _power,
    SQRT: _total(math.sqrt),
    SIN: _total(math.sin),
    COS: _total(math.cos),
    TAN: _total(math.tan),
    ASIN: _total(math.asin),
    ACOS: _total(math.acos),
    ATAN: math.atan,
    EXP: _total(math.exp, math.inf),
    LOG: _total(_logarithm),
    ABS: abs,
    SIGN: _sign,
    ATAN2: math.atan2,
    MIN: lambda a, b: a if a < b or a != a else b,
    MAX: lambda a, b: a if a > b or a != a else b,
    LESS: lambda a, b: float(a < b),
    LESS_EQUAL: lambda a, b: float(a <= b),
    EQUAL: lambda a, b: float(a == b),
    NOT_EQUAL: lambda a, b: float(a != b),
    SELECT: lambda condition, then, otherwise: then if condition != 0 else otherwise,
}
