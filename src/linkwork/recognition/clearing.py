"""How to get two parts out of one another: the turn or shift of one of them by which they are clear.

What one joint alone holds is moved as that joint lets it: a pawl drawn too deep in its wheel is turned about its pin,
for a shift would take its bore off the pin. What no joint holds, or what its joint cannot clear, is shifted along an
axis of the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.neat import neat
from linkwork.recognition.overlap import Overlap, Shell, overlap
from linkwork.solid.pieces import WHERE_DRAWN
from linkwork.solid.placement import Floats, Placement, cross_length, triple

MANY_FACES = 5000
"""Of two parts with more faces, as of meshes, only shifts are looked at: each try takes long."""
GROWTH = 1.5
"""By what factor each try goes farther than the one before."""
TRIES = 9
"""How many tries there are each way: the last goes 25 times as far as the parts are deep in one another."""
FARTHEST = math.pi / 4
"""The angle beyond which a turn no longer mends a drawing but makes another."""


@dataclass(frozen=True, eq=False)
class Way:
    """One way to move a part: where it then is, and the words."""

    placement: Placement
    told: str


def way_out(machinery: Machinery, places: tuple[int, int], found: Overlap) -> str | None:
    """What to do for two parts to be clear of one another, if a small motion of one of them does it.

    Of turns and slides in a joint that is the only one of a part nothing else may come into another part; a shift
    answers for these two alone.
    """
    groups = machinery.groups
    if sum(len(groups.bodies[place].faces) for place in places) < MANY_FACES:
        shells = groups.shells(range(len(groups.bodies)))
        for moving, other in (places[::-1], places):
            for way in _ways_in_joint(machinery, moving, found):
                if _is_clear(machinery, shells, (moving, other), way.placement):
                    return way.told
    return next(_shifts(machinery, places, found), None)


def _ways_in_joint(machinery: Machinery, moving: int, found: Overlap) -> Iterator[Way]:
    """Turns or slides of a part in the only joint that holds it, the smallest first, forwards and backwards."""
    group = machinery.groups.group_of(moving)
    holding = [each for each in machinery.joined if group in each.groups]
    if group == 0 or len(holding) != 1:
        return
    joint, name = holding[0], machinery.groups.bodies[moving].name
    axis = joint.axis * np.sign(joint.axis[int(np.argmax(np.abs(joint.axis)))])
    for number in range(TRIES):
        for sign in (1, -1):
            far = found.depth * GROWTH**number
            if joint.kind == "prismatic":
                yield _slide(name, sign * _rounded_up(far) * axis)
            elif joint.kind in ("revolute", "cylindrical"):
                turn = _turn(name, joint, axis, far, sign, np.array(found.at))
                if turn is not None:
                    yield turn


def _turn(name: str, joint: Joined, axis: Floats, far: float, sign: int, at: Floats) -> Way | None:
    """The turn that takes a place so far along its circle; None if that is a large one."""
    radius = cross_length(at - joint.point, axis)
    if far > FARTHEST * radius:
        return None
    degrees = sign * _rounded_up(math.degrees(far / radius))
    foot = joint.point - float(joint.point @ axis) * axis
    turn = Placement.turn(math.radians(degrees), triple(axis), triple(foot))
    return Way(turn, f"turn {name} by {degrees:.4g} degrees about {_entries(axis)} through {_entries(foot)}")


def _slide(name: str, by: Floats) -> Way:
    return Way(Placement.shift(triple(by)), f"move {name} by {_entries(by)}")


def _shifts(machinery: Machinery, places: tuple[int, int], found: Overlap) -> Iterator[str]:
    """Shifts of the second part along the axes of the drawing that take it out of the first."""
    groups = machinery.groups
    shells, name = groups.shells(places), groups.bodies[places[1]].name
    for axis in (*groups.axes, *-groups.axes):
        way = _slide(name, _rounded_up(found.depth) * axis)
        moved = WHERE_DRAWN, way.placement
        if overlap(shells[places[0]], shells[places[1]], 10 * groups.tolerance, moved, math.inf) is None:
            yield way.told


def _is_clear(
    machinery: Machinery, shells: Mapping[int, Shell], places: tuple[int, int], there: Placement
) -> bool:
    """Whether the first of two parts is then clear of all, and what moves with it in nothing that it was not in."""
    groups, (moving, stays) = machinery.groups, places
    own = groups.members[groups.group_of(moving)]
    others = sorted(set(shells).difference(own), key=lambda other: other != stays)

    def is_in(part: int, other: int, moved: Placement) -> bool:
        return (
            overlap(shells[part], shells[other], 10 * groups.tolerance, (moved, WHERE_DRAWN), math.inf)
            is not None
        )

    return not any(
        is_in(part, other, there) and (part == moving or not is_in(part, other, WHERE_DRAWN))
        for other in others
        for part in own
    )


def _rounded_up(value: float) -> float:
    """The next number of four digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 3)
    return math.ceil(value / step) * step


def _entries(vector: Floats) -> str:
    return f"({', '.join(f'{neat(value):.6g}' for value in vector.tolist())})"
