"""What is written down comes back the same: text and pickles."""

from __future__ import annotations

import itertools
import multiprocessing
import operator
import pickle
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import (
    PI,
    Expression,
    Table,
    asin,
    atan,
    atan2,
    derivative,
    maximum,
    minimum,
    nodes_in_order,
    number,
    parse,
    select,
    sin,
    symbol,
    symbols,
    text,
)
from linkwork.algebra.graph import rebuilt
from linkwork.errors import BadName, ExpressionError
from strategies import expressions, smooth_expressions, tables

x, y, z = symbols("x y z")


# ----------------------------------------------------------------------------------------------- text


@given(expressions())
def test_what_is_printed_is_read_back(e: Expression) -> None:
    """parse(text(e)) is e, the very same object."""
    assert parse(text(e)) is e


@given(expressions())
def test_every_node_is_what_its_arguments_build(e: Expression) -> None:
    """Building is idempotent: the operation of a node, applied to its arguments, gives the node again."""
    for node in nodes_in_order([e]):
        if node.arguments:
            assert rebuilt(node.operation, node.arguments) is node


def test_brackets_stand_where_they_are_needed() -> None:
    """Four operands joined by any three operations in any of the five ways: read back as the same object."""
    joins = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)
    a, b, c, d = symbols("a b c d")
    for f, g, h in itertools.product(joins, repeat=3):
        for e in (
            f(g(h(a, b), c), d),
            f(g(a, h(b, c)), d),
            f(g(a, b), h(c, d)),
            f(a, g(h(b, c), d)),
            f(a, g(b, h(c, d))),
        ):
            assert parse(text(e)) is e
            assert parse(text(-2 * e / 3)) is -2 * e / 3


@pytest.mark.parametrize(
    "e",
    [
        2 * (x + y) - 2 * x,
        2 * (x - y) + 2 * y,
        2 * (x + 1) + 2,
        3 * x + 1 - 3,
        asin(-1),
        atan(-1),
    ],
    ids=str,
)
def test_building_is_idempotent(e: Expression) -> None:
    """Terms cancel under a common coefficient, and odd functions of −1 are exact: as text and as a pickle."""
    assert parse(text(e)) is e
    assert pickle.loads(pickle.dumps(e)) is e


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


@pytest.mark.parametrize("value", [Fraction(2**1024 - 1, 7), Fraction(3**640, 2**400 * 5**250)])
def test_long_numbers_are_read_back(value: Fraction) -> None:
    """A numerator near the largest double and a decimal of hundreds of digits print as they are read."""
    e = number(value)
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


@given(st.text(min_size=1, max_size=8) | st.from_regex(r"[^\W\d]\w{0,5}(\.[^\W\d]\w?)?", fullmatch=True))
def test_every_name_that_is_accepted_can_be_read(name: str) -> None:
    """What symbol() accepts as a name, parse() reads as that symbol."""
    try:
        leaf = symbol(name)
    except BadName:
        assume(False)
    assert parse(name) is leaf


def test_long_text_is_shortened_for_messages() -> None:
    """str() of a graph that would be endless when written out ends with an ellipsis."""
    e: Expression = x
    for _ in range(200):
        e = sin(e) * e
    assert len(str(e)) < 2200
    assert str(e).endswith("…")


# -------------------------------------------------------------------------------------------- pickles


@given(expressions())
def test_pickles_give_the_same_object(e: Expression) -> None:
    """An expression that was pickled and read back is the same object, in every protocol."""
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(e, protocol)) is e


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
