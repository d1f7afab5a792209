"""What gears, belts and racks have in common: wheels that turn against a carrier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwork.algebra import Expression
from linkwork.model.field import Entries, Scalar, Size, Sizes, Text, given
from linkwork.model.joint.base import Joint

if TYPE_CHECKING:
    from linkwork.model.world import World

WHEELS: Any = Entries(Text("a part"), 2, 2, "a list of two parts", ("sun", "planet"))
AXLES: Any = Entries(Text("a joint"), 2, 2, "a list of two joints", ("A", "B"))


@dataclass(frozen=True)
class Wheels(Joint):
    """Two wheels on one carrier (by default the ground), with ``radii`` or ``teeth``.

    In the plane ``parts`` are the wheels; they are in phase where they start. In space, and in the plane
    where that is handier, ``joints`` are the axles, whose angles are measured against the carrier.
    """

    parts: tuple[str, ...] | None = given(WHEELS, None)
    carrier: str = given(Text("the part that carries both axles", "arm"), "ground")
    radii: Sizes | None = given(Entries(Scalar(), 2, 2, "a list of two numbers", (2, 1)), None)
    teeth: Sizes | None = given(Entries(Scalar(), 2, 2, "a list of two numbers", (40, 20)), None)
    axles: tuple[str, ...] | None = given(AXLES, None, "the joints of the wheels, instead of parts")
    phase: Size = given(Scalar(), 0, "an angle of the first wheel by which the mesh is shifted")

    def references(self) -> tuple[str, ...]:
        return (*(self.parts or ()), self.carrier) if self.parts else ()

    @property
    def carried_by(self) -> str:
        return self.carrier

    def joints(self) -> tuple[str, ...]:
        return self.axles or ()

    def sizes(self) -> tuple[Expression, Expression]:
        """The radii, or the numbers of teeth."""
        given_sizes: Sizes = self.teeth if self.radii is None else self.radii
        first, second = given_sizes
        return first, second

    def turns(self, world: World) -> tuple[Expression, Expression]:
        """How far each wheel has turned against the carrier since the start."""
        if self.axles:
            first, second = (world.coordinate(name, "angle") for name in self.axles)
            return first, second
        assert self.parts is not None
        carrier = world.turned(self.carrier)
        first, second = (world.turned(name) - carrier for name in self.parts)
        return first, second
