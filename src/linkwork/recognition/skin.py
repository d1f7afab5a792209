"""The skin of a part: the faces that bound it, no larger than they do, and points on faces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.body import Body
from linkwork.recognition.rounds import Rounds
from linkwork.solid import Face, PlaneFace, RoundFace, SphereFace
from linkwork.solid.placement import Floats
from linkwork.solid.surface import TURN
from linkwork.solid.values import Inside

LOOKS = 8
"""At how many places along each of its sides a face is looked at."""
AROUND = 16
"""At how many angles a round one is looked at."""
HALVINGS = 6
"""How often the place where a face ceases to bound its part is looked for more closely."""
SHARES = (np.arange(LOOKS) + 0.5) / LOOKS
TURNS = (np.arange(AROUND) + 0.5) / AROUND

Places = NDArray[np.intp]
Looks = Callable[[Places, Floats], Inside]
"""Whether some faces, by their places, bound the part anywhere on a line across them, at a coordinate of each."""


def skin(body: Body) -> list[tuple[Face, str]]:
    """The faces of a part that truly bound it, cut to where they do, with the labels of their solids."""
    others = [face for face in body.others if _bounds(body, *samples_of(face)).any()]
    return [(face, face.label or body.name) for face in (*_plane_skin(body), *_round_skin(body), *others)]


def _bounds(body: Body, points: Floats, normals: Floats) -> Inside:
    """Whether points lie on the surface of a part, whichever side its material is on."""
    before = body.solid.contains(points + body.skin * normals)
    found: Inside = before != body.solid.contains(points - body.skin * normals)
    return found


# ----------------------------------------------------------------------------------------------- ends


def _ends(rows: Inside) -> tuple[Places, Places]:
    """The first and the last place in each row that is true."""
    return np.argmax(rows, axis=1), rows.shape[1] - 1 - np.argmax(rows[:, ::-1], axis=1)


def _halved(looks: Looks, faces: Places, inside: Floats, outside: Floats) -> tuple[Floats, Floats]:
    """Places between which faces cease to bound their part, brought closer together."""
    for _ in range(HALVINGS):
        half = (outside + inside) / 2
        is_skin = looks(faces, half)
        outside, inside = np.where(is_skin, outside, half), np.where(is_skin, half, inside)
    return inside, outside


def _at_planes(
    body: Body, looks: Looks, faces: Places, lines: tuple[Floats, Floats], between: tuple[Floats, Floats]
) -> Floats:
    """Where faces end exactly: at a plane of their part across the line along which they do, if one is there.

    ``lines`` are origins and directions of those lines, ``between`` the places between which faces end; where no plane
    is the end, it is the outer one.
    """
    origins, ways = lines
    inside, outside = between
    if not len(body.planes):
        return outside
    across = np.abs(ways @ body.plane_normals.T) > 1 - 1e-9
    marks = ways @ body.plane_frames[:, 0].T - np.einsum("ij,ij->i", origins, ways)[:, None]
    share = (marks - inside[:, None]) / (outside - inside)[:, None]
    share = np.where(across & (share >= -1e-6) & (share <= 1), share, -np.inf)
    best = share.max(axis=1)
    mark = inside + np.maximum(best, 0.0) * (outside - inside)
    ends = np.isfinite(best) & ~looks(faces, (mark + outside) / 2)
    return np.where(ends, mark, outside)


# ------------------------------------------------------------------------------------------ plane faces


def _plane_skin(body: Body) -> list[PlaneFace]:
    """The plane faces that bound a part, all looked at together."""
    count = len(body.planes)
    if not count:
        return []
    ranges = body.plane_ranges
    u = ranges[:, 0, :1] + SHARES * np.diff(ranges[:, 0])
    v = ranges[:, 1, :1] + SHARES * np.diff(ranges[:, 1])
    u, v = np.broadcast_arrays(u[:, None, :], v[:, :, None])
    grid = _plane_bounds(body, np.arange(count), u.reshape(count, -1), v.reshape(count, -1))
    grid = grid.reshape(count, LOOKS, LOOKS)
    used = np.flatnonzero(grid.any(axis=(1, 2)))
    kept = ranges.copy()
    for coordinate in (0, 1):
        _cut_planes(body, used, np.any(grid, axis=1 + coordinate), coordinate, kept)
    return [
        replace(
            body.planes[place],
            u=(float(kept[place, 0, 0]), float(kept[place, 0, 1])),
            v=(float(kept[place, 1, 0]), float(kept[place, 1, 1])),
        )
        for place in used
    ]


def _plane_bounds(body: Body, places: Places, u: Floats, v: Floats) -> Inside:
    """Whether points of plane faces, by rows of coordinates, lie on the surface of the part."""
    frames = body.plane_frames[places]
    points = frames[:, None, 0] + u[..., None] * frames[:, None, 1] + v[..., None] * frames[:, None, 2]
    normals = np.repeat(body.plane_normals[places], u.shape[1], axis=0)
    return _bounds(body, points.reshape(-1, 3), normals).reshape(u.shape)


def _cut_planes(body: Body, used: Places, rows: Inside, coordinate: int, kept: Floats) -> None:
    """Cut plane faces, along one coordinate, to where they bound the part."""
    ranges = body.plane_ranges

    def looks(faces: Places, at: Floats) -> Inside:
        other = ranges[faces, 1 - coordinate, :1] + SHARES * np.diff(ranges[faces, 1 - coordinate])
        across = np.broadcast_to(at[:, None], other.shape)
        u, v = (across, other) if coordinate == 0 else (other, across)
        return np.asarray(_plane_bounds(body, faces, u, v).any(axis=1))

    first, last = _ends(rows[used])
    for end, place, beyond in ((0, first, first - 1), (1, last, last + 1)):
        cut = (beyond >= 0) & (beyond < LOOKS)
        faces = used[cut]
        if not len(faces):
            continue
        low, size = ranges[faces, coordinate, 0], np.diff(ranges[faces, coordinate])[:, 0]
        outside, inside = (low + SHARES[each[cut]] * size for each in (beyond, place))
        between = _halved(looks, faces, inside, outside)
        lines = body.plane_frames[faces, 0], body.plane_frames[faces, 1 + coordinate]
        kept[faces, coordinate, end] = _at_planes(body, looks, faces, lines, between)


# ------------------------------------------------------------------------------------------ round faces


def _round_skin(body: Body) -> list[RoundFace]:
    """The round faces that bound a part, all looked at together."""
    every = body.round_arrays
    if not len(every):
        return []
    angles = every.angles[:, :1] + TURNS * every.angles[:, 1:]
    grid = _round_bounds(body, every, angles, np.broadcast_to(SHARES, (len(every), LOOKS)))
    used = np.flatnonzero(grid.any(axis=(1, 2)))
    spans = _cut_along(body, used, np.any(grid, axis=2))
    turns = _cut_around(body, used, np.any(grid, axis=1))
    return [
        replace(
            body.rounds[place],
            span=(float(spans[place, 0]), float(spans[place, 1])),
            angles=(float(turns[place, 0]), float(turns[place, 1])),
        )
        for place in used
    ]


def _round_bounds(body: Body, faces: Rounds, angles: Floats, shares: Floats) -> Inside:
    """Whether points of round faces lie on the surface of the part: for each face, share of its length, and angle."""
    points, normals = faces.at(angles, shares)
    return _bounds(body, points.reshape(-1, 3), normals.reshape(-1, 3)).reshape(points.shape[:3])


def _cut_along(body: Body, used: Places, rows: Inside) -> Floats:
    """The spans of cylinders cut to where they bound the part."""
    every = body.round_arrays
    kept = every.spans.copy()

    def looks(faces: Places, at: Floats) -> Inside:
        some = every.only(faces)
        shares = (at - some.spans[:, 0]) / some.lengths
        angles = some.angles[:, :1] + TURNS * some.angles[:, 1:]
        return np.asarray(_round_bounds(body, some, angles, shares[:, None]).any(axis=(1, 2)))

    used = used[every.are_cylinders[used]]
    first, last = _ends(rows[used])
    for end, place, beyond in ((0, first, first - 1), (1, last, last + 1)):
        cut = (beyond >= 0) & (beyond < LOOKS)
        faces = used[cut]
        if not len(faces):
            continue
        low, size = every.spans[faces, 0], every.lengths[faces]
        inside, outside = (low + SHARES[each[cut]] * size for each in (place, beyond))
        between = _halved(looks, faces, inside, outside)
        lines = every.points[faces], every.axes[faces]
        kept[faces, end] = _at_planes(body, looks, faces, lines, between)
    return kept


def _cut_around(body: Body, used: Places, rows: Inside) -> Floats:
    """The angles of round faces (first, length) cut to the smallest piece that has all that bounds the part."""
    every = body.round_arrays
    kept = every.angles.copy()

    def looks(faces: Places, at: Floats) -> Inside:
        shares = np.broadcast_to(SHARES, (len(faces), LOOKS))
        return np.asarray(_round_bounds(body, every.only(faces), at[:, None], shares).any(axis=(1, 2)))

    used = used[~rows[used].all(axis=1)]
    if not len(used):
        return kept
    is_whole = every.angles[used, 1] > TURN - 1e-9
    first, last = _arcs(rows[used], is_whole)
    start, size = every.angles[used, 0], every.angles[used, 1]
    ends = []
    for place, beyond, edge in ((first, first - 1, start), (last, last + 1, start + size)):
        inside, outside = (start + (each + 0.5) / AROUND * size for each in (place, beyond))
        found = _halved(looks, used, inside, outside)[1]
        is_end = ~is_whole & ((beyond < 0) | (beyond >= AROUND))
        ends.append(np.where(is_end, edge, found))
    kept[used] = np.column_stack([ends[0], np.minimum(ends[1] - ends[0], TURN)])
    return kept


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


def samples_of(face: Face) -> tuple[Floats, Floats]:
    """Points of a face and its normals there."""
    if isinstance(face, PlaneFace):
        us, vs = np.meshgrid(*(low + SHARES * (high - low) for low, high in (face.u, face.v)))
        points = face.at(us.ravel(), vs.ravel())
        return points, np.tile(face.normal, (len(points), 1))
    if isinstance(face, RoundFace):
        points, normals = round_samples([face])
        return points[0], normals[0]
    ways = octants()
    if isinstance(face, SphereFace):
        return np.array(face.point) + face.radius * ways, ways
    return np.array(face.point) + (face.radius + face.tube) * ways, ways


def round_samples(faces: list[RoundFace]) -> tuple[Floats, Floats]:
    """Points of round faces and their normals there, a row for each face."""
    every = Rounds.of(faces)
    shares = np.broadcast_to(SHARES, (len(every), LOOKS))
    points, normals = every.at(every.angles[:, :1] + TURNS * every.angles[:, 1:], shares)
    rows = (len(every), LOOKS * AROUND, 3)
    return points.reshape(rows), normals.reshape(rows)


def octants() -> Floats:
    """Unit vectors to the corners, edges and faces of a cube."""
    every = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z]
    ways = np.array(every, dtype=float)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))
