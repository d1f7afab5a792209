"""Parts that would lie in one another somewhere on the way of a joint."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from linkwork.errors import UsageError
from linkwork.kinematics import Motion, move
from linkwork.model import Drive, Machine
from linkwork.model.ordered import Ordered
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.recognition import Variable, recognise
from linkwork.recognition.body import Body
from linkwork.recognition.finding import SKIN, TOLERANCE
from linkwork.recognition.overlap import Overlap, Shell, overlap
from linkwork.recognition.skin import skin
from linkwork.solid import Placement
from linkwork.solid.placement import Floats, Triple

STEPS: Final = 180
"""Positions on the way of a joint in which parts are compared."""
HALVINGS: Final = 12
"""How often the place between two positions is looked for more closely at which parts begin to collide, or cease to."""
LEAST_DEPTH: Final = 10
"""How many tolerances parts must lie in one another to collide; those that touch do not."""


@dataclass(frozen=True)
class Clash:
    """Two parts that collide on the way of a drive: from which value of it to which, and where they are deepest."""

    parts: tuple[str, str]
    drive: str
    at: float
    until: float
    depth: float
    deepest_at: float
    point: Triple

    def to_json(self) -> dict[str, Any]:
        """The clash as plain data."""
        return {
            "parts": list(self.parts),
            "drive": self.drive,
            "at": self.at,
            "until": self.until,
            "depth": self.depth,
            "deepest_at": self.deepest_at,
            "point": list(self.point),
        }


@dataclass(frozen=True)
class Clashes:
    """What collides, and which ways were looked at: (drive, first value, last value, how it ended)."""

    machine: Machine
    clashes: tuple[Clash, ...]
    ways: tuple[tuple[str, float, float, str], ...]

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        ways = [dict(zip(("drive", "from", "to", "status"), way, strict=True)) for way in self.ways]
        return {"clashes": [each.to_json() for each in self.clashes], "ways": ways}


def clash(machine: Machine, steps: int = STEPS) -> Clashes:
    """Drive a machine of solids over the travel of its joints, and see which parts collide.

    A machine with drives goes their way. Otherwise each state variable goes its own, a whole turn or the length of what
    slides, while all others stand where they are drawn.
    """
    variables: tuple[Variable, ...] = ()
    if machine.is_unjoined:
        found = recognise(machine)
        assert found.machine is not None
        machine, variables = found.machine, found.joint_variables()
    if not (machine.drives or variables):
        raise UsageError(
            f"nothing says which way {machine.name} goes",
            wanted="a drive, or solids without joints",
            fix=f'[drive.way]\njoint = "{next(iter(machine.joints), "crank")}"',
        )
    solids = part_solids(machine)
    if not solids:
        raise UsageError(
            f"the machine {machine.name} has no solids that could collide",
            wanted="parts with a solid",
            fix='[part.wheel]\nsolid = "cylinder(d=10, h=1);"',
        )
    low = np.min([solid.box[0] for solid in solids.values()], axis=0)
    high = np.max([solid.box[1] for solid in solids.values()], axis=0)
    size = float(np.linalg.norm(high - low))
    bodies = {name: Body(name, solid, SKIN * size) for name, solid in solids.items()}
    shells = {name: Shell.of(body, skin(body)) for name, body in bodies.items()}
    clashes: list[Clash] = []
    ways = []
    for drive, driven in _ways(machine, variables, _lengths(bodies)):
        motion = move(driven, steps=steps)
        values = np.array(motion[drive])
        ways.append((drive, float(values[0]), float(values[-1]), motion.status))
        clashes += _along(motion, drive, values, shells, LEAST_DEPTH * TOLERANCE * size)
    return Clashes(machine, tuple(clashes), tuple(ways))


# ----------------------------------------------------------------------------------------------- ways

Way = tuple[str, Machine]


def _lengths(bodies: Mapping[str, Body]) -> dict[str, float]:
    """How long each part is: what slides goes no farther."""
    return {name: float(np.max(body.box[1] - body.box[0])) for name, body in bodies.items()}


def _ways(machine: Machine, variables: Sequence[Variable], lengths: Mapping[str, float]) -> Iterator[Way]:
    """The drive of each way, and the machine driven so."""
    if machine.drives:
        yield next(iter(machine.drives)), machine
        return
    for chosen in variables:
        for first, last in _range(chosen, lengths):
            drives = {
                each.joint: Drive(each.joint, each.coordinate, value=0)
                for each in variables
                if each != chosen
            }
            moving = Drive(chosen.joint, chosen.coordinate, range=(first, last))
            yield chosen.joint, replace(machine, drives=Ordered({chosen.joint: moving, **drives}))


def _range(variable: Variable, lengths: Mapping[str, float]) -> list[tuple[float, float]]:
    if variable.coordinate == "angle":
        return [(0.0, 2 * math.pi)]
    length = lengths.get(variable.part, 1.0)
    return [(0.0, length), (0.0, -length)]


# ----------------------------------------------------------------------------------------- on the way


def _along(
    motion: Motion, drive: str, values: Floats, shells: Mapping[str, Shell], least: float
) -> Iterator[Clash]:
    """The clashes of all pairs of parts on one way."""
    names = list(shells)
    places = [_placements(motion, row) for row in range(len(values))]
    for number, a in enumerate(names):
        for b in names[number + 1 :]:
            look = _Look((shells[a], shells[b]), [(each[a], each[b]) for each in places], least)
            found: dict[int, Overlap] = {}
            for row in range(len(values)):
                if row == 0 or look.places[row] != look.places[row - 1]:
                    each = look.at(row)
                    if each is not None:
                        found[row] = each
            if found:
                deepest = max(found, key=lambda row: found[row].depth)
                ends = look.begin(min(found)), look.end(max(found))
                at, until = (float(np.interp(end, np.arange(len(values)), values)) for end in ends)
                depth, point = found[deepest].depth, found[deepest].at
                yield Clash((a, b), drive, at, until, depth, float(values[deepest]), point)


@dataclass(frozen=True, eq=False)
class _Look:
    """Two parts on their way: where they are at each row of a motion, and between rows."""

    shells: tuple[Shell, Shell]
    places: Sequence[tuple[Placement, Placement]]
    least: float

    def at(self, row: float) -> Overlap | None:
        """How deep they lie in one another at a row, or between two."""
        before = min(int(row), len(self.places) - 1)
        moved = self.places[before]
        if row > before:
            later = self.places[before + 1]
            moved = (
                _between(moved[0], later[0], row - before),
                _between(moved[1], later[1], row - before),
            )
        return overlap(*self.shells, self.least, moved) if _may_meet(*self.shells, moved) else None

    def begin(self, row: int) -> float:
        """Where between this row and the one before they begin to collide."""
        return 0.0 if row == 0 else self._edge(row, row - 1)

    def end(self, row: int) -> float:
        """Where between this row and the next they cease to."""
        return float(row) if row == len(self.places) - 1 else self._edge(row, row + 1)

    def _edge(self, inside: float, outside: float) -> float:
        for _ in range(HALVINGS):
            half = (inside + outside) / 2
            inside, outside = (inside, half) if self.at(half) is None else (half, outside)
        return inside


def _between(first: Placement, second: Placement, share: float) -> Placement:
    """A placement between two that are close: the turn goes on evenly, and so does the shift."""
    turn = second.matrix @ first.matrix.T
    sine = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    size = float(np.linalg.norm(sine))
    angle = math.atan2(size, (float(np.trace(turn)) - 1) / 2)
    origin = (1 - share) * np.array(first.origin) + share * np.array(second.origin)
    if size < 1e-12:
        return Placement.of(first.matrix, origin)
    return Placement.of(Placement.turn(share * angle, sine.tolist()).matrix @ first.matrix, origin)


def _may_meet(a: Shell, b: Shell, moved: tuple[Placement, Placement]) -> bool:
    """Whether the balls around two parts meet."""
    middles = [
        place.point((each.body.box[0] + each.body.box[1]) / 2)
        for each, place in zip((a, b), moved, strict=True)
    ]
    radii = [float(np.linalg.norm(each.body.box[1] - each.body.box[0])) / 2 for each in (a, b)]
    return float(np.linalg.norm(middles[0] - middles[1])) <= sum(radii)


def _placements(motion: Motion, row: int) -> dict[str, Placement]:
    """How far each part has moved at a row of a motion."""
    found = {GROUND: Placement()}
    for name, pose in zip(motion.machine.moving, motion.poses[row], strict=True):
        found[name] = _plane_placement(pose) if len(pose) == 3 else _space_placement(pose)
    return found


def _plane_placement(pose: Floats) -> Placement:
    x, y, angle = map(float, pose)
    turned = Placement.turn(angle)
    return Placement(turned.axes, (x, y, 0.0))


def _space_placement(pose: Floats) -> Placement:
    w, x, y, z = (float(value) for value in pose[3:])
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return Placement.of(matrix, pose[:3])
