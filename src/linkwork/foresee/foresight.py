"""Foresight of one island: patterns, one after the other, what is superimposed on them, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from linkwork.foresee.course import Course
from linkwork.foresee.encounter import Outlook
from linkwork.foresee.envelope import Envelope, Window
from linkwork.foresee.even import even_motion
from linkwork.foresee.fading import faded_at
from linkwork.foresee.following import Following
from linkwork.foresee.irregular import mean_words, parting, parting_words
from linkwork.foresee.marks import Follower, Halt, is_even
from linkwork.foresee.pattern import Pattern, Rejected, since
from linkwork.foresee.process import Broken, Occurrence, pass_through
from linkwork.foresee.repeating import Repeated
from linkwork.foresee.survey import Seen, begin, finely, look

MOST_STAGES: Final = 12
MOST_REPETITIONS: Final = 1e6
LOOKED_AHEAD: Final = 1000.0
"""New contacts are looked for until so many times the repetitions that are behind."""
INTERRUPTED: Final = "interrupted"
"""The kind of the end of what was not foreseen any farther, since someone pressed Ctrl-C."""
UNEVEN, TINY = 0.1, 1e-6
"""Of the largest velocity of a variable: a change that tells marks. Of that of all: what does not count as one."""
TOO_MANY: Final = "there are too many patterns, one after the other"
REGULAR: Final = 3
"""Occurrences at equal intervals after which a process is believed to be periodic."""


@dataclass(eq=False)
class Stage:
    """A time in which one pattern holds: how it was seen, how it changes, what is superimposed, why it ends."""

    seen: Seen
    pattern: Pattern
    following: Following
    begin: float
    end: float = np.inf
    follower: Follower | None = None
    """With which the simulation goes on behind the end."""
    why: str = ""
    halt: Halt | None = None
    """Where the pattern was not followed any farther, although it may go on, or has died away."""
    last_moves: dict[str, float] | None = None
    """Where it has died away, when each variable last moves."""
    met: frozenset[int] = frozenset()
    """The couples whose meeting ended it."""
    occurrences: list[Occurrence] = field(default_factory=list)
    periods: dict[frozenset[int], float] = field(default_factory=dict)
    """The repetitions between two occurrences of what is periodic."""

    def repetitions(self, until: float) -> float:
        """How often the pattern repeats until a time."""
        first, last = self.envelope.nodes[0], self.envelope.nodes[-1]
        number = last.number + (until - last.time) / last.duration
        if until < last.time:
            number = self.envelope.number_at(until)
        return float(number + (first.time - self.begin) / self.pattern.duration)

    @property
    def last_number(self) -> float:
        """The last repetition whose place is known."""
        return self.envelope.nodes[-1].number

    @property
    def envelope(self) -> Envelope:
        """How the pattern changes."""
        return self.following.envelope


@dataclass(eq=False)
class Foreseen:
    """All stages of an island, and how the last of them ended."""

    course: Course
    stages: list[Stage]
    halt: Halt | None
    why: str
    rejected: tuple[Rejected, ...]
    follower: Follower | None
    """With which the last of them was simulated."""


def is_interrupted(island: Foreseen) -> bool:
    """Whether there might have been more to find."""
    return island.halt is not None and island.halt.kind == INTERRUPTED


class Foresight:
    """Foresees an island until a horizon."""

    def __init__(
        self,
        course: Course,
        horizon: float,
        guess: float,
        report: Callable[[float], None] = lambda time: None,
    ) -> None:
        """``report`` is told until when it was foreseen so far."""
        self.report = report
        self.course = course
        self.horizon = horizon
        self.guess = guess
        self.floor = course.floor
        self.stages: list[Stage] = []
        self.rejected: list[Rejected] = []

    def run(self) -> Foreseen:
        """Stage after stage, until the horizon, rest, or what cannot be foreseen; what was found, if interrupted."""
        follower: Follower | None = None
        try:
            follower = begin(self.course, self.course.time, self.course.start, self.guess, self.horizon)
            return self._stages(follower)
        except KeyboardInterrupt:
            return self.interrupted(follower)

    def interrupted(self, follower: Follower | None = None) -> Foreseen:
        """What was found so far."""
        last = self.stages[-1] if self.stages else None
        time = self.course.time if last is None else min(last.end, last.envelope.nodes[-1].time)
        halt = Halt(time, self.course.start, INTERRUPTED, "the forecast was interrupted")
        if last is not None and last.end == np.inf:
            last.end, last.why = time, halt.why
        return Foreseen(self.course, self.stages, halt, halt.why, tuple(self.rejected), follower)

    def _stages(self, follower: Follower) -> Foreseen:
        time, halt, why = self.course.time, None, TOO_MANY
        while len(self.stages) < MOST_STAGES:
            seen = finely(self.course, look(self.course, follower, time, self.horizon))
            self.rejected += seen.rejected
            if seen.pattern is None:
                halt, why = self._without_pattern(seen, follower)
                if halt is None or halt.kind != "steady" or not self._watch_another(follower):
                    break
                halt, why, since = None, TOO_MANY, follower.stretch
                time = float(since.times[0])
                follower = begin(self.course, time, since.states[0], follower.spacing, self.horizon)
                continue
            stage = self._stage(seen, seen.pattern)
            if stage.halt is not None:
                halt, why = stage.halt, ""
                break
            if stage.end >= self.horizon or stage.follower is None:
                why = ""
                break
            time, follower = stage.end, stage.follower
        return Foreseen(self.course, self.stages, halt, why, tuple(self.rejected), follower)

    def _without_pattern(self, seen: Seen, follower: Follower) -> tuple[Halt | None, str]:
        """How a motion goes on in which no pattern was found."""
        halt = follower.halt
        if halt is not None and halt.kind == "steady":
            return even_motion(self.course, follower, self.horizon) or halt, seen.why
        if not seen.why:
            return halt, ""
        means = mean_words(self.course, seen.marks)
        return halt, f"{seen.why}, {means}{parting_words(parting(self.course, seen.marks))}"

    def _watch_another(self, follower: Follower) -> bool:
        """Where the kinetic energy is constant, the velocity that changes most tells marks."""
        course, stretch = self.course, follower.stretch
        if course.watched is not None or not is_even(course.kinetic(stretch)):
            return False
        velocities = stretch.states[:, course.positions :]
        fastest = np.max(np.abs(velocities), axis=0)
        moved = {
            name
            for name, way, least in zip(
                course.variables, np.ptp(stretch.states, axis=0), course.floor, strict=True
            )
            if way > least
        }
        changes = np.ptp(velocities, axis=0) / np.maximum(fastest, TINY * np.max(fastest, initial=TINY))
        owners = [name.removeprefix("V_") for name in course.variables[course.positions :]]
        changes[[name not in moved for name in owners]] = 0.0  # what only trembles
        if not len(changes) or float(np.max(changes)) < UNEVEN:
            return False
        chosen = int(np.argmax(changes))
        course.watched = course.positions + chosen, float(fastest[chosen])
        return True

    def _stage(self, seen: Seen, pattern: Pattern) -> Stage:
        following = Following(self.course, pattern, seen.marks, self.floor)
        pattern = following.pattern
        first = seen.marks[-1]
        outlook, touching = None, self.course.touching
        if touching is not None and len(pattern.couples) < len(touching.couples):
            times = np.linspace(first.time, first.time + pattern.duration, 257)
            outlook = Outlook(self.course, self.course.run(first.time, first.state, times))
        stage = Stage(seen, pattern, following, since(seen.marks, pattern, self.floor))
        self.stages.append(stage)
        next_number = 1
        while True:
            self.report(following.last.time)
            far = self._most(following, next_number)
            meeting = None if outlook is None else outlook.first(pattern, following.allowed, next_number, far)
            most = meeting.number - 1 if meeting else far
            ended = following.run(most, self.horizon)
            if ended is not None:
                return self._ended(stage, ended)
            if following.is_faded:
                return self._faded(stage)
            if following.given_up:
                return self._given_up(stage)
            if meeting is None and most < MOST_REPETITIONS and following.last.time < self.horizon:
                next_number = int(most)
                continue
            if meeting is None or following.last.time >= self.horizon:
                stage.end = following.last.time
                stage.why = "the horizon is reached" if following.last.time >= self.horizon else "it goes on"
                return stage
            passed = pass_through(following, meeting.number)
            next_number = int(max(following.last.number, meeting.number)) + 1
            if isinstance(passed, Broken):
                return self._broken(stage, passed)
            if passed is not None:
                self._superimpose(stage, following, passed)

    def _most(self, following: Following, number: int) -> float:
        """How far to look for new contacts: not all the way at once, for the pattern may end before."""
        rest = (self.horizon - following.last.time) / following.last.duration
        farther = LOOKED_AHEAD * max(number, 1)
        return float(min(following.last.number + 2 * rest + 2, farther, MOST_REPETITIONS))

    def _superimpose(self, stage: Stage, following: Following, passed: Occurrence) -> None:
        """One more occurrence; with enough of them at equal intervals they need not be simulated any more."""
        stage.occurrences.append(passed)
        same = [each for each in stage.occurrences if each.couples == passed.couples]
        gaps = np.diff([each.number for each in same[-REGULAR:]])
        if len(gaps) == REGULAR - 1 and np.ptp(gaps) <= 1:
            period = float(np.mean(gaps))
            length = max(each.last_number - each.number for each in same)
            delay = float(np.mean([each.delay for each in same]))
            following.allow(passed.couples, Window(passed.number - 1, length + 1, period, delay))
            stage.periods[passed.couples] = period

    def _ended(self, stage: Stage, ended: Repeated) -> Stage:
        assert ended.halt is not None
        stage.end = float(ended.places[-1][0])
        stage.follower = ended.follower
        stage.why = ended.halt.why
        return stage

    def _given_up(self, stage: Stage) -> Stage:
        last = stage.following.last
        stage.end, stage.why = last.time, stage.following.given_up
        stage.halt = Halt(last.time, last.place[1:], "given up", stage.why)
        return stage

    def _faded(self, stage: Stage) -> Stage:
        course, envelope = self.course, stage.envelope
        numbers = dict(zip(course.variables, faded_at(envelope, self.floor, course.positions), strict=False))
        stage.last_moves = {
            name: float(envelope.place(number)[0]) for name, number in numbers.items() if number is not None
        }
        state = envelope.place(max(number for number in numbers.values() if number is not None))[1:]
        stage.end, stage.why = max(stage.last_moves.values()), "its swing has died away"
        stage.halt = Halt(stage.end, state, "rest", stage.why)
        return stage

    def _broken(self, stage: Stage, passed: Broken) -> Stage:
        stage.end, stage.met = passed.begin, passed.couples
        stage.why = "new"
        stage.follower = passed.follower
        return stage
