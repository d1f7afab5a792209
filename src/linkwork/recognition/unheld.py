"""Parts that nothing holds, in whose holes there are pins that are looser than a fit, or the other way round.

A hole of 3.4 millimetres is what people print for a pin of 3. Beside other fits such a pin says nothing: shafts may run
through wide holes. But where it is all that a part has, the part turns about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from linkwork.recognition.body import near
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery, connected
from linkwork.recognition.touch import CLEARANCE, ROLLING, Contact, shafts

LOOSE: Final = 2 * CLEARANCE
"""How loose such a pin may be, as a part of the width of its hole."""


def hold_loosely(groups: Groups) -> None:
    """Let loose pins hold the parts that nothing else holds, those nearest to the frame first."""
    while True:
        unheld = _unheld(groups)
        found = {
            places: contacts
            for places in _between(groups, unheld)
            if (contacts := _loose_shafts(groups, *places))
        }
        if not found:
            return
        for places, contacts in found.items():
            groups.touching[places] = [*groups.touching.get(places, ()), *contacts]
        groups.touching = dict(sorted(groups.touching.items()))


def _unheld(groups: Groups) -> set[int]:
    """The groups that no pairs join to the frame."""
    joined = [each.groups for each in Machinery.of(groups).joined]
    on_frame = {sum(places) for places in joined if 0 in places}
    sets = connected([*groups.members], joined)
    rolling = {place for places, every in groups.touching.items() if _are_rolling(every) for place in places}
    loose = {group for each in sets if not on_frame & {*each} for group in each if group}
    return {group for group in loose if not rolling & {*groups.members[group]}}


def _are_rolling(contacts: Sequence[Contact]) -> bool:
    """Whether balls or rollers are between parts: then it is for these to hold them."""
    return any(each.kind in ROLLING for each in contacts)


def _between(groups: Groups, unheld: set[int]) -> list[tuple[int, int]]:
    """Parts of groups that nothing holds, each with those that something holds, and no pair that is known."""
    return [
        (min(part, other), max(part, other))
        for group in sorted(unheld)
        for part in groups.members[group]
        for other in range(len(groups.bodies))
        if groups.group_of(other) not in unheld
        and (min(part, other), max(part, other)) not in groups.apart
        and near(groups.bodies[part], groups.bodies[other], groups.tolerance)
    ]


def _loose_shafts(groups: Groups, first: int, second: int) -> list[Contact]:
    """The pins of either part that are all around in holes of the other, looser than a fit."""
    a, b = groups.bodies[first], groups.bodies[second]
    every = [*shafts(a, b, groups.tolerance, 0.0, LOOSE)]
    every += [each.flipped() for each in shafts(b, a, groups.tolerance, 0.0, LOOSE)]
    known = groups.touching.get((first, second), [])
    return [
        each
        for each in every
        if each.is_closed and not any(each.gap == other.gap and each.kind == other.kind for other in known)
    ]
