"""Springs and dampers between two points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, sqrt
from linkwork.model.field import Entries, Scalar, Size, Text, given
from linkwork.model.force.base import Carrier, Force, Load, force_type, no_moment

if TYPE_CHECKING:
    from linkwork.model.world import World


@force_type
@dataclass(frozen=True)
class Spring(Force):
    """A spring, a damper or both: the pull is stiffness·(distance − length) + damping·(its rate)."""

    word = "spring"
    between: tuple[str, ...] = given(
        Entries(Text("a point or frame", "crank.B"), 2, 2, "a list of two points", ("ground.A", "crank.B"))
    )
    stiffness: Size = given(Scalar(example=100), 0, "force per length")
    length: Size = given(Scalar(example=0.5), 0, "the length without force")
    damping: Size = given(Scalar(example=2), 0, "force per speed")

    def references(self) -> tuple[str, ...]:
        return self.between

    def carried(self, by: Carrier) -> Spring:
        return replace(self, between=tuple(map(by.reference, self.between)))

    def energy(self, world: World) -> Expression:
        first, second = (world.frame(each) for each in self.between)
        stretch = sqrt((second.origin - first.origin).squared) - self.length
        return self.stiffness * stretch**2 / 2

    def loads(self, world: World) -> Sequence[Load]:
        first, second = (world.frame(each) for each in self.between)
        gap = second.origin - first.origin
        distance = sqrt(gap.squared)
        pull = self.stiffness * (distance - self.length) + self.damping * world.rate(distance)
        force, none = gap * (pull / distance), no_moment(world.dimension)
        return [
            Load(first.part, first.origin, force, none),
            Load(second.part, second.origin, -force, none),
        ]
