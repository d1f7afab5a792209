"""Singular places of a curve f(z) = 0 of n equations in n + 1 unknowns, the last of which leads along it.

At a dead point the curve turns back in its last unknown: the columns A_q of the others lose their rank,

    f(z) = 0,    A_q(z)'w = 0,    w₀'w = 1    for z and w.                                        (fold)

Curves cross where the whole matrix A = f' loses its rank. If the equations are changed by a little, the branches
no longer cross but pass each other at a distance like √height, and no place with f = 0 and A'w = 0 is left. There
is one, though, where f has a small constant, the saddle between the branches:

    f(z) + height·w₀ = 0,    A(z)'w = 0,    w₀'w = 1    for z, w and height.                     (saddle)

Both systems are regular where the rank is lost by one and the curve is not degenerate (Moore & Spence 1980;
Golubitsky & Schaeffer 1985, chapter I), so that Newton's method tells to the last digits where a dead point or a
crossing lies, and whether branches cross at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.numbers import decomposed, least_squares

Linearised = Callable[[Matrix], tuple[Matrix, Matrix]]
"""The equations f and their matrix A at a place z."""

DIFFERENCE = 1e-5
"""The step by which the matrix is differentiated; its error only slows Newton's method down a little."""
MOST_STEPS = 20
FARTHEST = 0.2
"""How far the place may be from where it is looked for, in units of z."""
NEAR, EXACT, SOLVED = 1e-9, 1e-15, 1e-6
"""Steps below which rounding may end the convergence, and below which nothing is left to gain; the residual then."""


@dataclass(frozen=True)
class Saddle:
    """A singular place, and the residual of the equations there: zero where branches cross."""

    z: Matrix
    height: float


def saddle(linearised: Linearised, near: Matrix) -> Saddle | None:
    """The saddle near a place; None where there is none, or where the rank is lost by more than one."""
    return _singular(linearised, near, columns=len(near))


def fold(linearised: Linearised, near: Matrix) -> Matrix | None:
    """The place near by where the last unknown turns back; None where there is none."""
    found = _singular(linearised, near, columns=len(near) - 1)
    return None if found is None else found.z


def _singular(linearised: Linearised, near: Matrix, columns: int) -> Saddle | None:
    """Newton's method on one of the systems above: the first columns of the matrix lose their rank."""
    size = len(near) - 1
    start = decomposed(linearised(near)[1][:, :columns])[0][:, -1]
    z, w, height, last = near, start, 0.0, np.inf
    for _ in range(MOST_STEPS):
        f, a = linearised(z)
        wanted = -np.concatenate([f + height * start, w @ a[:, :columns], [start @ w - 1]])
        step = least_squares(_newton_matrix(linearised, z, w, a, start, columns), wanted, 1e-14)
        moved = float(np.linalg.norm(step[: size + 1]))
        if not moved + float(np.linalg.norm(z - near)) <= FARTHEST:
            return None
        z, w = z + step[: size + 1], w + step[size + 1 : 2 * size + 1]
        height += float(step[2 * size + 1 :].sum())
        if (moved < EXACT or last < 2 * moved < NEAR) and float(np.linalg.norm(wanted)) < SOLVED:
            return Saddle(z, abs(height))
        last = moved
    return None


def _newton_matrix(
    linearised: Linearised, z: Matrix, w: Matrix, a: Matrix, start: Matrix, columns: int
) -> Matrix:
    """The derivative of the equations by z, w and, where all columns are wanted, height."""
    size = len(w)
    bends = np.array(
        [
            w @ (linearised(z + each)[1] - linearised(z - each)[1])[:, :columns] / (2 * DIFFERENCE)
            for each in DIFFERENCE * np.eye(size + 1)
        ]
    )
    return np.block(
        [
            [a, np.zeros((size, size)), start[:, None]],
            [bends.T, a[:, :columns].T, np.zeros((columns, 1))],
            [np.zeros((1, size + 1)), start[None], np.zeros((1, 1))],
        ]
    )[:, : size + 1 + columns]
