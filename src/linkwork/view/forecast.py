"""How a forecast is seen: swings and periods over time, with bars from when to when each pattern holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, Literal

from linkwork.view.plot import plot_columns
from linkwork.view.scene import Bars
from linkwork.view.theme import ThemeName

if TYPE_CHECKING:
    from linkwork.foresee import Forecast
    from linkwork.foresee.forecast import Superimposed
    from linkwork.view.results import Picture

SAME: Final = 1e-6
"""Of a period: those that differ by less are drawn as one."""
MOST_FORETOLD: Final = 400
"""Of what is superimposed: later times that are told."""


@dataclass(frozen=True)
class Simulated:
    """A repetition that was simulated: when it ended, how long it lasted, between which ends variables swung."""

    pattern: int
    """Which of the forecast's patterns it belongs to."""
    number: float
    time: float
    duration: float
    deviation: float
    """How far it was from what had been foretold; 0 where nothing was."""
    ends: Mapping[str, tuple[float, float]]


def simulated_repetitions(forecast: Forecast) -> list[Simulated]:
    """All of them, in the order of time."""

    def found() -> Iterator[Simulated]:
        place = 0
        for island in forecast.foreseen:
            names = island.course.variables
            for stage in island.stages:
                for node in stage.envelope.nodes:
                    ends = zip(names, zip(node.low.tolist(), node.high.tolist(), strict=True), strict=True)
                    yield Simulated(place, node.number, node.time, node.duration, node.deviation, dict(ends))
                place += 1

    return sorted(found(), key=lambda each: each.time)


def later_times(forecast: Forecast, process: Superimposed) -> list[float]:
    """When what is superimposed and periodic happens without having been simulated: so many repetitions later each."""
    stages = [stage for island in forecast.foreseen for stage in island.stages]
    every = ((stage, own) for stage in stages for own in stage.recurring.values())
    found = next((each for each in every if each[1].occurrences[0].begin in process.times), None)
    last = None if found is None else found[1].found[0]
    if found is None or last is None:
        return []
    stage, own = found
    begun = stage.envelope.number_at(last.begin)
    count = int(min((stage.last_number - begun) // own.period, MOST_FORETOLD))
    coming = (index for index in range(1, count + 1) if index not in own.found)
    return [float(stage.envelope.place(begun + index * own.period)[0]) for index in coming]


def shown(name: str, value: float) -> float:
    """A value of a variable as people read it: angles in degrees."""
    return math.degrees(value) if name.endswith("angle") else value


def steady(values: list[float]) -> list[float]:
    """Values that differ by no more than rounding as one: a curve of rounding tells nothing."""
    return values[:1] * len(values) if values and max(values) - min(values) <= SAME * max(values) else values


def plot_forecast(
    forecast: Forecast, *names: str, format: Literal["png", "svg"] = "svg", theme: ThemeName = "light"
) -> Picture:
    """The period, and the ends of what swings, at each place at which the simulation was set going.

    >>> from linkwork import load, predict
    >>> predict(load("time-bomb")).plot(format="png").content[1:4]
    b'PNG'
    """
    from linkwork.view.results import Picture

    rows = simulated_repetitions(forecast)
    times = [each.time for each in rows] or [0.0, forecast.known_until]
    columns = {"period (time)": steady([each.duration for each in rows]) or [math.nan, math.nan]}
    swinging = dict.fromkeys(name for each in forecast.patterns for name in each.swings)
    for name in names or list(swinging)[:1]:
        for place, end in enumerate(("low", "high")):
            label = f"{name} {end} ({'°' if name.endswith('angle') else 'range'})"
            columns[label] = [shown(name, each.ends.get(name, (math.nan, math.nan))[place]) for each in rows]
    bars = [
        Bars(f"pattern of {each.minima} minima", ((each.valid_from, each.valid_until),), ())
        for each in forecast.patterns
    ]
    bars += [
        Bars(" and ".join(each.parts), (), (*each.times, *later_times(forecast, each)))
        for each in forecast.superimposed
    ]
    title = forecast.machine.title or forecast.machine.name
    content = plot_columns(times, columns, x_label="time", title=title, bars=bars, format=format, theme=theme)
    return Picture(content, format)


def forecast_html(forecast: Forecast) -> str:
    """The sentences, and the plot."""
    said = "".join(f"<li>{escape(each)}</li>" for each in forecast.summary.split("; "))
    picture = plot_forecast(forecast).content.decode() if forecast.patterns else ""
    return f"<div>{escape(forecast.machine.title or forecast.machine.name)}<ul>{said}</ul></div>{picture}"
