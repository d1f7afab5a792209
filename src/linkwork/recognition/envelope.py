"""How far the surfaces of parts reach when they move, and which of them may ever meet.

A group of parts that turns about a fixed axis sweeps rings: each face the distances from the axis and the heights along
it that it has. One that slides sweeps its shadow. Others may be anywhere their heights allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.recognition.groups import Groups
from linkwork.recognition.joined import Joined, Machinery
from linkwork.recognition.reach import Surfaces
from linkwork.solid.placement import Floats, cross
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

    @property
    def groups(self) -> Groups:
        """The groups of parts."""
        return self.machinery.groups

    @cached_property
    def plane(self) -> Floats | None:
        """The direction across the plane in which all parts move; None for a machine in space."""
        return plane_of(self.machinery.joined)

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
        if self.plane is not None:  # faces along the plane slide on one another, they do not strike
            may &= (self.surfaces[a].slopes(self.plane) < 1 - 1e-9)[:, None]
            may &= (self.surfaces[b].slopes(self.plane) < 1 - 1e-9)[None, :]
        return np.argwhere(may)

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
        """By rings about one axis; faces that are round about it turn in themselves and do not strike each other."""
        first, second = (_rings(each, axis, point) for each in (a, b))
        may = _touch(first[:, :2], second[:, :2], self.tolerance)
        may &= _overlap(first[:, 2:], second[:, 2:], self.tolerance)
        round_ones = [each.are_round(axis, point, 100 * self.tolerance) for each in (a, b)]
        return np.asarray(may & ~(round_ones[0][:, None] & round_ones[1][None, :]))

    def _heights_meet(self, a: Surfaces, b: Surfaces) -> Inside:
        """By heights across the plane of motion alone; in space all may meet."""
        if self.plane is None:
            return np.ones((len(a.faces), len(b.faces)), dtype=bool)
        return _overlap(a.heights(self.plane), b.heights(self.plane), self.tolerance)

    def _shadows_meet(self, a: Surfaces, one: Motion, b: Surfaces, other: Motion) -> Inside:
        """By shadows across the directions in which they slide; only what looks along one of them can strike."""
        assert one.axis is not None
        ways = [one.axis] + ([other.axis] if other.axis is not None else [])
        looks = [np.any([each.slopes(way) > 1e-9 for way in ways], axis=0) for each in (a, b)]
        may: Inside = looks[0][:, None] | looks[1][None, :]
        for way in _across(ways):
            may &= _overlap(a.heights(way), b.heights(way), self.tolerance)
        return may

    def interactions(self) -> list[Interaction]:
        """All pairs of parts that may touch though they need not, by the solids whose sides may meet."""
        found: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
        groups = sorted(self.groups.members)
        for number, a in enumerate(groups):
            for b in groups[number + 1 :]:
                for first, second in self.meetings(a, b):
                    part, own = self.surfaces[a].names[first]
                    partner, theirs = self.surfaces[b].names[second]
                    found.setdefault((part, partner), {})[own, theirs] = None
        return [Interaction(parts, tuple(solids)) for parts, solids in found.items()]


def plane_of(joined: Iterable[Joined]) -> Floats | None:
    """The direction that all turns go about and no shift goes along; None if there is none."""
    every = list(joined)
    turning = [each.axis for each in every if each.kind in ("revolute", "planar")]
    sliding = [each.axis for each in every if each.kind == "prismatic"]
    if any(each.kind in ("spherical", "screw", "cylindrical") for each in every):
        return None
    if not turning:
        crossed = [cross(sliding[0], each) for each in sliding[1:]]
        turning = [each / math.hypot(*each) for each in crossed if math.hypot(*each) > 1e-6][:1]
        if not turning:
            return None
    plane = turning[0]
    if any(abs(float(axis @ plane)) < 1 - 1e-9 for axis in turning):
        return None
    return None if any(abs(float(axis @ plane)) > 1e-9 for axis in sliding) else plane


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
