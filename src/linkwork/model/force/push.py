"""A force at a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from linkwork.model.field import STATE, Coordinates, Flag, OrFormula, Place, Scalar, Text, given
from linkwork.model.force.base import Carrier, Force, Load, force_type, no_moment
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World


@force_type
@dataclass(frozen=True)
class Push(Force):
    """A force on a point, in the directions of the world or, ``following``, of the part."""

    word = "force"
    at: str = given(Text("a point or frame", "coupler.P"))
    force: Place = given(OrFormula(Coordinates(of=Scalar(STATE), example=(0, -10)), "a formula"))
    following: bool = given(Flag(), False, "whether it turns with the part")

    def references(self) -> tuple[str, ...]:
        return (self.at,)

    def carried(self, by: Carrier) -> Push:
        force = by.vector(self.force) if isinstance(self.force, Vector) else self.force
        return replace(self, at=by.reference(self.at), force=force)

    def loads(self, world: World) -> Sequence[Load]:
        frame = world.frame(self.at)
        given_force = world.vector(self.force)
        force = frame.direction(given_force) if self.following else given_force
        return [Load(frame.part, frame.origin, force, no_moment(world.dimension))]
