"""Scenes and arguments that make no sense, and results that say what they are."""

from __future__ import annotations

from typing import Any

import pytest
from published_runs import SPACE, drift, last, run_text, simulator

from linkwork.errors import LinkworkError

# --------------------------------------------------------------------------------------- bad input

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
