"""How far faces reach: distances from an axis and from a point, heights along a direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.drawn_axes import WORLD
from linkwork.recognition.faces import Faces, Values
from linkwork.recognition.flats import Flats
from linkwork.recognition.rounds import Rounds
from linkwork.solid import Face, PlaneFace, SphereFace, TorusFace
from linkwork.solid.placement import Floats, Triple, cross, cross_length, triple
from linkwork.solid.surface import TURN
from linkwork.solid.values import Box, Inside

Places = NDArray[np.intp]

LINES = 65
"""At how many angles a round face aslant of an axis is looked at."""


@dataclass(frozen=True, eq=False)
class Surfaces:
    """The faces that bound the parts of a group, with the names of part and solid that they belong to."""

    skins: tuple[Faces, ...]
    """The faces of each part: they are counted one part after another."""
    names: tuple[tuple[str, str], ...]
    boxes: tuple[Box, ...]
    """The box of each part, in coordinates along ``axes``: none of its faces bounds anything beyond."""
    axes: Floats = field(default_factory=lambda: WORLD)
    _known: dict[tuple[float, ...], Floats] = field(default_factory=dict)
    """What was asked before: heights by their direction, distances by their axis and its point."""
    _known_slopes: dict[Triple, Floats] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Sequence[tuple[str, Box, Faces]], axes: Floats = WORLD) -> Surfaces:
        """Those of parts by their names, the boxes around them along some axes, and their skins."""
        names = tuple((name, label) for name, _, faces in parts for label in faces.labels)
        return cls(tuple(faces for *_, faces in parts), names, tuple(box for _, box, _ in parts), axes)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def faces(self) -> Values[Face]:
        """The faces as values."""
        return Values(len(self), self._face)

    def _face(self, place: int) -> Face:
        part = int(np.searchsorted(self._begins, place, "right")) - 1
        return self.skins[part].value(place - int(self._begins[part]))

    @cached_property
    def _begins(self) -> Places:
        """Which face is the first of each part."""
        counts = np.array([len(faces) for faces in self.skins], dtype=np.intp)
        return np.asarray(np.cumsum(counts) - counts)

    @cached_property
    def numbers(self) -> Places:
        """A number for the names of each face, the same for the same names."""
        known = {name: number for number, name in enumerate(dict.fromkeys(self.names))}
        return np.array([known[name] for name in self.names], dtype=np.intp)

    @cached_property
    def _flat(self) -> Places:
        return self._places([(0, len(faces.flats)) for faces in self.skins])

    @cached_property
    def round_places(self) -> Places:
        """Which faces are cylinders and cones."""
        return self._places(
            [(len(faces.flats), len(faces.flats) + len(faces.rounds)) for faces in self.skins]
        )

    def _places(self, among: Sequence[tuple[int, int]]) -> Places:
        """Places of faces, by those from where to where among the faces of each part."""
        every = [first + np.arange(*reach) for first, reach in zip(self._begins.tolist(), among, strict=True)]
        return np.concatenate([np.zeros(0, dtype=np.intp), *every])

    @cached_property
    def others(self) -> list[tuple[int, SphereFace | TorusFace]]:
        """Places and values of those of other kinds."""
        found = []
        for first, faces in zip(self._begins.tolist(), self.skins, strict=True):
            begin = first + len(faces) - len(faces.others)
            found += [(begin + place, face) for place, face in enumerate(faces.others)]
        return found

    @cached_property
    def flats(self) -> Flats:
        """The plane faces."""
        return Flats.joined([faces.flats for faces in self.skins])

    @cached_property
    def rounds(self) -> Rounds:
        """The cylinders and cones."""
        return Rounds.joined([faces.rounds for faces in self.skins])

    def heights(self, way: Floats) -> Floats:
        """Rows of least and largest coordinate of each face along a direction."""
        key = triple(way)
        if key not in self._known:
            self._known[key] = self._heights(way)
        return self._known[key]

    def _heights(self, way: Floats) -> Floats:
        found = np.zeros((len(self), 2))
        found[self._flat] = self.flats.heights(way)
        found[self.round_places] = self.rounds.heights(way)
        for place, face in self.others:
            found[place] = _extent(face, way)
        along = self._box_middles @ (self.axes @ way)
        reach = self._box_halves @ np.abs(self.axes @ way)
        return np.asarray(np.clip(found, (along - reach)[:, None], (along + reach)[:, None]))

    @cached_property
    def _box_middles(self) -> Floats:
        return self._of_parts([(low + high) / 2 for low, high in self.boxes])

    @cached_property
    def _box_halves(self) -> Floats:
        return self._of_parts([(high - low) / 2 for low, high in self.boxes])

    def _of_parts(self, rows: Sequence[Floats]) -> Floats:
        """For each face the row of its part."""
        counts = [len(faces) for faces in self.skins]
        return np.repeat(np.array(rows).reshape(-1, 3), counts, axis=0)

    def distances(self, axis: Floats, point: Floats) -> Floats:
        """Rows of least and largest distance of each face from an axis."""
        key = (*triple(axis), *triple(point))
        if key not in self._known:
            self._known[key] = self._distances(axis, point)
        return self._known[key]

    def _distances(self, axis: Floats, point: Floats) -> Floats:
        found = np.zeros((len(self), 2))
        if len(self._flat):
            found[self._flat] = _distances_of_corners(self.flats.corners, axis, point)
        found[self.round_places] = _round_distances(self.rounds, axis, point)
        for place, face in self.others:
            found[place] = _distances(face, axis, point)
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        corners = (self._box_middles[:, None] + signs * self._box_halves[:, None]) @ self.axes
        most = np.linalg.norm(cross(corners - point, axis), axis=2).max(axis=1)
        return np.asarray(np.minimum(found, most[:, None]))

    def lengths(self, centre: Floats) -> Floats:
        """Rows of least and largest distance of each face from a point, or a little less and more."""
        found = np.zeros((len(self), 2))
        if len(self._flat):
            found[self._flat] = _lengths_of_flats(self.flats, centre)
        found[self.round_places] = _lengths_of_rounds(self.rounds, centre)
        for place, face in self.others:
            found[place] = _lengths(face, centre)
        return found

    def are_about(self, centre: Floats, tolerance: float) -> Inside:
        """Which faces are spheres about a point: a turn about it takes them into themselves."""
        found = np.zeros(len(self), dtype=bool)
        for place, face in self.others:
            found[place] = isinstance(face, SphereFace) and math.dist(face.point, centre) <= tolerance
        return found

    def are_round(self, axis: Floats, point: Floats, tolerance: float) -> Inside:
        """Which faces a turn about an axis takes into themselves, wherever they bound their part."""
        found = np.zeros(len(self), dtype=bool)
        found[self._flat] = np.abs(self.flats.normals @ axis) > 1 - 1e-9
        away = np.linalg.norm(cross(self.rounds.points - point, axis), axis=1)
        is_along = np.abs(self.rounds.axes @ axis) > 1 - 1e-9
        found[self.round_places] = is_along & (away <= tolerance) & (self.rounds.angles[:, 1] > TURN - 1e-9)
        for place, face in self.others:
            may = isinstance(face, SphereFace) or abs(float(np.array(face.axis) @ axis)) > 1 - 1e-9
            found[place] = may and cross_length(np.array(face.point) - point, axis) <= tolerance
        return found

    def slopes(self, way: Floats) -> Floats:
        """How much each face looks along a direction: 1 if its normal does, 0 for a side along it, else between."""
        key = triple(way)
        if key not in self._known_slopes:
            self._known_slopes[key] = self._slopes(way)
        return self._known_slopes[key]

    def _slopes(self, way: Floats) -> Floats:
        found = np.full(len(self), 0.5)
        found[self._flat] = np.abs(self.flats.normals @ way)
        is_side = self.rounds.are_cylinders & (np.abs(self.rounds.axes @ way) > 1 - 1e-9)
        found[self.round_places] = np.where(is_side, 0.0, 0.5)
        return found


@dataclass(frozen=True, eq=False)
class Chosen:
    """Some of the faces of a set, by their places."""

    surfaces: Surfaces
    places: Places

    @classmethod
    def of(cls, surfaces: Surfaces, which: Inside) -> Chosen:
        """Those for which it is true."""
        return cls(surfaces, np.flatnonzero(which))

    def __len__(self) -> int:
        return len(self.places)

    def only(self, which: Inside) -> Chosen:
        """Some of them."""
        return Chosen(self.surfaces, self.places[which])

    def heights(self, way: Floats) -> Floats:
        """Rows of least and largest coordinate of each along a direction."""
        return np.asarray(self.surfaces.heights(way)[self.places])

    def distances(self, axis: Floats, point: Floats) -> Floats:
        """Rows of least and largest distance of each from an axis."""
        return np.asarray(self.surfaces.distances(axis, point)[self.places])

    def are_round(self, axis: Floats, point: Floats, tolerance: float) -> Inside:
        """Which a turn about an axis takes into themselves."""
        return np.asarray(self.surfaces.are_round(axis, point, tolerance)[self.places])

    def lengths(self, centre: Floats) -> Floats:
        """Rows of least and largest distance of each from a point."""
        return np.asarray(self.surfaces.lengths(centre)[self.places])

    def are_about(self, centre: Floats, tolerance: float) -> Inside:
        """Which are spheres about a point."""
        return np.asarray(self.surfaces.are_about(centre, tolerance)[self.places])

    def slopes(self, way: Floats) -> Floats:
        """How much each looks along a direction."""
        return np.asarray(self.surfaces.slopes(way)[self.places])


def corner_points(face: PlaneFace) -> Floats:
    """The corners of a plane face, in order around it."""
    return face.at(np.array([face.u[0], face.u[1], face.u[1], face.u[0]]), np.repeat(face.v, 2))


# ------------------------------------------------------------------------------------------ round faces


def _round_distances(rounds: Rounds, axis: Floats, point: Floats) -> Floats:
    """Least and largest distance of round faces from an axis."""
    found = np.zeros((len(rounds), 2))
    is_along = np.abs(rounds.axes @ axis) > 1 - 1e-9
    for places, distances in (
        (np.flatnonzero(is_along), _distances_along),
        (np.flatnonzero(~is_along), _distances_aslant),
    ):
        if len(places):
            found[places] = distances(rounds.only(places), axis, point)
    return found


def _distances_along(rounds: Rounds, axis: Floats, point: Floats) -> Floats:
    """The same of those along the axis: d² = D² + r² + 2 D r cos(θ - φ), with D the distance of their own axis."""
    away = rounds.points - point
    away = away - (away @ axis)[:, None] * axis
    apart = np.linalg.norm(away, axis=1)
    phase = np.arctan2(
        np.einsum("ij,ij->i", away, rounds.frames[:, 1]), np.einsum("ij,ij->i", away, rounds.frames[:, 0])
    )
    ends = np.cos(rounds.angles[:, :1] + np.outer(rounds.angles[:, 1], (0, 1)) - phase[:, None])
    most = np.where(rounds.have_angle(phase), 1.0, ends.max(axis=1))
    least = np.where(rounds.have_angle(phase + math.pi), -1.0, ends.min(axis=1))

    def distance(cosine: Floats, radius: Floats) -> Floats:
        return np.asarray(np.sqrt(np.maximum(0.0, apart**2 + radius**2 + 2 * apart * radius * cosine)))

    low, high = rounds.radii.min(axis=1), rounds.radii.max(axis=1)
    nearest = np.clip(-apart * least, low, high)  # the radius of a cone at which it is nearest
    return np.column_stack([distance(least, nearest), np.maximum(distance(most, low), distance(most, high))])


def _distances_aslant(rounds: Rounds, axis: Floats, point: Floats) -> Floats:
    """The same of others: the extremes of the lines that they consist of, looked for twice, then more closely."""
    turns = np.linspace(0.0, 1.0, LINES)
    found = []
    for place, sign in ((0, 1.0), (1, -1.0)):
        angles = rounds.angles[:, :1] + turns * rounds.angles[:, 1:]
        best = np.argmin(sign * _line_distances(rounds, angles, axis, point)[place], axis=1)
        step = rounds.angles[:, 1] / (LINES - 1)
        middle = rounds.angles[:, 0] + best * step
        low = np.maximum(middle - step, rounds.angles[:, 0])
        high = np.minimum(middle + step, rounds.angles.sum(axis=1))
        closer = low[:, None] + turns * (high - low)[:, None]
        extreme = np.min(sign * _line_distances(rounds, closer, axis, point)[place], axis=1)
        found.append(sign * (extreme - rounds.radii.max(axis=1) * (high - low) / (LINES - 1)))
    return np.column_stack([np.maximum(0.0, found[0]), found[1]])


def _line_distances(rounds: Rounds, angles: Floats, axis: Floats, point: Floats) -> tuple[Floats, Floats]:
    """The least and the largest distance from an axis of the lines at angles on round faces."""
    ends, _ = rounds.at(angles, np.broadcast_to((0.0, 1.0), (len(rounds), 2)))
    seen = ends - point
    seen = seen - (seen @ axis)[..., None] * axis
    first, way = seen[:, 0], seen[:, 1] - seen[:, 0]
    length = np.einsum("ijk,ijk->ij", way, way)
    share = -np.einsum("ijk,ijk->ij", first, way) / np.where(length > 0, length, 1.0)
    nearest = first + np.clip(share, 0.0, 1.0)[..., None] * way
    return np.linalg.norm(nearest, axis=2), np.linalg.norm(seen, axis=3).max(axis=1)


# ------------------------------------------------------------------------------------ spheres and toruses


def _extent(face: SphereFace | TorusFace, way: Floats) -> tuple[float, float]:
    middle = float(np.array(face.point) @ way)
    if isinstance(face, SphereFace):
        return middle - face.radius, middle + face.radius
    spread = math.sqrt(max(0.0, 1.0 - float(np.array(face.axis) @ way) ** 2))
    reach = face.radius * spread + face.tube
    return middle - reach, middle + reach


def _distances(face: SphereFace | TorusFace, axis: Floats, point: Floats) -> tuple[float, float]:
    away = cross_length(np.array(face.point) - point, axis)
    reach = face.radius + (0.0 if isinstance(face, SphereFace) else face.tube)
    return max(0.0, away - reach), away + reach


# -------------------------------------------------------------------------------- distances from a point


def _lengths_of_flats(flats: Flats, centre: Floats) -> Floats:
    """Least and largest distance of rectangles from a point: that of the nearest point of each, and of its corners."""
    away = centre - flats.points
    along = np.einsum("ijk,ik->ij", flats.frames[:, 1:], away)
    beyond = along - np.clip(along, flats.ranges[..., 0], flats.ranges[..., 1])
    across = np.einsum("ij,ij->i", flats.normals, away)
    least = np.sqrt(across**2 + (beyond**2).sum(axis=1))
    return np.column_stack([least, np.linalg.norm(flats.corners - centre, axis=2).max(axis=1)])


def _lengths_of_rounds(rounds: Rounds, centre: Floats) -> Floats:
    """The same of whole turns of cylinders; cones are taken from their least to their largest radius all along."""
    away = centre - rounds.points
    height = np.einsum("ij,ij->i", away, rounds.axes)
    aside = np.linalg.norm(away - height[:, None] * rounds.axes, axis=1)
    beyond = height - np.clip(height, rounds.spans[:, 0], rounds.spans[:, 1])
    narrow, wide = rounds.radii.min(axis=1), rounds.radii.max(axis=1)
    inside = np.maximum(0.0, np.maximum(narrow - aside, aside - wide))
    farthest = np.abs(rounds.spans - height[:, None]).max(axis=1)
    return np.column_stack([np.hypot(beyond, inside), np.hypot(farthest, aside + wide)])


def _lengths(face: SphereFace | TorusFace, centre: Floats) -> tuple[float, float]:
    away = centre - np.array(face.point)
    if isinstance(face, SphereFace):
        apart = math.hypot(*away)
        return abs(apart - face.radius), apart + face.radius
    height = float(away @ np.array(face.axis))
    aside = cross_length(away, np.array(face.axis))
    nearest, farthest = math.hypot(aside - face.radius, height), math.hypot(aside + face.radius, height)
    return max(0.0, nearest - face.tube), farthest + face.tube


# ------------------------------------------------------------------------------------------ plane faces


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
