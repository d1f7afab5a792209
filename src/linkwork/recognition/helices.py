"""Surfaces of meshes that a screw motion maps to themselves: threads that are drawn turn by turn.

On such a surface normals n at points p are across the velocities of one screw motion: n·(c' + c × p) = 0, which is
linear in its axis and its pitch (Pottmann and Randrup 1998). Of the edges that climb alike about this axis one finite
screw takes the beginnings to the ends: it tells the axis and the pitch to the digits of the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.recognition.facets import Creased, Places, components
from linkwork.solid.placement import Floats, Placement, Triple, cross, triple
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.region.chords import ON_CIRCLE, SIDES
from linkwork.solid.values import Inside

STEEPEST: Final = 1.0
"""How far a thread may climb for the way around at its crest: what is steeper is the tooth of a helical gear."""
LEAST_TURN: Final = 0.3
"""Of how many turns a thread has at least: those of jars have several beginnings."""
MOST: Final = 64
"""How many sheets of a mesh are looked at, the largest first."""
UPRIGHT: Final = 0.2
"""The cosine of the angle from which a facet stands up from the next: coarse twists are made of rough ones."""
ASTRAY: Final = 0.5
"""The largest sine of the angle between a facet and the velocity of its points: chords stand for curves."""
FITS: Final = 4
"""How many times the motion is fitted, each time to what it was found to fit."""
ROUGH: Final = 1e-2
"""How well the axis is known that normals tell, as a part of the radius."""
LEAST_RISE: Final = 1e-3
"""How little a thread may climb for the way around: what climbs less is a ring."""
SAME_STEP: Final = 0.02
"""By how much edges that go along a thread may differ in how they climb, and in their angles about the axis."""
EXACT: Final = 5.0
"""How many last digits of the file the ends of such an edge may be from where the motion takes its beginning,"""
SHARED: Final = 0.3
"""and what part of them has to be no farther."""
SAME_LEAD: Final = 1e-2
"""By how much the leads of flanks of one thread may differ, and those of two threads that fit."""
LOOKS: Final = 600
"""How many triangles of a thread are looked at,"""
SPOTS: Final = np.array(
    [(0.34, 0.33, 0.33), (0.9, 0.05, 0.05), (0.05, 0.9, 0.05), (0.05, 0.05, 0.9), (0.5, 0.45, 0.05)]
)
"""and at which places of each."""


@dataclass(frozen=True, eq=False)
class Helix:
    """A surface of a mesh that goes on along a screw motion, and points of it with their normals.

    ``lead`` is how far it goes along the axis in a turn, below 0 if it is left-handed; ``tops`` are, for each point,
    the corners of its triangle.
    """

    point: Triple
    axis: Triple
    lead: float
    ends: tuple[Triple, Triple]
    """The corners that are the first and the last along the axis."""
    points: Floats
    normals: Floats
    tops: Floats

    def placed(self, place: Placement) -> Helix:
        """That of a solid that is placed."""
        lead = self.lead * place.scale * (-1.0 if place.is_mirrored else 1.0)
        seen = place.point(self.points), place.direction(self.normals), place.point(self.tops)
        ends = place.image(self.ends[0]), place.image(self.ends[1])
        return Helix(place.image(self.point), place.way(self.axis), lead, ends, *seen)


@dataclass(frozen=True, eq=False)
class _Screw:
    """A screw motion: it turns by an angle about an axis and goes along it by a rise."""

    axis: Floats
    point: Floats
    angle: float
    rise: float

    matrix: Floats
    shift: Floats

    @property
    def lead(self) -> float:
        """How far a turn goes."""
        return math.tau * self.rise / self.angle

    def off(self, edges: Floats) -> Floats:
        """How far the ends of edges are from where it takes their beginnings."""
        return np.asarray(np.linalg.norm(edges[:, 0] @ self.matrix.T + self.shift - edges[:, 1], axis=1))

    def is_like(self, other: _Screw, slack: float) -> bool:
        """Whether it is about the same axis and climbs alike."""
        away = cross(other.point - self.point, self.axis)
        return (
            abs(float(self.axis @ other.axis)) > 1 - SAME_LEAD**2
            and float(np.linalg.norm(away)) <= slack
            and abs(self.lead - other.lead) <= SAME_LEAD * abs(self.lead)
        )


def helices(solid: Polyhedron, mesh: Creased) -> Iterator[Helix]:
    """The threads of a polyhedron, all flanks of each together."""
    slack = ON_CIRCLE * float(np.abs(solid.corners).max())
    found: list[_Screw] = []
    for places in _sheets(mesh):
        screw = _screw_of(solid, mesh, places, slack)
        if screw is not None and not any(screw.is_like(each, 100 * slack) for each in found):
            found.append(screw)
            yield _looked_at(solid, mesh, screw, slack)


def _sheets(mesh: Creased) -> Iterator[Places]:
    """The triangles of each sheet in which none stands up from the next, the largest first."""
    normals = mesh.normals
    gentle = np.einsum("ij,ij->i", normals[mesh.first], normals[mesh.second]) > UPRIGHT
    sheet = components(mesh.first[gentle], mesh.second[gentle], len(normals))
    counts = np.bincount(sheet)
    for number in np.argsort(-counts, kind="stable")[:MOST]:
        if counts[number] < SIDES:
            return
        yield np.flatnonzero(sheet == number)


def _screw_of(solid: Polyhedron, mesh: Creased, places: Places, slack: float) -> _Screw | None:
    """The screw motion that takes edges of a sheet each to the next one, if that is a thread."""
    line = _axis_of(solid, mesh, places)
    if line is None:
        return None
    inside = np.zeros(len(mesh.normals), dtype=bool)
    inside[places] = True
    ends = solid.corners[mesh.edges[inside[mesh.first] | inside[mesh.second]]]
    screw = None
    for rough in (ROUGH, ROUGH**2):
        edges = _edges_along(ends, *line, rough)
        screw = _fitted_screw(edges, slack) if len(edges) >= SIDES else None
        if screw is None:
            return None
        line = screw.axis, screw.point
    assert screw is not None
    heights = (edges.reshape(-1, 3) - screw.point) @ screw.axis
    is_long = np.ptp(heights) >= LEAST_TURN * abs(screw.lead)
    return screw if is_long and abs(screw.rise) > slack else None


def _axis_of(solid: Polyhedron, mesh: Creased, places: Places) -> tuple[Floats, Floats] | None:
    """About which axis the velocities are that keep the points of a sheet in it: its direction and a point of it."""
    corners = solid.corners[solid.triangles[places]]
    middles, normals, weights = corners.mean(axis=1), mesh.normals[places], mesh.sizes[places].copy()
    centre = middles.mean(axis=0)
    size = float(np.abs(middles - centre).max())
    rows = np.hstack([cross((middles - centre) / size, normals), normals])
    turn = shift = np.zeros(3)
    for _ in range(FITS):
        sums = (rows * weights[:, None]).T @ rows
        if not sums.any():
            return None
        back = np.linalg.pinv(sums[3:, 3:], rcond=1e-9, hermitian=True) @ sums[3:, :3]
        turn = np.linalg.eigh(sums[:3, :3] - sums[:3, 3:] @ back)[1][:, 0]
        shift = -back @ turn
        speeds = np.linalg.norm(shift + cross(turn, (middles - centre) / size), axis=1)
        astray = np.abs(rows @ np.concatenate([turn, shift])) / np.maximum(speeds, 1e-300)
        weights = np.where(astray <= ASTRAY, mesh.sizes[places], 0.0)
    return turn, centre + size * cross(turn, shift)


def _edges_along(ends: Floats, axis: Floats, point: Floats, rough: float) -> Floats:
    """Of edges, as their beginnings and ends, those that climb about an axis as most do that keep their radius."""
    heights = (ends - point) @ axis
    across = ends - point - heights[..., None] * axis
    radii = np.linalg.norm(across, axis=2)
    turns = np.arctan2(
        cross(across[:, 0], across[:, 1]) @ axis, np.einsum("ij,ij->i", across[:, 0], across[:, 1])
    )
    rises = np.where(turns < 0, heights[:, 0] - heights[:, 1], heights[:, 1] - heights[:, 0])
    turns, widest = np.abs(turns), radii.max(axis=1)
    may = (np.abs(radii[:, 0] - radii[:, 1]) <= rough * widest) & (turns > 0)
    may &= np.abs(rises) <= STEEPEST * widest * turns
    may &= np.abs(rises) > LEAST_RISE * widest * turns
    places = _most_alike(may, rises / np.where(may, turns, 1.0))
    step = float(np.median(turns[places])) if len(places) else 0.0
    places = places[np.abs(turns[places] - step) <= SAME_STEP * step]
    backwards = cross(across[places, 0], across[places, 1]) @ axis < 0
    found = ends[places]
    found[backwards] = found[backwards, ::-1]
    return np.asarray(found)


def _most_alike(may: Inside, values: Floats) -> Places:
    """The places of the largest number of values that differ by no more than a little from one another."""
    places = np.flatnonzero(may)
    order = places[np.argsort(values[places], kind="stable")]
    own = values[order]
    ends = np.searchsorted(own, own + SAME_STEP * np.abs(own), "right")
    best = int(np.argmax(ends - np.arange(len(own)))) if len(own) else 0
    return np.asarray(order[best : ends[best]] if len(own) else order)


def _fitted_screw(edges: Floats, slack: float) -> _Screw | None:
    """The screw that takes the beginnings of edges to their ends, if it does with many of them."""
    chosen = np.ones(len(edges), dtype=bool)
    screw = None
    for limit in (2.0, 2.0, 0.0):
        screw = _shortest(edges[chosen]) if chosen.sum() >= SIDES else None
        if screw is None:
            return None
        off = screw.off(edges)
        chosen = off <= max(EXACT * slack, limit * float(np.median(off[chosen])))
    return screw if chosen.sum() >= max(SIDES, SHARED * len(edges)) else None


def _shortest(edges: Floats) -> _Screw | None:
    """The motion that takes beginnings of edges to their ends with the least squares (Kabsch 1976), as a screw."""
    starts, ends = edges.swapaxes(0, 1)
    first, second = starts.mean(axis=0), ends.mean(axis=0)
    left, _, right = np.linalg.svd((ends - second).T @ (starts - first))
    matrix = np.asarray(left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right)
    shift = second - matrix @ first
    twisted = np.array(
        [matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]
    )
    sine = float(np.linalg.norm(twisted)) / 2
    if sine < LEAST_RISE**2:
        return None
    axis = twisted / (2 * sine)
    rise = float(shift @ axis)
    point = np.linalg.lstsq(np.eye(3) - matrix, shift - rise * axis, rcond=1e-9)[0]
    angle = math.atan2(sine, (float(np.trace(matrix)) - 1) / 2)
    return _Screw(axis, point, angle, rise, matrix, shift)


def _looked_at(solid: Polyhedron, mesh: Creased, screw: _Screw, slack: float) -> Helix:
    """A thread with places of the triangles along which its motion goes, or of some of them where they are many."""
    edges = solid.corners[mesh.edges]
    along = np.minimum(screw.off(edges), screw.off(edges[:, ::-1])) <= EXACT * slack
    places = np.unique(np.concatenate([mesh.first[along], mesh.second[along]]))
    every = solid.corners[np.unique(solid.triangles[places])]
    heights = every @ screw.axis
    ends = triple(every[np.argmin(heights)]), triple(every[np.argmax(heights)])
    if len(places) > LOOKS:
        places = np.sort(np.random.default_rng(1).choice(places, LOOKS, replace=False))
    corners = solid.corners[solid.triangles[places]]
    points = np.einsum("sk,nkj->nsj", SPOTS, corners)
    normals = np.broadcast_to(mesh.normals[places, None], points.shape)
    tops = np.broadcast_to(corners[:, None], (*points.shape[:2], 3, 3))
    seen = points.reshape(-1, 3), normals.reshape(-1, 3), tops.reshape(-1, 3, 3)
    return Helix(triple(screw.point), triple(screw.axis), screw.lead, ends, *seen)
