"""Motion diodes: does what went together come apart again, which way, and at what price (section 4.4).

"Comes apart" means: the moving parts' box leaves the obstacles' box without jam, stick or collision of the
root. Where the push went right through and ended apart from the obstacles, it means: gets back to a side of
them on which it started. A diode is *kinematic* where that fails even without friction, a *friction* diode
where it fails with the design's friction only, and a *force* diode where it succeeds but costs more than
putting together did. It is *relative* for the directions asked for, *total* for all directions (``around``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from linkwork.fasten.algebraic import as_fraction
from linkwork.fasten.around import DIRECTIONS, Around, Pull, Story, survey
from linkwork.fasten.cut import directions_beyond
from linkwork.fasten.design import Design, Vector, changed_pawls
from linkwork.fasten.fastening import Fastening, blamed, event_words, fasten
from linkwork.fasten.history import history
from linkwork.fasten.lost import LOST, MotionLost
from linkwork.fasten.placing import placed_pawls, reach_of
from linkwork.results import plain_document

FARTHEST = 5
"""Times the way that it was pushed and the reach of its pawls: how far it is pulled where the design does not say."""
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
            "farthest_pull": farthest_pull(self.assembly),
            "ways": [way.to_json() for way in self.ways],
            "ways_without_friction": [way.to_json() for way in self.without_friction],
            "around": self.around.to_json() if self.around else None,
        }
        return plain_document(figures)


def reversed_design(found: Fastening, direction: Vector, mu: Fraction | None = None) -> Design | None:
    """The same parts from where they ended, pulled until they must be apart; none if they never are."""
    design = found.design
    low, _ = found.ending.at.time_bounds(128)
    t = as_fraction(low)
    place = (design.p0[0] + design.v[0] * t, design.p0[1] + design.v[1] * t)
    angles = {name: motion.angle_at(float(t)) for name, motion in found.pawls.items()}
    pawls = changed_pawls(design.pawls, lambda pawl: replace(pawl, theta_init=Fraction(angles[pawl.name])))
    pulled = replace(design, p0=place, v=direction, pawls=pawls, mu=design.mu if mu is None else mu)
    went_through = bool(_sides(pulled, angles))
    sides = SIDES
    if went_through:
        sides = _sides(design, {name: motion.angle_at(0.0) for name, motion in found.pawls.items()})
    duration = time_to_part(pulled, sides)
    if duration is None or (went_through and float(duration) * _speed(direction) > farthest_pull(found)):
        return None
    return replace(pulled, duration=duration)


def farthest_pull(found: Fastening) -> float:
    """How far parts that went right through are pulled at most.

    What the design says. Where it says which obstacles go on without end, nothing else has to be guessed, and there is
    no limit. Else a wall that is ``FARTHEST`` times as long as all that was done is taken for one without end.
    """
    if found.design.farthest is not None:
        return float(found.design.farthest)
    if directions_beyond(found.design):
        return math.inf
    pushed = found.ending.at.time * _speed(found.design.v)
    return FARTHEST * (pushed + sum(reach_of(pawl) for pawl in found.design.pawls))


def _speed(velocity: Vector) -> float:
    return math.hypot(*map(float, velocity))


def time_to_part(design: Design, sides: Sequence[Side] = SIDES) -> Fraction | None:
    """When the box of all that moves, however the pawls are turned, is beyond the obstacles on one of the sides."""
    times: list[Fraction] = []
    for axis, sense in sides:
        if design.v[axis] * sense <= 0 or _is_endless(design, axis, sense):
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
        if _is_endless(design, axis, sense):
            continue
        values = [float(point[axis]) for point in design.root or ()]
        for placed in placed_pawls(design.pawls, angles):
            values += [corner[axis] for corner in placed.corners]
        place, (first, last) = float(design.p0[axis]), map(float, _fixed_range(design, axis))
        if place + min(values) >= last if sense > 0 else place + max(values) <= first:
            found.append((axis, sense))
    return tuple(found)


def _is_endless(design: Design, axis: int, sense: int) -> bool:
    """Whether an obstacle goes on without end on a side, so that nothing gets beyond it there."""
    return any(beyond[axis] * sense > 0 for beyond in directions_beyond(design))


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
    try:
        back = fasten(design)
    except MotionLost:
        return Way(direction, False, LOST, None, 0.0, 0.0)
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


def look_around(
    found: Fastening, count: int = DIRECTIONS, progress: Callable[[float], None] | None = None
) -> Around:
    """In which of all directions it comes apart from where the assembly ended."""
    return survey(found, _pulls(found), count, progress)


def _pulls(found: Fastening) -> Pull:
    """What comes of pulling in a direction, with a friction."""
    has_trees = any(pawl.pawls for pawl in found.design.pawls)

    def pulled(direction: Vector, mu: Fraction | None) -> Story:
        design = reversed_design(found, direction, mu)
        if design is None:
            return ("away",)
        try:
            back = fasten(design)
        except MotionLost:
            return (LOST,)
        return (back.ending.cause, *(() if has_trees else event_words(back)))

    return pulled


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


def critical_friction(
    outcome: Callable[[Fraction], str], progress: Callable[[float], None] | None = None
) -> tuple[FrictionChange, ...]:
    """Where an outcome changes with friction between 0 and 2, each change found to 1e-9."""
    marks = [MOST_FRICTION * k / FRICTION_LOOKS for k in range(FRICTION_LOOKS + 1)]
    outcomes = []
    for mark in marks:
        outcomes.append(outcome(mark))
        if progress:
            progress(len(outcomes) / len(marks) / 2)
    changing = [k for k in range(FRICTION_LOOKS) if outcomes[k] != outcomes[k + 1]]
    changes = []
    for k in changing:
        low, high = marks[k], marks[k + 1]
        while high - low > FRICTION_WIDTH:
            middle = (low + high) / 2
            low, high = (middle, high) if outcome(middle) == outcomes[k] else (low, middle)
        changes.append(FrictionChange(low, high, outcomes[k], outcome(high)))
        if progress:
            progress((1 + len(changes) / len(changing)) / 2)
    return tuple(changes)
