"""Bars with corners in round holes: a square shaft that turns in a bore, with its edges along the wall."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.recognition.rounds import Rounds
from linkwork.recognition.stretches import PARALLEL
from linkwork.recognition.touch import CLEARANCE, Contact
from linkwork.solid.placement import Floats, Triple, cross, triple
from linkwork.solid.surface import TURN

MOST: Final = 100
"""Parts with more plane faces than these are no bars."""
LEAST: Final = 3
"""How many edges lie along the wall at least."""


def corner_shafts(a: Body, b: Body, tolerance: float) -> Iterator[Contact]:
    """The contacts of bars of either part in round holes of the other."""
    yield from _in_holes(a, b, tolerance)
    yield from (each.flipped() for each in _in_holes(b, a, tolerance))


def _in_holes(hole: Body, bar: Body, tolerance: float) -> Iterator[Contact]:
    rounds = hole.round_arrays
    if not LEAST <= len(bar.flats) <= MOST or not len(rounds):
        return
    whole = rounds.are_cylinders & (rounds.angles[:, 1] > TURN - PARALLEL)
    ends = rounds.points[:, None] + rounds.spans[:, :, None] * rounds.axes[:, None]
    low, high = bar.box
    goes_through = ((ends.min(axis=1) <= high) & (ends.max(axis=1) >= low)).all(axis=1)
    edges: dict[Triple, tuple[Floats, Floats]] = {}
    for place in np.flatnonzero(whole & goes_through):
        axis = rounds.axes[place]
        if triple(axis) not in edges:
            edges[triple(axis)] = _edges(bar, axis)
        found = _in_hole(hole, bar, rounds, int(place), edges[triple(axis)], tolerance)
        if found is not None:
            yield found


def _in_hole(
    hole: Body, bar: Body, rounds: Rounds, place: int, edges: tuple[Floats, Floats], tolerance: float
) -> Contact | None:
    """The contact of the edges of a bar with the wall of a hole, if they are all around it."""
    radius, (zero, quarter, axis), origin = (
        float(rounds.radii[place, 0]),
        rounds.frames[place],
        rounds.points[place],
    )
    starts, ends = edges
    radial = starts - origin
    radial = radial - np.outer(radial @ axis, axis)
    apart = np.linalg.norm(radial, axis=1)
    may = (apart >= radius * (1 - CLEARANCE)) & (apart <= radius + tolerance)
    if np.count_nonzero(may) < LEAST:
        return None
    may &= apart >= apart[may].max() - tolerance
    heights = np.sort(np.column_stack([(each - origin) @ axis for each in (starts, ends)]), axis=1)
    low, high = np.clip(heights, *np.sort(rounds.spans[place])).T
    may &= high - low > tolerance
    outward = radial / np.where(apart > 0, apart, 1.0)[:, None]
    middles = origin + ((low + high) / 2)[:, None] * axis
    may[may] &= hole.bounded((middles + radius * outward)[may], -outward[may])
    may[may] &= bar.bounded((middles + apart[:, None] * outward)[may], outward[may])
    turns = np.unique(np.round(np.arctan2(outward[may] @ quarter, outward[may] @ zero), 6))
    if len(turns) < LEAST or np.diff([*turns, turns[0] + math.tau]).max() > math.pi - PARALLEL:
        return None
    feet = [origin + each[may, None] * axis + radius * outward[may] for each in (low, high)]
    reach = float(low[may].min()), float(high[may].max())
    return Contact(
        "shaft",
        np.concatenate(feet),
        np.tile(-outward[may], (2, 1)),
        max(0.0, 2 * (radius - float(apart[may].max()))),
        1,
        axis,
        origin + sum(reach) / 2 * axis,
        float(apart[may].max()),
        reach[1] - reach[0],
        True,
    )


def _edges(bar: Body, axis: Floats) -> tuple[Floats, Floats]:
    """The ends of the edges along an axis of the plane faces that lie along it."""
    corners = bar.flats.corners[np.abs(bar.flats.normals @ axis) < PARALLEL]
    starts, ends = corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3)
    ways = ends - starts
    along = np.linalg.norm(cross(ways, axis), axis=1) <= PARALLEL * np.linalg.norm(ways, axis=1)
    return starts[along], ends[along]
