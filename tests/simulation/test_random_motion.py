"""Random chains and rings against Newton–Euler equations written apart, and laws of momentum, power and scale."""

from __future__ import annotations

import numpy as np
import pytest
from published import (
    Array,
    motion,
    random_chain,
    random_ring,
    rotation,
)
from published_runs import MACHINES, SPACE, drift, integrated, last, run_text
from scipy.integrate import simpson

import linkwork as lw
from linkwork.model import load
from linkwork.model.read import machine_from_text

# ------------------------------------------------------------------------------------ random machines

CHAINS = [(0, "rr"), (1, "sr"), (2, "fr"), *(pytest.param(s, k, marks=pytest.mark.slow) for s, k in [
    (3, "srr"), (4, "rsr"), (5, "fsr"), (6, "sss"), (7, "rrrr"), (8, "frss")])]  # fmt: skip


@pytest.mark.parametrize("form", ["frames", "parts"])
@pytest.mark.parametrize(("seed", "kinds"), CHAINS)
def test_random_chain_in_space(seed: int, kinds: str, form: str) -> None:
    """Frames with angles and quaternions, and parts with joints, move as Newton's and Euler's laws say."""
    chain = random_chain(seed, kinds)
    tip = motion(chain.bodies, chain.joints, 0.3, chain.gravity, chain.loads).point(
        len(kinds) - 1, chain.places[-1]
    )
    found = run_text(chain.frames if form == "frames" else chain.parts, 0.3)
    assert found.accurate
    where = chain.tip_of_frames if form == "frames" else chain.tip_of_parts
    assert where(lambda name: float(found[name][-1])) == pytest.approx(tip, abs=1e-9)


@pytest.mark.parametrize(
    ("seed", "kinds", "dimension"),
    [(1, "rrrr", 2), (2, "rrrrrr", 2), (3, "rrrr", 3), pytest.param(4, "rrrrrr", 3, marks=pytest.mark.slow),
     pytest.param(5, "rsrsr", 3, marks=pytest.mark.slow), (6, "rssr", 3)],
)  # fmt: skip
def test_random_ring(seed: int, kinds: str, dimension: int) -> None:
    """Closed loops with gravity, a spring with a damper and a torque over time."""
    ring = random_ring(seed, kinds, dimension)
    wanted = motion(ring.bodies, ring.joints, 0.4, ring.gravity, ring.loads).point(ring.middle, ring.place)
    found = run_text(ring.text, 0.4)
    assert found.accurate
    assert len(found.redundant) == (3 if dimension == 3 and "s" not in kinds else 0)
    columns = [f"b{ring.middle}.{axis}" for axis in "xyz"[:dimension]]
    assert last(found, *columns) == pytest.approx(wanted[:dimension], abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    "joint",
    [
        'type = "prismatic"\naxis = [1, 2, 3]',
        'type = "cylindrical"\naxis = [1, 2, 3]',
        'type = "screw"\npitch = 0.3\naxis = [1, 0, 2]',
        'type = "universal"\naxis = [1, 0.2, 0.3]',
        'type = "constant-velocity"\naxis = [1, 0.2, 0.3]',
        'type = "planar"\naxis = [1, 2, 3]',
        'type = "point-on-line"\naxis = [1, 2, 0.5]',
        'type = "point-on-plane"\naxis = [0.3, 0.2, 1]',
        'type = "fixed"',
    ],
)
def test_joints_in_space_do_no_work(joint: str) -> None:
    """Two bodies fall, the second on a joint of each kind; the energy is kept."""
    body = "mass = 1.3\ncentre = [0.3, 0.2, -0.1]\ninertia = [0.2, 0.25, 0.3, 0.02, -0.03, 0.01]\n"
    text = SPACE + "gravity = [1, -2, -9.81]\n"
    text += f"[part.a]\n{body}start = {{ at = [0.2, 0, 0] }}\n[part.b]\n{body}start = {{ at = [0.5, 0.6, 0.1] }}\n"
    text += '[joint.one]\ntype = "revolute"\nparts = ["ground", "a"]\nat = [0, 0, 0]\naxis = [0.2, 1, 0.1]\n'
    found = run_text(text + f'[joint.two]\nparts = ["a", "b"]\nat = [0.4, 0.5, 0]\n{joint}\n', 1)
    assert found.accurate
    assert found.residual < 1e-9
    assert drift(found) < 1e-9 * 70


def test_momentum_of_a_floating_chain() -> None:
    """Without outer forces the momentum stays, though a spring with a damper works between the bodies."""
    chain = random_chain(2, "fr")
    found = run_text(chain.frames, 0.6)
    masses = [body.mass for body in chain.bodies]
    centres = [body.centre - place for body, place in zip(chain.bodies, chain.places, strict=False)]
    before = sum(m * body.velocity for m, body in zip(masses, chain.bodies, strict=True))
    start = sum(m * body.centre for m, body in zip(masses, chain.bodies, strict=True))
    turned = rotation(last(found, *(f"b0.r{axis}" for axis in "wxyz")))
    first = last(found, "b0.tx", "b0.ty", "b0.tz")
    half, axis = found["b1.turn"][-1] / 2, chain.axes[1] / np.linalg.norm(chain.axes[1])
    second = turned @ rotation(np.array([np.cos(half), *(np.sin(half) * axis)]))
    joint = first + turned @ (chain.places[1] - chain.places[0])
    end = masses[0] * (first + turned @ centres[0]) + masses[1] * (joint + second @ centres[1])
    assert end == pytest.approx(start + 0.6 * before, abs=1e-9)


def test_driven_arm_carries_a_pendulum() -> None:
    """A drive over time, in parts: the pendulum's pivot accelerates as the drive says."""
    text = """linkwork = 1
gravity = [0, -9.81]
[part.arm]
mass = 1
centre = [1, 0]
inertia = 0.1
[part.bob]
mass = 1
centre = [0.5, 0]
inertia = 0.02
start = { at = [2, 0] }
[joint.O]
type = "revolute"
parts = ["ground", "arm"]
at = [0, 0]
[joint.A]
type = "revolute"
parts = ["arm", "bob"]
at = [2, 0]
[drive.turn]
joint = "O"
value = "0.3*t^2 + sin(2*t)"
[initial.bob]
holds = "bob.rate == 0.5"
"""

    def rates(t: float, y: Array) -> list[float]:
        a, w, turning = 0.3 * t * t + np.sin(2 * t), 0.6 * t + 2 * np.cos(2 * t), 0.6 - 4 * np.sin(2 * t)
        x = 2 * (-turning * np.sin(a) - w * w * np.cos(a))
        up = 2 * (turning * np.cos(a) - w * w * np.sin(a)) + 9.81
        return [y[1], -0.5 * (np.cos(y[0]) * up - np.sin(y[0]) * x) / 0.27]

    found = run_text(text, 2)
    assert last(found, "bob.angle", "bob.rate") == pytest.approx(integrated(rates, 2, [0, 0.5]), abs=1e-9)
    assert last(found, "arm.angle") == pytest.approx([1.2 + np.sin(4)], abs=1e-12)


def test_power_of_a_torque_and_a_damper_balances_the_energy() -> None:
    """The energy grows by what the torque does and shrinks by what the damper takes."""
    text = """linkwork = 1
gravity = [0, -9.81]
[frame.arm]
varies = ["turn"]
mass = 1
centre = [0.7, 0]
inertia = 0.1
[force.motor]
type = "torque"
on = "arm"
torque = "3*sin(2*t) - 0.4*arm.turn_rate"
"""
    found = lw.simulate(machine_from_text(text, "test.toml", "test"), 4, step=0.001)
    power = (3 * np.sin(2 * found.times) - 0.4 * found["arm.turn_rate"]) * found["arm.turn_rate"]
    total = found.energy["total"]
    assert total[-1] - total[0] == pytest.approx(simpson(power, x=found.times), abs=1e-9)


def test_scaled_frames() -> None:
    """A bead in a frame whose scale varies on a spring: x = scale/2 is an oscillator."""
    text = """linkwork = 1
[frame.balloon]
varies = ["sx"]
scale = [2, 1]
rates = { sx = 1 }
[frame.bead]
on = "balloon"
at = [0.5, 0]
mass = 1
[energy.spring]
value = "10/2*(position(bead).x - 1)^2"
"""
    found = run_text(text, 1)
    assert found["balloon.sx"] == pytest.approx(
        2 + np.sin(np.sqrt(10) * found.times) / np.sqrt(10), abs=1e-10
    )


def test_a_body_in_a_scaled_frame_keeps_its_energy() -> None:
    """A pendulum whose centre of mass is given in a scaled frame."""
    text = """linkwork = 1
gravity = [0, -9.81]
[frame.arm]
scale = 2
varies = ["turn"]
mass = 1
centre = [0.5, 0]
"""
    assert drift(run_text(text, 1)) < 1e-8


def test_a_torque_may_be_a_formula() -> None:
    """A torque of 2 about the body's own axis of moment 4."""
    text = SPACE + '[frame.wheel]\nvaries = ["turn"]\naxis = [0, 1, 0]\nmass = 1\ninertia = [4, 4, 4]\n'
    text += '[force.motor]\ntype = "torque"\non = "wheel"\ntorque = "2*transform_vector([0, 1, 0], wheel, ground)"\n'
    assert last(run_text(text, 1), "wheel.turn") == pytest.approx([0.25], abs=1e-12)


def test_parameters_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other values of parameters run the same program."""
    machine = load(MACHINES / "cart-pole.toml")
    lw.simulate(machine, 1, step=0.5)
    compiled: list[str] = []
    monkeypatch.setattr("linkwork.emit.compiler._run_compiler", lambda *given: compiled.append("gcc"))
    found = lw.simulate(machine, 1, step=0.5, parameters={"l": 2, "pole": 3})
    assert found.status == "complete"
    assert not compiled
