"""What may touch in a machine of solids whose joints are given, as in a file that ``recognise`` wrote.

Nothing is looked for: the joints are those of the file, whoever changed them. As with joints that were found, the
surfaces of parts that turn sweep rings and those of parts that slide their shadows, and what meets may touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from linkwork.algebra import evaluate
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.joint import (
    Cylindrical,
    Fixed,
    Gear,
    Joint,
    Planar,
    Prismatic,
    Rack,
    Revolute,
    Screw,
    Spherical,
)
from linkwork.model.joint.base import Pair as Lower
from linkwork.model.part import GROUND
from linkwork.model.placed import Placed
from linkwork.model.solids import part_solids
from linkwork.model.world import World
from linkwork.recognition.body import bodies_of
from linkwork.recognition.envelope import Envelopes
from linkwork.recognition.finding import SKIN, TOLERANCE, Recognition, extent, judged_by
from linkwork.recognition.freedom import Freedom
from linkwork.recognition.groups import Groups, touched_parts
from linkwork.recognition.joined import LOWER, Joined, Machinery
from linkwork.recognition.pair import Pair
from linkwork.recognition.wishes import Wishes
from linkwork.solid.placement import Floats, Placement, triple

_KINDS: Final[Mapping[type[Joint], str]] = {
    Revolute: "revolute",
    Prismatic: "prismatic",
    Cylindrical: "cylindrical",
    Spherical: "spherical",
    Planar: "planar",
    Screw: "screw",
}
"""The joints whose motions are known to envelopes; what others join may be anywhere that the rest allows."""


def given_joints(machine: Machine) -> Recognition:
    """A machine whose parts have solids and joints, told as if the joints had been found."""
    world = _AsDrawn(machine)
    solids = {name: solid.placed(_placement(world, name)) for name, solid in part_solids(machine).items()}
    if GROUND not in solids:
        raise UsageError(
            f"the ground of {machine.name} has no solid that its parts could touch",
            got="parts with solids: " + (", ".join(solids) or "none"),
            wanted="a part ground with a solid",
            fix='[part.ground]\nsolid = "translate([0, 0, -1000]) cube(1);"   # out of the way of all others',
        )
    names = [GROUND, *(name for name in machine.moving if name in solids)]
    size, middle = extent([*solids.values()])
    judged = judged_by([*solids.values()])
    tolerance = TOLERANCE * judged
    bodies = bodies_of({name: solids[name] for name in names}, SKIN * judged)
    groups = Groups(bodies, *touched_parts(bodies, tolerance, Wishes()), middle, size / 4, tolerance)
    pairs = [*_pairs(world)]
    numbers = {place: place for place in range(len(names))}
    lower = [pair for pair in pairs if pair.kind in LOWER and {*pair.parts} <= {*names}]
    joined = [_joined(groups, pair, names) for pair in lower]
    machinery = Machinery(groups, tuple(joined), numbers)
    plane = np.array([0.0, 0.0, 1.0]) if machine.dimension == 2 else None
    fixed = {frozenset(pair.parts) for pair in pairs if pair.kind == "fixed"}
    return Recognition(
        GROUND,
        tuple(pairs),
        (),
        (),
        tuple(
            each
            for each in Envelopes(machinery, tolerance, plane).interactions()
            if frozenset(each.parts) not in fixed
        ),
        None if plane is None else triple(plane),
        tuple((name,) for name in names),
        given=machine,
        solids=solids,
    )


class _AsDrawn(World):
    """The machine with every part where it is drawn."""

    def part(self, name: str) -> Placed:
        return self.start(name)

    def placed(self, given: Placed) -> tuple[Floats, Floats]:
        """Where a frame stands, and its axes as rows, in space."""
        values = self.machine.values()
        origin, axes = np.zeros(3), np.eye(3)
        origin[: self.dimension] = evaluate([*given.origin], values)
        for row, axis in enumerate(given.axes):
            axes[row, : self.dimension] = evaluate([*axis], values)
        return origin, axes


def _placement(world: _AsDrawn, part: str) -> Placement:
    origin, axes = world.placed(world.start(part))
    return Placement.of(axes.T, origin)


def _pairs(world: _AsDrawn) -> Iterator[Pair]:
    """The joints whose motions are known, with their axes as drawn, what is fixed, and what meshes."""
    for name, joint in world.machine.joints.items():
        if isinstance(joint, Gear | Rack):
            kind = "gear" if isinstance(joint, Gear) else "rack"
            yield Pair(name, kind, _meshing(world, joint), None, None, "the file says so")
        elif isinstance(joint, Lower) and (isinstance(joint, Fixed) or type(joint) in _KINDS):
            a, b = joint.frames(world)
            origin, axes = world.placed(a)
            slides_in_plane = world.dimension == 2 and isinstance(joint, Prismatic)
            axis = triple(axes[0] if slides_in_plane else axes[2])
            kind = _KINDS.get(type(joint), "fixed")
            yield Pair(name, kind, (a.part, b.part), axis, triple(origin), "the file says so")


def _meshing(world: _AsDrawn, joint: Gear | Rack) -> tuple[str, str]:
    """The two parts of a mesh: those that it names, or those that turn and slide in the joints that it names."""
    if not joint.axles:
        first, second, *_ = joint.references()
        return first, second
    axles = [world.machine.joints[name] for name in joint.axles]
    ends = [[end.part for end in axle.frames(world)] for axle in axles if isinstance(axle, Lower)]
    first, second = (next(part for part in each if part != joint.carrier) for each in ends)
    return first, second


def _joined(groups: Groups, pair: Pair, names: Sequence[str]) -> Joined:
    """A joint as envelopes want it: with the shafts and holes about its axis, which nothing else gets between."""
    first, second = sorted(names.index(part) for part in pair.parts)
    axis, point = np.array(pair.axis), np.array(pair.point)
    contacts = tuple(groups.touching.get((first, second), ()))
    unlooked = Freedom(np.zeros((0, 6)), np.zeros((0, 6)))
    return Joined((first, second), (first, second), pair.kind, axis, point, contacts, unlooked)
