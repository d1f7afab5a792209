"""What a machine's picture is made of while it is being drawn: shapes by part, connectors, and anchors.

Anchors are the places of a part that its body has to reach: where joints, springs and traces hold on to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.model.part import GROUND
from linkwork.view.machine_layout import Array, Layout
from linkwork.view.scene import Connector
from linkwork.view.shape import Gear, Shape

SAME_PLACE = 1e-6
"""Points nearer than this, in thicknesses, are one."""


SLIM = 0.5
"""The width of a bar inside another, in thicknesses."""


@dataclass(frozen=True)
class Slot:
    """A rail on a moving part, as its ends and half its outer width: bars end at it."""

    start: Array
    end: Array
    half_width: float


@dataclass(eq=False)
class Sketch:
    """A picture in the making; ``thickness`` is the usual width of a bar."""

    layout: Layout
    thickness: float
    shapes: dict[str, list[Shape]] = field(default_factory=dict)
    anchors: dict[str, list[Array]] = field(default_factory=dict)
    slots: dict[str, list[Slot]] = field(default_factory=dict)
    wheels: dict[str, list[tuple[Array, float]]] = field(default_factory=dict)
    blocks: dict[str, list[Array]] = field(default_factory=dict)
    toothed: dict[str, list[Gear]] = field(default_factory=dict)
    spurs: dict[str, list[Array]] = field(default_factory=dict)
    lines: list[tuple[Array, Array]] = field(default_factory=list)
    followers: dict[str, list[tuple[Array, float, Array]]] = field(default_factory=dict)
    racks: set[str] = field(default_factory=set)
    connectors: list[Connector] = field(default_factory=list)

    def add(self, part: str, kind: type[Shape], *fields: Any, **more: Any) -> None:
        """A shape on a part; one that cannot be drawn, because its measures are no numbers, is left out."""
        try:
            shape = kind(*fields, **more)
        except (UsageError, ValueError, OverflowError):
            return
        drawn = self.shapes.setdefault(part, [])
        if shape not in drawn:
            drawn.append(shape)

    def anchor(self, part: str, *points: Array) -> None:
        """Places that the part's body has to reach."""
        known = self.anchors.setdefault(part, [])
        for point in points:
            if np.all(np.isfinite(point)) and not self.is_near(point, known):
                known.append(np.asarray(point, float))

    def is_near(self, point: Array, others: list[Array]) -> bool:
        """Whether a point is among others."""
        near = SAME_PLACE * self.thickness
        return any(float(np.linalg.norm(point - other)) <= near for other in others)

    def slim(self, part: str, start: Array, end: Array) -> float | None:
        """The width of a bar in space: slim where another part's bar lies in the same place already."""
        ends = [self.layout.path(part, point)[0] for point in (start, end)]
        for known in self.lines:
            for first, second in (known, known[::-1]):
                near = max(float(np.linalg.norm(ends[0] - first)), float(np.linalg.norm(ends[1] - second)))
                if near < 0.3 * self.thickness:
                    return SLIM * self.thickness
        self.lines.append((ends[0], ends[1]))
        return None

    def connect(self, kind: Any, first: tuple[str, Array, float], second: tuple[str, Array, float]) -> None:
        """A spring, damper, rod or belt between two places."""
        ends = [(part, tuple(point.tolist()), radius) for part, point, radius in (first, second)]
        if np.all(np.isfinite([*ends[0][1], *ends[1][1], ends[0][2], ends[1][2]])):
            (one, start, r1), (other, end, r2) = ends
            self.connectors.append(Connector(kind, one, start, other, end, r1, r2))

    def wheel(self, part: str, centre: Array, radius: float) -> None:
        """Note that something round is drawn there, which carries what lies within it."""
        self.wheels.setdefault(part, []).append((centre, radius))

    def is_solid(self, *parts: str) -> bool:
        """Whether all of some parts are drawn by their solids."""
        return all(part in self.layout.layers or part in self.layout.meshes for part in parts)

    def is_ground(self, part: str) -> bool:
        """Whether a part is the ground."""
        return part == GROUND
