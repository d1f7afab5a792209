"""Parts that go from one position in space to the next along screws.

A twist (ω, v) moves a part by exp(ω, v) = (R, V·v), with K = [ω]×, θ = |ω| (Lynch, Park, Modern Robotics, 3.3.3):

    R = 1 + sin θ/θ · K + (1 - cos θ)/θ² · K²,    V = 1 + (1 - cos θ)/θ² · K + (θ - sin θ)/θ³ · K²

Turning, sliding and screwing about any axis is a twist that does not change, so such positions are exact.
"""

from __future__ import annotations

import math

import numpy as np

from linkwork.solid import Placement
from linkwork.solid.placement import Floats

SMALL = 1e-4
"""Angles below which the quotients above are taken from their series, which is then right to the last digit."""


def position(row: Floats) -> Placement:
    """How far a part has moved, by its origin and its quaternion w, x, y, z."""
    return Placement.of(_matrices(row[None, 3:])[0], row[:3])


def moved_by(twist: Floats) -> Placement:
    """How far a twist moves a part.

    >>> quarter = moved_by(np.array([0, 0, math.pi / 2, 0, -math.pi / 2, 1]))  # about the axis at x = 1
    >>> [round(value, 9) + 0.0 for value in quarter.origin]
    [1.0, -1.0, 1.0]
    """
    turns, shifts = _turns_and_shifts(twist[None, :3])
    return Placement.of(turns[0], shifts[0] @ twist[3:])


def twists(rows: Floats, rates: Floats) -> Floats:
    """How fast a part moves at rows, in its own axes, by the rates of its origin and its quaternion."""
    turning = 2 * _product(_conjugate(rows[:, 3:]), rates[:, 3:])[:, 1:]
    shifting = np.einsum("nji,nj->ni", _matrices(rows[:, 3:]), rates[:, :3])
    return np.concatenate([turning, shifting], axis=1)


def quaternion_rates(quaternions: Floats, turning: Floats) -> Floats:
    """How fast quaternions change with which parts turn at an angular velocity: q̇ = ω q / 2."""
    return np.asarray(_product(np.pad(turning, ((0, 0), (1, 0))), quaternions) / 2)


def steps(rows: Floats, along: Floats | None) -> Floats:
    """The twists that lead from each row to the next; whole turns between them are told by the twists at rows."""
    turn = _product(_conjugate(rows[:-1, 3:]), rows[1:, 3:])
    turn = np.where(turn[:, :1] < 0, -turn, turn)
    sines = np.linalg.norm(turn[:, 1:], axis=1)
    angles = 2 * np.arctan2(sines, turn[:, 0])
    axes = turn[:, 1:] / np.where(sines > 0, sines, 1.0)[:, None]
    if along is not None:
        mean = (along[:-1, :3] + along[1:, :3]) / 2
        whole = np.round((np.einsum("ni,ni->n", mean, axes) - angles) / math.tau)
        angles = angles + math.tau * np.where(np.isfinite(whole), whole, 0.0)
    turning = angles[:, None] * axes
    shifts = np.einsum("nji,nj->ni", _matrices(rows[:-1, 3:]), np.diff(rows[:, :3], axis=0))
    shifting = np.einsum("nij,nj->ni", np.linalg.pinv(_turns_and_shifts(turning)[1]), shifts)
    return np.concatenate([turning, shifting], axis=1)


def rates_at_ends(steps: Floats, along: Floats) -> Floats:
    """How fast the twist from its first row grows where a stretch ends: V + [ξ, V]/2 + [ξ, [ξ, V]]/12 + O(ξ⁴ V).

    It is the inverse of the right Jacobian of exp; brackets of twists about one axis vanish.
    """
    once = _bracket(steps, along[1:])
    return np.asarray(along[1:] + once / 2 + _bracket(steps, once) / 12)


def _bracket(one: Floats, other: Floats) -> Floats:
    """[ξ, η] = (ω × ω′, ω × v′ - ω′ × v)."""
    turning = np.cross(one[:, :3], other[:, :3])
    shifting = np.cross(one[:, :3], other[:, 3:]) - np.cross(other[:, :3], one[:, 3:])
    return np.concatenate([turning, shifting], axis=1)


def _turns_and_shifts(turning: Floats) -> tuple[Floats, Floats]:
    """R and V of each vector ω."""
    x, y, z = turning.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    angle = np.linalg.norm(turning, axis=1)[:, None, None]
    small = angle < SMALL
    safe = np.where(small, 1.0, angle)
    one = np.where(small, 1 - angle**2 / 6, np.sin(safe) / safe)
    two = np.where(small, 0.5 - angle**2 / 24, 2 * (np.sin(safe / 2) / safe) ** 2)
    three = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    twice = cross @ cross
    return np.eye(3) + one * cross + two * twice, np.eye(3) + two * cross + three * twice


def _matrices(quaternions: Floats) -> Floats:
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    entries = [
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    ]
    return np.stack(entries, axis=1).reshape(-1, 3, 3)


def _conjugate(quaternions: Floats) -> Floats:
    return np.asarray(quaternions * np.array([1.0, -1.0, -1.0, -1.0]))


def _product(one: Floats, other: Floats) -> Floats:
    a, b = one[:, 1:], other[:, 1:]
    scalar = one[:, 0] * other[:, 0] - np.einsum("ni,ni->n", a, b)
    vector = one[:, :1] * b + other[:, :1] * a + np.cross(a, b)
    return np.concatenate([scalar[:, None], vector], axis=1)
