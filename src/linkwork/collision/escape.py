"""The shortest way out: how far a part has to be shifted, and in which direction, until it is clear of another.

Along one direction, say x, a part A that is shifted by t overlaps another part B where, at some height y, one of the
intervals a₀(y) … a₁(y) of A and one b₀(y) … b₁(y) of B do: for b₀ - a₁ < t < b₁ - a₀. Between two heights at which
either has a corner these ends are straight in y, so their extremes are at these heights. All such t together are
intervals; the way out ends where that around 0 does. It is looked for in many directions, then closer to the best one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.collision.track import Complexes
from linkwork.solid.placement import Floats
from linkwork.solid.region import Region
from linkwork.solid.region.pairs import ranges

DIRECTIONS: Final = 24
"""Along how many lines a way out is looked for at first, both ways along each,"""
CLOSER: Final = 3
"""how often it is looked for closer to the best,"""
AROUND: Final = 4
"""and along how many lines then, on each side."""
DEVIATION: Final = 1e-4
"""How far chords may be from arcs, as a part of the size of their region."""
FLAT: Final = 1e-12
"""Heights that are nearer to each other than this, beside the largest of them, are one."""

Segments = tuple[Complexes, Complexes]
"""The ends of the edges of a region."""


def segments(region: Region) -> Segments:
    """The edges of a region, arcs as chords."""
    edges = region.columns
    slack = DEVIATION * math.dist(*region.box)
    radii = np.where(edges.radius > 0, edges.radius, np.inf)
    step = 2 * np.arccos(np.maximum(1 - slack / radii, 0.0))
    turns = np.abs(np.where(edges.radius > 0, edges.sweep, 0.0))
    counts = np.maximum(1, np.ceil(turns / np.where(step > 0, step, 1.0))).astype(np.intp)
    owner, part = ranges(np.zeros(len(edges), dtype=np.intp), counts)
    start, end = (edges.at(owner, (part + more) / counts[owner]) for more in (0, 1))
    return start, end


def way_out(levels: Sequence[tuple[Segments, Segments]]) -> complex:
    """The shortest shift of the first regions that gets all of them clear of the second ones, level by level.

    >>> bar, post = Region.rectangle(9, 2), Region.circle(1).moved((4, 0.5))
    >>> shift = way_out([(segments(bar), segments(post))])
    >>> round(shift.real, 3) + 0.0, round(shift.imag, 3)
    (0.0, 1.5)
    """
    lines = np.arange(DIRECTIONS) * (math.pi / DIRECTIONS)
    best = min((_along(levels, float(line)) for line in lines), key=abs)
    step = math.pi / DIRECTIONS
    for _ in range(CLOSER):
        near = math.atan2(best.imag, best.real) + step * np.linspace(-1, 1, 2 * AROUND + 1)
        best = min((best, *(_along(levels, float(line)) for line in near)), key=abs)
        step /= AROUND
    return best


def _along(levels: Sequence[tuple[Segments, Segments]], angle: float) -> complex:
    """The shorter of both ways out along a line."""
    turn = complex(math.cos(angle), -math.sin(angle))
    shifts = [_shifts(*((one * turn, other * turn) for one, other in level)) for level in levels]
    low, high = _around_zero(np.concatenate(shifts))
    return complex(high if high <= -low else low) / turn


def _around_zero(intervals: Floats) -> tuple[float, float]:
    """The ends of what intervals, taken together, fill around 0; 0 and 0 if none has it."""
    low = high = 0.0
    while True:
        near = (intervals[:, 0] <= high) & (intervals[:, 1] >= low)
        ends = min(low, intervals[near, 0].min(initial=0.0)), max(high, intervals[near, 1].max(initial=0.0))
        if ends == (low, high):
            return float(low), float(high)
        low, high = ends


def _shifts(a: Segments, b: Segments) -> Floats:
    """By which shifts along x the first overlaps the second: rows of a least and a largest one."""
    low = max(each[0].imag.min() for each in (a, b))
    high = min(each[0].imag.max() for each in (a, b))
    corners = np.unique(np.concatenate([a[0], b[0]]).imag)
    heights = corners[(corners >= low) & (corners <= high)]
    heights = heights[np.diff(heights, prepend=-np.inf) > FLAT * np.abs(corners).max()]
    if len(heights) < 2:
        return np.zeros((0, 2))
    return _pairs(_intervals(a, heights), _intervals(b, heights))


Intervals = NDArray[np.float64]
"""By slab between two heights, interval in it, end of the interval (left, right), and end of the slab."""


def _intervals(edges: Segments, heights: Floats) -> Intervals:
    """The intervals of x in which a region is, in each slab between two heights without corners inside."""
    start, end = edges
    below, above = heights[:-1, None], heights[1:, None]
    half = (below + above) / 2  # ends of neighbouring edges may differ in the last digit
    crossing = (np.minimum(start.imag, end.imag) < half) & (np.maximum(start.imag, end.imag) > half)
    rise = np.where(end.imag == start.imag, 1.0, end.imag - start.imag)
    at = [start.real + (height - start.imag) / rise * (end.real - start.real) for height in (below, above)]
    middle = np.where(crossing, (at[0] + at[1]) / 2, np.inf)
    most = int(crossing.sum(axis=1).max(initial=0))
    order = np.argsort(middle, axis=1, kind="stable")[:, : most + most % 2]
    found = np.stack(
        [np.take_along_axis(np.where(crossing, each, np.nan), order, axis=1) for each in at], axis=-1
    )
    return np.asarray(found.reshape(len(heights) - 1, -1, 2, 2))


def _pairs(own: Intervals, theirs: Intervals) -> Floats:
    """The shifts by which intervals of one overlap those of the other, in any slab."""
    least = (theirs[:, None, :, 0] - own[:, :, None, 1]).min(axis=-1)
    most = (theirs[:, None, :, 1] - own[:, :, None, 0]).max(axis=-1)
    found = np.column_stack([least.ravel(), most.ravel()])
    return np.asarray(found[np.isfinite(found).all(axis=1)])
