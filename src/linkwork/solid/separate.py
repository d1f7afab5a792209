"""Into how many separate solids a part falls.

Two pieces of neighbouring sections belong to one solid if they overlap: solids that touch in a point or along a
line only are separate. For prismatic solids the sections are their layers, and the answer is certain; for others
the triangles of a mesh tell it: those that share corners hang together, and what encloses a volume is a solid. Where
faces lie on one another, it depends on the last digits whether the mesh is one: there material goes on behind a face.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Final, NamedTuple

import numpy as np

from linkwork.solid.layers import Layer, layers, prism_axis
from linkwork.solid.placement import Floats, cross
from linkwork.solid.region.pairs import linked
from linkwork.solid.values import Solid

BEHIND: Final = 1e-6
"""How far behind a face material is looked for, as a part of the size of the solid."""
THIN: Final = 1e-9
"""Of the size of the solid: a closed surface that is thinner is a film, two sheets with nothing between."""
AT_ONCE: Final = 1_000_000
"""How many pairs of a point and a triangle are looked at together."""
_WEIGHTS: Final = np.array(
    [(4, 1, 1), (1, 4, 1), (1, 1, 4), (2, 2, 2), (3, 3, 0.5), (3, 0.5, 3), (0.5, 3, 3)]
)
_SHARES: Final = _WEIGHTS / _WEIGHTS.sum(axis=1, keepdims=True)
"""Where in a triangle: its corners' parts in each point."""


class Separate(NamedTuple):
    """How many solids, and whether that is certain or what a mesh shows."""

    number: int
    certain: bool


def separate_solids(solid: Solid) -> Separate:
    """The number of connected solids in a solid.

    >>> from linkwork.solid import Block
    >>> separate_solids(Block((4, 1, 1)) - Block((1, 2, 2)).moved((1, -0.5, -0.5)))
    Separate(number=2, certain=True)
    """
    axis = prism_axis(solid)
    if axis is None:
        return Separate(_by_surface(solid), False)
    return Separate(_connected(list(layers(solid, axis))), True)


def _by_surface(solid: Solid) -> int:
    """The number of closed surfaces that face outwards; those of cavities face inwards."""
    from linkwork.solid.mesh import solid_mesh

    mesh = solid_mesh(solid)
    corners = mesh.triangles
    ends = [np.concatenate([corners[:, k] for k in each]) for each in ((0, 1), (1, 2))]
    piece = linked(len(mesh.points), *ends)[corners[:, 0]]
    a, b, c = np.moveaxis(mesh.corners - mesh.points.mean(axis=0), 1, 0)
    names, places = np.unique(piece, return_inverse=True)
    volumes = np.bincount(places, np.einsum("ij,ij->i", a, cross(b, c)), len(names)) / 6
    areas = np.bincount(places, np.linalg.norm(cross(b - a, c - a), axis=1), len(names)) / 2
    thick = volumes > THIN * math.dist(*solid.box) * areas
    outer = [mesh.corners[places == place] for place in np.flatnonzero(thick)]
    return len(outer) if len(outer) < 2 else _adjoining(solid, outer)


def _adjoining(solid: Solid, surfaces: list[Floats]) -> int:
    """Into how many pieces closed surfaces fall, of which some lie on one another with their faces."""
    size = math.dist(*solid.box)
    pairs = []
    for place, corners in enumerate(surfaces):
        normals = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1)
        wide = lengths > (BEHIND * size) ** 2
        normals = normals[wide] / lengths[wide, None]
        points = np.einsum("pk,tkc->ptc", _SHARES, corners[wide]) + BEHIND * size * normals
        within = points.reshape(-1, 3)
        within = within[solid.contains(within)]
        pairs += [
            (place, other)
            for other, around in enumerate(surfaces)
            if other != place and len(within) and _encloses(around, within)
        ]
    first, second = (np.array([pair[k] for pair in pairs], dtype=int) for k in (0, 1))
    return len(np.unique(linked(len(surfaces), first, second)))


def _encloses(surface: Floats, points: Floats) -> bool:
    """Whether one of some points is within a closed surface: its triangles are seen there all around.

    The solid angle of a triangle is twice the arc tangent of det(a, b, c) / (abc + a·b c + b·c a + c·a b).
    """
    low, high = surface.min(axis=(0, 1)), surface.max(axis=(0, 1))
    points = points[np.all((points > low) & (points < high), axis=1)]
    for some in np.array_split(points, 1 + len(points) * len(surface) // AT_ONCE):
        a, b, c = (surface[None, :, k] - some[:, None] for k in range(3))
        la, lb, lc = (np.linalg.norm(each, axis=2) for each in (a, b, c))
        ab, bc, ca = (np.einsum("ptk,ptk->pt", *both) for both in ((a, b), (b, c), (c, a)))
        volume = np.einsum("ptk,ptk->pt", a, cross(b, c))
        angles = 2 * np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb)
        if (angles.sum(axis=1) > 2 * math.pi).any():
            return True
    return False


def _connected(rows: list[Layer]) -> int:
    """How many groups the pieces of sections form, from bottom to top."""
    found = [Layer(low, high, piece) for low, high, region in rows for piece in region.components]
    starting: dict[float, list[int]] = defaultdict(list)
    for place, layer in enumerate(found):
        starting[layer.low].append(place)
    pairs = [
        (place, other)
        for place, layer in enumerate(found)
        for other in starting[layer.high]
        if layer.region & found[other].region
    ]
    first, second = (np.array([pair[k] for pair in pairs], dtype=int) for k in (0, 1))
    return len(np.unique(linked(len(found), first, second)))
