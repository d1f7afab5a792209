"""How deep parts are in one another in the rows of a motion, by shapely on polygons of the true outlines.

Shares nothing with the engine but the sections of the solids and the poses in the rows: it looks at all parts that have
heights in common, whether the engine thinks that they may touch or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely

from linkwork.contact import ContactSolution
from linkwork.kinematics.arrays import Matrix
from linkwork.model.solids import part_solids
from linkwork.solid.layers import Layer, layers
from random_regions import as_shapely

CHORD = 1e-6
"""How far chords may be off their arcs, by the size."""
SPACING = 5e-3
"""Of points along outlines, by the size."""


@dataclass(frozen=True, eq=False)
class Slab:
    """A layer of a part, and points along its outline."""

    low: float
    high: float
    shape: shapely.Geometry
    points: Matrix

    @property
    def circle(self) -> tuple[Matrix, float]:
        middle = (self.points.min(axis=0) + self.points.max(axis=0)) / 2
        return middle, float(np.max(np.hypot(*(self.points - middle).T)))


def slab_of(layer: Layer, size: float, chord: float) -> Slab:
    shape = as_shapely(layer.region, chord * size)
    points = shapely.get_coordinates(shapely.segmentize(shape.boundary, SPACING * size))
    shapely.prepare(shape)
    return Slab(layer.low, layer.high, shape, points)


def placed(points: Matrix, pose: Sequence[float]) -> Matrix:
    """Points of a part in the world."""
    x, y, angle = pose
    c, s = math.cos(angle), math.sin(angle)
    moved: Matrix = points @ np.array([[c, s], [-s, c]]) + [x, y]
    return moved


def seen(points: Matrix, pose: Sequence[float]) -> Matrix:
    """Points of the world from a part."""
    x, y, angle = pose
    return placed(points - [x, y], (0.0, 0.0, -angle))


def depth(one: Slab, at_one: Sequence[float], other: Slab, at_other: Sequence[float]) -> float:
    """How far a point of one outline is inside the other part, at most."""
    deepest = 0.0
    for own, at_own, its, at_its in ((one, at_one, other, at_other), (other, at_other, one, at_one)):
        points = seen(placed(own.points, at_own), at_its)
        middle, reach = its.circle
        points = points[np.hypot(*(points - middle).T) < reach]
        inside = points[shapely.contains_xy(its.shape, points)] if len(points) else points
        if len(inside):
            deepest = max(
                deepest, float(np.max(shapely.distance(its.shape.boundary, shapely.points(inside))))
            )
    return deepest


def deepest_overlap(
    solution: ContactSolution, rows: Iterable[int], but: Iterable[frozenset[str]] = (), chord: float = CHORD
) -> tuple[float, str]:
    """The deepest overlap of two parts in some rows, by the size of the machine; and where."""
    but = {*but}
    machine = solution.machine
    solids = part_solids(machine)
    boxes = np.array([solid.box for solid in solids.values()])
    size = float(np.linalg.norm(np.ptp(boxes.reshape(-1, 3), axis=0)[:2]) / 2)
    slabs = {name: [slab_of(layer, size, chord) for layer in layers(solid)] for name, solid in solids.items()}
    pairs = [
        (one, other, own, its)
        for one, other in combinations(slabs, 2)
        if frozenset((one, other)) not in but
        for own in slabs[one]
        for its in slabs[other]
        if min(own.high, its.high) - max(own.low, its.low) > 1e-9 * (own.high - own.low + its.high - its.low)
    ]
    found = (0.0, "")
    for row in rows:
        poses = dict.fromkeys(slabs, (0.0, 0.0, 0.0)) | {
            name: tuple(float(solution.columns[f"{name}.{which}"][row]) for which in ("x", "y", "angle"))
            for name in machine.moving
        }
        for one, other, own, its in pairs:
            found = max(found, (depth(own, poses[one], its, poses[other]) / size, f"{one}, {other}: {row}"))
    return found
