"""Sine, cosine, tangent and their inverses in degrees, exact where the exact value is short."""

from __future__ import annotations

import math
from typing import Final

_HALF: Final = 0.5
_ROOT_HALF: Final = math.sqrt(0.5)
_ROOT_THREE_QUARTERS: Final = math.sqrt(0.75)
_SHORT: Final = {0.0: 0.0, 30.0: _HALF, 45.0: _ROOT_HALF, 60.0: _ROOT_THREE_QUARTERS, 90.0: 1.0}
_INVERSE: Final = {0.0: 0.0, _HALF: 30.0, _ROOT_HALF: 45.0, _ROOT_THREE_QUARTERS: 60.0, 1.0: 90.0}


def sine(degrees: float) -> float:
    """The sine of an angle in degrees.

    >>> sine(30.0), sine(180.0), sine(-390.0), round(sine(20.0), 9)
    (0.5, 0.0, -0.5, 0.342020143)
    """
    if not math.isfinite(degrees):
        return math.nan
    rest = math.fmod(degrees, 360.0)
    sign = 1.0
    if rest < 0:
        rest, sign = -rest, -1.0
    if rest >= 180:
        rest, sign = rest - 180.0, -sign
    if rest > 90:
        rest = 180.0 - rest
    value = _SHORT.get(rest)
    if value is None:
        value = math.sin(math.radians(rest)) if rest <= 45 else math.cos(math.radians(90.0 - rest))
    return sign * value + 0.0


def cosine(degrees: float) -> float:
    """The cosine of an angle in degrees.

    >>> cosine(60.0), cosine(90.0), cosine(180.0), round(cosine(-20.0), 9)
    (0.5, 0.0, -1.0, 0.939692621)
    """
    return sine(90.0 - math.fmod(abs(degrees), 360.0)) if math.isfinite(degrees) else math.nan


def tangent(degrees: float) -> float:
    """The tangent of an angle in degrees.

    >>> tangent(45.0), tangent(135.0), tangent(90.0), tangent(-90.0)
    (1.0, -1.0, inf, -inf)
    """
    if not math.isfinite(degrees):
        return math.nan
    s, c = sine(degrees), cosine(degrees)
    if c == 0:
        return math.copysign(math.inf, s if math.fmod(abs(degrees), 180.0) == 90 else 1.0)
    return s / c


def arc_sine(value: float) -> float:
    """The angle in degrees from -90 to 90 with this sine; nan where there is none."""
    if not abs(value) <= 1:
        return math.nan
    exact = _INVERSE.get(abs(value))
    return math.degrees(math.asin(value)) if exact is None else math.copysign(exact, value) + 0.0


def arc_cosine(value: float) -> float:
    """The angle in degrees from 0 to 180 with this cosine; nan where there is none.

    >>> arc_cosine(0.5), arc_cosine(-1.0), arc_cosine(2.0)
    (60.0, 180.0, nan)
    """
    if abs(value) in _INVERSE:
        return 90.0 - arc_sine(value)
    return math.degrees(math.acos(value)) if abs(value) < 1 else math.nan


def arc_tangent(value: float) -> float:
    """The angle in degrees from -90 to 90 with this tangent."""
    return math.degrees(math.atan(value))
