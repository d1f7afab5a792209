"""Islands: parts of a machine that never act on each other, each simulated by itself with steps of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from threading import Event
from typing import Any, Final

import numpy as np

from linkwork.contact.event_log import joined
from linkwork.contact.events import ToldEvents
from linkwork.contact.left_out import until_meeting
from linkwork.contact.pairs import grouped, moving_parts
from linkwork.contact.simulator import ContactSimulator
from linkwork.contact.solution import ContactSolution
from linkwork.contact.space import SpaceTouching, space_touching_of
from linkwork.contact.touching import Touching, touching_of
from linkwork.errors import NoAnswer
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.view import View
from linkwork.recognition.finding import Recognition

__all__ = ["ContactIslands", "islands"]

_ADDED: Final = ("kinetic", "potential", "energy", "contact", "lost")
"""Columns of which each island has a share."""


def islands(machine: Machine, touching: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """The moving parts in groups between which there is no joint, no force and no contact."""
    if any((machine.constraints, machine.energies, machine.definitions, machine.initial, machine.controls)):
        return [tuple(machine.moving)]  # formulas may speak of any part
    links = [[name for name in names if name != GROUND] for names in touching]
    links += [moving_parts(machine, joint.references()) for joint in machine.joints.values()]
    links += [_parts_of_force(machine, name) for name in machine.forces]
    return grouped(machine.moving, links)


def island_machine(machine: Machine, parts: Sequence[str]) -> Machine:
    """The machine with these of its moving parts alone, and what acts on them."""
    kept = {GROUND, *parts}
    joints = {
        name: joint
        for name, joint in machine.joints.items()
        if {*moving_parts(machine, joint.references())} <= {*parts}
        and moving_parts(machine, joint.references())
    }
    frames = {name: frame for name, frame in machine.frames.items() if frame.on in kept}
    own = {name: part for name, part in machine.parts.items() if name in kept}
    forces = {
        name: force
        for name, force in machine.forces.items()
        if {*force.joints()} <= {*joints}
        and {*moving_parts(machine, force.references())} <= kept
        and (force.joints() or moving_parts(machine, force.references()))
    }
    drives = {name: drive for name, drive in machine.drives.items() if drive.joint in joints}
    tables = {"parts": own, "frames": frames, "joints": joints, "forces": forces, "drives": drives}
    return replace(
        machine,
        view=View(),
        **{name: type(getattr(machine, name))(table) for name, table in tables.items()},
    )


def _parts_of_force(machine: Machine, name: str) -> list[str]:
    force = machine.forces[name]
    found = moving_parts(machine, force.references())
    for joint in force.joints():
        found += moving_parts(machine, machine.joints[joint].references())
    return found


class ContactIslands:
    """A machine of solids ready to be simulated with its contacts, island by island."""

    def __init__(self, found: Recognition) -> None:
        found, touching = _touching(found)
        assert found.machine is not None
        self.plain = found.machine
        self.left_out = touching.left_out
        every = islands(self.plain, [pair.parts for pair in touching.couples])
        if len(every) == 1:
            self.simulators = [ContactSimulator(self.plain, touching)]
        else:
            self.simulators = [
                ContactSimulator(island_machine(self.plain, parts), touching.island(parts)) for parts in every
            ]

    def simulate(self, until: float | None = None, **how: Any) -> ContactSolution:
        """The motion of all islands; see :meth:`ContactSimulator.simulate_contacts`."""
        start, rates = (how.pop(name, None) or {} for name in ("start", "rates"))
        owners = [{*each.plain.moving, *each.plain.joints} for each in self.simulators]

        def own(given: Mapping[str, float], place: int) -> dict[str, float]:
            owner_of = {name: name.rpartition(".")[0] for name in given}
            strange = {each for each in owner_of.values() if not any(each in names for names in owners)}
            return {name: given[name] for name, each in owner_of.items() if each in owners[place] | strange}

        stop = Event()

        def run(place: int) -> ContactSolution:
            each = self.simulators[place]
            return each.simulate_contacts(
                until, start=own(start, place), rates=own(rates, place), stop=stop, **how
            )

        for each in self.simulators:
            each.native  # noqa: B018 - compiled one after the other, run side by side
        with ThreadPoolExecutor(_processors()) as pool:
            try:
                found = list(pool.map(run, range(len(self.simulators))))
            except BaseException:  # Ctrl-C reaches this thread alone
                stop.set()
                raise
        whole = one_motion(found)
        if not len(whole):
            raise NoAnswer(f"the motion of {self.plain.name} does not begin", why=whole.why)
        return until_meeting(replace(whole, machine=self.plain, left_out=self.left_out))


def _processors() -> int:
    """How many there are for us: more islands than these at a time only take memory and caches from one another."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _touching(found: Recognition) -> tuple[Recognition, Touching | SpaceTouching]:
    """What may touch: in the plane of the machine, or in space where that knows more of it.

    Joints that hold parts in a plane hold them more than once in space: with such a machine stays in its plane, and so
    does one whose file says that it is plane.
    """
    if found.plane is None:
        return found, space_touching_of(found)
    flat = touching_of(found)
    if not flat.left_out or found.machine is found.given:
        return found, flat
    aside = replace(found, plane=None)
    if aside.machine is None or len(aside.machine.joints) > len(aside.machine.moving):
        return found, flat
    touching = space_touching_of(aside)
    return (found, flat) if touching.left_out else (aside, touching)


def one_motion(islands: Sequence[ContactSolution]) -> ContactSolution:
    """The motions of islands as one, as long as all go on."""
    if len(islands) == 1:
        return islands[0]
    rows = min(map(len, islands))
    stopped = [each for each in islands if each.status != "complete"]
    return replace(
        islands[0],
        status=stopped[0].status if stopped else "complete",
        why="; ".join(each.why for each in stopped),
        columns=_columns([each.columns for each in islands], rows),
        residual=max(each.residual for each in islands),
        events=ToldEvents([told for each in islands for told in each.events.told]),
        effort=_effort([each.effort for each in islands]),
        states=np.concatenate([each.states[:rows] for each in islands], axis=1),
        touches=_touches(islands, rows),
        pairs=tuple(chain.from_iterable(each.pairs for each in islands)),
        variables=tuple(chain.from_iterable(each.variables for each in islands)),
        unlisted=joined(each.unlisted for each in islands),
    )


def _columns(each: Sequence[Mapping[str, Matrix]], rows: int) -> dict[str, Matrix]:
    """The columns of all islands: energies are added, and of depths the largest counts."""
    found: dict[str, Matrix] = {}
    for own in each:
        for name, column in own.items():
            cut = column[:rows]
            if name not in found:
                found[name] = cut.copy() if name in (*_ADDED, "depth") else cut
            elif name in _ADDED:
                found[name] += cut
            elif name == "depth":
                np.maximum(found[name], cut, out=found[name])
    return found


def _effort(each: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What all islands took together."""
    return {
        name: sum(own[name] for own in each) if isinstance(value, int | float) else value
        for name, value in each[0].items()
    }


def _touches(islands: Sequence[ContactSolution], rows: int) -> Matrix:
    """The contacts of all rows, by the places of their pairs among those of all islands."""
    found: Matrix = np.concatenate([each.touches[:rows] for each in islands], axis=1)
    place = pairs = 0
    for each in islands:
        own = found[:, place : place + each.touches.shape[1], 0]
        own[own >= 0] += pairs
        place += each.touches.shape[1]
        pairs += len(each.pairs)
    return found
