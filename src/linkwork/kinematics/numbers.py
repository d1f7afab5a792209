"""A system in numbers: residual and Jacobian, and the right-hand sides of rates, at given coordinates.

Lengths are measured by the machine's size and rows by what they do to the coordinates, so that "small"
and "independent" mean the same in millimetres and in metres: with S = diag(size for lengths, 1 for angles)
the scaled Jacobian is Φ_q S with every row divided by its length, and Φ is divided alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.algebra import Expression, Symbol, directional, evaluate, jacobian, symbol
from linkwork.emit import Function, Program, compiled
from linkwork.kinematics.arrays import Matrix, Places
from linkwork.kinematics.system import System
from linkwork.model import Machine
from linkwork.model.drive import CLOCK

if TYPE_CHECKING:
    from linkwork.algebra import Operand


SMALLEST_ROW = 1e-9
"""A row of the scaled Jacobian below this, relative to the longest, is not scaled up: it may be vanishing."""


class Numbers:
    """A system with values for its parameters."""

    def __init__(self, system: System, parameters: Mapping[str, float]) -> None:
        self.system = system
        self.parameters = dict(parameters)
        self.constants = constant_values(system.constants, parameters)
        self.size = machine_size(system.machine, parameters)
        self.chains: dict[tuple[int, ...], Any] = {}  # compiled, by the equations they solve
        self.scale = np.array([1.0 if system.is_angle(each) else self.size for each in system.unknowns])

    # ------------------------------------------------------------------------------ position

    @cached_property
    def _pattern(self) -> tuple[list[Expression], Places, Places]:
        """The entries of Φ_q that are not zero, and where they stand."""
        rows = jacobian(self.system.phi, self.system.unknowns)
        places = [(row, column) for row, entries in enumerate(rows) for column in sorted(entries)]
        entries = [rows[row][column] for row, column in places]
        return entries, np.array([p[0] for p in places], int), np.array([p[1] for p in places], int)

    @cached_property
    def _position(self) -> Caller:
        entries = self._pattern[0]
        outputs = {"phi": self.system.phi, "jacobian": entries}
        return self._caller("positions", outputs, ("q", "u"))

    def residual(self, q: Matrix, u: Matrix) -> Matrix:
        """Φ."""
        return self._position(q, u)["phi"]

    def linearised(self, q: Matrix, u: Matrix) -> tuple[Matrix, Matrix]:
        """Φ and Φ_q, dense."""
        found = self._position(q, u)
        matrix = np.zeros((len(self.system.phi), self.system.size))
        matrix[self._pattern[1], self._pattern[2]] = found["jacobian"]
        return found["phi"], matrix

    def linearised_sparse(self, q: Matrix, u: Matrix) -> tuple[Matrix, Any]:
        """Φ and Φ_q, sparse."""
        from scipy.sparse import csr_array

        found = self._position(q, u)
        shape = (len(self.system.phi), self.system.size)
        return found["phi"], csr_array((found["jacobian"], self._pattern[1:]), shape=shape)

    def scaled(self, q: Matrix, u: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Φ and Φ_q scaled as above, and the rows' lengths."""
        phi, matrix = self.linearised(q, u)
        matrix = matrix * self.scale
        lengths = row_lengths(matrix)
        return phi / lengths, matrix / lengths[:, None], lengths

    def misfit(self, q: Matrix, u: Matrix) -> float:
        """The largest residual, relative to the machine's size."""
        return float(np.max(np.abs(self.scaled(q, u)[0]), initial=0.0))

    def misfits(self, q: Matrix, u: Matrix) -> Matrix:
        """The same for rows of positions."""
        values = self._position.function(q, u, self.constants)
        _, rows, columns = self._pattern
        filled, begins = np.unique(rows, return_index=True)  # the entries stand row by row
        lengths = np.zeros((len(q), len(self.system.phi)))
        squares = (values["jacobian"] * self.scale[columns]) ** 2
        lengths[:, filled] = np.sqrt(np.add.reduceat(squares, begins, axis=1))
        longest = np.max(lengths, axis=1, keepdims=True)
        lengths = np.where(lengths > SMALLEST_ROW * longest, lengths, longest)
        return np.asarray(np.max(np.abs(values["phi"]) / lengths, axis=1), float)

    def jacobians(self, q: Matrix, u: Matrix) -> Matrix:
        """Φ_q for rows of positions, dense."""
        values = self._position.function(q, u, self.constants)["jacobian"]
        dense = np.zeros((len(q), len(self.system.phi), self.system.size))
        dense[:, self._pattern[1], self._pattern[2]] = values
        return dense

    def is_right_way_round(self, q: Matrix) -> bool:
        """Whether no joint is put together upside down."""
        if not self.system.senses:
            return True
        names = [each.name for each in self.system.unknowns]
        values = {**self.parameters, **dict(zip(names, q.tolist(), strict=True))}
        return min(evaluate(self.system.senses, values)) > 0

    # --------------------------------------------------------------------------------- rates

    @cached_property
    def _drift(self) -> list[Caller]:
        """For each order the right-hand side: minus the derivative of Φ with the highest rate left out."""
        q, v, a = self.system.unknowns, *(self._named(name) for name in ("V", "A"))
        u, du, ddu, dddu = self.system.inputs, *(self._inputs_named(name) for name in ("V", "A", "J"))
        first_along: dict[Expression, Operand] = {
            **dict(zip(q, v, strict=True)),
            **dict(zip(u, du, strict=True)),
        }
        without: dict[Expression, Operand] = dict(zip(u, du, strict=True))
        along = first_along | dict(zip(v, a, strict=True)) | dict(zip(du, ddu, strict=True))
        only_u = first_along | dict(zip(du, ddu, strict=True))
        further = along | dict(zip(ddu, dddu, strict=True))
        once = directional(self.system.phi, first_along)
        twice = directional(once, along)
        sides = [
            directional(self.system.phi, without),
            directional(once, only_u),
            directional(twice, further),
        ]
        arguments = [
            ("q", "u", "du"),
            ("q", "v", "u", "du", "ddu"),
            ("q", "v", "a", "u", "du", "ddu", "dddu"),
        ]
        return [
            self._caller(f"drift{order}", {"side": [-each for each in side]}, names)
            for order, (side, names) in enumerate(zip(sides, arguments, strict=True), 1)
        ]

    def drift(self, order: int, *arguments: Matrix) -> Matrix:
        """The right-hand side for velocities (1), accelerations (2) or jerks (3), at a row or at many."""
        return self._drift[order - 1](*arguments)["side"]

    def _named(self, prefix: str) -> list[Symbol]:
        return [symbol(f"{prefix}_{each.name}") for each in self.system.unknowns]

    def _inputs_named(self, prefix: str) -> list[Symbol]:
        return [symbol(f"{prefix}_{each.name}") for each in self.system.inputs]

    def arguments(self) -> dict[str, Sequence[Symbol]]:
        """The arrays that functions of the state are given, by name."""
        return {
            "q": self.system.unknowns,
            "v": self._named("V"),
            "a": self._named("A"),
            "u": self.system.inputs,
            "du": self._inputs_named("V"),
            "ddu": self._inputs_named("A"),
            "dddu": self._inputs_named("J"),
        }

    def _caller(
        self, name: str, outputs: Mapping[str, Sequence[Expression]], arguments: Sequence[str]
    ) -> Caller:
        every = self.arguments()
        inputs = {each: every[each] for each in arguments} | {
            "k": [each for each, _ in self.system.constants]
        }
        return Caller(compiled(Program.of(name, inputs, outputs)), self.constants)


class Caller:
    """A compiled function whose last argument, the constants, is fixed.

    One row at a time it runs through arrays that are bound once; whole arrays of rows go the general way.
    """

    def __init__(self, function: Function, constants: Matrix) -> None:
        self.function = function
        self.constants = constants
        program = function.program
        sizes = [len(each.symbols) for each in program.inputs]
        self._ends = [0, *np.cumsum(sizes).tolist()]
        self._input = np.zeros(self._ends[-1])
        self._input[self._ends[-2] :] = constants
        self._output = np.zeros(len(program.results))
        self._results = {}
        begin = 0
        for each in program.outputs:
            self._results[each.name] = self._output[begin : begin + len(each.expressions)]
            begin += len(each.expressions)
        self._call = (
            function.bind(self._input, self._output) if function.native and self._output.size else None
        )

    def __call__(self, *arguments: Matrix) -> dict[str, Matrix]:
        if self._call is None or arguments[0].ndim > 1:
            return self.function(*arguments, self.constants)
        for place, argument in enumerate(arguments):
            self._input[self._ends[place] : self._ends[place + 1]] = argument
        self._call()
        return {name: result.copy() for name, result in self._results.items()}


def constant_values(
    constants: Sequence[tuple[Symbol, Expression]], parameters: Mapping[str, float]
) -> Matrix:
    """The values of hoisted constants."""
    return np.array(evaluate([value for _, value in constants], parameters)) if constants else np.zeros(0)


def row_lengths(matrix: Matrix) -> Matrix:
    """The lengths of the rows, those of vanishing rows replaced so that dividing by them does no harm."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    longest = float(np.max(lengths, initial=0.0)) or 1.0
    return np.where(lengths > SMALLEST_ROW * longest, lengths, longest)


def least_squares(matrix: Matrix, side: Matrix, rank: float) -> Matrix:
    """The shortest of the best solutions; NaN where the numbers are not finite."""
    if not (np.isfinite(matrix).all() and np.isfinite(side).all()):
        return np.full(matrix.shape[1], np.nan)
    return np.asarray(np.linalg.lstsq(matrix, side, rcond=rank)[0], float)


def decomposed(matrix: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """The singular value decomposition; that of nothing where the numbers are not finite."""
    found = np.linalg.svd(matrix if np.isfinite(matrix).all() else np.zeros(matrix.shape))
    return found[0], found[1], found[2]


def singular_values(matrix: Matrix) -> Matrix:
    """The singular values, the largest first; zeros where the numbers are not finite."""
    if not np.isfinite(matrix).all():
        return np.zeros(min(matrix.shape))
    return np.asarray(np.linalg.svd(matrix, compute_uv=False), float)


def solved_rows(matrices: Matrix, side: Matrix) -> Matrix:
    """The solutions of square systems; NaN where they are not square or hardly solvable."""
    if matrices.shape[1] != matrices.shape[2]:
        return np.full((len(matrices), matrices.shape[2]), np.nan)
    try:
        found = np.linalg.solve(matrices, side[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        return np.full(side.shape, np.nan)
    size = np.max(np.abs(found), axis=1)
    wrong = size * 1e-15 > 1e-6 * np.maximum(
        np.max(np.abs(side), axis=1), 1e-300
    )  # cancelled by a tiny pivot
    found[wrong] = np.nan
    return np.asarray(found, float)


def solved_sparsely(matrices: Matrix, side: Matrix) -> Matrix:
    """The same for large systems with few entries; NaN where they are singular."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    found = np.full((len(matrices), matrices.shape[2]), np.nan)
    for row, matrix in enumerate(matrices):
        if matrix.shape[0] == matrix.shape[1]:
            try:
                found[row] = splu(csc_array(matrix)).solve(side[row])
            except RuntimeError:  # exactly singular
                continue
    return found


def machine_size(machine: Machine, parameters: Mapping[str, float]) -> float:
    """How large the machine is: the largest extent of the points of a part, or distance in a joint."""
    parameters = {**parameters, CLOCK.name: 0.0}
    largest = 0.0
    for part in machine.parts.values():
        places = [evaluate([*point], parameters) for point in part.points.values()]
        if part.start is not None and part.start.at is not None:
            places.append(evaluate([*part.start.at], parameters))
        largest = max([largest, *(float(np.linalg.norm(place)) for place in places)])
    for joint in machine.joints.values():
        for name in ("at", "length", "radius", "radii"):
            value = getattr(joint, name, None)
            if value is not None:
                entries = [value] if isinstance(value, Expression) else [*value]
                largest = max(largest, float(np.linalg.norm(evaluate(entries, parameters))))
    return largest if 0 < largest < np.inf else 1.0
