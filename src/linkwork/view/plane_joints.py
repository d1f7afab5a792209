"""Joints of the plane as shapes: one function a joint. Wheels and cams have files of their own."""

from __future__ import annotations

import math
from functools import singledispatch

import numpy as np

from linkwork.algebra import evaluate, symbol
from linkwork.errors import LinkworkError
from linkwork.model import joint as joints
from linkwork.view.machine_layout import Array, Fixed
from linkwork.view.machine_sketch import Sketch, Slot
from linkwork.view.shape import Axis, Block, Curve, Disc, Pin, Rail

SLIDER_LENGTH, SLIDER_WIDTH = 2.8, 1.7
"""Of the block of a slider, in thicknesses: it shows behind the bar that ends on it."""

RAIL_BEYOND, RAIL_AT_REST = 2.2, 4.5
"""In thicknesses: how far a rail goes on behind the block at either end; half its length without motion."""

SLOT_WIDTH = 0.62
"""Of a slot for a pin, in thicknesses."""

SLOT_RIM = 0.4
"""The material beside a slot, in thicknesses, as it is drawn."""

FOLLOWER_BEYOND = 3.6
"""From a cam's follower to its block, in thicknesses: half a rail, and some air."""

CURVE_POINTS = 160


@singledispatch
def draw_plane_joint(joint: joints.Joint, name: str, sketch: Sketch) -> None:
    """Add what a joint looks like; one of an unknown type holds on to its points."""
    for reference in joint.references():
        frame = sketch.layout.frame(reference)
        sketch.anchor(frame.part, frame.origin)


@draw_plane_joint.register
def _pair(joint: joints.Pair, name: str, sketch: Sketch) -> None:
    first, second = sketch.layout.frames(joint)
    for frame in (first, second):
        sketch.anchor(frame.part, frame.origin)
    add_pin(sketch, first, second)


@draw_plane_joint.register
def _fixed(joint: joints.Fixed, name: str, sketch: Sketch) -> None:
    for frame in sketch.layout.frames(joint):
        sketch.anchor(frame.part, frame.origin)


def add_pin(sketch: Sketch, first: Fixed, second: Fixed) -> None:
    """A pin through two parts, with its support where one of them is the ground."""
    ground = next((frame for frame in (first, second) if sketch.is_ground(frame.part)), None)
    holder = ground or second
    if sketch.is_solid(first.part, second.part):
        sketch.add(holder.part, Axis, holder.origin)
        return
    sketch.add(holder.part, Pin, holder.origin, ground is not None)


@draw_plane_joint.register
def _prismatic(joint: joints.Prismatic, name: str, sketch: Sketch) -> None:
    guide, slider = sketch.layout.frames(joint)
    if sketch.is_solid(guide.part, slider.part):
        return
    if sketch.is_ground(slider.part):  # both frames have the same line: the rail stands still if it can
        guide, slider = slider, guide
    if slider.part in sketch.racks:  # a toothed bar shows where it slides
        return
    width = drawn_width(sketch, slider.part) or SLIDER_WIDTH * sketch.thickness
    slider = _beyond_cam(slider, sketch.layout.seen_from(guide, slider.part, slider.origin)[:, 0], sketch)
    add_rail(sketch, guide, sketch.layout.seen_from(guide, slider.part, slider.origin)[:, 0], width)
    sketch.anchor(slider.part, slider.origin)
    sketch.blocks.setdefault(slider.part, []).append(slider.origin)
    if not sketch.layout.machine.part(slider.part).draw:
        length = SLIDER_LENGTH * sketch.thickness
        sketch.add(slider.part, Block, slider.origin, slider.angle, length, width)


def _beyond_cam(slider: Fixed, places: Array, sketch: Sketch) -> Fixed:
    """The frame of a slider, moved along its stem where a cam would run into its rail."""
    for tip, radius, cam in sketch.followers.get(slider.part, []):
        away = -1.0 if float(cam @ slider.axes[0]) > float(slider.origin @ slider.axes[0]) else 1.0
        clear = float(np.ptp(places)) + radius + FOLLOWER_BEYOND * sketch.thickness
        along = away * float((slider.origin - tip) @ slider.axes[0])
        if along < clear:
            return Fixed(slider.part, slider.at(away * (clear - along)), slider.axes)
    return slider


@draw_plane_joint.register
def _point_on_line(joint: joints.PointOnLine, name: str, sketch: Sketch) -> None:
    line, pin = sketch.layout.frames(joint)
    places = sketch.layout.seen_from(line, pin.part, pin.origin)[:, 0]
    add_rail(sketch, line, places, SLOT_WIDTH * sketch.thickness)
    sketch.anchor(pin.part, pin.origin)
    sketch.add(pin.part, Pin, pin.origin)


def drawn_width(sketch: Sketch, part: str) -> float:
    """The width of a slider that its file draws as a box; 0 without one."""
    for drawn in sketch.layout.machine.part(part).draw:
        if drawn.shape == "box" and drawn.size is not None:
            width = sketch.layout.number(drawn.size[1])
            return width if 0 < width < math.inf else 0.0
    return 0.0


def add_rail(sketch: Sketch, guide: Fixed, places: Array, width: float) -> None:
    """A rail along a frame's x-axis that is long enough for all places of the slider."""
    low, high = float(np.min(places)), float(np.max(places))
    half = max((high - low) / 2 + max(RAIL_BEYOND * sketch.thickness, width), 0.0)
    if len(places) == 1:
        half = max(RAIL_AT_REST * sketch.thickness, 1.5 * width)
    middle = guide.at((low + high) / 2)
    sketch.add(guide.part, Rail, middle, guide.angle, 2 * half, width)
    if not sketch.is_ground(guide.part):
        ends = guide.at((low + high) / 2 - half), guide.at((low + high) / 2 + half)
        slot = Slot(*ends, width / 2 + SLOT_RIM * sketch.thickness)
        sketch.slots.setdefault(guide.part, []).append(slot)


@draw_plane_joint.register
def _distance(joint: joints.Distance, name: str, sketch: Sketch) -> None:
    first, second = sketch.layout.frames(joint)
    kind = "rod" if joint.length is not None else "damper"
    sketch.connect(kind, (first.part, first.origin, 0.0), (second.part, second.origin, 0.0))
    for frame in (first, second):
        sketch.anchor(frame.part, frame.origin)
        sketch.add(frame.part, Pin, frame.origin, sketch.is_ground(frame.part))


@draw_plane_joint.register
def _point(joint: joints.Point, name: str, sketch: Sketch) -> None:
    frame = sketch.layout.frame(joint.of)
    sketch.anchor(frame.part, frame.origin)
    path = sketch.layout.path(frame.part, frame.origin)
    if float(np.max(np.abs(path - path[0]))) <= 1e-3 * sketch.thickness:
        sketch.add("ground", Pin, path[0], True)
    else:
        sketch.add(frame.part, Pin, frame.origin)


@draw_plane_joint.register
def _coordinate(joint: joints.Coordinate, name: str, sketch: Sketch) -> None:
    """A coordinate that is held has no look of its own."""


@draw_plane_joint.register
def _rolling(joint: joints.Rolling, name: str, sketch: Sketch) -> None:
    track, wheel = sketch.layout.frames(joint)
    radius = abs(sketch.layout.number(joint.radius))
    sketch.add(wheel.part, Disc, wheel.origin, radius)
    sketch.wheel(wheel.part, wheel.origin, radius)
    sketch.anchor(wheel.part, wheel.origin)
    sketch.add(wheel.part, Pin, wheel.origin)
    if joint.on is None:
        places = sketch.layout.seen_from(track, wheel.part, wheel.origin)[:, 0]
        low, high = float(np.min(places)) - 1.6 * radius, float(np.max(places)) + 1.6 * radius
        sketch.add(track.part, Curve, (track.at(low), track.at(high)))
        return
    on = sketch.layout.number(joint.on)
    if on > 0:
        sketch.add(track.part, Disc, track.origin, on)
        sketch.wheel(track.part, track.origin, on)
    else:
        sketch.add(track.part, Curve, circle(track.origin, abs(on)))


def circle(centre: Array, radius: float) -> list[tuple[float, ...]]:
    """A circle as a line that returns to its beginning."""
    turns = np.linspace(0, 2 * np.pi, 97)
    points = centre + radius * np.stack([np.cos(turns), np.sin(turns)], -1)
    return [tuple(point) for point in points.tolist()]


@draw_plane_joint.register
def _point_on_curve(joint: joints.PointOnCurve, name: str, sketch: Sketch) -> None:
    carrier, pin = sketch.layout.frames(joint)
    sketch.anchor(pin.part, pin.origin)
    sketch.add(pin.part, Pin, pin.origin)
    path = sketch.layout.seen_from(carrier, pin.part, pin.origin)
    points = curve_points(joint, path, sketch)
    if len(points) > 1:
        sketch.add(carrier.part, Curve, [tuple(carrier.at(*point).tolist()) for point in points])


def curve_points(joint: joints.PointOnCurve, path: Array, sketch: Sketch) -> Array:
    """The curve in its frame: all of it, or the piece around the path of the point that runs on it."""
    if joint.level is not None:
        return path
    if joint.curve is None:
        count = len(joint.samples)
        places = np.linspace(0, count if joint.closed else count - 1, CURVE_POINTS)
        return _curve_at(joint, places, sketch)
    whole = _curve_at(joint, np.linspace(-2 * np.pi, 2 * np.pi, 4 * CURVE_POINTS), sketch)
    if not np.all(np.isfinite(whole)):
        return path
    nearest = np.array([int(np.argmin(np.sum((whole - point) ** 2, axis=1))) for point in path[::4]])
    # A closed curve of one turn is shown whole, any other as far as the point goes and a little further.
    half = len(whole) // 2
    if np.allclose(whole[0], whole[half], atol=0.05 * float(np.ptp(whole))):
        return whole[: half + 1]
    more = CURVE_POINTS // 8
    return np.asarray(whole[max(int(nearest.min()) - more, 0) : int(nearest.max()) + more])


def _curve_at(joint: joints.PointOnCurve, places: Array, sketch: Sketch) -> Array:
    s = symbol("s")
    try:
        entries = [*joint.place_at(s)]
        rows = [evaluate(entries, {**sketch.layout.values, "s": float(place)}) for place in places]
    except LinkworkError:
        return np.zeros((0, sketch.layout.dimension))
    return np.array(rows)
