"""Where pawls are in the root's frame, in floating point: each on its carrier, turned by its own hinge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from linkwork.fasten.design import Pawl


class Placed(NamedTuple):
    """A pawl, where its hinge is, and its angle in the root's frame."""

    pawl: Pawl
    x: float
    y: float
    angle: float

    @property
    def corners(self) -> list[tuple[float, float]]:
        """Its polygon there."""
        return [self.at(float(x), float(y)) for x, y in self.pawl.poly]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the pawl's frame."""
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        return self.x + x * cosine - y * sine, self.y + x * sine + y * cosine


def placed_pawls(
    pawls: Iterable[Pawl], angles: Mapping[str, float], carrier: Placed | None = None
) -> Iterator[Placed]:
    """Pawls and all that they carry, carriers first, with their hinges at these angles."""
    for pawl in pawls:
        x, y = map(float, pawl.hinge)
        if carrier is not None:
            x, y = carrier.at(x, y)
        found = Placed(pawl, x, y, angles[pawl.name] + (carrier.angle if carrier else 0.0))
        yield found
        yield from placed_pawls(pawl.pawls, angles, found)


def reach_of(pawl: Pawl) -> float:
    """How far a pawl and what it carries can reach from its hinge."""
    corners = (math.hypot(*map(float, corner)) for corner in pawl.poly)
    carried = (math.hypot(*map(float, child.hinge)) + reach_of(child) for child in pawl.pawls)
    return max(*corners, *carried)
