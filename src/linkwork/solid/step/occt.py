"""Bodies that are beyond our own reader, through OCCT (``linkwork[cad]``): the same shells.

Surfaces and edges that are planes, cylinders, cones, spheres, lines or circles in other words are recognised; what is
left is cut into flat facets, which tell how far they are from the true face.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from linkwork.solid.placement import Floats, Placement, cross, triple
from linkwork.solid.shell import Patch, Shell
from linkwork.solid.shell.conics import with_conics
from linkwork.solid.shell.edge import Arc, Edge, Segment
from linkwork.solid.shell.moments import signed_volume
from linkwork.solid.shell.sewing import Border, Piece, sewn
from linkwork.solid.shell.vector import across
from linkwork.solid.step.axes import Measures
from linkwork.solid.step.record import Record
from linkwork.solid.step.spline import chain
from linkwork.solid.surface import Face, PlaneFace, RoundFace, SphereFace, TorusFace

SAME: Final = 1e-6
"""How far a surface may be from the simple one that it is taken for, in sizes of the body."""
FACET: Final = 1e-3
"""How far a facet may be from the true face, in sizes of the body."""
BEND: Final = 0.4
"""The angle between neighbouring facets, in radians, at most."""
_MILLIMETRE: Final = 1e-3


def is_there() -> bool:
    """Whether OCCT can be used."""
    return find_spec("OCP") is not None


class Occt:
    """Reads a file once, and its bodies when they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._reader: Any = None

    def __call__(self, body: Record, measures: Measures) -> Shell:
        """The shell of a body, in the unit of the result."""
        shape = self._shape(body)
        patches = tuple(_patches(shape))
        if not patches:
            body.fail("OCCT finds no faces in this body", wanted="a closed solid")
        if signed_volume(patches) < 0:
            patches = tuple(patch.reversed() for patch in patches)
        return Shell(tuple(patch.placed(Placement.scaling(self._factor(measures))) for patch in patches))

    def _factor(self, measures: Measures) -> float:
        """OCCT gives millimetres, and takes lengths of no unit for such."""
        own = _MILLIMETRE if not measures.units.is_assumed else measures.units.length.size
        return measures.scale * own / measures.units.length.size

    def _shape(self, body: Record) -> Any:
        if self._reader is None:
            self._reader = _loaded(self._text)
        number = self._reader.WS().Model().NextNumberForLabel(f"#{body.number}", 0, True)
        if not number or not self._reader.TransferOne(number):
            body.fail("OCCT cannot read this body", wanted="a closed solid", fix="export it again")
        return self._reader.Shape(self._reader.NbShapes())


def _loaded(text: str) -> Any:
    from OCP.Message import Message
    from OCP.STEPControl import STEPControl_Reader

    messenger = Message.DefaultMessenger_s()
    for printer in list(messenger.Printers()):  # they write to stdout, which is for data
        messenger.RemovePrinter(printer)
    reader = STEPControl_Reader()
    handle, path = tempfile.mkstemp(suffix=".step")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        reader.ReadFile(path)
    finally:
        os.unlink(path)
    return reader


# ---------------------------------------------------------------------------------------------- faces


def _patches(shape: Any) -> tuple[Patch, ...]:
    from OCP.TopAbs import TopAbs_FACE

    faces = [_cast("Face", face) for face in _parts(shape, TopAbs_FACE)]
    size = _size(shape)
    keys = _Numbers()
    pieces: list[Piece] = []
    meshed = False
    for face in faces:
        surface = _surface(face, SAME * size)
        if surface is None:
            if not meshed:
                _mesh(shape, FACET * size)
                meshed = True
            pieces += _facets(face, len(pieces), FACET * size)
        else:
            pieces.append(_piece(face, *surface, keys))
    return sewn(with_conics(pieces), size)


def _piece(face: Any, surface: Face, as_ours: bool, keys: _Numbers) -> Piece:
    """A face whose loops turn to the left about its own normal, then turned over if its material is there."""
    from OCP.BRep import BRep_Tool
    from OCP.BRepTools import BRepTools_WireExplorer
    from OCP.TopAbs import TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_WIRE

    upright = _cast("Face", face.Oriented(TopAbs_FORWARD))
    loops = []
    for wire in _parts(upright, TopAbs_WIRE):
        loop = []
        explorer = BRepTools_WireExplorer(_cast("Wire", wire), upright)
        while explorer.More():
            edge = explorer.Current()
            if not BRep_Tool.Degenerated_s(edge):
                key = keys.of(edge)
                along = edge.Orientation() != TopAbs_REVERSED
                curve = _edge(edge)
                loop.append(Border(curve if along else curve.reversed(), (key, 0), along))
            explorer.Next()
        if loop:
            loops.append(loop)
    piece = Piece(surface, loops, as_ours)
    return piece.reversed() if face.Orientation() == TopAbs_REVERSED else piece


def _surface(face: Any, tolerance: float) -> tuple[Face, bool] | None:
    """The simple surface that a face lies on, and whether its normal is as ours; none for a free form."""
    from OCP import GeomAbs, gp
    from OCP.BRepAdaptor import BRepAdaptor_Surface
    from OCP.ShapeAnalysis import ShapeAnalysis_CanonicalRecognition

    given = BRepAdaptor_Surface(face, True)
    kinds: dict[Any, Callable[[], Any]] = {
        GeomAbs.GeomAbs_Plane: given.Plane,
        GeomAbs.GeomAbs_Cylinder: given.Cylinder,
        GeomAbs.GeomAbs_Cone: given.Cone,
        GeomAbs.GeomAbs_Sphere: given.Sphere,
        GeomAbs.GeomAbs_Torus: given.Torus,
    }
    if given.GetType() in kinds:
        found = kinds[given.GetType()]()
        return _known(found), bool(found.Position().Direct())
    canonical = ShapeAnalysis_CanonicalRecognition(face)
    for test, simple in (
        (canonical.IsPlane, gp.gp_Pln()),
        (canonical.IsCylinder, gp.gp_Cylinder()),
        (canonical.IsSphere, gp.gp_Sphere()),
        (canonical.IsCone, gp.gp_Cone()),
    ):
        if test(tolerance, simple):
            surface = _known(simple)
            return surface, _agrees(given, surface)
    return None


def _known(found: Any) -> Face:
    """A surface of OCCT as one of ours."""
    place = found.Position()
    point, axis = _triple(place.Location()), _triple(place.Direction())
    x, y = _triple(place.XDirection()), _triple(place.YDirection())
    name = type(found).__name__
    if name == "gp_Pln":
        return PlaneFace(point, x, y, (0.0, 0.0), (0.0, 0.0))
    if name == "gp_Cylinder":
        return RoundFace(point, axis, x, found.Radius(), found.Radius(), (0.0, 1.0))
    if name == "gp_Cone":
        slope = float(np.tan(found.SemiAngle()))
        return RoundFace(point, axis, x, found.RefRadius(), found.RefRadius() + slope, (0.0, 1.0))
    if name == "gp_Sphere":
        return SphereFace(point, found.Radius())
    return TorusFace(point, axis, found.MajorRadius(), found.MinorRadius())


def _agrees(given: Any, surface: Face) -> bool:
    """Whether a surface of splines has its normal on the same side as the simple one that it is."""
    from OCP.gp import gp_Pnt, gp_Vec

    point, du, dv = gp_Pnt(), gp_Vec(), gp_Vec()
    middle_u = 0.45 * given.FirstUParameter() + 0.55 * given.LastUParameter()
    middle_v = 0.45 * given.FirstVParameter() + 0.55 * given.LastVParameter()
    given.D1(middle_u, middle_v, point, du, dv)
    normal = cross(_triple(du), _triple(dv))
    if isinstance(surface, PlaneFace):
        return float(normal @ surface.normal) > 0
    way = np.array(_triple(point)) - np.array(surface.point)
    if isinstance(surface, RoundFace):
        way = way - np.array(surface.axis) * float(way @ surface.axis)
    return float(normal @ way) > 0


def _edge(edge: Any) -> Edge:
    """An edge in its own direction."""
    from OCP import GeomAbs
    from OCP.BRepAdaptor import BRepAdaptor_Curve
    from OCP.TopAbs import TopAbs_FORWARD

    curve = BRepAdaptor_Curve(_cast("Edge", edge.Oriented(TopAbs_FORWARD)))
    first, last = curve.FirstParameter(), curve.LastParameter()
    if curve.GetType() == GeomAbs.GeomAbs_Line:
        return Segment(_triple(curve.Value(first)), _triple(curve.Value(last)))
    if curve.GetType() in (GeomAbs.GeomAbs_Circle, GeomAbs.GeomAbs_Ellipse):
        is_circle = curve.GetType() == GeomAbs.GeomAbs_Circle
        found = curve.Circle() if is_circle else curve.Ellipse()
        radii = (found.Radius(),) * 2 if is_circle else (found.MajorRadius(), found.MinorRadius())
        place = found.Position()
        x, y = (
            radius * np.array(_triple(axis))
            for radius, axis in zip(radii, (place.XDirection(), place.YDirection()), strict=True)
        )
        return Arc(_triple(found.Location()), triple(x), triple(y), first, last)
    return chain(
        lambda t: np.array([_triple(curve.Value(float(each))) for each in t]), np.linspace(first, last, 9)
    )


# --------------------------------------------------------------------------------------------- facets


def _mesh(shape: Any, deviation: float) -> None:
    from OCP.BRepMesh import BRepMesh_IncrementalMesh

    BRepMesh_IncrementalMesh(shape, deviation, False, BEND, False)


def _facets(face: Any, first: int, deviation: float) -> Iterator[Piece]:
    """The triangles of a face. Numbers of pieces, below zero, keep the keys of their edges apart from all others."""
    from OCP.BRep import BRep_Tool
    from OCP.TopAbs import TopAbs_REVERSED
    from OCP.TopLoc import TopLoc_Location

    location = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, location)
    if mesh is None:
        return
    where = location.Transformation()
    nodes = np.array([_triple(mesh.Node(k + 1).Transformed(where)) for k in range(mesh.NbNodes())])
    for place in range(mesh.NbTriangles()):
        corners = [corner - 1 for corner in mesh.Triangle(place + 1).Get()]
        if face.Orientation() == TopAbs_REVERSED:
            corners.reverse()
        piece = _facet(nodes, corners, -1 - first, deviation)
        if piece is not None:
            yield piece


def _facet(nodes: Floats, corners: list[int], key: int, deviation: float) -> Piece | None:
    a, b, c = nodes[corners]
    normal = cross(b - a, c - a)
    length = float(np.linalg.norm(normal))
    if not length > 0:
        return None
    normal = normal / length
    along = across(normal)
    second = cross(normal, along)
    borders = []
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        low, high = min(start, end), max(start, end)
        segment = Segment(triple(nodes[start]), triple(nodes[end]))
        borders.append(Border(segment, (key, low * len(nodes) + high), start < end))
    plane = PlaneFace(triple(a), triple(along), triple(second), (0.0, 0.0), (0.0, 0.0))
    return Piece(plane, [borders], outward=True, deviation=deviation)


# ------------------------------------------------------------------------------------- small things


class _Numbers:
    """Numbers of shapes: the same for one that is seen from two faces."""

    def __init__(self) -> None:
        self._known: dict[int, list[tuple[Any, int]]] = {}
        self._count = 0

    def of(self, shape: Any) -> int:
        """The number of a shape, whichever way it runs."""
        from OCP.TopAbs import TopAbs_FORWARD

        alike = self._known.setdefault(hash(shape.Oriented(TopAbs_FORWARD)), [])
        for other, number in alike:
            if other.IsSame(shape):
                return number
        self._count += 1
        alike.append((shape, self._count))
        return self._count


def _parts(shape: Any, kind: Any) -> Iterator[Any]:
    from OCP.TopExp import TopExp_Explorer

    explorer = TopExp_Explorer(shape, kind)
    while explorer.More():
        yield explorer.Current()
        explorer.Next()


def _cast(kind: str, shape: Any) -> Any:
    """A shape as the kind that it is; the name of the cast depends on the version."""
    from OCP.TopoDS import TopoDS

    return (getattr(TopoDS, kind, None) or getattr(TopoDS, f"{kind}_s"))(shape)


def _size(shape: Any) -> float:
    from OCP.Bnd import Bnd_Box
    from OCP.BRepBndLib import BRepBndLib

    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box, False)
    return float(np.sqrt(box.SquareExtent())) or 1.0


def _triple(found: Any) -> tuple[float, float, float]:
    return found.X(), found.Y(), found.Z()
