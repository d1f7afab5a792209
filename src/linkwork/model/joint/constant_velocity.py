"""The constant-velocity joint: two shafts at any angle turn equally fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, joint_type
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class ConstantVelocity(Pair):
    """A homokinetic joint. φ = r_a − r_b, and the turn from a to b has no part about z: x_a·y_b = y_a·x_b."""

    word = "constant-velocity"
    dimensions = (3,)

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [*(a.origin - b.origin), a.x @ b.y - a.y @ b.x]
