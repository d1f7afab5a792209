"""A part as a stack of layers along an axis: how far points in it are from its surface, exactly.

In its own layer a point is as far from the outside as the plane tells, δ. To the outside at the heights of another
layer, g away along the axis, it is √(g² + δ²) with the δ of that layer, 0 where the layer leaves the point out; above
and below the stack there is only the outside. The least of all these is the distance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.faces import Faces
from linkwork.recognition.prisms import frequent
from linkwork.solid import Solid, is_prismatic, layers
from linkwork.solid.layers import Layer
from linkwork.solid.placement import Floats, Placement, Triple
from linkwork.solid.prism import seen_from_above
from linkwork.solid.section import frame_across


@dataclass(frozen=True, eq=False)
class Stack:
    """Layers along an axis, from bottom to top, and the frame in which they are upright."""

    frame: Placement
    layers: tuple[Layer, ...]

    @classmethod
    def of(cls, solid: Solid, faces: Faces) -> Stack | None:
        """A solid with these faces as a stack, along any of the directions of its faces; None if there is none."""
        axis = next((axis for axis in _ways(faces) if is_prismatic(solid, axis)), None)
        return None if axis is None else cls(frame_across(axis), layers(solid, axis))

    def depths(self, points: Floats) -> Floats:
        """How far points are from the outside: 0 for those that are there.

        >>> from linkwork.recognition.faces import faces_of
        >>> from linkwork.solid import Block
        >>> block = Block((4, 4, 2))
        >>> stack = Stack.of(block, faces_of(block))
        >>> stack.depths(np.array([(2, 2, 0.75), (0.5, 2, 1), (5, 2, 1)])).tolist()
        [0.75, 0.5, 0.0]
        """
        seen = self.frame.local(points)
        plane, height = seen[:, :2], seen[:, 2]
        found = np.minimum(height - self.layers[0].low, self.layers[-1].high - height).clip(0.0)
        for below, above in zip(self.layers, self.layers[1:], strict=False):
            if above.low > below.high:  # nothing is between
                found = np.minimum(found, np.maximum(below.high - height, height - above.low).clip(0.0))
        for low, high, region in self.layers:
            gap = np.maximum(low - height, height - high).clip(0.0)
            near = np.flatnonzero(gap < found)
            if len(near):
                inside = (-seen_from_above(plane[near], region.distance)).clip(0.0)
                found[near] = np.minimum(found[near], np.hypot(gap[near], inside))
        return found


def _ways(faces: Faces) -> Iterator[Triple]:
    """The directions of round faces, then those across plane ones."""
    yield from frequent(faces.rounds.axes)
    yield from frequent(faces.flats.normals)
