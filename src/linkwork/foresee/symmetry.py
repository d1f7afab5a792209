"""Parts that advance in a pattern and are not the same all round: their whole turn must be seen (Algorithm 14)."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from linkwork.contact.touching import Touching
from linkwork.foresee.course import Course
from linkwork.foresee.pattern import CONFIRMATIONS, DRIFT_MATCH, Pattern, Required
from linkwork.kinematics.arrays import Matrix

ALIKE = 1e-4
"""Of the size: features that a turn brings so near one another are the same."""
SETTLING = 1e-3
"""Of an advance: by how much it may differ from that by teeth before a pattern has settled."""
MOST_TURNS = 720
"""Repetitions of a turn that are compared; what advances by less is taken for round."""


def required_of(course: Course, pattern: Pattern) -> Required:
    """How many repetitions must be seen until every feature that takes part has done so, and what must be alike."""
    wanted, stepping = CONFIRMATIONS, []
    if course.touching is None:
        return Required()
    for place, name in enumerate(course.variables[: course.positions]):
        part, _, quantity = name.partition(".")
        advance = float(pattern.change[place])
        is_drift = abs(advance) <= max(DRIFT_MATCH * float(pattern.spread[place]), 2 * math.pi / MOST_TURNS)
        if quantity != "angle" or is_drift or part not in course.touching.parts:
            continue
        turns = math.ceil(2 * math.pi / abs(advance) - 1e-6)
        alike = (k for k in range(1, turns) if _is_same_after(course, pattern.couples, part, k * advance))
        own = next(alike, turns)
        wanted = max(wanted, own)
        if own > 1:
            stepping.append(place)
    return Required(wanted, stepping)


def driven_alike(course: Course) -> int | None:
    """The parts of a turn after each of which what a drive turns among others is the same; None where it is round."""
    touching, machine = course.touching, course.begun.machine
    if not isinstance(touching, Touching):
        return 1  # in space features are not compared
    owners = {name.removeprefix("V_").partition(".")[0] for name in course.variables}
    couples = range(len(touching.couples))
    carried = {part for place in couples for part in touching.couples[place].parts} & {
        *machine.moving
    } - owners
    if len(carried) != 1:
        return 1
    part, every = carried.pop(), frozenset(couples)
    alike = (n for n in range(MOST_TURNS, 0, -1) if _is_same_after(course, every, part, 2 * math.pi / n))
    found = next(alike)
    is_round = found == MOST_TURNS and _is_same_after(course, every, part, 2 * math.pi / (MOST_TURNS - 1))
    return None if is_round else found


def _is_same_after(course: Course, couples: frozenset[int], part: str, angle: float) -> bool:
    """Whether what of a part meets others by couples lies on itself after a turn."""
    touching = course.touching
    if not isinstance(touching, Touching):
        return False  # in space features are not compared
    centre = course.axis_of(part)
    slabs = _slabs(touching, couples, part)
    return all(_is_same_outline(touching, slab, centre, angle) for slab in slabs)


def _slabs(touching: Touching, couples: Iterable[int], part: str) -> set[int]:
    """The outlines of a part that meet others by couples."""
    return {
        slab
        for couple in couples
        for slab, owner in zip(touching.couples[couple].places, touching.couples[couple].parts, strict=True)
        if owner == part
    }


def teeth_passed(course: Course, couples: frozenset[int], changes: Matrix) -> Matrix:
    """By what wheels turn in a repetition that has settled, of those whose teeth take part; 0 of all else."""
    touching = course.touching
    found = np.zeros(len(changes))
    if not isinstance(touching, Touching):
        return found
    for place, name in enumerate(course.variables[: course.positions]):
        part, _, quantity = name.partition(".")
        angle = float(changes[place])
        if quantity != "angle" or abs(angle) <= 2 * math.pi / MOST_TURNS:
            continue
        turns = [
            settled_turn(course, touching, slab, part, angle) for slab in _slabs(touching, couples, part)
        ]
        found[place] = next((turn for turn in turns if turn != angle), 0.0)
    return found


def settled_turn(course: Course, touching: Touching, slab: int, part: str, angle: float) -> float:
    """The turn after which an outline of a part lies on itself, if one is near to an angle; else that angle.

    Before a pattern has settled a wheel turns by a little more than its teeth, or by less; it will not do so on and on.
    """
    centre = course.axis_of(part)
    for teeth in range(1, MOST_TURNS + 1):
        whole = round(angle * teeth / (2 * math.pi))
        turn = 2 * math.pi * whole / teeth
        is_near = whole and math.gcd(whole, teeth) == 1 and abs(turn - angle) <= SETTLING * abs(angle)
        if is_near and _is_same_outline(touching, slab, centre, turn):
            return turn
    return angle


def _is_same_outline(touching: Touching, slab: int, centre: Matrix, angle: float) -> bool:
    """Whether an outline lies on itself after a turn."""
    outline, near = touching.outlines[slab], ALIKE * touching.size
    features = outline.rounds[:, :2], outline.sides[:, :2], outline.hollows[:, :2]
    return all(_lies_on_itself(points, centre, angle, near) for points in features)


def _lies_on_itself(points: Matrix, centre: Matrix, angle: float, near: float) -> bool:
    if not len(points):
        return True
    c, s = math.cos(angle), math.sin(angle)
    moved = centre + (points - centre) @ np.array([[c, s], [-s, c]])
    gaps = np.hypot(*(moved[:, None] - points[None]).transpose(2, 0, 1))
    return bool(np.max(np.min(gaps, axis=1)) <= near)
