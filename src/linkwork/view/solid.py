"""Surfaces as triangles: the unit shapes that objects of a stage share, and those that formulas describe.

A unit shape is stretched to its size by a matrix, so that sizes may change with time and with parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError, UsageError
from linkwork.model.view_faults import LETTERS
from linkwork.view.triangulate import triangulated

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

SIDES: Final = 32
"""Faces around a cylinder, a cone and a ball."""
TUBE_SIDES: Final = 10
"""Faces around a tube and the wire of a spring."""
WIRE: Final = 0.16
"""The radius of a spring's wire, in radii of the spring."""
STEPS_OF_A_TURN: Final = 16


@dataclass(frozen=True, eq=False)
class Solid:
    """Positions, normals and triangles of a surface; triangles turn left when seen from outside."""

    positions: Array
    normals: Array
    triangles: Numbers

    def __post_init__(self) -> None:
        if len(self.positions) != len(self.normals) or not np.all(np.isfinite(self.positions)):
            raise UsageError("a surface has a place or a normal that is no number", fix="check its formulas")

    @property
    def box(self) -> Array:
        """The eight corners of the box around it."""
        low, high = self.positions.min(axis=0), self.positions.max(axis=0)
        return np.array(
            [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        )


def joined(solids: Sequence[Solid]) -> Solid:
    """Several surfaces as one."""
    starts = np.cumsum([0, *(len(each.positions) for each in solids)])
    return Solid(
        np.concatenate([each.positions for each in solids]),
        np.concatenate([each.normals for each in solids]),
        np.concatenate([each.triangles + start for each, start in zip(solids, starts, strict=False)]),
    )


# ------------------------------------------------------------------------------------------ flat things


@cache
def box() -> Solid:
    """A cube of edge 1 around the origin."""
    square = np.array([[-0.5, -0.5, 0.5], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]])
    sides = []
    for turn in (0, 1, 2):
        for sign in (1.0, -1.0):
            corners = np.roll(square * [1.0, 1.0, sign], turn, axis=1)[:: int(sign)]
            normal = np.roll([0.0, 0.0, sign], turn)
            sides.append(Solid(corners, np.tile(normal, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]])))
    return joined(sides)


@cache
def plane() -> Solid:
    """A square of edge 1 across z, seen from above."""
    corners = np.array([[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]])
    return Solid(corners, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))


def extruded(outline: Array) -> Solid:
    """A plate of thickness 1 over an outline, around z = 0."""
    return prism([_turned(outline, left=True)], -0.5, 0.5)


def prism(rings: Sequence[Array], low: float, high: float, smooth: float = 1.0) -> Solid:
    """A plate over an outline, which turns left, and its holes, which turn right.

    Sides whose normals have a scalar product above ``smooth`` pass into one another without an edge.
    """
    corners = np.concatenate(rings)
    flat = np.array(triangulated(rings)).reshape(-1, 3)
    sheets = []
    for z, up in ((high, 1.0), (low, -1.0)):
        positions = np.column_stack([corners, np.full(len(corners), z)])
        facing = flat if up > 0 else flat[:, ::-1]
        sheets.append(Solid(positions, np.tile([0.0, 0.0, up], (len(corners), 1)), facing))
    return joined([*sheets, *(_wall(ring, low, high, smooth) for ring in rings)])


def _wall(ring: Array, low: float, high: float, smooth: float) -> Solid:
    """The side of a plate over one of its rings."""
    count = len(ring)
    following = np.roll(ring, -1, axis=0)
    ways = following - ring
    outward = np.column_stack([ways[:, 1], -ways[:, 0], np.zeros(count)])
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-300)
    before = np.roll(outward, 1, axis=0)
    is_round = np.sum(before * outward, axis=1, keepdims=True) > smooth
    between = before + outward
    between /= np.maximum(np.linalg.norm(between, axis=1, keepdims=True), 1e-300)
    starts = np.where(is_round, between, outward)
    ends = np.where(np.roll(is_round, -1, axis=0), np.roll(between, -1, axis=0), outward)
    corners = np.concatenate(
        [
            np.column_stack([ends_of, np.full(count, z)])
            for ends_of, z in ((ring, low), (following, low), (following, high), (ring, high))
        ]
    )
    first = np.arange(count)
    quads = [first, first + count, first + 2 * count, first + 3 * count]
    triangles = np.concatenate(
        [np.column_stack([quads[0], quads[1], quads[2]]), np.column_stack([quads[0], quads[2], quads[3]])]
    )
    return Solid(corners, np.concatenate([starts, ends, ends, starts]), triangles)


def _area(outline: Array) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def sheet(rings: Sequence[Array]) -> Solid:
    """A flat piece of the xy-plane: an outline and its holes."""
    corners = np.concatenate(rings)
    positions = np.column_stack([corners, np.zeros(len(corners))])
    return Solid(
        positions, np.tile([0.0, 0.0, 1.0], (len(corners), 1)), np.array(triangulated(rings)).reshape(-1, 3)
    )


def words(text: str) -> Solid:
    """Letters of height 1 in the xy-plane, their middle at the origin."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath, text_to_path

    if len(text) > LETTERS:
        raise UsageError("this text is too long", got=f"{len(text)} letters", wanted=f"at most {LETTERS}")
    plain = text.replace("$", r"\$")
    has_outlines = len(text_to_path.get_text_path(FontProperties(), plain)[0]) > 0
    polygons = TextPath((0, 0), plain, size=1.37).to_polygons(closed_only=True) if has_outlines else []
    drawn = [np.asarray(ring, float)[:-1] for ring in polygons]
    rings = [ring for ring in drawn if len(ring) > 2]
    pieces = [sheet(group) for group in nested(rings)]
    if not pieces:
        raise LinkworkError(
            "no letter of this text can be drawn", got=repr(text)[:60], wanted="letters", fix='text = "Start"'
        )
    whole = joined(pieces)
    low, high = whole.positions.min(axis=0), whole.positions.max(axis=0)
    return Solid(whole.positions - (low + high) / 2, whole.normals, whole.triangles)


def nested(rings: Sequence[Array]) -> list[list[Array]]:
    """Outlines with their holes: a ring inside an odd number of others is a hole of the innermost of them."""
    from matplotlib.path import Path

    around = [
        [k for k, outer in enumerate(rings) if k != n and Path(outer).contains_point(ring[0])]
        for n, ring in enumerate(rings)
    ]
    groups = {n: [ring] for n, ring in enumerate(rings) if len(around[n]) % 2 == 0}
    for n, ring in enumerate(rings):
        if len(around[n]) % 2:
            owner = max((k for k in around[n] if k in groups), key=lambda k: len(around[k]))
            groups[owner].append(ring)
    return [
        [_turned(group[0], left=True), *(_turned(hole, left=False) for hole in group[1:])]
        for group in groups.values()
    ]


def _turned(ring: Array, *, left: bool) -> Array:
    return ring if (_area(ring) > 0) == left else ring[::-1]


# ----------------------------------------------------------------------------------------- round things

Profile = Sequence[tuple[float, float, float, float]]
"""Radius, height, and the normal's two entries, from below to above."""


def revolved(profiles: Sequence[Profile], sides: int = SIDES) -> Solid:
    """Profiles turned about z; between two of them there is an edge."""
    turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    c, s = np.cos(turns), np.sin(turns)
    pieces = []
    for profile in profiles:
        rows = np.array(profile)
        positions = np.stack(
            [np.outer(rows[:, 0], c), np.outer(rows[:, 0], s), np.outer(rows[:, 1], 1 + 0 * c)], -1
        )
        normals = np.stack(
            [np.outer(rows[:, 2], c), np.outer(rows[:, 2], s), np.outer(rows[:, 3], 1 + 0 * c)], -1
        )
        triangles = _grid(len(rows), sides)
        flat = positions.reshape(-1, 3)
        corners = flat[triangles]
        sizes = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        pieces.append(Solid(flat, normals.reshape(-1, 3), triangles[sizes > 1e-12]))
    return joined(pieces)


def _grid(rows: int, columns: int, *, closed: bool = False) -> Numbers:
    """Triangles over rows of points that each close to a ring; with ``closed`` the last row meets the first."""
    row = np.arange(rows if closed else rows - 1)[:, None]
    column = np.arange(columns)[None, :]
    above, beside = (row + 1) % rows, (column + 1) % columns
    a, b = row * columns + column, row * columns + beside
    c, d = above * columns + beside, above * columns + column
    return np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])


@cache
def sphere() -> Solid:
    """A ball of radius 1."""
    heights = np.linspace(-np.pi / 2, np.pi / 2, SIDES // 2 + 1)
    return revolved([[(np.cos(h), np.sin(h), np.cos(h), np.sin(h)) for h in heights.tolist()]])


@cache
def cylinder() -> Solid:
    """Radius 1, length 1, around the origin along z."""
    return revolved(
        [
            [(0.0, -0.5, 0.0, -1.0), (1.0, -0.5, 0.0, -1.0)],
            [(1.0, -0.5, 1.0, 0.0), (1.0, 0.5, 1.0, 0.0)],
            [(1.0, 0.5, 0.0, 1.0), (0.0, 0.5, 0.0, 1.0)],
        ]
    )


@cache
def rod() -> Solid:
    """Radius 1, from z = 0 to z = 1."""
    middle = cylinder()
    return Solid(middle.positions + np.array([0.0, 0.0, 0.5]), middle.normals, middle.triangles)


@cache
def cone(top: float) -> Solid:
    """Radius 1 at z = 0, radius ``top`` at z = 1."""
    slope = np.array([1.0, 1.0 - top]) / np.hypot(1.0, 1.0 - top)
    side = (float(slope[0]), float(slope[1]))
    return revolved(
        [
            [(0.0, 0.0, 0.0, -1.0), (1.0, 0.0, 0.0, -1.0)],
            [(1.0, 0.0, *side), (top, 1.0, *side)],
            [(top, 1.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)],
        ]
    )


@cache
def torus(tube: float) -> Solid:
    """A ring of radius 1 about z, its section of radius ``tube``."""
    turns = np.linspace(0, 2 * np.pi, SIDES // 2 + 1).tolist()
    profile = [(1 + tube * np.cos(a), tube * np.sin(a), np.cos(a), np.sin(a)) for a in turns]
    return revolved([profile], 2 * SIDES)


@cache
def spring(turns: float, slender: float) -> Solid:
    """A coil from z = 0 to z = 1 of radius 1, whose wire is round where it is ``slender`` radii long."""
    steps = max(8, round(turns * STEPS_OF_A_TURN))
    along = np.linspace(0.0, 1.0, steps + 1)
    angle = 2 * np.pi * turns * along
    middle = np.column_stack([np.cos(angle), np.sin(angle), slender * along])
    wire = tube(middle, WIRE)
    flat = [1.0, 1.0, 1.0 / slender]
    normals = wire.normals / flat
    return Solid(
        wire.positions * flat, normals / np.linalg.norm(normals, axis=1, keepdims=True), wire.triangles
    )


# ------------------------------------------------------------------------------------- along formulas


def tube(middle: Array, radius: float) -> Solid:
    """A tube along a line of points; one that ends where it starts is closed.

    Its rings are carried along without a twist: each is the one before, turned as the line turns.
    """
    closed = bool(np.linalg.norm(middle[0] - middle[-1]) < 1e-6 * np.ptp(middle, axis=0).max())
    points = middle[:-1] if closed else middle
    before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    ways = after - before
    if not closed:
        ways[0], ways[-1] = points[1] - points[0], points[-1] - points[-2]
    tangents = ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-300)
    first, second = _carried(tangents, closed=closed)
    turns = np.linspace(0, 2 * np.pi, TUBE_SIDES, endpoint=False)
    spokes = first[:, None] * np.cos(turns)[:, None] + second[:, None] * np.sin(turns)[:, None]
    positions = (points[:, None] + radius * spokes).reshape(-1, 3)
    side = Solid(positions, spokes.reshape(-1, 3), _grid(len(points), TUBE_SIDES, closed=closed))
    if closed:
        return side
    fan = np.array([[0, k, k + 1] for k in range(1, TUBE_SIDES - 1)])
    starts = Solid(positions[:TUBE_SIDES], np.tile(-tangents[0], (TUBE_SIDES, 1)), fan[:, ::-1])
    ends = Solid(positions[-TUBE_SIDES:], np.tile(tangents[-1], (TUBE_SIDES, 1)), fan)
    return joined([side, starts, ends])


def _carried(tangents: Array, *, closed: bool) -> tuple[Array, Array]:
    """Two directions across each tangent that turn as little as they can from one to the next."""
    start = np.zeros(3)
    start[int(np.argmin(np.abs(tangents[0])))] = 1.0
    first = np.empty_like(tangents)
    last = start
    for k, tangent in enumerate(tangents):
        across = last - tangent * (tangent @ last)
        first[k] = last = across / max(float(np.linalg.norm(across)), 1e-300)
    if closed:  # the twist that is left over at the end is spread over the whole line
        across = last - tangents[0] * (tangents[0] @ last)
        beside = np.cross(tangents[0], first[0])
        twist = -np.arctan2(across @ beside, across @ first[0]) * np.arange(len(tangents)) / len(tangents)
        second = np.cross(tangents, first)
        first = first * np.cos(twist)[:, None] + second * np.sin(twist)[:, None]
    return first, np.cross(tangents, first)


def terrain(xs: Array, ys: Array, heights: Array) -> Solid:
    """Land over a grid: ``heights`` has a row for each y."""
    x, y = np.meshgrid(xs, ys)
    slope_y, slope_x = np.gradient(heights, ys, xs)
    normals = np.stack([-slope_x, -slope_y, np.ones_like(heights)], -1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    columns = len(xs)
    a = (np.arange(len(ys) - 1)[:, None] * columns + np.arange(columns - 1)[None, :]).ravel()
    triangles = np.concatenate(
        [np.column_stack([a, a + 1, a + columns + 1]), np.column_stack([a, a + columns + 1, a + columns])]
    )
    return Solid(np.stack([x, y, heights], -1).reshape(-1, 3), normals, triangles)
