"""Gears that are marked: pitch cylinders that touch, on axes that one part carries; racks; rings, inside; sectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery
from linkwork.recognition.mesh import Mesh, Solids
from linkwork.recognition.spindles import Spindle, spindles
from linkwork.solid import Block, Cone, Cylinder, Prism
from linkwork.solid.pieces import Piece
from linkwork.solid.placement import Floats, cross, cross_length
from linkwork.solid.region import Arc, Edge

OVERLAP = 0.25
"""The largest overlap of pitch cylinders that mesh, as a part of the smaller radius; their teeth are no deeper."""

NEAR = 0.5
"""How far from where pitch cylinders touch there has to be a rim, as a part of the smaller radius."""
RIM = 33
"""At how many places of it the rim is looked for: it may have gaps for teeth."""


@dataclass(frozen=True, eq=False)
class Wheel:
    """A pitch cylinder of a part; ``is_ring`` if the teeth are inside."""

    part: int
    axis: Floats
    point: Floats
    radius: float
    heights: tuple[float, float]
    label: str
    is_ring: bool


@dataclass(frozen=True, eq=False)
class Bar:
    """The pitch body of a rack: a block whose side meshes."""

    part: int
    piece: Piece
    label: str


def marked_meshes(machinery: Machinery, tolerance: float) -> list[Mesh]:
    """All gears and racks in mesh that are marked by their pitch bodies."""
    wheels, bars = _marked(machinery.groups)
    lines = spindles(machinery.joined, tolerance)
    order = sorted(range(len(wheels)), key=lambda place: float(wheels[place].point[0] - wheels[place].radius))
    found: list[Mesh] = []
    active: list[Wheel] = []
    for place in order:
        wheel = wheels[place]
        active = [
            each
            for each in active
            if each.point[0] + each.radius >= wheel.point[0] - wheel.radius - tolerance
        ]
        for other in active:
            pair = (other, wheel) if other.part < wheel.part else (wheel, other)
            mesh = _mesh(machinery, lines, *pair, tolerance)
            if mesh is not None:
                found.append(mesh)
        active.append(wheel)
    for wheel in wheels:
        for bar in bars:
            mesh = _rack(machinery, lines, wheel, bar, tolerance)
            if mesh is not None:
                found.append(mesh)
    return found


def _marked(groups: Groups) -> tuple[list[Wheel], list[Bar]]:
    wheels, bars = [], []
    for part, body in enumerate(groups.bodies):
        for piece in body.pieces:
            if not piece.gear:
                continue
            if isinstance(piece.solid, (Cylinder, Prism)):
                axis = piece.place.direction((0, 0, 1))
                height = piece.solid.height * piece.place.scale
                for x, y, size, is_inside in _circles(piece.solid):
                    base, radius = piece.place.point((x, y, 0)), size * piece.place.scale
                    is_ring = is_inside == piece.adds
                    wheels.append(Wheel(part, axis, base, radius, (0.0, height), piece.label, is_ring))
            elif isinstance(piece.solid, Block):
                bars.append(Bar(part, piece, piece.label))
    return wheels, bars


def _circles(solid: Cylinder | Prism) -> list[tuple[float, float, float, bool]]:
    """Centres and radii of the circles on which a pitch body ends, and whether it lies outside of them.

    A prism ends on a circle in one piece; where it does so in several, they are tips of teeth.
    """
    if isinstance(solid, Cylinder):
        return [(0.0, 0.0, solid.radius, False)]
    pieces: Counter[tuple[float, float, float, bool]] = Counter()
    for loop in solid.region.loops:
        circles = [_circle_of(edge) for edge in loop]
        begun = [
            here for before, here in zip([circles[-1], *circles], circles, strict=False) if here != before
        ]
        pieces.update(here for here in begun or circles[:1] if here is not None)
    return [circle for circle, count in pieces.items() if count == 1]


def _circle_of(edge: Edge) -> tuple[float, float, float, bool] | None:
    """The circle of which an edge is a piece, to nine digits, and whether what it bounds lies outside."""
    if not isinstance(edge, Arc):
        return None
    x, y, radius = (float(f"{value:.9g}") for value in (*edge.centre, edge.radius))
    return x, y, radius, not edge.anticlockwise


def skew_gears(groups: Groups) -> Iterator[tuple[frozenset[str], str]]:
    """The names of parts with pitch bodies whose axes are not parallel, and why these are no pair."""
    wheels = [
        (body.name, piece.place.direction((0, 0, 1)))
        for body in groups.bodies
        for piece in body.pieces
        if piece.gear and isinstance(piece.solid, (Cylinder, Cone))
    ]
    for (name, axis), (other, across) in combinations(wheels, 2):
        if name != other and cross_length(axis, across) > 1e-6:
            why = (
                "both are marked as gears, but their axes are not parallel: bevel gears and worms are not found; "
                f'a joint "gear" with teeth = […] between the axles of {name} and {other} makes them one'
            )
            yield frozenset((name, other)), why


def _mesh(
    machinery: Machinery, lines: Sequence[Spindle], a: Wheel, b: Wheel, tolerance: float
) -> Mesh | None:
    groups = machinery.groups
    first, second = groups.group_of(a.part), groups.group_of(b.part)
    if first == second or (a.is_ring and b.is_ring) or cross_length(a.axis, b.axis) > 1e-6:
        return None
    if groups.are_apart(first, second):
        return None
    low = float((b.point - a.point) @ a.axis)
    high = low + float(b.axis @ a.axis) * b.heights[1]
    if min(a.heights[1], max(low, high)) - max(0.0, min(low, high)) <= tolerance:
        return None
    apart = cross_length(b.point - a.point, a.axis)
    inside = a.is_ring or b.is_ring
    overlap = apart - abs(a.radius - b.radius) if inside else a.radius + b.radius - apart
    if not -tolerance <= overlap <= OVERLAP * min(a.radius, b.radius) or (inside and apart <= tolerance):
        return None
    if not (_is_cut_towards(groups, a, b) and _is_cut_towards(groups, b, a)):
        return None
    carrier = min(
        _carriers(lines, first, a, tolerance) & _carriers(lines, second, b, tolerance), default=None
    )
    if carrier is None:
        return None
    ratio = (1 if inside else -1) * a.radius / b.radius
    names = f"{_name(groups, a)} (radius {a.radius:.6g}) and {_name(groups, b)} (radius {b.radius:.6g})"
    how = f"overlap by {overlap:.3g}" if overlap > tolerance else "touch"
    why = f"the pitch cylinders {names} {how}, and {groups.bodies[carrier].name} carries both axes"
    sizes, solids = (a.radius, b.radius), _solids(groups, a, b)
    parts = (a.part, b.part)
    return Mesh("gear", (first, second), parts, carrier, a.axis, a.point, ratio, sizes, solids, why)


def _is_cut_towards(groups: Groups, wheel: Wheel, other: Wheel) -> bool:
    """Whether there is a rim of a wheel where another is, and not only elsewhere, as of a sector that looks away."""
    body, away = groups.bodies[wheel.part], other.point - wheel.point
    low, high = sorted(float((away + at * other.axis) @ wheel.axis) for at in other.heights)
    middle = (max(low, 0.0) + min(high, wheel.heights[1])) / 2
    out = away - (away @ wheel.axis) * wheel.axis
    out = out / np.linalg.norm(out) * (-1 if other.is_ring else 1)
    spread = NEAR * min(wheel.radius, other.radius) / wheel.radius
    turns = np.linspace(-spread, spread, RIM)[:, None]
    rim = np.cos(turns) * out + np.sin(turns) * cross(wheel.axis, out)
    radius = wheel.radius + (1 if wheel.is_ring else -1) * 10 * body.skin
    return bool(body.solid.contains(wheel.point + middle * wheel.axis + radius * rim).any())


def _name(groups: Groups, wheel: Wheel | Bar) -> str:
    part = groups.bodies[wheel.part].name
    return f"{wheel.label} of {part}" if wheel.label and wheel.label != part else part


def _solids(groups: Groups, *both: Wheel | Bar) -> frozenset[frozenset[Solids]]:
    names = [(groups.bodies[each.part].name, each.label) for each in both]
    return frozenset([frozenset((part, label or part) for part, label in names)])


def _carriers(lines: Sequence[Spindle], group: int, wheel: Wheel, tolerance: float) -> set[int]:
    """The groups against which a wheel turns about its own axis."""
    found: set[int] = set()
    for spindle in lines:
        if group in spindle.groups and spindle.is_on(wheel.axis, wheel.point, tolerance):
            found |= spindle.groups - {group}
    return found


def _rack(
    machinery: Machinery, lines: Sequence[Spindle], wheel: Wheel, bar: Bar, tolerance: float
) -> Mesh | None:
    groups = machinery.groups
    first, second = groups.group_of(wheel.part), groups.group_of(bar.part)
    if first == second or wheel.is_ring or groups.are_apart(first, second):
        return None
    carriers = _carriers(lines, first, wheel, tolerance)
    for joined in machinery.joined:
        if joined.kind != "prismatic" or second not in joined.groups:
            continue
        carrier = joined.groups[0] if joined.groups[1] == second else joined.groups[1]
        if carrier not in carriers or abs(float(joined.axis @ wheel.axis)) > 1e-6:
            continue
        side = cross(wheel.axis, joined.axis)
        way = _side_of(bar, wheel, side, tolerance)
        if way:
            # a turn about the axis moves the point at the side along axis × side
            speed = float(cross(wheel.axis, way * side) @ joined.axis) * wheel.radius
            why = (
                f"the pitch cylinder {_name(groups, wheel)} (radius {wheel.radius:.6g}) touches the rack "
                f"{_name(groups, bar)}, which slides across its axis on {groups.bodies[carrier].name}"
            )
            parts = (wheel.part, bar.part)
            sizes, solids = (wheel.radius, wheel.radius), _solids(groups, wheel, bar)
            turn = wheel.axis, wheel.point
            return Mesh("rack", (first, second), parts, carrier, *turn, speed, sizes, solids, why)
    return None


def _side_of(bar: Bar, wheel: Wheel, side: Floats, tolerance: float) -> int:
    """On which side of the axis the rack touches the pitch cylinder; 0 if it does not."""
    low, high = bar.piece.solid.box
    corners = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    seen = bar.piece.place.point(corners) - wheel.point
    heights = seen @ wheel.axis
    if min(heights.max(), wheel.heights[1]) - max(heights.min(), 0.0) <= tolerance:
        return 0
    across = seen @ side
    for way, nearest in ((1, across.min()), (-1, -across.max())):
        if nearest > 0 and -tolerance <= wheel.radius - nearest <= OVERLAP * wheel.radius:
            return way
    return 0
