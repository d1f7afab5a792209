"""Long programs are cut into parts: the parts compute the same bits, none is too long, text stays linear."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from emit_agreement import check_agreement
from emit_languages import (
    Case,
    Floats,
    Runner,
    cases_of,
    in_parts_of,
    needs_compiler,
    needs_node,
    run_c,
    run_node,
)
from emit_programs import long_program
from emit_strategies import batches, called, programs
from hypothesis import given
from hypothesis import strategies as st

from linkwork.algebra import Definition, Expression, Operand, symbol, symbols
from linkwork.emit import Program, print_c, print_javascript, print_python
from linkwork.emit.listing import LONGEST_PART

LANGUAGES = [
    pytest.param(run_c, id="C", marks=needs_compiler),
    pytest.param(run_node, id="JavaScript", marks=needs_node),
]


def results(run: Runner, cases: list[Case], longest: int | None, *flags: str) -> list[Floats]:
    with TemporaryDirectory() as folder, in_parts_of(longest):
        return run(cases, Path(folder), *flags)


def check_same_bits(ones: list[Floats], others: list[Floats], cases: list[Case]) -> None:
    for case, one, other in zip(cases, ones, others, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=f"{case.program} of {case.program.definitions}")
        np.testing.assert_array_equal(np.signbit(one) & (one == 0), np.signbit(other) & (other == 0))


@pytest.mark.parametrize("run", LANGUAGES)
@batches(10)
@given(cases=called(programs(), count=2, most=20), longest=st.sampled_from((1, 2, 3, 7)))
def test_random_programs_in_small_parts_give_the_same_bits(
    run: Runner, cases: list[Case], longest: int
) -> None:
    """Whatever crosses from one part to another (shared values, definitions, aliases, their results).

    Without optimisation: with it, a compiler may evaluate sin(2) itself in one of the two, and better.
    """
    flags = ("-O0",) if run is run_c else ()
    check_same_bits(results(run, cases, longest, *flags), results(run, cases, None, *flags), cases)


@needs_compiler
@batches(20)
@given(cases=called(programs(), count=2, most=20), longest=st.sampled_from((1, 2, 3, 7)))
def test_parts_are_right_when_optimised(cases: list[Case], longest: int) -> None:
    """No warning about a value that may be unset when it crosses, and the right results."""
    with in_parts_of(longest):
        check_agreement(cases, {"C": run_c})


@pytest.mark.parametrize("run", LANGUAGES)
@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_every_way_to_cross_gives_the_right_result(run: Runner, longest: int, tmp_path: Path) -> None:
    """A shared value, a definition, its alias, an alias of an input, a constant, handed over many parts."""
    x, y, u, v, k, n, far = symbols("x y u v k n far")
    shared = x * y + 1
    lines = [
        Definition.of("u", shared),
        Definition.of("n", 3),
        Definition.of("v", shared),
        Definition.of("k", x),
        Definition.of("far", u + v * k),
    ]
    outputs: dict[str, Operand | list[Expression]] = {
        "a": [shared, u, v, k, n],
        "b": far * shared + n,
        "c": [far, x, x + y, (x + y) ** 2],
    }
    program = Program.of("f", [x, y], outputs, lines)
    cases = cases_of([program], [[[2.0, 5.0]]])
    with in_parts_of(longest):
        (found,) = run(cases, tmp_path)
    assert found.tolist() == [[11.0, 11.0, 11.0, 2.0, 3.0, 366.0, 33.0, 2.0, 7.0, 49.0]]


@pytest.mark.parametrize("run", LANGUAGES)
def test_a_long_program_gives_the_same_bits_as_in_one_piece(run: Runner) -> None:
    """Thousands of statements, definitions used far away, results in many parts."""
    program = long_program(1200, 100)
    assert len(parts_of(print_c(program))) > 10
    rows = [[0.3, -0.7, 1.1], [2.0, 0.0, -0.0], [float("nan"), 1.0, 1.0]]
    cases = cases_of([program], [rows])
    flags = ("-O0",) if run is run_c else ()
    one_piece = results(run, cases, None, *flags)
    check_same_bits(results(run, cases, LONGEST_PART, *flags), one_piece, cases)
    assert len(np.unique(one_piece[0][0])) > 500


def parts_of(text: str) -> dict[str, int]:
    """How many statements each C function holds."""
    found = {}
    for head, body in re.findall(r"^(?:static )?void (\w+)\([^{]*\)\n\{\n(.*?)^\}$", text, re.M | re.S):
        found[head] = body.count(";")
    return found


@pytest.mark.parametrize("lines", [10, 140, 160, 1000, 3000])
def test_no_c_function_is_longer_than_the_limit(lines: int) -> None:
    """Parts are full but for the last one, and all statements of the program are there once."""
    program = long_program(lines, 50)
    counts = parts_of(print_c(program))
    assert counts.keys() >= {"long_program", "long_program_rows"}
    assert max(counts.values()) <= LONGEST_PART
    with in_parts_of(None):
        whole = parts_of(print_c(program))["long_program"]
    parts = [count for name, count in counts.items() if "_part" in name]
    if whole <= LONGEST_PART:
        assert not parts
        assert counts["long_program"] == whole
    else:
        assert sum(parts) == whole
        assert len(parts) == -(-whole // LONGEST_PART)


@pytest.mark.parametrize("language", [print_c, print_javascript, print_python])
def test_text_is_linear_in_the_operations(language: object) -> None:
    """From a hundred operations to ten thousand, the text of one operation costs the same, names aside."""
    assert callable(language)
    costs = []
    for lines in (30, 300, 3000):
        program = long_program(lines, 10)
        costs.append(len(language(program)) / program.operations)
    assert program.operations > 10_000
    assert max(costs) < 1.6 * min(costs)


def test_a_value_that_many_use_is_written_once() -> None:
    """Shared values do not multiply the text: thirty doublings of one sum are thirty statements."""
    value = symbol("x") + 1
    for place in range(30):
        value = value * value + place + 1
    text = print_c(Program.of("f", symbols("x"), {"r": value}))
    assert len(text) < 3000


def test_a_deep_nest_is_cut_into_locals() -> None:
    """A chain of a thousand operations, each used once, has no statement with more than a few of them."""
    value: Expression = symbol("x")
    for place in range(1000):
        value = 1 / (value + place + 1)
    program = Program.of("f", symbols("x"), {"r": value})
    longest = max(len(line) for line in print_python(program).splitlines())
    assert longest < 200
    assert print_python(program).count("\n") > 100
