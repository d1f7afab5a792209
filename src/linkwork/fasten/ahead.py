"""The next point of interest on a pawl's way: at rest, sliding on a constraint, or turning back at one time.

Between two of them nothing changes. A way is cut into pieces until few constraints can come into touch
in one (``near``); those are solved for exactly, piece after piece, so that far ones are never looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from flint import arb, fmpq, fmpz_poly

from linkwork.fasten.algebraic import (
    FIRST_BITS,
    Root,
    as_float,
    as_fmpq,
    float_coefficients,
    precision,
    real_roots,
    roots_between,
)
from linkwork.fasten.fan import LEVEL, Site
from linkwork.fasten.friction import InTime
from linkwork.fasten.near import Near
from linkwork.fasten.point import Point, along, at_time
from linkwork.fasten.slices import Affine, Feature, Slice, reduce_relation

BORDER = fmpq(3, 2)
"""|u| at which the next chart takes over: beyond 1, so that a border is not met twice."""
MANY = 10**9
FEW = 8
"""So many constraints in a piece are solved for; with more the piece is halved."""
PATIENCE = 4
"""Halvings that leave about as many constraints in each half: then they stay, and are solved for."""


def _goes_on_halving(count: int, before: int, idle: int) -> tuple[bool, int]:
    """Whether a piece is halved (again), and how many halvings were in vain so far."""
    idle = idle + 1 if 4 * count > 3 * before else 0
    return count > FEW and idle < PATIENCE, idle


def angle_of(chart: int, u: float) -> float:
    """The angle in the covering space."""
    return chart * math.pi + 2 * math.atan(u)


def touches(point: Point, feature: Feature, piece: Slice) -> bool:
    """Whether the vertex is within the closed edge (given that it is on its line)."""
    constraint, parity = piece.constraint(feature), point.chart % 2
    return (
        point.sign(*constraint.after_start.charts[parity]) >= 0
        and point.sign(*constraint.before_end.charts[parity]) >= 0
    )


def sites_at(point: Point, near: Near, piece: Slice) -> list[Site]:
    """All places of contact at a point."""
    t, theta = point.time, point.theta
    parity = point.chart % 2
    found: set[Site] = set()
    for feature in near.features((t, t), (theta, theta)):
        constraint = piece.constraint(feature)
        if point.sign(*constraint.gap.charts[parity]) != 0:
            continue
        start = point.sign(*constraint.after_start.charts[parity])
        end = point.sign(*constraint.before_end.charts[parity])
        if start >= 0 and end >= 0:
            found.add(_site(feature, start == 0, end == 0, piece))
    return sorted(found)


def _site(feature: Feature, at_start: bool, at_end: bool, piece: Slice) -> Site:
    on_edge = not at_start and not at_end
    if feature.kind == "A":
        vertex = piece.pawl.following[feature.pawl] if at_end else feature.pawl
        return Site(vertex, on_edge, feature.obstacle, on_obstacle_edge=False)
    vertex = piece.obstacles.following[feature.obstacle] if at_end else feature.obstacle
    return Site(feature.pawl, False, vertex, on_edge)


class CurveAhead:
    """Sliding up or down a constraint: every point of interest is a root in u."""

    def __init__(self, feature: Feature, way: int, start: Point, piece: Slice, near: Near) -> None:
        relation, levels = reduce_relation(piece.constraint(feature).gap.charts[start.chart % 2])
        assert relation is not None
        self.levels = levels
        """Vanishes at the angles of level lines of the same constraint, which the curve may cross."""
        self.feature, self.way, self.start = feature, way, start
        self.relation: Affine = relation
        self.piece, self.near = piece, near
        self._floats = float_coefficients(*relation)

    def point(self, u: Root) -> Point:
        """The point of the curve at u."""
        return Point(self.start.chart, u, relation=self.relation)

    def first_root(self, poly: fmpz_poly, limit: Root | None = None) -> Root | None:
        """The first root ahead of the start, before (or at) the limit and within the chart."""
        low, high = self.start.u.bounds()
        border = self.way * BORDER if limit is None else limit.bounds()[1 if self.way > 0 else 0]
        roots = roots_between(poly, low, border) if self.way > 0 else roots_between(poly, border, high)
        for root in roots if self.way > 0 else reversed(roots):
            if root.compare(self.start.u) == self.way:
                return root
        return None

    def tangent(self) -> fmpz_poly:
        """Vanishes where the curve turns back in time."""
        n, d = self.relation
        return n.derivative() * d - n * d.derivative()

    def condition(self, in_time: InTime) -> fmpz_poly:
        """A condition on angle and time, as a polynomial on the curve."""
        return along(self.relation, in_time)

    def first_hit(self, limit: Root) -> Root | None:
        """The first u ahead, not beyond the limit, where another constraint comes into touch."""
        low, high = self.start.u.bounds(), limit.bounds()
        start, end = (low[0], high[1]) if self.way > 0 else (low[1], high[0])
        return self._first_hit(start, end, limit)

    def _first_hit(
        self, start: fmpq, end: fmpq, limit: Root, before: int = MANY, idle: int = 0
    ) -> Root | None:
        features = self._near(start, end)
        count = len(features)
        halve, idle = _goes_on_halving(count, before, idle)
        if halve:
            middle = (start + end) / 2
            return self._first_hit(start, middle, limit, count, idle) or self._first_hit(
                middle, end, limit, count, idle
            )
        first: Root | None = None
        low, high = (start, end) if self.way > 0 else (end, start)
        for feature in features:
            for root in self._hits(feature, low, high):
                if root.compare(self.start.u) != self.way or root.compare(limit) == self.way:
                    continue
                if first is not None and root.compare(first) != -self.way:
                    break
                if touches(self.point(root), feature, self.piece):
                    first = root
                    break
        return first

    def _near(self, start: fmpq, end: fmpq) -> list[Feature]:
        ends = [as_float(start), as_float(end)]
        times = [self._time(u) for u in ends]
        chart = self.start.chart
        found = self.near.features((times[0], times[1]), (angle_of(chart, ends[0]), angle_of(chart, ends[1])))
        return [feature for feature in found if feature != self.feature]

    def _time(self, u: float) -> float:
        n, d = self._floats
        below = _horner(d, u)
        return -_horner(n, u) / below if below else self.near.latest

    def _hits(self, feature: Feature, low: fmpq, high: fmpq) -> list[Root]:
        other = self.piece.constraint(feature).gap.charts[self.start.chart % 2]
        poly = self.relation.constant * other.slope - other.constant * self.relation.slope
        roots = roots_between(poly, low, high)
        return roots if self.way > 0 else roots[::-1]


def _horner(values: list[float], u: float) -> float:
    total = 0.0
    for value in reversed(values):
        total = total * u + value
    return total


class LevelAhead:
    """The angle stays (at rest, or on an edge that runs along with the motion): only time goes on."""

    way = LEVEL

    def __init__(self, feature: Feature | None, start: Point, piece: Slice, near: Near) -> None:
        self.feature, self.start, self.piece, self.near = feature, start, piece, near

    def at(self, relation: Affine) -> Point:
        """The point of this level where t = -N(u)/D(u)."""
        return Point(self.start.chart, self.start.u, relation=relation)

    def first_time(self, in_time: InTime) -> Point | None:
        """Where a condition that depends on time alone vanishes for the first time ahead."""
        if any(poly.degree() > 0 for poly in in_time):
            return None
        for root in real_roots(fmpz_poly([poly[0] for poly in in_time])):
            point = Point(self.start.chart, self.start.u, t=root)
            if self.is_ahead(point):
                return point
        return None

    def is_ahead(self, point: Point) -> bool:
        """Whether a point of this level is later than the start."""
        return self.compare(point, self.start) > 0

    def compare(self, first: Point, second: Point) -> int:
        """-1, 0, 1: with t₁ = -N/D, t₂ - t₁ = (N + D·t₂)/D."""
        if first.relation is not None:
            return -second.sign(*first.relation) * first.u.sign_of(first.relation.slope)
        if second.relation is not None:
            return -self.compare(second, first)
        return first.t.compare(second.t)

    def first_hit(self, limit: Point) -> Point | None:
        """The first point ahead, not later than the limit, where another constraint comes into touch."""
        start = self.start.time
        return self._first_hit(start, max(start, limit.time), limit)

    def _first_hit(
        self, start: float, end: float, limit: Point, before: int = MANY, idle: int = 0
    ) -> Point | None:
        theta = self.start.theta
        features = self.near.features((start, end), (theta, theta))
        count = len(features)
        halve, idle = _goes_on_halving(count, before, idle)
        if halve:
            middle = (start + end) / 2
            half = self.at(at_time(as_fmpq(Fraction(middle))))
            return self._first_hit(start, middle, half, count, idle) or self._first_hit(
                middle, end, limit, count, idle
            )
        first: Point | None = None
        for feature in features:
            point = self._hit(feature)
            if point is None or not self.is_ahead(point) or self.compare(point, limit) > 0:
                continue
            if (first is None or self.compare(point, first) < 0) and touches(point, feature, self.piece):
                first = point
        return first

    def _hit(self, feature: Feature) -> Point | None:
        """Where a constraint's curve crosses this level, be it the curve of one that has the level itself."""
        relation = self.piece.constraint(feature).gap.charts[self.start.chart % 2]
        if self.start.u.sign_of(relation.slope) != 0:
            return self.at(relation)
        reduced, _ = reduce_relation(relation)
        if reduced is None or self.start.u.sign_of(reduced.slope) == 0:
            return None
        return self.at(reduced)


def turning(
    start: Point, way: int, rest: Callable[[int], fmpq | None], near: Near, piece: Slice
) -> Iterator[Point]:
    """The contacts that a pawl meets when it turns at one time, in order, and last its rest."""
    chart, begin, after = start.chart, start.u, True
    time = start.t
    while True:
        goal = rest(chart)
        if goal is not None and begin.compare(Root.of(goal)) == way:
            goal = None
        end = goal if goal is not None else way * BORDER
        yield from _turning_in_chart(chart, begin, after, end, way, time, near, piece)
        if goal is not None:
            yield Point(chart, Root.of(goal), t=time)
            return
        chart, begin, after = chart + way, Root.of(-1 / end), False


def _turning_in_chart(
    chart: int,
    begin: Root,
    after: bool,
    end: fmpq,
    way: int,
    time: Root,
    near: Near,
    piece: Slice,
) -> Iterator[Point]:
    t = float(time)
    low, high = begin.bounds()
    start = low if way > 0 else high

    def pieces(
        a: fmpq, b: fmpq, before: int = MANY, idle: int = 0
    ) -> Iterator[tuple[fmpq, fmpq, list[Feature]]]:
        features = near.features((t, t), (angle_of(chart, as_float(a)), angle_of(chart, as_float(b))))
        count = len(features)
        halve, idle = _goes_on_halving(count, before, idle)
        if halve:
            middle = (a + b) / 2
            yield from pieces(a, middle, count, idle)
            yield from pieces(middle, b, count, idle)
        elif features:
            yield a, b, features

    last: Root | None = None
    for a, b, features in pieces(start, end):
        met: list[Point] = []
        for feature in features:
            for point in _met(feature, chart, a, b, time, piece):
                beyond = point.u.compare(begin)
                if (beyond == way or (beyond == 0 and not after)) and touches(point, feature, piece):
                    met.append(point)
        for point in _in_order(met, way):
            if last is None or point.u.compare(last) == way:
                last = point.u
                if point.u.exact is None or point.u.exact != end:
                    yield point


def _in_order(points: list[Point], way: int) -> list[Point]:
    ordered: list[Point] = []
    for point in points:
        place = len(ordered)
        while place and point.u.compare(ordered[place - 1].u) == -way:
            place -= 1
        ordered.insert(place, point)
    return ordered


def _met(feature: Feature, chart: int, a: fmpq, b: fmpq, time: Root, piece: Slice) -> Iterator[Point]:
    """Where a constraint vanishes at one time between two values of u."""
    relation = piece.constraint(feature).gap.charts[chart % 2]
    in_time = [fmpz_poly([value]) for value in time.poly.coeffs()]
    poly = along(
        at_time(time.exact) if time.exact is not None else relation, _by_time(relation, time, in_time)
    )
    for root in roots_between(poly, min(a, b), max(a, b)):
        if root.sign_of(relation.slope) == 0:
            if root.sign_of(relation.constant) == 0:
                yield Point(chart, root, t=time)
            continue
        point = Point(chart, root, relation=relation)
        if _is_same(point, time):
            yield point


def _by_time(relation: Affine, time: Root, in_time: list[fmpz_poly]) -> InTime:
    """With a rational time the constraint itself, else the time's polynomial, to be put on the curve."""
    return (relation.constant, relation.slope) if time.exact is not None else tuple(in_time)


def _is_same(point: Point, time: Root) -> bool:
    """Whether a point's time, known to be a root of the same polynomial, is that root."""
    if time.exact is not None:
        return True
    slope = time.poly.derivative()
    bits = FIRST_BITS
    while True:
        with precision(bits + 30):
            mine, theirs = point.time_ball(bits), time.ball(bits)
            if not mine.overlaps(theirs):
                return False
            if not slope(mine.union(theirs)).contains(arb(0)):
                return True
        bits *= 2
