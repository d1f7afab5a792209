"""Scenes that roll: contacts by geometry done here, motion by the balances of Newton and Euler with scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scene_runs import (
    UP,
    Array,
    crossed,
    in_body,
    in_world,
    place,
    quaternion,
    reference,
    rotation,
    run,
    simulator,
    values,
    world_spin,
)

import linkwork as lw


def under_ball(known: dict[str, float], up: Array) -> Array:
    """From the centre of the ball to the contact, in the body; ``up`` is the upward direction there."""
    return -known["radius"] * up


def under_ellipsoid(known: dict[str, float], up: Array) -> Array:
    """The place with the normal −up: −A²·up/sqrt(up·A²·up)."""
    squares = np.array([known["a"], known["b"], known["c"]]) ** 2
    stretched = (up.T * squares).T
    return -stretched / np.sqrt(np.sum(up * stretched, axis=0))


def under_torus(known: dict[str, float], up: Array) -> Array:
    """Out along the ring to its lowest place, then straight down by the radius of the tube."""
    level = up * np.array([1.0, 1.0, 0.0]).reshape((3,) + (1,) * (up.ndim - 1))
    return -known["ring"] * level / np.sqrt(np.sum(level**2, axis=0)) - known["tube"] * up


class Roller:
    """A rigid body that rolls on the plane z = 0: its mass, centre, inertia about it, and where it touches."""

    def __init__(self, name: str, frame: str, under: Callable[[dict[str, float], Array], Array]) -> None:
        self.name, self.frame, self.under, self.known = name, frame, under, values(name)
        known = self.known
        self.centre = np.zeros(3)
        if name == "snowman":
            self.mass = known["mass"] + known["weight"]
            self.centre[2] = known["weight"] * known["height"] / self.mass
            ball = 2 / 5 * known["mass"] * known["radius"] ** 2
            across = ball + known["mass"] * known["weight"] / self.mass * known["height"] ** 2
            self.inertia = np.diag([across, across, ball])
        elif name == "rattleback":
            self.mass, self.centre[2] = known["mass"], -known["depth"]
            self.inertia = np.diag([2e-4, 1.6e-3, 1.7e-3])
            self.inertia[0, 1] = self.inertia[1, 0] = known["skew"]
        elif name == "torus-on-plane":
            self.mass = known["mass"]
            axial = self.mass * (known["ring"] ** 2 + 3 / 4 * known["tube"] ** 2)
            self.inertia = np.diag([known["slender"], known["slender"], axial])
        else:
            self.mass = known["mass"]
            a, b, c = (known[each] ** 2 for each in "abc")
            self.inertia = np.diag([b + c, a + c, a + b]) * self.mass / 5

    def rates(self, _: float, y: Array) -> Array:
        """In the body's axes: u' = u × ω of the upward direction u; I·ω' + ω × Iω = r × F, F = m(v' + ω × v + g·u).

        r leads from the centre of mass to the contact, and v = r × ω since the contact is at rest.
        """
        up, spin = y[:3], y[3:]
        turning = np.cross(up, spin)
        r = self.under(self.known, up) - self.centre
        step = 1e-30j
        moving = np.imag(self.under(self.known, up + step * turning)) / 1e-30
        v = np.cross(r, spin)
        known_part = np.cross(moving, spin) + np.cross(spin, v) + self.known["g"] * up
        matrix = self.inertia + self.mass * (r @ r * np.eye(3) - np.outer(r, r))
        side = self.mass * np.cross(r, known_part) - np.cross(spin, self.inertia @ spin)
        return np.concatenate([turning, np.linalg.solve(matrix, side)])


ROLLERS: dict[str, tuple[str, Callable[[dict[str, float], Array], Array]]] = {
    "snowman": ("ball", under_ball),
    "torus-on-plane": ("torus", under_torus),
    "ellipsoid-on-plane": ("ellipsoid", under_ellipsoid),
    "rattleback": ("stone", under_ellipsoid),
}


@pytest.mark.parametrize("name", ROLLERS)
def test_bodies_that_roll_touch_the_plane_and_do_not_slip(name: str) -> None:
    """The lowest place of the body, found here by geometry, has height 0 and velocity 0."""
    frame, under = ROLLERS[name]
    solution = run(name)
    known = values(name)
    axes, spin = rotation(quaternion(solution, frame)), world_spin(solution, frame)
    arm = in_world(axes, under(known, axes[2]))
    is_on_ground = name == "snowman"
    height = known["radius"] if is_on_ground else solution[f"{frame}.tz"]
    assert np.max(np.abs(height + arm[2])) < 1e-9
    centre = [solution[f"{frame}.t{axis}_rate"] for axis in ("xy" if is_on_ground else "xyz")]
    slip = np.array([*centre, 0 * solution.times][:3]) + crossed(spin, arm)
    assert np.max(np.abs(slip)) < 1e-9


@pytest.mark.parametrize("name", ROLLERS)
def test_bodies_that_roll_move_as_newton_and_euler_say(name: str) -> None:
    """The balance of momentum and angular momentum in the body's axes, integrated by scipy, gives the same motion."""
    roller = Roller(name, *ROLLERS[name])
    solution = run(name)
    axes = rotation(quaternion(solution, roller.frame))
    up, spin = axes[2], in_body(axes, world_spin(solution, roller.frame))
    rows = 250 if name == "rattleback" else len(solution)  # it rattles fast
    found = reference(roller.rates, np.concatenate([up[:, 0], spin[:, 0]]), solution.times[:rows])
    np.testing.assert_allclose(up[:, :rows], found[:3], atol=2e-7)
    np.testing.assert_allclose(spin[:, :rows], found[3:], atol=2e-6)


def test_the_snowman_keeps_jelletts_integral() -> None:
    """L·r is constant for a round body with an axis of symmetry, r leading from its centre of mass to the contact."""
    roller = Roller("snowman", *ROLLERS["snowman"])
    solution = run("snowman")
    axes = rotation(quaternion(solution, "ball"))
    spin = in_body(axes, world_spin(solution, "ball"))
    arm = under_ball(roller.known, axes[2]) - roller.centre[:, None]
    jellett = np.sum((roller.inertia @ spin) * arm, axis=0)
    assert np.ptp(jellett) < 1e-8 * np.max(np.abs(jellett))


def test_two_snowmen_know_nothing_of_each_other() -> None:
    """Each of two moves as it would alone, and every system of the plan falls into two parts of the same size."""
    plan = simulator("two-snowmen").plan
    for part in plan.parts:
        sizes = sorted(part.sizes)
        assert sizes[::2] == sizes[1::2], part.name
    alone, both = run("snowman", 5.0, spin_x=1.0, spin_y=3.0, spin_z=2.0), run("two-snowmen")
    for name in ("tx", "ty", "rw", "rx", "ry", "rz"):
        np.testing.assert_allclose(both[f"ball1.{name}"], alone[f"ball.{name}"], atol=1e-8)


def test_a_ball_in_a_torus_moves_as_newton_and_euler_say() -> None:
    """I·ω' = a·n × m(v' − g) with v = −a·ω × n, n the normal of the tunnel at the ball's centre."""
    known = values("ball-in-torus")
    solution = run("ball-in-torus")
    ring, path, a = known["ring"], known["path"], known["radius"]
    x, v, spin = place(solution, "ball"), place(solution, "ball", "_rate"), world_spin(solution, "ball")

    def normal(x: Array) -> Array:
        level = np.array([x[0], x[1], 0 * x[2]])
        out = x - ring * level / np.sqrt(np.sum(level**2, axis=0))
        return out / np.sqrt(np.sum(out**2, axis=0))

    def rates(_: float, y: Array) -> Array:
        x, spin = y[:3], y[3:]
        n = normal(x)
        v = -a * np.cross(spin, n)
        moving = np.imag(normal(x + 1e-30j * v)) / 1e-30
        matrix = known["moment"] * np.eye(3) + known["mass"] * a * a * (np.eye(3) - np.outer(n, n))
        rest = known["mass"] * a * np.cross(n, -a * np.cross(spin, moving) + known["g"] * UP)
        return np.concatenate([v, np.linalg.solve(matrix, rest)])

    n = normal(x)
    distance = np.sqrt(
        np.sum((x - ring * np.array([x[0], x[1], 0 * x[0]]) / np.hypot(x[0], x[1])) ** 2, axis=0)
    )
    np.testing.assert_allclose(distance, path, atol=1e-9)
    assert np.max(np.abs(v + a * crossed(spin, n))) < 1e-9
    found = reference(rates, np.concatenate([x[:, 0], spin[:, 0]]), solution.times)
    np.testing.assert_allclose(x, found[:3], atol=1e-7)
    np.testing.assert_allclose(spin, found[3:], atol=1e-5)


def test_a_ball_in_a_drum_touches_it_and_does_not_slip() -> None:
    """The contact lies in the ellipsoid, a radius from the centre along its normal, and moves with the wall."""
    known = values("ball-in-drum")
    solution = run("ball-in-drum", 10.0)
    x, v, spin = place(solution, "centre"), place(solution, "centre", "_rate"), world_spin(solution, "ball")
    w, px, py = (solution[f"pointer.r{axis}"] for axis in "wxy")
    down = -rotation(np.array([w, px, py, 0 * w]))[:, 2]
    arm = known["radius"] * down
    contact = x + arm
    turned = known["turning"] * solution.times
    local = np.array(
        [
            np.cos(turned) * contact[0] + np.sin(turned) * contact[1],
            np.cos(turned) * contact[1] - np.sin(turned) * contact[0],
            contact[2],
        ]
    )
    squares = np.array([known["a"], known["b"], known["c"]])[:, None] ** 2
    assert np.max(np.abs(np.sum(local**2 / squares, axis=0) - 1)) < 1e-9
    out = local / squares
    out = np.array(
        [
            np.cos(turned) * out[0] - np.sin(turned) * out[1],
            np.sin(turned) * out[0] + np.cos(turned) * out[1],
            out[2],
        ]
    )
    assert np.max(np.abs(crossed(out, down))) < 1e-9
    wall = known["turning"] * np.array([-contact[1], contact[0], 0 * contact[2]])
    assert np.max(np.abs(v + crossed(spin, arm) - wall)) < 1e-9


def test_the_moving_energy_of_a_ball_in_a_turning_drum() -> None:
    """dE/dt = Ω·dJ/dt: the wall's force at the contact works at Ω × r, so E − Ω·J about the axis stays."""
    known = values("ball-in-drum")
    solution = run("ball-in-drum", 10.0)
    x, v = place(solution, "centre"), place(solution, "centre", "_rate")
    spin = world_spin(solution, "ball")
    around = known["mass"] * (x[0] * v[1] - x[1] * v[0]) + known["moment"] * spin[2]
    moving = solution["energy"] - known["turning"] * around
    assert np.ptp(solution["energy"]) > 0.01
    assert np.ptp(moving) < 1e-8 * np.ptp(solution["energy"])


def test_the_wheels_of_the_bicycle_touch_and_do_not_slip() -> None:
    """Each wheel's lowest place, r below its centre in its own plane, has height 0 and velocity 0."""
    known = values("bicycle")
    solution = run("bicycle")
    body = rotation(quaternion(solution, "body"))
    spin, v, x = world_spin(solution, "body"), place(solution, "body", "_rate"), place(solution, "body")
    axis = np.array([-np.sin(known["tilt"]), 0, np.cos(known["tilt"])])
    steer = np.array(
        [np.cos(solution["fork.turn"] / 2), *(axis[:, None] * np.sin(solution["fork.turn"] / 2))]
    )
    fork = np.einsum("ijt,jkt->ikt", body, rotation(steer))
    fork_spin = spin + in_world(body, np.outer(axis, solution["fork.turn_rate"]))
    head = in_world(
        body, np.outer([known["wheel_base"] + known["trail"], 0, -known["rear_radius"]], 1 + 0 * x[0])
    )
    reach = in_world(fork, np.outer([-known["trail"], 0, known["front_radius"]], 1 + 0 * x[0]))
    front_v = v + crossed(spin, head) + crossed(fork_spin, reach)
    wheels = [
        (x, v, spin, body, "rear"),
        (x + head + reach, front_v, fork_spin, fork, "front"),
    ]
    for centre, speed, turning, axes, name in wheels:
        axle = axes[:, 1]
        down = axle * axle[2] - UP[:, None]
        arm = known[f"{name}_radius"] * down / np.sqrt(np.sum(down**2, axis=0))
        assert np.max(np.abs(centre[2] + arm[2])) < 1e-9
        whole = turning + axle * solution[f"{name}_wheel.turn_rate"]
        assert np.max(np.abs(speed + crossed(whole, arm))) < 1e-8


def test_the_rattleback_turns_back_one_way_only() -> None:
    """Kane and Levinson (1982): spun at −5 rad/s it rattles, stops and spins the other way; spun at +5 it goes on."""
    wrong, right = run("rattleback"), run("rattleback", 5.0, spin=5.0)
    assert world_spin(wrong, "stone")[2][0] == pytest.approx(-5, rel=1e-3)
    assert world_spin(wrong, "stone")[2].max() > 1
    assert world_spin(right, "stone")[2].min() > 4.5


def test_a_car_goes_round_the_point_where_its_axles_meet() -> None:
    """Steered by δ the middle of the rear axle circles at L/tan δ, each wheel at its own distance and none slips."""
    known = values("car")
    solution = lw.simulate(lw.load("car"), 10.0, controls={"steering": 0.5})
    late = solution.times > 6  # the hands have turned the wheel by then
    angle = known["limit"] / 2
    radius = known["wheel_base"] / np.tan(angle)
    speed = np.hypot(solution["body.tx_rate"], solution["body.ty_rate"])
    assert solution["steer.turn"][late] == pytest.approx(angle, abs=1e-9)
    assert (speed / solution["body.turn_rate"])[late] == pytest.approx(radius, rel=1e-8)
    for name, out, ahead in [
        ("rear_left", -1, 0),
        ("rear_right", 1, 0),
        ("front_left", -1, 1),
        ("front_right", 1, 1),
    ]:
        way = np.hypot(radius + out * known["track"] / 2, ahead * known["wheel_base"])
        rolled = known["radius"] * solution[f"{name}_wheel.turn_rate"]
        assert (rolled / solution["body.turn_rate"])[late] == pytest.approx(way, rel=1e-7)
