"""Which kinds of faces may meet: a few compared all with all, many tile by tile, until one pair of each kind is found.

Faces that may meet must overlap in some measures: heights along a direction, distances from an axis. Neighbours in
these are put together in tiles; tiles that do not overlap are left out without a look at their faces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from linkwork.recognition.reach import Chosen, Places
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside

AT_ONCE: Final = 1_000_000
"""How many pairs of faces are compared all with all."""
TILE: Final = 256
"""Faces of a tile."""

Measure = tuple[Callable[[Chosen], Floats], float]
"""Rows of the least and the largest value of each face, and by how much they must overlap in it."""
MayMeet = Callable[[Chosen, Chosen], Inside]
"""Whether faces of two sets may meet, all with all."""


def first_meetings(
    a: Chosen, b: Chosen, kinds: tuple[Places, Places], measured: Sequence[Measure], may_meet: MayMeet
) -> Places:
    """Places of two faces that may meet, a row for each pair of kinds that has any."""
    if len(a) * len(b) <= AT_ONCE:
        hits = np.argwhere(may_meet(a, b))
        return _one_of_each(np.column_stack([a.places[hits[:, 0]], b.places[hits[:, 1]]]), kinds)
    found = [
        hit
        for own in _by_kind(a, kinds[0])
        for other in _by_kind(b, kinds[1])
        for hit in _first_hit(own, other, measured, may_meet)
    ]
    return np.array(found, dtype=np.intp).reshape(-1, 2)


def _one_of_each(rows: Places, kinds: tuple[Places, Places]) -> Places:
    """The first row of each pair of kinds, in the order in which they are."""
    numbers = kinds[0][rows[:, 0]] * (kinds[1].max(initial=0) + 1) + kinds[1][rows[:, 1]]
    _, first = np.unique(numbers, return_index=True)
    return np.asarray(rows[np.sort(first)])


def _by_kind(faces: Chosen, kinds: Places) -> Iterator[Chosen]:
    own = kinds[faces.places]
    _, first = np.unique(own, return_index=True)
    for place in np.sort(first):
        yield faces.only(own == own[place])


def _first_hit(a: Chosen, b: Chosen, measured: Sequence[Measure], may_meet: MayMeet) -> Iterator[Places]:
    """Two faces that may meet, if there are any."""
    first, second = _tiles(a, measured), _tiles(b, measured)
    near: Inside = np.ones((len(first), len(second)), dtype=bool)
    for measure, least in measured:
        hulls = [np.concatenate([hull(measure(tile)) for tile in tiles]) for tiles in (first, second)]
        near &= overlap(hulls[0], hulls[1], least)
    for one, other in np.argwhere(near):
        hits = np.argwhere(may_meet(first[one], second[other]))
        if len(hits):
            yield np.array([first[one].places[hits[0, 0]], second[other].places[hits[0, 1]]])
            return


def _tiles(faces: Chosen, measured: Sequence[Measure]) -> list[Chosen]:
    """Faces that are neighbours in the first two measures, together."""
    order = np.arange(len(faces))
    middles = [measure(faces).mean(axis=1) for measure, _ in measured[:2]]
    if len(middles) == 1:
        order = np.argsort(middles[0], kind="stable")
    elif middles:
        slabs = math.isqrt(-(-len(faces) // TILE)) or 1
        ranks = np.argsort(np.argsort(middles[0], kind="stable"), kind="stable")
        order = np.lexsort((middles[1], ranks * slabs // len(faces)))
    return [
        Chosen(faces.surfaces, faces.places[order[begin : begin + TILE]])
        for begin in range(0, len(faces), TILE)
    ]


def hull(intervals: Floats) -> Floats:
    """One interval around all of some; one that meets none around nothing."""
    low, high = intervals[:, 0].min(initial=np.inf), intervals[:, 1].max(initial=-np.inf)
    return np.array([[low, high]])


def overlap(a: Floats, b: Floats, tolerance: float) -> Inside:
    """Whether intervals have more than an end in common."""
    low = np.maximum(a[:, None, 0], b[None, :, 0])
    high = np.minimum(a[:, None, 1], b[None, :, 1])
    return np.asarray(high - low > tolerance)
