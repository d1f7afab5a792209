"""New contacts: when the motion that a pattern foretells brings parts together that did not meet in it.

In each repetition a body is where it was in the one before, moved by its net displacement (Gelsey 1995, Algorithms
15-17, for outlines of any shape and both bodies moving). The distance of two outlines falls from one repetition to the
next by no more than the displacement of their points; so repetitions in which they cannot meet are leapt over. Where
they come nearer than the rows of a repetition tell apart, the simulation has to decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from linkwork.foresee.course import Course, Stretch
from linkwork.foresee.pattern import Pattern
from linkwork.kinematics.arrays import Matrix

MOST_CYCLE = 2000
"""Repetitions after which bodies that turn stand as at first: more are not waited for."""
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


class Outlook:
    """Where the bodies of a machine will be, repetition by repetition, if each is like the one that was simulated."""

    def __init__(self, course: Course, stretch: Stretch) -> None:
        touching = course.touching
        assert touching is not None
        self.course = course
        self.touching = touching
        self.poses = {
            part: np.column_stack([course.column(stretch, f"{part}.{name}") for name in ("x", "y", "angle")])
            for part in touching.parts
        }
        self._meetings: dict[int, list[int]] = {}
        """The repetitions of a cycle in which a couple may meet."""
        rows = len(stretch.times)
        self._still = np.zeros((rows, 3))
        self.moves = {
            part: displacement(poses[0], poses[-1], touching.size) for part, poses in self.poses.items()
        }

    def _pose(self, part: str) -> Matrix:
        return self.poses.get(part, self._still)

    def _move(self, part: str) -> Displacement:
        return self.moves.get(part, Displacement(0.0, (0.0, 0.0), (0.0, 0.0)))

    def first(self, pattern: Pattern, allowed: frozenset[int], begin: int, end: float) -> Encounter | None:
        """The first repetition from begin on in which a couple may meet that does not in the pattern."""
        found: Encounter | None = None
        for couple in range(len(self.touching.couples)):
            if couple in pattern.couples | allowed:
                continue
            last = end if found is None else found.number
            number = self._meeting(couple, begin, last)
            if number is not None:
                found = Encounter(number, couple, self.touching.couples[couple].parts)
        return found

    def _meeting(self, couple: int, begin: int, end: float) -> int | None:
        pair = self.touching.couples[couple]
        one, other = pair.parts
        outlines = [self.touching.outlines[slab] for slab in pair.places]
        poses, moves = (self._pose(one), self._pose(other)), (self._move(one), self._move(other))
        reach = [outline.reach + math.hypot(*outline.centre) for outline in outlines]
        way = sum(move.longest(pose, r) for move, pose, r in zip(moves, poses, reach, strict=True))
        if way <= STILL * self.touching.size:
            return None  # from repetition to repetition all is as it was
        inside = sum(_longest_row(pose, r) for pose, r in zip(poses, reach, strict=True))
        cycle = self._cycle(one, other)
        if cycle is None:
            return next(self._near(couple, begin, end, poses, moves, way, inside), None)
        if couple not in self._meetings:
            self._meetings[couple] = list(self._near(couple, 0, cycle, poses, moves, way, inside))
        coming = min((begin + (each - begin) % cycle for each in self._meetings[couple]), default=math.inf)
        return int(coming) if coming < end else None

    def _near(
        self,
        couple: int,
        begin: int,
        end: float,
        poses: tuple[Matrix, Matrix],
        moves: tuple[Displacement, Displacement],
        way: float,
        inside: float,
    ) -> Iterator[int]:
        """The repetitions in which a couple comes nearer than rows tell apart."""
        number, limit = begin, 4 * self.touching.size
        while number < end:
            placed = [move.times(number, pose) for move, pose in zip(moves, poses, strict=True)]
            apart = float(np.min(self.course.apart(couple, placed[0], placed[1], limit)))
            if apart <= inside / 2:
                yield number
            number += max(int((apart - inside / 2) / way), 1)

    def _cycle(self, one: str, other: str) -> int | None:
        """The repetitions after which two bodies stand as at first, if they turn by parts of a turn."""
        cycle = 1
        for part in (one, other):
            move = self._move(part)
            if any(move.way):
                return None
            turns = Fraction(move.angle / (2 * math.pi)).limit_denominator(MOST_CYCLE)
            if abs(move.angle / (2 * math.pi) - turns) > STILL:
                return None
            cycle = math.lcm(cycle, turns.denominator)
        return cycle if cycle <= MOST_CYCLE else None


def _longest_row(poses: Matrix, reach: float) -> float:
    """How far points of a body move at most between two rows."""
    steps = np.diff(poses, axis=0)
    return float(np.max(np.hypot(steps[:, 0], steps[:, 1]) + np.abs(steps[:, 2]) * reach, initial=0.0))
