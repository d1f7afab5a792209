"""Round faces as arrays, so that those of a whole part are looked at together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats, cross
from linkwork.solid.surface import TURN
from linkwork.solid.values import Inside


@dataclass(frozen=True, eq=False)
class Rounds:
    """Cylinders and cones, a row for each; ``frames`` has the directions of angle 0, of a quarter turn, of the axis."""

    points: Floats
    frames: Floats
    radii: Floats
    spans: Floats
    angles: Floats

    @classmethod
    def of(cls, faces: Sequence[RoundFace]) -> Rounds:
        """Some faces."""
        zeros = np.array([face.zero for face in faces]).reshape(-1, 3)
        axes = np.array([face.axis for face in faces]).reshape(-1, 3)
        return cls(
            np.array([face.point for face in faces]).reshape(-1, 3),
            np.stack([zeros, cross(axes, zeros), axes], axis=1),
            np.array([(face.radius, face.far_radius) for face in faces]).reshape(-1, 2),
            np.array([face.span for face in faces]).reshape(-1, 2),
            np.array([face.angles for face in faces]).reshape(-1, 2),
        )

    def __len__(self) -> int:
        return len(self.points)

    def only(self, places: NDArray[np.intp]) -> Rounds:
        """Some of them."""
        return Rounds(
            self.points[places],
            self.frames[places],
            self.radii[places],
            self.spans[places],
            self.angles[places],
        )

    @property
    def axes(self) -> Floats:
        """The directions of their axes."""
        return self.frames[:, 2]

    @property
    def lengths(self) -> Floats:
        """How long they are along their axes."""
        return np.asarray(self.spans[:, 1] - self.spans[:, 0])

    @property
    def middles(self) -> Floats:
        """The points of their axes halfway between their ends."""
        return np.asarray(self.points + self.spans.mean(axis=1)[:, None] * self.axes)

    @property
    def are_cylinders(self) -> Inside:
        """Which have the same radius all along."""
        return np.asarray(self.radii[:, 0] == self.radii[:, 1])

    def within(self, low: Floats, high: Floats) -> Rounds:
        """Those that may reach into a box, cut along their axes to where they may."""
        middle, half = (low + high) / 2, (high - low) / 2
        centres = np.einsum("ij,ij->i", self.axes, middle - self.points)
        reach = np.abs(self.axes) @ half
        spans = np.column_stack(
            [np.maximum(self.spans[:, 0], centres - reach), np.minimum(self.spans[:, 1], centres + reach)]
        )
        meets = spans[:, 0] < spans[:, 1]
        for way, least, most in zip(np.eye(3), low, high, strict=True):
            ends = self.heights(way)
            meets &= (ends[:, 0] <= most) & (ends[:, 1] >= least)
        some, spans = self.only(np.flatnonzero(meets)), spans[meets]
        shares = (spans - some.spans[:, :1]) / some.lengths[:, None]
        radii = some.radii[:, :1] + shares * np.diff(some.radii)
        return Rounds(some.points, some.frames, radii, spans, some.angles)

    def have_angle(self, angle: Floats) -> Inside:
        """Which reach over an angle."""
        return np.asarray((angle - self.angles[:, 0]) % TURN <= self.angles[:, 1] + 1e-12)

    def heights(self, way: Floats) -> Floats:
        """From where to where along a direction they reach: r cos(θ - φ) over their angles, at both ends."""
        along = self.frames @ way
        size, phase = np.hypot(along[:, 0], along[:, 1]), np.arctan2(along[:, 1], along[:, 0])
        ends = np.cos(self.angles[:, :1] + np.outer(self.angles[:, 1], (0, 1)) - phase[:, None])
        most = np.where(self.have_angle(phase), 1.0, ends.max(axis=1, initial=-1.0))
        least = np.where(self.have_angle(phase + math.pi), -1.0, ends.min(axis=1, initial=1.0))
        middles = (self.points @ way)[:, None] + self.spans * along[:, 2:]
        sizes = self.radii * size[:, None]
        low = np.min(middles + sizes * least[:, None], axis=1)
        return np.column_stack([low, np.max(middles + sizes * most[:, None], axis=1)])

    def at(self, angles: Floats, shares: Floats) -> tuple[Floats, Floats]:
        """Points at angles and at shares of the length, given in rows, and the normals there.

        Both results have a row for each face, in it one for each share, in that one for each angle.
        """
        zero, quarter, axis = (self.frames[:, None, place] for place in range(3))
        radial = np.cos(angles)[..., None] * zero + np.sin(angles)[..., None] * quarter
        heights = self.spans[:, :1] + shares * self.lengths[:, None]
        radii = self.radii[:, :1] + shares * np.diff(self.radii)
        centres = self.points[:, None] + heights[..., None] * axis
        points = centres[:, :, None] + radii[:, :, None, None] * radial[:, None]
        incline = np.diff(self.radii)[:, 0] / np.where(self.lengths > 0, self.lengths, 1.0)
        normals = (radial - incline[:, None, None] * axis) / np.hypot(1.0, incline)[:, None, None]
        return points, np.broadcast_to(normals[:, None], points.shape)
