"""States of a forecast against those of a simulation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import linkwork as lw


def check_states_of(
    forecast: lw.Forecast, run: lw.Solution, name: str, times: NDArray[np.float64], slack: float
) -> None:
    """A quantity is that of the simulation at a time that differs by no more than is told, but for what is told."""
    step = 1.2 * float(run.times[1] - run.times[0])
    for time in times:
        found = forecast.at(float(time))
        near = run[name][np.abs(run.times - time) <= found.time_error + step]
        off = slack + found.errors.get(name, 0.0)
        assert near.min() - off <= found[name] <= near.max() + off, f"{name} at t = {time}"
