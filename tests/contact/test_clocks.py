"""Clocks and ratchets with rigid contacts, against figures of an independent rigid simulation.

The machines are those of A. Gelsey, Automated reasoning about machines (Artificial Intelligence 74, 1995), rebuilt. The
figures come from a time-stepping simulation of perfectly inelastic rigid parts that shares no code with this one; its
author states how far sensible rigid models may be apart: periods 0.05 %, extremes of the balance 2 degrees, the wheel's
way in a pattern 0.01 degrees, stops of the lever 0.02 degrees, places at which parts meet 0.1 degrees.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw
from clock_motion import crossings, degrees, extremes, kinetic_minima
from linkwork.contact import ContactSolution, simulate

PERIOD = 5e-4
EXTREME = 2.0


@cache
def run(name: str, until: float, step: float = 0.01) -> ContactSolution:
    found = simulate(lw.load(name), until, step=step, contact="rigid")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


def test_the_escapement_ticks() -> None:
    solution = run("escapement", 90)
    assert np.mean(np.diff(crossings(solution))[2:8]) == pytest.approx(7.38574, rel=PERIOD)
    assert extremes(solution, 10) == pytest.approx((307.2, -17.7), abs=EXTREME)


def test_the_escape_wheel_goes_on_by_a_tooth() -> None:
    solution = run("escapement", 90)
    wheel = np.interp(crossings(solution), solution.times, degrees(solution, "ewheel.angle"))
    assert np.diff(wheel)[2:] == pytest.approx(np.full(len(wheel) - 3, -36.0), abs=0.01)
    settled = solution.times > 10
    lever = degrees(solution, "lever.angle")[settled]
    assert lever.min() == pytest.approx(-10.24, abs=0.02)
    assert lever.max() == pytest.approx(0.24, abs=0.02)


@pytest.mark.slow
def test_the_escapement_runs_down() -> None:
    solution = run("escapement", 2100)
    periods = np.diff(crossings(solution))
    assert [np.mean(periods[k - 3 : k + 2]) for k in (100, 200, 250)] == pytest.approx(
        [7.3907, 7.4047, 7.4380], rel=PERIOD
    )
    assert extremes(solution, 200) == pytest.approx((207.6, 31.7), abs=EXTREME)
    moving = np.flatnonzero(np.abs(degrees(solution, "ewheel.angle") + 10000.0) > 0.5)[-1]
    assert solution.times[moving] == pytest.approx(2072.6, rel=3e-3)


def test_the_double_escapement_does_not_lock_up() -> None:
    solution = run("double-escapement", 90)
    assert np.mean(np.diff(crossings(solution))[2:8]) == pytest.approx(7.3742, rel=PERIOD)
    assert extremes(solution, 10) == pytest.approx((275.7, -4.6), abs=EXTREME)
    assert solution.columns["lever.angle"] == pytest.approx(solution.columns["lever2.angle"], abs=1e-6)


def test_a_missing_tooth_makes_a_pattern_of_a_whole_turn() -> None:
    solution = run("missing-tooth", 150)
    wheel = degrees(solution, "ewheel.angle")
    turns = [float(np.interp(angle, -wheel, solution.times)) for angle in (370.0, 730.0)]
    assert turns[1] - turns[0] == pytest.approx(59.088, rel=PERIOD)
    assert kinetic_minima(solution, *turns) == 16


def test_a_large_tooth_jams_the_clock() -> None:
    solution = run("big-tooth", 60)
    wheel = degrees(solution, "ewheel.angle")
    assert wheel[-1] == pytest.approx(-176.56, abs=0.02)
    assert abs(solution.columns["ewheel.rate"][-1]) < 1e-5
    stopped = solution.times[np.flatnonzero(np.abs(wheel - wheel[-1]) > 1.0)[-1]]
    assert stopped == pytest.approx(35.5, abs=0.5)


def test_the_time_bomb_strikes() -> None:
    solution = run("time-bomb", 322, 0.1)
    struck = next(event for event in solution.events if event["parts"] == ["bigwheel", "ground"])
    assert struck["t"] == pytest.approx(319.6, rel=3e-3)


@pytest.mark.slow
def test_the_clock_chimes() -> None:
    solution = run("chiming-clock", 460)
    strikes = [
        event["t"]
        for event in solution.events
        if event["kind"] == "impact" and event["parts"] == ["clapper", "ground"] and event["approach"] > 1
    ]
    rung = [time for time, before in zip(strikes, [-1e9, *strikes], strict=False) if time - before > 100]
    assert strikes[-1] - strikes[0] > 290
    assert max(time for time in strikes if time < 200) == pytest.approx(139.46, rel=1e-3)
    assert len(rung) == 2


def test_turning_makes_rocking() -> None:
    solution = run("rotary-reciprocation", 20)
    assert degrees(solution, "wheel.angle")[-1] == pytest.approx(1173.32, abs=0.05)
    arm = degrees(solution, "arm.angle")
    assert (arm.min(), arm.max()) == pytest.approx((-0.94, 29.01), abs=0.02)


def test_the_ratchet_blocks_one_way() -> None:
    solution = run("ratchet-cw", 20)
    assert degrees(solution, "wheel.angle")[-1] == pytest.approx(-26.336, abs=0.02)


def test_the_ratchet_runs_the_other_way() -> None:
    solution = run("ratchet-ccw", 200)
    wheel = degrees(solution, "wheel.angle")
    assert wheel[2000] == pytest.approx(736.25, abs=0.1)
    assert wheel[-1] == pytest.approx(1171.21, abs=0.1)


@pytest.mark.parametrize("name", ["escapement", "big-tooth", "rotary-reciprocation", "ratchet-ccw"])
def test_no_energy_is_made(name: str) -> None:
    solution = run(name, 20)
    energy = solution.columns["energy"]
    assert np.max(np.diff(energy)) <= 1e-9 * np.max(np.abs(energy))
