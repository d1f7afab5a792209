"""Repetitions that are no longer alike, late in a long life: followed by averages of a few of them at places far apart.

A clock whose mainspring is nearly empty may tick in unequal pairs, or jump from one period to another and back. What
leads (the mainspring) still changes slowly, and with it the mean duration of a repetition. So a few repetitions are
simulated at places that are a small share of all the time so far from each other; between them the duration is taken to
change evenly. By how much times may be off then is known: by the difference of two durations, all the way between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.foresee.course import SAFETY
from linkwork.foresee.envelope import Envelope, Node
from linkwork.foresee.following import Following
from linkwork.foresee.leading import advances
from linkwork.foresee.marks import Follower, Mark, couples_of, impacts_of
from linkwork.foresee.repeating import Repeating, ranges_of
from linkwork.foresee.slow_axis import spent_after
from linkwork.kinematics.arrays import Matrix

STEP_SHARE: Final = 3e-3
"""Of the time since the beginning: how far apart places are."""
MOST_SHARE: Final = 3e-2
"""The same for all of them: behind that, repetitions may be alike again."""
END_SHARE: Final = 5e-4
"""The same for the last stretch, in which repetitions end: it is simulated."""
LEAST_STEP: Final = 12.0
"""Repetitions from place to place that make averages worth while."""
NEARLY: Final = 0.03
"""Of what it gains in one: with so little left a repetition is over."""
ALIKE: Final = 3e-2
"""Of a duration: two repetitions in a row that differ by less need no average."""
AVERAGED: Final = 4
"""Repetitions of which the mean is taken otherwise, behind a first one in which what is led comes back."""
LATE: Final = 3.0
"""Durations after which the next repetition is not waited for any more."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A few repetitions in a row: how many until the last mark, that mark and those of the last one, their
    mean duration and how far single ones differ.
    """

    count: float
    mark: Mark
    inside: Sequence[Mark]
    duration: float
    differ: float


@dataclass
class Sampled(Envelope):
    """Between places the duration changes evenly; states are those of the place before, but for what goes on."""

    def place(self, number: float) -> Matrix:
        """Time and state at the end of a repetition."""
        behind = int(np.searchsorted([node.number for node in self.nodes], number, side="right"))
        a = self.nodes[max(behind - 1, 0)]
        x = number - a.number
        place: Matrix = a.place + np.floor(x) * np.array([0.0, *a.slope[1:]])
        place[0] = a.time + x * a.duration
        if 0 < behind < len(self.nodes):
            b = self.nodes[behind]
            way = b.number - a.number
            bent = (b.duration - a.duration) / 2
            place[0] += bent * x * x / way + x / way * (b.time - a.time - (a.duration + bent) * way)
        return place

    def foretold(self, number: float) -> Matrix:
        """The same behind the last place."""
        return self.place(number)


class Averaging(Repeating):
    """Follows a pattern, from where its repetitions are no longer alike, by averages."""

    def __init__(self, following: Following) -> None:
        super().__init__(following.course, following.pattern, following.floor)
        self.allowed = following.allowed
        last = following.last
        goes_on = advancing(following)
        first = Node(
            0.0,
            last.place,
            np.array([last.duration, *np.where(goes_on, last.slope[1:], 0.0)]),
            last.low,
            last.high,
            time_off=last.time_off,
            strayed=last.strayed,
            impacts=last.impacts,
        )
        self._goes_on = goes_on
        self.envelope = Sampled([first], led=np.logical_not(goes_on))
        self.differ = 0.0
        """How far single repetitions differ from the mean of their neighbours, at most (standard deviation)."""
        self.end, self.end_off = np.inf, 0.0
        """When repetitions end, and by how much that may be off."""
        self._behind: Follower | None = None
        """With which the simulation goes on from the last place that was tried and has no more of them."""

    @property
    def last(self) -> Node:
        """The last place."""
        return self.envelope.nodes[-1]

    def run(self, until: float, report: Callable[[float], None] = lambda time: None) -> Follower | None:
        """From place to place until a time, or until repetitions end: then with what the simulation goes on there."""
        passed, edge = self.last.time - self.course.time, np.inf
        most = MOST_SHARE * passed / self.last.duration
        while self.last.number < most:
            report(self.last.time)
            left = min(edge - self.last.number, (until - self.last.time) / self.last.duration)
            if left * self.last.duration <= END_SHARE * passed or left < 2:
                break
            step = min(STEP_SHARE * passed / self.last.duration, left / 2, self._relaxed() / 2)
            landing = self.last.number + max(float(int(step)), 1.0)
            sample = self._sample(landing)
            if isinstance(sample, Follower):
                edge, self._behind = landing, sample
            else:
                self._accept(landing, sample)
        if edge < np.inf:
            self.end = self.last.time + (edge - self.last.number) * self.last.duration
            # they may have ended since the place before: a machine that is set going may go on where it would not
            gaps = np.diff([*(node.number for node in self.envelope.nodes[-2:]), edge])
            self.end_off = float(np.max(gaps)) * self.last.duration
            return self._behind
        self.end = self.last.time
        is_over = self.last.time + 2 * self.last.duration > until
        return None if is_over else self.follower(self.last.place, self.last.duration)

    def _relaxed(self) -> float:
        """Repetitions until a spring is relaxed that turns what goes on."""
        return spent_after(self.course, self.last.place, self.last.slope, self._goes_on)

    def _sample(self, landing: float) -> Sample | Follower:
        """Repetitions behind a landing; where there are no more of the pattern, what was simulated."""
        place, duration = self.envelope.place(landing), self.last.duration
        follower, marks = self.follower(place, duration), []
        ends = [float(place[0])]
        while True:
            mark = follower.next(ends[-1] + LATE * duration)
            if mark is None or couples_of([mark]) - self.pattern.couples - self.allowed:
                return follower
            marks.append(mark)
            ends = self._ends(follower, place, mark.time)
            each = np.diff(ends[-AVERAGED - 1 :])
            is_even = len(each) > 1 and abs(each[-1] - each[-2]) <= ALIKE * each[-1]
            if is_even or len(ends) > AVERAGED + 1:
                last = [own for own in marks if own.time > ends[-2]]
                mean, differ = (each[-1], 0.0) if is_even else (np.mean(each), np.std(each))
                count = self._progress(mark.state, place)
                return Sample(float(count), mark, last, float(mean), float(differ))

    def _progress(self, states: Matrix, place: Matrix) -> Matrix:
        """How many repetitions lead from a place to states, by what goes on farthest."""
        gains = np.where(self._goes_on, np.abs(self.last.slope[1:]), 0.0)
        chosen = int(np.argmax(gains))
        found: Matrix = (states[..., chosen] - place[1 + chosen]) / self.last.slope[1 + chosen]
        return found

    def _ends(self, follower: Follower, place: Matrix, until: float) -> list[float]:
        """When one repetition was over since a place, when two, and so on, before a time."""
        times, positions = (np.concatenate(each) for each in zip(*follower.seen, strict=True))
        farthest = np.maximum.accumulate(self._progress(positions, place))[times <= until]
        whole = np.arange(1, int(farthest[-1] + NEARLY) + 1)
        return [float(place[0]), *times[np.searchsorted(farthest, whole - NEARLY)].tolist()]

    def _accept(self, landing: float, sample: Sample) -> None:
        """One more place, at the time that the durations at both ends tell."""
        last, mark = self.last, sample.mark
        way, begun = landing - last.number, float(self.envelope.place(landing)[0])
        late = last.time + self._lasted(landing, sample.duration) - begun
        node = Node(
            landing + sample.count,
            np.array([mark.time + late, *mark.state]),
            np.array([sample.duration, *last.slope[1:]]),
            *ranges_of(sample.inside),
            time_off=last.time_off
            + (abs(sample.duration - last.duration) / 2 * way + sample.differ) / SAFETY,
            strayed=last.strayed,
            impacts=impacts_of(sample.inside),
        )
        self.differ = max(self.differ, sample.differ)
        self.envelope.nodes.append(node)

    def _lasted(self, landing: float, duration: float) -> float:
        """How long the repetitions from the last place to a landing last, if those behind it have a duration."""
        from scipy.interpolate import PchipInterpolator

        nodes = self.envelope.nodes
        numbers, durations = [node.number for node in nodes], [node.duration for node in nodes]
        curve = PchipInterpolator([*numbers, landing], [*durations, duration])
        return float(curve.integrate(self.last.number, landing))


def advancing(following: Following) -> NDArray[np.bool_]:
    """Which variables gain about as much in a repetition as they move in it."""
    last = following.last
    return advances(last.slope, last.spread, following.floor, following.course.positions)


def can_be_averaged(following: Following) -> bool:
    """Whether something goes on by which repetitions are counted, long enough, and nothing depends on the time."""
    course, last = following.course, following.last
    if following.envelope.windows or not np.any(advancing(following)) or course.begun.machine.drives:
        return False
    passed = last.time - course.time
    return STEP_SHARE * passed >= LEAST_STEP * last.duration and course.is_timeless
