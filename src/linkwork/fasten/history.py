"""Forces over the travel of a whole snap-fit: per pawl and in total, their peaks and the work they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.fasten.course import Stretch
from linkwork.fasten.fastening import Fastening, PawlMotion
from linkwork.fasten.force import Floats, motion_at
from linkwork.fasten.point import compare_times

LOOKS = 33
"""Moments looked at in every stretch."""


@dataclass(frozen=True)
class PawlForces:
    """One pawl over the moments of a history: angle, spring torque, force on the root (x, y)."""

    theta: Floats
    torque: Floats
    force: Floats


@dataclass(frozen=True)
class History:
    """Forces at moments ``t``, the events' both sides included; ``travel`` is the root's way so far."""

    t: Floats
    travel: Floats
    pawls: dict[str, PawlForces]
    resist: Floats
    """The part of the total force on the root that is against its motion."""
    peak: float
    """Its supremum; infinite where a pawl sticks, jams or presses without bound."""

    @cached_property
    def total(self) -> Floats:
        """The force of all pawls on the root."""
        return np.asarray(sum((each.force for each in self.pawls.values()), np.zeros((len(self.t), 2))))

    @property
    def work(self) -> float:
        """Work done against the pawls, to the end: friction's heat, what snaps lose and what springs hold."""
        finite = np.where(np.isfinite(self.resist), self.resist, 0.0)
        return float(np.trapezoid(finite, self.travel))


def history(found: Fastening) -> History:
    """Forces from the start to the ending."""
    last = float(found.ending.at.time_ball().mid())
    speed = math.hypot(*map(float, found.design.v))
    moments = _moments(found, last)
    pawls = {name: _pawl_forces(motion, moments) for name, motion in found.pawls.items()}
    t = np.array([moment for moment, _ in moments])
    total = sum((each.force for each in pawls.values()), np.zeros((len(t), 2)))
    velocity = np.array([float(value) for value in found.design.v])
    with np.errstate(invalid="ignore"):
        resist = -total @ velocity / speed
    return History(t, t * speed, pawls, resist, _peak(found, resist))


def _moments(found: Fastening, last: float) -> list[tuple[float, int]]:
    """Times to look at; a time at which a stretch ends is there twice, from before (-1) and after (1)."""
    moments = {(0.0, 1), (last, -1)}
    for motion in found.pawls.values():
        for stretch in motion.course.stretches:
            if not _lasts(stretch):
                continue
            times, _ = motion_at(stretch, motion.piece, np.linspace(0.0, 1.0, LOOKS))
            moments.add((float(times[0]), 1))
            moments.add((float(times[-1]), -1))
            moments.update((float(t), 1) for t in times[1:-1])
    return sorted(moment for moment in moments if moment[0] <= last)


def _lasts(stretch: Stretch) -> bool:
    return compare_times(stretch.start, stretch.end) != 0


def _pawl_forces(motion: PawlMotion, moments: list[tuple[float, int]]) -> PawlForces:
    theta = np.full(len(moments), motion.rest)
    force = np.zeros((len(moments), 2))
    spans = [
        (float(each.start.time_ball().mid()), float(each.end.time_ball().mid()), each)
        for each in motion.course.stretches
        if _lasts(each)
    ]
    place = 0
    for k, (t, side) in enumerate(moments):
        while place + 1 < len(spans) and (t > spans[place][1] or (t == spans[place][1] and side > 0)):
            place += 1
        if not spans:
            theta[k] = motion.course.end.theta
            continue
        stretch = spans[place][2]
        theta[k] = motion.angle_on(stretch, t)
        if stretch.feature is not None:
            force[k] = motion.force_on(stretch).at(np.array(t), theta[k])
    return PawlForces(theta, float(motion.pawl.k) * (theta - motion.rest), force)


def _peak(found: Fastening, resist: Floats) -> float:
    """A lone pawl's peak is known closely; several are looked at where they add up."""
    ending = found.ending
    if ending.cause in ("jam", "stick"):
        return math.inf
    peaks = [motion.peaks.resist for motion in found.pawls.values()]
    if len(peaks) == 1:
        return peaks[0]
    if any(math.isinf(peak) and peak > 0 for peak in peaks):
        return math.inf
    return float(np.nanmax(np.where(np.isfinite(resist), resist, np.nan), initial=0.0))
