"""What is told of how far off a forecast may be is true, also behind the end of a pattern, where errors grow."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.foresee import Forecast

STEP = 1e-3
TIMES = (1.0, 2.5, 3.05, 3.5, 4.0, 4.2, 4.35, 4.5, 5.0, 6.0, 8.0)
"""The woodpecker comes to the end of its pole at 4.3, and tumbles."""
NAMES = ("sleeve.x", "sleeve.y", "sleeve.angle", "bird.angle")


@pytest.fixture(scope="module")
def forecast() -> Forecast:
    return lw.predict(lw.load("woodpecker"))


@pytest.fixture(scope="module")
def simulated() -> lw.Solution:
    return lw.simulate(lw.load("woodpecker"), until=TIMES[-1] + 1, step=STEP, contact="rigid")


@pytest.mark.parametrize("time", TIMES)
def test_every_quantity_is_as_near_as_is_told(
    forecast: Forecast, simulated: lw.Solution, time: float
) -> None:
    """A full simulation has each value at a time that differs by no more than the error, to within its own error."""
    found = forecast.at(time)
    near = np.abs(simulated.times - time) <= found.time_error + 1.01 * STEP
    for name in NAMES:
        values, off = simulated.columns[name][near], found.errors.get(name, 0.0) + 1e-6
        assert values.min() - off <= found[name] <= values.max() + off


def test_errors_grow_behind_the_end(forecast: Forecast) -> None:
    """On the pole little is off; a body that tumbles turns on and on by what it turns too fast."""
    on_the_pole, later, much_later = (forecast.at(time).errors["sleeve.angle"] for time in (4.0, 5.0, 8.0))
    assert on_the_pole < 1e-3
    assert 1e-2 < later < much_later < 2.0
