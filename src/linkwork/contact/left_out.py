"""Pairs of parts whose contacts are not computed: which and why, and when in a motion they would meet.

No machine is refused for contacts that never come about. Those that no model knows are left out; the motion is looked
at afterwards, as the travel of a mechanism is, and ends where such parts would be in one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.contact.pairs import in_one_another
from linkwork.model.placed import RATES, coordinate_names
from linkwork.model.solids import part_solids

if TYPE_CHECKING:
    from linkwork.collision.compare import Clash
    from linkwork.collision.way import Way
    from linkwork.contact.solution import ContactSolution


@dataclass(frozen=True)
class LeftOut:
    """Two parts that may touch, and why it is not computed."""

    parts: tuple[str, str]
    why: str

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"parts": list(self.parts), "why": self.why}


def until_meeting(found: ContactSolution) -> ContactSolution:
    """A motion up to where parts would meet whose contacts are left out."""
    first = _first_clash(found, found.left_out) if found.left_out and len(found) else None
    if first is None:
        return found
    one, other = first.parts
    (why,) = {each.why for each in found.left_out if {*each.parts} == {one, other}}
    if first.at <= float(found.times[0]):
        raise in_one_another(first.parts, first.depth, first.point)
    rows = int(np.searchsorted(found.times, first.at))
    return replace(
        found.first_rows(rows, first.at),
        status="stopped",
        why=f"{one} and {other} meet in a way that is not computed, at t = {first.at:.6g}: {why}",
    )


def _first_clash(found: ContactSolution, pairs: Sequence[LeftOut]) -> Clash | None:
    """The first two parts of these that are in one another in the course of a motion."""
    from linkwork.collision.compare import Known, Parts
    from linkwork.collision.travel import STEPS

    names = {name for each in pairs for name in each.parts}
    solids = {name: solid for name, solid in part_solids(found.machine).items() if name in names}
    way = way_of(found)
    parts = Parts.of(found.machine, solids, Known())
    clashes = (parts.clash(*each, way, STEPS) for each in dict.fromkeys(each.parts for each in pairs))
    return min((each for each in clashes if each is not None), key=lambda each: each.at, default=None)


def way_of(found: ContactSolution) -> Way:
    """The rows of a motion as a way that is driven by time."""
    from linkwork.collision.way import Way, tracks_of

    machine, columns = found.machine, found.columns
    own = coordinate_names(machine.dimension)
    poses, rates = (
        np.array([[columns[f"{part}.{word}"] for word in words] for part in machine.moving])
        for words in (own, [RATES[word] for word in own])
    )
    steps = np.gradient(found.times) if len(found) > 1 else np.zeros(len(found))
    by_row = np.moveaxis(rates, 2, 0) * steps[:, None, None]
    tracks = tracks_of(machine, np.moveaxis(poses, 2, 0), by_row)
    return Way("time", found.times, tracks, "complete", False)
