"""The escapement with a mainspring a hundred times as long: 28,000 ticks, foreseen from less than a hundred."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from clock_variants import example
from linkwork.foresee import Forecast
from linkwork.foresee.course import Course, even_times

RUN_DOWN = 206_001.0
"""When the wheel last moves, by a full simulation."""


def long_clock(folder: Path) -> lw.Machine:
    """The same torque at the start; the mainspring is relaxed at -10⁶°."""
    text = (
        example("escapement")
        .replace("-10000 deg", "-1000000 deg")
        .replace("stiffness = 20 ", "stiffness = 0.2 ")
    )
    path = folder / "long.toml"
    path.write_text(text, "utf-8")
    return lw.load(str(path))


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Forecast:
    return lw.predict(long_clock(tmp_path_factory.mktemp("long")))


def highest(course: Course, until: float) -> np.ndarray:
    """Time, angle of the balance and angle of the wheel wherever the balance turns back above, by full simulation."""
    balance, wheel = (course.variables.index(name) for name in ("bwheel.angle", "ewheel.angle"))
    rate, now, found = balance + course.positions, course.time, []
    lead = course.set_going(now, course.start)
    rows = lead(even_times(now, 0.06, 1))
    while now < until:
        before = rows.times[-1:], rows.states[-1:]
        rows = lead(even_times(float(rows.times[-1]), 0.06, 2000)[1:])
        times, states = np.r_[before[0], rows.times], np.r_[before[1], rows.states]
        at = np.flatnonzero((states[:-1, rate] > 0) & (states[1:, rate] <= 0))
        slope = (states[at + 1, rate] - states[at, rate]) / 0.06
        part = -states[at, rate] / slope
        angle = states[at, balance] + 0.5 * states[at, rate] * part
        found.append(np.column_stack([times[at] + part, angle, states[at, wheel]]))
        now = float(times[-1])
    every: np.ndarray = np.concatenate(found)
    above: np.ndarray = every[every[:, 1] > np.radians(90)]  # where the balance rests
    return above


def test_little_is_simulated(clock: Forecast) -> None:
    """All of it until it has run down, from less than a three-hundredth; its end is right, and so is its error."""
    (ending,) = clock.endings
    assert ending.kind == "rest"
    assert clock.simulated_time * 300 < clock.reached
    assert ending.last_moves["ewheel"] == pytest.approx(RUN_DOWN, rel=1e-3)
    assert abs(ending.last_moves["ewheel"] - RUN_DOWN) < ending.time_error < 5e-3 * RUN_DOWN
    assert clock.patterns[-1].is_average
    assert "unevenly" in clock.summary


@pytest.mark.slow
def test_ten_restarts_are_those_of_a_full_simulation(clock: Forecast) -> None:
    """Periods within 0.1 %, amplitudes within 1°, times within what is said of them and within 0.5 %."""
    (island,) = clock.foreseen
    stage, uneven = island.stages
    simulated = highest(island.course, uneven.envelope.nodes[-1].time)
    balance, wheel = (1 + island.course.variables.index(name) for name in ("bwheel.angle", "ewheel.angle"))
    first = int(np.argmin(np.abs(simulated[:, 0] - stage.envelope.nodes[0].time)))
    for number in np.linspace(0, stage.last_number - 2, 10).round():
        place, after = stage.envelope.place(number), stage.envelope.place(number + 1)
        time, angle, advanced = simulated[first + int(number)]
        period = simulated[first + int(number) + 1, 0] - time
        assert after[0] - place[0] == pytest.approx(period, rel=1e-3)
        assert np.degrees(place[balance] - angle) == pytest.approx(0, abs=1.0)
        assert np.degrees(place[wheel] - advanced) == pytest.approx(0, abs=1.0)
        assert abs(place[0] - time) < min(stage.envelope.nodes[-1].time_off + 0.1, 5e-3 * time)
    for node in uneven.envelope.nodes[:-1]:  # when the wheel is where it is said to be
        time = np.interp(-node.place[wheel], -simulated[:, 2], simulated[:, 0])
        assert abs(node.time - time) < 3 * node.time_off + node.duration
