"""The double pendulum for 10 s at 1e-9, beside C written by hand, SciPy and MuJoCo."""

from __future__ import annotations

import ctypes
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from linkwork.simulation import Simulator
from linkwork.simulation.native import _runtime
from synthesis_by_hand import DOUBLE_PENDULUM, ByHand
from synthesis_chain import _loaded, _mjcf, mujoco_library
from synthesis_measure import PLAIN, TUNED, NotedReport, Row, best_in_turn, cpu_of, pointer, seconds_of, short
from synthesis_model import double_pendulum

SECTION = "Double pendulum, 10 s at tolerance 1e-9"
END, TOLERANCE = 10.0, 1e-9
START = (1.0, 1.3, 0.0, 0.0)  # absolute angles from the vertical
Result = tuple[float, Any]  # CPU seconds, absolute angles and rates at the end


class Ours:
    """The synthesised machine, run as users run it from Python; the time of the runtime in C alone is noted too."""

    def __init__(self, machine: Any, tolerance: float, times: Any) -> None:
        self.simulator = Simulator(machine)
        self.begun = self.simulator.begun({}, {}, {})
        self.times, self.tolerance = np.array(times, float), tolerance
        self.ran: Any = None

    def in_python(self) -> float:
        """CPU seconds of ``NativeMachine.run``."""
        atol = np.full(self.simulator.native.size, self.tolerance)
        begun, native = self.begun, self.simulator.native

        def run() -> None:
            self.ran = native.run(
                begun.constants, begun.controls, begun.started, self.times, self.tolerance, atol
            )

        return cpu_of(run)

    def in_c(self) -> float:
        """CPU seconds of the runtime's one call in C."""
        library: Any = _runtime()
        taken = [0.0]
        call = library.lw_machine_simulate

        def timed(*given: Any) -> Any:
            begin = time.process_time()
            reached = call(*given)
            taken[0] = time.process_time() - begin
            return reached

        library.lw_machine_simulate = timed
        try:
            self.in_python()
        finally:
            library.lw_machine_simulate = call
        return taken[0]

    @property
    def tried(self) -> int:
        """Steps, accepted or not, of the last run."""
        return int(self.ran.steps + self.ran.rejected)


def _scipy_rate(t: float, x: Any) -> list[float]:
    a, b, u, w = x.tolist()
    c, s = math.cos(a - b), math.sin(a - b)
    f1, f2 = -0.5 * s * w * w - 14.715 * math.sin(a), 0.5 * s * u * u - 4.905 * math.sin(b)
    d = 0.5 * c
    inverse = 1 / (4 / 9 - d * d)
    return [u, w, (f1 / 3 - d * f2) * inverse, (4 / 3 * f2 - d * f1) * inverse]


def _scipy(method: str) -> Result:
    found: list[Any] = []

    def run() -> None:
        found.append(solve_ivp(_scipy_rate, (0, END), START, method=method, rtol=TOLERANCE, atol=TOLERANCE))

    return cpu_of(run), found[0].y[:, -1]


def _mujoco(library: Any, folder: Path, step: float) -> Callable[[], Result]:
    option = f'<option gravity="0 0 -9.81" integrator="RK4" timestep="{step!r}">'
    file = folder / f"double{step}.xml"
    file.write_text(_mjcf(2).replace('<option gravity="0 0 -9.81">', option))
    start, rows = np.array([1.0, 0.3, 0.0, 0.0]), np.zeros((1, 4))

    def run() -> Result:
        assert library.take(str(file).encode()) == 0
        taken = library.run(pointer(start), 2, 1, round(END / step), pointer(rows))
        a, b, u, w = rows[0]
        return taken, np.array([a, a + b, u, u + w])

    return run


def add_pendulum(report: NotedReport, seconds: float) -> None:
    """All systems in turn."""
    report.note(
        SECTION,
        "`error`: of the four variables at the end, against C by hand at 1e-14. C by hand is compiled with the flags "
        "with which linkwork compiles, and with -O3 -march=native -ffast-math. Ours with one row at the end, as C by "
        "hand, and with 300 rows with all outputs.",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hand = ByHand(folder, "hand", DOUBLE_PENDULUM, 4, PLAIN)
        tuned = ByHand(folder, "tuned", DOUBLE_PENDULUM, 4, TUNED + " -ffast-math")
        exact = hand.adaptive(START, END, 1e-14)[1]
        ours, rows = (
            Ours(double_pendulum(), TOLERANCE, [0, END]),
            Ours(double_pendulum(), TOLERANCE, np.linspace(0, END, 301)),
        )
        library = _loaded(mujoco_library())
        library.run.restype = ctypes.c_double
        library.run.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_long, ctypes.c_void_p]
        slow = {
            "SciPy DOP853": lambda: _scipy("DOP853"),
            "SciPy LSODA": lambda: _scipy("LSODA"),
            "MuJoCo RK4, 2 ms": _mujoco(library, folder, 2e-3),
            "MuJoCo RK4, 0.2 ms": _mujoco(library, folder, 2e-4),
        }
        fast: dict[str, Callable[[], float]] = {
            "C by hand": lambda: hand.adaptive(START, END, TOLERANCE)[0],
            "linkwork": ours.in_c,
            "C by hand, tuned": lambda: tuned.adaptive(START, END, TOLERANCE)[0],
            "linkwork, called from Python": ours.in_python,
            "linkwork, 300 rows": rows.in_c,
        }
        ends = {each: run()[1] for each, run in slow.items()}
        best = best_in_turn(fast, 3000, seconds)
        best |= best_in_turn({each: seconds_of(run) for each, run in slow.items()}, 5, seconds)
        errors = {each: _error(end, exact) for each, end in ends.items()}
        errors |= {"C by hand": _error(hand.adaptive(START, END, TOLERANCE)[1], exact)}
        errors |= {"C by hand, tuned": _error(tuned.adaptive(START, END, TOLERANCE)[1], exact)}
        tried = {"C by hand": hand.adaptive(START, END, TOLERANCE)[2]}
        tried["C by hand, tuned"] = tuned.adaptive(START, END, TOLERANCE)[2]
        for label, each in (
            ("linkwork", ours),
            ("linkwork, called from Python", ours),
            ("linkwork, 300 rows", rows),
        ):
            each.in_c()
            a, b, u, w = each.ran.states[-1]
            errors[label] = _error(np.array([a + math.pi / 2, a + b + math.pi / 2, u, u + w]), exact)
            tried[label] = each.tried
    for system in [*fast, *slow]:
        row: Row = {
            "system": system,
            "ms": short(best[system] * 1e3),
            "÷ C by hand": round(best[system] / best["C by hand"], 2),
        }
        row |= {
            "÷ C by hand, tuned": round(best[system] / best["C by hand, tuned"], 2),
            "error": short(errors[system]),
        }
        report.add(SECTION, row | {"steps tried": tried.get(system, "")})


def _error(end: Any, exact: Any) -> float:
    return float(np.max(np.abs(end - exact)))
