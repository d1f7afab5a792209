"""Gears: external, internal, on fixed or moving carriers."""

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
class Gear(Wheels):
    """Two gears in mesh. φ = θ₁ ± (z₂/z₁)·θ₂ − phase, against the carrier; minus if one is internal."""

    word = "gear"
    internal: bool = given(Flag(), False, "whether one has its teeth inside")

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        first, second = self.turns(world)
        z1, z2 = self.sizes()
        ratio = -z2 / z1 if self.internal else z2 / z1
        return [first + ratio * second - self.phase]
