"""Recognition as a whole: from solids in place to pairs, gears, subsystems and what may touch."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from linkwork.model import Machine
from linkwork.recognition.body import bodies_of
from linkwork.recognition.compounds import Fixed, compounds
from linkwork.recognition.drawn import check_overlaps, drawn_overlaps, overlaps_in_order
from linkwork.recognition.drawn_axes import WORLD
from linkwork.recognition.envelope import Envelopes, Interaction
from linkwork.recognition.excitation import Excitation
from linkwork.recognition.fault import RecognitionError
from linkwork.recognition.forks import without_held_turns
from linkwork.recognition.free import with_free_parts
from linkwork.recognition.gears import marked_meshes, skew_gears
from linkwork.recognition.groups import Groups, Weld, touched_parts
from linkwork.recognition.guides import Guide, guides, slot_reasons
from linkwork.recognition.heaviest import heaviest
from linkwork.recognition.idle import with_keyed_hubs, without_idle, without_idle_slides
from linkwork.recognition.idle_planes import without_idle_planes
from linkwork.recognition.joined import Joined, Machinery, without_blocked
from linkwork.recognition.loose import check_free
from linkwork.recognition.mesh import Mesh
from linkwork.recognition.order import ordered
from linkwork.recognition.pair import Pair
from linkwork.recognition.planar import Plane, motion_plane, plane_axes
from linkwork.recognition.resting import settle
from linkwork.recognition.spacers import weld_spaced
from linkwork.recognition.subsystems import Subsystem, Variable, subsystems
from linkwork.recognition.telescopes import with_telescopes, without_idle_turns
from linkwork.recognition.thread_forms import with_threads
from linkwork.recognition.toothed import Toothed
from linkwork.recognition.unheld import hold_loosely
from linkwork.recognition.unseen import weld_unseen_turns
from linkwork.recognition.welding import weld
from linkwork.recognition.wheels import drop_idle_wheels, lend_wheels
from linkwork.recognition.wishes import Wishes
from linkwork.recognition.words import clearance, reason
from linkwork.recognition.yokes import with_driven_yokes
from linkwork.results import Viewable
from linkwork.solid import Solid, SolidError, separate_solids
from linkwork.solid.placement import Floats, Triple, triple

SKIN = 1e-6
"""How far from a surface its sides are looked at, as a part of the machine's size."""
TOLERANCE = 1e-5
"""How far apart surfaces may be that touch, as a part of the machine's size."""
SMALLEST = 2000
"""Times its smallest part a machine may be large: behind that, by which lengths are judged, parts would be lost."""


@dataclass(frozen=True, repr=False)
class Recognition(Viewable):
    """What was found in some solids."""

    ground: str
    pairs: tuple[Pair, ...]
    welds: tuple[Weld, ...]
    subsystems: tuple[Subsystem, ...]
    interactions: tuple[Interaction, ...]
    plane: Triple | None
    groups: tuple[tuple[str, ...], ...]
    """The parts that move as one, that first after which they are called; the frame's group first."""
    in_space: str = ""
    """Why parts do not move in one plane, if they do not."""
    drawn: Floats = field(default_factory=lambda: WORLD, repr=False, compare=False)
    """The directions of the axes in which the machine was drawn, as rows."""
    given: Machine | None = None
    """The machine whose solids they are, if they are those of one."""
    solids: Mapping[str, Solid] = field(default_factory=dict, repr=False)

    @cached_property
    def machine(self) -> Machine | None:
        """The machine with its joints and the masses of its solids, where the solids were those of a machine.

        One that was given with joints is that itself.
        """
        from linkwork.recognition.found import found_machine

        if self.given is None or not self.given.is_unjoined:
            return self.given
        return found_machine(self.given, self, self.solids)

    @cached_property
    def axes(self) -> Floats:
        """The directions of the axes in which the found machine is told, as rows: of a plane machine two lie in it."""
        return plane_axes(self.plane, self.drawn)

    @cached_property
    def separate(self) -> dict[str, int]:
        """The parts that fall into several pieces which do not hang together, and into how many."""
        found = {}
        for name, solid in self.solids.items():
            with suppress(SolidError):
                found[name] = separate_solids(solid).number
        return {name: count for name, count in found.items() if count > 1}

    def variables(self) -> tuple[Variable, ...]:
        """The variables of all subsystems."""
        return tuple(variable for each in self.subsystems for variable in each.variables)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "ground": self.ground,
            "pairs": [pair.to_json() for pair in self.pairs],
            "fixed": [{"parts": list(weld.parts), "why": weld.why} for weld in self.welds],
            "subsystems": [each.to_json() for each in self.subsystems],
            "interactions": [each.to_json() for each in self.interactions],
            "plane": None if self.plane is None else list(self.plane),
            "in_space": self.in_space,
            **({"separate": self.separate} if self.separate else {}),
        }

    def to_frame(self) -> dict[str, list[Any]]:
        """The pairs as columns, ready for a data frame: ``pandas.DataFrame(found.to_frame())``."""
        rows = [pair.to_json() for pair in self.pairs]
        keys = dict.fromkeys(key for row in rows for key in row)
        return {key: [row.get(key) for row in rows] for key in keys}

    def __str__(self) -> str:
        from linkwork.recognition.report import report

        return report(self)

    def __repr__(self) -> str:
        of = f" of {self.given.name}" if self.given is not None else ""
        motions = sum(each.mobility for each in self.subsystems)
        return f"Recognition{of}: {len(self.pairs)} pairs, {len(self.welds)} fixed, {motions} motions"


def recognise_solids(
    solids: Mapping[str, Solid], ground: str | None = None, wishes: Wishes | None = None
) -> Recognition:
    """Find what is joined to what, and how, from solids in place.

    ``ground`` stands still; if none is named, it is what has the largest volume of all that holds together,
    or what is all around that.

    >>> from linkwork.solid import Block, Cylinder
    >>> wheel = Cylinder(3, 1) - Cylinder(0.5, 1)
    >>> plate = Block((8, 8, 1)).moved((-4, -4, -2)) | Cylinder(0.5, 3).moved((0, 0, -1.5))
    >>> found = recognise_solids({"plate": plate, "wheel": wheel}, ground="plate")
    >>> [(pair.kind, pair.parts) for pair in found.pairs]
    [('revolute', ('plate', 'wheel'))]
    """
    wishes = wishes or Wishes()
    found, fixed = _recognised(solids, ground, wishes)
    if not fixed:
        return found
    together, _ = _recognised(solids, found.ground, replace(wishes, one=fixed))
    lost = _mobility(found) - _mobility(together)
    return together if 0 < lost <= len(fixed) else found


def _mobility(found: Recognition) -> int:
    return sum(each.mobility for each in found.subsystems)


def _recognised(solids: Mapping[str, Solid], ground: str | None, wishes: Wishes) -> tuple[Recognition, Fixed]:
    """What is joined as its fits tell, and the gears that are one with their arbors, though these do not tell it."""
    size, middle = extent([*solids.values()])
    judged = judged_by([*solids.values()])
    tolerance = TOLERANCE * judged
    names, axes = ordered(solids)
    bodies = with_threads(bodies_of({name: solids[name] for name in names}, SKIN * judged), tolerance)
    groups = Groups(bodies, *touched_parts(bodies, tolerance, wishes), middle, size / 4, tolerance)
    groups.threads = wishes.threads
    groups.pulls = wishes.pulls
    groups.axes = axes
    groups = groups.standing_on(heaviest(groups, wishes, tolerance) if ground is None else ground)
    wishes = with_free_parts(groups, wishes, tolerance)
    weld(groups, wishes, tolerance)
    weld_spaced(groups)
    deep = drawn_overlaps(groups, wishes, tolerance)
    lend_wheels(groups)
    settle(groups)
    drop_idle_wheels(groups)
    hold_loosely(groups)
    machinery = without_blocked(Machinery.of(groups))
    machinery = with_keyed_hubs(machinery, lambda given: Excitation(given, tolerance).why)
    machinery = without_idle_slides(machinery, lambda given: Excitation(given, tolerance).why)
    machinery = weld_unseen_turns(
        machinery, lambda given: Excitation(given, tolerance).why, wishes.turning, tolerance
    )
    machinery = with_driven_yokes(with_telescopes(machinery, tolerance))
    machinery = without_idle_planes(machinery, lambda given: Excitation(given, tolerance).why)
    machinery = without_idle(without_held_turns(machinery), Excitation(machinery, tolerance).why)
    machinery = without_idle_turns(without_blocked(machinery), tolerance)
    numbers = _as_listed(groups, [*solids])
    machinery = machinery.in_order(numbers)
    found, misplaced = Toothed(machinery, tolerance).found()
    check_overlaps(machinery, overlaps_in_order(deep, numbers), found, misplaced)
    found += marked_meshes(machinery, tolerance)
    found.sort(key=lambda mesh: mesh.parts)
    fixed = {} if wishes.one or not found else compounds(machinery, found, wishes.turning, tolerance)
    return _result(machinery, found, wishes, tolerance), fixed


def _as_listed(groups: Groups, names: Sequence[str]) -> dict[int, int]:
    """The numbers of parts as the file lists them, by those in the order in which they were looked at."""
    place = {name: number for number, name in enumerate(names)}
    listing = sorted(range(1, len(groups.bodies)), key=lambda own: place[groups.bodies[own].name])
    return {own: number for number, own in enumerate([0, *listing])}


def extent(solids: Sequence[Solid]) -> tuple[float, Floats]:
    """The diagonal of the box around all solids, and its middle."""
    low = np.min([solid.box[0] for solid in solids], axis=0)
    high = np.max([solid.box[1] for solid in solids], axis=0)
    return float(np.linalg.norm(high - low)), (low + high) / 2


def judged_by(solids: Sequence[Solid]) -> float:
    """The length by which others are judged: the size of the whole, but for parts that are far smaller than that."""
    smallest = min(float(np.linalg.norm(np.ptp(np.array(solid.box), axis=0))) for solid in solids)
    return min(extent(solids)[0], SMALLEST * smallest) if smallest > 0 else extent(solids)[0]


# -------------------------------------------------------------------------------------------- result


def _result(machinery: Machinery, found: list[Mesh], wishes: Wishes, tolerance: float) -> Recognition:
    groups = machinery.groups
    joined = _needed(machinery)
    machinery = machinery.with_joined(joined)
    names = [body.name for body in groups.bodies]
    others: list[Mesh | Guide] = [*found, *guides(groups, wishes.slots, tolerance)]
    joints = _joint_names(machinery, others, wishes.taken)
    pairs = [_pair(machinery, name, each, tolerance) for name, each in zip(joints, joined, strict=False)]
    pairs += [_meshing(names, name, each) for name, each in zip(joints[len(joined) :], others, strict=True)]
    check_free(machinery, wishes)
    plane = _plane(machinery, wishes)
    meshing = {solids for each in others for solids in each.solids}
    interactions = Envelopes(machinery, tolerance, plane.normal).interactions(meshing)
    return Recognition(
        names[0],
        tuple(pairs),
        tuple(groups.welds),
        tuple(subsystems(machinery, others, joints, plane.normal)),
        tuple(_told(machinery, interactions, tolerance)),
        None if plane.normal is None else triple(plane.normal),
        tuple(
            tuple(names[place] for place in dict.fromkeys([groups.called_after(group), *members]))
            for group, members in sorted(groups.members.items())
        ),
        plane.why,
        groups.axes,
    )


def _plane(machinery: Machinery, wishes: Wishes) -> Plane:
    """The plane in which all parts move; an error if there is none though the file says so."""
    found = motion_plane(machinery, is_flat=wishes.is_flat)
    if wishes.is_spatial and found.normal is not None:
        return Plane(None, "the file says so")
    if wishes.is_flat and found.normal is None and len(machinery.groups.members) > 1:
        error = RecognitionError(
            "this machine does not move in a plane",
            got="dimension = 2",
            wanted="parts that all move in one plane",
            why=found.why,
            fix="remove dimension = 2: whether a machine of solids is plane is found",
        )
        error.where = ("dimension",)
        raise error
    return found


def _told(
    machinery: Machinery, interactions: Iterable[Interaction], tolerance: float
) -> Iterator[Interaction]:
    """What may touch, with the reasons of pins that are in slots, and of gears that are no pairs."""
    joined = {each.groups for each in machinery.joined}
    bodies = machinery.groups.bodies
    reasons = {
        frozenset((bodies[a].name, bodies[b].name)): why
        for (a, b), why in slot_reasons(machinery.groups, joined, tolerance)
    }
    reasons |= dict(skew_gears(machinery.groups))
    for each in interactions:
        yield replace(each, why=reasons.get(frozenset(each.parts), ""))


_NOUNS: Final = {"prismatic": "slide", "spherical": "ball", "planar": "plane", "screw": "thread"}
"""What a joint with the frame is called behind the name of the part; others are an axis."""


def _joint_names(machinery: Machinery, found: Sequence[Mesh | Guide], others: Collection[str]) -> list[str]:
    """Names of joints: after the moving part for a pair with the frame, else after both parts."""
    first = {
        group: machinery.groups.bodies[machinery.groups.called_after(group)].name
        for group in machinery.groups.members
    }
    wanted = [
        f"{first[each.groups[1]]}_{_NOUNS.get(each.kind, 'axis')}"
        if each.groups[0] == 0
        else "_".join(first[group] for group in each.groups)
        for each in machinery.joined
    ]
    wanted += ["_".join(first[group] for group in (*mesh.groups,)) + f"_{mesh.kind}" for mesh in found]
    taken = {*others, *(body.name for body in machinery.groups.bodies)}
    names: list[str] = []
    for name in wanted:
        each, number = name, 1
        while each in taken:
            number += 1
            each = f"{name}_{number}"
        names.append(each)
        taken.add(each)
    return names


def _meshing(names: list[str], name: str, mesh: Mesh | Guide) -> Pair:
    if isinstance(mesh, Guide):
        parts = names[mesh.parts[0]], names[mesh.parts[1]]
        centre = None if mesh.centre is None else triple(mesh.centre)
        return Pair(name, mesh.kind, parts, triple(mesh.axis), triple(mesh.point), mesh.why, centre=centre)
    return Pair(
        name,
        mesh.kind,
        (names[mesh.parts[0]], names[mesh.parts[1]]),
        triple(mesh.axis),
        triple(mesh.point),
        mesh.why,
        ratio=mesh.ratio,
        carrier=names[mesh.carrier],
        radii=mesh.sizes,
        teeth=mesh.teeth,
    )


def _needed(machinery: Machinery) -> list[Joined]:
    """The pairs but for faces that merely slide on one another where other pairs hold both parts in their plane."""
    joined = list(machinery.joined)
    for each in [each for each in joined if each.is_of_faces]:
        others = [other for other in joined if other is not each]
        rest = machinery.with_joined(others)
        if rest.linkage.mobility == machinery.with_joined(joined).linkage.mobility:
            joined = others
    return joined


def _pair(machinery: Machinery, name: str, joined: Joined, tolerance: float) -> Pair:
    groups = machinery.groups
    a, b = (groups.bodies[groups.held_by(place)].name for place in joined.parts)
    axis = None if joined.kind == "spherical" else triple(joined.axis)
    pitch = math.tau * joined.pitch if joined.kind == "screw" else None
    why, play = reason(machinery, joined, tolerance), clearance(joined.contacts, tolerance)
    return Pair(name, joined.kind, (a, b), axis, triple(joined.point), why, play, pitch=pitch)
