"""The lines and circles in which two leaves of a solid meet, and where other leaves cross these."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from linkwork.contact.boundary import ALIKE, BALL, BAR, CONE, PLANE, Leaf
from linkwork.solid.placement import Floats, cross

SMOOTH: Final = 1e-7
"""Sine of the angle of surfaces that go over into one another without an edge."""
AROUND: Final = 256
"""Places of a circle between which crossings are sought where they have no closed form."""
CUTS: Final = 50
"""How often the angle between two such places is halved: until there is nothing but rounding."""


@dataclass(frozen=True, eq=False)
class Straight:
    """A line: a point of it, and its direction."""

    point: Floats
    way: Floats

    def at(self, lengths: Floats) -> Floats:
        """Its points at some lengths."""
        return np.asarray(self.point + np.outer(lengths, self.way))

    def may_pass(self, low: Floats, high: Floats) -> bool:
        """Whether it has points in a box."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.array([(low - self.point) / self.way, (high - self.point) / self.way])
        first, last = np.fmin(*ends), np.fmax(*ends)  # 0/0 is on a side of the box that goes along it
        return bool(np.fmax.reduce(first) <= np.fmin.reduce(last))

    def crossings(self, leaf: Leaf) -> Sequence[float]:
        """Where it meets a leaf, as lengths along it."""
        return _crossings(leaf, self.point, self.way)


@dataclass(frozen=True, eq=False)
class Circle:
    """A circle; its angles count from one direction towards another."""

    centre: Floats
    axis: Floats
    radius: float
    zero: Floats
    quarter: Floats

    @classmethod
    def about(cls, centre: Floats, axis: Floats, radius: float, toward: Floats) -> Circle:
        """The circle about an axis; its angles begin towards a direction, or anywhere if that is along the axis."""
        zero = toward - (toward @ axis) * axis
        if math.hypot(*zero) < SMOOTH:
            zero = np.linalg.svd(axis[None])[2][1]
        zero = zero / math.hypot(*zero)
        return cls(centre, axis, radius, zero, cross(axis, zero))

    def at(self, angles: float | Floats) -> Floats:
        """Its points at some angles."""
        around = np.outer(np.cos(angles), self.zero) + np.outer(np.sin(angles), self.quarter)
        return np.asarray(self.centre + self.radius * around)

    def may_pass(self, low: Floats, high: Floats) -> bool:
        """Whether the box around it meets a box."""
        spread = self.radius * np.sqrt(np.maximum(0.0, 1.0 - self.axis**2))
        return bool(np.all(self.centre - spread <= high) and np.all(self.centre + spread >= low))

    def crossings(self, leaf: Leaf) -> Sequence[float]:
        """Where it meets a leaf, as angles."""
        return _crossings_of_circle(leaf, self)


def curves(one: Leaf, other: Leaf) -> Iterator[Straight | Circle]:
    """The lines and circles in which two leaves meet; those of a plane and another leaf have the plane first."""
    if one.kind == PLANE and other.kind == PLANE:
        way = cross(one.axis, other.axis)
        if math.hypot(*way) > SMOOTH:
            rows = np.array([one.axis, other.axis, way])
            given = [one.axis @ one.point, other.axis @ other.point, way @ one.point]
            yield Straight(np.linalg.solve(rows, given), way / math.hypot(*way))
    elif one.kind == PLANE and other.kind == BAR and abs(float(one.axis @ other.axis)) < SMOOTH:
        away = float((one.point - other.point) @ one.axis)
        if abs(away) < other.radius * (1 - SMOOTH):
            across = cross(one.axis, other.axis)
            for half in (-1.0, 1.0):
                by = half * math.sqrt(other.radius**2 - away**2)
                yield Straight(other.point + away * one.axis + by * across, other.axis)
    elif one.kind == BAR and other.kind == BAR and abs(float(one.axis @ other.axis)) > 1 - 1e-12:
        for point in _of_parallel_bars(one, other):
            yield Straight(point, other.axis)
    else:
        circle = _circle(one, other)
        if circle is not None:
            yield Circle.about(*circle, other.drawn_x)


def _of_parallel_bars(one: Leaf, other: Leaf) -> Iterator[Floats]:
    """Points of the lines in which two cylinders with parallel axes cross."""
    between = other.point - one.point
    between = between - (between @ one.axis) * one.axis
    apart = math.hypot(*between)
    if (
        not abs(one.radius - other.radius) + SMOOTH * apart
        < apart
        < (one.radius + other.radius) * (1 - SMOOTH)
    ):
        return
    along = (apart**2 + one.radius**2 - other.radius**2) / (2 * apart)
    aside = math.sqrt(max(0.0, one.radius**2 - along**2))
    toward = between / apart
    for half in (-1.0, 1.0):
        yield one.point + along * toward + half * aside * cross(one.axis, toward)


def _circle(one: Leaf, other: Leaf) -> tuple[Floats, Floats, float] | None:
    """Centre, axis and radius of the circle in which two leaves meet; None where there is none."""
    if BALL not in (one.kind, other.kind):
        return _circle_of_profiles(one, other)
    if one.kind == PLANE:
        away = float((one.point - other.point) @ one.axis)
        squared = other.radius**2 - away**2
        return (other.point + away * one.axis, one.axis, math.sqrt(squared)) if squared > 0 else None
    if one.kind != other.kind:
        return None
    between = other.point - one.point
    apart = math.hypot(*between)
    if apart == 0:
        return None
    along = (apart**2 + one.radius**2 - other.radius**2) / (2 * apart)
    squared = one.radius**2 - along**2
    axis = between / apart
    return (one.point + along * axis, axis, math.sqrt(squared)) if squared > 0 else None


def _circle_of_profiles(one: Leaf, other: Leaf) -> tuple[Floats, Floats, float] | None:
    """That of a plane across the axis of a cylinder or a cone, or of two of these with one axis.

    Along the axis s of the second each is a line u s + v radius = w.
    """
    axis = other.axis
    away = one.point - other.point
    along = float(away @ axis)
    off = away - along * axis
    if abs(float(one.axis @ axis)) < 1 - 1e-12:
        return None
    if one.kind != PLANE and math.hypot(*off) > ALIKE * (math.hypot(*away) + other.radius + one.radius):
        return None
    rows = np.array([_profile(leaf, axis, at) for leaf, at in ((one, along), (other, 0.0))])
    if abs(np.linalg.det(rows[:, :2])) < SMOOTH:
        return None
    at, radius = np.linalg.solve(rows[:, :2], rows[:, 2])
    is_there = all(
        float((other.point + at * axis - each.point) @ each.axis) > 0
        for each in (one, other)
        if each.kind == CONE
    )
    return (other.point + at * axis, axis, float(radius)) if radius > 0 and is_there else None


def _profile(leaf: Leaf, axis: Floats, at: float) -> tuple[float, float, float]:
    """Of a leaf of which the point is at a length along an axis."""
    if leaf.kind == PLANE:
        return 1.0, 0.0, at
    if leaf.kind == BAR:
        return 0.0, 1.0, leaf.radius
    way = leaf.radius * math.copysign(1.0, float(leaf.axis @ axis))
    return -way, leaf.cosine, -way * at


def _crossings(leaf: Leaf, point: Floats, way: Floats) -> list[float]:
    """Where a line meets a leaf, as lengths along it."""
    away = point - leaf.point
    if leaf.kind == PLANE:
        slope = float(way @ leaf.axis)
        return [-float(away @ leaf.axis) / slope] if abs(slope) > 1e-12 else []
    if leaf.kind == CONE:
        return _crossings_of_cone(leaf, away, way)
    along = way
    if leaf.kind == BAR:
        away = away - (away @ leaf.axis) * leaf.axis
        along = way - (way @ leaf.axis) * leaf.axis
    a, b, c = float(along @ along), float(along @ away), float(away @ away) - leaf.radius**2
    if a < 1e-20 or b * b <= a * c:
        return []
    root = math.sqrt(b * b - a * c)
    return [(-b - root) / a, (-b + root) / a]


def _crossings_of_cone(leaf: Leaf, away: Floats, way: Floats) -> list[float]:
    """Where a line meets a cone: radius² cos² = along² sin², before its apex."""
    slope, start, squared = float(way @ leaf.axis), float(away @ leaf.axis), leaf.cosine**2
    a = squared - slope**2
    b = squared * float(way @ away) - slope * start
    c = squared * float(away @ away) - start**2
    if abs(a) < 1e-14:
        found = [-c / (2 * b)] if abs(b) > 1e-14 else []
    elif b * b <= a * c:
        found = []
    else:
        root = math.sqrt(b * b - a * c)
        found = [(-b - root) / a, (-b + root) / a]
    return sorted(s for s in found if start + s * slope > 0)


def _crossings_of_circle(leaf: Leaf, circle: Circle) -> Sequence[float]:
    """The angles at which a circle meets a leaf: where u cos + v sin + w = 0, if its number is of that kind."""
    away = circle.centre - leaf.point
    if leaf.kind == PLANE:
        way, start = leaf.axis, float(away @ leaf.axis)
    elif leaf.kind == BALL or (leaf.kind == BAR and abs(float(leaf.axis @ circle.axis)) > 1 - 1e-12):
        way = 2 * (away if leaf.kind == BALL else away - (away @ leaf.axis) * leaf.axis)
        start = float(way @ way) / 4 + circle.radius**2 - leaf.radius**2
    else:
        return _sought_crossings(leaf, circle)
    u, v = circle.radius * float(way @ circle.zero), circle.radius * float(way @ circle.quarter)
    size = math.hypot(u, v)
    if size <= abs(start):
        return []
    middle, half = math.atan2(v, u), math.acos(-start / size)
    return [middle - half, middle + half]


def _sought_crossings(leaf: Leaf, circle: Circle) -> Sequence[float]:
    """The same by bisection, between places of the circle."""
    angles = np.arange(AROUND + 1) * 2 * math.pi / AROUND
    is_outside = leaf.value(circle.at(angles)) > 0
    low = angles[:-1][is_outside[:-1] != is_outside[1:]]
    high, at_low = low + angles[1], leaf.value(circle.at(low)) > 0
    for _ in range(CUTS):
        middle = (low + high) / 2
        is_before = (leaf.value(circle.at(middle)) > 0) == at_low
        low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
    return [float(each) for each in (low + high) / 2]
