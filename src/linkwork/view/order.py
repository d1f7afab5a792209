"""What is painted before what: things in the picture are sampled, and of two at one place the farther comes first.

By their middles alone a long face and a small one before it may come in the wrong order. So all are looked at on a grid
of places. Of neighbours in depth at a place the farther is to be painted before the nearer; where two are so one way
here and the other way there, for they go through one another, the more frequent way counts. An order is then taken that
keeps to all of this, by middles where nothing is said; what goes round in a circle begins with what is farthest.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

GRID: Final = 420
"""Places along the longer side of the picture."""
SAME: Final = 1e-6
"""Things nearer to each other than this, in sizes of the picture, lie in one plane: nothing is said of them there."""
LINE_NEARER: Final = 2e-3
"""How much nearer lines count than they are, in sizes of the picture: they lie on the faces that they bound."""


def back_to_front(
    things: Sequence[Array], nearness: Sequence[float], known: Sequence[tuple[int, int]] = ()
) -> list[int]:
    """The order in which to paint polygons (three rows or more: right, up, nearness) and lines (two rows).

    Rows of one point, and none, are ordered by nearness alone. Of two that are ``known`` the first is painted first.

    >>> far = np.array([[0, 0, 0], [9, 0, 0], [9, 9, 5], [0, 9, 5.0]])
    >>> near = np.array([[1, 1, 1], [3, 1, 1], [3, 3, 2.0]])
    >>> back_to_front([near, far], [1.3, 2.5])
    [1, 0]
    """
    spots = [each for each in things if len(each) > 1]
    if not spots:
        return sorted(range(len(things)), key=lambda place: nearness[place])
    every = np.concatenate(spots)
    low, size = every.min(axis=0), float(np.ptp(every[:, :2], axis=0).max()) or 1.0
    triangles = _Triangles.of(things, low, size / GRID)
    pairs = np.concatenate([triangles.pairs(SAME * size), triangles.lines(things, LINE_NEARER * size)])
    given = np.array(known, np.int64).reshape(-1, 2)
    count = len(things)
    pairs = _majority(pairs, count)
    against = np.isin(pairs[:, 1] * count + pairs[:, 0], given[:, 0] * count + given[:, 1])
    return _sorted(np.concatenate([pairs[~against], given]), nearness)


class _Triangles:
    """The polygons cut into triangles, and at which places of the grid each of them is."""

    def __init__(self, corners: Array, owner: Numbers, origin: Array, cell: float) -> None:
        self.corners, self.owner, self.origin, self.cell = corners, owner, origin, cell
        self.width = GRID + 2
        self.planes = _planes(corners)
        self.pixel, self.triangle = self._samples()

    @classmethod
    def of(cls, things: Sequence[Array], low: Array, cell: float) -> _Triangles:
        cut = [
            (place, each[[0, k, k + 1]])
            for place, each in enumerate(things)
            if len(each) > 2
            for k in range(1, len(each) - 1)
        ]
        origin = np.array([low[0], low[1], 0.0])
        corners = np.array([corner for _, corner in cut]).reshape(-1, 3, 3) - origin
        return cls(corners, np.array([place for place, _ in cut], np.int64), origin, cell)

    def _samples(self) -> tuple[Numbers, Numbers]:
        """Places of the grid with the triangles that cover them, in the order of the places."""
        flat = self.corners[:, :, :2] / self.cell
        first = np.ceil(flat.min(axis=1)).astype(np.int64)
        counts = np.maximum(np.floor(flat.max(axis=1)).astype(np.int64) - first + 1, 0)
        total = counts.prod(axis=1)
        triangle = np.repeat(np.arange(len(flat)), total)
        within = np.arange(len(triangle)) - np.repeat(np.cumsum(total) - total, total)
        column = first[triangle, 0] + within % counts[triangle, 0]
        row = first[triangle, 1] + within // counts[triangle, 0]
        inside = self.covers(triangle, np.stack([column, row], axis=1) * self.cell)
        triangle, pixel = triangle[inside], (row * self.width + column)[inside]
        depth = self.depth(triangle, np.stack([column, row], axis=1)[inside] * self.cell)
        order = np.lexsort((depth, pixel))
        self.nearness = depth[order]
        return pixel[order], triangle[order]

    def depth(self, triangle: Numbers, at: Array) -> Array:
        """How near triangles are at places."""
        plane = self.planes[triangle]
        return np.asarray(plane[:, 0] + plane[:, 1] * at[:, 0] + plane[:, 2] * at[:, 1])

    def covers(self, triangle: Numbers, at: Array) -> NDArray[np.bool_]:
        """Whether places lie in triangles."""
        flat = self.corners[triangle, :, :2] - at[:, None]
        after = np.roll(flat, -1, axis=1)
        turns = flat[..., 0] * after[..., 1] - flat[..., 1] * after[..., 0]
        return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1))

    def pairs(self, same: float) -> Numbers:
        """Of triangles that follow one another in depth at a place: which thing is behind which."""
        together = (self.pixel[1:] == self.pixel[:-1]) & (np.diff(self.nearness) > same)
        owner = self.owner[self.triangle]
        return np.asarray(np.stack([owner[:-1], owner[1:]], axis=1)[together])

    def lines(self, things: Sequence[Array], nearer: float) -> Numbers:
        """Which lines are before or behind which polygons."""
        owners = [place for place, each in enumerate(things) if len(each) == 2]
        if not owners or not len(self.corners):
            return np.empty((0, 2), np.int64)
        ends = np.array([things[place] for place in owners]) - self.origin
        steps = np.ceil(np.linalg.norm(np.diff(ends[:, :, :2], axis=1)[:, 0], axis=1) / self.cell) + 1
        steps = steps.astype(np.int64)
        line = np.repeat(np.arange(len(owners)), steps)
        along = (np.arange(len(line)) - np.repeat(np.cumsum(steps) - steps, steps) + 0.5) / steps[line]
        at = ends[line, 0] + (ends[line, 1] - ends[line, 0]) * along[:, None]
        cells = np.rint(at[:, :2] / self.cell).astype(np.int64)
        pixel = cells[:, 1] * self.width + cells[:, 0]
        begin, end = (np.searchsorted(self.pixel, pixel, side) for side in ("left", "right"))
        count = end - begin
        sample = np.repeat(np.arange(len(line)), count)
        triangle = self.triangle[
            np.arange(len(sample)) + np.repeat(begin - (np.cumsum(count) - count), count)
        ]
        seen = self.covers(triangle, at[sample, :2])
        sample, triangle = sample[seen], triangle[seen]
        is_behind = self.depth(triangle, at[sample, :2]) > at[sample, 2] + nearer
        own, other = np.array(owners)[line[sample]], self.owner[triangle]
        return np.where(is_behind[:, None], np.stack([own, other], 1), np.stack([other, own], 1))


def _planes(corners: Array) -> Array:
    """For each triangle its nearness as a + b·x + c·y; of one seen from its side that of its nearest corner."""
    along = corners[:, 1:] - corners[:, :1]
    area = along[:, 0, 0] * along[:, 1, 1] - along[:, 0, 1] * along[:, 1, 0]
    safe = np.where(area == 0, 1.0, area)
    b = (along[:, 0, 2] * along[:, 1, 1] - along[:, 1, 2] * along[:, 0, 1]) / safe
    c = (along[:, 1, 2] * along[:, 0, 0] - along[:, 0, 2] * along[:, 1, 0]) / safe
    a = corners[:, 0, 2] - b * corners[:, 0, 0] - c * corners[:, 0, 1]
    flat = np.stack([corners[:, :, 2].max(axis=1), np.zeros(len(a)), np.zeros(len(a))], axis=1)
    return np.where((area == 0)[:, None], flat, np.stack([a, b, c], axis=1))


def _majority(pairs: Numbers, count: int) -> Numbers:
    """Each pair once, the way in which it was found more often."""
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    keys, found = np.unique(pairs[:, 0] * count + pairs[:, 1], return_counts=True)
    back = (keys % count) * count + keys // count
    place = np.searchsorted(keys, back).clip(max=max(len(keys) - 1, 0))
    other = np.where(keys[place] == back, found[place], 0) if len(keys) else found
    kept = keys[(found > other) | ((found == other) & (keys < back))]
    return np.stack([kept // count, kept % count], axis=1)


def _sorted(pairs: Numbers, nearness: Sequence[float]) -> list[int]:
    """An order in which the first of each pair comes before the second, if there is one; else nearly so."""
    count = len(nearness)
    after: list[list[int]] = [[] for _ in range(count)]
    waits = np.bincount(pairs[:, 1], minlength=count).tolist()
    for first, second in pairs.tolist():
        after[first].append(second)
    by_middle = sorted(range(count), key=lambda place: nearness[place])
    ready = [(nearness[place], place) for place in range(count) if not waits[place]]
    heapq.heapify(ready)
    done = [False] * count
    found: list[int] = []
    farthest = 0
    while len(found) < count:
        if ready:
            place = heapq.heappop(ready)[1]
        else:  # round in a circle
            while done[by_middle[farthest]]:
                farthest += 1
            place = by_middle[farthest]
        if done[place]:
            continue
        done[place] = True
        found.append(place)
        for other in after[place]:
            waits[other] -= 1
            if not waits[other] and not done[other]:
                heapq.heappush(ready, (nearness[other], other))
    return found
