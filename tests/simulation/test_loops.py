"""Loops with more constraints than they need, and loops that pass singular positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from published import (
    Array,
    Body,
    Joint,
    four_bars,
    four_bars_angle,
    motion,
)
from published_runs import drift, last, run, run_text

from linkwork.simulation.native import NativeMachine


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up after 5,000 steps: a run that is stuck would take hours."""
    whole = NativeMachine.run

    def bounded(self: NativeMachine, *given: Any, **options: Any) -> Any:
        return whole(self, *given, **{**options, "most_steps": 5_000})

    monkeypatch.setattr(NativeMachine, "run", bounded)


# ------------------------------------------------------------------------------- over-constrained

CUBE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]], float)
CUBE_AXES = np.eye(3)[[1, 2, 0, 1, 2, 0]]


def bricard(until: float) -> Array:
    """The corner between the third and fourth rod, by the reference."""
    ends = [(CUBE[i], CUBE[(i + 1) % 6]) for i in range(1, 6)]
    along = [np.outer(b - a, b - a) for a, b in ends]
    bodies = [
        Body(1, (a + b) / 2, (np.eye(3) - u) / 12 + 0.01 * u) for (a, b), u in zip(ends, along, strict=True)
    ]
    number = [4, -1, 0, 1, 2, 3, 4, -1]
    joints = [Joint(number[i], number[i + 1] if i else -1, CUBE[i], CUBE_AXES[i]) for i in range(1, 6)]
    joints.append(Joint(4, -1, CUBE[0], CUBE_AXES[0]))
    return motion(bodies, joints, until, (0, -9.81, 0)).point(2, CUBE[4])


def test_bricard_falls() -> None:
    """IFToMM A04: six hinges, one constraint too many; it is recognised, and the motion is right."""
    found = run("bricard-falling", 0.5, parameters={"thin": 0.01})
    assert found.accurate
    assert len(found.redundant) == 1
    assert drift(found) < 1e-7
    assert last(found, "rod4.x", "rod4.y", "rod4.z") == pytest.approx(bricard(0.5), abs=1e-8)


def test_bricard_swings_through() -> None:
    """The mechanism has one freedom all the time; its energy is kept for ten seconds."""
    found = run("bricard-falling", 10)
    assert found.status == "complete"
    assert found.accurate
    assert drift(found) < 1e-6


def bars_in_space(dimension: int) -> str:
    """A crank-rocker under gravity, as drawn, in the plane or in space."""
    places = np.array([[0, 0], [2 * np.cos(0.7), 2 * np.sin(0.7)], [4.5, 4.0], [7, 0]])

    def vector(given: Any) -> str:
        return "[" + ", ".join(repr(float(each)) for each in [*given, 0.0][:dimension]) + "]"

    text = f"linkwork = 1\ndimension = {dimension}\ngravity = {vector([0, -9.81])}\n"
    names = ["ground", "crank", "coupler", "rocker", "ground"]
    for i, name in enumerate(names[1:4]):
        length = float(np.linalg.norm(places[i + 1] - places[i]))
        moment = length**2 / 12
        inertia = repr(moment) if dimension == 2 else repr([moment] * 3)
        text += f"\n[part.{name}]\nmass = 1\ncentre = {vector((places[i + 1] - places[i]) / 2)}\n"
        text += f"inertia = {inertia}\nstart = {{ at = {vector(places[i])} }}\n"
    for i, letter in enumerate("ABCD"):
        text += f'\n[joint.{letter}]\ntype = "revolute"\nparts = ["{names[i]}", "{names[i + 1]}"]\n'
        text += f"at = {vector(places[i])}\n"
    spin = "crank.rate" if dimension == 2 else "angular_velocity(crank).z"
    return text + f'\n[initial.spin]\nholds = "{spin} == 8"\n'


def test_a_planar_four_bar_in_space_moves_as_in_the_plane() -> None:
    """Three constraints too many, recognised; the same motion through several turns of the crank."""
    flat, deep = (run_text(bars_in_space(dimension), 3) for dimension in (2, 3))
    assert flat.accurate
    assert deep.accurate
    assert len(deep.redundant) == 3
    assert last(deep, "rocker.x", "rocker.y") == pytest.approx(last(flat, "rocker.x", "rocker.y"), abs=1e-8)
    turn = 2 * np.arctan2(deep["crank.q3"], deep["crank.q0"])
    assert np.exp(1j * turn) == pytest.approx(np.exp(1j * flat["crank.angle"]), abs=1e-8)


# --------------------------------------------------------------------------------- singular positions


@pytest.mark.parametrize("count", [1, 4])
def test_four_bars_before_they_are_flat(count: int) -> None:
    """Parallel cranks swing as one pendulum."""
    found = run_text(four_bars(count, -30), 0.05)
    angle, rate = four_bars_angle(count, -30, 0.05)
    assert last(found, "crank0.angle", f"crank{count}.angle") == pytest.approx([angle, angle], abs=1e-10)
    assert last(found, "crank0.rate") == pytest.approx([rate], abs=1e-7)


SWINGS = [(1, -30, 1), (1, -1, 4), (1, 1, 10), (2, 1, 10), (2, 30, 1), (4, -30, 1), (10, 30, 1), (10, 1, 10),
    pytest.param(40, 1, 10, marks=pytest.mark.slow)]  # fmt: skip


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize(("count", "speed", "until"), SWINGS)
def test_four_bars_pass_flat_positions(count: int, speed: float, until: float) -> None:
    """Where all bars lie on one line the loops could go on in two ways; inertia keeps them parallel."""
    found = run_text(four_bars(count, speed), until, rtol=1e-6)
    angle, _ = four_bars_angle(count, speed, until)
    assert found.accurate
    assert last(found, "crank0.angle", f"crank{count}.angle") == pytest.approx(
        [angle, angle], rel=1e-6, abs=1e-6
    )
    assert drift(found) < 1e-6 * (count + 1) * speed**2


@pytest.mark.usefixtures("few_steps")
def test_four_bars_that_get_stuck_say_so() -> None:
    """Never a silent wrong answer: either the right motion, or a reason."""
    found = run_text(four_bars(1, -30), 1)
    angle, _ = four_bars_angle(1, -30, 1)
    is_right = found.status == "complete" and abs(found["crank0.angle"][-1] - angle) < 1e-7
    assert is_right or (not found.accurate and found.why)
