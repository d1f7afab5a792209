"""Forces while a pawl slides: the spring's torque, the contact force it asks for, and what the root feels.

With torque k(θ - θ₀) and the contact force along the edge of the friction cone, opposing the sliding (Donald
and Pai, appendix A), the force on the pawl in units of the unit normal is, N being the normal that pushes
the pawl and T the direction in which the pawl's side of the contact slides,

    F = α (N - μ T),   α = k(θ - θ₀) / (r × (N - μ T)).

The hinge hands it on to the root. Numbers here are floating point; where α grows without bound is decided
exactly. A force may peak inside a stretch on type A (the paper's proposition A.1 does not hold there), so
peaks are looked for inside, not only at the ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linkwork.fasten.algebraic import as_float, as_fmpq, float_coefficients
from linkwork.fasten.course import Stretch
from linkwork.fasten.fan import LEVEL
from linkwork.fasten.friction import grip
from linkwork.fasten.point import Point
from linkwork.fasten.slices import Affine, Exact, Feature, Slice

Floats = NDArray[np.float64]
LOOKS = 129
"""Places in a stretch at which a peak is looked for before it is pinned down."""
NODES = 48
"""Of the quadrature of a stretch's work."""
CLOSER, PLACES = 3, 9
"""Rounds of closing in on a peak, and places looked at in each: it is found to a sixty-fourth of what is between."""
HAIR = 1e-7
"""The part of a stretch that is left out where the force grows without bound, or the spring is relaxed."""


@dataclass(frozen=True)
class Peaks:
    """The largest force between root and pawl, and the largest part of it against the motion."""

    force: float
    resist: float


class SlidingForce:
    """The contact force along one stretch, by the time and the angle."""

    def __init__(self, stretch: Stretch, piece: Slice, stiffness: float, rest: float, mu: Fraction) -> None:
        assert stretch.feature is not None
        self.stretch, self.piece = stretch, piece
        self.stiffness, self.rest = stiffness, rest
        self.mu, self.exact_mu = float(mu), as_fmpq(mu)
        self.velocity = _pair(piece.velocity)
        self.hinge = _pair(piece.hinge)
        self._sense = self._sliding_sense(stretch.feature)

    def at(self, t: Floats, theta: Floats) -> Floats:
        """Force on the root, one row (x, y) a moment."""
        assert self.stretch.feature is not None
        lever, normal = self._contact(self.stretch.feature, t, theta)
        tangent = np.stack([normal[..., 1], -normal[..., 0]], axis=-1)
        direction = normal - self.mu * self._sense * tangent
        torque = self.stiffness * (theta - self.rest)
        turning = lever[..., 0] * direction[..., 1] - lever[..., 1] * direction[..., 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            size = np.where(torque == 0.0, 0.0, torque / turning)
            return np.asarray(size[..., None] * direction)

    def _contact(self, feature: Feature, t: Floats, theta: Floats) -> tuple[Floats, Floats]:
        """From the hinge to the contact, and the unit normal that pushes the pawl."""
        cosine, sine = np.cos(theta), np.sin(theta)
        if feature.kind == "B":
            a, edge = self.piece.pawl.vertices[feature.pawl], self.piece.obstacles.edges[feature.obstacle]
            x, y = _pair(a)
            lever = np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=-1)
            along = _pair(edge) / np.hypot(*_pair(edge))
            return lever, np.broadcast_to(np.array([along[1], -along[0]]), lever.shape)
        edge = self.piece.pawl.edges[feature.pawl]
        x, y = -_pair(edge)[1] / np.hypot(*_pair(edge)), _pair(edge)[0] / np.hypot(*_pair(edge))
        inward = np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=-1)
        point = _pair(self.piece.obstacles.vertices[feature.obstacle])
        lever = point - (self.hinge + np.multiply.outer(t, self.velocity))
        return lever, inward

    def _sliding_sense(self, feature: Feature) -> float:
        """Whether the pawl slides along or against the tangent, the normal turned clockwise.

        The pawl's material point at the contact moves along the tangent at (r·v)/(r×N).
        """
        t, theta = middle_of(self.stretch, self.piece)
        lever, normal = self._contact(feature, np.array(t), np.array(theta))
        turning = lever[0] * normal[1] - lever[1] * normal[0]
        return float(np.sign(turning * (lever @ self.velocity)))

    def diverges_at(self, point: Point) -> bool:
        """Whether the force grows without bound towards a point.

        The lever lies on the friction cone's edge there, and the spring is not relaxed.
        """
        feature = self.stretch.feature
        assert feature is not None
        if self._is_relaxed(point):
            return False
        hold = grip(feature, self.piece, self.exact_mu, point.chart % 2)
        return point.sign(*hold.cone) == 0 and (self.exact_mu == 0 or point.sign(*hold.against) > 0)

    def _is_relaxed(self, point: Point) -> bool:
        """Whether the spring is; the lever may vanish there too, and then numbers mean nothing very near."""
        return abs(point.theta - self.rest) < 1e-12

    def peaks(self) -> Peaks:
        """The suprema over the stretch."""
        speed = float(np.hypot(*self.velocity))

        def size(part: Floats) -> Floats:
            return np.asarray(np.hypot(*np.moveaxis(self._along(part), -1, 0)))

        def resist(part: Floats) -> Floats:
            return self._against_push(part) / speed

        points = (self.stretch.start, self.stretch.end)
        diverges = [self.diverges_at(point) for point in points]
        unsure = [each or self._is_relaxed(point) for each, point in zip(diverges, points, strict=True)]
        low, high = HAIR * unsure[0], 1 - HAIR * unsure[1]
        if not any(diverges):
            return Peaks(_peak(size, low, high), _peak(resist, low, high))
        near_ends = resist(np.array([abs(end - HAIR) for end in range(2) if diverges[end]]))
        return Peaks(math.inf, math.inf if np.max(near_ends) > 0 else _peak(resist, low, high))

    def work(self, until: float) -> float:
        """What it costs to push the root along the stretch, up to a time; infinite on the way into a stick.

        Integrated over u, in which force times time stays finite where the lever vanishes.
        """
        end = self._part_at(until)
        if end <= 0.0:
            return 0.0
        if self.mu > 0 and end == 1.0 and self.diverges_at(self.stretch.end):
            return math.inf
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        part = end * (nodes + 1) / 2
        resist = self._against_push(part)
        return float(np.sum(weights * resist * self._rate(part)) * end / 2)

    def _rate(self, part: Floats) -> Floats:
        """How fast time goes on with the part of the stretch: dt/du = (N·D' - N'·D)/D²."""
        stretch = self.stretch
        t0, t1 = stretch.start.time, stretch.end.time
        if stretch.way == LEVEL or stretch.feature is None:
            return np.full_like(part, t1 - t0)
        n, d = _polynomials(self.piece.curve(stretch.feature, stretch.start.chart))
        u0, u1 = float(stretch.start.u), u_in_chart(stretch.end, stretch.start.chart)
        u = u0 + part * (u1 - u0)
        return np.asarray((n(u) * d.deriv()(u) - n.deriv()(u) * d(u)) / d(u) ** 2 * (u1 - u0))

    def _part_at(self, t: float) -> float:
        """The part of the stretch that is done at a time, 0 to 1."""
        t0 = self.stretch.start.time
        t1 = self.stretch.end.time
        if t >= t1 or t <= t0:
            return float(t >= t1)
        if self.stretch.way == LEVEL:
            return (t - t0) / (t1 - t0)
        u0, u1 = float(self.stretch.start.u), u_in_chart(self.stretch.end, self.stretch.start.chart)
        angle = float(angles_on(self.stretch, self.piece, np.array(t)))
        return (math.tan((angle - self.stretch.start.chart * math.pi) / 2) - u0) / (u1 - u0)

    def _against_push(self, part: Floats) -> Floats:
        """The force against the velocity of the root; where it has no bound, only along the ways that the root goes."""
        goes = self.velocity != 0
        return np.asarray(-self._along(part)[..., goes] @ self.velocity[goes])

    def _along(self, part: Floats) -> Floats:
        t, theta = motion_at(self.stretch, self.piece, part)
        return self.at(t, theta)


def _pair(vector: Exact) -> Floats:
    return np.array([as_float(value) for value in vector])


def motion_at(stretch: Stretch, piece: Slice, part: Floats) -> tuple[Floats, Floats]:
    """Times and angles at parts 0..1 of a stretch: of its time where the angle stays, else of its u."""
    start, end = stretch.start, stretch.end
    if stretch.feature is None or stretch.way == LEVEL:
        t0, t1 = start.time, end.time
        return t0 + part * (t1 - t0), np.full_like(part, start.theta)
    u0, u1 = float(start.u), u_in_chart(end, start.chart)
    u = u0 + part * (u1 - u0)
    n, d = _polynomials(piece.curve(stretch.feature, start.chart))
    return -n(u) / d(u), start.chart * math.pi + 2 * np.arctan(u)


def angles_on(stretch: Stretch, piece: Slice, t: Floats) -> Floats:
    """The angle at times of a stretch: the root of (N + D·t)(u) that lies on it."""
    if stretch.feature is None or stretch.way == LEVEL:
        return np.full_like(t, stretch.start.theta)
    n, d = float_coefficients(*piece.curve(stretch.feature, stretch.start.chart))
    c, b, a = (n[k] + d[k] * t for k in range(3))
    inner = np.sqrt(np.maximum(b * b - 4 * a * c, 0.0))
    q = -(b + np.copysign(inner, b)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.stack([q / a, np.where(q == 0, 0.0, c / q)])
    u0, u1 = float(stretch.start.u), u_in_chart(stretch.end, stretch.start.chart)
    away = np.nan_to_num(np.abs(roots - (u0 + u1) / 2), nan=math.inf)
    u = np.where(away[0] < away[1], roots[0], roots[1])
    return np.asarray(stretch.start.chart * math.pi + 2 * np.arctan(np.clip(u, min(u0, u1), max(u0, u1))))


def u_in_chart(point: Point, chart: int) -> float:
    """u of a point as a chart beside its own sees it."""
    return float(point.u) if point.chart == chart else -1 / float(point.u)


def _polynomials(relation: Affine) -> list[np.polynomial.Polynomial]:
    """N and D in floating point, times one number."""
    return [np.polynomial.Polynomial(values) for values in float_coefficients(*relation)]


def middle_of(stretch: Stretch, piece: Slice) -> tuple[float, float]:
    """A time and an angle well inside a stretch."""
    t, theta = motion_at(stretch, piece, np.array([0.5]))
    return float(t[0]), float(theta[0])


def _peak(measure: Callable[[Floats], Floats], low: float, high: float) -> float:
    """The supremum between two parts: by looking, then closer and closer around the best place."""
    best = -math.inf
    for _ in range(8):
        part = np.linspace(low, high, LOOKS)
        values = measure(part)
        k = int(np.nanargmax(values))
        best = max(best, float(values[k]))
        low, high = float(part[max(k - 1, 0)]), float(part[min(k + 1, LOOKS - 1)])
    return best


def largest_between(value: Callable[[Floats], Floats], low: float, high: float) -> float:
    """The largest value of a function with one peak between two places; what is not a number is left out."""
    best = -math.inf
    for _ in range(CLOSER):
        places = np.linspace(low, high, PLACES)
        found = np.where(np.isnan(values := value(places)), -math.inf, values)
        k = int(np.argmax(found))
        best = max(best, float(found[k]))
        low, high = float(places[max(k - 1, 0)]), float(places[min(k + 1, PLACES - 1)])
    return best
