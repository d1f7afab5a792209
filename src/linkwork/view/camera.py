"""The camera of pictures in space: far away, so that parallel lines stay parallel."""

from __future__ import annotations

import math
from dataclasses import dataclass

from linkwork.view.shape import Point

LIGHT: tuple[float, float, float] = (-0.42, 0.64, 0.643)
"""Where the light comes from, as the camera sees it: right, up, towards the eye. A unit vector."""

AMBIENT = 0.22
"""The brightness of a side that the light does not reach; a side facing it has 1."""


@dataclass(frozen=True, slots=True)
class Camera:
    """An eye above the xy-plane, with z pointing up in the picture; angles in radians."""

    azimuth: float = math.radians(-58)
    elevation: float = math.radians(24)

    def axes(self) -> tuple[Point, Point, Point]:
        """The directions to the right, up, and towards the eye, in the world.

        >>> [[round(part, 9) + 0.0 for part in axis] for axis in Camera(0.0, 0.0).axes()]
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
        """
        ca, sa = math.cos(self.azimuth), math.sin(self.azimuth)
        ce, se = math.cos(self.elevation), math.sin(self.elevation)
        return (-sa, ca, 0.0), (-se * ca, -se * sa, ce), (ce * ca, ce * sa, se)
