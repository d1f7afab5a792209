"""The spherical joint: a ball in a socket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, joint_type
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Spherical(Pair):
    """A ball. φ = r_a − r_b."""

    word = "spherical"
    dimensions = (3,)

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [*(a.origin - b.origin)]
