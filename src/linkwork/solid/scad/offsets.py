"""offset: plane shapes grown or shrunk, with corners that are round, stay sharp or are cut flat."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from linkwork.solid.region import Edge, Line, Loop, Region, difference, union
from linkwork.solid.scad.tree import Offset, Pair

SHARPEST: Final = 1e-6
"""Corners that turn back by all but this (as 1 + cosine) stay round: their point would be far away."""


def offset_region(node: Offset, region: Region) -> Region:
    """The region whose boundary is shifted outwards, or inwards by a distance below 0."""
    grown = region.grown(node.distance)
    if node.corners == "round" or node.distance == 0:
        return grown
    flat = node.corners == "flat"
    pieces = [Region.polygon(piece) for loop in region.loops for piece in _corners(loop, node.distance, flat)]
    return union([grown, *pieces]) if node.distance > 0 else difference(grown, pieces)


def _corners(loop: Loop, distance: float, flat: bool) -> Iterator[list[Pair]]:
    """What sharp or flat corners have that round ones do not: outside where a loop turns left, else inside."""
    for before, after in zip((loop.edges[-1], *loop.edges), loop.edges, strict=False):
        corner = complex(*after.start)
        arriving, leaving = _direction(before, at_end=True), _direction(after, at_end=False)
        turn = arriving.conjugate() * leaving
        if turn.imag * distance <= 0 or 1 + turn.real < SHARPEST:
            continue
        first, last = (corner - 1j * distance * way for way in (arriving, leaving))
        if flat:
            reach = abs(distance) * math.tan(abs(math.atan2(turn.imag, turn.real)) / 4)
            between = [first + reach * arriving, last - reach * leaving]
        else:
            between = [corner + (first + last - 2 * corner) / (1 + turn.real)]
        yield [(point.real, point.imag) for point in (corner, first, *between, last)]


def _direction(edge: Edge, *, at_end: bool) -> complex:
    """The unit tangent of an edge at one of its ends."""
    if isinstance(edge, Line):
        way = complex(*edge.end) - complex(*edge.start)
    else:
        way = complex(*(edge.end if at_end else edge.start)) - complex(*edge.centre)
        way *= 1j if edge.anticlockwise else -1j
    return way / abs(way)
