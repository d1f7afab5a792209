"""Motions in which nothing repeats itself: even ones, irregular ones, and those that only look irregular."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw


def wheel(folder: Path, rate: float) -> lw.Machine:
    path = folder / "flywheel.toml"
    path.write_text(
        "linkwork = 1\ndimension = 3\n[frame.wheel]\nmass = 2\ninertia = [1, 1, 2]\n"
        f'varies = ["turn"]\nrates = {{ turn = {rate} }}\n',
        "utf-8",
    )
    return lw.load(str(path))


@pytest.mark.parametrize("rate", [0.01, -3.0, 400.0])
def test_a_flywheel_turns_evenly(rate: float, tmp_path: Path) -> None:
    forecast = lw.predict(wheel(tmp_path, rate))
    (ending,) = forecast.endings
    assert ending.kind == "goes on"
    assert "evenly" in forecast.summary
    assert f"{rate:+g}" in forecast.summary


def test_a_flywheel_turns_evenly_to_the_horizon(tmp_path: Path) -> None:
    forecast = lw.predict(wheel(tmp_path, 3.0), 50.0)
    assert forecast.endings[0].t == 50
    assert forecast.at(40.0)["wheel.turn"] == pytest.approx(120, rel=1e-6)


def test_a_bicycle_steadies_itself_and_rolls_evenly() -> None:
    """Its wheels roll: their rates by the radii are the speed that full simulation finds."""
    forecast = lw.predict(lw.load("bicycle"))
    (ending,) = forecast.endings
    assert ending.kind == "goes on"
    run = lw.simulate(lw.load("bicycle"), until=200.0)
    speed = np.hypot(run["body.tx_rate"][-1], run["body.ty_rate"][-1])
    assert f"rear_wheel.turn {speed / 0.3:+.3f}"[:22] in forecast.summary


@pytest.mark.parametrize(("name", "exponent"), [("irregular-pendulum", 0.48), ("pendula-on-wheel", 0.54)])
def test_an_irregular_motion_has_an_exponent(name: str, exponent: float) -> None:
    """As sixteen times as long a comparison found it, to 0.006 and 0.01; and the error that is told is true."""
    why = lw.predict(lw.load(name)).endings[0].why
    found = re.search(r"it is irregular, .*Lyapunov exponent ([\d.]+) ± ([\d.]+)", why)
    assert found is not None
    assert float(found[1]) == pytest.approx(exponent, rel=0.1)
    assert float(found[1]) == pytest.approx(exponent, abs=3 * float(found[2]))


def test_coupled_pendula_are_not_irregular() -> None:
    """Small swings of two coupled pendula are a sum of two, whose periods have no common multiple."""
    why = lw.predict(lw.load("spring-coupled-pendula")).endings[0].why
    assert "not irregular" in why


def test_the_means_of_an_irregular_motion_are_told() -> None:
    """How far apart its minima are, by those that were simulated."""
    forecast = lw.predict(lw.load("irregular-pendulum"))
    told = re.search(r"one every ([\d.]+) ± ([\d.]+) on the average", forecast.summary)
    assert told is not None
    follower = forecast.foreseen[0].follower
    assert follower is not None
    times = [mark.time for mark in follower.told]
    assert float(told[1]) == pytest.approx(np.mean(np.diff(times)), rel=0.01)
    assert float(told[2]) == pytest.approx(np.std(np.diff(times)), rel=0.5)
