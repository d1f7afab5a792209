"""Real algebraic numbers: a root of an integer polynomial, known as closely as a question needs.

Every question is asked of a ball around the root first. Where no ball decides, the polynomials do:
a number is zero exactly when its polynomial shares the root.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq, fmpz, fmpz_poly

FIRST_BITS = 64
HARDLY = 1e-12
EXACT_FROM = 256
"""Bits after which a sign that no ball tells is looked for in the polynomials."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls are computed with so many bits inside."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def as_fmpq(number: Fraction | int) -> fmpq:
    """A Python rational as a flint one."""
    fraction = Fraction(number)
    return fmpq(fraction.numerator, fraction.denominator)


def as_fraction(number: fmpq) -> Fraction:
    """A flint rational as a Python one."""
    return Fraction(int(number.p), int(number.q))


def as_float(number: fmpq) -> float:
    """A flint rational as a float."""
    return int(number.p) / int(number.q)


def float_coefficients(*polys: fmpz_poly) -> list[list[float]]:
    """Coefficients of quadratics from the constant on, all divided by the largest of them."""
    largest = max(abs(int(value)) for poly in polys for value in poly.coeffs())
    return [[int(poly[power]) / largest for power in range(3)] for poly in polys]


def dyadic(number: arb) -> fmpq:
    """The midpoint of a ball, as the rational that it is."""
    mantissa, exponent = number.mid().man_exp()
    power = fmpz(2) ** abs(int(exponent))
    return fmpq(mantissa) * power if exponent >= 0 else fmpq(mantissa, power)


def ball_sign(ball: arb) -> int:
    """The sign that all numbers of a ball share; 0 where they share none (or are zero)."""
    return 1 if ball > 0 else -1 if ball < 0 else 0


def rational_sign(number: fmpq) -> int:
    """-1, 0 or 1."""
    return int(number > 0) - int(number < 0)


def squarefree(poly: fmpz_poly) -> fmpz_poly:
    """The polynomial with the same roots, each once."""
    if poly.degree() < 2:
        return poly
    shared = poly.gcd(poly.derivative())
    return poly if shared.degree() == 0 else poly // shared


class Root:
    """A real root: of ``poly``, the only one between two rationals, and in a ball.

    The radius of a ball has thirty bits: one around an interval reaches a little beyond it, and may hold another root
    there. So the ends of the interval are kept.

    >>> two = roots_between(fmpz_poly([-2, 0, 1]), fmpq(0), fmpq(2))[0]
    >>> two.sign_of(fmpz_poly([-2, 0, 1])), two.sign_of(fmpz_poly([-1414, 1000]))
    (0, 1)
    """

    __slots__ = ("_ball", "_below", "_bits", "_high", "_low", "_slope", "exact", "poly")

    def __init__(self, poly: fmpz_poly, ball: arb, low: fmpq, high: fmpq, *, below: int = 0) -> None:
        self.poly = poly
        self.exact = low if low == high else None
        self._ball = ball
        self._low, self._high = low, high
        self._below = below
        self._bits = 0
        self._slope: Any = None

    @staticmethod
    def of(number: fmpq) -> Root:
        """A rational number as a root."""
        return Root(fmpz_poly([-number.p, number.q]), arb(number), number, number)

    @staticmethod
    def inside(poly: fmpz_poly, low: fmpq, high: fmpq) -> Root:
        """The only root strictly inside an interval, where the sign changes."""
        size = max(abs(number).bit_length() for number in map(int, (low.p, low.q, high.p, high.q)))
        with precision(FIRST_BITS + 2 * size):
            ball = arb(low).union(arb(high))
        return Root(poly, ball, low, high, below=rational_sign(fmpq(poly(low))))

    def ball(self, bits: int = FIRST_BITS) -> arb:
        """The root to about ``bits`` bits; compute with it at that precision."""
        if self.exact is not None:
            with precision(bits):
                return arb(self.exact)
        if bits > self._bits:
            self._refine(bits)
        return self._ball

    def _refine(self, bits: int) -> None:
        """Interval Newton; a bisection where the slope may vanish in the ball."""
        if self._slope is None:
            self._slope = self.poly.derivative()
        self._bits = bits
        with precision(bits + 30):
            small = arb(2) ** -bits
            while self._ball.rad() > small * (1 + abs(self._ball.mid())):
                self._narrow()

    def _narrow(self) -> None:
        slope = self._slope(self._ball)
        if not slope.contains(0):
            middle = self._ball.mid()
            nearer = (middle - self.poly(middle) / slope).intersection(self._ball)
            if nearer.rad() * 2 <= self._ball.rad():
                self._ball = nearer
                return
        self._halve()

    def _halve(self) -> None:
        """Bisection with exact signs: beside another root that is very near no ball would tell one."""
        low, high = (max(self._low, dyadic(self._ball.lower())), min(self._high, dyadic(self._ball.upper())))
        middle = (low + high) / 2
        at_middle = rational_sign(fmpq(self.poly(middle)))
        if at_middle == 0:
            self.exact = middle
            self._ball = arb(middle)
            return
        if at_middle == self._below:
            self._low = low = middle
        else:
            self._high = high = middle
        self._ball = arb(low).union(arb(high))

    def sign_of(self, poly: fmpz_poly) -> int:
        """The sign of a polynomial at the root, exactly."""
        if self.exact is not None:
            return rational_sign(fmpq(poly(self.exact)))
        bits = FIRST_BITS
        while bits <= EXACT_FROM:
            with precision(bits + 30):
                if sign := ball_sign(poly(self.ball(bits))):
                    return sign
            bits *= 2
        shared = poly.gcd(self.poly)
        if shared.degree() > 0 and self._is_root_of(shared):
            return 0
        while True:
            bits *= 2
            with precision(bits + 30):
                if sign := ball_sign(poly(self.ball(bits))):
                    return sign

    def _is_root_of(self, factor: fmpz_poly) -> bool:
        """Whether the root belongs to this factor of its polynomial or to the others."""
        others = self.poly // factor
        bits = FIRST_BITS
        while True:
            with precision(bits + 30):
                if not factor(self.ball(bits)).contains(0):
                    return False
                if not others(self.ball(bits)).contains(0):
                    return True
            bits *= 2

    def compare(self, other: Root) -> int:
        """-1, 0 or 1 as this is less than, equal to or greater than another."""
        if other.exact is not None:
            return self.sign_of(fmpz_poly([-other.exact.p, other.exact.q]))
        if self.exact is not None:
            return -other.compare(self)
        bits = FIRST_BITS
        while bits <= EXACT_FROM:
            with precision(bits + 30):
                if sign := ball_sign(self.ball(bits) - other.ball(bits)):
                    return sign
            bits *= 2
        shared = self.poly.gcd(other.poly)
        both = shared.degree() > 0 and self._is_root_of(shared) and other._is_root_of(shared)
        slope = shared.derivative()
        while True:
            with precision(bits + 30):
                mine, theirs = self.ball(bits), other.ball(bits)
                if sign := ball_sign(mine - theirs):
                    return sign
                if both and not slope(mine.union(theirs)).contains(0):
                    return 0
            bits *= 2

    def bounds(self, bits: int = FIRST_BITS) -> tuple[fmpq, fmpq]:
        """Rationals at or below and at or above the root."""
        if self.exact is not None:
            return self.exact, self.exact
        with precision(bits + 30):
            ball = self.ball(bits)
            return dyadic(ball.lower()), dyadic(ball.upper())

    def __float__(self) -> float:
        near = float(self.ball().mid())
        return 0.0 if abs(near) < HARDLY and self.is_zero() else near

    def is_zero(self) -> bool:
        """Whether it is 0 itself, not only near."""
        return self.sign_of(fmpz_poly([0, 1])) == 0

    def __repr__(self) -> str:
        return f"Root({self.poly}, near {float(self)!r})"


def sign_changes(poly: fmpz_poly) -> int:
    """How often the signs of the coefficients change (Descartes)."""
    signs = [value > 0 for value in poly.coeffs() if value != 0]
    return sum(a != b for a, b in pairwise(signs))


def _changes_between(poly: fmpz_poly, low: fmpq, high: fmpq) -> int:
    """An upper bound of the number of roots in the open interval, of the same parity; 0 and 1 are exact.

    The map x ↦ (low + high·x)/(1 + x) takes the positive numbers to the interval.
    """
    scale = low.q * high.q
    below, above = fmpz_poly([low.p * high.q, high.p * low.q]), fmpz_poly([scale, scale])
    moved, power = fmpz_poly([0]), fmpz_poly([1])
    for value in reversed(poly.coeffs()):  # Horner, homogeneous
        moved = moved * below + power * value
        power = power * above
    return sign_changes(moved)


def roots_between(poly: fmpz_poly, low: fmpq, high: fmpq) -> list[Root]:
    """The real roots in the closed interval, in rising order, each once.

    >>> [float(root) for root in roots_between(fmpz_poly([6, -5, 1]), fmpq(0), fmpq(3))]
    [2.0, 3.0]
    """
    if poly.degree() < 1:
        return []
    if poly.degree() == 1:
        only = fmpq(-poly[0], poly[1])
        return [Root.of(only)] if low <= only <= high else []
    poly = squarefree(poly)
    found: list[Root] = []
    if poly(low) == 0:
        found.append(Root.of(low))
    if low < high:
        _isolate(poly, low, high, found)
        if poly(high) == 0:
            found.append(Root.of(high))
    return found


def _isolate(poly: fmpz_poly, low: fmpq, high: fmpq, found: list[Root]) -> None:
    """Roots strictly inside, rising: Vincent's theorem by bisection (Collins and Akritas 1976)."""
    waiting = [(low, high)]
    while waiting:
        low, high = waiting.pop()
        if low == high:
            found.append(Root.of(low))
            continue
        changes = _changes_between(poly, low, high)
        if changes == 0:
            continue
        if changes == 1 and poly(low) != 0 and poly(high) != 0:
            found.append(Root.inside(poly, low, high))
            continue
        middle = (low + high) / 2
        at_middle = [(middle, middle)] if poly(middle) == 0 else []
        waiting += [(middle, high), *at_middle, (low, middle)]


def real_roots(poly: fmpz_poly) -> list[Root]:
    """All real roots in rising order, each once."""
    if poly.degree() < 1:
        return []
    largest = max(abs(value) for value in poly.coeffs())
    bound = fmpq(1) + fmpq(largest, abs(poly.leading_coefficient()))
    return roots_between(poly, -bound, bound)
