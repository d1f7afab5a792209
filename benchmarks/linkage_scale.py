"""Linkages of many bars as one system of equations, for solvers that know nothing of dyads.

Unknown are the coordinates of joints. A bar keeps the distance of two joints; two bars pinned at their
middles make their four ends a parallelogram (their diagonals halve each other), which is linear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkage_model import Array, Linkage, Motion, closed_form
from linkage_rivals import Prepared

SMALL_STEP = 1e-5  # Newton's last step but one, in units of length; what is left is about its square
ROUNDS = 30  # of Newton's method
BAR = 2.0  # length of a bar of the scissors


@dataclass(frozen=True)
class System:
    """Joints numbered with the known ones first; bars and parallelograms hold their numbers."""

    name: str
    bars: int  # that move
    known: int
    motion: Callable[[Array], Motion]  # of all joints, exact
    ends: NDArray[np.intp]  # equations × 2: the ends of each bar whose length is an equation
    lengths: Array
    crossed: NDArray[np.intp]  # equations × 4: p + q = r + s

    def residual(self, places: Array) -> Array:
        """Half the error of the squared lengths, then the parallelograms' gaps."""
        along = places[self.ends[:, 0]] - places[self.ends[:, 1]]
        lengths = 0.5 * (np.einsum("ij,ij->i", along, along) - self.lengths**2)
        return np.concatenate([lengths, self._gaps(places)])

    def rates(self, places: Array, velocities: Array) -> Array:
        """The residual's rate."""
        along = places[self.ends[:, 0]] - places[self.ends[:, 1]]
        turning = velocities[self.ends[:, 0]] - velocities[self.ends[:, 1]]
        return np.concatenate([np.einsum("ij,ij->i", along, turning), self._gaps(velocities)])

    def _gaps(self, values: Array) -> Array:
        p, q, r, s = self.crossed.T
        gaps: Array = (values[p] + values[q] - values[r] - values[s]).ravel()
        return gaps

    @cached_property
    def _pattern(self) -> tuple[Any, Any, Any]:
        """Row and column of each entry of the Jacobian, and which of them belong to unknowns."""
        bars, crossings = len(self.ends), len(self.crossed)
        joints = np.concatenate([np.repeat(self.ends, 2, axis=1).ravel(), np.repeat(self.crossed, 2)])
        axes = np.tile([0, 1], len(joints) // 2)
        rows = np.repeat(np.arange(bars), 4)
        gaps = bars + 2 * np.repeat(np.arange(crossings), 8)
        rows = np.concatenate([rows, gaps + np.tile([0, 1], 4 * crossings)])
        wanted = joints >= self.known
        return rows[wanted], (2 * (joints - self.known) + axes)[wanted], wanted

    def entries(self, places: Array) -> tuple[Any, Any, Array]:
        """The Jacobian by the unknowns: rows, columns, values."""
        rows, columns, wanted = self._pattern
        along = places[self.ends[:, 0]] - places[self.ends[:, 1]]
        signs = np.tile(np.repeat([1.0, 1.0, -1.0, -1.0], 2), len(self.crossed))
        values = np.concatenate([np.concatenate([along, -along], axis=1).ravel(), signs])
        return rows, columns, values[wanted]

    def dense(self, places: Array) -> Array:
        """The Jacobian as a full matrix."""
        rows, columns, values = self.entries(places)
        size = len(self.ends) + 2 * len(self.crossed)
        matrix = np.zeros((size, size))
        matrix[rows, columns] = values
        return matrix


def system_of(linkage: Linkage) -> System:
    """A linkage of dyads, forgetting that it is one."""
    number = {name: k for k, name in enumerate(linkage.joints)}
    pairs = [(d.joint, d.first, d.to_first) for d in linkage.dyads]
    pairs += [(d.joint, d.second, d.to_second) for d in linkage.dyads]
    fixed = np.array(list(linkage.fixed.values()), dtype=float)

    def motion(angles: Array) -> Motion:
        moving = closed_form(linkage, angles)
        still = np.broadcast_to(fixed, (len(angles), *fixed.shape))
        positions = np.concatenate([still, moving.positions], axis=1)
        return Motion(positions, np.concatenate([0 * still, moving.velocities], axis=1))

    ends = np.array([(number[a], number[b]) for a, b, _ in pairs])
    lengths = np.array([length for _, _, length in pairs], dtype=float)
    none = np.zeros((0, 4), dtype=np.intp)
    return System(linkage.name, linkage.bars, len(fixed) + 1, motion, ends, lengths, none)


def scissors(units: int) -> System:
    """Lazy tongs of 2·units bars: A0 is fixed, B0 above it is driven so that all bars stand at the angle.

    Unit k crosses the bars A(k)–B(k+1) and B(k)–A(k+1) at their middles; joint A(k) is 2k, B(k) is 2k + 1.
    """

    def motion(angles: Array) -> Motion:
        along = BAR * np.cos(angles)[:, None] * np.arange(units + 1)
        up = np.broadcast_to(BAR * np.sin(angles)[:, None], along.shape)
        positions = np.stack([along, 0 * along, along, up], axis=2)
        along_rate = -up * np.arange(units + 1)
        up_rate = np.broadcast_to(BAR * np.cos(angles)[:, None], along.shape)
        velocities = np.stack([along_rate, 0 * along, along_rate, up_rate], axis=2)
        shape = (len(angles), 2 * units + 2, 2)
        return Motion(positions.reshape(shape), velocities.reshape(shape))

    a, b = 2 * np.arange(units), 2 * np.arange(units) + 1
    ends = np.concatenate([np.stack([a, b + 2], axis=1), np.stack([b, a + 2], axis=1)])
    crossed = np.stack([a, b + 2, b, a + 2], axis=1)
    return System(f"scissors of {units} units", 2 * units, 2, motion, ends, np.full(2 * units, BAR), crossed)


def sparse_newton(system: System, angles: Array) -> Prepared:
    """Newton's method with SciPy's sparse LU (SuperLU)."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    rows, columns, _ = system.entries(system.motion(angles[:1]).positions[0])
    order = np.lexsort((rows, columns))
    size = int(columns.max()) + 1
    starts = np.searchsorted(columns[order], np.arange(size + 1)).astype(np.int32)
    rows = rows[order].astype(np.int32)

    def factored(places: Array) -> Callable[[Array], Array]:
        values = system.entries(places)[2][order]
        solve: Callable[[Array], Array] = splu(csc_array((values, rows, starts), shape=(size, size))).solve
        return solve

    return _newton(system, angles, factored)


def dense_newton(system: System, angles: Array) -> Prepared:
    """Newton's method with SciPy's dense LU (LAPACK)."""
    from scipy.linalg import lu_factor, lu_solve

    def factored(places: Array) -> Callable[[Array], Array]:
        factors = lu_factor(system.dense(places), overwrite_a=True, check_finite=False)
        return lambda right: np.asarray(lu_solve(factors, right, check_finite=False))

    return _newton(system, angles, factored)


def _newton(system: System, angles: Array, factored: Callable[[Array], Callable[[Array], Array]]) -> Prepared:
    """Each row from the row before, moved on by its velocities; these come from the same factors."""
    exact = system.motion(angles)

    def run() -> Motion:
        places, velocities = exact.positions[0].copy(), np.zeros_like(exact.velocities[0])
        found = Motion(np.empty_like(exact.positions), np.empty_like(exact.velocities))
        for row, angle in enumerate(angles):
            if row:
                places += (angle - angles[row - 1]) * velocities
            places[: system.known] = exact.positions[row, : system.known]
            for _ in range(ROUNDS):
                solve = factored(places)
                step = solve(system.residual(places))
                places[system.known :] -= step.reshape(-1, 2)
                if np.abs(step).max() < SMALL_STEP:
                    break
            velocities[: system.known] = exact.velocities[row, : system.known]
            velocities[system.known :] = 0
            solve = factored(places)
            velocities[system.known :] = -solve(system.rates(places, velocities)).reshape(-1, 2)
            # The factors are at hand: one more correction costs no factorisation.
            places[system.known :] -= solve(system.residual(places)).reshape(-1, 2)
            found.positions[row], found.velocities[row] = places, velocities
        return found

    return Prepared(run, lambda motion: motion)


def dense_root(system: System, angles: Array) -> Prepared:
    """``scipy.optimize.root`` (hybr) with the analytic Jacobian as a full matrix."""
    from scipy.optimize import root

    exact = system.motion(angles)

    def run() -> Motion:
        places = exact.positions[0].copy()
        found = Motion(np.empty_like(exact.positions), np.empty_like(exact.velocities))

        def residual(x: Array) -> Array:
            places[system.known :] = x.reshape(-1, 2)
            return system.residual(places)

        def jacobian(x: Array) -> Array:
            places[system.known :] = x.reshape(-1, 2)
            return system.dense(places)

        for row in range(len(angles)):
            places[: system.known] = exact.positions[row, : system.known]
            start = places[system.known :].flatten()
            answer = root(residual, start, jac=jacobian, tol=1e-12)
            places[system.known :] = answer.x.reshape(-1, 2)
            velocities = np.zeros_like(places)
            velocities[: system.known] = exact.velocities[row, : system.known]
            right = -system.rates(places, velocities)
            velocities[system.known :] = np.linalg.solve(system.dense(places), right).reshape(-1, 2)
            found.positions[row], found.velocities[row] = places, velocities
        return found

    return Prepared(run, lambda motion: motion)
