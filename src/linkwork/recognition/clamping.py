"""Shafts that nuts at both their ends hold fast: the axle of a wheel in its fork, a threaded rod in its brackets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.touch import FLAT, Contact
from linkwork.solid.placement import Floats


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
