"""Loops that come near no other: when regions are combined, each of them bounds the result as a whole or not at all.

So only the others have to be laid on each other. Along a lone loop the windings of all other loops are the same
everywhere, so one point of it tells whether what is left of it and what is right of it are inside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.solid.region.columns import Columns, Numbers, Places, Truths, cross, dot
from linkwork.solid.region.pairs import meeting_among
from linkwork.solid.region.tolerance import FLATTEST, size_of
from linkwork.solid.region.winding import met_above, runs_of


class Laid(NamedTuple):
    """The edges of several loops, one loop after another: of which loop each edge is, and where loops begin."""

    edges: Columns
    loop: Places
    begin: Places

    @staticmethod
    def of(loops: list[Columns]) -> Laid:
        """Some loops."""
        counts = np.array([len(loop) for loop in loops], dtype=np.intp)
        return Laid(
            Columns.joined(loops), np.repeat(np.arange(len(loops)), counts), np.cumsum(counts) - counts
        )

    def are_alone(self, tolerance: float, reach: float) -> Truths:
        """Which loops have no edge of another within reach, and nothing that the tolerance would change."""
        alone = np.ones(len(self.begin), dtype=bool)
        if (self.edges.radius > FLATTEST * size_of(self.edges)).any():
            return ~alone
        one, other = meeting_among(self.edges.boxes.grown(reach))
        differ = self.loop[one] != self.loop[other]
        one, other = one[differ], other[differ]
        near = ~self._are_apart(one, other, reach)
        alone[self.loop[one[near]]] = alone[self.loop[other[near]]] = False
        return alone & self._are_tidy(tolerance)

    def _are_apart(self, one: Places, other: Places, reach: float) -> Truths:
        """Which pairs of edges cannot come near each other, as far as the circles of arcs tell.

        They do not if one is an arc and the other is all inside its circle, or all outside.
        """
        edges = self.edges
        found = np.zeros(len(one), dtype=bool)
        for arc, edge in ((one, other), (other, one)):
            centre, radius = edges.centre[arc], edges.radius[arc]
            away = np.abs(edges.centre[edge] - centre)
            farthest = np.maximum(np.abs(edges.start[edge] - centre), np.abs(edges.end[edge] - centre))
            is_bent = edges.turn[edge] != 0
            farthest = np.where(is_bent, away + edges.radius[edge], farthest)
            nearest = np.where(is_bent, np.abs(away - edges.radius[edge]), edges.off(edge, centre))
            found |= (edges.turn[arc] != 0) & ((farthest < radius - reach) | (nearest > radius + reach))
        return found

    def _are_tidy(self, tolerance: float) -> Truths:
        """Which loops are neither thin nor have edges that are short or go on as the next does, but for circles."""
        edges, count = self.edges, len(self.edges)
        after = np.arange(1, count + 1)
        after[np.append(self.begin[1:], count) - 1] = self.begin
        chord, onward = edges.chord, edges.chord[after]
        both = edges.end[after] - edges.start
        straight = (dot(chord, onward) > 0) & (np.abs(cross(both, chord)) <= tolerance * np.abs(both))
        bent = (np.abs(edges.centre - edges.centre[after]) <= tolerance) & (
            np.abs(edges.radius - edges.radius[after]) <= tolerance
        )
        goes_on = (edges.turn == edges.turn[after]) & np.where(edges.turn == 0, straight, bent)
        goes_on &= ~self._are_of_circles(after)
        untidy = goes_on | (np.abs(chord) <= tolerance)
        is_thin = np.abs(self._twice_areas()) <= 2 * tolerance * self._sums(edges.length)
        return np.asarray(~is_thin & (self._sums(untidy.astype(float)) == 0))

    def _are_of_circles(self, after: Places) -> Truths:
        """Which edges are halves of a circle from its leftmost point on."""
        edges = self.edges
        halves = (
            (after[after] == np.arange(len(edges))) & (edges.turn != 0) & (edges.turn == edges.turn[after])
        )
        same = (edges.centre == edges.centre[after]) & (edges.radius == edges.radius[after])
        first = self.begin[self.loop]
        return np.asarray(halves & same & (edges.start[first] == edges.centre - edges.radius))

    def _twice_areas(self) -> Numbers:
        edges = self.edges
        middle = edges.start[self.begin][self.loop]
        segments = edges.radius**2 * (edges.sweep - np.sin(edges.sweep))
        return self._sums(cross(edges.start - middle, edges.end - middle) + segments)

    def _sums(self, values: Numbers) -> Numbers:
        """The sums over the edges of each loop."""
        return np.add.reduceat(values, self.begin)

    def windings(self, loops: Places, channel: Places, channels: int) -> tuple[Places, Places]:
        """Of some lone loops (rows) how often all loops of each channel (columns) wind around left and right of them.

        ``channel`` tells that of each loop.
        """
        first = self.begin[loops]
        points = self.edges.at(first, np.full(len(first), 0.5))
        runs = runs_of(self.edges)
        met = met_above(runs, points)
        owner = self.loop[runs.edge[met.run]]
        others = owner != loops[met.point]
        flat = met.point[others] * channels + channel[owner[others]]
        around = np.bincount(flat, weights=met.rise[others], minlength=len(loops) * channels)
        right = np.rint(around).astype(int).reshape(len(loops), channels)
        is_hole = self._twice_areas()[loops] < 0
        own = (np.arange(channels) == channel[loops][:, None]).astype(int)
        right = right - own * is_hole[:, None]
        return right + own, right
