"""The surfaces that bound solids: where they lie and how far they reach.

A face tells nothing about where the material is: that is asked of the whole solid, on both sides of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from linkwork.solid.placement import Floats, Placement, Triple, cross, triple

TURN = 2 * math.pi


@dataclass(frozen=True)
class PlaneFace:
    """A piece of a plane: ``point`` + u·``along`` + v·``across``, for u and v in their ranges."""

    point: Triple
    along: Triple
    across: Triple
    u: tuple[float, float]
    v: tuple[float, float]
    label: str = field(default="", compare=False)

    @cached_property
    def normal(self) -> Triple:
        """A unit vector across the plane."""
        return triple(cross(self.along, self.across))

    def at(self, u: Floats, v: Floats) -> Floats:
        """The points at these coordinates."""
        points: Floats = np.array(self.point) + np.outer(u, self.along) + np.outer(v, self.across)
        return points

    def placed(self, place: Placement) -> PlaneFace:
        """The face of a solid that is placed."""
        found: PlaneFace = object.__new__(PlaneFace)  # several times as fast as by the frozen fields
        scale = place.scale
        found.__dict__.update(
            point=place.image(self.point),
            along=place.way(self.along),
            across=place.way(self.across),
            u=_scaled(self.u, scale),
            v=_scaled(self.v, scale),
            label=self.label,
        )
        return found

    @property
    def box(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates."""
        corners = self.at(np.array([self.u[0], self.u[1], self.u[0], self.u[1]]), np.repeat(self.v, 2))
        return corners.min(axis=0), corners.max(axis=0)


@dataclass(frozen=True)
class RoundFace:
    """A surface of revolution about ``axis`` through ``point``; ``angles`` (first, length) count from ``zero``.

    Along the axis it reaches over ``span``; its radius there is ``radius`` at the first and ``far_radius`` at the
    last: a cylinder if they are equal, else a cone. ``pitch`` is the way of one turn of the thread that it carries,
    below 0 of a left-handed one.
    """

    point: Triple
    axis: Triple
    zero: Triple
    radius: float
    far_radius: float
    span: tuple[float, float]
    angles: tuple[float, float] = (0.0, TURN)
    label: str = field(default="", compare=False)
    pitch: float = 0.0

    @property
    def is_cylinder(self) -> bool:
        """Whether the radius is the same all along."""
        return self.radius == self.far_radius

    def placed(self, place: Placement) -> RoundFace:
        """The face of a solid that is placed; in a mirror angles stay right-handed, threads do not."""
        first, length = self.angles
        zero = place.way(self.zero)
        if place.is_mirrored:
            first = -(first + length)
        found: RoundFace = object.__new__(RoundFace)  # several times as fast as by the frozen fields
        scale = place.scale
        found.__dict__.update(
            point=place.image(self.point),
            axis=place.way(self.axis),
            zero=zero,
            radius=self.radius * scale,
            far_radius=self.far_radius * scale,
            span=_scaled(self.span, scale),
            angles=(first, length),
            label=self.label,
            pitch=self.pitch * scale * (-1.0 if place.is_mirrored else 1.0) if self.pitch else 0.0,
        )
        return found

    def frame(self) -> tuple[Floats, Floats, Floats]:
        """The directions of angle 0, of a quarter turn, and of the axis."""
        zero, axis = np.array(self.zero), np.array(self.axis)
        return zero, cross(axis, zero), axis

    @property
    def box(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of the whole turn."""
        axis = np.array(self.axis)
        most = max(self.radius, self.far_radius)
        spread = most * np.sqrt(np.maximum(0.0, 1.0 - axis**2))
        ends = np.array(self.point) + np.outer(self.span, axis)
        return ends.min(axis=0) - spread, ends.max(axis=0) + spread


@dataclass(frozen=True)
class SphereFace:
    """A sphere, or a piece of one."""

    point: Triple
    radius: float
    label: str = field(default="", compare=False)

    def placed(self, place: Placement) -> SphereFace:
        """The face of a solid that is placed."""
        return SphereFace(place.image(self.point), self.radius * place.scale, self.label)

    @property
    def box(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of the whole sphere."""
        return np.array(self.point) - self.radius, np.array(self.point) + self.radius


@dataclass(frozen=True)
class TorusFace:
    """A torus: a circle of ``tube`` turned about ``axis`` at distance ``radius``."""

    point: Triple
    axis: Triple
    radius: float
    tube: float
    label: str = field(default="", compare=False)

    def placed(self, place: Placement) -> TorusFace:
        """The face of a solid that is placed."""
        return TorusFace(
            place.image(self.point),
            place.way(self.axis),
            self.radius * place.scale,
            self.tube * place.scale,
            self.label,
        )

    @property
    def box(self) -> tuple[Floats, Floats]:
        """The least and the largest coordinates of the whole torus."""
        axis = np.array(self.axis)
        spread = self.radius * np.sqrt(np.maximum(0.0, 1.0 - axis**2)) + self.tube
        return np.array(self.point) - spread, np.array(self.point) + spread


Face = PlaneFace | RoundFace | SphereFace | TorusFace
AnyFace = TypeVar("AnyFace", bound=Face)


def labelled(face: AnyFace, label: str) -> AnyFace:
    """The same face with a label."""
    return _altered(face, label=label)


def threaded(face: RoundFace, pitch: float) -> RoundFace:
    """The same face with a thread."""
    return _altered(face, pitch=pitch)


def cut_plane(face: PlaneFace, u: tuple[float, float], v: tuple[float, float]) -> PlaneFace:
    """A piece of a plane face."""
    return _altered(face, u=u, v=v)


def cut_round(face: RoundFace, span: tuple[float, float], angles: tuple[float, float]) -> RoundFace:
    """A piece of a cylinder, or of a cone around its axis."""
    return _altered(face, span=span, angles=angles)


def _altered(face: AnyFace, **fields: object) -> AnyFace:
    """A copy with other fields that do not change the normal: four times as fast as a new one made of all fields."""
    found = object.__new__(type(face))
    found.__dict__.update(face.__dict__, **fields)
    return found


def _scaled(pair: tuple[float, float], factor: float) -> tuple[float, float]:
    return pair[0] * factor, pair[1] * factor
