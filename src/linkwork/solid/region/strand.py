"""Pieces of edges between nodes, and the strands that they form where they lie on each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Places, Truths


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces of edges from node to node; ``first`` and ``last`` are shares of the edge."""

    edge: Places
    tail: Places
    head: Places
    first: Numbers
    last: Numbers

    def take(self, places: Places | Truths) -> Pieces:
        return Pieces(
            self.edge[places], self.tail[places], self.head[places], self.first[places], self.last[places]
        )

    def heights(self, edges: Columns) -> Numbers:
        """How far the middle of each is to the right of its chord."""
        quarter = 0.25 * edges.sweep[self.edge] * (self.last - self.first)
        right: Numbers = 2 * edges.radius[self.edge] * np.sin(quarter) ** 2 * edges.turn[self.edge]
        return right


@dataclass(frozen=True, eq=False)
class Strands:
    """Which strand each piece belongs to, and which piece is the first of each strand."""

    of_piece: Places
    first: Places


def strands_of(edges: Columns, pieces: Pieces, tolerance: float) -> Strands:
    """Pieces between the same nodes, of the same height over their chord within the tolerance."""
    low, high = np.minimum(pieces.tail, pieces.head), np.maximum(pieces.tail, pieces.head)
    height = pieces.heights(edges) * np.where(pieces.tail < pieces.head, 1, -1)
    order = np.lexsort((height, high, low))
    low, high, height = low[order], high[order], height[order]
    new = (low[1:] != low[:-1]) | (high[1:] != high[:-1]) | (np.diff(height) > 2 * tolerance)
    group = np.cumsum(np.concatenate([[0], new]))[: len(order)]
    of_piece = np.empty(len(order), int)
    of_piece[order] = group
    first = np.full(int(group[-1]) + 1 if len(order) else 0, len(order))
    np.minimum.at(first, of_piece, np.arange(len(order)))
    return Strands(of_piece, first)
