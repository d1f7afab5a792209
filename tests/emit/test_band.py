"""Linear blocks whose matrix is a band: C keeps only the band, and every language has NumPy's answer."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from emit_languages import (
    PRINTERS,
    SANITIZERS,
    Case,
    build_c,
    cases_of,
    needs_compiler,
    needs_node,
    run_executable,
)
from emit_strategies import batches
from hypothesis import given
from hypothesis import strategies as st

from linkwork.algebra import Definition, Table
from linkwork.emit import Program, print_c, print_javascript, print_python
from linkwork.emit.program import NARROW_FROM, band_of

Array = Any
Pattern = list[tuple[int, int]]


def pattern(n: int, below: int, above: int) -> Pattern:
    """The places of the entries of a band."""
    return [
        (row, column) for row in range(n) for column in range(max(0, row - below), min(n, row + above + 1))
    ]


def banded(n: int, places: Pattern) -> Program:
    """A program that solves a system whose entries and right sides are inputs."""
    lines = []
    for row in range(n):
        terms = " + ".join(f"a_{r}_{c}*x_{c}" for r, c in places if r == row)
        lines.append(Definition.of(f"x_{row}", implicit=f"{terms} = b_{row}"))
    table = Table.of(lines)
    assert list(table.outputs) == [f"x_{row}" for row in range(n)]
    return Program.of_table(table)


def row_of(program: Program, matrix: Array, side: Array) -> list[float]:
    """The inputs of a program for a matrix and a right side."""
    found = []
    for each in program.inputs:
        for name in each.symbols:
            kind, *places = name.split("_")
            found.append(float(matrix[tuple(map(int, places))] if kind == "a" else side[int(places[0])]))
    return found


def matrix_of(n: int, places: Pattern, source: Any) -> Array:
    found = np.zeros((n, n))
    for place in places:
        found[place] = source.normal()
    return found


def solved_everywhere(cases: list[Case], folder: Path) -> dict[str, list[Array]]:
    return {language: run(cases, folder) for language, run in PRINTERS.items()}


def check(programs: list[tuple[Program, list[tuple[Array, Array]]]]) -> None:
    """Every language leaves a residual of rounding, as NumPy does."""
    cases = cases_of(
        [program for program, _ in programs],
        [[row_of(program, matrix, side) for matrix, side in systems] for program, systems in programs],
    )
    with TemporaryDirectory() as folder:
        answers = solved_everywhere(cases, Path(folder))
    for language, found in answers.items():
        for place, (_, systems) in enumerate(programs):
            for row, (matrix, side) in enumerate(systems):
                x = found[place][row]
                wanted = np.linalg.solve(matrix, side)
                rough = 1e-15 * len(side) * np.linalg.cond(matrix) * np.max(np.abs(wanted))
                np.testing.assert_allclose(x, wanted, rtol=0, atol=100 * rough, err_msg=f"{language} {place}")


BANDS = [(12, 1, 1), (14, 2, 1), (13, 1, 3), (20, 3, 3), (18, 4, 1), (25, 1, 5), (40, 2, 2)]


@needs_compiler
@needs_node
@batches(8)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=3, max_size=3))
def test_random_bands(seeds: list[int]) -> None:
    """Symmetric and unsymmetric bands, also with entries that happen to be zero, rows far apart in size."""
    programs = []
    for seed in seeds:
        source = np.random.default_rng(seed)
        n, below, above = BANDS[int(source.integers(len(BANDS)))]
        places = pattern(n, below, above)
        systems = []
        for kind in ("plain", "zero diagonal", "wild rows"):
            matrix = matrix_of(n, places, source)
            if kind == "zero diagonal":
                matrix[np.diag_indices(n)] *= source.random(n) < 0.5
            if kind == "wild rows":
                matrix *= 10.0 ** source.integers(-6, 7, n)[:, None]
            if np.linalg.cond(matrix / np.max(np.abs(matrix), axis=1)[:, None]) < 1e8:
                systems.append((matrix, matrix @ source.normal(size=n)))
        programs.append((banded(n, places), systems or [(np.eye(n), np.ones(n))]))
    check(programs)


@needs_compiler
@needs_node
def test_no_diagonal_at_all(tmp_path: Path) -> None:
    """Entries beside the diagonal only: every step has to change rows."""
    source = np.random.default_rng(5)
    programs = []
    for n, below, above in ((12, 1, 1), (16, 2, 2), (14, 2, 1)):
        program = banded(n, pattern(n, below, above))
        matrix = matrix_of(n, pattern(n, below, above), source)
        matrix[np.diag_indices(n)] = 0
        programs.append((program, [(matrix, source.normal(size=n))]))
    check(programs)


@needs_compiler
@needs_node
def test_singular_bands_are_nan(tmp_path: Path) -> None:
    """A row or column of zeros, infinity, NaN; the next row of numbers is not disturbed."""
    n = 13
    places = pattern(n, 1, 2)
    program = banded(n, places)
    good = matrix_of(n, places, np.random.default_rng(1)) + 4 * np.eye(n)
    zero_row, zero_column, endless, nothing = (good.copy() for _ in range(4))
    zero_row[6] = 0
    zero_column[:, 6] = 0
    endless[3, 3] = np.inf
    nothing[3, 4] = np.nan
    side = np.arange(n, dtype=float)
    sides = [side] * 5 + [np.where(side == 7, np.inf, side)]
    matrices = [zero_row, good, zero_column, endless, nothing, good]
    rows = [row_of(program, matrix, each) for matrix, each in zip(matrices, sides, strict=True)]
    for language, found in solved_everywhere(cases_of([program], [rows]), tmp_path).items():
        assert np.isnan(found[0][[0, 2, 3, 4, 5]]).all(), language
        assert np.isfinite(found[0][1]).all(), language


@needs_compiler
def test_bands_touch_no_memory_of_others(tmp_path: Path) -> None:
    """Bands of several shapes in one executable under the sanitizers."""
    source = np.random.default_rng(2)
    programs, rows, wanted = [], [], []
    for n, below, above in ((12, 1, 1), (14, 2, 1), (13, 1, 3), (18, 4, 1)):
        places = pattern(n, below, above)
        program = banded(n, places)
        matrix = matrix_of(n, places, source) + 3 * np.eye(n)
        side = source.normal(size=n)
        programs.append(program)
        rows.append([row_of(program, matrix, side)])
        wanted.append(np.linalg.solve(matrix, side))
    cases = cases_of(programs, rows)
    found = run_executable(build_c(cases, tmp_path, "-O1", *SANITIZERS), cases, tmp_path)
    for one, two in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one[0], two, rtol=1e-9, atol=1e-9)


# ---------------------------------------------------------------------------------------------- the text


@pytest.mark.parametrize(("n", "below", "above"), BANDS)
def test_the_band_that_is_kept(n: int, below: int, above: int) -> None:
    """As narrow as the equations allow, in the order in which they were given or the other way round."""
    program = banded(n, pattern(n, below, above))
    (block,) = program.blocks
    band = band_of(block)
    assert band is not None
    assert band.below + band.above <= 2 * max(below, above)
    assert f"lw_block_solve_linear_band({n}, {band.below}, {band.above}" in print_c(program)


def test_wide_and_small_blocks_are_kept_whole() -> None:
    for n, below, above in ((NARROW_FROM - 1, 1, 1), (12, 6, 6), (16, 5, 5)):
        program = banded(n, pattern(n, below, above))
        assert band_of(program.blocks[0]) is None
        assert "_band(" not in print_c(program)


def test_only_c_has_bands() -> None:
    program = banded(12, pattern(12, 1, 1))
    for printed in (print_javascript, print_python):
        assert "_band" not in printed(program)


def test_blocks_that_are_not_linear_have_no_band() -> None:
    lines = [
        Definition.of(f"x_{k}", implicit=f"4*x_{k} + sin(x_{max(k - 1, 0)}) + x_{min(k + 1, 11)} = b")
        for k in range(12)
    ]
    assert band_of(Program.of_table(Table.of(lines)).blocks[0]) is None
