"""Prisms of any outline put together of simple ones: of convex polygons, discs, and of arcs with their chords."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.solid import Prism, Solid
from linkwork.solid.placement import Floats
from linkwork.solid.region import Arc, Edge, Line, Loop, Region
from linkwork.solid.region.region import union

FINEST: Final = 5
"""How often the arcs of an outline are halved until their chords cross nothing."""
SAME: Final = 1e-9
"""Of the area: outlines that differ by less are one."""


class NotBounded(LinkworkError):
    """A solid that is not put together of blocks, balls, cylinders, cones and prisms."""


def is_simple(region: Region) -> bool:
    """Whether a region is a disc, a convex polygon, or what is between an arc and its chord."""
    if len(region.loops) != 1:
        return False
    (loop,) = region.loops
    if loop.circle is not None or _is_segment(loop):
        return True
    corners = np.array([edge.start for edge in loop])
    return all(isinstance(edge, Line) for edge in loop) and len(_hull(corners)) == len(corners)


def _is_segment(loop: Loop) -> bool:
    arcs = [edge for edge in loop if isinstance(edge, Arc)]
    return len(loop.edges) == 2 and len(arcs) == 1 and 0 < arcs[0].sweep <= math.pi * (1 + 1e-12)


def of_simple(prism: Prism) -> Solid:
    """A prism as simple ones put together: each of its outlines by chords, with what arcs add and take."""
    whole = [Region.from_loops([loop]) for loop in prism.region.loops]
    outer = max(whole, key=lambda each: abs(each.area))
    solids = {id(each): _of_outline(each, prism.height) for each in whole}
    holes = [solids[id(each)] for each in whole if each is not outer]
    return _without(solids[id(outer)], holes)


def _of_outline(region: Region, height: float) -> Solid:
    """The prism of a region without holes."""
    if is_simple(region):
        return Prism(region, height)
    (loop,) = region.loops
    if all(isinstance(edge, Line) for edge in loop):
        return _of_polygon(region, height)
    for halvings in range(FINEST):
        polygon, added, taken = _by_chords(loop, 2**halvings)
        built = reduce(lambda first, each: first - each, taken, union([*polygon, *added]))
        if (built ^ region).area <= SAME * region.area:
            first = _together([_of_outline(each, height) for each in (*polygon, *added)])
            return _without(first, [Prism(each, height) for each in taken])
    raise NotBounded(
        "the outline of a prism is too crooked for contacts in space",
        got=f"{len(loop.edges)} edges, with arcs that are as near to others as a hundredth of their length",
    )


def _by_chords(loop: Loop, pieces: int) -> tuple[list[Region], list[Region], list[Region]]:
    """The polygon of an outline by chords, none or one; and what is between chords and arcs, added or taken."""
    corners: list[tuple[float, float]] = []
    added: list[Region] = []
    taken: list[Region] = []
    for edge in loop:
        parts = _cut(edge, pieces)
        corners += [part.start for part in parts]
        for part in parts:
            if isinstance(part, Arc):
                arc = part if part.anticlockwise else part.reversed
                chord = Line(arc.end, arc.start)
                (added if part.anticlockwise else taken).append(Region.from_outline([arc, chord]))
    polygon = [Region.polygon(corners)] if len(corners) > 2 else []
    return polygon, added, taken


def _cut(edge: Edge, pieces: int) -> Sequence[Edge]:
    """An arc in equal pieces, each at most half a turn; a line as it is."""
    if isinstance(edge, Line):
        return [edge]
    count = pieces * math.ceil(abs(edge.sweep) / math.pi * (1 - 1e-12))
    ends = [edge.start, *(edge.at(place / count) for place in range(1, count)), edge.end]
    return [Arc(*each, edge.centre, edge.anticlockwise, edge.radius) for each in pairwise(ends)]


def _of_polygon(region: Region, height: float) -> Solid:
    """The prism of a polygon as that of its hull, without what is between the hull and the outline."""
    corners = np.array([edge.start for edge in region.loops[0]])
    hull = _hull(corners)
    whole: Solid = Prism(Region.polygon([tuple(corners[k]) for k in hull]), height)
    on_hull = _with_those_between(corners, hull)
    pockets: list[Solid] = []
    for one, other in pairwise([*on_hull, on_hull[0] + len(corners)]):
        if other - one > 1:
            pocket = Region.polygon([tuple(corners[k % len(corners)]) for k in range(one, other + 1)])
            pockets.append(_of_outline(pocket, height))
    return _without(whole, pockets)


def _without(whole: Solid, others: Sequence[Solid]) -> Solid:
    return whole - _together(others) if others else whole


def _together(solids: Sequence[Solid]) -> Solid:
    """Solids that are next to each other in a row as one, put together of those of shorter and shorter rows.

    So what is far from a point is found to be so by boxes around many of them.
    """
    if len(solids) == 1:
        return solids[0]
    half = len(solids) // 2
    return _together(solids[:half]) | _together(solids[half:])


def _with_those_between(corners: Floats, hull: Sequence[int]) -> list[int]:
    """The places of the corners of a hull, and of those that lie on the lines between them."""
    near = SAME * float(np.ptp(corners, axis=0).max())
    found: list[int] = []
    for one, other in pairwise([*hull, hull[0] + len(corners)]):
        start, end = corners[one], corners[other % len(corners)]
        across = np.array([start[1] - end[1], end[0] - start[0]]) / math.dist(start, end)
        between = range(one + 1, other)
        on_line = (
            place for place in between if abs((corners[place % len(corners)] - start) @ across) <= near
        )
        found += [one, *on_line]
    return found


def _hull(corners: Floats) -> list[int]:
    """The places of the corners of a convex hull, in the order of the outline."""
    from scipy.spatial import ConvexHull

    if len(corners) < 4:
        return list(range(len(corners)))
    return sorted(int(place) for place in ConvexHull(corners).vertices)
