"""From contacts to pairs: which groups are joined how, and which freedoms nothing ever uses.

Three things take a freedom away from what two surfaces leave: other contacts of the same two parts, the rest of the
machine, and that nothing ever pushes that way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from linkwork.recognition.freedom import Freedom, Shape, shape_of
from linkwork.recognition.groups import Groups, Places
from linkwork.recognition.mobility import Link, Linkage, floating
from linkwork.recognition.touch import Contact
from linkwork.solid.placement import Floats

LOWER = {"revolute": 1, "prismatic": 1, "screw": 1, "cylindrical": 2, "spherical": 3, "planar": 3}
"""The lower pairs and how many freedoms each has."""
SAME = 1e-6
"""Areas that differ by less than this part of them are equal: their last digits depend on where a part stands."""
NOTHING_PUSHES = "but no force and no contact ever pushes it that way"


@dataclass(frozen=True, eq=False)
class Joined:
    """Two groups that are joined: how, by which contacts, and what was said about it."""

    groups: Places
    parts: Places
    kind: str
    axis: Floats
    point: Floats
    contacts: tuple[Contact, ...]
    left: Freedom
    notes: tuple[str, ...] = ()
    pitch: float = 0.0
    """Of a screw: how far it goes along its axis for a radian."""


Excited = Callable[[frozenset[int], Floats, "Joined"], str]
"""What pushes a set of groups along a direction; nothing if the text is empty."""


@dataclass(frozen=True, eq=False)
class Machinery:
    """The groups and how they are joined."""

    groups: Groups
    joined: tuple[Joined, ...]
    numbers: dict[int, int] = field(default_factory=dict)
    """The number of each group in the linkage; the frame's is 0."""

    @classmethod
    def of(cls, groups: Groups) -> Machinery:
        """All pairs of groups whose contacts leave just the freedoms of a lower pair."""
        found = []
        for places, touched in groups.between().items():
            every = tuple(each for _, each in touched)
            left, shape = groups.freedom_of(every)
            seat = _seat(groups, places, every) if shape.kind == "planar" else None
            notes: tuple[str, ...] = ()
            if seat is not None:
                every, notes = _seated(every, seat), ("it lies on a face too, and nothing lifts it off",)
                left, shape = groups.freedom_of(every)
            if shape.kind in LOWER:
                main = next(
                    (parts for parts, each in touched if each.kind in ("shaft", "sphere")), touched[0][0]
                )
                axis = np.array([0.0, 0.0, 1.0]) if shape.axis is None else _towards(shape.axis, every)
                point = groups.middle if shape.point is None else _along(shape.point, axis, every, shape.kind)
                joined = Joined(places, main, shape.kind, axis, point, every, left, notes)
                found.append(_threaded(groups, joined))
        numbers = {group: place for place, group in enumerate(sorted(groups.members))}
        return cls(groups, tuple(found), numbers)

    @property
    def links(self) -> tuple[Link, ...]:
        """The pairs for the linkage, lengths in sizes of the machine about its middle."""
        return tuple(self.link(each) for each in self.joined)

    def link(self, joined: Joined) -> Link:
        """One of them."""
        first, second = (self.numbers[group] for group in joined.groups)
        point = (joined.point - self.groups.middle) / self.groups.size
        return Link(first, second, joined.kind, joined.axis, point, joined.pitch / self.groups.size)

    @cached_property
    def linkage(self) -> Linkage:
        """How they can move together; what was found out before about the same links is kept."""
        linkage = Linkage(len(self.numbers), self.links)
        return self.groups.linkages.setdefault(linkage.key, linkage)

    def parts_in_motion(self) -> list[Machinery]:
        """The same for each set of groups that are joined other than through the frame."""
        sets = connected([group for group in self.numbers if group], [each.groups for each in self.joined])
        return [self.only(members) for members in sets]

    def only(self, members: Sequence[int]) -> Machinery:
        """Some groups and the frame, with what joins them."""
        inside = {0, *members}
        numbers = {group: place for place, group in enumerate(sorted(inside))}
        joined = tuple(each for each in self.joined if set(each.groups) <= inside)
        return replace(self, joined=joined, numbers=numbers)

    def with_joined(self, joined: Sequence[Joined]) -> Machinery:
        """The same groups, joined otherwise."""
        return replace(self, joined=tuple(joined))


def _threaded(groups: Groups, joined: Joined) -> Joined:
    """A shaft in its hole as a screw, if both carry a thread."""
    thread = groups.thread_of(joined.parts, joined.contacts)
    if joined.kind != "cylindrical" or thread is None:
        return joined
    pitch, note = thread
    return replace(joined, kind="screw", pitch=pitch / math.tau, notes=(*joined.notes, note))


def _seat(groups: Groups, places: Places, every: Sequence[Contact]) -> Contact | None:
    """The face on which a part lies that others hold from two sides: where gravity presses it, or its largest."""
    flat = [each for each in every if each.kind == "plane"]
    held = [
        each for each in flat if any(float(each.normals[0] @ other.normals[0]) < -0.999 for other in flat)
    ]
    lying = [
        each
        for each in flat
        if not any(abs(float(each.normals[0] @ other.normals[0])) > 1e-3 for other in held)
    ]
    if not held or not lying or len({tuple(np.round(each.normals[0], 3) + 0.0) for each in lying}) > 1:
        return None
    largest = max(lying, key=lambda each: each.area)
    down = groups.gravity if 0 in places else None
    if down is not None and abs(float(down @ largest.normals[0])) > 1e-9 * float(np.linalg.norm(down)):
        return largest if float(down @ largest.normals[0]) < 0 else None
    return largest if largest.area >= (1 - SAME) * min(each.area for each in held) else None


def _seated(every: Sequence[Contact], seat: Contact) -> tuple[Contact, ...]:
    """Contacts with those along a seat holding both ways."""
    return tuple(
        replace(each, is_closed=True) if float(each.normals[0] @ seat.normals[0]) > 0.999 else each
        for each in every
    )


def _towards(axis: Floats, every: Sequence[Contact]) -> Floats:
    """An axis along that of a shaft exactly, pointing to the positive side of the coordinate that is largest."""
    exact = next(
        (each.axis for each in every if each.axis is not None and abs(each.axis @ axis) > 1 - 1e-9), axis
    )
    return upwards(exact)


def upwards(way: Floats) -> Floats:
    """A direction, or its opposite: towards the positive side of the coordinate that is largest."""
    largest = int(np.argmax(np.abs(np.round(way, 9))))
    return np.array(way if way[largest] > 0 else -way) + 0.0


def _along(point: Floats, axis: Floats, every: Sequence[Contact], kind: str) -> Floats:
    """A point of the axis at the middle of what touches; of a shaft's axis exactly."""
    if kind == "spherical":
        return point
    middle = next((each.middle for each in every if each.middle is not None), None)
    if middle is not None and kind in ("revolute", "cylindrical"):
        return middle
    centre = np.mean(np.vstack([each.points for each in every]), axis=0)
    if kind in ("revolute", "cylindrical"):
        return np.asarray(point + ((centre - point) @ axis) * axis)
    return np.asarray(centre)


# ------------------------------------------------------------------------------ the rest of the machine


def connected(groups: Sequence[int], pairs: Sequence[Places]) -> list[list[int]]:
    """Groups in sets that pairs join without the help of the frame."""
    root = {group: group for group in groups}

    def of(group: int) -> int:
        while root[group] != group:
            group = root[group]
        return group

    for first, second in pairs:
        if first and second:
            root[of(second)] = of(first)
    sets: dict[int, list[int]] = {}
    for group in sorted(groups):
        sets.setdefault(of(group), []).append(group)
    return list(sets.values())


def without_blocked(machinery: Machinery) -> Machinery:
    """Take away the freedoms that no motion of the whole machine uses; what cannot move at all is welded."""
    kept: list[Joined] = []
    stuck: list[Joined] = []
    for each in machinery.parts_in_motion():
        _sort_out(each, kept, stuck)
    if not stuck:
        return machinery.with_joined(kept)
    for joined in stuck:
        a, b = joined.parts
        if machinery.groups.group_of(a) != machinery.groups.group_of(b):
            machinery.groups.weld(a, b, "the rest of the machine lets them not move against each other")
    return without_blocked(Machinery.of(machinery.groups))


def _sort_out(machinery: Machinery, kept: list[Joined], stuck: list[Joined]) -> None:
    """Tell the pairs that move, with the freedoms that they use, from those that never do."""
    linkage = machinery.linkage
    if linkage.is_tree:
        kept += machinery.joined
        return
    for joined, link in zip(machinery.joined, linkage.links, strict=True):
        used = linkage.used(link)
        if len(used) == LOWER[joined.kind]:
            kept.append(joined)
        elif len(used) == 0 and all(linkage.moves(place) for place in (link.first, link.second)):
            kept.append(_carried(joined))
        elif len(used) == 0:
            stuck.append(joined)
        else:
            shape = shape_of(used, link.point, 1.0)
            kept.append(_reduced(joined, shape) if shape.kind in LOWER else joined)


def _carried(joined: Joined) -> Joined:
    """A pair of parts that move as one for now: people name it all the same."""
    note = "here the two move as one, for the parts joined to them let them not move otherwise"
    kind = "revolute" if joined.kind == "cylindrical" else joined.kind
    return joined if note in joined.notes else replace(joined, kind=kind, notes=(*joined.notes, note))


def _reduced(joined: Joined, shape: Shape) -> Joined:
    note = _BLOCKED.get((joined.kind, shape.kind), "the rest of the machine allows no other motion")
    axis = joined.axis
    if shape.axis is not None and abs(float(shape.axis @ joined.axis)) < 1 - 1e-9:
        axis = shape.axis
    return replace(joined, kind=shape.kind, notes=(*joined.notes, note), axis=axis)


_BLOCKED = {
    ("cylindrical", "prismatic"): "it cannot turn, for the parts joined to it do not let it",
    ("cylindrical", "revolute"): "it cannot slide, for the parts joined to it do not let it",
    (
        "spherical",
        "revolute",
    ): "it turns about one axis only, for the parts joined to it let it turn about no other",
}


# ---------------------------------------------------------------------------------- what nothing excites


def with_keyed_hubs(machinery: Machinery, excited: Excited) -> Machinery:
    """Weld what is keyed to a shaft that turns, and could slide along it, if nothing ever pushes it that way."""
    welded = False
    for joined in machinery.joined:
        for hub, shaft in (joined.groups, joined.groups[::-1]):
            own = [each for each in machinery.joined if hub in each.groups]
            if (
                joined.kind != "prismatic"
                or not hub
                or len(own) > 1
                or not _turns(machinery, shaft, joined.axis)
            ):
                continue
            if not excited(frozenset((hub,)), joined.axis, joined):
                names = [machinery.groups.bodies[place].name for place in joined.parts]
                why = f"{names[0]} and {names[1]} turn as one; they could slide along their axis"
                machinery.groups.weld(*joined.parts, f"{why}, {NOTHING_PUSHES}")
                welded = True
                break
    return without_blocked(Machinery.of(machinery.groups)) if welded else machinery


def _turns(machinery: Machinery, group: int, axis: Floats) -> bool:
    """Whether a group turns about a direction."""
    return any(
        group in each.groups
        and each.kind in ("revolute", "cylindrical")
        and abs(float(each.axis @ axis)) > 1 - 1e-9
        for each in machinery.joined
    )


def without_idle(machinery: Machinery, excited: Excited) -> Machinery:
    """Take away shifts along an axis that nothing ever causes."""
    found: list[Joined] = []
    for each in machinery.parts_in_motion():
        found += _without_idle(each, excited).joined
    return machinery.with_joined(found)


def _without_idle(machinery: Machinery, excited: Excited) -> Machinery:
    names = {number: group for group, number in machinery.numbers.items()}
    for axis in _axes(machinery):
        linkage = machinery.linkage
        idle: set[int] = {0}
        count = 0
        for members in floating(linkage, axis, linkage.links):
            inside = frozenset(names[member] for member in members)
            joined = [each for each in machinery.joined if _may_slide(each, axis) and inside & {*each.groups}]
            if joined and not any(excited(inside, axis, each) for each in joined):
                idle |= inside
                count += 1
        tied = {names[place] for place in range(linkage.count)} - _floating_groups(linkage, axis, names)
        crossing = [
            place
            for place, each in enumerate(machinery.joined)
            if _may_slide(each, axis) and {*each.groups} <= idle | tied
        ]
        lessened = machinery.with_joined(_lessened(machinery.joined, crossing))
        if count and lessened.linkage.mobility == linkage.mobility - count:
            machinery = lessened
    return machinery


def _floating_groups(linkage: Linkage, axis: Floats, names: Mapping[int, int]) -> set[int]:
    return {names[place] for members in floating(linkage, axis, linkage.links) for place in members}


def _axes(machinery: Machinery) -> list[Floats]:
    found: list[Floats] = []
    for each in machinery.joined:
        if each.kind == "cylindrical" and not any(abs(each.axis @ other) > 1 - 1e-9 for other in found):
            found.append(each.axis)
    return found


def _may_slide(joined: Joined, axis: Floats) -> bool:
    return joined.kind == "cylindrical" and abs(float(joined.axis @ axis)) > 1 - 1e-9


def _lessened(joined: Sequence[Joined], places: Sequence[int]) -> list[Joined]:
    found = list(joined)
    for place in places:
        note = f"it could slide along its axis, {NOTHING_PUSHES}"
        found[place] = replace(joined[place], kind="revolute", notes=(*joined[place].notes, note))
    return found
