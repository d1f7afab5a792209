"""Motions that run away: a velocity grows without bound before a time at which the simulation cannot go on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from linkwork.foresee.amounts import mover
from linkwork.foresee.course import Course, even_times
from linkwork.foresee.marks import Halt, Mark
from linkwork.kinematics.arrays import Matrix

ROWS: Final = 16
"""In which the time before the end is looked at, and so many times finer each time that this led farther."""
MOST_LOOKS: Final = 24
FASTER: Final = 1e3
"""How many times faster than at the beginning is what runs away, or faster than any motion."""
ENDLESS: Final = 1e100
GROWS, ALIKE = 1e-3, 1e-2
"""By what share, at least, swings grow from one to the next that grow; by what share of that such shares may differ."""


def runaway_words(course: Course, halt: Halt, spacing: float) -> str:
    """Which part runs away before the simulation stops, and when; empty where none does."""
    times, states = _until_the_end(course, halt, spacing)
    speeds = np.abs(states[:, course.positions :])
    if not speeds.shape[1] or len(times) < 2:
        return ""
    fastest = int(np.argmax(speeds[-1]))
    at_first, at_last = float(np.max(np.abs(course.start[course.positions :]))), float(speeds[-1, fastest])
    if at_last <= min(FASTER * max(at_first, float(speeds[0, fastest])), ENDLESS):
        return ""
    part = mover(course.variables[course.positions + fastest].removeprefix("V_"))
    how = "faster and faster without bound" if at_last <= ENDLESS else "faster than numbers can tell"
    return f"{part} runs away, {how}, at t = {times[-1]:.9g}"


def _until_the_end(course: Course, halt: Halt, spacing: float) -> tuple[Matrix, Matrix]:
    """Rows behind a halt, closer and closer to where the simulation stops."""
    counted, time, state = course.simulated, halt.time, halt.state
    times, states = [np.array([time])], [state[None]]
    for _ in range(MOST_LOOKS):
        found = course.run(time, state, even_times(time, spacing / ROWS, ROWS))
        if len(found.times) > 1:
            times.append(found.times[1:])
            states.append(found.states[1:])
            time, state = float(found.times[-1]), found.states[-1]
        if not found.is_whole:
            spacing /= ROWS
        if time + spacing / ROWS == time:
            break
    course.simulated = counted
    return np.concatenate(times), np.concatenate(states)


def growth_words(marks: Sequence[Mark]) -> str:
    """That the energy of swings grows by the same factor from each to the next, if it does."""
    largest = np.array([mark.largest for mark in marks[len(marks) // 2 :]])
    rates = np.diff(np.log(largest[np.isfinite(largest) & (largest > 0)]))
    mean = float(np.mean(rates)) if len(rates) else 0.0
    if mean <= GROWS or float(np.std(rates)) > ALIKE * mean:
        return ""
    return f", its energy grows without bound, by a factor of {math.exp(mean):.5g} from one to the next"
