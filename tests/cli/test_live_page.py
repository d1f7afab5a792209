"""``linkwork synthesise --target html``: one file, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from linkwork import load
from linkwork.cli.run import run
from linkwork.emit import webassembly
from linkwork.emit.compiler import Compiler, CompilerFailed, NativeWarning
from linkwork.emit.webassembly import CHOICE
from linkwork.view import live_page as page_module
from linkwork.view import stage_page
from linkwork.view.live_page import live_page


@pytest.fixture
def small_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    """What draws is of no matter here, and may not be built."""
    monkeypatch.setattr(stage_page, "three_script", lambda: "var THREE = {};")


def stage_data_of(page: str) -> Any:
    start = page.index('id="stage-data">') + len('id="stage-data">')
    return json.loads(page[start : page.index("</script>", start)])


@pytest.mark.usefixtures("small_bundle")
def test_a_page_is_written_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pendulum.html"
    assert run(["synthesise", "pendulum", "--target", "html", "-o", str(file)]) == 0
    assert file.read_text("utf-8") == live_page(load("pendulum")).files["pendulum.html"]
    captured = capsys.readouterr()
    assert captured.err == f"wrote {file}\n"
    assert captured.out.startswith("pendulum in html: ")
    assert run(["synthesise", "pendulum", "--target", "html", "-q", "--json", "-o", str(file)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["files"], document["file"]) == (["pendulum.html"], str(file))


@pytest.mark.usefixtures("small_bundle")
def test_a_page_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum", "--set", "l=3", "--target", "html", "-o", "-"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert '"name":"l","value":3.0' in page


def test_a_page_needs_a_file_with_its_suffix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum", "--target", "html", "-o", str(tmp_path / "page")]) == 2
    assert ".html (a page)" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_missing_bundle_is_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage_page, "_BUNDLE", "bundle/nowhere.js")
    file = tmp_path / "pendulum.html"
    assert run(["synthesise", "pendulum", "--target", "html", "-o", str(file)]) == 5
    assert "fix:    make bundle" in capsys.readouterr().err
    assert not file.exists()


def test_targets_that_are_not_known_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum", "--target", "htm"]) == 2
    assert "wanted: c, python, javascript, fmu2, fmu3, html" in capsys.readouterr().err


@pytest.mark.usefixtures("small_bundle")
@pytest.mark.parametrize(
    ("machine", "plotted"), [("roller-coaster", None), ("pendulum", {"energy", "kinetic", "potential"})]
)
def test_what_the_view_names_is_plotted_else_the_energies(machine: str, plotted: set[str] | None) -> None:
    view = load(machine).view
    assert bool(view.plots) == (plotted is None)
    data = stage_data_of(next(iter(live_page(load(machine)).files.values())))
    names = [each["name"] for each in data["columns"]]
    assert "time" not in names
    assert {names[place] for place in data["plots"]} == (plotted or {*view.plots})


@pytest.mark.usefixtures("small_bundle")
def test_a_simulation_of_a_scene_is_replayed_in_the_same_viewer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ride.html"
    camera = next(iter(load("pendulum").view.camera))
    words = [
        "simulate",
        "pendulum",
        "--until",
        "1",
        "--step",
        "0.25",
        "-q",
        "--camera",
        camera,
        "-o",
        str(file),
    ]
    assert run(words) == 0
    data = stage_data_of(file.read_text("utf-8"))
    assert data["motion"]["times"] == [0, 0.25, 0.5, 0.75, 1]
    assert (data["live"], data["camera"]) == (None, camera)
    assert run([*words[:-4], "--camera", "nobody", "-o", str(file)]) == 2
    assert "there is no camera 'nobody'" in capsys.readouterr().err


# ---- What a page computes with


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that makes modules of WebAssembly."""
    monkeypatch.setenv(CHOICE, "none")


def compile_to(monkeypatch: pytest.MonkeyPatch, module: bytes) -> None:
    """A compiler whose modules are all alike."""
    monkeypatch.setattr(page_module, "find_module_compiler", lambda: "a compiler")
    monkeypatch.setattr(page_module, "build_module", lambda source: module)


def pendulum_page(program: str = "auto") -> str:
    return live_page(load("pendulum"), program).files["pendulum.html"]


@pytest.mark.usefixtures("small_bundle", "no_compiler")
def test_without_a_compiler_a_page_computes_in_javascript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Silently, unless WebAssembly is demanded."""
    file = tmp_path / "pendulum.html"
    words = ["synthesise", "pendulum", "--target", "html", "-o", str(file)]
    assert run([*words, "--program", "wasm"]) == 5
    error = capsys.readouterr().err
    assert "WebAssembly is switched off" in error
    assert f"fix:    unset {CHOICE}" in error
    assert not file.exists()
    assert run(words) == 0
    assert capsys.readouterr().err == f"wrote {file}\n"
    assert file.read_text("utf-8") == pendulum_page("javascript")


@pytest.mark.usefixtures("small_bundle")
def test_with_a_compiler_a_page_has_both_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_to(monkeypatch, b"\0asm")
    script, page = pendulum_page("javascript"), pendulum_page()
    assert 'id="module"' not in script
    assert 'id="module"' in page
    assert page == pendulum_page("wasm")
    assert all("machine_derivative" in each for each in (script, page))


@pytest.mark.usefixtures("small_bundle")
def test_a_module_that_makes_a_page_too_large_is_left_out_unless_demanded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compile_to(monkeypatch, b"\0asm")
    monkeypatch.setattr(page_module, "LARGEST", len(pendulum_page("wasm")) - 1)
    assert pendulum_page() == pendulum_page("javascript")
    assert 'id="module"' in pendulum_page("wasm")


@pytest.mark.usefixtures("small_bundle")
def test_a_compiler_that_fails_is_told_and_the_script_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(source: str) -> bytes:
        raise CompilerFailed("the C compiler ended with exit status 7", fix="--program javascript")

    compile_to(monkeypatch, b"")
    monkeypatch.setattr(page_module, "build_module", fail)
    with pytest.warns(NativeWarning, match="exit status 7"):
        page = pendulum_page()
    assert page == pendulum_page("javascript")
    with pytest.raises(CompilerFailed):
        pendulum_page("wasm")


def test_programs_that_are_not_known_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum", "--target", "html", "--program", "wsam"]) == 2
    error = capsys.readouterr().err
    assert "wanted: auto, javascript, wasm" in error
    assert "did you mean wasm?" in error
    assert run(["synthesise", "pendulum", "--program", "wasm"]) == 2
    assert "fix:    --target html --program wasm" in capsys.readouterr().err


@pytest.mark.usefixtures("small_bundle")
def test_the_summary_tells_what_the_page_computes_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason, and with what mends it."""

    def told(*more: str) -> str:
        assert run(["synthesise", "pendulum", "--target", "html", *more]) == 0
        start = "the page computes in "
        (line,) = [each for each in capsys.readouterr().out.splitlines() if each.startswith(start)]
        return line.removeprefix(start)

    monkeypatch.setattr(page_module, "find_module_compiler", lambda: Compiler((), ""))
    monkeypatch.setattr(page_module, "build_module", lambda source: b"module")
    assert told() == "webassembly"
    assert told("--program", "javascript") == "javascript"
    monkeypatch.setattr(page_module, "LARGEST", 0)
    assert (
        told() == "javascript: with the module it would be larger than 1 MB; for webassembly: --program wasm"
    )
    monkeypatch.undo()
    monkeypatch.setattr(stage_page, "three_script", lambda: "var THREE = {};")
    monkeypatch.setenv(CHOICE, "none")
    assert told().endswith(f"is switched off; for webassembly: unset {CHOICE}")
    monkeypatch.delenv(CHOICE)
    monkeypatch.setattr(webassembly, "_search", lambda wish, path: None)
    words = "javascript: there is no compiler for WebAssembly on this machine; for webassembly: "
    assert told() == words + "pip install 'linkwork[wasm]'"
