"""Why a machine does not go together or does not go where it is told, in words that name the guilty."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.algebra import Expression, Operand, atan2, directional, evaluate
from linkwork.errors import LinkworkError, NoAnswer
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.follow import Followed
from linkwork.kinematics.newton import LARGE, Found
from linkwork.kinematics.numbers import Numbers
from linkwork.kinematics.path import Path
from linkwork.model import Machine
from linkwork.model.joint import Turn

CHANGE = 0.02
"""Joints that give less than this share of what the most movable one does are not named."""
SHARE = 1e-3
"""Joints that carry less than this share of the largest misfit take no part in it."""


class DoesNotAssemble(NoAnswer):
    """A machine that cannot be put together; ``gap`` is by how much, ``joints`` are the loop's."""

    gap: float = 0.0
    joints: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The parts of the error, with the gap and the joints."""
        return super().to_json() | {"gap": self.gap, "joints": list(self.joints)}


class TooManyDrives(LinkworkError):
    """More drives than a machine has freedoms."""


class DriveOutOfReach(NoAnswer):
    """A drive that is told to go where the machine cannot follow."""


def no_assembly(numbers: Numbers, loose: Found, u: Matrix) -> LinkworkError:
    """What keeps the machine from being assembled: its drives, or a loop that does not close.

    ``loose`` came nearest to satisfying everything but the drives.
    """
    if numbers.system.machine.drives and loose.converged:
        return _drives_in_the_way(numbers, loose, u)
    return _open_loop(numbers, loose, u)


def _drives_in_the_way(numbers: Numbers, loose: Found, u: Matrix) -> LinkworkError:
    machine = numbers.system.machine
    residual = numbers.residual(loose.q, u)[list(numbers.system.drive_rows)]
    shown = [
        f"{name} = {value:.6g} (the nearest that was found: {value + gap:.6g})"
        for name, value, gap in zip(machine.drives, u[1:], residual, strict=True)
    ]
    matrix = numbers.scaled(loose.q, u)[1]
    rank, passive = (
        np.linalg.matrix_rank(each, tol=1e-7) for each in (matrix, matrix[list(numbers.system.passive_rows)])
    )
    if rank - passive < len(machine.drives):
        return too_many_drives(machine, int(rank - passive))
    error = DriveOutOfReach(
        "the drives cannot stand where they are told; without them the machine goes together",
        got=", ".join(shown),
        wanted="values that the machine can reach",
        fix=f"[drive.{next(iter(machine.drives))}]\nrange = [{u[1] + residual[0]:.6g}, …]",
    )
    error.where = ("drive", next(iter(machine.drives)))
    return error


def _open_loop(numbers: Numbers, best: Found, u: Matrix) -> LinkworkError:
    """At the best position the misfits of all joints of a loop balance like forces; together they are the gap."""
    system = numbers.system
    phi = np.nan_to_num(np.abs(numbers.residual(_nearest(numbers, best.q, u), u)), nan=np.inf)
    shares: dict[str, float] = {}
    for row in system.joint_rows:
        owner = system.equations[row].owner
        shares[owner] = float(np.hypot(shares.get(owner, 0.0), phi[row]))
    largest = max(shares.values(), default=0.0)
    if not np.isfinite(largest):
        odd = [name for name, share in shares.items() if not np.isfinite(share)]
        return DoesNotAssemble(
            f"the machine {system.machine.name} does not go together: joints have no finite value near by",
            got=", ".join(odd),
            why="a size is zero or far too large, or an expression is not defined there",
            fix="check the parameters that these joints use, or give the parts a better start",
        )
    joints = tuple(name for name, share in shares.items() if share > SHARE * largest)
    gap = sum(shares[name] for name in joints)
    unit = system.machine.units.get("length", "")
    error = DoesNotAssemble(
        f"the machine {system.machine.name} does not go together: a loop does not close",
        got=f"at best a gap of {gap:.6g}{f' {unit}' if unit else ''} in the loop of the joints {', '.join(joints)}",
        wanted="lengths with which every loop closes",
        why="the lengths do not fit, or the rough places are too far from a solution",
        fix=f"change a length by {gap:.3g} or more, or give the parts a better start",
    )
    error.gap, error.joints = gap, joints
    error.where = ("joint", joints[-1]) if joints else ()
    return error


def _nearest(numbers: Numbers, q: Matrix, u: Matrix) -> Matrix:
    """The position with the smallest misfit in the machine's own unit, drives left free."""
    from scipy.optimize import least_squares

    rows = list(numbers.system.passive_rows)
    if len(q) > LARGE or not np.isfinite(numbers.residual(q, u)[rows]).all():
        return q
    found = least_squares(
        lambda x: numbers.residual(x * numbers.scale, u)[rows],
        q / numbers.scale,
        lambda x: numbers.linearised(x * numbers.scale, u)[1][rows] * numbers.scale,
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
        max_nfev=200,
    )
    return np.asarray(found.x * numbers.scale, float)


def joints_that_give(numbers: Numbers, q: Matrix, free: Matrix) -> tuple[str, ...]:
    """The joints whose coordinates change along a direction of the coordinates, those that change most first."""
    system = numbers.system
    world = system.machine.world()
    names = [each.name for each in system.unknowns]
    values = {**numbers.parameters, **dict(zip(names, q.tolist(), strict=True))}
    along: dict[Expression, Operand] = dict(zip(system.unknowns, free.tolist(), strict=True))
    changes: dict[str, float] = {}
    for joint in system.machine.joints:
        for name, value in world.measured(joint).items():
            angle = atan2(value.sine, value.cosine) if isinstance(value, Turn) else value
            size = 1.0 if name in system.machine.joints[joint].angles() else numbers.size
            rate = evaluate(directional(world.resolved([angle]), along), values)[0] / size
            changes[joint] = max(changes.get(joint, 0.0), abs(rate))
    largest = max(changes.values(), default=0.0)
    moving = [name for name, change in changes.items() if change > CHANGE * largest > 0]
    return tuple(sorted(moving, key=lambda name: -changes[name]))


def too_many_drives(machine: Machine, freedoms: int) -> TooManyDrives:
    """The error for drives that fight each other, or a machine that cannot move at all."""
    names = list(machine.drives)
    several = (
        f"{len(names)} drives for {freedoms} freedom{'' if freedoms == 1 else 's'}: they fight each other"
    )
    error = TooManyDrives(
        several if freedoms else f"the machine {machine.name} cannot move, so nothing can drive it",
        got=", ".join(names),
        wanted=f"{freedoms} drive{'' if freedoms == 1 else 's'}",
        fix=f"remove [drive.{names[-1]}]",
    )
    error.where = ("drive", names[-1])
    return error


def unreachable(numbers: Numbers, found: Followed, path: Path) -> LinkworkError:
    """The error for a drive value beyond a dead point."""
    system = numbers.system
    if not found.singular:
        return DriveOutOfReach(
            "the machine cannot follow its drives on this branch", why="it is stuck: no position near by fits"
        )
    _, dead = found.singular[-1]
    u = path.at(np.array([dead.s])).u[0]
    shown = ", ".join(
        f"{name} = {value:.9g}" for name, value in zip(system.machine.drives, u[1:], strict=True)
    )
    joints = joints_that_give(numbers, dead.q, dead.free)
    return DriveOutOfReach(
        f"the machine reaches a {dead.kind} before its drives are where they are told",
        got=f"{shown} at the {dead.kind}",
        why=f"with the drives held, the joints {', '.join(joints)} can still move there",
        fix="stay on this side of it, or start on another branch",
    )
