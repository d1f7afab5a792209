"""Meshes from files: STL, as text or binary, and glTF, as .gltf or .glb. Nothing but the named file is opened."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError, MachineFileError
from linkwork.view.gltf_read import gltf_triangles
from linkwork.view.solid import Solid

Array = NDArray[np.float64]

LARGEST_FILE: Final = 64 * 2**20
"""Bytes."""
MOST_TRIANGLES: Final = 1_000_000
SMOOTH: Final = np.cos(np.radians(35))
"""Facets of an STL file that meet at less than this angle belong to one rounded surface."""
_HEADER, _FACET = 84, 50


class MeshFileError(MachineFileError):
    """A file that is no mesh, or a broken one."""


def read_mesh(folder: str, name: str) -> Solid:
    """The mesh in a file, whose name is seen from a folder."""
    path = Path(folder or ".") / name
    try:
        size = os.path.getsize(path)
        if size > LARGEST_FILE:
            raise MeshFileError(
                f"{name} is too large for a mesh",
                got=f"{size} bytes",
                wanted=f"at most {LARGEST_FILE}",
                fix="simplify it",
            )
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise MeshFileError(
            f"the mesh {name} cannot be read",
            why=reason,
            wanted="a file beside the machine's",
            fix="check its name",
        ) from None
    try:
        return mesh_of(content, Path(name).suffix.lower())
    except LinkworkError as error:
        error.problem = f"{name}: {error.problem}"
        raise


def mesh_of(content: bytes, suffix: str) -> Solid:
    """The mesh that the bytes of a file describe."""
    if suffix == ".stl":
        corners = _stl_corners(content)
        return _smoothed(_checked(corners))
    positions, normals, triangles = gltf_triangles(content)
    corners = _checked(positions[triangles])
    if normals is None or not np.all(np.isfinite(normals)):
        return _smoothed(corners)
    return Solid(positions, normals, triangles)


def _checked(corners: Array) -> Array:
    if not len(corners) or len(corners) > MOST_TRIANGLES:
        raise MeshFileError(
            "this file has no triangles" if not len(corners) else "this mesh has too many triangles",
            got=f"{len(corners)}",
            wanted=f"1 to {MOST_TRIANGLES}",
            fix="export it again as STL or GLB",
        )
    if not np.all(np.isfinite(corners)):
        raise MeshFileError(
            "a corner of the mesh is no number", wanted="finite coordinates", fix="export it again"
        )
    return corners


def _stl_corners(content: bytes) -> Array:
    """The corners of the facets: (facets, 3, 3). A binary file says in its header how long it is."""
    if len(content) >= _HEADER:
        count = int.from_bytes(content[80:84], "little")
        if len(content) == _HEADER + _FACET * count:
            facets = np.frombuffer(content, np.uint8, count * _FACET, _HEADER).reshape(count, _FACET)
            return np.ascontiguousarray(facets[:, 12:48]).view("<f4").reshape(count, 3, 3).astype(float)
    words = content.split()
    if not words or words[0].lower() != b"solid":
        raise MeshFileError(
            "this is no STL file",
            got=repr(content[:20]),
            wanted="text that begins with solid, or binary STL",
            fix="export it again",
        )
    found: list[bytes] = []
    for place, word in enumerate(words):
        if word.lower() == b"vertex":
            found += words[place + 1 : place + 4]
    try:
        return np.array([float(each) for each in found]).reshape(-1, 3, 3)
    except ValueError:
        raise MeshFileError(
            "this STL file is broken",
            wanted="three numbers behind each vertex, three vertices a facet",
            fix="export it again",
        ) from None


def _smoothed(corners: Array) -> Solid:
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
