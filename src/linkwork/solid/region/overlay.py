"""All edges of several regions laid on each other: nodes, strands between them, and what is on either side.

1. Points in question are the ends of all edges and all points where edges cross or touch. An edge is cut at
   every such point that lies on it within the tolerance; points within the tolerance are one node.
2. The pieces between the same two nodes that lie on each other within the tolerance are one *strand*. So
   shared and flush edges, and arcs of equal circles, need no case of their own.
3. Curves that touch cross twice, at points further apart than the tolerance (a circle of radius r which is
   h deep in a line has a chord of √8rh), with a strand of both between. Such a strand is drawn together to
   one node, which moves no edge by more than the tolerance.
4. From the middle of each strand a ray, across it as far as x and y allow, counts the windings on its far
   side in each channel; on its near side they differ by the strand's own edges. This uses the edges as they
   were given, which are closed loops to the bit: nothing depends on the moved nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from linkwork.solid.region.columns import Boxes, Columns, Places, Points, Truths
from linkwork.solid.region.contraction import contracted
from linkwork.solid.region.crossing import crossing_points
from linkwork.solid.region.pairs import gathered, meeting, meeting_among
from linkwork.solid.region.strand import Pieces, Strands, strands_of
from linkwork.solid.region.winding import Runs, met_above, runs_of, swapped

NEAR_START: Final = 8
"""Tolerances from the start of a ray within which it meets the edges of its own strand."""

ROUNDS_OF_CONTRACTION: Final = 4
"""Where more curves than this touch in a row, some short edges stay: no harm is done."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """Strands from node to node, the edge that each follows, and for each channel the windings on both sides."""

    tail: Places
    head: Places
    edge: Places
    left: Places
    right: Places
    nodes: Points
    edges: Columns


Counted: TypeAlias = tuple[Columns, Places] | None
"""Edges of closed loops that come near no others, and their channels: they only count for windings."""


def overlay(edges: Columns, channel: Places, tolerance: float, beside: Counted = None) -> Overlay:
    """The edges laid on each other; those of one channel are counted together."""
    edges, origin = edges.halved()
    points, starts, ends = _points_in_question(edges, origin, tolerance)
    pieces = _pieces(edges, points, gathered(points, tolerance), starts, ends, tolerance)
    strands = strands_of(edges, pieces, tolerance)
    for _ in range(ROUNDS_OF_CONTRACTION):
        drawn = contracted(edges, pieces, strands, points, tolerance)
        if drawn is None:
            break
        pieces, points = drawn
        strands = strands_of(edges, pieces, tolerance)
    left, right = _windings(edges, channel[origin], pieces, strands, tolerance, beside)
    first = strands.first
    return Overlay(pieces.tail[first], pieces.head[first], pieces.edge[first], left, right, points, edges)


def _points_in_question(edges: Columns, origin: Places, tolerance: float) -> tuple[Points, Places, Places]:
    """The different points, and the places of starts and ends among them.

    Corners come first, for a cluster of points is where its first one is; then the middles of arcs that have been
    halved, of one origin with the next; then crossings.
    """
    i, j = meeting_among(edges.boxes.grown(tolerance))
    crossings = crossing_points(edges, i, j, tolerance)
    every = np.concatenate([edges.start, edges.end, crossings])
    halves = origin[1:] == origin[:-1]
    late = np.concatenate([[False], halves, halves, [False], np.full(len(crossings), True)])
    _, first, inverse = np.unique(every, return_index=True, return_inverse=True)
    soon = np.full(len(first), 2 * len(every))
    np.minimum.at(soon, inverse, np.arange(len(every)) + late * len(every))
    order = np.argsort(soon)
    rank = np.empty(len(order), int)
    rank[order] = np.arange(len(order))
    places = rank[inverse]
    count = len(edges)
    return every[first[order]], places[:count], places[count : 2 * count]


def _pieces(
    edges: Columns, points: Points, nodes: Places, starts: Places, ends: Places, tolerance: float
) -> Pieces:
    """The edges cut at all points that lie on them."""
    at = Boxes(points.real, points.real, points.imag, points.imag)
    point, edge = meeting(at, edges.boxes.grown(tolerance))
    share = edges.shares(edge, points[point])
    cut = (share > 0) & (share < 1) & (edges.off(edge, points[point]) <= tolerance)
    own = np.arange(len(edges))
    edge = np.concatenate([own, edge[cut], own])
    share = np.concatenate([np.zeros(len(own)), share[cut], np.ones(len(own))])
    node = nodes[np.concatenate([starts, point[cut], ends])]
    order = np.lexsort((share, edge))
    edge, share, node = edge[order], share[order], node[order]
    whole = (edge[1:] == edge[:-1]) & (node[1:] != node[:-1])
    return Pieces(edge[1:], node[:-1], node[1:], share[:-1], share[1:]).take(whole)


def _windings(
    edges: Columns, channel: Places, pieces: Pieces, strands: Strands, tolerance: float, beside: Counted
) -> tuple[Places, Places]:
    """For each strand (row) and channel (column) the windings left and right of its first piece."""
    counted = edges
    if beside is not None:
        counted, channel = Columns.joined([edges, beside[0]]), np.concatenate([channel, beside[1]])
    shape = len(strands.first), int(channel.max(initial=0)) + 1
    first = pieces.take(strands.first)
    middle = 0.5 * (first.first + first.last)
    points, ways = edges.at(first.edge, middle), edges.directions(first.edge, middle)
    flat = np.abs(ways.real) >= np.abs(ways.imag)
    runs = runs_of(counted)
    far = np.zeros(shape, int)
    for rays, seen, looking in ((flat, runs, points), (~flat, runs.swapped(), swapped(points))):
        met = met_above(seen, looking[rays])
        strand = np.flatnonzero(rays)[met.point]
        keep = ~_is_own(strand, looking[strand], met.run, seen, pieces, strands, tolerance)
        far += _summed(strand[keep], channel[seen.edge[met.run[keep]]], met.rise[keep], shape)
    forth = np.where(pieces.tail == first.tail[strands.of_piece], 1, -1)
    own = _summed(strands.of_piece, channel[pieces.edge], forth, shape)
    far_is_left = np.where(flat, ways.real > 0, ways.imag < 0)[:, None]
    return np.where(far_is_left, far, far + own), np.where(far_is_left, far - own, far)


def _is_own(
    strand: Places, point: Points, run: Places, runs: Runs, pieces: Pieces, strands: Strands, tolerance: float
) -> Truths:
    """Whether a run that a ray meets belongs to the strand from which the ray starts."""
    count = int(runs.edge.max(initial=0)) + 1
    members = np.unique(strands.of_piece * count + pieces.edge)
    wanted = strand * count + runs.edge[run]
    place = np.searchsorted(members, wanted).clip(None, len(members) - 1)
    low = np.minimum(runs.tail[run].imag, runs.head[run].imag)
    own: Truths = (members[place] == wanted) & (low <= point.imag + NEAR_START * tolerance)
    return own


def _summed(row: Places, column: Places, amount: Places, shape: tuple[int, int]) -> Places:
    flat = np.bincount(row * shape[1] + column, weights=amount, minlength=shape[0] * shape[1])
    return np.rint(flat).astype(int).reshape(shape)
