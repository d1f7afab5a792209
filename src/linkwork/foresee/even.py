"""Motions without minima of the kinetic energy: those that have become even, and go on so.

A motion is even where all velocities are constant and all positions grow with them. Nothing recurs in it by which a
pattern could be told; it is tested by setting it going far ahead, where it would be then. Where parts may meet that is
not enough: they must only turn, and stand as at first after whole turns that were simulated.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.foresee.amounts import amount, owner
from linkwork.foresee.course import Course, Stretch, even_times
from linkwork.foresee.marks import Follower, Halt
from linkwork.kinematics.arrays import Matrix

EVEN: Final = 1e-5
"""Of the largest velocity of its kind: by how much velocities may change in an even motion."""
FAR: Final = 1000.0
"""How many times as far ahead as was simulated an even motion is tested."""
PLACES: Final = (0.13, 0.5, 1.0)
"""Of the way there: where."""
TESTED_ROWS: Final = 64
MOST_TOLD: Final = 3
MOST_TURNS: Final = 60
"""Of the slowest part: turns after which all parts stand as at first; more are not simulated."""
LONG: Final = 10.0
"""How many times what was simulated so far such a round may take."""
ROWS_A_TURN: Final = 64
WHOLE: Final = 1e-5
"""Of a turn: what is so near to whole turns is."""
MOST_ROUNDS: Final = 1e6
"""How often what was simulated is foreseen again, where parts may meet."""


def even_motion(course: Course, follower: Follower, horizon: float) -> Halt | None:
    """How an even motion goes on, until when that was tested; None where it is not even."""
    stretch = follower.stretch
    half = len(stretch.times) // 2
    rates = even_rates(course, stretch.times[half:], stretch.states[half:])
    if rates is None or not np.any(rates):
        return None
    begin, state = float(stretch.times[-1]), stretch.states[-1]
    if course.touching is not None:
        return _even_round(course, begin, state, rates, horizon)
    far = min(horizon, begin + FAR * (begin - course.time))
    for share in PLACES:
        time = begin + share * (far - begin)
        ahead = state.copy()
        ahead[: course.positions] += rates * (time - begin)
        tested = course.run(time, ahead, even_times(time, follower.spacing, TESTED_ROWS))
        again = _rates_of(course, tested)
        if again is None or np.max(np.abs(again - rates)) > EVEN * np.max(np.abs(rates)):
            return None
    return Halt(far, state, "even", even_words(course, rates))


def _even_round(course: Course, begin: float, state: Matrix, rates: Matrix, horizon: float) -> Halt | None:
    """Parts that turn evenly among others: after a round of whole turns, simulated, all is as at first."""
    names = course.variables[: course.positions]
    if any(rate and not name.endswith("angle") for rate, name in zip(rates, names, strict=True)):
        return None
    turns = np.abs(rates[rates != 0])
    slowest = 2 * math.pi / float(np.min(turns))
    by_slowest = turns / np.min(turns)
    rounds = (
        count
        for count in range(1, MOST_TURNS + 1)
        if np.all(np.abs(count * by_slowest - np.round(count * by_slowest)) <= WHOLE)
    )
    count = next(rounds, None)
    if count is None or begin + count * slowest > min(horizon, course.time + LONG * (begin - course.time)):
        return None
    rows = int(count * np.max(by_slowest) * ROWS_A_TURN)
    again = _rates_of(course, course.run(begin, state, np.linspace(begin, begin + count * slowest, rows + 1)))
    if again is None or np.max(np.abs(again - rates)) > EVEN * np.max(np.abs(rates)):
        return None
    far = min(horizon, begin + MOST_ROUNDS * count * slowest)
    return Halt(far, state, "even", even_words(course, rates))


def _rates_of(course: Course, stretch: Stretch) -> Matrix | None:
    return even_rates(course, stretch.times, stretch.states) if stretch.is_whole else None


def even_rates(course: Course, times: Matrix, states: Matrix) -> Matrix | None:
    """By how much each position grows in a time of one, if it grows evenly and no velocity changes."""
    positions, velocities = states[:, : course.positions], states[:, course.positions :]
    fastest = float(np.max(np.abs(velocities), initial=0.0))
    if np.any(np.ptp(velocities, axis=0) > EVEN * fastest):
        return None
    lasted = float(times[-1] - times[0])
    rates: Matrix = (positions[-1] - positions[0]) / lasted
    straight = positions[0] + np.outer(times - times[0], rates)
    off = np.max(np.abs(positions - straight), axis=0)
    allowed = EVEN * max(float(np.max(np.abs(rates))) * lasted, fastest * lasted)
    return (
        None if np.any(off > allowed) else np.where(np.abs(rates) > EVEN * np.max(np.abs(rates)), rates, 0.0)
    )


def even_words(course: Course, rates: Matrix) -> str:
    """Which variables grow, and how fast; the fastest first."""
    names = course.variables[: course.positions]
    moving = sorted(
        (place for place in range(len(names)) if rates[place]), key=lambda place: -abs(rates[place])
    )
    told = [
        f"{owner(names[place])} {amount(names[place], float(rates[place]), True)}"
        for place in moving[:MOST_TOLD]
    ]
    turns = [2 * math.pi / abs(rates[place]) for place in moving if names[place].endswith("angle")]
    turn = f", one turn in {turns[0]:.6g}" if len(turns) == 1 else ""
    return f"it moves evenly, {', '.join(told)} in a time of 1{turn}"
