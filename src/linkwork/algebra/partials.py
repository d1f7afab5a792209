"""The partial derivatives of each operation by its own arguments: the only place calculus is typed in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from linkwork.algebra.arithmetic import add, divide, multiply, negate, power, scale
from linkwork.algebra.expression import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    COMPARISONS,
    COS,
    DIV,
    EXP,
    HALF,
    LOG,
    MAX,
    MIN,
    MINUS_ONE,
    MUL,
    NUMBER,
    ONE,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    TAN,
    TWO,
    ZERO,
    Expression,
    exact,
)
from linkwork.algebra.functions import cos, log, select, sign, sin, sqrt

First = Callable[[Expression], tuple[Expression, ...]]
Second = Callable[[Expression], dict[tuple[int, int], Expression]]


def first_partials(node: Expression) -> list[tuple[Expression, Expression]]:
    """What the node is made of, each with the derivative of the node by it; none occurs twice.

    >>> from linkwork.algebra import symbols
    >>> x, y = symbols("x y")
    >>> sorted(first_partials(x * y), key=str)
    [(x, y), (y, x)]
    """
    arguments = node.arguments
    if node.operation is ADD:  # straight to what the coefficients multiply
        return [(a, ONE) if a.core is None else (a.core, a.coefficient) for a in arguments]
    if node.operation is MUL:
        return [(arguments[0], arguments[1]), (arguments[1], arguments[0])]
    partials = list(zip(arguments, _FIRST[node.operation](node), strict=True))
    if len(arguments) > 1 and len(set(arguments)) < len(arguments):
        merged: dict[Expression, Expression] = {}
        for argument, partial in partials:
            merged[argument] = add(merged.get(argument, ZERO), partial)
        return list(merged.items())
    return partials


def second_partials(node: Expression) -> list[tuple[Expression, Expression, Expression]]:
    """The nonzero second derivatives (a, b, ∂²/∂a∂b), each unordered pair of arguments once."""
    rule = _SECOND.get(node.operation)
    if rule is None:
        return []
    found = []
    for (i, j), value in rule(node).items():
        a, b = node.arguments[i], node.arguments[j]
        if value is not ZERO:
            # by the diagonal when two different places hold the same argument: both mixed terms count
            found.append((a, b, scale(TWO, value) if a is b and i != j else value))
    return found


def _argument(e: Expression) -> Expression:
    return e.arguments[0]


def _squared(a: Expression) -> Expression:
    return power(a, TWO)


def _one_minus_square(e: Expression) -> Expression:
    return add(ONE, negate(_squared(_argument(e))))


def _one_plus_square(e: Expression) -> Expression:
    return add(ONE, _squared(_argument(e)))


def _less_one(exponent: Expression) -> Expression:
    return add(exponent, MINUS_ONE)


# ------------------------------------------------------------------------------------- first partials


def _power_first(e: Expression) -> tuple[Expression, ...]:
    base, exponent = e.arguments
    by_base = multiply(exponent, power(base, _less_one(exponent)))
    return by_base, ZERO if exponent.operation is NUMBER else multiply(e, log(base))


def _quotient_first(e: Expression) -> tuple[Expression, ...]:
    reciprocal = divide(ONE, e.arguments[1])
    return reciprocal, negate(multiply(e, reciprocal))


def _atan2_first(e: Expression) -> tuple[Expression, ...]:
    y, x = e.arguments
    length_squared = add(_squared(x), _squared(y))
    return divide(x, length_squared), negate(divide(y, length_squared))


def _extremum_first(e: Expression) -> tuple[Expression, ...]:
    a, b = e.arguments
    a_counts = a <= b if e.operation is MIN else b <= a
    return a_counts, add(ONE, negate(a_counts))


def _select_first(e: Expression) -> tuple[Expression, ...]:
    condition = _argument(e)
    return ZERO, select(condition, ONE, ZERO), select(condition, ZERO, ONE)


_FIRST: Final[dict[str, First]] = {
    DIV: _quotient_first,
    POW: _power_first,
    SQRT: lambda e: (divide(HALF, e),),
    SIN: lambda e: (cos(_argument(e)),),
    COS: lambda e: (negate(sin(_argument(e))),),
    TAN: lambda e: (add(ONE, _squared(e)),),
    ASIN: lambda e: (divide(ONE, sqrt(_one_minus_square(e))),),
    ACOS: lambda e: (divide(MINUS_ONE, sqrt(_one_minus_square(e))),),
    ATAN: lambda e: (divide(ONE, _one_plus_square(e)),),
    EXP: lambda e: (e,),
    LOG: lambda e: (divide(ONE, _argument(e)),),
    ABS: lambda e: (sign(_argument(e)),),
    SIGN: lambda e: (ZERO,),
    ATAN2: _atan2_first,
    MIN: _extremum_first,
    MAX: _extremum_first,
    SELECT: _select_first,
    **{comparison: lambda e: (ZERO, ZERO) for comparison in COMPARISONS},
}


# ------------------------------------------------------------------------------------ second partials


def _power_second(e: Expression) -> dict[tuple[int, int], Expression]:
    base, exponent = e.arguments
    one_less = _less_one(exponent)
    twice_by_base = multiply(multiply(exponent, one_less), power(base, _less_one(one_less)))
    if exponent.operation is NUMBER:
        return {(0, 0): twice_by_base}
    mixed = multiply(power(base, one_less), add(ONE, multiply(exponent, log(base))))
    return {(0, 0): twice_by_base, (0, 1): mixed, (1, 1): multiply(e, _squared(log(base)))}


def _quotient_second(e: Expression) -> dict[tuple[int, int], Expression]:
    reciprocal = divide(ONE, e.arguments[1])
    squared = _squared(reciprocal)
    return {(0, 1): negate(squared), (1, 1): scale(TWO, multiply(e, squared))}


def _atan2_second(e: Expression) -> dict[tuple[int, int], Expression]:
    y, x = e.arguments
    squared = _squared(add(_squared(x), _squared(y)))
    bend = divide(scale(TWO, multiply(x, y)), squared)
    mixed = divide(add(_squared(y), negate(_squared(x))), squared)
    return {(0, 0): negate(bend), (0, 1): mixed, (1, 1): bend}


def _arc_second(e: Expression) -> Expression:
    """a / (1 − a²)^(3/2), the second derivative of asin."""
    inner = _one_minus_square(e)
    return divide(_argument(e), multiply(inner, sqrt(inner)))


_SECOND: Final[dict[str, Second]] = {
    MUL: lambda e: {(0, 1): ONE},
    DIV: _quotient_second,
    POW: _power_second,
    SQRT: lambda e: {(0, 0): divide(exact(Fraction(-1, 4)), multiply(_argument(e), e))},
    SIN: lambda e: {(0, 0): negate(e)},
    COS: lambda e: {(0, 0): negate(e)},
    TAN: lambda e: {(0, 0): scale(TWO, multiply(e, add(ONE, _squared(e))))},
    ASIN: lambda e: {(0, 0): _arc_second(e)},
    ACOS: lambda e: {(0, 0): negate(_arc_second(e))},
    ATAN: lambda e: {(0, 0): divide(scale(exact(-2), _argument(e)), _squared(_one_plus_square(e)))},
    EXP: lambda e: {(0, 0): e},
    LOG: lambda e: {(0, 0): divide(MINUS_ONE, _squared(_argument(e)))},
    ATAN2: _atan2_second,
}
