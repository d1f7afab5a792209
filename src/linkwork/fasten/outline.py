"""Outlines of drawings: loops of vertices with their names, and chords that stand for arcs and curves.

Where a drawing says a vertex in decimals it is kept exactly; points on arcs lie on them to some 12 digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Vector

FINENESS: Final = 1000
"""An arc's radius by the greatest distance of its chords from it, where no deviation is given."""
MOST_CHORDS: Final = 10_000
"""Of one arc or curve."""
_DIGITS: Final = 12
"""Significant digits of points on arcs."""


@dataclass(frozen=True)
class Outline:
    """A closed loop of a drawing: its name (a layer, an id) and at which line of the file it begins."""

    name: str
    points: tuple[Vector, ...]
    line: int


@dataclass(frozen=True)
class Run:
    """A piece of an outline from its first point to its last one, and whether both ends are exactly as drawn."""

    points: tuple[Vector, ...]
    is_exact: bool
    layer: str
    line: int


def decimal(value: float, size: float) -> Fraction:
    """A number that was computed, as a decimal fraction of 12 digits beside ``size``.

    >>> decimal(0.1 + 0.2, 1.0)
    Fraction(3, 10)
    """
    places = _DIGITS - math.ceil(math.log10(size)) if size > 0 else _DIGITS
    return Fraction(round(Fraction(value) * Fraction(10) ** places)) / Fraction(10) ** places


def chords(sweep: float, radius: float, deviation: float) -> int:
    """How many chords keep within a deviation of an arc: r - r cos(α/2) for a chord of the angle α.

    >>> chords(math.tau, 1.0, 0.01)
    23
    """
    allowed = deviation or radius / FINENESS
    if allowed >= radius:
        return max(1, math.ceil(abs(sweep) / (math.pi / 2)))
    return checked_count(math.ceil(abs(sweep) / (4 * math.asin(math.sqrt(allowed / radius / 2))) - 1e-9))


def checked_count(count: int) -> int:
    """A number of chords, unless it is absurd."""
    if count > MOST_CHORDS:
        raise LinkworkError(
            "an arc or curve would need very many chords",
            got=f"{count} chords",
            wanted=f"at most {MOST_CHORDS}",
            fix="give a larger deviation",
        )
    return max(count, 1)


def arc_points(centre: Vector, radius: float, start: float, sweep: float, count: int) -> list[Vector]:
    """The points between ``count`` chords of an arc, and both its ends; angles in radians."""
    size = radius + max(abs(float(each)) for each in centre)
    found = []
    for step in range(count + 1):
        angle = start + sweep * step / count
        found.append(
            (
                centre[0] + decimal(radius * math.cos(angle), size),
                centre[1] + decimal(radius * math.sin(angle), size),
            )
        )
    return found


def bulged(start: Vector, end: Vector, bulge: float, deviation: float) -> list[Vector]:
    """The points between two vertices of a polyline with an arc between them; bulge = tan(sweep/4)."""
    sweep = 4 * math.atan(bulge)
    dx, dy = (float(b - a) for a, b in zip(start, end, strict=True))
    length = math.hypot(dx, dy)
    if not length or not sweep:
        return []
    radius = length / (2 * abs(math.sin(sweep / 2)))
    off = length / 2 / math.tan(sweep / 2)  # from the chord's middle to the centre, to its left
    middle = [float(a + b) / 2 for a, b in zip(start, end, strict=True)]
    x, y = middle[0] - off * dy / length, middle[1] + off * dx / length
    centre = (decimal(x, radius + abs(x)), decimal(y, radius + abs(y)))
    begin = math.atan2(float(start[1]) - y, float(start[0]) - x)
    return arc_points(centre, radius, begin, sweep, chords(sweep, radius, deviation))[1:-1]
