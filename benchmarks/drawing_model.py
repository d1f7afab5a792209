"""Drawings of any size for the benchmark: the n-link chain of ``chain_model`` and a braced strip of points."""

from __future__ import annotations

from fractions import Fraction

import chain_model as model
import linkwork as lw
from linkwork import constraint as c


def chain(n: int) -> lw.Machine:
    """Uniform rods hanging from a pin, with the angles q1, q2, … relative to the rod before."""
    points, lines = ["P0"], {"X": ["P0"]}
    constraints: dict[str, c.Constraint] = {}
    masses, inertias = {}, {}
    for link in range(1, n + 1):
        ends = (f"P{link - 1}", f"P{link}")
        points += [f"C{link}", ends[1]]
        lines[f"L{link}"] = list(ends)
        constraints[f"length{link}"] = c.Distance(ends, model.LENGTH)
        constraints[f"centre{link}"] = c.Midpoint((f"C{link}", *ends))
        before = f"L{link - 1}" if link > 1 else "X"
        constraints[f"turn{link}"] = c.Angle((before, f"L{link}"), f"q{link}")
        masses[f"C{link}"], inertias[f"L{link}"] = model.MASS, Fraction(1, 12)
    drawing = lw.Drawing(
        points=points, lines=lines, constraints=constraints, axis="X", masses=masses, inertias=inertias
    )
    return lw.Machine.of("chain", drawing=drawing, gravity=(Fraction("9.81"), 0))


def general_chain(n: int) -> lw.Machine:
    """Point masses on rods, every length and mass a name of its own."""
    points = [f"P{k}" for k in range(n + 1)]
    lines = {"X": ["P0"]} | {f"L{k}": [f"P{k - 1}", f"P{k}"] for k in range(1, n + 1)}
    constraints: dict[str, c.Constraint] = {}
    for k in range(1, n + 1):
        constraints[f"l{k}"] = c.Distance((f"P{k - 1}", f"P{k}"), f"l{k}")
        constraints[f"a{k}"] = c.Angle((f"L{k - 1}" if k > 1 else "X", f"L{k}"), f"a{k}")
    masses = {f"P{k}": f"m{k}" for k in range(1, n + 1)}
    drawing = lw.Drawing(points=points, lines=lines, constraints=constraints, axis="X", masses=masses)
    return lw.Machine.of("chain", drawing=drawing, gravity=(0, "-g"))


def strip(count: int) -> lw.Drawing:
    """Points, each at a distance from the two before it."""
    constraints: dict[str, c.Constraint] = {"base": c.Distance(("P0", "P1"), "base")}
    for k in range(2, count):
        constraints[f"u{k}"] = c.Distance((f"P{k}", f"P{k - 2}"), f"u{k}")
        constraints[f"w{k}"] = c.Distance((f"P{k}", f"P{k - 1}"), f"w{k}")
    return lw.Drawing(points=[f"P{k}" for k in range(count)], constraints=constraints)
