"""Formulas from dimensioned drawings: how they are constructed, what they say, and pages and programs of them.

Usage: python demo.py [FOLDER]. Prints the main formulas and writes pages and code to FOLDER.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import linkwork as lw
from linkwork.mechanics import derive

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what demos share

FORMULAS: Sequence[tuple[str, str, dict[str, Any]]] = (
    (
        "The crank and piston of the paper: the torque that balances a unit force",
        "crank-piston",
        {"reaction": "a"},
    ),
    ("Its double pendulum", "double-pendulum", {"accelerations": "a,b"}),
    ("A ladder slides down a wall, whatever its mass", "ladder", {"accelerations": "a"}),
    ("A pantograph copies at a constant scale", "pantograph-drawing", {}),
    ("The force that holds a scissor lift of three stages", "scissor-lift", {}),
    ("The mechanical advantage of a toggle press", "toggle-press", {}),
    (
        "Three pendulums: a linear system for their accelerations",
        "triple-pendulum",
        {"accelerations": "p,q,r"},
    ),
)
"""Headings, drawings, and what is asked of them."""

FILES = (
    ("four-bar-drawing.html", "derive four-bar-drawing --accelerations e"),
    ("crank-piston.html", "derive crank-piston --reaction a"),
    ("double-pendulum.html", "derive double-pendulum --accelerations a,b"),
    ("slider-crank-inertias.html", "derive slider-crank-inertias"),
    ("crank_acc.c", "derive four-bar-drawing --accelerations e --name CrankAcc"),
    ("crank_acc.py", "derive four-bar-drawing --accelerations e --name crank_acc"),
    ("whitworth.js", "derive whitworth --name whitworth"),
    ("pendulum.tex", "derive double-pendulum --accelerations a,b"),
    ("truss.md", "derive truss"),
)
"""Files, and the command that writes each."""


def main(folder: Path) -> None:
    """Derive the main formulas and write pages and programs."""
    from written import write_files

    folder.mkdir(parents=True, exist_ok=True)
    four_bar = derive(lw.load("four-bar-drawing"), quantity="P9x,P9y")
    print("The four-bar of Todd, McLeod and Harris (1994) is drawn like this:\n")
    print(indented(four_bar.construction.words))
    print("\nso the midpoint P9 of its coupler is\n")
    print(indented(four_bar))
    for heading, name, asked in FORMULAS:
        print(f"\n{heading}:\n")
        print(indented(derive(lw.load(name), **asked)))

    framework = derive(lw.load("k33"))
    print("\nNo sequence of constructions leads to the framework K3,3:\n")
    print(indented(framework.construction.words))

    print("\nA chain takes as many lines for every link, eliminated one by one:\n")
    for count in (2, 4, 8, 16):
        found = derive(chain(count), accelerations=joints(count), form="recursive", tidy=False)
        print(f"    {count:2} links {len(found.table):4} lines")

    write_files(folder, FILES)
    print(f"\nOpen {folder / 'four-bar-drawing.html'} in a browser.")


def indented(text: object) -> str:
    """Text four spaces to the right."""
    return "\n".join(f"    {line}" for line in str(text).splitlines())


def joints(count: int) -> list[str]:
    """The angles of a chain's links."""
    return [f"q{place}" for place in range(1, count + 1)]


def chain(count: int) -> lw.Machine:
    """A chain of unit links with unit masses, in Python."""
    names = range(1, count + 1)
    constraints: dict[str, lw.constraint.Constraint] = {"q1": lw.constraint.Angle(("L1",), "q1")}
    for place in names:
        constraints[f"l{place}"] = lw.constraint.Distance((f"P{place - 1}", f"P{place}"), 1)
        if place > 1:
            constraints[f"q{place}"] = lw.constraint.Angle((f"L{place - 1}", f"L{place}"), f"q{place}")
    drawing = lw.Drawing(
        points=[f"P{place}" for place in (0, *names)],
        lines={f"L{place}": (f"P{place - 1}", f"P{place}") for place in names},
        constraints=constraints,
        masses={f"P{place}": lw.number(1) for place in names},
    )
    return lw.Machine.of("chain", gravity=(0, "-g"), drawing=drawing)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
