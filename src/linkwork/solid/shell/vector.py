"""Directions square to others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.solid.placement import Floats, cross


def across(direction: Sequence[float] | Floats) -> Floats:
    """A unit vector square to a direction; along an axis of the world where that is possible.

    >>> across((0, 0, 2)).tolist()
    [1.0, 0.0, 0.0]
    """
    least = np.zeros(3)
    least[int(np.argmin(np.abs(direction)))] = 1.0
    found = cross(cross(direction, least), direction)
    return np.asarray(found / np.linalg.norm(found))
