"""The slice (t, θ) of one pawl's configuration space, cut out by the straight motion of its hinge.

With h(t) the hinge, R the rotation by θ, n an outward normal (not normalised), a a vertex of the pawl
and b one of an obstacle, Donald and Pai's constraints (3) and (4) are

    type A, edge of the pawl on a vertex:    f = (b - h(t))·R n - n·a
    type B, vertex of the pawl on an edge:   f = (R a + h(t))·n - n·b

and f < 0 where the vertex is behind the edge. Both are α(t) cos θ + β(t) sin θ + γ(t) with α, β, γ affine
in time. A chart c covers the angles within a right angle of c·π by u = tan((θ - c·π)/2), -1 ≤ u ≤ 1;
there (1 + u²)·f = N(u) + D(u)·t with quadratics N and D, so a constraint is single-valued in time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from flint import fmpq, fmpz, fmpz_poly

from linkwork.fasten.algebraic import as_fmpq
from linkwork.fasten.design import Design, Pawl, Polygon

Exact: TypeAlias = tuple[fmpq, fmpq]
ZERO = fmpq(0)


def dot(a: Exact, b: Exact) -> fmpq:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1]


def cross(a: Exact, b: Exact) -> fmpq:
    """The component of the vector product across the plane."""
    return a[0] * b[1] - a[1] * b[0]


def minus(a: Exact, b: Exact) -> Exact:
    """The difference."""
    return a[0] - b[0], a[1] - b[1]


def plus(a: Exact, b: Exact) -> Exact:
    """The sum."""
    return a[0] + b[0], a[1] + b[1]


def outward(edge: Exact) -> Exact:
    """The normal that points out of a polygon whose edges run counter-clockwise."""
    return edge[1], -edge[0]


class Affine(NamedTuple):
    """N(u) + D(u)·t in one chart: a positive multiple of α cos θ + β sin θ + γ."""

    constant: fmpz_poly
    slope: fmpz_poly


def reduce_relation(relation: Affine) -> tuple[Affine | None, fmpz_poly]:
    """N and D without their common factor, whose roots are level lines; none where D vanishes everywhere."""
    common = relation.constant.gcd(relation.slope)
    if common.degree() < 1:
        if relation.slope.is_zero():
            return None, relation.constant
        return relation, common
    if relation.slope.is_zero():
        return None, relation.constant
    return Affine(relation.constant // common, relation.slope // common), common


@dataclass(frozen=True)
class Form:
    """α cos θ + β sin θ + γ with α, β, γ affine in time: at 0, and per time."""

    start: tuple[fmpq, fmpq, fmpq]
    rate: tuple[fmpq, fmpq, fmpq]

    @cached_property
    def charts(self) -> tuple[Affine, Affine]:
        """N and D where c is even and where it is odd (there cosine and sine change sign)."""
        scale = fmpz(1)
        for number in (*self.start, *self.rate):
            scale = scale.lcm(number.q)
        start, rate = ([(value * scale).p for value in part] for part in (self.start, self.rate))
        return (
            Affine(_quadratic(start, 1), _quadratic(rate, 1)),
            Affine(_quadratic(start, -1), _quadratic(rate, -1)),
        )


def _quadratic(values: list[fmpz], parity: int) -> fmpz_poly:
    alpha, beta, gamma = values
    return fmpz_poly([gamma + parity * alpha, 2 * parity * beta, gamma - parity * alpha])


class Feature(NamedTuple):
    """One constraint: edge ``pawl`` on vertex ``obstacle`` (A), or vertex ``pawl`` on edge ``obstacle`` (B).

    Vertices of all obstacles are counted through; an edge has the number of the vertex where it begins.
    """

    kind: str
    pawl: int
    obstacle: int


@dataclass(frozen=True)
class Constraint:
    """A feature's C-function and what tells whether the vertex is on the edge, not only on its line."""

    feature: Feature
    gap: Form
    after_start: Form
    """≥ 0 where the vertex is not before the edge's first end."""
    before_end: Form
    """≥ 0 where it is not behind its second."""


class Outline:
    """Vertices of closed polygons, counted through, with their neighbours."""

    def __init__(self, polygons: list[Polygon]) -> None:
        self.vertices: list[Exact] = []
        self.following: list[int] = []
        self.before: list[int] = []
        self.owner: list[tuple[int, int]] = []
        for which, polygon in enumerate(polygons):
            first, count = len(self.vertices), len(polygon)
            self.vertices += [(as_fmpq(x), as_fmpq(y)) for x, y in polygon]
            self.following += [first + (k + 1) % count for k in range(count)]
            self.before += [first + (k - 1) % count for k in range(count)]
            self.owner += [(which, k) for k in range(count)]
        self.edges = [
            minus(self.vertices[after], vertex)
            for vertex, after in zip(self.vertices, self.following, strict=True)
        ]
        self.bulges = [
            cross(self.edges[before], edge) >= 0 for before, edge in zip(self.before, self.edges, strict=True)
        ]
        """Whether a vertex is convex (or straight), so that it can touch the middle of an edge."""

    def __len__(self) -> int:
        return len(self.vertices)


class Slice:
    """The constraints between one pawl and all obstacles, made when they are asked for."""

    def __init__(self, design: Design, pawl: Pawl) -> None:
        self.pawl = Outline([pawl.poly])
        self.obstacles = Outline([obstacle.poly for obstacle in design.obstacles])
        self.velocity: Exact = (as_fmpq(design.v[0]), as_fmpq(design.v[1]))
        root, hinge = design.p0, pawl.hinge
        self.hinge: Exact = (as_fmpq(root[0] + hinge[0]), as_fmpq(root[1] + hinge[1]))
        self._known: dict[Feature, Constraint] = {}

    def constraint(self, feature: Feature) -> Constraint:
        """A feature's constraint."""
        known = self._known.get(feature)
        if known is None:
            known = self._type_a(feature) if feature.kind == "A" else self._type_b(feature)
            self._known[feature] = known
        return known

    def curve(self, feature: Feature, chart: int) -> Affine:
        """The relation t = -N(u)/D(u) of a constraint that is not a level line alone."""
        relation, _ = reduce_relation(self.constraint(feature).gap.charts[chart % 2])
        assert relation is not None
        return relation

    def seen_from_pawl(self, direction: Exact, point: Exact, offset: fmpq) -> Form:
        """(point - h(t))·R direction - offset."""
        start = minus(point, self.hinge)
        rate = (-self.velocity[0], -self.velocity[1])
        return Form(
            (dot(start, direction), cross(direction, start), -offset),
            (dot(rate, direction), cross(direction, rate), ZERO),
        )

    def seen_from_obstacle(self, direction: Exact, point: Exact, offset: fmpq) -> Form:
        """(R point + h(t))·direction - offset."""
        return Form(
            (dot(point, direction), cross(point, direction), dot(self.hinge, direction) - offset),
            (ZERO, ZERO, dot(self.velocity, direction)),
        )

    def _type_a(self, feature: Feature) -> Constraint:
        edge, start = self.pawl.edges[feature.pawl], self.pawl.vertices[feature.pawl]
        point = self.obstacles.vertices[feature.obstacle]
        end, normal = plus(start, edge), outward(edge)
        backwards = (-edge[0], -edge[1])
        return Constraint(
            feature,
            self.seen_from_pawl(normal, point, dot(normal, start)),
            self.seen_from_pawl(edge, point, dot(edge, start)),
            self.seen_from_pawl(backwards, point, dot(backwards, end)),
        )

    def _type_b(self, feature: Feature) -> Constraint:
        edge, start = self.obstacles.edges[feature.obstacle], self.obstacles.vertices[feature.obstacle]
        point = self.pawl.vertices[feature.pawl]
        end, normal = plus(start, edge), outward(edge)
        backwards = (-edge[0], -edge[1])
        return Constraint(
            feature,
            self.seen_from_obstacle(normal, point, dot(normal, start)),
            self.seen_from_obstacle(edge, point, dot(edge, start)),
            self.seen_from_obstacle(backwards, point, dot(backwards, end)),
        )
