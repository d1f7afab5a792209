"""What becomes of a snap-fit: the verb ``fasten`` and its result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flint import fmpq

from linkwork.fasten.ahead import LevelAhead, sites_at
from linkwork.fasten.algebraic import Root, as_float, as_fmpq, real_roots
from linkwork.fasten.angle import starting_angle
from linkwork.fasten.course import Course
from linkwork.fasten.cut import lengthened
from linkwork.fasten.design import Design, Pawl
from linkwork.fasten.fan import corners_at, is_free
from linkwork.fasten.history import history
from linkwork.fasten.motion import Follower, rest_chart
from linkwork.fasten.near import Near
from linkwork.fasten.pawl_motion import PawlMotion, exact_json
from linkwork.fasten.point import Point, at_time, compare_times, time_against
from linkwork.fasten.report import report
from linkwork.fasten.slices import Slice
from linkwork.fasten.tree.motion import CarriedMotion, Instant, tree_motions
from linkwork.results import Viewable, plain_document

EVENT_KEYS: Final = ("kind", "from", "to", "theta_from", "theta_to")
"""What is told of each event, besides its time and its pawl."""
SAME_ANGLE = 1e-9
"""Radians within which a given start angle is a contact (or the rest angle)."""


def blamed(cause: str, pawl: str | None) -> str:
    """A cause in words, with the pawl where one is to blame."""
    return cause if pawl is None else f"{cause} {pawl}"


@dataclass(frozen=True)
class Ending:
    """Why everything stops, and when: end, root_collision, jam or stick (with the pawl)."""

    cause: str
    pawl: str | None
    at: Point | Instant

    def __str__(self) -> str:
        return blamed(self.cause, self.pawl)


@dataclass(frozen=True, repr=False)
class Fastening(Viewable):
    """The motion of a whole snap-fit."""

    design: Design
    pawls: dict[str, PawlMotion | CarriedMotion]
    """By name, carriers before what they carry."""
    ending: Ending

    def to_json(self, samples: Sequence[float] = (), digits: int = 0) -> dict[str, Any]:
        """The result as plain data; ``digits`` more digits of times and angles as text, if wanted."""
        pawls = {name: self._pawl_json(motion, samples, digits) for name, motion in self.pawls.items()}
        total = history(self).to_json()
        return plain_document({"termination": self._termination(), "pawls": pawls, "total": total})

    def _pawl_json(
        self, motion: PawlMotion | CarriedMotion, samples: Sequence[float], digits: int
    ) -> dict[str, Any]:
        beam = motion.pawl.cantilever
        strain = {} if beam is None else {"peak_strain": beam.strain(motion.farthest)}
        return motion.to_json(samples, digits) | strain

    def to_frame(self) -> dict[str, list[Any]]:
        """The events of all pawls as columns, ready for a data frame: ``pandas.DataFrame(found.to_frame())``."""
        told = self.to_json()["pawls"]
        rows = [{"pawl": name, **event} for name, pawl in told.items() for event in pawl["events"]]
        rows.sort(key=lambda row: row["t"])
        return {key: [row[key] for row in rows] for key in ("t", "pawl", *EVENT_KEYS)}

    def __str__(self) -> str:
        return report(self.design, self.to_json())

    def __repr__(self) -> str:
        return f"Fastening {self.design.name}: {self.ending} at t = {self.ending.at.time:.9g}"

    def _termination(self) -> dict[str, Any]:
        t = self.ending.at.time
        place = [float(p + v * t) for p, v in zip(self.design.p0, self.design.v, strict=True)]
        at = self.ending.at
        return {
            "cause": self.ending.cause,
            "pawl": self.ending.pawl,
            "t": t,
            **({"exact": exact_json(at.t)} if isinstance(at, Point) else {}),
            "position": place,
            "angles": {name: motion.angle_at(t) for name, motion in self.pawls.items()},
            "contacts": {name: motion.contact_at(t) for name, motion in self.pawls.items()},
        }


def event_words(found: Fastening) -> Iterator[str]:
    """All events in order, in words (without reversals of the sliding)."""
    for name, motion in found.pawls.items():
        for event in motion.told:
            if event.kind != "reverse":
                onto = f" {event.met['pawl']} {event.met['obstacle']}" if event.met else ""
                yield f"{name} {event.kind}{onto}"


def fasten(design: Design) -> Fastening:
    """Follow a snap-fit's motion: exactly, but for pawls that carry pawls."""
    drawn, design = design, lengthened(design)
    hit = root_collision(design)
    stop = as_fmpq(design.duration) if hit is None else hit
    names = tuple(obstacle.name for obstacle in design.obstacles)
    pawls: dict[str, PawlMotion | CarriedMotion] = {}
    for pawl in design.pawls:
        if pawl.pawls:
            pawls |= tree_motions(design, pawl, as_float(stop))
            continue
        follower = Follower(design, pawl, stop)
        start = _start(design, pawl, follower)
        course = follower.run(start, in_contact=start is not None)
        bounds = _bounds(design, pawl, stop, course) if pawl.rest.width else None
        pawls[pawl.name] = PawlMotion(pawl, course, follower.piece, design.mu, names, bounds)
    return Fastening(drawn, pawls, ending_of(pawls, hit, stop))


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


def ending_of(pawls: Mapping[str, PawlMotion | CarriedMotion], hit: fmpq | None, stop: fmpq) -> Ending:
    at = Point(0, Root.of(fmpq(0)), relation=at_time(stop))
    ending = Ending("end" if hit is None else "root_collision", None, at)
    for name, motion in pawls.items():
        if motion.cause != "end" and _is_earlier(motion.end, ending.at):
            ending = Ending(motion.cause, name, motion.end)
    return ending


def _is_earlier(first: Point | Instant, second: Point | Instant) -> bool:
    if isinstance(first, Point) and isinstance(second, Point):
        return compare_times(first, second) < 0
    return first.time < second.time


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
