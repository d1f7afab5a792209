"""A part as recognition sees it: its solid, the surfaces of it, and which of them bound it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from linkwork.recognition.faces import Faces, faces_of
from linkwork.recognition.flats import Flats
from linkwork.recognition.helices import Helix
from linkwork.recognition.rounding import Rounding, as_recognised
from linkwork.recognition.rounds import Rounds
from linkwork.solid import PlaneFace, RoundFace, Solid, SphereFace, TorusFace
from linkwork.solid.membership import Membership
from linkwork.solid.pieces import WHERE_DRAWN, Piece, pieces
from linkwork.solid.placement import Floats, Placement, cross
from linkwork.solid.region.pairs import ranges
from linkwork.solid.values import Inside, Placed

SAME_SIZE: Final = 1e-12
"""How far from one the scale of a motion may be, by the last digits of what it is made of."""
FEW: Final = 100
"""How many points are asked about on both sides at once: to ask takes longer than to answer about so few."""
GRID = 20
"""Into how many cells along each axis a part is divided where only about its middle is asked for."""


class Covering(Protocol):
    """What stands for facets of a part."""

    def facets_among(self, faces: Flats) -> Inside:
        """Which faces are these facets."""


@dataclass(frozen=True, eq=False)
class Body:
    """A named part in place; ``skin`` is how far from a surface its two sides are looked at."""

    name: str
    solid: Solid
    skin: float
    roundings: tuple[Rounding, ...] = ()
    """What flat sides were taken as round."""
    helices: tuple[Helix, ...] = ()
    """Surfaces of meshes that may be threads."""
    covered: tuple[Covering, ...] = ()
    """What stands for facets that are not to be looked at."""
    twin: tuple[Body, Placement] | None = None
    """A part with the same solid elsewhere, and the motion that takes it here: its faces are known with that one's."""

    @classmethod
    def of(cls, name: str, solid: Solid, skin: float) -> Body:
        """A part as it is given: meshes become prisms where they can, and many flat sides round."""
        found, roundings, helices = as_recognised(solid)
        return cls(name, found, skin, roundings, helices)

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """The corners of a box around it."""
        return self.solid.box

    @property
    def size(self) -> float:
        """The diagonal of the box around it."""
        return math.dist(*self.box)

    @cached_property
    def cells(self) -> Floats:
        """Points of a grid that are in it, each with the volume of its cell: about where its mass is, in no time."""
        low, high = self.box
        steps = (np.arange(GRID) + 0.5) / GRID
        shares = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
        points = low + shares * (high - low)
        inside = points[self.membership.contains(points)]
        return np.column_stack([inside, np.full(len(inside), np.prod(high - low) / GRID**3)])

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The simple solids in it."""
        return tuple(pieces(self.solid))

    @cached_property
    def membership(self) -> Membership:
        """Its solid as simple ones."""
        return Membership(self.solid)

    @cached_property
    def faces(self) -> Faces:
        """Its faces, but for the plane ones for which a cylinder stands."""
        if self.twin is not None:
            return self.twin[0].faces.moved(self.twin[1])
        found = faces_of(self.solid)
        if not self.roundings and not self.covered:
            return found
        kept = np.ones(len(found.flats), dtype=bool)
        for each in self.roundings:
            kept[each.sides_among(found.flats)] = False
        for form in self.covered:
            kept[form.facets_among(found.flats)] = False
        return found.only(kept, np.ones(len(found.rounds), dtype=bool), [True] * len(found.others))

    @cached_property
    def bounding(self) -> Faces:
        """Those of its faces that truly bound it, cut to where they do."""
        from linkwork.recognition.skin import bounding

        return bounding(self) if self.twin is None else self.twin[0].bounding.moved(self.twin[1])

    @property
    def others(self) -> tuple[SphereFace | TorusFace, ...]:
        """Its faces that are neither plane nor round about an axis."""
        return self.faces.others

    @property
    def planes(self) -> Sequence[PlaneFace]:
        """Its plane faces."""
        return self.faces.planes

    @property
    def rounds(self) -> Sequence[RoundFace]:
        """Its cylinders and cones."""
        return self.faces.bent

    @property
    def round_arrays(self) -> Rounds:
        """Its cylinders and cones as arrays."""
        return self.faces.rounds

    @cached_property
    def has_cones(self) -> bool:
        """Whether some of its round faces are cones."""
        return not all(self.round_arrays.are_cylinders)

    @cached_property
    def has_threads(self) -> bool:
        """Whether some of its cylinders are marked as threads."""
        return bool(self.faces.pitches.any())

    @cached_property
    def spheres(self) -> tuple[SphereFace, ...]:
        """Its spheres."""
        return tuple(face for face in self.faces.others if isinstance(face, SphereFace))

    @property
    def flats(self) -> Flats:
        """Its plane faces as arrays."""
        return self.faces.flats

    @property
    def is_ball(self) -> bool:
        """Whether it is nothing but a sphere."""
        return bool(self.spheres) and len(self.faces) == 1

    def is_round(self, axis: Floats, point: Floats, tolerance: float, ribbed: float = 0.0) -> bool:
        """Whether it is a body of revolution about an axis; plane faces up to a distance from it do not count."""
        turning, others = self.round_arrays, self.others
        if not len(turning) and not others:
            return False
        points = np.concatenate([turning.points, *(np.array([face.point]) for face in others)])
        along = [face.axis for face in others if isinstance(face, TorusFace)]
        corners = np.linalg.norm(cross(self.flats.corners - point, axis), axis=2)
        ribs = corners.max(axis=1) <= ribbed
        ways = np.concatenate([turning.axes, self.flats.normals[~ribs], np.array(along).reshape(-1, 3)])
        on_axis = np.linalg.norm(cross(points - point, axis), axis=1) <= tolerance
        return bool(on_axis.all() and (np.abs(ways @ axis) > 1 - 1e-9).all())

    def beside(self, other: Body, reach: float) -> Body:
        """The same part with only those of its faces that may come as near as this to the box of another.

        Round ones are looked at as if they went all around, so that all pieces of a cylinder stay together.
        """
        low, high = other.box[0] - reach, other.box[1] + reach
        flat, bent = (
            np.all((least <= high) & (most >= low), axis=1)
            for least, most in (self.flats.boxes, self.round_arrays.turned_boxes)
        )
        others = [bool(np.all(face.box[0] <= high) and np.all(face.box[1] >= low)) for face in self.others]
        if flat.all() and bent.all() and all(others):
            return self
        found = replace(self)
        found.__dict__.update(
            faces=self.faces.only(flat, bent, others),
            box=self.box,
            membership=self.membership,
            pieces=self.pieces,
        )
        return found

    def sides(self, points: Floats, normals: Floats, reach: float | None = None) -> tuple[Inside, Inside]:
        """Whether there is material before each point, on the side of its normal, and behind it."""
        away = (self.skin if reach is None else reach) * normals
        found = self.membership.contains(np.concatenate([points + away, points - away]))
        return found[: len(points)], found[len(points) :]

    def bounded(self, points: Floats, outward: Floats) -> Inside:
        """Whether each point lies on the surface of the part, with the material behind the outward direction."""
        if len(points) <= FEW:
            before, behind = self.sides(points, outward)
            return behind & ~before
        away = self.skin * outward
        found = self.membership.contains(points - away)
        found[found] = ~self.membership.contains((points + away)[found])
        return found

    def is_surface(self, points: Floats, normals: Floats, reach: float | None = None) -> Inside:
        """Whether each point lies on the surface of the part, whichever side its material is on."""
        before, behind = self.sides(points, normals, reach)
        return np.not_equal(before, behind)


def bodies_of(solids: Mapping[str, Solid], skin: float) -> list[Body]:
    """Some parts as they are given, and which of them are alike but for where they stand."""
    bodies: list[Body] = []
    known: dict[Solid, tuple[Body, Placement]] = {}
    for name, solid in solids.items():
        body = Body.of(name, solid, skin)
        shape, place = body.solid, WHERE_DRAWN
        if isinstance(body.solid, Placed):
            shape, place = body.solid.solid, body.solid.place
        first, stood = known.setdefault(shape, (body, place))
        motion = place.holding(stood.inverse)
        if first is not body and abs(motion.scale - 1) <= SAME_SIZE and not motion.is_mirrored:
            body = replace(body, twin=(first, motion))
        bodies.append(body)
    return bodies


def are_between(points: Floats, low: Floats, high: Floats) -> Inside:
    """Which rows of an array lie inside a box; by columns, for rows of three are short."""
    (x, y, z), (a, b, c), (d, e, f) = points.T, low.tolist(), high.tolist()
    return np.asarray((x > a) & (x < d) & (y > b) & (y < e) & (z > c) & (z < f))


def near(a: Body, b: Body, by: float) -> bool:
    """Whether the boxes of two parts are no farther apart than this."""
    return bool(np.all(a.box[0] <= b.box[1] + by) and np.all(b.box[0] <= a.box[1] + by))


def near_pairs(bodies: list[Body], by: float) -> list[tuple[Body, Body]]:
    """The pairs of parts whose boxes are close, found by a sweep along the axis on which they lie most apart."""
    if not bodies:
        return []
    lows = np.array([body.box[0] for body in bodies])
    highs = np.array([body.box[1] for body in bodies])
    along = int(
        np.argmax(np.ptp((lows + highs) / 2, axis=0) / np.maximum((highs - lows).mean(axis=0), 1e-300))
    )
    order = np.argsort(lows[:, along], kind="stable")
    begins = lows[order, along]
    one, other = ranges(np.arange(len(order)) + 1, np.searchsorted(begins, highs[order, along] + by, "right"))
    one, other = order[one], order[other]
    meet = np.all((lows[one] <= highs[other] + by) & (lows[other] <= highs[one] + by), axis=1)
    first, second = np.minimum(one[meet], other[meet]), np.maximum(one[meet], other[meet])
    return [(bodies[a], bodies[b]) for a, b in sorted(zip(first.tolist(), second.tolist(), strict=True))]
