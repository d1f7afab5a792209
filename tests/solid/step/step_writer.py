"""A small writer of STEP files for tests: blocks, rods, plates with holes, cones, in assemblies and units of choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linkwork.solid import Placement

SCHEMAS = {
    "AP203": "CONFIG_CONTROL_DESIGN",
    "AP214": "AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }",
    "AP242": "AP242_MANAGED_MODEL_BASED_3D_ENGINEERING_MIM_LF { 1 0 10303 442 1 1 4 }",
}
HEADER = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('made for a test'),'2;1');
FILE_NAME('test.step','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('{schema}'));
ENDSEC;
DATA;
"""

Vector = Sequence[float] | NDArray[np.float64]
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Shape:
    """A product while the file is written: its definition, its representation, the placement that stands in it."""

    definition: str
    representation: str
    origin: str


class StepWriter:
    """Collects the records of a file."""

    def __init__(self, unit: str = "mm", schema: str = "AP214", angle: str = "radian") -> None:
        self.schema = SCHEMAS.get(schema, schema)
        self.records: list[str] = []
        self._points: dict[tuple[float, ...], str] = {}
        self._corners: dict[tuple[float, ...], str] = {}
        self._edges: dict[tuple[object, ...], str] = {}
        self.context = self.add_context(unit, angle)

    def __str__(self) -> str:
        rows = [f"#{place + 1}={record};" for place, record in enumerate(self.records)]
        return HEADER.format(schema=self.schema) + "\n".join(rows) + "\nENDSEC;\nEND-ISO-10303-21;\n"

    def add(self, record: str) -> str:
        """The reference to a new record."""
        self.records.append(record)
        return f"#{len(self.records)}"

    # ---------------------------------------------------------------------------------- units

    def add_context(self, unit: str, angle: str = "radian") -> str:
        si = {"mm": ".MILLI.,.METRE.", "cm": ".CENTI.,.METRE.", "m": "$,.METRE.", "um": ".MICRO.,.METRE."}
        if unit in si:
            length = self.add(f"(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT({si[unit]}))")
        elif unit == "none":
            length = ""
        else:
            base = self.add("(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))")
            size = {"inch": 25.4, "foot": 304.8}[unit]
            measure = self.add(f"LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE({size!r}),{base})")
            sizes = self.add("DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)")
            length = self.add(
                f"(CONVERSION_BASED_UNIT('{unit.upper()}',{measure}) LENGTH_UNIT() NAMED_UNIT({sizes}))"
            )
        plane = self.add("(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))")
        if angle == "degree":
            measure = self.add(
                f"PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE({math.pi / 180!r}),{plane})"
            )
            plane = self.add(f"(CONVERSION_BASED_UNIT('DEGREE',{measure}) NAMED_UNIT(*) PLANE_ANGLE_UNIT())")
        solid = self.add("(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())")
        given = ",".join(each for each in (length, plane, solid) if each)
        uncertain = self.add(
            f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),{length or solid},'distance_accuracy_value','')"
        )
        return self.add(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3) "
            f"GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({uncertain})) "
            f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({given})) REPRESENTATION_CONTEXT('','3D'))"
        )

    # ------------------------------------------------------------------------------- geometry

    def point(self, at: Vector) -> str:
        key = tuple(float(x) + 0.0 for x in at)
        if key not in self._points:
            self._points[key] = self.add(f"CARTESIAN_POINT('',({_numbers(key)}))")
        return self._points[key]

    def corner(self, at: Vector) -> str:
        key = tuple(float(x) + 0.0 for x in at)
        if key not in self._corners:
            self._corners[key] = self.add(f"VERTEX_POINT('',{self.point(at)})")
        return self._corners[key]

    def direction(self, way: Vector) -> str:
        return self.add(f"DIRECTION('',({_numbers(way)}))")

    def placement(self, at: Vector, z: Vector = Z, x: Vector = X) -> str:
        return self.add(f"AXIS2_PLACEMENT_3D('',{self.point(at)},{self.direction(z)},{self.direction(x)})")

    def line(self, start: Vector, end: Vector) -> tuple[str, str]:
        """The edge between two corners, and which way it runs."""
        a, b = tuple(map(float, start)), tuple(map(float, end))
        low, high = min(a, b), max(a, b)
        if (low, high) not in self._edges:
            vector = self.add(f"VECTOR('',{self.direction(np.subtract(high, low))},1.)")
            curve = self.add(f"LINE('',{self.point(low)},{vector})")
            self._edges[low, high] = self.add(
                f"EDGE_CURVE('',{self.corner(low)},{self.corner(high)},{curve},.T.)"
            )
        return self._edges[low, high], ".T." if a == low else ".F."

    def circle(self, centre: Vector, radius: float, first: float = 0.0, last: float | None = None) -> str:
        """The edge of a circle about z, or a piece of it between two angles."""
        ends = [
            (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle), centre[2])
            for angle in (first, first if last is None else last)
        ]
        key = ("circle", *map(float, centre), radius, first, last)
        if key not in self._edges:
            curve = self.add(f"CIRCLE('',{self.placement(centre)},{radius!r})")
            start = self.corner(ends[0])
            end = start if last is None else self.corner(ends[1])
            self._edges[key] = self.add(f"EDGE_CURVE('',{start},{end},{curve},.T.)")
        return self._edges[key]

    def loop(self, edges: Sequence[tuple[str, str]], *, outer: bool = True) -> str:
        """A bound of a face; edges with their ways."""
        used = [self.add(f"ORIENTED_EDGE('',*,*,{edge},{way})") for edge, way in edges]
        loop = self.add(f"EDGE_LOOP('',({','.join(used)}))")
        return self.add(f"FACE_{'OUTER_' if outer else ''}BOUND('',{loop},.T.)")

    def face(self, bounds: Sequence[str], surface: str, same: str = ".T.") -> str:
        return self.add(f"ADVANCED_FACE('',({','.join(bounds)}),{surface},{same})")

    def polygon(self, corners: Sequence[Vector], holes: Sequence[str] = ()) -> str:
        """A flat face with straight edges, to the left seen from outside."""
        ways = [np.subtract(each, corners[0]) for each in corners]
        normal = np.sum([np.cross(a, b) for a, b in pairwise(ways)], axis=0)
        place = self.placement(corners[0], normal, ways[1])
        outline = [self.line(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
        return self.face([self.loop(outline), *holes], self.add(f"PLANE('',{place})"))

    # --------------------------------------------------------------------------------- bodies

    def body(self, faces: Sequence[str], name: str = "") -> str:
        shell = self.add(f"CLOSED_SHELL('',({','.join(faces)}))")
        return self.add(f"MANIFOLD_SOLID_BREP('{name}',{shell})")

    def prism_faces(
        self, corners: Sequence[tuple[float, float]], low: float, high: float, holes: Sequence[Vector] = ()
    ) -> list[str]:
        """The faces of an upright prism; holes are x, y, radius, and go through it in two halves."""
        bottom, top = ([(x, y, z) for x, y in corners] for z in (low, high))
        bores = [self._bore(hole, low, high) for hole in holes]
        faces = [
            self.polygon(top, [bore[1] for bore in bores]),
            self.polygon(bottom[::-1], [bore[0] for bore in bores]),
        ]
        for k in range(len(corners)):
            after = (k + 1) % len(corners)
            faces.append(self.polygon([bottom[k], bottom[after], top[after], top[k]]))
        return faces + [face for bore in bores for face in bore[2]]

    def _bore(self, hole: Vector, low: float, high: float) -> tuple[str, str, list[str]]:
        """The bounds of a hole below and above, and its two halves."""
        x, y, radius = hole
        rims = [
            [self.circle((x, y, z), radius, turn, turn + math.pi) for turn in (0.0, math.pi)]
            for z in (low, high)
        ]
        below = self.loop([(edge, ".T.") for edge in rims[0]], outer=False)
        above = self.loop([(edge, ".F.") for edge in rims[1][::-1]], outer=False)
        return below, above, self._halves((x, y), radius, low, high, rims, inward=True)

    def _halves(
        self,
        centre: tuple[float, float],
        radius: float,
        low: float,
        high: float,
        rims: Sequence[Sequence[str]],
        *,
        inward: bool,
    ) -> list[str]:
        faces = []
        for half, turn in enumerate((0.0, math.pi)):
            ends = [
                [
                    (centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle), z)
                    for z in (low, high)
                ]
                for angle in (turn, turn + math.pi)
            ]
            start, end = (self.line(each[0], each[1]) for each in ends)
            round_about = [
                (rims[0][half], ".T."),
                end,
                (rims[1][half], ".F."),
                (start[0], _other(start[1])),
            ]
            if inward:
                round_about = [(edge, _other(way)) for edge, way in round_about[::-1]]
            surface = self.add(f"CYLINDRICAL_SURFACE('',{self.placement((*centre, low))},{radius!r})")
            faces.append(self.face([self.loop(round_about)], surface, ".F." if inward else ".T."))
        return faces

    def block(
        self, size: Vector, name: str = "", corner: Vector = (0, 0, 0), holes: Sequence[Vector] = ()
    ) -> str:
        """A block, perhaps with round holes along z."""
        (a, b, low), (dx, dy, dz) = corner, size
        outline = [(a, b), (a + dx, b), (a + dx, b + dy), (a, b + dy)]
        return self.body(self.prism_faces(outline, low, low + dz, holes), name)

    def rod(self, radius: float, low: float, high: float, name: str = "", *, seam: str = "halves") -> str:
        """A cylinder about z, its side in two halves, in one piece with a seam, or between two circles."""
        sides: list[str]
        if seam == "halves":
            rims = [
                [self.circle((0, 0, z), radius, turn, turn + math.pi) for turn in (0.0, math.pi)]
                for z in (low, high)
            ]
            sides = self._halves((0, 0), radius, low, high, rims, inward=False)
        else:
            rims = [[self.circle((0, 0, z), radius)] for z in (low, high)]
            surface = self.add(f"CYLINDRICAL_SURFACE('',{self.placement((0, 0, low))},{radius!r})")
            (below,), (above,) = rims
            if seam == "one":
                up = self.line((radius, 0, low), (radius, 0, high))
                bounds = [self.loop([(below, ".T."), up, (above, ".F."), (up[0], _other(up[1]))])]
            else:
                bounds = [self.loop([(below, ".T.")]), self.loop([(above, ".F.")], outer=False)]
            sides = [self.face(bounds, surface)]
        caps = []
        for rim, z, way in ((rims[0], low, ".F."), (rims[1], high, ".T.")):
            normal = (0, 0, 1.0 if way == ".T." else -1.0)
            edges = [(edge, way) for edge in (rim if way == ".T." else rim[::-1])]
            plane = self.add(f"PLANE('',{self.placement((0, 0, z), normal)})")
            caps.append(self.face([self.loop(edges)], plane))
        return self.body([*sides, *caps], name)

    def spike(self, radius: float, height: float, half_angle: float, name: str = "") -> str:
        """A cone whose tip is above; ``half_angle`` in the unit of the file."""
        rim = self.circle((0, 0, 0), radius)
        place = self.placement((0, 0, 0), (0, 0, -1.0))
        surface = self.add(f"CONICAL_SURFACE('',{place},{radius!r},{half_angle!r})")
        tip = self.add(f"VERTEX_LOOP('',{self.corner((0, 0, height))})")
        side = self.face([self.loop([(rim, ".T.")]), self.add(f"FACE_BOUND('',{tip},.T.)")], surface)
        plane = self.add(f"PLANE('',{self.placement((0, 0, 0), (0, 0, -1.0))})")
        return self.body([side, self.face([self.loop([(rim, ".F.")])], plane)], name)

    # ------------------------------------------------------------------------------- products

    def product(
        self, name: str, bodies: Sequence[str] = (), *, context: str = "", apart: bool = False
    ) -> Shape:
        """A product with bodies; ``apart`` puts these into a representation of their own."""
        context = context or self.context
        product = self.add(f"PRODUCT('{name}','{name}','',())")
        formation = self.add(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
        definition = self.add(f"PRODUCT_DEFINITION('design','',{formation},$)")
        shape = self.add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
        origin = self.placement((0, 0, 0))
        shown = ",".join([origin] if apart else [origin, *bodies])
        representation = self.add(f"SHAPE_REPRESENTATION('{name}',({shown}),{context})")
        if apart:
            inner = self.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('',({','.join(bodies)}),{context})")
            self.add(f"SHAPE_REPRESENTATION_RELATIONSHIP('','',{representation},{inner})")
        self.add(f"SHAPE_DEFINITION_REPRESENTATION({shape},{representation})")
        return Shape(definition, representation, origin)

    def put(
        self,
        parent: Shape,
        child: Shape,
        name: str = "",
        place: Placement | None = None,
        *,
        swapped: bool = False,
    ) -> str:
        """An instance of a product in another one."""
        place = place or Placement()
        occurrence = self.add(
            f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('','{name}','',{parent.definition},{child.definition},$)"
        )
        shape = self.add(f"PRODUCT_DEFINITION_SHAPE('','',{occurrence})")
        target = self.placement(place.origin, place.axes[2], place.axes[0])
        pair = (child.representation, parent.representation)
        pair = pair[::-1] if swapped else pair
        ways = (target, child.origin) if swapped else (child.origin, target)
        operator = self.add(f"ITEM_DEFINED_TRANSFORMATION('','',{ways[0]},{ways[1]})")
        relation = self.add(
            f"(REPRESENTATION_RELATIONSHIP('','',{pair[0]},{pair[1]}) "
            f"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION({operator}) SHAPE_REPRESENTATION_RELATIONSHIP())"
        )
        self.add(f"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION({relation},{shape})")
        return occurrence

    def mapped(self, source: Shape, target: str) -> str:
        """An item that shows the representation of a product elsewhere."""
        origin = self.add(f"REPRESENTATION_MAP({source.origin},{source.representation})")
        return self.add(f"MAPPED_ITEM('',{origin},{target})")


def _other(way: str) -> str:
    return ".F." if way == ".T." else ".T."


def _numbers(values: Vector) -> str:
    return ",".join(f"{float(value) + 0.0:.17g}" for value in values)
