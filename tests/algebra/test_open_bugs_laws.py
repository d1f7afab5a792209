"""General laws that the open bugs break; each moves back to the file named above it when it holds."""

from __future__ import annotations

import pickle

from algebra_oracle import NoValue, by_graph, near
from hypothesis import assume, given
from hypothesis import strategies as st
from test_algebra_forgetting import pool_sizes, small_pool
from test_algebra_instructions import check, polynomials, three_points

from linkwork.algebra import (
    Expression,
    from_sympy,
    hessian,
    nodes_in_order,
    number,
    parse,
    sin,
    symbol,
    symbols,
    text,
    to_sympy,
)
from linkwork.algebra import expression as inside
from linkwork.algebra.graph import rebuilt
from linkwork.errors import BadName
from strategies import expressions, points, random_expression, smooth_expressions

x, y, z = symbols("x y z")


# ---------------------------------------------------------------------- test_algebra_round_trips.py


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


@given(st.text(min_size=1, max_size=8) | st.from_regex(r"[^\W\d]\w{0,5}(\.[^\W\d]\w?)?", fullmatch=True))
def test_every_name_that_is_accepted_can_be_read(name: str) -> None:
    """What symbol() accepts as a name, parse() reads as that symbol."""
    try:
        leaf = symbol(name)
    except BadName:
        assume(False)
    assert parse(name) is leaf


@given(expressions())
def test_pickles_give_the_same_object(e: Expression) -> None:
    """An expression that was pickled and read back is the same object, in every protocol."""
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(e, protocol)) is e


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


# ---------------------------------------------------------------------- test_algebra_instructions.py


@given(smooth_expressions(), three_points)
def test_instructions_compute_derivatives(e: Expression, some: list[dict[str, float]]) -> None:
    """The same for gradients and Hessians, where much is shared and signs abound."""
    first, rows = hessian(e, (x, y, z))
    check([e, *first, *(entry for row in rows for entry in row.values())], some)


@given(st.lists(polynomials(), min_size=1, max_size=4), three_points)
def test_instructions_compute_polynomials(roots: list[Expression], some: list[dict[str, float]]) -> None:
    """Common factors, turned differences and shared coefficients leave the values as they are."""
    check(roots, some)


# ------------------------------------------------------------------------ test_algebra_forgetting.py


def test_what_is_dropped_is_forgotten() -> None:
    """After a large expression is dropped the pool is as small as before, however deep it was."""
    before = pool_sizes()
    e = random_expression(5000, seed=77) + number(123456789)
    for place in range(3000):
        e = sin(e) / (place + 1000)
    assert pool_sizes()[0] > before[0] + 8000
    del e
    assert pool_sizes() == before


def test_the_pool_does_not_grow_for_ever() -> None:
    """Building and dropping sixty thousand nodes needs room for a few thousand."""
    start, _ = pool_sizes()
    largest = 0
    with small_pool(start + 1000):
        for place in range(20_000):
            sin(x + place) * y + place
            largest = max(largest, len(inside._pool))
    assert largest <= 2 * start + 1010
