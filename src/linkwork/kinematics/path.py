"""Paths of the inputs: the values of time and drives over a parameter s, with three derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linkwork.algebra import directional
from linkwork.emit import Program, compiled
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.numbers import constant_values
from linkwork.kinematics.system import hoisted
from linkwork.model import Machine
from linkwork.model.drive import CLOCK


@dataclass(frozen=True)
class Inputs:
    """Inputs and their first three derivatives; a row for each s, or single rows."""

    u: Matrix
    du: Matrix
    ddu: Matrix
    dddu: Matrix

    def row(self, place: int) -> Inputs:
        """One row."""
        return Inputs(self.u[place], self.du[place], self.ddu[place], self.dddu[place])


class Path(Protocol):
    """Inputs over a parameter."""

    def at(self, s: Matrix) -> Inputs:
        """The inputs at each of these parameters, in rows."""
        ...


class TimePath:
    """The drives of a machine over time, by their expressions."""

    def __init__(self, machine: Machine, parameters: Mapping[str, float]) -> None:
        values = [CLOCK, *(drive.path() for drive in machine.drives.values())]
        orders = [values]
        for _ in range(3):
            orders.append(directional(orders[-1], {CLOCK: 1}))
        flat, constants = hoisted([each for order in orders for each in order], {CLOCK})
        count = len(values)
        outputs = {
            name: flat[place * count : (place + 1) * count]
            for place, name in enumerate(("u", "du", "ddu", "dddu"))
        }
        inputs = {"s": [CLOCK], "k": [name for name, _ in constants]}
        self._function = compiled(Program.of("drives", inputs, outputs))
        self._constants = constant_values(constants, parameters)

    def at(self, s: Matrix) -> Inputs:
        """The inputs at these times."""
        found = self._function(np.asarray(s, float)[:, None], self._constants)
        return Inputs(found["u"], found["du"], found["ddu"], found["dddu"])


class StraightPath:
    """From one set of inputs to another, s from 0 to 1."""

    def __init__(self, first: Matrix, last: Matrix) -> None:
        self.first, self.way = first, last - first

    def at(self, s: Matrix) -> Inputs:
        """The inputs at these shares of the way."""
        s = np.asarray(s, float)
        rest = np.zeros((len(s), len(self.way)))
        return Inputs(self.first + s[:, None] * self.way, rest + self.way, rest, rest)


class RowPath:
    """Straight from row to row of given inputs, s running with the first drive."""

    def __init__(self, s: Matrix, rows: Matrix) -> None:
        self.falling = bool(s[-1] < s[0])
        self.s, self.rows = (s[::-1], rows[::-1]) if self.falling else (s, rows)
        self.slopes = np.gradient(self.rows, self.s, axis=0) if len(s) > 1 else np.zeros_like(rows)

    def at(self, s: Matrix) -> Inputs:
        """The inputs at these rows and between them."""
        s = np.asarray(s, float)

        def between(columns: Matrix) -> Matrix:
            return np.column_stack([np.interp(s, self.s, column) for column in columns.T])

        rest = np.zeros((len(s), self.rows.shape[1]))
        return Inputs(between(self.rows), between(self.slopes), rest, rest)
