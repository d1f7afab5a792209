"""Plates that sleeves around pillars keep at their distance: frames of clocks and gearboxes, held by nuts or nothing.

A sleeve around a pillar lies with one end on what the pillar stands in, or on another sleeve, and with the other end at
a plate through which the pillar goes. On two pillars with sleeves a plate cannot turn; and if nothing lifts it off it
stays where it is drawn. Not so the slide of a press: what a rod drives along the pillars lies there only for now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery, connected
from linkwork.recognition.pillars import FAR, LEAST, WIDEST
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.recognition.welding import weld_held
from linkwork.solid.placement import Floats, cross_length

ALONG: Final = ("revolute", "cylindrical", "prismatic")
"""Pairs that leave parts on an axis along the pillars to themselves."""


@dataclass(eq=False)
class _Pillar:
    """A round pillar of a part, and the parts through which it goes."""

    part: int
    axis: Floats
    middle: Floats
    radius: float
    around: list[int] = field(default_factory=list)


def weld_spaced(groups: Groups) -> None:
    """Weld plates, and the sleeves on which they lie, to what their pillars stand in, one plate after another."""
    pillars = _pillars(groups)
    while True:
        found: dict[tuple[int, int], list[tuple[_Pillar, list[int], Floats]]] = {}
        for pillar in pillars:
            home = groups.group_of(pillar.part)
            for plate, sleeves, way in _lying(groups, pillar):
                found.setdefault((groups.group_of(plate), home), []).append((pillar, sleeves, way))
        spaced = next(
            (
                (group, home, stacks)
                for (group, home), stacks in found.items()
                if len({id(pillar) for pillar, *_ in stacks}) >= LEAST
                and not _is_lifted(groups, group, stacks)
                and not _is_driven(groups, group, home, stacks[0][0].axis)
            ),
            None,
        )
        if spaced is None:
            return
        _weld_stack(groups, *spaced)
        weld_held(groups)


def _weld_stack(
    groups: Groups, plate: int, home: int, stacks: list[tuple[_Pillar, list[int], Floats]]
) -> None:
    for pillar, sleeves, _ in stacks:
        for sleeve in sleeves:
            if groups.group_of(sleeve) != groups.group_of(pillar.part):
                name, own = groups.bodies[sleeve].name, groups.bodies[pillar.part].name
                why = f"{name} is a round spacer around {own}; that it turns there makes no difference"
                groups.weld(pillar.part, sleeve, why)
                groups.holders.setdefault(sleeve, pillar.part)
    count, sleeve = len({id(pillar) for pillar, *_ in stacks}), stacks[0][1][-1]
    names = groups.bodies[groups.called_after(plate)].name, groups.bodies[sleeve].name
    why = f"{count} pillars go through {names[0]}, which spacers such as {names[1]} keep at its distance"
    groups.weld(home, plate, why)


def _pillars(groups: Groups) -> list[_Pillar]:
    """All that goes through several parts and is fixed in one of them, or a piece of it."""
    found: list[_Pillar] = []
    for (a, b), touched in groups.touching.items():
        for each in touched:
            if each.kind != "shaft" or not each.is_closed or (a, b) in groups.apart:
                continue
            assert each.axis is not None
            assert each.middle is not None
            part, other = (b, a) if each.inner else (a, b)
            known = (one for one in found if one.part == part and _is_on(one, each, groups.tolerance))
            pillar = next(known, None)
            if pillar is None:
                pillar = _Pillar(part, each.axis, each.middle, each.radius)
                found.append(pillar)
            pillar.around.append(other)
    return [each for each in found if len({*each.around}) >= 2]


def _is_on(pillar: _Pillar, shaft: Contact, tolerance: float) -> bool:
    """Whether a shaft is on a pillar that is known, or a thinner piece of it."""
    assert shaft.axis is not None
    assert shaft.middle is not None
    is_along = abs(float(pillar.axis @ shaft.axis)) > 1 - FAR
    return is_along and cross_length(shaft.middle - pillar.middle, pillar.axis) <= tolerance + shaft.gap


def _lying(groups: Groups, pillar: _Pillar) -> Iterator[tuple[int, list[int], Floats]]:
    """The plates that lie on sleeves of a pillar, with these and the way from them to the plate."""
    home = groups.group_of(pillar.part)
    loose = [part for part in dict.fromkeys(pillar.around) if groups.group_of(part) != home]
    sleeves = [part for part in loose if _is_sleeve(groups, pillar, part)]
    if not sleeves or len(loose) == len(sleeves):
        return
    for way in (pillar.axis, -pillar.axis):
        carried, stack = [*groups.members[home]], list[int]()
        while True:
            above = next(
                (each for each in sleeves if each not in stack and _lies_on(groups, each, carried, way)), None
            )
            if above is None:
                break
            stack.append(above)
            carried.append(above)
        for plate in loose:
            if plate not in sleeves and stack and _lies_on(groups, plate, stack, way):
                yield plate, stack, way


def _is_sleeve(groups: Groups, pillar: _Pillar, part: int) -> bool:
    """Whether a part is a round tube around a pillar, and around nothing else."""
    body = groups.bodies[part]
    if (
        groups.members[groups.group_of(part)] != [part]
        or body.round_arrays.radii.max() > WIDEST * pillar.radius
    ):
        return False
    fits = [
        places
        for places, touched in groups.touching.items()
        if part in places and any(each.kind in ("shaft", "press") for each in touched)
    ]
    is_alone = all(sum(places) - part == pillar.part for places in fits)
    return is_alone and body.is_round(pillar.axis, pillar.middle, groups.tolerance)


def _lies_on(groups: Groups, upper: int, under: list[int], way: Floats) -> bool:
    """Whether a part lies on one of some others along a direction, with less play than a fit of its length may have."""
    for lower in under:
        key = min(upper, lower), max(upper, lower)
        sign = 1.0 if lower < upper else -1.0
        for each in (*groups.touching.get(key, ()), *groups.facing.get(key, ())):
            if each.kind == "plane" and sign * float(each.normals[0] @ way) > 1 - FAR:
                shorter = min(float(np.ptp(groups.bodies[part].box @ way)) for part in key)
                if each.gap <= max(groups.tolerance, CLEARANCE * shorter):
                    return True
    return False


def _is_lifted(groups: Groups, plate: int, stacks: list[tuple[_Pillar, list[int], Floats]]) -> bool:
    """Whether anything pulls a plate away from its sleeves."""
    return any(
        pull.both or pull.value > 0
        for _, _, way in stacks
        for pull in [groups.pulls.along(groups.names_of([plate]), way)]
    )


def _is_driven(groups: Groups, plate: int, home: int, axis: Floats) -> bool:
    """Whether other parts lead from a plate to what its pillars stand in that go with it, as a crank and a rod do.

    What only turns or slides along the pillars, as wheels between two plates, goes with none.
    """
    pairs = [each for each in Machinery.of(groups).joined if {*each.groups} != {plate, home}]
    ends = {plate, home}
    while True:
        counts = Counter(group for each in pairs for group in each.groups)
        led = [each for each in pairs if all(counts[group] > 1 or group in ends for group in each.groups)]
        if len(led) == len(pairs):
            break
        pairs = led
    for members in connected([*counts], [each.groups for each in pairs if home not in each.groups]):
        own = [each for each in pairs if {*each.groups} & {*members} - {home}]
        aslant = [each for each in own if each.kind not in ALONG or abs(float(each.axis @ axis)) < 1 - FAR]
        if plate in members and aslant and any(home in each.groups for each in own):
            return True
    return False
