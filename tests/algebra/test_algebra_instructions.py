"""Instructions: what a printer prints computes what the expression says, with as little work."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from algebra_oracle import ROUNDING_OF_ORACLE, Near, NoValue, applied, by_graph, leaf, near
from hypothesis import assume, given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.algebra import (
    Expression,
    Number,
    Symbol,
    gradient,
    hessian,
    instructions,
    nodes_in_order,
    number,
    operation_count,
    operations_by_kind,
    parse,
    symbol,
    symbols,
)
from linkwork.algebra.instructions import Instructions
from strategies import INPUTS, expressions, points, random_expression, smooth_expressions

x, y, z = symbols("x y z")
NAMED = {"neg": "negate"}


def executed(code: Instructions, values: Mapping[str, Near]) -> list[Near]:
    """The results of the instructions, followed one after the other."""
    registers: list[Near | None] = []
    for place, (operation, operands) in enumerate(zip(code.operations, code.operands, strict=True)):
        if not operands:
            content = code.leaves[place]
            known = content.name if isinstance(content, Symbol) else None
            exact = Fraction(content.value) if isinstance(content, Number) else None
            registers.append(leaf(known or exact, values, ROUNDING_OF_ORACLE))
            continue
        arguments = [registers[operand] for operand in operands]
        try:
            known_ones = [each for each in arguments if each is not None]
            if len(known_ones) < len(arguments):
                raise NoValue
            registers.append(applied(NAMED.get(operation, operation), known_ones, ROUNDING_OF_ORACLE))
        except NoValue:
            registers.append(None)
    results = [registers[place] for place in code.results]
    if None in results:
        raise NoValue
    return [each for each in results if each is not None]


def check(roots: Sequence[Expression], some: Sequence[dict[str, float]]) -> None:
    """The instructions compute the roots, at the points where these have values."""
    code = instructions(roots)
    compared = 0
    for values in some:
        try:
            wanted = by_graph(roots, near(values))
        except NoValue:
            continue
        found = executed(code, near(values))
        assert all(a.agrees_with(b) for a, b in zip(found, wanted, strict=True))
        compared += 1
    assume(compared)


three_points = st.lists(points(), min_size=3, max_size=3)


@given(st.lists(expressions(), min_size=1, max_size=3), three_points)
def test_instructions_compute_the_expressions(roots: list[Expression], some: list[dict[str, float]]) -> None:
    """Following the instructions gives the values of the roots."""
    check(roots, some)


@given(smooth_expressions(), three_points)
def test_instructions_compute_derivatives(e: Expression, some: list[dict[str, float]]) -> None:
    """The same for gradients and Hessians, where much is shared and signs abound."""
    first, rows = hessian(e, (x, y, z))
    check([e, *first, *(entry for row in rows for entry in row.values())], some)


def polynomials() -> st.SearchStrategy[Expression]:
    """Sums and products only, where the choice of signs and common factors is made."""
    leaves = st.sampled_from([x, y, z, number(2), number(-1), number(-3), 1 / x, 1 / (x + y)])
    return st.recursive(
        leaves,
        lambda part: st.one_of(
            st.builds(lambda a, b: a + b, part, part),
            st.builds(lambda a, b: a - b, part, part),
            st.builds(lambda a, b: a * b, part, part),
            st.builds(lambda a, b: a * b, part, part),
            part.map(lambda a: -a),
            part.map(lambda a: a**3),
        ),
        max_leaves=14,
    )


@st.composite
def related_polynomials(draw: st.DrawFn) -> list[Expression]:
    """Up to three results of one computation in sums, products and quotients: much of it is shared."""
    known: list[Expression] = [x, y, z, 1 / x, 1 / (x + y), x**2]
    kinds = (operator.add, operator.sub, operator.mul, operator.mul, lambda a, b: a * b.coefficient)
    for _ in range(draw(st.integers(1, 10))):
        a, b = (known[draw(st.integers(0, len(known) - 1))] for _ in range(2))
        factor = draw(st.sampled_from((1, 1, 2, -2, 3, Fraction(1, 2))))
        known.append(factor * draw(st.sampled_from(kinds))(a, b))
    return known[-draw(st.integers(1, 3)) :]


@given(st.lists(polynomials(), min_size=1, max_size=4) | related_polynomials(), three_points)
def test_instructions_compute_polynomials(roots: list[Expression], some: list[dict[str, float]]) -> None:
    """Common factors, turned differences and shared coefficients leave the values as they are."""
    check(roots, some)


def written_form(code: Instructions) -> list[object]:
    """Instructions with leaves in place, to be compared."""
    return [
        code.leaves.get(place, row)
        for place, row in enumerate(zip(code.operations, code.operands, strict=True))
    ]


@given(st.lists(polynomials() | expressions(), min_size=1, max_size=3))
def test_instructions_are_tidy(roots: list[Expression]) -> None:
    """Operands come earlier, nothing is computed twice, and nothing is computed for nobody."""
    code = instructions(roots)
    for place, operands in enumerate(code.operands):
        assert all(0 <= operand < place for operand in operands)
        assert (place in code.leaves) == (not operands)
    rows = written_form(code)
    assert len(set(rows)) == len(rows)
    used = {operand for operands in code.operands for operand in operands} | set(code.results)
    assert used == set(range(len(rows)))
    assert len(code.results) == len(roots)


def plain_count(roots: Sequence[Expression]) -> int:
    """The operations of the graph as it stands: a node each, and whole powers as products."""
    total = 0
    for node in nodes_in_order(roots):
        if node.operation == "^" and isinstance(node.arguments[1], Number):
            exponent = Fraction(node.arguments[1].value)
            whole = exponent.denominator == 1 and exponent <= 64
            total += exponent.numerator.bit_length() + exponent.numerator.bit_count() - 2 if whole else 1
        elif node.arguments:
            total += 1
    return total


@given(st.lists(polynomials() | expressions(), min_size=1, max_size=3) | related_polynomials())
def test_lowering_never_costs_more_than_the_graph(roots: list[Expression]) -> None:
    """There are at most as many instructions as there are operations in the graph."""
    assert operation_count(roots) <= plain_count(roots)


def test_large_graphs_become_instructions() -> None:
    """A graph of 20,000 nodes and its gradient: not more instructions than operations."""
    e = random_expression(20_000, seed=5)
    roots = [e, *gradient(e, symbols(INPUTS))]
    assert operation_count(roots) <= plain_count(roots)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (["x^5"], {"*": 3}),
        (["x^2"], {"*": 1}),
        (["x^7"], {"*": 4}),
        (["x^64"], {"*": 6}),
        (["x^65"], {"^": 1}),
        (["x^4", "x^5"], {"*": 3}),
        (["1/x^2"], {"*": 1, "/": 1}),
        (["x^(3/2)"], {"*": 1, "sqrt": 1}),
        (["x - y"], {"-": 1}),
        (["y - x"], {"-": 1}),
        (["x - y", "y - x"], {"-": 1, "neg": 1}),
        (["-x"], {"neg": 1}),
        (["z - (x - y)"], {"-": 2}),
        (["x - 2*y"], {"*": 1, "-": 1}),
        (["2*x", "-2*x"], {"*": 1, "neg": 1}),
        (["x - sin(y)*z"], {"sin": 1, "*": 1, "-": 1}),
        (["x + y", "(x + y)^2", "sin(x + y)"], {"+": 1, "*": 1, "sin": 1}),
        (["x*y + x*z"], {"+": 1, "*": 1}),
        (["x*(1/y)"], {"/": 1}),
        (["x"], {}),
        (["3", "pi"], {}),
        (["select(x < y, x, y)"], {"<": 1, "select": 1}),
    ],
    ids=lambda case: ", ".join(case) if isinstance(case, list) else "",
)
def test_how_many_operations(written: list[str], wanted: dict[str, int]) -> None:
    """x⁵ takes three multiplications, subtraction needs no negation, shared parts count once."""
    roots = [parse(each) for each in written]
    assert operations_by_kind(roots) == Counter(wanted)
    assert operation_count(roots) == sum(wanted.values())
    assert instructions(roots).count() == Counter(wanted)


def test_roots_may_repeat_and_be_leaves() -> None:
    """Each root has its place in the results, also twice, also a symbol or a number."""
    code = instructions([x + y, x, number(2), x + y])
    assert code.results[0] == code.results[3]
    assert code.leaves[code.results[1]] is x
    assert code.leaves[code.results[2]] is number(2)
    assert instructions([]).results == []


def test_reciprocals_among_common_factors() -> None:
    """A common factor is taken out of products that hold reciprocals without taking more for one."""
    e = parse("w*(w - x)*(1/x)*w + (w - x)*(1/x)")
    values = near({"w": 3.5, "x": 1.25})
    assert executed(instructions([e]), values)[0].agrees_with(by_graph([e], values)[0])


def test_long_products_need_no_stack() -> None:
    """x·a₁·…·aₙ + x·b₁·…·bₙ for a large n becomes instructions like a short one."""
    first: Expression = x
    second: Expression = x
    for place in range(2000):
        first = first * symbol(f"a{place}")
        second = second * symbol(f"b{place}")
    assert operation_count([first + second]) <= 4001


@pytest.mark.parametrize("names", [["k", "z", "b"], ["p", "z", "k"], ["a", "b", "c"], ["c", "b", "a"]])
def test_a_sum_that_is_computed_as_its_negative_is_still_found(names: list[str]) -> None:
    """−(b − (k − z)) needs k − z itself, although everybody else needs only z − k."""
    k, z, b = (lw.symbol(name) for name in names)
    roots = [-(b - (k - z)), -(k - z), lw.exp(z - k)]
    found = lw.compiled(
        lw.Program.of("f", [k, z, b], {f"y{place}": root for place, root in enumerate(roots)})
    )
    values = found(**{names[0]: 5.0, names[1]: 3.0, names[2]: 7.0})
    assert [float(values[f"y{place}"]) for place in (0, 1)] == [-5.0, -2.0]
