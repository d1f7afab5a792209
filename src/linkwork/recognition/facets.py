"""Cylinders that meshes stand for: flat sides all around an axis, with their corners at one distance from it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, Triple, cross, unit
from linkwork.solid.polyhedron import Polyhedron, shared_edges
from linkwork.solid.region.chords import NEAR, ON_CIRCLE, SIDES, fitted_circle
from linkwork.solid.section import frame_across
from linkwork.solid.values import Inside

FLAT: Final = 1e-4
"""Triangles that lean against each other by less than this, in radians, are of one plane."""
SAME_WAY: Final = 1e-4
"""Edges whose directions differ by less than this are parallel: meshes have six digits."""
COARSE: Final = 2e-3
"""The same of edges and triangles that are small beside the coordinates of the mesh, whose digits are then fewer."""

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Faceted:
    """A cylinder in the place of flat sides: from ``low`` to ``high`` along its axis; a hole or a shaft."""

    axis: Triple
    centre: tuple[float, float]
    """Where the axis is, in the coordinates of sections across it."""
    radius: float
    low: float
    high: float
    sides: int
    is_hole: bool


@dataclass(frozen=True, eq=False)
class Creased:
    """The edges of a mesh, each with the triangles beside it: which bend a little, and which sheets are flat."""

    normals: Floats
    sizes: Floats
    """Of each triangle: its unit normal, and twice its area."""
    edges: Places
    first: Places
    second: Places
    bent: Inside
    """Edges at which sides of something round may meet."""
    sheets: Places
    """The number of the plane sheet that each triangle is in."""

    @classmethod
    def of(cls, solid: Polyhedron) -> Creased:
        """Those of a polyhedron."""
        sizes = np.linalg.norm(solid.normals, axis=1)
        normals = solid.normals / np.where(sizes > 0, sizes, 1.0)[:, None]
        edges, first, second = shared_edges(solid.triangles)
        lean = np.arcsin(np.minimum(1.0, np.linalg.norm(cross(normals[first], normals[second]), axis=1)))
        slack = ON_CIRCLE * float(np.abs(solid.corners).max())
        # how wide triangles are across their longest edges
        wide = sizes / np.maximum(_longest(solid), 1e-300)
        least = np.maximum(np.minimum(wide[first], wide[second]), 1e-300)
        flat = lean <= np.clip(slack / least, FLAT, COARSE)
        bent = (
            ~flat
            & (lean <= 1.001 * math.tau / SIDES)
            & (np.einsum("ij,ij->i", normals[first], normals[second]) > 0)
        )
        sheets = components(first[flat], second[flat], len(normals))
        return cls(normals, sizes, edges, first, second, bent, sheets)


def faceted_cylinders(solid: Polyhedron, mesh: Creased | None = None) -> Iterator[Faceted]:
    """The whole cylinders that a polyhedron stands for.

    >>> ring = [(math.cos(k * math.tau / 30), math.sin(k * math.tau / 30)) for k in range(30)]
    >>> points = [(x, y, z) for z in (0, 2) for x, y in ring]
    >>> sides = [(k, (k + 1) % 30, 30 + (k + 1) % 30, 30 + k) for k in range(30)]
    >>> (found,) = faceted_cylinders(Polyhedron(points, [*sides, range(29, -1, -1), range(30, 60)]))
    >>> found.sides, round(found.radius, 9), found.high - found.low, found.is_hole
    (30, 1.0, 2.0, False)
    """
    mesh = mesh or Creased.of(solid)
    slack = ON_CIRCLE * float(np.abs(solid.corners).max())
    edges, first, second, sheets = mesh.edges, mesh.first, mesh.second, mesh.sheets
    ways = solid.corners[edges[:, 1]] - solid.corners[edges[:, 0]]
    for creases in _parallel(ways, np.flatnonzero(mesh.bent), slack):
        strips = _joined_sheets(sheets[first[creases]], sheets[second[creases]])
        mean = (np.sign(ways[creases] @ ways[creases[0]])[:, None] * ways[creases]).sum(axis=0)
        yield from _cylinders(solid, edges[creases], strips, unit(mean), mesh.normals[first[creases]])


def components(first: Places, second: Places, count: int) -> Places:
    """The number of the component that each of some things is in, which pairs of them join."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
    found: Places = connected_components(graph, directed=False)[1]
    return found


def _joined_sheets(first: Places, second: Places) -> Places:
    """The strip that each crease is in: sheets that creases join are one."""
    sheets, numbers = np.unique(np.concatenate([first, second]), return_inverse=True)
    own, other = numbers[: len(first)], numbers[len(first) :]
    return np.asarray(components(own, other, len(sheets))[own])


def _longest(solid: Polyhedron) -> Floats:
    """How long the longest edge of each triangle is."""
    corners = solid.corners[solid.triangles]
    return np.asarray(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1))


def _parallel(ways: Floats, creases: Places, slack: float) -> Iterator[Places]:
    """Edges in sets of parallel ones, the longest first; those that may go around an axis."""
    from scipy.spatial import cKDTree

    lengths = np.linalg.norm(ways[creases], axis=1)
    creases, lengths = creases[lengths > 0], lengths[lengths > 0]
    order = np.argsort(-lengths, kind="stable")
    creases, lengths = creases[order], lengths[order]
    if len(creases) < SIDES:
        return
    units = ways[creases] / lengths[:, None]
    most = np.clip(slack / lengths, SAME_WAY, COARSE)
    tree = cKDTree(np.concatenate([units, -units]))  # a direction and its opposite are the same
    reach = 2 * math.sin(most[-1] / 2)  # of the shortest, which may lean the most
    left = tree.query_ball_point(units, reach, return_length=True) >= SIDES
    for seed in np.flatnonzero(left):
        if left[seed]:
            alike = np.unique(np.array(tree.query_ball_point(units[seed], reach)) % len(units))
            alike = alike[left[alike]]
            alike = alike[np.linalg.norm(cross(units[alike], units[seed]), axis=1) <= most[alike]]
            left[alike] = False
            if len(alike) >= SIDES:
                yield creases[alike]


def _cylinders(
    solid: Polyhedron, edges: Places, strips: Places, axis: Triple, normals: Floats
) -> Iterator[Faceted]:
    """The cylinders on which parallel edges lie all around; strips of sides may be cut through by other holes."""
    frame, slack = frame_across(axis), ON_CIRCLE * float(np.abs(solid.corners).max())
    ends = frame.local(solid.corners[edges.ravel()]).reshape(-1, 2, 3)
    places, heights = ends[:, :, :2].mean(axis=1) @ np.array([1, 1j]), np.sort(ends[:, :, 2], axis=1)
    outward = frame.inverse.direction(normals)[:, :2] @ np.array([1, 1j])
    left = np.ones(len(edges), dtype=bool)
    numbers, counts = np.unique(strips, return_counts=True)
    for number in numbers[np.argsort(-counts, kind="stable")]:
        own = left & (strips == number)
        if own.sum() < SIDES / 2:
            continue
        centre, radius = fitted_circle(places[own])
        on_circle = left & (np.abs(np.abs(places - centre) - radius) <= min(slack, NEAR * radius))
        around = around_axis(np.angle(places[on_circle] - centre), slack / max(radius, slack))
        if radius <= slack or not on_circle[own].all() or around is None:
            continue
        left &= ~on_circle
        sides = int(around.max()) + 1
        low = max(heights[on_circle, 0][around == place].min() for place in range(sides))
        high = min(heights[on_circle, 1][around == place].max() for place in range(sides))
        is_hole = float((outward * (places - centre).conjugate())[own][0].real) < 0
        if high - low > slack:
            yield Faceted(axis, (centre.real, centre.imag), radius, float(low), float(high), sides, is_hole)


def around_axis(angles: Floats, slack: float) -> Places | None:
    """Which corner each angle is at, if they go all around in steps that stand for a circle."""
    if len(angles) < SIDES:
        return None
    order = np.argsort(angles)
    steps = np.diff(angles[order]) > slack
    found = np.empty(len(angles), dtype=np.intp)
    found[order] = np.concatenate([[0], np.cumsum(steps)])
    corners = angles[order][np.concatenate([[True], steps])]
    if len(corners) > 1 and corners[0] + math.tau - corners[-1] <= slack:
        found[found == found.max()] = 0
        corners = corners[:-1]
    turns = np.diff([*corners, corners[0] + math.tau])
    return found if len(corners) >= SIDES and turns.max() <= 1.001 * math.tau / SIDES else None
