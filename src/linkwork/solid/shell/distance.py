"""How far points are from surfaces that go on without bounds."""

from __future__ import annotations

import numpy as np

from linkwork.solid.placement import Floats
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace


def distances(surface: Face, points: Floats) -> Floats:
    """The distances of points, positive on the side to which the surface's own normal points.

    >>> distances(SphereFace((0, 0, 0), 2), np.array([[0, 0, 5], [1, 0, 0]])).tolist()
    [3.0, -1.0]
    """
    ways = points - np.array(surface.point)
    if isinstance(surface, PlaneFace):
        return np.asarray(ways @ np.array(surface.normal))
    if isinstance(surface, SphereFace):
        return np.asarray(np.linalg.norm(ways, axis=1) - surface.radius)
    axis = np.array(surface.axis)
    heights = ways @ axis
    spread = np.linalg.norm(ways - np.outer(heights, axis), axis=1)
    if isinstance(surface, RoundFace):
        low, high = surface.span
        slope = 0.0 if surface.is_cylinder else (surface.far_radius - surface.radius) / (high - low)
        return np.asarray((spread - surface.radius - slope * (heights - low)) / np.hypot(1.0, slope))
    return np.asarray(np.hypot(spread - surface.radius, heights) - surface.tube)
