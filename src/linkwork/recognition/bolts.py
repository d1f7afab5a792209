"""Bolts and nuts by their shapes: what a head and a nut, or two nuts, clamp from both ends holds the bolt fast.

A nut is a part around the end of a bolt, and around nothing else, that is round but for what a wrench grips.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from linkwork.recognition.grips import is_round_but_for_grip
from linkwork.recognition.groups import Groups
from linkwork.recognition.touch import FLAT
from linkwork.solid.placement import Floats


class Fit(Protocol):
    """A shaft in its hole as one of its two parts sees it."""

    @property
    def partner(self) -> int: ...
    @property
    def is_inside(self) -> bool: ...
    @property
    def axis(self) -> Floats: ...
    @property
    def middle(self) -> Floats: ...
    @property
    def radius(self) -> float: ...


def weld_bolts(groups: Groups, fits_of: Mapping[int, Sequence[Fit]], left_out: Collection[int]) -> None:
    """Weld bolts with their nuts to what these clamp; ``left_out`` are parts that move by themselves."""
    for bolt, fits in fits_of.items():
        first = fits[0]
        if bolt == 0 or not all(fit.is_inside for fit in fits):
            continue
        nuts = [fit.partner for fit in fits if _is_nut(groups, fit, fits_of)]
        if not nuts or {bolt, *nuts} & {*left_out}:
            continue
        if not is_round_but_for_grip(groups, bolt, first.axis, first.middle, first.radius):
            continue
        before, behind = (_lain_on(groups, {bolt, *nuts}, way * first.axis) for way in (1.0, -1.0))
        if not before or not behind:
            continue
        held = next((part for part in before if part in behind), min(before + behind))
        names = [groups.bodies[place].name for place in (bolt, held, *nuts)]
        for nut in nuts:
            groups.weld(min(bolt, nut), max(bolt, nut), f"{groups.bodies[nut].name} is a nut on {names[0]}")
        why = f"{' and '.join(names[2:])} and its other end clamp {names[0]} to {names[1]}"
        groups.weld(min(held, bolt), max(held, bolt), why)
        groups.holders |= dict.fromkeys([bolt, *nuts], held)


def _is_nut(groups: Groups, fit: Fit, fits_of: Mapping[int, Sequence[Fit]]) -> bool:
    """Whether what is around a bolt is around nothing else, and a wrench grips it."""
    body = groups.bodies[fit.partner]
    return (
        fit.is_inside
        and fit.partner != 0
        and len({each.partner for each in fits_of.get(fit.partner, ())}) == 1
        and not body.is_round(fit.axis, fit.middle, groups.tolerance)
        and is_round_but_for_grip(groups, fit.partner, fit.axis, fit.middle, fit.radius)
    )


def _lain_on(groups: Groups, parts: Collection[int], way: Floats) -> list[int]:
    """The parts on which some others lie with a face that looks along a direction."""
    found = []
    for (a, b), touched in groups.touching.items():
        for own, other, sign in ((a, b, 1.0), (b, a, -1.0)):
            if own in parts and other not in parts:
                near = [each for each in touched if each.kind in FLAT and each.gap <= groups.tolerance]
                looks = [sign * float(each.normals[0] @ way) for each in near]
                if any(each > 1 - 1e-6 for each in looks):
                    found.append(other)
    return found
