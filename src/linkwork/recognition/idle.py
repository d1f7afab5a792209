"""Freedoms that nothing ever uses, since nothing pushes that way: shifts along shafts, of hubs on keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from linkwork.recognition.forks import shifted
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery, again, connected
from linkwork.recognition.mobility import Linkage, floating
from linkwork.solid.placement import Floats

Excited = Callable[[frozenset[int], Floats, Joined], str]
"""What pushes a set of groups along a direction; nothing if the text is empty."""
NOTHING_PUSHES = "but no force and no contact ever pushes it that way"


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
            if hub & {*shifted(machinery, axis)} or any(excited(hub, axis, each) for each in outward):
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
    """Whether a fork or a slide guides groups along an axis, as a jaw that its screw goes along with: to shift them."""
    return bool(inside & {*shifted(machinery, axis)}) or any(
        each.kind == "prismatic" and _is_along(each, axis) and len(inside & {*each.groups}) == 1
        for each in machinery.joined
    )


def _still_move(linkage: Linkage) -> bool:
    """Whether all links turn, also without shifts that leaned other parts: those of a rod on two balls.

    Splines need not slide: those of a shaft between two joints at fixed places have nothing to do.
    """
    turning = [each for each in linkage.links if each.kind != "prismatic"]
    return linkage.mobility > 0 and all(len(linkage.used(link)) for link in turning)


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
