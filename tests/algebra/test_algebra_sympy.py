"""To SymPy and back."""

from __future__ import annotations

import warnings
from fractions import Fraction

import pytest
import sympy
from algebra_oracle import NoValue, by_graph, near
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import Expression, evaluate, from_sympy, number, parse, symbol, to_sympy
from linkwork.errors import ExpressionError, LinkworkError
from strategies import points, smooth_expressions

x = symbol("x")


@given(smooth_expressions(), st.lists(points(), min_size=3, max_size=3))
def test_sympy_and_back_keeps_the_value(e: Expression, some: list[dict[str, float]]) -> None:
    """from_sympy(to_sympy(e)) has the value of e."""
    back = from_sympy(to_sympy(e))
    compared = 0
    for values in some:
        try:
            wanted, found = by_graph([e], near(values))[0], by_graph([back], near(values))[0]
        except NoValue:
            continue
        assert wanted.agrees_with(found)
        compared += 1
    assume(compared)


def test_nested_choices_come_back_from_sympy() -> None:
    """SymPy folds a select inside a condition into ITE, which comes back as a select."""
    e = parse("select(select(z < y, y*z, y) - z, 1, sin(z))")
    values = {"y": 0.5, "z": 0.25}
    assert evaluate([from_sympy(to_sympy(e))], values) == evaluate([e], values)


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


@pytest.mark.parametrize("stranger", ["x + 1", None, [1, 2], sympy.Matrix([1, 2])])
def test_only_sympy_comes_from_sympy(stranger: object) -> None:
    """Anything else is an error of ours, not an AttributeError."""
    with pytest.raises(LinkworkError):
        from_sympy(stranger)
