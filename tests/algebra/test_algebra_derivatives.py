"""Derivatives against differences in sixty digits, against SymPy, and against each other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import pytest
import sympy
from algebra_oracle import Near, NoValue, by_graph, near, slopes
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import (
    Expression,
    derivative,
    directional,
    free_symbols,
    from_sympy,
    gradient,
    hessian,
    hessian_vector,
    jacobian,
    number,
    parse,
    sparsity,
    symbol,
    symbols,
    to_sympy,
)
from linkwork.errors import ExpressionError
from strategies import NAMES, expressions, points, smooth_expressions

x, y, z = BY = symbols(NAMES)
ZERO = number(0)
Values = dict[str, float]


def measured(roots: Sequence[Expression], values: Values, along: Values) -> list[Near]:
    """The slopes along a direction, where they exist."""
    try:
        return slopes(roots, values, along)
    except NoValue:
        assume(False)
        raise


def computed(roots: Sequence[Expression], values: Values) -> list[Near]:
    """The values of expressions, where they exist."""
    try:
        return by_graph(roots, near(values))
    except NoValue:
        assume(False)
        raise


def agree(found: Sequence[Near], wanted: Sequence[Near]) -> bool:
    """Whether two vectors may be the same."""
    return all(a.agrees_with(b) for a, b in zip(found, wanted, strict=True))


# -------------------------------------------------------------------------------- first derivatives


@given(smooth_expressions(), points())
def test_the_gradient_is_the_slope_along_each_axis(e: Expression, values: Values) -> None:
    """∂e/∂x by gradient, derivative, directional and jacobian is the limit of differences."""
    wanted = [measured([e], values, {name: 1.0})[0] for name in NAMES]
    row = jacobian([e], BY)[0]
    assert agree(computed(gradient(e, BY), values), wanted)
    assert agree(computed([derivative(e, by) for by in BY], values), wanted)
    assert agree(computed([directional([e], {by: 1})[0] for by in BY], values), wanted)
    assert agree(computed([row.get(column, ZERO) for column in range(3)], values), wanted)


@given(smooth_expressions(), points(), points())
def test_the_directional_derivative(e: Expression, values: Values, along: Values) -> None:
    """Rates of the symbols give the rate of the result."""
    found = directional([e], {symbol(name): rate for name, rate in along.items()})
    assert agree(computed(found, values), measured([e], values, along))


def test_rates_may_be_expressions() -> None:
    """With rates {q: v, v: a} the directional derivative is the time derivative."""
    q, v, a = symbols("q v a")
    assert directional([q * v, q, number(3)], {q: v, v: a}) == [q * a + v**2, v, ZERO]


EVERY_OPERATION: Final = [
    *("x + y", "x - y", "x*y", "x/y", "x^2", "x^7", "x^(-3)", "x^(1/2)", "x^(5/2)", "x^(-1/3)", "x^y", "x^x"),
    *(
        "2^x",
        "sqrt(x)",
        "sin(x)",
        "cos(x)",
        "tan(x)",
        "asin(x/3)",
        "acos(x/3)",
        "atan(x)",
        "exp(x)",
        "log(x)",
    ),
    *(
        "abs(x)",
        "abs(-x)",
        "abs(x - 2)",
        "sign(x)*y",
        "atan2(x, y)",
        "atan2(x, -y)",
        "atan2(-x, x)",
        "min(x, y)",
    ),
    *("max(x, y)", "min(x, 5)", "(x < y)*x", "(x >= y)*x", "(x == y)*x", "(x != y)*x", "pi*x", "x*(x + y)"),
    *("select(x < y, x^2, y^2)", "select(x - y, x^3, x)", "select(x, x, y)", "x/(x + y)", "(x + y)/x"),
]


@pytest.mark.parametrize("written", EVERY_OPERATION)
def test_every_operation_has_its_derivatives(written: str) -> None:
    """First and second derivatives of each operation by each of its operands, at two points."""
    e = parse(written)
    for values in ({"x": 0.7, "y": 1.3, "z": 1.0}, {"x": 1.9, "y": 0.4, "z": 1.0}):
        first, rows = hessian(e, BY)
        assert first == gradient(e, BY)
        assert agree(computed(first, values), [measured([e], values, {name: 1.0})[0] for name in NAMES])
        for column, name in enumerate(NAMES):
            found = [rows[max(row, column)].get(min(row, column), ZERO) for row in range(3)]
            assert agree(computed(found, values), measured(first, values, {name: 1.0}))


@given(smooth_expressions(4, kinks=False), points())
def test_sympy_finds_the_same_derivative(e: Expression, values: Values) -> None:
    """SymPy's derivative, brought back, has the same value."""
    by_sympy = from_sympy(to_sympy(e).diff(sympy.Symbol("x", real=True)))
    assert agree(computed([derivative(e, x)], values), computed([by_sympy], values))


@given(expressions())
def test_what_is_not_mentioned_has_no_derivative(e: Expression) -> None:
    """The derivative by a symbol that does not occur is 0, and a constant's gradient is 0."""
    try:
        assert derivative(e, symbol("w")) is ZERO
        assert gradient(e, [symbol("w")]) == [ZERO]
        for by in set(BY) - set(free_symbols(e)):
            assert derivative(e, by) is ZERO
    except ExpressionError:
        assume(False)


# ----------------------------------------------------------------------------------------- Jacobians


@given(st.lists(smooth_expressions(4), min_size=1, max_size=6), points())
def test_jacobian_rows_are_gradients(results: list[Expression], values: Values) -> None:
    """Each row of the Jacobian is the gradient of its result; what is absent is exactly 0."""
    rows = jacobian(results, BY)
    for result, row in zip(results, rows, strict=True):
        entries = [row.get(column, ZERO) for column in range(3)]
        assert agree(computed(entries, values), computed(gradient(result, BY), values))
        assert ZERO not in row.values()
        assert list(row) == sorted(row)


def test_forward_and_reverse_jacobians_agree() -> None:
    """Many results of few symbols go forward, few results of many symbols in reverse: the same values."""
    many = symbols([f"p{place}" for place in range(12)])
    values = {leaf.name: 0.3 + 0.1 * place for place, leaf in enumerate(many)}
    core = parse("sin(p0*p1) + p2^2")
    tall = [core * parse(f"cos({place}*p0) + p1") for place in range(1, 12)]
    wide = [sum((leaf * core + leaf**2 for leaf in many), start=ZERO)]
    for results, by in ((tall, many[:3]), (wide, many), (tall + wide, many)):
        whole = jacobian(results, by)
        one_by_one = [jacobian([result], by)[0] for result in results]
        columns = [directional(results, {leaf: 1}) for leaf in by]
        for row, result in enumerate(results):
            for column in range(len(by)):
                entries = [
                    whole[row].get(column, ZERO),
                    one_by_one[row].get(column, ZERO),
                    columns[column][row],
                    gradient(result, by)[column],
                ]
                first, *others = by_graph(entries, near(values))
                assert all(first.agrees_with(other) for other in others)


def test_repeated_results_have_equal_rows() -> None:
    """A result that stands twice, or is itself a symbol, has its row each time."""
    rows = jacobian([x * y, x * y, y, number(2)], BY)
    assert rows == [{0: y, 1: x}, {0: y, 1: x}, {1: number(1)}, {}]
    assert jacobian([x * y * z, x * y * z], BY)[0] == jacobian([x * y * z], BY)[0]


def test_symbols_given_twice() -> None:
    """By (x, x) there are two equal columns, and four equal second derivatives."""
    assert jacobian([x * y], [x, x]) == [{0: y, 1: y}]
    assert hessian(x**2, [x, x])[1] == [{0: number(2)}, {0: number(2), 1: number(2)}]


@given(st.lists(expressions(5), min_size=1, max_size=4))
def test_the_sparsity_holds_every_nonzero(results: list[Expression]) -> None:
    """sparsity names the columns each result mentions; the Jacobian has entries nowhere else."""
    try:
        rows = jacobian(results, BY)
    except ExpressionError:
        assume(False)
    pattern = sparsity(results, BY)
    for result, row, columns in zip(results, rows, pattern, strict=True):
        assert row.keys() <= set(columns)
        assert columns == tuple(column for column, leaf in enumerate(BY) if leaf in free_symbols(result))


# ------------------------------------------------------------------------------------------ Hessians


@given(smooth_expressions(), points())
def test_the_hessian_is_the_gradients_derivative(e: Expression, values: Values) -> None:
    """The lower triangle holds ∂²e/∂x∂y; what is absent is 0 and no stored entry is the number 0."""
    first, rows = hessian(e, BY)
    assert agree(computed(first, values), computed(gradient(e, BY), values))
    assert all(column <= row for row, entries in enumerate(rows) for column in entries)
    assert not any(ZERO in entries.values() for entries in rows)
    for column, name in enumerate(NAMES):
        found = [rows[max(row, column)].get(min(row, column), ZERO) for row in range(3)]
        assert agree(computed(found, values), measured(gradient(e, BY), values, {name: 1.0}))


@given(smooth_expressions(), points(), points())
def test_the_hessian_times_a_vector(e: Expression, values: Values, along: Values) -> None:
    """hessian_vector is the gradient's slope along the vector, for numbers and for symbols."""
    wanted = measured(gradient(e, BY), values, along)
    direction = [along[name] for name in NAMES]
    assert agree(computed(hessian_vector(e, BY, direction), values), wanted)
    with_symbols = hessian_vector(e, BY, symbols("a b c"))
    named = values | dict(zip("abc", direction, strict=True))
    assert agree(computed(with_symbols, named), wanted)


def test_entries_that_cancel_are_absent() -> None:
    """(x + y)² − (x − y)² is 4xy: only the mixed derivative remains."""
    assert hessian((x + y) ** 2 - (x - y) ** 2, [x, y])[1] == [{}, {0: number(4)}]


def test_the_hessian_of_a_chain_keeps_its_sharing() -> None:
    """The mass matrix of n links in a row needs of the order of n² operations, not n³."""
    from linkwork.algebra import cos, operation_count, sin

    def operations(links: int) -> int:
        angles, rates = (symbols([f"{kind}{place}" for place in range(links)]) for kind in "qv")
        along = [ZERO, ZERO]
        energy = ZERO
        for angle, rate in zip(angles, rates, strict=True):
            along = [along[0] - rate * sin(angle), along[1] + rate * cos(angle)]
            energy = energy + (along[0] ** 2 + along[1] ** 2) / 2
        return operation_count([entry for row in hessian(energy, rates)[1] for entry in row.values()])

    assert operations(40) < 5 * operations(20)


def test_higher_derivatives_of_a_power() -> None:
    """Seven derivatives of x^7 are 7!, an eighth is 0; those of 1/x alternate."""
    e = x**7
    for _ in range(7):
        e = derivative(e, x)
    assert e is number(5040)
    assert derivative(e, x) is ZERO
    third = derivative(derivative(derivative(1 / x, x), x), x)
    assert by_graph([third], near({"x": 2.0}))[0].agrees_with(by_graph([number(Fraction(-6, 16))], {})[0])
