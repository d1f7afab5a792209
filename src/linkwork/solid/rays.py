"""Which triangles a ray along z may meet, by the columns of a grid that they stand in.

Columns are halved along both axes again and again, and a triangle goes on into those that it has points in: so long
thin triangles stand in as many columns as they are long, not in all of the box around them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats
from linkwork.solid.region.pairs import ranges

COLUMNS: Final = 1
"""How many columns there are for each triangle, at most,"""
MOST_ENTRIES: Final = 24
"""and in how many of them a triangle stands on the average."""
AT_ONCE: Final = 1_000_000
"""How many pairs of a ray and a triangle are looked at together."""

Places = NDArray[np.intp]
Rays = tuple[int, int, Places, Places]
"""Rays from the first to before the last, and of these the pairs of a ray, counted from the first, and a triangle."""


@dataclass(frozen=True, eq=False)
class ColumnIndex:
    """Triangles by columns: those of column c are ``members[starts[c]:starts[c + 1]]``."""

    low: Floats
    high: Floats
    origin: Floats
    width: Floats
    count: int
    starts: Places
    members: Places

    @classmethod
    def of(cls, a: Floats, b: Floats, c: Floats) -> ColumnIndex:
        """Triangles by their corners."""
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        origin = low[:, :2].min(axis=0)
        extent = np.maximum(high[:, :2].max(axis=0) - origin, 1e-300)
        sides = _Sides.of(*((each[:, :2] - origin) / extent for each in (a, b, c)))
        count, cells, owners = 1, np.zeros((len(a), 2), dtype=np.intp), np.arange(len(a))
        while count * count < COLUMNS * len(a) and 2 * len(owners) < MOST_ENTRIES * len(a):
            count *= 2
            cells = (2 * cells[:, None] + QUARTERS).reshape(-1, 2)
            owners = np.repeat(owners, 4)
            kept = sides.have_points_in(owners, cells, count)
            cells, owners = cells[kept], owners[kept]
        numbers = cells[:, 0] * count + cells[:, 1]
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(count * count + 1))
        return cls(
            np.asfortranarray(low),
            np.asfortranarray(high),
            origin,
            extent / count,
            count,
            starts,
            owners[order],
        )

    def near(self, points: Floats) -> Iterator[Rays]:
        """Rays upwards from points, and the triangles that each may meet; some rays at a time."""
        inside = np.all((points >= self.low.min(axis=0)) & (points <= self.high.max(axis=0)), axis=1)
        cells = np.clip((points[:, :2] - self.origin) / self.width, 0, self.count - 1).astype(np.intp)
        numbers = np.where(inside, cells[:, 0] * self.count + cells[:, 1], 0)
        counts = np.where(inside, self.starts[numbers + 1] - self.starts[numbers], 0)
        first = 0
        while first < len(points):
            total = np.cumsum(counts[first : first + AT_ONCE])
            last = first + max(1, int(np.searchsorted(total, AT_ONCE, side="right")))
            begin = self.starts[numbers[first:last]]
            ray, entry = ranges(begin, begin + counts[first:last])
            box = self.members[entry]
            for axis in (0, 1):
                at = points[first:last, axis][ray]
                may = (self.low[:, axis][box] <= at) & (at <= self.high[:, axis][box])
                ray, box = ray[may], box[may]
            may = points[first:last, 2][ray] <= self.high[:, 2][box]
            yield first, last, ray[may], box[may]
            first = last


QUARTERS: Final = np.array([(0, 0), (0, 1), (1, 0), (1, 1)])
"""The columns that one is cut into."""
BESIDE: Final = 1e-9
"""How far beside a triangle a column may be that it has points in, as a part of the whole: what is rounded is kept."""


@dataclass(frozen=True, eq=False)
class _Sides:
    """Triangles in the plane, in a square of size 1: the ways out across their sides, how far they reach, and boxes."""

    ways: Floats
    reaches: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, a: Floats, b: Floats, c: Floats) -> _Sides:
        corners = np.stack([a, b, c], axis=1)
        along = np.roll(corners, -1, axis=1) - corners
        ways = np.stack([along[..., 1], -along[..., 0]], axis=-1)
        lengths = np.linalg.norm(ways, axis=2, keepdims=True)
        turn = np.sign(along[:, 0, 0] * along[:, 1, 1] - along[:, 0, 1] * along[:, 1, 0])
        ways = ways / np.where(lengths > 0, lengths, 1.0) * turn[:, None, None]
        reaches = np.einsum("tsk,tck->tsc", ways, corners).max(axis=2)
        return cls(ways, reaches, corners.min(axis=1), corners.max(axis=1))

    def have_points_in(self, owners: Places, cells: Places, count: int) -> NDArray[np.bool_]:
        """Whether triangles have points in cells of a grid, or just beside."""
        low = cells / count - BESIDE
        high = (cells + 1) / count + BESIDE
        met = np.all((self.low[owners] <= high) & (low <= self.high[owners]), axis=1)
        places = np.flatnonzero(met)
        middle = (low[places] + high[places]) / 2
        half = 0.5 / count + BESIDE
        for side in range(3):
            ways = self.ways[owners[places], side]
            nearest = np.einsum("ij,ij->i", ways, middle) - half * np.abs(ways).sum(axis=1)
            met[places] &= nearest <= self.reaches[owners[places], side] + BESIDE
        return np.asarray(met)
