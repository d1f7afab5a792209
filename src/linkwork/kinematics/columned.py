"""What motions and simulations have in common: columns of numbers over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    def told(self, name: str) -> Matrix | None:
        """A column, or what else its name tells; None if it tells nothing."""
        return self.columns.get(name)

    def names(self) -> list[str]:
        """The names that tell something."""
        return [*self.columns]

    def units_of(self, names: Sequence[str]) -> dict[str, str]:
        """The units of what some names tell, where the machine names units."""
        return column_units(self.machine, names)

    def __getitem__(self, name: str) -> Matrix:
        found = self.told(name)
        if found is None:
            raise UnknownName(
                f"the {self.noun} has no column '{name}'",
                wanted=listed(self.columns),
                fix=did_you_mean(name, self.names(), f"{type(self).__name__.lower()}.columns"),
            )
        return found

    @property
    def times(self) -> Matrix:
        """The time of each row."""
        return self.columns["time"]

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of each column for which the machine names units."""
        return self.units_of([*self.columns])

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
