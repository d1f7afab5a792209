"""What the integrators do at the edges: where a step ends, what may change in between, what f may refuse."""

from __future__ import annotations

from math import cos, exp, inf, isfinite, nan, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from test_integrators_bridge import (
    DONE,
    EXPLICIT,
    METHODS,
    NO_RATE,
    NOT_FINITE,
    REFUSED,
    TOO_SHORT,
    Integrator,
)
from test_integrators_problems import finish, kepler, oscillator, robertson, van_der_pol
from test_runtime_bridge import Vector

pytestmark = pytest.mark.parametrize("method", METHODS)


def decay(_t: float, y: Vector) -> ArrayLike:
    return -y


# Where a step ends.


@given(
    start=st.floats(-1e3, 1e3),
    span=st.floats(1e-12, 3.0),
    direction=st.sampled_from([1, -1]),
    h=st.sampled_from([0.0, 0.1, -7.0, 1e9]),
)
def test_t_end_is_met_exactly(method: str, start: float, span: float, direction: int, h: float) -> None:
    t_end = start + direction * span
    integrator = Integrator(method, oscillator, [cos(start), -sin(start)], start, h=h)
    assert integrator.run(t_end) == DONE
    assert integrator.state.t == t_end
    np.testing.assert_allclose(integrator.y, [cos(t_end), -sin(t_end)], atol=1e-4)


def test_no_step_goes_beyond_t_end_or_h_max(method: str) -> None:
    times: list[float] = []

    def f(t: float, y: Vector) -> ArrayLike:
        times.append(t)
        return oscillator(t, y)

    integrator = Integrator(method, f, [1.0, 0.0], rtol=1e-3, atol=1e-3, h=5.0, h_max=0.25)
    while integrator.state.t != 1.9:
        assert integrator.step(1.9) == DONE
        assert integrator.state.t - integrator.state.t_old <= 0.25 * 1.01
    assert max(times) <= 1.9 * (1 + 1e-15)


def test_the_last_two_steps_are_equal_rather_than_a_long_one_and_a_crumb(method: str) -> None:
    integrator = Integrator(method, decay, [1.0], rtol=1e-3, atol=1e-3, h=1.0, h_max=1.0)
    ends = []
    while integrator.state.t != 2.2:
        assert integrator.step(2.2) == DONE
        ends.append(integrator.state.t)
    assert ends == pytest.approx([1.0, 1.6, 2.2])


def test_a_step_of_no_length_does_nothing(method: str) -> None:
    integrator = Integrator(method, oscillator, [1.0, 0.0], 3.0)
    assert integrator.step(3.0) == DONE
    assert integrator.state.evaluations == integrator.state.steps == 0
    np.testing.assert_array_equal(integrator.dense(3.0), [1.0, 0.0])
    assert integrator.step(4.0) == DONE
    middle = 0.5 * (3.0 + integrator.state.t)
    inside = integrator.dense(middle)
    assert integrator.step(integrator.state.t) == DONE
    np.testing.assert_array_equal(integrator.dense(middle), inside)


def test_stopping_often_costs_little(method: str) -> None:
    """The proposal survives being cut by t_end: each row of a table costs one short step, not a new start."""
    rows = np.linspace(0.0, 20.0, 8)[1:]
    alone = finish(method, oscillator, [1.0, 0.0], 20.0, 1e-6)
    integrator = Integrator(method, oscillator, [1.0, 0.0])
    for row in rows:
        assert integrator.run(row) == DONE
    assert integrator.state.steps <= alone.state.steps + 2 * len(rows)


def test_a_short_rest_before_t_end_does_not_shorten_what_follows(method: str) -> None:
    integrator = finish(method, oscillator, [1.0, 0.0], 10.0, 1e-6)
    before = integrator.state.h
    assert integrator.run(10.0 + 1e-9) == DONE
    assert integrator.state.h > 0.2 * before
    rejected = integrator.state.rejected
    assert integrator.step(20.0) == DONE
    assert integrator.state.rejected <= rejected + 1
    assert integrator.run(20.0) == DONE
    np.testing.assert_allclose(integrator.y, [cos(20.0), -sin(20.0)], atol=1e-3)


def test_there_and_back(method: str) -> None:
    integrator = finish(method, kepler, [0.4, 0.0, 0.0, 2.0], 2.0, 1e-10)
    assert integrator.run(0.0) == DONE
    np.testing.assert_allclose(integrator.y, [0.4, 0.0, 0.0, 2.0], atol=1e-7)
    t = 0.5 * (integrator.state.t_old + integrator.state.t)
    assert integrator.state.t_old > t > 0.0
    forth = finish(method, kepler, [0.4, 0.0, 0.0, 2.0], t, 1e-10)
    np.testing.assert_allclose(integrator.dense(t), forth.y, atol=1e-6)


def test_a_late_clock_does_no_harm(method: str) -> None:
    late = 1e9
    integrator = Integrator(method, oscillator, [1.0, 0.0], late, rtol=1e-7, atol=1e-7)
    assert integrator.run(late + 2.0) == DONE
    np.testing.assert_allclose(integrator.y, [cos(2.0), -sin(2.0)], atol=1e-5)


def test_without_an_end_it_goes_on(method: str) -> None:
    integrator = Integrator(method, oscillator, [1.0, 0.0])
    for _ in range(20):
        assert integrator.step(inf) == DONE
    t = integrator.state.t
    np.testing.assert_allclose(integrator.y, [cos(t), -sin(t)], atol=1e-3)


def test_no_unknowns_at_all(method: str) -> None:
    integrator = Integrator(method, lambda _t, y: y, [])
    assert integrator.run(5.0) == DONE
    assert integrator.dense(4.5).shape == (0,)
    assert Integrator(method, lambda _t, _y: None, []).step(1.0) == NO_RATE


def test_a_component_that_stays_zero_needs_no_absolute_tolerance(method: str) -> None:
    integrator = Integrator(method, decay, [1.0, 0.0], rtol=1e-8, atol=0.0)
    assert integrator.run(1.0) == DONE
    np.testing.assert_allclose(integrator.y, [exp(-1.0), 0.0], rtol=1e-6)


# What may change between steps.


def test_the_caller_may_project_after_every_step(method: str) -> None:
    integrator = Integrator(method, oscillator, [1.0, 0.0], rtol=1e-4, atol=1e-4)
    while integrator.state.t != 30.0:
        assert integrator.step(30.0) == DONE
        integrator.y /= np.linalg.norm(integrator.y)
        integrator.changed()
    assert np.linalg.norm(integrator.y) == pytest.approx(1.0, abs=1e-15)
    np.testing.assert_allclose(integrator.y, [cos(30.0), -sin(30.0)], atol=2e-2)


def test_dense_output_is_that_of_the_step_even_when_y_has_changed(method: str) -> None:
    integrator = Integrator(method, oscillator, [1.0, 0.0], rtol=1e-9, atol=1e-9)
    for _ in range(3):
        assert integrator.step(10.0) == DONE
    t = 0.3 * integrator.state.t_old + 0.7 * integrator.state.t
    integrator.y[:] = 1e6
    integrator.changed()
    np.testing.assert_allclose(integrator.dense(t), [cos(t), -sin(t)], atol=1e-7)


def test_a_change_counts_from_the_next_step_on(method: str) -> None:
    integrator = Integrator(method, decay, [1.0], rtol=1e-9, atol=1e-9)
    assert integrator.run(1.0) == DONE
    integrator.y[0] = 5.0
    integrator.changed()
    assert integrator.run(2.0) == DONE
    assert integrator.y[0] == pytest.approx(5.0 * exp(-1.0), rel=1e-7)


def test_going_back_to_an_event_inside_the_step(method: str) -> None:
    """A ball on the ground: when it is found below it, go back to the impact, reflect, start afresh."""
    integrator = Integrator(method, lambda _t, y: [y[1], -2.0], [1.0, 0.0], rtol=1e-10, atol=1e-10)
    bounces = 0
    while integrator.state.t != 6.0:
        assert integrator.step(6.0) == DONE
        if integrator.y[0] < 0.0:
            impact = 1.0 + 2.0 * bounces
            assert integrator.state.t_old <= impact <= integrator.state.t
            integrator.y[:] = integrator.dense(impact)
            assert integrator.y[0] == pytest.approx(0.0, abs=1e-9)
            integrator.y[:] = [0.0, -integrator.y[1]]
            integrator.state.t = impact
            integrator.state.h = 0.0
            integrator.changed()
            bounces += 1
    assert bounces == 3
    np.testing.assert_allclose(integrator.y, [1.0, 0.0], atol=1e-7)


# What f may refuse.


def test_f_that_fails_at_the_start_is_reported(method: str) -> None:
    integrator = Integrator(method, lambda _t, _y: None, [1.0])
    assert integrator.step(1.0) == NO_RATE
    assert integrator.state.t == 0.0
    assert integrator.y[0] == 1.0


@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_what_is_not_finite_at_the_start_is_reported(method: str, bad: float) -> None:
    assert Integrator(method, lambda _t, _y: [0.0, bad], [1.0, 1.0]).step(1.0) == NOT_FINITE
    assert Integrator(method, oscillator, [1.0, bad]).step(1.0) == NOT_FINITE
    assert Integrator(method, oscillator, [1.0, 0.0], bad).step(1.0) == NOT_FINITE
    assert Integrator(method, oscillator, [1.0, 0.0]).step(nan) == NOT_FINITE


@pytest.mark.parametrize("refusal", [None, [nan], [inf]])
def test_a_wall_in_time_is_approached_and_not_passed(method: str, refusal: ArrayLike | None) -> None:
    integrator = Integrator(method, lambda t, y: -y if t <= 1.0 else refusal, [1.0])
    assert integrator.run(2.0) in (TOO_SHORT, REFUSED)
    assert 0.99 < integrator.state.t <= 1.0
    assert integrator.y[0] == pytest.approx(exp(-integrator.state.t), rel=1e-4)


@pytest.mark.parametrize("refusal", [None, [nan]])
def test_a_stage_outside_the_domain_only_halves_the_step(method: str, refusal: ArrayLike | None) -> None:
    """The solution stays above 0.9; a first step that is far too long does not."""
    integrator = Integrator(
        method, lambda t, y: -20 * (y - cos(t / 9)) if y[0] > 0.9 else refusal, [1.1], h=0.5
    )
    assert integrator.run(1.0) == DONE
    assert integrator.state.rejected >= 1
    assert integrator.y[0] == pytest.approx(cos(1 / 9), abs=1e-2)


def test_a_start_on_the_edge_of_the_domain(method: str) -> None:
    """Finite differences towards larger y fail; those towards smaller y do not."""
    integrator = Integrator(method, lambda _t, y: -y if y[0] <= 1.0 else None, [1.0], rtol=1e-8, atol=1e-8)
    assert integrator.run(1.0) == DONE
    assert integrator.y[0] == pytest.approx(exp(-1.0), rel=1e-6)


@pytest.mark.parametrize("refusal", [None, [nan, 1.0], [0.0, inf]])
def test_one_refusal_at_any_call_after_the_first_is_overcome(method: str, refusal: ArrayLike | None) -> None:
    for bad_call in range(2, 60):
        calls = 0

        def f(t: float, y: Vector) -> ArrayLike | None:
            nonlocal calls
            calls += 1
            return refusal if calls == bad_call else oscillator(t, y)  # noqa: B023

        integrator = Integrator(method, f, [1.0, 0.0], rtol=1e-7, atol=1e-7)
        assert integrator.run(2.0) == DONE
        np.testing.assert_allclose(integrator.y, [cos(2.0), -sin(2.0)], atol=1e-5)


def test_a_solution_that_explodes_ends_before_it_does(method: str) -> None:
    integrator = Integrator(method, lambda _t, y: y**2, [1.0], rtol=1e-8, atol=1e-8)
    assert integrator.run(2.0) in (TOO_SHORT, REFUSED)
    assert integrator.state.t == pytest.approx(1.0, abs=1e-4)
    assert isfinite(integrator.y[0])


@given(seed=st.integers(0, 2**32 - 1), share=st.floats(0.0, 0.6))
def test_nothing_that_is_not_finite_is_ever_accepted(method: str, seed: int, share: float) -> None:
    generator = np.random.default_rng(seed)

    def f(t: float, y: Vector) -> ArrayLike | None:
        luck = generator.uniform()
        if luck < share / 3:
            return None
        return np.full(2, nan) if luck < share * 2 / 3 else [inf, 0.0] if luck < share else oscillator(t, y)

    integrator = Integrator(method, f, [1.0, 0.0])
    for _ in range(10):
        status = integrator.step(3.0)
        assert np.isfinite(integrator.y).all()
        assert 0.0 <= integrator.state.t <= 3.0
        if status != DONE:
            break


def test_a_jump_of_f_is_passed(method: str) -> None:
    integrator = finish(method, lambda t, _y: [1.0 if t < pi / 3 else -1.0], [0.0], 2.0, 1e-7)
    assert integrator.y[0] == pytest.approx(2 * pi / 3 - 2.0, abs=1e-5)


# Stiffness.


def test_when_an_explicit_method_finds_stiffness_radau5_goes_on(method: str) -> None:
    if method not in EXPLICIT:
        pytest.skip("implicit")
    for f, start, t_end in ((van_der_pol(1e6), [2.0, 0.0], 0.5), (robertson, [1.0, 0.0, 0.0], 1e4)):
        first = Integrator(method, f, start, rtol=1e-6, atol=1e-9)
        while not first.state.stiff:
            assert first.step(t_end) == DONE
        second = Integrator("radau5", f, first.y, first.state.t, rtol=1e-6, atol=1e-9, h=first.state.h)
        assert second.run(t_end) == DONE
        assert first.state.steps + second.state.steps < 1000
