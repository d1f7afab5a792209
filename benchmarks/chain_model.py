"""The planar n-link chain, written once for every algebra that offers + − × ÷, sin and cos.

Uniform slender rods of length 1 m and mass 1 kg hang from a pin, q = 0 straight down. Angles are either
relative to the link before (``relative``) or to the vertical (``absolute``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

LENGTH, MASS, GRAVITY = 1, 1, 9.81
INERTIA = MASS * LENGTH**2 / 12

Function = Callable[[Any], Any]


def energies(q: Sequence[Any], v: Sequence[Any], form: str, sin: Function, cos: Function) -> tuple[Any, Any]:
    """Kinetic and potential energy."""
    kinetic = potential = 0.0
    angle = rate = 0.0
    height = x_rate = z_rate = 0.0
    for link in range(len(q)):
        angle = angle + q[link] if form == "relative" and link else q[link]
        rate = rate + v[link] if form == "relative" and link else v[link]
        s, c = sin(angle), cos(angle)
        centre_x = x_rate - LENGTH / 2 * c * rate
        centre_z = z_rate + LENGTH / 2 * s * rate
        kinetic = kinetic + MASS / 2 * (centre_x**2 + centre_z**2) + INERTIA / 2 * rate**2
        potential = potential + MASS * GRAVITY * (height - LENGTH / 2 * c)
        x_rate = x_rate - LENGTH * c * rate
        z_rate = z_rate + LENGTH * s * rate
        height = height - LENGTH * c
    return kinetic, potential


def articulated(q: Sequence[Any], v: Sequence[Any], sin: Function, cos: Function) -> list[Any]:
    """The accelerations by articulated-body recursion (Featherstone) in the plane, relative angles.

    Each link carries its articulated inertia about its joint as (angle, x, z) in link axes; the joint
    frees the angle, so what is handed to the link before is a 2×2 inertia and a force at the joint.
    """
    n = len(q)
    sines, cosines = [sin(angle) for angle in q], [cos(angle) for angle in q]
    rates = [v[0]]
    for link in range(1, n):
        rates.append(rates[-1] + v[link])
    arm = -LENGTH / 2
    turn = [INERTIA + MASS * arm * arm] * n  # the inertia's entries: angle–angle, angle–x, angle–z, …
    turn_x, turn_z = [MASS * arm] * n, [0.0] * n
    xx, xz, zz = [MASS] * n, [0.0] * n, [MASS] * n
    force = [(0.0, 0.0, -MASS * arm * rate**2) for rate in rates]
    inverse: list[Any] = [0.0] * n
    for link in range(n - 1, -1, -1):
        inverse[link] = 1 / turn[link]
        if link == 0:
            break
        c, s = cosines[link], sines[link]
        lever_x, lever_z = turn_x[link] * inverse[link], turn_z[link] * inverse[link]
        a = xx[link] - turn_x[link] * lever_x
        b = xz[link] - turn_z[link] * lever_x
        d = zz[link] - turn_z[link] * lever_z
        pull = rates[link - 1] ** 2 * LENGTH
        torque, force_x, force_z = force[link]
        along_x = force_x + (c * b - s * a) * pull - lever_x * torque
        along_z = force_z + (c * d - s * b) * pull - lever_z * torque
        p, r = a * c + b * s, b * c + d * s
        u, w = b * c - a * s, d * c - b * s
        in_xx, in_xz, in_zz = c * p + s * r, c * u + s * w, c * w - s * u
        in_x, in_z = c * along_x + s * along_z, c * along_z - s * along_x
        before = link - 1
        xx[before], xz[before], zz[before] = xx[before] + in_xx, xz[before] + in_xz, zz[before] + in_zz
        turn[before] = turn[before] + LENGTH * LENGTH * in_xx
        turn_x[before], turn_z[before] = turn_x[before] - LENGTH * in_xx, turn_z[before] - LENGTH * in_xz
        torque, force_x, force_z = force[before]
        force[before] = (torque - LENGTH * in_x, force_x + in_x, force_z + in_z)
    return _outwards(sines, cosines, rates, turn_x, turn_z, force, inverse)


def _outwards(
    sines: list[Any],
    cosines: list[Any],
    rates: list[Any],
    turn_x: list[Any],
    turn_z: list[Any],
    force: list[Any],
    inverse: list[Any],
) -> list[Any]:
    """The accelerations link by link from the pin."""
    accelerations = []
    angular: Any = 0.0
    x: Any = 0.0
    z: Any = GRAVITY
    for link in range(len(rates)):
        if link:
            x, z = x - LENGTH * angular, z + rates[link - 1] ** 2 * LENGTH
        c, s = cosines[link], sines[link]
        x, z = c * x - s * z, s * x + c * z
        own = -(force[link][0] + turn_x[link] * x + turn_z[link] * z) * inverse[link] - angular
        angular = angular + own
        accelerations.append(own)
    return accelerations


def reference(q: NDArray[np.float64], v: NDArray[np.float64], form: str) -> NDArray[np.float64]:
    """The accelerations by an independent closed form: the mass matrix of absolute angles."""
    n = len(q)
    angle, rate = (np.cumsum(q), np.cumsum(v)) if form == "relative" else (q, v)
    place = np.arange(n)
    outboard = n - 1 - np.maximum.outer(place, place)
    weight = MASS * LENGTH**2 * (outboard + np.where(np.equal.outer(place, place), 0.25, 0.5))
    difference = np.subtract.outer(angle, angle)
    mass = weight * np.cos(difference) + np.eye(n) * INERTIA
    forces = -(weight * np.sin(difference)) @ rate**2
    forces -= MASS * GRAVITY * LENGTH * (n - 1 - place + 0.5) * np.sin(angle)
    accelerations = np.asarray(np.linalg.solve(mass, forces), dtype=np.float64)
    if form == "relative":
        return np.diff(accelerations, prepend=0).astype(np.float64)
    return accelerations
