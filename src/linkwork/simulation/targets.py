"""A machine's simulation program as files in another language, which need nothing of linkwork."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from linkwork.dynamics.c_project import c_files, c_products
from linkwork.dynamics.fmu import (
    UNIT_PARTS,
    MockUpUnit,
    fmu_files,
    library_path,
    library_sources,
    with_tangents,
)
from linkwork.dynamics.javascript_program import javascript_files
from linkwork.dynamics.python_program import python_files
from linkwork.dynamics.standalone import Standalone
from linkwork.emit.compiler import build_library, build_object, find_compiler
from linkwork.emit.fmu import VERSIONS, zipped
from linkwork.emit.runtime import runtime_halves
from linkwork.errors import ToolMissing, UsageError
from linkwork.model import Machine
from linkwork.model.fault import did_you_mean
from linkwork.model.store import write_bytes
from linkwork.simulation.ranges import range_notes
from linkwork.simulation.simulator import Simulator

LANGUAGES: Final[Mapping[str, Callable[[Standalone], dict[str, str]]]] = {
    "c": c_files,
    "python": python_files,
    "javascript": javascript_files,
}
"""The languages, and what prints the files of each."""
TARGETS: Final = (*LANGUAGES, *VERSIONS)
"""The languages, and the versions of functional mock-up units."""
LARGE_UNIT: Final = 500
"""Operations of all functions above which a functional mock-up unit is compiled less hard, to be there at once.

Long functions of plain arithmetic run as fast with ``-Og`` as with ``-O2``, short ones as with ``-O1``.
"""
HIDDEN: Final = "-fvisibility=hidden"


class NoLibrary(ToolMissing):
    """There is no compiler for the library of a functional mock-up unit, or no place for it."""


class SourceOnly(UserWarning):
    """A functional mock-up unit was made without a library: the importer has to compile its sources."""


@dataclass(frozen=True)
class Archive:
    """A functional mock-up unit: the bytes of its file, the names in it, and what it lacks."""

    content: bytes
    files: tuple[str, ...]
    warning: str = ""


@dataclass(frozen=True)
class SimulationProgram:
    """The files of a program by name. ``operations`` are those of one call of each function of the machine.

    ``notes`` tell what a user should know about it.
    """

    machine: Machine
    target: str
    name: str
    files: Mapping[str, str]
    operations: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> int:
        """How many lines the files have."""
        return sum(text.count("\n") for text in self.files.values())

    @property
    def products(self) -> tuple[str, ...]:
        """What appears beside the files when they are built or run."""
        return c_products(self.name) if self.target == "c" else ("__pycache__",)

    @property
    def is_archive(self) -> bool:
        """Whether the files belong into one archive: whether it is a functional mock-up unit."""
        return self.target in VERSIONS

    def library(self) -> tuple[str, bytes]:
        """The library of a functional mock-up unit for this platform: its name in the archive and its bytes.

        Raises :class:`NoLibrary` where there can be none.
        """
        self._check_archive()
        path = library_path(self.target, self.name)
        if path is None:
            raise NoLibrary("FMI has no name for this platform")
        if find_compiler() is None:
            raise NoLibrary("there is no C compiler, or native code is switched off")
        return path, self._built().read_bytes()

    def _built(self) -> Path:
        """The library in the cache; its parts are compiled beside one another."""
        is_large = sum(self.operations.values()) > LARGE_UNIT
        machine, along, functions = library_sources(self.target, self.name, self.files)
        computing, steering = runtime_halves(*UNIT_PARTS)
        build = partial(build_object, extra_flags=[HIDDEN])
        with ThreadPoolExecutor() as pool:
            objects = (
                pool.submit(build, machine, optimise="-Og" if is_large else "-O1"),
                pool.submit(build, along, optimise="-O0" if is_large else "-O2"),
                pool.submit(build, functions, optimise="-Og" if is_large else "-O1"),
                pool.submit(build, computing),
                pool.submit(build, steering, optimise="-Og"),
            )
            return build_library("", extra_flags=[str(each.result()) for each in objects])

    def archive(self) -> Archive:
        """A functional mock-up unit, with a library for this platform where there is a compiler."""
        self._check_archive()
        files: dict[str, str | bytes] = dict(self.files)
        warning = ""
        try:
            path, library = self.library()
            files[path] = library
        except NoLibrary as problem:
            warning = f"the unit has no library, only sources: {problem.problem}"
        return Archive(zipped(files), tuple(files), warning)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a functional mock-up unit; its name never stands for half of it."""
        archive = self.archive()
        if archive.warning:
            warnings.warn(archive.warning, SourceOnly, stacklevel=2)
        write_bytes(path, archive.content)

    def _check_archive(self) -> None:
        if not self.is_archive:
            raise UsageError(
                f"a program in {self.target} is a folder of files, no archive",
                wanted=f"target {' or '.join(VERSIONS)}",
                fix=f'synthesise(machine, "{next(iter(VERSIONS))}")',
            )

    def to_json(self) -> dict[str, Any]:
        """The program as plain data."""
        return {
            "machine": self.machine.name,
            "target": self.target,
            "name": self.name,
            "lines": self.lines,
            "operations": dict(self.operations),
            **({"notes": list(self.notes)} if self.notes else {}),
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
    """The program that simulates a machine, as files in C, Python or JavaScript, or of a functional mock-up unit.

    >>> from linkwork.model import load
    >>> list(synthesise(load("pendulum"), "javascript").files)
    ['pendulum.mjs']
    """
    if target not in TARGETS:
        raise unknown_target(target, TARGETS)
    simulator = Simulator(machine)
    notes = range_notes(machine, "the program goes on behind it")
    with simulator.explained():
        program = simulator.standalone(is_watched=target in VERSIONS)
        if target in LANGUAGES:
            files = LANGUAGES[target](program)
            return SimulationProgram(machine, target, program.name, files, program.operations, notes)
        unit = MockUpUnit(with_tangents(program))
        files = fmu_files(target, unit)
    return SimulationProgram(
        machine, target, program.name, files, unit.program.operations, (*unit.notes, *notes)
    )
