"""At which angles a pawl fits among the obstacles, for many positions of its hinge at once, in floats.

With the hinge held still, a turning pawl can begin or cease to overlap an obstacle only where a vertex of
one lies on an edge of the other. These angles cut the circle into intervals; one angle inside each of
them tells whether all of it is free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TINY = 1e-12
"""Radians; intervals shorter than this lie between angles that are the same but for rounding."""
CHUNK = 256


class Arc(NamedTuple):
    """A run of free angles, and the columns of the touches at its two ends (-1: the circle is free)."""

    lower: float
    upper: float
    lower_touch: int
    upper_touch: int


class Touch(NamedTuple):
    """A vertex of one polygon on an edge of the other: B where the vertex is the pawl's, A where the obstacle's."""

    kind: str
    pawl: int
    obstacle: int
    root: int


@dataclass(frozen=True)
class Scene:
    """One pawl and the obstacles it may meet, with all their edges in one list."""

    pawl: Floats
    corners: Floats
    following: NDArray[np.intp]
    firsts: NDArray[np.intp]
    names: tuple[str, ...]
    hinge: Floats
    velocity: Floats

    @classmethod
    def of(cls, pawl: Floats, obstacles: list[tuple[str, Floats]], hinge: Floats, velocity: Floats) -> Scene:
        """From one array of corners per polygon."""
        lengths = [len(poly) for _, poly in obstacles]
        firsts = np.cumsum([0, *lengths], dtype=np.intp)[:-1]
        following = [first + (np.arange(n) + 1) % n for first, n in zip(firsts, lengths, strict=True)]
        names = tuple(f"{name}.{{}}{index}" for name, poly in obstacles for index in range(len(poly)))
        corners = np.concatenate([poly for _, poly in obstacles])
        return cls(pawl, corners, np.concatenate(following), firsts, names, hinge, velocity)

    def touch(self, column: int) -> Touch:
        """What the column of an angle stands for."""
        half = 2 * len(self.pawl) * len(self.corners)
        kind, rest = ("B", column) if column < half else ("A", column - half)
        pair, root = divmod(rest, 2)
        pawl, obstacle = divmod(pair, len(self.corners))
        return Touch(kind, pawl, obstacle, root)


def touching_angles(scene: Scene, hinges: Floats) -> Floats:
    """Angles in [0, 2π) at which a vertex lies on an edge, not a number where it cannot: one row per hinge."""
    pawl, corners = scene.pawl, scene.corners
    seen = corners[None] - hinges[:, None]
    along = corners[scene.following] - corners
    radius = np.linalg.norm(pawl, axis=1)
    on_obstacle = _on_segments(seen[:, None], along[None, None], radius[None, :, None])
    bearing = np.arctan2(pawl[:, 1], pawl[:, 0])
    of_vertex = _bearings(seen[:, None], along[None, None], on_obstacle) - bearing[None, :, None, None]
    sides = np.roll(pawl, -1, axis=0) - pawl
    on_pawl = _on_segments(pawl[None, :, None], sides[None, :, None], np.linalg.norm(seen, axis=2)[:, None])
    of_corner = np.arctan2(seen[..., 1], seen[..., 0])[:, None, :, None]
    of_edge = of_corner - _bearings(pawl[None, :, None], sides[None, :, None], on_pawl)
    rows = len(hinges)
    both = np.concatenate([of_vertex.reshape(rows, -1), of_edge.reshape(rows, -1)], axis=1)
    return np.asarray(np.mod(both, 2 * math.pi))


def _on_segments(start: Floats, along: Floats, radius: Floats) -> Floats:
    """The two places on segments, as shares of them, that are at given distances from the origin."""
    square = np.sum(along * along, axis=-1)
    half = np.sum(start * along, axis=-1) / square
    with np.errstate(invalid="ignore"):
        root = np.sqrt(half * half - (np.sum(start * start, axis=-1) - radius * radius) / square)
        shares = np.stack([-half - root, -half + root], axis=-1)
        return np.where((shares >= 0) & (shares <= 1), shares, np.nan)


def _bearings(start: Floats, along: Floats, shares: Floats) -> Floats:
    points = start[..., None, :] + shares[..., None] * along[..., None, :]
    return np.asarray(np.arctan2(points[..., 1], points[..., 0]))


def overlapping(scene: Scene, hinges: Floats, angles: Floats) -> NDArray[np.bool_]:
    """Whether the pawl, with each hinge and angle, overlaps an obstacle; no vertex may lie on an edge."""
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = scene.pawl[:, 0], scene.pawl[:, 1]
    turned = np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1) + hinges[:, None]
    seen = scene.corners[None] - hinges[:, None]
    unturned = np.stack(
        [cosine * seen[..., 0] + sine * seen[..., 1], cosine * seen[..., 1] - sine * seen[..., 0]], axis=-1
    )
    ends = scene.corners[scene.following]
    left_of_obstacle = _left(turned, scene.corners, ends)
    left_of_pawl = _left(unturned, scene.pawl, np.roll(scene.pawl, -1, axis=0))
    parted = left_of_obstacle != np.roll(left_of_obstacle, -1, axis=1)
    parts = left_of_pawl != left_of_pawl[:, scene.following]
    crossed = np.any(parted & parts.transpose(0, 2, 1), axis=(1, 2))
    inside_obstacle = _inside(turned[:, 0], scene.corners, ends, left_of_obstacle[:, 0], scene.firsts)
    one = np.zeros(1, dtype=np.intp)
    pawl_ends = np.roll(scene.pawl, -1, axis=0)
    for first in scene.firsts:
        inside = _inside(unturned[:, first], scene.pawl, pawl_ends, left_of_pawl[:, first], one)
        inside_obstacle = np.concatenate([inside_obstacle, inside], axis=1)
    return np.asarray(crossed | np.any(inside_obstacle, axis=1))


def _left(points: Floats, starts: Floats, ends: Floats) -> NDArray[np.bool_]:
    along = ends - starts
    offset = along[:, 0] * starts[:, 1] - along[:, 1] * starts[:, 0]
    return np.asarray(points[..., 1:2] * along[:, 0] - points[..., 0:1] * along[:, 1] > offset)


def _inside(
    points: Floats, starts: Floats, ends: Floats, left: NDArray[np.bool_], firsts: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """For each point and polygon: does a ray to the right cross the outline an odd number of times?"""
    height = points[:, 1:2]
    rises, falls = ends[:, 1] > height, starts[:, 1] > height
    crossed = (rises != falls) & (left == rises)
    return np.asarray(np.add.reduceat(crossed.astype(np.int64), firsts, axis=1) % 2 == 1)


def free_arcs(scene: Scene, times: Floats) -> list[list[Arc]]:
    """The free angles at each time, as arcs that begin in [0, 2π)."""
    arcs: list[list[Arc]] = []
    for at in range(0, len(times), CHUNK):
        arcs += _free_arcs(scene, times[at : at + CHUNK])
    return arcs


def _free_arcs(scene: Scene, times: Floats) -> list[list[Arc]]:
    hinges = scene.hinge + times[:, None] * scene.velocity
    angles = touching_angles(scene, hinges)
    order = np.argsort(angles, axis=1)
    counts = np.sum(np.isfinite(angles), axis=1)
    most = max(int(counts.max(initial=0)), 1)
    order = order[:, :most]
    angles = np.take_along_axis(angles, order, axis=1)
    used = np.arange(most)[None] < np.maximum(counts, 1)[:, None]
    angles = np.where(np.isfinite(angles), angles, 0.0)
    last = np.maximum(counts - 1, 0)[:, None]
    successor = np.where(
        np.arange(most)[None] == last, angles[:, :1] + 2 * math.pi, np.roll(angles, -1, axis=1)
    )
    rows, columns = np.nonzero(used)
    middles = (angles + successor)[rows, columns] / 2
    free = np.zeros(angles.shape, dtype=bool)
    free[rows, columns] = ~overlapping(scene, hinges[rows], middles)
    return [
        _arcs_of(angles[row, :n], free[row, :n], order[row, :n]) if n else _circle(bool(free[row, 0]))
        for row, n in enumerate(counts.tolist())
    ]


def _circle(free: bool) -> list[Arc]:
    return [Arc(-math.inf, math.inf, -1, -1)] if free else []


def _arcs_of(angles: Floats, free: NDArray[np.bool_], columns: NDArray[np.intp]) -> list[Arc]:
    """Neighbouring free intervals joined. One that rounding made counts as free beside a free one."""
    lengths = np.diff(angles, append=angles[0] + 2 * math.pi)
    tiny = lengths < TINY
    if tiny.any():
        free = np.where(tiny, False, free)
        for _ in range(3):
            free = np.where(tiny, np.roll(free, 1) | np.roll(free, -1), free)
    if free.all():
        return _circle(True)
    count = len(angles)
    opens = np.flatnonzero(free & ~np.roll(free, 1))
    arcs = []
    for start in opens.tolist():
        end = start
        while free[end % count]:
            end += 1
        upper = float(angles[end % count]) + (2 * math.pi if end >= count else 0.0)
        arcs.append(Arc(float(angles[start]), upper, int(columns[start]), int(columns[end % count])))
    return arcs
