"""Misuse of expressions raises errors of ours, with what was given and what to do."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.algebra import evaluate, number, select, symbol, symbols
from linkwork.errors import BadName, ExpressionError, LinkworkError, UnknownName

x, y = symbols("x y")


@pytest.mark.parametrize(
    "name", ["", "2x", "a b", "a-b", "a..b", ".a", "a.", "x" * 201, 5, None, "sin", "pi", "for", "a.for"]
)
def test_names_that_cannot_be_used(name: object) -> None:
    """A symbol's name is an identifier, not too long, and no word of the languages we print."""
    with pytest.raises(BadName):
        symbol(name)  # type: ignore[arg-type]


def test_an_expression_has_no_truth() -> None:
    """if a < b: would silently take one branch for ever, so it is an error that names select."""
    with pytest.raises(ExpressionError, match="neither true nor false") as caught:
        bool(x < y)
    assert caught.value.fix.startswith("select(")


@pytest.mark.parametrize("stranger", ["2", None, 1j, [1], object()])
def test_only_numbers_and_expressions_mix(stranger: object) -> None:
    """Arithmetic with anything else is an error of ours, on either side."""
    with pytest.raises(ExpressionError, match="neither an expression nor a number"):
        x + stranger  # type: ignore[operator]
    with pytest.raises(ExpressionError, match="neither an expression nor a number"):
        select(x, stranger, y)  # type: ignore[arg-type]


def test_a_missing_value_is_named() -> None:
    """Evaluating without a value for a symbol says which."""
    with pytest.raises(UnknownName, match="'y' has no value") as caught:
        evaluate([x * y], {"x": 1})
    assert "'y': 1.0" in caught.value.fix


@pytest.mark.parametrize("value", [10**400, "one", None], ids=["huge", "text", "None"])
def test_values_that_are_no_doubles(value: object) -> None:
    """Misuse of evaluate() raises an error of ours, not OverflowError, ValueError or TypeError."""
    with pytest.raises(LinkworkError):
        evaluate([x], {"x": value})  # type: ignore[dict-item]


@pytest.mark.parametrize("stranger", [np.array([1.0, 2.0]), np.complex128(1 + 2j)], ids=["array", "complex"])
def test_strangers_of_numpy(stranger: object) -> None:
    """An array is an error of ours, and the imaginary part of a complex number is not dropped silently."""
    with pytest.raises(LinkworkError):
        number(stranger)  # type: ignore[arg-type]


def test_names_that_are_not_hashable() -> None:
    """symbol([]) is a BadName, not a TypeError."""
    with pytest.raises(LinkworkError):
        symbol([])  # type: ignore[arg-type]
