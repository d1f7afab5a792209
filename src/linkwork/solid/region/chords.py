"""Rows of short straight edges whose corners lie on a circle, as the arcs that they stand for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.loop import Loop
from linkwork.solid.region.region import Region

SIDES: Final = 24
"""Sides of a whole turn from which on they stand for a circle, as the number of facets does in OpenSCAD notation."""
LEAST_SIDES: Final = 6
"""Sides in a row that make an arc, at least."""
LEAST_SWEEP: Final = math.radians(45)
"""How far such an arc goes around, at least: the tips of teeth stay as they are."""
ON_CIRCLE: Final = 1e-5
"""Of the largest coordinate: how far from a circle corners may be that lie on it. Files of meshes have six digits."""
NEAR: Final = 1e-3
"""Of the radius: how far from their circle corners may be in any case."""
ALIKE: Final = 0.2
"""By how much of it the bend at one corner may differ from that at the next."""

Corners = NDArray[np.complex128]


@dataclass(frozen=True)
class Chords:
    """Straight sides in the place of an arc: its circle, how many make a whole turn, and how far they are from it."""

    centre: Point
    radius: float
    sides: int

    @property
    def deviation(self) -> float:
        """How far the middle of a side is from the circle."""
        return self.radius * (1 - math.cos(math.pi / self.sides))


def with_arcs(region: Region) -> tuple[Region, tuple[Chords, ...]]:
    """The region with an arc for each row of chords, and what these were.

    >>> points = [(3 * math.cos(k * math.tau / 48), 3 * math.sin(k * math.tau / 48)) for k in range(48)]
    >>> round_one, chords = with_arcs(Region.polygon(points))
    >>> round_one, chords[0].sides, round(chords[0].deviation, 4)
    (<Region: 1 outline, 2 edges, area 28.2743339>, 48, 0.0064)
    """
    found: list[Chords] = []
    loops = [_with_arcs(loop, found) for loop in region.loops]
    return (Region.from_loops(loops), tuple(found)) if found else (region, ())


def _with_arcs(loop: Loop, found: list[Chords]) -> Loop:
    if np.count_nonzero(loop.columns.turn == 0) < LEAST_SIDES:
        return loop
    corners = loop.columns.start
    slack = ON_CIRCLE * float(np.abs(corners).max())
    rows = [*_bent_alike(loop)]
    if not rows:
        return loop
    edges: list[Edge | None] = [*loop]
    for first, count in rows:
        places = (first + np.arange(count + 1)) % len(corners)
        for circle in _circles(corners, places, slack):
            if circle.is_whole:
                found.append(circle.chords)
                return Loop.round(circle.chords.centre, circle.chords.radius, circle.turn > 0)
            if abs(circle.turn) >= LEAST_SWEEP:
                found.append(circle.chords)
                _put_arc(edges, circle)
    return Loop(tuple(edge for edge in edges if edge is not None))


def _bent_alike(loop: Loop) -> Iterator[tuple[int, int]]:
    """Rows of straight edges that bend a little, and about alike, from one to the next: the first, and how many."""
    corners, are_lines = loop.columns.start, loop.columns.turn == 0
    along = np.roll(corners, -1) - corners
    turns = np.angle(along / np.roll(along, 1))
    widths = np.abs(np.roll(corners, -1) - np.roll(corners, 1))
    bends = 2 * np.sin(turns) / np.where(widths > 0, widths, math.inf)
    bent = are_lines & np.roll(are_lines, 1) & (np.abs(turns) <= 1.001 * math.tau / SIDES) & (turns != 0)
    other = np.roll(bends, 1)
    goes_on = bent & np.roll(bent, 1)
    goes_on &= np.abs(bends - other) <= ALIKE * np.maximum(np.abs(bends), np.abs(other))
    if goes_on.all():
        yield 0, len(corners)
        return
    starts = np.flatnonzero(bent & ~goes_on)
    for start in starts.tolist():
        count = 1
        while goes_on[(start + count) % len(corners)] and count < len(corners):
            count += 1
        if count + 1 >= LEAST_SIDES:
            yield start - 1, count + 1


@dataclass(frozen=True, eq=False)
class _Circle:
    """The circle through corners at some places of a loop, and the angle over which they go."""

    places: NDArray[np.intp]
    chords: Chords
    ends: tuple[Point, Point]
    turn: float
    is_whole: bool


def _circles(corners: Corners, places: NDArray[np.intp], slack: float) -> Iterator[_Circle]:
    """The circles on which corners in a row lie, all of them or each half; the ends may be those of pieces of sides."""
    if len(places) <= LEAST_SIDES:
        return
    centre, radius = fitted_circle(corners[places[1:-1]])
    on_circle = np.abs(np.abs(corners[places] - centre) - radius) <= min(slack, NEAR * radius)
    if not on_circle[1:-1].all():
        middle = len(places) // 2
        yield from _circles(corners, places[: middle + 1], slack)
        yield from _circles(corners, places[middle:], slack)
        return
    places = places[on_circle]
    away = corners[places] - centre
    turns = np.angle(away[1:] / away[:-1])
    step = float(np.median(np.abs(turns)))
    ends = [centre + radius * way / abs(way) for way in (away[0], away[-1])]
    yield _Circle(
        places,
        Chords((centre.real, centre.imag), radius, round(math.tau / step)),
        ((ends[0].real, ends[0].imag), (ends[1].real, ends[1].imag)),
        float(turns.sum()),
        len(places) > len(corners),
    )


def fitted_circle(points: Corners) -> tuple[complex, float]:
    """The circle nearest to points: |p|² = 2 p·c + d is linear in its centre c and d = r² - |c|² (Kåsa)."""
    middle = points.mean()
    away = points - middle
    rows = np.column_stack([2 * away.real, 2 * away.imag, np.ones(len(away))])
    x, y, rest = np.linalg.lstsq(rows, np.abs(away) ** 2, rcond=None)[0]
    return complex(middle + complex(x, y)), math.sqrt(max(0.0, rest + x * x + y * y))


def _put_arc(edges: list[Edge | None], circle: _Circle) -> None:
    """Replace the edges between corners on a circle by an arc, and let those beside it end where it does."""
    first, *others, last = circle.places.tolist()
    start, end = circle.ends
    for place in others:
        edges[place] = None
    edges[first] = Arc(start, end, circle.chords.centre, circle.turn > 0, circle.chords.radius)
    edges[first - 1] = _ending(edges[first - 1], end=start)
    edges[last] = _ending(edges[last], start=end)


def _ending(edge: Edge | None, start: Point | None = None, end: Point | None = None) -> Edge | None:
    """A straight edge with another end."""
    return Line(start or edge.start, end or edge.end) if isinstance(edge, Line) else edge
