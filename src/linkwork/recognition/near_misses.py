"""Shafts that nearly fit a hole: too thin for it, or a little too short to reach it. They hold nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.recognition.body import Body, near
from linkwork.recognition.groups import Groups
from linkwork.recognition.stretches import wall_stretches
from linkwork.recognition.touch import CLEARANCE, INTERFERENCE
from linkwork.solid.placement import Floats, cross

LOOSEST: Final = 0.5
"""How loose a shaft may be that is meant for its hole, as a part of the hole's width."""
LEAN: Final = 0.02
"""The sine of the angle by which it may lean."""
LOOKS: Final = 8
"""In how many directions from its axis a cylinder is looked at."""
SHORT: Final = 1.0
"""By how much it may end before the hole, as a multiple of its radius."""


@dataclass(frozen=True, eq=False)
class _Wall:
    """A cylinder that bounds a part: its middle, its direction, its radius and half its length."""

    middle: Floats
    axis: Floats
    radius: float
    half: float


def near_misses(groups: Groups, loose: Collection[str]) -> Iterator[str]:
    """What is said of shafts that nearly fit a hole, of some parts and all others: of each two the nearest miss."""
    for first, one in enumerate(groups.bodies):
        for other in groups.bodies[first + 1 :]:
            if ((one.name in loose) == (other.name in loose)) or not near(
                one, other, SHORT * max(one.size, other.size)
            ):
                continue
            found = [*_misses(one, other, groups.tolerance), *_misses(other, one, groups.tolerance)]
            if found:
                yield min(found)[1]


def _misses(hole: Body, shaft: Body, tolerance: float) -> Iterator[tuple[float, str]]:
    """How far shafts of a part are from fitting holes of another, as parts of what is looked at, and what is said."""
    shafts = [*_walls(shaft, hollow=False)]
    for outer in _walls(hole, hollow=True):
        for inner in shafts:
            room = outer.radius - inner.radius
            is_along = float(np.linalg.norm(cross(outer.axis, inner.axis))) <= LEAN
            away = inner.middle - outer.middle
            off = float(np.linalg.norm(cross(away, outer.axis)))
            if not is_along or off > max(room, 0.0) + tolerance:
                continue
            missing = abs(float(away @ outer.axis)) - outer.half - inner.half
            sizes = (
                f"{shaft.name} (diameter {2 * inner.radius:.4g})",
                f"{hole.name} (diameter {2 * outer.radius:.4g})",
            )
            if missing < -tolerance and CLEARANCE * outer.radius < room <= LOOSEST * outer.radius:
                most = 2 * CLEARANCE * outer.radius
                said = f"{2 * room:.4g} of clearance, where a fit has {most:.4g} at most"
                yield room / (LOOSEST * outer.radius), f"{sizes[0]} is in a hole of {sizes[1]} with {said}"
            elif (
                -tolerance <= missing <= SHORT * inner.radius
                and -INTERFERENCE * outer.radius <= room <= CLEARANCE * outer.radius
            ):
                said = f"ends {max(missing, 0.0):.4g} before a hole of {sizes[1]} that it would fit"
                yield missing / (SHORT * inner.radius), f"{sizes[0]} {said}"


def _walls(body: Body, *, hollow: bool) -> Iterator[_Wall]:
    """The cylinders that bound a part, those of holes or those of shafts, a piece at a time."""
    turns = (np.arange(LOOKS) + 0.5) * (2 * math.pi / LOOKS)
    for face in body.rounds:
        if face.is_cylinder:
            zero, quarter, axis = map(np.array, face.frame())
            radial = np.outer(np.cos(turns), zero) + np.outer(np.sin(turns), quarter)
            for low, high in wall_stretches(body, face, radial, hollow=hollow):
                middle = np.array(face.point) + (low + high) / 2 * axis
                yield _Wall(middle, axis, face.radius, float(high - low) / 2)
