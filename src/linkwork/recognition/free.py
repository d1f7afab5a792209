"""Parts that the file lets go of: what is free is held by nothing, whatever its surfaces fit."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from linkwork.recognition.body import near
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery, connected
from linkwork.recognition.welding import weld
from linkwork.recognition.wishes import CONTACT, Wishes


def with_free_parts(groups: Groups, wishes: Wishes, tolerance: float) -> Wishes:
    """The wishes, and that free parts only touch what is held without them; what hangs on them alone stays on them.

    A word that the file has for two parts counts for more.
    """
    names = {body.name for body in groups.bodies}
    free = names & {*wishes.free}
    if not free:
        return wishes
    said = {*wishes.between, *wishes.threads, *wishes.slots} - wishes.overlapping
    apart = {
        both: CONTACT
        for name in free
        for other in names
        if name != other and (both := frozenset((name, other))) not in said
    }
    held = _held(groups, replace(wishes, between={**wishes.between, **apart}), tolerance)
    kept = {both: word for both, word in apart.items() if both - free <= held}
    return replace(wishes, between={**wishes.between, **kept})


def _held(groups: Groups, wishes: Wishes, tolerance: float) -> set[str]:
    """The parts that pairs or welds hold on the frame."""
    trial = groups.standing_on(groups.bodies[0].name)
    weld(trial, wishes, tolerance)
    joined = [each.groups for each in Machinery.of(trial).joined]
    sets = connected([group for group in trial.members if group], joined)
    on_frame = {group for both in joined if 0 in both for group in both} | {0}
    held = {0}.union(*(each for each in sets if on_frame & {*each}))
    return {trial.bodies[place].name for group in held for place in trial.members[group]}


def is_kept_loose(groups: Groups, names: Collection[str], wishes: Wishes) -> bool:
    """Whether the file says of one of some parts that it is free, or that a fit of it is a contact."""
    return bool({*names} & {*wishes.free}) or any(
        _is_beside(groups, both, wishes.between) for both in wishes.between if both & {*names}
    )


def _is_beside(groups: Groups, both: frozenset[str], between: Mapping[frozenset[str], str]) -> bool:
    """Whether two parts are no farther apart than the thinner is thick, of which the file says that they only touch."""
    one, other = (body for body in groups.bodies if body.name in both)
    thinner = min(float(np.min(body.box[1] - body.box[0])) for body in (one, other))
    return between[both] == CONTACT and near(one, other, thinner)
