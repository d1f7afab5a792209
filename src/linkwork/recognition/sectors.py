"""Sectors of gears: levers that have some teeth of a wheel only, in mesh with a wheel or with each other.

A sector turns to and fro. So what counts is where it is drawn in mesh: of both parts what is within the reach of the
other there, and the teeth that follow one another from there on. They are taken for those of the whole wheel of which
they are a piece, and the same motion decides as of whole wheels.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import replace
from typing import Final

import numpy as np

from linkwork.recognition.teeth import (
    ALIKE,
    LEAST_SECTOR,
    Around,
    Met,
    Teeth,
    alike_row,
    fit,
    levels_with_teeth,
    teeth_around,
    tooth_levels,
)
from linkwork.solid.placement import Floats
from linkwork.solid.region import Region

WIDEST: Final = math.pi
"""The most of a turn that a sector has teeth on: with more it is a wheel that lacks teeth, and gets out of mesh."""
ROUNDS: Final = 3
"""How often the reaches of two parts are cut down to where the other reaches; the second time changes little."""


def sectors_around_each_other(
    regions: tuple[Region, Region], centres: tuple[complex, complex], layer: tuple[float, float]
) -> Met | None:
    """The teeth of two sections about two centres, one or both of a sector, if they mesh from outside."""
    apart = abs(centres[1] - centres[0])
    tips = _tips_in_reach(regions, centres, apart)
    if sum(tips) <= apart or max(tips) >= apart:
        return None
    zones = [(apart - tips[1 - place], tips[place]) for place in (0, 1)]
    found = []
    for place in (0, 1):
        towards = cmath.phase(centres[1 - place] - centres[place])
        teeth = _sector(regions[place], centres[place], zones[place], towards)
        found.append(teeth or _whole(regions[place], centres[place], zones[place]))
    first, second = found
    if first is None or second is None or first.cut == second.cut == 0:
        return None
    for place, teeth, partner in ((0, first, second), (1, second, first)):
        if teeth.cut and not partner.cut and _is_on_a_disc(regions[place], teeth):
            return None
    fitting = fit(first, second, -1)
    return None if fitting is None else Met((first, second), fitting, -1, layer)


def _tips_in_reach(
    regions: tuple[Region, Region], centres: tuple[complex, complex], apart: float
) -> list[float]:
    """How far from its centre each of two sections reaches where the other can reach as it is drawn."""
    tips = [apart, apart]
    for _ in range(ROUNDS):
        for place in (0, 1):
            other, own = centres[1 - place], centres[place]
            near = regions[place] & Region.circle(tips[1 - place], (other.real, other.imag))
            tips[place] = float(near.edge_reaches((own.real, own.imag))[1].max(initial=0.0)) if near else 0.0
            if not tips[place]:
                return [0.0, 0.0]
    return tips


def _whole(region: Region, centre: complex, zone: tuple[float, float]) -> Teeth | None:
    """The teeth of a whole wheel, which reaches nowhere farther than in its zone."""
    reach = float(region.edge_reaches((centre.real, centre.imag))[1].max())
    return teeth_around(region, centre, zone) if reach <= zone[1] * (1 + ALIKE) else None


def _sector(region: Region, centre: complex, zone: tuple[float, float], towards: float) -> Teeth | None:
    """The teeth of a section that follow one another on both sides of a direction, as those of a whole wheel."""
    at = (centre.real, centre.imag)
    levels = tooth_levels(zone, np.concatenate(region.edge_reaches(at)))
    spans = [_seen_from(each, towards) for each in region.spans_around(at, levels)]
    window = _window(spans[len(spans) // 2])
    if window is None:
        return None
    inside = [(each.mean(axis=1) > window[0]) & (each.mean(axis=1) < window[1]) for each in spans]
    kept, zone = levels_with_teeth(levels, [int(each.sum()) for each in inside], zone)
    count = int(inside[kept[0]].sum()) if len(kept) else 0
    if count < LEAST_SECTOR:
        return None
    ends = np.array([spans[place][inside[place]] for place in kept])
    middles = ends.mean(axis=2)
    pitch = float((middles[:, -1] - middles[:, 0]).mean()) / (count - 1)
    whole = round(math.tau / pitch)
    if abs(math.tau / pitch - whole) > whole * ALIKE / (count - 1):
        return None
    pitch = math.tau / whole
    row = middles - pitch * np.arange(count)
    mean = row.mean(axis=1)
    widths = np.diff(ends, axis=2)[..., 0]
    off = row - mean[:, None]
    teeth = alike_row(
        Around(centre), zone, levels[kept], mean + towards, off, widths, pitch, np.arange(whole)
    )
    return None if teeth is None else replace(teeth, cut=count)


def _seen_from(spans: Floats, towards: float) -> Floats:
    """Spans of angles in their order, measured from a direction; their middles within half a turn of it."""
    seen = spans - towards
    seen = seen - math.tau * np.round(seen.mean(axis=1) / math.tau)[:, None]
    return np.asarray(seen[np.argsort(seen[:, 0], kind="stable")])


def _window(spans: Floats) -> tuple[float, float] | None:
    """From where to where there are teeth, alike and evenly spaced, about zero; half a pitch more at both ends."""
    if len(spans) < LEAST_SECTOR:
        return None
    middles, widths = spans.mean(axis=1), np.diff(spans, axis=1)[:, 0]
    nearest = int(np.argmin(np.abs(middles)))
    steps = np.diff(middles)
    pitch = float(steps[max(0, nearest - 1) : nearest + 1].min())
    slack = 2 * ALIKE * pitch
    first = last = nearest
    while (
        first > 0
        and abs(steps[first - 1] - pitch) <= slack
        and abs(widths[first - 1] - widths[nearest]) <= slack
    ):
        first -= 1
    while (
        last < len(steps)
        and abs(steps[last] - pitch) <= slack
        and abs(widths[last + 1] - widths[nearest]) <= slack
    ):
        last += 1
    low, high = float(middles[first]) - pitch / 2, float(middles[last]) + pitch / 2
    is_met = low <= 0 <= high
    return (low, high) if is_met and high - low <= WIDEST else None


def _is_on_a_disc(region: Region, teeth: Teeth) -> bool:
    """Whether teeth stand on a disc that goes all round, so that it turns on without them: an intermittent gear."""
    assert isinstance(teeth.track, Around)
    centre, (low, high) = teeth.track.centre, teeth.zone
    (spans,) = region.spans_around((centre.real, centre.imag), [max(low - (high - low), low / 2)])
    return float(np.diff(spans, axis=1).sum()) > math.tau * (1 - ALIKE)
