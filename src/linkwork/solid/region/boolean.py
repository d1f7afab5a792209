"""Regions combined by a rule of windings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from linkwork.solid.region.columns import Columns, Places, Truths
from linkwork.solid.region.fault import RegionError
from linkwork.solid.region.overlay import Overlay, overlay
from linkwork.solid.region.pairs import ranges
from linkwork.solid.region.tolerance import FLATTEST, RELATIVE_TOLERANCE, size_of, tolerance_of
from linkwork.solid.region.trace import Chain, chains

Rule: TypeAlias = Callable[[Places], Truths]
"""Whether a place is inside, by how often the regions of each channel (a column) wind around it."""

COARSER: Final = (1, 8, 64, 512)
"""Where details as small as the tolerance contradict each other it is made so many times larger."""


def odd(counts: Places) -> Truths:
    """Inside an odd number of windings."""
    inside: Truths = counts[:, 0] % 2 == 1
    return inside


def any_of(counts: Places) -> Truths:
    """Inside at least one region."""
    return counts[:, 0] > 0


def all_of(count: int) -> Rule:
    """Inside every one of so many regions."""
    return lambda counts: counts[:, 0] >= count


def first_only(counts: Places) -> Truths:
    """Inside the regions of the first channel and outside those of the second."""
    return (counts[:, 0] > 0) & (counts[:, 1] <= 0)


def combined(columns: Sequence[Columns], channels: Sequence[int], rule: Rule) -> list[Chain]:
    """The loops of what the rule calls inside; columns[k] are the edges of a region in channels[k]."""
    edges = Columns.joined(columns)
    channel = np.repeat(np.array(channels), [len(each) for each in columns])
    if not len(edges):
        return []
    edges, channel = _without_giants(edges, channel)
    tolerance = tolerance_of(edges)
    for factor in COARSER:
        with np.errstate(
            all="ignore"
        ):  # edges that are next to nothing long have endless reciprocals: no harm
            found = _loops(overlay(edges, channel, factor * tolerance), rule, factor * tolerance)
        if found is not None:
            return found
    raise RegionError(
        "the regions have too many details that are about as small as the tolerance",
        got=f"{len(edges)} edges in a size of {size_of(edges):.6g}",
        wanted=f"details larger than {COARSER[-1] * tolerance:.3g}",
    )


def _loops(found: Overlay, rule: Rule, tolerance: float) -> list[Chain] | None:
    """The boundary of the inside; None if it is not closed."""
    left, right = rule(found.left), rule(found.right)
    forth = left & ~right
    kept = forth | (right & ~left)
    forth = forth[kept]
    tail, head = found.tail[kept], found.head[kept]
    tail, head = np.where(forth, tail, head), np.where(forth, head, tail)
    count = len(found.nodes)
    if (np.bincount(tail, minlength=count) != np.bincount(head, minlength=count)).any():
        return None
    return chains(tail, head, found.edge[kept], forth, found.nodes, found.edges, tolerance)


def _without_giants(edges: Columns, channel: Places) -> tuple[Columns, Places]:
    """Arcs of very large circles as rows of chords that are as near as the tolerance."""
    size = size_of(edges)
    giant = edges.radius > FLATTEST * size
    if not giant.any():
        return edges, channel
    # A chord of length c is c²/8r from its arc.
    most = np.sqrt(8 * edges.radius * RELATIVE_TOLERANCE * size)
    count = np.where(giant, np.ceil(edges.length / np.maximum(most, 1e-300)), 1).astype(int)
    owner, part = ranges(np.zeros(len(edges), int), count)
    chopped = giant[owner]
    straight = np.where(chopped, 0.0, 1.0)
    first = np.where(part == 0, edges.start[owner], edges.at(owner, part / count[owner]))
    last = np.where(part == count[owner] - 1, edges.end[owner], edges.at(owner, (part + 1) / count[owner]))
    return Columns(
        first,
        last,
        edges.centre[owner] * straight,
        edges.radius[owner] * straight,
        edges.turn[owner] * straight,
    ), channel[owner]
