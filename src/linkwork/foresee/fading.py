"""Swings that die away: when a pattern has become so small that nothing moves any more."""

from __future__ import annotations

import numpy as np

from linkwork.foresee.envelope import Envelope
from linkwork.foresee.marks import NEAR_REST
from linkwork.kinematics.arrays import Matrix


def is_faded(envelope: Envelope, floor: Matrix, positions: int) -> bool:
    """Whether at the last node no variable moves by more than a little of its range at the first one."""
    first, last = envelope.nodes[0].spread[:positions], envelope.nodes[-1]
    near = NEAR_REST * np.maximum(first, floor[:positions])
    advances = np.abs(last.slope[1 : positions + 1]) > near
    is_moved = first > floor[:positions]
    return bool(np.any(is_moved) and np.all(last.spread[:positions] <= near) and not np.any(advances))


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
