"""linear_extrude: outlines drawn along z, growing and turning on the way."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.solid import Solid
from linkwork.solid.region import Loop, Region
from linkwork.solid.scad.degrees import cosine, sine
from linkwork.solid.scad.facets import FACET_DEGREES
from linkwork.solid.scad.frames import SAME, Note
from linkwork.solid.scad.leaves import drum, lofted, prism, without
from linkwork.solid.scad.matrices import shift
from linkwork.solid.scad.tree import ROUND, Drum, Extruded, Matrix, Pair

TWISTED: Final = "a twist is made of slices of 5 degrees with flat sides, 0.1 % of its radius off at most"
_UNCHANGED: Final = (1.0, 1.0)


def extruded(node: Extruded, region: Region, matrix: Matrix, note: Note) -> Solid:
    """The solid under an outline."""
    whole = matrix @ shift((0.0, 0.0, -node.height / 2)) if node.centred else matrix
    if node.twist == 0 and node.scale == _UNCHANGED:
        return prism(region, node.height, whole, note)
    if all(_is_concentric(loop) for loop in region.loops) and node.scale[0] == node.scale[1]:
        return _cones(node, region, whole, note)
    slices = _slices(node, note)
    shares = [layer / slices for layer in range(slices + 1)]
    heights = [node.height * share for share in shares]
    flat = node.twist == 0 and node.scale[0] == node.scale[1]
    return lofted(
        region,
        lambda corners: [_layer(node, corners, share) for share in shares],
        heights,
        whole,
        note,
        flat=flat,
    )


def _is_concentric(loop: Loop) -> bool:
    """Whether a loop is a circle about the origin, which no twist changes."""
    return loop.circle is not None and math.hypot(*loop.circle[0]) <= SAME * loop.circle[1]


def _cones(node: Extruded, region: Region, matrix: Matrix, note: Note) -> Solid:
    outer: list[Solid] = []
    holes: list[Solid] = []
    for loop in region.loops:
        assert loop.circle is not None
        radius = loop.circle[1]
        round_one = Drum(node.place, node.height, radius, radius * node.scale[0], False, ROUND)
        (outer if loop.area > 0 else holes).append(drum(round_one, matrix, note))
    return without(outer, holes)


def _slices(node: Extruded, note: Note) -> int:
    """How many layers: as many as are asked for, or so that none turns by more than a facet."""
    if node.twist == 0:
        return 1
    if node.slices:
        return node.slices
    note(TWISTED)
    return max(1, math.ceil(abs(node.twist) / FACET_DEGREES))


def _layer(node: Extruded, corners: list[Pair], share: float) -> list[Pair]:
    """The outline at a share of the height: it turns clockwise, and grows evenly."""
    angle = -node.twist * share
    c, s = cosine(angle), sine(angle)
    x, y = (1 + (factor - 1) * share for factor in node.scale)
    turn = np.array([[c, -s], [s, c]]) @ np.diag([x, y])
    images = np.array(corners) @ turn.T + 0.0
    return [(float(u), float(v)) for u, v in images]
