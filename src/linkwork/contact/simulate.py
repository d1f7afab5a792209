"""The verb ``simulate`` for all machines: without contacts, or with them."""

from __future__ import annotations

from typing import Any, Final

from linkwork import simulation
from linkwork.contact.islands import ContactIslands
from linkwork.contact.laws import Laws
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.recognition import recognise
from linkwork.simulation import Solution

MODELS: Final = ("rigid",)


def simulate(
    machine: Machine, until: float | None = None, *, contact: str = "", laws: Laws | None = None, **how: Any
) -> Solution:
    """The motion of a machine in time; with ``contact="rigid"`` its parts touch, push, strike and let go.

    >>> from linkwork.model import load
    >>> simulate(load("pendulum"), until=2)
    Solution pendulum: 1001 rows to t = 2, complete
    >>> ticking = simulate(load("escapement"), until=3, contact="rigid")
    >>> ticking.events[0]["parts"], ticking.events[0]["kind"]
    (['ewheel', 'lever'], 'impact')

    Further arguments are those of :meth:`linkwork.Simulator.simulate`.
    """
    if not contact:
        return simulation.simulate(machine, until, **how)
    if contact not in MODELS:
        raise UsageError(
            f"there is no model of contact '{contact}'", wanted=" or ".join(MODELS), fix='contact="rigid"'
        )
    check_touchable(machine)
    how.pop("check", None)
    how.pop("method", None)
    return ContactIslands(recognise(machine)).simulate(until, laws=laws, **how)


def check_touchable(machine: Machine) -> None:
    """Refuse a machine that has no solids that could touch, or joints already."""
    if machine.is_unjoined:
        return
    raise UsageError(
        f"the contacts of {machine.name} cannot be computed",
        got="joints" if machine.joints else "no solids",
        wanted="a machine whose parts have solids, and whose joints are found",
        fix="linkwork simulate escapement --contact rigid",
    )
