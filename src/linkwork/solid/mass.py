"""Volumes, centres and moments of inertia of solids.

With S(z) the section at a height and p = (x, y, z), all follow from ∫ dV, ∫ p dV and ∫ p pᵀ dV, which are integrals
over z of the moments of S(z). For a prismatic solid these are polynomials on each layer: the result is exact. A
polyhedron alone is the sum of the pyramids to its triangles: exact too. A shell has integrals of its own. What is put
together of prisms along several axes is taken apart, down to what two of them have in common. Else sections are taken
at heights, of which quadrature knows the error; to that comes what arcs deviate from ellipses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.solid.dissected import shares
from linkwork.solid.extent import is_cut_exactly
from linkwork.solid.layers import axes_of, heights, layers, prism_axis
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Floats, Placement, Triple, cross, triple
from linkwork.solid.polyhedron import Polyhedron
from linkwork.solid.quadrature import integral
from linkwork.solid.region import Region
from linkwork.solid.section import frame_across, section
from linkwork.solid.shell import Shell
from linkwork.solid.shell.moments import moments
from linkwork.solid.values import Named, Placed, Solid, SolidError

ACCURACY: Final = 1e-7
"""Of the volume of the box of all: what an interval of the quadrature may be wrong by."""

MOST_INTERVALS: Final = 60
"""Between heights: of meshes with more corners only some are taken."""

DEVIATION: Final = 1e-6
"""Of the size: of arcs from ellipses in sections."""


Matrix = tuple[Triple, Triple, Triple]


class NoVolume(SolidError):
    """A solid of which nothing is left."""


@dataclass(frozen=True)
class MassProperties:
    """For a density of one: volume, centre, and moments of inertia about the centre, along the axes of the world.

    ``error`` is an estimate of that of the volume, as a share of it; 0 where all is exact.
    """

    volume: float
    centre: Triple
    inertia: Matrix
    error: float = 0.0


def mass_properties(solid: Solid) -> MassProperties:
    """The volume of a solid, its centre, and its moments of inertia.

    >>> from linkwork.solid import Cylinder
    >>> found = mass_properties(Cylinder(1, 2))
    >>> round(found.volume / math.pi, 12), round(found.centre[2], 12), found.error
    (2.0, 1.0, 0.0)
    """
    if solid.is_empty:
        raise NoVolume("an empty solid has no mass", wanted="a solid with a volume")
    low, high = solid.box
    origin = triple((low + high) / 2)
    accuracy = ACCURACY * float(np.prod(high - low))
    return _sums(solid, Placement.shift(origin).inverse, accuracy).properties(origin)


@dataclass(frozen=True)
class Sums:
    """∫ dV, ∫ p dV and ∫ p pᵀ dV, and the error of the first."""

    volume: float
    first: Floats
    second: Floats
    error: float = 0.0

    @staticmethod
    def of(row: Floats, error: float = 0.0) -> Sums:
        """From the integrals of 1, x, y, z, x², y², z², xy, yz, zx."""
        volume, x, y, z, xx, yy, zz, xy, yz, zx = row.tolist()
        return Sums(volume, np.array([x, y, z]), np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]]), error)

    def turned(self, axes: Floats) -> Sums:
        """The same in the frame in which the old axes are the columns of a matrix."""
        return Sums(self.volume, axes @ self.first, axes @ self.second @ axes.T, self.error)

    def placed(self, place: Placement) -> Sums:
        """Those of the solid elsewhere."""
        size, origin = place.scale**3, np.array(place.origin)
        first = place.matrix @ self.first
        across = np.outer(first, origin)
        second = place.matrix @ self.second @ place.matrix.T + across + across.T
        return Sums(
            size * self.volume,
            size * (first + self.volume * origin),
            size * (second + self.volume * np.outer(origin, origin)),
            size * self.error,
        )

    def properties(self, origin: Triple) -> MassProperties:
        """What they mean, for a solid whose frame is at a point."""
        if self.volume <= 0:
            raise NoVolume("a solid has no volume", got=f"{self.volume:.6g}", wanted="a positive one")
        centre = self.first / self.volume
        about = self.second - self.volume * np.outer(centre, centre)
        inertia = np.trace(about) * np.eye(3) - about
        rows = (triple(inertia[0]), triple(inertia[1]), triple(inertia[2]))
        return MassProperties(self.volume, triple(centre + np.array(origin)), rows, self.error / self.volume)


def _sums(solid: Solid, place: Placement, accuracy: float) -> Sums:
    """Those of a placed solid."""
    if isinstance(solid, Placed):
        return _sums(solid.solid, place.holding(solid.place), accuracy)
    if isinstance(solid, Named):
        return _sums(solid.solid, place, accuracy)
    if solid.is_empty:
        return Sums.of(np.zeros(10))
    if isinstance(solid, Polyhedron):
        return _of_polyhedron(solid, place)
    if isinstance(solid, Shell):
        found = moments(patch.placed(place) for patch in solid.patches)
        return Sums(found.volume, found.first, found.second, found.error)
    axis = prism_axis(solid)
    if axis is not None:
        low, high = solid.box
        middle = Placement.shift(triple((low + high) / 2))
        return _of_layers(solid.placed(middle.inverse), axis).placed(place.holding(middle))
    parts = shares(solid)
    if parts is None:
        return _of_sections(solid.placed(place), accuracy)
    every = [(share, _sums(part, place, accuracy)) for share, part in parts]
    return Sums(
        sum(share * part.volume for share, part in every),
        sum((share * part.first for share, part in every), np.zeros(3)),
        sum((share * part.second for share, part in every), np.zeros((3, 3))),
        sum(part.error for _, part in every),
    )


def _of_layers(solid: Solid, axis: Sequence[float]) -> Sums:
    row = np.zeros(10)
    for low, high, region in layers(solid, axis):
        row += _products(region, *((high**power - low**power) / power for power in (1, 2, 3)))
    return Sums.of(row).turned(frame_across(axis).matrix)


def _products(region: Region, one: float, z: float, zz: float) -> Floats:
    """The integrals over a region of 1, x, y, z, x², …, for a height, or over heights, whose powers are given."""
    if not region:
        return np.zeros(10)
    area, (yy, xx, xy) = region.area, region.moments
    x, y = (area * each for each in region.centroid)
    return np.array(
        [area * one, x * one, y * one, area * z, xx * one, yy * one, area * zz, xy * one, y * z, x * z]
    )


def _of_sections(solid: Solid, accuracy: float) -> Sums:
    axis = max(axes_of(solid), key=lambda each: _exact_pieces(solid, each))
    low, high = solid.box
    deviation = DEVIATION * float(np.linalg.norm(high - low))

    def at(height: float) -> Region:
        return section(solid, height, axis, deviation)

    def across(region: Region, height: float) -> Floats:
        return np.append(_products(region, 1.0, height, height**2), deviation * region.length)

    ends = heights(solid, axis)
    ends = ends[: -1 : math.ceil(len(ends) / MOST_INTERVALS)] + ends[-1:]
    row, error = integral(at, across, ends, accuracy)
    exact = _exact_pieces(solid, axis) == sum(1 for _ in pieces(solid))
    found = Sums.of(row[:10], error + (0.0 if exact else float(row[10])))
    return found.turned(frame_across(axis).matrix)


def _exact_pieces(solid: Solid, axis: Sequence[float]) -> int:
    back = frame_across(axis).inverse
    return sum(is_cut_exactly(piece.solid, back.holding(piece.place)) for piece in pieces(solid))


def _of_polyhedron(solid: Polyhedron, place: Placement) -> Sums:
    """Pyramids from the origin to all triangles.

    Over a pyramid with the corners 0, a, b, c the integral of p pᵀ is det(a, b, c) / 120 times the sum of s sᵀ for
    s = a + b + c, a, b and c.
    """
    corners = place.point(solid.corners)
    a, b, c = (corners[solid.triangles[:, k]] for k in range(3))
    six = np.einsum("ij,ij->i", a, cross(b, c)) * (-1.0 if place.is_mirrored else 1.0)
    second = sum(np.einsum("i,ij,ik->jk", six, s, s) for s in (a + b + c, a, b, c))
    return Sums(float(six.sum()) / 6, six @ (a + b + c) / 24, np.asarray(second) / 120)
