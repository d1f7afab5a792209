"""Curves of splines (B-splines, rational ones too), and curves of any kind as chains of points.

A point of the curve is the sum of its control points, weighted by the basis functions of Cox and de Boor (de Boor,
*A Practical Guide to Splines*, 1978).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, cross, triple
from linkwork.solid.shell.edge import Arc, Chain, Edge, Segment
from linkwork.solid.surface import TURN

CHORDAL: Final = 2e-5
"""How far a chain may leave its curve, in extents of the curve."""
SAME: Final = 1e-7
"""How far a curve may leave a line or a circle that it is taken for, in extents of the curve."""
ROUNDS: Final = 12
"""How often the pieces of a chain are halved, at most."""
MOST_POINTS: Final = 20_000
"""Points of a chain, at most: its deviation is then larger, and said."""


@dataclass(frozen=True)
class Spline:
    """A curve of piecewise polynomials; ``weights`` are all 1 where it is not rational."""

    degree: int
    knots: Floats
    points: Floats
    weights: Floats

    @property
    def range(self) -> tuple[float, float]:
        """Its first and its last parameter."""
        return float(self.knots[self.degree]), float(self.knots[-self.degree - 1])

    def at(self, t: Floats) -> Floats:
        """The points at parameters."""
        homogeneous = np.column_stack([self.points * self.weights[:, None], self.weights])
        span, values = basis(self.knots, self.degree, t)
        columns = span[:, None] - self.degree + np.arange(self.degree + 1)
        sums = np.einsum("ij,ijk->ik", values, homogeneous[columns])
        points: Floats = sums[:, :3] / sums[:, 3:]
        return points

    def breaks(self) -> Floats:
        """The parameters where its pieces meet."""
        first, last = self.range
        inner = self.knots[(self.knots > first) & (self.knots < last)]
        return np.unique(np.concatenate([[first], inner, [last]]))


def basis(knots: Floats, degree: int, t: Floats) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], Floats]:
    """The number of the knot before each parameter, and the basis functions that are not zero there."""
    last = len(knots) - degree - 2
    span = np.clip(np.searchsorted(knots, t, side="right") - 1, degree, last)
    values = np.zeros((len(t), degree + 1))
    values[:, 0] = 1.0
    for k in range(1, degree + 1):
        saved = np.zeros(len(t))
        for j in range(k):
            right, left = knots[span + j + 1] - t, t - knots[span + 1 - k + j]
            width = right + left
            share = np.divide(values[:, j], width, out=np.zeros(len(t)), where=width > 0)
            values[:, j] = saved + right * share
            saved = left * share
        values[:, k] = saved
    return span.astype(np.int64), values


def chain(curve: Callable[[Floats], Floats], breaks: Floats) -> Edge:
    """A curve between its first and last parameter: a line or an arc where it is one, else a chain of points.

    Pieces are halved until their middles are near enough to the straight way.
    """
    t = np.unique(np.concatenate([np.linspace(a, b, 5) for a, b in pairwise(breaks)]))
    points = curve(t)
    extent = float(np.linalg.norm(np.ptp(points, axis=0)))
    known = _line_or_arc(points, extent)
    if known is not None:
        return known
    worst = 0.0
    for _ in range(ROUNDS):
        halves = (t[:-1] + t[1:]) / 2
        middles = curve(halves)
        ways = np.diff(points, axis=0)
        off = middles - points[:-1]
        lengths = np.maximum(np.einsum("ij,ij->i", ways, ways), 1e-300)
        off = off - ways * (np.einsum("ij,ij->i", off, ways) / lengths)[:, None]
        gaps = np.linalg.norm(off, axis=1)
        worst = float(gaps.max())
        coarse = gaps > CHORDAL * extent
        if not coarse.any() or len(t) > MOST_POINTS:
            break
        order = np.argsort(np.concatenate([t, halves[coarse]]), kind="stable")
        points = np.concatenate([points, middles[coarse]])[order]
        t = np.concatenate([t, halves[coarse]])[order]
    return Chain(tuple(triple(point) for point in points), worst)


def _line_or_arc(points: Floats, extent: float) -> Edge | None:
    """The line or the circle that a curve really is."""
    start, end = points[0], points[-1]
    way = end - start
    length = float(np.linalg.norm(way))
    if length > SAME * extent:
        along = (points - start) @ way / length
        off = points - start - np.outer(along / length, way)
        if np.linalg.norm(off, axis=1).max() <= SAME * extent and np.all(np.diff(along) > 0):
            return Segment(triple(start), triple(end))
    return arc_through(points, extent)


def arc_through(points: Floats, extent: float) -> Arc | None:
    """The arc of a circle on which all points lie in their order; none if there is no such circle."""
    first, second, third = points[0], points[len(points) // 3], points[2 * len(points) // 3]
    a, b = second - first, third - first
    normal = cross(a, b)
    area = float(normal @ normal)
    if not area > (1e-3 * extent) ** 4:
        return None
    middle = cross((a @ a) * b - (b @ b) * a, normal) / (2 * area)
    centre, radius = first + middle, float(np.linalg.norm(middle))
    axis = normal / np.sqrt(area)
    x = (first - centre) / radius
    y = cross(axis, x)
    ways = points - centre
    off = np.hypot(ways @ axis, np.hypot(ways @ x, ways @ y) - radius)
    angles = np.unwrap(np.arctan2(ways @ y, ways @ x))
    if off.max() > SAME * extent or not np.all(np.diff(angles) > 0):
        return None
    turn = min(float(angles[-1]), TURN)
    turn = TURN if turn > TURN * (1 - 1e-7) else turn
    return Arc(triple(centre), triple(radius * x), triple(radius * y), 0.0, turn)
