"""Files of meshes as solids: STL and 3MF, checked to enclose something."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.solid.mesh.check import sound_mesh
from linkwork.solid.mesh.fault import MeshFileError, mesh_bytes
from linkwork.solid.mesh.mesh import Mesh, welded
from linkwork.solid.mesh.stl import checked, stl_corners
from linkwork.solid.mesh.threemf import MeshPart, read_3mf
from linkwork.solid.placement import triple
from linkwork.solid.polyhedron import Polyhedron

Source = str | bytes | os.PathLike[str]
Found = TypeVar("Found")


def read_stl(source: Source) -> Mesh:
    """The mesh of an STL file, given by its path or its bytes; corners at one place are one.

    STL has no unit: lengths stay as they are written.
    """
    return _told(source, lambda content: welded(stl_corners(content)))


def read_mesh_parts(source: Source) -> tuple[MeshPart, ...]:
    """The meshes of an STL or 3MF file with their names; those of 3MF in millimetres."""
    path = Path("mesh" if isinstance(source, bytes) else os.fspath(source))
    name, is_3mf = path.stem, path.suffix.lower() == ".3mf"

    def parts(content: bytes) -> tuple[MeshPart, ...]:
        if content[:2] == b"PK" or is_3mf:
            with np.errstate(over="ignore", invalid="ignore"):  # what leads out of all measure is told below
                found = read_3mf(content)
            return tuple(MeshPart(part.name, _enclosing(part)) for part in found)
        return (MeshPart(name, welded(stl_corners(content))),)

    return _told(source, parts)


def polyhedron_of(mesh: Mesh, *, mend: bool = False) -> Polyhedron:
    """The solid that a mesh encloses.

    A mesh that is open or has edges with more than two triangles is refused, with their numbers; so is one with
    triangles that face inwards, unless it is to be mended.
    """
    sound = sound_mesh(mesh, mend=mend)
    return Polyhedron(
        tuple(triple(point) for point in sound.points),
        tuple((int(a), int(b), int(c)) for a, b, c in sound.triangles),
    )


def _enclosing(part: MeshPart) -> Mesh:
    """The mesh of an object of a file, corners at one place as one; a fault tells the object."""
    try:
        return welded(checked(part.mesh.corners))
    except MeshFileError as error:
        error.problem = f"{part.name}: {error.problem}"
        raise


def _told(source: Source, read: Callable[[bytes], Found]) -> Found:
    """What a reader makes of a file; its faults tell the file's name."""
    if isinstance(source, bytes):
        return read(source)
    name = os.fspath(source)
    content = mesh_bytes(Path(name))
    try:
        return read(content)
    except LinkworkError as error:
        error.problem = f"{name}: {error.problem}"
        error.args = (error.problem,)
        error.file = name
        raise
