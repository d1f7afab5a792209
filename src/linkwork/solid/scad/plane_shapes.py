"""Modules that give plane shapes: square, circle, polygon, and what draws them into space."""

from __future__ import annotations

from typing import Final, Literal

from linkwork.solid.scad.arguments import NO_SIZE, Given
from linkwork.solid.scad.limits import SMALLEST_LENGTH
from linkwork.solid.scad.tree import (
    Disc,
    Extruded,
    Gear,
    Node,
    Offset,
    Outline,
    Pair,
    Projected,
    Rack,
    Revolved,
    Square,
)

MOST_SLICES: Final = 1000
MOST_TEETH: Final = 1000
DEFAULT_HEIGHT: Final = 100.0
"""What OpenSCAD takes for linear_extrude without a height."""


def square(given: Given, children: tuple[Node, ...]) -> Node:
    """square(size, center): a number, or two."""
    value = given.value("size")
    given.refuse_undef("size")
    size: Pair = (1.0, 1.0)
    if isinstance(value, float):
        size = (given.size("size"),) * 2
    elif value is not None:
        x, y = given.vector("size", (2,))
        size = (x, y)
    if min(size) < SMALLEST_LENGTH:
        given.unfit("size", "edges above 0", fix="leave out a square without a size, or use if (…)")
    return Square(given.place, size, given.flag("center"))


def circle(given: Given, children: tuple[Node, ...]) -> Node:
    """circle(r or d)."""
    if "r" not in given and "d" not in given:
        given.refuse_undef("r", "d")
    radius = given.radius("r", "d", 1.0)
    if radius <= 0:
        name = "d" if "d" in given else "r"
        given.fail(name, "the radius is 0", wanted="a number above 0", fix=NO_SIZE.format(name))
    return Disc(given.place, radius, given.sides)


def polygon(given: Given, children: tuple[Node, ...]) -> Node:
    """polygon(points, paths)."""
    points: list[Pair] = []
    for x, y in given.rows("points", (2,)):
        points.append((x, y))
    if "paths" not in given:
        paths: tuple[tuple[int, ...], ...] = (tuple(range(len(points))),)
    else:
        value = given.value("paths")
        if isinstance(value, tuple) and value and isinstance(value[0], float):
            given.values["paths"] = ((value,), given.where("paths"))  # a single path, as is often written
        paths = given.indices("paths", len(points))
    for path in paths:
        if len(path) < 3:
            given.fail(
                "points",
                f"a path of {len(path)} points encloses nothing",
                wanted="three points at least",
                fix="leave it out, or points = [[0, 0], [10, 0], [0, 10]]",
            )
    return Outline(given.place, tuple(points), paths)


def linear_extrude(given: Given, children: tuple[Node, ...]) -> Node:
    """linear_extrude(height, center, twist, slices, scale)."""
    scale: Pair = (1.0, 1.0)
    value = given.value("scale")
    if isinstance(value, float):
        scale = (given.size("scale", least=0.0),) * 2
    elif value is not None:
        x, y = given.vector("scale", (2,))
        scale = (x, y)
    if min(scale) < 0:
        given.unfit("scale", "numbers not below 0", fix="0 for a point at the end")
    return Extruded(
        given.place,
        children,
        given.size("h" if "h" in given else "height", DEFAULT_HEIGHT),
        given.flag("center"),
        given.number("twist", 0.0),
        _slices(given),
        scale,
    )


def _slices(given: Given) -> int:
    """How many slices are asked for; as in OpenSCAD only what is before the point counts, and below one is none."""
    value = given.number("slices", 0.0)
    if not value <= MOST_SLICES:
        given.unfit("slices", f"a number up to {MOST_SLICES}", fix=f"slices = {MOST_SLICES}")
    return max(0, int(value))


def rotate_extrude(given: Given, children: tuple[Node, ...]) -> Node:
    """rotate_extrude(angle, start)."""
    name = "a" if "a" in given else "angle"
    angle = given.number(name, 360.0)
    if angle == 0:
        given.unfit(name, "an angle other than 0", fix="leave out what has no size, or angle = 360")
    whole = abs(angle) >= 360
    # OpenSCAD begins a whole turn behind the axis unless it is told otherwise; that shows if there are few sides.
    start = given.number("start", 180.0 if whole else 0.0)
    return Revolved(given.place, children, 360.0 if whole else angle, start, given.sides)


def offset(given: Given, children: tuple[Node, ...]) -> Node:
    """offset(r), offset(delta), offset(delta, chamfer = true)."""
    if "delta" in given and "r" not in given:
        corners: Literal["flat", "sharp"] = "flat" if given.flag("chamfer") else "sharp"
        return Offset(given.place, children, given.number("delta"), corners)
    return Offset(given.place, children, given.number("r", 1.0), "round")


def projection(given: Given, children: tuple[Node, ...]) -> Node:
    """projection(cut): the shadow of solids along z, or what is at z = 0."""
    return Projected(given.place, children, given.flag("cut"))


# --------------------------------------------------------------------------------------- teeth


def involute_gear(given: Given, children: tuple[Node, ...]) -> Node:
    """involute_gear(teeth, modul, h, pressure_angle, backlash, shift, internal, center): plane without h."""
    gear = Gear(
        given.place,
        given.whole("teeth", least=3, most=MOST_TEETH),
        _module(given),
        _pressure_angle(given),
        given.number("backlash", 0.0),
        given.number("shift", 0.0),
        given.flag("internal"),
    )
    return _thick(given, gear)


def rack(given: Given, children: tuple[Node, ...]) -> Node:
    """rack(teeth, modul, h, width, pressure_angle, backlash, center): plane without h."""
    outline = Rack(
        given.place,
        given.whole("teeth", least=1, most=MOST_TEETH),
        _module(given),
        _pressure_angle(given),
        given.number("backlash", 0.0),
        given.size("width", 0.0, least=0.0),
    )
    return _thick(given, outline)


def _module(given: Given) -> float:
    """The module: OpenSCAD keeps the word for itself, so it may be spelt otherwise."""
    return given.size(next((name for name in ("modul", "m", "module") if name in given), "modul"))


def _pressure_angle(given: Given) -> float:
    angle = given.number("pressure_angle", 20.0)
    if not 5 <= angle <= 40:
        given.unfit("pressure_angle", "an angle in degrees from 5 to 40", fix="pressure_angle = 20")
    return angle


def _thick(given: Given, outline: Node) -> Node:
    if "h" not in given:
        return outline
    return Extruded(given.place, (outline,), given.size("h"), given.flag("center"), 0.0, 0, (1.0, 1.0))
