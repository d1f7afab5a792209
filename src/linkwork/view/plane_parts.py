"""Shapes of the plane as primitives: one function a shape."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from functools import singledispatch

from linkwork.view.outline import (
    arc,
    direction,
    gear_outline,
    hatching,
    rack_outline,
    rectangle,
    ring,
    rounded_hull,
)
from linkwork.view.primitive import Circle, Path, Primitive, Text
from linkwork.view.shape import (
    Axis,
    Bar,
    Block,
    Callout,
    Curve,
    Disc,
    Gear,
    Label,
    Outline,
    Pin,
    PitchCircle,
    Point,
    Polygon,
    Rack,
    Rail,
    Shape,
    Slide,
)
from linkwork.view.theme import TIERS


class Layer(IntEnum):
    """What is drawn before what, over all bodies."""

    SUPPORT = 0
    WHEEL = 1
    BLOCK = 2
    BAR = 3
    CONNECTOR = 4
    TRACE = 5
    PIN = 6
    LABEL = 7


@dataclass(frozen=True, slots=True)
class Part:
    """A primitive in its body's coordinates, and when to draw it."""

    layer: Layer
    primitive: Primitive
    height: float = 0.0
    """Of two in one layer the higher is drawn later."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a shape has to know of its body: the scene's thickness, and its place among what moves.

    In space also the hinges and balls of all bodies, as points of this one with their radii: bars end there.
    """

    thickness: float
    place: int | None
    sockets: tuple[tuple[Point, float], ...] = ()

    @property
    def grounded(self) -> bool:
        """Whether the body is the ground."""
        return self.place is None

    def layer(self, usual: Layer) -> Layer:
        """The usual layer of a shape; what belongs to the ground lies under all that moves."""
        return Layer.SUPPORT if self.place is None else usual

    def ink(self, role: str) -> str:
        """The body's own ink in a role; the ground has one for all roles."""
        return "ground" if self.place is None else f"{role}-{self.place}"


HOLE, PIN, SPOT = 0.22, 0.25, 0.24
"""Radii in thicknesses: of the holes in bars, of pins, of tracing points."""

AXIS, AXIS_MARKED, AXIS_RING = 0.16, 0.42, 0.26
"""In thicknesses: half the cross on an axis, the same where the axis is marked, and the ring around it."""

HEAD, DASH, SPOT_OF_LEADER = 0.55, 0.8, 0.09
"""In thicknesses: the head of an arrow, a dash with the gap behind it, the end of the line from a name."""

BLOCK_LENGTH, BLOCK_WIDTH = 1.9, 1.15
"""The usual slider, in thicknesses."""


def at_point(point: Point) -> complex:
    """A point of the plane as a complex number."""
    return complex(point[0], point[1])


@singledispatch
def plane_parts(shape: Shape, look: Look) -> list[Part]:
    """The parts of a shape in its body's coordinates.

    >>> [part.layer.name for part in plane_parts(Pin((0, 0)), Look(1.0, 0))]
    ['PIN', 'PIN']
    """
    raise TypeError(f"a {type(shape).__name__} in the plane")


@plane_parts.register
def _bar(shape: Bar, look: Look) -> list[Part]:
    width = shape.width or look.thickness
    pins = [at_point(point) for point in shape.points]
    outline = Part(look.layer(Layer.BAR), Path((rounded_hull(pins, width / 2),), look.ink("body")))
    radius = min(HOLE * look.thickness, 0.32 * width)
    return [outline, *(Part(look.layer(Layer.BAR), Circle(pin, radius, "hole")) for pin in pins)]


@plane_parts.register
def _pin(shape: Pin, look: Look) -> list[Part]:
    at, unit = at_point(shape.at), look.thickness
    pin = [
        Part(Layer.PIN, Circle(at, PIN * unit, "pin")),
        Part(Layer.PIN, Circle(at, 0.07 * unit, "pin-dot")),
    ]
    if not shape.grounded:
        return pin
    down, side = at - 1.5j * unit, 0.85 * unit
    start, end = down - 1.35 * unit, down + 1.35 * unit
    return [
        Part(Layer.SUPPORT, Path(hatching(start, end, 0.42 * unit, 0.42 * unit), "hatch", closed=False)),
        Part(Layer.SUPPORT, Path(((at, down - side, down + side),), "support")),
        Part(Layer.SUPPORT, Path(((start, end),), "ground-line", closed=False)),
        *pin,
    ]


@plane_parts.register
def _axis(shape: Axis, look: Look) -> list[Part]:
    at, reach = at_point(shape.at), (AXIS_MARKED if shape.is_marked else AXIS) * look.thickness
    ink = "mark" if shape.is_marked else "centre"
    cross = tuple((at - way * reach, at + way * reach) for way in (1, 1j))
    found = [Part(Layer.PIN, Path(cross, ink, closed=False))]
    if shape.is_marked:
        found.append(Part(Layer.PIN, Path((ring(at, AXIS_RING * look.thickness),), ink)))
    return found


@plane_parts.register
def _callout(shape: Callout, look: Look) -> list[Part]:
    spot, start, end = (at_point(point) for point in shape.points)
    ink = "mark-name" if shape.is_marked else "label"
    return [
        Part(Layer.TRACE, Path(((spot, start, end),), "leader", closed=False)),
        Part(Layer.PIN, Circle(spot, SPOT_OF_LEADER * look.thickness, "leader-spot")),
        Part(Layer.LABEL, Text((start + end) / 2, shape.text, ink, "middle", shift=6j)),
    ]


@plane_parts.register
def _block(shape: Block, look: Look) -> list[Part]:
    length = shape.length or BLOCK_LENGTH * look.thickness
    width = shape.width or BLOCK_WIDTH * look.thickness
    outline = rectangle(at_point(shape.at), shape.angle, length, width, 0.12 * look.thickness)
    return [Part(look.layer(Layer.BLOCK), Path((outline,), look.ink("body")))]


@plane_parts.register
def _rail(shape: Rail, look: Look) -> list[Part]:
    unit = look.thickness
    gap = shape.width or BLOCK_WIDTH * unit
    at, along = at_point(shape.at), direction(shape.angle)
    if not look.grounded:
        ends = [at - along * shape.length / 2, at + along * shape.length / 2]
        outer = rounded_hull(ends, gap / 2 + 0.4 * unit)
        return [
            Part(look.layer(Layer.WHEEL), Path((outer,), look.ink("body"))),
            Part(look.layer(Layer.WHEEL), Path((rounded_hull(ends, gap / 2),), "slot")),
        ]
    parts: list[Part] = []
    for side in (1, -1):
        start = at + along * complex(-side * shape.length / 2, -side * gap / 2)
        end = at + along * complex(side * shape.length / 2, -side * gap / 2)
        strokes = hatching(start, end, 0.42 * unit, 0.4 * unit)
        parts.append(Part(Layer.SUPPORT, Path(strokes, "hatch", closed=False)))
        parts.append(Part(Layer.SUPPORT, Path(((start, end),), "ground-line", closed=False)))
    return parts


@plane_parts.register
def _gear(shape: Gear, look: Look) -> list[Part]:
    at, unit = at_point(shape.at), look.thickness
    module = 2 * shape.radius / shape.teeth
    if shape.internal:
        teeth = gear_outline(at, shape.radius, shape.teeth, shape.phase, above=1.25, below=1.0)
        rim = ring(at, shape.radius + max(1.25 * module + 0.8 * unit, 2.5 * module), 96)
        return [Part(look.layer(Layer.WHEEL), Path((rim, teeth), look.ink("body")))]
    teeth = gear_outline(at, shape.radius, shape.teeth, shape.phase)
    root = shape.radius - 1.25 * module
    windows = _windows(at, root, shape.phase, unit)
    parts = [Part(look.layer(Layer.WHEEL), Path((teeth, *windows), look.ink("body")))]
    if not windows and root > 0.9 * unit:
        mark = at + direction(shape.phase) * (root - 0.22 * unit)
        parts.append(Part(look.layer(Layer.WHEEL), Circle(mark, 0.1 * unit, look.ink("mark"))))
    return [*parts, Part(look.layer(Layer.WHEEL), Circle(at, HOLE * unit, "hole"))]


def _windows(at: complex, root: float, phase: float, unit: float) -> list[tuple[complex, ...]]:
    """Round openings in the web of a large wheel: they show how it turns."""
    inner, outer = 1.0 * unit, root - 0.55 * unit
    radius = min((outer - inner) / 2 * 0.82, 0.3 * (inner + outer) / 2)
    if radius < 0.45 * unit:
        return []
    middle = (inner + outer) / 2
    return [ring(at + direction(phase + math.pi * k / 3) * middle, radius, 32) for k in range(6)]


@plane_parts.register
def _rack(shape: Rack, look: Look) -> list[Part]:
    depth = max(0.6 * look.thickness, 0.5 * shape.pitch)
    outline = rack_outline(at_point(shape.at), shape.angle, shape.length, shape.pitch, depth)
    return [Part(look.layer(Layer.WHEEL), Path((outline,), look.ink("body")))]


@plane_parts.register
def _disc(shape: Disc, look: Look) -> list[Part]:
    at = at_point(shape.at)
    parts = [Part(look.layer(Layer.WHEEL), Circle(at, shape.radius, look.ink("body")))]
    if shape.radius > 1.2 * look.thickness and not look.grounded:
        mark = at + 0.78 * shape.radius
        parts.append(Part(look.layer(Layer.WHEEL), Circle(mark, 0.1 * look.thickness, look.ink("mark"))))
    return parts


@plane_parts.register
def _polygon(shape: Polygon, look: Look) -> list[Part]:
    corners = tuple(at_point(point) for point in shape.points)
    return [Part(look.layer(Layer.WHEEL), Path((corners,), look.ink("body")))]


@plane_parts.register
def _outline(shape: Outline, look: Look) -> list[Part]:
    """A layer of a solid; those of the ground lie among the others, at their own height."""
    if shape.look in ("hidden", "gone"):
        return []
    rings = tuple(tuple(map(at_point, ring)) for ring in shape.rings)
    whose = "ground" if look.grounded else str(look.place)
    if shape.look == "cut":
        closed = tuple((*ring, ring[0]) for ring in rings)
        ink = "hatch" if look.grounded else look.ink("line")
        return [Part(Layer.WHEEL, Path(closed, ink, closed=False), shape.high)]
    role = "tier" if shape.look == "edged" else "step"
    ink = f"{role}-{whose}-{round(shape.tier * (TIERS - 1))}"
    found = [Part(Layer.WHEEL, Path(rings, ink), shape.high)]
    if shape.edges:
        lines = tuple(tuple(map(at_point, line)) for line in shape.edges)
        found.append(Part(Layer.WHEEL, Path(lines, f"brim-{whose}", closed=False), shape.high))
    return found


@plane_parts.register
def _curve(shape: Curve, look: Look) -> list[Part]:
    points = tuple(at_point(point) for point in shape.points)
    if shape.closed:
        return [Part(look.layer(Layer.WHEEL), Path((points,), look.ink("body")))]
    ink = "ground-line" if look.grounded else look.ink("line")
    return [Part(look.layer(Layer.BLOCK), Path((points,), ink, closed=False))]


@plane_parts.register
def _label(shape: Label, look: Look) -> list[Part]:
    return [Part(Layer.LABEL, Text(at_point(shape.at), shape.text, "label", shift=9 + 9j))]


@plane_parts.register
def _slide(shape: Slide, look: Look) -> list[Part]:
    at, along = at_point(shape.at), at_point(shape.axis)
    along *= shape.length / 2 / abs(along)
    head = HEAD * look.thickness * along / abs(along)
    lines: list[tuple[complex, ...]] = [(at - along, at + along)]
    for tip, back in ((at + along, -head), (at - along, head)):
        lines.append((tip + back * (1 + 0.4j), tip, tip + back * (1 - 0.4j)))
    return [Part(Layer.PIN, Path(tuple(lines), "mark", closed=False))]


@plane_parts.register
def _pitch_circle(shape: PitchCircle, look: Look) -> list[Part]:
    count = max(12, round(2 * math.pi * shape.radius / (DASH * look.thickness)))
    step = 2 * math.pi / count
    at = at_point(shape.at)
    dashes = tuple(tuple(arc(at, shape.radius, k * step, (k + 0.55) * step)) for k in range(count))
    return [Part(Layer.PIN, Path(dashes, "mark", closed=False))]
