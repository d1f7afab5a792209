"""minkowski: all sums of the points of shapes, where that is exact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

import numpy as np

from linkwork.solid import Block, Polyhedron, Prism, Solid, Sphere
from linkwork.solid.region import Region, hull, union
from linkwork.solid.scad.fault import Complaint, Place
from linkwork.solid.scad.frames import SAME, Note, has_arcs
from linkwork.solid.scad.hulls import about, hull_of_corners, rounded_box, same_span, standing
from linkwork.solid.scad.simple import Simple, Upright, corners, prism_axes, profile, simple_solids, upright
from linkwork.solid.scad.tree import Matrix

MOST_SUMS: Final = 100_000
"""Of corners with corners."""


def region_sum(a: Region, b: Region) -> Region:
    """All sums of a point of each of two regions."""
    for one, other in ((a, b), (b, a)):
        circle = other.loops[0].circle if len(other.loops) == 1 else None
        if circle is not None:
            centre, radius = circle
            return one.grown(radius).moved(centre)
    for one, other in ((a, b), (b, a)):
        if _is_convex(other) and not has_arcs(one):
            return _swept(one, other)
    raise Complaint(
        "minkowski of these plane shapes is not supported",
        wanted="a circle and any shape, or a convex shape and a polygon",
        fix="$fn = 23 for arcs, which makes polygons of them, and minkowski() of one convex piece after the other",
    )


def _is_convex(region: Region) -> bool:
    return len(region.loops) == 1 and hull([region]).area <= region.area * (1 + SAME)


def _swept(polygon: Region, convex: Region) -> Region:
    """A polygon carried along by one point of a convex region, and that region carried along all edges."""
    start = convex.loops[0].edges[0].start
    edges = (edge for loop in polygon.loops for edge in loop)
    return union(
        [polygon.moved(start), *(hull([convex.moved(edge.start), convex.moved(edge.end)]) for edge in edges)]
    )


def solid_sum(solids: Sequence[Solid], place: Place, note: Note) -> Solid:
    """All sums of a point of each of some solids."""
    simple = [simple_solids(solid, "minkowski") for solid in solids]
    found = (
        _of_prisms(simple, note)
        or _of_block_and_ball(simple)
        or _of_round(simple, place, note)
        or _of_convex(simple, note)
    )
    if found is None:
        raise Complaint(
            "minkowski of these solids is not supported",
            wanted="prisms along one axis, a cube and a sphere, round solids about one direction, convex polyhedra",
            fix="offset() the outline and linear_extrude() it",
        )
    return found


def _of_prisms(solids: Sequence[Sequence[Simple]], note: Note) -> Solid | None:
    axes = prism_axes([each for several in solids for each in several])
    if axes is None:
        return None
    parts: list[Upright] = []
    for several in solids:
        prisms = same_span([upright(each, axes, note) for each in several])
        if prisms is None:
            return None
        region = union([each.region for each in prisms])
        parts.append(Upright(prisms[0].low, prisms[0].high, region))
    low, high = sum(part.low for part in parts), sum(part.high for part in parts)
    return standing(Upright(low, high, reduce(region_sum, [part.region for part in parts])), axes, note)


def _of_block_and_ball(solids: Sequence[Sequence[Simple]]) -> Solid | None:
    flat = [each for several in solids for each in several]
    if len(flat) != 2 or len(solids) != 2:
        return None
    blocks = [each for each in flat if isinstance(each.solid, Block)]
    balls = [each for each in flat if isinstance(each.solid, Sphere)]
    if len(blocks) != 1 or len(balls) != 1:
        return None
    block, ball = blocks[0], balls[0]
    assert isinstance(block.solid, Block)
    assert isinstance(ball.solid, Sphere)
    scale = block.place.scale
    box = rounded_box(np.zeros(3), np.array(block.solid.size), ball.solid.radius * ball.place.scale / scale)
    return box.placed(block.place).moved(ball.place.origin)


def _of_round(solids: Sequence[Sequence[Simple]], place: Place, note: Note) -> Solid | None:
    """Round solids whose axes have one direction."""
    flat = [each for several in solids for each in several]
    first = next((each for each in flat if not isinstance(each.solid, Sphere)), None)
    if len(flat) != len(solids) or first is None:
        return None
    direction: Matrix = first.axes[:, 2]
    profiles = [profile(each, each.origin, direction) for each in flat]
    found = [each for each in profiles if each is not None]
    if len(found) != len(flat):
        return None
    middle: Matrix = np.sum([each.origin for each in flat], axis=0)
    return about(reduce(region_sum, found), middle, direction, place, note)


def _of_convex(solids: Sequence[Sequence[Simple]], note: Note) -> Solid | None:
    """Convex solids with corners."""
    flat = [each for several in solids for each in several]
    if len(flat) != len(solids) or not all(_is_convex_polyhedron(each) for each in flat):
        return None
    points = corners(flat[0], note)
    for each in flat[1:]:
        others = corners(each, note)
        if len(points) * len(others) > MOST_SUMS:
            return None
        points = (points[:, None, :] + others[None, :, :]).reshape(-1, 3)
    return hull_of_corners(points)


def _is_convex_polyhedron(each: Simple) -> bool:
    from scipy.spatial import ConvexHull

    solid = each.solid
    if isinstance(solid, Prism):
        return not has_arcs(solid.region) and _is_convex(solid.region)
    if isinstance(solid, Polyhedron):
        return bool(ConvexHull(np.array(solid.points)).volume <= solid.volume * (1 + SAME))
    return isinstance(solid, Block)
