"""Tubes in one another: round parts of which nobody sees the turn, drawn so that they can be drawn out.

A shaft goes through its bearing, or ends close to the bottom of its hole; a plunger or the stage of a telescope ends in
the midst of a hole that goes on. Where neither gravity nor a force tells that it slides, that does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.touch import ANGLES, Contact, largest_gap
from linkwork.solid.placement import Floats

TUBE = 2.0
"""How wide a tube is at most, as a multiple of its hole: wheels are wider."""
LOOKS = 4
"""At how many places beyond the end of a shaft its hole is looked at."""


def with_telescopes(machinery: Machinery, tolerance: float) -> Machinery:
    """Round parts that slide in holes with room before their ends, as slides."""
    note = "it could turn about its axis too, but it is round; its hole has room for it to slide"
    return as_slides(machinery, partial(is_telescope, machinery, tolerance), note)


def without_idle_turns(machinery: Machinery, tolerance: float) -> Machinery:
    """Take away the turn of a round bar that slides in a hole: nothing can turn it, and nobody would see it."""
    note = "it could turn about its axis too, but it is round, and nothing turns it"
    return as_slides(machinery, partial(_is_round_bar, machinery, tolerance), note)


def as_slides(machinery: Machinery, turns_unseen: Callable[[Joined], bool], note: str) -> Machinery:
    """The same machinery with some of the pairs that turn and slide as slides, and what is said of them."""
    found = [
        replace(joined, kind="prismatic", notes=(*joined.notes, note))
        if joined.kind == "cylindrical" and turns_unseen(joined)
        else joined
        for joined in machinery.joined
    ]
    return machinery.with_joined(found)


def _is_round_bar(machinery: Machinery, tolerance: float, joined: Joined) -> bool:
    """Whether what is inside is round, and joined to nothing else."""
    inner = next((each.inner for each in joined.contacts if each.inner is not None), None)
    group = joined.groups[0 if inner is None else inner]
    return (
        inner is not None
        and group != 0
        and sum(group in each.groups for each in machinery.joined) == 1
        and is_round(machinery.groups, group, joined, tolerance)
    )


def is_telescope(machinery: Machinery, tolerance: float, joined: Joined) -> bool:
    """Whether a round part ends in a hole that goes on, and nobody sees it turn there."""
    shafts = [
        each for each in joined.contacts if each.kind == "shaft" and each.inner == joined.contacts[0].inner
    ]
    if not shafts or shafts[0].inner is None:
        return False
    groups, shaft = machinery.groups, shafts[0]
    inner, outer = joined.groups[shafts[0].inner], joined.groups[1 - shafts[0].inner]
    ends = max(_ends_with_room(groups, inner, groups.members[outer], each) for each in shafts)
    width = shaft.radius + shaft.gap / 2 + tolerance
    if not ends or not is_round(groups, inner, joined, tolerance, width):
        return False
    own = [each for each in machinery.joined if inner and inner in each.groups]
    if ends == 2 and len(own) == 1:  # all of it is in its hole
        return True
    both = own + [each for each in machinery.joined if outer and outer in each.groups]
    moving = {group for each in both for group in each.groups if group}
    widest = groups.surfaces[outer].distances(joined.axis, joined.point)[:, 1].max()
    is_tube = outer == 0 or widest <= TUBE * shaft.radius
    return bool(is_tube) and all(
        is_round(groups, group, joined, tolerance, width if group == inner else 0.0) for group in moving
    )


def is_round(groups: Groups, group: int, joined: Joined, tolerance: float, ribbed: float = 0.0) -> bool:
    """Whether all parts of a group are round about the axis of a pair; up to a distance from it they may have ribs."""
    bodies = [groups.bodies[place] for place in groups.members[group]]
    return all(body.is_round(joined.axis, joined.point, tolerance, ribbed) for body in bodies)


def _ends_with_room(groups: Groups, inner: int, holders: Sequence[int], shaft: Contact) -> int:
    """How many ends of a group lie in a hole of some parts that goes on beyond them by its radius."""
    assert shaft.axis is not None
    assert shaft.middle is not None
    axis, middle = shaft.axis, shaft.middle
    radius = shaft.radius + shaft.gap / 2
    side = np.eye(3)[int(np.argmin(np.abs(axis)))]
    zero = side - (side @ axis) * axis
    zero = zero / math.hypot(*zero)
    turns = (np.arange(ANGLES) + 0.5) * (2 * math.pi / ANGLES)
    radial = np.outer(np.cos(turns), zero) + np.outer(np.sin(turns), np.cross(axis, zero))
    heights = groups.surfaces[inner].heights(axis)
    steps = radius * (np.arange(LOOKS) + 0.5) / LOOKS
    ends = float(heights[:, 1].max()) + steps, float(heights[:, 0].min()) - steps
    return sum(
        _is_hole(groups, holders, middle + np.outer(end - middle @ axis, axis), radius * radial)
        for end in ends
    )


def _is_hole(groups: Groups, holders: Sequence[int], centres: Floats, radial: Floats) -> bool:
    """Whether walls of some parts are around all of some points."""
    points = (centres[:, None] + radial).reshape(-1, 3)
    inward = -np.tile(radial / math.hypot(*radial[0]), (len(centres), 1))
    walls = np.any([groups.bodies[place].bounded(points, inward) for place in holders], axis=0)
    rows = walls.reshape(len(centres), ANGLES)
    return all(bool(row.any()) and largest_gap(row) < ANGLES // 2 for row in rows)
