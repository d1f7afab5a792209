"""Names: whatever a quantity is called, the programs compile, keep quantities apart and give right values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from emit_languages import PRINTERS, cases_of, in_parts_of, needs_compiler, needs_node

from linkwork.algebra import Definition, Expression, number, symbol, symbols
from linkwork.emit import Program

OF_C = """gamma lgamma tgamma y0 y1 yn j0 j1 jn erf pow fabs fmin fmax floor ceil hypot fmod ldexp frexp modf
    cbrt exp2 log2 log10 signgam isnan isinf signbit nan double_t float_t asm near far linux unix i386 main
    printf malloc size_t bool complex I NULL EOF errno stdin abort index lw_min lw_max lw_sign""".split()
OF_MATH_H = """NAN INFINITY HUGE_VAL HUGE_VALF FP_NAN FP_ZERO M_PI M_PI_2 M_E M_SQRT2 M_LN2 MATH_ERRNO
    math_errhandling""".split()
OF_PRINTERS = "row rows out w t1 t2 t3 np numpy shape zip inputs outputs given math r_out u1_out self".split()
OF_JAVASCRIPT = """window globalThis document Float64Array Array Number of get set constructor prototype
    console valueOf toString hasOwnProperty isPrototypeOf""".split()
OF_PYTHON = "print len list float_ object type match int_ id sum array asarray where entry".split()
UNICODE = "α ω1 größe угол 角度 ñ xₙ \u00b5 \u03bc \ufb01x \u212b \u00c5 ub5 uc5".split()
DOTTED = """crank.angle crank.pin.x crank_angle crank_angle_ crank.angle_ a.b.c a_b.c a.b_c a_b_c
    _.x _x""".split()
CASES = "x X xx xX Xx XX Out OUT nan_ Nan inf Inf".split()
NAMES = list(
    dict.fromkeys([*OF_C, *OF_MATH_H, *OF_PRINTERS, *OF_JAVASCRIPT, *OF_PYTHON, *UNICODE, *DOTTED, *CASES])
)


def weighted(leaves: Sequence[Expression]) -> Expression:
    """Σ n·name: exact in doubles, and wrong as soon as two names are exchanged or one is lost."""
    total = number(0)
    for place, leaf in enumerate(leaves, 1):
        total = total + place * leaf
    return total


def line(name: str, value: Expression) -> Definition:
    return Definition.of(name, value)


def check_everywhere(program: Program, row: Sequence[float], wanted: Sequence[float], folder: Path) -> None:
    """Every printer gives exactly these results."""
    cases = cases_of([program], [[row]])
    for language, run in PRINTERS.items():
        np.testing.assert_array_equal(run(cases, folder)[0][0], wanted, err_msg=language)


ROW = [float(place % 7 + 1) for place in range(len(NAMES))]
TOTAL = sum(place * value for place, value in enumerate(ROW, 1))


@needs_compiler
@needs_node
class TestAnyNameCanBe:
    """Names of functions, macros and locals of the printers, dotted, foreign and nearly equal ones."""

    def test_a_scalar_input(self, tmp_path: Path) -> None:
        leaves = symbols(NAMES)
        program = Program.of("f", leaves, {"result": weighted(leaves), "again": [weighted(leaves)]})
        check_everywhere(program, ROW, [TOTAL, TOTAL], tmp_path)

    def test_an_entry_of_an_array(self, tmp_path: Path) -> None:
        leaves = symbols(NAMES)
        program = Program.of("f", {"some": leaves[:50], "more": leaves[50:]}, {"result": weighted(leaves)})
        check_everywhere(program, ROW, [TOTAL], tmp_path)

    def test_the_name_of_an_array_input(self, tmp_path: Path) -> None:
        leaves = symbols([f"given_{place}" for place in range(len(NAMES))])
        inputs = {name: [leaf] for name, leaf in zip(NAMES, leaves, strict=True)}
        program = Program.of("f", inputs, {"result": weighted(leaves)})
        check_everywhere(program, ROW, [TOTAL], tmp_path)

    def test_a_definition(self, tmp_path: Path) -> None:
        leaves = symbols([f"given_{place}" for place in range(len(NAMES))])
        lines = [Definition.of(name, 2 * leaf) for name, leaf in zip(NAMES, leaves, strict=True)]
        shared = [Definition.of(f"{name}2", symbol(name) + symbol(name) ** 2 + 1) for name in NAMES]
        results = [weighted(symbols(NAMES)), weighted([line.symbol for line in shared])]
        program = Program.of("f", leaves, {"result": results}, [*lines, *shared])
        doubled = [2 * value for value in ROW]
        second = sum(place * (value + value**2 + 1) for place, value in enumerate(doubled, 1))
        check_everywhere(program, ROW, [2 * TOTAL, second], tmp_path)

    def test_a_result(self, tmp_path: Path) -> None:
        (x,) = symbols(["the_input"])
        wanted = [1.0 + place for place in range(len(NAMES))]
        scalars = Program.of("f", [x], {name: x + place for place, name in enumerate(NAMES)})
        check_everywhere(scalars, [1.0], wanted, tmp_path)
        arrays = Program.of("f", [x], {name: [x + place] for place, name in enumerate(NAMES)})
        check_everywhere(arrays, [1.0], wanted, tmp_path)

    def test_an_input_handed_through_as_a_result(self, tmp_path: Path) -> None:
        leaves = symbols(NAMES)
        program = Program.of("f", leaves, dict(zip(NAMES, leaves, strict=True)))
        check_everywhere(program, ROW, ROW, tmp_path)


@needs_compiler
@needs_node
def test_temporaries_and_the_workspace_keep_clear_of_quantities(tmp_path: Path) -> None:
    """Quantities called t1, t2, … and w stay what they are beside shared values that cross parts."""
    names = [*(f"t{place}" for place in range(1, 40)), "w", "w_"]
    leaves = symbols(names)
    shared = [a * b + 1 for a, b in pairwise(leaves)]
    results = [weighted([each * each + each for each in shared[place:]]) for place in range(len(shared))]
    lines = [Definition.of(f"w{place}", leaf + 1) for place, leaf in enumerate(leaves)]
    program = Program.of("f", leaves, {"results": [*results, *(line.symbol for line in lines)]}, lines)
    row = [float(place % 5) for place in range(len(names))]
    products = [a * b + 1 for a, b in pairwise(row)]
    wanted = [
        sum(n * (each * each + each) for n, each in enumerate(products[place:], 1))
        for place in range(len(products))
    ]
    with in_parts_of(20):
        check_everywhere(program, row, [*wanted, *(value + 1 for value in row)], tmp_path)


@needs_compiler
@needs_node
def test_long_names_that_differ_at_the_end_stay_apart(tmp_path: Path) -> None:
    """C promises only 63 significant characters; the names may have 200."""
    leaves = symbols(["a" * 199 + last for last in "abcde"] + ["ö" * 30 + last for last in "xy"])
    program = Program.of("f", leaves, {"result": weighted(leaves)})
    check_everywhere(program, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [140.0], tmp_path)


@needs_compiler
@needs_node
def test_quantities_may_be_called_like_the_function(tmp_path: Path) -> None:
    """An input, a definition, an array or a result may share the function's name, or that of its loop."""
    x, y, loop = symbols("x y program_2_rows")
    programs = [
        Program.of("program_0", [symbol("program_0"), x], {"program_0_rows": x - symbol("program_0")}),
        Program.of("program_1", {"program_1": [x, y]}, {"result": [y - x]}),
        Program.of("program_2", [x], {"program_2": loop + 1}, [line("program_2_rows", x)]),
        Program.of("program_3", [x], {"r": symbol("program_3") / 2}, [line("program_3", x + 3)]),
    ]
    cases = cases_of(programs, [[[1.0, 3.0]], [[1.0, 3.0]], [[1.0]], [[1.0]]])
    assert [each.program.name for each in cases] == [each.name for each in programs]
    for language, run in PRINTERS.items():
        assert [float(found[0, 0]) for found in run(cases, tmp_path)] == [2.0] * 4, language


@needs_compiler
@needs_node
def test_quantities_may_be_called_like_the_parts(tmp_path: Path) -> None:
    """Inputs, definitions and results called program_0_part1, … do not hide the functions of the parts."""
    leaves = symbols([f"program_0_part{place}" for place in ("", "_", 1, 2, 3)])
    lines = [line(f"program_0_part{place}", leaves[0] + place) for place in (4, 5)]
    results = [weighted(leaves), (leaves[1] + leaves[2]) ** 2, *(each.symbol for each in lines)]
    program = Program.of("program_0", leaves, {"program_0_part6": results}, lines)
    with in_parts_of(1):
        check_everywhere(program, [1.0, 2.0, 3.0, 4.0, 5.0], [55.0, 25.0, 5.0, 6.0], tmp_path)
