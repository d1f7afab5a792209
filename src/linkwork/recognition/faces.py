"""The faces of a part as columns of numbers; a single one becomes a value when it is asked for.

Wheels with teeth have hundreds of faces, and nearly all that is asked about them is asked about all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.flats import Flats
from linkwork.recognition.rounds import Rounds
from linkwork.solid import (
    Block,
    Cone,
    Cylinder,
    Face,
    PlaneFace,
    Prism,
    RoundFace,
    Solid,
    SphereFace,
    TorusFace,
)
from linkwork.solid.membership import middle_of
from linkwork.solid.pieces import WHERE_DRAWN
from linkwork.solid.placement import X_AXIS, Y_AXIS, Z_AXIS, Floats, Placement, Triple, cross
from linkwork.solid.region import Region
from linkwork.solid.region.columns import Columns
from linkwork.solid.surface import TURN
from linkwork.solid.values import Difference, Inside, Intersection, Named, Placed, Union

Places = NDArray[np.intp]
Value = TypeVar("Value", bound=Face)
Other = SphereFace | TorusFace
UNKNOWN: Triple = (np.nan, np.nan, np.nan)


class Values(Sequence[Value], Generic[Value]):
    """Faces as values, each made when it is first asked for."""

    def __init__(self, count: int, made: Callable[[int], Value]) -> None:
        self._found: list[Value | None] = [None] * count
        self._made = made

    def __len__(self) -> int:
        return len(self._found)

    @overload
    def __getitem__(self, place: int) -> Value: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Value]: ...

    def __getitem__(self, place: int | slice) -> Value | Sequence[Value]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        found = self._found[place]
        if found is None:
            found = self._found[place] = self._made(int(place) % len(self))
        return found


@dataclass(frozen=True, eq=False)
class Faces:
    """Plane faces, round ones, then others, with the labels of all; ``pitches`` are those of threads on round ones."""

    flats: Flats
    rounds: Rounds
    pitches: Floats
    others: tuple[Other, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, faces: Iterable[Face]) -> Faces:
        """Some faces, those of each kind in their order."""
        every = [*faces]
        flat = [face for face in every if isinstance(face, PlaneFace)]
        bent = [face for face in every if isinstance(face, RoundFace)]
        others = tuple(face for face in every if isinstance(face, (SphereFace, TorusFace)))
        labels = tuple(face.label for face in (*flat, *bent, *others))
        pitches = np.array([face.pitch for face in bent], dtype=float)
        return cls(Flats.of(flat), Rounds.of(bent), pitches, others, labels)

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def planes(self) -> Values[PlaneFace]:
        """The plane faces as values."""
        return Values(len(self.flats), self._plane)

    @cached_property
    def bent(self) -> Values[RoundFace]:
        """The cylinders and cones as values."""
        return Values(len(self.rounds), self._round)

    def value(self, place: int) -> Face:
        """One of all as a value."""
        for some in (self.planes, self.bent):
            if place < len(some):
                return some[place]
            place -= len(some)
        return self.others[place]

    def __iter__(self) -> Iterator[Face]:
        return (self.value(place) for place in range(len(self)))

    def _plane(self, place: int) -> PlaneFace:
        point, along, across = (_tuple(row) for row in self.flats.frames[place])
        u, v = (_tuple(row) for row in self.flats.ranges[place])
        return PlaneFace(point, along, across, u, v, self.labels[place])

    def _round(self, place: int) -> RoundFace:
        rounds = self.rounds
        zero, _, axis = (_tuple(row) for row in rounds.frames[place])
        radius, far = rounds.radii[place].tolist()
        reach = _tuple(rounds.spans[place]), _tuple(rounds.angles[place])
        label, pitch = self.labels[len(self.flats) + place], float(self.pitches[place])
        return RoundFace(_tuple(rounds.points[place]), axis, zero, radius, far, *reach, label, pitch)

    def only(self, flat: Inside, bent: Inside, others: Sequence[bool]) -> Faces:
        """Some of each kind."""
        kept = [*flat.tolist(), *bent.tolist(), *others]
        return Faces(
            self.flats.only(np.flatnonzero(flat)),
            self.rounds.only(np.flatnonzero(bent)),
            self.pitches[bent],
            tuple(compress(self.others, others)),
            tuple(compress(self.labels, kept)),
        )

    def moved(self, motion: Placement) -> Faces:
        """The same of a solid that is turned and shifted."""
        others = tuple(face.placed(motion) for face in self.others)
        return Faces(self.flats.moved(motion), self.rounds.moved(motion), self.pitches, others, self.labels)

    def named(self, name: str) -> Faces:
        """The same with a name where there is no label."""
        return replace(self, labels=tuple(label or name for label in self.labels))


def _tuple(row: Floats) -> Any:
    return tuple(row.tolist())


# ------------------------------------------------------------------------------------- the faces of a solid


def faces_of(solid: Solid) -> Faces:
    """The surfaces of all simple solids in a solid, each once, where they stand: those of ``solid.faces()``.

    >>> from linkwork.solid import Block, Cylinder
    >>> found = faces_of(Block((4, 4, 1)) - Cylinder(1, 1).moved((2, 2, 0)).named("hole"))
    >>> len(found.flats), len(found.rounds), found.bent[0].point, found.bent[0].label
    (8, 1, (2.0, 2.0, 0.0), 'hole')
    """
    collected = _Collected()
    stack = [(solid, _Mark())]
    while stack:
        solid, mark = stack.pop()
        if isinstance(solid, Placed):
            place = solid.place if mark.place is WHERE_DRAWN else mark.place.holding(solid.place)
            stack.append((solid.solid, replace(mark, place=place)))
        elif isinstance(solid, Named):
            stack.append((solid.solid, mark.named(solid)))
        elif isinstance(solid, Difference):
            taken = replace(mark, adds=not mark.adds)
            stack += [*((each, taken) for each in solid.others[::-1]), (solid.first, mark)]
        elif isinstance(solid, (Union, Intersection)):
            stack += [(each, mark) for each in solid.solids[::-1]]
        else:
            collected.add(solid, mark)
    return collected.faces()


@dataclass(frozen=True)
class _Mark:
    """Where a simple solid stands, its label and the pitch of its thread: those of the nearest that tells them.

    It ``adds`` material, or takes it away.
    """

    place: Placement = WHERE_DRAWN
    label: str = ""
    pitch: float = 0.0
    adds: bool = True

    def named(self, solid: Named) -> _Mark:
        """With what a name tells; a thread is as long as its solid is scaled, and in a mirror the other way."""
        pitch = (
            solid.thread * self.place.scale * (-1.0 if self.place.is_mirrored else 1.0)
            if solid.thread
            else 0.0
        )
        return replace(self, label=solid.label or self.label, pitch=pitch or self.pitch)


PLANE, ROUND = 14, 16
"""Numbers of a plane face and of a round one: points and directions, then how far they reach.

The last one of a plane face tells whether its normal, the product of its directions, looks out of the simple solid (1),
into it (-1), or is not known to do either (0). The last one of a round face is the pitch of its thread.
"""
CONVEX = (Block, Cylinder, Cone)
"""Solids whose middle is on the inner side of all their faces."""


@dataclass(eq=False)
class _Rows:
    """Rows of numbers in their order, and for each the number of its simple solid and its own label."""

    width: int
    few: list[tuple[float, ...]] = field(default_factory=list)
    many: list[Floats] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    def add(self, row: tuple[float, ...], owner: int, label: str) -> None:
        """One more."""
        self.few.append(row)
        self.owners.append(owner)
        self.labels.append(label)

    def add_table(self, table: Floats, owner: int) -> None:
        """Many more, without labels."""
        self._gather()
        self.many.append(table)
        self.owners += [owner] * len(table)
        self.labels += [""] * len(table)

    def _gather(self) -> None:
        if self.few:
            self.many.append(np.array(self.few))
            self.few = []

    def table(self) -> Floats:
        """All rows."""
        self._gather()
        if len(self.many) == 1:
            return self.many[0]
        return np.concatenate(self.many) if self.many else np.zeros((0, self.width))


class _Collected:
    """The faces of simple solids, each as it is where its solid is not moved, and where these stand."""

    def __init__(self) -> None:
        self.marks: list[_Mark] = []
        self.middles: list[Triple] = []
        self.planes, self.bent = _Rows(PLANE), _Rows(ROUND)
        self.others: list[Other] = []
        self.other_labels: list[str] = []

    def add(self, solid: Solid, mark: _Mark) -> None:
        """The faces of a simple solid."""
        owner = len(self.marks)
        self.marks.append(mark)
        self.middles.append(mark.place.image(middle_of(solid)) if isinstance(solid, CONVEX) else UNKNOWN)
        if isinstance(solid, Prism):
            planes, bent = _prism_tables(solid.region, solid.height)
            self.planes.add_table(planes, owner)
            self.bent.add_table(bent, owner)
            return
        for face in solid.faces():
            label = face.label or mark.label
            if isinstance(face, PlaneFace):
                ways = *face.point, *face.along, *face.across
                self.planes.add((*ways, *face.u, *face.v, 0.0), owner, label)
            elif isinstance(face, RoundFace):
                ways = *face.point, *face.axis, *face.zero
                sizes = face.radius, face.far_radius, *face.span, *face.angles
                self.bent.add((*ways, *sizes, face.pitch), owner, label)
            else:
                self.others.append(replace(face.placed(mark.place), label=label))

    def faces(self) -> Faces:
        """All of them in place, each once."""
        places = _Places.of([mark.place for mark in self.marks])
        planes, owner = places.ways(self.planes)
        planes[:, 9:13] *= places.scales[owner, None]
        outward = self._outward(planes, owner, places)
        bent, owner = places.ways(self.bent)
        bent[:, 9:13] *= places.scales[owner, None]
        mirrored = places.mirrored[owner]
        bent[mirrored, 13] = -(bent[mirrored, 13] + bent[mirrored, 14])
        bent[:, 15] *= places.scales[owner] * np.where(mirrored, -1.0, 1.0)
        threads = np.array([mark.pitch for mark in self.marks], dtype=float)[owner]
        bent[:, 15] = np.where(bent[:, 15] == 0, threads, bent[:, 15])
        (flat, same), (curved, _) = _first_ones(planes[:, :13]), _first_ones(bent)
        planes, bent = planes[flat], bent[curved]
        others = tuple(dict.fromkeys(self.others))
        labels = [
            self._label(rows, place)
            for rows, some in ((self.planes, flat), (self.bent, curved))
            for place in some
        ]
        return Faces(
            _flats(planes, _agreed(outward, same, len(flat))),
            _rounds(bent),
            bent[:, 15],
            others,
            (*labels, *(face.label for face in others)),
        )

    def _outward(self, planes: Floats, owner: Places, places: _Places) -> Floats:
        """Which way faces look that bound the part: out of what adds material, into what takes it away.

        What a solid is made of with unions, intersections and differences ends where something that adds ends, or where
        something that takes away begins. So no face is needed for a boundary on its other side.
        """
        middles = np.array(self.middles).reshape(-1, 3)[owner]
        normals = cross(planes[:, 3:6], planes[:, 6:9])
        from_middle = np.sign(np.einsum("ij,ij->i", normals, planes[:, :3] - middles))
        told = np.where(places.mirrored[owner], -1.0, 1.0) * planes[:, 13]
        own = np.where(np.isnan(from_middle), told, from_middle)
        return np.asarray(own * np.array([1.0 if mark.adds else -1.0 for mark in self.marks])[owner])

    def _label(self, rows: _Rows, place: int) -> str:
        return rows.labels[place] or self.marks[rows.owners[place]].label


@dataclass(frozen=True, eq=False)
class _Places:
    """Where simple solids stand, as arrays."""

    axes: Floats
    origins: Floats
    scales: Floats
    mirrored: Inside

    @classmethod
    def of(cls, places: Sequence[Placement]) -> _Places:
        """Some of them."""
        return cls(
            np.array([place.axes for place in places], dtype=float).reshape(-1, 3, 3),
            np.array([place.origin for place in places], dtype=float).reshape(-1, 3),
            np.array([place.scale for place in places], dtype=float),
            np.array([place.is_mirrored for place in places], dtype=bool),
        )

    def ways(self, rows: _Rows) -> tuple[Floats, Places]:
        """Rows with the images of their point and both directions, and the number of the solid of each."""
        table, owner = rows.table().copy(), np.array(rows.owners, dtype=np.intp)
        seen = table[:, :9].reshape(-1, 3, 3)
        seen[:, 1:] /= self.scales[owner, None, None]
        image = np.einsum("nij,njk->nik", seen, self.axes[owner])
        image[:, 0] += self.origins[owner]
        table[:, :9] = image.reshape(-1, 9) + 0.0
        return table, owner


def _first_ones(table: Floats) -> tuple[list[int], Places]:
    """The places of rows that are not the same as one before, and for each row which of these it is."""
    keys = np.ascontiguousarray(table + 0.0).view(f"V{8 * table.shape[1]}").ravel().tolist()
    numbers: dict[bytes, int] = {}
    same = np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)
    first = np.full(len(numbers), len(keys))
    np.minimum.at(first, same, np.arange(len(keys)))
    return first.tolist(), same


def _agreed(outward: Floats, same: Places, count: int) -> Floats:
    """Which way faces look that stand for several; 0 where these do not agree."""
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(low, same, outward)
    np.maximum.at(high, same, outward)
    return np.where(low == high, low, 0.0)


def _flats(table: Floats, outward: Floats) -> Flats:
    frames = np.ascontiguousarray(table[:, :9]).reshape(-1, 3, 3)
    ranges = np.ascontiguousarray(table[:, 9:13]).reshape(-1, 2, 2)
    return Flats(frames, ranges, cross(frames[:, 1], frames[:, 2]), outward)


def _rounds(table: Floats) -> Rounds:
    points, axes, zeros = table[:, :3], table[:, 3:6], table[:, 6:9]
    frames = np.stack([zeros, cross(axes, zeros), axes], axis=1)
    radii, spans, angles = (table[:, start : start + 2].copy() for start in (9, 11, 13))
    return Rounds(points.copy(), frames, radii, spans, angles)


# -------------------------------------------------------------------------------------- the faces of prisms


def _prism_tables(region: Region, height: float) -> tuple[Floats, Floats]:
    """The plane faces and the round ones of a prism: a side for each edge, or for each circle, and two ends."""
    planes, bent = [], []
    for loop in region.loops:
        if loop.circle is not None:
            (x, y), radius = loop.circle
            bent.append(_arcs(np.array([complex(x, y)]), np.array([radius]), np.array([(0.0, TURN)]), height))
        else:
            edges = loop.columns
            planes.append(_sides(edges.take(edges.turn == 0), height))
            bent.append(_arc_sides(edges.take(edges.turn != 0), height))
    (left, bottom), (right, top) = region.box
    ends = [
        (0.0, 0.0, z, *X_AXIS, *Y_AXIS, left, right, bottom, top, looks)
        for z, looks in ((0.0, -1.0), (height, 1.0))
    ]
    return np.concatenate([*planes, np.array(ends)]), np.concatenate(bent)


def _sides(lines: Columns, height: float) -> Floats:
    """The plane faces above straight edges, which have the inside on their left."""
    found = np.zeros((len(lines), PLANE))
    lengths = np.hypot(lines.chord.real, lines.chord.imag)
    found[:, 0], found[:, 1] = lines.start.real, lines.start.imag
    found[:, 3], found[:, 4] = lines.chord.real / lengths, lines.chord.imag / lengths
    found[:, 6:9] = Z_AXIS
    found[:, 10], found[:, 12] = lengths, height
    found[:, 13] = 1.0
    return found


def _arc_sides(arcs: Columns, height: float) -> Floats:
    """The cylinders above arcs."""
    start = np.where(arcs.turn > 0, arcs.start, arcs.end)
    angles = np.column_stack([np.angle(start - arcs.centre), np.abs(arcs.sweep)])
    return _arcs(arcs.centre, arcs.radius, angles, height)


def _arcs(centres: NDArray[np.complex128], radii: Floats, angles: Floats, height: float) -> Floats:
    found = np.zeros((len(centres), ROUND))
    found[:, 0], found[:, 1] = centres.real, centres.imag
    found[:, 3:6], found[:, 6:9] = Z_AXIS, X_AXIS
    found[:, 9] = found[:, 10] = radii
    found[:, 12] = height
    found[:, 13:15] = angles
    return found
