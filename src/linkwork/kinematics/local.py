"""A machine near a position on its path: corrections, rates, and whether they are well determined."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.newton import ACCEPTED, LARGE
from linkwork.kinematics.numbers import Numbers, least_squares, singular_values, solved_sparsely
from linkwork.kinematics.path import Inputs, Path

CONTRACTION = 0.3
"""How much shorter each correction of Newton's method must be than the last, as in the native sweep."""
ROUNDING = 1e-12
"""A correction, in units of the scale, below which nothing is gained any more."""
MOST_CORRECTIONS = 12
RANK = 1e-9
"""Singular values below this count as zero where a machine is over- or under-constrained."""
NEARLY_SINGULAR = 1e-5
"""The smallest singular value below which rates at a position are not trusted."""


class Local:
    """One machine on one path. ``rows`` are independent equations, as many as the rank."""

    def __init__(self, numbers: Numbers, path: Path, rows: Sequence[int]) -> None:
        self.numbers = numbers
        self.path = path
        self.rows = np.array(rows)

    @property
    def is_square(self) -> bool:
        """Whether the independent equations determine all coordinates."""
        return len(self.rows) == self.numbers.system.size

    @property
    def is_redundant(self) -> bool:
        """Whether there are more equations than independent ones."""
        return len(self.rows) < len(self.numbers.system.phi)

    @property
    def is_determined(self) -> bool:
        """Whether there are as many equations as coordinates, all independent."""
        return self.is_square and not self.is_redundant

    def inputs(self, s: float) -> Inputs:
        """The inputs at one place of the path."""
        return self.path.at(np.array([s])).row(0)

    def corrected(self, q: Matrix, s: float) -> Matrix | None:
        """The position nearest to a predicted one, at a fixed s; None where Newton's method hesitates."""
        u = self.inputs(s).u
        last = np.inf
        for _ in range(MOST_CORRECTIONS):
            residual, matrix, _ = self.numbers.scaled(q, u)
            step = least_squares(matrix, -residual, RANK)
            length = float(np.max(np.abs(step)))
            if not np.isfinite(length) or (length > CONTRACTION * last and length > ROUNDING):
                return None
            q = q + step * self.numbers.scale
            if length <= ROUNDING or length > CONTRACTION * last:
                break
            last = length
        return q if self.numbers.misfit(q, u) <= ACCEPTED else None

    def velocity(self, q: Matrix, s: float) -> Matrix:
        """dq/ds, the shortest where it is not determined."""
        inputs = self.inputs(s)
        _, matrix, lengths = self.numbers.scaled(q, inputs.u)
        side = self.numbers.drift(1, q, inputs.u, inputs.du) / lengths
        if len(q) > LARGE and self.is_square:
            return solved_sparsely(matrix[None, self.rows], side[None, self.rows])[0] * self.numbers.scale
        return least_squares(matrix, side, RANK) * self.numbers.scale

    def is_singular(self, q: Matrix, s: float) -> bool:
        """Whether rates are badly determined at a position."""
        if len(q) > LARGE:
            return False
        values = singular_values(self.numbers.scaled(q, self.inputs(s).u)[1])
        return bool(values[len(self.rows) - 1] < NEARLY_SINGULAR * values[0])
