"""Into how many separate pieces a solid falls, by the triangles of its surface."""

from __future__ import annotations

import numpy as np

from linkwork.solid.mesh.solid_mesh import solid_mesh
from linkwork.solid.region.pairs import linked
from linkwork.solid.values import Solid


def separate_pieces(solid: Solid) -> int:
    """The number of pieces that do not hang together; cavities inside one are none.

    >>> from linkwork.solid import Block, Sphere
    >>> separate_pieces(Block((4, 1, 1)) - Block((1, 2, 2)).moved((1, -0.5, -0.5)))
    2
    >>> separate_pieces(Sphere(2) - Sphere(1))
    1
    """
    mesh = solid_mesh(solid)
    corners = mesh.triangles
    ends = [np.concatenate([corners[:, k] for k in each]) for each in ((0, 1), (1, 2))]
    piece = linked(len(mesh.points), *ends)[corners[:, 0]]
    a, b, c = np.moveaxis(mesh.corners - mesh.points.mean(axis=0), 1, 0)
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c))
    names, places = np.unique(piece, return_inverse=True)
    return int(np.sum(np.bincount(places, volumes, len(names)) > 0))
