"""What is written down comes back the same: text, pickles, SymPy."""

from __future__ import annotations

import multiprocessing
import pickle
import warnings
from fractions import Fraction
from typing import Final

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import (
    PI,
    Expression,
    Table,
    atan2,
    derivative,
    from_sympy,
    maximum,
    minimum,
    number,
    parse,
    select,
    sin,
    symbol,
    symbols,
    text,
)
from linkwork.errors import ExpressionError
from strategies import smooth_expressions, tables

x, y, z = symbols("x y z")


# ----------------------------------------------------------------------------------------------- text


@given(smooth_expressions())
def test_printed_derivatives_are_read_back(e: Expression) -> None:
    """The law of the text holds for what differentiation builds, too."""
    slope = derivative(e, x)
    assert parse(text(slope)) is slope


@given(
    st.fractions() | st.fractions(max_denominator=10**6) | st.floats(allow_nan=False, allow_infinity=False)
)
def test_numbers_are_read_back(value: Fraction | float) -> None:
    """Every exact number prints as text that gives the same number."""
    try:
        e = number(value) * x
    except ExpressionError:
        assume(False)
    assert parse(text(e)) is e


SPELLED: Final = [
    (x - y, "x - y"),
    (y - x, "y - x"),
    (-x - y, "-x - y"),
    (-(x + y) * 2, "-2*(x + y)"),
    ((x - y) * -2, "2*(y - x)"),
    (x / (y * z), "x/(y*z)"),
    (x / y / z, "x/y/z"),
    (2 * x / (3 * y), "2*x/(3*y)"),
    ((-x) ** 3, "-x^3"),
    (x**-2, "1/x^2"),
    (x ** Fraction(2, 3), "x^(2/3)"),
    (x ** (y**z), "x^(y^z)"),
    ((x**y) ** z, "(x^y)^z"),
    (2**x, "2^x"),
    (number(Fraction(1, 3)) ** x, "(1/3)^x"),
    (0.1 * x, "0.1*x"),
    (x / 8, "x/8"),
    (9.81 * x, "9.81*x"),
    (1e-30 * x, "1e-30*x"),
    (6.02214076e33 * x, "6.02214076e33*x"),
    (PI / 2, "pi/2"),
    (maximum(y, x), "max(x, y)"),
    (select(x >= y, x, -x), "select(y <= x, x, -x)"),
    (-(x < y), "-(x < y)"),
    ((x < y) < z, "(x < y) < z"),
    (-sin(-x), "sin(x)"),
    (atan2(-x, y), "atan2(-x, y)"),
    (abs(-2 * x), "2*abs(x)"),
    (symbol("crank.angle") + 1, "crank.angle + 1"),
]


@pytest.mark.parametrize(("e", "wanted"), SPELLED, ids=[wanted for _, wanted in SPELLED])
def test_the_notation(e: Expression, wanted: str) -> None:
    """Text is ordinary notation: no needless brackets, no doubled signs, decimals where they are shorter."""
    assert text(e) == wanted
    assert parse(wanted) is e


def test_long_text_is_shortened_for_messages() -> None:
    """str() of a graph that would be endless when written out ends with an ellipsis."""
    e: Expression = x
    for _ in range(200):
        e = sin(e) * e
    assert len(str(e)) < 2200
    assert str(e).endswith("…")


# -------------------------------------------------------------------------------------------- pickles


@given(tables())
def test_tables_can_be_pickled(table: Table) -> None:
    """A table that was pickled and read back is equal."""
    assert pickle.loads(pickle.dumps(table)) == table


def test_expressions_cross_to_another_process() -> None:
    """A fresh process, with an empty graph, returns the expression it was sent."""
    e = select(x < y, minimum(x, PI / 3), sin(x) ** 2 / 7)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(text, [e]) == [text(e)]
        assert pool.map(abs, [e])[0] is abs(e)


# ---------------------------------------------------------------------------------------------- SymPy


def test_what_comes_from_sympy() -> None:
    """The forms SymPy people have: functions of time, Float, E, Piecewise, relations, logarithms."""
    s = {name: sympy.Symbol(name) for name in "xyt"}
    q = sympy.Function("q")(s["t"])
    assert from_sympy(q**2) is symbol("q") ** 2
    assert from_sympy(sympy.Float(0.1)) is number(0.1)
    assert from_sympy(sympy.E * s["x"]) is parse("exp(1)*x")
    assert from_sympy(1.5) is number(1.5)
    assert from_sympy(3) is number(3)
    assert from_sympy(sympy.log(10) * s["x"]) is parse("log(10)*x")
    assert from_sympy(sympy.cbrt(s["x"])) is x ** Fraction(1, 3)
    pieces = sympy.Piecewise((1, s["x"] < 0), (s["x"], s["x"] < s["y"]), (s["y"], True))
    assert from_sympy(pieces) is parse("select(x < 0, 1, select(x < y, x, y))")
    both = sympy.And(s["x"] > 0, s["y"] > 0)
    assert from_sympy(sympy.Piecewise((1, both), (0, True))) is parse("select((0 < x)*(0 < y), 1, 0)")


@pytest.mark.parametrize(
    "foreign",
    [
        sympy.I,
        sympy.oo,
        sympy.nan,
        sympy.zoo,
        sympy.gamma(sympy.Symbol("x")),
        sympy.Integral(sympy.Symbol("x"), sympy.Symbol("x")),
        sympy.Derivative(sympy.Function("q")(sympy.Symbol("t")), sympy.Symbol("t")),
        sympy.Piecewise((1, sympy.Symbol("x") < 0)),
        sympy.Symbol("for"),
    ],
    ids=str,
)
def test_what_sympy_has_and_we_have_not(foreign: object) -> None:
    """Anything without a counterpart is an error of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ExpressionError):
            from_sympy(foreign)
