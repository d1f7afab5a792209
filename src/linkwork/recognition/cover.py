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
    sides = np.stack([points + way * reach * normals for way in (1, -1)])
    outside = ~_contains(groups, group, sides.reshape(-1, 3)).reshape(2, -1)
    is_skin = outside[0] != outside[1]
    beyond = np.where(outside[0][:, None], sides[0], sides[1])
    return bool(np.all(_contains(groups, partner, beyond[is_skin])))


def _contains(groups: Groups, group: int, points: Floats) -> Inside:
    found = np.zeros(len(points), dtype=bool)
    if not len(points):
        return found
    least, most = points.min(axis=0), points.max(axis=0)
    for member in groups.members[group]:
        low, high = groups.bodies[member].box
        if np.all(low <= most) and np.all(high >= least):
            found |= groups.bodies[member].membership.contains(points)
    return found
