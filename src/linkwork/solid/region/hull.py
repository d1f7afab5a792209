"""The convex hull of regions: exact, of lines and arcs.

In the direction φ a corner c reaches as far as c·n(φ), and an arc about c of radius r, if it has a point with
that normal, as far as c·n(φ) + r. The hull follows whichever reaches furthest. Between two directions where
different ones do, both reach equally far where (c − d)·n(φ) = s − r; if a third one reaches further there,
it comes between them. Between two directions where the same does, another one reaches most beyond it along d − c.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Places, Points
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.region import EMPTY_REGION, Region

SAME: Final = 1e-12
"""Of the size: what reaches further by less than this does not."""


def hull(regions: Iterable[Region]) -> Region:
    """The smallest convex region around some regions.

    >>> hull([Region.circle(1), Region.circle(1, (4, 0))])
    <Region: 1 outline, 4 edges, area 11.1415927>
    """
    edges = [edge for region in regions for loop in region.loops for edge in loop]
    if not edges:
        return EMPTY_REGION
    reach = _Reach(Columns.of(edges))
    found: list[Edge] = []
    for (low, high), (centre, radius) in reach.followed():
        start, end = centre + cmath.rect(radius, low), centre + cmath.rect(radius, high)
        if found:
            found.append(Line(found[-1].end, _point(start)))
        if radius and start != end:
            found.append(Arc(_point(start), _point(end), _point(centre), True, radius))
        elif not found:
            found.append(Line(_point(start), _point(start)))
    return Region.from_loops([[*found, Line(found[-1].end, found[0].start)]])


class _Reach:
    """Corners and arcs, and which of them reaches furthest."""

    def __init__(self, edges: Columns) -> None:
        arcs = edges.take(edges.turn > 0)
        self.centre: Points = np.concatenate([edges.start, arcs.centre])
        self.radius: Numbers = np.concatenate([np.zeros(len(edges)), arcs.radius])
        self.first = np.concatenate([np.zeros(len(edges)), arcs.first_angle])
        self.sweep = np.concatenate([np.full(len(edges), math.tau), arcs.sweep])
        quarters = np.arange(4) * (math.pi / 2)
        turns = np.concatenate([quarters, arcs.first_angle, arcs.first_angle + arcs.sweep])
        self.turns: list[float] = [*np.unique(turns % math.tau).tolist(), math.tau]
        self.same = SAME * float(np.abs(self.centre - self.centre[0]).max() + self.radius.max())

    def followed(self) -> Iterator[tuple[tuple[float, float], tuple[complex, float]]]:
        """The angles over which each corner or circle bounds the hull, in order."""
        run: tuple[tuple[float, float], tuple[complex, float]] | None = None
        for low, high in zip(self.turns, self.turns[1:], strict=False):
            there = (0.5 * (low + high) - self.first) % math.tau <= self.sweep
            for begin, end, place in self._between(low, high, np.flatnonzero(there)):
                circle = complex(self.centre[place]), float(self.radius[place])
                if run is not None and circle == run[1]:
                    run = (run[0][0], end), circle
                    continue
                if run is not None:
                    yield run
                run = (begin, end), circle
        assert run is not None
        yield run

    def _between(self, low: float, high: float, there: Places) -> list[tuple[float, float, int]]:
        """The furthest of those that are there, from one direction to another less than half a turn on."""
        found: list[tuple[float, float, int]] = []
        waiting = [(low, self._furthest(low, there), high, self._furthest(high, there))]
        while waiting:
            begin, a, end, b = waiting.pop()
            middle = self._peak(a, begin, end, there) if a == b else self._level(a, b, begin, end)
            if middle is None:
                found.append((begin, end, a))
                continue
            c = self._furthest(middle, there)
            if self._height(c, middle) > self._height(a, middle) + self.same:
                waiting += [(middle, c, end, b), (begin, a, middle, c)]
            elif a == b:
                found.append((begin, end, a))
            else:
                waiting += [(middle, b, end, b), (begin, a, middle, a)]
        return found

    def _peak(self, place: int, low: float, high: float, there: Places) -> float | None:
        """The direction between two others in which something reaches furthest beyond one; None if nothing does.

        With d the way from the one's centre to the other's, that is at most |d| and the difference of the radii.
        """
        apart = self.centre[there] - self.centre[place]
        way = low + (np.angle(apart) - low) % math.tau
        beyond = np.where(way < high, np.abs(apart) + self.radius[there] - self.radius[place], 0.0)
        best = int(np.argmax(beyond))
        return float(way[best]) if beyond[best] > self.same else None

    def _furthest(self, angle: float, there: Places) -> int:
        way = cmath.rect(1, -angle)
        return int(there[np.argmax((self.centre[there] * way).real + self.radius[there])])

    def _height(self, place: int, angle: float) -> float:
        return float((self.centre[place] * cmath.rect(1, -angle)).real + self.radius[place])

    def _level(self, a: int, b: int, low: float, high: float) -> float:
        """The direction between two others in which both reach equally far."""
        apart = complex(self.centre[a] - self.centre[b])
        cosine = float(self.radius[b] - self.radius[a]) / abs(apart)
        aside = math.acos(min(1.0, max(-1.0, cosine)))
        middle = 0.5 * (low + high)
        ways = [cmath.phase(apart) + aside, cmath.phase(apart) - aside]
        turned = [middle + (way - middle + math.pi) % math.tau - math.pi for way in ways]
        return min(max(min(turned, key=lambda way: abs(way - middle)), low), high)


def _point(z: complex) -> Point:
    return z.real, z.imag
