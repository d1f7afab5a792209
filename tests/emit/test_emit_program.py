"""Programs as values: what they count, what they show, and what they refuse."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from emit_programs import all_programs, long_program
from emit_strategies import programs
from hypothesis import given

from linkwork.algebra import (
    Definition,
    Expression,
    Table,
    free_symbols,
    number,
    operation_count,
    sin,
    symbol,
    symbols,
)
from linkwork.emit import Input, Output, Program, compiled, interpreted
from linkwork.emit.program import MOST_SCALARS
from linkwork.errors import (
    CyclicDefinition,
    ExpressionError,
    LinkworkError,
    NameTaken,
    UnknownName,
)
from strategies import expressions, tables

X, Y = symbols("x y")
ONE = number(1)


@given(programs())
def test_operations_are_those_of_the_expressions(program: Program) -> None:
    """A program costs what its definitions and results cost together, shared parts once."""
    roots = [*(line.value for line in program.lines), *program.results]
    assert program.operations == operation_count(roots)


@given(programs())
def test_a_program_has_the_lines_that_its_results_need(program: Program) -> None:
    """Each after those it needs, and none that nothing needs."""
    known = {leaf for each in program.inputs for leaf in each.symbols}
    for line in program.lines:
        assert {leaf.name for leaf in line.mentions} <= known
        known.add(line.name)
    used = {leaf.name for leaf in free_symbols(*program.results, *(line.value for line in program.lines))}
    assert {line.name for line in program.lines} <= used <= known


@given(tables())
def test_a_table_with_all_its_lines_costs_the_same_as_a_program(table: Table) -> None:
    """Outputs are lines already, so handing them out costs nothing."""
    assert Program.of_table(table).operations == table.operations


@given(expressions())
def test_operations_are_at_most_those_of_the_parts(expression: Expression) -> None:
    """Two results that share work cost less than two programs; the same one twice costs it once."""
    once = Program.of("f", symbols("x y z"), {"r": expression})
    twice = Program.of("f", symbols("x y z"), {"r": expression, "s": [expression]})
    assert once.operations == twice.operations


def test_a_table_brings_only_the_lines_that_its_outputs_need() -> None:
    """Dead lines are left out, needed ones stay in order."""
    table = Table.of({"u": "x + 1", "dead": "sin(y)", "v": "u*y", "deader": "dead + u"}, outputs=["v"])
    program = Program.of_table(table, "f")
    assert [line.name for line in program.lines] == ["u", "v"]
    assert [each.name for each in program.inputs] == ["x", "y"]
    assert program.operations == 2


@pytest.mark.parametrize("count", [MOST_SCALARS - 2, MOST_SCALARS - 1, MOST_SCALARS, MOST_SCALARS + 1])
def test_a_table_of_many_numbers_gets_array_arguments(count: int) -> None:
    """Up to a couple of dozen scalars together, then one array of inputs and one of outputs."""
    names = [f"q{place}" for place in range(count)]
    program = Program.of_table(Table.of({"r": " + ".join(names)}, inputs=names))
    scalars = count + 1 <= MOST_SCALARS
    assert {each.scalar for each in program.inputs} == {each.scalar for each in program.outputs} == {scalars}
    assert [leaf for each in program.inputs for leaf in each.symbols] == names
    if not scalars:
        assert [each.name for each in program.inputs] == ["inputs"]
        assert [each.name for each in program.outputs] == ["outputs"]


def test_what_a_program_shows() -> None:
    """One line: arguments, results, cost."""
    assert (
        repr(Program.of("f", {"p": [X, Y]}, {"r": sin(X), "s": [X, Y]})) == "f(p[2]) → r, s[2], 1 operations"
    )
    assert repr(Program.of("f", [], {})) == "f() → , 0 operations"


@pytest.mark.parametrize(
    "program", [*all_programs().values(), long_program(20, 2)], ids=lambda each: each.name
)
def test_a_program_is_a_value(program: Program) -> None:
    """Equal to what is built in the same way, and to its pickle; frozen."""
    again = {**all_programs(), "long_program": long_program(20, 2)}[program.name]
    assert again == program
    assert pickle.loads(pickle.dumps(program)) == program
    with pytest.raises(AttributeError):
        program.name = "other"  # type: ignore[misc]


def line(name: str, value: str) -> Definition:
    return Definition.of(name, value)


def test_one_name_has_one_meaning() -> None:
    """Inputs, arrays, definitions and results that would be confused are refused by name."""
    attempts: dict[str, Callable[[], object]] = {
        "an input twice": lambda: Program.of("f", [X, X], {"r": X}),
        "an input in two arrays": lambda: Program.of("f", {"p": [X], "q": [Y, X]}, {"r": X}),
        "an array called like an input": lambda: Program.of("f", {"x": [X, Y]}, {"r": X}),
        "an array called like a definition": lambda: Program.of("f", {"u": [X]}, {"r": X}, [line("u", "x")]),
        "arrays in and out": lambda: Program.of("f", {"p": [X]}, {"p": [X + 1]}),
        "a result called like an array": lambda: Program.of("f", {"p": [X]}, {"p": X + 1}),
        "a definition of an input": lambda: Program.of("f", [X], {"r": X}, [line("x", "2")]),
        "a definition twice": lambda: Program.of("f", [X], {"r": X}, [line("u", "x"), line("u", "2")]),
        "an argument twice": lambda: Program("f", (Input("a", ("x",), True), Input("a", ("y",), True)), ()),
        "a result twice": lambda: Program("f", (), (Output("r", (ONE,), True), Output("r", (ONE,), True))),
    }
    for what, attempt in attempts.items():
        with pytest.raises(NameTaken, match="two things") as caught:
            attempt()
        assert "_out" in caught.value.fix, what


def test_definitions_that_need_each_other_are_refused() -> None:
    """Definitions may come in any order, but there must be one."""
    with pytest.raises(CyclicDefinition):
        Program.of("f", [X], {"r": symbol("u")}, [line("u", "v + x"), line("v", "2*u")])


def test_a_large_table_may_have_quantities_called_inputs_and_outputs() -> None:
    """The names of the arrays give way."""
    names = [*(f"q{place}" for place in range(30)), "inputs"]
    program = Program.of_table(Table.of({"outputs": " + ".join(names)}, inputs=names))
    assert program.inputs[0].symbols == tuple(names)
    assert repr(program) == "evaluate(inputs_[31]) → outputs_[1], 30 operations"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Program.of("f", ["x"], {"r": X}),  # type: ignore[list-item]
        lambda: Program.of("f", X, {"r": X}),  # type: ignore[arg-type]
        lambda: Program.of("f", "x", {"r": X}),  # type: ignore[arg-type]
        lambda: Program.of("f", {"p": X}, {"r": X}),  # type: ignore[dict-item]
        lambda: Program.of("f", [X], {"r": "x + 1"}),  # type: ignore[dict-item]
        lambda: Program.of("f", [X], {"r": np.array([1.0, 2.0])}),  # type: ignore[dict-item]
        lambda: interpreted(X + 1),  # type: ignore[arg-type]
        lambda: compiled("x + 1"),  # type: ignore[arg-type]
    ],
)
def test_misuse_raises_our_errors(make: Callable[[], object]) -> None:
    """Text or one symbol for a list of them, a NumPy array for a sequence, an expression for a program."""
    with pytest.raises(LinkworkError) as caught:
        make()
    assert caught.value.got


def test_what_nothing_defines_is_named() -> None:
    """A free symbol in a result or in a definition, with what there is instead."""
    with pytest.raises(UnknownName, match="'y'") as caught:
        Program.of("f", [X], {"r": X + Y})
    assert "x" in caught.value.wanted
    assert caught.value.fix == "add y to the inputs"
    with pytest.raises(UnknownName, match="'y'"):
        Program.of("f", [X], {"r": symbol("u")}, [line("u", "x + y")])


def test_a_line_that_cannot_be_isolated_is_a_block() -> None:
    """A definition with an implicit form only is solved by Newton's method; what it needs must be there."""
    line = Definition.of("u", implicit="u + sin(u) = x")
    program = Program.of("f", [X], {"r": symbol("u")}, [line])
    assert [block.unknowns for block in program.blocks] == [(symbol("u"),)]
    with pytest.raises(UnknownName, match="'x'"):
        Program.of("f", [], {"r": symbol("u")}, [line])


def test_results_are_expressions_or_numbers() -> None:
    """Numbers become constants; anything else is refused when the program is made."""
    program = Program.of("f", [], {"r": 0.5, "s": [1, 0.25]})
    assert [str(each) for each in program.results] == ["1/2", "1", "1/4"]
    with pytest.raises(ExpressionError):
        Program.of("f", [X], {"r": None})  # type: ignore[dict-item]


def test_scalar_arguments_may_be_called_otherwise_than_their_symbols() -> None:
    """An argument has its own name; the symbol is what expressions mention."""
    program = Program("f", (Input("angle", ("x",), scalar=True),), (Output("r", (X + 1,), scalar=True),))
    assert repr(program) == "f(angle) → r, 1 operations"
