"""The motion of a pawl that carries pawls, or is carried by one, as results tell it: in floating point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from flint import fmpq

from linkwork.fasten.algebraic import as_fmpq
from linkwork.fasten.angle import starting_angle
from linkwork.fasten.design import Design, Pawl
from linkwork.fasten.force import Peaks, largest_between
from linkwork.fasten.pawl_motion import Moments, Named, Rubbed, Told, contact_name, motion_json
from linkwork.fasten.tree.bodies import Bodies, Floats, Touch
from linkwork.fasten.tree.equilibrium import Hold
from linkwork.fasten.tree.following import Followed, Follower, Happening, Stretch

PARTS = 4
"""Into how many a step is cut where friction's work is added up."""


@dataclass(frozen=True)
class Instant:
    """A time and an angle in floating point."""

    time: float
    theta: float

    def time_bounds(self, _bits: int = 53) -> tuple[fmpq, fmpq]:
        """The time twice, as the rational number that it is."""
        exact = as_fmpq(Fraction(self.time))
        return exact, exact


class Timeline:
    """A tree's motion at any time; times are the user's, each seen from before (-1) or after (1) an event."""

    def __init__(self, followed: Followed) -> None:
        self.followed, self.bodies = followed, followed.bodies
        self.known: dict[tuple[float, int], tuple[Stretch, Floats] | None] = {}

    def at(self, t: float, side: int = 1) -> tuple[Stretch, Floats] | None:
        """The stretch that is under way and its equilibrium; none where nothing lasted."""
        key = t, side
        if key not in self.known:
            self.known[key] = self._at(t / self.bodies.pace, side)
        return self.known[key]

    def _at(self, t: float, side: int) -> tuple[Stretch, Floats] | None:
        # A stretch begins an instant after the event that it follows, and is meant from there on.
        begun = [each for each in self.followed.stretches if each.since < t or (each.since == t and side > 0)]
        if not begun:
            first = self.followed.stretches[:1]
            return (first[0], first[0].points[0]) if first else None
        stretch = begun[-1]
        times = [float(point[0]) for point in stretch.points]
        place = int(np.clip(np.searchsorted(times, t), 1, max(len(times) - 1, 1)))
        if t <= times[0] or len(times) == 1:
            return stretch, stretch.points[0]
        if t >= times[-1]:
            return stretch, stretch.points[-1]
        low, high = stretch.points[place - 1], stretch.points[place]
        part = (t - low[0]) / (high[0] - low[0]) if high[0] > low[0] else 0.0
        guess = low + part * (high - low)
        found = stretch.system.at_time(guess, t)
        return stretch, guess if found is None else found

    def angles(self, t: float, side: int = 1) -> Floats:
        """The hinges' angles."""
        if t >= self.followed.t * self.bodies.pace and side > 0:
            return self.followed.theta
        found = self.at(t, side)
        return self.followed.theta if found is None else found[1][1 : 1 + self.bodies.count]

    def force(self, stretch: Stretch, y: Floats, body: int) -> Floats:
        """The contact force on one body; not finite where it grows without bound."""
        total = np.zeros(2)
        pose = self.bodies.pose(float(y[0]), y[1 : 1 + self.bodies.count].tolist())
        is_relaxed = np.abs(y[1 : 1 + self.bodies.count] - self.bodies.rest).max() < 1e-12
        for hold, (press, rub) in zip(stretch.system.mode, stretch.system.limits(y), strict=True):
            if hold.touch.body != body or is_relaxed:
                continue
            if not math.isfinite(press) or not math.isfinite(rub):
                return np.full(2, math.nan)
            total = total + self.bodies.force(hold.touch, pose, press, rub)
        return total


@dataclass(frozen=True)
class CarriedMotion:
    """The motion of one pawl of a tree; its angle is that of its own hinge, against its carrier."""

    pawl: Pawl
    body: int
    timeline: Timeline

    @property
    def followed(self) -> Followed:
        """The motion of the whole tree."""
        return self.timeline.followed

    @property
    def rest(self) -> float:
        """The rest angle of its hinge."""
        return self.pawl.rest.angle

    @property
    def cause(self) -> str:
        """Why it ends: end; jam or stick at the pawl that is to blame, which stops the others too."""
        return self.followed.cause if self.followed.body == self.body else "end"

    @property
    def end(self) -> Instant:
        """Where it ends."""
        return Instant(self.followed.t * self.followed.bodies.pace, float(self.followed.theta[self.body]))

    @cached_property
    def told(self) -> tuple[Told, ...]:
        """The events, in order."""
        return tuple(self._told(each) for each in self.followed.happenings if each.body == self.body)

    def _told(self, each: Happening) -> Told:
        t = each.t * self.followed.bodies.pace
        return Told(
            each.kind, t, each.theta_from, each.theta_to, self._name(each.before), self._name(each.after)
        )

    def _name(self, touch: Touch | None) -> Named | None:
        if touch is None:
            return None
        bodies = self.followed.bodies
        which, number = bodies.obstacles.owner[touch.obstacle]
        return contact_name(touch.kind, touch.pawl, bodies.names[which], number)

    def angle_at(self, t: float) -> float:
        """The angle of its hinge at a time."""
        return float(self.timeline.angles(t)[self.body])

    def root_force_at(self, t: float) -> Floats:
        """The force of its own contacts, which its carriers hand on to the root."""
        found = self.timeline.at(t)
        return np.zeros(2) if found is None else self.timeline.force(*found, self.body)

    def contact_at(self, t: float) -> Named | None:
        """What it touches at a time, under force; one of them where there are several."""
        if t >= self.end.time * (1 - 1e-15):
            return self._first(self.followed.mode)
        found = self.timeline.at(t)
        return None if found is None else self._first(found[0].system.mode)

    def _first(self, mode: Sequence[Hold]) -> Named | None:
        return next((self._name(hold.touch) for hold in mode if hold.touch.body == self.body), None)

    @property
    def farthest(self) -> float:
        """The farthest that its hinge is turned from rest."""
        angles = [point[1 + self.body] for each in self.followed.stretches for point in each.points]
        return max((abs(float(angle) - self.rest) for angle in (*angles, self.end.theta)), default=0.0)

    def lines(self) -> list[tuple[Floats, Floats]]:
        """Times and angles, stretch by stretch."""
        pace = self.followed.bodies.pace
        return [
            (np.array([y[0] * pace for y in each.points]), np.array([y[1 + self.body] for y in each.points]))
            for each in self.followed.stretches
        ]

    def moments(self) -> Iterator[tuple[float, int]]:
        """Times to look at, those of events from both sides."""
        pace = self.followed.bodies.pace
        for stretch in self.followed.stretches:
            times = [stretch.since * pace, *(float(y[0]) * pace for y in stretch.points[1:])]
            yield from ((times[0], 1), (times[-1], -1))
            yield from ((t, 1) for t in times[1:-1])

    def over(self, moments: Moments) -> tuple[Floats, Floats]:
        """Angles and forces on the root at moments."""
        theta, force = np.zeros(len(moments[0])), np.zeros((len(moments[0]), 2))
        for k, (t, side) in enumerate(zip(*(each.tolist() for each in moments), strict=True)):
            theta[k] = self.timeline.angles(t, int(side))[self.body]
            found = self.timeline.at(t, int(side))
            if found is not None and t <= self.end.time:
                force[k] = self.timeline.force(*found, self.body)
        return theta, force

    @cached_property
    def peaks(self) -> Peaks:
        """Suprema of force and resistance over all sliding; 0 where it slid nowhere."""
        found = [self._peaks(each) for each in self.followed.stretches if self._first(each.system.mode)]
        if not found:
            return Peaks(0.0, 0.0)
        return Peaks(max(each.force for each in found), max(each.resist for each in found))

    def _peaks(self, stretch: Stretch) -> Peaks:
        forces = np.array([self.timeline.force(stretch, y, self.body) for y in stretch.points])
        is_bounded = np.isfinite(forces).all(axis=1)
        if not is_bounded.any():
            return Peaks(math.inf, math.inf)
        against = -forces @ self.followed.bodies.velocity
        peaks = [self._closer(stretch, np.hypot(*forces.T), False), self._closer(stretch, against, True)]
        if not is_bounded.all():
            grows = against[is_bounded][-1] > 0 if is_bounded[0] else against[is_bounded][0] > 0
            return Peaks(math.inf, math.inf if grows else peaks[1])
        return Peaks(*peaks)

    def _closer(self, stretch: Stretch, values: Floats, resists: bool) -> float:
        """The largest value, looked for between the places on both sides of the largest that is known."""
        best = int(np.nanargmax(values))
        low, high = stretch.points[max(best - 1, 0)][0], stretch.points[min(best + 1, len(values) - 1)][0]
        bodies = self.followed.bodies

        def value(times: Floats) -> Floats:
            at = [self.timeline.at(t * bodies.pace, -1) for t in times.tolist()]
            forces = np.array(
                [
                    self.timeline.force(*each, self.body)
                    if each and each[0] is stretch
                    else (math.nan, math.nan)
                    for each in at
                ]
            )
            return np.asarray(-forces @ bodies.velocity if resists else np.hypot(*forces.T))

        return max(float(values[best]), largest_between(value, low, high))

    def work(self, until: float) -> float:
        """What it costs to push the root against the whole tree, told of the first pawl: springs, snaps, friction."""
        return self._work(until) if self.body == 0 else 0.0

    def _work(self, until: float) -> float:
        bodies, total = self.followed.bodies, 0.0
        begun = [each for each in self.followed.stretches if each.since * bodies.pace < until]
        for stretch in begun:
            marks = list(_marks(stretch, until / bodies.pace))
            total += self._energy(marks[-1]) - self._energy(marks[0])
            total += sum(self._rubbed_away(stretch, low, high) for low, high in pairwise(marks))
        return total * bodies.stiffest

    def _energy(self, y: Floats) -> float:
        bodies = self.followed.bodies
        return float(bodies.k @ (y[1 : 1 + bodies.count] - bodies.rest) ** 2) / 2

    def _rubbed_away(self, stretch: Stretch, low: Floats, high: Floats) -> float:
        """What friction takes between two equilibria that are near each other."""
        system, bodies, total = stretch.system, self.followed.bodies, 0.0
        if not system.mu:
            return 0.0
        poses = [bodies.pose(float(y[0]), y[1 : 1 + bodies.count].tolist()) for y in (low, high)]
        forces = [system.limits(y) for y in (low, high)]
        for k, hold in enumerate(system.mode):
            if hold.slide:
                slid = [bodies.place(hold.touch, pose)[1] for pose in poses]
                press = (forces[0][k][0] + forces[1][k][0]) / 2
                total += system.mu * press * abs(slid[1] - slid[0]) if math.isfinite(press) else math.inf
        return total

    def rubbed(self) -> Iterator[Rubbed]:
        """What it slides and sticks on, in order."""
        found = [
            self._part(hold, stretch)
            for stretch in self.followed.stretches
            for hold in stretch.system.mode
            if hold.touch.body == self.body and len(stretch.points) > 1
        ]
        for _, same in groupby(found, key=lambda each: each[:2]):
            parts = list(same)
            yield parts[0]._replace(
                low=min(each.low for each in parts), high=max(each.high for each in parts)
            )
        last = next((hold for hold in self.followed.mode if hold.touch.body == self.body), None)
        if self.cause == "stick" and last is not None and self.followed.stretches:
            yield self._part(last, self.followed.stretches[-1])._replace(sticks=True)

    def _part(self, hold: Hold, stretch: Stretch) -> Rubbed:
        name = self._name(hold.touch)
        assert name is not None
        if hold.touch.kind == "A":
            return Rubbed(name["obstacle"], not hold.slide, 0.0, 0.0)
        bodies = self.followed.bodies
        poses = [bodies.pose(float(y[0]), y[1 : 1 + bodies.count].tolist()) for y in stretch.points]
        places = [bodies.place(hold.touch, pose)[1] for pose in poses]
        low, high = np.clip(np.array([min(places), max(places)]) / bodies.length(hold.touch), 0.0, 1.0)
        return Rubbed(name["obstacle"], not hold.slide, float(low), float(high))

    def to_json(self, samples: Sequence[float], digits: int) -> dict[str, Any]:
        """Plain data; in floating point there are no more digits than these."""
        del digits
        return motion_json(self, [each.to_json() for each in self.told], samples)


def _marks(stretch: Stretch, until: float) -> Iterator[Floats]:
    """Equilibria along a stretch up to a time, closer than it has them."""
    yield stretch.points[0]
    for low, high in pairwise(stretch.points):
        for share in np.linspace(0.0, 1.0, PARTS + 1)[1:]:
            t = min(float(low[0] + share * (high[0] - low[0])), until)
            found = stretch.system.at_time(low + share * (high - low), t) if t < high[0] else high
            if found is not None:
                yield found
        if high[0] >= until:
            return


def tree_motions(design: Design, pawl: Pawl, stop: float) -> dict[str, CarriedMotion]:
    """The motions of a pawl and of all that it carries, by name."""
    bodies = Bodies(design, pawl)
    start = np.array([_start(each) for each in bodies.pawls])
    followed = Follower(bodies, float(design.mu), stop / bodies.pace).run(start)
    timeline = Timeline(followed)
    return {each.name: CarriedMotion(each, body, timeline) for body, each in enumerate(bodies.pawls)}


def _start(pawl: Pawl) -> float:
    return starting_angle(pawl).angle if pawl.theta_init is None else float(pawl.theta_init)
