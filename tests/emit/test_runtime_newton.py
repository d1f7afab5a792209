"""Newton's method in a trust region: published problems, mechanisms, and the ways in which there is no root.

Problems called MGH are numbered as in J. J. Moré, B. S. Garbow, K. E. Hillstrom, "Testing unconstrained
optimization software", ACM TOMS 7 (1981).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from test_runtime_bridge import (
    CONVERGED,
    ITERATION_LIMIT,
    NO_PROGRESS,
    NOT_FINITE,
    NewtonResult,
    Vector,
    newton,
)

Residual = Callable[[Vector], Any]


def solve(residual: Residual, start: ArrayLike, **options: float) -> NewtonResult:
    """Newton with the Jacobian by complex steps, which are exact to rounding."""

    def jacobian(x: Vector) -> Vector:
        tiny = 1e-30
        columns = []
        for j in range(len(x)):
            shifted = x.astype(complex)
            shifted[j] += 1j * tiny
            columns.append(np.imag(np.asarray(residual(shifted))) / tiny)
        return np.array(columns).T

    return newton(residual, jacobian, start, **options)  # type: ignore[arg-type]


def rosenbrock(x: Vector) -> Any:
    return [10 * (x[1] - x[0] ** 2), 1 - x[0]]


def powell_singular(x: Vector) -> Any:
    pair, other = x[1] - 2 * x[2], x[0] - x[3]
    return [x[0] + 10 * x[1], 5**0.5 * (x[2] - x[3]), pair**2, 10**0.5 * other**2]


def powell_badly_scaled(x: Vector) -> Any:
    return [1e4 * x[0] * x[1] - 1, np.exp(-x[0]) + np.exp(-x[1]) - 1.0001]


def helical_valley(x: Vector) -> Any:
    turn = np.arctan(x[1] / x[0]) / (2 * np.pi) + (0.5 if x[0].real < 0 else 0.0)
    return [10 * (x[2] - 10 * turn), 10 * (np.sqrt(x[0] ** 2 + x[1] ** 2) - 1), x[2]]


def brown_almost_linear(x: Vector) -> Any:
    residual = x + x.sum() - (len(x) + 1)
    residual[-1] = np.prod(x) - 1
    return residual


def trigonometric(x: Vector) -> Any:
    i = np.arange(1, len(x) + 1)
    return len(x) - np.cos(x).sum() + i * (1 - np.cos(x)) - np.sin(x)


def broyden_tridiagonal(x: Vector) -> Any:
    padded = np.concatenate([[0.0], x, [0.0]])
    return (3 - 2 * x) * x - padded[:-2] - 2 * padded[2:] + 1


def discrete_boundary_value(x: Vector) -> Any:
    h = 1 / (len(x) + 1)
    t = h * np.arange(1, len(x) + 1)
    padded = np.concatenate([[0.0], x, [0.0]])
    return 2 * x - padded[:-2] - padded[2:] + h**2 * (x + t + 1) ** 3 / 2


def boundary_start(n: int) -> Vector:
    t = np.arange(1, n + 1) / (n + 1)
    return np.asarray(t * (t - 1))


@pytest.mark.parametrize(
    ("residual", "start"),
    [
        pytest.param(rosenbrock, [-1.2, 1.0], id="MGH 1 Rosenbrock"),
        pytest.param(rosenbrock, [-120.0, 100.0], id="MGH 1 Rosenbrock, from 100 times as far"),
        pytest.param(powell_badly_scaled, [0.0, 1.0], id="MGH 3 Powell badly scaled"),
        pytest.param(helical_valley, [-1.0, 0.0, 0.0], id="MGH 7 helical valley"),
        pytest.param(powell_singular, [3.0, -1.0, 0.0, 1.0], id="MGH 13 Powell singular"),
        pytest.param(trigonometric, [0.1] * 10, id="MGH 26 trigonometric"),
        pytest.param(brown_almost_linear, [0.5] * 5, id="MGH 27 Brown almost linear, 5"),
        pytest.param(brown_almost_linear, [0.5] * 10, id="MGH 27 Brown almost linear, 10"),
        pytest.param(brown_almost_linear, [0.5] * 40, id="MGH 27 Brown almost linear, 40"),
        pytest.param(discrete_boundary_value, boundary_start(20), id="MGH 28 discrete boundary value"),
        pytest.param(broyden_tridiagonal, [-1.0] * 20, id="MGH 30 Broyden tridiagonal"),
    ],
)
def test_published_problems_are_solved(residual: Residual, start: ArrayLike) -> None:
    result = solve(residual, start)
    assert result.status == CONVERGED
    assert result.residual_norm <= 1e-12
    assert result.residual_norm == pytest.approx(np.linalg.norm(residual(result.x)), rel=1e-9, abs=1e-15)


def test_the_search_is_not_caught_where_damped_newton_steps_are() -> None:
    """Powell's example of 1970: damped steps end near x1 = 1.8, where J is singular and ||F|| not least."""
    result = solve(lambda x: [x[0], 10 * x[0] / (x[0] + 0.1) + 2 * x[1] ** 2], [3.0, 1.0])
    assert result.status == CONVERGED
    np.testing.assert_allclose(result.x, [0.0, 0.0], atol=1e-5)


# Mechanisms


def four_bar(crank: float, links: tuple[float, float, float, float]) -> Residual:
    """Loop closure of ground, crank, coupler, rocker; the unknowns are the angles of the last two."""
    ground, a, b, c = links

    def residual(x: Vector) -> Any:
        return [
            a * np.cos(crank) + b * np.cos(x[0]) - ground - c * np.cos(x[1]),
            a * np.sin(crank) + b * np.sin(x[0]) - c * np.sin(x[1]),
        ]

    return residual


def test_a_four_bar_is_followed_through_a_turn_and_comes_back() -> None:
    grashof = (4.0, 1.0, 3.5, 3.0)
    x = solve(four_bar(0.0, grashof), [1.0, 2.0]).x
    beginning = x
    for crank in np.linspace(0.0, 2 * np.pi, 73)[1:]:
        result = solve(four_bar(crank, grashof), x)
        assert result.status == CONVERGED
        assert np.abs(result.x - x).max() < 0.3
        x = result.x
    np.testing.assert_allclose(x, beginning, atol=1e-11)


def test_a_four_bar_that_cannot_close_says_so_at_the_nearest_miss() -> None:
    too_short = (4.0, 1.0, 0.8, 1.0)
    result = solve(four_bar(np.pi / 2, too_short), [0.0, 2.0])
    assert result.status == NO_PROGRESS
    gap = np.hypot(4.0, 1.0) - 1.8
    assert result.residual_norm == pytest.approx(gap, rel=1e-9)


def test_a_four_bar_at_its_dead_point_converges_although_the_jacobian_is_singular() -> None:
    change_point = (3.0, 1.0, 2.0, 2.0)
    result = solve(four_bar(0.0, change_point), [0.5, 2.0])
    assert result.status == CONVERGED
    folded = solve(four_bar(0.0, (4.0, 1.0, 2.0, 1.0)), [0.01, 3.2])
    assert folded.status == CONVERGED
    np.testing.assert_allclose(folded.x, [0.0, np.pi], atol=1e-5)


# More unknowns than equations, repeated equations, contradictions


def test_with_a_linear_system_the_step_is_the_shortest() -> None:
    start = np.array([5.0, 1.0, 2.0])
    result = solve(lambda x: [x[0] + x[1] + x[2] - 3], start)
    assert (result.status, result.iterations, result.rank) == (CONVERGED, 1, 1)
    np.testing.assert_allclose(result.x, start - (start.sum() - 3) / 3, rtol=1e-15)


@given(angle=st.floats(0, 2 * np.pi), distance=st.floats(0.2, 20))
def test_on_a_circle_the_nearest_point_is_found(angle: float, distance: float) -> None:
    direction = np.array([np.cos(angle), np.sin(angle)])
    result = solve(lambda x: [x[0] ** 2 + x[1] ** 2 - 1], distance * direction)
    assert result.status == CONVERGED
    np.testing.assert_allclose(result.x, direction, atol=1e-12)


def test_repeated_equations_do_no_harm() -> None:
    square = solve(lambda x: [x[0] + x[1] - 2, 2 * x[0] + 2 * x[1] - 4], [5.0, 1.0])
    assert (square.status, square.rank) == (CONVERGED, 1)
    np.testing.assert_allclose(square.x, [3.0, -1.0], rtol=1e-15)
    tall = solve(lambda x: [x[0] ** 2 - 4, x[0] * x[1] - 2, x[1] ** 2 - 1], [1.0, 3.0])
    assert (tall.status, tall.rank) == (CONVERGED, 2)
    np.testing.assert_allclose(tall.x, [2.0, 1.0], rtol=1e-12)


@pytest.mark.parametrize("start", [0.7, 1.0, -3.0, 1e5, 1e-9])
def test_a_square_plus_one_has_no_root_and_is_given_up_at_its_least_value(start: float) -> None:
    result = solve(lambda x: [x[0] ** 2 + 1], [start])
    assert result.status == NO_PROGRESS
    assert result.iterations < 60
    assert result.residual_norm == pytest.approx(1.0, abs=1e-12)


def test_contradictory_equations_are_given_up_at_the_least_squares_solution() -> None:
    result = solve(lambda x: [x[0] - 1, x[0] - 2], [5.0])
    assert result.status == NO_PROGRESS
    assert result.x[0] == pytest.approx(1.5)


def test_freudenstein_and_roth_are_given_up_at_the_known_local_minimum() -> None:
    """MGH 2 from the standard start: ||F||^2 = 48.9842 at (11.41, -0.8968)."""

    def residual(x: Vector) -> Any:
        return [
            x[0] - 13 + ((5 - x[1]) * x[1] - 2) * x[1],
            x[0] - 29 + ((x[1] + 1) * x[1] - 14) * x[1],
        ]

    result = solve(residual, [0.5, -2.0])
    assert result.status == NO_PROGRESS
    assert result.residual_norm**2 == pytest.approx(48.9842, rel=1e-5)
    np.testing.assert_allclose(result.x, [11.41, -0.8968], rtol=1e-3)


def test_a_constant_that_is_not_zero_is_given_up_at_once() -> None:
    result = solve(lambda x: [1.0 + 0 * x[0]], [3.0])
    assert (result.status, result.rank, result.x[0]) == (NO_PROGRESS, 0, 3.0)


def test_equations_without_unknowns_are_a_yes_or_no_question() -> None:
    assert newton(lambda x: [0.0], lambda x: np.zeros((1, 0)), []).status == CONVERGED
    assert newton(lambda x: [1.0], lambda x: np.zeros((1, 0)), []).status == NO_PROGRESS


# Edges of the domain, and numbers that are not finite


@pytest.mark.parametrize(
    ("residual", "start", "root"),
    [
        pytest.param(lambda x: [np.log(x[0])], 100.0, 1.0, id="log: the first step is far below zero"),
        pytest.param(lambda x: [np.log(x[0]) - 5], 1e-3, np.exp(5), id="log from near its edge"),
        pytest.param(lambda x: [np.sqrt(x[0]) - 1e-3], 4.0, 1e-6, id="sqrt near its edge"),
        pytest.param(lambda x: [np.arctan(x[0])], 10.0, 0.0, id="arctan: plain Newton diverges"),
        pytest.param(lambda x: [1 / x[0] - 10], 5.0, 0.1, id="a pole between start and root"),
        pytest.param(lambda x: [np.exp(x[0]) - 1e-100], 200.0, -100 * np.log(10), id="exp overflows"),
    ],
)
def test_the_search_turns_back_at_the_edge_of_the_domain(
    residual: Residual, start: float, root: float
) -> None:
    tolerance = 1e-112 if root < -100 else 1e-12
    result = solve(residual, [start], tolerance=tolerance, limit=1000)
    assert result.status == CONVERGED
    assert result.x[0] == pytest.approx(root, rel=1e-9, abs=1e-9)


def test_a_start_outside_the_domain_is_reported() -> None:
    result = solve(lambda x: [np.sqrt(x[0])], [-1.0])
    assert (result.status, result.iterations, result.rank) == (NOT_FINITE, 0, -1)
    assert np.isnan(result.residual_norm)
    assert result.x[0] == -1.0


def test_a_jacobian_that_is_not_finite_is_reported() -> None:
    result = newton(lambda x: [x[0] - 1], lambda x: [[np.inf]], [0.0])
    assert (result.status, result.rank) == (NOT_FINITE, -1)


def test_a_function_defined_only_at_the_start_is_given_up_without_leaving_it() -> None:
    result = newton(lambda x: [1.0 if x[0] == 2.0 else np.nan], lambda x: [[1.0]], [2.0])
    assert (result.status, result.x[0]) == (NO_PROGRESS, 2.0)


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1e280, 1e-280])
def test_the_unit_of_the_equations_makes_no_difference(scale: float) -> None:
    result = solve(lambda x: [scale * (x[0] ** 2 - 2)], [1.0], tolerance=1e-14 * scale)
    assert result.status == CONVERGED
    assert result.x[0] == pytest.approx(2**0.5, rel=1e-14)


@pytest.mark.parametrize("scale", [1e120, 1e-120])
def test_the_unit_of_the_unknowns_makes_no_difference(scale: float) -> None:
    def residual(x: Vector) -> Any:
        y = x / scale
        return [y[0] ** 2 + y[1] ** 2 - 5, y[0] * y[1] - 2]

    result = solve(residual, [3 * scale, 0.5 * scale])
    assert result.status == CONVERGED
    np.testing.assert_allclose(result.x / scale, [2.0, 1.0], rtol=1e-12)


# Limits and promises


def test_a_root_given_as_the_start_is_returned_unchanged() -> None:
    result = solve(rosenbrock, [1.0, 1.0])
    assert (result.status, result.iterations, result.residual_norm) == (CONVERGED, 0, 0.0)


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_the_limit_on_iterations_is_kept(limit: int) -> None:
    result = solve(rosenbrock, [-1.2, 1.0], limit=limit)
    assert (result.status, result.iterations) == (ITERATION_LIMIT, limit)


def test_an_impossible_tolerance_ends_at_the_rounding_floor() -> None:
    result = solve(lambda x: [x[0] ** 2 - 2, x[1] ** 3 - 5], [1.0, 1.0], tolerance=0.0)
    assert result.status in (CONVERGED, NO_PROGRESS)
    assert result.residual_norm < 1e-14


def test_the_first_radius_bounds_the_first_step() -> None:
    visited: list[float] = []

    def residual(x: Vector) -> Any:
        visited.append(float(x[0].real))
        return [x[0] - 100.0]

    result = newton(residual, lambda x: [[1.0]], [0.0], first_radius=0.5)
    assert result.status == CONVERGED
    assert next(x for x in visited if x) == 0.5


def test_a_step_that_rounding_swallows_ends_the_search_at_once() -> None:
    """Next to 1e16 the doubles are 2 apart."""
    result = newton(lambda x: [(x[0] - 1e16) - 0.3], lambda x: [[1.0]], [1e16])
    assert (result.status, result.iterations, result.x[0]) == (NO_PROGRESS, 1, 1e16)


def test_no_step_is_more_than_twice_as_long_as_the_one_before() -> None:
    """A nearly flat piece after the first step must not throw x a thousand units away."""
    visited: list[float] = []

    def residual(x: Vector) -> Any:
        visited.append(float(x[0]))
        return [x[0] - 1 if x[0] < 0.9 else -0.1 + 1e-3 * (x[0] - 0.9)]

    newton(residual, lambda x: [[1.0 if x[0] < 0.9 else 1e-3]], [0.0])
    path = list(dict.fromkeys(visited))
    lengths = np.abs(np.diff(path))
    assert path[-1] == pytest.approx(100.9)
    assert (lengths[1:] <= 2 * lengths[:-1] * (1 + 1e-12)).all()


@given(
    n=st.integers(1, 5),
    m=st.integers(1, 5),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_residual_never_grows_and_a_success_is_one(n: int, m: int, seed: int) -> None:
    """On random quadratic systems of any shape: what is reported is true of the x returned."""
    generator = np.random.default_rng(seed)
    quadratic, linear = generator.normal(size=(m, n, n)), generator.normal(size=(m, n))
    constant, start = generator.normal(size=m), generator.normal(size=n)

    def residual(x: Vector) -> Vector:
        return np.asarray(np.einsum("ijk,j,k->i", quadratic, x, x) + linear @ x + constant)

    def jacobian(x: Vector) -> Vector:
        return np.asarray(np.einsum("ijk,k->ij", quadratic + quadratic.swapaxes(1, 2), x) + linear)

    result = newton(residual, jacobian, start, tolerance=1e-11)
    truth = float(np.linalg.norm(residual(result.x)))
    assert result.residual_norm == pytest.approx(truth, rel=1e-12, abs=1e-15)
    assert truth <= np.linalg.norm(residual(start))
    assert (result.status == CONVERGED) == (result.residual_norm <= 1e-11)
    if result.status == NO_PROGRESS:
        slope = np.linalg.norm(jacobian(result.x).T @ residual(result.x))
        usual = np.linalg.norm(linear) + np.linalg.norm(quadratic) * np.linalg.norm(result.x)
        assert slope < 1e-5 * truth * usual
