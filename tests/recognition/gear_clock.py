"""A clock of sixty parts: two plates, nine pillars, twenty-five arbors and the wheels pressed on them.

The train goes to and fro in rows. Each arbor but the last has a pinion, which drives the wheel on the next one; three
layers are used in turn, so that no wheel is in the way of another arbor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from solid_machines import Solids, box, rod

from linkwork.solid import Cylinder, Prism, Solid
from linkwork.solid.region import Region, involute_gear

WHEEL, PINION = 20, 10
APART = (WHEEL + PINION) / 2
LAYERS, THICK = 3, 3.0
TOP = 1.0 + LAYERS * (THICK + 1)
SHAFT, PIVOT, PRESS = 1.0, 0.6, 0.02
BACKLASH = 0.1
ACROSS, UP = 4, 2
"""How many steps a row goes on, and how many go up to the next."""


@dataclass(frozen=True)
class Arbor:
    """Where it stands, and how far it is turned."""

    at: tuple[float, float]
    turned: float


def arbors(count: int) -> list[Arbor]:
    """The arbors of the train, each with its wheel in mesh with the pinion before."""
    found = [Arbor((0.0, 0.0), 0.0)]
    for _, way in zip(range(count - 1), _ways(), strict=False):
        before = found[-1]
        at = before.at[0] + APART * math.cos(way), before.at[1] + APART * math.sin(way)
        behind = (way - before.turned) * PINION / math.tau
        found.append(Arbor(at, way + math.pi + (0.5 + behind) * math.tau / WHEEL))
    return found


def _ways() -> Iterator[float]:
    """The directions from each arbor to the next."""
    row = 0
    while True:
        yield from [math.pi * (row % 2)] * ACROSS
        yield from [math.pi / 2] * UP
        row += 1


def gear_clock(count: int = 25, *, teeth: bool) -> Solids:
    """The clock, with real teeth or with pitch cylinders; ``count`` arbors."""
    train = arbors(count)
    low = [min(arbor.at[axis] for arbor in train) - 20 for axis in (0, 1)]
    high = [max(arbor.at[axis] for arbor in train) + 20 for axis in (0, 1)]
    bottom = box((low[0], low[1], -3), (high[0], high[1], 0))
    cover = box((low[0], low[1], TOP), (high[0], high[1], TOP + 3))
    for arbor in train:
        bottom -= rod(PIVOT, (*arbor.at, -3.5), 4)
        cover -= rod(PIVOT, (*arbor.at, TOP - 0.5), 4)
    solids: Solids = {"bottom": bottom, "cover": cover}
    for place, at in enumerate(_pillars(low, high)):
        for plate in ("bottom", "cover"):
            solids[plate] -= rod(1.5 * (1 - PRESS), (*at, -4), TOP + 8)
        solids[f"pillar_{place}"] = rod(1.5, (*at, -3), TOP + 6) | rod(2.5, (*at, 0), TOP)
    for place, arbor in enumerate(train):
        solids[f"arbor_{place}"] = _arbor(place, arbor, place + 1 < count, teeth=teeth)
        if place:
            solids[f"wheel_{place}"] = _wheel(place, arbor, teeth=teeth)
    return solids


def meshes(count: int = 25) -> dict[frozenset[str], float]:
    """Which parts of the clock mesh, and in which ratio: how far the later arbor turns for a turn of the earlier."""
    return {
        frozenset((f"arbor_{place}", f"wheel_{place + 1}")): -PINION / WHEEL for place in range(count - 1)
    }


def _pillars(low: list[float], high: list[float]) -> list[tuple[float, float]]:
    """Nine places at the rim."""
    middle = [(low[axis] + high[axis]) / 2 for axis in (0, 1)]
    inset = [(low[axis] + 4, middle[axis], high[axis] - 4) for axis in (0, 1)]
    around = [(x, y) for x in inset[0] for y in inset[1] if x != middle[0] or y != middle[1]]
    return [*around, ((inset[0][0] + middle[0]) / 2, inset[1][0])]


def _height(layer: int) -> float:
    return 1.0 + layer % LAYERS * (THICK + 1)


def _row(count: int, *, teeth: bool) -> Solid:
    if teeth:
        return Prism(involute_gear(count, 1.0, backlash=BACKLASH), THICK)
    return Cylinder(count / 2, THICK).named("pitch", gear=True)


def _arbor(place: int, arbor: Arbor, has_pinion: bool, *, teeth: bool) -> Solid:
    solid = rod(SHAFT, (0, 0, 0), TOP) | rod(PIVOT, (0, 0, -3), TOP + 6)
    if has_pinion:
        solid |= _row(PINION, teeth=teeth).moved((0, 0, _height(place)))
    return solid.turned(arbor.turned).moved((*arbor.at, 0))


def _wheel(place: int, arbor: Arbor, *, teeth: bool) -> Solid:
    row = _row(WHEEL, teeth=teeth) - Prism(Region.circle(SHAFT * (1 - PRESS)), THICK + 2).moved((0, 0, -1))
    return row.turned(arbor.turned).moved((*arbor.at, _height(place - 1)))
