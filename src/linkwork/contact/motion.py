"""The verb ``simulate`` for all machines: without contacts, or with them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Final

from linkwork.algebra import Operand
from linkwork.contact.islands import ContactIslands
from linkwork.contact.laws import Laws, RestitutionWarning, machine_laws, restitution_unused
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.recognition import Recognition, recognise
from linkwork.recognition.given_joints import given_joints
from linkwork.simulation import Simulator, Solution
from linkwork.simulation.simulator import DEFAULT_TOLERANCE

MODELS: Final = ("rigid", "elastic")


def simulate(
    machine: Machine,
    until: float | None = None,
    *,
    contact: str = "",
    laws: Laws | None = None,
    step: float | None = None,
    rtol: float = DEFAULT_TOLERANCE,
    method: str = "auto",
    parameters: Mapping[str, Operand | str] | None = None,
    controls: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    rates: Mapping[str, float] | None = None,
    check: bool = True,
) -> Solution:
    """The motion of a machine in time; with ``contact`` its parts touch, push, strike and let go.

    The model of contact is ``"rigid"`` or ``"elastic"``. The joints of a machine of solids are found.

    >>> from linkwork.model import load
    >>> simulate(load("pendulum"), until=2)
    Solution pendulum: 1001 rows to t = 2, complete
    >>> ticking = simulate(load("escapement"), until=3, contact="rigid")
    >>> ticking.events[0]["parts"], ticking.events[0]["kind"]
    (['ewheel', 'lever'], 'impact')

    The other arguments are those of :meth:`linkwork.Simulator.simulate`; with contacts ``method`` and ``check`` have no
    meaning.
    """
    how: dict[str, Any] = {"step": step, "rtol": rtol, "controls": controls, "start": start, "rates": rates}
    if not contact:
        if isinstance(machine, Machine) and machine.is_unjoined:
            machine, parameters = _with_joints(machine, parameters), None
        return Simulator(machine).simulate(until, method=method, parameters=parameters, check=check, **how)
    if contact not in MODELS:
        raise UsageError(
            f"there is no model of contact '{contact}'", wanted=" or ".join(MODELS), fix='contact="rigid"'
        )
    chosen = machine.with_parameters(parameters) if parameters else machine
    found = touching_machine(chosen)
    if contact == "elastic" and (unused := restitution_unused(laws or machine_laws(chosen))):
        warnings.warn(unused, RestitutionWarning, stacklevel=2)
    return ContactIslands(found).simulate(until, model=contact, laws=laws, **how)


def _with_joints(machine: Machine, parameters: Mapping[str, Operand | str] | None) -> Machine:
    """A machine of solids, its sizes as they are told, with the joints that are found."""
    found = recognise(machine.with_parameters(parameters) if parameters else machine).machine
    assert found is not None
    return found


def touching_machine(machine: Machine) -> Recognition:
    """A machine of solids with what joins its parts and what may touch: joints that it has are kept, others found."""
    check_touchable(machine)
    return recognise(machine) if machine.is_unjoined else given_joints(machine)


def check_touchable(machine: Machine) -> None:
    """Refuse a machine that has no solids that could touch."""
    if any(part.solid is not None for part in machine.parts.values()):
        return
    raise UsageError(
        f"the contacts of {machine.name} cannot be computed",
        got="no solids",
        wanted="a machine whose parts have solids",
        fix=f"linkwork simulate {machine.name}   # without contacts",
    )
