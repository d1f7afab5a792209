"""Points in solids: many simple solids asked at once answer as each of them does alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.solid import Difference, Intersection, Named, Placed, Solid, Union
from linkwork.solid.membership import ALL_PAIRS, FEW, Membership
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside
from random_solids import solids

APART = 11.0
POINTS = ALL_PAIRS // FEW


def alone(solid: Solid, points: Floats) -> Inside:
    """Whether points are in a solid, by what each word means."""
    if isinstance(solid, Placed):
        return alone(solid.solid, solid.place.local(points))
    if isinstance(solid, Named):
        return alone(solid.solid, points)
    if isinstance(solid, Union):
        return np.asarray(np.any([alone(each, points) for each in solid.solids], axis=0))
    if isinstance(solid, Intersection):
        return np.asarray(np.all([alone(each, points) for each in solid.solids], axis=0))
    if isinstance(solid, Difference):
        taken = np.any([alone(each, points) for each in solid.others], axis=0)
        return np.asarray(alone(solid.first, points) & ~taken)
    return solid.contains(points)


@given(solids(), st.integers(0, 2**32 - 1), st.sampled_from((3, POINTS + 5)))
def test_points_are_in_a_solid_as_its_words_say(solid: Solid, seed: int, count: int) -> None:
    """For any solid, for few points and for more than are looked at together."""
    points = np.random.default_rng(seed).uniform(-5, 5, (count, 3))
    assert (Membership(solid).contains(points) == alone(solid, points)).all()


@pytest.mark.parametrize("copies", [2, FEW + 20])
@given(solid=solids(), seed=st.integers(0, 2**32 - 1))
def test_many_copies_hold_what_one_does(copies: int, solid: Solid, seed: int) -> None:
    """In a row of copies that are far enough apart, whether or not those that are not near are left out."""
    points = np.random.default_rng(seed).uniform(-APART / 2, APART / 2, (POINTS + 5, 3))
    places = np.arange(len(points)) % copies
    row = Union(tuple(solid.moved((APART * place, 0, 0)) for place in range(copies)))
    shifted = points + np.outer(APART * places, (1, 0, 0))
    low, high = solid.box
    assert float(np.max([-low, high])) < APART / 2
    assert (Membership(row).contains(shifted) == alone(solid, points)).all()


def test_no_points_are_in_nothing() -> None:
    assert Membership(Union(())).contains(np.zeros((0, 3))).tolist() == []
    assert Membership(Union(())).contains(np.zeros((2, 3))).tolist() == [False, False]
