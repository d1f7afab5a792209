"""The times at which a motion is told: evenly spaced, the first and the last among them."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.errors import UsageError
from linkwork.kinematics.arrays import Matrix

DEFAULT_ROWS: Final = 1000
MOST_NUMBERS: Final = 2 * 10**8
"""Numbers of one solution that are held in memory."""


def row_times(first: float, last: float, step: float | None, width: int) -> Matrix:
    """The times from the first to the last one, ``step`` apart, for rows of so many numbers.

    >>> row_times(0.0, 1.0, 0.4, 6).tolist()
    [0.0, 0.4, 0.8, 1.0]
    """
    if not (np.isfinite(first) and np.isfinite(last)) or first == last:
        raise UsageError("there is no time to simulate", got=f"from {first:g} until {last:g}", fix="until=10")
    count = DEFAULT_ROWS
    if step is not None:
        if not (np.isfinite(step) and step > 0):
            raise UsageError("rows need a spacing above 0", got=f"step = {step}", fix="step=0.01")
        count = max(1, math.floor(abs(last - first) / step + 1e-9))
    if count * width > MOST_NUMBERS:
        raise UsageError(
            "so many rows do not fit into memory",
            got=f"{count} rows of {width} numbers",
            wanted=f"at most {MOST_NUMBERS // width} rows",
            fix=f"--step {abs(last - first) / 1000:g}",
        )
    if step is None:
        return np.linspace(first, last, count + 1)
    if step >= abs(last - first):
        return np.array([first, last])
    times: Matrix = np.array(first + math.copysign(step, last - first) * np.arange(count + 1), float)
    if abs(last - times[-1]) > 1e-9 * abs(last - first):
        return np.append(times, last)
    times[-1] = last
    return times
