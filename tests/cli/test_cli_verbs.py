"""Every verb as a newcomer runs it: through the console script, typer's runner, and in this process."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cli_runner import Here, script
from typer.testing import CliRunner

import linkwork
from linkwork import examples
from linkwork.algebra import Table
from linkwork.cli.app import app
from linkwork.cli.derive import SUFFIXES
from linkwork.cli.verbs import LATER, VERBS
from linkwork.emit import interpreted
from linkwork.model import load, machine_schema

FOUR_BAR = """\
P6d^2 = a^2 + b^2 - 2*a*b*cos(e)
P6c = (c^2 + P6d^2 - d^2)/(2*P6d)
P6e^2 = c^2 - P6c^2
P6x = b + (a*P6e*sin(e) + P6c*(a*cos(e) - b))/P6d
P6y = (a*P6c*sin(e) - P6e*(a*cos(e) - b))/P6d
P9x = (a*cos(e) + P6x)/2
P9y = (a*sin(e) + P6y)/2
"""


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


# --------------------------------------------------------------------------- version, help, registry


def test_version_through_the_script() -> None:
    answer = script("--version")
    assert answer == (0, f"linkwork {linkwork.__version__}\n", "")


def test_help_names_every_verb(here: Here) -> None:
    answer = here("--help")
    assert (answer.code, answer.err) == (0, "")
    for verb in VERBS:
        assert f"  {verb.name} " in answer.out


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_the_help_of_a_verb_shows_its_examples(verb: object, here: Here) -> None:
    name, lines = verb.name, verb.examples  # type: ignore[attr-defined]
    answer = here(name, "--help")
    assert (answer.code, answer.err) == (0, "")
    for line in lines:
        assert f"    {line}\n" in answer.out
    assert here(name, "-h") == answer


@pytest.mark.parametrize("line", [line for verb in VERBS for line in verb.examples])
def test_the_examples_of_the_help_work(
    line: str, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    assert here(*shlex.split(line)[1:]).code == 0


def test_no_verb_shows_the_help_as_wrong_use(here: Here) -> None:
    answer = here()
    assert (answer.code, answer.out) == (2, "")
    assert "Usage: linkwork" in answer.err


def test_the_interface_names_all_verbs() -> None:
    """A verb is either here or announced, not both."""
    here_now = {verb.name for verb in VERBS}
    assert not here_now & LATER.keys()
    wanted = "show move recognise clash derive plan synthesise simulate predict fasten sweep studio"
    assert {*wanted.split()} <= here_now | LATER.keys()


def test_typers_own_runner() -> None:
    runner = CliRunner()
    assert runner.invoke(app, ["derive", "four-bar-table"]).stdout == FOUR_BAR
    assert runner.invoke(app, ["examples", "--json"]).exit_code == 0
    assert json.loads(runner.invoke(app, ["schema"]).stdout) == machine_schema()


def test_python_m() -> None:
    command = [sys.executable, "-m", "linkwork", "derive", "four-bar-table"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == FOUR_BAR


# ------------------------------------------------------------------------------------------ examples


def test_examples_are_listed() -> None:
    answer = script("examples")
    assert (answer.code, answer.err) == (0, "")
    rows = [line.split()[:2] for line in answer.out.splitlines()]
    assert {name for name, _ in rows} == {*examples.names(), *examples.designs()}
    assert {kind for _, kind in rows} == {"machine", "solids", "scene", "drawing", "table", "design"}
    assert all((kind == "design") == (name in examples.designs()) for name, kind in rows)
    rows = [row for row in rows if row[1] != "design"]
    assert all((kind in ("machine", "solids")) == bool(load(name).moving) for name, kind in rows)
    assert all((kind == "solids") == load(name).is_unjoined for name, kind in rows)
    assert all((kind == "drawing") == (load(name).drawing is not None) for name, kind in rows)


def test_examples_as_json(here: Here) -> None:
    rows = here("examples", "--json").json()["examples"]
    assert sorted(row["name"] for row in rows) == sorted((*examples.names(), *examples.designs()))
    order = ["machine", "solids", "scene", "drawing", "table", "design"]
    assert [row["kind"] for row in rows] == sorted((row["kind"] for row in rows), key=order.index)
    assert all(Path(row["path"]).is_file() and row["title"] for row in rows)


def test_one_example_is_printed_and_copied(here: Here, tmp_path: Path) -> None:
    text = examples.path("cam-table").read_text("utf-8")
    assert here("examples", "cam-table") == (0, text, "")
    target = tmp_path / "mine.toml"
    answer = here("examples", "cam-table", "-o", str(target))
    assert (answer.code, answer.out, answer.err) == (0, "", f"wrote {target}\n")
    assert target.read_text("utf-8") == text
    document = here("examples", "cam-table", "--json").json()
    assert document["text"] == text
    assert tomllib.loads(document["text"])["title"] == document["title"]


# ------------------------------------------------------------------------------------------- derive


def test_derive_prints_the_table() -> None:
    assert script("derive", "four-bar-table") == (0, FOUR_BAR, "")


def test_derive_a_file(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('linkwork = 1\n[parameter]\na = 2\n[definition]\nb = "a^2"\n')
    assert here("derive", str(path)) == (0, "b = a^2\n", "")


def test_derive_as_json(here: Here) -> None:
    document = here("derive", "four-bar-table", "--json").json()
    assert document["inputs"] == list("abcde")
    assert document["outputs"] == ["P9x", "P9y"]
    assert document["table"][0] == {
        "name": "P6d",
        "explicit": "sqrt(a^2 + b^2 - 2*a*b*cos(e))",
        "implicit": "P6d^2 = a^2 + b^2 - 2*a*b*cos(e)",
    }
    assert document["units"]["P9x"] == "cm"
    assert str(Table.from_json(document)) + "\n" == FOUR_BAR
    machine = load("four-bar-table")
    assert document["values"] == machine.values() | machine.table().evaluate(machine.values())


def test_settings_show_the_values(here: Here) -> None:
    answer = here("derive", "four-bar-table", "--set", "e=90 deg", "--set", "a = c/2")
    assert answer.code == 0
    table, given, values = answer.out.split("\n\n")
    assert table + "\n" == FOUR_BAR
    assert given == "with a = 2.5 cm, b = 7 cm, c = 5 cm, d = 6 cm, e = 1.57079632679 rad"
    assert values.startswith("P6d = 7.43303437366\n")
    assert values.splitlines()[-1].startswith("P9y = ")
    assert values.endswith(" cm\n")


def test_values_through_json_are_exact_doubles(here: Here) -> None:
    document = here("derive", "four-bar-table", "--set", "e=90 deg", "--json").json()
    machine = load("four-bar-table")
    values = machine.values({"e": "90 deg"})
    assert document["values"] == values | machine.table().evaluate(values)


def test_parameters_that_depend_follow_a_setting(here: Here) -> None:
    document = here("derive", "pendulum-table", "--set", "amplitude=1", "--json").json()
    assert document["values"]["angle"] == 0.5


def test_the_last_setting_of_a_name_counts(here: Here) -> None:
    document = here("derive", "four-bar-table", "--set", "a=1", "--set", "a=3", "--json").json()
    assert document["values"]["a"] == 3


def test_rates_add_the_time_derivative(here: Here) -> None:
    answer = here("derive", "four-bar-table", "--rates", "e")
    assert answer.code == 0
    assert answer.out.startswith(FOUR_BAR)
    assert "\nP6d*V_P6d = " in answer.out
    document = here("derive", "four-bar-table", "--rates", "e", "--set", "V_e=2", "--json").json()
    assert document["inputs"] == [*"abcde", "V_e"]
    assert document["outputs"] == ["P9x", "P9y", "V_P9x", "V_P9y"]
    step = 1e-6
    machine = load("four-bar-table")
    near = [
        machine.table().evaluate(machine.values({"e": math.pi / 3 + way * step}))["P9x"] for way in (-1, 1)
    ]
    assert document["values"]["V_P9x"] == pytest.approx(2 * (near[1] - near[0]) / (2 * step), rel=1e-6)


def test_rates_of_several_parameters(here: Here) -> None:
    document = here("derive", "four-bar-table", "--rates", "e, a", "--json").json()
    assert document["inputs"] == [*"abcde", "V_a", "V_e"]
    assert "V_P6d" not in document["values"]
    assert "P6d" in document["values"]


def test_a_rate_that_is_a_parameter_has_its_value(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text('linkwork = 1\n[parameter]\nV_x = 3\nx = 2\n[definition]\ny = "x^2"\n')
    document = here("derive", str(path), "--rates", "x", "--json").json()
    assert document["values"]["V_y"] == 12


def test_a_value_that_is_missing_or_not_finite_is_told(here: Here) -> None:
    answer = here("derive", "four-bar-table", "--rates", "e", "--set", "a=100")
    assert answer.code == 0
    assert "no finite value here: P6e, P6x" in answer.err
    assert "no value given for V_e" in answer.err
    document = here("derive", "four-bar-table", "--set", "a=100", "--json").json()
    assert document["values"]["P6e"] == "nan"
    assert here("derive", "four-bar-table", "--set", "a=100", "--quiet").err == ""


@pytest.mark.parametrize("form", SUFFIXES)
def test_every_form_is_the_same_on_stdout_and_in_a_file(form: str, here: Here, tmp_path: Path) -> None:
    printed = here("derive", "slider-crank-table", "--as", form)
    assert (printed.code, printed.err) == (0, "")
    target = tmp_path / f"out{SUFFIXES[form]}"
    answer = here("derive", "slider-crank-table", "-o", str(target))
    assert (answer.code, answer.out, answer.err) == (0, "", f"wrote {target}\n")
    assert target.read_text("utf-8") == printed.out
    assert here("derive", "slider-crank-table", "--as", form, "-o", "-").out == printed.out
    document = here("derive", "slider-crank-table", "--as", form, "-o", str(target), "--json").json()
    assert (document["file"], document["as"], document["text"]) == (str(target), form, printed.out)


def test_code_is_called_after_the_machine_or_as_told(here: Here) -> None:
    assert "void four_bar_table(double a" in here("derive", "four-bar-table", "--as", "c").out
    assert "void bar(double a" in here("derive", "four-bar-table", "--as", "c", "--name", "bar").out


@pytest.mark.parametrize("form", ["c", "javascript", "python", "latex"])
def test_values_behind_code_are_comments(form: str, here: Here) -> None:
    mark = {"c": "// ", "javascript": "// ", "python": "# ", "latex": "% "}[form]
    plain = here("derive", "cam-table", "--as", form).out
    valued = here("derive", "cam-table", "--as", form, "--set", "turn=1").out
    assert valued.startswith(plain)
    assert all(line.startswith(mark.strip()) for line in valued[len(plain) :].splitlines())
    assert f"{mark}height = " in valued


def test_the_printed_python_computes_the_table(here: Here) -> None:
    names: dict[str, object] = {}
    exec(here("derive", "cam-table", "--as", "python").out, names)
    machine = load("cam-table")
    values = machine.values()
    inputs = [values[name] for name in machine.table().inputs]
    found = names["cam_table"](*inputs)  # type: ignore[operator]
    wanted = interpreted(machine.table())(*inputs)
    assert {name: float(value) for name, value in found.items()} == {
        name: float(value) for name, value in wanted.items()
    }


def test_markdown_is_a_page(here: Here) -> None:
    page = here("derive", "pendulum-table", "--as", "markdown", "--set", "length=2").out
    assert page.startswith("# Pendulum: exact period")
    assert "$$\n\\begin{aligned}" in page
    assert "| $\\mathit{length}$ | 2 | m |" in page
    assert "| found | value | unit |" in page


def test_a_machine_without_definitions(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text("linkwork = 1\n")
    answer = here("derive", str(path))
    assert (answer.code, answer.out) == (0, "\n")
    assert answer.err.startswith("note: the machine defines nothing: formulas are those of a drawing")
    assert "linkwork plan" in answer.err
    assert here("derive", str(path), "--json").json()["table"] == []


def test_free_text_stays_inside_the_comment(here: Here, tmp_path: Path) -> None:
    """A unit is anybody's text; behind // in code it must not begin a line of its own."""
    path = tmp_path / "m.toml"
    path.write_text(
        'linkwork = 1\ntitle = "a\\nb"\n[parameter]\na = 2\n[definition]\nb = "a^2"\n'
        '[units]\nb = "x\\ny\\u2028z\\rw"\n'
    )
    answer = here("derive", str(path), "--as", "javascript", "--set", "a=3")
    assert answer.out.endswith("// b = 9 x y z w\n")
    assert here("derive", str(path), "--as", "markdown").out.startswith("# a b\n")


@pytest.mark.parametrize("name", ["for", "3 wheels", "sin", "Größe", "__", "pow", "gamma", "main", "rows"])
def test_odd_names_of_files_still_give_code(name: str, here: Here, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text('linkwork = 1\n[parameter]\na = 2\n[definition]\nb = "a^2"\n')
    assert here("derive", str(path), "--as", "c").code == 0


# ------------------------------------------------------------------------------------------- schema


def test_the_schema_is_printed(here: Here, tmp_path: Path) -> None:
    answer = here("schema")
    assert (answer.code, json.loads(answer.out)) == (0, machine_schema())
    assert here("schema", "--json").json() == machine_schema()
    assert here("schema", "-o", str(tmp_path / "s.json"), "-q") == (0, "", "")
    assert json.loads((tmp_path / "s.json").read_text()) == machine_schema()


def test_programs_of_drawings_say_what_their_names_mean(here: Here, tmp_path: Path) -> None:
    """Comments above the code; a title that ends in a backslash does not swallow the next line."""
    file = tmp_path / "m.toml"
    file.write_text(
        examples.path("crank-piston")
        .read_text("utf-8")
        .replace('title = "', 'title = "\\\\\\\\ x \\\\\\\\" # "'),
        "utf-8",
    )
    shown = here("derive", str(file), "--reaction", "a", "--as", "c").out.splitlines()
    assert "// given c: distance of P2 and P4" in shown
    assert "// found reaction_a: the torque that holds a" in shown
    assert not any(line.endswith("\\") for line in shown)


def test_articles_on_pages_are_no_names(here: Here, tmp_path: Path) -> None:
    """The dimension a is linked where it is meant, not in "a point"; a line called axis is not the x-axis."""
    page = tmp_path / "page.html"
    assert here("derive", "slider-crank-inertias", "-o", str(page), "--quiet").code == 0
    text = page.read_text("utf-8")
    steps = re.findall(r"<li[^>]*>(Construct.*?)</li>", text)
    assert steps
    assert all(step.startswith(("Construct a point ", "Construct a line ")) for step in steps)
    assert "x-axis." in text
