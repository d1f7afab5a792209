"""What happens in a machine does not depend on how finely its motion is computed."""

from __future__ import annotations

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactIslands, ContactSolution, Law, Laws
from linkwork.errors import UsageError
from linkwork.model import load
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise
from other_machines import graham_clock


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


def test_elastic_contacts_are_not_lost_in_a_rough_tolerance() -> None:
    """A clock whose parts yield by less than a thousandth of their size goes on ticking as it does.

    Parts of some centimetres are at most some hundredths of a millimetre deep in one another.
    """
    machine = ContactIslands(recognise(machine_from_text(graham_clock(), "graham.toml", "graham")))
    laws = Laws(Law(friction=0.05, stiffness=2000, damping=1e4, pressing=0.1))
    fine, *others = (
        machine.simulate(6.0, step=0.005, rtol=rtol, laws=laws, model="elastic")
        for rtol in (1e-7, 1e-4, 1e-3, 1e-2)
    )

    def beats(found: ContactSolution) -> list[float]:
        swing, time = found.columns["anchor.angle"] + math.radians(3.0), found.columns["time"]
        at = np.flatnonzero(swing[:-1] * swing[1:] < 0)
        return [float(time[k] + 0.005 * swing[k] / (swing[k] - swing[k + 1])) for k in at]

    assert len(beats(fine)) > 10
    for other in others:
        assert other.status == "complete", other.why
        assert beats(other) == pytest.approx(beats(fine), abs=2e-3)
        assert other.columns["wheel.angle"][-1] == pytest.approx(fine.columns["wheel.angle"][-1], abs=0.01)


def test_a_rough_tolerance_takes_fewer_steps() -> None:
    """Where a corner leaves a face, once: a motion that is off its contacts leaves it some other time, and again.

    What was done again because something happens soon does not leave short steps behind.
    """
    machine = ContactIslands(recognise(machine_from_text(graham_clock(), "graham.toml", "graham")))
    laws = Laws(Law(friction=0.05))
    fine, rough = (machine.simulate(10.0, rtol=rtol, laws=laws).effort["steps"] for rtol in (1e-9, 1e-5))
    assert rough < fine


@pytest.mark.parametrize("law", [Law(friction=0.05), Law(friction=0.05, stiffness=1e6, pressing=1.0)])
@pytest.mark.parametrize("rtol", [1e-6, 1e-5, 1e-4])
def test_stiff_parts_are_not_lost(rtol: float, law: Law) -> None:
    """A contact that ends while its parts still come on, by the error of a step, begins again; one that seems not to
    push for a moment does so before it is deep.
    """
    machine = ContactIslands(recognise(machine_from_text(graham_clock(), "graham.toml", "graham")))
    pressed = machine.simulate(6.0, step=0.02, rtol=rtol, laws=Laws(law), model="elastic")
    assert pressed.status == "complete", pressed.why
    assert pressed.columns["depth"].max() < 2e-3


@pytest.mark.parametrize("model", ["rigid", "elastic"])
@pytest.mark.parametrize("rtol", [0.0, -1.0, 1.0, 10.0, math.nan, math.inf])
def test_a_tolerance_that_makes_no_sense_is_refused(rtol: float, model: str) -> None:
    """As without contacts: nothing is simulated with it."""
    with pytest.raises(UsageError):
        lw.simulate(load("escapement"), until=1, contact=model, rtol=rtol)
