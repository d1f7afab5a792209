"""What is within a distance of a boundary: bands along edges and discs at corners."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from typing import Final

from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.loop import Loop

SMOOTH: Final = 1e-7
"""The sine of the angle below which edges meet smoothly, and need no disc between their bands."""


def bands(loop: Loop, distance: float, outside: bool) -> Iterator[list[Edge]]:
    """The outlines of the bands along a loop, on its right (outside) or left, and of the discs at corners."""
    for place, edge in enumerate(loop.edges):
        yield (
            _beside_line(edge, distance, outside)
            if isinstance(edge, Line)
            else _ring_part(edge, distance, outside == edge.anticlockwise)
        )
        before = _direction(loop.edges[place - 1], 1.0)
        left_turn = (before.conjugate() * _direction(edge, 0.0)).imag
        ahead = (before.conjugate() * _direction(edge, 0.0)).real
        if (left_turn if outside else -left_turn) > SMOOTH or (abs(left_turn) <= SMOOTH and ahead < 0):
            yield list(Loop.round(edge.start, distance))


def _direction(edge: Edge, share: float) -> complex:
    """The unit tangent at the start (share 0) or the end (share 1)."""
    if isinstance(edge, Line):
        way = complex(edge.end[0] - edge.start[0], edge.end[1] - edge.start[1])
    else:
        x, y = edge.end if share else edge.start
        way = complex(x - edge.centre[0], y - edge.centre[1]) * (1j if edge.anticlockwise else -1j)
    return way / abs(way)


def _beside_line(line: Line, distance: float, right: bool) -> list[Edge]:
    aside = _direction(line, 0.0) * distance * (-1j if right else 1j)
    start, end = ((x + aside.real, y + aside.imag) for x, y in (line.start, line.end))
    row = [line.start, start, end, line.end] if right else [line.start, line.end, end, start]
    return _polygon(row)


def _polygon(corners: list[Point]) -> list[Edge]:
    return [Line(corner, corners[(place + 1) % len(corners)]) for place, corner in enumerate(corners)]


def _ring_part(arc: Arc, distance: float, away: bool) -> list[Edge]:
    """Between an arc and a parallel one, away from the centre or towards it, at most to the centre."""
    forth = arc if arc.anticlockwise else arc.reversed
    centre = complex(*arc.centre)
    radius = arc.radius + distance if away else arc.radius - distance
    if radius <= 0:
        return [forth, Line(forth.end, arc.centre), Line(arc.centre, forth.start)]
    start, end = (
        centre + cmath.rect(radius, cmath.phase(complex(*point) - centre))
        for point in (forth.start, forth.end)
    )
    other = Arc((start.real, start.imag), (end.real, end.imag), arc.centre, True, radius)
    outer, inner = (other, forth) if away else (forth, other)
    return [outer, Line(outer.end, inner.end), inner.reversed, Line(inner.start, outer.start)]


def chords(edge: Edge, deviation: float) -> Iterator[Point]:
    """Points along an edge, its end left out, whose chords are nowhere further from it than the deviation."""
    if isinstance(edge, Line):
        yield edge.start
        return
    flat = min(1.0, deviation / edge.radius)
    count = max(1, math.ceil(abs(edge.sweep) / (2 * math.acos(1 - flat))))
    yield edge.start
    for place in range(1, count):
        yield edge.at(place / count)
