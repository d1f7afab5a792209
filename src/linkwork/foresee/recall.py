"""The state at any time that was foreseen: the envelope tells where to restart, a short simulation does the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from linkwork.errors import NoAnswer
from linkwork.foresee.course import SAFETY, SIMULATED, Course, Stretch
from linkwork.foresee.foresight import Foreseen, Stage, has_faded
from linkwork.kinematics.arrays import Matrix

LOOKS: Final = 3
"""Motions that tell by how much one may be off."""
SETTLING: Final = 2.0
"""Repetitions behind something superimposed in which its last traces die away."""
SENSITIVE: Final = 10.0
"""How much more the end of a pattern may be off, by its duration, than restarts were, by the ranges."""


@dataclass(frozen=True)
class Recalled:
    """Quantities at a time, and how far they may be off."""

    time: float
    values: Mapping[str, float]
    time_error: float
    """By how much this may be the state of another time, by what the restarts of the simulation corrected so far."""
    errors: Mapping[str, float] = field(default_factory=dict)
    """By how much quantities may be off besides, by what adds up in a pattern; behind its end that may grow."""

    def __getitem__(self, name: str) -> float:
        return self.values[name]


def recall(islands: Sequence[Foreseen], time: float) -> Recalled:
    """All quantities of all islands at a time."""
    values: dict[str, float] = {}
    errors: dict[str, float] = {}
    off = 0.0
    for island in islands:
        stretch, own_off = led_to(island, time)
        errors |= errors_at(island, time, stretch)
        row = dict(zip(island.course.observed, stretch.outputs[-1].tolist(), strict=True))
        for name in ("kinetic", "potential"):
            row[name] += values.get(name, 0.0)
        values |= row
        off = max(off, own_off)
    return Recalled(time, values, off, errors)


def errors_at(island: Foreseen, time: float, found: Stretch) -> dict[str, float]:
    """By how much quantities may be off besides the time: in a pattern, by what leaps were off.

    Behind its end, and where there is none, that may grow, as may what the simulation itself is off by: motions tell
    of it that begin beside by as much.
    """
    course = island.course
    stage = next((each for each in island.stages[::-1] if each.envelope.nodes[0].time <= time), None)
    if stage is None:
        beside = np.zeros(len(course.variables))
        return _grown(island, time, found, course.time, course.start, beside)
    if stage.is_average or stage.last_moves is not None:
        return {}
    anchor = stage.anchor(course, time)
    if time <= stage.end:
        every = zip(course.variables[: course.positions], anchor.off.tolist(), strict=False)
        own = {name: off for name, off in every if off}
        begun, state, _ = _restart(island, time)
        others = _spread(course, found, _beside(course, time, begun, state, anchor.off)) if own else {}
        return others | {name: max(off, others.get(name, 0.0)) for name, off in own.items()}
    return _grown(island, time, found, anchor.time, anchor.state, anchor.off)


def _grown(
    island: Foreseen, time: float, found: Stretch, begin: float, state: Matrix, beside: Matrix
) -> dict[str, float]:
    """By how much quantities are off at a time if states were off by so much before.

    A coarser simulation tells what the simulation itself may be off by, which blows make grow.
    """
    course = island.course
    ends = _beside(course, time, begin, state, beside)
    if len(ends) < LOOKS:
        raise NoAnswer(f"what happens at t = {time:g} depends on less than this forecast may be off")
    return _spread(course, found, ends)


def _beside(course: Course, time: float, begin: float, state: Matrix, beside: Matrix) -> list[Stretch]:
    """Motions until a time that begin beside one, and one that is simulated less closely; those that get there."""
    counted, times = course.simulated, np.array([begin, max(time, begin)])
    ends = [course.run(begin, state, times, SIMULATED)]
    ends += [course.run(begin, state + side * beside, times) for side in (-1.0, 1.0)]
    course.simulated = counted
    return [end for end in ends if end.is_whole]


def _spread(course: Course, found: Stretch, ends: Sequence[Stretch]) -> dict[str, float]:
    """By how much the quantities of motions differ at their ends from those of another."""
    off = np.max([np.abs(end.outputs[-1] - found.outputs[-1]) for end in ends], axis=0, initial=0.0)
    return {name: each for name, each in zip(course.observed, off.tolist(), strict=True) if each}


def led_to(island: Foreseen, time: float) -> tuple[Stretch, float]:
    """The motion of an island from a restart to a time, and by how much that may be off; it is not counted."""
    begun, state, _ = _restart(island, time)
    course = island.course
    counted = course.simulated
    stretch = course.run(begun, state, np.array([begun, max(time, begun)]))
    course.simulated = counted
    if not stretch.is_whole:
        raise NoAnswer(f"the simulation could not be led to t = {time:g}", why=stretch.why)
    return stretch, time_error(island, time)


def time_error(island: Foreseen, time: float) -> float:
    """By how much what is told of a time may be that of another."""
    return SAFETY * (_restart(island, time)[2] + SIMULATED * island.course.rtol * (time - island.course.time))


def _restart(island: Foreseen, time: float) -> tuple[float, Matrix, float]:
    """A time before one, the state then, and by how much its time may be off."""
    stages = [stage for stage in island.stages if stage.envelope.nodes[0].time <= time]
    if not stages:
        return island.course.time, island.course.start, 0.0
    stage = stages[-1]
    off = sum(_off_behind(each) for each in stages[:-1])
    if stage.is_average:
        off += stage.envelope.nodes[-1].duration / SAFETY  # whose states are those of a repetition nearby
    if island.follower is not None and time > stage.end:
        begun, state = _simulated(island, time)
        if begun > stage.end:
            return begun, state, off + stage.envelope.nodes[-1].time_off + stage.end_off / SAFETY
    number = _undisturbed(stage, min(np.floor(stage.envelope.number_at(time)), stage.last_number))
    while number > 0 and stage.envelope.place(number)[0] > time:
        number = _undisturbed(stage, number - 1)
    place = stage.envelope.place(number)
    near = next((node for node in stage.envelope.nodes if node.number >= number), stage.envelope.nodes[-1])
    return float(place[0]), place[1:], off + near.time_off


def _off_behind(stage: Stage) -> float:
    """By how much times behind a stage may be off: a state that is off a little may end it in another repetition."""
    last, deviation = stage.envelope.nodes[-1], max(node.deviation for node in stage.envelope.nodes)
    return last.time_off + min(1.0, SENSITIVE * deviation) * last.duration + stage.end_off / SAFETY


def _simulated(island: Foreseen, time: float) -> tuple[float, Matrix]:
    """The last state before a time that was simulated with the last follower."""
    assert island.follower is not None
    marks = [mark for mark in island.follower.told if mark.time <= time]
    halt = island.halt
    if halt is not None and halt.kind == "rest":
        # what is told of rest is the time when it began; the state is that of the last row, unless a swing died away
        known = halt.time if has_faded(island) else float(island.follower.rows_seen[0][-1])
        if known <= time:
            return known, halt.state
    begun = island.follower.begun
    if marks:
        return marks[-1].time, marks[-1].state
    return begun if begun[0] <= time else (-np.inf, island.course.start)


def _undisturbed(stage: Stage, number: float) -> float:
    """The last number up to one at which nothing superimposed is going on, nor was just before."""
    spans = [(each.number - 1, each.last_number) for each in stage.occurrences]
    while number > 0:
        spans_here = spans + [
            (window.begin(index), window.begin(index) + window.length)
            for window in stage.envelope.windows
            if (index := int((number - window.first) // window.period)) >= 0
        ]
        inside = [first for first, last in spans_here if first < number < last + SETTLING]
        if not inside:
            break
        number = max(float(np.floor(min(inside))), 0.0)  # the state is known at the ends of repetitions only
    return number
