"""Patterns that settle into a cycle: what they still differ from it by falls by the same factor in each repetition.

Where that is slow, as of a swing that a weak feedback brings back to its size, leaps as long as it takes amplify what
states are off by, however little they still change. So where they do, the pattern is set going a little beside itself:
by what factor f both come nearer to each other in a repetition tells that s·f / (1 - f) is left of a change s. With
little left its states are those of a cycle, which comes back to itself; time and what advances go on, wheels by whole
teeth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from linkwork.foresee.leading import advances
from linkwork.foresee.repeating import Repeated
from linkwork.foresee.symmetry import teeth_passed
from linkwork.foresee.walking import Walking
from linkwork.kinematics.arrays import Matrix

LEAST, MOST_MARKS = 8, 128
"""Repetitions in which a motion beside must come nearer, and how many minima may be simulated for that."""
NEARER: Final = 0.75
"""By what factor at least."""
MUCH_NEARER: Final = 1e-3
"""The same: nearer than that what simulations are off by counts."""
ASIDE: Final = 1e-2
"""Of the range of a position: how far beside it begins."""
LEFT: Final = 1e-3
"""Of the range of a variable: what may be left of its way to the cycle."""
HOPEFUL: Final = 10.0
"""How many times that a leap that failed may have been foretold to change it, for that to be asked at all."""
AGAIN: Final = 3.0
"""How many times as far on it is asked again."""
MOST_ASKED: Final = 5
AHEAD: Final = 0.2
"""Of the repetitions that lie ahead: how many may be simulated to ask."""
MANY_MARKS, FEW_LEAPT = 300, 50.0
"""Marks that were simulated, and how many times as many must be foreseen, where leaps get on."""


class Settling(Walking):
    """A pattern that may settle into a cycle."""

    _length = 1.0
    """Of the next leap."""

    _bounds = np.inf, np.inf
    """To which repetition and to which time the pattern is followed."""

    _walks = False
    """Whether nothing is leapt over."""

    _asked_at = float(LEAST)
    """The number from which on it may be asked."""

    _asked = 0

    def _may_settle(self, leap: float, is_bad: bool) -> bool:
        """Whether a leap that landed badly, or one of many that are short, was foretold to change next to nothing."""
        last, envelope = self.last, self.envelope
        if self.settles is not None or self._walks or envelope.windows or np.isfinite(envelope.axis.spent):
            return False
        is_asked_enough = last.number < self._asked_at or self._asked >= MOST_ASKED
        if is_asked_enough or self._most < LEAST or not (is_bad or self._is_slow):
            return False
        changes = self._in_cycle(self._shares(last.slope))
        return bool(np.max(np.abs(changes), initial=0.0) * max(leap, LEAST) <= HOPEFUL * LEFT)

    @property
    def _most(self) -> float:
        """How many repetitions may be simulated to ask."""
        number, time = self._bounds
        ahead = min(number - self.last.number, (time - self.last.time) / self.last.duration)
        return float(min(MOST_MARKS // self.pattern.marks, AHEAD * ahead))

    @property
    def _is_slow(self) -> bool:
        """Whether leaps have not led far for what was simulated."""
        return self.simulated_marks > max(MANY_MARKS, self.last.number * self.pattern.marks / FEW_LEAPT)

    def _in_cycle(self, shares: Matrix) -> Matrix:
        """Shares of ranges of those variables that would come back to themselves."""
        last = self.last
        goes_on = advances(last.slope, last.spread, self.floor, self.course.positions)
        found: Matrix = np.where(goes_on | self.guests, 0.0, shares)
        return found

    def _settle(self, leap: float) -> Repeated | None:
        """Simulate some repetitions, and beside them: whether they have settled; how they end, if they do."""
        begun = self.last
        count = int(self._most if self._is_slow else np.clip(leap, LEAST, self._most))
        self._asked_at, self._asked = AGAIN * begun.number, self._asked + 1
        beside = begun.place.copy()
        positions = np.arange(len(begun.spread)) < self.course.positions
        beside[1:] += self._in_cycle(np.where(positions, ASIDE, 0.0)) * begun.spread
        ended = self._walk(count)
        last = self.last
        if ended is not None or last.number < begun.number + count:
            return ended
        ran = self.repeat(beside, count, begun.slope, begun.spread)
        if len(ran.places) <= count:
            return None
        own = [node.place for node in self.envelope.nodes[-count - 1 :]]
        factor = self._nearer([a - b for a, b in zip(ran.places, own, strict=True)])
        if factor is None:
            return None
        changes = np.abs(self._in_cycle(self._shares(last.slope)))
        if np.max(changes) * factor / (1 - factor) > LEFT:
            return None
        self.settles = factor
        self.envelope.teeth = teeth_passed(self.course, self.pattern.couples, last.slope[1:])
        self.envelope.settled = np.asarray(self._in_cycle(np.ones(len(begun.spread))), bool)
        self._length = max(self._length, float(count))
        return None

    def _nearer(self, apart: Sequence[Matrix]) -> float | None:
        """By what factor two motions come nearer in each repetition; None where they do not.

        At first they may do so faster, until the slowest of all ways in which they differ is left.
        """
        ways = np.array([float(np.max(np.abs(self._in_cycle(self._shares(each))))) for each in apart])
        if not ways[0] or ways[-1] > NEARER * ways[0]:
            return None
        far = ways > MUCH_NEARER * ways[0]
        last = max(int(np.argmin(far)) - 1 if not far.all() else len(ways) - 1, 1)
        first = last // 2
        return float((ways[last] / ways[first]) ** (1 / (last - first)))

    def _unsettle(self) -> None:
        """It had not: what was taken for a cycle moves on."""
        self.settles = None
        self.envelope.teeth = np.zeros(0)
        self.envelope.settled = np.zeros(len(self.last.spread), bool)
