"""Which parts of a found machine may touch in space: their features, and the couples of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.contact.boundary import Boundary
from linkwork.contact.features import CORNER, FLAT, Feature, features_of
from linkwork.contact.laws import Laws
from linkwork.contact.left_out import LeftOut
from linkwork.contact.outlines import NotBounded
from linkwork.contact.pairs import (
    PlacedPair,
    force_columns,
    in_one_another,
    of_island,
    pairs_that_touch,
)
from linkwork.contact.relative_motion import joints_of_groups, relative_motion
from linkwork.contact.space_native import NativeSpaceShapes, SpaceCouple, SpaceShapes
from linkwork.kinematics.arrays import Matrix
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.recognition.finding import Recognition
from linkwork.solid.placement import Floats

JOINED = {
    "revolute": 1,
    "prismatic": 2,
    "cylindrical": 3,
    "screw": 3,
    "spherical": 4,
    "planar": 5,
}
"""The numbers of joints that the engine knows; any other leaves no gap as it is."""
LARGE = 1e-3
"""Of the largest part: what counts as large at least."""
DEEP = 1e-6
"""Of the size: parts that are in one another by more overlap."""


@dataclass(frozen=True)
class SpacePair(PlacedPair):
    """Two parts that may touch, by their places among all solids; how they are joined, where and along what."""

    joined: int = 0
    point: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis: tuple[float, ...] = (0.0, 0.0, 1.0)


class Overlap(NamedTuple):
    """Two parts that are in one another: in which row, how deep, and where."""

    row: int
    parts: tuple[str, str]
    depth: float
    point: Floats


@dataclass(frozen=True, eq=False)
class SpaceTouching:
    """What of all parts may touch in space, and which of it."""

    dimension: ClassVar[int] = 3
    parts: tuple[str, ...]
    """The moving parts, in the order of the engine's bodies; the ground comes after them."""
    owners: tuple[str, ...]
    """The part of each solid."""
    couples: tuple[SpacePair, ...]
    boundaries: tuple[Boundary, ...] = field(repr=False)
    features: tuple[tuple[Feature, ...], ...] = field(repr=False)
    left_out: tuple[LeftOut, ...] = ()
    """What may touch, but is not put together of solids that are known."""

    def island(self, parts: Sequence[str]) -> SpaceTouching:
        """The same for some of the moving parts alone."""
        couples, used = of_island(self.couples, parts)
        return SpaceTouching(
            tuple(parts),
            tuple(self.owners[each] for each in used),
            couples,
            tuple(self.boundaries[each] for each in used),
            tuple(self.features[each] for each in used),
        )

    def smaller_reach(self, couple: int) -> float:
        """How far the smaller solid of a couple reaches from its middle."""
        return min(self.boundaries[place].size for place in self.couples[couple].places) / 2

    @property
    def size(self) -> float:
        """A length by which to judge others: of two parts that may touch the smaller one, of such the largest.

        What is rounding on a large part must not count on a small one, so it is not much smaller than the largest.
        """
        sizes = [boundary.size / 2 for boundary in self.boundaries]
        smaller = list(map(self.smaller_reach, range(len(self.couples))))
        return max([*smaller, LARGE * max(sizes)]) if smaller else 1.0

    @property
    def part_size(self) -> float:
        """A length by which to judge motions."""
        return self.size

    def native(self, laws: Laws, model: str) -> NativeSpaceShapes:
        """What the engine is given for a model of contact: of elastic parts whole rims are rings."""
        features = self.features
        if model == "elastic":
            features = tuple(tuple(each.ring() for each in own) for own in features)
        names = [*self.parts, GROUND]
        couples = []
        for pair in self.couples:
            law = laws.of(*pair.parts)
            couples.append(
                SpaceCouple(
                    pair.places,
                    pair.joined,
                    pair.point,
                    pair.axis,
                    law.friction,
                    law.restitution,
                    law.stiffness,
                    law.damping * law.pressing,
                )
            )
        body_of = tuple(names.index(owner) for owner in self.owners)
        return NativeSpaceShapes(
            SpaceShapes(len(self.parts), self.boundaries, features, body_of, tuple(couples), self.size)
        )

    def force_columns(self, touches: Matrix) -> dict[str, Matrix]:
        """The force between each two parts that may touch, in each row: the size of the sum."""
        return force_columns([pair.parts for pair in self.couples], touches, self.dimension)

    def feature_names(
        self, couple: int, swapped: bool, _: int, round_place: int, face_place: int
    ) -> list[str]:
        """What touches in an event, of both parts in the order of the couple."""
        solids = self.couples[couple].places
        own, other = (1, 0) if swapped else (0, 1)
        found = ["", ""]
        found[own] = self._name(solids[own], round_place)
        found[other] = self._name(solids[other], face_place)
        return found

    def _name(self, solid: int, place: int) -> str:
        feature = self.features[solid][place]
        return f"{feature.noun} of {feature.label}" if feature.label else feature.noun

    def check_apart(self, values: Mapping[str, float], share: float = 0.0) -> None:
        """Refuse a start in which parts are in one another, by more than a share of the smaller one's size, with how
        deep.
        """
        columns = {name: np.array([value]) for name, value in values.items()}
        found = self.first_overlap(columns, share=share)
        if found is not None:
            raise in_one_another(found.parts, found.depth, found.point)

    def first_overlap(
        self, columns: Mapping[str, Matrix], depth: Matrix | float = 0.0, share: float = 0.0
    ) -> Overlap | None:
        """The first row in which points of a part are in another that no joint holds there, if there is one: deeper
        than contacts are in that row, or than a share of the smaller one's size.

        Looked at are corners, points of edges and rims, and balls where they may be deepest behind a face.
        """
        depths = np.broadcast_to(depth, len(next(iter(columns.values())))) + DEEP * self.size
        found: list[Overlap] = []
        for couple, pair in enumerate(self.couples):
            allowed = np.maximum(depths, share * 2 * self.smaller_reach(couple))
            for own, other in () if pair.joined else (pair.places, pair.places[::-1]):
                overlap = self._first_inside(pair, own, other, columns, allowed)
                if overlap is not None:
                    found.append(overlap)
        return min(found, key=lambda each: each.row, default=None)

    def _first_inside(
        self, pair: SpacePair, own: int, other: int, columns: Mapping[str, Matrix], allowed: Matrix
    ) -> Overlap | None:
        """The first row in which points of one solid are in the other; what stands still is looked at once."""
        pose, its_pose = self.poses(own, columns), self.poses(other, columns)
        rows = _rows_that_differ(*pose, *its_pose)
        (turn, origin), (its_turn, its_origin) = ((each[0][rows], each[1][rows]) for each in (pose, its_pose))
        points = self._points(own, other, turn, origin, its_turn)
        boundary = self.boundaries[other]
        away = np.linalg.norm(points - (its_turn @ boundary.middle + its_origin)[:, None], axis=2)
        near = np.argwhere(away <= boundary.size / 2)  # what is no number is not near
        seen = points[tuple(near.T)] - its_origin[near[:, 0]]
        depths = -boundary.value(np.einsum("ki,kij->kj", seen, its_turn[near[:, 0]]))
        deep = np.flatnonzero(depths > allowed[rows[near[:, 0]]])
        if not len(deep):
            return None
        first = deep[near[deep, 0] == near[deep[0], 0]]
        worst = first[np.argmax(depths[first])]
        row, place = near[worst]
        return Overlap(int(rows[row]), pair.parts, float(depths[worst]), points[row, place])

    def poses(self, solid: int, columns: Mapping[str, Matrix]) -> tuple[Floats, Floats]:
        """The turns and the origins of a solid's part in all rows."""
        part = self.owners[solid]
        if part not in self.parts:
            rows = len(next(iter(columns.values())))
            return np.tile(np.eye(3), (rows, 1, 1)), np.zeros((rows, 3))
        origin = np.column_stack([columns[f"{part}.{each}"] for each in "xyz"])
        w, x, y, z = (columns[f"{part}.q{each}"] for each in range(4))
        turn = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        return np.moveaxis(np.array(turn), 2, 0), origin

    def _points(self, own: int, other: int, turn: Floats, origin: Floats, its_turn: Floats) -> Floats:
        """In each row points of a solid: on its edges, and of its balls where they are behind faces.

        Where it stands still there are points inside, too.
        """
        features = self.features[own]
        sharp = np.vstack([np.zeros((0, 3)), *(each.samples() for each in features)])
        sharp = sharp[self._is_on(own, sharp)]
        if (
            len(turn) == 1
        ):  # parts that lie on each other have no edge in one another; none comes to do so later
            half = (sharp + self.boundaries[own].middle) / 2
            sharp = np.vstack([sharp, half[self.boundaries[own].value(half) < 0]])
        found = [np.einsum("rij,kj->rki", turn, sharp) + origin[:, None]]
        for ball in (each for each in features if each.kind == CORNER and each.radius):
            for face in (each for each in self.features[other] if each.kind == FLAT):
                lowest = ball.point - ball.radius * np.einsum("rji,rj->ri", turn, its_turn @ face.axis)
                placed = np.einsum("rij,rj->ri", turn, lowest) + origin
                found.append(np.where(self._is_on(own, lowest)[:, None], placed, np.nan)[:, None])
        return np.concatenate(found, axis=1)

    def _is_on(self, solid: int, points: Floats) -> NDArray[np.bool_]:
        """Whether points, seen from a solid, are on its surface."""
        return np.asarray(np.abs(self.boundaries[solid].value(points)) <= DEEP * self.size)


def _rows_that_differ(*poses: Floats) -> NDArray[np.intp]:
    """The rows in which any of some arrays is not as it was in the row before; the first is one."""
    flat = np.hstack([each.reshape(len(each), -1) for each in poses])
    return np.flatnonzero(np.r_[True, (np.diff(flat, axis=0) != 0).any(axis=1)])


def space_touching_of(found: Recognition) -> SpaceTouching:
    """The features of a found machine's parts that may touch in space."""
    machine = found.machine
    assert machine is not None
    parts = tuple(machine.moving)
    names = [*parts, GROUND]
    solids = part_solids(machine)
    joints = [joint for joint in joints_of_groups(found) if joint.kind in JOINED]
    pairs = pairs_that_touch(found, names)
    wanted = sorted({name for pair in pairs for name in pair}, key=names.index)
    boundaries, why = {}, {}
    for name in wanted:
        try:
            boundaries[name] = Boundary.of(solids[name])
        except NotBounded as error:
            why[name] = f"{name} has {error.got}" if error.got else f"{name}: {error.problem}"
    owners = list(boundaries)
    couples, left_out = [], []
    for one, other in pairs:
        unknown = why.get(one) or why.get(other)
        if unknown:
            left_out.append(LeftOut((one, other), f"{unknown}, whose contacts are not computed in space"))
            continue
        joint = relative_motion(joints, one, other)
        places = owners.index(one), owners.index(other)
        couples.append(SpacePair((one, other), places, JOINED.get(joint.kind, 0), joint.point, joint.axis))
    features = tuple(tuple(features_of(each)) for each in boundaries.values())
    known = tuple(boundaries.values())
    return SpaceTouching(parts, tuple(owners), tuple(couples), known, features, tuple(left_out))
