"""Simulations with contacts on the command line: which options go together, which machine, and which laws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from linkwork.cli.settings import blaming, machine_with_solids, tell_density, without_drives
from linkwork.errors import UsageError
from linkwork.model.contact import constant_error
from linkwork.model.file import load

if TYPE_CHECKING:
    from linkwork.contact import ContactIslands, Laws
    from linkwork.model import Machine


def check_options(*, contact: str, compare: bool, free_body: str, others: Mapping[str, object]) -> None:
    """Refuse options that contradict each other or say nothing; ``others`` speak of contacts alone."""
    from linkwork.contact.motion import MODELS

    if compare and (contact or free_body):
        other = f"--contact {contact}" if contact else f"--free-body {free_body}"
        raise UsageError(
            f"--compare runs all models of contact: it does not go with {other.split()[0]}",
            got=f"--compare {other}",
            wanted="one of them",
            fix="--compare" if contact else f"--contact rigid {other}",
        )
    if contact and contact not in MODELS:
        raise UsageError(
            f"there is no model of contact '{contact}'",
            got=f"--contact {contact}",
            wanted=" or ".join(MODELS),
            fix=f"--contact {next(iter(get_close_matches(contact, MODELS)), MODELS[0])}",
        )
    lonely = [name for name, value in others.items() if value is not None]
    if lonely and not (contact or compare):
        raise UsageError(
            f"{lonely[0]} is about contacts, which are not computed",
            wanted="a model of contact beside it",
            fix=f"--contact rigid {lonely[0]} {others[lonely[0]]}",
        )


def contact_simulator(name: str, settings: Sequence[str], free: Sequence[str]) -> ContactIslands:
    """The machine of this name, its joints found where it has none, ready to be simulated with contacts."""
    from linkwork.contact import ContactIslands
    from linkwork.contact.motion import check_touchable, touching_machine

    check_touchable(load(name))
    machine = without_drives(machine_with_solids(name, settings), free)
    tell_density(name, machine)
    with blaming(name):
        return ContactIslands(touching_machine(machine))


def with_laws(machine: Machine, friction: float | None, restitution: float | None) -> Machine:
    """A machine whose joints are not found yet, with the laws of contact of all its parts as options give them."""
    laws = chosen_laws(machine, friction, restitution).common
    given = {
        name: getattr(laws, name)
        for name, value in (("friction", friction), ("restitution", restitution))
        if value is not None
    }
    return replace(machine, contact=replace(machine.contact, **given)) if given else machine


def chosen_laws(machine: Machine, friction: float | None, restitution: float | None) -> Laws:
    """The laws of contact of a machine, those of all its parts as options give them."""
    from linkwork.contact import machine_laws

    given = {"friction": friction, "restitution": restitution}
    for name, value in given.items():
        if value is not None and (error := constant_error(name, value)) is not None:
            raise UsageError(
                error.problem, got=f"--{name} {value:g}", wanted=error.wanted, fix=f"--{name} 0.1"
            )
    return machine_laws(machine, {name: value for name, value in given.items() if value is not None})
