"""Live pages: how many frames of 1/30 s their program computes in a second, in a browser and elsewhere.

Where there is a compiler for WebAssembly (see docs/pages.md), pages are measured with a module and without.
Rendering is measured apart, in software at 640×360, which says little about a computer with graphics.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from report import Report

MACHINES = ("pendulum", "acrobat", "snowman", "bicycle", "roller-coaster")
FRAMES, ROUNDS, ROUNDS_ALONE, OPENINGS = 600, 25, 150, 5
ARGUMENTS = "--no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader".split()

IN_C = """
#include <stdio.h>
#include <time.h>
#include "{name}.h"
int main(void)
{{
    double best = 0.0;
    for (int round = 0; round < {rounds}; ++round) {{
        {name}_machine m;
        struct timespec a, b;
        {name}_begin(&m);
        m.tolerance = 1e-6;
        {name}_initialise(&m);
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int frame = 0; frame < {frames}; ++frame) {{
            {name}_step(&m, 1.0 / 30);
        }}
        clock_gettime(CLOCK_MONOTONIC, &b);
        double rate = {frames} / (b.tv_sec - a.tv_sec + 1e-9 * (b.tv_nsec - a.tv_nsec));
        best = rate > best ? rate : best;
        {name}_end(&m);
    }}
    printf("%.0f", best);
}}
"""
STEPS = """
let best = 0;
for (let round = 0; round < %(rounds)d; round++) {
  const machine = initialise({ rtol: 1e-6 }), begin = performance.now();
  for (let frame = 0; frame < %(frames)d; frame++) %(each)s;
  best = Math.max(best, %(frames)d / (performance.now() - begin) * 1000);
}
"""
STEP_ALONE = "step(machine, 1 / 30)"
STEP_AND_SHOW = "{ step(machine, 1 / 30); observe(machine); show(machine); }"
KEEPING = """
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = (bytes, imports) => instantiate(window.moduleBytes = bytes, imports);
"""
COMPUTING = """
async () => {
  const { initialise, step, observe, show } = %(program)s;
  %(steps)s
  return best;
}
"""
PROGRAMS = {"JavaScript": "program", "WebAssembly": "window.module ??= await program.compiled(moduleBytes)"}
WORK = {"": STEP_ALONE, ", all columns and placements": STEP_AND_SHOW}
FRAMES_TITLE = "Frames of 1/30 s computed in a second, tolerance 1e-6"
PAGES_TITLE = "The page in headless Chromium, 640×360, software rendering"
DRAWING = """
() => {
  const gl = document.getElementById("picture").getContext("webgl2"), pixel = new Uint8Array(4);
  let best = Infinity;
  for (let k = 0; k < 10; k++) {
    const begin = performance.now();
    linkwork.advance(0);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}
"""


def steps(each: str, rounds: int) -> str:
    """A loop over frames."""
    return STEPS % {"rounds": rounds, "frames": FRAMES, "each": each}


def in_c(machine: str, folder: Path) -> float:
    """The program in C, compiled with -O2."""
    from linkwork import load, synthesise

    program = synthesise(load(machine), "c")
    for name, text in program.files.items():
        (folder / name).write_text(text)
    (folder / "bench.c").write_text(IN_C.format(name=program.name, frames=FRAMES, rounds=ROUNDS_ALONE))
    sources = [f"{program.name}.c", "bench.c"]
    subprocess.run(["cc", "-O2", "-o", "bench", *sources, "-lm"], cwd=folder, check=True)
    return float(subprocess.run(["./bench"], cwd=folder, check=True, capture_output=True).stdout)


def in_node(machine: str, folder: Path) -> float:
    """The module in Node."""
    from linkwork import load, synthesise

    program = synthesise(load(machine), "javascript")
    (folder / f"{program.name}.mjs").write_text(next(iter(program.files.values())))
    head = f'import {{ initialise, step }} from "./{program.name}.mjs";\n'
    (folder / "bench.mjs").write_text(head + steps(STEP_ALONE, ROUNDS_ALONE) + "console.log(best);")
    done = subprocess.run(["node", "bench.mjs"], cwd=folder, check=True, capture_output=True)
    return float(done.stdout)


def opened(browser: Any, page_file: Path) -> tuple[Any, float]:
    """The page, standing, and the milliseconds that it took to open."""
    times = []
    for _ in range(OPENINGS):
        page = browser.new_page(viewport={"width": 640, "height": 360})
        page.add_init_script(KEEPING)
        page.goto(f"{page_file.as_uri()}#paused")
        times.append(page.evaluate("linkwork.ready.then(() => performance.now())"))
        if len(times) < OPENINGS:
            page.close()
    return page, min(times)


def rates_in(page: Any, languages: Sequence[str]) -> dict[str, float]:
    """Frames in a second, stepped only, and with all that a picture needs; the programs take turns."""
    scripts = {
        f"page, {language}{more}": COMPUTING % {"program": PROGRAMS[language], "steps": steps(each, 1)}
        for language in languages
        for more, each in WORK.items()
    }
    best = dict.fromkeys(scripts, 0.0)
    for _ in range(ROUNDS):
        for name, script in scripts.items():
            best[name] = max(best[name], page.evaluate(script))
    return best


def measure(report: Report, browser: Any, machine: str, folder: Path) -> None:
    """One machine in C, in Node, and in pages."""
    from linkwork import load
    from linkwork.emit.webassembly import find_module_compiler
    from linkwork.view.live_page import JAVASCRIPT, WASM, live_page

    alone = {"C": in_c, "Node": in_node}
    rates = {program: run(machine, folder) for program, run in alone.items()}
    pages = {"JavaScript": JAVASCRIPT} | ({"WebAssembly": WASM} if find_module_compiler() else {})
    for language, program in pages.items():
        file = folder / f"{program}.html"
        file.write_text(next(iter(live_page(load(machine), program).files.values())))
        page, opening = opened(browser, file)
        row = {"machine": machine, "program": language, "kB": round(file.stat().st_size / 1000)}
        drawing = round(page.evaluate(DRAWING), 1)
        report.add(PAGES_TITLE, {**row, "opens in ms": round(opening), "ms for a picture": drawing})
    rates |= rates_in(page, list(pages))
    for program, run in alone.items():  # again, when the computer may have had less to do besides
        rates[program] = max(rates[program], run(machine, folder))
    for program, rate in rates.items():
        row = {"machine": machine, "program": program, "frames/s": round(rate)}
        report.add(FRAMES_TITLE, {**row, "C ÷ it": round(rates["C"] / rate, 2)})


def main() -> int:
    """Each machine in C, in Node and in pages."""
    from playwright.sync_api import sync_playwright

    report = Report("page", "Live pages", "Times are those of the wall clock, best of several.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as temporary:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for machine in MACHINES:
            (folder := Path(temporary) / machine).mkdir()
            measure(report, browser, machine, folder)
        browser.close()
    report.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
