"""Numbers are exact: fractions stay fractions, floats are the decimals they print as."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linkwork.algebra import (
    PI,
    Expression,
    Number,
    acos,
    asin,
    atan,
    atan2,
    cos,
    derivative,
    equal,
    evaluate,
    exp,
    log,
    maximum,
    minimum,
    nodes_in_order,
    not_equal,
    number,
    parse,
    select,
    sign,
    sin,
    sqrt,
    symbol,
    tan,
    text,
)
from linkwork.errors import ExpressionError
from strategies import expressions

x = symbol("x")
fractions = st.fractions(max_denominator=10**9)
finite = st.floats(allow_nan=False, allow_infinity=False)


def value_of(e: Expression) -> int | Fraction:
    """The number an expression is."""
    assert isinstance(e, Number), e
    return e.value


@given(fractions, fractions)
def test_arithmetic_is_that_of_fractions(a: Fraction, b: Fraction) -> None:
    """Sums, differences, products, quotients and comparisons of numbers are exact."""
    p, q = number(a), number(b)
    assert value_of(p + q) == a + b
    assert value_of(p - q) == a - b
    assert value_of(p * q) == a * b
    assert value_of(minimum(p, q)) == min(a, b)
    assert value_of(maximum(p, q)) == max(a, b)
    assert value_of(abs(p)) == abs(a)
    assert value_of(sign(p)) == (a > 0) - (a < 0)
    assert value_of(p < q) == (a < b)
    assert value_of(p <= q) == (a <= b)
    assert value_of(equal(p, q)) == (a == b)
    assert value_of(not_equal(p, q)) == (a != b)
    assert value_of(sqrt(p * p)) == abs(a)
    if b:
        assert value_of(p / q) == a / b


@given(st.fractions(max_denominator=100), st.integers(-8, 8))
def test_whole_powers_are_exact(a: Fraction, n: int) -> None:
    """A whole power of a number is that number, also a negative one."""
    assume(a != 0 or n >= 0)
    assert value_of(number(a) ** n) == a**n


@given(st.fractions(max_denominator=100), fractions, fractions)
def test_coefficients_are_exact(a: Fraction, b: Fraction, c: Fraction) -> None:
    """Numbers meet inside expressions as exactly as outside."""
    assume(a != 0)
    assert (a * x) * b is (a * b) * x
    assert a * x + b * x is (a + b) * x
    assert (x + b) + c is x + (b + c)
    assert (x * b) / a is (b / a) * x
    assert (a * x) ** 2 is a**2 * x**2


@given(finite)
@example(0.1)
@example(5e-324)
@example(1.7976931348623157e308)
@example(-0.0)
def test_a_float_is_the_decimal_it_prints_as(value: float) -> None:
    """0.1 is 1/10; evaluating gives back the same double."""
    e = number(value)
    assert value_of(e) == Fraction(repr(value))
    assert evaluate([e], {}) == [value]


@given(expressions())
def test_nothing_becomes_a_float(e: Expression) -> None:
    """Every number of an expression, and of its derivative, is an int or a Fraction in lowest terms."""
    try:
        roots = [e, derivative(e, x)]
    except ExpressionError:
        assume(False)
    for node in nodes_in_order(roots):
        if isinstance(node, Number):
            assert type(node.value) in (int, Fraction)
            assert (type(node.value) is int) == (node.value.denominator == 1)


def test_numbers_of_other_kinds() -> None:
    """What behaves like an int or a float enters as one: NumPy's scalars, bools, decimals."""
    assert number(np.int64(3)) is number(3)  # type: ignore[arg-type]
    assert number(np.float64(0.1)) is number(Fraction(1, 10))
    assert number(True) is number(1)
    assert number(decimal.Decimal("0.1")) is number(Fraction(1, 10))  # type: ignore[arg-type]
    assert x * np.float64(0.5) is x / 2
    assert np.int64(2) * x is 2 * x  # type: ignore[operator]


EXACT: Final[list[tuple[Expression, Expression]]] = [
    (sqrt(Fraction(9, 4)), number(Fraction(3, 2))),
    (sqrt(4 * x), 2 * sqrt(x)),
    (sqrt(x**2), abs(x)),
    (sqrt(x**4), x**2),
    (sqrt(x**6), abs(x**3)),
    (sqrt(x) ** 2, x),
    (sqrt(x) ** 3, x * sqrt(x)),
    (sqrt(2) ** 2, number(2)),
    (number(4) ** 0.5, number(2)),
    (number(4) ** Fraction(-3, 2), number(Fraction(1, 8))),
    (abs(x) ** 2, x**2),
    (sin(0), number(0)),
    (sin(PI), number(0)),
    (sin(PI / 6), number(Fraction(1, 2))),
    (sin(-7 * PI / 6), number(Fraction(1, 2))),
    (sin(PI / 4), sqrt(Fraction(1, 2))),
    (cos(PI / 3), number(Fraction(1, 2))),
    (cos(2 * PI / 3), number(Fraction(-1, 2))),
    (cos(100 * PI), number(1)),
    (tan(PI / 4), number(1)),
    (tan(-PI / 4), number(-1)),
    (sin(-x), -sin(x)),
    (cos(-x), cos(x)),
    (tan(-x), -tan(x)),
    (asin(0), number(0)),
    (asin(1), PI / 2),
    (acos(0), PI / 2),
    (acos(-1), PI),
    (atan(1), PI / 4),
    (atan2(0, 1), number(0)),
    (atan2(0, -2), PI),
    (exp(0), number(1)),
    (log(1), number(0)),
    (exp(log(x)), x),
    (log(exp(x)), x),
    (sign(-3 * x), -sign(x)),
    (sign(exp(x)), number(1)),
    (abs(-PI), PI),
    (select(1, x, 2), x),
    (select(0, x, 2), number(2)),
    (select(x, 3, 3), number(3)),
]


@pytest.mark.parametrize(("e", "wanted"), EXACT, ids=[text(wanted) for _, wanted in EXACT])
def test_exact_values(e: Expression, wanted: Expression) -> None:
    """Functions of numbers for which the exact value is known, and inverses undone."""
    assert e is wanted


@pytest.mark.parametrize("turns", range(-48, 49))
def test_sines_of_parts_of_a_turn(turns: int) -> None:
    """Wherever the sine, cosine or tangent of a part of π is simplified, its value is right."""
    angle = PI * Fraction(turns, 24)
    for ours, theirs in ((sin, math.sin), (cos, math.cos), (tan, math.tan)):
        wanted = theirs(math.pi * turns / 24)
        steepness = 1 + wanted**2  # of the tangent; more than enough for the others
        if steepness < 1e10:
            assert evaluate([ours(angle)], {})[0] == pytest.approx(wanted, abs=2e-15 * steepness)


# ---------------------------------------------------------------------------------------------- limits


OUT_OF_RANGE: Final[dict[str, Callable[[], Expression]]] = {
    "10^400": lambda: number(10**400),
    "10^-400": lambda: number(Fraction(1, 10**400)),
    "2^1024": lambda: number(2) ** 1024,
    "10^400 by a power": lambda: number(10) ** 400,
    "10^-400 by a power": lambda: number(10) ** -400,
    "(1/10)^400": lambda: number(Fraction(1, 10)) ** 400,
    "7^(10^9)": lambda: number(7) ** 10**9,
    "7^(10^400)": lambda: number(7) ** 10**400,
    "a product": lambda: number(1e200) * 1e200,
    "a quotient": lambda: number(1e-200) / 1e200,
    "a sum": lambda: number(1.7e308) + 1.7e308,
    "coefficients": lambda: (1e200 * x) * (1e200 * x),
    "a power of a coefficient": lambda: (1e200 * x) ** 3,
    "the reciprocal of the smallest": lambda: 1 / number(5e-324),
    "infinity": lambda: number(math.inf),
    "not a number": lambda: x + math.nan,
}


@pytest.mark.parametrize("build", OUT_OF_RANGE.values(), ids=OUT_OF_RANGE)
def test_numbers_beyond_doubles_are_errors(build: Callable[[], Expression]) -> None:
    """A number that no double can hold is an error when it arises, not an infinity later."""
    with pytest.raises(ExpressionError, match=r"range of doubles|must be finite"):
        build()


ZERO_DIVISIONS: Final[dict[str, Callable[[], Expression]]] = {
    "1/0": lambda: number(1) / 0,
    "0/0": lambda: number(0) / 0,
    "x/0": lambda: x / 0,
    "1/(x − x)": lambda: 1 / (x - x),
    "0^-1": lambda: number(0) ** -1,
    "(x − x)^(-1/2)": lambda: (x - x) ** Fraction(-1, 2),
    "0.0": lambda: x / 0.0,
    "sin(pi)": lambda: x / sin(PI),
    "parsed": lambda: parse("x/(y - y)"),
}


@pytest.mark.parametrize("build", ZERO_DIVISIONS.values(), ids=ZERO_DIVISIONS)
def test_division_by_an_exact_zero_is_an_error(build: Callable[[], Expression]) -> None:
    """What is zero whatever the values of the symbols divides nothing."""
    with pytest.raises(ExpressionError, match="division by an exact zero"):
        build()


@given(st.integers(1, 10**6), st.integers(1, 3000))
def test_large_powers_are_the_nearest_double_or_an_error(base: int, exponent: int) -> None:
    """A power too long to be kept exactly has the value of the nearest double, to rounding."""
    exact = base**exponent
    try:
        found = evaluate([number(base) ** exponent], {})[0]
    except ExpressionError:
        assert exact > 1.7e308
    else:
        assert found == pytest.approx(float(exact), rel=1e-15)


@given(st.integers(2, 2**1023), st.integers(1, 2**1023))
def test_long_fractions_keep_their_value(above: int, below: int) -> None:
    """A fraction has the value of the nearest double, however long it is, and reads back."""
    e = number(Fraction(above, below))
    assert evaluate([e], {}) == [above / below]
    assert parse(text(e)) is e


@given(st.integers(2, 10**300), st.integers(1, 10**300), st.integers(2, 10**300), st.integers(1, 10**300))
def test_products_of_long_fractions_keep_their_value(a: int, b: int, c: int, d: int) -> None:
    """Arithmetic that outgrows exactness rounds once, to the nearest double."""
    try:
        e = number(Fraction(a, b)) * number(Fraction(c, d))
    except ExpressionError:
        assume(False)
    assert parse(text(e)) is e
    assert evaluate([e], {})[0] == pytest.approx(float(Fraction(a * c, b * d)), rel=1e-15)
