"""One pawl's exact motion as results tell it: its events, angles and forces, and how numbers are written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from linkwork.fasten.algebraic import Root, as_float, precision, real_roots
from linkwork.fasten.course import Course, Event, Stretch
from linkwork.fasten.design import Pawl
from linkwork.fasten.fan import LEVEL
from linkwork.fasten.force import Floats, Peaks, SlidingForce, angles_on, motion_at
from linkwork.fasten.motion import rest_chart
from linkwork.fasten.point import Point
from linkwork.fasten.slices import Feature, Slice

INTERVAL_DIGITS = 32
"""Decimals of the ends of an interval."""
LOOKS = 33
"""Moments looked at in every stretch."""
PLACES = 9
"""Of a stretch, at which it is told where on an edge the contact is."""

Named: TypeAlias = dict[str, str]
"""A contact: its type, and the pawl's and the obstacle's feature."""
Moments: TypeAlias = tuple[Floats, Floats]
"""Times, and from which side each is seen."""


class Told(NamedTuple):
    """An event with its contacts by their names."""

    kind: str
    t: float
    theta_from: float
    theta_to: float
    left: Named | None
    met: Named | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "t": self.t,
            "kind": self.kind,
            "from": self.left,
            "to": self.met,
            "theta_from": self.theta_from,
            "theta_to": self.theta_to,
        }


class Rubbed(NamedTuple):
    """One stretch of sliding (or one sticking) on a feature of an obstacle, and which part of it."""

    feature: str
    sticks: bool
    low: float
    high: float


def contact_name(kind: str, pawl: int, obstacle: str, number: int) -> Named:
    """A contact as results name it."""
    mine, theirs = ("edge", "vertex") if kind == "A" else ("vertex", "edge")
    return {"type": kind, "pawl": f"{mine}{pawl}", "obstacle": f"{obstacle}.{theirs}{number}"}


@dataclass(frozen=True)
class PawlMotion:
    """One pawl's course and the forces on it."""

    pawl: Pawl
    course: Course
    piece: Slice
    mu: Fraction
    names: tuple[str, ...]
    bounds: tuple[Course, Course] | None = None
    """The courses with the rest angle at either end of its width, where it is not exact."""

    @cached_property
    def rest(self) -> float:
        """The rest angle in radians."""
        chart, u = rest_chart(self.pawl.rest)
        return chart * math.pi + 2 * math.atan(as_float(u))

    def force_on(self, stretch: Stretch) -> SlidingForce:
        """The force along a stretch of sliding."""
        return SlidingForce(stretch, self.piece, float(self.pawl.k), self.rest, self.mu)

    @cached_property
    def peaks(self) -> Peaks:
        """Suprema of force and resistance over all sliding; 0 where it slid nowhere."""
        found = [self.force_on(each).peaks() for each in self.course.stretches if each.slides]
        if not found:
            return Peaks(0.0, 0.0)
        return Peaks(max(each.force for each in found), max(each.resist for each in found))

    def stretch_at(self, t: float) -> Stretch | None:
        """The stretch that covers a time, the later one where two meet; before all of them the first."""
        for stretch in reversed(self.course.stretches):
            if stretch.start.time <= t:
                return stretch
        return self.course.stretches[0] if self.course.stretches else None

    def angle_at(self, t: float) -> float:
        """The angle at a time."""
        stretch = self.stretch_at(t)
        if stretch is None:
            return self.course.end.theta
        return float(angles_on(stretch, self.piece, np.array(t, dtype=float)))

    def root_force_at(self, t: float) -> Floats:
        """The force on the root at a time."""
        stretch = self.stretch_at(t)
        if stretch is None or not stretch.slides:
            return np.zeros(2)
        return self.force_on(stretch).at(np.array(t, dtype=float), np.array(self.angle_at(t)))

    def feature_name(self, feature: Feature | None) -> dict[str, str] | None:
        """A constraint as the result names it."""
        if feature is None:
            return None
        which, number = self.piece.obstacles.owner[feature.obstacle]
        return contact_name(feature.kind, feature.pawl, self.names[which], number)

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """The events, in order."""
        return tuple(
            Told(
                event.kind,
                event.at.time,
                event.at.theta,
                event.to.theta,
                self.feature_name(event.before),
                self.feature_name(event.after),
            )
            for event in self.course.events
        )

    @property
    def cause(self) -> str:
        """Why it ends: end, jam or stick."""
        return self.course.cause

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.course.end

    def contact_at(self, t: float) -> Named | None:
        """What it touches at a time, under force."""
        if t >= self.course.end.time * (1 - 1e-15):
            return self.feature_name(self.course.contact)
        stretch = self.stretch_at(t)
        return self.feature_name(stretch.feature if stretch else None)

    @property
    def farthest(self) -> float:
        """The farthest that the pawl is turned from its rest: at an event, for along a contact t = -N(u)/D(u)."""
        ends = [end for stretch in self.course.stretches for end in (stretch.start, stretch.end)]
        return max((abs(end.theta - self.rest) for end in (*ends, self.course.end)), default=0.0)

    def lines(self) -> list[tuple[Floats, Floats]]:
        """Times and angles, stretch by stretch."""
        return [
            motion_at(stretch, self.piece, np.linspace(0.0, 1.0, 65)) for stretch in self.course.stretches
        ]

    def moments(self) -> Iterator[tuple[float, int]]:
        """Times to look at; one at which a stretch ends is there twice, from before (-1) and after (1)."""
        for stretch in (each for each in self.course.stretches if each.lasts):
            times, _ = motion_at(stretch, self.piece, np.linspace(0.0, 1.0, LOOKS))
            start, end = stretch.start.time, stretch.end.time
            yield from ((start, 1), (end, -1))
            yield from ((float(t), 1) for t in times[1:-1] if start < t < end)

    def over(self, moments: Moments) -> tuple[Floats, Floats]:
        """Angles and forces on the root: each moment belongs to the stretch that is under way then, from its side."""
        t, side = moments
        theta, force = np.full(len(t), self.course.end.theta), np.zeros((len(t), 2))
        for stretch in (each for each in self.course.stretches if each.lasts):
            start, end = stretch.start.time, stretch.end.time
            here = ((t > start) | ((t == start) & (side > 0))) & ((t < end) | ((t == end) & (side < 0)))
            theta[here] = angles_on(stretch, self.piece, t[here])
            if stretch.feature is not None:
                pressing = self.force_on(stretch)
                force[here] = pressing.at(t[here], theta[here])
                for moment, point in ((start, stretch.start), (end, stretch.end)):
                    if pressing.diverges_at(point):
                        force[here & (t == moment)] = math.nan
        return theta, force

    def work(self, until: float) -> float:
        """What it costs to push the root against the pawl, up to a time."""
        return sum(self.force_on(each).work(until) for each in self.course.stretches if each.slides)

    def rubbed(self) -> Iterator[Rubbed]:
        """What it slides and sticks on, in order; sliding to and fro on one feature is one contact."""
        slides = [self._rubbed(stretch, sticks=False) for stretch in self.course.stretches if stretch.slides]
        for _, same in groupby(slides, key=lambda each: each.feature):
            parts = list(same)
            low, high = min(each.low for each in parts), max(each.high for each in parts)
            yield parts[0]._replace(low=low, high=high)
        course = self.course
        if course.cause == "stick" and course.contact is not None:
            yield self._rubbed(Stretch(course.contact, LEVEL, course.end, course.end), sticks=True)

    def _rubbed(self, stretch: Stretch, *, sticks: bool) -> Rubbed:
        name = self.feature_name(stretch.feature)
        assert name is not None
        places = self._places(stretch, np.linspace(0.0, 1.0, PLACES))
        return Rubbed(name["obstacle"], sticks, min(places), max(places))

    def _places(self, stretch: Stretch, parts: Floats) -> list[float]:
        """Where on an obstacle's edge the contact is, 0 to 1; for a vertex of it 0."""
        feature, piece = stretch.feature, self.piece
        assert feature is not None
        if feature.kind == "A":
            return [0.0]
        times, angles = motion_at(stretch, piece, parts)
        start, edge = piece.obstacles.vertices[feature.obstacle], piece.obstacles.edges[feature.obstacle]
        x, y = map(as_float, piece.pawl.vertices[feature.pawl])
        base = [as_float(value) for value in (*start, *edge, *piece.hinge, *piece.velocity)]
        px = x * np.cos(angles) - y * np.sin(angles) + base[4] + times * base[6] - base[0]
        py = x * np.sin(angles) + y * np.cos(angles) + base[5] + times * base[7] - base[1]
        along = (px * base[2] + py * base[3]) / (base[2] ** 2 + base[3] ** 2)
        return [float(value) for value in np.clip(along, 0.0, 1.0)]

    def to_json(self, samples: Sequence[float], digits: int) -> dict[str, Any]:
        """Plain data."""
        events = [
            _event_json(event, told, self, digits)
            for event, told in zip(self.course.events, self.told, strict=True)
        ]
        return motion_json(self, events, samples)


def motion_json(motion: Any, events: list[dict[str, Any]], samples: Sequence[float]) -> dict[str, Any]:
    """A pawl's motion as plain data, with its angles and forces at times up to its end."""
    times = [t for t in samples if t <= motion.end.time + 1e-12]
    forces = [motion.root_force_at(t) for t in times]
    return {
        "events": events,
        "termination": motion.cause,
        "samples": {
            "t": times,
            "theta": [motion.angle_at(t) for t in times],
            "root_fx": [float(force[0]) for force in forces],
            "root_fy": [float(force[1]) for force in forces],
        },
        "max_force": motion.peaks.force,
        "max_resist": motion.peaks.resist,
    }


def _event_json(event: Event, told: Told, motion: PawlMotion, digits: int) -> dict[str, Any]:
    found = told.to_json()
    if motion.pawl.rest.width == 0:
        found["exact"] = exact_json(event.at.t)
    elif motion.bounds is not None:
        place = motion.course.events.index(event)
        found["interval"] = _interval([course.events[place].at.t for course in motion.bounds])
    if digits:
        found["t_digits"] = decimal(event.at.t, digits)
        found["theta_from_digits"] = _angle_decimal(event.at, digits)
        found["theta_to_digits"] = _angle_decimal(event.to, digits)
    return found


def _interval(times: Sequence[Root]) -> list[str]:
    """Decimals at or below and at or above both times."""
    low, high = (times[0], times[1]) if times[0].compare(times[1]) <= 0 else (times[1], times[0])
    scale = 10**INTERVAL_DIGITS
    below = (low.bounds(4 * INTERVAL_DIGITS)[0] * scale).floor()
    above = (high.bounds(4 * INTERVAL_DIGITS)[1] * scale).ceil()
    return [_shifted(int(below)), _shifted(int(above))]


def _shifted(digits: int) -> str:
    whole, part = divmod(abs(digits), 10**INTERVAL_DIGITS)
    return f"{'-' if digits < 0 else ''}{whole}.{part:0{INTERVAL_DIGITS}d}"


def exact_json(root: Root) -> dict[str, Any]:
    """The integer polynomial of least degree (constant first) and which of its real roots it is, from 0."""
    poly, index = least_polynomial(root)
    return {"poly": [int(value) for value in poly.coeffs()], "index": index}


def least_polynomial(root: Root) -> tuple[Any, int]:
    """The primitive irreducible polynomial of an algebraic number, and its place among the real roots."""
    if root.exact is not None:
        return Root.of(root.exact).poly, 0
    for factor, _ in root.poly.factor()[1]:
        if root.sign_of(factor) == 0:
            poly = factor if factor.leading_coefficient() > 0 else -factor
            if poly.degree() == 1:
                return poly, 0
            return poly, next(k for k, each in enumerate(real_roots(poly)) if each.compare(root) == 0)
    raise AssertionError("a root belongs to a factor of its polynomial")


def decimal(root: Root, digits: int) -> str:
    """An algebraic number to so many significant digits, all right."""
    if root.is_zero():
        return "0"
    bits = int(digits * 3.33) + 32
    with precision(bits):
        return str(root.ball(bits).str(digits, radius=False))


def _angle_decimal(point: Point, digits: int) -> str:
    if point.chart == 0 and point.u.is_zero():
        return "0"
    bits = int(digits * 3.33) + 32
    with precision(bits):
        return str(point.theta_ball(bits).str(digits, radius=False))
