"""All modules that are built in: what they take, and what makes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from linkwork.solid.scad import changes, plane_shapes, solids
from linkwork.solid.scad.arguments import Given
from linkwork.solid.scad.imported import imported
from linkwork.solid.scad.syntax import Instance, ModuleDefinition
from linkwork.solid.scad.tree import Node


class Module(NamedTuple):
    """A module: parameters in the order in which they may be given without a name, others, and its maker."""

    ordered: tuple[str, ...]
    named: tuple[str, ...]
    make: Callable[[Given, tuple[Node, ...]], Node]


def _module(make: Callable[[Given, tuple[Node, ...]], Node], ordered: str = "", named: str = "") -> Module:
    return Module(tuple(ordered.split()), tuple(named.split()), make)


_TEETH: Final = "modul m module pressure_angle backlash center"

MODULES: Final[dict[str, Module]] = {
    "cube": _module(solids.cube, "size center"),
    "sphere": _module(solids.sphere, "r", "d"),
    "cylinder": _module(solids.cylinder, "h r1 r2 center", "r d d1 d2"),
    "polyhedron": _module(solids.polyhedron, "points faces convexity", "triangles"),
    "import": _module(imported, "file convexity layer", "origin scale timestamp id center dpi"),
    "square": _module(plane_shapes.square, "size center"),
    "circle": _module(plane_shapes.circle, "r", "d"),
    "polygon": _module(plane_shapes.polygon, "points paths convexity"),
    "linear_extrude": _module(
        plane_shapes.linear_extrude, "height", "h center convexity twist slices scale segments"
    ),
    "rotate_extrude": _module(plane_shapes.rotate_extrude, "angle", "a start convexity"),
    "offset": _module(plane_shapes.offset, "r", "delta chamfer"),
    "projection": _module(plane_shapes.projection, "cut", "convexity"),
    "translate": _module(changes.translate, "v"),
    "rotate": _module(changes.rotate, "a v"),
    "mirror": _module(changes.mirror, "v"),
    "scale": _module(changes.scale, "v"),
    "multmatrix": _module(changes.multmatrix, "m"),
    "resize": _module(changes.resize, "newsize auto convexity"),
    "union": _module(changes.together("union")),
    "difference": _module(changes.together("difference")),
    "intersection": _module(changes.together("intersection")),
    "group": _module(changes.group),
    "render": _module(changes.group, "convexity"),
    "hull": _module(changes.hull),
    "minkowski": _module(changes.minkowski, "convexity"),
    "color": _module(changes.color, "c alpha"),
    "label": _module(changes.label, "name"),
    "gear": _module(changes.gear),
    "thread": _module(changes.thread, "pitch"),
    "screw": _module(changes.screw),
    "involute_gear": _module(plane_shapes.involute_gear, "teeth", f"h shift internal {_TEETH}"),
    "rack": _module(plane_shapes.rack, "teeth", f"h width {_TEETH}"),
}
CONTROL: Final = ("for", "intersection_for", "if", "let", "assign", "echo", "assert", "children")

MARKS: Final = ("label", "gear", "thread", "screw")
"""Modules that OpenSCAD does not know. A text may define them to do nothing, so that OpenSCAD reads it too."""

OTHER_MODULES: Final = {
    "text": "letters are not drawn",
    "surface": "height maps are not solids of a machine",
    "import_dxf": "drawings in DXF are not read: draw a polygon",
    "import_stl": "it is called import(…) today",
    "import_off": "other formats are read by linkwork itself: give the part its own file",
    "dxf_linear_extrude": "drawings in DXF are not read: draw a polygon",
    "dxf_rotate_extrude": "drawings in DXF are not read: draw a polygon",
    "child": "it is called children(…) today",
    "roof": "straight skeletons are not computed",
    "fill": "draw the outline without its holes",
    "subdiv": "it never became a part of the language",
    "glide": "it never became a part of the language",
}
"""Modules of OpenSCAD that are missing here, and why."""


def does_nothing(definition: ModuleDefinition) -> bool:
    """Whether a module only passes its children on."""
    body = definition.body
    if body.assignments or body.modules or body.functions or len(body.instances) != 1:
        return False
    (only,) = body.instances
    return (
        isinstance(only, Instance) and only.name == "children" and not only.arguments and not only.modifiers
    )
