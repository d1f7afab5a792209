"""Plates on pillars: what is tight on several pins that are fixed together, and lies on the shoulders of these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.groups import Groups
from linkwork.recognition.touch import Contact

LEAST: Final = 2
"""How many pins hold a plate: on one it turns."""
FAR: Final = 1e-3
"""1 less the cosine of the angle by which a face may lean that is across a pillar."""
WIDEST: Final = 2.5
"""How wide a pillar is at most, as a multiple of the pins at its ends: what is wider is a wheel on its axle."""


def is_wheel(body: Body, radius: float) -> bool:
    """Whether a round part is so much wider than its pins that it is a wheel, made in one piece with its axle."""
    return bool(body.round_arrays.radii.max(initial=0.0) > WIDEST * radius)


def weld_plates(groups: Groups, pins: Sequence[int]) -> None:
    """Weld plates to pillars on whose shoulders they lie, where they are tight on several of these."""
    resting: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for pin in pins:
        for places in groups.touching:
            if pin in places:
                plate = sum(places) - pin
                both = groups.group_of(plate), groups.group_of(pin)
                if both[0] != both[1] and _is_on_shoulder(groups, places, pin):
                    resting.setdefault(both, []).append((plate, pin))
    for (_, _), found in resting.items():
        plate, pin = found[0]
        if len({each for _, each in found}) >= LEAST and groups.group_of(plate) != groups.group_of(pin):
            names = groups.bodies[plate].name, groups.bodies[pin].name
            why = (
                f"{names[0]} is tight on {len(found)} pillars such as {names[1]}, and lies on their shoulders"
            )
            groups.weld(plate, pin, why)


def _is_on_shoulder(groups: Groups, places: tuple[int, int], pin: int) -> bool:
    """Whether a pin is tight in a part, and keeps it outward by a face across its axis: heads of bolts look in."""
    touched = groups.touching[places]
    inner = places.index(pin)
    middle = np.mean(groups.bodies[pin].box, axis=0)
    tight = [
        each
        for each in touched
        if each.kind == "shaft" and each.is_closed and each.inner == inner and each.gap <= groups.tolerance
    ]
    outward = [shaft.middle - middle for shaft in tight if shaft.middle is not None]
    away = [(-1.0 if inner else 1.0) * each.normals[0] for each in touched if _is_face(groups, each)]
    return any(float(way @ out) > (1 - FAR) * math.hypot(*out) for way in away for out in outward)


def _is_face(groups: Groups, contact: Contact) -> bool:
    return contact.kind == "plane" and contact.gap <= groups.tolerance
