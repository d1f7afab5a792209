"""What makes a simulation with contacts end before its time is named: the parts, and when."""

from __future__ import annotations

import pytest

import linkwork as lw
from linkwork.contact import ContactSolution
from linkwork.model.read import machine_from_text

TABLE = """
linkwork = 1
gravity = [0, -10]
[part.table]
fixed = true
solid = 'translate([-50, -1, 0]) cube([200, 1, 1]);'
[part.calm]
free = true
solid = 'translate([-9, 0, 0]) cube([2, 0.5, 1]);'
density = 1
[part.wild]
free = true
solid = 'translate([-1, 0, 0]) cube([2, 0.5, 1]);'
density = 1
[force.push]
type = "force"
at = "wild"
force = ["{force}", 0]
"""
BALL = TABLE.replace("translate([-1, 0, 0]) cube([2, 0.5, 1])", "translate([0, 3, 0]) cylinder(r=1, h=1)")


def run(force: str, until: float, model: str = "rigid") -> ContactSolution:
    machine = machine_from_text(TABLE.format(force=force), "m.toml", "m")
    found = lw.simulate(machine, until, contact=model, step=until / 100)
    assert isinstance(found, ContactSolution)
    assert found.status == "stopped"
    return found


@pytest.mark.parametrize("model", ["rigid", "elastic"])
def test_a_ball_that_is_blown_away_ever_faster_is_named(model: str) -> None:
    """Of elastic parts as of rigid ones; else its steps would become ever shorter, without an end."""
    machine = machine_from_text(BALL.format(force="50*wild.x + 1"), "m.toml", "m")
    found = lw.simulate(machine, 40, contact=model, step=0.4)
    assert isinstance(found, ContactSolution)
    assert found.why.startswith("wild went so far away")


def test_a_part_that_is_driven_away_ever_faster_is_named() -> None:
    """x grows like exp(√50 t): no clock would ever end that."""
    found = run("50*wild.x + 1", 40)
    assert found.why.startswith("wild went so far away")
    assert float(found.why.rpartition("=")[2]) < 5
    assert [each.parts for each in found.departed] == [("wild",)]


@pytest.mark.parametrize("model", ["rigid", "elastic"])
@pytest.mark.parametrize("force", ["5*(wild.x + 1)^3", "1/(0.5 - t)"])
def test_a_part_that_is_infinitely_fast_at_a_time_is_named(force: str, model: str) -> None:
    """Elastic parts that lie on a table are not jammed by what pulls along it."""
    found = run(force, 2, model)
    assert found.why.startswith("wild ")
    assert 0.4 < float(found.why.rpartition("=")[2]) < 0.9


@pytest.mark.parametrize("model", ["rigid", "elastic"])
def test_a_part_that_turns_ever_faster_is_named_soon(model: str) -> None:
    """Its turns are ever more in the same time: the end is out of reach long before all steps are taken."""
    machine = machine_from_text(BALL.format(force="exp(20*t)*wild.vx + 1"), "m.toml", "m")
    found = lw.simulate(machine, 5, contact=model, step=0.05)
    assert isinstance(found, ContactSolution)
    assert found.why.startswith("wild moves fastest when the number of steps would be beyond its limit")
    assert 0.2 < float(found.why.rpartition("=")[2]) < 0.4
    assert found.effort["steps"] < 3e6
