"""The screw joint: turning moves one part along the axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import PI, Expression, Symbol, cos, sin
from linkwork.model.field import Scalar, Size, given
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.joint.relation import along, beside, parallel_axes, same_way
from linkwork.model.placed import Placed

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Screw(Pair):
    """A thread. As the cylindrical joint, and displacement = pitch·angle/2π; ``pitch`` is the rise per turn."""

    word = "screw"
    dimensions = (3,)
    measuring = 1
    pitch: Size = given(Scalar(example=2), 1, "the rise per turn")

    def unknowns(self) -> Mapping[str, float]:
        return {"angle": 0.0}

    def rough(self, world: World) -> Mapping[str, Expression]:
        """The turns, whole ones too, that belong to the height at which the parts stand."""
        return {"angle": along(*self.frames(world)) * (2 * PI) / self.pitch}

    def phi(self, a: Placed, b: Placed, angle: Symbol) -> Sequence[Expression]:
        turned = cos(angle) * (a.y @ b.x) - sin(angle) * (a.x @ b.x)
        risen = along(a, b) - self.pitch * angle / (2 * PI)
        return [*beside(a, b), *parallel_axes(a, b), risen, turned]

    def coordinates(self, a: Placed, b: Placed, angle: Symbol) -> Mapping[str, Expression | Turn]:
        return {"angle": angle, "displacement": along(a, b)}

    def ways(self, a: Placed, b: Placed, angle: Symbol) -> Sequence[Expression]:
        return [*same_way(a, b), cos(angle) * (a.x @ b.x) + sin(angle) * (a.y @ b.x)]
