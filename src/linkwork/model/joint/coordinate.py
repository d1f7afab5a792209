"""The absolute coordinate: one coordinate of a part has a fixed value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Symbol
from linkwork.model.field import TIME, Scalar, Size, Text, given
from linkwork.model.joint.base import Joint, joint_type

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Coordinate(Joint):
    """A coordinate held. φ = coordinate − value; ``of`` is such as ``slider.y`` or ``coupler.P.x``."""

    word = "coordinate"
    of: str = given(Text("a coordinate of a part or point", "slider.y"))
    value: Size = given(Scalar(TIME), 0)

    def references(self) -> tuple[str, ...]:
        return (self.of.rpartition(".")[0],)

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        return [world.quantity(self.of) - self.value]
