"""Scenes as the contents of files: one line for each kind of picture. Pages have options of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from linkwork.cli.output import write_file
from linkwork.model import Machine
from linkwork.view import Scene, scene_gif, scene_png, scene_svg

PICTURES: Final[Mapping[str, Callable[[Scene], str | bytes]]] = {
    ".svg": scene_svg,
    ".png": scene_png,
    ".gif": scene_gif,
}


def picture(scene: Scene, suffix: str) -> str | bytes:
    """What a file with this suffix holds."""
    return PICTURES[suffix](scene)


def write_machine_picture(machine: Machine, out: str, suffix: str, *, quiet: bool) -> None:
    """Write a picture of a machine where it is drawn, with its joints marked and its parts named."""
    from linkwork.view.machine_marks import poses_as_drawn
    from linkwork.view.machine_scene import machine_scene

    scene = machine_scene(machine, poses_as_drawn(machine), marked=True)
    write_file(out, picture(scene, suffix), quiet=quiet)
