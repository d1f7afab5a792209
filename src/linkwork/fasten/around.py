"""In which directions a snap-fit comes apart: all around the circle, by critical directions and between them.

What is met first when all that moves is pulled along a line changes only at *critical directions*: where a vertex that
moves points at a vertex that stands, or the pull runs along an edge. These are computed from the drawing, and tried
themselves, so that a slot without clearance is found; between each two neighbours one more is tried, and as many
evenly as asked for. What happens after the first contact may change in between, so where neighbours end differently
the space between them is halved again, and where only their events differ it is looked at once more. Borders of what
comes apart are then closed in on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from linkwork.fasten.angle import moved, turned
from linkwork.fasten.design import Polygon, Vector
from linkwork.fasten.fastening import Fastening
from linkwork.fasten.placing import placed_pawls

DIRECTIONS = 120
"""Directions tried evenly all around."""
NARROWEST = 1e-6
"""Radians to which the border between directions that come apart and that do not is found."""
MOST_CRITICAL = 400
"""Critical directions up to which all of them are tried; a crowded design has only those along its edges tried."""
HALVINGS = 3
"""Of the space between neighbours that end differently."""
LOOKED = 0.5
"""The share of the directions in what is told of the progress; the rest is that of the borders."""
SHORT = 10**9
"""The largest denominator of a direction; angles of pawls are rarely rational, and longer numbers gain nothing."""

Story: TypeAlias = tuple[str, ...]
"""How a pull ends, and what happens on the way; only the end where that takes too long to be looked at closer."""
Pull: TypeAlias = Callable[[Vector, Fraction | None], Story]
"""What comes of pulling in a direction, with a friction (none: the design's)."""
APART = "end"
"""How a pull ends that is not ended by anything."""


@dataclass(frozen=True)
class Around:
    """All directions: those that come apart, as arcs of angles, and how finely it was looked."""

    tried: int
    """How many directions were tried evenly, besides critical ones and those between them."""
    spacing: float
    border: float
    critical: int
    """How many critical directions of the first contact were tried."""
    is_complete: bool
    """Whether these were all."""
    arcs: tuple[tuple[float, float], ...]
    arcs_without_friction: tuple[tuple[float, float], ...]
    closer: int = 0
    """Directions that were tried besides, where neighbours had ended differently or met other things."""
    stories: int = 0
    """How many sequences of events there are among all pulls with the design's friction."""

    def to_json(self) -> dict[str, Any]:
        """Plain data; angles in radians."""
        return {
            "directions_tried": self.tried,
            "spacing": self.spacing,
            "border_width": self.border,
            "critical_directions": self.critical,
            "all_critical": self.is_complete,
            "looked_closer": self.closer,
            "event_sequences": self.stories,
            "apart": [list(arc) for arc in self.arcs],
            "apart_without_friction": [list(arc) for arc in self.arcs_without_friction],
        }


def survey(
    found: Fastening,
    pull: Pull,
    count: int = DIRECTIONS,
    progress: Callable[[float], None] | None = None,
) -> Around:
    """Try directions all around, critical ones among them, then close in on where the answer changes."""
    critical, is_complete = critical_directions(found)
    marks = _all_marks(critical, count)
    frictions = [None] if found.design.mu == 0 else [None, Fraction(0)]
    arcs, circles = [], []
    for place, mu in enumerate(frictions):

        def told(part: float, place: int = place) -> None:
            if progress:
                progress((place + part) / len(frictions))

        circle = _Circle(pull, mu)
        circles.append(circle)
        for k, mark in enumerate(marks):
            circle.look(mark)
            told(LOOKED * (k + 1) / len(marks))
        arcs.append(circle.arcs(told))
        told(1.0)
    closer = sum(circle.closer for circle in circles)
    stories = len(set(circles[0].stories.values()))
    spacing = 2 * math.pi / count
    return Around(count, spacing, NARROWEST, len(critical), is_complete, arcs[0], arcs[-1], closer, stories)


def critical_directions(found: Fastening) -> tuple[list[Vector], bool]:
    """Directions at which what is met first may change, from where the parts ended; and whether these are all."""
    if any(pawl.pawls for pawl in found.design.pawls):
        return [], False  # a motion in numbers takes too long for so many
    moving = list(_ended_polygons(found))
    standing = [obstacle.poly for obstacle in found.design.obstacles]
    edges = [edge for polygon in (*moving, *standing) for edge in _edges(polygon)]
    along = [each for x, y in edges for each in ((x, y), (-x, -y))]
    mine = {corner for polygon in moving for corner in polygon}
    theirs = {corner for polygon in standing for corner in polygon}
    is_complete = len(mine) * len(theirs) + len(along) <= MOST_CRITICAL
    if is_complete:
        along += [(b[0] - a[0], b[1] - a[1]) for a in mine for b in theirs if a != b]
    return sorted({_shortened(each) for each in along}, key=angle_of), is_complete


def _ended_polygons(found: Fastening) -> Iterator[Polygon]:
    """All that moves where it ended; angles and the time as the fractions nearest to them."""
    design, t = found.design, Fraction(found.ending.at.time).limit_denominator(SHORT)
    place = (design.p0[0] + design.v[0] * t, design.p0[1] + design.v[1] * t)
    if design.root is not None:
        yield moved(design.root, place)
    angles = {name: motion.angle_at(found.ending.at.time) for name, motion in found.pawls.items()}
    for each in placed_pawls(design.pawls, angles):
        half_tan = Fraction(math.tan(each.angle / 2)).limit_denominator(SHORT)
        x, y = (Fraction(value).limit_denominator(SHORT) for value in (each.x, each.y))
        yield moved(moved(turned(each.pawl.poly, half_tan), (x, y)), place)


def _edges(polygon: Polygon) -> Iterator[Vector]:
    for (a, b), (c, d) in pairwise((*polygon, polygon[0])):
        yield c - a, d - b


def _shortened(direction: Vector) -> Vector:
    """The same direction, its larger entry 1 or -1, in short numbers."""
    size = max(abs(direction[0]), abs(direction[1]))
    x, y = ((value / size).limit_denominator(SHORT) for value in direction)
    return x, y


def angle_of(direction: Vector) -> float:
    """From 0 to a whole turn."""
    return math.atan2(float(direction[1]), float(direction[0])) % (2 * math.pi)


def on_circle(turn: Fraction) -> Vector:
    """A rational direction: the parameter runs from 0 to 4 once around."""
    quarter, part = divmod(turn % 4, 1)
    x, y = (1 - part * part) / (1 + part * part), 2 * part / (1 + part * part)
    for _ in range(int(quarter)):
        x, y = -y, x
    return x, y


def _towards(angle: float) -> Vector:
    """A rational direction near an angle."""
    quarter, part = divmod(angle % (2 * math.pi), math.pi / 2)
    return on_circle(int(quarter) + Fraction(math.tan(part / 2)).limit_denominator(SHORT))


def _all_marks(critical: Sequence[Vector], count: int) -> list[Vector]:
    """The critical directions, even ones, and one in each gap between critical ones that has none."""
    evenly = [on_circle(Fraction(4 * k, count)) for k in range(count)]
    taken = sorted(map(angle_of, evenly))
    gaps = []
    for low, high in pairwise(
        [*map(angle_of, critical), *(angle_of(each) + 2 * math.pi for each in critical[:1])]
    ):
        if high - low > NARROWEST and not any(low < each % (2 * math.pi) < high for each in taken):
            gaps.append(_towards((low + high) / 2))
    return [*critical, *evenly, *gaps]


class _Circle:
    """How pulling ends, by direction."""

    def __init__(self, pull: Pull, mu: Fraction | None) -> None:
        self.pull, self.mu = pull, mu
        self.stories: dict[float, Story] = {}
        self.closer = 0

    def look(self, direction: Vector) -> None:
        """See what comes of pulling in a direction."""
        angle = angle_of(direction)
        if angle not in self.stories:
            self.stories[angle] = self.pull(direction, self.mu)

    def arcs(self, told: Callable[[float], None]) -> tuple[tuple[float, float], ...]:
        """Pairs of an opening and the closing after it, once around."""
        for low, high in self._neighbours():
            self._look_between(low, high, HALVINGS)
        marks = sorted(self.stories)
        is_apart = {angle: self.stories[angle][0] == APART for angle in marks}
        if all(is_apart.values()):
            return ((0.0, 2 * math.pi),)
        changing = [
            (low, high) for low, high in self._neighbours() if is_apart[low] != is_apart[high % (2 * math.pi)]
        ]
        borders = []
        for k, (low, high) in enumerate(changing):
            borders.append((self._border(low, high), is_apart[high % (2 * math.pi)]))
            told(LOOKED + (1 - LOOKED) * (k + 1) / len(changing))
        openings = [k for k, (_, opens) in enumerate(borders) if opens]
        return tuple((borders[k][0], borders[(k + 1) % len(borders)][0]) for k in openings)

    def _neighbours(self) -> list[tuple[float, float]]:
        marks = sorted(self.stories)
        return [*pairwise(marks), (marks[-1], marks[0] + 2 * math.pi)]

    def _look_between(self, low: float, high: float, halvings: int) -> None:
        first, last = self.stories[low], self.stories.get(high % (2 * math.pi), self.stories[low])
        is_border = (first[0] == APART) != (last[0] == APART)
        if not halvings or first == last or is_border or high - low < NARROWEST:
            return
        if first[0] == last[0]:
            halvings = 1
        middle = _towards((low + high) / 2)
        self.look(middle)
        self.closer += 1
        between = angle_of(middle)
        if low < between < high:
            self._look_between(low, between, halvings - 1)
            self._look_between(between, high, halvings - 1)

    def _border(self, low: float, high: float) -> float:
        """Where the answer changes; at a critical direction, which alone may differ, if it changes beside it."""
        first = self.stories[low][0] == APART
        start, stop = low, high
        while high - low > NARROWEST:
            middle = (low + high) / 2
            is_same = (self.pull(_towards(middle), self.mu)[0] == APART) == first
            low, high = (middle, high) if is_same else (low, middle)
        if low == start or high == stop:
            return (start if low == start else stop) % (2 * math.pi)
        return (low + high) / 2 % (2 * math.pi)
