"""CAD files of all kinds as parts with names."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from linkwork.errors import LinkworkError, UsageError
from linkwork.solid.part import FilePart
from linkwork.solid.unique import UniqueNames
from linkwork.solid.values import Solid
from linkwork.suffixes import SUFFIXES

if TYPE_CHECKING:
    from linkwork.solid.mesh import MeshPart


@dataclass(frozen=True)
class CadFile:
    """The parts of a file, and notes on what it leaves out or does not place."""

    parts: tuple[FilePart, ...]
    notes: tuple[str, ...] = ()


def read_cad(path: str | os.PathLike[str]) -> CadFile:
    """The parts of a CAD file, each with a name on one line that no other has."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(
            f"files {suffix or 'without a suffix'} hold no solids",
            got=os.fspath(path),
            wanted=", ".join(SUFFIXES),
        )
    found = _READERS[suffix](path)
    names = UniqueNames()
    return replace(
        found, parts=tuple(replace(each, name=names.of(_on_a_line(each.name))) for each in found.parts)
    )


def _scad(path: str | os.PathLike[str]) -> CadFile:
    from linkwork.solid.scad.parts import read_scad_parts

    return CadFile(read_scad_parts(Path(path)))


def _step(path: str | os.PathLike[str]) -> CadFile:
    from linkwork.solid.step import read_step

    assembly = read_step(path)
    return CadFile(tuple(FilePart(each.name, each.solid) for each in assembly.parts), assembly.notes)


def _mesh(path: str | os.PathLike[str]) -> CadFile:
    from linkwork.solid.mesh import read_mesh_parts

    return CadFile(tuple(FilePart(each.name, _enclosed(path, each)) for each in read_mesh_parts(path)))


def _enclosed(path: str | os.PathLike[str], part: MeshPart) -> Solid:
    """The solid of a mesh, flipped triangles turned; a fault tells the file and the part."""
    from linkwork.solid.mesh import polyhedron_of

    try:
        return polyhedron_of(part.mesh, mend=True)
    except LinkworkError as error:
        error.problem = f"{os.fspath(path)}: {part.name}: {error.problem}"
        raise


_READERS: Final = {
    ".scad": _scad,
    ".csg": _scad,
    ".step": _step,
    ".stp": _step,
    ".3mf": _mesh,
    ".stl": _mesh,
}


def _on_a_line(name: str) -> str:
    """A name without line ends and what no file can hold."""
    plain = "".join(each if each.isprintable() else " " for each in name)
    return " ".join(plain.encode(errors="replace").decode().split())
