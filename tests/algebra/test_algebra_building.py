"""Building expressions: one object for equal ones, and the value the author wrote."""

from __future__ import annotations

import copy
import math
import re
from typing import Final

import numpy as np
import pytest
from algebra_oracle import ROUNDING_OF_DOUBLES, Near, NoValue, by_graph, by_recipe, mp, near
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import (
    Expression,
    equal,
    evaluate,
    free_symbols,
    maximum,
    minimum,
    nodes_in_order,
    not_equal,
    number,
    sin,
    substitute,
    symbols,
    text,
)
from linkwork.errors import ExpressionError
from strategies import BUILD, OPERAND_COUNT, Recipe, Step, built, expressions, points, recipes

x, y, z = symbols("x y z")


# ---------------------------------------------------------------------------------- one object each


@given(recipes())
def test_the_same_steps_give_the_same_object(recipe: Recipe) -> None:
    """Equal expressions are one object."""
    assert built(recipe) is built(recipe)


MIRRORED: Final = {"+": "+", "*": "*", "min": "min", "max": "max", "==": "==", "!=": "!="} | {
    "<": ">",
    ">": "<",
    "<=": ">=",
    ">=": "<=",
}


@given(recipes())
def test_commuted_operands_give_the_same_object(recipe: Recipe) -> None:
    """a + b is b + a, likewise ×, min, max, ==, !=; and a < b is b > a."""
    commuted = [
        Step(MIRRORED[step.operation], step.operands[::-1]) if step.operation in MIRRORED else step
        for step in recipe
    ]
    assert built(tuple(commuted)) is built(recipe)


@given(expressions(5), expressions(5))
def test_a_difference_is_the_opposite_of_its_mirror_image(a: Expression, b: Expression) -> None:
    """a − b is −(b − a), a − a is 0, and −(0 − a) is a."""
    assert a - b is -(b - a)
    assert a - a is number(0)
    assert -(0 - a) is a
    assert +a is a


@given(expressions(5))
def test_neutral_elements_vanish(a: Expression) -> None:
    """Adding 0, multiplying by 1, dividing by 1, the first power: nothing happens; the zeroth power is 1."""
    assert a + 0 is a
    assert 1 * a is a
    assert a / 1 is a
    assert a**1 is a
    assert a * 0 is number(0)
    assert a**0 is number(1)


@pytest.mark.parametrize("join", [minimum, maximum, equal, not_equal, lambda a, b: a + b, lambda a, b: a * b])
@pytest.mark.parametrize("n", range(-6, 6))
def test_operands_that_differ_in_a_number_commute(join: type, n: int) -> None:
    """Operands alike but for a small number (−1 and −2 have the same hash in Python) are put in order."""
    for m in range(-6, 6):
        for a, b in ((sin(x + n), sin(x + m)), (sin(n * x), sin(m * x))):
            assert join(a, b) is join(b, a)


def test_copies_are_the_same_object() -> None:
    """There is no second copy of an expression."""
    e = sin(x) * y
    assert copy.copy(e) is e
    assert copy.deepcopy([e])[0] is e


def test_the_terms_of_like_kind_join() -> None:
    """Numbers are folded, equal terms and factors are collected, and a term cancels its opposite."""
    assert x + x is 2 * x
    assert 3 * x - x is 2 * x
    assert x * x * x is x**3
    assert x**5 / x**2 is x**3
    assert (x + y) - y is x
    assert (x * y) / x is y
    assert (x / y) * y is x
    assert (x + 1) + 2 is x + 3
    assert 2 * x + 2 * y is 2 * (x + y)
    assert x / x is number(1)


# --------------------------------------------------------------------------------------------- values


@given(recipes(), st.lists(points(), min_size=4, max_size=4))
def test_building_preserves_the_value(recipe: Recipe, some: list[dict[str, float]]) -> None:
    """What is built has the value of the steps it was built from, wherever these have one."""
    compared = 0
    for values in some:
        try:
            wanted = by_recipe(recipe, near(values))
            found = by_graph([built(recipe)], near(values))[0]
        except NoValue:
            continue
        assert wanted.agrees_with(found), (wanted, found)
        compared += 1
    assume(compared)


@given(recipes(), st.lists(points(), min_size=4, max_size=4))
def test_building_keeps_the_domain(recipe: Recipe, some: list[dict[str, float]]) -> None:
    """Building never loses a point of the domain, beyond what a bound of errors can decide."""
    for values in some:
        try:
            wanted = by_recipe(recipe, near(values))
        except NoValue:
            continue
        found = evaluate([built(recipe)], values)[0]
        assert math.isfinite(found), wanted


@given(expressions(), st.lists(points(), min_size=4, max_size=4))
def test_evaluation_is_right_to_rounding(e: Expression, some: list[dict[str, float]]) -> None:
    """evaluate() in doubles differs from sixty digits by no more than the roundings on the way."""
    compared = 0
    for values in some:
        try:
            wanted = by_graph([e], near(values), ROUNDING_OF_DOUBLES)[0]
        except NoValue:
            continue
        assert wanted.agrees_with(Near(mp.mpf(evaluate([e], values)[0]), 0))
        compared += 1
    assume(compared)


_NUMPY: Final = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "negate": np.negative,
    "abs": np.abs,
    **{name: getattr(np, name) for name in "sqrt sin cos tan exp log sign".split()},
    **{f"a{name}": getattr(np, f"arc{name}") for name in "sin cos tan tan2".split()},
    "min": np.minimum,
    "max": np.maximum,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "select": lambda condition, then, otherwise: np.where(condition != 0, then, otherwise),
}
_STRANGE: Final = (0.0, -0.0, 1.0, -1.0, 0.25, -2.5, 2.5, 3.0, 800.0, -1e300, 1e300, 5e-324)
_STRANGEST: Final = (*_STRANGE, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize("operation", BUILD)
def test_evaluation_follows_ieee_754(operation: str) -> None:
    """Every operation gives on zeros, infinities and NaN what C and NumPy give, never an exception."""
    e = BUILD[operation](*symbols("x y z")[: OPERAND_COUNT[operation]])
    for a in _STRANGEST:
        for b in _STRANGEST if OPERAND_COUNT[operation] > 1 else (1.0,):
            with np.errstate(all="ignore"):
                arguments = (np.float64(a), np.float64(b), np.float64(7))[: OPERAND_COUNT[operation]]
                wanted = float(_NUMPY[operation](*arguments))
            found = evaluate([e], {"x": a, "y": b, "z": 7})[0]
            assert found == pytest.approx(wanted, rel=1e-15, nan_ok=True), (operation, a, b)


# ----------------------------------------------------------------------------------- walking the graph


@given(recipes(), expressions(4), st.lists(points(), min_size=4, max_size=4))
def test_substitution_commutes_with_evaluation(
    recipe: Recipe, replacement: Expression, some: list[dict[str, float]]
) -> None:
    """e with x replaced by f, at a point, is e at the point where x has the value of f."""
    e = built(recipe)
    try:
        replaced = substitute([e], {x: replacement})[0]
    except ExpressionError:
        assume(False)
    compared = 0
    for values in some:
        try:
            inner = by_graph([replacement], near(values))[0]
            wanted = by_graph([e], near(values) | {"x": inner})[0]
            found = by_graph([replaced], near(values))[0]
        except NoValue:
            continue
        assert wanted.agrees_with(found)
        compared += 1
    assume(compared)


def test_substitution_is_simultaneous_and_takes_any_part() -> None:
    """Replacements do not see each other; a whole subexpression can be replaced; inputs stay as they are."""
    e = x - sin(y)
    assert substitute([e], {x: y, y: x}) == [y - sin(x)]
    assert substitute([e, x], {sin(y): 2}) == [x - 2, x]
    assert substitute([e], {z: 1}) == [e]
    assert e is x - sin(y)


@given(expressions())
def test_the_free_symbols_are_those_that_are_written(e: Expression) -> None:
    """free_symbols is sorted, complete, and mentions nothing that does not stand in the text."""
    written = set(re.findall(r"\b[xyz]\b", text(e)))
    assert [leaf.name for leaf in free_symbols(e)] == sorted(written)


@given(expressions(), expressions())
def test_nodes_come_after_their_arguments(a: Expression, b: Expression) -> None:
    """nodes_in_order holds every node once, after its arguments."""
    place = {node: position for position, node in enumerate(nodes_in_order([a, b, a]))}
    assert len(place) == len(nodes_in_order([a, b, a]))
    assert {a, b} <= place.keys()
    assert all(place[argument] < place[node] for node in place for argument in node.arguments)
