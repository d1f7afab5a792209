"""Where on their way two parts overlap, looked for no more closely than the distance between them asks.

A gap of c is not closed before some point has gone c. If the gaps at both ends of a stretch of the way together are at
least as long as the way that any point goes between, then they stay clear all along; else its middle is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats

HALVINGS: Final = 14
"""How often the place is looked for more closely at which parts begin to overlap, or cease to."""
FIRST: Final = 12
"""Into how many stretches the way is cut at first."""
WITHIN: Final = 50
"""Into how many stretches at least the way is cut from the first overlap to the last."""
ROUGHLY: Final = 24
"""At how many places the depth is looked at roughly."""
NEARLY: Final = 0.8
"""How deep places are, as a part of the deepest of these, at some of which it is looked at closely,"""
CLOSELY: Final = 5
"""and at how many."""
ROUNDS: Final = 6
"""How often it is then looked at on both sides of the deepest place, half as far away."""
FLAT: Final = 0.999
"""How deep it is beside the deepest place, as a part of that, where no deeper place is looked for."""

PARABOLAS: Final = 14
"""How often at most it is then looked at the top of a parabola,"""
EXACT: Final = 1e-5
"""and how close to the deepest place, in the lengths between places and in depths, is close enough."""
GOLDEN: Final = 0.382
"""The share of the longer side at which it is looked where a parabola does not help."""

Gaps = Callable[[Floats], Floats]
"""How far parts are apart at places of the way, at least; 0 where they overlap."""
Depth = Callable[[float], float]
"""How deep parts are in one another at a place of the way."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """From which place of the way to which parts overlap, and places between at which they do."""

    begin: float
    end: float
    overlapping: Floats


def overlapping(gaps: Gaps, ways: Floats, finest: float) -> Stretch | None:
    """Where two parts overlap first and last; None if they never do.

    ``ways`` tells how far any point has gone at each row, at most; stretches shorter than ``finest`` are not cut.
    """
    rows = np.arange(len(ways), dtype=float)
    whole = float(ways[-1])
    if whole == 0:
        return Stretch(0.0, 0.0, np.zeros(1)) if gaps(np.zeros(1))[0] == 0 else None
    gone = np.linspace(0.0, whole, FIRST + 1)
    found = gaps(np.interp(gone, ways, rows))
    while True:
        middles = _to_look_at(gone, found, finest, whole)
        if not len(middles):
            break
        order = np.argsort(np.concatenate([gone, middles]), kind="stable")
        found = np.concatenate([found, gaps(np.interp(middles, ways, rows))])[order]
        gone = np.concatenate([gone, middles])[order]
    inside = np.flatnonzero(found == 0)
    if not len(inside):
        return None
    first, last = int(inside[0]), int(inside[-1])
    where = np.interp(gone, ways, rows)
    begin = where[0] if first == 0 else _edge(gaps, float(where[first]), float(where[first - 1]))
    end = where[-1] if last == len(gone) - 1 else _edge(gaps, float(where[last]), float(where[last + 1]))
    return Stretch(float(begin), float(end), where[inside])


def _to_look_at(gone: Floats, found: Floats, finest: float, whole: float) -> Floats:
    """The middles of stretches in which parts may meet; between the first and last overlap, of long ones only."""
    lengths = np.diff(gone)
    inside = np.flatnonzero(found == 0)
    first, last = (inside[0], inside[-1]) if len(inside) else (len(gone), -1)
    places = np.arange(len(lengths))
    between = (places >= first) & (places < last)
    may_meet = (found[:-1] + found[1:] < lengths) & (lengths > finest)
    middles: Floats = ((gone[:-1] + gone[1:]) / 2)[
        np.where(between, lengths > max(finest, whole / WITHIN), may_meet)
    ]
    return middles


def _edge(gaps: Gaps, inside: float, outside: float) -> float:
    for _ in range(HALVINGS):
        half = (inside + outside) / 2
        inside, outside = (half, outside) if gaps(np.array([half]))[0] == 0 else (inside, half)
    return inside


def deepest(rough: Depth, close: Depth, stretch: Stretch) -> float:
    """The place at which parts are deepest in one another, near the deepest of some.

    Rough depths, which are never too large, tell where to look closely.
    """
    every = np.unique(np.concatenate([[stretch.begin, stretch.end], stretch.overlapping]))
    places = _spread(every, ROUGHLY)
    depths = np.array([rough(float(place)) for place in places])
    chosen = _spread(places[depths >= NEARLY * depths.max()], CLOSELY)
    known = {float(place): close(float(place)) for place in chosen}
    step = float(np.diff(chosen).max(initial=np.diff(places).max(initial=0.0)))
    for _ in range(ROUNDS):
        step /= 2
        best = max(known, key=known.__getitem__)
        beside = [each for each in (best - step, best + step) if stretch.begin <= each <= stretch.end]
        known |= {place: close(place) for place in beside}
        if all(known[place] >= FLAT * known[best] for place in beside):  # it is as deep all around
            break
    return max(known, key=known.__getitem__)


def refined(depth: Depth, place: float, stretch: Stretch) -> float:
    """The deepest place beside one that is nearly so, by parabolas through the deepest place and those beside it.

    >>> whole = Stretch(0.0, 10.0, np.linspace(0, 10, 9))
    >>> round(refined(lambda where: 3 - (where - 4.321) ** 2, 4.3, whole), 9)
    4.321
    """
    step = (stretch.end - stretch.begin) / ROUGHLY
    beside = max(stretch.begin, place - step), min(stretch.end, place + step)
    known = {each: depth(each) for each in (beside[0], place, beside[1])}
    for _ in range(PARABOLAS):
        order = sorted(known)
        best = max(order, key=known.__getitem__)
        at = order.index(best)
        left, right = order[max(at - 1, 0)], order[min(at + 1, len(order) - 1)]
        if right - left <= EXACT * step or min(known[left], known[right]) >= (1 - EXACT) * known[best]:
            return best
        onward = _between(known, left, best, right)
        known[onward] = depth(onward)
    return max(known, key=known.__getitem__)


def _between(known: Mapping[float, float], left: float, best: float, right: float) -> float:
    """Where to look next: the top of the parabola, unless it is as good as known or there is none."""
    if left < best < right:
        rise, fall = (
            (known[best] - known[left]) / (best - left),
            (known[right] - known[best]) / (right - best),
        )
        top = (left + best) / 2 + rise * (right - left) / 2 / (rise - fall) if rise > fall else best
        if left < top < right and abs(top - best) > EXACT * (right - left):
            return top
    farther = left if best - left > right - best else right
    return best + GOLDEN * (farther - best)


def _spread(places: Floats, count: int) -> Floats:
    """Some places out of many, from the first to the last."""
    return np.asarray(places[np.unique(np.linspace(0, len(places) - 1, count).astype(int))])
