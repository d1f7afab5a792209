"""Where on their way two parts overlap, looked for no more closely than the distance between them asks.

A gap of c is not closed before some point has gone c. If the gaps at both ends of a stretch of the way together are at
least as long as the way that any point goes between, then they stay clear all along; else its middle is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
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
NEARLY: Final = 0.02
"""By how much of the deepest place known another one may be deeper where none is looked for any more,"""
MOST_LOOKS: Final = 20_000
"""unless so many places have been looked at."""
SIMILAR: Final = 0.8
"""How deep places are, as a part of the deepest of these, beside some of which it is looked at closely,"""
TOPS: Final = 8
"""and beside how many."""

PARABOLAS: Final = 14
"""How often at most it is then looked at the top of a parabola,"""
EXACT: Final = 1e-5
"""and how close to the deepest place, in the lengths between places and in depths, is close enough."""
GOLDEN: Final = 0.382
"""The share of the longer side at which it is looked where a parabola does not help."""

Gaps = Callable[[Floats], Floats]
"""How far parts are apart at places of the way, at least; 0 where they overlap."""
Depths = Callable[[Floats], Floats]
"""How deep parts are in one another at places of the way; where they are clear, how far apart, negative."""


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


def tops(depths: Depths, ways: Floats, stretch: Stretch, finest: float, most: float) -> list[Stretch]:
    """Places beside which parts may be deepest in one another, the deepest first, each between its neighbours.

    From a place where they are d₁ deep to one where they are d₂ deep, between which no point goes farther than s, they
    are nowhere deeper than (d₁ + d₂ + s)/2: so the middle is looked at as long as that is more than is known elsewhere.
    Stretches shorter than ``finest`` are not cut; nothing can be deeper than ``most``.
    """
    rows = np.arange(len(ways), dtype=float)
    first, last = np.interp([stretch.begin, stretch.end], rows, ways)
    gone = np.unique(np.concatenate([[first, last], np.interp(stretch.overlapping, rows, ways)]))
    found = depths(np.interp(gone, ways, rows))
    while len(gone) < MOST_LOOKS:
        lengths = np.diff(gone)
        deepest = np.minimum((found[:-1] + found[1:] + lengths) / 2, most)
        middles = ((gone[:-1] + gone[1:]) / 2)[(deepest > (1 + NEARLY) * found.max()) & (lengths > finest)]
        if not len(middles):
            break
        order = np.argsort(np.concatenate([gone, middles]), kind="stable")
        found = np.concatenate([found, depths(np.interp(middles, ways, rows))])[order]
        gone = np.concatenate([gone, middles])[order]
    return _tops(np.interp(gone, ways, rows), found)


def _tops(where: Floats, found: Floats) -> list[Stretch]:
    """The places that are no less deep than their neighbours, with these; of some as deep in a row the middle one."""
    beside = np.concatenate([[-np.inf], found, [-np.inf]])
    is_top = (found >= beside[:-2]) & (found >= beside[2:]) & (found >= SIMILAR * found.max())
    runs = np.split(np.flatnonzero(is_top), np.flatnonzero(np.diff(np.flatnonzero(is_top)) > 1) + 1)
    middles = sorted((int(run[len(run) // 2]) for run in runs), key=lambda place: -found[place])
    last = len(where) - 1
    return [
        Stretch(
            float(where[max(place - 1, 0)]),
            float(where[min(place + 1, last)]),
            where[place : place + 1],
        )
        for place in middles[:TOPS]
    ]


def refined(depths: Depths, around: Sequence[Stretch], whole: Stretch) -> float:
    """The deepest place beside some that are nearly so. All are gone on from together: to look at several places at
    once takes hardly longer than to look at one.

    >>> around, whole = Stretch(3.0, 5.0, np.array([4.3])), Stretch(0.0, 9.0, np.array([4.3]))
    >>> round(refined(lambda where: 3 - (where - 4.321) ** 2, [around], whole), 9)
    4.321
    >>> round(refined(lambda where: 3 - (where - 7.654) ** 2, [around], whole), 9)
    7.654
    """
    known: dict[float, float] = {}
    climbs = dict(enumerate(_climb(each, whole, known) for each in around))
    found: dict[int, float] = {}
    while climbs:
        wanted: list[float] = []
        for number, climb in [*climbs.items()]:
            try:
                wanted += next(climb)
            except StopIteration as ended:
                found[number] = ended.value
                del climbs[number]
        new = [place for place in dict.fromkeys(wanted) if place not in known]
        if new:
            known.update(zip(new, depths(np.array(new)).tolist(), strict=True))
    return max((found[number] for number in sorted(found)), key=known.__getitem__)


def _climb(
    around: Stretch, whole: Stretch, depths: Mapping[float, float]
) -> Generator[Sequence[float], None, float]:
    """The deepest place beside one that is nearly so, by parabolas through the deepest place and those beside it.

    It tells the places whose depths it wants next. Where it gets deeper beyond the neighbours, it is looked at there
    first: rough depths may tell a place beside it.
    """
    step, start = around.end - around.begin, float(around.overlapping[0])
    looked_at = {around.begin, start, around.end}
    yield [*looked_at]
    for _ in range(PARABOLAS):
        known = {place: depths[place] for place in sorted(looked_at)}
        order = [*known]
        best = max(order, key=lambda each: (depths[each], each == start))
        at = order.index(best)
        left, right = order[max(at - 1, 0)], order[min(at + 1, len(order) - 1)]
        if best == left > whole.begin:
            onward = max(best - step, whole.begin)
        elif best == right < whole.end:
            onward = min(best + step, whole.end)
        elif right - left <= EXACT * step or min(known[left], known[right]) >= (1 - EXACT) * known[best]:
            return best
        else:
            onward = _between(known, left, best, right)
        looked_at.add(onward)
        yield [onward]
    return max(looked_at, key=lambda each: (depths[each], -each))


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
