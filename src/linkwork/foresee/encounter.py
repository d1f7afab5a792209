"""New contacts: when the motion that a pattern foretells brings parts together that did not meet in it.

In each repetition a body is where it was in the one before, moved by its net displacement (Gelsey 1995, Algorithms
15-17, for outlines of any shape and both bodies moving). The distance of two outlines falls from one repetition to the
next by no more than the displacement of their points; so repetitions in which they cannot meet are leapt over. Where
they come nearer than the rows of a repetition tell apart, the simulation has to decide. Parts that touch in the pattern
may meet elsewhere when they go on (a ball that hops along a table, the wall behind it): where in a row they are nearer
than they were in the same row of the repetition that was looked at, or no longer as near as there, it decides, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from linkwork.contact.touching import Touching
from linkwork.foresee.course import Course, Stretch
from linkwork.foresee.pattern import ADVANCES, Pattern
from linkwork.foresee.space_encounter import space_nearings
from linkwork.foresee.symmetry import settled_turn
from linkwork.kinematics.arrays import Matrix

MOST_CYCLE = 2000
"""Repetitions after which bodies that turn stand as at first: more are not waited for."""
MOST_SEARCHED = 5000
"""Repetitions that are looked at one by one; behind them one is simulated."""
SAME = 1e-6
"""Of the size: distances that differ by less are the same."""
MOST_ALIKE = 24
"""Parts of a turn after which a body may be the same."""
STILL_TURN = 1e-7
"""Of a number of repetitions: what is so near to a whole one is."""
STILL = 1e-9
"""Of a turn, or of the size: a displacement below it is none."""


@dataclass(frozen=True)
class Displacement:
    """A rigid motion of the plane: a turn about a centre, or a way where it turns by nothing."""

    angle: float
    centre: tuple[float, float]
    way: tuple[float, float]

    def times(self, count: float, poses: Matrix) -> Matrix:
        """Poses after the motion was made so often."""
        moved = poses.copy()
        if self.angle:
            c, s = math.cos(count * self.angle), math.sin(count * self.angle)
            x, y = poses[:, 0] - self.centre[0], poses[:, 1] - self.centre[1]
            moved[:, 0] = self.centre[0] + c * x - s * y
            moved[:, 1] = self.centre[1] + s * x + c * y
            moved[:, 2] += count * self.angle
        else:
            moved[:, :2] += count * np.array(self.way)
        return moved

    def longest(self, poses: Matrix, reach: float) -> float:
        """How far points of a body move at most in one of the motions."""
        if not self.angle:
            return math.hypot(*self.way)
        radius = np.max(np.hypot(poses[:, 0] - self.centre[0], poses[:, 1] - self.centre[1])) + reach
        return float(abs(self.angle) * radius)


STAYS = Displacement(0.0, (0.0, 0.0), (0.0, 0.0))


def displacement(first: Matrix, last: Matrix, size: float) -> Displacement:
    """The motion from one pose to another."""
    angle = float(last[2] - first[2])
    way = last[:2] - first[:2]
    if abs(angle) <= STILL:
        if math.hypot(*way) <= STILL * size:
            way = np.zeros(2)
        return Displacement(0.0, (0.0, 0.0), (float(way[0]), float(way[1])))
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    if abs(1 - c) + abs(s) <= STILL:  # whole turns: about where it is
        return Displacement(angle, (float(first[0]), float(first[1])), (0.0, 0.0))
    centre = np.linalg.solve(np.eye(2) - turn, last[:2] - turn @ first[:2])
    return Displacement(angle, (float(centre[0]), float(centre[1])), (0.0, 0.0))


@dataclass(frozen=True)
class Encounter:
    """Two parts that may meet for the first time in a repetition, counted from the one that was looked at."""

    number: int
    couple: int
    parts: tuple[str, str]
    is_elsewhere: bool = False
    """Whether they meet in the pattern, too, at other places."""
    advancing: frozenset[str] = frozenset()
    """The parts that go on."""


class Nearing(Protocol):
    """Two bodies, of which it is told how near they come in a repetition."""

    @property
    def way(self) -> float:
        """By how much they come nearer from one repetition to the next, at most."""

    @property
    def inside(self) -> float:
        """By how much between two rows of a repetition, at most."""

    @property
    def cycle(self) -> int | None:
        """The repetitions after which both stand as at first, if they do."""

    @property
    def turn(self) -> float | None:
        """The repetitions in which the only one of them that turns on makes a whole turn, if there is just one."""

    def apart(self, number: int) -> Matrix:
        """How far apart they are at least in each row of a repetition."""


@dataclass(frozen=True, eq=False)
class PlaneNearing:
    """Two outlines in the plane."""

    course: Course
    couple: int
    poses: tuple[Matrix, Matrix]
    moves: tuple[Displacement, Displacement]
    way: float
    inside: float
    cycle: int | None
    turn: float | None
    limit: float

    def apart(self, number: int) -> Matrix:
        """By the engine, which tells no more than a limit."""
        placed = [move.times(number, pose) for move, pose in zip(self.moves, self.poses, strict=True)]
        return self.course.apart(self.couple, placed[0], placed[1], self.limit)


class Outlook:
    """Where the bodies of a machine will be, repetition by repetition, if each is like the one that was simulated."""

    def __init__(self, course: Course, stretch: Stretch, pattern: Pattern) -> None:
        touching = course.touching
        assert touching is not None
        self.touching = touching
        self._variables, self._floor = course.variables[: course.positions], course.floor
        self._nearings: Sequence[Nearing] = (
            _plane_nearings(course, touching, stretch, pattern.couples, self._advancing(pattern))
            if isinstance(touching, Touching)
            else space_nearings(course, touching, stretch)
        )
        self._meetings: dict[int, list[int]] = {}
        """The repetitions of a cycle in which a couple may meet."""
        self._usual: dict[int, Matrix] = {}
        """How far apart couples are in each row of the repetition that was looked at."""

    def period(self, couples: frozenset[int], gaps: Sequence[float]) -> float | None:
        """The repetitions between two meetings of couples, if gaps between them tell that they are periodic.

        It need not be a whole number: what turns on meets when it has made a whole turn, or a part of one if it is
        the same after it, and that is seen in the next repetition.
        """
        mean, jitter = float(np.mean(gaps)), 1.0 / len(gaps)
        for turn in (self._nearings[couple].turn for couple in sorted(couples)):
            parts = [turn / count for count in range(1, MOST_ALIKE + 1)] if turn is not None else []
            near = [
                each
                for each in parts
                if all(abs(gap - each) < 1 for gap in gaps) and abs(mean - each) < jitter
            ]
            if near:
                whole = round(near[0])
                return float(whole) if abs(near[0] - whole) <= STILL_TURN * whole else near[0]
        return mean if np.ptp(gaps) == 0 else None

    def first(
        self, pattern: Pattern, allowed: frozenset[int], begin: int, end: float, is_new: bool = False
    ) -> Encounter | None:
        """The first repetition from begin on in which a couple may meet that does not in the pattern.

        Or elsewhere than it does there, unless the couple must be new.
        """
        found: Encounter | None = None
        advancing = self._advancing(pattern)
        for couple, pair in enumerate(self.touching.couples):
            last, is_usual = end if found is None else found.number, couple in pattern.couples
            if couple in allowed or (is_usual and (is_new or not advancing & {*pair.parts})):
                continue
            number = (self._elsewhere if is_usual else self._meeting)(couple, begin, last)
            if number is not None:
                found = Encounter(number, couple, pair.parts, is_usual, advancing)
        return found

    def _advancing(self, pattern: Pattern) -> frozenset[str]:
        """The parts that do not come back to where they were, but for what changes slowly."""
        names = self._variables
        gains = np.abs(pattern.change) > ADVANCES * np.maximum(pattern.spread, self._floor)
        owners = (name.partition(".")[0] for name, gain in zip(names, gains, strict=False) if gain)
        return frozenset(owners)

    def _elsewhere(self, couple: int, begin: int, end: float) -> int | None:
        """The first repetition from one on in which a couple may meet elsewhere than it usually does, or not at all."""
        pair = self._nearings[couple]
        if pair.way <= STILL * self.touching.size:
            return None
        if couple not in self._usual:
            self._usual[couple] = pair.apart(0)
        if pair.cycle is not None:
            if couple not in self._meetings:
                self._meetings[couple] = [
                    number for number in range(pair.cycle) if self._is_other(couple, number)
                ]
            coming = min(
                (begin + (each - begin) % pair.cycle for each in self._meetings[couple]), default=math.inf
            )
            return int(coming) if coming < end else None
        last = min(end, begin + MOST_SEARCHED)
        searched = range(begin, math.ceil(last))
        found = next((number for number in searched if self._is_other(couple, number)), None)
        return int(last) if found is None and last < end else found

    def _is_other(self, couple: int, number: int) -> bool:
        """Whether in a row of a repetition a couple comes near where it did not, or is not as near as it was."""
        pair, usual, near = self._nearings[couple], self._usual[couple], self._nearings[couple].inside / 2
        apart = pair.apart(number)
        changed = np.abs(apart - usual) > SAME * self.touching.size
        return bool(np.any(changed & (np.minimum(apart, usual) <= near)))

    def _meeting(self, couple: int, begin: int, end: float) -> int | None:
        pair = self._nearings[couple]
        if pair.way <= STILL * self.touching.size:
            return None  # from repetition to repetition all is as it was
        if pair.cycle is None:
            return next(_near(pair, begin, end), None)
        if couple not in self._meetings:
            self._meetings[couple] = list(_near(pair, 0, pair.cycle))
        coming = min(
            (begin + (each - begin) % pair.cycle for each in self._meetings[couple]), default=math.inf
        )
        return int(coming) if coming < end else None


def _near(pair: Nearing, begin: int, end: float) -> Iterator[int]:
    """The repetitions in which two bodies come nearer than rows tell apart."""
    number = begin
    while number < end:
        apart = float(np.min(pair.apart(number)))
        if apart <= pair.inside / 2:
            yield number
        number += max(int((apart - pair.inside / 2) / pair.way), 1)


def _plane_nearings(
    course: Course, touching: Touching, stretch: Stretch, usual: frozenset[int], advancing: frozenset[str]
) -> list[PlaneNearing]:
    """All couples; of those that meet in a pattern, what only drifts while the other goes on stays where it is."""
    poses = {
        part: np.column_stack([course.column(stretch, f"{part}.{name}") for name in ("x", "y", "angle")])
        for part in touching.parts
    }
    still = np.zeros((len(stretch.times), 3))
    found = []
    for place, pair in enumerate(touching.couples):
        outlines = [touching.outlines[slab] for slab in pair.places]
        reach = [outline.reach + math.hypot(*outline.centre) for outline in outlines]
        one, other = (poses.get(part, still) for part in pair.parts)
        moves = displacement(one[0], one[-1], touching.size), displacement(other[0], other[-1], touching.size)
        if place in usual and advancing & {*pair.parts}:
            first, second = (
                _settled(course, touching, slab, part, move) if part in advancing else STAYS
                for move, slab, part in zip(moves, pair.places, pair.parts, strict=True)
            )
            moves = first, second
        angles, is_turning = [move.angle for move in moves], not any((*moves[0].way, *moves[1].way))
        found.append(
            PlaneNearing(
                course,
                place,
                (one, other),
                moves,
                moves[0].longest(one, reach[0]) + moves[1].longest(other, reach[1]),
                _longest_row(one, reach[0]) + _longest_row(other, reach[1]),
                cycle(angles, is_turning),
                whole_turn(angles, is_turning),
                4 * touching.size,
            )
        )
    return found


def _settled(course: Course, touching: Touching, slab: int, part: str, move: Displacement) -> Displacement:
    """A motion of a part that goes on, by whole teeth if it is one by nearly as many."""
    return replace(move, angle=settled_turn(course, touching, slab, part, move.angle)) if move.angle else move


def cycle(angles: Sequence[float], is_turning: bool) -> int | None:
    """The repetitions after which bodies stand as at first, if they only turn, by parts of a turn."""
    found = 1
    for angle in angles if is_turning else ():
        turns = Fraction(angle / (2 * math.pi)).limit_denominator(MOST_CYCLE)
        if abs(angle / (2 * math.pi) - turns) > STILL:
            return None
        found = math.lcm(found, turns.denominator)
    return found if is_turning and found <= MOST_CYCLE else None


def whole_turn(angles: Sequence[float], is_turning: bool) -> float | None:
    """The repetitions in which the one body that turns on makes a whole turn, if there is just one."""
    turns = [abs(math.remainder(angle, 2 * math.pi)) for angle in angles]
    turning = [turn for turn in turns if turn > 2 * math.pi * STILL]
    return 2 * math.pi / turning[0] if is_turning and len(turning) == 1 else None


def _longest_row(poses: Matrix, reach: float) -> float:
    """How far points of a body move at most between two rows."""
    steps = np.diff(poses, axis=0)
    return float(np.max(np.hypot(steps[:, 0], steps[:, 1]) + np.abs(steps[:, 2]) * reach, initial=0.0))
