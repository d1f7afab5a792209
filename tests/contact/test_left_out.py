"""Contacts that are not computed: no machine is refused for those that do not come about, and none is gone through."""

from __future__ import annotations

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.errors import NoAnswer
from linkwork.model.read import machine_from_text


def run(machine: lw.Machine, until: float, **how: object) -> ContactSolution:
    found = lw.simulate(machine, until=until, contact="rigid", **how)  # type: ignore[arg-type]
    assert isinstance(found, ContactSolution)
    return found


def test_a_piston_in_its_bore_is_no_contact() -> None:
    """A round piston is no prism across the plane of an engine, and never touches what its joints do not hold."""
    found = run(lw.load("engine"), 1.0, rates={"crankshaft.angle": 10})
    assert found.status == "complete"
    assert not found.events
    energy = found.columns["energy"]
    assert np.ptp(energy) < 1e-6 * energy[0]
    assert {each.parts for each in found.left_out} >= {("piston", "ground"), ("crankshaft", "piston")}
    assert found.about()["left_out"][0]["parts"] == list(found.left_out[0].parts)


SPOOL = '''
linkwork = 1
gravity = [0, 0, -10]
[part.table]
fixed = true
solid = "translate([-5, -5, -1]) cube([10, 10, 1]);"
[part.spool]
free = true
density = 1
solid = """translate([0, 0, {height}])
  rotate_extrude() difference() {{ square([{wide}, 2]); translate([{wide}, 1]) circle(r={groove}); }}"""
'''


@pytest.mark.parametrize(("wide", "groove"), [(1, 0.2), (1.2, 0.4)])
@pytest.mark.parametrize("height", [0.05, 1.25, 20])
def test_what_is_not_computed_ends_the_run(wide: float, groove: float, height: float) -> None:
    """A spool with a round groove falls until it would go into the table: told are both parts and √(2h/g)."""
    text = SPOOL.format(height=height, wide=wide, groove=groove)
    found = run(machine_from_text(text, "spool.toml", "spool"), 3.0)
    assert found.status == "stopped"
    assert "spool and ground meet in a way that is not computed" in found.why
    assert "spool has a shell" in found.why
    time = float(found.why.partition("t = ")[2].partition(":")[0])
    assert time == pytest.approx(math.sqrt(2 * height / 10), abs=2e-3)
    assert found.times[-1] <= time


def test_a_start_in_one_another_is_refused() -> None:
    """Parts whose contacts are not computed must be apart at the start as all others."""
    machine = machine_from_text(SPOOL.format(height=1, wide=1, groove=0.5), "spool.toml", "spool")
    with pytest.raises(NoAnswer, match="spool and ground are in one another at the start"):
        run(machine, 1.0, start={"spool.z": -1.5})


def test_a_motion_that_does_not_begin_is_an_error() -> None:
    """More contacts at the start than can be told apart: there is not even a first row, and the reason is told."""
    blocks = "".join(
        f'[part.b{place}]\nfree = true\nsolid = "translate([0, {place}, 0]) cube(1);"\ndensity = 1\n'
        for place in range(60)
    )
    table = '[part.table]\nfixed = true\nsolid = "translate([-5, -1, 0]) cube([10, 1, 1]);"\n'
    text = f"linkwork = 1\ngravity = [0, -10]\n{table}{blocks}"
    with pytest.raises(NoAnswer, match="the motion of tower does not begin") as caught:
        run(machine_from_text(text, "tower.toml", "tower"), 0.01)
    assert "more places touch" in caught.value.why
