"""Pins in curved slots: a round bar between two cylinders of another part that are bent about one axis.

As in a straight slot it slides and turns there. Two pins in one slot, or in slots about one axis, turn about that axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.slots import AND
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.solid import RoundFace
from linkwork.solid.placement import Floats, cross

LOOKS: Final = 9
"""At how many places along a pin it is looked at."""
AT_ONCE: Final = 200_000
"""How many pairs of a bar and a wall are looked at together."""


def curved_slots(a: Body, b: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of pins of either part in curved slots of the other, each of both sides of a slot."""
    yield from _in_slots(a, b, tolerance)
    yield from (each.flipped() for each in _in_slots(b, a, tolerance))


def _in_slots(holder: Body, pin: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of pins of the second part in slots of the first.

    A pin of radius r as far as d from the axis of cylinders of radii R and S is between them if R - d = r = d - S.
    """
    seen: list[Contact] = []
    for bar, first, second in _between_walls(holder.round_arrays, pin.round_arrays, tolerance):
        found = _between(holder, pin, pin.rounds[bar], (holder.rounds[first], holder.rounds[second]))
        if found is not None and not any(_are_one(found, each, tolerance) for each in seen):
            seen.append(found)
            yield found


def _between_walls(bent: Rounds, bars: Rounds, tolerance: float) -> Iterator[tuple[int, int, int]]:
    """The places of bars, and of the outer and the inner walls that they are as thick as the way between."""
    if len(bent) < 2 or not len(bars):
        return
    pins = bars.pins(tolerance)
    for some in np.array_split(pins, -(-max(1, len(pins)) * len(bent) // AT_ONCE)):
        own = bars.only(some)
        play = CLEARANCE * 2 * own.radii[:, :1] + tolerance
        apart = own.apart(bent)
        fitting = bent.are_cylinders & (np.abs(own.axes @ bent.axes.T) > 1 - PARALLEL) & (apart > tolerance)
        beyond = bent.radii[:, 0] - apart - own.radii[:, :1]
        before = apart - bent.radii[:, 0] - own.radii[:, :1]
        outer = fitting & (beyond >= -tolerance) & (beyond <= play)
        inner = fitting & (before >= -tolerance) & (before <= play)
        for place in np.flatnonzero(outer.any(axis=1) & inner.any(axis=1)):
            walls = np.flatnonzero(outer[place])[:, None], np.flatnonzero(inner[place])
            ways = bent.points[walls[1]] - bent.points[walls[0]]
            same = np.linalg.norm(cross(ways, own.axes[place]), axis=2) <= tolerance
            same &= beyond[place, walls[0]] + before[place, walls[1]] <= play[place]
            for first, second in np.argwhere(same):
                yield int(some[place]), int(walls[0][first, 0]), int(walls[1][second])


def _between(holder: Body, pin: Body, face: RoundFace, sides: tuple[RoundFace, RoundFace]) -> Contact | None:
    """The contact of a pin with the outer and the inner side of a slot, at the heights at which it touches both."""
    axis, length = np.array(face.axis), face.span[1] - face.span[0]
    heights = face.span[0] + (np.arange(LOOKS) + 0.5) / LOOKS * length
    pins = np.array(face.point) + np.outer(heights, axis)
    centres = _feet(np.array(sides[0].point), axis, pins)
    outward = pins - centres
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    touching = np.ones(LOOKS, dtype=bool)
    feet, ways = [], []
    for side, way in zip(sides, (-outward, outward), strict=True):  # from the side to the pin
        feet.append(centres + side.radius * outward)
        ways.append(way)
        touching &= holder.bounded(feet[-1], way) & pin.bounded(pins - face.radius * way, -way)
    places = np.flatnonzero(touching)
    if not len(places):
        return None
    ends = places[[0, -1]] if len(places) > 1 else places
    labels = dict.fromkeys(side.label for side in sides)
    return Contact(
        "slot",
        np.concatenate([each[ends] for each in feet]),
        np.concatenate([each[ends] for each in ways]),
        max(0.0, sides[0].radius - sides[1].radius - 2 * face.radius),
        1,
        axis,
        pins[ends].mean(axis=0),
        face.radius,
        len(places) / LOOKS * length,
        True,
        (AND.join(label for label in labels if label), face.label),
        centres[ends].mean(axis=0),
    )


def _feet(point: Floats, axis: Floats, pins: Floats) -> Floats:
    """The points of an axis at the heights of some points."""
    return np.asarray(point + np.outer((pins - point) @ axis, axis))


def _are_one(a: Contact, b: Contact, tolerance: float) -> bool:
    """Whether contacts are of one pin and one slot, told of two faces on one cylinder."""
    return all(
        one is not None
        and other is not None
        and bool(np.linalg.norm(one - other) <= max(tolerance, a.radius))
        for one, other in ((a.middle, b.middle), (a.centre, b.centre))
    )
