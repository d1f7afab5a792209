"""Springs and dampers along a slide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression
from linkwork.errors import LinkworkError
from linkwork.model.field import Scalar, Size, Text, given
from linkwork.model.force.base import Force, Load, force_type, no_moment
from linkwork.model.joint import Pair

if TYPE_CHECKING:
    from linkwork.model.world import World


@force_type
@dataclass(frozen=True)
class SlideSpring(Force):
    """A spring, a damper or both along a joint that slides: the force on its second part is
    −stiffness·(displacement − rest) − damping·(its rate), and the opposite on its first.
    """

    word = "slide-spring"
    joint: str = given(Text("a joint with a displacement", "A"))
    stiffness: Size = given(Scalar(example=3), 0, "force per length")
    rest: Size = given(Scalar(example=0.1), 0, "the displacement without force")
    damping: Size = given(Scalar(example=0.1), 0, "force per speed")

    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    def energy(self, world: World) -> Expression:
        return self.stiffness * (world.coordinate(self.joint, "displacement") - self.rest) ** 2 / 2

    def loads(self, world: World) -> Sequence[Load]:
        joint = world.machine.joints[self.joint]
        if not isinstance(joint, Pair) or "displacement" not in world.measured(self.joint):
            raise LinkworkError(
                f"the joint {self.joint} has no displacement for a spring along it",
                wanted="a prismatic or another joint that slides",
            )
        displacement = world.coordinate(self.joint, "displacement")
        push = -self.stiffness * (displacement - self.rest) - self.damping * world.rate(displacement)
        first, second = joint.frames(world)
        force = (first.x if world.dimension == 2 else first.z) * push
        none = no_moment(world.dimension)
        # Each at a point of its own part, both on the line of sliding: what a force does is its work on that point.
        return [Load(first.part, first.origin, -force, none), Load(second.part, second.origin, force, none)]
