"""The universal joint: a cross between two shafts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, joint_type
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Universal(Pair):
    """A Cardan joint. φ = r_a − r_b, and the arms x_a ⟂ y_b of the cross."""

    word = "universal"
    dimensions = (3,)

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return [*(a.origin - b.origin), a.x @ b.y]
