"""A piece of a surface within loops of edges: one face of a shell.

Seen from outside the material, loops turn to the left around what belongs to the face, and to the right around holes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from linkwork.solid.placement import Floats, Placement, Triple, cross, triple
from linkwork.solid.shell.edge import Edge, Loop
from linkwork.solid.shell.vector import across
from linkwork.solid.surface import TURN, Face, PlaneFace, RoundFace, SphereFace, TorusFace

FINE: Final = math.radians(20)
"""Pieces of arcs that are small enough to follow an angle along them."""


@dataclass(frozen=True)
class Patch:
    """A face: its surface, its loops (none for a whole sphere or torus), and on which side the material is.

    ``outward`` tells that the surface's own normal, which points away from an axis, a centre or the middle of a tube,
    and is the normal of a plane, also points out of the material: true for a shaft, false for a hole.
    """

    surface: Face
    loops: tuple[Loop, ...]
    outward: bool = True
    deviation: float = 0.0
    """How far the face may be from one of another kind that it stands for."""

    @property
    def edges(self) -> Iterator[Edge]:
        """The edges of all loops."""
        for loop in self.loops:
            yield from loop

    @property
    def side(self) -> float:
        """1 if the surface's own normal points out of the material, else -1."""
        return 1.0 if self.outward else -1.0

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """The corners of a box around it, as small as it can be."""
        reaches = [[edge.reach(axis) for axis in np.eye(3)] for edge in self.edges]
        points = [np.array(reach)[:, k] for reach in reaches for k in (0, 1)] + self._summits()
        return np.min(points, axis=0), np.max(points, axis=0)

    def _summits(self) -> list[Floats]:
        """The points away from the edges where the surface reaches farthest along an axis of the world."""
        from linkwork.solid.shell.trim import is_on

        if isinstance(self.surface, RoundFace):
            ends = zip((self.surface.radius, self.surface.far_radius), self.surface.span, strict=True)
            axis = np.array(self.surface.axis)
            return [np.array(self.surface.point) + height * axis for radius, height in ends if radius == 0]
        candidates = np.array([*_summits(self.surface)]).reshape(-1, 3)
        return [*candidates[is_on(self, candidates)[0]]]

    def reversed(self) -> Patch:
        """The same face with the material on the other side."""
        loops = tuple(tuple(edge.reversed() for edge in loop[::-1]) for loop in self.loops)
        return replace(self, loops=loops, outward=not self.outward)

    def placed(self, place: Placement) -> Patch:
        """The face of a solid that is placed."""
        moved = tuple(tuple(edge.placed(place) for edge in loop) for loop in self.loops)
        outward = self.outward
        if place.is_mirrored:
            moved = tuple(tuple(edge.reversed() for edge in loop[::-1]) for loop in moved)
            outward ^= isinstance(self.surface, PlaneFace)  # whose normal follows from its two directions
        return Patch(self.surface.placed(place), moved, outward, self.deviation * place.scale)


def _summits(surface: Face) -> Iterator[Floats]:
    if isinstance(surface, SphereFace):
        for step in (surface.radius, -surface.radius):
            yield from np.array(surface.point) + step * np.eye(3)
    if isinstance(surface, TorusFace):
        axis = np.array(surface.axis)
        for direction in (*np.eye(3), *-np.eye(3)):
            flat = direction - axis * (axis @ direction)
            length = float(np.linalg.norm(flat))
            spoke = (
                flat / length if length > 1e-12 else across(axis)
            )  # a whole circle is as far, or an edge crosses it
            yield np.array(surface.point) + surface.radius * spoke + surface.tube * direction


# --------------------------------------------------------------------------------- how far a face reaches


def plane_patch(
    point: Triple, normal: Triple, loops: Iterable[Loop], *, along: Triple | None = None
) -> Patch:
    """A flat face with a normal that points out of the material."""
    loops = tuple(loops)
    first = np.array(along) if along is not None else across(np.array(normal))
    second = cross(normal, first)
    edges = [edge for loop in loops for edge in loop]
    u, v = (_reach(edges, direction, float(np.dot(direction, point))) for direction in (first, second))
    return Patch(PlaneFace(triple(point), triple(first), triple(second), u, v), loops)


def round_patch(
    point: Triple,
    axis: Triple,
    zero: Triple,
    radius: float,
    slope: float,
    loops: Iterable[Loop],
    *,
    outward: bool,
) -> Patch:
    """A cylindrical or conical face, whose radius at ``point`` is given and grows by ``slope`` along the axis."""
    loops = tuple(loops)
    edges = [edge for loop in loops for edge in loop]
    span = _reach(edges, np.array(axis), float(np.dot(axis, point)))
    radii = [radius, radius]
    if slope:
        tip = -radius / slope
        whole = RoundFace(point, axis, zero, radius, radius + slope, (0.0, 1.0))
        if round(
            sum(_winding(whole, loop) for loop in loops)
        ):  # what runs once around in all leaves the tip inside
            span = min(span[0], tip), max(span[1], tip)
        radii = [0.0 if end == tip else max(0.0, radius + slope * end) for end in span]
    face = RoundFace(point, axis, zero, radii[0], radii[1], span)
    return Patch(replace(face, angles=_angles(face, loops)), loops, outward)


def _winding(face: RoundFace, loop: Loop) -> float:
    angles = _lifted(face, loop)
    return float(angles[-1] - angles[0]) / TURN


def _angles(face: RoundFace, loops: tuple[Loop, ...]) -> tuple[float, float]:
    """Where a face begins around its axis, and how far it reaches around."""
    widest = (0.0, 0.0)
    for loop in loops:
        angles = _lifted(face, loop)
        low, high = float(angles.min()), float(angles.max())
        if abs(angles[-1] - angles[0]) > 1.0 or high - low > TURN * (1 - 1e-9):
            return 0.0, TURN
        if high - low > widest[1]:
            widest = (low, high - low)
    return widest if loops else (0.0, TURN)


def _lifted(face: RoundFace, loop: Loop) -> Floats:
    """The angle along a loop, without jumps, from its start to its start again."""
    x, y, _ = face.frame()
    points = np.concatenate([edge.at(edge.pieces(FINE)) for edge in loop]) - np.array(face.point)
    points = np.concatenate([points, points[:1]])
    return np.unwrap(np.arctan2(points @ y, points @ x))


def _reach(edges: Iterable[Edge], direction: Floats, base: float) -> tuple[float, float]:
    reaches = [edge.reach(direction) for edge in edges]
    if not reaches:
        return 0.0, 0.0
    return min(low for low, _ in reaches) - base, max(high for _, high in reaches) - base
