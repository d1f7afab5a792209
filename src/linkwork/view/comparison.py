"""Several models of contact in one plot: each coordinate by all of them, and their energies."""

from __future__ import annotations

from linkwork.contact.comparison import Comparison
from linkwork.view.plot import PlotFormat, plot_columns

MOST = 6
"""Coordinates that are plotted."""


def comparison_plot(found: Comparison, format: PlotFormat = "svg") -> bytes:
    """Coordinates that change and the energy, each model's in a colour of its own, over the rows of all."""
    frame = found.to_frame()
    names = [each for each in dict.fromkeys(name.partition(" ")[0] for name in frame) if each != "time"]
    first = next(iter(found.runs.values()))
    changing = [name for name in first.variables if first[name].max() > first[name].min()]
    chosen = [*changing[:MOST], *(["energy"] if "energy" in names else [])]
    columns = {f"{name} {model}": frame[f"{name} {model}"] for name in chosen for model in found.runs}
    return plot_columns(
        frame["time"].tolist(),
        {name: column.tolist() for name, column in columns.items()},
        x_label="time",
        title=found.machine.title or found.machine.name,
        units={name: name.partition(" ")[0] for name in columns},
        format=format,
    )
