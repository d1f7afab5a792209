"""A four-bar linkage from its table: read it, differentiate it, print it, run it, look at it.

Usage: python demo.py [FOLDER]. Prints what it found and writes programs, a picture and a page to FOLDER.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from picture import page, picture

import linkwork as lw


def main(folder: Path) -> None:
    """Do the whole tour."""
    machine = lw.load("four-bar-table")
    table = machine.table()
    moving = lw.time_derivative(table, ["e"])
    print(f"{machine.title}\n\nThe table, {table.operations} operations:\n")
    print(_indented(str(table)))
    print(f"\nIts rates when the crank turns at V_e, {moving.operations} operations in all:\n")
    print(_indented("\n".join(str(line) for line in moving if line.name not in table)))

    values = machine.values({"e": np.deg2rad(60)})
    found = moving.evaluate({**values, "V_e": 1.0})
    print("\nAt e = 60 deg with V_e = 1:\n")
    for name in ("P9x", "P9y", "V_P9x", "V_P9y"):
        print(f"    {name:6} = {found[name]: .9f}")

    program = lw.Program.of_table(moving, "four_bar")
    function = lw.compiled(program)
    angles = np.linspace(0, 2 * np.pi, 361)
    path = function(**{**values, "e": angles, "V_e": 1.0})
    kind = "native code" if function.native else "NumPy"
    print(f"\nA full turn in {len(angles)} positions, by {kind}: the coupler point stays within")
    print(f"    {path['P9x'].min():.4f} ≤ x ≤ {path['P9x'].max():.4f},", end="  ")
    print(f"{path['P9y'].min():.4f} ≤ y ≤ {path['P9y'].max():.4f}")

    folder.mkdir(parents=True, exist_ok=True)
    written = {
        "four_bar.c": lw.print_c(program),
        "four_bar.js": lw.print_javascript(program),
        "four_bar.py": lw.print_python(program),
        "four_bar.json": json.dumps(moving.to_json(), indent=1, ensure_ascii=False) + "\n",
        "four_bar.tex": table.latex() + "\n",
        "four_bar.svg": picture(table, values),
        "four_bar.html": page(table, machine.values({}), machine.title),
    }
    print(f"\nWritten to {folder}/:")
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
        print(f"    {name:14} {len(text):6} characters")
    print(
        f"\nOpen {folder / 'four_bar.html'} in a browser: the page moves the linkage by the printed program."
    )


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
