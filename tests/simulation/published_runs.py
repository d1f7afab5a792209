"""Machines of the folder and machines given as text, run for the tests of simulations."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from published import (
    Array,
)
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.model import load
from linkwork.model.read import machine_from_text
from linkwork.simulation import Simulator, Solution

SPACE = "linkwork = 1\ndimension = 3\n"
"""How files of machines in space begin."""
MACHINES = Path(__file__).parent / "machines"


@cache
def simulator(name: str) -> Simulator:
    """A machine of the folder, compiled once."""
    return Simulator(load(MACHINES / f"{name}.toml"))


def run(name: str, until: float, **options: Any) -> Solution:
    """A machine of the folder in time, ten rows."""
    return simulator(name).simulate(until, step=until / 10, **options)


def run_text(text: str, until: float, **options: Any) -> Solution:
    """A machine given as text, in time."""
    return lw.simulate(machine_from_text(text, "test.toml", "test"), until, step=until / 10, **options)


def last(solution: Solution, *names: str) -> Array:
    """Columns at the end."""
    return np.array([solution[name][-1] for name in names])


def integrated(rates: Callable[[float, Any], Any], until: float, start: Any, **options: Any) -> Array:
    """The end of an ordinary differential equation."""
    given = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14, **options}
    return np.asarray(solve_ivp(rates, (0, until), start, **given).y[:, -1])


def drift(solution: Solution) -> float:
    """How far the energy strays from where it starts."""
    total = solution.energy["total"]
    return float(np.max(np.abs(total - total[0])))
