"""How often regions wind around points, by rays to infinity that count the edges they meet.

Edges are cut where they turn back, into *runs* that only rise or only fall, and only go right or only go
left. A ray upwards from p meets a run if p lies below it and its x within the run's, the left end counted
and the right end not. As the runs of a closed loop share their ends to the bit, rays through corners count
rightly. Whether p lies below an arc is a question of its distance from the centre: no root is taken, and
nothing is lost where the arc is steep.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkwork.solid.region.columns import Boxes, Columns, Numbers, Places, Points, Truths, cross
from linkwork.solid.region.pairs import ranges


class Runs(NamedTuple):
    """Monotone pieces of edges. ``upper``: of which half of its circle it is a piece; ``edge``: of which edge."""

    tail: Points
    head: Points
    centre: Points
    radius: Numbers
    upper: Truths
    right: Truths
    edge: Places

    @property
    def boxes(self) -> Boxes:
        return Boxes(
            np.minimum(self.tail.real, self.head.real),
            np.maximum(self.tail.real, self.head.real),
            np.minimum(self.tail.imag, self.head.imag),
            np.maximum(self.tail.imag, self.head.imag),
        )

    def swapped(self) -> Runs:
        """The mirror image in which x and y have changed places, run backwards: windings stay."""
        return Runs(
            swapped(self.head),
            swapped(self.tail),
            swapped(self.centre),
            self.radius,
            self.right,
            self.upper,
            self.edge,
        )


def swapped(points: Points) -> Points:
    """Points with x and y exchanged."""
    return points.imag + 1j * points.real


def runs_of(edges: Columns) -> Runs:
    """The edges cut at the four extreme points of their circles."""
    quarter = math.pi / 2
    first = edges.first_angle
    low = np.minimum(first, first + edges.sweep) / quarter
    high = np.maximum(first, first + edges.sweep) / quarter
    close = 1e-12
    begin, stop = np.floor(low + close).astype(int) + 1, np.ceil(high - close).astype(int)
    line = edges.turn == 0
    inner = np.where(line, 0, (stop - begin).clip(0))
    owner, part = ranges(np.zeros(len(edges), int), inner + 1)
    # In the direction of travel the extreme points come upwards or downwards.
    back = edges.turn[owner] < 0
    before = np.where(back, stop[owner] - part, begin[owner] + part - 1)
    after = np.where(back, before - 1, before + 1)
    centre, radius = edges.centre[owner], edges.radius[owner]
    tail = np.where(part == 0, edges.start[owner], centre + radius * _POWERS[before % 4])
    head = np.where(part == inner[owner], edges.end[owner], centre + radius * _POWERS[after % 4])
    middle = quarter * np.where(back, before - 0.5, before + 0.5)
    return Runs(tail, head, centre, radius, np.sin(middle) > 0, np.cos(middle) > 0, owner)


_POWERS = np.array([1, 1j, -1, -1j])
"""The extreme points of the unit circle."""


class Meetings(NamedTuple):
    """Runs that rays meet: of which point, which run, and by how much the winding rises behind it."""

    point: Places
    run: Places
    rise: Places


def met_above(runs: Runs, points: Points) -> Meetings:
    """The runs above points. (Behind a run that goes left lies the inside of an anticlockwise loop.)"""
    boxes = runs.boxes
    order = np.argsort(points.real, kind="stable")
    across = points.real[order]
    k, rank = ranges(
        np.searchsorted(across, boxes.left, "left"), np.searchsorted(across, boxes.right, "left")
    )
    i = order[rank]
    within = points.imag[i] <= boxes.top[k]
    i, k = i[within], k[within]
    point, tail, head = points[i], runs.tail[k], runs.head[k]
    goes_left = head.real < tail.real
    beside = cross(head - tail, point - tail)
    below_line = np.where(goes_left, beside > 0, beside < 0)
    below_arc = (np.abs(point - runs.centre[k]) < runs.radius[k]) == runs.upper[k]
    below = np.where(runs.radius[k] == 0, below_line, below_arc) | (point.imag < boxes.bottom[k])
    i, k, goes_left = i[below], k[below], goes_left[below]
    return Meetings(i, k, np.where(goes_left, 1, -1))


def heights_met(runs: Runs, x: float) -> list[float]:
    """Where a line upwards at x meets the boundary, from below: in and out by turns."""
    low = float(runs.boxes.bottom.min(initial=0.0))
    met = met_above(runs, np.array([complex(x, low - 1.0)])).run
    tail, head, centre, radius = runs.tail[met], runs.head[met], runs.centre[met], runs.radius[met]
    share = (x - tail.real) / (head.real - tail.real)
    straight = tail.imag + share * (head.imag - tail.imag)
    aside = np.sqrt((radius**2 - (x - centre.real) ** 2).clip(0))
    bent = centre.imag + np.where(runs.upper[met], aside, -aside)
    return [float(height) for height in np.sort(np.where(radius == 0, straight, bent))]


def windings(runs: Runs, points: Points) -> Places:
    """How often the loops wind around each point."""
    met = met_above(runs, points)
    return np.rint(np.bincount(met.point, weights=met.rise, minlength=len(points))).astype(int)
