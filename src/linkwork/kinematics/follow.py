"""Following a machine along a path of its drives, on one branch, through and up to singular positions.

Regular stretches run in native code. Where that stops, or where the machine is over- or under-constrained,
steps are taken here, along the curve of positions itself: with the path's parameter s as one more unknown,
the curve (q(s), s) is smooth also where it turns back. Its tangent spans the null space of the scaled matrix
[Φ_q S | Φ_u u'τ]; where that space is larger (a change point, where two curves meet), the tangent that
continues the last one is taken. A step is predicted along the tangent and corrected by Newton's method with
the shortest correction (Allgower & Georg 1990, chapter 6).

    dead point     the tangent's s-component changes its sign: the drive can go no further
    change point   the determinant of Φ_q changes its sign, the s-component does not: branches cross
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import NoAnswer, ToolMissing
from linkwork.kinematics.chain import chain_of
from linkwork.kinematics.native import NativeChain
from linkwork.kinematics.newton import ACCEPTED
from linkwork.kinematics.numbers import Numbers, row_lengths
from linkwork.kinematics.path import Path
from linkwork.kinematics.system import System

Matrix = NDArray[np.float64]

CONTRACTION = 0.3
DEFECT = 0.1
SLACK = 1e-6
"""As in the native sweep: how well Newton must contract, and how far positions and rates may disagree."""
SMALLEST_STEP = 1e-10
"""Share of a row's step, in s, below which the machine counts as stuck."""
RANK = 1e-9
"""Singular values below this count as zero where a machine is over- or under-constrained."""
ROUNDING = 1e-12
"""A correction, in units of the scale, below which nothing is gained any more."""
MOST_CORRECTIONS = 12
STRAIGHT = 0.97
"""The least cosine between the tangents at both ends of a step along the curve."""
FIRST_CURVE_STEP = 0.01
LONGEST_CURVE_STEP = 0.1
AFTER_A_DEAD_POINT = 1e-3
"""Steps along the curve, in units of the scale."""
MOST_TURNS = 100
"""Dead points after which a machine that swings to and fro is left alone."""
NULL = 1e-6
"""Singular values below this count as zero where a singular position is passed."""
MOST_CURVE_STEPS = 4000
"""Steps along the curve before a singular position is given up."""


@dataclass(frozen=True)
class Singular:
    """A singular position: where on the path, of what kind, and which equations it concerns."""

    kind: str  # "dead point" or "change point"
    s: float
    q: Matrix
    rows: tuple[int, ...]


class Followed:
    """Rows that were reached, and what was met on the way.

    Rates are by time: where the drive runs back (direction −1), time runs on while s falls.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.singular: list[Singular] = []
        self.stopped = ""  # why, where not all rows were reached
        self._chunks: list[tuple[Matrix, Matrix, Matrix, Matrix]] = []

    def add(self, s: Matrix, q: Matrix, v: Matrix, direction: float) -> None:
        """Enter rows; v is by s."""
        if len(s):
            self._chunks.append((s, q, v * direction, np.full(len(s), direction)))

    def arrays(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """s, q, v and direction of all rows."""
        if not self._chunks:
            return np.zeros(0), np.zeros((0, self.size)), np.zeros((0, self.size)), np.zeros(0)
        s, q, v, direction = (np.concatenate(each) for each in zip(*self._chunks, strict=True))
        return s, q, v, direction


@dataclass(frozen=True)
class _Point:
    """A point of the curve: position, parameter, and the unit tangent (scaled, s last)."""

    q: Matrix
    s: float
    tangent: Matrix

    @property
    def forward(self) -> float:
        """The tangent's s-component."""
        return float(self.tangent[-1])


class Follower:
    """Follows one machine along one path.

    ``rows`` are independent equations. Where they are as many as the unknowns, native code solves them; the
    others are watched. ``step`` is the usual distance of rows in s.
    """

    def __init__(self, numbers: Numbers, path: Path, rows: Sequence[int], step: float) -> None:
        self.numbers = numbers
        self.path = path
        self.rows = np.array(rows)
        self.is_square = len(rows) == numbers.system.size
        self.step = abs(step) or 1.0
        self.scale = np.append(numbers.scale, self.step)

    @cached_property
    def native(self) -> NativeChain | None:
        """The compiled chain; None where the equations do not determine all or nothing can be compiled."""
        return native_chain(self.numbers, tuple(self.rows.tolist())) if self.is_square else None

    def follow(self, s: Matrix, start: Matrix, *, through: bool = False) -> Followed:
        """Positions at each s in order, from one at the first; ``through`` lets the drive turn at dead points."""
        found = Followed(len(start))
        q, here, direction = start, float(s[0]), 1.0
        v = self.velocity(q, here)
        found.add(s[:1], q[None], v[None], direction)
        waiting = s[1:]
        while len(waiting):
            ahead = np.concatenate([[here], waiting])
            rows = self._sweep(ahead, q) if self.native is not None else self._walk(ahead, q)
            found.add(ahead[1 : 1 + len(rows.q)], rows.q, rows.v, direction)
            waiting = waiting[len(rows.q) :]
            if not len(waiting):
                break
            if len(rows.q):
                q, here, v = rows.q[-1], float(ahead[len(rows.q)]), rows.v[-1]
            passed = self._pass(q, here, v, float(waiting[0]), found)
            if passed is None:
                break
            if passed.forward * (waiting[0] - here) < 0:  # turned back
                if not through:
                    found.stopped = "dead point"
                    break
                found.stopped = ""
                waiting = self._way_back(found, passed.s, direction, s)
                q, here, v, direction = passed.q, passed.s, self._rate(passed), -direction
                continue
            q, here, v = passed.q, passed.s, self._rate(passed)
            found.add(waiting[:1], q[None], v[None], direction)
            waiting = waiting[1:]
        return found

    def _way_back(self, found: Followed, here: float, direction: float, s: Matrix) -> Matrix:
        """The rows of the path that lie behind a dead point, in the order in which they come."""
        behind = s[s < here] if direction * np.sign(s[-1] - s[0]) > 0 else s[s > here]
        if len(found.singular) > MOST_TURNS:
            return s[:0]
        return behind[::-1] if direction > 0 else behind

    # ------------------------------------------------------------------------------- regular

    def _sweep(self, s: Matrix, q: Matrix) -> _Rows:
        """Rows after the first in native code, as far as it goes."""
        assert self.native is not None
        inputs, numbers = self.path.at(s), self.numbers
        found = self.native.sweep(s, inputs.u, inputs.du, None, numbers.constants, numbers.scale, q)
        if len(found.q) == 0:
            return _Rows(found.q, found.v, q, float(s[0]))
        complete = len(found.q) == len(s)
        last_q, last_s = (found.q[-1], float(s[-1])) if complete else (found.last_q, found.time)
        return _Rows(found.q[1:], found.v[1:], last_q, last_s)

    def _walk(self, s: Matrix, q: Matrix) -> _Rows:
        """The same here, by all equations in the sense of least squares and minimum norm."""
        v = self.velocity(q, float(s[0]))
        here, rows_q, rows_v = float(s[0]), [], []
        for target in s[1:].tolist():
            part = target - here
            while here != target:
                goal = target if abs(target - here) <= abs(part) * (1 + 1e-9) else here + part
                reached = self._stepped(q, v, here, goal)
                if reached is not None:
                    q, v, here = *reached, goal
                    part *= 2
                    continue
                part /= 2
                if abs(part) < SMALLEST_STEP * self.step:
                    return _Rows(_stacked(rows_q, len(q)), _stacked(rows_v, len(q)), q, here)
            rows_q.append(q)
            rows_v.append(v)
        return _Rows(_stacked(rows_q, len(q)), _stacked(rows_v, len(q)), q, here)

    def _stepped(self, q: Matrix, v: Matrix, here: float, goal: float) -> tuple[Matrix, Matrix] | None:
        """The position at ``goal`` and its rates, if it lies on the same branch beyond doubt."""
        h = goal - here
        found = self.corrected(q + h * v, goal)
        if found is None:
            return None
        rates = self.velocity(found, goal)
        scale = self.numbers.scale
        defect = np.abs(found - q - h * (v + rates) / 2) / scale
        way = abs(h) * (np.abs(v) + np.abs(rates)) / 2 / scale
        return (found, rates) if np.max(defect) <= DEFECT * np.max(way) + SLACK else None

    def corrected(self, q: Matrix, s: float) -> Matrix | None:
        """The position nearest to a predicted one, at a fixed s; None where Newton's method hesitates."""
        u = self.path.at(np.array([s])).u[0]
        last = np.inf
        for _ in range(MOST_CORRECTIONS):
            residual, matrix, _ = self.numbers.scaled(q, u)
            step = np.linalg.lstsq(matrix, -residual, rcond=RANK)[0]
            length = float(np.max(np.abs(step)))
            if not np.isfinite(length) or (length > CONTRACTION * last and length > ROUNDING):
                return None
            q = q + step * self.numbers.scale
            if length <= ROUNDING or length > CONTRACTION * last:
                break
            last = length
        return q if self.numbers.misfit(q, u) <= ACCEPTED else None

    def velocity(self, q: Matrix, s: float) -> Matrix:
        """dq/ds, the shortest where it is not determined."""
        inputs = self.path.at(np.array([s])).row(0)
        _, matrix, lengths = self.numbers.scaled(q, inputs.u)
        side = self.numbers.drift(1, q, inputs.u, inputs.du) / lengths
        return np.linalg.lstsq(matrix, side, rcond=RANK)[0] * self.numbers.scale  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------ singular

    def _pass(self, q: Matrix, s: float, v: Matrix, target: float, found: Followed) -> _Point | None:
        """Along the curve from a row with rates v until s reaches the target, or just behind a dead point."""
        way = float(np.sign(target - s))
        self.scale[-1] = self.step = 1 / max(
            float(np.max(np.abs(v / self.numbers.scale))), 1e-3 / abs(target - s)
        )
        point = self._point(q, s, np.append(v / self.numbers.scale * self.step, 1.0) * way)
        step = FIRST_CURVE_STEP
        for _ in range(MOST_CURVE_STEPS):
            following, step = self._onwards(point, step)
            if following is None:
                break
            if following.forward * way <= 0:
                dead = self._located(point, step, lambda each: each.forward * way)
                found.singular.append(self._singular("dead point", dead))
                return self._along(dead, min(step, AFTER_A_DEAD_POINT)) or following
            side = self._side(point)
            if self._side(following) * side < 0:
                change = self._located(point, step, lambda each, side=side: self._side(each) * side)  # type: ignore[misc]
                found.singular.append(self._singular("change point", change))
            if (following.s - target) * way >= 0:
                return self._at(point, following, target)
            point, step = following, min(2 * step, LONGEST_CURVE_STEP)
        found.stopped = "stuck"
        return None

    def _onwards(self, point: _Point, step: float) -> tuple[_Point | None, float]:
        """A step along the curve: of this length if it can be taken, else a longer or a shorter one.

        Right before a crossing of branches only a longer step leads over it; before a sharp bend only a
        shorter one goes round it.
        """
        for factor in (1, 2, 4, 0.5, 0.25, 8, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5):
            following = self._along(point, step * factor)
            if following is not None:
                return following, step * factor
        return None, step

    def _matrix(self, q: Matrix, s: float) -> tuple[Matrix, Matrix]:
        """The scaled residual and the matrix [Φ_q S | Φ_u u'τ]."""
        inputs = self.path.at(np.array([s])).row(0)
        phi, jacobian = self.numbers.linearised(q, inputs.u)
        moved = -self.numbers.drift(1, q, inputs.u, inputs.du)
        matrix = np.column_stack([jacobian, moved]) * self.scale
        lengths = row_lengths(matrix)
        return phi / lengths, matrix / lengths[:, None]

    def _point(self, q: Matrix, s: float, before: Matrix) -> _Point:
        """A point with the tangent that continues ``before``."""
        _, matrix = self._matrix(q, s)
        _, values, vectors = np.linalg.svd(matrix)
        size = len(values) if len(values) < matrix.shape[1] else matrix.shape[1] - 1
        null = vectors[np.append(values[:size] < NULL * values[0], np.ones(len(vectors) - size, bool))]
        tangent = null.T @ (null @ before)
        length = float(np.linalg.norm(tangent))
        if length < 1e-12:
            tangent, length = vectors[-1], 1.0
        return _Point(q, s, tangent / length)

    def _along(self, point: _Point, step: float) -> _Point | None:
        """The next point of the curve at about this distance; None where that is too far."""
        q, s = (
            point.q + step * point.tangent[:-1] * self.numbers.scale,
            point.s + step * point.forward * self.step,
        )
        last = np.inf
        for _ in range(MOST_CORRECTIONS):
            residual, matrix = self._matrix(q, s)
            move = np.linalg.lstsq(matrix, -residual, rcond=NULL)[0]
            length = float(np.linalg.norm(move))
            if (
                not np.isfinite(length)
                or length > step
                or (length > CONTRACTION * last and length > ROUNDING)
            ):
                return None
            q, s = q + move[:-1] * self.numbers.scale, s + float(move[-1]) * self.step
            if length <= ROUNDING or length > CONTRACTION * last:
                break
            last = length
        following = self._point(q, s, point.tangent)
        if (
            following.tangent @ point.tangent < STRAIGHT
            or np.max(np.abs(self._matrix(q, s)[0])) > 10 * ACCEPTED
        ):
            return None
        return following

    def _side(self, point: _Point) -> float:
        """The smallest singular value of the square system with the sign of its determinant."""
        if not self.is_square:
            return 1.0
        u = self.path.at(np.array([point.s])).u[0]
        matrix = self.numbers.linearised(point.q, u)[1][self.rows] * self.numbers.scale
        matrix = matrix / row_lengths(matrix)[:, None]
        return float(np.linalg.slogdet(matrix)[0] * np.linalg.svd(matrix, compute_uv=False)[-1])

    def _located(self, point: _Point, step: float, measure: Callable[[_Point], float]) -> _Point:
        """The point within a step where a quantity changes its sign, by the Illinois method."""
        low, high = 0.0, step
        following = self._along(point, step)
        assert following is not None
        best, low_value, high_value = following, measure(point), measure(following)
        for _ in range(60):
            middle = low + (high - low) * low_value / (low_value - high_value)
            if not low < middle < high:
                break
            between = self._along(point, middle)
            if between is None:  # too near to a crossing of branches for Newton's method
                return self._astride(point, middle, high - low, measure) or best
            best, value = between, measure(between)
            if abs(value) < 1e-14 or high - low < 1e-15 * step:
                break
            if value > 0:
                low, low_value, high_value = middle, value, high_value / 2
            else:
                high, high_value, low_value = middle, value, low_value / 2
        return best

    def _astride(
        self, point: _Point, middle: float, width: float, measure: Callable[[_Point], float]
    ) -> _Point | None:
        """Where a quantity is zero, by a straight line between points a little before and a little behind."""
        for offset in width * np.logspace(-7, -1, 7):
            before, after = self._along(point, middle - offset), self._along(point, middle + offset)
            if before is not None and after is not None and measure(before) * measure(after) < 0:
                share = measure(before) / (measure(before) - measure(after))
                q = before.q + share * (after.q - before.q)
                return _Point(q, before.s + share * (after.s - before.s), before.tangent)
        return None

    def _at(self, before: _Point, after: _Point, s: float) -> _Point:
        """The point at a given s between two points: by the cubic through both, then corrected."""
        share = (s - before.s) / (after.s - before.s)
        span = after.s - before.s
        first, last = self._rate(before) * span, self._rate(after) * span
        rise = after.q - before.q
        cubic = first + last - 2 * rise
        square = 3 * rise - 2 * first - last
        q = before.q + share * (first + share * (square + share * cubic))
        exact = self.corrected(q, s)
        return self._point(q if exact is None else exact, s, before.tangent + after.tangent)

    def _rate(self, point: _Point) -> Matrix:
        """dq/ds along the curve."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return point.tangent[:-1] * self.numbers.scale / (point.forward * self.step)  # type: ignore[no-any-return]

    def _singular(self, kind: str, point: _Point) -> Singular:
        """Which equations carry a force that nothing can balance: the left null vector of Φ_q."""
        u = self.path.at(np.array([point.s])).u[0]
        matrix = self.numbers.scaled(point.q, u)[1]
        rows = self.rows if self.is_square else np.arange(len(matrix))
        vectors, values, _ = np.linalg.svd(matrix[rows])
        null = np.abs(vectors[:, -1 if len(values) == len(rows) else len(values) - 1])
        return Singular(kind, point.s, point.q, tuple(rows[null > 1e-3 * null.max()].tolist()))


@dataclass(frozen=True)
class _Rows:
    """Rows of positions and rates by s, and the last point reached, which may lie between rows."""

    q: Matrix
    v: Matrix
    last_q: Matrix
    last_s: float


def _stacked(rows: list[Matrix], size: int) -> Matrix:
    return np.array(rows) if rows else np.zeros((0, size))


@lru_cache(maxsize=32)
def _chain(system: System, rows: tuple[int, ...]) -> NativeChain | None:
    try:
        return NativeChain(system, chain_of(system, rows))
    except (ToolMissing, NoAnswer):
        return None


def native_chain(numbers: Numbers, rows: tuple[int, ...]) -> NativeChain | None:
    """The compiled chain of these equations of a system, made once."""
    return _chain(numbers.system, rows)
