"""Programs in C, Python and JavaScript that stand alone: they build, run, and agree with linkwork."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from target_programs import (
    CASES,
    DOUBLE_PENDULUM,
    MIXED_ORDERS,
    TARGETS,
    case_of,
    columns_of,
    command_of,
    machine_of,
    make,
    node,
    run,
    written,
)

from linkwork import Machine, load, synthesise
from linkwork.dynamics.standalone import as_comment, identifier
from linkwork.dynamics.synthesis import SPARE
from linkwork.errors import UsageError

QUICK = ("mixed orders", "roller-coaster")
"""The machines that have everything between them; the others are built with sanitizers in the slow tests."""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CASES)
def test_all_languages_give_the_same_motion(name: str, target: str, tmp_path: Path) -> None:
    """Every column of every row is that of linkwork.simulate, to a hundred times the tolerance."""
    case = case_of(name)
    command = command_of(written(case.machine, target, tmp_path), target, tmp_path)
    out, err = run(command, *case.options)
    assert err == ""
    found, solution = columns_of(out), case.simulated()
    assert [column for column in found if not column.startswith(SPARE)] == list(solution.columns)
    assert all(np.max(np.abs(found[column])) < 1e-9 for column in found if column.startswith(SPARE))
    for column, values in solution.columns.items():
        size = max(1.0, float(np.max(np.abs(values))))
        assert np.allclose(found[column], values, rtol=0, atol=1e-7 * size), column


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in CASES],
)
def test_programs_in_c_are_clean_under_the_sanitizers(name: str, tmp_path: Path) -> None:
    case = case_of(name)
    program = written(case.machine, "c", tmp_path)
    make(tmp_path, f"{program}_sanitized", "CC=gcc")
    out, err = run([str(tmp_path / f"{program}_sanitized")], *case.options)
    assert err == ""
    assert len(columns_of(out)["time"]) == 9
    make(tmp_path, "clean")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(synthesise(case.machine).files)


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_machine_gives_the_same_bytes(target: str) -> None:
    """In this process, and in another one with other hashes."""
    here = synthesise(load("roller-coaster"), target).files
    assert synthesise(load("roller-coaster"), target).files == here
    script = "import sys, linkwork as lw; p = lw.synthesise(lw.load('roller-coaster'), sys.argv[1])"
    script += "; sys.stdout.buffer.write(''.join(p.files.values()).encode())"
    done = subprocess.run(
        [sys.executable, "-c", script, target],
        capture_output=True,
        env={"PYTHONHASHSEED": "99", "PATH": ""},
        check=True,
    )
    assert done.stdout.decode() == "".join(here.values())


def test_the_result_tells_files_lines_and_operations() -> None:
    program = synthesise(load("pendulum"))
    assert list(program.files) == [
        "pendulum.h",
        "pendulum.c",
        "linkwork_runtime.h",
        "main.c",
        "Makefile",
        "README.txt",
    ]
    document = program.to_json()
    assert list(document) == ["machine", "target", "name", "lines", "operations", "files"]
    assert document["lines"] == sum(text.count("\n") for text in program.files.values())
    assert document["operations"]["derivative"] > 0
    assert repr(program).startswith("Program pendulum in c: 6 files, ")


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no target 'fortran'"):
        synthesise(load("pendulum"), "fortran")
    with pytest.raises(UsageError, match="nothing that could move"):
        synthesise(Machine.of("still"))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("übung", "ubung"),
        ("Großes Zahnrad", "Grosses_Zahnrad"),
        ("garçon-Ælf", "garcon_AElf"),
        ("α", "machine"),
    ],
)
def test_accents_are_left_out_of_names_of_files(name: str, word: str) -> None:
    assert identifier(name) == word


def test_names_and_titles_are_made_safe() -> None:
    """A name is an identifier of every language; a title leaves no comment or string."""
    for name in ("3 cars", "double", "main", "numpy", "π", "", "lw_machine", "NaN", "json", "a/b*c"):
        word = identifier(name)
        assert word.isascii()
        assert word.isidentifier()
        assert word.lower() not in ("double", "main", "numpy", "json", "lw_machine", "nan")
    text = as_comment('a */ b /* c " \\ ??/ \u2028 \u202e *\\ `\n')
    assert not any(mark in text for mark in ("*/", "/*", '"', "\\", "??", "\u2028", "\u202e", "`", "\n"))


@pytest.mark.parametrize("target", TARGETS)
def test_parameters_that_are_not_set_follow_their_formulas(target: str, tmp_path: Path) -> None:
    """k = 2*l follows l, unless it is set itself, then also to the value that it has by default."""
    machine = machine_of(DOUBLE_PENDULUM, "two")
    command = command_of(written(machine, target, tmp_path), target, tmp_path)

    def potential(*options: str) -> float:
        out, _ = run(command, "--until", "0.1", "--step", "0.1", *options)
        return float(columns_of(out)["potential"][0])

    def expected(l: float, k: float) -> float:  # noqa: E741
        bob = -l * np.cos(np.radians(120))
        return float(9.81 * (bob + k * (bob - k / 2 * np.cos(np.radians(100)))))

    assert potential() == pytest.approx(expected(1, 2))
    assert potential("--set", "l=3") == pytest.approx(expected(3, 6))
    assert potential("--set", "l=3", "--set", "k=2") == pytest.approx(expected(3, 2))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--frobnicate", "1"], 2, "frobnicate"),
        (["--until", "soon"], 2, "soon"),
        (["--set", "mass=1"], 2, "mass"),
        (["--control", "throttle"], 2, ""),
        (["--start", "cart.ty=1"], 2, "cart.t"),
        (["--rtol", "0"], 2, "between 0 and 1"),
        (["--step", "-1"], 2, "above 0"),
        (["--until", "0"], (1, 2), "no time to run"),
        (["--until"], 2, ""),
    ],
)
def test_wrong_use_is_told(
    target: str, options: list[str], code: int | tuple[int, int], words: str, mixed: dict[str, list[str]]
) -> None:
    if target not in mixed:
        pytest.skip(f"programs in {target} cannot be run here")
    done = subprocess.run([*mixed[target], *options], capture_output=True, text=True, check=False)
    assert done.returncode in ((code,) if isinstance(code, int) else code)
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The commands that run one machine in every language that can be run here."""
    found = {}
    for target in TARGETS:
        folder = tmp_path_factory.mktemp(target)
        name = written(machine_of(MIXED_ORDERS, "mixed"), target, folder)
        try:
            found[target] = command_of(name, target, folder)
        except pytest.skip.Exception:
            continue
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_a_start_that_no_constraint_allows_is_told(target: str, tmp_path: Path) -> None:
    text = MIXED_ORDERS + '[constraint.impossible]\nholds = "position(cart).x^2 == -1"\n'
    name = written(machine_of(text, "impossible"), target, tmp_path)
    out, err = run(command_of(name, target, tmp_path), "--until", "1", code=1)
    assert out == ""
    assert "no position satisfies the constraints" in err


@pytest.mark.parametrize("target", TARGETS)
def test_a_run_that_cannot_go_on_keeps_its_rows_and_tells_where(target: str, tmp_path: Path) -> None:
    """The cart falls from x = 1 into the pole of a force 1.7/x^2, within pi/2/sqrt(1.7) = 1.2047."""
    text = MIXED_ORDERS.replace("push*throttle - 0.1*cart.vx", "-1.7/cart.x^2")
    name = written(machine_of(text, "falling"), target, tmp_path)
    out, err = run(command_of(name, target, tmp_path), "--until", "2", "--step", "0.25", code=1)
    assert columns_of(out)["time"].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert "stopped at t = 1.2047" in err


def test_a_module_in_python_follows_what_the_caller_changes(tmp_path: Path) -> None:
    """Steps and rows lead to the same state; controls and states are taken up; the rest of linkwork is not needed."""
    name = written(machine_of(MIXED_ORDERS, "mixed"), "python", tmp_path)
    script = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import {name} as program
assert not any(module.startswith("linkwork") for module in sys.modules)
machine = program.initialise()
for _ in range(4):
    program.step(machine, 0.25)
stepped = program.observe(machine)
again = program.initialise()
rows = [program.row(again, t, 5.0) for t in (0.0, 0.3, 1.0)]
assert max(abs(stepped[key] - rows[-1][key]) for key in stepped) < 1e-8
program.step(again, 0.5)
program.step(machine, 0.5)
assert abs(again.time - 1.5) < 1e-15 and abs(again.state - machine.state).max() < 1e-8
machine.controls["throttle"] = -1.0
program.step(machine, 0.5)
program.step(again, 0.5)
assert machine.state[-1] < again.state[-1] - 0.1
before = machine.state.copy()
program.step(machine, -0.5)
program.step(machine, 0.5)
assert abs(machine.state - before).max() < 1e-8
machine.state[program.STATES.index("cart.tx")] = 7.0
program.step(machine, 1e-9)
assert abs(program.observe(machine)["cart.tx"] - 7.0) < 1e-6
try:
    program.initialise(parameters={{"mass": 1}})
except ValueError as problem:
    assert "there is no parameter 'mass'" in str(problem)
"""
    run([sys.executable, "-c", script])


def test_a_module_in_javascript_exports_what_pages_need(tmp_path: Path) -> None:
    name = written(machine_of(MIXED_ORDERS, "mixed"), "javascript", tmp_path)
    script = f"""
import * as program from "./{name}.mjs";
const assert = (truth, what) => {{ if (!truth) throw new Error(what); }};
assert(program.parameters.join() === "r,push" && program.controls.join() === "throttle", "names");
const machine = program.initialise({{ controls: {{ throttle: 0 }}, rates: {{ "cart.tx": 1 }} }});
assert(machine.time === 0 && program.derivative(machine, 0, machine.state).length === program.states.length, "rates");
program.step(machine, 0.5);
const coasting = program.observe(machine)["cart.tx_rate"];
assert(coasting < 1, "drag slows it down");
machine.controls.throttle = 1;
assert(program.observe(program.step(machine, 0.5))["cart.tx_rate"] > coasting, "the throttle is taken up");
const back = program.step(program.step(machine, -0.5), 0.5);
assert(Math.abs(back.time - 1) < 1e-15, "time");
const found = program.simulate({{ until: 1, step: 0.5 }});
assert(found.complete && found.accurate && found.rows.length === 3, "simulate");
"""
    (tmp_path / "page.mjs").write_text(script)
    run([node(), str(tmp_path / "page.mjs")])


SINGULAR: dict[str, tuple[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]]] = {
    "sarrus": ("plate.z", lambda t: 0.4 * np.sin(np.pi / 9 + t)),
    "scissor": ("platform.y", lambda t: 4.5 * np.sin(np.pi / 18 * (1 + t / 2))),
}
"""A plate folds flat, a lift stands upright: the constraints depend on each other there, the motion goes on."""
FORTH_AND_BACK = {
    "c": """
#include <stdio.h>
#include "{name}.h"
int main(void)
{{
    {name}_machine m;
    double columns[{name}_COLUMNS];
    int status = {name}_begin(&m);
    m.tolerance = 1e-6;
    status = status ? status : {name}_initialise(&m);
    for (int way = 1; way >= -1; way -= 2) {{
        while (!status && (way > 0 ? m.time < {far} : m.time > {near})) {{
            status = {name}_step(&m, way * {dt});
            {name}_observe(&m, columns);
            printf("%.17g,%.17g\\n", m.time, columns[{name}_column_{word}]);
        }}
    }}
    puts({name}_words(&m, status));
    {name}_end(&m);
    return status;
}}
""",
    "python": """
import {name} as program
machine = program.initialise(rtol=1e-6)
for way in (1, -1):
    while machine.time < {far} if way > 0 else machine.time > {near}:
        program.step(machine, way * {dt})
        print(machine.time, program.observe(machine)["{column}"], sep=",")
print("all went well")
""",
    "javascript": """
import * as program from "./{name}.mjs";
const machine = program.initialise({{ rtol: 1e-6 }});
for (const way of [1, -1]) {{
  while (way > 0 ? machine.time < {far} : machine.time > {near}) {{
    program.step(machine, way * {dt});
    console.log(`${{machine.time}},${{program.observe(machine)["{column}"]}}`);
  }}
}}
console.log("all went well");
""",
}
"""Programs that step a machine to a time, and back to another one."""


def stepped(name: str, target: str, folder: Path, **words: object) -> list[str]:
    """What a program prints that steps a machine forth and back."""
    written(load(name), target, folder)
    suffix = {"c": "c", "python": "py", "javascript": "mjs"}[target]
    file = folder / f"steps.{suffix}"
    file.write_text(FORTH_AND_BACK[target].format(name=name, **words))
    if target == "c":
        (folder / "Makefile").write_text(
            f"all:\n\tgcc -std=c99 -Wall -Wextra -Werror -pedantic -g -O1 -fsanitize=address,undefined "
            f"-fno-sanitize-recover=all -o steps steps.c {name}.c -lm\n"
        )
        make(folder, "all")
        command = [str(folder / "steps")]
    else:
        command = [sys.executable if target == "python" else node(), str(file)]
    out, err = run(command)
    assert err == ""
    return out.splitlines()


@pytest.mark.parametrize("dt", [pytest.param(1 / 60, marks=pytest.mark.slow), 0.5])
@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("target", TARGETS)
def test_steps_lead_through_singular_positions(target: str, name: str, dt: float, tmp_path: Path) -> None:
    """In every language, at the pace of pictures and in long steps; the motion may be turned round, too."""
    column, law = SINGULAR[name]
    far, near = (21, 20) if target != "python" or dt > 0.1 else (10, 9.5)
    words = {"column": column, "word": column.replace(".", "_"), "dt": dt, "far": far, "near": near}
    *rows, last = stepped(name, target, tmp_path, **words)
    assert last == "all went well"
    times, found = np.array([row.split(",") for row in rows], float).T
    assert times.max() >= far
    assert times[-1] <= near
    assert np.max(np.abs(found - law(times))) < 1e-6


@pytest.mark.parametrize("target", TARGETS)
def test_whole_motions_lead_through_singular_positions(target: str, tmp_path: Path) -> None:
    """Rows of a plate that folds flat twice in the time."""
    command = command_of(written(load("sarrus"), target, tmp_path), target, tmp_path)
    out, err = run(command, "--until", "7", "--step", "0.25", "--rtol", "1e-7")
    assert err == ""
    column, law = SINGULAR["sarrus"]
    found = columns_of(out)
    assert np.max(np.abs(found[column] - law(found["time"]))) < 1e-6


USER = r"""
#include <math.h>
#include <stdio.h>
#include "mixed.h"
#include "two.h"

static int fails(const char *what)
{
    puts(what);
    return 1;
}

int main(void)
{
    mixed_machine m, other;
    two_machine pendula;
    double columns[mixed_COLUMNS], row[mixed_COLUMNS], rates[mixed_STATES], before;
    if (mixed_begin(&m) || mixed_begin(&other) || two_begin(&pendula)) {
        return fails("begin");
    }
    m.controls[mixed_control_throttle] = 0.0;
    m.rates[mixed_variable_cart_tx] = 1.0;
    other.controls[mixed_control_throttle] = 0.0;
    other.rates[mixed_variable_cart_tx] = 1.0;
    if (mixed_initialise(&m) || mixed_initialise(&other) || two_initialise(&pendula)) {
        return fails("initialise");
    }
    for (int i = 0; i < 4; ++i) {
        if (mixed_step(&m, 0.25)) {
            return fails("step");
        }
    }
    mixed_observe(&m, columns);
    if (mixed_row(&other, 0.3, 5.0, row) || mixed_row(&other, 1.0, 5.0, row)) {
        return fails("row");
    }
    for (int i = 0; i < mixed_COLUMNS; ++i) {
        if (!(fabs(columns[i] - row[i]) < 1e-8)) {
            return fails(mixed_names_of_columns[i]);
        }
    }
    if (mixed_step(&other, 0.5) || mixed_step(&m, 0.5) || fabs(other.state[0] - m.state[0]) > 1e-8) {
        return fails("step after row");
    }
    mixed_derivative(&m, m.time, m.state, rates);
    m.controls[mixed_control_throttle] = 1.0;
    before = m.state[mixed_state_V_cart_tx];
    if (mixed_step(&m, 0.5) || !(m.state[mixed_state_V_cart_tx] > before) || !(rates[mixed_state_V_cart_tx] < 0.0)) {
        return fails("controls");
    }
    m.state[mixed_state_cart_tx] = 7.0;
    if (mixed_step(&m, 1e-9) || fabs(m.state[mixed_state_cart_tx] - 7.0) > 1e-6) {
        return fails("state");
    }
    if (two_step(&pendula, 1.0) || pendula.time != 1.0) {
        return fails("the other machine");
    }
    puts(mixed_words(&m, 0));
    mixed_end(&m);
    mixed_end(&other);
    two_end(&pendula);
    return 0;
}
"""


def test_other_programs_in_c_call_several_machines(tmp_path: Path) -> None:
    """Two machines in one program, warnings as errors, under the sanitizers."""
    written(machine_of(DOUBLE_PENDULUM, "two"), "c", tmp_path)
    written(machine_of(MIXED_ORDERS, "mixed"), "c", tmp_path)
    (tmp_path / "user.c").write_text(USER)
    (tmp_path / "Makefile").write_text(
        "all:\n\tgcc -std=c99 -Wall -Wextra -Werror -pedantic -g -O0 -fsanitize=address,undefined "
        "-fno-sanitize-recover=all -o user user.c two.c mixed.c -lm\n"
    )
    make(tmp_path, "all")
    assert run([str(tmp_path / "user")]) == ("all went well\n", "")


def test_python_gives_infinities_where_c_does(tmp_path: Path) -> None:
    """A branch that is not taken may divide by zero or take the root of a negative number."""
    text = MIXED_ORDERS.replace(
        "push*throttle",
        "push*throttle + select(cart.x > 100, sqrt(0.5 - cart.x^2)/(cart.x - 1), 0)",
    )
    machine = machine_of(text, "branches")
    command = command_of(written(machine, "python", tmp_path), "python", tmp_path)
    out, _ = run(command, "--until", "1", "--step", "0.5")
    command = command_of(written(machine, "c", tmp_path), "c", tmp_path)
    expected, _ = run(command, "--until", "1", "--step", "0.5")
    for column, values in columns_of(expected).items():
        assert np.allclose(columns_of(out)[column], values, atol=1e-8), column


@pytest.mark.parametrize("target", ["python", "javascript"])
def test_a_stiff_system_is_named(target: str, tmp_path: Path) -> None:
    """Programs without an implicit method say that one would be better; the result is right all the same."""
    text = MIXED_ORDERS.replace("- 0.1*cart.vx", "- 20000*cart.vx")
    name = written(machine_of(text, "stiff"), target, tmp_path)
    out, err = run(command_of(name, target, tmp_path), "--until", "0.1", "--step", "0.05")
    assert "stiff" in err
    assert columns_of(out)["cart.tx_rate"][-1] == pytest.approx(0.3 / 20000, rel=1e-6)
