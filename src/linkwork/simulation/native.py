"""A simulation program as native code: the machine's own functions, and the runtime that all machines share."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from linkwork.dynamics.c_program import machine_library_source, runtime_library_source
from linkwork.dynamics.synthesis import Synthesis
from linkwork.emit.compiler import load_library
from linkwork.kinematics.arrays import Matrix

METHODS: Final = ("auto", "explicit", "implicit")
HELD: Final = 1e-6
"""How readily what is given moves, beside what is not."""
MANNERS: Final = ("freely", "carefully", "by rows")
"""How steps are made: as long as they can be, led through singular positions, or ending at each row."""
LARGE: Final = 6000
"""Operations from which a machine is compiled at -O1."""
_POINTER: Final = ctypes.c_void_p


@dataclass(frozen=True)
class Started:
    """Where a run starts: order-zero positions, the state, and how well the constraints hold; status 0 is good."""

    status: int
    positions: Matrix
    rates: Matrix
    state: Matrix
    residual: float


@dataclass(frozen=True)
class Ran:
    """What a run found, as many rows as were reached."""

    status: int
    step_status: int
    states: Matrix
    outputs: Matrix
    reached: float
    residual: float
    steps: int
    rejected: int
    evaluations: int
    settled: int
    is_implicit: bool


@cache
def _runtime() -> ctypes.CDLL:
    library = load_library(runtime_library_source(), optimise="-O2")
    for count in (library.lw_machine_doubles, library.lw_machine_integers):
        count.restype = ctypes.c_size_t
        count.argtypes = [_POINTER]
    library.lw_machine_initialise.argtypes = [*[_POINTER] * 5, ctypes.c_double, *[_POINTER] * 6]
    library.lw_machine_settle.argtypes = [*[_POINTER] * 5, ctypes.c_double, *[_POINTER] * 3]
    library.lw_machine_least_steadiness.restype = ctypes.c_double
    library.lw_machine_least_steadiness.argtypes = [*[_POINTER] * 5, ctypes.c_long, *[_POINTER] * 2]
    library.lw_machine_simulate.restype = ctypes.c_long
    numbers = (ctypes.c_double, ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_long)
    library.lw_machine_simulate.argtypes = [*[_POINTER] * 8, *numbers, *[_POINTER] * 5]
    return library


class NativeMachine:
    """The compiled program of a machine. Parameters are inputs: other values need no other program."""

    runs_with_care = True
    language = "C"

    def __init__(self, synthesis: Synthesis, source: str | None = None) -> None:
        source = machine_library_source(synthesis) if source is None else source
        operations = synthesis.derivative.operations
        self._library = load_library(source, optimise="-O2" if operations < LARGE else "-O1")
        self._library.machine_scheme.restype = _POINTER
        self._library.machine_constants.argtypes = [_POINTER] * 2
        self._library.machine_constants.restype = None
        self._library.machine_derivative.argtypes = [_POINTER] * 3 + [ctypes.c_double, _POINTER]
        self._library.machine_derivative.restype = None
        self._scheme = self._library.machine_scheme()
        self._doubles = np.zeros(_runtime().lw_machine_doubles(self._scheme))
        self._integers = np.zeros(_runtime().lw_machine_integers(self._scheme), np.intc)
        self._given = (self._scheme, self._doubles.ctypes.data, self._integers.ctypes.data)
        self.size = len(synthesis.y)
        self.outputs = len(synthesis.observed)
        self.zeroth = len(synthesis.q0)
        self._constants = len(synthesis.constants)

    def constants(self, parameters: Sequence[float]) -> Matrix:
        """The constants of a run."""
        given, found = _array(parameters), np.zeros(max(self._constants, 1))
        self._library.machine_constants(given.ctypes.data, found.ctypes.data)
        return found

    def derivative(self, state: Matrix, constants: Matrix, controls: Matrix, time: float) -> Matrix:
        """The rates of a state."""
        y, rate = _array(state), np.zeros(max(self.size, 1))
        self._library.machine_derivative(
            y.ctypes.data, constants.ctypes.data, controls.ctypes.data, time, rate.ctypes.data
        )
        return rate[: self.size]

    def settle(
        self, state: Matrix, positions: Matrix, constants: Matrix, controls: Matrix, time: float
    ) -> tuple[Matrix, Matrix] | None:
        """The nearest state on the constraints, and what is reported of it; nothing where there is none."""
        y, q0, out = _array(state), _array(positions[: self.zeroth]), np.zeros(max(self.outputs, 1))
        settled = _runtime().lw_machine_settle(
            *self._given, constants.ctypes.data, controls.ctypes.data, time,
            y.ctypes.data, q0.ctypes.data, out.ctypes.data,
        )  # fmt: skip
        return (y[: self.size], out[: self.outputs]) if settled else None

    def initialise(
        self,
        constants: Matrix,
        controls: Matrix,
        time: float,
        positions: Matrix,
        rates: Matrix,
        held_positions: Sequence[bool] = (),
        held_rates: Sequence[bool] = (),
    ) -> Started:
        """A state near the given positions and rates that satisfies all constraints; those held stay if they can."""
        q, v, y, left = _array(positions), _array(rates), np.zeros(max(self.size, 1)), np.zeros(1)
        ease_q, ease_v = (
            _array([HELD if each else 1.0 for each in held]) for held in (held_positions, held_rates)
        )
        status = _runtime().lw_machine_initialise(
            *self._given, constants.ctypes.data, controls.ctypes.data, time,
            q.ctypes.data, v.ctypes.data,
            ease_q.ctypes.data if any(held_positions) else None, ease_v.ctypes.data if any(held_rates) else None,
            y.ctypes.data, left.ctypes.data,
        )  # fmt: skip
        return Started(int(status), q[: len(positions)], v[: len(rates)], y[: self.size], float(left[0]))

    def least_steadiness(self, constants: Matrix, controls: Matrix, times: Matrix, states: Matrix) -> float:
        """How near the states of a motion come to a singular position: 1 for not at all, 0 for into it."""
        when, rows = _array(times), _array(states)
        return float(
            _runtime().lw_machine_least_steadiness(
                *self._given, constants.ctypes.data, controls.ctypes.data, len(states),
                when.ctypes.data, rows.ctypes.data,
            )
        )  # fmt: skip

    def run(
        self,
        constants: Matrix,
        controls: Matrix,
        started: Started,
        times: Matrix,
        rtol: float,
        atol: Matrix,
        method: str = "auto",
        most_steps: int = 10**7,
        *,
        manner: str = "freely",
    ) -> Ran:
        """The motion from a start through rows of times; see :data:`MANNERS`."""
        rows = len(times)
        states, outputs = np.zeros((rows, self.size)), np.zeros((rows, self.outputs))
        statistics, ended = np.zeros(8), ctypes.c_int()
        q0, y = _array(started.positions[: self.zeroth]), _array(started.state)
        when, tolerance = _array(times), _array(atol)
        reached = _runtime().lw_machine_simulate(
            *self._given, constants.ctypes.data, controls.ctypes.data, q0.ctypes.data, y.ctypes.data,
            tolerance.ctypes.data, rtol, METHODS.index(method), MANNERS.index(manner), most_steps, rows,
            when.ctypes.data, states.ctypes.data, outputs.ctypes.data, statistics.ctypes.data, ctypes.byref(ended),
        )  # fmt: skip
        steps, rejected, evaluations, settled, implicit, step, last, residual = statistics.tolist()
        return Ran(
            ended.value,
            int(step),
            states[:reached],
            outputs[:reached],
            last,
            residual,
            int(steps),
            int(rejected),
            int(evaluations),
            int(settled),
            bool(implicit),
        )


def _array(values: Sequence[float] | Matrix) -> Matrix:
    """A fresh contiguous array with at least one entry, so that it has an address."""
    given = np.array(values, float)
    return given if given.size else np.zeros(1)
