"""Programs that solve equations: every language finds the same roots, and NaN where there are none."""

from __future__ import annotations

import math
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from emit_languages import (
    PRINTERS,
    SANITIZERS,
    Case,
    build_c,
    cases_of,
    compile_c,
    in_parts_of,
    needs_compiler,
    needs_node,
    run_c,
    run_executable,
)
from emit_strategies import batches
from hypothesis import given
from hypothesis import strategies as st

from block_tables import CIRCLES, Values, bipartite, equations, kepler, platform, random_system, two_circles
from linkwork.algebra import Definition, Table, symbol, symbols, table_jacobian, time_derivative
from linkwork.emit import (
    Program,
    compiled,
    interpreted,
    print_c,
    print_c_functions,
    print_javascript,
    print_python,
)
from linkwork.emit.program import LARGEST_BLOCK
from linkwork.emit.runtime import runtime_source
from linkwork.errors import BadName, UsageError

pytestmark = [needs_compiler, needs_node]

Given = tuple[Table, Values]


def moving(table: Table, values: Values) -> Given:
    """The table with the rates of all lines, for rates of 1, 1.1, 1.2, …"""
    names = list(table.inputs)
    rates = {f"V_{name}": 1 + k / 10 for k, name in enumerate(names)}
    return time_derivative(table, names), values | rates


def check(tables: Sequence[Given], rtol: float = 1e-11) -> None:
    """Every language gives what the table's own evaluation gives."""
    rows = [[[values[name] for name in table.inputs]] for table, values in tables]
    cases = cases_of([Program.of_table(table) for table, _ in tables], rows)
    with TemporaryDirectory() as folder:
        found = {language: run(cases, Path(folder)) for language, run in PRINTERS.items()}
    for place, (table, values) in enumerate(tables):
        known = table.evaluate(values)
        wanted = [known[name] for name in table.outputs]
        for language, results in found.items():
            np.testing.assert_allclose(results[place][0], wanted, rtol, 1e-12, err_msg=f"{language}: {table}")


def known_tables() -> list[Given]:
    """Kepler, two circles, a platform, K₃,₃, and their rates."""
    plain: list[Given] = [(kepler(), {"M": 1.1, "ec": 0.4}), (two_circles(), CIRCLES)]
    plain += [platform(1)[:2], bipartite(2)[:2]]
    return [*plain, *(moving(*each) for each in plain)]


@pytest.mark.parametrize("longest", [1, 2, 3, 7, None])
def test_known_tables_in_all_languages_in_parts_of_any_length(longest: int | None) -> None:
    """Newton's method in each language reaches the same roots, whatever crosses from part to part."""
    with in_parts_of(longest):
        check(known_tables())


@batches(20)
@given(seeds=st.lists(st.integers(0, 10_000), min_size=6, max_size=6), longest=st.sampled_from((1, 2, 300)))
def test_random_systems_in_all_languages(seeds: list[int], longest: int) -> None:
    """Also their rates and their gradients, which are linear blocks."""
    tables = [random_system(seed, 2 + seed % 6) for seed in seeds]
    tables += [moving(*each) for each in tables[:3]]
    tables += [(table_jacobian(each, ["top"], each.inputs).table, values) for each, values in tables[3:6]]
    with in_parts_of(longest):
        check(tables)


def test_where_all_languages_round_alike_they_take_the_same_steps(tmp_path: Path) -> None:
    """Circles and distances need only + − × ÷: C, JavaScript and NumPy agree to the bit."""
    tables = [(Table.of(two_circles().definitions[:3]), CIRCLES), *(platform(seed)[:2] for seed in range(8))]
    tables += [bipartite(seed)[:2] for seed in range(4)]
    tables += [moving(*each) for each in tables]
    rows = [[[values[name] for name in table.inputs]] for table, values in tables]
    cases = cases_of([Program.of_table(table) for table, _ in tables], rows)
    in_c, *others = (run(cases, tmp_path) for run in PRINTERS.values())
    for other in others:
        for one, two in zip(in_c, other, strict=True):
            np.testing.assert_array_equal(one, two)


# ------------------------------------------------------------------------------- no solution, many rows


def test_rows_without_solution_are_nan_and_others_are_not(tmp_path: Path) -> None:
    """Circles that meet, that do not, NaN, and circles that meet again; what does not need them stays."""
    table = Table.of([*two_circles().definitions, Definition.of("free", "2*a")], inputs=["a", "b", "r", "s"])
    rows = [[1.0, -0.5, 2.0, 2.1], [50.0, 0, 1, 1], [math.nan, 0, 1, 1], [0.9, 0.1, 2.0, 2.2]]
    cases = cases_of([Program.of_table(table)], [rows])
    for language, run in PRINTERS.items():
        (found,) = run(cases, tmp_path)
        for row in (0, 3):
            known = table.evaluate(dict(zip(table.inputs, rows[row], strict=True)))
            np.testing.assert_allclose(found[row], list(known.values()), 1e-12, err_msg=language)
        assert np.isnan(found[1:3, :-1]).all(), language
        assert found[1, -1] == 100, language


def test_singular_linear_blocks_are_nan(tmp_path: Path) -> None:
    lines = equations(0, x="x + y = p", y="2*x + q*y = 1")
    cases = cases_of([Program.of_table(Table.of(lines))], [[[1.0, 2.0], [1.0, 3.0], [math.inf, 3.0]]])
    for language, run in PRINTERS.items():
        (found,) = run(cases, tmp_path)
        assert np.isnan(found[[0, 2]]).all(), language
        assert found[1].tolist() == [2.0, -1.0], language


def test_functions_take_arrays_of_rows() -> None:
    """Native and NumPy functions of a thousand orbits, of none, of one number, and of a grid."""
    mean = np.linspace(-7, 7, 1001)
    for function in (compiled(kepler()), interpreted(kepler())):
        found = function(mean, 0.3)
        np.testing.assert_allclose(found["E"] - 0.3 * np.sin(found["E"]), mean, 1e-14, 1e-14)
        assert function(np.empty(0), 0.3)["E"].shape == (0,)
        assert function(0.5, 0.1)["E"].shape == ()
        assert function(np.ones((2, 1)), np.zeros((1, 3)))["d"].tolist() == [[1 - 0.0] * 3] * 2


# -------------------------------------------------------------------------------------------- the text


def test_only_what_is_needed_is_printed() -> None:
    """A block no output needs is left out; an unknown nobody needs is not taken; no solver without block."""
    lines = [*two_circles().definitions, *kepler().definitions]
    for outputs, blocks in ((["y"], 1), (["u"], 1), (["v"], 2), (["d", "z"], 3), (["a"], 0)):
        program = Program.of_table(Table.of(lines, outputs=outputs), "f")
        assert len(program.blocks) == blocks
        for printed in (print_c, print_javascript, print_python):
            text = printed(program)
            assert len(set(re.findall(r"\bf_block\d", text))) == blocks
            assert ("lw_block_solve" in text) == (blocks > 0)
        assert Case(program, np.ones((1, len(program.inputs)))).size_out == len(outputs)
    assert "const double x = solution1" not in print_c(Program.of_table(Table.of(lines, outputs=["y"])))


def test_every_choice_of_outputs_compiles_strictly(tmp_path: Path) -> None:
    """No unused variable, whichever unknowns are wanted."""
    table = moving(two_circles(), CIRCLES)[0]
    programs = [
        Program.of_table(Table.of(table.definitions, outputs=[name], inputs=table.inputs))
        for name in table.outputs
    ]
    cases = cases_of(programs, [[[1.0] * len(table.inputs)]] * len(programs))
    run_c(cases, tmp_path)


def test_linear_blocks_are_solved_in_one_step() -> None:
    text = print_c(moving(two_circles(), CIRCLES)[0])
    calls = re.findall(r"^    (lw_block_solve\w*)\(\d", text, re.M)
    assert calls == ["lw_block_solve", "lw_block_solve", "lw_block_solve_linear"]


def test_zeros_of_the_jacobian_are_skipped() -> None:
    """A platform: each equation has two or four slopes of six."""
    text = print_c(Program.of_table(platform(1)[0], "f"))
    assert len(re.findall(r"^    j\[\d+\] = ", text, re.M)) == 3 * 2 + 3 * 4


def test_operations_count_one_evaluation_of_each_block() -> None:
    table = two_circles()
    assert Program.of_table(table).operations == table.operations


CLASHING = """x known f size j n i c k work1 solution1 solution2 t1 t2 w lw_block_solve lw_block_solve_linear NULL
    LW_BLOCK_WORK lw_block_equations lw_block_rows INFINITY np start step norm equations rows row out in_ d y g
    weight LW_STATIC offsetof searching found shape entry len range evaluate isWithin self_ _block1""".split()


def test_names_that_clash(tmp_path: Path) -> None:
    """Unknowns, inputs and results called like locals, arguments, functions and macros of the printed solver."""
    tables = []
    for place, first in enumerate(CLASHING):
        second, given_name = (CLASHING[(place + k) % len(CLASHING)] for k in (1, 2))
        if first == "_block1":
            first = f"program_{place}_block1"
        forms = {first: f"{first}^2 + {second} = 7", second: f"{second} + {first} = 1 + {given_name}"}
        lines = [*equations(2, **forms), *equations(1, other=f"other + other^3 = 2*{first} + {second}")]
        tables.append(Table.of(lines))
    cases = cases_of([Program.of_table(table) for table in tables], [[[4.0]]] * len(tables))
    for language, run in PRINTERS.items():
        for table, found in zip(tables, run(cases, tmp_path), strict=True):
            known = table.evaluate({table.inputs[0]: 4.0})
            np.testing.assert_allclose(found[0], list(known.values()), 1e-13, err_msg=f"{language} {table}")


def test_names_of_the_solver_name_no_function() -> None:
    for line in re.findall(r"\b(lw_block_\w+)\(", runtime_source("block")):
        with pytest.raises(BadName):
            Program.of(line, symbols("x"), {"r": symbol("x")})


def test_blocks_without_anything_known(tmp_path: Path) -> None:
    table = Table.of(equations(1, x="x + cos(y) = 1", y="y + x/2 = 1"))
    cases = cases_of([Program.of_table(table)], [[[]]])
    for language, run in PRINTERS.items():
        (found,) = run(cases, tmp_path)
        np.testing.assert_allclose(found[0], list(table.evaluate({}).values()), 1e-14, err_msg=language)


def test_a_block_too_large_for_the_stack_is_refused() -> None:
    count = LARGEST_BLOCK + 1
    lines = [Definition.of(f"c{k}", implicit=f"2*c{k} + sin(c{(k + 1) % count}) = x") for k in range(count)]
    with pytest.raises(UsageError, match="too many equations"):
        print_c(Table.of(lines))


def test_static_functions_for_other_c(tmp_path: Path) -> None:
    """Several programs with blocks in one file, for hand-written C to call; the runtime stands there once."""
    programs = [Program.of_table(kepler(), "orbit"), Program.of_table(two_circles(), "circles")]
    text = print_c_functions(programs)
    main = """
    int main(void)
    {
        double e, d, x, y, u, z, v;
        orbit(1.0, 0.3, &e, &d);
        circles(1.0, -0.5, 2.0, 2.1, &x, &y, &u, &z, &v);
        return fabs(e - 0.3*sin(e) - 1.0) < 1e-14 && fabs(x*x + y*y - 2.1*2.1) < 1e-14 ? 0 : 1;
    }
    """
    executable = compile_c(text + main, tmp_path, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
    assert text.count("lw_block_newton(int n") == 1
    assert subprocess.run([executable]).returncode == 0


def test_no_step_beyond_memory(tmp_path: Path) -> None:
    """Under the sanitizers, with solutions and without."""
    tables = known_tables()
    rows = [[[values[name] for name in table.inputs], [9.0] * len(values)] for table, values in tables]
    cases = cases_of([Program.of_table(table) for table, _ in tables], rows)
    run_executable(build_c(cases, tmp_path, *SANITIZERS), cases, tmp_path)
