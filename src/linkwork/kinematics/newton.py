"""Assembly: coordinates that satisfy all equations, from rough ones.

Levenberg–Marquardt steps on the scaled system: p = −Jᵀ(JJᵀ + μ)⁻¹Φ. With μ → 0 this is Newton's step, of
minimum norm where the machine is under-constrained, in the sense of least squares where it is
over-constrained; a large μ turns it downhill and shortens it. μ follows the gain, the reduction of ‖Φ‖²
over the one that the linear model promised (Nielsen 1999).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.kinematics.arrays import Matrix, Places
from linkwork.kinematics.numbers import Numbers, least_squares, row_lengths

TIGHT = 1e-13
"""A residual, relative to the machine's size, at which a position is exact."""
ACCEPTED = 1e-12
"""A residual that a position may have where rounding allows no less."""
RANK = 1e-8
"""Singular values below this, relative to the largest, count as zero in Newton's last steps."""
SMALLEST_DAMPING = 1e-14
"""Keeps the normal equations of a redundant system solvable."""
MOST_STEPS = 120
LARGE = 240
"""Coordinates from which linear algebra is sparse."""


@dataclass(frozen=True)
class Found:
    """Where the search ended."""

    q: Matrix
    misfit: float
    residual: Matrix  # scaled
    steps: int

    @property
    def converged(self) -> bool:
        """Whether all equations hold."""
        return self.misfit <= ACCEPTED


def assemble(numbers: Numbers, q: Matrix, u: Matrix, rows: Places | None = None) -> Found:
    """Satisfy all equations, or those of some rows, near q."""
    search = _Search(numbers, u, rows)
    q = np.array(q, float)
    damping, growth = 1e-6, 2.0
    residual, jacobian = search.at(q)
    best = float(np.linalg.norm(residual))
    steps = 0
    while steps < MOST_STEPS:
        steps += 1
        if best <= TIGHT or not np.isfinite(best):
            break
        step, promised = search.step(residual, jacobian, damping * best * best / max(best, 1e-3))
        trial = q + step * numbers.scale
        trial_residual, trial_jacobian = search.at(trial)
        norm = float(np.linalg.norm(trial_residual))
        gain = (best * best - norm * norm) / max(promised, 1e-300) if np.isfinite(norm) else -1.0
        if gain > 1e-4:
            q, residual, jacobian, best = trial, trial_residual, trial_jacobian, norm
            damping = max(damping * max(1 / 3, 1 - (2 * min(gain, 1.0) - 1) ** 3), 1e-15)
            growth = 2.0
        else:
            damping, growth = damping * growth, growth * 2
            if damping > 1e12:
                break
        if promised <= 1e-9 * best * best and best > ACCEPTED:
            break  # a stationary point of ‖Φ‖ that is not zero
    q = _polished(search, q, numbers)
    residual, _ = search.at(q)
    return Found(q, float(np.max(np.abs(residual), initial=0.0)), residual, steps)


def _polished(search: _Search, q: Matrix, numbers: Numbers) -> Matrix:
    """Newton's last steps, as long as they improve."""
    residual, jacobian = search.at(q)
    best = float(np.max(np.abs(residual), initial=0.0))
    for _ in range(4):
        if not 0 < best < 1e-3:
            break
        trial = q + search.newton(residual, jacobian) * numbers.scale
        trial_residual, trial_jacobian = search.at(trial)
        norm = float(np.max(np.abs(trial_residual)))
        if not norm < 0.5 * best:
            break
        q, residual, jacobian, best = trial, trial_residual, trial_jacobian, norm
    return q


class _Search:
    """The scaled system and its linear algebra, dense or sparse."""

    def __init__(self, numbers: Numbers, u: Matrix, rows: Places | None) -> None:
        self.numbers = numbers
        self.u = u
        self.rows = rows
        self.sparse = numbers.system.size > LARGE

    def at(self, q: Matrix) -> tuple[Matrix, Any]:
        if self.sparse:
            return self._at_sparse(q)
        phi, jacobian = self.numbers.linearised(q, self.u)
        if self.rows is not None:
            phi, jacobian = phi[self.rows], jacobian[self.rows]
        jacobian = jacobian * self.numbers.scale
        lengths = row_lengths(jacobian)
        return phi / lengths, jacobian / lengths[:, None]

    def _at_sparse(self, q: Matrix) -> tuple[Matrix, Any]:
        from scipy.sparse import diags_array

        phi, jacobian = self.numbers.linearised_sparse(q, self.u)
        if self.rows is not None:
            phi, jacobian = phi[self.rows], jacobian[self.rows]
        jacobian = jacobian @ diags_array(self.numbers.scale)
        lengths = np.sqrt(np.asarray(jacobian.power(2).sum(axis=1)).ravel())
        lengths[lengths == 0] = 1.0
        return phi / lengths, diags_array(1 / lengths) @ jacobian

    def step(self, residual: Matrix, jacobian: Any, damping: float) -> tuple[Matrix, float]:
        """The damped step, and by how much it should reduce ‖Φ‖²."""
        if self.sparse:
            from scipy.sparse import eye_array
            from scipy.sparse.linalg import spsolve

            normal = jacobian @ jacobian.T + damping * eye_array(len(residual))
            inner = spsolve(normal.tocsc(), residual)
            step = -(jacobian.T @ inner)
        else:
            normal = jacobian @ jacobian.T
            normal[np.diag_indices_from(normal)] += max(damping, SMALLEST_DAMPING)
            inner = np.linalg.solve(normal, residual)
            step = -(jacobian.T @ inner)
        model = residual + jacobian @ step
        return step, float(residual @ residual - model @ model)

    def newton(self, residual: Matrix, jacobian: Any) -> Matrix:
        """The undamped step of least squares and minimum norm."""
        if self.sparse:
            return self.step(residual, jacobian, 1e-14)[0]
        return -least_squares(jacobian, residual, RANK)
