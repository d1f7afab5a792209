"""The simulator against published benchmark problems and independent derivations, through machine files.

The digits of the squeezer and the car axis are those of the Test Set for IVP Solvers; the other references are
integrated here from equations that share nothing with linkwork (see ``published.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from published import (
    Array,
)
from published_runs import drift, integrated, last, run, run_text

from linkwork.simulation import Solution

# ------------------------------------------------------------------------------- published digits

SQUEEZER = np.array(
    [
        0.1581077119629904e2,
        -0.1575637105984298e2,
        0.4082224013073101e-1,
        -0.5347301163226948e0,
        0.5244099658805304e0,
        0.5347301163226948e0,
        0.1048080741042263e1,
    ]
)
SQUEEZER_RATES = np.array(
    [
        0.1139920302151208e4,
        -0.1424379294994111e4,
        0.1103291221937134e2,
        0.1929337464421385e2,
        0.5735699284790808e0,
        -0.1929337464421385e2,
        0.3231791658026955e0,
    ]
)
GREEK = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
"""The variables of the squeezer in the test set's order."""
CAR_AXIS = np.array(
    [
        0.493455784275402809122e-1,
        0.496989460230171153861e0,
        0.104174252488542151681e1,
        0.373911027265361256927e0,
        -0.770583684040972357970e-1,
        0.744686658723778553466e-2,
        0.175568157537232222276e-1,
        0.770341043779251976443e0,
    ]
)
AXIS_COLUMNS = [
    f"{side}.t{axis}{rate}" for rate in ("", "_rate") for side in ("left", "right") for axis in "xy"
]


def squeezer_angles(solution: Solution, suffix: str) -> Array:
    """The seven angles of the test set from those of the parts."""
    k = [0.0, *last(solution, *(f"K{i}.{suffix}" for i in range(1, 8)))]
    return np.array([k[1], k[2] - k[1], k[3], k[4] - k[5], k[5], k[6] - k[7], k[7]])


def test_squeezer_by_parts_has_the_published_digits() -> None:
    """Seven bodies, three loops, t = 0.03. The published digits themselves are good to about 1e-10."""
    found = run("squeezer", 0.03)
    assert found.accurate
    assert found.residual < 1e-9
    assert squeezer_angles(found, "angle") == pytest.approx(SQUEEZER, rel=2e-10, abs=3e-11)
    assert squeezer_angles(found, "rate") == pytest.approx(SQUEEZER_RATES, rel=1e-7, abs=1e-7)


def test_squeezer_by_frames_has_the_published_digits() -> None:
    """The same with the seven angles of the test set as variables."""
    found = run("squeezer-frames", 0.03)
    assert found.accurate
    assert last(found, *(f"{each}.turn" for each in GREEK)) == pytest.approx(SQUEEZER, rel=2e-10, abs=3e-11)
    assert last(found, *(f"{each}.turn_rate" for each in GREEK)) == pytest.approx(
        SQUEEZER_RATES, rel=1e-7, abs=1e-7
    )


def test_squeezer_is_the_same_by_parts_and_by_frames() -> None:
    """Both forms agree far better than the published digits tell."""
    parts = squeezer_angles(run("squeezer", 0.03, rtol=1e-11), "angle")
    frames = last(run("squeezer-frames", 0.03, rtol=1e-11), *(f"{each}.turn" for each in GREEK))
    assert parts == pytest.approx(frames, abs=1e-11 * 15.8)


@pytest.mark.parametrize(
    ("options", "tolerance"), [({"rtol": 1e-6}, 1e-7), ({}, 1e-11), ({"method": "implicit"}, 1e-9)]
)
def test_car_axis_has_the_published_digits(options: dict[str, Any], tolerance: float) -> None:
    """An axle on springs whose constraint moves with the road, t = 3."""
    found = run("car-axis", 3, **options)
    assert found.accurate
    assert last(found, *AXIS_COLUMNS) == pytest.approx(CAR_AXIS, abs=tolerance)


# ----------------------------------------------------------------------------------------- tops


def world_up(w: float, x: float, y: float, z: float) -> Array:
    """The world's z-axis in the axes of a body."""
    return np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])


def heavy_top(until: float, spin: float, nod: float) -> Array:
    """Euler's and Poisson's equations about the fixed point: the angular velocity and the vertical, in the body."""
    m, g = 15, 9.81
    moments = np.array([0.234375 + m, 0.46875, 0.234375 + m])

    def rates(t: float, y: Array) -> Array:
        w, up = y[:3], y[3:]
        moment = np.cross([0, 1, 0], -m * g * up)
        return np.concatenate([(moment - np.cross(w, moments * w)) / moments, -np.cross(w, up)])

    return integrated(rates, until, [0, spin, nod, 0, 0, 1], max_step=1e-3)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("heavy-top", ("top.rw", "top.rx", "top.ry", "top.rz")),
        ("heavy-top-part", ("top.q0", "top.q1", "top.q2", "top.q3")),
    ],
)
def test_fast_heavy_top(name: str, columns: tuple[str, ...]) -> None:
    """150 rad/s about its axis; as a quaternion frame and as a part on a spherical joint."""
    found = run(name, 0.5)
    assert found.accurate
    assert drift(found) < 1e-8
    assert world_up(*last(found, *columns)) == pytest.approx(heavy_top(0.5, 150, -4.61538)[3:], abs=1e-9)


@pytest.mark.parametrize("name", ["heavy-top", "heavy-top-part"])
def test_steady_precession(name: str) -> None:
    """With m·g·l = C·spin·precession the axis stays level and turns evenly; parameters are set, nothing is compiled."""
    precession = 15 * 9.81 / (0.46875 * 150)
    found = run(name, 2, parameters={"nod": precession})
    letters = ("rw", "rx", "ry", "rz") if name == "heavy-top" else ("q0", "q1", "q2", "q3")
    w, x, y, z = last(found, *(f"top.{each}" for each in letters))
    axis = np.array([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
    assert axis == pytest.approx([-np.sin(2 * precession), np.cos(2 * precession), 0], abs=1e-9)


# ------------------------------------------------------------------------------------- rolling


def test_rolling_disc() -> None:
    """Momentum about the point of contact: A·w' + ... = r x m·(a + g), a = -(w x r)'; no multipliers."""
    m, radius, g, lean = 2, 0.5, 9.81, np.radians(70)
    across, along = m * radius**2 / 4, m * radius**2 / 2
    up = np.array([0, 0, 1.0])

    def rates(t: float, y: Array) -> Array:
        n, w = y[:3], y[3:6]
        down, turning = n[2] * n - up, np.cross(w, n)
        length = np.linalg.norm(down)
        falling = turning[2] * n + n[2] * turning
        r = radius * down / length
        rate = radius * (falling / length - down * (down @ falling) / length**3)
        cross_r = np.cross(np.eye(3), r).T
        inertia = across * np.eye(3) + (along - across) * np.outer(n, n) + m * cross_r.T @ cross_r
        side = np.cross(r, m * (g * up - np.cross(w, rate))) - (along - across) * (w @ n) * turning
        return np.concatenate([turning, np.linalg.solve(inertia, side), -np.cross(w, r)])

    start = [0, -np.sin(lean), np.cos(lean), 0.3, 1.5, 6, 0, 0, radius * np.sin(lean)]
    found = run("rolling-disc", 3)
    assert found.accurate
    assert drift(found) < 1e-9
    assert last(found, "disc.tx", "disc.ty", "disc.tz") == pytest.approx(
        integrated(rates, 3, start)[6:], abs=1e-10
    )


def test_chaplygin_sleigh() -> None:
    """v = V·tanh(k·t + c), and the energy gives the turning."""
    m, inertia, a = 1.5, 0.4, 0.3
    whole = inertia + m * a * a
    twice = m * 1**2 + whole * 2**2
    fastest = np.sqrt(twice / m)
    found = run("sleigh", 6)
    v = fastest * np.tanh(a * fastest * m / whole * found.times + np.arctanh(-1 / fastest))
    heading = found["sleigh.turn"]
    forwards = found["sleigh.tx_rate"] * np.cos(heading) + found["sleigh.ty_rate"] * np.sin(heading)
    assert forwards == pytest.approx(v, abs=1e-10)
    assert found["sleigh.turn_rate"] == pytest.approx(np.sqrt((twice - m * v * v) / whole), abs=1e-10)


def test_car_with_steered_wheels() -> None:
    """(m + J·k²)·u' + J·k·k'·u = F with curvature k(t) = tan(steer)/L: nonholonomic, and dependent on time."""
    m, inertia, length, push = 800, 1200 + 800 * 1.1**2, 2.6, 900

    def rates(t: float, y: Array) -> list[float]:
        steer, steering = 0.4 * np.sin(1.3 * t), 0.52 * np.cos(1.3 * t)
        k, k_rate = np.tan(steer) / length, steering / np.cos(steer) ** 2 / length
        u = y[3]
        slower = (push - inertia * k * k_rate * u) / (m + inertia * k * k)
        return [u * np.cos(y[2]), u * np.sin(y[2]), k * u, slower]

    found = run("car", 8)
    assert last(found, "car.tx", "car.ty", "car.turn") == pytest.approx(
        integrated(rates, 8, [0, 0, 0.2, 5])[:3], abs=1e-8
    )


def test_robot_on_two_wheels() -> None:
    """(M + 2m + 2J/r²)·u' = M·a·w² + ΣT/r and (…)·w' = -M·a·u·w + b·ΔT/r; one of four constraints is spare."""
    M, inertia, a, m, spinning, flat, r, b = 3, 0.2, 0.15, 0.4, 0.004, 0.0025, 0.1, 0.25
    ahead = M + 2 * m + 2 * spinning / r**2
    around = inertia + M * a * a + 2 * m * b * b + 2 * flat + 2 * spinning * b * b / r**2

    def rates(t: float, y: Array) -> list[float]:
        _, _, heading, u, w = y
        right, left = 0.4 * np.cos(t), 0.3
        faster = (M * a * w * w + (right + left) / r) / ahead
        return [
            u * np.cos(heading),
            u * np.sin(heading),
            w,
            faster,
            (b * (right - left) / r - M * a * u * w) / around,
        ]

    found = run("robot", 4)
    assert found.accurate
    assert len(found.redundant) == 1
    wanted = integrated(rates, 4, [0, 0, 0.3, 0.5, -1])
    assert last(found, "body.tx", "body.ty", "body.turn") == pytest.approx(wanted[:3], abs=1e-8)


# ------------------------------------------------------------------------- pendulum, crank, governor


def test_simple_pendulum() -> None:
    """IFToMM A01: a bob of 1 kg falls from level on a rod of 1 m; x'' = ... by its angle."""
    text = """linkwork = 1
gravity = [0, -9.81]
[part.bob]
points = { pivot = [-1, 0] }
mass = 1
start = { at = [1, 0] }
[joint.pivot]
type = "revolute"
between = ["ground", "bob.pivot"]
"""
    found = run_text(text, 10)
    angle = integrated(lambda t, y: [y[1], -9.81 * np.cos(y[0])], 10, [0, 0])[0]
    assert last(found, "bob.x", "bob.y") == pytest.approx([np.cos(angle), np.sin(angle)], abs=1e-9)
    assert drift(found) < 1e-8


def test_slider_crank_by_its_reduced_inertia() -> None:
    """½·J(a)·a'² + V(a) is constant; J and V are written out for rods and a slider."""
    r, length, g = 0.5, 1.3, 9.81

    def reduced(a: Any) -> tuple[Any, Any]:
        lean = np.arcsin(-r * np.sin(a) / length)
        rate = -r * np.cos(a) / (length * np.cos(lean))
        middle = (
            -r * np.sin(a) - length / 2 * np.sin(lean) * rate,
            r * np.cos(a) + length / 2 * np.cos(lean) * rate,
        )
        slider = -r * np.sin(a) - length * np.sin(lean) * rate
        inertia = r * r / 3 + middle[0] ** 2 + middle[1] ** 2 + length**2 / 12 * rate**2 + 2 * slider**2
        return inertia, g * (r / 2 * np.sin(a) + r * np.sin(a) + length / 2 * np.sin(lean))

    def rates(t: float, y: Array) -> list[float]:
        inertia, _ = reduced(y[0])
        slopes = [each.imag / 1e-30 for each in reduced(y[0] + 1e-30j)]
        return [y[1], -(slopes[0] * y[1] ** 2 / 2 + slopes[1]) / inertia]

    text = f"""linkwork = 1
gravity = [0, -9.81]
[part.crank]
points = {{ O = [0, 0], B = [{r}, 0] }}
mass = 1
centre = [{r / 2}, 0]
inertia = {r * r / 12}
[part.rod]
points = {{ B = [0, 0], C = [{length}, 0] }}
mass = 1
centre = [{length / 2}, 0]
inertia = {length**2 / 12}
start = {{ at = [{r}, 0] }}
[part.slider]
mass = 2
start = {{ at = [{r + length}, 0] }}
[joint.O]
type = "revolute"
between = ["ground", "crank.O"]
[joint.B]
type = "revolute"
between = ["crank.B", "rod.B"]
[joint.C]
type = "revolute"
between = ["rod.C", "slider"]
[joint.way]
type = "prismatic"
between = ["ground", "slider"]
[initial.spin]
holds = "crank.rate == 9"
"""
    found = run_text(text, 2)
    assert found.accurate
    assert last(found, "crank.angle", "crank.rate") == pytest.approx(integrated(rates, 2, [0, 9]), abs=1e-8)


@pytest.mark.parametrize("method", ["auto", "implicit"])
def test_governor_with_stiff_springs(method: str) -> None:
    """The shaft's momentum is kept; arms and sleeve by hand: stiffness 8e5, damping 4e4."""
    half, ball, rod, sleeve, shaft, k, c, rest, g = 0.5, 5, 1, 3, 2, 8e5, 4e4, 0.5, 9.81
    inertia, weight = 2 * (ball + rod / 3), 2 * (ball + rod / 2) * g
    momentum = (shaft + inertia / 4) * 2 * np.pi

    def rates(t: float, y: Array) -> list[float]:
        _, a, s, a_rate, s_rate = y
        turning = momentum / (shaft + inertia * np.sin(a) ** 2)
        across, down = half * np.sin(a), s - half * np.cos(a)
        gap = np.hypot(across, down)
        per_angle, per_sleeve = half * (across * np.cos(a) + down * np.sin(a)) / gap, down / gap
        pull = 2 * (k * (gap - rest) + c * (per_angle * a_rate + per_sleeve * s_rate))
        swing = inertia * np.sin(a) * np.cos(a) * turning**2 - weight * np.sin(a) - pull * per_angle
        return [turning, a_rate, s_rate, swing / inertia, g - pull * per_sleeve / sleeve]

    start = [0, np.pi / 6, np.cos(np.pi / 6), 0, 0]
    turn, arm, place, *_ = integrated(rates, 1, start, method="Radau", rtol=1e-11, atol=1e-12)
    found = run("governor", 1, method=method)
    assert found.accurate
    columns = ("shaft.turn", "right.turn", "left.turn", "sleeve.tz")
    assert last(found, *columns) == pytest.approx([turn, -arm, -arm, -place], abs=1e-9)


@pytest.mark.parametrize("light", [1, 1e-3, 1e-6])
@pytest.mark.parametrize(
    ("name", "angle", "place"),
    [("cart-pole", "pole.turn", "cart.tx"), ("cart-pole-parts", "pole.angle", "cart.x")],
)
def test_light_cart_with_a_pole(name: str, angle: str, place: str, light: float) -> None:
    """The centre of mass stays on its line: one equation, J·a'' = ... with J = m·l²·(M + m·cos²)/(M + m)."""

    def rates(t: float, y: Array) -> list[float]:
        sine, cosine = np.sin(y[0]), np.cos(y[0])
        inertia = (light + cosine**2) / (light + 1)
        return [y[1], (-9.81 * cosine + sine * cosine / (light + 1) * y[1] ** 2) / inertia]

    start = np.pi / 2 - 0.1
    wanted = integrated(rates, 2, [start, 0], rtol=3e-14)[0]
    found = run(name, 2, parameters={"cart": light})
    moved = (np.cos(start) - np.cos(wanted)) / (1 + light)
    assert last(found, angle, place) == pytest.approx([wanted, moved], abs=3e-9)
    assert found.accurate or "accuracy" in found.why


def test_stiff_spring_with_damping_is_handed_to_the_implicit_method() -> None:
    """1e8 N/m: what is fast dies out at once, what is slow is right."""
    text = """linkwork = 1
[parameter]
k = 1e8
c = 1e6
[frame.first]
varies = ["tx"]
mass = 1
[frame.second]
at = [1, 0]
varies = ["tx"]
mass = 1
[energy.soft]
value = "(position(first).x + position(second).x)^2/2"
[force.stiff]
type = "spring"
between = ["first", "second"]
stiffness = "k"
damping = "c"
length = 1.001
"""
    found = run_text(text, 5, rtol=1e-7)
    assert found.accurate
    assert found.effort["method"] == "Radau IIA 5"
    middle = (found["first.tx"] + found["second.tx"]) / 2
    assert middle == pytest.approx(0.5 * np.cos(np.sqrt(2) * found.times), abs=1e-6)
    assert (found["second.tx"] - found["first.tx"])[1:] == pytest.approx(np.full(10, 1.001), abs=1e-6)
