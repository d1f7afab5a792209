"""Sections of cones: circles, and arcs along ellipses, parabolas and hyperbolas.

A line of the cone at the angle φ goes from its lower rim, at height Z₀(φ) over the plane, to its upper rim, at
Z₁(φ); it meets the plane at the share s = Z₀ / (Z₀ − Z₁) of its length if these have different signs. Both are
of the form c + a cos(φ − φ₀), with the same φ₀, so each rim meets the plane at φ₀ ± α or not at all. As a cone is
convex, a section is bounded by the curves between these angles and by chords of the rims.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from linkwork.solid.extent import SQUARE
from linkwork.solid.placement import Placement
from linkwork.solid.region import EMPTY_REGION, Edge, Line, Point, Region, biarcs

APEX: Final = 0.05
"""Of the deviation: a plane nearer to the tip than this passes through it."""

SAME: Final = 1e-9
"""Angles nearer than this are one: the curve between both rims is a line."""


@dataclass(frozen=True)
class _Rim:
    """A circle in place: its centre and its height over the plane, and its radii along the first two axes."""

    centre: complex
    height: float
    radius: float

    def crossing(self, slope: float) -> float | None:
        """The α at which the rim is in the plane; None if it is all above or all below."""
        reach = self.radius * slope
        return math.acos(-self.height / reach) if abs(self.height) < reach else None


@dataclass(frozen=True)
class _Cone:
    """Rims, and the first two axes seen from above (as complex numbers) and their rise over the plane."""

    lower: _Rim
    upper: _Rim
    first: complex
    second: complex
    rise: tuple[float, float]

    def rim_point(self, rim: _Rim, angle: float) -> complex:
        return rim.centre + rim.radius * (self.first * math.cos(angle) + self.second * math.sin(angle))

    def _heights(self, angle: float) -> tuple[float, float, float]:
        up = self.rise[0] * math.cos(angle) + self.rise[1] * math.sin(angle)
        change = self.rise[1] * math.cos(angle) - self.rise[0] * math.sin(angle)
        return self.lower.height + self.lower.radius * up, self.upper.height + self.upper.radius * up, change

    def curve(self, angle: float) -> Point:
        z0, z1, _ = self._heights(angle)
        a, b = self.rim_point(self.lower, angle), self.rim_point(self.upper, angle)
        point = a + z0 / (z0 - z1) * (b - a)
        return point.real, point.imag

    def direction(self, angle: float) -> Point:
        z0, z1, change = self._heights(angle)
        a, b = self.rim_point(self.lower, angle), self.rim_point(self.upper, angle)
        aside = self.second * math.cos(angle) - self.first * math.sin(angle)
        share = z0 / (z0 - z1)
        grows = (z0 * self.upper.radius - z1 * self.lower.radius) * change / (z0 - z1) ** 2
        radius = self.lower.radius + share * (self.upper.radius - self.lower.radius)
        way = radius * aside + grows * (b - a)
        return way.real, way.imag


def cone_section(bottom: float, top: float, height: float, place: Placement, deviation: float) -> Region:
    """What the plane z = 0 cuts out of a placed cone."""
    (ux, vx, wx), (uy, vy, wy), (uz, vz, wz) = place.matrix.tolist()
    x, y, z = place.origin
    if math.hypot(uz, vz) <= SQUARE * place.scale:
        share = -z / (wz * height)
        if not (0 <= share < 1 if wz > 0 else 0 < share <= 1):
            return EMPTY_REGION
        radius = (bottom + (top - bottom) * share) * place.scale
        centre = x + wx * share * height, y + wy * share * height
        return Region.circle(radius, centre) if radius > 0 else EMPTY_REGION
    cone = _Cone(
        _Rim(complex(x, y), z, bottom),
        _Rim(complex(x + wx * height, y + wy * height), z + wz * height, top),
        complex(ux, uy),
        complex(vx, vy),
        (uz, vz),
    )
    edges = _boundary(cone, math.atan2(vz, uz), math.hypot(uz, vz), deviation)
    return Region.from_loops([edges]) if edges else EMPTY_REGION


def _boundary(cone: _Cone, middle: float, slope: float, deviation: float) -> list[Edge]:
    lower, upper = cone.lower.crossing(slope), cone.upper.crossing(slope)
    if lower is None and upper is None:
        if cone.lower.height * cone.upper.height >= 0:
            return []
        return _curve(cone, middle, middle + math.tau, deviation)
    alpha, rim, other = lower, cone.lower, cone.upper
    if alpha is None:
        alpha, rim, other = upper, cone.upper, cone.lower
    assert alpha is not None
    if other.radius == 0 and abs(other.height) <= APEX * deviation:
        corners = [other.centre, *(cone.rim_point(rim, middle + turn) for turn in (alpha, -alpha))]
        return [Line(_pair(corners[place - 1]), _pair(corners[place])) for place in range(3)]
    if lower is not None and upper is not None:
        return _between_rims(cone, middle, lower, upper, deviation)
    # The rim is above the plane within α of the middle, so lines from there meet it if the other rim is below.
    turn = (-alpha, alpha) if other.height < 0 else (alpha, math.tau - alpha)
    edges = _curve(cone, middle + turn[0], middle + turn[1], deviation)
    return [*edges, Line(edges[-1].end, edges[0].start)] if edges else []


def _between_rims(cone: _Cone, middle: float, lower: float, upper: float, deviation: float) -> list[Edge]:
    """Both rims are cut: a curve from the lower one to the upper one, a chord, a curve back, a chord."""
    sides: list[list[Edge]] = []
    for sign in (1, -1):
        low, high = middle + sign * lower, middle + sign * upper
        ends = [_pair(cone.rim_point(cone.lower, low)), _pair(cone.rim_point(cone.upper, high))]
        if abs(lower - upper) < SAME:
            sides.append([Line(ends[0], ends[1])])
        else:
            sides.append(_curve(cone, low, high, deviation))
    forth, back = sides[0], [edge.reversed for edge in reversed(sides[1])]
    return [*forth, Line(forth[-1].end, back[0].start), *back, Line(back[-1].end, forth[0].start)]


def _curve(cone: _Cone, first: float, last: float, deviation: float) -> list[Edge]:
    if first < last:
        return list(biarcs(cone.curve, cone.direction, first, last, deviation))
    return [edge.reversed for edge in reversed(_curve(cone, last, first, deviation))]


def _pair(z: complex) -> Point:
    return z.real, z.imag
