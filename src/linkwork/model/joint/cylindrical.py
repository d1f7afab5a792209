"""The cylindrical joint: turns about an axis and slides along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.joint.relation import along, beside, parallel_axes, same_way, turn_of
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Cylindrical(Pair):
    """A sleeve. φ = how far b stands beside the axis of a, and its tilt."""

    word = "cylindrical"
    dimensions = (3,)

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [*beside(a, b), *parallel_axes(a, b)]

    def coordinates(self, a: Placed, b: Placed) -> Mapping[str, Expression | Turn]:
        return {"angle": turn_of(a, b), "displacement": along(a, b)}

    def ways(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return same_way(a, b)
