"""Parts that move as one: what is pressed together, screwed together, or held on all sides by the same neighbours."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from linkwork.recognition.body import Body, near, near_pairs
from linkwork.recognition.boxes import box_along
from linkwork.recognition.cones import rings
from linkwork.recognition.corners import corner_shafts
from linkwork.recognition.curved_slots import curved_slots
from linkwork.recognition.drawn_axes import WORLD
from linkwork.recognition.faces import Faces
from linkwork.recognition.freedom import Freedom, Shape, freedom, shape_of
from linkwork.recognition.grooves import grooves
from linkwork.recognition.held import is_held
from linkwork.recognition.lines import lines
from linkwork.recognition.mobility import Linkage
from linkwork.recognition.overlap import Shell
from linkwork.recognition.play import holding
from linkwork.recognition.pulls import Pulls
from linkwork.recognition.reach import Surfaces
from linkwork.recognition.skin import skin
from linkwork.recognition.slots import slots
from linkwork.recognition.threads import pitch_between
from linkwork.recognition.touch import CLEARANCE, INTERFERENCE, THREAD, Contact, contacts, planes
from linkwork.recognition.wishes import Wishes
from linkwork.solid.placement import Floats

Places = tuple[int, int]
Touch = tuple[Places, Contact]
"""Two parts by their numbers, and a contact of them."""
LOOSELY = 0.01
"""How deep faces may lie in parts that the file lets overlap, and still touch: this part of the smaller one."""


@dataclass(frozen=True)
class Weld:
    """Two parts that do not move against each other, and why."""

    parts: tuple[str, str]
    why: str


@dataclass(eq=False)
class Groups:
    """The parts as groups: each part's group is named by its smallest number, the frame's by 0."""

    bodies: list[Body]
    touching: dict[Places, list[Contact]]
    facing: dict[Places, list[Contact]]
    """Plane faces near one another that hold nothing between two parts alone, but may with others of their groups."""
    middle: Floats
    size: float
    tolerance: float
    welds: list[Weld] = field(default_factory=list)
    apart: set[Places] = field(default_factory=set)
    """Pairs whose contacts are to stay contacts."""
    threads: Mapping[frozenset[str], float] = field(default_factory=dict)
    """Pitches of threads between parts that the file tells."""
    pulls: Pulls = field(default_factory=Pulls)
    axes: Floats = field(default_factory=lambda: WORLD)
    """Those in which the machine was drawn, as rows: they tell which way is which."""
    holders: dict[int, int] = field(default_factory=dict)
    """The parts for which pins and fasteners stand: a hinge is between what its pin goes through."""
    linkages: dict[Hashable, Linkage] = field(default_factory=dict)
    """Those that were looked at, by their keys."""
    resting: dict[Places, str] = field(default_factory=dict)
    """Parts of which one lies on the other, which holds it since nothing lifts it off; and what is said of it."""
    rolling: dict[Places, list[Contact]] = field(default_factory=dict)
    """Contacts of wheels on rails, by the parts that carry the wheels and those with the rails."""
    _root: list[int] = field(default_factory=list)
    _surfaces: dict[tuple[int, ...], Surfaces] = field(default_factory=dict)
    _freedoms: dict[tuple[Touch, ...], tuple[Freedom, Shape, tuple[Touch, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._root = list(range(len(self.bodies)))

    def standing_on(self, frame: str) -> Groups:
        """The same parts where nothing is welded yet, with the frame as the first, then what touches it, and so on."""
        first = [body.name for body in self.bodies].index(frame)
        steps = _steps(len(self.bodies), self.touching, first)
        order = sorted(range(len(self.bodies)), key=steps.__getitem__)
        numbers = {place: number for number, place in enumerate(order)}
        return Groups(
            [self.bodies[place] for place in order],
            _renumbered(self.touching, numbers),
            _renumbered(self.facing, numbers),
            self.middle,
            self.size,
            self.tolerance,
            threads=self.threads,
            pulls=self.pulls,
            axes=self.axes,
        )

    def in_order(self, numbers: Mapping[int, int]) -> Groups:
        """The same groups with other numbers of their parts; the frame's stays."""
        order = sorted(numbers, key=numbers.__getitem__)
        names = {self.bodies[place].name: number for place, number in numbers.items()}
        found = replace(
            self,
            bodies=[self.bodies[place] for place in order],
            welds=sorted(self.welds, key=lambda weld: sorted(names[part] for part in weld.parts)),
            touching=_renumbered(self.touching, numbers),
            facing=_renumbered(self.facing, numbers),
            rolling=_renumbered(self.rolling, numbers),
            apart={(min(pair), max(pair)) for a, b in self.apart for pair in [(numbers[a], numbers[b])]},
            holders={numbers[pin]: numbers[part] for pin, part in self.holders.items()},
            linkages={},
            _surfaces={},
            _freedoms={},
        )
        for members in self.members.values():
            places = [numbers[place] for place in members]
            for place in places:
                found._root[place] = min(places)
            if tuple(members) in self._surfaces and places == sorted(places):
                found._surfaces[tuple(places)] = self._surfaces[tuple(members)]
        if "_skins" in self.__dict__:
            found.__dict__["_skins"] = [self._skins[place] for place in order]
        return found

    def group_of(self, place: int) -> int:
        """The group of a part."""
        while self._root[place] != place:
            place = self._root[place]
        return place

    def held_by(self, place: int) -> int:
        """The part for which a pin or a fastener stands; any other part itself."""
        while place in self.holders:
            place = self.holders[place]
        return place

    def called_after(self, group: int) -> int:
        """The part after which a group is called: its first, or what that stands for, as an arm for its bushing."""
        lead = self.held_by(group)
        return lead if group and self.group_of(lead) == group else group

    def weld(self, a: int, b: int, why: str) -> None:
        """Make two parts move as one."""
        first, second = sorted((self.group_of(a), self.group_of(b)))
        self.welds.append(Weld((self.bodies[a].name, self.bodies[b].name), why))
        self._root[second] = first
        for name in ("members", "surfaces", "slotted"):
            self.__dict__.pop(name, None)

    def thread_of(self, places: Iterable[Places], touched: Sequence[Contact]) -> tuple[float, str] | None:
        """The pitch of the thread between parts that touch, and a note why; None if there is none."""
        names = dict.fromkeys((self.bodies[a].name, self.bodies[b].name) for a, b in places)
        return pitch_between(touched, names, self.threads)

    @cached_property
    def surfaces(self) -> dict[int, Surfaces]:
        """The faces that bound each group."""
        for members in self.members.values():
            if tuple(members) not in self._surfaces:
                self._surfaces[tuple(members)] = self._surfaces_of(members)
        return {group: self._surfaces[tuple(members)] for group, members in self.members.items()}

    def _surfaces_of(self, members: Sequence[int]) -> Surfaces:
        parts = [(self.bodies[place], self._skins[place]) for place in members]
        return Surfaces.of(
            [(body.name, box_along(body.solid, self.axes), faces) for body, faces in parts], self.axes
        )

    @cached_property
    def _skins(self) -> list[Faces]:
        return [skin(body) for body in self.bodies]

    def is_guided(self, group: int) -> bool:
        """Whether a pin of a group is in a slot of another, or the other way round."""
        return any(group in both for both in self.slotted)

    @cached_property
    def slotted(self) -> list[Places]:
        """The pairs of groups of which one has pins in slots of the other."""
        found = [
            (self.group_of(a), self.group_of(b))
            for (a, b), touched in self.touching.items()
            if any(each.kind == "slot" for each in touched)
        ]
        return [(one, other) for one, other in found if one != other]

    def are_apart(self, a: int, b: int) -> bool:
        """Whether the file says that parts of two groups only touch."""
        pairs = {(min(x, y), max(x, y)) for x in self.members[a] for y in self.members[b]}
        return bool(pairs & self.apart)

    def names_of(self, groups: Iterable[int]) -> list[str]:
        """The names of the parts of some groups, also of those that have become one with others since."""
        wanted = {self.group_of(group) for group in groups}
        return [body.name for place, body in enumerate(self.bodies) if self.group_of(place) in wanted]

    def shells(self, places: Collection[int]) -> dict[int, Shell]:
        """Points and faces of some parts, to see how deep they lie in others."""
        return {place: Shell.of(self.bodies[place], self._skins[place]) for place in sorted(places)}

    @cached_property
    def members(self) -> dict[int, list[int]]:
        """The parts of each group."""
        found: dict[int, list[int]] = {}
        for place in range(len(self.bodies)):
            found.setdefault(self.group_of(place), []).append(place)
        return found

    def between(self) -> dict[Places, list[Touch]]:
        """The contacts between groups; normals go from the first group to the second."""
        found = self._between_groups(self.touching)
        for places, facing in self._between_groups(self.facing).items():
            if any(len(self.members[group]) > 1 for group in places):
                every = [each for _, each in (*found.get(places, ()), *facing)]
                held = [(own, each) for own, each in facing if is_held(each, every, self.tolerance)]
                if held:
                    found.setdefault(places, []).extend(held)
        for places, lent in self._between_groups(self.rolling).items():
            found.setdefault(places, []).extend(lent)
        return found

    def near_faces(self, places: Places) -> list[Touch]:
        """Plane faces of two groups that are near one another and hold nothing."""
        return [each for each in self._between_groups(self.facing).get(places, []) if each[1].kind == "plane"]

    def _between_groups(self, touching: Mapping[Places, list[Contact]]) -> dict[Places, list[Touch]]:
        """Contacts of parts by the groups of these, but for those that are to stay contacts."""
        found: dict[Places, list[Touch]] = {}
        for (a, b), touched in touching.items():
            first, second = self.group_of(a), self.group_of(b)
            if first == second or (a, b) in self.apart:
                continue
            if first < second:
                found.setdefault((first, second), []).extend(((a, b), each) for each in touched)
            else:
                found.setdefault((second, first), []).extend(((b, a), each.flipped()) for each in touched)
        return found

    def freedom_of(self, touched: Iterable[Touch]) -> tuple[Freedom, Shape, tuple[Touch, ...]]:
        """What contacts leave free, in lengths of the machine about its middle, what pair it is, and those that hold.

        Normals go from the first part of each to the second.
        """
        every = tuple(touched)
        if every not in self._freedoms:
            self._freedoms[every] = self._freedom_of(every)
        return self._freedoms[every]

    def _freedom_of(self, every: tuple[Touch, ...]) -> tuple[Freedom, Shape, tuple[Touch, ...]]:
        def left_by(contacts: Sequence[Contact]) -> tuple[Freedom, str]:
            left, shape = self._left_by(contacts)
            return left, shape.kind

        parts = [((self.bodies[a], self.bodies[b]), contact) for (a, b), contact in every]
        held = holding(parts, left_by, self.tolerance)
        left, shape = self._left_by([piece for pieces in held for piece in pieces])
        return left, shape, tuple(own for own, pieces in zip(every, held, strict=True) if pieces)

    def _left_by(self, every: Sequence[Contact]) -> tuple[Freedom, Shape]:
        """What all of some contacts leave free."""
        nothing = np.zeros((0, 6))
        closed = np.vstack([nothing, *(each.rows() for each in every if each.is_closed)])
        others = np.vstack([nothing, *(each.rows() for each in every if not each.is_closed)])
        centre = np.mean(np.vstack([each.points for each in every]), axis=0)
        left = freedom(closed, others, centre, self.size)
        return left, shape_of(left.basis, centre, self.size)


def _steps(count: int, touching: Iterable[Places], first: int) -> list[int]:
    """Over how many parts that touch each part is connected with one; a large number if it is not."""
    beside: dict[int, list[int]] = {place: [] for place in range(count)}
    for a, b in touching:
        beside[a].append(b)
        beside[b].append(a)
    found = {first: 0}
    reached = [first]
    for place in reached:
        for other in beside[place]:
            if other not in found:
                found[other] = found[place] + 1
                reached.append(other)
    return [found.get(place, count) for place in range(count)]


def _renumbered(
    touching: Mapping[Places, list[Contact]], numbers: Mapping[int, int]
) -> dict[Places, list[Contact]]:
    """Contacts by other numbers of their parts, in their order."""
    found = {}
    for (a, b), touched in touching.items():
        first, second = numbers[a], numbers[b]
        if first < second:
            found[first, second] = touched
        else:
            found[second, first] = [each.flipped() for each in touched]
    return dict(sorted(found.items()))


def touched_parts(
    bodies: list[Body], tolerance: float, wishes: Wishes
) -> tuple[dict[Places, list[Contact]], dict[Places, list[Contact]]]:
    """The contacts of all pairs of parts that touch, by their numbers, and their faces that are only near one another.

    Faces of parts that the file lets overlap may do so a little.
    """
    loosely = wishes.overlapping
    number = {id(body): place for place, body in enumerate(bodies)}
    found: dict[Places, list[Contact]] = {}
    facing: dict[Places, list[Contact]] = {}
    widths = {id(body): float(np.max(body.box[1] - body.box[0])) for body in bodies}
    for a, b in near_pairs(bodies, CLEARANCE * max(widths.values()) + tolerance):
        if not near(a, b, CLEARANCE * min(widths[id(a)], widths[id(b)]) + tolerance):
            continue
        every = _contacts(a, b, tolerance, wishes)
        if frozenset((a.name, b.name)) in loosely:
            every = [each for each in every if each.kind != "plane"]
            every += planes(a, b, LOOSELY * min(a.size, b.size))
        are_held = [is_held(each, every, tolerance) for each in every]
        places = number[id(a)], number[id(b)]
        if any(are_held):
            found[places] = [each for each, held in zip(every, are_held, strict=True) if held]
        if not all(are_held):
            facing[places] = [each for each, held in zip(every, are_held, strict=True) if not held]
    return found, facing


def _contacts(a: Body, b: Body, tolerance: float, wishes: Wishes) -> list[Contact]:
    """All contacts of two parts, by the faces of each that are no farther from the other than a fit may be."""
    reach = CLEARANCE * min(float(np.max(each.box[1] - each.box[0])) for each in (a, b)) + tolerance
    one, other = a.beside(b, reach), b.beside(a, reach)
    if not len(one.faces) or not len(other.faces):
        return []
    every = [*_fits(one, other, tolerance, wishes), *slots(one, other, tolerance)]
    every += [*curved_slots(one, other, tolerance), *grooves(one, other, tolerance)]
    every += [*corner_shafts(a, b, tolerance), *rings(one, other, tolerance)]
    return [*every, *lines(one, other, every, tolerance)]


def _fits(a: Body, b: Body, tolerance: float, wishes: Wishes) -> list[Contact]:
    """Shafts, faces and balls that touch; screws may be too thick for their holes by the depth of a thread."""
    both = frozenset((a.name, b.name))
    if both in wishes.threads:
        found = contacts(a, b, tolerance, THREAD)
        return [replace(each, kind="shaft") if each.kind == "press" else each for each in found]
    is_screwed = bool(both & {*wishes.fasteners}) or (a.has_threads and b.has_threads)
    return contacts(a, b, tolerance, THREAD if is_screwed else INTERFERENCE)
