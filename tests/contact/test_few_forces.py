"""One touch, or two forces, are solved by cases and by elimination: against what the general methods find."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.contact.native import rigid_runtime
from linkwork.emit.compiler import find_compiler
from linkwork.kinematics.arrays import Matrix
from linkwork.model.read import machine_from_text

SPARE = 1e-10
"""What is left of a force's effect beside others' if it adds nothing to them."""

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")

ROD = """
linkwork = 1
gravity = [0, -10]
[part.table]
fixed = true
solid = 'translate([-50, -1, 0]) cube([200, 1, 1]);'
[part.rod]
free = true
solid = 'linear_extrude(1) polygon([[0, 0], [{x}, {y}], [{x} + 0.001, {y} + 0.001]]);'
centre = ["{x}/2", "{y}/2"]
mass = 1
inertia = "1/3"
[contact]
friction = {friction}
"""


def two_forces(matrix: Matrix, bias: Matrix) -> Matrix | None:
    """Forces f with matrix·f = -bias, or None where the engine leaves them to the general method."""
    force = np.zeros(2)
    pointers = [ctypes.c_void_p(each.ctypes.data) for each in (matrix, bias, force)]
    balances = rigid_runtime().lw_balance_two
    return force if balances(*pointers[:2], ctypes.c_double(SPARE), pointers[2]) else None


def test_two_forces_balance() -> None:
    """Of regular relations elimination finds what a solver for any number does, whichever pivot is larger."""
    random = np.random.default_rng(5)
    for _ in range(500):
        matrix, bias = random.normal(size=(2, 2)) * 10.0 ** random.uniform(-6, 6), random.normal(size=2)
        found = two_forces(matrix, bias)
        assert found is not None
        assert np.abs(matrix @ found + bias).max() <= 1e-9 * np.abs(bias).max()


@pytest.mark.parametrize("share", [0.0, 1e-12])
def test_spare_forces_are_left_to_the_shortest(share: float) -> None:
    """Of two forces that do the same, but for rounding, or nothing at all, elimination tells nothing."""
    assert two_forces(np.array([[1.0, 2.0], [2.0, 4.0 + share]]), np.array([1.0, 2.0])) is None
    assert two_forces(np.array([[0.0, 0.0], [0.0, share]]), np.array([1.0, 2.0])) is None
    assert two_forces(np.array([[1.0, math.nan], [2.0, 3.0]]), np.array([1.0, 2.0])) is None


def impulses(lean: float, friction: float, along: float) -> tuple[float, float]:
    """Of the end of a rod that strikes a table with the speed 1, moving along it too: up and along, by all cases.

    With m = l = 1 and I = 1/3 impulses (n, t) change the end's velocity by G (n, t); it neither goes on down nor,
    unless its friction is used up, slips. The case that contradicts none of its own conditions is the answer.
    """
    c, s = math.cos(lean), math.sin(lean)
    gives = np.array([[1 + 3 * c * c, -3 * c * s], [-3 * c * s, 1 + 3 * s * s]])
    before = np.array([-1.0, along])
    answers = [np.linalg.solve(gives, -before)]
    for way in (friction, -friction):
        normal = 1.0 / (gives[0, 0] + way * gives[0, 1])
        answers.append(np.array([normal, way * normal]))
    fits = [
        abs(answers[0][1]) <= friction * answers[0][0],
        (before + gives @ answers[1])[1] <= 0,
        (before + gives @ answers[2])[1] >= 0,
    ]
    if fits[0]:
        fits[1:] = [False, False]
    assert fits.count(True) == 1
    normal, tangential = answers[fits.index(True)]
    return float(normal), float(tangential)


@pytest.mark.parametrize("along", [-3.0, -0.4, 0.1, 2.0])
@pytest.mark.parametrize("friction", [0.0, 0.2, 0.7])
@pytest.mark.parametrize("lean", [0.3, 0.9, 1.4])
def test_a_rod_strikes_with_its_end(lean: float, friction: float, along: float) -> None:
    """It sticks where friction is enough for that, else slips the way in which sticking would need too much."""
    normal, tangential = impulses(lean, friction, along)
    text = ROD.format(x=2 * math.cos(lean), y=2 * math.sin(lean), friction=friction)
    rod = machine_from_text(text, "rod.toml", "rod")
    found = lw.simulate(rod, 1e-4, step=1e-4, contact="rigid", rates={"rod.x": along, "rod.y": -1.0})
    struck = found.events[0]
    assert struck["kind"] == "impact"
    assert struck["impulse"] == pytest.approx(normal, rel=1e-9)
    assert abs(struck["tangential"]) == pytest.approx(abs(tangential), rel=1e-9, abs=1e-12)
    c, s = math.cos(lean), math.sin(lean)
    assert found["rod.vy"][0] == pytest.approx(0, abs=1e-9)
    after = along - 3 * c * s * normal + (1 + 3 * s * s) * tangential
    assert found["rod.vx"][0] == pytest.approx(after, abs=1e-9)
