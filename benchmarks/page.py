"""Live pages: how many frames of 1/30 s their program computes in a second, in a browser and elsewhere.

Rendering is measured apart, in software at 640×360, which says little about a computer with graphics.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from report import Report

MACHINES = ("pendulum", "roller-coaster", "snowman")
FRAMES, ROUNDS, OPENINGS = 600, 25, 5
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


def steps(each: str) -> str:
    """A loop over frames."""
    return STEPS % {"rounds": ROUNDS, "frames": FRAMES, "each": each}


def in_c(machine: str, folder: Path) -> float:
    """The program in C, compiled with -O2."""
    from linkwork import load, synthesise

    program = synthesise(load(machine), "c")
    for name, text in program.files.items():
        (folder / name).write_text(text)
    (folder / "bench.c").write_text(IN_C.format(name=program.name, frames=FRAMES, rounds=ROUNDS))
    sources = [f"{program.name}.c", "bench.c"]
    subprocess.run(["cc", "-O2", "-o", "bench", *sources, "-lm"], cwd=folder, check=True)
    return float(subprocess.run(["./bench"], cwd=folder, check=True, capture_output=True).stdout)


def in_node(machine: str, folder: Path) -> float:
    """The module in Node."""
    from linkwork import load, synthesise

    program = synthesise(load(machine), "javascript")
    (folder / f"{program.name}.mjs").write_text(next(iter(program.files.values())))
    head = f'import {{ initialise, step }} from "./{program.name}.mjs";\n'
    (folder / "bench.mjs").write_text(head + steps(STEP_ALONE) + "console.log(best);")
    done = subprocess.run(["node", "bench.mjs"], cwd=folder, check=True, capture_output=True)
    return float(done.stdout)


def in_browser(browser: Any, page_file: Path) -> dict[str, float]:
    """The page in Chromium: how long it takes to open, how fast it computes, how long a picture takes."""
    opened = []
    for _ in range(OPENINGS):
        page = browser.new_page(viewport={"width": 640, "height": 360})
        page.goto(f"{page_file.as_uri()}#paused")
        opened.append(page.evaluate("linkwork.ready.then(() => performance.now())"))
        if len(opened) < OPENINGS:
            page.close()
    unpacked = "() => { const { initialise, step, observe, show } = program;"
    found = {
        "open ms": min(opened),
        "step": page.evaluate(f"{unpacked} {steps(STEP_ALONE)} return best; }}"),
        "step, observe, show": page.evaluate(f"{unpacked} {steps(STEP_AND_SHOW)} return best; }}"),
        "picture ms": page.evaluate(DRAWING),
    }
    page.close()
    return found


def main() -> int:
    """Each machine in C, in Node and in a page."""
    from playwright.sync_api import sync_playwright

    from linkwork import load
    from linkwork.view.live_page import live_page

    report = Report("page", "Live pages", "Times are those of the wall clock, best of several.")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as temporary:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for machine in MACHINES:
            folder = Path(temporary) / machine
            folder.mkdir()
            native, node = in_c(machine, folder), in_node(machine, folder)
            (page_file := folder / "page.html").write_text(
                next(iter(live_page(load(machine)).files.values()))
            )
            page = in_browser(browser, page_file)
            rates = {
                "C": native,
                "Node": node,
                "page": page["step"],
                "page with all columns and placements": page["step, observe, show"],
            }
            for program, rate in rates.items():
                row = {"machine": machine, "program": program, "frames/s": round(rate)}
                report.add(
                    "Frames of 1/30 s computed in a second, tolerance 1e-6",
                    {**row, "C ÷ it": round(native / rate, 2)},
                )
            report.add(
                "The page in headless Chromium, 640×360, software rendering",
                {
                    "machine": machine,
                    "kB": round(page_file.stat().st_size / 1000),
                    "opens in ms": round(page["open ms"]),
                    "ms for a picture": round(page["picture ms"], 1),
                },
            )
        browser.close()
    report.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
