"""What a forecast of a clock says, against a full simulation of it: whatever is said must be so."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import numpy as np
import pytest

import linkwork as lw
from linkwork.foresee import Forecast
from linkwork.foresee.forecast import Ending, ForeseenPattern, Superimposed
from linkwork.foresee.resting import NEAR_REST
from linkwork.foresee.springs import turning_springs
from linkwork.view.forecast import later_times

PERIOD = 2e-3
"""A repetition is foretold to this share; of a hundred clocks one needs more than 1e-3."""
SETTLING = 4
"""Repetitions behind a meeting that may still differ from those of the pattern."""
STATES = 6
"""Times at which the state is asked for, and for each process as many at most near its meetings."""
NEAR_MEETING = 20.0
"""How long before a meeting, and half as long as behind it."""
LONG_APART = 6
"""Ticks without a touch after which parts meet anew."""


def time_of(state: dict[str, float], near: float, slack: float, solution: lw.Solution) -> float:
    """When, not farther from a time than a slack, a simulation is nearest to a state; between rows too."""
    first, last = np.searchsorted(solution.times, [near - slack, near + slack])
    rows = slice(max(int(first) - 1, 0), int(last) + 1)
    ranges = {name: float(np.ptp(solution.columns[name])) for name in state}
    own = [name for name in state if ranges[name] > 1e-6]
    away = np.sum(
        [((solution.columns[name][rows] - state[name]) / ranges[name]) ** 2 for name in own], axis=0
    )
    least = int(np.clip(np.argmin(away), 1, len(away) - 2))
    a, b, c = away[least - 1 : least + 2]
    shift = float(np.clip(0.5 * (a - c) / (a - 2 * b + c), -1, 1)) if a - 2 * b + c > 0 else 0.0
    times = solution.times[rows]
    return float(times[least] + shift * (times[least + 1] - times[least]))


def check(forecast: Forecast, solution: lw.ContactSolution, seed: int = 0) -> int:
    """All that a forecast says, against a simulation; how much there was to check."""
    checked = _check_repetitions(forecast, solution)
    checked += _check_meetings(forecast, solution)
    checked += _check_states(forecast, solution, seed)
    return checked + _check_ending(forecast, solution)


def _check_repetitions(forecast: Forecast, solution: lw.ContactSolution) -> int:
    """Repetitions begin, last and advance the wheel as foretold."""
    checked = 0
    patterns = iter(forecast.patterns)
    for island in forecast.foreseen:
        if "bwheel.angle" not in island.course.variables:
            continue
        names = [
            f"{name.removeprefix('V_').removesuffix('.angle')}.rate" if name.startswith("V_") else name
            for name in island.course.variables
        ]
        for stage, pattern in zip(island.stages, patterns, strict=False):
            for number in np.unique(np.linspace(0, max(stage.last_number - 1, 0), 12).round()):
                place, after = stage.envelope.place(number), stage.envelope.place(number + 1)
                if number + 1 > stage.last_number or after[0] > min(solution.times[-1], pattern.valid_until):
                    break
                if _is_met(forecast, pattern, place[0], after[0]):
                    continue  # such repetitions are told by their states, below
                slack = 0.02 * pattern.duration + 1e-3 * place[0]
                begin, end = (
                    time_of(dict(zip(names, each[1:], strict=True)), each[0], slack, solution)
                    for each in (place, after)
                )
                assert begin == pytest.approx(place[0], rel=1e-3, abs=0.02 * pattern.duration)
                assert end - begin == pytest.approx(after[0] - place[0], rel=PERIOD)
                for name in ("ewheel.angle", "bwheel.angle"):
                    angle = np.interp(begin, solution.times, solution.columns[name])
                    swing = float(np.ptp(solution.columns["bwheel.angle"]))
                    assert place[1 + names.index(name)] == pytest.approx(
                        angle, abs=np.radians(1) + 0.01 * swing
                    )
                checked += 1
    return checked


def _is_met(forecast: Forecast, pattern: ForeseenPattern, begin: float, end: float) -> bool:
    """Whether parts meet in a repetition that is told to repeat, or met shortly before."""
    settling = SETTLING * pattern.duration
    return any(
        time - pattern.duration < end and begin < time + each.duration + settling
        for each in forecast.superimposed
        for time in [*each.times, *later_times(forecast, each)]
    )


def _check_meetings(forecast: Forecast, solution: lw.ContactSolution) -> int:
    """While a pattern holds nothing meets but what is told to; what ends it or is superimposed does happen."""
    met = [
        (each["t"], tuple(each["parts"])) for each in solution.events if each["kind"] in ("begin", "impact")
    ]
    checked = 0
    for pattern in forecast.patterns:
        told = {frozenset(pair) for pair in pattern.contacts}
        told |= {frozenset(each.parts) for each in forecast.superimposed}
        own = set(pattern.parts) | {"ground"}
        slack = pattern.duration
        for time, parts in met:
            if pattern.valid_from + slack < time < pattern.valid_until - slack and set(parts) <= own:
                assert frozenset(parts) in told, f"{parts} met at t = {time}"
        if " meets " in pattern.ends_because and pattern.valid_until < solution.times[-1]:
            pair = frozenset(pattern.ends_because.split(" meets "))
            slack = 1e-3 * pattern.valid_until + 0.02 * pattern.duration
            assert any(
                abs(time - pattern.valid_until) < slack for time, parts in met if frozenset(parts) == pair
            )
            checked += 1
    for each in forecast.superimposed:
        times = [time for time, parts in met if frozenset(parts) == frozenset(each.parts)]
        assert (
            min(abs(time - each.first) for time in times) < 0.05 * max(each.duration, 1.0) + 1e-3 * each.first
        )
        checked += 1 + _check_every_meeting(forecast, each, times)
    return checked


def _tick(pattern: ForeseenPattern) -> float:
    """How long the balance swings to and fro."""
    return pattern.duration / max(pattern.minima // 2, 1)


def _check_every_meeting(forecast: Forecast, process: Superimposed, met: list[float]) -> int:
    """Of what is superimposed, all meetings while a pattern holds are told, to a repetition, and none besides."""
    pattern = next((each for each in forecast.patterns if process.first <= each.valid_until), None)
    if pattern is None or not met:
        return 0
    every = [each for each in forecast.superimposed if each.parts == process.parts]
    told = np.array([time for each in every for time in [*each.times, *later_times(forecast, each)]])
    slack, horizon = 1.5 * _tick(pattern), min(pattern.valid_until, met[-1])
    begins = [b for a, b in pairwise([-math.inf, *met]) if b - a > LONG_APART * _tick(pattern)]
    inside = [time for time in begins if pattern.valid_from < time < pattern.valid_until - 4 * slack]
    for time in inside:
        assert np.min(np.abs(told - time)) < slack, f"{process.parts} meet at {time}, which is not told"
    for time in told[(told > pattern.valid_from) & (told < horizon - slack)]:
        assert min(abs(each - time) for each in met) < slack, f"{process.parts} do not meet at {time}"
    return len(inside)


def _asked_times(forecast: Forecast, last: float, seed: int) -> list[float]:
    """Some times before one; more of them where parts meet now and then."""
    draw = random.Random(seed)
    near: list[float] = []
    for each in forecast.superimposed:
        met = [*each.times, *later_times(forecast, each)]
        for time in draw.sample(met, min(len(met), STATES)):
            near.append(time + draw.uniform(-NEAR_MEETING, 2 * NEAR_MEETING))
    return [*(draw.uniform(0.0, last) for _ in range(STATES)), *(time for time in near if 0 < time < last)]


def _check_states(forecast: Forecast, solution: lw.ContactSolution, seed: int) -> int:
    """The state at any time is that of the simulation at a time that differs by no more than the estimate."""
    last = min(forecast.known_until, forecast.horizon, float(solution.times[-1]))
    times = _asked_times(forecast, last, seed) if last > 1 else []
    for time in times:
        found = forecast.at(time)
        near = np.abs(solution.times - time) <= found.time_error + 1.05 * float(
            np.diff(solution.times[:2])[0]
        )
        for name in ("ewheel.angle", "bwheel.angle"):
            values = solution.columns[name][near]
            slack = math.radians(1.0) + 0.01 * float(np.ptp(solution.columns["bwheel.angle"]))
            assert values.min() - slack <= found[name] <= values.max() + slack, f"{name} at t = {time}"
    return len(times)


def _check_ending(forecast: Forecast, solution: lw.ContactSolution) -> int:
    """What is said to be at rest stays where it is, came there when it is said to, and for the reason that is told."""
    checked = 0
    for ending in forecast.endings:
        if ending.kind == "rest" and ending.t < solution.times[-1]:
            late = solution.times > ending.t
            for name, place in ending.places.items():
                column = solution.columns[name]
                near = max(math.radians(2), 2e-3 * float(np.ptp(column)))
                assert np.max(np.abs(column[late] - place)) < near, f"{name} moves on"
            _check_reason(forecast, ending, solution)
            checked += 1
    return checked


def _check_reason(forecast: Forecast, ending: Ending, solution: lw.ContactSolution) -> None:
    """A mainspring that is said to be relaxed is, to a fiftieth; a wheel that still turned is not said to rest."""
    wheel = solution.columns["ewheel.angle"]
    for island in forecast.foreseen:
        for spring in turning_springs(island.course):
            if spring.part == "ewheel" and "ewheel is relaxed" in ending.why:
                assert abs(wheel[-1] - spring.rest) <= 0.02 * abs(wheel[0] - spring.rest), ending.why
    if "ewheel" in ending.last_moves:
        away = np.abs(wheel - wheel[-1]) > NEAR_REST * min(float(np.ptp(wheel)), 2 * math.pi)
        last, allowed = float(solution.times[np.flatnonzero(away)[-1]]), ending.time_error + 0.01 * ending.t
        assert ending.last_moves["ewheel"] == pytest.approx(last, abs=allowed + 8.0)
