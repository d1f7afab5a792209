"""A point of a slice: a time and an angle, both exact.

Mostly one constraint through the point gives the time as t = -N(u)/D(u), and any question is one about a
polynomial in u. Where the pawl has snapped onto an edge that runs along with the motion, time and angle
have nothing to do with each other; then a bound of how near to zero such a number can be decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from flint import arb, fmpq, fmpz, fmpz_mpoly_ctx, fmpz_poly

from linkwork.fasten.algebraic import (
    EXACT_FROM,
    FIRST_BITS,
    HARDLY,
    Root,
    ball_sign,
    dyadic,
    precision,
    rational_sign,
    real_roots,
)
from linkwork.fasten.slices import Affine

ONE = fmpz_poly([1])


def at_time(t: fmpq) -> Affine:
    """The relation t = a rational number."""
    return Affine(fmpz_poly([-t.p]), fmpz_poly([t.q]))


def along(relation: Affine, in_time: Sequence[fmpz_poly]) -> fmpz_poly:
    """Σ p_k(u) t^k on the curve t = -N/D, times D to the highest power of t."""
    total, power = fmpz_poly([0]), ONE
    for poly in reversed(in_time):  # Horner, homogeneous
        total = total * -relation.constant + poly * power
        power = power * relation.slope
    return total


class Point:
    """Chart c, u = tan((θ - c·π)/2) there, and the time: by a relation t = -N(u)/D(u) or by itself."""

    def __init__(self, chart: int, u: Root, relation: Affine | None = None, t: Root | None = None) -> None:
        self.chart = chart
        self.u = u
        self.relation = relation
        self._t = t

    @cached_property
    def t(self) -> Root:
        """The time as a root of the least polynomial that has it."""
        if self._t is not None:
            return self._t
        assert self.relation is not None
        if self.u.exact is not None:
            above, below = self.relation.constant(self.u.exact), self.relation.slope(self.u.exact)
            return Root.of(-fmpq(above) / fmpq(below))
        return self._eliminated(self.relation)

    def _eliminated(self, relation: Affine) -> Root:
        """Res_u(poly of u, N + D·t), and the factor of it that has our time.

        A common factor of N and D may have another root of the polynomial of u, and then all would vanish.
        """
        common = relation.constant.gcd(relation.slope)
        ring = fmpz_mpoly_ctx.get(("u", "t"), "lex")
        u, t = ring.gens()
        curve = _spread(relation.constant // common, u) + _spread(relation.slope // common, u) * t
        eliminated = _spread(self.u.poly, u).resultant(curve, "u")
        values = [fmpz(0)] * (max(power for _, power in eliminated.to_dict()) + 1)
        for (_, power), value in eliminated.to_dict().items():
            values[power] = value
        candidates = [root for factor, _ in fmpz_poly(values).factor()[1] for root in real_roots(factor)]
        bits = FIRST_BITS
        while len(candidates) > 1:
            time = self.time_ball(bits)
            candidates = [root for root in candidates if root.ball(bits).overlaps(time)]
            bits *= 2
        return candidates[0]

    def time_ball(self, bits: int = FIRST_BITS) -> arb:
        """The time to about so many bits."""
        if self._t is not None:
            return self._t.ball(bits)
        assert self.relation is not None
        extra = 30
        while True:
            with precision(bits + extra):
                u = self.u.ball(bits + extra)
                below = self.relation.slope(u)
                if not below.contains(0):
                    return -self.relation.constant(u) / below
            extra *= 2

    @property
    def time(self) -> float:
        """The time as a float."""
        near = float(self.time_ball().mid())
        is_zero = abs(near) < HARDLY and self.sign(fmpz_poly([0]), fmpz_poly([1])) == 0
        return 0.0 if is_zero else near

    def time_bounds(self, bits: int = FIRST_BITS) -> tuple[fmpq, fmpq]:
        """Rationals at or below and at or above the time."""
        exact = self._t.exact if self._t is not None else None
        if exact is not None:
            return exact, exact
        with precision(bits + 30):
            ball = self.time_ball(bits)
            return dyadic(ball.lower()), dyadic(ball.upper())

    def sign(self, *in_time: fmpz_poly) -> int:
        """The sign of Σ p_k(u) t^k, exactly."""
        bits = FIRST_BITS
        while bits <= EXACT_FROM:
            with precision(bits + 30):
                if sign := ball_sign(self._value(in_time, bits)):
                    return sign
            bits *= 4
        if self.relation is not None:
            sign = self.u.sign_of(along(self.relation, in_time))
            below = self.u.sign_of(self.relation.slope)
            return sign if len(in_time) % 2 else sign * below
        assert self._t is not None
        if self._t.exact is not None:
            return self.u.sign_of(along(at_time(self._t.exact), in_time))
        if self.u.exact is not None:
            values = [fmpq(poly(self.u.exact)) for poly in in_time]
            scale = math.lcm(*(int(value.q) for value in values))
            return self._t.sign_of(fmpz_poly([(value * scale).p for value in values]))
        return self._sign_of_independent(in_time)

    def _value(self, in_time: Sequence[fmpz_poly], bits: int) -> arb:
        u, t = self.u.ball(bits), self.time_ball(bits)
        total = arb(0)
        for poly in reversed(in_time):
            total = total * t + poly(u)
        return total

    def _sign_of_independent(self, in_time: Sequence[fmpz_poly]) -> int:
        """With P(t) = Q(u) = 0, a = lc(P)^m·lc(Q)^n·G(t, u) is an algebraic integer.

        The product of its conjugates, at most deg P·deg Q of them, is a whole number: either a = 0, or
        |a| ≥ 1/(the largest conjugate)^(how many - 1).
        """
        assert self._t is not None
        p, q = self._t.poly, self.u.poly
        m, n = len(in_time) - 1, max(poly.degree() for poly in in_time)
        size = sum(abs(value) for poly in in_time for value in poly.coeffs())
        largest = size * (_root_bound(p) * abs(p.leading_coefficient())) ** m
        largest *= (_root_bound(q) * abs(q.leading_coefficient())) ** n
        enough = int(largest).bit_length() * p.degree() * q.degree() + FIRST_BITS
        bits = EXACT_FROM
        while True:
            with precision(2 * bits + 30):
                value = self._value(in_time, bits)
                if sign := ball_sign(value):
                    return sign
                if abs(value).upper() < arb(2) ** -enough:
                    return 0
            bits *= 2

    def in_chart(self, chart: int) -> Point:
        """The same point in the next chart, where u' = -1/u; only for rational u, at a border of charts."""
        if chart == self.chart:
            return self
        assert self.u.exact is not None
        return Point(chart, Root.of(-1 / self.u.exact), t=self.t)

    @property
    def theta(self) -> float:
        """The angle in the covering space."""
        return self.chart * math.pi + 2 * math.atan(float(self.u))

    def theta_ball(self, bits: int = FIRST_BITS) -> arb:
        """The angle to about so many bits."""
        u = self.u.ball(bits)
        with precision(bits + 30):
            return self.chart * arb.pi() + 2 * u.atan()

    def __repr__(self) -> str:
        return f"Point(t≈{self.time!r}, θ≈{self.theta!r})"


def _spread(poly: fmpz_poly, variable: Any) -> Any:
    total = 0 * variable
    for value in reversed(poly.coeffs()):
        total = total * variable + value
    return total


def _root_bound(poly: fmpz_poly) -> fmpz:
    """A whole number no root's size exceeds, at least 1 (Cauchy)."""
    top = abs(poly.leading_coefficient())
    return 1 + max((abs(value) // top + 1 for value in poly.coeffs()), default=fmpz(1))


def compare_times(first: Point, second: Point) -> int:
    """-1, 0 or 1 as the first is earlier, at the same time or later."""
    bits = FIRST_BITS
    while bits <= EXACT_FROM:
        with precision(bits + 30):
            if sign := ball_sign(first.time_ball(bits) - second.time_ball(bits)):
                return sign
        bits *= 4
    return first.t.compare(second.t)


def time_against(point: Point, t: fmpq) -> int:
    """-1, 0 or 1 as the point's time is before, at or after a rational time."""
    return point.sign(fmpz_poly([-t.p]), fmpz_poly([t.q]))


def rational_between(low: fmpq, high: fmpq) -> fmpq:
    """A rational strictly inside an interval, with few digits."""
    assert low < high
    denominator = fmpz(1)
    while True:
        numerator = (low * denominator).floor() + 1
        if fmpq(numerator, denominator) < high:
            return fmpq(numerator, denominator)
        denominator *= 4


def sign_at(poly: fmpz_poly, number: fmpq) -> int:
    """The sign of a polynomial at a rational number."""
    return rational_sign(fmpq(poly(number)))
