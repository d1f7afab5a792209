"""Contacts: an anchor escapement beside MuJoCo, Box2D and pymunk; a clock run down; clocks side by side."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

import contacts_near as near_outlines
import contacts_rivals as rivals
import linkwork as lw
from contacts_model import FRICTION, START, machine_file
from contacts_rivals import ROW, Ran
from linkwork.contact import ContactIslands, Law, Laws
from linkwork.examples import path
from linkwork.recognition import recognise
from report import Report

UNTIL = 20.0
FINE, FINE_ROW = 1e-12, 1e-3
ENOUGH = 1e-4
STEPS = (4e-3, 2e-3, 1.25e-3, 1e-3, 1e-4)
"""Of the peers: each divides the time between rows, else their rows would not be where they are said to be."""
ROUNDS = 7
"""How many turns each system has, ours and the peers'; the quickest counts."""
TURN = 0.2
"""s of CPU time that a turn takes at least."""
STIFFNESS = 2e3
"""N/m of the elastic parts: the usual constants are made for machines some units large, this one is in metres. So parts
are at most 0.02 mm deep in one another; damping and pressing are the usual ones."""


Name = TypeVar("Name", bound=Hashable)
Made = TypeVar("Made")
Cost = Callable[[Made], float]
Runs = dict[tuple[str, float], Callable[[], Ran]]
"""What is compared: name of the system with its step or tolerance, and how to run it once."""


def main() -> int:
    """All of it."""
    times = f"CPU times on {_one_processor()}: the mean of a turn of {TURN:g} s, the best of {ROUNDS} turns of each."
    load = f"The load was {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors."
    report = Report("contacts", "Contacts", f"{times} {load}")
    with tempfile.TemporaryDirectory() as folder:
        _escapement(report, Path(folder))
        _run_down(report)
        _side_by_side(report, Path(folder))
    _near(report)
    report.write()
    return 0


def _one_processor() -> str:
    """Keep to one processor where the system lets us: two that share a core slow each other, and CPU times grow."""
    if not hasattr(os, "sched_setaffinity"):
        return "any processor"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return "one processor"


def period(angles: np.ndarray, spacing: float) -> float:
    """The mean time between passages upwards, in the second half of a motion."""
    at = np.flatnonzero((angles[:-1] < 0) & (angles[1:] >= 0))
    times = (at - angles[at] / (angles[at + 1] - angles[at])) * spacing
    return float(np.mean(np.diff(times)[len(times) // 2 :]))


def _escapement(report: Report, folder: Path) -> None:
    title = f"Anchor escapement, {UNTIL:g} s, friction {FRICTION}, rows {1e3 * ROW:g} ms apart"
    file = folder / "anchor.toml"
    file.write_text(machine_file())
    machine = ContactIslands(recognise(lw.load(str(file))))
    laws = Laws(Law(friction=FRICTION))
    fine = machine.simulate(UNTIL, step=FINE_ROW, rtol=FINE, laws=laws)
    true = period(fine.columns["anchor.angle"] + START, FINE_ROW)
    reached: dict[str, list[float]] = {}
    for (system, step), (ran, cpu) in _best_of_each(
        _ours(machine, laws) | _theirs(), lambda ran: ran.cpu
    ).items():
        found = period(ran.angles, ROW)
        error, pace = abs(found / true - 1), UNTIL / cpu
        row = {"system": system, "step or tolerance": step, "period": round(found, 7)}
        row |= {"error": f"{error:.1e}", "simulated s per s": round(pace, 1)}
        report.add(title, row)
        if error <= ENOUGH:
            whose = system if system.startswith("linkwork") else "peer"
            reached.setdefault(whose, []).append(pace)
    peers = max(reached.pop("peer"))
    for system, paces in reached.items():
        ours = max(paces)
        row = {"system": system, "ours": round(ours), "fastest peer": round(peers)}
        row |= {"ours ÷ peer": round(ours / peers, 1)}
        report.add(f"The fastest of those whose period is wrong by at most {ENOUGH:g}", row)


def _ours(machine: ContactIslands, laws: Laws) -> Runs:
    """Both models at several tolerances: the engine, without reading and compiling."""

    def run(laws: Laws, rtol: float, model: str) -> Ran:
        found = machine.simulate(UNTIL, step=ROW, rtol=rtol, laws=laws, model=model)
        return Ran(found.columns["anchor.angle"] + START, found.effort["seconds"])

    softer = Laws(Law(friction=FRICTION, stiffness=STIFFNESS))
    runs: Runs = {}
    for rtol in (1e-9, 1e-8, 1e-7, 1e-6, 1e-5):
        runs["linkwork, rigid", rtol] = partial(run, laws, rtol, "rigid")
    for rtol in (1e-9, 1e-7, 1e-5, 1e-3):
        runs[f"linkwork, elastic, {STIFFNESS:g} N/m", rtol] = partial(run, softer, rtol, "elastic")
    for rtol in (1e-7, 1e-5, 1e-3):
        runs[f"linkwork, elastic, {Law().stiffness:g} N/m", rtol] = partial(run, laws, rtol, "elastic")
    return runs


def _theirs() -> Runs:
    """The peers, at several steps; MuJoCo with its usual contacts and with stiff ones."""
    runs: Runs = {}
    for step, stiff in ((1e-3, None), (2e-3, 4e-3), (1.25e-3, 2.5e-3), (1e-3, 2e-3), (1e-4, 2e-4)):
        system = "MuJoCo" if stiff is None else "MuJoCo, stiff"
        runs[system, step] = partial(rivals.mujoco, step, UNTIL, stiff)
    for step in STEPS:
        runs["Box2D", step] = partial(rivals.box2d, step, UNTIL)
        runs["pymunk", step] = partial(rivals.pymunk, step, UNTIL)
    return runs


def _best_of_each(runs: Mapping[Name, Callable[[], Made]], cpu: Cost[Made]) -> dict[Name, tuple[Made, float]]:
    """What each makes, and the CPU time of one run of it: the mean of the runs of a turn, in the quickest turn.

    They take turns, each for as long as the others, so that a processor which is now fast and now slow treats them
    alike, and what is done in 2 ms has no better luck than what takes 2 s.
    """
    best: dict[Name, tuple[Made, float]] = {}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin, times = time.process_time(), []
            while time.process_time() - begin < TURN:
                made = run()
                times.append(cpu(made))
            mean = sum(times) / len(times)
            if name not in best or mean < best[name][1]:
                best[name] = made, mean
    return best


def _run_down(report: Report) -> None:
    begin = time.process_time()
    machine = ContactIslands(recognise(lw.load("escapement")))
    _compile(machine)
    ready = time.process_time() - begin
    for model in ("rigid", "elastic"):
        begin = time.process_time()
        runs = [machine.simulate(2075.0, model=model) for _ in range(ROUNDS)]
        whole = (time.process_time() - begin) / ROUNDS
        best = min(runs, key=lambda run: run.effort["seconds"])
        row = {"model": model, "engine s": round(best.effort["seconds"], 3), "steps": best.effort["steps"]}
        row |= {"simulate() s": round(whole, 3), "recognition and program s": round(ready, 3)}
        report.add("The escapement of Gelsey, run down (2075 time units, 281 cycles)", row)


def _side_by_side(report: Report, folder: Path) -> None:
    title = "Escapements side by side on one frame, ten cycles: ms for each"
    rows: dict[int, dict[str, float]] = {}
    runs: dict[int, Callable[[], tuple[Any, float]]] = {}
    for count in (1, 4, 16, 64):
        file = folder / f"clocks{count}.toml"
        file.write_text(side_by_side(count))
        found, recognition = _timed(recognise, lw.load(str(file)))
        machine, equations = _timed(ContactIslands, found)
        _, programs = _timed(_compile, machine)
        rows[count] = {"recognition": recognition, "touching and equations": equations, "programs": programs}
        runs[count] = partial(_timed, machine.simulate, 74.0)
    engine = _best_of_each(runs, lambda timed: timed[0].effort["seconds"])
    whole = _best_of_each(runs, lambda timed: timed[1])
    for count, row in rows.items():
        times = {"engine": engine[count][1], "simulate()": whole[count][1], **row}
        each = {name: round(1e3 * seconds / count, 2) for name, seconds in times.items()}
        report.add(title, {"escapements": count, **each})


def _near(report: Report) -> None:
    title = "Distance, normals and witness points of a wheel of 40 edges and a lever of 16, in each of many positions"
    for system, kept in (
        ("linkwork, lists kept of what faces each other", True),
        ("linkwork, grids asked each time", False),
    ):
        micros, near = near_outlines.measure(kept)
        report.add(title, {"system": system, "µs": round(micros, 3), "near touches": round(near, 1)})
    report.add(title, {"system": "shapely, distance alone", "µs": round(near_outlines.measure_shapely(), 1)})


def _timed(work: Callable[..., Any], *given: object) -> tuple[Any, float]:
    """What some work gives, and the CPU time it took."""
    begin = time.process_time()
    return work(*given), time.process_time() - begin


def _compile(machine: ContactIslands) -> None:
    """See that all programs are compiled, or found compiled."""
    for each in machine.simulators:
        each.native  # noqa: B018


def side_by_side(count: int) -> str:
    """So many escapements in a row, on one frame."""
    head, *parts = re.split(r"(?=\[part\.)", path("escapement").read_text())
    solid = re.compile(r'solid = """\n(.*?)"""', re.DOTALL)

    def moved(text: str, place: int) -> str:
        return f"translate([{40 * place}, 0, 0]) {{ {text} }}"

    frame = next(part for part in parts if part.startswith("[part.frame]"))
    frames = "\n".join(moved(solid.search(frame)[1], place) for place in range(count))  # type: ignore[index]
    bar = f"translate([-6.5, -8, -2]) cube([{40 * count}, 3, 1]);"
    found = [head, f'[part.frame]\nfixed = true\nsolid = """\n{frames}\n{bar}\n"""\n']
    for place in range(count):
        for part in parts:
            if part is not frame:
                text = re.sub(r"\[part\.(\w+)\]", rf"[part.\1_{place}]", part)
                found.append(
                    solid.sub(lambda m, place=place: f'solid = """\n{moved(m[1], place)}\n"""', text)  # type: ignore[misc]
                )
    return "\n".join(found)


if __name__ == "__main__":
    raise SystemExit(main())
