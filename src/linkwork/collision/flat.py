"""Two parts that move in one plane: their sections at the same heights, and how far these are apart.

Prismatic parts have one section in each layer, which is exact; of others, sections are taken at some heights between
their corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.collision.outline import Outline, depths, gaps
from linkwork.collision.track import Complexes, Track
from linkwork.recognition.overlap import Overlap, Shell
from linkwork.solid import section
from linkwork.solid.layers import heights, is_prismatic
from linkwork.solid.placement import Floats
from linkwork.solid.region import EMPTY_REGION, Region
from linkwork.solid.region.around import edge_reaches
from linkwork.solid.region.columns import Columns

SHARES: Final = (0.02, 0.25, 0.5, 0.75, 0.98)
"""Where between two of its corners sections of a part are taken that is no prism."""
SLACK: Final = 1.05
"""How much farther than straight from row to row points may go."""


class Level(NamedTuple):
    """The outlines of two parts at a height."""

    a: Outline
    b: Outline
    height: float


@dataclass(frozen=True, eq=False)
class Sections:
    """The sections of all parts across z, taken when they are first asked for; without pitch bodies of gears."""

    shells: Mapping[str, Shell]
    _ends: dict[str, list[float]] = field(default_factory=dict)
    _prismatic: dict[str, bool] = field(default_factory=dict)
    _sections: dict[tuple[str, float], Region] = field(default_factory=dict)
    _shrunk: dict[tuple[int, float], Region] = field(default_factory=dict)
    _outlines: dict[int, Outline] = field(default_factory=dict)

    def ends(self, part: str) -> list[float]:
        """The heights at which a part has corners."""
        if part not in self._ends:
            self._ends[part] = heights(self.shells[part].body.solid)
        return self._ends[part]

    def is_prismatic(self, part: str) -> bool:
        """Whether all its faces are along z or across."""
        if part not in self._prismatic:
            self._prismatic[part] = is_prismatic(self.shells[part].body.solid)
        return self._prismatic[part]

    def at(self, part: str, height: float) -> Region:
        """What a plane cuts out of a part: of a prismatic one, the same all over its layer."""
        ends = self.ends(part)
        if self.is_prismatic(part):
            place = int(np.searchsorted(ends, height))
            height = (ends[place - 1] + ends[place]) / 2 if 0 < place < len(ends) else ends[0] - 1
        if (part, height) not in self._sections:
            shell = self.shells[part]
            found = section(shell.body.solid, height)
            if found and not shell.gears.is_empty:
                found = found - section(shell.gears, height)
            self._sections[part, height] = found
        return self._sections[part, height]

    def levels(self, a: str, b: str, least: float) -> list[Level]:
        """The outlines of two parts at the same heights, each pair once; the first are smaller by ``least``."""
        found: dict[tuple[int, int], Level] = {}
        for height in self._common(a, b, least):
            one, other = self.at(a, height), self.at(b, height)
            shrunk = self._smaller(one, least)
            if shrunk and other and (id(one), id(other)) not in found:
                found[id(one), id(other)] = Level(self._outline(shrunk), self._outline(other), height)
        return list(found.values())

    def _common(self, a: str, b: str, least: float) -> Iterator[float]:
        first, second = self.ends(a), self.ends(b)
        low, high = max(first[0], second[0]), min(first[-1], second[-1])
        marks = [low, *sorted(height for height in (*first, *second) if low < height < high), high]
        shares = (0.5,) if self.is_prismatic(a) and self.is_prismatic(b) else SHARES
        for begin, end in pairwise(marks):
            if end - begin > least:
                yield from (begin + share * (end - begin) for share in shares)

    def _smaller(self, region: Region, least: float) -> Region:
        if (id(region), least) not in self._shrunk:
            self._shrunk[id(region), least] = region.grown(-least) if region else EMPTY_REGION
        return self._shrunk[id(region), least]

    def _outline(self, region: Region) -> Outline:
        if id(region) not in self._outlines:
            self._outlines[id(region)] = Outline.of(region)
        return self._outlines[id(region)]


@dataclass(frozen=True, eq=False)
class FlatPair:
    """Two parts on their way, by their outlines: how far they are apart, and how far points of the first go."""

    levels: list[Level]
    tracks: tuple[Track, Track]

    @classmethod
    def of(cls, levels: list[Level], tracks: tuple[Track, Track], least: float) -> FlatPair:
        """Without pieces that nothing can reach, and without levels that have none, unless one is inside the other."""
        found = [_within_reach(level, tracks, least) for level in levels]
        start = tracks[0].moved_back_by(tracks[1], np.zeros(1))
        return cls(
            [
                cut if len(cut.a) and len(cut.b) else level
                for cut, level in zip(found, levels, strict=True)
                if (len(cut.a) and len(cut.b)) or gaps(level.a, level.b, *start)[0] == 0
            ],
            tracks,
        )

    def gaps(self, where: Floats) -> Floats:
        """How far they are apart at places of the way, at least; 0 where they overlap."""
        turns, shifts = self.tracks[0].moved_back_by(self.tracks[1], where)
        return np.asarray(np.minimum.reduce([gaps(a, b, turns, shifts) for a, b, _ in self.levels]))

    def deepest(self, where: float) -> Overlap:
        """About how deep they are in one another in the plane at a place of the way, and where that is."""
        at = np.array([where])
        moved = self.tracks[0].moved_back_by(self.tracks[1], at)
        turn, shift = self.tracks[1].turns_and_shifts(at)
        found = [(*depths(level.a, level.b, *moved), level.height) for level in self.levels]
        depth, seen, height = max(found, key=lambda each: float(each[0][0]))
        point = complex(turn[0] * seen[0] + shift[0])
        return Overlap(float(depth[0]), (point.real, point.imag, height))

    def ways(self) -> Floats:
        """How far any point of the first has gone at each row, as the second sees it, at most."""
        rows = np.arange(len(self.tracks[0].rows), dtype=float)
        turns, shifts = self.tracks[0].moved_back_by(self.tracks[1], rows)
        every = np.concatenate([a.middles for a, _, _ in self.levels])
        middle = (every.real.min() + every.real.max()) / 2 + 0.5j * (every.imag.min() + every.imag.max())
        reach = max(
            float((np.abs(a.middles - middle) + a.reaches).max(initial=0.0)) for a, _, _ in self.levels
        )
        centres = turns * middle + shifts
        angles = np.abs(np.angle(turns[1:] * turns[:-1].conj()))
        steps = SLACK * (np.abs(np.diff(centres)) + reach * angles)
        return np.concatenate([[0.0], np.cumsum(steps)])


# --------------------------------------------------------------------------------------- within reach


def _within_reach(level: Level, tracks: tuple[Track, Track], least: float) -> Level:
    """The outlines with those pieces only that sweep what some piece of the other does."""
    a, b = level.a, level.b
    rows = np.arange(len(tracks[0].rows), dtype=float)
    turns, shifts = tracks[0].moved_back_by(tracks[1], rows)
    centres, way = _pivot(turns, shifts, least), _slide(turns, shifts, least)
    if centres is not None:
        may = _overlap(edge_reaches(a.pieces, centres[0]), edge_reaches(b.pieces, centres[1]))
    elif way is not None:
        low, high = _strip(a.pieces, turns[0] * np.conj(way))
        aside = float((shifts[0] * np.conj(way)).imag)
        may = _overlap((low + aside, high + aside), _strip(b.pieces, np.conj(way)))
    else:
        pivots = [_pivot(*track.turns_and_shifts(rows), least) for track in tracks]
        if pivots[0] is None or pivots[1] is None:
            return level
        (own, fixed), (other, also_fixed) = pivots[0], pivots[1]
        rings = edge_reaches(a.pieces, own), edge_reaches(b.pieces, other)
        may = _rings_meet(*rings, abs(fixed - also_fixed))
    first, second = (np.asarray(may.any(axis=axis)) for axis in (1, 0))
    return Level(a.only(first), b.only(second), level.height)


def _overlap(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> NDArray[np.bool_]:
    """Whether intervals have points in common, all with all."""
    return np.asarray((first[0][:, None] <= second[1]) & (second[0] <= first[1][:, None]))


def _rings_meet(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], apart: float
) -> NDArray[np.bool_]:
    """Whether rings about two centres have points in common, all with all."""
    inner, outer = first[0][:, None], first[1][:, None]
    return np.asarray(
        (outer + second[1] >= apart) & (inner <= apart + second[1]) & (second[0] <= apart + outer)
    )


def _pivot(turns: Complexes, shifts: Complexes, least: float) -> tuple[complex, complex] | None:
    """The point about which a part turns, in its own coordinates and in those it is seen in; None if there is none.

    turn · z + shift = w for all rows, in the sense of least squares.
    """
    if np.abs(turns - turns[0]).max() < 1e-6:
        return None
    matrix = np.column_stack([turns, np.full(len(turns), -1.0)])
    (own, seen), *_ = np.linalg.lstsq(matrix, -shifts, rcond=None)
    if np.abs(matrix @ np.array([own, seen]) + shifts).max() > 1e-3 * least:
        return None
    return complex(own), complex(seen)


def _slide(turns: Complexes, shifts: Complexes, least: float) -> complex | None:
    """The direction along which a part slides; None if it does not."""
    if np.abs(turns - turns[0]).max() > 1e-9:
        return None
    away = shifts - shifts[0]
    farthest = away[int(np.argmax(np.abs(away)))]
    if farthest == 0:
        return None
    way = farthest / abs(farthest)
    return complex(way) if np.abs((away * np.conj(way)).imag).max() <= 1e-3 * least else None


def _strip(edges: Columns, turn: complex) -> tuple[Floats, Floats]:
    """The least and the largest y of edges that are turned."""
    turned = Columns(edges.start * turn, edges.end * turn, edges.centre * turn, edges.radius, edges.turn)
    return turned.boxes.bottom, turned.boxes.top
