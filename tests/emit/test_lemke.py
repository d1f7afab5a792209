"""Lemke's method: what it finds solves the problem, also where rows are repeated and ties are many."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from linkwork.emit.compiler import find_compiler, load_library
from linkwork.emit.runtime import runtime_library
from linkwork.kinematics.arrays import Matrix

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")


def lemke(matrix: Matrix, q: Matrix) -> Matrix | None:
    """z with w = M z + q, or None."""
    library = load_library(runtime_library("lemke"))
    library.lw_lemke.argtypes = [ctypes.c_int, *[ctypes.c_void_p] * 5]
    n = len(q)
    z, work, basis = np.zeros(n), np.zeros(n * (2 * n + 3)), np.zeros(n, np.intc)
    given = [np.ascontiguousarray(each, float) for each in (matrix, q)]
    arrays = (*given, z, work, basis)
    return z if library.lw_lemke(n, *(each.ctypes.data for each in arrays)) else None


def missed(matrix: Matrix, q: Matrix, z: Matrix) -> float:
    """By how much z misses z >= 0, w >= 0, z.w = 0."""
    return float(np.max(np.abs(np.minimum(z, matrix @ z + q))))


def friction_problem(rng: np.random.Generator, scale: float) -> tuple[Matrix, Matrix]:
    """The problem of places that touch with friction: normal force, friction both ways and slip of each.

    Some places are there twice, and the motion moves some of them not at all, but for rounding: neither the forces nor
    the way to them is unique.
    """
    freedoms, half, friction = int(rng.integers(3, 12)), int(rng.integers(1, 12)), rng.uniform(0, 1)
    rows = np.tile(rng.normal(size=(half, 2, freedoms)), (2, 1, 1))
    still = rows[: int(rng.integers(0, half + 1))].reshape(-1, freedoms)[: freedoms - 1]
    motion = rng.normal(size=freedoms)
    motion -= np.linalg.pinv(still) @ (still @ motion) if len(still) else 0.0
    ways = np.stack([rows[:, 0], rows[:, 1], -rows[:, 1]], axis=1)
    places = len(ways)
    matrix, q = np.zeros((4 * places, 4 * places)), np.zeros(4 * places)
    for i in range(places):
        for j in range(places):
            matrix[4 * i : 4 * i + 3, 4 * j : 4 * j + 3] = ways[i] @ ways[j].T
        matrix[4 * i + 1 : 4 * i + 3, 4 * i + 3] = 1
        matrix[4 * i + 3, 4 * i : 4 * i + 3] = [friction, -1, -1]
        q[4 * i : 4 * i + 3] = scale * ways[i] @ motion
    return matrix, q


@pytest.mark.parametrize("seed", range(60))
def test_places_with_friction_that_hold_the_same(seed: int) -> None:
    """Anitescu and Potra's problem has a solution whatever the motion: its matrix is copositive."""
    rng = np.random.default_rng(seed)
    scale = 10 ** rng.uniform(-6, 3)
    matrix, q = friction_problem(rng, scale)
    z = lemke(matrix, q)
    assert z is not None
    assert missed(matrix, q, z) <= 1e-8 * scale


@pytest.mark.parametrize("seed", range(20))
def test_problems_with_one_solution(seed: int) -> None:
    """A positive definite matrix has one: that from which the problem was made."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 30))
    root = rng.normal(size=(n, n + 2))
    matrix, is_pressed = root @ root.T, rng.random(n) < 0.5
    z, w = (np.where(chosen, rng.random(n), 0.0) for chosen in (is_pressed, ~is_pressed))
    found = lemke(matrix, w - matrix @ z)
    assert found is not None
    assert found == pytest.approx(z, abs=1e-9)


def test_a_problem_without_a_solution() -> None:
    """One force that would pull the harder the more it pushes, and must push: Painlevé's rod."""
    assert lemke(np.array([[-1.0]]), np.array([-1.0])) is None
    assert lemke(np.array([[1.0]]), np.array([-1.0])) == pytest.approx([1.0])
