"""``linkwork predict``: its document, its files, what it says to bad input, and what Ctrl-C leaves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from cli_runner import Answer, Here, clean_environment

GOLDEN = Path(__file__).parent.parent / "golden"
SCHEMA = json.loads((GOLDEN / "forecast.schema.json").read_text("utf-8"))
PENDULUM = ("predict", "pendulum", "--horizon", "40")

STILL = """
linkwork = 1
dimension = 3
[frame.block]
varies = ["tx"]
mass = 1
"""
EXPLODES = """
linkwork = 1
dimension = 3
[frame.block]
varies = ["tx"]
at = [1, 0, 0]
mass = 1
[force.push]
type = "force"
at = "block"
force = ["block.tx^3", 0, 0]
"""
BOUNCES = """
linkwork = 1
gravity = [0, -10]
[part.table]
fixed = true
solid = 'translate([-50, -1, -1]) cube([200, 1, 2]);'
[part.ball]
free = true
solid = 'translate([0, 3, -1]) cylinder(r=1, h=2);'
density = 1
[contact]
restitution = 0.5
"""


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


@pytest.mark.parametrize(
    "words",
    [
        "escapement --at 1200",
        "chiming-clock",
        "missing-tooth",
        "ratchet-cw",
        "pendulum",
        "pendulum --horizon 40",
    ],
)
def test_the_document_is_what_its_schema_says(here: Here, words: str) -> None:
    answer = here("predict", *words.split(), "--json")
    assert answer.code == 0
    document = answer.json()
    jsonschema.validate(document, SCHEMA)
    assert document["partial"] is False
    assert ("at" in document) == ("--at" in words)


def test_the_document_knows_no_other_keys() -> None:
    """The schema is closed: a key that is not documented fails the test above."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"machine": "m"}, SCHEMA)


def test_files_of_all_kinds(here: Here, tmp_path: Path) -> None:
    for suffix, sign in {
        "html": "<!doctype html>",
        "json": '{\n  "machine"',
        "txt": "A pendulum",
        "md": "# A pendulum",
        "svg": "<?xml",
    }.items():
        file = tmp_path / f"forecast.{suffix}"
        assert here(*PENDULUM, "--quiet", "-o", str(file)).code == 0
        assert file.read_text("utf-8").startswith(sign)
    jsonschema.validate(json.loads((tmp_path / "forecast.json").read_text("utf-8")), SCHEMA)
    assert here(*PENDULUM, "-o", str(tmp_path / "x.png"), "--json").json()["file"] == str(tmp_path / "x.png")


def test_the_state_at_a_time(here: Here) -> None:
    """It stands in the words and in the document; a time that is not foreseen is refused."""
    told = here(*PENDULUM, "--at", "20", "--at", "2*pi")
    assert told.code == 0
    assert "at t = 20," in told.out
    assert "at t = 6.28318531," in told.out
    (state,) = here(*PENDULUM, "--at", "20", "--json").json()["at"]
    (simulated,) = [
        row for row in here("simulate", "pendulum", "--until", "20", "--json").json()["rows"] if row[0] == 20
    ]
    assert state["values"]["pivot.rw"] == pytest.approx(simulated[1], abs=1e-6)
    late = here(*PENDULUM, "--at", "41")
    assert (late.code, late.out) == (2, "")
    assert "--at 40" in late.err


@pytest.mark.parametrize("horizon", ["0", "-5", "nan", "text", "1e400", "1,2"])
def test_a_horizon_that_is_none(here: Here, horizon: str) -> None:
    answer = here("predict", "pendulum", f"--horizon={horizon}")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("error: ")
    assert "--horizon 1000" in answer.err


@pytest.mark.parametrize("horizon", ["inf", "Infinity", "∞"])
def test_an_endless_horizon_is_none_at_all(here: Here, horizon: str) -> None:
    answer = here("predict", "pendulum", "--horizon", horizon)
    assert (answer.code, answer.err) == (0, "")
    assert "it goes on: it was foreseen for a million repetitions" in answer.out


def told_of(here: Here, text: str, folder: Path) -> Answer:
    file = folder / "machine.toml"
    file.write_text(text, "utf-8")
    return here("predict", str(file))


def test_what_does_not_move_is_at_rest(here: Here, tmp_path: Path) -> None:
    answer = told_of(here, STILL, tmp_path)
    assert answer.code == 0
    assert "at rest from t = 0: nothing moves" in answer.out


def test_what_explodes_is_unknown_from_then_on(here: Here, tmp_path: Path) -> None:
    """x'' = x³ from 1 at rest leaves all bounds at K(1/√2) = 1.85407…, by the integral of dx/√((x⁴-1)/2)."""
    answer = told_of(here, EXPLODES, tmp_path)
    assert answer.code == 0
    assert "unknown from t = 1.85" in answer.out
    assert "at t = 1.85407468" in answer.out


def test_bounces_without_end_come_to_rest(here: Here, tmp_path: Path) -> None:
    """Zeno's ball: with half of its speed after each bounce it lies after √(2h/g)·(1 + 2·½/(1-½)) = 1.897."""
    answer = told_of(here, BOUNCES, tmp_path)
    assert answer.code == 0
    (rest,) = [line for line in answer.out.splitlines() if line.startswith("at rest")]
    assert 1.8 < float(re.findall(r"[\d.]+", rest)[0]) < 2.1


def test_no_such_machine_and_no_such_place(here: Here, tmp_path: Path) -> None:
    unknown = here("predict", "escapment")
    assert (unknown.code, unknown.out) == (2, "")
    assert "escapement" in unknown.err
    nowhere = here(*PENDULUM, "-o", str(tmp_path / "none" / "x.html"))
    assert nowhere.code == 2
    assert "there is no folder" in nowhere.err
    assert "mkdir -p" in nowhere.err
    suffix = here(*PENDULUM, "-o", "forecast.docx")
    assert suffix.code == 2
    assert ".html (a page)" in suffix.err


# ------------------------------------------------------------------------------------------ Ctrl-C

INTERRUPTED = """
import os, signal, sys
from linkwork.cli.run import run
from linkwork.foresee import {module} as module
whole = {owner}.{name}
def struck(*given, **more):
    {owner}.{name} = whole
    found = whole(*given, **more)
    os.kill(os.getpid(), signal.SIGINT)
    return found
{owner}.{name} = struck
sys.exit(run(sys.argv[1:]))
"""
"""A process that gets a true SIGINT behind a call inside, so that it does not matter how fast it is."""


def interrupted(module: str, owner: str, name: str, *arguments: str) -> Answer:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(module=module, owner=owner, name=name), *arguments],
        capture_output=True,
        text=True,
        env=clean_environment(),
        timeout=300,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def test_ctrl_c_leaves_what_was_found_so_far(tmp_path: Path) -> None:
    """The pattern was found; how long it lasts was not. Both are told, in the words and in the file."""
    file = tmp_path / "partial.json"
    answer = interrupted("following", "module.Following", "run", "predict", "escapement", "-o", str(file))
    assert answer.code == 130
    assert "partial: the forecast was interrupted" in answer.out
    assert "it repeats itself with period 7.38" in answer.out
    assert "unknown from t = " in answer.out
    assert "interrupted" in answer.err
    assert "Traceback" not in answer.err
    document = json.loads(file.read_text("utf-8"))
    jsonschema.validate(document, SCHEMA)
    assert document["partial"] is True
    assert document["patterns"][0]["ends_because"] == "the forecast was interrupted"


def test_ctrl_c_before_anything_was_found(tmp_path: Path) -> None:
    """A page is written all the same; it says that it is partial."""
    file = tmp_path / "partial.html"
    answer = interrupted("foresight", "module", "begin", "predict", "escapement", "--json", "-o", str(file))
    assert answer.code == 130
    document = answer.json()
    jsonschema.validate(document, SCHEMA)
    assert (document["partial"], document["patterns"]) == (True, [])
    assert document["endings"][0]["kind"] == "unknown"
    assert "Partial: the forecast was interrupted" in file.read_text("utf-8")


def test_contacts_of_single_pairs_count(here: Here) -> None:
    """The beak of the woodpecker bounces by the file, and by --friction all else slides less."""
    periods = [
        here("predict", "woodpecker", "--horizon", "3", *words, "--json").json()["patterns"][0]["duration"]
        for words in ((), ("--friction", "0.3"), ("--friction", "0.31"))
    ]
    assert periods[:2] == pytest.approx([0.1401, 0.1401], rel=2e-3)
    assert periods[2] == pytest.approx(0.1375, rel=2e-3)
