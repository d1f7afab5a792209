"""What can happen when the start is known to lie in a region, and the direction in a set (appendix B, sound).

Starts on one line along the direction do the same, only later or earlier, as long as none of them is beyond
the first contact; that is checked. So for one direction the outcome depends on one number, the offset of the
line. Where the first contact changes, vertices line up: those offsets are known. Between them the outcome (all
events and the ending) is looked at and every change closed in on, to a stated width. One sample for each
first contact, as the paper has it, would not do: the same first contact can end differently.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from linkwork.errors import LinkworkError
from linkwork.fasten.angle import ORIGIN, starting_polygons
from linkwork.fasten.cut import drawn_share, lengthened
from linkwork.fasten.design import Design, Polygon, Vector
from linkwork.fasten.fastening import Fastening, event_words, fasten
from linkwork.fasten.history import history
from linkwork.fasten.lost import LOST, MotionLost
from linkwork.fasten.pawl_motion import Rubbed
from linkwork.results import plain_document

Outcome: TypeAlias = tuple[str, ...]
WIDTH = Fraction(1, 10**6)
"""Of the region's breadth: how closely a border between outcomes is found."""
LOOKS = 4
"""Offsets looked at between two that are known to matter."""
FEWEST = 33
"""Offsets looked at in all, at least, evenly."""
LOOKED = 0.5
"""The share of these in what is told of the progress; the rest is that of the borders."""


@dataclass(frozen=True)
class Strip:
    """Offsets between which one outcome happens, the area of the region there, and its largest resistance."""

    low: Fraction
    high: Fraction
    outcome: Outcome
    area: Fraction
    resist: float


@dataclass(frozen=True)
class Reached:
    """What can happen to one feature of an obstacle: parts of an edge (0..1) or all of a vertex."""

    slid: tuple[tuple[float, float], ...]
    stuck: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Partition:
    """The start region cut into strips along one direction."""

    direction: Vector
    strips: tuple[Strip, ...]
    border: float
    finest: float
    """Strips between borders that are narrower than this may have been missed."""


@dataclass(frozen=True)
class Uncertainty:
    """All outcomes that were found, with their shares, and what is reached of every feature."""

    design: Design
    partitions: tuple[Partition, ...]
    features: dict[str, Reached]

    @property
    def shares(self) -> dict[Outcome, float]:
        """The part of region and directions in which each outcome happens, largest first."""
        total: dict[Outcome, Fraction] = {}
        for partition in self.partitions:
            for strip in partition.strips:
                total[strip.outcome] = total.get(strip.outcome, Fraction(0)) + strip.area
        whole = sum(total.values(), Fraction(0))
        ordered = sorted(total.items(), key=lambda item: -item[1])
        return {outcome: float(area / whole) for outcome, area in ordered}

    @property
    def worst(self) -> dict[Outcome, float]:
        """The largest resistance of each outcome."""
        found: dict[Outcome, float] = {}
        for strip in (strip for partition in self.partitions for strip in partition.strips):
            found[strip.outcome] = max(found.get(strip.outcome, -math.inf), strip.resist)
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        shares, worst = self.shares, self.worst
        outcomes = [
            {"ending": each[0], "events": list(each[1:]), "share": share, "max_resist": worst[each]}
            for each, share in shares.items()
        ]
        numbers = {outcome: number for number, outcome in enumerate(shares)}
        figures = {
            "outcomes": outcomes,
            "partitions": [_partition_json(each, numbers) for each in self.partitions],
            "features": {
                name: {"slid": each.slid, "stuck": each.stuck} for name, each in self.features.items()
            },
        }
        return plain_document(figures)


def _partition_json(partition: Partition, numbers: Mapping[Outcome, int]) -> dict[str, Any]:
    strips = [
        {"offset": [float(strip.low), float(strip.high)], "outcome": numbers[strip.outcome]}
        for strip in partition.strips
    ]
    direction = [float(value) for value in partition.direction]
    return {
        "direction": direction,
        "border_width": partition.border,
        "finest": partition.finest,
        "strips": strips,
    }


def outcome_of(found: Fastening) -> Outcome:
    """The ending, and all events in order, in words (without reversals of the sliding)."""
    return (str(found.ending), *event_words(found))


def uncertainty(
    design: Design,
    region: Polygon,
    directions: Sequence[Vector] = (),
    width: Fraction = WIDTH,
    progress: Callable[[float], None] | None = None,
) -> Uncertainty:
    """Partition a region of starts by what happens, for every direction given (the design's without any)."""
    contacts = _Contacts(design)
    partitions = []
    asked = tuple(directions) or design.directions or (design.v,)
    for k, direction in enumerate(asked):

        def told(part: float, k: int = k) -> None:
            if progress:
                progress((k + part) / len(asked))

        partitions.append(_partition(replace(design, v=direction), region, width, contacts, told))
    return Uncertainty(design, tuple(partitions), contacts.reached())


def _partition(
    design: Design, region: Polygon, width: Fraction, contacts: _Contacts, told: Callable[[float], None]
) -> Partition:
    v = design.v
    offsets = [_across(corner, v) for corner in region]
    low, high = min(offsets), max(offsets)
    known: dict[Fraction, _Look] = {}

    def look(offset: Fraction) -> Outcome:
        if offset not in known:
            known[offset] = _looked(design, region, offset)
        return known[offset].outcome

    marks = sorted({*_evenly(low, high), *_lined_up(design, low, high)})
    for k, mark in enumerate(marks):
        look(mark)
        told(LOOKED * (k + 1) / len(marks))
    closest = (high - low) * width
    changing = [(a, b) for a, b in pairwise(marks) if look(a) != look(b)]
    for k, (a, b) in enumerate(changing):
        _close_in(look, a, b, closest)
        told(LOOKED + (1 - LOOKED) * (k + 1) / len(changing))
    told(1.0)
    strips = _strips(known, region, v, contacts)
    finest = max((float(b - a) for a, b in pairwise(marks)), default=0.0)
    return Partition(v, strips, float(closest), finest)


def _looked(design: Design, region: Polygon, offset: Fraction) -> _Look:
    """The motion from the line with an offset; between two outcomes that of a tree may be lost."""
    try:
        found = fasten(_started(design, region, offset))
    except MotionLost:
        return _Look((LOST,), 0.0, ())
    _check_before_contact(found, region, offset)
    return _Look(outcome_of(found), history(found).peak, tuple(_rubbed(found)))


def _across(point: Vector, v: Vector) -> Fraction:
    """A line's offset: constant along the direction."""
    return v[0] * point[1] - v[1] * point[0]


def _evenly(low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """The rims, and evenly between them."""
    yield from (low, high)
    for k in range(FEWEST):
        yield low + (high - low) * (2 * k + 1) / (2 * FEWEST)


def _lined_up(design: Design, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Offsets beside and between those at which a vertex at rest runs into a vertex of an obstacle."""
    moving = [point for pawl in design.pawls for each in starting_polygons(pawl, ORIGIN) for point in each]
    moving += design.root or ()
    offsets = {
        _across((corner[0] - point[0], corner[1] - point[1]), design.v)
        for obstacle in design.obstacles
        for corner in obstacle.poly
        for point in moving
    }
    inside = [low, *sorted(offset for offset in offsets if low < offset < high), high]
    if len(inside) > 200:  # a crowded design: the even looks must do
        return
    for a, b in pairwise(inside):
        for k in range(LOOKS):
            yield a + (b - a) * (2 * k + 1) / (2 * LOOKS)


def _close_in(look: Callable[[Fraction], Outcome], low: Fraction, high: Fraction, width: Fraction) -> None:
    """Halve where the outcomes differ; a third one in between is closed in on from both sides."""
    if high - low <= width or look(low) == look(high):
        return
    middle = (low + high) / 2
    look(middle)
    _close_in(look, low, middle, width)
    _close_in(look, middle, high, width)


def _started(design: Design, region: Polygon, offset: Fraction) -> Design:
    """The start of the region that is farthest back on the line with an offset."""
    return replace(design, p0=_chord(region, design.v, offset)[0])


def _chord(region: Polygon, v: Vector, offset: Fraction) -> tuple[Vector, Vector]:
    """Where the line with an offset enters the region and where it leaves it."""
    met = []
    for a, b in zip(region, (*region[1:], region[0]), strict=True):
        first, second = _across(a, v) - offset, _across(b, v) - offset
        if first == second:
            met += [a, b] if first == 0 else []
        elif first * second <= 0:
            part = first / (first - second)
            met.append((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))
    met.sort(key=lambda point: point[0] * v[0] + point[1] * v[1])
    return met[0], met[-1]


def _check_before_contact(found: Fastening, region: Polygon, offset: Fraction) -> None:
    v = found.design.v
    back, front = _chord(region, v, offset)
    square = v[0] * v[0] + v[1] * v[1]
    latest = float(((front[0] - back[0]) * v[0] + (front[1] - back[1]) * v[1]) / square)
    first = min([motion.told[0].t for motion in found.pawls.values() if motion.told] + [found.ending.at.time])
    if first < latest:
        raise LinkworkError(
            "the start region reaches beyond the first contact",
            got=f"on the line with offset {float(offset):.6g} the first contact comes at t = {first:.6g}, "
            f"the region ends at t = {latest:.6g}",
            wanted="starts that are all before the first contact",
            why="starts on one line do the same only while nothing has happened between them",
            fix="make the region smaller, or move it back against the direction",
        )


def _strips(
    known: dict[Fraction, _Look], region: Polygon, v: Vector, contacts: _Contacts
) -> tuple[Strip, ...]:
    """Neighbouring offsets with one outcome together, borders half way between."""
    marks = sorted(known)
    borders = [min(_across(corner, v) for corner in region)]
    groups: list[list[_Look]] = [[known[marks[0]]]]
    for a, b in pairwise(marks):
        if known[a].outcome != known[b].outcome:
            borders.append((a + b) / 2)
            groups.append([])
        groups[-1].append(known[b])
    borders.append(max(_across(corner, v) for corner in region))
    for group in groups:
        contacts.add([each.contacts for each in group])
    return tuple(
        Strip(
            low,
            high,
            group[0].outcome,
            _area_between(region, v, low, high),
            max(each.resist for each in group),
        )
        for (low, high), group in zip(pairwise(borders), groups, strict=True)
    )


def _area_between(region: Polygon, v: Vector, low: Fraction, high: Fraction) -> Fraction:
    """The area of a polygon between two parallel lines (clipped as Sutherland and Hodgman do)."""
    for sense, limit in ((1, low), (-1, high)):
        clipped: list[Vector] = []
        for a, b in zip(region, (*region[1:], region[0]), strict=True):
            first, second = sense * (_across(a, v) - limit), sense * (_across(b, v) - limit)
            if first >= 0:
                clipped.append(a)
            if first * second < 0:
                part = first / (first - second)
                clipped.append((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))
        region = tuple(clipped)
        if len(region) < 3:
            return Fraction(0)
    twice = sum(
        (a[0] * b[1] - a[1] * b[0] for a, b in zip(region, (*region[1:], region[0]), strict=True)),
        Fraction(0),
    )
    return abs(twice) / 2


class _Look(NamedTuple):
    """One motion."""

    outcome: Outcome
    resist: float
    contacts: tuple[Rubbed, ...]


def _rubbed(found: Fastening) -> Iterator[Rubbed]:
    """All contacts of a motion, in order; places on edges are those on the edges as they are drawn."""
    drawn = {each.name: each for each in found.design.obstacles}
    longer = {each.name: each for each in lengthened(found.design).obstacles}
    for motion in found.pawls.values():
        for each in motion.rubbed():
            name, _, feature = each.feature.rpartition(".")
            if drawn[name].cut and feature.startswith("edge"):
                edge = int(feature.removeprefix("edge"))
                ends = [
                    drawn_share(drawn[name], longer[name], edge, place) for place in (each.low, each.high)
                ]
                yield each._replace(low=ends[0], high=ends[1])
            else:
                yield each


class _Contacts:
    """Which parts of the obstacles' features were slid on and stuck on, over many motions.

    Within a strip the motions differ gradually, so what lies between their contacts is reached too.
    """

    def __init__(self, design: Design) -> None:
        names = [
            f"{obstacle.name}.{kind}{k}"
            for obstacle in design.obstacles
            for k in range(len(obstacle.poly))
            for kind in ("vertex", "edge")
        ]
        self.found: dict[tuple[str, bool], list[tuple[float, float]]] = {
            (name, sticks): [] for name in names for sticks in (False, True)
        }

    def add(self, strip: Sequence[tuple[Rubbed, ...]]) -> None:
        """Note the contacts of all motions of one strip; those with the same contacts in the same order together."""
        alike: dict[tuple[tuple[str, bool], ...], list[tuple[Rubbed, ...]]] = {}
        for motion in strip:
            alike.setdefault(tuple((each.feature, each.sticks) for each in motion), []).append(motion)
        for keys, motions in alike.items():
            for key, same in zip(keys, zip(*motions, strict=True), strict=True):
                self.found[key].append((min(each.low for each in same), max(each.high for each in same)))

    def reached(self) -> dict[str, Reached]:
        """For every feature the parts that can be slid on and stuck on; one with neither is not reached."""
        names = {name: None for name, _ in self.found}
        return {
            name: Reached(_merged(self.found[name, False]), _merged(self.found[name, True])) for name in names
        }


def _merged(parts: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """The union of intervals."""
    merged: list[tuple[float, float]] = []
    for low, high in sorted(parts):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)
