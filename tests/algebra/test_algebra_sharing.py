"""Nothing is computed twice: no instruction of a program, no line of a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from test_algebra_instructions import related_polynomials, written_form

from linkwork.algebra import (
    Expression,
    Operand,
    Table,
    differentiate,
    expression,
    graph,
    instructions,
    parse,
    time_derivative,
)


@pytest.mark.parametrize(
    "written",
    [["-2*x", "-y - 2*x"], ["2*x*y", "2*x + z"], ["2*x*y*z", "2*x*y + z"], ["x/y", "x*(1/y)"]],
    ids=", ".join,
)
def test_nothing_is_computed_twice(written: list[str]) -> None:
    """Shared parts are computed once. (Into test_algebra_instructions.py.)"""
    rows = written_form(instructions([parse(each) for each in written]))
    assert len(set(rows)) == len(rows)


@given(related_polynomials())
def test_nothing_of_a_computation_is_computed_twice(roots: list[Expression]) -> None:
    """The same for results of one computation. (Into test_instructions_are_tidy.)"""
    rows = written_form(instructions(roots))
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize(
    "work", [Table.expanded, lambda table: time_derivative(table, ["x"])], ids=["expanded", "rates"]
)
def test_work_grows_with_the_lines(work: Callable[[Table], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the lines, twice the work. Now substitute() and directional() copy all lines for every line, so
    8,000 lines take five seconds. (Into test_algebra_without_limits.py.)
    """
    calls = []

    def counted(value: Operand) -> Expression:
        calls.append(value)
        return expression.number(value)

    monkeypatch.setattr(graph, "number", counted)
    monkeypatch.setattr(differentiate, "number", counted)
    counts = []
    for lines in (200, 400):
        rest = {f"u{place}": f"sin(u{place - 1}) + {place}" for place in range(1, lines)}
        table = Table.of({"u0": "x^2"} | rest)
        calls.clear()
        work(table)
        counts.append(len(calls))
    assert counts[1] <= 2.5 * counts[0] + 100
