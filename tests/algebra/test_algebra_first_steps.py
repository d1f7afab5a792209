"""What people do in their first hour: it works, or it says what was meant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from linkwork.algebra import (
    Definition,
    Table,
    collected,
    derivative,
    directional,
    evaluate,
    gradient,
    hessian,
    jacobian,
    number,
    parse,
    sin,
    substitute,
    symbols,
    time_derivative,
)
from linkwork.errors import LinkworkError, NameTaken, ParseError, UsageError

x, y = symbols("x y")


@pytest.mark.parametrize("value", [np.float64(0.3), np.float32(0.5), np.int64(3), np.array(0.25)])
def test_numbers_of_numpy_are_numbers(value: float) -> None:
    """A scalar of NumPy enters as the number it is, from either side."""
    assert x * value is x * number(float(value))
    assert sin(value) is sin(float(value))


def test_a_name_stands_for_its_symbol() -> None:
    """Differentiating by "x" is differentiating by x; it is never silently zero."""
    assert derivative(x * y, "x") is y  # type: ignore[arg-type]
    assert gradient(x * y, ["x", "y"]) == [y, x]  # type: ignore[list-item]
    assert jacobian([x * y], [x, "y"]) == [{0: y, 1: x}]  # type: ignore[list-item]
    assert directional([x * y], {"x": 1}) == [y]  # type: ignore[dict-item]
    assert hessian(x * y, ["x", "y"])[1] == [{}, {0: number(1)}]  # type: ignore[list-item]
    assert substitute([x * y], {"x": 2}) == [2 * y]  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: gradient(x * y, x),  # type: ignore[arg-type]
        lambda: jacobian(x * y, [x]),  # type: ignore[arg-type]
        lambda: directional(x * y, {x: 1}),  # type: ignore[arg-type]
        lambda: directional([x * y], [x]),  # type: ignore[arg-type]
        lambda: collected(x + x),  # type: ignore[arg-type]
        lambda: evaluate(x * y, {"x": 1, "y": 2}),  # type: ignore[arg-type]
        lambda: substitute(x * y, {x: 1}),  # type: ignore[arg-type]
        lambda: hessian([x], [x]),  # type: ignore[arg-type]
        lambda: Table.of(["a = b"]),  # type: ignore[list-item]
        lambda: time_derivative(Table.of({"r": "x^2"}), [x]),  # type: ignore[list-item]
    ],
)
def test_misuse_is_told_in_our_words(misuse: Callable[[], object]) -> None:
    """One where many are wanted, or the other way round, is an error with a text."""
    with pytest.raises(LinkworkError) as caught:
        misuse()
    assert str(caught.value)


def test_a_speed_of_the_user_is_not_taken_for_a_rate() -> None:
    """A line V_r that is not the rate of r is an error, not a wrong derivative."""
    with pytest.raises(NameTaken):
        time_derivative(Table.of({"V_r": "x", "r": "x^2"}), ["x"])


def test_speeds_move_too() -> None:
    """Differentiating twice needs the speeds among what moves: leaving them out is an error."""
    once = time_derivative(Table.of([Definition.of("r", implicit="r^2 = x^2 + y^2")]), ["x", "y"])
    with pytest.raises(UsageError, match="V_x is not said to move"):
        time_derivative(once, ["x", "y"])
    assert "A_r" in time_derivative(once, ["x", "y", "V_x", "V_y"])


def test_what_moves_as_an_input_does_has_a_rate_of_its_name() -> None:
    """radius = base + 1 moves as base does, and V_radius says so."""
    moving = time_derivative(Table.of({"radius": "base + 1"}), ["base"])
    assert str(moving["V_radius"]) == "V_radius = V_base"
    assert moving.inputs == ("base", "V_base")


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ("30°", "30 deg"),
        ("x² + 1", "x^2"),
        ("ln(x)", "log("),
        ("arcsin(x)", "asin("),
        ("math.sin(x)", "sin("),
    ],
)
def test_habits_of_other_notations_are_known(written: str, fix: str) -> None:
    """The fix keeps the meaning."""
    with pytest.raises(ParseError) as caught:
        parse(written)
    assert caught.value.fix == fix
