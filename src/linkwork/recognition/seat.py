"""Faces on which parts lie that others hold from two sides: a slide on its bed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from linkwork.recognition.groups import Groups, Places, Touch
from linkwork.recognition.held import width_between
from linkwork.recognition.pulls import Pull
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.solid.placement import Floats

SAME = 1e-6
"""Areas that differ by less than this part of them are equal: their last digits depend on where a part stands."""


def seated(
    groups: Groups, places: Places, touched: tuple[Touch, ...]
) -> tuple[tuple[Touch, ...], tuple[str, ...]]:
    """Contacts with those of a seat holding both ways if nothing lifts the part off it; and what is said of it.

    Gravity and forces tell whether it stays; if there are none, a face stays on which it lies with the largest one. If
    it lies on none, one counts that is no farther than the play that the sides may have.
    """
    held, lying = _held_and_lying([each for _, each in touched])
    if held and not lying:
        play = CLEARANCE * _width(held)
        touched = (*touched, *(each for each in groups.near_faces(places) if each[1].gap <= play))
        held, lying = _held_and_lying([each for _, each in touched])
    if not held or not lying or len({tuple(np.round(each.normals[0], 3) + 0.0) for each in lying}) > 1:
        return touched, ()
    seat = max(lying, key=lambda each: each.area)
    pull = _pull(groups, places, seat.normals[0])
    if pull.both or pull.value > 0:
        return touched, (f"it lies on a face too, but {pull.name} may lift it off",)
    least = min(each.area if each.kind == "plane" else 0.0 for each in held)
    if not pull.value and seat.area < (1 - SAME) * least:
        return touched, ()
    closed = tuple(
        (own, replace(each, is_closed=True))
        if float(each.normals[0] @ seat.normals[0]) > 0.999
        else (own, each)
        for own, each in touched
    )
    return closed, ("it lies on a face too, and nothing lifts it off",)


def _width(held: Sequence[Contact]) -> float:
    """How far apart the sides are that hold a part."""
    flat = [each for each in held if each.kind == "plane"]
    pins = [2 * each.radius for each in held if each.kind == "slot"]
    return max([*pins, *(width_between(a, b) for a, b in combinations(flat, 2))], default=0.0)


def _held_and_lying(every: Sequence[Contact]) -> tuple[list[Contact], list[Contact]]:
    """The contacts that hold from two sides, and the plane ones across them."""
    flat = [each for each in every if each.kind == "plane"]
    held = [
        each for each in flat if any(float(each.normals[0] @ other.normals[0]) < -0.999 for other in flat)
    ]
    held += [each for each in every if each.kind == "slot"]
    lying = [
        each
        for each in flat
        if not any(abs(float(each.normals[0] @ other.normals[0])) > 1e-3 for other in held)
    ]
    return held, lying


def _pull(groups: Groups, places: Places, way: Floats) -> Pull:
    """What pulls the second group away from the first; weight counts for what lies on the frame."""
    on_frame = 0 in places
    first, second = (
        Pull() if group == 0 else groups.pulls.along(groups.names_of([group]), way, weight=on_frame)
        for group in places
    )
    larger = max(first, second, key=lambda each: (each.both, abs(each.value)))
    return Pull(second.value - first.value, larger.name, both=larger.both)
