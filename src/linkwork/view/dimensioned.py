"""Pictures of dimensioned drawings: points, lines and circles with their names, dimensions, masses and forces."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from linkwork.algebra import Expression, Table, evaluate, free_symbols
from linkwork.algebra.expression import ZERO
from linkwork.errors import LinkworkError
from linkwork.mechanics import Derivation
from linkwork.model.drawing import Drawing
from linkwork.sketch.construct import Construction
from linkwork.view.layout import LETTER_WIDTH, Size, fit
from linkwork.view.primitive import Circle, Path, Primitive, Text
from linkwork.view.raster import primitives_png
from linkwork.view.svg import Look, primitives_svg
from linkwork.view.theme import LABEL_LETTERS, ThemeName

SIZE: Final = (640, 400)
MARGIN: Final = 46.0
"""Pixels around the drawing, for names and dimensions."""
BODIES: Final = 4
LINE, MEASURE, LOAD, MASS = "line-0", "hatch", "line-5", "spot-0"
"""The inks of lines, dimensions, forces and masses."""
COLOURS: Final = 6
ARROW: Final = 9.0
FORCE_LENGTH: Final = 46.0
ARC: Final = 30.0
"""Pixels: the head of an arrow, the length of a force, the radius of an angle's arc."""


@dataclass(frozen=True)
class Layout:
    """Where everything of a drawing is, in numbers."""

    points: Mapping[str, complex]
    lines: Mapping[str, tuple[complex, complex]]  # a point and the direction
    radii: Mapping[str, float]


def drawing_svg(derivation: Derivation, size: Size = SIZE, *, theme: Look = "auto") -> str:
    """The drawing of a derivation as SVG; an empty text where it has no numbers to be drawn by."""
    layout = layout_of(derivation)
    if layout is None:
        return ""
    title = derivation.machine.title or derivation.machine.name
    return primitives_svg(painted(derivation.machine.drawing, layout, size), title, size, COLOURS, theme)


def drawing_png(derivation: Derivation, size: Size = (960, 600), *, theme: ThemeName = "light") -> bytes:
    """The drawing as the bytes of a PNG file."""
    layout = layout_of(derivation)
    if layout is None:
        raise LinkworkError(
            f"the drawing {derivation.machine.name} has no numbers to be drawn by",
            wanted="values for its dimensions",
            fix="[parameter]\na = 1",
        )
    return primitives_png(
        lambda fitted: painted(derivation.machine.drawing, layout, fitted), COLOURS, size, theme=theme
    )


def layout_of(derivation: Derivation) -> Layout | None:
    """The places of all elements for the machine's values; None where some are missing or impossible."""
    construction = derivation.construction
    values = dict(derivation.machine.values())
    table = Table.of(construction.definitions) if construction.definitions else None
    names = {*(table.inputs if table else ())} | _names_of(construction)
    if table is not None:
        names -= {line.name for line in table}
    for name in names - values.keys():
        values[name] = 1.0  # any picture is better than none
    try:
        known = values | (table.evaluate(values) if table else {})
        return _layout(construction, known)
    except LinkworkError:
        return None


def _names_of(construction: Construction) -> set[str]:
    frame = construction.frame
    sides: list[Expression] = [each for point in frame.points.values() for each in (point.x, point.y)]
    for line in frame.lines.values():
        sides += [line.through.x, line.through.y, line.direction.cosine, line.direction.sine]
    sides += [construction.drawing.radius(name) for name in construction.drawing.circles]
    return {leaf.name for leaf in free_symbols(*sides)}


def _layout(construction: Construction, known: Mapping[str, float]) -> Layout | None:
    frame, drawing = construction.frame, construction.drawing
    points = {name: complex(*evaluate([at.x, at.y], known)) for name, at in frame.points.items()}
    lines = {}
    for name, line in frame.lines.items():
        way = complex(*evaluate([line.direction.cosine, line.direction.sine], known))
        lines[name] = (complex(*evaluate([line.through.x, line.through.y], known)), way)
    radii = {name: evaluate([drawing.radius(name)], known)[0] for name in drawing.circles}
    numbers = [*points.values(), *(each for pair in lines.values() for each in pair), *radii.values()]
    return Layout(points, lines, radii) if all(map(cmath.isfinite, numbers)) else None


def painted(drawing: Drawing | None, layout: Layout, size: Size) -> list[Primitive]:
    """The drawing in pixels."""
    assert drawing is not None
    return _Sheet(drawing, layout, size).primitives()


class _Sheet:
    """One picture in the making."""

    def __init__(self, drawing: Drawing, layout: Layout, size: Size) -> None:
        self.drawing = drawing
        self.layout = layout
        self.size = size
        corners = [*layout.points.values()] or [0j]
        for name, radius in layout.radii.items():
            centre = layout.points[drawing.circles[name].centre]
            corners += [centre + radius * step for step in (1, -1, 1j, -1j)]
        xs, ys = [each.real for each in corners], [each.imag for each in corners]
        far = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
        box = (min(xs), min(ys), max(max(xs), min(xs) + far / 8), max(max(ys), min(ys) + far / 8))
        self.extent = far
        self.fit = fit(box, (MARGIN, MARGIN, size[0] - MARGIN, size[1] - MARGIN))
        self.middle = sum(self.fit(each) for each in layout.points.values()) / max(len(layout.points), 1)
        self.paper = Path(((0j, complex(size[0], 0), complex(*size), complex(0, size[1])),), "paper")

    def primitives(self) -> list[Primitive]:
        """Everything, the paper first."""
        found = [
            self.paper,
            *self.lines(),
            *self.rods(),
            *self.circles(),
            *self.dimensions(),
            *self.springs(),
            *self.forces(),
            *self.torques(),
            *self.points(),
        ]
        return [self.inside(each) if isinstance(each, Text) else each for each in found]

    def inside(self, text: Text) -> Text:
        """A text moved so far that its letters are within the picture."""
        width = LETTER_WIDTH * LABEL_LETTERS * len(text.text)
        left = text.at.real - {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
        shift = max(4.0 - left, 0.0) + min(self.size[0] - 4.0 - left - width, 0.0)
        return replace(text, at=text.at + shift) if shift else text

    def rods(self) -> list[Primitive]:
        """Distances between points that no line of the drawing joins are rods."""
        found: list[Primitive] = []
        for constraint in self.drawing.constraints.values():
            is_rod = constraint.word == "distance" and {*constraint.kinds_in(self.drawing)} == {"point"}
            if is_rod and not any({*constraint.of} <= {*points} for points in self.drawing.lines.values()):
                first, second = (self.at(each) for each in constraint.of)
                found.append(Path(((first, second),), LINE, closed=False))
        return found

    def torques(self) -> list[Primitive]:
        """Torques as arrows that turn about the first point of their line, torsion springs as arcs."""
        found: list[Primitive] = []
        for name, torque in self.drawing.torques.items():
            arc = self.arc(name, 20.0)
            if arc:
                label = Text(arc[-1] - 8j, str(torque), "label", "middle")
                found += [
                    Path((tuple(arc),), LOAD, closed=False),
                    _head(arc[-1], arc[-1] - arc[-2], LOAD),
                    label,
                ]
        for torsion in self.drawing.torsion_springs.values():
            for radius in (9.0, 13.0, 17.0):
                arc = self.arc(torsion.between[-1], radius)
                found += [Path((tuple(arc),), "spring", closed=False)] if arc else []
        return found

    def arc(self, line: str, radius: float) -> list[complex]:
        """Three quarters of a turn about the first point of a line, counter-clockwise."""
        members = self.drawing.lines[line]
        if not members:
            return []
        centre, start = self.at(members[0]), cmath.phase(self.layout.lines[line][1]) + 0.5
        return [centre + cmath.rect(radius, start + 1.5 * math.pi * k / 24).conjugate() for k in range(25)]

    def at(self, point: str) -> complex:
        return self.fit(self.layout.points[point])

    def lines(self) -> list[Primitive]:
        """Each line between its outermost points, a little further where it has only one."""
        found: list[Primitive] = []
        for name, members in self.drawing.lines.items():
            base, way = self.layout.lines[name]
            along = [((self.layout.points[each] - base) * way.conjugate()).real for each in members]
            first, last = (min(along), max(along)) if along else (0.0, 0.0)
            if last - first < self.extent / 100:
                first, last = first - self.extent / 12, last + self.extent / 4
            ends = (self.fit(base + first * way), self.fit(base + last * way))
            found.append(Path((ends,), LINE, closed=False))
        return found

    def circles(self) -> list[Primitive]:
        found: list[Primitive] = []
        for name, circle in self.drawing.circles.items():
            centre, radius = self.layout.points[circle.centre], self.layout.radii[name]
            start, turn = 0.0, 2 * math.pi
            if circle.arc and len(circle.through) >= 2:
                first, last = (self.layout.points[each] - centre for each in circle.through[:2])
                start, turn = cmath.phase(first), cmath.phase(last / first) % (2 * math.pi)
            steps = [centre + cmath.rect(radius, start + turn * k / 72) for k in range(73)]
            found.append(Path((tuple(map(self.fit, steps)),), LINE, closed=False))
        return found

    def dimensions(self) -> list[Primitive]:
        """Distances with a thin line and their value, angles with an arc."""
        found: list[Primitive] = []
        levels = self.levels()
        for name, constraint in self.drawing.constraints.items():
            value = getattr(constraint, "value", None)
            kinds = constraint.kinds_in(self.drawing)
            if constraint.word == "distance" and kinds == ("point", "point"):
                first, second = (self.at(each) for each in constraint.of)
                found += self.distance(first, second, str(value), levels.get(name, 0))
            elif constraint.word == "distance" and "line" in kinds and "point" in kinds:
                point, line = constraint.of if kinds[0] == "point" else constraint.of[::-1]
                base, way = self.layout.lines[line]
                place = self.layout.points[point]
                foot = base + ((place - base) * way.conjugate()).real * way
                found += self.distance(self.at(point), self.fit(foot), str(value))
            elif constraint.word == "angle" and value is not ZERO:
                found += self.angle(constraint.of, kinds, _angle_shown(value))
        for name, circle in self.drawing.circles.items():
            if circle.radius is not None:
                centre = self.layout.points[circle.centre]
                rim = centre + cmath.rect(self.layout.radii[name], 0.8)
                found += self.distance(self.fit(centre), self.fit(rim), str(circle.radius))
        return found

    def levels(self) -> dict[str, int]:
        """How far out each distance along a line is drawn: shorter ones on the same line are nearer to it."""
        found: dict[str, int] = {}
        along: dict[str, list[tuple[float, str]]] = {}
        for name, constraint in self.drawing.constraints.items():
            if constraint.word == "distance" and {*constraint.kinds_in(self.drawing)} == {"point"}:
                for line, members in self.drawing.lines.items():
                    if {*constraint.of} <= {*members}:
                        first, second = (self.at(each) for each in constraint.of)
                        along.setdefault(line, []).append((abs(second - first), name))
        for lengths in along.values():
            for level, (_, name) in enumerate(sorted(lengths)):
                found[name] = max(level, found.get(name, 0))
        return found

    def distance(self, first: complex, second: complex, value: str, level: int = 0) -> list[Primitive]:
        """A thin line beside two places, on the outer side of the drawing, with its value."""
        if abs(second - first) < 1:
            return []
        side = 1j * _unit(second - first)
        outwards = (first + second) / 2 - self.middle
        if outwards.real * side.real + outwards.imag * side.imag < 0:
            side = -side
        far = 13 + 24 * level
        ends = (first + far * side, second + far * side)
        marks = [
            Path(((each + 4 * side, each + (far + 4) * side),), MEASURE, closed=False)
            for each in (first, second)
        ]
        middle = (first + second) / 2 + (far + 12) * side
        return [Path((ends,), MEASURE, closed=False), *marks, Text(middle + 4j, value, "label", "middle")]

    def angle(self, names: tuple[str, ...], kinds: tuple[str, ...], value: str) -> list[Primitive]:
        """An arc from the first direction to the second, where the lines meet."""
        layout = self.layout
        if kinds == ("point",) * 3:
            first, vertex, second = (layout.points[each] for each in names)
            ways = (_unit(first - vertex), _unit(second - vertex))
        elif kinds == ("line", "line"):
            (p, a), (q, b) = (layout.lines[each] for each in names)
            cross = (a.conjugate() * b).imag
            common = [each for each in self.drawing.lines[names[0]] if each in self.drawing.lines[names[1]]]
            if common:
                vertex = layout.points[common[0]]
            elif abs(cross) < 1e-6:
                return []
            else:
                vertex = p + a * (((q - p).conjugate() * b).imag / cross)
            ways = (a, b)
        else:
            vertex, ways = layout.lines[names[0]][0], (1 + 0j, layout.lines[names[0]][1])
        turn = cmath.phase(ways[1] / ways[0])
        centre, start = self.fit(vertex), cmath.phase(ways[0])
        arc = [centre + cmath.rect(ARC, start + turn * k / 24).conjugate() for k in range(25)]
        at = centre + cmath.rect(ARC + 13, start + turn / 2).conjugate()
        return [
            Path((tuple(arc),), MEASURE, closed=False),
            _head(arc[-1], arc[-1] - arc[-3], MEASURE),
            Text(at + 4j, value, "label", "middle"),
        ]

    def springs(self) -> list[Primitive]:
        found: list[Primitive] = []
        for spring in self.drawing.springs.values():
            first, second = (self.at(each) for each in spring.between)
            if abs(second - first) < 1:
                continue
            way = second - first
            side = 1j * way / abs(way) * 6
            turns = [
                first + way * (0.15 + 0.7 * k / 12) + side * (0 if k in (0, 12) else (-1) ** k)
                for k in range(13)
            ]
            found.append(Path(((first, *turns, second),), "spring", closed=False))
        return found

    def forces(self) -> list[Primitive]:
        found: list[Primitive] = []
        for name, force in self.drawing.forces.items():
            way = _way([*force])
            tip = self.at(name) + FORCE_LENGTH * way
            away = 18j if tip.imag >= self.middle.imag else -9j  # to the outer side of the drawing
            shown = ", ".join(str(each) for each in force)
            found += [
                Path(((self.at(name), tip),), LOAD, closed=False),
                _head(tip, way, LOAD),
                Text(
                    tip + 12 * way + 4j if abs(way.imag) > 0.5 else tip - 12 * way + away,
                    f"({shown})",
                    "label",
                    "middle",
                ),
            ]
        return found

    def points(self) -> list[Primitive]:
        found: list[Primitive] = []
        for name in self.drawing.points:
            at = self.at(name)
            heavy = name in self.drawing.masses
            away = _unit(at - self.middle) if abs(at - self.middle) > 1 else 1 - 1j
            found.append(Circle(at, 6.0 if heavy else 3.6, MASS if heavy else "pin"))
            found.append(Text(at + 14 * away + 4j, name, "label", "start" if away.real >= -0.2 else "end"))
        return found


def _angle_shown(value: Any) -> str:
    """An angle as it is labelled: degrees where it is a number."""
    return str(value) if free_symbols(value) else f"{math.degrees(evaluate([value], {})[0]):.4g}°"


def _unit(way: complex) -> complex:
    return way / abs(way) if abs(way) > 1e-12 else 1 + 0j


def _way(force: list[Expression]) -> complex:
    """The direction of a force in pixels, symbols counted as positive."""
    values = {leaf.name: 1.0 for leaf in free_symbols(*force)}
    try:
        x, y = evaluate(force, values)
    except LinkworkError:
        return 1 + 0j
    return _unit(complex(x, -y)) if math.isfinite(x) and math.isfinite(y) else 1 + 0j


def _head(tip: complex, way: complex, ink: str) -> Primitive:
    """The head of an arrow."""
    back = -_unit(way) * ARROW
    return Path(
        ((tip + back * cmath.rect(1, 0.4), tip, tip + back * cmath.rect(1, -0.4)),), ink, closed=False
    )
