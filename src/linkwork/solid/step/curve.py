"""Edges of a STEP file: the piece of a curve between two corners."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, Triple, triple
from linkwork.solid.shell.edge import Arc, Chain, Edge, Segment
from linkwork.solid.step.axes import Measures
from linkwork.solid.step.fault import BeyondReader
from linkwork.solid.step.record import Record
from linkwork.solid.step.spline import MOST_POINTS, Spline, chain
from linkwork.solid.surface import TURN

HIGHEST_DEGREE: Final = 30
DEEPEST: Final = 8
"""Curves that stand for other curves."""
CLOSE: Final = 1e-6
"""Corners nearer than this, in extents of a curve, are one."""

PIECE: Final = math.radians(1.5)
"""The angle of the straight pieces of an arc that runs over the seam of a spline."""

_WRAPPERS: Final = {
    "SURFACE_CURVE": 1, "SEAM_CURVE": 1, "INTERSECTION_CURVE": 1, "TRIMMED_CURVE": 1, "BOUNDED_SURFACE_CURVE": 1,
}  # fmt: skip
"""Curves that add to another one, and where they name it."""


def basis_curve(record: Record) -> Record:
    """The curve itself, without what is said about it."""
    for _ in range(DEEPEST):
        wrapper = next((kind for kind in _WRAPPERS if kind in record.parts), None)
        if wrapper is None:
            return record
        record = record.part(wrapper).record(_WRAPPERS[wrapper])
    record.fail("curves stand for each other in a circle", wanted="a curve")


def edge_between(
    record: Record, measures: Measures, start: Triple, end: Triple, *, closed: bool, along: bool
) -> Edge:
    """The piece of a curve from one corner to another, ``along`` its own direction or against it.

    Where the corners are one it is the whole ``closed`` curve.
    """
    curve = basis_curve(record)
    if "LINE" in curve.parts:
        return Segment(start, end)
    if "CIRCLE" in curve.parts or "ELLIPSE" in curve.parts:
        return _arc(ellipse(curve, measures), start, end, closed=closed, along=along)
    if "POLYLINE" in curve.parts:
        points = [measures.point(each) for each in curve.part("POLYLINE").records(1, "CARTESIAN_POINT")]
        if len(points) < 2:
            curve.fail("a POLYLINE has fewer than two points", wanted="two points at least")
        return _ended(Chain(tuple(points if along else points[::-1]), 0.0), start, end)
    curve_at = free_curve(curve, measures)
    return curve_at.between(start, end, closed=closed, along=along)


# --------------------------------------------------------------------------------- circles and ellipses


def ellipse(curve: Record, measures: Measures) -> Arc:
    """The whole of a CIRCLE or ELLIPSE."""
    kind = "CIRCLE" if "CIRCLE" in curve.parts else "ELLIPSE"
    given = curve.part(kind)
    place = measures.placement(given.record(1, "AXIS2_PLACEMENT_3D"))
    first = measures.length(given, 2)
    second = first if kind == "CIRCLE" else measures.length(given, 3)
    return Arc(place.origin, triple(first * place.matrix[:, 0]), triple(second * place.matrix[:, 1]))


def _arc(whole: Arc, start: Triple, end: Triple, *, closed: bool, along: bool) -> Arc:
    first, last = _angle(whole, start), _angle(whole, end)
    apart = math.dist(start, end)
    turn = (last - first) % TURN if along else -((first - last) % TURN)
    if closed or apart <= CLOSE * max(whole.radii):
        turn = TURN if along else -TURN
    return Arc(whole.centre, whole.x, whole.y, first, first + turn)


def _angle(whole: Arc, point: Triple) -> float:
    way = np.array(point) - np.array(whole.centre)
    return math.atan2(float(way @ whole.y) / whole.radii[1] ** 2, float(way @ whole.x) / whole.radii[0] ** 2)


# ---------------------------------------------------------------------------------------- other curves


@dataclass(frozen=True)
class FreeCurve:
    """A curve by its parameter, which runs over a range."""

    at: Callable[[Floats], Floats]
    breaks: Floats
    is_endless: bool = False
    """Whether the range only stands for one that has no end, as a parabola's."""

    def between(self, start: Triple, end: Triple, *, closed: bool, along: bool) -> Edge:
        """The piece from one point to another."""
        first, last = (start, end) if along else (end, start)
        low, high = self._parameter(first, 0), self._parameter(last, -1)
        if closed:
            low, high = float(self.breaks[0]), float(self.breaks[-1])
        if low < high:
            found = chain(self.at, self._breaks(low, high))
        else:  # over the seam of a closed curve
            found = _over_seam(
                chain(self.at, self._breaks(low, float(self.breaks[-1]))) if low < self.breaks[-1] else None,
                chain(self.at, self._breaks(float(self.breaks[0]), high)) if high > self.breaks[0] else None,
                Segment(first, last),
            )
        return _ended(found if along else found.reversed(), start, end)

    def _breaks(self, low: float, high: float) -> Floats:
        inner = self.breaks[(self.breaks > low) & (self.breaks < high)]
        return np.concatenate([[low], inner, [high]])

    def _parameter(self, point: Triple, end: int) -> float:
        """The parameter of a point of the curve: usually one of its ends."""
        samples = np.concatenate([np.linspace(a, b, 17) for a, b in pairwise(self.breaks)])
        places = self.at(samples)
        extent = float(np.linalg.norm(np.ptp(places, axis=0)))
        if not self.is_endless and math.dist(places[end], point) <= CLOSE * extent:
            return float(samples[end])
        gaps = np.linalg.norm(places - np.array(point), axis=1)
        nearest = int(np.argmin(gaps))
        low, high = samples[max(nearest - 1, 0)], samples[min(nearest + 1, len(samples) - 1)]
        for _ in range(40):  # the interval shrinks to a third in two steps
            inner = np.linspace(low, high, 7)
            gaps = np.linalg.norm(self.at(inner) - np.array(point), axis=1)
            nearest = int(np.argmin(gaps))
            low, high = inner[max(nearest - 1, 0)], inner[min(nearest + 1, 6)]
        return float((low + high) / 2)


def free_curve(curve: Record, measures: Measures) -> FreeCurve:
    """A spline, a parabola or a hyperbola."""
    if "PARABOLA" in curve.parts:
        given = curve.part("PARABOLA")
        place, focus = measures.placement(given.record(1, "AXIS2_PLACEMENT_3D")), measures.length(given, 2)
        return FreeCurve(
            lambda t: place.point(np.column_stack([focus * t * t, 2 * focus * t, 0 * t])), _ENDLESS, True
        )
    if "HYPERBOLA" in curve.parts:
        given = curve.part("HYPERBOLA")
        place = measures.placement(given.record(1, "AXIS2_PLACEMENT_3D"))
        a, b = measures.length(given, 2), measures.length(given, 3)
        return FreeCurve(
            lambda t: place.point(np.column_stack([a * np.cosh(t), b * np.sinh(t), 0 * t])),
            _ENDLESS / 4,
            True,
        )
    if any(
        "B_SPLINE_CURVE" in kind or "BEZIER_CURVE" in kind or "UNIFORM_CURVE" in kind for kind in curve.parts
    ):
        spline = spline_of(curve, measures)
        return FreeCurve(spline.at, spline.breaks())
    curve.fail(
        f"edges of the kind {curve.kind} are not known",
        wanted="LINE, CIRCLE, ELLIPSE, B_SPLINE_CURVE, POLYLINE, PARABOLA or HYPERBOLA",
        fix="pip install 'linkwork[cad]'",
        error=BeyondReader,
    )


_ENDLESS: Final = np.array([-32.0, -16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16, 32])
"""Parameters of curves without end, in which their focus is the unit of length."""


def spline_of(curve: Record, measures: Measures) -> Spline:
    """The numbers of a spline, checked."""
    general = "B_SPLINE_CURVE" if "B_SPLINE_CURVE" in curve.parts else next(iter(curve.parts))
    given = curve.part(general)
    shift = 0 if general == "B_SPLINE_CURVE" and len(curve.parts) > 1 else 1  # behind the name
    degree = given.whole(shift)
    points = np.array([measures.point(each) for each in given.records(shift + 1, "CARTESIAN_POINT")])
    if not 1 <= degree <= HIGHEST_DEGREE or not degree < len(points) <= MOST_POINTS:
        curve.fail(
            "this spline cannot be",
            got=f"degree {degree}, {len(points)} points",
            wanted=f"a degree from 1 to {HIGHEST_DEGREE} and more points than that",
        )
    weights = np.ones(len(points))
    if "RATIONAL_B_SPLINE_CURVE" in curve.parts:
        weights = np.array(curve.part("RATIONAL_B_SPLINE_CURVE").numbers(0))
    if len(weights) != len(points) or not np.all(weights > 0):
        curve.fail("the weights of a spline make no sense", wanted="a positive weight for each point")
    return Spline(degree, _curve_knots(curve, degree, len(points)), points, weights)


def _curve_knots(curve: Record, degree: int, count: int) -> Floats:
    if "B_SPLINE_CURVE_WITH_KNOTS" in curve.parts:
        given = curve.part("B_SPLINE_CURVE_WITH_KNOTS")
        at = 0 if len(curve.parts) > 1 else 6
        times, knots = given.numbers(at), given.numbers(at + 1)
    else:
        times, knots = usual_knots(degree, count, bezier=any("BEZIER" in kind for kind in curve.parts))
    return knots_of(curve, times, knots, degree, count)


def usual_knots(degree: int, count: int, *, bezier: bool) -> tuple[list[float], list[float]]:
    """How often each knot of a spline counts, and the knots, where a file leaves them out: they are 0, 1, 2, …"""
    pieces = (count - 1) // degree if bezier else count - degree
    times = [degree + 1.0, *[float(degree) if bezier else 1.0] * (pieces - 1), degree + 1.0]
    return times, [float(k) for k in range(pieces + 1)]


def knots_of(record: Record, times: list[float], knots: list[float], degree: int, count: int) -> Floats:
    """The knots of a spline, each as often as it counts, for a number of points."""
    sound = len(times) == len(knots) and all(1 <= each <= degree + 1 for each in times)
    growing = all(a < b for a, b in pairwise(knots))
    if not sound or not growing or sum(times) != count + degree + 1:
        record.fail(
            "the knots of a spline make no sense",
            wanted=f"growing knots, {count + degree + 1} in all for {count} points of degree {degree}",
        )
    return np.repeat(knots, [int(each) for each in times])


def _over_seam(first: Edge | None, second: Edge | None, otherwise: Edge) -> Edge:
    points: list[Triple] = []
    deviation = 0.0
    for piece in (_as_chain(each) for each in (first, second) if each is not None):
        points += piece.points[1:] if points else piece.points
        deviation = max(deviation, piece.deviation)
    return Chain(tuple(points), deviation) if len(points) > 1 else otherwise


def _as_chain(edge: Edge) -> Chain:
    if isinstance(edge, Chain):
        return edge
    points = tuple(triple(point) for point in edge.at(edge.pieces(PIECE)))
    return Chain(points, max(edge.radii) * (1 - math.cos(PIECE / 2)) if isinstance(edge, Arc) else 0.0)


def _ended(edge: Edge, start: Triple, end: Triple) -> Edge:
    """The edge with its ends exactly at the corners."""
    if isinstance(edge, Segment):
        return Segment(start, end)
    if isinstance(edge, Chain):
        return Chain((start, *edge.points[1:-1], end), edge.deviation)
    return edge
