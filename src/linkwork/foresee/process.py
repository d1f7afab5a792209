"""Processes that are superimposed on a pattern: parts that meet now and then, while it goes on (Algorithm 15)."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from linkwork.foresee.course import Course
from linkwork.foresee.envelope import Envelope
from linkwork.foresee.following import Following
from linkwork.foresee.marks import Follower, Halt, Mark, couples_of
from linkwork.foresee.pattern import STATE_MATCH, Pattern
from linkwork.foresee.repeating import OTHER_DURATION, SAME_MARK
from linkwork.kinematics.arrays import Matrix
from linkwork.model.part import GROUND

PARTED = 1.5
"""Repetitions without a touch after which parts meet anew, before a pattern is sure."""
AROUND = 3
"""Repetitions before and behind some that were disturbed, by which these are expected."""
PATIENCE = 60
"""Repetitions after which a pattern that was disturbed is given up."""


@dataclass(frozen=True)
class Occurrence:
    """What happened once besides the pattern: which couples met, from when to when, and what it did to the rest."""

    couples: frozenset[int]
    number: float
    """The repetition in which it began."""
    begin: float
    end: float
    last_number: float
    delay: float
    """How late it made the repetitions behind it."""
    depth: float
    """By how much states were off meanwhile at the ends of repetitions, by the ranges of variables, at most."""


@dataclass(frozen=True)
class Calm:
    """The end of a repetition that is as expected, but for couples that met and parts that stand still otherwise."""

    time: float
    met: frozenset[int]
    """The couples that met in it and do not usually."""
    moved: frozenset[str]
    """The parts that are not where they rest in the pattern."""


@dataclass(frozen=True, eq=False)
class Broken:
    """A disturbance after which the pattern does not go on."""

    couples: frozenset[int]
    """What met; nothing where the pattern ended before."""
    begin: float
    halt: Halt
    follower: Follower


def meetings(
    pairs: Sequence[Sequence[str]],
    met: Sequence[tuple[float, int]],
    held: Sequence[tuple[float, int]],
    are_apart: Callable[[float, float, Set[int]], bool],
) -> list[tuple[frozenset[int], float, float]]:
    """The couples that met together, from when to when; what was apart between two touches meets anew."""
    groups: list[tuple[set[str], set[int]]] = []
    for couple in dict.fromkeys(couple for _, couple in met):
        parts, couples = {*pairs[couple]} - {GROUND}, {couple}
        for group in [each for each in groups if each[0] & parts]:
            groups.remove(group)
            parts, couples = parts | group[0], couples | group[1]
        groups.append((parts, couples))
    found = []
    for _, couples in groups:
        own = sorted(time for time, couple in met if couple in couples)
        touched = sorted([*own, *(time for time, couple in held if couple in couples)])
        parted = [b for a, b in pairwise(touched) if are_apart(a, b, couples)]
        for begin, end in pairwise([own[0], *parted, np.inf]):
            inside = [time for time in own if begin <= time < end]
            found += [(frozenset(couples), inside[0], inside[-1])] if inside else []
    return sorted(found, key=lambda each: each[1])


def met_in(
    course: Course, marks: Sequence[Mark], pattern: Pattern
) -> list[tuple[frozenset[int], float, float]]:
    """What met in marks that does not in a pattern, from when to when."""
    if course.touching is None:
        return []
    met = [(time, touch[0]) for mark in marks for time, touch in mark.met if touch[0] not in pattern.couples]
    held = [(mark.time, couple) for mark in marks for couple in mark.held - pattern.couples]
    pairs = [each.parts for each in course.touching.couples]
    return meetings(pairs, met, held, lambda one, other, _: other - one > PARTED * pattern.duration)


class Passage:
    """The simulation from the end of a repetition on, until the pattern goes on as before behind a meeting."""

    def __init__(
        self,
        following: Following,
        start: float,
        place: Matrix,
        number: float,
        usual: frozenset[int],
        expected: Callable[[float], Matrix],
        over: float | None = None,
    ) -> None:
        """The meeting is looked for from a repetition on and over behind another; couples that meet besides are usual.

        Time and state at the end of each repetition are expected as if there were no meeting.
        """
        self.following, self.start, self.number = following, start, number
        self.over = number if over is None else over
        self.usual, self.expected = usual, expected
        self.duration = following.node_near(start).duration
        self.spread = np.maximum(following.node_near(start).spread, following.floor)
        self._moves = following.pattern.spread > following.floor
        self.allowed = np.where(self._moves, STATE_MATCH * self.spread, following.floor)
        """By how much a state may differ from what is expected."""
        names = following.course.variables
        self._owners = np.array([name.removeprefix("V_").partition(".")[0] for name in names])
        self.follower = following.follower(place, self.duration)
        self.places = [place]
        self.marks: list[Mark] = []
        self.strange: list[tuple[float, int]] = []
        """When couples met that are not usual, and which."""
        self.held: list[tuple[float, int]] = []
        """The same at marks before which they touched."""
        self.calm: list[Calm] = []
        self.resumed: list[tuple[float, Mark]] = []
        """Repetitions behind the meeting whose ends are as expected, in a row."""
        self.depth = 0.0

    def run(
        self, each_repetition: Callable[[Passage, float | None], None] = lambda own, number: None
    ) -> bool:
        """Simulate until two repetitions in a row are as expected behind the meeting, if there are such."""
        pattern, first = self.following.pattern, self.places[0]
        until = float(first[0]) + PATIENCE * self.duration
        while (mark := self.follower.next(until, pattern.only_low)) is not None:
            if not self.marks and mark.time - first[0] < SAME_MARK * self.duration / pattern.marks:
                continue  # that from which it was to begin
            self.marks.append(mark)
            self.following.simulated_marks += 1
            if self.start + len(self.places) > self.number - 1:
                self.strange += [(time, touch[0]) for time, touch in mark.met if touch[0] not in self.usual]
                self.held += [(mark.time, couple) for couple in mark.held - self.usual]
            self._deepen(mark)
            own, moved = self._number_of(mark)
            strange = couples_of(self.inside) - self.usual
            self.calm += [Calm(mark.time, strange, moved)] if own is not None else []
            own = None if moved else own
            if len(self.marks) % pattern.marks == 0:
                self.places.append(np.array([mark.time, *mark.state]))
                each_repetition(self, own)
            if strange:
                self.resumed = []
            elif own is not None and own > (self.resumed[-1][0] if self.resumed else self.over):
                self.resumed.append((own, mark))
            if len(self.resumed) > 1 and self.resumed[-1][0] - self.resumed[-2][0] == 1:
                return True
        return False

    @property
    def inside(self) -> list[Mark]:
        """The marks of the last repetition."""
        return self.marks[-self.following.pattern.marks :]

    def broken(self) -> Broken:
        """That the pattern does not go on since what met first, or ended before."""
        halt = self.follower.halt
        assert halt is not None
        couples, begin, _ = next(iter(self._meetings()), (frozenset[int](), halt.time, halt.time))
        return Broken(couples if self._held_until(begin) else frozenset(), begin, halt, self.follower)

    def _held_until(self, time: float) -> bool:
        """Whether the simulation was in the pattern until a time."""
        following, count = self.following, self.following.pattern.marks
        last, slope = self.places[0], following.node_near(self.start).slope
        for place, after in enumerate(self.places[1:]):
            if after[0] > time:
                break
            if following.differs(
                self.marks[place * count : (place + 1) * count], after - last, slope, self.spread
            ):
                return False
            last, slope = after, after - last
        return bool(time - last[0] <= (1 + OTHER_DURATION) * slope[0])

    def _meetings(self) -> list[tuple[frozenset[int], float, float]]:
        touching = self.following.course.touching
        pairs = [] if touching is None else [each.parts for each in touching.couples]
        return meetings(pairs, self.strange, self.held, self._is_calm_between)

    def _is_calm_between(self, begin: float, end: float, couples: Set[int]) -> bool:
        """Whether the pattern went on as before meanwhile, whatever parts did that are not of these couples."""
        touching = self.following.course.touching
        assert touching is not None
        parts = {part for couple in couples for part in touching.couples[couple].parts}
        return any(
            begin < each.time < end and not each.met & couples and not each.moved & parts
            for each in self.calm
        )

    def occurrences(self) -> list[Occurrence]:
        """What happened, once the pattern goes on: parts that met, each time that they did."""
        (own, mark), found = self.resumed[-1], self._meetings()
        delay = (mark.time - float(self.expected(own)[0])) / max(len(found), 1)
        return [
            Occurrence(couples, float(np.floor(self._passed(begin))), begin, end, own, delay, self.depth)
            for couples, begin, end in found
        ]

    def _passed(self, time: float) -> float:
        """How many repetitions would be over at a time if there were no meeting."""
        near = round(self.start + (time - float(self.places[0][0])) / self.duration)
        before, behind = max(near - 1, self.start), max(near, self.start) + 1
        begin, end = (float(self.expected(each)[0]) for each in (before, behind))
        return before + (behind - before) * (time - begin) / max(end - begin, self.duration)

    def _deepen(self, mark: Mark) -> None:
        """How far a mark is thrown off that would be the last one of a repetition."""
        passed = self._passed(mark.time)
        number = round(passed)
        if abs(passed - number) <= SAME_MARK / self.following.pattern.marks and number > self.start:
            off = (
                np.abs(mark.state - self.expected(float(number))[1:])[self._moves] / self.spread[self._moves]
            )
            self.depth = max(self.depth, float(np.max(off, initial=0.0)))

    def _number_of(self, mark: Mark) -> tuple[float | None, frozenset[str]]:
        """The repetition at whose end a state is as expected, if it is, but for parts that stand still otherwise."""
        guess = self.start + (mark.time - float(self.places[0][0])) / self.duration
        for number in (round(guess), round(guess) - 1, round(guess) + 1):
            if number > self.start:
                is_off = np.abs(mark.state - self.expected(float(number))[1:]) > self.allowed
                if not np.any(is_off & self._moves):
                    return float(number), frozenset(self._owners[is_off])
        return None, frozenset()


def pass_through(
    following: Following, number: float, strange: frozenset[int] = frozenset()
) -> list[Occurrence] | Broken:
    """Simulate from the last node on until the pattern goes on as before behind a meeting; what met, if anything.

    Couples may be strange although they were allowed. Repetitions that were simulated become nodes.
    """
    usual = (following.pattern.couples | following.allowed) - strange
    start, place = following.last.number, following.last.place
    passage = Passage(following, start, place, start, usual, following.envelope.foretold, number)
    if not passage.run(_keep_undisturbed):
        return passage.broken()
    found = passage.occurrences()
    own = passage.resumed[-1][0]
    _keep_disturbed(passage)
    if own > following.last.number:
        before, after = (np.array([each.time, *each.state]) for _, each in passage.resumed[-2:])
        following.go_on_from(own, before, after, passage.inside)
    return found


def probe(
    following: Following, start: float, number: float, over: float, strange: frozenset[int]
) -> list[Occurrence] | Broken:
    """What a meeting does that was leapt over: simulated from a repetition before it, beside what is followed."""
    envelope = following.envelope
    expected: Callable[[float], Matrix] = envelope.place
    if any(start < node.number <= over and node.is_disturbed for node in envelope.nodes):
        expected = _without_disturbed(envelope, start, over)
    usual = (following.pattern.couples | following.allowed) - strange
    passage = Passage(following, start, envelope.place(start), number, usual, expected, over)
    return passage.occurrences() if passage.run() else passage.broken()


def _without_disturbed(envelope: Envelope, start: float, over: float) -> Callable[[float], Matrix]:
    """Time and state where repetitions were simulated that were disturbed, by those before and behind them."""
    calm = [node for node in envelope.nodes if not node.is_disturbed]
    before = [node for node in calm if node.number <= start][-AROUND:]
    near = [*before, *[node for node in calm if node.number > over + 1][:AROUND]]
    return lambda number: envelope.integrated(near, before[-1], number)


def _keep_undisturbed(passage: Passage, own: float | None) -> None:
    """The repetitions before a meeting become nodes as they come."""
    following, coming = passage.following, passage.following.last.number + 1
    if own == coming and not passage.strange and not following.is_disturbed(coming):
        following.go_on_from(coming, passage.places[-2], passage.places[-1], passage.inside)


def _keep_disturbed(passage: Passage) -> None:
    """The repetitions that were disturbed become nodes, each as it was; unless there were more of them, or fewer."""
    following, start, places = passage.following, passage.start, passage.places
    if passage.resumed[-1][0] != start + len(places) - 1:
        return
    count = following.pattern.marks
    for place in range(1, len(places) - 1):
        if start + place > following.last.number:
            inside = passage.marks[(place - 1) * count : place * count]
            following.go_on_from(start + place, places[place - 1], places[place], inside, is_disturbed=True)
