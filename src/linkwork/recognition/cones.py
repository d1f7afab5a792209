"""Cones in hollows: points of pivots in cups, tapers in their seats, centres in shafts, and balls in conical holes.

What is round about one axis touches along circles. Such a circle is the end of a round face of one part, on a cone of
the other: the rim of a hole around a point, the end of a shaft in a cup, the tip of a needle, or both ends of the
stretch in which two cones of one shape lie in one another. A ball touches the cone around it in a circle of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import ANGLES, CLEARANCE, Contact, largest_gap
from linkwork.solid import RoundFace, SphereFace
from linkwork.solid.placement import Floats, cross_length
from linkwork.solid.values import Inside

BESIDE: Final = 32.0
"""How many skins beside the end of a face it is looked at."""
WORN: Final = 0.5
"""How wide the seat of an edge is that has run in, as a part of its radius: so much of a cone holds it upright."""
Limits = tuple[float, float]
"""How far apart surfaces may be that touch, and how loose a fit may be, as a part of its radius."""
TURNS: Final = (np.arange(ANGLES) + 0.5) * (math.tau / ANGLES)


def rings(a: Body, b: Body, tolerance: float, loose: float = CLEARANCE) -> Iterator[Contact]:
    """The contacts of round things of either part in conical hollows of the other, or of cones in round ones."""
    if not any(body.has_cones for body in (a, b)):
        return
    limits = tolerance, loose
    yield from _in_hollows(a, b, limits)
    yield from (each.flipped() for each in _in_hollows(b, a, limits))


@dataclass(frozen=True, eq=False)
class _Profile:
    """A straight line that turns about an axis: heights and radii of its two ends."""

    face: RoundFace

    @property
    def slope(self) -> float:
        """By how much the radius grows along the axis."""
        low, high = self.face.span
        return (self.face.far_radius - self.face.radius) / (high - low)

    def radius_at(self, height: float) -> float:
        """Its radius at a height, also beyond its ends."""
        return self.face.radius + self.slope * (height - self.face.span[0])

    @property
    def across(self) -> Floats:
        """The direction away from the axis and across it, as its part away from the axis and that along it."""
        return np.array([1.0, -self.slope]) / math.hypot(1.0, self.slope)

    def beside(self, height: float, by: float) -> list[Floats]:
        """The points of it so far to both sides of a height, as radius and height; those that it has."""
        low, high = self.face.span
        away = by / math.hypot(1.0, self.slope)
        return [
            np.array([self.radius_at(each), each])
            for each in (height - away, height + away)
            if low < each < high
        ]

    def is_wall_of(self, body: Body, height: float, way: float) -> Inside:
        """At which angles it bounds a part on one side of a height at least, which may be its end."""
        found = np.zeros(ANGLES, dtype=bool)
        for at in self.beside(height, BESIDE * body.skin):
            found |= body.bounded(
                _turned(self.face, at, is_point=True), way * _turned(self.face, self.across)
            )
        return found


def _in_hollows(holder: Body, part: Body, limits: Limits) -> Iterator[Contact]:
    """The contacts of what is round of the second part in hollows of the first, of which either is a cone."""
    for outer in holder.rounds:
        for inner in part.rounds:
            if not (outer.is_cylinder and inner.is_cylinder) and _are_coaxial(outer, inner, limits[0]):
                yield from _circles(holder, part, outer, _seen_along(inner, outer), limits)
        if not outer.is_cylinder:
            for ball in part.spheres:
                found = _ball(holder, part, outer, ball, limits)
                if found is not None:
                    yield found


def _are_coaxial(a: RoundFace, b: RoundFace, tolerance: float) -> bool:
    """Whether axes are one as far as the faces reach: those of meshes lean by their last digits."""
    reach = max(a.span[1] - a.span[0], b.span[1] - b.span[0])
    if cross_length(a.axis, b.axis) * reach > max(tolerance, PARALLEL * reach):
        return False
    return cross_length(np.subtract(a.point, b.point), a.axis) <= tolerance


def _seen_along(face: RoundFace, other: RoundFace) -> RoundFace:
    """A face with its heights along the axis of another that has the same axis, from the point of that one."""
    way = float(np.dot(face.axis, other.axis))
    base = float(np.dot(np.subtract(face.point, other.point), other.axis))
    ends = sorted(
        ((base + way * face.span[0], face.radius), (base + way * face.span[1], face.far_radius)),
    )
    (low, radius), (high, far) = ends
    return RoundFace(other.point, other.axis, other.zero, radius, far, (low, high), label=face.label)


def _circles(
    holder: Body, part: Body, outer: RoundFace, inner: RoundFace, limits: Limits
) -> Iterator[Contact]:
    """The contacts of the ends of one of two faces on the cone that the other is."""
    tolerance, loose = limits
    widest = max(outer.radius, outer.far_radius)
    for body, face, cone, is_hole in ((part, inner, outer, True), (holder, outer, inner, False)):
        if cone.is_cylinder:
            continue
        own, seat = _Profile(face), _Profile(cone)
        reach = min(each.span[1] - each.span[0] for each in (face, cone))
        alike = max(PARALLEL * (1 + seat.slope**2), tolerance / reach)
        matching = abs(own.slope - seat.slope) <= alike
        for height in _ends(body, face):
            between = seat.radius_at(height) - own.radius_at(height)
            gap = between * float(seat.across[0]) * (1 if is_hole else -1)
            if not -tolerance <= gap <= loose * widest:
                continue
            foot = height + (gap if is_hole else -gap) * float(seat.across[1])
            if _reaches(cone, foot, is_hole=is_hole, matching=matching, tolerance=tolerance):
                walls = (seat, own) if is_hole else (own, seat)
                heights = (foot, height) if is_hole else (height, foot)
                if _are_walls(holder, part, walls, heights):
                    yield _ring(outer, seat, foot, (outer.label, inner.label), max(0.0, gap))


def _ends(body: Body, face: RoundFace) -> list[float]:
    """The heights at which a face may end: its own ends, and where plane faces of its part are across its axis."""
    axis = np.array(face.axis)
    upright = np.abs(body.flats.normals @ axis) > 1 - PARALLEL
    planes = (body.flats.points[upright] - np.array(face.point)) @ axis
    low, high = face.span
    inside = planes[(planes > low + body.skin) & (planes < high - body.skin)]
    return [low, *np.unique(np.round(inside, 12)).tolist(), high]


def _reaches(cone: RoundFace, height: float, *, is_hole: bool, matching: bool, tolerance: float) -> bool:
    """Whether a cone holds at a height: not at the end behind which it would let go, unless both are of one shape."""
    low, high = cone.span
    if not low - tolerance <= height <= high + tolerance:
        return False
    ends = (low, cone.radius), (high, cone.far_radius)
    last, radius = (min if is_hole else max)(ends, key=lambda end: end[1])
    return matching or abs(height - last) > tolerance or (is_hole and radius <= tolerance)


def _are_walls(
    holder: Body, part: Body, walls: tuple[_Profile, _Profile], heights: tuple[float, float]
) -> bool:
    """Whether a hollow is a wall of its part all around beside a circle, and so is what is in it."""
    found = walls[0].is_wall_of(holder, heights[0], -1.0)
    if found.any():
        found &= walls[1].is_wall_of(part, heights[1], 1.0)
    return bool(found.any()) and largest_gap(found) < ANGLES // 2


def _turned(face: RoundFace, at: Floats, *, is_point: bool = False) -> Floats:
    """Points or directions all around the axis of a face, from their parts away from it and along it."""
    zero, quarter, axis = face.frame()
    radial = np.outer(np.cos(TURNS), zero) + np.outer(np.sin(TURNS), quarter)
    found = at[0] * radial + at[1] * axis
    return np.asarray(found + np.array(face.point) if is_point else found)


def _ring(outer: RoundFace, seat: _Profile, height: float, labels: tuple[str, str], gap: float) -> Contact:
    """The contact along a circle of a cone; an edge has run in, so that it lies on a narrow seat."""
    radius = max(0.0, seat.radius_at(height))
    along = np.array([-seat.across[1], seat.across[0]])
    at, beside = np.array([radius, height]), WORN / 2 * radius * along
    rows = [at] if radius <= PARALLEL * max(outer.radius, outer.far_radius) else [at - beside, at + beside]
    return _contact(outer, rows, seat.across, labels, gap)


def _contact(
    outer: RoundFace, rows: list[Floats], across: Floats, labels: tuple[str, str], gap: float
) -> Contact:
    axis = np.array(outer.axis)
    at = np.mean(rows, axis=0)
    return Contact(
        "ring",
        np.concatenate([_turned(outer, row, is_point=True) for row in rows]),
        np.tile(-_turned(outer, across), (len(rows), 1)),
        gap,
        1,
        axis,
        np.array(outer.point) + at[1] * axis,
        max(outer.radius, outer.far_radius),
        labels=labels,
    )


def _ball(holder: Body, part: Body, outer: RoundFace, ball: SphereFace, limits: Limits) -> Contact | None:
    """The contact of a ball with the cone around it."""
    tolerance, loose = limits
    axis, seat = np.array(outer.axis), _Profile(outer)
    away = np.subtract(ball.point, outer.point)
    if cross_length(away, axis) > tolerance:
        return None
    centre = float(away @ axis)
    reach = seat.radius_at(centre) * float(seat.across[0])
    gap, foot = reach - ball.radius, centre + reach * float(seat.across[1])
    low, high = outer.span
    if not -tolerance <= gap <= loose * ball.radius or not low - tolerance <= foot <= high + tolerance:
        return None
    ways = _turned(outer, seat.across)
    walls = seat.is_wall_of(holder, foot, -1.0)
    walls &= part.bounded(np.array(ball.point) + ball.radius * ways, ways)
    if not walls.any() or largest_gap(walls) >= ANGLES // 2:
        return None
    at = np.array([seat.radius_at(foot), foot])
    return _contact(outer, [at], seat.across, (outer.label, ball.label), max(0.0, gap))
