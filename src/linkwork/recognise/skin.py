"""The skin of a part: the faces that bound it, no larger than they do, and points on faces."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from linkwork.recognise.body import Body
from linkwork.solid import Face, PlaneFace, RoundFace, SphereFace
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside

LOOKS = 8
"""At how many places along each of its sides a face is looked at."""
AROUND = 16
"""At how many angles a round one is looked at."""


def skin(body: Body) -> list[tuple[Face, str]]:
    """The faces of a part that truly bound it, cut to where they do, with the labels of their solids."""
    faces = list(dict.fromkeys(body.solid.faces()))
    samples = [samples_of(face) for face in faces]
    points = np.vstack([np.zeros((0, 3)), *(each[0] for each in samples)])
    normals = np.vstack([np.zeros((0, 3)), *(each[1] for each in samples)])
    before = body.solid.contains(points + body.skin * normals)
    behind = body.solid.contains(points - body.skin * normals)
    ends = np.cumsum([len(each[0]) for each in samples])
    return [
        (_cut(face, own), face.label or body.name)
        for face, own in zip(faces, np.split(before != behind, ends[:-1]), strict=True)
        if own.any()
    ]


def _cut(face: Face, is_skin: Inside) -> Face:
    """A face without what lies inside its part or outside of it, as far as can be seen from its samples."""
    if is_skin.all():
        return face
    if isinstance(face, PlaneFace):
        grid = is_skin.reshape(LOOKS, LOOKS)
        return replace(face, u=_kept(face.u, grid.T), v=_kept(face.v, grid))
    if isinstance(face, RoundFace) and face.is_cylinder:
        return replace(face, span=_kept(face.span, is_skin.reshape(LOOKS, AROUND)))
    return face


def _kept(ends: tuple[float, float], used: Inside) -> tuple[float, float]:
    """From the last row of samples of which none is used to the next one."""
    places = np.flatnonzero(np.any(used, axis=1))
    step = (ends[1] - ends[0]) / LOOKS
    low, high = max(0.0, places[0] - 0.5), min(float(LOOKS), places[-1] + 1.5)
    return ends[0] + low * step, ends[0] + high * step


def samples_of(face: Face) -> tuple[Floats, Floats]:
    """Points of a face and its normals there."""
    steps = (np.arange(LOOKS) + 0.5) / LOOKS
    if isinstance(face, PlaneFace):
        us, vs = np.meshgrid(
            face.u[0] + steps * (face.u[1] - face.u[0]), face.v[0] + steps * (face.v[1] - face.v[0])
        )
        points = face.at(us.ravel(), vs.ravel())
        return points, np.tile(face.normal, (len(points), 1))
    if isinstance(face, RoundFace):
        angles = face.angles[0] + (np.arange(AROUND) + 0.5) / AROUND * face.angles[1]
        return round_samples(face, angles, steps)
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
    incline = (face.far_radius - face.radius) / (face.span[1] - face.span[0])
    normals = (outward - incline * axis) / math.hypot(1.0, incline)
    return np.array(face.point) + radii[:, None] * outward + np.outer(heights, axis), normals


def _octants() -> Floats:
    every = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    ways = np.array(every, dtype=float)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))
