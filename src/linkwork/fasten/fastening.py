"""What becomes of a snap-fit: the verb ``fasten`` and its result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq

from linkwork.fasten.ahead import LevelAhead, sites_at
from linkwork.fasten.algebraic import Root, as_float, as_fmpq, precision, real_roots
from linkwork.fasten.angle import starting_angle
from linkwork.fasten.course import Course, Event, Stretch
from linkwork.fasten.design import Design, Pawl
from linkwork.fasten.fan import corners_at, is_free
from linkwork.fasten.force import Floats, Peaks, SlidingForce, angles_on
from linkwork.fasten.motion import Follower, rest_chart
from linkwork.fasten.near import Near
from linkwork.fasten.point import Point, at_time, compare_times, time_against
from linkwork.fasten.slices import Feature, Slice
from linkwork.results import Viewable, plain_document

INTERVAL_DIGITS = 32
"""Decimals of the ends of an interval."""
SAME_ANGLE = 1e-9
"""Radians within which a given start angle is a contact (or the rest angle)."""


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
        """The stretch that covers a time, the later one where two meet."""
        for stretch in reversed(self.course.stretches):
            if stretch.start.time <= t:
                return stretch
        return None

    def angle_at(self, t: float) -> float:
        """The angle at a time."""
        stretch = self.stretch_at(t)
        if stretch is None:
            return self.course.end.theta
        return float(angles_on(stretch, self.piece, np.array(t)))

    def root_force_at(self, t: float) -> Floats:
        """The force on the root at a time."""
        stretch = self.stretch_at(t)
        if stretch is None or not stretch.slides:
            return np.zeros(2)
        return self.force_on(stretch).at(np.array(t), np.array(self.angle_at(t)))

    def feature_name(self, feature: Feature | None) -> dict[str, str] | None:
        """A constraint as the result names it."""
        if feature is None:
            return None
        which, vertex = self.piece.obstacles.owner[feature.obstacle]
        mine, theirs = ("edge", "vertex") if feature.kind == "A" else ("vertex", "edge")
        return {
            "type": feature.kind,
            "pawl": f"{mine}{feature.pawl}",
            "obstacle": f"{self.names[which]}.{theirs}{vertex}",
        }


def blamed(cause: str, pawl: str | None) -> str:
    """A cause in words, with the pawl where one is to blame."""
    return cause if pawl is None else f"{cause} {pawl}"


@dataclass(frozen=True)
class Ending:
    """Why everything stops, and when: end, root_collision, jam or stick (with the pawl)."""

    cause: str
    pawl: str | None
    at: Point

    def __str__(self) -> str:
        return blamed(self.cause, self.pawl)


@dataclass(frozen=True)
class Fastening(Viewable):
    """The motion of a whole snap-fit."""

    design: Design
    pawls: dict[str, PawlMotion]
    ending: Ending

    def to_json(self, samples: Sequence[float] = (), digits: int = 0) -> dict[str, Any]:
        """The result as plain data; ``digits`` more digits of times and angles as text, if wanted."""
        pawls = {name: self._pawl(motion, samples, digits) for name, motion in self.pawls.items()}
        return plain_document({"termination": self._termination(), "pawls": pawls})

    def _termination(self) -> dict[str, Any]:
        t = self.ending.at.time
        place = [float(p + v * t) for p, v in zip(self.design.p0, self.design.v, strict=True)]
        return {
            "cause": self.ending.cause,
            "pawl": self.ending.pawl,
            "t": t,
            "exact": exact_json(self.ending.at.t),
            "position": place,
            "angles": {name: motion.angle_at(t) for name, motion in self.pawls.items()},
            "contacts": {name: self._contact(motion, t) for name, motion in self.pawls.items()},
        }

    def _contact(self, motion: PawlMotion, t: float) -> dict[str, str] | None:
        if compare_times(motion.course.end, self.ending.at) <= 0:
            return motion.feature_name(motion.course.contact)
        stretch = motion.stretch_at(t)
        return motion.feature_name(stretch.feature if stretch else None)

    def _pawl(self, motion: PawlMotion, samples: Sequence[float], digits: int) -> dict[str, Any]:
        last = motion.course.end.time
        times = [t for t in samples if t <= last + 1e-12]
        forces = [motion.root_force_at(t) for t in times]
        return {
            "events": [_event_json(event, motion, digits) for event in motion.course.events],
            "termination": motion.course.cause,
            "samples": {
                "t": times,
                "theta": [motion.angle_at(t) for t in times],
                "root_fx": [float(force[0]) for force in forces],
                "root_fy": [float(force[1]) for force in forces],
            },
            "max_force": motion.peaks.force,
            "max_resist": motion.peaks.resist,
        }


def _event_json(event: Event, motion: PawlMotion, digits: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "t": event.at.time,
        "kind": event.kind,
        "from": motion.feature_name(event.before),
        "to": motion.feature_name(event.after),
        "theta_from": event.at.theta,
        "theta_to": event.to.theta,
    }
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


def fasten(design: Design) -> Fastening:
    """Follow a snap-fit's motion exactly."""
    hit = root_collision(design)
    stop = as_fmpq(design.duration) if hit is None else hit
    names = tuple(obstacle.name for obstacle in design.obstacles)
    pawls: dict[str, PawlMotion] = {}
    for pawl in design.pawls:
        follower = Follower(design, pawl, stop)
        start = _start(design, pawl, follower)
        course = follower.run(start, in_contact=start is not None)
        bounds = _bounds(design, pawl, stop, course) if pawl.rest.width else None
        pawls[pawl.name] = PawlMotion(pawl, course, follower.piece, design.mu, names, bounds)
    return Fastening(design, pawls, _ending(pawls, hit, stop))


def _bounds(design: Design, pawl: Pawl, stop: fmpq, course: Course) -> tuple[Course, Course] | None:
    """The motions at both ends of a rest angle's width; none where they do not do the same."""
    ends = []
    for side in (-1, 1):
        rest = replace(pawl.rest, half_tan=pawl.rest.half_tan + side * pawl.rest.width)
        moved = replace(pawl, rest=rest)
        follower = Follower(design, moved, stop)
        start = _start(design, moved, follower)
        ends.append(follower.run(start, in_contact=start is not None))
    same = all(
        [(event.kind, event.after) for event in end.events]
        == [(event.kind, event.after) for event in course.events]
        for end in ends
    )
    return (ends[0], ends[1]) if same else None


def _ending(pawls: dict[str, PawlMotion], hit: fmpq | None, stop: fmpq) -> Ending:
    at = Point(0, Root.of(fmpq(0)), relation=at_time(stop))
    ending = Ending("end" if hit is None else "root_collision", None, at)
    for name, motion in pawls.items():
        course = motion.course
        if course.cause != "end" and compare_times(course.end, ending.at) < 0:
            ending = Ending(course.cause, name, course.end)
    return ending


def root_collision(design: Design) -> fmpq | None:
    """When the root runs into an obstacle (to slide along one is no collision); a rational number."""
    if design.root is None or not design.obstacles:
        return None
    stop = as_fmpq(design.duration)
    body = Slice(design, Pawl("root", design.root))
    near = Near(body, float(design.duration))
    point = Point(0, Root.of(fmpq(0)), t=Root.of(fmpq(0)))
    last = Point(0, point.u, relation=at_time(stop))
    while True:
        sites = sites_at(point, near, body)
        t = point.t.exact
        assert t is not None
        corners = [pair for site in sites for pair in corners_at(site, point, fmpq(0), body)]
        if not is_free(t + 1, fmpq(0), 0, corners, body):
            return t
        met = LevelAhead(None, point, body, near).first_hit(last)
        if met is None or time_against(met, stop) >= 0:
            return None
        point = met


def _start(design: Design, pawl: Pawl, follower: Follower) -> Point | None:
    """Where a cocked pawl starts: at a contact or at rest if its angle is within a hair of one."""
    if pawl.theta_init is None:
        return None
    angle = float(pawl.theta_init)
    chart, u = rest_chart(pawl.rest)
    if abs(angle - (chart * math.pi + 2 * math.atan(as_float(u)))) < SAME_ANGLE:
        return None
    chart = round(angle / math.pi)
    found = [
        point
        for feature in follower.near.features((0.0, 0.0), (angle, angle))
        for root in real_roots(follower.piece.constraint(feature).gap.charts[chart % 2].constant)
        if abs((point := Point(chart, root, relation=at_time(fmpq(0)))).theta - angle) < SAME_ANGLE
    ]
    if found:
        return min(found, key=lambda point: abs(point.theta - angle))
    chart, u = rest_chart(starting_angle(pawl))
    return Point(chart, Root.of(u), t=Root.of(fmpq(0)))
