"""What is free just after a contact: the wedges of the slice between the curves that leave a point.

Around a point where vertices touch edges or one another, every constraint there is a curve t = -N(u)/D(u)
through the point (or the level line through it). In a window of angles so narrow that no two of the curves
meet again, none turns back and no edge becomes flush, the curves' order at the window's rim is their order
all the way down to the point, and at the rim all numbers are rational. So the wedges to the right of the
point, from the top to the bottom, are found and each is tried with one rational configuration: no
derivative is compared, and coincidences of any order are decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from flint import arb, fmpq, fmpz_poly

from linkwork.fasten.algebraic import Root, dyadic, precision, squarefree
from linkwork.fasten.point import Point, rational_between, sign_at, time_against
from linkwork.fasten.slices import (
    ZERO,
    Affine,
    Exact,
    Feature,
    Form,
    Outline,
    Slice,
    cross,
    dot,
    minus,
    outward,
    plus,
    reduce_relation,
)

UP, LEVEL, DOWN = 1, 0, -1


class Site(NamedTuple):
    """A place of contact: a vertex or an edge of the pawl, and one of the obstacles, not both edges."""

    pawl: int
    on_pawl_edge: bool
    obstacle: int
    on_obstacle_edge: bool


class Piece(NamedTuple):
    """A convex corner (or a half plane) without end: its tip, its two rays, its outward normals."""

    tip: Exact
    rays: tuple[Exact, Exact]
    normals: tuple[Exact, ...]
    is_half_plane: bool = False


class Separator(NamedTuple):
    """An edge that keeps two corners apart while the other's tip is outside its line.

    A ray of the other that is flush with the edge may swing to either side of it. Where both run the
    same way from their tips, the other's tip must be ``beside`` the edge, and what the ray does at its far
    end is a matter of the contact there. Where the ray runs ``back`` along the edge to its tip and on,
    it must point away from the line, unless the other's tip is not beside the edge at all.
    """

    normal: Exact
    edge: Exact
    beside: bool
    back: Exact | None
    is_pawls: bool


class Corners(NamedTuple):
    """Two convex pieces that touch, in their own frames."""

    pawl_tip: Exact
    obstacle_tip: Exact
    separators: tuple[Separator, ...]


@dataclass(frozen=True)
class Wall:
    """A curve that leaves the point to the right: upwards, level or downwards."""

    features: tuple[Feature, ...]
    way: int


@dataclass(frozen=True)
class Fan:
    """Wedges to the right of a point from the top to the bottom, free or not, and the walls between them.

    ``walls[k]`` is between ``free[k]`` and ``free[k + 1]``; ``level`` is the number of the level line.
    """

    free: tuple[bool, ...]
    walls: tuple[Wall, ...]
    level: int


def features_of(site: Site, piece: Slice) -> list[Feature]:
    """The constraints that vanish at a place of contact."""
    if site.on_pawl_edge:
        return [Feature("A", site.pawl, site.obstacle)]
    if site.on_obstacle_edge:
        return [Feature("B", site.pawl, site.obstacle)]
    return [
        Feature("A", piece.pawl.before[site.pawl], site.obstacle),
        Feature("A", site.pawl, site.obstacle),
        Feature("B", site.pawl, piece.obstacles.before[site.obstacle]),
        Feature("B", site.pawl, site.obstacle),
    ]


def applicability(feature: Feature, piece: Slice) -> tuple[Form, Form]:
    """≥ 0 where the vertex's two edges do not point into the edge's body (they depend on the angle only)."""
    outline, at = (piece.obstacles, feature.obstacle) if feature.kind == "A" else (piece.pawl, feature.pawl)
    edge = piece.pawl.edges[feature.pawl] if feature.kind == "A" else piece.obstacles.edges[feature.obstacle]
    normal = outward(edge)
    sense = 1 if feature.kind == "A" else -1
    forms = [
        Form((dot(ray, normal), sense * cross(normal, ray), ZERO), (ZERO, ZERO, ZERO))
        for ray in _rays(outline, at)
    ]
    return forms[0], forms[1]


def _rays(outline: Outline, vertex: int) -> tuple[Exact, Exact]:
    back = outline.edges[outline.before[vertex]]
    return outline.edges[vertex], (-back[0], -back[1])


@dataclass(frozen=True)
class _Curve:
    """A constraint near a point: its reduced relation if that passes through, and its level line if it has one."""

    feature: Feature
    relation: Affine | None
    passes: bool
    is_level: bool


def fan(point: Point, sites: Sequence[Site], piece: Slice) -> Fan:
    """The wedges to the right of a point of contact."""
    parity = point.chart % 2
    features = sorted({feature for site in sites for feature in features_of(site, piece)})
    curves = [_curve(feature, point, piece) for feature in features]
    elsewhere = [curve.relation for curve in curves if curve.relation is not None and not curve.passes]
    low, high = window(point, _critical(curves, features, piece, parity), elsewhere)
    corners = [pair for site in sites for pair in corners_at(site, point, high, piece)]
    upper = _side(point, high, curves, corners, piece, UP)
    lower = _side(point, low, curves, corners, piece, DOWN)
    level = Wall(tuple(curve.feature for curve in curves if curve.is_level), LEVEL)
    return Fan((*upper[0], *reversed(lower[0])), (*upper[1], level, *reversed(lower[1])), len(upper[1]))


def _curve(feature: Feature, point: Point, piece: Slice) -> _Curve:
    relation = piece.constraint(feature).gap.charts[point.chart % 2]
    reduced, common = reduce_relation(relation)
    is_level = common.degree() > 0 and point.u.sign_of(common) == 0
    if reduced is None:
        return _Curve(feature, None, passes=False, is_level=is_level)
    passes = point.sign(*reduced) == 0
    return _Curve(feature, reduced, passes=passes, is_level=is_level)


def _critical(
    curves: Sequence[_Curve], features: Sequence[Feature], piece: Slice, parity: int
) -> list[fmpz_poly]:
    """Polynomials whose roots are angles at which the pattern of curves changes."""
    polys = [form.charts[parity].constant for feature in features for form in applicability(feature, piece)]
    kept = [curve.relation for curve in curves if curve.relation is not None]
    for k, (n, d) in enumerate(kept):
        polys += [d, n.derivative() * d - n * d.derivative()]
        polys += [n * other.slope - other.constant * d for other in kept[:k]]
    polys += [
        common
        for feature in features
        if (common := reduce_relation(piece.constraint(feature).gap.charts[parity])[1]).degree() > 0
    ]
    return [poly for poly in polys if poly.degree() > 0]


def window(
    point: Point, critical: Iterable[fmpz_poly], elsewhere: Sequence[Affine] = ()
) -> tuple[fmpq, fmpq]:
    """Rationals around a point's u between which no critical value lies but u itself.

    Curves that pass ``elsewhere`` do not come to the point's time there.
    """
    tests = []
    for poly in critical:
        vanishes = point.u.sign_of(poly) == 0
        tests.append(squarefree(poly).derivative() if vanishes else poly)
    bits = 6
    while True:
        with precision(4 * bits + 64):
            ball, time = point.u.ball(4 * bits), point.time_ball(4 * bits)
            width = arb(2) ** -bits
            low, high = dyadic((ball - width).lower()), dyadic((ball + width).upper())
            around = arb(low).union(arb(high))
            if all(not test(around).contains(0) for test in tests) and all(
                not (n(around) + d(around) * time).contains(0) for n, d in elsewhere
            ):
                return low, high
        bits *= 2


def _side(
    point: Point, u: fmpq, curves: Sequence[_Curve], corners: Sequence[Corners], piece: Slice, way: int
) -> tuple[list[bool], list[Wall]]:
    """The wedges on one side of the level line, from the vertical to it, and the walls between them."""
    reached: dict[fmpq, list[Feature]] = {}
    limit: fmpq | None = None
    for curve in curves:
        if curve.relation is None:
            continue
        t = -fmpq(curve.relation.constant(u)) / fmpq(curve.relation.slope(u))
        if curve.passes and time_against(point, t) <= 0:
            reached.setdefault(t, []).append(curve.feature)
        elif not curve.passes and time_against(point, t) < 0:
            limit = t if limit is None else min(limit, t)
    times = sorted(reached)
    if limit is not None and times and times[-1] >= limit:
        return _side(point, _nearer(point.u, u), curves, corners, piece, way)
    free, walls = [], []
    for k, t in enumerate(times):
        if k > 0 or time_against(point, t) < 0:
            before = _just_before(point, t, times[k - 1] if k else None)
            free.append(is_free(before, u, point.chart, corners, piece))
            walls.append(Wall(tuple(reached[t]), way))
    after = _just_after(point, times[-1] if times else None, limit)
    free.append(is_free(after, u, point.chart, corners, piece))
    return free, walls


def _nearer(root: Root, u: fmpq) -> fmpq:
    """A rational between a root and a rational, nearer to the root."""
    bits = 64
    while True:
        low, high = root.bounds(bits)
        if u > high:
            return high + (u - high) / 16
        if u < low:
            return low + (u - low) / 16
        bits *= 2


def _just_before(point: Point, t: fmpq, earlier: fmpq | None) -> fmpq:
    bits = 64
    while earlier is None:
        bound = point.time_bounds(bits)[1]
        earlier = bound if bound < t else None
        bits *= 2
    return rational_between(earlier, t)


def _just_after(point: Point, last: fmpq | None, limit: fmpq | None) -> fmpq:
    bits = 64
    while last is None:
        bound = point.time_bounds(bits)[1]
        last = bound if limit is None or bound < limit else None
        bits *= 2
    return rational_between(last, limit) if limit is not None else last + 1


def is_free(t: fmpq, u: fmpq, chart: int, corners: Sequence[Corners], piece: Slice) -> bool:
    """Whether the corners that touch at the point are apart at a configuration nearby."""
    rotation = rotation_at(u, chart)
    hinge = plus(piece.hinge, (piece.velocity[0] * t, piece.velocity[1] * t))
    return all(_apart(pair, rotation, hinge) for pair in corners)


def rotation_at(u: fmpq, chart: int) -> Exact:
    """Cosine and sine."""
    square = u * u
    sense = -1 if chart % 2 else 1
    return sense * (1 - square) / (1 + square), sense * 2 * u / (1 + square)


def turned(vector: Exact, rotation: Exact) -> Exact:
    """A vector turned by an angle whose cosine and sine are given."""
    cosine, sine = rotation
    return vector[0] * cosine - vector[1] * sine, vector[0] * sine + vector[1] * cosine


def _apart(pair: Corners, rotation: Exact, hinge: Exact) -> bool:
    mine = plus(turned(pair.pawl_tip, rotation), hinge)
    to_obstacle = minus(pair.obstacle_tip, mine)
    to_pawl = (-to_obstacle[0], -to_obstacle[1])
    return any(
        _separates(separator, to_obstacle if separator.is_pawls else to_pawl, rotation)
        for separator in pair.separators
    )


def _separates(separator: Separator, towards: Exact, rotation: Exact) -> bool:
    normal, edge, back = separator.normal, separator.edge, separator.back
    if separator.is_pawls:
        normal, edge = turned(normal, rotation), turned(edge, rotation)
    elif back is not None:
        back = turned(back, rotation)
    if dot(normal, towards) < 0:
        return False
    place = dot(edge, towards)
    if separator.beside and place < 0:
        return False
    return back is None or place <= 0 or dot(normal, back) >= 0


def corners_at(site: Site, point: Point, u: fmpq, piece: Slice) -> list[Corners]:
    """The convex pieces that touch at a site, pair by pair, with the edges that can separate them."""
    rotation = rotation_at(u, point.chart)
    mine = _pieces(piece.pawl, site.pawl, site.on_pawl_edge)
    theirs = _pieces(piece.obstacles, site.obstacle, site.on_obstacle_edge)
    found = []
    for a in mine:
        for b in theirs:
            separators = [
                *_separators(a, b, point, rotation, is_pawls=True),
                *_separators(b, a, point, rotation, is_pawls=False),
            ]
            found.append(Corners(a.tip, b.tip, tuple(separators)))
    return found


def _separators(a: Piece, b: Piece, point: Point, rotation: Exact, *, is_pawls: bool) -> Iterator[Separator]:
    """Edges of ``a`` whose line can have ``b`` on its other side near the point."""
    if b.is_half_plane and not a.is_half_plane:
        return
    for normal, edge in zip(a.normals, a.rays, strict=False):
        signs = [_turning_sign(normal, ray, point, is_pawls=is_pawls) for ray in b.rays]
        if min(signs) < 0:
            continue
        beside, back = False, None
        for ray, sign in zip(b.rays, signs, strict=True):
            if sign > 0 or a.is_half_plane:
                continue
            ours, theirs = (turned(edge, rotation), ray) if is_pawls else (edge, turned(ray, rotation))
            if dot(ours, theirs) > 0:
                beside = True
            else:
                back = ray
        yield Separator(normal, edge, beside, back, is_pawls)


def _turning_sign(normal: Exact, ray: Exact, point: Point, *, is_pawls: bool) -> int:
    """The sign of normal·ray at the point's angle, where one of them turns with the pawl."""
    sense = 1 if is_pawls else -1
    form = Form((dot(ray, normal), sense * cross(normal, ray), ZERO), (ZERO, ZERO, ZERO))
    return point.u.sign_of(form.charts[point.chart % 2].constant)


def _pieces(outline: Outline, number: int, is_edge: bool) -> list[Piece]:
    """The body near a vertex or an edge, as convex pieces."""
    tip, edge = outline.vertices[number], outline.edges[number]
    back = outline.edges[outline.before[number]]
    if is_edge:
        return [_half_plane(tip, edge)]
    if outline.bulges[number]:
        return [Piece(tip, (edge, (-back[0], -back[1])), (outward(edge), outward(back)))]
    return [_half_plane(tip, edge), _half_plane(tip, back)]


def _half_plane(tip: Exact, edge: Exact) -> Piece:
    return Piece(tip, (edge, (-edge[0], -edge[1])), (outward(edge),), is_half_plane=True)


def holds_on(wall: Wall, feature: Feature, point: Point, piece: Slice) -> bool:
    """Whether a constraint of a wall is in touch and applicable along it, near the point."""
    constraint, parity = piece.constraint(feature), point.chart % 2
    forms = [form.charts[parity] for form in (constraint.after_start, constraint.before_end)]
    angles = [form.charts[parity].constant for form in applicability(feature, piece)]
    if wall.way == LEVEL:
        return all(_sign_after(point, form) >= 0 for form in forms) and all(
            point.u.sign_of(angle) >= 0 for angle in angles
        )
    relation = piece.curve(feature, point.chart)
    ends = [form.constant * relation.slope - form.slope * relation.constant for form in forms]
    low, high = window(point, [poly for poly in (*ends, *angles, relation.slope) if poly.degree() > 0])
    u = high if wall.way == UP else low
    below = sign_at(relation.slope, u)
    return all(sign_at(end, u) * below >= 0 for end in ends) and all(
        sign_at(angle, u) >= 0 for angle in angles
    )


def _sign_after(point: Point, form: Affine) -> int:
    """The sign of N + D·t at the point's angle just after its time."""
    return point.sign(*form) or point.u.sign_of(form.slope)
