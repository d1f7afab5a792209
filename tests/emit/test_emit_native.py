"""Native code and NumPy are one function: same results; pointers bound once; no compiler, one warning."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from emit_agreement import check_case
from emit_languages import Case, Floats, needs_compiler, run_evaluate
from emit_programs import all_programs, row_of
from emit_strategies import batches, called, programs
from hypothesis import given

from linkwork.algebra import Expression, symbols
from linkwork.emit import Function, Program, compiled, interpreted
from linkwork.emit.function import LARGE_PROGRAM, optimisation
from linkwork.errors import UsageError

X, Y = symbols("x y")
POLYNOMIAL = Program.of("polynomial", [X, Y], {"r": X * X - 2 * Y, "s": (X + Y) / 4})


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWORK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def call(function: Function, rows: Floats) -> Floats:
    """One call with all rows, the results packed into rows."""
    begin = 0
    arguments = []
    for each in function.program.inputs:
        end = begin + len(each.symbols)
        arguments.append(rows[:, begin] if each.scalar else rows[:, begin:end])
        begin = end
    found = function(*arguments)
    columns = []
    for result in function.program.outputs:
        shape = (len(rows), 1) if result.scalar else (len(rows), len(result.expressions))
        value = np.asarray(found[result.name])
        columns.append(np.broadcast_to(value[..., None] if result.scalar else value, shape))
    return np.concatenate([np.empty((len(rows), 0)), *columns], axis=1)


@needs_compiler
@batches(20)
@given(called(programs(), count=3, most=8))
def test_native_and_interpreted_functions_agree(cases: list[Case]) -> None:
    """On every program, within what rounding allows."""
    for case in cases:
        ways: dict[str, Callable[[Program], Function]] = {"native": compiled, "NumPy": interpreted}
        functions = {language: make(case.program) for language, make in ways.items()}
        assert functions["native"].native
        found = {language: call(function, case.rows) for language, function in functions.items()}
        check_case(case, found, run_evaluate([case], Path())[0])


@needs_compiler
def test_machines_agree_on_many_rows() -> None:
    """A thousand rows in one call are a thousand calls of one row, to the bit."""
    source = np.random.default_rng(2)
    for program in all_programs().values():
        rows = np.array(row_of(program)) * source.uniform(0.9, 1.1, size=(1000, len(row_of(program))))
        function = compiled(program)
        together = call(function, rows)
        for place in (0, 1, 500, 999):
            np.testing.assert_array_equal(together[place], call(function, rows[place : place + 1])[0])


def test_large_programs_are_optimised_less() -> None:
    """The compiler's time grows faster than the program; its gain does not."""
    assert optimisation(POLYNOMIAL) == "-O2"
    value: Expression = X
    for place in range(LARGE_PROGRAM):
        value = value * Y + place
    assert optimisation(Program.of("large", [X, Y], {"r": value})) == "-O1"


# Bound calls


@needs_compiler
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
def test_a_bound_call_computes_packed_rows(shape: tuple[int, ...]) -> None:
    """From one array to another, whatever the shape above the rows, again after each change."""
    inputs, outputs = np.arange(2.0 * np.prod(shape, dtype=int)).reshape(*shape, 2), np.empty((*shape, 2))
    bound = compiled(POLYNOMIAL).bind(inputs, outputs)
    for _ in range(2):
        bound()
        x, y = inputs[..., 0], inputs[..., 1]
        np.testing.assert_array_equal(outputs, np.stack([x * x - 2 * y, (x + y) / 4], axis=-1))
        inputs += 1.5


@needs_compiler
def test_a_bound_call_keeps_its_arrays_alive() -> None:
    """The caller may forget them; the memory stays."""
    outputs = np.zeros((1000, 2))
    bound = compiled(POLYNOMIAL).bind(np.ones((1000, 2)), outputs)
    gc.collect()
    garbage = [np.full((1000, 2), 7.0) for _ in range(20)]
    bound()
    del garbage
    assert np.unique(outputs).tolist() == [-1.0, 0.5]


GOOD = np.zeros((3, 2))


@needs_compiler
@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        (np.zeros((3, 2), np.float32), GOOD),
        (GOOD, np.zeros((3, 2), int)),
        (np.zeros((3, 2), ">f8"), GOOD),
        (np.zeros((3, 4))[:, ::2], GOOD),
        (GOOD, np.zeros((2, 3)).T),
        (np.zeros(5), GOOD),
        (GOOD, np.zeros(7)),
    ],
    ids=["float32", "int", "big-endian", "strided", "transposed", "inputs cut short", "outputs cut short"],
)
def test_an_array_that_cannot_be_bound_is_refused(inputs: Any, outputs: Any) -> None:
    """Memory is handed over as it is, so it must be whole rows of doubles without gaps."""
    with pytest.raises(UsageError, match="does not fit") as caught:
        compiled(POLYNOMIAL).bind(inputs, outputs)
    assert "contiguous float64 rows of 2" in caught.value.wanted
    assert "shape" in caught.value.got


@needs_compiler
@pytest.mark.parametrize(("rows_in", "rows_out"), [(1, 5), (0, 1), (4, 5)])
def test_binding_needs_a_row_to_read_for_each_to_write(rows_in: int, rows_out: int) -> None:
    """Otherwise the loop would read memory that is not ours."""
    with pytest.raises(UsageError, match="fewer rows") as caught:
        compiled(POLYNOMIAL).bind(np.zeros((rows_in, 2)), np.zeros((rows_out, 2)))
    assert caught.value.got == f"{rows_in} rows in, {rows_out} rows out"


@needs_compiler
def test_what_cannot_be_written_is_not_bound() -> None:
    """A read-only array stays as it is."""
    outputs = np.zeros((1, 2))
    outputs.flags.writeable = False
    with pytest.raises(UsageError, match="cannot be written"):
        compiled(POLYNOMIAL).bind(np.zeros((1, 2)), outputs)


@needs_compiler
def test_binding_without_inputs_or_without_results() -> None:
    """A constant fills as many rows as there are; a program without results does nothing."""
    outputs = np.zeros(3)
    compiled(Program.of("constant", [], {"r": 2})).bind(np.zeros(0), outputs)()
    assert outputs.tolist() == [2, 2, 2]
    compiled(Program.of("nothing", [X], {})).bind(np.zeros(1), np.zeros(0))()


def test_without_native_code_there_is_nothing_to_bind() -> None:
    """The error says what to do instead."""
    with pytest.raises(UsageError, match="no native code") as caught:
        interpreted(POLYNOMIAL).bind(np.zeros(2), np.zeros(2))
    assert "call the function" in caught.value.fix


# No compiler

SCRIPT = """
import json, warnings
from linkwork.algebra import Expression, symbols
from linkwork.emit import Program, compiled
from linkwork.emit.compiler import NativeWarning
x, y = symbols("x y")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    first = compiled(Program.of("polynomial", [x, y], {"r": x * x - 2 * y, "s": (x + y) / 4}))
    second = compiled(Program.of("other", [x], {"r": x + 1}))
found = first([0.1, 0.7, -3.5], 0.3)
print(json.dumps({
    "native": [first.native, second.native],
    "warnings": [[issubclass(each.category, NativeWarning), str(each.message)] for each in caught],
    "files": [each.filename for each in caught],
    "results": {name: value.tolist() for name, value in found.items()},
    "second": float(second(1)["r"]),
}))
"""


@pytest.mark.parametrize("compiler", ["none", "missing"])
def test_without_a_compiler_there_is_one_warning_and_the_same_result(compiler: str, tmp_path: Path) -> None:
    """Switched off, or not there at all: NumPy does the work, and says so once in a process."""
    environment = os.environ | {"LINKWORK_CACHE": str(tmp_path / "cache")}
    environment.pop("CC", None)
    if compiler == "none":
        environment["LINKWORK_COMPILER"] = "none"
    else:
        environment["PATH"] = str(tmp_path)
        environment.pop("LINKWORK_COMPILER", None)
    (tmp_path / "script.py").write_text('import sys; sys.modules["ziglang"] = None\n' + SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py")]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")
    told = json.loads(answer.stdout)
    assert told["native"] == [False, False]
    ((is_native_warning, message),) = told["warnings"]
    assert is_native_warning
    assert "without native code" in message
    assert "fix:" in message
    assert told["files"] == [str(tmp_path / "script.py")]
    wanted = interpreted(POLYNOMIAL)([0.1, 0.7, -3.5], 0.3)
    assert told["results"] == {name: value.tolist() for name, value in wanted.items()}
    assert told["second"] == 2.0
