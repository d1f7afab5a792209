"""Linkages from their files: what they are, how they move, where they stop, and pages that play them.

Usage: python demo.py [FOLDER]. Prints what it found and writes pictures, pages and tables to FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import linkwork as lw

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what demos share

FILES = (
    *(
        (f"{name}.html", f"move {name}")
        for name in ("four-bar", "jansen-walker", "planetary-gear", "bennett")
    ),
    *((f"four-bar.{suffix}", "move four-bar") for suffix in ("svg", "csv", "gif")),
)
"""Files, and the command that writes each."""


def main(folder: Path) -> None:
    """Move a few machines and write what they do."""
    from written import write_files

    folder.mkdir(parents=True, exist_ok=True)
    machine = lw.load("four-bar")
    print(lw.show(machine))
    motion = lw.move(machine)
    print(
        f"One turn of the crank in {len(motion)} positions: {motion.status}, residual {motion.residual:.0e}."
    )
    angles = np.degrees(motion["rocker.angle"])
    print(f"The rocker swings from {angles.min():.2f}° to {angles.max():.2f}°;", end=" ")
    print(
        f"the transmission angle never falls below {np.degrees(lw.transmission_angle(motion, 'C')).min():.2f}°;"
    )
    print(
        f"the crank needs at most {np.abs(motion['crank.effort']).max():.3f} {motion.units['crank.effort']}.\n"
    )

    print("Driven too far, a linkage says where it stops:")
    rocker = machine.with_parameters({"ground": 6, "crank": 5, "coupler": 2, "rocker": 4})
    print(f"    {lw.move(rocker, start=0.9, until=2).limits[0]}\n")
    print("Over-constrained machines that move all the same:")
    for name in ("parallelogram", "sarrus", "bennett", "bricard"):
        found = lw.show(lw.load(name))
        spare = sum(group["count"] for group in found.redundant)
        print(
            f"    {name:14} mobility {found.mobility}, {spare} constraint{'' if spare == 1 else 's'} redundant"
        )

    write_files(folder, FILES)
    print(f"\nOpen {folder / 'jansen-walker.html'} in a browser.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
