"""Islands: parts of a machine that never act on each other, each of which can be simulated by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from linkwork.model import Machine
from linkwork.model.part import GROUND
from linkwork.model.view import View


def islands(machine: Machine, touching: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """The moving parts in groups between which there is no joint, no force and no contact."""
    if any((machine.constraints, machine.energies, machine.definitions, machine.initial, machine.controls)):
        return [tuple(machine.moving)]  # formulas may speak of any part
    links = [[name for name in names if name != GROUND] for names in touching]
    links += [_parts_of(machine, joint.references()) for joint in machine.joints.values()]
    links += [_parts_of_force(machine, name) for name in machine.forces]
    home = {part: {part} for part in machine.moving}
    for link in links:
        for part in link[1:]:
            if home[part] is not home[link[0]]:
                merged = home[link[0]] | home[part]
                home |= dict.fromkeys(merged, merged)
    order = list(machine.moving)
    groups = {min(map(order.index, group)): group for group in home.values()}
    return [tuple(sorted(groups[place], key=order.index)) for place in sorted(groups)]


def island_machine(machine: Machine, parts: Sequence[str]) -> Machine:
    """The machine with these of its moving parts alone, and what acts on them."""
    kept = {GROUND, *parts}
    joints = {
        name: joint
        for name, joint in machine.joints.items()
        if {*_parts_of(machine, joint.references())} <= {*parts} and _parts_of(machine, joint.references())
    }
    frames = {name: frame for name, frame in machine.frames.items() if frame.on in kept}
    own = {name: part for name, part in machine.parts.items() if name in kept}
    forces = {
        name: force
        for name, force in machine.forces.items()
        if {*force.joints()} <= {*joints}
        and {*_parts_of(machine, force.references())} <= kept
        and (force.joints() or _parts_of(machine, force.references()))
    }
    drives = {name: drive for name, drive in machine.drives.items() if drive.joint in joints}
    tables = {"parts": own, "frames": frames, "joints": joints, "forces": forces, "drives": drives}
    return replace(
        machine,
        view=View(),
        **{name: type(getattr(machine, name))(table) for name, table in tables.items()},
    )


def _parts_of(machine: Machine, references: Iterable[str]) -> list[str]:
    """The moving parts that points, frames and parts belong to."""
    found = []
    for reference in references:
        name = reference.partition(".")[0]
        if name in machine.frames:
            name = machine.frames[name].on
        if name in machine.moving:
            found.append(name)
    return found


def _parts_of_force(machine: Machine, name: str) -> list[str]:
    force = machine.forces[name]
    found = _parts_of(machine, force.references())
    for joint in force.joints():
        found += _parts_of(machine, machine.joints[joint].references())
    return found
