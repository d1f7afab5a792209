"""The parts of a machine, compared pair by pair on a way: which collide, from where to where, and how deep."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from linkwork.algebra import evaluate
from linkwork.collision.escape import segments, way_out
from linkwork.collision.flat import FlatPair, Level, Sections
from linkwork.collision.search import Stretch, overlapping, refined, tops
from linkwork.collision.space import SpacePair
from linkwork.collision.track import Track, Tracks
from linkwork.collision.way import Way
from linkwork.model import Machine
from linkwork.model.joint import Gear
from linkwork.model.part import GROUND
from linkwork.recognition import Recognition
from linkwork.recognition.body import Body
from linkwork.recognition.finding import SKIN, TOLERANCE
from linkwork.recognition.overlap import CLOSE, Overlap, Shell
from linkwork.recognition.skin import skin
from linkwork.recognition.teeth import CROWDING
from linkwork.solid import Placement, Solid
from linkwork.solid.placement import Floats, Triple

LEAST_DEPTH: Final = 10
"""How many tolerances parts must lie in one another to collide; those that touch do not."""
FINENESS: Final = 6
"""In how many pieces for each step the size of the machine is cut for the shortest stretch that is looked at."""
A_PITCH: Final = 12
"""In how many positions for each pitch gears in mesh are looked at, at most."""
MOST_LOOKS: Final = 20_000
"""In how many positions two parts are looked at, at most."""
Names = frozenset[str]
Pair = FlatPair | SpacePair


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
    out: tuple[float, float] | None = None
    """The shortest shift in the plane that gets the second part clear of the first there; None in space."""
    poses: Mapping[str, Placement] = field(default_factory=dict, repr=False, compare=False)
    """Where all parts are when the two are deepest."""

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
            "out": None if self.out is None else list(self.out),
        }


@dataclass(frozen=True)
class Meshing:
    """Two parts whose teeth mesh: their pitch, the teeth of both, and what carries their axes ("" for a rack)."""

    parts: tuple[str, str]
    pitch: float
    teeth: tuple[float, float]
    carrier: str

    def pitches(self, tracks: Tracks) -> Floats:
        """How many pitches have passed at each row."""
        if not self.carrier:
            return np.zeros(len(tracks[self.parts[0]].rows))
        angles = tracks[self.parts[0]].rows[:, 2] - tracks[self.carrier].rows[:, 2]
        return np.asarray(np.abs(angles - angles[0]) * self.teeth[0] / math.tau)


@dataclass(frozen=True)
class Known:
    """What is known of pairs of parts: the teeth of those that mesh, and which may meet at all (None: any)."""

    meshing: Mapping[Names, Meshing] = field(default_factory=dict)
    meeting: frozenset[Names] | None = None

    @classmethod
    def by(cls, found: Recognition) -> Known:
        """What recognition tells, by the parts of the machine that it found."""
        part_of = {
            name: members[0] if place else GROUND
            for place, members in enumerate(found.groups)
            for name in members
        }
        meshing = {}
        for pair in found.pairs:
            if pair.teeth is not None and pair.radii is not None:
                parts = part_of[pair.parts[0]], part_of[pair.parts[1]]
                carrier = part_of[pair.carrier or found.ground] if pair.kind == "gear" else ""
                pitch = math.tau * pair.radii[0] / pair.teeth[0]
                meshing[frozenset(parts)] = Meshing(parts, pitch, pair.teeth, carrier)
        touching = (frozenset(part_of[part] for part in each.parts) for each in found.interactions)
        return cls(meshing, frozenset(touching) | meshing.keys())

    @classmethod
    def of(cls, machine: Machine, solids: Mapping[str, Solid]) -> Known:
        """The gears of a machine with teeth; about how long their pitch is, by the sizes of their parts."""
        found = {}
        for joint in machine.joints.values():
            if isinstance(joint, Gear) and joint.teeth and joint.parts and {*joint.parts} <= solids.keys():
                first, second = joint.parts
                sizes = [math.pi * float(np.ptp(solids[part].box, axis=0).max()) for part in joint.parts]
                one, other = evaluate([*joint.teeth], machine.values())
                pitch = min(sizes[0] / one, sizes[1] / other)
                found[frozenset(joint.parts)] = Meshing((first, second), pitch, (one, other), joint.carrier)
        return cls(found)


@dataclass(frozen=True, eq=False)
class Meeting:
    """A stretch of a way on which two parts lie in one another, and how closely it was looked at."""

    pair: Pair
    ways: Floats
    finest: float
    stretch: Stretch

    def overlap(self, place: float) -> Overlap:
        """How deep the parts are in one another at a place of the way."""
        return self.pair.deepest(place, CLOSE)


@dataclass(frozen=True, eq=False)
class Parts:
    """The solids of a machine, ready to be compared."""

    machine: Machine
    shells: Mapping[str, Shell]
    sections: Sections
    size: float
    known: Known

    @classmethod
    def of(cls, machine: Machine, solids: Mapping[str, Solid], known: Known) -> Parts:
        """Those of some solids where they are drawn."""
        low = np.min([solid.box[0] for solid in solids.values()], axis=0)
        high = np.max([solid.box[1] for solid in solids.values()], axis=0)
        size = float(np.linalg.norm(high - low))
        bodies = {name: Body.of(name, solid, SKIN * size) for name, solid in solids.items()}
        shells = {name: Shell.of(body, skin(body)) for name, body in bodies.items()}
        return cls(machine, shells, Sections(shells), size, known)

    def clashes(self, way: Way, steps: int) -> Iterator[Clash]:
        """What collides on a way."""
        names = list(self.shells)
        for number, a in enumerate(names):
            for b in names[number + 1 :]:
                found = self.clash(a, b, way, steps)
                if found is not None:
                    yield found

    def clash(self, a: str, b: str, way: Way, steps: int) -> Clash | None:
        """How two parts collide on a way, if they do."""
        met = self.meeting(a, b, way, steps)
        if met is None:
            return None
        pair, stretch = met.pair, met.stretch
        around = tops(pair.rough_depths, met.ways, stretch, met.finest / pair.finer, pair.most)
        place = refined(lambda places: pair.depths(places, CLOSE), around, stretch)
        worst = met.overlap(place)
        at, until, where = (way.value(each) for each in (stretch.begin, stretch.end, place))
        out = self._way_out(a, b, way, place) if self.machine.dimension == 2 else None
        poses = {part: track.placement(place) for part, track in way.tracks.items()}
        return Clash((a, b), way.drive, at, until, worst.depth, where, worst.at, out, poses)

    def meeting(self, a: str, b: str, way: Way, steps: int) -> Meeting | None:
        """Where on a way two parts first come to lie in one another, if they do."""
        for pair, ways, finest in self._pairs(a, b, way, steps):
            finest = max(finest, float(ways[-1]) / MOST_LOOKS)
            stretch = overlapping(pair.gaps, ways, finest)
            if stretch is not None:
                return Meeting(pair, ways, finest, stretch)
        return None

    def _way_out(self, a: str, b: str, way: Way, place: float) -> tuple[float, float]:
        """The shortest shift that gets the second part clear of the first, where they are on a way."""
        at = np.array([place])
        moves = [way.tracks[part].turns_and_shifts(at) for part in (b, a)]
        levels = []
        for level in self.sections.levels(a, b, self.least):
            edges = (segments(self.sections.at(part, level.height)) for part in (b, a))
            placed = [
                (start * turn + shift, end * turn + shift)
                for (start, end), (turn, shift) in zip(edges, moves, strict=True)
            ]
            levels.append((placed[0], placed[1]))
        found = way_out(levels)
        return found.real, found.imag

    def _pairs(self, a: str, b: str, way: Way, steps: int) -> Iterator[tuple[Pair, Floats, float]]:
        """Two parts on a way if they can meet at all, how far points go, and the shortest stretch to look at.

        Teeth are alike: they are looked at on a turn of the larger wheel, whatever else there is on all the way.
        """
        tracks = way.tracks[a], way.tracks[b]
        finest = self.size / (FINENESS * steps)
        if self.machine.dimension == 3:
            if self.known.meeting is None or frozenset((a, b)) in self.known.meeting:
                pair = SpacePair((self.shells[a], self.shells[b]), tracks, self.least)
                ways = pair.ways()
                yield pair, ways, max(finest, float(ways[-1]) / steps)
            return
        mesh = self.known.meshing.get(frozenset((a, b)))
        levels = self.sections.levels(a, b, max(self.least, CROWDING * mesh.pitch if mesh else 0.0))
        toothed = [mesh is not None and _is_toothed(level, mesh, a) for level in levels]
        rows = self._rows(way, *tracks)
        for is_toothed in (False, True):
            some = [level for level, each in zip(levels, toothed, strict=True) if each == is_toothed]
            flat = FlatPair.of(some, (self.shells[a], self.shells[b]), tracks, self.least)
            if not flat.levels:
                continue
            ways = flat.ways()[: rows + 1]
            if is_toothed and mesh is not None and mesh.carrier:
                passed = mesh.pitches(way.tracks)[: rows + 1]
                ways = ways[: int(np.searchsorted(passed, max(mesh.teeth))) + 1]
                yield flat, ways, float(ways[-1]) / (A_PITCH * max(1.0, float(passed[len(ways) - 1])))
            else:
                yield flat, ways, finest

    @property
    def least(self) -> float:
        """How deep parts must be in one another to collide."""
        return LEAST_DEPTH * TOLERANCE * self.size

    def _rows(self, way: Way, a: Track, b: Track) -> int:
        """The rows of a way after which two parts stand to each other as at first, and go on so; or all of them."""
        last = len(way.values) - 1
        turn = way.rows_a_turn
        if not turn or self.machine.dimension == 3:
            return last
        marks = np.array([0, turn // 3, turn // 2])
        turns, shifts = a.moved_back_by(b, marks.astype(float))
        for row in range(turn, last - turn, turn):
            later, farther = a.moved_back_by(b, (marks + row).astype(float))
            if np.abs(later - turns).max() < 1e-6 and np.abs(farther - shifts).max() < TOLERANCE * self.size:
                return row
        return last


def _is_toothed(level: Level, mesh: Meshing, a: str) -> bool:
    """Whether both parts have edges enough at a level for their teeth."""
    teeth = mesh.teeth if mesh.parts[0] == a else mesh.teeth[::-1]
    outlines = level.a, level.b
    return all(len(each.region.columns) >= 2 * count for each, count in zip(outlines, teeth, strict=True))
