"""Forks in grooves: what is held between the flanks of another part on a parallel axis goes along this axis with it.

Nothing in a gearbox pushes its shift forks but the hand that is not drawn. But a fork that reaches around the neck of a
collar, from whose groove it can neither slide nor turn away, is there for nothing else than to shift it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.recognition.freedom import ROUGH
from linkwork.recognition.groups import Touch
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.stretches import PARALLEL
from linkwork.solid.placement import Floats, cross

SLIDING: Final = ("cylindrical", "prismatic")
SAME: Final = 1e-12
"""Of the cosine: directions that differ by less are one."""


def shifted(machinery: Machinery, axis: Floats) -> dict[int, int]:
    """The groups that forks shift along an axis, and these forks: each with the other."""
    sliding = {
        group
        for each in machinery.joined
        if each.kind in SLIDING and abs(float(each.axis @ axis)) > 1 - PARALLEL
        for group in each.groups
        if group
    }
    joined = {each.groups for each in machinery.joined}
    found: dict[int, int] = {}
    if len(sliding) < 2:
        return found
    for places, touched in machinery.groups.between().items():
        if places in joined or not {*places} <= sliding:
            continue
        around = [each for each in touched if _is_of_groove(each, axis)]
        if around and any(_is_caught(machinery, group, axis, around) for group in places):
            found |= {places[0]: places[1], places[1]: places[0]}
    return found


def _is_of_groove(touch: Touch, axis: Floats) -> bool:
    """Whether a contact is that of a flank along an axis, or of what lies around a neck."""
    contact = touch[1]
    if contact.kind == "plane":
        return abs(float(contact.normals[0] @ axis)) > 1 - PARALLEL
    return contact.kind in ("slot", "shaft")


def _is_caught(machinery: Machinery, group: int, axis: Floats, around: list[Touch]) -> bool:
    """Whether contacts let a group neither shift along an axis nor turn about its own one beside that."""
    own = next((each for each in machinery.joined if _turns_about(each, group, axis)), None)
    if own is None:
        return False
    left = machinery.groups.freedom_of(around)[0].basis
    shift = np.concatenate([np.zeros(3), axis])
    turn = np.concatenate([axis, cross(own.point, axis)])
    return not any(_is_among(twist, left, machinery.groups.size) for twist in (shift, turn))


def _turns_about(joined: Joined, group: int, axis: Floats) -> bool:
    return (
        joined.kind == "cylindrical"
        and group in joined.groups
        and abs(float(joined.axis @ axis)) > 1 - PARALLEL
    )


def _is_among(twist: Floats, space: Floats, size: float) -> bool:
    """Whether a twist is one of a space."""
    if not len(space):
        return False
    scale = np.array([size, size, size, 1.0, 1.0, 1.0])
    rows, way = space * scale, twist * scale
    rest = way - np.linalg.lstsq(rows.T, way, rcond=None)[0] @ rows
    return float(np.linalg.norm(rest)) <= ROUGH * float(np.linalg.norm(way))


def without_held_turns(machinery: Machinery) -> Machinery:
    """The same machinery where forks slide, and do not turn."""
    joined = list(machinery.joined)
    along: list[tuple[Floats, dict[int, int]]] = []  # what forks shift, once for each direction
    for place, each in enumerate(joined):
        if each.kind != "cylindrical":
            continue
        forks = next((known for axis, known in along if abs(float(axis @ each.axis)) > 1 - SAME), None)
        if forks is None:
            forks = shifted(machinery, each.axis)
            along.append((each.axis, forks))
        for group in {*each.groups} & {*forks}:
            name = machinery.groups.bodies[machinery.groups.called_after(forks[group])].name
            note = f"it cannot turn, for it reaches into {name}, which goes along with it"
            joined[place] = replace(each, kind="prismatic", notes=(*each.notes, note))
    return machinery.with_joined(joined)
