"""Random clocks, some of them with defects: what is foreseen of each is what a full simulation of it does."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import linkwork as lw
from clock_checks import check
from clock_variants import chiming_clock, random_clock, wild_clock
from linkwork.errors import NoAnswer

HORIZON = 900.0
FAST, ALL = 8, 100
WILD_FAST, WILD_ALL = 4, 100
BEHIND = 100.0
"""How long what is at rest is watched."""
CHIMING_FAST, CHIMING_ALL = 6, 80
DISTURBED = 34
"""A clock whose ticks become unequal shortly before a clapper is struck."""


def seeds(fast: int, every: int, *more: int) -> list[object]:
    """Numbers below one, of which the first and some more are drawn each time."""
    return [
        pytest.param(seed, marks=[pytest.mark.slow] * (seed >= fast and seed not in more))
        for seed in range(every)
    ]


def simulated(machine: lw.Machine, until: float = HORIZON) -> lw.ContactSolution:
    found = lw.simulate(machine, until=until, step=0.02, contact="rigid")
    assert isinstance(found, lw.ContactSolution)
    return found


@pytest.mark.parametrize("seed", seeds(FAST, ALL))
def test_nothing_false_is_foreseen(seed: int, tmp_path: Path) -> None:
    """Periods, advances, times and rest are those of a full simulation; what is not known is said to be unknown."""
    path = tmp_path / "clock.toml"
    path.write_text(random_clock(seed), "utf-8")
    machine = lw.load(str(path))
    forecast, solution = lw.predict(machine, HORIZON), simulated(machine)
    checked = check(forecast, solution, seed)
    assert checked > 0 or solution.status != "complete" or forecast.endings[0].kind == "unknown"


@pytest.mark.parametrize("seed", seeds(WILD_FAST, WILD_ALL, DISTURBED))
def test_nothing_false_is_foreseen_of_other_clocks(seed: int, tmp_path: Path) -> None:
    """The same for clocks with other numbers of teeth, gears and defects, which mostly jam, run away or stop."""
    path = tmp_path / "clock.toml"
    path.write_text(wild_clock(seed), "utf-8")
    machine = lw.load(str(path))
    try:
        forecast = lw.predict(machine, HORIZON)
    except NoAnswer:
        pytest.skip("parts overlap from the start")
    check(forecast, simulated(machine), seed)


@pytest.mark.parametrize("seed", seeds(CHIMING_FAST, CHIMING_ALL))
def test_nothing_false_is_foreseen_of_chimes(seed: int, tmp_path: Path) -> None:
    """Clappers that are lifted easily, or late in its life stop the clock: all its life is compared."""
    path = tmp_path / "clock.toml"
    path.write_text(chiming_clock(seed), "utf-8")
    machine = lw.load(str(path))
    forecast = lw.predict(machine)
    last = max(ending.t for ending in forecast.endings)
    check(forecast, simulated(machine, max(last + BEHIND, HORIZON)), seed)


def test_a_turn_of_a_wheel_may_take_much_of_a_swing(tmp_path: Path) -> None:
    """With two teeth missing the balance loses a twentieth in each turn: that is a pattern, until it has run down."""
    path = tmp_path / "clock.toml"
    path.write_text(random_clock(1020), "utf-8")
    machine = lw.load(str(path))
    forecast = lw.predict(machine, HORIZON)
    (pattern,), (ending,) = forecast.patterns, forecast.endings
    assert pattern.change["ewheel.angle"] == pytest.approx(-2 * math.pi, rel=1e-6)
    assert pattern.duration == pytest.approx(62.34, rel=1e-3)
    assert ending.kind == "rest"
    check(forecast, simulated(machine), 1020)


def test_a_small_jump_of_the_duration_does_not_bend_those_behind_it(tmp_path: Path) -> None:
    """Repetitions last 56.775 and then 56.768: a polynomial through both told 56.66 of later ones that last 56.79."""
    path = tmp_path / "clock.toml"
    path.write_text(random_clock(3001), "utf-8")
    machine = lw.load(str(path))
    forecast = lw.predict(machine, HORIZON)
    (pattern,) = forecast.patterns
    assert pattern.change["ewheel.angle"] == pytest.approx(-2 * math.pi, rel=1e-3)
    check(forecast, simulated(machine), 3001)


def test_a_chime_is_superimposed_though_a_tooth_is_odd(tmp_path: Path) -> None:
    """Where the clapper is lifted next to where the odd tooth may meet the lever, both are simulated at once."""
    path = tmp_path / "clock.toml"
    path.write_text(wild_clock(1024), "utf-8")
    machine = lw.load(str(path))
    forecast = lw.predict(machine, HORIZON)
    (pattern,), (chime,) = forecast.patterns, forecast.superimposed
    assert pattern.ends_because == "the horizon"
    assert (chime.repetitions, len(chime.times)) == (40, 3)
    check(forecast, simulated(machine), 1024)
