"""Snap-fits: two pawls are pushed over a T, exactly; what kind of diode the paper's figures are, and at what friction.

Usage: python demo.py [FOLDER]. Prints what it found and writes a page and pictures to FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path

from linkwork.fasten import classify, fasten, load_design, with_settings

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what demos share

FILES = (
    ("two-pawl-tee.html", "fasten two-pawl-tee"),
    ("two-pawl-tee.png", "fasten two-pawl-tee"),
    ("tee-diagonal.png", "fasten tee-diagonal"),
    ("motion-diode.png", "fasten motion-diode"),
)
"""Files, and the command that writes each."""


def main(folder: Path) -> None:
    """Push, pull back, classify, and write files."""
    from written import write_files

    folder.mkdir(parents=True, exist_ok=True)
    print("Two pawls and a T, pushed straight down; times are exact:\n")
    for event in fasten(load_design("two-pawl-tee")).to_json(digits=25)["pawls"]["L"]["events"]:
        exact = event["exact"]
        print(f"    t = {event['t_digits']:27} {event['kind']:8} root {exact['index']} of {exact['poly']}")

    print("\nDoes it come apart again, pulled straight back?\n")
    for name, mu in (("kinematic-diode", "1/10"), ("friction-diode", "1/2"), ("force-diode", "1/10")):
        found = classify(with_settings(load_design(name), {"mu": mu}), total=False)
        print(
            f"    {name:16} friction {mu:5} a {found.kind} diode: "
            f"in with {found.insertion:.4f}, out with {found.retention:.4f}"
        )

    print("\nDragged aslant, an edge lies down flush on the T; exact arithmetic says when:\n")
    flush = fasten(load_design("tee-diagonal")).to_json(digits=25)["pawls"]["L"]["events"][2]
    print(
        f"    {flush['kind']} at t = {flush['t_digits']}, root {flush['exact']['index']} of {flush['exact']['poly']}"
    )

    write_files(folder, FILES)
    print(f"\nOpen {folder / 'two-pawl-tee.html'} in a browser, and look at {folder / 'two-pawl-tee.png'}.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
