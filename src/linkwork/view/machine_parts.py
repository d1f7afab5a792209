"""The bodies of parts: as the file draws them, else what joins the places where joints hold on to them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from linkwork.model.draw import Draw
from linkwork.model.part import GROUND, Part
from linkwork.model.vector import Vector
from linkwork.view.machine_layout import Array
from linkwork.view.machine_sketch import Sketch, Slot
from linkwork.view.outline import convex_hull, ring
from linkwork.view.shape import Bar, Block, Box, Curve, Disc, Label, Plate, Polygon, Sphere, Track

BOB = 0.75
"""Radius of a part that is nothing but a mass, in thicknesses."""


def draw_part(name: str, sketch: Sketch) -> None:
    """Add a part's body."""
    part = sketch.layout.machine.part(name)
    for drawn in part.draw:
        if not _shown_by_joint(drawn, name, sketch):
            _draw(drawn, name, sketch)
    if sketch.is_solid(name):
        return
    _arms(name, sketch)
    if any(drawn.shape != "label" for drawn in part.draw) and sketch.shapes.get(name):
        return
    if name == GROUND:
        _ground(sketch)
        return
    points = _reached(name, part, sketch)
    wheels = sketch.wheels.get(name, [])
    if len(points) > 1 and not sketch.slots.get(name) and not _within(points, wheels, sketch):
        _body(name, points, sketch)
    _spurs(name, points, sketch)
    if len(points) < 2 and not wheels and not sketch.spurs.get(name):
        _lone(name, points, sketch)


def _reached(name: str, part: Part, sketch: Sketch) -> list[Array]:
    """The places a body goes through: its anchors, with all its points where these are too few."""
    if sketch.blocks.get(name) or sketch.slots.get(name):
        return sketch.anchors.get(name, [])
    if len(sketch.anchors.get(name, [])) < 2:
        points = [_point(point, sketch) for point in part.points.values()]
        if sketch.layout.dimension == 3 and sketch.anchors.get(name):
            sketch.spurs.setdefault(name, []).extend(points)
        else:
            sketch.anchor(name, *points)
    if len(sketch.anchors.get(name, [])) < 2 and part.centre is not None:
        _bob(name, _point(part.centre, sketch), sketch)
    return sketch.anchors.get(name, [])


def _bob(name: str, centre: Array, sketch: Sketch) -> None:
    """A mass at the end of a bar: all there is of a part that has nothing but a centre."""
    if not sketch.is_near(centre, sketch.anchors.get(name, [])):
        sketch.anchor(name, centre)
        kind = Disc if sketch.layout.dimension == 2 else Sphere
        sketch.add(name, kind, centre, 2 * BOB * sketch.thickness)


def _point(point: Vector, sketch: Sketch) -> Array:
    return np.array(sketch.layout.numbers(*point))


def _within(points: list[Array], wheels: list[tuple[Array, float]], sketch: Sketch) -> bool:
    """Whether a wheel of the part carries all its points already."""
    slack = 1e-6 * sketch.thickness
    return any(
        all(float(np.linalg.norm(point - centre)) <= radius + slack for point in points)
        for centre, radius in wheels
    )


def _body(name: str, points: list[Array], sketch: Sketch) -> None:
    """A bar, or a plate where there are more points; in space only if these lie in a plane."""
    if sketch.layout.dimension == 2:
        hub = _hub(points)
        arms = [points] if hub is None else [[hub, each] for each in points if each is not hub]
        for arm in arms:
            sketch.add(name, Bar, arm)
        return
    corners = flat_hull(points) if len(points) > 3 else []
    if corners:
        sketch.add(name, Plate, corners)
    elif len(points) > 2 and flat_hull(points):
        sketch.add(name, Bar, points)
    else:
        for start, end in pairwise(in_a_row(points)):
            sketch.add(name, Bar, (start, end), sketch.slim(name, start, end))


def in_a_row(points: list[Array]) -> list[Array]:
    """Points in an order that makes a short way through them: each is followed by the nearest that is left.

    It begins at one of the two that are farthest apart.
    """
    rest = list(points)
    middle = np.mean(rest, axis=0)
    rest.sort(key=lambda point: -float(np.linalg.norm(point - middle)))
    row = [rest.pop(0)]
    while rest:
        rest.sort(key=lambda point: float(np.linalg.norm(point - row[-1])))
        row.append(rest.pop(0))
    return row


def _spurs(name: str, points: list[Array], sketch: Sketch) -> None:
    """In space a traced point that no joint needs has a bar of its own, from the nearest place of the body.

    One that lies within the body's plate needs none.
    """
    for spur in sketch.spurs.get(name, []):
        if sketch.is_near(spur, points) or not np.all(np.isfinite(spur)):
            continue
        plate = flat_hull([*points, spur]) if len(points) > 2 and flat_hull(points) else []
        if plate and not sketch.is_near(spur, plate):
            continue
        feet = [_foot(start, end, spur) for start, end in pairwise(in_a_row(points))] if points else []
        foot = min(feet or points or [np.zeros(3)], key=lambda each: float(np.linalg.norm(spur - each)))
        sketch.add(name, Bar, (foot, spur), sketch.slim(name, foot, spur))


def _foot(start: Array, end: Array, point: Array) -> Array:
    """The place of a line between two points that is nearest to another."""
    way = end - start
    square = float(way @ way)
    share = float((point - start) @ way) / square if square else 0.0
    return np.asarray(start + min(max(share, 0.0), 1.0) * way)


def _hub(points: list[Array]) -> Array | None:
    """A point that the others surround, in the plane: then a star shows more than a plate over all."""
    if len(points) < 4:
        return None
    spots = [complex(*point) for point in points]
    outside = {*convex_hull(spots)}
    middle = sum(spots) / len(spots)
    reach = max(abs(spot - middle) for spot in spots)
    for point, spot in zip(points, spots, strict=True):
        if spot not in outside and abs(spot - middle) < 0.35 * reach:
            return point
    return None


def flat_hull(points: list[Array]) -> list[Array]:
    """The convex outline of points that lie in a plane of space but not on a line; else nothing."""
    middle = np.mean(points, axis=0)
    _, sizes, axes = np.linalg.svd(np.array(points) - middle)
    if sizes[2] > 1e-3 * sizes[0] or sizes[1] < 1e-3 * sizes[0]:
        return []
    flat = [complex(*(axes[:2] @ (point - middle))) for point in points]
    return [middle + corner.real * axes[0] + corner.imag * axes[1] for corner in convex_hull(flat)]


def _arms(name: str, sketch: Sketch) -> None:
    """Bars from all pins of a part to its slots."""
    slots = sketch.slots.get(name, [])
    for point in sketch.anchors.get(name, []) if slots else ():
        _arm(name, point, slots, sketch)


def _arm(name: str, point: Array, slots: list[Slot], sketch: Sketch) -> None:
    """A bar from a pin to the nearest slot of its part, ending at the slot's rim so as not to cover it."""
    slot = min(slots, key=lambda each: float(np.linalg.norm(point - _foot(each.start, each.end, point))))
    end = _foot(slot.start, slot.end, point)
    distance = float(np.linalg.norm(point - end))
    if distance + 0.5 * sketch.thickness <= slot.half_width:
        return
    inside = min(0.9 * slot.half_width / distance, 0.99)
    pin, rim = complex(*point), complex(*(end + (point - end) * inside))
    side = 0.5j * sketch.thickness * (rim - pin) / abs(rim - pin)
    outline = convex_hull([*ring(pin, 0.5 * sketch.thickness), rim - side, rim + side])
    sketch.add(name, Polygon, [(corner.real, corner.imag) for corner in outline])


def _lone(name: str, points: list[Array], sketch: Sketch) -> None:
    """A part with a single place, or none, and nothing to show it: a small mass."""
    if sketch.blocks.get(name) or sketch.slots.get(name):
        return
    at = points[0] if points else np.zeros(sketch.layout.dimension)
    if sketch.layout.dimension == 2:
        sketch.add(name, Disc, at, BOB * sketch.thickness)
    elif not sketch.shapes.get(name):
        sketch.add(name, Sphere, at, BOB * sketch.thickness)


def _ground(sketch: Sketch) -> None:
    """In space the frame is a bar or a plate through its joints; in the plane supports say enough."""
    points = sketch.anchors.get(GROUND, [])
    if sketch.layout.dimension == 3 and len(points) > 1:
        _body(GROUND, points, sketch)


# ------------------------------------------------------------------------------------ shapes of the file


def _shown_by_joint(drawn: Draw, name: str, sketch: Sketch) -> bool:
    """Whether a shape stands for what a joint shows better: a gear's disc, a rack's bar, a slotted bar.

    The ends of a slotted bar are reached by the arms of its slot.
    """
    if drawn.shape == "disc":
        at = np.zeros(2) if drawn.at is None else _point(drawn.at, sketch)
        radius = sketch.layout.number(drawn.radius)
        return any(
            math.isclose(radius, gear.radius, rel_tol=0.1)
            and float(np.linalg.norm(at - gear.at)) < 0.1 * radius
            for gear in sketch.toothed.get(name, [])
        )
    if drawn.shape != "bar" or len(drawn.points) != 2:
        return False
    ends = [_point(point, sketch) for point in drawn.points]
    if any(_along(slot, ends, sketch) for slot in sketch.slots.get(name, [])):
        sketch.anchor(name, *ends)
        return True
    return name in sketch.racks


def _along(slot: Slot, ends: list[Array], sketch: Sketch) -> bool:
    """Whether points lie on the line of a slot."""
    way = (slot.end - slot.start) / (np.linalg.norm(slot.end - slot.start) or 1.0)
    across = np.array([-way[1], way[0]])
    return all(abs(float((end - slot.start) @ across)) < 0.5 * sketch.thickness for end in ends)


def _draw(drawn: Draw, name: str, sketch: Sketch) -> None:
    """One shape that a file draws."""
    layout = sketch.layout
    plane = layout.dimension == 2
    points = [_point(point, sketch) for point in drawn.points]
    at = _point(drawn.at, sketch) if drawn.at is not None else np.zeros(layout.dimension)
    radius = layout.number(drawn.radius, sketch.thickness)
    if drawn.shape == "bar" and points:
        sketch.add(name, Bar, points)
    elif drawn.shape == "disc":
        _disc(name, at, radius, sketch)
    elif drawn.shape == "polygon" and len(points) > 2:
        sketch.add(name, Polygon if plane else Plate, points)
    elif drawn.shape == "line" and len(points) > 1:
        _line(name, points, sketch)
    elif drawn.shape == "label":
        sketch.add(name, Label, points[0] if drawn.at is None and points else at, drawn.text)
    elif drawn.shape == "box":
        _box(name, drawn, at, sketch)
    elif drawn.shape == "sphere":
        sketch.add(name, Disc if plane else Sphere, at, radius)


def _disc(name: str, at: Array, radius: float, sketch: Sketch) -> None:
    if sketch.layout.dimension == 2:
        sketch.add(name, Disc, at, radius)
        return
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = at + radius * np.stack([np.cos(turns), np.sin(turns), 0 * turns], -1)
    sketch.add(name, Plate, ring)


def _line(name: str, points: list[Array], sketch: Sketch) -> None:
    if sketch.layout.dimension == 2:
        sketch.add(name, Curve, points)
        return
    for start, end in pairwise(points):
        sketch.add(name, Track, (start + end) / 2, end - start, float(np.linalg.norm(end - start)))


def _box(name: str, drawn: Draw, at: Array, sketch: Sketch) -> None:
    usual = [1.9 * sketch.thickness] * 3
    size = sketch.layout.numbers(*drawn.size) if drawn.size is not None else usual
    if sketch.layout.dimension == 2:
        sketch.add(name, Block, at, 0.0, size[0], size[1])
    elif min(size) > 0 and math.isfinite(sum(size)):
        sketch.add(name, Box, at, (*size, size[-1])[:3])
