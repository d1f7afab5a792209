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
from linkwork.solid.placement import Floats, Triple, cross, triple
from linkwork.solid.surface import TURN

MOST: Final = 12
"""Between how many cuts along each direction points are put; of more, some."""
AROUND: Final = 24
"""At how many angles a circle is looked at."""
BESIDE: Final = 4.0
"""How many skins beside a circle its points are."""
TURNS: Final = math.tau * (np.arange(AROUND) + 0.5) / AROUND
CIRCLE: Final = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
SQUARE: Final = 1e-9
"""Faces that differ from a right angle by less than this stand upright."""


class Cuts:
    """Where the faces of two parts cut planes, kept for directions that were asked for."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        self._bodies = bodies
        self._beside = BESIDE * max(body.skin for body in bodies)
        self._across: dict[Triple, Floats] = {}
        self._circles: dict[Triple, tuple[Floats, Floats]] = {}

    def points(self, frame: Floats, low: Floats, high: Floats) -> Floats:
        """Points of a rectangle between cuts, and beside circles; none if there are no cuts.

        The frame has a point and two directions; along these the rectangle goes from low coordinates to high ones.
        """
        origin, ways = frame[0], frame[1:]
        found = [self._beside_circles(origin, ways, low, high)]
        cuts = [self._between(origin, *each) for each in zip(ways, low, high, strict=True)]
        if any(len(each) > 3 for each in cuts):
            found.append(np.stack(np.meshgrid(*cuts), axis=-1).reshape(-1, 2))
        every = np.vstack(found)
        within = np.all((every > low) & (every < high), axis=1)
        return np.asarray(origin + every[within] @ ways)

    def _between(self, origin: Floats, way: Floats, low: float, high: float) -> Floats:
        """Coordinates between faces that stand across a direction: halfway, and close to both."""
        places = self._faces_across(way) - origin @ way
        first, last = places.searchsorted([low + self._beside, high - self._beside])
        ends = np.concatenate([[low], places[first:last], [high]])
        wide = np.flatnonzero(ends[1:] - ends[:-1] > 2 * self._beside)
        chosen = wide[:: max(1, -(-len(wide) // MOST))]
        before, behind = ends[chosen], ends[chosen + 1]
        return np.concatenate([before + self._beside, (before + behind) / 2, behind - self._beside])

    def _faces_across(self, way: Floats) -> Floats:
        """Where along a direction plane faces stand across it, in order."""
        key = triple(way)
        if key not in self._across:
            found = []
            for body in self._bodies:
                along = body.flats.normals @ way
                across = np.abs(along) > 1 - SQUARE
                found.append(body.flats.offsets[across] * np.sign(along[across]))
            self._across[key] = np.unique(np.concatenate(found))
        return self._across[key]

    def _beside_circles(self, origin: Floats, ways: Floats, low: Floats, high: Floats) -> Floats:
        """Coordinates of points just inside and outside of circles in which cylinders cut a plane near a rectangle."""
        points, radii = self._upright(ways)
        centres = (points - origin) @ ways.T
        away = np.maximum(0.0, np.maximum(low - centres, centres - high)).max(axis=1, initial=0.0)
        near = (away < radii) & (
            np.abs(centres - (low + high) / 2).max(axis=1, initial=0.0) < radii + (high - low).max()
        )
        rings = np.concatenate([radii[near] - self._beside, radii[near] + self._beside])
        found = np.tile(centres[near], (2, 1))[:, None] + rings[:, None, None] * CIRCLE
        return np.asarray(found.reshape(-1, 2))

    def _upright(self, ways: Floats) -> tuple[Floats, Floats]:
        """Points of axes and the radii of whole cylinders across two directions; arcs are of teeth and corners."""
        key = triple(cross(*ways))
        if key not in self._circles:
            found = []
            for rounds in (body.round_arrays for body in self._bodies):
                upright = rounds.are_cylinders & (
                    np.abs(rounds.axes @ ways.T).max(axis=1, initial=0.0) < SQUARE
                )
                chosen = upright & (rounds.angles[:, 1] > TURN - SQUARE)
                found.append((rounds.points[chosen], rounds.radii[chosen, 0]))
            points, radii = zip(*found, strict=True)
            self._circles[key] = np.vstack(points), np.concatenate(radii)
        return self._circles[key]
