"""Integrals over the sections of a solid.

Between heights where simple solids turn, sections change smoothly but where they get other corners or loops: these
heights are looked for too, by halving. On each interval Gauss's rule is taken in θ with z = m − h cos θ, for which
ends as those of a sphere or of a lying cylinder, where sections grow as a root, are smooth. Two rules are compared,
and an interval on which they differ is halved; the difference that is left is the error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats
from linkwork.solid.region import Edge, Line, Region

COARSE, FINE = (np.polynomial.legendre.leggauss(count) for count in (8, 12))
"""The two rules that are compared."""

MOST_HALVINGS: Final = 8
"""Of an interval. What is left is told as the error."""

LOOKS: Final = np.cos(math.pi * (np.arange(11) + 0.5) / 11).tolist()
"""At which heights of an interval the form of sections is compared: more of them near its ends."""

HALVINGS_OF_CHANGE: Final = 20
"""Of the way between two looks: integrals are wrong by the square of what is left."""

CORNER: Final = 0.02
"""Radians: edges that meet at less than this are smooth, as arcs along an ellipse are."""

Sections = Callable[[float], Region]
Integrand = Callable[[Region, float], Floats]


def integral(
    sections: Sections, integrand: Integrand, ends: list[float], accuracy: float
) -> tuple[Floats, float]:
    """The integral of a row of functions of sections over all heights, and the error of its first entry."""
    total, error = np.zeros(len(integrand(Region(), 0.0))), 0.0
    for begin, end in pairwise(_with_changes(sections, ends)):
        part, off = _over(lambda z: integrand(sections(z), z), begin, end, accuracy)
        total, error = total + part, error + off
    return total, error


def _over(at: Callable[[float], Floats], begin: float, end: float, accuracy: float) -> tuple[Floats, float]:
    total, error = np.zeros(1), 0.0
    waiting = [(begin, end, MOST_HALVINGS)]
    while waiting:
        low, high, left = waiting.pop()
        coarse, fine = (_gauss(at, low, high, *rule) for rule in (COARSE, FINE))
        off = abs(float(fine[0] - coarse[0]))
        if off > accuracy and left:
            middle = 0.5 * (low + high)
            waiting += [(low, middle, left - 1), (middle, high, left - 1)]
        else:
            total, error = total + fine, error + off
    return total, error


def _gauss(at: Callable[[float], Floats], low: float, high: float, nodes: Floats, weights: Floats) -> Floats:
    theta = 0.5 * math.pi * (nodes + 1)
    places = 0.5 * (low + high) - 0.5 * (high - low) * np.cos(theta)
    steps = 0.25 * math.pi * (high - low) * weights * np.sin(theta)
    rows = np.array([at(float(place)) for place in places])
    total: Floats = steps @ rows
    return total


# -------------------------------------------------------------------------- where the form changes


def _with_changes(sections: Sections, ends: list[float]) -> list[float]:
    """The heights, and those between them where sections have other corners before than after."""
    found = list(ends)
    for begin, end in pairwise(ends):
        looks = [0.5 * (begin + end - (end - begin) * cosine) for cosine in LOOKS]
        forms = [_form(sections(height)) for height in looks]
        for (low, before), (high, after) in pairwise(zip(looks, forms, strict=True)):
            if before != after:
                found.append(_change(sections, low, high, before))
    return sorted(found)


def _change(sections: Sections, low: float, high: float, before: object) -> float:
    for _ in range(HALVINGS_OF_CHANGE):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _form(sections(middle)) == before else (low, middle)
    return 0.5 * (low + high)


def _form(region: Region) -> list[tuple[bool, int]]:
    """The loops of a region by their corners."""
    return sorted(
        (loop.is_hole, sum(map(_bend, loop.edges, loop.edges[1:] + loop.edges[:1]))) for loop in region.loops
    )


def _bend(before: Edge, after: Edge) -> bool:
    """Whether there is a corner between edges."""
    (a, b), (c, d) = _direction(before, before.end), _direction(after, after.start)
    return abs(math.atan2(a * d - b * c, a * c + b * d)) > CORNER


def _direction(edge: Edge, at: tuple[float, float]) -> tuple[float, float]:
    if isinstance(edge, Line):
        return edge.end[0] - edge.start[0], edge.end[1] - edge.start[1]
    x, y = at[0] - edge.centre[0], at[1] - edge.centre[1]
    return (-y, x) if edge.anticlockwise else (y, -x)
