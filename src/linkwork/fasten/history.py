"""Forces over the travel of a whole snap-fit: per pawl and in total, their peaks and the work they cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.fasten.force import Floats, largest_between
from linkwork.fasten.pawl_motion import Moments, PawlMotion
from linkwork.fasten.tree.motion import CarriedMotion
from linkwork.results import plain_document

if TYPE_CHECKING:
    from linkwork.fasten.fastening import Fastening


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
    work: float
    """Done against the pawls, to the end: what springs hold, friction heats and snaps lose."""

    @cached_property
    def total(self) -> Floats:
        """The force of all pawls on the root."""
        return np.asarray(sum((each.force for each in self.pawls.values()), np.zeros((len(self.t), 2))))

    def to_json(self) -> dict[str, Any]:
        """The figures of all pawls together."""
        return plain_document({"max_resist": self.peak, "work": self.work})


def history(found: Fastening) -> History:
    """Forces from the start to the ending."""
    last = found.ending.at.time
    speed = math.hypot(*map(float, found.design.v))
    moments = _moments(found, last)
    pawls = {name: _pawl_forces(motion, moments) for name, motion in found.pawls.items()}
    t = moments[0]
    resist = _resist(found, pawls, len(t))
    work = sum(motion.work(last) for motion in found.pawls.values())
    return History(t, t * speed, pawls, resist, _peak(found, moments, resist), float(work))


def _resist(found: Fastening, pawls: Mapping[str, PawlForces], count: int) -> Floats:
    """The part of the force of all pawls that is against the motion, at so many moments."""
    total = sum((each.force for each in pawls.values()), np.zeros((count, 2)))
    velocity = np.array([float(value) for value in found.design.v])
    with np.errstate(invalid="ignore"):
        return np.asarray(-total @ velocity / np.hypot(*velocity))


def _moments(found: Fastening, last: float) -> Moments:
    """Times to look at; one at which a stretch ends is there twice, from before (-1) and after (1)."""
    moments = {(0.0, 1), (last, -1)}
    for motion in found.pawls.values():
        moments.update(motion.moments())
    ordered = np.array(sorted(moment for moment in moments if moment[0] <= last))
    return ordered[:, 0], ordered[:, 1]


def _pawl_forces(motion: PawlMotion | CarriedMotion, moments: Moments) -> PawlForces:
    theta, force = motion.over(moments)
    return PawlForces(theta, float(motion.pawl.k) * (theta - motion.rest), force)


def _peak(found: Fastening, moments: Moments, resist: Floats) -> float:
    """A lone pawl's peak is known closely; several are looked at where they add up, closer beside the largest."""
    ending = found.ending
    if ending.cause in ("jam", "stick"):
        return math.inf
    peaks = [motion.peaks.resist for motion in found.pawls.values()]
    if len(peaks) == 1:
        return peaks[0]
    if any(math.isinf(peak) and peak > 0 for peak in peaks):
        return math.inf
    bounded = np.where(np.isfinite(resist), resist, -math.inf)
    if not len(bounded) or bounded.max() <= 0.0:
        return 0.0
    best = int(np.argmax(bounded))
    low, high = (float(moments[0][k]) for k in (max(best - 1, 0), min(best + 1, len(bounded) - 1)))

    def value(times: Floats) -> Floats:
        # An event has two sides: it is seen from between the places.
        sides = np.where(times >= high, -1.0, 1.0)
        pawls = {name: _pawl_forces(motion, (times, sides)) for name, motion in found.pawls.items()}
        return _resist(found, pawls, len(times))

    return max(float(bounded[best]), largest_between(value, low, high))
