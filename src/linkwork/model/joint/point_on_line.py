"""The point on a line: a pin in a slot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.joint.relation import along, beside
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class PointOnLine(Pair):
    """A point of b on the line of a: x in the plane, z in space."""

    word = "point-on-line"

    def angles(self) -> tuple[str, ...]:
        return ()

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        return beside(a, b)

    def coordinates(self, a: Placed, b: Placed) -> Mapping[str, Expression | Turn]:
        return {"displacement": along(a, b)}
