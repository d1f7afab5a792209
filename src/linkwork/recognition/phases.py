"""Where wheels have to stand for the teeth of all meshes to be in gaps.

A mesh of two rows of teeth lets the second go on from where it is drawn by anything within its play, or pitches more or
less, if the first stands still; where the first goes on by x of its pitches, by ``way`` x of its own pitches more. So
rows that went on by x and y pitches are clear if

    y − way x  is between ``free[0]`` and ``free[1]``, but for a whole number.

A wheel in several meshes has to suit all of them. From one wheel that stays where it is the others follow, mesh by
mesh; meshes that close a circle are then in phase or not. Of all wheels that may stay the one is taken for which the
fewest others have to be turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.recognition.neat import neat
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
    is_rack: bool = False
    """Whether the second row goes along a line."""

    @property
    def is_in(self) -> bool:
        """Whether the teeth are in gaps where they are drawn."""
        return self._is_met(0.0, 0.0)

    def other(self, group: int) -> int:
        """The group with which this one meshes."""
        return self.groups[1 - self.groups.index(group)]

    def is_met(self, gone: Mapping[int, float]) -> bool:
        """Whether the teeth are in gaps where rows have gone on."""
        first, second = (gone[group] / pitch for group, pitch in zip(self.groups, self.pitches, strict=True))
        return self._is_met(first, second)

    def _is_met(self, first: float, second: float) -> bool:
        low, high = self.free
        away = second - self.way * first - (low + high) / 2
        return abs(away - round(away)) <= (high - low) / 2

    def following(self, group: int, gone: float) -> float:
        """How far the other row goes on if this one has: nowhere if it may stay, else the least way to the middle."""
        if self.is_met({group: gone, self.other(group): 0.0}):
            return 0.0
        first, second = self.pitches
        middle = sum(self.free) / 2
        if group == self.groups[0]:
            return _fraction(middle + self.way * gone / first) * second
        return _fraction(self.way * (gone / second - middle)) * first

    def told(self, group: int, gone: float, name: str) -> str:
        """What to do for a row to have gone on."""
        place = self.groups.index(group)
        if self.is_rack and place == 1:
            return f"{name} moved by ({_entries(gone * self.axes[1])})"
        axis = self.axes[place]
        upward = np.sign(axis[int(np.argmax(np.abs(axis)))])
        return f"{name} turned by {upward * np.degrees(gone):.4g} degrees about ({_entries(upward * axis)})"


def in_phase(phases: Sequence[Phase]) -> tuple[dict[int, str], list[Phase]]:
    """What to do with which group for all teeth to be in gaps, and the meshes that are out of phase even then.

    The words have a place for the name of the part: ``{}``.
    """
    aligned = _aligned(phases)
    told: dict[int, str] = {}
    left: list[Phase] = []
    for meshes in _connected(aligned):
        if all(mesh.is_in for mesh in meshes):
            continue
        groups = dict.fromkeys(group for mesh in meshes for group in mesh.groups)
        tries = [_gone(meshes, root) for root in groups]
        gone = min(tries, key=lambda each: _cost(meshes, each))
        left += [mesh for mesh in meshes if not mesh.is_met(gone)]
        for group, far in gone.items():
            if far:
                mesh = next(each for each in meshes if group in each.groups)
                told[group] = mesh.told(group, far, "{}")
    return told, left


def _cost(meshes: Sequence[Phase], gone: Mapping[int, float]) -> tuple[int, int]:
    """How many meshes are out of phase, and how many wheels are turned."""
    return sum(not mesh.is_met(gone) for mesh in meshes), sum(far != 0 for far in gone.values())


def _gone(meshes: Sequence[Phase], root: int) -> dict[int, float]:
    """How far each group goes on if one stays where it is."""
    gone = {root: 0.0}
    waiting = [root]
    for group in waiting:
        for mesh in meshes:
            if group in mesh.groups and mesh.other(group) not in gone:
                gone[mesh.other(group)] = mesh.following(group, gone[group])
                waiting.append(mesh.other(group))
    return gone


def _aligned(phases: Sequence[Phase]) -> list[Phase]:
    """The same with one axis for each group: pitches are below 0 where a mesh knew the opposite one."""
    axes: dict[int, Floats] = {}
    found = []
    for phase in phases:
        own = [axes.setdefault(group, axis) for group, axis in zip(phase.groups, phase.axes, strict=True)]
        first, second = (
            float(pitch * np.sign(axis @ mine))
            for pitch, axis, mine in zip(phase.pitches, phase.axes, own, strict=True)
        )
        found.append(replace(phase, pitches=(first, second), axes=(own[0], own[1])))
    return found


def _connected(phases: Sequence[Phase]) -> Iterator[list[Phase]]:
    """Meshes that have groups in common, together."""
    left = [*phases]
    while left:
        groups = {*left[0].groups}
        while more := {g for each in left if groups.intersection(each.groups) for g in each.groups} - groups:
            groups |= more
        yield [each for each in left if groups.intersection(each.groups)]
        left = [each for each in left if not groups.intersection(each.groups)]


def _fraction(number: float) -> float:
    """A number less the nearest whole one."""
    return number - round(number)


def _entries(vector: Floats) -> str:
    return ", ".join(f"{neat(value):.4g}" for value in vector.tolist())
