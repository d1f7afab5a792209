"""Calls of functional mock-up units: derivatives, states set aside, many instances, resets, wrong calls."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fmu_units import TARGETS, Instance, unit, unpacked

fmpy = pytest.importorskip("fmpy")
STEP = 2e-5
"""Of differences: so short that no variable of order zero is drawn to another solution."""
KINDS = ("co-simulation", "model exchange")


def refused(instance: Instance, call: Callable[[], object]) -> str:
    """What an instance tells about a call that it refuses."""
    from fmpy.fmi1 import FMICallException

    before = len(instance.told)
    with pytest.raises(FMICallException) as problem:
        call()
    assert problem.value.status in (2, 3)
    assert len(instance.told) == before + 1
    return instance.told[-1]


# --------------------------------------------------------------------------------------- derivatives


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "name", ["double pendulum", "mixed orders", "roller-coaster-one-car", "roller-coaster", "snowman"]
)
def test_directional_derivatives_are_those_of_differences(name: str, target: str) -> None:
    """All rates and outputs by all states and inputs at once, along random directions, after some motion."""
    source = np.random.default_rng(5)
    one = Instance(name, target, "model exchange").begin()
    one.update()
    one.fmu.enterContinuousTimeMode()
    states = one.state_names
    inputs = [each.name for each in one.description.modelVariables if each.causality == "input"]
    unknown = [*(f"der({state})" for state in states), *one.output_names]
    here = np.array(one.states()) + source.uniform(-1e-3, 1e-3, len(states))
    start = np.full(len(inputs), 0.5)

    def values(step: float, dx: Any, du: Any) -> Any:
        one.set_states((here + step * dx).tolist())
        if inputs:
            one.set(dict(zip(inputs, start + step * du, strict=True)))
        return np.array(one.get(*unknown))

    for _ in range(3):
        dx, du = source.normal(size=len(states)), source.uniform(0, 1, len(inputs))
        near, far = (values(h, dx, du) - values(-h, dx, du) for h in (STEP, 2 * STEP))
        difference = (8 * near - far) / (12 * STEP)
        values(0.0, dx, du)
        found = np.array(one.along(unknown, [*states, *inputs], [*dx, *du]))
        scale = np.maximum(np.abs(found), float(np.max(np.abs(found))) * 1e-3)
        assert np.max(np.abs(found - difference) / scale) < 1e-6, name
        every = zip([*states, *inputs], [*dx, *du], strict=True)
        parts = [one.along(unknown, [each], [seed]) for each, seed in every]
        assert np.allclose(np.sum(parts, axis=0), found, rtol=1e-9, atol=1e-9 * float(np.max(np.abs(found))))


@pytest.mark.parametrize("target", TARGETS)
def test_dependencies_are_what_derivatives_depend_on(target: str) -> None:
    """A derivative by something that is not among the dependencies is zero; each dependency matters somewhere."""
    one = Instance("mixed orders", target, "model exchange").begin()
    one.update()
    one.fmu.enterContinuousTimeMode()
    one.set_states([value + 0.3 for value in one.states()])
    known = [*one.state_names, "throttle", "brake"]
    unknowns = [*one.description.derivatives, *one.description.outputs]
    for each in unknowns:
        stated = {other.name for other in each.dependencies}
        slopes = {name: one.along([each.variable.name], [name], [1.0])[0] for name in known}
        assert {name for name, slope in slopes.items() if slope != 0.0} == stated & {*known}, (
            each.variable.name
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["double pendulum", "mixed orders", "roller-coaster"])
def test_adjoint_derivatives_are_those_of_differences(name: str, kind: str) -> None:
    """w·J is what the differences of w·(rates and outputs) are by each state and input, and w·(J·v) = (w·J)·v."""
    source = np.random.default_rng(6)
    one = Instance(name, "fmu3", kind).begin()
    inputs = [each.name for each in one.description.modelVariables if each.causality == "input"]
    known = [*one.state_names, *inputs]
    unknown = [*(f"der({state})" for state in one.state_names), *one.output_names]
    if kind == "co-simulation":
        one.step(0.0, 0.3)
    else:
        one.update()
        one.fmu.enterContinuousTimeMode()
    weights, direction = source.normal(size=len(unknown)), source.normal(size=len(known))
    found = np.array(one.adjoint(unknown, known, weights.tolist()))
    along = np.array(one.along(unknown, known, direction.tolist()))
    size = float(np.max(np.abs(weights)) * np.max(np.abs(along)))
    assert found @ direction == pytest.approx(weights @ along, rel=1e-9, abs=1e-9 * size)
    if kind == "co-simulation":
        return
    states, start = np.array(one.states()), np.full(len(inputs), 0.5)

    def weighed(moved: Any) -> float:
        one.set_states((states + moved[: len(states)]).tolist())
        if inputs:
            one.set(dict(zip(inputs, start + moved[len(states) :], strict=True)))
        return float(weights @ np.array(one.get(*unknown)))

    weighed(np.zeros(len(known)))
    found = np.array(one.adjoint(unknown, known, weights.tolist()))
    for place, step in enumerate(np.eye(len(known)) * STEP):
        near, far = (weighed(h * step) - weighed(-h * step) for h in (1, 2))
        difference = (8 * near - far) / (12 * STEP)
        assert found[place] == pytest.approx(difference, rel=1e-5, abs=1e-5 * float(np.max(np.abs(found))))


@pytest.mark.parametrize("target", TARGETS)
def test_derivatives_during_initialization_are_by_inputs(target: str) -> None:
    """Where a machine starts is given by its constraints: states are no knowns there, and stay where they are."""
    one = Instance("mixed orders", target).enter()
    unknown = ["der(cart.tx_rate)", "cart.tx", "cart.tx_rate"]
    slopes = one.along(unknown, ["throttle"], [2.0])
    values = []
    for throttle in (0.25, 0.75):
        one.set({"throttle": throttle})
        values.append(one.get(*unknown))
    assert slopes == pytest.approx(4 * (np.array(values[1]) - values[0]), abs=1e-12)
    assert slopes == pytest.approx([0.6, 0.0, 0.0])
    assert "taken by inputs" in refused(one, lambda: one.along(unknown, ["cart.tx"], [1.0]))
    one.fmu.exitInitializationMode()
    assert one.along(["cart.tx"], ["cart.tx"], [1.0]) == [1.0]
    other = Instance("steered", target).enter()
    words = refused(other, lambda: other.along(["cart.tx"], ["throttle"], [1.0]))
    assert "the start follows from inputs" in words
    other.fmu.exitInitializationMode()
    assert other.along(["cart.tx"], ["cart.tx"], [1.0]) == [1.0]


@pytest.mark.parametrize(("unknown", "known", "seeds"), [(["cart.tx"], ["r"], 1), (["r"], ["cart.tx"], 1)])
def test_adjoint_derivatives_of_other_variables_are_refused(
    unknown: list[str], known: list[str], seeds: int
) -> None:
    one = Instance("mixed orders", "fmu3").begin()
    assert "derivatives are" in refused(one, lambda: one.adjoint(unknown, known, [1.0] * seeds))


# ------------------------------------------------------------------------------------ states set aside


@pytest.mark.parametrize("target", TARGETS)
def test_a_state_set_aside_goes_on_to_the_bit(target: str) -> None:
    """Back in the same instance, and in another one that has moved elsewhere, also where the method is implicit."""
    for name in ("double pendulum", "mixed orders", "stiff"):
        one, other = (Instance(name, target).begin() for _ in range(2))
        for number in range(7):
            one.step(0.13 * number, 0.13)
        aside, time = one.saved(), one.get("time")[0]
        rows = []
        for number in range(5):
            one.step(time + 0.1 * number, 0.1)
            rows.append(one.outputs())
        other.step(0.0, 0.4)
        for again in (one, other):
            again.restore(aside)
            assert again.get("time") == [time]
            assert again.saved() == aside
            for number, row in enumerate(rows):
                again.step(time + 0.1 * number, 0.1)
                assert again.outputs() == row


@pytest.mark.parametrize("target", TARGETS)
def test_a_state_set_aside_before_a_singular_position_and_behind_it(target: str) -> None:
    """The plate of the Sarrus linkage is flat at 2.79 s: the motion goes on to the bit from either side."""
    one, other = (Instance("sarrus", target).begin(tolerance=1e-6) for _ in range(2))
    aside, rows = {}, []
    for number in range(70):
        aside[number] = one.saved() if number in (54, 56, 60) else b""
        one.step(number / 20, 1 / 20)
        rows.append(one.outputs())
    for begin in (54, 56, 60):
        other.restore(aside[begin])
        for number in range(begin, 70):
            other.step(number / 20, 1 / 20)
            assert other.outputs() == rows[number]


@pytest.mark.parametrize("target", TARGETS)
def test_a_state_of_model_exchange_is_set_aside_with_its_mode(target: str) -> None:
    one = Instance("mixed orders", target, "model exchange").begin()
    one.update()
    aside = one.saved()
    one.fmu.enterContinuousTimeMode()
    one.fmu.setTime(3.0)
    one.set({"throttle": -1.0})
    one.set_states([7.0] * len(one.state_names))
    one.restore(aside)
    assert one.get("time", "throttle", "cart.tx") == pytest.approx([0.0, 0.5, 1.0])
    assert "not allowed in event mode" in refused(one, lambda: one.set_states([1.0] * 3))


@pytest.mark.parametrize("target", TARGETS)
def test_bytes_that_are_no_state_are_refused(target: str) -> None:
    one = Instance("mixed orders", target).begin()
    aside = one.saved()
    for wrong in (aside[:-1], aside + b"x", b"x" * len(aside)):
        refused(one, lambda content=wrong: one.restore(content))  # type: ignore[misc]
    changed = bytearray(aside)
    changed[len(aside) // 2] ^= 1
    assert "no state of this machine" in refused(one, lambda: one.restore(bytes(changed)))
    stranger = Instance("double pendulum", target).begin()
    refused(stranger, lambda: stranger.restore(aside))
    exchange = Instance("mixed orders", target, "model exchange").begin()
    assert "no state of this machine" in refused(exchange, lambda: exchange.restore(aside))
    one.step(0.0, 0.1)


# ---------------------------------------------------------------------------------- many, and once more


@pytest.mark.parametrize("target", TARGETS)
def test_fifty_instances_at_once_do_what_one_does(target: str) -> None:
    """Interleaved, with other parameters and inputs each: no instance knows of another."""
    lengths = [0.5 + 0.02 * number for number in range(50)]

    def begun(length: float, name: str) -> Instance:
        one = Instance("mixed orders", target, instance=name).enter()
        one.set({"r": length})
        one.fmu.exitInitializationMode()
        return one

    def stepped(one: Instance, number: int, length: float) -> None:
        one.set({"throttle": np.sin(number * length)})
        one.step(0.1 * number, 0.1)

    many = [begun(length, f"i{place}") for place, length in enumerate(lengths)]
    for number in range(5):
        for one, length in zip(many, lengths, strict=True):
            stepped(one, number, length)
    for place in (0, 17, 49):
        alone = begun(lengths[place], "alone")
        for number in range(5):
            stepped(alone, number, lengths[place])
        assert alone.outputs() == many[place].outputs()
    assert len({tuple(one.outputs()) for one in many}) == 50


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_reset_forgets_everything(kind: str, target: str) -> None:
    fresh, used = (Instance("mixed orders", target, kind) for _ in range(2))
    used.enter(start=1.0, tolerance=1e-4, stop=2.0)
    used.set({"r": 0.7, "throttle": 1.0, "cart.tx": 3.0})
    used.fmu.exitInitializationMode()
    if kind == "co-simulation":
        used.step(1.0, 0.5)
    used.fmu.reset()
    for each in (fresh, used):
        each.begin()
        if kind == "co-simulation":
            each.step(0.0, 3.0)
    assert used.outputs() == fresh.outputs()
    assert used.get("r", "throttle") == [0.3, 0.5]


# ------------------------------------------------------------------------------------------ wrong calls


@pytest.mark.parametrize("target", TARGETS)
def test_wrong_values_are_told_in_the_names_of_the_user(target: str) -> None:
    one = Instance("mixed orders", target)
    write = one.fmu.setReal if one.is_fmi2 else one.fmu.setFloat64
    read = one.fmu.getReal if one.is_fmi2 else one.fmu.getFloat64
    count = len(one.references)
    wanted = f"only 0 to {count - 1}"
    assert wanted in refused(one, lambda: read([count]))
    assert wanted in refused(one, lambda: write([4294967295], [1.0]))
    assert "r cannot be nan" in refused(one, lambda: one.set({"r": float("nan")}))
    assert "throttle cannot be 3: it lies between -1 and 1" in refused(
        one, lambda: one.set({"throttle": 3.0})
    )
    assert "push cannot be set: it follows from other parameters" in refused(
        one, lambda: one.set({"push": 1.0})
    )
    assert "kinetic cannot be set: it is computed" in refused(one, lambda: one.set({"kinetic": 1.0}))
    assert "time cannot be set" in refused(one, lambda: one.set({"time": 1.0}))
    other = one.fmu.getInteger if one.is_fmi2 else one.fmu.getInt32
    assert "all variables are real numbers" in refused(one, lambda: other([1]))
    one.begin()
    assert "r cannot be set any more in step mode" in refused(one, lambda: one.set({"r": 1.0}))
    one.step(0.0, 0.1)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", [float("nan"), float("inf")])
def test_seeds_that_are_no_numbers_are_refused(seed: float, target: str) -> None:
    one = Instance("mixed orders", target).begin()
    words = f"a seed cannot be {seed}"
    assert words in refused(one, lambda: one.along(["cart.tx"], ["cart.tx", "throttle"], [1.0, seed]))
    if not one.is_fmi2:
        assert words in refused(one, lambda: one.adjoint(["cart.tx", "kinetic"], ["cart.tx"], [1.0, seed]))
    assert one.along(["cart.tx"], ["cart.tx"], [1.0]) == [1.0]


@pytest.mark.parametrize("target", TARGETS)
def test_steps_that_make_no_sense_are_refused(target: str) -> None:
    one = Instance("mixed orders", target).begin(stop=1.0)
    assert "there is no step" in refused(one, lambda: one.step(0.0, -0.1))
    assert "there is no step" in refused(one, lambda: one.step(0.0, float("nan")))
    assert "the machine stands at t = 0" in refused(one, lambda: one.step(0.5, 0.1))
    assert "beyond the stop time 1" in refused(one, lambda: one.step(0.0, 1.5))
    one.step(0.0, 0.0)
    one.step(0.0, 1.0)
    assert one.get("time") == [1.0]


@pytest.mark.parametrize("target", TARGETS)
def test_a_motion_that_cannot_go_on_is_discarded_where_it_stopped(target: str) -> None:
    """The cart falls into the pole of its force at t = π/2/√1.7 = 1.2047; rows until then are good."""
    one = Instance("falling", target).begin()
    one.step(0.0, 1.0)
    assert "the machine stopped at t = 1.2047" in refused(one, lambda: one.step(1.0, 1.0))
    assert one.get("time")[0] == pytest.approx(np.pi / 2 / np.sqrt(1.7), abs=1e-3)
    if one.is_fmi2:
        assert one.fmu.getBooleanStatus(3)
        assert one.fmu.getRealStatus(2) == one.get("time")[0]
        found = fmpy.simulate_fmu(unit("falling", target), stop_time=2.0, output_interval=0.25)
        assert found["time"][-1] == pytest.approx(1.2047, abs=1e-3)


@pytest.mark.parametrize("target", TARGETS)
def test_a_start_that_no_constraint_allows_is_told(target: str) -> None:
    """y³ + y = x has a solution for each x, rolling a wheel of radius 0 has none."""
    one = Instance("mixed orders", target).enter()
    one.set({"r": 0.0})
    assert "the machine cannot start" in refused(one, one.fmu.exitInitializationMode)
    assert one.get("r", "push", "throttle") == [0.0, 0.0, 0.5]
    one.set({"r": 0.5})
    one.fmu.exitInitializationMode()
    one.step(0.0, 0.1)


@pytest.mark.parametrize("target", TARGETS)
def test_a_wrong_token_or_no_name_gives_no_instance(target: str) -> None:
    one = Instance("mixed orders", target)
    for attribute, value in (("guid", "{}"), ("instanceName", "")):
        before = getattr(one.fmu, attribute)
        setattr(one.fmu, attribute, value)
        with pytest.raises(Exception, match="Failed to instantiate"):
            one.fmu.instantiate()
        setattr(one.fmu, attribute, before)


CALLS = {
    "fmu2": """EnterInitializationMode ExitInitializationMode Terminate Reset EnterEventMode NewDiscreteStates
        EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates GetDerivatives
        GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates GetReal GetInteger GetBoolean
        GetString SetReal SetInteger SetBoolean SetString GetFMUstate SetFMUstate FreeFMUstate
        SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate GetDirectionalDerivative
        SetRealInputDerivatives GetRealOutputDerivatives CancelStep GetStatus GetRealStatus GetIntegerStatus
        GetBooleanStatus GetStringStatus SetDebugLogging DoStep SetupExperiment""",
    "fmu3": """EnterInitializationMode ExitInitializationMode Terminate Reset EnterEventMode
        UpdateDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates
        GetContinuousStateDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates
        GetNumberOfEventIndicators GetNumberOfContinuousStates GetFloat32 GetFloat64 GetInt8 GetUInt8 GetInt16
        GetUInt16 GetInt32 GetUInt32 GetInt64 GetUInt64 GetBoolean GetString GetBinary GetClock SetFloat32
        SetFloat64 SetInt8 SetUInt8 SetInt16 SetUInt16 SetInt32 SetUInt32 SetInt64 SetUInt64 SetBoolean
        SetString SetBinary SetClock GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize
        SerializeFMUState DeserializeFMUState GetDirectionalDerivative GetAdjointDerivative
        EnterConfigurationMode ExitConfigurationMode EnterStepMode DoStep EvaluateDiscreteStates
        GetIntervalDecimal GetIntervalFraction GetShiftDecimal GetShiftFraction SetIntervalDecimal
        SetIntervalFraction SetShiftDecimal SetShiftFraction GetNumberOfVariableDependencies
        GetVariableDependencies GetOutputDerivatives ActivateModelPartition SetDebugLogging""",
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_call_in_every_mode_answers(kind: str, target: str) -> None:
    """With nothing but zeros and null pointers behind the instance, or without an instance, nothing crashes."""
    prefix = "fmi2" if target == "fmu2" else "fmi3"
    modes: list[Callable[[Instance], object]] = [
        lambda one: None,
        lambda one: one.enter(),
        lambda one: one.begin(),
        lambda one: (one.begin(), one.fmu.terminate()),
    ]
    library = Instance("mixed orders", target, kind).fmu.dll
    for name in CALLS[target].split():
        call = getattr(library, f"{prefix}{name}")
        call.restype, call.argtypes = ctypes.c_int, None
        zeros = [ctypes.c_void_p(0)] * 11
        assert call(ctypes.c_void_p(0), *zeros) == 3, name
        for mode in modes:
            one = Instance("mixed orders", target, kind)
            mode(one)
            status = call(ctypes.c_void_p(one.fmu.component), *zeros)
            assert status in (0, 2, 3), name
            assert status == 0 or one.told, name


@pytest.mark.parametrize("target", TARGETS)
def test_all_functions_of_the_standard_are_exported(target: str) -> None:
    """And nothing else: a program may hold many units."""
    description, folder = unpacked(unit("mixed orders", target))
    name = description.coSimulation.modelIdentifier
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    (library,) = Path(folder, "binaries").glob(f"*/{name}.*")
    command = ["nm", "-D", "--defined-only", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    exported = {line.split()[-1] for line in done.stdout.splitlines()}
    prefix = "fmi2" if target == "fmu2" else "fmi3"
    assert all(each.startswith(prefix) for each in exported)
    assert {f"{prefix}{each}" for each in CALLS[target].split()} <= exported
