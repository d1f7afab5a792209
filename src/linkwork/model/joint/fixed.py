"""The fixed joint: two parts as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, joint_type
from linkwork.model.joint.relation import same_orientation, same_ways
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Fixed(Pair):
    """A weld. φ = r_a − r_b and the turn of b against a."""

    word = "fixed"

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [*(a.origin - b.origin), *same_orientation(a, b)]

    def ways(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return same_ways(a, b)
