"""What a simulation with contacts found, besides the motion: events, forces, and which parts hang together when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.kinematics.arrays import Matrix
from linkwork.simulation.solution import Solution


@dataclass(frozen=True, eq=False, repr=False)
class ContactSolution(Solution):
    """A motion with contacts. ``events`` tell of impacts and of contacts that begin and end."""

    model: str = "rigid"
    touches: Matrix = field(default_factory=lambda: np.zeros((0, 0, 0)))
    """For each row and each contact that holds: which pair (or -1), where, and the force on the first of it."""
    pairs: tuple[tuple[str, str], ...] = ()
    """The parts of each pair."""

    def about(self) -> dict[str, Any]:
        """How it went, as plain data."""
        return {"contact": self.model, **super().about()}

    def contacts(self, row: int) -> list[dict[str, Any]]:
        """The contacts that hold in a row: parts, place, and the force on the first part."""
        return [
            {"parts": list(self.pairs[int(pair)]), "point": [x, y], "force": [fx, fy]}
            for pair, x, y, fx, fy in self.touches[row].tolist()
            if pair >= 0
        ]

    def subsystems(self, row: int) -> list[list[str]]:
        """The moving parts in groups that push one another in a row."""
        groups = [{part} for part in self.machine.moving]
        for contact in self.contacts(row):
            touched = [group for group in groups if group & {*contact["parts"]}]
            if len(touched) > 1:
                groups = [group for group in groups if group not in touched] + [set().union(*touched)]
        order = list(self.machine.moving)
        return sorted((sorted(group, key=order.index) for group in groups), key=lambda g: order.index(g[0]))
