"""Simulations as plots of their columns, pictures, films, pages and models."""

from __future__ import annotations

from linkwork.contact import ContactSolution
from linkwork.simulation import Solution
from linkwork.view.contact_scene import bars_of, coordinate_columns, force_columns
from linkwork.view.motion_file import motion_file
from linkwork.view.plot import plot_columns
from linkwork.view.theme import ThemeName

USUAL_COLUMNS = 6
"""How many coordinates are plotted when nobody chose."""


def solution_file(solution: Solution, suffix: str, camera: str = "") -> str | bytes:
    """What a file of this kind holds: a plot, a page or a film; a picture of the last row where a camera is named."""
    if suffix in (".svg", ".png") and not camera:
        return plot_solution(solution, suffix.removeprefix("."))
    return motion_file(solution, suffix, camera, plots=usual_columns(solution))


def plot_solution(solution: Solution, format: str = "svg", *names: str, theme: ThemeName = "light") -> bytes:
    """Columns over time; coordinates, forces of contacts and energies where none is named. Contacts stand below."""
    forces = force_columns(solution) if isinstance(solution, ContactSolution) else []
    chosen = names or (*usual_columns(solution), *forces, "kinetic", "potential", "energy")
    units = {name: solution.units.get(name, "") or _kind(name, solution.machine.dimension) for name in chosen}
    return plot_columns(
        solution.times.tolist(),
        {name: solution[name].tolist() for name in chosen},
        x_label="time",
        title=solution.machine.title or solution.machine.name,
        units=units,
        bars=bars_of(solution) if isinstance(solution, ContactSolution) else (),
        theme=theme,
        format="png" if format == "png" else "svg",
    )


def usual_columns(solution: Solution) -> list[str]:
    """The columns that the machine wants plotted, else its first coordinates that change."""
    wanted = [name for name in solution.machine.view.plots if name in solution.columns]
    if wanted:
        return wanted
    if isinstance(solution, ContactSolution):
        return coordinate_columns(solution)[:USUAL_COLUMNS]
    found = []
    for name, column in solution.columns.items():
        is_rate = name.endswith("rate") or name.rpartition(".")[2] in ("vx", "vy", "vz")
        if "." in name and not is_rate and float(column.max() - column.min()) > 0:
            found.append(name)
    return found[:USUAL_COLUMNS]


def _kind(name: str, dimension: int) -> str:
    """What a column measures, so that like stands with like."""
    if "." not in name:
        return "energy"
    if ".on." in name:
        return "force"
    which = name.rpartition(".")[2]
    if which in ("x", "y", "z", "tx", "ty", "tz"):
        return "length"
    return "angle" if dimension == 2 else "angle or quaternion"
