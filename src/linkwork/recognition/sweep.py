"""Bounds of all places where something ever is that moves by a chain of motions, one carried by the next.

Two bodies that it never leaves are followed from each motion to the next: a drum about an axis and a ball. With d the
distance of a point's ball from an axis and R its radius, a turn about the axis leaves the drum of radius d + R at most,
and the ball about the axis's point nearest to the old centre; heights along the axis stay. A slide makes the drum about
its own axis endless. Thus a chain of turns reaches no farther than its members together, however its axes stand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.motion import PARALLEL, Motion, are_parallel, composed
from linkwork.recognition.reach import Surfaces
from linkwork.solid.placement import Floats, cross_length
from linkwork.solid.values import Box

_ENDLESS = (-math.inf, math.inf)


@dataclass(frozen=True, eq=False)
class Sweep:
    """What lies in a drum about an axis, between two heights above its point, and in a ball."""

    axis: Floats
    point: Floats
    heights: tuple[float, float]
    radius: float
    """Of the drum."""
    centre: Floats
    """Of the ball."""
    reach: float

    def within(self, way: Floats) -> tuple[float, float]:
        """The least and the largest coordinate along a direction."""
        along = float(self.axis @ way)
        middle, base = float(self.centre @ way), float(self.point @ way)
        beside = _times(math.sqrt(max(0.0, 1.0 - along * along)), self.radius)
        ends = [_times(along, height) for height in self.heights]
        low, high = base + min(ends) - beside, base + max(ends) + beside
        return max(low, middle - self.reach), min(high, middle + self.reach)

    def away(self, axis: Floats, point: Floats) -> float:
        """The largest distance from an axis: of the ball, or of the ends of the drum."""
        if are_parallel(axis, self.axis):
            drum = cross_length(self.point - point, axis) + self.radius
        elif math.inf in (self.heights[1], -self.heights[0], self.radius):
            drum = math.inf
        else:
            ends = [self.point + height * self.axis for height in self.heights]
            drum = max(cross_length(end - point, axis) for end in ends) + self.radius
        return min(drum, cross_length(self.centre - point, axis) + self.reach)

    def box(self, axes: Floats) -> Box:
        """The box around it, in coordinates along some axes."""
        low, high = zip(*(self.within(way) for way in axes), strict=True)
        return np.array(low), np.array(high)


def swept(surfaces: Surfaces, motions: Sequence[Motion], tolerance: float) -> Sweep:
    """Where faces may get by motions, of which the first is carried by the second and so on."""
    together = composed(motions[:2], tolerance)
    meeting = together.point if together.kind == "ball" else None  # a gimbal turns about one point
    found = _at_rest(surfaces, motions[0], meeting)
    for motion in motions:
        found = _moved(found, motion)
    return found


def _at_rest(surfaces: Surfaces, motion: Motion, meeting: Floats | None) -> Sweep:
    """Where faces are before they move, about the axis of the first motion, or about a point if it is known."""
    middle = np.array([(each.min() + each.max()) / 2 for each in map(surfaces.heights, np.eye(3))])
    point = middle if motion.point is None else motion.point
    if motion.axis is None:
        return _ball(point, float(surfaces.lengths(point)[:, 1].max()))
    axis = motion.axis
    levels = surfaces.heights(axis) - point @ axis
    low, high = float(levels.min()), float(levels.max())
    centre = point + (low + high) / 2 * axis if meeting is None else meeting
    height = float((centre - point) @ axis)
    radius = _farthest(surfaces, axis, point)
    aside = cross_length(centre - point, axis) + radius
    around = math.hypot(max(high - height, height - low), aside)
    reach = min(around, float(surfaces.lengths(centre)[:, 1].max()))
    return Sweep(axis, point, (low, high), radius, centre, reach)


def _ball(centre: Floats, reach: float) -> Sweep:
    """What is in a ball, and in no drum that is known."""
    return Sweep(np.array([0.0, 0.0, 1.0]), centre, _ENDLESS, math.inf, centre, reach)


def _farthest(surfaces: Surfaces, axis: Floats, point: Floats) -> float:
    """The largest distance of faces from an axis.

    Faces across the axis are known by rectangles around them: their edges are those of others, which tell how far they
    really go.
    """
    rows = surfaces.distances(axis, point)[surfaces.slopes(axis) < 1 - 1e-9]
    return float((rows if len(rows) else surfaces.distances(axis, point))[:, 1].max())


def _moved(sweep: Sweep, motion: Motion) -> Sweep:
    """Where something may get that moves so."""
    if motion.kind == "rest":
        return sweep
    axis, point = motion.axis, motion.point
    if motion.kind == "ball" and point is not None:
        return _ball(point, math.dist(point, sweep.centre) + sweep.reach)
    if axis is None or motion.kind == "free":
        return _ball(sweep.centre, math.inf)
    point = sweep.centre if point is None or motion.kind == "slide" else point
    low, high = sweep.within(axis)
    base = float(point @ axis)
    heights = (low - base, high - base) if motion.kind in ("turn", "plane") else _ENDLESS
    radius = math.inf if motion.kind == "plane" else sweep.away(axis, point)
    nearest = point + float((sweep.centre - point) @ axis) * axis
    reach = math.dist(nearest, sweep.centre) + sweep.reach if motion.kind == "turn" else math.inf
    return Sweep(axis, point, heights, radius, nearest, reach)


def _times(share: float, length: float) -> float:
    """A share of a length that may have no end; of nothing there is nothing."""
    return share * length if abs(share) > PARALLEL else 0.0
