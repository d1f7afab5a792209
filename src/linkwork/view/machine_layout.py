"""A machine in numbers, for drawing: frames in the coordinates of their parts, and all parts in every frame.

A frame that is fixed to a part is, with every part at the origin and not turned, where it is in the part's
own coordinates; so the expressions of :class:`~linkwork.model.world.World` give these too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.algebra import Expression, evaluate
from linkwork.errors import LinkworkError
from linkwork.model import Machine
from linkwork.model.drive import CLOCK
from linkwork.model.joint import Pair
from linkwork.model.part import GROUND
from linkwork.model.placed import Placed, coordinate_names
from linkwork.solid.mesh import Mesh
from linkwork.view.part_layers import PartLayers, machine_layers, machine_meshes
from linkwork.view.proportion import placed, rotations

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fixed:
    """A frame fixed to a part, in the part's own coordinates; ``axes`` are rows."""

    part: str
    origin: Array
    axes: Array

    @property
    def way(self) -> Array:
        """The direction of a joint: x in the plane, z in space."""
        return np.asarray(self.axes[0 if len(self.axes) == 2 else 2])

    @property
    def angle(self) -> float:
        """The angle of the x-axis, in the plane."""
        return math.atan2(self.axes[0][1], self.axes[0][0])

    def at(self, *local: float) -> Array:
        """A point given in this frame, in the part's coordinates."""
        return np.asarray(self.origin + np.array(local) @ self.axes[: len(local)])


class Layout:
    """A machine whose parts stand at ``poses``: (frames, parts, 3 or 7), the ground not among them."""

    def __init__(self, machine: Machine, poses: Array, values: Mapping[str, float], time: float) -> None:
        self.machine = machine
        self.dimension = machine.dimension
        self.names = (GROUND, *machine.moving)
        names = coordinate_names(self.dimension)
        rest = np.array([1.0 if name == "q0" else 0.0 for name in names])
        self.poses = np.concatenate([np.broadcast_to(rest, (len(poses), 1, len(names))), poses], axis=1)
        self._world = machine.world()
        self.values = dict(values) | {CLOCK.name: time}
        for part in machine.moving:
            self.values |= {f"{part}.{name}": float(value) for name, value in zip(names, rest, strict=True)}

    # ------------------------------------------------------------------------------- one value

    def numbers(self, *expressions: Expression) -> list[float]:
        """Expressions of the parameters in numbers; nan where they have no value."""
        try:
            return evaluate(expressions, self.values)
        except (LinkworkError, ArithmeticError):
            return [math.nan] * len(expressions)

    def number(self, expression: Expression | None, otherwise: float = math.nan) -> float:
        """One expression in numbers."""
        return otherwise if expression is None else self.numbers(expression)[0]

    def fixed(self, frame: Placed) -> Fixed:
        """A frame of the world as what it is in its part."""
        entries = self.numbers(*frame.origin, *(entry for axis in frame.axes for entry in axis))
        rows = np.array(entries).reshape(-1, self.dimension)
        return Fixed(frame.part, rows[0], rows[1:])

    def frame(self, reference: str) -> Fixed:
        """What ``crank``, ``crank.B`` or the name of a frame stands for."""
        return self.fixed(self._world.frame(reference))

    def frames(self, joint: Pair) -> tuple[Fixed, Fixed]:
        """The two frames of a joint."""
        first, second = joint.frames(self._world)
        return self.fixed(first), self.fixed(second)

    # ------------------------------------------------------------------------------ all frames

    def _place(self, part: str) -> int:
        return self.names.index(part)

    def path(self, part: str, point: Array) -> Array:
        """Where a point of a part is in the world: (frames, dimension)."""
        return np.asarray(placed(self.poses[:, self._place(part)], np.array([point]))[:, 0])

    def seen_from(self, frame: Fixed, part: str, point: Array) -> Array:
        """Where a point of a part is as seen from a frame of another: (frames, dimension)."""
        return self.into(frame, self.path(part, point))

    def into(self, frame: Fixed, world: Array) -> Array:
        """Points of the world, one for each frame of the motion, as seen from a frame."""
        poses = self.poses[:, self._place(frame.part)]
        local = np.einsum("fji,fj->fi", rotations(poses), world - poses[:, : self.dimension])
        return np.asarray((local - frame.origin) @ frame.axes.T)

    @cached_property
    def extent(self) -> float:
        """The longest side of the box around all named points in all frames."""
        points = [self.path(part, np.zeros(self.dimension)) for part in self.names]
        for part in self.names:
            for point in self.machine.part(part).points.values():
                local = np.array(self.numbers(*point))
                if np.all(np.isfinite(local)):
                    points.append(self.path(part, local))
        return float(np.max(np.ptp(np.concatenate(points), axis=0)))

    @cached_property
    def layers(self) -> dict[str, PartLayers]:
        """In the plane: the layers of the parts that have solids."""
        return machine_layers(self._with_values) if self.dimension == 2 else {}

    @cached_property
    def meshes(self) -> dict[str, Mesh]:
        """In space: the surfaces of the parts that have solids."""
        return machine_meshes(self._with_values) if self.dimension == 3 else {}

    @cached_property
    def _with_values(self) -> Machine:
        given = {name: self.values[name] for name in self.machine.parameters}
        return self.machine.with_parameters(given) if given else self.machine

    def turn(self, part: str) -> float:
        """The angle of a part in the first frame, in the plane."""
        return float(self.poses[0, self._place(part), 2])
