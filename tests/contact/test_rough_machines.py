"""Machines with friction and rebound: where more places hold than there are freedoms, they go on all the same."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import Law, Laws

ROUGH = ("escapement", "double-escapement", "door-latch", "click-pen", "geneva-drive", "cam-and-follower")
LAWS = {
    "rough": Law(friction=0.05),
    "rougher": Law(friction=0.3, restitution=0.2),
    "bouncy": Law(restitution=0.5),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", ROUGH)
def test_they_go_on(name: str, law: str) -> None:
    """Resting places share a load in many ways; that the least forces would pull, or slip, ends nothing."""
    solution = lw.simulate(lw.load(name), until=6, contact="rigid", laws=Laws(LAWS[law]))
    assert solution.status == "complete", solution.why


@pytest.mark.parametrize("friction", [0.02, 0.05, 0.1])
def test_friction_takes_energy_from_a_clock_and_gives_none(friction: float) -> None:
    """A clock with rough pallets loses energy from row to row, and swings less wide than one with smooth ones."""
    machine = lw.load("escapement")
    smooth = lw.simulate(machine, until=30, contact="rigid")
    rough = lw.simulate(machine, until=30, contact="rigid", laws=Laws(Law(friction=friction)))
    energy = rough.columns["energy"]
    assert np.all(np.diff(energy) <= 1e-9 * abs(energy[0]))
    late = rough.columns["time"] > 15
    assert np.ptp(rough.columns["bwheel.angle"][late]) < np.ptp(smooth.columns["bwheel.angle"][late])
