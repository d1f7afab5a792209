"""Torques: on a part, or between the parts of a joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, number
from linkwork.errors import LinkworkError
from linkwork.model.field import (
    STATE,
    Formula,
    OneOrMore,
    OrFormula,
    Scalar,
    Size,
    Sizes,
    Text,
    given,
    is_formula,
)
from linkwork.model.force.base import Carrier, Force, Load, force_type
from linkwork.model.joint import Pair
from linkwork.model.vector import Vector

if TYPE_CHECKING:
    from linkwork.model.world import World


@force_type
@dataclass(frozen=True)
class Torque(Force):
    """A torque on a part or frame: a number in the plane, a vector of the world in space, or a formula for it."""

    word = "torque"
    on: str = given(Text("a part or frame", "crank"))
    torque: Sizes = given(
        OrFormula(
            OneOrMore(Scalar(STATE), 1, 3, "a number, in space a list of three", (5,)),
            "a formula",
            is_formula,
        )
    )

    def references(self) -> tuple[str, ...]:
        return (self.on,)

    def carried(self, by: Carrier) -> Torque:
        torque = self.torque if isinstance(self.torque, Formula) else by.moment(self.torque)
        return replace(self, on=by.reference(self.on), torque=torque)

    def loads(self, world: World) -> Sequence[Load]:
        frame = world.frame(self.on)
        torque = Vector(self.torque)
        if isinstance(self.torque, Formula):
            value = world.vocabulary.value(self.torque.text)
            torque = value if isinstance(value, Vector) else Vector((value,))
        if (
            world.machine.is_unjoined and len(torque) == 1
        ):  # it counts about the axis of the plane that is found
            torque = Vector((*[number(0)] * (0 if world.dimension == 2 else 2), *torque))
        if len(torque) != (1 if world.dimension == 2 else 3):
            raise LinkworkError(
                "a torque has one entry in the plane and three in space",
                got=f"{len(torque)}",
                fix="torque = 5" if world.dimension == 2 else "torque = [0, 0, 5]",
            )
        return [Load(frame.part, frame.origin, Vector.zero(world.dimension), torque)]


@force_type
@dataclass(frozen=True)
class TorsionSpring(Force):
    """A spring, a damper or both about a joint: the torque on its second part is −stiffness·(angle − rest)
    − damping·(its rate), and the opposite on its first.
    """

    word = "torsion-spring"
    joint: str = given(Text("a joint with an angle", "A"))
    stiffness: Size = given(Scalar(example=3), 0, "torque per angle")
    rest: Size = given(Scalar(example="10 deg"), 0, "the angle without torque")
    damping: Size = given(Scalar(example=0.1), 0, "torque per angular speed")

    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    def energy(self, world: World) -> Expression:
        return self.stiffness * (world.coordinate(self.joint, "angle") - self.rest) ** 2 / 2

    def loads(self, world: World) -> Sequence[Load]:
        joint = world.machine.joints[self.joint]
        if not isinstance(joint, Pair) or "angle" not in world.measured(self.joint):
            raise LinkworkError(
                f"the joint {self.joint} has no angle for a torsion spring",
                wanted="a revolute or another joint that turns",
            )
        angle = world.coordinate(self.joint, "angle")
        torque = -self.stiffness * (angle - self.rest) - self.damping * world.rate(angle)
        first, second = joint.frames(world)
        moment = Vector((torque,)) if world.dimension == 2 else first.z * torque
        zero = Vector.zero(world.dimension)
        return [
            Load(first.part, first.origin, zero, -moment),
            Load(second.part, second.origin, zero, moment),
        ]
