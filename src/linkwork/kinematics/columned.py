"""What motions and simulations have in common: columns of numbers over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from linkwork.errors import UnknownName
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.units import column_units
from linkwork.model.fault import did_you_mean, listed
from linkwork.model.machine import Machine
from linkwork.results import Viewable


@dataclass(frozen=True, eq=False)
class Columned(Viewable):
    """Columns over time. ``status`` is "complete", or says why the machine stopped."""

    noun: ClassVar[str]
    """What messages call it."""

    machine: Machine
    status: str
    columns: Mapping[str, Matrix]

    def __len__(self) -> int:
        return len(self.columns["time"])

    def __getitem__(self, name: str) -> Matrix:
        if name not in self.columns:
            raise UnknownName(
                f"the {self.noun} has no column '{name}'",
                wanted=listed(self.columns),
                fix=did_you_mean(name, self.columns, f"{type(self).__name__.lower()}.columns"),
            )
        return self.columns[name]

    @property
    def times(self) -> Matrix:
        """The time of each row."""
        return self.columns["time"]

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of each column for which the machine names units."""
        return column_units(self.machine, list(self.columns))

    def headings(self) -> list[str]:
        """The columns' names with their units."""
        return [f"{name} [{self.units[name]}]" if self.units.get(name) else name for name in self.columns]

    def to_frame(self) -> dict[str, Matrix]:
        """The columns by name, ready for a data frame: ``pandas.DataFrame(motion.to_frame())``."""
        return dict(self.columns)

    def about(self) -> dict[str, Any]:
        """What is to be said besides the columns, as plain data."""
        return {}

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "machine": self.machine.name,
            "status": self.status,
            **self.about(),
            "units": self.units,
            "columns": list(self.columns),
            "rows": np.column_stack([*self.columns.values()]).tolist(),
        }
