"""Which constraints can come into touch during a stretch of the motion: the rest need no thought.

Works in floating point with room to spare: what is left out is farther away than any rounding error.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from linkwork.fasten.algebraic import as_float
from linkwork.fasten.slices import Feature, Outline, Slice

ROOM = 1e-9
"""Of the size of the whole design: far above rounding errors, far below what matters."""

Floats = NDArray[np.float64]


class Near:
    """The vertices and edges of one pawl and of the obstacles, as arrays."""

    def __init__(self, piece: Slice, duration: float) -> None:
        self.pawl, self.after = _floats(piece.pawl)
        self.corners, self.next_corner = _floats(piece.obstacles)
        self.pawl_bulges = np.array(piece.pawl.bulges, dtype=bool)
        self.corner_bulges = np.array(piece.obstacles.bulges, dtype=bool)
        self.reach = np.hypot(self.pawl[:, 0], self.pawl[:, 1])
        self.edge_reach = np.maximum(self.reach, self.reach[self.after])
        self.hinge = np.array([as_float(piece.hinge[0]), as_float(piece.hinge[1])])
        self.velocity = np.array([as_float(piece.velocity[0]), as_float(piece.velocity[1])])
        self.speed = float(np.hypot(*self.velocity))
        ends = [self.hinge, self.hinge + duration * self.velocity]
        largest = max(float(np.max(np.abs(part), initial=0.0)) for part in (self.corners, *ends))
        self.size = largest + float(np.max(self.reach))
        self.room = ROOM * self.size
        self.latest = duration
        stops = self.corners[self.next_corner]
        self.edge_low = np.minimum(self.corners, stops)
        self.edge_high = np.maximum(self.corners, stops)

    def features(self, times: tuple[float, float], angles: tuple[float, float]) -> list[Feature]:
        """All constraints whose vertex may be on its edge somewhere in a box of the slice."""
        half_time, half_angle = abs(times[1] - times[0]) / 2, abs(angles[1] - angles[0]) / 2
        placed = self.placed((times[0] + times[1]) / 2, (angles[0] + angles[1]) / 2)
        shift = self.speed * half_time + self.room
        turn = min(half_angle, math.pi)
        vertex_room = shift + self.reach * turn
        edge_room = shift + self.edge_reach * turn
        return [
            *self._edges_on_corners(placed, edge_room),
            *self._vertices_on_edges(placed, vertex_room),
        ]

    def placed(self, time: float, angle: float) -> Floats:
        """The pawl's vertices at a time and an angle."""
        cosine, sine = math.cos(angle), math.sin(angle)
        turned = self.pawl @ np.array([[cosine, sine], [-sine, cosine]])
        return np.asarray(turned + (self.hinge + time * self.velocity))

    def _edges_on_corners(self, placed: Floats, room: Floats) -> list[Feature]:
        starts, stops = placed, placed[self.after]
        low, high = np.minimum(starts, stops) - room[:, None], np.maximum(starts, stops) + room[:, None]
        inside = np.all((self.corners >= low.min(0)) & (self.corners <= high.max(0)), axis=1)
        corners = np.flatnonzero(inside & self.corner_bulges)
        points = self.corners[corners]
        edge, corner = np.nonzero(
            np.all((points[None] >= low[:, None]) & (points[None] <= high[:, None]), axis=2)
        )
        distance = _distances(points[corner], starts[edge], stops[edge])
        kept = distance <= room[edge]
        return [
            Feature("A", i, j)
            for i, j in zip(edge[kept].tolist(), corners[corner[kept]].tolist(), strict=True)
        ]

    def _vertices_on_edges(self, placed: Floats, room: Floats) -> list[Feature]:
        low, high = placed - room[:, None], placed + room[:, None]
        near = np.all((self.edge_high >= low.min(0)) & (self.edge_low <= high.max(0)), axis=1)
        edges = np.flatnonzero(near)
        bulging = np.flatnonzero(self.pawl_bulges)
        vertex, edge = np.nonzero(
            np.all(
                (self.edge_high[edges][None] >= low[bulging][:, None])
                & (self.edge_low[edges][None] <= high[bulging][:, None]),
                axis=2,
            )
        )
        vertex, edge = bulging[vertex], edges[edge]
        distance = _distances(placed[vertex], self.corners[edge], self.corners[self.next_corner[edge]])
        kept = distance <= room[vertex]
        return [Feature("B", i, j) for i, j in zip(vertex[kept].tolist(), edge[kept].tolist(), strict=True)]


def _floats(outline: Outline) -> tuple[Floats, NDArray[np.intp]]:
    points = np.array([[as_float(x), as_float(y)] for x, y in outline.vertices], dtype=float).reshape(-1, 2)
    return points, np.array(outline.following, dtype=np.intp)


def _distances(points: Floats, starts: Floats, stops: Floats) -> Floats:
    """From points to segments."""
    along = stops - starts
    length = np.einsum("ij,ij->i", along, along)
    part = np.einsum("ij,ij->i", points - starts, along) / np.where(length > 0, length, 1.0)
    nearest = starts + np.clip(part, 0.0, 1.0)[:, None] * along
    gap = points - nearest
    return np.asarray(np.hypot(gap[:, 0], gap[:, 1]))
