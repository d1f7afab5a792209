"""Foresight: what clocks do until they have run down, foretold from a few ticks; and what cannot be foretold.

Usage: python demo.py [FOLDER]. Prints what was foreseen and writes pages, a plot and tables to FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import linkwork as lw

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what demos share

OTHERS = (
    "missing-tooth",
    "big-tooth",
    "time-bomb",
    "hour-and-day-clock",
    "damped-pendulum",
    "irregular-pendulum",
)
LATE = 1200.0
FILES = (
    ("escapement.html", "predict escapement"),
    ("hour-and-day-clock.html", "predict hour-and-day-clock"),
    ("missing-tooth.html", "predict missing-tooth"),
    ("hour-and-day-clock.svg", "predict hour-and-day-clock"),
    ("escapement.json", "predict escapement"),
    ("time-bomb.md", "predict time-bomb"),
)
"""Files, and the command that writes each."""


def main(folder: Path) -> None:
    """Foresee a clock, test it by a full simulation, foresee others, and write files."""
    from written import write_files

    folder.mkdir(parents=True, exist_ok=True)
    machine = lw.load("escapement")
    clock = lw.predict(machine)
    print("What the escapement of Gelsey (1995) will do:\n")
    tell(clock)
    print(f"\n    simulated {clock.simulated_time:.0f} of {clock.reached:.0f}\n")
    print(
        f"Where it is at t = {LATE:g}, by a restart nearby, and by a simulation of all the time until then:\n"
    )
    foreseen, simulated = clock.at(LATE), lw.simulate(machine, until=LATE, contact="rigid")
    for name in ("ewheel.angle", "lever.angle", "bwheel.angle"):
        own, other = np.degrees(foreseen[name]), np.degrees(simulated[name][-1])
        print(f"    {name:14} {own:11.3f}° {other:11.3f}°")
    print(f"    {'time':14} may be off by {foreseen.time_error:.2g}")
    for name in OTHERS:
        print(f"\n{name}:\n")
        tell(lw.predict(lw.load(name)))
    write_files(folder, FILES)
    print(
        f"\nOpen {folder / 'hour-and-day-clock.html'} in a browser: when it will strike, and one tick of it."
    )


def tell(forecast: lw.Forecast) -> None:
    """Its sentences."""
    for sentence in forecast.summary.split("; "):
        print(f"    {sentence}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
