"""rotate_extrude: outlines turned about an axis.

An outline right of the axis is bounded by walls that lead upwards, outside, and downwards, inside. Between a wall and
the axis lies a cylinder if it is upright, a cone if it slants, a zone of a sphere if it is an arc about a point of the
axis. Other arcs give tori: then the solid is a shell. Only arcs whose circle crosses the axis, which would give tori
that cut themselves, are replaced by chords: the solid stays round about the axis, but not along it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.solid import Cone, Cylinder, Intersection, Prism, Solid, Sphere
from linkwork.solid.region import Arc, Edge, Line, Loop, Region
from linkwork.solid.scad import facets
from linkwork.solid.scad.degrees import cosine, sine
from linkwork.solid.scad.fault import Complaint
from linkwork.solid.scad.frames import SAME, Frame, Note, frame_of, has_arcs, mapped
from linkwork.solid.scad.leaves import NOT_EXACT, polyhedron, without
from linkwork.solid.scad.matrices import turn
from linkwork.solid.scad.tree import Matrix, Pair, Revolved
from linkwork.solid.scad.turned_shell import turned_shell

TUBE: Final = "cones stand for a torus that cuts itself, 0.1 % of its radius off at most"


def revolved(node: Revolved, region: Region, matrix: Matrix, note: Note) -> Solid:
    """The solid of an outline that lies on one side of the axis."""
    (left, _), (right, _) = region.box
    near = SAME * max(abs(left), abs(right))
    if left < -near and right > near:
        raise Complaint(
            f"the outline crosses the axis: x reaches from {left:g} to {right:g}",
            wanted="an outline with x not below 0",
            fix="translate([x, 0]) it, or cut it with intersection()",
        )
    first = node.start
    if left < -near:
        region, first = region.mirrored((1.0, 0.0)), node.start + 180.0
    frame = frame_of(matrix)
    if node.sides == 0 and frame is not None and frame.is_round:
        return frame.standing(_round(node.angle, first, region, frame, note))
    if node.sides == 0:
        note(NOT_EXACT)
    return _with_corners(node, region, matrix @ turn((0.0, 0.0, first)), note)


# ----------------------------------------------------------------------------------------- round


@dataclass(frozen=True)
class Wall:
    """An edge that leads upwards: a line, or an arc about a point of the axis."""

    edge: Edge

    @property
    def low(self) -> float:
        """The height at which it begins."""
        return self.edge.start[1]

    @property
    def high(self) -> float:
        """The height at which it ends."""
        return self.edge.end[1]

    def radius(self, height: float) -> float:
        """How far it is from the axis at a height."""
        if isinstance(self.edge, Arc):
            return math.sqrt(max(0.0, self.edge.radius**2 - (height - self.edge.centre[1]) ** 2))
        (x, y), (u, v) = self.edge.start, self.edge.end
        if height in (y, v):
            return x if height == y else u
        return x + (u - x) * (height - y) / (v - y)

    def core(self, low: float, high: float) -> Solid:
        """All that lies between it and the axis, from one height to another."""
        if isinstance(self.edge, Arc):
            return _zone(self.edge, low, high)
        bottom, top = self.radius(low), self.radius(high)
        same = abs(bottom - top) <= SAME * max(bottom, top)
        solid: Solid = Cylinder(bottom, high - low) if same else Cone(bottom, top, high - low)
        return solid.moved((0.0, 0.0, low)) if low else solid


def _zone(arc: Arc, low: float, high: float) -> Solid:
    """A ball about a point of the axis, from one height to another."""
    centre, radius = arc.centre[1], arc.radius
    ball: Solid = Sphere(radius)
    ball = ball.moved((0.0, 0.0, centre)) if centre else ball
    near = SAME * radius
    if low <= centre - radius + near and high >= centre + radius - near:
        return ball
    return Intersection((ball, Cylinder(2 * radius, high - low).moved((0.0, 0.0, low))))


def _round(angle: float, first: float, region: Region, frame: Frame, note: Note) -> Solid:
    """The solid along the axes of a frame, with its lengths."""
    width, _, height = frame.lengths
    profile = mapped(region, np.diag([width, height]), np.zeros(2), note)
    whole = without([_whole_turn(piece, note) for piece in profile.components], [])
    if angle == 360:
        return whole
    start = first + min(angle, 0.0)
    if frame.mirrored:
        start = 180.0 - start - abs(angle)
    return Intersection((whole, _wedge(start, abs(angle), profile)))


def _whole_turn(piece: Region, note: Note) -> Solid:
    """The whole turn of an outline with its holes."""
    size = max(max(map(abs, corner)) for corner in piece.box)
    loops = [_profile(loop, SAME * size, note) for loop in piece.loops]
    if any(isinstance(edge, Arc) and edge.centre[0] for loop in loops for edge in loop):
        return turned_shell(loops)
    outer, *holes = (
        [_of_walls(edges if place == 0 else [edge.reversed for edge in edges[::-1]])]
        for place, edges in enumerate(loops)
    )
    return without(outer, [hole for several in holes for hole in several])


def _profile(loop: Loop, near: float, note: Note) -> list[Edge]:
    """The edges of a loop, ends that are nearly on the axis or level put there; what would cut itself as chords."""
    found: list[Edge] = []
    for edge in loop:
        if isinstance(edge, Arc) and near < edge.centre[0] < edge.radius - near:
            note(TUBE)
            corners = [*facets.chords(Loop((edge,))), edge.end]
            found += [Line(start, end) for start, end in pairwise(corners)]
        else:
            found.append(edge)
    return [_snapped(edge, near) for edge in found]


def _snapped(edge: Edge, near: float) -> Edge:
    (x, y), (u, v) = edge.start, edge.end
    x, u = (0.0 if abs(each) <= near else each for each in (x, u))
    if isinstance(edge, Line):
        return Line((x, y), (u, y if abs(v - y) <= near else v))
    centre = (0.0 if abs(edge.centre[0]) <= near else edge.centre[0], edge.centre[1])
    return Arc((x, y), (u, v), centre, edge.anticlockwise, edge.radius)


def _of_walls(edges: Sequence[Edge]) -> Solid:
    """The whole turn of a loop that runs anticlockwise, of lines and arcs about points of the axis."""
    walls = [
        edge
        for edge in edges
        if edge.start[1] != edge.end[1] and (isinstance(edge, Arc) or edge.start[0] or edge.end[0])
    ]
    outer = [Wall(edge) for edge in walls if edge.end[1] > edge.start[1]]
    inner = [Wall(edge.reversed) for edge in walls if edge.end[1] < edge.start[1]]
    if not _overlap(outer) and not _overlap(inner):
        return without(*([wall.core(wall.low, wall.high) for wall in each] for each in (outer, inner)))
    return _slabs([*outer, *inner])


def _overlap(walls: Sequence[Wall]) -> bool:
    """Whether some walls stand at the same height."""
    ordered = sorted(walls, key=lambda wall: wall.low)
    return any(above.low < below.high - SAME * (below.high - below.low) for below, above in pairwise(ordered))


def _slabs(walls: Sequence[Wall]) -> Solid:
    """Level slices between all corners, each of rings inside one another."""
    heights = sorted({height for wall in walls for height in (wall.low, wall.high)})
    near = SAME * (heights[-1] - heights[0])
    rings: list[Solid] = []
    for low, high in pairwise(heights):
        if high - low <= near:
            continue
        middle = (low + high) / 2
        across = sorted(
            (wall for wall in walls if wall.low <= middle <= wall.high), key=lambda wall: wall.radius(middle)
        )
        if len(across) % 2:
            rings.append(across.pop(0).core(low, high))
        for inner, outer in zip(across[0::2], across[1::2], strict=True):
            rings.append(without([outer.core(low, high)], [inner.core(low, high)]))
    return without(rings, [])


def _wedge(start: float, angle: float, profile: Region) -> Solid:
    """All around a profile from an angle on."""
    (_, low), (radius, high) = profile.box
    count = math.ceil(angle / 30)
    angles = [start + angle * place / count for place in range(count + 1)]
    corners = [(2 * radius * cosine(each), 2 * radius * sine(each)) for each in angles]
    solid = Prism(Region.polygon([(0.0, 0.0), *corners]), 2 * (high - low))
    return solid.moved((0.0, 0.0, (3 * low - high) / 2))


# ---------------------------------------------------------------------------------- with corners


def _with_corners(node: Revolved, region: Region, matrix: Matrix, note: Note) -> Solid:
    """Flat faces between the places of the outline at so many angles."""
    if has_arcs(region):
        note(NOT_EXACT)
    sides = node.sides or facets.SIDES_FOR_ROUND
    if node.angle == 360:
        angles = [360.0 * place / sides for place in range(sides)]
    else:
        count = max(1, math.ceil(sides * abs(node.angle) / 360 - SAME))
        angles = [node.angle * place / count for place in range(count + 1)]
    outer: list[Solid] = []
    holes: list[Solid] = []
    for loop in region.loops:
        corners = facets.chords(loop if loop.area > 0 else loop.reversed)
        points, faces = _rings(corners, angles, closed=node.angle == 360)
        faces = faces if node.angle > 0 else [face[::-1] for face in faces]
        (outer if loop.area > 0 else holes).append(polyhedron(points, faces, matrix))
    return without(outer, holes)


def _rings(corners: Sequence[Pair], angles: Sequence[float], *, closed: bool) -> tuple[Matrix, facets.Faces]:
    near = SAME * max(abs(x) for x, _ in corners)
    profile = [(0.0 if abs(x) <= near else x, y) for x, y in corners]
    points = [(x * cosine(angle), x * sine(angle), y) for angle in angles for x, y in profile]
    sides, layers = len(profile), len(angles)
    faces: facets.Faces = []
    for layer in range(layers if closed else layers - 1):
        here, there = layer * sides, (layer + 1) % layers * sides
        for place in range(sides):
            following = (place + 1) % sides
            faces.append((here + place, there + place, there + following, here + following))
    if not closed:
        faces.append(tuple(range(sides)))
        faces.append(tuple(reversed(range((layers - 1) * sides, layers * sides))))
    return facets.merged(np.array(points), faces)
