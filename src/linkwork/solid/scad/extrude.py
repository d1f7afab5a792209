"""linear_extrude: outlines drawn along z, growing and turning on the way."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.solid import Solid
from linkwork.solid.region import Loop, Region
from linkwork.solid.scad.degrees import cosine, sine
from linkwork.solid.scad.facets import FACET_DEGREES, Walls, cut
from linkwork.solid.scad.frames import SAME, Note
from linkwork.solid.scad.leaves import drum, lofted, prism, without
from linkwork.solid.scad.matrices import shift
from linkwork.solid.scad.tree import ROUND, Drum, Extruded, Matrix, Pair

TWISTED: Final = "a twist is made of slices of 5 degrees with flat facets, 0.1 % of its radius off at most"
SHARE_OF_A_SIDE: Final = 0.2
"""Of the size: sides of an outline that is twisted are cut into pieces of at most this length."""

_UNCHANGED: Final = (1.0, 1.0)


def extruded(node: Extruded, region: Region, matrix: Matrix, note: Note) -> Solid:
    """The solid under an outline."""
    whole = matrix @ shift((0.0, 0.0, -node.height / 2)) if node.centred else matrix
    if node.twist == 0 and node.scale == _UNCHANGED:
        return prism(region, node.height, whole, note)
    if all(_is_concentric(loop) for loop in region.loops) and node.scale[0] == node.scale[1]:
        return _cones(node, region, whole, note)
    fine = node.twist != 0 and node.slices == 0
    slices = math.ceil(abs(node.twist) / FACET_DEGREES) if fine else node.slices if node.twist else 1
    if fine:
        note(TWISTED)
    shares = [layer / slices for layer in range(slices + 1)]
    longest = SHARE_OF_A_SIDE * max(abs(each) for corner in region.box for each in corner)

    def layers(corners: list[Pair]) -> list[list[Pair]]:
        outline = cut(corners, longest) if fine else corners
        return [_layer(node, outline, share) for share in shares]

    return lofted(region, layers, [node.height * share for share in shares], whole, note, _walls(node, fine))


def _walls(node: Extruded, fine: bool) -> Walls:
    """How the walls of a layer are cut; with slices that are asked for, as OpenSCAD does."""
    if fine:
        return "fans"
    if node.twist == 0 and node.scale[0] == node.scale[1]:
        return "flat"
    return "rising" if node.twist >= 0 else "falling"


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


def _layer(node: Extruded, corners: list[Pair], share: float) -> list[Pair]:
    """The outline at a share of the height: it turns clockwise, and grows evenly."""
    angle = -node.twist * share
    c, s = cosine(angle), sine(angle)
    x, y = (1 + (factor - 1) * share for factor in node.scale)
    turn = np.array([[c, -s], [s, c]]) @ np.diag([x, y])
    images = np.array(corners) @ turn.T + 0.0
    return [(float(u), float(v)) for u, v in images]
