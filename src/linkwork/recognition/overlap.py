"""How deep two parts lie in one another: how far a point of the skin of one that is inside the other is from outside.

The depth is the largest such distance, of the points of either skin. It is looked for from the deepest of some points
on, closer and closer. Distances in prismatic parts are exact; in others they are those from their faces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.recognition.body import Body, are_between
from linkwork.recognition.drawn_axes import WORLD
from linkwork.recognition.faces import Faces
from linkwork.recognition.flats import Flats
from linkwork.recognition.mesh import Band
from linkwork.recognition.reach import Places
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.skin import (
    AROUND,
    LOOKS,
    Samples,
    octants,
    plane_samples,
    round_samples,
    samples_of,
    spread_ways,
)
from linkwork.recognition.stack import Stack
from linkwork.solid import Face, PlaneFace, RoundFace, Solid, SphereFace
from linkwork.solid.pieces import WHERE_DRAWN
from linkwork.solid.placement import Floats, Placement, triple
from linkwork.solid.section import frame_across
from linkwork.solid.shell.vector import across
from linkwork.solid.values import EMPTY, Inside, Union

SEEDS: Final = 8
"""From how many of the deepest points, each on a face of its own, deeper ones are looked for."""
MOST_POINTS: Final = 512
"""Among how many points these are chosen."""
SMALL: Final = 0.02
"""Of the size of a part: plane faces that are smaller than this, as those of meshes, are looked at in fewer points."""
ON_BALL: Final = 400
"""At how many points a sphere is looked at: what reaches a hundredth of its radius into it has one."""
ON_RIM: Final = 72
"""At how many points a circle is looked at in which a sphere and a plane meet."""
BESIDE: Final = 10.0
"""How far beside it, in skins: where a wall leans outwards it must have begun."""
SPARSE: Final = 16
"""Of the points on faces every so many is looked behind, to see whether parts are in the same place."""
BEHIND: Final = 4.0
"""How far behind them, in tolerances."""
CLOSE: Final = 1e-4
"""How close the points are in the end, of the depth."""
PAIRS_AT_ONCE: Final = 40_000
"""Points times faces that are looked at together: so few that no product of matrices goes to several threads."""
TRIED: Final = 4
"""Of how many faces, the nearest first, it is asked at once whether one is left through them."""
ON_AXIS: Final = 1e-9
"""Of the radius: points that are nearer to an axis than this are on it."""
NEARLY: Final = 0.01
"""By how much farther off than its surface the box around a face may be, for it is cut by looks."""
GRID: Final = np.array([(x, y) for x in range(-2, 3) for y in range(-2, 3)], dtype=float)
"""Where they are."""


@dataclass(frozen=True, eq=False)
class Shell:
    """A part and the faces by which one leaves it."""

    body: Body
    faces: Faces
    """Plane ones, round ones, then others."""
    gears: Solid
    """The pitch bodies in it, which stand for teeth and may lie in others."""

    @classmethod
    def of(cls, body: Body, skin: Faces) -> Shell:
        """The shell of a part by its skin."""
        marked = tuple(piece.placed for piece in body.pieces if piece.gear)
        return cls(body, skin, Union(marked) if marked else EMPTY)

    @property
    def flats(self) -> Flats:
        """Its plane faces."""
        return self.faces.flats

    @property
    def rounds(self) -> Rounds:
        """Its cylinders and cones."""
        return self.faces.rounds

    @cached_property
    def stack(self) -> Stack | None:
        """The part as layers, if it is prismatic."""
        return Stack.of(self.body.solid, self.faces)

    @cached_property
    def boxes(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of each of its faces."""
        others = [face.box for face in self.faces.others]
        low, high = (
            np.concatenate(
                [self.flats.boxes[end], self.rounds.boxes[end], *(box[end][None] for box in others)]
            )
            for end in (0, 1)
        )
        return low, high

    def off(self, points: Floats) -> Floats:
        """How far points, a row for each, are from the surfaces of its faces, wherever these end."""
        others = [
            np.linalg.norm(_nearest(face, points)[0] - points, axis=1)[:, None] for face in self.faces.others
        ]
        return np.hstack([self.flats.off(points), np.abs(self.rounds.off(points)), *others])

    def nearest(self, places: Places, points: Floats) -> Samples:
        """The nearest points of the surfaces of its faces, one of each to one point, and the normals there."""
        found, normals = np.empty((len(points), 3)), np.empty((len(points), 3))
        for place in np.unique(places):
            own = places == place
            found[own], normals[own] = _nearest(self.faces.value(int(place)), points[own])
        return found, normals

    def depths(self, points: Floats) -> Floats:
        """How far points inside it are from its surface."""
        return depth_in(self, points) if self.stack is None else self.stack.depths(points)

    @cached_property
    def balls(self) -> tuple[Floats, Floats]:
        """The middles and radii of balls in which all its surface is."""
        flats, rounds = self.flats, self.rounds
        of_flats = np.hypot(*flats.sizes.T) / LOOKS / 2
        around = rounds.radii.max(axis=1) * rounds.angles[:, 1] / AROUND
        of_rounds = np.hypot(np.hypot(rounds.lengths, np.ptp(rounds.radii, axis=1)) / LOOKS, around) / 2
        others = self.faces.others
        reaches = [face.radius + (0.0 if isinstance(face, SphereFace) else face.tube) for face in others]
        points = [
            plane_samples(flats)[0],
            round_samples(rounds)[0],
            *(np.array([face.point]) for face in others),
        ]
        radii = [np.repeat(of_flats, LOOKS * LOOKS), np.repeat(of_rounds, LOOKS * AROUND), np.array(reaches)]
        return np.concatenate(points), np.concatenate(radii)

    def samples(self, low: Floats, high: Floats) -> Samples:
        """Points of its faces in a box, with the normals there: as many on a small piece as on a whole face."""
        flats, rounds = self.flats.within(low, high), self.rounds.within(low, high)
        every = [samples_of(face) for face in self.faces.others]
        balls = [face for face in self.faces.others if isinstance(face, SphereFace)]
        every += [_on_ball(face, low, high) for face in balls] + [
            _on_rims(face, flats, BESIDE * self.body.skin) for face in balls
        ]
        small = np.all(flats.sizes < SMALL * self.body.size, axis=1)
        large, small_ones = flats.only(np.flatnonzero(~small)), flats.only(np.flatnonzero(small))
        if len(large):
            every = [plane_samples(large), _corners(large), *every]
        if len(small_ones):
            every = [_on_triangles(small_ones), _corners(small_ones), *every]
        if len(rounds):
            every.append(round_samples(rounds))
        if not every:
            return np.zeros((0, 3)), np.zeros((0, 3))
        points, normals = (np.concatenate(each) for each in zip(*every, strict=True))
        inside = are_between(points, low, high)
        return points[inside], normals[inside]


def _on_ball(face: SphereFace, low: Floats, high: Floats) -> Samples:
    """Points spread evenly over a sphere, and where it is nearest to a box: there it reaches into it first."""
    centre = np.array(face.point)
    nearest = np.clip(centre, low, high) - centre
    ways = np.vstack(
        [spread_ways(ON_BALL), *([nearest / length] if (length := math.hypot(*nearest)) > 0 else [])]
    )
    return centre + face.radius * ways, ways


def _on_rims(face: SphereFace, flats: Flats, beside: float) -> Samples:
    """Points of plane faces beside the circles in which a sphere cuts them, within and without: edges of cups."""
    centre = np.array(face.point)
    heights = flats.offsets - flats.normals @ centre
    cut = np.flatnonzero(np.abs(heights) < face.radius)
    turns = np.linspace(0.0, math.tau, ON_RIM, endpoint=False)
    points = np.zeros((len(cut), 2, ON_RIM, 3))
    for row, place in enumerate(cut):
        middle = centre + heights[place] * flats.normals[place]
        radius = math.sqrt(face.radius**2 - heights[place] ** 2)
        along, aside = flats.frames[place, 1:]
        ways = np.outer(np.cos(turns), along) + np.outer(np.sin(turns), aside)
        for side, farther in enumerate((-beside, beside)):
            points[row, side] = middle + (radius + farther) * ways
    return points.reshape(-1, 3), np.repeat(flats.normals[cut], 2 * ON_RIM, axis=0)


def _on_triangles(flats: Flats) -> Samples:
    """Points of small plane faces, two at least of each in it, also if it is a triangle on the longest of its edges."""
    points = flats.on_grid(np.array([0.25, 0.75])).reshape(-1, 3)
    return points, np.repeat(flats.normals, 4, axis=0)


def _corners(flats: Flats) -> tuple[Floats, Floats]:
    """The corners of plane faces, a little inside them, and the normals: there parts reach into others first."""
    points = flats.on_grid(np.array([1e-6, 1 - 1e-6])).reshape(-1, 3)
    return points, np.repeat(flats.normals, 4, axis=0)


@dataclass(frozen=True)
class Overlap:
    """How deep two parts lie in one another, and where that is."""

    depth: float
    at: tuple[float, float, float]


def overlap(
    a: Shell,
    b: Shell,
    tolerance: float,
    moved: tuple[Placement, Placement] = (WHERE_DRAWN, WHERE_DRAWN),
    within: float = CLOSE,
    band: Band | None = None,
) -> Overlap | None:
    """The deepest place of two parts in one another; None if they are at most as deep as the tolerance.

    ``moved`` tells how far each part has moved from where it was drawn; ``within`` is how close the points are in the
    end among which the deepest is, as a part of the depth. What is in a ``band`` of teeth, as they are drawn, is left
    out.
    """
    found = [
        each
        for shells, places in (((a, b), moved), ((b, a), moved[::-1]))
        for each in _deep(_Side(*shells, _seen(*places), tolerance, band), places[0], within)
    ]
    return max(found, key=lambda each: each.depth, default=None)


@dataclass(frozen=True, eq=False)
class _Side:
    """The skin of one part, seen in the other."""

    a: Shell
    b: Shell
    to_b: Placement | None
    tolerance: float
    band: Band | None

    def seen(self, points: Floats) -> Floats:
        """Points of the first in the coordinates of the second."""
        return points if self.to_b is None else self.to_b.point(points)

    def inside(self, points: Floats, normals: Floats) -> Places:
        """Which points are on the skin of the first and in the second, but in no pitch body and in no band of teeth."""
        seen, (low, high) = self.seen(points), self.b.body.box
        near = np.flatnonzero(are_between(seen, low, high))
        inside = near[self.b.body.membership.contains(seen[near])]
        inside = inside[self.a.body.is_surface(points[inside], normals[inside])]
        return inside[self._count(points[inside])]

    def _count(self, points: Floats) -> Inside:
        """Which points are in no pitch body and in no band of teeth."""
        counts = np.ones(len(points), dtype=bool)
        for shell, where in ((self.a, points), (self.b, self.seen(points))):
            if len(points) and not shell.gears.is_empty:
                counts &= ~_about(shell.gears, where)
        return counts if self.band is None else counts & ~self.band.contains(points)

    def deepest(self, within: float) -> tuple[float, Floats] | None:
        """The depth of the deepest point, and where it is in the first part; None if there is none."""
        low, high = _box_of(self.b, self.to_b)
        points, normals = self.a.samples(low - self.tolerance, high + self.tolerance)
        inside = self.inside(points, normals)
        plainly = _are_inside_by(self.b.body, self.seen(points[inside]), self.tolerance)
        inside = inside[plainly]
        if not len(inside):
            return self._coinciding(points[::SPARSE], normals[::SPARSE])
        depths = self.b.depths(self.seen(points[inside]))
        order = np.argsort(-depths, kind="stable")
        if depths[order[0]] <= self.tolerance:
            return None
        order = order[:MOST_POINTS]
        return self._closer(points[inside[order]], depths[order], within)

    def _coinciding(self, points: Floats, normals: Floats) -> tuple[float, Floats] | None:
        """The deepest place of what both parts fill though neither's skin is in the other: they are in the same place.

        Then the skins coincide there, so that behind some points of the first there is material of both.
        """
        behind = np.concatenate([points + way * BEHIND * self.tolerance * normals for way in (1.0, -1.0)])
        if not self._fill_both(behind).any():
            return None
        cells = self.a.body.cells[:, :3]
        both = cells[self._fill_both(cells)]
        if not len(both):
            return None
        depths = self.b.depths(self.seen(both))
        deepest = int(np.argmax(depths))
        return float(depths[deepest]), both[deepest]

    def _fill_both(self, points: Floats) -> Inside:
        """Which points are plainly in both parts and count."""
        found = self.a.body.membership.contains(points)
        for body, where in ((self.b.body, self.seen), (self.a.body, lambda given: given)):
            found[found] = _are_inside_by(body, where(points[found]), self.tolerance)
        found[found] = self._count(points[found])
        return found

    def _closer(self, points: Floats, depths: Floats, within: float) -> tuple[float, Floats]:
        """Deeper points beside those that are the deepest on their faces."""
        if math.isinf(within):
            return float(depths[0]), points[0]
        seeds = _on_faces(self.a, points)
        best, deep = points[[place for place, _ in seeds]], depths[[place for place, _ in seeds]]
        step = min(self.a.body.size, self.b.body.size) / LOOKS
        while step > within * deep.max():
            around = [_around(face, point, step) for (_, face), point in zip(seeds, best, strict=True)]
            every, normals = (np.concatenate(each) for each in zip(*around, strict=True))
            found = np.zeros(len(every))
            inside = self.inside(every, normals)
            found[inside] = self.b.depths(self.seen(every[inside]))
            rows = found.reshape(len(seeds), -1)
            places = rows.argmax(axis=1)
            tops = rows[np.arange(len(seeds)), places]
            better = tops > deep
            best[better] = every.reshape(*rows.shape, 3)[better, places[better]]
            deep[better] = tops[better]
            step /= 2
        place = int(np.argmax(deep))
        return float(deep[place]), best[place]


def _deep(side: _Side, moved: Placement, within: float) -> list[Overlap]:
    """The deepest point of the skin of the first part in the second."""
    found = side.deepest(within)
    return [] if found is None else [Overlap(found[0], triple(moved.point(found[1])))]


def _seen(of_a: Placement, of_b: Placement) -> Placement | None:
    """The way from the coordinates of a part to those of another, both moved; None if they are the same."""
    return None if of_a == of_b else of_b.inverse.holding(of_a)


def _on_faces(shell: Shell, points: Floats) -> list[tuple[int, Face]]:
    """The first points that lie on faces of their own, with these."""
    on = shell.off(points) <= shell.body.skin
    firsts = np.where(on.any(axis=0), on.argmax(axis=0), len(points))
    order = np.argsort(firsts, kind="stable")[:SEEDS]
    return [
        (int(firsts[place]), shell.faces.value(int(place))) for place in order if firsts[place] < len(points)
    ]


def _around(face: Face, point: Floats, step: float) -> tuple[Floats, Floats]:
    """Points of a face around one, and the normals there."""
    normal = _nearest(face, point[None])[1][0]
    frame = frame_across(triple(normal)).matrix
    return _nearest(face, point + step * GRID @ frame[:, :2].T)


def _box_of(shell: Shell, seen: Placement | None) -> tuple[Floats, Floats]:
    """The box around a part, in coordinates from which ``seen`` leads to its own."""
    low, high = shell.body.box
    if seen is None:
        return low, high
    corners = np.array(
        [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    placed = seen.inverse.point(corners)
    return placed.min(axis=0), placed.max(axis=0)


def _are_inside_by(body: Body, points: Floats, least: float) -> Inside:
    """Whether points lie in a part with all around them: those on an edge lie in it by a last digit only."""
    around = points[:, None] + least * octants()
    return np.asarray(body.membership.contains(around.reshape(-1, 3)).reshape(around.shape[:2]).all(axis=1))


def _about(gears: Solid, points: Floats) -> Inside:
    """Whether points are in pitch bodies or on them."""
    low, high = gears.box
    middle = (low + high) / 2
    return gears.contains(points) | gears.contains(points + 1e-6 * (middle - points))


def depth_in(shell: Shell, points: Floats) -> Floats:
    """How far points inside a part are from its surface, by the nearest points of its faces."""
    found = np.zeros(len(points))
    step = max(1, PAIRS_AT_ONCE // max(1, len(shell.faces)))
    for first in range(0, len(points), step):
        found[first : first + step] = _some_depths(shell, points[first : first + step])
    return found


def _some_depths(shell: Shell, points: Floats) -> Floats:
    """Of each point the distance from the nearest surface that bounds the part there, its nearest faces first.

    A surface is no nearer than the box around its face: faces are left out whose boxes are farther off.
    """
    off = shell.off(points)
    aside = np.zeros_like(off)
    for low, high, own in zip(*(each.T for each in shell.boxes), points.T, strict=True):
        aside += np.maximum(np.maximum(low - own[:, None], own[:, None] - high), 0.0) ** 2
    off[np.sqrt(aside) > (1 + NEARLY) * off + 4 * shell.body.skin] = np.inf
    order = np.argsort(off, axis=1, kind="stable")
    found = np.zeros(len(points))
    left = np.arange(len(points))
    for first in range(0, off.shape[1], TRIED):
        left = left[np.isfinite(off[left, order[left, first]])]
        if not len(left):
            break
        tried = order[left, first : first + TRIED]
        away = off[left[:, None], tried]
        bounds = np.isfinite(away)
        nearest, normals = shell.nearest(tried[bounds], points[np.repeat(left, bounds.sum(axis=1))])
        bounds[bounds] = shell.body.is_surface(nearest, normals, 2 * shell.body.skin)
        met = bounds.any(axis=1)
        found[left[met]] = away[met, bounds[met].argmax(axis=1)]
        left = left[~met]
    return found


def _nearest(face: Face, points: Floats) -> tuple[Floats, Floats]:
    """The nearest points of the surface on which a face lies, and the normals there."""
    origin = np.array(face.point)
    if isinstance(face, PlaneFace):
        normal = np.array(face.normal)
        nearest = points - np.outer((points - origin) @ normal, normal)
        return nearest, np.tile(normal, (len(points), 1))
    if isinstance(face, SphereFace):
        ways = _units(points - origin)
        return origin + face.radius * ways, ways
    axis = np.array(face.axis)
    along = (points - origin) @ axis
    feet = origin + np.outer(along, axis)
    aside = np.array(face.zero) if isinstance(face, RoundFace) else across(axis)
    outward = _units(points - feet, aside, ON_AXIS * face.radius)
    if not isinstance(face, RoundFace):
        ring = origin + face.radius * outward
        ways = _units(points - ring)
        return ring + face.tube * ways, ways
    length = face.span[1] - face.span[0]
    slope = (face.far_radius - face.radius) / length if length else 0.0
    cosine = 1 / math.hypot(1.0, slope)
    normals = cosine * (outward - slope * axis)
    radii = face.radius + slope * (along - face.span[0])
    gap = (np.linalg.norm(points - feet, axis=1) - radii) * cosine
    return points - gap[:, None] * normals, normals


def _units(rows: Floats, otherwise: Floats = WORLD[0], least: float = 1e-300) -> Floats:
    """Directions; another one where a row is so short that it is none, as of points on an axis."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(lengths > least, rows / np.where(lengths > least, lengths, 1.0), otherwise)


def overlaps(
    shells: Mapping[int, Shell], pairs: Sequence[tuple[int, int]], tolerance: float
) -> list[tuple[int, int, Overlap]]:
    """All pairs of parts that lie in one another, the deepest first."""
    found = [(a, b, overlap(shells[a], shells[b], tolerance)) for a, b in pairs]
    deep = [(a, b, each) for a, b, each in found if each is not None]
    return sorted(deep, key=lambda each: -each[2].depth)
