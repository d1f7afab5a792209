"""Whether a face is covered by another part, so that no third one can touch it."""

from __future__ import annotations

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.skin import samples_of
from linkwork.solid import Face, RoundFace
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside


def is_within(groups: Groups, face: Face, group: int, partner: int, reach: float) -> bool:
    """Whether all of a round face of a group lies, but for a gap, at the material of another."""
    if not isinstance(face, RoundFace):
        return False
    points, normals = samples_of(face)
    sides = [points + way * reach * normals for way in (1, -1)]
    outside = [~_contains(groups, group, side) for side in sides]
    is_skin = outside[0] != outside[1]
    beyond = np.where(outside[0][:, None], sides[0], sides[1])
    return bool(np.all(_contains(groups, partner, beyond[is_skin])))


def _contains(groups: Groups, group: int, points: Floats) -> Inside:
    found = np.zeros(len(points), dtype=bool)
    for member in groups.members[group]:
        found |= groups.bodies[member].solid.contains(points)
    return found
