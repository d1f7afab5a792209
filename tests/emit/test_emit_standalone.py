"""Printed files stand alone: Python needs NumPy only, JavaScript nothing, C its compiler and -lm."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from emit_agreement import check_case
from emit_languages import Case, compile_c, needs_compiler, needs_node, node, run_evaluate
from emit_programs import all_programs, long_program, row_of

from linkwork.emit import Program, print_c, print_javascript, print_python

PROGRAMS = {**all_programs(), "long_program": long_program(350, 10)}


def check_results(name: str, found: dict[str, object], folder: Path) -> None:
    """The results under their names are right."""
    program = PROGRAMS[name]
    assert found.keys() == {each.name for each in program.outputs}
    numbers = [np.ravel(np.asarray(found[each.name], float)) for each in program.outputs]
    flat = np.concatenate(numbers)[None, :]
    case = Case(program, np.array([row_of(program)]))
    check_case(case, {"the file": flat}, run_evaluate([case], folder)[0])


def arguments_of(program: Program) -> list[object]:
    """A row cut into the arguments of a call."""
    row = row_of(program)
    found: list[object] = []
    for each in program.inputs:
        own, row = row[: len(each.symbols)], row[len(each.symbols) :]
        found.append(own[0] if each.scalar else own)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_python_module_needs_only_numpy(name: str, tmp_path: Path) -> None:
    """It is imported where linkwork cannot be, and gives {result: array}."""
    (tmp_path / "printed.py").write_text(print_python(PROGRAMS[name]), encoding="utf-8")
    script = f"""
import sys
sys.modules["linkwork"] = None  # importing it fails
import json, numpy, printed
found = printed.{name}(*json.loads(sys.argv[1]))
print(json.dumps({{key: numpy.asarray(value).tolist() for key, value in found.items()}}))
"""
    row = json.dumps(arguments_of(PROGRAMS[name]))
    command = [sys.executable, "-W", "error", "-c", script, row]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    check_results(name, json.loads(answer.stdout), tmp_path)


CALL = """
import {{ {name} }} from "./printed.mjs";
import * as all from "./printed.mjs";
const found = {name}(...{row});
if (Object.keys(all).join() !== "{name}") throw new Error("other exports");
console.log(JSON.stringify(found, (key, value) => value instanceof Float64Array ? [...value] : value));
"""


@needs_node
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_javascript_module_needs_nothing(name: str, tmp_path: Path) -> None:
    """It exports one function, imports nothing, and gives {result: number or Float64Array}."""
    text = print_javascript(PROGRAMS[name])
    assert "import" not in text
    (tmp_path / "printed.mjs").write_text(text, encoding="utf-8")
    row = json.dumps(arguments_of(PROGRAMS[name]))
    check_results(name, json.loads(node(CALL.format(name=name, row=row), tmp_path)), tmp_path)


@needs_node
def test_a_javascript_script_without_a_module(tmp_path: Path) -> None:
    """With ``module=False`` the text can stand in a page's script: strict or sloppy, it runs."""
    text = print_javascript(PROGRAMS["bumper"], module=False)
    assert "export" not in text
    call = "if (typeof bumper(1, 2, 3, 4, 5).force !== 'number') throw new Error('no number');"
    node(f"new Function({json.dumps(text + call)})();", tmp_path)


@needs_node
def test_javascript_fills_what_the_caller_brings(tmp_path: Path) -> None:
    """The same object and the same arrays come back, so a loop makes no garbage."""
    call = """
const out = { rate: new Float64Array(4), mine: 7 };
const rate = out.rate;
const found = pendulum([0.3, 0, 0, 0], [1, 1, 1, 1, 9.81], out);
if (found !== out || out.rate !== rate || out.mine !== 7) throw new Error("not the caller's own");
if (!(rate[2] < 0) || typeof out.energy !== "number") throw new Error("not filled");
const other = pendulum([0.3, 0, 0, 0], [1, 1, 1, 1, 9.81]);
if (other === out || other.rate === rate || other.rate[2] !== rate[2]) throw new Error("not fresh");
"""
    node(print_javascript(PROGRAMS["pendulum"]) + call, tmp_path)


@needs_compiler
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_c_file_builds_with_the_compiler_alone(name: str, tmp_path: Path) -> None:
    """``cc file.c -lm`` and a main; the function and its loop over rows give the same bits."""
    program = PROGRAMS[name]
    executable = compile_c(print_c(program) + _main(program, row_of(program)), tmp_path)
    answer = subprocess.run([executable], capture_output=True, text=True, check=True).stdout
    once, again, _ = answer.split("\n")
    assert once == again
    numbers = [float.fromhex(word) for word in once.split()]
    found: dict[str, object] = {}
    for each in program.outputs:
        found[each.name] = numbers[: len(each.expressions)]
        numbers = numbers[len(each.expressions) :]
    check_results(name, found, tmp_path)


def _main(program: Program, row: list[float]) -> str:
    size = len(program.results)
    arguments = []
    begin = 0
    for given in program.inputs:
        arguments.append(f"in[{begin}]" if given.scalar else f"in + {begin}")
        begin += len(given.symbols)
    begin = 0
    for result in program.outputs:
        arguments.append(f"out + {begin}")
        begin += len(result.expressions)
    numbers = ", ".join(map(repr, row))
    return f"""
#include <stdio.h>
int main(void)
{{
    const double in[] = {{{numbers}}};
    double out[{size}], again[{size}];
    {program.name}({", ".join(arguments)});
    {program.name}_rows(1, in, again);
    for (int i = 0; i < {size}; i++) printf("%a ", out[i]);
    printf("\\n");
    for (int i = 0; i < {size}; i++) printf("%a ", again[i]);
    printf("\\n");
    return 0;
}}
"""
