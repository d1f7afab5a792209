"""Rack and pinion: turning the pinion shifts the rack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Symbol
from linkwork.model.field import Coordinates, Place, Scalar, Size, Text, given
from linkwork.model.joint.base import Joint, joint_type
from linkwork.model.joint.wheels import AXLES

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Rack(Joint):
    """A rack and its pinion, both carried by ``carrier``.

    φ = shift − radius·θ: the rack moves along ``axis`` (given in the carrier's frame) by the arc that the
    pinion turns; a negative radius stands for a rack on the other side. In space ``axles`` names the
    pinion's joint and the rack's slide.
    """

    word = "rack"
    pinion: str = given(Text("the part that turns", "pinion"), "")
    rack: str = given(Text("the part that slides", "rack"), "")
    axles: tuple[str, ...] | None = given(AXLES, None, "the joints of pinion and rack, instead of the parts")
    carrier: str = given(Text("the part that carries both", "frame"), "ground")
    radius: Size = given(Scalar(example=2), 1, "the pinion's pitch radius")
    axis: Place = given(Coordinates(example=(1, 0)), (1, 0), "the way of the rack")

    def references(self) -> tuple[str, ...]:
        return (self.pinion, self.rack, self.carrier) if self.pinion else ()

    @property
    def carried_by(self) -> str:
        return self.carrier

    def joints(self) -> tuple[str, ...]:
        return self.axles or ()

    def equations(self, world: World, own: Mapping[str, Symbol]) -> Sequence[Expression]:
        if self.axles:
            turned, shifted = (world.coordinate(name, "") for name in self.axles)
            return [shifted - self.radius * turned]
        turned = world.turned(self.pinion) - world.turned(self.carrier)
        return [world.shifted(self.rack, self.carrier, self.axis) - self.radius * turned]
