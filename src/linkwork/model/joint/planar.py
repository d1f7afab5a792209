"""The planar joint: one part slides and turns on a plane of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.joint.relation import parallel_axes, same_way, turn_of
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Planar(Pair):
    """A plane on a plane. φ = the height of b over the plane of a, and its tilt."""

    word = "planar"
    dimensions = (3,)

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [a.z @ (b.origin - a.origin), *parallel_axes(a, b)]

    def coordinates(self, a: Placed, b: Placed) -> Mapping[str, Expression | Turn]:
        return {"angle": turn_of(a, b)}

    def ways(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return same_way(a, b)
