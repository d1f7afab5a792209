"""Files in OpenSCAD's notation as machines: a part for each object at the top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from linkwork.solid import Solid, is_prismatic, separate_solids
from linkwork.solid.part import FilePart
from linkwork.solid.scad.build import Builder, is_plane, joined, solid_of
from linkwork.solid.scad.evaluate import Tell
from linkwork.solid.scad.objects import is_group, name_of, objects_of, pieces_of
from linkwork.solid.scad.read import read_tree_file
from linkwork.solid.scad.tasks import run
from linkwork.solid.scad.tree import Node
from linkwork.solid.unique import UniqueNames

MOST_APART: Final = 300
"""Parts that a loop of a machine may make; each is compared with all others."""


def read_scad_parts(
    path: str | Path, *, variables: Mapping[str, object] | None = None, tell: Tell | None = None
) -> tuple[FilePart, ...]:
    """The parts of a file ``.scad`` or ``.csg``: its objects by their labels, or by the modules that give them."""
    tree = read_tree_file(path, variables=variables, tell=tell)
    objects = objects_of(tree)
    if not objects or any(map(is_plane, objects)):
        solid_of(tree)  # which tells what is wrong
    builder, names = Builder(tell), UniqueNames()
    parts: list[FilePart] = []
    for node in objects:
        pieces = _apart(builder, node) or [(node, _solid(builder, node))]
        parts += [FilePart(names.of(name_of(each)), solid) for each, solid in pieces if solid is not None]
    return tuple(parts)


def _solid(builder: Builder, node: Node) -> Solid | None:
    return run(builder.whole(node))


def _apart(builder: Builder, node: Node) -> list[tuple[Node, Solid | None]]:
    """The pieces of a group of a dump that lie apart, so that they cannot be one part; else none."""
    if not is_group(node):
        return []
    pieces = pieces_of(node)
    while len(pieces) == 1:
        pieces = pieces_of(pieces[0])
    found = [(each, _solid(builder, each)) for each in pieces]
    solids = [solid for _, solid in found if solid is not None]
    return found if 1 < len(solids) <= MOST_APART and _are_apart(solids) else []


def _are_apart(solids: Sequence[Solid]) -> bool:
    """Whether solids do not meet: box from box, or, where it is certain, as they are."""
    if not any(_meet(a, b) for a, b in combinations(solids, 2)):
        return True
    whole = joined(solids)
    assert whole is not None
    return is_prismatic(whole) and separate_solids(whole).number == len(solids)


def _meet(a: Solid, b: Solid) -> bool:
    """Whether the boxes around two solids meet."""
    (a_low, a_high), (b_low, b_high) = a.box, b.box
    return bool(np.all(np.less_equal(a_low, b_high)) and np.all(np.less_equal(b_low, a_high)))
