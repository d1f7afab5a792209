"""The verb ``move``; a machine without drives gets one, of what the user names or of a joint that can move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import tau
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import LinkworkError, UnknownName, UsageError
from linkwork.kinematics.mechanism import Mechanism, short_way
from linkwork.kinematics.mobility import free_directions
from linkwork.kinematics.units import drives_an_angle
from linkwork.model import Drive, Machine
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.part import GROUND
from linkwork.model.placed import coordinate_names
from linkwork.model.structure import driven as target_of

if TYPE_CHECKING:
    from linkwork.kinematics.motion import Motion

SAME = 1e-6
"""What is left of a coordinate's rates, at most, beside those of others that tell the same motion."""
ROUNDING = 1e-12
"""What a coordinate may be off zero where it is drawn there, of its way."""


def move(machine: Machine | Mechanism, *, drive: str = "", **options: Any) -> Motion:
    """Positions, rates, accelerations and forces while the drives run; options as :meth:`Mechanism.move`.

    ``drive`` names what is driven instead, such as ``crank.angle``; a machine without drives gets one (:func:`driven`).

    >>> from linkwork.model import load
    >>> move(load("four-bar"), steps=36).status
    'complete'
    """
    given = machine.machine if isinstance(machine, Mechanism) else machine
    if given.is_unjoined:
        raise UsageError(
            f"the joints of {given.name} are not known yet",
            got="parts with solids, and no joints",
            wanted="a machine with joints",
            fix="linkwork.move(linkwork.recognise(machine).machine)",
        )
    if drive or not given.drives:
        return Mechanism(driven(given, drive)).move(**options)
    mechanism = machine if isinstance(machine, Mechanism) else Mechanism(machine)
    return mechanism.move(**options)


def driven(machine: Machine, coordinate: str = "") -> Machine:
    """The machine with one drive: a turn, or a short way, of a coordinate from where this is.

    ``coordinate`` is a joint, one of its coordinates, or one of a part. Without it the first is taken that can
    move: the turn of a joint with the ground, that of another joint, a slide, a part that nothing holds.

    >>> from linkwork.model import load
    >>> driven(load("four-bar"), "A.angle").drives["A"].range
    (0, 6.283185307179586)
    """
    if coordinate:
        return _along(_held(machine, _named(machine, coordinate)))
    free = independent(machine)
    if not free:
        raise UsageError(
            f"nothing can move in {machine.name}",
            got="mobility 0",
            wanted="a joint or a part that can move",
            fix=f"linkwork show {machine.name}   # joints, mobility, what is redundant",
        )
    return _along(_held(machine, free[0][0]))


def independent(machine: Machine) -> list[tuple[Drive, float]]:
    """Drives of coordinates that tell all motions of a machine, each once, with their values where it stands.

    >>> from linkwork.model import load
    >>> [(drive.joint, drive.coordinate) for drive, _ in independent(load("planetary-gear"))]
    [('O1', 'angle')]
    """
    drives = [*_driveable(machine)]
    held = {f"held_{place}": replace(drive, value=0) for place, drive in enumerate(drives)}
    mechanism = Mechanism(machine.with_drives(held))
    numbers, position, system = mechanism.numbers, mechanism.loosely_assembled, mechanism.system
    free = free_directions(numbers, position.q, position.u, np.array(system.passive_rows, int))
    rates = numbers.scaled(position.q, position.u)[1][list(system.drive_rows)] @ free.T
    found: list[tuple[Drive, float]] = []
    known = np.zeros((0, len(free)))
    for drive, rate in zip(drives, rates, strict=True):
        new = rate - (known @ rate) @ known
        if float(np.linalg.norm(new)) > SAME * max(float(np.linalg.norm(rate)), SAME):
            known = np.vstack([known, new / np.linalg.norm(new)])
            found.append((drive, position[_name(machine, drive)]))
    return found


def _driveable(machine: Machine) -> Iterator[Drive]:
    """Drives of all coordinates that can move at all, each coordinate once."""
    world, seen = machine.world(), set()
    for drive in _coordinates(machine):
        try:
            target = target_of(world, "", drive)
        except LinkworkError:  # it cannot move
            continue
        if target not in seen:
            seen.add(target)
            yield drive


def _named(machine: Machine, coordinate: str) -> Drive:
    """The drive of a joint, of one of its coordinates, or of a coordinate of a part."""
    joint, _, which = coordinate.partition(".")
    drive = Drive(joint, which) if joint in machine.joints else Drive(of=coordinate)
    if (which or drive.joint) and _is_known(machine, drive):
        return drive
    known = [_name(machine, each) for each in _coordinates(machine)]
    raise UsageError(
        f"{machine.name} has no coordinate '{coordinate}' that could be driven",
        wanted=listed(known),
        fix=did_you_mean(coordinate, known, f'drive="{known[0]}"'),
    )


def _is_known(machine: Machine, drive: Drive) -> bool:
    """Whether the machine has the coordinate that is driven."""
    try:
        _held(machine, drive)
    except UnknownName:
        return False
    return True


def _name(machine: Machine, drive: Drive) -> str:
    """What the coordinate of a drive is called."""
    return (
        drive.of or f"{drive.joint}.{drive.coordinate or next(iter(machine.world().measured(drive.joint)))}"
    )


def _coordinates(machine: Machine) -> Iterator[Drive]:
    """Drives of all coordinates, those first that are driven most often."""
    world = machine.world()
    joints = [(name, which) for name in machine.joints for which in world.measured(name)]

    def rank(coordinate: tuple[str, str]) -> tuple[bool, bool]:
        joint = machine.joints[coordinate[0]]
        from_ground = any(each.partition(".")[0] == GROUND for each in joint.references())
        return coordinate[1] not in joint.angles(), not from_ground

    for joint, which in sorted(joints, key=rank):
        yield Drive(joint, which)
    for part in machine.moving:
        for which in coordinate_names(machine.dimension)[:3]:
            yield Drive(of=f"{part}.{which}")


def _held(machine: Machine, drive: Drive) -> Mechanism:
    """The machine whose only drive holds a coordinate."""
    name = drive.joint or drive.of.replace(".", "_")
    return Mechanism(machine.with_drives({name: replace(drive, value=0)}))


def _along(mechanism: Mechanism) -> Machine:
    """The machine with a drive that goes on from where its coordinate is."""
    machine = mechanism.machine
    ((name, drive),) = machine.drives.items()
    coordinate = _name(machine, drive)
    way = tau if drives_an_angle(machine, name) else short_way(mechanism)
    first = mechanism.loosely_assembled[coordinate]
    first = first if abs(first) > ROUNDING * way else 0.0
    return machine.with_drives({name: replace(drive, value=None, range=(first, first + way))})
