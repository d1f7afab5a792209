"""Meshes from files for looking at: STL, 3MF, and glTF as .gltf or .glb. Nothing but the named file is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.solid.mesh.fault import MeshFileError, mesh_bytes
from linkwork.solid.mesh.mesh import together
from linkwork.solid.mesh.stl import checked, stl_corners
from linkwork.solid.mesh.threemf import read_3mf
from linkwork.view.gltf_read import gltf_triangles
from linkwork.view.solid import Solid

Array = NDArray[np.float64]

UPWARDS_Y: Final = (".gltf", ".glb")
"""Files that say which way is up: along y, as their standard has it. In space we have it along z."""
SMOOTH: Final = np.cos(np.radians(35))
"""Facets of an STL file that meet at less than this angle belong to one rounded surface."""


def read_mesh(folder: str, name: str, *, dimension: int = 3) -> Solid:
    """The mesh in a file, whose name is seen from a folder, as it stands in the plane or in space."""
    content = mesh_bytes(Path(folder or ".") / name, name)
    suffix = Path(name).suffix.lower()
    try:
        found = mesh_of(content, suffix)
    except LinkworkError as error:
        error.problem = f"{name}: {error.problem}"
        raise
    return upright(found) if suffix in UPWARDS_Y and dimension == 3 else found


def upright(mesh: Solid) -> Solid:
    """A mesh with y upwards, turned so that z is."""
    x, y, z = mesh.positions.T
    nx, ny, nz = mesh.normals.T
    return Solid(np.column_stack([x, -z, y]), np.column_stack([nx, -nz, ny]), mesh.triangles)


def mesh_of(content: bytes, suffix: str) -> Solid:
    """The mesh that the bytes of a file describe."""
    if suffix == ".stl":
        return smoothed(stl_corners(content))
    if suffix == ".3mf":
        return smoothed(checked(together([part.mesh for part in read_3mf(content)]).corners))
    positions, normals, triangles = gltf_triangles(content)
    corners = checked(positions[triangles])
    if normals is None or not np.all(np.isfinite(normals)):
        return smoothed(corners)
    return Solid(positions, normals, triangles)


def smoothed(corners: Array) -> Solid:
    """Facets with a normal at each corner: the mean of those around it that are nearly as its own."""
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(sides, axis=1)
    kept = lengths > 0
    if not kept.any():
        raise MeshFileError(
            "this mesh has no area", wanted="triangles with three different corners", fix="export it again"
        )
    corners, sides, lengths = corners[kept], sides[kept], lengths[kept]
    facing = sides / lengths[:, None]
    flat = corners.reshape(-1, 3)
    grain = max(float(np.ptp(flat, axis=0).max()) * 1e-6, 1e-300)
    _, shared = np.unique(np.round(flat / grain), axis=0, return_inverse=True)
    shared = shared.ravel()
    owner = np.repeat(np.arange(len(corners)), 3)
    normals = facing[owner].copy()
    order = np.argsort(shared, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(shared[order])) + 1):
        around, weights = facing[owner[group]], lengths[owner[group]]
        near = around @ around.T > SMOOTH
        total = (near * weights) @ around
        normals[group] = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300)
    return Solid(flat, normals, np.arange(len(flat)).reshape(-1, 3))
