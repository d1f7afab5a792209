"""Joints of space as shapes: one function a joint."""

from __future__ import annotations

import math
from functools import singledispatch
from itertools import pairwise

import numpy as np

from linkwork.model import joint as joints
from linkwork.view.machine_layout import Array, Fixed
from linkwork.view.machine_sketch import Sketch
from linkwork.view.outline import gear_outline
from linkwork.view.plane_joints import curve_points
from linkwork.view.shape import Box, Hinge, Plate, Sphere, Track
from linkwork.view.wheel_joints import wheel_frames

BALL, CROSS = 0.85, 0.7
"""Radii of ball joints and of the crosses of universal joints, in thicknesses."""

SLEEVE_LENGTH, SLEEVE_RADIUS = 2.6, 0.62
BLOCK = (1.5, 1.5, 2.2)
"""Of sliding sleeves and blocks, in thicknesses; a block's last edge lies along its track."""

TRACK_BEYOND, TRACK_AT_REST = 2.2, 6.0
"""In thicknesses: how far a track goes on behind the slider; half its length without motion."""

PLANE_SIDE = 7.0
"""Half the side of a plane that something slides on, in thicknesses, when nothing moves on it."""

MEETING = 0.25
"""How far from a common point hinges are drawn, as a part of the whole machine."""

CURVE_PIECES = 60


@singledispatch
def draw_space_joint(joint: joints.Joint, name: str, sketch: Sketch) -> None:
    """Add what a joint looks like; one of an unknown type holds on to its points."""
    for reference in joint.references():
        frame = sketch.layout.frame(reference)
        sketch.anchor(frame.part, frame.origin)


def _anchored(joint: joints.Pair, sketch: Sketch) -> tuple[Fixed, Fixed]:
    first, second = sketch.layout.frames(joint)
    for frame in (first, second):
        sketch.anchor(frame.part, frame.origin)
    return first, second


def _holder(sketch: Sketch, first: Fixed, second: Fixed) -> Fixed:
    """The frame whose part a joint is drawn on: the ground's if there is one, so that it stands still."""
    return first if sketch.is_ground(first.part) else second


@draw_space_joint.register
def _pair(joint: joints.Pair, name: str, sketch: Sketch) -> None:
    holder = _holder(sketch, *_anchored(joint, sketch))
    sketch.add(holder.part, Sphere, holder.origin, 0.6 * BALL * sketch.thickness)


@draw_space_joint.register
def _fixed(joint: joints.Fixed, name: str, sketch: Sketch) -> None:
    _anchored(joint, sketch)


@draw_space_joint.register
def _revolute(joint: joints.Revolute, name: str, sketch: Sketch) -> None:
    """A hinge. Where all joints of both parts meet in one point it is moved out along its axis."""
    first, second = sketch.layout.frames(joint)
    out = 0.0
    if _meets_others(first.part, sketch) and _meets_others(second.part, sketch):
        out = MEETING * sketch.layout.extent or 1.0
    same_way = _heading(first, sketch) @ _heading(second, sketch) >= 0
    if {first.part, second.part} & _inputs(sketch):  # the shafts of a universal joint lie on both sides of it
        out = -out
    ends = first.at(0.0, 0.0, out), second.at(0.0, 0.0, out if same_way else -out)
    for frame, end in zip((first, second), ends, strict=True):
        sketch.anchor(frame.part, end)
    holder = _holder(sketch, first, second)
    sketch.add(holder.part, Hinge, ends[0] if holder is first else ends[1], holder.way)


def _inputs(sketch: Sketch) -> set[str]:
    """The first parts of joints between shafts."""
    return {
        sketch.layout.frames(joint)[0].part
        for joint in sketch.layout.machine.joints.values()
        if isinstance(joint, joints.Universal | joints.ConstantVelocity)
    }


def _heading(frame: Fixed, sketch: Sketch) -> Array:
    """The direction of a frame's axis in the world."""
    tip = sketch.layout.path(frame.part, frame.origin + frame.way)[0]
    return np.asarray(tip - sketch.layout.path(frame.part, frame.origin)[0])


def _meets_others(part: str, sketch: Sketch) -> bool:
    """Whether a part has several joints and all of them stand in one point, as in spherical linkages."""
    origins = [
        frame.origin
        for joint in sketch.layout.machine.joints.values()
        if isinstance(joint, joints.Pair) and not (isinstance(joint, joints.Cam) and joint.by_law)
        for frame in sketch.layout.frames(joint)
        if frame.part == part
    ]
    return len(origins) > 1 and all(sketch.is_near(origin, origins[:1]) for origin in origins)


@draw_space_joint.register(joints.Spherical)
@draw_space_joint.register(joints.ConstantVelocity)
def _spherical(joint: joints.Pair, name: str, sketch: Sketch) -> None:
    holder = _holder(sketch, *_anchored(joint, sketch))
    sketch.add(holder.part, Sphere, holder.origin, BALL * sketch.thickness)


@draw_space_joint.register
def _universal(joint: joints.Universal, name: str, sketch: Sketch) -> None:
    """The cross: an arm along x of the first frame and one along y of the second."""
    first, second = _anchored(joint, sketch)
    size = {"length": 2.6 * sketch.thickness, "radius": 0.36 * sketch.thickness}
    sketch.add(first.part, Hinge, first.origin, first.axes[0], **size)
    sketch.add(second.part, Hinge, second.origin, second.axes[1], **size)
    holder = _holder(sketch, first, second)
    sketch.add(holder.part, Sphere, holder.origin, CROSS * sketch.thickness)


@draw_space_joint.register
def _prismatic(joint: joints.Prismatic, name: str, sketch: Sketch) -> None:
    guide, slider = _guide_first(sketch, *sketch.layout.frames(joint))
    add_track(sketch, guide, slider)
    sketch.anchor(slider.part, slider.origin)
    if not sketch.layout.machine.part(slider.part).draw:
        size = tuple(edge * sketch.thickness for edge in BLOCK)
        sketch.add(slider.part, Box, slider.origin, size, quaternion(slider.axes))


@draw_space_joint.register(joints.Cylindrical)
@draw_space_joint.register(joints.Screw)
def _cylindrical(joint: joints.Pair, name: str, sketch: Sketch) -> None:
    guide, slider = _guide_first(sketch, *sketch.layout.frames(joint))
    add_track(sketch, guide, slider)
    sketch.anchor(slider.part, slider.origin)
    unit = sketch.thickness
    sketch.add(slider.part, Hinge, slider.origin, slider.way, SLEEVE_LENGTH * unit, SLEEVE_RADIUS * unit)


@draw_space_joint.register
def _point_on_line(joint: joints.PointOnLine, name: str, sketch: Sketch) -> None:
    line, point = sketch.layout.frames(joint)
    add_track(sketch, line, point)
    sketch.anchor(point.part, point.origin)
    sketch.add(point.part, Sphere, point.origin, 0.6 * BALL * sketch.thickness)


def _guide_first(sketch: Sketch, first: Fixed, second: Fixed) -> tuple[Fixed, Fixed]:
    """Both frames have the same line: the guide stands still if it can."""
    return (second, first) if sketch.is_ground(second.part) else (first, second)


def add_track(sketch: Sketch, guide: Fixed, slider: Fixed) -> None:
    """A rod along a frame's z-axis, long enough for all places of the slider."""
    places = sketch.layout.seen_from(guide, slider.part, slider.origin)[:, 2]
    low, high = float(np.min(places)), float(np.max(places))
    beyond = (TRACK_AT_REST if len(places) == 1 else TRACK_BEYOND) * sketch.thickness
    middle = guide.at(0.0, 0.0, (low + high) / 2)
    sketch.add(guide.part, Track, middle, guide.way, high - low + 2 * beyond)
    if not sketch.is_ground(guide.part):
        ends = [guide.at(0.0, 0.0, place) for place in (low - beyond, high + beyond)]
        known = sketch.anchors.get(guide.part, [])
        # The body reaches the nearer end of its track; from there the track itself goes on.
        sketch.anchor(
            guide.part,
            min(ends, key=lambda end: min((float(np.linalg.norm(end - one)) for one in known), default=0.0)),
        )


@draw_space_joint.register(joints.Planar)
@draw_space_joint.register(joints.PointOnPlane)
def _planar(joint: joints.Pair, name: str, sketch: Sketch) -> None:
    plane, foot = sketch.layout.frames(joint)
    places = sketch.layout.seen_from(plane, foot.part, foot.origin)[:, :2]
    low, high = places.min(axis=0), places.max(axis=0)
    rim = PLANE_SIDE * sketch.thickness * (0.4 if len(places) > 1 else 1.0)
    (x0, y0), (x1, y1) = low - rim, high + rim
    below = -0.5 * sketch.thickness
    corners = [plane.at(x, y, below) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    sketch.add(plane.part, Plate, corners)
    sketch.anchor(foot.part, foot.origin)
    sketch.add(foot.part, Sphere, foot.origin, 0.6 * BALL * sketch.thickness)


@draw_space_joint.register
def _point_on_curve(joint: joints.PointOnCurve, name: str, sketch: Sketch) -> None:
    carrier, bead = sketch.layout.frames(joint)
    sketch.anchor(bead.part, bead.origin)
    sketch.add(bead.part, Sphere, bead.origin, BALL * sketch.thickness)
    path = sketch.layout.seen_from(carrier, bead.part, bead.origin)
    points = curve_points(joint, path, sketch)
    some = points[:: max(1, len(points) // CURVE_PIECES)]
    for before, after in pairwise(some):
        start, end = carrier.at(*before), carrier.at(*after)
        sketch.add(carrier.part, Track, (start + end) / 2, end - start, float(np.linalg.norm(end - start)))


@draw_space_joint.register
def _distance(joint: joints.Distance, name: str, sketch: Sketch) -> None:
    first, second = _anchored(joint, sketch)
    kind = "rod" if joint.length is not None else "damper"
    sketch.connect(kind, (first.part, first.origin, 0.0), (second.part, second.origin, 0.0))
    for frame in (first, second):
        sketch.add(frame.part, Sphere, frame.origin, 0.6 * BALL * sketch.thickness)


@draw_space_joint.register
def _point(joint: joints.Point, name: str, sketch: Sketch) -> None:
    frame = sketch.layout.frame(joint.of)
    sketch.anchor(frame.part, frame.origin)
    sketch.add(frame.part, Sphere, frame.origin, 0.6 * BALL * sketch.thickness)


@draw_space_joint.register(joints.Coordinate)
@draw_space_joint.register(joints.Rack)
def _no_look(joint: joints.Joint, name: str, sketch: Sketch) -> None:
    """What only relates coordinates has no look of its own."""


@draw_space_joint.register(joints.Gear)
@draw_space_joint.register(joints.Belt)
def _wheels(joint: joints.Gear | joints.Belt, name: str, sketch: Sketch) -> None:
    """Toothed plates across the axles."""
    layout = sketch.layout
    frames = wheel_frames(joint, layout)
    sizes = [abs(each) for each in layout.numbers(*(joint.radii or joint.teeth or ()))]
    if frames is None or len(sizes) != 2 or not all(0 < size < math.inf for size in sizes):
        return
    if not joint.radii:
        first, second = (layout.path(frame.part, frame.origin)[0] for frame in frames)
        sizes = [float(np.linalg.norm(second - first)) * size / sum(sizes) for size in sizes]
    module = 2 * min(sizes) / 12
    for frame, radius in zip(frames, sizes, strict=True):
        if radius <= 0:
            continue
        teeth = int(min(max(round(2 * radius / module), 8), 60))
        outline = gear_outline(0j, radius, teeth, 0.0)
        sketch.add(frame.part, Plate, [frame.at(spot.real, spot.imag) for spot in outline])
        sketch.wheel(frame.part, frame.origin, radius)


def quaternion(axes: Array) -> tuple[float, ...]:
    """The unit quaternion of a frame whose axes are the rows, scalar first (Shepperd 1978)."""
    matrix = axes.T
    trace = float(np.trace(matrix))
    squares = [trace, *(2 * float(matrix[k, k]) - trace for k in range(3))]
    most = int(np.argmax(squares))
    if not math.isfinite(trace):
        return (1.0, 0.0, 0.0, 0.0)
    found = [0.0] * 4
    found[most] = math.sqrt(max(1 + squares[most], 0.0)) / 2
    scale = 4 * found[most]
    if most == 0:
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            found[k + 1] = float(matrix[j, i] - matrix[i, j]) / scale
    else:
        k = most - 1
        i, j = (k + 1) % 3, (k + 2) % 3
        found[0] = float(matrix[j, i] - matrix[i, j]) / scale
        found[i + 1] = float(matrix[i, k] + matrix[k, i]) / scale
        found[j + 1] = float(matrix[j, k] + matrix[k, j]) / scale
    return tuple(found)
