"""How a group of parts moves against another: what its points can do, and what they keep."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from linkwork.recognition.joined import LOWER, Joined, Machinery
from linkwork.solid.placement import Floats, cross, cross_length

PARALLEL = 1e-9
"""The largest sine of the angle between directions that are one."""
LEANING = 1e-3
"""How far an axis of the drawing must lean against a slide that its shadow across the slide has a direction."""

_KINDS = {
    "revolute": "turn",
    "cylindrical": "turn and slide",
    "screw": "turn and slide",
    "prismatic": "slide",
    "planar": "plane",
    "spherical": "ball",
}


@dataclass(frozen=True, eq=False)
class Motion:
    """``kind`` is "rest", "turn", "slide", "turn and slide", "plane" (any motion across ``axis``), "ball" or "free".

    A ball turns about its ``point`` every way.
    """

    kind: str
    axis: Floats | None = None
    point: Floats | None = None

    @classmethod
    def of(cls, joined: Joined) -> Motion:
        """The motion that a pair allows."""
        if joined.kind not in _KINDS:
            return cls("free")
        if joined.kind == "spherical":
            return cls("ball", None, joined.point)
        return cls(_KINDS[joined.kind], joined.axis, joined.point)

    def goes_along(self, way: Floats) -> bool:
        """Whether some point of it can have a velocity with a part along a direction."""
        return not self.keeps_height(way)

    def keeps_height(self, way: Floats) -> bool:
        """Whether no point of it ever moves along a direction."""
        if self.kind == "rest":
            return True
        if self.kind in ("free", "turn and slide") or self.axis is None:
            return False
        if self.kind == "slide":
            return abs(float(self.axis @ way)) < PARALLEL
        return are_parallel(self.axis, way)

    def keeps_distance(self, axis: Floats, point: Floats, tolerance: float) -> bool:
        """Whether all its points stay as far from an axis as they are."""
        if self.kind == "rest":
            return True
        if self.kind in ("free", "plane") or self.axis is None or not are_parallel(self.axis, axis):
            return False
        return self.kind == "slide" or are_coaxial(self, axis, point, tolerance)

    def keeps_away(self, centre: Floats, tolerance: float) -> bool:
        """Whether all its points stay as far from a point as they are."""
        if self.kind == "rest":
            return True
        if self.point is None or self.kind not in ("ball", "turn"):
            return False
        away = self.point - centre
        apart = math.hypot(*away) if self.axis is None else cross_length(away, self.axis)
        return apart <= tolerance


def are_parallel(a: Floats, b: Floats) -> bool:
    """Whether directions are one, or opposite."""
    return cross_length(a, b) < PARALLEL


def are_coaxial(motion: Motion, axis: Floats, point: Floats, tolerance: float) -> bool:
    """Whether a motion about an axis goes about this one."""
    if motion.axis is None or motion.point is None or not are_parallel(motion.axis, axis):
        return False
    return cross_length(motion.point - point, axis) <= tolerance


def composed(motions: Sequence[Motion], tolerance: float) -> Motion:
    """What motions one after the other amount to."""
    every = [motion for motion in motions if motion.kind != "rest"]
    if len(every) < 2:
        return every[0] if every else Motion("rest")
    found = _along_one_axis(every, tolerance) or _in_one_plane(every) or _about_one_point(every, tolerance)
    return found or Motion("free")


def _along_one_axis(motions: Sequence[Motion], tolerance: float) -> Motion | None:
    """Slides along an axis and turns about it."""
    turns = [motion for motion in motions if motion.kind != "slide"]
    main = turns[0] if turns else motions[0]
    if main.axis is None or main.point is None:
        return None
    if not all(motion.keeps_distance(main.axis, main.point, tolerance) for motion in motions):
        return None
    if all(motion.kind == "turn" for motion in motions) or not turns:
        return main
    return Motion("turn and slide", main.axis, main.point)


def _in_one_plane(motions: Sequence[Motion]) -> Motion | None:
    normals = [motion.axis for motion in motions if motion.kind != "slide" and motion.axis is not None]
    slides = [motion.axis for motion in motions if motion.kind == "slide" and motion.axis is not None]
    normals += [cross(slides[0], each) for each in slides[1:]]
    for normal in normals:
        size = math.hypot(*normal)
        if size > PARALLEL and all(motion.keeps_height(normal / size) for motion in motions):
            return Motion("plane", normal / size)
    return None


def _about_one_point(motions: Sequence[Motion], tolerance: float) -> Motion | None:
    """Turns about axes that meet in a point, as of a gimbal, and balls about it."""
    for centre in _centres(motions):
        if all(motion.keeps_away(centre, tolerance) for motion in motions):
            return Motion("ball", None, centre)
    return None


def _centres(motions: Sequence[Motion]) -> Iterator[Floats]:
    """The centres of balls, and the points where axes of turns come nearest to one another."""
    yield from (each.point for each in motions if each.kind == "ball" and each.point is not None)
    turns = [each for each in motions if each.kind == "turn"]
    for one, other in combinations(turns, 2):
        assert one.axis is not None
        assert one.point is not None
        assert other.axis is not None
        assert other.point is not None
        both = cross(one.axis, other.axis)
        if math.hypot(*both) > PARALLEL:
            along = float(cross(other.point - one.point, other.axis) @ both) / float(both @ both)
            yield one.point + along * one.axis


@dataclass(frozen=True, eq=False)
class Motions:
    """How all groups move: each against the one that holds it, up to the frame."""

    holders: Mapping[int, tuple[int, Motion]]
    joined: Mapping[tuple[int, int], Motion]
    """The motions of groups that a pair joins."""
    tolerance: float

    @classmethod
    def of(cls, machinery: Machinery, tolerance: float, plane: Floats | None) -> Motions:
        """The shortest ways from each group to the frame; groups that nothing holds move in the plane, or freely."""
        holders: dict[int, tuple[int, Motion]] = {}
        ways: dict[int, list[tuple[int, Joined]]] = {}
        for joined in machinery.joined:
            for group, other in (joined.groups, joined.groups[::-1]):
                ways.setdefault(group, []).append((other, joined))
        last = [0]
        loose = sorted(machinery.groups.members)[1:]
        while loose:
            nearest = _nearest(last, ways, {*loose})
            holders |= nearest
            last = [*nearest]
            if not nearest:
                holders[loose[0]] = 0, Motion("free") if plane is None else Motion("plane", plane)
                last = [loose[0]]
            loose = [group for group in loose if group not in last]
        return cls(holders, {each.groups: Motion.of(each) for each in machinery.joined}, tolerance)

    def against_frame(self, group: int) -> Motion:
        """How a group moves against the frame."""
        return self.between(0, group)[1] if group else Motion("rest")

    def chain(self, group: int) -> list[Motion]:
        """The motions by which a group moves against the frame, its own first, then that of what holds it and so on."""
        return [motion for _, motion in self._held_by(group)]

    def between(self, a: int, b: int) -> tuple[Motion, Motion]:
        """How two groups move, seen from one of them if they are joined, else from the last one that holds both."""
        if (a, b) in self.joined:
            return Motion("rest"), self.joined[a, b]
        first, second = list(self._held_by(a)), list(self._held_by(b))
        common = {group for group, _ in first} & {group for group, _ in second}
        chains = [[motion for group, motion in each if group not in common] for each in (first, second)]
        one, other = (composed(chain, self.tolerance) for chain in chains)
        return one, other

    def _held_by(self, group: int) -> Iterator[tuple[int, Motion]]:
        """A group, the one that holds it and so on, each with its motion."""
        while group:
            holder, motion = self.holders[group]
            yield group, motion
            group = holder


def _nearest(
    last: Sequence[int], ways: Mapping[int, Sequence[tuple[int, Joined]]], loose: Collection[int]
) -> dict[int, tuple[int, Motion]]:
    """The loose groups that pairs join to some others, by which and how; of several pairs that with least freedom."""
    found: dict[int, tuple[int, Joined]] = {}
    for group in last:
        for other, joined in ways.get(group, ()):
            if other in loose and (other not in found or LOWER[joined.kind] < LOWER[found[other][1].kind]):
                found[other] = group, joined
    return {other: (group, Motion.of(joined)) for other, (group, joined) in found.items()}


def kept_heights(one: Motion, other: Motion, plane: Floats | None, drawn: Floats) -> list[Floats]:
    """Directions along which neither of two motions takes anything; of many those along the axes of the drawing."""
    both = [motion for motion in (one, other) if motion.axis is not None]
    ways = [motion.axis for motion in both if motion.axis is not None and motion.kind in ("turn", "plane")]
    slides = [motion.axis for motion in both if motion.axis is not None and motion.kind == "slide"]
    ways += across(slides, drawn) if slides else []
    ways += [] if plane is None else [plane]
    kept: list[Floats] = []
    for way in ways:
        is_new = not any(are_parallel(way, each) for each in kept)
        if is_new and one.keeps_height(way) and other.keeps_height(way):
            kept.append(way)
    return kept


def kept_distances(one: Motion, other: Motion, tolerance: float) -> list[tuple[Floats, Floats]]:
    """Axes from which two motions take nothing away, and to which nothing nearer."""
    found = []
    for motion in (one, other):
        if motion.kind in ("turn", "turn and slide") and motion.axis is not None and motion.point is not None:
            axis = motion.axis, motion.point
            if all(each.keeps_distance(*axis, tolerance) for each in (one, other)):
                found.append(axis)
    return found


def kept_centres(one: Motion, other: Motion, tolerance: float) -> list[Floats]:
    """Centres of balls from which two motions take nothing away, and to which nothing nearer."""
    centres = _centres((one, other))
    return [each for each in centres if one.keeps_away(each, tolerance) and other.keeps_away(each, tolerance)]


def across(ways: Sequence[Floats], drawn: Floats) -> list[Floats]:
    """Directions across all of some directions: where there are many, those of the axes of the drawing seen along them.

    Most faces stand along these axes, so that their shadows there are the shortest, however the machine is turned.
    """
    _, sizes, right = np.linalg.svd(np.array(ways))
    free = right[int(np.sum(sizes > PARALLEL)) :]
    if len(free) != 2:
        return [*free]
    seen = drawn @ free.T @ free
    lengths = np.linalg.norm(seen, axis=1)
    return [*(seen[lengths > LEANING] / lengths[lengths > LEANING, None])]
