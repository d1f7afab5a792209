"""Motions as pages, films, pictures and models: by the drawing of their parts, or on a stage where there is more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from linkwork.contact import ContactSolution
from linkwork.errors import ToolMissing
from linkwork.kinematics import Motion
from linkwork.model import Machine
from linkwork.simulation import Solution
from linkwork.view.contact_scene import coordinate_columns, force_columns
from linkwork.view.machine_scene import machine_scene
from linkwork.view.machine_stage import machine_stage
from linkwork.view.page import scene_page
from linkwork.view.raster import scene_gif, scene_png
from linkwork.view.scene import Scene
from linkwork.view.stage import Stage
from linkwork.view.stage_files import stage_file
from linkwork.view.svg import scene_svg
from linkwork.view.undressed import seen_frames

MOST_PLOTTED: Final = 4
"""Coordinates, and forces of contacts, that a page plots when nobody chose."""
_DRAWN: Final[Mapping[str, Callable[[Scene], str | bytes]]] = {
    ".svg": scene_svg,
    ".png": scene_png,
    ".gif": scene_gif,
}


def scene_file(scene: Scene, suffix: str) -> str | bytes:
    """What a picture or film of a drawing with this suffix holds."""
    return _DRAWN[suffix](scene)


def motion_file(
    motion: Motion | Solution, suffix: str, camera: str = "", *, plots: Sequence[str] = ()
) -> str | bytes:
    """What a file of this kind holds; a page plots the columns ``plots`` at first, if the machine names none.

    A page of a plane machine of parts has a small player, every other one the viewer of live pages. Where all that
    moves falls or flies away, what is shown ends there.
    """
    machine = motion.machine
    is_page = suffix == ".html"
    if isinstance(motion, ContactSolution):
        motion = motion.while_in_sight()

    def staged() -> str | bytes:
        return stage_file(_with_plots(machine_stage(machine, motion), plots), suffix, camera=camera)

    if camera or needs_stage(machine) or not (is_page or suffix in _DRAWN):
        return staged()
    if is_page and machine.dimension == 3:
        with suppress(
            ToolMissing
        ):  # a copy without the viewer's bundle: the small player shows the parts as well
            return staged()
    scene = machine_scene(machine, motion)
    return scene_page(scene, plot=plotted(motion)) if is_page else scene_file(scene, suffix)


def needs_stage(machine: Machine) -> bool:
    """Whether a machine shows more than the drawing of its parts does: objects, or frames."""
    return not machine.moving or bool(machine.view.object) or bool(seen_frames(machine))


def plotted(motion: Motion | Solution) -> list[str] | None:
    """The columns a small player plots at first: those the machine names, if any."""
    drive = next(iter(motion.machine.drives), "")
    wanted = [name for name in motion.machine.view.plots if name in motion.columns and name != drive]
    if isinstance(motion, ContactSolution) and not wanted:
        return [*coordinate_columns(motion)[:MOST_PLOTTED], *force_columns(motion)[:MOST_PLOTTED]]
    return wanted or None


def _with_plots(stage: Stage, names: Sequence[str]) -> Stage:
    known = [each.name for each in stage.columns]
    return replace(stage, plots=stage.plots or tuple(known.index(name) for name in names if name in known))
