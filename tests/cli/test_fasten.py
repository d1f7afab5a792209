"""``linkwork fasten``: its document, its files, settings, and what it says to bad designs."""

from __future__ import annotations

import json
import math
from decimal import Decimal, localcontext
from pathlib import Path

import pytest
from cli_runner import Here

from linkwork import examples
from linkwork.fasten import load_design
from linkwork.fasten.schema import design_schema

ROOT17 = math.sqrt(17)


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


def test_the_document_of_the_two_pawls(here: Here) -> None:
    """Times in closed form, from the geometry of the drawing."""
    answer = here("fasten", "two-pawl-tee", "--json", "--samples", "0,6.5,20")
    assert (answer.code, answer.err) == (0, "")
    document = answer.json()
    assert document["termination"]["cause"] == "root_collision"
    assert document["termination"]["t"] == 8
    left = document["pawls"]["L"]
    assert [event["kind"] for event in left["events"]] == ["collide", "change", "change", "release"]
    assert [event["t"] for event in left["events"]] == pytest.approx(
        [16 / 3, 10 - ROOT17, 11 - ROOT17, 57 / 8]
    )
    assert left["events"][0]["to"] == {"type": "A", "pawl": "edge1", "obstacle": "H.vertex3"}
    assert left["samples"]["t"] == [0, 6.5]
    assert left["samples"]["theta"][1] < 0


def test_words(here: Here) -> None:
    answer = here("fasten", "two-pawl-tee")
    assert (answer.code, answer.err) == (0, "")
    for words in (
        "the root runs into an obstacle",
        "pawl L",
        "5.33333333  meets",
        "edge1 on H.vertex3",
        "greatest",
    ):
        assert words in answer.out
    assert "it goes all the way" in here("fasten", "motion-diode").out
    assert "pawl R sticks" in here("fasten", "two-pawl-tee", "--set", "mu=3/4").out
    assert "force x" in here("fasten", "two-pawl-tee", "--samples", "1:2:3").out


def test_settings_turn_the_plan_round(here: Here) -> None:
    answer = here("fasten", "motion-diode", "--set", "p0=0,-8", "--set", "v = 0,1", "--json")
    ending = answer.json()["termination"]
    assert (ending["cause"], ending["pawl"]) == ("jam", "P")
    assert ending["t"] == pytest.approx(6.172418, abs=1e-6)


def test_as_many_digits_as_are_wanted(here: Here) -> None:
    with localcontext(prec=60):
        expected = str(10 - Decimal(17).sqrt())
    assert expected[:49] in here("fasten", "two-pawl-tee", "--digits", "50").out


@pytest.mark.parametrize("suffix", [".json", ".txt", ".html", ".gif"])
def test_files(suffix: str, here: Here, tmp_path: Path) -> None:
    target = tmp_path / f"found{suffix}"
    answer = here("fasten", "motion-diode", "-o", str(target), "--json")
    assert answer.err == f"wrote {target}\n"
    assert answer.json()["file"] == str(target)
    content = target.read_bytes()
    begins = {".json": b"{", ".txt": b"A triangle", ".html": b"<!doctype html>", ".gif": b"GIF89a"}
    assert content.startswith(begins[suffix])
    if suffix == ".json":
        assert json.loads(content)["termination"]["cause"] == "end"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("two-pawl-tee", "--set", "mu=-1"), 3, "the friction is negative"),
        (("two-pawl-tee", "--set", "p0=0,0"), 3, "overlaps obstacle"),
        (("two-pawl-tee", "--set", "mu=pi"), 2, "mu: this is no rational number"),
        (("two-pawl-tee", "--set", "nu=1"), 2, "nothing called 'nu'"),
        (("two-pawl-tee", "--set", "mu"), 2, "name=value"),
        (("two-pawl-tee", "--set", "v=1"), 2, "v: this is no vector"),
        (("two-pawl-tee", "--set", "L.k=0"), 3, "the stiffness of pawl L is zero"),
        (("two-pawl-tee", "--samples", "1,x"), 2, "these are no times"),
        (("two-pawl-tee", "--samples", "0:1"), 2, "these are no times"),
        (("two-pawl-tee", "--samples", "nan"), 2, "these are no times"),
        (("two-pawl-tee", "-o", "x.step"), 2, "the suffix .step"),
        (("two-pawl-te",), 2, "did you mean two-pawl-tee?"),
        (("four-bar",), 2, "four-bar is a machine"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], code: int, words: str, here: Here) -> None:
    answer = here("fasten", *arguments)
    assert answer.code == code
    assert words in answer.err


def test_bad_designs_leave_with_three(here: Here, tmp_path: Path) -> None:
    text = examples.path("two-pawl-tee").read_text("utf-8")
    for change, words in (
        (text.replace('["0", "-1"], ["0", "0"]', '["0", "0"], ["0", "-1"]'), "obstacle H: edges"),
        (text.replace('"1/10"', "NaN"), "mu: this is no rational number"),
        (text[:400], "this is not JSON"),
    ):
        path = tmp_path / "bad.json"
        path.write_text(change)
        answer = here("fasten", str(path), "--json")
        assert answer.code == 3
        assert words in answer.json()["problem"]
        assert answer.json()["line"] > 0


@pytest.mark.parametrize("name", examples.designs())
def test_every_design_that_is_shipped_is_followed_and_drawn(name: str, here: Here, tmp_path: Path) -> None:
    design = load_design(name)
    assert (design.name, bool(design.title)) == (name, True)
    assert here("fasten", name, "--json").json()["design"] == name
    answer = here("show", name, "-o", str(tmp_path / "design.svg"))
    assert answer.code == 0
    assert all(f"  {pawl.name}  " in answer.out for pawl in design.pawls)
    assert (tmp_path / "design.svg").read_text("utf-8").startswith("<svg")


def test_show_as_json_is_the_file(here: Here) -> None:
    document = here("show", "tee-diagonal", "--json").json()
    assert document == examples.content("tee-diagonal")
    assert here("show", "tee-diagonal", "-o", "x.glb").code == 2
    assert here("show", "tee-diagonal", "--set", "mu=1/3", "--json").json()["mu"] == "1/3"


@pytest.mark.parametrize("verb", ["move", "simulate", "recognise", "derive", "plan", "predict"])
def test_other_verbs_say_what_to_do_with_a_design(verb: str, here: Here, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(examples.path("two-pawl-tee").read_text("utf-8"))
    for name in ("two-pawl-tee", str(path)):
        answer = here(verb, name)
        assert answer.code == 2
        assert f"linkwork fasten {name}" in answer.err


def test_the_schema_of_designs(here: Here) -> None:
    assert here("schema", "design").json() == design_schema()
    assert here("schema", "engine").code == 2


def test_questions_are_answered_in_words_and_as_data(here: Here) -> None:
    found = here("fasten", "force-diode", "--classify", "--directions", "12", "--json").json()[
        "classification"
    ]
    assert (found["kind"], found["around"]["directions_tried"]) == ("force", 12)
    assert found["ratio"] > 3
    words = here("fasten", "friction-diode", "--set", "mu=1/2", "--classify", "--directions", "12").out
    assert "friction diode" in words


def test_a_question_says_what_the_design_lacks(here: Here) -> None:
    for option in (["--uncertainty"], ["--tolerances", "10"]):
        answer = here("fasten", "two-pawl-tee", *option)
        assert answer.code == 2
        assert "the design has no" in answer.err


def test_a_picture_of_frames_slices_and_forces(here: Here, tmp_path: Path) -> None:
    for name in ("tee.png", "tee.svg"):
        assert here("fasten", "two-pawl-tee", "-o", str(tmp_path / name)).code == 0
    assert (tmp_path / "tee.png").read_bytes()[1:4] == b"PNG"
    assert b"<svg" in (tmp_path / "tee.svg").read_bytes()[:400]


def test_digits_of_trees_are_none(here: Here) -> None:
    """Trees are in floating point: it is said, not passed over."""
    answer = here("fasten", "folding-hook", "--digits", "30")
    assert answer.code == 0
    assert "warning: --digits adds none to" in answer.err


def test_a_search_interrupted_at_once_keeps_nothing_and_says_so(
    here: Here, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A state is told to be kept only where its file is."""

    def stopped(*_given: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("linkwork.cli.fasten_questions.search", stopped)
    design = json.loads(examples.path("two-pawl-tee").read_text("utf-8"))
    design["search"] = {"vary": {"friction": {"low": "0", "high": "1", "sets": "mu"}}, "goal": {}}
    (tmp_path / "d.json").write_text(json.dumps(design), "utf-8")
    state = tmp_path / "tries.json"
    command = ("fasten", str(tmp_path / "d.json"), "--search", "4", "--state", str(state))
    assert "no tries were finished" in here(*command).err
    state.write_text("{}", "utf-8")
    assert f"the tries so far are kept in {state}" in here(*command).err


def test_a_carrier_that_touches_nothing_is_told_by_what_turns_it(here: Here) -> None:
    """In place of a greatest force of 0: the pawl whose contact turns it, and from when on."""
    text = here("fasten", "folding-hook").out
    document = here("fasten", "folding-hook", "--json").json()
    carrier, hook = document["pawls"]
    t = document["pawls"][hook]["events"][0]["t"]
    part = text.split(f"pawl {carrier}\n")[1].split(f"pawl {hook}\n")[0]
    assert f"touches nothing itself; turned by what {hook} meets, from t = {t:.9g} on" in part
    assert "greatest force" not in part
