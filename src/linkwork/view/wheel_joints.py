"""Gears, belts and racks of the plane as shapes.

Gears are drawn so that their teeth mesh. At the point where two pitch circles touch let u be how many teeth
each wheel's own phase lies before it. External wheels turn against each other, so u1 + u2 stays what it is,
and a tooth meets a gap where u1 + u2 = 1/2. A pinion in a ring turns with it: u1 − u2 = 0, the ring's phase
being that of a gap. A rack is a wheel with teeth along a line. The first mesh of a wheel sets its phase, the
others follow: so a whole train fits.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field

import numpy as np

from linkwork.model import joint as joints
from linkwork.view.machine_layout import Array, Fixed, Layout
from linkwork.view.machine_sketch import Sketch
from linkwork.view.plane_joints import draw_plane_joint
from linkwork.view.shape import Curve, Disc, Gear, Rack

FEWEST_TEETH, MOST_TEETH = 18, 240
"""Of a wheel whose number of teeth is not given, and of any wheel that is drawn with teeth."""

TURN = 2 * math.pi


@dataclass(eq=False)
class Wheel:
    """A toothed wheel: where it sits on its part, how large it is, and the angle of one tooth (or gap)."""

    part: str
    centre: Array
    radius: float
    teeth: int
    internal: bool = False
    phase: float | None = None

    def before(self, angle: float) -> float:
        """How many teeth the phase lies before an angle, both in the part's coordinates."""
        assert self.phase is not None
        return (angle - self.phase) * self.teeth / TURN


@dataclass
class Train:
    """All toothed wheels of a machine; those that are one wheel with several partners are one here."""

    module: float
    wheels: list[Wheel] = field(default_factory=list)

    def wheel(self, part: str, centre: Array, radius: float, teeth: int, internal: bool) -> Wheel:
        """The wheel of a part with this radius, made when there is none."""
        for known in self.wheels:
            same = known.part == part and known.internal == internal
            if same and math.isclose(known.radius, radius, rel_tol=1e-6):
                return known
        self.wheels.append(Wheel(part, centre, radius, teeth, internal))
        return self.wheels[-1]

    def count(self, radius: float) -> int:
        """How many teeth fit on a radius."""
        return int(min(max(round(2 * radius / self.module), 6), MOST_TEETH))


def draw_wheels(sketch: Sketch) -> None:
    """All gears, belts and racks of a machine."""
    train = Train(common_module(sketch.layout))
    for joint in sketch.layout.machine.joints.values():
        if isinstance(joint, joints.Gear):
            _mesh(joint, sketch, train)
    for joint in sketch.layout.machine.joints.values():
        if isinstance(joint, joints.Rack):
            _rack(joint, sketch, train)
        elif isinstance(joint, joints.Belt):
            _belt(joint, sketch)
    for wheel in train.wheels:
        if wheel.teeth >= 4 and 0 < wheel.radius < math.inf and np.all(np.isfinite(wheel.centre)):
            at = tuple(wheel.centre.tolist())
            gear = Gear(at, wheel.radius, wheel.teeth, wheel.internal, wheel.phase or 0.0)
            sketch.toothed.setdefault(wheel.part, []).append(gear)
            if not sketch.is_solid(wheel.part):  # a solid shows its wheels itself
                sketch.shapes.setdefault(wheel.part, []).append(gear)


@draw_plane_joint.register(joints.Gear)
@draw_plane_joint.register(joints.Belt)
@draw_plane_joint.register(joints.Rack)
def _later(joint: joints.Joint, name: str, sketch: Sketch) -> None:
    """Wheels are drawn all together by :func:`draw_wheels`."""


# ------------------------------------------------------------------------------------- where wheels are


def wheel_frames(joint: joints.Gear | joints.Belt, layout: Layout) -> tuple[Fixed, Fixed] | None:
    """The centres of the two wheels, each on its own part."""
    if joint.axles:
        pairs = [_pair_frames(layout, name) for name in joint.axles]
        if None in pairs:
            return None
        carriers = [{frame.part for frame in pair or ()} for pair in pairs]
        carrier = next(iter(carriers[0] & carriers[1]), "")
        first, second = (_off_carrier(pair or (), carrier) for pair in pairs)
        return first, second
    if joint.parts is None:
        return None
    first, second = (axle_of(layout, part, joint.carrier) for part in joint.parts)
    return first, second


def _pair_frames(layout: Layout, name: str) -> tuple[Fixed, Fixed] | None:
    joint = layout.machine.joints[name]
    return layout.frames(joint) if isinstance(joint, joints.Pair) else None


def _off_carrier(pair: tuple[Fixed, ...], carrier: str) -> Fixed:
    first, second = pair
    return first if second.part == carrier else second


def axle_of(layout: Layout, part: str, carrier: str) -> Fixed:
    """Where a wheel turns on its carrier: at a revolute between both, else at any of its own, else its origin."""
    own: list[Fixed] = []
    for joint in layout.machine.joints.values():
        if isinstance(joint, joints.Revolute):
            frames = layout.frames(joint)
            here = [frame for frame in frames if frame.part == part]
            if here and carrier in (frames[0].part, frames[1].part):
                return here[0]
            own += here
    return own[0] if own else layout.frame(part)


def common_module(layout: Layout) -> float:
    """Tooth size for wheels given by radii, with which all of them get whole numbers of teeth if possible."""
    radii = [
        abs(radius)
        for joint in layout.machine.joints.values()
        for radius in (
            layout.numbers(*joint.radii)
            if isinstance(joint, joints.Gear) and joint.radii and not joint.teeth
            else [layout.number(joint.radius)]
            if isinstance(joint, joints.Rack)
            else []
        )
        if 0 < abs(radius) < math.inf
    ]
    if not radii:
        return 1.0
    least = min(radii)

    def misfit(count: int) -> float:
        counts = [count * radius / least for radius in radii]
        return max(abs(each - round(each)) for each in counts)

    best = min(range(FEWEST_TEETH, 2 * FEWEST_TEETH + 1), key=lambda count: (misfit(count) > 0.02, count))
    return 2 * least / best


# ------------------------------------------------------------------------------------------------ gears


def _mesh(joint: joints.Gear, sketch: Sketch, train: Train) -> None:
    layout = sketch.layout
    frames = wheel_frames(joint, layout)
    sizes = _sizes(joint, layout, frames) if frames else None
    if frames is None or sizes is None:
        return
    radii, teeth = sizes
    ring = int(radii[1] > radii[0]) if joint.internal else -1
    wheels = []
    for place, frame in enumerate(frames):
        count = teeth[place] or train.count(radii[place])
        wheels.append(train.wheel(frame.part, frame.origin, radii[place], count, place == ring))
        sketch.wheel(frame.part, frame.origin, radii[place])
    _set_phases(wheels, frames, layout)


def _sizes(
    joint: joints.Gear, layout: Layout, frames: tuple[Fixed, Fixed]
) -> tuple[list[float], list[int]] | None:
    """Radii, and numbers of teeth (0 where they are not given). Teeth alone share the distance of the centres."""
    counts = [abs(each) for each in layout.numbers(*joint.teeth)] if joint.teeth else [0.0, 0.0]
    if not all(math.isfinite(each) for each in counts):
        return None
    teeth = [round(each) for each in counts]
    if max(teeth) > MOST_TEETH:
        teeth = [max(round(each * MOST_TEETH / max(counts)), 6) for each in counts]
    if joint.radii:
        radii = [abs(each) for each in layout.numbers(*joint.radii)]
    else:
        first, second = (layout.path(frame.part, frame.origin)[0] for frame in frames)
        total = abs(counts[0] - counts[1]) if joint.internal else counts[0] + counts[1]
        radii = [
            float(np.linalg.norm(second - first)) * each / total if total else math.nan for each in counts
        ]
    usable = all(0 < radius < math.inf for radius in radii)
    return (radii, teeth) if usable else None


def _set_phases(wheels: list[Wheel], frames: tuple[Fixed, Fixed], layout: Layout) -> None:
    """Fit the second wheel to the first, or the first to the second when only that has its phase."""
    centres = [layout.path(frame.part, frame.origin)[0] for frame in frames]
    heading = math.atan2(*(centres[1] - centres[0])[::-1])
    internal = wheels[0].internal or wheels[1].internal
    # The pitch circles touch between the centres; for a ring, on the pinion's side that is away from its middle.
    towards = [heading, heading if internal else heading + math.pi]
    if wheels[1].internal:
        towards = [heading + math.pi, heading + math.pi]
    local = [angle - layout.turn(wheel.part) for angle, wheel in zip(towards, wheels, strict=True)]
    known, other = (1, 0) if wheels[0].phase is None and wheels[1].phase is not None else (0, 1)
    if wheels[known].phase is None:
        wheels[known].phase = local[known]
    if wheels[other].phase is None:
        teeth = wheels[known].before(local[known])
        offset = teeth if internal else 0.5 - teeth
        wheels[other].phase = local[other] - offset * TURN / wheels[other].teeth


# ------------------------------------------------------------------------------------------------ racks


def racks(layout: Layout) -> set[str]:
    """The parts that are toothed bars."""
    found = (
        rack_frames(joint, layout)
        for joint in layout.machine.joints.values()
        if isinstance(joint, joints.Rack)
    )
    return {frames[1] for frames in found if frames is not None}


def rack_frames(joint: joints.Rack, layout: Layout) -> tuple[Fixed, str, complex] | None:
    """The pinion's centre, the rack, and its way in the world in the first frame."""
    if not joint.axles:
        way = complex(*layout.numbers(*joint.axis)) * cmath.exp(1j * layout.turn(joint.carrier))
        return axle_of(layout, joint.pinion, joint.carrier), joint.rack, way
    first, second = (_pair_frames(layout, name) for name in joint.axles)
    if first is None or second is None:
        return None
    carrier = next(iter({each.part for each in first} & {each.part for each in second}), first[0].part)
    slide = _off_carrier(second, carrier)
    way = complex(*slide.axes[0]) * cmath.exp(1j * layout.turn(slide.part))
    return _off_carrier(first, carrier), slide.part, way


def _rack(joint: joints.Rack, sketch: Sketch, train: Train) -> None:
    """A rack touches its pinion at C − radius·left(axis): there turning to the left moves it along the axis."""
    layout = sketch.layout
    frames = rack_frames(joint, layout)
    if frames is None:
        return
    pinion, rack, way = frames
    radius = layout.number(joint.radius)
    if not 0 < abs(radius) < math.inf or not 0 < abs(way) < math.inf:
        return
    way = way / abs(way)
    wheel = train.wheel(pinion.part, pinion.origin, abs(radius), train.count(abs(radius)), False)
    sketch.wheel(pinion.part, pinion.origin, abs(radius))
    down = -1j * way * (1 if radius > 0 else -1)  # from the pinion's centre to the rack
    contact = math.atan2(down.imag, down.real) - layout.turn(pinion.part)
    if wheel.phase is None:
        wheel.phase = contact + math.pi / wheel.teeth  # a gap of the pinion, a tooth of the rack
    pitch = TURN * abs(radius) / wheel.teeth
    touching = layout.path(pinion.part, pinion.origin) + abs(radius) * np.array([down.real, down.imag])
    on_rack = layout.into(Fixed(rack, np.zeros(2), np.eye(2)), touching)
    along = 1j * down * np.exp(-1j * layout.turn(rack))  # teeth point to the left of it
    places = (on_rack - on_rack[0]) @ np.array([along.real, along.imag])
    low, high = float(np.min(places)), float(np.max(places))
    # Where the pinion's gap meets the rack in the first frame stands a tooth; `at` is that of the middle.
    shift = (wheel.before(contact) - 0.5) * pitch
    middle = shift + round(((low + high) / 2 - shift) / pitch) * pitch
    half = max(high - middle, middle - low) + max(3 * pitch, 0.4 * abs(radius))
    at = on_rack[0] + middle * np.array([along.real, along.imag])
    if not sketch.is_solid(rack):
        sketch.add(rack, Rack, at, math.atan2(along.imag, along.real), 2 * half, pitch)
    sketch.wheel(rack, at, half)


# ------------------------------------------------------------------------------------------------ belts


def _belt(joint: joints.Belt, sketch: Sketch) -> None:
    frames = wheel_frames(joint, sketch.layout)
    if frames is None:
        return
    first, second = frames
    centres = [sketch.layout.path(frame.part, frame.origin)[0] for frame in frames]
    gap = float(np.linalg.norm(centres[1] - centres[0]))
    sizes = [abs(each) for each in sketch.layout.numbers(*(joint.radii or joint.teeth or ()))]
    if len(sizes) != 2 or not all(0 < size < math.inf for size in sizes):
        return
    radii = sizes if joint.radii else [0.6 * gap * size / sum(sizes) for size in sizes]
    for frame, radius in zip(frames, radii, strict=True):
        sketch.add(frame.part, Disc, frame.origin, radius)
        sketch.wheel(frame.part, frame.origin, radius)
    if joint.crossed and gap > sum(radii):
        line = crossed_belt(complex(*centres[0]), radii[0], complex(*centres[1]), radii[1])
        carrier = Fixed(joint.carrier, np.zeros(2), np.eye(2))
        world = np.array([[point.real, point.imag] for point in line])
        local = [
            sketch.layout.into(carrier, np.broadcast_to(spot, sketch.layout.poses[:, 0, :2].shape))[0]
            for spot in world
        ]
        sketch.add(joint.carrier, Curve, [tuple(spot.tolist()) for spot in local])
        return
    sketch.connect("belt", (first.part, first.origin, radii[0]), (second.part, second.origin, radii[1]))


def crossed_belt(first: complex, r1: float, second: complex, r2: float) -> list[complex]:
    """A belt that crosses itself: the inner tangents touch at phase(d) ± acos((r1 + r2)/|d|)."""
    between = second - first
    heading, touch = math.atan2(between.imag, between.real), math.acos((r1 + r2) / abs(between))
    around = np.linspace(touch, TURN - touch, 40)
    one = first + r1 * np.exp(1j * (heading + around))
    other = second + r2 * np.exp(1j * (heading + math.pi - around))
    return [*one.tolist(), *other.tolist(), complex(one[0])]
