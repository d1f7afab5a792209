"""Laws of the functions of a machine that may touch: those that give all at once give what the single ones do."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact import ContactIslands
from linkwork.contact.simulator import ContactSimulator
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.model.read import machine_from_text
from linkwork.recognition import recognise

SPACE = """linkwork = 1
gravity = [0, 0, -9.81]
[part.table]
fixed = true
solid = "translate([-5, -5, -1]) cube([10, 10, 1]);"
[part.block]
free = true
density = 1
solid = "translate([0, 0, 1]) rotate([20, 30, 40]) cube([1, 0.7, 0.4]);"
"""
MACHINES: dict[str, Callable[[], Machine]] = {
    name: partial(lw.load, name) for name in ("escapement", "woodpecker", "geneva-drive", "cam-and-follower")
}
MACHINES["space"] = lambda: machine_from_text(SPACE, "space.toml", "space")


class Toucher(ctypes.Structure):
    """What ``toucher.h`` tells of a machine."""

    _fields_ = [
        ("scheme", ctypes.c_void_p),
        ("inputs", ctypes.c_int),
        ("bodies", ctypes.c_void_p),
        ("motion", ctypes.c_void_p),
        ("response", ctypes.c_void_p),
        ("bodies_along", ctypes.c_void_p),
        ("derivative_along", ctypes.c_void_p),
    ]


def called(toucher: Toucher, name: str, *arrays: Matrix) -> None:
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))(getattr(toucher, name))
    function(*(each.ctypes.data for each in arrays))


def states(simulator: ContactSimulator) -> list[tuple[Matrix, Matrix]]:
    """The start and states near it, with rates; and what is of order zero."""
    begun, random = simulator.begun({}, {}, {}, None), np.random.default_rng(5)
    state, zeroth = np.array(begun.started.state), np.array([*begun.started.positions, 0.0])
    size = np.maximum(np.abs(state), 1e-2 * max(1.0, float(np.abs(state).max())))
    return [(state + 0.1 * size * random.normal(size=state.size), zeroth) for _ in range(5)]


@pytest.mark.parametrize("name", MACHINES)
def test_motion_and_response_are_those_of_the_single_functions(name: str) -> None:
    for simulator in ContactIslands(recognise(MACHINES[name]())).simulators:
        native, begun = simulator.native, simulator.begun({}, {}, {}, None)
        toucher = Toucher.from_address(native._toucher)
        parts, n = len(simulator.parts), native.size
        is_plane = simulator.plain.dimension == 2
        numbers, loads = (6 * parts, 3 * parts) if is_plane else (13 * parts, 6 * parts)
        k, t = begun.constants, np.array([begun.time])
        c = np.zeros(toucher.inputs + loads + 1)
        c[: toucher.inputs] = begun.controls[: toucher.inputs]
        for y, q0 in states(simulator):
            rate, out, along = np.zeros(n), np.zeros(numbers + 4 * parts), np.zeros(numbers)
            called(toucher, "motion", y, q0, k, c, t, rate, out, along)
            clock = np.zeros(toucher.inputs + loads + 1)
            clock[-1] = 1.0
            told, alone = np.zeros(numbers + 4 * parts), np.zeros(numbers)
            called(toucher, "bodies", y, q0, k, c, t, told)
            np.testing.assert_allclose(rate, native.derivative(y, k, c, begun.time), 1e-9, 1e-9)
            called(toucher, "bodies_along", y, q0, k, c, t, rate, clock, alone)
            np.testing.assert_allclose(out, told, 1e-12, 1e-12)
            np.testing.assert_allclose(along, alone, 1e-9, 1e-9 * (1.0 + np.abs(alone).max()))
            if is_plane:
                angles = told[:numbers].reshape(parts, 6)[:, 2]
                places = told[numbers:].reshape(parts, 4)
                np.testing.assert_allclose(places[:, 0], np.cos(angles), 1e-12, 1e-12)
                np.testing.assert_allclose(places[:, 1], np.sin(angles), 1e-12, 1e-12)
                np.testing.assert_array_equal(places[:, 2:], told[:numbers].reshape(parts, 6)[:, :2])
            push = np.random.default_rng(6).normal(size=loads)
            direction = np.zeros(toucher.inputs + loads + 1)
            direction[toucher.inputs : toucher.inputs + loads] = push
            response, moved, single, body = np.zeros(n), np.zeros(numbers), np.zeros(n), np.zeros(numbers)
            called(toucher, "response", y, q0, k, c, t, out[numbers:], push, response, moved)
            called(toucher, "derivative_along", y, k, c, t, np.zeros(n), direction, single)
            called(toucher, "bodies_along", y, q0, k, c, t, single, np.zeros(direction.size), body)
            np.testing.assert_allclose(response, single, 1e-9, 1e-9 * np.abs(single).max())
            np.testing.assert_allclose(moved, body, 1e-9, 1e-9 * np.abs(body).max())
            assert np.abs(response).max() > 0.0
