"""Cams of the plane as shapes: the outline from its profile, or from the law of lift by inversion.

By inversion the cam stands still and the follower goes round it: for every angle of the cam the place of the
follower's roller, seen from the cam, is a point of the pitch curve. The cam is the curve at the roller's
radius inside it; for a flat face with normal n at the distance h it is the envelope h·n + (dh/dα)·t, with α
the angle of n (Norton, Cam Design and Manufacturing Handbook, ch. 7).
"""

from __future__ import annotations

import cmath
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression
from linkwork.emit import Program, interpreted
from linkwork.errors import LinkworkError
from linkwork.model import joint as joints
from linkwork.model.joint.profile import ANGLE
from linkwork.view.machine_layout import Array, Fixed
from linkwork.view.machine_sketch import Sketch
from linkwork.view.plane_joints import draw_plane_joint
from linkwork.view.shape import Curve, Disc, Pin, Polygon

Complex = NDArray[np.complex128]

OUTLINE_POINTS = 240
FACE_DEPTH, FACE_BEYOND = 0.7, 0.8
"""Of a flat follower, in thicknesses."""


@draw_plane_joint.register
def _cam(joint: joints.Cam, name: str, sketch: Sketch) -> None:
    if joint.by_law:
        _by_law(joint, sketch)
    else:
        _by_profile(joint, sketch)


def note_followers(sketch: Sketch) -> None:
    """Where parts touch cams, the roller's radius, and the cam's centre: rails keep away from there."""
    layout = sketch.layout
    for joint in layout.machine.joints.values():
        if not isinstance(joint, joints.Cam):
            continue
        radius = max(layout.number(joint.radius, 0.0), 0.0)
        if not joint.by_law:
            cam, tip = layout.frames(joint)
        elif (axles := _axles(joint, sketch)) is not None:
            (_, cam), (_, tip) = axles[1:]
        else:
            continue
        here = Fixed(tip.part, np.zeros(2), np.eye(2))
        centre = layout.seen_from(here, cam.part, cam.origin)[0]
        sketch.followers.setdefault(tip.part, []).append((tip.origin, radius, centre))


def over_a_turn(expression: Expression, sketch: Sketch) -> tuple[Array, Array]:
    """An expression of the cam's angle at angles over a turn, and these."""
    angles = np.linspace(0, 2 * np.pi, OUTLINE_POINTS, endpoint=False)
    from linkwork.algebra import substitute, symbol

    known = {symbol(name): value for name, value in sketch.layout.values.items()}
    try:
        value = substitute([expression], {key: value for key, value in known.items() if key != ANGLE})
        program = Program.of("outline", {"angles": [ANGLE]}, {"value": value})
        found = interpreted(program)(angles[:, None])["value"]
    except LinkworkError:
        return angles, np.full(len(angles), np.nan)
    return angles, np.broadcast_to(np.asarray(found, float).reshape(len(angles), -1)[:, 0], angles.shape)


# --------------------------------------------------------------------------------------------- by profile


def _by_profile(joint: joints.Cam, sketch: Sketch) -> None:
    cam, follower = sketch.layout.frames(joint)
    angles, radii = over_a_turn(joint.outline.at(ANGLE), sketch)
    outline = radii * np.exp(1j * angles)
    add_outline(sketch, cam, outline)
    sketch.anchor(cam.part, cam.origin)
    sketch.anchor(follower.part, follower.origin)
    radius = 0.0 if joint.follower == "point" else sketch.layout.number(joint.radius)
    away = sketch.layout.seen_from(follower, cam.part, cam.origin)[0]
    add_follower(sketch, joint.follower, follower, radius, away, float(np.max(np.abs(outline))))


def add_outline(sketch: Sketch, cam: Fixed, outline: Complex) -> None:
    """The cam as a filled curve, given in its frame."""
    if not np.all(np.isfinite(outline)):
        return
    points = [tuple(cam.at(spot.real, spot.imag).tolist()) for spot in outline.tolist()]
    sketch.add(cam.part, Curve, points, True)
    sketch.wheel(cam.part, cam.origin, float(np.max(np.abs(outline))))


def add_follower(sketch: Sketch, kind: str, tip: Fixed, radius: float, cam: Array, reach: float) -> None:
    """What touches the cam: a roller, a flat face along x, or a point; ``cam`` is where the cam is, from the tip."""
    unit = sketch.thickness
    if kind == "flat" and any(drawn.shape != "label" for drawn in sketch.layout.machine.part(tip.part).draw):
        return  # a file that draws the follower draws its face
    if kind == "flat":
        up = -1.0 if cam[1] > 0 else 1.0
        half = min(reach, 12 * unit) * 0.6 + FACE_BEYOND * unit
        corners = [(-half, 0.0), (half, 0.0), (half, up * FACE_DEPTH * unit), (-half, up * FACE_DEPTH * unit)]
        sketch.add(tip.part, Polygon, [tip.at(*corner) for corner in corners])
    elif kind == "roller" and radius > 0:
        sketch.add(tip.part, Disc, tip.origin, radius)
        sketch.add(tip.part, Pin, tip.origin)
    else:
        away = -complex(*cam) / (abs(complex(*cam)) or 1.0)
        wedge = [0j, away * complex(1.3, 0.45) * unit, away * complex(1.3, -0.45) * unit]
        sketch.add(tip.part, Polygon, [tip.at(corner.real, corner.imag) for corner in wedge])


# ------------------------------------------------------------------------------------------------- by law


_Pairs = tuple[tuple[int, int], tuple[Fixed, Fixed], tuple[Fixed, Fixed]]


def _axles(joint: joints.Cam, sketch: Sketch) -> _Pairs | None:
    """The signs of both coordinates as seen from the carrier, and the frames of cam and follower on it."""
    layout = sketch.layout
    axles = [layout.machine.joints[name] for name in joint.axles or ()]
    pairs = [layout.frames(axle) for axle in axles if isinstance(axle, joints.Pair)]
    if len(pairs) != 2 or not isinstance(axles[0], joints.Revolute):
        return None
    shared = {frame.part for frame in pairs[0]} & {frame.part for frame in pairs[1]}
    if not shared:
        return None
    carrier = "ground" if "ground" in shared else min(shared)
    signs = [1 if pair[0].part == carrier else -1 for pair in pairs]
    first, second = (pair[::sign] for pair, sign in zip(pairs, signs, strict=True))
    return (signs[0], signs[1]), (first[0], first[1]), (second[0], second[1])


def _by_law(joint: joints.Cam, sketch: Sketch) -> None:
    """The cam's outline for the lift over a turn."""
    layout = sketch.layout
    axles = _axles(joint, sketch)
    if axles is None or joint.axles is None:
        return
    signs, (cam_base, cam), (base, follower) = axles
    axle = layout.machine.joints[joint.axles[1]]
    angles, lift = over_a_turn(joint.law.at(ANGLE), sketch)
    if not np.all(np.isfinite(lift)):
        return
    poses = _follower_poses(axle, base, follower, signs[1] * lift)
    if poses is None:
        return
    turning = cmath.exp(1j * cam_base.angle) * np.exp(1j * signs[0] * angles)
    centre = complex(*cam_base.origin)
    tip = _tip(sketch, axle, follower, poses, centre, float(np.ptp(lift)))
    if tip is None:
        return
    place, turned = poses
    pitch = (place + turned * complex(*tip.origin) - centre) / turning
    radius = max(layout.number(joint.radius, 0.0), 0.0)
    if joint.follower == "flat":
        outline = _envelope(pitch, turned * complex(*tip.axes[1]) / turning)
    else:
        outline = _inside(pitch, 0.0 if joint.follower == "point" else radius)
    add_outline(sketch, cam, outline)
    seen = layout.seen_from(tip, cam.part, cam.origin)[0]
    add_follower(sketch, joint.follower, tip, radius, seen, float(np.max(np.abs(outline))))
    sketch.anchor(tip.part, tip.origin)


def _follower_poses(
    axle: joints.Joint, base: Fixed, follower: Fixed, lift: Array
) -> tuple[Complex, Complex] | None:
    """Where the follower's part stands, origin and turn, for values of its joint, seen from the carrier."""
    start, way = complex(*base.origin), cmath.exp(1j * base.angle)
    own, own_way = complex(*follower.origin), cmath.exp(1j * follower.angle)
    if isinstance(axle, joints.Prismatic):
        turned = np.full(len(lift), way / own_way)
        return start + lift * way - turned * own, turned
    if isinstance(axle, joints.Revolute):
        turned = way * np.exp(1j * lift) / own_way
        return start - turned * own, turned
    return None


def _tip(
    sketch: Sketch,
    axle: joints.Joint,
    follower: Fixed,
    poses: tuple[Complex, Complex],
    centre: complex,
    travel: float,
) -> Fixed | None:
    """Where the follower touches: a slider's own origin, moved out where the cam would have no body there;
    on a lever the point that is farthest from its pivot.
    """
    layout = sketch.layout
    if isinstance(axle, joints.Revolute):
        named = layout.machine.part(follower.part).points.values()
        points = [np.array(layout.numbers(*point)) for point in named]
        points = [point for point in points if not sketch.is_near(point, [follower.origin])]
        if not points:
            return None
        far = max(points, key=lambda point: float(np.linalg.norm(point - follower.origin)))
        way = (far - follower.origin) / (np.linalg.norm(far - follower.origin) or 1.0)
        return Fixed(follower.part, far, np.array([way, [-way[1], way[0]]]))
    place, turned = poses
    x = follower.axes[0]
    axes = np.array([[-x[1], x[0]], -x])  # a flat face lies across the way, its y-axis towards the cam
    for out in chain([0.0], (step * travel for step in (0.5, 1.0, 1.5, 2.0, 3.0))):
        origin = follower.origin + out * x
        nearest = float(np.min(np.abs(place + turned * complex(*origin) - centre)))
        if nearest >= 0.5 * travel:
            break
    return Fixed(follower.part, origin, axes)


def _inside(pitch: Complex, radius: float) -> Complex:
    """The curve at a distance inside a closed curve around the origin."""
    tangent = np.roll(pitch, -1) - np.roll(pitch, 1)
    lengths = np.abs(tangent)
    normal = 1j * tangent / np.where(lengths > 0, lengths, 1.0)
    inward = np.where((normal * np.conj(pitch)).real > 0, -normal, normal)
    return np.asarray(pitch + radius * inward)


def _envelope(pitch: Complex, normal: Complex) -> Complex:
    """The envelope of the lines through points of a closed curve, by their normals."""
    outward = np.where((normal * np.conj(pitch)).real < 0, -normal, normal)
    height = (pitch * np.conj(outward)).real
    alpha = np.unwrap(np.angle(outward))
    alpha_after, alpha_before = np.roll(alpha, -1), np.roll(alpha, 1)
    whole = alpha[-1] - alpha[0] + (alpha[1] - alpha[0])
    alpha_after[-1] += whole
    alpha_before[0] -= whole
    change = alpha_after - alpha_before
    slope = (np.roll(height, -1) - np.roll(height, 1)) / np.where(np.abs(change) > 1e-12, change, np.inf)
    return np.asarray(outward * (height + 1j * slope))
