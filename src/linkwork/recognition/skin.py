"""The skin of a part: the faces that bound it, no larger than they do, and points on faces."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body
from linkwork.recognition.faces import Faces
from linkwork.recognition.flats import Flats, parallel_pairs
from linkwork.recognition.rounds import Rounds
from linkwork.solid import Face, PlaneFace, RoundFace, SphereFace, TorusFace
from linkwork.solid.placement import Floats, cross, unit
from linkwork.solid.surface import TURN
from linkwork.solid.values import Inside

LOOKS = 8
"""At how many places along each of its sides a face is looked at."""
AROUND = 16
"""At how many angles a round one is looked at."""
QUARTERINGS = 3
"""How often the place where a face ceases to bound its part is looked for four times as closely."""
MANY = 100_000
"""Of how many pairs of edges and faces on each plane but one face is looked at."""
UPRIGHT = 1e-9
"""How little planes may lean that are across a line: 1 less the cosine of the angle."""
QUARTERS = np.array([0.25, 0.5, 0.75])
SHARES = (np.arange(LOOKS) + 0.5) / LOOKS
TURNS = (np.arange(AROUND) + 0.5) / AROUND

Places = NDArray[np.intp]
Samples = tuple[Floats, Floats]
"""Points and the normals there."""


def skin(body: Body) -> Faces:
    """The faces of a part that truly bound it, cut to where they do, with the labels of their solids or its name."""
    return body.bounding.named(body.name)


def bounding(body: Body) -> Faces:
    """The faces of a part that truly bound it, cut to where they do."""
    flat, curved = np.flatnonzero(~_bare(body, body.flats)), np.flatnonzero(~_bare(body, body.round_arrays))
    flats, rounds = body.flats.only(flat), body.round_arrays.only(curved)
    on_flats, on_rounds = _looked_at(body, [plane_samples(flats), round_samples(rounds)])
    grid = on_flats.reshape(len(flats), LOOKS, LOOKS)
    walls = on_rounds.reshape(len(rounds), LOOKS, AROUND)
    edges = [_plane_edges(flats, grid), _along_edges(rounds, walls), _around_edges(rounds, walls)]
    ranges, spans, turns = _cut(body, edges)
    every = body.round_arrays
    cut = replace(
        body.faces,
        flats=replace(body.flats, ranges=_with(body.flats.ranges, flat, ranges)),
        rounds=every.reaching(_with(every.spans, curved, spans), _with(every.angles, curved, turns)),
    )
    others = [bool(body.is_surface(*samples_of(face)).any()) for face in body.others]
    return cut.only(
        _with(np.ones(len(body.flats), dtype=bool), flat, np.any(grid, axis=(1, 2))),
        _with(np.ones(len(body.round_arrays), dtype=bool), curved, np.any(walls, axis=(1, 2))),
        others,
    )


def _with(values: NDArray[Any], places: Places, others: NDArray[Any]) -> NDArray[Any]:
    """Values with others at some places."""
    found = values.copy()
    found[places] = others
    return found


def _bare(body: Body, faces: Flats | Rounds) -> Inside:
    """Which faces bound their part all over, since no other solid of it comes near."""
    low, high = faces.boxes
    return body.membership.bare(low - body.skin, high + body.skin)


def _looked_at(body: Body, samples: Sequence[Samples]) -> list[Inside]:
    """Whether points lie on the surface of a part: several sets of them, all looked at together."""
    points, normals = (
        np.vstack([each.reshape(-1, 3) for each in every]) for every in zip(*samples, strict=True)
    )
    found = body.is_surface(points, normals)
    ends = np.cumsum([len(each.reshape(-1, 3)) for each, _ in samples])
    return np.split(found, ends[:-1])


# ---------------------------------------------------------------------------------------------- edges


@dataclass(eq=False)
class _Edges:
    """Edges of faces that may reach too far: between which coordinates each face ceases to bound its part.

    ``at`` gives, for coordinates of each, points on lines across the faces there, in a row for each edge. ``lines`` are
    the origins and the directions of the coordinates where they are lengths. ``put`` tells the extents of the faces
    with the edges that were found.
    """

    inside: Floats
    outside: Floats
    at: Callable[[Floats], Samples]
    put: Callable[[Floats], Floats]
    lines: tuple[Floats, Floats] | None = None

    def narrow(self, quarters: Inside) -> None:
        """Halve twice what is between both coordinates, by whether there is skin at each quarter of it."""
        between = (self.outside - self.inside) / 4
        first, middle, last = quarters.T
        beyond = np.where(middle, np.where(last, 4, 3), np.where(first, 2, 1))
        self.outside = self.inside + beyond * between
        self.inside = self.inside + (beyond - 1) * between

    def marks(self, flats: Flats) -> tuple[Floats, Inside]:
        """Planes of the part across the lines between both coordinates: where they are, and whether there are any."""
        if self.lines is None or not len(flats):
            return self.outside, np.zeros(len(self.outside), dtype=bool)
        origins, ways = self.lines
        if len(ways) * len(flats) > MANY:  # the holes of a plate end in the same two planes
            planes = np.column_stack([flats.normals, flats.offsets])
            flats = flats.only(np.sort(np.unique(planes, axis=0, return_index=True)[1]))
        best = np.full(len(ways), -np.inf)
        for own, place in parallel_pairs(ways, flats.normals, UPRIGHT):
            mark = np.einsum("ij,ij->i", flats.points[place] - origins[own], ways[own])
            share = (mark - self.inside[own]) / (self.outside - self.inside)[own]
            may = (share >= -1e-6) & (share <= 1)
            np.maximum.at(best, own[may], share[may])
        return self.inside + np.maximum(best, 0.0) * (self.outside - self.inside), np.isfinite(best)


def _cut(body: Body, edges: Sequence[_Edges]) -> list[Floats]:
    """The extents of faces cut to where they bound the part, all together: exactly where a plane is the end."""
    searched = [each for each in edges if len(each.inside)]
    for _ in range(QUARTERINGS):
        quarters = [
            each.inside[:, None] + QUARTERS * (each.outside - each.inside)[:, None] for each in searched
        ]
        for each, are_skin in zip(searched, _bounding(body, searched, quarters), strict=True):
            each.narrow(are_skin)
    marks = [each.marks(body.flats) for each in searched]
    beyond = [(mark + each.outside)[:, None] / 2 for each, (mark, _) in zip(searched, marks, strict=True)]
    for each, (mark, may), are_skin in zip(searched, marks, _bounding(body, searched, beyond), strict=True):
        each.outside = np.where(may & ~are_skin[:, 0], mark, each.outside)
    return [each.put(each.outside) for each in edges]


def _bounding(body: Body, edges: Sequence[_Edges], at: Sequence[Floats]) -> list[Inside]:
    """Whether faces bound the part anywhere on the lines across them at some coordinates of each."""
    if not edges:
        return []
    samples = [each.at(coordinates) for each, coordinates in zip(edges, at, strict=True)]
    found = _looked_at(body, samples)
    return [
        np.logical_or.reduce(each.reshape(*where.shape, -1), axis=2)
        for each, where in zip(found, at, strict=True)
    ]


def _along_lines(starts: Floats, ways: Floats, normals: Floats) -> Callable[[Floats], Samples]:
    """Points that go on along straight lines, some for each edge, and the normals, which stay the same."""

    def at(coordinates: Floats) -> Samples:
        points = starts[:, None] + coordinates[..., None, None] * ways[:, None, None]
        return points, np.broadcast_to(normals[:, None], points.shape)

    return at


def _ends(rows: Inside) -> tuple[Places, Places]:
    """The first and the last place in each row that is true."""
    return np.argmax(rows, axis=1), rows.shape[1] - 1 - np.argmax(rows[:, ::-1], axis=1)


def _to_cut(rows: Inside) -> tuple[Places, Places, Floats, Floats]:
    """The edges at which faces do not bound their part all along, by what is true along each: face, end, and shares."""
    faces = np.flatnonzero(rows.any(axis=1))
    first, last = _ends(rows[faces])
    ends = np.repeat([0, 1], len(faces))
    places, beyond = np.concatenate([first, last]), np.concatenate([first - 1, last + 1])
    cut = (beyond >= 0) & (beyond < rows.shape[1])
    return np.tile(faces, 2)[cut], ends[cut], SHARES[places[cut]], SHARES[beyond[cut]]


def _plane_edges(flats: Flats, grid: Inside) -> _Edges:
    """The edges of plane faces, along both of their coordinates."""
    both = [_to_cut(np.any(grid, axis=1 + coordinate)) for coordinate in (0, 1)]
    along = np.repeat([0, 1], [len(faces) for faces, *_ in both])
    faces, ends, inside, outside = (np.concatenate(each) for each in zip(*both, strict=True))
    low, size = flats.ranges[faces, along, 0], flats.sizes[faces, along]
    points, ways, across = (flats.frames[faces, place] for place in (0, 1 + along, 2 - along))
    others = flats.ranges[faces, 1 - along, 0][:, None] + SHARES * flats.sizes[faces, 1 - along][:, None]
    starts = points[:, None] + others[..., None] * across[:, None]

    def put(found: Floats) -> Floats:
        ranges = flats.ranges.copy()
        ranges[faces, along, ends] = found
        return ranges

    at = _along_lines(starts, ways, flats.normals[faces, None])
    return _Edges(low + inside * size, low + outside * size, at, put, (points, ways))


def _along_edges(rounds: Rounds, grid: Inside) -> _Edges:
    """The edges of cylinders along their axes."""
    faces, ends, inside, outside = _to_cut(grid.any(axis=2) & rounds.are_cylinders[:, None])
    some = rounds.only(faces)
    radial = some.radial(some.angles[:, :1] + TURNS * some.angles[:, 1:])
    at = _along_lines(some.points[:, None] + some.radii[:, :1, None] * radial, some.axes, radial)

    def put(found: Floats) -> Floats:
        spans = rounds.spans.copy()
        spans[faces, ends] = found
        return spans

    low, high = (some.spans[:, 0] + share * some.lengths for share in (inside, outside))
    return _Edges(low, high, at, put, (some.points, some.axes))


def _around_edges(rounds: Rounds, grid: Inside) -> _Edges:
    """The edges of round faces around their axes: the smallest piece is kept that has all that bounds the part."""
    rows = np.any(grid, axis=1)
    faces = np.flatnonzero(rows.any(axis=1) & ~rows.all(axis=1))
    is_whole = rounds.angles[faces, 1] > TURN - 1e-9
    first, last = _arcs(rows[faces], is_whole)
    start, size = np.tile(rounds.angles[faces].T, 2)
    some = rounds.only(np.tile(faces, 2))
    shares = np.broadcast_to(SHARES, (len(some), LOOKS))
    places, beyond = np.concatenate([first, last]), np.concatenate([first - 1, last + 1])
    inside, outside = (start + (each + 0.5) / AROUND * size for each in (places, beyond))
    is_edge = np.tile(~is_whole, 2) & ((beyond < 0) | (beyond >= AROUND))
    edges = np.where(np.arange(len(some)) < len(faces), start, start + size)

    def put(found: Floats) -> Floats:
        angles = rounds.angles.copy()
        low, high = np.where(is_edge, edges, found).reshape(2, -1)
        angles[faces] = np.column_stack([low, np.minimum(high - low, TURN)])
        return angles

    def at(angles: Floats) -> Samples:
        points, normals = some.at(angles, shares)
        return points.swapaxes(1, 2), normals.swapaxes(1, 2)

    return _Edges(inside, outside, at, put)


def _arcs(rows: Inside, is_whole: Inside) -> tuple[Places, Places]:
    """From which angle to which rows are true; on whole circles beside the widest gap, perhaps beyond the last."""
    first, last = _ends(rows)
    for place in np.flatnonzero(is_whole):
        true = np.flatnonzero(rows[place])
        gaps = np.diff(true, append=true[0] + AROUND)
        widest = int(np.argmax(gaps))
        first[place] = true[(widest + 1) % len(true)]
        last[place] = true[widest] + (AROUND if true[widest] < first[place] else 0)
    return first, last


# ----------------------------------------------------------------------------------------------- points


def samples_of(face: Face) -> Samples:
    """Points of a face and its normals there."""
    if isinstance(face, PlaneFace):
        return plane_samples(Flats.of([face]))
    if isinstance(face, RoundFace):
        return round_samples(Rounds.of([face]))
    if isinstance(face, SphereFace):
        ways = octants()
        return np.array(face.point) + face.radius * ways, ways
    return _torus_samples(face)


def plane_samples(flats: Flats) -> Samples:
    """Points of plane faces, those of each together, and their normals there."""
    points = flats.on_grid(SHARES).reshape(-1, 3)
    return points, np.repeat(flats.normals, LOOKS * LOOKS, axis=0)


def round_samples(rounds: Rounds) -> Samples:
    """Points of round faces, those of each together, and their normals there."""
    shares = np.broadcast_to(SHARES, (len(rounds), LOOKS))
    points, normals = rounds.at(rounds.angles[:, :1] + TURNS * rounds.angles[:, 1:], shares)
    return points.reshape(-1, 3), normals.reshape(-1, 3)


def _torus_samples(face: TorusFace) -> Samples:
    """Points all around a torus, at all angles of its tube, and their normals there."""
    axis = np.array(face.axis)
    zero = np.array(unit(cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])))
    turns = TURNS * TURN
    radial = np.outer(np.cos(turns), zero) + np.outer(np.sin(turns), cross(axis, zero))
    ways = np.cos(turns)[:, None, None] * radial + np.sin(turns)[:, None, None] * axis
    points = np.array(face.point) + face.radius * radial + face.tube * ways
    return points.reshape(-1, 3), ways.reshape(-1, 3)


@cache
def octants() -> Floats:
    """Unit vectors to the corners, edges and faces of a cube."""
    every = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    ways = np.array(every, dtype=float)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))


def spread_ways(count: int) -> Floats:
    """Directions spread evenly over the sphere."""
    height = 1 - (2 * np.arange(count) + 1) / count
    turn = np.arange(count) * (math.pi * (3 - math.sqrt(5)))
    radius = np.sqrt(1 - height**2)
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn), height])
