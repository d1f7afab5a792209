"""Loops scaled unevenly: their circles become ellipses, and these arcs within a stated deviation."""

from __future__ import annotations

import math
from collections.abc import Iterator

from linkwork.solid.region.biarc import biarcs
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.loop import Loop


def stretched_loop(loop: Loop, x: float, y: float, deviation: float) -> list[Edge]:
    """The loop with its coordinates times x and y; mirrored ones are turned round."""
    edges: list[Edge] = []
    for edge in loop:
        edges += [_line(edge, x, y)] if isinstance(edge, Line) else _ellipse(edge, x, y, deviation)
    return [edge.reversed for edge in reversed(edges)] if x * y < 0 else edges


def _line(line: Line, x: float, y: float) -> Line:
    return Line((x * line.start[0], y * line.start[1]), (x * line.end[0], y * line.end[1]))


def _ellipse(arc: Arc, x: float, y: float, deviation: float) -> Iterator[Edge]:
    """An arc of an ellipse in pieces of at most a quarter."""
    first = math.atan2(arc.start[1] - arc.centre[1], arc.start[0] - arc.centre[0])
    turn = 1.0 if arc.anticlockwise else -1.0

    def curve(angle: float) -> Point:
        return (
            x * (arc.centre[0] + arc.radius * math.cos(angle)),
            y * (arc.centre[1] + arc.radius * math.sin(angle)),
        )

    def direction(angle: float) -> Point:
        return -x * turn * math.sin(angle), y * turn * math.cos(angle)

    count = math.ceil(abs(arc.sweep) / (math.pi / 2))
    for piece in range(count):
        a, b = (first + arc.sweep * part / count for part in (piece, piece + 1))
        yield from biarcs(curve, direction, a, b, deviation)
