"""Plane shapes to regions: matrices are carried down to the shapes, which are then made where they stand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeVar

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.solid.region import Region, difference, hull, intersection, union
from linkwork.solid.scad.effort import OF_AN_EDGE, crossing, cutting
from linkwork.solid.scad.evaluate import Tell
from linkwork.solid.scad.fault import Complaint, Place, ScadError
from linkwork.solid.scad.frames import Note, mapped, plane_part
from linkwork.solid.scad.limits import LARGEST_NUMBER, SMALLEST_LENGTH, Making
from linkwork.solid.scad.offsets import offset_region
from linkwork.solid.scad.outlines import outline_of, paths_of
from linkwork.solid.scad.sums import region_sum
from linkwork.solid.scad.tasks import Task
from linkwork.solid.scad.tree import (
    PLANE,
    Combined,
    Extruded,
    Holder,
    Hull,
    Leaf,
    Matrix,
    Minkowski,
    Node,
    Offset,
    Outline,
    Resized,
    Revolved,
    Transformed,
)

Made = TypeVar("Made")
TIMES_OF_AN_OFFSET = 8
"""Bands and corners have so many times as many edges as the outline."""


class RegionBuilder:
    """The making of regions; what is not exact is told once for each place."""

    def __init__(self, tell: Tell | None) -> None:
        self.tell = tell
        self.making = Making()
        self._told: set[tuple[str, str]] = set()

    def note(self, place: Place) -> Note:
        """What tells that something at a place is not exact."""

        def noted(text: str) -> None:
            key = (str(place), text)
            if self.tell is not None and key not in self._told:
                self.tell(f"NOTE: {place}: {text}")
            self._told.add(key)

        return noted

    def made(self, place: Place, steps: float, making: Callable[[], Made]) -> Made:
        """Make something that takes so many steps, and tell where if it cannot be."""
        try:
            self.making.spend(steps)
            return making()
        except Complaint as complaint:
            raise complaint.at(place) from None
        except ScadError:
            raise
        except LinkworkError as error:
            why = "\n".join(part for part in (error.got, error.why) if part)
            raise ScadError(error.problem, place=place, wanted=error.wanted, why=why, fix=error.fix) from None

    def region(self, node: Node, matrix: Matrix) -> Any:
        """A node as a region of the plane."""
        if isinstance(node, PLANE):
            steps = crossing(paths_of(node)) if isinstance(node, Outline) else OF_AN_EDGE
            return self.made(node.place, steps, lambda: outline_of(node, matrix, self.note(node.place)))
        if isinstance(node, (*Leaf, Extruded, Revolved)):
            raise ScadError(
                "a solid stands among plane shapes",
                place=node.place,
                wanted="plane shapes: square, circle, polygon",
                fix="linear_extrude(height = …) them alone, with the solid beside, or projection() of the solid",
            )
        match node:
            case Transformed():
                return self._transformed_region(node, matrix)
            case Offset() | Hull() | Minkowski() | Resized():
                return self._changed_region(node, matrix)
            case Combined(how="difference" | "intersection"):
                return self._combined_region(node, matrix)
        return self.whole_region(node, matrix)

    def _regions(self, node: Node, matrix: Matrix) -> Task[list[Region]]:
        found: list[Region] = []
        for child in node.children if isinstance(node, Holder) else ():
            found.append((yield self.region(child, matrix)))
        return found

    def whole_region(self, node: Node, matrix: Matrix) -> Task[Region]:
        """All that a node holds, as a region."""
        regions: list[Region] = yield self._regions(node, matrix)
        if len(regions) == 1:
            return regions[0]
        return self.made(node.place, cutting(regions), lambda: union(regions))

    def _transformed_region(self, node: Transformed, matrix: Matrix) -> Task[Region]:
        inner = plane_part(node.matrix)
        if inner is None:
            raise ScadError(
                "a plane shape is turned out of its plane",
                place=node.place,
                wanted="turns about z before linear_extrude, other turns after it",
                fix="rotate([90, 0, 0]) linear_extrude(height = …) …",
            )
        found: Region = yield self.whole_region(node, within_measure(matrix @ inner, node.place))
        return found

    def _combined_region(self, node: Combined, matrix: Matrix) -> Task[Region]:
        regions: list[Region] = yield self._regions(node, matrix)
        if not regions:
            return Region()

        def combine() -> Region:
            if node.how == "intersection":
                return intersection(regions)
            return difference(regions[0], regions[1:])

        return self.made(node.place, cutting(regions), combine)

    def _changed_region(self, node: Offset | Hull | Minkowski | Resized, matrix: Matrix) -> Task[Region]:
        """What is done to regions along their own axes, before they are moved."""
        regions: list[Region] = yield self._regions(node, np.eye(3))
        note = self.note(node.place)
        steps = cutting(regions) * (TIMES_OF_AN_OFFSET if isinstance(node, Offset | Minkowski) else 1)

        def change() -> Region:
            if isinstance(node, Hull):
                return hull(regions)
            if isinstance(node, Minkowski):
                return reduce(region_sum, regions) if all(regions) and regions else Region()
            return offset_region(node, union(regions)) if isinstance(node, Offset) else resize(node, regions)

        def resize(node: Resized, regions: Sequence[Region]) -> Region:
            whole = union(regions)
            (left, bottom), (right, top) = whole.box
            x, y, _ = factors(node, np.array([right - left, top - bottom, 0.0]))
            return mapped(whole, np.diag([x, y]), np.zeros(2), note)

        return self.made(node.place, steps, lambda: mapped(change(), matrix[:2, :2], matrix[:2, 2], note))


def within_measure(matrix: Matrix, place: Place) -> Matrix:
    """A matrix, if what it makes is neither too large nor too small to compute with."""
    columns = matrix.T.tolist()
    least = min(math.hypot(*column[:-1]) for column in columns[:-1])
    if max(max(map(abs, column)) for column in columns) <= LARGEST_NUMBER and least >= SMALLEST_LENGTH:
        return matrix
    raise ScadError(
        "this leads out of all measure",
        place=place,
        wanted=f"coordinates and factors up to {LARGEST_NUMBER:g}, factors not below {SMALLEST_LENGTH:g}",
        fix="another unit of length, or leave scale() out",
    )


def factors(node: Resized, size: Matrix) -> tuple[float, float, float]:
    """By how much each direction is stretched."""
    given = [new / old if new > 0 and old > 0 else 0.0 for new, old in zip(node.size, size, strict=True)]
    following = max(given)
    found = [
        factor if factor > 0 else following if auto and following > 0 else 1.0
        for factor, auto in zip(given, node.auto, strict=True)
    ]
    return found[0], found[1], found[2]
