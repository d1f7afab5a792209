"""Meshes: read from files, checked, written, and made of solids."""

from linkwork.solid.mesh.check import MeshCheck, check_mesh
from linkwork.solid.mesh.fault import MeshFileError
from linkwork.solid.mesh.mesh import Mesh
from linkwork.solid.mesh.read import polyhedron_of, read_mesh_parts, read_stl
from linkwork.solid.mesh.solid_mesh import solid_mesh
from linkwork.solid.mesh.stl import stl_bytes, stl_text
from linkwork.solid.mesh.threemf import MeshPart, read_3mf, threemf_bytes

__all__ = [
    "Mesh",
    "MeshCheck",
    "MeshFileError",
    "MeshPart",
    "check_mesh",
    "polyhedron_of",
    "read_3mf",
    "read_mesh_parts",
    "read_stl",
    "solid_mesh",
    "stl_bytes",
    "stl_text",
    "threemf_bytes",
]
