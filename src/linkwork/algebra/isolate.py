"""Solving one equation for one symbol, where it can be done by undoing one operation after another.

Branches are chosen once and for all: an even root is the positive one, an arc function its principal
value. Lengths, the usual unknowns of implicit definitions, are positive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from linkwork.algebra.arithmetic import add, divide, function, multiply, negate, power
from linkwork.algebra.differentiate import derivative
from linkwork.algebra.expression import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    COMPARISONS,
    COS,
    DIV,
    EXP,
    LOG,
    MAX,
    MIN,
    MUL,
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
    Number,
    Symbol,
)
from linkwork.algebra.functions import log, sign
from linkwork.algebra.graph import free_symbols, nodes_in_order, substitute

_STEPS: Final = frozenset((SIGN, ABS, MIN, MAX, SELECT, *COMPARISONS))
_INVERSE: Final = {SIN: ASIN, COS: ACOS, TAN: ATAN, ASIN: SIN, ACOS: COS, ATAN: TAN, EXP: LOG, LOG: EXP}


def isolated(left: Expression, right: Expression, unknown: Symbol) -> Expression | None:
    """The value of ``unknown`` for which left = right; None where this way of solving does not reach.

    >>> from linkwork.algebra import symbols
    >>> x, y, r = symbols("x y r")
    >>> isolated(r**2, x**2 + y**2, r)
    sqrt(x^2 + y^2)
    >>> isolated(2 * r * y + x, r, r)
    x/(1 - 2*y)
    """
    difference = add(left, negate(right))
    slope = derivative(difference, unknown)
    if slope is ZERO:
        return None
    if unknown not in free_symbols(slope) and _is_smooth(difference, unknown):
        at_zero = substitute([difference], {unknown: ZERO})[0]
        return divide(at_zero, negate(slope))
    if unknown in free_symbols(right):
        left, right = (right, left) if unknown not in free_symbols(left) else (difference, ZERO)
    return _undone(left, right, unknown)


def _is_smooth(difference: Expression, unknown: Symbol) -> bool:
    """Whether no step (sign, comparison, selection) lies between the unknown and the equation."""
    moving: set[Expression] = {unknown}
    for node in nodes_in_order([difference]):
        if not moving.isdisjoint(node.arguments):
            if node.operation in _STEPS:
                return False
            moving.add(node)
    return True


def _undone(inner: Expression, value: Expression, unknown: Symbol) -> Expression | None:
    """``unknown`` from inner(unknown) = value, undoing the outermost operation until it stands alone."""
    while inner is not unknown:
        holding = [unknown in free_symbols(argument) for argument in inner.arguments]
        if sum(holding) != 1:
            return None
        undo = _UNDO.get(inner.operation)
        if undo is not None:
            value_or_none = undo(inner, holding.index(True), value)
            if value_or_none is None:
                return None
            value = value_or_none
        elif inner.operation in _INVERSE:
            value = function(_INVERSE[inner.operation], value)
        else:
            return None
        inner = inner.arguments[holding.index(True)]
    return value


def _undo_sum(e: Expression, place: int, value: Expression) -> Expression:
    return add(value, negate(e.arguments[1 - place]))


def _undo_product(e: Expression, place: int, value: Expression) -> Expression:
    return divide(value, e.arguments[1 - place])


def _undo_quotient(e: Expression, place: int, value: Expression) -> Expression:
    upper, lower = e.arguments
    return multiply(value, lower) if place == 0 else divide(upper, value)


def _undo_power(e: Expression, place: int, value: Expression) -> Expression | None:
    base, exponent = e.arguments
    if place == 1:
        return divide(log(value), log(base))
    if not isinstance(exponent, Number):
        return power(value, divide(ONE, exponent))
    if exponent.value.denominator == 1 and exponent.value % 2 == 1:
        return multiply(sign(value), power(abs(value), divide(ONE, exponent)))
    return power(value, divide(ONE, exponent))


_UNDO: Final[dict[str, Callable[[Expression, int, Expression], Expression | None]]] = {
    ADD: _undo_sum,
    MUL: _undo_product,
    DIV: _undo_quotient,
    POW: _undo_power,
    SQRT: lambda e, place, value: power(value, TWO),
}
