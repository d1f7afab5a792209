"""A machine that can be set going from any state: what foresight asks of a simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.algebra import evaluate
from linkwork.contact.islands import ContactIslands
from linkwork.contact.laws import Laws, machine_laws
from linkwork.contact.native import ContactMotion, NativeShapes
from linkwork.contact.simulator import ContactSimulator, why_stopped
from linkwork.contact.space import SpaceTouching
from linkwork.contact.space_native import NativeSpaceShapes
from linkwork.contact.touching import Touching
from linkwork.foresee.forcing import clock_period
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.drive import CLOCK
from linkwork.model.joint.revolute import Revolute
from linkwork.model.part import TURN
from linkwork.simulation import Simulator, Solution
from linkwork.simulation.native import Ran
from linkwork.simulation.outcome import STEP_WORDS, Outcome
from linkwork.simulation.ranges import first_end
from linkwork.simulation.simulator import DEFAULT_TOLERANCE, Begun

SMALL: Final = 1e-6
"""A range of angles, or of lengths by the size, below which a variable rests."""
STILL: Final = 1e-18
"""Of the energies of a machine: a kinetic energy that is rounding, as of parts that are pressed on one another."""
BEATS: Final = (0.0, 0.37, 1.1)
"""Times by which it is told whether a drive turns evenly."""
LATE_TURNS: Final = 100
"""Of a drive that turns evenly: behind so many the simulation is set going whole turns earlier, for the angle of the
drive loses digits with each of them."""
AGAIN: Final = (1, 3, 17)
"""Turns later at which it is tested whether a machine does the same then."""
AS_BEFORE: Final = 1e-6
"""Of the range of a variable: what it may differ by there."""
SAFETY: Final = 3.0
"""How many times farther off a forecast is told to be, at most, than its restarts found."""
SIMULATED: Final = 10.0
"""How many times its tolerance a simulation is off by, by the time that has passed."""
MISSED: Final = 1e-3
"""Of a swing: what is struck beyond all rows by less is not told."""
TURN_ROWS: Final = 17
"""Between two rows between which something turns back beyond them by more."""
BEGIN, IMPACT, END = 1, 0, 2
"""The numbers of events that tell that two features met, or left each other."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A motion between two times: rows of states and quantities, and what touched what when."""

    times: Matrix
    states: Matrix
    outputs: Matrix
    events: Matrix
    """Of contacts, as the engine tells them; none where contacts are not computed."""
    touching: Matrix
    """Whether each couple of outlines touches, in each row."""
    why: str
    """Why the motion could not go on; empty where it did."""

    @property
    def is_whole(self) -> bool:
        """Whether the end that was asked for was reached."""
        return not self.why

    def followed_by(self, fresh: Stretch, since: int) -> Stretch:
        """The rows from one on and those of a stretch that goes on where this one ends."""
        return Stretch(
            np.concatenate([self.times[since:], fresh.times]),
            np.concatenate([self.states[since:], fresh.states]),
            np.concatenate([self.outputs[since:], fresh.outputs]),
            np.concatenate([self.events[self.events[:, 0] >= self.times[since]], fresh.events]),
            np.concatenate([self.touching[since:], fresh.touching]),
            fresh.why,
        )


@dataclass(frozen=True)
class Strobe:
    """Times at equal distances."""

    first: float
    interval: float

    def nearest(self, time: float) -> float:
        """That of them which is nearest to a time."""
        return self.first + self.interval * round((time - self.first) / self.interval)

    def phase(self, times: Matrix) -> Matrix:
        """What is positive and least at each of them."""
        found: Matrix = 1.0 - np.cos(2 * np.pi / self.interval * (times - self.first))
        return found


@dataclass(frozen=True, eq=False)
class Fold:
    """A time after which a machine does the same again, and what its quantities gain in it: whole turns of drives."""

    duration: float
    gains: Matrix

    def later(self, stretch: Stretch, times: Matrix, turns: int) -> Stretch:
        """What would happen so many turns after a stretch."""
        events = stretch.events.copy()
        events[:, 0] += turns * self.duration
        outputs = stretch.outputs + turns * self.gains
        return replace(stretch, times=times[: len(stretch.times)], outputs=outputs, events=events)


def even_times(begin: float, spacing: float, count: int) -> Matrix:
    """A time and so many behind it, at equal distances."""
    return np.array(begin + spacing * np.arange(count + 1), float)


class Course:
    """A machine, or an island of one, that runs from any time and state; it counts how long it ran."""

    def __init__(
        self,
        simulator: Simulator,
        begun: Begun,
        set_going: Callable[[float, Matrix, float], Callable[[Matrix], Stretch]],
        solve: Callable[[float, Matrix, Matrix], Solution],
        whole: Machine,
        touching: Touching | SpaceTouching | None = None,
        shapes: NativeShapes | NativeSpaceShapes | None = None,
        rtol: float = DEFAULT_TOLERANCE,
    ) -> None:
        self.rtol = rtol
        self.simulator = simulator
        self.observed = list(simulator.synthesis.observed)
        self.begun = begun
        self._set_going = set_going
        self.whole = whole
        """The machine that this is an island of."""
        self.solution = solve
        """The motion from a state at a time, at given times, with all that is told of it; it is not counted."""
        self.touching = touching
        self._shapes = shapes
        self.simulated = 0.0
        self._low, self._high = np.full((2, len(self.tracked)), [[np.inf], [-np.inf]])
        """Between which ends each place was in all that was simulated."""
        self.strobe: Strobe | None = None
        """Where a drive turns parts that touch evenly: the times that are marks instead of minima."""
        self.watched: tuple[int, float] | None = None
        """Where the kinetic energy stays the same: the velocity that tells marks instead where it is least, and what
        makes it positive."""

    @property
    def time(self) -> float:
        """The first time."""
        return self.begun.time

    @property
    def start(self) -> Matrix:
        """The first state."""
        return np.array(self.begun.started.state, float)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """What a state consists of, positions before velocities."""
        return tuple(leaf.name for leaf in self.simulator.synthesis.y)

    @cached_property
    def positions(self) -> int:
        """How many entries of a state are positions."""
        return len(self.variables) - len(self.simulator.synthesis.q2)

    @cached_property
    def floor(self) -> Matrix:
        """For each variable, a range that is none."""
        size = self.touching.size if self.touching is not None else 1.0
        lengths = np.array([not name.endswith("angle") for name in self.variables])
        return np.where(lengths, SMALL * max(size, 1e-12), SMALL)

    @cached_property
    def tracked(self) -> tuple[str, ...]:
        """What tells where all parts are: positions, and the angles of parts that others carry along, as gears do."""
        owners = {name.partition(".")[0] for name in self.variables}
        carried = [f"{part}.angle" for part in self.begun.machine.moving if part not in owners]
        return (*self.variables[: self.positions], *(name for name in carried if name in self.observed))

    def places(self, stretch: Stretch) -> Matrix:
        """What tells where all parts are, in all rows of a stretch."""
        carried = [self.column(stretch, name) for name in self.tracked[self.positions :]]
        return np.column_stack([stretch.states[:, : self.positions], *carried])

    @cached_property
    def _rates(self) -> tuple[Matrix, Matrix]:
        """Which positions have a velocity of their own in a state, and where it is."""
        places = {name: place for place, name in enumerate(self.variables)}
        both = [
            (place, places.get(f"V_{name}", -1)) for name, place in places.items() if place < self.positions
        ]
        found = np.array([each for each in both if each[1] >= 0], int).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def at_blows(self, stretch: Stretch, first: int, last: int) -> Matrix:
        """States at blows between two rows that throw something back, beyond all of these rows: it turns there."""
        events, times = stretch.events, stretch.times
        struck = events[
            (events[:, 1] == IMPACT) & (events[:, 0] > times[first]) & (events[:, 0] < times[last]), 0
        ]
        rows, chosen = np.unique(np.searchsorted(times, struck) - 1, return_index=True)
        struck = struck[chosen]
        positions, rates = self._rates
        before, behind = stretch.states[rows], stretch.states[rows + 1]
        there = before[:, positions] + (struck - times[rows])[:, None] * before[:, rates]
        seen = stretch.states[first : last + 1, positions]
        low, high = np.min(seen, axis=0), np.max(seen, axis=0)
        is_missed = np.maximum(low - there, there - high) > MISSED * (high - low)
        is_missed &= before[:, rates] * behind[:, rates] < 0
        counted = self.simulated
        found = [
            self.run(float(times[row]), stretch.states[row], np.array([times[row], time])).states[-1:]
            for row, time, is_any in zip(rows, struck, np.any(is_missed, axis=1), strict=True)
            if is_any
        ]
        self.simulated = counted
        return np.concatenate([np.zeros((0, len(self.variables))), *found])

    def at_turns(self, stretch: Stretch, first: int, last: int) -> Matrix:
        """States between two rows at which something turns back beyond all of these rows, as what passes by fast."""
        positions, rates = self._rates
        rows, times = stretch.states[first : last + 1], stretch.times[first : last + 1]
        v, w = rows[:-1, rates], rows[1:, rates]
        is_turning = v * w < 0
        ways = np.where(
            is_turning, 0.5 * np.diff(times)[:, None] * v * v / np.where(is_turning, v - w, 1.0), 0.0
        )
        there = rows[:-1, positions] + ways
        low, high = np.min(rows[:, positions], axis=0), np.max(rows[:, positions], axis=0)
        is_missed = np.any(np.maximum(low - there, there - high) > MISSED * (high - low), axis=1)
        counted = self.simulated
        found = [
            self.run(float(times[row]), rows[row], np.linspace(times[row], times[row + 1], TURN_ROWS)).states
            for row in np.flatnonzero(is_missed)
        ]
        self.simulated = counted
        return np.concatenate([np.zeros((0, len(self.variables))), *found])

    @property
    def ranges(self) -> Matrix:
        """How far each of what is tracked moved so far; of what turns on and on, a turn."""
        turns = [name.endswith(("angle", TURN)) for name in self.tracked]
        found: Matrix = np.minimum(self._high - self._low, np.where(turns, 2 * np.pi, np.inf))
        return np.maximum(found, self.tracked_floor)

    @cached_property
    def tracked_floor(self) -> Matrix:
        """For each of what is tracked, a range that is none."""
        own = self.floor[: self.positions]
        return np.concatenate([own, np.full(len(self.tracked) - len(own), SMALL)])

    @cached_property
    def beat(self) -> float | None:
        """The period of what drives the machine: what repeats itself lasts whole ones of it."""
        if self.turn is not None or self.is_timeless:
            return self.turn
        return clock_period(self.simulator.synthesis.motion_lines, self.begun.machine.values())

    @cached_property
    def turn(self) -> float | None:
        """The time of one turn of a drive that turns evenly."""
        machine = self.begun.machine
        found = set()
        for drive in machine.drives.values():
            at = [float(evaluate([drive.path()], {**machine.values(), CLOCK.name: t})[0]) for t in BEATS]
            rates = np.diff(at) / np.diff(BEATS)
            joint = machine.joints.get(drive.joint)
            turns = drive.of.endswith(".angle") or (isinstance(joint, Revolute) and not drive.coordinate)
            if not turns or not rates[0] or np.ptp(rates) > SMALL * abs(rates[0]):
                return None
            found.add(2 * np.pi / abs(float(rates[0])))
        return found.pop() if len(found) == 1 else None

    @cached_property
    def is_timeless(self) -> bool:
        """Whether the same happens from a state on at any time: no formula of the motion mentions the time."""
        synthesis = self.simulator.synthesis
        lines = [*synthesis.motion_lines, *synthesis.observation_lines]
        return not any(CLOCK in line.mentions for line in lines)

    @cached_property
    def range_end(self) -> tuple[str, float]:
        """The drive that is the first to come to the end of its range, and when: there is nothing to foresee behind."""
        return first_end(self.begun.machine, self.time) or ("", np.inf)

    def axis_of(self, part: str) -> Matrix:
        """Where the axis of a part that turns is, in the part; its origin where it has none."""
        machine = self.begun.machine
        values = machine.values()
        for joint in machine.joints.values():
            for reference in joint.references():
                owner, _, point = reference.partition(".")
                if owner == part and point in machine.parts[part].points:
                    return np.array(evaluate(list(machine.parts[part].points[point]), values), float)
        return np.zeros(2)

    def set_going(self, time: float, state: Matrix, coarser: float = 1.0) -> Callable[[Matrix], Stretch]:
        """The motion from a state at a time, told at given times, and then at later ones.

        It may be simulated with a tolerance that is so many times that of the forecast.
        """
        fold, turns, now = None, 0, time
        if self.beat is not None and time - self.time > LATE_TURNS * self.beat:
            fold = self._fold
        if fold is not None:
            turns = int((time - self.time) / fold.duration)
        earlier = 0.0 if fold is None else turns * fold.duration
        lead = self._set_going(time - earlier, np.asarray(state, float), coarser * self.rtol)

        def counted(times: Matrix) -> Stretch:
            nonlocal now
            found = lead(np.asarray(times, float) - earlier)
            if fold is not None:
                found = fold.later(found, np.asarray(times, float), turns)
            if len(found.times):
                self.simulated += float(found.times[-1]) - now
                now = float(found.times[-1])
                rows = self.places(found)
                self._low = np.minimum(self._low, np.min(rows, axis=0))
                self._high = np.maximum(self._high, np.max(rows, axis=0))
            return found

        return counted

    @cached_property
    def _fold(self) -> Fold | None:
        """The turn of a drive, if all that depends on the time is as before after one."""
        beat = self.beat
        assert beat is not None
        rows = np.linspace(0.0, beat, 9)
        first, *others = (
            self._set_going(self.time + shift, self.start, self.rtol)(self.time + shift + rows)
            for shift in (turns * beat for turns in (0, *AGAIN))
        )
        allowed = AS_BEFORE * np.maximum(np.ptp(first.states, axis=0), self.floor)
        for found in others:
            is_same = len(found.states) == len(first.states) == len(rows)
            if not is_same or np.any(np.abs(found.states - first.states) > allowed):
                return None
        gains = (others[0].outputs - first.outputs)[0]
        whole = 2 * np.pi * np.round(gains / (2 * np.pi))
        is_whole = np.abs(gains - whole) <= AS_BEFORE * np.maximum(np.ptp(first.outputs, axis=0), SMALL)
        return Fold(beat, whole) if np.all(is_whole) else None

    def run(self, time: float, state: Matrix, times: Matrix, coarser: float = 1.0) -> Stretch:
        """The motion from a state at a time, at given times."""
        return self.set_going(time, state, coarser)(times)

    def apart(self, couple: int, first: Matrix, second: Matrix, limit: float) -> Matrix:
        """How far apart two outlines are in rows of poses of their bodies."""
        assert isinstance(self._shapes, NativeShapes)
        return self._shapes.apart(couple, first, second, limit)

    def column(self, stretch: Stretch, name: str) -> Matrix:
        """A quantity in all rows of a stretch."""
        column: Matrix = stretch.outputs[:, self.observed.index(name)]
        return column

    def kinetic(self, stretch: Stretch) -> Matrix:
        """The kinetic energy in all rows, or what is least at marks of another kind."""
        if self.strobe is not None:
            return self.strobe.phase(stretch.times)
        if self.watched is not None:
            place, more = self.watched
            shifted: Matrix = stretch.states[:, place] + more
            return shifted
        kinetic, potential = self.column(stretch, "kinetic"), self.column(stretch, "potential")
        rounding = STILL * max(np.max(np.abs(each), initial=0.0) for each in (kinetic, potential))
        return np.where(kinetic > rounding, kinetic, 0.0)

    def energy(self, stretch: Stretch) -> Matrix:
        """The energy in all rows."""
        return self.column(stretch, "kinetic") + self.column(stretch, "potential")


def contact_courses(islands: ContactIslands, model: str, laws: Laws | None, rtol: float) -> list[Course]:
    """The islands of a machine whose parts touch, each ready to run from any state."""
    return [
        _contact_course(each, each.touching, islands.plain, model, laws, rtol) for each in islands.simulators
    ]


def _contact_course(
    simulator: ContactSimulator,
    touching: Touching | SpaceTouching,
    whole: Machine,
    model: str,
    laws: Laws | None,
    rtol: float,
) -> Course:
    begun = simulator.begun({}, {}, {}, None)
    shapes = touching.native(laws or machine_laws(begun.machine), model)
    simulator._check_apart(begun)
    scale = simulator._scale(begun.started)
    couples = np.arange(len(touching.couples))

    def motion_from(time: float, state: Matrix, rtol: float) -> ContactMotion:
        started = replace(begun.started, state=state)
        given = begun.constants, begun.controls, started
        return ContactMotion(simulator.native, model, shapes, *given, time, rtol, rtol * scale)

    def set_going(time: float, state: Matrix, rtol: float) -> Callable[[Matrix], Stretch]:
        motion = motion_from(time, state, rtol)

        def lead(times: Matrix) -> Stretch:
            ran = motion.run(times)
            why = why_stopped(ran, touching) if ran.status else ""
            held = np.any(ran.touches[:, :, :1] == couples, axis=1)
            return Stretch(times[: len(ran.states)], ran.states, ran.outputs, ran.events, held, why)

        return lead

    def solve(time: float, state: Matrix, times: Matrix) -> Solution:
        return simulator._contact_solution(model, motion_from(time, state, rtol).run(times), times, rtol)

    return Course(simulator, begun, set_going, solve, whole, touching, shapes, rtol)


def plain_course(simulator: Simulator, rtol: float) -> Course:
    """A machine without contacts, ready to run from any state."""
    begun = simulator.begun({}, {}, {}, None)
    scale = simulator._scale(begun.started)

    def ran_from(state: Matrix, times: Matrix, rtol: float) -> Ran:
        started = replace(begun.started, state=state)
        return simulator.native.run(begun.constants, begun.controls, started, times, rtol, rtol * scale)

    def set_going(time: float, state: Matrix, rtol: float) -> Callable[[Matrix], Stretch]:
        now, start = time, state

        def lead(times: Matrix) -> Stretch:
            nonlocal now, start
            behind = int(times[0] > now)
            ran = ran_from(start, np.concatenate([[now], times]) if behind else times, rtol)
            why = ""
            if ran.status:
                words = STEP_WORDS.get(ran.step_status, "the integration failed")
                why = f"{words}, at t = {ran.reached:.9g}"
            states = ran.states[behind:]
            if len(states):
                now, start = float(times[len(states) - 1]), states[-1]
            nothing = np.zeros((0, 7)), np.zeros((len(states), 0))
            return Stretch(times[: len(states)], states, ran.outputs[behind:], *nothing, why)

        return lead

    def solve(time: float, state: Matrix, times: Matrix) -> Solution:
        ran = ran_from(state, times, rtol)
        return simulator.solution(begun.machine, Outcome(ran, times, float("nan"), rtol, False))

    return Course(simulator, begun, set_going, solve, begun.machine, rtol=rtol)
