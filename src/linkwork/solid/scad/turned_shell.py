"""Outlines turned about the z axis as shells: each edge becomes a plane, a cylinder, a cone, a sphere or a torus.

An outline runs with the material on its left, so that the outside is on its right. The circle in which the face of an
edge begins turns to the left about the axis, the one in which it ends to the right: both have the face on their left,
seen from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkwork.solid.placement import ORIGIN, X_AXIS, Z_AXIS, Triple
from linkwork.solid.region import Arc, Edge, Loop
from linkwork.solid.shell import Arc as Circle
from linkwork.solid.shell import Loop as CircleLoop
from linkwork.solid.shell import Patch, Shell, plane_patch, round_patch
from linkwork.solid.surface import SphereFace, TorusFace


def turned_shell(loops: Sequence[Sequence[Edge]]) -> Shell:
    """The shell around the whole turn of an outline and its holes, given by their edges."""
    patches: list[Patch] = []
    for edges in loops:
        circle = Loop(tuple(edges)).circle
        if circle is not None:
            (x, y), radius = circle
            arc = edges[0]
            outward = isinstance(arc, Arc) and arc.anticlockwise
            patches.append(Patch(TorusFace((0.0, 0.0, y), Z_AXIS, x, radius), (), outward))
        else:
            patches += [_patch(edge) for edge in edges if edge.start[0] or edge.end[0]]
    return Shell(tuple(patches))


def _patch(edge: Edge) -> Patch:
    """The face of an edge."""
    circles = tuple(_circles(edge))
    (x, y), (u, v) = edge.start, edge.end
    if isinstance(edge, Arc):
        middle = (0.0, 0.0, edge.centre[1])
        if edge.centre[0] == 0:
            return Patch(SphereFace(middle, edge.radius), circles, edge.anticlockwise)
        return Patch(TorusFace(middle, Z_AXIS, edge.centre[0], edge.radius), circles, edge.anticlockwise)
    if y == v:
        normal: Triple = (0.0, 0.0, -1.0 if u > x else 1.0)
        return plane_patch((0.0, 0.0, y), normal, circles, along=X_AXIS)
    slope = (u - x) / (v - y)
    return round_patch(ORIGIN, Z_AXIS, X_AXIS, x - slope * y, slope, circles, outward=v > y)


def _circles(edge: Edge) -> Iterator[CircleLoop]:
    """Where the face of an edge begins and ends, unless that is on the axis."""
    for (radius, height), side in ((edge.start, 1.0), (edge.end, -1.0)):
        if radius:
            yield (Circle((0.0, 0.0, height), (radius, 0.0, 0.0), (0.0, side * radius, 0.0)),)
