"""Curves through samples: they pass through them, have no kink in slope or curvature, and close where they should."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.algebra import Expression, derivative, evaluate, symbol
from linkwork.errors import LinkworkError
from linkwork.model.spline import through

S = symbol("s")


class Samples(NamedTuple):
    """Rising places and values there."""

    places: list[float]
    values: list[float]


@st.composite
def samples(draw: st.DrawFn, closed: bool = False) -> Samples:
    steps = draw(st.lists(st.integers(2, 20), min_size=4, max_size=12))
    begin = draw(st.integers(-30, 30)) / 10
    places = [begin + place for place in accumulate([0.0, *(step / 10 for step in steps)])]
    if closed:  # the last step leads back to the first place, a turn further
        scale = 2 * math.pi / (places[-1] - begin)
        places = [begin + (place - begin) * scale for place in places[:-1]]
    values = [draw(st.integers(-20, 20)) / 4 for _ in places]
    return Samples(places, values)


def orders(given_samples: Samples, closed: bool) -> list[Expression]:
    """The curve and its first three derivatives."""
    found = [through(*given_samples, S, closed=closed)]
    for _ in range(3):
        found.append(derivative(found[-1], S))
    return found


def at(expressions: list[Expression], place: float) -> list[float]:
    return evaluate(expressions, {"s": place})


@given(samples())
def test_an_open_curve_passes_through_its_samples_without_a_kink(row: Samples) -> None:
    """Value, slope and curvature are the same a little before and behind; at the ends it is straight."""
    curve = orders(row, closed=False)
    for place, value in zip(*row, strict=True):
        assert at(curve, place)[0] == pytest.approx(value, abs=1e-9)
        before, behind = at(curve, place - 1e-7), at(curve, place + 1e-7)
        for order in range(3):
            reach = 1e-6 * (1 + abs(before[order + 1]) + abs(behind[order + 1]))
            assert abs(before[order] - behind[order]) < reach
    for end in (row.places[0], row.places[-1]):
        assert at(curve, end)[2] == pytest.approx(0, abs=1e-6)


@given(samples(closed=True), st.integers(-3, 3))
def test_a_closed_curve_has_the_period_of_a_turn_and_no_seam(row: Samples, turns: int) -> None:
    curve = orders(row, closed=True)
    for place, value in zip(*row, strict=True):
        assert at(curve, place + 2 * math.pi * turns)[0] == pytest.approx(value, abs=1e-7)
    for place in (row.places[0], row.places[0] + 2 * math.pi, *row.places[1:3]):
        before, behind = at(curve, place - 1e-7), at(curve, place + 1e-7)
        for order in range(3):
            reach = 1e-6 * (1 + abs(before[order + 1]) + abs(behind[order + 1]))
            assert abs(before[order] - behind[order]) < reach


@given(samples(), st.floats(0, 1))
def test_between_samples_it_is_one_cubic(row: Samples, share: float) -> None:
    """The third derivative is constant from sample to sample."""
    third = orders(row, closed=False)[3]
    for first, last in pairwise(row.places):
        inner = first + (0.01 + 0.98 * share) * (last - first)
        middle = (first + last) / 2
        assert evaluate([third], {"s": inner})[0] == pytest.approx(
            evaluate([third], {"s": middle})[0], abs=1e-9
        )


def test_a_circle_is_nearly_one() -> None:
    """The error of a cubic spline falls with the fourth power of the spacing."""
    errors = []
    for count in (8, 16, 32):
        places = [2 * math.pi * place / count for place in range(count)]
        curve = through(places, [math.sin(place) for place in places], S, closed=True)
        fine = [2 * math.pi * place / 1000 for place in range(1000)]
        errors.append(max(abs(evaluate([curve], {"s": s})[0] - math.sin(s)) for s in fine))
    for coarse, finer in pairwise(errors):
        assert 12 < coarse / finer < 20


@given(samples())
def test_a_straight_line_stays_straight(row: Samples) -> None:
    line = Samples(row.places, [2 * place - 1 for place in row.places])
    assume(len(line.places) > 2)
    curve = orders(line, closed=False)
    for place in (line.places[0] - 1, sum(line.places) / len(line.places), line.places[-1] + 1):
        assert at(curve, place)[:2] == pytest.approx([2 * place - 1, 2], abs=1e-8)


@pytest.mark.parametrize(
    ("places", "values", "closed", "words"),
    [
        ([0, 1], [0, 1], False, "no curve"),
        ([0, 1, 1], [0, 1, 2], False, "not rising"),
        ([0, 2, 1], [0, 1, 2], True, "not rising"),
        ([0, 1, 2], [0, 1], False, "no curve"),
        ([0, 3, 2 * math.pi], [0, 1, 0], True, "more than one turn"),
    ],
)
def test_what_makes_no_curve(places: list[float], values: list[float], closed: bool, words: str) -> None:
    with pytest.raises(LinkworkError) as caught:
        through(places, values, S, closed=closed)
    assert words in str(caught.value)
    assert caught.value.fix
