"""``linkwork simulate`` with contacts: summaries, comparisons, free bodies, files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Here

import linkwork as lw
from linkwork.contact.comparison import compare
from linkwork.contact.motion import MODELS


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


def test_the_summary_tells_what_touched_and_where_energy_went(here: Here) -> None:
    told = here("simulate", "escapement", "--contact", "rigid", "--until", "10")
    assert told.code == 0
    assert "contact   rigid" in told.out
    assert "in impacts" in told.out
    assert "ewheel / lever" in told.out
    assert "ewheel + lever + bwheel" in told.out


def test_the_summary_has_the_columns_that_were_asked_for(here: Here) -> None:
    """Also rates, which it leaves out else where there are many columns."""
    words = ("simulate", "escapement", "--contact", "rigid", "--until", "1")
    told = here(*words, "--columns", "time,lever.rate").out
    assert told.rstrip().splitlines()[-1].startswith("lever.rate")
    assert "lever.angle" not in told
    assert "lever.angle" in here(*words).out


def test_the_document_has_events_contacts_and_subsystems(here: Here) -> None:
    document = here("simulate", "ratchet-ccw", "--contact", "rigid", "--until", "4", "--json").json()
    assert {"t", "kind", "parts", "features", "impulse"} <= {*document["events"][0]}
    assert document["columns"][:3] == ["time", "wheel.angle", "pawl.angle"]
    assert "wheel.rate" in document["columns"]
    assert document["contacts"][0]["parts"] == ["wheel", "pawl"]
    assert {"from", "until", "groups"} == {*document["subsystems"][0]}
    energy = document["energy"]
    assert sum(energy["lost"].values()) == pytest.approx(energy["first"] - energy["last"])


DICE = """linkwork = 1
gravity = [0, 0, -10]
[part.table]
fixed = true
solid = "translate([-5, -4, -1]) cube([10, 8, 0.5]);"
[part.ball]
free = true
density = 1
solid = "translate([-2, 0, 0.5]) sphere(r=0.5);"
[part.die]
free = true
density = 1
solid = "translate([1, 0, 0.4]) rotate([20, 30, 10]) cube(1);"
[contact]
friction = 0.2
damping = 1e3
pressing = 10
"""


def test_elastic_parts_in_space_are_told_as_those_of_the_plane(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "dice.toml"
    file.write_text(DICE, encoding="utf-8")
    page = tmp_path / "dice.html"
    words = ("simulate", str(file), "--until", "0.6")
    document = here(*words, "--contact", "elastic", "--json", "-o", str(page)).json()
    begin = next(event for event in document["events"] if "ball" in event["parts"])
    assert (begin["kind"], begin["features"]) == ("begin", ["ball", "face"])
    assert len(begin["point"]) == len(begin["normal"]) == 3
    assert {"contact", "lost", "depth", "ball.on.ground"} <= {*document["columns"]}
    assert document["energy"]["lost"]["contacts"] > 0
    assert "<canvas" in page.read_text(encoding="utf-8")
    compared = here(*words, "--compare", "--json").json()
    assert [each["status"] for each in compared["models"]] == ["complete", "complete"]
    assert {each["column"] for each in compared["differences"]["elastic"]} >= {"ball.z", "die.q0"}


def test_an_elastic_motion_is_taken_up_where_it_was_left(here: Here) -> None:
    """The ratchet has come to rest, pressed against its pawl: started there it stays there."""
    words = ("simulate", "ratchet-cw", "--contact", "elastic", "--json")
    left = here(*words, "--until", "20").json()
    wheel = left["rows"][-1][left["columns"].index("wheel.angle")]
    pawl = left["rows"][-1][left["columns"].index("pawl.angle")]
    start = ("--start", f"wheel.angle={wheel!r}", "--start", f"pawl.angle={pawl!r}")
    taken_up = here(*words, "--until", "1", *start).json()
    assert taken_up["energy"]["first"] == pytest.approx(left["energy"]["last"], rel=1e-9)
    assert taken_up["energy"]["last"] == pytest.approx(left["energy"]["last"], rel=1e-9)


def test_models_are_compared(here: Here, tmp_path: Path) -> None:
    """Costs of both, differences of all coordinates; the same by JSON, and a plot."""
    picture = str(tmp_path / "c.png")
    words = ("simulate", "ratchet-ccw", "--compare", "--until", "4")
    told = here(*words)
    assert told.code == 0
    assert "mean step" in told.out
    assert "elastic differs from rigid" in told.out
    document = here(*words, "--json", "-o", picture).json()
    assert [each["model"] for each in document["models"]] == [*MODELS]
    for each in document["models"]:
        assert each["simulated"] == pytest.approx(4)
        assert each["mean_step"] == pytest.approx(each["simulated"] / each["steps"])
        assert each["seconds"] > 0
    found = {each["column"]: each for each in document["differences"]["elastic"]}
    assert {*found} == {"wheel.angle", "pawl.angle"}
    assert 0 < found["wheel.angle"]["greatest"] < 0.1
    assert Path(picture).read_bytes()[1:4] == b"PNG"


def test_a_comparison_is_that_of_two_runs() -> None:
    """Differences are those of the rows of single simulations."""
    machine = lw.load("ratchet-cw")
    found = compare(machine, 2.0)
    single = {model: lw.simulate(machine, 2.0, contact=model) for model in MODELS}
    for each in found.differences["elastic"]:
        apart = abs(single["elastic"][each.column] - single["rigid"][each.column])
        assert each.greatest == pytest.approx(apart.max(), rel=1e-9, abs=1e-12)
        assert each.last == pytest.approx(apart[-1], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".json"])
def test_free_bodies_are_told_and_drawn(here: Here, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"forces{suffix}"
    words = ("simulate", "escapement", "--contact", "rigid", "--free-body", "3", "-o", str(out))
    told = here(*words)
    assert told.code == 0
    assert "mass × acceleration" in told.out
    document = here(*words, "--json").json()
    assert document["time"] == 3
    assert [each["part"] for each in document["bodies"]] == ["ewheel", "lever", "bwheel"]
    if suffix == ".json":
        assert json.loads(out.read_text("utf-8"))["bodies"] == document["bodies"]
    elif suffix == ".svg":
        assert "spring_of_ewheel" in out.read_text("utf-8")
    else:
        assert out.read_bytes()[1:4] == b"PNG"


@pytest.mark.parametrize(
    ("words", "said", "fix"),
    [
        ("pendulum --contact rigid", "contacts of pendulum cannot be computed", "linkwork simulate pendulum"),
        ("four-bar --contact rigid", "contacts of four-bar cannot be computed", "linkwork simulate four-bar"),
        ("escapement --contact elastik", "no model of contact 'elastik'", "--contact elastic"),
        ("escapement --compare --contact rigid", "does not go with --contact", "--compare"),
        (
            "escapement --compare --free-body 1",
            "does not go with --free-body",
            "--contact rigid --free-body 1",
        ),
        ("escapement --contact rigid --restitution 1.5", "--restitution 1.5", "--restitution 0.1"),
        ("escapement --contact rigid --friction -1", "a finite number not below 0", "--friction 0.1"),
        ("escapement --friction 0.1", "--friction is about contacts", "--contact rigid --friction 0.1"),
        ("escapement --contact rigid --free-body 1 -o a.html", "the suffix .html", "-o a.svg"),
        ("escapement --compare -o a.gif", "the suffix .gif", "-o a.svg"),
        ("snowman --free-body 1", "no free bodies in the plane", "--free-body 3"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_cure(here: Here, words: str, said: str, fix: str) -> None:
    told = here("simulate", *words.split())
    assert told.code == 2
    assert said in told.err
    assert fix in told.err
    assert told.out == ""


def test_a_drive_can_be_let_go_with_contacts(here: Here) -> None:
    """Nothing moves the Geneva drive then."""
    words = ("simulate", "geneva-drive", "--contact", "rigid", "--free", "motor", "--until", "1", "--json")
    document = here(*words).json()
    place = document["columns"].index("cross.angle")
    assert document["rows"][-1][place] == pytest.approx(document["rows"][0][place], abs=1e-9)
