"""The n-link chain: derivation, operation counts, compilation and evaluation, rivals in the same run."""

from __future__ import annotations

import argparse
import ctypes
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import chain_model as model
from chain_rivals import (
    Derivation,
    casadi_chain,
    linkwork_chain,
    symengine_chain,
    sympy_chain,
    sympy_mechanics_chain,
)
from report import Report

SIZES = (2, 5, 10, 20, 50)
RIVALS: dict[str, Callable[[int, str, str, int], Derivation]] = {
    "linkwork": linkwork_chain,
    "CasADi": casadi_chain,
    "symengine": symengine_chain,
    "SymPy": sympy_chain,
    "SymPy mechanics": sympy_mechanics_chain,
}
CASES = (
    ("Lagrange, relative angles", "relative", "lagrange"),
    ("Lagrange, absolute angles", "absolute", "lagrange"),
    ("recursive, relative angles", "relative", "recursive"),
)
# Beyond these sizes a rival needs minutes, or its C takes the compiler minutes.
LARGEST = {
    ("symengine", "relative", "lagrange"): 20,
    ("symengine", "relative", "recursive"): 20,
    ("SymPy", "relative", "lagrange"): 5,
    ("SymPy", "absolute", "lagrange"): 20,
    ("SymPy", "relative", "recursive"): 5,
    ("SymPy mechanics", "relative", "lagrange"): 5,
    ("SymPy mechanics", "absolute", "lagrange"): 10,
    ("SymPy mechanics", "relative", "recursive"): 0,
}
LARGEST_COMPILED_PEER = 25_000  # operations
TIMING = r"""
#include <time.h>
static double seconds(void) {
  struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec;
}
double best_ns(double *q, double *v, double *out, int calls, int rounds) {
  double best = 1e9;
  for (int round = 0; round < rounds; round++) {
    double begin = seconds();
    for (int call = 0; call < calls; call++) { q[0] += 1e-9; run(q, v, out); v[0] += 1e-12 * out[0]; }
    double taken = (seconds() - begin) / calls;
    if (taken < best) best = taken;
  }
  return best * 1e9;
}
"""


def main() -> int:
    """Run every case and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    arguments = parser.parse_args()
    report = Report("chain", "The planar n-link chain")
    for title, form, method in CASES:
        for n in arguments.sizes:
            for name, rival in RIVALS.items():
                if n <= LARGEST.get((name, form, method), max(SIZES)):
                    row = measured(rival, name, n, form, method)
                    report.add(title, row)
                    print(title, row, file=sys.stderr, flush=True)
    report.add_ratios("linkwork", tuple(RIVALS)[1:])
    report.write()
    return 0


def measured(
    rival: Callable[[int, str, str, int], Derivation], name: str, n: int, form: str, method: str
) -> dict[str, Any]:
    """Best of several derivations, one compilation, best of many evaluations."""
    best = rival(n, form, method, 0)
    for run in range(1, 20 if best.seconds < 0.3 else 5 if best.seconds < 1 else 1):
        again = rival(n, form, method, run)
        best = min(best, again, key=lambda derivation: derivation.seconds)
    row: dict[str, Any] = {
        "system": name,
        "n": n,
        "derive ms": round(best.derive_seconds * 1e3, 2),
        "print ms": round(best.print_seconds * 1e3, 2),
        "total ms": round(best.seconds * 1e3, 2),
        "operations": best.operations,
    }
    if name == "linkwork" or best.operations < LARGEST_COMPILED_PEER:
        row |= compiled_and_timed(best.source, n, form, method, best.operations)
    return row


def compiled_and_timed(source: str, n: int, form: str, method: str, operations: int) -> dict[str, Any]:
    """Compile with the same flags for everyone, check the values, time the evaluation in C."""
    with tempfile.TemporaryDirectory() as folder:
        text, library = Path(folder) / "chain.c", Path(folder) / "chain.so"
        text.write_text("#define _POSIX_C_SOURCE 200809L\n" + source + TIMING)
        level = "-O2" if operations < 3000 else "-O1"
        flags = [level, "-std=c99", "-shared", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-w"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(["cc", *flags, str(text), "-o", str(library), "-lm"], check=True)
        taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        native = ctypes.CDLL(str(library))
        native.best_ns.restype = ctypes.c_double
        state = np.random.default_rng(0)
        q, v = state.uniform(-1, 1, n), state.uniform(-1, 1, n)
        out = np.zeros(n * (n + 1) // 2 + n)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (q, v, out)]
        native.run(*pointers)
        error = relative_error(out, q, v, form, method)
        assert error < 1e-9, f"wrong accelerations: {error}"
        nanoseconds = native.best_ns(*pointers, max(20, 4000 // n), 300)
    return {"compile s": round(taken, 2), "ns": round(nanoseconds), "error": float(f"{error:.1e}")}


def relative_error(out: Any, q: Any, v: Any, form: str, method: str) -> float:
    """How far the accelerations are from the independent reference."""
    n = len(q)
    if method == "recursive":
        found = out[:n]
    else:
        mass = np.zeros((n, n))
        mass[np.tril_indices(n)] = out[:-n]
        mass += np.tril(mass, -1).T
        found = np.linalg.solve(mass, out[-n:])
    exact = model.reference(q, v, form)
    return float(np.max(np.abs(found - exact)) / np.max(np.abs(exact)))


if __name__ == "__main__":
    sys.exit(main())
