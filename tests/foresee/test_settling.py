"""Motions that settle into a cycle: what oscillators of van der Pol's kind come to, against what is known of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from driven_block import driven_block
from other_machines import graham_clock
from state_checks import check_states_of


def foreseen(folder: Path, mu: float, at: float = 0.5) -> lw.Forecast:
    return lw.predict(driven_block(folder, "a.tx^2/2", f"{mu}*(1 - a.tx^2)*a.tx_rate", at))


@pytest.mark.parametrize(("mu", "at"), [(0.05, 0.5), (0.05, 5.0), (0.2, 0.5), (0.002, 0.5)])
def test_a_swing_that_is_fed_weakly_settles_into_a_cycle(mu: float, at: float, tmp_path: Path) -> None:
    """Of small feedback μ the period is 2π(1 + μ²/16), the swing 4, and what differs falls by exp(-2πμ) each time."""
    forecast = foreseen(tmp_path, mu, at)
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    swing = pattern.swings["a.tx"]
    assert ending.kind == "goes on"
    assert pattern.repetitions == pytest.approx(1e6, rel=0.01)
    assert pattern.last_duration == pytest.approx(2 * math.pi * (1 + mu**2 / 16), rel=1e-5)
    assert swing.last_high - swing.last_low == pytest.approx(4.0, rel=1e-3)
    assert pattern.settles == pytest.approx(math.exp(-2 * math.pi * mu), rel=0.05)
    assert forecast.simulated_time < 5000
    assert "settling" in forecast.summary


@pytest.mark.parametrize(("mu", "period"), [(1.0, 6.6632868593), (10.0, 19.0783695669)])
def test_a_cycle_of_relaxation_goes_on(mu: float, period: float, tmp_path: Path) -> None:
    """The periods of van der Pol's oscillator, as published; its fast leaps do not hide where it turns back."""
    forecast = foreseen(tmp_path, mu)
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    assert ending.kind == "goes on"
    lasted = pattern.valid_until - pattern.valid_from
    assert lasted / pattern.repetitions == pytest.approx(period, rel=1e-6)


def test_states_of_a_settling_motion_are_those_of_a_simulation(tmp_path: Path) -> None:
    """On the way into the cycle and in it."""
    forecast = foreseen(tmp_path, 0.02)
    run = lw.simulate(forecast.machine, until=1200.0, step=0.01)
    check_states_of(forecast, run, "a.tx", np.linspace(1.0, 1199.0, 23), 0.004)


def test_a_pendulum_clock_on_a_weight_settles(tmp_path: Path) -> None:
    """A weight pulls evenly: its wheel of thirty teeth goes on by one each time, with the period it settled into."""
    path = tmp_path / "clock.toml"
    spring = 'spring = { rest = "-40000 deg", stiffness = 0.86 }'
    weight = '[force.weight]\ntype = "torque"\non = "wheel"\ntorque = -600\n'
    path.write_text(graham_clock(3.0).replace(spring, "") + weight, "utf-8")
    machine = lw.load(str(path))
    forecast = lw.predict(machine)
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    assert ending.kind == "goes on"
    assert forecast.simulated_time < 1000
    run = lw.simulate(machine, until=900.0, step=0.01, contact="rigid")
    late = run.times > 600
    tooth = -2 * math.pi / 30
    passed = np.interp(-tooth * np.arange(610, 890), -run["wheel.angle"][late], run.times[late])
    assert pattern.last_duration == pytest.approx((passed[-1] - passed[0]) / (len(passed) - 1), rel=1e-5)
    assert pattern.settles == pytest.approx(0.96, abs=0.02)
    later = [forecast.at(time)["wheel.angle"] for time in (2e5, 2e5 + 100 * pattern.last_duration)]
    assert later[1] - later[0] == pytest.approx(100 * tooth, rel=1e-4)
