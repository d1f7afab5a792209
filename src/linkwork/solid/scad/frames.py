"""What a matrix does to a shape: where its axes go, and whether they stay perpendicular."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Final

import numpy as np

from linkwork.solid.placement import Placement, cross
from linkwork.solid.region import Arc, Region
from linkwork.solid.scad.tree import Matrix
from linkwork.solid.values import Solid

Note = Callable[[str], None]
"""Tells that something is not exact."""

ELLIPSE: Final = "arcs stand for ellipses, 0.01 % of their size off at most"

SAME: Final = 1e-9
"""Relative differences of lengths and cosines of angles that are rounding, not intent."""

_AS_DRAWN: Final = np.eye(3).tolist()

ROUNDING: Final = 1e-14
"""A scale as near to 1 as this is none."""


@dataclass(frozen=True, eq=False)
class Frame:
    """Perpendicular axes: unit vectors as columns, right-handed, the lengths along them, and the origin.

    Where the matrix mirrors, the first axis is turned round and ``mirrored`` says so.
    """

    axes: Matrix
    lengths: tuple[float, float, float]
    origin: Matrix
    mirrored: bool

    @property
    def is_round(self) -> bool:
        """Whether what is round about z stays so."""
        return abs(self.lengths[0] - self.lengths[1]) <= SAME * self.lengths[0]

    @property
    def is_similar(self) -> bool:
        """Whether all lengths are the same."""
        return self.is_round and abs(self.lengths[0] - self.lengths[2]) <= SAME * self.lengths[0]

    def standing(self, solid: Solid, origin: Matrix | None = None) -> Solid:
        """A solid along these axes, at their origin or elsewhere."""
        at = self.origin if origin is None else origin
        if self.axes.tolist() == _AS_DRAWN and not any(at.tolist()):
            return solid
        return solid.placed(Placement.of(self.axes, at))


def frame_of(matrix: Matrix) -> Frame | None:
    """The frame of a matrix; None where it skews the axes."""
    columns = matrix[:3, :3].T.tolist()
    a, b, c = (math.sqrt(x * x + y * y + z * z) for x, y, z in columns)
    first, second, third = (
        [each / size for each in way] for way, size in zip(columns, (a, b, c), strict=True)
    )
    cosines = (sum(map(mul, one, other)) for one, other in ((first, second), (first, third), (second, third)))
    if max(map(abs, cosines)) > SAME:
        return None
    mirrored = sum(map(mul, third, cross(first, second).tolist())) < 0
    axes = np.array([[-each for each in first] if mirrored else first, second, third]).T
    return Frame(axes + 0.0, (a, b, c), matrix[:3, 3], mirrored)


def upright_frame(matrix: Matrix) -> tuple[Frame, Matrix] | None:
    """A right-handed frame whose z is perpendicular to the plane of x and y, and the map of that plane into it.

    None where the matrix tilts z.
    """
    x, y, z = matrix[:3, :3].T
    up, ahead = z / np.linalg.norm(z), x / np.linalg.norm(x)
    if max(abs(float(up @ ahead)), abs(float(up @ y) / float(np.linalg.norm(y)))) > SAME:
        return None
    aside = np.cross(up, ahead)
    axes = np.stack([ahead, aside, up], axis=1) + 0.0
    plane = np.array([[float(ahead @ x), float(ahead @ y)], [0.0, float(aside @ y)]])
    return Frame(axes, (1.0, 1.0, float(np.linalg.norm(z))), matrix[:3, 3], False), plane


# ------------------------------------------------------------------------------------ the plane


def plane_part(matrix: Matrix) -> Matrix | None:
    """What a matrix of space does in the plane z = 0, as three by three numbers; None where it tilts the plane."""
    if np.abs(matrix[2, :2]).max() > SAME * np.abs(matrix[:3, :3]).max():
        return None
    return matrix[np.ix_((0, 1, 3), (0, 1, 3))]


def mapped(region: Region, linear: Matrix, shift: Matrix, note: Note) -> Region:
    """A region under a map of the plane. Circles that become ellipses are replaced by arcs that come close."""
    if is_similar(linear):
        found = region.mirrored((0.0, 1.0)) if np.linalg.det(linear) < 0 else region
        angle = math.atan2(linear[1, 0], linear[0, 0])
        scale = math.hypot(linear[0, 0], linear[1, 0])
        found = found if abs(scale - 1) < ROUNDING else found.scaled(scale)
    else:
        if has_arcs(region):
            note(ELLIPSE)
        angle, x, y, first = _turned_and_stretched(linear)
        found = (region.turned(first) if first else region).stretched(x, y)
    found = found.turned(angle) if angle else found
    return found.moved((float(shift[0]), float(shift[1]))) if np.any(shift) else found


def has_arcs(region: Region) -> bool:
    """Whether a region has edges that are not straight."""
    return any(isinstance(edge, Arc) for loop in region.loops for edge in loop)


def is_similar(linear: Matrix) -> bool:
    """Whether a map of the plane keeps circles round."""
    product = linear.T @ linear
    return bool(np.abs(product - product[0, 0] * np.eye(2)).max() <= SAME * product[0, 0])


def _turned_and_stretched(linear: Matrix) -> tuple[float, float, float, float]:
    """Four numbers (a, x, y, b): the map is a turn by b, then factors x and y, then a turn by a."""
    if linear[0, 1] == 0 and linear[1, 0] == 0:
        return 0.0, float(linear[0, 0]), float(linear[1, 1]), 0.0
    u, factors, v = np.linalg.svd(linear)
    x, y = float(factors[0]), float(factors[1] * np.linalg.det(u) * np.linalg.det(v))
    return math.atan2(u[1, 0], u[0, 0]), x, y, math.atan2(-v[0, 1], v[0, 0])
