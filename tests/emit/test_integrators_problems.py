"""The integrators on problems whose solution is known: closed forms, published values, SciPy's integrators."""

from __future__ import annotations

from math import atan, cos, exp, pi, sin
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from test_integrators_bridge import DONE, EXPLICIT, METHODS, NOT_FINITE, Integrator, Rates
from test_integrators_order import rigid_body, rigid_body_solution
from test_runtime_bridge import Vector

SCIPY = {"dopri5": "RK45", "dop853": "DOP853", "radau5": "Radau"}


def finish(
    method: str, f: Rates, start: ArrayLike, t_end: float, tolerance: float, **more: Any
) -> Integrator:
    integrator = Integrator(method, f, start, rtol=tolerance, atol=tolerance, **more)
    assert integrator.run(t_end) == DONE
    assert integrator.state.t == t_end
    return integrator


def oscillator(_t: float, y: Vector) -> ArrayLike:
    return [y[1], -y[0]]


def arenstorf(_t: float, y: Vector) -> ArrayLike:
    """A body between earth and moon, in the frame that turns with them (Hairer I, II.0.1)."""
    moon = 0.012277471
    earth = 1 - moon
    to_earth = ((y[0] + moon) ** 2 + y[1] ** 2) ** 1.5
    to_moon = ((y[0] - earth) ** 2 + y[1] ** 2) ** 1.5
    return [
        y[2],
        y[3],
        y[0] + 2 * y[3] - earth * (y[0] + moon) / to_earth - moon * (y[0] - earth) / to_moon,
        y[1] - 2 * y[2] - earth * y[1] / to_earth - moon * y[1] / to_moon,
    ]


ARENSTORF_START = (0.994, 0.0, 0.0, -2.00158510637908252240537862224)
ARENSTORF_PERIOD = 17.0652165601579625588917206249


def kepler(_t: float, y: Vector) -> ArrayLike:
    cubed = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return [y[2], y[3], -y[0] / cubed, -y[1] / cubed]


def kepler_energy(y: Vector) -> float:
    return float(0.5 * (y[2] ** 2 + y[3] ** 2) - 1 / np.hypot(y[0], y[1]))


def van_der_pol(stiffness: float) -> Rates:
    """The form of the test sets: time in units of mu, stiffness = mu^2."""
    return lambda _t, y: [y[1], stiffness * ((1 - y[0] ** 2) * y[1] - y[0])]


def robertson(_t: float, y: Vector) -> ArrayLike:
    slow, fast, faster = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [-slow + fast, slow - fast - faster, faster]


def robertson_jacobian(_t: float, y: Vector) -> ArrayLike:
    fast, faster = 1e4 * np.array([y[2], y[1]]), 6e7 * y[1]
    return [[-0.04, *fast], [0.04, -fast[0] - faster, -fast[1]], [0.0, faster, 0.0]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_an_oscillator_keeps_time(method: str, tolerance: float) -> None:
    integrator = finish(method, oscillator, [1.0, 0.0], 20.0, tolerance)
    np.testing.assert_allclose(integrator.y, [cos(20), -sin(20)], atol=100 * tolerance)
    assert not integrator.state.stiff


@pytest.mark.parametrize("method", METHODS)
def test_a_rigid_body_turns_by_elliptic_functions(method: str) -> None:
    integrator = finish(method, rigid_body, rigid_body_solution(0.0), 12.0, 1e-9)
    np.testing.assert_allclose(integrator.y, rigid_body_solution(12.0), atol=1e-7)


@pytest.mark.parametrize(("method", "tolerance", "error"), [("dop853", 1e-12, 1e-7), ("dopri5", 1e-12, 1e-5)])
def test_the_arenstorf_orbit_closes(method: str, tolerance: float, error: float) -> None:
    integrator = finish(method, arenstorf, ARENSTORF_START, ARENSTORF_PERIOD, tolerance)
    np.testing.assert_allclose(integrator.y, ARENSTORF_START, atol=error)
    assert not integrator.state.stiff


@pytest.mark.parametrize("method", METHODS)
def test_a_planet_keeps_its_energy(method: str) -> None:
    start = np.array([0.4, 0.0, 0.0, 2.0])  # eccentricity 0.6
    integrator = Integrator(method, kepler, start, rtol=1e-10, atol=1e-10)
    largest = 0.0
    while integrator.state.t != 2 * pi:
        assert integrator.step(2 * pi) == DONE
        largest = max(largest, abs(kepler_energy(integrator.y) - kepler_energy(start)))
    assert largest < 1e-8
    np.testing.assert_allclose(integrator.y, start, atol=1e-7)


def test_radau5_jumps_with_van_der_pol() -> None:
    """Reference: Test Set for IVP Solvers, release 2.4, problem VDPOL at t = 2."""
    integrator = finish("radau5", van_der_pol(1e6), [2.0, 0.0], 2.0, 1e-9)
    np.testing.assert_allclose(integrator.y, [1.706167732170483, -0.8928097010247975], rtol=1e-6)
    assert integrator.state.jacobians < 0.6 * integrator.state.steps
    assert integrator.state.factorisations < 0.9 * integrator.state.steps


def test_radau5_follows_robertsons_reaction_over_eleven_decades() -> None:
    """Reference: Test Set for IVP Solvers, release 2.4, problem ROBER at t = 1e11."""
    for jacobian in (None, robertson_jacobian):
        integrator = Integrator(
            "radau5", robertson, [1.0, 0.0, 0.0], rtol=1e-8, atol=[1e-18, 1e-22, 1e-14], jacobian=jacobian
        )
        assert integrator.run(1e11) == DONE
        reference = [2.083340149701255e-8, 8.333360770334713e-14, 0.9999999791665050]
        np.testing.assert_allclose(integrator.y, reference, rtol=1e-8)
        assert integrator.state.steps < 1000
        assert integrator.state.rejected < 10


@pytest.mark.parametrize("refusal", [None, [[np.nan]], [[np.inf]]])
def test_a_jacobian_that_cannot_be_had_is_reported(refusal: ArrayLike | None) -> None:
    integrator = Integrator("radau5", lambda _t, y: -y, [1.0], jacobian=lambda _t, _y: refusal)
    assert [integrator.step(1.0), integrator.step(1.0)] == [NOT_FINITE, NOT_FINITE]
    assert (integrator.state.t, integrator.y[0]) == (0.0, 1.0)


@pytest.mark.parametrize("given_jacobian", [False, True])
@pytest.mark.parametrize("stiffness", [1e3, 1e6, 1e10])
def test_radau5_is_not_shaken_by_prothero_and_robinson(stiffness: float, given_jacobian: bool) -> None:
    """Y' = -stiffness (y - g) + g' from y = g(0) has the solution g, here atan, whatever the stiffness."""

    def f(t: float, y: Vector) -> ArrayLike:
        return -stiffness * (y - atan(t)) + 1 / (1 + t * t)

    jacobian = (lambda _t, _y: [[-stiffness]]) if given_jacobian else None
    integrator = Integrator("radau5", f, [0.0], rtol=1e-7, atol=1e-7, jacobian=jacobian)
    assert integrator.run(10.0) == DONE
    assert integrator.y[0] == pytest.approx(atan(10.0), abs=1e-6)
    assert integrator.state.steps < 100


@pytest.mark.parametrize("method", METHODS)
def test_the_work_is_about_that_of_scipy(method: str) -> None:
    """Radau: held to a looser estimate (see lw_radau5_stretch), so it takes fewer evaluations."""
    ours = finish(method, arenstorf, ARENSTORF_START, 10.0, 1e-8)
    theirs = solve_ivp(arenstorf, (0, 10), ARENSTORF_START, method=SCIPY[method], rtol=1e-8, atol=1e-8)
    exact = solve_ivp(arenstorf, (0, 10), ARENSTORF_START, method="DOP853", rtol=1e-13, atol=1e-13)
    assert ours.state.evaluations < 1.2 * theirs.nfev
    np.testing.assert_allclose(ours.y, exact.y[:, -1], atol=1e-4)


def test_one_step_of_dop853_is_that_of_scipy() -> None:
    theirs = solve_ivp(
        arenstorf, (0, 1e-3), ARENSTORF_START, method="DOP853", first_step=1e-3, rtol=1e-2, atol=1e-2
    )
    ours = Integrator("dop853", arenstorf, ARENSTORF_START, rtol=1e-2, atol=1e-2, h=1e-3)
    assert ours.step(1e-3) == DONE
    np.testing.assert_allclose(ours.y, theirs.y[:, -1], rtol=1e-14)


def test_one_step_of_dopri5_is_that_of_scipy() -> None:
    theirs = solve_ivp(
        arenstorf, (0, 1e-3), ARENSTORF_START, method="RK45", first_step=1e-3, rtol=1e-2, atol=1e-2
    )
    ours = Integrator("dopri5", arenstorf, ARENSTORF_START, rtol=1e-2, atol=1e-2, h=1e-3)
    assert ours.step(1e-3) == DONE
    np.testing.assert_allclose(ours.y, theirs.y[:, -1], rtol=1e-14)


@pytest.mark.parametrize("method", EXPLICIT)
def test_van_der_pol_is_found_stiff(method: str) -> None:
    integrator = Integrator(method, van_der_pol(1e3), [2.0, 0.0], rtol=1e-6, atol=1e-6)
    for _ in range(200):
        assert integrator.step(1.0) == DONE
    assert integrator.state.stiff


@pytest.mark.parametrize("method", EXPLICIT)
def test_robertsons_reaction_is_found_stiff(method: str) -> None:
    integrator = Integrator(method, robertson, [1.0, 0.0, 0.0], rtol=1e-6, atol=1e-9)
    for _ in range(400):
        assert integrator.step(100.0) == DONE
    assert integrator.state.stiff


@pytest.mark.parametrize("method", METHODS)
@given(n=st.integers(1, 5), seed=st.integers(0, 2**32 - 1), t_end=st.sampled_from([-1.5, 0.3, 2.0]))
def test_linear_systems_follow_the_matrix_exponential(method: str, n: int, seed: int, t_end: float) -> None:
    generator = np.random.default_rng(seed)
    a, start = generator.normal(size=(n, n)), generator.normal(size=n)
    integrator = finish(method, lambda _t, y: a @ y, start, t_end, 1e-8)
    size = float(exp(abs(t_end) * np.linalg.norm(a, 2)) * np.linalg.norm(start))
    np.testing.assert_allclose(integrator.y, scipy.linalg.expm(t_end * a) @ start, atol=1e-6 * size)


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5))
def test_radau5_damps_what_is_stiff_and_follows_the_rest(seed: int, n: int) -> None:
    """Eigenvalues from -1e6 to -0.1, mixed by a random rotation."""
    generator = np.random.default_rng(seed)
    rotation = np.linalg.qr(generator.normal(size=(n, n)))[0]
    a = rotation @ np.diag(-(10.0 ** generator.uniform(-1, 6, n))) @ rotation.T
    start = generator.normal(size=n)
    integrator = finish("radau5", lambda _t, y: a @ y, start, 3.0, 1e-7)
    np.testing.assert_allclose(integrator.y, scipy.linalg.expm(3.0 * a) @ start, atol=1e-5)
    assert integrator.state.steps < 500
