"""Simulations with contacts on the command line: which machine, and which laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwork.cli.settings import blaming, machine_of_solids, tell_density
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.contact import ContactIslands, Laws
    from linkwork.model import Machine


def contact_simulator(name: str, settings: Sequence[str], model: str) -> ContactIslands:
    """The machine of this name, its joints found, ready to be simulated with contacts."""
    from linkwork.contact import ContactIslands
    from linkwork.contact.motion import MODELS
    from linkwork.recognition import recognise

    if model not in MODELS:
        raise UsageError(
            f"there is no model of contact '{model}'", wanted=" or ".join(MODELS), fix="--contact rigid"
        )
    machine = machine_of_solids(name, settings)
    tell_density(name, machine)
    with blaming(name):
        return ContactIslands(recognise(machine))


def chosen_laws(machine: Machine, friction: float | None, restitution: float | None) -> Laws:
    """The laws of contact of a machine, those of all its parts as options give them."""
    from linkwork.contact import machine_laws

    given = {"friction": friction, "restitution": restitution}
    return machine_laws(machine, {name: value for name, value in given.items() if value is not None})
