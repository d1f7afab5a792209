"""Patterns of behaviour: the least number of marks after which a motion goes on as before (Gelsey 1995, Algorithm 12).

With M marks a pattern lasts D and changes the state by A. A pattern is believed when each of the last marks, as many as
there are in the confirmations that are required, lies D and A behind the one M marks before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from linkwork.foresee.marks import Mark, couples_of
from linkwork.kinematics.arrays import Matrix

CONFIRMATIONS: Final = 2
"""Repetitions of a pattern before it is believed."""
IGNORED: Final = 4
"""Marks at the start that may belong to a transient."""
TIME_MATCH: Final = 0.01
"""Of the duration: by how much two repetitions may differ in it."""
STATE_MATCH: Final = 0.02
"""Of the range of each variable inside a pattern: by how much two repetitions may differ in its change."""
STEP_MATCH: Final = 2e-3
"""Of what a wheel gains that does not look the same afterwards: by how much two repetitions may differ in it."""
DRIFT_MATCH: Final = 0.04
"""The same for marks at other places of a pattern: the two ends of a swing change in opposite directions."""
LONG_DRIFT_MATCH: Final = 0.1
"""The same where something goes on: a wheel tells what a repetition is, and one of a whole turn may take much of a
swing. Where nothing does, motions that never repeat themselves come so near to where they were."""
ADVANCES: Final = 0.5
"""Of its range in a repetition: what gains more goes on."""


@dataclass(frozen=True, eq=False)
class Pattern:
    """What repeats: how many marks, how long, what each variable gains, and in which range it moves meanwhile."""

    marks: int
    duration: float
    change: Matrix
    spread: Matrix
    """The range of each variable inside one repetition."""
    couples: frozenset[int]
    """Which couples of outlines meet in it."""
    only_low: bool = True
    """Whether its marks are the lowest minima of the kinetic energy alone."""


@dataclass(frozen=True, eq=False)
class Required:
    """What is wanted of a pattern before it is believed."""

    confirmations: int = CONFIRMATIONS
    stepping: Sequence[int] = ()
    """Variables of wheels that do not look the same after what they gain: they must gain the same all round."""


@dataclass(frozen=True)
class Rejected:
    """A hypothesis that did not hold, and why."""

    marks: int
    time: float
    why: str


@dataclass
class Hypotheses:
    """Looks for the least pattern in marks as they come."""

    floor: Matrix
    """For each variable, what counts as no range at all."""
    required: Callable[[Pattern], Required] = lambda pattern: Required()
    """How many confirmations a pattern needs, and of what."""
    marks: list[Mark] = field(default_factory=list)
    rejected: dict[int, Rejected] = field(default_factory=dict)
    _tested: dict[int, int] = field(default_factory=dict)

    def add(self, mark: Mark) -> Pattern | None:
        """One more mark; the pattern, once there is one."""
        self.marks.append(mark)
        known = len(self.marks) - IGNORED
        for marks in range(1, known // (CONFIRMATIONS + 1) + 1):
            pattern = self._test(marks)
            if pattern is not None:
                return pattern
        return None

    def _test(self, marks: int) -> Pattern | None:
        own = self.marks[IGNORED:]
        if not agrees(own, marks, CONFIRMATIONS, self.floor):
            if marks in self._tested:
                self._reject(marks, f"it held for {self._tested.pop(marks)} repetitions, then no longer")
            return None
        pattern = pattern_of(own, marks)
        required = self.required(pattern)
        wanted = required.confirmations
        if len(own) >= (wanted + 1) * marks and agrees(own, marks, wanted, self.floor):
            if _step_evenly(own, pattern, required):
                return pattern
            self._reject(marks, "a wheel that is not the same all round did not gain the same all round")
            return None
        self._tested[marks] = self._tested.get(marks, CONFIRMATIONS * marks) + 1
        return None

    def _reject(self, marks: int, why: str) -> None:
        self.rejected[marks] = Rejected(marks, self.marks[-1].time, why)


def pattern_of(marks: Sequence[Mark], count: int) -> Pattern:
    """The pattern between the last mark and the one so many before it."""
    last, before = marks[-1], marks[-1 - count]
    inside = marks[-count:]
    low = np.min([mark.low for mark in inside], axis=0)
    high = np.max([mark.high for mark in inside], axis=0)
    return Pattern(
        count,
        last.time - before.time,
        last.state - before.state,
        high - low,
        couples_of(inside),
    )


def agrees(marks: Sequence[Mark], count: int, confirmations: int, floor: Matrix) -> bool:
    """Whether each mark of the last repetitions lies as far behind the one before it as the next does."""
    if len(marks) < (confirmations + 1) * count + 1:
        return False
    duration = marks[-1].time - marks[-1 - count].time
    places = range(len(marks) - confirmations * count, len(marks))
    if not all(_lasts(marks[place - count], marks[place], duration) for place in places):
        return False  # as most hypotheses do
    pattern = pattern_of(marks, count)
    return all(_is_alike(marks, place, pattern, floor) for place in places)


def _step_evenly(marks: Sequence[Mark], pattern: Pattern, required: Required) -> bool:
    """Whether wheels that do not look the same after a step gained the same by each: teeth lock them in place.

    A tooth that is a little out of its place changes steps by less than what repetitions may differ in.
    """
    stepping = list(required.stepping)
    gained = np.array(
        [
            marks[place].state[stepping] - marks[place - pattern.marks].state[stepping]
            for place in range(len(marks) - required.confirmations * pattern.marks, len(marks))
        ]
    )
    return bool(np.all(np.ptp(gained, axis=0) <= STEP_MATCH * np.abs(pattern.change[stepping])))


def _lasts(before: Mark, now: Mark, duration: float) -> bool:
    """Whether there is the duration of a pattern between two marks."""
    return abs(now.time - before.time - duration) <= TIME_MATCH * duration


def _is_alike(marks: Sequence[Mark], place: int, pattern: Pattern, floor: Matrix) -> bool:
    """Whether at a mark the state has changed as in a pattern, and as it does in the next repetition, if any."""
    before, now, later = marks[place - pattern.marks], marks[place], place + pattern.marks
    if not _lasts(before, now, pattern.duration):
        return False
    change, spread = now.state - before.state, np.maximum(pattern.spread, floor)
    goes_on = bool(np.any(np.abs(pattern.change) > ADVANCES * spread))
    drift = LONG_DRIFT_MATCH if goes_on else DRIFT_MATCH
    if np.any(np.abs(change - pattern.change) > drift * spread):
        return False
    next_change = marks[later].state - now.state if later < len(marks) else change
    return bool(np.all(np.abs(change - next_change) <= STATE_MATCH * spread))


def since(marks: Sequence[Mark], pattern: Pattern, floor: Matrix) -> float:
    """Since when marks are those of a pattern."""
    place = len(marks) - 1
    while place >= pattern.marks and _is_alike(marks, place, pattern, floor):
        place -= 1
    return marks[max(place - pattern.marks + 1, 0)].time
