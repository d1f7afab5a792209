"""The ways that a machine can go: which joint is driven, from where to where, and the rows of positions on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from linkwork.algebra import evaluate
from linkwork.collision.screw import quaternion_rates
from linkwork.collision.track import Track, Tracks
from linkwork.errors import LinkworkError
from linkwork.kinematics import Mechanism, Motion
from linkwork.kinematics.units import drives_an_angle
from linkwork.model import Drive, Frame, Machine
from linkwork.model.joint import Fixed, Planar, Prismatic, Revolute, Spherical
from linkwork.model.ordered import Ordered
from linkwork.model.part import GROUND
from linkwork.recognition import Variable
from linkwork.solid import Solid
from linkwork.solid.pieces import pieces
from linkwork.solid.placement import Floats, triple
from linkwork.solid.section import frame_across

MOST_TURNS: Final = 2000
"""Turns of a driven wheel that are looked at, at most."""
MOST_ROWS: Final = 50_000
"""Rows of a way, at most, if each turn has a few."""
FEWEST_A_TURN: Final = 24
"""Rows of a turn, at least: between them positions are right to 10⁻⁵."""
STEADY: Final = 1e-6
"""How far from a whole number turns may be that are one; how little of a turn is none."""
BEYOND: Final = 1.001
"""How far beyond a dead point a drive is sent that turns back there, so that many rows are before it."""
A_LITTLE: Final = 1e-3
"""How far a part is shifted, of its size, to see in which direction it slides."""
BALL_TURNS: Final = {"turn_x": (1, 0, 0), "turn_y": (0, 1, 0), "turn_z": (0, 0, 1)}
"""The axes about which a ball turns, one after the other."""
SHIFTS: Final = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
"""The directions along which a part shifts that faces hold."""
CUT_SHORT: Final = "cut short"
"""How a way ends whose slowest wheel has not made a turn yet."""


@dataclass(frozen=True, eq=False)
class Way:
    """The rows of a motion: the values of its drive, where the parts are, and how it ended.

    ``rows_a_turn`` are the rows after which the drive has made a turn, 0 if it goes no turn.
    """

    drive: str
    values: Floats
    tracks: Tracks
    status: str
    is_angle: bool
    rows_a_turn: int = 0
    limit: float | None = None
    """The value at which the drive turns back, at a dead point."""

    @property
    def told(self) -> tuple[str, float, float, str]:
        """The drive, its first value, the one farthest from it, and how it ended."""
        first = float(self.values[0]) + 0.0
        farthest = float(self.values[int(np.argmax(np.abs(self.values - first)))]) + 0.0
        return self.drive, first, farthest if self.limit is None else self.limit, self.status

    def value(self, row: float) -> float:
        """The value of the drive at a row, or between two."""
        return float(np.interp(row, np.arange(len(self.values)), self.values)) + 0.0


def ways_of(
    machine: Machine, variables: Sequence[Variable], solids: Mapping[str, Solid], steps: int
) -> Iterator[Way]:
    """The ways of a machine: that of its drives, or of each variable on its own while others stand."""
    if machine.drives:
        yield from _given(machine, steps)
        return
    names = _names(variables)
    loose = _loose_joints(machine, variables)
    held = [
        each
        for each in variables
        if (each.joint and each.joint not in loose) or (machine.dimension == 2 and each.part in machine.parts)
    ]
    for chosen in (each for each in variables if each.joint):
        others = {names[each]: _at_rest(each) for each in held if each != chosen}
        along = "angle" if _turns(chosen) else "displacement"
        driven = replace(chosen, coordinate=along) if chosen.joint in loose else chosen
        moving = _Variable(_pinned(machine, loose, chosen), names[chosen], driven, others, math.tau, steps)
        yield from (moving if _turns(chosen) else moving.sliding(solids)).ways()


def _loose_joints(machine: Machine, variables: Sequence[Variable]) -> frozenset[str]:
    """The ball joints and planes of which all three motions are variables: none is a coordinate of its joint."""
    moving = [each.joint for each in variables if each.joint]
    return frozenset(
        joint
        for joint in moving
        if isinstance(machine.joints[joint], (Spherical, Planar)) and moving.count(joint) == 3
    )


def _pinned(machine: Machine, loose: frozenset[str], chosen: Variable) -> Machine:
    """A machine whose loose joints stand still, but for one that lets through the motion that is chosen."""
    joints, frames = dict(machine.joints), dict(machine.frames)
    for name in loose:
        joint = machine.joints[name]
        assert isinstance(joint, (Spherical, Planar))
        assert joint.between is not None  # recognition gives it two frames
        joints[name] = Fixed(joint.between)
        if name == chosen.joint:
            joints[name] = (Revolute if _turns(chosen) else Prismatic)(joint.between)
            if chosen.coordinate != "angle":  # that turns about the normal of a plane, which the frames have
                axis = BALL_TURNS.get(chosen.coordinate) or _shift(chosen, machine.frames[joint.between[0]])
                frames |= {end: replace(machine.frames[end], z=axis) for end in joint.between}
    return replace(machine, joints=Ordered(joints), frames=Ordered(frames)) if loose else machine


def _shift(chosen: Variable, plane: Frame) -> tuple[float, float, float]:
    """The direction in a plane along which one of the coordinates of a part changes fastest."""
    assert plane.z is not None  # recognition gives it the normal
    normal = np.asarray(evaluate(list(plane.z), {}))
    normal /= np.linalg.norm(normal)
    way = np.asarray(SHIFTS[chosen.coordinate])
    return triple(way - (way @ normal) * normal)


def _names(variables: Sequence[Variable]) -> dict[Variable, str]:
    """What the drive of each variable is called: like its joint, if that has no other variable."""
    joints = [each.joint or each.part for each in variables]
    return {
        each: joint if each.joint and joints.count(joint) == 1 else f"{joint}_{each.coordinate}"
        for each, joint in zip(variables, joints, strict=True)
    }


def _at_rest(variable: Variable) -> Drive:
    if variable.joint:
        return Drive(variable.joint, variable.coordinate, value=0)
    return Drive(of=f"{variable.part}.{variable.coordinate}", value=0)


def _turns(variable: Variable) -> bool:
    return variable.coordinate == "angle" or variable.coordinate.startswith("turn_")


def _given(machine: Machine, steps: int) -> Iterator[Way]:
    """The way of the drives of a machine; if it ends early, also from the other end."""
    name, drive = next(iter(machine.drives.items()))
    way = _moved(machine, name, steps, through=False)
    yield way
    if way.status != "complete" and drive.range is not None and len(machine.drives) == 1:
        back = replace(drive, range=(drive.range[1], drive.range[0]))
        try:
            yield _moved(replace(machine, drives=Ordered({name: back})), name, steps, through=False)
        except LinkworkError:  # at its last value it cannot be put together
            return


@dataclass(frozen=True, eq=False)
class _Variable:
    """A variable that goes its way while others stand."""

    machine: Machine
    name: str
    chosen: Variable
    others: Mapping[str, Drive]
    far: float
    steps: int

    def sliding(self, solids: Mapping[str, Solid]) -> _Variable:
        """The same that goes the length of its part, along the direction in which this begins to slide."""
        if self.chosen.part not in solids:
            return replace(self, far=1.0)
        solid = solids[self.chosen.part]
        largest = float(np.ptp(solid.box, axis=0).max())
        begin = replace(self, steps=2)._driven(
            self.name, self.chosen.joint, self.chosen.coordinate, A_LITTLE * largest
        )
        own, other = begin.tracks[self.chosen.part], begin.tracks[self.chosen.on or GROUND]
        first, last = (
            other.placement(row).inverse.holding(own.placement(row)).origin for row in (0, len(own.rows) - 1)
        )
        if math.dist(first, last) < A_LITTLE**2 * largest:  # it is stuck
            return replace(self, far=largest)
        along = frame_across(triple(np.subtract(last, first))).inverse
        ends = [piece.placed.box for piece in pieces(solid.placed(along)) if piece.adds]  # each where it lies
        return replace(self, far=float(np.ptp(np.concatenate(ends)[:, 2])))

    def ways(self) -> Iterator[Way]:
        """A whole turn, or as many as the wheels need; both ways along a slide; to and fro between dead points."""
        own = self.name, self.chosen.joint, self.chosen.coordinate
        way = self._driven(*own, self.far)
        if way.status == "complete":
            yield self._longer(way)
            if not _turns(self.chosen):
                yield self._driven(*own, -self.far)
            return
        other = next(self._turned_otherwise(), None)
        if other is not None:
            yield self._longer(other)
            return
        for far in (self.far, -self.far):
            found = self._driven(*own, far, through=True)
            yield found if found.limit is None else self._driven(*own, BEYOND * found.limit, through=True)

    def _driven(self, name: str, joint: str, coordinate: str, far: float, *, through: bool = False) -> Way:
        """The way of a joint; where it cannot even begin, as at a dead point, that of one position."""
        drives = {name: Drive(joint, coordinate, range=(0, far)), **self.others}
        machine = replace(self.machine, drives=Ordered(drives))
        try:
            return _moved(machine, name, self.steps, through=through)
        except LinkworkError:
            drawn = np.zeros((1, len(machine.moving), 3 if machine.dimension == 2 else 7))
            drawn[:, :, 3:4] = 1.0
            return Way(
                name, np.zeros(1), tracks_of(machine, drawn, None), "stuck", drives_an_angle(machine, name)
            )

    def _turned_otherwise(self) -> Iterator[Way]:
        """The ways of other joints that can make a whole turn and so take the variable all along its way."""
        driven = {self.chosen.joint, *(drive.joint for drive in self.others.values())}
        for joint, each in self.machine.joints.items():
            if "angle" in each.angles() and joint not in driven:
                way = self._driven(joint, joint, "angle", 2 * math.pi)
                if way.status == "complete":
                    yield way

    def _longer(self, way: Way) -> Way:
        """The way with as many turns as wheels need until all stand as before, or the slowest has made one."""
        turns = _turns_needed(way) if way.rows_a_turn else 1
        if turns == 1:
            return way
        count = min(turns, MOST_TURNS)
        rows_a_turn = max(FEWEST_A_TURN, min(self.steps, MOST_ROWS // count))
        joint, coordinate = (
            (self.chosen.joint, self.chosen.coordinate) if way.drive == self.name else (way.drive, "angle")
        )
        drives = {way.drive: Drive(joint, coordinate), **self.others}
        machine = replace(self.machine, drives=Ordered(drives))
        values = np.linspace(0.0, 2 * math.pi * count, rows_a_turn * count + 1)
        columns = np.zeros((len(values), len(drives)))
        columns[:, 0] = values
        reached = Mechanism(machine).sweep(columns)
        width = 3 if machine.dimension == 2 else 7
        own = slice(0, width * len(machine.moving))
        shape = len(reached.q), len(machine.moving), width
        rates = reached.v[:, own].reshape(shape) * (values[1] - values[0])
        tracks = tracks_of(machine, reached.q[:, own].reshape(shape), rates)
        status = "stuck" if len(reached.q) < len(values) else CUT_SHORT if turns > count else "complete"
        return Way(way.drive, values[: len(reached.q)], tracks, status, way.is_angle, rows_a_turn)


def _moved(machine: Machine, name: str, steps: int, *, through: bool) -> Way:
    """The way of a drive, in so many steps or in more, where something would turn too far in one of them."""
    motion = Mechanism(machine).move(steps=steps, through=through)
    values = np.array(motion[name])
    status = motion.status
    dead = [limit.drives[name] for limit in motion.limits if limit.kind == "dead point"]
    if dead:
        status = "dead point"
    tracks = tracks_of(machine, motion.poses, _rates(motion))
    part = max(tracks, key=lambda each: tracks[each].turn)
    turns = tracks[part].turn * steps / math.tau
    if not turns * FEWEST_A_TURN <= MOST_ROWS:
        raise _too_long(name, values, part, turns)
    needed = math.ceil(turns * FEWEST_A_TURN)
    if steps < needed:
        return _moved(machine, name, needed, through=through)
    is_turn = status == "complete" and math.isclose(abs(values[-1] - values[0]), 2 * math.pi)
    is_angle = drives_an_angle(machine, name)
    return Way(
        name,
        values,
        tracks,
        status,
        is_angle,
        steps if is_turn and is_angle else 0,
        dead[0] if dead else None,
    )


def _too_long(name: str, values: Floats, part: str, turns: float) -> LinkworkError:
    """A drive on whose way so many rows are needed that few of them would be looked at."""
    most = MOST_ROWS // FEWEST_A_TURN
    first, last = float(values[0]), float(values[-1])
    error = LinkworkError(
        f"the way of the drive {name} is too long to be looked at",
        got=f"{part} makes {turns:.6g} turns",
        wanted=f"at most {most} turns of each part",
        why=f"{FEWEST_A_TURN} positions a turn are compared at least: with fewer, collisions would be missed",
        fix=f"range = [{first:g}, {first + most / turns * (last - first):.4g}]   # or less",
    )
    error.where = ("drive", name, "range")
    return error


def _rates(motion: Motion) -> Floats | None:
    """The rates of all coordinates, by the row: of a quaternion, half of what turns it, times itself."""
    if len(motion) < 2:
        return None
    words = ("vx", "vy", "rate") if motion.machine.dimension == 2 else ("vx", "vy", "vz", "wx", "wy", "wz")
    by_time = np.array([[motion[f"{part}.{word}"] for word in words] for part in motion.machine.moving])
    rates = np.moveaxis(by_time, 2, 0)
    if motion.machine.dimension == 3:
        turned = [
            quaternion_rates(motion.poses[:, part, 3:], rates[:, part, 3:]) for part in range(len(by_time))
        ]
        rates = np.concatenate([rates[:, :, :3], np.stack(turned, axis=1)], axis=2)
    return np.asarray(rates * np.gradient(motion["time"])[:, None, None])


def tracks_of(machine: Machine, poses: Floats, rates: Floats | None) -> dict[str, Track]:
    """Where all parts are: poses of the moving ones, by row, part and coordinate, and their rates by the row."""
    width = poses.shape[2] if poses.ndim == 3 else 3
    still = np.zeros((len(poses), width))
    if width == 7:
        still[:, 3] = 1.0
    found = {GROUND: Track.of(still)}
    for place, name in enumerate(machine.moving):
        found[name] = Track.of(poses[:, place], None if rates is None else rates[:, place])
    return found


def _turns_needed(way: Way) -> int:
    """After how many turns of the drive all parts have made whole turns, or the slowest has made one."""
    ratios = [
        abs(float(track.rows[-1, 2] - track.rows[0, 2])) / (2 * math.pi)
        for track in way.tracks.values()
        if track.rows.shape[1] == 3
    ]
    turning = [ratio for ratio in ratios if ratio > STEADY]
    if not turning:
        return 1
    parts = [Fraction(ratio).limit_denominator(MOST_TURNS) for ratio in turning]
    period = math.lcm(*(part.denominator for part in parts))
    is_exact = all(abs(float(part) - ratio) < STEADY for part, ratio in zip(parts, turning, strict=True))
    return period if is_exact and period <= MOST_TURNS else math.ceil(1 / min(turning) - STEADY)
