"""Rolling without slip: a wheel on a line or on another wheel, in the plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra import Expression, Symbol, atan2, cos, sin
from linkwork.model.field import Scalar, Size, given
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.placed import Placed

if TYPE_CHECKING:
    from linkwork.model.world import World


@joint_type
@dataclass(frozen=True)
class Rolling(Pair):
    """A wheel with its centre at b rolls on a.

    On the line through a along x (wheel on its y side): φ = (y − r, x + r·θ − phase), with (x, y) the centre
    seen from a and θ the turn of b against a. On a circle of radius R about a (negative: inside it), the
    centre stands at the angle ψ of its own: φ = (x − (R+r)·cos ψ, y − (R+r)·sin ψ, R·ψ − r·(θ−ψ) − phase).
    """

    word = "rolling"
    dimensions = (2,)
    radius: Size = given(Scalar(example=1), 1, "the wheel's radius r")
    on: Size | None = given(Scalar(example=3), None, "the radius R of the circle it rolls on")
    phase: Size = given(Scalar(), 0, "a length by which the contact is shifted")

    def unknowns(self) -> Mapping[str, float]:
        return {} if self.on is None else {"direction": 0.0}

    def rough(self, world: World) -> Mapping[str, Expression]:
        """The direction in which the wheel's centre stands; inside a circle, as for a wheel outside."""
        a, b = self.frames(world)
        place = a.local(b.origin)
        return {"direction": atan2(place.y, place.x)}

    def angles(self) -> tuple[str, ...]:
        return ("direction", "angle")

    def phi(self, a: Placed, b: Placed, direction: Symbol | None = None) -> Sequence[Expression]:
        place, turn, r = a.local(b.origin), b.turn - a.turn, self.radius
        if self.on is None or direction is None:
            return [place.y - r, place.x + r * turn - self.phase]
        reach = self.on + r
        return [
            place.x - reach * cos(direction),
            place.y - reach * sin(direction),
            self.on * direction - r * (turn - direction) - self.phase,
        ]

    def coordinates(
        self, a: Placed, b: Placed, direction: Symbol | None = None
    ) -> Mapping[str, Expression | Turn]:
        turned = {"angle": b.turn - a.turn}
        return turned if direction is None else {**turned, "direction": direction}
