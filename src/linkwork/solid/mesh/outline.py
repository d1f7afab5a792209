"""The loops of a shell's faces as polygons whose corners faces share.

An edge of one face may be several of its neighbours, or run on where theirs end. So every edge is first cut at all ends
of edges that lie on it, and each piece is then divided by itself: the faces on both sides get the same points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.solid.mesh.mesh import Numbers, same_places
from linkwork.solid.placement import Floats
from linkwork.solid.shell import Arc, Chain, Edge, Patch, Segment
from linkwork.solid.surface import TURN

NEAR: Final = 1e-6
"""Points nearer than this, in sizes of the shell, are one."""
COARSEST: Final = math.radians(30)
"""The angle of a piece of an arc, at most."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """Points as rows, and for each face its loops by the numbers of their corners."""

    points: Floats
    loops: tuple[tuple[Numbers, ...], ...]


def step_angle(radius: float, deviation: float) -> float:
    """The angle whose chord leaves a circle by a deviation.

    >>> round(math.degrees(step_angle(10, 0.1)), 1)
    16.2
    """
    return min(COARSEST, 2 * math.acos(max(-1.0, 1 - min(deviation / radius, 1.0))))


def outlines(patches: Sequence[Patch], size: float, deviation: float) -> Outlines:
    """All loops, cut and divided."""
    near = NEAR * size
    ends = [np.zeros((0, 3))]
    ends += [edge.at(np.array([0.0, 1.0])) for patch in patches for edge in patch.edges if not edge.is_closed]
    ends += [edge.at(np.array([0.0])) for patch in patches for edge in patch.edges if edge.is_closed]
    corners = np.unique(np.concatenate(ends), axis=0)
    rows: list[Floats] = []
    lengths: list[list[int]] = []
    for patch in patches:
        lengths.append([])
        for loop in patch.loops:
            points = np.concatenate([_divided(edge, corners, near, deviation) for edge in loop])
            lengths[-1].append(len(points))
            rows.append(points)
    flat = np.concatenate([np.zeros((0, 3)), *rows])
    owner = same_places(flat, near) if len(flat) else np.zeros(0, np.int64)
    kept, numbers = np.unique(owner, return_inverse=True)
    found, start = [], 0
    for counts in lengths:
        loops = []
        for count in counts:
            loops.append(_without_repeats(numbers.ravel()[start : start + count]))
            start += count
        found.append(tuple(loop for loop in loops if len(loop) > 2))
    return Outlines(flat[kept], tuple(found))


def _divided(edge: Edge, corners: Floats, near: float, deviation: float) -> Floats:
    """Points along an edge, its end left out."""
    if isinstance(edge, Chain):
        return _thinned(edge.array, deviation)[:-1]
    cuts = np.unique(np.concatenate([[0.0, 1.0], _shares(edge, corners, near)]))
    if isinstance(edge, Segment):
        return edge.at(cuts[:-1])
    step = step_angle(max(edge.radii), deviation)
    whole = abs(edge.last - edge.first)
    shares = []
    for low, high in pairwise(cuts.tolist()):
        count = max(1, math.ceil((high - low) * whole / step - 1e-6))
        if edge.is_closed and len(cuts) == 2:
            count = max(8, 4 * math.ceil(count / 4))
        shares.append(np.linspace(low, high, count, endpoint=False))
    return edge.at(np.concatenate(shares))


def _thinned(points: Floats, deviation: float) -> Floats:
    """The points of a chain without those that the others stand for (Douglas and Peucker 1973), the same both ways."""
    if tuple(points[0]) > tuple(points[-1]):
        return _thinned(points[::-1], deviation)[::-1]
    kept, waiting = {0, len(points) - 1}, [(0, len(points) - 1)]
    if tuple(points[0]) == tuple(points[-1]):  # a closed chain has no straight way to begin with
        middle = len(points) // 2
        kept, waiting = kept | {middle}, [(0, middle), (middle, len(points) - 1)]
    while waiting:
        low, high = waiting.pop()
        if high - low < 2:
            continue
        way = points[high] - points[low]
        ways = points[low + 1 : high] - points[low]
        share = np.clip(ways @ way / max(float(way @ way), 1e-300), 0.0, 1.0)
        off = np.linalg.norm(ways - np.outer(share, way), axis=1)
        if off.max() > deviation:
            worst = low + 1 + int(np.argmax(off))
            kept.add(worst)
            waiting += [(low, worst), (worst, high)]
    return points[sorted(kept)]


def _shares(edge: Segment | Arc, corners: Floats, near: float) -> Floats:
    """Where corners lie on an edge, between its ends, as shares of the way."""
    if isinstance(edge, Segment):
        start, way = np.array(edge.start), np.array(edge.end) - np.array(edge.start)
        length = float(np.linalg.norm(way))
        share = (corners - start) @ way / max(length**2, 1e-300)
        off = np.linalg.norm(corners - start - np.outer(share, way), axis=1)
        margin = near / max(length, 1e-300)
        return np.asarray(share[(off <= near) & (share > margin) & (share < 1 - margin)])
    ways = corners - np.array(edge.centre)
    x, y = (ways @ np.array(axis) / radius for axis, radius in zip((edge.x, edge.y), edge.radii, strict=True))
    t = np.arctan2(y / edge.radii[1], x / edge.radii[0])
    at = np.array(edge.centre) + np.outer(np.cos(t), edge.x) + np.outer(np.sin(t), edge.y)
    way = math.copysign(1.0, edge.last - edge.first)
    share = (way * (t - edge.first)) % TURN / abs(edge.last - edge.first)
    margin = near / max(max(edge.radii) * abs(edge.last - edge.first), 1e-300)
    on = np.linalg.norm(corners - at, axis=1) <= near
    return np.asarray(share[on & (share > margin) & (share < 1 - margin)])


def _without_repeats(loop: Numbers) -> Numbers:
    return np.asarray(loop[loop != np.roll(loop, 1)])
