"""Collecting equal terms wherever a sum hides them."""

from __future__ import annotations

import pytest
from algebra_oracle import NoValue, by_graph, near
from hypothesis import assume, given
from hypothesis import strategies as st
from test_algebra_instructions import polynomials

from linkwork.algebra import Expression, operation_count, parse
from linkwork.algebra.simplify import collected
from strategies import expressions, points


@given(
    st.lists(polynomials() | expressions(), min_size=1, max_size=3),
    st.lists(points(), min_size=3, max_size=3),
)
def test_collecting_keeps_the_value(roots: list[Expression], some: list[dict[str, float]]) -> None:
    """Collected expressions have the values of the given ones, wherever these have values."""
    found = collected(roots)
    assert len(found) == len(roots)
    compared = 0
    for values in some:
        try:
            wanted = by_graph(roots, near(values))
        except NoValue:
            continue
        simpler = by_graph(found, near(values))
        assert all(a.agrees_with(b) for a, b in zip(simpler, wanted, strict=True))
        compared += 1
    assume(compared)


@given(st.lists(polynomials(), min_size=1, max_size=3))
def test_collecting_never_adds_work(roots: list[Expression]) -> None:
    """There are never more operations afterwards, and collecting again changes nothing."""
    found = collected(roots)
    assert operation_count(found) <= operation_count(roots)
    assert collected(found) == found


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("(a*(b*c) + d) - (c*a)*b", "d"),
        ("((a + b) + c) - b", "a + c"),
        ("(a*b + c) + (d - b*a)", "c + d"),
        ("a + b", "a + b"),
        ("((2*a + b) + c) + 3*a", "5*a + b + c"),
    ],
)
def test_terms_are_found_behind_brackets(written: str, wanted: str) -> None:
    """Equal terms cancel or add up whatever their brackets and the order of their factors."""
    (found,) = collected([parse(written)])
    values = {"a": 1.25, "b": -0.5, "c": 3.0, "d": 0.75}
    assert by_graph([found], near(values))[0].agrees_with(by_graph([parse(wanted)], near(values))[0])
    assert operation_count([found]) == operation_count([parse(wanted)])
