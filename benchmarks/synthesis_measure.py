"""How the benchmark of synthesis measures: CPU time, best of many, all systems in turn, and tables with a word each."""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
import platform
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from report import RESULTS, Report, _table

HERE = Path(__file__).parent
SITE = Path(sys.prefix) / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
KEPT = Path(sys.prefix) / "synthesis"
"""Where the drivers of peers are built, once: Pinocchio's templates take a compiler minutes."""
PLAIN = "-O2 -std=c99 -fPIC -shared -ffp-contract=off -fno-math-errno -fno-builtin-atan -w"
"""As linkwork compiles: the same bits on every machine."""
TUNED = "-O3 -march=native -std=c99 -fPIC -shared -fno-math-errno -w"
QUICKEST = 50
"""Of so many runs the quickest does not count: the clock of a virtual machine now and then loses some time."""
CLOCK = """
#include <time.h>
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
"""

Row = dict[str, Any]


class NotedReport(Report):
    """A report whose sections open with a word on how they were measured."""

    def __init__(self, name: str, title: str, about: str) -> None:
        super().__init__(name, title)
        self.about = about
        self.notes: dict[str, str] = {}

    def note(self, section: str, text: str) -> None:
        """Say something ahead of a section's table."""
        self.notes[section] = f"{self.notes[section]} {text}" if section in self.notes else text

    def write(self) -> None:
        machine = f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}"
        data = {"title": self.title, "machine": machine, "about": self.about, "notes": self.notes}
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps({**data, "sections": self.sections}, indent=1)
        (RESULTS / f"{self.name}.json").write_text(text + "\n")
        lines = [f"# {self.title}", "", f"Measured on {machine}. {self.about}", ""]
        for section, rows in self.sections.items():
            lines += [f"## {section}", "", self.notes.get(section, ""), "", *_table(rows), ""]
        (RESULTS / f"{self.name}.md").write_text("\n".join(lines))
        print("\n".join(lines))


def cpu_of(run: Callable[[], object]) -> float:
    """CPU seconds of this process for one run."""
    begin = time.process_time()
    run()
    return time.process_time() - begin


def seconds_of(run: Callable[..., tuple[Any, ...]], *given: Any) -> Callable[[], float]:
    """A run that reports its CPU seconds first, as one that reports nothing else."""

    def alone() -> float:
        return float(run(*given)[0])

    return alone


def best_in_turn(
    runs: Mapping[str, Callable[[], float]], rounds: int, seconds: float = 10.0
) -> dict[str, float]:
    """The CPU seconds that only the quickest of a system's runs go below, all taken in turn, for a while."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    end = time.perf_counter() + seconds
    for number in range(rounds):
        for name, run in runs.items():
            taken[name].append(run())
        if number >= 2 and time.perf_counter() > end:
            break
    return {name: sorted(each)[len(each) // QUICKEST] for name, each in taken.items()}


def built(
    folder: Path, name: str, text: str, flags: str = PLAIN, compiler: str = "cc", last: str = "-lm"
) -> tuple[Path, float]:
    """A library or program from a text, and the CPU seconds that took the compiler."""
    suffix = ".cpp" if compiler.endswith("++") else ".c"
    source, product = folder / f"{name}{suffix}", folder / f"{name}.so"
    source.write_text(text)
    begin = children_seconds()
    command = [compiler, *shlex.split(flags), str(source), *shlex.split(last), "-o", str(product)]
    subprocess.run(command, check=True)
    return product, children_seconds() - begin


def built_once(name: str, source: Path, flags: str, compiler: str = "cc", last: str = "-lm") -> Path:
    """The same, kept beside the peers until source or flags change."""
    KEPT.mkdir(exist_ok=True)
    key = hashlib.sha256((source.read_text() + flags + last).encode()).hexdigest()[:16]
    product = KEPT / f"{name}-{key}"
    if not product.exists():
        print(f"building {name}", file=sys.stderr, flush=True)
        command = [compiler, *shlex.split(flags), str(source), *shlex.split(last), "-o", f"{product}.part"]
        subprocess.run(command, check=True)
        Path(f"{product}.part").rename(product)
    return product


def children_seconds() -> float:
    """CPU seconds of all processes that this one started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def pointer(array: Any) -> ctypes.c_void_p:
    """The address of a NumPy array."""
    return ctypes.c_void_p(array.ctypes.data)


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The power with which values grow, by least squares over their logarithms."""
    x, y = [math.log(each) for each in sizes], [math.log(each) for each in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum(
        (a - mean_x) ** 2 for a in x
    )


def short(value: float) -> float:
    """Three digits."""
    return float(f"{value:.3g}")
