"""Contacts: an anchor escapement beside MuJoCo, Box2D and pymunk; a clock run down; clocks side by side."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
"""Runs of each system, ours and the peers', of which the best counts."""
STIFFNESS = 2e3
"""N/m of the elastic parts: the usual constants are made for machines some units large, this one is in metres. So parts
are at most 0.02 mm deep in one another; damping and pressing are the usual ones."""


def main() -> int:
    """All of it."""
    load = f"The load was {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors."
    report = Report("contacts", "Contacts", f"Times are CPU times, the best of {ROUNDS} runs of each. {load}")
    with tempfile.TemporaryDirectory() as folder:
        _escapement(report, Path(folder))
        _run_down(report)
        _side_by_side(report, Path(folder))
    _near(report)
    report.write()
    return 0


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

    def add(system: str, step: object, ran: Ran) -> None:
        found = period(ran.angles, ROW)
        error, pace = abs(found / true - 1), UNTIL / ran.cpu
        row = {"system": system, "step or tolerance": step, "period": round(found, 7)}
        row |= {"error": f"{error:.1e}", "simulated s per s": round(pace, 1)}
        report.add(title, row)
        if error <= ENOUGH:
            whose = system if system.startswith("linkwork") else "peer"
            reached.setdefault(whose, []).append(pace)

    for rtol in (1e-9, 1e-8, 1e-7, 1e-6, 1e-5):
        add("linkwork, rigid", rtol, _ours(machine, laws, rtol, "rigid"))
    softer = Laws(Law(friction=FRICTION, stiffness=STIFFNESS))
    for rtol in (1e-9, 1e-7, 1e-5, 1e-3):
        add(f"linkwork, elastic, {STIFFNESS:g} N/m", rtol, _ours(machine, softer, rtol, "elastic"))
    for rtol in (1e-7, 1e-5, 1e-3):
        add(f"linkwork, elastic, {Law().stiffness:g} N/m", rtol, _ours(machine, laws, rtol, "elastic"))
    for step, stiff in ((1e-3, None), (2e-3, 4e-3), (1.25e-3, 2.5e-3), (1e-3, 2e-3), (1e-4, 2e-4)):
        add("MuJoCo" if stiff is None else "MuJoCo, stiff", step, _theirs(rivals.mujoco, step, stiff))
    for step in STEPS:
        add("Box2D", step, _theirs(rivals.box2d, step))
        add("pymunk", step, _theirs(rivals.pymunk, step))
    peers = max(reached.pop("peer"))
    for system, paces in reached.items():
        ours = max(paces)
        row = {"system": system, "ours": round(ours), "fastest peer": round(peers)}
        row |= {"ours ÷ peer": round(ours / peers, 1)}
        report.add(f"The fastest of those whose period is wrong by at most {ENOUGH:g}", row)


def _ours(machine: ContactIslands, laws: Laws, rtol: float, model: str) -> Ran:
    """The best of several runs of the engine, without reading and compiling."""

    def run() -> Ran:
        found = machine.simulate(UNTIL, step=ROW, rtol=rtol, laws=laws, model=model)
        return Ran(found.columns["anchor.angle"] + START, found.effort["seconds"])

    return _best(run)


def _theirs(simulate: Callable[..., Ran], step: float, *how: object) -> Ran:
    """The best of as many runs of a peer."""
    return _best(lambda: simulate(step, UNTIL, *how))


def _best(run: Callable[[], Ran]) -> Ran:
    """The quickest run."""
    return min((run() for _ in range(ROUNDS)), key=lambda each: each.cpu)


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
    for count in (1, 4, 16, 64):
        file = folder / f"clocks{count}.toml"
        file.write_text(side_by_side(count))
        found, recognition = _timed(recognise, lw.load(str(file)))
        machine, equations = _timed(ContactIslands, found)
        _, programs = _timed(_compile, machine)
        runs = [_timed(machine.simulate, 74.0) for _ in range(ROUNDS)]
        seconds, whole = min(ran.effort["seconds"] for ran, _ in runs), min(taken for _, taken in runs)
        row = {"escapements": count, "engine": seconds, "simulate()": whole, "recognition": recognition}
        row |= {"touching and equations": equations, "programs": programs}
        report.add(
            title,
            {
                name: value if name == "escapements" else round(1e3 * value / count, 2)
                for name, value in row.items()
            },
        )


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
