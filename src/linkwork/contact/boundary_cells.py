"""A solid cut by a grid, for what is small in it: most of what it is put together of is elsewhere."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.contact.boundary import Boundary
from linkwork.solid.placement import Floats

CELLS: Final = 32
"""Along the diagonal of a solid."""


class Cells:
    """A solid as it is in cells of a grid, each taken from it once: what is in a small box is a piece of one.

    Along an axis on which a box is longer than a cell it is one of cells that are as long as the solid.
    """

    def __init__(self, boundary: Boundary) -> None:
        self.whole = boundary
        self.known: dict[tuple[float, ...], Boundary] = {}
        self.width = boundary.size / CELLS

    @cached_property
    def _boxes(self) -> dict[int, Floats]:
        found: dict[int, Floats] = {}
        for each in self.whole.surfaces:
            low, high = found.get(each.leaf, (each.low, each.high))
            found[each.leaf] = np.array([np.minimum(low, each.low), np.maximum(high, each.high)])
        return found

    def box(self, leaf: int) -> Floats:
        """Where a leaf is a face of the solid, on either side: least and largest coordinates."""
        return self._boxes[leaf]

    def within(self, low: Floats, high: Floats) -> Boundary:
        """The solid as it is in a box."""
        place = np.floor((low + high) / 2 / self.width)
        first, last = (place - 0.5) * self.width, (place + 1.5) * self.width
        is_long = (low < first) | (high > last)
        own = tuple(np.where(is_long, math.inf, place).tolist())
        if own not in self.known:
            middle, size = self.whole.middle, self.whole.size
            box = np.where(is_long, middle - size, first), np.where(is_long, middle + size, last)
            self.known[own] = self.whole.within(*box)
        return self.known[own].within(low, high)
