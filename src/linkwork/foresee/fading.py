"""Swings that die away: when a pattern has become so small that nothing moves any more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.foresee.envelope import Envelope
from linkwork.kinematics.arrays import Matrix

NOISE = 1e-6
"""Of what is little: what a variable gains by less in a repetition tells nothing."""

LATE = 0.75
"""Repetitions: half of the time in which the last swing may have been that is told of one."""


@dataclass(frozen=True)
class Fading:
    """The repetition in which a variable is last away from its place, and by how many that may be off."""

    number: float
    off: float


def is_faded(envelope: Envelope, near: Matrix) -> bool:
    """Whether at the last node no variable is farther from its place than what is near it, nor will be."""
    last, own = envelope.nodes[-1], slice(0, len(near))
    if not np.any(envelope.nodes[0].spread[own] > 2 * near) or np.any(last.spread[own] > 2 * near):
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


def faded_at(envelope: Envelope, near: Matrix) -> list[Fading | None]:
    """When each variable is last away from the middle of its last swing; None of what never was."""
    nodes = envelope.nodes
    numbers = np.array([node.number for node in nodes])
    places = (nodes[-1].low + nodes[-1].high) / 2
    every = np.array([np.maximum(node.high - places, places - node.low) for node in nodes])
    return [_crossing(numbers, away / least) for away, least in zip(every.T[: len(near)], near, strict=True)]


def _crossing(numbers: Matrix, away: Matrix) -> Fading | None:
    """Where what falls becomes one: by a parabola through logarithms, which are a line where swings lose a share each.

    The swing of a repetition may be that with which it begins, and the last one that counts half a swing before that.
    """
    left = np.flatnonzero(away > 1)
    if not len(left) or left[-1] == len(away) - 1:
        return None
    a = int(left[-1])
    logs = np.log(np.maximum(away, np.finfo(float).tiny))
    straight = float(np.interp(0.0, logs[[a + 1, a]], numbers[[a + 1, a]]))
    third = a - 1 if a else a + 2
    if third >= len(away):
        return Fading(straight - LATE, float(numbers[a + 1] - numbers[a]) + LATE)
    chosen = [third, a, a + 1]
    bent = float(np.linalg.solve(np.vander(logs[chosen], increasing=True), numbers[chosen])[0])
    bent = min(max(bent, float(numbers[a])), float(numbers[a + 1]))
    return Fading(bent - LATE, abs(bent - straight) + LATE)
