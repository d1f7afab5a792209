"""Outlines of machine parts, as points of the plane written as complex numbers."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Sequence

TURN = 2 * math.pi
PRESSURE_ANGLE = math.radians(20)
"""Of gear teeth: the angle between the line of action and the common tangent, 20° in nearly all gears."""

BACKLASH = 0.04
"""Part of a tooth's thickness left out, so that meshing gears show a line of light between them."""

_STEPS_PER_TURN = 48
_FLANK_POINTS = 4


def direction(angle: float) -> complex:
    """The unit vector at an angle.

    >>> direction(0)
    (1+0j)
    """
    return cmath.rect(1.0, angle)


def arc(
    center: complex, radius: float, start: float, end: float, steps_per_turn: int = _STEPS_PER_TURN
) -> list[complex]:
    """Points along an arc, both ends included."""
    steps = max(1, math.ceil(abs(end - start) / TURN * steps_per_turn))
    return [center + cmath.rect(radius, start + (end - start) * k / steps) for k in range(steps + 1)]


def ring(center: complex, radius: float, steps: int = _STEPS_PER_TURN) -> tuple[complex, ...]:
    """A full circle as a polygon."""
    return tuple(center + cmath.rect(radius, TURN * k / steps) for k in range(steps))


def convex_hull(points: Iterable[complex]) -> list[complex]:
    """The corners of the smallest convex polygon around the points, counter-clockwise (Andrew 1979).

    >>> convex_hull([0, 2, 1 + 0.5j, 2 + 2j, 2j])
    [0j, (2+0j), (2+2j), 2j]
    """
    ordered = sorted({complex(point) for point in points}, key=lambda point: (point.real, point.imag))
    if len(ordered) < 3:
        return ordered

    def half(run: Iterable[complex]) -> list[complex]:
        chain: list[complex] = []
        for point in run:
            while len(chain) > 1 and _cross(chain[-1] - chain[-2], point - chain[-2]) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return half(ordered) + half(reversed(ordered))


def _cross(first: complex, second: complex) -> float:
    return first.real * second.imag - first.imag * second.real


def rounded_hull(
    points: Iterable[complex], radius: float, steps_per_turn: int = _STEPS_PER_TURN
) -> tuple[complex, ...]:
    """The outline of a plate that keeps ``radius`` from the hull of its pins: a bar, when they are two."""
    corners = convex_hull(points)
    if len(corners) == 1:
        return ring(corners[0], radius, steps_per_turn)
    outline: list[complex] = []
    for before, corner, after in zip(
        corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True
    ):
        start = cmath.phase(corner - before) - math.pi / 2
        turn = (cmath.phase(after - corner) - math.pi / 2 - start) % TURN
        outline += arc(corner, radius, start, start + turn, steps_per_turn)
    return tuple(outline)


def rectangle(
    center: complex, angle: float, length: float, width: float, rounding: float = 0.0
) -> tuple[complex, ...]:
    """A rectangle with its length along ``angle``, its corners rounded."""
    along = direction(angle)
    rounding = min(rounding, length / 2.001, width / 2.001)
    half_length, half_width = length / 2 - rounding, width / 2 - rounding
    corners = [
        center + along * complex(x * half_length, y * half_width)
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return rounded_hull(corners, rounding) if rounding > 0 else tuple(corners)


def _involute(angle: float) -> float:
    return math.tan(angle) - angle


def gear_outline(
    center: complex, radius: float, teeth: int, phase: float, *, above: float = 1.0, below: float = 1.25
) -> tuple[complex, ...]:
    """The outline of a gear with involute teeth, the middle of one at the angle ``phase``.

    A tooth's half angle at the radius r is pi/(2z) + inv(alpha) - inv(acos(r_b/r)), with the base radius
    r_b = r_p cos(alpha) (any text on gears, e.g. Litvin, Gear Geometry, ch. 10). ``above`` and ``below``
    are its height beyond the pitch circle and its depth, in modules 2 r_p/z.
    """
    module = 2 * radius / teeth
    tip, root = radius + above * module, max(radius - below * module, 0.3 * radius)
    base = radius * math.cos(PRESSURE_ANGLE)
    lowest = max(base, root)

    def half_angle(at: float) -> float:
        there = math.pi / 2 / teeth * (1 - BACKLASH) + _involute(PRESSURE_ANGLE)
        return max(there - _involute(math.acos(min(1.0, base / at))), 0.1 / teeth)

    radii = [lowest + (tip - lowest) * k / _FLANK_POINTS for k in range(_FLANK_POINTS + 1)]
    flank = [(at, half_angle(at)) for at in radii]
    foot = (root, min(half_angle(lowest) + 0.15 / teeth, 0.97 * math.pi / teeth))
    outline: list[complex] = []
    for tooth in range(teeth):
        middle = phase + TURN * tooth / teeth
        rising = [foot, *flank]
        outline += [center + cmath.rect(at, middle - half) for at, half in rising]
        outline += [center + cmath.rect(at, middle + half) for at, half in reversed(rising)]
    return tuple(outline)


def rack_outline(
    middle: complex, angle: float, length: float, pitch: float, depth: float
) -> tuple[complex, ...]:
    """A toothed bar: teeth to the left of ``angle``, ``depth`` of material under their roots."""
    module = pitch / math.pi
    count = max(1, int(length / pitch / 2 + 1e-9))
    lean = math.tan(PRESSURE_ANGLE)
    half = pitch / 4 * (1 - BACKLASH)
    profile = [complex(-length / 2, -1.25 * module - depth), complex(length / 2, -1.25 * module - depth)]
    teeth: list[complex] = []
    for tooth in range(-count, count + 1):
        x = tooth * pitch
        if abs(x) + half + 1.25 * module * lean > length / 2:
            continue
        foot, top = half + 1.25 * module * lean, half - module * lean
        teeth += [complex(x - foot, -1.25 * module), complex(x - top, module)]
        teeth += [complex(x + top, module), complex(x + foot, -1.25 * module)]
    profile += [complex(length / 2, -1.25 * module), *reversed(teeth), complex(-length / 2, -1.25 * module)]
    return tuple(middle + direction(angle) * point for point in profile)


def hatching(start: complex, end: complex, spacing: float, size: float) -> tuple[tuple[complex, ...], ...]:
    """Short slanted strokes on the right side of a line: what stands there is the ground."""
    length = abs(end - start)
    count = max(2, round(length / spacing))
    along = (end - start) / length if length else 1 + 0j
    slant = along * complex(-0.7, -1) * size
    feet = [start + along * length * (k + 0.85) / count for k in range(count)]
    return tuple((foot, foot + slant) for foot in feet)


def belt(first: complex, first_radius: float, second: complex, second_radius: float) -> tuple[complex, ...]:
    """An open belt around two pulleys: the outer tangents and the arcs between them.

    The tangents touch at the angles phase(d) ± acos((r1 - r2)/|d|) of both circles.
    """
    between = second - first
    if abs(between) <= abs(first_radius - second_radius):
        return ring(first, first_radius) if first_radius > second_radius else ring(second, second_radius)
    heading = cmath.phase(between)
    touch = math.acos((first_radius - second_radius) / abs(between))
    return (
        *arc(first, first_radius, heading + touch, heading + TURN - touch),
        *arc(second, second_radius, heading - touch, heading + touch),
    )


# A connector's line is given by stations (part, offset, aside): ``part`` of the way from its first end to
# its second, then ``offset`` further along, then ``aside`` to the left. So one list serves every frame.
Station = tuple[float, float, float]


def spring_stations(width: float, coils: int = 6) -> list[list[Station]]:
    """A zigzag between two straight ends."""
    inner = [(0.16 + 0.68 * (k + 0.5) / (2 * coils), 0.0, (-1) ** k * width / 2) for k in range(2 * coils)]
    return [[(0, 0, 0), (0.16, 0, 0), *inner, (0.84, 0, 0), (1, 0, 0)]]


def damper_stations(width: float) -> list[list[Station]]:
    """A cylinder open towards the second end, and the piston on its rod."""
    half = width / 2
    cylinder: list[Station] = [(0.7, 0, half), (0.3, 0, half), (0.3, 0, -half), (0.7, 0, -half)]
    piston: list[Station] = [(0.5, 0, 0.8 * half), (0.5, 0, -0.8 * half)]
    return [[(0, 0, 0), (0.3, 0, 0)], cylinder, piston, [(0.5, 0, 0), (1, 0, 0)]]


def along_stations(
    first: complex, second: complex, lines: Sequence[Sequence[Station]]
) -> list[list[complex]]:
    """The stations of a connector between two points."""
    between = second - first
    along = between / abs(between) if between else 1 + 0j
    return [
        [first + part * between + along * complex(offset, aside) for part, offset, aside in line]
        for line in lines
    ]
