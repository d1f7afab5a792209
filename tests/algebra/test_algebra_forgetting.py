"""The pool of nodes: what nobody holds is forgotten, what somebody holds stays the one and only."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given

from linkwork.algebra import Expression, derivative, hessian, number, parse, sin, symbol, symbols, text
from linkwork.algebra import expression as inside
from strategies import Recipe, built, random_expression, recipes, smooth_expressions

x, y = symbols("x y")


def pool_sizes() -> tuple[int, int]:
    """How many operations and numbers are known, after forgetting."""
    gc.collect()
    inside._forget_unused()
    return len(inside._pool), len(inside._numbers)


@contextmanager
def small_pool(limit: int) -> Iterator[None]:
    """As if the pool were full after ``limit`` nodes or numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inside, "_POOL_START", limit)
        patch.setattr(inside, "_pool_limit", limit)
        patch.setattr(inside, "_numbers_limit", limit)
        yield


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


def test_numbers_are_forgotten_too() -> None:
    """Numbers that come and go without a node do not pile up."""
    _, start = pool_sizes()
    with small_pool(start + 1000):
        for place in range(5000):
            number(place + 1_000_000)
        assert len(inside._numbers) <= 2 * start + 1010


def test_what_is_held_stays() -> None:
    """Forgetting leaves live expressions, their parts and their numbers the only ones of their kind."""
    e = sin(x * 17.25 + y) ** 2 / 3
    part = e.arguments[0] if e.core is None else e.core
    inside._forget_unused()
    assert sin(x * 17.25 + y) ** 2 / 3 is e
    assert parse(text(e)) is e
    assert pickle.loads(pickle.dumps(e)) is e
    assert (part if e.core is None else e.core) is part
    assert number(17.25) is number(17.25)
    assert 2 * x is x * 2
    assert symbol("x") is x


def test_a_pool_of_live_nodes_is_not_searched_at_every_step() -> None:
    """When everything in the pool is held, the limit moves up, so that building stays cheap."""
    with small_pool(100):
        kept = [sin(x * place) for place in range(2, 5000)]
        assert inside._pool_limit > 5000
    assert len(set(kept)) == 4998


@given(recipes())
def test_building_while_the_pool_is_swept(recipe: Recipe) -> None:
    """The laws hold while everything unused is swept away at nearly every step."""
    e = built(recipe)
    with small_pool(0):
        assert built(recipe) is e


@given(smooth_expressions())
def test_differentiating_while_the_pool_is_swept(e: Expression) -> None:
    """Derivatives made while the pool is swept are the objects made in peace."""
    slope, second = derivative(e, x), hessian(e, [x, y])
    with small_pool(0):
        assert derivative(e, x) is slope
        assert hessian(e, [x, y]) == second
