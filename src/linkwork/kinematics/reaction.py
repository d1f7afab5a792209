"""Forces in joints and drives, by inverse dynamics.

With virtual displacements δπ (translation and turn of each part; W maps them to coordinates, q̇ = W π̇) and
B = Φ_q W, the constraint forces are −Bᵀλ, and λ follows from the balance of every part (Haug 1989, ch. 6, 11):

    Bᵀ λ = T,    T = applied loads − inertia forces.

Where constraints are redundant, λ is not unique: the shortest one is taken, and the joints whose forces could
be others as well are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.algebra import Expression, free_symbols, number, substitute, symbol
from linkwork.emit import Function, Program, compiled
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.newton import LARGE
from linkwork.kinematics.numbers import (
    Numbers,
    constant_values,
    decomposed,
    least_squares,
    solved_rows,
    solved_sparsely,
)
from linkwork.kinematics.path import Inputs
from linkwork.kinematics.system import hoisted
from linkwork.model.force import Load
from linkwork.model.joint import Pair
from linkwork.model.part import GROUND, mass_of
from linkwork.model.placed import QUATERNION, angular_velocity
from linkwork.model.shape import Mass
from linkwork.model.vector import Vector

MOST_ENTRIES = 4_000_000
"""Entries of matrices that are held in memory together."""
PLACES_SAMPLED = (0.13, 0.37, 0.61, 0.83)
"""Shares of a motion at which redundant forces are looked for."""
SPREAD = 1e-7
"""A change of a reaction under redundant forces, relative to these, below which it counts as determined."""


@dataclass(frozen=True)
class Reactions:
    """Forces over rows of a motion: for each joint a wrench on its second part, for each drive its effort."""

    joints: dict[str, Matrix]  # rows × (fx, fy, torque), in space × (fx, fy, fz, tx, ty, tz)
    drives: dict[str, Matrix]
    not_unique: tuple[str, ...]
    imbalance: float  # the largest force that no joint can balance


class InverseDynamics:
    """The balance of all parts of a system, compiled."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.system = numbers.system
        self.world = self.system.machine.world()
        self.dimension = self.system.machine.dimension
        self.width = 3 if self.dimension == 2 else 6

    @cached_property
    def _function(self) -> tuple[Function, Matrix]:
        """A function of q, v, a, u that gives T, B and the levers of all joints, with its constants."""
        balance = [entry for part in self.system.machine.moving for entry in self._balance(part)]
        own = self.system.size - len(self.system.machine.moving) * (3 if self.dimension == 2 else 7)
        balance += [number(0)] * own
        levers = [entry for _, lever in self._levers() for entry in lever]
        expressions = self._in_standard_names([*balance, *levers])
        arguments = self.numbers.arguments()
        moving = {leaf for leaves in arguments.values() for leaf in leaves}
        expressions, constants = hoisted(expressions, moving)
        values = constant_values(constants, self.numbers.parameters)
        inputs = {name: arguments[name] for name in ("q", "v", "a", "u")} | {
            "k": [name for name, _ in constants]
        }
        outputs = {"balance": expressions[: len(balance)], "levers": expressions[len(balance) :]}
        return compiled(Program.of("balance", inputs, outputs)), values

    def _in_standard_names(self, expressions: Sequence[Expression]) -> list[Expression]:
        """Rates that a model calls crank.vx or crank.rate become V_crank.x and V_crank.angle."""
        rates = self.world.rates(*self.system.unknowns)
        return substitute(
            expressions, {rates[each]: symbol(f"V_{each.name}") for each in self.system.unknowns}
        )

    # ------------------------------------------------------------------------------- balance

    def _balance(self, part: str) -> list[Expression]:
        """Applied loads minus inertia forces on one part: force, and moment about the part's origin."""
        machine = self.system.machine
        frame = self.world.part(part)
        mass = mass_of(machine.parts[part], self.dimension)
        centre = frame.point(mass.centre)
        lever = centre - frame.origin
        inertial = self._second_rate(centre) * mass.mass
        force = -inertial
        moment = _moment(lever, -inertial) - self._spin(part, mass)
        if machine.gravity is not None:
            weight = machine.gravity * mass.mass
            force, moment = force + weight, moment + _moment(lever, weight)
        for load in self._loads:
            if load.part == part:
                force = force + load.force
                moment = moment + load.moment + _moment(load.point - frame.origin, load.force)
        return [*force, *moment]

    @cached_property
    def _loads(self) -> list[Load]:
        loads = [load for force in self.system.machine.forces.values() for load in force.loads(self.world)]
        return [
            Load(each.part, *(Vector(tuple(self._plain([*vector]))) for vector in each[1:])) for each in loads
        ]

    def _plain(self, expressions: Sequence[Expression]) -> list[Expression]:
        """Expressions with definitions and names of points and joints put in."""
        machine = self.system.machine
        lines: dict[Expression, Expression] = {
            line.symbol: line.value for line in machine.definitions if line.explicit is not None
        }
        while any(leaf in lines for leaf in free_symbols(*expressions)):
            expressions = substitute(expressions, lines)
        return self.world.resolved(expressions)

    def _second_rate(self, point: Vector) -> Vector:
        return Vector(tuple(self.system.along(self.system.along([*point]))))

    def _spin(self, part: str, mass: Mass) -> Vector:
        """The rate of change of the angular momentum about the centre of mass."""
        if self.dimension == 2:
            return Vector((mass.inertia[0] * symbol(f"A_{part}.angle"),))
        frame = self.world.part(part)
        turning, quickening = (self._angular(part, prefix) for prefix in ("V", "A"))
        momentum = frame.direction(_times(mass.inertia, frame.components(turning)))
        change = frame.direction(_times(mass.inertia, frame.components(quickening)))
        return change + turning.cross(momentum)

    def _angular(self, part: str, prefix: str) -> Vector:
        """ω = Eᵀ·2q̇, or its rate Eᵀ·2q̈, in the world."""
        q = [symbol(f"{part}.{name}") for name in QUATERNION]
        r = [symbol(f"{prefix}_{part}.{name}") for name in QUATERNION]
        return angular_velocity(q, r)

    # -------------------------------------------------------------------------------- levers

    def _levers(self) -> Iterator[tuple[str, Vector]]:
        """For each joint where its force acts, seen from the part that is told of."""
        for name, joint in self.system.machine.joints.items():
            part, _ = self._told[name]
            if isinstance(joint, Pair) and not joint.joints():
                yield name, joint.frames(self.world)[1].origin - self.world.part(part).origin
            else:
                yield name, Vector.zero(self.dimension)

    @cached_property
    def _told(self) -> dict[str, tuple[str, float]]:
        """The part on which each joint's force is told, and the sign: on the first part it is turned round."""
        found: dict[str, tuple[str, float]] = {}
        joints = self.system.machine.joints
        for name, joint in sorted(joints.items(), key=lambda item: len(item[1].joints())):
            if isinstance(joint, Pair) and not joint.joints():
                first, second = (each.part for each in joint.frames(self.world))
                found[name] = (second, 1.0) if second != GROUND else (first, -1.0)
                continue
            parts = [self.world.frame(each).part for each in joint.references() if each != joint.carried_by]
            parts += [found[other][0] for other in joint.joints() if other in found]
            found[name] = ([part for part in parts if part != GROUND][-1], 1.0)
        return found

    # ------------------------------------------------------------------------------- solving

    def reactions(self, q: Matrix, v: Matrix, a: Matrix, inputs: Inputs) -> Reactions:
        """The forces at rows of a motion."""
        function, constants = self._function
        found = function(q, v, a, inputs.u, constants)
        levers = found["levers"].reshape(len(q), len(self.system.machine.joints), self.dimension)
        wrenches = np.zeros((len(q), len(self.system.machine.joints), self.width))
        solved = np.zeros((len(q), len(self.system.phi)))
        imbalance = 0.0
        at_once = max(1, MOST_ENTRIES // (len(self.system.phi) * self.system.size))
        for begin in range(0, len(q), at_once):
            part = slice(begin, begin + at_once)
            matrices = self._matrices(q[part], inputs.u[part])
            solved[part] = self._solved(matrices, found["balance"][part])
            left = np.einsum("rij,ri->rj", matrices, solved[part]) - found["balance"][part]
            imbalance = max(imbalance, float(np.max(np.abs(left), initial=0.0)))
            carried = self._without_drives(matrices, solved[part])
            for place, name in enumerate(self.system.machine.joints):
                wrenches[part, place] = self._wrench(name, matrices, carried, levers[part, place])
        joints = {name: wrenches[:, place] for place, name in enumerate(self.system.machine.joints)}
        drives = {
            name: -solved[:, row]
            for name, row in zip(self.system.machine.drives, self.system.drive_rows, strict=True)
        }
        return Reactions(joints, drives, self._not_unique(q, inputs.u), imbalance)

    def _matrices(self, q: Matrix, u: Matrix) -> Matrix:
        """B at each row: the scaled Jacobian by virtual displacements."""
        dense = self.numbers.jacobians(q, u)
        if self.dimension == 2:
            return dense
        moving = len(self.system.machine.moving)
        found = [
            block
            for part in range(moving)
            for block in (dense[:, :, 7 * part : 7 * part + 3], _by_turns(dense, q, 7 * part + 3))
        ]
        return np.concatenate([*found, dense[:, :, 7 * moving :]], axis=2)

    def _solved(self, matrices: Matrix, balance: Matrix) -> Matrix:
        """λ at each row, the shortest in the unit of each equation's displacement where it is not unique."""
        lengths = np.sqrt(np.einsum("rij,rij->ri", matrices, matrices))
        found = np.zeros(lengths.shape)
        acting = np.array(self.system.acting_rows, int)
        lengths = np.maximum(lengths[:, acting], 1e-300)
        turned = np.swapaxes(matrices[:, acting] / lengths[:, :, None], 1, 2)
        solved = (
            solved_sparsely(turned, balance) if self.system.size > LARGE else solved_rows(turned, balance)
        )
        for row in np.flatnonzero(~np.isfinite(solved).all(axis=1)):
            solved[row] = least_squares(turned[row], balance[row], 1e-10)
        found[:, acting] = solved / lengths
        return found

    def _wrench(self, name: str, matrices: Matrix, solved: Matrix, lever: Matrix) -> Matrix:
        """The force and torque of a joint on the part it is told of, at the joint."""
        part, sign = self._told[name]
        rows = self._rows_of[name]
        begin = self.width * self.system.machine.moving.index(part)
        wrench = -np.einsum("rij,ri->rj", matrices[:, rows, begin : begin + self.width], solved[:, rows])
        force, moment = wrench[:, : self.dimension], wrench[:, self.dimension :]
        if self.dimension == 2:
            shift = lever[:, 0] * force[:, 1] - lever[:, 1] * force[:, 0]
            moment = moment - shift[:, None]
        else:
            moment = moment - np.cross(lever, force)
        return sign * np.concatenate([force, moment], axis=1)

    @cached_property
    def _rows_of(self) -> dict[str, list[int]]:
        """The equations of each joint."""
        joints = self.system.machine.joints
        found: dict[str, list[int]] = {name: [] for name in joints}
        for row in self.system.joint_rows:
            found[self.system.equations[row].owner].append(row)
        for row, each in enumerate(self.system.equations):
            if each.owner in joints and joints[each.owner].measuring and each.name == f"{each.owner}.measure":
                found[each.owner].append(row)
        return found

    def _without_drives(self, matrices: Matrix, solved: Matrix) -> Matrix:
        """λ with what drives send through a joint's measuring equations taken out: it is theirs, not the joint's."""
        found = solved.copy()
        names = [each.name for each in self.system.equations]
        for target, row in zip(self.system.drive_targets, self.system.drive_rows, strict=True):
            measure = f"{str(target).rpartition('.')[0]}.measure"
            if target in self.system.unknowns and measure in names:
                measuring = names.index(measure)
                column = self.system.unknowns.index(target) - self.system.size
                found[:, measuring] += solved[:, row] / matrices[:, measuring, column]
        return found

    def _not_unique(self, q: Matrix, u: Matrix) -> tuple[str, ...]:
        """The joints whose force could be another at every place of the motion, not only at singular ones."""
        if not len(q) or self.system.size > LARGE:
            return ()
        places = sorted({int(share * (len(q) - 1)) for share in PLACES_SAMPLED})
        common = set.intersection(*(self._loose(matrix) for matrix in self._matrices(q[places], u[places])))
        return tuple(name for name in self.system.machine.joints if name in common)

    def _loose(self, matrix: Matrix) -> set[str]:
        """The joints whose force changes when redundant forces are added."""
        lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
        matrix = matrix / np.where(lengths > 0, lengths, 1.0)[:, None]
        acting = np.array(self.system.acting_rows, int)
        vectors, values, _ = decomposed(matrix[acting])
        rank = int(np.sum(values > 1e-9 * max(float(values[0]), 1e-300)))
        null = np.zeros((len(matrix), len(acting) - rank))
        null[acting] = vectors[:, rank:]
        found = set()
        for name, rows in self._rows_of.items():
            begin = self.width * self.system.machine.moving.index(self._told[name][0])
            effect = matrix[np.ix_(rows, range(begin, begin + self.width))].T @ null[rows]
            if effect.size and np.max(np.abs(effect)) > SPREAD:
                found.add(name)
        return found


def _moment(lever: Vector, force: Vector) -> Vector:
    if lever.dimension == 2:
        return Vector((lever.x * force.y - lever.y * force.x,))
    return lever.cross(force)


def _times(inertia: Sequence[Expression], vector: Vector) -> Vector:
    """A symmetric matrix (xx, yy, zz, xy, xz, yz) times a vector."""
    xx, yy, zz, xy, xz, yz = inertia
    x, y, z = vector
    return Vector((xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z))


def _by_turns(dense: Matrix, q: Matrix, begin: int) -> Matrix:
    """Derivatives by virtual turns about the world's axes: q̇ = ½·(0, ω)·q."""
    q0, q1, q2, q3 = (q[:, begin + place] for place in range(4))
    turns = 0.5 * np.array([[-q1, -q2, -q3], [q0, q3, -q2], [-q3, q0, q1], [q2, -q1, q0]])
    return np.einsum("rij,jkr->rik", dense[:, :, begin : begin + 4], turns)
