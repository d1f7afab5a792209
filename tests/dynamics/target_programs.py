"""The machines whose programs are tested in every language, and what builds and runs those programs."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from linkwork import Machine, Solution, load, simulate, synthesise
from linkwork.emit.compiler import find_compiler
from linkwork.model.ordered import Ordered
from linkwork.model.read import machine_from_text

TARGETS = ("c", "python", "javascript")
UNTIL, STEP = 2.0, 0.25

DOUBLE_PENDULUM = """
linkwork = 1
title = "Two rods */ that \\"swing\\" \\\\ ??/ // \\u2028 /* below one another"
dimension = 3
[parameter]
g = 9.81
l = 1
k = "2*l"
[frame.first]
varies = ["ry"]
axis = [0, 1, 0]
turn = "120 deg"
[frame.bob]
on = "first"
at = [0, 0, "-l"]
mass = 1
[frame.second]
on = "bob"
varies = ["ry"]
axis = [0, 1, 0]
turn = "-20 deg"
[frame.tip]
on = "second"
at = [0, 0, "-k/2"]
mass = "k"
[energy.weight]
each = "mass(body)*g*position(body).z"
"""

MIXED_ORDERS = """
linkwork = 1
title = "A cart that is pushed; a wheel rolls along, a needle points at it"
dimension = 3
[parameter]
r = 0.3
push = "2*r"
[control.throttle]
start = 0.5
[frame.cart]
varies = ["tx"]
at = [1, 0, 0]
mass = 2
[frame.wheel]
varies = ["tz"]
[frame.needle]
varies = ["ty"]
[constraint.rolls]
holds = "velocity(wheel).z == velocity(cart).x/r*(1 + position(cart).x^2)"
[constraint.points]
holds = "position(needle).y^3 + position(needle).y == position(cart).x"
[force.engine]
type = "force"
at = "cart"
force = ["push*throttle - 0.1*cart.vx", 0, 0]
"""

ORDER_ZERO = """
linkwork = 1
dimension = 3
[frame.needle]
varies = ["ty"]
[constraint.points]
holds = "position(needle).y^3 + position(needle).y == t"
"""


@dataclass(frozen=True)
class Case:
    """A machine and how it is run."""

    machine: Machine
    set: Mapping[str, float] = field(default_factory=dict)
    control: Mapping[str, float] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)
    rate: Mapping[str, float] = field(default_factory=dict)

    @property
    def options(self) -> list[str]:
        """The words of the command line."""
        words = ["--until", str(UNTIL), "--step", str(STEP), "--rtol", "1e-9"]
        for option in ("set", "control", "start", "rate"):
            for name, value in getattr(self, option).items():
                words += [f"--{option}", f"{name}={value!r}"]
        return words

    def simulated(self) -> Solution:
        """What linkwork itself finds."""
        return simulate(
            self.machine,
            UNTIL,
            step=STEP,
            rtol=1e-9,
            parameters=self.set,
            controls=self.control,
            start=self.start,
            rates=self.rate,
        )


def _without_drive() -> Machine:
    return replace(load("four-bar"), name="free four-bar", drives=Ordered())


CASES = {
    "pendulum": lambda: Case(load("pendulum"), set={"l": 1.5}),
    "double pendulum": lambda: Case(machine_of(DOUBLE_PENDULUM, "2 pendula"), set={"l": 0.8}),
    "driven four-bar": lambda: Case(load("four-bar")),
    "free four-bar": lambda: Case(_without_drive(), rate={"crank.angle": 3.0}),
    "mixed orders": lambda: Case(machine_of(MIXED_ORDERS, "main"), control={"throttle": 1.0}),
    "order zero alone": lambda: Case(machine_of(ORDER_ZERO, "double")),
    "equations without unknowns": lambda: Case(load("cardan-joint")),
    "roller-coaster": lambda: Case(load("roller-coaster"), control={"throttle": 1.0}),
}
"""What is run, made when it is first asked for."""


def machine_of(text: str, name: str) -> Machine:
    """A machine from its file's text."""
    return machine_from_text(text, "machine.toml", name)


@cache
def case_of(name: str) -> Case:
    """A case by its name."""
    return CASES[name]()


def written(machine: Machine, target: str, folder: Path) -> str:
    """Write the files of a program; returns its name."""
    program = synthesise(machine, target)
    for name, text in program.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return program.name


def command_of(name: str, target: str, folder: Path) -> list[str]:
    """The words that run a program that is written; one in C is built first."""
    if target == "c":
        make(folder, "all")
        return [str(folder / name)]
    if target == "python":
        return [sys.executable, str(folder / f"{name}.py")]
    return [node(), str(folder / f"{name}.mjs")]


def node() -> str:
    """The program that runs JavaScript."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed: modules in JavaScript cannot be run")
    return found


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program's own Makefile."""
    if find_compiler() is None or shutil.which("make") is None:
        pytest.skip("there is no C compiler or no make on this machine")
    environment = {name: value for name, value in os.environ.items() if name not in ("CFLAGS", "MAKEFLAGS")}
    done = subprocess.run(
        ["make", "-C", str(folder), *words], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def run(command: Sequence[str], *options: str, code: int = 0) -> tuple[str, str]:
    """Run a program; what it printed as data and as messages."""
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == code, done.stdout[-500:] + done.stderr
    return done.stdout, done.stderr


def columns_of(text: str) -> dict[str, NDArray[np.float64]]:
    """The columns of CSV by name."""
    heading, *rows = csv.reader(StringIO(text))
    return dict(zip(heading, np.array(rows, float).T, strict=True))
