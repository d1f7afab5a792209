"""Coordinates u, v of surfaces: u along a plane or around an axis, v across it, along the axis, or around a tube.

In every chart du times dv points along the surface's own normal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from linkwork.solid.placement import Floats, cross
from linkwork.solid.shell.distance import radius_at, slope
from linkwork.solid.shell.edge import Edge
from linkwork.solid.shell.patch import Patch
from linkwork.solid.shell.rays import directions
from linkwork.solid.shell.vector import across
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace


class Chart(Protocol):
    """What all charts answer."""

    def uv(self, points: Floats) -> tuple[Floats, Floats]:
        """The coordinates of points of the surface."""

    def rates(self, points: Floats, ways: Floats) -> tuple[Floats, Floats]:
        """How fast the coordinates change where points move."""

    def at(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The points at coordinates, and there du times dv as vectors."""


@dataclass(frozen=True, eq=False)
class PlaneChart:
    """Lengths along two directions of a plane."""

    origin: Floats
    along: Floats
    beside: Floats

    def uv(self, points: Floats) -> tuple[Floats, Floats]:
        """The coordinates of points of the surface."""
        ways = points - self.origin
        return ways @ self.along, ways @ self.beside

    def rates(self, points: Floats, ways: Floats) -> tuple[Floats, Floats]:
        """How fast the coordinates change where points move."""
        return ways @ self.along, ways @ self.beside

    def at(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The points at coordinates, and there du times dv as vectors."""
        points = self.origin + u[..., None] * self.along + v[..., None] * self.beside
        return points, np.broadcast_to(cross(self.along, self.beside), points.shape)


@dataclass(frozen=True, eq=False)
class RoundChart:
    """The angle around the axis, and the length along it; the radius is ``radius`` + ``slope`` v."""

    origin: Floats
    frame: Floats
    """The directions of angle 0, of a quarter turn, and of the axis, as rows."""
    radius: float
    slope: float

    def uv(self, points: Floats) -> tuple[Floats, Floats]:
        """The coordinates of points of the surface."""
        x, y, z = self.frame @ (points - self.origin).T
        return np.arctan2(y, x), z

    def rates(self, points: Floats, ways: Floats) -> tuple[Floats, Floats]:
        """How fast the coordinates change where points move."""
        return _turning(self.frame, points - self.origin, ways), ways @ self.frame[2]

    def at(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The points at coordinates, and there du times dv as vectors."""
        outward = _spoke(self.frame, u)
        radii = (self.radius + self.slope * v)[..., None]
        points = self.origin + radii * outward + v[..., None] * self.frame[2]
        return points, radii * (outward - self.slope * self.frame[2])


@dataclass(frozen=True, eq=False)
class TubeChart:
    """Angles around the axis and around the tube of a torus; with ``ring`` 0, longitude and latitude of a sphere."""

    origin: Floats
    frame: Floats
    ring: float
    tube: float

    @property
    def pole(self) -> float | None:
        """The largest v, at which a tube that is wider than its ring, or a sphere, meets the axis; none for a ring."""
        return math.acos(-self.ring / self.tube) if abs(self.ring) < self.tube else None

    def uv(self, points: Floats) -> tuple[Floats, Floats]:
        """The coordinates of points of the surface."""
        x, y, z = self.frame @ (points - self.origin).T
        return np.arctan2(y, x), np.arctan2(z, np.hypot(x, y) - self.ring)

    def rates(self, points: Floats, ways: Floats) -> tuple[Floats, Floats]:
        """How fast the coordinates change where points move."""
        local = self.frame @ (points - self.origin).T
        x, y, z = local
        flat = np.maximum(np.hypot(x, y), 1e-300)
        dx, dy, dz = self.frame @ ways.T
        outward, rise = flat - self.ring, (x * dx + y * dy) / flat
        return _turning(self.frame, points - self.origin, ways), (outward * dz - z * rise) / self.tube**2

    def at(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The points at coordinates, and there du times dv as vectors."""
        outward = _spoke(self.frame, u)
        normal = np.cos(v)[..., None] * outward + np.sin(v)[..., None] * self.frame[2]
        points = self.origin + self.ring * outward + self.tube * normal
        return points, (self.tube * (self.ring + self.tube * np.cos(v)))[..., None] * normal


def _spoke(frame: Floats, u: Floats) -> Floats:
    found: Floats = np.cos(u)[..., None] * frame[0] + np.sin(u)[..., None] * frame[1]
    return found


def _turning(frame: Floats, points: Floats, ways: Floats) -> Floats:
    x, y = frame[:2] @ points.T
    dx, dy = frame[:2] @ ways.T
    turning: Floats = (x * dy - y * dx) / np.maximum(x * x + y * y, 1e-300)
    return turning


def chart_of(patch: Patch) -> Chart:
    """Coordinates for a face; the poles of a sphere stand where no edge is near."""
    surface: Face = patch.surface
    origin = np.array(surface.point)
    if isinstance(surface, PlaneFace):
        return PlaneChart(origin, np.array(surface.along), np.array(surface.across))
    if isinstance(surface, RoundFace):
        return RoundChart(origin, np.array(surface.frame()), radius_at(surface, 0.0), slope(surface))
    if isinstance(surface, TorusFace):
        return TubeChart(origin, _frame(np.array(surface.axis)), surface.radius, surface.tube)
    return TubeChart(origin, _frame(_clear_axis(surface, patch.edges)), 0.0, surface.radius)


def _frame(axis: Floats) -> Floats:
    first = across(axis)
    return np.array([first, cross(axis, first), axis])


def _clear_axis(sphere: SphereFace, edges: Iterable[Edge]) -> Floats:
    """The direction, among some, whose poles are farthest from all edges."""
    points = [edge.at(_finer(edge.pieces(math.radians(5)))) for edge in edges]
    candidates = np.concatenate([np.eye(3), directions(40)])
    if not points:
        return np.array([0.0, 0.0, 1.0])
    spokes = (np.concatenate(points) - np.array(sphere.point)) / sphere.radius
    nearest = np.abs(spokes @ candidates.T).max(axis=0)
    return np.asarray(candidates[int(np.argmin(nearest))])


def _finer(shares: Floats) -> Floats:
    return np.sort(np.concatenate([shares, (shares[1:] + shares[:-1]) / 2]))
