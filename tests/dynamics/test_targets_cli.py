"""``linkwork synthesise``: folders that appear whole, and what is told where they cannot."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from linkwork import load, synthesise
from linkwork.cli.run import run


def test_a_folder_appears_whole_and_is_renewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a" / "pendulum"
    assert run(["synthesise", "pendulum", "-o", str(folder)]) == 0
    files = synthesise(load("pendulum")).files
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == dict(files)
    assert [path.name for path in folder.parent.iterdir()] == ["pendulum"]
    captured = capsys.readouterr()
    assert captured.err == f"wrote {folder}: {', '.join(files)}\n"
    (folder / "pendulum").write_text("built")
    assert run(["synthesise", "pendulum", "--set", "l=3", "-o", str(folder)]) == 0
    assert "/* 3 */" in (folder / "pendulum.h").read_text()


def test_a_single_file_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum", "--target", "python", "-o", "-"]) == 0
    assert capsys.readouterr().out == synthesise(load("pendulum"), "python").files["pendulum.py"]
    assert run(["synthesise", "pendulum", "-o", "-"]) == 2
    assert "has 6 files" in capsys.readouterr().err


def test_without_a_folder_the_program_is_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("pendulum in c: ")
    assert "  derivative " in out


def test_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", "pendulum", "--target", "javascript", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["machine", "target", "name", "lines", "operations", "files"]
    assert document["files"] == dict(synthesise(load("pendulum"), "javascript").files)
    folder = str(tmp_path / "p")
    assert run(["synthesise", "pendulum", "--target", "javascript", "--json", "-q", "-o", folder]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert (document["files"], document["folder"], captured.err) == (["pendulum.mjs"], folder, "")


def test_foreign_files_are_never_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert run(["synthesise", "pendulum", "-o", str(tmp_path)]) == 2
    assert "notes.txt" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    (tmp_path / "notes.txt").unlink()
    (tmp_path / "Makefile").write_text("all:\n\techo mine\n")
    assert run(["synthesise", "pendulum", "-o", str(tmp_path)]) == 2
    assert (tmp_path / "Makefile").read_text() == "all:\n\techo mine\n"
    assert "Makefile" in capsys.readouterr().err


def test_what_is_no_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    for name in ("file", "file/below"):
        assert run(["synthesise", "pendulum", "-o", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.startswith("error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a new folder nor an old one; permissions do not hold root back, so the system is played."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(os, "mkdir", refuse)
        assert run(["synthesise", "pendulum", "-o", str(tmp_path / "new")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda *_: False)
        assert run(["synthesise", "pendulum", "-o", str(tmp_path)]) == 2
    assert "the folder is read-only" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_breaks_off_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the third file."""
    from linkwork.cli import folder

    written: list[str] = []

    def write_text(path: str, text: str) -> None:
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        written.append(path)
        Path(path).write_text(text)

    monkeypatch.setattr(folder, "write_text", write_text)
    assert run(["synthesise", "pendulum", "-o", str(tmp_path / "new")]) == 2
    assert "No space left" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["pendulum", "--target", "pyton"], "did you mean python?"),
        (["pendulum", "--set", "weight=1"], "there is no parameter 'weight'"),
        (["four-bar", "--free", "crak"], "there is no drive 'crak'"),
        (["four-bar-table"], "has no parts"),
        (["four-bar-drawing"], "is a drawing"),
    ],
)
def test_wrong_use(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["synthesise", *words]) == 2
    assert told in capsys.readouterr().err
