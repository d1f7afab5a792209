"""Parts that would lie in one another somewhere on the way of a joint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from linkwork.collision.compare import Clash, Known, Parts
from linkwork.collision.report import report
from linkwork.collision.way import ways_of
from linkwork.errors import UsageError
from linkwork.kinematics import independent
from linkwork.model import Machine
from linkwork.model.joint import Fixed
from linkwork.model.joint.base import Pair
from linkwork.model.part import GROUND
from linkwork.model.solids import part_solids
from linkwork.recognition import Variable, recognise
from linkwork.results import Viewable

STEPS: Final = 180
"""Positions of the parts on each turn of a joint, or on its way; between them the motion is smooth."""

DRAWN: Final = 1e-9
"""What a coordinate may differ from zero in a machine that stands as it is drawn."""


@dataclass(frozen=True, repr=False)
class Clashes(Viewable):
    """What collides, and which ways were looked at: (drive, first value, last value, how it ended)."""

    machine: Machine
    clashes: tuple[Clash, ...]
    ways: tuple[tuple[str, float, float, str], ...]
    turning: frozenset[str] = frozenset()
    """The drives that turn something; others shift."""

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        ways = [dict(zip(("drive", "from", "to", "status"), way, strict=True)) for way in self.ways]
        return {"clashes": [each.to_json() for each in self.clashes], "ways": ways}

    def to_frame(self) -> dict[str, list[Any]]:
        """The clashes as columns, ready for a data frame: ``pandas.DataFrame(found.to_frame())``."""
        rows = [each.to_json() for each in self.clashes]
        return {key: [row[key] for row in rows] for key in (rows[0] if rows else ())}

    def __str__(self) -> str:
        return report(self)

    def __repr__(self) -> str:
        return f"Clashes of {self.machine.name}: {len(self.clashes)} on {len(self.ways)} ways"


def clash(machine: Machine, steps: int = STEPS) -> Clashes:
    """Drive a machine of solids over the travel of its joints, and see which parts collide.

    A machine with drives goes their way. Otherwise each state variable goes its own, while all others stand where they
    are drawn: what slides goes its length along the slide both ways; what turns goes as many turns as its wheels need
    until all stand as before, or the slowest has made a turn. Where no joint lets anything move there is no way at all.
    """
    variables: tuple[Variable, ...] = ()
    known: Known | None = None
    frame = GROUND
    if machine.is_unjoined:
        found = recognise(machine)
        assert found.machine is not None
        machine, variables, known = found.machine, found.variables(), Known.by(found)
        frame = found.ground
    elif not machine.drives:
        variables = _given_variables(machine)
    if not (machine.drives or any(variable.joint for variable in variables)):
        guided = _guided(machine)
        if guided and known is None:
            raise UsageError(
                f"nothing says which way {machine.name} goes",
                wanted="a drive, or solids without joints",
                fix=f'[drive.way]\njoint = "{guided[0]}"',
            )
        return Clashes(machine, (), ())
    solids = part_solids(machine)
    if not solids:
        raise UsageError(
            f"the machine {machine.name} has no solids that could collide",
            wanted="parts with a solid",
            fix='[part.wheel]\nsolid = "cylinder(d=10, h=1);"',
        )
    ways = list(ways_of(machine, variables, solids, steps))
    parts = Parts.of(machine, solids, known or Known.of(machine, solids))
    clashes = [_told(each, frame) for way in ways for each in parts.clashes(way, steps)]
    turning = frozenset(way.drive for way in ways if way.is_angle)
    return Clashes(machine, tuple(clashes), tuple(way.told for way in ways), turning)


def _given_variables(machine: Machine) -> tuple[Variable, ...]:
    """The variables of a machine whose joints are given, if all stand at zero as drawn, as those that were found do."""
    world, told = machine.world(), []
    for drive, value in independent(machine):
        joint = machine.joints.get(drive.joint)
        if abs(value) > DRAWN or (joint is not None and not isinstance(joint, Pair)):
            return ()
        if isinstance(joint, Pair):
            on, part = (end.part for end in joint.frames(world))
            told.append(Variable(part, drive.coordinate, "" if on == GROUND else on, drive.joint))
        else:
            part, _, coordinate = drive.of.rpartition(".")
            told.append(Variable(part, coordinate))
    return tuple(told)


def _guided(machine: Machine) -> list[str]:
    """The joints that let parts move."""
    return [name for name, joint in machine.joints.items() if not isinstance(joint, Fixed)]


def _told(clash: Clash, frame: str) -> Clash:
    """A clash with the name that the file has for the part that stands still."""
    first, second = (frame if part == GROUND else part for part in clash.parts)
    return replace(clash, parts=(first, second))
