"""Following a pattern as far as it lasts: leaps over many repetitions, each tested by a restart of the simulation.

From a node the envelope foretells time and state far ahead; the simulation is set going there, its first repetitions
let what is led come back, and the next give the new node. The difference between where the simulation then is and where
all nodes together say it is, is the error. If it is too large, a node in the middle of the leap makes it smaller; if
what leads is off, the leap is made shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from linkwork.foresee.course import Course, even_times
from linkwork.foresee.envelope import ORDER, Envelope, Node, Window
from linkwork.foresee.marks import Follower, Halt, Impacts, Mark, couples_of, impacts_of
from linkwork.foresee.pattern import Pattern
from linkwork.kinematics.arrays import Matrix

TOLERANCE: Final = 3e-3
"""Of the range of a variable inside a pattern: the error of a leap. Nothing brings it back: such errors add up."""
ALL_TOLERANCE: Final = 6e-2
"""The same for all leaps together: where they may be off by more, a pattern is not followed any farther."""
ADVANCED: Final = 1e-2
"""Of the way that a variable has advanced since the first repetition: that counts as its range there, if it is more."""
MOST_MARKS: Final = 3000
"""Marks that are simulated while a pattern is followed, besides a share of those that are foreseen."""
WORTH: Final = 10.0
"""How many marks must be foreseen for each one that is simulated beyond that."""
LED_TOLERANCE: Final = 2e-2
"""The same for what comes back within a repetition."""
TIME_TOLERANCE: Final = 2e-2
"""Of the duration: the error of a leap in time."""
SHORTEST: Final = 8.0
"""Repetitions that are simulated rather than leapt over, where a leap over them is off."""
SHORTEST_END: Final = 14.0
"""The same where the pattern does not hold behind them."""
NEAR_END: Final = 20.0
"""Repetitions before a place where the pattern does not hold, in which the strength of impacts changes fast."""
SHORTEST_CHANGE: Final = 4.0
"""The same where the impacts of a repetition become others."""
RELAXING: Final = 1
"""Repetitions after a leap in which what is not slow dies away."""
CALM: Final = 6e-3
"""Of the range of a variable: what is led and off by less after a leap needs no such repetition."""
CALM_DURATION: Final = 1e-3
"""The same for the duration, of itself."""
TELLING: Final = 1e-3
"""Of the range of a variable: what is led and comes back by more tells how much longer it makes a repetition."""
CALM_TIME: Final = 0.2
"""Of what the time may be off after a leap: what its repetitions may be too long for what is led and off."""
LONGEST: Final = 10.0
"""By how much a leap may be longer than the one before."""
SHORTER: Final = 0.7
"""By how much a leap is shorter after one that ended where the simulation cannot go on."""
SAFE: Final = 0.7
"""Of the leap whose error would just be allowed."""
FIRST_LEAP: Final = 100.0
"""The longest, before it is known how the pattern changes."""
MOST_TEETH: Final = 400
ROUNDING: Final = 1e-10
"""Of a turn: a change that is so near to one by whole teeth is one."""
BEAT_MATCH: Final = 2e-3
"""Of the duration: where it is so near to turns of a drive it is by them; marks may be as vague."""
STEADY: Final = 1e-7
"""Of the range of a variable: a change that is so near to none is none."""
DURATION_TOLERANCE: Final = 1e-3
"""Of the duration: by how much each repetition of a leap may be off on the average."""
TIME_SHARE: Final = 1e-5
"""Of the time since the beginning: it may be off by so much even if that is more."""
NOTICED: Final = 1e-4
"""Of the range of a variable: a restart that is off by less does not tell whether it comes back."""
RETURNED: Final = 1e-3
"""The same of what comes back: one that is off by less may have been set going beside its mark."""
LED, NO_LONGER_LED = 0.3, 0.9
"""The share that is left after a repetition of what a variable was off, if others lead it."""
ROWS_A_MARK: Final = 60
ROWS_AT_ONCE: Final = 4
OTHER_DURATION, OTHER_CHANGE = 0.25, 0.1
"""Of the duration, and of the range of a variable: a repetition that differs by more is another pattern."""
ABSURD: Final = 1.5
"""A factor by which a duration will not change from node to node."""
REFINED: Final = 4.0
"""By how much a node in the middle of a leap corrects more than what is still off behind it."""
NEAR: Final = 0.5
"""Of what is allowed: where a node behind a long leap is off by more, one in the middle is wanted too."""
HARMLESS: Final = 0.1
"""Of what is allowed: where a node is off by less, and one in the middle of the leap too, other impacts do no harm."""
WALKED: Final = 6
"""Repetitions that are simulated where even the shortest leap is off."""
SAME_MARK: Final = 0.1
"""Of the time between marks: a mark so soon after a landing is the one that was aimed at."""
MOST_AT_THE_END: Final = 30
"""Repetitions that are simulated to see how a pattern ends."""


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


class Following:
    """Follows a pattern from its first repetitions as far as it lasts."""

    def __init__(self, course: Course, pattern: Pattern, marks: Sequence[Mark], floor: Matrix) -> None:
        self.course = course
        self.floor = floor
        self.pattern = replace(pattern, duration=self._exact_duration(pattern.duration))
        own = course.variables[: course.positions]
        self._angles = np.array([*(name.endswith(".angle") for name in own), *[False] * len(floor)])[
            : len(floor)
        ]
        self.allowed: frozenset[int] = frozenset()
        """Couples that may meet besides those of the pattern."""
        places = [np.array([mark.time, *mark.state]) for mark in marks[-1 :: -pattern.marks]][2::-1]
        slopes = np.diff(places, axis=0)
        slopes[-1] = self._exact(slopes[-1])
        own_marks = marks[-pattern.marks :]
        node = Node(0.0, places[-1], slopes[-1], *ranges_of(own_marks), impacts=impacts_of(own_marks))
        self.envelope = Envelope([node], led=np.zeros(len(pattern.spread), bool))
        bend = np.max(self._off(slopes[-1] - slopes[-2], float(slopes[-1][0]), pattern.spread, FIRST_LEAP))
        self._length = float(np.clip(np.sqrt(2 / max(bend, 1e-12)), 2 * (RELAXING + 1), FIRST_LEAP))

        self._edge = np.inf
        """The least number at which the pattern was found not to hold."""
        self._guests = np.zeros(len(pattern.spread), bool)
        """Variables of parts that only take part in what is superimposed."""
        self._excused: frozenset[int] = frozenset()
        """Couples of such parts: they may part meanwhile."""
        self._leads = np.zeros(len(pattern.spread), bool)
        """Variables that were found not to be led by others."""
        self._lengthening = 0, 0.0
        """A variable that is led, and by how much a repetition is longer in which it comes back by its range."""
        self._simulated = 0
        """Marks so far."""
        self._tried = -1.0, -1.0
        """From where to where the last leap was tried."""
        self._changed = np.inf
        """The least number at which the impacts of a repetition were found to be others."""
        count = pattern.marks
        self._known = [impacts_of(marks[place - count : place]) for place in range(len(marks), count, -count)]
        """Impacts of repetitions that are known to go on as foretold."""

    @property
    def last(self) -> Node:
        """The last node."""
        return self.envelope.nodes[-1]

    def go_on_from(
        self,
        number: float,
        before: Matrix,
        place: Matrix,
        inside: Sequence[Mark],
        is_disturbed: bool = False,
    ) -> None:
        """A new node by what was simulated otherwise: places at the ends of two repetitions, marks of the last."""
        slope = place - before if is_disturbed else self._exact(place - before)
        node = Node(
            number,
            place,
            slope,
            *ranges_of(inside),
            time_off=self.last.time_off,
            state_off=self.last.state_off,
            impacts=impacts_of(inside),
            regime=self.last.regime,
            is_disturbed=is_disturbed,
        )
        self.envelope.nodes.append(node)

    def _exact(self, slope: Matrix) -> Matrix:
        """A duration and a change as they must be: by turns of what drives it; nothing, or by teeth of a wheel."""
        return np.array([self._exact_duration(float(slope[0])), *self._exact_change(slope[1:])])

    def _exact_duration(self, duration: float) -> float:
        """Whole turns of what drives a machine evenly, or a whole part of one turn, where it is so near to them."""
        beat = self.course.beat
        if beat is None:
            return duration
        exact = beat * round(duration / beat) if duration > beat / 2 else beat / round(beat / duration)
        return exact if abs(duration - exact) <= BEAT_MATCH * duration else duration

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

    def run(self, most: float, until: float) -> Repeated | None:
        """Leap and simulate until a number of repetitions or a time, or until the pattern does not hold: then how.

        Where it is not worth while to follow it any farther, ``given_up`` tells why.
        """
        self.envelope.ahead.clear()
        while self.last.number + RELAXING + 2 <= most and self.last.time < until and not self.given_up:
            ended = self._between() if self.envelope.ahead else self._leap(most, until)
            if ended is not None:
                return ended
        return None

    @property
    def given_up(self) -> str:
        """Why the pattern is not followed any farther; empty where it is."""
        if self.last.state_off > ALL_TOLERANCE:
            return f"the errors of all leaps may add up to {self.last.state_off:.2g} of a swing"
        foreseen = self.last.number * self.pattern.marks
        if self._simulated > MOST_MARKS + foreseen / WORTH:
            return f"it changes too fast to be leapt over, {self._simulated} minima of {foreseen:.0f} were simulated"
        return ""

    def _leap(self, most: float, until: float) -> Repeated | None:
        """One leap ahead: a new node, or a shorter leap the next time; or how the pattern ends."""
        last = self.last
        if self._changed <= last.number:
            self._changed = np.inf
        rest = min(most - last.number, (until - last.time) / last.duration + RELAXING + 2)
        farthest = min((self._edge - last.number) / 2, (self._changed - last.number) / 2 - RELAXING)
        leap = float(int(max(min(self._length, rest - RELAXING - 1, farthest), 1.0)))
        if self._edge - last.number <= SHORTEST_END:
            return self._end()
        landing = self._landing(last.number + leap)
        is_tried = (last.number, landing) == self._tried
        if is_tried or landing + 1 >= min(self._edge, self._changed):
            # rather before what is superimposed than behind it
            shorter = np.arange(last.number + leap, last.number + RELAXING + 1, -1)
            landing = next((each for each in shorter if self._landing(each) == each), landing)
        if landing >= self._edge:
            return self._end()
        if self._changed - last.number <= SHORTEST_CHANGE or landing + 1 >= self._changed:
            return self._change()
        if (last.number, landing) == self._tried:  # nothing nearer to land on
            return self._walk(int(landing - last.number))
        self._tried = last.number, landing
        found = self._node(landing)
        if found is None:
            self._length = leap / 2
            return None if leap > RELAXING + 1 else self._walk(WALKED)
        if isinstance(found, Repeated):
            if leap <= RELAXING + 1:
                return self._end()
            assert found.halt is not None
            if found.halt.kind == "stopped":  # of the simulation, not of the pattern: land elsewhere
                self._length = SHORTER * leap
            else:
                self._edge = landing
            return None
        node, off, is_led_off = found
        if not self._is_known(node.impacts):
            is_same = is_led_off and self._is_same_kind(node.impacts)
            if leap > (SHORTEST_CHANGE if is_same else SHORTEST) and (is_same or off <= HARMLESS):
                self.envelope.ahead.append(node)
            else:
                self._changed = node.number
            return None
        order = min(len(self.envelope.nodes), ORDER) + 1
        factor = float(np.clip(SAFE * max(off, 1e-12) ** (-1 / order), 0.2, LONGEST))
        if off > 1 and leap <= SHORTEST:
            self._length = 2.0 * (RELAXING + 1)
            return self._walk(WALKED)
        if off <= (1 if leap <= SHORTEST else NEAR):
            self._accept(node)
            self._length = (node.number - last.number) * max(factor, 0.5)
        elif is_led_off:
            self.envelope.ahead.append(node)
            self._length = leap * factor
        else:
            self._length = leap * factor
        return None

    def _between(self) -> Repeated | None:
        """A node between the last one and the next that is known ahead; then that one too, if its time is known."""
        envelope, far = self.envelope, self.envelope.ahead[-1]
        middle = np.floor((self.last.number + far.number) / 2)
        landing = self._landing(middle - RELAXING - 1)
        if landing <= self.last.number or landing + RELAXING + 2 >= far.number:
            envelope.ahead.pop()
            return self._walk(int(far.number - self.last.number))
        found = self._node(landing)
        if found is None or isinstance(found, Repeated) or (found[1] > 1 and not found[2]):
            envelope.ahead.clear()
            self._length = max((landing - self.last.number) / 2, 1.0)
            return None
        node, off, _ = found
        if off > HARMLESS and not self._is_same_kind(node.impacts):
            envelope.ahead.clear()
            self._changed = node.number
            return None
        if off > 1:
            envelope.ahead.append(node)
            return None
        self._accept(node)
        exact = envelope.integrated(envelope.near(far.number), node, far.number)[0]
        if abs(exact - far.time) <= self._time_allowed(far.duration, far.number - node.number, REFINED):
            self._reach(far)
        else:
            far.place[0] = exact
        return None

    def _reach(self, far: Node) -> None:
        """A node that was ahead becomes the last one, at the time that all nodes together tell."""
        envelope = self.envelope
        exact = envelope.foretold(far.number)[0]
        corrected = self.last.time_off + abs(exact - far.time)
        far.place[0] = exact
        envelope.ahead.pop()
        self._accept(replace(far, time_off=corrected))

    def _landing(self, number: float) -> float:
        """The first number from one on at which nothing superimposed is going on."""
        for _ in range(100):
            steps = [
                window.length - (number - window.first) % window.period
                for window in self.envelope.windows
                if (number + RELAXING + 1 - window.first) % window.period <= window.length + RELAXING + 1
            ]
            if not steps:
                break
            number += float(np.ceil(max(1.0, *steps)))
        return number

    def _node(self, landing: float) -> tuple[Node, float, bool] | Repeated | None:
        """The node after a landing, how far off it is by what is allowed, and whether nothing that leads is.

        Where the pattern does not hold there, how it does not; None where what is foretold cannot be.
        """
        envelope, last = self.envelope, self.last
        slope = envelope.foretold(landing + 0.5) - envelope.foretold(landing - 0.5)
        if not last.duration / ABSURD <= slope[0] <= last.duration * ABSURD:
            return None
        leap = landing - last.number

        def is_enough(places: Sequence[Matrix], slope: Matrix, inside: Sequence[Mark]) -> bool:
            return self._is_enough(places, slope, inside, leap)

        ran = self.repeat(envelope.foretold(landing), RELAXING + 2, slope, is_enough)
        if ran.halt is not None:
            return ran
        number, place = landing + len(ran.places) - 1, ran.places[-1].copy()
        change = self._exact(place - ran.places[-2])
        inside = ran.marks[-self.pattern.marks :]
        node = Node(number, place, change, *ranges_of(inside), impacts=impacts_of(inside), regime=last.regime)
        self._find_led(ran.places, slope, node.spread)
        bend = envelope.foretold(landing + 1.5) - envelope.foretold(landing + 0.5) - slope
        self._find_lengthening(ran.places, slope, bend)
        exact = envelope.integrated([*envelope.near(number), node], last, number)
        exact[1:][envelope.led] = envelope.foretold(number)[1:][envelope.led]
        off = self._off(exact - place, node.duration, node.spread, number - last.number)
        deviation = np.max(np.abs(exact - place)[1:] / np.maximum(node.spread, self.floor))
        corrected = last.time_off + abs(exact[0] - place[0])
        place[0] = exact[0]
        leads = np.concatenate([[False], np.logical_not(envelope.led | self._guests)])
        strayed = self._strayed(exact - place, node)[leads[1:]]
        node = replace(
            node,
            deviation=float(deviation),
            time_off=float(corrected),
            state_off=last.state_off + float(np.max(strayed, initial=0.0)),
            led=envelope.led,
        )
        return node, float(np.max(off)), not np.any(off[leads] > 1)

    def _find_led(self, places: Sequence[Matrix], slope: Matrix, spread: Matrix) -> None:
        """A variable that is off after a leap and is not any more after a repetition is led by others."""
        if len(places) <= RELAXING + 1:
            return
        off = [np.abs(b - a - slope)[1:] for a, b in pairwise(places)]
        is_off = off[0] > RETURNED * np.maximum(spread, self.floor)
        share = np.where(self.envelope.led, NO_LONGER_LED, LED)
        self.envelope.led = np.where(is_off, off[1] <= share * off[0], self.envelope.led)
        if len(places) > RELAXING + 2:
            first, then = np.abs(np.diff(places, n=2, axis=0)[:2, 1:])
            is_off = first > RETURNED * np.maximum(spread, self.floor)
            self.envelope.led = np.where(is_off, then <= LED * first, self.envelope.led)
            self._leads |= is_off & np.logical_not(self.envelope.led)

    def _find_lengthening(self, places: Sequence[Matrix], slope: Matrix, bend: Matrix) -> None:
        """How much longer the first of two repetitions was, by how far that came back in it which is led."""
        led = self.envelope.led & np.logical_not(self._guests)
        if len(places) <= RELAXING + 1 or not np.any(led):
            return
        first, then = (b - a for a, b in pairwise(places[:3]))
        more = first - then + bend
        came_back = np.where(led, self._shares(more), 0.0)
        most = int(np.argmax(np.abs(came_back)))
        if abs(came_back[most]) > TELLING:
            self._lengthening = most, float(more[0] / came_back[most])

    def _longer(self, difference: Matrix) -> float:
        """How much longer a repetition was because what is led came back in it."""
        variable, longer = self._lengthening
        return longer * float(self._shares(difference)[variable])

    def _shares(self, difference: Matrix) -> Matrix:
        """A difference of times and states, by the ranges of variables."""
        shares: Matrix = difference[1:] / np.maximum(self.last.spread, self.floor)
        return shares

    def _is_enough(
        self, places: Sequence[Matrix], slope: Matrix, inside: Sequence[Mark], leap: float
    ) -> bool:
        """Whether the repetitions after a leap tell all.

        The first does if it is off by too little to die away, or is another one. Two do unless a variable changed less
        in the second and neither was as foretold: a third tells whether it is led.
        """
        if not self._is_same_kind(impacts_of(inside)):
            return True
        led, spread = self.envelope.led, np.maximum(self.last.spread, self.floor)
        off = np.abs(np.diff(places, axis=0) - slope)
        if len(places) == RELAXING + 1:
            allowed = np.where(led, CALM, NOTICED) * spread
            is_calm = off[0, 0] <= CALM_DURATION * self.last.duration
            is_calm &= abs(self._longer(off[0])) * leap <= CALM_TIME * self._most_off(self.last.duration)
            return bool(is_calm and np.all(off[0, 1:] <= allowed))
        became_other = np.abs(np.diff(places, n=2, axis=0)[0, 1:]) > NOTICED * spread
        is_undecided = became_other & np.logical_not(led) & np.logical_not(self._leads)
        return not np.any(is_undecided & (off[1, 1:] > LED * off[0, 1:]))

    def _off(self, difference: Matrix, duration: float, spread: Matrix, leap: float) -> Matrix:
        """How large a difference of time and state is, by what is allowed."""
        share = np.where(self.envelope.led, LED_TOLERANCE, TOLERANCE)
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

    def _end(self) -> Repeated | None:
        """Simulate from the last node until the pattern no longer holds, or for long."""
        self._edge = np.inf
        return self._walk(MOST_AT_THE_END)

    def _change(self) -> Repeated | None:
        """Simulate from the last node until its impacts have become others: who knows what happens meanwhile."""
        nodes, first, begun = self.envelope.nodes, self.last.number, len(self.envelope.nodes)
        end, self._changed = self._changed, np.inf
        foretold = [self.envelope.foretold(number) for number in np.arange(first, end + 1)]
        ended = self._walk(int(end - first))
        slopes = np.diff(foretold, axis=0)
        walked = list(zip(nodes[begun:], foretold[1:], slopes, strict=False))
        broken = next(
            (
                place
                for place, each in enumerate(walked, begun)
                if not (nodes[place].is_disturbed or self._goes_on(*each))
            ),
            None,
        )
        if broken is None:
            self._known += [node.impacts for node in nodes[begun:] if not node.is_disturbed]
        else:
            nodes[broken:] = [replace(node, regime=node.regime + 1) for node in nodes[broken:]]
            self._known = [self.last.impacts]
            self._length = 2.0 * (RELAXING + 1)
        return ended

    def _is_known(self, impacts: Impacts) -> bool:
        """Whether repetitions with such impacts go on as foretold."""
        return any(impacts.are_like(known) for known in self._known)

    def _is_same_kind(self, impacts: Impacts) -> bool:
        """Whether repetitions with such impacts go on as foretold; near an end, where all changes fast, as many."""
        is_near_end = self._edge - self.last.number <= NEAR_END
        return self._is_known(impacts) or (
            is_near_end and any(impacts.counts == known.counts for known in self._known)
        )

    def _accept(self, node: Node) -> None:
        """One more node, whose impacts stand for those that they are like: shares change slowly."""
        self.envelope.nodes.append(node)
        self._known = [node.impacts, *(each for each in self._known if not each.are_like(node.impacts))]

    def _goes_on(self, node: Node, place: Matrix, slope: Matrix) -> bool:
        """Whether a node is as foretold although its impacts are others."""
        off = self._off(node.place - place, node.duration, node.spread, 1.0)[1:]
        return bool(np.max(off) <= 1 and abs(node.duration - slope[0]) <= CALM_DURATION * node.duration)

    def _walk(self, most: int) -> Repeated | None:
        """Simulate so many repetitions from the last node on; each is a node."""
        first, count = self.last.number, self.pattern.marks
        until = self._landing(first + most)
        ran = self.repeat(self.last.place, int(until - first), self.last.slope)
        for place, (before, after) in enumerate(pairwise(ran.places)):
            number, inside = first + place + 1, ran.marks[place * count : (place + 1) * count]
            self.go_on_from(number, before, after, inside, self.is_disturbed(number))
        return ran if ran.halt is not None else None

    def is_disturbed(self, number: float) -> bool:
        """Whether something superimposed is going on at the end of a repetition."""
        return any(
            number > window.first and 0 < (number - window.first) % window.period < window.length
            for window in self.envelope.windows
        )

    def allow(self, couples: frozenset[int], window: Window) -> None:
        """Couples meet besides those of the pattern, in windows.

        Those of their parts that rest in the pattern are guests: what they do meanwhile does not end it.
        """
        assert self.course.touching is not None
        every = self.course.touching.couples
        self.allowed |= couples
        self.envelope.windows.append(window)
        parts = {part for couple in self.allowed for part in every[couple].parts}
        owners = [name.removeprefix("V_").partition(".")[0] for name in self.course.variables]
        moving = {
            owner
            for owner, spread, least in zip(owners, self.pattern.spread, self.floor, strict=True)
            if spread > least
        }
        guests = parts & {*owners} - moving
        self._guests = np.array([owner in guests for owner in owners])
        self._excused = frozenset(place for place, each in enumerate(every) if guests & {*each.parts})

    def repeat(
        self,
        place: Matrix,
        count: int,
        slope: Matrix,
        is_enough: Callable[[Sequence[Matrix], Matrix, Sequence[Mark]], bool] | None = None,
    ) -> Repeated:
        """Simulate so many repetitions from a time and a state, as long as they are those of the pattern.

        Fewer may be enough, by their places, by what was foretold of the first, and by the marks of the last.
        """
        pattern, duration, foretold = self.pattern, float(slope[0]), slope
        follower = self.follower(place, duration)
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
            self._simulated += 1
            if len(marks) % pattern.marks:
                continue
            places.append(np.array([mark.time, *mark.state]))
            inside = marks[-pattern.marks :]
            why = self._differs(inside, places[-1] - places[-2], slope)
            if why:
                halt = Halt(mark.time, mark.state, "other", why)
                return Repeated(places[:-1], marks, halt, follower)
            slope = places[-1] - places[-2]
            if len(places) == count + 1 or (is_enough is not None and is_enough(places, foretold, inside)):
                return Repeated(places, marks, None, follower)

    def follower(self, place: Matrix, duration: float) -> Follower:
        """The simulation from a time and a state on, with rows that do not miss a mark."""
        spacing = duration / self.pattern.marks / ROWS_A_MARK
        time = float(place[0])
        lead = self.course.set_going(time, place[1:])
        begun = lead(even_times(time, spacing, ROWS_AT_ONCE))
        return Follower(self.course, lead, begun, spacing, ROWS_AT_ONCE, ROWS_A_MARK - ROWS_AT_ONCE)

    def _differs(self, marks: Sequence[Mark], change: Matrix, slope: Matrix) -> str:
        """Why a repetition is not one of the pattern; empty where it is."""
        couples = couples_of(marks)
        if couples - self.pattern.couples - self.allowed:
            return "parts met that do not meet in the pattern"
        if self.pattern.couples - couples - self._excused:
            return "parts did not meet that meet in the pattern"
        if abs(change[0] - slope[0]) > OTHER_DURATION * slope[0]:
            return f"a repetition lasted {change[0]:.6g} instead of {slope[0]:.6g}"
        spread = np.maximum(self.last.spread, self.floor)
        is_other = np.abs(change[1:] - slope[1:]) > OTHER_CHANGE * spread
        if np.any(is_other & np.logical_not(self._guests)):
            return "a repetition changed the state otherwise"
        return ""
