"""Round faces as arrays, so that those of a whole part are looked at together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats, Placement, cross
from linkwork.solid.region.pairs import ranges
from linkwork.solid.surface import TURN
from linkwork.solid.values import Inside

AT_ONCE: Final = 200_000
"""How many pairs of faces are looked at together."""
ALL_PAIRS: Final = 1_000
"""How many pairs of faces are looked at all with all, since sorting them would take longer."""
SHORT: Final = 0.01
"""By how much less than half around a pin may go, in radians."""


@dataclass(frozen=True, eq=False)
class Rounds:
    """Cylinders and cones, a row for each; ``frames`` has the directions of angle 0, of a quarter turn, of the axis."""

    points: Floats
    frames: Floats
    radii: Floats
    spans: Floats
    angles: Floats
    _pins: dict[float, NDArray[np.intp]] = field(default_factory=dict, repr=False)

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

    @classmethod
    def joined(cls, parts: Sequence[Rounds]) -> Rounds:
        """All faces of several, at least of one."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(
            *((each.points, each.frames, each.radii, each.spans, each.angles) for each in parts), strict=True
        )
        points, frames, radii, spans, angles = (np.concatenate(each) for each in columns)
        return cls(points, frames, radii, spans, angles)

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

    def reaching(self, spans: Floats, angles: Floats) -> Rounds:
        """The same cylinders and cones from elsewhere to elsewhere, along their axes and around them."""
        return Rounds(self.points, self.frames, self.radii, spans, angles)

    def moved(self, motion: Placement) -> Rounds:
        """The same turned and shifted."""
        frames = self.frames @ motion.matrix.T
        return Rounds(motion.point(self.points), frames, self.radii, self.spans, self.angles)

    @property
    def axes(self) -> Floats:
        """The directions of their axes."""
        return self.frames[:, 2]

    @cached_property
    def lengths(self) -> Floats:
        """How long they are along their axes."""
        return np.asarray(self.spans[:, 1] - self.spans[:, 0])

    @cached_property
    def middles(self) -> Floats:
        """The points of their axes halfway between their ends."""
        return np.asarray(self.points + self.spans.mean(axis=1)[:, None] * self.axes)

    @cached_property
    def are_cylinders(self) -> Inside:
        """Which have the same radius all along."""
        return np.asarray(self.radii[:, 0] == self.radii[:, 1])

    def apart(self, others: Rounds) -> Floats:
        """How far the axes of others are from those of these, all with all, where they are parallel."""
        away = cross(self.points[:, None] - others.points, self.axes[:, None])
        return np.asarray(np.linalg.norm(away, axis=2))

    def beside_axes(self, others: Rounds, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places of axes of these, and of others whose middles are no farther from them than this, or a few more.

        Axes that are parallel are points of a plane across them: what is near is found there by sorting.
        """
        if len(self) * len(others) <= ALL_PAIRS:
            every = np.arange(len(self) * len(others))
            return every // len(others), every % len(others)
        found = [(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))]
        for places in self._parallel:
            across = self.frames[places[0], 0]
            along, theirs = self.points[places] @ across, others.middles @ across
            order = np.argsort(theirs)
            first = np.searchsorted(theirs[order], along - reach, "left")
            last = np.searchsorted(theirs[order], along + reach, "right")
            own, rank = ranges(first, last)
            found.append((places[own], order[rank]))
        one, other = zip(*found, strict=True)
        return np.concatenate(one), np.concatenate(other)

    @cached_property
    def _parallel(self) -> list[NDArray[np.intp]]:
        """The places of those whose axes are the same direction, for each direction."""
        axes = np.round(self.axes, 9) + 0.0
        if len(axes) and (axes == axes[0]).all():
            return [np.arange(len(axes))]
        _, kind_of = np.unique(axes, axis=0, return_inverse=True)
        order = np.argsort(kind_of.ravel(), kind="stable")
        return np.split(order, np.flatnonzero(np.diff(kind_of.ravel()[order])) + 1) if len(self) else []

    def near_cylinder(self, face: RoundFace, reach: float) -> list[int]:
        """The places of those with about the radius of a face whose axes go by its middle no farther off than this."""
        places = np.flatnonzero(np.abs(self.radii[:, 0] - face.radius) <= reach)
        if len(places) > 1:
            middle = np.array(face.point) + sum(face.span) / 2 * np.array(face.axis)
            away = cross(middle - self.points[places], self.axes[places])
            places = places[np.einsum("ij,ij->i", away, away) <= reach**2]
        return [int(place) for place in places]

    def turned_near(self, low: Floats, high: Floats) -> list[int]:
        """The places of those that would reach into a box if they went all around."""
        least, most = self.turned_boxes
        near = np.logical_and.reduce((least <= high) & (most >= low), axis=1)
        return [int(place) for place in np.flatnonzero(near)]

    @cached_property
    def turned_boxes(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of each, as if it went all around."""
        spread = self.radii.max(axis=1, initial=0.0)[:, None] * np.sqrt(np.maximum(0.0, 1.0 - self.axes**2))
        near, far = (self.points + self.spans[:, end, None] * self.axes for end in (0, 1))
        return np.minimum(near, far) - spread, np.maximum(near, far) + spread

    def pins(self, tolerance: float) -> NDArray[np.intp]:
        """The places of cylinders that go half around, alone or with others that are pieces of the same cylinder."""
        if tolerance not in self._pins:
            places = np.flatnonzero(self.are_cylinders)
            order = places[np.argsort(self.radii[places, 0], kind="stable")]
            alike = np.split(order, np.flatnonzero(np.diff(self.radii[order, 0]) > tolerance) + 1)
            may = [each for each in alike if self.angles[each, 1].sum() >= math.pi - SHORT]
            found = [each[self.only(each)._go_around(tolerance)] for each in may]
            self._pins[tolerance] = np.sort(np.concatenate([np.zeros(0, dtype=np.intp), *found]))
        return self._pins[tolerance]

    def _go_around(self, tolerance: float) -> Inside:
        """Which of these, all of about one radius, go half around with those on their axis."""
        turns = self.angles[:, 1]
        found = turns > math.pi - SHORT
        others = np.flatnonzero(~found)
        for places in np.array_split(others, -(-max(1, len(others)) * len(self) // AT_ONCE)):
            own = self.only(places)
            same = (np.abs(own.axes @ self.axes.T) > 1 - 1e-9) & (own.apart(self) <= tolerance)
            found[places] = same @ turns > math.pi - SHORT
        return np.asarray(found)

    @cached_property
    def widths(self) -> tuple[Floats, NDArray[np.intp]]:
        """The radii that there are at their ends, each once, and which of them each has."""
        found, places = np.unique(self.radii[:, 0], return_inverse=True)
        return found, places

    @cached_property
    def _ways(self) -> tuple[Floats, Floats]:
        """The three directions of each as columns, and how far its point is along them."""
        ways = np.ascontiguousarray(self.frames.transpose(1, 2, 0))
        return ways, np.einsum("kji,ij->ki", ways, self.points)

    def off(self, points: Floats) -> Floats:
        """How far outside their cylinders and cones points, a row for each, are; below 0 inside."""
        ways, offsets = self._ways
        x, y, along = points @ ways - offsets[:, None]
        slopes = (self.radii[:, 1] - self.radii[:, 0]) / np.where(self.lengths > 0, self.lengths, 1.0)
        radii = self.radii[:, 0] + slopes * (along - self.spans[:, 0])
        return np.asarray((np.hypot(x, y) - radii) / np.hypot(1.0, slopes))

    def within(self, low: Floats, high: Floats) -> Rounds:
        """Those that may reach into a box, cut along their axes to where they may."""
        middle, half = (low + high) / 2, (high - low) / 2
        centres = np.einsum("ij,ij->i", self.axes, middle - self.points)
        reach = np.abs(self.axes) @ half
        spans = np.column_stack(
            [np.maximum(self.spans[:, 0], centres - reach), np.minimum(self.spans[:, 1], centres + reach)]
        )
        meets = spans[:, 0] < spans[:, 1]
        meets &= np.logical_and.reduce((self.boxes[0] <= high) & (self.boxes[1] >= low), axis=1)
        some, spans = self.only(np.flatnonzero(meets)), spans[meets]
        shares = (spans - some.spans[:, :1]) / some.lengths[:, None]
        radii = some.radii[:, :1] + shares * (some.radii[:, 1:] - some.radii[:, :1])
        return Rounds(some.points, some.frames, radii, spans, some.angles)

    def have_angle(self, angle: Floats) -> Inside:
        """Which reach over an angle; one for each, or a row of them."""
        first, size = self.angles.T.reshape(2, -1, *(1,) * (angle.ndim - 1))
        return np.asarray((angle - first) % TURN <= size + 1e-12)

    def heights(self, way: Floats) -> Floats:
        """From where to where along a direction they reach."""
        return np.column_stack(self._reaches(way[:, None]))

    @cached_property
    def boxes(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of each."""
        return self._reaches(np.eye(3))

    def _reaches(self, ways: Floats) -> tuple[Floats, Floats]:
        """From where to where along directions, given as columns, they reach: r cos(θ - φ), at both ends."""
        along = self.frames @ ways
        size, phase = np.hypot(along[:, 0], along[:, 1]), np.arctan2(along[:, 1], along[:, 0])
        first, length = self.angles.T[..., None]
        ends = np.cos(first - phase), np.cos(first + length - phase)
        most = np.where(self.have_angle(phase), 1.0, np.maximum(*ends))
        least = np.where(self.have_angle(phase + math.pi), -1.0, np.minimum(*ends))
        middle = self.points @ ways
        near, far = (middle + self.spans[:, end, None] * along[:, 2] for end in (0, 1))
        near_size, far_size = (self.radii[:, end, None] * size for end in (0, 1))
        return (
            np.minimum(near + near_size * least, far + far_size * least),
            np.maximum(near + near_size * most, far + far_size * most),
        )

    def radial(self, angles: Floats) -> Floats:
        """The directions away from their axes at angles, a row of them for each face."""
        zero, quarter = self.frames[:, None, 0], self.frames[:, None, 1]
        return np.asarray(np.cos(angles)[..., None] * zero + np.sin(angles)[..., None] * quarter)

    def at(self, angles: Floats, shares: Floats) -> tuple[Floats, Floats]:
        """Points at angles and at shares of the length, given in rows, and the normals there.

        Both results have a row for each face, in it one for each share, in that one for each angle.
        """
        axis, radial = self.frames[:, None, 2], self.radial(angles)
        lengths, growth = self.lengths, self.radii[:, 1] - self.radii[:, 0]
        heights = self.spans[:, :1] + shares * lengths[:, None]
        radii = self.radii[:, :1] + shares * growth[:, None]
        centres = self.points[:, None] + heights[..., None] * axis
        points = centres[:, :, None] + radii[:, :, None, None] * radial[:, None]
        normals = radial
        if growth.any():
            incline = growth / np.where(lengths > 0, lengths, 1.0)
            normals = (radial - incline[:, None, None] * axis) / np.hypot(1.0, incline)[:, None, None]
        return points, np.broadcast_to(normals[:, None], points.shape)
