"""Loops from the strands that bound a region: followed, parted at corners they pass twice, and tidied."""

from __future__ import annotations

import cmath
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from linkwork.solid.region.columns import Columns, Places, Points, Truths


class Step(NamedTuple):
    """An edge of a loop that begins at ``tail``; ``turn`` is 0 for lines."""

    tail: complex
    head: complex
    centre: complex
    radius: float
    turn: float

    def joins(self, other: Step, tolerance: float) -> bool:
        """Whether both lie on one line or circle, and run the same way."""
        if self.turn != other.turn:
            return False
        if self.turn:
            return (
                abs(self.centre - other.centre) <= tolerance and abs(self.radius - other.radius) <= tolerance
            )
        way, onward = self.head - self.tail, other.head - self.tail
        straight = (way.conjugate() * (other.head - other.tail)).real > 0
        return straight and abs((onward.conjugate() * way).imag) <= tolerance * abs(onward)

    def direction(self, reach: float, backwards: bool) -> float:
        """The angle under which the edge leaves its tail (or head, backwards) within a reach."""
        if not self.turn:
            return cmath.phase(self.tail - self.head if backwards else self.head - self.tail)
        turn = -self.turn if backwards else self.turn
        tangent = 1j * turn * ((self.head if backwards else self.tail) - self.centre)
        return cmath.phase(tangent) + turn * math.asin(min(1.0, reach / (2 * self.radius)))

    @property
    def area(self) -> float:
        """Twice what the edge sweeps over, seen from the origin."""
        straight = (self.tail.conjugate() * self.head).imag
        if not self.turn:
            return straight
        angle = self.sweep
        return straight + self.turn * self.radius**2 * (angle - math.sin(angle))

    @property
    def sweep(self) -> float:
        swept = self.turn * cmath.phase((self.head - self.centre) * (self.tail - self.centre).conjugate())
        return swept if swept > 0 else swept + math.tau

    @property
    def length(self) -> float:
        return self.radius * self.sweep if self.turn else abs(self.head - self.tail)


Chain = list[Step]
"""A closed loop."""


def chains(
    tail: Places,
    head: Places,
    edge: Places,
    forth: Truths,
    nodes: Points,
    edges: Columns,
    tolerance: float,
) -> list[Chain]:
    """The loops of strands, which have the inside on their left; ``forth`` tells the way of their edge."""
    turn = np.where(forth, edges.turn[edge], -edges.turn[edge])
    steps = [
        Step(*row)
        for row in zip(
            nodes[tail].tolist(),
            nodes[head].tolist(),
            edges.centre[edge].tolist(),
            edges.radius[edge].tolist(),
            turn.tolist(),
            strict=True,
        )
    ]
    tails, heads = tail.tolist(), head.tolist()
    after = _successors(steps, tails, heads)
    found = []
    for walk in _walks(after):
        for loop in _parted(walk, tails):
            chain = _tidied([steps[place] for place in loop], tolerance)
            if abs(sum(step.area for step in chain)) > 2 * tolerance * sum(step.length for step in chain):
                found.append(chain)
    return found


def _successors(steps: Sequence[Step], tails: list[int], heads: list[int]) -> list[int]:
    """Which strand follows each: at corners that several leave, the next one clockwise from where it came.

    That one bounds the same piece of the inside.
    """
    leaving: dict[int, list[int]] = defaultdict(list)
    for place, node in enumerate(tails):
        leaving[node].append(place)
    after = [-1] * len(steps)
    crowded: dict[int, list[int]] = defaultdict(list)
    for place, node in enumerate(heads):
        if len(leaving[node]) == 1:
            after[place] = leaving[node][0]
        else:
            crowded[node].append(place)
    for node, arriving in crowded.items():
        around = [*arriving, *leaving[node]]
        reach = 0.5 * min(abs(steps[place].head - steps[place].tail) for place in around)
        out = [(steps[place].direction(reach, False), place) for place in leaving[node]]
        for place in arriving:
            back = steps[place].direction(reach, True)
            best = min(out, key=lambda way: ((back - way[0]) % math.tau, way[1]))
            after[place] = best[1]
            out.remove(best)
    return after


def _walks(after: list[int]) -> Iterator[list[int]]:
    """The cycles of a permutation."""
    seen = [False] * len(after)
    for start in range(len(after)):
        walk = []
        place = start
        while not seen[place]:
            seen[place] = True
            walk.append(place)
            place = after[place]
        if walk:
            yield walk


def _parted(walk: list[int], tails: list[int]) -> Iterator[list[int]]:
    """A walk in loops that pass every node once."""
    open_walk: list[int] = []
    position: dict[int, int] = {}
    for place in walk:
        node = tails[place]
        if node in position:
            loop = open_walk[position[node] :]
            del open_walk[position[node] :]
            for other in loop:
                del position[tails[other]]
            yield loop
        position[node] = len(open_walk)
        open_walk.append(place)
    yield open_walk


def _tidied(chain: Chain, tolerance: float) -> Chain:
    """The same loop with edges joined that continue each other, from its leftmost corner on."""
    corner = next((k for k in range(len(chain)) if not chain[k - 1].joins(chain[k], tolerance)), None)
    if corner is None:
        return _circle(chain) if chain[0].turn else []
    joined: Chain = []
    between: list[complex] = []
    for step in [*chain[corner:], *chain[:corner]]:
        last = joined[-1] if joined else None
        if last is not None and last.joins(step, tolerance) and _near(last, step, between, tolerance):
            between.append(last.head)
            joined[-1] = last._replace(head=step.head)
        else:
            between = []
            joined.append(step)
    start = min(range(len(joined)), key=lambda k: (joined[k].tail.real, joined[k].tail.imag))
    return joined[start:] + joined[:start]


def _near(last: Step, step: Step, between: list[complex], tolerance: float) -> bool:
    """Whether all corners between are near the line of both together."""
    if last.turn:
        return True
    way = step.head - last.tail
    return all(
        abs(((corner - last.tail).conjugate() * way).imag) <= tolerance * abs(way) for corner in between
    )


def _circle(chain: Chain) -> Chain:
    centre, radius, turn = chain[0].centre, chain[0].radius, chain[0].turn
    left, right = centre - radius, centre + radius
    return [Step(left, right, centre, radius, turn), Step(right, left, centre, radius, turn)]
