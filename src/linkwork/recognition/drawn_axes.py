"""The axes in which a machine was drawn: those of most of its simple solids.

A file whose parts are all turned in space is the same machine: what is told by signs, the sense of an angle or of a
slide, must go with them. So directions are judged by these axes and not by those of the world.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from linkwork.solid import Block, Cone, Cylinder, Prism, Solid
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Floats

ALIKE = 1e-6
"""How far axes of solids may differ that are the same."""
MOST_KINDS = 64
"""How many kinds of axes are counted; teeth of gears have one each, but shafts and plates come first."""
WORLD: Floats = np.eye(3)


def drawn_axes(solids: Iterable[Solid]) -> Floats:
    """The directions, as rows, of the axes in which most simple solids were drawn; of meshes and CAD parts the world's.

    >>> from linkwork.solid import Block, Cylinder
    >>> drawn_axes([(Block((1, 2, 3)) | Cylinder(1, 9)).turned(np.pi / 2, (1, 0, 0))]).round(9) + 0.0
    array([[ 1.,  0.,  0.],
           [ 0.,  0.,  1.],
           [ 0., -1.,  0.]])
    """
    rows, sizes = [], []
    for piece in (piece for solid in solids for piece in pieces(solid)):
        matrix = np.array(piece.place.axes)
        if isinstance(piece.solid, (Block, Cylinder, Cone, Prism)) and np.linalg.det(matrix) > 0:
            rows.append(matrix / piece.place.scale)
            sizes.append(float(np.prod(np.ptp(piece.solid.box, axis=0))) * piece.place.scale**3)
    left, volumes = np.array(rows).reshape(-1, 9), np.array(sizes)
    kinds: list[tuple[int, float, Floats]] = []
    while len(left) and len(kinds) < MOST_KINDS:
        alike = np.abs(left - left[0]).max(axis=1) < ALIKE
        kinds.append((int(alike.sum()), float(f"{volumes[alike].sum():.6g}"), left[0].reshape(3, 3)))
        left, volumes = left[~alike], volumes[~alike]
    if not kinds:
        return WORLD
    most = max(kinds, key=lambda each: each[:2])[2]
    return WORLD if np.abs(most - WORLD).max() < ALIKE else most
