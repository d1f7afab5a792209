"""Forecasts of the examples: the sentences, and full simulations that show that they are true."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.foresee import Forecast
from linkwork.view.forecast import later_times, simulated_repetitions

GOLDEN = Path(__file__).parent.parent / "golden" / "forecasts.txt"
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LATE = ("(", "to ", "at last ", "at last by ")
"""What stands before numbers that depend on where the last restart was; simulations test them elsewhere."""
SENTENCES = dict(line.split("\t") for line in GOLDEN.read_text("utf-8").splitlines())
"""By machine, the first sentence that is foretold of it."""


def numbers_in(sentence: str) -> list[float]:
    """Those that are the same however it was foretold."""
    found = NUMBER.finditer(sentence)
    return [float(each[0]) for each in found if not sentence[: each.start()].endswith(LATE)]


@pytest.mark.parametrize("name", SENTENCES)
def test_sentences(name: str) -> None:
    """The words are those that were read and found true; numbers may differ by half a per cent."""
    said = lw.predict(lw.load(name)).summary.split("; ")[0]
    assert NUMBER.sub("#", said) == NUMBER.sub("#", SENTENCES[name])
    assert numbers_in(said) == pytest.approx(numbers_in(SENTENCES[name]), rel=5e-3)


@pytest.mark.parametrize(("name", "horizon"), [("escapement", 30), ("acrobat", 3), ("irregular-pendulum", 5)])
def test_a_horizon_that_is_too_near_is_told(name: str, horizon: float) -> None:
    """There is always a sentence."""
    found = lw.predict(lw.load(name), horizon)
    assert not found.patterns
    assert found.summary.startswith(f"until the horizon, t = {horizon}, no pattern was seen")


@pytest.mark.parametrize("name", ["jansen-leg", "bennett", "rack-and-pinion"])
def test_what_is_driven_altogether_is_refused(name: str) -> None:
    """It moves, and by the formula of its drive: it is not at rest, and there is no motion to be simulated."""
    with pytest.raises(UsageError, match="is driven"):
        lw.predict(lw.load(name), 30)


def last_away(times: np.ndarray, values: np.ndarray, share: float) -> float:
    """When a column is last away from where it ends by a share of its range."""
    return float(times[np.flatnonzero(np.abs(values - values[-1]) > share * np.ptp(values))[-1]])


def test_a_pendulum_with_friction_comes_to_rest() -> None:
    """When full simulation says, and hanging down; small swings shrink by exp(-c·t/(2·I)), to a thousandth by then."""
    machine = lw.load("damped-pendulum")
    (ending,) = lw.predict(machine).endings
    assert ending.kind == "rest"
    assert math.degrees(ending.places["pendulum.angle"]) == pytest.approx(-60, abs=0.1)
    run = lw.simulate(machine, until=2 * ending.t, step=0.02, contact="rigid")
    still = run.times > ending.t
    assert np.ptp(run["pendulum.angle"][still]) < 3e-3 * np.ptp(run["pendulum.angle"])
    assert ending.t == pytest.approx(last_away(run.times, run["pendulum.angle"], 1e-3), rel=0.05)


def test_an_irregular_pendulum_has_no_pattern() -> None:
    """Nothing is claimed of it; two starts that differ by 1e-6 have nothing in common after a while."""
    machine = lw.load("irregular-pendulum")
    forecast = lw.predict(machine)
    assert not forecast.patterns
    assert forecast.endings[0].kind == "unknown"
    runs = [
        lw.simulate(machine, until=60, step=0.05, contact="rigid", start={"upper.angle": off})
        for off in (0.0, 1e-6)
    ]
    apart = np.abs(runs[0]["upper.angle"] - runs[1]["upper.angle"])
    assert apart[:20].max() < 1e-4
    assert apart.max() > 1


def test_an_oscillator_on_a_belt_swings_as_foretold() -> None:
    """Period and amplitude at all repetitions that were simulated, against one simulation of the whole time."""
    machine = lw.load("bowed-oscillator")
    forecast = lw.predict(machine)
    pattern = forecast.patterns[0]
    run = lw.simulate(machine, until=pattern.valid_until, step=0.01)
    place, times = run["block.tx"], run.times
    checked = 0
    for each in simulated_repetitions(forecast):
        inside = (times >= each.time - each.duration) & (times <= each.time)
        if each.pattern == 0 and each.time < pattern.valid_until:
            ends = place[inside].min(), place[inside].max()
            assert each.ends["block.tx"] == pytest.approx(ends, abs=0.02 * (ends[1] - ends[0]) + 1e-4)
            checked += 1
    assert checked > 10
    rate = run["block.tx_rate"]
    turns = np.flatnonzero((rate[:-1] > 0) & (rate[1:] <= 0))
    exact = times[turns] + 0.01 * rate[turns] / (rate[turns] - rate[turns + 1])
    count = len(exact[exact >= pattern.valid_from])
    assert count == pytest.approx(pattern.repetitions, abs=2)


def strikes(run: lw.Solution, parts: tuple[str, ...]) -> np.ndarray:
    """When two parts meet, after having been apart for a while."""
    met = np.array([event["t"] for event in run.events if {*event["parts"]} == {*parts}])
    found: np.ndarray = met[np.r_[True, np.diff(met) > 50]]
    return found


@pytest.fixture(scope="module")
def chimes() -> Forecast:
    return lw.predict(lw.load("hour-and-day-clock"))


def test_a_clock_strikes_hours_and_days(chimes: Forecast) -> None:
    """Two processes on one pattern, one four times as slow as the other."""
    by_parts = {each.parts: each for each in chimes.superimposed}
    assert by_parts["hour_wheel", "hour_clapper"].repetitions == 40
    assert by_parts["day_wheel", "day_clapper"].repetitions == 160
    assert chimes.endings[0].kind == "rest"
    assert chimes.simulated_time < chimes.reached / 5


def test_every_stroke_is_that_of_a_full_simulation(chimes: Forecast) -> None:
    """A thousand ticks, thirty-four strokes: each when it was foretold, to 1e-5 of the time and to the error told."""
    run = lw.simulate(lw.load("hour-and-day-clock"), until=chimes.patterns[0].valid_until, contact="rigid")
    assert run.status == "complete"
    for process in chimes.superimposed:
        foretold = np.sort([*process.times, *later_times(chimes, process)])
        own = strikes(run, process.parts)
        assert abs(len(own) - len(foretold)) <= 1
        both = min(len(own), len(foretold))
        assert foretold[:both] == pytest.approx(own[:both], rel=1e-5, abs=0.05)
        told = np.array([chimes.at(float(time)).time_error for time in foretold[:both]])
        assert np.all(np.abs(foretold[:both] - own[:both]) <= np.maximum(told, 0.05))
