"""Scenes: a roller coaster from its constraints to a program, what it does, and what small motions are like.

Usage: python demo.py [FOLDER]. Prints what it found and writes pictures, a table, a program and a live page to FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import linkwork as lw

sys.path.insert(0, str(Path(__file__).parent.parent))  # for what demos share

FILES = (
    ("coaster-plan.svg", "plan roller-coaster"),
    ("coaster.svg", "simulate roller-coaster --until 10 --control throttle=1"),
    ("coaster.png", "show roller-coaster --camera overview"),
    ("coaster.glb", "simulate roller-coaster --until 10 --control throttle=1"),
    ("coaster.csv", "simulate roller-coaster --until 10 --control throttle=1"),
    ("coaster", "synthesise roller-coaster"),
    ("coaster.html", "synthesise roller-coaster --target html"),
)
"""Files and folders, and the command that writes each."""


def main(folder: Path) -> None:
    """Plan and simulate the roller coaster, look at other scenes, and write files."""
    from written import write_files

    folder.mkdir(parents=True, exist_ok=True)
    coaster = lw.load("roller-coaster")
    print("The roller coaster of Ellman, Deak and Fotinatos (2003), three cars on a track with hills:\n")
    print(indented(told(lw.plan(coaster).to_json())))

    simulator = lw.Simulator(coaster)
    print("\nSimulated for 10 seconds:\n")
    for throttle in (0.0, 1.0):
        ride = simulator.simulate(10, controls={"throttle": throttle})
        print(f"    throttle {throttle:g}: {ridden(ride)}")
    print(f"\n    accuracy {ride.error:.0e} where {ride.tolerance:.0e} was asked for,", end=" ")
    print(f"constraints hold to {ride.residual:.0e}, {ride.effort['steps']} steps of {ride.effort['method']}")

    print("\nEnergy of scenes that should conserve it, after 5 seconds:\n")
    for name in ("acrobat", "snowman", "gyroscope"):
        total = lw.simulate(lw.load(name), until=5).energy["total"]
        print(f"    {name:16} {total[0]:14.9f} {total[-1]:14.9f}")

    acrobat = lw.linearise(lw.load("acrobat"))
    frequencies = ", ".join(f"{each:.6f}" for each in acrobat.frequencies)
    print(f"\nThe acrobat at rest swings at {frequencies} radians a second.")

    write_files(folder, FILES)
    print(f"\nOpen {folder / 'coaster.html'} in a browser and press the arrow up,", end=" ")
    print(f"or run: make -C {folder / 'coaster'} run")


def told(plan: dict[str, object]) -> str:
    """The plan in a few lines: how many variables of each order, and how each system falls apart."""
    variables, components = plan["variables"], plan["components"]
    assert isinstance(variables, dict)
    assert isinstance(components, list)
    lines = [f"{len(names):3} variables of {order} order" for order, names in variables.items()]
    for each in components:
        largest = max(each["blocks"], default=[0, 0])
        parts = f"{len(each['blocks']):2} parts, the largest {largest[0]}×{largest[1]}"
        lines.append(f"{each['name']:28} {each['equations']:2}×{each['unknowns']:2} in {parts}")
    return "\n".join(lines)


def ridden(ride: lw.Solution) -> str:
    """How far the first car went and how fast the train was."""
    turned = 2 * np.unwrap(np.arctan2(ride["origin1.rz"], ride["origin1.rw"]))
    speed = np.sqrt(2 * ride["kinetic"].max() / 3)
    return f"{(turned[-1] - turned[0]) / (2 * np.pi):.3f} rounds, at most {speed:.2f} m/s, {ride.status}"


def indented(text: str) -> str:
    """Text four spaces to the right."""
    return "\n".join(f"    {line}" for line in text.splitlines())


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo"))
