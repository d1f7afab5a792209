"""Whether a group of parts that turns runs into another, as seen by turning it."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from linkwork.recognition.cover import contains
from linkwork.recognition.groups import Groups
from linkwork.recognition.skin import samples_of
from linkwork.solid.placement import Floats, Placement
from linkwork.solid.values import Inside

ANGLES: Final = 48
"""At how many angles of a turn it is looked at."""
DEEP: Final = 4.0
"""How many skins below its surface a point has to get into the other part: surfaces on one another differ by less."""


def strikes(
    groups: Groups, turning: int, still: int, which: tuple[Inside, Inside], axis: Floats, point: Floats
) -> bool:
    """Whether points of some faces of a group that turns about an axis get into another, or the other's into it."""
    both = (turning, still, which[0], 1.0), (still, turning, which[1], -1.0)
    within = [(_just_within(groups, group, faces), other, way) for group, other, faces, way in both]
    for angle in math.tau * np.arange(ANGLES) / ANGLES:
        for points, other, way in within:
            turn = Placement.turn(way * float(angle), axis.tolist(), point.tolist())
            if len(points) and contains(groups, other, points @ turn.matrix.T + turn.origin).any():
                return True
    return False


def _just_within(groups: Groups, group: int, which: Inside) -> Floats:
    """Points of a group just below some of its faces, where these bound it."""
    surfaces = groups.surfaces[group]
    bodies = {groups.bodies[place].name: groups.bodies[place] for place in groups.members[group]}
    found = [np.zeros((0, 3))]
    for place in np.flatnonzero(which).tolist():
        body = bodies[surfaces.names[place][0]]
        points, normals = samples_of(surfaces.faces[place])
        deep = DEEP * body.skin * normals
        before, behind = body.sides(points, normals, DEEP * body.skin)
        found += [(points + deep)[before & ~behind], (points - deep)[behind & ~before]]
    return np.vstack(found)
