"""Files that verbs write: the same things in all of them, targets by suffix, faults of what is seen with their line."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_runner import Here
from PIL import Image

from linkwork import load, simulate
from linkwork.view import stage_page
from linkwork.view.machine_stage import machine_stage

CART = """linkwork = 1
title = "A pendulum on a cart"
gravity = [0, -9.81]
units = { length = "m", time = "s", mass = "kg" }
[part.cart]
mass = 2
[joint.rail]
type = "prismatic"
between = ["ground", "cart"]
[frame.arm]
on = "cart"
varies = ["turn"]
turn = "-60 deg"
[frame.bob]
on = "arm"
at = [1, 0]
mass = 0.5
"""
SCENE = """linkwork = 1
dimension = 3
[frame.car]
varies = ["tx"]
mass = 1
[view.object.thing]
"""


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Here:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(stage_page, "three_script", lambda: "var THREE = {};")
    return Here(capsys, monkeypatch)


def stage_data(page: str) -> Any:
    start = page.index('id="stage-data">') + len('id="stage-data">')
    return json.loads(page[start : page.index("</script>", start)])


# ------------------------------------------------------------------------------- parts and frames together


def test_a_page_shows_parts_and_frames_and_plots_both(here: Here) -> None:
    Path("cart.toml").write_text(CART)
    assert here("simulate", "cart.toml", "--until", "0.5", "-o", "cart.html").code == 0
    data = stage_data(Path("cart.html").read_text("utf-8"))
    machine = load("cart.toml")
    wanted = [thing.name for thing in machine_stage(machine, simulate(machine, until=0.5)).things]
    assert [each["name"] for each in data["objects"]] == wanted
    assert {"cart", "bob", "bob.line"} <= {*wanted}
    plotted = [data["columns"][place]["name"] for place in data["plots"]]
    assert plotted == ["cart.x", "arm.turn"]


def test_a_film_shows_parts_and_frames(here: Here) -> None:
    """The bob hangs a length below the rail, and nothing else reaches so far down."""
    Path("cart.toml").write_text(CART)
    assert here("simulate", "cart.toml", "--until", "0.2", "--step", "0.1", "-o", "cart.gif").code == 0
    film = Image.open(BytesIO(Path("cart.gif").read_bytes()))
    image = np.array(film.convert("RGB")).astype(int)
    seen = np.flatnonzero((image < 200).any(axis=(1, 2)))
    assert np.ptp(seen) > 0.6 * len(image)


def test_pages_of_machines_in_space_have_the_viewer_of_live_pages(here: Here) -> None:
    assert here("move", "stewart", "--steps", "4", "-o", "s.html").code == 0
    data = stage_data(Path("s.html").read_text("utf-8"))
    assert data["motion"] is not None
    assert data["plots"]


def test_pages_of_plane_machines_of_parts_keep_the_small_player(here: Here) -> None:
    assert here("move", "four-bar", "--steps", "4", "-o", "f.html").code == 0
    assert "stage-data" not in Path("f.html").read_text("utf-8")
    assert here("move", "four-bar", "--steps", "4", "--camera", "overview", "-o", "f.html").code == 0
    assert stage_data(Path("f.html").read_text("utf-8"))["camera"] == "overview"


def test_without_a_bundle_parts_in_space_have_the_small_player(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(stage_page, "_BUNDLE", "bundle/nowhere.js")
    page = Path.cwd() / "s.html"
    assert here("move", "stewart", "--steps", "4", "-o", str(page)).code == 0
    assert "stage-data" not in page.read_text("utf-8")
    page.unlink()


def test_a_motion_backwards_in_time_is_said_and_shown_as_time_goes(here: Here) -> None:
    answer = here("simulate", "pendulum", "--until=-1", "--step", "0.25", "-o", "p.html")
    assert "time 0 to -1, backwards" in answer.out
    assert stage_data(Path("p.html").read_text("utf-8"))["motion"]["times"] == [-1, -0.75, -0.5, -0.25, 0]


# -------------------------------------------------------------------------------------------------- targets


@pytest.mark.parametrize(("file", "target"), [("p.html", "html"), ("p.fmu", "fmu2")])
def test_a_suffix_says_what_is_synthesised(file: str, target: str, here: Here) -> None:
    document = here("synthesise", "pendulum", "--json", "-q", "-o", file).json()
    assert (document["target"], document["file"]) == (target, file)
    assert Path(file).is_file()


@pytest.mark.parametrize(
    ("options", "fix"),
    [
        (("-o", "p.c"), "-o p"),
        (("-o", "p.py"), "--target python -o p"),
        (("--target", "c", "-o", "p.html"), "--target html -o p.html"),
        (("--target", "python", "-o", "deep/p.fmu"), "--target fmu2 -o deep/p.fmu"),
    ],
)
def test_no_folder_gets_the_name_of_a_file(options: tuple[str, ...], fix: str, here: Here) -> None:
    answer = here("synthesise", "pendulum", *options, "--json", "-q")
    assert (answer.code, answer.json()["fix"]) == (2, fix)
    assert not list(Path().iterdir())


def test_a_folder_as_a_file_is_answered_with_a_file_in_it(here: Here) -> None:
    answer = here("show", "four-bar", "-o", "e/")
    assert answer.code == 2
    assert "fix:    -o e/machine.svg" in answer.err


# -------------------------------------------------------------------------------------------------- cameras


@pytest.mark.parametrize(
    "words",
    [
        ("show", "gyroscope", "-o", "g.png"),
        ("show", "gyroscope"),
        ("simulate", "gyroscope", "-o", "g.csv"),
        ("move", "four-bar", "-o", "f.html"),
        ("move", "four-bar", "-o", "f.glb"),
    ],
)
def test_a_camera_that_is_not_there_is_refused_whatever_is_written(
    words: tuple[str, ...], here: Here
) -> None:
    answer = here(*words, "--camera", "sied")
    assert answer.code == 2
    assert "there is no camera 'sied'" in answer.err
    assert not list(Path().iterdir())


def test_a_camera_without_effect_is_told(here: Here) -> None:
    for options, words in (
        ((), "without a picture"),
        (("-o", "g.csv"), "on g.csv"),
    ):
        answer = here(
            "simulate", "gyroscope", "--until", "0.1", "--step", "0.1", "--camera", "side", *options
        )
        assert answer.code == 0
        assert f"warning: --camera has no effect {words}" in answer.err
    assert "no effect" not in here("show", "gyroscope", "--camera", "side", "-o", "g.svg").err


# ------------------------------------------------------------------------------------------- wholly driven


@pytest.mark.parametrize("name", ["rack-and-pinion", "ellipse-trammel"])
def test_a_machine_that_is_wholly_driven_is_told_so(name: str, here: Here) -> None:
    for words in (
        ("simulate", name),
        ("synthesise", name, "-o", "x.html"),
        ("synthesise", name, "-o", "x.fmu"),
    ):
        answer = here(*words, "--json", "-q")
        assert answer.code == 2
        assert "is driven: nothing is left for a simulation to find" in answer.json()["problem"]
        assert answer.json()["fix"].startswith(f"linkwork move {name} ")


# ------------------------------------------------------------------------------------------- what is seen


@pytest.mark.parametrize(
    ("lines", "words", "line"),
    [
        ('shape = "text"\ntext = ""', "nothing to be seen of an empty text", 8),
        ('shape = "text"\ntext = "  "', "nothing to be seen of an empty text", 8),
        (f'shape = "text"\ntext = "{"x" * 201}"', "too long to stand in a scene", 8),
        ('shape = "text"\ntext = "\\u200b"', "no letter of this text can be drawn", 8),
        (
            'shape = "sphere"\nradius = 1\nat = ["i*position(car).x", 0, 0]\ncount = 2000',
            "repeated too often",
            10,
        ),
        ('shape = "sphere"\nradius = 1\ncount = 0', "0 is out of bounds", 9),
        ('shape = "model"\nfile = "nowhere.stl"', "the mesh nowhere.stl cannot be read", 8),
        ('shape = "model"\nfile = "bare.gltf"', "this glTF file is broken", 8),
    ],
)
def test_faults_of_what_is_seen_are_faults_of_the_machine(
    lines: str, words: str, line: int, here: Here
) -> None:
    Path("m.toml").write_text(SCENE + lines)
    Path("bare.gltf").write_text('{"asset": {}}')
    answer = here("show", "m.toml", "-o", "x.png", "--json", "-q")
    document = answer.json()
    assert (answer.code, document.get("line"), document.get("file")) == (3, line, "m.toml"), document
    assert words in document["problem"]
    assert not Path("x.png").exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"asset": {}}', "it has no 'version' where one is wanted"),
        (b"\x80abc", "it is no text in UTF-8, from byte 0 on"),
        (b'{"asset": ', "it is no JSON: expecting value in line 1, column 11"),
        (b'{"asset": {"version": "2.0"}, "meshes": 3}', "an entry is of another kind than glTF says"),
    ],
)
def test_broken_meshes_are_told_in_words(content: bytes, why: str, here: Here) -> None:
    Path("m.toml").write_text(SCENE + 'shape = "model"\nfile = "mesh.gltf"')
    Path("mesh.gltf").write_bytes(content)
    document = here("show", "m.toml", "-o", "x.png", "--json", "-q").json()
    assert document["why"].startswith(why)


def test_faults_of_what_parts_show_have_their_line_too(here: Here) -> None:
    Path("m.toml").write_text(
        'linkwork = 1\n[part.bar]\n[joint.O]\ntype = "revolute"\nbetween = ["ground", "bar"]\n'
        '[view.object.mesh]\nshape = "model"\nfile = "nowhere.stl"\n'
    )
    assert here("show", "m.toml", "-o", "x.png").err.startswith(
        "error: m.toml:8: the object mesh: the mesh nowhere.stl"
    )


def test_units_of_frames_that_turn(here: Here) -> None:
    Path("cart.toml").write_text(CART)
    units = here("simulate", "cart.toml", "--until", "0.1", "--json").json()["units"]
    assert (units["arm.turn"], units["arm.turn_rate"]) == ("rad", "rad/s")
