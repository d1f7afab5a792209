"""Whether faces are covered by another part, so that no third one can touch them."""

from __future__ import annotations

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.skin import round_samples
from linkwork.solid.placement import Floats
from linkwork.solid.values import Inside


def are_within(groups: Groups, faces: Rounds, group: int, partner: int, reach: float) -> Inside:
    """Which round faces of a group lie, but for a gap, wholly at the material of another."""
    if not len(faces):
        return np.zeros(0, dtype=bool)
    points, normals = round_samples(faces)
    sides = np.stack([points + way * reach * normals for way in (1, -1)])
    outside = ~contains(groups, group, sides.reshape(-1, 3)).reshape(2, -1)
    beyond = np.where(outside[0][:, None], sides[0], sides[1])
    is_open = outside[0] != outside[1]
    is_open[is_open] = ~contains(groups, partner, beyond[is_open])
    return np.asarray(~is_open.reshape(len(faces), -1).any(axis=1))


def contains(groups: Groups, group: int, points: Floats) -> Inside:
    """Which points are in the material of a group."""
    found = np.zeros(len(points), dtype=bool)
    if not len(points):
        return found
    least, most = points.min(axis=0), points.max(axis=0)
    for member in groups.members[group]:
        low, high = groups.bodies[member].box
        if np.all(low <= most) and np.all(high >= least):
            found |= groups.bodies[member].membership.contains(points)
    return found
