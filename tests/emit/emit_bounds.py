"""How far results of the same program may lie apart: a running error analysis, in sixty digits.

For every step two things are followed.

- *bits*: the one double that all must compute, because IEEE 754 or Annex F of C99 prescribes it: sums,
  products, quotients and roots of such doubles, and functions at their special points (log 0, 1^NaN).
- *value ± error*: the exact result, and what an honest computation may add to it. An operation is taken
  at the corners of what its operands may be, and its own rounding is added.

A step for which neither can be said (a comparison of values closer than their errors) stays open, with
all that depends on it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import mpmath  # type: ignore[import-untyped]
import numpy as np
from emit_languages import same_bits

from linkwork.algebra import Expression, Number, Symbol, instructions, nodes_in_order
from linkwork.algebra.instructions import Instructions
from linkwork.emit import Program

mp: Final = mpmath.MPContext()
mp.dps = 60
Real = Any  # mpmath has no types

ROUNDING: Final = mp.mpf(2) ** -53  # of the operations that IEEE 754 rounds to the nearest double
ROUNDING_OF_FUNCTIONS: Final = mp.mpf(2) ** -50  # NumPy's vectorised functions promise 4 units
SMALLEST: Final = mp.mpf(2) ** -1074
LARGEST: Final = mp.mpf(2) ** 1023  # beyond it an error might be the step to infinity
OVERFLOWS: Final = mp.mpf(2) ** 1025
UNDERFLOWS: Final = mp.mpf(2) ** -1080

NEAREST: Final = ("+", "-", "*", "/", "sqrt")
WITHOUT_ERROR: Final = ("neg", "abs", "sign", "min", "max", "<", "<=", "==", "!=", "select")


@dataclass(frozen=True)
class Near:
    """What is known of one result; nothing at all where both are None."""

    bits: float | None = None
    value: Real = None
    error: Real = mp.zero

    def admits(self, found: float) -> bool:
        """Whether a computed result can be right."""
        if self.bits is not None:
            return same_bits(found, self.bits)
        return self.value is None or bool(abs(mp.mpf(found) - self.value) <= self.error)

    def agrees_with(self, other: Near) -> bool:
        """Whether both may be the same number, computed in different ways."""
        if self.value is None or other.value is None:
            return True
        return bool(abs(self.value - other.value) <= self.error + other.error + abs(self.value) * 1e-50)

    @property
    def decided(self) -> bool:
        """Whether a wrong result would be noticed."""
        return self.bits is not None or self.value is not None


OPEN: Final = Near()

_BITS: Final[Mapping[str, Callable[..., Any]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "neg": np.negative,
    "abs": np.abs,
    "sign": lambda a: np.copysign(np.sign(a), a),
    "min": lambda a, b: a if a < b or np.isnan(a) else b,
    "max": lambda a, b: a if a > b or np.isnan(a) else b,
    **{name: getattr(np, name) for name in ("sqrt", "sin", "cos", "tan", "exp", "log")},
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asin", "acos", "atan", "atan2")},
    "<": np.less,
    "<=": np.less_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "select": lambda condition, then, otherwise: then if condition != 0 else otherwise,
}

_VALUES: Final[Mapping[str, Callable[..., Real]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": mp.power,
    "neg": lambda a: -a,
    "abs": abs,
    "min": min,
    "max": max,
    **{name: getattr(mp, name) for name in "sqrt sin cos tan asin acos atan exp log sign atan2".split()},
    "<": lambda a, b: mp.mpf(a < b),
    "<=": lambda a, b: mp.mpf(a <= b),
    "==": lambda a, b: mp.mpf(a == b),
    "!=": lambda a, b: mp.mpf(a != b),
    "select": lambda condition, then, otherwise: then if condition != 0 else otherwise,
}


def exactly(number: float) -> Near:
    """A double as it stands."""
    return Near(number, mp.mpf(number) if math.isfinite(number) else None)


def applied(operation: str, operands: Sequence[Near]) -> Near:
    """What can be said of an operation's result, from what is known of its operands."""
    if operation == "select":
        condition = applied("!=", [operands[0], exactly(0.0)])
        if condition.bits is not None or condition.value is not None:
            truth = condition.value if condition.bits is None else condition.bits
            return operands[1 if truth else 2]
        return OPEN
    bits = _bits_of(operation, [each.bits for each in operands])
    value, error = _value_of(operation, operands)
    return Near(bits, value, error)


def _bits_of(operation: str, operands: Sequence[float | None]) -> float | None:
    known = [each for each in operands if each is not None]
    if len(known) < len(operands):
        return None
    with np.errstate(all="ignore"):
        found = float(_BITS[operation](*[np.float64(each) for each in known]))
    if operation in NEAREST or operation in WITHOUT_ERROR or math.isnan(found):
        return found
    if all(map(math.isfinite, known)) and not (operation == "log" and known[0] == 0):
        exact = _VALUES[operation](*[mp.mpf(each) for each in known])
        certain = (
            abs(exact) > OVERFLOWS or abs(exact) < UNDERFLOWS or (exact == found and abs(exact) in (0, 1))
        )
        return found if certain else None
    return found if math.isinf(found) or found in (0.0, 1.0) else None


def _value_of(operation: str, operands: Sequence[Near]) -> tuple[Real, Real]:
    if any(each.value is None for each in operands) or not _inside_domain(operation, operands):
        return None, mp.zero
    routine = _VALUES[operation]
    centre = routine(*(each.value for each in operands))
    error = mp.zero
    ends = [{each.value - each.error, each.value + each.error} for each in operands]
    for corner in itertools.product(*ends):
        error = max(error, abs(routine(*corner) - centre))
    if operation in ("sin", "cos"):  # the corners say nothing of what goes up and down between them
        error = min(operands[0].error, mp.mpf(2))
    if operation not in WITHOUT_ERROR:
        unit = ROUNDING if operation in NEAREST else ROUNDING_OF_FUNCTIONS
        error += unit * (abs(centre) + error) + SMALLEST
    if abs(centre) + error > LARGEST:
        return None, mp.zero
    return centre, error


def _inside_domain(operation: str, operands: Sequence[Near]) -> bool:
    """Whether the operation is continuous wherever the operands may be."""
    a, b = operands[0], operands[-1]
    certain = not a.error and not b.error
    if operation in ("log", "sqrt"):
        return bool(a.value > a.error or (operation == "sqrt" and a.value == 0 and certain))
    if operation == "/":
        return bool(abs(b.value) > b.error)
    if operation in ("asin", "acos"):
        return bool(1 - abs(a.value) > a.error or (certain and abs(a.value) == 1))
    if operation == "tan":
        return bool(a.error < 0.1 and abs(mp.cos(a.value)) > 2 * a.error)
    if operation == "exp":
        return bool(a.value < 800)
    if operation == "sign":
        return bool(abs(a.value) > a.error or certain)
    if operation in ("<", "<=", "==", "!="):
        return certain or bool(abs(a.value - b.value) > a.error + b.error)
    if operation == "atan2":
        return bool(b.value > b.error or abs(a.value) > a.error)
    if operation == "^":
        whole = not b.error and b.value == mp.floor(b.value)
        base = a.value > a.error or (whole and (b.value > 0 or abs(a.value) > a.error))
        return bool(base and abs(b.value) < 1e3 and (a.value == 0 or abs(mp.log(abs(a.value))) < 1e3))
    return True


# ------------------------------------------------------------------------------------ whole programs


def of_printed(program: Program, values: Mapping[str, float]) -> list[Near]:
    """What is known of the outputs when the instructions are carried out as printers print them."""
    known = {name: exactly(value) for name, value in values.items()}
    names = [line.name for line in program.lines]
    return _of_code(program.code, known, names)[len(names) :]


def of_evaluated(program: Program, values: Mapping[str, float]) -> list[Near]:
    """The same when every definition is evaluated by itself, and then the outputs."""
    known = {name: exactly(value) for name, value in values.items()}
    for line in program.lines:
        (known[line.name],) = _of_code(instructions([line.value]), known)
    return _of_code(instructions(program.results), known)


def of_stored(program: Program, values: Mapping[str, float]) -> list[Near]:
    """The same when the graph is walked as it is stored, without lowering it to instructions."""
    known = {name: exactly(value) for name, value in values.items()}
    for line in program.lines:
        (known[line.name],) = _of_graph([line.value], known)
    return _of_graph(program.results, known)


def _of_code(code: Instructions, known: Mapping[str, Near], names: Sequence[str] = ()) -> list[Near]:
    """The results of the instructions; the first ones get names under which later ones find them."""
    known = dict(known)
    found: list[Near] = []
    waiting = list(zip(names, code.ends, code.results, strict=False))
    for place, (operation, operands) in enumerate(zip(code.operations, code.operands, strict=True)):
        while waiting and waiting[0][1] <= place:
            name, _, result = waiting.pop(0)
            known[name] = found[result]
        if operands:
            found.append(applied(operation, [found[operand] for operand in operands]))
        else:
            found.append(_leaf(code.leaves[place], known))
    return [found[place] for place in code.results]


def _of_graph(roots: Sequence[Expression], known: Mapping[str, Near]) -> list[Near]:
    found: dict[Expression, Near] = {}
    for each in nodes_in_order(roots):
        if each.arguments:
            found[each] = applied(each.operation, [found[argument] for argument in each.arguments])
        else:
            found[each] = _leaf(each, known)
    return [found[root] for root in roots]


def _leaf(leaf: Expression, known: Mapping[str, Near]) -> Near:
    if isinstance(leaf, Symbol):
        return known[leaf.name]
    return exactly(float(leaf.value) if isinstance(leaf, Number) else math.pi)
