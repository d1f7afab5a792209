"""What leads in a pattern, and what is led and so comes back within a repetition; how far off leaps may be in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.foresee.course import Course
from linkwork.foresee.envelope import ENOUGH, Envelope, Node
from linkwork.foresee.pattern import ADVANCES, Pattern
from linkwork.foresee.repeating import Repeating
from linkwork.kinematics.arrays import Matrix

TOLERANCE: Final = 3e-3
"""Of the range of a variable inside a pattern: the error of a leap. Nothing brings it back: such errors add up."""
ALL_TOLERANCE: Final = 6e-2
"""The same for all leaps together: where they may be off by more, a pattern is not followed any farther."""
ADVANCED: Final = 1e-2
"""Of the way that a variable has advanced since the first repetition: that counts as its range there, if it is more."""
BUDGET: Final = 0.05
"""Of what is left of that: what one leap may be off by, at most."""
LED_TOLERANCE: Final = 2e-2
"""The same for what comes back within a repetition."""
TIME_TOLERANCE: Final = 2e-2
"""Of the duration: the error of a leap in time."""
DURATION_TOLERANCE: Final = 1e-3
"""Of the duration: by how much each repetition of a leap may be off on the average."""
INSIDE: Final = 8
"""Parts of a leap whose durations are looked at."""
TIME_SHARE: Final = 1e-5
"""Of the time since the beginning: it may be off by so much even if that is more."""
RELAXING: Final = 1
"""Repetitions after a leap in which what is not slow dies away."""
TELLING: Final = 1e-3
"""Of the range of a variable: what is led and comes back by more tells how much longer it makes a repetition."""
RETURNED: Final = 1e-3
"""The same of what comes back: one that is off by less may have been set going beside its mark."""
CALM: Final = 6e-3
"""Of the range of a variable: what is led and off by less after a leap needs no such repetition."""
CALM_DURATION: Final = 1e-3
"""The same for the duration, of itself."""
CALM_TIME: Final = 0.2
"""Of what the time may be off after a leap: what its repetitions may be too long for what is led and off."""
NOTICED: Final = 1e-4
"""Of the range of a variable: a restart that is off by less does not tell whether it comes back."""
LED, NO_LONGER_LED = 0.3, 0.9
"""The share that is left after a repetition of what a variable was off, if others lead it."""


def advances(slope: Matrix, spread: Matrix, floor: Matrix, positions: int) -> NDArray[np.bool_]:
    """Which variables gain about as much in a repetition as they move in it: nothing brings them back."""
    is_position = np.arange(len(spread)) < positions
    gains = np.abs(slope[1:]) > ADVANCES * np.maximum(spread, floor)
    return np.asarray(gains & is_position)


@dataclass(frozen=True)
class Lengthening:
    """How much longer a repetition is in which a variable comes back that is led, by its range."""

    variable: int = 0
    longer: float = 0.0
    number: float = 0.0
    """The repetition in which that was measured."""
    share: float = 1.0
    """By which share of it the measurement before was another."""
    since: float = 1.0
    """How many repetitions before that was."""

    def unsure(self, number: float) -> float:
        """By which share it may be another at a repetition: it changes on, and the farther the more."""
        return min(self.share * (1 + abs(number - self.number) / self.since), 1.0)

    def measured(self, variable: int, longer: float, number: float) -> Lengthening:
        """The same by one more measurement."""
        if variable != self.variable or not self.longer or not longer:
            return Lengthening(variable, longer, number)
        share, since = abs(self.longer / longer - 1), max(abs(number - self.number), 1.0)
        return Lengthening(variable, longer, number, share, since)


class Leading(Repeating):
    """A pattern whose variables are told apart by repetitions behind leaps: those that lead, and those that are led."""

    def __init__(self, course: Course, pattern: Pattern, floor: Matrix) -> None:
        super().__init__(course, pattern, floor)
        nothing = np.zeros(len(pattern.spread), bool)
        self.envelope = Envelope(led=nothing, still=self.guests, settled=nothing, step=self.step)
        self.before = np.zeros(len(pattern.spread))
        """By how much states may be off by what was before the pattern."""
        self.is_lossy = True
        """Whether so much energy is lost in a repetition that something may come back within it."""
        self._leads = np.zeros(len(pattern.spread), bool)
        """Variables that were found not to be led by others."""
        self._was_lost = np.zeros(len(pattern.spread), bool)
        """Variables that are led and seemed not to be, behind the last leap that told."""
        self._lengthening = Lengthening()

    @property
    def last(self) -> Node:
        """The last node."""
        return self.envelope.nodes[-1]

    def receive(self, couples: frozenset[int]) -> None:
        """What only takes part in what is superimposed stands still otherwise."""
        super().receive(couples)
        self.envelope.still = self.guests

    def _find_led(self, places: Sequence[Matrix], slope: Matrix, bend: Matrix, spread: Matrix) -> None:
        """A variable that is off after a leap and is not any more after a repetition is led by others.

        The slope that was foretold of the first repetition bends from one to the next.
        """
        if len(places) <= RELAXING + 1 or not self.is_lossy:
            return  # where little energy is lost nothing is led: what looks like it was set going beside its mark
        off = [np.abs(b - a - slope - k * bend)[1:] for k, (a, b) in enumerate(pairwise(places))]
        # where slopes change fast, as near an end, less may tell how well they were foretold
        least = np.maximum(RETURNED * np.maximum(spread, self.floor), np.abs(bend[1:]))
        was_led, share = self.envelope.led, np.where(self.envelope.led, NO_LONGER_LED, LED)
        is_led = np.where(off[0] > least, off[1] <= share * off[0], was_led)
        if len(places) > RELAXING + 2:
            first, then = np.abs(np.diff(places, n=2, axis=0) - bend)[:2, 1:]
            is_off = first > least
            is_led = np.where(is_off, then <= share * first, is_led)
            self._leads |= is_off & np.logical_not(is_led | was_led)
        # one such leap may have been foretold badly: what was led is believed to lead behind the second
        is_lost = was_led & np.logical_not(is_led)
        is_led |= is_lost & np.logical_not(self._was_lost)
        self._was_lost = is_lost
        is_led &= np.logical_not(advances(slope, spread, self.floor, self.course.positions) | self._leads)
        fresh = is_led & np.logical_not(was_led)
        if np.any(fresh) and not np.all(self._come_back(places, slope, spread, fresh)):
            self._leads |= fresh
            is_led &= was_led
        self.envelope.led = is_led

    def _come_back(
        self, places: Sequence[Matrix], slope: Matrix, spread: Matrix, asked: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Whether variables that are set going beside places where they were are back a repetition later.

        What was off behind a leap may have been so for other reasons, as because it began beside its mark.
        """
        aside = np.where(asked, LED_TOLERANCE * np.maximum(spread, self.floor), 0.0)
        aside[np.arange(len(aside)) >= self.course.positions] = 0.0
        if not np.any(aside):
            return asked
        middle = (self.last.low + self.last.high) / 2
        state = places[0][1:] + np.where(places[0][1:] > middle, -aside, aside)
        ran = self.repeat(np.array([places[0][0], *state]), 1, slope, self.last.spread)
        if len(ran.places) < 2:
            return np.zeros(len(asked), bool)
        return np.abs(ran.places[1] - places[1])[1:] <= LED * np.where(aside > 0, aside, np.inf)

    def _find_lengthening(self, places: Sequence[Matrix], number: float, bend: Matrix) -> None:
        """How much longer the first repetition behind a number was than the next, by how far what is led came back."""
        led = self.envelope.led & np.logical_not(self.guests)
        if len(places) <= RELAXING + 1 or not np.any(led):
            return
        first, then = (b - a for a, b in pairwise(places[:3]))
        more = first - then + bend
        came_back = np.where(led, self._shares(more), 0.0)
        most = int(np.argmax(np.abs(came_back)))
        if abs(came_back[most]) > TELLING:
            longer = float(more[0] / came_back[most])
            self._lengthening = self._lengthening.measured(most, longer, number)

    def _longer(self, difference: Matrix) -> float:
        """How much longer a repetition was because what is led came back in it."""
        return self._lengthening.longer * float(self._shares(difference)[self._lengthening.variable])

    def _shares(self, difference: Matrix) -> Matrix:
        """A difference of times and states, by the ranges of variables."""
        shares: Matrix = difference[1:] / np.maximum(self.last.spread, self.floor)
        return shares

    def _off(self, difference: Matrix, duration: float, spread: Matrix, leap: float) -> Matrix:
        """How large a difference of time and state is, by what is allowed."""
        most = min(TOLERANCE, BUDGET * max(ALL_TOLERANCE - self.last.state_off, 0.0))
        comes_back = np.logical_or(self.envelope.led, self.envelope.settled)
        share = np.where(comes_back, LED_TOLERANCE, most)
        share = np.where(self.guests, 1.0, share)  # of a range that is none
        allowed = np.array([self._time_allowed(duration, leap), *(share * np.maximum(spread, self.floor))])
        found: Matrix = np.abs(difference) / allowed
        return found

    def _time_allowed(self, duration: float, leap: float, factor: float = 1.0) -> float:
        """How far the time of a node may be off after a leap; a factor more, unless each repetition were."""
        return min(factor * self._most_off(duration), DURATION_TOLERANCE * duration * leap)

    def _most_off(self, duration: float) -> float:
        """How far the time of a node may be off after any leap."""
        return max(TIME_TOLERANCE * duration, TIME_SHARE * (self.last.time - self.course.time))

    def _strayed(self, difference: Matrix, node: Node) -> Matrix:
        """How far off a state is by the ranges of variables; of those that advance, by a share of all that way."""
        way = ADVANCED * np.abs(node.place - self.envelope.nodes[0].place)[1:]
        strayed: Matrix = np.abs(difference)[1:] / np.maximum(np.maximum(node.spread, self.floor), way)
        return strayed

    def _time_missed(self, near: Sequence[Node], node: Node, exact: Matrix, place: Matrix) -> float:
        """By how much the time of a new node may be off: it was simulated, how long all before it lasted was not.

        Where nothing depends on the time, when a leap lands does not matter; how long it lasts is told by the
        durations at both of its ends, and what one node less tells of that differs by more than what is missed.
        """
        if len(near) < ENOUGH or not self.course.is_timeless:
            return float(exact[0] - place[0])
        return float(exact[0] - self._time_by(near[1:], node))

    def _time_unsure(self, near: Sequence[Node], node: Node, exact: Matrix) -> float:
        """How far the time of a new node may be off at least, by what each node more changed of it.

        Now and then the last of several changes next to nothing, though all are still far from the truth.
        """
        if len(near) <= ENOUGH or not self.course.is_timeless:
            return 0.0
        times = [float(exact[0]), self._time_by(near[1:], node), self._time_by(near[2:], node)]
        return float(np.max(np.abs(np.diff(times))))

    def _overshoots(self, near: Sequence[Node], node: Node) -> float:
        """How far durations inside a leap are told outside those at its ends, by what each may be off.

        So does a polynomial through nodes between which the duration has jumped a little.
        """
        if self.envelope.windows:
            return 0.0  # delays are no durations
        numbers = np.linspace(self.last.number, node.number, INSIDE + 1)
        times = [float(self.envelope.integrated([*near, node], self.last, each)[0]) for each in numbers]
        durations = np.diff(times) / np.diff(numbers)
        ends = self.last.duration, node.duration
        over = max(min(ends) - float(np.min(durations)), float(np.max(durations)) - max(ends), 0.0)
        return over / (DURATION_TOLERANCE * node.duration)

    def _time_by(self, near: Sequence[Node], node: Node) -> float:
        """The time of a new node by some of those before it, and by itself."""
        return float(self.envelope.integrated([*near, node], self.last, node.number)[0])

    def _is_enough(self, places: Sequence[Matrix], slope: Matrix, is_same_kind: bool, landing: float) -> bool:
        """Whether the repetitions after a landing tell all.

        The first does if it is off by too little to die away, or is another one. Two do unless a variable changed less
        in the second and neither was as foretold: a third tells whether it is led.
        """
        if not is_same_kind:
            return len(places) > RELAXING + 1  # parts may have been set going a little apart
        led, spread = self.envelope.led, np.maximum(self.last.spread, self.floor)
        off = np.abs(np.diff(places, axis=0) - slope)
        if len(places) == RELAXING + 1:
            allowed = np.where(led, CALM, NOTICED) * spread
            is_calm = off[0, 0] <= CALM_DURATION * self.last.duration
            unsure = self._lengthening.unsure(landing) * abs(self._longer(off[0]))
            is_calm &= unsure * (landing - self.last.number) <= CALM_TIME * self._most_off(self.last.duration)
            return bool(is_calm and np.all(off[0, 1:] <= allowed))
        became_other = np.abs(np.diff(places, n=2, axis=0)[0, 1:]) > NOTICED * spread
        is_undecided = became_other & np.logical_not(led) & np.logical_not(self._leads)
        return not np.any(is_undecided & (off[1, 1:] > LED * off[0, 1:]))
