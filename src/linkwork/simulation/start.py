"""Where a simulation starts: rough positions and rates from what the machine says, and which constraints are spare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.algebra import Expression, evaluate, jacobian, substitute, symbol
from linkwork.dynamics.specification import Specification
from linkwork.emit import Program, interpreted
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.guess import Stand, coordinates_of
from linkwork.model.drive import CLOCK

DEPENDENT = 1e-9
"""A constraint whose gradient is left with this share of its length beside the others depends on them."""
NEWTON_STEPS = 50
NEARBY = 1e-2
"""How far a second position is taken, to tell what is singular here from what always depends."""


@dataclass(frozen=True)
class Rough:
    """Rough positions and rates by the names of the variables."""

    positions: dict[str, float]
    rates: dict[str, float]


def rough_start(spec: Specification, parameters: Mapping[str, float]) -> Rough:
    """Where the variables start, before the constraints are looked at."""
    values = dict(parameters)
    positions = {leaf.name: evaluate([value], values)[0] for leaf, value in spec.start_values().items()}
    rates = {leaf.name: evaluate([value], values)[0] for leaf, value in spec.start_rates().items()}
    wanted = {leaf.name for leaf in spec.variables}
    if any(name not in positions for name in wanted):
        positions = {**_of_parts(spec, parameters), **positions}
    return Rough(positions, rates)


def _of_parts(spec: Specification, parameters: Mapping[str, float]) -> dict[str, float]:
    """The coordinates of parts: assembled where the machine is made of parts alone, else as drawn."""
    machine = spec.machine
    if machine.joints and not machine.is_scene:
        from linkwork.kinematics import Mechanism

        position = Mechanism(machine).loosely_assembled
        return {
            leaf.name: float(value) for leaf, value in zip(position.system.unknowns, position.q, strict=True)
        }
    found: dict[str, float] = {}
    names = [leaf.name for leaf in spec.lines.unknowns()]
    for part in machine.moving:
        own = [name for name in names if name.rpartition(".")[0] == part]
        stand = Stand.of(spec.lines.start(part), parameters)
        found |= dict(zip(own, coordinates_of(stand), strict=True))
    return found


def always_dependent(spec: Specification, parameters: Mapping[str, float], time: float) -> tuple[str, ...]:
    """The constraints whose gradients depend on the others at a place taken at random, on the constraints or not."""
    if not spec.constraints:
        return ()
    random = np.random.default_rng(11)
    anywhere = {leaf.name: float(random.normal()) for leaf in spec.variables}
    rates = {leaf.name: float(random.normal()) for leaf in spec.variables}
    return _Gradients(spec, parameters, rates, time).dependent(anywhere)


def spare_constraints(
    spec: Specification, parameters: Mapping[str, float], rough: Rough, time: float
) -> tuple[str, ...]:
    """The constraints that follow from the others, at the start and beside it; none if only the start is singular."""
    if not spec.constraints:
        return ()
    gradients = _Gradients(spec, parameters, rough.rates, time)
    positions = settled(spec, parameters, rough.positions, time)
    random = np.random.default_rng(7)
    moved = {name: value + NEARBY * random.normal() for name, value in positions.items()}
    beside = settled(spec, parameters, moved, time)
    here, there = gradients.dependent(positions), gradients.dependent(beside)
    return here if len(here) == len(there) else ()


def settled(
    spec: Specification,
    parameters: Mapping[str, float],
    positions: Mapping[str, float],
    time: float,
    more: Sequence[Expression] = (),
) -> dict[str, float]:
    """Positions on the holonomic constraints, near the given ones; as good as Newton's method gets.

    There ``more`` is zero too.
    """
    own = {
        leaf: symbol(f"input_of.{leaf.name}") for leaf in (*spec.parameters, *spec.controls)
    }  # x may be one
    zeros = substitute(
        spec.lines.expanded([*(each.phi for each in spec.holonomic), *more]), dict(own.items())
    )
    rows = jacobian(zeros, spec.variables)
    entries = [(row, column, value) for row, each in enumerate(rows) for column, value in each.items()]
    parameters_, controls = ([own[leaf] for leaf in each] for each in (spec.parameters, spec.controls))
    given = {"x": spec.variables, "p": parameters_, "c": controls, "clock": (CLOCK,)}
    function = interpreted(
        Program.of("holonomic", given, {"r": zeros, "j": [value for _, _, value in entries]})
    )
    x = np.array([positions.get(leaf.name, 0.0) for leaf in spec.variables])
    values = np.array([parameters[leaf.name] for leaf in spec.parameters])
    known = [values, np.zeros(len(spec.controls)), np.array([time])]
    slopes = np.zeros((len(zeros), len(x)))
    places = tuple(np.array([entry[place] for entry in entries], int) for place in (0, 1))
    for _ in range(NEWTON_STEPS):
        found = function(x, *known)
        slopes[places] = found["j"]
        if not (np.isfinite(slopes).all() and np.isfinite(found["r"]).all()):
            break
        step = np.linalg.lstsq(slopes, -found["r"], rcond=1e-10)[0]
        x = x + step
        if np.max(np.abs(step), initial=0.0) < 1e-13 * max(1.0, float(np.max(np.abs(x), initial=0.0))):
            break
    return {leaf.name: float(value) for leaf, value in zip(spec.variables, x, strict=True)}


class _Gradients:
    """The derivatives of all constraints by the rates of the variables."""

    def __init__(
        self, spec: Specification, parameters: Mapping[str, float], rates: Mapping[str, float], time: float
    ) -> None:
        self.spec = spec
        velocity = spec.velocity_constraints()
        self.names = sorted(
            velocity, key=lambda name: not name.endswith(".unit")
        )  # quaternions keep their length
        zeros = spec.lines.expanded([velocity[name] for name in self.names])
        rows = jacobian(zeros, list(spec.rates.values()))
        self.entries = [
            (row, column, value) for row, each in enumerate(rows) for column, value in each.items()
        ]
        self.known = {**parameters, CLOCK.name: time, **dict.fromkeys(spec.machine.controls, 0.0)}
        self.known |= {f"V_{leaf.name}": rates.get(leaf.name, 0.0) for leaf in spec.variables}

    def at(self, positions: Mapping[str, float]) -> Matrix:
        """The matrix at one place."""
        numbers = evaluate([value for _, _, value in self.entries], {**self.known, **positions})
        matrix = np.zeros((len(self.names), len(self.spec.variables)))
        for (row, column, _), number in zip(self.entries, numbers, strict=True):
            matrix[row, column] = number
        return matrix

    def dependent(self, positions: Mapping[str, float]) -> tuple[str, ...]:
        """Constraints whose gradients depend on those before them, at one place."""
        matrix = self.at(positions)
        basis = np.zeros((0, matrix.shape[1]))
        found: list[str] = []
        for name, row in zip(self.names, matrix, strict=True):
            length = float(np.linalg.norm(row))
            rest = row / length if length > 0 else row
            for _ in range(2):
                rest = rest - basis.T @ (basis @ rest)
            left = float(np.linalg.norm(rest))
            if left <= DEPENDENT:
                found.append(name)
            else:
                basis = np.vstack([basis, rest / left])
        return tuple(found)
