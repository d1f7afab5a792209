"""Outlines of DXF drawings: closed polylines, circles, and lines and arcs that are joined where they meet.

A DXF text is a list of pairs of lines, a group code and a value (Autodesk, DXF Reference). The entities of the
model are read; coordinates in the plane, as they are written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NoReturn

from linkwork.errors import LinkworkError
from linkwork.fasten.design import Vector
from linkwork.fasten.joining import joined
from linkwork.fasten.outline import Outline, Run, arc_points, bulged, chords
from linkwork.fasten.rational import rational
from linkwork.model.fault import PlacedError

LAYER, TYPE, NAME = 8, 0, 2
CLOSED: Final = 1
"""The bit of a polyline's flags (code 70)."""
LEFT_OUT: Final = frozenset(
    "ATTDEF ATTRIB DIMENSION HATCH IMAGE LEADER MLEADER MTEXT MULTILEADER POINT SOLID TEXT TOLERANCE VIEWPORT".split()
)
"""Entities that are no outlines: what is written beside them, and what fills them."""


@dataclass
class Entity:
    """A thing of the drawing: its groups in their order, and its line."""

    kind: str
    line: int
    groups: list[tuple[int, str, int]] = field(default_factory=list)

    def text(self, code: int, otherwise: str = "") -> str:
        """The first value of a code."""
        return next((value for each, value, _ in self.groups if each == code), otherwise)


def dxf_outlines(text: str, file: str, deviation: float) -> list[Outline]:
    """The closed outlines of a drawing, named by their layers."""
    drawing = _Drawing(text, file, deviation)
    try:
        return drawing.outlines()
    except PlacedError:
        raise
    except LinkworkError as error:
        drawing.fail(error.problem, 0, got=error.got, wanted=error.wanted, why=error.why, fix=error.fix)


class _Drawing:
    def __init__(self, text: str, file: str, deviation: float) -> None:
        self.lines = re.split("\r\n|\r|\n", text)  # and at no other sign: a text may have one
        self.file = file
        self.deviation = deviation

    def fail(
        self, problem: str, line: int, *, got: str = "", wanted: str = "", why: str = "", fix: str = ""
    ) -> NoReturn:
        raise PlacedError(problem, file=self.file, line=line, got=got, wanted=wanted, why=why, fix=fix)

    # ------------------------------------------------------------------------------------ the text

    def groups(self) -> Iterator[tuple[int, str, int]]:
        """Pairs of a code and a value, with the value's line."""
        for place in range(0, len(self.lines) - 1, 2):
            code = self.lines[place].strip()
            if not code.lstrip("-").isascii() or not code.lstrip("-").isdigit() or len(code) > 5:
                self.fail(
                    "this is not a DXF drawing",
                    place + 1,
                    got=code[:60],
                    wanted="a group code, a whole number",
                    fix="save it as DXF in text (ASCII)",
                )
            yield int(code), self.lines[place + 1].strip(), place + 2

    def entities(self) -> list[Entity]:
        """The things of the section ENTITIES; the vertices of an old polyline are its groups."""
        found: list[Entity] = []
        section, named = "", False
        for code, value, line in self.groups():
            if code == TYPE:
                named = value == "SECTION"
                section = "" if value == "ENDSEC" else section
                if section == "ENTITIES" and value not in ("VERTEX", "SEQEND"):
                    found.append(Entity(value, line))
                elif section == "ENTITIES" and found:
                    found[-1].groups.append((code, value, line))
            elif named and code == NAME:
                section, named = value, False
            elif section == "ENTITIES" and found:
                found[-1].groups.append((code, value, line))
        return found

    # ------------------------------------------------------------------------------------ outlines

    def outlines(self) -> list[Outline]:
        """Loops that are drawn as one, and those that are joined."""
        readers: Mapping[str, Callable[[Entity], Run]] = {
            "LINE": self.segment,
            "ARC": self.arc,
            "LWPOLYLINE": self.polyline,
            "POLYLINE": self.polyline,
        }
        closed: list[Outline] = []
        open_runs: list[Run] = []
        for entity in self.entities():
            if entity.kind == "CIRCLE":
                closed.append(self.circle(entity))
            elif entity.kind in readers:
                run = readers[entity.kind](entity)
                if run.points[0] != run.points[-1]:
                    open_runs.append(run)
                elif len(run.points) > 2:  # a line without length is nothing
                    closed.append(Outline(run.layer, run.points[:-1], run.line))
            elif entity.kind not in LEFT_OUT:
                self.fail(
                    f"{entity.kind} is not read",
                    entity.line,
                    wanted="LINE, ARC, CIRCLE, LWPOLYLINE or POLYLINE",
                    why="a snap-fit's parts are polygons",
                    fix="explode blocks and turn splines into polylines before saving",
                )
        return sorted([*closed, *joined(open_runs)], key=lambda outline: outline.line)

    def number(self, entity: Entity, code: int, otherwise: str = "") -> Fraction:
        for each, value, line in entity.groups:
            if each == code:
                return self.rational(value, line)
        if not otherwise:
            self.fail(f"this {entity.kind} is not complete", entity.line, wanted=f"a group {code}")
        return rational(otherwise)

    def rational(self, value: str, line: int) -> Fraction:
        try:
            return rational(value)
        except LinkworkError as error:
            self.fail(error.problem, line, got=error.got, wanted=error.wanted, fix=error.fix)

    def vector(self, entity: Entity, code: int) -> Vector:
        return self.number(entity, code), self.number(entity, code + 10)

    def segment(self, entity: Entity) -> Run:
        ends = self.vector(entity, 10), self.vector(entity, 11)
        return Run(ends, True, entity.text(LAYER, "0"), entity.line)

    def radius(self, entity: Entity) -> float:
        radius = self.number(entity, 40)
        if radius <= 0:
            self.fail("a radius is not positive", entity.line, got=str(radius), wanted="more than 0")
        return float(radius)

    def arc(self, entity: Entity) -> Run:
        start, end = (math.radians(float(self.number(entity, code))) for code in (50, 51))
        sweep = (end - start) % math.tau or math.tau
        radius = self.radius(entity)
        count = chords(sweep, radius, self.deviation)
        found = arc_points(self.vector(entity, 10), radius, start, sweep, count)
        return Run(tuple(found), False, entity.text(LAYER, "0"), entity.line)

    def circle(self, entity: Entity) -> Outline:
        radius = self.radius(entity)
        count = max(3, chords(math.tau, radius, self.deviation))
        found = arc_points(self.vector(entity, 10), radius, 0.0, math.tau, count)[:-1]
        return Outline(entity.text(LAYER, "0"), tuple(found), entity.line)

    def polyline(self, entity: Entity) -> Run:
        """The vertices of a polyline, with arcs where it bulges; a closed one ends where it began."""
        corners: list[Vector] = []
        bulges: list[float] = []
        x: Fraction | None = None
        is_old = entity.kind == "POLYLINE"
        is_vertex = not is_old
        for code, value, line in entity.groups:
            if code == TYPE:
                is_vertex = value == "VERTEX"
            elif is_vertex and code == 10:
                x = self.rational(value, line)
            elif is_vertex and code == 20 and x is not None:
                corners.append((x, self.rational(value, line)))
                bulges.append(0.0)
            elif is_vertex and code == 42 and bulges:
                bulges[-1] = float(self.rational(value, line))
        if len(corners) < 2:
            self.fail("a polyline has less than two vertices", entity.line, wanted="at least two")
        flags = entity.text(70, "0")
        if flags.isdigit() and int(flags) & CLOSED:
            corners.append(corners[0])
        points: list[Vector] = [corners[0]]
        for start, end, bulge in zip(corners, corners[1:], bulges, strict=False):
            points += [*bulged(start, end, bulge, self.deviation), end]
        return Run(_without_repeats(points), True, entity.text(LAYER, "0"), entity.line)


def _without_repeats(points: list[Vector]) -> tuple[Vector, ...]:
    """Programs write some vertices twice."""
    return tuple(point for place, point in enumerate(points) if not place or point != points[place - 1])
