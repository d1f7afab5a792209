"""Angles of hinges: exactly by the tangent of their half, or in radians, to a certified width."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Pawl, Polygon, Rest, Vector

WIDTH: Final = Fraction(1, 10**30)
"""How far the tangent that stands for an angle in radians may be from the true one."""
ORIGIN: Final[Vector] = (Fraction(0), Fraction(0))
_BITS: Final = 400
"""Of the computation with intervals; sizes up to 1e50 and the width take 270."""


def rest_of_radians(angle: Fraction) -> Rest:
    """The rest angle of so many radians. Only 0 has a rational tangent (Lindemann), so others get a width.

    >>> rest_of_radians(Fraction(0))
    Rest(half_tan=Fraction(0, 1), turns=0, width=Fraction(0, 1), radians=None)
    >>> float(rest_of_radians(Fraction(3, 10)).half_tan)  # tan 0.15
    0.15113521805829508
    """
    if not angle:
        return Rest()
    from flint import arb, ctx, fmpq, fmpz

    with ctx.workprec(_BITS):
        exact = arb(fmpq(angle.numerator, angle.denominator))
        turns = _floor(exact / (2 * arb.pi()) + arb("0.5"))
        tangent = ((exact - 2 * arb.pi() * turns) / 2).tan()
        # On a grid ten times finer than the width, so that rounding and the interval's radius fit in it.
        steps = _floor(tangent * arb(fmpz(int(10 / WIDTH))))
        found = Fraction(steps, 1) * WIDTH / 10
        error = abs(tangent - arb(fmpq(found.numerator, found.denominator)))
        is_certain = error < arb(fmpq(WIDTH.numerator, WIDTH.denominator))
    if not is_certain:
        raise LinkworkError(
            "this angle cannot be told from half a turn",
            got=f"about {float(angle):.17g} radians",
            wanted="an angle that differs from ±π, or π itself drawn: a polygon that is turned by π, at rest 0",
            fix='"3.1416"',
        )
    return Rest(found, turns, WIDTH, angle)


def _floor(number: Any) -> int:
    """The whole number below an interval's middle."""
    return int(number.mid().floor().unique_fmpz())


def turned(polygon: Polygon, half_tan: Fraction) -> Polygon:
    """A polygon turned about the origin by 2·atan(half_tan): cos = (1-u²)/(1+u²), sin = 2u/(1+u²).

    >>> [(int(x), int(y)) for x, y in turned(((Fraction(1), Fraction(0)),), Fraction(1))]
    [(0, 1)]
    """
    if not half_tan:
        return polygon
    norm = 1 + half_tan**2
    cosine, sine = (1 - half_tan**2) / norm, 2 * half_tan / norm
    return tuple((cosine * x - sine * y, sine * x + cosine * y) for x, y in polygon)


def moved(polygon: Polygon, by: Vector) -> Polygon:
    """A polygon moved without turning."""
    return tuple((x + by[0], y + by[1]) for x, y in polygon)


def starting_angle(pawl: Pawl) -> Rest:
    """Where a pawl begins: cocked, or at rest."""
    return pawl.rest if pawl.theta_init is None else rest_of_radians(pawl.theta_init)


def starting_polygons(pawl: Pawl, p0: Vector) -> list[Polygon]:
    """The polygons of a pawl and of all that it carries at the start, among the obstacles; carriers first."""
    own = [pawl.poly, *(each for child in pawl.pawls for each in starting_polygons(child, ORIGIN))]
    at = pawl.hinge[0] + p0[0], pawl.hinge[1] + p0[1]
    half_tan = starting_angle(pawl).half_tan
    return [moved(turned(each, half_tan), at) for each in own]
