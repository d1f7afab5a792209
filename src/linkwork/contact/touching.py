"""Which parts of a found machine may touch: their outlines layer by layer, and the couples of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import ClassVar

import numpy as np

from linkwork.contact.feature_names import FeatureNames
from linkwork.contact.laws import Laws
from linkwork.contact.left_out import LeftOut
from linkwork.contact.native import Couple, NativeShapes, Shapes
from linkwork.contact.overlap_depth import depth_of_overlap
from linkwork.contact.pairs import (
    PlacedPair,
    force_columns,
    group_of_parts,
    in_one_another,
    of_island,
    pairs_that_touch,
)
from linkwork.contact.shapes import Outline, outline_of
from linkwork.errors import NoAnswer
from linkwork.kinematics.arrays import Matrix
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.recognition.finding import Recognition
from linkwork.solid import Solid
from linkwork.solid.layers import Layer, Span, prismatic_layers
from linkwork.solid.region import Region

APART, HINGED, SLIDING = 0, 1, 2
OVERLAP = 1e-9
"""Of the height of a layer: layers that share less do not touch."""
ROUNDING = 1e-6
"""Of the size of a machine: parts that are drawn deeper in one another were not meant to be."""
PRESSED = 1e-2
"""Of the size of the smaller part: how deep elastic ones may be in one another where a motion is taken up."""
STARTS = 64
"""Of which it is kept that parts are apart there."""


@dataclass(frozen=True)
class TouchingPair(PlacedPair):
    """Two slabs of parts that may touch, by their places among all slabs."""

    joined: int
    axis: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Touching:
    """What of all parts may touch, and which of it.

    A slab is one or more layers of a part that meet the same layers of another: what they share touches once.
    """

    dimension: ClassVar[int] = 2
    parts: tuple[str, ...]
    """The moving parts, in the order of the engine's bodies; the ground comes after them."""
    owners: tuple[str, ...]
    """The part of each slab."""
    slabs: tuple[tuple[Layer, ...], ...]
    couples: tuple[TouchingPair, ...]
    solids: Mapping[str, Solid]
    outlines: tuple[Outline, ...]
    """The features of each slab."""
    left_out: tuple[LeftOut, ...] = ()
    """What may touch where a part is no prism across the plane."""

    def island(self, parts: Sequence[str]) -> Touching:
        """The same for some of the moving parts alone."""
        couples, used = of_island(self.couples, parts)
        return replace(
            self,
            parts=tuple(parts),
            owners=tuple(self.owners[slab] for slab in used),
            slabs=tuple(self.slabs[slab] for slab in used),
            couples=couples,
            outlines=tuple(self.outlines[slab] for slab in used),
        )

    @property
    def size(self) -> float:
        """A length by which to judge others."""
        return max((outline.reach for outline in self.outlines), default=1.0)

    @property
    def part_size(self) -> float:
        """A length by which to judge motions: of two parts that may touch the smaller one, of such the largest."""
        return max(map(self.smaller_reach, range(len(self.couples))), default=0.0) or 1.0

    def smaller_reach(self, couple: int) -> float:
        """How far the smaller outline of a couple reaches from its middle."""
        return min(self.outlines[place].reach for place in self.couples[couple].places)

    def layers_of(self, pair: TouchingPair) -> Iterable[tuple[Layer, ...]]:
        """The layers of two slabs that meet."""
        return product(*(self.slabs[place] for place in pair.places))

    def native(self, laws: Laws, _: str) -> NativeShapes:
        """What the engine is given, in its memory; the same for all models of contact."""
        return NativeShapes(self.with_laws(laws))

    def with_laws(self, laws: Laws) -> Shapes:
        """What the engine is given."""
        names = [*self.parts, GROUND]
        couples = []
        for pair in self.couples:
            law = laws.of(*pair.parts)
            couples.append(
                Couple(
                    pair.places,
                    pair.joined,
                    pair.axis,
                    law.friction,
                    law.restitution,
                    law.stiffness,
                    law.damping * law.pressing,
                )
            )
        body_of = tuple(names.index(owner) for owner in self.owners)
        return Shapes(len(self.parts), self.outlines, body_of, tuple(couples), self.size)

    def check_apart(self, values: Mapping[str, float], share: float = 0.0) -> None:
        """Refuse a start in which parts are in one another, by more than a share of the smaller one's size, with how
        deep. Many runs begin where one did: that is looked at once.
        """
        poses = ((values[f"{part}.x"], values[f"{part}.y"], values[f"{part}.angle"]) for part in self.parts)
        self._checked(tuple(poses), share)

    @cached_property
    def _checked(self) -> Callable[[tuple[Pose, ...], float], None]:
        """The same for places of the parts. Each island keeps its own starts, however many others there are."""
        return lru_cache(maxsize=STARTS)(partial(_check_apart, self))

    def feature_names(
        self, couple: int, swapped: bool, face_kind: int, round_place: int, face_place: int
    ) -> list[str]:
        """What touches in an event, of both parts in the order of the couple."""
        one, other = self.couples[couple].places
        slabs = (other, one) if swapped else (one, other)
        names = self._names.of(slabs, face_kind, round_place, face_place)
        return [*reversed(names)] if swapped else [*names]

    @cached_property
    def _names(self) -> FeatureNames:
        slabs = zip(self.outlines, self.owners, self.slabs, strict=True)
        return FeatureNames(
            [(outline, self.solids[owner], slab) for outline, owner, slab in slabs], self.size
        )

    def force_columns(self, touches: Matrix) -> dict[str, Matrix]:
        """The force between each two parts that may touch, in each row: the size of the sum."""
        return force_columns([pair.parts for pair in self.couples], touches, self.dimension)


def touching_of(found: Recognition) -> Touching:
    """The layers of a found machine's parts that may touch."""
    machine = found.machine
    assert machine is not None
    parts = tuple(machine.moving)
    names = [*parts, GROUND]
    solids = part_solids(machine)
    group_of = group_of_parts(found)
    pairs = pairs_that_touch(found, names)
    wanted = sorted({name for pair in pairs for name in pair}, key=names.index)
    found_of = {name: prismatic_layers(solids[name]) for name in wanted}
    layers_of = {name: each for name, (each, _) in found_of.items()}
    spans_of = {name: spans for name, (_, spans) in found_of.items()}
    places: dict[tuple[str, tuple[Layer, ...]], int] = {}
    couples = [
        TouchingPair(
            (one, other),
            (
                places.setdefault((one, own), len(places)),
                places.setdefault((other, its), len(places)),
            ),
            *_joint(found, group_of, one, other),
        )
        for one, other in pairs
        for own, its in _slabs(layers_of[one], layers_of[other])
    ]
    owners = tuple(name for name, _ in places)
    slabs = tuple(slab for _, slab in places)
    outlines = tuple(outline_of(*(layer.region for layer in slab)) for slab in slabs)
    left_out = tuple(each for pair in pairs for each in _left_out(pair, solids, spans_of))
    return Touching(parts, owners, slabs, tuple(couples), solids, outlines, left_out)


def _left_out(
    pair: tuple[str, str], solids: Mapping[str, Solid], spans_of: Mapping[str, Sequence[Span]]
) -> Iterator[LeftOut]:
    """Two parts that have heights in common where one of them is no prism."""
    for own, other in (pair, pair[::-1]):
        low, high = (float(corner[2]) for corner in solids[other].box)
        for span in spans_of[own]:
            if min(span.high, high) - max(span.low, low) > OVERLAP * (high - low):
                yield LeftOut(pair, f"{own} has a {span.noun} that is no prism across the plane of motion")
                return


def _slabs(
    layers_of_one: Sequence[Layer], layers_of_other: Sequence[Layer]
) -> Iterator[tuple[tuple[Layer, ...], tuple[Layer, ...]]]:
    """Which layers of two parts have heights in common, those together that meet the same ones."""
    alike: dict[tuple[Layer, ...], tuple[Layer, ...]] = {}
    for own in layers_of_one:
        met = tuple(its for its in layers_of_other if _have_heights_in_common(own, its))
        alike[met] = (*alike.get(met, ()), own)
    joined: dict[tuple[tuple[Layer, ...], ...], tuple[Layer, ...]] = {}
    for its in layers_of_other:
        groups = tuple(group for met, group in alike.items() if its in met)
        joined[groups] = (*joined.get(groups, ()), its)
    for groups, slab in joined.items():
        for group in groups:
            yield group, slab


def _have_heights_in_common(one: Layer, other: Layer) -> bool:
    both = one.high - one.low + other.high - other.low
    return min(one.high, other.high) - max(one.low, other.low) > OVERLAP * both


def _joint(
    found: Recognition, group_of: Mapping[str, str], one: str, other: str
) -> tuple[int, tuple[float, float]]:
    """How two parts are joined, and the axis or the direction of the joint in the plane."""
    axes = found.axes
    for pair in found.pairs:
        if {group_of[part] for part in pair.parts} != {one, other}:
            continue
        if pair.kind in ("revolute", "cylindrical", "prismatic"):
            way = pair.axis if pair.kind == "prismatic" else pair.point
            x, y, _ = axes @ np.array(way)
            return (SLIDING if pair.kind == "prismatic" else HINGED), (float(x), float(y))
    return APART, (0.0, 0.0)


Pose = tuple[float, float, float]
"""Where a part is: x, y and its angle."""


def _check_apart(touching: Touching, places: tuple[Pose, ...], share: float) -> None:
    """Refuse a start in which parts are in one another by more than a share of the smaller one's size."""
    poses = dict(zip(touching.parts, places, strict=True))
    meetings = [(pair, each) for pair in touching.couples for each in touching.layers_of(pair)]
    for pair, meeting in meetings:
        regions = [
            _placed(layer.region, poses.get(part, (0.0, 0.0, 0.0)))
            for part, layer in zip(pair.parts, meeting, strict=True)
        ]
        smaller = min(float(np.ptp(each.box, axis=0).max()) for each in regions)
        allowed = max(ROUNDING * touching.size, share * smaller)
        if pair.joined == APART and _thickness(regions[0] & regions[1]) > allowed:
            raise _overlap(pair.parts, *regions)


def _overlap(parts: tuple[str, str], one: Region, other: Region) -> NoAnswer:
    """How deep the outline of either is in the other; but where they lie on each other what is common is as deep."""
    depth, at = depth_of_overlap(one, other)
    thickest = max((Region((loop,)) for loop in (one & other).loops if not loop.is_hole), key=_thickness)
    if _thickness(thickest) > depth:
        return in_one_another(parts, _thickness(thickest), thickest.centroid)
    return in_one_another(parts, depth, at)


def _placed(region: Region, pose: tuple[float, float, float]) -> Region:
    x, y, angle = pose
    turned = region.turned(angle) if angle else region
    return turned.moved((x, y)) if x or y else turned


def _thickness(region: Region) -> float:
    """About how thick a region is: twice its area by its length."""
    return 2 * region.area / region.length if region and region.length > 0 else 0.0
