"""Following a machine along a path of its drives, on one branch.

Regular stretches run in native code; without a compiler, or where a machine is under-constrained, steps are
taken here. Where neither gets on, the curve of positions itself is followed to the next row, or to a dead
point, where the drive turns back if it may.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.errors import NoAnswer, ToolMissing
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.chain import chain_of
from linkwork.kinematics.curve import Curve, Sides, Singular
from linkwork.kinematics.local import Local
from linkwork.kinematics.mobility import independent_rows
from linkwork.kinematics.native import NativeChain
from linkwork.kinematics.newton import ACCEPTED, LARGE
from linkwork.kinematics.numbers import Numbers
from linkwork.kinematics.path import Path

DEFECT = 0.1
SLACK = 1e-6
"""As in the native sweep: how far positions and rates may disagree."""
SMALLEST_STEP = 1e-10
"""Share of a row's step, in s, below which the machine counts as stuck."""
MOST_ATTEMPTS = 2000
"""Steps tried for one row before it is given up."""
MOST_TURNS = 100
"""Dead points after which a machine that swings to and fro is left alone."""


class Followed:
    """Rows that were reached, and what was met on the way.

    Time runs on where the drive runs back: at each row it is ``offset + direction·s``, and rates are by time.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.direction, self.offset = 1.0, 0.0
        self.singular: list[tuple[float, Singular]] = []  # with the time at which each was met
        self.sides: dict[int, Sides] = {}  # of rows at which higher rates cannot be had from the position
        self.stopped = ""  # why, where not all rows were reached
        self._chunks: list[tuple[Matrix, Matrix, Matrix, Matrix, Matrix]] = []
        self._count = 0

    def add(self, s: Matrix, q: Matrix, v: Matrix, sides: Sides | None = None) -> None:
        """Enter rows; v is by s."""
        if len(s):
            if sides is not None:
                self.sides[self._count] = sides
            direction = np.full(len(s), self.direction)
            self._chunks.append((s, q, v * self.direction, direction, self.offset + self.direction * s))
            self._count += len(s)

    def turn(self, s: float) -> None:
        """The drive turns back at s."""
        self.offset += 2 * self.direction * s
        self.direction = -self.direction

    def meet(self, singular: Sequence[Singular], same: float) -> None:
        """Enter singular positions, each once: one that a row falls upon is met before it and behind it."""
        for each in singular:
            time = self.offset + self.direction * each.s
            if self.singular and abs(self.singular[-1][0] - time) < same:
                self.singular.pop()
            self.singular.append((time, each))

    def arrays(self) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
        """s, q, v, direction and time of all rows."""
        if not self._chunks:
            none, empty = np.zeros(0), np.zeros((0, self.size))
            return none, empty, empty, none, none
        s, q, v, direction, time = (np.concatenate(each) for each in zip(*self._chunks, strict=True))
        return s, q, v, direction, time


@dataclass(frozen=True)
class Start:
    """Where a motion starts; a singular start brings its rates by s and its regular sides along."""

    q: Matrix
    v: Matrix | None = None
    sides: Sides | None = None


@dataclass(frozen=True)
class _Rows:
    """Rows of positions and rates by s."""

    q: Matrix
    v: Matrix


class Follower:
    """Follows one machine along one path. ``rows`` are independent equations, ``step`` the distance of rows in s."""

    def __init__(self, numbers: Numbers, path: Path, rows: Sequence[int], step: float) -> None:
        self.local = Local(numbers, path, rows)
        self.curve = Curve(self.local)
        self.numbers = numbers
        self.step = abs(step) or 1.0
        self._chosen_at: float | None = None

    @property
    def native(self) -> NativeChain | None:
        """The compiled chain; None where the equations do not determine all or nothing can be compiled."""
        return native_chain(self.numbers, tuple(self.local.rows.tolist())) if self.local.is_square else None

    def follow(self, s: Matrix, start: Start, *, through: bool = False) -> Followed:
        """Positions at each s in order, from one at the first; ``through`` lets the drive turn at dead points."""
        found = Followed(len(start.q))
        q, here = start.q, float(s[0])
        v = self.local.velocity(q, here) if start.v is None else start.v
        found.add(s[:1], q[None], v[None], start.sides)
        waiting = s[1:]
        while len(waiting):
            ahead = np.concatenate([[here], waiting])
            rows = self._regular(ahead, q)
            found.add(ahead[1 : 1 + len(rows.q)], rows.q, rows.v)
            waiting = waiting[len(rows.q) :]
            if not len(waiting):
                break
            if len(rows.q):
                q, here, v = rows.q[-1], float(ahead[len(rows.q)]), rows.v[-1]
            if self._chooses_anew(q, here):
                continue
            passed = self.curve.passed(q, here, v, float(waiting[0]))
            found.meet(passed.singular, 1e-6 * self.step)
            if passed.point is None:
                found.stopped = "stuck"
                break
            q, here, v = passed.point.q, passed.point.s, self.curve.rate(passed.point)
            if passed.turned_at is None:
                found.add(waiting[:1], q[None], v[None], passed.point.sides)
                waiting = waiting[1:]
            elif through and len(found.singular) <= MOST_TURNS:
                waiting = _way_back(s, here, found.direction)
                found.turn(passed.turned_at)
            else:
                found.stopped = "dead point"
                break
        return found

    # ------------------------------------------------------------------------------- regular

    def _chooses_anew(self, q: Matrix, s: float) -> bool:
        """Whether other equations of an over-constrained machine are better independent here; they are taken."""
        if not self.local.is_redundant or len(q) > LARGE or self._chosen_at == s:
            return False
        self._chosen_at = s
        rows = independent_rows(self.numbers, q, self.local.inputs(s).u)
        if len(rows) != len(self.local.rows) or np.array_equal(rows, self.local.rows):
            return False
        self.local.rows = rows
        return True

    def _regular(self, s: Matrix, q: Matrix) -> _Rows:
        """Rows after the first, up to where the machine comes near a singular position."""
        if self.local.is_singular(q, float(s[0])):
            none = np.zeros((0, len(q)))
            return _Rows(none, none)
        return self._walk(s, q) if self.native is None else self._sweep(self.native, s, q)

    def _sweep(self, native: NativeChain, s: Matrix, q: Matrix) -> _Rows:
        """Rows after the first in native code, as far as it goes and all equations hold."""
        inputs, numbers = self.local.path.at(s), self.numbers
        found = native.sweep(s, inputs.u, inputs.du, None, numbers.constants, numbers.scale, q)
        rows_q, rows_v = found.q[1:], found.v[1:]
        if self.local.is_redundant and len(rows_q):
            wrong = numbers.misfits(rows_q, inputs.u[1 : 1 + len(rows_q)]) > ACCEPTED
            count = int(np.argmax(wrong)) if wrong.any() else len(rows_q)
            rows_q, rows_v = rows_q[:count], rows_v[:count]
        return _Rows(rows_q, rows_v)

    def _walk(self, s: Matrix, q: Matrix) -> _Rows:
        """The same here, by all equations in the sense of least squares and minimum norm."""
        v = self.local.velocity(q, float(s[0]))
        rows_q: list[Matrix] = []
        rows_v: list[Matrix] = []
        here = float(s[0])
        for target in s[1:].tolist():
            part = target - here
            for _ in range(MOST_ATTEMPTS):
                if here == target:
                    break
                goal = target if abs(target - here) <= abs(part) * (1 + 1e-9) else here + part
                reached = self._stepped(q, v, here, goal)
                if reached is not None:
                    q, v, here = *reached, goal
                    part *= 2
                    continue
                part /= 2
                if abs(part) < SMALLEST_STEP * self.step:
                    break
            if here != target:
                break
            rows_q.append(q)
            rows_v.append(v)
        return _Rows(_stacked(rows_q, len(q)), _stacked(rows_v, len(q)))

    def _stepped(self, q: Matrix, v: Matrix, here: float, goal: float) -> tuple[Matrix, Matrix] | None:
        """The position at ``goal`` and its rates, if it lies on the same branch beyond doubt."""
        h = goal - here
        found = self.local.corrected(q + h * v, goal)
        if found is None:
            return None
        rates = self.local.velocity(found, goal)
        scale = self.numbers.scale
        defect = np.abs(found - q - h * (v + rates) / 2) / scale
        way = abs(h) * (np.abs(v) + np.abs(rates)) / 2 / scale
        return (found, rates) if np.all(defect <= DEFECT * way + SLACK) else None


def locked_at(q: Matrix, s: float) -> Followed:
    """A machine that cannot move stays where it is."""
    found = Followed(len(q))
    found.add(np.array([s]), q[None], np.zeros((1, len(q))))
    found.stopped = "locked"
    return found


def _way_back(s: Matrix, here: float, direction: float) -> Matrix:
    """The rows of a path that lie behind a dead point, in the order in which they come."""
    behind = s[s < here] if direction * np.sign(s[-1] - s[0]) > 0 else s[s > here]
    return behind[::-1] if direction > 0 else behind


def _stacked(rows: list[Matrix], size: int) -> Matrix:
    return np.array(rows) if rows else np.zeros((0, size))


def native_chain(numbers: Numbers, rows: tuple[int, ...]) -> NativeChain | None:
    """The compiled chain of these equations of a system, made once."""
    if rows not in numbers.chains:
        try:
            numbers.chains[rows] = NativeChain(numbers.system, chain_of(numbers.system, rows))
        except (ToolMissing, NoAnswer):
            numbers.chains[rows] = None
    return numbers.chains[rows]
