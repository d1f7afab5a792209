"""The features of a solid in space by which it touches others: corners, edges, rims, and the faces between them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Final

import numpy as np

from linkwork.contact.boundary import ALIKE, BAR, EVERYWHERE, PLANE, Boundary, Surface
from linkwork.contact.boundary import CONE as CONE_LEAF
from linkwork.contact.boundary_cells import Cells
from linkwork.contact.meeting_curves import SMOOTH, Circle, Straight, curves
from linkwork.solid.placement import Floats, cross
from linkwork.solid.values import Inside

CORNER, EDGE, RIM, FLAT, CONE, BOWL, PIPE, FUNNEL = range(8)
"""The kinds of the engine: balls (corners if their radius is 0), bars (edges), rims, planes, cones, hollow balls, bars
and cones."""
NOUNS: Final = ("corner", "edge", "rim", "face", "side", "hollow", "hollow", "hollow")
WAYS: Final = 4
"""Directions that are told of a corner."""
STANDS: Final = math.pi / 4
"""Rims are told in arcs that are twice as long, each beginning in the middle of the one before: a disc that lies flat
stands on the middles, and one that rolls goes over from arc to arc without doubt."""
BESIDE: Final = 1e-3
"""Tangent of the angle between a face and where it is looked whether the solid is behind it."""
WEDGES: Final = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
"""On which sides of two leaves each of the wedges between them is."""


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
    cells = Cells(boundary)
    for (i, j), label in _pairs_that_meet(boundary).items():
        for feature, its_ends in _edges(cells, i, j):
            found.append(replace(feature, label=label))
            ends += [replace(end, label=label) for end in its_ends]
    for surface in boundary.surfaces:
        ends += _apex(boundary, surface)
    return found + _corners(ends, 1e3 * ALIKE * boundary.size)


def _pairs_that_meet(boundary: Boundary) -> dict[tuple[int, int], str]:
    """The pairs of leaves of which two surfaces may meet, with a label."""
    surfaces = boundary.surfaces
    lows, highs = (np.array([getattr(each, end) for each in surfaces]) for end in ("low", "high"))
    near = ALIKE * boundary.size
    found: dict[tuple[int, int], str] = {}
    for place, one in enumerate(surfaces):
        meets = np.all(
            (lows[place + 1 :] <= one.high + near) & (highs[place + 1 :] >= one.low - near), axis=1
        )
        for other in (surfaces[place + 1 + k] for k in np.flatnonzero(meets)):
            if other.leaf != one.leaf:
                pair = min(one.leaf, other.leaf), max(one.leaf, other.leaf)
                found.setdefault(pair, one.label or other.label)
    return found


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
        start, half = leaf.point + surface.span[0] * leaf.axis, (surface.span[1] - surface.span[0]) / 2
        around = math.hypot(half, leaf.radius)
        return Feature(
            kind,
            start,
            leaf.axis,
            leaf.radius,
            2 * half,
            middle=start + half * leaf.axis if around < reach else middle,
            reach=min(around, reach),
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
    one, other = leaf.drawn_x, cross(leaf.axis, leaf.drawn_x)
    return [
        _End(leaf.point, leaf.cosine * leaf.axis + leaf.radius * way, surface.label)
        for way in (one, other, -one, -other)
    ]


# --------------------------------------------------------------------------------------------- edges


def _edges(cells: Cells, i: int, j: int) -> Iterator[tuple[Feature, list[_End]]]:
    """The convex edges in which two leaves meet, in the box in which both are faces."""
    whole = cells.whole
    if whole.leaves[i].kind != PLANE and whole.leaves[j].kind == PLANE:
        i, j = j, i
    low, high = np.maximum(cells.box(i)[0], cells.box(j)[0]), np.minimum(cells.box(i)[1], cells.box(j)[1])
    margin = ALIKE * whole.size
    for curve in curves(whole.leaves[i], whole.leaves[j]):
        here = cells.within(low, high) if curve.may_pass(low - margin, high + margin) else None
        if here is None or not {i, j} <= here.used:
            continue
        yield from _straight(here, i, j, curve) if isinstance(curve, Straight) else _round(here, i, j, curve)


def _wedge(boundary: Boundary, i: int, j: int, points: Floats) -> tuple[Inside, Floats]:
    """At points where two leaves meet: whether the solid fills just one of the four wedges, and the signs of it.

    It fills it from the one leaf to the other: what another leaf through the same points bounds is an edge of that one.
    """
    found, signs = np.zeros(len(points), dtype=bool), np.zeros((len(points), 2))
    on = np.flatnonzero(boundary.holds(points))
    on = on[np.abs(boundary.value(points[on])) <= ALIKE * boundary.size]
    if not len(on):
        return found, signs
    borders, normals = _borders(boundary, i, j, points[on], WEDGES)
    beside = [
        way + side * BESIDE * off for way, off in zip(borders, normals, strict=True) for side in (1, -1)
    ]
    within, *values = boundary.around(points[on])(np.array([borders[0] + borders[1], *beside]))
    is_filled = within < 0
    for wedge, filled in zip(WEDGES, is_filled, strict=True):
        signs[on[filled]] = wedge
    bounds = is_filled & (values[0] < 0) & (values[1] > 0) & (values[2] < 0) & (values[3] > 0)
    found[on] = bounds.any(axis=0) & (is_filled.sum(axis=0) == 1)
    return found, signs


def _borders(
    boundary: Boundary, i: int, j: int, points: Floats, wedges: Floats
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """The directions along both leaves, across where they meet, between which wedges are; and from each into it.

    Rows are those of the wedges, and of points in each.
    """
    one, other = (boundary.leaves[place].normals(points) for place in (i, j))
    along = np.einsum("ij,ij->i", one, other)[:, None]
    across = other - along * one, one - along * other
    first, second = (way / np.maximum(np.linalg.norm(way, axis=1), SMOOTH)[:, None] for way in across)
    by_one, by_other = wedges[:, :1, None], wedges[:, 1:, None]
    return (by_other * first, by_one * second), (by_one * one, by_other * other)


def _inwards(boundary: Boundary, i: int, j: int, point: Floats, signs: Floats) -> tuple[Floats, ...] | None:
    """The directions along both faces into the solid, across the edge; None where there is no edge to feel."""
    borders, _ = _borders(boundary, i, j, point[None], signs[None])
    found = tuple(border[0, 0] for border in borders)
    return found if min(math.hypot(*each) for each in found) > 1 / 2 else None


def _straight(boundary: Boundary, i: int, j: int, line: Straight) -> Iterator[tuple[Feature, list[_End]]]:
    """The convex pieces of a line in which two leaves meet."""
    point, way = line.point, line.way
    crossings = sorted(
        s
        for place in sorted(boundary.used - {i, j})
        for s in line.crossings(boundary.leaves[place])
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


def _round(boundary: Boundary, i: int, j: int, circle: Circle) -> Iterator[tuple[Feature, list[_End]]]:
    """The convex arcs of a circle in which two leaves meet."""
    centre, axis, radius = circle.centre, circle.axis, circle.radius
    for first, last, signs in _arcs(boundary, i, j, circle):
        toward = circle.at((first + last) / 2)[0]
        inwards = _inwards(boundary, i, j, toward, signs)
        if inwards is None:
            continue
        radial = (toward - centre) / radius
        meridian = tuple(np.array([way @ radial, way @ axis, 0.0]) for way in inwards)
        ends = []
        for angle, way in ((first, 1.0), (last, -1.0)):
            tangent = -math.sin(angle) * circle.zero + math.cos(angle) * circle.quarter
            ends.append(_End(circle.at(angle)[0], way * tangent, ""))
        whole = last - first > 2 * math.pi - 1e-9
        for number, (start, half) in enumerate(_overlapping(first, last, whole)):
            toward = (circle.at(start + half)[0] - centre) / radius
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


def _arcs(boundary: Boundary, i: int, j: int, circle: Circle) -> Iterator[tuple[float, float, Floats]]:
    """From which angle to which a circle is an edge, and the signs of the wedge there."""
    near = ALIKE * boundary.size / circle.radius
    angles = sorted(
        angle % (2 * math.pi)
        for place in sorted(boundary.used - {i, j})
        for angle in circle.crossings(boundary.leaves[place])
    )
    starts = [angle for k, angle in enumerate(angles) if not k or angle - angles[k - 1] > near] or [0.0]
    pieces = list(pairwise([*starts, starts[0] + 2 * math.pi]))
    are_edges, signs = _wedge(boundary, i, j, circle.at(np.array([(a + b) / 2 for a, b in pieces])))
    if are_edges.all():
        yield 0.0, 2 * math.pi, signs[0]
        return
    goes_on = [
        bool(are_edges[k] and are_edges[k - 1] and np.all(signs[k] == signs[k - 1]))
        for k in range(len(pieces))
    ]
    for place in (k for k in range(len(pieces)) if are_edges[k] and not goes_on[k]):
        count = next(n for n in range(1, len(pieces) + 1) if not goes_on[(place + n) % len(pieces)])
        first, last = pieces[place][0], pieces[(place + count - 1) % len(pieces)][1]
        yield first, last if last > first else last + 2 * math.pi, signs[place]


# ------------------------------------------------------------------------------------------- corners


def _corners(ends: Sequence[_End], near: float) -> list[Feature]:
    """The corners in which edges end, each once."""
    groups: list[list[_End]] = []
    cells: dict[tuple[int, ...], list[int]] = {}
    for end in ends:
        own = tuple(int(each) for each in np.floor(end.point / near))
        around = (tuple(map(sum, zip(own, by, strict=True))) for by in product((0, -1, 1), repeat=3))
        close = (place for cell in around for place in cells.get(cell, ()))
        place = next((each for each in close if math.dist(groups[each][0].point, end.point) <= near), None)
        if place is None:
            cells.setdefault(own, []).append(len(groups))
            groups.append([end])
        else:
            groups[place].append(end)
    found = []
    for group in groups:
        ways = tuple(end.way for end in group[:WAYS])
        point = group[0].point
        found.append(Feature(CORNER, point, ways[0], ways=ways, middle=point, label=group[0].label))
    return found
