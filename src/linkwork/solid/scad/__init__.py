"""OpenSCAD's notation, read as solids."""

from linkwork.solid.scad.fault import ScadError
from linkwork.solid.scad.read import read_scad, read_scad_file

__all__ = ["ScadError", "read_scad", "read_scad_file"]
