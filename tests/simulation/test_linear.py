"""Equilibria, frequencies, modes and the matrices A, B, C, D against closed forms and against motions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

from linkwork import LinkworkError, Machine, equilibrium, linearise, simulate
from linkwork.errors import UsageError
from linkwork.model.read import machine_from_text
from linkwork.simulation.linear import slope_along

G = 9.81
WEIGHT = f'[energy.weight]\neach = "{G}*mass(body)*position(body).y"\n'


def near(found: Any, wanted: Any, rtol: float = 1e-8, atol: float = 0.0) -> None:
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=atol)


def machine(text: str) -> Machine:
    return machine_from_text("linkwork = 1\n" + text, "m.toml", "m")


def pendulum(turn: str = "0") -> Machine:
    return machine(
        f'[parameter]\nl = 2\n[frame.pivot]\nvaries = ["turn"]\nturn = "{turn}"\n'
        f'[frame.bob]\non = "pivot"\nat = [0, "-l"]\nmass = 1.5\n{WEIGHT}'
    )


def links(count: int, turn: str = "0") -> Machine:
    """Points at the ends of massless rods of length 1, on each other."""
    text = ""
    for k in range(count):
        on = f"b{k - 1}" if k else "ground"
        text += f'[frame.p{k}]\non = "{on}"\nvaries = ["turn"]\nturn = "{turn}"\n'
        text += f'[frame.b{k}]\non = "p{k}"\nat = [0, -1]\nmass = 1\n'
    return machine(text + WEIGHT)


def train(count: int) -> Machine:
    """Masses of 2 between springs of stiffness 3, the ends fixed."""
    text = "".join(f'[frame.m{k}]\nvaries = ["tx"]\nmass = 2\n' for k in range(count))
    ends = ["0", *(f"m{k}.tx" for k in range(count)), "0"]
    for k in range(count + 1):
        text += f'[energy.s{k}]\nvalue = "3/2*({ends[k + 1]} - {ends[k]})^2"\n'
    return machine(text)


CART = """
[parameter]
m = 2
[control.push]
range = [-5, 5]
[control.pull]
range = [-1, 1]
[frame.cart]
varies = ["tx"]
mass = "m"
[energy.spring]
value = "3/2*cart.tx^2"
[force.engine]
type = "force"
at = "cart"
force = "[push - 2*pull, 0] - 0.8*velocity(cart)"
"""

FOUR_BAR = f"""
gravity = [0, -{G}]
[part.ground]
points = {{ A = [0, 0], D = [4, 0] }}
[part.crank]
points = {{ A = [0, 0], B = [2, 0] }}
mass = 1
centre = [1, 0]
inertia = 0.4
start = {{ turn = "-70 deg" }}
[part.coupler]
points = {{ B = [0, 0], C = [4, 0] }}
mass = 2
centre = [2, 0.5]
inertia = 2
[part.rocker]
points = {{ D = [0, 0], C = [3, 0] }}
mass = 1.5
centre = [1.5, 0]
inertia = 1
start = {{ turn = "-80 deg" }}
[joint.A]
type = "revolute"
between = ["ground.A", "crank.A"]
[joint.B]
type = "revolute"
between = ["crank.B", "coupler.B"]
[joint.C]
type = "revolute"
between = ["coupler.C", "rocker.C"]
[joint.D]
type = "revolute"
between = ["ground.D", "rocker.D"]
"""


# --------------------------------------------------------------------------------------------- pendulums


def test_a_pendulum() -> None:
    found = linearise(pendulum())
    assert found.states == ("pivot.turn", "pivot.turn_rate")
    near(found.a, [[0, 1], [-G / 2, 0]], atol=1e-9)
    near(found.frequencies, [math.sqrt(G / 2)], rtol=1e-10)
    assert found.is_stable
    assert found.drift == pytest.approx(0, abs=1e-12)
    (mode,) = found.modes()
    assert mode["damping"] == 0
    assert mode["shape"] == {"pivot.turn": [1.0, 0.0]}


def test_a_pendulum_let_go_comes_to_hang() -> None:
    found = equilibrium(pendulum("80 deg"))
    assert found["pivot.turn"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("given", [{"turn": "180 deg"}, {"start": math.pi}])
def test_an_upright_pendulum_stays_where_it_starts_and_is_unstable(given: dict[str, Any]) -> None:
    start = {"pivot.turn": given["start"]} if "start" in given else None
    found = linearise(pendulum(given.get("turn", "0")), start=start)
    assert found.at["pivot.turn"] == pytest.approx(math.pi, abs=1e-12)
    assert not found.is_stable
    near(sorted(found.eigenvalues.real), [-math.sqrt(G / 2), math.sqrt(G / 2)], rtol=1e-9)
    assert len(found.frequencies) == 0


def test_a_double_pendulum() -> None:
    """Equal masses and rods: ω² = (2 ± √2)·g/l, the rods in the ratio 1 : ±√2 of absolute angles."""
    found = linearise(links(2))
    near(found.frequencies**2, G * np.array([2 - math.sqrt(2), 2 + math.sqrt(2)]), rtol=1e-9)
    for mode, sign in zip(found.modes(), (1, -1), strict=True):
        first, relative = (complex(*mode["shape"][f"p{k}.turn"]) for k in (0, 1))
        assert (first + relative) / first == pytest.approx(sign * math.sqrt(2), rel=1e-8)


def test_a_hanging_chain() -> None:
    """Five links let go sideways come to hang straight down."""
    found = equilibrium(links(5, "15 deg"))
    assert [found[f"p{k}.turn"] for k in range(5)] == pytest.approx([0] * 5, abs=1e-8)


# ------------------------------------------------------------------------------------ springs and dampers


@pytest.mark.parametrize("count", [1, 2, 6])
def test_masses_between_springs(count: int) -> None:
    """ω = 2·√(k/m)·sin(jπ/2(n+1)), displacements sin(jkπ/(n+1))."""
    found = linearise(train(count))
    j = np.arange(1, count + 1)
    wanted = 2 * math.sqrt(1.5) * np.sin(j * math.pi / (2 * (count + 1)))
    near(found.frequencies, wanted, rtol=1e-9)
    for number, mode in enumerate(found.modes(), 1):
        shape = np.array([complex(*mode["shape"][f"m{k}.tx"]) for k in range(count)])
        sines = np.sin(number * math.pi * j / (count + 1))
        near(shape / shape[0], sines / sines[0], atol=1e-7)


def test_a_damped_cart_with_controls() -> None:
    """A, B, C and D of m·x'' = −c·x' − k·x + u − 2·w."""
    found = linearise(machine(CART), outputs=["cart.tx", "cart.tx_rate", "kinetic", "potential"])
    assert found.inputs == ("push", "pull")
    near(found.a, [[0, 1], [-1.5, -0.4]], atol=1e-10)
    near(found.b, [[0, 0], [0.5, -1]], atol=1e-10)
    near(found.c, [[1, 0], [0, 1], [0, 0], [0, 0]], atol=1e-10)
    near(found.d, np.zeros((4, 2)), atol=1e-10)
    (mode,) = found.modes()
    assert mode["frequency"] == pytest.approx(math.sqrt(1.5))
    assert mode["damping"] == pytest.approx(0.8 / (2 * math.sqrt(3 * 2)))
    assert found.is_stable
    heavier = linearise(machine(CART), parameters={"m": 8})
    assert heavier.modes()[0]["frequency"] == pytest.approx(math.sqrt(3 / 8))


def test_a_spring_balance() -> None:
    """k·x = u where it rests; energies there have slopes."""
    assert equilibrium(machine(CART), controls={"push": 1.5})["cart.tx"] == pytest.approx(0.5, abs=1e-9)
    found = linearise(machine(CART), controls={"push": 1.5}, outputs=["potential"])
    near(found.c, [[1.5, 0]], atol=1e-8)
    hung = machine(
        f'[frame.m]\nvaries = ["ty"]\nmass = 2\n{WEIGHT}[energy.s]\nvalue = "20*(distance(m, ground) - 1)^2"\n'
    )
    assert equilibrium(hung, start={"m.ty": -1})["m.ty"] == pytest.approx(-1 - 2 * G / 40, abs=1e-9)


def test_about_a_motion() -> None:
    """Not at rest: the equations about the start itself, which drifts."""
    found = linearise(pendulum(), at_rest=False, start={"pivot.turn": 1.0}, rates={"pivot.turn": 0.5})
    near(found.a, [[0, 1], [-G / 2 * math.cos(1), 0]], atol=1e-8)
    assert found.drift == pytest.approx(G / 2 * math.sin(1))


# ------------------------------------------------------------------------------------------- constraints


def test_a_four_bar_against_its_motion() -> None:
    """One freedom under two constraints: small motions of the simulation are those of exp(A·t)."""
    linkage = machine(FOUR_BAR)
    found = linearise(linkage)
    assert len(found.states) == 2
    assert found.is_stable
    name, rate = found.states
    t = 0.4
    ends = []
    for sign in (1, -1):
        begun = {**found.at, name: found.at[name] + sign * 1e-3}
        solution = simulate(linkage, t, step=t, rtol=1e-10, start=begun, check=False)
        ends.append(np.array([[solution[column][row] for column in (name, rate)] for row in (0, -1)]))
    first, last = (ends[0][row] - ends[1][row] for row in (0, 1))
    near(last / first[0], expm(found.a * t)[:, 0], rtol=1e-4, atol=1e-4)
    assert abs(first[1]) < 1e-9


def test_a_pendulum_in_space_by_a_quaternion() -> None:
    """Two freedoms in four coordinates, both with √(g/l)."""
    text = f"""
dimension = 3
[frame.pivot]
varies = ["rx", "ry"]
[frame.bob]
on = "pivot"
at = [0, 0, -2]
mass = 1
[energy.weight]
each = "{G}*mass(body)*position(body).z"
"""
    found = linearise(machine(text))
    assert len(found.states) == 4
    near(found.frequencies, [math.sqrt(G / 2)] * 2, rtol=1e-7)


# ------------------------------------------------------------------------------------------ data, errors


def test_the_data_is_plain() -> None:
    data = linearise(machine(CART)).to_json()
    wanted = "machine states inputs outputs A B C D at drift stable eigenvalues frequencies modes".split()
    assert [*data] == wanted
    assert data["A"][0] == [0.0, 1.0]
    assert data["stable"] is True


ERRORS: dict[str, tuple[dict[str, Any], str]] = {
    "output": ({"outputs": ["cart.x_position"]}, "no column"),
    "start": ({"start": {"cart.ty": 1}}, "no variable 'cart.ty'"),
    "rate": ({"rates": {"crt.tx": 1}}, "no variable 'crt.tx'"),
    "control": ({"controls": {"puhs": 1}}, "no control 'puhs'"),
    "parameter": ({"parameters": {"mm": 1}}, "no parameter 'mm'"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_what_is_wrong(case: str) -> None:
    keywords, words = ERRORS[case]
    with pytest.raises(LinkworkError, match=words) as caught:
        linearise(machine(CART), **keywords)
    assert caught.value.fix


def test_no_equilibrium_is_said() -> None:
    """A ball that falls for ever."""
    falling = machine(f'[frame.ball]\nvaries = ["ty"]\nmass = 1\n{WEIGHT}')
    with pytest.raises(LinkworkError, match="no equilibrium of m") as caught:
        equilibrium(falling)
    assert caught.value.fix


def test_nothing_to_move() -> None:
    with pytest.raises(UsageError, match="nothing that could move"):
        linearise(machine("[frame.f]\nat = [1, 0]\n"))


def test_slopes_by_halved_steps() -> None:
    """Ten digits of a smooth function's derivative along a direction."""
    place, direction = np.array([0.3, -0.2]), np.array([1.0, 2.0])
    found = slope_along(lambda x: np.array([math.exp(x[0]) * math.sin(x[1])]), place, direction)
    wanted = math.exp(0.3) * (math.sin(-0.2) + 2 * math.cos(-0.2))
    assert found[0] == pytest.approx(wanted, rel=1e-10)
