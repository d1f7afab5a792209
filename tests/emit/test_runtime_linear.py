"""LU, Cholesky and the minimum-norm solution against NumPy, SciPy and the laws they must obey."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from test_runtime_bridge import Vector, cholesky, lu, minimum_norm, shortest_band

EPSILON = float(np.finfo(float).eps)

SCALES = (1.0, 1e150, 1e-150)


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def matrix_of_rank(rank: int, m: int, n: int, seed: int) -> Vector:
    """Singular values between 1 and 2, so that the rank leaves no doubt."""
    generator = random(seed)
    left = np.linalg.qr(generator.normal(size=(m, m)))[0][:, :rank]
    right = np.linalg.qr(generator.normal(size=(n, n)))[0][:, :rank]
    return np.ascontiguousarray((left * generator.uniform(1.0, 2.0, rank)) @ right.T)


def backward_error(a: Vector, x: Vector, b: Vector) -> float:
    """The smallest relative change of A and b that makes x exact (Rigal and Gaches, 1967)."""
    size = np.linalg.norm(a) * np.linalg.norm(x) + np.linalg.norm(b)
    return float(np.linalg.norm(a @ x - b) / size) if size else 0.0


seeds = st.integers(0, 2**32 - 1)


# LU


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 40])
def test_lu_factors_and_pivots_are_those_of_lapack(n: int) -> None:
    a = random(n).normal(size=(n, n))
    factors, pivot = scipy.linalg.lu_factor(a)
    ours = lu(a)
    assert ours.status == 0
    np.testing.assert_array_equal(ours.pivot, pivot)
    np.testing.assert_allclose(ours.factors, factors, atol=1e-13)


@pytest.mark.parametrize("scale", SCALES)
@given(n=st.integers(1, 12), seed=seeds)
def test_lu_solution_is_exact_for_a_system_nearby(scale: float, n: int, seed: int) -> None:
    a, b = random(seed).normal(size=(n, n)), random(seed + 1).normal(size=n)
    ours = lu(a * scale)
    assert ours.status == 0
    assert backward_error(a, ours.solve(b) * scale, b) < 100 * n * EPSILON
    assert backward_error(a.T, ours.solve(b, transposed=True) * scale, b) < 100 * n * EPSILON


def test_lu_of_nothing_and_of_one_number() -> None:
    nothing = lu(np.zeros((0, 0)))
    assert nothing.status == 0
    assert nothing.reciprocal_condition == 1.0
    one = lu([[-4.0]])
    assert one.solve([2.0]) == [-0.5]
    assert one.reciprocal_condition == 1.0


def test_lu_needs_the_exchange_of_rows() -> None:
    np.testing.assert_array_equal(lu([[0.0, 1.0], [1.0, 0.0]]).solve([3.0, 4.0]), [4.0, 3.0])
    np.testing.assert_allclose(lu([[1e-20, 1.0], [1.0, 1.0]]).solve([1.0, 2.0]), [1.0, 1.0], rtol=1e-15)


@pytest.mark.parametrize(
    ("matrix", "status"),
    [
        ([[0.0]], 1),
        ([[1.0, 2.0], [2.0, 4.0]], 2),
        ([[0.0, 1.0], [0.0, 2.0]], 1),
        ([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 2),
        ([[1.0, 1.0], [np.nan, 1.0]], 1),
        ([[1.0, np.inf], [1.0, 1.0]], 2),
        ([[1.0, 1.0, np.nan], [1.0, 2.0, 3.0], [1.0, 3.0, 8.0]], 3),
    ],
)
def test_lu_names_the_first_pivot_that_is_zero_or_not_finite(matrix: list[list[float]], status: int) -> None:
    assert lu(matrix).status == status


@pytest.mark.parametrize("scale", SCALES)
@given(n=st.integers(1, 10), seed=seeds)
def test_lu_condition_estimate_is_within_a_factor_of_ten_and_on_the_hopeful_side(
    scale: float, n: int, seed: int
) -> None:
    a = random(seed).normal(size=(n, n))
    true = 1.0 / np.linalg.cond(a, 1)
    assert true * (1 - 1e-6) <= lu(a * scale).reciprocal_condition <= 10 * true


@pytest.mark.parametrize("n", range(2, 13))
def test_lu_of_the_hilbert_matrix_solves_stably_and_confesses_its_condition(n: int) -> None:
    a = scipy.linalg.hilbert(n)
    b = a @ np.ones(n)
    ours = lu(a)
    assert backward_error(a, ours.solve(b), b) < 10 * EPSILON
    true = 1.0 / (scipy.linalg.norm(a, 1) * scipy.linalg.norm(scipy.linalg.invhilbert(n), 1))
    assert 0.2 * true <= ours.reciprocal_condition <= 5 * true


def test_lu_condition_estimate_is_not_fooled_where_the_ascent_stops_at_its_start() -> None:
    """Higham 1988: rows and columns of C sum to zero, so I + theta C maps the first vector to itself."""
    c = np.kron(np.eye(2), [[1.0, -1.0], [-1.0, 1.0]])
    a = np.linalg.inv(np.eye(4) + 1e6 * c)
    true = 1.0 / np.linalg.cond(a, 1)
    assert true / 2 <= lu(a).reciprocal_condition <= 2 * true


# Cholesky


@pytest.mark.parametrize("scale", SCALES)
@given(n=st.integers(1, 12), seed=seeds)
def test_cholesky_agrees_with_lapack_and_solves(scale: float, n: int, seed: int) -> None:
    g, b = random(seed).normal(size=(n, n + 2)), random(seed + 1).normal(size=n)
    a = g @ g.T
    status, factor, x = cholesky(a * scale, b)
    assert status == 0
    expected = scipy.linalg.cholesky(a, lower=True)
    np.testing.assert_allclose(
        np.tril(factor) / np.sqrt(scale), expected, atol=1e-10 * np.abs(expected).max()
    )
    assert backward_error(a, x * scale, b) < 100 * n * EPSILON


def test_cholesky_leaves_the_upper_triangle_alone() -> None:
    status, factor, x = cholesky([[4.0, np.nan], [2.0, 3.0]], [2.0, 1.0])
    assert status == 0
    assert np.isnan(factor[0, 1])
    np.testing.assert_allclose(x, [0.5, 0.0], atol=1e-16)


@pytest.mark.parametrize(
    ("matrix", "status"),
    [
        ([[0.0]], 1),
        ([[-1.0]], 1),
        ([[1.0, 2.0], [2.0, 1.0]], 2),
        ([[1.0, 1.0], [1.0, 1.0]], 2),
        ([[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, -1e-300]], 3),
        ([[np.nan, 0.0], [0.0, 1.0]], 1),
        ([[1.0, 0.0], [np.nan, 1.0]], 2),
        ([[np.inf, 0.0], [0.0, 1.0]], 1),
    ],
)
def test_cholesky_names_the_first_pivot_that_is_not_positive(matrix: list[list[float]], status: int) -> None:
    assert cholesky(matrix, np.ones(len(matrix)))[0] == status


@pytest.mark.parametrize("n", range(2, 13))
def test_cholesky_of_the_hilbert_matrix_solves_stably(n: int) -> None:
    a = scipy.linalg.hilbert(n)
    b = a @ np.ones(n)
    status, _, x = cholesky(a, b)
    assert status == 0
    assert backward_error(a, x, b) < 10 * EPSILON


# Minimum norm


@st.composite
def deficient_systems(draw: st.DrawFn) -> tuple[int, Vector, Vector]:
    m, n = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    rank = draw(st.integers(0, min(m, n)))
    seed = draw(seeds)
    return rank, matrix_of_rank(rank, m, n, seed), random(seed + 1).normal(size=m)


@pytest.mark.parametrize("scale", SCALES)
@given(system=deficient_systems())
def test_minimum_norm_agrees_with_the_pseudoinverse(scale: float, system: tuple[int, Vector, Vector]) -> None:
    true_rank, a, b = system
    rank, x, residual = minimum_norm(a * scale, b)
    assert rank == true_rank
    expected = np.linalg.pinv(a, rcond=1e-10) @ b
    np.testing.assert_allclose(x * scale, expected, atol=1e-13 * float(1 + np.linalg.norm(b)))
    assert residual == pytest.approx(np.linalg.norm(a @ expected - b), abs=1e-12)


@given(system=deficient_systems())
def test_minimum_norm_is_orthogonal_to_the_null_space_and_its_residual_to_the_range(
    system: tuple[int, Vector, Vector],
) -> None:
    _, a, b = system
    _, x, _ = minimum_norm(a, b)
    null_space = scipy.linalg.null_space(a, rcond=1e-10)
    assert np.linalg.norm(null_space.T @ x) < 1e-13 * (1 + np.linalg.norm(b))
    assert np.linalg.norm(a.T @ (a @ x - b)) < 1e-13 * (1 + np.linalg.norm(b))


@given(n=st.integers(1, 8), seed=seeds)
def test_minimum_norm_of_a_regular_system_is_its_solution(n: int, seed: int) -> None:
    a, b = random(seed).normal(size=(n, n)), random(seed + 1).normal(size=n)
    rank, x, _ = minimum_norm(a, b)
    assert rank == n
    assert backward_error(a, x, b) < 100 * n * EPSILON


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (3, 4)])
def test_minimum_norm_of_zero_is_zero_with_rank_zero(shape: tuple[int, int]) -> None:
    rank, x, residual = minimum_norm(np.zeros(shape), np.ones(shape[0]))
    assert rank == 0
    assert not x.any()
    assert residual == pytest.approx(np.sqrt(shape[0]))


def test_minimum_norm_of_systems_without_equations_or_unknowns() -> None:
    rank, x, _ = minimum_norm(np.zeros((0, 3)), [])
    assert (rank, x.tolist()) == (0, [0.0, 0.0, 0.0])
    rank, x, residual = minimum_norm(np.zeros((2, 0)), [3.0, 4.0])
    assert (rank, x.tolist()) == (0, [])
    assert residual == pytest.approx(5.0)


def test_minimum_norm_decides_the_rank_by_the_tolerance() -> None:
    a = np.diag([1.0, 1e-3, 1e-9, 1e-15])
    ranks = [minimum_norm(a, np.ones(4), tolerance)[0] for tolerance in (1e-2, 1e-6, 1e-12, 1e-15 / 2)]
    assert ranks == [1, 2, 3, 4]
    assert minimum_norm(a, np.ones(4))[0] == 4
    assert minimum_norm(np.diag([1.0, 1e-17]), np.ones(2))[0] == 1


@pytest.mark.parametrize("n", [4, 8, 12, 20])
def test_minimum_norm_of_the_hilbert_matrix_fits_as_well_as_lapack(n: int) -> None:
    a = scipy.linalg.hilbert(n)
    b = a @ np.ones(n)
    rank, x, residual = minimum_norm(a, b, 1e-12)
    theirs, _, their_rank, _ = scipy.linalg.lstsq(a, b, cond=1e-12, lapack_driver="gelsy")
    assert abs(rank - their_rank) <= 1
    assert residual < 1e-11
    np.testing.assert_allclose(a @ x, a @ theirs, atol=1e-11)


@pytest.mark.parametrize("poison", [np.nan, np.inf])
def test_minimum_norm_refuses_what_is_not_finite(poison: float) -> None:
    assert minimum_norm([[1.0, poison]], [1.0])[0] == -1
    assert minimum_norm([[1.0, 2.0]], [poison])[0] == -1


@pytest.mark.parametrize("exponent", [-320, -300, -200, 200, 300, 307])
def test_minimum_norm_holds_at_the_ends_of_the_range_of_doubles(exponent: int) -> None:
    size = float(f"1e{exponent}")
    rank, x, _ = minimum_norm([[size, size], [size, size]], [size, size])
    assert rank == 1
    np.testing.assert_allclose(x, [0.5, 0.5], rtol=1e-3 if exponent < -310 else 1e-14)


# Shortest solution of a band


def staircase(m: int, wide: int, step: int, seed: int) -> Vector:
    """Rows of ``wide`` entries, each ``step`` columns further right; rows share columns with their neighbours."""
    a = np.zeros((m, (m - 1) * step + wide))
    for row in range(m):
        a[row, row * step : row * step + wide] = random(seed + row).uniform(0.5, 2, wide)
        a[row, row * step] += 3
    return a


@given(m=st.integers(1, 30), wide=st.integers(1, 7), step=st.integers(1, 3), seed=seeds)
def test_the_band_gives_the_shortest_solution(m: int, wide: int, step: int, seed: int) -> None:
    a, b = staircase(m, wide, step, seed), random(seed).normal(size=m)
    x = shortest_band(a, b, (wide - 1) // step)
    assert x is not None
    np.testing.assert_allclose(x, np.linalg.pinv(a) @ b, atol=1e-9 * float(1 + np.linalg.norm(b)))


def test_the_band_refuses_rows_that_depend_on_others_or_are_not_finite() -> None:
    a = staircase(6, 3, 1, 1)
    a[3] = 2 * a[2]
    assert shortest_band(a, np.ones(6), 2) is None
    a[3] = a[2] * 2 + 1e-5 * a[3]
    assert shortest_band(a, np.ones(6), 2) is None
    for poison in (np.nan, np.inf):
        broken = staircase(6, 3, 1, 1)
        broken[2, 3] = poison
        assert shortest_band(broken, np.ones(6), 2) is None
