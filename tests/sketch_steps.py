"""The steps of random sketches: each adds a point, a line or a circle by one elementary construction."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

from linkwork.model.constraint import (
    Angle,
    Coincident,
    Distance,
    Equal,
    Fixed,
    Horizontal,
    Midpoint,
    On,
    Parallel,
    Perpendicular,
    Radius,
    Ratio,
    Symmetric,
    Tangent,
    Vertical,
)
from sketch_builder import SIZE, Builder, Unlucky, angle, clear, sine


def by_two_distances(b: Builder) -> None:
    """A point at distances from two points."""
    (a, c), at = b.some(2), b.anywhere()
    clear(sine(at - b.points[a], at - b.points[c]))
    p = b.point(at)
    b.say(Distance((a, p), b.value(b.far(a, p))))
    b.say(Distance((p, c), b.value(b.far(c, p))))


def by_line_and_distance(b: Builder) -> None:
    """A point on a line at a distance from a point."""
    line = b.a_line()
    (a,), at = b.some(1), b.along(line)
    clear(((at - b.points[a]) * b.ways[line].conjugate()).real / abs(at - b.points[a] or 1))
    p = b.point(at)
    b.say(On((p, line)))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_member_and_distance(b: Builder) -> None:
    """A point that a line lists, at a distance from another that it lists."""
    line = b.a_line()
    a = b.chance.choice(b.lines[line])
    p = b.point(b.points[a] + b.chance.choice((-1, 1)) * b.chance.uniform(1, SIZE) * b.ways[line])
    b.lines[line].append(p)
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_distance_from_line(b: Builder) -> None:
    """A point at a distance from a line and from a point."""
    line = b.a_line()
    (a,), at = b.some(1), b.anywhere()
    clear(b.left(at, line), ((at - b.points[a]) * b.ways[line].conjugate()).real / abs(at - b.points[a] or 1))
    p = b.point(at)
    b.say(Distance((p, line), b.value(abs(b.left(at, line)))))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_two_lines(b: Builder) -> None:
    """A point where two lines meet."""
    first, second = b.a_line(), b.a_line()
    cross = (b.ways[first].conjugate() * b.ways[second]).imag
    clear(cross)
    gap = b.bases[second] - b.bases[first]
    at = b.bases[first] + b.ways[first] * ((gap.conjugate() * b.ways[second]).imag / cross)
    p = b.point(at)
    b.say(On((p, first)))
    b.say(On((p, second)))


def by_angle_at_a_point(b: Builder) -> None:
    """A point at an angle of three points and a distance."""
    (a, v), at = b.some(2), b.anywhere()
    p = b.point(at)
    clear(sine(b.points[a] - b.points[v], at - b.points[v]))
    b.say(Angle((a, v, p), b.value(angle(b.points[a] - b.points[v], at - b.points[v]))))
    b.say(Distance((v, p), b.value(b.far(v, p))))


def by_angle_of_lines(b: Builder) -> None:
    """A line at an angle to another, and a point of it at a distance."""
    line = b.a_line()
    (a,), at = b.some(1), b.anywhere()
    p = b.point(at)
    own = b.line([a, p], at - b.points[a], at)
    b.say(Angle((line, own), b.value(angle(b.ways[line], b.ways[own]))))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_two_angles(b: Builder) -> None:
    """A point by two angles of one triangle (one side and two angles)."""
    (a, c), at = b.some(2), b.anywhere()
    side = b.points[c] - b.points[a]
    clear(
        sine(at - b.points[a], at - b.points[c]), sine(at - b.points[a], side), sine(at - b.points[c], side)
    )
    p = b.point(at)
    b.say(Angle((c, a, p), b.value(angle(side, at - b.points[a]))))
    b.say(Angle((p, c, a), b.value(angle(at - b.points[c], -side))))


def by_midpoint(b: Builder) -> None:
    """The middle of two points, or the far end of a way whose middle is known."""
    a, c = b.some(2)
    if b.chance.random() < 0.5:
        p = b.point((b.points[a] + b.points[c]) / 2)
        b.say(Midpoint((p, a, c)))
    else:
        p = b.point(2 * b.points[a] - b.points[c])
        b.say(Midpoint((a, c, p)))


def by_ratio_of_three(b: Builder) -> None:
    """A point that divides a way, or an end of a way that is divided."""
    a, c = b.some(2)
    share = b.chance.uniform(0.2, 0.8)
    if b.chance.random() < 0.5:
        p = b.point(b.points[a] + share * (b.points[c] - b.points[a]))
        b.say(Ratio((a, p, c), b.value(share)))
    else:
        p = b.point(b.points[a] + (b.points[c] - b.points[a]) / share)
        b.say(Ratio((a, c, p), b.value(share)))


def by_ratio_of_four(b: Builder) -> None:
    """A point whose distance from one is a multiple of another distance, and one more distance."""
    (a, c, d), at = b.some(3), b.anywhere()
    clear(sine(at - b.points[a], at - b.points[c]))
    p = b.point(at)
    b.say(Ratio((a, p, c, d), b.value(b.far(a, p) / b.far(c, d))))
    b.say(Distance((c, p), b.value(b.far(c, p))))


def by_equal_lengths(b: Builder) -> None:
    """A point as far from one as two others are apart."""
    a, c, d = b.some(3)
    at = b.points[a] + b.far(c, d) * cmath.rect(1, b.chance.uniform(-math.pi, math.pi))
    clear(sine(at - b.points[a], at - b.points[c]))
    p = b.point(at)
    b.say(Equal((a, p, c, d)))
    b.say(Distance((c, p), b.value(b.far(c, p))))


def by_equal_ways(b: Builder) -> None:
    """A point as far from one as from another, on a line."""
    line = b.a_line()
    a, c = b.some(2)
    middle, way = (b.points[a] + b.points[c]) / 2, 1j * (b.points[c] - b.points[a])
    cross = sine(way, b.ways[line])
    clear(cross)
    way /= abs(way)
    gap = b.bases[line] - middle
    p = b.point(middle + way * ((gap.conjugate() * b.ways[line]).imag / cross))
    b.say(Equal((p, a, c, p)))
    b.say(On((p, line)))


def by_symmetry(b: Builder) -> None:
    """The image of a point in a line."""
    line = b.a_line()
    (a,) = b.some(1)
    clear(b.left(b.points[a], line))
    way = b.ways[line]
    p = b.point(b.bases[line] + way * ((b.points[a] - b.bases[line]) * way.conjugate()).conjugate())
    b.say(Symmetric((a, p, line)))


def by_mirror_line(b: Builder) -> None:
    """The line in which two points are images of each other."""
    a, c = b.some(2)
    line = b.line([], 1j * (b.points[c] - b.points[a]), (b.points[a] + b.points[c]) / 2)
    b.say(Symmetric((a, c, line)))


def by_coincidence(b: Builder) -> None:
    """Another point at the same place."""
    (a,) = b.some(1)
    p = f"P{len(b.points) + 1}"
    b.points[p] = b.points[a]
    b.say(Coincident((a, p) if b.chance.random() < 0.5 else (p, a)))


def by_two_points(b: Builder) -> None:
    """A line through two points."""
    a, c = b.some(2)
    clear(b.far(a, c))
    b.line([a, c], b.points[c] - b.points[a], b.points[a])


def by_parallel(b: Builder) -> None:
    """A line through a point, parallel or at right angles to another, and a point of it at a distance."""
    line = b.a_line()
    (a,) = b.some(1)
    clear(b.left(b.points[a], line))
    level = b.chance.random() < 0.5
    way = b.ways[line] * (1 if level else 1j) * b.chance.choice((-1, 1))
    p = b.point(b.points[a] + way * b.chance.uniform(1, SIZE))
    own = b.line([a, p], way, b.points[a])
    b.say((Parallel if level else Perpendicular)((line, own) if b.chance.random() < 0.5 else (own, line)))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_lines_apart(b: Builder) -> None:
    """A line at a distance from another, with two points that are at distances."""
    line = b.a_line()
    (a,), at = b.some(1), b.anywhere()
    clear(b.left(at, line), ((at - b.points[a]) * b.ways[line].conjugate()).real / abs(at - b.points[a] or 1))
    p = b.point(at)
    q = b.point(at + b.ways[line] * b.chance.choice((-1, 1)) * b.chance.uniform(1, SIZE))
    own = b.line([p, q], b.points[q] - at, at)
    b.say(Distance((line, own), b.value(abs(b.left(at, line)))))
    b.say(Distance((a, p), b.value(b.far(a, p))))
    b.say(Distance((p, q), b.value(b.far(p, q))))


def by_tangent_line(b: Builder) -> None:
    """A line through a point that touches a circle, and a point of it at a distance."""
    a, m = b.some(2)
    radius = b.chance.uniform(0.3, 0.8) * b.far(a, m)
    clear(radius)
    way = (b.points[m] - b.points[a]) * cmath.rect(
        1, b.chance.choice((-1, 1)) * math.asin(radius / b.far(a, m))
    )
    p = b.point(b.points[a] + way / abs(way) * b.chance.uniform(1, SIZE))
    circle = b.circle(m, radius, radius=b.value(radius))
    own = b.line([a, p], way, b.points[a])
    b.say(Tangent((own, circle) if b.chance.random() < 0.5 else (circle, own)))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_tangent_circles(b: Builder) -> None:
    """A circle that touches two others, from outside or from inside."""
    (a, c), at = b.some(2), b.anywhere()
    clear(sine(at - b.points[a], at - b.points[c]), b.far(a, c))
    reach = min(abs(at - b.points[a]), abs(at - b.points[c]))
    own = b.chance.uniform(0.2, 0.8) * reach
    p = b.point(at)
    new = b.circle(p, own, radius=b.value(own))
    for other in (a, c):
        inside = b.chance.random() < 0.5
        radius = b.far(other, p) + own if inside else b.far(other, p) - own
        circle = b.circle(other, radius)
        b.say(Radius((circle,), b.value(radius)))
        b.say(Tangent((circle, new), inside=inside))


def by_circle_and_line(b: Builder) -> None:
    """A point where a line meets a circle through a known point; a second circle is as large."""
    line = b.a_line()
    m, q = b.some(2)
    radius = b.far(m, q)
    height = b.left(b.points[m], line)
    clear(radius)
    if abs(height) > 0.85 * radius:
        raise Unlucky
    foot = b.points[m] - 1j * b.ways[line] * height
    p = b.point(foot + b.chance.choice((-1, 1)) * math.sqrt(radius**2 - height**2) * b.ways[line])
    circle = b.circle(m, radius, through=(q,))
    b.say(On((p, circle)))
    b.say(On((p, line)))


def by_equal_circles(b: Builder) -> None:
    """A point on two circles of the same radius."""
    m, n = b.some(2)
    radius = b.far(m, n) * b.chance.uniform(0.6, 1.5)
    first, second = b.circle(m, radius), b.circle(n, radius)
    half = (b.points[n] - b.points[m]) / 2
    up = b.chance.choice((-1, 1)) * math.sqrt(radius**2 - abs(half) ** 2) * 1j * half / abs(half)
    clear(abs(up))
    p = b.point(b.points[m] + half + up)
    b.say(Equal((first, second)))
    b.say(Radius((second,), b.value(radius)))
    b.say(On((p, first)))
    b.say(On((p, second)))


def by_equal_angles(b: Builder) -> None:
    """A line that is turned against one as a third is against a second, and a point of it at a distance."""
    first, second, third = b.a_line(), b.a_line(), b.a_line()
    if len({first, second, third}) < 3:
        raise Unlucky
    (a,) = b.some(1)
    way = b.ways[third] * b.ways[second] / b.ways[first]
    p = b.point(b.points[a] + way * b.chance.uniform(1, SIZE))
    own = b.line([a, p], way, b.points[a])
    b.say(Equal((first, second, third, own)))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_level(b: Builder) -> None:
    """A point level with one, or straight above it, at a distance from another."""
    if not b.absolute:
        raise Unlucky
    a, c = b.some(2)
    level = b.chance.random() < 0.5
    way = 1 if level else 1j
    p = b.point(b.points[a] + way * b.chance.choice((-1, 1)) * b.chance.uniform(1, SIZE))
    clear(((b.points[p] - b.points[c]) * complex(way).conjugate()).real / b.far(p, c))
    b.say((Horizontal if level else Vertical)((a, p) if b.chance.random() < 0.5 else (p, a)))
    b.say(Distance((c, p), b.value(b.far(c, p))))


def by_upright_line(b: Builder) -> None:
    """A horizontal or vertical line, or one at an angle to the x-axis, with a point at a distance."""
    if not b.absolute:
        raise Unlucky
    (a,) = b.some(1)
    word = b.chance.choice(("horizontal", "vertical", "angle"))
    at = {"horizontal": 0.0, "vertical": math.pi / 2}.get(word, b.chance.uniform(-3, 3))
    way = cmath.rect(1, at) * (1 if word == "angle" else b.chance.choice((-1, 1)))
    p = b.point(b.points[a] + way * b.chance.uniform(1, SIZE))
    own = b.line([a, p], way, b.points[a])
    if word == "angle":
        b.say(Angle((own,), b.value(at)))
    else:
        b.say(Horizontal((own,)) if word == "horizontal" else Vertical((own,)))
    b.say(Distance((a, p), b.value(b.far(a, p))))


def by_place(b: Builder) -> None:
    """A point fixed in the plane."""
    if not b.absolute:
        raise Unlucky
    at = b.anywhere()
    p = b.point(at)
    b.say(Fixed((p,), (b.value(at.real), b.value(at.imag))))


STEPS: dict[str, Callable[[Builder], None]] = {
    step.__name__: step
    for step in (
        by_two_distances,
        by_line_and_distance,
        by_member_and_distance,
        by_distance_from_line,
        by_two_lines,
        by_angle_at_a_point,
        by_angle_of_lines,
        by_two_angles,
        by_midpoint,
        by_ratio_of_three,
        by_ratio_of_four,
        by_equal_lengths,
        by_equal_ways,
        by_symmetry,
        by_mirror_line,
        by_coincidence,
        by_two_points,
        by_parallel,
        by_lines_apart,
        by_tangent_line,
        by_tangent_circles,
        by_circle_and_line,
        by_equal_circles,
        by_equal_angles,
        by_level,
        by_upright_line,
        by_place,
    )
}
"""The steps of random sketches by name."""
