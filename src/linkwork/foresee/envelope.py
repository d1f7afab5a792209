"""The slow motion of a pattern itself: its change from repetition to repetition, between nodes and behind them.

Let z(n) be time and state at the end of repetition n. A node is a place at which a few repetitions were simulated;
there the slope dz/dn is known: in the middle of a repetition, z(n) - z(n-1). What leads is foretold by the integral of
a polynomial through slopes. What is led (the swing of a balance by the spring that drives it) comes back within a
repetition to where it belongs, wherever it was set going; it is foretold by a polynomial through places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final

import numpy as np

from linkwork.foresee.marks import Impacts
from linkwork.foresee.slow_axis import SlowAxis
from linkwork.kinematics.arrays import Matrix

ORDER: Final = 5
"""Nodes that a polynomial goes through."""
ENOUGH: Final = 3
"""Nodes whose places alone tell what is led: with fewer the first slope helps, in which it may still come back."""
LEAST_GAP: Final = 0.5
"""Of the way to a number that is foretold: how far apart nodes have to be."""
MOST_LOOKED_AT: Final = 40
"""Nodes among which those are chosen."""
NO_IMPACTS: Final = Impacts({}, {})
GAUSS: Final = 16
"""Places at which a polynomial is summed up between two numbers."""
MOST_AHEAD: Final = 2
"""Of them, those whose times are not known yet."""


@dataclass(frozen=True, eq=False)
class Node:
    """Where a pattern was simulated: the number of the repetition, time and state at its end, and how they change."""

    number: float
    place: Matrix
    slope: Matrix
    """In the middle of the repetition that ends here."""
    low: Matrix
    high: Matrix
    """The range of each variable in the repetition."""
    deviation: float = 0.0
    """How far the simulation was from what had been foretold, by the ranges, at most."""
    time_off: float = 0.0
    """By how much the times of all nodes up to this one were corrected."""
    strayed: Matrix = field(default_factory=lambda: np.zeros(1))
    """By how much all leaps up to this node were off in each variable, by its range, since it was last led: what may
    have added up."""
    missed: Matrix = field(default_factory=lambda: np.zeros(1))
    """By how much the leap to this node was off in each variable that is led, by its range: between the nodes it is
    foretold as well."""
    impacts: Impacts = NO_IMPACTS
    """What struck what in the repetition: where this is another, its inner course is another."""
    led: Matrix = field(default_factory=lambda: np.zeros(0, bool))
    """Which variables were led by others when the leap to this node was tested."""
    settled: Matrix = field(default_factory=lambda: np.zeros(0, bool))
    """Which variables came back to themselves in each repetition of that leap."""
    regime: int = 0
    """How often before the pattern changed by a leap: no polynomial goes through nodes of two regimes."""
    is_disturbed: bool = False
    """Whether something superimposed is going on: no polynomial goes through it."""

    @property
    def state_off(self) -> float:
        """What may have added up in the variable that is farthest off."""
        return float(np.max(self.strayed, initial=0.0))

    @property
    def spread(self) -> Matrix:
        """How large the ranges are."""
        return self.high - self.low

    @property
    def time(self) -> float:
        """When the repetition ends."""
        return float(self.place[0])

    @property
    def duration(self) -> float:
        """How long the repetition lasted."""
        return float(self.slope[0])


@dataclass(frozen=True, eq=False)
class Window:
    """Repetitions in which something superimposed goes on, again and again, and how late it makes those behind."""

    first: float
    length: float
    period: float
    delays: Matrix = field(default_factory=lambda: np.zeros(1))
    """By each occurrence from the first one on; those behind the last delay as that one does."""

    def delayed(self, number: float) -> float:
        """How late a repetition is by all windows from the first one on."""
        since = number - self.first
        if since <= 0:
            return 0.0
        whole, inside = divmod(since, self.period)
        known = min(int(whole), len(self.delays))
        now = float(self.delays[min(int(whole), len(self.delays) - 1)])
        return float(self._sums[known]) + now * (whole - known + min(inside / self.length, 1.0))

    @cached_property
    def _sums(self) -> Matrix:
        return np.concatenate([[0.0], np.cumsum(self.delays)])

    def begin(self, index: int) -> float:
        """Where an occurrence may begin, counted from the first one on."""
        return self.first + index * self.period


@dataclass
class Envelope:
    """Nodes in order, and between and behind them a polynomial through places and slopes."""

    nodes: list[Node] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)
    """What is superimposed and periodic."""
    ahead: list[Node] = field(default_factory=list)
    """Nodes whose states are as they belong and whose times are not yet known well enough, the nearest last."""
    led: Matrix = field(default_factory=lambda: np.zeros(0, bool))
    """Which variables go back to where they belong within a repetition: the others lead them, so that their places
    tell more than their slopes."""
    still: Matrix = field(default_factory=lambda: np.zeros(0, bool))
    """Which variables stand still in the pattern, but for what is superimposed: a polynomial would tell of their
    trembling, and set a clapper going inside what it lies on."""
    settled: Matrix = field(default_factory=lambda: np.zeros(0, bool))
    """Which variables have come to where they come back to in each repetition."""
    teeth: Matrix = field(default_factory=lambda: np.zeros(0))
    """By what wheels advance in a cycle, by their teeth; 0 of what is told otherwise."""
    step: float | None = None
    """How long each repetition lasts, where what drives the machine tells that."""
    axis: SlowAxis = field(default_factory=SlowAxis)
    """In which the slow motion is smooth."""

    def place(self, number: float) -> Matrix:
        """Time and state at the end of a repetition between the nodes, or behind the last."""
        numbers = [node.number for node in self.nodes]
        if number >= numbers[-1] or len(numbers) == 1:
            return self.foretold(number)
        right = min(max(int(np.searchsorted(numbers, number)), 1), len(numbers) - 1)
        a, b = self.nodes[right - 1], self.nodes[right]
        near = [*spaced(self.nodes[:right], b.number), b]  # as those by which the leap was tested
        if a.regime != b.regime or a.is_disturbed or b.is_disturbed:
            near = [a, b]
        share = (number - a.number) / (b.number - a.number)
        found: Matrix = self.integrated(near, a, number) + share * (
            b.place - self.integrated(near, a, b.number)
        )
        led = np.flatnonzero(b.led)
        found[1:][led] = through_places(near, number, self.axis)[led]
        settled = np.flatnonzero(b.settled)
        found[1:][settled] = a.place[1:][settled]
        if not (a.is_disturbed or b.is_disturbed):
            found[1:][self.still] = a.place[1:][self.still]
        return found

    def foretold(self, number: float) -> Matrix:
        """Time and state behind the last node, by the last ones and those that are known ahead."""
        last, near = self.nodes[-1], self.near(number)
        place = self.integrated(near, last, number)
        place[1:][self.led] = through_places(near, number, self.axis)[self.led]
        place[1:][self.settled] = last.place[1:][self.settled]
        place[1:][self.still] = last.place[1:][self.still]
        return place

    def integrated(self, nodes: Sequence[Node], begin: Node, number: float) -> Matrix:
        """The place at a number, by the slopes of nodes and by what delays the repetitions since a node."""
        place = integrated(nodes, begin, number, self.axis)
        place[0] += self.delay(begin.number, number)
        if self.step is not None:
            place[0] = begin.time + self.step * (number - begin.number)
        by_teeth = np.flatnonzero(self.teeth)
        place[1:][by_teeth] = begin.place[1:][by_teeth] + self.teeth[by_teeth] * (number - begin.number)
        return place

    def delay(self, begin: float, end: float) -> float:
        """How much later the second of two repetitions is by what is superimposed."""
        return sum(window.delayed(end) - window.delayed(begin) for window in self.windows)

    def near(self, number: float) -> list[Node]:
        """The nodes by which to foretell a number."""
        ahead = self.ahead[: -MOST_AHEAD - 1 : -1]
        return [*spaced(self.nodes, number, ORDER - len(ahead)), *ahead]

    def number_at(self, time: float) -> float:
        """The repetition that ends at a time, as a number with a fraction."""
        low, high = self.nodes[0].number, self.nodes[-1].number
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.place(middle)[0] < time else (low, middle)
        return low


def spaced(nodes: Sequence[Node], number: float, most: int = ORDER) -> list[Node]:
    """The last nodes of the last regime, not nearer to each other than what a polynomial tells of a number ahead.

    Through nodes that are much nearer to each other than to the number, it would tell of their errors.
    """
    last = nodes[-1]
    own = [
        node
        for node in nodes[-MOST_LOOKED_AT:]
        if node.regime == last.regime and (node is last or not node.is_disturbed)
    ]
    gap = min((number - last.number) * LEAST_GAP, (last.number - own[0].number) / most)
    chosen = [last]
    for node in reversed(own[:-1]):
        if len(chosen) < most and chosen[-1].number - node.number >= gap:
            chosen.append(node)
    return chosen[::-1]


def integrated(nodes: Sequence[Node], begin: Node, number: float, axis: SlowAxis) -> Matrix:
    """The place at a number, from that at a node and the polynomial through the slopes of nodes."""
    way = number - begin.number
    points, weights = _quadrature()
    inside = axis.along(begin.number, begin.number + way * points)
    slopes = _through(
        axis.along(begin.number, np.array([node.number - 0.5 for node in nodes])),
        np.array([node.slope for node in nodes]),
        inside,
    )
    found: Matrix = begin.place + way * (weights @ slopes)
    return found


@cache
def _quadrature() -> tuple[Matrix, Matrix]:
    """Gauss's places between 0 and 1 and their weights."""
    points, weights = np.polynomial.legendre.leggauss(GAUSS)
    return (points + 1) / 2, weights / 2


def _through(at: Matrix, values: Matrix, asked: Matrix) -> Matrix:
    """What the polynomial through some values is elsewhere."""
    scale = max(float(np.max(np.abs(at))), float(np.max(np.abs(asked))), 1.0)
    weights = np.linalg.solve(np.vander(at / scale, increasing=True), values)
    found: Matrix = np.vander(asked / scale, len(at), increasing=True) @ weights
    return found


def through_places(nodes: Sequence[Node], number: float, axis: SlowAxis) -> Matrix:
    """The state at a number, by the polynomial through the states of nodes; of few ones also the first slope."""
    centre, numbers = nodes[-1].number, np.array([node.number for node in nodes])
    at, first, asked = (axis.along(centre, each) for each in (numbers, nodes[0].number - 0.5, number))
    scale = max(abs(float(asked)), abs(float(at[0])), 1.0)
    is_short = len(nodes) < ENOUGH
    powers = np.arange(len(nodes) + is_short)
    rows = [*((at / scale)[:, None] ** powers)]
    values = [node.place[1:] for node in nodes]
    if is_short:
        stretched = float(axis.stretch(centre, nodes[0].number - 0.5))
        rows.append(np.concatenate([[0.0], powers[1:] * (first / scale) ** powers[:-1]]))
        values.append(scale / stretched * nodes[0].slope[1:])
    weights = np.linalg.solve(np.array(rows), np.array(values))
    found: Matrix = (asked / scale) ** powers @ weights
    return found
