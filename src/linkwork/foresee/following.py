"""Following a pattern as far as it lasts: leaps over many repetitions, each tested by a restart of the simulation.

From a node the envelope foretells time and state far ahead; the simulation is set going there, its first repetitions
let what is led come back, and the next give the new node. The difference between where the simulation then is and where
all nodes together say it is, is the error. If it is too large, a node in the middle of the leap makes it smaller; if
what leads is off, the leap is made shorter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.foresee.course import Course
from linkwork.foresee.envelope import ORDER, Node
from linkwork.foresee.fading import is_faded
from linkwork.foresee.leading import ALL_TOLERANCE, CALM_DURATION, RELAXING, advances
from linkwork.foresee.marks import Impacts, Mark, impacts_of
from linkwork.foresee.pattern import CONFIRMATIONS, Pattern
from linkwork.foresee.repeating import ROWS_A_MARK, Repeated, ranges_of
from linkwork.foresee.resting import NEAR_REST, near_rest
from linkwork.foresee.settling import Settling
from linkwork.foresee.shifting import later
from linkwork.foresee.slow_axis import SlowAxis, spent_after
from linkwork.foresee.walking import UNCERTAIN
from linkwork.kinematics.arrays import Matrix

ENERGY_TOLERANCE: Final = 1e-2
"""Of the largest kinetic energy: by how much leaps may change an energy that stays the same."""
CONSERVED: Final = 1e-7
"""The same in a few repetitions, by which it is told that it does."""
LOSSY: Final = 0.1
"""Of the largest kinetic energy: by so much the energy must go up or down within a repetition, unless parts touch, for
a variable to be led by others: what comes back so fast needs as much."""
MOST_MARKS: Final = 2000
"""Marks that are simulated while a pattern is followed, besides a share of those that are foreseen."""
WORTH: Final = 1000.0
"""How many marks must be foreseen for each one that is simulated beyond that."""
SHORTEST: Final = 8.0
"""Repetitions that are simulated rather than leapt over, where a leap over them is off."""
SHORTEST_END: Final = 14.0
"""The same where the pattern does not hold behind them."""
NEAR_END: Final = 20.0
"""Repetitions before a place where the pattern does not hold, in which the strength of impacts changes fast."""
SHORTEST_CHANGE: Final = 4.0
"""The same where the impacts of a repetition become others."""
LONGEST: Final = 10.0
"""By how much a leap may be longer than the one before."""
SHORTER: Final = 0.7
"""By how much a leap is shorter after one that ended where the simulation cannot go on."""
SHORT: Final = 0.8
"""Of the leap that would be tried: one that had to be shorter says little of how long the next may be."""
SAFE: Final = 0.65
"""Of the leap whose error would just be allowed."""
FIRST_LEAP: Final = 100.0
"""The longest, before it is known how the pattern changes."""
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
CORRECTED: Final = 0.1
"""Of what a landing corrected a time by: it is told to be still off by as much, at least."""
ROUGH_SHARE: Final = 6e-3
"""Of the time since the beginning: a stretch in which a pattern changes is searched for the place only if it is longer,
where averages can tell of it."""
ROUGH_REPETITIONS: Final = 24
"""The least that such a stretch must be for that."""
LONG_WAY: Final = 200.0
"""Of the range of a variable in a pattern: what came there by a longer way still swings, however little by that way."""
MOST_AT_THE_END: Final = 30
"""Repetitions that are simulated to see how a pattern ends."""


class Following(Settling):
    """Follows a pattern from its first repetitions as far as it lasts."""

    def __init__(self, course: Course, pattern: Pattern, marks: Sequence[Mark], floor: Matrix) -> None:
        super().__init__(course, pattern, floor)
        places = [np.array([mark.time, *mark.state]) for mark in marks[-1 :: -pattern.marks]][2::-1]
        slopes = np.diff(places, axis=0)
        slopes[-1] = self.exact_slope(slopes[-1])
        own_marks = marks[-pattern.marks :]
        node = Node(0.0, places[-1], slopes[-1], *ranges_of(own_marks), impacts=impacts_of(own_marks))
        self.envelope.nodes.append(node)
        goes_on = advances(node.slope, node.spread, floor, course.positions)
        self.envelope.axis = SlowAxis(spent_after(course, node.place, node.slope, goes_on))
        bend = np.max(self._off(slopes[-1] - slopes[-2], float(slopes[-1][0]), pattern.spread, FIRST_LEAP))
        self._length = float(np.clip(np.sqrt(2 / max(bend, 1e-12)), 2 * (RELAXING + 1), FIRST_LEAP))

        low, high = ranges_of(marks)
        own, near = (high - low)[: course.positions], near_rest(course)[: course.positions]
        own = NEAR_REST * np.maximum(own, floor[: course.positions])
        self.near = np.where(near > LONG_WAY * own, own, near)
        """For each position, how far from its place it may be and still count as at rest."""

        self._edge = np.inf
        """The least number at which the pattern was found not to hold."""
        energies = [mark.energy for mark in marks[-1 - (CONFIRMATIONS + 1) * pattern.marks :]]
        self._most_kinetic = max(mark.largest for mark in own_marks)
        self._energy = energies[-1] if np.ptp(energies) <= CONSERVED * self._most_kinetic else None
        """The energy, where nothing takes any from the machine, nor gives it any."""
        self.is_lossy = course.touching is not None or self._turned_over() > LOSSY * self._most_kinetic
        self._energy_off = 0.0
        """By how much leaps changed it, by the largest kinetic energy."""
        self.is_rough = False
        """Whether it changes too fast for leaps in what lies ahead, which is short by all that lies behind."""
        self.is_exact = False
        """Whether averages cannot tell of that."""
        self._tried = -1.0, -1.0
        """From where to where the last leap was tried."""
        self._changed = np.inf
        """The least number at which the impacts of a repetition were found to be others."""
        self._other: Node | None = None
        """The node there, unless it was only passed by."""
        count = pattern.marks
        self._known = [impacts_of(marks[place - count : place]) for place in range(len(marks), count, -count)]
        """Impacts of repetitions that are known to go on as foretold."""

    def _turned_over(self) -> float:
        """By how much the energy goes up and down within a repetition."""
        begin, duration = self.last.time, self.last.duration
        rows = self.course.run(begin, self.last.place[1:], np.linspace(begin, begin + duration, ROWS_A_MARK))
        return float(np.ptp(self.course.energy(rows)))

    def run(self, most: float, until: float, is_firm: bool = False) -> Repeated | None:
        """Leap and simulate until a number of repetitions or a time, or until the pattern does not hold: then how.

        Something superimposed may lead a little farther, unless the number is firm.

        Where it is not worth while to follow it any farther, ``given_up`` tells why.
        """
        self._bounds = most, until
        self.envelope.ahead.clear()
        while self.last.number + RELAXING + 2 <= most and self.last.time < until and not self._is_over:
            if self._changed <= self.last.number:
                self._changed, self._other = np.inf, None
            aim = self._aim(most, until, is_firm)
            if self.envelope.ahead:
                ended = self._between()
            elif aim is None:
                break
            else:
                ended = self._leap(*aim)
            if ended is not None:
                return ended
        return None

    def walk_over(self, number: float) -> Repeated | None:
        """Simulate from the last node to behind a repetition, in which parts may meet elsewhere; how it ends, if so."""
        return self._walk(max(int(number - self.last.number) + 2, 1))

    def walk(self) -> bool:
        """Begin anew, with nothing leapt over, if that is worth while."""
        most = self.last.number * self.pattern.marks
        if self._walks or self.envelope.windows or self.simulated_marks + most > MOST_MARKS:
            return False
        del self.envelope.nodes[1:]
        self.shadow, self.has_parted = None, False
        self._walks = True
        return True

    @property
    def _limit(self) -> float:
        """The least number at which the pattern does not hold: by a leap to there, or since a spring is relaxed."""
        spent = self.envelope.axis.spent
        return min(self._edge, spent if spent > self.last.number else np.inf)

    @property
    def is_faded(self) -> bool:
        """Whether nothing moves any more."""
        return is_faded(self.envelope, self.near)

    @property
    def _is_over(self) -> bool:
        return bool(self.given_up) or self.is_faded or self.is_rough

    @property
    def given_up(self) -> str:
        """Why the pattern is not followed any farther; empty where it is."""
        if self.has_parted:
            return UNCERTAIN
        if self.last.state_off > ALL_TOLERANCE:
            return f"what it is off by may add up to {self.last.state_off:.2g} of a swing"
        if self._energy_off > ENERGY_TOLERANCE:
            much = f"the energy has changed by {self._energy_off:.2g} of the kinetic energy"
            return f"{much}, in each repetition by too little to tell whether leaps did it"
        if self.is_spent:
            foreseen = self.last.number * self.pattern.marks
            simulated = f"{self.simulated_marks} minima of {foreseen:.0f} were simulated"
            return f"it changes too fast to be leapt over, {simulated}"
        return ""

    @property
    def is_spent(self) -> bool:
        """Whether so much was simulated that it was not worth while."""
        return self.simulated_marks > MOST_MARKS + self.last.number * self.pattern.marks / WORTH

    def _aim(self, most: float, until: float, is_firm: bool) -> tuple[float, float] | None:
        """How far to leap and where to land; None where something superimposed leaves no room before a firm number."""
        last = self.last
        rest = min(most - last.number, (until - last.time) / last.duration + RELAXING + 2)
        farthest = min((self._limit - last.number) / 2, (self._changed - last.number) / 2 - RELAXING)
        leap = float(int(max(min(self._length, rest - RELAXING - 1, farthest), 1.0)))
        landing = self._landing(last.number + leap)
        is_tried = (last.number, landing) == self._tried
        is_too_far = is_firm and landing + RELAXING + 1 > most
        if is_tried or is_too_far or landing + 1 >= min(self._edge, self._changed):
            # rather before what is superimposed than behind it
            shorter = np.arange(last.number + leap, last.number + RELAXING + 1, -1)
            landing = next((each for each in shorter if self._landing(each) == each), landing)
        return None if is_firm and landing + RELAXING + 1 > most else (leap, float(landing))

    def _leap(self, leap: float, landing: float) -> Repeated | None:
        """One leap ahead: a new node, or a shorter leap the next time; or how the pattern ends."""
        last = self.last
        if self._walks:
            return self._walk(MOST_AT_THE_END)
        if self._is_other_foretold():
            return None
        if self._is_rough(min(self._edge, self._changed) - last.number):
            self.is_rough = True
            return None
        if self._limit - last.number <= SHORTEST_END or landing >= self._edge:
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
        if not isinstance(found, Repeated):
            is_bad = found[1] > 1
            if is_bad and self.settles is not None:
                self._unsettle()
            elif self._may_settle(leap, is_bad and not found[2]):
                return self._settle(leap)
            return self._judge(*found, leap)
        if leap <= RELAXING + 1:
            return self._end()
        assert found.halt is not None
        if found.halt.kind == "stopped":  # of the simulation, not of the pattern: land elsewhere
            self._length = SHORTER * leap
        else:
            self._edge = landing
        return None

    def _judge(self, node: Node, off: float, is_led_off: bool, leap: float) -> Repeated | None:
        """Believe a node behind a leap, or want one in the middle, or a shorter leap; or walk."""
        if not self._is_known(node.impacts):
            is_same = is_led_off and self._is_same_kind(node.impacts)
            if leap > (SHORTEST_CHANGE if is_same else SHORTEST) and (is_same or off <= HARMLESS):
                self.envelope.ahead.append(node)
            else:
                self._changed, self._other = node.number, node
            return None
        order = min(len(self.envelope.nodes), ORDER) + 1
        factor = float(np.clip(SAFE * max(off, 1e-12) ** (-1 / order), 0.2, LONGEST))
        if off > 1 and leap <= SHORTEST:
            self.is_rough = self._is_rough(leap)
            self._length = 2.0 * (RELAXING + 1)
            return None if self.is_rough else self._walk(WALKED)
        if off <= (1 if leap <= SHORTEST else NEAR):
            longer = (node.number - self.last.number) * max(factor, 0.5)
            self._accept(node)
            self._length = max(longer, self._length) if leap < SHORT * self._length else longer
            return None
        if is_led_off:
            self.envelope.ahead.append(node)
        self._length = leap * factor
        return None

    def _is_rough(self, repetitions: float) -> bool:
        """Whether so many repetitions ahead are few by all that lie behind."""
        short = ROUGH_SHARE * (self.last.time - self.course.time) / self.last.duration
        return not self.is_exact and max(repetitions, ROUGH_REPETITIONS) <= short

    def _is_other_foretold(self) -> bool:
        """Whether the node ahead whose impacts are others is foretold well by the nodes that there are now.

        Then only one in the middle is wanted.
        """
        other, last, envelope = self._other, self.last, self.envelope
        if other is None or other.number - last.number <= SHORTEST or other.regime != last.regime:
            return False
        exact = envelope.integrated([*envelope.near(other.number), other], last, other.number)
        foretold = envelope.foretold(other.number)
        exact[1:] = other.place[1:]
        off = self._off(exact - foretold, other.duration, other.spread, other.number - last.number)
        if np.max(off) > HARMLESS:
            return False
        other.place[0] = exact[0]
        envelope.ahead.append(other)
        self._changed, self._other = np.inf, None
        return True

    def _between(self) -> Repeated | None:
        """A node between the last one and the next that is known ahead; then that one too, if its time is known."""
        envelope, far = self.envelope, self.envelope.ahead[-1]
        middle = np.floor((self.last.number + far.number) / 2) - RELAXING - 1
        landing = self._landing_between(self.last.number + 1, middle, far.number - RELAXING - 3)
        if landing is None:
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
            self._changed, self._other = node.number, node
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
        corrected = self.last.time_off + abs(exact - far.time) + later(self, far.duration)
        far.place[0] = exact
        envelope.ahead.pop()
        self._accept(replace(far, time_off=float(corrected)))

    def _node(self, landing: float) -> tuple[Node, float, bool] | Repeated | None:
        """The node after a landing, how far off it is by what is allowed, and whether nothing that leads is.

        Where the pattern does not hold there, how it does not; None where what is foretold cannot be.
        """
        envelope, last = self.envelope, self.last
        slope = envelope.foretold(landing + 0.5) - envelope.foretold(landing - 0.5)
        if not last.duration / ABSURD <= slope[0] <= last.duration * ABSURD:
            return None

        def is_enough(places: Sequence[Matrix], slope: Matrix, inside: Sequence[Mark]) -> bool:
            return self._is_enough(places, slope, self._is_same_kind(impacts_of(inside)), landing)

        ran = self.repeat(envelope.foretold(landing), RELAXING + 2, slope, last.spread, is_enough)
        if ran.halt is not None:
            return ran
        number, place = landing + len(ran.places) - 1, ran.places[-1].copy()
        change = place - ran.places[-2]
        if len(ran.places) == RELAXING + 1:
            change[0] -= self._longer(change - slope)  # by what came back in it
            change[1:][envelope.led] = slope[1:][envelope.led]
        change = self.exact_slope(change)
        inside = ran.marks[-self.pattern.marks :]
        node = Node(number, place, change, *ranges_of(inside), impacts=impacts_of(inside), regime=last.regime)
        if self._energy is not None:
            self._energy_off = abs(inside[-1].energy - self._energy) / self._most_kinetic
        bend = envelope.foretold(landing + 1.5) - envelope.foretold(landing + 0.5) - slope
        self._find_led(ran.places, slope, bend, node.spread)
        self._find_lengthening(ran.places, landing, bend)
        near = envelope.near(number)
        exact = envelope.integrated([*near, node], last, number)
        comes_back = np.logical_or(envelope.led, envelope.settled)
        exact[1:][comes_back] = envelope.foretold(number)[1:][comes_back]
        missed, late = exact - place, abs(exact[0] - place[0])
        missed[0] = self._time_missed(near, node, exact, place)
        off = self._off(missed, node.duration, node.spread, number - last.number)
        deviation = np.max(np.abs(missed)[1:] / np.maximum(node.spread, self.floor))
        unsure = max(abs(missed[0]), self._time_unsure(near, node, exact), CORRECTED * late)
        corrected = last.time_off + unsure + later(self, node.duration)
        if self.course.is_timeless:
            place[0] = exact[0]
        leads = np.concatenate([[False], np.logical_not(comes_back | self.guests)])
        off_by_range = self._strayed(missed, node)
        strayed = np.where(leads[1:], last.strayed + off_by_range, 0.0)
        node = replace(
            node,
            deviation=float(deviation),
            time_off=float(corrected),
            strayed=strayed,
            missed=np.where(comes_back, off_by_range, 0.0),
            led=envelope.led,
            settled=envelope.settled,
        )
        most = max(float(np.max(off)), self._overshoots(near, node))
        return node, most, not np.any(off[leads] > 1)

    def _end(self) -> Repeated | None:
        """Simulate from the last node until the pattern no longer holds, or until it held where it seemed not to.

        A leap may fail to land because the state was foretold badly: behind such a place leaps go on.
        """
        beyond = self._edge + RELAXING + 1 - self.last.number
        self._edge = np.inf
        return self._walk(int(min(beyond, MOST_AT_THE_END)))

    def _change(self) -> Repeated | None:
        """Simulate from the last node until its impacts have become others: who knows what happens meanwhile."""
        nodes, first, begun = self.envelope.nodes, self.last.number, len(self.envelope.nodes)
        end, self._changed, self._other = self._changed, np.inf, None
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
        is_near_end = self._limit - self.last.number <= NEAR_END
        return self._is_known(impacts) or (
            is_near_end and any(impacts.counts == known.counts for known in self._known)
        )

    def _accept(self, node: Node) -> None:
        """One more node, whose impacts stand for those that they are like: shares change slowly.

        So those farther ahead that seemed to be others may not be, by what is known now.
        """
        self.envelope.nodes.append(node)
        if self._other is not None and node.impacts.are_like(self._other.impacts):
            self._changed, self._other = np.inf, None
        self._known = [node.impacts, *(each for each in self._known if not each.are_like(node.impacts))]

    def _goes_on(self, node: Node, place: Matrix, slope: Matrix) -> bool:
        """Whether a node is as foretold although its impacts are others."""
        off = self._off(node.place - place, node.duration, node.spread, 1.0)[1:]
        return bool(np.max(off) <= 1 and abs(node.duration - slope[0]) <= CALM_DURATION * node.duration)

    def rewind(self, number: float) -> None:
        """Forget all that was found behind a repetition; it is followed anew from there."""
        envelope = self.envelope
        begun = self.clear_before(number)
        envelope.nodes[:] = [node for node in envelope.nodes if node.number <= begun] or envelope.nodes[:1]
        envelope.ahead.clear()
        self._edge = self._changed = np.inf
        self._other, self._tried = None, (-1.0, -1.0)
        self.shadow, self.has_parted = None, False
        gaps = np.diff([node.number for node in envelope.nodes[-2:]])
        self._length = max(2.0 * (RELAXING + 1), *gaps.tolist())
        self.is_rough = self.is_exact = False
