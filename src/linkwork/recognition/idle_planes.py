"""Parts between two side faces that a pin in a slot, or a block on such a pin, moves in the plane across this pin.

The yoke of a crank between two rails may leave the plane of the crank, as far as its faces tell, and lean out of it.
But a pin that reaches through its slot, or a block in this, keeps it from leaning; and where nothing ever pushes it
along the pin it slides between its rails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from linkwork.recognition.drawn_axes import upwards
from linkwork.recognition.idle import Excited
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.mobility import floating
from linkwork.recognition.motion import Motions
from linkwork.recognition.stretches import PARALLEL
from linkwork.solid.placement import Floats, cross

ASIDE: Final = 0.1
"""The sine of the least angle between the side faces of a part and the flanks of its slot: it cannot lean there."""


def without_idle_planes(machinery: Machinery, exciting: Callable[[Machinery], Excited]) -> Machinery:
    """Let parts slide between side faces that others keep from leaning, and that nothing pushes out of their plane."""
    across = _across(machinery)
    while across:
        lessened = machinery.with_joined(_as_slides(machinery, across))
        linkage = lessened.linkage
        excited = exciting(lessened)
        staying = {
            place: way for place, way in across.items() if not _is_pushed(machinery, place, way, excited)
        }
        if len(staying) == len(across):
            moves = linkage.mobility > 0 and all(len(linkage.used(link)) for link in linkage.links)
            return lessened if moves else machinery
        across = staying
    return machinery


def _across(machinery: Machinery) -> dict[int, Floats]:
    """For pairs of side faces, by their places, the direction along which others keep their parts from leaning."""
    planar = {place: each for place, each in enumerate(machinery.joined) if each.kind == "planar"}
    if not planar:
        return {}
    turning = machinery.with_joined(
        [replace(each, kind="revolute") if each.kind == "cylindrical" else each for each in machinery.joined]
    )
    motions = Motions.of(turning, machinery.groups.tolerance, None)
    found: dict[int, Floats] = {}
    for place, joined in planar.items():
        for group in joined.groups:
            for other, way in _keepers(machinery, group, joined):
                if group and motions.against_frame(other).keeps_height(way):
                    found.setdefault(place, way)
    return found


def _keepers(machinery: Machinery, group: int, joined: Joined) -> Iterator[tuple[int, Floats]]:
    """The other groups that keep one from leaning on its side faces, and along which direction it then may shift."""
    sides = joined.axis
    for pair in machinery.joined:
        if pair.kind == "planar" and pair is not joined and group in pair.groups:
            way = cross(sides, pair.axis)
            if math.hypot(*way) > ASIDE:
                yield sum(pair.groups) - group, way / math.hypot(*way)
    for places, touched in machinery.groups.between().items():
        if group not in places:
            continue
        for _, contact in touched:
            if contact.kind != "slot" or contact.centre is not None or contact.axis is None:
                continue
            is_across = abs(float(contact.axis @ sides)) < PARALLEL
            if is_across and abs(float(cross(sides, contact.axis) @ contact.normals[0])) > ASIDE:
                yield sum(places) - group, contact.axis


def _is_pushed(machinery: Machinery, place: int, way: Floats, excited: Excited) -> bool:
    """Whether anything pushes what side faces hold along a direction."""
    joined = machinery.joined[place]
    names = {number: group for group, number in machinery.numbers.items()}
    linkage = machinery.linkage
    for members in floating(linkage, way, linkage.links):
        inside = frozenset(names[member] for member in members)
        if inside & {*joined.groups} and excited(inside, way, joined):
            return True
    return False


def _as_slides(machinery: Machinery, across: Mapping[int, Floats]) -> list[Joined]:
    """The pairs with those of side faces as slides across the directions along which nothing pushes."""
    found = list(machinery.joined)
    for place, way in across.items():
        each = found[place]
        axis = cross(each.axis, way)
        axis = upwards(axis / math.hypot(*axis), machinery.groups.axes)
        note = "what moves it keeps it from leaning, and nothing ever pushes it out of its plane"
        found[place] = replace(each, kind="prismatic", axis=axis, notes=(*each.notes, note))
    return found
