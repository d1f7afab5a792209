"""OpenSCAD's notation, read as solids."""

from pathlib import Path
from typing import Final

from linkwork.solid.scad.fault import ScadError
from linkwork.solid.scad.read import read_scad, read_scad_file

OPENSCAD_LIBRARY: Final = Path(__file__).with_name("linkwork.scad")
"""What OpenSCAD needs beside texts with labels, marks and gears."""

__all__ = ["OPENSCAD_LIBRARY", "ScadError", "read_scad", "read_scad_file"]
