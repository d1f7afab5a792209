"""The prismatic joint: one part slides along a line of the other without turning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.joint.relation import along, beside, same_orientation, same_ways
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Prismatic(Pair):
    """A slider. φ = the turn of b against a, and how far b stands beside the line of a."""

    word = "prismatic"

    def angles(self) -> tuple[str, ...]:
        return ()

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [*same_orientation(a, b), *beside(a, b)]

    def coordinates(self, a: Placed, b: Placed) -> Mapping[str, Expression | Turn]:
        return {"displacement": along(a, b)}

    def ways(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return same_ways(a, b)
