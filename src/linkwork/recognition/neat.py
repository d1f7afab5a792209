"""Numbers without the last digits that turning them has left."""

from __future__ import annotations

import math


def neat(value: float) -> float:
    """A number that is told: 2.0000000000000004 is 2, and next to nothing is nothing.

    >>> neat(2.0000000000000004), neat(-1e-15)
    (2.0, 0.0)
    """
    rounded = float(f"{value:.14g}")
    return 0.0 if math.isclose(rounded, 0.0, abs_tol=1e-13) else rounded
