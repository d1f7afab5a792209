"""How much work it is to cut plane shapes with one another, told before it is done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from linkwork.solid.region import Edge, Line, Region

OF_A_CUT: Final = 1000
OF_AN_EDGE: Final = 300
OF_A_CROSSING: Final = 10
"""In steps, which are about microseconds."""

ASKED: Final = 256
"""So many edges are compared with all others; the rest is taken to be like them."""


def cutting(regions: Iterable[Region]) -> float:
    """The work of cutting regions with one another."""
    return crossing([edge for region in regions for loop in region.loops for edge in loop])


def crossing(edges: list[Edge]) -> float:
    """The work of finding where edges cross.

    >>> crossing([Line((0, 0), (1, 0)), Line((5, 5), (6, 6))])
    1600.0
    """
    if not edges:
        return OF_A_CUT
    low = np.array([_low(edge) for edge in edges])
    high = np.array([_high(edge) for edge in edges])
    some = np.linspace(0, len(edges) - 1, min(ASKED, len(edges))).astype(int)
    meet = np.ones((len(some), len(edges)), dtype=bool)
    for axis in (0, 1):
        meet &= low[some, None, axis] <= high[None, :, axis]
        meet &= low[None, :, axis] <= high[some, None, axis]
    pairs = (meet.sum() - len(some)) * (len(edges) / len(some)) / 2
    return OF_A_CUT + OF_AN_EDGE * len(edges) + OF_A_CROSSING * float(pairs)


def _low(edge: Edge) -> tuple[float, float]:
    if isinstance(edge, Line):
        return min(edge.start[0], edge.end[0]), min(edge.start[1], edge.end[1])
    return edge.centre[0] - edge.radius, edge.centre[1] - edge.radius


def _high(edge: Edge) -> tuple[float, float]:
    if isinstance(edge, Line):
        return max(edge.start[0], edge.end[0]), max(edge.start[1], edge.end[1])
    return edge.centre[0] + edge.radius, edge.centre[1] + edge.radius
