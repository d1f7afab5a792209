"""The printed C passes the strictest reading: C99, pedantic, every warning an error, sanitizers silent."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from emit_agreement import check_agreement
from emit_languages import (
    SANITIZERS,
    STRICT,
    Case,
    build_c,
    cases_of,
    compile_c,
    needs_compiler,
    run_c,
    run_executable,
    size_in,
)
from emit_programs import all_programs, long_program, row_of
from emit_strategies import batches, called, programs
from hypothesis import given

from linkwork.algebra import PI, Definition, maximum, number, sin, symbol, symbols
from linkwork.emit import Program, print_c
from linkwork.emit.c import declaration

X, Y, Z = symbols("x y z")


def alias(name: str, value: str) -> Definition:
    return Definition.of(name, value)


SHAPES = {
    "scalars": Program.of("f", [X, Y], {"a": X + Y, "b": X * Y}),
    "arrays": Program.of("f", {"p": [X, Y], "q": [Z]}, {"a": [X + Z, Y], "b": [Z - 1]}),
    "arrays and a scalar result": Program.of("f", {"p": [X, Y]}, {"a": X - Y, "b": [X / 4]}),
    "unused scalar": Program.of("f", [X, Y, Z], {"a": Y + 1}),
    "unused array": Program.of("f", {"p": [X], "q": [Y, Z]}, {"a": X + 1}),
    "an unused input called e": Program.of("f", [symbol("e"), X], {"a": X * 1e-5, "b": [1e20]}),
    "all inputs unused": Program.of("f", [X, Y], {"a": 2}),
    "no inputs": Program.of("f", [], {"a": number(1) / 3, "b": [PI, 2]}),
    "constants": Program.of("f", [X], {"a": 1e-5, "b": [0, -1, 1e300], "c": -PI / 2, "d": X}),
    "one value twice": Program.of("f", [X, Y], {"a": X + Y, "b": [X + Y, X + Y], "c": X}),
    "inputs handed through": Program.of("f", {"p": [X, Y]}, {"a": [Y, X, Y], "b": X}),
    "opposite values": Program.of("f", [X, Y], {"a": X - Y, "b": Y - X, "c": -X}),
    "aliases": Program.of(
        "f",
        [X, Y],
        {"a": symbols("u v w k l")},
        [alias("u", "x + y"), alias("v", "x + y"), alias("w", "v"), alias("k", "x"), alias("l", "3")],
    ),
    "alias of an alias": Program.of("f", [X], {"a": symbol("v") + 1}, [alias("u", "x"), alias("v", "u")]),
    "dead definitions": Program.of(
        "f", [X], {"a": X}, [alias("u", "x + 1"), alias("v", "u*u"), alias("w", "2")]
    ),
    "definitions out of order": Program.of(
        "f", [X], {"a": symbol("v")}, [alias("v", "u*u + w"), alias("w", "u/2"), alias("u", "x + 1")]
    ),
    "empty input": Program.of("f", {"p": [], "q": [X]}, {"a": X}),
    "only an empty input": Program.of("f", {"p": []}, {"a": 4}),
    "empty result": Program.of("f", [X], {"a": X, "b": []}),
    "no results": Program.of("f", [X], {}),
    "nothing at all": Program.of("f", [], {}),
    "helpers": Program.of("f", [X, Y], {"a": maximum(X, Y, 0), "b": sin(X) * (X < Y)}),
    "in parts": long_program(200, 20),
}


@needs_compiler
def test_every_shape_compiles_strictly_and_is_right() -> None:
    """Unused, empty, constant, repeated, aliased: no warning, and the right results."""
    rows = [[[float(n + 2) / 8 for n in range(size_in(each))]] * 2 for each in SHAPES.values()]
    check_agreement(cases_of(list(SHAPES.values()), rows), {"C": run_c})


@needs_compiler
@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_compiles_alone(shape: str, tmp_path: Path) -> None:
    """The source of one program needs nothing but itself; its header's prototype fits it."""
    program = SHAPES[shape]
    source = f"{declaration(program)}\n{print_c(program)}int main(void) {{ return 0; }}\n"
    compile_c(source, tmp_path, *STRICT, "-O0", "-Wshadow", "-Wconversion", "-Wfloat-conversion")


@pytest.mark.parametrize("name", ["gcc", "clang"])
@batches(20)
@given(cases=called(programs(), count=1, most=40))
def test_random_programs_compile_strictly(name: str, cases: list[Case]) -> None:
    """No warning from either compiler, with the analysis that comes with optimisation."""
    compiler = shutil.which(name)
    if compiler is None:
        pytest.skip(f"no {name} on this machine")
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWORK_COMPILER", compiler)
        build_c(cases, Path(folder), "-O2")


def skip_without_sanitizers(folder: Path) -> None:
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    command = [shutil.which("cc") or "gcc", *SANITIZERS, "empty.c", "-o", "empty"]
    outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if outcome.returncode or subprocess.run([folder / "empty"]).returncode:
        pytest.skip(f"the compiler has no working sanitizers: {outcome.stderr.strip()}")


@needs_compiler
def test_no_program_steps_out_of_its_memory(tmp_path: Path) -> None:
    """Address and undefined-behaviour sanitizers see nothing in any shape of program."""
    skip_without_sanitizers(tmp_path)
    machines = list(all_programs().values())
    rows = [[[0.5] * size_in(each)] * 3 for each in SHAPES.values()]
    cases = cases_of([*SHAPES.values(), *machines], [*rows, *([row_of(each)] for each in machines)])
    plain = run_c(cases, tmp_path, "-O0")
    watched = run_executable(build_c(cases, tmp_path, "-O0", *SANITIZERS), cases, tmp_path)
    for case, one, other in zip(cases, plain, watched, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=repr(case.program))


@needs_compiler
@batches(20)
@given(called(programs(), count=2, most=30))
def test_no_random_program_steps_out_of_its_memory(cases: list[Case]) -> None:
    """The same for random programs, whatever numbers they are called with."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        skip_without_sanitizers(folder)
        run_executable(build_c(cases, folder, "-O1", *SANITIZERS), cases, folder)
