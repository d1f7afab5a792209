"""``linkwork show``: what a machine is, its picture, and what does not go together."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from cli_runner import Here, script

from linkwork import examples, load, show
from linkwork.cli.progress import Report, progress

SHIPPED = [name for name in examples.names() if load(name).moving and not load(name).is_unjoined]


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


def test_show_prints_what_the_python_verb_prints() -> None:
    answer = script("show", "four-bar")
    assert answer == (0, str(show(load("four-bar"))), "")


def test_branches_are_listed_on_request(here: Here) -> None:
    document = here("show", "jansen-leg", "--branches", "--json").json()
    assert len(document["branches"]) == 8
    assert document["branches_complete"] is True
    assert max(each["residual"] for each in document["branches"]) < 1e-12
    assert "branches" not in here("show", "jansen-leg", "--json").json()


def test_show_loads_neither_scipy_nor_matplotlib(tmp_path: Path) -> None:
    """It answers in half a second: what takes long to import stays out of its way."""
    import subprocess
    import sys

    code = "import sys; from linkwork.cli.run import run; run(['show', 'four-bar', '-o', 'x.svg']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    loaded = {*done.stdout.split()}
    assert {"linkwork.kinematics", "numpy"} <= loaded
    assert loaded.isdisjoint({"scipy", "matplotlib", "sympy", "PIL", "rich", "pyarrow"})


@pytest.mark.parametrize("name", SHIPPED)
def test_the_document_has_the_keys_of_the_interface(name: str, here: Here) -> None:
    answer = here("show", name, "--json")
    assert (answer.code, answer.err) == (0, "")
    document = answer.json()
    assert {"parts", "joints", "mobility", "redundant", "assembles", "parameters", "units"} <= document.keys()
    assert document["assembles"] is True
    assert document["parts"] == list(load(name).moving)
    assert [each["name"] for each in document["joints"]] == list(load(name).joints)
    assert document["residual"] < 1e-9


def test_settings_change_the_machine(here: Here) -> None:
    document = here("show", "four-bar", "--set", "crank=rocker/2", "--json").json()
    assert document["parameters"]["crank"] == 2.5


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_picture(suffix: str, here: Here, tmp_path: Path) -> None:
    target = tmp_path / f"x.{suffix}"
    answer = here("show", "four-bar", "-o", str(target))
    assert (answer.code, answer.out, answer.err) == (0, str(show(load("four-bar"))), f"wrote {target}\n")
    content = target.read_bytes()
    if suffix == "svg":
        ElementTree.fromstring(content)
    else:
        assert content.startswith(b"\x89PNG")
    document = here("show", "four-bar", "-o", str(target), "--json", "-q").json()
    assert document["file"] == str(target)
    assert [each.name for each in tmp_path.iterdir()] == [target.name]


def test_what_does_not_go_together_is_told_with_exit_4(here: Here, tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    arguments = ("show", "four-bar", "--set", "rocker=100", "-o", str(target))
    answer = here(*arguments)
    assert answer.code == 4
    assert "mobility   0\n" in answer.out
    assert answer.err.startswith("error: the machine four-bar does not go together")
    assert "does not go together" not in answer.out
    quiet = here(*arguments, "--json", "--quiet")
    assert (quiet.code, quiet.err) == (4, "")
    document = quiet.json()
    assert (document["error"], document["mobility"], document["assembles"]) == ("DoesNotAssemble", 0, False)
    assert document["gap"] > 1
    assert [each["name"] for each in document["joints"]] == ["A", "B", "C", "D"]
    assert not target.exists()


WRONG = {
    "no parts": (["cam-table"], "has no parts, only definitions", "linkwork derive cam-table"),
    "unknown suffix": (["four-bar", "-o", "x.gif"], "suffix .gif does not say", "-o x.svg"),
    "no suffix": (["four-bar", "-o", "x"], "needs a suffix", "-o x.svg"),
    "missing folder": (["four-bar", "-o", "no/x.svg"], "no folder no", "mkdir -p no"),
    "unknown parameter": (["four-bar", "--set", "crnk=1"], "no parameter 'crnk'", "mean crank?"),
    "no number": (["four-bar", "--set", "crank=1/0"], "division by an exact zero", ""),
    "in a circle": (["four-bar", "--set", "crank=crank"], "by itself", ""),
    "no such machine": (["four-bra"], "no such file and no such example", "four-bar"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use(case: str, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, problem, cure = WRONG[case]
    answer = here("show", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert problem in answer.err.splitlines()[0]
    assert cure in answer.err
    assert list(tmp_path.iterdir()) == []
    document = here("show", *arguments, "--json", "-q").json()
    assert problem in document["problem"]


def test_hostile_text_is_escaped(here: Here, tmp_path: Path) -> None:
    """A title is anybody's text; in a picture it stays text."""
    path = tmp_path / "m.toml"
    text = examples.path("four-bar").read_text("utf-8")
    lines = [
        line if not line.startswith("title") else 'title = "</svg><script>&\\u0001"'
        for line in text.splitlines()
    ]
    path.write_text("\n".join(lines))
    target = tmp_path / "x.svg"
    assert here("show", str(path), "-o", str(target)).code == 0
    assert "<script>" not in target.read_text("utf-8")
    ElementTree.fromstring(target.read_text("utf-8"))


@pytest.mark.parametrize("quiet", [False, True])
def test_looking_for_joints_is_shown_as_other_long_work_is(
    quiet: bool, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verbs of found machines have a bar while joints are looked for, unless they are quiet."""
    from linkwork.cli import settings

    shown: list[tuple[str, bool]] = []

    def told(title: str, *, quiet: bool, patience: float) -> AbstractContextManager[Report]:
        shown.append((title, quiet))
        return progress(title, quiet=quiet, patience=patience)

    monkeypatch.setattr(settings, "progress", told)
    assert here("show", "engine", *(["--quiet"] if quiet else [])).code == 0
    assert shown == [("looking at engine", quiet)]
