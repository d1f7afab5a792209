"""The slow motion of a pattern itself: its change from repetition to repetition, followed over many of them.

Let z(n) be time and state at the end of repetition n. A node is a place at which a few repetitions were simulated; there
the slope dz/dn is known: in the middle of a repetition, z(n) - z(n-1). From the slopes of the last nodes a polynomial
foretells z far ahead; the simulation is set going there, its first repetitions let what is not slow die away, and the
next give the new node. The difference between where the simulation then is and where all slopes together say it is, is
the error: if it is too large, the leap was too long. So leaps follow what changes, and each of them is tested by a
restart of the simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from linkwork.foresee.course import Course
from linkwork.foresee.marks import Follower, Halt, Mark, couples_of
from linkwork.foresee.pattern import Pattern
from linkwork.kinematics.arrays import Matrix

TOLERANCE: Final = 5e-3
"""Of the range of a variable inside a pattern (of its duration, for the time of one): the error of a leap."""
RELAXING: Final = 1
"""Repetitions after a leap in which what is not slow dies away."""
LONGEST: Final = 10.0
"""By how much a leap may be longer than the one before."""
ENERGY_LEFT: Final = 0.2
"""Of the energy: a leap may leave no less."""
ROWS_A_MARK: Final = 60
ORDER: Final = 4
"""Of the polynomial through slopes."""
OTHER_DURATION, OTHER_CHANGE = 0.25, 0.1
"""Of the duration, and of the range of a variable: a repetition that differs by more is another pattern."""
MOST_AT_THE_END: Final = 1000


@dataclass(frozen=True, eq=False)
class Node:
    """Where a pattern was simulated: the number of the repetition, time and state at its end, and how they change."""

    number: float
    place: Matrix
    slope: Matrix
    """In the middle of the repetition that ends here."""
    spread: Matrix
    energy: float
    deviation: float = 0.0
    """How far the simulation was from what had been foretold, in shares of the ranges."""

    @property
    def time(self) -> float:
        """When the repetition ends."""
        return float(self.place[0])

    @property
    def duration(self) -> float:
        """How long the repetition lasted."""
        return float(self.slope[0])


@dataclass
class Envelope:
    """Nodes in order, and between and behind them a polynomial through places and slopes."""

    nodes: list[Node] = field(default_factory=list)
    delay: float = 0.0
    """What else, besides the repetitions themselves, takes time from one to the next on the average."""

    def place(self, number: float) -> Matrix:
        """Time and state at the end of a repetition between the nodes, or behind the last."""
        numbers = [node.number for node in self.nodes]
        if number >= numbers[-1] or len(numbers) == 1:
            return self.foretold(number)
        right = min(max(int(np.searchsorted(numbers, number)), 1), len(numbers) - 1)
        a, b = self.nodes[right - 1], self.nodes[right]
        near = self.nodes[max(right - ORDER // 2 - 1, 0) : right + ORDER // 2 + 1]
        share = (number - a.number) / (b.number - a.number)
        found: Matrix = integrated(near, a, number) + share * (b.place - integrated(near, a, b.number))
        return found

    def foretold(self, number: float) -> Matrix:
        """Time and state behind the last node, by the slopes of the last ones."""
        last = self.nodes[-1]
        place = integrated(self.nodes[-ORDER:], last, number)
        place[0] += self.delay * (number - last.number)
        return place

    def number_at(self, time: float) -> float:
        """The repetition that ends at a time, as a number with a fraction."""
        low, high = self.nodes[0].number, self.nodes[-1].number
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.place(middle)[0] < time else (low, middle)
        return low


def integrated(nodes: Sequence[Node], begin: Node, number: float) -> Matrix:
    """The place at a number, from that at a node and the polynomial through the slopes of nodes."""
    centre, scale = begin.number, max(abs(number - begin.number), 1.0)
    at = np.array([(node.number - 0.5 - centre) / scale for node in nodes])
    weights = np.linalg.solve(np.vander(at, increasing=True), np.array([node.slope for node in nodes]))
    end = (number - centre) / scale
    areas = np.array([end ** (k + 1) / (k + 1) for k in range(len(nodes))])
    found: Matrix = begin.place + scale * (areas @ weights)
    return found


@dataclass(frozen=True, eq=False)
class Repeated:
    """Repetitions of a pattern that were simulated, and how it went where there are no more of them."""

    places: list[Matrix]
    marks: list[Mark]
    halt: Halt | None = None


class Following:
    """Follows a pattern from its first repetitions as far as it lasts."""

    def __init__(self, course: Course, pattern: Pattern, marks: Sequence[Mark], floor: Matrix) -> None:
        self.course = course
        self.pattern = pattern
        self.floor = floor
        self.allowed: frozenset[int] = frozenset()
        """Couples that may meet besides those of the pattern."""
        self.windows: list[tuple[float, float, float]] = []
        """Where not to land: first, length and period of what is superimposed, in repetitions."""
        places = [np.array([mark.time, *mark.state]) for mark in marks[-1 :: -pattern.marks]][:2][::-1]
        node = Node(0.0, places[-1], places[-1] - places[-2], pattern.spread, marks[-1].energy)
        self.envelope = Envelope([node])

    @property
    def last(self) -> Node:
        """The last node."""
        return self.envelope.nodes[-1]

    def go_on_from(self, number: float, before: Matrix, place: Matrix, energy: float) -> None:
        """A new node by what was simulated otherwise: the places at the ends of two repetitions."""
        self.envelope.nodes.append(Node(number, place, place - before, self.last.spread, energy))

    def run(self, most: float, until: float) -> Repeated | None:
        """Leap and simulate until a number of repetitions or a time, or until the pattern does not hold: then how."""
        leap = 2.0 * (RELAXING + 1)
        nodes = self.envelope.nodes
        while nodes[-1].number + RELAXING + 2 <= most and nodes[-1].time < until:
            last = nodes[-1]
            rest = min(most - last.number, (until - last.time) / last.duration + RELAXING + 2)
            leap = float(int(max(min(leap, self._energy_leap(), rest - RELAXING - 1), 1.0)))
            found = self._leap(leap)
            if isinstance(found, Repeated):
                if leap <= RELAXING + 1:
                    return self._end()
                leap /= 3
                continue
            order = min(len(nodes), ORDER) + 1
            factor = min(0.9 * (TOLERANCE / max(found.deviation, 1e-12)) ** (1 / order), LONGEST)
            if found.deviation > TOLERANCE and leap > RELAXING + 1:
                leap *= max(factor, 0.2)
                continue
            nodes.append(found)
            leap = (found.number - last.number) * max(factor, 0.5)
        return None

    def _energy_leap(self) -> float:
        """A leap after which a share of the energy is left, if energy is lost steadily."""
        nodes = self.envelope.nodes
        last, before = nodes[-1], nodes[max(len(nodes) - 2, 0)]
        if last.energy <= 0 or last.energy >= before.energy:
            return np.inf
        loss = (before.energy - last.energy) / (last.number - before.number)
        return (1 - ENERGY_LEFT) * last.energy / loss

    def _landing(self, number: float) -> float:
        """The first number from one on at which nothing superimposed is going on."""
        for _ in range(100):
            steps = [
                first + length - (number - first) % period - first
                for first, length, period in self.windows
                if (number + RELAXING + 1 - first) % period <= length + RELAXING + 1
            ]
            if not steps:
                break
            number += float(np.ceil(max(1.0, *steps)))
        return number

    def _leap(self, leap: float) -> Node | Repeated:
        """The node after a leap, or how the pattern did not hold there."""
        last = self.last
        landing = self._landing(last.number + leap)
        slope = self.envelope.foretold(landing + 0.5) - self.envelope.foretold(landing - 0.5)
        ran = self.repeat(self.envelope.foretold(landing), RELAXING + 1, slope)
        if ran.halt is not None:
            return ran
        inside = ran.marks[-self.pattern.marks :]
        spread = np.max([mark.high for mark in inside], axis=0) - np.min(
            [mark.low for mark in inside], axis=0
        )
        node = Node(
            landing + RELAXING + 1,
            ran.places[-1].copy(),
            ran.places[-1] - ran.places[-2],
            spread,
            ran.marks[-1].energy,
        )
        exact = integrated([*self.envelope.nodes[-ORDER:], node], last, node.number)
        exact[0] += self.envelope.delay * (node.number - last.number)
        scale = np.concatenate([[node.duration], np.maximum(spread, self.floor)])
        deviation = float(np.max(np.abs(exact - node.place) / scale))
        node.place[0] = exact[0]
        return replace(node, deviation=deviation)

    def _end(self) -> Repeated:
        """Simulate from the last node until the pattern no longer holds."""
        return self.repeat(self.last.place, MOST_AT_THE_END, self.last.slope)

    def repeat(self, place: Matrix, count: int, slope: Matrix) -> Repeated:
        """Simulate so many repetitions from a time and a state, as long as they are those of the pattern."""
        pattern, duration = self.pattern, float(slope[0])
        follower = self.follower(place, duration)
        places, marks = [place], []
        patience = float(place[0]) + (count + 3) * 2 * duration
        for mark in follower.chosen(patience, pattern.only_low):
            marks.append(mark)
            if len(marks) % pattern.marks:
                continue
            places.append(np.array([mark.time, *mark.state]))
            why = self._differs(marks[-pattern.marks :], places[-1] - places[-2], slope)
            if why:
                halt = Halt(mark.time, mark.state, "other", why)
                return Repeated(places[:-1], marks, halt)
            slope = places[-1] - places[-2]
            if len(places) == count + 1:
                return Repeated(places, marks)
        return Repeated(places, marks, follower.halt)

    def follower(self, place: Matrix, duration: float) -> Follower:
        """The simulation from a time and a state on, with rows that do not miss a mark."""
        spacing = duration / self.pattern.marks / ROWS_A_MARK
        return Follower(self.course, float(place[0]), place[1:], spacing, ROWS_A_MARK // 2)

    def _differs(self, marks: Sequence[Mark], change: Matrix, slope: Matrix) -> str:
        """Why a repetition is not one of the pattern; empty where it is."""
        couples = couples_of(marks)
        if couples - self.pattern.couples - self.allowed:
            return "parts met that do not meet in the pattern"
        if self.pattern.couples - couples:
            return "parts did not meet that meet in the pattern"
        if abs(change[0] - slope[0]) > OTHER_DURATION * slope[0]:
            return f"a repetition lasted {change[0]:.6g} instead of {slope[0]:.6g}"
        spread = np.maximum(self.last.spread, self.floor)
        if np.any(np.abs(change[1:] - slope[1:]) > OTHER_CHANGE * spread):
            return "a repetition changed the state otherwise"
        return ""
