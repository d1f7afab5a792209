"""Sections: what a plane cuts out of a solid, as a region.

Each simple solid is cut by the plane z = 0 of the frame it is placed in; regions are then combined as the solids
are. A section is that just above its height: a block from 0 to 1 has one at 0 and none at 1. Blocks and
cylinders are prisms. A prism that stands upright is cut to its region, one that lies is cut to rectangles, and
one that leans to its region stretched, of which only circles are approximate. Spheres are cut to circles, and so
are cones that stand upright; other cones to arcs of conics.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import singledispatch

import numpy as np

from linkwork.solid.conic import cone_section
from linkwork.solid.extent import SQUARE, simple_prism
from linkwork.solid.placement import Z_AXIS, Placement, cross, unit
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.prism import as_prism
from linkwork.solid.region import EMPTY_REGION, Line, Region, difference, intersection, union
from linkwork.solid.region.region import DEVIATION
from linkwork.solid.region.transform import Similarity
from linkwork.solid.region.winding import heights_met
from linkwork.solid.shell.section import shell_section
from linkwork.solid.shell.value import Shell
from linkwork.solid.values import (
    Cone,
    Difference,
    Intersection,
    Named,
    Placed,
    Solid,
    Sphere,
    Union,
)


def section(
    solid: Solid, height: float, axis: Sequence[float] = Z_AXIS, deviation: float | None = None
) -> Region:
    """What the plane across an axis cuts out of a solid, at a height along the axis from the origin.

    The coordinates of the region are x and y for the axis z, y and z for x, z and x for y; for any other axis see
    :func:`frame_across`. Circles that are cut aslant are arcs within ``deviation``, by default 10⁻⁴ of the size.

    >>> from linkwork.solid import Block, Cylinder
    >>> plate = Block((4, 4, 1)) - Cylinder(1, 1).moved((2, 2, 0))
    >>> section(plate, 0.5)
    <Region: 1 outline, 1 hole, 6 edges, area 12.8584073>
    >>> section(plate, 2, axis=(1, 0, 0))
    <Region: 2 outlines, 8 edges, area 2>
    """
    low, high = solid.box
    within = DEVIATION * float(np.linalg.norm(high - low)) if deviation is None else deviation
    return cut(solid, frame_across(axis, height).inverse, within)


def frame_across(axis: Sequence[float], height: float = 0.0) -> Placement:
    """The frame of a section: its z along the axis, its origin at a height on it."""
    normal = unit(axis)
    nearest = int(np.argmax(np.abs(normal)))
    before = np.eye(3)[(nearest + 2) % 3]
    first = unit(cross(before, normal))
    return Placement((first, unit(cross(normal, first)), normal), unit_times(normal, height))


def unit_times(direction: Sequence[float], length: float) -> tuple[float, float, float]:
    """A vector along a direction."""
    x, y, z = direction
    return x * length, y * length, z * length


def spread(solid: Solid, place: Placement) -> tuple[float, float]:
    """From where to where along z the box of a placed solid reaches."""
    low, high = solid.box
    middle = float(place.point((low + high) / 2)[2])
    half = float(np.abs(place.matrix[2]) @ (high - low)) / 2
    return middle - half, middle + half


def cut(solid: Solid, place: Placement, deviation: float) -> Region:
    """What the plane z = 0 cuts out of a placed solid."""
    low, high = spread(solid, place)
    slack = SQUARE * (high - low)
    if low > slack or high < -slack or solid.is_empty:
        return EMPTY_REGION
    return _cut(solid, place, deviation)


@singledispatch
def _cut(solid: Solid, place: Placement, deviation: float) -> Region:
    """Of a simple solid a prism, unless it has a function of its own."""
    prism = simple_prism(solid)
    return _prism(prism.region, prism.height, place, deviation)


@_cut.register
def _(solid: Placed, place: Placement, deviation: float) -> Region:
    return cut(solid.solid, place.holding(solid.place), deviation)


@_cut.register
def _(solid: Named, place: Placement, deviation: float) -> Region:
    return cut(solid.solid, place, deviation)


@_cut.register
def _(solid: Union, place: Placement, deviation: float) -> Region:
    return union(cut(each, place, deviation) for each in _flat(solid))


@_cut.register
def _(solid: Intersection, place: Placement, deviation: float) -> Region:
    return intersection(cut(each, place, deviation) for each in solid.solids)


@_cut.register
def _(solid: Difference, place: Placement, deviation: float) -> Region:
    first, others = solid.first, [*solid.others]
    while isinstance(first, Difference):
        others += first.others
        first = first.first
    region = cut(first, place, deviation)
    return difference(region, (cut(each, place, deviation) for each in others)) if region else region


def _flat(solid: Union) -> Iterator[Solid]:
    """The solids of a union, and of unions in it: all are combined at once."""
    for each in solid.solids:
        if isinstance(each, Union):
            yield from _flat(each)
        else:
            yield each


@_cut.register
def _(solid: Sphere, place: Placement, deviation: float) -> Region:
    x, y, z = place.origin
    radius = solid.radius * place.scale
    return Region.circle(math.sqrt((radius - z) * (radius + z)), (x, y)) if abs(z) < radius else EMPTY_REGION


@_cut.register
def _(solid: Cone, place: Placement, deviation: float) -> Region:
    prism = as_prism(solid)
    if prism is not None:
        return _prism(prism.region, prism.height, place, deviation)
    return cone_section(solid.bottom, solid.top, solid.height, place, deviation)


@_cut.register
def _(solid: Polyhedron, place: Placement, deviation: float) -> Region:
    return _of_triangles(solid, place)


@_cut.register
def _(solid: Shell, place: Placement, deviation: float) -> Region:
    return shell_section([patch.placed(place) for patch in solid.patches], deviation)


# ----------------------------------------------------------------------------------------- prisms


def _prism(region: Region, height: float, place: Placement, deviation: float) -> Region:
    upright = float(place.matrix[2, 2]) / place.scale
    if math.hypot(*place.matrix[2, :2]) <= SQUARE * place.scale:
        return _standing(region, height, place)
    if abs(upright) <= SQUARE:
        return _lying(region, height, place)
    return _leaning(region, height, place, deviation)


def _standing(region: Region, height: float, place: Placement) -> Region:
    ends = place.origin[2], place.origin[2] + float(place.matrix[2, 2]) * height
    if not min(ends) <= 0 < max(ends):
        return EMPTY_REGION
    a, b = float(place.matrix[0, 0]), float(place.matrix[1, 0])
    mirrored = float(np.linalg.det(place.matrix[:2, :2])) < 0
    return region.under(Similarity(a, b, (place.origin[0], place.origin[1]), mirrored))


def _lying(region: Region, height: float, place: Placement) -> Region:
    """Rectangles: over the pieces of a line in the region, as high as the prism."""
    rise = math.atan2(place.matrix[2, 1], place.matrix[2, 0])
    along = -place.origin[2] / math.hypot(*place.matrix[2, :2])
    ends = heights_met(region.turned(-rise).runs, along)
    frame = place.holding(Placement.turn(rise))
    rectangles = []
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        corners = [(along, low, 0.0), (along, high, 0.0), (along, high, height), (along, low, height)]
        rectangles.append(_convex(frame.point(np.array(corners))[:, :2].tolist()))
    return union(rectangles)


def _convex(corners: list[list[float]]) -> Region:
    """A convex polygon that runs either way."""
    (x, y), (u, v), (a, b) = corners[:3]
    if (u - x) * (b - v) < (v - y) * (a - u):
        corners = corners[::-1]
    row = [(x, y) for x, y in corners]
    return Region.from_outline(Line(row[place - 1], row[place]) for place in range(len(row)))


def _leaning(region: Region, height: float, place: Placement, deviation: float) -> Region:
    """The region where the plane is between both ends, stretched along the way the plane rises there.

    Over the point p of the region the plane is at s = −(g·p + o) / c, with g, c the third row of the matrix. Along
    g, lengths on the plane are 1/|c| of those in the region, across it they are the same, but for the scale.
    """
    (gx, gy, c), offset = (float(each) for each in place.matrix[2]), place.origin[2]
    rise, slope = math.atan2(gy, gx), math.hypot(gx, gy)
    low, high = sorted((-offset / slope, (-offset - c * height) / slope))
    clipped = _between(region.turned(-rise), low, high)
    if not clipped:
        return EMPTY_REGION
    frame = place.holding(Placement.turn(rise))

    def image(x: float, y: float) -> complex:
        point = frame.point((x, y, -(slope * x + offset) / c))
        return complex(point[0], point[1])

    origin = image(0, 0)
    x, y = image(1, 0) - origin, image(0, 1) - origin
    handed = 1.0 if (x.conjugate() * y).imag > 0 else -1.0
    stretched = clipped.stretched(abs(x), handed * abs(y), deviation)
    return stretched.turned(math.atan2(x.imag, x.real)).moved((origin.real, origin.imag))


def _between(region: Region, low: float, high: float) -> Region:
    """What of a region has an x between two."""
    (left, bottom), (right, top) = region.box
    if low <= left and right <= high:
        return region
    if right <= low or high <= left:
        return EMPTY_REGION
    return region & Region.rectangle(high - low, 2 * (top - bottom)).moved((low, 1.5 * bottom - 0.5 * top))


# -------------------------------------------------------------------------------------- polyhedra


def _of_triangles(solid: Polyhedron, place: Placement) -> Region:
    """The lines in which the plane meets triangles, in loops.

    Every edge of the surface belongs to two triangles, so each point where the plane meets an edge ends two lines.
    Corners in the plane count as below it.
    """
    corners = place.point(solid.corners)
    above = corners[:, 2] > 0
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for triangle in solid.triangles[np.ptp(above[solid.triangles].astype(int), axis=1) > 0].tolist():
        ends = []
        for a, b in zip(triangle, triangle[1:] + triangle[:1], strict=True):
            if above[a] != above[b]:
                ends.append((min(a, b), max(a, b)))
        for one, other in (ends, ends[::-1]):
            after.setdefault(one, []).append(other)
    return Region.from_polygons([_met(corners, loop) for loop in _loops(after) if len(loop) > 2])


def _met(corners: np.ndarray, loop: list[tuple[int, int]]) -> list[tuple[float, float]]:
    first, second = (corners[[edge[k] for edge in loop]] for k in (0, 1))
    share = first[:, 2:] / (first[:, 2:] - second[:, 2:])
    points = (first + share * (second - first))[:, :2]
    return [(x, y) for x, y in points.tolist()]


def _loops(after: dict[tuple[int, int], list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Closed rows through a graph in which an even number of lines meets at every node."""
    found = []
    for start in list(after):
        while after[start]:
            loop, at = [], start
            while True:
                loop.append(at)
                onward = after[at].pop()
                after[onward].remove(at)
                at = onward
                if at == start:
                    break
            found.append(loop)
    return found
