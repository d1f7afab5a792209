"""Forecasts of clocks against full simulations of them, and against what an independent simulation gave."""

from __future__ import annotations

import math

import numpy as np
import pytest

import linkwork as lw
from clock_motion import degrees
from linkwork.errors import LinkworkError
from linkwork.foresee import Forecast

END = 2110.0


@pytest.fixture(scope="module")
def clock() -> Forecast:
    return lw.predict(lw.load("escapement"))


@pytest.fixture(scope="module")
def simulated() -> lw.ContactSolution:
    found = lw.simulate(lw.load("escapement"), until=END, step=0.02, contact="rigid")
    assert isinstance(found, lw.ContactSolution)
    return found


def extremes(solution: lw.ContactSolution) -> tuple[np.ndarray, np.ndarray]:
    """When the balance turns back from above, and its angle then in degrees."""
    x, times = degrees(solution, "bwheel.angle"), solution.times
    at = 1 + np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]))
    a, b, c = x[at - 1], x[at], x[at + 1]
    shift = 0.5 * (a - c) / (a - 2 * b + c)
    is_above = b > 90  # where the balance is at rest
    return (times[at] + 0.02 * shift)[is_above], (b - 0.25 * (a - c) * shift)[is_above]


def test_pattern_of_the_escapement(clock: Forecast) -> None:
    """Period, advance and minima as an independent rigid simulation found them; from at most 36 cycles."""
    pattern = clock.patterns[0]
    assert pattern.minima == 2
    assert pattern.duration == pytest.approx(7.38574, rel=5e-4)
    assert math.degrees(pattern.change["ewheel.angle"]) == pytest.approx(-36, abs=1e-3)
    assert clock.simulated_time <= 36 * pattern.duration
    assert pattern.ends_because == "the spring of ewheel is relaxed"
    assert clock.endings[0].kind == "rest"
    assert clock.endings[0].last_moves["ewheel"] == pytest.approx(2072.6, rel=5e-3)
    assert math.degrees(clock.endings[0].places["ewheel.angle"]) == pytest.approx(-10000, abs=0.1)


def test_run_down_is_that_of_a_full_simulation(clock: Forecast, simulated: lw.ContactSolution) -> None:
    """Every period within 0.1 %, every amplitude within 1°, all the way, and the end within 0.5 %."""
    (stage,) = clock.foreseen[0].stages
    times, highest = extremes(simulated)
    place = clock.foreseen[0].course.variables.index("bwheel.angle")
    first, last = stage.envelope.nodes[0], stage.envelope.nodes[-1]
    start = int(np.argmin(np.abs(times - first.time)))
    assert abs(times[start] - first.time) < 0.05, "marks are where the balance turns back from above"
    foretold = np.array([stage.envelope.place(number) for number in np.arange(last.number + 1)])
    own, angles = times[start:][: len(foretold)], highest[start:][: len(foretold)]
    assert np.max(np.abs(np.diff(foretold[:, 0]) / np.diff(own) - 1)) < 1e-3
    assert np.max(np.abs(np.degrees(foretold[:, 1 + place]) - angles)) < 1.0
    assert foretold[-1, 0] == pytest.approx(own[-1], rel=5e-3)
    assert np.diff(own)[-1] > 8, "the late lengthening is among them"


@pytest.mark.parametrize("time", [2.0, 30.0, 333.3, 1200.0, 1905.0, 2044.0, 2060.0, 2100.0])
def test_any_state_can_be_asked_for(clock: Forecast, simulated: lw.ContactSolution, time: float) -> None:
    """It is the state of a full simulation at a time that differs by no more than the estimate."""
    found = clock.at(time)
    near = np.abs(simulated.times - time) <= found.time_error + 0.021
    for name in ("ewheel.angle", "bwheel.angle"):
        values = simulated.columns[name][near]
        slack = math.radians(1.0)
        assert values.min() - slack <= found[name] <= values.max() + slack


def test_missing_tooth_needs_a_whole_turn() -> None:
    """Two minima are rejected; the pattern is that of all teeth."""
    found = lw.predict(lw.load("missing-tooth"))
    assert found.patterns[-1].minima == 16
    assert found.patterns[-1].duration == pytest.approx(59.088, rel=5e-4)
    assert math.degrees(found.patterns[-1].change["ewheel.angle"]) == pytest.approx(-360, abs=1e-3)
    assert 2 in {each.minima for each in found.rejected}


def test_large_tooth_jams() -> None:
    found = lw.predict(lw.load("big-tooth"))
    assert not found.patterns
    (ending,) = found.endings
    assert ending.kind == "rest"
    assert "jammed" in ending.why
    assert math.degrees(ending.places["ewheel.angle"]) == pytest.approx(-176.56, abs=0.05)


def test_time_bomb_goes_off() -> None:
    found = lw.predict(lw.load("time-bomb"))
    assert found.patterns[0].valid_until == pytest.approx(319.6, abs=0.3)
    assert found.patterns[0].ends_because == "bigwheel meets ground"


def test_chime_is_superimposed() -> None:
    """The clapper is struck every forty repetitions, and the clock runs down as without it."""
    found = lw.predict(lw.load("chiming-clock"))
    (chime,) = found.superimposed
    assert set(chime.parts) == {"bigwheel", "clapper"}
    assert chime.repetitions == 40
    assert chime.period == pytest.approx(40 * 7.39, rel=2e-3)
    assert chime.first + chime.duration == pytest.approx(139.46, abs=1.0)
    assert found.endings[0].kind == "rest"
    assert found.endings[0].last_moves["ewheel"] == pytest.approx(2072.6, rel=5e-3)


def test_driven_wheel_goes_on() -> None:
    """The cross of a Geneva drive makes a quarter of a turn in each turn of the driver."""
    (pattern,) = lw.predict(lw.load("geneva-drive"), 1000).patterns
    assert pattern.duration == pytest.approx(1, abs=1e-6)
    assert math.degrees(pattern.change["cross.angle"]) == pytest.approx(-90, abs=1e-6)
    assert pattern.ends_because == "the horizon"


def test_what_is_driven_evenly_lasts_whole_turns_of_its_drive() -> None:
    """However hard it is to say when the cross has come to rest: a million rounds are foreseen, each as long as one."""
    found = lw.predict(lw.load("geneva-drive"))
    (pattern,) = found.patterns
    assert found.endings[0].kind == "goes on"
    assert pattern.last_duration == pytest.approx(1, abs=1e-9)
    assert pattern.repetitions == pytest.approx(1e6, rel=1e-3)
    assert found.simulated_time < 200
    later, angle = found.at(5e5), math.radians(-90) * 5e5
    assert later["cross.angle"] == pytest.approx(angle, abs=math.radians(91))
    turned = [found.at(time)["driver.angle"] for time in (5e5, 5e5 + 0.125)]
    assert turned == pytest.approx(
        [found.at(0.0)["driver.angle"] + 2 * math.pi * each for each in (5e5, 5e5 + 0.125)]
    )


def test_a_pendulum_without_friction_goes_on() -> None:
    found = lw.predict(lw.load("pendulum"), 1e5)
    (pattern,) = found.patterns
    assert pattern.duration == pytest.approx(pattern.last_duration, rel=1e-6)
    assert found.endings[0].kind == "horizon"


@pytest.mark.parametrize("horizon", [0.0, -1.0, math.nan])
def test_no_time_to_foresee(horizon: float) -> None:
    with pytest.raises(LinkworkError, match="no time to foresee"):
        lw.predict(lw.load("escapement"), horizon)


def test_horizon_is_not_passed() -> None:
    found = lw.predict(lw.load("escapement"), 500)
    assert found.patterns[0].valid_until == 500
    assert found.patterns[0].ends_because == "the horizon"
    with pytest.raises(LinkworkError, match="not foreseen"):
        found.at(501)


@pytest.mark.parametrize("horizon", [250.0, 700.0, 1500.0])
def test_what_is_told_last_is_what_is_at_the_horizon(simulated: lw.ContactSolution, horizon: float) -> None:
    """Also where the restart behind which nothing was asked for is much later."""
    (pattern,) = lw.predict(lw.load("escapement"), horizon).patterns
    times, highest = extremes(simulated)
    near = int(np.searchsorted(times, horizon))
    assert pattern.last_duration == pytest.approx(times[near] - times[near - 1], rel=1e-3)
    assert math.degrees(pattern.swings["bwheel.angle"].last_high) == pytest.approx(highest[near - 1], abs=1)


def test_other_models_are_refused() -> None:
    with pytest.raises(LinkworkError, match="contact"):
        lw.predict(lw.load("escapement"), 400, contact="sticky")


def test_an_elastic_clock_is_foreseen() -> None:
    """Figures of an independent elastic simulation: its first periods, and when the wheel last moves."""
    found = lw.predict(lw.load("escapement"), contact="elastic")
    assert found.patterns[0].duration == pytest.approx(7.39966, rel=3e-4)
    (rest,) = (ending for ending in found.endings if ending.kind == "rest")
    assert rest.last_moves["ewheel"] == pytest.approx(2075.2, rel=3e-3)


def test_it_is_reported_how_far_it_has_come() -> None:
    """For a bar: times that do not fall, from the first pattern on and inside the horizon."""
    told: list[float] = []
    lw.predict(lw.load("chiming-clock"), 800, report=told.append)
    assert len(told) > 3
    assert told == sorted(told)
    assert told[0] > 0
    assert told[-1] <= 800 + 7.4
