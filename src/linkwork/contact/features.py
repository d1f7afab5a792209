"""The features of a solid in space by which it touches others: corners, edges, rims, and the faces between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np

from linkwork.contact.boundary import ALIKE, BAR, EVERYWHERE, PLANE, Boundary, Leaf, Surface
from linkwork.contact.boundary import BALL as BALL_LEAF
from linkwork.contact.boundary import CONE as CONE_LEAF
from linkwork.solid.placement import Floats, cross
from linkwork.solid.values import Inside

CORNER, EDGE, RIM, FLAT, CONE, BOWL, PIPE, FUNNEL = range(8)
"""The kinds of the engine: balls (corners if their radius is 0), bars (edges), rims, planes, cones, hollow balls, bars
and cones."""
NOUNS: Final = ("corner", "edge", "rim", "face", "side", "hollow", "hollow", "hollow")
WAYS: Final = 4
"""Directions that are told of a corner."""
AROUND: Final = 256
"""Places of a circle at which it is looked whether it is an edge."""
STANDS: Final = math.pi / 4
"""Rims are told in arcs that are twice as long, each beginning in the middle of the one before: a disc that lies flat
stands on the middles, and one that rolls goes over from arc to arc without doubt."""
PIECES: Final = 32
CUTS: Final = 10
"""In how many pieces the angle is cut in which an arc ends, and how often: until there is nothing but rounding."""
BESIDE: Final = 1e-3
"""Tangent of the angle between a face and where it is looked whether the solid is behind it."""
SMOOTH: Final = 1e-7
"""Sine of the angle of surfaces that go over into one another without an edge."""


@dataclass(frozen=True, eq=False)
class Feature:
    """A feature as the engine has it (space.h); ``ends`` are the points where it ends at corners."""

    kind: int
    point: Floats
    axis: Floats
    radius: float = 0.0
    length: float = 0.0
    ways: tuple[Floats, ...] = ()
    leaf: int = -1
    side: int = 1
    middle: Floats | None = None
    reach: float = 0.0
    label: str = ""
    around: float | None = None
    """The angle of an arc in its rim, where that is a whole circle."""

    @property
    def noun(self) -> str:
        """What it is called."""
        if self.radius and self.kind in (CORNER, EDGE):
            return "ball" if self.kind == CORNER else "side"
        return NOUNS[self.kind]

    def ring(self) -> Feature:
        """An arc of a whole rim as a place of a ring (space_ring.h); it may be anywhere on that. Others as they are."""
        if self.around is None:
            return self
        place = np.array([math.cos(self.around), math.sin(self.around), 1.0])
        return replace(self, ways=(*self.ways, place), middle=self.point, reach=self.radius)

    def samples(self) -> Floats:
        """Points of a corner, an edge or a rim."""
        if self.kind == CORNER and not self.radius:
            return self.point[None]
        if self.kind == EDGE and not self.radius:
            return np.asarray(self.point + np.outer(np.linspace(0, self.length, 9), self.axis))
        if self.kind == RIM and self.side > 0:  # else its twin has them
            half = math.acos(max(self.length, -1.0)) if self.length > -1.5 else math.pi
            across = cross(self.axis, self.ways[0])
            angles = np.linspace(-half, half, 25)
            around = np.outer(np.cos(angles), self.ways[0]) + np.outer(np.sin(angles), across)
            return np.asarray(self.point + self.radius * around)
        return np.zeros((0, 3))


@dataclass(frozen=True, eq=False)
class _End:
    """The end of an edge at a corner: where, which way the edge goes from there, and its label."""

    point: Floats
    way: Floats
    label: str


def features_of(boundary: Boundary) -> list[Feature]:
    """All features of a solid: its faces, its edges and rims where it is convex, and the corners of these."""
    found = [_face(boundary, each) for each in boundary.surfaces]
    ends: list[_End] = []
    done: set[tuple[int, int]] = set()
    for one, other in combinations(boundary.surfaces, 2):
        pair = (min(one.leaf, other.leaf), max(one.leaf, other.leaf))
        near = ALIKE * boundary.size
        if one.leaf == other.leaf or pair in done:
            continue
        if np.any(one.low > other.high + near) or np.any(other.low > one.high + near):
            continue
        done.add(pair)
        label = one.label or other.label
        for feature, its_ends in _edges(boundary, *pair):
            found.append(replace(feature, label=label))
            ends += [replace(end, label=label) for end in its_ends]
    for surface in boundary.surfaces:
        ends += _apex(boundary, surface)
    return found + _corners(ends, 1e3 * ALIKE * boundary.size)


# --------------------------------------------------------------------------------------------- faces


def _face(boundary: Boundary, surface: Surface) -> Feature:
    leaf = boundary.leaves[surface.leaf]
    middle, reach = (surface.low + surface.high) / 2, math.dist(surface.low, surface.high) / 2
    own: dict[str, Any] = {"leaf": surface.leaf, "side": surface.side, "label": surface.label}
    if leaf.kind == PLANE:
        return Feature(FLAT, leaf.point, surface.side * leaf.axis, middle=middle, reach=reach, **own)
    if leaf.kind == CONE_LEAF:
        kind = CONE if surface.side > 0 else FUNNEL
        return Feature(kind, leaf.point, leaf.axis, leaf.radius, middle=middle, reach=reach, **own)
    if leaf.kind == BAR:
        kind = EDGE if surface.side > 0 else PIPE
        corners = np.array([surface.low, surface.high])
        spread = leaf.radius * np.sqrt(np.maximum(0.0, 1 - leaf.axis**2))
        ends = _span(leaf, corners[0] + spread, corners[1] - spread)
        start = leaf.point + ends[0] * leaf.axis
        half = (ends[1] - ends[0]) / 2
        return Feature(
            kind,
            start,
            leaf.axis,
            leaf.radius,
            2 * half,
            middle=start + half * leaf.axis,
            reach=math.hypot(half, leaf.radius),
            **own,
        )
    kind = CORNER if surface.side > 0 else BOWL
    return Feature(kind, leaf.point, leaf.axis, leaf.radius, middle=leaf.point, reach=leaf.radius, **own)


def _apex(boundary: Boundary, surface: Surface) -> list[_End]:
    """The lines of a cone's side that go from its apex, where that is a corner of the solid."""
    leaf = boundary.leaves[surface.leaf]
    if leaf.kind != CONE_LEAF or surface.side < 0:
        return []
    inside, outside = (
        boundary.value(leaf.point[None], {surface.leaf: side * EVERYWHERE})[0] < 0 for side in (-1, 1)
    )
    if outside or not inside:
        return []
    one = np.linalg.svd(leaf.axis[None])[2][1]
    other = cross(leaf.axis, one)
    return [
        _End(leaf.point, leaf.cosine * leaf.axis + leaf.radius * way, surface.label)
        for way in (one, other, -one, -other)
    ]


def _span(leaf: Leaf, low: Floats, high: Floats) -> tuple[float, float]:
    """From where to where the axis of a cylinder goes whose ends fill a box."""
    middle, half = (low + high) / 2, (high - low) / 2
    at = float((middle - leaf.point) @ leaf.axis)
    along = float(np.abs(half) @ np.abs(leaf.axis))
    return at - along, at + along


# --------------------------------------------------------------------------------------------- edges


def _edges(boundary: Boundary, i: int, j: int) -> Iterator[tuple[Feature, list[_End]]]:
    """The convex edges in which two leaves meet."""
    one, other = boundary.leaves[i], boundary.leaves[j]
    if one.kind != PLANE and other.kind == PLANE:
        i, j, one, other = j, i, other, one
    if one.kind == PLANE and other.kind == PLANE:
        way = cross(one.axis, other.axis)
        if math.hypot(*way) > SMOOTH:
            rows = np.array([one.axis, other.axis, way])
            given = [one.axis @ one.point, other.axis @ other.point, way @ one.point]
            yield from _straight(boundary, i, j, np.linalg.solve(rows, given), way / math.hypot(*way))
    elif one.kind == PLANE and other.kind == BAR and abs(float(one.axis @ other.axis)) < SMOOTH:
        away = float((one.point - other.point) @ one.axis)
        if abs(away) < other.radius * (1 - SMOOTH):
            across = cross(one.axis, other.axis)
            for half in (-1.0, 1.0):
                by = half * math.sqrt(other.radius**2 - away**2)
                yield from _straight(boundary, i, j, other.point + away * one.axis + by * across, other.axis)
    elif one.kind == BAR and other.kind == BAR and abs(float(one.axis @ other.axis)) > 1 - 1e-12:
        for point in _of_parallel_bars(one, other):
            yield from _straight(boundary, i, j, point, other.axis)
    else:
        circle = _circle(one, other)
        if circle is not None:
            yield from _round(boundary, i, j, *circle)


def _of_parallel_bars(one: Leaf, other: Leaf) -> Iterator[Floats]:
    """Points of the lines in which two cylinders with parallel axes cross."""
    between = other.point - one.point
    between = between - (between @ one.axis) * one.axis
    apart = math.hypot(*between)
    if (
        not abs(one.radius - other.radius) + SMOOTH * apart
        < apart
        < (one.radius + other.radius) * (1 - SMOOTH)
    ):
        return
    along = (apart**2 + one.radius**2 - other.radius**2) / (2 * apart)
    aside = math.sqrt(max(0.0, one.radius**2 - along**2))
    toward = between / apart
    for half in (-1.0, 1.0):
        yield one.point + along * toward + half * aside * cross(one.axis, toward)


def _circle(one: Leaf, other: Leaf) -> tuple[Floats, Floats, float] | None:
    """Centre, axis and radius of the circle in which two leaves meet; None where there is none."""
    if BALL_LEAF not in (one.kind, other.kind):
        return _circle_of_profiles(one, other)
    if one.kind == PLANE:
        away = float((one.point - other.point) @ one.axis)
        squared = other.radius**2 - away**2
        return (other.point + away * one.axis, one.axis, math.sqrt(squared)) if squared > 0 else None
    if one.kind != other.kind:
        return None
    between = other.point - one.point
    apart = math.hypot(*between)
    if apart == 0:
        return None
    along = (apart**2 + one.radius**2 - other.radius**2) / (2 * apart)
    squared = one.radius**2 - along**2
    axis = between / apart
    return (one.point + along * axis, axis, math.sqrt(squared)) if squared > 0 else None


def _circle_of_profiles(one: Leaf, other: Leaf) -> tuple[Floats, Floats, float] | None:
    """That of a plane across the axis of a cylinder or a cone, or of two of these with one axis.

    Along the axis s of the second each is a line u s + v radius = w.
    """
    axis = other.axis
    away = one.point - other.point
    along = float(away @ axis)
    off = away - along * axis
    if abs(float(one.axis @ axis)) < 1 - 1e-12:
        return None
    if one.kind != PLANE and math.hypot(*off) > ALIKE * (math.hypot(*away) + other.radius + one.radius):
        return None
    rows = np.array([_profile(leaf, axis, at) for leaf, at in ((one, along), (other, 0.0))])
    if abs(np.linalg.det(rows[:, :2])) < SMOOTH:
        return None
    at, radius = np.linalg.solve(rows[:, :2], rows[:, 2])
    is_there = all(
        float((other.point + at * axis - each.point) @ each.axis) > 0
        for each in (one, other)
        if each.kind == CONE_LEAF
    )
    return (other.point + at * axis, axis, float(radius)) if radius > 0 and is_there else None


def _profile(leaf: Leaf, axis: Floats, at: float) -> tuple[float, float, float]:
    """Of a leaf of which the point is at a length along an axis."""
    if leaf.kind == PLANE:
        return 1.0, 0.0, at
    if leaf.kind == BAR:
        return 0.0, 1.0, leaf.radius
    way = leaf.radius * math.copysign(1.0, float(leaf.axis @ axis))
    return -way, leaf.cosine, -way * at


def _wedge(boundary: Boundary, i: int, j: int, points: Floats) -> tuple[Inside, Floats]:
    """At points where two leaves meet: whether the solid fills just one of the four wedges, and the signs of it.

    It fills it from the one leaf to the other: what another leaf through the same points bounds is an edge of that one.
    """
    found, signs = np.zeros(len(points), dtype=bool), np.zeros((len(points), 2))
    on = np.flatnonzero(np.abs(boundary.value(points)) <= ALIKE * boundary.size)
    if not len(on):
        return found, signs
    count = np.zeros(len(on), dtype=int)
    value_towards = boundary.around(points[on])
    for wedge in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        borders, normals = _borders(boundary, i, j, points[on], wedge)
        is_filled = value_towards(borders[0] + borders[1]) < 0
        count += is_filled
        signs[on[is_filled]] = wedge
        for border, normal in zip(borders, normals, strict=True):
            is_filled &= value_towards(border + BESIDE * normal) < 0
            is_filled &= value_towards(border - BESIDE * normal) > 0
        found[on] |= is_filled
    found[on] &= count == 1
    return found, signs


def _borders(
    boundary: Boundary, i: int, j: int, points: Floats, wedge: tuple[int, int]
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """The directions along both leaves, across where they meet, between which a wedge is; and from each into it."""
    one, other = (boundary.leaves[place].normals(points) for place in (i, j))
    along = np.einsum("ij,ij->i", one, other)[:, None]
    ways = wedge[1] * (other - along * one), wedge[0] * (one - along * other)
    first, second = (way / np.maximum(np.linalg.norm(way, axis=1), SMOOTH)[:, None] for way in ways)
    return (first, second), (wedge[0] * one, wedge[1] * other)


def _inwards(boundary: Boundary, i: int, j: int, point: Floats, signs: Floats) -> tuple[Floats, ...] | None:
    """The directions along both faces into the solid, across the edge; None where there is no edge to feel."""
    borders, _ = _borders(boundary, i, j, point[None], (int(signs[0]), int(signs[1])))
    found = tuple(border[0] for border in borders)
    return found if min(math.hypot(*each) for each in found) > 1 / 2 else None


def _straight(
    boundary: Boundary, i: int, j: int, point: Floats, way: Floats
) -> Iterator[tuple[Feature, list[_End]]]:
    """The convex pieces of a line in which two leaves meet."""
    crossings = sorted(
        s
        for place, leaf in enumerate(boundary.leaves)
        if place not in (i, j)
        for s in _crossings(leaf, point, way)
        if abs(s) < 1e3 * boundary.size
    )
    near = ALIKE * boundary.size
    starts = [s for k, s in enumerate(crossings) if not k or s - crossings[k - 1] > near]
    pieces = list(pairwise(starts))
    if not pieces:
        return
    middles = np.array([point + (a + b) / 2 * way for a, b in pieces])
    are_edges, signs = _wedge(boundary, i, j, middles)
    run: list[float] = []
    last = len(pieces) - 1
    for place, (a, b) in enumerate(pieces):
        if are_edges[place]:
            run = [run[0] if run else a, b]
        if run and (place == last or not are_edges[place + 1] or np.any(signs[place + 1] != signs[place])):
            inwards = _inwards(boundary, i, j, middles[place], signs[place])
            if inwards is not None:
                yield _bar(point + run[0] * way, way, run[1] - run[0], inwards)
            run = []


def _bar(
    start: Floats, way: Floats, length: float, inwards: tuple[Floats, ...]
) -> tuple[Feature, list[_End]]:
    middle = start + length / 2 * way
    feature = Feature(EDGE, start, way, 0.0, length, inwards, middle=middle, reach=length / 2)
    return feature, [_End(start, way, ""), _End(start + length * way, -way, "")]


def _crossings(leaf: Leaf, point: Floats, way: Floats) -> list[float]:
    """Where a line meets a leaf, as lengths along it."""
    away = point - leaf.point
    if leaf.kind == PLANE:
        slope = float(way @ leaf.axis)
        return [-float(away @ leaf.axis) / slope] if abs(slope) > 1e-12 else []
    if leaf.kind == CONE_LEAF:
        return _crossings_of_cone(leaf, away, way)
    along = way
    if leaf.kind == BAR:
        away = away - (away @ leaf.axis) * leaf.axis
        along = way - (way @ leaf.axis) * leaf.axis
    a, b, c = float(along @ along), float(along @ away), float(away @ away) - leaf.radius**2
    if a < 1e-20 or b * b <= a * c:
        return []
    root = math.sqrt(b * b - a * c)
    return [(-b - root) / a, (-b + root) / a]


def _crossings_of_cone(leaf: Leaf, away: Floats, way: Floats) -> list[float]:
    """Where a line meets a cone: radius² cos² = along² sin², before its apex."""
    slope, start, squared = float(way @ leaf.axis), float(away @ leaf.axis), leaf.cosine**2
    a = squared - slope**2
    b = squared * float(way @ away) - slope * start
    c = squared * float(away @ away) - start**2
    if abs(a) < 1e-14:
        found = [-c / (2 * b)] if abs(b) > 1e-14 else []
    elif b * b <= a * c:
        found = []
    else:
        root = math.sqrt(b * b - a * c)
        found = [(-b - root) / a, (-b + root) / a]
    return sorted(s for s in found if start + s * slope > 0)


def _round(
    boundary: Boundary, i: int, j: int, centre: Floats, axis: Floats, radius: float
) -> Iterator[tuple[Feature, list[_End]]]:
    """The convex arcs of a circle in which two leaves meet."""
    zero = np.linalg.svd(axis[None])[2][1]
    quarter = cross(axis, zero)

    def at(angle: float | Floats) -> Floats:
        around = np.outer(np.cos(angle), zero) + np.outer(np.sin(angle), quarter)
        return np.asarray(centre + radius * around)

    def is_edge(angles: Floats) -> Inside:
        return _wedge(boundary, i, j, at(angles))[0]

    angles = (np.arange(AROUND) + 0.37) * 2 * math.pi / AROUND
    are_edges, signs = _wedge(boundary, i, j, at(angles))
    for first, last in _arcs(angles, are_edges, is_edge):
        middle = (first + last) / 2
        toward = at(middle)[0]
        place = int(np.argmin(np.abs((angles - middle + math.pi) % (2 * math.pi) - math.pi)))
        inwards = _inwards(boundary, i, j, toward, signs[place])
        if inwards is None:
            continue
        radial = (toward - centre) / radius
        meridian = tuple(np.array([way @ radial, way @ axis, 0.0]) for way in inwards)
        ends = []
        for angle, way in ((first, 1.0), (last, -1.0)):
            tangent = -math.sin(angle) * zero + math.cos(angle) * quarter
            ends.append(_End(at(angle)[0], way * tangent, ""))
        whole = last - first > 2 * math.pi - 1e-9
        for number, (start, half) in enumerate(_overlapping(first, last, whole)):
            toward = (at(start + half)[0] - centre) / radius
            arc = _arc(centre, axis, radius, half, (toward, *meridian))
            arc = replace(arc, around=start - first) if whole else arc
            yield arc, [] if whole or number else ends
            yield replace(arc, side=-1), []


def _overlapping(first: float, last: float, whole: bool) -> list[tuple[float, float]]:
    """Arcs, by their starts and half spans, each of which goes on to the middle of the next."""
    pieces = max(2, math.ceil((last - first) / STANDS - 1e-9))
    step = (last - first) / pieces
    return [(first + place * step, step) for place in range(pieces if whole else pieces - 1)]


def _arc(centre: Floats, axis: Floats, radius: float, half: float, ways: tuple[Floats, ...]) -> Feature:
    """An arc of a rim, by half its span, around the first of its ways."""
    middle = centre + radius * math.cos(half) * ways[0]
    reach = radius * max(math.sin(half), 1 - math.cos(half))
    return Feature(RIM, centre, axis, radius, math.cos(half), ways, middle=middle, reach=reach)


def _arcs(
    angles: Floats, are_edges: Inside, is_edge: Callable[[Floats], Inside]
) -> Iterator[tuple[float, float]]:
    """From which angle to which a circle is an edge, found as closely as numbers allow."""
    if are_edges.all():
        yield 0.0, 2 * math.pi
        return
    count, step = len(angles), float(angles[1] - angles[0])
    for place in range(count):
        if not are_edges[place] or are_edges[place - 1]:
            continue
        length = next(k for k in range(1, count + 1) if not are_edges[(place + k) % count])
        first = _boundary_angle(float(angles[place]), float(angles[place]) - step, is_edge)
        end = float(angles[place]) + (length - 1) * step
        yield first, _boundary_angle(end, end + step, is_edge)


def _boundary_angle(inside: float, outside: float, is_edge: Callable[[Floats], Inside]) -> float:
    for _ in range(CUTS):
        angles = np.linspace(inside, outside, PIECES + 1)
        last = int(np.argmin([*is_edge(angles[1:-1]), False]))  # before the first that is none
        inside, outside = float(angles[last]), float(angles[last + 1])
    return inside


# ------------------------------------------------------------------------------------------- corners


def _corners(ends: Sequence[_End], near: float) -> list[Feature]:
    """The corners in which edges end, each once."""
    groups: list[list[_End]] = []
    for end in ends:
        own = next((group for group in groups if math.dist(group[0].point, end.point) <= near), None)
        if own is None:
            groups.append([end])
        else:
            own.append(end)
    found = []
    for group in groups:
        ways = tuple(end.way for end in group[:WAYS])
        point = group[0].point
        found.append(Feature(CORNER, point, ways[0], ways=ways, middle=point, label=group[0].label))
    return found
