"""Teeth: alike pieces of a section in a row, around a centre or along a line, and whether two rows fit.

Each row of teeth has levels, distances from its centre or across its line, and at each level a tooth reaches from one
angle (or length) to another; the next tooth does the same a pitch further. Two rows mesh if there is a phase in which
they move on together, pitch for pitch, and stay clear of each other, and if neither can move alone by more than some
play. This is looked at in positions over a whole pitch, so it is the motion that decides, not the form of the flanks.

A point of one row at the level l and the place t of the other is in a tooth of that if the other has gone on from where
it stood by anything from t - last(l) to t - first(l), or pitches more or less. All these intervals together bar phases;
what they leave is the play.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.solid.placement import Floats
from linkwork.solid.region import Region
from linkwork.solid.region.winding import heights_met

Points = NDArray[np.complex128]

LEAST_AROUND = 5
"""Fewer teeth than these make a cam, a cross or a star, not a gear."""
LEAST_ALONG = 3
"""The least teeth of a rack."""
LEAST_SECTOR = 3
"""The least teeth of a sector of a gear."""
ALIKE = 0.02
"""How far from equal teeth may be, as a part of the pitch."""
CROWDING = 0.01
"""How far a tooth may reach into another, as a part of the pitch: arcs and chords stand for other curves."""
MOST_PLAY = 0.5
"""The largest play of gears, as a part of the pitch: with more, teeth strike each other rather than guide."""
LEVELS = 40
"""At how many levels teeth are looked at, besides those of their corners."""
EDGE = 1e-3
"""How far inside its zone a level is, as a part of that: at the very tip there is nothing to see."""
WAVERING = 0.1
"""By how much, as a part of the pitch, one row may lead and lag the other: straight flanks do, most of all."""
POSITIONS = 12
"""In how many positions over a pitch."""
ENDS = 0.1
"""How near the ends of their zone teeth may look otherwise, as a part of it: tips are cut by chords, or round."""
TIP = 9
"""At how many places across its tip a tooth is looked at."""


class Track(Protocol):
    """How a row of teeth moves: around a centre, or along a line."""

    def levels(self, points: Points) -> Floats:
        """The levels of points."""

    def along(self, points: Points) -> Floats:
        """Where along the track points are."""

    def points(self, levels: Floats, along: Floats) -> Points:
        """The points there."""

    def moved(self, points: Points, shifts: Floats) -> Points:
        """Points that have gone on along the track, a row for each shift."""


@dataclass(frozen=True)
class Around:
    """Around a centre: levels are radii, places are angles."""

    centre: complex

    def levels(self, points: Points) -> Floats:
        """Radii."""
        return np.asarray(np.abs(points - self.centre))

    def along(self, points: Points) -> Floats:
        """Angles."""
        return np.asarray(np.angle(points - self.centre))

    def points(self, levels: Floats, along: Floats) -> Points:
        """The points there."""
        return np.asarray(self.centre + levels * np.exp(1j * along))

    def moved(self, points: Points, shifts: Floats) -> Points:
        """Points turned by angles."""
        return np.asarray(self.centre + np.exp(1j * shifts)[:, None] * (points - self.centre))


@dataclass(frozen=True)
class Along:
    """Along a line through a point: levels are distances to the right of it, places are lengths."""

    origin: complex
    way: complex

    def levels(self, points: Points) -> Floats:
        """Distances to the right."""
        return np.asarray((1j * self.way.conjugate() * (points - self.origin)).real)

    def along(self, points: Points) -> Floats:
        """Lengths."""
        return np.asarray((1j * self.way.conjugate() * (points - self.origin)).imag)

    def points(self, levels: Floats, along: Floats) -> Points:
        """The points there."""
        return np.asarray(self.origin - 1j * self.way * (levels + 1j * along))

    def moved(self, points: Points, shifts: Floats) -> Points:
        """Points shifted by lengths."""
        return np.asarray(points + self.way * shifts[:, None])

    def upright(self, region: Region) -> Region:
        """A region turned and moved so that the line is the y-axis: x are levels."""
        moved = region.moved((-self.origin.real, -self.origin.imag))
        return moved.turned(math.pi / 2 - math.atan2(self.way.imag, self.way.real))


@dataclass(frozen=True, eq=False)
class Teeth:
    """A row of alike teeth: at each level one of them goes from ``first`` to ``last``, the others pitches further."""

    track: Track
    zone: tuple[float, float]
    levels: Floats
    first: Floats
    last: Floats
    pitch: float
    count: int
    numbers: NDArray[np.intp]
    """Which of the teeth there are, counted in pitches from that one."""
    cut: int = 0
    """How many there really are, of a sector that stands for a whole wheel; 0 for a row that is as it is."""

    def outline(self) -> Points:
        """Points of the sides and tips of all teeth."""
        shares = np.linspace(0.0, 1.0, TIP)
        tips = [self.first[end] + shares * (self.last[end] - self.first[end]) for end in (0, -1)]
        places = np.concatenate([self.first, self.last, *tips])
        ends = [np.full(TIP, self.zone[end]) for end in (0, 1)]
        levels = np.concatenate([self.levels, self.levels, *ends])
        every = places + self.pitch * self.numbers[:, None]
        return self.track.points(np.broadcast_to(levels, every.shape).ravel(), every.ravel())

    def barred(self, other: Teeth, own_shifts: Floats, shifts: Floats) -> list[tuple[Floats, Floats]]:
        """From where to where, in its pitches, these teeth may not go on for points of the other's are in them.

        Both have gone on by shifts before, at most by a pitch; a pair of both ends for each of these.
        """
        outline = other.outline()
        levels, (last,) = self.track.levels(outline), other.track.moved(outline, shifts[-1:])
        reach = np.abs(last - outline)  # no point goes farther, and only near ones are looked at
        near = (levels >= self.zone[0] - reach) & (levels <= self.zone[1] + reach)
        points = other.track.moved(outline[near], shifts)
        levels = self.track.levels(points)
        inside = (levels >= self.zone[0]) & (levels <= self.zone[1])
        position, _ = np.nonzero(inside)
        levels, along = levels[inside], self.track.along(points[inside]) - own_shifts[position]
        both = [np.interp(levels, self.levels, ends) for ends in (self.last, self.first)]
        ends = np.searchsorted(position, np.arange(1, len(shifts)))
        lows, highs = (np.split((along - each) / self.pitch, ends) for each in both)
        return [*zip(lows, highs, strict=True)]


def teeth_around(region: Region, centre: complex, zone: tuple[float, float]) -> Teeth | None:
    """The teeth of a section around a centre, between two radii; None if what is there is no row of alike teeth."""
    at = (centre.real, centre.imag)
    levels = tooth_levels(zone, np.concatenate(region.edge_reaches(at)))
    spans = region.spans_around(at, levels)
    kept, zone = levels_with_teeth(levels, [len(each) for each in spans], zone)
    count = len(spans[kept[0]]) if len(kept) else 0
    if count < LEAST_AROUND:
        return None
    pitch = math.tau / count
    levels, ends = levels[kept], np.array([spans[place] for place in kept])
    middles = ends.mean(axis=2)
    mean = np.angle(np.exp(1j * count * middles).mean(axis=1)) / count
    steps = np.diff(mean)
    mean[1:] -= pitch * np.cumsum(np.round(steps / pitch))
    off = np.angle(np.exp(1j * count * (middles - mean[:, None]))) / count
    return alike_row(
        Around(centre), zone, levels, mean, off, np.diff(ends, axis=2)[..., 0], pitch, np.arange(count)
    )


def teeth_along(upright: Region, line: Along, zone: tuple[float, float]) -> Teeth | None:
    """The teeth of a section along a line, between two distances to the right of it; the line upright, as y."""
    runs = upright.runs
    levels = tooth_levels(zone, runs.tail.real)
    spans = [np.array(heights_met(runs, level)).reshape(-1, 2) for level in levels.tolist()]
    kept, zone = levels_with_teeth(levels, [len(each) for each in spans], zone)
    count = len(spans[kept[0]]) if len(kept) else 0
    if count < LEAST_ALONG:
        return None
    levels, ends = levels[kept], _between_ends(np.array([spans[place] for place in kept]))
    count = ends.shape[1]
    if count < LEAST_ALONG or not ends[..., 0].min() <= 0 <= ends[..., 1].max():
        return None
    middles = ends.mean(axis=2)
    pitch = float((middles[:, -1] - middles[:, 0]).mean()) / (count - 1)
    nearest = int(np.argmin(np.abs(middles[0])))
    numbers = np.arange(count) - nearest
    mean = (middles - pitch * numbers).mean(axis=1)
    off = middles - pitch * numbers - mean[:, None]
    return alike_row(line, zone, levels, mean, off, np.diff(ends, axis=2)[..., 0], pitch, numbers)


def _between_ends(spans: Floats) -> Floats:
    """Spans along a bar at each level, without ends in which no teeth are cut: these are as wide as a pitch."""
    pitch = float(np.median(np.diff(spans[..., 0], axis=1)[:, 1:]))
    wide = np.diff(spans, axis=2)[..., 0].min(axis=0) >= pitch
    return spans[:, int(wide[0]) : spans.shape[1] - int(wide[-1])]


def tooth_levels(zone: tuple[float, float], corners: Floats) -> Floats:
    """Levels all over a zone, and on both sides of those of corners."""
    low, high = zone
    edge = EDGE * (high - low)
    even = np.linspace(low + edge, high - edge, LEVELS)
    known = np.unique(np.round(corners[(corners > low) & (corners < high)] / edge)) * edge
    beside = np.concatenate([known - 0.6 * edge, known + 0.6 * edge])
    return np.unique(np.concatenate([even, beside[(beside > even[0]) & (beside < even[-1])]]))


def levels_with_teeth(
    levels: Floats, counts: list[int], zone: tuple[float, float]
) -> tuple[NDArray[np.intp], tuple[float, float]]:
    """The levels at which there are as many teeth as at most levels, and the zone with anything in it.

    None if other numbers, or gaps between the levels, are elsewhere than near the ends. What is there counts as at the
    nearest level that is kept, which is more rather than less.
    """
    every, nothing = np.array(counts), np.zeros(0, dtype=np.intp)
    full = np.flatnonzero(every)
    if not len(full) or len(full) != full[-1] - full[0] + 1:
        return nothing, zone
    low = zone[0] if full[0] == 0 else float(levels[full[0]])
    high = zone[1] if full[-1] == len(every) - 1 else float(levels[full[-1]])
    usual = int(np.bincount(every[full]).argmax())
    other = levels[full[every[full] != usual]]
    inset = ENDS * (high - low)
    if np.any((other > low + inset) & (other < high - inset)):
        return nothing, zone
    return np.flatnonzero(every == usual), (low, high)


def alike_row(
    track: Track,
    zone: tuple[float, float],
    levels: Floats,
    middles: Floats,
    off: Floats,
    widths: Floats,
    pitch: float,
    numbers: NDArray[np.intp],
) -> Teeth | None:
    """Teeth by their middles and widths at all levels, if they are alike."""
    width = widths.mean(axis=1)
    if max(np.abs(off).max(), np.abs(widths - width[:, None]).max()) > ALIKE * pitch:
        return None
    if width.max() >= pitch * (1 - CROWDING):
        return None
    half = width / 2
    return Teeth(track, zone, levels, middles - half, middles + half, pitch, len(numbers), numbers)


# ----------------------------------------------------------------------------------------- whether they fit


@dataclass(frozen=True)
class Fit:
    """Two rows of teeth that mesh; all in pitches.

    ``play`` is what is free all the way, below 0 if they reach into each other by that; ``off`` by how much the second
    row would have to go on to stand in the middle of its play, 0 if it is free where it is drawn; ``free`` from where
    to where it may go on, or whole pitches more or less. Where nothing is free all the way, but something everywhere,
    ``wavers`` tells by how much the second row has to lead and lag.
    """

    play: float
    off: float
    free: tuple[float, float]
    wavers: float = 0.0


@dataclass(frozen=True, eq=False)
class Met:
    """Two rows of teeth at a height, how they fit, and the way that the second goes for a pitch of the first."""

    teeth: tuple[Teeth, Teeth]
    fit: Fit
    way: int
    heights: tuple[float, float]


def fit(a: Teeth, b: Teeth, way: int) -> Fit | None:
    """How two rows of teeth fit that go on together, pitch for pitch, the same way (1) or opposite ways (-1)."""
    shares = np.arange(POSITIONS) / POSITIONS
    shifts = shares * a.pitch, way * shares * b.pitch
    barred = []
    for (low, high), second in zip(a.barred(b, *shifts), b.barred(a, *shifts[::-1]), strict=True):
        first = (low, high) if way < 0 else (-high, -low)
        for lows, highs in (first, second):
            if _widest(_gaps(lows + CROWDING, highs - CROWDING)) > MOST_PLAY + 2 * CROWDING:
                return None
        barred.append([np.concatenate(each) for each in zip(first, second, strict=True)])
    lows, highs = (np.concatenate(each) for each in zip(*barred, strict=True))
    gaps = _gaps(lows + CROWDING, highs - CROWDING)
    each = [_gaps(lows + CROWDING, highs - CROWDING) for lows, highs in barred]
    if not len(gaps):
        return _wavering(each)
    start, length = min(gaps, key=lambda gap: abs(_nearest(gap)))
    return _standing(each[0], start, length, float(length))


def _standing(drawn: Floats, start: float, length: float, play: float, wavers: float = 0.0) -> Fit:
    """A fit with a gap in which the second row may stand, and the gaps that it has where it is drawn."""
    is_free = any(start <= 0 <= start + length or start <= 1 <= start + length for start, length in drawn)
    off, half = _nearest((start, length)), float(length) / 2
    free = off - half, off + half
    if is_free:  # in one position, though perhaps not in all
        off, free = 0.0, (min(free[0], 0.0), max(free[1], 0.0))
    return Fit(play - 2 * CROWDING, off, free, wavers)


def _wavering(gaps: Sequence[Floats]) -> Fit | None:
    """A fit of rows that stay clear if the second leads and lags a little: gaps of all positions, one after another."""
    if not all(map(len, gaps)):
        return None
    start, length = min(gaps[0], key=lambda gap: abs(_nearest(gap)))
    lows, highs = [start], [start + length]
    for rows in [*gaps[1:], gaps[0]]:
        around = np.vstack([rows + np.array([turn, 0]) for turn in (-1, 0, 1)])
        common = np.minimum(around.sum(axis=1), highs[-1]) - np.maximum(around[:, 0], lows[-1])
        most = int(common.argmax())
        if common[most] <= 0:
            return None
        lows.append(around[most, 0])
        highs.append(around[most].sum())
    wavers, play = float(max(lows) - min(highs)), float(np.subtract(highs, lows).min())
    if wavers > WAVERING or play < 2 * CROWDING or abs(lows[-1] - start) > CROWDING:
        return None
    return _standing(gaps[0], start, length, play, wavers)


def _nearest(gap: Sequence[float] | Floats) -> float:
    """How far from a whole number the middle of a gap is."""
    middle = float(gap[0] + gap[1] / 2)
    return middle - round(middle)


def _gaps(lows: Floats, highs: Floats) -> Floats:
    """What intervals leave of a circle of length one: rows of where a gap begins, from 0 to 1, and how long it is."""
    real = highs > lows
    lows, highs = lows[real], highs[real]
    if not len(lows):
        return np.array([[0.0, 1.0]])
    turns = np.floor(lows)
    lows, highs = lows - turns, highs - turns
    order = np.argsort(lows)
    lows, highs = lows[order], highs[order]
    reached = np.maximum(np.maximum.accumulate(highs), highs.max() - 1)
    following = np.append(lows[1:], lows[0] + 1)
    free = following - reached
    rows: Floats = np.column_stack([reached, free])[free > 0]
    return rows


def _widest(gaps: Floats) -> float:
    return float(gaps[:, 1].max(initial=0.0))
