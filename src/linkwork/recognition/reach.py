"""How far faces reach: distances from an axis, heights along a direction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.skin import round_samples
from linkwork.solid import Face, PlaneFace, RoundFace, SphereFace, TorusFace
from linkwork.solid.placement import Floats, cross
from linkwork.solid.values import Inside


@dataclass(frozen=True, eq=False)
class Surfaces:
    """The faces that bound the parts of a group, with the names of part and solid that they belong to."""

    faces: tuple[Face, ...]
    names: tuple[tuple[str, str], ...]

    @cached_property
    def _flat(self) -> NDArray[np.intp]:
        return np.flatnonzero([isinstance(face, PlaneFace) for face in self.faces])

    @cached_property
    def _others(self) -> list[int]:
        return [place for place, face in enumerate(self.faces) if not isinstance(face, PlaneFace)]

    @cached_property
    def _corners(self) -> Floats:
        """The corners of the plane faces, in order around each."""
        flat = [self.faces[place] for place in self._flat]
        return np.array([_corner_points(face) for face in flat if isinstance(face, PlaneFace)]).reshape(
            -1, 4, 3
        )

    @cached_property
    def _normals(self) -> Floats:
        flat = [self.faces[place] for place in self._flat]
        return np.array([face.normal for face in flat if isinstance(face, PlaneFace)]).reshape(-1, 3)

    def heights(self, way: Floats) -> Floats:
        """Rows of least and largest coordinate of each face along a direction."""
        found = np.zeros((len(self.faces), 2))
        along = self._corners @ way
        found[self._flat] = np.column_stack([along.min(axis=1), along.max(axis=1)]) if len(along) else 0.0
        for place in self._others:
            found[place] = _extent(self.faces[place], way)
        return found

    def distances(self, axis: Floats, point: Floats) -> Floats:
        """Rows of least and largest distance of each face from an axis."""
        found = np.zeros((len(self.faces), 2))
        if len(self._flat):
            found[self._flat] = _distances_of_corners(self._corners, axis, point)
        for place in self._others:
            found[place] = _distances(self.faces[place], axis, point)
        return found

    def are_round(self, axis: Floats, point: Floats, tolerance: float) -> Inside:
        """Which faces a turn about an axis takes into themselves."""
        found = np.zeros(len(self.faces), dtype=bool)
        found[self._flat] = np.abs(self._normals @ axis) > 1 - 1e-9
        for place in self._others:
            face = self.faces[place]
            away = math.hypot(*cross(np.array(face.point) - point, axis))
            is_along = isinstance(face, SphereFace) or _along(face.axis, axis) > 1 - 1e-9  # type: ignore[union-attr]
            found[place] = away <= tolerance and is_along
        return found

    def slopes(self, way: Floats) -> Floats:
        """How much each face looks along a direction: 1 if its normal does, 0 for a side along it, else between."""
        found = np.zeros(len(self.faces))
        found[self._flat] = np.abs(self._normals @ way)
        for place in self._others:
            face = self.faces[place]
            is_side = isinstance(face, RoundFace) and face.is_cylinder and _along(face.axis, way) > 1 - 1e-9
            found[place] = 0.0 if is_side else 0.5
        return found


def _along(axis: tuple[float, float, float], way: Floats) -> float:
    return abs(float(np.array(axis) @ way))


def _corner_points(face: PlaneFace) -> Floats:
    return face.at(np.array([face.u[0], face.u[1], face.u[1], face.u[0]]), np.repeat(face.v, 2))


def _extent(face: Face, way: Floats) -> tuple[float, float]:
    assert not isinstance(face, PlaneFace)
    middle = float(np.array(face.point) @ way)
    if isinstance(face, SphereFace):
        return middle - face.radius, middle + face.radius
    axis = np.array(face.axis)
    spread = math.sqrt(max(0.0, 1.0 - float(axis @ way) ** 2))
    if isinstance(face, TorusFace):
        reach = face.radius * spread + face.tube
        return middle - reach, middle + reach
    ends = [
        middle + height * float(axis @ way) + sign * radius * spread
        for height, radius in zip(face.span, (face.radius, face.far_radius), strict=True)
        for sign in (-1, 1)
    ]
    return min(ends), max(ends)


def _distances(face: Face, axis: Floats, point: Floats) -> tuple[float, float]:
    assert not isinstance(face, PlaneFace)
    away = math.hypot(*cross(np.array(face.point) - point, axis))
    if isinstance(face, SphereFace):
        return max(0.0, away - face.radius), away + face.radius
    if isinstance(face, TorusFace):
        return max(0.0, away - face.radius - face.tube), away + face.radius + face.tube
    is_whole = face.angles[1] > 2 * math.pi - 1e-9
    if _along(face.axis, axis) > 1 - 1e-9 and (is_whole or away <= 1e-9 * face.radius):
        most, least = max(face.radius, face.far_radius), min(face.radius, face.far_radius)
        return max(0.0, away - most, least - away), away + most
    angles = np.linspace(face.angles[0], face.angles[0] + face.angles[1], 65)
    points, _ = round_samples(face, angles, np.linspace(0.0, 1.0, 9))
    every = np.linalg.norm(cross(points - point, axis), axis=1)
    return float(every.min()), float(every.max())


def _distances_of_corners(corners: Floats, axis: Floats, point: Floats) -> Floats:
    """The same of rectangles by their corners in order."""
    seen = corners - point
    seen = seen - (seen @ axis)[..., None] * axis
    most = np.linalg.norm(seen, axis=2).max(axis=1)
    following = np.roll(seen, -1, axis=1)
    sides = following - seen
    lengths = np.einsum("ijk,ijk->ij", sides, sides)
    along = -np.einsum("ijk,ijk->ij", seen, sides) / np.where(lengths > 0, lengths, 1.0)
    nearest = seen + np.clip(along, 0.0, 1.0)[..., None] * sides
    least = np.linalg.norm(nearest, axis=2).min(axis=1)
    around = cross(seen, following) @ axis
    is_inside = np.all(around > 0, axis=1) | np.all(around < 0, axis=1)
    return np.column_stack([np.where(is_inside, 0.0, least), most])
