"""A second opinion on values and derivatives: slow, in sixty digits, sharing no code with linkwork.

Every value is carried with a bound of its error: an operation is evaluated at the corners of what its
operands may be, and its own rounding is added. So the laws need no tolerances: two ways to the same
value must agree within their bounds. Where no bound can be given (outside a domain, at a jump) there
is no value, and the example is passed over.
"""

from __future__ import annotations

import cmath
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import mpmath  # type: ignore[import-untyped]

from linkwork.algebra import Expression, Number, Symbol, nodes_in_order
from strategies import Recipe

DIGITS: Final = 60
mp: Final = mpmath.MPContext()
mp.dps = DIGITS
Real = Any  # mpmath has no types

ROUNDING_OF_DOUBLES: Final = 2.0**-51  # two roundings: functions of libm are not always the nearest
ROUNDING_OF_ORACLE: Final = 10.0 ** (2 - DIGITS)
_LARGEST: Final = 1e12  # what is larger is left aside, so that sines of it keep their meaning
_SMALLEST_DOUBLE: Final = 1e-300


class NoValue(Exception):
    """Outside a domain, at a jump, too large, or too uncertain to compare."""


@dataclass(frozen=True)
class Near:
    """A value known up to an error."""

    value: Real
    error: Real

    def agrees_with(self, other: Near) -> bool:
        """Whether both may be the same number."""
        return bool(abs(self.value - other.value) <= self.error + other.error)


OPERATIONS: Final[Mapping[str, Callable[..., Real]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: mp.power(a, b),
    "negate": lambda a: -a,
    "abs": abs,
    "sqrt": mp.sqrt,
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "exp": mp.exp,
    "log": mp.log,
    "sign": mp.sign,
    "atan2": mp.atan2,
    "min": min,
    "max": max,
    "<": lambda a, b: mp.mpf(a < b),
    "<=": lambda a, b: mp.mpf(a <= b),
    ">": lambda a, b: mp.mpf(a > b),
    ">=": lambda a, b: mp.mpf(a >= b),
    "==": lambda a, b: mp.mpf(a == b),
    "!=": lambda a, b: mp.mpf(a != b),
    "select": lambda condition, then, otherwise: then if condition != 0 else otherwise,
}
_COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")


def applied(operation: str, operands: Sequence[Near], rounding: float, smooth: bool = False) -> Near:
    """The operation on values known up to their errors; if it must be smooth there, not at a kink."""
    _check_domain(operation, operands)
    if smooth and operation in ("abs", "min", "max"):
        zero = Near(mp.zero, mp.zero)
        _check_domain("<", [operands[0], operands[1] if len(operands) > 1 else zero])
    routine = OPERATIONS[operation]
    centre = routine(*(near.value for near in operands))
    error = mp.zero
    if rounding:
        ends = [(near.value - near.error, near.value + near.error) for near in operands if near.error]
        for corner in itertools.product(*ends) if ends else ():
            moved = iter(corner)
            at_corner = routine(*(next(moved) if near.error else near.value for near in operands))
            error = max(error, abs(at_corner - centre))
        if operation not in ("negate", "abs", "sign", "min", "max", "select", *_COMPARISONS):
            error += rounding * abs(centre) + _SMALLEST_DOUBLE
    if abs(centre) > _LARGEST or error > 1e-7 * max(1, abs(centre)):
        raise NoValue
    return Near(centre, error)


def _check_domain(operation: str, operands: Sequence[Near]) -> None:
    a, b = operands[0], operands[-1]
    if operation == "log":
        _require(a.value > a.error)
    elif operation == "sqrt":
        _require(a.value > a.error or a.value == a.error == 0)
    elif operation == "/":
        _require(abs(b.value) > b.error)
    elif operation in ("asin", "acos"):
        _require(1 - abs(a.value) > a.error or (a.error == 0 and abs(a.value) == 1))
    elif operation == "tan":
        _require(abs(mp.cos(a.value)) > a.error)
    elif operation == "exp":
        _require(a.value < 50)
    elif operation in ("sign", "select"):
        _require(abs(a.value) > a.error or a.error == 0)
    elif operation in _COMPARISONS:
        _require(abs(a.value - b.value) > a.error + b.error or a.error + b.error == 0)
    elif operation == "atan2":
        _require(b.value > b.error or abs(a.value) > a.error)
    elif operation == "^":
        whole = b.error == 0 and b.value == mp.floor(b.value)
        _require(a.value > a.error or (whole and (b.value >= 0 or abs(a.value) > a.error)))
        _require(abs(b.value) < 200 and abs(b.value) * abs(mp.log(abs(a.value) + mp.mpf("1e-30"))) < 500)


def _require(holds: bool) -> None:
    if not holds:
        raise NoValue


def leaf(content: str | Fraction | None, values: Mapping[str, Near], rounding: float) -> Near:
    """A symbol by its name, a number by its value, π by None."""
    if isinstance(content, str):
        return values[content]
    if content is None:
        return Near(mp.pi + 0, rounding * mp.pi)
    exact = mp.mpf(content.numerator) / content.denominator
    return Near(exact, mp.zero if content.denominator == 1 else rounding * abs(exact))


def near(values: Mapping[str, float], error: float = 0.0) -> dict[str, Near]:
    """The same values, each up to an error."""
    return {name: Near(mp.mpf(value), mp.mpf(error)) for name, value in values.items()}


def by_recipe(recipe: Recipe, values: Mapping[str, Near], rounding: float = ROUNDING_OF_ORACLE) -> Near:
    """The value of a recipe, each step as it stands."""
    results: list[Near | None] = []
    for step in recipe:
        if not step.operands:
            results.append(leaf(None if step.operation == "pi" else step.leaf, values, rounding))
            continue
        operands = [results[place] for place in step.operands]
        try:
            results.append(applied(step.operation, [_known(each) for each in operands], rounding))
        except NoValue:
            results.append(None)
    return _known(results[-1])


def by_graph(
    roots: Sequence[Expression],
    values: Mapping[str, Near],
    rounding: float = ROUNDING_OF_ORACLE,
    smooth: bool = False,
) -> list[Near]:
    """The values of expressions, from the graph as it is stored."""
    results: dict[Expression, Near | None] = {}
    for node in nodes_in_order(roots):
        if isinstance(node, Symbol):
            results[node] = leaf(node.name, values, rounding)
        elif isinstance(node, Number):
            results[node] = leaf(Fraction(node.value), values, rounding)
        elif not node.arguments:
            results[node] = leaf(None, values, rounding)
        else:
            try:
                operands = [_known(results[argument]) for argument in node.arguments]
                results[node] = applied(node.operation, operands, rounding, smooth)
            except NoValue:
                results[node] = None
    return [_known(results[root]) for root in roots]


def _known(found: Near | None) -> Near:
    if found is None:
        raise NoValue
    return found


# ---------------------------------------------------------------------------------------- derivatives

_STEP: Final = mp.mpf("1e-18")
DIFFERENCE_ERROR: Final = 1e-22  # step², times higher derivatives up to 1e14


def slopes(
    roots: Sequence[Expression], values: Mapping[str, float], along: Mapping[str, float]
) -> list[Near]:
    """The derivatives of the roots along a direction, by central differences in sixty digits.

    There are none where a kink, a jump or an edge of the domain is within 1e-12.
    """
    by_graph(roots, near(values, error=1e-12), ROUNDING_OF_DOUBLES, smooth=True)
    sides = []
    for step in (_STEP, -_STEP):
        moved = {name: Near(value + step * along.get(name, 0), 0) for name, value in _exact(values).items()}
        sides.append(by_graph(roots, moved, rounding=0.0))
    found = [(ahead.value - behind.value) / (2 * _STEP) for ahead, behind in zip(*sides, strict=True)]
    return [Near(slope, DIFFERENCE_ERROR * max(1, abs(slope))) for slope in found]


def _exact(values: Mapping[str, float]) -> dict[str, Real]:
    return {name: mp.mpf(value) for name, value in values.items()}


def complex_step(root: Expression, values: Mapping[str, float], along: Mapping[str, float]) -> float:
    """The derivative along a direction in plain double precision: the imaginary part of f(q + ih)."""
    step = 1e-100
    results: dict[Expression, complex] = {}
    for node in nodes_in_order([root]):
        if isinstance(node, Symbol):
            results[node] = complex(values[node.name], step * along.get(node.name, 0.0))
        elif isinstance(node, Number):
            results[node] = complex(float(node.value))
        else:
            results[node] = _COMPLEX[node.operation](*[results[argument] for argument in node.arguments])
    return results[root].imag / step


def _complex_atan2(y: complex, x: complex) -> complex:
    turn = (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
    return complex(cmath.phase(complex(x.real, y.real)), turn)


_COMPLEX: Final[Mapping[str, Callable[..., complex]]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a ** int(b.real),
    **{name: getattr(cmath, name) for name in "sqrt sin cos tan asin acos atan exp log".split()},
    "abs": lambda a: -a if a.real < 0 else a,
    "atan2": _complex_atan2,
    "min": lambda a, b: min(a, b, key=lambda each: each.real),
    "max": lambda a, b: max(a, b, key=lambda each: each.real),
    "<": lambda a, b: complex(a.real < b.real),
    "<=": lambda a, b: complex(a.real <= b.real),
    "sign": lambda a: complex((a.real > 0) - (a.real < 0)),
    "select": lambda condition, then, otherwise: then if condition != 0 else otherwise,
}
