"""A machine's simulation program as files in another language, which need nothing of linkwork."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from linkwork.dynamics.c_project import c_files, c_products
from linkwork.dynamics.javascript_program import javascript_files
from linkwork.dynamics.python_program import python_files
from linkwork.dynamics.standalone import Standalone
from linkwork.errors import UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean
from linkwork.simulation.simulator import Simulator
from linkwork.simulation.start import rough_start

TARGETS: Final[Mapping[str, Callable[[Standalone], dict[str, str]]]] = {
    "c": c_files,
    "python": python_files,
    "javascript": javascript_files,
}
"""The languages, and what prints the files of each."""


@dataclass(frozen=True)
class SimulationProgram:
    """The files of a program by name. ``operations`` are those of one call of each function of the machine."""

    machine: Machine
    target: str
    name: str
    files: Mapping[str, str]
    operations: Mapping[str, int]

    @property
    def lines(self) -> int:
        """How many lines the files have."""
        return sum(text.count("\n") for text in self.files.values())

    @property
    def products(self) -> tuple[str, ...]:
        """What appears beside the files when they are built or run."""
        return c_products(self.name) if self.target == "c" else ("__pycache__",)

    def to_json(self) -> dict[str, Any]:
        """The program as plain data."""
        return {
            "machine": self.machine.name,
            "target": self.target,
            "name": self.name,
            "lines": self.lines,
            "operations": dict(self.operations),
            "files": dict(self.files),
        }

    def __repr__(self) -> str:
        count = f"{len(self.files)} file{'' if len(self.files) == 1 else 's'}"
        operations = self.operations["derivative"]
        return f"Program {self.name} in {self.target}: {count}, {self.lines} lines, {operations} operations a rate"


def unknown_target(target: str, known: Collection[str]) -> UsageError:
    """The error of a target that is not known."""
    return UsageError(
        f"there is no target '{target}'",
        wanted=", ".join(known),
        fix=did_you_mean(target, known, 'target="c"'),
    )


def synthesise(machine: Machine, target: str = "c") -> SimulationProgram:
    """The program that simulates a machine, as files in C, Python or JavaScript.

    >>> from linkwork.model import load
    >>> list(synthesise(load("pendulum"), "javascript").files)
    ['pendulum.mjs']
    """
    if target not in TARGETS:
        raise unknown_target(target, TARGETS)
    simulator = Simulator(machine)
    rough = rough_start(simulator.specification, machine.values())
    program = Standalone(simulator.synthesis, rough.positions)
    files = TARGETS[target](program)
    return SimulationProgram(machine, target, program.name, files, program.operations)
