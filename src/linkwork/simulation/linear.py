"""Small motions: equilibria, the linearised equations x' = A·x + B·u, y = C·x + D·u, frequencies and modes.

The state x holds as many variables and rates as there are freedoms; the others follow from the constraints. The
derivatives are central differences along the constraints, with the step halved until Richardson's extrapolation
settles, so that they carry nine digits or more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from linkwork.algebra import Operand
from linkwork.errors import NoAnswer, UsageError
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed
from linkwork.simulation.native import Started
from linkwork.simulation.simulator import Simulator

FIRST_STEP: Final = 1e-2
HALVINGS: Final = 7
NEWTON_STEPS: Final = 12
QUENCHES: Final = 200
QUENCH_ROWS: Final = 60
AT_REST: Final = 1e-10
"""Accelerations below this, relative to those at the start, count as zero."""
STANDS: Final = 1e-9
"""A rate below this, by the size of the state, is none."""
STILL: Final = 1e-12
"""A start from which an equilibrium is no farther than this is one: an upright pendulum's angle is not pi exactly."""
DEPENDENT: Final = 1e-9
ROUNDING: Final = 1e-6
"""Eigenvalues below this share of the largest are zero: a double zero is split by the root of the rounding."""


@dataclass(frozen=True, eq=False)
class Linearisation:
    """The linearised equations about a state. ``states`` are variables, then rates; ``at`` is where they are taken."""

    machine: Machine
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    a: Matrix
    b: Matrix
    c: Matrix
    d: Matrix
    at: Mapping[str, float]
    drift: float
    """The largest rate of the state there: 0 at an equilibrium, not 0 in a motion."""

    @property
    def eigenvalues(self) -> Any:
        """Of A, the slowest first."""
        found = _eigen(self.a)[0]
        return found[np.lexsort((found.imag, found.real, np.abs(found)))]

    @property
    def frequencies(self) -> Matrix:
        """The natural frequencies in radians per time: the sizes of eigenvalues that oscillate, each once."""
        values = self.eigenvalues
        return np.array([abs(each) for each in values if each.imag > 1e-9 * max(abs(each), 1e-300)])

    @property
    def is_stable(self) -> bool:
        """Whether nothing grows."""
        values = self.eigenvalues
        return bool(np.all(values.real <= 1e-7 * max(1.0, float(np.max(np.abs(values), initial=0.0)))))

    def modes(self) -> list[dict[str, Any]]:
        """Each oscillation with its frequency, its damping and the shape of its motion, the largest entry 1."""
        values, vectors = _eigen(self.a)
        half = len(self.states) // 2
        found = []
        for place in np.argsort(np.abs(values), kind="stable"):
            value, shape = values[place], vectors[:half, place]
            if value.imag < 0 or not len(shape):
                continue
            largest = shape[np.argmax(np.abs(shape))] or 1.0
            found.append(
                {
                    "frequency": float(abs(value)),
                    "damping": float(-value.real / abs(value)) + 0.0 if abs(value) > 0 else 0.0,
                    "eigenvalue": [float(value.real), float(value.imag)],
                    "shape": {
                        name: [float((entry / largest).real), float((entry / largest).imag)]
                        for name, entry in zip(self.states, shape, strict=False)
                    },
                }
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "machine": self.machine.name,
            "states": list(self.states),
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "A": self.a.tolist(),
            "B": self.b.tolist(),
            "C": self.c.tolist(),
            "D": self.d.tolist(),
            "at": dict(self.at),
            "drift": self.drift,
            "stable": self.is_stable,
            "eigenvalues": [[float(each.real), float(each.imag)] for each in self.eigenvalues],
            "frequencies": self.frequencies.tolist(),
            "modes": self.modes(),
        }

    def __repr__(self) -> str:
        return f"Linearisation {self.machine.name}: {len(self.states)} states, {len(self.inputs)} inputs"


def _eigen(matrix: Matrix) -> tuple[Any, Any]:
    """Eigenvalues and vectors; values that are nothing but rounding are 0."""
    if not len(matrix):
        return np.zeros(0, complex), np.zeros((0, 0), complex)
    values, vectors = np.linalg.eig(matrix.astype(complex))
    sizes = np.abs(values)
    values[sizes < ROUNDING * max(float(np.max(sizes)), ROUNDING)] = 0.0
    values.real[np.abs(values.real) < 1e-9 * sizes] = 0.0
    values.imag[np.abs(values.imag) < 1e-9 * sizes] = 0.0
    return values, vectors


def equilibrium(
    machine: Machine,
    *,
    start: Mapping[str, float] | None = None,
    parameters: Mapping[str, Operand | str] | None = None,
    controls: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Where a machine stays at rest, near where it starts: the value of every variable.

    >>> from linkwork.model import load
    >>> round(equilibrium(load("pendulum"))["pivot.rw"], 9)
    1.0
    """
    return _About(machine, start or {}, {}, parameters, controls or {}).rested().positions()


def linearise(
    machine: Machine,
    *,
    at_rest: bool = True,
    start: Mapping[str, float] | None = None,
    rates: Mapping[str, float] | None = None,
    outputs: Sequence[str] | None = None,
    parameters: Mapping[str, Operand | str] | None = None,
    controls: Mapping[str, float] | None = None,
) -> Linearisation:
    """The linearised equations about the equilibrium near the start, or not ``at_rest`` about the start itself.

    ``outputs`` are columns of a simulation; without them the coordinates of the state. Inputs are the controls.
    """
    about = _About(machine, start or {}, rates or {}, parameters, controls or {})
    return (about.rested() if at_rest else about).linearised(outputs)


class _About:
    """A machine at one state on its constraints."""

    def __init__(
        self,
        machine: Machine,
        start: Mapping[str, float],
        rates: Mapping[str, float],
        parameters: Mapping[str, Operand | str] | None,
        controls: Mapping[str, float],
    ) -> None:
        self.machine = machine.with_parameters(parameters) if parameters else machine
        self.simulator = Simulator(self.machine)
        self.native = self.simulator.native
        self.synthesis = self.simulator.synthesis
        begun = self.simulator.begun(start, rates, controls)
        self.constants, self.controls, self.time = begun.constants, begun.controls, begun.time
        self.state, self.zeroth = begun.started.state, begun.started.positions
        self.basis = self._tangents()

    # ------------------------------------------------------------------------------- tangents

    def _tangents(self) -> Matrix:
        """Directions along the constraints: columns that have 1 in one entry of the chosen states, 0 in the others."""
        gradients = self.simulator.state_gradients(self.state, self.constants, self.time)
        size = len(self.state)
        if not len(gradients):
            self.chosen = list(range(size))
            return np.eye(size)
        _, values, vectors = np.linalg.svd(gradients)
        rank = int(np.sum(values > DEPENDENT * max(float(values[0]), 1e-300)))
        null = vectors[rank:].T
        self.chosen = self._chosen_rows(null)
        return null @ np.linalg.inv(null[self.chosen])

    def _chosen_rows(self, null: Matrix) -> list[int]:
        """Entries of the state that determine the others: positions, then rates, if possible of the same variables."""
        first, second = len(self.synthesis.q1), len(self.synthesis.q2)
        positions = [(place, 1.0) for place in range(first + second)]
        chosen = _independent_rows(null, positions, [])
        wanted = {place + second for place in chosen if place >= first}
        rates = range(first + second, first + 2 * second)
        return sorted(
            _independent_rows(null, [(place, 1.0 if place in wanted else 0.1) for place in rates], chosen)
        )

    def names(self) -> tuple[str, ...]:
        """The names of the chosen states."""
        every = [leaf.name for leaf in self.synthesis.y]
        return tuple(_rate_name(every[place]) for place in self.chosen)

    # --------------------------------------------------------------------------------- values

    def _moved(self, amounts: Matrix) -> Matrix:
        """The state with the chosen entries changed, back on the constraints with these entries kept."""
        y = self.state + self.basis @ amounts
        wanted = self.state[self.chosen] + amounts
        for _ in range(12):
            settled = self.native.settle(y, self.zeroth, self.constants, self.controls, self.time)
            if settled is None:
                raise NoAnswer(f"the constraints of {self.machine.name} cannot be followed from here")
            y = settled[0]
            off = wanted - y[self.chosen]
            if np.max(np.abs(off), initial=0.0) <= 1e-15 * max(
                1.0, float(np.max(np.abs(wanted), initial=0.0))
            ):
                break
            y = y + self.basis @ off
        return y

    def _rates(self, amounts: Matrix, controls: Matrix) -> Matrix:
        return self.native.derivative(self._moved(amounts), self.constants, controls, self.time)[self.chosen]

    def _outputs(self, amounts: Matrix, controls: Matrix, places: Sequence[int]) -> Matrix:
        settled = self.native.settle(self._moved(amounts), self.zeroth, self.constants, controls, self.time)
        assert settled is not None
        return settled[1][list(places)]

    def positions(self) -> dict[str, float]:
        """The variables by name."""
        first, second = len(self.synthesis.q1), len(self.synthesis.q2)
        return {
            leaf.name: float(value)
            for leaf, value in zip(self.synthesis.y[: first + second], self.state, strict=False)
        }

    # ---------------------------------------------------------------------------- equilibrium

    def rested(self) -> _About:
        """The same machine at rest near by: no rates, no accelerations.

        Unless it starts there, it is let go, and stopped whenever its kinetic energy is largest, until Newton's method
        takes it to where it would stay.
        """
        self._stop()
        self._check_rest()
        if self._is_still():
            return self
        scale = float(np.max(np.abs(self._force()), initial=0.0))
        for _ in range(QUENCHES):
            if float(np.max(np.abs(self._force()), initial=0.0)) <= AT_REST * max(scale, 1e-12):
                return self
            self._quench()
            if self._newton(scale):
                return self
        raise NoAnswer(
            f"no equilibrium of {self.machine.name} was found near where it starts",
            got=f"accelerations of {float(np.max(np.abs(self._force()), initial=0.0)):.3g}",
            wanted="a start near an equilibrium",
            fix="start={'name': value}",
        )

    def _check_rest(self) -> None:
        """Refuse to speak of rest where constraints that change with time keep something moving."""
        count = len(self.synthesis.q1) + len(self.synthesis.q2)
        rates = self.native.derivative(self.state, self.constants, self.controls, self.time)[:count]
        moving = [
            leaf.name
            for leaf, rate in zip(self.synthesis.y, rates, strict=False)
            if abs(rate) > STANDS * max(1.0, float(np.max(np.abs(self.state), initial=0.0)))
        ]
        if moving:
            raise NoAnswer(
                f"{self.machine.name} does not come to rest",
                got=f"{listed(moving)} moving where it starts",
                wanted="a machine that can stand still",
                why="a constraint that changes with time keeps it moving",
                fix="linearise about the motion itself: --moving, in Python at_rest=False",
            )

    def _is_still(self) -> bool:
        """Whether the accelerations are no larger than rounding of the place makes them."""
        positions, rates = self._places()
        slopes = self._slopes(lambda amounts: self._rates(amounts, self.controls), positions)[rates]
        largest = float(np.max(np.abs(slopes), initial=0.0))
        return float(np.max(np.abs(self._force()), initial=0.0)) <= STILL * largest

    def _places(self) -> tuple[list[int], list[int]]:
        """Of the chosen states the positions, and the rates of second order."""
        rates = len(self.synthesis.q1) + len(self.synthesis.q2)
        positions = [place for place, entry in enumerate(self.chosen) if entry < rates]
        return positions, [place for place, entry in enumerate(self.chosen) if entry >= rates]

    def _force(self) -> Matrix:
        """The accelerations of the chosen rates."""
        return self._rates(np.zeros(len(self.chosen)), self.controls)[self._places()[1]]

    def _stop(self) -> None:
        first, second = len(self.synthesis.q1), len(self.synthesis.q2)
        still = self.state.copy()
        still[first + second :] = 0.0
        settled = self.native.settle(still, self.zeroth, self.constants, self.controls, self.time)
        if settled is None:
            raise NoAnswer(f"{self.machine.name} cannot stand still where it starts")
        self.state = settled[0]
        self.basis = self._tangents()

    def _quench(self) -> None:
        """Let it go from rest until its kinetic energy has its first maximum, and stop it there."""
        kinetic = list(self.synthesis.observed).index("kinetic")
        span = float(np.sqrt(1.0 / max(float(np.max(np.abs(self._force()), initial=0.0)), 1e-12)))
        for _ in range(12):
            started = Started(0, self.zeroth, np.zeros(0), self.state, 0.0)
            times = self.time + np.linspace(0.0, span, QUENCH_ROWS)
            atol = np.full(len(self.state), 1e-9)
            ran = self.native.run(self.constants, self.controls, started, times, 1e-9, atol)
            energies = ran.outputs[:, kinetic]
            peak = int(np.argmax(energies))
            if peak < len(energies) - 1 or ran.status:
                break
            span *= 2.0
        self.state = ran.states[peak].copy()
        self._stop()

    def _newton(self, scale: float) -> bool:
        """Go on to an equilibrium at which nothing grows; where that fails, stay."""
        kept = (self.state, self.basis, list(self.chosen))
        for _ in range(NEWTON_STEPS):
            force, (positions, rates) = self._force(), self._places()
            if float(np.max(np.abs(force), initial=0.0)) <= AT_REST * max(scale, 1e-12):
                return True
            slopes = self._slopes(lambda amounts: self._rates(amounts, self.controls), positions)[rates]
            step = np.linalg.lstsq(slopes, -force, rcond=1e-10)[0]
            is_uphill = len(step) == len(force) and not step @ force > 0
            if is_uphill or not float(np.max(np.abs(step), initial=0.0)) <= 0.5:  # or far away
                break
            amounts = np.zeros(len(self.chosen))
            amounts[positions] = step
            self.state = self._moved(amounts)
            self.basis = self._tangents()
        self.state, self.basis, self.chosen = kept
        return False

    # -------------------------------------------------------------------------- linearisation

    def linearised(self, outputs: Sequence[str] | None) -> Linearisation:
        """A, B, C and D here."""
        observed = list(self.synthesis.observed)
        names = self.names()
        chosen = list(outputs) if outputs is not None else [name for name in names if name in observed]
        for name in chosen:
            if name not in observed:
                fix = did_you_mean(name, observed, f"outputs=['{observed[0]}']")
                raise UsageError(f"'{name}' is no column of a simulation", wanted=listed(observed), fix=fix)
        places = [observed.index(name) for name in chosen]
        every = range(len(self.chosen))
        zero = np.zeros(len(self.chosen))
        inputs = tuple(self.machine.controls)
        drift = self._rates(zero, self.controls)
        return Linearisation(
            self.machine,
            names,
            inputs,
            tuple(chosen),
            self._slopes(lambda amounts: self._rates(amounts, self.controls), every),
            self._by_controls(lambda controls: self._rates(zero, controls), len(inputs), len(names)),
            self._slopes(lambda amounts: self._outputs(amounts, self.controls, places), every),
            self._by_controls(
                lambda controls: self._outputs(zero, controls, places), len(inputs), len(chosen)
            ),
            self.positions(),
            float(np.max(np.abs(drift), initial=0.0)),
        )

    def _slopes(self, value: Callable[[Matrix], Matrix], places: Sequence[int]) -> Matrix:
        units = np.eye(len(self.chosen))
        columns = [slope_along(value, np.zeros(len(units)), units[place]) for place in places]
        return np.array(columns).T if columns else np.zeros((len(value(np.zeros(len(units)))), 0))

    def _by_controls(self, value: Callable[[Matrix], Matrix], count: int, rows: int) -> Matrix:
        units = np.eye(len(self.controls))
        columns = [slope_along(value, self.controls, units[place]) for place in range(count)]
        return np.array(columns).T if columns else np.zeros((rows, 0))


def slope_along(value: Callable[[Matrix], Matrix], place: Matrix, direction: Matrix) -> Matrix:
    """The derivative along a direction by central differences with halved steps, extrapolated: the most settled one.

    >>> import numpy as np
    >>> found = slope_along(np.sin, np.array([1.0]), np.array([1.0]))
    >>> round(float(found[0] - np.cos(1)), 11)
    0.0
    """
    before: list[Matrix] = []
    best, least = np.zeros(0), float("inf")
    for level in range(HALVINGS):
        h = FIRST_STEP / 2**level
        row = [(value(place + h * direction) - value(place - h * direction)) / (2 * h)]
        for order, coarser in enumerate(before):
            factor = 4.0 ** (order + 1)
            row.append((factor * row[order] - coarser) / (factor - 1))
        if before:
            change = float(np.max(np.abs(row[-1] - before[-1]), initial=0.0))
            if change < least:
                best, least = row[-1], change
        before = row
    return best


def _independent_rows(matrix: Matrix, weighed: Sequence[tuple[int, float]], chosen: list[int]) -> list[int]:
    """More rows that are independent of those chosen already, the longest remainder times its weight first."""
    found = list(chosen)
    basis = np.linalg.qr(matrix[found].T)[0].T if found else np.zeros((0, matrix.shape[1]))
    while len(found) < matrix.shape[1]:
        left = {row: matrix[row] - basis.T @ (basis @ matrix[row]) for row, _ in weighed if row not in found}
        sizes = {row: weight * float(np.linalg.norm(left[row])) for row, weight in weighed if row in left}
        best = max(sizes, key=lambda row: sizes[row], default=-1)
        if best < 0 or sizes[best] < DEPENDENT:
            break
        basis = np.vstack([basis, left[best] / np.linalg.norm(left[best])])
        found.append(best)
    return found


def _rate_name(name: str) -> str:
    """The column of a rate: V_crank.angle is crank.rate."""
    if not name.startswith("V_"):
        return name
    from linkwork.model.placed import RATES

    plain = name.removeprefix("V_")
    owner, _, which = plain.rpartition(".")
    return f"{owner}.{RATES[which]}" if which in RATES else f"{plain}_rate"
