"""What a file says of its parts, carried over to the machine with joints: points, frames and forces.

There parts that move as one are one part, and in a plane machine places and directions are those of its plane.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.algebra import Expression, evaluate, number
from linkwork.model import Machine
from linkwork.model.force import Force
from linkwork.model.part import Frame
from linkwork.model.vector import Vector
from linkwork.model.view import View
from linkwork.recognition.neat import neat
from linkwork.solid.placement import Floats


@dataclass(frozen=True, eq=False)
class Carried:
    """The way from the given machine to that with joints."""

    given: Machine
    part_of: Mapping[str, str]
    """The part with joints in which each given part is."""
    axes: Floats
    """The directions of the axes of the machine with joints, as rows."""
    dimension: int

    # ------------------------------------------------------------------------- names and vectors

    def reference(self, name: str) -> str:
        """What a part, point or frame is called."""
        if name in self.given.frames:
            return name
        part, dot, point = name.partition(".")
        if not point:
            return self.part_of.get(part, part)
        return f"{self.part_of.get(part, part)}{dot}{self._point_names.get((part, point), point)}"

    def vector(self, given: Vector) -> Vector:
        """A direction in the machine's own axes."""
        entries = [*given, number(0)][:3]
        return Vector(tuple(_dot(axis, entries) for axis in self.axes[: self.dimension]))

    def moment(self, given: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """A moment in the machine's own axes; a single number is one about the axis of its plane."""
        if len(given) == 1:
            return given
        turned = tuple(_dot(axis, given) for axis in self.axes)
        return turned[2:] if self.dimension == 2 else turned

    # ----------------------------------------------------------------------------------- things

    @cached_property
    def _point_names(self) -> dict[tuple[str, str], str]:
        """Points of parts that have become one and are called alike get the names of their parts."""
        found: dict[tuple[str, str], str] = {}
        taken: set[tuple[str, str]] = set()
        for part, point in (
            (part, point) for part, each in self.given.parts.items() for point in each.points
        ):
            name = point
            while (self.part_of[part], name) in taken:
                name = f"{part}_{name}"
            taken.add((self.part_of[part], name))
            found[part, point] = name
        return found

    def points(self, members: Sequence[str]) -> dict[str, Any]:
        """The points of parts that move as one."""
        return {
            self._point_names[part, name]: tuple(self._place(self._numbers(point)))
            for part in members
            for name, point in self.given.parts[part].points.items()
        }

    def frames(self) -> dict[str, Frame]:
        """The frames of the file, each on its part."""
        return {name: self._frame(name, frame) for name, frame in self.given.frames.items()}

    def _frame(self, name: str, frame: Frame) -> Frame:
        if frame.varies:
            return replace(frame, on=self.reference(frame.on))
        carrier = frame.on
        while carrier in self.given.frames:
            carrier = self.given.frames[carrier].on
        placed = self.given.world().relative(name, carrier)
        at = tuple(self._place(self._numbers(placed.origin)))
        x, z = (self._place(self._numbers(placed.axes[which])) for which in (0, -1))
        on = self.reference(carrier)
        if self.dimension == 3:
            return (
                Frame(on=on, at=at, x=tuple(x), z=tuple(z)) if placed.dimension == 3 else Frame(on=on, at=at)
            )
        along = next((way for way in (x, [z[1], -z[0]]) if math.hypot(*way) > 1e-9), [1.0, 0.0])
        return Frame(on=on, at=at, x=tuple(along))

    def forces(self) -> dict[str, Force]:
        """The forces of the file."""
        return {name: force.carried(self) for name, force in self.given.forces.items()}

    def view(self) -> View:
        """What is to be seen."""
        return replace(self.given.view, traces=tuple(map(self.reference, self.given.view.traces)))

    def _numbers(self, vector: Vector) -> list[float]:
        return [*evaluate([*vector], self.given.values()), 0.0][:3]

    def _place(self, point: Sequence[float]) -> list[float]:
        return [neat(value) for value in (self.axes @ np.array(point))[: self.dimension]]


def _dot(axis: Floats, entries: Sequence[Expression]) -> Expression:
    """A part of a vector; along one of its own axes just the entry."""
    total = number(0)
    for factor, entry in zip(map(neat, axis), entries, strict=True):
        total = total + number(factor) * entry
    return total
