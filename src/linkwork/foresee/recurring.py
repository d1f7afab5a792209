"""Meetings that recur: what they do to the pattern is followed, too, by simulating some of those that were leapt over.

A meeting that does no harm early in the life of a machine may stop it later: a clapper is lifted by what the mainspring
has left. What a meeting does (how late it makes the pattern, how far it is thrown off meanwhile) changes slowly among
meetings at the same phase of the pattern that no other meeting overlaps: such are a strand. Of each strand the last
meeting before the end is simulated, and meetings between two that were, unless those are alike, or one in their middle
is as both tell. So each that is not simulated lies between two that are. Where one breaks the pattern, the first that
does is searched by halves; where too many have to be simulated, those from there on are not sure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from linkwork.foresee.envelope import Window
from linkwork.foresee.following import Following
from linkwork.foresee.leading import RELAXING, TIME_TOLERANCE
from linkwork.foresee.process import Broken, Occurrence, probe
from linkwork.kinematics.arrays import Matrix

ALIKE_DEPTH: Final = 0.05
"""Of a swing: by how much two meetings that are alike differ in how far they throw it off."""
SAME_PHASE: Final = 1e-3
"""Repetitions: meetings whose phases differ by less among all are at the same one."""
MOST_PHASES: Final = 60
"""Phases that are told apart; where there are more, each meeting has one of its own."""
LITTLE: Final = 0.1
"""Of a delay that matters: one from which on a pattern is followed anew."""
SETTLED: Final = 2
"""Repetitions before a meeting from which it is simulated, in which what is led comes back."""


@dataclass(eq=False)
class Recurring:
    """A process that recurs after a number of repetitions, and what was found of its meetings."""

    couples: frozenset[int]
    window: Window
    early: float
    """By how many repetitions its windows begin before it does."""
    found: dict[int, Occurrence | None]
    """What each did that was simulated, counted from the first window on; None where the pattern did not go on."""
    limit: int | None = None
    """The meeting behind which nothing is known of the pattern."""

    @property
    def period(self) -> float:
        """In repetitions."""
        return self.window.period

    @property
    def occurrences(self) -> list[Occurrence]:
        """All that were simulated, in order."""
        return [each for _, each in sorted(self.found.items()) if each is not None]

    def last_before(self, number: float) -> int:
        """The last meeting that is over before the end of a repetition, and not behind the limit."""
        last = max(math.floor((number - self.window.first - self.window.length) / self.period), 0)
        return last if self.limit is None else min(last, self.limit - 1)

    @property
    def has_room(self) -> bool:
        """Whether there are repetitions between meetings that can be leapt over."""
        return self.window.length + SETTLED + 2 * RELAXING + 2 <= self.period

    def number(self, index: int) -> float:
        """The repetition in which a meeting begins."""
        return float(math.floor(self.window.begin(index) + self.early))


@dataclass(frozen=True)
class Review:
    """What a look at meetings says: from which on the pattern is not sure, if any, and how late each makes it."""

    limit: int | None
    delays: Matrix
    unsure: float
    """By how much the sum of delays may be off, by how many were not simulated."""


class Reviewing:
    """Looks at the meetings of a process that were leapt over until the last node."""

    def __init__(self, following: Following, own: Recurring, others: Sequence[Recurring]) -> None:
        self.following, self.own = following, own
        self.others = [each for each in others if each is not own]
        self.last = own.last_before(following.last.number)
        self.allowed = TIME_TOLERANCE * following.last.duration / 2
        self.phases = _phases(own.period, self.last)
        self.unsure = 0.0

    def run(self) -> Review:
        """Simulate as many as are wanted."""
        strands: dict[object, list[int]] = {}
        for index in range(min(self.own.found), self.last + 1):
            strands.setdefault(self._strand(index), []).append(index)
        limit: int | None = None
        for members in strands.values():
            broken = self._first_broken([each for each in members if limit is None or each < limit])
            limit = limit if broken is None else broken
        delays = np.zeros(self.last + 1)
        for members in strands.values():
            told = {each: self.own.found.get(each) for each in members}
            known = {index: each.delay for index, each in told.items() if each is not None}
            if known:
                coming = [each for each in members if each >= 0]
                delays[coming] = np.interp(coming, [*known], [*known.values()])
        return Review(limit, delays, self.unsure)

    def _strand(self, index: int) -> object:
        """What meetings have in common that do the same: their phase, and which others go on meanwhile."""
        window = self.own.window
        first, last = window.begin(index) - SETTLED - RELAXING, window.begin(index) + window.length
        meanwhile = (
            place
            for place, each in enumerate(self.others)
            if (first - each.window.first) % each.period <= each.window.length
            or (each.window.first - first) % each.period <= last - first
        )
        return index % self.phases, *meanwhile

    def _first_broken(self, members: list[int]) -> int | None:
        """The first meeting of a strand with which the pattern does not go on, if there is one."""
        behind = [each for each in members if each not in self.own.found or each > 0]
        begun = [each for each in members if each not in behind]
        if not behind:
            return None
        if begun:
            return self._broken_behind(begun[-1], behind)
        return self._broken_behind(behind[0], behind[1:]) if self._passes(behind[0]) else behind[0]

    def _broken_behind(self, left: int, members: list[int]) -> int | None:
        """The same among some behind one that is known."""
        if not members:
            return None
        right, skipped = members[-1], members[:-1]
        if not skipped:
            return None if self._passes(right) else right
        half = len(skipped) // 2
        if self._passes(right):
            if self._are_alike(left, right, len(skipped)):
                return None
            if self._passes(skipped[half]) and self._is_between(left, skipped[half], right, len(skipped)):
                return None
        broken = self._broken_behind(left, members[: half + 1])
        return broken if broken is not None else self._broken_behind(members[half], members[half + 1 :])

    def _are_alike(self, left: int, right: int, skipped: int) -> bool:
        """Whether two meetings do the same, so that those between them do."""
        a, b = self._known(left), self._known(right)
        return abs(a.depth - b.depth) <= ALIKE_DEPTH and self._is_small(abs(a.delay - b.delay), skipped)

    def _is_between(self, left: int, middle: int, right: int, skipped: int) -> bool:
        """Whether a meeting is as those before and behind it tell."""
        a, m, b = (self._known(each) for each in (left, middle, right))
        share = (middle - left) / (right - left)
        depth, delay = (
            abs(getattr(a, name) * (1 - share) + getattr(b, name) * share - getattr(m, name))
            for name in ("depth", "delay")
        )
        return depth <= ALIKE_DEPTH and self._is_small(delay, skipped)

    def _known(self, index: int) -> Occurrence:
        found = self.own.found[index]
        assert found is not None
        return found

    def _is_small(self, delay: float, skipped: int) -> bool:
        """Whether delays that are off by so much matter little; then by how much they may is kept."""
        is_small = delay * skipped <= self.allowed
        self.unsure += delay * skipped if is_small else 0.0
        return is_small

    def _passes(self, index: int) -> bool:
        """Whether the pattern goes on behind a meeting; one that cannot be simulated any more is not sure to."""
        own = self.own
        if index not in own.found:
            if self.following.is_spent:
                return False
            window = own.window
            start = self.following.clear_before(math.floor(window.begin(index)) - SETTLED)
            over = math.floor(window.begin(index) + window.length) - 2
            found = probe(self.following, start, own.number(index) - own.early, over, own.couples)
            own.found[index] = None if isinstance(found, Broken) else self._single(index, found)
        return own.found[index] is not None

    def _single(self, index: int, found: Sequence[Occurrence]) -> Occurrence | None:
        """What a meeting did, with the delay that was foretold of it; None where something else happened."""
        if len(found) != 1 or not found[0].couples <= self.own.couples:
            return None
        window = self.own.window
        foretold = window.delayed(found[0].last_number) - window.delayed(window.begin(index))
        return replace(found[0], delay=found[0].delay + foretold)


def _phases(period: float, last: int) -> int:
    """The meetings after which one is at the same phase of the pattern again."""
    near = Fraction(period).limit_denominator(MOST_PHASES)
    return near.denominator if abs(period - near) * max(last, 1) <= SAME_PHASE else max(last, 1) + MOST_PHASES


def review(following: Following, processes: Sequence[Recurring], is_adapted: bool) -> float | None:
    """Look at meetings that were leapt over; from which repetition on all has to be followed anew, if it has to.

    Where delays were not as foretold, and the pattern is not adapted to them any more, times are told to be off.
    """
    found = [Reviewing(following, own, processes).run() for own in processes]
    anew = [_limited(own, each) for own, each in zip(processes, found, strict=True)]
    if is_adapted:
        anew += [_adapted(following, own, each) for own, each in zip(processes, found, strict=True)]
    numbers = [number for number in anew if number is not None]
    if numbers:
        return min(numbers)
    for own, each in zip(processes, found, strict=True):
        window, late = own.window, _later(own, each)
        length = max(one.last_number - one.number for one in own.occurrences) + 2 * own.early - 1
        following.replace_window(window, replace(window, length=max(length, window.length)))
        for place, node in enumerate(following.envelope.nodes):
            passed = min(int((node.number - window.first) / own.period), len(late) - 1)
            if passed >= 0:
                off = node.time_off + abs(float(late[passed])) + each.unsure
                following.envelope.nodes[place] = replace(node, time_off=off)
    return None


def _limited(own: Recurring, found: Review) -> float | None:
    """The repetition before a meeting with which the pattern does not go on, if that is new."""
    if found.limit is None:
        return None
    own.limit = found.limit
    return own.window.begin(found.limit) - 1


def _adapted(following: Following, own: Recurring, found: Review) -> float | None:
    """The repetition before the first meeting whose delay matters and was not foretold, if there is one."""
    late, allowed = np.abs(_later(own, found)), TIME_TOLERANCE * following.last.duration / 2
    if np.max(late) <= allowed:
        return None
    first = int(np.flatnonzero(late > LITTLE * allowed)[0])
    own.window = following.replace_window(own.window, replace(own.window, delays=found.delays))
    return own.window.begin(first)


def _later(own: Recurring, found: Review) -> Matrix:
    """By how much more than foretold all meetings up to each delay the pattern; the first one was simulated."""
    foretold = own.window.delays[np.minimum(np.arange(len(found.delays)), len(own.window.delays) - 1)]
    more = found.delays - foretold
    more[0] = 0.0
    return np.cumsum(more)
