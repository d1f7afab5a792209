"""The axes in which a machine was drawn: those of most of its simple solids.

A file whose parts are all turned in space is the same machine: what is told by signs, the sense of an angle or of a
slide, must go with them. So directions are judged by these axes and not by those of the world.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from linkwork.solid import Block, Cone, Cylinder, Prism, Solid
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside

ALIKE = 1e-6
"""How far axes of solids may differ that are the same."""
MOST_KINDS = 64
"""How many kinds of axes are counted; teeth of gears have one each, but shafts and plates come first."""
WORLD: Floats = np.eye(3)
SIMPLE: Final = (Block, Cylinder, Cone, Prism)
"""Solids that have axes in which they were drawn."""


def have_axes(solids: Iterable[Solid]) -> bool:
    """Whether simple solids tell in which axes they were drawn."""
    return any(isinstance(piece.solid, SIMPLE) for solid in solids for piece in pieces(solid))


def drawn_axes(solids: Iterable[Solid], *, mirrored: bool = False) -> Floats:
    """The directions, as rows, of the axes in which most simple solids were drawn; of meshes and CAD parts the world's.

    They are right-handed, unless those of mirrored solids are to count too; where all solids are mirrored, they are the
    right-handed ones along these axes that are nearest to the world's. Cylinders and cones have to be turned to lie
    along x or y: they speak for all axes of which one is theirs.

    >>> from linkwork.solid import Block, Cylinder
    >>> drawn_axes([(Block((1, 2, 3)) | Cylinder(1, 9)).turned(np.pi / 2, (1, 0, 0))]).round(9) + 0.0
    array([[ 1.,  0.,  0.],
           [ 0.,  0.,  1.],
           [ 0., -1.,  0.]])
    """
    simple = [piece for solid in solids for piece in pieces(solid) if isinstance(piece.solid, SIMPLE)]
    told = [piece for piece in simple if mirrored or not piece.place.is_mirrored] or simple
    if not told:
        return WORLD
    scales = np.array([piece.place.scale for piece in told])
    every = np.array([piece.place.axes for piece in told]) / scales[:, None, None]
    volumes = np.ptp([piece.solid.box for piece in told], axis=1).prod(axis=1) * scales**3
    are_round = np.array([isinstance(piece.solid, (Cylinder, Cone)) for piece in told])
    most = max(_kinds(every), key=lambda axes: _votes(axes, every, volumes, are_round))
    if not mirrored:
        most = _right_handed(most)
    return WORLD if np.abs(most - WORLD).max() < ALIKE else most


def _right_handed(axes: Floats) -> Floats:
    """Axes; of left-handed ones the axis is turned around that points farthest from its own of the world."""
    if np.linalg.det(axes) > 0:
        return axes
    found = axes.copy()
    found[int(np.argmin(np.round(np.diag(axes), 9)))] *= -1
    return found


def _kinds(every: Floats) -> list[Floats]:
    """Axes that differ, in the order in which they come."""
    found: list[Floats] = []
    while len(every) and len(found) < MOST_KINDS:
        found.append(every[0])
        every = every[np.abs(every - every[0]).max(axis=(1, 2)) >= ALIKE]
    return found


def _votes(axes: Floats, every: Floats, volumes: Floats, are_round: Inside) -> tuple[int, int, float]:
    """How many solids speak for some axes, how many have just these, and how large those are."""
    alike = np.abs(every - axes).max(axis=(1, 2)) < ALIKE
    along = np.abs(np.abs(every[:, 2] @ axes.T).max(axis=1) - 1) < ALIKE**2
    return int((alike | (are_round & along)).sum()), int(alike.sum()), float(f"{volumes[alike].sum():.6g}")


def upwards(way: Floats, axes: Floats) -> Floats:
    """A direction, or its opposite: towards the positive side of the coordinate that is largest in some axes."""
    seen = axes @ way
    largest = int(np.argmax(np.abs(np.round(seen, 9))))
    return np.array(way if seen[largest] > 0 else -way) + 0.0
