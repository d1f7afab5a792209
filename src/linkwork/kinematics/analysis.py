"""What designers read off a linkage in motion: paths of points, transmission angles, instantaneous centres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from linkwork.algebra import Expression, symbol
from linkwork.emit import Program, compiled
from linkwork.errors import UsageError
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.numbers import constant_values
from linkwork.kinematics.system import hoisted
from linkwork.model import Machine
from linkwork.model.joint import Pair
from linkwork.model.joint.revolute import Revolute
from linkwork.model.part import GROUND
from linkwork.model.placed import coordinate_names
from linkwork.model.vector import Vector
from linkwork.model.world import World

if TYPE_CHECKING:
    from linkwork.kinematics.motion import Motion


def point_path(motion: Motion, reference: str) -> Matrix:
    """Where a point or frame goes: a row for each row of the motion.

    >>> from linkwork.kinematics import move
    >>> from linkwork.model import load
    >>> point_path(move(load("four-bar"), steps=4), "coupler.P").shape
    (5, 2)
    """
    world = motion.machine.world()
    return _over(motion, [*world.frame(reference).origin])


def instant_centre(motion: Motion, part: str, other: str = GROUND) -> Matrix:
    """The point about which a part of the plane turns against another; at infinity where it only shifts.

    The velocities agree there: v + ω×(P − r) is the same for both parts.
    """
    if motion.machine.dimension != 2:
        raise UsageError("instantaneous centres belong to machines of the plane", got=motion.machine.name)
    first, second = (_motion_of(motion, each) for each in (part, other))
    speed = first[:, 2] - second[:, 2]
    # the velocity of each part where the world's origin is
    u, v = (each[:, 0] + each[:, 2] * each[:, 4] for each in (first, second))
    s, t = (each[:, 1] - each[:, 2] * each[:, 3] for each in (first, second))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([-(s - t) / speed, (u - v) / speed])


def transmission_angle(motion: Motion, joint: str) -> Matrix:
    """The angle, at most a right one, between the two links at a pin: 90° transmits best, 0° not at all.

    A link's line leads from the pin to the next joint on the same part.
    """
    machine = motion.machine
    lines = transmission_lines(machine, joint)
    if lines is None:
        raise UsageError(
            f"the joint {joint} has no transmission angle",
            wanted="a revolute joint of the plane between two moving parts, each with another joint",
        )
    first, second = (_over(motion, [*line]) for line in lines)
    cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    return np.abs(np.arctan2(np.abs(cross), np.abs(np.einsum("ij,ij->i", first, second))))


def with_analysed(motion: Motion, names: Sequence[str]) -> Motion:
    """The motion with columns that are computed on request: ``C.transmission``, ``coupler.centre.x`` and ``.y``.

    >>> from linkwork.kinematics import move
    >>> from linkwork.model import load
    >>> with_analysed(move(load("four-bar"), steps=4), ["C.transmission"])["C.transmission"].shape
    (5,)
    """
    found = {}
    for name in names:
        owner, _, which = name.rpartition(".")
        part, _, centre = owner.rpartition(".")
        if which == "transmission" and owner in motion.machine.joints:
            found[name] = transmission_angle(motion, owner)
        elif centre == "centre" and part in motion.machine.moving and which in ("x", "y"):
            found[name] = instant_centre(motion, part)[:, "xy".index(which)]
    return replace(motion, columns={**motion.columns, **found}) if found else motion


def transmission_lines(machine: Machine, joint: str) -> tuple[Vector, Vector] | None:
    """The lines of the two links at a pin, where it has two."""
    pin = machine.joints[joint]
    if machine.dimension != 2 or not isinstance(pin, Revolute):
        return None
    world = machine.world()
    ends = pin.frames(world)
    lines = [_line(world, joint, end.part, end.origin) for end in ends]
    if lines[0] is None or lines[1] is None:
        return None
    return lines[0], lines[1]


def _line(world: World, joint: str, part: str, pin: Vector) -> Vector | None:
    """From a pin to the nearest other joint of the same part, in the order of the file."""
    if part == GROUND:
        return None
    for name, other in world.machine.joints.items():
        if name != joint and isinstance(other, Pair) and not other.joints():
            for end in other.frames(world):
                if end.part == part and end.origin != pin:
                    return end.origin - pin
    return None


def _motion_of(motion: Motion, part: str) -> Matrix:
    """vx, vy, rate, x, y of a part; the ground stands still."""
    if part == GROUND:
        return np.zeros((len(motion), 5))
    return np.column_stack([motion[f"{part}.{name}"] for name in ("vx", "vy", "rate", "x", "y")])


def _over(motion: Motion, expressions: list[Expression]) -> Matrix:
    """Expressions of the parts' coordinates over the rows of a motion."""
    machine = motion.machine
    names = [
        symbol(f"{part}.{name}") for part in machine.moving for name in coordinate_names(machine.dimension)
    ]
    moved, constants = hoisted(expressions, set(names))
    inputs = {"q": names, "k": [name for name, _ in constants]}
    function = compiled(Program.of("path", inputs, {"found": moved}))
    q = motion.poses.reshape(len(motion), -1)
    return function(q, constant_values(constants, machine.values()))["found"]
