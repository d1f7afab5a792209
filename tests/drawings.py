"""Drawings for tests: random ones built step by step with exactly the dimensions measured in them, and chains.

A :class:`Sketch` is a drawing together with the picture it was measured in: where every point and line really is.
Each step of a random sketch adds one point or line by an elementary construction, so the drawing is neither over-
nor under-constrained, and what a construction of it must give is known beforehand.
"""

from __future__ import annotations

import cmath
import copy
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from linkwork import Machine, evaluate
from linkwork.algebra import Expression, Operand, Table, substitute, symbol
from linkwork.model.constraint import (
    Angle,
    Coincident,
    Constraint,
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
from linkwork.model.drawing import Circle, Drawing
from linkwork.sketch.construct import Construction, construct

CLEAR = 0.35
"""How far from degenerate every step of a random sketch keeps (a sine, or a length)."""
SIZE = 4.0
"""Points are within this distance of the middle, roughly."""


def drawn(**fields: Any) -> Drawing:
    """A drawing from numbers, names and text: what it takes is checked by itself, not by types."""
    return Drawing(**fields)


class Unlucky(Exception):
    """A random step came out nearly degenerate."""


@dataclass(frozen=True)
class Sketch:
    """A drawing and the picture it was measured in; points of the plane are complex numbers."""

    points: Mapping[str, complex]
    lines: Mapping[str, tuple[str, ...]]
    ways: Mapping[str, complex]  # the direction of every line
    bases: Mapping[str, complex]  # a place on every line
    circles: Mapping[str, Circle]
    radii: Mapping[str, float]
    constraints: Mapping[str, Constraint]
    values: Mapping[str, float]

    def drawing(self, rough: float = 0.0, seed: int = 0) -> Drawing:
        """The drawing, with its points at rough places: off by up to so much."""
        chance = random.Random(seed)
        places = {
            name: (at.real + chance.uniform(-rough, rough), at.imag + chance.uniform(-rough, rough))
            for name, at in self.points.items()
        }
        return Drawing(
            points=places,
            lines=dict(self.lines),
            circles=dict(self.circles),
            constraints=dict(self.constraints),
        )

    def machine(self, **more: Any) -> Machine:
        """The drawing as a machine whose parameters are its dimensions."""
        drawing = replace(self.drawing(), **more)
        return Machine.of("sketch", dict(self.values), drawing=drawing)

    def without(self, *names: str) -> Sketch:
        """The sketch with some constraints left out."""
        return replace(
            self, constraints={key: each for key, each in self.constraints.items() if key not in names}
        )

    def shuffled(self, seed: int) -> Sketch:
        """The sketch with its constraints in another order."""
        names = [*self.constraints]
        random.Random(seed).shuffle(names)
        return replace(self, constraints={name: self.constraints[name] for name in names})

    def renamed(self, new: Callable[[str], str]) -> Sketch:
        """The sketch with other names for its elements, constraints and dimensions."""
        symbols: dict[Expression, Operand] = {symbol(name): symbol(new(name)) for name in self.values}

        def value(each: Any) -> Any:
            return substitute([each], symbols)[0]

        def constraint(each: Constraint) -> Constraint:
            more: dict[str, Any] = {"of": tuple(new(name) for name in each.of)}
            if hasattr(each, "value"):
                more["value"] = value(each.value)
            if isinstance(each, Fixed):
                more["at"] = tuple(value(part) for part in each.at)
            return replace(each, **more)

        def circle(each: Circle) -> Circle:
            radius = None if each.radius is None else value(each.radius)
            through = tuple(new(name) for name in each.through)
            return replace(each, centre=new(each.centre), radius=radius, through=through)

        return Sketch(
            {new(name): at for name, at in self.points.items()},
            {new(name): tuple(new(each) for each in on) for name, on in self.lines.items()},
            {new(name): way for name, way in self.ways.items()},
            {new(name): at for name, at in self.bases.items()},
            {new(name): circle(each) for name, each in self.circles.items()},
            {new(name): radius for name, radius in self.radii.items()},
            {new(name): constraint(each) for name, each in self.constraints.items()},
            {new(name): each for name, each in self.values.items()},
        )

    def mirrored(self) -> Sketch:
        """The sketch seen in the x-axis: angles and heights of the plane change their sign."""
        turned = {str(each.value) for each in self.constraints.values() if isinstance(each, Angle)}
        turned |= {str(each.at[1]) for each in self.constraints.values() if isinstance(each, Fixed)}
        return replace(
            self,
            points={name: at.conjugate() for name, at in self.points.items()},
            ways={name: way.conjugate() for name, way in self.ways.items()},
            bases={name: at.conjugate() for name, at in self.bases.items()},
            values={name: -each if name in turned else each for name, each in self.values.items()},
        )


# ------------------------------------------------------------------------------------- what was constructed


@dataclass(frozen=True)
class Built:
    """Where a construction puts the elements of a drawing, in numbers."""

    points: Mapping[str, complex]
    ways: Mapping[str, complex]
    bases: Mapping[str, complex]
    radii: Mapping[str, float]


def built(construction: Construction, values: Mapping[str, float]) -> Built:
    """The elements of a construction for some values."""
    lines = construction.definitions
    known = dict(values)
    if lines:
        needed = {leaf.name for line in lines for leaf in line.mentions} - {line.name for line in lines}
        known |= Table.of(lines, inputs=sorted(needed)).evaluate({name: values[name] for name in needed})

    def at(*parts: Any) -> complex:
        return complex(*evaluate(list(parts), known))

    frame = construction.frame
    drawing = construction.drawing
    radii = {name: evaluate([drawing.radius(name)], known)[0] for name in drawing.circles}
    return Built(
        {name: at(point.x, point.y) for name, point in frame.points.items()},
        {name: at(line.direction.cosine, line.direction.sine) for name, line in frame.lines.items()},
        {name: at(line.through.x, line.through.y) for name, line in frame.lines.items()},
        radii,
    )


def constructed(sketch: Sketch, rough: float = 0.0, seed: int = 0) -> Built:
    """A sketch's drawing constructed again."""
    return built(construct(sketch.drawing(rough, seed), dict(sketch.values)), sketch.values)


def fitted(found: Mapping[str, complex], wanted: Mapping[str, complex]) -> tuple[complex, complex, float]:
    """The turn and the shift that bring points upon others best, and how far they are off then."""
    names = [*wanted]
    a = sum(found[name] for name in names) / len(names)
    b = sum(wanted[name] for name in names) / len(names)
    turn = sum((wanted[name] - b) * (found[name] - a).conjugate() for name in names)
    turn = turn / abs(turn) if abs(turn) else 1.0 + 0j
    off = max(abs(b + turn * (found[name] - a) - wanted[name]) for name in names)
    return turn, b - turn * a, off


def residuals(drawing: Drawing, found: Built, values: Mapping[str, float]) -> dict[str, float]:
    """By how much each constraint fails, from the coordinates alone; lines and circles by their own names."""
    points, radii = found.points, found.radii

    def of(value: Any) -> float:
        return evaluate([value], dict(values))[0]

    def left(point: str, line: str) -> float:
        return ((points[point] - found.bases[line]) * found.ways[line].conjugate()).imag

    def far(first: str, second: str) -> float:
        return abs(points[second] - points[first])

    def turn(first: complex, second: complex) -> float:
        return cmath.phase(second / first)

    def small(angle: float, whole: float = 2 * math.pi) -> float:
        return abs((angle + whole / 2) % whole - whole / 2)

    def off(each: Constraint) -> float:
        kinds, names = each.kinds_in(drawing), each.of
        lines = [found.ways[name] for name, kind in zip(names, kinds, strict=True) if kind == "line"]
        match each.word, kinds:
            case "distance", ("point", "point"):
                return far(*names) - of(each.value)  # type: ignore[attr-defined]
            case "distance", ("point", "line"):
                return abs(left(*names)) - of(each.value)  # type: ignore[attr-defined]
            case "distance", ("line", "point"):
                return abs(left(names[1], names[0])) - of(each.value)  # type: ignore[attr-defined]
            case "distance", ("line", "line"):
                apart = abs(left(drawing.lines[names[1]][0], names[0])) - of(each.value)  # type: ignore[attr-defined]
                return max(abs(apart), small(turn(*lines), math.pi))
            case "angle", ("line",):
                return small(cmath.phase(lines[0]) - of(each.value))  # type: ignore[attr-defined]
            case "angle", ("line", "line"):
                return small(turn(*lines) - of(each.value))  # type: ignore[attr-defined]
            case "angle", _:
                first, vertex, second = (points[name] for name in names)
                return small(turn(first - vertex, second - vertex) - of(each.value))  # type: ignore[attr-defined]
            case "parallel", _:
                return small(turn(*lines), math.pi)
            case "perpendicular", _:
                return small(turn(*lines) - math.pi / 2, math.pi)
            case "horizontal", ("line",):
                return lines[0].imag
            case "vertical", ("line",):
                return lines[0].real
            case "horizontal", _:
                return (points[names[0]] - points[names[1]]).imag
            case "vertical", _:
                return (points[names[0]] - points[names[1]]).real
            case "on", ("point", "line"):
                return left(*names)
            case "on", _:
                return far(drawing.circles[names[1]].centre, names[0]) - radii[names[1]]
            case "coincident", _:
                return far(*names)
            case "midpoint", _:
                return abs(2 * points[names[0]] - points[names[1]] - points[names[2]])
            case "symmetric", _:
                middle = (points[names[0]] + points[names[1]]) / 2 - found.bases[names[2]]
                across = points[names[1]] - points[names[0]]
                way = found.ways[names[2]].conjugate()
                return max(abs((middle * way).imag), abs((across * way).real))
            case "fixed", _:
                return abs(points[names[0]] - complex(*(of(part) for part in each.at)))  # type: ignore[attr-defined]
            case "radius", _:
                return radii[names[0]] - of(each.value)  # type: ignore[attr-defined]
            case "equal", ("circle", "circle"):
                return radii[names[0]] - radii[names[1]]
            case "equal", ("line", "line", "line", "line"):
                return small(turn(lines[0], lines[1]) - turn(lines[2], lines[3]), math.pi)
            case "equal", _:
                return far(*names[:2]) - far(*names[2:])
            case "ratio", ("point", "point", "point"):
                a, p, b = (points[name] for name in names)
                return abs(p - a - of(each.value) * (b - a))  # type: ignore[attr-defined]
            case "ratio", _:
                return far(*names[:2]) - of(each.value) * far(*names[2:])  # type: ignore[attr-defined]
            case "tangent", ("line", "circle"):
                return abs(left(drawing.circles[names[1]].centre, names[0])) - radii[names[1]]
            case "tangent", ("circle", "line"):
                return abs(left(drawing.circles[names[0]].centre, names[1])) - radii[names[0]]
            case "tangent", _:
                gap = radii[names[0]] + (-1 if each.inside else 1) * radii[names[1]]  # type: ignore[attr-defined]
                return far(*(drawing.circles[name].centre for name in names)) - gap
        raise AssertionError(each)

    result = {name: abs(off(each)) for name, each in drawing.constraints.items()}
    for name, on in drawing.lines.items():
        result[name] = max([abs(left(point, name)) for point in on], default=0.0)
    for name, circle in drawing.circles.items():
        result[name] = max(
            [abs(far(circle.centre, each) - radii[name]) for each in circle.through], default=0.0
        )
    return result


# ------------------------------------------------------------------------------------------ random sketches


@dataclass
class Builder:
    """A sketch in the making: one step a construction; all choices by chance."""

    chance: random.Random
    points: dict[str, complex] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)
    ways: dict[str, complex] = field(default_factory=dict)
    bases: dict[str, complex] = field(default_factory=dict)
    circles: dict[str, Circle] = field(default_factory=dict)
    radii: dict[str, float] = field(default_factory=dict)
    constraints: dict[str, Constraint] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    absolute: bool = False  # whether directions of the plane are given

    def sketch(self) -> Sketch:
        """The sketch so far."""
        return Sketch(
            dict(self.points),
            {name: tuple(on) for name, on in self.lines.items()},
            dict(self.ways),
            dict(self.bases),
            dict(self.circles),
            dict(self.radii),
            dict(self.constraints),
            dict(self.values),
        )

    # ------------------------------------------------------------------------------ pieces

    def value(self, size: float) -> str:
        """A dimension with this value."""
        name = f"d{len(self.values) + 1}"
        self.values[name] = size
        return name

    def say(self, each: Constraint) -> None:
        """One more constraint."""
        self.constraints[f"c{len(self.constraints) + 1}"] = each

    def point(self, at: complex) -> str:
        """A new point, clear of all others and within the picture."""
        if abs(at) > 3 * SIZE or any(abs(at - other) < CLEAR for other in self.points.values()):
            raise Unlucky
        name = f"P{len(self.points) + 1}"
        self.points[name] = at
        return name

    def line(self, on: Sequence[str], way: complex, base: complex) -> str:
        """A new line that lists these points."""
        name = f"L{len(self.lines) + 1}"
        self.lines[name], self.ways[name], self.bases[name] = list(on), way / abs(way), base
        return name

    def circle(self, centre: str, size: float, **more: Any) -> str:
        """A new circle."""
        name = f"C{len(self.circles) + 1}"
        self.circles[name], self.radii[name] = Circle(centre, **more), size
        return name

    def some(self, count: int) -> list[str]:
        """Known points, at different places."""
        if len(self.points) < count:
            raise Unlucky
        found = self.chance.sample([*self.points], count)
        if len({self.points[name] for name in found}) < count:
            raise Unlucky
        return found

    def a_line(self) -> str:
        """A known line with a direction that the picture shows."""
        known = [name for name, on in self.lines.items() if len(on) >= 2]
        if not known:
            raise Unlucky
        return self.chance.choice(known)

    def anywhere(self) -> complex:
        """A place by chance."""
        return complex(self.chance.uniform(-SIZE, SIZE), self.chance.uniform(-SIZE, SIZE))

    def along(self, line: str) -> complex:
        """A place on a line."""
        return self.bases[line] + self.chance.uniform(-SIZE, SIZE) * self.ways[line]

    def left(self, at: complex, line: str) -> float:
        """How far a place is to the left of a line."""
        return ((at - self.bases[line]) * self.ways[line].conjugate()).imag

    def far(self, first: str, second: str) -> float:
        """The distance of two points."""
        return abs(self.points[second] - self.points[first])


def clear(*numbers: float) -> None:
    """Each of these is clear of 0."""
    if min(abs(each) for each in numbers) < CLEAR:
        raise Unlucky


def sine(first: complex, second: complex) -> float:
    """The sine of the angle from one direction to another."""
    return (second * first.conjugate()).imag / abs(first) / abs(second)


def angle(first: complex, second: complex) -> float:
    """The angle from one direction to another."""
    return cmath.phase(second / first)


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


def started(seed: int, absolute: bool) -> Builder:
    """A triangle with its sides as lines: fixed in the plane, or loose."""
    chance = random.Random(seed)
    while True:
        b = Builder(chance, absolute=absolute)
        try:
            for _ in range(3):
                b.point(b.anywhere())
            p, q, r = b.points.values()
            clear(sine(q - p, r - p), sine(p - q, r - q), sine(p - r, q - r))
        except Unlucky:
            continue
        b.line(["P1", "P2"], q - p, p)
        b.line(["P1", "P3"], r - p, p)
        b.line(["P3", "P2"], q - r, r)
        if absolute:
            b.say(Fixed(("P1",), (b.value(p.real), b.value(p.imag))))
            b.say(Angle(("L1",), b.value(cmath.phase(q - p))))
        for first, second in (("P1", "P2"), ("P1", "P3"), ("P2", "P3")):
            b.say(Distance((first, second), b.value(b.far(first, second))))
        return b


def with_step(b: Builder, step: Callable[[Builder], None]) -> Builder:
    """The builder after a step, tried until it comes out well; Unlucky where it never does."""
    for _ in range(60):
        trial = copy.deepcopy(b)
        trial.chance = b.chance
        try:
            step(trial)
        except Unlucky:
            continue
        return trial
    raise Unlucky


def random_sketch(
    seed: int, steps: int = 6, absolute: bool | None = None, only: Sequence[str] = ()
) -> Sketch:
    """A sketch by random steps."""
    chance = random.Random(f"{seed} steps")
    b = started(seed, chance.random() < 0.5 if absolute is None else absolute)
    names = list(only or STEPS)
    b = with_step(b, by_angle_of_lines)  # else the only lines are the sides of a triangle
    done = 0
    for _ in range(20 * steps):
        try:
            b = with_step(b, STEPS[chance.choice(names)])
        except Unlucky:
            continue
        done += 1
        if done == steps:
            return b.sketch()
    return random_sketch(seed + 1000, steps, absolute, only)
