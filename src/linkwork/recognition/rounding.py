"""Holes and shafts of many flat sides as the cylinders that they stand for; what was taken as round is kept in mind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.facet_cones import FacetedCone, faceted_cones
from linkwork.recognition.facets import Creased, Faceted, faceted_cylinders
from linkwork.recognition.flats import Flats
from linkwork.recognition.helices import Helix, helices
from linkwork.recognition.prisms import as_prisms
from linkwork.solid import Cone, Difference, Intersection, Named, Placed, Polyhedron, Prism, Solid, Union
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Placement, Triple, cross
from linkwork.solid.region import Region
from linkwork.solid.region.chords import Chords, with_arcs
from linkwork.solid.section import frame_across

LEANING = 1e-3
"""How far the flat sides of a cylinder may lean against its axis, in radians."""
OVERLAP = 0.5
"""Of the deviation: how much deeper than the flat sides go what is added to them, or taken off.

Their corners have six digits in files, so that sides lie a little askew; deeper there is only more of the same.
"""


@dataclass(frozen=True)
class Rounding:
    """A cylinder in the place of flat sides: how many of them make a whole turn, and how far from it they are.

    Of a cone ``slope`` is not 0: by how much its radius, at the point, grows along the axis up to its ``length``.
    """

    point: Triple
    axis: Triple
    radius: float
    sides: int
    slope: float = 0.0
    length: float = 0.0

    @property
    def largest(self) -> float:
        """The radius where it is the largest."""
        return max(self.radius, self.radius + self.slope * self.length)

    @property
    def deviation(self) -> float:
        """How far the middle of a side is from the cylinder."""
        return self.largest * (1 - math.cos(math.pi / self.sides))

    def sides_among(self, faces: Flats) -> NDArray[np.intp]:
        """The places of faces that are its flat sides: as far from the axis as these are, and about as wide.

        Of a triangle the face is the rectangle around it, which may reach beyond its side.
        """
        axis, point = np.array(self.axis), np.array(self.point)
        if self.slope:
            return self._leaning_among(faces)
        away = np.abs(faces.offsets - faces.normals @ point)
        low = self.radius - 2 * self.deviation
        beside = (np.abs(faces.normals @ axis) <= LEANING) & (low <= away) & (away <= self.radius)
        places = np.flatnonzero(beside)
        width = 2 * self.radius * math.sin(math.pi / self.sides)
        reach = math.hypot(self.radius, 2 * width)
        corners = np.linalg.norm(cross(faces.corners[places] - point, axis), axis=2)
        return np.asarray(places[np.all(corners <= reach, axis=1)])

    def _leaning_among(self, faces: Flats) -> NDArray[np.intp]:
        """The places of faces that are sides of a cone: they lean as it does, and their planes go through its tip."""
        axis, point = np.array(self.axis), np.array(self.point)
        # of the radius: how far the middles of sides are from the axis
        middle = math.cos(math.pi / self.sides)
        lean = self.slope * middle / math.hypot(1.0, self.slope * middle)
        tip = point - self.radius / self.slope * axis
        beside = np.abs(np.abs(faces.normals @ axis) - abs(lean)) <= LEANING
        beside &= np.abs(faces.offsets - faces.normals @ tip) <= self.deviation
        places = np.flatnonzero(beside)
        heights = (faces.corners[places] - point) @ axis
        width = 2 * self.largest * math.sin(math.pi / self.sides)
        within = (heights >= -width) & (heights <= self.length + width)
        reach = math.hypot(self.largest, 2 * width)
        near = np.linalg.norm(cross(faces.corners[places] - point, axis), axis=2) <= reach
        return np.asarray(places[np.all(within & near, axis=1)])

    def placed(self, place: Placement) -> Rounding:
        """That of a solid that is placed."""
        sizes = self.radius * place.scale, self.sides, self.slope, self.length * place.scale
        return Rounding(place.image(self.point), place.way(self.axis), *sizes)


def as_recognised(solid: Solid) -> tuple[Solid, tuple[Rounding, ...], tuple[Helix, ...]]:
    """The solid as recognition looks at it, what in it was taken as round, and what may be a thread.

    Shells and meshes that are prismatic are prisms; rows of flat sides, 24 or more in a turn, are arcs and cylinders.
    """
    found = as_prisms(solid)
    if any(isinstance(each.solid, (Prism, Polyhedron)) for each in pieces(found)):
        solid, forms = _rounded(found)
        helical = tuple(each for each in forms if isinstance(each, Helix))
        return solid, tuple(each for each in forms if isinstance(each, Rounding)), helical
    return found, (), ()


Form = Rounding | Helix
Rounded = tuple[Solid, tuple[Form, ...]]


def _rounded(solid: Solid) -> Rounded:
    """What is made of others is itself where nothing was found in them, so that what is known of it is kept."""
    if isinstance(solid, Placed):
        inner, found = _rounded(solid.solid)
        placed = tuple(each.placed(solid.place) for each in found)
        return (replace(solid, solid=inner), placed) if found else (solid, ())
    if isinstance(solid, Named):
        inner, found = _rounded(solid.solid)
        return (replace(solid, solid=inner), found) if found else (solid, ())
    if isinstance(solid, (Union, Intersection)):
        inners, found = _each(solid.solids)
        return (replace(solid, solids=inners), found) if found else (solid, ())
    if isinstance(solid, Difference):
        (first, *others), found = _each((solid.first, *solid.others))
        return (Difference(first, tuple(others)), found) if found else (solid, ())
    if isinstance(solid, Prism):
        region, chords = with_arcs(solid.region)
        return (Prism(region, solid.height), tuple(map(_of_chords, chords))) if chords else (solid, ())
    return _of_mesh(solid) if isinstance(solid, Polyhedron) else (solid, ())


def _each(solids: Sequence[Solid]) -> tuple[tuple[Solid, ...], tuple[Form, ...]]:
    every = [_rounded(each) for each in solids]
    return tuple(each for each, _ in every), tuple(one for _, found in every for one in found)


def _of_chords(chords: Chords) -> Rounding:
    return Rounding((*chords.centre, 0.0), (0.0, 0.0, 1.0), chords.radius, chords.sides)


def _of_mesh(mesh: Polyhedron) -> Rounded:
    """A mesh with thin rings added to its shafts and taken off its holes, between the flat sides and what is round."""
    creased = Creased.of(mesh)
    cylinders = tuple(faceted_cylinders(mesh, creased))
    axes = [*dict.fromkeys(each.axis for each in cylinders)]
    cones = tuple(faceted_cones(mesh, creased, axes))
    rings = [(each.is_hole, _ring(each)) for each in cylinders]
    rings += [(each.is_hole, _conical_ring(each)) for each in cones]
    shafts, holes = ([ring for is_hole, ring in rings if is_hole is kind] for kind in (False, True))
    solid: Solid = Union((mesh, *shafts)) if shafts else mesh
    solid = Difference(solid, tuple(holes)) if holes else solid
    return solid, (*map(_of_facets, cylinders), *map(_of_cone, cones), *helices(mesh, creased))


def _of_facets(cylinder: Faceted) -> Rounding:
    point = frame_across(cylinder.axis, cylinder.low).image((*cylinder.centre, 0.0))
    return Rounding(point, cylinder.axis, cylinder.radius, cylinder.sides)


def _ring(cylinder: Faceted) -> Solid:
    """What is between flat sides and their cylinder, and a little more."""
    deep = (1 + OVERLAP) * (1 - math.cos(math.pi / cylinder.sides))
    disc = partial(Region.circle, centre=cylinder.centre)
    ring = disc(cylinder.radius) - disc(cylinder.radius * (1 - deep))
    return Prism(ring, cylinder.high - cylinder.low).placed(frame_across(cylinder.axis, cylinder.low))


def _of_cone(cone: FacetedCone) -> Rounding:
    point = frame_across(cone.axis, cone.low).image((*cone.centre, 0.0))
    length = cone.high - cone.low
    return Rounding(
        point, cone.axis, cone.radii[0], cone.sides, (cone.radii[1] - cone.radii[0]) / length, length
    )


def _conical_ring(cone: FacetedCone) -> Solid:
    """What is between flat sides and their cone, and a little more."""
    left = 1 - (1 + OVERLAP) * (1 - math.cos(math.pi / cone.sides))
    (low, high), height = cone.radii, cone.high - cone.low
    ring = Cone(low, high, height) - Cone(low * left, high * left, height)
    return ring.moved((*cone.centre, 0.0)).placed(frame_across(cone.axis, cone.low))
