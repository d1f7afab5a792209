"""How far the surfaces of parts reach when they move, and which of them may ever meet.

A group of parts that turns about a fixed axis sweeps rings: each face the distances from the axis and the heights along
it that it has. One that slides sweeps its shadow. Others may be anywhere their heights allow.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.cover import is_within
from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Machinery
from linkwork.recognition.reach import Surfaces
from linkwork.solid import section
from linkwork.solid.placement import Floats, cross, triple
from linkwork.solid.region import Region
from linkwork.solid.values import Inside


@dataclass(frozen=True, eq=False)
class Motion:
    """How a group moves against another: ``kind`` is "rest", "turn", "slide", "turn and slide" or "free"."""

    kind: str
    axis: Floats | None = None
    point: Floats | None = None

    def goes_along(self, direction: Floats, plane: Floats | None) -> bool:
        """Whether some point of it can have a velocity with a part along a direction."""
        if self.kind == "rest":
            return False
        if self.kind == "free" or self.axis is None:
            return plane is None or abs(float(plane @ direction)) < 1 - 1e-9
        along = abs(float(self.axis @ direction))
        turns = self.kind != "slide" and along < 1 - 1e-9
        slides = self.kind != "turn" and along > 1e-9
        return turns or slides


_MOTIONS = {"revolute": "turn", "cylindrical": "turn and slide", "prismatic": "slide"}


# ------------------------------------------------------------------------------------------ meetings


@dataclass(frozen=True)
class Interaction:
    """Two parts that may touch some time, and which of their solids."""

    parts: tuple[str, str]
    primitives: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Envelopes:
    """The surfaces of all groups and how they move."""

    machinery: Machinery
    tolerance: float
    plane: Floats | None
    """The direction across the plane in which all parts move; None for a machine in space."""
    _outlines: dict[tuple[int, int], Region] = field(default_factory=dict)

    @property
    def groups(self) -> Groups:
        """The groups of parts."""
        return self.machinery.groups

    @cached_property
    def motions(self) -> dict[int, Motion]:
        """How each group moves against the frame."""
        found = {group: Motion("free") for group in self.groups.members}
        found[0] = Motion("rest")
        for joined in self.machinery.joined:
            if joined.groups[0] == 0 and joined.kind in _MOTIONS:
                found[joined.groups[1]] = Motion(_MOTIONS[joined.kind], joined.axis, joined.point)
        return found

    @cached_property
    def surfaces(self) -> dict[int, Surfaces]:
        """The faces that bound each group."""
        return self.groups.surfaces

    def between(self, a: int, b: int) -> tuple[Motion, Motion]:
        """How two groups move, seen from where it is simplest: from one another if they are joined."""
        for joined in self.machinery.joined:
            if joined.groups == (a, b) and joined.kind in _MOTIONS:
                return Motion("rest"), Motion(_MOTIONS[joined.kind], joined.axis, joined.point)
        return self.motions[a], self.motions[b]

    def meetings(self, a: int, b: int) -> NDArray[np.intp]:
        """Which faces of two groups may meet: an array of places, a row for each pair."""
        one, other = self.between(a, b)
        if one.kind == other.kind == "rest":
            return np.zeros((0, 2), dtype=np.intp)
        may = self.may_meet(self.surfaces[a], one, self.surfaces[b], other)
        may &= ~self._covered(a, b)[:, None] & ~self._covered(b, a)[None, :]
        if self.plane is not None:  # faces along the plane slide on one another, they do not strike
            may &= (self.surfaces[a].slopes(self.plane) < 1 - 1e-9)[:, None]
            may &= (self.surfaces[b].slopes(self.plane) < 1 - 1e-9)[None, :]
        return np.argwhere(may)

    def _covered(self, group: int, other: int) -> Inside:
        """Which faces of a group another cannot reach: a shaft fills them, or a hole encloses them, for good."""
        found = np.zeros(len(self.surfaces[group].faces), dtype=bool)
        for partner, places in self._covers.get(group, ()):
            if partner != other:
                found[places] = True
        return found

    @cached_property
    def _covers(self) -> dict[int, list[tuple[int, NDArray[np.intp]]]]:
        """The faces of each group that lie wholly at those of another on which it turns: that group, and which."""
        found: dict[int, list[tuple[int, NDArray[np.intp]]]] = {}
        for joined in self.machinery.joined:
            shafts = [each for each in joined.contacts if each.kind == "shaft" and each.is_closed]
            if joined.kind != "revolute" or not shafts:
                continue
            reach = max(each.gap for each in shafts) + 2 * self.groups.bodies[0].skin
            for group, partner in (joined.groups, joined.groups[::-1]):
                round_ones = self.surfaces[group].are_round(joined.axis, joined.point, 100 * self.tolerance)
                places = [
                    place
                    for place in np.flatnonzero(round_ones)
                    if is_within(self.groups, self.surfaces[group].faces[place], group, partner, reach)
                ]
                found.setdefault(group, []).append((partner, np.array(places, dtype=np.intp)))
        return found

    def may_meet(self, a: Surfaces, one: Motion, b: Surfaces, other: Motion) -> Inside:
        """Which faces of two sets may meet that move so."""
        if one.kind == "rest" or (one.kind == "slide" and other.kind == "turn"):
            return self.may_meet(b, other, a, one).T
        if one.kind == "turn" and other.kind in ("turn", "rest"):
            assert one.axis is not None
            assert one.point is not None
            if other.kind == "rest" or _are_coaxial(one, other, self.tolerance):
                return self._rings_meet(a, b, one.axis, one.point)
            assert other.axis is not None
            assert other.point is not None
            if math.hypot(*cross(one.axis, other.axis)) < 1e-9:
                return _wheels_meet(a, one, b, other, self.tolerance)
        if one.kind == "slide" and other.kind in ("rest", "slide"):
            return self._shadows_meet(a, one, b, other)
        if one.kind == "turn" and other.kind == "slide" and _are_across(one, other):
            return _ring_meets_strip(a, one, b, other, self.tolerance)
        return self._heights_meet(a, b)

    def _rings_meet(self, a: Surfaces, b: Surfaces, axis: Floats, point: Floats) -> Inside:
        """By rings about one axis; what is round about it turns in itself: nothing strikes it."""
        first, second = (_rings(each, axis, point) for each in (a, b))
        may = _touch(first[:, :2], second[:, :2], self.tolerance)
        may &= _overlap(first[:, 2:], second[:, 2:], self.tolerance)
        round_ones = [each.are_round(axis, point, 100 * self.tolerance) for each in (a, b)]
        return np.asarray(may & ~(round_ones[0][:, None] | round_ones[1][None, :]))

    def _heights_meet(self, a: Surfaces, b: Surfaces) -> Inside:
        """By heights across the plane of motion alone; in space all may meet."""
        if self.plane is None:
            return np.ones((len(a.faces), len(b.faces)), dtype=bool)
        return _overlap(a.heights(self.plane), b.heights(self.plane), self.tolerance)

    def _shadows_meet(self, a: Surfaces, one: Motion, b: Surfaces, other: Motion) -> Inside:
        """By shadows across the directions in which they slide; only faces that look along one of them can strike."""
        assert one.axis is not None
        ways = [one.axis] + ([other.axis] if other.axis is not None else [])
        looks = [np.any([each.slopes(way) > 1e-9 for way in ways], axis=0) for each in (a, b)]
        may: Inside = looks[0][:, None] & looks[1][None, :]
        across = _across(ways)
        for way in across:
            may &= _overlap(a.heights(way), b.heights(way), self.tolerance)
        if len(across) == 2:
            self._compare_outlines(a, b, one.axis, may)
        return may

    def _compare_outlines(self, a: Surfaces, b: Surfaces, axis: Floats, may: Inside) -> None:
        """Rule out faces across an axis whose outlines do not overlap: one passes through a hole of the other."""
        flat = [each.slopes(axis) > 1 - 1e-9 for each in (a, b)]
        for first, second in np.argwhere(may & flat[0][:, None] & flat[1][None, :]):
            one, other = self._outline(a, int(first), axis), self._outline(b, int(second), axis)
            least = 10 * self.tolerance * min(one.length, other.length)
            may[first, second] = (one & other).area > least

    def _outline(self, surfaces: Surfaces, place: int, axis: Floats) -> Region:
        """What a plane face across an axis bounds: where there is material on one side of it and not on the other."""
        key = (id(surfaces), place)
        if key not in self._outlines:
            body = next(each for each in self.groups.bodies if each.name == surfaces.names[place][0])
            height = float(np.array(surfaces.faces[place].point) @ axis)
            sides = [section(body.solid, height + way * body.skin, triple(axis)) for way in (1, -1)]
            self._outlines[key] = sides[0] ^ sides[1]
        return self._outlines[key]

    def interactions(self, meshing: Collection[frozenset[tuple[str, str]]] = ()) -> list[Interaction]:
        """All pairs of parts that may touch though they need not, by the solids whose sides may meet.

        Those that ``meshing`` names, by their parts and labels, are gears in mesh: they touch all the time.
        """
        found: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
        groups = sorted(self.groups.members)
        for number, a in enumerate(groups):
            for b in groups[number + 1 :]:
                for (part, own), (partner, theirs) in self._named(a, b):
                    if frozenset(((part, own), (partner, theirs))) not in meshing:
                        found.setdefault((part, partner), {})[own, theirs] = None
        return [Interaction(parts, tuple(solids)) for parts, solids in found.items()]

    def _named(self, a: int, b: int) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
        """The names of the faces of two groups that may meet, each pair once, in the order of the faces."""
        first, second = (self.surfaces[group] for group in (a, b))
        met = self.meetings(a, b)
        numbers = np.column_stack([first.numbers[met[:, 0]], second.numbers[met[:, 1]]])
        _, places = np.unique(numbers, axis=0, return_index=True)
        for place in np.sort(places):
            yield first.names[met[place, 0]], second.names[met[place, 1]]


def _across(ways: Sequence[Floats]) -> list[Floats]:
    """Directions across all of some directions."""
    _, sizes, right = np.linalg.svd(np.array(ways))
    return list(right[int(np.sum(sizes > 1e-9)) :])


def _overlap(a: Floats, b: Floats, tolerance: float) -> Inside:
    """Whether intervals have more than an end in common."""
    low = np.maximum(a[:, None, 0], b[None, :, 0])
    high = np.minimum(a[:, None, 1], b[None, :, 1])
    return np.asarray(high - low > tolerance)


def _touch(a: Floats, b: Floats, tolerance: float) -> Inside:
    """Whether intervals have an end in common, or more."""
    return _overlap(a, b, -tolerance)


def _rings(surfaces: Surfaces, axis: Floats, point: Floats) -> Floats:
    """Rows of least and largest distance from an axis, least and largest height along it, for each face."""
    return np.hstack([surfaces.distances(axis, point), surfaces.heights(axis)])


def _wheels_meet(a: Surfaces, one: Motion, b: Surfaces, other: Motion, tolerance: float) -> Inside:
    """Whether rings about two parallel axes meet."""
    assert one.axis is not None
    assert one.point is not None
    assert other.point is not None
    first, second = _rings(a, one.axis, one.point), _rings(b, one.axis, other.point)
    apart = math.hypot(*cross(other.point - one.point, one.axis))
    most = first[:, None, 1] + second[None, :, 1] >= apart - tolerance
    inside = (first[:, None, 0] <= apart + second[None, :, 1] + tolerance) & (
        second[None, :, 0] <= apart + first[:, None, 1] + tolerance
    )
    return np.asarray(most & inside & _overlap(first[:, 2:], second[:, 2:], tolerance))


def _ring_meets_strip(a: Surfaces, one: Motion, b: Surfaces, other: Motion, tolerance: float) -> Inside:
    """Whether rings meet what faces sweep that slide across their axis."""
    assert one.axis is not None
    assert one.point is not None
    assert other.axis is not None
    rings = _rings(a, one.axis, one.point)
    across = cross(one.axis, other.axis)
    strips = b.heights(across) - float(one.point @ across)
    heights = b.heights(one.axis)
    nearest = np.where((strips[:, 0] <= 0) & (strips[:, 1] >= 0), 0.0, np.abs(strips).min(axis=1))
    return np.asarray(
        (rings[:, None, 1] >= nearest[None, :] - tolerance) & _overlap(rings[:, 2:], heights, tolerance)
    )


def _are_coaxial(a: Motion, b: Motion, tolerance: float) -> bool:
    if a.axis is None or b.axis is None or a.point is None or b.point is None:
        return False
    return (
        math.hypot(*cross(a.axis, b.axis)) < 1e-9
        and math.hypot(*cross(b.point - a.point, a.axis)) <= tolerance
    )


def _are_across(a: Motion, b: Motion) -> bool:
    return a.axis is not None and b.axis is not None and abs(float(a.axis @ b.axis)) < 1e-9
