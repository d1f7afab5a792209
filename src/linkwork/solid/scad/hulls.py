"""Hulls of solids: exact for prisms along one axis, for round solids about one axis, for equal balls at the corners of
a box, and for solids with corners only; for others of flat facets.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from linkwork.solid import Block, Cylinder, Polyhedron, Solid, Sphere, Union
from linkwork.solid.pieces import pieces
from linkwork.solid.region import Region, hull
from linkwork.solid.scad.fault import Complaint, Place
from linkwork.solid.scad.frames import SAME, Note
from linkwork.solid.scad.leaves import NOT_EXACT, polyhedron, prism
from linkwork.solid.scad.revolve import revolved
from linkwork.solid.scad.simple import (
    NotSimple,
    Simple,
    Upright,
    corners,
    prism_axes,
    profile,
    round_axis,
    simple_solids,
    upright,
)
from linkwork.solid.scad.tree import ROUND, Matrix, Revolved

MESH: Final = 1e-4
"""How far from a solid its mesh may be, in sizes of it, where the hull is that of a mesh."""


def solid_hull(solids: Sequence[Solid], place: Place, note: Note) -> Solid:
    """The least convex solid around some solids."""
    try:
        simple = [each for solid in solids for each in simple_solids(solid, "hull")]
    except NotSimple:  # something is cut away from them: what is left is known by its mesh
        return hull_of_corners(np.concatenate([_mesh_points(solid, note) for solid in solids]))
    found = _of_prisms(simple, note) or _of_balls(simple) or _of_round(simple, place, note)
    return found or hull_of_corners(np.concatenate([corners(each, note) for each in simple]))


def _mesh_points(solid: Solid, note: Note) -> Matrix:
    """The corners of a mesh of a solid."""
    from linkwork.solid.mesh import solid_mesh

    if not all(isinstance(each.solid, Block | Polyhedron) for each in pieces(solid)):
        note(NOT_EXACT)
    return np.asarray(solid_mesh(solid, MESH * math.dist(*solid.box)).points, dtype=float)


def _of_prisms(solids: Sequence[Simple], note: Note) -> Solid | None:
    """Prisms along one axis, from one height to another."""
    axes = prism_axes(solids)
    prisms = same_span([upright(each, axes, note) for each in solids]) if axes is not None else None
    if axes is None or prisms is None:
        return None
    return standing(Upright(prisms[0].low, prisms[0].high, hull(each.region for each in prisms)), axes, note)


def same_span(found: Sequence[Upright | None]) -> list[Upright] | None:
    """Prisms that begin and end together; None where some do not, or are none."""
    prisms = [each for each in found if each is not None]
    if len(prisms) != len(found):
        return None
    low, high = prisms[0].low, prisms[0].high
    near = SAME * max(high - low, abs(low), abs(high))
    if any(abs(each.low - low) > near or abs(each.high - high) > near for each in prisms):
        return None
    return prisms


def standing(found: Upright, axes: Matrix, note: Note) -> Solid:
    """A prism along z of some axes as a solid."""
    matrix = np.eye(4)
    matrix[:3, :3] = axes
    matrix[:3, 3] = axes[:, 2] * found.low
    return prism(found.region, found.high - found.low, matrix, note)


def _of_round(solids: Sequence[Simple], place: Place, note: Note) -> Solid | None:
    """Solids that are round about one axis."""
    axis = round_axis(solids)
    profiles = [profile(each, *axis) for each in solids] if axis is not None else []
    found = [each for each in profiles if each is not None]
    if axis is None or len(found) != len(solids):
        return None
    return about(hull(found), *axis, place, note)


def about(region: Region, point: Matrix, direction: Matrix, place: Place, note: Note) -> Solid:
    """A region that is its own mirror image, turned about an axis."""
    (_, low), (right, high) = region.box
    half = region & Region.rectangle(2 * right, 2 * (high - low)).moved((0.0, (3 * low - high) / 2))
    aside = np.eye(3)[int(np.argmin(np.abs(direction)))]
    across = np.cross(direction, aside)
    across /= np.linalg.norm(across)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([np.cross(across, direction), across, direction], axis=1) + 0.0
    matrix[:3, 3] = point
    return revolved(Revolved(place, (), 360.0, 0.0, ROUND), half, matrix, note)


def _of_balls(solids: Sequence[Simple]) -> Solid | None:
    """Equal balls at all corners of a box along the axes, which may be flat or a line."""
    if not all(isinstance(each.solid, Sphere) for each in solids) or len(solids) < 2:
        return None
    radii = [each.solid.radius * each.place.scale for each in solids if isinstance(each.solid, Sphere)]
    centres = np.array([each.place.origin for each in solids])
    if max(radii) - min(radii) > SAME * max(radii):
        return None
    low, high = centres.min(axis=0), centres.max(axis=0)
    near = SAME * (float(np.abs(high - low).max()) + radii[0])
    at_low, at_high = np.abs(centres - low) <= near, np.abs(centres - high) <= near
    wide = high - low > near
    places = {tuple((row & wide).tolist()) for row in at_high}
    if not np.all(at_low | at_high) or len(places) != 2 ** int(wide.sum()):
        return None
    return rounded_box(low, high, radii[0])


def rounded_box(low: Matrix, high: Matrix, radius: float) -> Solid:
    """A box with balls rolled around it: three blocks, twelve cylinders, eight balls; fewer where it is flat."""
    wide = [k for k in range(3) if high[k] - low[k] > SAME * (float(np.abs(high - low).max()) + radius)]
    parts: list[Solid] = []
    for along in range(3):
        grown = radius * np.eye(3)[along]
        inner_is_flat = any(k not in wide for k in range(3) if k != along)
        if not inner_is_flat:
            size = high - low + 2 * grown
            parts.append(Block((float(size[0]), float(size[1]), float(size[2]))).moved(low - grown))
    sides = [[low[k], high[k]] if k in wide else [low[k]] for k in range(3)]
    for along in wide:
        rod = Cylinder(radius, float(high[along] - low[along]))
        tilted: Solid = rod
        if along == 0:
            tilted = rod.turned(np.pi / 2, (0.0, 1.0, 0.0))
        elif along == 1:
            tilted = rod.turned(-np.pi / 2, (1.0, 0.0, 0.0))
        ends = [[low[k]] if k == along else sides[k] for k in range(3)]
        parts += [tilted.moved(corner) for corner in itertools.product(*ends)]
    parts += [Sphere(radius).moved(corner) for corner in itertools.product(*sides)]
    return Union(tuple(parts))


def hull_of_corners(points: Matrix) -> Solid:
    """The polyhedron around points, its triangles in one plane joined."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(points)
    except (QhullError, ValueError):
        raise Complaint(
            "the hull of these solids is flat, or too thin to be found",
            fix="make them thicker: linear_extrude(1) hull() { … } of plane shapes",
        ) from None
    size = float(np.abs(points - points.mean(axis=0)).max())
    faces: dict[tuple[int, ...], tuple[Matrix, set[int]]] = {}
    for simplex, equation in zip(found.simplices, found.equations, strict=True):
        key = tuple(np.round(np.append(equation[:3], equation[3] / size) / (100 * SAME)).astype(int).tolist())
        faces.setdefault(key, (equation[:3], set()))[1].update(simplex.tolist())
    kept = np.unique(found.simplices)
    number = {int(old): new for new, old in enumerate(kept)}
    ordered = [
        tuple(number[corner] for corner in _around(points, sorted(members), normal))
        for normal, members in faces.values()
    ]
    return polyhedron(points[kept], ordered, np.eye(4))


def _around(points: Matrix, members: Sequence[int], normal: Matrix) -> list[int]:
    """Corners of a face in the order in which they lie around it, turning left seen from outside."""
    here = points[list(members)]
    middle = here.mean(axis=0)
    first = here[0] - middle
    first = first - (first @ normal) * normal
    second = np.cross(normal, first)
    angles = np.arctan2((here - middle) @ second, (here - middle) @ first)
    return [members[place] for place in np.argsort(angles)]
