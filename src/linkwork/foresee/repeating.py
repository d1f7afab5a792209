"""Repetitions of a pattern, simulated from a time and a state on as long as they are those of the pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from linkwork.foresee.course import Course, even_times
from linkwork.foresee.marks import Follower, Halt, Mark, couples_of
from linkwork.foresee.pattern import TIME_MATCH, Pattern
from linkwork.kinematics.arrays import Matrix

MOST_TEETH: Final = 400
ROUNDING: Final = 1e-10
"""Of a turn: a change that is so near to one by whole teeth is one."""
BEAT_MATCH: Final = 2e-3
"""Of the duration: where it is so near to turns of a drive it is by them; marks may be as vague."""
STEADY: Final = 1e-7
"""Of the range of a variable: a change that is so near to none is none."""
ROWS_A_MARK: Final = 60
ROWS_AT_ONCE: Final = 4
OTHER_DURATION, OTHER_CHANGE = 0.25, 0.1
"""Of the duration, and of the range of a variable: a repetition that differs by more is another pattern."""
OTHER_TURN: Final = 0.1
"""Of a turn of what drives a machine evenly: a repetition that is longer or shorter by more is another pattern, too."""
SAME_MARK: Final = 0.1
"""Of the time between marks: a mark so soon after a landing is the one that was aimed at."""


@dataclass(frozen=True, eq=False)
class Repeated:
    """Repetitions of a pattern that were simulated, and how it went where there are no more of them."""

    places: list[Matrix]
    marks: list[Mark]
    halt: Halt | None
    follower: Follower
    """With which the simulation goes on."""


def ranges_of(marks: Sequence[Mark]) -> tuple[Matrix, Matrix]:
    """Between which ends each variable was before marks."""
    low: Matrix = np.min([mark.low for mark in marks], axis=0)
    high: Matrix = np.max([mark.high for mark in marks], axis=0)
    return low, high


class Repeating:
    """Sets a machine going anywhere in a pattern, and tells its repetitions from what is none."""

    settles: float | None = None
    """By what factor falls in each repetition what it differs by from a cycle that it has settled into."""

    def __init__(self, course: Course, pattern: Pattern, floor: Matrix) -> None:
        self.course = course
        self.floor = floor
        self.step = self._in_step(pattern.duration)
        """How long repetitions last by what drives the machine, however long they seem to before they have settled."""
        self.pattern = pattern if self.step is None else replace(pattern, duration=self.step)
        own = course.variables[: course.positions]
        self._angles = np.array([*(name.endswith(".angle") for name in own), *[False] * len(floor)])[
            : len(floor)
        ]
        self.allowed: frozenset[int] = frozenset()
        """Couples that may meet besides those of the pattern."""
        self._superimposed: frozenset[int] = frozenset()
        """Couples that were seen to."""
        self.guests = np.zeros(len(pattern.spread), bool)
        """Variables of parts that only take part in what is superimposed."""
        self._excused: frozenset[int] = frozenset()
        """Couples of such parts: they may part meanwhile."""
        self.simulated_marks = 0
        """Marks so far."""

    def exact_slope(self, slope: Matrix) -> Matrix:
        """A duration and a change as they must be: by turns of what drives it; nothing, or by teeth of a wheel."""
        duration = slope[0] if self.step is None else self.step
        return np.array([duration, *self._exact_change(slope[1:])])

    def _in_step(self, duration: float) -> float | None:
        """Whole turns of what drives a machine, or a whole part of one turn, where a duration is so near to them.

        Where marks are told by the phase of a drive, whole ones of what is between two of them.
        """
        strobe, beat = self.course.strobe, self.course.beat
        if beat is None:
            return None
        beat = beat if strobe is None else strobe.interval
        exact = beat * round(duration / beat) if duration > beat / 2 else beat / round(beat / duration)
        near = max(BEAT_MATCH * duration, TIME_MATCH * min(duration, beat))
        return exact if abs(duration - exact) <= near else None

    def _exact_change(self, change: Matrix) -> Matrix:
        """A change without what rounding left of it: nothing, or a part of a turn that a wheel's teeth divide."""
        turn = np.where(self._angles, 2 * np.pi, np.inf)
        parts = change[:, None] / turn[:, None] * np.arange(1, MOST_TEETH + 1)
        whole = np.round(parts)
        off = np.abs(parts - whole)
        teeth = np.argmax(off <= ROUNDING * np.arange(1, MOST_TEETH + 1), axis=1)
        rows = np.arange(len(change))
        is_near = off[rows, teeth] <= ROUNDING * (teeth + 1)
        near = np.where(
            np.isinf(turn), 0.0, whole[rows, teeth] / (teeth + 1) * np.where(np.isinf(turn), 0, turn)
        )
        is_near &= ~np.isinf(turn)
        is_none = np.abs(change) <= STEADY * self.pattern.spread
        return np.where(is_none, 0.0, np.where(is_near, near, change))

    def allow_couples(self, couples: frozenset[int]) -> None:
        """Couples meet besides those of the pattern, while it is leapt over."""
        self.allowed |= couples
        self.receive(couples)

    def receive(self, couples: frozenset[int]) -> None:
        """Couples met besides those of the pattern.

        Those of their parts that rest in the pattern are guests: what they do meanwhile does not end it.
        """
        assert self.course.touching is not None
        every = self.course.touching.couples
        self._superimposed |= couples
        parts = {part for couple in self._superimposed for part in every[couple].parts}
        owners = [name.removeprefix("V_").partition(".")[0] for name in self.course.variables]
        moving = {
            owner
            for owner, spread, least in zip(owners, self.pattern.spread, self.floor, strict=True)
            if spread > least
        }
        guests = parts & {*owners} - moving
        self.guests = np.array([owner in guests for owner in owners])
        self._excused = frozenset(place for place, each in enumerate(every) if guests & {*each.parts})

    def repeat(
        self,
        place: Matrix,
        count: int,
        slope: Matrix,
        spread: Matrix,
        is_enough: Callable[[Sequence[Matrix], Matrix, Sequence[Mark]], bool] | None = None,
        coarser: float = 1.0,
    ) -> Repeated:
        """Simulate so many repetitions from a time and a state, as long as they are those of the pattern.

        By the ranges of variables it is told whether they are. Fewer may be enough, by their places, by what was
        foretold of the first, and by the marks of the last. A tolerance may be so many times coarser.
        """
        pattern, duration, foretold = self.pattern, float(slope[0]), slope
        follower = self.follower(place, duration, coarser)
        places = [place]
        marks: list[Mark] = []
        while True:
            late = float(places[-1][0] + (1 + OTHER_DURATION) * slope[0])
            mark = follower.next(late, pattern.only_low)
            if mark is None:
                assert follower.halt is not None
                why = follower.halt.why or f"a repetition lasted longer than {late - places[-1][0]:.6g}"
                return Repeated(places, marks, replace(follower.halt, why=why), follower)
            if not marks and mark.time - place[0] < SAME_MARK * duration / pattern.marks:
                places[0] = np.array([mark.time, *mark.state])  # that from which it was to begin
                continue
            marks.append(mark)
            self.simulated_marks += 1
            if len(marks) % pattern.marks:
                continue
            places.append(np.array([mark.time, *mark.state]))
            inside = marks[-pattern.marks :]
            why = self.differs(inside, places[-1] - places[-2], slope, spread)
            if why:
                halt = Halt(mark.time, mark.state, "other", why)
                return Repeated(places[:-1], marks, halt, follower)
            slope = places[-1] - places[-2]
            if len(places) == count + 1 or (is_enough is not None and is_enough(places, foretold, inside)):
                return Repeated(places, marks, None, follower)

    def follower(self, place: Matrix, duration: float, coarser: float = 1.0) -> Follower:
        """The simulation from a time and a state on, with rows that do not miss a mark."""
        spacing = duration / self.pattern.marks / ROWS_A_MARK
        time = float(place[0])
        lead = self.course.set_going(time, place[1:], coarser)
        begun = lead(even_times(time, spacing, ROWS_AT_ONCE))
        return Follower(self.course, lead, begun, spacing, ROWS_AT_ONCE, ROWS_A_MARK - ROWS_AT_ONCE)

    def differs(self, marks: Sequence[Mark], change: Matrix, slope: Matrix, spread: Matrix) -> str:
        """Why a repetition is not one of the pattern; empty where it is."""
        couples = couples_of(marks)
        if couples - self.pattern.couples - self.allowed:
            return "parts met that do not meet in the pattern"
        if self.pattern.couples - couples - self._excused:
            return "parts did not meet that meet in the pattern"
        most = min(OTHER_DURATION * slope[0], OTHER_TURN * (self.course.beat or np.inf))
        if abs(change[0] - slope[0]) > most:
            return f"a repetition lasted {change[0]:.6g} instead of {slope[0]:.6g}"
        is_other = np.abs(change[1:] - slope[1:]) > OTHER_CHANGE * np.maximum(spread, self.floor)
        if np.any(is_other & np.logical_not(self.guests)):
            return "a repetition changed the state otherwise"
        return ""
