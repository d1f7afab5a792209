"""A part as recognition sees it: its solid, the surfaces of it, and which of them bound it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.recognition.flats import Flats
from linkwork.recognition.rounding import Rounding, as_recognised
from linkwork.recognition.rounds import Rounds
from linkwork.solid import Face, PlaneFace, RoundFace, Solid, SphereFace, TorusFace
from linkwork.solid.membership import Membership
from linkwork.solid.pieces import Piece, pieces
from linkwork.solid.placement import Floats, cross_length
from linkwork.solid.values import Inside

GRID = 20
"""Into how many cells along each axis a part is divided where only about its middle is asked for."""


@dataclass(frozen=True, eq=False)
class Body:
    """A named part in place; ``skin`` is how far from a surface its two sides are looked at."""

    name: str
    solid: Solid
    skin: float
    roundings: tuple[Rounding, ...] = ()
    """What flat sides were taken as round."""

    @classmethod
    def of(cls, name: str, solid: Solid, skin: float) -> Body:
        """A part as it is given: meshes become prisms where they can, and many flat sides round."""
        found, roundings = as_recognised(solid)
        return cls(name, found, skin, roundings)

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
    def _faces(self) -> tuple[Face, ...]:
        return tuple(dict.fromkeys(self.solid.faces()))

    @cached_property
    def others(self) -> tuple[Face, ...]:
        """Its faces that are neither plane nor round about an axis."""
        return tuple(face for face in self._faces if not isinstance(face, (PlaneFace, RoundFace)))

    @cached_property
    def planes(self) -> tuple[PlaneFace, ...]:
        """Its plane faces, but for those for which a cylinder stands."""
        flat = [face for face in self._faces if isinstance(face, PlaneFace)]
        if not self.roundings:
            return tuple(flat)
        sides, every = np.zeros(len(flat), dtype=bool), Flats.of(flat)
        for each in self.roundings:
            sides[each.sides_among(every)] = True
        return tuple(face for face, is_side in zip(flat, sides, strict=True) if not is_side)

    @cached_property
    def rounds(self) -> tuple[RoundFace, ...]:
        """Its cylinders and cones."""
        return tuple(face for face in self._faces if isinstance(face, RoundFace))

    @cached_property
    def round_arrays(self) -> Rounds:
        """Its cylinders and cones as arrays."""
        return Rounds.of(self.rounds)

    @cached_property
    def has_cones(self) -> bool:
        """Whether some of its round faces are cones."""
        return not all(self.round_arrays.are_cylinders)

    @cached_property
    def has_threads(self) -> bool:
        """Whether some of its cylinders are marked as threads."""
        return any(face.pitch for face in self.rounds)

    @cached_property
    def spheres(self) -> tuple[SphereFace, ...]:
        """Its spheres."""
        return tuple(face for face in self._faces if isinstance(face, SphereFace))

    @cached_property
    def flats(self) -> Flats:
        """Its plane faces as arrays."""
        return Flats.of(self.planes)

    @property
    def is_ball(self) -> bool:
        """Whether it is nothing but a sphere."""
        return bool(self.spheres) and len(set(self.spheres)) == 1 and len(self._faces) == 1

    def is_round(self, axis: Floats, point: Floats, tolerance: float) -> bool:
        """Whether it is a body of revolution about an axis."""
        faces = [*self.rounds, *self.others]
        on_axis = all(cross_length(np.array(face.point) - point, axis) <= tolerance for face in faces)
        along = [np.array(face.axis) for face in faces if isinstance(face, (RoundFace, TorusFace))]
        along += [np.array(face.normal) for face in self.planes]
        return bool(faces) and on_axis and all(abs(float(each @ axis)) > 1 - 1e-9 for each in along)

    def sides(self, points: Floats, normals: Floats, reach: float | None = None) -> tuple[Inside, Inside]:
        """Whether there is material before each point, on the side of its normal, and behind it."""
        away = (self.skin if reach is None else reach) * normals
        found = self.membership.contains(np.concatenate([points + away, points - away]))
        return found[: len(points)], found[len(points) :]

    def bounded(self, points: Floats, outward: Floats) -> Inside:
        """Whether each point lies on the surface of the part, with the material behind the outward direction."""
        away = self.skin * outward
        found = self.membership.contains(points - away)
        found[found] = ~self.membership.contains((points + away)[found])
        return found

    def is_surface(self, points: Floats, normals: Floats, reach: float | None = None) -> Inside:
        """Whether each point lies on the surface of the part, whichever side its material is on."""
        before, behind = self.sides(points, normals, reach)
        return np.not_equal(before, behind)


def are_between(points: Floats, low: Floats, high: Floats) -> Inside:
    """Which rows of an array lie inside a box."""
    return np.asarray(np.logical_and.reduce((points > low) & (points < high), axis=1))


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
    found: list[tuple[int, int]] = []
    active: list[int] = []
    for place in map(int, order):
        active = [other for other in active if highs[other, along] + by >= lows[place, along]]
        found += [
            (min(place, other), max(place, other))
            for other in active
            if near(bodies[place], bodies[other], by)
        ]
        active.append(place)
    return [(bodies[first], bodies[second]) for first, second in sorted(found)]
