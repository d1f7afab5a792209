"""Other ways to the motion of a snap-fit: the exact algorithm that looks at all pairs, and small steps of time."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from linkwork.fasten import Design, ahead
from linkwork.fasten.near import Near
from linkwork.fasten.slices import Feature

TURN = 1e-3
"""Radians by which a pawl is turned to look for room."""


@contextmanager
def all_pairs() -> Iterator[None]:
    """The exact algorithm without its index: for each event all constraints are solved for, as in the paper's §8."""

    def features(self: Near, times: tuple[float, float], angles: tuple[float, float]) -> list[Feature]:
        corners, vertices = (
            np.flatnonzero(self.corner_bulges).tolist(),
            np.flatnonzero(self.pawl_bulges).tolist(),
        )
        on_corners = [Feature("A", edge, corner) for edge in range(len(self.pawl)) for corner in corners]
        return on_corners + [
            Feature("B", vertex, edge) for vertex in vertices for edge in range(len(self.corners))
        ]

    indexed, few = Near.features, ahead.FEW
    try:
        Near.features, ahead.FEW = features, 10**9  # type: ignore[method-assign]
        yield
    finally:
        Near.features, ahead.FEW = indexed, few  # type: ignore[method-assign]


def stepped(design: Design, step: float) -> list[float]:
    """Times of snaps, by steps of time, with shapely to tell whether the pawl is free.

    In each step the pawl is turned to the nearest angle at which it is free, and from there towards rest.
    """
    shapely = importlib.import_module("shapely")
    pawl = design.pawls[0]
    outline = np.array([[float(x), float(y)] for x, y in pawl.poly])
    blocks = shapely.MultiPolygon(
        [shapely.Polygon([(float(x), float(y)) for x, y in each.poly]) for each in design.obstacles]
    )
    shapely.prepare(blocks)
    hinge = np.array([float(a + b) for a, b in zip(design.p0, pawl.hinge, strict=True)])
    velocity = np.array([float(x) for x in design.v])
    rest = theta = 2 * math.atan(float(pawl.rest.half_tan))
    snaps: list[float] = []
    for k in range(int(float(design.duration) / step)):
        place = hinge + k * step * velocity

        def is_free(angle: float, place: Any = place) -> bool:
            c, s = math.cos(angle), math.sin(angle)
            return not shapely.intersects(
                blocks, shapely.Polygon(outline @ np.array([[c, s], [-s, c]]) + place)
            )

        before = theta
        away = 0
        while not is_free(theta + away * TURN):
            away = -away if away > 0 else 1 - away
            if abs(away) * TURN > 0.5:
                return snaps
        theta += away * TURN
        while abs(theta - rest) > TURN and is_free(theta - math.copysign(TURN, theta - rest)):
            theta -= math.copysign(TURN, theta - rest)
        if abs(theta - before) > 20 * TURN:
            snaps.append(k * step)
    return snaps
