"""Swings that die away: when a pattern has become so small that nothing moves any more."""

from __future__ import annotations

import numpy as np

from linkwork.foresee.envelope import Envelope
from linkwork.foresee.resting import NEAR_REST
from linkwork.kinematics.arrays import Matrix

NOISE = 1e-6
"""Of what is little: what a variable gains by less in a repetition tells nothing."""


def is_faded(envelope: Envelope, floor: Matrix, positions: int) -> bool:
    """Whether at the last node no variable moves by more than a little of its range at the first one, nor will."""
    first, last = envelope.nodes[0].spread[:positions], envelope.nodes[-1]
    near = NEAR_REST * np.maximum(first, floor[:positions])
    is_moved = first > floor[:positions]
    if not np.any(is_moved) or np.any(last.spread[:positions] > near):
        return False
    return bool(np.all(_still_gained(envelope, near) <= near))


def _still_gained(envelope: Envelope, near: Matrix) -> Matrix:
    """What variables still gain in all repetitions behind the last node, if each gains by a factor f less: s / (1 - f).

    The factor is that since the node before.
    """
    last, before = envelope.nodes[-1], envelope.nodes[-2:][0]
    own = slice(1, len(near) + 1)
    gains, earlier = np.abs(last.slope[own]), np.abs(before.slope[own])
    repetitions = max(last.number - before.number, 1.0)
    ratio = np.divide(gains, earlier, out=np.ones_like(gains), where=earlier > 0)
    factor = np.minimum(ratio, 1.0) ** (1 / repetitions)
    left = np.where(factor < 1, gains / np.maximum(1 - factor, np.finfo(float).tiny), np.inf)
    found: Matrix = np.where(gains > NOISE * near, left, 0.0)
    return found


def faded_at(envelope: Envelope, floor: Matrix, positions: int) -> list[float | None]:
    """The repetition in which each variable last moves by more than that; None of what never did."""
    found: list[float | None] = []
    numbers = np.array([node.number for node in envelope.nodes])
    for place in range(positions):
        spreads = np.array([node.spread[place] for node in envelope.nodes])
        near = NEAR_REST * max(float(spreads[0]), float(floor[place]))
        away = np.flatnonzero(spreads > near)
        if spreads[0] <= floor[place] or not len(away):
            found.append(None)
            continue
        a, b = int(away[-1]), int(away[-1]) + 1
        share = np.log(spreads[a] / near) / np.log(spreads[a] / max(float(spreads[b]), 1e-3 * near))
        found.append(float(numbers[a] + share * (numbers[b] - numbers[a])))
    return found
