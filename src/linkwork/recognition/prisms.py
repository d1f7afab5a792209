"""Shells and meshes with many faces as prisms, where they are such: what asks of points is far faster with these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.solid import (
    Difference,
    Intersection,
    Named,
    Placed,
    PlaneFace,
    Polyhedron,
    Prism,
    Shell,
    Solid,
    Union,
    is_prismatic,
    layers,
)
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Floats, Triple, triple
from linkwork.solid.section import frame_across

MANY: Final = 40
"""With fewer faces than these a solid stays what it is."""
WAYS: Final = 4
"""Along how many of the directions that most of its plane faces look it is tried."""
ASLANT: Final = 1e-4
"""Faces that lean by no more than this against an axis, or what is across it, may be those of a prism."""
SOME: Final = 64
"""How many faces are looked at first,"""
AT_ONCE: Final = 1_000_000
"""and how many pairs of faces together."""
LAP: Final = 1e-9
"""Of the whole height: how far a layer reaches into the next, so that nothing is left between."""

_FACETED: Final = (Shell, Polyhedron)


def as_prisms(solid: Solid) -> Solid:
    """The same solid, with all shells and meshes in it that are prismatic along an axis as prisms, layer by layer.

    >>> from linkwork.solid import Block
    >>> as_prisms(Block((1, 1, 1)))
    Block(size=(1.0, 1.0, 1.0))
    """
    return _as_prisms(solid) if any(isinstance(each.solid, _FACETED) for each in pieces(solid)) else solid


def _as_prisms(solid: Solid) -> Solid:
    if isinstance(solid, (Placed, Named)):
        return replace(solid, solid=_as_prisms(solid.solid))
    if isinstance(solid, (Union, Intersection)):
        return replace(solid, solids=tuple(map(_as_prisms, solid.solids)))
    if isinstance(solid, Difference):
        return Difference(_as_prisms(solid.first), tuple(map(_as_prisms, solid.others)))
    if isinstance(solid, _FACETED):
        count = len(solid.triangles) if isinstance(solid, Polyhedron) else len(tuple(solid.faces()))
        for axis in frequent(prism_ways(_ways(solid))) if count > MANY else ():
            if is_prismatic(solid, axis):
                return _layered(solid, axis)
    return solid


def _ways(solid: Shell | Polyhedron) -> list[Triple]:
    """The directions across its plane faces; of a mesh, across its triangles, of which large faces have many."""
    if isinstance(solid, Polyhedron):
        sizes = np.linalg.norm(solid.normals, axis=1)
        return [triple(way) for way in solid.normals[sizes > 0] / sizes[sizes > 0, None]]
    return [face.normal for face in solid.faces() if isinstance(face, PlaneFace)]


def prism_ways(normals: Sequence[Triple]) -> list[Triple]:
    """Of the normals of plane faces those that all others are along or across: only along such can a prism be.

    The sides of a gear look in so many directions that its two ends are not the most frequent ones.

    >>> prism_ways([(0, 0, 1), (1, 0, 0), (0.6, 0.8, 0), (0, 0, -1)])
    [(0, 0, 1), (0, 0, -1)]
    """
    rows = np.array(normals, dtype=float).reshape(-1, 3)
    left = np.arange(len(rows))
    for end in (SOME, len(rows)):  # a few faces rule out most directions
        kept = [left[:0]]
        for block in np.array_split(left, -(-len(left) * end // AT_ONCE) or 1):
            along = np.abs(rows[block] @ rows[:end].T)
            kept.append(block[np.all((along < ASLANT) | (along > 1 - ASLANT), axis=1)])
        left = np.concatenate(kept)
    return [normals[place] for place in left.tolist()]


def frequent(directions: Sequence[Triple] | Floats) -> Iterator[Triple]:
    """Directions, the most frequent first; opposite ones are the same.

    >>> list(frequent([(0, 0, 1), (1, 0, 0), (0, 0, -1)]))
    [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0)]
    """
    rows = np.array(directions, dtype=float).reshape(-1, 3)
    largest = np.argmax(np.abs(np.round(rows, 9)), axis=1)
    rows = rows * np.sign(rows[np.arange(len(rows)), largest])[:, None]
    _, first, counts = np.unique(np.round(rows, 6), axis=0, return_index=True, return_counts=True)
    for place in np.argsort(-counts, kind="stable")[:WAYS]:
        yield triple(rows[first[place]])


def _layered(solid: Solid, axis: Triple) -> Solid:
    every = layers(solid, axis)
    lap = LAP * (every[-1].high - every[0].low)
    found = []
    for place, (low, high, region) in enumerate(every):
        meets_next = place + 1 < len(every) and every[place + 1].low <= high
        prism = Prism(region, high - low + (lap if meets_next else 0.0))
        found.append(prism.placed(frame_across(axis, low)))
    return found[0] if len(found) == 1 else Union(tuple(found))
