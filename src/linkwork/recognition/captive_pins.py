"""Pins that never leave their slots: those of cranks in the slots of yokes, which reach past the whole stroke.

Such a pin meets the sides of its slot, and nothing else of the part that has it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.motion import Motion, are_parallel
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import Contact
from linkwork.solid.placement import Floats, cross
from linkwork.solid.values import Inside

Slots = Mapping[int, Sequence[tuple[int, Contact]]]
"""For each group that has straight slots, the groups whose pins are in them, and these contacts."""


def pins_in_slots(groups: Groups) -> Slots:
    """The contacts of pins in straight slots, by the groups that have these."""
    found: dict[int, list[tuple[int, Contact]]] = {}
    for places, touched in groups.touching.items():
        for each in touched:
            if each.kind == "slot" and each.centre is None:
                outer, inner = places if each.inner else places[::-1]
                found.setdefault(groups.group_of(outer), []).append((groups.group_of(inner), each))
    return found


def captive_pins(groups: Groups, pin: int, turn: Motion, holder: int, slide: Motion, axis: Floats) -> Inside:
    """Which faces of a group that turns are pins in slots of one that slides, with sides along an axis, for good."""
    surfaces = groups.surfaces[pin]
    found = np.zeros(len(surfaces), dtype=bool)
    if turn.kind != "turn" or turn.axis is None or slide.kind != "slide" or slide.axis is None:
        return found
    for group, each in pins_in_slots(groups).get(holder, ()):
        if group != pin:
            continue
        assert each.axis is not None
        assert each.middle is not None
        is_driven = are_parallel(each.normals[0], slide.axis) and are_parallel(each.axis, turn.axis)
        is_along = abs(float(each.normals[0] @ axis)) < PARALLEL
        if is_driven and is_along and _reaches_past(groups, each, turn, holder):
            found |= surfaces.are_round(each.axis, each.middle, 100 * groups.tolerance)
    return found


def _reaches_past(groups: Groups, slot: Contact, turn: Motion, holder: int) -> bool:
    """Whether both sides of a slot go on as far as its pin ever gets along it."""
    assert slot.axis is not None
    assert slot.middle is not None
    assert turn.point is not None
    normal, along = slot.normals[0], cross(slot.axis, slot.normals[0])
    away = slot.middle - turn.point
    radius, centre = math.hypot(*(away - (away @ slot.axis) * slot.axis)), float(turn.point @ along)
    surfaces = groups.surfaces[holder]
    level, reach = surfaces.heights(normal), surfaces.heights(along)
    covers = (surfaces.slopes(normal) > 1 - PARALLEL) & (reach[:, 0] <= centre - radius)
    covers &= reach[:, 1] >= centre + radius
    sides = (slot.points @ normal)[:, None]
    return bool(np.all(np.any((np.abs(level[:, 0] - sides) <= 2 * groups.tolerance) & covers, axis=1)))
