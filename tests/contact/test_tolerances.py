"""What happens in a machine does not depend on how finely its motion is computed."""

from __future__ import annotations

import pytest

import linkwork as lw
from linkwork.contact import ContactIslands
from linkwork.recognition import recognise


@pytest.mark.parametrize("name", ["escapement", "missing-tooth", "ratchet-ccw", "geneva-drive"])
def test_events_are_those_of_every_tolerance(name: str) -> None:
    """Rough and fine tolerances, which are of different methods, tell the same events in the same order.

    Where a corner leaves a face and meets the next one, both are one event, not several some rounding apart.
    """
    machine = ContactIslands(recognise(lw.load(name)))
    fine, *others = (machine.simulate(40.0, step=0.5, rtol=rtol) for rtol in (1e-10, 1e-7, 1e-5))
    told = [(event["kind"], event["parts"], event["features"]) for event in fine.events]
    assert told
    for other in others:
        assert [(event["kind"], event["parts"], event["features"]) for event in other.events] == told
        times = [event["t"] for event in other.events]
        assert times == pytest.approx([event["t"] for event in fine.events], abs=1e3 * other.tolerance)
