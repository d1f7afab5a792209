"""Parts of machines, made of simple solids, whose sections and masses OCCT has been asked for.

Run as a program, with cadquery-ocp-novtk installed, this writes its answers to ``cut_parts.json``.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from linkwork.solid import (
    Block,
    Cone,
    Cylinder,
    Difference,
    Intersection,
    Named,
    Placed,
    Prism,
    Solid,
    Sphere,
    Union,
)
from linkwork.solid.region import Arc, Region, involute_gear

ANSWERS = Path(__file__).parent / "cut_parts.json"
QUARTER = math.pi / 2


def _hole(radius: float, x: float, y: float) -> Solid:
    return Cylinder(radius, 100).moved((x, y, -50))


def _wheel() -> Solid:
    teeth = tuple(Block((3, 2, 4)).moved((9, -1, 0)).turned(k * math.pi / 6) for k in range(12))
    return Union((Cylinder(10, 4), Cylinder(4, 9), *teeth)) - _hole(2, 0, 0)


def _crank() -> Solid:
    web = Prism(Region.rectangle(30, 8).moved((0, -4)) | Region.circle(4) | Region.circle(4, (30, 0)), 5)
    pin = Cylinder(3, 12).moved((30, 0, 5))
    return (web | pin | Cylinder(5, 20).moved((0, 0, -20))) - _hole(1.5, 0, 0)


PARTS: dict[str, Solid] = {
    "plate": Block((40, 20, 3)) - _hole(2, 5, 5) - _hole(2, 35, 5) - _hole(6, 20, 10),
    "wheel": _wheel(),
    "crank": _crank(),
    "crank turned": _crank().turned(0.8, (1, 2, 2)).moved((3, -7, 11)),
    "gear": Prism(involute_gear(14, 2, deviation=1e-3), 6) - _hole(5, 0, 0),
    "piston": Cylinder(10, 25)
    - Cylinder(8, 20)
    - Cylinder(3, 40).turned(QUARTER, (1, 0, 0)).moved((0, 20, 12)),
    "ball in a block": Block((20, 20, 10)) - Sphere(6).moved((10, 10, 10)),
    "countersink": Block((20, 20, 5)) - _hole(2, 10, 10) - Cone(0, 5, 5).moved((10, 10, 0.5)),
    "knob": (Sphere(6) & Block((20, 20, 9)).moved((-10, -10, -4))) | Cylinder(2, 12).moved((0, 0, -14)),
    "bracket": Block((30, 4, 20))
    | Block((30, 20, 4))
    | Prism(Region.polygon([(4, 4), (14, 4), (4, 14)]), 4)
    .turned(QUARTER, (0, 0, 1))
    .turned(QUARTER, (0, 1, 0))
    .moved((13, 0, 0)),
    "slanted bore": Block((20, 20, 20))
    - Cylinder(3, 60).moved((0, 0, -30)).turned(0.5, (1, 1, 0)).moved((10, 10, 10)),
    "crossed pipes": (Cylinder(5, 30) | Cylinder(5, 30).turned(QUARTER, (0, 1, 0)).moved((-15, 0, 15)))
    - Cylinder(4, 30)
    - Cylinder(4, 30).turned(QUARTER, (0, 1, 0)).moved((-15, 0, 15)),
}
CUTS: list[tuple[tuple[float, float, float], float]] = [
    ((0, 0, 1), 1.37),
    ((0, 0, 1), 4.21),
    ((1, 0, 0), 2.13),
    ((0, 1, 0), 3.3),
    ((1, 2, 3), 3.7),
]


def main() -> None:
    """Asks OCCT, whose solids are put together in the same way."""
    found = {name: _answers(_shape(solid)) for name, solid in PARTS.items()}
    ANSWERS.write_text(json.dumps(found, indent=1) + "\n")


def _answers(shape: Any) -> dict[str, Any]:
    from OCP.BRepGProp import BRepGProp
    from OCP.GProp import GProp_GProps

    whole = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, whole, 1e-7)
    centre, matrix = whole.CentreOfMass(), whole.MatrixOfInertia()
    return {
        "volume": whole.Mass(),
        "centre": [centre.X(), centre.Y(), centre.Z()],
        "inertia": [[matrix.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)],
        "areas": [_area(shape, axis, height) for axis, height in CUTS],
    }


def _area(shape: Any, axis: tuple[float, float, float], height: float) -> float:
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
    from OCP.BRepGProp import BRepGProp
    from OCP.gp import gp_Dir, gp_Pln, gp_Pnt
    from OCP.GProp import GProp_GProps

    length = math.hypot(*axis)
    point = gp_Pnt(*(height * each / length for each in axis))
    face = BRepBuilderAPI_MakeFace(gp_Pln(point, gp_Dir(*axis)), -200, 200, -200, 200).Face()
    found = GProp_GProps()
    BRepGProp.SurfaceProperties_s(BRepAlgoAPI_Common(shape, face).Shape(), found, 1e-7)
    return float(found.Mass())


def _shape(solid: Solid) -> Any:
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
    from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
    from OCP.BRepPrimAPI import (
        BRepPrimAPI_MakeBox,
        BRepPrimAPI_MakeCone,
        BRepPrimAPI_MakeCylinder,
        BRepPrimAPI_MakeSphere,
    )
    from OCP.gp import gp_Trsf

    if isinstance(solid, Named):
        return _shape(solid.solid)
    if isinstance(solid, Placed):
        moved = gp_Trsf()
        rows = [(*solid.place.matrix[k].tolist(), solid.place.origin[k]) for k in range(3)]
        moved.SetValues(*(number for row in rows for number in row))
        return BRepBuilderAPI_Transform(_shape(solid.solid), moved, True).Shape()
    if isinstance(solid, Block):
        return BRepPrimAPI_MakeBox(*solid.size).Shape()
    if isinstance(solid, Cylinder):
        return BRepPrimAPI_MakeCylinder(solid.radius, solid.height).Shape()
    if isinstance(solid, Cone):
        return BRepPrimAPI_MakeCone(solid.bottom, solid.top, solid.height).Shape()
    if isinstance(solid, Sphere):
        return BRepPrimAPI_MakeSphere(solid.radius).Shape()
    if isinstance(solid, Prism):
        return _prism(solid)
    if isinstance(solid, Difference):
        first, others, combine = solid.first, solid.others, BRepAlgoAPI_Cut
    else:
        assert isinstance(solid, (Union, Intersection))
        first, others = solid.solids[0], solid.solids[1:]
        combine = BRepAlgoAPI_Fuse if isinstance(solid, Union) else BRepAlgoAPI_Common
    shape = _shape(first)
    for other in others:
        shape = combine(shape, _shape(other)).Shape()
    return shape


def _prism(prism: Prism) -> Any:
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakeWire
    from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism
    from OCP.GC import GC_MakeArcOfCircle
    from OCP.gp import gp_Pnt, gp_Vec

    (loop,) = prism.region.loops
    wire = BRepBuilderAPI_MakeWire()
    for edge in loop:
        a, middle, b = (gp_Pnt(*point, 0.0) for point in (edge.start, edge.at(0.5), edge.end))
        curve = GC_MakeArcOfCircle(a, middle, b).Value() if isinstance(edge, Arc) else None
        made = BRepBuilderAPI_MakeEdge(a, b) if curve is None else BRepBuilderAPI_MakeEdge(curve)
        wire.Add(made.Edge())
    face = BRepBuilderAPI_MakeFace(wire.Wire()).Face()
    return BRepPrimAPI_MakePrism(face, gp_Vec(0, 0, prism.height)).Shape()


if __name__ == "__main__":
    main()
