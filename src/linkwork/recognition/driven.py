"""Drives that a file gives for a machine of solids, carried over to the machine with joints.

The file may name a joint as it is found, or a coordinate of a part: those of the plane or of space, and the ``angle``
or ``displacement`` in the part's own joint, by which ``recognise`` tells its motions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from linkwork.errors import UnknownName
from linkwork.model.drive import Drive
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.part import GROUND
from linkwork.model.placed import coordinate_names
from linkwork.recognition.carried import Carried
from linkwork.recognition.pair import Pair

_COORDINATES: Mapping[str, tuple[str, ...]] = {
    "revolute": ("angle",),
    "prismatic": ("displacement",),
    "cylindrical": ("angle", "displacement"),
    "screw": ("angle", "displacement"),
}
"""What the coordinates of pairs are called that have a single axis."""


@dataclass(frozen=True, eq=False)
class Driven:
    """The pairs that were found, and what leads from the given machine to that with joints."""

    pairs: Sequence[Pair]
    carried: Carried

    def drives(self) -> dict[str, Drive]:
        """The drives of the file."""
        return {name: self._drive(name, drive) for name, drive in self.carried.given.drives.items()}

    def _drive(self, name: str, drive: Drive) -> Drive:
        if drive.joint:
            joints = [pair.name for pair in self.pairs]
            if drive.joint not in joints:
                raise _unknown(name, "joint", drive.joint, joints, next(iter(self._own_coordinates()), ""))
            return drive
        owner, _, which = drive.of.rpartition(".")
        if owner not in self.carried.part_of:
            return replace(drive, of=f"{self.carried.reference(owner)}.{which}")
        part = self.carried.part_of[owner]
        if part != GROUND and which in coordinate_names(self.carried.dimension):
            return replace(drive, of=f"{part}.{which}")
        known = self._own_coordinates()
        if f"{part}.{which}" not in known:
            own = coordinate_names(self.carried.dimension)[:3]
            parts = [each for each in dict.fromkeys(self.carried.part_of.values()) if each != GROUND]
            plain = [f"{part}.{each}" for part in parts for each in own]
            raise _unknown(name, "of", drive.of, [*dict.fromkeys([*known, *plain])], next(iter(known), ""))
        pair = known[f"{part}.{which}"]
        return replace(drive, of="", joint=pair.name, coordinate=which if pair.kind == "cylindrical" else "")

    def _own_coordinates(self) -> dict[str, Pair]:
        """The coordinates of pairs by the parts that move in them: against the frame, or else against another part."""
        found: dict[str, Pair] = {}
        ends = {pair: [self.carried.part_of[part] for part in pair.parts] for pair in self.pairs}
        for pair in sorted(self.pairs, key=lambda each: GROUND not in ends[each]):
            for which in _COORDINATES.get(pair.kind, ()):
                found.setdefault(f"{ends[pair][1]}.{which}", pair)
        return found


def _unknown(drive: str, key: str, given: str, names: Sequence[str], example: str) -> UnknownName:
    noun = "joint" if key == "joint" else "coordinate"
    error = UnknownName(
        f"the drive {drive}: in the machine that is found there is no {noun} '{given}' that moves",
        got=f'{key} = "{given}"',
        wanted=listed(names) or "none: nothing moves",
        fix=did_you_mean(given, names, f'of = "{example}"' if example else f"remove [drive.{drive}]"),
    )
    error.where = ("drive", drive, key)
    return error
