"""The arithmetic of expressions: + − × ÷ and powers, with the rules applied when a node is built.

Every rule is local and cheap, holds for all real values, and leaves the structure the author chose:
numbers are folded and stand in front, signs move outwards, terms and factors that meet cancel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from linkwork.algebra.expression import (
    ABS,
    ADD,
    COS,
    DIV,
    MINUS_ONE,
    MUL,
    NUMBER,
    ONE,
    POW,
    SIN,
    SQRT,
    TWO,
    ZERO,
    Expression,
    Number,
    exact,
    node,
    opposite,
    pair,
    power_of_number,
    precedes,
    product_of_numbers,
    reciprocal,
    sum_of_numbers,
)
from linkwork.errors import ExpressionError


def negate(a: Expression) -> Expression:
    """−a."""
    core = a.core
    if core is None:
        return _scaled(MINUS_ONE, a)
    return _scaled(opposite(a.coefficient), core)


def scale(factor: Number, a: Expression) -> Expression:
    """factor · a, for a number ``factor``."""
    core = a.core
    if core is None:
        return _scaled(factor, a)
    return _scaled(product_of_numbers(factor, a.coefficient), core)


def _scaled(coefficient: Number, core: Expression) -> Expression:
    """coefficient · core, where core has no coefficient of its own."""
    if coefficient is ONE:
        return core
    if coefficient is ZERO:
        return ZERO
    if core is ONE:
        return coefficient
    product = pair(MUL, coefficient, core)
    product.coefficient = coefficient
    product.core = core
    return product


def add(a: Expression, b: Expression) -> Expression:
    """a + b, as ``outer · (A ± c·B)`` with A preceding B and a positive A.

    So x − y and y − x share one node up to the sign, and 2x + 2y is 2·(x + y).
    """
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    A, B = a.core, b.core
    if A is None:
        A = a
    if B is None:
        B = b
    p, q = a.coefficient, b.coefficient
    if A is B:
        return _scaled(sum_of_numbers(p, q), A)
    if p is q and A.operation is POW and _is_unit_circle(A, B):
        return p
    if (A.operation is ADD and _may_join(A, B)) or (B.operation is ADD and _may_join(B, A)):
        joined = _joined_sum(a, b)
        if joined is not None:
            return joined
    if precedes(B, A):
        a, p, A, b, q, B = b, q, B, a, p, A
    if p is ONE:
        return pair(ADD, a, b)
    if p is q:
        return scale(p, add(A, B))
    if p is opposite(q):
        return scale(p, add(A, negate(B)))
    if p.negative:
        return negate(pair(ADD, negate(a), negate(b)))
    return pair(ADD, a, b)


def _is_unit_circle(A: Expression, B: Expression) -> bool:
    """Whether A + B is cos²(x) + sin²(x), in either order."""
    if A.operation is not POW or B.operation is not POW or A.arguments[1] is not TWO:
        return False
    a, b = A.arguments[0], B.arguments[0]
    return (
        B.arguments[1] is TWO
        and (a.operation, b.operation) in ((SIN, COS), (COS, SIN))
        and a.arguments[0] is b.arguments[0]
    )


def _may_join(total: Expression, core: Expression) -> bool:
    """Whether a sum has a term that might join with a multiple of ``core``; most often it has none."""
    first, second = total.arguments
    return (
        (first is core or first.core is core or second is core or second.core is core)
        or (core is ONE and second.operation is NUMBER)
        or (core.operation is POW and core.arguments[1] is TWO)
    )


def _joined_sum(a: Expression, b: Expression) -> Expression | None:
    """a + b where one is ±(x + y) and the other joins with x or y to nothing or to a number."""
    for whole, other in ((a, b), (b, a)):
        total = whole if whole.core is None else whole.core
        if total.operation is not ADD or not (whole is total or whole.coefficient is MINUS_ONE):
            continue
        core = other if other.core is None else other.core
        cancelling = other.coefficient if whole is not total else opposite(other.coefficient)
        first, second = total.arguments
        for term, rest in ((second, first), (first, second)):
            term_core = term if term.core is None else term.core
            if term_core is core and term.coefficient is cancelling:
                return rest if whole is total else negate(rest)
            if term.coefficient is opposite(cancelling) and _is_unit_circle(term_core, core):
                return add(rest if whole is total else negate(rest), other.coefficient)
        if core is ONE and second.operation is NUMBER:
            joined = add(first, sum_of_numbers(second.coefficient, opposite(cancelling)))
            return joined if whole is total else negate(joined)
    return None


_JOINING: Final = frozenset((POW, DIV, SQRT))


def multiply(a: Expression, b: Expression) -> Expression:
    """a · b, with the numbers in front and powers of one base joined."""
    if a is ONE:
        return b
    if b is ONE:
        return a
    A, B = a.core, b.core
    if A is None:
        A = a
    if B is None:
        B = b
    outer = product_of_numbers(a.coefficient, b.coefficient)
    if A is ONE or outer is ZERO:
        return _scaled(outer, B)
    if B is ONE:
        return _scaled(outer, A)
    if A is B:
        return scale(outer, power(A, TWO))
    if precedes(B, A):
        A, B = B, A
    if A.operation in _JOINING or B.operation in _JOINING:
        joined = _joined(A, B)
        if joined is not None:
            return scale(outer, joined)
    product = pair(MUL, A, B)
    return product if outer is ONE else _scaled(outer, product)


def _joined(A: Expression, B: Expression) -> Expression | None:
    """x^m · x^n as one power, and (n/d) · d as n, where A and B have such a form."""
    base, m = _base_and_exponent(A)
    other, n = _base_and_exponent(B)
    if base is other:
        return power(base, sum_of_numbers(m, n))
    for quotient, factor in ((A, B), (B, A)):
        if quotient.operation is DIV and quotient.arguments[1] is factor:
            return quotient.arguments[0]
    return None


def _base_and_exponent(a: Expression) -> tuple[Expression, Number]:
    """(x, n) for x^n with a whole n; anything else is its own first power."""
    if a.operation is POW:
        base, exponent = a.arguments
        if isinstance(exponent, Number) and exponent.value.denominator == 1:
            return base, exponent
    return a, ONE


def divide(a: Expression, b: Expression) -> Expression:
    """a / b. Quotients keep their place: a reciprocal computed once and used often stays one."""
    if b is ZERO:
        raise ExpressionError(
            "division by an exact zero",
            got=f"{a} / 0",
            why="the divisor is zero whatever the values of the symbols",
            fix="look for a difference of equal terms in the divisor",
        )
    A = a if a.core is None else a.core
    B = b if b.core is None else b.core
    outer = a.coefficient
    if b.coefficient is not ONE:
        outer = product_of_numbers(outer, reciprocal(b.coefficient))
    if B is ONE or outer is ZERO:
        return _scaled(outer, A)
    if A is B:
        return outer
    if A is not ONE and (A.operation is MUL or A.operation is POW or B.operation is POW):
        reduced = _reduced(A, B)
        if reduced is not None:
            return scale(outer, reduced)
    if B.operation is DIV and B.arguments[0] is ONE:
        return scale(outer, multiply(A, B.arguments[1]))
    return _scaled(outer, pair(DIV, A, B))


def _reduced(A: Expression, B: Expression) -> Expression | None:
    """x^m / x^n as one power, and (x·y) / x as y, where A and B have such a form."""
    base, m = _base_and_exponent(A)
    other, n = _base_and_exponent(B)
    if base is other:
        return power(base, sum_of_numbers(m, opposite(n)))
    if A.operation is MUL:
        first, second = A.arguments
        if first is B:
            return second
        if second is B:
            return first
    return None


def power(a: Expression, b: Expression) -> Expression:
    """a ^ b. Whole powers are products, halves are square roots, negative ones reciprocals."""
    if not isinstance(b, Number):
        return ONE if a is ONE else pair(POW, a, b)
    exponent = b.value
    if b is ONE:
        return a
    if b is ZERO:
        return ONE
    if exponent < 0:
        return divide(ONE, power(a, opposite(b)))
    if exponent.denominator == 2:
        return power(function(SQRT, a), exact(exponent.numerator))
    if exponent.denominator != 1:
        return a if a is ONE or a is ZERO else pair(POW, a, b)
    return _whole_power(a, b)


def _whole_power(a: Expression, exponent: Number) -> Expression:
    """a^exponent for a whole exponent of at least 2."""
    A = a if a.core is None else a.core
    n = int(exponent.value)
    outer = a.coefficient
    if outer is not ONE:
        outer = power_of_number(outer, n)
    if A is ONE:
        return outer
    if A.operation is SQRT:
        inner = power(A.arguments[0], exact(n // 2))
        return scale(outer, multiply(inner, A) if n % 2 else inner)
    if A.operation is ABS and n % 2 == 0:
        A = A.arguments[0]
    base, inner_exponent = _base_and_exponent(A)
    return _scaled(outer, pair(POW, base, product_of_numbers(inner_exponent, exponent)))


# ----------------------------------------------------------------------------------------- functions

# The simplification rule of each function, entered by ``functions.py``; None means "nothing simpler".
Rule: TypeAlias = Callable[..., Expression | None]
RULES: Final[dict[str, Rule]] = {}


def function(operation: str, *arguments: Expression) -> Expression:
    """One of the named functions or comparisons, simplified by that function's own rule."""
    simpler = RULES[operation](*arguments)
    return simpler if simpler is not None else node(operation, *arguments)
