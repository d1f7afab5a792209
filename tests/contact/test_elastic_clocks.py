"""Clocks and ratchets with elastic contacts, against figures of an independent simulation of the same force law.

The machines are those of A. Gelsey, Automated reasoning about machines (Artificial Intelligence 74, 1995), rebuilt; the
force is his equation 4 with his constants. The figures come from a simulation that shares no code with this one, in
which every corner on the outline of a part that is inside another is pushed out of it. Its author states how far
simulations with another sensible rule of contact may be apart: periods 0.3 %, extremes of the balance 6 degrees; ours
are nearer, and tested nearer.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw
from clock_motion import crossings, degrees, extremes, kinetic_minima
from linkwork.contact import ContactSolution, simulate

PERIOD = 3e-4
EXTREME = 2.5


@cache
def run(name: str, until: float, step: float = 0.01) -> ContactSolution:
    found = simulate(lw.load(name), until, step=step, contact="elastic")
    assert isinstance(found, ContactSolution)
    assert found.status == "complete", found.why
    return found


def test_the_escapement_ticks() -> None:
    solution = run("escapement", 90)
    assert np.mean(np.diff(crossings(solution))[2:8]) == pytest.approx(7.39966, rel=2e-4)
    assert extremes(solution, 10) == pytest.approx((320.5, -21.4), abs=EXTREME)


def test_the_escape_wheel_goes_on_by_a_tooth() -> None:
    solution = run("escapement", 90)
    wheel = np.interp(crossings(solution), solution.times, degrees(solution, "ewheel.angle"))
    assert np.diff(wheel)[2:] == pytest.approx(np.full(len(wheel) - 3, -36.0), abs=0.01)
    lever = degrees(solution, "lever.angle")
    resting = (np.abs(solution.columns["lever.rate"]) < 1e-6) & (solution.times > 10)
    assert lever[resting].min() == pytest.approx(-10.24, abs=0.02)
    assert lever[resting].max() == pytest.approx(0.24, abs=0.02)


@pytest.mark.slow
def test_the_escapement_runs_down() -> None:
    solution = run("escapement", 2100)
    periods = np.diff(crossings(solution))
    assert [np.mean(periods[k - 3 : k + 2]) for k in (100, 200, 250)] == pytest.approx(
        [7.4012, 7.4108, 7.4415], rel=PERIOD
    )
    assert extremes(solution, 200) == pytest.approx((208.6, 31.7), abs=EXTREME)
    moving = np.flatnonzero(np.abs(degrees(solution, "ewheel.angle") + 10000.0) > 0.5)[-1]
    assert solution.times[moving] == pytest.approx(2075.2, rel=3e-3)


def test_the_double_escapement_does_not_lock_up() -> None:
    solution = run("double-escapement", 90)
    assert np.mean(np.diff(crossings(solution))[2:8]) == pytest.approx(7.3846, rel=2e-4)
    assert extremes(solution, 10) == pytest.approx((281.9, -6.8), abs=EXTREME)


def test_a_missing_tooth_makes_a_pattern_of_a_whole_turn() -> None:
    solution = run("missing-tooth", 150)
    wheel = degrees(solution, "ewheel.angle")
    turns = [float(np.interp(angle, -wheel, solution.times)) for angle in (370.0, 730.0)]
    assert turns[1] - turns[0] == pytest.approx(59.198, rel=2e-4)
    assert kinetic_minima(solution, *turns) == 16


def test_a_large_tooth_jams_the_clock() -> None:
    solution = run("big-tooth", 60)
    wheel = degrees(solution, "ewheel.angle")
    assert wheel[-1] == pytest.approx(-176.60, abs=0.02)
    assert abs(solution.columns["ewheel.rate"][-1]) < 1e-4
    stopped = solution.times[np.flatnonzero(np.abs(wheel - wheel[-1]) > 1.0)[-1]]
    assert stopped == pytest.approx(35.5, abs=0.5)


@pytest.mark.slow
def test_the_time_bomb_strikes() -> None:
    solution = run("time-bomb", 322, 0.1)
    struck = next(event for event in solution.events if event["parts"] == ["bigwheel", "ground"])
    assert struck["t"] == pytest.approx(320.2, rel=1e-3)


@pytest.mark.slow
def test_the_clock_chimes() -> None:
    solution = run("chiming-clock", 460)
    strikes = [
        event["t"]
        for event in solution.events
        if event["kind"] == "begin"
        and event["parts"] == ["clapper", "ground"]
        and event.get("approach", 0.0) > 1
    ]
    first, *later = [
        time for time, before in zip(strikes, [-1e9, *strikes], strict=False) if time - before > 100
    ]
    assert first == pytest.approx(139.76, rel=1e-3)
    assert later[0] - first == pytest.approx(296.07, rel=PERIOD)


def test_turning_makes_rocking() -> None:
    solution = run("rotary-reciprocation", 20)
    assert degrees(solution, "wheel.angle")[-1] == pytest.approx(1173.32, abs=0.02)
    arm = degrees(solution, "arm.angle")
    assert (arm.min(), arm.max()) == pytest.approx((-0.94, 29.01), abs=0.01)


def test_the_ratchet_blocks_one_way() -> None:
    solution = run("ratchet-cw", 20)
    assert degrees(solution, "wheel.angle")[-1] == pytest.approx(-26.338, abs=0.002)


def test_the_ratchet_runs_the_other_way() -> None:
    solution = run("ratchet-ccw", 200)
    wheel = degrees(solution, "wheel.angle")
    assert wheel[2000] == pytest.approx(736.26, abs=0.02)
    assert wheel[-1] == pytest.approx(1171.21, abs=0.02)


@pytest.mark.parametrize("name", ["escapement", "big-tooth", "rotary-reciprocation", "ratchet-ccw"])
def test_no_energy_is_made(name: str) -> None:
    solution = run(name, 20)
    energy = solution.columns["energy"]
    assert np.max(np.diff(energy)) <= 1e-9 * np.max(np.abs(energy))
