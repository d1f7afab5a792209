"""Rough places for all parts, from which assembly starts: what the user drew, else along the joints.

Parts with a given place keep it. The others are hung one after another on those that stand already: a part
goes where the joint's frames coincide, turned or shifted by the joint's rough coordinate (that of its drive
if there is one), or with the orientation that the user gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from heapq import heapify, heappop, heappush

import numpy as np

from linkwork.algebra import atan2, evaluate
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.numbers import Numbers
from linkwork.model import Machine, Ordered, World
from linkwork.model.joint import Pair, Turn
from linkwork.model.part import GROUND
from linkwork.model.placed import Placed
from linkwork.model.pose import Pose


class Stand:
    """A frame in numbers: origin and axes (columns); in the plane also its angle, whole turns included."""

    def __init__(self, origin: Matrix, axes: Matrix, angle: float = 0.0) -> None:
        self.origin = origin
        self.axes = axes
        self.angle = angle

    @classmethod
    def of(cls, placed: Placed, values: Mapping[str, float]) -> Stand:
        """A frame of expressions with values for their names."""
        size = placed.dimension
        found = evaluate([*placed.origin, *(entry for axis in placed.axes for entry in axis)], values)
        angle = 0.0 if placed.angle is None else evaluate([placed.angle], values)[0]
        return cls(np.array(found[:size]), np.array(found[size:]).reshape(size, size).T, angle)

    def holding(self, inner: Stand) -> Stand:
        """The frame that is ``inner`` when seen from this one."""
        angle = self.angle + inner.angle
        return Stand(self.origin + self.axes @ inner.origin, self.axes @ inner.axes, angle)

    def inverse(self) -> Stand:
        """This frame's world seen from it."""
        return Stand(-self.axes.T @ self.origin, self.axes.T, -self.angle)


def first_guess(
    numbers: Numbers,
    drive_values: Mapping[str, float],
    spread: Matrix | None = None,
    *,
    as_drawn: bool = True,
) -> Matrix:
    """Coordinates for all unknowns; ``spread`` turns the parts without a given orientation, in order.

    Not ``as_drawn``, the places that the user gave are passed over, and all parts hung along the joints.
    """
    machine = numbers.system.machine
    if not as_drawn:
        loose = {name: replace(part, start=None) for name, part in machine.parts.items()}
        machine = replace(machine, parts=Ordered(loose))
    stands = _stands(machine, machine.world(), numbers.parameters, drive_values, spread, as_drawn)
    world = numbers.system.machine.world()
    found = [entry for part in machine.moving for entry in coordinates_of(stands[part])]
    names = {each.name: value for each, value in zip(numbers.system.unknowns, found, strict=False)}
    values = {**numbers.parameters, **names}
    own = [
        _own_start(world, each.name, values, drive_values) for each in numbers.system.unknowns[len(found) :]
    ]
    return np.array([*found, *own])


def _own_start(
    world: World, name: str, values: Mapping[str, float], drive_values: Mapping[str, float]
) -> float:
    """A rough value for an unknown that belongs to a joint: driven, given, or as the parts stand."""
    joint, _, which = name.rpartition(".")
    record = world.machine.joints[joint]
    for drive_name, drive in world.machine.drives.items():
        if drive.joint == joint and drive.coordinate in ("", which):
            return drive_values.get(drive_name, 0.0)
    if isinstance(record, Pair) and (given := evaluate([record.start], values)[0]):
        return given
    measured = world.measured(joint).get(which)
    if isinstance(measured, Turn):
        return evaluate([atan2(measured.sine, measured.cosine)], values)[0]
    rough = record.rough(world).get(which)
    return record.unknowns().get(which, 0.0) if rough is None else evaluate([rough], values)[0]


def _stands(
    machine: Machine,
    world: World,
    parameters: Mapping[str, float],
    drive_values: Mapping[str, float],
    spread: Matrix | None,
    as_drawn: bool,
) -> dict[str, Stand]:
    at_rest = _identity(machine) | dict(parameters)
    size = machine.dimension
    stands = {GROUND: Stand(np.zeros(size), np.eye(size))}
    joints = {
        name: joint
        for name, joint in machine.joints.items()
        if isinstance(joint, Pair) and not joint.joints()
    }
    for name in machine.moving:
        if as_drawn and _is_drawn(machine, name, joints.values()):
            stands[name] = Stand.of(world.start(name), parameters)
    for name, joint in _from_the_ground_up(world, joints, stands):
        first, second = joint.frames(world)
        if first.part in stands and second.part in stands:
            continue
        turned_over = first.part not in stands
        local = [Stand.of(each, at_rest) for each in (first, second)]
        start = _joint_start(machine, name, joint, parameters, drive_values)
        between = _moved(joint.word, start, size)
        if turned_over:
            local.reverse()
            between = between.inverse()
        child = first.part if turned_over else second.part
        parent = stands[second.part if turned_over else first.part]
        stands[child] = _hung(
            machine, world, child, parent.holding(local[0]).holding(between), local[1], parameters
        )
        if spread is not None and not _has_turn(machine, child):
            stands[child] = _turned(stands[child], local[1], spread[list(machine.moving).index(child)])
    for name in machine.moving:
        stands.setdefault(name, Stand.of(world.start(name), parameters))
    return stands


def _identity(machine: Machine) -> dict[str, float]:
    """All parts at the origin, not turned."""
    found: dict[str, float] = {}
    for part in machine.moving:
        for name in ("x", "y", "z", "angle", "q1", "q2", "q3"):
            found[f"{part}.{name}"] = 0.0
        found[f"{part}.q0"] = 1.0
    return found


def _is_drawn(machine: Machine, part: str, joints: Iterable[Pair]) -> bool:
    """Whether the user said where a part stands, by a place or by joints given where they are drawn."""
    start = machine.parts[part].start
    if start is not None and start.at is not None:
        return True
    return any(joint.parts is not None and part in joint.parts for joint in joints)


def _has_turn(machine: Machine, part: str) -> bool:
    return machine.parts[part].start is not None


PREFERENCE = {"fixed": 0, "prismatic": 1, "revolute": 1, "cylindrical": 2, "screw": 2, "universal": 3}
"""Joints that fix more of a part come first when it is hung up; a rod comes last."""


def _from_the_ground_up(
    world: World, joints: Mapping[str, Pair], stands: Mapping[str, Stand]
) -> Iterator[tuple[str, Pair]]:
    """The joints in an order in which one of their parts stands already; ``stands`` grows meanwhile."""
    of_part: dict[str, list[tuple[int, int, str]]] = {}
    ends: dict[str, list[str]] = {}
    for place, (name, joint) in enumerate(joints.items()):
        rank = PREFERENCE.get(joint.word, 9 if joint.word == "distance" else 5)
        ends[name] = [world.frame(reference).part for reference in joint.references()]
        for part in ends[name]:
            of_part.setdefault(part, []).append((rank, place, name))
    ready = [entry for part in stands for entry in of_part.get(part, ())]
    heapify(ready)
    done: set[str] = set()
    while ready:
        _, _, name = heappop(ready)
        if name not in done:
            done.add(name)
            yield name, joints[name]
            for part in ends[name]:
                for entry in of_part[part]:
                    if entry[2] not in done:
                        heappush(ready, entry)


def _joint_start(
    machine: Machine,
    name: str,
    joint: Pair,
    parameters: Mapping[str, float],
    drive_values: Mapping[str, float],
) -> float:
    for drive_name, drive in machine.drives.items():
        if drive.joint == name and drive_name in drive_values:
            return drive_values[drive_name]
    return evaluate([joint.start], parameters)[0]


def _moved(word: str, amount: float, size: int) -> Stand:
    """The frame of the second part seen from the first, at this value of the joint's first coordinate."""
    along = 0 if size == 2 else 2
    if word in ("prismatic", "point-on-line", "distance"):
        origin = np.zeros(size)
        origin[along] = amount
        return Stand(origin, np.eye(size))
    axes = np.eye(size)
    cosine, sine = np.cos(amount), np.sin(amount)
    axes[:2, :2] = [[cosine, -sine], [sine, cosine]]
    return Stand(np.zeros(size), axes, amount)


def _hung(
    machine: Machine, world: World, part: str, place: Stand, local: Stand, parameters: Mapping[str, float]
) -> Stand:
    """The part whose frame ``local`` stands at ``place``, with the user's orientation where there is one."""
    stand = place.holding(local.inverse())
    if not _has_turn(machine, part):
        return stand
    drawn = Stand.of((machine.parts[part].start or Pose()).placed(machine.dimension), parameters)
    return Stand(place.origin - drawn.axes @ local.origin, drawn.axes, drawn.angle)


def _turned(stand: Stand, local: Stand, amount: float) -> Stand:
    """A part turned by an angle about its joint."""
    pivot = stand.holding(local)
    return pivot.holding(_moved("revolute", amount, len(stand.origin))).holding(local.inverse())


def coordinates_of(stand: Stand) -> list[float]:
    """The coordinates of a part that stands so."""
    if len(stand.origin) == 2:
        return [*stand.origin, stand.angle]
    return [*stand.origin, *quaternion_of(stand.axes)]


def quaternion_of(axes: Matrix) -> list[float]:
    """The unit quaternion of a rotation matrix, by the largest of its entries (Shepperd 1978)."""
    trace = float(np.trace(axes))
    squares = [trace, axes[0, 0], axes[1, 1], axes[2, 2]]
    place = int(np.argmax(squares))
    largest = np.sqrt(max(1 + 2 * squares[place] - trace, 0.0)) / 2
    factor = 1 / (4 * largest)
    x, y, z = axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0], axes[1, 0] - axes[0, 1]
    xy, xz, yz = axes[0, 1] + axes[1, 0], axes[0, 2] + axes[2, 0], axes[1, 2] + axes[2, 1]
    rows = [
        [0, x, y, z],
        [x, 0, xy, xz],
        [y, xy, 0, yz],
        [z, xz, yz, 0],
    ]
    found = [float(entry * factor) for entry in rows[place]]
    found[place] = float(largest)
    return found
