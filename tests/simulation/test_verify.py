"""What a specification leaves open or says twice is told by the names of variables and constraints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from linkwork import LinkworkError, Machine, Simulator, load, plan, simulate, synthesise
from linkwork.dynamics.plan import Plan
from linkwork.dynamics.specification import Specification
from linkwork.errors import NoAnswer, UsageError
from linkwork.model.read import machine_from_text
from linkwork.simulation.verify import motion_matrix, state_values, undetermined

BALL = """
linkwork = 1
[parameter]
l = 1
[frame.ball]
varies = ["tx", "ty"]
at = [1, 0.5]
mass = 2
"""


def machine(more: str) -> Machine:
    return machine_from_text(BALL + more, "m.toml", "m")


def constraints(**texts: str) -> str:
    return "".join(f'[constraint.{name}]\nholds = "{text}"\n' for name, text in texts.items())


def initial(**texts: str) -> str:
    return constraints(**texts).replace("[constraint.", "[initial.")


def refused(more: str) -> LinkworkError:
    """The error with which a machine is refused when it is planned."""
    with pytest.raises(LinkworkError) as caught:
        Simulator(machine(more)).checked_plan()
    assert caught.value.fix
    return caught.value


# ------------------------------------------------------------------------------------------------ planning


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        ({"rail": "ball.tx == l", "again": "2*ball.tx == 2*l"}, "again"),
        ({"a": "ball.tx == 1", "b": "ball.ty == 2", "c": "ball.tx*ball.ty == 2"}, "c"),
        ({"slow": "velocity(ball).x == 1", "slower": "2*velocity(ball).x == 2"}, "slower"),
        ({"rail": "position(ball).x == l", "speed": "velocity(ball).x == 0"}, "speed"),
    ],
)
def test_constraints_that_say_the_same_are_named(texts: dict[str, str], named: str) -> None:
    error = refused(constraints(**texts))
    assert f"the constraint {named} says nothing that the others do not say" in error.problem
    assert f"[constraint.{named}]" in error.fix


def test_several_dependent_components_are_named() -> None:
    """A vector equation given twice: both components of the second one."""
    error = refused(constraints(one="position(ball) == [1, 1]", two="position(ball) == [1, 1]"))
    assert "two.1, two.2" in error.problem
    assert "[constraint.two]" in error.fix


def test_a_variable_that_nothing_moves_is_named() -> None:
    error = refused('[frame.ghost]\nvaries = ["tx"]\n')
    assert "nothing says how ghost.tx moves" in error.problem


def test_variables_that_constraints_leave_free_are_named() -> None:
    error = refused(
        '[frame.ghost]\nvaries = ["tx", "ty"]\n' + constraints(a="ghost.tx + ghost.ty == ball.tx")
    )
    assert "ghost.tx" in error.problem
    assert "ghost.ty" in error.problem
    assert "ball" not in error.problem


def test_a_variable_under_force_without_mass_is_named() -> None:
    error = refused('[frame.ghost]\nvaries = ["tx"]\n[energy.s]\nvalue = "ghost.tx^2"\n')
    assert "ghost.tx" in error.problem


@pytest.mark.parametrize("text", ["ball.tx == ball.tx", "1 == 1", "(ball.tx - 1)^2 + (ball.ty - 0.5)^2 == 0"])
def test_a_constraint_that_restricts_nothing_is_named(text: str) -> None:
    """Always, or at the start."""
    error = refused(constraints(empty=text))
    assert "the constraint empty restricts nothing" in error.problem


def test_constraints_that_depend_at_the_start_only() -> None:
    """Two circles that touch where the ball starts."""
    error = refused(constraints(a="ball.tx^2 + ball.ty^2 == 1", b="(ball.tx - 2)^2 + ball.ty^2 == 1"))
    assert "the constraints a, b depend on each other where the motion starts" in error.problem


def test_what_is_determined_is_accepted() -> None:
    more = '[frame.ghost]\nvaries = ["tx"]\n' + constraints(
        a="ghost.tx == sin(ball.tx)", b="ball.tx == ball.ty"
    )
    plan = Simulator(machine(more)).checked_plan()
    assert plan.classes.zeroth == ("ghost.tx",)


def test_the_matrix_of_a_ball_on_a_rail() -> None:
    """Mass, mass, and the slopes of the constraint."""
    plan = Plan(Specification.of(machine(constraints(rail="ball.ty == ball.tx^2"))))
    values = state_values(plan.specification, {"l": 1.0}, {"ball.tx": 3.0, "ball.ty": 9.0}, {}, 0.0)
    matrix, rows = motion_matrix(plan, values)
    assert sorted(np.round(np.linalg.eigvalsh(matrix), 9)) == sorted(
        np.round(np.linalg.eigvalsh([[2, 0, -6], [0, 2, 1], [-6, 1, 0]]), 9)
    )
    assert len(rows) == 3
    assert undetermined(plan, values) is None


# ------------------------------------------------------------------------------------------------ starting


@pytest.mark.parametrize(
    "texts",
    [
        {"a": "ball.tx == 1", "b": "ball.tx == 2"},
        {"a": "ball.tx^2 + ball.ty^2 == 1", "b": "ball.tx == 3"},
        {"a": "1 == 2"},
    ],
)
def test_contradictory_constraints(texts: dict[str, str]) -> None:
    with pytest.raises(NoAnswer, match="no position of m satisfies its constraints") as caught:
        simulate(machine(constraints(**texts)), 1)
    assert "a" in caught.value.problem
    assert caught.value.fix


@pytest.mark.parametrize("second", ["2*ball.tx == 2", "sqrt(ball.tx^2) == 1", "ball.tx == 1"])
def test_a_condition_that_says_nothing_new_is_refused_by_every_verb(second: str) -> None:
    given = machine(constraints(a="ball.tx == 1", b=second))
    for verb in (plan, simulate, synthesise):
        with pytest.raises(LinkworkError, match="the constraint b says nothing that the others do not say"):
            verb(given)


@pytest.mark.parametrize(
    "more",
    [
        initial(a="velocity(ball).x == 1", b="velocity(ball).x == 2"),
        constraints(rail="ball.tx == 1") + initial(b="velocity(ball).x == 2"),
        constraints(rail="ball.tx == t") + initial(b="velocity(ball).x == 2"),
    ],
)
def test_contradictory_initial_conditions(more: str) -> None:
    with pytest.raises(NoAnswer, match="no velocities of m satisfy") as caught:
        simulate(machine(more), 1)
    assert "b" in caught.value.got
    assert "[initial.b]" in caught.value.fix


def test_initial_conditions_hold_at_the_first_time() -> None:
    """Of rates and of positions, also through a frame's own place and a definition."""
    more = '[definition]\nh = "ball.tx^2 + ball.x"\n'
    solution = simulate(machine(more + initial(a="rate(h) == 6", b="velocity(ball).y == rate(ball.x)")), 1)
    assert solution["ball.tx_rate"][0] == pytest.approx(2)
    assert solution["ball.ty_rate"][0] == pytest.approx(2)


# ----------------------------------------------------------------------------------------------- arguments

ARGUMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "method": ({"method": "euler"}, "no method 'euler'"),
    "tolerance": ({"rtol": 0}, "tolerance|rtol"),
    "negative tolerance": ({"rtol": -1e-6}, "tolerance|rtol"),
    "tolerance of nothing": ({"rtol": math.nan}, "tolerance|rtol"),
    "large tolerance": ({"rtol": 2}, "tolerance|rtol"),
    "no time": ({"until": 0}, "time|until"),
    "endless": ({"until": math.inf}, "time|until"),
    "nothing as time": ({"until": math.nan}, "time|until"),
    "no step": ({"until": 1, "step": 0}, "step"),
    "negative step": ({"until": 1, "step": -0.1}, "step"),
    "step of nothing": ({"until": 1, "step": math.nan}, "step"),
    "too many rows": ({"until": 1, "step": 1e-12}, "rows|step"),
    "start": ({"start": {"ball.x1": 1}}, "no variable 'ball.x1'"),
    "rate": ({"rates": {"bal.tx": 1}}, "no variable 'bal.tx'"),
    "control": ({"controls": {"throttle": 1}}, "no control 'throttle'"),
    "parameter": ({"parameters": {"ll": 1}}, "no parameter 'll'"),
    "start not finite": ({"start": {"ball.tx": math.nan}}, "ball.tx|finite"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_bad_arguments(case: str) -> None:
    keywords, words = ARGUMENTS[case]
    with pytest.raises(LinkworkError, match=words) as caught:
        simulate(machine(""), **{"until": 1, **keywords})
    assert caught.value.fix


def test_a_machine_that_cannot_move() -> None:
    still = machine_from_text("linkwork = 1\n[frame.f]\nat = [1, 0]\n", "m.toml", "m")
    with pytest.raises(UsageError, match="nothing that could move"):
        Simulator(still)


def test_a_failure_of_nature_is_a_reason_in_the_result() -> None:
    """A ball that falls into a pole of its energy stops there; what came before is kept."""
    pole = machine(
        '[energy.pole]\nvalue = "-1/sqrt(ball.tx^2 + ball.ty^2)"\n[initial.a]\nholds = "velocity(ball) == 0"\n'
    )
    solution = simulate(pole, 20, check=False)
    assert solution.status == "stopped"
    assert "t = " in solution.why
    assert 0 < len(solution["time"]) < 1001


def test_spare_constraints_of_joints_are_left_out_and_named() -> None:
    simulator = Simulator(load("bennett"))
    assert len(simulator.redundant) == 3
    assert simulator.checked_plan().redundant == simulator.redundant
