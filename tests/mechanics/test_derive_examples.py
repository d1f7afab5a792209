"""The drawings among the examples: every formula against one by hand, on random values near the file's own.

Hand formulas are written with mpmath and differentiated by its differences in 30 digits, so nothing of ours has a
part in them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from linkwork import evaluate, examples
from linkwork.errors import LinkworkError
from linkwork.mechanics import Derivation, derive
from linkwork.model import load

DRAWINGS = [name for name in examples.names() if load(name).drawing is not None]

Real = Any  # mpmath has no types
Values = Mapping[str, float]

mp = mpmath.mp.clone()
mp.dps = 30
near = pytest.approx
SEEDS = range(5)
CHAIN = ",".join(f"q{place}" for place in range(1, 11))


@cache
def derived(name: str, **asked: Any) -> Derivation:
    return derive(load(name), **asked)


def numbers(name: str, seed: int) -> dict[str, float]:
    """The file's values, each changed by up to 3 %, and velocities and accelerations that it does not give."""
    drawn = random.Random(seed)
    values = {key: value * drawn.uniform(0.97, 1.03) for key, value in load(name).values().items()}
    assert load(name).drawing is not None
    moving = load(name).drawing.moving  # type: ignore[union-attr]
    given = {f"{kind}_{each}": drawn.uniform(-2, 2) for each in (*moving, "a") for kind in "VA"}
    return given | values


def found(derivation: Derivation, values: Values) -> dict[str, float]:
    known = {key: value for key, value in values.items() if key in derivation.table.inputs}
    return known | derivation.table.evaluate(known)


def slope(value: Callable[[Real], Real], at: float, order: int = 1) -> float:
    """The derivative of a hand formula."""
    return float(mp.diff(value, mp.mpf(at), order))


def one_freedom(
    energies: Callable[[Real], tuple[Real, Real]], at: float, speed: float, acceleration: float
) -> float:
    """Lagrange's equation for ½·J(u)·u'² − U(u): the force J·u'' + ½·J'·u'² + U' that the motion needs."""
    inertia = energies(mp.mpf(at))[0]
    change = slope(lambda u: energies(u)[0], at)
    push = slope(lambda u: energies(u)[1], at)
    return float(inertia) * acceleration + change * speed**2 / 2 + push


def square(place: Callable[[Real], Real], at: Real) -> Real:
    """|d place/du|² of a complex place."""
    x, y = mp.diff(lambda u: mp.re(place(u)), at), mp.diff(lambda u: mp.im(place(u)), at)
    return x * x + y * y


def meeting(first: Real, far: Real, second: Real, near_by: Real, side: int) -> Real:
    """The complex place at distances from two others, to the left (side 1) of the way or to the right (−1)."""
    way = second - first
    opening = mp.acos((far**2 + abs(way) ** 2 - near_by**2) / (2 * far * abs(way)))
    return first + far * mp.expj(mp.arg(way) + side * opening)


# ---------------------------------------------------------------------------------------- all of them


def test_the_drawings_are_there() -> None:
    wanted = """crank-piston double-pendulum four-bar-drawing k33 ladder pantograph-drawing scissor-lift
        six-bar-drawing slider-crank-inertias spring-mass-damper-arm ten-link-chain toggle-press trammel
        triple-pendulum truss whitworth"""
    assert {*wanted.split()} <= {*DRAWINGS}


@pytest.mark.parametrize("name", DRAWINGS)
def test_it_says_what_it_is(name: str) -> None:
    """A comment, a title, units, and a number for every dimension."""
    machine = load(name)
    assert examples.path(name).read_text("utf-8").startswith("# ")
    assert machine.title
    assert "length" in machine.units
    values = derived(name).table.evaluate(machine.values())
    assert all(math.isfinite(value) for value in values.values())


@pytest.mark.parametrize("name", DRAWINGS)
def test_its_rough_places_are_near_the_exact_ones(name: str) -> None:
    """The picture in the file is of the drawing that is constructed: turned and moved, not another branch."""
    drawing = load(name).drawing
    assert drawing is not None
    rough = {point: evaluate([*place], {}) for point, place in drawing.points.items() if place}
    if not rough:
        pytest.skip("its points have no rough places")
    names = [f"{point}{axis}" for point in rough for axis in "xy"]
    exact = found(derived(name, quantity=",".join(names), tidy=False), load(name).values())
    size = max(math.dist(*pair) for pair in combinations(rough.values(), 2))
    for first, second in combinations(rough, 2):
        far = math.hypot(*(exact[f"{first}{axis}"] - exact[f"{second}{axis}"] for axis in "xy"))
        assert far == near(math.dist(rough[first], rough[second]), abs=0.1 * size)


# --------------------------------------------------------------------------------- the paper's three


def test_the_four_bar_is_constructed_as_in_the_paper() -> None:
    """Todd, McLeod and Harris (1994), page 1, line by line."""
    assert derived("four-bar-drawing").construction.words.splitlines() == [
        "1. Construct a point P2 at the origin.",
        "2. Construct a line L3 through P2 in the direction of the x-axis.",
        "3. Construct a point P1 on the line L3 at the distance b from P2.",
        "4. Construct a line L5 through P2 at the angle e to L3.",
        "5. Construct a point P4 on the line L5 at the distance a from P2.",
        "6. Construct a point P6 at the distance c from P1 and at the distance d from P4.",
        "7. Construct a line L8 through P1 and P6.",
        "8. Construct a line L7 through P4 and P6.",
        "9. Construct a point P9 on the line L7 at the distance d/2 from P4.",
    ]


def four_bar(at: Values) -> Callable[[Real], tuple[Real, Real, Real]]:
    """P4, P6 and P9 as complex numbers over the crank's angle."""

    def places(angle: Real) -> tuple[Real, Real, Real]:
        pin = at["a"] * mp.expj(angle)
        end = meeting(mp.mpf(at["b"]), at["c"], pin, at["d"], -1)
        return pin, end, (pin + end) / 2

    return places


@pytest.mark.parametrize("seed", SEEDS)
def test_four_bar_midpoint(seed: int) -> None:
    """Seven lines at most, as printed in the paper."""
    at = numbers("four-bar-drawing", seed)
    derivation = derived("four-bar-drawing", quantity="P9x,P9y")
    assert len(derivation.table) <= 7
    wanted = four_bar(at)(mp.mpf(at["e"]))[2]
    got = found(derivation, at)
    assert (got["P9x"], got["P9y"]) == near((float(wanted.real), float(wanted.imag)), rel=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_four_bar_accelerates_and_is_driven(seed: int) -> None:
    """By Lagrange's equation: J·e'' + ½·J'·e'² + U' is 0 where the crank is free, else the torque."""
    at = numbers("four-bar-drawing", seed)
    places = four_bar(at)

    def energies(angle: Real) -> tuple[Real, Real]:
        inertia = sum(square(lambda u, i=i: places(u)[i], angle) for i in range(3))  # type: ignore[misc]
        return inertia, at["g"] * sum(each.imag for each in places(angle))

    free = found(derived("four-bar-drawing", accelerations="e"), at)["A_e"]
    assert one_freedom(energies, at["e"], at["V_e"], free) == near(0, abs=1e-8)
    torque = one_freedom(energies, at["e"], at["V_e"], at["A_e"])
    assert found(derived("four-bar-drawing", quantity="torque"), at)["torque"] == near(torque, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_crank_piston_torque(seed: int) -> None:
    """The paper's three lines: torque = −c·sin(a) + dP8a/da with P8a² = L² − c²·sin²(a)."""
    at = numbers("crank-piston", seed)
    derivation = derived("crank-piston", reaction="a")
    assert len(derivation.table) <= 3
    c, length, a = at["c"], at["L"], at["a"]
    reach = math.sqrt(length**2 - (c * math.sin(a)) ** 2)
    wanted = -c * math.sin(a) - c * c * math.sin(a) * math.cos(a) / reach
    assert found(derivation, at)["reaction_a"] == near(wanted, rel=1e-12)
    assert found(derived("crank-piston"), at)["torque"] == near(wanted, rel=1e-12)


def double_pendulum(seed: int) -> tuple[dict[str, float], dict[str, float]]:
    at = numbers("double-pendulum", seed)
    return at, found(derived("double-pendulum", accelerations="a,b"), at)


@pytest.mark.parametrize("seed", SEEDS)
def test_double_pendulum_by_lagrange(seed: int) -> None:
    """Six lines at most; the textbook's two equations for the angles of the links to the x-axis."""
    at, got = double_pendulum(seed)
    assert len(derived("double-pendulum", accelerations="a,b").table) <= 6
    first, second = at["a"], at["a"] + at["b"]
    v1, v2 = at["V_a"], at["V_a"] + at["V_b"]
    a1, a2 = got["A_a"], got["A_a"] + got["A_b"]
    turn = first - second
    upper = 2 * a1 + math.cos(turn) * a2 + math.sin(turn) * v2**2 + 2 * at["g"] * math.cos(first)
    lower = a2 + math.cos(turn) * a1 - math.sin(turn) * v1**2 + at["g"] * math.cos(second)
    assert (upper, lower) == near((0, 0), abs=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_double_pendulum_beside_the_print(seed: int) -> None:
    """The paper's b is ours + 180°, its g is −¼ of ours, and its A_a has the wrong sign; the rest agrees."""
    at, got = double_pendulum(seed)
    a, b, g, va, vb = at["a"], at["b"] + math.pi, -at["g"] / 4, at["V_a"], at["V_b"]
    f2 = va**2 * math.sin(b) - 4 * math.cos(a + b) * g
    f1 = 8 * math.cos(a) * g - 2 * va * vb * math.sin(b) - vb**2 * math.sin(b) - 4 * math.cos(a + b) * g
    j11, j21 = 3 - 2 * math.cos(b), -math.cos(b) + 1
    assert (j11 * f2 - j21 * f1) / (j11 - j21**2) == near(got["A_b"], rel=1e-10)
    assert (j21 * f2 - f1) / (j11 - j21**2) == near(-got["A_a"], rel=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_double_pendulum_energies(seed: int) -> None:
    at = numbers("double-pendulum", seed)
    got = found(derived("double-pendulum"), at)
    first, second = at["a"], at["a"] + at["b"]
    v1, v2 = at["V_a"], at["V_a"] + at["V_b"]
    kinetic = v1**2 + v2**2 / 2 + v1 * v2 * math.cos(first - second)
    assert got["kinetic_energy"] == near(kinetic, rel=1e-12)
    assert got["potential_energy"] == near(at["g"] * (2 * math.sin(first) + math.sin(second)), rel=1e-12)


# ---------------------------------------------------------------------------------------- one freedom


@pytest.mark.parametrize("seed", SEEDS)
def test_slider_crank_with_inertias(seed: int) -> None:
    """J = J_crank + m·|G'|² + J_rod·φ'² + m_piston·C'², the rod's angle φ = −asin(crank·sin(a)/rod)."""
    at = numbers("slider-crank-inertias", seed)

    def rod(a: Real) -> Real:
        return -mp.asin(at["crank"] * mp.sin(a) / at["rod"])

    def along(a: Real, far: float) -> Real:
        return at["crank"] * mp.expj(a) + far * at["rod"] * mp.expj(rod(a))

    def energies(a: Real) -> tuple[Real, Real]:
        inertia = at["J_crank"] + at["m_rod"] * square(lambda u: along(u, at["share"]), a)
        inertia += at["J_rod"] * mp.diff(rod, a) ** 2 + at["m_piston"] * square(lambda u: along(u, 1), a)
        return inertia, at["F"] * along(a, 1).real

    got = found(derived("slider-crank-inertias"), at)
    assert got["torque"] == near(one_freedom(energies, at["a"], at["V_a"], at["A_a"]), rel=1e-9)
    assert got["equivalent_inertia"] == near(float(energies(mp.mpf(at["a"]))[0]), rel=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_whitworth_tool(seed: int) -> None:
    at = numbers("whitworth", seed)

    def tool(a: Real) -> Real:
        lever = mp.atan2(at["crank"] * mp.sin(a) - at["offset"], at["crank"] * mp.cos(a))
        end = at["lever"] * mp.expj(lever)
        return end.real + mp.sqrt(at["rod"] ** 2 - end.imag**2)

    got = found(derived("whitworth"), at)
    assert got["Cx"] == near(float(tool(at["a"])), rel=1e-12)
    assert got["speed"] == near(slope(tool, at["a"]) * at["V_a"], rel=1e-10)


def test_whitworth_returns_quickly() -> None:
    """The lever is level where sin(a) = offset/crank: forth and back take times as π − 2·α to π + 2·α."""
    machine = load("whitworth")
    offset, crank = machine.values()["offset"], machine.values()["crank"]
    alpha = math.asin(offset / crank)
    derivation = derived("whitworth")
    for a, wanted in ((alpha, 1), (math.pi - alpha, -1)):
        got = found(derivation, machine.values() | {"a": a})
        end = machine.values()["lever"] * wanted + machine.values()["rod"]
        assert got["Cx"] == near(end, rel=1e-12)
        assert got["speed"] == near(0, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_scissor_lift_force(seed: int) -> None:
    """Three stages: height 3·√(l² − w²), force −3·W·w/√(l² − w²) by virtual work."""
    at = numbers("scissor-lift", seed)
    stage = math.sqrt(at["l"] ** 2 - at["w"] ** 2)
    got = found(derived("scissor-lift"), at)
    assert got["height"] == near(3 * stage, rel=1e-12)
    assert got["force"] == near(-3 * at["W"] * at["w"] / stage, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_toggle_press_advantage(seed: int) -> None:
    """1/(tan t + tan s), s being the angle of the lower link: upper·sin t = lower·sin s."""
    at = numbers("toggle-press", seed)
    lower = math.asin(at["upper"] * math.sin(at["t"]) / at["lower"])
    wanted = 1 / (math.tan(at["t"]) + math.tan(lower))
    assert found(derived("toggle-press"), at)["advantage"] == near(wanted, rel=1e-12)
    equal = found(derived("toggle-press"), at | {"lower": at["upper"]})["advantage"]
    assert equal == near(1 / (2 * math.tan(at["t"])), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_six_bar_output(seed: int) -> None:
    at = numbers("six-bar-drawing", seed)

    def swing(a: Real) -> Real:
        pin = at["crank"] * mp.expj(a)
        end = meeting(pin, at["coupler"], mp.mpf(at["ground"]), at["rocker"], 1)
        point = pin + at["arm"] * mp.expj(mp.arg(end - pin) + at["tip"])
        axis = mp.mpc(at["x"], at["y"])
        return mp.arg(meeting(point, at["link"], axis, at["output"], 1) - axis)

    got = found(derived("six-bar-drawing"), at)
    assert got["swing"] == near(float(swing(at["a"])), rel=1e-11)
    assert got["ratio"] == near(slope(swing, at["a"]), rel=1e-9)


def test_pantograph_scale_is_a_constant() -> None:
    assert str(derived("pantograph-drawing")).splitlines() == ["scale_x = k", "scale_y = k"]


@pytest.mark.parametrize("seed", SEEDS)
def test_pantograph_pen(seed: int) -> None:
    at = numbers("pantograph-drawing", seed)
    tracer = at["arm"] * mp.expj(at["a"]) + at["reach"] * mp.expj(at["a"] + at["b"])
    got = found(derived("pantograph-drawing", quantity="Qx,Qy"), at)
    pen = at["k"] * tracer
    assert (got["Qx"], got["Qy"]) == near((float(pen.real), float(pen.imag)), rel=1e-12)


def test_ladder_in_one_line() -> None:
    """The textbook's: the moment of inertia about the instantaneous centre is m·l²/3 at every angle."""
    derivation = derived("ladder", accelerations="a")
    assert str(derivation) == "A_a = -3*g*cos(a)/(2*l)"


@pytest.mark.parametrize("seed", SEEDS)
def test_trammel_draws_an_ellipse(seed: int) -> None:
    at = numbers("trammel", seed)
    got = found(derived("trammel"), at)
    half_x, half_y = at["p"] - at["s"], at["p"]
    assert (got["Px"] / half_x) ** 2 + (got["Py"] / half_y) ** 2 == near(1, rel=1e-12)
    assert math.atan2(got["Py"] / half_y, got["Px"] / half_x) == near(at["a"], rel=1e-12)
    assert len(derived("trammel").table) == 2


def arm_torque(at: Values) -> float:
    """What turns the arm: weight, spring and damper, torsion spring."""
    length = math.sqrt(at["l"] ** 2 + at["h"] ** 2 - 2 * at["l"] * at["h"] * math.sin(at["a"]))
    rate = -at["l"] * at["h"] * math.cos(at["a"]) / length
    pull = at["k"] * (length - at["s0"]) + at["c"] * rate * at["V_a"]
    weight = at["m"] * at["g"] * at["l"] * math.cos(at["a"])
    return -weight - pull * rate - at["kt"] * (at["a"] - math.radians(20))


@pytest.mark.parametrize("seed", SEEDS)
def test_arm_with_spring_and_damper(seed: int) -> None:
    at = numbers("spring-mass-damper-arm", seed)
    got = found(derived("spring-mass-damper-arm", accelerations="a"), at)
    assert got["A_a"] == near(arm_torque(at) / (at["m"] * at["l"] ** 2), rel=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_arm_comes_to_rest(seed: int) -> None:
    at = numbers("spring-mass-damper-arm", seed)
    rest = found(derived("spring-mass-damper-arm", equilibrium="a"), at)["a"]
    assert arm_torque(at | {"a": rest, "V_a": 0}) == near(0, abs=1e-9)


# ------------------------------------------------------------------------------------- more freedoms


def chain_faults(
    angles: Sequence[float],
    speeds: Sequence[float],
    rates: Sequence[float],
    lengths: Sequence[float],
    masses: Sequence[float],
    g: float,
) -> list[float]:
    """What is left of the equations of motion of a chain, in the angles of its links to the x-axis."""
    count = len(angles)
    faults = []
    for j in range(count):
        fault = g * math.cos(angles[j]) * sum(masses[j:])
        for k in range(count):
            turn = angles[j] - angles[k]
            part = math.cos(turn) * rates[k] + math.sin(turn) * speeds[k] ** 2
            fault += sum(masses[max(j, k) :]) * lengths[k] * part
        faults.append(fault)
    return faults


@pytest.mark.parametrize("form", ["closed", "matrix", "recursive"])
@pytest.mark.parametrize("seed", SEEDS)
def test_triple_pendulum(form: str, seed: int) -> None:
    at = numbers("triple-pendulum", seed)
    got = found(derived("triple-pendulum", accelerations="p,q,r", form=form), at)
    faults = chain_faults(
        [at[each] for each in "pqr"],
        [at[f"V_{each}"] for each in "pqr"],
        [got[f"A_{each}"] for each in "pqr"],
        [at[f"l{place}"] for place in (1, 2, 3)],
        [at[f"m{place}"] for place in (1, 2, 3)],
        at["g"],
    )
    assert faults == near([0, 0, 0], abs=1e-9)


def test_triple_pendulum_as_a_linear_system() -> None:
    """Mass matrix, right-hand side and one equation for each angle, nothing else."""
    assert len(derived("triple-pendulum", accelerations="p,q,r").table) == 6 + 3 + 3


@pytest.mark.parametrize("seed", SEEDS)
def test_ten_link_chain(seed: int) -> None:
    at = numbers("ten-link-chain", seed)
    got = found(derived("ten-link-chain", accelerations=CHAIN, form="recursive"), at)
    names = CHAIN.split(",")
    angles, speeds, rates = (
        np.cumsum([source[f"{prefix}{each}"] for each in names]).tolist()
        for prefix, source in (("", at), ("V_", at), ("A_", got))
    )
    faults = chain_faults(angles, speeds, rates, [at["l"]] * 10, [at["m"]] * 10, at["g"])
    assert faults == near([0] * 10, abs=1e-8)
    end = found(derived("ten-link-chain"), at)
    wanted = at["l"] * sum(np.cos(angles)), at["l"] * sum(np.sin(angles))
    assert (end["P10x"], end["P10y"]) == near(wanted, rel=1e-11)


# ---------------------------------------------------------------------------------------- frameworks


@pytest.mark.parametrize("seed", SEEDS)
def test_k33_has_its_nine_distances(seed: int) -> None:
    derivation = derived("k33")
    assert [len(each) for each in derivation.construction.simultaneous] == [8]
    at = numbers("k33", seed)
    got = found(derivation, at) | {"Ax": 0, "Ay": 0, "Ux": at["au"], "Uy": 0}
    for first in "ABC":
        for second in "UVW":
            ends = [(got[f"{point}x"], got[f"{point}y"]) for point in (first, second)]
            assert math.dist(*ends) == near(at[f"{first}{second}".lower()], rel=1e-9)


RODS = ("AB", "AC", "BC", "BD", "CD", "CE", "DE")


@pytest.mark.parametrize("seed", SEEDS)
def test_truss_by_the_method_of_joints(seed: int) -> None:
    """At every joint the pulls of its rods, its load and its support add up to nothing."""
    at = numbers("truss", seed)
    places = found(derived("truss", quantity="Bx,By,Cx,Cy,Dx,Dy,Ex"), at) | {"Ax": 0, "Ay": 0, "Ey": 0}
    point = {name: np.array([places[f"{name}x"], places[f"{name}y"]]) for name in "ABCDE"}
    matrix = np.zeros((10, 10))
    for column, rod in enumerate(RODS):
        way = point[rod[1]] - point[rod[0]]
        assert math.hypot(*way) == near(at[rod], rel=1e-11)
        for end, sign in zip(rod, (1, -1), strict=True):
            matrix[2 * "ABCDE".index(end) :][:2, column] = sign * way / math.hypot(*way)
    matrix[0, 7] = matrix[1, 8] = matrix[9, 9] = 1  # the supports: A both ways, E upwards
    load_at = np.zeros(10)
    load_at[5] = at["W"]
    pulls = dict(zip(RODS, np.linalg.solve(matrix, load_at), strict=False))
    got = found(derived("truss", quantity=",".join(f"reaction_{rod}" for rod in RODS)), at)
    for rod in RODS:
        assert -got[f"reaction_{rod}"] == near(pulls[rod], rel=1e-9)
    ours = found(derived("truss"), at)
    assert (ours["tension_AC"], ours["tension_BD"]) == near((pulls["AC"], pulls["BD"]), rel=1e-9)


def test_truss_of_equal_rods() -> None:
    got = found(derived("truss"), load("truss").values())
    assert got["tension_AC"] == near(10 / math.sqrt(12), rel=1e-12)
    assert got["tension_BD"] == near(-10 / math.sqrt(3), rel=1e-12)


# -------------------------------------------------------------------------------------- sensitivities


def crank_torque(c: Real, length: Real, a: Real) -> Real:
    return -c * mp.sin(a) - c * c * mp.sin(a) * mp.cos(a) / mp.sqrt(length**2 - (c * mp.sin(a)) ** 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_rod_angle_by_crank_angle(seed: int) -> None:
    at = numbers("crank-piston", seed)
    wanted = slope(lambda a: -mp.asin(at["c"] * mp.sin(a) / at["L"]), at["a"])
    assert found(derived("crank-piston", quantity="L7_angle", by="a"), at)["L7_angle_by_a"] == near(wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_reaction_by_a_length(seed: int) -> None:
    at = numbers("crank-piston", seed)
    wanted = slope(lambda c: crank_torque(c, at["L"], at["a"]), at["c"])
    got = found(derived("crank-piston", reaction="a", by="c"), at)
    assert got["reaction_a_by_c"] == near(wanted, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_definition_with_a_reaction_by_a_length(seed: int) -> None:
    at = numbers("crank-piston", seed)
    wanted = slope(lambda c: crank_torque(c, at["L"], at["a"]), at["c"])
    got = found(derived("crank-piston", quantity="torque", by="c"), at)
    assert got["torque_by_c"] == near(wanted, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_tolerances_of_a_reaction(seed: int) -> None:
    at = numbers("crank-piston", seed) | {"tol_c": 0.01, "tol_L": 0.02}
    by_c = slope(lambda c: crank_torque(c, at["L"], at["a"]), at["c"]) * at["tol_c"]
    by_length = slope(lambda length: crank_torque(at["c"], length, at["a"]), at["L"]) * at["tol_L"]
    got = found(derived("crank-piston", reaction="a", tolerance="c,L"), at)
    assert got["reaction_a_worst"] == near(abs(by_c) + abs(by_length), rel=1e-9)
    assert got["reaction_a_likely"] == near(math.hypot(by_c, by_length), rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_mechanical_advantage_by_the_angle(seed: int) -> None:
    at = numbers("toggle-press", seed)

    def advantage(t: Real) -> Real:
        return 1 / (mp.tan(t) + mp.tan(mp.asin(at["upper"] * mp.sin(t) / at["lower"])))

    got = found(derived("toggle-press", quantity="advantage", by="t"), at)
    assert got["advantage_by_t"] == near(slope(advantage, at["t"]), rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_by_the_bend(seed: int) -> None:
    at = numbers("double-pendulum", seed)
    got = found(derived("double-pendulum", quantity="kinetic_energy", by="b"), at)
    wanted = -at["V_a"] * (at["V_a"] + at["V_b"]) * math.sin(at["b"])
    assert got["kinetic_energy_by_b"] == near(wanted, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_second_derivative_by_name(seed: int) -> None:
    at = numbers("crank-piston", seed)
    wanted = slope(
        lambda a: at["c"] * mp.cos(a) + mp.sqrt(at["L"] ** 2 - (at["c"] * mp.sin(a)) ** 2), at["a"], 2
    )
    got = found(derived("crank-piston", quantity="P8x_by_a_a"), at)
    assert got["P8x_by_a_a"] == near(wanted, rel=1e-9)


def test_derivative_by_an_unknown_name_is_refused() -> None:
    with pytest.raises(LinkworkError, match="zzz"):
        derive(load("crank-piston"), quantity="P8x_by_zzz")


def test_reaction_of_an_unknown_name_names_its_option() -> None:
    with pytest.raises(LinkworkError, match="--reaction"):
        derive(load("crank-piston"), reaction="zz")
