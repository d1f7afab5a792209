"""From contacts to pairs: which groups are joined how, and which freedoms nothing ever uses.

Two things take a freedom away here from what two surfaces leave: other contacts of the same two parts, and the rest of
the machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from linkwork.model.fault import listed
from linkwork.recognition.drawn_axes import upwards
from linkwork.recognition.freedom import Freedom, Shape, shape_of
from linkwork.recognition.groups import Groups, Places, Touch
from linkwork.recognition.loose_fits import pinned
from linkwork.recognition.mobility import Link, Linkage
from linkwork.recognition.seat import seated
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import ONE_SIDED, ROLLING, Contact, is_cup
from linkwork.recognition.welding import weld_held
from linkwork.solid.placement import Floats, cross_length

LOWER = {"revolute": 1, "prismatic": 1, "screw": 1, "cylindrical": 2, "spherical": 3, "planar": 3}
"""The lower pairs and how many freedoms each has."""
OPEN = (*ONE_SIDED, "groove")
"""Contacts that hold both ways only where something presses parts on."""
ALIGNED = 1e-5
"""By how many radians directions may differ that are meant to be one, or at right angles."""


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

    @property
    def is_of_faces(self) -> bool:
        """Whether its own surfaces are but faces that slide on one another, whatever else takes freedoms away."""
        on_faces = self.left.count == LOWER["planar"] and all(each.kind == "plane" for each in self.contacts)
        return self.kind == "planar" or on_faces

    def in_order(self, groups: Groups, numbers: Mapping[int, int]) -> Joined:
        """The same pair where parts have other numbers, those of these groups."""
        a, b = (numbers[place] for place in self.parts)
        both = groups.group_of(a), groups.group_of(b)
        if both[0] < both[1]:
            return replace(self, groups=both, parts=(a, b))
        contacts = tuple(each.flipped() for each in self.contacts)
        return replace(self, groups=both[::-1], parts=(b, a), contacts=contacts)


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
        known: list[Floats] = []
        every = (_pair_of(groups, places, touched, known) for places, touched in groups.between().items())
        found = [joined for joined in every if joined is not None]
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

    def in_order(self, numbers: Mapping[int, int]) -> Machinery:
        """The same pairs with other numbers of the parts, in their order."""
        groups = self.groups.in_order(numbers)
        every = [each.in_order(groups, numbers) for each in self.joined]
        found = {places: number for number, places in enumerate(groups.between())}
        every.sort(key=lambda each: found[each.groups])
        own = {group: place for place, group in enumerate(sorted(groups.members))}
        machinery = Machinery(groups, tuple(every), own)
        return machinery.with_joined([each for part in machinery.parts_in_motion() for each in part.joined])

    def with_joined(self, joined: Sequence[Joined]) -> Machinery:
        """The same groups, joined otherwise."""
        return replace(self, joined=tuple(joined))


def _pair_of(groups: Groups, places: Places, touched: Sequence[Touch], known: list[Floats]) -> Joined | None:
    """The lower pair that contacts of two groups make, if they make one; along axes that are known already."""
    touched = sorted(touched, key=lambda each: _rank(groups, *each))
    left, shape, held = groups.freedom_of(touched)
    notes = _resting(groups, held, shape)
    if shape.kind == "planar":
        held, notes = seated(groups, places, held)
        left, shape, held = groups.freedom_of(held)
    if shape.kind == "planar":
        left, shape, held = groups.freedom_of(pinned(groups, places, held))
    held = tuple(sorted(held, key=lambda each: _is_beside(each[1], shape, groups.tolerance)))
    every = tuple(each for _, each in held)
    if shape.kind not in LOWER or not _lasts(shape, every, groups.tolerance):
        return None
    axis, point = np.array([0.0, 0.0, 1.0]), groups.middle
    if shape.axis is not None:
        axis = _aligned(_towards(shape.axis, every, groups.axes), known)
    if shape.point is not None:
        point = _along(shape.point, axis, every, shape.kind, groups.tolerance)
    joined = Joined(places, held[0][0], shape.kind, axis, point, every, left, notes)
    return _threaded(groups, joined, [own for own, _ in held])


def _resting(groups: Groups, held: Sequence[Touch], shape: Shape) -> tuple[str, ...]:
    """What is said of parts that lie on one another, unless their contacts hold all the same."""
    notes = tuple(dict.fromkeys(groups.resting[own] for own, _ in held if own in groups.resting))
    if not notes:
        return ()
    opened = [(own, replace(each, is_closed=each.is_closed and _is_closed_alone(each))) for own, each in held]
    return () if groups.freedom_of(opened)[1].kind == shape.kind else notes


def _is_closed_alone(contact: Contact) -> bool:
    """Whether a contact holds both ways though nothing presses parts on: not a ball in less than half of a sphere."""
    if contact.kind == "sphere":
        return is_cup(contact.normals)
    return contact.kind not in OPEN


def _rank(groups: Groups, parts: Places, contact: Contact) -> tuple[float, ...]:
    """What is told first of several contacts: what rolls, round ones, of these pins, all around, tight, slender ones.

    A hinge is told by its pin, not by a knuckle that lies in a hollow about it; a bearing by its balls, not its cage.
    """
    is_pin = any(place in groups.holders for place in parts)
    if contact.kind not in ("shaft", "sphere") and not (contact.kind in ROLLING and is_pin):
        return (1 if contact.kind in ("slot", "line", *ROLLING) else 2,)
    tightness = round(contact.gap / groups.tolerance)
    slenderness = round(contact.length / max(contact.radius, groups.tolerance), 6)
    return 0, contact.kind not in ROLLING, not is_pin, not contact.is_closed, tightness, -slenderness


def _threaded(groups: Groups, joined: Joined, parts: Sequence[Places]) -> Joined:
    """A shaft in its hole as a screw, if both carry a thread."""
    thread = groups.thread_of(parts, joined.contacts)
    if joined.kind != "cylindrical" or thread is None:
        return joined
    pitch, note = thread
    return replace(joined, kind="screw", pitch=pitch / math.tau, notes=(*joined.notes, note))


def _lasts(shape: Shape, every: Sequence[Contact], tolerance: float) -> bool:
    """Whether a turn goes about a shaft, a pin, or what all slots are bent about; others are another a moment later."""
    if shape.kind not in ("revolute", "cylindrical") or all(each.kind != "slot" for each in every):
        return True
    assert shape.axis is not None
    assert shape.point is not None
    axis, point = shape.axis, shape.point
    bent = [each.centre for each in every if each.kind == "slot"]
    about = [each is not None and cross_length(each - point, axis) <= 100 * tolerance for each in bent]
    return all(about) or any(_is_about(each, axis, point, tolerance) for each in every)


def _towards(axis: Floats, every: Sequence[Contact], axes: Floats) -> Floats:
    """An axis along that of a shaft exactly, pointing to the positive side of the coordinate that is largest."""
    exact = next(
        (each.axis for each in every if each.axis is not None and abs(each.axis @ axis) > 1 - 1e-9), axis
    )
    return upwards(exact, axes)


def _aligned(axis: Floats, known: list[Floats]) -> Floats:
    """An axis along one that is known, or at right angles to those that are, where it is but for the last digits.

    Meshes and CAD files have six digits or so; what moves in one plane is known by directions that are the same.
    """
    nearly = [each for each in known if 1 - abs(float(each @ axis)) < ALIGNED**2 / 2]
    if nearly:
        return nearly[0] if nearly[0] @ axis > 0 else -nearly[0]
    for each in known:
        if abs(float(each @ axis)) < ALIGNED:
            axis = axis - (each @ axis) * each
            axis = axis / math.hypot(*axis)
    known.append(axis)
    return axis


def _is_about(contact: Contact, axis: Floats, point: Floats, tolerance: float) -> bool:
    """Whether a contact is about an axis, but for its play."""
    if contact.axis is None or contact.middle is None or abs(float(contact.axis @ axis)) < 1 - PARALLEL:
        return False
    return cross_length(contact.middle - point, axis) <= contact.gap + tolerance


def _is_beside(contact: Contact, shape: Shape, tolerance: float) -> bool:
    """Whether a shaft is not that about which a pair turns: it is told after that one."""
    if contact.kind != "shaft" or shape.axis is None or shape.point is None:
        return False
    return shape.kind in ("revolute", "cylindrical") and not _is_about(
        contact, shape.axis, shape.point, tolerance
    )


def _along(point: Floats, axis: Floats, every: Sequence[Contact], kind: str, tolerance: float) -> Floats:
    """A point of the axis at the middle of what touches, without play if anything does; of a shaft's axis exactly."""
    if kind == "spherical":
        return point
    middles = [
        each.middle for each in every if each.middle is not None and _is_about(each, axis, point, tolerance)
    ]
    if middles and kind in ("revolute", "cylindrical"):
        return middles[0]
    tight = [each for each in every if each.gap <= tolerance] or every
    centre = np.mean(np.vstack([each.points for each in tight]), axis=0)
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
    still: list[int] = []
    for each in machinery.parts_in_motion():
        _sort_out(each, kept, stuck)
        still += _standing_still(each)
    if not stuck and not still:
        return machinery.with_joined(kept)
    together = [
        (joined.parts, "the rest of the machine lets them not move against each other") for joined in stuck
    ]
    together += [((0, group), _held_still(machinery, group)) for group in still]
    for (a, b), why in together:
        if machinery.groups.group_of(a) != machinery.groups.group_of(b):
            machinery.groups.weld(a, b, why)
    return again(machinery.groups)


def _standing_still(machinery: Machinery) -> list[int]:
    """The groups that pairs hold so that they never move, though what they are on does, as a plate on two pins."""
    linkage = machinery.linkage
    joined = {group for each in machinery.joined for group in each.groups if group}
    if linkage.is_tree:
        return []
    return [group for group in sorted(joined) if not linkage.moves(machinery.numbers[group])]


def _held_still(machinery: Machinery, group: int) -> str:
    """Why a group never moves: all that it is joined to."""
    groups = machinery.groups
    others = {other for each in machinery.joined if group in each.groups for other in each.groups}
    names = [groups.bodies[groups.called_after(other)].name for other in sorted(others - {group})]
    return (
        f"{groups.bodies[groups.called_after(group)].name} cannot move, for {listed(names)} together hold it"
    )


def again(groups: Groups) -> Machinery:
    """The machinery of groups of which some have become one."""
    weld_held(groups)
    return without_blocked(Machinery.of(groups))


def _sort_out(machinery: Machinery, kept: list[Joined], stuck: list[Joined]) -> None:
    """Tell the pairs that move, with the freedoms that they use, from those that never do."""
    linkage = machinery.linkage
    if linkage.is_tree:
        kept += machinery.joined
        return
    rigid = _rigid_alone(machinery)
    for joined, link in zip(machinery.joined, linkage.links, strict=True):
        used = linkage.used(link)
        if {*joined.groups} <= rigid.get(joined.groups[0], frozenset()):
            stuck.append(joined)
            continue
        if len(used) == LOWER[joined.kind]:
            kept.append(joined)
        elif len(used) == 0 and all(linkage.moves(place) for place in (link.first, link.second)):
            kept.append(_carried(joined))
        elif len(used) == 0:
            stuck.append(joined)
        else:
            shape = shape_of(used, link.point, 1.0)
            kept.append(_reduced(machinery.groups, joined, shape) if shape.kind in LOWER else joined)


def _rigid_alone(machinery: Machinery) -> dict[int, frozenset[int]]:
    """The groups that pairs hold against one another wherever the rest is: each with all that it is one with.

    Not the shafts of a universal joint in line, which move as one only as long as the frame holds them so.
    """
    linkage, numbers = machinery.linkage, machinery.numbers
    still = [
        joined.groups
        for joined, link in zip(machinery.joined, linkage.links, strict=True)
        if not len(linkage.used(link)) and linkage.moves(link.first) and linkage.moves(link.second)
    ]
    found: dict[int, frozenset[int]] = {}
    for members in connected([group for group in numbers if group], still) if still else []:
        own = {group: place for place, group in enumerate(members)}
        inner = [each for each in machinery.joined if {*each.groups} <= {*own}]
        if len(inner) >= len(own) > 1:
            alone = replace(machinery, joined=tuple(inner), numbers=own)
            if alone.linkage.mobility == 0:
                found |= dict.fromkeys(members, frozenset(members))
    return found


def _carried(joined: Joined) -> Joined:
    """A pair of parts that move as one for now: people name it all the same."""
    note = "here the two move as one, for the parts joined to them let them not move otherwise"
    kind = "revolute" if joined.kind == "cylindrical" else joined.kind
    return joined if note in joined.notes else replace(joined, kind=kind, notes=(*joined.notes, note))


def _reduced(groups: Groups, joined: Joined, shape: Shape) -> Joined:
    """A pair with the freedoms only that are used; faces on one another turn about an axis that others give them."""
    note = _BLOCKED.get((joined.kind, shape.kind), "the rest of the machine allows no other motion")
    axis = joined.axis
    if shape.axis is not None and abs(float(shape.axis @ joined.axis)) < 1 - 1e-9:
        axis = shape.axis
    point = joined.point
    if joined.kind == "planar" and shape.kind == "revolute" and shape.point is not None:
        point = groups.middle + groups.size * shape.point
    return replace(joined, kind=shape.kind, notes=(*joined.notes, note), axis=axis, point=point)


_BLOCKED = {
    ("cylindrical", "prismatic"): "it cannot turn, for the parts joined to it do not let it",
    ("cylindrical", "revolute"): "it cannot slide, for the parts joined to it do not let it",
    (
        "spherical",
        "revolute",
    ): "it turns about one axis only, for the parts joined to it let it turn about no other",
}
