"""Which edges may meet: pairs whose boxes overlap, and of these the ones that doubles cannot tell apart.

Doubles decide almost all pairs; every bound is rounded outwards, so a pair that is left out certainly does
not meet, and one that is named is to be decided exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Polygon

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

ROUNDING: Final = 2.0**-48
"""Of the size of the coordinates: more than what rounding them and their differences, products and sums can do."""
MOST_PAIRS: Final = 100_000_000
"""Pairs of edges whose boxes overlap along an axis. More would take minutes; an honest drawing has far fewer."""
CHUNK: Final = 2_000_000
"""Pairs looked at together: some 100 MB."""


class Edges:
    """The edges of a polygon in doubles: edge i goes from corner i to corner i + 1."""

    def __init__(self, polygon: Polygon) -> None:
        self.start: Floats = np.array([[float(x), float(y)] for x, y in polygon]).reshape(-1, 2)
        self.end: Floats = np.roll(self.start, -1, axis=0)
        self.size = float(np.abs(self.start).max(initial=0.0))
        slack = ROUNDING * self.size
        self.low: Floats = np.minimum(self.start, self.end) - slack
        self.high: Floats = np.maximum(self.start, self.end) + slack

    def around(self, x: float, y: float) -> tuple[npt.NDArray[np.bool_], list[int]]:
        """Which edges lie wholly to the right of a point, and those that may hold it: their boxes do."""
        slack = ROUNDING * (abs(x) + abs(y))
        right = self.low[:, 0] > x + slack
        missed = (
            right
            | (self.high[:, 0] < x - slack)
            | (self.low[:, 1] > y + slack)
            | (self.high[:, 1] < y - slack)
        )
        return right, np.flatnonzero(~missed).tolist()


def edge_pairs(first: Edges, second: Edges) -> Iterator[tuple[int, int]]:
    """Pairs of edges that may meet, in no order."""
    slack = 16 * ROUNDING * (first.size + second.size) ** 2
    for mine, others in _box_pairs(first, second):
        a, b = first.start[mine], first.end[mine]
        c, d = second.start[others], second.end[others]
        apart = _same_side(a, b, c, d, slack) | _same_side(c, d, a, b, slack)
        yield from zip(mine[~apart].tolist(), others[~apart].tolist(), strict=True)


def _same_side(a: Floats, b: Floats, c: Floats, d: Floats, slack: float) -> npt.NDArray[np.bool_]:
    """Whether c and d certainly lie on one side of the line through a and b."""
    along = b - a
    turns = [along[:, 0] * (p - a)[:, 1] - along[:, 1] * (p - a)[:, 0] for p in (c, d)]
    both: npt.NDArray[np.bool_] = (np.minimum(*turns) > slack) | (np.maximum(*turns) < -slack)
    return both


def _box_pairs(first: Edges, second: Edges) -> Iterator[tuple[Places, Places]]:
    """Pairs with overlapping boxes, found along the axis on which fewer overlap."""
    ranges = [_overlaps(first, second, axis) for axis in (0, 1)]
    counts = [int(sum((last - begin).sum() for _, begin, last, _ in found)) for found in ranges]
    if min(counts) > MOST_PAIRS:
        raise LinkworkError(
            "too many edges run side by side to be checked",
            got=f"{min(counts)} pairs of edges beside one another",
            wanted=f"at most {MOST_PAIRS}",
            fix="draw it with fewer corners",
        )
    axis = int(counts[1] < counts[0])
    other = 1 - axis
    for order, begin, last, swapped in ranges[axis]:
        mine_all, others_all = (second, first) if swapped else (first, second)
        for part in _parts(last - begin):
            lengths = (last - begin)[part]
            mine = np.repeat(np.arange(len(begin))[part], lengths)
            offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            others = order[np.repeat(begin[part], lengths) + offsets]
            meets = (mine_all.low[mine, other] <= others_all.high[others, other]) & (
                others_all.low[others, other] <= mine_all.high[mine, other]
            )
            yield (others[meets], mine[meets]) if swapped else (mine[meets], others[meets])


def _overlaps(first: Edges, second: Edges, axis: int) -> list[tuple[Places, Places, Places, bool]]:
    """For each edge of one the run of those of the other, in order, that begin inside it; both ways round.

    Two intervals overlap exactly if one begins inside the other.
    """
    found = []
    for mine, others, swapped in ((first, second, False), (second, first, True)):
        order = np.argsort(others.low[:, axis], kind="stable")
        starts = others.low[order, axis]
        # Those that begin at the very same place are counted one way round only.
        begin = np.searchsorted(starts, mine.low[:, axis], side="right" if swapped else "left")
        last = np.searchsorted(starts, mine.high[:, axis], side="right")
        found.append((order, begin, np.maximum(begin, last), swapped))
    return found


def _parts(lengths: Places) -> Iterator[slice]:
    """Runs of edges that have about a chunk of pairs together."""
    ends = np.cumsum(lengths)
    begin = 0
    while begin < len(lengths):
        done = ends[begin - 1] if begin else 0
        stop = max(begin + 1, int(np.searchsorted(ends, done + CHUNK, side="right")))
        yield slice(begin, stop)
        begin = stop
