"""Polyhedra: solids bounded by plane polygons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, Placement, Triple, cross, triple, unit
from linkwork.solid.rays import ColumnIndex
from linkwork.solid.surface import Face, PlaneFace
from linkwork.solid.values import Box, Inside, Solid, SolidError

ODD_TURN: Final = Placement.turn(0.7, (0.36, 0.48, 0.8)).holding(Placement.turn(1.1, (0.6, 0.0, 0.8)))
"""Rays go along an odd direction, so that they hardly ever meet an edge."""

AT_ONCE: Final = 100_000
"""How many pairs of a point and a triangle are looked at together."""

IN_PLANE: Final = 1e-9
"""Of the size: how far from the plane of a triangle another may reach that is in it."""

FLAT: Final = 1e-15
"""Of the size to the third power: a volume below this is rounding."""

NEAR_EDGE: Final = 1e-9
"""Of a triangle's area: rays that pass an edge nearer than this are not trusted."""


@dataclass(frozen=True)
class Polyhedron(Solid):
    """A closed surface of polygons, as places among ``points``, anticlockwise seen from outside.

    >>> corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    >>> pyramid = Polyhedron(corners, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])
    >>> round(pyramid.volume * 6, 12), pyramid.contains(np.array([[0.2, 0.2, 0.2], [1, 1, 1]])).tolist()
    (1.0, [True, False])
    """

    points: tuple[Triple, ...]
    polygons: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(triple(point) for point in self.points))
        polygons = tuple(tuple(int(place) for place in polygon) for polygon in self.polygons)
        object.__setattr__(self, "polygons", polygons)
        if not polygons or not np.isfinite(np.array(self.points)).all():
            raise SolidError(
                "a polyhedron needs polygons, and points that are numbers",
                got=f"{len(polygons)} polygons",
                wanted="four at least",
                fix="look at what makes it flat or empty",
            )
        self._check_places()
        self._check_closed()
        flat = FLAT * float(np.ptp(self.corners, axis=0).max()) ** 3
        if abs(self.volume) <= flat:
            raise SolidError(
                "the polygons of a polyhedron enclose nothing",
                got=f"a volume of {self.volume:.6g}",
                wanted="a body with a volume, whose parts do not cancel out",
                fix="leave it out, or give it a thickness",
            )
        if self.volume < 0:
            raise SolidError(
                "the polygons of a polyhedron are seen from inside",
                got=f"a volume of {self.volume:.6g}",
                wanted="polygons anticlockwise, seen from outside",
                fix="turn each polygon round",
            )

    def _check_places(self) -> None:
        count = len(self.points)
        for number, polygon in enumerate(self.polygons):
            if len(set(polygon)) < 3 or not all(0 <= place < count for place in polygon):
                raise SolidError(
                    f"polygon {number} of a polyhedron is none",
                    got=str(polygon),
                    wanted=f"three or more different places from 0 to {count - 1}",
                )

    def _check_closed(self) -> None:
        ways = Counter((polygon[k - 1], polygon[k]) for polygon in self.polygons for k in range(len(polygon)))
        alone = [way for way in ways if ways[way] != ways.get((way[1], way[0]), 0)]
        if alone:
            raise SolidError(
                "the surface of a polyhedron is not closed",
                got=f"{len(alone)} edges of one polygon only, such as that from point {alone[0][0]} to {alone[0][1]}",
                wanted="every edge run forth by one polygon and back by another",
                fix="add the polygons that are missing, or turn round those that run the wrong way",
            )

    @cached_property
    def corners(self) -> Floats:
        """The points as rows."""
        return np.array(self.points)

    @cached_property
    def triangles(self) -> NDArray[np.intp]:
        """The polygons in triangles, each a fan from its first corner."""
        fans = [(fan[0], fan[k], fan[k + 1]) for fan in self.polygons for k in range(1, len(fan) - 1)]
        return np.array(fans)

    @cached_property
    def volume(self) -> float:
        """Of the pyramids from a corner to all triangles."""
        a, b, c = (self.corners[self.triangles[:, k]] - self.corners[0] for k in range(3))
        return float(np.einsum("ij,ij->", a, cross(b, c)) / 6)

    def contains(self, points: Floats) -> Inside:
        inside = np.zeros(len(points), dtype=bool)
        at = ODD_TURN.point(np.asarray(points, dtype=float))
        for first, last, i, k in self._columns.near(at):
            inside[first:last] = self._crossed(points[first:last], at[first:last], i, k)
        return inside

    @cached_property
    def _turned(self) -> tuple[Floats, Floats, Floats]:
        """The corners of its triangles, seen along the rays."""
        corners = ODD_TURN.point(self.corners)
        return corners[self.triangles[:, 0]], corners[self.triangles[:, 1]], corners[self.triangles[:, 2]]

    @cached_property
    def _columns(self) -> ColumnIndex:
        """Its triangles by where they are seen along the rays."""
        return ColumnIndex.of(*self._turned)

    def _crossed(self, points: Floats, at: Floats, i: NDArray[np.intp], k: NDArray[np.intp]) -> Inside:
        """Whether rays from points leave the surface more often than they enter it, by triangles that may be met."""
        a, b, c, p = *(each[k] for each in self._turned), at[i]
        parts = np.stack([_area(b, c, p), _area(c, a, p), _area(a, b, p)])
        whole = _area(a, b, c)
        share = parts / np.where(whole == 0, 1.0, whole)
        met = (share > 0).all(axis=0) & (whole != 0)
        height = share[0] * a[:, 2] + share[1] * b[:, 2] + share[2] * c[:, 2]
        rise = np.where(met & (height > p[:, 2]), np.sign(whole), 0.0)
        inside: Inside = np.bincount(i, weights=rise, minlength=len(at)) > 0.5
        unsure = np.unique(i[(np.abs(share) < NEAR_EDGE).any(axis=0)])
        inside[unsure] = self._wound(points[unsure])
        return inside

    def _wound(self, points: Floats) -> Inside:
        """Whether the surface fills half of all directions or more, seen from points (van Oosterom & Strackee)."""
        wound = np.zeros(len(points), dtype=bool)
        corners = [self.corners[self.triangles[:, k], None] for k in range(3)]
        at_once = max(1, AT_ONCE // len(self.triangles))
        for first in range(0, len(points), at_once):
            some = slice(first, first + at_once)
            a, b, c = (each - points[some] for each in corners)
            la, lb, lc = (np.linalg.norm(side, axis=2) for side in (a, b, c))
            volume = np.einsum("ijk,ijk->ij", a, cross(b, c))
            rest = [np.einsum("ijk,ijk->ij", *pair) for pair in ((a, b), (b, c), (c, a))]
            total = 2 * np.arctan2(volume, la * lb * lc + rest[0] * lc + rest[1] * la + rest[2] * lb)
            wound[some] = total.sum(axis=0) > TURN_OF_SPACE / 2
        return wound

    @property
    def box(self) -> Box:
        return self.corners.min(axis=0), self.corners.max(axis=0)

    def faces(self) -> Iterator[Face]:
        """Its plane faces: triangles that share an edge and lie in one plane are one."""
        facets = self._facets()
        alone = np.array([places[0] for places in facets if len(places) == 1], dtype=np.intp)
        single = self._triangle_faces(alone)
        for places in facets:
            face = next(single) if len(places) == 1 else self._facet(places)
            if face is not None:
                yield face

    def _triangle_faces(self, places: NDArray[np.intp]) -> Iterator[PlaneFace | None]:
        """Rectangles around triangles, each along its longest edge; None for one without area."""
        corners = self.corners[self.triangles[places]]
        ways = np.roll(corners, -1, axis=1) - corners
        lengths = np.linalg.norm(ways, axis=2)
        longest = np.argmax(lengths, axis=1)
        rows = np.arange(len(places))
        size = lengths[rows, longest]
        along = ways[rows, longest] / np.where(size > 0, size, 1.0)[:, None]
        normals = self.normals[places]
        area = np.linalg.norm(normals, axis=1)
        across = cross(normals / np.where(area > 0, area, 1.0)[:, None], along)
        start, tip = corners[rows, longest], corners[rows, (longest + 2) % 3]
        height = np.einsum("ij,ij->i", tip - start, across)
        for row in zip(
            start.tolist(), along.tolist(), across.tolist(), size.tolist(), height.tolist(), area, strict=True
        ):
            point, way, aside, width, high, twice_area = row
            yield (
                PlaneFace(tuple(point), tuple(way), tuple(aside), (0.0, width), (0.0, high))
                if twice_area
                else None
            )

    def _facet(self, places: NDArray[np.intp]) -> PlaneFace | None:
        """A rectangle around triangles of one plane; None if they have no area."""
        triangles = self.triangles[places]
        normal = self.normals[places].sum(axis=0)
        if not normal.any():
            return None
        rows = self.corners[np.unique(triangles)]
        along = unit(self._longest_edge(triangles))
        across = unit(cross(normal, along))
        u, v = (rows - rows[0]) @ np.array(along), (rows - rows[0]) @ np.array(across)
        return PlaneFace(
            triple(rows[0]), along, across, (float(u.min()), float(u.max())), (float(v.min()), float(v.max()))
        )

    @cached_property
    def normals(self) -> Floats:
        """The way out of each triangle, as long as twice its area."""
        a, b, c = (self.corners[self.triangles[:, k]] for k in range(3))
        return cross(b - a, c - a)

    def _facets(self) -> list[NDArray[np.intp]]:
        """The triangles of each plane face."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        edges, first, second = shared_edges(self.triangles)
        flat = np.ones(len(edges), dtype=bool)
        slack = IN_PLANE * math.dist(*self.box)
        for own, other in ((first, second), (second, first)):
            sizes = np.linalg.norm(self.normals[own], axis=1)
            across = self.normals[own] / np.where(sizes > 0, sizes, 1.0)[:, None]
            tip = self.triangles[other].sum(axis=1) - edges.sum(axis=1)
            away = np.einsum("ij,ij->i", across, self.corners[tip] - self.corners[edges[:, 0]])
            flat &= (np.abs(away) <= slack) & (sizes > 0)
        flat &= np.einsum("ij,ij->i", self.normals[first], self.normals[second]) > 0
        joined = (np.ones(int(flat.sum())), (first[flat], second[flat]))
        _, face = connected_components(coo_array(joined, shape=(len(self.triangles),) * 2), directed=False)
        order = np.argsort(face, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(face[order])) + 1)

    def _longest_edge(self, triangles: NDArray[np.intp]) -> Floats:
        """The longest edge around some triangles of one plane: rectangles along it are hardly larger than need be."""
        ends = np.sort(edge_ends(triangles), axis=1)
        outer, counts = np.unique(ends, axis=0, return_counts=True)
        around = outer[counts == 1] if (counts == 1).any() else outer
        ways = self.corners[around[:, 1]] - self.corners[around[:, 0]]
        longest: Floats = ways[int(np.argmax(np.einsum("ij,ij->i", ways, ways)))]
        return longest


def edge_ends(triangles: NDArray[np.intp]) -> NDArray[np.intp]:
    """The corners at the ends of all edges of triangles: all first edges, then all second, then all third ones."""
    return np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])


def shared_edges(triangles: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The edges between two triangles, by their corners, and both triangles."""
    ends, owners = np.sort(edge_ends(triangles), axis=1), np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((ends[:, 0], ends[:, 1]))
    ends, owners = ends[order], owners[order]
    same = np.flatnonzero((ends[1:] == ends[:-1]).all(axis=1))
    return ends[same], owners[same], owners[same + 1]


TURN_OF_SPACE: Final = 4 * np.pi
"""All directions."""


def _area(a: Floats, b: Floats, c: Floats) -> Floats:
    """Twice the areas of triangles seen along z."""
    area: Floats = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return area
