"""Marks: each minimum of the kinetic energy is told once, however rows lie around it and however many come at once."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.foresee.marks import NOISE, dips


@pytest.mark.parametrize("offset", [0.0, 1e-9, 1e-6, 1e-4, 0.3, 0.5])
@pytest.mark.parametrize("at_once", [2, 3, 7, 40])
def test_a_minimum_between_two_rows_is_one(offset: float, at_once: int) -> None:
    """Two rows beside a minimum may be equal but for a little; it is not told again with the rows that follow."""
    times = np.arange(200) * 0.1 + 0.05 * (1 + offset)
    kinetic = np.sin(times) ** 2
    told: list[int] = []
    for last in range(at_once, len(kinetic) + 1, at_once):
        since = told[-1] if told else 0
        told += dips(kinetic[:last], NOISE, since, bool(told))
    wanted = [round((k * np.pi - times[0]) / 0.1) for k in range(1, 7)]
    assert len(told) == 6
    assert np.max(np.abs(np.array(told) - wanted)) <= 1
