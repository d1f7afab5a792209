"""A motion: what a machine does while it is driven, as columns of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.columned import Columned
from linkwork.kinematics.curve import MEAN_OF_SIX, Singular
from linkwork.kinematics.diagnose import joints_that_give
from linkwork.kinematics.follow import Followed
from linkwork.kinematics.native import NativeChain
from linkwork.kinematics.newton import ACCEPTED, LARGE
from linkwork.kinematics.numbers import Numbers, least_squares, solved_rows, solved_sparsely
from linkwork.kinematics.path import Inputs, Path
from linkwork.kinematics.quantities import quantities_over
from linkwork.kinematics.reaction import MOST_ENTRIES, Reactions
from linkwork.model.machine import Machine

if TYPE_CHECKING:
    from linkwork.kinematics.mechanism import Mechanism


RATE_NAMES = {
    "x": ("vx", "ax", "jx"),
    "y": ("vy", "ay", "jy"),
    "z": ("vz", "az", "jz"),
    "angle": ("rate", "acceleration", "jerk"),
}
"""What the rates of a coordinate are called in columns."""


@dataclass(frozen=True)
class Limit:
    """A singular position that was met: a dead point, where a drive can go no further, or a change point."""

    kind: str
    time: float
    drives: Mapping[str, float]
    joints: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {value:.9g}" for name, value in self.drives.items())
        return f"{self.kind} at {shown}" + (f" (joints {', '.join(self.joints)})" if self.joints else "")

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "kind": self.kind,
            "time": self.time,
            "drives": dict(self.drives),
            "joints": list(self.joints),
        }


@dataclass(frozen=True, eq=False)
class Motion(Columned):
    """Columns over time. ``status`` is "complete", or says why the machine stopped."""

    noun = "motion"
    residual: float
    limits: tuple[Limit, ...]
    not_unique: tuple[str, ...]
    poses: Matrix  # rows × parts × coordinates
    why: str = ""

    def about(self) -> dict[str, Any]:
        """How it went, as plain data."""
        return {
            "why": self.why,
            "residual": self.residual,
            "limits": [limit.to_json() for limit in self.limits],
            "not_unique": list(self.not_unique),
        }

    def __repr__(self) -> str:
        return f"Motion of {self.machine.name}: {len(self)} rows, {self.status}, residual {self.residual:.1e}"


def motion_of(mechanism: Mechanism, found: Followed, path: Path, chain: NativeChain | None) -> Motion:
    """The motion of rows that were reached: rates of higher order, forces, names."""
    numbers, machine = mechanism.numbers, mechanism.machine
    s, q, v, direction, time = found.arrays()
    inputs = path.at(s)
    misfits = numbers.misfits(q, inputs.u) if len(q) else np.zeros(0)
    status, why = found.stopped or "complete", ""
    bad = np.flatnonzero(misfits > 10 * ACCEPTED)
    if len(bad):
        keep = int(bad[0])
        s, q, v, direction, time, inputs = (
            s[:keep],
            q[:keep],
            v[:keep],
            direction[:keep],
            time[:keep],
            _upto(inputs, keep),
        )
        status, why = "locked", "constraints that were redundant at the start contradict each other here"
    rows = _Dynamics(mechanism, chain).over(q, v, _in_time(inputs, direction))
    for row, sides in found.sides.items():
        if row < len(q):
            near = _in_time(path.at(sides.s), np.full(len(sides.s), direction[row]))
            rows.put_mean(row, _Dynamics(mechanism, chain).over(sides.q, sides.v * direction[row], near))
    if status == "locked" and not why:
        why = "the machine has the mobility 0: nothing can drive it"
    limits = tuple(_limit(mechanism, time_met, each, path) for time_met, each in found.singular)
    if status in ("dead point", "stuck"):
        why = str(limits[-1]) if limits else "no position near by fits"
    if status == "stuck" and not np.isfinite(path.at(_beyond(s)).du).all():
        why = "a drive's value or its rate is not finite further on"
    columns = dict(_columns(mechanism, time, q, v, rows, inputs))
    width = 3 if machine.dimension == 2 else 7
    poses = q[:, : width * len(machine.moving)].reshape(len(q), len(machine.moving), width)
    residual = float(np.max(misfits[: len(q)], initial=0.0))
    return Motion(machine, status, columns, residual, limits, rows.forces.not_unique, poses, why)


@dataclass
class _Rates:
    """Accelerations, jerks and forces over rows."""

    a: Matrix
    j: Matrix
    forces: Reactions

    def put_mean(self, row: int, sides: _Rates) -> None:
        """Take a singular row's values from regular ones around it."""
        self.a[row], self.j[row] = MEAN_OF_SIX @ sides.a, MEAN_OF_SIX @ sides.j
        for name, wrench in self.forces.joints.items():
            wrench[row] = MEAN_OF_SIX @ sides.forces.joints[name]
        for name, effort in self.forces.drives.items():
            effort[row] = MEAN_OF_SIX @ sides.forces.drives[name]


class _Dynamics:
    """What follows from positions and velocities."""

    def __init__(self, mechanism: Mechanism, chain: NativeChain | None) -> None:
        self.numbers, self.chain, self.inverse = mechanism.numbers, chain, mechanism.inverse_dynamics

    def over(self, q: Matrix, v: Matrix, inputs: Inputs) -> _Rates:
        """Over rows; inputs and their rates are by time."""
        a = _higher(self.numbers, 2, self.chain, q, (v,), inputs)
        j = _higher(self.numbers, 3, None, q, (v, a), inputs)
        return _Rates(a, j, self.inverse.reactions(q, v, a, inputs))


def _beyond(s: Matrix) -> Matrix:
    """A few places behind the last row."""
    step = (s[-1] - s[-2] if len(s) > 1 else 1e-3) * np.linspace(0, 1, 9)
    return s[-1] + step if len(s) else step


def _upto(inputs: Inputs, count: int) -> Inputs:
    return Inputs(inputs.u[:count], inputs.du[:count], inputs.ddu[:count], inputs.dddu[:count])


def _in_time(inputs: Inputs, direction: Matrix) -> Inputs:
    """Rates of the inputs by time, which runs on where the path is followed backwards."""
    sign = direction[:, None]
    return Inputs(inputs.u, inputs.du * sign, inputs.ddu, inputs.dddu * sign)


def _higher(
    numbers: Numbers,
    order: int,
    chain: NativeChain | None,
    q: Matrix,
    rates: tuple[Matrix, ...],
    inputs: Inputs,
) -> Matrix:
    """Accelerations (2) or jerks (3) at rows, of minimum norm where they are not determined."""
    if not len(q):
        return np.zeros_like(q)
    if chain is not None and order == 2 and len(numbers.system.phi) == numbers.system.size:
        return chain.accelerations(q, rates[0], inputs, numbers.constants, numbers.scale)
    given = (inputs.u, inputs.du, inputs.ddu, inputs.dddu)[: order + 1]
    side = numbers.drift(order, q, *rates, *given)
    at_once = max(1, MOST_ENTRIES // (len(numbers.system.phi) * numbers.system.size))
    return np.concatenate(
        [
            _least(numbers, q[part], inputs.u[part], side[part])
            for part in (slice(begin, begin + at_once) for begin in range(0, len(q), at_once))
        ]
    )


def _least(numbers: Numbers, q: Matrix, u: Matrix, side: Matrix) -> Matrix:
    """Φ_q x = side at rows, in the sense of least squares and minimum norm where it must be."""
    matrices = numbers.jacobians(q, u) * numbers.scale
    lengths = np.maximum(np.sqrt(np.einsum("rij,rij->ri", matrices, matrices)), 1e-300)
    matrices, side = matrices / lengths[:, :, None], side / lengths
    is_large = numbers.system.size > LARGE
    found = solved_sparsely(matrices, side) if is_large else solved_rows(matrices, side)
    for row in np.flatnonzero(~np.isfinite(found).all(axis=1)):
        found[row] = least_squares(matrices[row], side[row], 1e-9)
    return found * numbers.scale


def _limit(mechanism: Mechanism, time: float, singular: Singular, path: Path) -> Limit:
    system = mechanism.system
    u = path.at(np.array([singular.s])).u[0]
    joints = joints_that_give(mechanism.numbers, singular.q, singular.free)
    drives = dict(zip(system.machine.drives, u[1:].tolist(), strict=True))
    return Limit(singular.kind, time, drives, joints)


def _columns(
    mechanism: Mechanism, time: Matrix, q: Matrix, v: Matrix, rates: _Rates, inputs: Inputs
) -> Iterator[tuple[str, Matrix]]:
    machine, system = mechanism.machine, mechanism.system
    a, j, forces = rates.a, rates.j, rates.forces
    yield "time", time
    for place, name in enumerate(machine.drives, 1):
        yield name, inputs.u[:, place]
    place_of = {each.name: place for place, each in enumerate(system.unknowns)}
    for part in machine.moving:
        yield from _part_columns(machine, part, place_of, q, v, a, j)
    own = [
        each.name for each in system.unknowns[len(machine.moving) * (3 if machine.dimension == 2 else 7) :]
    ]
    for name in own:
        yield name, q[:, place_of[name]]
    yield from quantities_over(mechanism, q, v, a, inputs, set(own))
    names = ("fx", "fy", "torque") if machine.dimension == 2 else ("fx", "fy", "fz", "tx", "ty", "tz")
    for joint, wrench in forces.joints.items():
        for place, name in enumerate(names):
            yield f"{joint}.{name}", wrench[:, place]
    for drive, effort in forces.drives.items():
        yield f"{drive}.effort", effort


def _part_columns(
    machine: Machine, part: str, place_of: Mapping[str, int], q: Matrix, v: Matrix, a: Matrix, j: Matrix
) -> Iterator[tuple[str, Matrix]]:
    axes = ("x", "y", "angle") if machine.dimension == 2 else ("x", "y", "z")
    places = {axis: place_of[f"{part}.{axis}"] for axis in axes}
    turns = [place_of[f"{part}.q{each}"] for each in range(4)] if machine.dimension == 3 else []
    for axis, place in places.items():
        yield f"{part}.{axis}", q[:, place]
    for each, place in enumerate(turns):
        yield f"{part}.q{each}", q[:, place]
    for order, rates in enumerate((v, a, j)):
        for axis, place in places.items():
            yield f"{part}.{RATE_NAMES[axis][order]}", rates[:, place]
        if turns and order < 2:
            letter = ("w", "alpha")[order]
            for axis, column in zip("xyz", _angular(q[:, turns], rates[:, turns]), strict=True):
                yield f"{part}.{letter}{axis}", column


def _angular(q: Matrix, r: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """The vector part of 2·r·q⁻¹: angular velocity for r = q̇, angular acceleration for r = q̈."""
    q0, q1, q2, q3 = q.T
    r0, r1, r2, r3 = r.T
    return (
        2 * (q0 * r1 - q1 * r0 + q2 * r3 - q3 * r2),
        2 * (q0 * r2 - q1 * r3 - q2 * r0 + q3 * r1),
        2 * (q0 * r3 + q1 * r2 - q2 * r1 - q3 * r0),
    )
