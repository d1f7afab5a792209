"""Which boxes meet and which points coincide, found by sorting instead of comparing all with all."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.solid.region.columns import Boxes, Numbers, Places, Points

ODD_DIRECTION: Final = complex(math.cos(1), math.sin(1))
"""Points are sorted along this: in machines hardly any are aligned across it, as they are across x or y."""

FEW: Final = 20_000
"""Pairs of boxes that are compared all with all: sorting would take longer."""


def meeting(first: Boxes, second: Boxes) -> tuple[Places, Places]:
    """All i, j for which box i of the first and box j of the second have a common point."""
    if len(first.left) * len(second.left) <= FEW:
        i, j = np.nonzero(
            (first.left[:, None] <= second.right)
            & (second.left <= first.right[:, None])
            & (first.bottom[:, None] <= second.top)
            & (second.bottom <= first.top[:, None])
        )
        return i, j
    along_x = _Interleaved(first.left, first.right, second.left, second.right)
    along_y = _Interleaved(first.bottom, first.top, second.bottom, second.top)
    i, j = min(along_x, along_y, key=lambda way: way.count).pairs()
    meet = (
        (first.left[i] <= second.right[j])
        & (second.left[j] <= first.right[i])
        & (first.bottom[i] <= second.top[j])
        & (second.bottom[j] <= first.top[i])
    )
    return i[meet], j[meet]


def meeting_among(boxes: Boxes) -> tuple[Places, Places]:
    """All i, j of boxes that have a common point, each pair once."""
    i, j = meeting(boxes, boxes)
    once = i < j
    return i[once], j[once]


class _Interleaved:
    """Intervals of two sets that meet: one begins inside the other, or the other inside the one."""

    def __init__(self, low: Numbers, high: Numbers, other_low: Numbers, other_high: Numbers) -> None:
        self.order, self.other_order = np.argsort(low), np.argsort(other_low)
        begins, other_begins = low[self.order], other_low[self.other_order]
        self.inside = (
            np.searchsorted(other_begins, low, "left"),
            np.searchsorted(other_begins, high, "right"),
        )
        self.around = (
            np.searchsorted(begins, other_low, "right"),
            np.searchsorted(begins, other_high, "right"),
        )
        self.count = int(sum((last - first).clip(0).sum() for first, last in (self.inside, self.around)))

    def pairs(self) -> tuple[Places, Places]:
        i, rank = ranges(*self.inside)
        j, other_rank = ranges(*self.around)
        return np.concatenate([i, self.order[other_rank]]), np.concatenate([self.other_order[rank], j])


def ranges(first: Places, last: Places) -> tuple[Places, Places]:
    """Every number of the ranges first[i] ≤ k < last[i], with its i.

    >>> ranges(np.array([5, 0]), np.array([7, 1]))
    (array([0, 0, 1]), array([5, 6, 0]))
    """
    counts = (last - first).clip(0)
    owner = np.repeat(np.arange(len(first)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owner, within + first[owner]


def gathered(points: Points, tolerance: float) -> Places:
    """For each point the first one of its cluster: points nearer than the tolerance are in one cluster."""
    along = (points * ODD_DIRECTION.conjugate()).real
    order = np.argsort(along, kind="stable")
    along = along[order]
    rank = np.arange(len(points))
    i, j = ranges(rank + 1, np.searchsorted(along, along + tolerance, "right"))
    i, j = order[i], order[j]
    near = np.abs(points[i] - points[j]) <= tolerance
    return linked(len(points), i[near], j[near])


def linked(count: int, i: Places, j: Places) -> Places:
    """For each of ``count`` things the first of those that the pairs i, j link it to."""
    first = np.arange(count)
    while (first[i] != first[j]).any():
        lower = np.minimum(first[i], first[j])
        np.minimum.at(first, i, lower)
        np.minimum.at(first, j, lower)
        first = first[first]
    return first
