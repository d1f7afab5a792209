"""Contacts: a clock given as solids ticks; who touches whom, what it costs in energy, and the forces on each part.

Usage: python demo.py [FOLDER]. Prints what it found and writes a page, a plot, a table and pictures to FOLDER.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.contact import ContactSolution

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what demos share

UNTIL = 60
TICKING = f"simulate escapement --contact rigid --until {UNTIL}"
FILES = (
    ("escapement.html", TICKING),
    ("escapement.svg", TICKING),
    ("escapement.csv", TICKING),
    ("escapement-free-body.svg", "simulate escapement --contact rigid --free-body 3"),
    ("escapement-compared.png", f"simulate escapement --compare --until {UNTIL}"),
    ("woodpecker.html", "simulate woodpecker --contact rigid --until 1"),
)
"""Files, and the command that writes each."""


def main(folder: Path) -> None:
    """Let the escapement tick, try a ratchet both ways, and write files."""
    from written import write_files

    folder.mkdir(parents=True, exist_ok=True)
    clock = lw.load("escapement")
    found = lw.compare(clock, until=UNTIL, step=0.01)
    ticking = found.runs["rigid"]
    print(
        "A lever escapement, given as solids; its joints are found, and no pair of parts that touch is named:\n"
    )
    for line in told(ticking):
        print(f"    {line}")

    print("\nThe same with parts that are elastic, as Gelsey (1995) computed it:\n")
    for cost in found.costs:
        period = swing(found.runs[cost.model])
        print(
            f"    {cost.model:8} period {period:.5f}, {cost.steps} steps of {cost.mean_step:.2g}, {cost.seconds:.3f} s"
        )

    print("\nA ratchet, pulled both ways:\n")
    for name in ("ratchet-cw", "ratchet-ccw"):
        turned = np.degrees(lw.simulate(lw.load(name), until=20, contact="rigid")["wheel.angle"][-1])
        print(f"    {name:12} the wheel has turned by {turned:8.2f} degrees after 20 seconds")

    write_files(folder, FILES)
    print(
        f"\nOpen {folder / 'escapement.html'} in a browser: the clock runs, with the forces where its parts touch."
    )


def told(ticking: ContactSolution) -> Iterator[str]:
    """Who touched whom, and where energy went."""
    for pair in ticking.touched:
        share = pair.held / ticking.whole.length
        yield f"{' and '.join(pair.parts):18} {pair.impacts:3} impacts, in contact {share:5.1%} of the time"
    lost = ticking.lost
    gone = sum(lost.values())
    yield f"energy lost: {lost['impacts'] / gone:.1%} in impacts, the rest in springs' dampers and bearings"


def swing(ticking: ContactSolution) -> float:
    """The mean time between two passages of the balance through its middle, the first three left out."""
    away = ticking["bwheel.angle"] - np.pi / 2
    rows = np.flatnonzero((away[:-1] < 0) & (away[1:] >= 0))
    steps = np.diff(ticking.times)[rows]
    times = ticking.times[rows] - away[rows] * steps / (away[rows + 1] - away[rows])
    return float(np.mean(np.diff(times)[2:]))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
