"""What a simulation found: columns of numbers over time, energies, and how far they can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.dynamics.specification import Specification
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.columned import Columned
from linkwork.model.placed import coordinate_names
from linkwork.simulation.named_columns import joint_names, named_column


@dataclass(frozen=True, eq=False)
class Solution(Columned):
    """Columns over time. ``status`` is "complete", or says why the simulation stopped.

    ``error`` is the largest difference to a run with tighter tolerance, relative to the size of each variable;
    ``accurate`` tells whether it is below the tolerance that was asked for. ``residual`` is how far any constraint or
    its derivative is from zero in any row.
    """

    noun = "simulation"
    residual: float
    error: float
    tolerance: float
    accurate: bool
    why: str = ""
    redundant: tuple[str, ...] = ()
    events: Sequence[Mapping[str, Any]] = ()
    effort: Mapping[str, Any] = field(default_factory=dict)
    states: Matrix = field(default_factory=lambda: np.zeros((0, 0)))

    def told(self, name: str) -> Matrix | None:
        """A column, or what a joint measures: ``drawer_slide.displacement``, or ``drawer.displacement`` for short."""
        if name not in self.columns and name not in self._named:
            self._named[name] = named_column(self.machine, self.columns, name)
        return self.columns.get(name, self._named.get(name))

    def names(self) -> list[str]:
        """The columns, and the names of what joints measure."""
        return [*dict.fromkeys([*self.columns, *joint_names(Specification.of(self.machine).lines)])]

    @cached_property
    def _named(self) -> dict[str, Matrix | None]:
        """What was asked for by the names of joints."""
        return {}

    @cached_property
    def energy(self) -> dict[str, Matrix]:
        """Kinetic, potential and total energy of each row."""
        kinetic, potential = self.columns["kinetic"], self.columns["potential"]
        return {"kinetic": kinetic, "potential": potential, "total": kinetic + potential}

    @cached_property
    def poses(self) -> Matrix:
        """The coordinates of the parts in each row: rows × parts × coordinates."""
        names = coordinate_names(self.machine.dimension)
        parts = [[self.columns[f"{part}.{name}"] for name in names] for part in self.machine.moving]
        return np.moveaxis(np.array(parts).reshape(len(parts), len(names), len(self)), 2, 0)

    def about(self) -> dict[str, Any]:
        """How it went, as plain data."""
        total = self.energy["total"]
        return {
            "why": self.why,
            "residual": self.residual,
            "error": self.error,
            "tolerance": self.tolerance,
            "accurate": self.accurate,
            "energy": {
                "first": float(total[0]),
                "last": float(total[-1]),
                "least": float(np.min(total)),
                "most": float(np.max(total)),
            },
            "events": [dict(event) for event in self.events],
            "redundant": list(self.redundant),
            "effort": dict(self.effort),
        }

    def __repr__(self) -> str:
        return f"Solution {self.machine.name}: {len(self)} rows to t = {self.times[-1]:.6g}, {self.status}"
