"""The one tolerance of regions, and what follows from it."""

from __future__ import annotations

from typing import Final

from linkwork.solid.region.columns import Columns

RELATIVE_TOLERANCE: Final = 1e-9
"""Of the size of all that is combined: what is nearer is the same. Larger than the errors of sines and roots,
smaller than what is made or measured."""

LEAST_OF_COORDINATES: Final = 2e-14
"""Of the largest coordinate: for things far from the origin doubles hold no more digits."""

FLATTEST: Final = 1e6
"""Radii of more than this many sizes lose digits; such arcs are taken as lines within the tolerance."""

GIVEN_TOLERANCE: Final = 1e-6
"""Of the size of a loop: as far ends that are given may be apart, and off their circle."""


def size_of(edges: Columns) -> float:
    """The longer side of the box around edges."""
    if not len(edges):
        return 0.0
    left, right, bottom, top = edges.boxes
    return float(max(right.max() - left.min(), top.max() - bottom.min()))


def tolerance_of(edges: Columns) -> float:
    """How near things are that are the same."""
    if not len(edges):
        return 0.0
    left, right, bottom, top = edges.boxes
    largest = max(-left.min(), right.max(), -bottom.min(), top.max())
    return float(max(RELATIVE_TOLERANCE * size_of(edges), LEAST_OF_COORDINATES * largest))
