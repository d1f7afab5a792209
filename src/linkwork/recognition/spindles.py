"""Spindles: groups of parts that turn about one line against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.joined import Joined
from linkwork.solid.placement import Floats, cross, cross_length

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


def is_on_line(joined: Joined, other: Joined, tolerance: float) -> bool:
    """Whether two pairs that turn do so about one line."""
    return Spindle(other.axis, other.point, frozenset()).is_on(joined.axis, joined.point, tolerance)


def spindles(joined: Sequence[Joined], tolerance: float) -> list[Spindle]:
    """All lines about which groups turn; a group may be on several."""
    turning = [each for each in joined if each.kind in ("revolute", "cylindrical")]
    points = np.array([each.point for each in turning]).reshape(-1, 3)
    found: dict[int, Spindle] = {}  # by the number of the pair whose line it has
    for number, each in enumerate(turning):
        lines = np.fromiter(found, dtype=np.intp)
        off = np.linalg.norm(cross(points[lines] - each.point, each.axis), axis=1)
        beside = lines[off <= 2 * COAXIAL * tolerance].tolist()  # as good as all that may be on it
        met = {
            line: found.pop(line)
            for line in beside
            if found[line].groups & {*each.groups} and found[line].is_on(each.axis, each.point, tolerance)
        }
        first = next(iter(met), number)
        groups = frozenset(each.groups).union(*(spindle.groups for spindle in met.values()))
        found[first] = Spindle(turning[first].axis, turning[first].point, groups)
    return [*found.values()]
