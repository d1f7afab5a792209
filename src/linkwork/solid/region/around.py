"""Where circles about a point run through a region, and how far from a point its edges are."""

from __future__ import annotations

import math

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Places, Points, Truths
from linkwork.solid.region.nearness import edge_distances
from linkwork.solid.region.winding import Runs, windings


def edge_reaches(edges: Columns, centre: complex) -> tuple[Numbers, Numbers]:
    """The least and the largest distance of each edge from a point."""
    least = edge_distances(edges, np.full(len(edges), centre))
    most = np.maximum(np.abs(edges.start - centre), np.abs(edges.end - centre))
    outward = edges.centre - centre
    apart = np.abs(outward)
    far = edges.centre + edges.radius * np.where(apart > 0, outward / np.where(apart > 0, apart, 1.0), 1.0)
    share = edges.shares(np.arange(len(edges)), far)
    passes = (edges.turn != 0) & (share >= 0) & (share <= 1)
    return least, np.where(passes, apart + edges.radius, most)


def spans_around(edges: Columns, runs: Runs, centre: complex, radii: Numbers) -> list[Numbers]:
    """For each radius, rows of the angles from where to where the circle about a point runs inside.

    Rows go from the first angle above -π on; the last may end beyond π.
    """
    circle, angles = _met(edges, centre, radii)
    order = np.lexsort((angles, circle))
    circle, angles = circle[order], angles[order]
    counts = np.bincount(circle, minlength=len(radii))
    ends = np.cumsum(counts)
    onward = np.empty_like(angles)
    onward[:-1] = angles[1:]
    filled = counts > 0
    onward[ends[filled] - 1] = angles[(ends - counts)[filled]] + math.tau
    bare = np.flatnonzero(~filled)
    middles = np.concatenate([(angles + onward) / 2, np.zeros(len(bare))])
    ring = np.concatenate([circle, bare])
    inside = windings(runs, centre + radii[ring] * np.exp(1j * middles)) > 0
    found = _joined(angles, onward, inside[: len(angles)], counts)
    for place, is_inside in zip(bare.tolist(), inside[len(angles) :].tolist(), strict=True):
        found[place] = np.array([[-math.pi, math.pi]] if is_inside else []).reshape(-1, 2)
    return found


def _joined(first: Numbers, last: Numbers, inside: Truths, counts: Places) -> list[Numbers]:
    """The pieces of circles that are inside, with those in one row that follow each other.

    ``counts`` tells into how many pieces each circle is cut.
    """
    ends = np.cumsum(counts)
    begins = ends - counts
    circle, order = np.repeat(np.arange(len(counts)), counts), np.arange(len(first))
    before = np.where(order == begins[circle], ends[circle], order) - 1
    after = np.where(order + 1 == ends[circle], begins[circle], order + 1)
    starts, stops = np.flatnonzero(inside & ~inside[before]), np.flatnonzero(inside & ~inside[after])
    own = circle[starts]
    rows = np.bincount(own, minlength=len(counts))
    until = np.cumsum(rows)
    since = until - rows
    goes_beyond = np.zeros(len(counts), dtype=bool)  # the first stop is that of the last row
    goes_beyond[rows > 0] = stops[since[rows > 0]] < starts[since[rows > 0]]
    number = np.arange(len(starts)) - since[own]
    angles = np.column_stack(
        [first[starts], last[stops[since[own] + (number + goes_beyond[own]) % rows[own]]]]
    )
    angles[:, 1] += math.tau * (angles[:, 1] < angles[:, 0])
    found = [angles[low:high] for low, high in zip(since.tolist(), until.tolist(), strict=True)]
    for place in np.flatnonzero(np.bincount(circle, inside, minlength=len(counts)) == counts).tolist():
        if counts[place]:
            found[place] = np.array([[first[begins[place]], first[begins[place]] + math.tau]])
    return found


def _met(edges: Columns, centre: complex, radii: Numbers) -> tuple[Places, Numbers]:
    """Where circles cross edges: which circle, and the angle from -π to π. The last point of an edge is the next's."""
    least, most = edge_reaches(edges, centre)
    slack = 1e-12 * float(most.max(initial=0.0))
    edge, circle = np.nonzero(
        (least[:, None] <= radii + slack) & (radii - slack <= most[:, None]) & (most - least > slack)[:, None]
    )
    points, share = np.hstack([_on_edge(edges.take(edge), centre, radii[circle], way) for way in (-1, 1)])
    within = (share.real >= 0) & (share.real < 1)
    both = np.concatenate([circle, circle])
    return both[within], np.angle(points[within] - centre)


def _on_edge(edges: Columns, centre: complex, radius: Numbers, way: int) -> Points:
    """One of the two points in which each edge's line or circle meets a circle, and the share of the edge there.

    Shares are outside 0 to 1 where they do not meet.
    """
    offset, chord = edges.start - centre, edges.chord
    square = np.where(edges.turn == 0, (chord * chord.conj()).real, 1.0)
    along = -(offset * chord.conj()).real / square
    left = along**2 - ((offset * offset.conj()).real - radius**2) / square
    straight = along + way * np.sqrt(left.clip(0))
    apart = np.abs(edges.centre - centre)
    both = 2 * np.where(apart > 0, apart, 1.0) * radius
    cosine = (apart**2 + radius**2 - edges.radius**2) / both
    turn = np.angle(edges.centre - centre) + way * np.arccos(cosine.clip(-1, 1))
    places = np.arange(len(edges))
    bent = centre + radius * np.exp(1j * turn)
    line = edges.turn == 0
    points = np.where(line, edges.start + straight * chord, bent)
    share = np.where(line, straight, edges.shares(places, bent))
    met = np.where(line, left >= 0, (np.abs(cosine) <= 1) & (apart > 0))
    return np.array([points, np.where(met, share, -1.0)])
