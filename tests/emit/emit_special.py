"""Every single operation at every special value, in every language: what the tests of them compare."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from emit_languages import Case, Floats, run_c, run_evaluate, run_node, run_numpy, same_bits
from emit_strategies import SPECIAL

from linkwork import algebra as lw
from linkwork.algebra import Expression, symbols
from linkwork.algebra.expression import OPERATIONS as ALL_OPERATIONS
from linkwork.emit import Program
from strategies import BUILD

A, B = symbols("a b")

# Two values more than elsewhere: where exp overflows, and where sums of doubles do.
VALUES: Final = (*SPECIAL, 710.0, 1.7e308)

# Operands stand as inputs, so that no rule of construction has anything to simplify.
OPERATIONS: Final[Mapping[str, Expression]] = {
    **{name: BUILD[name](A) for name in "sqrt sin cos tan asin acos atan exp log abs sign".split()},
    **{name: BUILD[name](A, B) for name in "+ - * / ^ atan2 min max < <= == !=".split()},
    "select": lw.select(A, B, 7),
    "select between": lw.select(A < B, A, B),
    "negate": -A,
    "reciprocal": 1 / A,
    "square": A**2,
    "cube": A**3,
    "inverse cube": A**-3,
    "power of root": A ** lw.number(1.5),
    "cube root": A ** (lw.number(1) / 3),
    "power of 2": 2**A,
    "power of 1/2": lw.number(0.5) ** A,
    "power of 0": lw.number(0) ** A,
    "power of -2": lw.number(-2) ** A,
    "minus product": -(A * B),
    "minus difference": -(A - B),
    "angle of a difference": lw.atan2(A, A - B),
    "angle of the other": lw.atan2(B, B - A),
    "constant": A + 1 / (lw.PI - math.pi),
    "minus quotient": -A / B,
}

UNARY: Final = "sqrt sin cos tan asin acos atan exp log abs sign".split()


def composition(outer: str, inner: str) -> Expression:
    """One function of another, as a compiler might simplify it."""
    return BUILD[outer](BUILD[inner](A))


LANGUAGES: Final = {"C": run_c, "JavaScript": run_node, "NumPy": run_numpy, "evaluate": run_evaluate}


def uncovered_operations() -> set[str]:
    """The operations of the algebra that no expression above uses."""
    used = {node.operation for node in lw.nodes_in_order(list(OPERATIONS.values()))}
    return set(ALL_OPERATIONS) - used - {"pi"}


@functools.cache
def results(language: str) -> dict[str, Floats]:
    """The result of each operation for every pair of values, by one language."""
    program = Program.of("special", [A, B], {f"r{n}": each for n, each in enumerate(OPERATIONS.values())})
    case = Case(program, pairs())
    with TemporaryDirectory() as folder:
        (found,) = LANGUAGES[language]([case], Path(folder))
    return dict(zip(OPERATIONS, found.T, strict=True))


@functools.cache
def pairs() -> Floats:
    """Every pair of special values."""
    return np.array(list(itertools.product(VALUES, VALUES)), float)


def differences(operation: str, language: str) -> list[str]:
    """Where a language differs from C by more than the rounding of a function, or in a sign of zero."""
    told = []
    columns = results("C")[operation], results(language)[operation]
    for (a, b), wanted, found in zip(pairs().tolist(), *(each.tolist() for each in columns), strict=True):
        if not _same(wanted, found):
            told.append(f"{operation} at a={a!r}, b={b!r}: {found!r} in {language}, {wanted!r} in C")
    return told


def _same(a: float, b: float) -> bool:
    ordinary = math.isfinite(a) and math.isfinite(b) and a * b > 0
    if ordinary:
        return abs(a - b) <= 4 * math.ulp(a)
    return same_bits(a, b)
