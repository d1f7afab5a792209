"""Simulations with contacts on the command line: which machine, and which laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwork.cli.settings import blaming, machine_of_solids, tell_density
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.contact import ContactIslands, Laws


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


def given_laws(friction: float | None, restitution: float | None) -> Laws:
    """The laws of contact that options give."""
    from linkwork.contact import Law, Laws

    given = {"friction": friction, "restitution": restitution}
    return Laws(Law(**{name: value for name, value in given.items() if value is not None}))
