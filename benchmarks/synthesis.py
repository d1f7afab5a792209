"""Synthesis: from specifications to native programs, how long it takes and how fast they run, beside the peers."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from importlib.metadata import version

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core for everyone; read when NumPy is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from synthesis_chain import add_chains, add_sizes
from synthesis_coaster import add_frames, add_times
from synthesis_loops import add_chains_of_four_bars, add_four_bar
from synthesis_measure import NotedReport
from synthesis_model import chain_of_four_bars, chain_of_frames, chain_of_parts
from synthesis_pendulum import add_pendulum

PACKAGES = "linkwork numpy scipy casadi pin mujoco exudyn drake".split()
ABOUT = (
    "CPU times on a machine with two cores that others were using. Running times: all systems of a table were run in "
    "turn, at least three times and mostly hundreds of times, and the quickest run counts, or from 50 runs on the one "
    "that 2 % of the runs go below (the clock of this virtual machine now and then loses time, which a plain "
    "minimum would pick). Times of deriving and compiling are of one run, except in the first table. Absolute times "
    "do not carry over to other machines. "
)
PARTS = ("times", "frames", "chains", "pendulum", "four-bar", "four-bars", "sizes")


def main() -> int:
    """Run every part and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="wall seconds for each table or size")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    given = parser.parse_args()
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    report = NotedReport("synthesis", "Synthesis of simulation programs", f"{ABOUT}{versions}.")
    machines = {
        "chain of frames": chain_of_frames,
        "chain of parts": chain_of_parts,
        "chain of four-bars": chain_of_four_bars,
    }
    sizes = {
        "chain of frames": (2, 5, 10, 20, 50),
        "chain of parts": (2, 5, 10, 20, 50),
        "chain of four-bars": (2, 10, 40),
    }
    seconds: float = given.seconds
    parts = {
        "times": lambda: add_times(report, 7),
        "frames": lambda: add_frames(report, seconds),
        "chains": lambda: add_chains(report, seconds),
        "pendulum": lambda: add_pendulum(report, seconds),
        "four-bar": lambda: add_four_bar(report, seconds),
        "four-bars": lambda: add_chains_of_four_bars(report, seconds),
        "sizes": lambda: add_sizes(report, machines, sizes),
    }
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LINKWORK_CACHE"] = folder
        for name in given.only:
            print(f"synthesis: {name}", file=sys.stderr, flush=True)
            parts[name]()
    report.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
