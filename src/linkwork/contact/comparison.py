"""One machine by several models of contact: how far their motions differ, and what each cost.

The table of costs is that of A. Gelsey (Artificial Intelligence 74, 1995), Fig. 22: simulated time, steps, mean step
and run time of each model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from linkwork.contact.islands import ContactIslands
from linkwork.contact.motion import MODELS, touching_machine
from linkwork.contact.solution import ContactSolution
from linkwork.kinematics.arrays import Matrix
from linkwork.model import Machine
from linkwork.results import Viewable


class Cost(NamedTuple):
    """What a run took, and how it ended."""

    model: str
    status: str
    simulated: float
    """Time of the machine that was simulated."""
    steps: int
    mean_step: float
    seconds: float
    """Of the processor."""
    evaluations: int
    contacts: int
    """How often a contact began."""
    energy: float
    """At the end."""


class Difference(NamedTuple):
    """How far a column of two models is apart."""

    column: str
    greatest: float
    at: float
    """When it is so."""
    last: float
    """In the last row of both."""


@dataclass(frozen=True, eq=False)
class Comparison(Viewable):
    """The motion of a machine by several models of contact, the first being the one that others are compared with."""

    machine: Machine
    runs: Mapping[str, ContactSolution]

    @cached_property
    def costs(self) -> list[Cost]:
        """What each model took."""
        return [_cost(model, run) for model, run in self.runs.items()]

    @cached_property
    def differences(self) -> dict[str, list[Difference]]:
        """For each other model how far its coordinates are from those of the first."""
        first, *others = self.runs
        return {model: _differences(self.runs[first], self.runs[model]) for model in others}

    def to_frame(self) -> dict[str, Matrix]:
        """The coordinates and energies of all models by name, ``bwheel.angle rigid``, in the rows that all reached."""
        rows = min(map(len, self.runs.values()))
        first = next(iter(self.runs.values()))
        found = {"time": first.times[:rows]}
        for name in (*first.variables, "kinetic", "potential", "energy"):
            found |= {f"{name} {model}": run[name][:rows] for model, run in self.runs.items()}
        return found

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "machine": self.machine.name,
            "status": "complete"
            if all(run.status == "complete" for run in self.runs.values())
            else "stopped",
            "models": [
                {
                    **cost._asdict(),
                    "why": self.runs[cost.model].why,
                    "impacts": _impacts(self.runs[cost.model]),
                }
                for cost in self.costs
            ],
            "differences": {
                model: [each._asdict() for each in found] for model, found in self.differences.items()
            },
        }


def compare(
    machine: Machine | ContactIslands,
    until: float | None = None,
    *,
    models: Sequence[str] = MODELS,
    **how: Any,
) -> Comparison:
    """Run a machine with each model of contact; ``how`` is what :func:`linkwork.simulate` takes besides.

    >>> from linkwork.model import load
    >>> found = compare(load("ratchet-cw"), until=2)
    >>> [cost.model for cost in found.costs], found.differences["elastic"][0].column
    (['rigid', 'elastic'], 'wheel.angle')
    """
    if isinstance(machine, Machine):
        machine = ContactIslands(touching_machine(machine))
    runs = {model: machine.simulate(until, model=model, **how) for model in models}
    return Comparison(machine.plain, runs)


def _cost(model: str, run: ContactSolution) -> Cost:
    simulated = run.whole.length
    steps = int(run.effort["steps"])
    begun = sum(event["kind"] == "begin" for event in run.events)
    return Cost(
        model,
        run.status,
        simulated,
        steps,
        simulated / steps if steps else 0.0,
        float(run.effort["seconds"]),
        int(run.effort["evaluations"]),
        begun,
        float(run.energy["total"][-1]),
    )


def _impacts(run: ContactSolution) -> int:
    return sum(pair.impacts for pair in run.touched)


def _differences(one: ContactSolution, other: ContactSolution) -> list[Difference]:
    """Of coordinates, in the rows that both reached."""
    rows = min(len(one), len(other))
    found = []
    for name in one.variables:
        apart = np.abs(other[name][:rows] - one[name][:rows])
        place = int(np.argmax(apart))
        found.append(Difference(name, float(apart[place]), float(one.times[place]), float(apart[-1])))
    return found
