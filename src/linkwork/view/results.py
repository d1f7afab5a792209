"""How results of kinematics and simulations are seen in a notebook: the renderers of :mod:`linkwork.results`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from linkwork.algebra.mathml import mathml
from linkwork.collision import Clash, Clashes
from linkwork.contact.comparison import Comparison
from linkwork.contact.free_body import FreeBodies
from linkwork.errors import LinkworkError, UsageError
from linkwork.fasten import Fastening
from linkwork.foresee import Forecast
from linkwork.kinematics import Motion, Summary
from linkwork.mechanics import Derivation
from linkwork.model.store import write_bytes
from linkwork.recognition import Recognition
from linkwork.results import Renderer, register
from linkwork.simulation import Solution
from linkwork.view.clash import clash_scene
from linkwork.view.comparison import comparison_plot
from linkwork.view.dimensioned import drawing_svg
from linkwork.view.forecast import forecast_html, plot_forecast
from linkwork.view.free_body import free_body_file
from linkwork.view.machine_marks import poses_as_drawn
from linkwork.view.machine_scene import machine_scene
from linkwork.view.motion_file import motion_file
from linkwork.view.plot import plot_columns
from linkwork.view.raster import scene_png
from linkwork.view.scene import Scene
from linkwork.view.solution import plot_solution
from linkwork.view.solution import usual_columns as solution_columns
from linkwork.view.svg import scene_svg
from linkwork.view.theme import ThemeName

USUAL_COLUMNS = 4
"""How many columns are plotted when nobody chose."""

PLAYER_HEIGHT = 560
"""Pixels of a page inside a notebook."""


@dataclass(frozen=True)
class Picture:
    """A picture: a notebook shows it, ``save`` writes it whole or not at all."""

    content: bytes
    format: Literal["png", "svg"]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file with the suffix of its format."""
        suffix = os.path.splitext(os.fspath(path))[1].lower()
        if suffix != f".{self.format}":
            raise UsageError(
                f"this picture is {self.format.upper()}",
                got=os.fspath(path),
                wanted=f"a name that ends in .{self.format}",
                fix=f'plot(format="{suffix[1:]}")'
                if suffix in (".png", ".svg")
                else f"picture.{self.format}",
            )
        write_bytes(path, self.content)

    def _repr_svg_(self) -> str | None:
        return self.content.decode() if self.format == "svg" else None

    def _repr_png_(self) -> bytes | None:
        return self.content if self.format == "png" else None

    def __repr__(self) -> str:
        return f"Picture: {self.format.upper()}, {len(self.content)} bytes"


def plot_motion(
    motion: Motion,
    *names: str,
    x: str = "time",
    format: Literal["png", "svg"] = "svg",
    theme: ThemeName = "light",
) -> Picture:
    """Columns of a motion over time or another column; those the machine wants plotted where none is named.

    >>> from linkwork import load, move
    >>> move(load("four-bar"), steps=36).plot("rocker.angle", x="crank", format="png").content[1:4]
    b'PNG'
    """
    chosen = names or tuple(usual_columns(motion))
    columns = {name: motion[name].tolist() for name in chosen}
    unit = motion.units.get(x, "")
    content = plot_columns(
        motion[x].tolist(),
        columns,
        x_label=f"{x} ({unit})" if unit else x,
        title=motion.machine.title or motion.machine.name,
        units={name: motion.units.get(name, "") for name in chosen},
        format=format,
        theme=theme,
    )
    return Picture(content, format)


def plot_a_solution(
    solution: Solution,
    *names: str,
    format: Literal["png", "svg"] = "svg",
    theme: ThemeName = "light",
) -> Picture:
    """Columns of a simulation over time; coordinates, forces of contacts and energies where none is named.

    >>> from linkwork import load, simulate
    >>> simulate(load("pendulum"), until=1).plot("kinetic", "potential", format="png").content[1:4]
    b'PNG'
    """
    return Picture(plot_solution(solution, format, *names, theme=theme), format)


def usual_columns(motion: Motion) -> list[str]:
    wanted = [name for name in motion.machine.view.plots if name in motion.columns]
    kinds = ("angle",) if motion.machine.dimension == 2 else ("x", "y", "z")
    parts = [f"{part}.{kind}" for part in motion.machine.moving for kind in kinds]
    moving = [name for name in parts if name in motion.columns and len({*motion[name].tolist()}) > 1]
    return wanted or moving[:USUAL_COLUMNS] or [name for name in motion.columns if name != "time"][:1]


def motion_html(motion: Motion) -> str:
    """What happened, and a player."""
    limits = "".join(f"<br>{escape(str(limit))}" for limit in motion.limits)
    return f"<div>{_words(motion)}{limits}</div>\n{_player(motion, usual_columns(motion))}"


def solution_html(solution: Solution) -> str:
    """What happened, and a player."""
    return f"<div>{_words(solution)}</div>\n{_player(solution, solution_columns(solution))}"


def _words(motion: Motion | Solution) -> str:
    why = f": {motion.why}" if motion.why else ""
    return escape(f"{motion.machine.name}: {len(motion)} rows, {motion.status}{why}")


def _player(motion: Motion | Solution, plots: Sequence[str]) -> str:
    """The page in a frame of its own: its names and styles stay apart from the notebook's."""
    try:
        page = motion_file(motion, ".html", plots=plots)
    except LinkworkError:
        return ""
    return (
        f'<iframe sandbox="allow-scripts" style="width:100%;height:{PLAYER_HEIGHT}px;border:0" '
        f'title="{escape(motion.machine.name)}" srcdoc="{escape(str(page))}"></iframe>'
    )


def plot_free_bodies(bodies: FreeBodies, *, format: Literal["png", "svg"] = "svg") -> Picture:
    """Each part by itself with what acts on it."""
    content = free_body_file(bodies, ".png" if format == "png" else ".svg")
    return Picture(content if isinstance(content, bytes) else content.encode(), format)


def free_bodies_html(bodies: FreeBodies) -> str:
    """The picture."""
    return str(free_body_file(bodies, ".svg"))


def plot_comparison(found: Comparison, *, format: Literal["png", "svg"] = "svg") -> Picture:
    """The coordinates by all models."""
    return Picture(comparison_plot(found, format), format)


def comparison_html(found: Comparison) -> str:
    """The plot."""
    return comparison_plot(found, "svg").decode()


def plot_summary(summary: Summary, *names: str, **options: Any) -> Picture:
    """The machine where it stands."""
    if summary.position is None:
        raise UsageError(
            f"the machine {summary.machine.name} does not go together, so there is nothing to draw",
            fix="print(summary)   # tells why",
        )
    scene = machine_scene(summary.machine, summary.position)
    return Picture(scene_svg(scene, **options).encode(), "svg")


def summary_html(summary: Summary) -> str:
    """A picture, and the words of ``show``."""
    picture = ""
    if summary.position is not None:
        try:
            picture = scene_svg(machine_scene(summary.machine, summary.position))
        except LinkworkError:
            picture = ""
    return f"{picture}<pre>{escape(str(summary))}</pre>"


def plot_derivation(derivation: Derivation, *names: str, **options: Any) -> Picture:
    """The drawing with its dimensions."""
    shown = drawing_svg(derivation, **options)
    if not shown:
        raise UsageError(
            f"the drawing {derivation.machine.name} has no numbers to be drawn by",
            fix='machine.with_parameters({"a": 1})',
        )
    return Picture(shown.encode(), "svg")


def derivation_html(derivation: Derivation) -> str:
    """The drawing, how it is constructed, and the formulas."""
    steps = "".join(f"<li>{escape(step.words)}</li>" for step in derivation.construction.steps)
    formulas = "".join(
        f"<div>{mathml(left)} = {mathml(right)}</div>"
        for left, right in (line.equation for line in derivation.table)
    )
    return f"{drawing_svg(derivation)}<ol>{steps}</ol>{formulas}"


def plot_fastening(
    found: Fastening, *, format: Literal["png", "svg"] = "svg", theme: ThemeName = "light"
) -> Picture:
    """Frames, slices of time and angle, and forces.

    >>> from linkwork.fasten import fasten, load_design
    >>> fasten(load_design("tee-diagonal")).plot(format="png").content[1:4]
    b'PNG'
    """
    from linkwork.view.fasten_plot import fastening_picture

    return Picture(fastening_picture(found, format, theme), format)


def fastening_html(found: Fastening) -> str:
    """The picture, and what happened in words."""
    return f"{plot_fastening(found).content.decode()}<pre>{escape(str(found))}</pre>"


def plot_recognition(
    found: Recognition, *, format: Literal["png", "svg"] = "svg", theme: ThemeName = "light"
) -> Picture:
    """The machine as it is drawn, with the names of its parts and joints.

    >>> from linkwork import load, recognise
    >>> recognise(load("engine")).plot(format="png").content[1:4]
    b'PNG'
    """
    machine = found.machine
    if machine is None:
        raise UsageError(
            "these solids belong to no machine, so there is nothing to draw",
            wanted="what was found in a machine",
            fix='linkwork.recognise(linkwork.load("machine.toml")).plot()',
        )
    return _scene_picture(machine_scene(machine, poses_as_drawn(machine), marked=True), format, theme)


def recognition_html(found: Recognition) -> str:
    """The picture, and what was found in words."""
    picture = "" if found.machine is None else plot_recognition(found).content.decode()
    return f"{picture}<pre>{escape(str(found))}</pre>"


def plot_clashes(
    found: Clashes,
    clash: Clash | None = None,
    *,
    format: Literal["png", "svg"] = "svg",
    theme: ThemeName = "light",
) -> Picture:
    """The machine where two parts are deepest in one another: those of a clash, or the deepest of all."""
    return _scene_picture(clash_scene(found, clash), format, theme)


def clashes_html(found: Clashes) -> str:
    """The picture, and what collides in words."""
    return f"{plot_clashes(found).content.decode()}<pre>{escape(str(found))}</pre>"


def _scene_picture(scene: Scene, format: Literal["png", "svg"], theme: ThemeName) -> Picture:
    content = scene_png(scene, theme=theme) if format == "png" else scene_svg(scene, theme=theme).encode()
    return Picture(content, format)


register(Motion, Renderer(plot_motion, motion_html))
register(Solution, Renderer(plot_a_solution, solution_html))
register(FreeBodies, Renderer(plot_free_bodies, free_bodies_html))
register(Comparison, Renderer(plot_comparison, comparison_html))
register(Summary, Renderer(plot_summary, summary_html))
register(Derivation, Renderer(plot_derivation, derivation_html))
register(Fastening, Renderer(plot_fastening, fastening_html))
register(Recognition, Renderer(plot_recognition, recognition_html))
register(Clashes, Renderer(plot_clashes, clashes_html))
register(Forecast, Renderer(plot_forecast, forecast_html))
