"""The simulator against published benchmark problems and independent derivations, through machine files.

The digits of the squeezer and the car axis are those of the Test Set for IVP Solvers; the other references are
integrated here from equations that share nothing with linkwork (see ``published.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
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
    random_chain,
    random_ring,
    rotation,
)
from scipy.integrate import simpson, solve_ivp

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.model import load
from linkwork.model.read import machine_from_text
from linkwork.simulation import Simulator, Solution
from linkwork.simulation.native import NativeMachine

MACHINES = Path(__file__).parent / "machines"


@cache
def simulator(name: str) -> Simulator:
    """A machine of the folder, compiled once."""
    return Simulator(load(MACHINES / f"{name}.toml"))


def run(name: str, until: float, **options: Any) -> Solution:
    """A machine of the folder in time, ten rows."""
    return simulator(name).simulate(until, step=until / 10, **options)


def run_text(text: str, until: float, **options: Any) -> Solution:
    """A machine given as text, in time."""
    return lw.simulate(machine_from_text(text, "test.toml", "test"), until, step=until / 10, **options)


def last(solution: Solution, *names: str) -> Array:
    """Columns at the end."""
    return np.array([solution[name][-1] for name in names])


def integrated(rates: Callable[[float, Any], Any], until: float, start: Any, **options: Any) -> Array:
    """The end of an ordinary differential equation."""
    given = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14, **options}
    return np.asarray(solve_ivp(rates, (0, until), start, **given).y[:, -1])


def drift(solution: Solution) -> float:
    """How far the energy strays from where it starts."""
    total = solution.energy["total"]
    return float(np.max(np.abs(total - total[0])))


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up after 5,000 steps: a run that is stuck would take hours."""
    whole = NativeMachine.run

    def bounded(self: NativeMachine, *given: Any, **options: Any) -> Any:
        return whole(self, *given, **{**options, "most_steps": 5_000})

    monkeypatch.setattr(NativeMachine, "run", bounded)


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


# --------------------------------------------------------------------------------------- bad input

SPACE = "linkwork = 1\ndimension = 3\n"
BALL = '[frame.ball]\nat = [1, 0, 0]\nvaries = ["tx", "ty", "tz"]\nmass = 1\n'
WEIGHT = '[energy.weight]\neach = "mass(body)*9.81*position(body).z"\n'
SPINNING = '[frame.ball]\nvaries = ["rx", "ry", "rz"]\nmass = 1\n'


def holds(table: str, **equations: str) -> str:
    """Conditions as a file has them."""
    return "".join(f'[{table}.{name}]\nholds = "{text}"\n' for name, text in equations.items())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SPINNING + "quaternion = [0, 0, 0, 0]\ninertia = [1, 1, 1]\n", "ball quaternion"),
        (SPINNING + "inertia = [1, -1, 1]\n", "ball inertia"),
        (SPINNING + "inertia = [1, 1, 3]\n", "ball inertia"),
        (SPINNING + "inertia = [1, 1, 1, 2, 0, 0]\n", "ball inertia"),
        ('[frame.ball]\nvaries = ["tx"]\nmass = -1\n', "ball mass"),
        ('[frame.a]\non = "b"\nvaries = ["tx"]\nmass = 1\n[frame.b]\non = "a"\n', "a b"),
        (BALL + "[control]\nstart = 1\n", "control"),
        (BALL + '[control.""]\nstart = 1\n', "name"),
        (BALL + '[force.f]\ntype = "force"\nat = "ball"\nforce = ["throttle", 0, 0]\n', "throttle"),
        (BALL + holds("constraint", c="ball.tz == altitude"), "altitude"),
        (BALL + holds("constraint", c="position(bal).z == 0"), "bal"),
        (BALL + holds("constraint", c="position(ball) == 3"), "vector"),
        (BALL + holds("initial", a="ball.tx_rate == 1", b="ball.tx_rate == 2"), "a b"),
        (BALL + holds("constraint", c="ball.tx == 1") + holds("initial", b="ball.tx_rate == 2"), "b"),
        (BALL.replace("[1,", "[0,") + holds("constraint", sphere="ball.tx^2 + ball.ty^2 + ball.tz^2 == 0"), "sphere"),
        (BALL + holds("constraint", low="ball.tz == 0", high="ball.tz == 1"), "low high"),
        (BALL + holds("constraint", sphere="norm(position(ball)) == -1"), "sphere"),
        (BALL + '[frame.idle]\nvaries = ["tx"]\n', "idle.tx mass"),
        ('[frame.ball]\nvaries = ["tx"]\nmass = 0\n', "ball.tx mass"),
        (SPINNING, "ball mass"),
        ("[part.bead]\nmass = 1\n" + WEIGHT, "bead mass"),
        (BALL + '[energy.e]\nvalue = "ball.tx_rate^2"\n', "e"),
        (BALL + holds("constraint", c="rate(ball.tx_rate) == 0"), "c"),
        ("[parameter]\nt = 3\n" + BALL + WEIGHT, "t"),
    ],
)  # fmt: skip
def test_bad_machines_are_refused_by_name(text: str, words: str) -> None:
    """A clear error that names what the user wrote, not what the program calls it inside."""
    with pytest.raises(LinkworkError) as caught:
        run_text(SPACE + text, 1)
    message = str(caught.value)
    assert all(word in message for word in words.split())
    assert "A_" not in message
    assert "neither an input nor defined" not in message


@pytest.mark.parametrize(
    "options",
    [
        {"until": float("nan")},
        {"until": float("inf")},
        {"until": 0},
        {"step": 0},
        {"step": -1},
        {"step": float("nan")},
        {"step": 1e-12},
        {"rtol": 0},
        {"rtol": 1},
        {"rtol": float("nan")},
        {"method": "rk4"},
        {"start": {"x": 1}},
        {"rates": {"x": 1}},
        {"parameters": {"x": 1}},
        {"controls": {"x": 1}},
        {"until": "1"},
        {"rtol": "a"},
        {"rtol": 1e-20},
        {"start": {"pole.turn": "a"}},
        {"start": [1]},
        {"start": {"pole.turn": float("nan")}},
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(options: dict[str, Any]) -> None:
    """Nonsense for times, tolerances and starts."""
    with pytest.raises(LinkworkError):
        simulator("cart-pole").simulate(**{"until": 1, "step": 0.5, **options})


@pytest.mark.parametrize(
    ("second", "parameters"),
    [("ball.tz == t^2", {}), ("ball.tz_rate == 1", {}), ("ball.tz == (a - 1)*ball.tx", {"a": 2})],
)
def test_a_constraint_that_looks_spare_but_is_not(second: str, parameters: dict[str, float]) -> None:
    """Its gradient depends on that of the first, yet both cannot hold; that has to be said."""
    text = SPACE + "[parameter]\na = 1\n" + BALL + '[energy.pull]\neach = "-position(body).x"\n'
    text += holds("constraint", first="ball.tz == 0", second=second)
    try:
        found = run_text(text, 1, parameters=parameters)
    except LinkworkError:
        return
    kept = abs(found["ball.tx"][-1]) < 1e-9 and bool(parameters)
    assert kept or found.status != "complete" or not found.accurate


@pytest.mark.parametrize(
    "name", ["r", "j", "k", "x", "y", "p", "c", "q0", "clock", "out", "V_x", "constant_0"]
)
def test_parameters_may_be_called_anything(name: str) -> None:
    """Names of parameters do not meet those of the program."""
    text = SPACE + f"[parameter]\n{name} = 2\n" + BALL.replace("mass = 1", f'mass = "{name}"')
    found = run_text(text + holds("constraint", on=f"distance(ball, ground) == {name}/2") + WEIGHT, 1)
    assert last(found, "ball.tz") == pytest.approx([-0.16497], abs=1e-4)


def test_what_stopped_is_not_accurate() -> None:
    """Nothing that broke off is called accurate."""
    text = SPACE + BALL + '[force.f]\ntype = "force"\nat = "ball"\nforce = ["log(-ball.tx)", 0, 0]\n'
    found = run_text(text, 1)
    assert found.status == "stopped"
    assert not found.accurate


def test_definitions_are_columns() -> None:
    """What the user defines is reported."""
    text = SPACE + BALL + WEIGHT + '[definition]\nheight = "ball.tz + 2"\n'
    assert last(run_text(text, 1), "height") == pytest.approx([2 - 9.81 / 2])


def test_springs_without_damping_keep_the_energy() -> None:
    """A mass on a spring."""
    text = (
        SPACE
        + BALL
        + '[force.spring]\ntype = "spring"\nbetween = ["ground", "ball"]\nstiffness = 5\nlength = 2\n'
    )
    assert drift(run_text(text, 1)) < 1e-9


def test_rows_are_as_far_apart_as_asked() -> None:
    """0, 0.3, 0.6, 0.9, and the end."""
    found = simulator("cart-pole").simulate(1, step=0.3)
    assert found.times[:4] == pytest.approx([0, 0.3, 0.6, 0.9])
