"""Rolling bearings: balls or rollers all around an axis, between a race of one part and a race of another.

The races are about one another, or beside one another along the axis in a thrust bearing.

They roll, and what they carry turns on them and not in its seat, for rolling resists far less than sliding. So the
rings of a bearing are one with what they sit in or on, its balls or rollers and its cage go with the ring that has the
outer race, and the only motion is that of the rings against each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.recognition.body import Body, near
from linkwork.recognition.boxes import box_along
from linkwork.recognition.drawn_axes import upwards
from linkwork.recognition.groups import Groups
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.solid.placement import Floats, cross, cross_length, triple
from linkwork.solid.section import frame_across

LEAST: Final = 3
"""How many balls or rollers a bearing has at least."""
HALF: Final = math.pi + 1e-6
"""No gap between neighbours is wider: they hold from all sides."""


@dataclass(frozen=True, eq=False)
class _Run:
    """A ball or a roller at a race: the contact there, and whether the race is outside, seen from the axis."""

    element: int
    partner: int
    centre: Floats
    radius: float
    axis: Floats
    point: Floats
    is_outside: bool
    is_thrust: bool = False
    """Whether the races are beside one another along the axis; the outer one then is that which the axis points to."""
    contact: Contact | None = None
    """What touches, if it is not known yet, with the normals from the race to the element."""

    def is_beside(self, other: _Run, tolerance: float) -> bool:
        """Whether it is alike, about the same axis and on the same circle."""
        if (self.is_outside, self.is_thrust) != (other.is_outside, other.is_thrust):
            return False
        if abs(self.radius - other.radius) > tolerance:
            return False
        if abs(float(self.axis @ other.axis)) < 1 - PARALLEL or self.partner != other.partner:
            return False
        away = other.centre - self.centre
        apart = abs(self._distance - cross_length(other.centre - self.point, self.axis))
        return abs(float(away @ self.axis)) <= self.radius and apart <= CLEARANCE * self.radius + tolerance

    @property
    def _distance(self) -> float:
        return cross_length(self.centre - self.point, self.axis)

    @property
    def turn(self) -> float:
        """At which angle about the axis it is."""
        side = np.eye(3)[int(np.argmin(np.abs(self.axis)))]
        one = cross(self.axis, side)
        away = self.centre - self.point
        return math.atan2(float(away @ cross(self.axis, one)), float(away @ one))


@dataclass(frozen=True, eq=False)
class _Bearing:
    """The parts that roll, those with the races, the cages, and the runs that are contacts not known yet."""

    elements: tuple[int, ...]
    outer: int
    inner: int
    cages: tuple[int, ...]
    runs: tuple[_Run, ...]


def weld_bearings(groups: Groups, tolerance: float) -> None:
    """Make the rings of rolling bearings one with their seats, and all that rolls one with the outer ring."""
    for bearing in _bearings(groups, tolerance):
        for run in bearing.runs:
            _add(groups, run)
        outer = groups.bodies[bearing.outer].name
        for place in (*bearing.elements, *bearing.cages):
            name = groups.bodies[place].name
            what = "holds what rolls" if place in bearing.cages else "rolls"
            _weld(
                groups, bearing.outer, place, f"{name} {what} in {outer}, which makes no difference to others"
            )
            groups.holders[place] = bearing.outer
        for ring, is_outer in ((bearing.outer, True), (bearing.inner, False)):
            _weld_seat(groups, bearing, ring, is_outer, tolerance)


def _weld(groups: Groups, a: int, b: int, why: str) -> None:
    if groups.group_of(a) != groups.group_of(b):
        groups.weld(min(a, b), max(a, b), why)


def _add(groups: Groups, run: _Run) -> None:
    """Put a contact to those of two parts."""
    if run.contact is not None:
        first, second = sorted((run.partner, run.element))
        contact = run.contact if first == run.partner else run.contact.flipped()
        groups.touching[first, second] = [*groups.touching.get((first, second), ()), contact]


def _weld_seat(groups: Groups, bearing: _Bearing, ring: int, is_outer: bool, tolerance: float) -> None:
    """Make a ring one with what it sits in, or what sits in it, unless that has the other race."""
    run = bearing.runs[0]
    if not _is_ring(groups.bodies[ring], run, tolerance):
        return
    other = groups.group_of(bearing.inner if is_outer else bearing.outer)
    for (a, b), touched in [*groups.touching.items()]:
        seat = b if a == ring else a
        if ring not in (a, b) or (a, b) in groups.apart or seat in (*bearing.elements, *bearing.cages):
            continue
        within = (a, b).index(ring if is_outer else seat)
        if groups.group_of(seat) != other and any(
            _lies(each, run, tolerance)
            if run.is_thrust
            else each.inner == within and _sits(each, run, tolerance)
            for each in touched
        ):
            name, held = groups.bodies[ring].name, groups.bodies[seat].name
            where = f"{'in' if is_outer and not run.is_thrust else 'on'} {held}"
            why = f"{name} sits fast {where}, for it is a ring of a rolling bearing, which turns more easily"
            _weld(groups, a, b, why)
            groups.holders.setdefault(ring, seat)


def _sits(contact: Contact, run: _Run, tolerance: float) -> bool:
    """Whether a contact is a fit about the axis of a bearing."""
    if contact.kind not in ("shaft", "press") or not contact.is_closed:
        return False
    assert contact.axis is not None
    assert contact.middle is not None
    is_along = abs(float(contact.axis @ run.axis)) > 1 - PARALLEL
    return is_along and cross_length(contact.middle - run.point, run.axis) <= abs(contact.gap) + tolerance


def _lies(contact: Contact, run: _Run, tolerance: float) -> bool:
    """Whether a contact is that of a washer of a thrust bearing with what bears it."""
    along = abs(float(contact.normals[0] @ run.axis)) > 1 - PARALLEL
    return contact.kind == "plane" and contact.gap <= tolerance and along


def _is_ring(body: Body, run: _Run, tolerance: float) -> bool:
    """Whether a part is round about an axis and no longer than it is wide: others are shafts and housings."""
    if not body.is_round(run.axis, run.point, tolerance) or not len(body.round_arrays):
        return False
    across = frame_across(triple(run.axis)).matrix.T
    low, high = box_along(body.solid, across)  # not by its faces: a bore may be cut longer than it is
    return bool(high[2] - low[2] <= 2 * body.round_arrays.radii.max())


# ---------------------------------------------------------------------------------------------- finding


def _bearings(groups: Groups, tolerance: float) -> Iterator[_Bearing]:
    """All rolling bearings: what rolls between the same two parts on one circle."""
    runs = [*_in_grooves(groups), *_on_cylinders(groups, tolerance)]
    within = [run for run in runs if not run.is_outside]
    both = [
        (run, other)
        for run in runs
        if run.is_outside
        for other in within
        if _are_of_one(run, other, tolerance)
    ]
    while both:
        first, second = both[0]
        alike = [
            each
            for each in both
            if first.is_beside(each[0], tolerance) and second.is_beside(each[1], tolerance)
        ]
        both = [each for each in both if not any(each is other for other in alike)]
        elements = tuple(dict.fromkeys(run.element for run, _ in alike))
        cages = _cages(groups, elements, first.partner, second.partner)
        if len(alike) >= LEAST and cages is not None and _are_all_around([run.turn for run, _ in alike]):
            every = tuple(run for pair in alike for run in pair)
            partners = first.partner, second.partner
            outer, inner = sorted(partners) if first.is_thrust else partners
            yield _Bearing(elements, outer, inner, cages, every)


def _are_of_one(outside: _Run, within: _Run, tolerance: float) -> bool:
    """Whether two runs are of one ball or roller, about one axis."""
    if outside.element != within.element or outside.partner == within.partner:
        return False
    if outside.is_thrust != within.is_thrust:
        return False
    if float(np.linalg.norm(outside.centre - within.centre)) > tolerance:
        return False
    is_along = abs(float(outside.axis @ within.axis)) > 1 - PARALLEL
    apart = cross_length(outside.point - within.point, outside.axis)
    return is_along and apart <= CLEARANCE * outside.radius + tolerance


def _are_all_around(turns: Sequence[float]) -> bool:
    """Whether no gap between neighbours is wider than half around."""
    ordered = sorted(turns)
    return float(np.diff([*ordered, ordered[0] + math.tau]).max()) <= HALF


def _cages(groups: Groups, elements: Sequence[int], outer: int, inner: int) -> tuple[int, ...] | None:
    """Other parts in which elements lie; None if what rolls, or one of these, is held elsewhere too."""
    touched: dict[int, int] = {}
    for (a, b), every in groups.touching.items():
        for element, other in ((a, b), (b, a)):
            is_new = element in elements and other not in (*elements, outer, inner)
            if is_new and any(each.inner == (a, b).index(element) for each in every):
                touched[other] = touched.get(other, 0) + 1
    cages = tuple(place for place, count in touched.items() if count > 1 or len(elements) == 1)
    inside = {*elements, *cages, outer, inner}
    for (a, b), every in groups.touching.items():
        is_outward = len(inside & {a, b}) == 1 and bool({a, b} & {*elements, *cages})
        if is_outward and any(each.kind in ("shaft", "press", "sphere") and each.is_closed for each in every):
            return None
    return cages


def _in_grooves(groups: Groups) -> Iterator[_Run]:
    """Balls in grooves around an axis."""
    for (a, b), touched in groups.touching.items():
        for each in touched:
            if each.kind != "groove" or (a, b) in groups.apart:
                continue
            assert each.axis is not None
            assert each.middle is not None
            element, partner = (b, a) if each.inner else (a, b)
            if element == 0:
                continue
            centre = _centre(groups.bodies[element], each)
            away = centre - each.middle
            radial = away - (away @ each.axis) * each.axis
            length = math.hypot(*radial)
            if length <= each.radius:
                continue  # a straight bore, or the pocket of a cage
            side, way = each.points.mean(axis=0) - centre, upwards(each.axis, groups.axes)
            lean = float(side @ radial) / length / each.radius
            where = element, partner, centre, each.radius, way, each.middle
            if abs(lean) > CLEARANCE:
                yield _Run(*where, lean > 0)
            elif abs(float(side @ way)) > CLEARANCE * each.radius:
                yield _Run(*where, float(side @ way) > 0, is_thrust=True)


def _centre(body: Body, contact: Contact) -> Floats:
    """The centre of the ball that a contact is at."""
    centres = np.array([sphere.point for sphere in body.spheres])
    return np.asarray(centres[np.linalg.norm(centres - contact.points.mean(axis=0), axis=1).argmin()])


# ------------------------------------------------------------------------- races that are plain cylinders


@dataclass(frozen=True, eq=False)
class _Roller:
    """A ball or a plain roller: its ends are those of its axis, both in the middle for a ball."""

    place: int
    radius: float
    ends: Floats

    @property
    def centre(self) -> Floats:
        return np.asarray(self.ends.mean(axis=0))

    @property
    def length(self) -> float:
        return math.dist(*self.ends)


def _on_cylinders(groups: Groups, tolerance: float) -> Iterator[_Run]:
    """Balls and rollers, three or more alike, that lie at cylinders of other parts with some play."""
    every = [each for place, body in enumerate(groups.bodies) for each in _rollers(place, body)]
    sizes = [(round(each.radius / tolerance), round(each.length / tolerance)) for each in every]
    for roller, size in zip(every, sizes, strict=True):
        if sizes.count(size) < LEAST:
            continue
        box = groups.bodies[roller.place]
        for partner, body in enumerate(groups.bodies):
            is_apart = (min(partner, roller.place), max(partner, roller.place)) in groups.apart
            if partner != roller.place and not is_apart and near(body, box, CLEARANCE * roller.radius):
                yield from _races(roller, partner, body, tolerance)


def _rollers(place: int, body: Body) -> Iterator[_Roller]:
    """A part as a ball or a roller, if it is nothing else."""
    if place == 0 or any(piece.gear for piece in body.pieces):
        return
    if body.is_ball:
        yield _Roller(place, body.spheres[0].radius, np.array([body.spheres[0].point] * 2))
    rounds = body.round_arrays
    if len(rounds) != 1 or not rounds.are_cylinders[0] or body.others:
        return
    ends = rounds.points[0] + np.outer(rounds.spans[0], rounds.axes[0])
    is_solid = body.membership.contains(ends.mean(axis=0)[None])[0]
    if is_solid and body.is_round(rounds.axes[0], rounds.points[0], body.skin):
        yield _Roller(place, float(rounds.radii[0, 0]), ends)


def _races(roller: _Roller, partner: int, body: Body, tolerance: float) -> Iterator[_Run]:
    """The cylinders of a part around another axis at which a roller lies."""
    rounds = body.round_arrays
    away = roller.centre - rounds.points
    radial = away - np.einsum("ij,ij->i", away, rounds.axes)[:, None] * rounds.axes
    apart = np.linalg.norm(radial, axis=1)
    play = 2 * CLEARANCE * roller.radius
    for is_outside, way in ((True, 1.0), (False, -1.0)):
        gaps = way * (rounds.radii[:, 0] - apart) - roller.radius
        may = rounds.are_cylinders & (apart > roller.radius) & (gaps >= -tolerance) & (gaps <= play)
        for place in np.flatnonzero(may):
            axis, outward = rounds.axes[place], radial[place] / apart[place]
            if cross_length(roller.ends[1] - roller.ends[0], axis) > tolerance:
                continue
            points = _line(roller, rounds.points[place], axis, rounds.spans[place])
            if points is None:
                continue
            points = points + rounds.radii[place, 0] * outward
            normals = np.tile(-way * outward, (2, 1))
            if body.bounded(points + 0.1 * (points[::-1] - points), normals).all():
                contact = Contact(
                    "race",
                    points,
                    normals,
                    max(0.0, float(gaps[place])),
                    1,
                    axis,
                    rounds.points[place],
                    roller.radius,
                    roller.length,
                )
                where = roller.centre, roller.radius, axis, rounds.points[place]
                yield _Run(roller.place, partner, *where, is_outside, contact=contact)
                break


def _line(roller: _Roller, point: Floats, axis: Floats, span: Floats) -> Floats | None:
    """The ends of the line on the axis of a race along which a roller lies there, if at least half of it does.

    Balls on plain cylinders stand for a bearing that was drawn simply: they hold its axis as short rollers do.
    """
    half = roller.radius / 2 * axis
    ends = roller.ends if roller.length else np.array([roller.centre - half, roller.centre + half])
    heights = np.sort((ends - point) @ axis)
    low, high = np.clip(heights, *np.sort(span))
    return point + np.outer([low, high], axis) if high - low >= (heights[1] - heights[0]) / 2 else None
