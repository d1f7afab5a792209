"""Gears and racks by their teeth: sections of parts that turn or slide on one carrier, where they reach each other."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from linkwork.recognition.body import Body, near_pairs
from linkwork.recognition.flats import ALL_PAIRS
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.mesh import Band, Mesh, Misplaced, Solids
from linkwork.recognition.phases import Phase
from linkwork.recognition.sectors import sectors_around_each_other
from linkwork.recognition.spindles import PARALLEL, Spindle, spindles
from linkwork.recognition.teeth import (
    CROWDING,
    LEAST_AROUND,
    Along,
    Fit,
    Met,
    Teeth,
    fit,
    teeth_along,
    teeth_around,
)
from linkwork.solid import section
from linkwork.solid.layers import heights, is_prismatic
from linkwork.solid.placement import Floats, Placement, cross, cross_length, triple
from linkwork.solid.region import Region, union
from linkwork.solid.section import frame_across

MOST_LAYERS = 8
"""In how many layers, the thickest first, two parts are looked at."""

ALIKE = 0.01
"""How far from an axis faces of teeth that are alike may differ, as a part of the farthest."""


@dataclass(frozen=True, eq=False)
class Wheel:
    """A group that turns about a spindle, carried by another."""

    group: int
    spindle: Spindle


@dataclass(frozen=True, eq=False)
class Toothed:
    """The sections of groups across the axes of a machine."""

    machinery: Machinery
    tolerance: float
    _sections: dict[tuple[int, bytes, float], Region] = field(default_factory=dict)
    _heights: dict[tuple[int, bytes], list[float]] = field(default_factory=dict)
    _upright: dict[tuple[int, bytes], bool] = field(default_factory=dict)
    _levels: dict[tuple[int, bytes], Floats] = field(default_factory=dict)

    @property
    def groups(self) -> Groups:
        """The groups of parts."""
        return self.machinery.groups

    def found(self) -> tuple[list[Mesh], list[Misplaced]]:
        """All gears and racks whose teeth mesh, and those whose teeth would if they were drawn in phase."""
        every = [*self._wheels_met(), *self._racks_met()]
        return (
            [each for each in every if isinstance(each, Mesh)],
            [each for each in every if isinstance(each, Misplaced)],
        )

    # ------------------------------------------------------------------------------------- wheels

    def _wheels_met(self) -> Iterator[Mesh | Misplaced]:
        lines = spindles(self.machinery.joined, self.tolerance)
        for one, other, a, b in self._near_on_lines(lines):
            carriers = one.groups & other.groups
            if not carriers or cross_length(one.axis, other.axis) > PARALLEL:
                continue
            first, second = sorted((Wheel(a, other), Wheel(b, one)), key=lambda each: each.group)
            if not self.groups.are_apart(a, b):
                yield from self._wheels(first, second, min(carriers))

    def _near_on_lines(self, lines: Sequence[Spindle]) -> Iterator[tuple[Spindle, Spindle, int, int]]:
        """A line, one before it, and groups of the latter and the former that are near each other and on one only."""
        lines_of: dict[int, list[int]] = {}
        for place, one in enumerate(lines):
            found = {
                (before, a, b)
                for b in one.groups
                for a in self._near_groups.get(b, frozenset()) - one.groups
                for before in lines_of.get(a, ())
                if b not in lines[before].groups
            }
            yield from ((one, lines[before], a, b) for before, a, b in sorted(found))
            for group in one.groups:
                lines_of.setdefault(group, []).append(place)

    @cached_property
    def _near_groups(self) -> dict[int, frozenset[int]]:
        """The groups to which each is near: boxes of parts of both meet, as they do where teeth mesh."""
        of = {id(body): self.groups.group_of(place) for place, body in enumerate(self.groups.bodies)}
        found: dict[int, set[int]] = {}
        for one, other in near_pairs(self.groups.bodies, 0.0):
            a, b = of[id(one)], of[id(other)]
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
        return {group: frozenset(others) for group, others in found.items()}

    def _may_have_teeth(self, a: Wheel, b: Wheel) -> bool:
        """Whether both have enough faces alike that are not round about their axes, where the other can reach."""
        apart = cross_length(b.spindle.point - a.spindle.point, a.spindle.axis)
        levels = [self._uneven(wheel) for wheel in (a, b)]
        reaches = [float(each[:, 1].max(initial=0.0)) for each in levels]
        return all(
            _are_enough_alike(levels[place][levels[place][:, 1] >= apart - reaches[1 - place]])
            for place in (0, 1)
        )

    def _uneven(self, wheel: Wheel) -> Floats:
        """The least and largest distances from the axis of a wheel of the faces that do not turn in themselves."""
        key = wheel.group, wheel.spindle.axis.tobytes() + wheel.spindle.point.tobytes()
        if key not in self._levels:
            surfaces, line = self.groups.surfaces[wheel.group], (wheel.spindle.axis, wheel.spindle.point)
            uneven = ~surfaces.are_round(*line, 100 * self.tolerance)
            self._levels[key] = surfaces.distances(*line)[uneven]
        return self._levels[key]

    def _wheels(self, a: Wheel, b: Wheel, carrier: int) -> Iterator[Mesh | Misplaced]:
        if not self._may_have_teeth(a, b):
            return
        axis, frame = a.spindle.axis, frame_across(triple(a.spindle.axis))
        centres = _flat(frame, a.spindle.point), _flat(frame, b.spindle.point)
        for low, high in self._layers(a.group, b.group, axis):
            if sum(self._reach(wheel, axis, low, high) for wheel in (a, b)) <= abs(centres[1] - centres[0]):
                continue
            regions = [self._section(group, axis, (low + high) / 2) for group in (a.group, b.group)]
            if all(regions):
                both = regions[0], regions[1]
                met = around_each_other(both, centres, (low, high))
                met = met or sectors_around_each_other(both, centres, (low, high))
                if met is not None:
                    yield self._gear(a, b, carrier, met, abs(centres[1] - centres[0]))
                    return

    def _reach(self, wheel: Wheel, axis: Floats, low: float, high: float) -> float:
        """How far from its axis a wheel reaches between two heights along it, or farther."""
        surfaces = self.groups.surfaces[wheel.group]
        along = surfaces.heights(axis)
        between = (along[:, 0] < high) & (along[:, 1] > low)
        away = surfaces.distances(wheel.spindle.axis, wheel.spindle.point)
        return float(away[between, 1].max(initial=0.0))

    def _gear(self, a: Wheel, b: Wheel, carrier: int, met: Met, apart: float) -> Mesh | Misplaced:
        first, second = met.teeth
        counts = first.count, second.count
        module = 2 * apart / abs(counts[0] - met.way * counts[1])
        radii = module * counts[0] / 2, module * counts[1] / 2
        axis, labels = a.spindle.axis, []
        for wheel, teeth in ((a, first), (b, second)):
            away = self.groups.surfaces[wheel.group].distances(axis, wheel.spindle.point)
            labels.append(self._labels(wheel.group, axis, met, away, teeth))
        parts = self._part(labels[0]), self._part(labels[1])
        names = [self.groups.bodies[part].name for part in parts]
        phase = Phase(
            (a.group, b.group),
            parts,
            (first.pitch, second.pitch),
            (axis, axis),
            met.way,
            met.fit.free,
        )
        if met.fit.off:
            return Misplaced(phase, abs(met.fit.off) * math.pi * module)
        sides = f"{_told(first, ' teeth')} of {names[0]} and {_told(second)} of {names[1]}"
        why = (
            f"{sides} (module {module:.6g}, pitch radii {radii[0]:.6g} and {radii[1]:.6g}, "
            f"axes {apart:.6g} apart{', one inside' if met.way > 0 else ''}) go on together and stay clear; "
            f"{_play(met.fit, math.pi * module, self.tolerance)}; {self._carried(carrier)} carries both axes"
        )
        return Mesh(
            "gear",
            (a.group, b.group),
            parts,
            carrier,
            axis,
            a.spindle.point,
            met.way * counts[0] / counts[1],
            radii,
            _pairs(*labels),
            why,
            counts,
            Band(axis, (a.spindle.point, b.spindle.point), _zones(met, math.pi * module)),
            phase,
        )

    # -------------------------------------------------------------------------------------- racks

    def _racks_met(self) -> Iterator[Mesh | Misplaced]:
        lines = spindles(self.machinery.joined, self.tolerance)
        for slide in self._slides():
            for rack, carrier in (slide.groups, slide.groups[::-1]):
                for line in lines:
                    if carrier not in line.groups or abs(float(line.axis @ slide.axis)) > PARALLEL:
                        continue
                    for group in sorted(line.groups - {carrier, rack}):
                        if not self.groups.are_apart(group, rack):
                            found = self._racks(Wheel(group, line), rack, slide, carrier)
                            yield from (
                                each
                                for each in found
                                if slide.kind == "prismatic" or isinstance(each, Misplaced)
                            )

    def _slides(self) -> Iterator[Joined]:
        """What slides, and along the axes of the drawing what side faces alone hold, as racks that lie on pinions.

        Of the latter only teeth that lie on teeth are told.
        """
        for each in self.machinery.joined:
            if each.kind == "prismatic":
                yield each
            elif each.kind == "planar":
                ways = (way for way in self.groups.axes if abs(float(way @ each.axis)) <= PARALLEL)
                yield from (replace(each, axis=way) for way in ways)

    def _racks(self, wheel: Wheel, rack: int, slide: Joined, carrier: int) -> Iterator[Mesh | Misplaced]:
        axis, frame = wheel.spindle.axis, frame_across(triple(wheel.spindle.axis))
        centre = _flat(frame, wheel.spindle.point)
        way = _flat(frame, wheel.spindle.point + slide.axis) - centre
        for low, high in self._layers(wheel.group, rack, axis):
            regions = [self._section(group, axis, (low + high) / 2) for group in (wheel.group, rack)]
            if all(regions):
                met = _beside_each_other((regions[0], regions[1]), Along(centre, way), (low, high))
                if met is not None:
                    yield self._rack(wheel, rack, slide, carrier, met)
                    return

    def _rack(self, wheel: Wheel, rack: int, slide: Joined, carrier: int, met: Met) -> Mesh | Misplaced:
        pinion, bar = met.teeth
        axis, radius = wheel.spindle.axis, pinion.count * bar.pitch / math.tau
        right = cross(slide.axis, axis)
        away = self.groups.surfaces[wheel.group].distances(axis, wheel.spindle.point)
        beside = self.groups.surfaces[rack].heights(right) - float(wheel.spindle.point @ right)
        labels = (
            self._labels(wheel.group, axis, met, away, pinion),
            self._labels(rack, axis, met, beside, bar),
        )
        parts = self._part(labels[0]), self._part(labels[1])
        names = [self.groups.bodies[part].name for part in parts]
        pitches, axes = (pinion.pitch, bar.pitch), (axis, slide.axis)
        phase = Phase((wheel.group, rack), parts, pitches, axes, met.way, met.fit.free, is_rack=True)
        if met.fit.off:
            return Misplaced(phase, abs(met.fit.off) * bar.pitch)
        why = (
            f"{pinion.count} teeth of {names[0]} (module {bar.pitch / math.pi:.6g}, pitch radius {radius:.6g}) and the "
            f"rack {names[1]} go on together and stay clear; {_play(met.fit, bar.pitch, self.tolerance)}; it slides "
            f"across its axis on {self._carried(carrier)}"
        )
        turn = axis, wheel.spindle.point, met.way * radius
        sizes = radius, radius
        return Mesh(
            "rack",
            (wheel.group, rack),
            parts,
            carrier,
            *turn,
            sizes,
            _pairs(*labels),
            why,
            (pinion.count, bar.count),
            Band(axis, (wheel.spindle.point, wheel.spindle.point), _zones(met, bar.pitch), right),
            phase,
        )

    # ----------------------------------------------------------------------------------- sections

    def _bodies(self, group: int) -> list[Body]:
        return [self.groups.bodies[place] for place in self.groups.members[group]]

    def _section(self, group: int, axis: Floats, height: float) -> Region:
        """What a plane across an axis cuts out of a group; between its corners it is the same if it is prismatic."""
        if self._is_upright(group, axis):
            ends = self._ends(group, axis)
            place = bisect.bisect_right(ends, height)
            height = (ends[place - 1] + ends[place]) / 2
        key = group, axis.tobytes(), height
        if key not in self._sections:
            cuts = [section(body.solid, height, triple(axis)) for body in self._bodies(group)]
            self._sections[key] = union(cuts)
        return self._sections[key]

    def _is_upright(self, group: int, axis: Floats) -> bool:
        """Whether all faces of a group are along an axis or across it."""
        key = group, axis.tobytes()
        if key not in self._upright:
            self._upright[key] = all(is_prismatic(body.solid, triple(axis)) for body in self._bodies(group))
        return self._upright[key]

    def _ends(self, group: int, axis: Floats) -> list[float]:
        """At which heights along an axis the parts of a group have corners."""
        key = group, axis.tobytes()
        if key not in self._heights:
            every = partial(heights, axis=triple(axis))
            self._heights[key] = sorted(
                height for body in self._bodies(group) for height in every(body.solid)
            )
        return self._heights[key]

    def _layers(self, a: int, b: int, axis: Floats) -> list[tuple[float, float]]:
        """The pieces of an axis in which both groups are, without corners between; the thickest first."""
        if not self._are_near(a, b):
            return []
        first, second = self._ends(a, axis), self._ends(b, axis)
        low, high = max(first[0], second[0]), min(first[-1], second[-1])
        inner = [height for height in (*first, *second) if low < height < high]
        marks = [low, *sorted(inner), high]
        thick = [each for each in pairwise(marks) if each[1] - each[0] > 10 * self.tolerance]
        return sorted(thick, key=lambda each: each[0] - each[1])[:MOST_LAYERS]

    def _are_near(self, a: int, b: int) -> bool:
        """Whether boxes of parts of two groups meet."""
        return b in self._near_groups.get(a, ())

    # -------------------------------------------------------------------------------------- words

    def _labels(self, group: int, axis: Floats, met: Met, levels: Floats, teeth: Teeth) -> list[Solids]:
        """The names of the solids whose sides are in the zone and the layer of teeth."""
        surfaces = self.groups.surfaces[group]
        along = surfaces.heights(axis)
        inside = (np.minimum(along[:, 1], met.heights[1]) > np.maximum(along[:, 0], met.heights[0])) & (
            np.minimum(levels[:, 1], teeth.zone[1]) >= np.maximum(levels[:, 0], teeth.zone[0])
        )
        return list(dict.fromkeys(surfaces.names[place] for place in np.flatnonzero(inside)))

    def _part(self, labels: list[Solids]) -> int:
        names = [body.name for body in self.groups.bodies]
        return min(names.index(part) for part, _ in labels)

    def _carried(self, carrier: int) -> str:
        return self.groups.bodies[carrier].name


def _are_enough_alike(levels: Floats) -> bool:
    """Whether as many rows as a wheel has teeth at least are the same but for a hundredth of the largest number."""
    if len(levels) < LEAST_AROUND:
        return False
    slack = ALIKE * float(levels.max())
    if slack > 0:  # rows in one cell of a grid are alike: so many are, mostly, that no more need be compared
        cells = np.floor(levels / slack)
        _, counts = np.unique(cells[:, 0] + 1j * cells[:, 1], return_counts=True)
        if counts.max() >= LEAST_AROUND:
            return True
    if len(levels) ** 2 <= ALL_PAIRS:
        same = np.ones((len(levels), len(levels)), dtype=bool)
        for each in np.ascontiguousarray(levels.T):
            same &= np.abs(each[:, None] - each) <= slack
        return bool(same.sum(axis=1).max() >= LEAST_AROUND)
    from scipy.spatial import cKDTree

    nearest, _ = cKDTree(levels, balanced_tree=False).query(levels, k=LEAST_AROUND, p=np.inf)
    return bool(nearest[:, -1].min() <= slack)


def _pairs(first: list[Solids], second: list[Solids]) -> frozenset[frozenset[Solids]]:
    return frozenset(frozenset((own, theirs)) for own in first for theirs in second)


def _zones(met: Met, pitch: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The levels of both rows of teeth, and as much more as they may reach into each other."""
    (a, b), (c, d) = (each.zone for each in met.teeth)
    more = CROWDING * pitch
    return (a - more, b + more), (c - more, d + more)


def _flat(frame: Placement, point: Floats) -> complex:
    """A point in the coordinates of a section."""
    x, y = frame.local(point[None])[0, :2]
    return complex(x, y)


def _told(teeth: Teeth, noun: str = "") -> str:
    """How many teeth there are: of a wheel, or of a sector."""
    return f"{teeth.count}{noun}" if not teeth.cut else f"{teeth.cut}{noun} (a sector of {teeth.count})"


def _play(found: Fit, pitch: float, tolerance: float) -> str:
    """What is said about the play of teeth."""
    length = abs(found.play) * pitch
    if length <= tolerance:
        return "alone neither turns, for they fit without backlash"
    if found.play < 0:
        return f"alone neither turns, for there is no backlash: flanks reach {length:.3g} into each other"
    told = f"alone neither turns by more than the backlash, {length:.3g} at the pitch circle"
    if found.wavers:
        told += f"; their flanks make the one lead and lag the other by {found.wavers * pitch / 2:.3g} there"
    return told


def around_each_other(
    regions: tuple[Region, Region], centres: tuple[complex, complex], layer: tuple[float, float]
) -> Met | None:
    """The teeth of two sections about two centres, if they mesh, outside or inside."""
    apart = abs(centres[1] - centres[0])
    reaches = [
        region.edge_reaches((centre.real, centre.imag))
        for region, centre in zip(regions, centres, strict=True)
    ]
    tips = [float(np.minimum(most, apart)[least < apart].max(initial=0.0)) for least, most in reaches]
    if sum(tips) > apart and max(tips) < apart:
        zones = [(apart - tips[1 - place], tips[place]) for place in (0, 1)]
        return _met(regions, centres, zones, -1, layer)
    for ring in (0, 1):
        least, most = reaches[ring]
        bore = float(np.maximum(least, apart)[most > apart].min(initial=math.inf))
        tip = float(reaches[1 - ring][1].max())
        if apart < bore < apart + tip and tip < bore:
            zones = [(bore, apart + tip), (bore - apart, tip)]
            return _met(regions, centres, zones if ring == 0 else zones[::-1], 1, layer)
    return None


def _met(
    regions: tuple[Region, Region],
    centres: tuple[complex, complex],
    zones: list[tuple[float, float]],
    way: int,
    layer: tuple[float, float],
) -> Met | None:
    first = teeth_around(regions[0], centres[0], zones[0])
    second = None if first is None else teeth_around(regions[1], centres[1], zones[1])
    if first is None or second is None or first.count == way * second.count:
        return None
    found = fit(first, second, way)
    return None if found is None else Met((first, second), found, way, layer)


def _beside_each_other(regions: tuple[Region, Region], line: Along, layer: tuple[float, float]) -> Met | None:
    """The teeth of a section about a point and those of another along a line through it, if they mesh."""
    tip = float(regions[0].edge_reaches((line.origin.real, line.origin.imag))[1].max())
    upright = line.upright(regions[1])
    boxes = upright.runs.boxes
    for side, inner, outer in ((1, boxes.left, boxes.right), (-1, -boxes.right, -boxes.left)):
        nearest = float(np.maximum(inner, 0.0)[outer > 0].min(initial=math.inf))
        if not 0 < nearest < tip:
            continue
        first = teeth_around(regions[0], line.origin, (nearest, tip))
        zone = (nearest, tip) if side > 0 else (-tip, -nearest)
        second = None if first is None else teeth_along(upright, line, zone)
        if first is not None and second is not None:
            found = fit(first, second, side)
            if found is not None:
                return Met((first, second), found, side, layer)
    return None
