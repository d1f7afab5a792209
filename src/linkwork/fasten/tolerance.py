"""What becomes of a snap-fit whose dimensions, friction and stiffness are only known within tolerances."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import repeat
from typing import Any

from linkwork.errors import LinkworkError
from linkwork.fasten.check import check
from linkwork.fasten.design import Design, Pawl, Polygon, Tolerances, Vector, changed_pawls, with_stiffness
from linkwork.fasten.fastening import fasten
from linkwork.fasten.history import history
from linkwork.fasten.lost import LOST, MotionLost
from linkwork.fasten.parallel import workers
from linkwork.fasten.uncertainty import Outcome, outcome_of
from linkwork.results import plain_document

GRAIN = 2**20
"""Deviations are whole parts of the tolerance divided by this, so that every sample is an exact design."""


@dataclass(frozen=True)
class Spread:
    """Outcomes of many samples: how many of each, and the largest resistance among them."""

    samples: int
    invalid: int
    outcomes: dict[Outcome, int]
    worst: dict[Outcome, float]

    @property
    def endings(self) -> dict[str, int]:
        """How many ended how, most first."""
        counts: Counter[str] = Counter()
        for outcome, count in self.outcomes.items():
            counts[outcome[0]] += count
        return dict(counts.most_common())

    def to_json(self) -> dict[str, Any]:
        """Plain data; ``error`` is the standard error of a share."""
        valid = max(self.samples - self.invalid, 1)
        figures = {
            "samples": self.samples,
            "invalid": self.invalid,
            "endings": {ending: count / valid for ending, count in self.endings.items()},
            "outcomes": [
                {
                    "ending": outcome[0],
                    "events": list(outcome[1:]),
                    "share": count / valid,
                    "error": math.sqrt(count / valid * (1 - count / valid) / valid),
                    "max_resist": self.worst[outcome],
                }
                for outcome, count in self.outcomes.items()
            ],
        }
        return plain_document(figures)


def spread(
    design: Design,
    tolerances: Tolerances,
    samples: int = 1000,
    seed: int = 0,
    processes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Spread:
    """Try ``samples`` designs within the tolerances, in parallel; the same seed gives the same answer."""
    counts: Counter[Outcome] = Counter()
    worst: dict[Outcome, float] = {}
    invalid = 0
    for k, (outcome, resist) in enumerate(_tried(design, tolerances, samples, seed, processes)):
        if progress:
            progress((k + 1) / samples)
        if outcome is None:
            invalid += 1
            continue
        counts[outcome] += 1
        worst[outcome] = max(worst.get(outcome, -math.inf), resist)
    return Spread(samples, invalid, dict(counts.most_common()), worst)


def _tried(
    design: Design, tolerances: Tolerances, samples: int, seed: int, count: int | None
) -> Iterable[tuple[Outcome | None, float]]:
    seeds = [hash((seed, k)) for k in range(samples)]
    if count == 1 or samples < 16:
        yield from map(_try, repeat(design), repeat(tolerances), seeds)
        return
    with workers(count) as pool:
        yield from pool.map(_try, repeat(design), repeat(tolerances), seeds, chunksize=8)


def _try(design: Design, tolerances: Tolerances, seed: int) -> tuple[Outcome | None, float]:
    sample = sampled(design, tolerances, random.Random(seed))
    try:
        check(sample)
    except LinkworkError:
        return None, 0.0
    try:
        found = fasten(sample)
    except MotionLost:
        return (LOST,), 0.0
    return outcome_of(found), history(found).peak


def sampled(design: Design, tolerances: Tolerances, chance: random.Random) -> Design:
    """One design within the tolerances, all deviations evenly distributed."""

    def off(width: Fraction) -> Fraction:
        return width * Fraction(chance.randint(-GRAIN, GRAIN), GRAIN)

    def moved(polygon: Polygon) -> Polygon:
        return tuple(_moved(point) for point in polygon)

    def _moved(point: Vector) -> Vector:
        return point[0] + off(tolerances.coordinates), point[1] + off(tolerances.coordinates)

    def made(pawl: Pawl) -> Pawl:
        stiffness = pawl.k * (1 + off(tolerances.k))
        return with_stiffness(replace(pawl, poly=moved(pawl.poly), hinge=_moved(pawl.hinge)), stiffness)

    return replace(
        design,
        obstacles=tuple(replace(each, poly=moved(each.poly)) for each in design.obstacles),
        pawls=changed_pawls(design.pawls, made),
        root=moved(design.root) if design.root else None,
        mu=max(design.mu + off(tolerances.mu), Fraction(0)),
    )
