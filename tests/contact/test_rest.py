"""Machines that come to rest: long times cost nothing, and what the clock moves later is not slept through."""

from __future__ import annotations

import pytest

import linkwork as lw
from linkwork.contact import ContactIslands, Law, Laws
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise

BLOCK = """
linkwork = 1
gravity = [0, -10]
[part.table]
fixed = true
solid = "translate([-5, -1, 0]) cube([10, 1, 1]);"
[part.block]
free = true
density = 1
solid = "translate([-0.5, 0.2, 0]) cube([1, 1, 1]);"
[contact]
friction = 0.3
"""
PUSH = """
[force.push]
type = "force"
at = "block"
force = ["{}", 0]
"""


def fallen(push: str = "") -> lw.Machine:
    text = BLOCK + (PUSH.format(push) if push else "")
    return machine_from_text(text, "block.toml", "block")


def test_a_block_that_lies_takes_no_steps() -> None:
    """What neither moves nor can begin to stays as it is, however long, and its forces hold it in every row."""
    short, long = (
        lw.simulate(fallen(), until=until, step=until / 50, contact="rigid") for until in (2.0, 1e6)
    )
    assert long.effort["steps"] < short.effort["steps"] + 10
    assert [event["t"] for event in long.events] == pytest.approx([event["t"] for event in short.events])
    for name in ("block.x", "block.y", "block.angle"):
        assert long.columns[name][1:] == pytest.approx(short.columns[name][-1], abs=1e-9)
    assert long.columns["block.on.ground"][1:] == pytest.approx(10.0)


def test_a_force_that_comes_with_the_clock_moves_what_lies() -> None:
    """A push that grows with time overcomes friction when it is 0.3 of the weight: then the block slips."""
    pushed = lw.simulate(fallen("3/100*t"), until=105.0, step=1.0, contact="rigid")
    slips = [event["t"] for event in pushed.events if event["kind"] == "slip"]
    assert slips == pytest.approx([100.0, 100.0], abs=1e-6)  # both of its corners
    x = pushed.columns["block.x"]
    assert x[-1] - x[99] == pytest.approx(0.03 * 5.0**3 / 6, rel=1e-6)


def test_a_clock_that_has_run_down_is_done() -> None:
    """After its last event a clock swings out; ten times the time is hardly more work."""
    machine = ContactIslands(recognise(lw.load("ratchet-cw")))
    short, long = (machine.simulate(until) for until in (100.0, 1e5))
    assert long.effort["evaluations"] < short.effort["evaluations"] + 3000
    assert len(long.events) == len(short.events)


@pytest.mark.parametrize("restitution", [0.5, 0.9, 0.95])
@pytest.mark.parametrize("until", [1.9, 2.5])
def test_a_block_that_rocks_ever_lower_comes_to_lie(restitution: float, until: float) -> None:
    """Bounces that are back within a short step are seen, though not deep: none begins anew with the speed of a fall
    from where it never was.
    """
    laws = Laws(Law(friction=0.4, restitution=restitution))
    found = lw.simulate(lw.load("rocking-block"), until=until, contact="rigid", laws=laws)
    assert found.status == "complete"
    assert len(found.events) < 2000
    assert found.events[-1]["t"] < 1.85
