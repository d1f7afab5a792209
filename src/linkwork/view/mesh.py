"""Surfaces of bodies in space: small flat faces, the outlines that follow from them, and balls.

Surfaces are cut into small pieces, because only small pieces can be put in order by their distance from
the eye.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from linkwork.view.shape import Point

Triangle = tuple[Point, Point, Point]

SIDES = 12
"""Faces around a bar; thicker tubes take more."""

CLEAR = ""
"""In place of the inks of a face that is not painted: only its edges are seen."""

MOST_PIECES, MOST_TRIANGLES = 18, 300
"""Along a tube or an edge; over a plate."""

SMOOTH = math.cos(math.radians(40))
"""Faces that meet at less than this angle belong to a rounded surface and show no edge between them."""


@dataclass(frozen=True, slots=True)
class Face:
    """A flat piece of a surface: its corners and its normal by number, its colour by family of inks."""

    corners: tuple[int, ...]
    normal: int
    ink: str


@dataclass(frozen=True, slots=True)
class Edge:
    """Where faces meet: drawn where one of two is seen and the other not, a sharp one where any is."""

    ends: tuple[int, int]
    faces: tuple[int, ...]
    sharp: bool


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball around a vertex."""

    center: int
    radius: float
    ink: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A text beside a vertex."""

    at: int
    text: str
    is_marked: bool = False


@dataclass
class Mesh:
    """All surfaces of one body in its own coordinates, while they are put together."""

    vertices: list[Point] = field(default_factory=list)
    normals: list[Point] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)
    balls: list[Ball] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)

    def vertex(self, point: Point) -> int:
        """The number of a new vertex."""
        self.vertices.append(point)
        return len(self.vertices) - 1

    def normal(self, vector: Point) -> int:
        """The number of a new normal."""
        self.normals.append(unit(vector))
        return len(self.normals) - 1

    def edges(self) -> list[Edge]:
        """The edges between faces that share two corners, and those of single faces.

        >>> mesh = Mesh()
        >>> add_box(mesh, (0.0, 0.0, 0.0), [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)], 5.0, "metal")
        >>> len(mesh.edges())
        12
        """
        sides: dict[tuple[int, int], list[int]] = {}
        for number, face in enumerate(self.faces):
            for start, end in pairwise((*face.corners, face.corners[0])):
                sides.setdefault((min(start, end), max(start, end)), []).append(number)
        found = []
        for ends, faces in sides.items():
            bend = self._bend(faces)
            if bend < 1 - 1e-9:
                found.append(Edge(ends, tuple(faces), bend < SMOOTH))
        return found

    def _bend(self, faces: list[int]) -> float:
        """The cosine of the angle between two faces; a face that ends counts as a sharp edge."""
        if len(faces) != 2:
            return -1.0
        first, second = (self.normals[self.faces[number].normal] for number in faces)
        return dot(first, second)


class Corners:
    """Vertices of one surface: the same place gives the same number, so that its faces know each other."""

    def __init__(self, mesh: Mesh, size: float) -> None:
        self._mesh, self._grain = mesh, 1e-7 * size
        self._known: dict[tuple[int, ...], int] = {}

    def __call__(self, point: Point) -> int:
        key = tuple(round(part / self._grain) for part in point)
        if key not in self._known:
            self._known[key] = self._mesh.vertex(point)
        return self._known[key]


def add(first: Point, second: Point, scale: float = 1.0) -> Point:
    """``first + scale * second``."""
    return tuple(a + scale * b for a, b in zip(first, second, strict=True))


def minus(first: Point, second: Point) -> Point:
    """The way from the second point to the first."""
    return add(first, second, -1.0)


def dot(first: Point, second: Point) -> float:
    """The scalar product."""
    return sum(a * b for a, b in zip(first, second, strict=True))


def cross(a: Point, b: Point) -> Point:
    """The vector product.

    >>> cross((1, 0, 0), (0, 1, 0))
    (0, 0, 1)
    """
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(vector: Point) -> Point:
    """The vector of length one in the same direction; zero stays zero."""
    length = math.hypot(*vector)
    return tuple(part / length for part in vector) if length else vector


def across(axis: Point) -> tuple[Point, Point]:
    """Two unit vectors square to a unit axis and to each other."""
    least = min(range(3), key=lambda k: abs(axis[k]))
    first = unit(cross(axis, tuple(float(k == least) for k in range(3))))
    return first, cross(axis, first)


def polygon_normal(points: Sequence[Point]) -> Point:
    """The normal of a flat polygon, twice its area long (Newell)."""
    total: Point = (0.0, 0.0, 0.0)
    for before, after in pairwise((*points, points[0])):
        total = add(total, cross(minus(before, points[0]), minus(after, points[0])))
    return total


def add_tube(mesh: Mesh, start: Point, end: Point, radius: float, ink: str, sides: int = SIDES) -> None:
    """A round bar from one point to another."""
    along = minus(end, start)
    length = math.hypot(*along)
    if length == 0:
        return
    axis = unit(along)
    first, second = across(axis)
    turns = [2 * math.pi * k / sides for k in range(sides)]
    spokes = [
        tuple(math.cos(turn) * a + math.sin(turn) * b for a, b in zip(first, second, strict=True))
        for turn in turns
    ]
    normals = [mesh.normal(add(before, after)) for before, after in pairwise((*spokes, spokes[0]))]
    pieces = min(MOST_PIECES, max(1, round(length / (2.0 * radius))))
    rings = [
        [mesh.vertex(add(add(start, along, piece / pieces), spoke, radius)) for spoke in spokes]
        for piece in range(pieces + 1)
    ]
    for lower, upper in pairwise(rings):
        for k, normal in enumerate(normals):
            after = (k + 1) % sides
            mesh.faces.append(Face((lower[k], lower[after], upper[after], upper[k]), normal, ink))
    mesh.faces.append(Face(tuple(reversed(rings[0])), mesh.normal(minus(start, end)), ink))
    mesh.faces.append(Face(tuple(rings[-1]), mesh.normal(along), ink))


def add_cone(mesh: Mesh, start: Point, tip: Point, radius: float, ink: str, sides: int = SIDES) -> None:
    """A cone from the middle of its base to its tip."""
    axis = unit(minus(tip, start))
    first, second = across(axis)
    turns = [2 * math.pi * k / sides for k in range(sides)]
    rim = [add(add(start, first, radius * math.cos(turn)), second, radius * math.sin(turn)) for turn in turns]
    base = [mesh.vertex(point) for point in rim]
    top = mesh.vertex(tip)
    for k in range(sides):
        after = (k + 1) % sides
        outward = mesh.normal(polygon_normal([rim[k], rim[after], tip]))
        mesh.faces.append(Face((base[k], base[after], top), outward, ink))
    mesh.faces.append(Face(tuple(reversed(base)), mesh.normal(minus(start, tip)), ink))


def add_box(mesh: Mesh, center: Point, axes: Sequence[Point], size: float, ink: str) -> None:
    """A cuboid by its half axes, in pieces of about ``size``."""
    corners = Corners(mesh, max(math.hypot(*axis) for axis in axes))
    for k in range(3):
        along, beside = add(axes[k - 2], axes[k - 2]), add(axes[k - 1], axes[k - 1])
        for sign in (1.0, -1.0):
            corner = add(add(add(center, axes[k], sign), along, -0.5), beside, -0.5)
            normal = mesh.normal(tuple(sign * part for part in axes[k]))
            add_panel(mesh, corners, (corner, along, beside), normal, size, ink)


def add_panel(
    mesh: Mesh, corners: Corners, panel: tuple[Point, Point, Point], normal: int, size: float, ink: str
) -> None:
    """A parallelogram, by a corner and two sides, in pieces of about ``size``."""
    corner, along, beside = panel
    columns, rows = _pieces_along(along, size), _pieces_along(beside, size)
    grid = [
        [corners(add(add(corner, along, i / columns), beside, j / rows)) for i in range(columns + 1)]
        for j in range(rows + 1)
    ]
    for low, high in pairwise(grid):
        for i in range(columns):
            mesh.faces.append(Face((low[i], low[i + 1], high[i + 1], high[i]), normal, ink))


def _pieces_along(way: Point, size: float) -> int:
    """A power of two, as halving gives it."""
    count = 1
    while math.hypot(*way) / count > size and count < MOST_PIECES:
        count *= 2
    return count


def add_slab(mesh: Mesh, points: Sequence[Point], thickness: float, size: float, ink: str) -> None:
    """A plate over a flat polygon, in pieces of about ``size`` when it is convex."""
    vector = polygon_normal(points)
    extent = max(math.dist(points[0], point) for point in points)
    if math.hypot(*vector) < 1e-9 * extent**2:
        return
    up = unit(vector)
    corners = Corners(mesh, extent)
    for sign in (1.0, -1.0):
        face = [add(point, up, sign * thickness / 2) for point in points]
        normal = mesh.normal(tuple(sign * part for part in up))
        pieces, size = _cut(face, up, size)
        for piece in pieces:
            mesh.faces.append(Face(tuple(corners(point) for point in piece), normal, ink))
    for before, after in pairwise((*points, points[0])):
        along = minus(after, before)
        panel = (add(before, up, -thickness / 2), along, tuple(thickness * part for part in up))
        add_panel(mesh, corners, panel, mesh.normal(cross(along, up)), size, ink)


def _cut(face: list[Point], up: Point, size: float) -> tuple[Sequence[Sequence[Point]], float]:
    """Triangles of about ``size`` over a convex face, and their size, larger where there were too many.

    Any other face stays whole.
    """
    turns = [
        dot(cross(minus(q, p), minus(r, q)), up)
        for p, q, r in zip(face, face[1:] + face[:1], face[2:] + face[:2], strict=True)
    ]
    if min(turns) < -1e-9 * max(turns):
        return [face], size
    middle = tuple(sum(part) / len(face) for part in zip(*face, strict=True))
    return in_pieces([(middle, before, after) for before, after in pairwise((*face, face[0]))], size)


def add_triangles(mesh: Mesh, triangles: Sequence[Triangle], size: float, ink: str) -> None:
    """A closed surface, in pieces of about a size; corners at the same place are one."""
    pieces, _ = in_pieces(triangles, size)
    spots = [corner for triangle in triangles for corner in triangle]
    corners = Corners(mesh, max(max(axis) - min(axis) for axis in zip(*spots, strict=True)))
    for a, b, c in pieces:
        across = cross(minus(b, a), minus(c, a))
        if any(across):
            mesh.faces.append(Face((corners(a), corners(b), corners(c)), mesh.normal(across), ink))


def in_pieces(triangles: Sequence[Triangle], size: float) -> tuple[Sequence[Triangle], float]:
    """Triangles cut into pieces of about ``size``, and their size, larger where there were too many."""
    most = max(MOST_TRIANGLES, len(triangles))
    extent = max(math.dist(corner, triangles[0][0]) for triangle in triangles for corner in triangle)
    while len(pieces := _halved(triangles, size, most)) > most and size < 2 * extent:
        size *= 1.2
    return pieces, size


def _halved(triangles: Sequence[Triangle], size: float, most: int) -> Sequence[Triangle]:
    """The triangles with their longest sides halved until none is longer than ``size``.

    A side that two triangles share is halved in both or in neither, so no corner lies within a side; that
    holds only at the end, and not where this gives up because there are more than ``most``.
    """
    waiting, done = [*triangles], list[Triangle]()
    while waiting and len(waiting) + len(done) <= most:
        a, b, c = waiting.pop()
        lengths = (math.dist(a, b), math.dist(b, c), math.dist(c, a))
        if max(lengths) <= size:
            done.append((a, b, c))
            continue
        for _ in range(lengths.index(max(lengths))):  # turn it until the longest side comes first
            a, b, c = b, c, a
        half = add(a, minus(b, a), 0.5)
        waiting += [(a, half, c), (half, b, c)]
    return done + waiting
