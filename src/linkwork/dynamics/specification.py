"""What moves, under which constraints, with which inertia and forces: a machine as a dynamical system.

Parts have the coordinates that the model gives them. Those that a joint gives outright, such as the place of a rod
hung on a crank, become lines instead of variables; frames have the coordinates that the user has chosen, and keep
them. Drives, joints and conditions are all the same: equations over the coordinates and time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from linkwork.algebra import Expression, Symbol, free_symbols, substitute, symbol
from linkwork.algebra.expression import ZERO
from linkwork.dynamics.lines import Lines, rate_symbol
from linkwork.dynamics.reduce import reduced
from linkwork.model import Machine
from linkwork.model.formula_reader import Reference
from linkwork.model.part import GROUND
from linkwork.model.placed import RATES, Placed, coordinate_names
from linkwork.model.shape import Mass
from linkwork.model.structure import driven
from linkwork.model.vector import Vector
from linkwork.model.world import Equation


class Body(NamedTuple):
    """Something with mass: where its frame is, the velocity of the frame's origin, its angular velocity."""

    name: str
    mass: Mass
    frame: Placed
    velocity: Vector
    spin: Vector


class Push(NamedTuple):
    """A force or moment and the velocity or angular velocity through which it works."""

    force: Vector
    speed: Vector


@dataclass(frozen=True)
class Specification:
    """A machine as a dynamical system."""

    machine: Machine
    lines: Lines
    variables: tuple[Symbol, ...]
    holonomic: tuple[Equation, ...]
    nonholonomic: tuple[Equation, ...]
    initial: tuple[Equation, ...]
    bodies: tuple[Body, ...]
    potential: Expression
    pushes: tuple[Push, ...]
    stored: Expression
    """The energy stored in springs, whose forces are among the pushes."""
    defined: Mapping[str, Expression]
    """The definitions of the machine."""

    @classmethod
    def of(cls, machine: Machine) -> Specification:
        """The dynamical system that a machine is."""
        lines = Lines(machine)
        builder = _Builder(machine, lines)
        joints = builder.joint_equations()
        kept = reduced(lines, joints)
        conditions = builder.conditions("constraint", machine.constraints)
        pushes, potential = builder.pushes(), builder.potential()
        initial = builder.conditions("initial", machine.initial)
        # behind all that may mention the angle of a joint in space
        side = builder.plain(lines.side_equations())
        every = [*kept, *conditions, *side]
        bodies = tuple(builder.bodies())
        variables = tuple(each for each in lines.unknowns() if each not in lines.places)
        moving = {rate_symbol(each.name) for each in variables}
        holonomic = [each for each in every if not moving & {*free_symbols(*lines.expanded([each.phi]))}]
        nonholonomic = [each for each in every if each not in holonomic]
        return cls(
            machine,
            lines,
            variables,
            tuple(holonomic),
            tuple(nonholonomic),
            tuple(initial),
            bodies,
            potential,
            tuple(pushes),
            builder.stored(),
            builder.defined(),
        )

    @cached_property
    def initial_positions(self) -> tuple[Equation, ...]:
        """The initial conditions on positions alone."""
        moving = {*self.rates.values()}
        expanded = self.lines.expanded([each.phi for each in self.initial])
        pairs = zip(self.initial, expanded, strict=True)
        return tuple(each for each, phi in pairs if moving.isdisjoint(free_symbols(phi)))

    @cached_property
    def initial_rates(self) -> tuple[Equation, ...]:
        """The initial conditions on rates."""
        return tuple(each for each in self.initial if each not in self.initial_positions)

    @property
    def constraints(self) -> tuple[Equation, ...]:
        """All constraints over all time."""
        return (*self.holonomic, *self.nonholonomic)

    @cached_property
    def rates(self) -> dict[Symbol, Symbol]:
        """The rate of each variable."""
        return {each: rate_symbol(each.name) for each in self.variables}

    @cached_property
    def controls(self) -> tuple[Symbol, ...]:
        """The inputs that are set while the program runs."""
        return tuple(symbol(name) for name in self.machine.controls)

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        """The parameters."""
        return tuple(symbol(name) for name in self.machine.parameters)

    @cached_property
    def multipliers(self) -> dict[str, Symbol]:
        """The multiplier of each constraint: the force that maintains it."""
        found: dict[str, Symbol] = {}
        for each in self.constraints:
            name = "multiplier_" + re.sub(r"\W", "_", each.name)
            while symbol(name) in found.values():
                name += "_"
            found[each.name] = symbol(name)
        return found

    def velocity_constraints(self) -> dict[str, Expression]:
        """What is zero of the rates: the derivatives of the holonomic constraints, and the nonholonomic ones."""
        found = dict(
            zip(
                (e.name for e in self.holonomic),
                self.lines.along([e.phi for e in self.holonomic]),
                strict=True,
            )
        )
        for each in self.holonomic:  # what cancels in a place need not cancel in its rate, written with lines
            if each.owner in self.machine.constraints:
                place, speed = self.lines.expanded([each.phi, found[each.name]])
                known = {self.rates[leaf] for leaf in free_symbols(place) if leaf in self.rates}
                if not {*self.rates.values()} & {*free_symbols(speed)} <= known:
                    found[each.name] = self.lines.along([place])[0]
        return found | {each.name: each.phi for each in self.nonholonomic}

    def kinetic_energy(self) -> Expression:
        """½·Σ m·v² + ω·I·ω."""
        total: Expression = ZERO
        for body in self.bodies:
            speed = self.lines.local_velocity(body.name, body.frame, body.mass.centre)
            total = total + body.mass.mass * speed.squared / 2
            momentum = times(body.mass.inertia, local_spin(body))
            total = total + local_spin(body) @ momentum / 2
        return total

    def potential_energy(self) -> Expression:
        """That of the energies, of springs and of gravity."""
        total = self.potential + self.stored
        if self.machine.gravity is not None:
            for body in self.bodies:
                centre = body.frame.origin + body.frame.direction(body.mass.centre)
                total = total - body.mass.mass * (self.machine.gravity @ centre)
        return total

    def machine_quantities(self) -> list[tuple[str, Expression]]:
        """The coordinates of parts and frames and their rates, by the names that users know."""
        found: list[tuple[str, Expression]] = []
        coordinates = coordinate_names(self.machine.dimension)
        for part in self.machine.moving:
            for each in coordinates:
                leaf = symbol(f"{part}.{each}")
                found += [(leaf.name, leaf), (f"{part}.{RATES[each]}", self.lines.rate(leaf))]
        for leaf in self.variables:
            if leaf.name.rpartition(".")[0] not in self.machine.moving:
                found += [(leaf.name, leaf), (f"{leaf.name}_rate", self.lines.rate(leaf))]
        return found

    def start_values(self) -> dict[Symbol, Expression]:
        """Where the coordinates that the user has chosen start."""
        found: dict[Symbol, Expression] = {}
        for name, frame in self.machine.frames.items():
            for each, value in frame.starts(self.machine.dimension).items():
                found[symbol(f"{name}.{each}")] = value
        return found

    def start_rates(self) -> dict[Symbol, Expression]:
        """How fast they start."""
        found: dict[Symbol, Expression] = {}
        for name, frame in self.machine.frames.items():
            for each, value in frame.rates.items():
                found[symbol(f"{name}.{each}")] = value
        return found


class _Builder:
    """Collects what a machine says, in the words of its lines."""

    def __init__(self, machine: Machine, lines: Lines) -> None:
        self.machine = machine
        self.lines = lines
        self._definitions: dict[Expression, Expression] = {
            line.symbol: line.value for line in machine.definitions if line.explicit is not None
        }

    def plain(self, equations: Sequence[Equation]) -> list[Equation]:
        """Equations with definitions and names of points put in."""
        phis = self.meaning([each.phi for each in equations])
        return [Equation(each.name, each.owner, phi) for each, phi in zip(equations, phis, strict=True)]

    def meaning(self, values: Sequence[Expression]) -> list[Expression]:
        """Values with definitions and names of points put in."""
        values = list(values)
        while any(leaf in self._definitions for leaf in free_symbols(*values)):
            values = substitute(values, self._definitions)
        return self.lines.resolved(values)

    def joint_equations(self) -> list[Equation]:
        """The equations of joints, then of drives."""
        found = self.lines.equations()
        for name, drive in self.machine.drives.items():
            target = driven(self.lines, name, drive)
            found.append(Equation(f"drive {name}", name, target - drive.path()))
        return self.plain(found)

    def conditions(self, table: str, conditions: Mapping[str, object]) -> list[Equation]:
        found = []
        for name, condition in conditions.items():
            zeros = [zero for text in condition.holds for zero in self.lines.vocabulary.zeros(text)]  # type: ignore[attr-defined]
            for place, zero in enumerate(self.meaning(zeros), 1):
                found.append(Equation(name if len(zeros) == 1 else f"{name}.{place}", name, zero))
        return found

    def pushes(self) -> list[Push]:
        found: list[Push] = []
        for force in self.machine.forces.values():
            for load in force.loads(self.lines):
                if load.part == GROUND:
                    continue
                pushing, moment = (Vector(tuple(self.meaning([*each]))) for each in (load.force, load.moment))
                if any(each is not ZERO for each in pushing):
                    found.append(Push(pushing, Vector(tuple(self.lines.along([*load.point])))))
                if any(each is not ZERO for each in moment):
                    found.append(Push(moment, self.lines.spin(load.part)))
        if self.machine.gravity is not None:
            for body in self.bodies():
                found.append(Push(self.machine.gravity * body.mass.mass, self.centre_velocity(body)))
        return found

    def bodies(self) -> Iterator[Body]:
        for name in self.machine.bodies:
            mass = self.machine.body_mass(name)
            assert mass is not None
            frame = self.lines.frame(name)
            yield Body(name, mass, frame, self.lines.velocity(name), self.lines.spin(name))

    def stored(self) -> Expression:
        total: Expression = ZERO
        for force in self.machine.forces.values():
            total = total + force.energy(self.lines)
        return self.meaning([total])[0]

    def defined(self) -> dict[str, Expression]:
        lines = [line for line in self.machine.definitions if line.explicit is not None]
        return dict(
            zip((line.name for line in lines), self.meaning([line.value for line in lines]), strict=True)
        )

    def centre_velocity(self, body: Body) -> Vector:
        return self.lines.local_velocity(body.name, body.frame, body.mass.centre)

    def potential(self) -> Expression:
        total: Expression = ZERO
        vocabulary = self.lines.vocabulary
        for energy in self.machine.energies.values():
            bodies = energy.bodies or self.machine.bodies
            if energy.value:
                total = total + vocabulary.scalar(energy.value)
            for body in bodies if energy.each else ():
                total = total + vocabulary.scalar(energy.each, {"body": Reference(body)})
            for first, second in combinations(bodies, 2) if energy.pair else ():
                given = {"a": Reference(first), "b": Reference(second)}
                total = total + vocabulary.scalar(energy.pair, given)
        return self.meaning([total])[0]


def times(inertia: Sequence[Expression], vector: Vector) -> Vector:
    """A symmetric matrix (xx, yy, zz, xy, xz, yz) times a vector; in the plane a number times one."""
    if len(inertia) == 1:
        return vector * inertia[0]
    xx, yy, zz, xy, xz, yz = inertia
    x, y, z = vector
    return Vector((xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z))


def is_isotropic(inertia: Sequence[Expression]) -> bool:
    """Whether a body has the same moment about every axis: then no axes matter."""
    return len(inertia) == 1 or (len({*inertia[:3]}) == 1 and all(each is ZERO for each in inertia[3:]))


def local_spin(body: Body) -> Vector:
    """The angular velocity in the body's own axes, or in any where that makes no difference."""
    return body.spin if is_isotropic(body.mass.inertia) else body.frame.components(body.spin)
