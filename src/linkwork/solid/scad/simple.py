"""The simple solids that hulls and sums are made of, seen as prisms, as round about an axis, or as corners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.solid import (
    Block,
    Cone,
    Cylinder,
    Named,
    Placed,
    Placement,
    Polyhedron,
    Prism,
    Shell,
    Solid,
    Sphere,
    Union,
)
from linkwork.solid.region import Region
from linkwork.solid.scad import facets, leaves
from linkwork.solid.scad.fault import Complaint, Place, Source
from linkwork.solid.scad.frames import SAME, Note, has_arcs, mapped
from linkwork.solid.scad.leaves import NOT_EXACT
from linkwork.solid.scad.tree import ROUND, Ball, Cube, Drum, Matrix

NOWHERE: Final = Place(Source("", ""), 0)
"""The place of shapes that no text has."""


@dataclass(frozen=True)
class Simple:
    """A simple solid in place."""

    solid: Solid
    place: Placement

    @property
    def origin(self) -> Matrix:
        """Where its origin stands."""
        return np.array(self.place.origin)

    @property
    def axes(self) -> Matrix:
        """Its axes as unit columns."""
        axes: Matrix = self.place.matrix / self.place.scale
        return axes


@dataclass(frozen=True, eq=False)
class Upright:
    """A prism along the z axis of a frame: where it begins and ends, and its region in the plane of x and y."""

    low: float
    high: float
    region: Region


class NotSimple(Complaint):
    """A solid is no union of simple ones."""


def simple_solids(solid: Solid, doing: str) -> list[Simple]:
    """The simple solids of which a solid is the union."""
    found: list[Simple] = []
    waiting = [Simple(solid, Placement())]
    while waiting:
        each = waiting.pop()
        inner = each.solid
        if isinstance(inner, Placed):
            waiting.append(Simple(inner.solid, each.place.holding(inner.place)))
        elif isinstance(inner, Named):
            if inner.thread:
                raise Complaint(
                    f"{doing} of what carries a thread is not supported",
                    wanted="the mark of a thread outside",
                    fix=f"thread({inner.thread:g}) {doing}",
                )
            waiting.append(Simple(inner.solid, each.place))
        elif isinstance(inner, Union):
            waiting += [Simple(other, each.place) for other in reversed(inner.solids)]
        elif isinstance(inner, Block | Cylinder | Cone | Sphere | Prism | Polyhedron):
            found.append(each)
        else:
            noun = (
                "a solid with tori"
                if isinstance(inner, Shell)
                else "a difference or an intersection of solids"
            )
            raise NotSimple(
                f"{doing} of {noun} is not supported",
                wanted="cubes, cylinders, spheres, prisms, polyhedra and unions of them",
                fix=f"{doing} first, then difference()",
            )
    return found


# ---------------------------------------------------------------------------------------- prisms


def prism_axes(solids: Sequence[Simple]) -> Matrix | None:
    """Axes, as columns, whose z is that of the first cylinder or prism, else that of the first block, if any."""
    by_kind = [[each for each in solids if isinstance(each.solid, kind)] for kind in (Cylinder, Prism, Block)]
    first = next((several[0] for several in by_kind if several), None)
    if first is None:
        return None
    axes = first.axes
    return axes if np.linalg.det(axes) > 0 else axes * np.array([-1.0, 1.0, 1.0])


def upright(each: Simple, axes: Matrix, note: Note) -> Upright | None:
    """A simple solid as a prism along z of some axes, if it is one."""
    scale = each.place.scale
    own = axes.T @ each.axes  # its axes, as columns, in the others
    start = axes.T @ each.origin
    if isinstance(each.solid, Block):
        along = int(np.argmax(np.abs(own[2])))
        size = np.array(each.solid.size) * scale
        u, v = (own[:2, k] * size[k] for k in range(3) if k != along)
        span, corners = own[:, along] * size[along], [0 * u, u, u + v, v]
        region = Region.polygon([tuple(start[:2] + corner) for corner in corners])
    elif isinstance(each.solid, Cylinder):
        along, span = 2, own[:, 2] * each.solid.height * scale
        region = Region.circle(each.solid.radius * scale, start[:2].tolist())
    elif isinstance(each.solid, Prism):
        along, span = 2, own[:, 2] * each.solid.height * scale
        region = mapped(each.solid.region, own[:2, :2] * scale, start[:2], note)
    else:
        return None
    if abs(own[2, along]) < 1 - SAME:
        return None
    low, high = sorted((float(start[2]), float(start[2] + span[2])))
    return Upright(low, high, region)


# ------------------------------------------------------------------------------- round solids


def round_axis(solids: Sequence[Simple]) -> tuple[Matrix, Matrix] | None:
    """A point and a direction about which cylinders and cones may be round, or through two balls."""
    first = next((each for each in solids if isinstance(each.solid, Cylinder | Cone)), None)
    if first is not None:
        return first.origin, first.axes[:, 2]
    for each in solids[1:]:
        way = each.origin - solids[0].origin
        length = float(np.linalg.norm(way))
        if length > 0:
            return solids[0].origin, way / length
    return None


def profile(each: Simple, point: Matrix, direction: Matrix) -> Region | None:
    """What a plane through an axis cuts out of a solid that is round about it; None for one that is not."""
    scale = each.place.scale
    height = float((each.origin - point) @ direction)
    aside = each.origin - point - height * direction
    if isinstance(each.solid, Sphere):
        radius = each.solid.radius * scale
        return Region.circle(radius, (0.0, height)) if _none(aside, radius) else None
    if not isinstance(each.solid, Cylinder | Cone):
        return None
    way = float(each.axes[:, 2] @ direction)
    (bottom, _), (top, length) = _ends(each.solid)
    if abs(way) < 1 - SAME or not _none(aside, max(bottom, top) * scale):
        return None
    bottom, top, end = bottom * scale, top * scale, height + way * length * scale
    corners = [(-bottom, height), (bottom, height), (top, end), (-top, end)]
    return Region.polygon(list(dict.fromkeys(corners)))


def _none(aside: Matrix, size: float) -> bool:
    return float(np.linalg.norm(aside)) <= SAME * size


# --------------------------------------------------------------------------------------- corners


def corners(each: Simple, note: Note) -> Matrix:
    """The corners of a solid; what is curved has those of its facets."""
    found = np.array(list(_corners(each.solid, note)))
    return each.place.point(found)


def _corners(solid: Solid, note: Note) -> Iterator[tuple[float, float, float]]:
    if isinstance(solid, Block):
        x, y, z = solid.size
        yield from ((a, b, c) for a in (0.0, x) for b in (0.0, y) for c in (0.0, z))
    elif isinstance(solid, Polyhedron):
        yield from solid.points
    elif isinstance(solid, Prism):
        if has_arcs(solid.region):
            note(NOT_EXACT)
        for loop in solid.region.loops:
            yield from ((x, y, z) for x, y in facets.chords(loop) for z in (0.0, solid.height))
    else:
        note(NOT_EXACT)
        yield from _round_corners(solid)


def _round_corners(solid: Solid) -> Iterator[tuple[float, float, float]]:
    sides = facets.SIDES_FOR_ROUND
    if isinstance(solid, Sphere):
        points, _ = facets.ball(solid.radius, sides)
        yield from ((float(x), float(y), float(z)) for x, y, z in points)
    elif isinstance(solid, Cylinder | Cone):
        for radius, height in _ends(solid):
            yield from ((x, y, height) for x, y in facets.ring(sides, radius))


def extent(solids: Sequence[Simple]) -> tuple[Matrix, Matrix]:
    """The least and the largest coordinates."""
    high = [max(_reach(each, axis) for each in solids) for axis in np.eye(3)]
    low = [-max(_reach(each, -axis) for each in solids) for axis in np.eye(3)]
    return np.array(low), np.array(high)


def _reach(each: Simple, direction: Matrix) -> float:
    """How far a solid reaches in a direction."""
    way = each.axes.T @ direction
    solid = each.solid
    if isinstance(solid, Sphere):
        reach = solid.radius
    elif isinstance(solid, Cylinder | Cone):
        aside = float(np.hypot(way[0], way[1]))
        reach = max(r * aside + z * way[2] for r, z in _ends(solid))
    elif isinstance(solid, Prism):
        turned = solid.region.turned(-float(np.arctan2(way[1], way[0])))
        reach = turned.box[1][0] * float(np.hypot(way[0], way[1])) + max(0.0, solid.height * way[2])
    else:
        reach = float((np.array(list(_corners(solid, lambda text: None))) @ way).max())
    return float(each.origin @ direction) + each.place.scale * float(reach)


def _ends(solid: Cylinder | Cone) -> tuple[tuple[float, float], tuple[float, float]]:
    """The radii at both ends, with their heights."""
    bottom, top = (solid.radius, solid.radius) if isinstance(solid, Cylinder) else (solid.bottom, solid.top)
    return (bottom, 0.0), (top, solid.height)


def again(each: Simple, matrix: Matrix, note: Note) -> Solid:
    """A simple solid under a matrix."""
    own = np.eye(4)
    own[:3, :3], own[:3, 3] = each.place.matrix, each.origin
    whole = matrix @ own
    solid = each.solid
    if isinstance(solid, Block):
        return leaves.cube(Cube(NOWHERE, solid.size, False), whole, note)
    if isinstance(solid, Sphere):
        return leaves.ball(Ball(NOWHERE, solid.radius, ROUND), whole, note)
    if isinstance(solid, Cylinder | Cone):
        (bottom, _), (top, height) = _ends(solid)
        return leaves.drum(Drum(NOWHERE, height, bottom, top, False, ROUND), whole, note)
    if isinstance(solid, Prism):
        return leaves.prism(solid.region, solid.height, whole, note)
    assert isinstance(solid, Polyhedron)
    return leaves.polyhedron(np.array(solid.points), solid.polygons, whole)
