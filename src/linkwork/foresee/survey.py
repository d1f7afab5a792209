"""Looking for a pattern from a state on: marks of several kinds are tried, the lowest minima first."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from linkwork.foresee.course import Course, Stretch, even_times
from linkwork.foresee.marks import NOISE, ROWS, SLOW, Follower, Mark, dips, is_even
from linkwork.foresee.pattern import Hypotheses, Pattern, Rejected, Required
from linkwork.foresee.repeating import ROWS_A_MARK
from linkwork.foresee.symmetry import required_of
from linkwork.kinematics.arrays import Matrix

MOST_MARKS: Final = 240
"""After so many without a pattern a motion is irregular."""
MOST_DYING: Final = 2400
"""The same where all it swings by falls: until it comes to rest, or what is left of it repeats itself."""
DYING: Final = 0.9
"""The factor by which that falls at least from one half of them to the next."""
FEW_MINIMA, MANY_MINIMA = 3, 24
"""Of a stretch of rows: with fewer it is lengthened, with more shortened."""
FINER, FINE_ROWS = 10.1803, 8
"""How much finer the first rows are looked at to see what happens between them, and how many rows; no whole number,
for what turns evenly may stand alike in all rows."""
ROWS_A_TURN: Final = 37.3
"""Rows in a turn of what drives a machine evenly; no whole number, for the same reason."""
MISSED: Final = 1e-6
"""Of the largest kinetic energy: what it rises and falls by, at least, between rows that miss it."""
TOO_FAR: Final = 10.0
"""By how many times what the largest velocity of all rows tells nothing moves from one to the next that is seen."""
LONGEST: Final = 1e4
"""How many times the first stretch a motion without minima is followed."""
EVEN_LONGEST: Final = 16.0
"""The same where the kinetic energy is constant, or none."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What the marks of a motion showed: a pattern or none, and how it went on or ended."""

    pattern: Pattern | None
    marks: list[Mark]
    follower: Follower
    rejected: tuple[Rejected, ...] = ()
    why: str = ""


def begin(course: Course, time: float, state: Matrix, guess: float, until: float) -> Follower:
    """The simulation from a state on, with rows so close that no minimum of the kinetic energy is missed."""
    if course.beat is not None:
        guess = min(guess, course.beat / ROWS_A_TURN)
    if is_missed_between(course, time, state, guess):
        return begin(course, time, state, guess / FINER, until)
    spacing, tried, largest = guess, set(), 0.0
    longest = min(guess * LONGEST, (until - time) / ROWS)
    for _ in range(60):
        lead = course.set_going(time, state)
        stretch = lead(even_times(time, spacing, ROWS))
        kinetic = course.kinetic(stretch)
        count = len(dips(kinetic, NOISE * float(np.max(kinetic, initial=0.0)), 0))
        if not stretch.is_whole and len(kinetic) < 8:
            spacing /= 8
            continue
        largest = max(largest, float(np.max(kinetic, initial=0.0)))
        if _is_over_between(course, stretch, spacing):
            spacing /= FINER
            continue
        if largest > 0 and float(np.max(kinetic[len(kinetic) // 2 :])) <= SLOW * largest and stretch.is_whole:
            break  # it came to rest meanwhile
        if count > MANY_MINIMA or float(np.max(kinetic, initial=0.0)) < SLOW * largest:
            factor = 0.25  # rows so far apart would see nothing of a motion that comes to rest
        elif (is_even(kinetic) or not largest) and spacing >= EVEN_LONGEST * guess:
            break
        elif count < FEW_MINIMA and stretch.is_whole and spacing < longest and 4.0 not in tried:
            factor = 4.0 if np.ptp(kinetic) > 0 else 16.0
        else:
            break
        tried.add(1 / factor)
        spacing *= factor
    if spacing != guess and is_missed_between(course, time, state, spacing):
        return begin(course, time, state, min(guess, spacing) / FINER, until)
    return Follower(course, lead, stretch, spacing, ROWS // 8)


def _is_over_between(course: Course, stretch: Stretch, spacing: float) -> bool:
    """Whether something moved between two rows by far more than the velocities in all rows tell: it came to rest."""
    positions, velocities = np.split(stretch.states, [course.positions], axis=1)
    ways = np.max(np.abs(np.diff(positions, axis=0)), axis=0, initial=0.0)
    told = TOO_FAR * spacing * float(np.max(np.abs(velocities), initial=0.0))
    return bool(np.any(ways > np.maximum(told, course.floor[: course.positions])))


def is_missed_between(course: Course, time: float, state: Matrix, spacing: float) -> bool:
    """Whether the kinetic energy rises and falls between rows that do not show it, as of what turns fast."""
    fine = course.run(time, state, even_times(time, spacing / FINER, int(FINE_ROWS * FINER)))
    kinetic = course.kinetic(fine)
    noise = MISSED * float(np.max(kinetic, initial=0.0))
    return len(dips(kinetic, noise, 0)) > FINE_ROWS // 2 and fine.is_whole


def finely(course: Course, seen: Seen) -> Seen:
    """What was seen, with the last two repetitions of a pattern anew in more rows, if there were few."""
    pattern, marks = seen.pattern, seen.marks
    if pattern is None or seen.follower.spacing <= 2 * pattern.duration / pattern.marks / ROWS_A_MARK:
        return seen
    count, first = 2 * pattern.marks, marks[-1 - 2 * pattern.marks]
    spacing = pattern.duration / pattern.marks / ROWS_A_MARK
    lead = course.set_going(first.time, first.state)
    follower = Follower(course, lead, lead(even_times(first.time, spacing, ROWS)), spacing, ROWS)
    anew: list[Mark] = []
    while len(anew) < count:
        mark = follower.next(marks[-1].time + spacing, pattern.only_low)
        if mark is None:
            return seen
        if mark.time > first.time + spacing:
            anew.append(mark)
    are_same = all(
        abs(a.time - b.time) <= seen.follower.spacing for a, b in zip(anew, marks[-count:], strict=True)
    )
    return replace(seen, marks=[*marks[:-count], *anew]) if are_same else seen


def look(course: Course, follower: Follower, since: float, until: float) -> Seen:
    """The pattern into which a motion settles after a time, if it does before another."""
    floor = course.floor

    def required(pattern: Pattern) -> Required:
        return required_of(course, pattern)

    follower.rows = max(follower.rows, ROWS // 16)
    low, every = Hypotheses(floor, required), Hypotheses(floor, required)
    left_out: Mark | None = None
    told = deque(mark for mark in follower.told if mark.time > since)
    while True:
        mark = told.popleft() if told else follower.next(until)
        if mark is None:
            return Seen(None, every.marks, follower, tuple(low.rejected.values()))
        found = every.add(mark)
        own = mark if left_out is None else mark.after(left_out)
        left_out = own
        if follower.is_low(mark):
            left_out = None
            pattern = low.add(own)
            if pattern is not None:
                # where all minima are low there is no need to tell them apart, which may become hard
                are_all = [each.time for each in low.marks] == [each.time for each in every.marks]
                chosen = replace(pattern, only_low=not are_all)
                return Seen(chosen, low.marks, follower, tuple(low.rejected.values()))
        lowest = sum(follower.is_low(each) for each in every.marks[-24:])
        if found is not None and lowest < 2:
            own_pattern = replace(found, only_low=False)
            return Seen(own_pattern, every.marks, follower, tuple(every.rejected.values()))
        if len(every.marks) >= MOST_MARKS and is_dying(follower.told):
            low, every, left_out = Hypotheses(floor, required), Hypotheses(floor, required), None
        elif len(every.marks) >= MOST_MARKS:
            why = f"no {len(every.marks)} minima of the kinetic energy in a row repeated what others did"
            return Seen(None, every.marks, follower, tuple(every.rejected.values()), why)


def is_dying(marks: Sequence[Mark]) -> bool:
    """Whether the kinetic energy goes up and down by less and less, so that it will soon do so no more."""
    swings = [mark.largest - mark.kinetic for mark in marks]
    half = MOST_MARKS // 2
    before, late = max(swings[-2 * half : -half]), max(swings[-half:])
    if not 0 < late <= DYING * before:
        return False
    left = math.log(SLOW * max(swings) / late) / math.log(late / before)
    return len(marks) + left * half <= MOST_DYING
