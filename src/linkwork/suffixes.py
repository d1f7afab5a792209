"""Files that hold solids, by their names; without what it takes to read them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

SUFFIXES: Final = (".scad", ".csg", ".step", ".stp", ".3mf", ".stl")
"""Files that hold solids, in the order in which they are preferred: by what is known of their surfaces."""

FOREIGN: Final = (
    *(
        ".iges",
        ".igs",
        ".brep",
        ".x_t",
        ".sat",
        ".stpz",
        ".sldprt",
        ".sldasm",
        ".ipt",
        ".f3d",
        ".fcstd",
        ".blend",
    ),
    *(".obj", ".ply", ".off", ".amf", ".glb", ".gltf", ".dxf", ".dwg"),
)
"""Files of solids and drawings that are not read."""


def is_cad(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of solids, by its name.

    >>> is_cad("clock.STEP"), is_cad("clock.toml")
    (True, False)
    """
    return Path(path).suffix.lower() in SUFFIXES
