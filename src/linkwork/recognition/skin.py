"""The skin of a part: the faces that bound it, no larger than they do, and points on faces."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body
from linkwork.solid import Face, PlaneFace, RoundFace, SphereFace
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside

LOOKS = 8
"""At how many places along each of its sides a face is looked at."""
AROUND = 16
"""At how many angles a round one is looked at."""
HALVINGS = 6
"""How often the place where a face ceases to bound its part is looked for more closely."""
SHARES = (np.arange(LOOKS) + 0.5) / LOOKS


def skin(body: Body) -> list[tuple[Face, str]]:
    """The faces of a part that truly bound it, cut to where they do, with the labels of their solids."""
    found = [*_plane_skin(body), *(face for face in body.others if _is_skin(body, face).any())]
    return [
        (_cut(body, face) if isinstance(face, RoundFace) else face, face.label or body.name) for face in found
    ]


def _bounds(body: Body, points: Floats, normals: Floats) -> Inside:
    """Whether points lie on the surface of a part, whichever side its material is on."""
    before = body.solid.contains(points + body.skin * normals)
    found: Inside = before != body.solid.contains(points - body.skin * normals)
    return found


def _is_skin(body: Body, face: Face) -> Inside:
    return _bounds(body, *samples_of(face))


# ------------------------------------------------------------------------------------------ plane faces


def _plane_skin(body: Body) -> list[PlaneFace]:
    """The plane faces that bound a part, all looked at together."""
    count = len(body.planes)
    if not count:
        return []
    ranges = body.plane_ranges
    u = ranges[:, 0, :1] + SHARES * np.diff(ranges[:, 0])
    v = ranges[:, 1, :1] + SHARES * np.diff(ranges[:, 1])
    u, v = np.broadcast_arrays(u[:, None, :], v[:, :, None])
    grid = _plane_bounds(body, np.arange(count), u.reshape(count, -1), v.reshape(count, -1))
    grid = grid.reshape(count, LOOKS, LOOKS)
    used = np.flatnonzero(grid.any(axis=(1, 2)))
    kept = ranges.copy()
    for coordinate in (0, 1):
        _cut_planes(body, used, np.any(grid, axis=1 + coordinate), coordinate, kept)
    return [
        replace(
            body.planes[place],
            u=(float(kept[place, 0, 0]), float(kept[place, 0, 1])),
            v=(float(kept[place, 1, 0]), float(kept[place, 1, 1])),
        )
        for place in used
    ]


def _plane_bounds(body: Body, places: NDArray[np.intp], u: Floats, v: Floats) -> Inside:
    """Whether points of plane faces, by rows of coordinates, lie on the surface of the part."""
    frames = body.plane_frames[places]
    points = frames[:, None, 0] + u[..., None] * frames[:, None, 1] + v[..., None] * frames[:, None, 2]
    normals = np.repeat(body.plane_normals[places], u.shape[1], axis=0)
    return _bounds(body, points.reshape(-1, 3), normals).reshape(u.shape)


def _cut_planes(body: Body, used: NDArray[np.intp], rows: Inside, coordinate: int, kept: Floats) -> None:
    """Cut plane faces, along one coordinate, to where they bound the part."""
    ranges = body.plane_ranges
    first = np.argmax(rows[used], axis=1)
    last = LOOKS - 1 - np.argmax(rows[used][:, ::-1], axis=1)
    for end, place, beyond in ((0, first, first - 1), (1, last, last + 1)):
        cut = (beyond >= 0) & (beyond < LOOKS)
        faces = used[cut]
        if not len(faces):
            continue
        low, size = ranges[faces, coordinate, 0], np.diff(ranges[faces, coordinate])[:, 0]
        outside, inside = (low + (each[cut] + 0.5) / LOOKS * size for each in (beyond, place))
        other = ranges[faces, 1 - coordinate, :1] + SHARES * np.diff(ranges[faces, 1 - coordinate])
        for _ in range(HALVINGS):
            half = (outside + inside) / 2
            across = np.broadcast_to(half[:, None], other.shape)
            u, v = (across, other) if coordinate == 0 else (other, across)
            is_skin = _plane_bounds(body, faces, u, v).any(axis=1)
            outside, inside = np.where(is_skin, outside, half), np.where(is_skin, half, inside)
        kept[faces, coordinate, end] = outside


# ------------------------------------------------------------------------------------------ round faces


def _cut(body: Body, face: RoundFace) -> RoundFace:
    """A cylinder cut, along its axis, to where it bounds the part."""
    rows = _is_skin(body, face).reshape(LOOKS, AROUND).any(axis=1)
    places = np.flatnonzero(rows)
    if not face.is_cylinder or rows.all():
        return face
    edges = [_Edge(face, place, place + way) for place, way in ((int(places[0]), -1), (int(places[-1]), 1))]
    low, high = (edge.found(body) for edge in edges)
    return replace(face, span=(low, high))


@dataclass(frozen=True, eq=False)
class _Edge:
    """An end of a cylinder: between a place along it at which it bounds its part and one beyond."""

    face: RoundFace
    place: int
    beyond: int

    def found(self, body: Body) -> float:
        """The height at which it ceases to bound the part, or a little beyond."""
        low, high = self.face.span
        if not 0 <= self.beyond < LOOKS:
            return low if self.beyond < 0 else high
        inside, outside = (low + SHARES[place] * (high - low) for place in (self.place, self.beyond))
        for _ in range(HALVINGS):
            half = (inside + outside) / 2
            changed: dict[str, Any] = {"span": (half, half)}
            is_skin = _bounds(
                body, *round_samples(replace(self.face, **changed), _angles(self.face), np.zeros(1))
            )
            inside, outside = (half, outside) if is_skin.any() else (inside, half)
        return float(outside)


# ----------------------------------------------------------------------------------------------- points


def samples_of(face: Face) -> tuple[Floats, Floats]:
    """Points of a face and its normals there."""
    if isinstance(face, PlaneFace):
        us, vs = np.meshgrid(*(low + SHARES * (high - low) for low, high in (face.u, face.v)))
        points = face.at(us.ravel(), vs.ravel())
        return points, np.tile(face.normal, (len(points), 1))
    if isinstance(face, RoundFace):
        return round_samples(face, _angles(face), SHARES)
    ways = _octants()
    if isinstance(face, SphereFace):
        return np.array(face.point) + face.radius * ways, ways
    return np.array(face.point) + (face.radius + face.tube) * ways, ways


def _angles(face: RoundFace) -> Floats:
    found: Floats = face.angles[0] + (np.arange(AROUND) + 0.5) / AROUND * face.angles[1]
    return found


def round_samples(face: RoundFace, angles: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """Points of a round face at angles, and at shares of its length; and its normals there."""
    zero, quarter, axis = face.frame()
    radial = np.outer(np.cos(angles), zero) + np.outer(np.sin(angles), quarter)
    heights = np.repeat(face.span[0] + shares * (face.span[1] - face.span[0]), len(angles))
    radii = np.repeat(face.radius + shares * (face.far_radius - face.radius), len(angles))
    outward = np.tile(radial, (len(shares), 1))
    length = face.span[1] - face.span[0]
    incline = (face.far_radius - face.radius) / length if length else 0.0
    normals = (outward - incline * axis) / math.hypot(1.0, incline)
    return np.array(face.point) + radii[:, None] * outward + np.outer(heights, axis), normals


def _octants() -> Floats:
    every = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    ways = np.array(every, dtype=float)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))
