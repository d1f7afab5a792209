"""How far the surfaces of parts reach when they move, and which of them may ever meet.

A group of parts that turns about a fixed axis sweeps rings: each face the distances from the axis and the heights along
it that it has. One that turns about a point sweeps the distances from it, one that slides its shadow. Others may be
anywhere their heights allow, and as far as the chain of motions reaches that holds them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from linkwork.recognition.cover import are_within
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery
from linkwork.recognition.meeting import Measure, first_meetings, hull, overlap
from linkwork.recognition.motion import (
    PARALLEL,
    Motion,
    Motions,
    are_parallel,
    kept_centres,
    kept_distances,
    kept_heights,
)
from linkwork.recognition.reach import Chosen, Places, Surfaces, corner_points
from linkwork.recognition.sweep import swept
from linkwork.solid import PlaneFace, section
from linkwork.solid.placement import Floats, Triple, cross, cross_length, triple
from linkwork.solid.region import Region
from linkwork.solid.section import frame_across
from linkwork.solid.values import Box, Inside

MANY: Final = 40
"""Faces, from which on it is looked which of them are alike."""
ALIKE: Final = 1e-6
"""Of the tolerance: how far what is told of faces that are alike may differ."""


@dataclass(frozen=True)
class Interaction:
    """Two parts that may touch some time, and which of their solids."""

    parts: tuple[str, str]
    primitives: tuple[tuple[str, str], ...]
    why: str = ""
    """What holds them there, if it is a pin in a slot; why they are no pair, if they are marked as gears."""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        found = {"parts": list(self.parts), "primitives": [list(solids) for solids in self.primitives]}
        return found | ({"why": self.why} if self.why else {})


@dataclass(frozen=True, eq=False)
class Envelopes:
    """The surfaces of all groups and how they move."""

    machinery: Machinery
    tolerance: float
    plane: Floats | None
    """The direction across the plane in which all parts move; None for a machine in space."""
    _outlines: dict[PlaneFace, tuple[Region, Region]] = field(default_factory=dict)
    _levels: dict[tuple[str, float, Triple], tuple[Region, Region]] = field(default_factory=dict)
    _boxes: dict[int, Box] = field(default_factory=dict)

    @property
    def groups(self) -> Groups:
        """The groups of parts."""
        return self.machinery.groups

    @cached_property
    def motions(self) -> Motions:
        """How the groups move."""
        return Motions.of(self.machinery, self.tolerance, self.plane)

    @cached_property
    def surfaces(self) -> dict[int, Surfaces]:
        """The faces that bound each group."""
        return self.groups.surfaces

    def meetings(self, a: int, b: int, kinds: tuple[Places, Places]) -> Places:
        """Which kinds of faces of two groups may meet: the places of two faces, a row for each pair of kinds."""
        one, other = self.motions.between(a, b)
        if one.kind == other.kind == "rest":
            return np.zeros((0, 2), dtype=np.intp)
        which = [~self._covered(a, b), ~self._covered(b, a)]
        if self.plane is not None:  # faces along the plane slide on one another, they do not strike
            which[0] &= self.surfaces[a].slopes(self.plane) < 1 - 1e-9
            which[1] &= self.surfaces[b].slopes(self.plane) < 1 - 1e-9
        first, second = Chosen.of(self.surfaces[a], which[0]), Chosen.of(self.surfaces[b], which[1])
        return self.may_meet(first, one, second, other, kinds)

    def _covered(self, group: int, other: int) -> Inside:
        """Which faces of a group another cannot reach: a shaft fills them, or a hole encloses them, for good."""
        found = np.zeros(len(self.surfaces[group]), dtype=bool)
        for partner, places in self._covers.get(group, ()):
            if partner != other:
                found[places] = True
        return found

    @cached_property
    def _covers(self) -> dict[int, list[tuple[int, Places]]]:
        """The faces of each group that lie wholly at those of another on which it turns: that group, and which."""
        found: dict[int, list[tuple[int, Places]]] = {}
        for joined in self.machinery.joined:
            shafts = [each for each in joined.contacts if each.kind == "shaft" and each.is_closed]
            if joined.kind != "revolute" or not shafts:
                continue
            reach = max(each.gap for each in shafts) + 2 * self.groups.bodies[0].skin
            for group, partner in (joined.groups, joined.groups[::-1]):
                round_ones = self.surfaces[group].are_round(joined.axis, joined.point, 100 * self.tolerance)
                places, rounds = self.surfaces[group].round_places, self.surfaces[group].rounds
                off = np.abs(rounds.radii[:, :1] - [each.radius for each in shafts]).min(axis=1)
                fitting = np.flatnonzero(round_ones[places] & (off <= reach))
                within = are_within(self.groups, rounds.only(fitting), group, partner, reach)
                found.setdefault(group, []).append((partner, places[fitting[within]]))
        return found

    def may_meet(
        self, a: Chosen, one: Motion, b: Chosen, other: Motion, kinds: tuple[Places, Places]
    ) -> Places:
        """Which kinds of faces of two sets may meet that move so: the places of two faces, a row for each pair."""
        measured = self._measured(one, other)
        for centre in kept_centres(one, other, self.tolerance):
            a, b = (each.only(~each.are_about(centre, 100 * self.tolerance)) for each in (a, b))
        for measure, least in measured:
            a = a.only(overlap(measure(a), hull(measure(b)), least)[:, 0])
            b = b.only(overlap(hull(measure(a)), measure(b), least)[0])
        if _are_wheels(one, other, self.tolerance):
            a, b = _in_reach(a, one, b, other, self.tolerance)
        if not len(a) or not len(b):
            return np.zeros((0, 2), dtype=np.intp)
        if max(len(a), len(b)) >= MANY and "turn" in {one.kind, other.kind} <= {"turn", "rest"}:
            a, b = self._distinct(a, one, b, other, kinds, measured)

        def all_with_all(first: Chosen, second: Chosen) -> Inside:
            return self._all_with_all(first, one, second, other, measured)

        return first_meetings(a, b, kinds, measured, all_with_all)

    def _distinct(
        self,
        a: Chosen,
        one: Motion,
        b: Chosen,
        other: Motion,
        kinds: tuple[Places, Places],
        measured: list[Measure],
    ) -> tuple[Chosen, Chosen]:
        """One face of those of a kind that are alike in all that is compared where parts turn, as teeth are."""
        axes = kept_distances(one, other, self.tolerance)
        told = []
        for each in (a, b):
            are_round = [each.are_round(*axis, 100 * self.tolerance)[:, None].astype(float) for axis in axes]
            nothing = np.zeros((len(each), 0))  # where axes cross nothing may be compared
            told.append([nothing, *(measure(each) for measure, _ in measured), *are_round])
        if _are_wheels(one, other, self.tolerance):
            for own, away in zip(told, _wheel_distances(a, one, b, other), strict=True):
                own.append(away)
        found = []
        for each, kind, own in zip((a, b), kinds, told, strict=True):
            rows = np.round(np.hstack(own) / (ALIKE * self.tolerance)) + 0.0
            _, first = np.unique(np.column_stack([rows, kind[each.places]]), axis=0, return_index=True)
            found.append(Chosen(each.surfaces, each.places[np.sort(first)]))
        return found[0], found[1]

    def _measured(self, one: Motion, other: Motion) -> list[Measure]:
        """In what faces must overlap that meet, as their parts move so."""
        found: list[Measure] = [
            (partial(Chosen.heights, way=way), self.tolerance)
            for way in kept_heights(one, other, self.plane, self.groups.axes)
        ]
        found += [
            (partial(Chosen.distances, axis=axis, point=point), -self.tolerance)
            for axis, point in kept_distances(one, other, self.tolerance)
        ]
        centres = kept_centres(one, other, self.tolerance)
        return found + [(partial(Chosen.lengths, centre=centre), -self.tolerance) for centre in centres]

    def _all_with_all(
        self, a: Chosen, one: Motion, b: Chosen, other: Motion, measured: list[Measure]
    ) -> Inside:
        """Whether faces of two sets may meet."""
        may: Inside = np.ones((len(a), len(b)), dtype=bool)
        for measure, least in measured:
            may &= overlap(measure(a), measure(b), least)
        kinds = {one.kind, other.kind}
        if kinds <= {"slide", "rest"}:
            self._rule_out_sides(a, b, [each.axis for each in (one, other) if each.axis is not None], may)
        elif "turn" in kinds and kinds <= {"turn", "rest"}:
            self._rule_out_round(a, one, b, other, may)
        elif one.kind == "turn" and other.kind == "slide":
            may &= _ring_meets_strip(a, one, b, other, self.tolerance)
        elif one.kind == "slide" and other.kind == "turn":
            may &= _ring_meets_strip(b, other, a, one, self.tolerance).T
        return may

    def _rule_out_round(self, a: Chosen, one: Motion, b: Chosen, other: Motion, may: Inside) -> None:
        """Rule out what is round about a common axis, for it turns in itself, and what never comes near enough."""
        for axis in kept_distances(one, other, self.tolerance):
            round_ones = [each.are_round(*axis, 100 * self.tolerance) for each in (a, b)]
            may &= ~(round_ones[0][:, None] | round_ones[1][None, :])
        if _are_wheels(one, other, self.tolerance):
            may &= _wheels_meet(a, one, b, other, self.tolerance)

    def _rule_out_sides(self, a: Chosen, b: Chosen, ways: list[Floats], may: Inside) -> None:
        """Rule out faces along all directions in which parts slide: only those that look along one can strike."""
        looks = [np.any([each.slopes(way) > 1e-9 for way in ways], axis=0) for each in (a, b)]
        may &= looks[0][:, None] & looks[1][None, :]
        if all(are_parallel(way, ways[0]) for way in ways):
            self._compare_outlines(a, b, ways[0], may)

    def _compare_outlines(self, a: Chosen, b: Chosen, axis: Floats, may: Inside) -> None:
        """Rule out faces across an axis that do not strike each other: they look away, or one passes by the other."""
        flat = [each.slopes(axis) > 1 - 1e-9 for each in (a, b)]
        heights = [each.heights(axis)[:, 0] for each in (a, b)]
        for first, second in np.argwhere(may & flat[0][:, None] & flat[1][None, :]):
            one = self._outlines_of(a.surfaces, int(a.places[first]), axis)
            other = self._outlines_of(b.surfaces, int(b.places[second]), axis)
            ahead = float(heights[1][second] - heights[0][first])
            may[first, second] = any(
                way * ahead >= -self.tolerance and self._overlap_plainly(one[side], other[1 - side])
                for side, way in ((0, 1), (1, -1))
            )

    def _overlap_plainly(self, a: Region, b: Region) -> bool:
        return bool(a) and bool(b) and (a & b).area > 10 * self.tolerance * min(a.length, b.length)

    def _outlines_of(self, surfaces: Surfaces, place: int, axis: Floats) -> tuple[Region, Region]:
        """Where a plane face across an axis bounds its part: with the material below it, and with it above."""
        face, name = surfaces.faces[place], surfaces.names[place][0]
        assert isinstance(face, PlaneFace)
        if face not in self._outlines:
            corners = frame_across(triple(axis)).local(corner_points(face))[:, :2]
            inside = Region.polygon(corners.tolist())
            ending, beginning = self._changes(name, float(np.array(face.point) @ axis), triple(axis))
            self._outlines[face] = ending & inside, beginning & inside
        return self._outlines[face]

    def _changes(self, name: str, height: float, axis: Triple) -> tuple[Region, Region]:
        """What ends and what begins of a part at a height; many faces may lie there."""
        key = name, height, axis
        if key not in self._levels:
            body = next(each for each in self.groups.bodies if each.name == name)
            low, high = (section(body.solid, height + way * body.skin, axis) for way in (-1, 1))
            self._levels[key] = low - high, high - low
        return self._levels[key]

    def interactions(self, meshing: Collection[frozenset[tuple[str, str]]] = ()) -> list[Interaction]:
        """All pairs of parts that may touch though they need not, by the solids whose sides may meet.

        Those that ``meshing`` names, by their parts and labels, are gears in mesh: they touch all the time.
        """
        found: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
        for a, b in self._in_each_others_way():
            for (part, own), (partner, theirs) in self._named(a, b):
                if frozenset(((part, own), (partner, theirs))) not in meshing:
                    found.setdefault((part, partner), {})[own, theirs] = None
        return [Interaction(parts, tuple(solids)) for parts, solids in found.items()]

    def _in_each_others_way(self) -> Iterator[tuple[int, int]]:
        """The pairs of groups that ever come near each other, by the boxes around all that they sweep."""
        groups = sorted(self.groups.members)
        low, high = (np.array(each) for each in zip(*map(self.swept, groups), strict=True))
        for place, a in enumerate(groups):
            near = np.all((low[place] <= high) & (low <= high[place]), axis=1)
            yield from ((a, groups[other]) for other in np.flatnonzero(near) if other > place)

    def swept(self, group: int) -> Box:
        """A box around all places where a group ever is; without ends where it may slide on and on.

        Its coordinates are those along the axes of the drawing, so that what is apart is so in any pose.
        """
        if group not in self._boxes:
            motions, surfaces = self.motions.chain(group), self.surfaces[group]
            if motions and len(surfaces):
                low, high = swept(surfaces, motions, self.tolerance).box(self.groups.axes)
            else:
                low, high = (np.array(each) for each in zip(*surfaces.boxes, strict=True))
                low, high = low.min(axis=0), high.max(axis=0)
            self._boxes[group] = low - self.tolerance, high + self.tolerance
        return self._boxes[group]

    def come_near(self, a: int, b: int) -> bool:
        """Whether the boxes around all places where two groups ever are meet."""
        (a_low, a_high), (b_low, b_high) = self.swept(a), self.swept(b)
        return bool(np.all((a_low <= b_high) & (b_low <= a_high)))

    def _named(self, a: int, b: int) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
        """The names of the faces of two groups that may meet, each pair once, in the order of the faces."""
        first, second = (self.surfaces[group] for group in (a, b))
        for own, other in self.meetings(a, b, (first.numbers, second.numbers)):
            yield first.names[own], second.names[other]


def _rings(surfaces: Chosen, axis: Floats, point: Floats) -> Floats:
    """Rows of least and largest distance from an axis, least and largest height along it, for each face."""
    return np.hstack([surfaces.distances(axis, point), surfaces.heights(axis)])


def _are_wheels(one: Motion, other: Motion, tolerance: float) -> bool:
    """Whether both turn, about axes that are parallel but not the same."""
    if one.kind != "turn" or other.kind != "turn" or one.axis is None or other.axis is None:
        return False
    return are_parallel(one.axis, other.axis) and not kept_distances(one, other, tolerance)


def _wheel_distances(a: Chosen, one: Motion, b: Chosen, other: Motion) -> tuple[Floats, Floats]:
    """How far faces of two wheels are from their axes."""
    assert one.axis is not None
    assert one.point is not None
    assert other.point is not None
    return a.distances(one.axis, one.point), b.distances(one.axis, other.point)


def _wheels_apart(one: Motion, other: Motion) -> float:
    """How far apart the axes of two wheels are."""
    assert one.axis is not None
    assert one.point is not None
    assert other.point is not None
    return cross_length(other.point - one.point, one.axis)


def _in_reach(a: Chosen, one: Motion, b: Chosen, other: Motion, tolerance: float) -> tuple[Chosen, Chosen]:
    """The faces of two wheels that reach as far as any face of the other."""
    (first, second), apart = _wheel_distances(a, one, b, other), _wheels_apart(one, other)
    far = [each[:, 1].max(initial=-np.inf) for each in (first, second)]
    return a.only(first[:, 1] + far[1] >= apart - tolerance), b.only(
        second[:, 1] + far[0] >= apart - tolerance
    )


def _wheels_meet(a: Chosen, one: Motion, b: Chosen, other: Motion, tolerance: float) -> Inside:
    """Whether rings about two parallel axes meet, if they are at the same height."""
    (first, second), apart = _wheel_distances(a, one, b, other), _wheels_apart(one, other)
    most = first[:, None, 1] + second[None, :, 1] >= apart - tolerance
    inside = (first[:, None, 0] <= apart + second[None, :, 1] + tolerance) & (
        second[None, :, 0] <= apart + first[:, None, 1] + tolerance
    )
    return np.asarray(most & inside)


def _ring_meets_strip(a: Chosen, one: Motion, b: Chosen, other: Motion, tolerance: float) -> Inside:
    """Whether rings meet what faces sweep that slide across their axis."""
    assert one.axis is not None
    assert one.point is not None
    assert other.axis is not None
    if abs(float(one.axis @ other.axis)) > PARALLEL:
        return np.ones((len(a), len(b)), dtype=bool)
    rings = _rings(a, one.axis, one.point)
    across = cross(one.axis, other.axis)
    strips = b.heights(across) - float(one.point @ across)
    heights = b.heights(one.axis)
    nearest = np.where((strips[:, 0] <= 0) & (strips[:, 1] >= 0), 0.0, np.abs(strips).min(axis=1))
    return np.asarray(
        (rings[:, None, 1] >= nearest[None, :] - tolerance) & overlap(rings[:, 2:], heights, tolerance)
    )
