"""Stages as the contents of files: one line for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from linkwork.view.film import CODECS, stage_gif, stage_png, stage_video
from linkwork.view.gltf import stage_glb
from linkwork.view.sight import chosen_eye
from linkwork.view.stage import Stage, stage_data
from linkwork.view.stage_page import stage_page
from linkwork.view.stage_svg import stage_svg

STILLS: Final = {".svg": "a picture", ".png": "a picture in pixels", ".glb": "a model for other programs"}
FILMS: Final = {".gif": "a film", ".mp4": "a video", ".webm": "a video", ".glb": "a model with its motion"}

_WRITERS: Final[Mapping[str, Callable[[Stage, int, str], str | bytes]]] = {
    ".svg": lambda stage, row, camera: stage_svg(stage, row, camera=camera),
    ".png": lambda stage, row, camera: stage_png(stage, row, camera=camera),
    ".gif": lambda stage, row, camera: stage_gif(stage, camera=camera),
    ".glb": lambda stage, row, camera: stage_glb(stage),
    ".html": lambda stage, row, camera: stage_page(stage_data(stage), camera=chosen_eye(stage, camera).name),
}


def stage_file(stage: Stage, suffix: str, *, camera: str = "") -> str | bytes:
    """What a file of this kind holds; a picture shows the last row."""
    if suffix in CODECS:
        return stage_video(stage, suffix, camera=camera)
    return _WRITERS[suffix](stage, stage.rows - 1, camera)
