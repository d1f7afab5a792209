"""How deep two parts lie in one another: points of the skin of one that are inside the other, and the way out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.body import Body, are_between
from linkwork.recognition.flats import Flats
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.skin import Samples, octants, plane_samples, round_samples, samples_of
from linkwork.solid import Face, PlaneFace, RoundFace, Solid, SphereFace
from linkwork.solid.pieces import WHERE_DRAWN
from linkwork.solid.placement import Floats, Placement, triple
from linkwork.solid.values import EMPTY, Inside, Union


@dataclass(frozen=True, eq=False)
class Shell:
    """A part and the faces by which one leaves it."""

    body: Body
    faces: tuple[Face, ...]
    flats: Flats
    rounds: Rounds
    gears: Solid
    """The pitch bodies in it, which stand for teeth and may lie in others."""

    @classmethod
    def of(cls, body: Body, labelled: Sequence[tuple[Face, str]]) -> Shell:
        """The shell of a part by its skin."""
        faces = tuple(face for face, _ in labelled)
        flats = Flats.of([face for face in faces if isinstance(face, PlaneFace)])
        rounds = Rounds.of([face for face in faces if isinstance(face, RoundFace)])
        marked = tuple(piece.placed for piece in body.pieces if piece.gear)
        return cls(body, faces, flats, rounds, Union(marked) if marked else EMPTY)

    def samples(self, low: Floats, high: Floats) -> Samples:
        """Points of its faces in a box, with the normals there: as many on a small piece as on a whole face."""
        flats, rounds = self.flats.within(low, high), self.rounds.within(low, high)
        every = [samples_of(face) for face in self.faces if not isinstance(face, (PlaneFace, RoundFace))]
        if len(flats):
            every = [plane_samples(flats), _corners(flats), *every]
        if len(rounds):
            every.append(round_samples(rounds))
        if not every:
            return np.zeros((0, 3)), np.zeros((0, 3))
        points, normals = (np.concatenate(each) for each in zip(*every, strict=True))
        inside = are_between(points, low, high)
        return points[inside], normals[inside]


def _corners(flats: Flats) -> tuple[Floats, Floats]:
    """The corners of plane faces, a little inside them, and the normals: there parts reach into others first."""
    points = flats.on_grid(np.array([1e-6, 1 - 1e-6])).reshape(-1, 3)
    return points, np.repeat(flats.normals, 4, axis=0)


@dataclass(frozen=True)
class Overlap:
    """How deep two parts lie in one another, and where that is."""

    depth: float
    at: tuple[float, float, float]


def overlap(
    a: Shell, b: Shell, tolerance: float, moved: tuple[Placement, Placement] = (WHERE_DRAWN, WHERE_DRAWN)
) -> Overlap | None:
    """The deepest place of two parts in one another; None if they are at most as deep as the tolerance.

    ``moved`` tells how far each part has moved from where it was drawn.
    """
    found = [*_deep(a, b, *moved, tolerance), *_deep(b, a, *moved[::-1], tolerance)]
    return max(found, key=lambda each: each.depth, default=None)


def _deep(a: Shell, b: Shell, of_a: Placement, of_b: Placement, tolerance: float) -> list[Overlap]:
    """The deepest point of the skin of the first part in the second."""
    to_b = None if of_a == of_b else of_b.inverse.holding(of_a)
    points, normals = a.samples(*_box_of(b, to_b))
    seen = points if to_b is None else to_b.point(points)
    near = np.flatnonzero(are_between(seen, *b.body.box))
    inside = near[b.body.membership.contains(seen[near])]
    if not len(inside):
        return []
    inside = inside[a.body.is_surface(points[inside], normals[inside])]
    if len(inside) and not a.gears.is_empty:
        inside = inside[~_about(a.gears, points[inside])]
    if len(inside) and not b.gears.is_empty:
        inside = inside[~_about(b.gears, seen[inside])]
    inside = inside[_are_inside_by(b.body, seen[inside], tolerance)] if len(inside) else inside
    if not len(inside):
        return []
    depths = depth_in(b, seen[inside])
    place = int(np.argmax(depths))
    if depths[place] <= tolerance:
        return []
    return [Overlap(float(depths[place]), triple(of_b.point(seen[inside[place]])))]


def _box_of(shell: Shell, seen: Placement | None) -> tuple[Floats, Floats]:
    """The box around a part, in coordinates from which ``seen`` leads to its own."""
    low, high = shell.body.box
    if seen is None:
        return low, high
    corners = np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    placed = seen.inverse.point(corners)
    return placed.min(axis=0), placed.max(axis=0)


def _are_inside_by(body: Body, points: Floats, least: float) -> Inside:
    """Whether points lie in a part with all around them: those on an edge lie in it by a last digit only."""
    around = points[:, None] + least * octants()
    return np.asarray(body.membership.contains(around.reshape(-1, 3)).reshape(around.shape[:2]).all(axis=1))


def _about(gears: Solid, points: Floats) -> Inside:
    """Whether points are in pitch bodies or on them."""
    low, high = gears.box
    middle = (low + high) / 2
    return gears.contains(points) | gears.contains(points + 1e-6 * (middle - points))


def depth_in(shell: Shell, points: Floats) -> Floats:
    """How far points inside a part are from its surface, by the nearest points of its faces."""
    found = np.full(len(points), np.inf)
    for face in shell.faces:
        nearest, normals = _nearest(face, points)
        away = np.linalg.norm(points - nearest, axis=1)
        closer = away < found
        if closer.any():
            body = shell.body
            places = np.flatnonzero(closer)[body.is_surface(nearest[closer], normals[closer], 2 * body.skin)]
            found[places] = away[places]
    return np.where(np.isfinite(found), found, 0.0)


def _nearest(face: Face, points: Floats) -> tuple[Floats, Floats]:
    """The nearest points of the surface on which a face lies, and the normals there."""
    origin = np.array(face.point)
    if isinstance(face, PlaneFace):
        normal = np.array(face.normal)
        nearest = points - np.outer((points - origin) @ normal, normal)
        return nearest, np.tile(normal, (len(points), 1))
    if isinstance(face, SphereFace):
        ways = _units(points - origin)
        return origin + face.radius * ways, ways
    axis = np.array(face.axis)
    along = (points - origin) @ axis
    feet = origin + np.outer(along, axis)
    outward = _units(points - feet)
    if not isinstance(face, RoundFace):
        ring = origin + face.radius * outward
        ways = _units(points - ring)
        return ring + face.tube * ways, ways
    length = face.span[1] - face.span[0]
    slope = (face.far_radius - face.radius) / length if length else 0.0
    cosine = 1 / math.hypot(1.0, slope)
    normals = cosine * (outward - slope * axis)
    radii = face.radius + slope * (along - face.span[0])
    gap = (np.linalg.norm(points - feet, axis=1) - radii) * cosine
    return points - gap[:, None] * normals, normals


def _units(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(
        lengths > 1e-300, rows / np.where(lengths > 1e-300, lengths, 1.0), np.array([1.0, 0.0, 0.0])
    )


def overlaps(
    shells: Mapping[int, Shell], pairs: Sequence[tuple[int, int]], tolerance: float
) -> list[tuple[int, int, Overlap]]:
    """All pairs of parts that lie in one another, the deepest first."""
    found = [(a, b, overlap(shells[a], shells[b], tolerance)) for a, b in pairs]
    deep = [(a, b, each) for a, b, each in found if each is not None]
    return sorted(deep, key=lambda each: -each[2].depth)
