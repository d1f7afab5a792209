"""Wrong use and broken machines: the exit code, a message that mends, JSON that stays pure, no traceback."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path

import pytest
from cli_runner import Answer, Here, script

from linkwork.cli import run as running
from linkwork.cli.verbs import LATER, VERBS
from linkwork.errors import NoAnswer, ToolMissing

LAST = next(reversed(LATER))
BROKEN = 'linkwork = 1\n[parameter]\na = 1\n[definition]\nb = "2*(a"\n'

# Each: the command line, its exit code, words of the problem, words of the cure.
WRONG: dict[str, tuple[list[str], int, str, str]] = {
    "verb to come": ([LAST, "four-bar"], 2, f"has no verb '{LAST}' yet", "linkwork --help"),
    "misspelt verb": (["deriv", "x"], 2, "no verb 'deriv'", "did you mean derive?"),
    "misspelt verb to come": (["simulat"], 2, "no verb 'simulat'", "did you mean simulate?"),
    "unknown verb": (["xyzzy"], 2, "no verb 'xyzzy'", "linkwork --help"),
    "empty verb": ([""], 2, "no verb ''", "linkwork --help"),
    "misspelt option": (["derive", "cam-table", "--jsn"], 2, "no option --jsn", "did you mean --json?"),
    "unknown option": (["derive", "cam-table", "--xyzzy"], 2, "no option --xyzzy", "linkwork derive --help"),
    "unknown short option": (["examples", "-x"], 2, "no option -x", "linkwork examples --help"),
    "option before the verb": (["--quiet", "examples"], 2, "no option --quiet", "behind the verb"),
    "misspelt option before the verb": (["--verson"], 2, "no option --verson", "did you mean --version?"),
    "no machine": (["derive"], 2, "missing argument 'MACHINE'", "linkwork derive four-bar"),
    "two machines": (["derive", "cam-table", "x"], 2, "unexpected extra argument", "linkwork derive four"),
    "option without its value": (
        ["derive", "cam-table", "--set"],
        2,
        "requires an argument",
        "linkwork derive",
    ),
    "flag with a value": (["examples", "--quiet=3"], 2, "does not take a value", "linkwork examples"),
    "misspelt example": (["derive", "cam-tabel"], 2, "no such file and no such example", "mean cam-table?"),
    "misspelt example to print": (["examples", "zzz"], 2, "no example 'zzz'", "linkwork examples"),
    "no such file": (["derive", "nothing.toml"], 2, "no such file", "linkwork examples"),
    "empty name": (["derive", ""], 2, "no such file", "linkwork examples"),
    "folder": (["derive", "."], 2, "a folder, not a machine file", "machine.toml"),
    "broken machine": (["derive", "broken.toml"], 3, "broken.toml:5: definition b", "2*(a)"),
    "binary": (["derive", "binary.toml"], 3, "not text in UTF-8", "save it as UTF-8"),
    "setting without =": (["derive", "cam-table", "--set", "lift"], 2, "form name=value", "--set lift=1"),
    "setting without name": (["derive", "cam-table", "--set", "=3"], 2, "form name=value", "--set base=1"),
    "setting misspelt": (["derive", "cam-table", "--set", "lfit=1"], 2, "no parameter 'lfit'", "mean lift?"),
    "setting unknown": (["derive", "cam-table", "--set", "q=1"], 2, "no parameter 'q'", "shows the names"),
    "setting of a line": (["derive", "cam-table", "--set", "height=1"], 2, "is computed", "make height"),
    "setting no expression": (["derive", "cam-table", "--set", "lift=2*(1"], 2, "never closed", "2*(1)"),
    "setting empty": (["derive", "cam-table", "--set", "lift="], 2, "a value is expected", ""),
    "setting unknown name": (["derive", "cam-table", "--set", "lift=bse"], 2, "called 'bse'", "mean base?"),
    "setting in a circle": (
        ["derive", "cam-table", "--set", "lift=base", "--set", "base=lift"],
        2,
        "in a circle",
        "= 1",
    ),
    "setting by itself": (["derive", "cam-table", "--set", "lift=2*lift"], 2, "by itself", "lift = 1"),
    "setting not finite": (["derive", "cam-table", "--set", "lift=log(0)"], 2, "no finite value", "lift"),
    "setting by zero": (["derive", "cam-table", "--set", "lift=1/0"], 2, "division by an exact zero", ""),
    "unknown form": (["derive", "cam-table", "--as", "latx"], 2, "cannot be shown as 'latx'", "mean latex?"),
    "unknown suffix": (["derive", "cam-table", "-o", "x.doc"], 2, "suffix .doc", "--as text"),
    "JSON suffix": (["derive", "cam-table", "-o", "x.json"], 2, "suffix .json", "--json > x.json"),
    "rates of nothing": (["derive", "cam-table", "--rates", "trn"], 2, "no parameter 'trn'", "mean turn?"),
    "rates of a line": (["derive", "cam-table", "--rates", "height"], 2, "no parameter 'height'", "--rates"),
    "bad function name": (
        ["derive", "cam-table", "--as", "c", "--name", "3x"],
        2,
        "cannot be the name of a function",
        "--name machine_3x",
    ),
    "missing folder": (["examples", "-o", "no/such/x"], 2, "no folder no/such", "mkdir -p no/such"),
    "target is a folder": (["examples", "-o", "."], 2, "cannot be written", "another file"),
}


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(capsys, monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "broken.toml").write_text(BROKEN)
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check_no_traceback(answer: Answer) -> None:
    for text in (answer.out, answer.err):
        assert "Traceback" not in text
        assert 'File "' not in text


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use_is_told_in_words(case: str, here: Here, folder: Path) -> None:
    arguments, code, problem, cure = WRONG[case]
    answer = here(*arguments)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert problem in answer.err.splitlines()[0]
    assert cure in answer.err
    check_no_traceback(answer)
    assert {each.name for each in folder.iterdir()} == {"broken.toml", "binary.toml"}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use_is_told_in_json(case: str, here: Here, folder: Path) -> None:
    arguments, code, problem, cure = WRONG[case]
    answer = here(*arguments[:1], "--json", *arguments[1:])
    if arguments[0].startswith("--"):
        return
    assert answer.code == code
    document = answer.json()
    assert problem in document["problem"]
    assert cure in document.get("fix", "") + document.get("got", "")
    assert document["error"].endswith("Error")
    assert document["problem"] in answer.err
    quiet = here(*arguments[:1], "--json", "--quiet", *arguments[1:])
    assert (quiet.code, quiet.err) == (code, "")
    assert quiet.json() == document


def test_a_broken_machine_through_the_script(folder: Path) -> None:
    assert script("derive", "broken.toml", cwd=folder) == (
        3,
        "",
        "error: broken.toml:5: definition b: this bracket is never closed\n"
        "  got:    2*(a\n"
        "            ^\n"
        "  fix:    2*(a)\n",
    )
    document = script("derive", "broken.toml", "--json", cwd=folder).json()
    assert (document["error"], document["file"], document["line"]) == ("MachineFileError", "broken.toml", 5)


def test_a_verb_to_come_through_the_script() -> None:
    answer = script(LAST, "four-bar")
    assert (answer.code, answer.out) == (2, "")
    verbs = ", ".join(verb.name for verb in VERBS)
    assert f"has no verb '{LAST}' yet\n  wanted: {verbs}\n" in answer.err


@pytest.mark.parametrize("verb", LATER)
def test_every_verb_to_come_says_so(verb: str, here: Here) -> None:
    answer = here(verb, "four-bar", "--until", "3", "--json")
    assert answer.code == 2
    assert f"has no verb '{verb}' yet" in answer.json()["problem"]


# -------------------------------------------------------------------------------- what nobody expected


def raising(error: BaseException) -> object:
    def fail(*arguments: object, **by_name: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), RecursionError("deep")])
def test_a_fault_of_our_own_is_short_and_has_its_code(
    error: Exception, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwork.model.load", raising(error))
    answer = here("derive", "cam-table")
    assert answer.code == 70
    assert answer.err.startswith(f"error: linkwork itself failed: {type(error).__name__}")
    assert "LINKWORK_DEBUG=1" in answer.err
    check_no_traceback(answer)
    assert here("derive", "cam-table", "--json").json()["error"] == "InternalError"


def test_too_little_memory_is_told(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no fault of linkwork: what takes memory is said, and what to do."""
    monkeypatch.setattr("linkwork.model.load", raising(MemoryError()))
    answer = here("derive", "cam-table")
    assert answer.code == 3
    assert "needs more memory than there is" in answer.err
    assert "fewer triangles" in answer.err
    check_no_traceback(answer)


def test_the_traceback_is_there_for_those_who_ask(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwork.model.load", raising(ZeroDivisionError("division by zero")))
    monkeypatch.setenv("LINKWORK_DEBUG", "1")
    answer = here("derive", "cam-table")
    assert answer.code == 70
    assert "Traceback" in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(("error", "code"), [(NoAnswer("it diverges"), 4), (ToolMissing("no compiler"), 5)])
def test_our_errors_bring_their_exit_codes(
    error: Exception, code: int, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwork.model.load", raising(error))
    assert here("derive", "cam-table").code == code


def test_an_interrupt_is_quiet(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwork.model.load", raising(KeyboardInterrupt()))
    assert here("derive", "cam-table") == (130, "", "")
    monkeypatch.setattr(running, "_invoke", raising(KeyboardInterrupt()))
    assert here("derive", "cam-table") == (130, "", "")


def test_warnings_are_messages(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn(name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("no compiler here", stacklevel=2)
        raise ToolMissing("stopped")

    monkeypatch.setattr("linkwork.model.load", warn)
    assert here("derive", "cam-table").err == "warning: no compiler here\nerror: stopped\n"
    assert here("derive", "cam-table", "-q").err == "error: stopped\n"


def test_a_target_that_may_not_be_written(here: Here, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "kept.txt").write_text("old")
    monkeypatch.setattr(os, "access", lambda target, mode: False)  # root may write everywhere
    answer = here("examples", "-o", "kept.txt")
    assert answer.code == 2
    assert "read-only" in answer.err
    assert (folder / "kept.txt").read_text() == "old"


def test_a_failed_write_leaves_the_old_file(
    here: Here, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "kept.c").write_text("old")
    monkeypatch.setattr(os, "replace", raising(OSError(28, "No space left on device")))
    answer = here("derive", "cam-table", "-o", "kept.c", "--json")
    assert answer.code == 2
    assert "No space left" in answer.json()["why"]
    assert (folder / "kept.c").read_text() == "old"
    assert not list(folder.glob(".linkwork*"))


def test_json_of_errors_is_ascii_where_it_must_be(folder: Path) -> None:
    answer = script("derive", "größe.toml", "--json", PYTHONIOENCODING="ascii")
    assert answer.code == 2
    assert answer.out.isascii()
    assert json.loads(answer.out)["file"] == "größe.toml"
    assert "gr\\xf6\\xdfe.toml" in answer.err
