"""One position of a machine: coordinates by name, points, and how well it fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.algebra import evaluate
from linkwork.errors import UnknownName
from linkwork.kinematics.arrays import Matrix
from linkwork.kinematics.system import System
from linkwork.model.fault import did_you_mean, listed


@dataclass(frozen=True, eq=False)
class Position(Mapping[str, float]):
    """Where all parts are. ``position["crank.angle"]`` is a coordinate, ``position.point("coupler.P")`` a point.

    Where rates were asked for, ``position["crank.rate"]`` and ``position["crank.vx"]`` are there as well.
    """

    system: System
    q: Matrix
    u: Matrix
    residual: float
    parameters: Mapping[str, float]
    v: Matrix | None = None

    def __getitem__(self, name: str) -> float:
        values = self._values
        if name in values:
            return values[name]
        try:
            world = self.system.machine.world()
            return evaluate(world.resolved([world.quantity(name)]), {**values, **self.parameters})[0]
        except UnknownName as error:
            raise KeyError(
                str(
                    UnknownName(
                        f"the machine has no quantity '{name}'",
                        wanted=listed(values),
                        fix=did_you_mean(name, values, error.fix),
                    )
                )
            ) from None

    def __iter__(self) -> Iterator[str]:
        return (each.name for each in self.system.unknowns)

    def __len__(self) -> int:
        return self.system.size

    @property
    def _values(self) -> dict[str, float]:
        found = dict(zip((each.name for each in self.system.unknowns), self.q.tolist(), strict=True))
        if self.v is not None:
            world = self.system.machine.world()
            rates = world.rates(*self.system.unknowns)
            for unknown, rate in zip(self.system.unknowns, self.v.tolist(), strict=True):
                found[str(rates[unknown])] = rate
        return found

    def point(self, reference: str) -> tuple[float, ...]:
        """Where a point, a frame or the origin of a part is in the world."""
        world = self.system.machine.world()
        return tuple(evaluate([*world.frame(reference).origin], {**self._values, **self.parameters}))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} = {self[name]:.6g}" for name in list(self)[:6])
        return f"Position: {shown}{', …' if len(self) > 6 else ''}"

    def to_json(self) -> dict[str, Any]:
        """The coordinates and the residual as plain data."""
        return {"coordinates": {name: self[name] for name in self}, "residual": self.residual}
