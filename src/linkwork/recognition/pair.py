"""Kinematic pairs as recognition finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.solid.placement import Triple


@dataclass(frozen=True)
class Pair:
    """Two parts that constrain each other's motion, and why; ``name`` is that of the joint in the found machine.

    ``axis`` is a unit vector: of the turn, of the shift, or across the plane; ``point`` a point of it, or the centre of
    a ball. ``clearance`` is the play in diameter, or between planes. ``ratio`` of gears is how far the second turns for
    a turn of the first, negative if it turns the other way; of a rack, how far it goes for a radian. ``teeth`` are
    counted where gears have real ones, of a rack those that it has; ``pitch`` is how far a thread goes in a turn.
    """

    name: str
    kind: str
    parts: tuple[str, str]
    axis: Triple | None
    point: Triple | None
    why: str
    clearance: float = 0.0
    ratio: float | None = None
    pitch: float | None = None
    carrier: str | None = None
    radii: tuple[float, float] | None = None
    teeth: tuple[int, int] | None = None
    centre: Triple | None = None
    """Of a curved slot: where the axis is about which it is bent."""

    def to_json(self) -> dict[str, Any]:
        """The pair as plain data."""
        found: dict[str, Any] = {
            "name": self.name,
            "type": self.kind,
            "parts": list(self.parts),
            "axis": None if self.axis is None else list(self.axis),
            "point": None if self.point is None else list(self.point),
            "why": self.why,
        }
        if self.clearance:
            found["clearance"] = self.clearance
        teeth = None if self.teeth is None else list(self.teeth)
        optional: dict[str, Any] = {
            "ratio": self.ratio,
            "teeth": teeth,
            "pitch": self.pitch,
            "carrier": self.carrier,
        }
        optional["centre"] = None if self.centre is None else list(self.centre)
        return found | {key: value for key, value in optional.items() if value is not None}
