"""Sections of shells: what the plane z = 0 cuts out of closed faces, as a region.

Each face meets the plane in a curve, of which the pieces count that lie within its loops. Along the curve, with the
material on the left, such a piece begins where an edge goes down through the plane and ends where one goes up. As each
edge belongs to two faces, the pieces of all faces form loops.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from linkwork.solid.placement import Floats
from linkwork.solid.region import EMPTY_REGION, Arc, Edge, Line, Point, Region, biarcs
from linkwork.solid.shell.chart import RoundChart, chart_of
from linkwork.solid.shell.patch import Patch
from linkwork.solid.shell.trim import is_on
from linkwork.solid.surface import TURN, Face, PlaneFace, RoundFace, SphereFace, TorusFace
from linkwork.solid.values import SolidError

LIFT: Final = 1e-9
"""How far above its height a section is taken, in sizes of the shell, so that faces in the plane are below it."""
SQUARE: Final = 1e-9
"""The sine of the angle below which a direction is along another, or across it."""
NEAR: Final = 1e-6
"""How far apart ends of pieces may be that are one, in sizes of the shell."""

UP: Final = np.array([0.0, 0.0, 1.0])


class Crossing(NamedTuple):
    """Where an edge goes through the plane, up (1) or down (-1)."""

    place: Floats
    way: float


def shell_section(patches: Sequence[Patch], deviation: float) -> Region:
    """What the plane z = 0 cuts out of faces; curves other than lines and circles are arcs within a deviation."""
    boxes = np.array([patch.box for patch in patches])
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0)))
    height = LIFT * size
    pieces: list[Edge] = []
    for patch, (low, high) in zip(patches, boxes, strict=True):
        if low[2] <= height < high[2]:
            pieces += _pieces(patch.surface, patch, height, deviation)
    return Region.from_loops(_loops(pieces, NEAR * size)) if pieces else EMPTY_REGION


def _loops(pieces: Sequence[Edge], near: float) -> list[list[Edge]]:
    """Pieces in rows, each beginning where the one before ends."""
    left = list(range(len(pieces)))
    starts = np.array([piece.start for piece in pieces])
    found: list[list[Edge]] = []
    while left:
        loop = [pieces[left.pop()]]
        while math.dist(loop[-1].end, loop[0].start) > near or (len(loop) == 1 and isinstance(loop[0], Line)):
            gaps = np.linalg.norm(starts[left] - np.array(loop[-1].end), axis=1) if left else np.zeros(0)
            if not len(gaps) or gaps.min() > near:
                raise SolidError(
                    "a section of a shell has a gap",
                    got=f"nothing goes on at ({loop[-1].end[0]:.6g}, {loop[-1].end[1]:.6g})",
                    wanted="closed faces",
                )
            loop.append(pieces[left.pop(int(np.argmin(gaps)))])
        found.append(loop)
    return [_closed(loop) for loop in found]


def _closed(loop: list[Edge]) -> list[Edge]:
    """The same with each piece starting exactly where the one before ends."""
    found: list[Edge] = []
    for before, piece in zip([loop[-1], *loop[:-1]], loop, strict=True):
        if isinstance(piece, Line):
            found.append(Line(before.end, piece.end))
        else:
            found.append(Arc(before.end, piece.end, piece.centre, piece.anticlockwise, piece.radius))
    return found


# ------------------------------------------------------------------------------- pieces of one face


@singledispatch
def _pieces(surface: Face, patch: Patch, height: float, deviation: float) -> Iterator[Edge]:
    raise TypeError(f"no surface: {surface!r}")


@_pieces.register
def _(surface: PlaneFace, patch: Patch, height: float, deviation: float) -> Iterator[Edge]:
    x, y, _ = patch.side * np.array(surface.normal)
    if math.hypot(x, y) > SQUARE:
        yield from _straight(_crossings(patch, height), np.array([-y, x]))


@_pieces.register
def _(surface: SphereFace, patch: Patch, height: float, deviation: float) -> Iterator[Edge]:
    x, y, z = surface.point
    square = surface.radius**2 - (height - z) ** 2
    if square > 0:
        yield from _round(patch, _crossings(patch, height), (x, y), math.sqrt(square), height, patch.outward)


@_pieces.register
def _(surface: TorusFace, patch: Patch, height: float, deviation: float) -> Iterator[Edge]:
    x, y, z = surface.point
    if math.hypot(surface.axis[0], surface.axis[1]) > SQUARE:
        raise SolidError(
            "a torus is cut aslant",
            why="the curve is neither a circle nor a line",
            wanted="sections across the axis of the torus",
        )
    square = surface.tube**2 - (height - z) ** 2
    if square <= 0:
        return
    for outer in (True, False):
        radius = surface.radius + math.sqrt(square) * (1 if outer else -1)
        own = [
            each
            for each in _crossings(patch, height)
            if (math.hypot(each.place[0] - x, each.place[1] - y) > surface.radius) == outer
        ]
        yield from _round(patch, own, (x, y), radius, height, patch.outward == outer)


@_pieces.register
def _(surface: RoundFace, patch: Patch, height: float, deviation: float) -> Iterator[Edge]:
    axis = np.array(surface.axis)
    chart = chart_of(patch)
    assert isinstance(chart, RoundChart)
    if math.hypot(axis[0], axis[1]) <= SQUARE:
        along = (height - surface.point[2]) / axis[2]
        radius = chart.radius + chart.slope * along
        if radius > 0:
            centre = (surface.point[0] + along * axis[0], surface.point[1] + along * axis[1])
            yield from _round(patch, _crossings(patch, height), centre, radius, height, patch.outward)
    elif surface.is_cylinder and abs(axis[2]) <= SQUARE:
        yield from _lying(surface, patch, height)
    else:
        yield from _aslant(chart, patch, height, deviation)


def _crossings(patch: Patch, height: float) -> list[Crossing]:
    """Where the edges of a face go through the plane."""
    normals, offsets = UP[None, :], np.array([height])
    found = []
    for edge in patch.edges:
        crossed = edge.crossings(normals, offsets)
        found += [
            Crossing(place, sign) for place, sign in zip(crossed.points, crossed.signs.tolist(), strict=True)
        ]
    return found


def _straight(crossings: Sequence[Crossing], ahead: Floats) -> Iterator[Edge]:
    """The pieces of a line between crossings, the way it runs."""
    ordered = sorted(crossings, key=lambda each: float(each.place[:2] @ ahead))
    begin: Point | None = None
    for each in ordered:
        if each.way < 0:
            begin = _point(each.place)
        elif begin is not None:
            yield Line(begin, _point(each.place))
            begin = None


def _lying(surface: RoundFace, patch: Patch, height: float) -> Iterator[Edge]:
    """A cylinder along the plane is cut to two lines, on both sides of its axis."""
    axis = np.array(surface.axis)
    beside = np.array([-axis[1], axis[0]])
    middle = float(beside @ surface.point[:2])
    sides: tuple[list[Crossing], list[Crossing]] = ([], [])
    for each in _crossings(patch, height):
        sides[int(float(each.place[:2] @ beside) > middle)].append(each)
    for own, sign in zip(sides, (-1.0, 1.0), strict=True):
        outward = patch.side * sign * beside
        yield from _straight(own, np.array([-outward[1], outward[0]]))


def _round(
    patch: Patch, crossings: Sequence[Crossing], centre: Point, radius: float, height: float, left: bool
) -> Iterator[Edge]:
    """The pieces of a circle between crossings; it runs to the left where the material is within it."""

    def arc(start: Point, end: Point) -> Edge:
        return Arc(start, end, centre, left, radius)

    def at(turn: float) -> Point:
        return centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)

    if not crossings:
        if is_on(patch, np.array([[*at(0.1), height]]))[0][0]:
            way = 1.0 if left else -1.0
            yield from (arc(at(0.0), at(way * math.pi)), arc(at(way * math.pi), at(0.0)))
        return
    turns = [math.atan2(each.place[1] - centre[1], each.place[0] - centre[0]) for each in crossings]
    for start, end in _around(crossings, turns if left else [-turn for turn in turns]):
        yield arc(_point(crossings[start].place), _point(crossings[end].place))


def _around(crossings: Sequence[Crossing], turns: Sequence[float]) -> Iterator[tuple[int, int]]:
    """From each crossing down to the next one up, around a closed curve."""
    order = sorted(range(len(turns)), key=lambda k: turns[k] % TURN)
    for place, number in enumerate(order):
        if crossings[number].way < 0:
            after = order[(place + 1) % len(order)]
            if crossings[after].way > 0:
                yield number, after


def _aslant(chart: RoundChart, patch: Patch, height: float, deviation: float) -> Iterator[Edge]:
    """Cylinders and cones that lean: at every angle u one point of the line there is in the plane."""

    def spot(u: float) -> tuple[Floats, Floats]:
        out, turned = _spoke(chart, u), _spoke(chart, u + math.pi / 2)
        up, rising = chart.frame[2] + chart.slope * out, chart.slope * turned
        base, moving = chart.origin + chart.radius * out, chart.radius * turned
        v = (height - base[2]) / up[2]
        dv = -(moving[2] + v * rising[2]) / up[2]
        return base + v * up, moving + v * rising + dv * up

    def curve(u: float) -> Point:
        return _point(spot(u)[0])

    crossings = _crossings(patch, height)
    if not crossings:
        if is_on(patch, np.array([spot(0.1)[0]]))[0][0]:
            yield from _bent(curve, spot, 0.1, 0.1 + patch.side * _way(chart) * TURN, deviation)
        return
    turns = [float(chart.uv(each.place[None, :])[0][0]) for each in crossings]
    way = patch.side * _way(chart)
    for start, end in _around(crossings, [way * turn for turn in turns]):
        length = (way * (turns[end] - turns[start])) % TURN
        yield from _bent(curve, spot, turns[start], turns[start] + way * length, deviation)


def _bent(
    curve: Callable[[float], Point],
    spot: Callable[[float], tuple[Floats, Floats]],
    first: float,
    last: float,
    deviation: float,
) -> Iterator[Edge]:
    way = 1.0 if last > first else -1.0
    cuts = np.linspace(first, last, max(2, math.ceil(abs(last - first) / (math.pi / 2)) + 1)).tolist()
    for low, high in pairwise(cuts):
        yield from biarcs(curve, lambda u: _point(way * spot(u)[1]), low, high, deviation)


def _way(chart: RoundChart) -> float:
    """1 if the curve runs to the left about its own middle as u grows, seen from above."""
    return 1.0 if chart.frame[2][2] > 0 else -1.0


def _spoke(chart: RoundChart, u: float) -> Floats:
    return np.asarray(math.cos(u) * chart.frame[0] + math.sin(u) * chart.frame[1])


def _point(place: Floats) -> Point:
    return float(place[0]), float(place[1])
