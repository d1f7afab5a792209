"""What is told of how far off states may be covers what they are off by: after leaps, and after many bounces."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import linkwork as lw
from clock_variants import example
from linkwork.contact.laws import Law, Laws
from linkwork.foresee import Forecast

NAMES = ("ewheel.angle", "lever.angle", "bwheel.angle")


def outside(forecast: Forecast, run: lw.Solution, time: float) -> list[tuple[str, float]]:
    """By how much quantities at a time are off besides what is told."""
    found = forecast.at(time)
    times = np.linspace(time - found.time_error, time + found.time_error, 101)
    told = []
    for name in NAMES:
        values = np.interp(times, run.times, run[name])
        off = max(float(values.min()) - found[name], found[name] - float(values.max()))
        told.append((name, off - found.errors.get(name, 0.0)))
    return told


def test_errors_grow_with_bounces() -> None:
    """A forecast of little tolerance tells by how much a precise simulation differs from it."""
    machine, laws = lw.load("escapement"), Laws(Law(restitution=0.4))
    forecast = lw.predict(machine, laws=laws, rtol=1e-6)
    run = lw.simulate(machine, until=14, step=1e-3, contact="rigid", laws=laws, rtol=1e-12)
    for time in np.arange(1.0, 13.0, 0.5):
        for name, off in outside(forecast, run, float(time)):
            assert off < 1e-5, f"{name} at t = {time}"


def test_swings_between_restarts_are_as_near_as_is_told(tmp_path: Path) -> None:
    """What comes back by itself is foretold to what the leap was off by: with little friction that is seen."""
    before, header, own = example("escapement").partition("[part.bwheel]")
    path = tmp_path / "clock.toml"
    path.write_text(before + header + own.replace("friction = 6", "friction = 2"), "utf-8")
    machine = lw.load(str(path))
    forecast = lw.predict(machine, 1100)
    run = lw.simulate(machine, until=1100, step=2e-3, contact="rigid")
    for time in np.random.default_rng(6).uniform(90, 1090, 60):
        for name, off in outside(forecast, run, float(time)):
            assert off < 2e-5, f"{name} at t = {time}"
