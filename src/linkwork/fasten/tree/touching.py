"""What a tree of pawls touches, what it comes to touch on a way, and whether it is inside an obstacle."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

from linkwork.fasten.tree.bodies import Bodies, Floats, Pose, Touch

TOUCHING = 1e-9
"""Gaps below this are contacts; in units of the design's size, as all lengths here."""
INSIDE = 1e-11
"""Depth beyond which a body is inside an obstacle."""
FLUSH = 1e-7
"""Radians within which edges are flush."""
SHARES = np.linspace(0.0, 1.0, 9)
"""Of a step, at which gaps are looked at."""
PARABOLA = np.stack(
    [(1 - SHARES) * (1 - 2 * SHARES), 4 * SHARES * (1 - SHARES), SHARES * (2 * SHARES - 1)], axis=-1
)
"""By which values at the start, the middle and the end of a step give those at its shares."""

Way: TypeAlias = Callable[[float], tuple[float, Floats]]
"""Time and angles at a place of a way."""


class Gaps(NamedTuple):
    """Of one type: distances from lines and places along them, (configurations, corners of all bodies, obstacle)."""

    kind: str
    gap: Floats
    along: Floats
    length: Floats
    able: NDArray[np.bool_]
    """Whether the vertex is one that can touch an edge."""


def gaps_at(bodies: Bodies, t: Floats, theta: Floats) -> tuple[Gaps, Gaps]:
    """All gaps at a stack of configurations."""
    moving, standing = bodies.moving, bodies.obstacles
    cosine, sine, x, y = bodies.placed(t, theta)
    turned_x, turned_y = _turned(moving.points, cosine, sine)
    off_x = (x + turned_x)[..., None] - standing.points[:, 0]
    off_y = (y + turned_y)[..., None] - standing.points[:, 1]
    able = np.broadcast_to(moving.bulges[:, None], off_x.shape[1:])
    (tx, ty), length = standing.tangent.T, standing.length[None]
    on_obstacles = Gaps("B", off_x * ty - off_y * tx, off_x * tx + off_y * ty, length, able)
    tx, ty = (each[..., None] for each in _turned(moving.tangent, cosine, sine))
    able = np.broadcast_to(standing.bulges, off_x.shape[1:])
    along = -(off_x * tx + off_y * ty)
    return on_obstacles, Gaps("A", off_y * tx - off_x * ty, along, moving.length[:, None], able)


def _turned(vectors: Floats, cosine: Floats, sine: Floats) -> tuple[Floats, Floats]:
    x, y = vectors[:, 0], vectors[:, 1]
    return cosine * x - sine * y, sine * x + cosine * y


def touching(bodies: Bodies, t: float, theta: Floats, room: float = TOUCHING) -> list[Touch]:
    """All contacts at a configuration."""
    if not len(bodies.obstacles.points):
        return []
    pose = bodies.pose(t, theta.tolist())
    found = []
    for gaps in gaps_at(bodies, np.array([t]), theta[None]):
        gap, along = gaps.gap[0], gaps.along[0]
        near = gaps.able & (np.abs(gap) <= room) & (along >= -room) & (along <= gaps.length + room)
        touches = [bodies.touch(gaps.kind, int(i), int(j)) for i, j in np.argwhere(near)]
        found += [touch for touch in touches if can_touch(bodies, touch, pose)]
    return sorted(found)


def can_touch(bodies: Bodies, touch: Touch, pose: Pose) -> bool:
    """Whether neither edge at the vertex points into the edge's body."""
    outline, standing = bodies.outlines[touch.body], bodies.obstacles
    cosine, sine = pose.cosine[touch.body], pose.sine[touch.body]
    mine, theirs = outline.directions, standing.directions
    if touch.kind == "B":
        (ax, ay), (bx, by) = mine[touch.pawl], mine[outline.before[touch.pawl]]
        tx, ty = theirs[touch.obstacle]
        tx, ty = cosine * tx + sine * ty, cosine * ty - sine * tx
    else:
        (ax, ay), (bx, by) = theirs[touch.obstacle], theirs[standing.before[touch.obstacle]]
        tx, ty = mine[touch.pawl]
        tx, ty = cosine * tx - sine * ty, sine * tx + cosine * ty
    return ax * ty - ay * tx >= -FLUSH and by * tx - bx * ty >= -FLUSH


def first_touch(
    bodies: Bodies, way: Way, length: float, held: Collection[Touch]
) -> tuple[float, Touch] | None:
    """The first place on a way at which a contact that is not held closes, and which."""
    if not len(bodies.obstacles.points):
        return None
    places = length * SHARES
    times, angles = _sampled(way, length)
    best: tuple[float, Touch] | None = None
    for gaps in gaps_at(bodies, times, angles):
        for i, j in _suspects(gaps):
            touch = bodies.touch(gaps.kind, i, j)
            if touch in held:
                continue
            found = _closing(bodies, way, places, gaps.gap[:, i, j], touch)
            if found is not None and (best is None or found < best[0]):
                best = found, touch
    return best


def _sampled(way: Way, length: float) -> tuple[Floats, Floats]:
    """Times and angles at places, by a parabola through three of them: it is for picking out suspects only."""
    through = [way(at) for at in (0.0, length / 2, length)]
    values = PARABOLA @ np.array([[t, *theta] for t, theta in through])
    return values[:, 0], values[:, 1:]


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
        return bodies.place(touch, bodies.pose(t, theta.tolist()))[0]

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
    pose = bodies.pose(t, theta.tolist())
    along = bodies.place(touch, pose)[1]
    return -TOUCHING <= along <= bodies.length(touch) + TOUCHING and can_touch(bodies, touch, pose)


def is_inside(bodies: Bodies, t: float, theta: Floats, depth: float = INSIDE) -> bool:
    """Whether a body is inside an obstacle, deeper than rounding makes."""
    pose = bodies.pose(t, theta.tolist())
    for outline, cosine, sine, x, y in zip(bodies.outlines, *pose, strict=True):
        corners = outline.points @ np.array(((cosine, sine), (-sine, cosine))) + (x, y)
        (left, low), (right, high) = corners.min(0).tolist(), corners.max(0).tolist()
        for part, (first, bottom, last, top) in zip(
            bodies.obstacles.parts, bodies.obstacles.boxes, strict=True
        ):
            if (
                left <= last
                and first <= right
                and low <= top
                and bottom <= high
                and _overlap(corners, bodies.obstacles.points[part], depth)
            ):
                return True
    return False


def _overlap(first: Floats, second: Floats, depth: float) -> bool:
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
    part = ((inner[:, None] - starts) * along).sum(axis=-1) / (along * along).sum(axis=-1)
    nearest = starts + np.clip(part, 0.0, 1.0)[..., None] * along
    away = np.hypot(*np.moveaxis(inner[:, None] - nearest, -1, 0)).min(axis=1)
    return bool((away > depth).any())
