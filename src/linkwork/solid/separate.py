"""Into how many separate solids a part falls.

Two pieces of neighbouring sections belong to one solid if they overlap: solids that touch in a point or along a
line only are separate. For prismatic solids the sections are their layers, and the answer is certain; for others
the triangles of a mesh tell it: those that share corners hang together, and what encloses a volume is a solid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linkwork.solid.layers import Layer, is_prismatic, layers
from linkwork.solid.placement import Z_AXIS
from linkwork.solid.region.pairs import linked
from linkwork.solid.values import Solid


class Separate(NamedTuple):
    """How many solids, and whether that is certain or what a mesh shows."""

    number: int
    certain: bool


def separate_solids(solid: Solid, axis: Sequence[float] = Z_AXIS) -> Separate:
    """The number of connected solids in a solid, found along an axis.

    >>> from linkwork.solid import Block
    >>> separate_solids(Block((4, 1, 1)) - Block((1, 2, 2)).moved((1, -0.5, -0.5)))
    Separate(number=2, certain=True)
    """
    if is_prismatic(solid, axis):
        return Separate(_connected(list(layers(solid, axis))), True)
    return Separate(_by_surface(solid), False)


def _by_surface(solid: Solid) -> int:
    """The number of closed surfaces that face outwards; those of cavities face inwards."""
    from linkwork.solid.mesh import solid_mesh

    mesh = solid_mesh(solid)
    corners = mesh.triangles
    ends = [np.concatenate([corners[:, k] for k in each]) for each in ((0, 1), (1, 2))]
    piece = linked(len(mesh.points), *ends)[corners[:, 0]]
    a, b, c = np.moveaxis(mesh.corners - mesh.points.mean(axis=0), 1, 0)
    names, places = np.unique(piece, return_inverse=True)
    volumes = np.bincount(places, np.einsum("ij,ij->i", a, np.cross(b, c)), len(names))
    return int(np.sum(volumes > 0))


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
