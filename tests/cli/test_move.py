"""``linkwork move``: the summary, tables, films and pages, and what is told of machines that stop."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from cli_runner import Here, script

from linkwork import examples, load, move

SHIPPED = [name for name in examples.names() if load(name).moving and not load(name).is_unjoined]
KEYS = ["machine", "status", "why", "residual", "limits", "not_unique", "units", "columns", "rows"]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


def test_the_summary_tells_status_residual_and_ranges() -> None:
    answer = script("move", "four-bar")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[2] == "status    complete"
    assert lines[3] == "rows      361, time 0 to 6.28319 s"
    assert lines[4].startswith("residual  ")
    words = {line.split()[0]: line.split()[1:] for line in lines[6:]}
    assert words["rocker.angle"] == ["1.71415", "2.54734", "rad"]
    assert words["coupler.P.y"][-1] == "cm"
    assert "crank.effort" in words


@pytest.mark.parametrize("name", SHIPPED)
def test_the_document_has_the_keys_of_the_interface(name: str, here: Here) -> None:
    answer = here("move", name, "--steps", "12", "--json")
    assert (answer.code, answer.err) == (0, "")
    document = answer.json()
    assert [key for key in document if key in KEYS] == KEYS
    assert document["columns"][0] == "time"
    assert all(len(row) == len(document["columns"]) for row in document["rows"])
    assert document["residual"] < 1e-9
    assert document["status"] == "complete"


def test_the_document_is_the_motion(here: Here) -> None:
    document = here("move", "four-bar", "--steps", "12", "--json").json()
    motion = move(load("four-bar"), steps=12)
    assert document["columns"] == list(motion.columns)
    assert np.array_equal(document["rows"], np.column_stack([*motion.columns.values()]))
    assert document["units"]["crank.x"] == "cm"


def test_csv_reads_back_as_the_columns(here: Here, tmp_path: Path) -> None:
    """Every double is there with all its digits, under its name and unit."""
    target = tmp_path / "x.csv"
    answer = here("move", "four-bar", "--steps", "30", "-o", str(target))
    assert (answer.code, answer.err) == (0, f"wrote {target}\n")
    motion = move(load("four-bar"), steps=30)
    with target.open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    assert heading == motion.headings()
    assert "coupler.P.x [cm]" in heading
    assert np.array_equal(np.array(rows, float), np.column_stack([*motion.columns.values()]))


def test_parquet_reads_back_as_the_columns(here: Here, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "x.parquet"
    assert here("move", "four-bar", "--steps", "30", "-o", str(target), "-q").code == 0
    motion = move(load("four-bar"), steps=30)
    table = parquet.read_table(target)
    assert table.column_names == motion.headings()
    field = table.schema.field("coupler.P.x [cm]")
    assert (field.metadata[b"unit"], field.metadata[b"name"]) == (b"cm", b"coupler.P.x")
    assert table.schema.metadata[b"status"] == b"complete"
    for name, heading in zip(motion.columns, motion.headings(), strict=True):
        assert np.array_equal(table[heading].to_numpy(), motion[name])


def test_without_pyarrow_the_command_to_install_it_is_told(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = here("move", "four-bar", "--steps", "4", "-o", str(tmp_path / "x.parquet"))
    assert (answer.code, answer.out) == (5, "")
    assert "pip install 'linkwork[parquet]'" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_chosen_columns_in_the_order_of_the_choice(here: Here, tmp_path: Path) -> None:
    answer = here("move", "four-bar", "--steps", "2", "--columns", "rocker.angle, crank", "-o", "-")
    assert answer.code == 0
    assert answer.out.splitlines()[0] == "rocker.angle [rad],crank [rad]"
    assert len(answer.out.splitlines()) == 4
    document = here("move", "four-bar", "--steps", "2", "--columns", "rocker.angle,crank", "--json").json()
    assert document["columns"] == ["rocker.angle", "crank"]
    assert document["units"] == {"crank": "rad", "rocker.angle": "rad"}
    assert [row[1] for row in document["rows"]] == pytest.approx([0, np.pi, 2 * np.pi])


def test_times_are_expressions(here: Here) -> None:
    arguments = ("--from", "90 deg", "--until", "pi", "--steps", "2", "--json", "--columns", "time")
    document = here("move", "four-bar", *arguments).json()
    assert [row[0] for row in document["rows"]] == pytest.approx([np.pi / 2, 3 * np.pi / 4, np.pi])


def test_json_in_a_file_is_the_document(here: Here, tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    assert here("move", "four-bar", "--steps", "4", "-o", str(target), "-q").code == 0
    printed = here("move", "four-bar", "--steps", "4", "--json").json()
    assert json.loads(target.read_text("utf-8")) == printed


@pytest.mark.parametrize("suffix", ["html", "gif", "svg", "png"])
def test_pictures_films_and_pages(suffix: str, here: Here, tmp_path: Path) -> None:
    target = tmp_path / f"x.{suffix}"
    answer = here("move", "slider-crank", "--steps", "12", "-o", str(target), "--json", "-q")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json()["file"] == str(target)
    content = target.read_bytes()
    starts = {"html": b"<!doctype html>", "gif": b"GIF8", "png": b"\x89PNG", "svg": b"<svg"}
    assert content.startswith(starts[suffix])
    if suffix == "svg":
        ElementTree.fromstring(content)
    assert [each.name for each in tmp_path.iterdir()] == [target.name]


def test_a_machine_that_stops_is_an_answer(here: Here) -> None:
    """A crank that is too long meets a dead point: exit 0, with the place and the joints."""
    answer = here("move", "four-bar", "--set", "crank=5")
    assert answer.code == 0
    assert answer.out.splitlines()[2] == "status    dead point"
    assert "\nlimit     dead point at crank = 2.30693115" in answer.out
    document = here("move", "four-bar", "--set", "crank=5", "--json").json()
    assert document["status"] == "dead point"
    assert document["limits"][-1]["drives"].keys() == {"crank"}
    assert 0 < len(document["rows"]) < 361
    through = here("move", "four-bar", "--set", "crank=5", "--through", "--json").json()
    assert len(through["rows"]) > len(document["rows"])


def test_what_does_not_go_together_has_no_answer(here: Here, tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    answer = here("move", "four-bar", "--set", "rocker=100", "-o", str(target), "--json", "-q")
    assert (answer.code, answer.err) == (4, "")
    assert answer.json()["error"] == "DoesNotAssemble"
    assert not target.exists()


WRONG = {
    "no parts": (["cam-table"], "has no parts, only definitions", "linkwork derive cam-table"),
    "unknown suffix": (["four-bar", "-o", "x.xlsx"], "suffix .xlsx does not say", "-o x.csv"),
    "misspelt suffix": (["four-bar", "-o", "x.htm"], "suffix .htm does not say", "did you mean .html?"),
    "missing folder": (["four-bar", "-o", "no/x.csv"], "no folder no", "mkdir -p no"),
    "target is a folder": (["four-bar", "-o", "folder.csv"], "cannot be written", "another file"),
    "unknown column": (
        ["four-bar", "--columns", "rocker.angel"],
        "no column 'rocker.angel'",
        "mean rocker.angle?",
    ),
    "point that is not traced": (
        ["four-bar", "--columns", "coupler.C.x"],
        "no column",
        'traces = ["coupler.C"]',
    ),
    "no step": (["four-bar", "--steps", "0"], "--steps", "linkwork move"),
    "no number of steps": (["four-bar", "--steps", "x"], "--steps", "linkwork move"),
    "no time": (["four-bar", "--until", "0"], "there is no time to move in", "--until"),
    "no expression": (["four-bar", "--until", "2*(pi"], "--until: ", "2*(pi)"),
    "unknown name": (["four-bar", "--from", "crnk"], "--from: ", "crank"),
    "time without end": (["four-bar", "--until", "1/0"], "--until: ", ""),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use(case: str, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    arguments, problem, cure = WRONG[case]
    answer = here("move", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert problem in answer.err.splitlines()[0]
    assert cure in answer.err
    assert [each.name for each in tmp_path.iterdir()] == ["folder.csv"]
    assert here("move", *arguments, "--json", "-q").json()["error"]


def test_a_file_that_cannot_be_replaced_stays_as_it_is(here: Here, tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("mine")
    before = target.read_text()
    answer = here("move", "four-bar", "--columns", "nothing", "-o", str(target))
    assert (answer.code, target.read_text()) == (2, before)


def test_hostile_units_stay_in_the_heading(here: Here, tmp_path: Path) -> None:
    """A unit is anybody's text: in CSV it neither ends the line nor the cell, in a page it is no markup."""
    path = tmp_path / "m.toml"
    text = (
        examples.path("four-bar").read_text("utf-8").replace('length = "cm"', 'length = "c\\n,\\"</script>"')
    )
    path.write_text(text)
    table = tmp_path / "x.csv"
    assert here("move", str(path), "--steps", "2", "--columns", "crank.x,time", "-o", str(table)).code == 0
    with table.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ['crank.x [c ,"</script>]', "time [s]"]
    assert len(rows) == 4
    page = tmp_path / "x.html"
    assert here("move", str(path), "--steps", "2", "-o", str(page)).code == 0
    assert page.read_text("utf-8").count("</script>") == page.read_text("utf-8").count("<script")


SLEDGE = """linkwork = 1
[part.rail]
solid = "cube([40, 4, 4]);"
fixed = true
[part.sledge]
solid = "translate([5, -3, -3]) difference() { cube([8, 10, 10]); translate([-1, 3, 3]) cube([10, 4, 4]); }"
"""


def test_a_machine_without_drives_is_driven_by_its_first_joint_or_by_what_is_named(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in the file with the joints; what turns makes a turn, what slides goes a tenth of the machine's size."""
    monkeypatch.chdir(tmp_path)
    Path("sledge.toml").write_text(SLEDGE, "utf-8")
    for name, drive, last in (("engine", "crankshaft_axis", math.tau), ("sledge.toml", "sledge_slide", 4)):
        assert here("recognise", name, "-o", "found.toml").code == 0
        for file in (name, "found.toml"):
            answer = here("move", file)
            assert "status    complete" in answer.out
            assert f"no drive is given: {drive} is driven" in answer.err
            ends = re.search(rf"{drive} +(\S+) +(\S+)", answer.out)
            assert ends
            assert [float(end) for end in ends.groups()] == pytest.approx([0, last], rel=1e-5)
    assert "dead point" in here("move", "engine", "--drive", "piston.displacement").out
    assert here("move", "engine", "--drive", "crankshaft_rod", "--quiet").err == ""


def test_a_drive_that_is_named_takes_the_place_of_those_of_the_file(here: Here) -> None:
    """The rocker of a four-bar is driven up to the dead point of its crank."""
    answer = here("move", "four-bar", "--drive", "D", "--json")
    assert json.loads(answer.out)["status"] == "dead point"
    assert json.loads(answer.out)["columns"][1] == "D"


def test_what_cannot_be_driven_is_told_with_what_can(here: Here) -> None:
    """A name that is nearly right is mended."""
    answer = here("move", "engine", "--drive", "crankshaft.angel")
    assert answer.code == 2
    assert "crankshaft.angle" in answer.err
    assert "--drive" in here("move", "engine", "--drive", "nothing").err
    assert "Traceback" not in answer.err
