"""What a camera sees of a stage in one row of its motion: triangles in the picture, with depth and light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UnknownName
from linkwork.model.fault import did_you_mean, listed
from linkwork.view.stage import Eye, Stage, Thing, placed

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

NEAREST: Final = 1e-3
"""What is nearer to the eye than this share of the scene is cut off."""
SHADED: Final = 0.3
"""The light on a side that no light reaches, where a stage has no sky."""
LINE: Final = 0.0015
"""Half the width of a path, in heights of the picture."""
STEEPEST: Final = 1e-6
"""The sine of the angle between where an eye looks and what is upwards, below which it looks along it."""
DIRECT: Final = 0.42
"""How much of a picture's brightness a sun of strength 1 gives."""
AROUND: Final = 0.62
"""How much a sky of strength 1 gives."""


@dataclass(frozen=True, eq=False)
class Seen:
    """Triangles of one thing: corners in the picture (count, 3, 2), one over depth, light, and its colour.

    ``light`` (count, 3, 2, 3) is that of the sun, which shadows take away, and all other.

    The picture is 1 high and has its middle at the origin, y upwards.
    """

    thing: Thing
    corners: Array
    nearness: Array
    light: Array
    colour: Array


@dataclass(frozen=True, eq=False)
class View:
    """An eye in the world: where it is, its axes (right, up, backwards), and what it sees from top to bottom."""

    at: Array
    axes: Array
    angle: float
    nearest: float

    def seen(self, points: Array) -> Array:
        """Points of the world from the eye: to the right, up, away from it."""
        found: Array = (points - self.at) @ self.axes.T
        found[:, 2] *= -1
        return found

    def world(self, spots: Array, nearness: Array) -> Array:
        """The places of the world that are seen at places of the picture."""
        depth = 1 / nearness[:, None]
        across = np.column_stack([spots / self.focus * depth, -depth])
        return self.at + along_axes(across, self.axes.T)

    @property
    def focus(self) -> float:
        """By what a slope is multiplied to be a place in the picture."""
        return 0.5 / float(np.tan(np.radians(self.angle) / 2))


def along_axes(points: Array, axes: Array) -> Array:
    """Points along axes; column by column, which for a million points beats a product of matrices."""
    x, y, z = points.T
    return np.stack([x * a + y * b + z * c for a, b, c in axes], -1)


def chosen_eye(stage: Stage, name: str = "") -> Eye:
    """The camera of a name, the first without one."""
    if not name:
        return stage.eyes[0]
    for eye in stage.eyes:
        if eye.name == name:
            return eye
    names = [eye.name for eye in stage.eyes]
    raise UnknownName(
        f"there is no camera '{name}'",
        wanted="one of " + listed(names),
        fix=did_you_mean(name, names, f"[view.camera.{name}]"),
    )


def view_of(stage: Stage, row: int, eye: Eye) -> View:
    """Where a camera is and how it looks in a row."""
    matrices = stage.matrices(row)
    at = placed(matrices[eye.placement], np.array([eye.at]))[0]
    target = placed(matrices[eye.toward_placement], np.array([eye.toward]))[0]
    carrier = matrices[eye.placement][:, :3]
    back = _unit(at - target, np.array([0.0, -1.0, 0.0]))
    right = _rightwards(back, carrier @ np.array(eye.up), carrier)
    size = float(np.linalg.norm(stage.extent[1] - stage.extent[0]))
    return View(at, np.array([right, np.cross(back, right), back]), eye.angle, NEAREST * size)


def _rightwards(back: Array, up: Array, carrier: Array) -> Array:
    """What is to the right in a picture: across ``up``; where the eye looks along that, as x of its carrier, or y."""
    across = np.cross(_unit(up, np.zeros(3)), back)
    for axis in (carrier[:, 0], carrier[:, 1]):
        if np.linalg.norm(across) > STEEPEST:
            break
        along = _unit(axis, np.zeros(3))
        across = along - (along @ back) * back
    return _unit(across, np.array([1.0, 0.0, 0.0]))


def _unit(vector: Array, otherwise: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-12 else otherwise


def seen_things(stage: Stage, row: int, view: View) -> list[Seen]:
    """All things that may be in the picture; what faces away is left out where it cannot be seen."""
    matrices = stage.matrices(row)
    lamps = _lamps(stage, matrices)
    found = []
    for thing in stage.things:
        solid = stage.solids[thing.solid]
        points, normals = [], []
        for matrix in thing_matrices(thing, matrices[thing.placement]):
            points.append(placed(matrix, solid.positions))
            normals.append(_turned(solid.normals, matrix[:, :3]))
        shifts = len(solid.positions) * np.arange(len(points))
        triangles = (solid.triangles[None] + shifts[:, None, None]).reshape(-1, 3)
        found += _seen(thing, np.concatenate(points), np.concatenate(normals), triangles, view, lamps)
    return found


def thing_matrices(thing: Thing, outer: Array) -> list[Array]:
    """Where each instance of a thing stands in the world, its placement being at ``outer``."""
    if thing.instances is None and thing.matrix is None:
        return [outer]
    inner = np.array(thing.matrix if thing.instances is None else thing.instances, float).reshape(-1, 3, 4)
    found = outer[:, :3] @ inner
    found[:, :, 3] += outer[:, 3]
    return [*found]


def seen_paths(stage: Stage, view: View, half: float = LINE) -> list[Seen]:
    """The paths of traced points over the whole motion, as strips that face the eye, in heights of the picture."""
    found = []
    for path in stage.paths if stage.motion is not None else ():
        rows = stage.placement_rows(path.placement)
        across = view.seen(rows[:, :, :3] @ np.array(path.point) + rows[:, :, 3])
        depth = across[:, 2]
        kept = (depth[:-1] > view.nearest) & (depth[1:] > view.nearest)
        with np.errstate(all="ignore"):
            flat = view.focus * across[:, :2] / depth[:, None]
        ways = np.diff(flat, axis=0)
        side = np.column_stack([-ways[:, 1], ways[:, 0]])
        side *= half / np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-300)
        a, b, near = flat[:-1], flat[1:], 1 / depth
        corners = np.concatenate(
            [np.stack([a - side, b - side, b + side], 1), np.stack([a - side, b + side, a + side], 1)]
        )
        nearness = np.concatenate(
            [np.stack([near[:-1], near[1:], near[1:]], 1), np.stack([near[:-1], near[1:], near[:-1]], 1)]
        )
        kept = np.tile(kept, 2)
        if kept.any():
            light = np.broadcast_to([[0.0], [1.0]], (int(kept.sum()), 3, 2, 3))
            thing = Thing(path.name, path.placement, 0, path.colour, shadow=False)
            found.append(Seen(thing, corners[kept], nearness[kept], np.array(light), _rgb(path.colour)))
    return found


def _turned(normals: Array, matrix: Array) -> Array:
    """Normals of a surface moved by a matrix: by its cofactors, which are along its inverse's."""
    found = normals @ cofactors(matrix).T
    sign = 1.0 if np.linalg.det(matrix) >= 0 else -1.0
    return np.asarray(sign * found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300))


def cofactors(matrix: Array) -> Array:
    """The cofactors of a matrix of three rows and columns: det A times the inverse's transpose, for any A."""
    return np.asarray(
        np.roll(np.roll(matrix, -1, 0), -1, 1) * np.roll(np.roll(matrix, -2, 0), -2, 1)
        - np.roll(np.roll(matrix, -1, 0), -2, 1) * np.roll(np.roll(matrix, -2, 0), -1, 1)
    )


Lamps = tuple[Array, list[tuple[Array, Array]], list[tuple[Array, Array]]]
"""The light from all sides; suns as direction and colour; lamps as place and colour."""


def sun_direction(stage: Stage, row: int) -> Array | None:
    """Where the first sun that casts shadows stands; none where there is none."""
    for lamp in stage.lamps:
        if lamp.kind == "sun" and lamp.shadow:
            at, toward = placed(stage.matrices(row)[lamp.placement], np.array([lamp.at, lamp.toward]))
            return _unit(at - toward, np.array([0.0, 0.0, 1.0]))
    return None


def _lamps(stage: Stage, matrices: Array) -> Lamps:
    around = np.zeros(3)
    suns, lamps = [], []
    for lamp in stage.lamps:
        colour = _rgb(lamp.colour) * lamp.strength
        at, toward = placed(matrices[lamp.placement], np.array([lamp.at, lamp.toward]))
        if lamp.kind == "sky":
            around = around + AROUND * colour
        elif lamp.kind == "sun":
            suns.append((_unit(at - toward, np.array([0.0, 0.0, 1.0])), DIRECT * colour))
        else:
            lamps.append((at, DIRECT * colour))
    return around if around.any() else np.full(3, SHADED), suns, lamps


def _rgb(code: str) -> Array:
    return np.array([int(code[k : k + 2], 16) for k in (1, 3, 5)]) / 255


def _seen(
    thing: Thing, points: Array, normals: Array, triangles: Numbers, view: View, lamps: Lamps
) -> list[Seen]:
    around, suns, others = lamps
    across = view.seen(points)
    if not (across[:, 2] > view.nearest).any():
        return []
    facing = np.einsum("ij,ij->i", normals, view.at - points)
    towards = (
        normals * np.where(facing < 0, -1.0, 1.0)[:, None]
        if thing.is_scenery or thing.opacity < 1
        else normals
    )
    light = around * (0.75 + 0.25 * towards[:, 2:3])
    sunlight = np.zeros_like(points)
    for way, colour in suns:
        sunlight += np.maximum(towards @ way, 0.0)[:, None] * colour
    for at, colour in others:
        ways = at - points
        ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-300)
        light = light + np.maximum(np.einsum("ij,ij->i", towards, ways), 0.0)[:, None] * colour
    corners, lit = _cut(across[triangles], np.stack([sunlight, light], 1)[triangles], view.nearest)
    depth = corners[:, :, 2]
    flat = view.focus * corners[:, :, :2] / depth[:, :, None]
    inside = (np.abs(flat[:, :, 1]).min(axis=1) < 4) & np.all(np.isfinite(flat), axis=(1, 2))
    flat, depth, lit = flat[inside], depth[inside], lit[inside]
    return [Seen(thing, flat, 1 / depth, lit, _rgb(thing.colour))] if len(flat) else []


def _cut(corners: Array, light: Array, nearest: float) -> tuple[Array, Array]:
    """Triangles before the eye; those that reach behind it lose that part."""
    before = corners[:, :, 2] > nearest
    whole = before.all(axis=1)
    some = before.any(axis=1) & ~whole
    pieces, lights = [corners[whole]], [light[whole]]
    for triangle, lit, kept in zip(corners[some], light[some], before[some], strict=True):
        ring: list[tuple[Array, Array]] = []
        for k in range(3):
            after = (k + 1) % 3
            if kept[k]:
                ring.append((triangle[k], lit[k]))
            if kept[k] != kept[after]:
                part = (nearest - triangle[k, 2]) / (triangle[after, 2] - triangle[k, 2])
                ring.append(
                    (
                        triangle[k] + part * (triangle[after] - triangle[k]),
                        lit[k] + part * (lit[after] - lit[k]),
                    )
                )
        for k in range(1, len(ring) - 1):
            pieces.append(np.array([[ring[0][0], ring[k][0], ring[k + 1][0]]]))
            lights.append(np.array([[ring[0][1], ring[k][1], ring[k + 1][1]]]))
    return np.concatenate(pieces), np.concatenate(lights)
