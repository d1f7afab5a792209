"""Faces laid out flat: a one-to-one picture of a face in the plane, in which its loops are polygons.

A plane is its own picture. A sphere is projected from a point of it that the face leaves out, which keeps circles. What
runs around an axis is cut open and unrolled. Where a cut doubles a corner, both pictures know which corner they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NoReturn, Protocol

import numpy as np

from linkwork.solid.mesh.mesh import Numbers
from linkwork.solid.placement import Floats, cross
from linkwork.solid.shell import Patch
from linkwork.solid.shell.chart import Chart, chart_of
from linkwork.solid.shell.distance import distances
from linkwork.solid.shell.rays import directions
from linkwork.solid.shell.trim import is_on
from linkwork.solid.shell.vector import across
from linkwork.solid.surface import TURN, Face, PlaneFace, RoundFace, SphereFace, TorusFace
from linkwork.solid.values import SolidError

MOST_BEND: Final = 1.0
"""The angle between the ends of an edge, in radians, above which it is halved in any case."""
LOW: Final = 0.1
"""The height of the picture of a cylinder, in radii: its triangles are then long along its axis."""
LOOKS: Final = 300
"""Points of a sphere among which one outside the face is looked for."""


class Picture(Protocol):
    """How a face lies in the plane."""

    def lift(self, places: Floats) -> Floats:
        """The points of the face that plane points show."""

    def bends(self, one: Floats, other: Floats) -> Floats:
        """By which angles the face turns between plane points."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Plane points, the loops over them by numbers, which corner of the mesh each point shows, and the picture."""

    places: Floats
    loops: list[Numbers]
    corners: Numbers
    picture: Picture
    surface: Face

    def bulges(self, places: Floats, edges: Numbers) -> Floats:
        """How far the face leaves the straight ways between plane points; those that bend much count as far away."""
        one, other = places[edges[:, 0]], places[edges[:, 1]]
        straight = (self.picture.lift(one) + self.picture.lift(other)) / 2
        bends = self.picture.bends(one, other)
        far = np.where(bends > MOST_BEND, bends * self.size, 0.0)
        return np.maximum(np.abs(distances(self.surface, straight)), far)

    @property
    def size(self) -> float:
        """Of the picture."""
        return float(np.ptp(self.places, axis=0).max())


def laid_out(patch: Patch, points: Floats, loops: Sequence[Numbers], tip: int) -> Layout:
    """The picture of a face whose loops are given by the numbers of points; ``tip`` is the number of a cone's."""
    surface = patch.surface
    if isinstance(surface, SphereFace):
        ball = _Ball(
            sphere=surface, pole=_free_pole(patch, surface, points[np.concatenate(loops)]), side=patch.side
        )
        return _direct(loops, [ball.project(points[loop]) for loop in loops], ball, surface)
    if isinstance(surface, PlaneFace):
        flat = _Rolled(chart_of(patch), patch.side, np.ones(2), np.zeros(2), is_turned=False)
        places = [np.column_stack(flat.chart.uv(points[loop])) * [patch.side, 1.0] for loop in loops]
        return _direct(loops, places, flat, surface)
    return _Unrolling(patch, points, loops, tip).layout()


def _direct(loops: Sequence[Numbers], places: Sequence[Floats], picture: Picture, surface: Face) -> Layout:
    starts = np.cumsum([0, *(len(loop) for loop in loops)])
    numbers = [np.arange(low, high) for low, high in pairwise(starts.tolist())]
    return Layout(np.concatenate(places), numbers, np.concatenate(loops), picture, surface)


@dataclass(frozen=True, eq=False)
class _Rolled:
    """The coordinates u and v of a face, side by side in lengths."""

    chart: Chart
    side: float
    scales: Floats
    angular: Floats
    """1 for a coordinate that is an angle, else 0."""
    is_turned: bool
    """Whether v is ahead, and u against the second direction."""

    def lift(self, places: Floats) -> Floats:
        """The points of the face that plane points show."""
        first, second = (places / self.scales).T
        u, v = (-second, first) if self.is_turned else (first, second)
        return self.chart.at(self.side * u, v)[0]

    def bends(self, one: Floats, other: Floats) -> Floats:
        """By which angles the face turns between plane points."""
        turns = np.abs(one - other) / self.scales * self.angular
        return np.asarray(turns.max(axis=1))


# ---------------------------------------------------------------------------------------- spheres


@dataclass(frozen=True, eq=False)
class _Ball:
    """A sphere, projected from a point of it onto the plane across it; what turns left seen from outside does so."""

    sphere: SphereFace
    pole: Floats
    side: float

    def _frame(self) -> tuple[Floats, Floats]:
        first = across(self.pole)
        return first, -self.side * cross(self.pole, first)

    def project(self, points: Floats) -> Floats:
        """The plane points that show points of the sphere."""
        first, second = self._frame()
        spokes = (points - np.array(self.sphere.point)) / self.sphere.radius
        away = np.maximum(1 - spokes @ self.pole, 1e-12)
        return np.column_stack([spokes @ first / away, spokes @ second / away])

    def lift(self, places: Floats) -> Floats:
        """The points of the sphere that plane points show."""
        square = np.einsum("ij,ij->i", places, places)
        first, second = self._frame()
        flat = np.outer(places[:, 0], first) + np.outer(places[:, 1], second)
        spokes = (2 * flat + np.outer(square - 1, self.pole)) / (square + 1)[:, None]
        return np.asarray(np.array(self.sphere.point) + self.sphere.radius * spokes)

    def bends(self, one: Floats, other: Floats) -> Floats:
        """By which angles the face turns between plane points."""
        chords = np.linalg.norm(self.lift(one) - self.lift(other), axis=1)
        return np.asarray(2 * np.arcsin(np.minimum(chords / (2 * self.sphere.radius), 1.0)))


def _free_pole(patch: Patch, sphere: SphereFace, border: Floats) -> Floats:
    """A direction in which the face is not, as far from it as can be seen."""
    centre = np.array(sphere.point)
    candidates = directions(LOOKS)
    candidates = np.concatenate([candidates, -candidates])
    outside = candidates[~is_on(patch, centre + sphere.radius * candidates)[0]]
    spokes = (border - centre) / sphere.radius
    if len(outside):
        return np.asarray(outside[int(np.argmin((outside @ spokes.T).max(axis=1)))])
    edge = next(patch.edges)
    middle, way = edge.at(np.array([0.5]))[0] - centre, edge.rates(np.array([0.5]))[0]
    right = cross(way, patch.side * middle)
    beside = middle / sphere.radius + 0.01 * right / np.linalg.norm(right)
    return np.asarray(beside / np.linalg.norm(beside))


# -------------------------------------------------------------------------------- around an axis


@dataclass(frozen=True, eq=False)
class _Line:
    """A loop in the plane, which ends ``winding`` turns ahead of its start; the corners it passes."""

    places: Floats
    corners: Numbers
    winding: int
    rise: float

    def shifted(self, x: float, y: float = 0.0) -> _Line:
        """The same elsewhere."""
        return _Line(self.places + np.array([x, y]), self.corners, self.winding, self.rise)

    def started(self, first: int) -> _Line:
        """The same from another of its corners on."""
        places = np.roll(self.places, -first, axis=0)
        if first:
            places[-first:, 0] += TURN * self.winding
        return _Line(places, np.roll(self.corners, -first), self.winding, self.rise)

    def closed(self) -> tuple[Floats, Numbers]:
        """With the first corner again at the end, where it is then."""
        last = self.places[:1] + np.array([TURN * self.winding, 0.0])
        return np.concatenate([self.places, last]), np.concatenate([self.corners, self.corners[:1]])

    def quarter_turned(self) -> _Line:
        """With the other coordinate ahead."""
        places = np.column_stack([self.places[:, 1], -self.places[:, 0]])
        return _Line(places, self.corners, round(self.rise / TURN), -TURN * self.winding)


class _Unrolling:
    """A face of a cylinder, cone or torus, cut open where it runs around."""

    def __init__(self, patch: Patch, points: Floats, loops: Sequence[Numbers], tip: int) -> None:
        self._patch = patch
        self._chart = chart_of(patch)
        self._tip = tip
        self._is_torus = isinstance(patch.surface, TorusFace)
        self._is_turned = False
        self._lines = [self._lifted(points[loop], loop) for loop in loops]

    def layout(self) -> Layout:
        """The loops that run around become one outline; the others are shifted into it."""
        if any(abs(line.rise) > 1 for line in self._lines):  # around the tube
            self._is_turned = True
            self._lines = [line.quarter_turned() for line in self._lines]
        if any(abs(line.winding) > 1 or abs(line.rise) > 1 for line in self._lines):
            self._fail()
        inner = [line for line in self._lines if not line.winding]
        if len(inner) < len(self._lines):
            outline = self._around()
        else:
            outer = max(inner, key=lambda line: _area(line.places))
            inner = [line for line in inner if line is not outer]
            outline = (outer.places, outer.corners)
        moved = [self._within(line, outline[0]) for line in inner]
        picture = self._picture()
        corners = [outline[1], *(line.corners for line in moved)]
        places = [outline[0], *(line.places for line in moved)]
        return _direct(corners, [each * picture.scales for each in places], picture, self._patch.surface)

    def _picture(self) -> _Rolled:
        """Coordinates in lengths, so that the picture is about as large as the face."""
        surface = self._patch.surface
        if isinstance(surface, TorusFace):
            scales, angular = [max(surface.radius, surface.radius + surface.tube), surface.tube], [1.0, 1.0]
        else:
            assert isinstance(surface, RoundFace)
            radius = max(surface.radius, surface.far_radius)
            height = (
                surface.span[1] - surface.span[0]
            )  # along which nothing bends: edges should rather run that way
            scales, angular = [radius, min(1.0, radius * LOW / height)], [1.0, 0.0]
        way = -1 if self._is_turned else 1
        return _Rolled(
            self._chart, self._patch.side, np.array(scales[::way]), np.array(angular[::way]), self._is_turned
        )

    def _lifted(self, points: Floats, corners: Numbers) -> _Line:
        """A loop without jumps. A tip that it passes is there twice, at the angles before and after."""
        u, v = self._chart.uv(points)
        places = np.column_stack([self._patch.side * u, v])
        if self._tip >= 0 and (at := np.flatnonzero(corners == self._tip)).size:
            here = int(at[0])
            places, corners = np.roll(places, -here - 1, axis=0), np.roll(corners, -here - 1)
            places = np.concatenate([places, places[-1:]])
            corners = np.concatenate([corners, corners[-1:]])
            places[-2, 0], places[-1, 0] = places[-3, 0], places[0, 0]
        circle = np.concatenate([places, places[:1]])
        circle[:, 0] = np.unwrap(circle[:, 0])
        if self._is_torus:
            circle[:, 1] = np.unwrap(circle[:, 1])
        ahead, rise = circle[-1] - circle[0]
        return _Line(circle[:-1], corners, round(float(ahead) / TURN), float(rise))

    def _around(self) -> tuple[Floats, Numbers]:
        """One outline from the loop below and the loop above, or the tip of a cone in the place of one."""
        below = next((line for line in self._lines if line.winding > 0), None)
        above = next((line for line in self._lines if line.winding < 0), None)
        below, above = below or self._point(above), above or self._point(below)
        if sum(1 for line in self._lines if line.winding) > 2:
            self._fail()
        if self._is_torus:
            gap = float(above.places[:, 1].mean() - below.places[:, 1].mean())
            above = above.shifted(0.0, -TURN * math.floor(gap / TURN))
        first, second, shift = self._bridge(below.places, above.places)
        low = below.started(first).closed()
        high = above.started(second).shifted(shift + TURN).closed()
        return np.concatenate([low[0], high[0]]), np.concatenate([low[1], high[1]])

    def _point(self, rim: _Line | None) -> _Line:
        """The tip of a cone as a loop around the axis, with a picture across each corner of the rim."""
        surface = self._patch.surface
        if self._tip < 0 or rim is None or not isinstance(surface, RoundFace):
            self._fail()
        height = surface.span[0] if surface.radius == 0 else surface.span[1]
        xs = np.concatenate([rim.places[:1, 0] + TURN * rim.winding, rim.places[:0:-1, 0]])
        places = np.column_stack([xs, np.full(len(xs), height)])
        return _Line(places, np.full(len(xs), self._tip), -rim.winding, 0.0)

    def _bridge(self, below: Floats, above: Floats) -> tuple[int, int, float]:
        """Where to cut: from a corner below to one above, past all loops; and how far the one above is shifted."""
        walls = np.concatenate([_walls(line) for line in self._lines])
        walls = np.concatenate([walls + np.array([step * TURN, 0.0]) for step in (-2, -1, 0, 1, 2)])
        order = []
        for first, corner in enumerate(below):
            shifts = TURN * np.round((corner[0] - above[:, 0]) / TURN)
            gaps = np.abs(corner[0] - above[:, 0] - shifts)
            second = int(np.argmin(gaps))
            order.append((float(gaps[second]), first, second, float(shifts[second])))
        for _, first, second, shift in sorted(order):
            if not _crosses(below[first], above[second] + [shift, 0.0], walls):
                return first, second, shift
        self._fail()

    def _within(self, line: _Line, outline: Floats) -> _Line:
        """A loop shifted by whole turns into the outline."""
        rows = (0, -1, 1, -2, 2)
        for x, y in ((x, y) for x in rows for y in (rows if self._is_torus else (0,))):
            moved = line.shifted(TURN * x, TURN * y)
            if _is_inside(moved.places[0], outline):
                return moved
        self._fail()

    def _fail(self) -> NoReturn:
        raise SolidError(
            "a face runs around its axis in a way that cannot be laid out",
            got=f"{type(self._patch.surface).__name__} with {len(self._patch.loops)} loops",
            wanted="a face between two loops around the axis, or within one loop",
        )


def _area(line: Floats) -> float:
    x, y = line.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def _walls(line: _Line) -> Floats:
    """The pieces of a loop: (pieces, 2 ends, 2)."""
    places = line.closed()[0]
    return np.stack([places[:-1], places[1:]], axis=1)


def _crosses(start: Floats, end: Floats, walls: Floats) -> bool:
    """Whether a straight way touches a wall elsewhere than at its own ends."""

    def side(a: Floats, b: Floats, c: Floats) -> Floats:
        return np.asarray(
            (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1])
            - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0])
        )

    one, other = walls[:, 0], walls[:, 1]
    apart = side(start, end, one) * side(start, end, other) > 0
    beside = side(one, other, start) * side(one, other, end) > 0
    near = 1e-9
    own = [np.abs(each - place).max(axis=1) < near for each in (one, other) for place in (start, end)]
    return bool(np.any(~apart & ~beside & ~np.any(own, axis=0)))


def _is_inside(point: Floats, polygon: Floats) -> bool:
    x, y = point
    ahead = np.roll(polygon, -1, axis=0)
    spans = (polygon[:, 1] > y) != (ahead[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        cut = polygon[:, 0] + (y - polygon[:, 1]) / (ahead[:, 1] - polygon[:, 1]) * (
            ahead[:, 0] - polygon[:, 0]
        )
    return bool(np.sum(spans & (cut > x)) % 2)
