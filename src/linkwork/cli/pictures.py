"""Scenes as the contents of files: one line for each kind of picture. Pages have options of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from linkwork.view import Scene, scene_gif, scene_png, scene_svg

PICTURES: Final[Mapping[str, Callable[[Scene], str | bytes]]] = {
    ".svg": scene_svg,
    ".png": scene_png,
    ".gif": scene_gif,
}


def picture(scene: Scene, suffix: str) -> str | bytes:
    """What a file with this suffix holds."""
    return PICTURES[suffix](scene)
