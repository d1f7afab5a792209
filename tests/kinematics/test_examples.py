"""The examples are machines of the literature: they have its mobility and obey its laws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import linkwork as lw
from linkwork import Machine, Motion, Part, examples

Column = NDArray[np.float64]

MACHINES = [name for name in examples.names() if lw.load(name).parts and not lw.load(name).is_unjoined]
"""The examples that have parts; the others are tables of definitions."""

MOBILITY = {"differential": 2, "cv-joint": 2, "jansen-walker": 3, "stewart": 6, "stewart-inverse": 6}
"""What the literature says, where it is not 1."""

REDUNDANT = {
    "bennett": 3,
    "bricard": 1,
    "cardan-joint": 3,
    "cv-joint": 3,
    "parallelogram": 1,
    "planetary-gear": 2,
    "sarrus": 1,
}
"""How many constraints follow from the others, where any do."""

ROUGH = {"cam-law": 0.05}
"""How far accelerations may be from differences of velocities: a spline's third derivative has jumps."""

FINE = {"jansen-walker": 720}
"""How many steps differences need, where a motion is longer than one turn."""

RATES = {
    "x": "vx",
    "y": "vy",
    "z": "vz",
    "angle": "rate",
    "vx": "ax",
    "vy": "ay",
    "vz": "az",
    "rate": "acceleration",
    "wx": "alphax",
    "wy": "alphay",
    "wz": "alphaz",
}
"""What the rate of a column is called."""


@cache
def machine(name: str) -> Machine:
    return lw.load(name)


@cache
def moved(name: str) -> Motion:
    return lw.move(machine(name))


def values(name: str) -> Mapping[str, float]:
    return machine(name).values()


def slope(column: Column, times: Column) -> Column:
    """The derivative by central differences of the sixth order, without three rows at either end."""
    weights = np.array([1, -9, 45, 0, -45, 9, -1]) / 60
    found: Column = np.convolve(column, weights, mode="valid") / (times[1] - times[0])
    return found


def near(found: object, wanted: object, tolerance: float = 1e-9) -> bool:
    return bool(np.max(np.abs(np.asarray(found) - np.asarray(wanted))) <= tolerance)


# ---------------------------------------------------------------------------------- all of them


@pytest.mark.parametrize("name", MACHINES)
def test_it_survives_saving(name: str, tmp_path: Path) -> None:
    lw.save(machine(name), tmp_path / f"{name}.toml")
    assert lw.load(tmp_path / f"{name}.toml") == machine(name)


@pytest.mark.parametrize("name", MACHINES)
def test_it_says_what_it_is(name: str) -> None:
    """A title, a comment above it, units, a drive, traces, and plots of columns that exist."""
    described = machine(name)
    assert described.title
    assert described.drives
    assert {"length", "time"} <= {*described.units}
    if any(part.mass is not None for part in described.parts.values()):
        assert "mass" in described.units
    assert examples.path(name).read_text("utf-8").startswith("# ")
    assert described.view.traces
    assert {*described.view.plots} <= {*moved(name).columns}


@pytest.mark.parametrize("name", MACHINES)
def test_its_mobility_is_that_of_the_literature(name: str) -> None:
    summary = lw.show(machine(name))
    assert summary.problem is None
    assert summary.mobility == MOBILITY.get(name, 1)
    assert sum(each["count"] for each in summary.redundant) == REDUNDANT.get(name, 0)


@pytest.mark.parametrize("name", MACHINES)
def test_it_moves_all_the_way(name: str) -> None:
    motion = moved(name)
    assert (motion.status, motion.why) == ("complete", "")
    assert motion.residual <= 1e-12
    assert len(motion) == 361


@pytest.mark.parametrize("name", MACHINES)
def test_no_position_is_singular(name: str) -> None:
    assert not moved(name).limits


@pytest.mark.parametrize("name", MACHINES)
def test_rates_are_derivatives(name: str) -> None:
    """Velocities and accelerations equal differences of positions and velocities."""
    motion = lw.move(machine(name), steps=FINE[name]) if name in FINE else moved(name)
    columns, times = motion.columns, motion.times
    for kind, rate in RATES.items():
        pairs = [
            (column, f"{owner}.{rate}")
            for column in columns
            for owner, _, which in [column.rpartition(".")]
            if which == kind and f"{owner}.{rate}" in columns
        ]
        size = max((float(np.max(np.abs(columns[other]))) for _, other in pairs), default=0.0)
        for column, other in pairs:
            gap = slope(columns[column], times) - columns[other][3:-3]
            assert np.max(np.abs(gap)) <= ROUGH.get(name, 1e-5) * max(size, 1e-3), (column, other)


# -------------------------------------------------------------------------------- four-bars and kin


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "quick-return", "scotch-yoke", "oldham"])
def test_power_is_the_rate_of_energy(name: str) -> None:
    """What the drive puts in is what kinetic energy and height gain."""
    motion, described, given = moved(name), machine(name), values(name)
    gravity = lw.evaluate([*described.gravity], given) if described.gravity is not None else (0.0, 0.0)
    energy = np.zeros(len(motion))
    for part in described.moving:
        mass, (cx, cy), inertia = weighed(described.parts[part], given)
        turn, rate = motion[f"{part}.angle"], motion[f"{part}.rate"]
        x = cx * np.cos(turn) - cy * np.sin(turn)
        y = cx * np.sin(turn) + cy * np.cos(turn)
        vx, vy = motion[f"{part}.vx"] - rate * y, motion[f"{part}.vy"] + rate * x
        energy += mass * (vx**2 + vy**2) / 2 + inertia * rate**2 / 2
        energy -= mass * (gravity[0] * (motion[f"{part}.x"] + x) + gravity[1] * (motion[f"{part}.y"] + y))
    drive = next(iter(described.drives))
    power = motion[f"{drive}.effort"] * slope_of(drive, motion)
    tolerance = 1e-6 * max(float(np.max(np.abs(power))), float(np.max(energy)))
    assert near(slope(energy, motion.times), power[3:-3], tolerance)


def weighed(part: Part, given: Mapping[str, float]) -> tuple[float, list[float], float]:
    """Mass, centre and inertia of a part in the plane."""
    mass = 0.0 if part.mass is None else lw.evaluate([part.mass], given)[0]
    centre = [0.0, 0.0] if part.centre is None else lw.evaluate([*part.centre], given)
    inertia = 0.0 if part.inertia is None else lw.evaluate([part.inertia[0]], given)[0]
    return mass, centre, inertia


def slope_of(drive: str, motion: Motion) -> float:
    """The constant rate of a drive."""
    return float((motion[drive][-1] - motion[drive][0]) / (motion.times[-1] - motion.times[0]))


def test_four_bar_by_freudenstein() -> None:
    """K₁ cos ψ − K₂ cos θ + K₃ = cos(θ − ψ) (Freudenstein 1955)."""
    motion, given = moved("four-bar"), values("four-bar")
    a, b, c, d = (given[each] for each in ("crank", "coupler", "rocker", "ground"))
    theta, psi = motion["crank"], motion["rocker.angle"]
    third = (a * a - b * b + c * c + d * d) / (2 * a * c)
    assert near(d / a * np.cos(psi) - d / c * np.cos(theta) + third, np.cos(theta - psi), 1e-12)


@pytest.mark.parametrize("offset", [0, 0.01])
def test_slider_crank_in_closed_form(offset: float) -> None:
    motion = lw.move(machine("slider-crank").with_parameters({"offset": offset}))
    given = values("slider-crank")
    pin = given["crank"] * np.sin(motion["turn"]) - offset
    wanted = given["crank"] * np.cos(motion["turn"]) + np.sqrt(given["rod"] ** 2 - pin**2)
    assert near(motion["piston.x"], wanted, 1e-14)
    assert near(motion["piston.y"], offset, 1e-15)


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_quick_return_by_its_ratio_of_times(share: float) -> None:
    """Cut and return take times as (π + 2δ)/(π − 2δ) with sin δ = crank/height."""
    described = machine("quick-return").with_parameters({"crank": f"{share}*height"})
    motion = lw.move(described, steps=720)
    angle, speed = motion["turn"], motion["ram.vx"]
    places = np.flatnonzero(np.signbit(speed[1:]) != np.signbit(speed[:-1]))
    first, second = (
        angle[each] - speed[each] * (angle[each + 1] - angle[each]) / (speed[each + 1] - speed[each])
        for each in places
    )
    delta = math.asin(share)
    assert math.isclose(second - first, math.pi + 2 * delta, abs_tol=1e-4) or math.isclose(
        second - first, math.pi - 2 * delta, abs_tol=1e-4
    )
    cutting = speed[(angle > first) & (angle < second)]
    assert (np.mean(cutting) < 0) == (second - first > math.pi)


def test_scotch_yoke_is_a_sine() -> None:
    motion, given = moved("scotch-yoke"), values("scotch-yoke")
    assert near(motion["yoke.x"], given["crank"] * np.cos(motion["turn"]), 1e-15)
    assert near(motion["yoke.ax"], -(given["speed"] ** 2) * motion["yoke.x"], 1e-9)


def test_peaucellier_draws_a_straight_line() -> None:
    motion, given = moved("peaucellier"), values("peaucellier")
    line = (given["arm"] ** 2 - given["side"] ** 2) / (2 * given["crank"])
    assert near(motion["CP.P.x"], line, 1e-12)
    assert near(motion["CP.P.y"], line * np.tan(motion["turn"] / 2), 1e-12)
    arc = lw.move(machine("peaucellier").with_parameters({"crank": 3.1}))
    assert np.ptp(arc["CP.P.x"]) > 0.05


def test_watt_six_bar_is_a_pantograph() -> None:
    """O, W and P are in line, P twice as far; P's path is straight to 4 mm in 1.7 m."""
    motion = moved("watt-six-bar")
    assert near(motion["hanger.P.x"], 2 * motion["link.W.x"], 1e-12)
    assert near(motion["hanger.P.y"], 2 * motion["link.W.y"], 1e-12)
    stroke = np.ptp(motion["hanger.P.y"])
    assert stroke > 1.6
    assert np.ptp(motion["hanger.P.x"]) < 4e-3


def test_stephenson_six_bar_dwells() -> None:
    motion = moved("stephenson-six-bar")
    dwell = np.abs(motion["crank"] - math.pi) <= math.radians(50)
    assert np.ptp(np.degrees(motion["output.angle"])) > 33
    assert np.ptp(np.degrees(motion["output.angle"][dwell])) < 1 / 7


def test_geared_five_bar_keeps_its_ratio() -> None:
    motion = moved("geared-five-bar")
    assert near(motion["crank_2.angle"], -motion["turn"] / 2, 1e-12)
    assert near(motion["rod_1.P.x"][-1], motion["rod_1.P.x"][0], 1e-9)
    assert np.all(motion["rod_1.P.y"] > 0)


def test_parallelogram_stays_parallel() -> None:
    motion = moved("parallelogram")
    assert near(motion["coupler.angle"], 0, 1e-12)
    assert near(motion["crank_2.angle"], motion["turn"], 1e-12)
    assert lw.show(machine("parallelogram").with_parameters({"crank_3": "2.01"})).mobility == 0


def test_scissor_lifts_by_virtual_work() -> None:
    motion, given = moved("scissor"), values("scissor")
    angle = motion["lift"]
    assert near(motion["platform.y"], 3 * given["bar"] * np.sin(angle), 1e-12)
    assert near(motion["platform.angle"], 0, 1e-12)
    weight = given["load"] * (9.81 + motion["platform.ay"])
    assert near(motion["lift.effort"] / (3 * weight * given["bar"] * np.cos(angle)), 1, 1e-9)


def test_ellipse_trammel_draws_an_ellipse() -> None:
    motion, given = moved("ellipse-trammel"), values("ellipse-trammel")
    assert near(motion["bar.P.x"], given["major"] * np.cos(motion["turn"]), 1e-12)
    assert near(motion["bar.P.y"], given["minor"] * np.sin(motion["turn"]), 1e-12)


def test_oldham_turns_evenly() -> None:
    motion, given = moved("oldham"), values("oldham")
    assert near(motion["output.angle"], motion["turn"], 1e-12)
    radius = np.hypot(motion["cross.x"] - given["offset"] / 2, motion["cross.y"])
    assert near(radius, given["offset"] / 2, 1e-15)


# ------------------------------------------------------------------------------------ Jansen's leg


def meeting(p: Column, q: Column, r: float, s: float) -> Column:
    """The point at the distance r from p and s from q, on the left of the way from p to q, in rows."""
    way = q - p
    length = np.linalg.norm(way, axis=1)
    along = (r * r - s * s + length**2) / (2 * length)
    beside = np.sqrt(r * r - along**2)
    x = way / length[:, None]
    found: Column = p + along[:, None] * x + beside[:, None] * np.column_stack([-x[:, 1], x[:, 0]])
    return found


def test_jansen_leg_by_circles() -> None:
    """The toe found by intersecting circles, one after another."""
    motion, given = moved("jansen-leg"), values("jansen-leg")
    a, b, c, d, e, f, g, h, i, j, k, low, m = (given[each] for each in "abcdefghijklm")
    turn = motion["crank"]
    crank = m * np.column_stack([np.cos(turn), np.sin(turn)])
    hip = np.broadcast_to([-a, -low], crank.shape)
    upper = meeting(hip, crank, b, j)
    knee = meeting(crank, hip, k, c)
    outer = meeting(hip, upper, d, e)
    ankle = meeting(knee, outer, g, f)
    toe = meeting(knee, ankle, i, h)
    assert near(motion["shin.T.x"], toe[:, 0])
    assert near(motion["shin.T.y"], toe[:, 1])


def test_jansen_leg_makes_a_flat_step() -> None:
    """A step of 68 cm; the foot stays within 2 cm of the ground for half of the turn."""
    x, y = moved("jansen-leg")["shin.T.x"], moved("jansen-leg")["shin.T.y"]
    down = y < np.min(y) + 2
    assert math.isclose(np.ptp(x), 67.9, abs_tol=0.1)
    assert math.isclose(np.ptp(y), 22.5, abs_tol=0.1)
    assert np.mean(down) > 0.5
    assert np.ptp(x[down]) > 60


def test_jansen_walker_has_six_times_the_same_foot() -> None:
    """Left feet follow a third of a turn after one another; right feet are their mirror images."""
    leg, walker = moved("jansen-leg"), moved("jansen-walker")
    for pin in (1, 2, 3):
        for side, sign in (("left", 1), ("right", -1)):
            phase = walker["crank"] + (pin - 1) * math.tau / 3
            place = np.rint(np.degrees(phase if sign > 0 else math.pi - phase)).astype(int) % 360
            foot = f"{side}_{pin}_shin.T"
            assert near(walker[f"{foot}.x"] - walker["body.x"], sign * leg["shin.T.x"][place])
            assert near(walker[f"{foot}.y"] - walker["body.y"], leg["shin.T.y"][place])


def test_jansen_walker_stands_on_the_ground_and_hardly_slips() -> None:
    """The lowest foot is within 0.2 mm of the ground; it slips by less than 1.5 % of the way; the body is level."""
    walker = moved("jansen-walker")
    feet = [f"{side}_{pin}_shin.T" for side in ("left", "right") for pin in (1, 2, 3)]
    x, y = (np.array([walker[f"{foot}.{axis}"] for foot in feet]) for axis in "xy")
    lowest = np.argmin(y[:, :-1], axis=0)
    assert near(np.min(y, axis=0), 0, 0.02)
    assert np.ptp(walker["body.y"]) < 0.1
    assert near(walker["body.angle"], 0, 1e-12)
    slip = np.abs(np.diff(x, axis=1)[lowest, np.arange(len(lowest))])
    way = walker["body.x"][-1] - walker["body.x"][0]
    assert math.isclose(way, 2 * 142, abs_tol=1)
    assert np.sum(slip) < 0.015 * way


# --------------------------------------------------------------------------------- cams and gears


def test_cam_roller_touches_the_cam() -> None:
    """The distance from the roller's centre to the outline is its radius, everywhere."""
    motion, given = moved("cam-roller"), values("cam-roller")
    angle = np.linspace(0, math.tau, 20001)
    radius = given["base"] + given["lift"] * (1 - np.cos(angle)) / 2
    for row in range(0, len(motion), 20):
        turn = motion["turn"][row]
        x, y = radius * np.cos(angle + turn), radius * np.sin(angle + turn)
        nearest = np.min(np.hypot(x - motion["follower.x"][row], y - motion["follower.y"][row]))
        assert math.isclose(nearest, given["roller"], abs_tol=1e-8)
    assert np.all(motion["follower.y"] > given["base"])


def test_cam_flat_lifts_by_a_sine() -> None:
    motion, given = moved("cam-flat"), values("cam-flat")
    wanted = given["disc"] + given["eccentricity"] * np.sin(motion["turn"])
    assert near(motion["follower.y"], wanted, 1e-11)


def test_cam_law_goes_through_its_samples() -> None:
    motion = moved("cam-law")
    law = machine("cam-law").joints["law"]
    assert isinstance(law, lw.joint.Cam)
    for sample in law.lift_samples:
        angle, height = lw.evaluate([*sample], {})
        row = round(math.degrees(angle))
        assert near(motion["slide.displacement"][row], height, 1e-12)
    assert near(motion["slide.displacement"][121:180], 10, 0.05)


def test_planetary_gear_has_the_ratio_of_willis() -> None:
    motion, given = moved("planetary-gear"), values("planetary-gear")
    ratio = 1 + given["ring_teeth"] / given["sun_teeth"]
    assert ratio == 3.5
    assert near(motion["arm.angle"], motion["sun"] / ratio, 1e-12)
    planet = motion["arm.angle"] * (1 - given["ring_teeth"] / given["planet_teeth"])
    assert near(motion["planet_2.angle"], planet, 1e-11)


def test_differential_turns_with_the_mean() -> None:
    motion = moved("differential")
    assert near(motion["cage.angle"], (motion["left"] + motion["right"]) / 2, 1e-12)


def test_rack_and_pinion_by_arc_and_torque() -> None:
    motion, given = moved("rack-and-pinion"), values("rack-and-pinion")
    assert near(motion["rack.x"], given["radius"] * motion["turn"], 1e-15)
    spin = 0.2 * given["radius"] ** 2 / 2 * motion["pinion.acceleration"]
    torque = (given["load"] + motion["rack.ax"]) * given["radius"] + spin
    assert near(motion["turn.effort"], torque)


# ---------------------------------------------------------------------------------------- in space


def test_cardan_joint_runs_unevenly() -> None:
    """tan(output) = tan(input)·cos(bend)."""
    motion, given = moved("cardan-joint"), values("cardan-joint")
    turn = motion["turn"]
    wanted = np.unwrap(np.arctan2(np.sin(turn) * math.cos(given["bend"]), np.cos(turn)))
    assert near(motion["B.angle"], wanted, 1e-12)
    assert math.isclose(np.max(motion["B.angle_rate"]), 1 / math.cos(given["bend"]), rel_tol=1e-9)


def test_double_cardan_runs_evenly() -> None:
    motion = moved("double-cardan")
    assert near(motion["B.angle"], motion["turn"], 1e-12)
    wrong = lw.move(machine("double-cardan").with_parameters({"fork": "90 deg"}))
    assert np.ptp(wrong["B.angle_rate"]) > 0.3


def test_cv_joint_turns_evenly_while_it_is_steered() -> None:
    assert near(moved("cv-joint")["B.angle"], moved("cv-joint")["turn"], 1e-11)


def test_rssr_keeps_its_rod() -> None:
    motion, given = moved("rssr"), values("rssr")
    turn, swing = motion["crank"], motion["D.angle"]
    pin = given["crank"] * np.array([np.cos(turn), np.sin(turn), 0 * turn])
    end = np.array(
        [
            given["x"] + 0 * turn,
            given["y"] + given["rocker"] * np.cos(swing),
            given["z"] + given["rocker"] * np.sin(swing),
        ]
    )
    assert near(np.linalg.norm(pin - end, axis=0), given["rod"], 1e-12)


def test_rssr_with_two_balls_has_an_idle_freedom(tmp_path: Path) -> None:
    text = examples.path("rssr").read_text("utf-8")
    before, _, after = text.partition('type = "universal"\nbetween = ["crank_cross", "rod_cross"]')
    assert after
    file = tmp_path / "rssr.toml"
    file.write_text(before + 'type = "spherical"\nbetween = ["crank.B", "rod.B"]' + after, "utf-8")
    assert lw.show(lw.load(file)).mobility == 2


def test_sarrus_rises_straight() -> None:
    motion, given = moved("sarrus"), values("sarrus")
    assert near(motion["plate.x"], 0, 1e-12)
    assert near(motion["plate.y"], 0, 1e-12)
    assert near(np.abs(motion["plate.q0"]), 1, 1e-12)
    assert near(motion["plate.z"], 2 * given["flap"] * np.sin(motion["lift"]), 1e-12)
    weight = given["load"] * (9.81 + motion["plate.az"])
    assert near(motion["lift.effort"], 2 * weight * given["flap"] * np.cos(motion["lift"]))


def test_bennett_by_its_half_angles() -> None:
    """tan(A/2)·tan(B/2) = sin((β + α)/2)/sin((β − α)/2); opposite hinges turn alike."""
    motion, given = moved("bennett"), values("bennett")
    alpha, beta = given["alpha"], given["beta"]
    ratio = math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2)
    a, b = motion["A.angle"] / 2, motion["crank"] / 2
    assert near(np.sin(a) * np.sin(b), ratio * np.cos(a) * np.cos(b), 1e-10)
    assert near(np.cos(motion["C.angle"]), np.cos(motion["A.angle"]), 1e-10)
    assert near(np.cos(motion["D.angle"]), np.cos(motion["crank"]), 1e-10)


@pytest.mark.parametrize("bar", ["a1", "b1", "a2", "b2"])
def test_bennett_does_not_move_with_one_bar_wrong(bar: str) -> None:
    wrong = machine("bennett").with_parameters({bar: f"{values('bennett')[bar] + 1e-3!r}"})
    assert lw.show(wrong).mobility == 0


@pytest.mark.parametrize("alpha", ["90 deg", "80 deg"])
def test_bricard_by_chen_you_and_tarnai(alpha: str) -> None:
    motion = lw.move(machine("bricard").with_parameters({"alpha": alpha}))
    cosine, sine = math.cos(math.radians(int(alpha[:2]))), math.sin(math.radians(int(alpha[:2])))
    p, q = motion["turn"], motion["C.angle"]
    left = cosine**2 + sine**2 * (np.cos(p) + np.cos(q)) + (1 + cosine**2) * np.cos(p) * np.cos(q)
    assert near(left, 2 * cosine * np.sin(p) * np.sin(q), 1e-10)
    for joint in "ACE":
        assert near(motion[f"{joint}.angle"], q, 1e-10)
    for joint in "DF":
        assert near(motion[f"{joint}.angle"], p, 1e-10)


def test_bricard_does_not_move_with_one_bar_wrong() -> None:
    assert lw.show(machine("bricard").with_parameters({"a1": "1.001"})).mobility == 0


def test_stewart_carries_its_platform() -> None:
    """The legs have the driven lengths, and together carry weight and inertia."""
    motion, given = moved("stewart"), values("stewart")
    described = machine("stewart")
    lift = np.zeros(len(motion))
    for leg in range(1, 7):
        foot = np.array(lw.evaluate([*described.parts["ground"].points[f"A{leg}"]], given))
        head = _turned(motion, lw.evaluate([*described.parts["platform"].points[f"B{leg}"]], given))
        length = np.linalg.norm(head - foot, axis=1)
        assert near(length, motion[f"leg_{leg}"], 1e-12)
        lift += motion[f"leg_{leg}.effort"] * (head[:, 2] - foot[2]) / length
    assert near(lift, given["mass"] * (9.81 + motion["platform.az"]), 1e-7)


def _turned(motion: Motion, point: list[float]) -> Column:
    q0, q1, q2, q3 = (motion[f"platform.q{each}"] for each in range(4))
    axis = np.column_stack([q1, q2, q3])
    across = np.cross(axis, point)
    turned = point + 2 * (q0[:, None] * across + np.cross(axis, across))
    return np.column_stack([motion[f"platform.{each}"] for each in "xyz"]) + turned


def test_stewart_forward_undoes_inverse() -> None:
    """From the lengths that the inverse machine reads off, the forward one finds the same place."""
    inverse = moved("stewart-inverse")
    forward = lw.Mechanism(machine("stewart"))
    position = forward.solve({f"leg_{leg}": float(inverse[f"leg_{leg}.length"][0]) for leg in range(1, 7)})
    for row in range(0, len(inverse), 30):
        lengths = {f"leg_{leg}": float(inverse[f"leg_{leg}.length"][row]) for leg in range(1, 7)}
        position = forward.solve(lengths, start=position)
        for coordinate in ("x", "y", "z", "q1", "q2", "q3"):
            name = f"platform.{coordinate}"
            assert near(position[name], inverse[name][row], 1e-9)


def test_screw_jack_by_pitch_and_work() -> None:
    motion, given = moved("screw-jack"), values("screw-jack")
    assert near(motion["nut.z"], 0.1 + given["pitch"] * motion["turn"] / math.tau, 1e-12)
    assert near(motion["turn.effort"], given["load"] * 9.81 * given["pitch"] / math.tau, 1e-8)
