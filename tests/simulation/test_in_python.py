"""Without a C compiler the printed Python program runs behind the same calls: the same motion, with a warning."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork import Frame, Machine, linearise, load, simulate
from linkwork.emit.compiler import NativeWarning
from linkwork.errors import NoAnswer, ToolMissing
from linkwork.simulation import Solution


def both(machine: Machine, monkeypatch: pytest.MonkeyPatch, **given: object) -> tuple[Solution, Solution]:
    native = simulate(machine, **given)  # type: ignore[arg-type]
    monkeypatch.setenv("LINKWORK_COMPILER", "none")
    with pytest.warns(NativeWarning, match="in Python|without native code"):
        plain = simulate(machine, **given)  # type: ignore[arg-type]
    return native, plain


@pytest.mark.parametrize("name", ["pendulum", "snowman", "pendula-on-wheel", "parallelogram"])
def test_the_motion_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    native, plain = both(load(name), monkeypatch, until=0.5, step=0.05)
    assert list(native.columns) == list(plain.columns)
    for column in native.columns:
        assert np.allclose(native[column], plain[column], rtol=1e-7, atol=1e-8), column
    assert plain.accurate
    assert plain.residual < 1e-9
    assert (native.effort["language"], plain.effort["language"]) == ("C", "Python")


def test_starts_rates_parameters_and_backward_time_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "until": -0.5,
        "step": 0.1,
        "start": {"pivot.ry": 0.1},
        "rates": {"pivot.ry": 0.3},
        "parameters": {"l": 3},
    }
    native, plain = both(load("pendulum"), monkeypatch, **given)
    assert np.allclose(native["pivot.ry"], plain["pivot.ry"], atol=1e-9)
    assert plain["pivot.ry"][0] == pytest.approx(0.1)


def test_what_time_alone_moves_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine.of(
        "table",
        dimension=3,
        frames={"table": Frame(varies=("turn",))},
        constraints={"driven": "table.turn == 3*t"},
    )
    native, plain = both(machine, monkeypatch, until=1, step=0.25)
    assert np.allclose(plain["table.turn"], [0, 0.75, 1.5, 2.25, 3])
    assert np.allclose(native["table.turn"], plain["table.turn"])


def test_frequencies_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    native = linearise(load("pendulum")).frequencies
    monkeypatch.setenv("LINKWORK_COMPILER", "none")
    with pytest.warns(NativeWarning):
        assert linearise(load("pendulum")).frequencies == pytest.approx(native, rel=1e-6)


def test_implicit_steps_need_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKWORK_COMPILER", "none")
    with pytest.warns(NativeWarning), pytest.raises(ToolMissing, match="implicit steps need a C compiler"):
        simulate(load("pendulum"), until=1, method="implicit")


def test_a_machine_that_cannot_start_is_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKWORK_COMPILER", "none")
    machine = Machine.of(
        "apart",
        dimension=3,
        frames={"bead": Frame(varies=("tx", "ty"), mass=1)},
        constraints={"round": "bead.tx^2 + bead.ty^2 == -1"},
    )
    with pytest.warns(NativeWarning), pytest.raises(NoAnswer, match="no position"):
        simulate(machine, until=1)
