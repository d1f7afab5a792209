"""What a tree of pawls touches, what it comes to touch on a way, and whether it is inside an obstacle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

from linkwork.fasten.tree.bodies import Bodies, Floats, Outlines, Pose, Touch, dot, turned

TOUCHING = 1e-9
"""Gaps below this are contacts; in units of the design's size, as all lengths here."""
INSIDE = 1e-11
"""Depth beyond which a body is inside an obstacle."""
FLUSH = 1e-7
"""Radians within which edges are flush."""
SAMPLES = 9
"""Of a step, at which gaps are looked at."""

Way: TypeAlias = Callable[[float], tuple[float, Floats]]
"""Time and angles at a place of a way."""


class Gaps(NamedTuple):
    """Of one body and one type: distances from lines and places along them, (configurations, pawl, obstacle)."""

    body: int
    kind: str
    gap: Floats
    along: Floats
    length: Floats
    able: NDArray[np.bool_]
    """Whether the vertex is one that can touch an edge."""

    def touch(self, i: int, j: int) -> Touch:
        """The pair in two places."""
        return Touch(self.body, self.kind, int(i), int(j))


def gaps_at(bodies: Bodies, t: Floats, theta: Floats) -> Iterator[Gaps]:
    """All gaps at a stack of configurations."""
    pose = bodies.pose(t, theta)
    standing = bodies.obstacles
    for body, outline in enumerate(bodies.outlines):
        corners = placed(outline, pose, body)
        off = corners[:, :, None] - standing.points
        able = np.broadcast_to(outline.bulges[:, None], off.shape[1:3])
        length = np.broadcast_to(standing.length, able.shape)
        yield Gaps(body, "B", dot(off, standing.normal), dot(off, standing.tangent), length, able)
        angle = pose.phi[:, body]
        normal = np.moveaxis(turned(outline.normal.T[:, :, None], angle), 1, 0)[:, :, None]
        tangent = np.moveaxis(turned(outline.tangent.T[:, :, None], angle), 1, 0)[:, :, None]
        able = np.broadcast_to(standing.bulges, off.shape[1:3])
        length = np.broadcast_to(outline.length[:, None], able.shape)
        yield Gaps(body, "A", -dot(off, normal), -dot(off, tangent), length, able)


def placed(outline: Outlines, pose: Pose, body: int) -> Floats:
    """A body's vertices at a stack of configurations: (configurations, vertices, 2)."""
    corners = np.moveaxis(turned(outline.points.T[:, :, None], pose.phi[:, body]), 1, 0)
    return np.asarray(corners + pose.hinge[:, None, body])


def touching(bodies: Bodies, t: float, theta: Floats, room: float = TOUCHING) -> list[Touch]:
    """All contacts at a configuration."""
    if not len(bodies.obstacles.points):
        return []
    pose = bodies.pose(np.array(t), theta)
    found = []
    for gaps in gaps_at(bodies, np.array([t]), theta[None]):
        gap, along = gaps.gap[0], gaps.along[0]
        near = gaps.able & (np.abs(gap) <= room) & (along >= -room) & (along <= gaps.length + room)
        found += [touch for i, j in np.argwhere(near) if can_touch(bodies, touch := gaps.touch(i, j), pose)]
    return sorted(found)


def can_touch(bodies: Bodies, touch: Touch, pose: Pose) -> bool:
    """Whether neither edge at the vertex points into the edge's body."""
    outline, standing = bodies.outlines[touch.body], bodies.obstacles
    angle = pose.phi[touch.body]
    if touch.kind == "B":
        rays = [outline.tangent[touch.pawl], -outline.tangent[outline.before[touch.pawl]]]
        normal = standing.normal[touch.obstacle]
        return all(float(turned(ray, angle) @ normal) >= -FLUSH for ray in rays)
    rays = [standing.tangent[touch.obstacle], -standing.tangent[standing.before[touch.obstacle]]]
    normal = turned(outline.normal[touch.pawl], angle)
    return all(float(ray @ normal) >= -FLUSH for ray in rays)


def first_touch(
    bodies: Bodies, way: Way, length: float, held: Collection[Touch]
) -> tuple[float, Touch] | None:
    """The first place on a way at which a contact that is not held closes, and which."""
    if not len(bodies.obstacles.points):
        return None
    places = np.linspace(0.0, length, SAMPLES)
    times, angles = _sampled(way, length, places)
    best: tuple[float, Touch] | None = None
    for gaps in gaps_at(bodies, times, angles):
        for i, j in _suspects(gaps):
            touch = gaps.touch(i, j)
            if touch in held:
                continue
            found = _closing(bodies, way, places, gaps.gap[:, i, j], touch)
            if found is not None and (best is None or found < best[0]):
                best = found, touch
    return best


def _sampled(way: Way, length: float, places: Floats) -> tuple[Floats, Floats]:
    """Times and angles at places, by a parabola through three of them: it is for picking out suspects only."""
    part = (places / length)[:, None]
    first, middle, last = (np.append(way(at)[1], way(at)[0]) for at in (0.0, length / 2, length))
    values = (
        first * (1 - part) * (1 - 2 * part) + middle * 4 * part * (1 - part) + last * part * (2 * part - 1)
    )
    return values[:, -1], values[:, :-1]


def _suspects(gaps: Gaps) -> list[tuple[int, int]]:
    """Pairs whose gap may close while the vertex is on the edge."""
    drop = np.abs(np.diff(gaps.gap, axis=0)).max(axis=0)
    pad = np.abs(np.diff(gaps.along, axis=0)).max(axis=0) + TOUCHING
    closes = (gaps.gap.min(axis=0) < 0.5 * drop) & (gaps.gap.max(axis=0) > -TOUCHING)
    on_edge = ((gaps.along >= -pad) & (gaps.along <= gaps.length + pad)).any(axis=0)
    return [(int(i), int(j)) for i, j in np.argwhere(closes & on_edge & gaps.able)]


def _closing(bodies: Bodies, way: Way, places: Floats, rough: Floats, touch: Touch) -> float | None:
    """Where on the way a contact closes, from open; none where its vertex is not on its edge then."""

    def gap(place: float) -> float:
        t, theta = way(place)
        return float(bodies.contact(touch, bodies.pose(np.array(t), theta)).gap)

    marks = [*places]
    k = int(np.argmin(rough))
    if 0 < k < len(places) - 1 and rough[k] > -TOUCHING:
        lowest = minimize_scalar(gap, bounds=(places[k - 1], places[k + 1]), method="bounded").x
        marks = sorted([*marks, float(lowest)])
    values = [gap(mark) for mark in marks]
    for low, high, before, after in zip(marks, marks[1:], values, values[1:], strict=False):
        if before > -10 * INSIDE and after < -10 * INSIDE:
            place = low if before <= 0 else float(brentq(gap, low, high, xtol=1e-15))
            if _meets(bodies, way, place, touch):
                return place
    return None


def _meets(bodies: Bodies, way: Way, place: float, touch: Touch) -> bool:
    """Whether the vertex is on the edge, and comes from outside."""
    t, theta = way(place)
    pose = bodies.pose(np.array(t), theta)
    along = float(bodies.contact(touch, pose).along)
    return -TOUCHING <= along <= bodies.length(touch) + TOUCHING and can_touch(bodies, touch, pose)


def is_inside(bodies: Bodies, t: float, theta: Floats, depth: float = INSIDE) -> bool:
    """Whether a body is inside an obstacle, deeper than rounding makes."""
    pose = bodies.pose(np.array([t]), theta[None])
    for body, outline in enumerate(bodies.outlines):
        corners = placed(outline, pose, body)[0]
        for part in bodies.obstacles.parts:
            if _overlap(corners, bodies.obstacles.points[part], depth):
                return True
    return False


def _overlap(first: Floats, second: Floats, depth: float) -> bool:
    if (first.max(0) < second.min(0)).any() or (second.max(0) < first.min(0)).any():
        return False
    return (
        _crosses(first, second, depth)
        or _has_inside(first, second, depth)
        or _has_inside(second, first, depth)
    )


def _crosses(first: Floats, second: Floats, depth: float) -> bool:
    """Whether two edges cross, each well on both sides of the other."""
    a, b = first, np.roll(first, -1, axis=0)
    c, d = second, np.roll(second, -1, axis=0)
    over, under = _beside(a, b, c), _beside(a, b, d)
    left, right = _beside(c, d, a).T, _beside(c, d, b).T
    return bool(((_opposite(over, under, depth)) & (_opposite(left, right, depth))).any())


def _beside(starts: Floats, stops: Floats, points: Floats) -> Floats:
    """Distances of points (columns) to the left of lines (rows)."""
    along = stops - starts
    off = points[None] - starts[:, None]
    cross = along[:, None, 0] * off[..., 1] - along[:, None, 1] * off[..., 0]
    return np.asarray(cross / np.hypot(along[:, 0], along[:, 1])[:, None])


def _opposite(a: Floats, b: Floats, depth: float) -> NDArray[np.bool_]:
    return np.asarray(((a > depth) & (b < -depth)) | ((a < -depth) & (b > depth)))


def _has_inside(polygon: Floats, other: Floats, depth: float) -> bool:
    """Whether a vertex or the middle of an edge of a polygon is inside another, deeper than allowed."""
    points = np.concatenate([polygon, (polygon + np.roll(polygon, -1, axis=0)) / 2])
    starts, stops = other, np.roll(other, -1, axis=0)
    spans = (starts[None, :, 1] > points[:, None, 1]) != (stops[None, :, 1] > points[:, None, 1])
    rise = np.where(stops[:, 1] == starts[:, 1], 1.0, stops[:, 1] - starts[:, 1])
    x = starts[:, 0] + (points[:, None, 1] - starts[:, 1]) / rise * (stops[:, 0] - starts[:, 0])
    inside = (spans & (points[:, None, 0] < x)).sum(axis=1) % 2 == 1
    if not inside.any():
        return False
    inner = points[inside]
    along = stops - starts
    part = dot(inner[:, None] - starts, along) / dot(along, along)
    nearest = starts + np.clip(part, 0.0, 1.0)[..., None] * along
    away = np.hypot(*np.moveaxis(inner[:, None] - nearest, -1, 0)).min(axis=1)
    return bool((away > depth).any())
