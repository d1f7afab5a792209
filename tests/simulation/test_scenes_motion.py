"""Scenes that swing, fly and go round: their motion against closed forms, published numbers and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scene_runs import NO_DRAG, Array, angle, quaternion, reference, rotation, run, simulator, values
from scipy.interpolate import CubicSpline
from scipy.optimize import least_squares
from scipy.special import ellipk

import linkwork as lw


def test_three_bodies_conserve_momentum_and_come_back() -> None:
    """Linear and angular momentum are zero on the figure of eight, and its period is 6.32591398 s·sqrt(size³/(G·m))."""
    known = values("three-bodies")
    period = 6.32591398 / np.sqrt(known["G"] * known["m"])
    solution = simulator("three-bodies").simulate(period, step=period / 300)
    assert solution.accurate
    x, v = (
        np.array(
            [[solution[f"{body}.t{axis}{end}"] for axis in "xy"] for body in ("first", "second", "third")]
        )
        for end in ("", "_rate")
    )
    assert np.max(np.abs(v.sum(axis=0))) < 1e-8
    turning = (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]).sum(axis=0)
    assert np.ptp(turning) < 1e-8
    np.testing.assert_allclose(x[:, :, -1], x[:, :, 0], atol=1e-5)  # the start is known to eight digits
    np.testing.assert_allclose(x[:, :, 100], x[[2, 0, 1], :, 0], atol=1e-5)  # each where another stood

    def rates(_: float, y: Array) -> Array:
        place = y[:6].reshape(3, 2)
        apart = place[None] - place[:, None]
        cubes = np.sum(apart**2, axis=2) ** 1.5 + np.eye(3)
        pull = known["G"] * known["m"] * np.sum(apart / cubes[..., None], axis=1)
        return np.concatenate([y[6:], pull.ravel()])

    found = reference(rates, np.concatenate([x[:, :, 0].ravel(), v[:, :, 0].ravel()]), solution.times)
    np.testing.assert_allclose(x.reshape(6, -1), found[:6], atol=1e-7)


def test_the_period_of_the_pendulum_is_an_elliptic_integral() -> None:
    """T = 4·sqrt(l/g)·K(sin²(θ₀/2))."""
    period = 4 * np.sqrt(2 / 9.81) * ellipk(np.sin(np.radians(15)) ** 2)
    solution = run("pendulum", period)
    assert angle(solution, "pivot")[-1] == pytest.approx(np.radians(30), abs=1e-8)
    assert angle(solution, "pivot")[len(solution) // 2] == pytest.approx(-np.radians(30), abs=1e-8)


def test_the_acrobat_is_a_double_pendulum() -> None:
    """The equations of two points on two rods, with the angles of both rods to the vertical."""
    known = values("acrobat")
    solution = run("acrobat")
    m1, m2, l1, l2, g = (known[each] for each in ("bar", "acrobat", "trapeze", "arms", "g"))

    def rates(_: float, y: Array) -> Array:
        a, b, u, v = y
        matrix = [
            [(m1 + m2) * l1**2, m2 * l1 * l2 * np.cos(a - b)],
            [m2 * l1 * l2 * np.cos(a - b), m2 * l2**2],
        ]
        side = [
            -m2 * l1 * l2 * np.sin(a - b) * v * v - (m1 + m2) * g * l1 * np.sin(a),
            m2 * l1 * l2 * np.sin(a - b) * u * u - m2 * g * l2 * np.sin(b),
        ]
        return np.concatenate([[u, v], np.linalg.solve(matrix, side)])

    start = [known["start_trapeze"], known["start_trapeze"] + known["start_body"], 0, 0]
    found = reference(rates, np.array(start), solution.times)
    np.testing.assert_allclose(angle(solution, "swing"), found[0], atol=1e-6)
    np.testing.assert_allclose(angle(solution, "swing") + angle(solution, "hands"), found[1], atol=1e-6)


def test_spring_coupled_pendula() -> None:
    """Two pendula and Hooke's law; the drawn spring reaches from bob to bob, and its wire keeps its length."""
    known = values("spring-coupled-pendula")
    solution = run("spring-coupled-pendula")
    g, k, relaxed, apart = (known[each] for each in ("g", "stiffness", "relaxed", "apart"))

    def bobs(a: Array, b: Array) -> tuple[Array, Array]:
        return np.array([-np.sin(a), -np.cos(a)]), np.array([apart - np.sin(b), -np.cos(b)])

    def rates(_: float, y: Array) -> Array:
        a, b, u, v = y
        left, right = bobs(a, b)
        span = right - left
        pull = k * (1 - relaxed / np.hypot(*span)) * span
        return np.array([u, v, pull @ [-np.cos(a), np.sin(a)] - g * np.sin(a),
                         -pull @ [-np.cos(b), np.sin(b)] - g * np.sin(b)])  # fmt: skip

    found = reference(rates, np.array([known["start_left"], known["start_right"], 0, 0]), solution.times)
    a, b = angle(solution, "left_pivot"), angle(solution, "right_pivot")
    np.testing.assert_allclose([a, b], found[:2], atol=1e-7)
    left, right = bobs(a, b)
    reach = np.hypot(*(right - left))
    np.testing.assert_allclose(solution["spring.sx"] * relaxed, reach, atol=1e-9)
    pointing = a + angle(solution, "spring")
    np.testing.assert_allclose(
        reach * np.array([np.cos(pointing), -np.sin(pointing)]), right - left, atol=1e-9
    )
    coil = np.pi * known["coils"] * known["coil"]
    np.testing.assert_allclose(
        np.hypot(coil * solution["spring.sz"], reach), np.hypot(coil, relaxed), atol=1e-9
    )


def test_linked_pendula_stay_linked() -> None:
    """The bobs keep the length of the rod; with one freedom, the energy tells the speed at every place."""
    known = values("linked-pendula")
    solution = run("linked-pendula")
    a, b = angle(solution, "left_pivot"), angle(solution, "right_pivot")
    left = known["left"] * np.array([-np.sin(a), -np.cos(a)])
    right = known["right"] * np.array([-np.sin(b), -np.cos(b)]) + [[known["apart"]], [0]]
    np.testing.assert_allclose(np.hypot(*(right - left)), known["rod"], atol=1e-9)
    assert a[0] == pytest.approx(-known["start_left"])
    assert np.ptp(a) > 1


def test_pendula_on_a_wheel_feel_their_pivots_accelerate() -> None:
    """l·φ'' = −g·sin φ − P''·(cos φ, −sin φ) with the pivot P on the driven wheel, φ against the vertical."""
    known = values("pendula-on-wheel")
    solution = run("pendula-on-wheel")
    spin, wobble, pace, rim = (known[each] for each in ("spin", "wobble", "pace", "rim"))
    t = solution.times
    turned = spin * t + wobble * np.sin(pace * t)
    np.testing.assert_allclose(angle(solution, "wheel"), turned, atol=1e-9)
    for number in range(1, 5):
        start = (
            -np.pi / 2 * (number - 1)
        )  # where the pivot stands on the wheel; x goes to −z as the wheel turns

        def rates(t: float, y: Array, start: float = start) -> Array:
            where = spin * t + wobble * np.sin(pace * t) + start
            rate, gain = spin + wobble * pace * np.cos(pace * t), -wobble * pace**2 * np.sin(pace * t)
            c, s = np.cos(where), np.sin(where)
            pivot = rim * np.array([-gain * s - rate**2 * c, -gain * c + rate**2 * s])
            pull = known["g"] * np.sin(y[0]) + pivot @ [-np.cos(y[0]), np.sin(y[0])]
            return np.array([y[1], -pull / known["length"]])

        own = known[f"start{number}"]
        found = reference(rates, np.array([own, spin + wobble * pace]), t)
        np.testing.assert_allclose(turned + angle(solution, f"pivot{number}"), found[0], atol=1e-6)


def test_nested_toruses_roll_as_lagrange_says() -> None:
    """With α, β the angles of the centres ω_B = −(R−b)α'/b and ω_A = (ρ·ω_B − (ρ−a)β')/a; two equations of Lagrange."""
    known = values("nested-toruses")
    solution = run("nested-toruses")
    p, q, b, a, bore = (known[each] for each in ("path_middle", "path_inner", "middle", "inner", "bore"))
    heavy, light, g = known["middle_mass"], known["inner_mass"], known["g"]
    rolled = np.array([-p / b, 0.0])
    inner = (bore * rolled - np.array([0.0, q])) / a
    fixed = known["middle_moment"] * np.outer(rolled, rolled) + known["inner_moment"] * np.outer(inner, inner)
    fixed = fixed + np.diag([(heavy + light) * p * p, light * q * q])

    def rates(_: float, y: Array) -> Array:
        alpha, beta, u, v = y
        matrix = fixed + light * p * q * np.cos(alpha - beta) * np.array([[0, 1], [1, 0]])
        whirl = light * p * q * np.sin(alpha - beta)
        side = [
            -whirl * v * v - (heavy + light) * g * p * np.sin(alpha),
            whirl * u * u - light * g * q * np.sin(beta),
        ]
        return np.concatenate([[u, v], np.linalg.solve(matrix, side)])

    start = np.array([known["start_middle"], known["start_middle"] + known["start_inner"], 0, 0])
    found = reference(rates, start, solution.times)
    alpha = angle(solution, "middle_orbit")
    beta = alpha + angle(solution, "inner_orbit")
    np.testing.assert_allclose([alpha, beta], found[:2], atol=1e-6)
    turns = np.array([alpha - alpha[0], beta - beta[0]])
    middle = alpha + angle(solution, "middle_torus")
    np.testing.assert_allclose(middle - middle[0], rolled @ turns, atol=1e-8)
    smallest = beta + angle(solution, "inner_torus")
    np.testing.assert_allclose(smallest - smallest[0], inner @ turns, atol=1e-8)


def test_one_car_moves_like_a_bead_on_the_track() -> None:
    """½m(R² + z'²)φ'² + mgz with drag, for the angle φ; the wheels turn by the way that the car has gone."""
    known = values("roller-coaster-one-car", drag_constant=0.1)
    solution = run("roller-coaster-one-car", 5.0, drag_constant=0.1)
    height, many, radius, g = (known[each] for each in ("amplitude", "frequency", "radius", "g"))

    def rates(_: float, y: Array) -> Array:
        phi, speed, _way = y
        slope, bend = -height * many * np.sin(many * phi), -height * many**2 * np.cos(many * phi)
        inertia = radius**2 + slope**2
        pull = slope * bend * speed**2 + g * slope + known["drag_constant"] * inertia * speed
        return np.array([speed, -pull / inertia, np.sqrt(inertia) * speed])

    found = reference(rates, np.array([0, known["initial_omega"], 0]), solution.times)
    np.testing.assert_allclose(angle(solution, "origin", "z"), found[0], atol=1e-7)
    for axle in ("front_axle", "rear_axle"):
        np.testing.assert_allclose(-angle(solution, axle, "x") * known["wheel"], found[2], atol=1e-6)


@pytest.mark.parametrize(("name", "cars"), [("roller-coaster", 3), ("sliding-coaster", 5)])
def test_trains_stay_on_their_track_and_together(name: str, cars: int) -> None:
    """Each car at the altitude of the track, pitched by its slope, and a car and a link from the next."""
    known = values(name)
    solution = run(name, **NO_DRAG)
    at = []
    for number in range(1, cars + 1):
        phi = angle(solution, f"origin{number}", "z")
        altitude = known["amplitude"] * np.cos(4 * phi)
        np.testing.assert_allclose(solution[f"car{number}.tz"], altitude, atol=1e-9)
        slope = -4 * known["amplitude"] * np.sin(4 * phi) / known["radius"]
        np.testing.assert_allclose(np.tan(angle(solution, f"car{number}", "x")), slope, atol=1e-9)
        at.append([known["radius"] * np.cos(phi), known["radius"] * np.sin(phi), altitude])
    gaps = np.sqrt(np.sum(np.diff(np.array(at), axis=0) ** 2, axis=1))
    np.testing.assert_allclose(gaps, known["car_length"] + known["link_length"], atol=1e-9)


@pytest.mark.parametrize("name", ["roller-coaster-one-car", "roller-coaster", "sliding-coaster"])
def test_the_drag_of_a_train_takes_its_energy(name: str) -> None:
    """dE/dt = −c·v² of the first car, whose drag it is; here c is large."""
    solution = run(name, 5.0, drag_constant=0.1)
    number = "" if "one" in name else "1"
    w, z = solution[f"origin{number}.rw"], solution[f"origin{number}.rz"]
    around = 2 * (w * solution[f"origin{number}.rz_rate"] - z * solution[f"origin{number}.rw_rate"]) * 50
    lost = 0.1 * (around**2 + solution[f"car{number}.tz_rate"] ** 2)
    spent = _integral(lost, solution.times)
    assert spent[-1] > 10
    np.testing.assert_allclose(
        solution["energy"][0] - solution["energy"][1:], spent[1:], rtol=1e-6, atol=1e-6
    )


def _integral(rate: Array, times: Array) -> Array:

    return CubicSpline(times, rate).antiderivative()(times)


def test_the_bicycle_has_the_published_eigenvalues() -> None:
    """Meijaard, Papadopoulos, Ruina and Schwab (2007), Table 2, at 5 m/s: weave (a pair), capsize, castering."""
    published = np.array([-0.77534188219585, 4.46486771378823, -0.32286642900409, -14.07838969279822])
    solution = simulator("bicycle").simulate(3.0, rtol=1e-10, parameters={"speed": 5, "lean_rate": 1e-3})
    steer, t = solution["fork.turn"], solution.times

    def shapes(eigenvalues: Array) -> Array:
        real, imaginary, capsize, caster = eigenvalues
        weave = np.exp(real * t)
        return np.array([weave * np.cos(imaginary * t), weave * np.sin(imaginary * t),
                         np.exp(capsize * t), np.exp(caster * t)]).T  # fmt: skip

    def left(eigenvalues: Array) -> Array:
        basis = shapes(eigenvalues)
        return (basis @ np.linalg.lstsq(basis, steer, rcond=None)[0] - steer) / np.max(np.abs(steer))

    assert np.max(np.abs(left(published))) < 1e-5
    found = least_squares(left, published * [1.05, 0.97, 1.1, 0.95], xtol=1e-14, ftol=1e-14, gtol=1e-14).x
    np.testing.assert_allclose(found, published, rtol=1e-3)


def test_the_bicycle_steadies_itself_between_two_speeds() -> None:
    """Kicked at 4.6 m/s it comes upright again; at 3 m/s it does not."""
    steady, falling = run("bicycle", 5.0), run("bicycle", 1.5, speed=3.0)

    def lean(solution: lw.Solution) -> Array:
        return np.abs(np.arcsin(rotation(quaternion(solution, "body"))[2, 1]))

    assert lean(steady)[-100:].max() < 0.3 * lean(steady)[:200].max()
    assert lean(falling)[-100:].max() > 1.5 * lean(falling)[:200].max()


def gyroscope_numbers() -> tuple[float, float, float]:
    """What of the rings' and the rotor's inertia enters: C of the rotor, B + A + ml² − C_ring across, and m·g·l."""
    known = values("gyroscope")
    ring = known["inner_mass"] * known["inner_radius"] ** 2
    weight = known["weight"] * known["arm"] ** 2
    lever = known["weight"] * known["g"] * known["arm"]
    return known["axial"], ring + known["across"] + weight - ring / 2, lever


@pytest.mark.parametrize("tilt", ["30 deg", "60 deg", "100 deg"])
def test_the_gyroscope_goes_round_steadily(tilt: str) -> None:
    """C·ω₃·Ω = m·g·l + (B + A + ml² − C_ring)·Ω²·cos θ, with ω₃ = spin + Ω·cos θ, is the precession without nodding."""
    axial, across, lever = gyroscope_numbers()
    theta = np.radians(float(tilt.split()[0]))
    spin = values("gyroscope")["spin"]
    roots = np.roots([(axial - across) * np.cos(theta), axial * spin, -lever])
    slow = float(np.real(roots[np.argmin(np.abs(roots))]))
    solution = simulator("gyroscope").simulate(5.0, parameters={"tilt": tilt, "precession": slow})
    assert solution.accurate
    np.testing.assert_allclose(solution["outer_ring.turn"], slow * solution.times, atol=1e-7)
    np.testing.assert_allclose(solution["inner_ring.turn"], theta, atol=1e-8)


def test_the_gyroscope_keeps_its_momenta_and_nods() -> None:
    """The momenta of precession and of spin stay; let go at rest, the axis falls first and never rises above."""
    axial, across, _ = gyroscope_numbers()
    known = values("gyroscope")
    solution = run("gyroscope")
    theta, around = solution["inner_ring.turn"], solution["outer_ring.turn_rate"]
    own = axial * (solution["rotor.turn_rate"] + around * np.cos(theta))
    rings = (
        known["outer_mass"] * known["outer_radius"] ** 2 / 2
        + known["inner_mass"] * known["inner_radius"] ** 2 / 2
    )
    upright = (rings + across * np.sin(theta) ** 2) * around + own * np.cos(theta)
    assert np.ptp(own) < 1e-9 * abs(own[0])
    assert np.ptp(upright) < 1e-9 * abs(own[0])
    assert theta.max() > theta[0] + 1e-3
    assert theta.min() > theta[0] - 1e-9


def foucault_place(solution: lw.Solution, end: str = "") -> Array:
    """Where the bob is in the axes of the site, and with "_rate" its velocity there."""
    length = values("foucault-pendulum")["length"]
    w, x, y = (solution[f"wire.r{axis}"] for axis in "wxy")
    if not end:
        return -length * np.array([2 * w * y, -2 * w * x, 1 - 2 * (x * x + y * y)])
    dw, dx, dy = (solution[f"wire.r{axis}{end}"] for axis in "wxy")
    return -length * np.array([2 * (dw * y + w * dy), -2 * (dw * x + w * dx), -4 * (x * dx + y * dy)])


@pytest.mark.parametrize("latitude", [48.846, 90.0, 30.0, 0.0, -33.0])
def test_foucaults_pendulum_turns_with_the_sine_of_the_latitude(latitude: float) -> None:
    """The plane turns by −Ω·sin(latitude)·t, less 3/8·(a/l)² of it for the narrow ellipse of the bob (Airy 1851).

    The horizontal part of the Earth's turning changes single swings a little, by some 1e-9 rad/s over half an hour.
    """
    known = values("foucault-pendulum")
    solution = simulator("foucault-pendulum").simulate(
        1800.0, step=0.25, parameters={"latitude": np.radians(latitude)}
    )
    assert solution.accurate
    x, y, _ = (CubicSpline(solution.times, each) for each in foucault_place(solution))
    far = CubicSpline(solution.times, x(solution.times) ** 2 + y(solution.times) ** 2)
    ends = np.array([t for t in far.derivative().roots(extrapolate=False) if far(t, 2) < 0])
    assert len(ends) > 200
    rate = np.polyfit(ends, np.unwrap(np.arctan2(y(ends), x(ends)), period=np.pi), 1)[0]
    narrow = 1 - 3 / 8 * (known["swing"] / known["length"]) ** 2
    expected = -known["turning"] * np.sin(np.radians(latitude)) * narrow
    assert rate == pytest.approx(expected, abs=3e-9)


def test_the_moving_energy_of_foucaults_pendulum() -> None:
    """What is conserved in a frame that turns with the Earth: E − Ω·J about the Earth's axis."""
    known = values("foucault-pendulum")
    solution = run("foucault-pendulum", 600.0)
    local, speed = foucault_place(solution), foucault_place(solution, "_rate")
    tilt = np.pi / 2 - known["latitude"]
    outward, east = np.cos(tilt) * local[0] + np.sin(tilt) * local[2], local[1]
    v_outward = np.cos(tilt) * speed[0] + np.sin(tilt) * speed[2] - known["turning"] * east
    v_east = speed[1] + known["turning"] * outward
    around = known["iron"] * (outward * v_east - east * v_outward)
    moving = solution["energy"] - known["turning"] * around
    assert np.ptp(solution["energy"]) > 1e-5
    assert np.ptp(moving) < 1e-8 * np.max(solution["kinetic"])
