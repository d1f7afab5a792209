"""Random expressions and tables for the laws of every test folder.

Three varieties of expressions:

- a *recipe* is a list of steps that anyone can follow, in our algebra or in plain numbers; recipes
  cover every operation and care for no domain;
- *smooth* expressions stay inside every domain for inputs near 1, so they can be differentiated;
- :func:`random_expression` is for size: 10 to 10^5 nodes, from a seed, with values near 1.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hypothesis import strategies as st

from linkwork import algebra as lw
from linkwork.algebra import Definition, Expression, Table, number, symbol, symbols
from linkwork.errors import ExpressionError

NAMES: Final = ("x", "y", "z")

# ------------------------------------------------------------------------------------------- recipes


@dataclass(frozen=True)
class Step:
    """An operation on the results of earlier steps; a leaf has a name or a number instead."""

    operation: str
    operands: tuple[int, ...] = ()
    leaf: str | Fraction = ""


Recipe = tuple[Step, ...]
"""Steps in order; the result is that of the last one."""

BUILD: Final[Mapping[str, Callable[..., Expression]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
    "negate": operator.neg,
    "abs": operator.abs,
    **{name: getattr(lw, name) for name in "sqrt sin cos tan asin acos atan exp log sign atan2".split()},
    "min": lw.minimum,
    "max": lw.maximum,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": lw.equal,
    "!=": lw.not_equal,
    "select": lw.select,
}
_ONE_OPERAND: Final = "negate abs sqrt sin cos tan asin acos atan exp log sign".split()
_TWO_OPERANDS: Final = "+ - * / ^ atan2 min max < <= > >= == !=".split()
# Sums and products come first and often: most rules of construction are about them.
_OPERATIONS: Final = ("+", "-", "*", "/", "*", "+", "-", *_TWO_OPERANDS, *_ONE_OPERAND, "select")
OPERAND_COUNT: Final = {
    **dict.fromkeys(_ONE_OPERAND, 1),
    **dict.fromkeys(_TWO_OPERANDS, 2),
    "select": 3,
}


def built(recipe: Recipe) -> Expression:
    """The recipe followed in our algebra."""
    results: list[Expression] = []
    for step in recipe:
        results.append(_followed(step, results))
    return results[-1]


def _followed(step: Step, results: Sequence[Expression]) -> Expression:
    if step.operation == "symbol":
        return symbol(str(step.leaf))
    if step.operation == "number":
        return number(Fraction(step.leaf))
    if step.operation == "pi":
        return lw.PI
    return BUILD[step.operation](*[results[place] for place in step.operands])


def small_numbers() -> st.SearchStrategy[Fraction]:
    """Whole numbers, halves, thirds and decimals of both signs, with the rules' special cases often."""
    special = [Fraction(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2), (1, 4))]
    return st.one_of(
        st.sampled_from(special),
        st.integers(-12, 12).map(Fraction),
        st.builds(Fraction, st.integers(-9, 9), st.sampled_from((2, 3, 4, 6, 10, 1000))),
    )


def _leaves() -> st.SearchStrategy[Step]:
    return st.one_of(
        small_numbers().map(lambda value: Step("number", leaf=value)),
        st.just(Step("pi")),
    )


@st.composite
def recipes(draw: st.DrawFn, most: int = 9) -> Recipe:
    """Any recipe of up to ``most`` operations; a step without meaning (a division by 0) is left out."""
    steps = [Step("symbol", leaf=name) for name in NAMES]
    results: list[Expression] = [_followed(step, ()) for step in steps]
    for _ in range(draw(st.integers(1, most))):
        if draw(st.integers(0, 3)) == 0:
            steps.append(draw(_leaves()))
            results.append(_followed(steps[-1], results))
        operation = draw(st.sampled_from(_OPERATIONS))
        operands = [_recent(draw, len(steps)) for _ in range(OPERAND_COUNT[operation])]
        step = Step(operation, tuple(operands))
        try:
            results.append(_followed(step, results))
        except ExpressionError:
            continue
        steps.append(step)
    return tuple(steps)


def _recent(draw: st.DrawFn, count: int) -> int:
    return count - 1 - draw(st.integers(0, count - 1))


def expressions(most: int = 9) -> st.SearchStrategy[Expression]:
    """Any expression over x, y, z."""
    return recipes(most).map(built)


@st.composite
def points(draw: st.DrawFn, names: Sequence[str] = NAMES) -> dict[str, float]:
    """A value for each name, between −2 and 2: odd 1024ths, so that none is 0 and all are exact doubles."""
    return {name: (2 * draw(st.integers(-1024, 1023)) + 1) / 1024 for name in names}


# ------------------------------------------------------------------------------- smooth expressions

Template = Callable[[Expression, Expression], Expression]


def _positive(a: Expression) -> Expression:
    return a * a + Fraction(3, 4)


ANALYTIC: Final[Sequence[Template]] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / _positive(b),
    lambda a, b: -a / 3,
    lambda a, b: lw.PI * a - 0.25,
    lambda a, b: a**2,
    lambda a, b: a**3 / 4,
    lambda a, b: _positive(a) ** -2,
    lambda a, b: _positive(a) ** Fraction(3, 2) / 8,
    lambda a, b: _positive(a) ** Fraction(-1, 2),
    lambda a, b: _positive(a) ** Fraction(2, 3),
    lambda a, b: _positive(a) ** lw.sin(b),
    lambda a, b: 2 ** lw.cos(a),
    lambda a, b: lw.sqrt(_positive(a)),
    lambda a, b: lw.sin(a),
    lambda a, b: lw.cos(a),
    lambda a, b: lw.tan(lw.sin(a)),
    lambda a, b: lw.asin(0.9 * lw.sin(a)),
    lambda a, b: lw.acos(a / (a * a + 1)),
    lambda a, b: lw.atan(a),
    lambda a, b: lw.atan2(a, _positive(b)),
    lambda a, b: lw.atan2(_positive(a), b),
    lambda a, b: lw.exp(lw.sin(a)),
    lambda a, b: lw.log(_positive(a)),
)
KINKED: Final[Sequence[Template]] = (
    lambda a, b: abs(a),
    lambda a, b: lw.sign(a) * b,
    lambda a, b: lw.minimum(a, b),
    lambda a, b: lw.maximum(a, b, a * b),
    lambda a, b: lw.select(a < b, a * b, b),
    lambda a, b: lw.select(a - b, a, lw.sin(b)),
    lambda a, b: (a >= b) * a,
    lambda a, b: lw.not_equal(a, b) * b + lw.equal(a, b),
)


@st.composite
def smooth_expressions(
    draw: st.DrawFn, most: int = 6, kinks: bool = True, names: Sequence[str] = NAMES
) -> Expression:
    """An expression that can be differentiated (where it has kinks, beside them)."""
    templates = (*ANALYTIC, *KINKED) if kinks else ANALYTIC
    results: list[Expression] = list(symbols(names))
    for _ in range(draw(st.integers(1, most))):
        template = draw(st.sampled_from(templates))
        results.append(template(*(results[_recent(draw, len(results))] for _ in range(2))))
    return results[-1]


# -------------------------------------------------------------------------------------------- tables

Line = Callable[[str, Expression, Expression], Definition]


def _implicit(left: Callable[[Expression], Expression], right: Template) -> Line:
    return lambda name, a, b: Definition.of(name, implicit=(left(symbol(name)), right(a, b)))


IMPLICIT: Final[Sequence[Line]] = (
    _implicit(lambda u: u**2, lambda a, b: a**2 + _positive(b)),
    _implicit(lambda u: 1 / u, lambda a, b: _positive(a - b)),
    _implicit(lambda u: lw.log(u), lambda a, b: lw.sin(a + b)),
    _implicit(lambda u: lw.exp(2 * u), lambda a, b: _positive(a * b)),
    _implicit(lambda u: lw.tan(u), lambda a, b: a / _positive(b)),
    _implicit(lambda u: lw.sqrt(u), lambda a, b: _positive(a) + _positive(b)),
    lambda name, a, b: Definition.of(name, implicit=(symbol(name) * _positive(a), b - symbol(name))),
    lambda name, a, b: Definition.of(
        name, explicit=-lw.sqrt(_positive(a)) - b, implicit=((symbol(name) + b) ** 2, _positive(a))
    ),
)


@st.composite
def tables(draw: st.DrawFn, most: int = 6, implicit: bool = True, kinks: bool = False) -> Table:
    """Lines u0, u1, … over x, y, z and earlier lines, some of them with an implicit form."""
    known: list[Expression] = list(symbols(NAMES))
    lines: list[Definition] = []
    templates = (*ANALYTIC, *KINKED) if kinks else ANALYTIC
    for place in range(draw(st.integers(1, most))):
        a, b = (known[_recent(draw, len(known))] for _ in range(2))
        name = f"u{place}"
        if implicit and draw(st.booleans()):
            lines.append(draw(st.sampled_from(IMPLICIT))(name, a, b))
        else:
            lines.append(Definition.of(name, draw(st.sampled_from(templates))(a, b)))
        known.append(symbol(name))
    return Table.of(lines, inputs=NAMES)


# ------------------------------------------------------------------------------------- large graphs

INPUTS: Final = tuple(f"q{place}" for place in range(8))

_TAME: Final[Sequence[Template]] = (
    lambda a, b: (a + b) / 2,
    lambda a, b: (a - b) * lw.sin(a),
    lambda a, b: lw.sin(a) * lw.cos(b),
    lambda a, b: a / lw.sqrt(b * b + 2),
    lambda a, b: lw.atan2(a, b * b + 1),
    lambda a, b: lw.exp(-a * a) * b,
    lambda a, b: lw.log(a * a + b * b + 1),
    lambda a, b: lw.maximum(a, b) ** 2 / 4,
    lambda a, b: lw.select(a < b, a, 3 * b) / 2,
    lambda a, b: abs(a) - lw.asin(lw.sin(b) / 2),
)


_DEEPEST: Final = 10


def random_expression(size: int, seed: int) -> Expression:
    """About ``size`` nodes over the symbols ``INPUTS``, always the same ones for the same seed.

    Tame operations are stacked at most ten deep on each other, and the result is the mean of them all:
    so values and derivatives are near 1 at every size, and parts are shared as they are in mechanics.
    """
    source = random.Random(seed)
    layers: list[list[Expression]] = [list(symbols(INPUTS)), *([] for _ in range(_DEEPEST))]
    terms: list[Expression] = []
    seen: set[Expression] = set()
    while len(seen) + len(terms) < size:  # each term brings one addition
        depth = source.randrange(_DEEPEST)
        operands = [source.choice(layers[depth] or layers[0]), source.choice(layers[depth // 2] or layers[0])]
        fresh = source.choice(_TAME)(*operands)
        layers[depth + 1].append(fresh)
        terms.append(fresh)
        _enter(fresh, seen)
    count = len(terms)
    while len(terms) > 1:
        terms = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)] + terms[len(terms) & ~1 :]
    return terms[0] / count


def _enter(root: Expression, seen: set[Expression]) -> None:
    waiting = [root]
    while waiting:
        top = waiting.pop()
        if top not in seen:
            seen.add(top)
            waiting += top.arguments
