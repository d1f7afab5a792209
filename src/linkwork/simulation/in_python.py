"""A simulation program where there is no C compiler: the printed program in Python, behind the same calls.

It has explicit steps only. They lead through singular positions by themselves, so there are no runs with care.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from linkwork.dynamics.python_program import python_files
from linkwork.dynamics.standalone import Standalone
from linkwork.dynamics.synthesis import Synthesis
from linkwork.errors import ToolMissing
from linkwork.kinematics.arrays import Matrix
from linkwork.simulation.native import HELD, Ran, Started

_ENDS: Final = {
    "the constraints could not": (3, 0),
    "too many steps": (6, 0),
    "the state or its rates": (4, 2),
    "the tolerance demands": (4, 3),
    "no length of the step": (4, 4),
    "no step leads out": (7, 0),
}
"""The status of a run and of its last step, by how the words begin with which the program stops."""


class PythonMachine:
    """The printed program of a machine, run as it is; the calls are those of the native one."""

    runs_with_care = False
    language = "Python"

    def __init__(self, synthesis: Synthesis) -> None:
        standalone = Standalone(synthesis, {})
        (text,) = python_files(standalone).values()
        self._program: dict[str, Any] = {"__name__": standalone.name}
        exec(
            compile(text, f"{standalone.name}.py", "exec"), self._program
        )  # printed by us, no text of a user
        self._controls = standalone.controls
        self.size = len(synthesis.y)
        self.outputs = len(synthesis.observed)
        self.zeroth, self._first = len(synthesis.q0), len(synthesis.q1)
        self._constants = len(synthesis.constants)

    def constants(self, parameters: Sequence[float]) -> Matrix:
        """The constants of a run."""
        (found,) = self._filled("machine_constants", ([*map(float, parameters)],), self._constants)
        return np.array(found, float)

    def derivative(self, state: Matrix, constants: Matrix, controls: Matrix, time: float) -> Matrix:
        """The rates of a state."""
        given = (state.tolist(), constants.tolist(), self._inputs(controls), [time])
        return np.array(self._filled("machine_derivative", given, self.size)[0], float)

    def settle(
        self, state: Matrix, positions: Matrix, constants: Matrix, controls: Matrix, time: float
    ) -> tuple[Matrix, Matrix] | None:
        """The nearest state on the constraints, and what is reported of it; nothing where there is none."""
        machine = self._machine(constants, controls, positions[: self.zeroth], state, time, 1.0, 1.0)
        try:
            machine.state = machine.stabilised(machine.state, time)
        except self._program["Stopped"]:
            return None
        return machine.state, self._observed(machine)

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
        k, c = constants.tolist(), self._inputs(controls)
        q, v = np.array(positions, float), np.array(rates, float)
        q, left = self._settled("INITIALISE", q, [], (k, c, time), held_positions)
        status, slack = 1, 0.0
        if left <= self._program["SETTLED_WELL"]:
            v, slack = self._settled("VELOCITIES", v, q.tolist(), (k, c, time), held_rates)
            status = 0 if slack <= self._program["SETTLED_WELL"] else 2
        state = np.concatenate([q[self.zeroth :], v[self._first :]])
        return Started(status, q, v, state, max(left, slack))

    def _settled(
        self,
        which: str,
        x: Matrix,
        other: list[float],
        rest: tuple[list[float], list[float], float],
        held: Sequence[bool],
    ) -> tuple[Matrix, float]:
        """x on the constraints of all components, and the largest residual that is left."""
        settled, well = self._program["settled"], self._program["SETTLED_WELL"]
        eases = np.array([HELD if each else 1.0 for each in held]) if any(held) else None
        largest = 0.0
        for component in self._program[which]:
            found, left = settled(component, x, other, *rest, eases)
            if eases is not None and not left <= well:
                found, left = settled(component, x, other, *rest)
            if not left <= well:
                return found, left if left == left else float("inf")
            x, largest = found, max(largest, left)
        return x, largest

    def least_steadiness(self, constants: Matrix, controls: Matrix, times: Matrix, states: Matrix) -> float:
        """How near a motion comes to a singular position is not known here: 1 stands for not at all."""
        return 1.0

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
        """The motion from a start through rows of times."""
        if method == "implicit":
            raise ToolMissing(
                "implicit steps need a C compiler",
                wanted="cc, clang, gcc, or the package ziglang",
                fix="pip install ziglang",
            )
        self._program["MOST_STEPS"] = most_steps
        machine = self._machine(
            constants, controls, started.positions[: self.zeroth], started.state, float(times[0]), rtol, atol
        )
        states, outputs, residual, why = [], [], 0.0, ""
        for t in times.tolist():
            try:
                self._program["row"](machine, t, t if manner == "by rows" else float(times[-1]))
            except self._program["Stopped"] as stop:
                why = str(stop)
                break
            states.append(machine.state)
            outputs.append(self._observed(machine))
            residual = max(residual, self._residual(machine))
        status, step_status = _ended(why)
        effort = machine.integrator
        return Ran(
            status,
            step_status,
            np.reshape(states, (len(states), self.size)),
            np.reshape(outputs, (len(outputs), self.outputs)),
            float(machine.time),
            residual,
            effort.steps,
            effort.rejected,
            effort.evaluations,
            0,
            is_implicit=False,
        )

    def _machine(
        self,
        constants: Matrix,
        controls: Matrix,
        zeroth: Matrix,
        state: Matrix,
        time: float,
        rtol: float,
        atol: Matrix | float,
    ) -> Any:
        """The program's own machine where a run begins, without its search for a start."""
        machine = object.__new__(self._program["Machine"])
        machine.k = constants.tolist()
        machine.controls = dict(zip(self._controls, self._inputs(controls), strict=True))
        machine.q0, machine.state, machine.time = zeroth.tolist(), np.array(state, float), time
        machine.begin(self._program["Integrator"](machine.rate, time, machine.state.copy(), rtol, atol))
        return machine

    def _observed(self, machine: Any) -> Matrix:
        found: Mapping[str, float] = self._program["observe"](machine)
        return np.array([*found.values()][1:-1], float)

    def _residual(self, machine: Any) -> float:
        """How far constraints and their derivatives are from zero, in units of the state they are solved for."""
        largest = 0.0
        given: tuple[Any, ...] = (machine.state.tolist(), [], machine.k, machine.inputs(), [machine.time])
        for equations, places, _, function in self._program["STABILISE"]:
            r, j = self._program["filled"](function, given, equations, equations * len(places))
            slopes = np.max(np.abs(np.reshape(j, (equations, -1))), axis=1, initial=0.0)
            largest = max(largest, float(np.max(np.abs(r) / np.where(slopes > 0, slopes, 1.0), initial=0.0)))
        return largest

    def _filled(self, name: str, given: tuple[list[float], ...], size: int) -> Any:
        return self._program["filled"](self._program[name], given, size)

    def _inputs(self, controls: Matrix) -> list[float]:
        return [float(each) for each in controls[: len(self._controls)]]


def _ended(why: str) -> tuple[int, int]:
    """The status of a run, and of its last step, from the words with which the program stopped."""
    if not why:
        return 0, 0
    return next((found for words, found in _ENDS.items() if why.startswith(words)), (4, 1))
