"""Foresight of one island: patterns, one after the other, what is superimposed on them, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from linkwork.foresee.averaging import MOST_SHARE, Averaging, can_be_averaged
from linkwork.foresee.beats import seen_by_beats
from linkwork.foresee.course import Course
from linkwork.foresee.encounter import Encounter, Outlook
from linkwork.foresee.envelope import Envelope, Node, Window
from linkwork.foresee.even import even_motion
from linkwork.foresee.fading import faded_at
from linkwork.foresee.following import Following
from linkwork.foresee.irregular import mean_words, parting, parting_words
from linkwork.foresee.marks import Follower, Halt, Mark, is_even
from linkwork.foresee.parted import Anchor, Parted, anchor_of, parted, strays
from linkwork.foresee.pattern import IGNORED, Pattern, Rejected, since
from linkwork.foresee.process import Broken, Occurrence, pass_through
from linkwork.foresee.recurring import Recurring, review
from linkwork.foresee.repeating import Repeated
from linkwork.foresee.runaway import growth_words, runaway_words
from linkwork.foresee.shifting import goes_another_way
from linkwork.foresee.survey import Seen, begin, finely, look
from linkwork.foresee.walking import UNCERTAIN
from linkwork.kinematics.arrays import Matrix

MOST_STAGES: Final = 12
MOST_REPETITIONS: Final = 1e6
LOOKED_AHEAD: Final = 1000.0
"""New contacts are looked for until so many times the repetitions that are behind."""
INTERRUPTED: Final = "interrupted"
"""The kind of the end of what was not foreseen any farther, since someone pressed Ctrl-C."""
UNEVEN, TINY = 0.1, 1e-6
"""Of the largest velocity of a variable: a change that tells marks. Of that of all: what does not count as one."""
TOO_MANY: Final = "there are too many patterns, one after the other"
MOST_ADAPTED: Final = 2
"""How often a pattern is followed anew because meetings were found to delay it otherwise than foretold."""
BESIDE: Final = 3
"""Repetitions from one in which parts may meet elsewhere, in which others may meet: then both are simulated at once."""
REGULAR: Final = 3
"""Occurrences at equal intervals after which a process is believed to be periodic."""


@dataclass(eq=False)
class Stage:
    """A time in which one pattern holds: how it was seen, how it changes, what is superimposed, why it ends."""

    seen: Seen
    pattern: Pattern
    following: Following | Averaging
    begin: float
    off: Matrix
    """By how much states may be off by what was before the pattern."""
    end: float = np.inf
    follower: Follower | None = None
    """With which the simulation goes on behind the end."""
    why: str = ""
    halt: Halt | None = None
    """Where the pattern was not followed any farther, although it may go on, or has died away."""
    last_moves: dict[str, float] | None = None
    """Where it has died away, when each variable last moves."""
    is_average: bool = False
    """Whether its repetitions are not alike: what is known of them are averages."""
    end_off: float = 0.0
    """By how much the end may be off, beyond what the last node says."""
    met: frozenset[int] = frozenset()
    """The couples whose meeting ended it."""
    occurrences: list[Occurrence] = field(default_factory=list)
    periods: dict[frozenset[int], float] = field(default_factory=dict)
    """The repetitions between two occurrences of what is periodic."""
    recurring: dict[frozenset[int], Recurring] = field(default_factory=dict)
    """What of it is leapt over."""

    def repetitions(self, until: float) -> float:
        """How often the pattern repeats until a time."""
        first, last = self.envelope.nodes[0], self.envelope.nodes[-1]
        number = last.number + (until - last.time) / last.duration
        if until < last.time:
            number = self.envelope.number_at(until)
        return float(number + (first.time - self.begin) / self.pattern.duration)

    def anchor(self, course: Course, time: float = np.inf) -> Anchor:
        """The end of the first repetition behind a time, or of the last one, and by how much that may be off."""
        nodes = self.envelope.nodes
        node = next((each for each in nodes if each.time >= time), nodes[-1])
        return anchor_of(course, nodes, node, self.off)

    def begin_anew(self) -> None:
        """Forget how it ended, and what was superimposed behind the last node and did not recur."""
        self.end, self.follower, self.why, self.halt = np.inf, None, "", None
        self.last_moves, self.met = None, frozenset()
        last = self.last_number
        self.occurrences = [
            each for each in self.occurrences if each.couples in self.recurring or each.last_number <= last
        ]

    @property
    def breaking(self) -> Recurring | None:
        """What recurs and is the first to break the pattern, if something is known to."""
        limited = [each for each in self.recurring.values() if each.limit is not None]
        return min(limited, key=lambda each: each.window.begin(each.limit or 0), default=None)

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
    known_until: float
    """Until when what is behind them is known, where nothing was found by which it could be foreseen."""


def is_interrupted(island: Foreseen) -> bool:
    """Whether there might have been more to find."""
    return island.halt is not None and island.halt.kind == INTERRUPTED


def has_faded(island: Foreseen) -> bool:
    """Whether it ends because the swing of its last pattern has died away."""
    return bool(island.stages) and island.stages[-1].last_moves is not None


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
        first = self.course.run(self.course.time, self.course.start, np.array([self.course.time]))
        if not len(first.times):
            halt = Halt(self.course.time, self.course.start, "stopped", first.why)
            return Foreseen(self.course, [], halt, first.why, (), None, halt.time)
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
        return Foreseen(self.course, self.stages, halt, halt.why, tuple(self.rejected), follower, time)

    def _stages(self, follower: Follower) -> Foreseen:
        time = known = self.course.time
        halt, why = None, TOO_MANY
        while len(self.stages) < MOST_STAGES:
            seen = finely(self.course, look(self.course, follower, time, self.horizon))
            seen = seen_by_beats(self.course, seen, self.horizon)
            self.rejected += seen.rejected
            before = self._before(seen)
            if not before.is_sure:
                found = parting(self.course, seen.marks)
                is_irregular = found is not None and found.is_irregular
                why = f"no pattern lasts{parting_words(found)}" if is_irregular else UNCERTAIN
                known = before.known
                break
            if seen.pattern is None:
                halt, why, known = self._without_pattern(seen, follower, time)
                if halt is None or halt.kind != "steady" or not self._watch_another(follower):
                    break
                halt, why, since = None, TOO_MANY, follower.stretch
                time = float(since.times[0])
                follower = begin(self.course, time, since.states[0], follower.spacing, self.horizon)
                continue
            stage = self._stage(seen, seen.pattern, before.off)
            if stage.halt is not None:
                halt, why = stage.halt, ""
                break
            if stage.end >= self.horizon or stage.follower is None:
                why = ""
                break
            time, follower = stage.end, stage.follower
            known = time
        return Foreseen(self.course, self.stages, halt, why, tuple(self.rejected), follower, known)

    def _before(self, seen: Seen) -> Parted:
        """How far off the beginning of a pattern may be, by what was before it."""
        course, last = self.course, self.stages[-1] if self.stages else None
        nothing = np.zeros(len(course.variables))
        if seen.pattern is None or (last is not None and last.is_average):
            return Parted(nothing, course.time, True)
        first = since(seen.marks, seen.pattern, self.floor)
        place = next(place for place, each in enumerate(seen.marks) if each.time == first)
        anchor = Anchor(course.time, course.start, nothing) if last is None else last.anchor(course)
        if last is None and place <= IGNORED:
            return Parted(anchor.off, first, True)  # in so few minima nothing grows much
        return parted(course, anchor, seen.marks[place], seen.pattern)

    def _without_pattern(
        self, seen: Seen, follower: Follower, begin: float
    ) -> tuple[Halt | None, str, float]:
        """How a motion goes on in which no pattern was found, and until when it is known."""
        halt, known = follower.halt, float(follower.stretch.times[-1])
        if halt is not None and halt.kind == "steady":
            return even_motion(self.course, follower, self.horizon) or halt, seen.why, known
        if not seen.why:
            if halt is not None and halt.kind == "stopped":
                words = runaway_words(self.course, halt, follower.spacing)
                halt = replace(halt, why=words or halt.why)
            elif halt is not None and halt.kind == "time":
                strayed = strays(self.course, follower)
                if strayed is not None:
                    return None, UNCERTAIN, strayed
            return halt, "", known
        means, parts = mean_words(self.course, seen.marks), parting(self.course, seen.marks)
        means += growth_words(seen.marks)
        known = known if parts is None else min(known, begin + parts.lasts(self.course.rtol))
        return halt, f"{seen.why}, {means}{parting_words(parts)}", known

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

    def _stage(self, seen: Seen, pattern: Pattern, off: Matrix) -> Stage:
        following = Following(self.course, pattern, seen.marks, self.floor)
        following.before = off
        pattern = following.pattern
        first = seen.marks[-1]
        outlook, touching = None, self.course.touching
        if touching is not None and touching.couples:
            times = np.linspace(first.time, first.time + pattern.duration, 257)
            outlook = Outlook(self.course, self.course.run(first.time, first.state, times), pattern)
        stage = Stage(seen, pattern, following, since(seen.marks, pattern, self.floor), off)
        self.stages.append(stage)
        last, rounds = self._follow(stage, following, outlook), 0
        while (number := review(following, [*stage.recurring.values()], rounds < MOST_ADAPTED)) is not None:
            following.rewind(number)
            stage.begin_anew()
            last, rounds = self._follow(stage, following, outlook), rounds + 1
        return last

    def _follow(self, stage: Stage, following: Following, outlook: Outlook | None) -> Stage:
        """Follow a pattern from its last node on to its end, through what is superimposed on it."""
        pattern, next_number = following.pattern, int(following.last.number) + 1
        while True:
            self.report(following.last.time)
            far = self._most(following, next_number)
            meeting = None if outlook is None else outlook.first(pattern, following.allowed, next_number, far)
            most = meeting.number - 1 if meeting else far
            breaking = stage.breaking
            if breaking is not None:
                most = min(most, breaking.number(breaking.limit or 0) - breaking.early - 1)
            ended = following.run(most, self.horizon, meeting is not None or breaking is not None)
            if ended is not None and goes_another_way(following, ended):
                if stage.occurrences or not following.walk():
                    return self._uncertain(stage)
                continue
            if ended is not None:
                return self._ended(stage, ended)
            if following.is_rough:
                if outlook is None or not self._meets_soon(following, outlook):
                    averaged = self._averaged(stage, following)
                    if averaged is not None:
                        return averaged
                following.is_rough, following.is_exact = False, True
                continue
            if following.is_faded:
                return self._faded(stage, following)
            if following.has_parted and not stage.occurrences and following.walk():
                continue
            if following.given_up:
                return self._given_up(stage, following)
            is_over = following.last.time >= self.horizon
            if breaking is not None and not is_over and (meeting is None or most < meeting.number - 1):
                return self._break(stage, following, breaking)
            if meeting is None and most < MOST_REPETITIONS and not is_over:
                next_number = int(most)
                continue
            if meeting is None or is_over:
                stage.end = following.last.time
                stage.why = "the horizon is reached" if is_over else "it goes on"
                return stage
            if meeting.is_elsewhere and outlook is not None:
                beside = outlook.first(pattern, following.allowed, next_number, meeting.number + BESIDE, True)
                meeting = meeting if beside is None else beside
            if meeting.is_elsewhere:
                ended = following.walk_over(meeting.number)
                if ended is not None:
                    return self._elsewhere(stage, ended, meeting)
                next_number = int(max(following.last.number, meeting.number)) + 1
                continue
            passed = pass_through(following, meeting.number)
            if isinstance(passed, Broken):
                broken = self._broken(stage, following, passed, meeting.number)
                if broken is not None:
                    return broken
                passed = []
            next_number = int(max(following.last.number, meeting.number)) + 1
            for each in passed:
                self._superimpose(stage, following, outlook, each)

    def _break(self, stage: Stage, following: Following, breaking: Recurring) -> Stage:
        """A meeting of those that recur with which the pattern does not go on, or is not known to."""
        assert breaking.limit is not None
        begun = following.last
        if breaking.limit not in breaking.found:
            why = f"meetings differ so much that each has to be simulated, {len(breaking.found)} of them were"
            return self._unknown_from(stage, begun, why)
        number = breaking.number(breaking.limit)
        passed = pass_through(following, number, breaking.couples)
        broken = self._broken(stage, following, passed, number) if isinstance(passed, Broken) else None
        return self._unknown_from(stage, begun, UNCERTAIN) if broken is None else broken

    def _meets_soon(self, following: Following, outlook: Outlook) -> bool:
        """Whether something else may happen in what averages would tell of."""
        last = following.last
        far = last.number + 2 * MOST_SHARE * (last.time - self.course.time) / last.duration
        return outlook.first(following.pattern, following.allowed, int(last.number), far) is not None

    def _averaged(self, stage: Stage, following: Following) -> Stage | None:
        """A stage behind one, in which repetitions are not alike; None where averages cannot tell of it."""
        if not can_be_averaged(following):
            return None
        stage.end, stage.why = following.last.time, "its repetitions are no longer alike"
        averaging = Averaging(following)
        fresh = Stage(stage.seen, averaging.pattern, averaging, stage.end, stage.off, is_average=True)
        self.stages.append(fresh)
        fresh.follower = averaging.run(self.horizon, self.report)
        fresh.end, fresh.end_off = averaging.end, averaging.end_off
        fresh.why = "the horizon is reached" if fresh.follower is None else "its repetitions end"
        return fresh

    def _most(self, following: Following, number: int) -> float:
        """How far to look for new contacts: not all the way at once, for the pattern may end before."""
        rest = (self.horizon - following.last.time) / following.last.duration
        farther = LOOKED_AHEAD * max(number, 1)
        return float(min(following.last.number + 2 * rest + 2, farther, MOST_REPETITIONS))

    def _superimpose(
        self, stage: Stage, following: Following, outlook: Outlook | None, passed: Occurrence
    ) -> None:
        """One more occurrence; with enough of them at equal intervals not all have to be simulated any more."""
        assert outlook is not None
        stage.occurrences.append(passed)
        following.receive(passed.couples)
        same = [each for each in stage.occurrences if each.couples == passed.couples][-REGULAR:]
        gaps = np.diff([each.number for each in same])
        stage.periods.pop(passed.couples, None)
        if len(gaps) < REGULAR - 1 or np.ptp(gaps) > 1:
            return
        period = outlook.period(passed.couples, gaps.tolist())
        if period is None:
            return
        stage.periods[passed.couples] = period
        early = 1.0 if period.is_integer() else 2.0  # it may begin a repetition sooner or later
        length = max(each.last_number - each.number for each in same)
        delay = np.mean([each.delay for each in same], keepdims=True)
        window = Window(passed.number - early, length + 2 * early - 1, period, delay)
        found = {round((each.number - passed.number) / period): each for each in same}
        recurring = Recurring(passed.couples, window, early, {**found})
        if recurring.has_room:
            following.allow(passed.couples, window)
            stage.recurring[passed.couples] = recurring

    def _ended(self, stage: Stage, ended: Repeated) -> Stage:
        assert ended.halt is not None
        stage.end = float(ended.places[-1][0])
        stage.follower = ended.follower
        stage.why = ended.halt.why
        return stage

    def _elsewhere(self, stage: Stage, ended: Repeated, meeting: Encounter) -> Stage:
        """The end of a stage near a place where parts may meet elsewhere than they do in the pattern: whether they did.

        Of a part that goes on other features meet all the time, as the teeth of a wheel; of the other one they do not.
        """
        self._ended(stage, ended)
        own, other = meeting.parts
        is_rest = [part not in meeting.advancing for part in meeting.parts]
        usual = _features(stage.seen.marks, meeting.couple, is_rest)
        if _features(ended.marks[-2 * stage.pattern.marks :], meeting.couple, is_rest) - usual:
            stage.why = f"{own} meets {other} elsewhere"
        return stage

    def _uncertain(self, stage: Stage) -> Stage:
        return self._unknown_from(stage, stage.envelope.nodes[-1], UNCERTAIN)

    def _given_up(self, stage: Stage, following: Following) -> Stage:
        return self._unknown_from(stage, following.last, following.given_up)

    def _unknown_from(self, stage: Stage, last: Node, why: str) -> Stage:
        stage.end, stage.why = last.time, why
        stage.halt = Halt(last.time, last.place[1:], "given up", why)
        return stage

    def _faded(self, stage: Stage, following: Following) -> Stage:
        course, envelope = self.course, stage.envelope
        every = zip(course.variables, faded_at(envelope, following.near), strict=False)
        found = {name: fading for name, fading in every if fading is not None}
        stage.last_moves = {name: float(envelope.place(fading.number)[0]) for name, fading in found.items()}
        last = max(found.values(), key=lambda each: each.number)
        state = envelope.place(last.number)[1:]
        stage.end, stage.why = max(stage.last_moves.values()), "its swing has died away"
        stage.end_off = last.off * envelope.nodes[-1].duration
        stage.halt = Halt(stage.end, state, "rest", stage.why)
        return stage

    def _broken(self, stage: Stage, following: Following, passed: Broken, number: float) -> Stage | None:
        """The end of a stage by a meeting in a repetition, or before it; None where it does not end before it."""
        if not passed.couples:
            ended = following.walk_over(number)
            return None if ended is None else self._ended(stage, ended)
        stage.end, stage.met = passed.begin, passed.couples
        stage.why = "new"
        stage.follower = passed.follower
        return stage


def _features(marks: Sequence[Mark], couple: int, is_asked: Sequence[bool]) -> set[tuple[int, ...]]:
    """What of those parts of a couple that are asked for met something: which part, round or face, its place."""
    found: set[tuple[int, ...]] = set()
    for mark in marks:
        for _, (which, side, kind, round_place, face_place) in mark.met:
            if which == couple:
                own, other = (1, 0) if side else (0, 1)
                found |= {(own, -1, round_place)} if is_asked[own] else set()
                found |= {(other, kind, face_place)} if is_asked[other] else set()
    return found
