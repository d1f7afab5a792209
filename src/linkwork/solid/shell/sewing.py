"""Faces sewn together: edges that meet are one, and faces of one surface become one face.

CAD programs cut a round face at a seam, or into two halves; a machine's shaft has one face there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, cross, triple
from linkwork.solid.shell.distance import slope
from linkwork.solid.shell.edge import Edge, Loop, joined
from linkwork.solid.shell.patch import Patch, plane_patch, round_patch
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace

Key = tuple[int, int]

SAME_PLACE: Final = 1e-7
"""How far apart two surfaces may be that count as one, in sizes of the body."""
SAME_WAY: Final = 1e-8
"""How far apart directions may be that count as one, as a sine."""


@dataclass(frozen=True)
class Border:
    """An edge as a face uses it; ``key`` is the same for the two faces that meet there, ``along`` is not."""

    edge: Edge
    key: Key
    along: bool

    def reversed(self) -> Border:
        """The same the other way."""
        return Border(self.edge.reversed(), self.key, not self.along)


@dataclass(frozen=True)
class Piece:
    """A face as a file has it; the ranges of its surface's coordinates are left open."""

    surface: Face
    loops: Sequence[Sequence[Border]]
    outward: bool
    deviation: float = 0.0
    """How far it may be from a face of another kind that it stands for."""

    def reversed(self) -> Piece:
        """The same with the material on the other side."""
        loops = [[border.reversed() for border in loop[::-1]] for loop in self.loops]
        return replace(self, loops=loops, outward=not self.outward)


def sewn(pieces: Sequence[Piece], size: float) -> tuple[Patch, ...]:
    """The faces of a shell, those of one surface that meet made one."""
    group = _groups(pieces, size)
    members: dict[int, list[Piece]] = {}
    for place, piece in enumerate(pieces):
        members.setdefault(group[place], []).append(piece)
    return tuple(_patch(each) for each in members.values())


def matched(pieces: Sequence[Piece], tolerance: float) -> tuple[list[Piece], list[Border]]:
    """The pieces, in which borders of different keys that lie at one place share a key; and borders that stay alone."""
    borders = [border for piece in pieces for loop in piece.loops for border in loop]
    count = Counter((border.key, border.along) for border in borders)
    lone = [
        border for border in borders if count[border.key, not border.along] != count[border.key, border.along]
    ]
    partner = _partners(lone, tolerance) if lone else {}
    renamed = {
        id(lone[place]): Border(lone[place].edge, lone[other].key, not lone[other].along)
        for place, other in partner.items()
    }
    known = {*partner, *partner.values()}
    left = [border for place, border in enumerate(lone) if place not in known]
    if not renamed:
        return list(pieces), left
    loops = (
        [[renamed.get(id(border), border) for border in loop] for loop in piece.loops] for piece in pieces
    )
    return [replace(piece, loops=each) for piece, each in zip(pieces, loops, strict=True)], left


def _partners(lone: Sequence[Border], tolerance: float) -> dict[int, int]:
    """Which border runs back along which: those are compared whose middles fall into one cell or beside it."""
    starts, middles, ends = (
        np.concatenate([each.edge.at(np.array([t])) for each in lone]) for t in (0.0, 0.5, 1.0)
    )
    width = 4 * tolerance
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    cells: dict[tuple[int, ...], list[int]] = {}
    found: dict[int, int] = {}
    for place, middle in enumerate(middles):
        near = {tuple(cell) for cell in np.floor((middle + tolerance * corners) / width).astype(int).tolist()}
        waiting = sorted(other for cell in near for other in cells.get(cell, ()))
        other = next((each for each in waiting if _meet(starts, middles, ends, place, each, tolerance)), None)
        own = tuple(np.floor(middle / width).astype(int).tolist())
        if other is None:
            cells.setdefault(own, []).append(place)
        else:
            found[place] = other
            cells[tuple(np.floor(middles[other] / width).astype(int).tolist())].remove(other)
    return found


def _meet(starts: Floats, middles: Floats, ends: Floats, place: int, other: int, tolerance: float) -> bool:
    pairs = ((starts[place], ends[other]), (ends[place], starts[other]), (middles[place], middles[other]))
    return all(math.dist(a, b) <= tolerance for a, b in pairs)


# -------------------------------------------------------------------------------- faces of one surface


def _groups(pieces: Sequence[Piece], size: float) -> list[int]:
    """For each piece the first one that it hangs together with on one surface."""
    owner = list(range(len(pieces)))

    def root(place: int) -> int:
        while owner[place] != place:
            owner[place] = owner[owner[place]]
            place = owner[place]
        return place

    users: dict[Key, list[int]] = {}
    for place, piece in enumerate(pieces):
        for loop in piece.loops:
            for border in loop:
                users.setdefault(border.key, []).append(place)
    for places in users.values():
        for other in places[1:]:
            first, second = pieces[places[0]], pieces[other]
            if root(places[0]) != root(other) and is_same_surface(first, second, size):
                low, high = sorted((root(places[0]), root(other)))
                owner[high] = low
    return [root(place) for place in range(len(pieces))]


def is_same_surface(first: Piece, second: Piece, size: float) -> bool:
    """Whether two faces lie on one surface, with the material on the same side."""
    one, other = first.surface, second.surface
    near = SAME_PLACE * size
    if isinstance(one, PlaneFace) and isinstance(other, PlaneFace):
        sides = [1.0 if each.outward else -1.0 for each in (first, second)]
        normals = [side * np.array(plane.normal) for side, plane in zip(sides, (one, other), strict=True)]
        apart = abs(float(normals[0] @ (np.array(other.point) - np.array(one.point))))
        return _is_parallel(*normals) and float(normals[0] @ normals[1]) > 0 and apart <= near
    if first.outward != second.outward:
        return False
    if isinstance(one, SphereFace) and isinstance(other, SphereFace):
        return math.dist(one.point, other.point) <= near and abs(one.radius - other.radius) <= near
    if isinstance(one, TorusFace) and isinstance(other, TorusFace):
        sizes = max(
            abs(one.radius - other.radius), abs(one.tube - other.tube), math.dist(one.point, other.point)
        )
        return sizes <= near and _is_parallel(np.array(one.axis), np.array(other.axis))
    if isinstance(one, RoundFace) and isinstance(other, RoundFace):
        return _is_same_round(one, other, near)
    return False


def _is_same_round(one: RoundFace, other: RoundFace, near: float) -> bool:
    axis = np.array(one.axis)
    if not _is_parallel(axis, np.array(other.axis)):
        return False
    offset = np.array(other.point) - np.array(one.point)
    height = float(axis @ offset)
    aside = float(np.linalg.norm(offset - height * axis))
    grows, other_grows = slope(one), slope(other) * float(np.sign(axis @ np.array(other.axis)))
    radius = one.radius + grows * height
    return aside <= near and abs(radius - other.radius) <= near and abs(grows - other_grows) <= SAME_WAY


def _is_parallel(one: Floats, other: Floats) -> bool:
    return float(np.linalg.norm(cross(one, other))) <= SAME_WAY


def _patch(pieces: Sequence[Piece]) -> Patch:
    return replace(_exact_patch(pieces), deviation=max(piece.deviation for piece in pieces))


def _exact_patch(pieces: Sequence[Piece]) -> Patch:
    surface, outward = pieces[0].surface, pieces[0].outward
    loops = [_plain(loop) for loop in _spliced([loop for piece in pieces for loop in piece.loops])]
    if isinstance(surface, PlaneFace):
        normal = np.array(surface.normal) * (1.0 if outward else -1.0)
        return plane_patch(surface.point, triple(normal), loops, along=surface.along)
    if isinstance(surface, RoundFace):
        return round_patch(
            surface.point, surface.axis, surface.zero, surface.radius, slope(surface), loops, outward=outward
        )
    return Patch(surface, tuple(loops), outward)


def _spliced(loops: Sequence[Sequence[Border]]) -> list[list[Border]]:
    """Loops without the edges that are passed both ways: there the face goes on.

    What came before such an edge is followed by what comes after its other passage.
    """
    borders = [border for loop in loops for border in loop]
    following, before = list(range(len(borders))), list(range(len(borders)))
    start = 0
    for loop in loops:
        for place in range(len(loop)):
            here, after = start + place, start + (place + 1) % len(loop)
            following[here], before[after] = after, here
        start += len(loop)
    passed: dict[tuple[Key, bool], int] = {}
    gone: set[int] = set()
    for place, border in enumerate(borders):
        other = passed.pop((border.key, not border.along), None)
        if other is None:
            passed[border.key, border.along] = place
            continue
        gone |= {place, other}
        for first, second in ((place, other), (other, place)):
            behind, ahead = before[first], following[second]
            following[behind], before[ahead] = ahead, behind
    return _cycles(borders, following, gone)


def _cycles(borders: Sequence[Border], following: Sequence[int], gone: set[int]) -> list[list[Border]]:
    found, seen = [], set(gone)
    for place in range(len(borders)):
        cycle = []
        while place not in seen:
            seen.add(place)
            cycle.append(borders[place])
            place = following[place]
        if cycle:
            found.append(cycle)
    return found


def _plain(loop: Sequence[Border]) -> Loop:
    """The edges of a loop, those that continue each other made one."""
    edges: list[Edge] = []
    for border in loop:
        one = joined(edges[-1], border.edge) if edges else None
        if one is None:
            edges.append(border.edge)
        else:
            edges[-1] = one
    while len(edges) > 1 and (one := joined(edges[-1], edges[0])) is not None:
        edges = [*edges[1:-1], one]
    return tuple(edges)
