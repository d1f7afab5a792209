"""Springs along slides whose both parts move: the same force acts on both."""

import math

import numpy as np
import pytest

from linkwork.contact import simulate
from linkwork.model.read import machine_from_text

TEXT = """
linkwork = 1
[part.cart]
mass = 3
[part.load]
mass = 2
start = { at = [1, 0] }
[joint.rail]
type = "prismatic"
between = ["ground", "cart"]
[joint.bed]
type = "prismatic"
between = ["cart", "load"]
[force.spring]
type = "slide-spring"
joint = "bed"
stiffness = 7
rest = 0.4
"""


def test_two_carts_with_a_spring_between_them_swing_about_their_centre() -> None:
    """Closed form: the displacement swings about its rest with w^2 = k (1/m + 1/M), the centre of mass stays."""
    found = simulate(machine_from_text(TEXT, "carts.toml", "carts"), 5)
    apart = found["load.x"] - found["cart.x"]
    assert apart == pytest.approx(0.4 + 0.6 * np.cos(math.sqrt(7 / 2 + 7 / 3) * found.times), abs=1e-7)
    assert 3 * found["cart.x"] + 2 * found["load.x"] == pytest.approx(2.0, abs=1e-7)
    assert np.ptp(found["energy"]) < 1e-7
