"""Random clocks, some of them with defects: what is foreseen of each is what a full simulation of it does."""

from __future__ import annotations

import importlib.resources
import random
import re
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.foresee import Forecast

HORIZON = 900.0
PERIOD = 5e-3
"""A repetition between two restarts is foretold to this share; of a hundred clocks three need more than 1e-3."""
FAST, ALL = 8, 100


def random_clock(seed: int) -> str:
    """The escapement with other inertias, springs and friction, and perhaps without one or two of its teeth."""
    draw = random.Random(seed)
    text = (importlib.resources.files("linkwork.examples") / "escapement.toml").read_text("utf-8")

    def other(found: re.Match[str]) -> str:
        return f"{found[1]}{float(found[2]) * draw.uniform(0.8, 1.25):.6g}"

    text = re.sub(r"(\n(?:inertia|friction) = )([\d.]+)", other, text)
    text = re.sub(r"(stiffness = )([\d.]+)", other, text)
    text = text.replace("-10000 deg", f"-{draw.choice([700, 1500, 4000, 10000])} deg", 1)
    missing = draw.sample(range(10), draw.choice([0, 0, 1, 2]))
    kept = ", ".join(str(tooth) for tooth in range(10) if tooth not in missing)
    return text.replace("for (k = [0:9])", f"for (k = [{kept}])")


def turns_back(solution: lw.Solution) -> np.ndarray:
    """When the balance turns back, from above or below."""
    rate, times = solution.columns["bwheel.rate"], solution.times
    at = np.flatnonzero(rate[:-1] * rate[1:] < 0)
    return times[at] + (times[at + 1] - times[at]) * rate[at] / (rate[at] - rate[at + 1])


def check(forecast: Forecast, solution: lw.Solution) -> int:
    """All that a forecast says of its patterns and its end, against a simulation; how much there was to check."""
    turned = turns_back(solution)
    checked = 0
    for island in forecast.foreseen:
        for stage, pattern in zip(island.stages, forecast.patterns, strict=True):
            nodes = stage.envelope.nodes
            for number in np.linspace(0, nodes[-1].number, 12).round():
                time = float(stage.envelope.place(number)[0])
                after = float(stage.envelope.place(number + 1)[0])
                if after > min(solution.times[-1], pattern.valid_until):
                    break
                begin = turned[np.argmin(np.abs(turned - time))]
                end = turned[np.argmin(np.abs(turned - after))]
                assert begin == pytest.approx(time, rel=1e-3, abs=0.02 * pattern.duration)
                assert end - begin == pytest.approx(after - time, rel=PERIOD)
                angle = np.interp(time, solution.times, solution.columns["ewheel.angle"])
                assert stage.envelope.place(number)[1] == pytest.approx(angle, abs=np.radians(1))
                checked += 1
    (ending,) = forecast.endings
    if ending.kind == "rest" and ending.t < solution.times[-1]:
        late = solution.times > ending.t
        for name, place in ending.places.items():
            assert np.max(np.abs(solution.columns[name][late] - place)) < np.radians(2)
        checked += 1
    return checked


ALTERNATING = pytest.mark.xfail(
    reason="ticks begin to alternate between two restarts of the simulation, which is not noticed",
    strict=True,
)


def marks_of(seed: int) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] * (seed >= FAST) + [ALTERNATING] * (seed == 21)


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=marks_of(seed)) for seed in range(ALL)])
def test_nothing_false_is_foreseen(seed: int, tmp_path: Path) -> None:
    """Periods, advances, times and rest are those of a full simulation; what is not known is said to be unknown."""
    path = tmp_path / "clock.toml"
    path.write_text(random_clock(seed), "utf-8")
    forecast = lw.predict(lw.load(str(path)), HORIZON)
    solution = lw.simulate(lw.load(str(path)), until=HORIZON, step=0.02, contact="rigid")
    if solution.status == "complete" and forecast.endings[0].kind != "unknown":
        assert check(forecast, solution) > 0
    else:
        check(forecast, solution)
