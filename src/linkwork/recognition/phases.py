"""Where wheels have to stand for the teeth of all meshes to be in gaps.

A mesh of two rows of teeth lets the second go on from where it is drawn by anything within its play, or pitches more or
less, if the first stands still; where the first goes on by x of its pitches, by ``way`` x of its own pitches more. So
for rows that went on by x and y pitches

    y − way x  is within  (low, high)  but for a whole number.

A wheel in several meshes has to suit all of them. From one wheel that stays where it is the others follow, mesh by mesh;
meshes that close a circle are then in phase or not. Of all wheels that may stay the one is taken for which the fewest
others have to be turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkwork.solid.placement import Floats


@dataclass(frozen=True, eq=False)
class Phase:
    """How two rows of teeth may stand to one another."""

    groups: tuple[int, int]
    parts: tuple[int, int]
    pitches: tuple[float, float]
    """In radians, or a length for a rack."""
    axes: tuple[Floats, Floats]
    """About or along which the rows go on."""
    way: int
    free: tuple[float, float]

    def following(self, group: int, gone: float) -> float:
        """How far the other row goes on to stand in the middle, the least that does, if this one has gone on so far."""
        first, second = self.pitches
        middle = sum(self.free) / 2
        if group == self.groups[0]:
            return self._least(middle + self.way * gone / first, self.way * gone / first) * second
        return self._least(self.way * (gone / second - middle), self.way * gone / second) * first

    def _least(self, to_middle: float, in_step: float) -> float:
        """In pitches: nothing if that will do, else the way to the middle less whole ones."""
        del in_step
        return to_middle - round(to_middle)

    def is_met(self, gone: Mapping[int, float]) -> bool:
        """Whether the teeth are in gaps."""
        first, second = (gone[group] / pitch for group, pitch in zip(self.groups, self.pitches, strict=True))
        low, high = self.free
        away = second - self.way * first - (low + high) / 2
        return abs(away - round(away)) <= (high - low) / 2
