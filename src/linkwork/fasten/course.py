"""What happened to one pawl: its events, and the stretches of motion between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from linkwork.fasten.point import Point, compare_times
from linkwork.fasten.slices import Feature


@dataclass(frozen=True)
class Event:
    """Something at one time; a snap ends at another angle than it begins."""

    kind: str
    at: Point
    to: Point
    before: Feature | None
    after: Feature | None


@dataclass(frozen=True)
class Stretch:
    """Rest (no feature) or sliding on one constraint, upwards, level or downwards in the slice."""

    feature: Feature | None
    way: int
    start: Point
    end: Point

    @cached_property
    def lasts(self) -> bool:
        """Whether it takes any time."""
        return compare_times(self.start, self.end) != 0

    @property
    def slides(self) -> bool:
        """Whether there is a contact that moves along."""
        return self.feature is not None and self.lasts


@dataclass(frozen=True)
class Course:
    """One pawl's motion; ``cause`` is end, jam or stick."""

    events: tuple[Event, ...]
    stretches: tuple[Stretch, ...]
    cause: str
    end: Point
    contact: Feature | None
