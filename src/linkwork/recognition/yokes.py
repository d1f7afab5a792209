"""Yokes on round rods: a pin in a slot drives them along their rods, about which nothing turns them.

The sides of a slot across the rods are pushed along these, wherever the pin is. Only weight or
another force beside the rods could turn the yoke, where it does not hang from them already.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np

from linkwork.recognition.captive_pins import Slots, pins_in_slots
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.telescopes import as_slides
from linkwork.solid.placement import cross, cross_length

BALANCED: Final = 0.02
"""How far the middle of a yoke may be beside the plane in which its weight pulls, as a share of its size."""


def with_driven_yokes(machinery: Machinery) -> Machinery:
    """Yokes that pins in slots drive along round rods, as slides."""
    note = "it could turn about its axis too, but what drives it in its slot pushes along the axis only"
    return as_slides(machinery, partial(_is_yoke, machinery, pins_in_slots(machinery.groups)), note)


def _is_yoke(machinery: Machinery, slots: Slots, joined: Joined) -> bool:
    groups = machinery.groups
    return any(
        group
        and _is_driven(slots, group, joined)
        and sum(group in each.groups for each in machinery.joined) == 1
        and _hangs(groups, group, joined)
        for group in joined.groups
    )


def _is_driven(slots: Slots, group: int, joined: Joined) -> bool:
    """Whether a pin of something that moves is in a slot of a group, with its sides across an axis."""
    return any(
        pin not in (0, *joined.groups) and abs(float(each.normals[0] @ joined.axis)) > 1 - PARALLEL
        for pin, each in slots.get(group, ())
    )


def _hangs(groups: Groups, group: int, joined: Joined) -> bool:
    """Whether weight and forces do not turn a group about an axis: its middle is on that, or hangs from it."""
    names = groups.names_of([group])
    pushes = [each for each in groups.pulls.pushes if each.part in names]
    ways = [np.array(way) for each in pushes for way in (each.constant, *each.ways)]
    if any(cross_length(way, joined.axis) > PARALLEL * math.hypot(*way) for way in ways):
        return False
    if groups.pulls.gravity is None:
        return True
    bodies = [groups.bodies[place] for place in groups.members[group]]
    cells = np.vstack([body.cells for body in bodies])
    away = cells[:, 3] @ cells[:, :3] / cells[:, 3].sum() - joined.point
    weight = np.array(groups.pulls.gravity)
    weight = weight - (weight @ joined.axis) * joined.axis
    near = BALANCED * max(body.size for body in bodies)
    beside = float(cross(away, weight) @ joined.axis)
    length = math.hypot(*weight)
    return abs(beside) <= near * length and float(away @ weight) >= -near * length
