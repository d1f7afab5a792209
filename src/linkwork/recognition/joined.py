"""From contacts to pairs: which groups are joined how, and which freedoms nothing ever uses.

Three things take a freedom away from what two surfaces leave: other contacts of the same two parts, the rest of the
machine, and that nothing ever pushes that way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from linkwork.recognition.drawn_axes import upwards
from linkwork.recognition.freedom import Freedom, Shape, shape_of
from linkwork.recognition.groups import Groups, Places, Touch
from linkwork.recognition.mobility import Link, Linkage, floating
from linkwork.recognition.seat import seated
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import ONE_SIDED, ROLLING, Contact
from linkwork.recognition.welding import weld_held
from linkwork.solid.placement import Floats, cross_length

LOWER = {"revolute": 1, "prismatic": 1, "screw": 1, "cylindrical": 2, "spherical": 3, "planar": 3}
"""The lower pairs and how many freedoms each has."""
OPEN = (*ONE_SIDED, "groove")
"""Contacts that hold both ways only where something presses parts on."""
ALIGNED = 1e-5
"""By how many radians directions may differ that are meant to be one, or at right angles."""
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
    opened = [(own, replace(each, is_closed=each.is_closed and each.kind not in OPEN)) for own, each in held]
    return () if groups.freedom_of(opened)[1].kind == shape.kind else notes


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
    for each in machinery.parts_in_motion():
        _sort_out(each, kept, stuck)
    if not stuck:
        return machinery.with_joined(kept)
    for joined in stuck:
        a, b = joined.parts
        if machinery.groups.group_of(a) != machinery.groups.group_of(b):
            machinery.groups.weld(a, b, "the rest of the machine lets them not move against each other")
    return again(machinery.groups)


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
            kept.append(_reduced(machinery.groups, joined, shape) if shape.kind in LOWER else joined)


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


# ---------------------------------------------------------------------------------- what nothing excites


def with_keyed_hubs(machinery: Machinery, exciting: Callable[[Machinery], Excited]) -> Machinery:
    """Weld what is keyed to a shaft that turns, and could slide along it, if nothing ever pushes it that way.

    The key may be a part of its own, which shifts with the hub or by itself.
    """
    slides = [each for each in machinery.joined if each.kind == "prismatic"]
    excited = exciting(machinery)
    for axis in _distinct([each.axis for each in slides]):
        for hub in _hubs(machinery, axis):
            own = [each for each in machinery.joined if {*each.groups} & hub]
            outward = [each for each in own if not {*each.groups} <= hub]
            keyed = [each for each in outward if each in slides and _is_along(each, axis)]
            shafts = {group for each in keyed for group in each.groups if group not in hub}
            if not any(_turns(machinery, shaft, axis) for shaft in shafts):
                continue
            if any(excited(hub, axis, each) for each in outward):
                continue
            sliding = [each for each in own if each in slides and _is_along(each, axis)]
            welded = [_weld_idle(machinery.groups, each, "turn as one") for each in sliding]
            if any(welded):
                return with_keyed_hubs(again(machinery.groups), exciting)
    return machinery


def _hubs(machinery: Machinery, axis: Floats) -> list[frozenset[int]]:
    """The sets of groups that can shift along a direction on shafts that turn: all that pairs join, and each alone."""
    names = {number: group for group, number in machinery.numbers.items()}
    single = [
        frozenset(names[member] for member in members)
        for members in floating(machinery.linkage, axis, machinery.linkage.links)
    ]
    together: list[frozenset[int]] = []
    for shaft in machinery.numbers:
        if _turns(machinery, shaft, axis):
            others = [each for each in single if shaft not in each]
            loose = [group for each in others for group in each]
            pairs = [each.groups for each in machinery.joined if {*each.groups} <= {*loose}]
            pairs += [(min(each), group) for each in others for group in each]
            together += map(frozenset, connected(loose, pairs))
    return [*dict.fromkeys([*together, *single])]


def _is_along(joined: Joined, axis: Floats) -> bool:
    return abs(float(joined.axis @ axis)) > 1 - 1e-9


def _weld_idle(groups: Groups, joined: Joined, how: str) -> bool:
    """Weld two parts that could slide along their axis, though nothing pushes them; False if they are one already."""
    if groups.group_of(joined.parts[0]) == groups.group_of(joined.parts[1]):
        return False
    a, b = (groups.bodies[place].name for place in joined.parts)
    groups.weld(*joined.parts, f"{a} and {b} {how}; they could slide along their axis, {NOTHING_PUSHES}")
    return True


def without_idle_slides(machinery: Machinery, exciting: Callable[[Machinery], Excited]) -> Machinery:
    """Weld parts on pins that the rest lets not turn, as the bars of a truss, if nothing pushes them along the pins."""
    slides = [each for each in machinery.joined if each.kind == "prismatic" and each.left.count == 2]
    if not slides:
        return machinery
    welded = False
    names = {number: group for group, number in machinery.numbers.items()}
    as_given = [replace(each, kind="cylindrical") if each in slides else each for each in machinery.joined]
    excited = exciting(machinery.with_joined(as_given))
    for axis in _distinct([each.axis for each in slides]):
        for members in floating(machinery.linkage, axis, machinery.linkage.links):
            inside = frozenset(names[member] for member in members)
            own = [each for each in machinery.joined if len(inside & {*each.groups}) == 1]
            if all(each in slides and not excited(inside, axis, each) for each in own):
                for each in own:
                    welded |= _weld_idle(machinery.groups, each, "cannot turn on one another")
    return again(machinery.groups) if welded else machinery


def _turns(machinery: Machinery, group: int, axis: Floats) -> bool:
    """Whether a group turns about a direction; the frame does not, though others turn in it."""
    return group != 0 and any(
        group in each.groups and each.kind in ("revolute", "cylindrical") and _is_along(each, axis)
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
    kept: dict[Joined, str] = {}
    for axis in _axes(machinery):
        linkage = machinery.linkage
        idle: set[int] = {0}
        count = 0
        for members in floating(linkage, axis, linkage.links):
            inside = frozenset(names[member] for member in members)
            joined = [each for each in machinery.joined if _may_slide(each, axis) and inside & {*each.groups}]
            causes = [excited(inside, axis, each) for each in joined]
            if joined and not any(causes) and not _are_guided(machinery, inside, axis):
                idle |= inside
                count += 1
            kept |= {each: cause for each, cause in zip(joined, causes, strict=True) if cause}
        tied = {names[place] for place in range(linkage.count)} - _floating_groups(linkage, axis, names)
        crossing = [
            place
            for place, each in enumerate(machinery.joined)
            if _may_slide(each, axis) and {*each.groups} <= idle | tied
        ]
        lessened = machinery.with_joined(_lessened(machinery.joined, crossing))
        loses_no_more = lessened.linkage.mobility == linkage.mobility - count
        if count and (loses_no_more or _still_move(lessened.linkage)):
            machinery = lessened
    machinery = _without_coupled_slides(machinery, excited, kept)
    return machinery.with_joined([_sliding(each, kept.get(each, "")) for each in machinery.joined])


def _are_guided(machinery: Machinery, inside: frozenset[int], axis: Floats) -> bool:
    """Whether a slide guides groups along an axis, as a jaw that its screw goes along with: it is there to shift."""
    return any(
        each.kind == "prismatic" and _is_along(each, axis) and len(inside & {*each.groups}) == 1
        for each in machinery.joined
    )


def _still_move(linkage: Linkage) -> bool:
    """Whether all links move, also without shifts that leaned other parts: those of a rod on two balls."""
    return linkage.mobility > 0 and all(len(linkage.used(link)) for link in linkage.links)


def _without_coupled_slides(machinery: Machinery, excited: Excited, kept: Collection[Joined]) -> Machinery:
    """Take away shifts along several axes at once that nothing causes, as in a shaft of universal joints that bends.

    Those can go without which all turns are left.
    """
    sliding = [each for each in machinery.joined if each.kind == "cylindrical" and each not in kept]
    inside = frozenset(machinery.numbers) - {0}
    if len(sliding) < 2 or any(excited(inside, each.axis, each) for each in sliding):
        return machinery
    for place, each in enumerate(machinery.joined):
        if each in sliding:
            lessened = machinery.with_joined(_lessened(machinery.joined, [place]))
            if lessened.linkage.turns == machinery.linkage.turns:
                machinery = lessened
    return machinery


def _sliding(joined: Joined, cause: str) -> Joined:
    """A pair that keeps its shift along the axis, with the reason."""
    if not cause or joined.kind != "cylindrical":
        return joined
    return replace(
        joined, notes=(*joined.notes, f"it may slide along its axis, for {cause} may push it that way")
    )


def _floating_groups(linkage: Linkage, axis: Floats, names: Mapping[int, int]) -> set[int]:
    return {names[place] for members in floating(linkage, axis, linkage.links) for place in members}


def _axes(machinery: Machinery) -> list[Floats]:
    return _distinct([each.axis for each in machinery.joined if each.kind == "cylindrical"])


def _distinct(axes: Sequence[Floats]) -> list[Floats]:
    """Directions, each once."""
    found: list[Floats] = []
    for axis in axes:
        if not any(abs(float(axis @ other)) > 1 - 1e-9 for other in found):
            found.append(axis)
    return found


def _may_slide(joined: Joined, axis: Floats) -> bool:
    return joined.kind == "cylindrical" and _is_along(joined, axis)


def _lessened(joined: Sequence[Joined], places: Sequence[int]) -> list[Joined]:
    found = list(joined)
    for place in places:
        note = f"it could slide along its axis, {NOTHING_PUSHES}"
        found[place] = replace(joined[place], kind="revolute", notes=(*joined[place].notes, note))
    return found
