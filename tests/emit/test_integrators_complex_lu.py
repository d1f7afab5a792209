"""LU factors of complex matrices, which the implicit integrator needs, against NumPy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray
from test_integrators_bridge import library

Complex = NDArray[np.complex128]


def solve(matrix: ArrayLike, b: ArrayLike) -> tuple[int, Complex]:
    a, x = np.array(matrix, complex), np.array(b, complex)
    n = len(x)
    pivot = np.full(n, -1, np.intc)
    a_at, x_at = (array.ctypes.data_as(ctypes.c_void_p) for array in (a, x))
    pivot_at = pivot.ctypes.data_as(ctypes.c_void_p)
    status = library().lw_complex_lu_factor(n, a_at, pivot_at)
    if status == 0:
        library().lw_complex_lu_solve(n, a_at, pivot_at, x_at)
    return status, x


@pytest.mark.parametrize("scale", [1.0, 1e200, 1e-200])
@given(n=st.integers(1, 8), seed=st.integers(0, 2**32 - 1))
def test_the_solution_is_that_of_numpy(scale: float, n: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    a = generator.normal(size=(n, n)) + 1j * generator.normal(size=(n, n))
    b = generator.normal(size=n) + 1j * generator.normal(size=n)
    status, x = solve(scale * a, scale * b)
    assert status == 0
    residual = np.linalg.norm(a @ x - b) / (np.linalg.norm(a) * np.linalg.norm(x))
    assert residual < 100 * n * np.finfo(float).eps


def test_rows_are_exchanged() -> None:
    status, x = solve(np.array([[0, 1j, 0], [1, 1, 1], [0, 2j, 1 + 1j]]), [1j, 3, 1 + 3j])
    assert status == 0
    np.testing.assert_allclose(x, [1, 1, 1], atol=1e-15)


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf, 1j * np.nan])
def test_a_pivot_that_is_zero_or_not_finite_is_named(bad: complex) -> None:
    assert solve(np.array([[1, 0], [0, bad]]), [1, 1])[0] == 2
