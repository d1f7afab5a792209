"""Which pairs of parts of a found machine may touch; that they are in one another, and the forces between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from linkwork.errors import NoAnswer
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.part import GROUND

if TYPE_CHECKING:
    from linkwork.recognition.finding import Recognition


@dataclass(frozen=True)
class PlacedPair:
    """Two parts that may touch, by the places of what may touch of each among all of that kind."""

    parts: tuple[str, str]
    places: tuple[int, int]


P = TypeVar("P", bound=PlacedPair)


def of_island(pairs: Sequence[P], parts: Sequence[str]) -> tuple[tuple[P, ...], list[int]]:
    """The pairs of some of the moving parts and the ground, placed among what is left of all; and what that is."""
    kept = {*parts, GROUND}
    own = [pair for pair in pairs if {*pair.parts} <= kept]
    used = sorted({place for pair in own for place in pair.places})
    moved = (replace(pair, places=(used.index(pair.places[0]), used.index(pair.places[1]))) for pair in own)
    return tuple(moved), used


def in_one_another(parts: tuple[str, str], depth: float, point: Iterable[float]) -> NoAnswer:
    """That a motion cannot begin where two parts overlap: which, how deep and where."""
    return NoAnswer(
        f"{parts[0]} and {parts[1]} are in one another at the start",
        got=f"an overlap {depth:.4g} deep at ({', '.join(f'{each:.4g}' for each in point)})",
        wanted="parts that do not overlap",
        fix="choose another start",
    )


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


def grouped(parts: Sequence[str], links: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Parts in groups that hang together by links, in their order.

    >>> grouped(["a", "b", "c"], [["c", "a"]])
    [('a', 'c'), ('b',)]
    """
    home = {part: {part} for part in parts}
    for link in links:
        for part in link[1:]:
            if home[part] is not home[link[0]]:
                merged = home[link[0]] | home[part]
                home |= dict.fromkeys(merged, merged)
    order = list(parts)
    groups = {min(map(order.index, group)): group for group in home.values()}
    return [tuple(sorted(groups[place], key=order.index)) for place in sorted(groups)]


def force_columns(pairs: Sequence[tuple[str, str]], touches: Matrix, dimension: int) -> dict[str, Matrix]:
    """The force between each two parts that may touch, in each row: the size of the sum."""
    sums: dict[tuple[str, str], Matrix] = {}
    for place, parts in enumerate(pairs):
        own = np.where(touches[:, :, 0] == place, 1.0, 0.0)
        total = np.einsum("rt,rtk->rk", own, touches[:, :, 1 + dimension :])
        sums[parts] = sums.get(parts, 0.0) + total
    return {f"{one}.on.{other}": np.linalg.norm(total, axis=1) for (one, other), total in sums.items()}
