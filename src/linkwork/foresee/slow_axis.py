"""The variable in which the slow motion of a pattern is smooth.

What a machine does in a repetition depends on what is left of the spring that drives it. That falls evenly, and near
the end everything changes by what share of it a repetition takes: durations and swings are smooth in the logarithm of
what is left, and no polynomial in the number of repetitions follows them far. As long as much is left, or no spring
drives what goes on, the logarithm is as good as that number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.foresee.course import Course
from linkwork.foresee.springs import turning_springs
from linkwork.kinematics.arrays import Matrix

NEAREST = 1e-3
"""Of what was left at first: with less a number is taken to be no nearer to where nothing is left."""


@dataclass(frozen=True)
class SlowAxis:
    """Numbers of repetitions, by the logarithm of what is left until one; by themselves if it is infinite."""

    spent: float = math.inf
    """The number at which nothing is left."""

    def along(self, begin: float, numbers: Matrix | float) -> Matrix:
        """How far numbers are from one: near that one as far as the numbers themselves."""
        away: Matrix = np.asarray(numbers, float) - begin
        left = self.spent - begin
        if not 0 < left < math.inf:
            return away
        behind: Matrix = -left * np.log(np.maximum(1 - away / left, NEAREST))
        return behind

    def stretch(self, begin: float, number: float) -> float:
        """By how much more than the numbers themselves that grows at one of them."""
        left = self.spent - begin
        return left / max(self.spent - number, NEAREST * left) if 0 < left < math.inf else 1.0


def spent_after(course: Course, place: Matrix, slope: Matrix, goes_on: NDArray[np.bool_]) -> float:
    """The repetitions behind a place until the first of the springs is relaxed that turn what goes on."""
    ways = [
        (spring.rest - place[1 + spring.place]) / slope[1 + spring.place]
        for spring in turning_springs(course)
        if goes_on[spring.place]
    ]
    return float(min((way for way in ways if way > 0), default=math.inf))
