"""Joints found from solids: how long it takes; sections and masses beside OCCT, manifold3d and shapely."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.model.solids import part_solids
from linkwork.recognition import recognise_solids
from linkwork.solid import Cylinder, Prism, Solid, Union, mass_properties, section
from linkwork.solid.region import involute_gear
from linkwork.solid.region.edge import Arc
from report import Report

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "recognition"))
TEETH, MODULE, BORE, HEIGHT = 24, 2.0, 5.0, 8.0
SIDES = 256
"""Sides of round things where there are only polygons."""


ESCAPEMENTS = 1, 4, 16, 64
"""How many stand side by side on one frame."""
ARBORS = 3, 10, 25, 55
"""Of gear clocks of 16, 30, 60 and 120 parts."""


def main() -> int:
    """Recognition, how it grows with the number of parts, then one part in four systems."""
    report = Report("recognition", "Joints from solids")
    _recognise(report)
    _growth(report)
    _parts(report)
    report.write()
    return 0


def best(run: Callable[[], Any], rounds: int) -> float:
    """The least CPU time of several runs, in milliseconds."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return 1e3 * min(times)


def _recognise(report: Report) -> None:
    title = "CPU time of recognition, from the texts of the parts on"
    for name in ("escapement", "engine", "chiming-clock", "pin-tumbler-lock", "involute-gears"):
        machines = iter([lw.load(name) for _ in range(6)])
        time_of = best(lambda machines=machines: lw.recognise(next(machines)), 6)  # type: ignore[misc]
        report.add(title, {"machine": name, "parts": len(lw.load(name).parts), "ms": round(time_of, 1)})


def _growth(report: Report) -> None:
    from gear_clock import gear_clock

    title = "How it grows with the number of parts; from the solids on"
    kinds: list[tuple[str, Callable[[int], dict[str, Solid]], tuple[int, ...]]] = [
        ("escapements on one frame", escapements, ESCAPEMENTS),
        ("gear clock, pitch cylinders", lambda count: gear_clock(count, teeth=False), ARBORS),
        ("gear clock, real teeth", lambda count: gear_clock(count, teeth=True), ARBORS),
    ]
    for what, make, counts in kinds:
        for count in counts:
            solids = make(count)
            frame = next(iter(solids))
            run = best(lambda solids=solids, frame=frame: recognise_solids(solids, frame), 2)  # type: ignore[misc]
            row = {"machine": what, "parts": len(solids), "ms": round(run, 1)}
            report.add(title, row | {"ms for each part": round(run / len(solids), 1)})


def escapements(count: int) -> dict[str, Solid]:
    """So many escapements in a square, their frames one part."""
    one = part_solids(lw.load("escapement"))
    low, high = (np.array([solid.box[end] for solid in one.values()]) for end in (0, 1))
    apart = 1.02 * (high.max(axis=0) - low.min(axis=0))
    frames: list[Solid] = []
    others: dict[str, Solid] = {}
    for place in range(count):
        row, column = divmod(place, math.isqrt(count))
        at = column * apart[0], row * apart[1], 0.0
        frames.append(one["frame"].moved(at))
        others |= {f"{name}_{place}": one[name].moved(at) for name in one if name != "frame"}
    return {"frame": Union(tuple(frames)), **others}


def _parts(report: Report) -> None:
    """A toothed wheel with a bore and a rim cut out: volume and section in the middle."""
    for system in (_ours(), _occt(), _manifold(), _shapely()):
        report.add(f"A wheel of {TEETH} involute teeth with a bore; times with making", _row(*system))


def _row(
    name: str, make: Callable[[], Any], volume: Callable[[Any], float] | None, cut: Callable[[Any], float]
) -> dict[str, Any]:
    solid = make()
    row: dict[str, Any] = {"system": name, "making ms": round(best(make, 3), 3)}
    if volume is not None:
        time_of = best(lambda: volume(make()), 3)
        row |= {"volume": f"{volume(solid):.6f}", "volume ms": round(time_of, 3)}
    return row | {"section's area": f"{cut(solid):.6f}", "section ms": round(best(lambda: cut(make()), 3), 3)}


System = tuple[str, Callable[[], Any], Callable[[Any], float] | None, Callable[[Any], float]]


def outline() -> list[tuple[float, float]]:
    """The wheel's outline as points: what systems without our arcs are given."""
    (loop,) = involute_gear(TEETH, MODULE).loops
    return [point for edge in loop for point in _points(edge)]


def _points(edge: Any) -> list[tuple[float, float]]:
    count = 8 if isinstance(edge, Arc) else 1
    places = [edge.at(step / count) for step in range(count)]
    return [(float(x), float(y)) for x, y in places]


def _ours() -> System:
    def make() -> Solid:
        return Prism(involute_gear(TEETH, MODULE), HEIGHT) - Cylinder(BORE, HEIGHT)

    return (
        "linkwork",
        make,
        lambda solid: mass_properties(solid).volume,
        lambda solid: section(solid, HEIGHT / 2).area,
    )


def _occt() -> System:
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut
    from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakePolygon
    from OCP.BRepGProp import BRepGProp
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakePrism
    from OCP.gp import gp_Dir, gp_Pln, gp_Pnt, gp_Vec
    from OCP.GProp import GProp_GProps

    points = outline()

    def make() -> Any:
        polygon = BRepBuilderAPI_MakePolygon()
        for x, y in points:
            polygon.Add(gp_Pnt(x, y, 0))
        polygon.Close()
        wheel = BRepPrimAPI_MakePrism(
            BRepBuilderAPI_MakeFace(polygon.Wire()).Face(), gp_Vec(0, 0, HEIGHT)
        ).Shape()
        return BRepAlgoAPI_Cut(wheel, BRepPrimAPI_MakeCylinder(BORE, HEIGHT).Shape()).Shape()

    def volume(shape: Any) -> float:
        found = GProp_GProps()
        BRepGProp.VolumeProperties_s(shape, found)
        return float(found.Mass())

    def cut(shape: Any) -> float:
        plane = BRepBuilderAPI_MakeFace(
            gp_Pln(gp_Pnt(0, 0, HEIGHT / 2), gp_Dir(0, 0, 1)), -99, 99, -99, 99
        ).Face()
        found = GProp_GProps()
        BRepGProp.SurfaceProperties_s(BRepAlgoAPI_Common(shape, plane).Shape(), found)
        return float(found.Mass())

    return "OCCT", make, volume, cut


def _manifold() -> System:
    from manifold3d import CrossSection, Manifold

    points = outline()

    def make() -> Any:
        wheel = CrossSection([points]).extrude(HEIGHT)
        return wheel - Manifold.cylinder(HEIGHT, BORE, circular_segments=SIDES)

    return (
        "manifold3d",
        make,
        lambda each: float(each.volume()),
        lambda each: float(each.slice(HEIGHT / 2).area()),
    )


def _shapely() -> System:
    from shapely import Point, Polygon

    points = outline()

    def make() -> Any:
        return Polygon(points) - Point(0, 0).buffer(BORE, quad_segs=SIDES // 4)

    return "shapely (plane)", make, None, lambda region: float(region.area)


if __name__ == "__main__":
    sys.exit(main())
