"""Obstacles that go on beyond what is drawn of them: edges that are only cuts through the drawing.

A cut edge lies between two parallel edges that run towards it. The body goes on between them without end. A motion
sees a finite part of it, so for one motion it is enough to move the cut as far as nothing that moves can come.
"""

from __future__ import annotations

import math
from dataclasses import replace

from linkwork.fasten.design import Design, Obstacle, Polygon, Vector
from linkwork.fasten.placing import reach_of


def beyond_cut(poly: Polygon, edge: int) -> Vector | None:
    """The direction in which a body goes on beyond a cut edge; none where its neighbours are not parallel."""
    before, start, end, after = (poly[(edge + k) % len(poly)] for k in (-1, 0, 1, 2))
    x, y = start[0] - before[0], start[1] - before[1]
    other = end[0] - after[0], end[1] - after[1]
    is_parallel = x * other[1] == y * other[0] and x * other[0] + y * other[1] > 0
    return (x, y) if is_parallel else None


def directions_beyond(design: Design) -> list[Vector]:
    """The directions in which obstacles go on without end."""
    found = [beyond_cut(each.poly, edge) for each in design.obstacles for edge in each.cut]
    return [each for each in found if each is not None]


def lengthened(design: Design) -> Design:
    """The design with its cuts moved beyond all that moves for as long as it is pushed; vertices keep their numbers."""
    if not any(each.cut for each in design.obstacles):
        return design
    way = math.hypot(*map(float, design.v)) * float(design.duration)
    reach = max((math.hypot(*map(float, corner)) for corner in design.root or ()), default=0.0)
    reach = max([reach, *(math.hypot(*map(float, pawl.hinge)) + reach_of(pawl) for pawl in design.pawls)])
    obstacles = tuple(_lengthened(each, design.p0, way + reach) for each in design.obstacles)
    return replace(design, obstacles=obstacles)


def _lengthened(obstacle: Obstacle, around: Vector, radius: float) -> Obstacle:
    """An obstacle whose cuts are farther than a radius from a place."""
    corners = list(obstacle.poly)
    for edge in obstacle.cut:
        beyond = beyond_cut(obstacle.poly, edge)
        if beyond is None:
            continue
        ends = (edge % len(corners), (edge + 1) % len(corners))
        away = sum(math.dist(map(float, obstacle.poly[end]), map(float, around)) for end in ends)
        times = math.ceil((radius + away) / math.hypot(*map(float, beyond))) + 1
        for end in ends:
            x, y = corners[end]
            corners[end] = x + beyond[0] * times, y + beyond[1] * times
    return replace(obstacle, poly=tuple(corners))


def drawn_share(drawn: Obstacle, longer: Obstacle, edge: int, share: float) -> float:
    """Where a place on an edge of a lengthened obstacle is on the edge as it is drawn: 0 to 1, its ends beyond them."""
    after = (edge + 1) % len(drawn.poly)
    (ax, ay), (bx, by) = (map(float, drawn.poly[corner]) for corner in (edge, after))
    (cx, cy), (dx, dy) = (map(float, longer.poly[corner]) for corner in (edge, after))
    x, y = cx + share * (dx - cx) - ax, cy + share * (dy - cy) - ay
    along = (x * (bx - ax) + y * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    return min(max(along, 0.0), 1.0)
