"""Regions combined by a rule of windings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from linkwork.solid.region.alone import Laid
from linkwork.solid.region.columns import Columns, Places, Truths
from linkwork.solid.region.fault import RegionError
from linkwork.solid.region.loop import Loop
from linkwork.solid.region.overlay import Counted, Overlay, overlay
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


def combined(edges: Columns, channel: Places, rule: Rule, tolerance: float, beside: Counted) -> list[Chain]:
    """The loops of what the rule calls inside, of edges and the channel of each; ``beside`` counts with them."""
    if not len(edges):
        return []
    edges, channel = _without_giants(edges, channel)
    for factor in COARSER:
        with np.errstate(
            all="ignore"
        ):  # edges that are next to nothing long have endless reciprocals: no harm
            found = _loops(overlay(edges, channel, factor * tolerance, beside), rule, factor * tolerance)
        if found is not None:
            return found
    raise RegionError(
        "the regions have too many details that are about as small as the tolerance",
        got=f"{len(edges)} edges in a size of {size_of(edges):.6g}",
        wanted=f"details larger than {COARSER[-1] * tolerance:.3g}",
    )


def of_edges(edges: Columns, rule: Rule) -> list[Loop]:
    """The loops of what the rule calls inside, of edges that run in closed rows but may cross each other."""
    channel = np.zeros(len(edges), dtype=np.intp)
    return [Loop.of(chain) for chain in combined(edges, channel, rule, tolerance_of(edges), None)]


def of_loops(loops: Sequence[Loop], channels: Sequence[int], rule: Rule) -> list[Loop]:
    """The loops of what the rule calls inside, of the loops of regions and the channel of each.

    Those that come near no other are not laid on the others.
    """
    if not loops:
        return []
    laid, channel = Laid.of([loop.columns for loop in loops]), np.array(channels, dtype=np.intp)
    tolerance = tolerance_of(laid.edges)
    with np.errstate(all="ignore"):
        alone = laid.are_alone(tolerance, COARSER[-1] * tolerance)
    found = _lone(loops, laid, np.flatnonzero(alone), channel, rule)
    lone, every = alone[laid.loop], channel[laid.loop]
    beside = (laid.edges.take(lone), every[lone]) if alone.any() else None
    chains = combined(laid.edges.take(~lone), every[~lone], rule, tolerance, beside)
    return found + [Loop.of(chain) for chain in chains]


def _lone(loops: Sequence[Loop], laid: Laid, alone: Places, channel: Places, rule: Rule) -> list[Loop]:
    """Those of lone loops that bound what the rule calls inside, with that on their left."""
    if not len(alone):
        return []
    left, right = (rule(each) for each in laid.windings(alone, channel, int(channel.max()) + 1))
    kept = [loops[place].from_leftmost for place in alone[left & ~right]]
    return kept + [loops[place].reversed.from_leftmost for place in alone[right & ~left]]


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
