"""Smooth curves through samples, as expressions: cubic splines, closed or with free ends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from linkwork.algebra import Expression, atan2, cos, number, select, sin
from linkwork.errors import LinkworkError

FEWEST_SAMPLES = 3


def through(places: Sequence[float], values: Sequence[float], at: Expression, *, closed: bool) -> Expression:
    """The cubic spline through (place, value) pairs, taken at an expression.

    A closed one has a period of one turn: its places are angles in [0, 2π), and it continues smoothly over
    the seam. An open one has no curvature at its ends and goes on as a cubic beyond them.

    >>> from linkwork.algebra import symbol, evaluate
    >>> s = through([0, 1, 2, 3], [0, 1, 4, 9], symbol("s"), closed=False)
    >>> round(evaluate([s], {"s": 2})[0], 9)
    4.0
    """
    from math import tau

    from scipy.interpolate import CubicSpline

    _check(places, values, closed)
    if closed:
        knots = [*places, places[0] + tau]
        curve = CubicSpline(knots, [*values, values[0]], bc_type="periodic")
        middle = knots[0] + tau / 2
        at = middle + atan2(sin(at - middle), cos(at - middle))  # into the period
    else:
        knots = [*places]
        curve = CubicSpline(knots, list(values), bc_type="natural")
    pieces = len(knots) - 1
    offset = at - _chosen(at, knots, [number(knot) for knot in knots[:-1]], 0, pieces)
    result = number(0)
    for row in curve.c:  # from the cube down, Horner's scheme
        factor = _chosen(at, knots, [number(float(entry)) for entry in row], 0, pieces)
        result = result * offset + factor
    return result


def _chosen(
    at: Expression, knots: Sequence[float], entries: Sequence[Expression], begin: int, end: int
) -> Expression:
    """The entry of the piece in which ``at`` lies, by halving."""
    if end - begin == 1:
        return entries[begin]
    middle = (begin + end) // 2
    lower = _chosen(at, knots, entries, begin, middle)
    return select(at < number(knots[middle]), lower, _chosen(at, knots, entries, middle, end))


def _check(places: Sequence[float], values: Sequence[float], closed: bool) -> None:
    from math import tau

    rising = all(a < b for a, b in pairwise(places))
    if len(places) < FEWEST_SAMPLES or len(places) != len(values) or not rising:
        raise LinkworkError(
            "these samples make no curve",
            got=f"{len(places)} places{'' if rising else ', not rising'}",
            wanted=f"at least {FEWEST_SAMPLES} samples at rising places",
            fix="[[0, 1], [2, 2], [4, 1]]",
        )
    if closed and places[-1] - places[0] >= tau:
        raise LinkworkError(
            "the samples of a closed curve reach over more than one turn",
            got=f"from {places[0]:.6g} to {places[-1]:.6g} rad",
            wanted="places within one turn, the last before the first comes again",
            fix="leave out the last sample: it is the first one again",
        )
