"""Spindles: groups of parts that turn about one line against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkwork.recognition.joined import Joined
from linkwork.solid.placement import Floats, cross_length

PARALLEL = 1e-6
"""The largest sine of the angle between axes that are parallel."""
COAXIAL = 100.0
"""How many tolerances axes may be apart that are one."""


@dataclass(frozen=True, eq=False)
class Spindle:
    """A line, and the groups that turn about it against each other: wheels, what carries them, other wheels on it."""

    axis: Floats
    point: Floats
    groups: frozenset[int]

    def is_on(self, axis: Floats, point: Floats, tolerance: float) -> bool:
        """Whether its line is this one."""
        return (
            cross_length(self.axis, axis) <= PARALLEL
            and cross_length(point - self.point, self.axis) <= COAXIAL * tolerance
        )


def spindles(joined: Sequence[Joined], tolerance: float) -> list[Spindle]:
    """All lines about which groups turn; a group may be on several."""
    found: list[Spindle] = []
    for each in joined:
        if each.kind not in ("revolute", "cylindrical"):
            continue
        met = [
            spindle
            for spindle in found
            if spindle.groups & {*each.groups} and spindle.is_on(each.axis, each.point, tolerance)
        ]
        first = met[0] if met else Spindle(each.axis, each.point, frozenset())
        groups = frozenset(each.groups).union(*(spindle.groups for spindle in met))
        found = [spindle for spindle in found if not any(spindle is other for other in met)]
        found.append(Spindle(first.axis, first.point, groups))
    return found
