"""Points on what is left of plane faces between cuts: the rim of a box, the end of a thin tube.

A grid over a face may miss what is narrow. Where other faces of a part cut a plane, something may be left between two
cuts that follow one another, and beside each circle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from linkwork.recognition.body import Body
from linkwork.solid.placement import Floats

MOST: Final = 24
"""Between how many cuts along each direction points are put; of more, some."""
AROUND: Final = 24
"""At how many angles a circle is looked at."""
BESIDE: Final = 4.0
"""How many skins beside a circle its points are."""
SQUARE: Final = 1e-9
"""Faces that differ from a right angle by less than this stand upright."""


def rim_points(bodies: Sequence[Body], frame: Floats, low: Floats, high: Floats) -> Floats:
    """Points of a rectangle between the cuts of parts across it, and beside their circles; none if there are no cuts.

    The frame has a point and two directions, along which the rectangle goes from the low coordinates to the high ones.
    """
    origin, ways = frame[0], frame[1:]
    cuts = [_cuts(bodies, origin, way, *ends) for way, *ends in zip(ways, low, high, strict=True)]
    found = [_beside_circles(bodies, origin, ways)]
    if any(len(each) > 1 for each in cuts):
        found.append(np.stack(np.meshgrid(*cuts), axis=-1).reshape(-1, 2))
    every = np.vstack(found)
    within = np.all((every > low) & (every < high), axis=1)
    return np.asarray(origin + every[within] @ ways)


def _cuts(bodies: Sequence[Body], origin: Floats, way: Floats, low: float, high: float) -> Floats:
    """The coordinates halfway between faces that stand across a direction."""
    edges = [low, high]
    for body in bodies:
        along = body.flats.normals @ way
        across = np.abs(along) > 1 - SQUARE
        places = body.flats.offsets[across] * np.sign(along[across]) - origin @ way
        edges += places[(places > low + BESIDE * body.skin) & (places < high - BESIDE * body.skin)].tolist()
    ends = np.unique(edges)
    middles = (ends[1:] + ends[:-1]) / 2
    step = -(-len(middles) // MOST)
    return np.asarray(np.unique([*middles[::step], middles[-1]]))


def _beside_circles(bodies: Sequence[Body], origin: Floats, ways: Floats) -> Floats:
    """Coordinates of points just inside and outside of the circles in which cylinders cut a plane."""
    turns = math.tau * (np.arange(AROUND) + 0.5) / AROUND
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    found = [np.zeros((0, 2))]
    for body in bodies:
        rounds = body.round_arrays
        upright = rounds.are_cylinders & (np.abs(rounds.axes @ ways.T).max(axis=1, initial=0.0) < SQUARE)
        for point, (radius, _) in zip(rounds.points[upright], rounds.radii[upright], strict=True):
            for beside in (-BESIDE * body.skin, BESIDE * body.skin):
                found.append((point - origin) @ ways.T + (radius + beside) * circle)
    return np.vstack(found)
