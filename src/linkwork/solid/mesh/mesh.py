"""Meshes: surfaces of triangles, which know their corners by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, Placement

Numbers = NDArray[np.int64]

GRAIN: Final = 1e-6
"""Corners nearer than this, in sizes of the mesh, are one: STL has numbers of single precision."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points as rows, and triangles by the numbers of their corners, to the left seen from outside."""

    points: Floats
    triangles: Numbers

    @property
    def corners(self) -> Floats:
        """The corners of the triangles: (triangles, 3, 3)."""
        return self.points[self.triangles]

    @property
    def volume(self) -> float:
        """What the triangles enclose; negative where they face inwards."""
        corners = self.corners - self.points.mean(axis=0)
        return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6

    @property
    def area(self) -> float:
        """Of all triangles."""
        return float(np.linalg.norm(doubled_areas(self.corners), axis=1).sum()) / 2

    @property
    def box(self) -> tuple[Floats, Floats]:
        """The corners of the box around it."""
        return self.points.min(axis=0), self.points.max(axis=0)

    def placed(self, place: Placement) -> Mesh:
        """The mesh of a solid that is placed."""
        triangles = self.triangles[:, ::-1] if place.is_mirrored else self.triangles
        return Mesh(place.point(self.points), triangles)


def doubled_areas(corners: Floats) -> Floats:
    """The normals of triangles, twice their areas long."""
    return np.asarray(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))


def welded(corners: Floats) -> Mesh:
    """A mesh from triangles that each have corners of their own: those at one place become one.

    Triangles that lose a corner in this way are left out.
    """
    flat, copies = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    numbers = same_places(flat, max(float(np.ptp(flat, axis=0).max()) * GRAIN, 1e-300))[copies.ravel()]
    kept = np.unique(numbers)
    renumbered = np.searchsorted(kept, numbers).reshape(-1, 3)
    a, b, c = renumbered.T
    return Mesh(flat[kept], renumbered[(a != b) & (b != c) & (c != a)])


def same_places(points: Floats, near: float) -> Numbers:
    """For each point the number of the first one at its place.

    Points fall into cells; other rows of cells, shifted by half of one, join what lies on both sides of a border.
    """
    owner = np.arange(len(points))
    points = points - points.min(axis=0)
    for shift in np.array([[x, y, z] for x in (0, 0.5) for y in (0, 0.5) for z in (0, 0.5)]):
        cells = np.floor(points / (4 * near) + shift).astype(np.int64)
        _, first, inverse = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        least = np.full(len(first), len(points))
        np.minimum.at(least, inverse.ravel(), owner)
        owner = owner[least[inverse.ravel()]]
    return owner


def together(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(each.points) for each in meshes)])[:-1]
    return Mesh(
        np.concatenate([np.zeros((0, 3)), *(each.points for each in meshes)]),
        np.concatenate(
            [
                np.zeros((0, 3), np.int64),
                *(each.triangles + start for each, start in zip(meshes, starts, strict=True)),
            ]
        ),
    )
