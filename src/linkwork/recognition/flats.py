"""Plane faces as arrays, so that those of a whole part are looked at together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid import PlaneFace
from linkwork.solid.placement import Floats, Placement, cross

ALL_PAIRS: Final = 1_000_000
"""How many pairs of faces are compared all with all, and how many parallel ones are then looked at together."""

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Flats:
    """Plane faces, a row for each: point and two directions, how far they reach along these, and the normals."""

    frames: Floats
    ranges: Floats
    normals: Floats
    outward: Floats
    """1 where a face can bound its part only if the normal looks out of it, -1 only if it looks into it, else 0."""

    @classmethod
    def of(cls, faces: Sequence[PlaneFace]) -> Flats:
        """Some faces."""
        frames = np.array([(face.point, face.along, face.across) for face in faces]).reshape(-1, 3, 3)
        ranges = np.array([(face.u, face.v) for face in faces]).reshape(-1, 2, 2)
        return cls(frames, ranges, cross(frames[:, 1], frames[:, 2]), np.zeros(len(frames)))

    @classmethod
    def joined(cls, parts: Sequence[Flats]) -> Flats:
        """All faces of several, at least of one."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(
            *((each.frames, each.ranges, each.normals, each.outward) for each in parts), strict=True
        )
        return cls(*(np.concatenate(each) for each in columns))

    def __len__(self) -> int:
        return len(self.normals)

    def only(self, places: NDArray[np.intp]) -> Flats:
        """Some of them."""
        return Flats(self.frames[places], self.ranges[places], self.normals[places], self.outward[places])

    def moved(self, motion: Placement) -> Flats:
        """The same turned and shifted."""
        frames = self.frames @ motion.matrix.T
        frames[:, 0] += motion.origin
        return Flats(frames, self.ranges, self.normals @ motion.matrix.T, self.outward)

    @property
    def points(self) -> Floats:
        """A point of each."""
        return self.frames[:, 0]

    @cached_property
    def sizes(self) -> Floats:
        """How long they are along their two directions."""
        return np.asarray(self.ranges[:, :, 1] - self.ranges[:, :, 0])

    @cached_property
    def offsets(self) -> Floats:
        """Where they lie along their normals."""
        return np.asarray(np.einsum("ij,ij->i", self.normals, self.points))

    @cached_property
    def corners(self) -> Floats:
        """Their corners, in order around each."""
        return self.at(self.ranges[:, 0, [0, 1, 1, 0]], self.ranges[:, 1, [0, 0, 1, 1]])

    @cached_property
    def boxes(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of each."""
        return self.corners.min(axis=1), self.corners.max(axis=1)

    def at(self, u: Floats, v: Floats) -> Floats:
        """Points at coordinates, a row of them for each face."""
        point, along, across = (self.frames[:, None, place] for place in range(3))
        return np.asarray(point + u[..., None] * along + v[..., None] * across)

    def heights(self, way: Floats) -> Floats:
        """From where to where along a direction they reach."""
        along = self.corners @ way
        return np.column_stack([along.min(axis=1), along.max(axis=1)])

    def off(self, points: Floats) -> Floats:
        """How far points, a row for each, are from their planes."""
        return np.asarray(np.abs(points @ self.normals.T - self.offsets))

    def near(self, low: Floats, high: Floats, reach: float) -> Places:
        """The places of those that may come nearer than this to a box."""
        own_low, own_high = self.boxes
        return np.flatnonzero(np.all((own_low <= high + reach) & (low - reach <= own_high), axis=1))

    def within(self, low: Floats, high: Floats) -> Flats:
        """Those that may reach into a box, cut to where they may."""
        middle, half = (low + high) / 2, (high - low) / 2
        ways = self.frames[:, 1:]
        centres = np.einsum("ijk,ik->ij", ways, middle - self.points)
        reach = np.abs(ways) @ half
        ranges = np.stack(
            [
                np.maximum(self.ranges[..., 0], centres - reach),
                np.minimum(self.ranges[..., 1], centres + reach),
            ],
            axis=-1,
        )
        meets = np.all(ranges[..., 0] < ranges[..., 1], axis=1)
        meets &= np.abs(self.normals @ middle - self.offsets) <= np.abs(self.normals) @ half
        return Flats(self.frames[meets], ranges[meets], self.normals[meets], self.outward[meets])

    def on_grid(self, shares: Floats) -> Floats:
        """Points at all shares of both sizes, a row for each face: v by v, in each u by u."""
        u = self.ranges[:, 0, :1] + shares * self.sizes[:, :1]
        v = self.ranges[:, 1, :1] + shares * self.sizes[:, 1:]
        point, along, across = (self.frames[:, None, place] for place in range(3))
        lines = point + v[..., None] * across
        points = lines[:, :, None] + (u[..., None] * along)[:, None]
        return np.asarray(points.reshape(len(points), len(shares) ** 2, 3))


def parallel_pairs(first: Floats, second: Floats, sine: float) -> Iterator[tuple[Places, Places]]:
    """The places of directions that, either way, make an angle with at most this sine; some pairs at a time."""
    if len(first) * len(second) <= ALL_PAIRS:
        one, other = np.nonzero(np.abs(first @ second.T) > 1 - sine)
        yield one, other
        return
    from scipy.spatial import cKDTree

    reach = math.sqrt(2 * sine)
    every = cKDTree(np.concatenate([second, -second]))
    counts = every.query_ball_point(first, reach, return_length=True)
    ends = np.searchsorted(
        np.cumsum(counts), np.arange(ALL_PAIRS, counts.sum() + ALL_PAIRS, ALL_PAIRS), "right"
    )
    for some in np.split(np.arange(len(first)), np.unique(ends)):
        met = [np.asarray(each, dtype=np.intp) for each in every.query_ball_point(first[some], reach)]
        if met:
            yield np.repeat(some, [len(each) for each in met]), np.concatenate(met) % len(second)
