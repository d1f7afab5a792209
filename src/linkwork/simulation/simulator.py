"""A simulator: a machine that is derived, planned and compiled once, and then run as often as wanted."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Final

import numpy as np

from linkwork.algebra import Operand, evaluate
from linkwork.dynamics.plan import Plan
from linkwork.dynamics.specification import Specification
from linkwork.dynamics.standalone import Standalone
from linkwork.dynamics.switches import switches
from linkwork.dynamics.synthesis import Synthesis
from linkwork.emit import interpreted
from linkwork.emit.compiler import NativeWarning
from linkwork.errors import LinkworkError, NoAnswer, ToolMissing, UsageError
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed
from linkwork.simulation.in_python import PythonMachine
from linkwork.simulation.named_start import NamedStart
from linkwork.simulation.native import METHODS, NativeMachine, Ran, Started
from linkwork.simulation.outcome import Outcome, is_stuck
from linkwork.simulation.ranges import first_end
from linkwork.simulation.rows import DEFAULT_ROWS, row_times
from linkwork.simulation.solution import Solution
from linkwork.simulation.start import Rough, always_dependent, rough_start, settled, spare_constraints
from linkwork.simulation.verify import (
    broken_constraints,
    contradiction,
    dependent_conditions,
    state_values,
    undetermined,
    wholly_spare,
)

DEFAULT_UNTIL: Final = 10.0
DEFAULT_TOLERANCE: Final = 1e-9
FIRST_SHARE: Final = 0.1
"""The first run's tolerance, as a share of what is asked for: local errors add up."""
REFINEMENTS: Final = 4
"""How often the tolerance is tightened before it is said that the one asked for is not reached."""
TIGHTER: Final = 0.02
TIGHTEST: Final = 3e-15
CAREFULLY_TIGHTEST: Final = 1e-12
"""Near singular positions rounding has more to say than a tighter tolerance."""
NEARLY_SINGULAR: Final = 0.05
"""The steadiness of a motion (runtime, careful.h) below which a singular position may have spoilt it."""
LOOKS_A_STEP: Final = 10
MOST_LOOKS: Final = 10**7
"""How often a motion is looked at to find out whether it passes a singular position; numbers that this may take."""

_NOTHING: Final = np.zeros(0)


@dataclass(frozen=True)
class Tightened:
    """A run, and how much it differs from one with a looser tolerance; NaN where there is none."""

    ran: Ran
    error: float

    @property
    def badness(self) -> tuple[bool, float]:
        """What is to be small: whether the end was not reached, and the error."""
        return bool(self.ran.status), self.error if self.error == self.error else float("inf")

    def is_good(self, rtol: float, check: bool) -> bool:
        """Whether the end was reached, and accurately where that was checked."""
        return not self.ran.status and (not check or self.error <= rtol)


@dataclass(frozen=True)
class Begun:
    """A machine with numbers: its constants, its controls, and where it stands at its first time."""

    machine: Machine
    constants: Matrix
    controls: Matrix
    time: float
    started: Started


class Simulator:
    """A machine ready to be simulated. Parameters and the start are inputs: other values compile nothing."""

    def __init__(self, machine: Machine) -> None:
        if not isinstance(machine, Machine):
            raise UsageError(
                "a machine is wanted here",
                got=repr(machine)[:60],
                fix=f"lw.load({machine!r})" if isinstance(machine, str) else 'lw.load("pendulum")',
            )
        self.machine = machine
        self.specification = Specification.of(machine)
        if not self.specification.variables:
            raise _nothing_free(machine)

    @cached_property
    def redundant(self) -> tuple[str, ...]:
        """The constraints that follow from the others."""
        found = self._spare_for(self.machine)
        if wholly_spare(self.specification, found):
            self._check_conditions()
        return found

    def _spare_for(self, machine: Machine) -> tuple[str, ...]:
        """The constraints that follow from the others, with the parameters of a machine like this one."""
        parameters = machine.values()
        rough = self._rough if machine is self.machine else rough_start(self.specification, parameters)
        time = evaluate([machine.time.start], parameters)[0]
        return spare_constraints(self.specification, parameters, rough, time)

    @cached_property
    def plan(self) -> Plan:
        """Classes and components."""
        return Plan(self.specification, self.redundant)

    def checked_plan(self) -> Plan:
        """The plan, once it is sure that the specification determines a motion."""
        parameters = self.machine.values()
        time = evaluate([self.machine.time.start], parameters)[0]
        self._check_conditions()
        positions = settled(self.specification, parameters, self._rough.positions, time)
        values = state_values(self.specification, parameters, positions, self._rough.rates, time)
        problem = undetermined(self.plan, values)
        if problem is not None:
            raise problem
        return self.plan

    def _check_conditions(self) -> None:
        """Refuse constraints of the user's that say nothing new, or the contrary of what others say, wherever it is."""
        spec, parameters = self.specification, self.machine.values()
        time = evaluate([self.machine.time.start], parameters)[0]
        written = wholly_spare(spec, always_dependent(spec, parameters, time))
        if written:
            positions = settled(spec, parameters, self._rough.positions, time)
            broken = broken_constraints(spec, state_values(spec, parameters, positions, {}, time))
            if broken:
                raise contradiction(spec, broken, "constraints that differ by a number alone")
            raise dependent_conditions(spec, written)

    @cached_property
    def synthesis(self) -> Synthesis:
        """The programs."""
        return Synthesis(self.plan)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Faults of the specification that show while programs are made, in the user's words."""
        try:
            yield
        except ToolMissing:
            raise
        except LinkworkError:
            self.checked_plan()  # names what is wrong with the specification, if something is
            raise

    @cached_property
    def native(self) -> NativeMachine | PythonMachine:
        """The programs, compiled; where there is no compiler in Python, with a warning."""
        with self.explained():
            synthesis = Synthesis(self.plan, keep_spare=True) if self.redundant else self.synthesis
            try:
                return NativeMachine(synthesis)
            except ToolMissing as problem:
                warnings.warn(
                    f"{problem.problem}: the simulation runs in Python, slowly and with explicit steps only",
                    NativeWarning,
                    stacklevel=2,
                )
                return PythonMachine(synthesis)

    def standalone(self, *, is_watched: bool = False) -> Standalone:
        """The programs with what a file of their own needs besides; with columns that tell where formulas switch."""
        watched = switches(self.specification) if is_watched else {}
        synthesis = Synthesis(self.plan, watched=watched) if watched else self.synthesis
        return Standalone(synthesis, self._rough.positions)

    # ------------------------------------------------------------------------------- running

    def simulate(
        self,
        until: float | None = None,
        *,
        step: float | None = None,
        rtol: float = DEFAULT_TOLERANCE,
        method: str = "auto",
        parameters: Mapping[str, Operand | str] | None = None,
        controls: Mapping[str, float] | None = None,
        start: Mapping[str, float] | None = None,
        rates: Mapping[str, float] | None = None,
        check: bool = True,
    ) -> Solution:
        """The motion until a time, in rows ``step`` apart.

        ``start`` and ``rates`` replace where single variables start. ``rtol`` is the accuracy that is wanted of the
        rows; with ``check`` it is tested by a second run, and the tolerance of the steps tightened until it holds.
        Where the range of a drive ends, the motion does.
        """
        if method not in METHODS:
            raise UsageError(f"there is no method '{method}'", wanted=", ".join(METHODS), fix='method="auto"')
        check_run(until, step, rtol)
        other = self._otherwise_constrained(parameters)
        if other is not None:
            return other.simulate(
                until,
                step=step,
                rtol=rtol,
                method=method,
                controls=controls,
                start=start,
                rates=rates,
                check=check,
            )
        begun = self.begun(start or {}, rates or {}, controls or {}, parameters)
        end = first_end(begun.machine, begun.time)
        times = self._times(begun.time, until, step, begun.machine.values(), end[1] if end else math.inf)
        solution = self._refined(begun, times, rtol, method, check)
        asked = self._last(begun.time, until, begun.machine.values())
        if end is None or asked is None or asked <= end[1] or solution.status != "complete":
            return solution
        why = f"the drive {end[0]} is at the end of its range at t = {end[1]:.9g}"
        return replace(solution, status="stopped", why=f"{why}; {solution.why}" if solution.why else why)

    def _otherwise_constrained(self, parameters: Mapping[str, Operand | str] | None) -> Simulator | None:
        """A simulator of its own for parameters with which other constraints follow from the rest."""
        if not parameters:
            return None
        changed = self.machine.with_parameters(parameters)
        return None if self._spare_for(changed) == self.redundant else Simulator(changed)

    def begun(
        self,
        start: Mapping[str, float],
        rates: Mapping[str, float],
        controls: Mapping[str, float],
        parameters: Mapping[str, Operand | str] | None = None,
    ) -> Begun:
        """The machine at its first time, on its constraints."""
        for name, given_numbers in (("start", start), ("rates", rates), ("controls", controls)):
            if not isinstance(given_numbers, Mapping):
                raise UsageError(
                    f"{name} are given by their names", got=repr(given_numbers)[:60], fix=f"{name}={{…}}"
                )
            for key, value in given_numbers.items():
                _check_number(f"{name} of {key}", value)
        changed = self.machine.with_parameters(parameters) if parameters else self.machine
        values = changed.values()
        time = evaluate([changed.time.start], values)[0]
        given = self._controls(controls, values)
        constants = self.native.constants([values[leaf.name] for leaf in self.specification.parameters])
        started = self._started(changed, values, constants, given, time, start, rates)
        return Begun(changed, constants, given, time, started)

    def state_gradients(self, state: Matrix, constants: Matrix, time: float) -> Matrix:
        """The slopes of what stabilisation keeps at zero, by the entries of the state: one row an equation."""
        rows = []
        for component in self.synthesis.stabilise:
            inputs = {
                "x": state,
                "other": _NOTHING,
                "k": constants,
                "c": np.zeros(len(self.machine.controls)),
            }
            inputs["clock"] = np.array([time])
            given = {
                each.name: inputs[each.name] if each.symbols else _NOTHING
                for each in component.program.inputs
            }
            slopes = interpreted(component.program)(**given)["j"]
            block = np.zeros(component.equations * len(component.places))
            block[: len(slopes)] = slopes
            own = np.zeros((component.equations, len(state)))
            own[:, list(component.places)] = block.reshape(component.equations, -1)
            rows.append(own)
        return np.concatenate(rows) if rows else np.zeros((0, len(state)))

    def _refined(self, begun: Begun, times: Matrix, rtol: float, method: str, check: bool) -> Solution:
        """The motion; carefully where a singular position keeps it from the end, or from its accuracy."""
        found = self._tightened(begun, times, rtol, method, check, careful=False)
        if not found.is_good(rtol, check) and self._may_be_singular(begun, times, found.ran, method):
            again = self._tightened(begun, times, rtol, method, check, careful=True)
            found = min(found, again, key=lambda each: each.badness)
        return self.solution(begun.machine, Outcome(found.ran, times, found.error, rtol, check))

    def solution(self, machine: Machine, outcome: Outcome) -> Solution:
        """The solution that a run of the machine's programs is."""
        return outcome.solution(machine, self.synthesis, self.redundant, self.native.language)

    def _tightened(
        self, begun: Begun, times: Matrix, rtol: float, method: str, check: bool, *, careful: bool
    ) -> Tightened:
        """Runs with ever tighter tolerance, until two of them agree; the finer of those that agree best."""
        scale = self._scale(begun.started)
        tightest = CAREFULLY_TIGHTEST if careful else TIGHTEST

        def run(tolerance: float, manner: str) -> Ran:
            given = (begun.constants, begun.controls, begun.started, times)
            manner = "carefully" if careful else manner
            return self.native.run(*given, tolerance, tolerance * scale, method, manner=manner)

        tolerance = max(rtol * (FIRST_SHARE if check else 1.0), tightest)
        last = run(tolerance, "freely")
        best = Tightened(last, float("nan"))
        for _ in range(REFINEMENTS if check else 0):
            if tolerance == tightest or (is_stuck(last) and not careful):
                break
            tolerance = max(tolerance * TIGHTER, tightest)
            ran, last = last, run(tolerance, "by rows")
            if last.status and not ran.status:
                break  # so tight a tolerance stops it: the run before is the better one
            best = min(best, Tightened(last, _difference(ran, last, scale)), key=lambda each: each.badness)
            if best.error <= rtol:
                break
        return best

    def _may_be_singular(self, begun: Begun, times: Matrix, ran: Ran, method: str) -> bool:
        """Whether a motion comes near a singular position, looked at several times in each step."""
        if not self.native.runs_with_care:
            return False
        if not self.synthesis.stabilise or is_stuck(ran):
            return bool(self.synthesis.stabilise)
        rows = min(max(LOOKS_A_STEP * ran.steps, DEFAULT_ROWS), MOST_LOOKS // (1 + len(self.synthesis.y)))
        looks = np.linspace(times[0], times[-1], rows + 1)
        given = (begun.constants, begun.controls)
        seen = self.native.run(*given, begun.started, looks, 1e-6, 1e-6 * self._scale(begun.started), method)
        steadiness = self.native.least_steadiness(*given, looks[: len(seen.states)], seen.states)
        return is_stuck(seen) or steadiness < NEARLY_SINGULAR

    def _scale(self, begun: Started) -> Matrix:
        """What counts as the size of each variable where it passes through zero."""
        size = float(np.max(np.abs(begun.state), initial=0.0)) or 1.0
        return np.full(len(begun.state), min(max(size, 1e-3), 1.0))

    @cached_property
    def _rough(self) -> Rough:
        """Where the variables start with the machine's own parameters."""
        return rough_start(self.specification, self.machine.values())

    def _started(
        self,
        machine: Machine,
        values: Mapping[str, float],
        constants: Matrix,
        controls: Matrix,
        time: float,
        start: Mapping[str, float],
        rates: Mapping[str, float],
    ) -> Started:
        rough = self._rough if machine is self.machine else rough_start(Specification.of(machine), values)
        positions, speeds = {**rough.positions, **start}, {**rough.rates, **rates}
        named = NamedStart(self.specification, values, time)
        if not named.variables.issuperset((*start, *rates)):
            named.check(start, rates)
            positions = named.positions(rough.positions, start) if start else positions
            speeds = named.rates(positions, rough.rates, rates) if rates else speeds
        q = np.array([positions.get(leaf.name, 0.0) for leaf in self.synthesis.q])
        v = np.array([speeds.get(leaf.name, 0.0) for leaf in (*self.synthesis.q1, *self.synthesis.q2)])
        begun = self.native.initialise(
            constants,
            controls,
            time,
            q,
            v,
            [leaf.name in start for leaf in self.synthesis.q],
            [leaf.name in rates for leaf in (*self.synthesis.q1, *self.synthesis.q2)],
        )
        if begun.status:
            raise self._not_started(begun, values, time)
        if not np.isfinite(self.native.derivative(begun.state, constants, controls, time)).all():
            self.checked_plan()  # names what is wrong, if the specification is
        return begun

    def _not_started(self, begun: Started, values: Mapping[str, float], time: float) -> NoAnswer:
        if begun.status == 1:
            found = dict(zip((leaf.name for leaf in self.synthesis.q), begun.positions.tolist(), strict=True))
            broken = broken_constraints(
                self.specification, state_values(self.specification, values, found, {}, time)
            )
            nearest = f"a residual of {begun.residual:.3g} at the nearest position found"
            return contradiction(self.specification, broken, nearest)
        names = [each.name for each in self.specification.initial]
        return NoAnswer(
            f"no velocities of {self.machine.name} satisfy its constraints and initial conditions",
            got=f"initial conditions {listed(names)}" if names else "no initial conditions",
            wanted="conditions that the constraints leave free",
            fix=f"remove [initial.{self.specification.initial[-1].owner}]"
            if names
            else "check the constraints",
        )

    def _last(self, first: float, until: float | None, values: Mapping[str, float]) -> float | None:
        """The last time that is asked for, here or in the machine."""
        span = self.machine.time
        return evaluate([span.until], values)[0] if until is None and span.until is not None else until

    def _times(
        self, first: float, until: float | None, step: float | None, values: Mapping[str, float], end: float
    ) -> Matrix:
        """The times of the rows, none of them behind the end of a range."""
        asked = self._last(first, until, values)
        usual = first + DEFAULT_UNTIL if math.isinf(end) else end
        last = min(usual if asked is None else asked, end)
        width = len(self.synthesis.y) + len(self.synthesis.observed)
        return row_times(first, last, step, width)

    def _controls(self, given: Mapping[str, float], values: Mapping[str, float]) -> Matrix:
        known = self.machine.controls
        for name in given:
            if name not in known:
                raise UsageError(
                    f"there is no control '{name}'",
                    wanted=listed(known) or "none: the machine has no controls",
                    fix=did_you_mean(name, known, f"[control.{name}]"),
                )
        for name, value in given.items():
            least, most = evaluate([*known[name].range], values)
            if not least <= value <= most:
                raise UsageError(
                    f"the control {name} is set outside its range",
                    got=f"{value:g}",
                    wanted=f"{least:g} to {most:g}",
                    fix=f"{name}={least:g}",
                )
        found = [given.get(name, evaluate([each.start], values)[0]) for name, each in known.items()]
        return np.array([*found, 0.0])


def _nothing_free(machine: Machine) -> UsageError:
    """Why there is no motion to be found: all of it is given, or there is none."""
    if machine.moving and machine.drives:
        return UsageError(
            f"all of the motion of {machine.name} is driven: nothing is left for a simulation to find",
            got="the drives " + listed(machine.drives)
            if len(machine.drives) > 1
            else f"the drive {next(iter(machine.drives))}",
            wanted="a machine with a freedom that no drive takes",
            why="where drives and joints tell every position, forces change nothing of the motion",
            fix=f"linkwork move {machine.name}   # or let go of a drive: --free {next(iter(machine.drives))}",
        )
    if machine.moving:
        return UsageError(
            f"the joints of {machine.name} hold all its parts: nothing can move",
            wanted="a joint less, or one that leaves a freedom",
            fix=f"linkwork show {machine.name}   # tells the mobility",
        )
    return UsageError(
        f"the machine {machine.name} has nothing that could move",
        wanted="parts, or frames with coordinates that vary",
        fix='[frame.bob]\nvaries = ["tx"]',
    )


def check_run(until: float | None, step: float | None, rtol: float) -> None:
    """Refuse an end, a spacing of rows or a tolerance of which there is no sense."""
    for name, value in (("until", until), ("step", step), ("rtol", rtol)):
        if value is not None:
            _check_number(name, value)
    if not TIGHTEST < rtol < 1:
        wanted = f"more than {TIGHTEST:g}, which is rounding, and less than 1"
        raise UsageError(
            "this tolerance makes no sense", got=f"rtol = {rtol:g}", wanted=wanted, fix="rtol=1e-9"
        )


def _check_number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise UsageError(f"{name} is no finite number", got=repr(value)[:60], wanted="a number", fix="1.0")


def _difference(coarse: Ran, fine: Ran, scale: Matrix) -> float:
    """The largest difference of two runs, relative to the size of each variable; infinite if one is shorter."""
    if len(coarse.states) != len(fine.states):
        return float("inf")
    if not coarse.states.size:
        return 0.0
    size = np.maximum(np.max(np.abs(fine.states), axis=0), scale)
    return float(np.max(np.abs(coarse.states - fine.states) / size))


def plan(machine: Machine) -> Plan:
    """What the simulation program of a machine does, class by class and block by block."""
    return Simulator(machine).checked_plan()
