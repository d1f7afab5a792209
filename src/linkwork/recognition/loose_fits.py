"""Pins that are looser in their holes than a fit may be, where faces alone leave a part to slide about.

A hinge that is printed in one piece has a gap of some layers all around a pin of some millimetres. That is no fit by
itself, and of parts that nothing else holds it is only told; but where faces hold a part in a plane, a pin about which
it is drawn stops it whichever way it slides, and so it turns about that.
"""

from __future__ import annotations

from typing import Final

from linkwork.recognition.cones import rings
from linkwork.recognition.groups import Groups, Places, Touch
from linkwork.recognition.touch import balls, shafts

LOOSE: Final = 0.25
"""How loose such a pin may be, as a part of the width of its hole."""


def pinned(groups: Groups, places: Places, held: tuple[Touch, ...]) -> tuple[Touch, ...]:
    """Contacts that leave one of two groups to slide in a plane, with those of loose pins if these stop it."""
    pins: list[Touch] = []
    for a in groups.members[places[0]]:
        for b in groups.members[places[1]]:
            one, other = groups.bodies[a], groups.bodies[b]
            every = [*shafts(one, other, groups.tolerance, 0.0, LOOSE)]
            every += [each.flipped() for each in shafts(other, one, groups.tolerance, 0.0, LOOSE)]
            every += [
                *balls(one, other, groups.tolerance, LOOSE),
                *rings(one, other, groups.tolerance, LOOSE),
            ]
            pins += [((a, b), each) for each in every]
    if not pins:
        return held
    _, shape, every_held = groups.freedom_of((*held, *pins))
    return every_held if shape.kind == "revolute" else held
