"""Contacts: an anchor escapement beside MuJoCo, Box2D and pymunk; a clock run down; clocks side by side."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import numpy as np

import contacts_rivals as rivals
import linkwork as lw
from contacts_model import FRICTION, START, machine_file
from contacts_rivals import ROW, Ran
from linkwork.contact import ContactIslands, Law, Laws
from linkwork.examples import path
from linkwork.recognition import recognise
from report import Report

UNTIL = 20.0
FINE = 1e-12
ROUNDS = 5


def main() -> int:
    """All of it."""
    report = Report("contacts", "Contacts", "Times are CPU times; ours the best of several runs.")
    with tempfile.TemporaryDirectory() as folder:
        _escapement(report, Path(folder))
        _run_down(report)
        _side_by_side(report, Path(folder))
    report.write()
    return 0


def period(angles: np.ndarray, spacing: float) -> float:
    """The mean time between passages upwards, in the second half of a motion."""
    at = np.flatnonzero((angles[:-1] < 0) & (angles[1:] >= 0))
    times = (at - angles[at] / (angles[at + 1] - angles[at])) * spacing
    return float(np.mean(np.diff(times)[len(times) // 2 :]))


def _escapement(report: Report, folder: Path) -> None:
    title = f"Anchor escapement, {UNTIL:g} s, friction {FRICTION}"
    file = folder / "anchor.toml"
    file.write_text(machine_file())
    machine = ContactIslands(recognise(lw.load(str(file))))
    laws = Laws(Law(friction=FRICTION))
    fine = machine.simulate(UNTIL, step=ROW, rtol=FINE, laws=laws)
    true = period(fine.columns["anchor.angle"] + START, ROW)

    def add(system: str, step: object, ran: Ran, spacing: float = ROW) -> None:
        found = period(ran.angles, spacing)
        row = {"system": system, "step or tolerance": step, "period": round(found, 7)}
        row |= {"error": f"{abs(found / true - 1):.1e}", "simulated s per s": round(UNTIL / ran.cpu, 1)}
        report.add(title, row)

    for rtol in (1e-9, 1e-6):
        for spacing in (ROW, 0.02):
            add(
                f"linkwork, rigid, rows {1e3 * spacing:g} ms apart",
                rtol,
                _ours(machine, laws, rtol, spacing),
                spacing,
            )
    for step, stiff in ((1e-3, None), (1e-3, 2e-3), (1e-4, 2e-4)):
        add("MuJoCo" if stiff is None else "MuJoCo, stiff", step, rivals.mujoco(step, UNTIL, stiff))
    for step in (1e-3, 1e-4):
        add("Box2D", step, rivals.box2d(step, UNTIL))
        add("pymunk", step, rivals.pymunk(step, UNTIL))


def _ours(machine: ContactIslands, laws: Laws, rtol: float, spacing: float) -> Ran:
    """The best of several runs of the engine, without reading and compiling."""
    runs = [machine.simulate(UNTIL, step=spacing, rtol=rtol, laws=laws) for _ in range(ROUNDS)]
    return Ran(runs[0].columns["anchor.angle"] + START, min(run.effort["seconds"] for run in runs))


def _run_down(report: Report) -> None:
    machine = ContactIslands(recognise(lw.load("escapement")))
    solution = min((machine.simulate(2075.0) for _ in range(ROUNDS)), key=lambda run: run.effort["seconds"])
    row = {
        "model": "rigid",
        "seconds": round(solution.effort["seconds"], 3),
        "steps": solution.effort["steps"],
    }
    report.add("The escapement of Gelsey, run down (2075 time units, 281 cycles)", row)


def _side_by_side(report: Report, folder: Path) -> None:
    title = "Escapements side by side on one frame, ten cycles: engine's time for each"
    for count in (1, 4, 16, 64):
        file = folder / f"clocks{count}.toml"
        file.write_text(side_by_side(count))
        machine = ContactIslands(recognise(lw.load(str(file))))
        seconds = min(machine.simulate(74.0).effort["seconds"] for _ in range(3))
        report.add(title, {"escapements": count, "ms each": round(1e3 * seconds / count, 3)})


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
