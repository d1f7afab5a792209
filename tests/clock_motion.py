"""What is read from the motion of a clock: when its balance passes its middle, how far it swings, where it rests."""

from __future__ import annotations

import math

import numpy as np

from linkwork.contact import ContactSolution


def degrees(solution: ContactSolution, column: str) -> np.ndarray:
    return np.degrees(solution.columns[column])


def crossings(solution: ContactSolution) -> np.ndarray:
    """When the balance passes its middle upwards."""
    times, x = solution.times, solution.columns["bwheel.angle"] - math.pi / 2
    at = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    return times[at] - x[at] * (times[at + 1] - times[at]) / (x[at + 1] - x[at])


def extremes(solution: ContactSolution, cycle: int) -> tuple[float, float]:
    """The greatest and least angle of the balance in a cycle."""
    first, last = crossings(solution)[cycle - 1 : cycle + 1]
    inside = degrees(solution, "bwheel.angle")[(solution.times >= first) & (solution.times < last)]
    return float(inside.max()), float(inside.min())


def kinetic_minima(solution: ContactSolution, first: float, last: float) -> int:
    """How often the balance comes to rest between two times."""
    inside = (solution.times >= first) & (solution.times < last)
    rate = solution.columns["bwheel.rate"][inside]
    return int(np.sum(rate[:-1] * rate[1:] < 0))
