"""Whether numbers along a motion are those of a reference."""

from __future__ import annotations

import numpy as np

from machines import Array


def close(found: Array, wanted: Array | float, within: float = 1e-10) -> None:
    """Equal row by row, or equal to one number all along."""
    np.testing.assert_allclose(found, np.broadcast_to(wanted, np.shape(found)), atol=within, rtol=1e-10)


def same_angle(found: Array, wanted: Array | float, within: float = 1e-10) -> None:
    """Equal up to whole turns, with the same turn all along where rows are dense."""
    close(np.angle(np.exp(1j * (found - wanted))), 0.0, within)
