"""Two parts that move in space: points of their surfaces, and how far these are apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linkwork.collision.track import Track
from linkwork.recognition.overlap import Overlap, Shell, overlap
from linkwork.solid import Placement
from linkwork.solid.placement import Floats

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


@dataclass(frozen=True, eq=False)
class SpacePair:
    """Two parts on their way, by points of their faces."""

    shells: tuple[Shell, Shell]
    tracks: tuple[Track, Track]
    least: float

    def placements(self, where: float) -> tuple[Placement, Placement]:
        """How far both have moved at a place of the way."""
        return self.tracks[0].placement(where), self.tracks[1].placement(where)

    @cached_property
    def _balls(self) -> list[tuple[Floats, Floats]]:
        return [shell.balls for shell in self.shells]

    @cached_property
    def _tree(self) -> cKDTree:
        from scipy.spatial import cKDTree

        return cKDTree(self._balls[1][0])

    def gaps(self, where: Floats) -> Floats:
        """How far they are apart at places of the way, at least; 0 where they overlap."""
        return np.array([self._gap(float(each)) for each in where])

    def _gap(self, where: float) -> float:
        placed = self.placements(where)
        seen = placed[1].inverse.holding(placed[0]).point(self._balls[0][0])
        away = float(np.min(self._tree.query(seen)[0] - self._balls[0][1]) - self._balls[1][1].max())
        if away > self.least:
            return away
        return self.least if overlap(*self.shells, self.least, placed, math.inf) is None else 0.0

    @property
    def most(self) -> float:
        """No point of either is deeper in the other than this: half of its least extent."""
        return max(float(np.diff(shell.body.box, axis=0).min()) / 2 for shell in self.shells)

    finer: ClassVar = 4.0
    """How many times as closely as for overlaps the deepest place is looked for."""

    def rough_depths(self, where: Floats) -> Floats:
        """About how deep they are, for the deepest place to be found."""
        return self.depths(where, math.inf)

    def depths(self, where: Floats, within: float) -> Floats:
        """How deep they are in one another at places of the way; 0 where they are clear."""
        found = (overlap(*self.shells, self.least, self.placements(float(each)), within) for each in where)
        return np.array([0.0 if each is None else each.depth for each in found])

    def deepest(self, where: float, within: float) -> Overlap:
        """How deep they are in one another at a place of the way, and where that is."""
        found = overlap(*self.shells, self.least, self.placements(where), within)
        assert found is not None  # a deepest place is one of those where they overlap
        return found

    def ways(self) -> Floats:
        """How far any point of the first has gone at each row, as the second sees it, at most."""
        if all(np.ptp(track.rows, axis=0).max() == 0 for track in self.tracks):
            return np.zeros(len(self.tracks[0].rows))
        low, high = self.shells[0].body.box
        corners = np.array(
            [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        )
        halves = (
            np.arange(2 * len(self.tracks[0].rows) - 1) / 2
        )  # arcs are little longer than their chords then
        rows = [self.placements(float(row)) for row in halves]
        seen = np.array([second.inverse.holding(first).point(corners) for first, second in rows])
        steps = np.linalg.norm(np.diff(seen, axis=0), axis=2).max(axis=1, initial=0.0)
        return np.concatenate([[0.0], np.cumsum(1.1 * steps)[1::2]])
