"""Shells as meshes: each face laid out flat, cut into triangles and refined; neighbours share the points of edges."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from linkwork.solid.mesh.mesh import Mesh, Numbers
from linkwork.solid.mesh.outline import outlines, step_angle
from linkwork.solid.mesh.planar import Triangle, refined, triangulated
from linkwork.solid.mesh.unroll import laid_out
from linkwork.solid.placement import Floats
from linkwork.solid.shell import Patch
from linkwork.solid.shell.chart import chart_of
from linkwork.solid.surface import TURN, RoundFace, SphereFace, TorusFace


def shell_mesh(patches: Sequence[Patch], deviation: float) -> Mesh:
    """Triangles that leave faces by at most a deviation, about; they face out of the material."""
    boxes = np.array([patch.box for patch in patches])
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0)))
    drawn = outlines(patches, size, deviation)
    points = drawn.points
    triangles: list[Triangle] = []
    for patch, loops in zip(patches, drawn.loops, strict=True):
        if patch.loops and not loops:
            continue
        points, found = _face(patch, points, loops, size, deviation)
        triangles += found
    return Mesh(points, np.array(triangles, dtype=np.int64).reshape(-1, 3))


def _face(
    patch: Patch, points: Floats, loops: Sequence[Numbers], size: float, deviation: float
) -> tuple[Floats, list[Triangle]]:
    """The triangles of a face, and all points, with those that it adds."""
    if not loops:
        own, triangles = _whole(patch, deviation)
        shift = len(points)
        return np.concatenate([points, own]), [(a + shift, b + shift, c + shift) for a, b, c in triangles]
    points, tip = _with_tip(patch, points, 1e-6 * size)
    layout = laid_out(patch, points, loops, tip)
    found = refined(layout, triangulated(layout.places, layout.loops), deviation, len(points))
    fresh = np.unique(found.corners, return_index=True)[1]
    fresh = fresh[found.corners[fresh] >= len(points)]
    points = np.concatenate([points, layout.picture.lift(found.places[fresh])]) if len(fresh) else points
    named = (
        (int(found.corners[a]), int(found.corners[b]), int(found.corners[c])) for a, b, c in found.triangles
    )
    return points, [
        each for each in named if len(set(each)) == 3
    ]  # between two pictures of a tip there is nothing


def _with_tip(patch: Patch, points: Floats, near: float) -> tuple[Floats, int]:
    """The points with the tip of a conical face, if it has one, and its number, else -1."""
    surface = patch.surface
    if not isinstance(surface, RoundFace) or (surface.radius and surface.far_radius):
        return points, -1
    height = surface.span[0] if surface.radius == 0 else surface.span[1]
    tip = np.array(surface.point) + height * np.array(surface.axis)
    gaps = np.linalg.norm(points - tip, axis=1)
    if len(gaps) and gaps.min() <= near:
        return points, int(np.argmin(gaps))
    return np.concatenate([points, [tip]]), len(points)


# -------------------------------------------------------------------------------- whole surfaces


def _whole(patch: Patch, deviation: float) -> tuple[Floats, list[Triangle]]:
    """A sphere or torus without edges: rows of points around its axis."""
    surface = patch.surface
    chart = chart_of(patch)
    if isinstance(surface, SphereFace):
        columns = _even(step_angle(surface.radius, deviation))
        heights = np.linspace(-math.pi / 2, math.pi / 2, columns // 2 + 1)
    else:
        assert isinstance(surface, TorusFace)
        columns = _even(step_angle(surface.radius + surface.tube, deviation))
        heights = np.linspace(0, TURN, _even(step_angle(surface.tube, deviation)) + 1)
    u, v = np.meshgrid(np.linspace(0, TURN, columns, endpoint=False), heights)
    points = chart.at(u.ravel(), v.ravel())[0]
    names = np.arange(len(points)).reshape(len(heights), columns)
    if isinstance(surface, SphereFace):
        names[0], names[-1] = names[0, 0], names[-1, 0]
    else:
        names[-1] = names[0]
    found: list[Triangle] = []
    for row in range(len(heights) - 1):
        for column in range(columns):
            after = (column + 1) % columns
            a, b, c, d = (
                int(names[i, j])
                for i, j in ((row, column), (row, after), (row + 1, after), (row + 1, column))
            )
            found += [each for each in ((a, b, c), (a, c, d)) if len(set(each)) == 3]
    return points, found if patch.outward else [each[::-1] for each in found]


def _even(step: float) -> int:
    return max(8, 4 * math.ceil(TURN / step / 4))
