"""All printers and ``evaluate`` compute the same numbers, up to what rounding can do to the expression."""

from __future__ import annotations

import math

import emit_bounds
import numpy as np
import pytest
from emit_agreement import check_agreement, check_case
from emit_languages import Case, cases_of, needs_compiler, needs_node, values_of
from emit_programs import all_programs, row_of
from emit_strategies import batches, called, formulas, programs
from hypothesis import given, settings

from linkwork.algebra import Expression, exp, log, sin, sqrt, symbols
from linkwork.emit import Program

X, Y = symbols("x y")


@needs_compiler
@needs_node
@batches(8)
@given(called(formulas(), count=5, most=30))
def test_all_languages_agree_on_formulas(cases: list[Case]) -> None:
    """One expression or one table, at ordinary and special values."""
    check_agreement(cases)


@needs_compiler
@needs_node
@batches(8)
@given(called(programs(), count=5, most=15))
def test_all_languages_agree_on_programs(cases: list[Case]) -> None:
    """Programs of every shape, at ordinary and special values."""
    check_agreement(cases)


@needs_compiler
@needs_node
def test_all_languages_agree_on_machines() -> None:
    """A four-bar linkage with its rates, a stop, a double pendulum."""
    machines = list(all_programs().values())
    check_agreement(cases_of(machines, [[row_of(each)] for each in machines]))


# The error analysis itself: what it admits is neither everything nor nothing.


def test_almost_every_random_result_can_be_judged() -> None:
    """Neither by many open results nor by loose bounds do the laws above hold."""
    tight: list[bool] = []

    @settings(derandomize=True, database=None, max_examples=5)
    @given(called(formulas(), count=5, most=20))
    def judge(cases: list[Case]) -> None:
        for case in cases:
            for row in case.rows:
                for near in emit_bounds.of_printed(case.program, values_of(case.program, row)):
                    small = near.value is not None and near.error <= 1e-12 * max(1, abs(near.value))
                    tight.append(near.bits is not None or small)

    judge()
    assert len(tight) > 200
    assert sum(tight) > 0.9 * len(tight)


@pytest.mark.parametrize(
    "expression", [X + Y, X * Y - 1, sqrt(X + 2), sin(X) / Y, exp(X) - log(Y), X**Y, X**5 / (Y + 3)]
)
def test_a_result_that_is_slightly_wrong_is_refused(expression: Expression) -> None:
    """One that is off by 64 units in the last place is not admitted, in any language."""
    (case,) = cases_of([Program.of("f", [X, Y], {"r": expression})], [[[0.7, 1.9]]])
    right = emit_bounds.of_printed(case.program, {"x": 0.7, "y": 1.9})[0]
    value = float(right.value) if right.bits is None else right.bits
    wrong = value + 64 * math.ulp(value)
    good, bad = np.array([[value]]), np.array([[wrong]])
    check_case(case, {"C": good}, good)
    with pytest.raises(AssertionError, match="C: "):
        check_case(case, {"C": bad}, good)
    with pytest.raises(AssertionError, match="evaluate: "):
        check_case(case, {"C": good}, bad)


def test_bounds_grow_with_the_condition() -> None:
    """The error of (x + 1e9) − y·1e9 near y = 1 is that of 1e9; a comparison within it is open."""
    difference = sin(X) + 1e9 - Y * 1e9
    program = Program.of("f", [X, Y], {"r": difference, "s": difference < 0.25})
    r, s = emit_bounds.of_printed(program, {"x": 0.7, "y": 1.0})
    assert 1e-8 < r.error < 1e-5
    assert s.bits is None
    assert s.value == 0
    at_the_edge = emit_bounds.of_printed(program, {"x": math.asin(0.25), "y": 1.0})[1]
    assert not at_the_edge.decided
