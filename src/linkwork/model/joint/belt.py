"""Belts and chains: two wheels turn by equal lengths, the same way or, crossed, against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Symbol
from linkwork.model.field import Flag, given
from linkwork.model.joint.base import joint_type
from linkwork.model.joint.wheels import Wheels

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Belt(Wheels):
    """A belt without slip. φ = θ₁ ∓ (r₂/r₁)·θ₂ − phase, against the carrier; plus if it is crossed."""

    word = "belt"
    crossed: bool = given(Flag(), False, "whether the belt crosses itself")

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        first, second = self.turns(world)
        r1, r2 = self.sizes()
        ratio = r2 / r1 if self.crossed else -r2 / r1
        return [first + ratio * second - self.phase]
