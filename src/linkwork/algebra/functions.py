"""The functions of expressions, each with the few rules applied when it is built.

The rules use only what holds for all real arguments in the function's domain: exact values, signs
taken out of odd and even functions, an inverse undone. Adding a function means: its operation in
``expression.py``, a rule and a function here, its derivative in ``differentiate.py`` and a template
in each printer.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Final

from linkwork.algebra.arithmetic import RULES, Rule, divide, function, negate, power, scale
from linkwork.algebra.expression import (
    ABS,
    ACOS,
    ASIN,
    ATAN,
    ATAN2,
    COS,
    EQUAL,
    EXP,
    HALF,
    LESS,
    LESS_EQUAL,
    LOG,
    MAX,
    MIN,
    MINUS_ONE,
    NOT_EQUAL,
    NUMBER,
    ONE,
    PI,
    POW,
    SELECT,
    SIGN,
    SIN,
    SQRT,
    TAN,
    ZERO,
    Expression,
    Operand,
    Value,
    exact,
    node,
    number,
    precedes,
)


def sqrt(a: Operand) -> Expression:
    """The square root; exact where the root is rational.

    >>> sqrt(Fraction(9, 4))
    3/2
    """
    return function(SQRT, number(a))


def sin(a: Operand) -> Expression:
    """The sine of an angle in radians."""
    return function(SIN, number(a))


def cos(a: Operand) -> Expression:
    """The cosine of an angle in radians.

    >>> cos(PI / 3)
    1/2
    """
    return function(COS, number(a))


def tan(a: Operand) -> Expression:
    """The tangent of an angle in radians."""
    return function(TAN, number(a))


def asin(a: Operand) -> Expression:
    """The angle from −π/2 to π/2 with this sine."""
    return function(ASIN, number(a))


def acos(a: Operand) -> Expression:
    """The angle from 0 to π with this cosine."""
    return function(ACOS, number(a))


def atan(a: Operand) -> Expression:
    """The angle between −π/2 and π/2 with this tangent."""
    return function(ATAN, number(a))


def atan2(y: Operand, x: Operand) -> Expression:
    """The direction of the vector (x, y), from −π to π."""
    return function(ATAN2, number(y), number(x))


def exp(a: Operand) -> Expression:
    """e to the power a."""
    return function(EXP, number(a))


def log(a: Operand) -> Expression:
    """The natural logarithm."""
    return function(LOG, number(a))


def sign(a: Operand) -> Expression:
    """−1, 0 or 1."""
    return function(SIGN, number(a))


def minimum(a: Operand, b: Operand, *more: Operand) -> Expression:
    """The smallest of two or more values.

    >>> minimum(3, 2, 5)
    2
    """
    return _folded(MIN, a, b, *more)


def maximum(a: Operand, b: Operand, *more: Operand) -> Expression:
    """The largest of two or more values."""
    return _folded(MAX, a, b, *more)


def equal(a: Operand, b: Operand) -> Expression:
    """1 where the two values are equal, else 0. (``a == b`` asks whether the expressions are the same.)"""
    return function(EQUAL, number(a), number(b))


def not_equal(a: Operand, b: Operand) -> Expression:
    """1 where the two values differ, else 0."""
    return function(NOT_EQUAL, number(a), number(b))


def select(condition: Operand, then: Operand, otherwise: Operand) -> Expression:
    """``then`` where the condition is not 0, else ``otherwise``.

    >>> from linkwork.algebra import symbol
    >>> x = symbol("x")
    >>> select(x > 0, x, -x)
    select(0 < x, x, -x)
    """
    return function(SELECT, number(condition), number(then), number(otherwise))


def _folded(operation: str, *values: Operand) -> Expression:
    result = number(values[0])
    for value in values[1:]:
        result = function(operation, result, number(value))
    return result


# --------------------------------------------------------------------------------------------- rules


def _rule(operation: str) -> Callable[[Rule], Rule]:
    def enter(rule: Rule) -> Rule:
        RULES[operation] = rule
        return rule

    return enter


@_rule(SQRT)
def _sqrt(a: Expression) -> Expression | None:
    """√(c·x) = √c·√x for a rational √c, √(x²) = |x|."""
    A = a if a.core is None else a.core
    root = _rational_root(a.coefficient.value)
    if root is None:
        return None
    if A is ONE or root == 0:
        return number(root)
    if A.operation is POW and A.arguments[1].operation is NUMBER:
        exponent = A.arguments[1].coefficient.value
        if exponent.denominator == 1 and exponent % 2 == 0:
            half = power(A.arguments[0], number(Fraction(exponent, 2)))
            return scale(exact(root), half if exponent % 4 == 0 else function(ABS, half))
    return scale(exact(root), node(SQRT, A)) if A is not a else None


def _rational_root(value: Value) -> Value | None:
    if value < 0:
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        return None
    return Fraction(top, bottom)


# The sine of c·π for the c in [0, 1/2] at which it is a square root of a rational.
_SINE_SQUARED: Final = {
    Fraction(0): Fraction(0),
    Fraction(1, 6): Fraction(1, 4),
    Fraction(1, 4): Fraction(1, 2),
    Fraction(1, 3): Fraction(3, 4),
    Fraction(1, 2): Fraction(1),
}


def _sine_of_turns(half_turns: Value) -> Expression | None:
    """sin(half_turns · π) where it is known exactly."""
    turn = Fraction(half_turns) % 2
    outer = -1 if turn > 1 else 1
    turn %= 1
    squared = _SINE_SQUARED.get(min(turn, 1 - turn))
    return None if squared is None else scale(exact(outer), sqrt(number(squared)))


@_rule(SIN)
def _sin(a: Expression) -> Expression | None:
    if a is ZERO:
        return ZERO
    if (a if a.core is None else a.core) is PI:
        return _sine_of_turns(a.coefficient.value)
    return _odd(SIN, a)


@_rule(COS)
def _cos(a: Expression) -> Expression | None:
    if a is ZERO:
        return ONE
    if (a if a.core is None else a.core) is PI:
        exact = _sine_of_turns(a.coefficient.value + Fraction(1, 2))
        if exact is not None:
            return exact
    return function(COS, negate(a)) if a.coefficient.negative else None


@_rule(TAN)
def _tan(a: Expression) -> Expression | None:
    if (a if a.core is None else a.core) is PI:
        sine, cosine = (
            _sine_of_turns(a.coefficient.value),
            _sine_of_turns(a.coefficient.value + Fraction(1, 2)),
        )
        if sine is not None and cosine is not None and cosine is not ZERO:
            return divide(sine, cosine)
    return ZERO if a is ZERO else _odd(TAN, a)


@_rule(ASIN)
def _asin(a: Expression) -> Expression | None:
    if a is ONE:
        return scale(HALF, PI)
    return ZERO if a is ZERO else _odd(ASIN, a)


@_rule(ACOS)
def _acos(a: Expression) -> Expression | None:
    return {ONE: ZERO, ZERO: scale(HALF, PI), negate(ONE): PI}.get(a)


@_rule(ATAN)
def _atan(a: Expression) -> Expression | None:
    if a is ONE:
        return divide(PI, number(4))
    return ZERO if a is ZERO else _odd(ATAN, a)


def _odd(operation: str, a: Expression) -> Expression | None:
    """f(−x) = −f(x)."""
    return negate(function(operation, negate(a))) if a.coefficient.negative else None


@_rule(ATAN2)
def _atan2(y: Expression, x: Expression) -> Expression | None:
    if y is ZERO and x.operation is NUMBER and x is not ZERO:
        return PI if x.coefficient.negative else ZERO
    return None


@_rule(EXP)
def _exp(a: Expression) -> Expression | None:
    if a is ZERO:
        return ONE
    return a.arguments[0] if a.operation is LOG else None


@_rule(LOG)
def _log(a: Expression) -> Expression | None:
    if a is ONE:
        return ZERO
    return a.arguments[0] if a.operation is EXP else None


@_rule(ABS)
def _abs(a: Expression) -> Expression | None:
    A = a if a.core is None else a.core
    value = a.coefficient.value
    size = exact(-value if value < 0 else value)
    if A is ONE or A is PI or A.operation in (ABS, SQRT, EXP):
        return scale(size, A)
    return scale(size, node(ABS, A)) if A is not a else None


@_rule(SIGN)
def _sign(a: Expression) -> Expression | None:
    A = a if a.core is None else a.core
    outer = ZERO if a is ZERO else MINUS_ONE if a.coefficient.negative else ONE
    if A is ONE or A is PI or A.operation is EXP:
        return outer
    return scale(outer, node(SIGN, A)) if A is not a else None


@_rule(MIN)
def _min(a: Expression, b: Expression) -> Expression | None:
    return _extremum(MIN, a, b)


@_rule(MAX)
def _max(a: Expression, b: Expression) -> Expression | None:
    return _extremum(MAX, a, b)


def _extremum(operation: str, a: Expression, b: Expression) -> Expression | None:
    if a is b:
        return a
    if a.operation is NUMBER and b.operation is NUMBER:
        return a if (a.coefficient.value < b.coefficient.value) == (operation is MIN) else b
    return node(operation, b, a) if precedes(b, a) else None


@_rule(LESS)
def _less(a: Expression, b: Expression) -> Expression | None:
    return _decided(a, b, lambda p, q: p < q)


@_rule(LESS_EQUAL)
def _less_equal(a: Expression, b: Expression) -> Expression | None:
    return _decided(a, b, lambda p, q: p <= q)


@_rule(EQUAL)
def _equal(a: Expression, b: Expression) -> Expression | None:
    decided = _decided(a, b, lambda p, q: p == q)
    return node(EQUAL, b, a) if decided is None and precedes(b, a) else decided


@_rule(NOT_EQUAL)
def _not_equal(a: Expression, b: Expression) -> Expression | None:
    decided = _decided(a, b, lambda p, q: p != q)
    return node(NOT_EQUAL, b, a) if decided is None and precedes(b, a) else decided


def _decided(a: Expression, b: Expression, holds: Callable[[Value, Value], bool]) -> Expression | None:
    """1 or 0 where both sides are numbers or the same expression."""
    if a is b:
        return ONE if holds(0, 0) else ZERO
    if a.operation is NUMBER and b.operation is NUMBER:
        return ONE if holds(a.coefficient.value, b.coefficient.value) else ZERO
    return None


@_rule(SELECT)
def _select(condition: Expression, then: Expression, otherwise: Expression) -> Expression | None:
    if then is otherwise:
        return then
    if condition.operation is NUMBER:
        return otherwise if condition is ZERO else then
    return None
