"""Starts told by coordinates of joints: where ``drawer.displacement`` is at first, and how fast it changes.

The variables of a machine are the coordinates of its parts, in space with quaternions; people think in those of joints.
So the positions nearest to the rough ones are looked for in which the joints hold and what was told is true, and then
the nearest rates, which are linear in what was told of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.algebra import Expression, cos, evaluate, jacobian, sin, symbol
from linkwork.dynamics.specification import Specification
from linkwork.errors import NoAnswer, UsageError
from linkwork.model.drive import CLOCK
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.joint import Turn
from linkwork.model.placed import TURNS, coordinate_names
from linkwork.simulation.named_columns import joint_names
from linkwork.simulation.start import settled

STEP: Final = 0.3
"""How far an angle is turned at once, in radians: sin(φ − wanted) is zero half a turn away too."""
HOLDS: Final = 1e-7
"""How far from true an equation may be, in its own size, where Newton's method has ended."""


@dataclass(frozen=True, eq=False)
class NamedStart:
    """A machine with its parameters at its first time, ready to be told coordinates of its joints."""

    specification: Specification
    parameters: Mapping[str, float]
    time: float

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names of the variables themselves."""
        return frozenset(leaf.name for leaf in self.specification.variables)

    def check(self, start: Mapping[str, float], rates: Mapping[str, float]) -> None:
        """Refuse names that are neither variables nor coordinates of joints, nor turns where rates are told."""
        own = sorted(self.variables)
        for told, known in ((start, [*own, *self.names]), (rates, [*own, *self.names, *self.turns])):
            for name in told:
                if name not in known:
                    raise UsageError(
                        f"there is no variable '{name}' to start",
                        wanted=listed([*self.names, *own]),
                        fix=did_you_mean(name, known, f"start={{'{known[0]}': 0.1}}"),
                    )

    @cached_property
    def names(self) -> list[str]:
        """The coordinates of joints by which a start may be told, and those of parts that follow from others."""
        lines = self.specification.lines
        coordinates = [
            f"{part}.{each}"
            for part in lines.machine.moving
            for each in coordinate_names(lines.dimension)
            if f"{part}.{each}" not in self.variables
        ]
        return [*joint_names(lines), *coordinates]

    @cached_property
    def turns(self) -> list[str]:
        """The turns of parts in space, of which the rates may be told."""
        machine = self.specification.machine
        return [f"{part}.{turn}" for part in machine.moving for turn in TURNS if machine.dimension == 3]

    def positions(self, rough: Mapping[str, float], start: Mapping[str, float]) -> dict[str, float]:
        """All positions, where those that are told by any name are as they are told to be."""
        lines = self.specification.lines
        told = {name: self._measured(name) for name in start}
        found = {leaf.name: rough.get(leaf.name, 0.0) for leaf in self.specification.variables}
        known = [each.phi for each in self.specification.initial_positions]
        now = {name: self._value(measure, found) for name, measure in told.items()}
        steps = max(1, math.ceil(max(abs(value - now[name]) for name, value in start.items()) / STEP))
        if not any(isinstance(each, Turn) for each in told.values()):
            steps = 1
        for step in range(1, steps + 1):
            values = {name: now[name] + (start[name] - now[name]) * step / steps for name in told}
            zeros = [_zero(measure, values[name]) for name, measure in told.items()]
            found = settled(self.specification, self.parameters, found, self.time, [*known, *zeros])
        held = [each.phi for each in self.specification.holonomic]
        residuals = evaluate(lines.expanded([*held, *known, *zeros]), {**self._numbers, **found})
        size = max(1.0, max(map(abs, found.values())))
        if not all(abs(each) <= HOLDS * size for each in residuals):
            raise self._impossible("stand", start)
        return found

    def rates(
        self, positions: Mapping[str, float], rough: Mapping[str, float], rates: Mapping[str, float]
    ) -> dict[str, float]:
        """All rates, where those that are told by any name are as they are told to be."""
        spec = self.specification
        leaves = [*spec.rates.values()]
        still = {leaf.name: rough.get(name.name, 0.0) for name, leaf in spec.rates.items()}
        zeros = [*spec.velocity_constraints().values(), *(each.phi for each in spec.initial_rates)]
        zeros += [self._speed(name) - value for name, value in rates.items()]
        expanded = spec.lines.expanded(zeros)
        at = {**self._numbers, **positions, **still}
        residuals = np.array(evaluate(expanded, at))
        slopes = np.zeros((len(expanded), len(leaves)))
        for row, entries in enumerate(jacobian(expanded, leaves)):
            for column, value in entries.items():
                slopes[row, column] = evaluate([value], at)[0]
        change = np.linalg.lstsq(slopes, -residuals, rcond=1e-10)[0]
        size = max(1.0, float(np.abs(residuals).max(initial=0.0)))
        if np.abs(slopes @ change + residuals).max(initial=0.0) > HOLDS * size:
            raise self._impossible("move", rates)
        found = np.array([still[leaf.name] for leaf in leaves]) + change
        return dict(zip((leaf.name for leaf in spec.variables), found.tolist(), strict=True))

    @cached_property
    def _numbers(self) -> dict[str, float]:
        controls = dict.fromkeys(self.specification.machine.controls, 0.0)
        return {**self.parameters, **controls, CLOCK.name: self.time}

    def _measured(self, name: str) -> Expression | Turn:
        """What a name stands for: a coordinate of a part, or of a joint, perhaps that of a part's own."""
        owner, _, which = name.rpartition(".")
        lines = self.specification.lines
        if name in self.variables or symbol(name) in lines.places:
            return symbol(name)
        joint = owner if owner in lines.machine.joints else lines.own_joint(owner, which)
        return lines.measured(joint)[which]

    def _value(self, measure: Expression | Turn, positions: Mapping[str, float]) -> float:
        lines, at = self.specification.lines, {**self._numbers, **positions}
        if isinstance(measure, Turn):
            sine, cosine = evaluate(lines.expanded([measure.sine, measure.cosine]), at)
            return math.atan2(sine, cosine)
        return evaluate(lines.expanded([measure]), at)[0]

    def _speed(self, name: str) -> Expression:
        """The rate of what a name stands for; dφ = (c·ds − s·dc)/(s² + c²) for an angle known by s and c."""
        lines = self.specification.lines
        part, _, which = name.rpartition(".")
        if name in self.turns:
            return lines.spin(part)[TURNS.index(which)]
        measure = self._measured(name)
        if not isinstance(measure, Turn):
            return lines.along([measure])[0]
        sine, cosine = lines.along([*measure])
        size = measure.sine * measure.sine + measure.cosine * measure.cosine
        return (measure.cosine * sine - measure.sine * cosine) / size

    def _impossible(self, verb: str, told: Mapping[str, float]) -> NoAnswer:
        return NoAnswer(
            f"{self.specification.machine.name} cannot {verb} so at first",
            got=", ".join(f"{name} = {value:g}" for name, value in told.items()),
            wanted="values that its joints, drives and initial conditions allow together",
            fix="leave out what follows from the others",
        )


def _zero(measure: Expression | Turn, value: float) -> Expression:
    """What is zero where a coordinate has a value."""
    if isinstance(measure, Turn):
        return cos(value) * measure.sine - sin(value) * measure.cosine
    return measure - value
