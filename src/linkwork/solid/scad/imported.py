"""import: the mesh of another file as a polyhedron."""

from __future__ import annotations

from typing import Final

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.solid.scad.arguments import Given
from linkwork.solid.scad.solids import MOST_FACES
from linkwork.solid.scad.tree import Called, Facets, Node

MESHES: Final = (".stl", ".3mf")
"""Files that can be imported."""


def imported(given: Given, children: tuple[Node, ...]) -> Node:
    """import(file): an STL or a 3MF file beside the text that names it, or below."""
    name = given.text("file")
    if not name.lower().endswith(MESHES):
        given.fail(
            "file",
            f"'{name[:60]}' cannot be imported",
            wanted=" or ".join(MESHES),
            why="drawings and other formats are not read",
            fix="polygon(…) for an outline; save a solid as STL",
        )
    find = given.place.source.find
    if find is None:
        given.fail(
            "file",
            "this text does not come from a file",
            fix="read_scad_file(…), or read_scad(text, folder=…)",
        )
    path = find(name, given.where("file"))
    from linkwork.solid.mesh import read_mesh_parts
    from linkwork.solid.mesh.check import sound_mesh

    try:
        meshes = [sound_mesh(part.mesh, mend=True) for part in read_mesh_parts(path)]
    except LinkworkError as error:
        problem = error.problem.removeprefix(f"{path}: ")
        given.fail("file", f"'{name[:60]}': {problem}", wanted=error.wanted, why=error.got, fix=error.fix)
    count = sum(len(mesh.triangles) for mesh in meshes)
    if count > MOST_FACES:
        given.fail(
            "file",
            f"there are {count:,} triangles",
            wanted=f"at most {MOST_FACES:,}",
            fix="simplify the mesh in the program that made it",
        )
    given.work.spend(count)
    every = np.concatenate([mesh.points for mesh in meshes])
    middle = (every.min(axis=0) + every.max(axis=0)) / 2 if given.flag("center") else np.zeros(3)
    return Called(
        given.place,
        tuple(
            Facets(
                given.place,
                tuple((x, y, z) for x, y, z in (mesh.points - middle).tolist()),
                tuple((c, b, a) for a, b, c in mesh.triangles.tolist()),
            )
            for mesh in meshes
        ),
        path.stem,
    )
