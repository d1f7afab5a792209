"""How deep two regions of the plane are in one another: how far at most a point of either outline is inside the other.

Points of both outlines that are inside of the other region are the outline of what is common to both. Along one of its
edges the depth changes by no more than the way, so that it is enough to look closer between places where it could be
deeper than the deepest that is known. Between two places it rises, then falls: it is found there as closely as numbers
allow.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from linkwork.solid.placement import Floats
from linkwork.solid.region import Arc, Line, Region

LOOKS: Final = 64
"""Parts of an edge at whose ends is looked."""
GOLDEN: Final = (5**0.5 - 1) / 2
NARROWINGS: Final = 80
"""After which nothing is left of a span but rounding."""

Edge = Line | Arc


def depth_of_overlap(one: Region, other: Region) -> tuple[float, tuple[float, float]]:
    """How deep two regions are in one another, and where; 0 where their outlines lie on each other.

    >>> depth, _ = depth_of_overlap(Region.rectangle(4, 2), Region.rectangle(4, 2).moved((3, 0.5)))
    >>> round(depth, 12)
    1.0
    """
    common = one & other
    edges = [edge for loop in common.loops for edge in loop]
    shares = np.linspace(0.0, 1.0, LOOKS + 1)
    looks = np.array([[edge.at(float(share)) for share in shares] for edge in edges]).reshape(-1, 2)
    if not len(looks):
        return 0.0, (0.0, 0.0)
    depths = _depths(one, other, looks).reshape(len(edges), -1)
    best, place = float(depths.max()), tuple(looks[int(depths.argmax())].tolist())
    for edge, along in zip(edges, depths, strict=True):
        for k in np.flatnonzero(_may_be_higher(along, edge.length / LOOKS, best)):
            depth, point = _highest(one, other, edge, float(shares[k]), float(shares[k + 1]))
            if depth > best:
                best, place = depth, point
    return best, (place[0], place[1])


def _depths(one: Region, other: Region, points: Floats) -> Floats:
    """How far points of the outline of what is common are inside: they are on the one outline or on the other."""
    return np.asarray(np.maximum(np.abs(one.distance(points)), np.abs(other.distance(points))))


def _may_be_higher(depths: Floats, piece: float, best: float) -> Floats:
    """Between which neighbours, so far apart, the depth may be above the best that is known."""
    most = (depths[1:] + depths[:-1] + piece) / 2
    return np.asarray(most > best * (1 + 1e-12))


def _highest(
    one: Region, other: Region, edge: Edge, low: float, high: float
) -> tuple[float, tuple[float, float]]:
    """The highest depth between two places of an edge, by golden sections."""

    def at(share: float) -> float:
        return float(_depths(one, other, np.array([edge.at(share)]))[0])

    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(NARROWINGS):
        if at_left >= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = at(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = at(right)
    share = (low + high) / 2
    x, y = edge.at(share)
    return at(share), (x, y)
