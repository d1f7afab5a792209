"""Smooth curves as arcs: pairs of arcs that have the curve's tangents at their ends.

Two arcs from p (tangent s) to q (tangent t) that meet smoothly in the middle between p + d s and q − d t: with
v = q − p, that is possible for the d with  2 d² (1 − s·t) + 2 d v·(s + t) − v·v = 0  (Bolton, Biarc curves,
Computer-Aided Design 7 (1975) 89–92). A smooth curve is within O(length³) of its biarc.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from linkwork.solid.region.columns import Columns
from linkwork.solid.region.edge import Arc, Edge, Line, Point
from linkwork.solid.region.fault import RegionError, positive
from linkwork.solid.region.nearness import edge_distances

SAMPLES: Final = 24
"""Points of the curve at which the distance of a biarc is measured."""

WIDEST: Final = 0.15
"""Of the way along all samples: where two are further apart, more are taken between."""

MOST_ADDED: Final = 60
"""Of these: a curve that needs more of them jumps."""

SAFETY: Final = 0.95
"""The deviation measured at samples may be so much of the one that is stated: between them it is a little more."""

SHORTEST: Final = 1e-8
"""Of the whole curve: where it needs shorter pieces it is not smooth."""

Curve = Callable[[float], Point]


def biarcs(curve: Curve, direction: Curve, first: float, last: float, deviation: float) -> tuple[Edge, ...]:
    """Arcs along a curve, nowhere further from it than ``deviation``.

    ``curve`` gives its points from parameter ``first`` to ``last``, ``direction`` a tangent the way it runs, of
    any length but zero.

    >>> ellipse = biarcs(
    ...     lambda t: (3 * math.cos(t), math.sin(t)), lambda t: (-3 * math.sin(t), math.cos(t)), 0, math.pi, 1e-3
    ... )
    >>> len(ellipse), ellipse[0].start
    (24, (3.0, 0.0))
    """
    positive("the deviation of arcs from a curve", deviation)
    found: list[Edge] = []
    waiting = [(first, last)]
    while waiting:
        a, b = waiting.pop()
        pair = biarc(curve(a), direction(a), curve(b), direction(b), deviation)
        if pair and _off(pair, curve, a, b) <= SAFETY * deviation:
            found += pair
        elif abs(b - a) < SHORTEST * abs(last - first):
            raise RegionError(
                "a curve is not smooth enough for arcs",
                got="a curve that does not go its direction near {:.6g}, {:.6g}".format(*curve(a)),
                wanted="a smooth curve and its tangent",
                fix="fit the pieces between its corners",
            )
        else:
            middle = 0.5 * (a + b)
            waiting += [(middle, b), (a, middle)]
    return tuple(found)


def _off(pair: list[Edge], curve: Curve, first: float, last: float) -> float:
    """How far the curve is from two edges; infinite where it jumps."""
    at = [first + (last - first) * k / SAMPLES for k in range(SAMPLES + 1)]
    points = [complex(*curve(t)) for t in at]
    for _ in range(MOST_ADDED):
        steps = np.abs(np.diff(points))
        widest = int(np.argmax(steps))
        if steps[widest] <= WIDEST * steps.sum():
            return float(edge_distances(Columns.of(pair), np.array(points)[:, None]).min(axis=1).max())
        at.insert(widest + 1, 0.5 * (at[widest] + at[widest + 1]))
        points.insert(widest + 1, complex(*curve(at[widest + 1])))
    return math.inf


def biarc(start: Point, leaving: Point, end: Point, arriving: Point, deviation: float = 0.0) -> list[Edge]:
    """Two edges from start to end with given tangents; none if they would turn back.

    Arcs that are flatter than a thousandth of the deviation are lines.
    """
    p, q = complex(*start), complex(*end)
    s, t = complex(*leaving) / abs(complex(*leaving)), complex(*arriving) / abs(complex(*arriving))
    v = q - p
    if v == 0:
        return []
    bend, ahead = 1 - (s.conjugate() * t).real, (v.conjugate() * (s + t)).real
    root = ahead + math.sqrt(ahead * ahead + 2 * bend * abs(v) ** 2)
    if root <= 0:
        return []
    d = abs(v) ** 2 / root
    join = (p + d * s + q - d * t) / 2
    first = _arc(p, s, join, deviation)
    last = _arc(q, -t, join, deviation)
    return [first, last.reversed]


def _arc(p: complex, tangent: complex, q: complex, deviation: float) -> Edge:
    """The arc that leaves p along a unit tangent and ends at q."""
    way = q - p
    aside = (tangent.conjugate() * way).imag
    start, end = (p.real, p.imag), (q.real, q.imag)
    if abs(aside) <= max(4e-3 * deviation, 1e-13 * abs(way)):
        return Line(start, end)
    radius = abs(way) ** 2 / (2 * aside)
    centre = p + 1j * tangent * radius
    return Arc(start, end, (centre.real, centre.imag), radius > 0, abs(radius))
