"""Mechanics from a drawing: derivation and C of the n-link chain beside the peers, growth, large drawings.

The drawing of the chain is constructed, its accelerations are derived (by recursive elimination, and as mass
matrix and right-hand side) and printed as C; the peers get the energies, or the recursion written by hand, as
in ``chain.py``. The clock starts when the drawing has been entered and checked; what that takes has a table of
its own.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import chain
import chain_model as model
import linkwork as lw
from chain_rivals import Derivation, casadi_chain, symengine_chain, sympy_kane_chain, sympy_mechanics_chain
from drawing_model import chain as drawn_chain
from drawing_model import general_chain, strip
from linkwork.mechanics.derivation import formulas
from report import Report

SIZES = (2, 5, 10, 20, 50)
LARGEST = {"SymPy Lagrange": 5, "SymPy Kane": 10, "symengine": 20}
GROWTH = (10, 20, 50, 100)


def drawing_recursive(n: int, form: str, method: str, run: int) -> Derivation:
    """Ours, from the drawing, by elimination along the table, without names between."""
    return _drawn(n, "recursive")


def drawing_matrix(n: int, form: str, method: str, run: int) -> Derivation:
    """Ours, from the drawing, as mass matrix and right-hand side."""
    return _drawn(n, "matrix")


def _drawn(n: int, form: str) -> Derivation:
    clock = time.process_time
    names = [f"q{k}" for k in range(1, n + 1)]
    machine = drawn_chain(n)
    begin = clock()
    if form == "recursive":
        results = list(formulas(machine, accelerations=names).values())
    else:
        matrix = [_entry(names, row, column) for row in range(n) for column in range(row + 1)]
        loads = [f"load_{name}" for name in names]
        found = lw.derive(machine, accelerations=names, quantity=[*matrix, *loads], form=form, tidy=False)
        results = found.table.expanded([*matrix, *loads])
    done = clock()
    q, v = lw.symbols(names), lw.symbols([f"V_{name}" for name in names])
    program = lw.Program.of("run", {"q": q, "v": v}, {"out_": results})
    source = lw.print_c(program)
    return Derivation(done - begin, clock() - done, program.operations, source)


def _entry(names: list[str], row: int, column: int) -> str:
    first, second = sorted((row, column))
    return f"inertia_{names[first]}" if row == column else f"inertia_{names[first]}_{names[second]}"


Rival = tuple[Callable[[int, str, str, int], Derivation], str]
RIVALS: dict[str, Rival] = {
    "linkwork, recursive": (drawing_recursive, "recursive"),
    "linkwork, matrix": (drawing_matrix, "lagrange"),
    "CasADi Lagrange": (casadi_chain, "lagrange"),
    "CasADi, recursion by hand": (casadi_chain, "recursive"),
    "symengine": (symengine_chain, "lagrange"),
    "SymPy Lagrange": (sympy_mechanics_chain, "lagrange"),
    "SymPy Kane": (sympy_kane_chain, "lagrange"),
}


def main() -> int:
    """Run every case and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    arguments = parser.parse_args()
    report = Report("drawing", "Mechanics from a drawing")
    for n in arguments.sizes:
        for name, (rival, method) in RIVALS.items():
            if n <= LARGEST.get(name, max(SIZES)):
                row = chain.measured(rival, name, n, "relative", method)
                report.add("The n-link chain, from a drawing to C", row)
                print(row, file=sys.stderr, flush=True)
        report.add("The n-link chain, from a drawing to C", pinocchio(n))
    report.add_ratios("linkwork, recursive", tuple(RIVALS)[1:])
    for n in arguments.sizes:
        report.add("Entering and checking the drawing of the chain, before the clock starts", entering(n))
    for n in GROWTH:
        report.add("Lines of the table, simplified, and per link", growth(n))
    for count in (100, 300, 1000):
        report.add("A strip of points, each at two distances", strip_row(count))
    report.add("Derivatives of implicit and of explicit lines: the four-bar's crank", implicit_row())
    report.write()
    return 0


def entering(n: int) -> dict[str, Any]:
    """What it takes to enter the drawing in Python, every name and constraint checked."""
    best = float("inf")
    for _ in range(30):
        begin = time.process_time()
        drawn_chain(n)
        best = min(best, time.process_time() - begin)
    return {"n": n, "ms": round(best * 1e3, 2)}


def pinocchio(n: int) -> dict[str, Any]:
    """Pinocchio's articulated-body algorithm in C++, called from Python as its users do."""
    import pinocchio as pin

    machine = pin.Model()
    machine.gravity.linear = np.array([0.0, 0.0, -model.GRAVITY])
    joint = 0
    for link in range(n):
        shift = np.array([0.0, 0.0, -model.LENGTH if link else 0.0])
        joint = machine.addJoint(joint, pin.JointModelRY(), pin.SE3(np.eye(3), shift), f"q{link}")
        rod = pin.Inertia(model.MASS, np.array([0, 0, -model.LENGTH / 2]), np.diag([0, model.INERTIA, 0]))
        machine.appendBodyToJoint(joint, rod, pin.SE3.Identity())
    data = machine.createData()
    random = np.random.default_rng(0)
    q, v, none = random.uniform(-1, 1, n), random.uniform(-1, 1, n), np.zeros(n)
    exact = model.reference(q, v, "relative")
    error = float(np.max(np.abs(pin.aba(machine, data, q, v, none) - exact)) / np.max(np.abs(exact)))
    best = float("inf")
    for _ in range(20):
        begin = time.perf_counter()
        for _ in range(200):
            pin.aba(machine, data, q, v, none)
        best = min(best, (time.perf_counter() - begin) / 200)
    return {
        "system": "Pinocchio C++ from Python",
        "n": n,
        "ns": round(best * 1e9),
        "error": float(f"{error:.1e}"),
    }


def growth(n: int) -> dict[str, Any]:
    """Lines per link of tables for a chain in which every length and mass has a name."""
    machine, angles = general_chain(n), [f"a{k}" for k in range(1, n + 1)]
    cases: dict[str, dict[str, Any]] = {
        "positions": {"quantity": [f"P{k}{axis}" for k in range(1, n + 1) for axis in "xy"]},
        "velocities": {
            "quantity": [f"V_P{k}{axis}" for k in range(1, n + 1) for axis in "xy"],
            "moving": angles,
        },
        "energies": {"quantity": ["kinetic_energy", "potential_energy"], "moving": angles},
        "reaction of a1": {"reaction": ["a1"], "moving": angles},
        "accelerations": {"accelerations": angles, "form": "recursive"},
    }
    row: dict[str, Any] = {"n": n}
    for name, wishes in cases.items():
        begin = time.process_time()
        lines = len(lw.derive(machine, **wishes).table)
        row |= {name: lines, f"{name} per link": round(lines / n, 2)}
        print(n, name, lines, f"{time.process_time() - begin:.2f} s", file=sys.stderr, flush=True)
    return row


def strip_row(count: int) -> dict[str, Any]:
    """Analysis and construction of a large drawing."""
    from linkwork.sketch.construct import construct

    drawing = strip(count)
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        found = construct(drawing)
        best = min(best, time.process_time() - begin)
    return {
        "points": count,
        "seconds": round(best, 3),
        "steps": len(found.steps),
        "lines": len(found.definitions),
    }


def implicit_row() -> dict[str, Any]:
    """Operations of the crank's acceleration with implicit lines, and with the same lines made explicit."""
    found = lw.derive(lw.load("four-bar-drawing"), quantity="P6x,P6y", tidy=False)
    once = lw.time_derivative(found.table, ["e"])
    twice = lw.time_derivative(once, ["e", "V_e"])
    e, v, a = lw.symbols("e V_e A_e")
    explicit = found.table.expanded()
    rates = lw.directional(explicit, {e: v})
    again = lw.directional(rates, {e: v, v: a})
    return {
        "accelerations of P6": "operations",
        "implicit lines": lw.operation_count(twice.expanded(["A_P6x", "A_P6y"])),
        "explicit formulas, shared parts once": lw.operation_count(again),
    }


if __name__ == "__main__":
    sys.exit(main())
