"""The curve of positions: along it through places where the drives cannot lead.

With the path's parameter s as one more unknown, the curve (q(s), s) is smooth also where it turns back. Its
tangent spans the null space of the scaled matrix [Φ_q S | Φ_u u'τ]; where that space is larger (a change point,
where two curves cross), the tangent that continues the last one is taken. A step is predicted along the tangent
and corrected by Newton's method with the shortest correction (Allgower & Georg 1990, chapter 6).

    dead point     the tangent's s-component changes its sign: the drive can go no further
    change point   the determinant of Φ_q changes its sign, the s-component does not: branches cross

Where branches only come near each other, a step could leap from one to the other. The determinant changes its
sign then, too, but the saddle between them is not at height zero: such a step is taken again, shorter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.local import CONTRACTION, MOST_CORRECTIONS, ROUNDING, Local
from linkwork.kinematics.newton import ACCEPTED
from linkwork.kinematics.numbers import decomposed, least_squares, row_lengths, singular_values
from linkwork.kinematics.saddle import Linearised, fold, saddle

TOUCHING = 3e-9
"""The smallest singular value of the matrix below which its rank counts as lost."""
STRAIGHT = 0.97
"""The least cosine between the tangents at both ends of a step along the curve."""
FIRST_STEP = 0.01
LONGEST_STEP = 0.1
SHORTEST_LEAP = 1e-8
AFTER_A_DEAD_POINT = 1e-3
"""Steps along the curve, in units of the scale."""
MOST_STEPS = 400
"""Steps along the curve before a place is given up."""
SINGULAR_OFFSETS = (-3, -2, -1, 1, 2, 3)
SINGULAR_OFFSET = 4e-3
"""How far from a singular row the regular ones are from which its rates are taken."""
MEAN_OF_SIX = np.array([1, -6, 15, 15, -6, 1]) / 20
"""The value in the middle of six places at −3 to 3, of sixth order."""


@dataclass(frozen=True)
class Singular:
    """A singular position: where on the path, of what kind, and how the machine can move with its drives held."""

    kind: str  # "dead point" or "change point"
    s: float
    q: Matrix
    free: Matrix


@dataclass(frozen=True)
class Sides:
    """Regular positions on both sides of a singular row, at even offsets; v is by s."""

    s: Matrix
    q: Matrix
    v: Matrix


@dataclass(frozen=True)
class CurvePoint:
    """A point of the curve: position, parameter, and the unit tangent (scaled, s last)."""

    q: Matrix
    s: float
    tangent: Matrix
    sides: Sides | None = None

    @property
    def forward(self) -> float:
        """The tangent's s-component."""
        return float(self.tangent[-1])


@dataclass(frozen=True)
class Passed:
    """Where a passage along the curve ended, and what it met; no point where it got stuck."""

    point: CurvePoint | None
    singular: tuple[Singular, ...]
    turned_at: float | None = None


class Curve:
    """The curve of positions of one machine on one path."""

    def __init__(self, local: Local) -> None:
        self.local = local
        self.numbers = local.numbers
        self.unit = 1.0  # of s
        self.scale = np.append(self.numbers.scale, 1.0)

    def passed(self, q: Matrix, s: float, v: Matrix, target: float) -> Passed:
        """Along the curve from a row with rates v until s reaches the target, or just behind a dead point."""
        if not np.isfinite(v).all() or not np.isfinite(self.local.inputs(target).du).all():
            return Passed(None, ())
        way = float(np.sign(target - s))
        fastest = float(np.max(np.abs(v / self.numbers.scale), initial=0.0))
        self.scale[-1] = self.unit = 1 / max(fastest, 1e-3 / abs(target - s))
        point = self._point(q, s, np.append(v / self.numbers.scale * self.unit, 1.0) * way)
        before, step, longer = point, FIRST_STEP, True
        met: list[Singular] = []
        for _ in range(MOST_STEPS):
            following, step = self._onwards(point, step, longer)
            if following is None:
                break
            if following.forward * way <= 0:
                dead = self._dead(point, step)
                met.append(self._singular("dead point", dead))
                behind = self._along(dead, min(step, AFTER_A_DEAD_POINT)) or following
                return Passed(behind, tuple(met), dead.s)
            if self._side(following) * self._side(point) < 0:
                crossing = self._crossing(point, step)
                if crossing is None and step > SHORTEST_LEAP:
                    step, longer = step / 4, False  # a leap over the gap between two branches
                    continue
                met.append(self._singular("change point", crossing or following))
            if (following.s - target) * way >= 0:
                is_near = abs(point.s - target) < 0.2 * abs(following.s - target)
                return Passed(self._at(before if is_near else point, following, target), tuple(met))
            before, point, step, longer = point, following, min(2 * step, LONGEST_STEP), True
        return Passed(None, tuple(met))

    def rate(self, point: CurvePoint) -> Matrix:
        """dq/ds along the curve."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return point.tangent[:-1] * self.numbers.scale / (point.forward * self.unit)

    # --------------------------------------------------------------------------------- steps

    def _onwards(self, point: CurvePoint, step: float, longer: bool) -> tuple[CurvePoint | None, float]:
        """A step along the curve: of this length if it can be taken, else a longer or a shorter one.

        Right before a crossing of branches only a longer step leads over it; before a sharp bend only a
        shorter one goes round it.
        """
        for factor in (1, 2, 4, 0.5, 0.25, 8, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5):
            following = self._along(point, step * factor) if longer or factor <= 1 else None
            if following is not None:
                return following, step * factor
        return None, step

    def _linearised(self, q: Matrix, s: float) -> tuple[Matrix, Matrix]:
        """The residual and the matrix [Φ_q S | Φ_u u'τ]."""
        inputs = self.local.inputs(s)
        phi, jacobian = self.numbers.linearised(q, inputs.u)
        moved = -self.numbers.drift(1, q, inputs.u, inputs.du)
        return phi, np.column_stack([jacobian, moved]) * self.scale

    def _matrix(self, q: Matrix, s: float) -> tuple[Matrix, Matrix]:
        """The same with rows of length one."""
        phi, matrix = self._linearised(q, s)
        lengths = row_lengths(matrix)
        return phi / lengths, matrix / lengths[:, None]

    def _point(self, q: Matrix, s: float, before: Matrix) -> CurvePoint:
        """A point with the tangent that continues ``before``."""
        _, matrix = self._matrix(q, s)
        _, values, vectors = decomposed(matrix)
        size = min(len(values), matrix.shape[1] - 1)
        null = vectors[np.append(values[:size] < TOUCHING * values[0], np.ones(len(vectors) - size, bool))]
        tangent = null.T @ (null @ before)
        length = float(np.linalg.norm(tangent))
        if length < 1e-12:
            tangent, length = vectors[-1], 1.0
        return CurvePoint(q, s, tangent / length)

    def _along(self, point: CurvePoint, step: float) -> CurvePoint | None:
        """The next point of the curve at about this distance; None where that is too far."""
        q = point.q + step * point.tangent[:-1] * self.numbers.scale
        s = point.s + step * point.forward * self.unit
        last = np.inf
        for _ in range(MOST_CORRECTIONS):
            residual, matrix = self._matrix(q, s)
            move = least_squares(matrix, -residual, TOUCHING)
            length = float(np.linalg.norm(move))
            contracts = length <= CONTRACTION * last
            if not np.isfinite(length) or length > abs(step) or (not contracts and length > ROUNDING):
                return None
            q, s = q + move[:-1] * self.numbers.scale, s + float(move[-1]) * self.unit
            if length <= ROUNDING or not contracts:
                break
            last = length
        following = self._point(q, s, point.tangent)
        is_straight = following.tangent @ point.tangent >= STRAIGHT
        fits = np.max(np.abs(self._matrix(q, s)[0])) <= 10 * ACCEPTED
        return following if is_straight and fits else None

    # ------------------------------------------------------------------------ what is met

    def _side(self, point: CurvePoint) -> float:
        """The smallest singular value of the square system with the sign of its determinant.

        In an over-constrained machine it would be that of a choice of equations, and says nothing.
        """
        if not self.local.is_determined:
            return 1.0
        matrix = self.numbers.linearised(point.q, self.local.inputs(point.s).u)[1] * self.numbers.scale
        matrix = matrix / row_lengths(matrix)[:, None]
        return float(np.linalg.slogdet(matrix)[0] * singular_values(matrix)[-1])

    def _located(self, point: CurvePoint, step: float, measure: Callable[[CurvePoint], float]) -> CurvePoint:
        """The point within a step where a quantity changes its sign: the Illinois method."""
        low, high = 0.0, step
        following = self._along(point, step)
        assert following is not None
        best = following
        low_value, high_value = measure(point), measure(following)
        for _ in range(60):
            middle = low + (high - low) * low_value / (low_value - high_value)
            between = self._along(point, middle) if low < middle < high else None
            if between is None:
                break
            best, value = between, measure(between)
            if abs(value) < 1e-14 or high - low < 1e-15 * step:
                break
            if value > 0:
                low, low_value, high_value = middle, value, high_value / 2
            else:
                high, high_value, low_value = middle, value, low_value / 2
        return best

    def _dead(self, point: CurvePoint, step: float) -> CurvePoint:
        """Where the curve turns back within a step."""
        near = self._located(point, step, lambda each: each.forward * np.sign(point.forward))
        found = fold(self._around(near), self._unscaled(near)) if self.local.is_determined else None
        return near if found is None else self._placed(found, near.tangent)

    def _crossing(self, point: CurvePoint, step: float) -> CurvePoint | None:
        """Where branches cross within a step; None where they only come near each other."""
        side = self._side(point)
        near = self._located(point, step, lambda each: self._side(each) * side)
        found = saddle(self._around(near), self._unscaled(near))
        return None if found is None or found.height > ACCEPTED else self._placed(found.z, near.tangent)

    def _around(self, point: CurvePoint) -> Linearised:
        """The equations near a point, in units of the scale, their rows divided by the lengths they have there."""
        lengths = row_lengths(self._linearised(point.q, point.s)[1])

        def linearised(z: Matrix) -> tuple[Matrix, Matrix]:
            phi, matrix = self._linearised(z[:-1] * self.numbers.scale, float(z[-1]) * self.unit)
            return phi / lengths, matrix / lengths[:, None]

        return linearised

    def _unscaled(self, point: CurvePoint) -> Matrix:
        return np.append(point.q, point.s) / self.scale

    def _placed(self, z: Matrix, tangent: Matrix) -> CurvePoint:
        return CurvePoint(z[:-1] * self.numbers.scale, float(z[-1]) * self.unit, tangent)

    def _singular(self, kind: str, point: CurvePoint) -> Singular:
        """A singular position, with the right null vector of Φ_q."""
        vectors = decomposed(self.numbers.scaled(point.q, self.local.inputs(point.s).u)[1])[2]
        return Singular(kind, point.s, point.q, vectors[-1] * self.numbers.scale)

    # ---------------------------------------------------------------------------------- rows

    def _at(self, before: CurvePoint, after: CurvePoint, s: float) -> CurvePoint:
        """The point at a given s between two points: by the cubic through both, then corrected."""
        exact = self.local.corrected(self._cubic(before, after, s), s)
        if exact is None or self.local.is_singular(exact, s):
            return self._between(before, after, s)
        return self._point(exact, s, before.tangent + after.tangent)

    def _cubic(self, before: CurvePoint, after: CurvePoint, s: float) -> Matrix:
        """The position at s on the cubic through two points and their rates."""
        span = after.s - before.s
        share = (s - before.s) / span
        first, last = self.rate(before) * span, self.rate(after) * span
        rise = after.q - before.q
        square, cube = 3 * rise - 2 * first - last, first + last - 2 * rise
        return before.q + share * (first + share * (square + share * cube))

    def _between(self, before: CurvePoint, after: CurvePoint, s: float) -> CurvePoint:
        """A singular position and its rates as the mean of regular ones on both sides, of sixth order."""
        places = s + SINGULAR_OFFSET * self.unit * np.array(SINGULAR_OFFSETS)
        found = [self.local.corrected(self._cubic(before, after, place), place) for place in places.tolist()]
        regular = [each for each in found if each is not None]
        if len(regular) < len(places):
            return self._point(self._cubic(before, after, s), s, before.tangent + after.tangent)
        rates = [self.local.velocity(q, place) for q, place in zip(regular, places.tolist(), strict=True)]
        sides = Sides(places, np.array(regular), np.array(rates))
        mean, rate = MEAN_OF_SIX @ sides.q, MEAN_OF_SIX @ sides.v
        tangent = np.append(rate / self.numbers.scale * self.unit, 1.0) * np.sign(after.s - before.s)
        return CurvePoint(self._polished(mean, s), s, tangent / np.linalg.norm(tangent), sides)

    def _polished(self, q: Matrix, s: float) -> Matrix:
        """A singular position corrected where that helps and does not lead away."""
        u = self.local.inputs(s).u
        exact = self.local.corrected(q, s)
        if exact is None or np.max(np.abs((exact - q) / self.numbers.scale)) > 1e-8:
            return q
        return exact if self.numbers.misfit(exact, u) < self.numbers.misfit(q, u) else q
