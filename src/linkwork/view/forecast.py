"""How a forecast is seen: swings and periods over time, with bars from when to when each pattern holds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np

from linkwork.view.plot import plot_columns
from linkwork.view.scene import Bars
from linkwork.view.theme import ThemeName

if TYPE_CHECKING:
    from linkwork.foresee import Forecast
    from linkwork.view.results import Picture


def plot_forecast(
    forecast: Forecast, *names: str, format: Literal["png", "svg"] = "svg", theme: ThemeName = "light"
) -> Picture:
    """The period, and the ends of what swings, at each place at which the simulation was set going.

    >>> from linkwork import load, predict
    >>> predict(load("time-bomb")).plot(format="png").content[1:4]
    b'PNG'
    """
    from linkwork.view.results import Picture

    stages = [stage for island in forecast.foreseen for stage in island.stages]
    nodes = sorted(
        ((node.time, place, node) for place, stage in enumerate(stages) for node in stage.envelope.nodes),
        key=lambda each: each[:2],
    )
    times = [time for time, _, _ in nodes] or [0.0, forecast.known_until]
    columns = {"period (time)": [node.duration for _, _, node in nodes] or [np.nan, np.nan]}
    swinging = dict.fromkeys(name for each in forecast.patterns for name in each.swings)
    for name in names or list(swinging)[:1]:
        for end in ("low", "high"):
            values = []
            for _, place, node in nodes:
                variables = forecast.foreseen[_island(forecast, place)].course.variables
                own = getattr(node, end)[variables.index(name)] if name in variables else np.nan
                values.append(float(np.degrees(own)) if name.endswith("angle") else float(own))
            columns[f"{name} {end} ({'°' if name.endswith('angle') else 'range'})"] = values
    bars = [
        Bars(f"pattern of {each.minima} minima", ((each.valid_from, each.valid_until),), ())
        for each in forecast.patterns
    ]
    bars += [Bars(" and ".join(each.parts), (), each.times) for each in forecast.superimposed]
    title = forecast.machine.title or forecast.machine.name
    content = plot_columns(times, columns, x_label="time", title=title, bars=bars, format=format, theme=theme)
    return Picture(content, format)


def _island(forecast: Forecast, place: int) -> int:
    """The island of a stage, counted through all of them."""
    counts = np.cumsum([len(island.stages) for island in forecast.foreseen])
    return int(np.searchsorted(counts, place, side="right"))


def forecast_html(forecast: Forecast) -> str:
    """The sentences, and the plot."""
    said = "".join(f"<li>{escape(each)}</li>" for each in forecast.summary.split("; "))
    picture = plot_forecast(forecast).content.decode() if forecast.patterns else ""
    return f"<div>{escape(forecast.machine.title or forecast.machine.name)}<ul>{said}</ul></div>{picture}"
