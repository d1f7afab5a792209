"""The point on a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, joint_type
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class PointOnPlane(Pair):
    """A point of b on the plane z = 0 of a."""

    word = "point-on-plane"
    dimensions = (3,)

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [a.z @ (b.origin - a.origin)]
