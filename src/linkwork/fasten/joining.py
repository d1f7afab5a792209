"""Lines, arcs and open polylines whose ends meet, joined to loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Vector
from linkwork.fasten.outline import Outline, Run
from linkwork.fasten.polygon import shown

GAP: Final = Fraction(1, 10**6)
"""Of the drawing's size: ends nearer than that are one point. Programs write six digits and more."""

End = tuple[int, int]
"""A run and which of its ends: 0 or -1."""


def joined(runs: Sequence[Run]) -> list[Outline]:
    """The loops that runs make; an end that meets none, or more than one, is told."""
    found = []
    for layer in dict.fromkeys(run.layer for run in runs):
        found += _loops([run for run in runs if run.layer == layer])
    return sorted(found, key=lambda outline: outline.line)


def _loops(runs: Sequence[Run]) -> list[Outline]:
    partner = _partners(runs)
    left = dict.fromkeys(range(len(runs)))
    found = []
    while left:
        first = next(iter(left))
        points: list[Vector] = []
        end: End = (first, 0)
        while end[0] in left:
            del left[end[0]]
            run = runs[end[0]]
            ordered = run.points if end[1] == 0 else run.points[::-1]
            points += ordered[1:] if points else ordered
            behind = partner[end[0], -1 if end[1] == 0 else 0]
            # Where an arc meets a line, the line knows the point exactly.
            if runs[behind[0]].is_exact:
                points[-1] = runs[behind[0]].points[behind[1]]
            end = behind
        points[0] = points.pop()
        found.append(Outline(runs[first].layer, tuple(points), runs[first].line))
    return found


def _partners(runs: Sequence[Run]) -> dict[End, End]:
    """For each end of a run the one that it meets."""
    ends = [(place, which) for place in range(len(runs)) for which in (0, -1)]
    corners = [corner for run in runs for corner in run.points]
    size = max(max(abs(each) for each in corner) for corner in corners)
    width = size * GAP or Fraction(1)
    cells: dict[tuple[int, int], list[End]] = defaultdict(list)
    for end in ends:
        x, y = _at(runs, end)
        cells[int(x // width), int(y // width)].append(end)
    found = {}
    for end in ends:
        x, y = _at(runs, end)
        column, row = int(x // width), int(y // width)
        near = [
            other
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            for other in cells.get((column + i, row + j), ())
            if other != end
            and all(abs(a - b) <= width for a, b in zip(_at(runs, other), (x, y), strict=True))
        ]
        if len(near) != 1:
            raise LinkworkError(
                f"{len(near) + 1} lines meet at {shown((x, y))}"
                if near
                else f"a line ends at {shown((x, y))}",
                got=f"the line at line {runs[end[0]].line} of the file",
                wanted="outlines that are closed: each end meets exactly one other",
                fix="remove what branches off, or put it on another layer" if near else "close the outline",
            )
        found[end] = near[0]
    return found


def _at(runs: Sequence[Run], end: End) -> Vector:
    return runs[end[0]].points[end[1]]
