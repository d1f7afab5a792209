"""The order of each integrator and of its dense output, measured by halving equal steps."""

from __future__ import annotations

from math import cos, exp, log2, sin

import numpy as np
import pytest
import scipy.special
from numpy.typing import ArrayLike
from test_integrators_bridge import DONE, METHODS, Fixed, Integrator, fixed_steps
from test_runtime_bridge import Vector

STEPS = {"dopri5": (40, 80), "dop853": (8, 16), "radau5": (20, 40)}
ORDER = {"dopri5": 5, "dop853": 8, "radau5": 5}
DENSE_ORDER = {"dopri5": 4, "dop853": 7, "radau5": 4}

END = 4.0


def rigid_body(_t: float, y: Vector) -> ArrayLike:
    """Euler's equations of a body that turns freely, from (1, 0, 0.9)."""
    return [-2 * y[1] * y[2], 1.25 * y[0] * y[2], -0.5 * y[0] * y[1]]


def rigid_body_solution(t: float) -> Vector:
    """Comparing y = (cn, b sn, 0.9 dn) of w t with the equations gives b^2 = 5/8, w = 1.8 b, m = 1/3.24."""
    b = 0.625**0.5
    sn, cn, dn, _ = scipy.special.ellipj(1.8 * b * t, 1 / 3.24)
    return np.array([cn, b * sn, 0.9 * dn])


def forced(t: float, y: Vector) -> ArrayLike:
    """Linear with a matrix that is not normal; the solution is (sin 2t, exp(-t))."""
    pull: Vector = np.dot(FORCED_MATRIX, y - forced_solution(t))
    return [pull[0] + 2 * cos(2 * t), pull[1] - exp(-t)]


FORCED_MATRIX = ((-3.0, 5.0), (0.5, -1.0))


def forced_solution(t: float) -> Vector:
    return np.array([sin(2 * t), exp(-t)])


PROBLEMS = {
    "dopri5": (rigid_body, rigid_body_solution, None),
    "dop853": (rigid_body, rigid_body_solution, None),
    # With a huge tolerance Newton stops after one iteration, which is exact if f is linear.
    "radau5": (forced, forced_solution, lambda _t, _y: FORCED_MATRIX),
}


def runs(method: str, at: float = 0.4) -> list[Fixed]:
    f, solution, jacobian = PROBLEMS[method]
    return [
        fixed_steps(method, f, solution(0.0), END, count, at=at, jacobian=jacobian) for count in STEPS[method]
    ]


def inside_error(method: str, run: Fixed) -> float:
    return max(float(np.abs(value - PROBLEMS[method][1](t)).max()) for t, value in run.inside)


@pytest.mark.parametrize("method", METHODS)
def test_halving_the_step_divides_the_error_by_two_to_the_order(method: str) -> None:
    coarse, fine = (float(np.abs(run.y - PROBLEMS[method][1](END)).max()) for run in runs(method))
    assert log2(coarse / fine) == pytest.approx(ORDER[method], abs=0.3)
    assert fine > 1e-14  # above rounding, or nothing was measured


@pytest.mark.parametrize("at", [0.13, 0.4, 0.77])
@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_dense_output(method: str, at: float) -> None:
    coarse, fine = (inside_error(method, run) for run in runs(method, at))
    assert log2(coarse / fine) > DENSE_ORDER[method] - 0.3
    assert fine > 1e-14


@pytest.mark.parametrize("method", METHODS)
def test_dense_output_meets_both_ends_of_the_step_and_its_slopes(method: str) -> None:
    f, solution, _ = PROBLEMS[method]
    integrator = Integrator(method, f, solution(0.0), rtol=1e-8, atol=1e-8)
    for _ in range(5):
        before = integrator.y.copy()
        assert integrator.step(2.0) == DONE
        t_old, t = integrator.state.t_old, integrator.state.t
        np.testing.assert_allclose(integrator.dense(t_old), before, rtol=0, atol=1e-15)
        np.testing.assert_allclose(integrator.dense(t), integrator.y, rtol=0, atol=1e-15)
        nudge = 1e-4 * (t - t_old)
        slope = (integrator.dense(t) - integrator.dense(t - nudge)) / nudge
        np.testing.assert_allclose(slope, np.asarray(f(t, integrator.y)), atol=1e-2)


def test_dop853_pays_for_dense_output_only_when_asked_and_once_a_step() -> None:
    integrator = Integrator("dop853", rigid_body, rigid_body_solution(0.0), rtol=1e-8, atol=1e-8)
    assert integrator.step(2.0) == DONE
    before = integrator.state.evaluations
    assert integrator.step(2.0) == DONE
    assert (
        integrator.state.evaluations - before
        == 12 * (1 + integrator.state.rejected) - integrator.state.rejected
    )
    before = integrator.state.evaluations
    for share in (0.1, 0.5, 0.9):
        t = integrator.state.t_old + share * (integrator.state.t - integrator.state.t_old)
        np.testing.assert_allclose(integrator.dense(t), rigid_body_solution(t), rtol=1e-7)
    assert integrator.state.evaluations - before == 3


def test_radau5_reaches_its_order_on_a_nonlinear_system() -> None:
    """Tighter tolerances take more steps N; the error goes about as N^-5."""
    results = []
    for rtol in (1e-6, 1e-10):
        integrator = Integrator("radau5", rigid_body, rigid_body_solution(0.0), rtol=rtol, atol=rtol)
        assert integrator.run(END) == DONE
        results.append((integrator.state.steps, np.abs(integrator.y - rigid_body_solution(END)).max()))
    (few, coarse), (many, fine) = results
    assert np.log(coarse / fine) / np.log(many / few) > 4.0, results
