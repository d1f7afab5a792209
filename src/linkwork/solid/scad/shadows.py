"""The shadow of a solid along z, as a region: of upright ones exactly, of others by the triangles of a mesh."""

from __future__ import annotations

from typing import Final

import numpy as np

from linkwork.solid.layers import is_prismatic, layers
from linkwork.solid.mesh.solid_mesh import solid_mesh
from linkwork.solid.pieces import pieces
from linkwork.solid.region import Region, union
from linkwork.solid.scad.frames import Note
from linkwork.solid.surface import PlaneFace
from linkwork.solid.values import Solid, Sphere, Union

DEVIATION: Final = 1e-3
"""Of the size: how far triangles may be from a round face, and the shadow from its own."""
SLIVER: Final = 1e-9
"""Of the largest: triangles that are seen as less stand upright."""


def shadow(solid: Solid, note: Note) -> Region:
    """All of the plane that is below or above a solid; what is not exact is noted.

    >>> from linkwork.solid import Block
    >>> shadow(Block((4, 3, 2)).moved((0, 0, 5)) | Block((1, 9, 1)), print)
    <Region: 1 outline, 6 edges, area 18>
    """
    if is_prismatic(solid):
        return union(layer.region for layer in layers(solid))
    if isinstance(solid, Union):
        return union(shadow(each, note) for each in solid.solids)
    (first, *others) = pieces(solid)
    if isinstance(first.solid, Sphere) and not others:
        return Region.circle(first.solid.radius * first.place.scale, first.place.origin[:2])
    return _of_mesh(solid, note)


def _of_mesh(solid: Solid, note: Note) -> Region:
    """The union of all triangles that look up."""
    low, high = solid.box
    corners = solid_mesh(solid, DEVIATION * float(np.linalg.norm(high - low))).corners[:, :, :2]
    across, up = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    looks = across[:, 0] * up[:, 1] - across[:, 1] * up[:, 0]
    if not all(isinstance(face, PlaneFace) for face in solid.faces()):
        note(f"this shadow is that of a mesh, {100 * DEVIATION:g} % of its size off at most")
    upwards = corners[looks > SLIVER * float(np.abs(looks).max(initial=0.0))]
    return union(Region.polygon(row.tolist()) for row in upwards)
