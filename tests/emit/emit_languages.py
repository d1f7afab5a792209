"""Programs run by every printer: many programs in one C executable, in one node process, through NumPy.

Numbers travel as raw doubles in files, so infinities, NaN and signed zeros arrive as they left. The C
driver gives each program memory of exactly its size, so that a sanitizer sees a step beyond it.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from linkwork.algebra import evaluate
from linkwork.emit import Program, c, javascript, print_c, print_javascript, print_python
from linkwork.emit.compiler import _FLAGS, find_compiler
from linkwork.emit.listing import listing

Floats = NDArray[np.float64]
Runner = Callable[[Sequence["Case"], Path], list[Floats]]

STRICT: Final = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off")
OPTIMISED: Final = ("-O2", *(flag for flag in _FLAGS if flag.startswith("-f") and flag != "-fPIC"))
SANITIZERS: Final = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
NODE: Final = shutil.which("node")

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler on this machine")
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine to run the JavaScript")


@dataclasses.dataclass(frozen=True)
class Case:
    """A program and the rows of packed inputs it is to be called with."""

    program: Program
    rows: Floats

    @property
    def size_out(self) -> int:
        """How many numbers one call gives."""
        return len(self.program.results)


def cases_of(programs: Sequence[Program], rows: Sequence[Sequence[Sequence[float]]]) -> list[Case]:
    """Each program, under a name of its own, with its rows."""
    return [
        Case(
            dataclasses.replace(program, name=f"program_{place}"),
            np.array(own, float).reshape(len(own), size_in(program)),
        )
        for place, (program, own) in enumerate(zip(programs, rows, strict=True))
    ]


def size_in(program: Program) -> int:
    """How many numbers one call takes."""
    return sum(len(each.symbols) for each in program.inputs)


def values_of(program: Program, row: Floats) -> dict[str, float]:
    """The row as a value for each symbol."""
    leaves = [leaf for each in program.inputs for leaf in each.symbols]
    return dict(zip(leaves, row.tolist(), strict=True))


# ------------------------------------------------------------------------------------------------- C


def run_c(cases: Sequence[Case], folder: Path, *flags: str) -> list[Floats]:
    """The results of the printed C, built strictly into one executable, and as ``compiled`` builds it."""
    return run_executable(build_c(cases, folder, *(flags or OPTIMISED)), cases, folder)


def build_c(cases: Sequence[Case], folder: Path, *flags: str, strict: Sequence[str] = STRICT) -> Path:
    """An executable that reads the inputs of all cases and writes all results."""
    texts = [joined_c([each.program for each in cases]), "#include <stdio.h>\n#include <stdlib.h>\n"]
    for each in cases:
        texts.append(_driver_of(each))
    calls = "".join(f"    drive_{each.program.name}(in, out);\n" for each in cases)
    texts.append(
        "int main(int count, char **words)\n{\n"
        '    FILE *in = fopen(words[count - 2], "rb"), *out = fopen(words[count - 1], "wb");\n'
        f"    if (!in || !out) return 1;\n{calls}    return fclose(in) || fclose(out);\n}}\n"
    )
    return compile_c("\n".join(texts), folder, *strict, *flags)


def joined_c(programs: Sequence[Program]) -> str:
    """The programs in one source; helpers that several of them bring stand there once."""
    seen: set[str] = set()
    lines: list[str] = []
    for line in "\n".join(print_c(program) for program in programs).split("\n"):
        helper = line.startswith(("static inline", "#include"))
        if not (helper and line in seen):
            lines.append(line)
        seen.add(line)
    return "\n".join(lines)


def _driver_of(case: Case) -> str:
    count, size = case.rows.shape
    taken, given, name = count * size, count * case.size_out, case.program.name
    return (
        f"static void drive_{name}(FILE *in, FILE *out)\n{{\n"
        f"    double *x = malloc({taken} * sizeof *x + !{taken});\n"
        f"    double *y = malloc({given} * sizeof *y + !{given});\n"
        f"    if (!x || !y || fread(x, sizeof *x, {taken}, in) != {taken}) exit(2);\n"
        f"    {name}_rows({count}, x, y);\n"
        f"    if (fwrite(y, sizeof *y, {given}, out) != {given}) exit(3);\n"
        "    free(x);\n    free(y);\n}\n"
    )


def compile_c(source: str, folder: Path, *flags: str) -> Path:
    """The executable of a C source; a warning that the flags turn into an error fails the test."""
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    (folder / "source.c").write_text(source, encoding="utf-8")
    command = [*compiler.command, *flags, "source.c", "-lm", "-o", "executable"]
    outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert outcome.returncode == 0, f"{outcome.stderr}\n{source[:4000]}"
    return folder / "executable"


def run_executable(executable: Path, cases: Sequence[Case], folder: Path) -> list[Floats]:
    """The results an executable of :func:`build_c` writes; it must be silent and end well."""
    _write_rows(cases, folder)
    outcome = subprocess.run(
        [executable, "inputs", "outputs"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert (outcome.returncode, outcome.stderr) == (0, "")
    return _read_rows(cases, folder)


# ---------------------------------------------------------------------------------------- JavaScript

_MAIN: Final = """\
import { readFileSync, writeFileSync } from "node:fs";
const file = readFileSync("inputs");
const numbers = new Float64Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
const results = [];
let begin = 0;
for (const [call, rows, inputs, outputs] of cases) {
  for (let row = 0; row < rows; row++) {
    const given = inputs.map((size) => {
      const value = size === null ? numbers[begin] : numbers.slice(begin, begin + size);
      begin += size ?? 1;
      return value;
    });
    const found = call(...given);
    for (const [name, size] of outputs) {
      if (size === null) results.push(found[name]);
      else if (!(found[name] instanceof Float64Array)) throw new Error(`${name} is no array of doubles`);
      else for (let place = 0; place < size; place++) results.push(found[name][place]);
    }
  }
}
if (results.some((value) => typeof value !== "number")) throw new Error("a result is no number");
writeFileSync("outputs", new Float64Array(results));
"""


def run_node(cases: Sequence[Case], folder: Path) -> list[Floats]:
    """The results of the printed JavaScript, all in one node process."""
    texts = []
    for each in cases:  # each in a scope of its own, for several bring the same helpers
        name = each.program.name
        printed = print_javascript(each.program, module=False)
        texts.append(f"const {name} = (() => {{\n{printed}return {name};\n}})();\n")
    rows = []
    for each in cases:
        inputs = [None if given.scalar else len(given.symbols) for given in each.program.inputs]
        outputs = [
            (result.name, None if result.scalar else len(result.expressions))
            for result in each.program.outputs
        ]
        rows.append(f"[{each.program.name}, {len(each.rows)}, {json.dumps(inputs)}, {json.dumps(outputs)}]")
    texts.append(f"const cases = [{', '.join(rows)}];\n{_MAIN}")
    _write_rows(cases, folder)
    node("\n".join(texts), folder)
    return _read_rows(cases, folder)


def node(module: str, folder: Path) -> str:
    """What node prints when it runs the text of a module."""
    if NODE is None:
        pytest.skip("no node on this machine to run the JavaScript")
    (folder / "module.mjs").write_text(module, encoding="utf-8")
    outcome = subprocess.run(
        [NODE, "module.mjs"], cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=120
    )
    assert outcome.returncode == 0, f"{outcome.stderr}\n{module[:4000]}"
    return outcome.stdout


def _write_rows(cases: Sequence[Case], folder: Path) -> None:
    (folder / "inputs").write_bytes(b"".join(each.rows.astype("<f8").tobytes() for each in cases))


def _read_rows(cases: Sequence[Case], folder: Path) -> list[Floats]:
    numbers = np.frombuffer((folder / "outputs").read_bytes(), "<f8")
    found = []
    begin = 0
    for each in cases:
        end = begin + len(each.rows) * each.size_out
        found.append(numbers[begin:end].reshape(len(each.rows), each.size_out))
        begin = end
    assert begin == len(numbers)
    return found


# -------------------------------------------------------------------------------- Python and evaluate


def run_numpy(cases: Sequence[Case], folder: Path) -> list[Floats]:
    """The results of the printed Python, all rows of a case in one call."""
    found = []
    for each in cases:
        names: dict[str, Any] = {}
        exec(compile(print_python(each.program), "<printed>", "exec"), names)
        given: list[Floats] = []
        begin = 0
        for argument in each.program.inputs:
            end = begin + len(argument.symbols)
            given.append(each.rows[:, begin] if argument.scalar else each.rows[:, begin:end])
            begin = end
        results: Mapping[str, Floats] = names[each.program.name](*given)
        found.append(_packed(each, results))
    return found


def _packed(case: Case, results: Mapping[str, Floats]) -> Floats:
    count = len(case.rows)
    columns = []
    for each in case.program.outputs:
        shape = (count, 1) if each.scalar else (count, len(each.expressions))
        value = np.asarray(results[each.name], float)
        columns.append(np.broadcast_to(value[..., None] if each.scalar else value, shape))
    return np.concatenate([np.empty((count, 0)), *columns], axis=1)


def run_evaluate(cases: Sequence[Case], folder: Path) -> list[Floats]:
    """The results of ``linkwork.evaluate``, one definition after the other."""
    found = []
    for each in cases:
        rows = []
        for row in each.rows:
            known = values_of(each.program, row)
            for unit, block in each.program._solved:
                if block is not None:
                    known |= block.solved(known)
                else:
                    known[unit[0].name] = evaluate([unit[0].value], known)[0]
            rows.append(evaluate(each.program.results, known))
        found.append(np.array(rows, float).reshape(len(each.rows), each.size_out))
    return found


PRINTERS: Final[Mapping[str, Runner]] = {"C": run_c, "JavaScript": run_node, "NumPy": run_numpy}


@contextmanager
def in_parts_of(longest: int | None) -> Iterator[None]:
    """Programs printed meanwhile, in C and JavaScript, are cut into parts of so many statements."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (c, javascript):
            patch.setattr(module, "listing", functools.partial(listing, longest_part=longest))
        yield


def same_bits(a: float, b: float) -> bool:
    """Whether two doubles are the same one, signs of zero included; one NaN is as good as another."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b and math.copysign(1, a) == math.copysign(1, b)
