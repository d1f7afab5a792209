"""Shafts that are clamped: by nuts at both their ends, as the axle of a wheel in its fork, or by collars with a slit.

A screw across the slit of a collar or a bracket draws it together on the shaft in its bore.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.groups import Groups
from linkwork.recognition.touch import FLAT, Contact
from linkwork.solid.placement import Floats, cross

ACROSS = 0.9
"""The sine of the angle from which on a screw goes across a bore."""
LOOKS = 9
"""At how many places between a screw and a bore it is looked for material."""


@dataclass(eq=False)
class _Shaft:
    """A round shaft: the fasteners around it and the other parts on it, each behind its height along the axis."""

    axis: Floats
    middle: Floats
    fasteners: list[tuple[float, int]] = field(default_factory=list)
    others: list[tuple[float, int]] = field(default_factory=list)

    @property
    def ends(self) -> tuple[int, int] | None:
        """The outermost fasteners, if all else is between them."""
        if len(self.fasteners) < 2:
            return None
        (low, first), (high, last) = min(self.fasteners), max(self.fasteners)
        return (first, last) if all(low < height < high for height, _ in self.others) else None


def weld_clamped(groups: Groups, fasteners: Collection[int]) -> None:
    """Weld shafts to parts, or to several that move as one, on which the outermost fasteners around them lie."""
    for place, shaft in _fastened_shafts(groups, fasteners).items():
        ends = shaft.ends
        if ends is None or not groups.bodies[place].is_round(shaft.axis, shaft.middle, groups.tolerance):
            continue
        first, last = (_lain_on(groups, end, shaft.axis, {place, *fasteners}) for end in ends)
        held = next((part for part in first if groups.group_of(part) in map(groups.group_of, last)), None)
        if held is None or groups.group_of(held) == groups.group_of(place):
            continue
        nuts = " and ".join(groups.bodies[end].name for end in ends)
        name, part = groups.bodies[place].name, groups.bodies[held].name
        groups.weld(held, place, f"{nuts}, the outermost fasteners around {name}, clamp it to {part}")


def weld_split(groups: Groups, fasteners: Collection[int]) -> None:
    """Weld parts with a slit from a fastener's hole to their bore to the shafts in that bore."""
    for part, shaft, bore in _bores(groups, fasteners):
        if groups.group_of(part) == groups.group_of(shaft):
            continue
        for screw in fasteners:
            key = min(part, screw), max(part, screw)
            holes = [each for each in groups.touching.get(key, ()) if each.kind in ("shaft", "press")]
            if any(_has_slit(groups.bodies[part], bore, each) for each in holes):
                names = [groups.bodies[place].name for place in (screw, part, shaft)]
                why = "{} draws the slit of {} together on {}".format(*names)
                groups.weld(min(part, shaft), max(part, shaft), why)
                break


def _bores(groups: Groups, fasteners: Collection[int]) -> list[tuple[int, int, Contact]]:
    """The parts that are no fasteners with shafts in their bores, and the contacts of these."""
    return [
        ((a, b, each) if each.inner else (b, a, each))
        for (a, b), touched in groups.touching.items()
        for each in touched
        if each.kind == "shaft" and each.is_closed and (a, b) not in groups.apart
        if not {a, b} & {*fasteners}
    ]


def _has_slit(body: Body, bore: Contact, hole: Contact) -> bool:
    """Whether nothing of a part is between a hole that goes past a bore and that bore, where they are nearest."""
    assert bore.axis is not None
    assert bore.middle is not None
    assert hole.axis is not None
    assert hole.middle is not None
    apart = cross(bore.axis, hole.axis)
    if float(apart @ apart) < ACROSS**2:
        return False
    across = apart / float(np.linalg.norm(apart))
    distance = float((hole.middle - bore.middle) @ across)
    if abs(distance) <= bore.radius + hole.radius:
        return False
    along = float((hole.middle - bore.middle) @ bore.axis)
    foot = bore.middle + along * bore.axis
    reach = np.linspace(bore.radius, abs(distance) - hole.radius, LOOKS + 2)[1:-1]
    return not body.membership.contains(foot + np.outer(np.sign(distance) * reach, across)).any()


def lies_across(groups: Groups, touched: Collection[Contact], axes: Floats) -> bool:
    """Whether faces touch across one of some axes, as a fastener's head or nut does, or its end on a round shaft."""
    return any(
        bool((np.abs(axes @ each.normals[0]) > 1 - 1e-6).any())
        for each in touched
        if each.kind in FLAT and each.gap <= groups.tolerance
    )


def _fastened_shafts(groups: Groups, fasteners: Collection[int]) -> dict[int, _Shaft]:
    """The shafts that are themselves no fasteners and go through some."""
    found: dict[int, _Shaft] = {}
    for (a, b), touched in groups.touching.items():
        for each in touched:
            if each.kind not in ("shaft", "press") or each.axis is None or each.middle is None:
                continue
            inner, outer = (b, a) if each.inner else (a, b)
            if inner in fasteners or (a, b) in groups.apart:
                continue
            shaft = found.setdefault(inner, _Shaft(each.axis, each.middle))
            around = shaft.fasteners if outer in fasteners else shaft.others
            around.append((float(each.middle @ shaft.axis), outer))
    return {place: shaft for place, shaft in found.items() if shaft.fasteners}


def _lain_on(groups: Groups, fastener: int, axis: Floats, left_out: Collection[int]) -> list[int]:
    """The parts on which a fastener lies with a face across the axis."""
    return [
        other
        for places, touched in groups.touching.items()
        if fastener in places
        for other in places
        if other != fastener and other not in left_out and lies_across(groups, touched, axis[None])
    ]
