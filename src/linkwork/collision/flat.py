"""Two parts that move in one plane: their sections at the same heights, and how far these are apart.

Prismatic parts have one section in each layer, which is exact; of others, sections are taken at some heights between
their corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.collision.depth import Deepest, Medium, dive
from linkwork.collision.outline import Outline, gaps
from linkwork.collision.track import Complexes, Track
from linkwork.recognition.overlap import Overlap, Shell, overlap
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
ROUGH: Final = 0.02
"""How closely depths are looked at, as a part of them, to find the place where they are largest."""
FINE: Final = 0.1
"""How closely depths are told, as a part of the least one that counts."""


class Level(NamedTuple):
    """The outlines of two parts at a height, of which the first is a little smaller; and all that shows how deep."""

    a: Outline
    b: Outline
    height: float
    skins: tuple[Outline, Outline]
    """The outlines of both, in full size and without those of pitch bodies."""
    media: tuple[Medium, Medium]
    """What points of the other part dive into."""


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
        for height, looked_at in self._common(a, b, least):
            one, other = self.at(a, height), self.at(b, height)
            shrunk = self._smaller(one, least)
            if shrunk and other and (id(one), id(other)) not in found:
                skins = self._skin(a, one, height), self._skin(b, other, height)
                media = self._medium(a, one, looked_at), self._medium(b, other, looked_at)
                outlines = self._outline(shrunk), self._outline(other)
                found[id(one), id(other)] = Level(*outlines, height, skins, media)
        return list(found.values())

    def _common(self, a: str, b: str, least: float) -> Iterator[tuple[float, tuple[float, ...]]]:
        """Heights at which sections are compared, each with those at which depths are looked at."""
        first, second = self.ends(a), self.ends(b)
        low, high = max(first[0], second[0]), min(first[-1], second[-1])
        marks = [low, *sorted(height for height in (*first, *second) if low < height < high), high]
        are_prismatic = self.is_prismatic(a) and self.is_prismatic(b)
        for begin, end in pairwise(marks):
            if end - begin <= least:
                continue
            if are_prismatic:
                yield (begin + end) / 2, (begin, (begin + end) / 2, end)
            else:
                between = (begin + share * (end - begin) for share in SHARES)
                yield from ((height, (height,)) for height in between)

    def _skin(self, part: str, region: Region, height: float) -> Outline:
        """The outline of a section without that of the pitch bodies that were left out."""
        outline, gears = self._outline(region), self.shells[part].gears
        pitch = EMPTY_REGION if gears.is_empty else section(gears, height)
        if not pitch:
            return outline
        middles = np.column_stack([outline.middles.real, outline.middles.imag])
        return outline.only(np.abs(pitch.distance(middles)) > self.shells[part].body.skin)

    def _medium(self, part: str, region: Region, looked_at: tuple[float, ...]) -> Medium:
        ends = self.ends(part)
        return Medium(region, self.shells[part].depths, looked_at, (ends[-1] - ends[0]) / 2)

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
    shells: tuple[Shell, Shell]
    tracks: tuple[Track, Track]
    least: float

    @classmethod
    def of(
        cls, levels: list[Level], shells: tuple[Shell, Shell], tracks: tuple[Track, Track], least: float
    ) -> FlatPair:
        """Without pieces that nothing can reach, and without levels that have none, unless one is inside the other."""
        found = [_within_reach(level, tracks, least) for level in levels]
        start = tracks[0].moved_back_by(tracks[1], np.zeros(1))
        return cls(
            [
                cut if len(cut.a) and len(cut.b) else level
                for cut, level in zip(found, levels, strict=True)
                if (len(cut.a) and len(cut.b)) or gaps(level.a, level.b, *start)[0] == 0
            ],
            shells,
            tracks,
            least,
        )

    def gaps(self, where: Floats) -> Floats:
        """How far they are apart at places of the way, at least; 0 where they overlap."""
        turns, shifts = self.tracks[0].moved_back_by(self.tracks[1], where)
        return np.asarray(np.minimum.reduce([gaps(each.a, each.b, turns, shifts) for each in self.levels]))

    @property
    def most(self) -> float:
        """No point of either is deeper in the other than this."""
        return max(medium.most for level in self.levels for medium in level.media)

    finer: ClassVar = 1000.0
    """How many times as closely as for overlaps the deepest place is looked for."""

    def rough_depths(self, where: Floats) -> Floats:
        """About how deep they are, for the deepest place to be found."""
        return self.depths(where, ROUGH)

    def depths(self, where: Floats, within: float) -> Floats:
        """How deep they are in one another at places of the way, where they are; else how far apart, negative."""
        away = self.gaps(where)
        inside = np.flatnonzero(away == 0)
        found = -away
        found[inside] = np.maximum.reduce([known.depths for known, _ in self._dives(where[inside], within)])
        return found

    def deepest(self, where: float, within: float) -> Overlap:
        """How deep they are in one another at a place of the way, and where that is.

        Where a part has other layers above or below, points of its skin between the heights of outlines may be deeper.
        """
        at = np.array([where])
        known, height = max(self._dives(at, within), key=lambda each: float(each[0].depths[0]))
        turn, shift = self.tracks[1].turns_and_shifts(at)
        point = complex(turn[0] * known.points[0] + shift[0])
        flat = Overlap(float(known.depths[0]), (point.real, point.imag, height))
        placed = self.tracks[0].placement(where), self.tracks[1].placement(where)
        between = overlap(*self.shells, self.least, placed, within)
        return flat if between is None or between.depth <= flat.depth else between

    def _dives(self, where: Floats, within: float) -> list[tuple[Deepest, float]]:
        """The deepest points of either in the other at each height, as the second sees them."""
        turns, shifts = self.tracks[0].moved_back_by(self.tracks[1], where)
        back = turns.conj(), -shifts * turns.conj()
        found = []
        for level in self.levels:
            least = FINE * self.least
            of_first = dive(level.skins[0].pieces, level.media[1], (turns, shifts), least, within)
            of_second = dive(level.skins[1].pieces, level.media[0], back, least, within)
            seen = turns * of_second.points + shifts
            found += [(of_first, level.height), (replace(of_second, points=seen), level.height)]
        return found

    def ways(self) -> Floats:
        """How far any point of the first has gone at each row, as the second sees it, at most."""
        rows = np.arange(len(self.tracks[0].rows), dtype=float)
        turns, shifts = self.tracks[0].moved_back_by(self.tracks[1], rows)
        every = np.concatenate([each.a.middles for each in self.levels])
        middle = (every.real.min() + every.real.max()) / 2 + 0.5j * (every.imag.min() + every.imag.max())
        reach = max(
            float((np.abs(each.a.middles - middle) + each.a.reaches).max(initial=0.0)) for each in self.levels
        )
        centres = turns * middle + shifts
        angles = np.abs(np.angle(turns[1:] * turns[:-1].conj()))
        steps = SLACK * (np.abs(np.diff(centres)) + reach * angles)
        return np.concatenate([[0.0], np.cumsum(steps)])


# --------------------------------------------------------------------------------------- within reach


def _within_reach(level: Level, tracks: tuple[Track, Track], least: float) -> Level:
    """The outlines with those pieces only that sweep what some piece of the other does."""
    rows = np.arange(len(tracks[0].rows), dtype=float)
    a, b = _meeting(level.a, level.b, tracks, rows, least)
    return level._replace(a=a, b=b, skins=_meeting(*level.skins, tracks, rows, least))


def _meeting(
    a: Outline, b: Outline, tracks: tuple[Track, Track], rows: Floats, least: float
) -> tuple[Outline, Outline]:
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
            return a, b
        (own, fixed), (other, also_fixed) = pivots[0], pivots[1]
        rings = edge_reaches(a.pieces, own), edge_reaches(b.pieces, other)
        may = _rings_meet(*rings, abs(fixed - also_fixed))
    first, second = (np.asarray(may.any(axis=axis)) for axis in (1, 0))
    return a.only(first), b.only(second)


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
