"""Motions without a pattern: whether neighbouring ones part, and how fast (the largest Lyapunov exponent).

A second motion begins a little beside the first. After each while their distance is noted and brought back to what it
was at first, along the same direction (Benettin et al. 1980). The mean of the logarithms of its growth, by the time, is
the exponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.foresee.amounts import listed_amounts
from linkwork.foresee.course import SIMULATED, Course
from linkwork.foresee.marks import Mark
from linkwork.kinematics.arrays import Matrix

BESIDE: Final = 1e-6
"""Of the ranges of variables: how far from each other two motions begin."""
WHILES: Final = 160
"""After each of which they are compared; the first quarter lets the direction turn to that of the fastest growth."""
MARKS_A_WHILE: Final = 4
SURE: Final = 3.0
"""How many standard errors an exponent must be above zero."""
GOES_ON: Final = 0.9
"""Of all ways of a variable between marks, and of its range: what is farther from its start than that goes on."""
MATTERS: Final = 1e-3
"""Of the ranges of variables: a motion that is off by more is not known."""
MOST_TOLD: Final = 3
GROWN: Final = 6.0
"""The logarithm of all growth but the first: what grows with the time makes 1.4, with its square 2.8."""


@dataclass(frozen=True)
class Parting:
    """How fast neighbouring motions part."""

    exponent: float
    error: float
    """The standard error of it."""
    is_irregular: bool

    def lasts(self, rtol: float) -> float:
        """How long what a simulation is off by does not matter yet."""
        return float(np.log(MATTERS / (SIMULATED * rtol))) / self.exponent if self.is_irregular else np.inf


def parting(course: Course, marks: Sequence[Mark]) -> Parting | None:
    """How fast motions beside one part, from its last mark on; None where the simulation cannot tell."""
    between = (marks[-1].time - marks[0].time) / (len(marks) - 1)
    low = np.min([mark.low for mark in marks[1:]], axis=0)
    high = np.max([mark.high for mark in marks[1:]], axis=0)
    ranges = np.maximum(high - low, course.floor)
    growths = _growths(course, marks[-1], ranges, MARKS_A_WHILE * between)
    if growths is None:
        return None
    own = growths[WHILES // 4 :]
    rates = own / (MARKS_A_WHILE * between)
    exponent, error = float(np.mean(rates)), float(np.std(rates) / np.sqrt(len(rates)))
    return Parting(exponent, error, exponent > SURE * error and float(np.sum(own)) > GROWN)


def _growths(course: Course, mark: Mark, ranges: Matrix, while_: float) -> Matrix | None:
    """The logarithms of the growth of the distance in whiles one after the other."""
    state, time = mark.state, mark.time
    beside = state.copy()
    beside[course.positions :] += (
        BESIDE * ranges[course.positions :] / np.sqrt(len(ranges) - course.positions)
    )
    first = float(np.linalg.norm((beside - state) / ranges))
    growths = []
    for _ in range(WHILES):
        times = np.array([time, time + while_])
        ends = [course.run(time, each, times) for each in (state, beside)]
        if not all(end.is_whole for end in ends):
            return None
        state, other = (end.states[-1] for end in ends)
        away = other - state
        distance = float(np.linalg.norm(away / ranges))
        if not distance:
            return None
        growths.append(np.log(distance / first))
        beside, time = state + away * (first / distance), time + while_
    return np.array(growths)


def mean_words(course: Course, marks: Sequence[Mark]) -> str:
    """How far apart minima are on the average, and what each variable gains meanwhile that goes on and on."""
    between = np.diff([mark.time for mark in marks])
    told = f"one every {np.mean(between):.4g} ± {np.std(between):.1g} on the average"
    ways = np.diff([mark.state[: course.positions] for mark in marks], axis=0)
    net, every = np.sum(ways, axis=0), np.sum(np.abs(ways), axis=0)
    low, high = (
        np.min([mark.low for mark in marks[1:]], axis=0),
        np.max([mark.high for mark in marks[1:]], axis=0),
    )
    ranges = np.maximum(high - low, course.floor)[: course.positions]
    goes_on = np.abs(net) > GOES_ON * np.maximum(every, ranges)
    gains = [
        (name, float(gain))
        for name, gain, is_told in zip(course.variables, net / len(ways), goes_on, strict=False)
        if is_told
    ]
    return ", ".join([told, *([listed_amounts(gains[:MOST_TOLD])] if gains else [])])


def parting_words(found: Parting | None) -> str:
    """What that says of a motion."""
    if found is None:
        return ""
    if found.is_irregular:
        return (
            f": it is irregular, motions that begin beside it part by a factor of e in {1 / found.exponent:.3g} "
            f"(Lyapunov exponent {found.exponent:.2g} ± {found.error:.1g})"
        )
    return ": but it is not irregular, motions that begin beside it part no faster than with the time"
