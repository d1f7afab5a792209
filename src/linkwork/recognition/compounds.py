"""Compound wheels: gears that sit on one arbor, each of which would turn by itself as far as their fits tell.

Where gears fit their arbor no worse than this fits its bearings, no fit tells if they turn on it or with it. A train is
drawn to pass a motion on: so they go with the arbor, all of them, unless that locked gears in mesh, as those of a
motion work or of a planetary gear. What has a pair of its own besides, as a wheel that carries a pawl, turns by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery, connected
from linkwork.recognition.mesh import Mesh
from linkwork.recognition.spindles import is_on_line
from linkwork.recognition.subsystems import STILL, rates_of
from linkwork.recognition.unseen import TURNING, gap_of, is_bearing
from linkwork.solid.placement import Floats

Fixed = Mapping[frozenset[str], str]
"""Pairs of parts that are one, and why."""


@dataclass(frozen=True, eq=False)
class _Arbor:
    """A part on which gears sit, these parts, and the groups that turn alike if they go with it."""

    part: int
    wheels: tuple[int, ...]
    alike: tuple[int, ...]

    def ties(self, mesh: Mesh) -> list[Mesh]:
        """That they turn alike, as gears of the ratio 1 do."""
        first = self.alike[0]
        return [replace(mesh, kind="gear", groups=(first, other), ratio=1.0) for other in self.alike[1:]]


def compounds(machinery: Machinery, found: Sequence[Mesh], seen: Collection[str], tolerance: float) -> Fixed:
    """The gears that are one with their arbors, each with its arbor and why, where that locks none of them."""
    joined: dict[frozenset[str], str] = {}
    accepted: list[Mesh] = []
    for arbor in _arbors(machinery, found, seen, tolerance):
        ties = arbor.ties(replace(found[0], carrier=0))
        if not _go_on(machinery, found, accepted, ties):
            continue
        accepted += ties
        name, *wheels = (machinery.groups.bodies[place].name for place in (arbor.part, *arbor.wheels))
        for wheel in wheels:
            joined[frozenset((name, wheel))] = (
                f"{wheel} is a gear on {name}, which turns as easily as {wheel} on it: a train passes its motion on"
            )
    return joined


def _arbors(
    machinery: Machinery, found: Sequence[Mesh], seen: Collection[str], tolerance: float
) -> Iterator[_Arbor]:
    groups = machinery.groups
    meshing = {group for mesh in found for group in mesh.groups}
    sitting: dict[int, list[tuple[int, Joined]]] = {}
    for joined in machinery.joined:
        for side, group in enumerate(joined.groups):
            pairs = [each for each in machinery.joined if group in each.groups]
            is_alone = len(pairs) == 1 and not {*groups.names_of([group])} & {*seen}
            if group in meshing and is_alone and joined.kind in TURNING:
                sitting.setdefault(joined.parts[1 - side], []).append((side, joined))
    for part, fits in sitting.items():
        holder = groups.group_of(part)
        play = _play(machinery, part, fits[0][1], tolerance)
        if play is None or any(gap_of(each) > play + tolerance for _, each in fits):
            continue
        own = [each.groups[side] for side, each in fits]
        alike = own if holder == 0 else [holder, *own]
        if len(alike) > 1:
            yield _Arbor(part, tuple(each.parts[side] for side, each in fits), tuple(alike))


def _play(machinery: Machinery, part: int, fit: Joined, tolerance: float) -> float | None:
    """The play of an arbor in its bearings, or in the parts of the frame that it goes through; None without such."""
    groups = machinery.groups
    holder = groups.group_of(part)
    if holder:
        bearings = [
            gap_of(each)
            for each in machinery.joined
            if holder in each.groups
            and each is not fit
            and each.kind in TURNING
            and is_on_line(each, fit, tolerance)
            and is_bearing(machinery, each, holder)
        ]
    else:
        bearings = list(_fits_in_frame(groups, part))
    return max(bearings, default=None)


def _fits_in_frame(groups: Groups, part: int) -> Iterator[float]:
    for (a, b), touched in groups.touching.items():
        if part in (a, b) and groups.group_of(a) == groups.group_of(b) == 0:
            yield from (
                each.gap
                for each in touched
                if each.kind == "shaft" and each.inner is not None and (a, b)[each.inner] == part
            )


def _go_on(
    machinery: Machinery, found: Sequence[Mesh], accepted: Sequence[Mesh], ties: Sequence[Mesh]
) -> bool:
    """Whether all gears in mesh still turn that did, and each tie takes one motion away."""
    pairs = [each.groups for each in machinery.joined]
    pairs += [mesh.groups for mesh in (*found, *accepted, *ties)]
    own = {group for tie in ties for group in tie.groups}
    every = [group for group in machinery.groups.members if group]
    members = [group for each in connected(every, pairs) for group in each if own & {*each}]
    part = machinery.only(members)
    inside = {0, *members}
    meshing = [mesh for mesh in found if {*mesh.groups} <= inside]
    known = [tie for tie in accepted if {*tie.groups} <= inside]
    before = rates_of(part, [*meshing, *known])
    after = rates_of(part, [*meshing, *known, *ties])
    return len(after) == len(before) - len(ties) and all(
        _turns(part, mesh, after) for mesh in meshing if _turns(part, mesh, before)
    )


def _turns(machinery: Machinery, mesh: Mesh, rates: Floats) -> bool:
    """Whether the first of two gears turns against what carries both."""
    if not len(rates):
        return False
    every = rates.reshape(len(rates), rates.shape[1] // 6, 6)[..., :3]
    every = np.concatenate([np.zeros((len(rates), 1, 3)), every], axis=1)
    own, carrier = (
        machinery.numbers[group] for group in (mesh.groups[0], machinery.groups.group_of(mesh.carrier))
    )
    return bool(np.abs((every[:, own] - every[:, carrier]) @ mesh.axis).max() > STILL)
