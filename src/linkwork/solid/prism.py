"""Prisms: plane regions with a height."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import X_AXIS, Y_AXIS, Z_AXIS, Floats
from linkwork.solid.region import Arc, Edge, Region
from linkwork.solid.surface import TURN, Face, PlaneFace, RoundFace
from linkwork.solid.values import Block, Box, Cone, Cylinder, Inside, Solid, SolidError

FEW: Final = 100
"""Points up to which it is not looked whether some of them are one."""
MIXING: Final = np.array([0x1E3779B97F4A7C15, 0x42B2AE3D27D4EB4F])
"""Odd numbers without a pattern: by these both coordinates of a point become one key."""


@dataclass(frozen=True)
class Prism(Solid):
    """A region of the xy-plane, extruded upwards.

    >>> from linkwork.solid.region import Region
    >>> plate = Prism(Region.rectangle(4, 2) - Region.circle(0.5, (1, 1)), 3)
    >>> plate.contains(np.array([[1, 1, 1], [3, 1, 1], [3, 1, 4]])).tolist()
    [False, True, False]
    """

    region: Region
    height: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "height", float(self.height))
        if not 0 < self.height < math.inf:
            raise SolidError(f"the height of a prism is {self.height}", wanted="a positive number")
        if not self.region:
            raise SolidError("the region of a prism is empty", wanted="a region with an area")

    def contains(self, points: Floats) -> Inside:
        between = (points[:, 2] > 0) & (points[:, 2] < self.height)
        inside = np.zeros(len(points), dtype=bool)
        inside[between] = seen_from_above(points[between, :2], self._within)
        return inside

    def _within(self, places: Floats) -> Inside:
        return self.region.contains(places, boundary=False)

    @property
    def box(self) -> Box:
        (left, bottom), (right, top) = self.region.box
        return np.array([left, bottom, 0.0]), np.array([right, top, self.height])

    def faces(self) -> Iterator[Face]:
        for loop in self.region.loops:
            if loop.circle is not None:
                centre, radius = loop.circle
                yield RoundFace(
                    (*centre, 0.0), Z_AXIS, X_AXIS, radius, radius, (0.0, self.height), (0.0, TURN)
                )
            else:
                yield from (self._side(edge) for edge in loop)
        (left, bottom), (right, top) = self.region.box
        for height in (0.0, self.height):
            yield PlaneFace((0.0, 0.0, height), X_AXIS, Y_AXIS, (left, right), (bottom, top))

    def _side(self, edge: Edge) -> Face:
        span = (0.0, self.height)
        if isinstance(edge, Arc):
            forth = edge if edge.anticlockwise else edge.reversed
            first = math.atan2(forth.start[1] - edge.centre[1], forth.start[0] - edge.centre[0])
            angles = (first, forth.sweep)
            return RoundFace((*edge.centre, 0.0), Z_AXIS, X_AXIS, edge.radius, edge.radius, span, angles)
        length = edge.length
        along = ((edge.end[0] - edge.start[0]) / length, (edge.end[1] - edge.start[1]) / length, 0.0)
        return PlaneFace((*edge.start, 0.0), along, Z_AXIS, (0.0, length), span)


Answer = TypeVar("Answer", bound=np.generic)


def seen_from_above(places: Floats, asked: Callable[[Floats], NDArray[Answer]]) -> NDArray[Answer]:
    """What is told of each of some points of the plane, asked once where several are one: points of walls mostly are.

    >>> seen_from_above(np.array([(1.0, 2.0), (1.0, 2.0), (3.0, 4.0)]), lambda each: each.sum(axis=1)).tolist()
    [3.0, 3.0, 7.0]
    """
    if len(places) < FEW:
        return asked(places)
    bits = np.ascontiguousarray(places, dtype=float).view(np.int64)
    keys = (
        bits[:, 0] * MIXING[0] + bits[:, 1] * MIXING[1]
    )  # whole numbers are sorted fastest, and may wrap around
    _, first, place_of = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(
        places[first][place_of], places
    ):  # two points have one key: so rare that all are asked
        return asked(places)
    return asked(places[first])[place_of]


def as_prism(solid: Solid) -> Prism | None:
    """A simple solid with the same section all along z as a prism; None for others."""
    if isinstance(solid, Prism):
        return solid
    if isinstance(solid, Block):
        return Prism(Region.rectangle(*solid.size[:2]), solid.size[2])
    if isinstance(solid, Cylinder):
        return Prism(Region.circle(solid.radius), solid.height)
    if isinstance(solid, Cone) and solid.bottom == solid.top:
        return Prism(Region.circle(solid.bottom), solid.height)
    return None
