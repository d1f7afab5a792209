"""Loops as users give them: checked, closed to the bit, their arcs on their circles."""

from __future__ import annotations

import math
from collections.abc import Sequence

from linkwork.solid.region.edge import Arc, Edge, Line, Point, point_text
from linkwork.solid.region.fault import LARGEST, RegionError
from linkwork.solid.region.tolerance import GIVEN_TOLERANCE, LEAST_OF_COORDINATES


def closed_loop(edges: Sequence[Edge]) -> list[Edge]:
    """The edges with equal ends, whole circles in two arcs, and what has no length left out."""
    if not edges:
        raise RegionError("a loop has no edges", fix="leave it out")
    numbers = [number for edge in edges for point in _points(edge) for number in point]
    wild = next((edge for edge in edges if not _is_finite(edge)), None)
    if wild is not None:
        raise RegionError(
            "a loop has coordinates that are no numbers",
            got=str(wild),
            wanted=f"numbers up to {LARGEST:g}",
        )
    xs, ys = zip(*(edge.start for edge in edges), strict=True)
    radii = [edge.radius for edge in edges if isinstance(edge, Arc)]
    size = max(max(xs) - min(xs), max(ys) - min(ys), *radii, 0.0)
    slack = max(GIVEN_TOLERANCE * size, LEAST_OF_COORDINATES * max(map(abs, numbers)))
    closed: list[Edge] = []
    for place, edge in enumerate(edges):
        after = edges[(place + 1) % len(edges)].start
        if math.dist(edge.end, after) > slack:
            raise RegionError(
                f"edge {place + 1} of a loop does not end where the next one starts",
                got=f"{point_text(edge.end)} and {point_text(after)}",
                wanted="the same point",
            )
        closed += _ending_at(edge, _plain(after), slack, place)
    return closed


def _points(edge: Edge) -> tuple[Point, ...]:
    return (edge.start, edge.end, edge.centre) if isinstance(edge, Arc) else (edge.start, edge.end)


def _is_finite(edge: Edge) -> bool:
    return all(abs(number) <= LARGEST for point in _points(edge) for number in point)


def _plain(point: Point) -> Point:
    return float(point[0]), float(point[1])


def _ending_at(edge: Edge, end: Point, slack: float, place: int) -> list[Edge]:
    start = _plain(edge.start)
    if isinstance(edge, Line):
        return [Line(start, end)] if start != end else []
    off = max(abs(math.dist(point, edge.centre) - edge.radius) for point in (start, end))
    if off > slack or not edge.radius > 0:
        raise RegionError(
            f"edge {place + 1} of a loop is an arc whose ends are off its circle",
            got=f"{edge} with radius {edge.radius:.9g}",
            wanted="ends at the same distance from the centre",
        )
    if start == end:
        opposite = 2 * edge.centre[0] - start[0], 2 * edge.centre[1] - start[1]
        ends = ((start, opposite), (opposite, start))
        return [Arc(a, b, _plain(edge.centre), edge.anticlockwise, edge.radius) for a, b in ends]
    if off <= 1e-6 * slack:
        return [Arc(start, end, _plain(edge.centre), edge.anticlockwise, float(edge.radius))]
    return [_through(start, end, edge)]


def _through(start: Point, end: Point, arc: Arc) -> Arc:
    """The arc with its centre moved so that both ends are on its circle."""
    half_x, half_y = (end[0] - start[0]) / 2, (end[1] - start[1]) / 2
    half = math.hypot(half_x, half_y)
    radius = max(arc.radius, half)
    middle = start[0] + half_x, start[1] + half_y
    aside = math.sqrt((radius - half) * (radius + half)) / half
    to_centre = arc.centre[0] - middle[0], arc.centre[1] - middle[1]
    side = math.copysign(aside, half_x * to_centre[1] - half_y * to_centre[0])
    centre = middle[0] - side * half_y, middle[1] + side * half_x
    return Arc(start, end, centre, arc.anticlockwise, radius)
