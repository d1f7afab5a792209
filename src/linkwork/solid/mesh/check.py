"""Whether a mesh encloses a solid: which of its edges and triangles are wrong, and how many."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from linkwork.solid.mesh.fault import MeshFileError
from linkwork.solid.mesh.mesh import Mesh, Numbers, doubled_areas
from linkwork.solid.values import Inside

FLAT: Final = 1e-12
"""Triangles whose area is below this, in squares of the mesh's size, have none."""
SHOWN: Final = 5
"""Numbers of triangles that a message lists."""


@dataclass(frozen=True, eq=False)
class MeshCheck:
    """What is wrong with a mesh; all are numbers of triangles, counted from 0 as in its file."""

    mesh: Mesh
    at_open_edges: Numbers
    """Triangles with an edge at which no other one begins."""
    at_crowded_edges: Numbers
    """Triangles with an edge at which more than two meet."""
    flipped: Numbers
    """Triangles that face the other way than their neighbours, the fewer of both sorts."""
    flat: Numbers
    """Triangles without area."""
    open_edges: int = 0
    crowded_edges: int = 0

    @cached_property
    def is_inside_out(self) -> bool:
        """Whether it is closed but its triangles face inwards."""
        return not self.open_edges and not self.crowded_edges and self.right.volume < 0

    @property
    def is_sound(self) -> bool:
        """Whether it encloses a solid as it is."""
        wrong = self.open_edges or self.crowded_edges or len(self.flipped) or not len(self.mesh.triangles)
        return not wrong and not self.is_inside_out

    @cached_property
    def right(self) -> Mesh:
        """The mesh with its flipped triangles turned."""
        triangles = self.mesh.triangles.copy()
        triangles[self.flipped] = triangles[self.flipped, ::-1]
        return Mesh(self.mesh.points, triangles)

    def faults(self) -> list[str]:
        """What is wrong, in words."""
        found = []
        if self.open_edges:
            found.append(
                f"{_edges(self.open_edges)} with a triangle on one side only ({_listed(self.at_open_edges)})"
            )
        if self.crowded_edges:
            where = _listed(self.at_crowded_edges)
            found.append(f"{_edges(self.crowded_edges)} with more than two triangles ({where})")
        if len(self.flipped):
            found.append(
                f"{len(self.flipped)} of {len(self.mesh.triangles)} face inwards ({_listed(self.flipped)})"
            )
        elif self.is_inside_out:
            found.append("all triangles face inwards")
        if len(self.flat):
            found.append(f"{len(self.flat)} without area ({_listed(self.flat)})")
        return found


def check_mesh(mesh: Mesh) -> MeshCheck:
    """Look at every edge of a mesh."""
    sides = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    owner = np.repeat(np.arange(len(mesh.triangles)), 3)
    low, high = sides.min(axis=1), sides.max(axis=1)
    keys = low * np.int64(len(mesh.points) + 1) + high
    _, edge, count = np.unique(keys, return_inverse=True, return_counts=True)
    edge = edge.ravel()
    alone, crowded = count[edge] == 1, count[edge] > 2
    areas = np.linalg.norm(doubled_areas(mesh.corners), axis=1)
    size = float(np.linalg.norm(np.ptp(mesh.points, axis=0))) if len(mesh.points) else 0.0
    return MeshCheck(
        mesh,
        np.unique(owner[alone]),
        np.unique(owner[crowded]),
        _flipped(len(mesh.triangles), owner, edge, sides[:, 0] < sides[:, 1], count[edge] == 2),
        np.flatnonzero(areas <= FLAT * size**2),
        int(np.sum(count == 1)),
        int(np.sum(count > 2)),
    )


def _flipped(count: int, owner: Numbers, edge: Numbers, along: Inside, paired: Inside) -> Numbers:
    """In each piece that hangs together, the triangles that disagree with most others.

    Two triangles at one edge agree if they pass it in opposite ways; a walk over neighbours tells for each triangle
    whether it agrees with the first one.
    """
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    order = np.argsort(edge[paired], kind="stable")
    triangles, ways = owner[paired][order].reshape(-1, 2), along[paired][order].reshape(-1, 2)
    if not len(triangles):
        return np.zeros(0, np.int64)
    disagree = ways[:, 0] == ways[:, 1]
    piece = connected_components(_graph(count, triangles), directed=False)[1]
    first = np.unique(piece, return_index=True)[1]
    roots = np.column_stack(
        [np.full(len(first), count), first]
    )  # one walk from a root that all pieces hang on
    pairs = np.concatenate([triangles, roots])
    turned = dict(zip(map(tuple, np.sort(triangles, axis=1).tolist()), disagree.tolist(), strict=True))
    visited, before = breadth_first_order(_graph(count + 1, pairs), count, directed=False)
    flips = np.zeros(count + 1, dtype=bool)
    for each in visited[1:].tolist():
        parent = int(before[each])
        flips[each] = flips[parent] ^ turned.get((min(each, parent), max(each, parent)), False)
    flips = flips[:count]
    most = 2 * np.bincount(piece, weights=flips) > np.bincount(piece)
    return np.flatnonzero(flips ^ most[piece])


def _graph(count: int, pairs: Numbers) -> Any:
    from scipy.sparse import coo_array

    return coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count)).tocsr()


def sound_mesh(mesh: Mesh, *, mend: bool = False) -> Mesh:
    """The mesh, if it encloses a solid; with ``mend`` its triangles are first turned to face outwards."""
    found = check_mesh(mesh)
    if found.is_sound:
        return mesh
    if mend and not found.open_edges and not found.crowded_edges:
        turned = found.right
        return Mesh(turned.points, turned.triangles[:, ::-1]) if turned.volume < 0 else turned
    can_mend = not found.open_edges and not found.crowded_edges
    raise MeshFileError(
        "this mesh does not enclose a solid",
        got="\n".join(found.faults()) or "no triangles",
        wanted="two triangles at each edge, all facing outwards",
        fix="read it with mend=True" if can_mend else "close or repair it in the program that made it",
    )


def _edges(count: int) -> str:
    return f"{count} edge" if count == 1 else f"{count} edges"


def _listed(numbers: Numbers) -> str:
    shown = ", ".join(str(each) for each in numbers[:SHOWN].tolist())
    return f"triangles {shown}{', …' if len(numbers) > SHOWN else ''}"
