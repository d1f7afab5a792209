"""Pairs of parts whose contacts are not computed: which and why, and when in a motion they would meet.

No machine is refused for contacts that never come about. Those that no model knows are left out; the motion is looked
at afterwards, as the travel of a mechanism is, and ends where such parts would be in one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.contact.pairs import in_one_another
from linkwork.model.placed import RATES, coordinate_names
from linkwork.model.solids import part_solids

if TYPE_CHECKING:
    from linkwork.collision.compare import Meeting
    from linkwork.collision.way import Way
    from linkwork.contact.solution import ContactSolution

Names = tuple[str, str]


@dataclass(frozen=True)
class LeftOut:
    """Two parts that may touch, and why it is not computed."""

    parts: Names
    why: str

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"parts": list(self.parts), "why": self.why}


def until_meeting(found: ContactSolution) -> ContactSolution:
    """A motion up to where parts would meet whose contacts are left out."""
    if not found.left_out or not len(found):
        return found
    way = way_of(found)
    first = min(_meetings(found, way), key=lambda each: each[1].stretch.begin, default=None)
    if first is None:
        return found
    (parts, why), met = first
    at = way.value(met.stretch.begin)
    if at <= float(found.times[0]):
        overlap = met.overlap(met.stretch.begin)
        raise in_one_another(parts, overlap.depth, overlap.at)
    rows = int(np.searchsorted(found.times, at))
    return replace(
        found.first_rows(rows, at),
        status="stopped",
        why=f"{parts[0]} and {parts[1]} meet in a way that is not computed, at t = {at:.6g}: {why}",
    )


def _meetings(found: ContactSolution, way: Way) -> Iterator[tuple[tuple[Names, str], Meeting]]:
    """The parts whose contacts are left out, and why, that come to lie in one another in the course of a motion."""
    from linkwork.collision.compare import Known, Parts
    from linkwork.collision.travel import STEPS

    reasons = {each.parts: each.why for each in found.left_out}
    names = {name for parts in reasons for name in parts}
    solids = {name: solid for name, solid in part_solids(found.machine).items() if name in names}
    compared = Parts.of(found.machine, solids, Known())
    for parts, why in reasons.items():
        met = compared.meeting(*parts, way, STEPS)
        if met is not None:
            yield (parts, why), met


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
