"""Random programs of every shape a program can have, and rows of numbers to call them with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from emit_languages import Case, cases_of, size_in
from hypothesis import settings
from hypothesis import strategies as st

from linkwork.algebra import (
    Definition,
    Expression,
    Operand,
    number,
    substitute,
    symbol,
    symbols,
)
from linkwork.emit import Input, Output, Program
from linkwork.errors import ExpressionError
from strategies import NAMES, expressions, small_numbers, tables

SPECIAL: Final = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, 1e200, -1e-200, 5e-324)

UNUSED: Final = ("idle", "spare")


def batches(fraction: int) -> settings:
    """Settings of a test that treats many programs in one example: so it needs fewer examples."""
    return settings(max_examples=max(2, settings().max_examples // fraction))


@st.composite
def programs(draw: st.DrawFn, most: int = 6) -> Program:
    """Any program: scalars and arrays, aliases, constants, repetitions, inputs handed through or unused.

    Definitions stand in any order, and some are used by nothing.
    """
    inputs = draw(_inputs())
    given = [leaf for each in inputs for leaf in each.symbols]
    lines: list[Definition] = []
    for place in range(draw(st.integers(0, 4))):
        value = draw(_values(given, lines, most))
        lines.append(Definition.of(f"u{place}", value))
    outputs = [draw(_outputs(f"r{place}", given, lines, most)) for place in range(draw(st.integers(0, 3)))]
    outputs += [Output(line.name, (line.symbol,), True) for line in lines if draw(st.booleans())]
    return Program("program", tuple(inputs), tuple(outputs), tuple(draw(st.permutations(lines))))


@st.composite
def _inputs(draw: st.DrawFn) -> list[Input]:
    """Some of x, y, z and two that nothing uses, in any order, as scalars or in arrays, one perhaps empty."""
    names = list(draw(st.permutations([*NAMES, *UNUSED])))[: draw(st.integers(0, 5))]
    inputs: list[Input] = []
    while names:
        if draw(st.booleans()):
            inputs.append(Input(names[0], (names.pop(0),), scalar=True))
        else:
            size = draw(st.integers(0, len(names)))
            inputs.append(Input(f"a{len(inputs)}", tuple(names[:size])))
            names = names[size:] if size else names[1:]
    return inputs


def _values(given: Sequence[str], lines: Sequence[Definition], most: int) -> st.SearchStrategy[Expression]:
    """An expression over what is there already; or one of these names, an earlier line again, a constant."""
    known = [leaf for leaf in given if leaf not in UNUSED] + [line.name for line in lines]
    choices = [small_numbers().map(number)]
    if known:
        names = st.lists(st.sampled_from(known), min_size=3, max_size=3)
        choices.append(st.sampled_from(known).map(symbol))
        choices += [st.builds(_renamed, expressions(most), names)] * 3
    if lines:
        choices.append(st.sampled_from([line.value for line in lines]))
    return st.one_of(*choices)


def _renamed(expression: Expression, names: Sequence[str]) -> Expression:
    """The expression over these names instead of x, y, z."""
    replacements: dict[Expression, Operand] = {
        symbol(old): symbol(new) for old, new in zip(NAMES, names, strict=True)
    }
    try:
        return substitute([expression], replacements)[0]
    except ExpressionError:  # two names have become one, and now it divides by zero
        return symbol(names[0])


@st.composite
def _outputs(
    draw: st.DrawFn, name: str, given: Sequence[str], lines: Sequence[Definition], most: int
) -> Output:
    if draw(st.booleans()):
        return Output(name, (draw(_values(given, lines, most)),), scalar=True)
    values = draw(st.lists(_values(given, lines, most), max_size=3))
    repeated: bool = draw(st.booleans())
    if values and repeated:
        values.append(values[0])
    return Output(name, tuple(values))


def formulas() -> st.SearchStrategy[Program]:
    """A program of one expression or of a table, over x, y, z."""
    from_expressions = expressions().map(lambda each: Program.of("program", symbols(NAMES), {"r": each}))
    return st.one_of(from_expressions, tables(kinks=True).map(Program.of_table))


def called(programs: st.SearchStrategy[Program], count: int, most: int) -> st.SearchStrategy[list[Case]]:
    """Up to ``most`` programs, each with ``count`` rows."""

    def with_rows(program: Program) -> st.SearchStrategy[tuple[Program, list[list[float]]]]:
        return st.tuples(st.just(program), rows_for(program, count))

    drawn = st.lists(programs.flatmap(with_rows), min_size=most // 2, max_size=most)
    return drawn.map(lambda pairs: cases_of([pair[0] for pair in pairs], [pair[1] for pair in pairs]))


def rows_for(program: Program, count: int) -> st.SearchStrategy[list[list[float]]]:
    """Rows of ordinary numbers with special ones among them."""
    ordinary = st.integers(-1000, 999).map(lambda thousandths: (2 * thousandths + 1) / 1000)
    entry = st.one_of(ordinary, ordinary, ordinary, st.sampled_from(SPECIAL))
    size = size_in(program)
    row = st.lists(entry, min_size=size, max_size=size)
    return st.lists(row, min_size=count, max_size=count)
