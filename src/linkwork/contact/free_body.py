"""Free bodies: all forces that act on each part of a plane machine at one time, and the acceleration they make.

With coordinates (x, y, angle) of every part, masses M about the parts' origins, applied loads Q (weight, springs, given
forces, contacts) and joints Φ(q, t) = 0, accelerations a and multipliers λ follow from (Haug 1989, eq. 6.3.18)

    M a + Φ_qᵀ λ = Q,    Φ_q a = γ,

and the force of a joint on a part is its share of −Φ_qᵀ λ. Where joints say something twice, the shortest λ is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linkwork.algebra import Expression, evaluate
from linkwork.contact.solution import ContactSolution
from linkwork.errors import UsageError
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.numbers import Numbers, least_squares
from linkwork.kinematics.path import TimePath
from linkwork.kinematics.system import System
from linkwork.model import Machine
from linkwork.model.joint import Pair
from linkwork.model.part import GROUND, mass_of
from linkwork.model.world import World
from linkwork.results import Viewable
from linkwork.simulation.solution import Solution

RANK = 1e-12
"""Of the largest singular value: what is smaller counts as zero."""
NOTHING = 1e-9
"""Of the largest force on any part: what is smaller is not told."""
WEIGHT, JOINT, DRIVE, CONTACT = "weight", "joint", "drive", "contact"


class Acting(NamedTuple):
    """A force on a part at a point of the world, and a moment besides."""

    kind: str
    """weight, joint, drive, contact, or the word of a force: spring, torsion-spring, force, torque."""
    name: str
    point: tuple[float, float]
    force: tuple[float, float]
    moment: float = 0.0

    def moment_about(self, point: tuple[float, float]) -> float:
        """Its moment about another point."""
        lever = (self.point[0] - point[0], self.point[1] - point[1])
        return self.moment + lever[0] * self.force[1] - lever[1] * self.force[0]


@dataclass(frozen=True)
class FreeBody:
    """A part with all that acts on it. Forces add up to mass × acceleration of its centre of mass."""

    part: str
    mass: float
    inertia: float
    """About the centre of mass."""
    centre: tuple[float, float]
    acceleration: tuple[float, float]
    """Of the centre of mass."""
    turning: float
    """The angular acceleration."""
    acting: tuple[Acting, ...]

    @property
    def force(self) -> tuple[float, float]:
        """The sum of all forces."""
        return (sum(each.force[0] for each in self.acting), sum(each.force[1] for each in self.acting))

    @property
    def moment(self) -> float:
        """The sum of all moments about the centre of mass."""
        return sum(each.moment_about(self.centre) for each in self.acting)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "part": self.part,
            "mass": self.mass,
            "inertia": self.inertia,
            "centre": list(self.centre),
            "acceleration": list(self.acceleration),
            "angular_acceleration": self.turning,
            "forces": [
                {
                    "kind": each.kind,
                    "name": each.name,
                    "point": list(each.point),
                    "force": list(each.force),
                    "moment": each.moment,
                }
                for each in self.acting
            ],
        }


@dataclass(frozen=True, eq=False)
class FreeBodies(Viewable):
    """The free bodies of a machine at one time."""

    machine: Machine
    time: float
    poses: Matrix
    bodies: tuple[FreeBody, ...]

    def __getitem__(self, part: str) -> FreeBody:
        return next(each for each in self.bodies if each.part == part)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "machine": self.machine.name,
            "time": self.time,
            "bodies": [each.to_json() for each in self.bodies],
        }


def free_bodies(solution: Solution, time: float | None = None) -> FreeBodies:
    """What acts on each part in the row nearest to a time, the last without one.

    >>> from linkwork.contact.motion import simulate
    >>> from linkwork.model import load
    >>> ticking = simulate(load("escapement"), until=3, contact="rigid")
    >>> wheel = free_bodies(ticking)["ewheel"]
    >>> [(each.kind, each.name) for each in wheel.acting]
    [('joint', 'ewheel_axis'), ('torsion-spring', 'spring_of_ewheel'), ('contact', 'lever')]
    """
    machine = solution.machine
    if machine.dimension != 2 or not machine.moving:
        raise UsageError(
            f"{machine.name} has no free bodies in the plane",
            got="a machine in space" if machine.moving else "no parts that move",
            wanted="parts that move in one plane",
            fix="linkwork simulate escapement --contact rigid --free-body 3",
        )
    row = len(solution) - 1 if time is None else int(np.argmin(np.abs(solution.times - time)))
    return _Instant(solution, row).free_bodies()


class _Instant:
    """A machine in one row of a solution, in numbers."""

    def __init__(self, solution: Solution, row: int) -> None:
        self.solution, self.row = solution, row
        self.machine = solution.machine
        self.time = float(solution.times[row])
        self.world: World = self.machine.world()
        self.system = System.of(self.machine)
        self.numbers = Numbers(self.system, self.machine.values())
        self.inputs = TimePath(self.machine, self.numbers.parameters).at(np.array([self.time])).row(0)
        self.moving = self.machine.moving
        self.q, self.v = self._state()
        self.values = self._values()

    def _state(self) -> tuple[Matrix, Matrix]:
        """All coordinates and their rates: those of parts as the row has them, the others by the joints."""
        columns, row, own = self.solution.columns, self.row, 3 * len(self.moving)
        q, v = np.zeros(self.system.size), np.zeros(self.system.size)
        for place, part in enumerate(self.moving):
            for k, (name, rate) in enumerate((("x", "vx"), ("y", "vy"), ("angle", "rate"))):
                q[3 * place + k] = columns[f"{part}.{name}"][row]
                v[3 * place + k] = columns[f"{part}.{rate}"][row]
        for _ in range(3 if self.system.size > own else 0):
            phi, matrix = self.numbers.linearised(q, self.inputs.u)
            q[own:] += least_squares(matrix[:, own:], -phi, RANK)
        if self.system.size > own:
            _, matrix = self.numbers.linearised(q, self.inputs.u)
            side = self.numbers.drift(1, q, self.inputs.u, self.inputs.du) - matrix[:, :own] @ v[:own]
            v[own:] = least_squares(matrix[:, own:], side, RANK)
        return q, v

    def _values(self) -> dict[str, float]:
        """The numbers by the names that formulas of the model use."""
        names = [each.name for each in self.system.unknowns]
        rates = self.world.rates(*self.system.unknowns)
        found = {**self.numbers.parameters, "t": self.time, **dict(zip(names, self.q.tolist(), strict=True))}
        found |= {
            str(rates[each]): value for each, value in zip(self.system.unknowns, self.v.tolist(), strict=True)
        }
        starts = {name: evaluate([each.start], found)[0] for name, each in self.machine.controls.items()}
        return {**starts, **found}

    def _numbers(self, expressions: list[Expression]) -> list[float]:
        return evaluate(self.world.vocabulary.meaning(expressions), self.values)

    # ------------------------------------------------------------------------------------ what acts

    def _weights(self) -> Iterator[tuple[str, Acting]]:
        if self.machine.gravity is None:
            return
        for part in self.moving:
            mass, centre, _ = self._inertia(part)
            pull = self._numbers([*self.machine.gravity])
            yield part, Acting(WEIGHT, WEIGHT, centre, (mass * pull[0], mass * pull[1]))

    def _loads(self) -> Iterator[tuple[str, Acting]]:
        for name, force in self.machine.forces.items():
            for load in force.loads(self.world):
                x, y, fx, fy, moment = self._numbers([*load.point, *load.force, *load.moment])
                if load.part != GROUND:
                    yield load.part, Acting(str(force.word), name, (x, y), (fx, fy), moment)

    def _contacts(self) -> Iterator[tuple[str, Acting]]:
        if not isinstance(self.solution, ContactSolution):
            return
        for each in self.solution.contacts(self.row):
            (one, other), (x, y), (fx, fy) = each["parts"], each["point"], each["force"]
            yield one, Acting(CONTACT, other, (x, y), (fx, fy))
            yield other, Acting(CONTACT, one, (x, y), (-fx, -fy))

    def _inertia(self, part: str) -> tuple[float, tuple[float, float], float]:
        """Mass, where its centre is, and the moment of inertia about that."""
        found = mass_of(self.machine.parts[part], 2)
        centre = self.world.part(part).point(found.centre)
        mass, x, y, inertia = self._numbers([found.mass, *centre, found.inertia[0]])
        return mass, (x, y), inertia

    # -------------------------------------------------------------------------------------- balance

    def free_bodies(self) -> FreeBodies:
        """The balance of all parts."""
        given = [
            (part, each)
            for part, each in (*self._weights(), *self._loads(), *self._contacts())
            if part in self.moving
        ]
        accelerations, multipliers, matrix = self._solved(given)
        acting = [*self._joints(multipliers, matrix), *given]
        largest = max((np.hypot(*each.force) for _, each in acting), default=0.0)
        twists = max((abs(each.moment) for _, each in acting), default=0.0)
        bodies = []
        for place, part in enumerate(self.moving):
            mass, centre, inertia = self._inertia(part)
            own = tuple(
                each
                for name, each in acting
                if name == part
                and (np.hypot(*each.force) > NOTHING * largest or abs(each.moment) > NOTHING * twists)
            )
            moved = self._at_centre(place, centre, accelerations)
            bodies.append(
                FreeBody(part, mass, inertia, centre, moved, float(accelerations[3 * place + 2]), own)
            )
        poses = self.q[: 3 * len(self.moving)].reshape(1, -1, 3)
        return FreeBodies(self.machine, self.time, poses, tuple(bodies))

    def _at_centre(self, place: int, centre: tuple[float, float], a: Matrix) -> tuple[float, float]:
        """The acceleration of the centre of mass from that of the part's origin."""
        lx, ly = centre[0] - self.q[3 * place], centre[1] - self.q[3 * place + 1]
        rate, turning = self.v[3 * place + 2], a[3 * place + 2]
        ax = a[3 * place] - turning * ly - rate**2 * lx
        ay = a[3 * place + 1] + turning * lx - rate**2 * ly
        return float(ax), float(ay)

    def _solved(self, given: list[tuple[str, Acting]]) -> tuple[Matrix, Matrix, Matrix]:
        """Accelerations and multipliers, and the matrix Φ_q."""
        size, equations = self.system.size, len(self.system.phi)
        _, matrix = self.numbers.linearised(self.q, self.inputs.u)
        side = self.numbers.drift(2, self.q, self.v, self.inputs.u, self.inputs.du, self.inputs.ddu)
        masses, loads = np.zeros((size, size)), np.zeros(size)
        for place, part in enumerate(self.moving):
            mass, centre, inertia = self._inertia(part)
            lx, ly = centre[0] - self.q[3 * place], centre[1] - self.q[3 * place + 1]
            rate = self.v[3 * place + 2]
            block = np.array(
                [
                    [mass, 0.0, -mass * ly],
                    [0.0, mass, mass * lx],
                    [-mass * ly, mass * lx, inertia + mass * (lx**2 + ly**2)],
                ]
            )
            masses[3 * place : 3 * place + 3, 3 * place : 3 * place + 3] = block
            loads[3 * place : 3 * place + 2] += mass * rate**2 * np.array([lx, ly])
        for part, each in given:
            place = 3 * self.moving.index(part)
            origin = (float(self.q[place]), float(self.q[place + 1]))
            loads[place : place + 3] += [*each.force, each.moment_about(origin)]
        whole = np.block([[masses, matrix.T], [matrix, np.zeros((equations, equations))]])
        scale = 1 / np.sqrt(np.maximum(np.abs(whole).max(axis=1), 1e-300))
        found = scale * least_squares(
            whole * scale[:, None] * scale, scale * np.concatenate([loads, side]), RANK
        )
        return found[:size], found[size:], matrix

    def _joints(self, multipliers: Matrix, matrix: Matrix) -> Iterator[tuple[str, Acting]]:
        """The forces of joints, and of drives on what they drive outright."""
        owners = [each.owner for each in self.system.equations]
        for owner in dict.fromkeys(owners):
            rows = [row for row, each in enumerate(owners) if each == owner]
            pull = -multipliers[rows] @ matrix[rows]
            for place, part in enumerate(self.moving):
                own = matrix[rows, 3 * place : 3 * place + 3]
                if not np.any(own):
                    continue
                fx, fy, moment = pull[3 * place : 3 * place + 3].tolist()
                origin = (float(self.q[3 * place]), float(self.q[3 * place + 1]))
                plain = Acting(
                    DRIVE if owner in self.machine.drives else JOINT, owner, origin, (fx, fy), moment
                )
                point = self._point(owner, part) or origin
                yield part, plain._replace(point=point, moment=plain.moment_about(point))

    def _point(self, owner: str, part: str) -> tuple[float, float] | None:
        """Where a joint acts on a part."""
        joint = self.machine.joints.get(owner)
        if not isinstance(joint, Pair) or joint.joints():
            return None
        frame = next((each for each in joint.frames(self.world) if each.part == part), None)
        if frame is None:
            return None
        x, y = self._numbers([*frame.origin])
        return x, y
