"""A mechanism: a machine that is derived once and then assembled, driven, moved and asked.

mechanism = Mechanism(machine)
position = mechanism.solve({"crank": 0.3})
position = mechanism.solve({"crank": 0.4}, start=position)   # the simulation loop
motion = mechanism.move(steps=360)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra import Operand, evaluate
from linkwork.errors import NoAnswer, UsageError
from linkwork.kinematics.arrays import Matrix, Places
from linkwork.kinematics.branches import Branches, all_branches
from linkwork.kinematics.diagnose import TooManyDrives, no_assembly, too_many_drives, unreachable
from linkwork.kinematics.follow import Follower, Start, locked_at, native_chain
from linkwork.kinematics.guess import first_guess
from linkwork.kinematics.local import Local
from linkwork.kinematics.mobility import Mobility, independent_rows, mobility
from linkwork.kinematics.motion import Motion, motion_of
from linkwork.kinematics.native import NativeChain, Reached
from linkwork.kinematics.newton import ACCEPTED, LARGE, Found, assemble
from linkwork.kinematics.numbers import Numbers, singular_values
from linkwork.kinematics.path import RowPath, StraightPath, TimePath
from linkwork.kinematics.position import Position
from linkwork.kinematics.reaction import InverseDynamics
from linkwork.kinematics.system import System
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean, listed

DEFAULT_STEPS = 360
MOST_COORDINATES = 2 * 10**7
"""Steps times coordinates of one motion: each is kept with its rates in a few arrays of 8 bytes."""
TRIES = 24
"""Rough positions from which assembly is tried before it is given up."""
NEAR = 0.1
"""How far, in units of the scale, rough places may be from a position that they are meant to describe."""
BESIDE = 0.01
"""Share of a motion's time after which a singular start is regular."""
NEARLY_SINGULAR = 1e-7
"""The smallest singular value below which a start counts as singular."""


class _Begin(NamedTuple):
    """Where a motion starts, and a regular position there or near."""

    start: Start
    regular: Matrix
    regular_inputs: Matrix


class Mechanism:
    """A machine ready to be moved. Setting parameters makes a new one and compiles nothing again."""

    def __init__(self, machine: Machine, parameters: Mapping[str, Operand | str] | None = None) -> None:
        self.machine = machine.with_parameters(parameters) if parameters else machine
        if not self.machine.moving:
            raise UsageError(
                f"the machine {machine.name} has no parts that could move",
                wanted="a machine with parts and joints",
                fix="linkwork examples   # lists machines with parts",
            )
        if self.machine.is_scene:
            varying = [name for name, frame in self.machine.frames.items() if frame.varies]
            raise UsageError(
                f"drives do not tell how the frames of {machine.name} move",
                got=f"frames that vary: {', '.join(varying)}",
                wanted="parts and joints alone, for kinematics",
                fix=f"linkwork simulate {machine.name}   # moves them by masses, forces and constraints",
            )
        self.system = System.of(self.machine)
        self.numbers = Numbers(self.system, self.machine.values())
        self._sweep_chain: NativeChain | None = None

    def __repr__(self) -> str:
        return (
            f"Mechanism {self.machine.name}: {self.system.size} coordinates, {len(self.system.phi)} equations"
        )

    # ------------------------------------------------------------------------------ position

    def solve(
        self,
        values: Mapping[str, float] | None = None,
        start: Position | None = None,
        rates: Mapping[str, float] | None = None,
    ) -> Position:
        """The position at given values of the drives; with ``rates`` of the drives also all velocities.

        Without ``start`` the machine is assembled from its rough places. With it, the position is reached
        from there along a straight path of the drives, on the same branch. Drives that are not given keep
        their value of the start, or that at time 0.
        """
        if start is None:
            u = self._inputs(values or {}, self._rest)
            return self._position(self._reached_or_assembled(u), u, rates)
        u = self._inputs(values or {}, start.u)
        return self._position(self._reached(start.q, start.u, u), u, rates)

    def _reached(self, q: Matrix, first: Matrix, last: Matrix) -> Matrix:
        """The position at the last inputs, along the straight path from one at the first."""
        path = StraightPath(first, last)
        follower = Follower(self.numbers, path, self._rows(q, first), 1.0)
        found = follower.follow(np.array([0.0, 1.0]), Start(q))
        positions = found.arrays()[1]
        if len(positions) < 2:
            raise unreachable(self.numbers, found, path)
        return positions[-1]

    def _reached_or_assembled(self, u: Matrix) -> Matrix:
        """The position on the branch that the rough places describe; where that does not reach, any other."""
        if np.array_equal(u, self._rest):
            return self._assembled(u).q
        drawn = self._as_drawn(u)
        if drawn is not None:
            return drawn
        try:
            return self._reached(self.assembled.q, self._rest, u)
        except NoAnswer:
            return self._assembled(u).q

    def _as_drawn(self, u: Matrix) -> Matrix | None:
        """The position next to the rough places, where these fit the inputs but for a little."""
        guess = first_guess(self.numbers, dict(zip(self.machine.drives, u[1:].tolist(), strict=True)))
        found = assemble(self.numbers, guess, u)
        way = float(np.max(np.abs((found.q - guess) / self.numbers.scale)))
        is_it = found.converged and way < NEAR and self.numbers.is_right_way_round(found.q)
        return found.q if is_it else None

    @cached_property
    def assembled(self) -> Position:
        """The position in which the drives stand at their first values."""
        return self.solve()

    def _position(self, q: Matrix, u: Matrix, rates: Mapping[str, float] | None = None) -> Position:
        v = None
        if rates is not None:
            du = self._inputs(rates, np.zeros(len(u)))
            v = Local(self.numbers, StraightPath(u, u + du), self._rows(q, u)).velocity(q, 0.0)
        return Position(self.system, q, u, self.numbers.misfit(q, u), self.numbers.parameters, v)

    @cached_property
    def _path(self) -> TimePath:
        return TimePath(self.machine, self.numbers.parameters)

    @cached_property
    def _rest(self) -> Matrix:
        """The inputs at the first time."""
        return self._path.at(np.array([self._time_of(self.machine.time.start)])).u[0]

    def _time_of(self, value: object) -> float:
        return evaluate([value], self.numbers.parameters)[0]  # type: ignore[list-item]

    def _inputs(self, values: Mapping[str, float], otherwise: Matrix) -> Matrix:
        u = otherwise.copy()
        names = list(self.machine.drives)
        for name, value in values.items():
            if name not in names:
                raise UsageError(
                    f"the machine has no drive '{name}'",
                    wanted="one of " + listed(names) if names else "none: it has no drives",
                    fix=did_you_mean(name, names, f"[drive.{name}]"),
                )
            if not np.isfinite(value):
                raise UsageError(
                    f"the drive {name} is told no finite value", got=repr(value), wanted="a number"
                )
            u[1 + names.index(name)] = value
        return u

    def _assembled(self, u: Matrix) -> Found:
        """A position that satisfies everything; where there is none, an error that says why."""
        found = self._searched(u)
        if found.converged:
            return found
        passive = np.array(self.system.passive_rows, int)
        loose = self._searched(u, passive) if self.machine.drives else found
        raise no_assembly(self.numbers, loose, u)

    def _searched(self, u: Matrix, rows: Places | None = None) -> Found:
        """A position that satisfies all equations, or some, from the rough places and, failing these, others.

        The best one that was found, right way round if possible: joints whose frames face each other cannot
        be put together otherwise.
        """
        drive_values = dict(zip(self.machine.drives, u[1:].tolist(), strict=True))
        random = np.random.default_rng(1)
        best: Found | None = None
        tries = TRIES if self.system.size <= 40 else TRIES // 2 if self.system.size <= 100 else TRIES // 4
        for trial in range(tries):
            spread = None if trial == 0 else random.uniform(-np.pi, np.pi, len(self.machine.moving))
            guess = first_guess(self.numbers, drive_values, spread, as_drawn=trial < tries // 2)
            if trial > 1:
                guess = guess + random.normal(size=len(guess)) * self.numbers.scale * 0.1 * (trial // 6)
            found = assemble(self.numbers, guess, u, rows)
            if found.converged and self.numbers.is_right_way_round(found.q):
                return found
            if best is None or found.misfit < best.misfit:
                best = found
        assert best is not None
        return best

    def branches(self, values: Mapping[str, float] | None = None) -> Branches:
        """All ways to assemble a machine of the plane at given values of its drives.

        >>> from linkwork.model import load
        >>> [round(each["rocker.angle"], 6) for each in Mechanism(load("four-bar")).branches({"crank": 1})]
        [-2.299671, 1.74567]
        """
        u = self._inputs(values or {}, self._rest)
        return all_branches(self.numbers, u, self._position, self._assembled)

    # ------------------------------------------------------------------------------ mobility

    @cached_property
    def mobility(self) -> Mobility:
        """How the machine can move without its drives."""
        position = self.loosely_assembled
        if self._is_regular:
            return Mobility(len(self.machine.drives), len(self.machine.drives), ())
        return mobility(self.numbers, position.q, position.u)

    @cached_property
    def loosely_assembled(self) -> Position:
        """The machine put together; without its drives where they stand in the way."""
        try:
            return self.assembled
        except (NoAnswer, TooManyDrives):
            u = self._rest
            found = self._searched(u, np.array(self.system.passive_rows, int))
            if not found.converged:
                raise
            return Position(self.system, found.q, u, found.misfit, self.numbers.parameters)

    @cached_property
    def _is_regular(self) -> bool:
        """Whether equations and drives determine a large machine everywhere, told block by block."""
        system = self.system
        if system.size <= LARGE or len(system.phi) != system.size:
            return False
        chain = native_chain(self.numbers, tuple(range(system.size)))
        if chain is None:
            return False
        u, zero = self._rest[None], np.zeros((1, len(system.inputs)))
        reached = chain.sweep(
            np.zeros(1), u, zero, None, self.numbers.constants, self.numbers.scale, self.assembled.q
        )
        return len(reached.q) == 1

    # ---------------------------------------------------------------------------------- move

    @cached_property
    def inverse_dynamics(self) -> InverseDynamics:
        """What forces a motion needs."""
        return InverseDynamics(self.numbers)

    def move(
        self,
        *,
        steps: int | None = None,
        start: float | None = None,
        until: float | None = None,
        through: bool = False,
        position: Position | None = None,
    ) -> Motion:
        """Drive the machine over its time: positions, rates, accelerations and forces.

        It stops at a dead point, or with ``through`` goes on with the drive turning back. ``position`` is
        where it starts, else it is assembled.
        """
        times = self.times(steps, start, until)
        first = self._path.at(times[:1]).u[0]
        if not self.machine.drives:
            raise no_drive(self)
        begin = self._start(first, position, times)
        try:
            rows = self._rows(begin.regular, begin.regular_inputs)
        except TooManyDrives:
            if self.mobility.freedoms:
                raise
            return motion_of(self, locked_at(begin.start.q, float(times[0])), self._path, None)
        follower = Follower(self.numbers, self._path, rows, float(times[1] - times[0]))
        found = follower.follow(times, begin.start, through=through)
        return motion_of(self, found, self._path, follower.native)

    def times(
        self, steps: int | None = None, start: float | None = None, until: float | None = None
    ) -> Matrix:
        """The times of a motion: those asked for, else the machine's, else the drives' own."""
        span = self.machine.time
        first = self._time_of(span.start) if start is None else start
        last = until
        if last is None and span.until is not None:
            last = self._time_of(span.until)
        if last is None:
            durations = [drive.duration() for drive in self.machine.drives.values()]
            known = [self._time_of(each) for each in durations if each is not None]
            last = self._time_of(span.start) + max(known, key=abs) if known else first + 1.0
        count = steps or span.steps or DEFAULT_STEPS
        if not (np.isfinite(first) and np.isfinite(last)) or first == last or count < 1:
            raise UsageError(
                "there is no time to move in",
                got=f"from {first:g} until {last:g} in {count} steps",
                wanted="two different times and at least one step",
                fix="--until 1 --steps 360",
            )
        if count * max(self.system.size, 1) > MOST_COORDINATES:
            raise UsageError(
                "so many positions do not fit into memory",
                got=f"{count} steps of {self.system.size} coordinates",
                wanted=f"at most {MOST_COORDINATES // max(self.system.size, 1)} steps for this machine",
                fix="--steps 3600",
            )
        return np.linspace(first, last, count + 1)

    def _start(self, u: Matrix, position: Position | None, times: Matrix) -> _Begin:
        """The position at the first time; a singular one is approached from beside it."""
        if position is not None:
            q = self.solve(dict(zip(self.machine.drives, u[1:].tolist(), strict=True)), position).q
            return _Begin(Start(q), q, u)
        q = self._reached_or_assembled(u)
        plain = _Begin(Start(q), q, u)
        if self.system.size > LARGE or self._rank(q, u) == self.system.size:
            return plain
        first, later = float(times[0]), float(times[0] + BESIDE * (times[-1] - times[0]))
        beside = self._path.at(np.array([later])).u[0]
        try:
            aside = self._assembled(beside).q
        except NoAnswer:
            return plain
        if self._rank(aside, beside) <= self._rank(q, u):
            return plain
        follower = Follower(self.numbers, self._path, self._rows(aside, beside), later - first)
        followed = follower.follow(np.array([later, first]), Start(aside))
        _, found, rates, _, _ = followed.arrays()
        if len(found) < 2 or self.numbers.misfit(found[-1], u) > ACCEPTED:
            return plain
        return _Begin(Start(found[-1], rates[-1], followed.sides.get(1)), aside, beside)

    def _rank(self, q: Matrix, u: Matrix) -> int:
        values = singular_values(self.numbers.scaled(q, u)[1])
        return int(np.sum(values > NEARLY_SINGULAR * values[0]))

    def _rows(self, q: Matrix, u: Matrix) -> Sequence[int]:
        """Independent equations at a position; too many drives are an error."""
        system = self.system
        if system.size > LARGE and len(system.phi) == system.size:
            return range(system.size)
        rows = independent_rows(self.numbers, q, u).tolist()
        if len(rows) < system.size or len(rows) == len(system.phi):
            freedoms = self.mobility.freedoms if len(rows) < system.size else len(system.drive_rows)
            if len(system.drive_rows) > freedoms:
                raise too_many_drives(self.machine, freedoms)
        return rows

    # --------------------------------------------------------------------------------- sweep

    def _chain_at(self, q: Matrix, u: Matrix) -> NativeChain | None:
        """The native code for sweeps, made for the position at which the first one starts."""
        if self._sweep_chain is None:
            rows = tuple(int(each) for each in self._rows(q, u))
            self._sweep_chain = native_chain(self.numbers, rows) if len(rows) == self.system.size else None
        return self._sweep_chain

    def sweep(self, values: ArrayLike, start: Position | None = None) -> Reached:
        """Coordinates and rates at rows of drive values, in one call of native code.

        ``values`` has a row for each position and a column for each drive (or is flat, for one drive); rates
        are by the first drive's value. No forces, no names: for loops that count nanoseconds.
        """
        rows = np.asarray(values, float).reshape(len(np.asarray(values)), -1)
        if rows.shape[1] != len(self.machine.drives) or not len(rows):
            raise UsageError(
                "a sweep needs a column for each drive",
                got=f"shape {np.shape(values)}",
                wanted=f"rows of {len(self.machine.drives)}: {listed(self.machine.drives)}",
            )
        s = rows[:, 0]
        u = np.column_stack([np.full(len(s), self._rest[0]), rows])
        du = np.ones_like(u)
        du[:, 0] = 0.0
        if rows.shape[1] > 1:
            du[:, 2:] = np.gradient(rows[:, 1:], s, axis=0)
        first = start.q if start is not None else self._assembled(u[0]).q
        chain = self._chain_at(first, u[0])
        if chain is None:
            follower = Follower(self.numbers, RowPath(s, u), self._rows(first, u[0]), float(s[-1] - s[0]))
            _, q, v, _, _ = follower.follow(s, Start(first)).arrays()
            return Reached(q, v, np.zeros((0, self.system.size)))
        return chain.sweep(s, u, du, None, self.numbers.constants, self.numbers.scale, first)


def no_drive(mechanism: Mechanism) -> UsageError:
    """The error for a machine that nothing moves."""
    machine, world = mechanism.machine, mechanism.machine.world()
    joint = next((name for name in machine.joints if world.measured(name)), "")
    shifts = joint and next(iter(world.measured(joint))) not in machine.joints[joint].angles()
    name, last = ("push", f"{short_way(mechanism):g}") if shifts else ("crank", '"360 deg"')
    return UsageError(
        f"the machine {machine.name} has no drive",
        got=f"mobility {mechanism.mobility.freedoms}",
        wanted="a drive for each freedom",
        fix=f'[drive.{name}]\njoint = "{joint or "A"}"\nrange = [0, {last}]',
    )


def short_way(mechanism: Mechanism) -> float:
    """A round length that is short for the machine: a tenth of the size of its solids, or of itself."""
    from linkwork.model.solids import part_solids  # loads all about solids, needed here alone

    boxes = np.array([solid.box for solid in part_solids(mechanism.machine).values()])
    size = float(np.max(np.ptp(boxes, axis=(0, 1)))) if len(boxes) else mechanism.numbers.size
    return float(f"{size / 10:.1g}")
