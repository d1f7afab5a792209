"""Which pairs of parts of a found machine may touch, and the forces between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.part import GROUND

if TYPE_CHECKING:
    from linkwork.recognition.finding import Recognition


def group_of_parts(found: Recognition) -> dict[str, str]:
    """The part of the found machine that each given part belongs to."""
    return {
        member: members[0] if place else GROUND
        for place, members in enumerate(found.groups)
        for member in members
    }


def pairs_that_touch(found: Recognition, names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of parts that may touch, each in the order of names; what meshes as a gear does not touch."""
    group_of = group_of_parts(found)
    meshed = {
        frozenset(group_of[part] for part in pair.parts)
        for pair in found.pairs
        if pair.kind in ("gear", "rack")
    }
    pairs: dict[tuple[str, str], None] = {}
    for each in found.interactions:
        one, other = sorted((group_of[part] for part in each.parts), key=names.index)
        if frozenset((one, other)) not in meshed:
            pairs[one, other] = None
    return list(pairs)


def moving_parts(machine: Machine, references: Iterable[str]) -> list[str]:
    """The moving parts that points, frames and parts belong to."""
    found = []
    for reference in references:
        name = reference.partition(".")[0]
        if name in machine.frames:
            name = machine.frames[name].on
        if name in machine.moving:
            found.append(name)
    return found


def force_columns(pairs: Sequence[tuple[str, str]], touches: Matrix, dimension: int) -> dict[str, Matrix]:
    """The force between each two parts that may touch, in each row: the size of the sum."""
    sums: dict[tuple[str, str], Matrix] = {}
    for place, parts in enumerate(pairs):
        own = np.where(touches[:, :, 0] == place, 1.0, 0.0)
        total = np.einsum("rt,rtk->rk", own, touches[:, :, 1 + dimension :])
        sums[parts] = sums.get(parts, 0.0) + total
    return {f"{one}.on.{other}": np.linalg.norm(total, axis=1) for (one, other), total in sums.items()}
