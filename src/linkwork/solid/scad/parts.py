"""Files in OpenSCAD's notation as machines: a part for each object at the top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from linkwork.solid import Solid, separate_solids
from linkwork.solid.layers import prism_axis
from linkwork.solid.part import FilePart
from linkwork.solid.scad.build import Builder, is_plane, joined, solid_of
from linkwork.solid.scad.evaluate import Tell
from linkwork.solid.scad.objects import is_group, name_of, objects_of, pieces_of, places_several
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
    if any(map(is_plane, objects)):
        solid_of(tree)  # which tells what is wrong, here and where nothing is left
    builder, names = Builder(tell), UniqueNames()
    parts: list[FilePart] = []
    for node in objects:
        pieces = (_apart(builder, node) if is_group(node) else []) or [(node, _solid(builder, node))]
        parts += [FilePart(names.of(name_of(each)), solid) for each, solid in pieces if solid is not None]
    if not parts:
        solid_of(tree)
    return tuple(parts)


def _solid(builder: Builder, node: Node) -> Solid | None:
    return run(builder.whole(node))


def _apart(builder: Builder, node: Node) -> list[tuple[Node, Solid | None]]:
    """The pieces of a group of a dump that lie apart, so that they cannot be one part; else none.

    Those that meet are one part, if it has a group, as modules give them: else a knob beside its bar is drawn badly.
    A piece that meets no other may be a group of several itself.
    """
    pieces = pieces_of(node)
    while len(pieces) == 1:
        pieces = pieces_of(pieces[0])
    solids = [(each, solid) for each in pieces if (solid := _solid(builder, each)) is not None]
    if not 1 < len(solids) <= MOST_APART:
        return []
    clusters = _clusters([solid for _, solid in solids])
    groups = [any(is_group(solids[place][0]) for place in places) for places in clusters]
    if len(clusters) == 1 or not (all(groups) or len(clusters) == len(solids)):
        return []
    found: list[tuple[Node, Solid | None]] = []
    for places in clusters:
        first, solid = solids[places[0]]
        if len(places) > 1:
            found.append((first, joined([solids[place][1] for place in places])))
            continue
        may = is_group(first) or places_several(first)
        found += (_apart(builder, first) if may else []) or [(first, solid)]
    return found


def _clusters(solids: Sequence[Solid]) -> list[list[int]]:
    """The places of solids, those together that meet: by their boxes, but for what is certainly apart."""
    together = _number(solids)
    if together == 1:
        return [[*range(len(solids))]]
    numbers = [_number([solid]) for solid in solids] if together else []
    if together and together == sum(number or 0 for number in numbers):
        return [[place] for place in range(len(solids))]
    cluster = [*range(len(solids))]
    for a, b in combinations(range(len(solids)), 2):
        if cluster[a] != cluster[b] and _meet(solids[a], solids[b]):
            old, new = cluster[b], cluster[a]
            cluster = [new if each == old else each for each in cluster]
    return [[place for place, own in enumerate(cluster) if own == each] for each in dict.fromkeys(cluster)]


def _number(solids: Sequence[Solid]) -> int:
    """Into how many pieces solids fall together, if that is certain; else 0."""
    whole = joined(solids)
    assert whole is not None
    if prism_axis(whole) is None:
        return 0
    return separate_solids(whole).number


def _meet(a: Solid, b: Solid) -> bool:
    """Whether two solids meet, or their boxes do where it is not certain."""
    if not _boxes_meet(a, b):
        return False
    numbers = [_number(each) for each in ([a], [b], [a, b])]
    return not all(numbers) or numbers[2] < numbers[0] + numbers[1]


def _boxes_meet(a: Solid, b: Solid) -> bool:
    """Whether the boxes around two solids meet."""
    (a_low, a_high), (b_low, b_high) = a.box, b.box
    return bool(np.all(np.less_equal(a_low, b_high)) and np.all(np.less_equal(b_low, a_high)))
