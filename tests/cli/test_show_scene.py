"""``linkwork show`` and ``simulate`` of scenes: words, pictures by a camera, models."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Here

from linkwork import examples, load

SCENES = [name for name in examples.names() if load(name).is_scene and not load(name).moving]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Here:
    monkeypatch.chdir(tmp_path)
    return Here(capsys, monkeypatch)


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_told_in_words_and_as_data(name: str, here: Here) -> None:
    answer = here("show", name)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"{name}: ")
    document = here("show", name, "--json").json()
    machine = load(name)
    assert document["cameras"] == list(machine.view.camera)
    assert document["bodies"] == list(machine.bodies)
    assert document["parameters"].keys() == machine.parameters.keys()


@pytest.mark.parametrize(("suffix", "head"), [(".png", b"\x89PNG"), (".svg", b"<svg"), (".glb", b"glTF")])
def test_a_scene_is_drawn(suffix: str, head: bytes, here: Here) -> None:
    answer = here("show", "gyroscope", "--camera", "side", "-o", f"g{suffix}")
    assert (answer.code, answer.err) == (0, f"wrote g{suffix}\n")
    assert Path(f"g{suffix}").read_bytes()[:4] == head


def test_cameras_make_different_pictures(here: Here) -> None:
    for camera in ("overview", "side"):
        assert here("show", "gyroscope", "--camera", camera, "-o", f"{camera}.svg", "-q").code == 0
    assert Path("overview.svg").read_bytes() != Path("side.svg").read_bytes()


def test_a_misspelt_camera_is_told(here: Here) -> None:
    answer = here("show", "gyroscope", "--camera", "sid", "-o", "g.png")
    assert answer.code == 2
    assert "did you mean side?" in answer.err
    assert not Path("g.png").exists()


def test_simulations_become_films_and_models(here: Here) -> None:
    assert (
        here(
            "simulate", "pendulum", "--until", "0.2", "--step", "0.1", "--camera", "front", "-o", "p.gif"
        ).code
        == 0
    )
    assert Path("p.gif").read_bytes()[:3] == b"GIF"
    assert here("simulate", "pendulum", "--until", "0.2", "-o", "p.glb").code == 0
    assert b'"animations"' in Path("p.glb").read_bytes()
    assert here("move", "four-bar", "--steps", "4", "-o", "f.glb").code == 0
    assert b'"animations"' in Path("f.glb").read_bytes()


def test_without_a_camera_a_simulation_is_plotted(here: Here) -> None:
    for option, is_plot in (((), True), (("--camera", "front"), False)):
        assert here("simulate", "pendulum", "--until", "0.2", *option, "-o", "p.svg").code == 0
        assert ("matplotlib" in Path("p.svg").read_text("utf-8").lower()) == is_plot


def test_machines_of_parts_have_pictures_by_cameras_too(here: Here) -> None:
    assert here("show", "stewart", "-o", "plain.svg").code == 0
    assert here("show", "stewart", "--camera", "overview", "-o", "seen.svg").code == 0
    assert Path("plain.svg").read_bytes() != Path("seen.svg").read_bytes()
