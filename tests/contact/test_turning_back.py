"""A corner that slides past the end of a face and turns back there has left it, however soon it is back."""

from __future__ import annotations

import numpy as np

import linkwork as lw
from linkwork.model.read import machine_from_text
from other_machines import graham_clock


def test_what_turns_back_behind_an_edge_has_left_its_face() -> None:
    """Teeth slip over the edges of pallets by a thousandth of their way, and back within a step of the integrator.

    Whether that is seen must not depend on where steps end: simulations of two tolerances agree.
    """
    text = (
        graham_clock(3.105).replace("-40000 deg", "-9000 deg").replace("friction = 1000", "friction = 2383")
    )
    clock = machine_from_text(text.replace("friction = 1\n", "friction = 1.61\n"), "clock.toml", "clock")
    near, exact = (lw.simulate(clock, until=120, contact="rigid", rtol=rtol) for rtol in (1e-9, 1e-11))
    swing = np.ptp(exact["anchor.angle"][-20:])
    assert np.max(np.abs(near["anchor.angle"] - exact["anchor.angle"])) < 1e-5 * swing
