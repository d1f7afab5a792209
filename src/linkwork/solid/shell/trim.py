"""Whether points of a surface lie within the loops of a face.

From a point one walks along a curve of the surface that lies in a plane: a straight line of a plane, cylinder or
cone, a great circle of a sphere, a meridian of a torus. The edges that cross this plane are found exactly. Where the
walk ends outside, as on surfaces without end, the crossings counted with their signs tell whether it began inside; on
closed surfaces the first crossing tells. The walk the other way must agree; where it does not, a point is too near to
an edge, and the answer is not sure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats, cross
from linkwork.solid.shell.patch import Patch
from linkwork.solid.surface import TURN, Face, PlaneFace, RoundFace, SphereFace, TorusFace

Flags = NDArray[np.bool_]
Answer = tuple[Flags, Flags]
"""Whether each point is within the loops, and whether that is sure."""

SLANT = 0.7391
"""The angle of the walks in a plane: no direction in which parts are usually made."""
AIMS = (0.4321, 0.7877, 0.1234)
"""Shares of the way along an edge to which one walks on a sphere or torus."""
CLEAR = 0.3
"""The angle around its tube at which one walks around a torus."""


def is_on(patch: Patch, points: Floats) -> Answer:
    """Whether points of the surface of a face belong to the face, and whether that is sure."""
    if not patch.loops or not len(points):
        everywhere = np.ones(len(points), dtype=bool)
        return everywhere, everywhere
    return _within(patch.surface, patch, points)


@singledispatch
def _within(surface: Face, patch: Patch, points: Floats) -> Answer:
    raise TypeError(f"no surface: {surface!r}")


@_within.register
def _(surface: PlaneFace, patch: Patch, points: Floats) -> Answer:
    ahead = np.cos(SLANT) * np.array(surface.along) + np.sin(SLANT) * np.array(surface.across)
    left = cross(patch.side * np.array(surface.normal), ahead)
    normals = np.tile(left, (len(points), 1))
    offsets = points @ left
    sums = np.zeros((2, len(points)))
    for edge in patch.edges:
        found = edge.crossings(normals, offsets)
        _count(sums, found.rows, (found.points - points[found.rows]) @ ahead, found.signs)
    return _counted(sums)


@_within.register
def _(surface: RoundFace, patch: Patch, points: Floats) -> Answer:
    axis, base = np.array(surface.axis), np.array(surface.point)
    outward, around = _spokes(points - base, axis)
    way = -1.0 if surface.far_radius < surface.radius else 1.0  # away from the tip of a cone
    left = -patch.side * way * around
    sums = np.zeros((2, len(points)))
    for edge in patch.edges:
        found = edge.crossings(left, left @ base)
        near = np.einsum("ij,ij->i", found.points - base, outward[found.rows]) > 0
        rows = found.rows[near]
        _count(sums, rows, way * (found.points[near] - points[rows]) @ axis, found.signs[near])
    if not surface.is_cylinder:
        sums[1] = sums[0]  # backwards the walk ends at the tip, which may be inside
    return _counted(sums)


@_within.register
def _(surface: SphereFace, patch: Patch, points: Floats) -> Answer:
    centre = np.array(surface.point)
    spokes = points - centre
    spokes /= np.maximum(np.linalg.norm(spokes, axis=1, keepdims=True), 1e-300)
    inside, sure = np.zeros(len(points), dtype=bool), np.zeros(len(points), dtype=bool)
    edges = [*patch.edges]
    for aim, edge in ((aim, edge) for aim in AIMS for edge in edges):
        rest = np.flatnonzero(~sure)
        if not len(rest):
            break
        target = edge.at(np.array([aim]))[0] - centre
        ahead = target - spokes[rest] * (spokes[rest] @ target)[:, None]
        ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-300)
        left = np.cross(patch.side * spokes[rest], ahead)
        first = _FirstCrossing(len(rest))
        for each in edges:
            found = each.crossings(left, left @ centre)
            ways = found.points - centre
            angles = np.arctan2(
                np.einsum("ij,ij->i", ways, ahead[found.rows]),
                np.einsum("ij,ij->i", ways, spokes[rest][found.rows]),
            )
            first.enter(found.rows, angles, found.signs)
        inside[rest], sure[rest] = first.answer()
    return inside, sure


@_within.register
def _(surface: TorusFace, patch: Patch, points: Floats) -> Answer:
    """Along the meridian; where no edge crosses it, around the axis; failing that, along the meridian of an edge."""
    inside, sure, met = _on_meridian(surface, patch, points)
    lone = np.flatnonzero(~met)
    if not len(lone):
        return inside, sure
    turned = _at_clear_angle(surface, points[lone])
    inside[lone], sure[lone], met = _on_parallel(surface, patch, turned)
    lone = lone[~met]
    if len(lone):
        inside[lone], sure[lone] = _beside_edges(surface, patch)
    return inside, sure


def _beside_edges(surface: TorusFace, patch: Patch) -> tuple[bool, bool]:
    """Whether the outer side of the ring belongs to a face where no edge is: along the meridian of some edge.

    An edge along a meridian is none to walk to.
    """
    for aim, edge in ((aim, edge) for aim in AIMS for edge in patch.edges):
        at_edge = _at_clear_angle(surface, edge.at(np.array([aim])))
        inside, sure, met = _on_meridian(surface, patch, at_edge)
        if met[0] and sure[0]:
            return bool(inside[0]), True
    return False, False


def _on_meridian(surface: TorusFace, patch: Patch, points: Floats) -> tuple[Flags, Flags, Flags]:
    axis, base = np.array(surface.axis), np.array(surface.point)
    outward, around = _spokes(points - base, axis)
    left = -patch.side * around
    begin = _tube_angles(points - base, outward, axis, surface.radius)
    first = _FirstCrossing(len(points))
    for edge in patch.edges:
        found = edge.crossings(left, left @ base)
        ways, spokes = found.points - base, outward[found.rows]
        near = np.einsum("ij,ij->i", ways, spokes) > 0
        rows = found.rows[near]
        angles = _tube_angles(ways[near], spokes[near], axis, surface.radius) - begin[rows]
        first.enter(rows, angles, found.signs[near])
    return (*first.answer(), first.has_met)


def _on_parallel(surface: TorusFace, patch: Patch, points: Floats) -> tuple[Flags, Flags, Flags]:
    axis, base = np.array(surface.axis), np.array(surface.point)
    outward, around = _spokes(points - base, axis)
    left = patch.side * np.tile(axis, (len(points), 1))
    first = _FirstCrossing(len(points))
    for edge in patch.edges:
        found = edge.crossings(left, np.einsum("ij,ij->i", left, points))
        ways = found.points - base
        x = np.einsum("ij,ij->i", ways, outward[found.rows])
        y = np.einsum("ij,ij->i", ways, around[found.rows])
        near = np.hypot(x, y) > surface.radius  # not on the inner side of the ring
        first.enter(found.rows[near], np.arctan2(y, x)[near], found.signs[near])
    return (*first.answer(), first.has_met)


def _at_clear_angle(surface: TorusFace, points: Floats) -> Floats:
    """The points of the same meridians on the outer side of the ring."""
    axis, base = np.array(surface.axis), np.array(surface.point)
    outward, _ = _spokes(points - base, axis)
    reach = surface.radius + surface.tube * np.cos(CLEAR)
    moved: Floats = base + reach * outward + surface.tube * np.sin(CLEAR) * axis
    return moved


def _tube_angles(ways: Floats, outward: Floats, axis: Floats, radius: float) -> Floats:
    angles: Floats = np.arctan2(ways @ axis, np.einsum("ij,ij->i", ways, outward) - radius)
    return angles


def _spokes(ways: Floats, axis: Floats) -> tuple[Floats, Floats]:
    """Unit vectors away from an axis, and around it to the left."""
    outward = ways - np.outer(ways @ axis, axis)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-300)
    return outward, np.cross(axis, outward)


def _count(sums: Floats, rows: NDArray[np.int64], places: Floats, signs: Floats) -> None:
    ahead = places > 0
    np.add.at(sums[0], rows[ahead], signs[ahead])
    np.add.at(sums[1], rows[~ahead], -signs[~ahead])


def _counted(sums: Floats) -> Answer:
    inside = sums[0] > 0.5
    return inside, (sums[0] == sums[1]) & ((sums[0] == 0) | (sums[0] == 1))


class _FirstCrossing:
    """The first crossing ahead on a closed curve, and the first one behind."""

    def __init__(self, count: int) -> None:
        self._ahead = np.full(count, np.inf)
        self._behind = np.full(count, np.inf)
        self._signs = np.zeros((2, count))

    def enter(self, rows: Iterable[int] | NDArray[np.int64], angles: Floats, signs: Floats) -> None:
        """Take up the crossings of one edge."""
        for row, angle, sign in zip(rows, angles % TURN, signs, strict=True):
            if angle < self._ahead[row]:
                self._ahead[row], self._signs[0, row] = angle, sign
            if TURN - angle < self._behind[row]:
                self._behind[row], self._signs[1, row] = TURN - angle, sign

    @property
    def has_met(self) -> Flags:
        """Where there is a crossing at all."""
        met: Flags = np.isfinite(self._ahead)
        return met

    def answer(self) -> Answer:
        """Inside if the first edge ahead goes to the left, and the first one behind to the right."""
        ahead, behind = self._signs
        return ahead > 0, (ahead * behind < 0)
