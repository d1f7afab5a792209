"""Kinematics: sweeps of linkages with positions and velocities, rivals in the same run, and growth with size.

Ours stands in ``linkage_ours``. pylinkage's compilation is counted where it happens: with the first linkage swept.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core for everyone; read when NumPy is imported

import numpy as np

import linkage_model as model
import linkage_scale as scale
from linkage_model import Array, Linkage, Motion
from linkage_ours import ours, ours_scissors
from linkage_rivals import (
    C_FLAGS,
    RIVALS,
    Prepared,
    c_closed_form,
    c_newton,
    forget_numba_cache,
    py_slvs,
    pylinkage_numba,
    python_solvespace,
)
from report import Report

ROWS = 360  # of a whole turn
FEW_ANGLES = 0.9 + np.deg2rad(np.arange(4.0))  # for solvers that take milliseconds for a row
MANY_ANGLES = np.linspace(0.4, 1.3, ROWS)  # of the scissors' bars, for whoever sweeps in one call
LOOPS = UNITS = (5, 10, 25, 50, 100, 250)  # of two bars each
FITTED_FROM = 50  # bars; below, the cost of a call hides the growth
ROUNDS = 4  # in which all systems are timed in turn, so that no one has the machine's slow moments alone
ACCURATE = 1e-6  # of the largest position and velocity: a system that errs by more is wrong
NAME = "linkwork"
TIME = "µs per position"
PACKAGES = "linkwork numpy scipy pylinkage numba py-slvs python-solvespace".split()

Rival = Callable[[Any, Array], Prepared]
Row = dict[str, Any]


CHAIN_RIVALS: dict[str, Rival] = {
    "C closed form": c_closed_form,
    "C Newton": c_newton,
    "pylinkage, numba": pylinkage_numba,
}
SKETCH_RIVALS: dict[str, Rival] = {"python-solvespace": python_solvespace, "py-slvs": py_slvs}
GENERAL_RIVALS: dict[str, Rival] = {
    "SciPy sparse Newton": scale.sparse_newton,
    "SciPy dense Newton": scale.dense_newton,
    "SciPy root, dense Jacobian": scale.dense_root,
}


def main() -> int:
    """Run every case and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.6, help="for which each system is timed")
    seconds: float = parser.parse_args().seconds
    report = Report("linkage", "Kinematics of planar linkages")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LINKWORK_CACHE"] = str(Path(folder) / "linkwork")
        forget_numba_cache(str(Path(folder) / "numba"))
        sweep(report, "Four-bar, a turn in 360 positions", model.four_bar(), ours, seconds)
        sweep(report, "Jansen leg, a turn in 360 positions", model.jansen_leg(), ours, seconds)
        growth(report, "Chain of four-bar loops", loop_chain_rows(seconds / 3))
        growth(report, "Scissors", scissors_rows(seconds / 3))
    for row in facts():
        report.add("Versions and machine", row)
    report.write()
    return 0


def sweep(report: Report, title: str, linkage: Linkage, ours: Rival, seconds: float) -> None:
    """One table: every system's time for a position, its errors, and how many times ours it is."""
    angles = model.whole_turn(ROWS)
    exact = model.closed_form(linkage, angles)
    rows = measured({NAME: ours, **RIVALS}, linkage, angles, exact, seconds)
    for row in rows:
        if row["system"] == "NumPy closed form":  # the reference, so it is held against the equations
            row["position error"], row["velocity error"] = map(_short, model.own_error(linkage, exact))
    for row in with_ratios(rows):
        report.add(title, row)


def loop_chain_rows(seconds: float) -> list[Row]:
    """The chain of loops: ours, three that use its dyads, five that do not."""
    rows = []
    for loops in LOOPS:
        linkage = model.loop_chain(loops)
        system = scale.system_of(linkage)
        angles = model.whole_turn(ROWS)
        rivals = {NAME: ours, **CHAIN_RIVALS}
        found = measured(rivals, linkage, angles, model.closed_form(linkage, angles), seconds)
        few = model.closed_form(linkage, FEW_ANGLES)
        found += measured(SKETCH_RIVALS, linkage, FEW_ANGLES, few, seconds)
        found += measured(GENERAL_RIVALS, system, FEW_ANGLES, system.motion(FEW_ANGLES), seconds)
        rows += [{**row, "bars": linkage.bars} for row in found]
    return rows


def scissors_rows(seconds: float) -> list[Row]:
    """The lazy tongs: ours and three general solvers."""
    rows = []
    for units in UNITS:
        system = scale.scissors(units)
        found = measured({NAME: ours_scissors}, system, MANY_ANGLES, system.motion(MANY_ANGLES), seconds)
        found += measured(GENERAL_RIVALS, system, FEW_ANGLES, system.motion(FEW_ANGLES), seconds)
        rows += [{**row, "bars": system.bars} for row in found]
    return rows


def measured(
    rivals: dict[str, Rival], linkage: Any, angles: Array, exact: Motion, seconds: float
) -> list[Row]:
    """Prepare all, check all, then time all in turn. Whoever is not installed is left out."""
    ready: dict[str, Prepared] = {}
    rows: list[Row] = []
    for name, rival in rivals.items():
        try:
            ready[name] = rival(linkage, angles)
        except ImportError as problem:
            print(f"{name} is left out: {problem!r}", file=sys.stderr)
            continue
        rows.append(checked(name, ready[name], exact))
    fastest = dict.fromkeys(ready, float("inf"))
    for turn in range(ROUNDS):
        for name, prepared in ready.items():
            if turn == 0 or fastest[name] < seconds:  # a run that fills the time is timed in one turn
                fastest[name] = min(fastest[name], best(prepared.run, seconds / ROUNDS))
    for row in rows:
        row[TIME] = _short(fastest[row["system"]] / len(angles) * 1e6, 3)
        print(linkage.name, row, file=sys.stderr, flush=True)
    return rows


def checked(name: str, prepared: Prepared, exact: Motion) -> Row:
    """The row of one system but for its time: the largest errors and what it took to compile."""
    found = prepared.read(prepared.run())
    place = float(np.abs(found.positions - exact.positions).max())
    rate = float(np.abs(found.velocities - exact.velocities).max())
    for error, size in ((place, exact.positions), (rate, exact.velocities)):
        assert error < ACCURATE * np.abs(size).max(), f"{name} is wrong: positions {place}, velocities {rate}"
    row: Row = {"system": name, "position error": _short(place), "velocity error": _short(rate)}
    if prepared.compile_seconds is not None and prepared.compile_seconds >= 0.005:
        row["compile s"] = round(prepared.compile_seconds, 2)
    if prepared.note:
        row["note"] = prepared.note
    return row


def best(run: Callable[[], Any], seconds: float) -> float:
    """CPU seconds of the fastest run; runs of microseconds are timed several at once."""
    clock = time.process_time
    begin = clock()
    run()
    fastest = clock() - begin
    together = max(1, int(1e-4 / max(fastest, 1e-9)))
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        begin = clock()
        for _ in range(together):
            run()
        fastest = min(fastest, (clock() - begin) / together)
    return fastest


def with_ratios(rows: Sequence[Row]) -> list[Row]:
    """The rows with the times first and, behind them, ``÷ ours``: above 1 we are faster."""
    own = {row.get("bars"): row[TIME] for row in rows if row["system"] == NAME}
    done = []
    for row in rows:
        head = {key: row[key] for key in ("system", "bars", TIME) if key in row}
        if row.get("bars") in own:
            head["÷ ours"] = _short(row[TIME] / own[row.get("bars")], 3)
        done.append({**head, **row})
    return done


def growth(report: Report, title: str, rows: list[Row]) -> None:
    """One table of times by size and one of the exponents: time ∝ bars^exponent."""
    for row in with_ratios(rows):
        report.add(title, row)
    for name in dict.fromkeys(row["system"] for row in rows):
        own = [row for row in rows if row["system"] == name and row["bars"] >= FITTED_FROM]
        bars, times = np.log([(row["bars"], row[TIME]) for row in own]).T
        exponent = float(np.polyfit(bars, times, 1)[0])
        last = float((times[-1] - times[-2]) / (bars[-1] - bars[-2]))
        report.add(
            f"{title}: exponent of time against bars, from {FITTED_FROM} bars",
            {"system": name, "exponent": round(exponent, 2), "between the two largest": round(last, 2)},
        )


def facts() -> list[Row]:
    """What the numbers depend on."""
    values: dict[str, Any] = {name: _version(name) for name in PACKAGES}
    compiler = subprocess.run(["cc", "--version"], check=True, capture_output=True, text=True).stdout
    values["C compiler"] = compiler.splitlines()[0]
    values["flags of the C rivals"] = " ".join(C_FLAGS)
    values["processor"] = _processor()
    values["cores"] = os.cpu_count()
    values["system"] = f"{platform.system()} {platform.release()}"
    return [{"what": what, "value": value} for what, value in values.items()]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    """The processor's name where the system tells it."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _short(value: float, digits: int = 2) -> float:
    return float(f"{value:.{digits}g}")


if __name__ == "__main__":
    sys.exit(main())
