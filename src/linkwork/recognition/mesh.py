"""Gears and racks in mesh, as recognition finds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.recognition.phases import Phase
from linkwork.solid.placement import Floats, cross
from linkwork.solid.values import Inside

Solids = tuple[str, str]
"""The names of a part and of a solid in it."""


@dataclass(frozen=True, eq=False)
class Band:
    """Where teeth of two parts are in one another: so far from each axis, or so far along ``aside`` for a rack."""

    axis: Floats
    points: tuple[Floats, Floats]
    zones: tuple[tuple[float, float], tuple[float, float]]
    aside: Floats | None = None

    def contains(self, points: Floats) -> Inside:
        """Whether points are in the zones of both."""
        levels = [np.linalg.norm(cross(points - origin, self.axis), axis=1) for origin in self.points]
        if self.aside is not None:
            levels[1] = (points - self.points[1]) @ self.aside
        inside = [
            (level >= low) & (level <= high) for level, (low, high) in zip(levels, self.zones, strict=True)
        ]
        return np.asarray(inside[0] & inside[1])


@dataclass(frozen=True, eq=False)
class Mesh:
    """Two gears in mesh: groups, parts, carrier, and how far the second goes for a turn of the first (or a radian)."""

    kind: str
    groups: tuple[int, int]
    parts: tuple[int, int]
    carrier: int
    axis: Floats
    point: Floats
    ratio: float
    sizes: tuple[float, float]
    solids: frozenset[frozenset[Solids]]
    """The pairs of solids that mesh."""
    why: str
    teeth: tuple[int, int] | None = None
    band: Band | None = None
    phase: Phase | None = None


@dataclass(frozen=True)
class Misplaced:
    """Two parts whose teeth would mesh if one of them were drawn elsewhere, and how far that is."""

    phase: Phase
    by: float

    @property
    def parts(self) -> tuple[int, int]:
        """The two parts."""
        return self.phase.parts
