"""Surfaces that go on without bounds: how wide they are, and how far points are from them."""

from __future__ import annotations

import numpy as np

from linkwork.solid.placement import Floats
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace


def slope(face: RoundFace) -> float:
    """By how much the radius grows along the axis."""
    return 0.0 if face.is_cylinder else (face.far_radius - face.radius) / (face.span[1] - face.span[0])


def radius_at(face: RoundFace, height: float) -> float:
    """The radius at a height along the axis.

    >>> radius_at(RoundFace((0, 0, 0), (0, 0, 1), (1, 0, 0), 2, 3, (0, 10)), 5)
    2.5
    """
    return face.radius + slope(face) * (height - face.span[0])


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
        grows = slope(surface)
        return np.asarray((spread - radius_at(surface, 0.0) - grows * heights) / np.hypot(1.0, grows))
    return np.asarray(np.hypot(spread - surface.radius, heights) - surface.tube)
