"""The outlines of parts, layer by layer, as the features that the contact engine knows: rounds, sides and hollows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.kinematics.arrays import Matrix
from linkwork.solid.region import Arc, Edge, Line, Region
from linkwork.solid.region.edge import Point

SMOOTH: Final = 1e-6
"""The angle below which two edges go on into each other without a corner."""
EVERYWHERE: Final = -2.0
"""The cosine of half the span of a whole circle or a corner: below all others."""


@dataclass(frozen=True)
class Outline:
    """The features of a region, in columns as the engine reads them.

    A round or hollow has eleven numbers: centre, radius, the middle of its directions, cosine and sine of half its
    span, and for a corner the directions of its edges away from it, for an arc the least circle around it. A side has
    seven: start, direction, normal, length.
    """

    rounds: Matrix
    sides: Matrix
    hollows: Matrix
    centre: Point
    reach: float


def outline_of(region: Region) -> Outline:
    """The features of a region."""
    rounds: list[list[float]] = []
    sides: list[list[float]] = []
    hollows: list[list[float]] = []
    for loop in region.loops:
        edges = _joined(loop.edges)
        for place, edge in enumerate(edges):
            if isinstance(edge, Line):
                sides.append(_side(edge))
            else:
                (rounds if edge.anticlockwise else hollows).append(_arc(edge))
            before = edges[place - 1]
            if len(edges) > 1 and _turn(before, edge) > SMOOTH:
                rounds.append(_corner(before, edge))
    (left, low), (right, high) = region.box
    centre = (left + right) / 2, (low + high) / 2
    reach = math.hypot(right - left, high - low) / 2
    return Outline(_columns(rounds, 11), _columns(sides, 7), _columns(hollows, 11), centre, reach)


def _columns(rows: list[list[float]], width: int) -> Matrix:
    return np.array(rows, float).reshape(-1, width)


def _joined(edges: Sequence[Edge]) -> list[Edge]:
    """Edges with arcs of one circle that follow each other made one; a whole circle is one arc of a full turn."""
    found: list[Edge] = []
    for edge in edges:
        if found and _same_circle(found[-1], edge):
            found[-1] = _whole(found[-1], edge)
        else:
            found.append(edge)
    if len(found) > 1 and _same_circle(found[-1], found[0]):
        found[0] = _whole(found.pop(), found[0])
    return found


def _same_circle(one: Edge, other: Edge) -> bool:
    return (
        isinstance(one, Arc)
        and isinstance(other, Arc)
        and one.anticlockwise == other.anticlockwise
        and math.dist(one.centre, other.centre) <= 1e-9 * one.radius
        and abs(one.radius - other.radius) <= 1e-9 * one.radius
    )


def _whole(one: Edge, other: Edge) -> Arc:
    assert isinstance(one, Arc)
    return Arc(one.start, other.end, one.centre, one.anticlockwise, one.radius)


def _side(edge: Line) -> list[float]:
    (x, y), (u, v), length = edge.start, edge.end, edge.length
    tx, ty = (u - x) / length, (v - y) / length
    return [x, y, tx, ty, ty, -tx, length]


def _arc(edge: Arc) -> list[float]:
    x, y = edge.centre
    half = abs(edge.sweep) / 2
    if math.dist(edge.start, edge.end) <= 1e-9 * edge.radius and (half > 3 or half < 1e-6):
        return [x, y, edge.radius, 1.0, 0.0, EVERYWHERE, 0.0, x, y, edge.radius, 0.0]
    u, v = edge.at(0.5)
    mx, my = (u - x) / edge.radius, (v - y) / edge.radius
    out = edge.radius * max(math.cos(half), 0.0)
    around = edge.radius * (math.sin(half) if half < math.pi / 2 else 1.0)
    return [
        x,
        y,
        edge.radius,
        mx,
        my,
        math.cos(half),
        math.sin(half),
        x + out * mx,
        y + out * my,
        around,
        0.0,
    ]


def _corner(before: Edge, after: Edge) -> list[float]:
    x, y = after.start
    ax, ay = _tangent(before, at_end=True)
    bx, by = _tangent(after, at_end=False)
    return [x, y, 0.0, 1.0, 0.0, EVERYWHERE, 0.0, -ax, -ay, bx, by]


def _turn(before: Edge, after: Edge) -> float:
    """The angle by which the outline turns to the left between two edges, as a sine or more."""
    ax, ay = _tangent(before, at_end=True)
    bx, by = _tangent(after, at_end=False)
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


def _tangent(edge: Edge, *, at_end: bool) -> Point:
    if isinstance(edge, Line):
        return (edge.end[0] - edge.start[0]) / edge.length, (edge.end[1] - edge.start[1]) / edge.length
    x, y = edge.end if at_end else edge.start
    way = 1.0 if edge.anticlockwise else -1.0
    return -way * (y - edge.centre[1]) / edge.radius, way * (x - edge.centre[0]) / edge.radius


def packed(outlines: Iterable[Outline]) -> tuple[Matrix, NDArray[np.intc]]:
    """All features in one array, and for each outline where its features begin and how many they are."""
    numbers: list[Matrix] = []
    places: list[list[int]] = []
    end = 0
    for outline in outlines:
        row = []
        for columns in (outline.rounds, outline.sides, outline.hollows):
            row += [end, len(columns)]
            numbers.append(columns.ravel())
            end += columns.size
        places.append(row)
    return np.concatenate([*numbers, np.zeros(1)]), np.array(places, np.intc).reshape(-1, 6)
