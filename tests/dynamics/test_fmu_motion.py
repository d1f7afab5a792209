"""Functional mock-up units move as the machines do: co-simulation, model exchange, inputs, parameters, coupling."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
import pytest
from fmu_units import TARGETS, Instance, machine, unit

from linkwork import simulate

fmpy = pytest.importorskip("fmpy")

STEP = 0.05


def run(name: str, target: str, kind: str, until: float, **more: Any) -> Any:
    """The columns that FMPy finds."""
    return fmpy.simulate_fmu(
        unit(name, target),
        stop_time=until,
        output_interval=STEP,
        fmi_type=kind,
        record_events=False,
        **more,
    )


def apart(found: Any, wanted: Any) -> float:
    """The largest difference of any column."""
    names = [name for name in found.dtype.names if name != "time"]
    assert set(names) <= set(wanted.columns)
    return max(float(np.max(np.abs(found[name] - wanted[name]))) for name in names)


@pytest.mark.parametrize("target", TARGETS)
def test_co_simulation_is_the_simulation(target: str) -> None:
    """A double pendulum, two seconds: all columns within 1e-8, with the tolerance that the unit has by itself."""
    wanted = simulate(machine("double pendulum"), 2.0, step=STEP, rtol=1e-10)
    found = run("double pendulum", target, "CoSimulation", 2.0)
    assert apart(found, wanted) < 1e-8
    assert np.allclose(found["time"], wanted["time"], atol=1e-12)


@pytest.mark.parametrize("target", TARGETS)
def test_a_chaotic_motion_follows_the_tolerance(target: str) -> None:
    """After five seconds an error has grown a thousandfold; a tighter tolerance brings it below 1e-8 again."""
    wanted = simulate(machine("double pendulum"), 5.0, step=STEP, rtol=1e-9)
    loose, tight = (
        apart(run("double pendulum", target, "CoSimulation", 5.0, relative_tolerance=each), wanted)
        for each in (1e-6, 1e-12)
    )
    assert tight < 1e-8 < loose


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("name", "until"), [("double pendulum", 2.0), ("mixed orders", 2.0), ("four-bar", 2.0)]
)
def test_model_exchange_agrees_within_the_tolerance_of_the_importers_solver(
    name: str, until: float, target: str
) -> None:
    """FMPy's CVode asks for 1e-9 a step; errors add up, so a thousand times that is allowed."""
    wanted = simulate(machine(name), until, step=STEP, rtol=1e-10)
    found = run(name, target, "ModelExchange", until, relative_tolerance=1e-9)
    size = max(float(np.max(np.abs(wanted[column]))) for column in found.dtype.names)
    assert apart(found, wanted) < 1e-6 * max(size, 10.0)


def pushed(t: Any) -> Any:
    """Where the bead is: from rest with 2, from t = 1 with -3, from t = 7/3 with 2 again."""
    later, last = t - 1, t - 7 / 3
    return np.where(t < 1, t**2, np.where(t < 7 / 3, 1 + 2 * later - 1.5 * later**2, 1 - 2 * last + last**2))


@pytest.mark.parametrize("target", TARGETS)
def test_events_are_where_formulas_switch(target: str) -> None:
    """The importer's solver finds both passages through the wall and starts anew there."""
    found = fmpy.simulate_fmu(
        unit("pushed", target),
        stop_time=2.8,
        output_interval=0.4,
        fmi_type="ModelExchange",
        relative_tolerance=1e-9,
    )
    events = sorted({round(time, 6) for time in found["time"] if abs(time / 0.4 - round(time / 0.4)) > 1e-6})
    assert events == pytest.approx([1, 7 / 3], abs=2e-6), "these are recorded besides, and no others"
    assert np.max(np.abs(found["bead.tx"] - pushed(found["time"]))) < 1e-6


@pytest.mark.parametrize("target", TARGETS)
def test_event_indicators_change_their_sign_there(target: str) -> None:
    """One for the wall; what parameters alone decide is none."""
    one = Instance("pushed", target, "model exchange").begin()
    assert one.description.numberOfEventIndicators == 1
    (variable,) = [each for each in one.description.modelVariables if each.name == "switch_1"]
    assert variable.causality == "local"
    assert "switch_1" not in one.output_names
    one.update()
    (one.fmu.enterContinuousTimeMode)()
    indicators = (ctypes.c_double * 2)()
    for place in (0.5, 1.5):
        one.set_states([place, 0.0])
        one.fmu.getEventIndicators(indicators, 1)
        assert indicators[0] == pytest.approx(1 - place)
        assert one.get("switch_1") == [indicators[0]]
        assert one.along(["switch_1"], one.state_names, [1, 0]) == [-1]
    with pytest.raises(Exception, match="failed with status 3"):
        one.fmu.getEventIndicators(indicators, 2)
    assert one.told[-1] == "the machine has 1 event indicators, not 2"


@pytest.mark.parametrize("target", TARGETS)
def test_model_exchange_stays_on_the_constraints(target: str) -> None:
    """With a solver of 1e-4 a quaternion of length 1 would drift away: events bring it back."""
    found = run("double pendulum", target, "ModelExchange", 5.0, relative_tolerance=1e-4)
    assert np.max(np.abs(np.hypot(found["first.rw"], found["first.ry"]) - 1)) < 1e-3
    alone = Instance("double pendulum", target, "model exchange").begin()
    alone.update()
    alone.fmu.enterContinuousTimeMode()
    moved = np.array(alone.states()) * (1 + 1e-5)
    alone.set_states(moved.tolist())
    assert alone.fmu.completedIntegratorStep()[0]
    alone.fmu.enterEventMode()
    assert alone.update()
    assert abs(math.hypot(*alone.get("first.rw", "first.ry")) - 1) < 1e-12
    assert not alone.update()
    alone.fmu.enterContinuousTimeMode()
    assert not alone.fmu.completedIntegratorStep()[0]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("name", "column", "law"),
    [
        ("sarrus", "plate.z", lambda t: 0.4 * np.sin(np.pi / 9 + t)),
        ("scissor", "platform.y", lambda t: 4.5 * np.sin(np.pi / 18 * (1 + t / 2))),
    ],
)
def test_co_simulation_leads_through_singular_positions(
    name: str, column: str, law: Any, target: str
) -> None:
    """A plate folds flat, a lift stands upright: the constraints depend on each other there, the motion goes on."""
    found = run(name, target, "CoSimulation", 18.0, relative_tolerance=1e-7)
    assert np.max(np.abs(found[column] - law(found["time"]))) < 1e-6


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("throttle", [-0.5, 1.0])
def test_inputs_act_as_controls(throttle: float, target: str) -> None:
    """A signal that stays: the car moves as it does in a simulation with that control, and not as without."""
    name = "roller-coaster-one-car"
    signal = np.array([(0.0, throttle), (4.0, throttle)], dtype=[("time", float), ("throttle", float)])
    wanted = simulate(machine(name), 4.0, step=STEP, rtol=1e-10, controls={"throttle": throttle})
    still = simulate(machine(name), 4.0, step=STEP, rtol=1e-10)
    found = run(name, target, "CoSimulation", 4.0, input=signal, relative_tolerance=1e-11)
    size = max(float(np.max(np.abs(wanted[column]))) for column in found.dtype.names)
    assert apart(found, wanted) < 1e-9 * size
    assert apart(found, still) > 1e-2


@pytest.mark.parametrize("target", TARGETS)
def test_inputs_may_change_between_steps(target: str) -> None:
    """A cart m·x″ = p·u − c·x′ with u = 1, then −1: the velocity is that of the exact solution."""
    cart = Instance("mixed orders", target).begin(tolerance=1e-11)
    speed, time = 0.0, 0.0
    for throttle, step in [(1.0, 0.5), (1.0, 0.25), (-1.0, 0.7), (0.0, 0.01), (0.5, 1.0)]:
        cart.set({"throttle": throttle})
        cart.step(time, step)
        final = 0.6 * throttle / 0.1
        speed = final + (speed - final) * np.exp(-0.1 / 2 * step)
        time += step
        assert cart.get("cart.tx_rate")[0] == pytest.approx(speed, abs=1e-9)
    assert cart.get("time")[0] == pytest.approx(time)


@pytest.mark.parametrize("target", TARGETS)
def test_parameters_and_starts_are_set_before_the_start(target: str) -> None:
    """What follows from a parameter follows; a start is a guess that the constraints may move."""
    wanted = simulate(
        machine("double pendulum"),
        1.0,
        step=STEP,
        rtol=1e-10,
        parameters={"l": 0.8},
        start={"second.rw": 0.9},
        rates={"first.ry": 0.2},
    )
    values = {"l": 0.8, "second.rw": 0.9, "first.ry_rate": 0.2}
    for kind in ("CoSimulation", "ModelExchange"):
        found = run("double pendulum", target, kind, 1.0, start_values=values, relative_tolerance=1e-10)
        assert apart(found, wanted) < (1e-8 if kind == "CoSimulation" else 1e-5)
    one = Instance("double pendulum", target).enter()
    one.set({"l": 3.0})
    assert one.get("k", "l") == [6.0, 3.0]


@pytest.mark.parametrize("target", TARGETS)
def test_the_start_that_the_description_names_is_what_the_machine_says(target: str) -> None:
    """Importers that set every start to its own value change nothing, also where a start follows from a parameter."""
    plain, told = (Instance("linked-pendula", target).enter() for _ in range(2))
    told.set(
        {
            each.name: float(each.start)
            for each in told.description.modelVariables
            if each.start is not None and each.causality != "independent"
        }
    )
    for each in (plain, told):
        each.set({"right": 1.2})
    assert told.outputs() == plain.outputs()


@pytest.mark.parametrize("target", TARGETS)
def test_a_machine_without_states_and_with_time_in_its_constraints(target: str) -> None:
    """y³ + y = t, also from another first time."""
    needle = Instance("order zero", target).begin(start=2.0)
    assert needle.get("time", "needle.ty") == pytest.approx([2.0, 1.0])
    needle.step(2.0, 8.0)
    assert needle.get("needle.ty") == pytest.approx([2.0])
    exchange = Instance("order zero", target, "model exchange").begin()
    exchange.update()
    exchange.fmu.enterContinuousTimeMode()
    exchange.fmu.setTime(10.0)
    assert exchange.states() == []
    assert exchange.get("needle.ty", "needle.ty_rate") == pytest.approx([2.0, 1 / 13])


@pytest.mark.parametrize("target", TARGETS)
def test_a_stiff_machine_is_stepped_implicitly(target: str) -> None:
    """x″ = 0.3 − 10000·x′ forgets its start at once."""
    cart = Instance("stiff", target).begin()
    for step in range(10):
        cart.step(step * 1.0, 1.0)
    assert cart.get("cart.tx_rate")[0] == pytest.approx(0.3 / 20000, rel=1e-6)


@pytest.mark.parametrize("targets", [("fmu2", "fmu2"), ("fmu2", "fmu3")])
def test_two_units_move_together(targets: tuple[str, str]) -> None:
    """Two masses, each a unit, joined by a spring that the master computes: the motion of the coupled oscillators.

    Both springs to the ground are alike, so x1 + x2 swings with ω² = k/m and x1 − x2 with (k + 2·c)/m. The spring acts
    with the positions that the masses had half a step ago, so the error falls with the square of the step.
    """
    m, k, c = 1.5, 40.0, 10.0
    errors = []
    for step in (2e-3, 1e-3):
        left, right = (
            Instance(name, target).begin(tolerance=1e-10)
            for name, target in zip(("left mass", "right mass"), targets, strict=True)
        )
        count = round(1.0 / step)
        for number in range(count):
            x1, v1 = left.get("mass.tx", "mass.tx_rate")
            x2, v2 = right.get("mass.tx", "mass.tx_rate")
            pull = c * ((x2 - x1) + (v2 - v1) * step / 2)
            left.set({"pull": pull})
            right.set({"pull": -pull})
            left.step(number * step, step)
            right.step(number * step, step)
        both, between = np.cos(np.sqrt(k / m)), np.cos(np.sqrt((k + 2 * c) / m))
        exact = [(0.2 * both + sign * 0.4 * between) / 2 for sign in (1, -1)]
        found = [left.get("mass.tx")[0], right.get("mass.tx")[0]]
        errors.append(max(abs(a - b) for a, b in zip(found, exact, strict=True)))
    assert errors[1] < 1e-6
    assert 3.5 < errors[0] / errors[1] < 4.5
