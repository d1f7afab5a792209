"""Polyhedra: solids bounded by plane polygons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, Placement, Triple, cross, triple, unit
from linkwork.solid.region.columns import Boxes
from linkwork.solid.region.pairs import meeting
from linkwork.solid.surface import Face, PlaneFace
from linkwork.solid.values import Box, Inside, Solid, SolidError

ODD_TURN: Final = Placement.turn(0.7, (0.36, 0.48, 0.8)).holding(Placement.turn(1.1, (0.6, 0.0, 0.8)))
"""Rays go along an odd direction, so that they hardly ever meet an edge."""

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
            raise SolidError("a polyhedron needs polygons, and points that are numbers")
        self._check_places()
        self._check_closed()
        if self.volume <= 0:
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
        at, corners = ODD_TURN.point(points), ODD_TURN.point(self.corners)
        a, b, c = (corners[self.triangles[:, k]] for k in range(3))
        low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
        boxes = Boxes(low[:, 0], high[:, 0], low[:, 1], high[:, 1])
        i, k = meeting(Boxes(at[:, 0], at[:, 0], at[:, 1], at[:, 1]), boxes)
        below = at[i, 2] <= high[k, 2]
        i, k = i[below], k[below]
        a, b, c, p = a[k], b[k], c[k], at[i]
        parts = np.stack([_area(b, c, p), _area(c, a, p), _area(a, b, p)])
        whole = _area(a, b, c)
        share = parts / np.where(whole == 0, 1.0, whole)
        met = (share > 0).all(axis=0) & (whole != 0)
        height = (share[:, :, None] * np.stack([a, b, c])).sum(axis=0)[:, 2]
        rise = np.where(met & (height > p[:, 2]), np.sign(whole), 0.0)
        inside: Inside = np.bincount(i, weights=rise, minlength=len(at)) > 0.5
        unsure = np.unique(i[(np.abs(share) < NEAR_EDGE).any(axis=0)])
        inside[unsure] = self._wound(points[unsure])
        return inside

    def _wound(self, points: Floats) -> Inside:
        """Whether the surface fills half of all directions or more, seen from points (van Oosterom & Strackee)."""
        total = np.zeros(len(points))
        for triangle in self.triangles:
            a, b, c = (self.corners[place] - points for place in triangle)
            la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
            volume = np.einsum("ij,ij->i", a, cross(b, c))
            rest = [np.einsum("ij,ij->i", *pair) for pair in ((a, b), (b, c), (c, a))]
            total += 2 * np.arctan2(volume, la * lb * lc + rest[0] * lc + rest[1] * la + rest[2] * lb)
        wound: Inside = total > TURN_OF_SPACE / 2
        return wound

    @property
    def box(self) -> Box:
        return self.corners.min(axis=0), self.corners.max(axis=0)

    def faces(self) -> Iterator[Face]:
        for polygon in self.polygons:
            rows = self.corners[list(polygon)]
            normal = cross(rows, np.roll(rows, -1, axis=0)).sum(axis=0)
            if not normal.any():
                continue
            along = unit(rows[1] - rows[0])
            across = unit(cross(normal, along))
            u, v = (rows - rows[0]) @ np.array(along), (rows - rows[0]) @ np.array(across)
            yield PlaneFace(
                triple(rows[0]),
                along,
                across,
                (float(u.min()), float(u.max())),
                (float(v.min()), float(v.max())),
            )


TURN_OF_SPACE: Final = 4 * np.pi
"""All directions."""


def _area(a: Floats, b: Floats, c: Floats) -> Floats:
    """Twice the areas of triangles seen along z."""
    area: Floats = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return area
