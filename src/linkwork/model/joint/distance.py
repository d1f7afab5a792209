"""The distance: a rod with a ball or a pin at either end, or a leg whose length is driven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkwork.algebra import Expression, sqrt
from linkwork.model.field import Scalar, Size, given
from linkwork.model.joint.base import Pair, Turn, joint_type
from linkwork.model.placed import Placed


@joint_type
@dataclass(frozen=True)
class Distance(Pair):
    """A rod. φ = (|r_b − r_a|² − length²)/(2·length), in units of length; without a length the leg is free."""

    word = "distance"
    length: Size | None = given(Scalar(example=5), None, "how far apart")

    def angles(self) -> tuple[str, ...]:
        return ()

    def phi(self, a: Placed, b: Placed) -> Sequence[Expression]:
        if self.length is None:
            return []
        return [((b.origin - a.origin).squared / self.length - self.length) / 2]

    def coordinates(self, a: Placed, b: Placed) -> Mapping[str, Expression | Turn]:
        return {"length": sqrt((b.origin - a.origin).squared)}
