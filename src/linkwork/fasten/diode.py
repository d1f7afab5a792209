"""Motion diodes: does what went together come apart again, which way, and at what price (section 4.4).

"Comes apart" means: the moving parts' box leaves the obstacles' box without jam, stick or collision of the
root. Where the push went right through and ended apart from the obstacles, it means: gets back to a side of
them on which it started. A diode is *kinematic* where that fails even without friction, a *friction* diode
where it fails with the design's friction only, and a *force* diode where it succeeds but costs more than
putting together did. It is *relative* for the directions asked for, *total* for all directions; all of them
cannot be tried, so a total answer says how many were, and how far apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from linkwork.fasten.algebraic import as_fraction
from linkwork.fasten.design import Design, Vector, changed_pawls
from linkwork.fasten.fastening import Fastening, blamed, fasten
from linkwork.fasten.history import history
from linkwork.fasten.placing import placed_pawls, reach_of
from linkwork.results import plain_document

DIRECTIONS = 120
"""Directions tried all around before those between are."""
NARROWEST = Fraction(1, 10**6)
"""Radians to which the border between directions that come apart and that do not is found."""
FRICTION_WIDTH = Fraction(1, 10**9)
FRICTION_LOOKS = 24
MOST_FRICTION = Fraction(2)
Side: TypeAlias = tuple[int, int]
"""An axis, and which way along it."""
SIDES: tuple[Side, ...] = ((0, -1), (0, 1), (1, -1), (1, 1))


@dataclass(frozen=True)
class Way:
    """One direction of pulling apart and what comes of it; ``cause`` is apart, away (it only gets farther from
    the side it came from), jam, stick or root_collision.
    """

    direction: Vector
    comes_apart: bool
    cause: str
    pawl: str | None
    t: float
    force: float

    def __str__(self) -> str:
        return blamed(self.cause, self.pawl)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "direction": [float(value) for value in self.direction],
            "angle": math.atan2(float(self.direction[1]), float(self.direction[0])),
            "comes_apart": self.comes_apart,
            "cause": self.cause,
            "pawl": self.pawl,
            "t": self.t,
            "force": self.force,
        }


@dataclass(frozen=True)
class Classification:
    """What a snap-fit is: ``kind`` kinematic, friction, force or none; ``extent`` relative, total or none."""

    assembly: Fastening
    kind: str
    extent: str
    ways: tuple[Way, ...]
    without_friction: tuple[Way, ...]
    around: Around | None
    insertion: float
    retention: float

    @property
    def ratio(self) -> float:
        """Force out over force in."""
        return self.retention / self.insertion if self.insertion > 0 else math.inf

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        figures = {
            "kind": self.kind,
            "extent": self.extent,
            "insertion_force": self.insertion,
            "retention_force": self.retention,
            "ratio": self.ratio,
            "ways": [way.to_json() for way in self.ways],
            "ways_without_friction": [way.to_json() for way in self.without_friction],
            "around": self.around.to_json() if self.around else None,
        }
        return plain_document(figures)


@dataclass(frozen=True)
class Around:
    """All directions: those that come apart, as arcs of angles, and how finely it was looked."""

    tried: int
    spacing: float
    border: float
    arcs: tuple[tuple[float, float], ...]
    arcs_without_friction: tuple[tuple[float, float], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data; angles in radians."""
        return {
            "directions_tried": self.tried,
            "spacing": self.spacing,
            "border_width": self.border,
            "apart": [list(arc) for arc in self.arcs],
            "apart_without_friction": [list(arc) for arc in self.arcs_without_friction],
        }


def reversed_design(found: Fastening, direction: Vector, mu: Fraction | None = None) -> Design | None:
    """The same parts from where they ended, pulled until they must be apart; none if they never are."""
    design = found.design
    low, _ = found.ending.at.time_bounds(128)
    t = as_fraction(low)
    place = (design.p0[0] + design.v[0] * t, design.p0[1] + design.v[1] * t)
    angles = {name: motion.angle_at(float(t)) for name, motion in found.pawls.items()}
    pawls = changed_pawls(design.pawls, lambda pawl: replace(pawl, theta_init=Fraction(angles[pawl.name])))
    pulled = replace(design, p0=place, v=direction, pawls=pawls, mu=design.mu if mu is None else mu)
    sides = SIDES
    if _sides(pulled, angles):
        sides = _sides(design, {name: motion.angle_at(0.0) for name, motion in found.pawls.items()})
    duration = time_to_part(pulled, sides)
    return None if duration is None else replace(pulled, duration=duration)


def time_to_part(design: Design, sides: Sequence[Side] = SIDES) -> Fraction | None:
    """When the box of all that moves, however the pawls are turned, is beyond the obstacles on one of the sides."""
    times: list[Fraction] = []
    for axis, sense in sides:
        if design.v[axis] * sense <= 0:
            continue
        low, high = _moving_range(design, axis)
        first, last = _fixed_range(design, axis)
        way = last - (design.p0[axis] + low) if sense > 0 else design.p0[axis] + high - first
        times.append(max(way, Fraction(0)) / abs(design.v[axis]))
    return min(times) + 1 if times else None


def _sides(design: Design, angles: Mapping[str, float]) -> tuple[Side, ...]:
    """The sides of the obstacles' box on which all that moves is, with the pawls turned so."""
    found = []
    for axis, sense in SIDES:
        values = [float(point[axis]) for point in design.root or ()]
        for placed in placed_pawls(design.pawls, angles):
            values += [corner[axis] for corner in placed.corners]
        place, (first, last) = float(design.p0[axis]), map(float, _fixed_range(design, axis))
        if place + min(values) >= last if sense > 0 else place + max(values) <= first:
            found.append((axis, sense))
    return tuple(found)


def _fixed_range(design: Design, axis: int) -> tuple[Fraction, Fraction]:
    values = [point[axis] for obstacle in design.obstacles for point in obstacle.poly]
    return min(values), max(values)


def _moving_range(design: Design, axis: int) -> tuple[Fraction, Fraction]:
    values = [point[axis] for point in design.root or ()]
    for pawl in design.pawls:
        reach = Fraction(math.ceil(reach_of(pawl) * 1024) + 1, 1024)
        values += [pawl.hinge[axis] - reach, pawl.hinge[axis] + reach]
    return min(values), max(values)


def pull(found: Fastening, direction: Vector, mu: Fraction | None = None) -> Way:
    """What comes of pulling in a direction from where the assembly ended."""
    design = reversed_design(found, direction, mu)
    if design is None:
        return Way(direction, False, "away", None, 0.0, 0.0)
    back = fasten(design)
    apart = back.ending.cause == "end"
    return Way(
        direction,
        apart,
        "apart" if apart else back.ending.cause,
        back.ending.pawl,
        back.ending.at.time,
        history(back).peak,
    )


def classify(
    design: Design,
    directions: Sequence[Vector] = (),
    total: bool = True,
    count: int = DIRECTIONS,
    progress: Callable[[float], None] | None = None,
) -> Classification:
    """Assemble, pull back in the directions given (straight back without any), and say what it is."""
    found = fasten(design)
    asked = tuple(directions) or design.directions or ((-design.v[0], -design.v[1]),)
    ways = tuple(pull(found, direction) for direction in asked)
    bare = tuple(pull(found, direction, Fraction(0)) for direction in asked)
    around = look_around(found, count, progress) if total else None
    insertion = history(found).peak
    retention = min((way.force for way in ways if way.comes_apart), default=math.inf)
    kind, extent = _verdict(ways, bare, around, insertion, retention)
    return Classification(found, kind, extent, ways, bare, around, insertion, retention)


def _verdict(
    ways: Sequence[Way], bare: Sequence[Way], around: Around | None, insertion: float, retention: float
) -> tuple[str, str]:
    if not any(way.comes_apart for way in bare):
        is_total = around is not None and not around.arcs_without_friction
        return "kinematic", "total" if is_total else "relative"
    if not any(way.comes_apart for way in ways):
        is_total = around is not None and not around.arcs
        return "friction", "total" if is_total else "relative"
    if retention > insertion * (1 + 1e-9):
        return "force", "relative"
    return "none", "none"


def on_circle(turn: Fraction) -> Vector:
    """A rational direction: the parameter runs from 0 to 4 once around."""
    quarter, part = divmod(turn % 4, 1)
    x, y = (1 - part * part) / (1 + part * part), 2 * part / (1 + part * part)
    for _ in range(int(quarter)):
        x, y = -y, x
    return x, y


def look_around(
    found: Fastening, count: int = DIRECTIONS, progress: Callable[[float], None] | None = None
) -> Around:
    """Try directions all around, then close in on where the answer changes."""
    arcs = _arcs(found, None, count, progress)
    bare = arcs if found.design.mu == 0 else _arcs(found, Fraction(0), count, progress)
    return Around(count, 2 * math.pi / count, float(NARROWEST), arcs, bare)


def _arcs(
    found: Fastening,
    mu: Fraction | None,
    count: int,
    progress: Callable[[float], None] | None,
) -> tuple[tuple[float, float], ...]:
    @cache
    def apart(turn: Fraction) -> bool:
        design = reversed_design(found, on_circle(turn), mu)
        return design is not None and fasten(design).ending.cause == "end"

    marks = [Fraction(4 * k, count) for k in range(count)]
    answers = []
    for k, mark in enumerate(marks):
        answers.append(apart(mark))
        if progress:
            progress((k + 1) / count)
    if all(answers):
        return ((0.0, 2 * math.pi),)
    borders = []
    for k, mark in enumerate(marks):
        after = mark + Fraction(4, count)
        if answers[k] != answers[(k + 1) % count]:
            borders.append((_border(apart, mark, after), answers[(k + 1) % count]))
    return _as_arcs(borders)


def _border(apart: Callable[[Fraction], bool], low: Fraction, high: Fraction) -> float:
    first = apart(low)
    while high - low > NARROWEST:
        middle = (low + high) / 2
        low, high = (middle, high) if apart(middle) == first else (low, middle)
    x, y = on_circle((low + high) / 2)
    return math.atan2(float(y), float(x)) % (2 * math.pi)


def _as_arcs(borders: Sequence[tuple[float, bool]]) -> tuple[tuple[float, float], ...]:
    """Pairs of an opening and the closing after it."""
    openings = [k for k, (_, opens) in enumerate(borders) if opens]
    return tuple((borders[k][0], borders[(k + 1) % len(borders)][0]) for k in openings)


@dataclass(frozen=True)
class FrictionChange:
    """The friction at which an outcome changes, between two values, and the outcomes below and above."""

    low: Fraction
    high: Fraction
    below: str
    above: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"mu": [float(self.low), float(self.high)], "below": self.below, "above": self.above}


def critical_friction(outcome: Callable[[Fraction], str]) -> tuple[FrictionChange, ...]:
    """Where an outcome changes with friction between 0 and 2, each change found to 1e-9."""
    marks = [MOST_FRICTION * k / FRICTION_LOOKS for k in range(FRICTION_LOOKS + 1)]
    outcomes = [outcome(mark) for mark in marks]
    changes = []
    for k in range(FRICTION_LOOKS):
        if outcomes[k] == outcomes[k + 1]:
            continue
        low, high = marks[k], marks[k + 1]
        while high - low > FRICTION_WIDTH:
            middle = (low + high) / 2
            low, high = (middle, high) if outcome(middle) == outcomes[k] else (low, middle)
        changes.append(FrictionChange(low, high, outcomes[k], outcome(high)))
    return tuple(changes)
