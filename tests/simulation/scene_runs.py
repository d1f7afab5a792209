"""Runs of the scenes that come with linkwork, and what tests read from them: places, rotations, angles."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import linkwork as lw

Array = Any
NO_DRAG = {"drag_constant": 0}
UP = np.array([0.0, 0.0, 1.0])


@cache
def simulator(name: str) -> lw.Simulator:
    return lw.Simulator(lw.load(name))


@cache
def run(name: str, until: float = 5.0, **parameters: float) -> lw.Solution:
    """A run that reached the accuracy it was asked for and kept its constraints."""
    solution = simulator(name).simulate(until, parameters=parameters)
    assert solution.status == "complete", solution.why
    assert solution.accurate, solution.why
    assert solution.residual < 1e-9
    return solution


def values(name: str, **parameters: float) -> dict[str, float]:
    return simulator(name).machine.values(parameters)


def reference(rates: Callable[[float, Array], Array], start: Array, times: Array) -> Array:
    found = solve_ivp(rates, (times[0], times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12)
    assert found.success
    return found.y


def place(solution: lw.Solution, frame: str, end: str = "") -> Array:
    return np.array([solution[f"{frame}.t{axis}{end}"] for axis in "xyz"])


def quaternion(solution: lw.Solution, frame: str, end: str = "") -> Array:
    return np.array([solution[f"{frame}.r{axis}{end}"] for axis in "wxyz"])


def rotation(q: Array) -> Array:
    """The matrix of each quaternion of a row, axes times axes times rows."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def world_spin(solution: lw.Solution, frame: str) -> Array:
    """ω = 2·q'·q*."""
    (w, x, y, z), (dw, dx, dy, dz) = quaternion(solution, frame), quaternion(solution, frame, "_rate")
    return 2 * np.array(
        [
            w * dx - x * dw + y * dz - z * dy,
            w * dy - y * dw + z * dx - x * dz,
            w * dz - z * dw + x * dy - y * dx,
        ]
    )


def in_body(matrix: Array, vector: Array) -> Array:
    return np.einsum("jit,jt->it", matrix, vector)


def in_world(matrix: Array, vector: Array) -> Array:
    return np.einsum("ijt,jt->it", matrix, vector)


def crossed(a: Array, b: Array) -> Array:
    return np.cross(a, b, axis=0)


def angle(solution: lw.Solution, frame: str, axis: str = "y") -> Array:
    return np.unwrap(2 * np.arctan2(solution[f"{frame}.r{axis}"], solution[f"{frame}.rw"]), period=4 * np.pi)


def angle_rate(solution: lw.Solution, frame: str, axis: str = "y") -> Array:
    w, r = solution[f"{frame}.rw"], solution[f"{frame}.r{axis}"]
    return 2 * (w * solution[f"{frame}.r{axis}_rate"] - r * solution[f"{frame}.rw_rate"])
