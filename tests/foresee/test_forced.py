"""Motions that a force of its own period drives: they repeat themselves in step with it, or not at all."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from driven_block import driven_block
from linkwork.algebra import Definition
from linkwork.foresee.forcing import clock_period
from state_checks import check_states_of

RATE = 1.2


def duffing(folder: Path, push: float) -> lw.Machine:
    """x'' = x - x³ - 0.3·x' + push·cos(1.2·t)."""
    return driven_block(folder, "-a.tx^2/2 + a.tx^4/4", f"{push}*cos({RATE}*t) - 0.3*a.tx_rate")


@pytest.mark.parametrize(
    ("formulas", "period"),
    [
        (["x*cos(3*t)"], 2 * math.pi / 3),
        (["x + cos(3*t)*sin(2*t)"], 2 * math.pi),
        (["x + cos(k*t + 1)", "x - abs(sin(0.5*k*t))"], 4 * math.pi / 1.7),
        (["x + cos(t)", "x + cos(sqrt(2)*t)"], None),
        (["x + t"], None),
        (["x + cos(t^2)"], None),
        (["x + exp(-t)*cos(t)"], None),
        (["x + y"], None),
    ],
)
def test_the_period_of_what_the_clock_tells(formulas: list[str], period: float | None) -> None:
    """The least time after which all sines of the time come back, if nothing else tells of it."""
    lines = [Definition.of(f"line{place}", text) for place, text in enumerate(formulas)]
    found = clock_period(lines, {"k": 1.7})
    assert found == (None if period is None else pytest.approx(period, rel=1e-12))


def test_a_forced_swing_is_that_of_its_force(tmp_path: Path) -> None:
    """x'' + c·x' + k·x = f·cos(ω·t) comes to swing with 2π/ω by f/√((k - ω²)² + (c·ω)²) to either side."""
    c, k, f = 0.5, 3.0, 2.0
    machine = driven_block(tmp_path, f"{k}/2*a.tx^2", f"{f}*cos({RATE}*t) - {c}*a.tx_rate")
    forecast = lw.predict(machine)
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    swing = pattern.swings["a.tx"]
    size = f / math.hypot(k - RATE**2, c * RATE)
    assert ending.kind == "goes on"
    assert pattern.last_duration == pytest.approx(2 * math.pi / RATE, rel=1e-12)
    assert swing.last_high - swing.last_low == pytest.approx(2 * size, rel=2e-3)
    late = 1e5
    phase = math.atan2(c * RATE, k - RATE**2)
    assert forecast.at(late)["a.tx"] == pytest.approx(size * math.cos(RATE * late - phase), abs=2e-3 * size)


@pytest.mark.parametrize(("push", "turns"), [(0.2, 1), (0.28, 2), (0.29, 4), (0.37, 5), (0.65, 2)])
def test_duffings_oscillator_repeats_itself_in_whole_periods_of_its_force(
    push: float, turns: int, tmp_path: Path
) -> None:
    """As many of them as is published; all states are those of a simulation, however slowly it settles."""
    machine = duffing(tmp_path, push)
    forecast = lw.predict(machine, 2000.0)
    (pattern,) = forecast.patterns
    assert pattern.last_duration == pytest.approx(turns * 2 * math.pi / RATE, rel=1e-9)
    run = lw.simulate(machine, until=2000.0, step=0.05)
    check_states_of(forecast, run, "a.tx", np.linspace(60.0, 1999.0, 40), 0.02)


def test_motions_that_part_and_come_near_each_other_again_tell_no_pattern(tmp_path: Path) -> None:
    """With a push of 0.5 it is chaotic: what three simulations agree on is told, and no pattern behind that.

    Now and then it does nearly the same three times; two simulations that had parted were near each other there.
    """
    machine = duffing(tmp_path, 0.5)
    forecast = lw.predict(machine, 2000.0)
    (ending,) = forecast.endings
    assert (ending.kind, forecast.patterns) == ("unknown", ())
    runs = [lw.simulate(machine, until=130.0, step=0.01, rtol=rtol, check=False) for rtol in (1e-9, 1e-12)]
    apart = np.abs(runs[0]["a.tx"] - runs[1]["a.tx"])
    assert np.max(apart) > 1
    assert np.max(apart[runs[0].times < ending.t]) < 1e-3
