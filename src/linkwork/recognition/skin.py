"""The skin of a part: the faces that bound it, no larger than they do, and points on faces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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


def skin(body: Body) -> list[tuple[Face, str]]:
    """The faces of a part that truly bound it, cut to where they do, with the labels of their solids."""
    faces = list(dict.fromkeys(body.solid.faces()))
    samples = [samples_of(face) for face in faces]
    ends = np.cumsum([len(points) for points, _ in samples])
    is_skin = np.split(_bounds(body, samples), ends[:-1])
    kept = [(face, own) for face, own in zip(faces, is_skin, strict=True) if own.any()]
    edges = [edge for face, own in kept for edge in _edges(face, own)]
    for _ in range(HALVINGS if edges else 0):
        found = np.split(_bounds(body, [edge.samples() for edge in edges]), _ends(edges))
        for edge, own in zip(edges, found, strict=True):
            edge.halve(bool(own.any()))
    cut = {id(face): face for face, _ in kept}
    for edge in edges:
        cut[id(edge.face)] = edge.cut(cut[id(edge.face)])
    return [(cut[id(face)], face.label or body.name) for face, _ in kept]


def _bounds(body: Body, samples: Sequence[tuple[Floats, Floats]]) -> Inside:
    """Whether points lie on the surface of a part, whichever side its material is on."""
    points = np.vstack([np.zeros((0, 3)), *(each for each, _ in samples)])
    normals = np.vstack([np.zeros((0, 3)), *(each for _, each in samples)])
    before = body.solid.contains(points + body.skin * normals)
    found: Inside = before != body.solid.contains(points - body.skin * normals)
    return found


@dataclass(eq=False)
class _Edge:
    """An end of a face along one of its coordinates, between where it bounds nothing and where it bounds its part."""

    face: PlaneFace | RoundFace
    coordinate: str
    place: int
    outside: float
    inside: float

    def samples(self) -> tuple[Floats, Floats]:
        """Points across the face half way between."""
        half = (self.outside + self.inside) / 2
        changed: dict[str, Any] = {self.coordinate: (half, half)}
        narrow = replace(self.face, **changed)
        if isinstance(narrow, PlaneFace):
            u, v = (_steps(getattr(narrow, name)) for name in "uv")
            points = narrow.at(u, v)
            return points, np.tile(narrow.normal, (len(points), 1))
        angles = narrow.angles[0] + (np.arange(AROUND) + 0.5) / AROUND * narrow.angles[1]
        return round_samples(narrow, angles, np.zeros(1))

    def halve(self, is_skin: bool) -> None:
        """Go on with the half that holds the edge."""
        half = (self.outside + self.inside) / 2
        self.outside, self.inside = (self.outside, half) if is_skin else (half, self.inside)

    def cut(self, face: Face) -> Face:
        """A face that ends here."""
        ends = list(getattr(face, self.coordinate))
        ends[self.place] = self.outside
        changed: dict[str, Any] = {self.coordinate: tuple(ends)}
        return replace(face, **changed)


def _ends(edges: Sequence[_Edge]) -> NDArray[np.intp]:
    counts = [LOOKS if isinstance(edge.face, PlaneFace) else AROUND for edge in edges]
    return np.cumsum(counts)[:-1]


def _edges(face: Face, is_skin: Inside) -> Iterator[_Edge]:
    """The ends of a face that its samples show to bound nothing."""
    if is_skin.all():
        return
    if isinstance(face, PlaneFace):
        grid = is_skin.reshape(LOOKS, LOOKS)
        yield from _edges_along(face, "u", grid.T)
        yield from _edges_along(face, "v", grid)
    elif isinstance(face, RoundFace) and face.is_cylinder:
        yield from _edges_along(face, "span", is_skin.reshape(LOOKS, AROUND))


def _edges_along(face: PlaneFace | RoundFace, coordinate: str, used: Inside) -> Iterator[_Edge]:
    steps = _steps(getattr(face, coordinate))
    places = np.flatnonzero(np.any(used, axis=1))
    first, last = int(places[0]), int(places[-1])
    if first > 0:
        yield _Edge(face, coordinate, 0, float(steps[first - 1]), float(steps[first]))
    if last < LOOKS - 1:
        yield _Edge(face, coordinate, 1, float(steps[last + 1]), float(steps[last]))


def _steps(ends: tuple[float, float]) -> Floats:
    """Places evenly spread between two ends."""
    found: Floats = ends[0] + (np.arange(LOOKS) + 0.5) / LOOKS * (ends[1] - ends[0])
    return found


def samples_of(face: Face) -> tuple[Floats, Floats]:
    """Points of a face and its normals there."""
    if isinstance(face, PlaneFace):
        us, vs = np.meshgrid(_steps(face.u), _steps(face.v))
        points = face.at(us.ravel(), vs.ravel())
        return points, np.tile(face.normal, (len(points), 1))
    if isinstance(face, RoundFace):
        angles = face.angles[0] + (np.arange(AROUND) + 0.5) / AROUND * face.angles[1]
        return round_samples(face, angles, _steps((0.0, 1.0)))
    ways = _octants()
    if isinstance(face, SphereFace):
        return np.array(face.point) + face.radius * ways, ways
    return np.array(face.point) + (face.radius + face.tube) * ways, ways


def round_samples(face: RoundFace, angles: Floats, steps: Floats) -> tuple[Floats, Floats]:
    """Points of a round face at angles, and at parts of its length; and its normals there."""
    zero, quarter, axis = face.frame()
    radial = np.outer(np.cos(angles), zero) + np.outer(np.sin(angles), quarter)
    heights = np.repeat(face.span[0] + steps * (face.span[1] - face.span[0]), len(angles))
    radii = np.repeat(face.radius + steps * (face.far_radius - face.radius), len(angles))
    outward = np.tile(radial, (len(steps), 1))
    length = face.span[1] - face.span[0]
    incline = (face.far_radius - face.radius) / length if length else 0.0
    normals = (outward - incline * axis) / math.hypot(1.0, incline)
    return np.array(face.point) + radii[:, None] * outward + np.outer(heights, axis), normals


def _octants() -> Floats:
    every = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    ways = np.array(every, dtype=float)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))
