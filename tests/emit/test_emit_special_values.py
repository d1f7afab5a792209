"""Infinities, NaN, zeros of both signs and edges of domains: every operation, the same in every language."""

from __future__ import annotations

import itertools
import math

import pytest
from emit_agreement import check_agreement
from emit_languages import cases_of, needs_compiler, needs_node, same_bits
from emit_special import (
    OPERATIONS,
    UNARY,
    VALUES,
    A,
    composition,
    differences,
    pairs,
    results,
    uncovered_operations,
)

from linkwork.emit import Program

pytestmark = needs_compiler


def test_every_operation_is_tried() -> None:
    """An operation added to the algebra must be added to this list."""
    assert uncovered_operations() == set()


OTHERS: dict[str, tuple[pytest.MarkDecorator, ...]] = {
    "NumPy": (),
    "evaluate": (),
    "JavaScript": (needs_node,),
}


@pytest.mark.parametrize(
    ("operation", "language"),
    [
        pytest.param(operation, language, marks=marks)
        for language, marks in OTHERS.items()
        for operation in OPERATIONS
    ],
)
def test_an_operation_gives_the_same_in_every_language(operation: str, language: str) -> None:
    """Same infinity, same zero with its sign, NaN where there is NaN, else equal up to 4 units."""
    assert differences(operation, language) == []


# gcc makes its own formula of these two: test_emit_open_bugs.py.
SWALLOWED = (("sin", "atan"), ("cos", "atan"))


@needs_node
def test_a_function_of_a_function_gives_the_same_in_every_language() -> None:
    """No compiler's simplification of sin(atan x), exp(log x), … loses a NaN, an infinity or a zero."""
    pairs = [pair for pair in itertools.product(UNARY, UNARY) if pair not in SWALLOWED]
    program = Program.of("nested", [A], {"r": [composition(*pair) for pair in pairs]})
    check_agreement(cases_of([program], [[[value] for value in VALUES]]))


# What C gives, the language all others are compared with, follows IEEE 754 and Annex F of C99.
PRESCRIBED = [
    ("/", 1.0, 0.0, math.inf),
    ("/", 1.0, -0.0, -math.inf),
    ("/", 0.0, 0.0, math.nan),
    ("/", math.inf, math.inf, math.nan),
    ("log", 0.0, 0.0, -math.inf),
    ("log", -1.0, 0.0, math.nan),
    ("sqrt", -1.0, 0.0, math.nan),
    ("sqrt", -0.0, 0.0, -0.0),
    ("asin", 2.0, 0.0, math.nan),
    ("acos", -3.0, 0.0, math.nan),
    ("exp", 710.0, 0.0, math.inf),
    ("exp", -math.inf, 0.0, 0.0),
    ("^", math.nan, 0.0, 1.0),
    ("^", 1.0, math.nan, 1.0),
    ("^", -1.0, math.inf, 1.0),
    ("^", -0.0, -3.0, -math.inf),
    ("^", -3.0, 0.5, math.nan),
    ("cube root", -1.0, 0.0, math.nan),
    ("atan2", 0.0, -0.0, math.pi),
    ("atan2", -0.0, -0.0, -math.pi),
    ("atan2", -0.0, 1.0, -0.0),
    ("sin", math.inf, 0.0, math.nan),
    ("min", math.nan, 1.0, math.nan),
    ("min", 1.0, math.nan, math.nan),
    ("max", math.nan, 1.0, math.nan),
    ("max", 1.0, math.nan, math.nan),
    ("sign", math.nan, 0.0, math.nan),
    ("sign", -0.0, 0.0, -0.0),
    ("abs", -0.0, 0.0, 0.0),
    ("<", math.nan, 1.0, 0.0),
    ("<=", 1.0, math.nan, 0.0),
    ("==", math.nan, math.nan, 0.0),
    ("!=", math.nan, math.nan, 1.0),
    ("==", 0.0, -0.0, 1.0),
    ("select", math.nan, 2.0, 2.0),
    ("select", -0.0, 2.0, 7.0),
    ("select between", math.nan, 2.0, 2.0),
    ("select between", 2.0, math.nan, math.nan),
    ("+", math.inf, -math.inf, math.nan),
    ("*", math.inf, 0.0, math.nan),
    ("*", 1e200, 1e200, math.inf),
]


@pytest.mark.parametrize(("operation", "a", "b", "wanted"), PRESCRIBED)
def test_c_gives_what_the_standards_prescribe(operation: str, a: float, b: float, wanted: float) -> None:
    """Comparisons with NaN are false but for !=, a NaN condition holds, min and max hand NaN on."""
    rows = [row for row, pair in enumerate(pairs()) if same_bits(pair[0], a) and same_bits(pair[1], b)]
    assert len(rows) == 1
    assert same_bits(results("C")[operation][rows[0]], wanted)
