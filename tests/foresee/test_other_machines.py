"""Forecasts of machines that are no clocks of the examples, against full simulations of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from clock_variants import example
from linkwork.foresee import Forecast
from linkwork.view.forecast import later_times
from other_machines import (
    chiming_clock,
    graham_clock,
    loose_ratchet,
    ratchet_on_a_motor,
    two_clocks,
    verge_clock,
)

MACHINES = {
    "ratchet-on-a-motor": (ratchet_on_a_motor("ccw", 2.0), 200.0, 0.01),
    "two-clocks": (two_clocks(11.3), 300.0, 0.02),
    "graham": (graham_clock(), 150.0, 0.005),
    "dry-friction": (f"{example('escapement')}\n[contact]\nfriction = 0.05\n", 300.0, 0.02),
    "sticks": (f"{example('escapement')}\n[contact]\nfriction = 0.2\n", 300.0, 0.02),
    "jams-at-start": (
        example("escapement").replace("cube([0.3, 5.4, 1])", "cube([0.3, 5.46, 1])"),
        300.0,
        0.02,
    ),
    "runs-down": (example("escapement").replace("-10000 deg", "-1000 deg"), 400.0, 0.02),
    "two-defects": (
        example("escapement").replace("for (k = [0:9])", "for (k = [0, 1, 3, 4, 5, 6, 8, 9])"),
        300.0,
        0.02,
    ),
    "odd-gears": (chiming_clock(math.pi), 600.0, 0.02),
}
"""By name: the file, until when, and how far apart rows of the simulation are."""


def loaded(folder: Path, text: str) -> lw.Machine:
    path = folder / "machine.toml"
    path.write_text(text, "utf-8")
    return lw.load(str(path))


def check_states(forecast: Forecast, run: lw.Solution, step: float) -> None:
    """Each angle is that of the simulation at a time that differs by no more than is told; what rests does so."""
    names = [name for name in run.columns if name.endswith(".angle")]
    for time in np.linspace(0.0, min(forecast.known_until, run.times[-1]), 23)[1:-1]:
        found = forecast.at(float(time))
        near = np.abs(run.times - time) <= found.time_error + 1.05 * step
        for name in names:
            values, swing = run.columns[name][near], min(float(np.ptp(run.columns[name])), 2 * math.pi)
            slack = math.radians(0.5) + 0.01 * swing + found.errors.get(name, 0.0)
            assert values.min() - slack <= found[name] <= values.max() + slack, f"{name} at t = {time}"
    for ending in forecast.endings:
        if ending.kind == "rest":
            late = run.times > ending.t + ending.time_error
            for name, place in ending.places.items():
                swing = min(float(np.ptp(run.columns[name])), 2 * math.pi)
                assert np.max(np.abs(run.columns[name][late] - place), initial=0.0) < 3e-3 * swing


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_foreseen_is_so(name: str, tmp_path: Path) -> None:
    text, until, step = MACHINES[name]
    machine = loaded(tmp_path, text)
    check_states(
        lw.predict(machine, until), lw.simulate(machine, until=until, step=step, contact="rigid"), step
    )


def test_two_clocks_have_two_periods(tmp_path: Path) -> None:
    first, second = lw.predict(loaded(tmp_path, two_clocks(11.3)), 200).patterns
    assert (first.parts, second.parts) == (("ewheel", "lever", "bwheel"), ("ewheel2", "lever2", "bwheel2"))
    assert second.duration / first.duration == pytest.approx(math.sqrt(15 / 11.3), rel=0.01)


def test_a_motor_that_turns_a_ratchet(tmp_path: Path) -> None:
    """A repetition is a turn; against the pawl it is told that it jams, and when."""
    (pattern,) = lw.predict(loaded(tmp_path, ratchet_on_a_motor("ccw", 2.0)), 200).patterns
    assert pattern.duration == pytest.approx(math.pi, rel=1e-9)
    (ending,) = lw.predict(loaded(tmp_path, ratchet_on_a_motor("cw", -2.0)), 200).endings
    assert (ending.kind, "wheel and pawl" in ending.why) == ("unknown", True)
    assert math.degrees(2 * ending.t) == pytest.approx(26.3, abs=0.6)


def test_the_period_of_what_is_superimposed_need_not_be_whole(tmp_path: Path) -> None:
    """Gears of π to 1: the clapper is struck every 31.4 repetitions, each time as foretold to a repetition."""
    machine = loaded(tmp_path, chiming_clock(math.pi))
    forecast = lw.predict(machine, 2000)
    (chime,) = forecast.superimposed
    assert chime.repetitions == pytest.approx(10 * math.pi, rel=1e-6)
    run = lw.simulate(machine, until=2000, contact="rigid")
    met = np.array([each["t"] for each in run.events if {*each["parts"]} == {*chime.parts}])
    own = met[np.r_[True, np.diff(met) > 50]]
    told = sorted([*chime.times, *later_times(forecast, chime)])
    assert len(told) == len(own)
    assert told == pytest.approx(own, abs=forecast.patterns[0].duration)


def test_a_pendulum_clock_ticks_twice_a_tooth(tmp_path: Path) -> None:
    """Thirty teeth, a second each; the wheel is the same after each, though it turns by a little more at first."""
    found = lw.predict(loaded(tmp_path, graham_clock()), 400)
    (pattern,) = found.patterns
    assert pattern.duration == pytest.approx(2 * math.pi * math.sqrt(0.25 / 9.81), rel=5e-3)
    assert math.degrees(pattern.change["wheel.angle"]) == pytest.approx(-12, abs=0.01)
    assert found.simulated_time < 200


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_a_verge_goes_on_by_a_tooth(friction: float, tmp_path: Path) -> None:
    """A weight pulls evenly, so all repetitions are alike: each of its marks is at a blow, and told as exactly."""
    machine = loaded(tmp_path, verge_clock(friction=friction))
    forecast = lw.predict(machine, 2000)
    (pattern,) = forecast.patterns
    assert pattern.change["wheel.angle"] == pytest.approx(-2 * math.pi / 15, rel=1e-6)
    run = lw.simulate(machine, until=400, step=0.01, contact="rigid")
    late = run.times > 40
    teeth = -2 * math.pi / 15 * np.arange(1, 200)
    passed = np.interp(-teeth, -run["wheel.angle"][late], run.times[late])
    inside = passed[(passed > run.times[late][0]) & (passed < 400)]
    assert pattern.duration == pytest.approx(np.mean(np.diff(inside)), rel=1e-4)
    assert forecast.simulated_time < 200


def test_where_a_dying_pendulum_lets_teeth_go_by_is_not_known(tmp_path: Path) -> None:
    """With a weak mainspring the wheel's last teeth hang on less than a simulation is off by: two of it part there.

    Until it is unknown both agree.
    """
    text = (
        graham_clock(3.497).replace("-40000 deg", "-4000 deg").replace("friction = 1000", "friction = 1311")
    )
    clock = loaded(tmp_path, text.replace("friction = 1\n", "friction = 2.52\n"))
    runs = [lw.simulate(clock, until=250, contact="rigid", rtol=rtol) for rtol in (1e-9, 1e-10)]
    apart = np.abs(runs[0]["wheel.angle"] - runs[1]["wheel.angle"])
    assert apart[-1] > 0.2
    (ending,) = lw.predict(clock, 250).endings
    assert ending.kind == "unknown"
    assert np.max(apart[runs[0].times <= ending.t]) < 1e-4
    assert 70 < ending.t < runs[0].times[np.argmax(apart > 1e-2)]


def test_errors_that_grow_within_a_pattern_are_told(tmp_path: Path) -> None:
    """What is told of a dying pendulum, until it is unknown, is what a simulation a hundred times finer tells."""
    text = (
        graham_clock(3.105).replace("-40000 deg", "-9000 deg").replace("friction = 1000", "friction = 2383")
    )
    clock = loaded(tmp_path, text.replace("friction = 1\n", "friction = 1.61\n"))
    forecast = lw.predict(clock, 250)
    (ending,) = forecast.endings
    assert ending.kind == "unknown"
    assert 150 < ending.t < 230
    fine = lw.simulate(clock, until=ending.t, step=0.01, contact="rigid", rtol=1e-11)
    for row in np.linspace(0.5, 0.99, 6) * (len(fine.times) - 1):
        found = forecast.at(float(fine.times[int(row)]))
        for name in ("wheel.angle", "anchor.angle"):
            off = abs(found[name] - fine[name][int(row)])
            assert off < 1e-5 + found.errors.get(name, 0.0) + 2 * found.time_error


def test_what_follows_an_irregular_motion_is_not_told(tmp_path: Path) -> None:
    """A pawl that is thrown seems to repeat itself now and then; which motion that is depends on the last digits."""
    machine = loaded(tmp_path, loose_ratchet(7, 4.0, 1.0, 0.5))
    forecast = lw.predict(machine)
    (ending,) = forecast.endings
    assert ending.kind == "unknown"
    assert "less than this forecast may be off" in ending.why
    run = lw.simulate(machine, until=ending.t, step=0.005, contact="rigid")
    check_states(forecast, run, 0.005)


def test_another_number_of_turns_is_another_pattern(tmp_path: Path) -> None:
    """A follower that bounces settles on a cam: five turns a repetition at first, one at last; no four in between."""
    text = (
        example("cam-and-follower")
        .replace("rate = 20", "rate = 45")
        .replace("stiffness = 2000", "stiffness = 200")
    )
    found = lw.predict(loaded(tmp_path, f"{text}\n[contact]\nrestitution = 0.6\n"), 20)
    turn = 2 * math.pi / 45
    for pattern in found.patterns:
        assert pattern.last_duration == pytest.approx(pattern.duration, rel=1e-9)
    assert found.patterns[-1].duration == pytest.approx(turn, rel=1e-9)
    assert found.endings[0].kind == "horizon"
