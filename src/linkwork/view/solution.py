"""Simulations as plots of their columns, pictures, films, pages and models."""

from __future__ import annotations

from linkwork.simulation import Solution
from linkwork.view.motion_file import motion_file
from linkwork.view.plot import plot_columns

USUAL_COLUMNS = 6
"""How many coordinates are plotted when nobody chose."""


def solution_file(solution: Solution, suffix: str, camera: str = "") -> str | bytes:
    """What a file of this kind holds: a plot, a page or a film; a picture of the last row where a camera is named."""
    if suffix in (".svg", ".png") and not camera:
        return plot_solution(solution, suffix.removeprefix("."))
    return motion_file(solution, suffix, camera, plots=_usual(solution))


def plot_solution(solution: Solution, format: str = "svg", *names: str) -> bytes:
    """Columns over time; the coordinates and the energies where none is named."""
    chosen = names or (*_usual(solution), "kinetic", "potential", "energy")
    units = {name: solution.units.get(name, "") or _kind(name) for name in chosen}
    return plot_columns(
        solution.times.tolist(),
        {name: solution[name].tolist() for name in chosen},
        x_label="time",
        title=solution.machine.title or solution.machine.name,
        units=units,
        format="png" if format == "png" else "svg",
    )


def _usual(solution: Solution) -> list[str]:
    """The columns that the machine wants plotted, else its first coordinates that change."""
    wanted = [name for name in solution.machine.view.plots if name in solution.columns]
    if wanted:
        return wanted
    found = []
    for name, column in solution.columns.items():
        is_rate = name.endswith("rate") or name.rpartition(".")[2] in ("vx", "vy", "vz")
        if "." in name and not is_rate and float(column.max() - column.min()) > 0:
            found.append(name)
    return found[:USUAL_COLUMNS]


def _kind(name: str) -> str:
    """What a column measures, so that like stands with like."""
    if "." not in name:
        return "energy"
    which = name.rpartition(".")[2]
    return "length" if which in ("x", "y", "z", "tx", "ty", "tz") else "angle or quaternion"
