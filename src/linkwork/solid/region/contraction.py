"""Strands of curves that touch are drawn together to one node.

A node is *free* for a strand if no edges but the strand's own end or pass there. If the pieces of the strand
are straight within the tolerance, a free end can be moved into the other end: its edges go on into the
strand, so they stay where they are. Every free node is moved along one strand only, the shortest; so two
nodes that are not free never meet.
"""

from __future__ import annotations

import numpy as np

from linkwork.solid.region.columns import Columns, Places, Points, Truths
from linkwork.solid.region.pairs import linked
from linkwork.solid.region.strand import Pieces, Strands


def contracted(
    edges: Columns, pieces: Pieces, strands: Strands, points: Points, tolerance: float
) -> tuple[Pieces, Points] | None:
    """The pieces that are left and where the nodes are now; None if there is nothing to draw together."""
    straight = np.abs(pieces.heights(edges)) <= 2 * tolerance
    bent = np.bincount(strands.of_piece, weights=~straight) > 0
    shared = np.bincount(strands.of_piece) > 1
    strand = np.flatnonzero(shared & ~bent)
    if not len(strand):
        return None
    a, b = pieces.tail[strands.first[strand]], pieces.head[strands.first[strand]]
    moving = np.concatenate([a, b])
    target = np.concatenate([b, a])
    free = np.concatenate([_free(pieces, strands, strand, end) for end in (a, b)])
    if not free.any():
        return None
    moving, target = moving[free], target[free]
    nearest = np.lexsort((np.abs(points[moving] - points[target]), moving))
    once = np.unique(moving[nearest], return_index=True)[1]
    moving, target = moving[nearest][once], target[nearest][once]
    corners = np.concatenate([pieces.tail[pieces.first == 0], pieces.head[pieces.last == 1]])
    name, moved = _united(points, moving, target, corners)
    tail, head = name[pieces.tail], name[pieces.head]
    left = tail != head
    return Pieces(pieces.edge, tail, head, pieces.first, pieces.last).take(left), moved


def _free(pieces: Pieces, strands: Strands, strand: Places, node: Places) -> Truths:
    """Whether all pieces that end at each node are of edges that belong to the strand there."""
    ends = np.concatenate([pieces.tail, pieces.head])
    count = int(ends.max()) + 1
    of_edge, times = np.unique(np.tile(pieces.edge, 2) * count + ends, return_counts=True)
    at_strand = np.full(len(strands.first), -1)
    at_strand[strand] = node
    member = np.flatnonzero(at_strand[strands.of_piece] >= 0)
    own = strands.of_piece[member]
    place = np.searchsorted(of_edge, pieces.edge[member] * count + at_strand[own])
    explained = np.bincount(own, weights=times[place], minlength=len(strands.first))[strand]
    free: Truths = explained == np.bincount(ends)[node]
    return free


def _united(points: Points, moving: Places, target: Places, corners: Places) -> tuple[Places, Points]:
    """The new name of each node, and where the nodes are.

    Those that move end at one that does not, or at two that move to each other: these meet at the corner of an
    edge if one of them is one, else in the middle.
    """
    name = linked(len(points), moving, target)
    onward = np.arange(len(points))
    onward[moving] = target
    involved = np.union1d(moving, target)
    stays = onward[involved] == involved
    mutual = onward[onward[involved]] == involved
    rank = np.where(stays, 0, np.where(mutual, np.where(np.isin(involved, corners), 1, 2), 3))
    order = np.lexsort((involved, rank, name[involved]))
    names, first = np.unique(name[involved][order], return_index=True)
    chosen = involved[order][first]
    moved = points.copy()
    moved[names] = np.where(
        rank[order][first] == 2, 0.5 * (points[chosen] + points[onward[chosen]]), points[chosen]
    )
    return name, moved
