"""The absolute point: a point of a part stands at a place in the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Symbol
from linkwork.model.field import TIME, Coordinates, Place, Scalar, Text, given
from linkwork.model.joint.base import Joint, joint_type

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Point(Joint):
    """A point held, perhaps on a path over time. φ = r − at."""

    word = "point"
    of: str = given(Text("a point or frame", "crank.B"))
    at: Place = given(Coordinates(of=Scalar(TIME)), about="the place in the world")

    def references(self) -> tuple[str, ...]:
        return (self.of,)

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        return [*(world.frame(self.of).origin - self.at)]
