"""Makes the STEP files in ``files/``, and what OCCT says of their solids. Not a test: it needs cadquery-ocp-novtk.

Each machine is put together from OCCT's own primitives and booleans, with names, in an assembly, and written in the
schema and unit that its file's name tells.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
    BRepBuilderAPI_Transform,
)
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepGProp import BRepGProp
from OCP.BRepOffsetAPI import BRepOffsetAPI_ThruSections
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Circ, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.Interface import Interface_Static
from OCP.Quantity import Quantity_Color, Quantity_TOC_sRGB
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_AsIs
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Shape
from OCP.XCAFDoc import XCAFDoc_ColorSurf, XCAFDoc_DocumentTool

FOLDER = Path(__file__).parent / "files"
Z = (0.0, 0.0, 1.0)


def axes(at: Sequence[float], along: Sequence[float] = Z) -> gp_Ax2:
    return gp_Ax2(gp_Pnt(*at), gp_Dir(*along))


def box(corner: Sequence[float], size: Sequence[float]) -> TopoDS_Shape:
    return BRepPrimAPI_MakeBox(gp_Pnt(*corner), *size).Shape()


def rod(at: Sequence[float], radius: float, height: float, along: Sequence[float] = Z) -> TopoDS_Shape:
    return BRepPrimAPI_MakeCylinder(axes(at, along), radius, height).Shape()


def fused(*shapes: TopoDS_Shape) -> TopoDS_Shape:
    found = shapes[0]
    for shape in shapes[1:]:
        found = BRepAlgoAPI_Fuse(found, shape).Shape()
    return found


def cut(shape: TopoDS_Shape, *tools: TopoDS_Shape) -> TopoDS_Shape:
    for tool in tools:
        shape = BRepAlgoAPI_Cut(shape, tool).Shape()
    return shape


def edges(shape: TopoDS_Shape) -> list[Any]:
    found, explorer = [], TopExp_Explorer(shape, TopAbs_EDGE)
    while explorer.More():
        found.append(TopoDS.Edge(explorer.Current()))
        explorer.Next()
    return found


def turned(angle: float = 0.0, axis: Sequence[float] = Z, by: Sequence[float] = (0, 0, 0)) -> gp_Trsf:
    turn, shift = gp_Trsf(), gp_Trsf()
    if angle:
        turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*axis)), angle)
    shift.SetTranslation(gp_Vec(*by))
    return shift.Multiplied(turn)


def moved(shape: TopoDS_Shape, where: gp_Trsf) -> TopoDS_Shape:
    return BRepBuilderAPI_Transform(shape, where, True).Shape()


def plain(shape: TopoDS_Shape) -> TopoDS_Shape:
    """Without the seams that booleans leave."""
    unified = ShapeUpgrade_UnifySameDomain(shape, True, True, True)
    unified.Build()
    return unified.Shape()


class Document:
    """A machine while it is put together: parts by name, and what is placed where."""

    def __init__(self) -> None:
        self.document = TDocStd_Document(TCollection_ExtendedString("linkwork"))
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(self.document.Main())
        self.colours = XCAFDoc_DocumentTool.ColorTool_s(self.document.Main())

    def part(self, name: str, shape: TopoDS_Shape, colour: tuple[float, float, float] | None = None) -> Any:
        label = self.shapes.AddShape(shape, False)
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        if colour:
            self.colours.SetColor(label, Quantity_Color(*colour, Quantity_TOC_sRGB), XCAFDoc_ColorSurf)
        return label

    def assembly(self, name: str, parts: Sequence[tuple[Any, str, gp_Trsf]]) -> Any:
        label = self.shapes.NewShape()
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
        for part, instance, where in parts:
            component = self.shapes.AddComponent(label, part, TopLoc_Location(where))
            TDataStd_Name.Set_s(component, TCollection_ExtendedString(instance))
        return label

    def write(self, file: str, schema: str = "AP214IS", unit: str = "MM", *, curves: bool = False) -> None:
        """With ``curves``, edges are also given in the coordinates of their surfaces: four times as much text."""
        self.shapes.UpdateAssemblies()
        writer = STEPCAFControl_Writer()
        Interface_Static.SetCVal_s("write.step.schema", schema)
        Interface_Static.SetCVal_s("write.step.unit", unit)
        Interface_Static.SetIVal_s("write.surfacecurve.mode", int(curves))
        writer.SetNameMode(True)
        writer.SetColorMode(True)
        writer.Transfer(self.document, STEPControl_AsIs)
        path = FOLDER / f"{file}.step"
        writer.Write(str(path))
        text = re.sub(r"(FILE_NAME\('[^']*',)'[^']*'", r"\1'2026-01-01T00:00:00'", path.read_text())
        text = re.sub(
            r"LOCAL_TIME\([^)]*\)", lambda found: re.sub(r"\d+,\d+", "0,0", found[0], count=1), text
        )
        path.write_text(re.sub(r"\n +", "", text).replace(" = ", "="))


def facts(shape: TopoDS_Shape, where: gp_Trsf | None = None) -> dict[str, Any]:
    """Volume, centre and inertia, as OCCT integrates them."""
    found = GProp_GProps()
    BRepGProp.VolumeProperties_s(moved(shape, where) if where else shape, found, 1e-9)
    centre, matrix = found.CentreOfMass(), found.MatrixOfInertia()
    return {
        "volume": found.Mass(),
        "centre": [centre.X(), centre.Y(), centre.Z()],
        "inertia": [[matrix.Value(i, j) for j in (1, 2, 3)] for i in (1, 2, 3)],
    }


# ------------------------------------------------------------------------------------------- machines


def shaft_in_plate(unit: str) -> dict[str, Any]:
    """A plate with four screw holes and a bearing hole, and a shaft with a collar in it."""
    plate = cut(box((0, 0, 0), (60, 40, 8)), rod((30, 20, -1), 6.05, 10))
    plate = cut(plate, *(rod((x, y, -1), 2.25, 10) for x in (6, 54) for y in (6, 34)))
    shaft = fused(rod((0, 0, -12), 6, 40), rod((0, 0, -4), 9, 4))
    document = Document()
    parts = {"plate": (plate, turned()), "shaft": (shaft, turned(by=(30, 20, 0)))}
    colours = {"plate": (0.2, 0.4, 0.6), "shaft": (1.0, 0.5, 0.0)}
    labels = {name: document.part(name, shape, colours[name]) for name, (shape, _) in parts.items()}
    document.assembly("shaft in plate", [(labels[name], f"{name}:1", parts[name][1]) for name in parts])
    document.write(f"shaft_in_plate_{unit.lower()}", unit=unit, curves=unit == "MM")
    return {name: facts(*made) for name, made in parts.items()}


def hinge() -> dict[str, Any]:
    """Two leaves with knuckles about a pin with a head; the second leaf is open by 50 degrees."""

    def leaf(knuckles: Sequence[int]) -> TopoDS_Shape:
        plate = box((2, 0, -1), (28, 30, 2))
        for slot in range(3):
            place = (0, 10 * slot, 0)
            if slot in knuckles:
                plate = fused(plate, rod(place, 4, 10, (0, 1, 0)), box((0, 10 * slot, -1), (4, 10, 2)))
            else:
                plate = cut(plate, rod((0, 10 * slot - 0.1, 0), 4.5, 10.2, (0, 1, 0)))
        plate = cut(plate, rod((0, -1, 0), 2.02, 60, (0, 1, 0)))
        return cut(plate, rod((20, 15, -5), 1.6, 10))

    pin = fused(rod((0, -3, 0), 2, 36, (0, 1, 0)), rod((0, -5, 0), 3.5, 2, (0, 1, 0)))
    opened = turned(math.radians(50), (0, 1, 0))
    document = Document()
    parts = {
        "fixed leaf": (plain(leaf((0, 2))), turned(math.pi, (0, 1, 0))),
        "moving leaf": (plain(leaf((1,))), opened),
        "pin": (pin, turned()),
    }
    labels = {name: document.part(name, shape) for name, (shape, _) in parts.items()}
    document.assembly("hinge", [(labels[name], name, parts[name][1]) for name in parts])
    document.write("hinge_ap203", schema="AP203")
    return {name: facts(*made) for name, made in parts.items()}


def gear_box() -> dict[str, Any]:
    """A housing with a cover and two screws; two shafts of one shape, each with its gear in an assembly."""
    housing = cut(box((-40, -30, -24), (80, 60, 44)), box((-34, -24, -20), (68, 48, 50)))
    bores = [rod((x, -31, 0), 5.02, 62, (0, 1, 0)) for x in (-15, 15)]
    corners = [(-37, -27), (37, 27)]
    housing = plain(cut(housing, *bores, *(rod((x, y, 5), 2, 20) for x, y in corners)))
    cover = cut(box((-40, -30, 20), (80, 60, 4)), *(rod((x, y, 15), 2.2, 20) for x, y in corners))
    screw = fused(rod((0, 0, -12), 2, 12), rod((0, 0, 0), 3.5, 3))
    shaft = rod((0, -32, 0), 5, 64, (0, 1, 0))
    gears = {
        "pinion": cut(rod((0, -5, 0), 12, 10, (0, 1, 0)), rod((0, -6, 0), 5, 12, (0, 1, 0))),
        "wheel": cut(rod((0, -5, 0), 18, 10, (0, 1, 0)), rod((0, -6, 0), 5, 12, (0, 1, 0))),
    }
    document = Document()
    found = {"housing": facts(housing), "cover": facts(cover)}
    axle = document.part("axle", shaft)
    still = [(document.part("housing", housing), "", turned()), (document.part("cover", cover), "", turned())]
    fixing = document.part("screw", screw)
    for place, (x, y) in enumerate(corners):
        where = turned(by=(x, y, 24))
        still.append((fixing, f"screw:{place + 1}", where))
        found["screw_2" if place else "screw"] = facts(screw, where)
    driven = []
    for (name, gear), x in zip(gears.items(), (-15, 15), strict=True):
        where = turned(math.radians(10 * x), (0, 1, 0), (x, 0, 0))
        label = document.part(name, gear)
        geared = document.assembly(f"{name} shaft", [(axle, "axle", turned()), (label, name, turned())])
        driven.append((geared, f"{name} shaft", where))
        found["axle" if x < 0 else "axle_2"] = facts(shaft, where)
        found[name] = facts(gear, where)
    document.assembly("gear box", [*still, *driven])
    document.write("gear_box_ap242", schema="AP242DIS")
    return found


def features() -> dict[str, Any]:
    """One part for each sort of surface and edge."""
    block = box((0, 0, 0), (20, 15, 10))
    rounded = BRepFilletAPI_MakeFillet(block)
    for edge in edges(block):
        rounded.Add(2.0, edge)
    stud = rod((0, 0, 0), 5, 20)
    stepped = fused(stud, rod((0, 0, 0), 9, 6))
    fillet = BRepFilletAPI_MakeFillet(stepped)
    fillet.Add(1.0, next(edge for edge in edges(stepped) if _is_circle(edge, 5, 6)))
    filleted = fillet.Shape()
    chamfer = BRepFilletAPI_MakeChamfer(filleted)
    chamfer.Add(1.0, next(edge for edge in edges(filleted) if _is_circle(edge, 5, 20)))
    drilled = cut(rod((0, 0, 0), 5, 30), rod((-10, 0, 15), 2, 20, (1, 0, 0)))
    slanted = cut(rod((0, 0, 0), 5, 30), moved(box((-20, -20, 20), (40, 40, 40)), turned(0.4, (0, 1, 0))))
    hollow = cut(box((0, 0, 0), (20, 20, 20)), BRepPrimAPI_MakeSphere(gp_Pnt(10, 10, 10), 6).Shape())
    domed = fused(rod((0, 0, 0), 6, 10), BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 10), 6).Shape())
    octant = BRepAlgoAPI_Common(
        BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 8).Shape(), box((0, 0, 0), (9, 9, 9))
    ).Shape()
    spike = BRepPrimAPI_MakeCone(axes((0, 0, 0)), 5, 0, 12).Shape()
    sunk = BRepPrimAPI_MakeCone(axes((10, 10, 4)), 2, 4.5, 2.5).Shape()
    countersunk = cut(box((0, 0, 0), (20, 20, 6)), rod((10, 10, -1), 2, 8), sunk)
    flat = cut(BRepPrimAPI_MakeCone(axes((0, 0, 0)), 8, 3, 12).Shape(), box((2, -20, -1), (20, 40, 20)))
    ring = BRepPrimAPI_MakeTorus(axes((0, 0, 0), (1, 1, 1)), 10, 3).Shape()
    elbow = BRepAlgoAPI_Common(ring, box((0, -20, -20), (20, 40, 40))).Shape()
    half = cut(chamfer.Shape(), box((-20, 0, -1), (40, 20, 40)))
    splined = cut(box((0, 0, 0), (30, 20, 5)), rod((15, 10, -1), 4, 7))
    ball = BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 9), 5).Shape()
    knob = fused(BRepPrimAPI_MakeCone(axes((0, 0, 0)), 7, 4, 9).Shape(), ball)
    plain_ones = {"splined plate": splined, "splined knob": knob}
    splines = {name: BRepBuilderAPI_NurbsConvert(shape, True).Shape() for name, shape in plain_ones.items()}
    parts = {
        "rounded block": rounded.Shape(), "filleted stud": chamfer.Shape(), "drilled rod": drilled,
        "slanted rod": slanted, "hollow block": hollow, "domed rod": domed, "octant": octant, "spike": spike,
        "countersunk plate": countersunk, "flat on cone": flat, "ring": ring, "elbow": elbow, "half stud": half,
        **splines,
    }  # fmt: skip
    found = {}
    for name, shape in parts.items():
        document = Document()
        document.part(name, shape)
        document.write("part_" + name.replace(" ", "_"))
        found[name] = facts(plain_ones.get(name, shape))  # OCCT weighs splines less exactly
    return found


def _is_circle(edge: Any, radius: float, height: float) -> bool:
    from OCP.BRepAdaptor import BRepAdaptor_Curve
    from OCP.GeomAbs import GeomAbs_Circle

    curve = BRepAdaptor_Curve(edge)
    if curve.GetType() != GeomAbs_Circle:
        return False
    circle = curve.Circle()
    return bool(abs(circle.Radius() - radius) < 1e-9 and abs(circle.Location().Z() - height) < 1e-9)


def free_forms() -> dict[str, Any]:
    """A transition from a square to a circle, beside a block."""

    def wire(*made: Any) -> Any:
        maker = BRepBuilderAPI_MakeWire()
        for edge in made:
            maker.Add(edge)
        return maker.Wire()

    corners = [gp_Pnt(x, y, 0) for x, y in ((-10, -10), (10, -10), (10, 10), (-10, 10))]
    square = wire(*(BRepBuilderAPI_MakeEdge(corners[k], corners[(k + 1) % 4]).Edge() for k in range(4)))
    circle = wire(BRepBuilderAPI_MakeEdge(gp_Circ(axes((0, 0, 20)), 6)).Edge())
    loft = BRepOffsetAPI_ThruSections(True)
    loft.AddWire(square)
    loft.AddWire(circle)
    parts = {"transition": loft.Shape(), "block": box((0, 0, 0), (30, 20, 5))}
    document = Document()
    labels = {name: document.part(name, shape) for name, shape in parts.items()}
    where = {"transition": turned(by=(0, 0, 5)), "block": turned(0.3, (0, 0, 1), (20, 0, 0))}
    document.assembly("free forms", [(labels[name], name, where[name]) for name in parts])
    document.write("free_forms_inch", unit="INCH")
    return {name: facts(shape, where[name]) for name, shape in parts.items()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    found: dict[str, Any] = {}
    for unit in ("MM", "INCH"):
        found[f"shaft_in_plate_{unit.lower()}"] = shaft_in_plate(unit)
    found["hinge_ap203"] = hinge()
    found["gear_box_ap242"] = gear_box()
    found |= {"part_" + name.replace(" ", "_"): {name: each} for name, each in features().items()}
    found["free_forms_inch"] = free_forms()
    (FOLDER / "facts.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
