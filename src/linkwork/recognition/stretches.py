"""Along which stretches of one axis two cylinders may touch: pieces between all heights at which a wall begins or ends.

A bore may be crossed by cavities of any shape. Its wall is looked at along some lines; where these meet another face of
the part the wall may end, so between neighbouring heights of all such meetings each line is a wall or is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.flats import Flats
from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats, cross_length
from linkwork.solid.shell.rays import hits

PARALLEL = 1e-6
"""The largest sine of an angle between directions that count as parallel; a loose fit allows more."""

Wall = tuple[Body, RoundFace]


def common_stretches(hole: Wall, shaft: Wall, radial: Floats) -> Floats:
    """From where to where along the axis of a hole both may touch at lines in these directions from it."""
    axis, origin = np.array(hole[1].axis), np.array(hole[1].point)
    walls = [_walls(*each, origin, axis) for each in (hole, shaft)]
    low, high = max(float(each.min()) for each in walls), min(float(each.max()) for each in walls)
    if high <= low:
        return np.zeros((0, 2))
    middle = origin + (low + high) / 2 * axis
    lines = [(body, _on_axis(face, middle) + face.radius * radial) for body, face in (hole, shaft)]
    return _cells(lines, origin, axis, (low, high), np.concatenate([each.ravel() for each in walls]))


def _cells(
    lines: Sequence[tuple[Body, Floats]],
    origin: Floats,
    axis: Floats,
    span: tuple[float, float],
    marks: Floats,
) -> Floats:
    """Pieces of a span along an axis between marks and all heights at which lines through its middle may end."""
    low, high = span
    every = [np.array(span), marks]
    for body, points in lines:
        base = float((points[0] - origin) @ axis)
        every += [base + away for away in _ends(body, points, axis, high - low)]
    heights = np.unique(np.concatenate(every))
    heights = heights[(low <= heights) & (heights <= high)]
    cells = np.column_stack([heights[:-1], heights[1:]])
    return np.asarray(cells[(cells[:, 1] - cells[:, 0]) > 4 * lines[0][0].skin])


def wall_stretches(body: Body, face: RoundFace, radial: Floats, *, hollow: bool) -> Floats:
    """From where to where along its axis a cylinder is the wall of a hole, or of a shaft, on some side."""
    axis, origin = np.array(face.axis), np.array(face.point)
    walls = _walls(body, face, origin, axis)
    low, high = float(walls.min()), float(walls.max())
    middle = origin + (low + high) / 2 * axis
    cells = _cells([(body, middle + face.radius * radial)], origin, axis, (low, high), walls.ravel())
    centres = origin + np.outer(cells.mean(axis=1), axis)
    points = (centres[:, None] + face.radius * radial).reshape(-1, 3)
    outward = np.tile(-radial if hollow else radial, (len(cells), 1))
    return np.asarray(cells[body.bounded(points, outward).reshape(len(cells), len(radial)).any(axis=1)])


def stretches_on(
    holder: Body, bar: Body, face: RoundFace, faces: Flats, ways: Floats, reaches: Floats
) -> Floats:
    """From where to where along a bar it touches plane faces of another part, all of them at once.

    ``ways`` go from the faces to its axis, which is so far from them; the bar touches them with its sides, also with
    some play.
    """
    axis, origin = np.array(face.axis), np.array(face.point)
    along = (faces.corners - origin) @ axis
    low = max(face.span[0], float(along.min(axis=1).max()))
    high = min(face.span[1], float(along.max(axis=1).min()))
    if high - low <= 4 * holder.skin:
        return np.zeros((0, 2))
    middle = origin + (low + high) / 2 * axis
    feet, sides = -reaches[:, None] * ways, -face.radius * ways
    lines = [(holder, middle + feet), (bar, middle + sides)]
    cells = _cells(lines, origin, axis, (low, high), np.zeros(0))
    centres = origin + np.outer(cells.mean(axis=1), axis)
    touching = np.ones(len(cells), dtype=bool)
    for way, foot, side in zip(ways, feet, sides, strict=True):
        outward = np.tile(way, (len(cells), 1))
        touching &= holder.bounded(centres + foot, outward) & bar.bounded(centres + side, -outward)
    return np.asarray(cells[touching])


def on_one_cylinder(a: RoundFace, b: RoundFace, tolerance: float) -> bool:
    """Whether two faces are pieces of the same cylinder."""
    return (
        abs(a.radius - b.radius) <= tolerance
        and cross_length(a.axis, b.axis) <= PARALLEL
        and _off_axis(a, b) <= tolerance
    )


def heights_of(face: RoundFace, origin: Floats, axis: Floats) -> tuple[float, float]:
    """From where to where along an axis a face reaches."""
    base = float((np.array(face.point) - origin) @ axis)
    way = float(np.array(face.axis) @ axis)
    return base + way * face.span[0], base + way * face.span[1]


def _off_axis(outer: RoundFace, inner: RoundFace) -> float:
    """How far the middle of one lies from the axis of the other."""
    half = sum(inner.span) / 2
    every = zip(inner.point, inner.axis, outer.point, strict=True)
    return cross_length([own + half * way - other for own, way, other in every], outer.axis)


def on_cylinder_of(face: RoundFace, body: Body) -> list[RoundFace]:
    """The faces of a body that are pieces of the cylinder of one of them, in their order."""
    near = [body.rounds[place] for place in body.round_arrays.near_cylinder(face, 2 * body.skin)]
    return [each for each in near if on_one_cylinder(each, face, body.skin)]


def _walls(body: Body, face: RoundFace, origin: Floats, axis: Floats) -> Floats:
    """From where to where along an axis the faces of a body lie that are on one cylinder."""
    return np.array([heights_of(each, origin, axis) for each in on_cylinder_of(face, body)])


def _on_axis(face: RoundFace, point: Floats) -> Floats:
    """The point of a face's axis beside a point."""
    own = np.array(face.axis)
    start = np.array(face.point)
    return np.asarray(start + ((point - start) @ own) * own)


def _ends(body: Body, lines: Floats, axis: Floats, length: float) -> Iterator[Floats]:
    """How far along lines, from points in their middles, faces of a body may end what lies along them."""
    ends = np.concatenate([lines - length / 2 * axis, lines + length / 2 * axis])
    low, high = ends.min(axis=0) - body.skin, ends.max(axis=0) + body.skin
    if body.planes:
        yield _ends_at(body.flats.only(body.flats.near(low, high, 0.0)), lines, axis, body.skin)
    for place in body.round_arrays.turned_near(low, high):
        bent = body.rounds[place]
        if not bent.is_cylinder or cross_length(bent.axis, axis) > PARALLEL:
            yield hits(bent, lines, axis).ways
    for face in body.others:
        least, most = face.box
        if np.all(least <= high) and np.all(most >= low):
            yield hits(face, lines, axis).ways


def _ends_at(flats: Flats, lines: Floats, axis: Floats, skin: float) -> Floats:
    """How far along lines plane faces are met."""
    across = flats.normals @ axis
    flats, across = flats.only(np.flatnonzero(np.abs(across) > PARALLEL)), across[np.abs(across) > PARALLEL]
    ways = (flats.offsets[:, None] - flats.normals @ lines.T) / across[:, None]
    met = lines + ways[..., None] * axis - flats.points[:, None]
    seen = np.einsum("ijk,ilk->ijl", met, flats.frames[:, 1:])
    low, high = flats.ranges[:, None, :, 0] - skin, flats.ranges[:, None, :, 1] + skin
    return np.asarray(ways[np.all((seen >= low) & (seen <= high), axis=2)])
