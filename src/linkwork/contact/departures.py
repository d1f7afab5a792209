"""Parts that leave the machine: far from all others in the end, and going farther."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from linkwork.contact.left_out import way_of
from linkwork.contact.pairs import moving_parts
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.solid.placement import Floats

if TYPE_CHECKING:
    from linkwork.contact.solution import ContactSolution

FAR: Final = 10
"""Sizes of the machine, as drawn, from which on a part is no longer with it."""
BESIDE: Final = 1
"""And from which on there is nothing more to be seen of it."""


@dataclass(frozen=True)
class Departure:
    """Parts that are far away from a row on, and do not come back in any later one."""

    parts: tuple[str, ...]
    time: float

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"parts": list(self.parts), "t": self.time}

    def __str__(self) -> str:
        verb = "leaves" if len(self.parts) == 1 else "leave"
        return f"{' and '.join(self.parts)} {verb} the machine, far from it at t = {self.time:.6g}"


def departures(found: ContactSolution) -> list[Departure]:
    """The parts that nothing joins to the ground and that have left it and all others."""
    return [Departure(group, float(found.times[row])) for group, row in _left(found, FAR).items()]


def rows_with_the_machine(found: ContactSolution) -> int:
    """How many rows there are before all that moves has left for good: all, unless everything does."""
    left = _left(found, BESIDE)
    is_empty = {part for group in left for part in group} == {*found.machine.moving}
    return max(left.values()) + 1 if left and is_empty and departures(found) else len(found)


def _left(found: ContactSolution, sizes: float) -> dict[tuple[str, ...], int]:
    """Groups that are farther away than so many sizes of the machine from a row on, and go on; and the row."""
    groups = _joined_groups(found)
    loose = [group for group in groups if GROUND not in group]
    if not loose or len(found) < 2:
        return {}
    solids = part_solids(found.machine)
    middles = {name: np.mean(solid.box, axis=0) for name, solid in solids.items()}
    boxes = np.array([solid.box for solid in solids.values()])
    size = float(np.linalg.norm(boxes.max(axis=(0, 1)) - boxes.min(axis=(0, 1))))
    tracks = way_of(found).tracks

    def place(name: str, row: int) -> Floats:
        return np.asarray(tracks[name].placement(float(row)).point(middles[name]))

    def distance(group: Iterable[str], row: int) -> float:
        own = [place(name, row) for name in group if name in middles]
        others = [place(name, row) for name in middles if name not in group]
        return min((float(np.linalg.norm(one - other)) for one in own for other in others), default=0.0)

    left = {}
    last = len(found) - 1
    for group in loose:
        row = last
        if distance(group, last) <= distance(group, last - 1):
            continue
        while row >= 0 and distance(group, row) > sizes * size:
            row -= 1
        if row < last:
            left[group] = row + 1
    return left


def _joined_groups(found: ContactSolution) -> list[tuple[str, ...]]:
    """The parts, with the ground, in groups that joints hold together."""
    home = {name: {name} for name in (GROUND, *found.machine.moving)}
    for joint in found.machine.joints.values():
        references = joint.references()
        parts = moving_parts(found.machine, references)
        held = parts if len(parts) == len(references) else [*parts, GROUND]
        merged = set().union(*(home[name] for name in held))
        home |= dict.fromkeys(merged, merged)
    order = list(home)
    return list(dict.fromkeys(tuple(sorted(group, key=order.index)) for group in home.values()))
