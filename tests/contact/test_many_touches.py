"""Machines that touch in more places at one time than most do: combs that fall on a floor, a lock full of pins."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from linkwork import simulate
from linkwork.model.read import machine_from_text

COMB = """linkwork = 1
dimension = {dimension}
gravity = {gravity}
[part.floor]
fixed = true
solid = "translate([-10, -1, -5]) cube([120, 1, 10]);"
[part.comb]
solid = '''
translate([0, 2, 0]) {{
  translate([0, 1, 0]) cube([80, 1, 1]);
  for (k = [0:{last}]) translate([2*k, 0, 0]) cube([1, 1.5, 1]);
}}
'''
density = 1
free = true
"""


@pytest.mark.parametrize(("dimension", "teeth"), [(2, 40), (3, 20)])
def test_a_comb_falls_on_all_its_teeth(dimension: int, teeth: int) -> None:
    """It stays as it lands, and the floor carries its weight."""
    gravity = [0, -9.81, 0][:dimension]
    comb = machine_from_text(
        COMB.format(dimension=dimension, gravity=gravity, last=teeth - 1), "comb.toml", "comb"
    )
    solution = simulate(comb, until=1, contact="rigid")
    assert solution.status == "complete"
    assert solution["comb.y"][-1] == pytest.approx(-2, abs=1e-9)
    landed = [event for event in solution.events if event["kind"] == "impact"]
    mass = 80 + teeth * 1.0
    assert sum(event["impulse"] for event in landed) == pytest.approx(mass * np.sqrt(2 * 9.81 * 2), rel=1e-9)


LOCK = (files("linkwork.examples") / "pin-tumbler-lock.toml").read_text("utf-8")
CUTS = "[cut_1, cut_2, cut_3, cut_4, cut_5][k]"
TORQUE = """
[force.hand]
type = "torque"
on = "plug"
torque = [0, 0, "select(t > 0.01, 200, 0)"]
"""


@pytest.mark.slow
@pytest.mark.parametrize(("filed", "opens"), [("0", True), ("0.4", False)])
def test_a_lock_opens_to_its_key_alone(filed: str, opens: bool) -> None:
    """Where a cut of the key is too deep, a spring pushes a driver pin across the edge: the plug turns by its play."""
    text = LOCK.replace(CUTS, f"[cut_1, cut_2 - {filed}, cut_3, cut_4, cut_5][k]")
    lock = machine_from_text(text + TORQUE, "lock.toml", "lock")
    solution = simulate(lock, until=0.1, contact="rigid")
    assert solution.status == "complete"
    turn = 2 * np.arctan2(solution["plug.q3"][-1], solution["plug.q0"][-1])
    assert turn > 0.1 if opens else 0 < turn < 0.01
