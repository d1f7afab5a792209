"""Large graphs: right derivatives, linear growth, and no recursion at any depth."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Iterator
from functools import cache

import pytest
from algebra_oracle import complex_step

from linkwork.algebra import (
    Expression,
    Table,
    cos,
    derivative,
    directional,
    evaluate,
    expression,
    free_symbols,
    gradient,
    hessian,
    hessian_vector,
    jacobian,
    latex,
    nodes_in_order,
    operation_count,
    parse,
    sin,
    sqrt,
    substitute,
    symbol,
    symbols,
    text,
)
from strategies import INPUTS, random_expression

x = symbol("x")
BY = symbols(INPUTS)
POINT = {name: 0.3 + 0.17 * place for place, name in enumerate(INPUTS)}
DIRECTION = {name: (-1) ** place * (0.4 + 0.1 * place) for place, name in enumerate(INPUTS)}


@cache
def large(size: int) -> tuple[Expression, list[Expression], Expression]:
    """A random expression, its gradient, and its rate along the direction."""
    e = random_expression(size, seed=size)
    rates: dict[Expression, float] = {symbol(name): rate for name, rate in DIRECTION.items()}
    return e, gradient(e, BY), directional([e], rates)[0]


@pytest.fixture(scope="module", autouse=True)
def forget_large() -> Iterator[None]:
    """Leave no large graphs behind."""
    yield
    large.cache_clear()
    expression._forget_unused()


def nodes(*roots: Expression) -> int:
    """How many nodes there are below the roots."""
    return len(nodes_in_order(roots))


# ------------------------------------------------------------------------------- values of derivatives


@pytest.mark.parametrize("size", [10, 1000, 100_000])
def test_derivatives_of_graphs_of_any_size(size: int) -> None:
    """Gradient and directional derivative of a graph are those of a complex step through it."""
    e, slope, along = large(size)
    wanted = complex_step(e, POINT, DIRECTION)
    found = evaluate(slope, POINT)
    by_gradient = sum(value * DIRECTION[name] for value, name in zip(found, INPUTS, strict=True))
    scale = sum(abs(value * DIRECTION[name]) for value, name in zip(found, INPUTS, strict=True))
    assert abs(by_gradient - wanted) < 1e-12 * scale
    if size <= 1000:
        assert abs(evaluate([along], POINT)[0] - wanted) < 1e-12 * scale


@pytest.mark.parametrize("size", [10, 1000])
def test_second_derivatives_of_graphs(size: int) -> None:
    """The Hessian's columns are the complex steps of the gradient, and hessian_vector is their sum."""
    e = random_expression(size, seed=size + 1)
    slope, rows = hessian(e, BY)
    product = hessian_vector(e, BY, [DIRECTION[name] for name in INPUTS])
    wanted = [complex_step(each, POINT, DIRECTION) for each in gradient(e, BY)]
    assert evaluate(slope, POINT) == pytest.approx(evaluate(gradient(e, BY), POINT), rel=1e-11, abs=1e-14)
    assert evaluate(product, POINT) == pytest.approx(wanted, rel=1e-10, abs=1e-13)
    for row in range(len(BY)):
        entries = {column: rows[max(row, column)].get(min(row, column)) for column in range(len(BY))}
        present = {column: entry for column, entry in entries.items() if entry is not None}
        values = evaluate(list(present.values()), POINT)
        total = sum(value * DIRECTION[INPUTS[column]] for column, value in zip(present, values, strict=True))
        assert total == pytest.approx(wanted[row], rel=1e-10, abs=1e-13)


def test_random_expressions_are_reproducible_and_as_large_as_asked() -> None:
    """The same seed gives the same object; the size is met within a factor of two."""
    assert random_expression(500, seed=3) is random_expression(500, seed=3)
    assert random_expression(500, seed=3) is not random_expression(500, seed=4)
    for size in (10, 100, 1000, 10_000):
        assert size / 2 <= nodes(random_expression(size, seed=1)) <= 2 * size


# ---------------------------------------------------------------------------------------------- growth


@pytest.mark.parametrize("size", [100, 1000, 10_000, 100_000])
def test_derivatives_grow_linearly(size: int) -> None:
    """A gradient, and a rate, has at most four times the nodes of the expression, at every size."""
    e, slope, along = large(size)
    assert nodes(e, *slope) <= 4 * nodes(e)
    assert nodes(e, along) <= 4 * nodes(e)


@pytest.mark.parametrize("size", [100, 1000, 10_000])
def test_second_derivatives_grow_linearly(size: int) -> None:
    """The Hessian times a vector has at most twelve times the nodes, whatever the size."""
    e = random_expression(size, seed=7)
    assert nodes(e, *hessian_vector(e, BY, symbols([f"v{place}" for place in range(8)]))) <= 12 * nodes(e)


def test_nested_squares_stay_shared() -> None:
    """u ← u² + u written out doubles each time; as a graph, and its derivative, it grows by a few nodes."""
    sizes = []
    for depth in (50, 100, 150):
        u: Expression = x
        for _ in range(depth):
            u = u**2 + u
        sizes.append((nodes(u), nodes(derivative(u, x)), operation_count([u])))
    for first, second, third in zip(*sizes, strict=True):
        assert third - second == second - first > 0


# ----------------------------------------------------------------------------------------------- depth

DEEP = 100_000


def tower(levels: int) -> Expression:
    """sin(cos(sin(…x…) + 1)/2): nested, and printable, because nothing is shared."""
    e: Expression = x
    for level in range(levels):
        e = sin(e) if level % 2 else cos(e / 2 + level % 7)
    return e


@pytest.fixture(scope="module")
def deep() -> Expression:
    """An expression far deeper than Python's stack."""
    assert 10 * sys.getrecursionlimit() < DEEP
    return tower(DEEP)


def test_deep_expressions_are_read_back(deep: Expression) -> None:
    """text, parse and pickle need no stack."""
    written = text(deep)
    assert parse(written) is deep
    assert len(str(deep)) < len(written)
    assert pickle.loads(pickle.dumps(deep)) is deep
    assert copy.deepcopy(deep) is deep


def test_deep_expressions_are_latex(deep: Expression) -> None:
    """LaTeX has as many brackets as the expression has levels."""
    assert latex(deep).count(r"\left(") == DEEP


def test_deep_expressions_have_values(deep: Expression) -> None:
    """Evaluation (by instructions), substitution and free symbols need no stack."""
    at_one = evaluate([deep], {"x": 1.0})[0]
    replaced = substitute([deep], {x: symbol("y") / 2})[0]
    assert evaluate([replaced], {"y": 2.0})[0] == at_one
    assert free_symbols(replaced) == (symbol("y"),)


def long_sum(levels: int) -> Expression:
    """x + sin(x) + sin(2x) + …, with a root now and then: as deep as it is long."""
    e: Expression = x
    for level in range(levels):
        e = sqrt(e + level % 3) if level % 1000 == 0 else e + sin((level % 7 + 1) * x)
    return e


def test_deep_expressions_have_derivatives() -> None:
    """Forward and reverse, first and second derivatives need no stack."""
    e = long_sum(DEEP)
    slope = evaluate([derivative(e, x), *gradient(e, [x])], {"x": 0.5})
    assert slope == pytest.approx([complex_step(e, {"x": 0.5}, {"x": 1.0})] * 2, rel=1e-12)
    shorter = long_sum(DEEP // 10)
    by_jacobian, by_gradient = evaluate([jacobian([shorter], [x])[0][0], *gradient(shorter, [x])], {"x": 0.5})
    assert by_jacobian == pytest.approx(by_gradient, rel=1e-12)
    assert hessian_vector(shorter, [x], [1])[0].arguments
    assert hessian(shorter, [x])[1][0][0].arguments


def test_a_long_table_is_no_deeper_than_its_lines() -> None:
    """A table of many lines, each needing the last, is sorted, evaluated and expanded without a stack."""
    count = 1000
    lines = {f"u{place}": f"u{place - 1}/2 + {place % 3}" for place in reversed(range(1, count))}
    table = Table.of(lines | {"u0": "x"}, outputs=[f"u{count - 1}"])
    wanted = 3.0
    for place in range(1, count):
        wanted = wanted / 2 + place % 3
    assert [line.name for line in table] == [f"u{place}" for place in range(count)]
    assert table.evaluate({"x": 3})[f"u{count - 1}"] == wanted
    assert evaluate(table.expanded(), {"x": 3}) == [wanted]
