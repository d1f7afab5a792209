"""Marks along a motion: the minima of its kinetic energy, found while it is simulated.

A minimum tells where one stretch of behaviour ends and the next begins (Gelsey 1995, section 3.1): an oscillator turns
back there, or what was losing speed is pushed. Each mark remembers what happened since the one before.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final

import numpy as np

from linkwork.foresee.course import BEGIN, END, IMPACT, Course, Stretch, Strobe, even_times
from linkwork.foresee.resting import (
    LATE_MARKS,
    PACES,
    REST_ROWS,
    Blow,
    Rest,
    last_rows,
    near_rest,
    pace,
    resting,
    rows_between,
    settled_since,
    unseen_span,
)
from linkwork.kinematics.arrays import Matrix

ROWS: Final = 256
"""Of a stretch that is simulated at once."""
MOST_ROWS: Final = 16 * ROWS
"""Without a minimum, after which none is waited for."""
EVEN: Final = 1e-7
"""Of the largest kinetic energy: one that changes by less is constant."""
EVEN_ROWS: Final = 4 * ROWS
"""The same where the kinetic energy is constant."""
FALLEN: Final = 0.9
"""Of the kinetic energy so many rows before: with less it falls, and what moves may come to rest later."""
WIDER, MOST_WIDENED = 4.0, 8
"""How much farther apart rows are then, and how often."""
FINE_ROWS: Final = 64
"""Between the two rows around a minimum, to find it where it is not smooth."""
JUST: Final = 1e-6
"""Of the distance of those: how long after a blow a minimum is that begins with it."""
NEAR_MINIMUM: Final = 0.02
"""Of the distance of rows: how far beside a smooth minimum two more are."""
SAME_BEND: Final = 0.2
"""Of the bend of the kinetic energy at a smooth minimum: by how much rows far and near may differ in it."""
SLOW: Final = 1e-5
"""Of the largest kinetic energy: what has less for a while may be at rest."""
RANGE_FRACTION: Final = 1e-5
"""Of the range of the kinetic energy: a minimum that is not below it is none at which a stretch of behaviour ends."""
NOISE: Final = 1e-10
"""Of the largest kinetic energy: differences that do not count."""

PLATEAU: Final = 1e-7
"""Of the largest kinetic energy: a minimum begins where there is no more above the least."""

NO_LOSS: Final = 1e-6
"""Of the most energy that an impact takes: those that take less are a contact that is told anew."""
SEEN_SHARE: Final = 1e-3
"""Of the energy that all impacts of a repetition take: those of a couple that take less do not matter."""
SAME_SHARE: Final = 1.3
"""The factor by which the share of a couple changes at most while the course of repetitions stays the same."""

Touch = tuple[int, int, int, int, int]
"""Two features that met: the couple, which of it has the round, the kind of the face, the round, the face."""


@dataclass(frozen=True, eq=False)
class Mark:
    """A minimum of the kinetic energy, and what happened since the mark before."""

    time: float
    state: Matrix
    kinetic: float
    energy: float
    largest: float
    """The largest kinetic energy since the mark before."""
    low: Matrix
    high: Matrix
    """The range of each entry of the state since the mark before."""
    met: tuple[tuple[float, Touch], ...]
    """What met or left each other since the mark before, and when."""
    held: frozenset[int] = frozenset()
    """Which couples of outlines touched in a row since the mark before."""
    struck: tuple[tuple[float, int, int, float], ...] = ()
    """Of each impact since the mark before: when, the couple, which of it has the round, and the energy lost."""

    @cached_property
    def couples(self) -> frozenset[int]:
        """Which couples of outlines touched since the mark before."""
        return self.held | {touch[0] for _, touch in self.met}

    def after(self, before: Mark) -> Mark:
        """This mark, with what happened since the one before that was left out."""
        return Mark(
            self.time,
            self.state,
            self.kinetic,
            self.energy,
            max(self.largest, before.largest, before.kinetic),
            np.minimum(self.low, before.low),
            np.maximum(self.high, before.high),
            before.met + self.met,
            before.held | self.held,
            before.struck + self.struck,
        )


@dataclass(frozen=True)
class Halt:
    """The end of a motion: at rest, stopped for a reason of the simulation's, or the time that was given is over."""

    time: float
    state: Matrix
    kind: str
    why: str


def couples_of(marks: Iterable[Mark]) -> frozenset[int]:
    """Which couples of outlines met in marks."""
    return frozenset().union(*(mark.couples for mark in marks))


class Follower:
    """Simulates on and on from a state, and tells each minimum of the kinetic energy as it comes."""

    def __init__(
        self,
        course: Course,
        lead: Callable[[Matrix], Stretch],
        begun: Stretch,
        spacing: float,
        rows: int,
        rows_a_mark: int = 0,
    ) -> None:
        """So many rows are simulated at once; while no mark is to be expected yet, all until then."""
        self.course = course
        self._lead = lead
        self.spacing = spacing
        self.rows = rows
        self._between = rows_a_mark * spacing
        self._awaited = float(begun.times[0]) + self._between
        self.halt: Halt | None = None
        self.largest = 0.0
        self.least = np.inf
        self.told: list[Mark] = []
        """All minima that were told so far."""
        self.seen = [(begun.times, course.places(begun))]
        """Times and places of all rows."""
        self.begun = float(begun.times[0]), begun.states[0]
        """Time and state of the first."""
        self.rest: Rest | None = None
        """That all is at rest, once it is."""
        self._blows = self._blows_in(begun)
        """What parts met or left each other so far, and when."""
        self._stretch = begun
        self._coming: deque[Mark] = deque()
        self._since = 0
        self._left_out: Mark | None = None
        self._widened = 0
        self._search()

    def next(self, until: float, only_low: bool = False) -> Mark | None:
        """The next minimum, or the next of the lowest, if there is one before a time; else ``halt`` tells how it is."""
        while True:
            while not self._coming:
                self.halt = self._halted(until) or self._without_minima()
                if self.halt is not None:
                    return None
                self._go_on()
                self._search()
            mark = self._coming[0]
            if mark.time > until:
                self.halt = Halt(mark.time, mark.state, "time", "")
                return None
            self.told.append(self._coming.popleft())
            own = mark if self._left_out is None or not only_low else mark.after(self._left_out)
            self._left_out = own if only_low and not self.is_low(mark) else None
            if self._left_out is None:
                self._awaited = own.time + self._between
                return own

    @property
    def stretch(self) -> Stretch:
        """The rows since the last minimum."""
        return self._stretch

    @property
    def last_touching(self) -> Matrix:
        """Whether each couple of outlines touches in the last row."""
        row: Matrix = self._stretch.touching[-1]
        return row

    def is_low(self, mark: Mark) -> bool:
        """Whether a minimum is among the lowest of what was seen, by a share of the range."""
        return mark.kinetic - self.least <= RANGE_FRACTION * (self.largest - self.least)

    def _search(self) -> None:
        """Find the minima in the rows that were simulated."""
        stretch = self._stretch
        kinetic = self.course.kinetic(stretch)
        self.largest = max(self.largest, float(np.max(kinetic, initial=0.0)))
        self.least = min(self.least, float(np.min(kinetic, initial=np.inf)))
        for place in dips(kinetic, NOISE * self.largest, self._since, bool(self.told or self._coming)):
            mark = self._mark(stretch, kinetic, self._since, place)
            self.least = min(self.least, mark.kinetic)
            self._coming.append(mark)
            self._since = place

    def _go_on(self) -> None:
        """Simulate further, with the rows since the last mark kept."""
        stretch = self._stretch
        rows = max(self.rows, int((self._awaited - float(stretch.times[-1])) / self.spacing))
        fresh = self._lead(even_times(float(stretch.times[-1]), self.spacing, rows)[1:])
        self._stretch = stretch.followed_by(fresh, self._since)
        self._since = 0
        self.seen.append((fresh.times, self.course.places(fresh)))
        self._blows += self._blows_in(fresh)

    def _blows_in(self, stretch: Stretch) -> list[Blow]:
        touching = self.course.touching
        if touching is None:
            return []
        return [
            Blow(time, touching.couples[int(couple)].parts)
            for time, couple in stretch.events[:, [0, 2]].tolist()
        ]

    def _halted(self, until: float) -> Halt | None:
        """How the motion ended, if it did."""
        stretch = self._stretch
        kinetic = self.course.kinetic(stretch)
        time, state = float(stretch.times[-1]), stretch.states[-1]
        if not stretch.is_whole:
            return Halt(time, state, "stopped", stretch.why)
        recent = kinetic[-REST_ROWS:]
        if len(recent) == REST_ROWS and float(np.max(recent)) <= SLOW * self.largest:
            self.rest = self._rest()
            if self.rest is not None:
                why = "everything is at rest" if self.largest else "nothing moves"
                return Halt(self.rest.since, state, "rest", why)
        return Halt(time, state, "time", "") if time > until and not self._is_low_since(until) else None

    def _is_low_since(self, until: float) -> bool:
        """Whether the kinetic energy became least before a time and has not risen yet: it is still to be told."""
        kinetic = self.course.kinetic(self._stretch)[self._since :]
        behind = kinetic[int(np.argmax(kinetic)) :]
        noise = PLATEAU * self.largest
        low = int(np.flatnonzero(behind <= float(np.min(behind)) + noise)[0])
        is_fallen = float(behind[0] - behind[low]) > noise and low < len(behind) - 1
        return is_fallen and float(self._stretch.times[len(self._stretch.times) - len(behind) + low]) <= until

    def _without_minima(self) -> Halt | None:
        """That the kinetic energy has had no minimum for long; while it falls, rows farther apart look for rest."""
        stretch = self._stretch
        if len(stretch.times) < EVEN_ROWS:
            return None
        kinetic = self.course.kinetic(stretch)
        if len(stretch.times) < MOST_ROWS and not is_even(kinetic):
            return None
        if float(kinetic[-1]) < FALLEN * float(kinetic[0]) and self._widened < MOST_WIDENED:
            self._widened += 1
            self.spacing *= WIDER
            self._since = len(stretch.times) - 1
            return None
        why = "the kinetic energy has no minima by which a pattern could be told"
        return Halt(float(stretch.times[-1]), stretch.states[-1], "steady", why)

    def _rest(self) -> Rest | None:
        """That all is at rest, if it is, also between rows."""
        near = near_rest(self.course)
        late = [mark.time for mark in self.told[-LATE_MARKS:]]
        times, positions = self.rows_seen
        slowest = pace(times, positions, self.course.tracked_floor)
        lasts = max(PACES * slowest, *np.diff(late).tolist(), 0.0)
        found = resting(times, positions, near, lasts)
        if found is None:
            return None
        self._tell_finely(found, near)
        times, positions = self.rows_seen
        since = settled_since(times, positions, found.places, near)
        return None if since is None or times[-1] - since < lasts else replace(found, since=since)

    @property
    def rows_seen(self) -> tuple[Matrix, Matrix]:
        """Times and positions of all rows."""
        times, positions = (np.concatenate(each) for each in zip(*self.seen, strict=True))
        return times, positions

    def _tell_finely(self, rest: Rest, near: Matrix) -> None:
        """Tell what was simulated again with rows between blows, where these may have moved a part unseen."""
        times, positions = self.rows_seen
        moves = [float(times[max(row, 0)]) for row in last_rows(positions, rest.places, near)]
        span = unseen_span(self.course, moves, self._blows)
        if span is None:
            return
        begun = next((mark for mark in reversed(self.told) if mark.time <= span[0]), None)
        if begun is None:
            begin, state = self.begun
        else:
            begin, state = begun.time, begun.state
        end = float(times[np.searchsorted(times, span[1]) :][0])
        simulated = self.course.simulated
        fine = self.course.run(begin, state, np.array([begin, *rows_between(self._blows, begin, end)]))
        self.course.simulated = simulated
        every = np.concatenate([times, fine.times[1:]])
        rows = np.concatenate([positions, self.course.places(fine)[1:]])
        order = np.argsort(every, kind="stable")
        self.seen = [(every[order], rows[order])]

    def _mark(self, stretch: Stretch, kinetic: Matrix, since: int, place: int) -> Mark:
        time, state, least, energy = self._finely(stretch, place)
        window = slice(since, place + 1)
        begun = float(stretch.times[since])
        unseen = self.course.at_turns(stretch, since, place), self.course.at_blows(stretch, since, place)
        states = [stretch.states[window], state[None], *unseen]
        return Mark(
            time,
            state,
            least,
            energy,
            float(np.max(kinetic[window])),
            np.min(np.concatenate(states), axis=0),
            np.max(np.concatenate(states), axis=0),
            meetings(stretch, begun, time),
            frozenset(np.flatnonzero(np.any(stretch.touching[window], axis=0)).tolist()),
            impacts(stretch, begun, time),
        )

    def _finely(self, stretch: Stretch, place: int) -> tuple[float, Matrix, float, float]:
        """Time, state, kinetic energy and energy of the minimum near a row."""
        if self.course.strobe is not None:
            return self._at_strobe(stretch, place, self.course.strobe)
        smooth = self._smoothly(stretch, place)
        if smooth is not None:
            return smooth
        before = place - 1
        left, right = float(stretch.times[before]), float(stretch.times[place + 1])
        begun = self.course.simulated
        fine = self.course.run(left, stretch.states[before], np.linspace(left, right, FINE_ROWS + 1))
        kinetic = self.course.kinetic(fine)
        noise = PLATEAU * self.largest
        least = int(np.flatnonzero(kinetic <= float(np.min(kinetic)) + noise)[0])  # where it becomes least
        if 0 < least < len(kinetic) - 1:
            smooth = self._smoothly(fine, least)
            if smooth is not None:
                self.course.simulated = begun
                return smooth
            at, step = fine.times[least - 1], float(fine.times[1] - fine.times[0])
            shift, bend = _lowest(kinetic[least - 1 : least + 2])
            time = float(fine.times[least]) + (shift * step if bend > 0 else 0.0)
            struck = fine.events[(fine.events[:, 0] > at) & (fine.events[:, 0] <= fine.times[least]), 0]
            if len(struck):  # it became least by a blow
                time = min(float(np.max(struck)) + JUST * step, float(fine.times[least]))
            if time != fine.times[least]:
                last = self.course.run(at, fine.states[least - 1], np.array([at, time]))
                there = float(self.course.kinetic(last)[-1])
                if last.is_whole and (not len(struck) or there <= kinetic[least] + noise):
                    self.course.simulated = begun
                    return time, last.states[-1], there, float(self.course.energy(last)[-1])
        self.course.simulated = begun
        return (
            float(fine.times[least]),
            fine.states[least],
            float(kinetic[least]),
            float(self.course.energy(fine)[least]),
        )

    def _at_strobe(self, stretch: Stretch, place: int, strobe: Strobe) -> tuple[float, Matrix, float, float]:
        """The same at the time at which it is known to be."""
        left, time = float(stretch.times[place - 1]), strobe.nearest(float(stretch.times[place]))
        begun = self.course.simulated
        fine = self.course.run(left, stretch.states[place - 1], np.array([left, time]))
        self.course.simulated = begun
        last = -1 if fine.is_whole else 0
        return time, fine.states[last], 0.0, float(self.course.energy(fine)[last])

    def _smoothly(self, stretch: Stretch, place: int) -> tuple[float, Matrix, float, float] | None:
        """The same by parabolas, through the rows around it and then through three near it; None where it is none."""
        left, middle, right = stretch.times[place - 1 : place + 2].tolist()
        if np.any((stretch.events[:, 0] >= left) & (stretch.events[:, 0] <= right)):
            return None
        shift, bend = _lowest(self.course.kinetic(stretch)[place - 1 : place + 2])
        near = NEAR_MINIMUM * (middle - left)
        guess = middle + shift * (middle - left)
        if abs(shift) > 1 or not left < guess - near:
            return None
        begun = self.course.simulated
        times = np.array([left, guess - near, guess, guess + near])
        fine = self.course.run(left, stretch.states[place - 1], times)
        self.course.simulated = begun
        if not fine.is_whole:
            return None
        kinetic, energy = self.course.kinetic(fine)[1:], self.course.energy(fine)[1:]
        own_shift, own_bend = _lowest(kinetic)
        if abs(own_shift) > 1 or abs(own_bend / NEAR_MINIMUM**2 / bend - 1) > SAME_BEND:
            return None
        weights = np.array(
            [own_shift * (own_shift - 1) / 2, 1 - own_shift**2, own_shift * (own_shift + 1) / 2]
        )
        values = (weights @ fine.states[1:], float(weights @ kinetic), float(weights @ energy))
        return guess + own_shift * near, *values


def _lowest(values: Matrix) -> tuple[float, float]:
    """Where the parabola through three values at equal distances is least, from the middle one on, and its bend."""
    a, b, c = values.tolist()
    bend = a - 2 * b + c
    return (0.5 * (a - c) / bend, bend) if bend > 0 else (np.inf, bend)


def is_even(kinetic: Matrix) -> bool:
    """Whether a kinetic energy that there is does not change."""
    most = float(np.max(kinetic, initial=0.0))
    return most > 0 and float(np.ptp(kinetic)) <= EVEN * most


def dips(kinetic: Matrix, noise: float, since: int, is_since_told: bool = False) -> list[int]:
    """The rows behind one in which a minimum is reached, between falls and rises that are more than noise.

    Where that one is a minimum that was told already, the next row may still be a little lower: it is the same one.
    """
    found, lowest, highest = [], since, float(kinetic[since])
    level = PLATEAU / NOISE * noise
    is_falling, is_risen = False, not is_since_told
    for place, value in enumerate(kinetic[since:].tolist(), since):
        if not is_risen:
            is_risen, highest = value > float(kinetic[since]) + level, max(highest, value)
        elif is_falling:
            if value < float(kinetic[lowest]) - level:
                lowest = place
            elif value > float(kinetic[lowest]) + level:
                if 0 < lowest < len(kinetic) - 1:
                    found.append(lowest)
                is_falling, highest = False, value
        else:
            highest = max(highest, value)
            if value < highest - noise:
                is_falling, lowest = True, place
    return found


@dataclass(frozen=True)
class Impacts:
    """What strikes what in a repetition: by couple, and by which of it has the round, how often and how hard."""

    counts: Mapping[tuple[int, int], int]
    shares: Mapping[tuple[int, int], float]
    """Of the energy that all impacts take."""

    def are_like(self, other: Impacts) -> bool:
        """Whether the inner course of two repetitions may be the same, but for what changes slowly."""
        return self.counts == other.counts and all(
            share <= SEEN_SHARE or 1 / SAME_SHARE <= share / max(other.shares[key], SEEN_SHARE) <= SAME_SHARE
            for key, share in self.shares.items()
        )


def impacts_of(marks: Iterable[Mark]) -> Impacts:
    """The impacts in marks; in no order, for those at one time have none, and share what they take equally."""
    struck = [each for mark in marks for each in mark.struck]
    least = NO_LOSS * max((lost for *_, lost in struck), default=0.0)
    strong = [(time, (couple, side), lost) for time, couple, side, lost in struck if lost > least]
    total = sum(lost for *_, lost in strong)
    shares: dict[tuple[int, int], float] = {}
    for _, same in groupby(strong, lambda each: each[0]):
        together = list(same)
        each_lost = sum(lost for *_, lost in together) / len(together)
        for _, key, _ in together:
            shares[key] = shares.get(key, 0.0) + each_lost / total
    return Impacts(Counter(key for _, key, _ in strong), shares)


def impacts(stretch: Stretch, begin: float, end: float) -> tuple[tuple[float, int, int, float], ...]:
    """When couples struck each other between two times of a stretch, which had the round, and what was lost."""
    events = stretch.events
    is_inside = (events[:, 0] > begin) & (events[:, 0] <= end) & (events[:, 1] == IMPACT)
    chosen = events[is_inside][:, [0, 2, 3, -1]].tolist()
    return tuple((time, int(couple), int(side), lost) for time, couple, side, lost in chosen)


def meetings(stretch: Stretch, begin: float, end: float) -> tuple[tuple[float, Touch], ...]:
    """The features that met or left each other between two times of a stretch, and when."""
    events = stretch.events
    if not len(events):
        return ()
    is_inside = (events[:, 0] > begin) & (events[:, 0] <= end)
    chosen = events[is_inside & np.isin(events[:, 1], (BEGIN, IMPACT, END))]
    return tuple(
        (time, (int(c), int(s), int(k), int(r), int(f))) for time, _, c, s, k, r, f in chosen[:, :7].tolist()
    )
