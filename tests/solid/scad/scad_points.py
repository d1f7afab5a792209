"""Points that fill a box evenly, the same ones every time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def halton(count: int) -> NDArray[np.float64]:
    """Points of the unit cube (Halton 1960), to the bases 2, 3 and 5."""
    return np.array([[_mirrored(place, base) for base in (2, 3, 5)] for place in range(1, count + 1)])


def _mirrored(number: int, base: int) -> float:
    """The digits of a number, mirrored at the point."""
    value, share = 0.0, 1.0
    while number:
        share /= base
        number, digit = divmod(number, base)
        value += digit * share
    return value
