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

from linkwork.errors import NoAnswer, ToolMissing
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.chain import chain_of
from linkwork.kinematics.mobility import independent_rows
from linkwork.kinematics.native import NativeChain
from linkwork.kinematics.newton import ACCEPTED, LARGE
from linkwork.kinematics.numbers import Numbers, row_lengths, solved_sparsely
from linkwork.kinematics.path import Path
from linkwork.kinematics.system import System

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
NEARLY_SINGULAR = 1e-5
"""The smallest singular value below which rates at a row are taken from both sides of it."""
SINGULAR_OFFSET = 5e-4
CROSSING_OFFSETS = (-6e-3, -4e-3, -2e-3, 2e-3, 4e-3, 6e-3)
MEAN_OF_FOUR = np.array([-1, 4, 4, -1]) / 6
"""The value in the middle of four places at −2, −1, 1, 2."""
MOST_TURNS = 100
"""Dead points after which a machine that swings to and fro is left alone."""
NULL = 1e-6
"""Singular values below this count as zero where a singular position is passed."""
MOST_CURVE_STEPS = 400
"""Steps along the curve before a singular position is given up."""


@dataclass(frozen=True)
class Singular:
    """A singular position: where on the path, of what kind, and how the machine can move with its drives held."""

    kind: str  # "dead point" or "change point"
    s: float
    q: Matrix
    free: Matrix


class Followed:
    """Rows that were reached, and what was met on the way.

    Rates are by time: where the drive runs back (direction −1), time runs on while s falls.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.singular: list[Singular] = []
        self.singular_rows: list[int] = []  # rows at which higher rates cannot be had from the position
        self.stopped = ""  # why, where not all rows were reached
        self._chunks: list[tuple[Matrix, Matrix, Matrix, Matrix]] = []

    def add(self, s: Matrix, q: Matrix, v: Matrix, direction: float, *, is_singular: bool = False) -> None:
        """Enter rows; v is by s."""
        if len(s):
            if is_singular:
                self.singular_rows.append(sum(len(chunk[0]) for chunk in self._chunks))
            self._chunks.append((s, q, v * direction, np.full(len(s), direction)))

    def meet(self, singular: Singular, same: float) -> None:
        """Enter a singular position, once: one that a row falls upon is met before it and behind it."""
        if self.singular and abs(self.singular[-1].s - singular.s) < same:
            self.singular.pop()
        self.singular.append(singular)

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
    is_singular: bool = False

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

    def follow(
        self, s: Matrix, start: Matrix, velocity: Matrix | None = None, *, through: bool = False
    ) -> Followed:
        """Positions at each s in order, from one at the first; ``through`` lets the drive turn at dead points.

        ``velocity`` is dq/ds at the start; it must be given where that is singular.
        """
        found = Followed(len(start))
        q, here, direction = start, float(s[0]), 1.0
        v = self.velocity(q, here) if velocity is None else velocity
        found.add(s[:1], q[None], v[None], direction, is_singular=velocity is not None)
        waiting = s[1:]
        while len(waiting):
            ahead = np.concatenate([[here], waiting])
            rows = self._regular(ahead, q)
            found.add(ahead[1 : 1 + len(rows.q)], rows.q, rows.v, direction)
            waiting = waiting[len(rows.q) :]
            if not len(waiting):
                break
            if len(rows.q):
                q, here, v = rows.q[-1], float(ahead[len(rows.q)]), rows.v[-1]
                if self._chooses_anew(q, here):
                    continue
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
            found.add(waiting[:1], q[None], v[None], direction, is_singular=passed.is_singular)
            waiting = waiting[1:]
        return found

    def _way_back(self, found: Followed, here: float, direction: float, s: Matrix) -> Matrix:
        """The rows of the path that lie behind a dead point, in the order in which they come."""
        behind = s[s < here] if direction * np.sign(s[-1] - s[0]) > 0 else s[s > here]
        if len(found.singular) > MOST_TURNS:
            return s[:0]
        return behind[::-1] if direction > 0 else behind

    # ------------------------------------------------------------------------------- regular

    def _chooses_anew(self, q: Matrix, s: float) -> bool:
        """Whether other equations of an over-constrained machine are better independent here; they are taken."""
        if len(self.numbers.system.phi) == len(self.rows) or len(q) > LARGE:
            return False
        rows = independent_rows(self.numbers, q, self.path.at(np.array([s])).u[0])
        if len(rows) != len(self.rows) or np.array_equal(rows, self.rows):
            return False
        self.rows = rows
        self.__dict__.pop("native", None)
        return True

    def _regular(self, s: Matrix, q: Matrix) -> _Rows:
        """Rows after the first, up to where the machine comes near a singular position."""
        if len(q) <= LARGE and self._is_singular(q, float(s[0])):
            none = np.zeros((0, len(q)))
            return _Rows(none, none)
        return self._sweep(s, q) if self.native is not None else self._walk(s, q)

    def _sweep(self, s: Matrix, q: Matrix) -> _Rows:
        """Rows after the first in native code, as far as it goes."""
        assert self.native is not None
        inputs, numbers = self.path.at(s), self.numbers
        found = self.native.sweep(s, inputs.u, inputs.du, None, numbers.constants, numbers.scale, q)
        return _Rows(found.q[1:], found.v[1:])

    def _walk(self, s: Matrix, q: Matrix) -> _Rows:
        """The same here, by all equations in the sense of least squares and minimum norm."""
        v = self.velocity(q, float(s[0]))
        rows_q: list[Matrix] = []
        rows_v: list[Matrix] = []
        here = float(s[0])
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
                    return _Rows(_stacked(rows_q, len(q)), _stacked(rows_v, len(q)))
            rows_q.append(q)
            rows_v.append(v)
        return _Rows(_stacked(rows_q, len(q)), _stacked(rows_v, len(q)))

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
        return (found, rates) if np.all(defect <= DEFECT * way + SLACK) else None

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
        if len(q) > LARGE and self.is_square:
            return solved_sparsely(matrix[None, self.rows], side[None, self.rows])[0] * self.numbers.scale
        return np.linalg.lstsq(matrix, side, rcond=RANK)[0] * self.numbers.scale

    # ------------------------------------------------------------------------------ singular

    def _pass(self, q: Matrix, s: float, v: Matrix, target: float, found: Followed) -> _Point | None:
        """Along the curve from a row with rates v until s reaches the target, or just behind a dead point."""
        way = float(np.sign(target - s))
        self.scale[-1] = self.step = 1 / max(
            float(np.max(np.abs(v / self.numbers.scale))), 1e-3 / abs(target - s)
        )
        point = self._point(q, s, np.append(v / self.numbers.scale * self.step, 1.0) * way)
        before, step = point, FIRST_CURVE_STEP
        for _ in range(MOST_CURVE_STEPS):
            following, step = self._onwards(point, step)
            if following is None:
                break
            if following.forward * way <= 0:
                dead, _ = self._located(point, step, lambda each: each.forward * way)
                found.singular.append(self._singular("dead point", dead))
                return self._along(dead, min(step, AFTER_A_DEAD_POINT)) or following
            if self._side(following) * self._side(point) < 0:
                crossing = self._crossing(point, step)
                if self._is_singular(crossing.q, crossing.s):
                    found.meet(self._singular("change point", crossing), 1e-6 * self.step)
            if (following.s - target) * way >= 0:
                is_near = abs(point.s - target) < 0.2 * abs(following.s - target)
                return self._at(before if is_near else point, following, target)
            before, point, step = point, following, min(2 * step, LONGEST_CURVE_STEP)
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
                or length > abs(step)
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

    def _located(
        self, point: _Point, step: float, measure: Callable[[_Point], float]
    ) -> tuple[_Point, float]:
        """The point within a step where a quantity changes its sign, and its distance: the Illinois method."""
        low, high = 0.0, step
        following = self._along(point, step)
        assert following is not None
        best, distance = following, step
        low_value, high_value = measure(point), measure(following)
        for _ in range(60):
            middle = low + (high - low) * low_value / (low_value - high_value)
            between = self._along(point, middle) if low < middle < high else None
            if between is None:
                break
            best, distance, value = between, middle, measure(between)
            if abs(value) < 1e-14 or high - low < 1e-15 * step:
                break
            if value > 0:
                low, low_value, high_value = middle, value, high_value / 2
            else:
                high, high_value, low_value = middle, value, low_value / 2
        return best, distance

    def _crossing(self, point: _Point, step: float) -> _Point:
        """Where branches cross within a step.

        Close to it Newton's method cannot tell the branches apart, so a polynomial is laid through the signed
        determinant at points a little away from it, and through s and q at these.
        """
        side = self._side(point)
        near, distance = self._located(point, step, lambda each: self._side(each) * side)
        around = [(distance + offset, self._along(point, distance + offset)) for offset in CROSSING_OFFSETS]
        places = np.array([place for place, each in around if each is not None])
        points = [each for _, each in around if each is not None]
        if len(points) < 3:
            return near
        values = np.array([self._side(each) for each in points])
        basis = np.vander(places - distance, increasing=True)
        roots = np.roots(np.linalg.solve(basis, values)[::-1])
        real = [float(root.real) for root in roots if abs(root.imag) < 1e-9]
        if not real:
            return near
        powers = min(real, key=abs) ** np.arange(len(points))
        q = powers @ np.linalg.solve(basis, np.array([each.q for each in points]))
        s = powers @ np.linalg.solve(basis, np.array([each.s for each in points]))
        return _Point(np.asarray(q, float), float(s), near.tangent)

    def _at(self, before: _Point, after: _Point, s: float) -> _Point:
        """The point at a given s between two points: by the cubic through both, then corrected."""
        exact = self.corrected(self._cubic(before, after, s), s)
        if exact is None or self._is_singular(exact, s):
            return self._between(before, after, s)
        return self._point(exact, s, before.tangent + after.tangent)

    def _cubic(self, before: _Point, after: _Point, s: float) -> Matrix:
        """The position at s on the cubic through two points and their rates."""
        span = after.s - before.s
        share = (s - before.s) / span
        first, last = self._rate(before) * span, self._rate(after) * span
        rise = after.q - before.q
        square, cube = 3 * rise - 2 * first - last, first + last - 2 * rise
        return before.q + share * (first + share * (square + share * cube))

    def _is_singular(self, q: Matrix, s: float) -> bool:
        """Whether rates are badly determined at a position."""
        u = self.path.at(np.array([s])).u[0]
        values = np.linalg.svd(self.numbers.scaled(q, u)[1], compute_uv=False)
        return bool(values[len(self.rows) - 1] < NEARLY_SINGULAR * values[0])

    def _between(self, before: _Point, after: _Point, s: float) -> _Point:
        """A singular position and its rates as the mean of regular ones on both sides, of fourth order in δ."""
        delta = SINGULAR_OFFSET * self.step
        places = [s + offset * delta for offset in (-2, -1, 1, 2)]
        found = [self.corrected(self._cubic(before, after, place), place) for place in places]
        sides = [each for each in found if each is not None]
        if len(sides) < len(places):
            return self._point(self._cubic(before, after, s), s, before.tangent + after.tangent)
        rates = [self.velocity(side, place) for side, place in zip(sides, places, strict=True)]
        mean, rate = MEAN_OF_FOUR @ np.array(sides), MEAN_OF_FOUR @ np.array(rates)
        tangent = np.append(rate / self.numbers.scale * self.step, 1.0) * np.sign(after.s - before.s)
        return _Point(mean, s, tangent / np.linalg.norm(tangent), is_singular=True)

    def _rate(self, point: _Point) -> Matrix:
        """dq/ds along the curve."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return point.tangent[:-1] * self.numbers.scale / (point.forward * self.step)

    def _singular(self, kind: str, point: _Point) -> Singular:
        """A singular position, with the right null vector of Φ_q."""
        u = self.path.at(np.array([point.s])).u[0]
        vectors = np.linalg.svd(self.numbers.scaled(point.q, u)[1])[2]
        return Singular(kind, point.s, point.q, vectors[-1] * self.numbers.scale)


@dataclass(frozen=True)
class _Rows:
    """Rows of positions and rates by s."""

    q: Matrix
    v: Matrix


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
